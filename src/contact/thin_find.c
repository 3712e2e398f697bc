/* Which pairs of thin features may meet in a substep.

   Bodies whose ways meet are an island; its particles have boxes, relative to the mean way of the
   island, that hold their ways with room to spare and that they will not leave. Features have the
   boxes around those of their particles; trees of eight branches find which meet. */
#include "contact/find.h"
#include "contact/thin.h"
#include "contact/vec3.h"
#include "geom/union_find.h"

#include <math.h>
#include <string.h>

/* Points or edges that a worker looks for at a time. */
enum { JOB_FEATURES = 256 };

/* Room for particles beyond their ways, in mean edges: less costs more by clamping than it saves by
   fewer pairs. */
#define REACH_EDGES 0.3f
/* Share of their distance at rest that neighbours keep. */
#define REST_SHARE 0.9f

typedef struct search {
    supi_thin* thin;
    const sup_allocator* allocator;
    supi_tasks* tasks;
    const supi_exemptions* exemptions;
    const sup_row *start, *x;
    int32_t* hits; /* by worker, room for the features of any body */
    int32_t hit_most;
    uint64_t* couples; /* of bodies that may meet */
    int32_t couple_count;
} search;

static sup_row plus(sup_row a, const float b[3]) {
    return (sup_row){a.x + b[0], a.y + b[1], a.z + b[2], a.w};
}

/* ---- Islands ---- */

/* A body's box at the start and at the end, its mass and how far that goes; in its own frame. */
typedef struct hull {
    float low[2][3], high[2][3];
    double mass, way[3];
    bool fixed;
} hull;

static void stretch(float low[3], float high[3], const sup_row* x) {
    const float at[3] = {x->x, x->y, x->z};
    for (int k = 0; k < 3; k++) {
        low[k] = at[k] < low[k] ? at[k] : low[k];
        high[k] = at[k] > high[k] ? at[k] : high[k];
    }
}

static void find_hull(const search* s, const supi_thin_body* body, hull* out) {
    *out = (hull){.fixed = body->held};
    for (int k = 0; k < 3; k++) {
        out->low[0][k] = out->low[1][k] = INFINITY;
        out->high[0][k] = out->high[1][k] = -INFINITY;
    }
    for (int32_t i = 0; i < body->features.point_count; i++) {
        int32_t row = body->first + body->features.points[i];
        const sup_row *from = s->start + row, *to = s->x + row;
        stretch(out->low[0], out->high[0], from);
        stretch(out->low[1], out->high[1], to);
        if (!(to->w > 0)) {
            out->fixed = true;
            continue;
        }
        double m = 1.0 / (double)to->w;
        out->mass += m;
        out->way[0] += m * ((double)to->x - (double)from->x);
        out->way[1] += m * ((double)to->y - (double)from->y);
        out->way[2] += m * ((double)to->z - (double)from->z);
    }
}

/* The mean way of each island. */
static void find_ways(supi_thin* thin, const hull* hulls) {
    for (int32_t i = 0; i < thin->body_count; i++) {
        supi_thin_island* island = thin->islands + i;
        double mass = 0.0, way[3] = {0.0, 0.0, 0.0};
        *island = (supi_thin_island){0};
        if (thin->places[i].island != i) continue;
        for (int32_t j = i; j < thin->body_count; j++) {
            if (thin->places[j].island != i) continue;
            mass += hulls[j].mass;
            for (int k = 0; k < 3; k++) way[k] += hulls[j].way[k];
            island->fixed = island->fixed || hulls[j].fixed;
        }
        for (int k = 0; k < 3 && !island->fixed && mass > 0.0; k++) {
            island->way[k] = (float)(way[k] / mass);
        }
    }
}

/* Where a body may be within the substep. */
static void fill_box(const supi_thin* thin, const hull* hulls, int32_t i, supi_box* box) {
    const supi_thin_place* place = thin->places + i;
    const hull* h = hulls + i;
    box->id = i;
    for (int k = 0; k < 3; k++) {
        double way = (double)thin->islands[place->island].way[k];
        double low = (double)h->low[0][k], high = (double)h->high[0][k];
        double least = way < 0.0 ? low + way : low, most = way > 0.0 ? high + way : high;
        if ((double)h->low[1][k] < least) least = (double)h->low[1][k];
        if ((double)h->high[1][k] > most) most = (double)h->high[1][k];
        box->low[k] = thin->bodies[i].anchor[k] + least - (double)place->reach;
        box->high[k] = thin->bodies[i].anchor[k] + most + (double)place->reach;
    }
}

static bool is_exempt(const supi_exemptions* exemptions, uint64_t couple) {
    int32_t low = 0, high = exemptions ? exemptions->couple_count : 0;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (exemptions->couples[middle] == couple) return true;
        if (exemptions->couples[middle] < couple)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool may_meet(const search* s, uint64_t couple) {
    const supi_thin_body* a = s->thin->bodies + (couple >> 32);
    const supi_thin_body* b = s->thin->bodies + (couple & 0xffffffff);
    if (!supi_filters_meet(a->filter, b->filter) || (a->held && b->held)) return false;
    return !is_exempt(s->exemptions, (uint64_t)a->run << 32 | (uint32_t)b->run);
}

/* Keeps the couples that may meet; did any of them unite islands? */
static bool unite(search* s, int32_t* parent) {
    supi_thin* thin = s->thin;
    bool united = false;
    s->couple_count = 0;
    for (int32_t i = 0; i < thin->sweep.couple_count; i++) {
        uint64_t couple = thin->sweep.couples[i];
        if (!may_meet(s, couple)) continue;
        int32_t a = (int32_t)(couple >> 32), b = (int32_t)(couple & 0xffffffff);
        s->couples[s->couple_count++] = couple;
        united = united || supi_union_root(parent, a) != supi_union_root(parent, b);
        supi_union_join(parent, a, b);
    }
    for (int32_t i = 0; i < thin->body_count; i++) {
        thin->places[i].island = supi_union_root(parent, i);
    }
    return united;
}

/* A power of two, about an eighth of the size; adding its multiples costs floats of that size no
   digits. */
static double fine_unit(double size) {
    double unit = 0x1p-20;
    while (unit < 0x1p20 && 16.0 * unit <= size) unit *= 2.0;
    return unit;
}

/* Origins in the middle of the lowest body, so that floats have as few digits to spend on the
   distance from there as they can. */
static void find_origins(supi_thin* thin, const hull* hulls) {
    for (int32_t i = 0; i < thin->body_count; i++) {
        supi_thin_place* place = thin->places + i;
        supi_thin_island* island = thin->islands + place->island;
        for (int k = 0; k < 3; k++) {
            if (place->island == i) {
                double middle = 0.5 * ((double)hulls[i].low[0][k] + (double)hulls[i].high[0][k]);
                double size = (double)hulls[i].high[0][k] - (double)hulls[i].low[0][k];
                double unit = fine_unit(size);
                island->origin[k] = thin->bodies[i].anchor[k] + unit * floor(middle / unit);
            }
            place->shift[k] = (float)(thin->bodies[i].anchor[k] - island->origin[k]);
        }
    }
}

/* Islands grow until no two of them may meet: uniting changes the mean way, and that where their
   bodies may be. */
static bool find_islands(search* s, hull* hulls, int32_t* parent) {
    supi_thin* thin = s->thin;
    int32_t count = thin->body_count;
    for (int32_t i = 0; i < count; i++) {
        parent[i] = thin->places[i].island = i;
        find_hull(s, thin->bodies + i, hulls + i);
    }
    do {
        find_ways(thin, hulls);
        supi_box* boxes = supi_sweep_boxes(&thin->sweep, s->allocator, count);
        if (!boxes) return false;
        for (int32_t i = 0; i < count; i++) fill_box(thin, hulls, i, boxes + i);
        if (!supi_sweep_run(&thin->sweep, s->allocator, count)) return false;
        s->couples = supi_column_reserve(&thin->couple_store, s->allocator,
                                         thin->sweep.couple_count + 1, sizeof *s->couples);
        if (!s->couples) return false;
    } while (unite(s, parent));
    find_origins(thin, hulls);
    return true;
}

/* ---- Particles ---- */

void supi_thin_take(supi_thin* thin, const sup_row* x, const sup_row* v) {
    for (int32_t i = 0; i < thin->body_count; i++) {
        const supi_thin_body* body = thin->bodies + i;
        const supi_thin_place* place = thin->places + i;
        for (int32_t r = 0; r < body->count; r++) {
            sup_row at = plus(x[body->first + r], place->shift);
            if (body->held) at.w = 0;
            thin->now[place->first + r] = thin->entered[place->first + r] = at;
            thin->v[place->first + r] = v[body->first + r];
        }
    }
}

void supi_thin_give(const supi_thin* thin, sup_row* x, sup_row* v) {
    for (int32_t i = 0; i < thin->body_count; i++) {
        const supi_thin_body* body = thin->bodies + i;
        const int32_t first = thin->places[i].first;
        for (int32_t r = 0; r < body->count; r++) {
            const sup_row *to = thin->now + first + r, *from = thin->entered + first + r;
            sup_row *place = x + body->first + r, *speed = v + body->first + r;
            place->x += to->x - from->x;
            place->y += to->y - from->y;
            place->z += to->z - from->z;
            speed->x = thin->v[first + r].x;
            speed->y = thin->v[first + r].y;
            speed->z = thin->v[first + r].z;
        }
    }
}

static void fill_start(const search* s) {
    supi_thin* thin = s->thin;
    for (int32_t i = 0; i < thin->body_count; i++) {
        const supi_thin_body* body = thin->bodies + i;
        const supi_thin_place* place = thin->places + i;
        for (int32_t r = 0; r < body->count; r++) {
            int32_t at = place->first + r;
            thin->start[at] = plus(s->start[body->first + r], place->shift);
            thin->rest[at] = (sup_row){body->rest[r].x, body->rest[r].y, body->rest[r].z, 0};
            thin->low[at] = thin->high[at] = thin->start[at];
            thin->owner[at] = i;
        }
    }
}

static void widen(float at, float* low, float* high) {
    *low = at < *low ? at : *low;
    *high = at > *high ? at : *high;
}

/* Along one axis: the box of the start, the candidate without the way and standing still in the
   world, and room around it. */
static void fill_reach(float start, float now, float way, float reach, float* low, float* high) {
    *low = *high = start;
    widen(now - way, low, high);
    widen(start - way, low, high);
    *low -= reach;
    *high += reach;
}

/* Pins go where they are led; the others stay within reach. */
static float led(const sup_row* start, const sup_row* now, float reach) {
    float d[3] = {now->x - start->x, now->y - start->y, now->z - start->z};
    return now->w > 0 ? 0 : sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / reach;
}

static void fill_reaches(supi_thin* thin) {
    for (int32_t i = 0; i < thin->particle_count; i++) {
        const supi_thin_place* place = thin->places + thin->owner[i];
        const float *way = thin->islands[place->island].way, reach = place->reach;
        const sup_row *start = thin->start + i, *now = thin->now + i;
        sup_row *low = thin->low + i, *high = thin->high + i;
        fill_reach(start->x, now->x, way[0], reach, &low->x, &high->x);
        fill_reach(start->y, now->y, way[1], reach, &low->y, &high->y);
        fill_reach(start->z, now->z, way[2], reach, &low->z, &high->z);
        float far = led(start, now, reach);
        thin->counts.led = far > thin->counts.led ? far : thin->counts.led;
    }
}

void supi_thin_grow_trees(supi_thin* thin) {
    for (int32_t i = 0; i < thin->body_count; i++) {
        thin->kernels->grow(&thin->places[i].triangles, thin->low, thin->high);
        thin->kernels->grow(&thin->places[i].edges, thin->low, thin->high);
    }
}

/* ---- Room ---- */

/* Nodes that the tree takes of `used`. */
static void plan_tree(supi_thin_tree* tree, int32_t* used) {
    int32_t nodes = tree->count;
    tree->level_count = 0;
    do {
        nodes = (nodes + 7) / 8;
        if (nodes == 0) break;
        int32_t level = tree->level_count++;
        tree->starts[level] = level > 0 ? *used - tree->starts[0] : *used;
        *used += nodes;
    } while (nodes > 1);
}

/* Where bodies, particles, features and trees lie. */
static bool plan(search* s) {
    supi_thin* thin = s->thin;
    int32_t particles = 0, nodes = 0;
    s->hit_most = 0;
    for (int32_t i = 0; i < thin->body_count; i++) {
        const supi_thin_body* body = thin->bodies + i;
        const supi_thin_features* f = &body->features;
        float reach = REACH_EDGES * f->mean_edge;
        thin->places[i] = (supi_thin_place){
            .first = particles,
            .reach = body->half > reach ? body->half : reach,
            .triangles = {.count = f->triangle_count, .members = f->triangles, .size = 3},
            .edges = {.count = f->edge_count, .members = f->edges, .size = 2}};
        supi_thin_tree *t = &thin->places[i].triangles, *e = &thin->places[i].edges;
        t->first = e->first = particles;
        plan_tree(t, &nodes);
        plan_tree(e, &nodes);
        if (body->count > INT32_MAX / 4 - particles) return false;
        particles += body->count;
        if (f->edge_count > s->hit_most) s->hit_most = f->edge_count;
        if (f->triangle_count > s->hit_most) s->hit_most = f->triangle_count;
    }
    thin->particle_count = particles;
    supi_thin_node* all =
        supi_column_reserve(&thin->node_store, s->allocator, nodes + 1, sizeof *all);
    if (!all) return false;
    for (int32_t i = 0; i < thin->body_count; i++) {
        supi_thin_tree* trees[2] = {&thin->places[i].triangles, &thin->places[i].edges};
        for (int k = 0; k < 2; k++) {
            trees[k]->nodes = all + trees[k]->starts[0];
            trees[k]->starts[0] = 0;
        }
    }
    return true;
}

static bool reserve_rows(search* s) {
    supi_thin* thin = s->thin;
    const sup_allocator* a = s->allocator;
    int32_t n = thin->particle_count + 1;
    const size_t row = sizeof(sup_row);
    thin->crossed = supi_column_reserve(&thin->crossed_store, a, n, sizeof *thin->crossed);
    thin->owner = supi_column_reserve(&thin->owner_store, a, n, sizeof *thin->owner);
    thin->start = supi_column_reserve(&thin->start_store, a, n, row);
    thin->now = supi_column_reserve(&thin->now_store, a, n, row);
    thin->entered = supi_column_reserve(&thin->entered_store, a, n, row);
    thin->v = supi_column_reserve(&thin->v_store, a, n, row);
    thin->rest = supi_column_reserve(&thin->rest_store, a, n, row);
    thin->low = supi_column_reserve(&thin->low_store, a, n, row);
    thin->high = supi_column_reserve(&thin->high_store, a, n, row);
    int32_t workers = s->tasks ? supi_tasks_worker_count(s->tasks) : 1;
    if (s->hit_most + 1 > INT32_MAX / workers) return false;
    s->hits =
        supi_column_reserve(&thin->hit_store, a, workers * (s->hit_most + 1), sizeof *s->hits);
    /* of the bound, which must not run out of memory */
    return thin->crossed && thin->owner && thin->start && thin->now && thin->entered && thin->v &&
           thin->rest && thin->low && thin->high && s->hits &&
           supi_column_reserve(&thin->parent_store, a, n, sizeof(int32_t)) &&
           supi_column_reserve(&thin->zone_store, a, n, sizeof(supi_thin_zone)) &&
           supi_column_reserve(&thin->kept_store, a, n, row);
}

/* ---- Jobs ---- */

static bool add_surfaces(search* s, int32_t a, int32_t b, int32_t* first) {
    supi_thin* thin = s->thin;
    const supi_thin_body *of_a = thin->bodies + a, *of_b = thin->bodies + b;
    int32_t need = of_a->grip_count * of_b->grip_count;
    *first = thin->surface_count;
    float spacing = of_a->features.mean_edge, other = of_b->features.mean_edge;
    thin->surfaces = supi_column_reserve(&thin->surface_store, s->allocator, *first + need,
                                         sizeof *thin->surfaces);
    if (!thin->surfaces) return false;
    for (int32_t i = 0; i < need; i++) {
        thin->surfaces[thin->surface_count++] = supi_find_surface(
            of_a->grips + i / of_b->grip_count, of_b->grips + i % of_b->grip_count,
            spacing < other ? spacing : other);
    }
    return true;
}

static bool add_jobs(search* s, int32_t a, int32_t b, bool faces) {
    supi_thin* thin = s->thin;
    const supi_thin_features *f = &thin->bodies[a].features, *g = &thin->bodies[b].features;
    int32_t count = faces ? f->point_count : f->edge_count, surface;
    if ((faces ? g->triangle_count : g->edge_count) == 0) return true;
    if (!add_surfaces(s, a, b, &surface)) return false;
    for (int32_t begin = 0; begin < count; begin += JOB_FEATURES) {
        thin->jobs = supi_column_reserve(&thin->job_store, s->allocator, thin->job_count + 1,
                                         sizeof *thin->jobs);
        if (!thin->jobs) return false;
        thin->jobs[thin->job_count++] =
            (supi_thin_job){.a = a,
                            .b = b,
                            .faces = faces,
                            .begin = begin,
                            .end = begin + JOB_FEATURES < count ? begin + JOB_FEATURES : count,
                            .surface = surface,
                            .distance = thin->bodies[a].half + thin->bodies[b].half};
    }
    return true;
}

static bool list_jobs(search* s) {
    supi_thin* thin = s->thin;
    for (int32_t i = 0; i < thin->body_count; i++) {
        if (thin->bodies[i].held) continue;
        if (!add_jobs(s, i, i, true) || !add_jobs(s, i, i, false)) return false;
    }
    for (int32_t i = 0; i < s->couple_count; i++) {
        int32_t a = (int32_t)(s->couples[i] >> 32), b = (int32_t)(s->couples[i] & 0xffffffff);
        if (!add_jobs(s, a, b, true) || !add_jobs(s, b, a, true) || !add_jobs(s, a, b, false)) {
            return false;
        }
    }
    return true;
}

/* Particles of a point or edge, and of a triangle or edge, one after the other. */
static void pair_particles(const supi_thin* thin, const supi_thin_job* job, int32_t q, int32_t hit,
                           int32_t at[4]) {
    const supi_thin_body *a = thin->bodies + job->a, *b = thin->bodies + job->b;
    int32_t first_a = thin->places[job->a].first, first_b = thin->places[job->b].first;
    if (job->faces) {
        at[0] = first_a + a->features.points[q];
        for (int k = 0; k < 3; k++) at[1 + k] = first_b + b->features.triangles[3 * hit + k];
    } else {
        for (int k = 0; k < 2; k++) {
            at[k] = first_a + a->features.edges[2 * q + k];
            at[2 + k] = first_b + b->features.edges[2 * hit + k];
        }
    }
}

/* Those with a common particle cannot begin to cross each other; those that nothing moves are
   nobody's business. */
static bool counts(const supi_thin* thin, const supi_thin_job* job, const int32_t at[4]) {
    if (job->a == job->b) {
        bool common = at[0] == at[2] || at[0] == at[3];
        if (common || at[1] == (job->faces ? at[0] : at[2])) return false;
        if (!job->faces && at[1] == at[3]) return false;
    }
    if (!thin->islands[thin->places[job->a].island].fixed) return true;
    const sup_row* x = thin->now;
    return x[at[0]].w > 0 || x[at[1]].w > 0 || x[at[2]].w > 0 || x[at[3]].w > 0;
}

/* Goes over the features of b that point or edge q of a may meet; returns how many, with their list
   in `hits`. */
static int32_t seek(const supi_thin* thin, const supi_thin_job* job, int32_t q, int32_t* hits) {
    const supi_thin_features* f = &thin->bodies[job->a].features;
    const supi_thin_place *a = thin->places + job->a, *b = thin->places + job->b;
    if (job->faces) {
        int32_t at = a->first + f->points[q];
        return thin->kernels->hits(&b->triangles, thin->low + at, thin->high + at, 0, hits);
    }
    const sup_row *l0 = thin->low + a->first + f->edges[2 * q], *h0;
    const sup_row *l1 = thin->low + a->first + f->edges[2 * q + 1], *h1;
    h0 = thin->high + (l0 - thin->low);
    h1 = thin->high + (l1 - thin->low);
    sup_row low = *l0, high = *h0;
    low.x = l1->x < low.x ? l1->x : low.x;
    low.y = l1->y < low.y ? l1->y : low.y;
    low.z = l1->z < low.z ? l1->z : low.z;
    high.x = h1->x > high.x ? h1->x : high.x;
    high.y = h1->y > high.y ? h1->y : high.y;
    high.z = h1->z > high.z ? h1->z : high.z;
    return thin->kernels->hits(&b->edges, &low, &high, job->a == job->b ? q + 1 : 0, hits);
}

/* How many there may be, those with a common particle too. */
static void tally(void* context, int32_t index, int32_t worker) {
    const search* s = context;
    supi_thin_job* job = s->thin->jobs + index;
    int32_t* hits = s->hits + (size_t)worker * (size_t)(s->hit_most + 1);
    int64_t count = 0;
    for (int32_t q = job->begin; q < job->end; q++) count += seek(s->thin, job, q, hits);
    job->count = count < INT32_MAX / 2 ? (int32_t)count : INT32_MAX / 2;
}

/* ---- Pairs ---- */

/* Of what is crossed at the start: all of the one, and some of the other. Each would hold the other
   where it is. */
static bool is_crossed(const supi_thin* thin, const supi_thin_job* job, const int32_t at[4]) {
    if (!thin->any_crossed) return false;
    int32_t of_a = job->faces ? 1 : 2, marked[2] = {0, 0};
    for (int i = 0; i < 4; i++) marked[i >= of_a] += thin->crossed[at[i]];
    return marked[0] > 0 && marked[1] > 0 && (marked[0] == of_a || marked[1] == 4 - of_a);
}

/* A lane that pushes nobody. */
static void silence(supi_thin_block* block, int32_t lane) {
    for (int k = 0; k < 4; k++) block->share[k][lane] = 0;
    for (int k = 0; k < 3; k++) block->normal[k][lane] = 0;
    block->distance[lane] = block->keep[lane] = -1;
}

void supi_thin_relent(const supi_thin* thin, supi_thin_block* block) {
    bool faces = thin->jobs[block->job].faces;
    supi_thin_block at_rest = *block;
    float apart[8];
    (faces ? thin->kernels->faces : thin->kernels->edges)(&at_rest, thin->rest, apart);
    for (int32_t k = 0; k < 8; k++) {
        float least = apart[k] > 0 ? REST_SHARE * apart[k] : 0;
        if (least < block->distance[k]) block->distance[k] = least;
    }
    block->relented = true;
    thin->kernels->aim(block, faces, thin->start);
}

/* Closest points of a block whose particles are set, and `silent` lanes that do not count. */
static void finish(const supi_thin* thin, int32_t index, int silent, supi_thin_block* block) {
    const supi_thin_job* job = thin->jobs + index;
    float apart[8];
    bool near = false;
    block->job = index;
    block->relented = job->a != job->b;
    block->bounded = 0;
    memset(block->depth, 0, sizeof block->depth);
    memset(block->push, 0, sizeof block->push);
    memset(block->over, 0, sizeof block->over);
    memset(block->drag, 0, sizeof block->drag);
    (job->faces ? thin->kernels->faces : thin->kernels->edges)(block, thin->start, apart);
    for (int32_t k = 0; k < 8; k++) {
        block->distance[k] = job->distance;
        if (silent >> k & 1 || !(apart[k] >= 0)) silence(block, k);
        near = near || (block->distance[k] > 0 && apart[k] < job->distance);
    }
    if (near && !block->relented)
        supi_thin_relent(thin, block);
    else
        thin->kernels->aim(block, job->faces, thin->start);
}

static void pair_up(void* context, int32_t index, int32_t worker) {
    const search* s = context;
    const supi_thin* thin = s->thin;
    supi_thin_job* job = thin->jobs + index;
    int32_t* hits = s->hits + (size_t)worker * (size_t)(s->hit_most + 1);
    int32_t made = 0;
    int silent = 0;
    for (int32_t q = job->begin; q < job->end; q++) {
        int32_t found = seek(thin, job, q, hits), at[4];
        for (int32_t i = 0; i < found; i++) {
            pair_particles(thin, job, q, hits[i], at);
            if (!counts(thin, job, at)) continue;
            supi_thin_block* block = thin->blocks + job->block + made / 8;
            for (int k = 0; k < 4; k++) block->at[k][made % 8] = at[k];
            if (is_crossed(thin, job, at)) silent |= 1 << made % 8;
            if (++made % 8 == 0) {
                finish(thin, index, silent, block);
                silent = 0;
            }
        }
    }
    job->count = made;
    job->block_count = (made + 7) / 8;
    if (made % 8 == 0) return;
    supi_thin_block* block = thin->blocks + job->block + made / 8;
    for (; made % 8 > 0; made++) {
        for (int k = 0; k < 4; k++) block->at[k][made % 8] = block->at[k][0];
        silent |= 1 << made % 8;
    }
    finish(thin, index, silent, block);
}

static void run(const search* s, supi_task* task) {
    int32_t count = s->thin->job_count;
    if (s->tasks) {
        supi_tasks_run(s->tasks, count, task, (void*)s);
    } else {
        for (int32_t i = 0; i < count; i++) task((void*)s, i, 0);
    }
}

static bool find_pairs(search* s) {
    supi_thin* thin = s->thin;
    if (!list_jobs(s)) return false;
    run(s, tally);
    int64_t blocks = 0;
    for (int32_t i = 0; i < thin->job_count; i++) {
        supi_thin_job* job = thin->jobs + i;
        job->block = (int32_t)blocks;
        blocks += (job->count + 7) / 8;
        if (blocks > INT32_MAX / 8) return false;
    }
    thin->blocks = supi_column_reserve(&thin->block_store, s->allocator, (int32_t)blocks + 1,
                                       sizeof *thin->blocks);
    if (!thin->blocks) return false;
    run(s, pair_up);
    for (int32_t i = 0; i < thin->job_count; i++) thin->counts.candidates += thin->jobs[i].count;
    thin->couples = s->couples;
    thin->couple_count = s->couple_count;
    return true;
}

static void measure(supi_thin* thin) {
    float least = INFINITY;
    for (int32_t j = 0; j < thin->job_count; j++) {
        const supi_thin_job* job = thin->jobs + j;
        for (int32_t i = 0; i < 8 * job->block_count; i++) {
            const supi_thin_block* b = thin->blocks + job->block + i / 8;
            float distance = b->distance[i % 8], gap = b->gap[i % 8];
            if (distance > 0 && gap < least * distance) least = gap / distance;
        }
    }
    thin->counts.least = least;
}

sup_result supi_thin_find(supi_thin* thin, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_thin_body* bodies, int32_t body_count,
                          const supi_exemptions* exemptions, const sup_row* start, const sup_row* x,
                          const sup_row* v, bool look) {
    search s = {.thin = thin,
                .allocator = allocator,
                .tasks = tasks,
                .exemptions = exemptions,
                .start = start,
                .x = x};
    supi_thin_clear(thin);
    if (!thin->kernels) thin->kernels = supi_thin_kernels_find(SUP_SIMD_AUTO);
    thin->bodies = bodies;
    thin->body_count = body_count;
    int32_t n = body_count + 1;
    hull* hulls = supi_column_reserve(&thin->box_store, allocator, n, sizeof *hulls);
    thin->places = supi_column_reserve(&thin->place_store, allocator, n, sizeof *thin->places);
    thin->islands = supi_column_reserve(&thin->island_store, allocator, n, sizeof *thin->islands);
    int32_t* parent = supi_column_reserve(&thin->parent_store, allocator, n, sizeof *parent);
    bool done = hulls && thin->places && thin->islands && parent && plan(&s) &&
                find_islands(&s, hulls, parent) && reserve_rows(&s);
    if (done) {
        supi_thin_take(thin, x, v);
        fill_start(&s);
        if (look || thin->any_crossed) {
            supi_thin_grow_trees(thin);
            supi_thin_cross(thin, s.couples, s.couple_count, s.hits);
            thin->any_crossed = thin->counts.crossings > 0;
        }
        fill_reaches(thin);
        supi_thin_grow_trees(thin);
        done = find_pairs(&s);
    }
    if (!done) {
        supi_thin_clear(thin);
        thin->any_crossed = false;
        return SUP_NO_MEMORY;
    }
    measure(thin);
    return SUP_OK;
}

void supi_thin_clear(supi_thin* thin) {
    thin->body_count = thin->particle_count = 0;
    thin->job_count = thin->surface_count = thin->couple_count = 0;
    thin->counts = (supi_thin_counts){.least = INFINITY};
}

void supi_thin_free(supi_thin* thin, const sup_allocator* allocator) {
    supi_column* all[] = {&thin->place_store,   &thin->island_store,  &thin->owner_store,
                          &thin->start_store,   &thin->now_store,     &thin->v_store,
                          &thin->rest_store,    &thin->low_store,     &thin->high_store,
                          &thin->entered_store, &thin->node_store,    &thin->job_store,
                          &thin->block_store,   &thin->surface_store, &thin->couple_store,
                          &thin->box_store,     &thin->hit_store,     &thin->crossed_store,
                          &thin->parent_store,  &thin->zone_store,    &thin->kept_store};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) supi_column_free(all[i], allocator);
    supi_sweep_free(&thin->sweep, allocator);
    *thin = (supi_thin){.kernels = thin->kernels};
}
