#include "world/spring_forces.h"

#include "base/memory.h"
#include "geom/quaternion.h"
#include "solve/pieces.h"
#include "solve/wind.h"
#include "world/cuts.h"
#include "world/tear.h"

/* ---- Forces at a state ---- */

typedef struct look {
    supi_spring_forces* own;
    const sup_row *x, *v;
    supi_wind_job wind; /* without `wind`: none */
    supi_anchor_job anchor;
    supi_anchor_sums total;
    double about[3];
    int32_t row_count;
    bool inflated;
} look;

/* The sum of what `task` has put into the parts, of pieces of `count` things. */
static double run_sum(supi_tasks* tasks, int32_t count, supi_task* task, void* context,
                      const double* parts) {
    double sum = 0.0;
    supi_pieces_run(tasks, count, task, context);
    for (int32_t i = 0; i < supi_piece_count(count); i++) sum += parts[i];
    return sum;
}

static void area_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    const supi_patches* faces = &l->own->faces;
    l->own->parts[piece] = supi_pressure_areas(
        faces, piece * SUPI_PIECE_ROWS, supi_piece_end(piece, faces->count), l->x, l->own->areas);
}

static void push_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    supi_spring_forces* own = l->own;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, own->faces.count);
    float over = l->inflated ? (float)own->gas.over : 0.0f;
    for (int32_t f = begin; f < end; f++) {
        const sup_row* area = own->areas + f;
        own->pushes[f] = (sup_row){over * area->x, over * area->y, over * area->z, 0.0f};
    }
    if (l->wind.wind) supi_wind_push(&l->wind, begin, end, l->x, l->v, own->pushes);
}

static void volume_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    const supi_volumes* volumes = &l->own->volumes;
    supi_volumes_look(volumes, piece * SUPI_PIECE_ROWS,
                      supi_piece_end(piece, volumes->patches.count), l->x);
}

static void find_whole_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    supi_anchor_look(l->about, l->anchor.mass, piece * SUPI_PIECE_ROWS,
                     supi_piece_end(piece, l->row_count), l->x, l->v, l->own->sums + piece);
}

static void hold_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    supi_anchor_pull(&l->anchor, piece * SUPI_PIECE_ROWS, supi_piece_end(piece, l->row_count), l->x,
                     l->v, l->own->holds, l->own->sums + piece);
}

static void release_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    look* l = context;
    supi_anchor_release(&l->own->whole, &l->total, l->anchor.mass, piece * SUPI_PIECE_ROWS,
                        supi_piece_end(piece, l->row_count), l->x, l->own->holds);
}

static void run_anchor_sums(supi_tasks* tasks, look* l, supi_task* task) {
    supi_pieces_run(tasks, l->row_count, task, l);
    l->total = (supi_anchor_sums){0};
    for (int32_t i = 0; i < supi_piece_count(l->row_count); i++) {
        supi_anchor_sum(l->own->sums + i, &l->total);
    }
}

/* Anchors go with the body, or stay where it was put. */
static void find_holds(const supi_springs_way* way, const supi_body* body, bool implicit, look* l) {
    const sup_world* world = way->world;
    const sup_spring_anchor* anchor = &body->springs.anchor;
    const sup_quat* q = world->now.rotation + body->cluster;
    double w = anchor->frequency, turn[9], to[3];
    double turned[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    static const double origin[3] = {0, 0, 0};
    const supi_tear* tear = supi_tear_of(body);
    const supi_refine* cuts = body->elastic->cuts;
    bool fitted = anchor->frame == SUP_ANCHOR_FITTED;
    l->anchor.mass = cuts ? cuts->mass : NULL; /* hanging rows gave theirs away */
    supi_quaternion_matrix(fitted ? turned : body->start.rotation, turn);
    if (fitted) {
        const sup_row* centre = world->now.centre + body->cluster;
        l->about[0] = (double)centre->x;
        l->about[1] = (double)centre->y;
        l->about[2] = (double)centre->z;
        run_anchor_sums(way->tasks, l, find_whole_piece);
        l->own->whole = supi_anchor_whole_of(l->about, &l->total);
    }
    for (int k = 0; k < 3; k++) {
        to[k] = fitted ? l->own->whole.centre[k] : body->start.position[k] - body->anchor[k];
    }
    l->anchor = (supi_anchor_job){.count = body->blueprint->info.particle_count,
                                  .rest = tear ? tear->rest : body->blueprint->rest,
                                  .held = l->own->held,
                                  .mass = l->anchor.mass,
                                  .middle = fitted ? l->own->rest_centre : origin,
                                  .to = to,
                                  .turn = turn,
                                  .moving = fitted ? &l->own->whole : NULL,
                                  .stiffness = w * w,
                                  .damping = implicit ? 0.0 : 2.0 * anchor->damping * w};
    run_anchor_sums(way->tasks, l, hold_piece);
    if (fitted) supi_pieces_run(way->tasks, l->row_count, release_piece, l);
}

void supi_spring_forces_find(const supi_springs_way* way, const supi_body* body, bool implicit,
                             const sup_row* x, const sup_row* v) {
    const sup_world* world = way->world;
    const sup_spring_settings* s = &body->springs;
    supi_spring_forces* own = body->elastic->beside;
    look l = {.own = own, .x = x, .v = v, .row_count = supi_cuts_net(body)->row_count};
    l.inflated = own->swell != NULL;
    if (world->def.wind.density > 0.0) {
        l.wind = (supi_wind_job){.wind = &world->def.wind,
                                 .time = world->time + way->share * world->dt,
                                 .origin = body->anchor,
                                 .across = s->air.across,
                                 .along = s->air.along,
                                 .h = (double)way->h,
                                 .faces = &own->faces,
                                 .masses = own->masses};
    }
    if (l.inflated) {
        double volume = run_sum(way->tasks, own->faces.count, area_piece, &l, own->parts);
        bool torn = supi_tear_of(body) && supi_tear_of(body)->torn > 0;
        own->gas = torn ? (supi_pressure_state){0, 0} /* it has left */
                        : supi_pressure_at(&s->pressure, own->rest_volume, volume);
    }
    supi_pieces_run(way->tasks, own->faces.count, push_piece, &l);
    supi_pieces_run(way->tasks, own->volumes.patches.count, volume_piece, &l);
    if (own->holds) find_holds(way, body, implicit, &l);
}

/* A third of what all faces around a row have. */
static void gather_faces(const supi_patches* faces, int32_t row, const sup_row* of,
                         float third[3]) {
    float sum[3] = {0, 0, 0};
    for (int32_t i = faces->starts[row]; i < faces->starts[row + 1]; i++) {
        const sup_row* one = of + faces->slots[i] / SUPI_PATCH_CORNERS;
        sum[0] += one->x;
        sum[1] += one->y;
        sum[2] += one->z;
    }
    for (int k = 0; k < 3; k++) third[k] = sum[k] / 3.0f;
}

void supi_spring_forces_add(const supi_spring_forces* own, int32_t begin, int32_t end, sup_row* f) {
    for (int32_t r = begin; own->faces.count > 0 && r < end; r++) {
        float third[3];
        gather_faces(&own->faces, r, own->pushes, third);
        f[r].x += third[0];
        f[r].y += third[1];
        f[r].z += third[2];
        if (!own->swell) continue;
        gather_faces(&own->faces, r, own->areas, third);
        own->swell[r] = (sup_row){third[0], third[1], third[2], 0.0f};
    }
    if (own->volumes.patches.count > 0) supi_volumes_add(&own->volumes, begin, end, -1.0f, f);
    for (int32_t r = begin; own->holds && r < end; r++) {
        f[r].x += own->holds[r].x;
        f[r].y += own->holds[r].y;
        f[r].z += own->holds[r].z;
    }
}

/* ---- Anchors of an implicit substep ---- */

static float resistance(const supi_springs_way* way, const supi_body* body) {
    const sup_spring_anchor* anchor = &body->springs.anchor;
    double wh = anchor->frequency * (double)way->h;
    return (float)(wh * wh + 2.0 * anchor->damping * wh);
}

typedef struct lead_job {
    const supi_spring_forces* own;
    const sup_row* x;
    sup_row* f;
    double rate;
    int32_t row_count;
} lead_job;

static void weigh_forces_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const lead_job* job = context;
    supi_anchor_weigh(&job->own->whole, piece * SUPI_PIECE_ROWS,
                      supi_piece_end(piece, job->row_count), job->x, job->f,
                      job->own->sums + piece);
}

static void lead_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const lead_job* job = context;
    supi_anchor_lead(&job->own->whole, job->own->held, job->rate, piece * SUPI_PIECE_ROWS,
                     supi_piece_end(piece, job->row_count), job->x, job->f);
}

void supi_spring_forces_lead(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                             sup_row* f) {
    supi_spring_forces* own = body->elastic->beside;
    double h = (double)way->h;
    if (!own->holds || body->springs.anchor.frame != SUP_ANCHOR_FITTED) return;
    lead_job job = {own, x, f, (double)resistance(way, body) / h, supi_cuts_net(body)->row_count};
    supi_anchor_sums total = {0};
    supi_pieces_run(way->tasks, job.row_count, weigh_forces_piece, &job);
    for (int32_t i = 0; i < supi_piece_count(job.row_count); i++) {
        supi_anchor_sum(own->sums + i, &total);
    }
    supi_anchor_speed_up(&total, h, body->springs.drag, &own->whole);
    supi_pieces_run(way->tasks, job.row_count, lead_piece, &job);
}

typedef struct mend_job {
    const supi_anchor_whole *now, *wanted;
    double h;
    int32_t row_count;
    sup_row *x, *v;
} mend_job;

static void mend_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const mend_job* job = context;
    supi_anchor_mend(job->now, job->wanted, job->h, piece * SUPI_PIECE_ROWS,
                     supi_piece_end(piece, job->row_count), job->x, job->v);
}

void supi_spring_forces_settle(const supi_springs_way* way, const supi_body* body, sup_row* x,
                               sup_row* v) {
    supi_spring_forces* own = body->elastic->beside;
    if (!own || !own->holds || !own->held || body->springs.anchor.frame != SUP_ANCHOR_FITTED) {
        return;
    }
    look l = {.own = own, .x = x, .v = v, .row_count = body->blueprint->row_count};
    for (int k = 0; k < 3; k++) l.about[k] = own->whole.centre[k];
    run_anchor_sums(way->tasks, &l, find_whole_piece);
    const supi_anchor_whole now = supi_anchor_whole_of(l.about, &l.total);
    if (!(now.mass > 0.0)) return;
    mend_job job = {&now, &own->whole, (double)way->h, l.row_count, x, v};
    supi_pieces_run(way->tasks, l.row_count, mend_piece, &job);
}

/* ---- Terms of an implicit substep ---- */

static void diagonal_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const supi_spring_terms* t = context;
    const supi_spring_forces* own = t->forces;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, t->row_count);
    if (own->volumes.patches.count > 0) {
        supi_volumes_diagonal(&own->volumes, begin, end, t->square, t->rows);
    }
    float scale = t->square * (float)own->gas.slope;
    for (int32_t r = begin; own->swell && r < end; r++) {
        float(*block)[8] = t->rows[r / 8].block;
        int32_t lane = supi_lane_order(r & 7);
        const sup_row* g = own->swell + r;
        block[0][lane] += scale * g->x * g->x;
        block[1][lane] += scale * g->y * g->y;
        block[2][lane] += scale * g->z * g->z;
        block[3][lane] += scale * g->y * g->z;
        block[4][lane] += scale * g->z * g->x;
        block[5][lane] += scale * g->x * g->y;
    }
    for (int32_t r = begin; own->holds && r < end; r++) {
        float(*block)[8] = t->rows[r / 8].block;
        if (!(t->x[r].w > 0.0f) || (own->held && !own->held[r])) continue;
        for (int k = 0; k < 3; k++) {
            block[k][supi_lane_order(r & 7)] += t->resist / t->x[r].w;
        }
    }
}

static void add_diagonal(void* context, supi_spring_rows8* rows) {
    supi_spring_terms* t = context;
    t->rows = rows;
    supi_pieces_run(t->tasks, t->row_count, diagonal_piece, t);
}

static void weigh_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const supi_spring_terms* t = context;
    const supi_volumes* volumes = &t->forces->volumes;
    t->forces->parts[piece] = supi_volumes_weigh(
        volumes, piece * SUPI_PIECE_ROWS, supi_piece_end(piece, volumes->patches.count), t->p);
}

static void swell_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const supi_spring_terms* t = context;
    double sum = 0.0;
    for (int32_t r = piece * SUPI_PIECE_ROWS; r < supi_piece_end(piece, t->row_count); r++) {
        const sup_row *g = t->forces->swell + r, *p = t->p + r;
        sum +=
            (double)g->x * (double)p->x + (double)g->y * (double)p->y + (double)g->z * (double)p->z;
    }
    t->forces->parts[piece] = sum;
}

static void hold_back_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const supi_spring_terms* t = context;
    double sum = 0.0;
    for (int32_t r = piece * SUPI_PIECE_ROWS; r < supi_piece_end(piece, t->row_count); r++) {
        if (!(t->x[r].w > 0.0f) || (t->forces->held && !t->forces->held[r])) continue;
        const sup_row* p = t->p + r;
        float mass = t->resist / t->x[r].w, m = t->scale * mass;
        t->y[r].x += m * p->x;
        t->y[r].y += m * p->y;
        t->y[r].z += m * p->z;
        sum += (double)mass * ((double)p->x * (double)p->x + (double)p->y * (double)p->y +
                               (double)p->z * (double)p->z);
    }
    t->forces->parts[piece] = sum;
}

static void apply_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const supi_spring_terms* t = context;
    const supi_spring_forces* own = t->forces;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, t->row_count);
    float scale = t->scale * t->square;
    if (own->volumes.patches.count > 0) {
        supi_volumes_add(&own->volumes, begin, end, scale, t->y);
    }
    float weight = scale * (float)(own->gas.slope * t->swelling);
    for (int32_t r = begin; own->swell && r < end; r++) {
        t->y[r].x += weight * own->swell[r].x;
        t->y[r].y += weight * own->swell[r].y;
        t->y[r].z += weight * own->swell[r].z;
    }
}

static double apply_terms(void* context, float scale, const sup_row* p, sup_row* y) {
    supi_spring_terms* t = context;
    supi_spring_forces* own = t->forces;
    t->p = p;
    t->y = y;
    t->scale = scale;
    double sum = run_sum(t->tasks, own->volumes.patches.count, weigh_piece, t, own->parts);
    if (own->swell) {
        t->swelling = run_sum(t->tasks, t->row_count, swell_piece, t, own->parts);
        sum += own->gas.slope * t->swelling * t->swelling;
    }
    supi_pieces_run(t->tasks, t->row_count, apply_piece, t);
    sum *= (double)t->square;
    if (own->holds) sum += run_sum(t->tasks, t->row_count, hold_back_piece, t, own->parts);
    return sum;
}

bool supi_spring_forces_terms(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                              supi_spring_terms* terms, supi_implicit_terms* out) {
    supi_spring_forces* own = body->elastic->beside;
    if (!own || !(own->volumes.patches.count > 0 || own->swell || own->holds)) return false;
    *terms = (supi_spring_terms){.forces = own,
                                 .tasks = way->tasks,
                                 .square = way->h * way->h,
                                 .resist = resistance(way, body),
                                 .x = x,
                                 .row_count = supi_cuts_net(body)->row_count};
    *out = (supi_implicit_terms){terms, add_diagonal, apply_terms};
    return true;
}
