#include "world/folds.h"

#include "base/error.h"
#include "world/impulse.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

/* Half the thickness of a body that says nothing of it, in mean edges. */
#define HALF_EDGES 0.3f
/* With fewer, folds that lie still creep. */
enum { SWEEPS = 4 };

/* Triangles and edges of a body. */
typedef struct supi_folds {
    supi_arena arena; /* owns all of it */
    supi_thin_build build;
    supi_thin_features features;
    int32_t* lines;     /* rows of springs that are edges for want of polygons, 2 each */
    int32_t line_count; /* 0: the body has polygons */
    int32_t torn;       /* how often its surface had parted when they were made */
} supi_folds;

static sup_result refuse(sup_error* error, const char* why) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why);
}

sup_result supi_folds_check(const sup_spring_settings* s, const sup_blueprint* print,
                            sup_error* error) {
    if (!(s->thickness >= 0.0 && s->thickness <= 1.0)) {
        return refuse(error, "springs.thickness must be 0 to 1");
    }
    if (!s->meets_itself || print->spring_count == 0) return SUP_OK;
    if (!print->loose) {
        return refuse(error, "springs.meet_itself is for bodies of springs alone: this one has "
                             "clusters too");
    }
    if (print->refine.levels > 0) {
        return refuse(error, "springs.meet_itself is for cloth whose cells stay: this one has "
                             "levels");
    }
    if (print->skin.count > 0) {
        return refuse(error, "springs.meet_itself is for bodies whose surface is their particles: "
                             "this one is drawn by a skin");
    }
    return SUP_OK;
}

/* One whose springs are all through the inside has neither surface nor line. */
bool supi_folds_has(const supi_body* body) {
    return body->elastic && body->elastic->folds && body->springs.meets_itself &&
           body->elastic->folds->features.point_count > 0;
}

/* ---- Triangles and edges ---- */

static void fill_lines(supi_folds* folds, const sup_blueprint* print) {
    for (int32_t i = 0; i < print->spring_count; i++) {
        const sup_spring* s = print->springs + i;
        if (s->kind != SUP_SPRING_STRUCT) continue;
        folds->lines[2 * folds->line_count] = s->a;
        folds->lines[2 * folds->line_count + 1] = s->b;
        folds->line_count++;
    }
}

/* Of the surface as it is torn now. */
static void fill_features(supi_body* body) {
    supi_folds* folds = body->elastic->folds;
    const sup_blueprint* b = body->blueprint;
    const supi_tear* tear = supi_tear_of(body);
    folds->features = supi_thin_features_fill(
        &folds->build, b->starts, b->corners, supi_tear_vertex_rows(body), b->info.polygon_count,
        folds->lines, folds->line_count, tear ? tear->rest : b->rest, b->info.particle_count);
    folds->torn = tear ? tear->torn : 0;
}

static bool push_rooms(supi_folds* folds, const sup_blueprint* b) {
    supi_arena* arena = &folds->arena;
    supi_thin_build* build = &folds->build;
    bool lines = b->info.polygon_count == 0;
    int32_t triangles = supi_thin_triangle_count(b->starts, b->info.polygon_count);
    if (triangles > INT32_MAX / 8 || b->spring_count > INT32_MAX / 8) return false;
    size_t most = lines ? (size_t)b->spring_count : 3 * (size_t)triangles;
    build->edge_most = (int32_t)most;
    build->triangles = supi_arena_push(arena, 3 * (size_t)triangles, sizeof(int32_t));
    build->edges = supi_arena_push(arena, 2 * most, sizeof(int32_t));
    build->points = supi_arena_push(arena, (size_t)b->row_count, sizeof(int32_t));
    build->keys = supi_arena_push(arena, most, sizeof(uint64_t));
    build->spare_keys = supi_arena_push(arena, most, sizeof(uint64_t));
    build->ids = supi_arena_push(arena, most, sizeof(int32_t));
    build->spare_ids = supi_arena_push(arena, most, sizeof(int32_t));
    folds->lines = supi_arena_push(arena, lines ? 2 * (size_t)b->spring_count : 0, sizeof(int32_t));
    bool all = build->triangles && build->edges && build->points && build->keys &&
               build->spare_keys && build->ids && build->spare_ids && folds->lines;
    if (all && lines) fill_lines(folds, b);
    return all;
}

bool supi_folds_make(const sup_world* world, supi_body* body) {
    supi_elastic* e = body->elastic;
    if (e->folds) return true;
    e->folds = supi_memory_new(world->allocator, 1, sizeof *e->folds);
    if (!e->folds) return false;
    supi_arena_init(&e->folds->arena, world->allocator);
    if (push_rooms(e->folds, body->blueprint)) {
        fill_features(body);
        return true;
    }
    supi_folds_free(world, e);
    return false;
}

void supi_folds_free(const sup_world* world, supi_elastic* e) {
    if (!e->folds) return;
    supi_arena_free(&e->folds->arena);
    supi_memory_free(world->allocator, e->folds, 1, sizeof *e->folds);
    e->folds = NULL;
}

/* ---- Within a step ---- */

bool supi_folds_begin(sup_world* world) {
    int32_t count = 0;
    world->fold_counts = (supi_thin_counts){.least = INFINITY};
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!supi_folds_has(body)) continue;
        if (supi_tear_of(body)) fill_features(body);
        count++;
    }
    world->fold_count = count;
    supi_thin_clear(&world->folds);
    if (count == 0) return true;
    world->fold_bodies = supi_column_reserve(&world->fold_body_column, world->allocator, count,
                                             sizeof *world->fold_bodies);
    world->fold_start = supi_column_reserve(&world->fold_start_column, world->allocator,
                                            world->row_count, sizeof *world->fold_start);
    return world->fold_bodies && world->fold_start;
}

void supi_folds_start(sup_world* world, supi_body* body) {
    if (!supi_folds_has(body)) return;
    const supi_tear* tear = supi_tear_of(body);
    if (tear && tear->torn != body->elastic->folds->torn) fill_features(body);
    memcpy(world->fold_start + body->row, world->now.x + body->row,
           (size_t)body->blueprint->row_count * sizeof *world->fold_start);
}

static supi_thin_body describe(const sup_world* world, const supi_body* body) {
    const sup_blueprint_info* info = &body->blueprint->info;
    const supi_thin_features* features = &body->elastic->folds->features;
    const supi_tear* tear = supi_tear_of(body);
    float half = 0.5f * (float)body->springs.thickness;
    return (supi_thin_body){.run = (int32_t)(body - world->bodies),
                            .first = body->row,
                            .count = info->particle_count,
                            .anchor = {body->anchor[0], body->anchor[1], body->anchor[2]},
                            .features = *features,
                            .rest = tear ? tear->rest : body->blueprint->rest,
                            .half = half > 0.0f ? half : HALF_EDGES * features->mean_edge,
                            .grips = body->grips,
                            .region_of = body->blueprint->region,
                            .grip_count = info->region_count > 0 ? info->region_count : 1,
                            .filter = body->filter,
                            .held = supi_body_still(body)};
}

static bool is_near(const supi_thin* thin, int32_t a, int32_t b) {
    for (int32_t i = 0; i < thin->job_count; i++) {
        const supi_thin_job* job = thin->jobs + i;
        bool this_one = (job->a == a && job->b == b) || (job->a == b && job->b == a);
        int32_t end = job->block + job->block_count;
        int bits;
        if (!this_one) continue;
        if (thin->kernels->near(thin->blocks, job->block, end, thin->now, &bits) < end) return true;
    }
    return false;
}

/* Who sleeps is immovable in this substep, and moves in the next if something restless touches it.
 */
static void wake(sup_world* world) {
    const supi_thin* thin = &world->folds;
    for (int32_t i = 0; i < thin->couple_count; i++) {
        int32_t a = (int32_t)(thin->couples[i] >> 32), b = (int32_t)(uint32_t)thin->couples[i];
        supi_body* one = world->bodies + thin->bodies[a].run;
        supi_body* other = world->bodies + thin->bodies[b].run;
        bool wakes = (one->rest.asleep && supi_sleep_restless(other)) ||
                     (other->rest.asleep && supi_sleep_restless(one));
        if (!wakes || !is_near(thin, a, b)) continue;
        supi_sleep_wake(world, one);
        supi_sleep_wake(world, other);
    }
}

static void add_counts(supi_thin_counts* sum, const supi_thin_counts* more, bool first) {
    sum->candidates += more->candidates;
    if (first) sum->crossings = more->crossings;
    if (more->least < sum->least) sum->least = more->least;
    if (more->led > sum->led) sum->led = more->led;
}

sup_result supi_folds_find(sup_world* world, bool first) {
    int32_t count = 0;
    if (world->fold_count == 0) return SUP_OK;
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!supi_folds_has(body)) continue;
        /* Nobody has moved it, or it was put back: it has gone nowhere. */
        if (supi_body_still(body) || body->restored) supi_folds_start(world, body);
        world->fold_bodies[count++] = describe(world, body);
    }
    sup_result result =
        supi_thin_find(&world->folds, world->allocator, world->tasks, world->fold_bodies, count,
                       &world->exemptions, world->fold_start, world->now.x, world->now.v, first);
    if (result != SUP_OK) return result;
    add_counts(&world->fold_counts, &world->folds.counts, first);
    wake(world);
    return SUP_OK;
}

void supi_folds_sweep(sup_world* world, float h) {
    supi_thin_sweep(&world->folds, world->now.x, world->now.v, h);
}

void supi_folds_bound(sup_world* world, float h) {
    supi_thin_bound(&world->folds, world->now.x, world->now.v, h);
    const supi_thin_counts* now = &world->folds.counts;
    supi_thin_counts* sum = &world->fold_counts;
    sum->active += now->active;
    sum->bounded += now->bounded;
    sum->clamped += now->clamped;
    sum->zoned += now->zoned;
    sum->rounds += now->rounds;
}

int32_t supi_folds_sweeps(const sup_world* world) {
    bool more = world->folds.counts.candidates > 0 && world->def.sweeps < SWEEPS;
    return more ? SWEEPS : world->def.sweeps;
}

/* ---- Single contacts ---- */

/* The places of both features and how far they are apart along the normal, in the end. */
static double place_features(const supi_thin* thin, const supi_thin_block* block, int k,
                             double places[2][3]) {
    double apart = 0.0;
    for (int j = 0; j < 3; j++) places[0][j] = places[1][j] = 0.0;
    for (int i = 0; i < 4; i++) {
        const sup_row* x = thin->now + block->at[i][k];
        double share = (double)block->share[i][k];
        const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
        for (int j = 0; j < 3; j++) {
            apart += share * at[j] * (double)block->normal[j][k];
            places[share < 0.0][j] += fabs(share) * at[j];
        }
    }
    return apart;
}

/* The particle of a feature that has most of the contact. */
static int32_t nearest_of(const supi_thin_block* block, int k, int first, int end) {
    int best = first;
    for (int i = first + 1; i < end; i++) {
        if (fabsf(block->share[i][k]) > fabsf(block->share[best][k])) best = i;
    }
    return block->at[best][k];
}

/* 1/kg: what a push has to move. */
static double weight_of(const supi_thin* thin, const supi_thin_block* block, int k) {
    double weight = 0.0;
    for (int i = 0; i < 4; i++) {
        double share = (double)block->share[i][k];
        weight += share * share * (double)thin->now[block->at[i][k]].w;
    }
    return weight;
}

/* As side a feels it, or side b where it is turned round. */
static supi_fold_contact contact_of(const supi_thin* thin, const supi_thin_block* block, int k,
                                    bool turned, double h) {
    const supi_thin_job* job = thin->jobs + block->job;
    const double* origin = thin->islands[thin->places[job->a].island].origin;
    const double sign = turned ? -1.0 : 1.0;
    int of_a = job->faces ? 1 : 2;
    double places[2][3], per = 1.0 / (weight_of(thin, block, k) * h);
    supi_fold_contact c = {.depth = (double)block->depth[k], .push = per * (double)block->push[k]};
    c.left = (double)block->distance[k] - place_features(thin, block, k, places);
    c.rows[turned] = nearest_of(block, k, 0, of_a) - thin->places[job->a].first;
    c.rows[!turned] = nearest_of(block, k, of_a, 4) - thin->places[job->b].first;
    for (int j = 0; j < 3; j++) {
        c.point[j] = origin[j] + 0.5 * (places[0][j] + places[1][j]);
        c.normal[j] = sign * (double)block->normal[j][k];
        c.friction[j] = sign * per * (double)block->drag[j][k];
    }
    return c;
}

/* Of the bodies at a and b of the list of thin ones. */
static void list_pairs(const supi_thin* thin, int32_t a, int32_t b, double h, supi_folds_take* take,
                       void* context) {
    for (int32_t i = 0; i < thin->job_count; i++) {
        const supi_thin_job* job = thin->jobs + i;
        bool forth = job->a == a && job->b == b, back = job->a == b && job->b == a;
        if (!forth && !back) continue;
        for (int32_t j = 0; j < 8 * job->block_count; j++) {
            const supi_thin_block* block = thin->blocks + job->block + j / 8;
            if (!(block->push[j % 8] > 0.0f)) continue;
            supi_fold_contact contact = contact_of(thin, block, j % 8, !forth, h);
            take(context, &contact);
        }
    }
}

void supi_folds_list(const sup_world* world, int32_t a, int32_t b, double h, supi_folds_take* take,
                     void* context) {
    const supi_thin* thin = &world->folds;
    int32_t at[2] = {-1, -1};
    for (int32_t i = 0; i < thin->body_count; i++) {
        if (thin->bodies[i].run == a) at[0] = i;
        if (thin->bodies[i].run == b) at[1] = i;
    }
    if (at[0] >= 0 && at[1] >= 0) list_pairs(thin, at[0], at[1], h, take, context);
}

int32_t supi_folds_measure(const sup_world* world, double* deepest) {
    const supi_thin* thin = &world->folds;
    int32_t count = 0;
    *deepest = 0.0;
    for (int32_t i = 0; i < thin->job_count; i++) {
        for (int32_t j = 0; j < 8 * thin->jobs[i].block_count; j++) {
            const supi_thin_block* block = thin->blocks + thin->jobs[i].block + j / 8;
            double places[2][3];
            if (!(block->push[j % 8] > 0.0f)) continue;
            double left =
                (double)block->distance[j % 8] - place_features(thin, block, j % 8, places);
            if (left > *deepest) *deepest = left;
            count++;
        }
    }
    return count;
}

/* ---- Meetings ---- */

int32_t supi_folds_couple_count(const sup_world* world) { return world->folds.couple_count; }

void supi_folds_couple(const sup_world* world, int32_t index, int32_t* a, int32_t* b) {
    const supi_thin* thin = &world->folds;
    *a = thin->bodies[thin->couples[index] >> 32].run;
    *b = thin->bodies[(uint32_t)thin->couples[index]].run;
}

static void add_to_meeting(void* context, const supi_fold_contact* c) {
    supi_impulse impulse = {.normal = c->push,
                            .friction = {c->friction[0], c->friction[1], c->friction[2]}};
    for (int k = 0; k < 3; k++) impulse.total[k] = c->push * c->normal[k] + c->friction[k];
    supi_impulse_add(context, &impulse, c->point, c->depth);
}

void supi_folds_meeting(const sup_world* world, int32_t index, double h, sup_meeting* sum) {
    uint64_t couple = world->folds.couples[index];
    list_pairs(&world->folds, (int32_t)(couple >> 32), (int32_t)(uint32_t)couple, h, add_to_meeting,
               sum);
}
