#include "world/springs.h"

#include "base/memory.h"
#include "geom/vector.h"
#include "solve/pieces.h"
#include "world/cuts.h"
#include "world/folds.h"
#include "world/lock.h"
#include "world/spring_contacts.h"
#include "world/spring_forces.h"
#include "world/spring_holds.h"
#include "world/spring_momentum.h"
#include "world/tear.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Row arrays of the explicit integrators, besides those of step control. */
enum { STAGE_ROWS = 5 };

/* Of an implicit substep: its shortest part is one. */
enum { TICKS = 1 << 10, WATCHED_PARTS = 8 };

/* Solves of an implicit substep, at least, where springs only pull: one that is slack at its start
   knows in the second only that it pulls, and a rope would gain energy whenever it gets taut. */
enum { SLACK_NEWTON = 3 };

/* Where a body meets itself, what contacts push in a substep springs take back in the next, without
   an end. The usual share of that, left by the solver, is faster than what should lie still; and
   one solve alone comes out beyond where it should, to and fro. */
#define FOLD_TOLERANCE 1e-3
enum { FOLD_NEWTON = 3 };

/* Bad steps are many when they are more than one in so many. */
enum { MANY_FORCED = 100 };

/* Edges: a wave that hardly gets to the next point leaves points to carry what they can, and
   patches would only make a pile tremble; farther pieces of a body would be stiffer than it is. */
#define REACH_LEAST 1.2
enum { REACH_MOST = 3 };

/* ---- State ---- */

static bool push_rooms(supi_elastic* e, const sup_blueprint* b) {
    supi_arena* arena = &e->arena;
    size_t rows = (size_t)b->row_count, pins = (size_t)b->pin_count;
    e->past.rows = supi_arena_push(arena, rows, sizeof(sup_row));
    e->before.rows = supi_arena_push(arena, rows, sizeof(sup_row));
    e->forces = supi_arena_push(arena, rows, sizeof(sup_row));
    e->scratch = supi_arena_push(arena, (STAGE_ROWS + SUPI_STEP_SCRATCH) * rows, sizeof(sup_row));
    e->pin_start = supi_arena_push(arena, pins, sizeof *e->pin_start);
    e->pin_end = supi_arena_push(arena, pins, sizeof *e->pin_end);
    e->parts = supi_arena_push(arena, (size_t)supi_piece_count(b->row_count), sizeof *e->parts);
    e->braces = supi_arena_push(arena, (size_t)b->spring_count, sizeof *e->braces);
    if (b->refine.levels > 0 && !supi_cuts_make(e, b)) return false;
    supi_spring_net net =
        e->cuts ? e->cuts->net : b->net; /* of the size that it can have at most */
    if (b->tears) net.column_count = b->tears->column_most;
    void* solver = supi_arena_push(arena, supi_implicit_scratch_size(&net), 1);
    if (solver) e->implicit = supi_implicit_scratch_place(&net, solver);
    return e->past.rows && e->before.rows && e->forces && e->scratch && e->pin_start &&
           e->pin_end && e->parts && e->braces && solver && supi_spring_contacts_make(e, b) &&
           supi_tear_make(e, b);
}

bool supi_springs_make(const sup_world* world, supi_body* body) {
    if (body->blueprint->spring_count == 0) return true;
    supi_elastic* e = supi_memory_new(world->allocator, 1, sizeof *e);
    if (!e) return false;
    supi_arena_init(&e->arena, world->allocator);
    supi_arena_init(&e->lasting, world->allocator);
    supi_arena_init(&e->limiting, world->allocator);
    body->elastic = e;
    if (!push_rooms(e, body->blueprint)) {
        supi_springs_free(world, body);
        return false;
    }
    supi_tear_mend(body);
    return true;
}

bool supi_springs_equip(const sup_world* world, supi_body* body, const sup_wind* wind,
                        const sup_spring_settings* settings) {
    supi_elastic* e = body->elastic;
    supi_spring_forces* beside;
    if (!e) return true;
    if (!supi_spring_forces_make(world, wind, settings, body, &beside)) return false;
    if ((settings->yield.strain > 0.0 && !supi_yield_make(body)) ||
        (settings->meets_itself && !supi_folds_make(world, body)) ||
        !supi_limit_make(body, settings)) {
        supi_spring_forces_free(world, beside);
        return false;
    }
    supi_spring_forces_free(world, e->beside);
    e->beside = beside;
    return true;
}

void supi_springs_free(const sup_world* world, supi_body* body) {
    if (!body->elastic) return;
    supi_folds_free(world, body->elastic);
    supi_spring_forces_free(world, body->elastic->beside);
    supi_arena_free(&body->elastic->lasting);
    supi_arena_free(&body->elastic->limiting);
    supi_arena_free(&body->elastic->arena);
    supi_memory_free(world->allocator, body->elastic, 1, sizeof *body->elastic);
    body->elastic = NULL;
}

void supi_springs_lay(supi_body* body) {
    supi_spring_forces_lay(body, body->elastic->beside);
    supi_limit_lay(body);
}

static void copy_past(const supi_body* body, const supi_spring_past* from, supi_spring_past* to) {
    to->steps = from->steps;
    to->check = from->check;
    memcpy(to->rows, from->rows, (size_t)body->blueprint->row_count * sizeof *to->rows);
}

void supi_springs_reset(supi_body* body) {
    if (!body->elastic) return;
    supi_spring_past* past = &body->elastic->past;
    past->steps = (supi_step_state){0};
    memset(past->rows, 0, (size_t)body->blueprint->row_count * sizeof *past->rows);
}

void supi_springs_edited(supi_body* body) {
    if (body->elastic) body->elastic->past.steps.last = 0.0;
}

double supi_springs_saturation(const supi_body* body) {
    return body->elastic ? body->elastic->saturation : 0.0;
}

int32_t supi_springs_forced(const supi_body* body) {
    if (!body->elastic || supi_body_still(body)) return 0;
    const sup_spring_measures* m = &body->elastic->measures;
    return MANY_FORCED * (int64_t)m->forced >= m->steps ? m->forced : 0;
}

int32_t supi_springs_reach(const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    bool implicit = supi_springs_integrator(body) == SUP_INTEGRATOR_IMPLICIT;
    if (!body->elastic || !print->loose || !implicit) return 0;
    double edges = (double)body->pull.h * print->wave;
    return edges < REACH_LEAST ? 0 : edges > REACH_MOST ? REACH_MOST : (int32_t)ceil(edges);
}

bool supi_springs_blown(const sup_world* world, const supi_body* body) {
    const sup_wind* wind = &world->def.wind;
    const double* u = wind->velocity;
    bool moves = wind->gust > 0.0 || u[0] != 0.0 || u[1] != 0.0 || u[2] != 0.0;
    return wind->density > 0.0 && moves && body->elastic && body->elastic->beside &&
           body->elastic->beside->faces.count > 0;
}

void supi_springs_keep(supi_body* body) {
    if (!body->elastic) return;
    copy_past(body, &body->elastic->past, &body->elastic->before);
    supi_yield_keep(body);
    supi_tear_keep(body);
    body->elastic->measures = (sup_spring_measures){0};
    body->elastic->saturation = 0.0;
}

void supi_springs_restore(supi_body* body) {
    if (!body->elastic) return;
    body->elastic->slide_count = 0;
    copy_past(body, &body->elastic->before, &body->elastic->past);
    supi_yield_restore(body);
    supi_tear_restore(body);
}

/* ---- Forces ---- */

typedef struct force_job {
    const supi_springs_way* way;
    const supi_body* body;
    supi_spring_net net;
    float gravity[3]; /* m/s^2 */
    const sup_row *x, *v;
    sup_row* f;
} force_job;

static void gravity_of(const supi_body* body, float g[3]) {
    for (int k = 0; k < 3; k++) g[k] = body->pull.acceleration[k] / body->pull.h;
}

/* Gravity on rows begin .. end-1. */
static void weigh_rows(const supi_body* body, const float g[3], int32_t begin, int32_t end,
                       sup_row* f) {
    const supi_refine* cuts = body->elastic->cuts;
    const float* mass = cuts ? cuts->mass : supi_tear_masses(body);
    for (int32_t r = begin; r < end; r++) {
        float m = r < body->blueprint->info.particle_count ? mass[r] : 0.0f;
        f[r] = (sup_row){m * g[0], m * g[1], m * g[2], 0.0f};
    }
}

static void force_block(void* context, int32_t block, int32_t worker) {
    (void)worker;
    const force_job* job = context;
    const int32_t rows = supi_spring_block(job->net.row_count);
    int32_t begin = block * rows, left = job->net.row_count - begin;
    int32_t end = begin + (left < rows ? left : rows);
    weigh_rows(job->body, job->gravity, begin, end, job->f);
    if (job->body->elastic->beside) {
        supi_spring_forces_add(job->body->elastic->beside, begin, end, job->f);
    }
    job->way->world->kernels->springs->forces(&job->net, begin / 8, end / 8, job->x, job->v, job->f,
                                              NULL);
    supi_lock_strip(job->body, begin, end, job->f);
}

static void find_forces(void* context, const sup_row* x, const sup_row* v, sup_row* f) {
    force_job job = *(const force_job*)context;
    job.x = x;
    job.v = v;
    job.f = f;
    if (job.body->elastic->beside) supi_spring_forces_find(job.way, job.body, false, x, v);
    const int32_t rows = supi_spring_block(job.net.row_count);
    int32_t blocks = (job.net.row_count + rows - 1) / rows;
    if (job.way->tasks && blocks > 1) {
        supi_tasks_run(job.way->tasks, blocks, force_block, &job);
    } else {
        for (int32_t i = 0; i < blocks; i++) force_block(&job, i, 0);
    }
    supi_holds_pull(job.body->elastic, f);
    const supi_refine* cuts = job.body->elastic->cuts;
    if (!cuts) return;
    supi_ties_collect(cuts->ties, cuts->tie_count, f);
    supi_ties_carry(cuts->ties, cuts->tie_count, x, f);
}

/* Hanging points stay the mean of their ends, whatever rounding and pins do. */
static void keep_ties(const supi_refine* cuts, sup_row* x, sup_row* v) {
    supi_ties_spread(cuts->ties, cuts->tie_count, x);
    supi_ties_spread(cuts->ties, cuts->tie_count, v);
}

/* ---- How long a step may be ---- */

/* The direction of the fastest swing is sought from anywhere at first. */
static void seek_mode(const supi_springs_way* way, supi_body* body, const sup_row* x) {
    supi_elastic* e = body->elastic;
    const supi_spring_net own = supi_yield_net(body), *net = &own;
    sup_row* mode = e->past.rows;
    for (int32_t r = 0; r < net->row_count; r++) {
        if (mode[r].x != 0.0f || mode[r].y != 0.0f || mode[r].z != 0.0f) return;
    }
    supi_step_begin(way->tasks, net, x, mode, e->scratch, e->parts);
}

/* Steps that nothing shortens: how many of them the substep would need. */
static void judge_step(const supi_springs_way* way, supi_body* body, double step, const sup_row* x,
                       const sup_row* v) {
    supi_elastic* e = body->elastic;
    if (!way->first) return;
    seek_mode(way, body, x);
    supi_step_report report = {0};
    const supi_spring_net net = supi_yield_net(body);
    supi_step_survey survey =
        supi_step_look(way->tasks, &net, x, e->past.rows, e->scratch, e->parts);
    supi_step_limit(&survey, supi_springs_integrator(body),
                    supi_spring_forces_bound(way, body, x, v), &report);
    e->measures.frequency = report.frequency;
    e->saturation = step / report.stable;
}

/* ---- Beside clusters ---- */

/* Rows of the body in `now`, where the substep goes on from them. What came in broken is put back
   by what the step starts from alone, so that a step that failed and is taken again goes the same
   way. */
static void take_rows(const supi_springs_way* way, supi_body* body) {
    sup_world* world = way->world;
    if (!way->first) return;
    supi_extent places, speeds;
    int32_t count = body->blueprint->info.particle_count;
    world->kernels->inspect(world->before.x + body->row, 0, count, &places);
    world->kernels->inspect(world->before.v + body->row, 0, count, &speeds);
    if (places.sane && speeds.sane && supi_contain_sane(world, body, &world->before)) {
        supi_body_copy(body, &world->before, &world->now);
        return;
    }
    supi_contain_restore(world, body, &world->before, &world->now);
    body->restored = true;
}

void supi_springs_push(const supi_springs_way* way, supi_body* body) {
    sup_world* world = way->world;
    take_rows(way, body);
    const sup_blueprint* print = body->blueprint;
    sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    sup_row* f = body->elastic->forces;
    float h = body->pull.h, keep = 1.0f / (1.0f + h * (float)body->springs.drag);
    judge_step(way, body, (double)h, x, v);
    force_job job = {
        .way = way, .body = body, .net = supi_yield_net(body)}; /* clusters bring gravity along */
    find_forces(&job, x, v, f);
    for (int32_t r = 0; r < print->info.particle_count; r++) {
        float w = h * x[r].w;
        v[r].x = (v[r].x + w * f[r].x) * keep;
        v[r].y = (v[r].y + w * f[r].y) * keep;
        v[r].z = (v[r].z + w * f[r].z) * keep;
    }
}

/* ---- Alone ---- */

/* Pins go from where they are to where they will be. */
static void aim_pins(const supi_springs_way* way, const supi_body* body, const sup_row* x) {
    const sup_blueprint* print = body->blueprint;
    supi_elastic* e = body->elastic;
    for (int32_t i = 0; i < print->pin_count; i++) {
        const sup_row* at = x + print->pins[i];
        float place[3], speed[3];
        supi_integrate_pin(way->world, body, i, way->share, place, speed);
        e->pin_start[i] = (sup_vec3){at->x, at->y, at->z};
        e->pin_end[i] = (sup_vec3){place[0], place[1], place[2]};
    }
}

/* What follows a step of h, or a try of one: strain beyond the limit is taken back. */
static void after_step(void* context, double h, sup_row* x, sup_row* v) {
    const force_job* job = context;
    const supi_refine* cuts = job->body->elastic->cuts;
    supi_limit_strain(job->way, job->body, h, x, v);
    supi_lock_hold(job->way->world, job->body, x, v);
    if (cuts) keep_ties(cuts, x, v);
}

/* A step of h counts, whose last forces were f. */
static void count_step(void* context, double h, const sup_row* f) {
    const force_job* job = context;
    supi_holds_step(job->body->elastic, h, f);
}

/* One step of h for the lesson, for each cut of the finest cells half as long; or as many as it
   takes. */
static void move_explicit(const supi_springs_way* way, supi_body* body, sup_row* x, sup_row* v) {
    const sup_blueprint* print = body->blueprint;
    supi_elastic* e = body->elastic;
    const sup_spring_settings* s = &body->springs;
    force_job job = {.way = way, .body = body, .net = supi_yield_net(body)};
    gravity_of(body, job.gravity);
    supi_motion motion = {.tasks = way->tasks,
                          .integrator = supi_springs_integrator(body),
                          .row_count = job.net.row_count,
                          .forces = find_forces,
                          .after = after_step,
                          .taken = count_step,
                          .context = &job,
                          .drag = s->drag,
                          .span = (double)body->pull.h,
                          .pin_count = print->pin_count,
                          .pins = print->pins,
                          .pin_start = e->pin_start,
                          .pin_end = e->pin_end,
                          .scratch = e->scratch};
    supi_holds_paths(way->world, body, &motion);
    size_t rows = (size_t)print->row_count;
    if (!s->adaptive) {
        int32_t count = e->cuts ? 1 << e->cuts->deepest : 1;
        double step = motion.span / count;
        judge_step(way, body, step, x, v);
        supi_moving moving = {x, v, e->past.steps.last};
        for (int32_t i = 0; i < count; i++) {
            supi_explicit_step(&motion, i * step, step, NULL, &moving);
            count_step(&job, step, motion.scratch);
        }
        e->past.steps.last = moving.last;
        e->measures.steps += count;
        return;
    }
    seek_mode(way, body, x);
    const supi_step_rules rules = {.net = &job.net,
                                   .error = s->error_length +
                                            s->error_strain * (double)job.net.mean_length,
                                   .others = supi_spring_forces_bound(way, body, x, v),
                                   .scratch = e->scratch + STAGE_ROWS * rows,
                                   .parts = e->parts};
    supi_step_report report = supi_step_span(&motion, &rules, &e->past.steps, e->past.rows, x, v);
    e->measures.steps += report.steps;
    e->measures.rejected += report.rejected;
    e->measures.forced += report.forced;
    e->measures.frequency = report.frequency;
}

/* The same where attachments lead rows. */
static void move_between_holds(const supi_springs_way* way, supi_body* body, sup_row* x,
                               sup_row* v) {
    supi_holds_begin_steps(body->elastic, x, v);
    move_explicit(way, body, x, v);
    supi_holds_end_steps(body, x, v);
}

/* Forces of a substep beside those of springs. */
static void force_beside_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const force_job* job = context;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, job->net.row_count);
    weigh_rows(job->body, job->gravity, begin, end, job->f);
    if (job->body->elastic->beside) {
        supi_spring_forces_add(job->body->elastic->beside, begin, end, job->f);
    }
}

static void lead_pins(const supi_body* body, double h, sup_row* v) {
    const sup_blueprint* print = body->blueprint;
    const supi_elastic* e = body->elastic;
    for (int32_t i = 0; i < print->pin_count; i++) {
        const sup_vec3 *from = e->pin_start + i, *to = e->pin_end + i;
        sup_row* own = v + print->pins[i];
        own->x = (float)(((double)to->x - (double)from->x) / h);
        own->y = (float)(((double)to->y - (double)from->y) / h);
        own->z = (float)(((double)to->z - (double)from->z) / h);
    }
}

/* An implicit step of way->h but for its forces and terms. */
static supi_implicit implicit_of(const supi_springs_way* way, const supi_body* body,
                                 const supi_spring_net* net) {
    const supi_elastic* e = body->elastic;
    const sup_spring_settings* s = &body->springs;
    bool folds = supi_folds_has(body);
    int32_t newton = folds ? FOLD_NEWTON : net->plain ? 1 : SLACK_NEWTON;
    return (supi_implicit){.kernels = way->world->kernels,
                           .tasks = way->tasks,
                           .net = net,
                           .force = e->forces,
                           .locked = body->locked,
                           .tie_count = e->cuts ? e->cuts->tie_count : 0,
                           .ties = e->cuts ? e->cuts->ties : NULL,
                           .h = way->h,
                           .drag = (float)s->drag,
                           .levels = s->preconditioner == SUP_PRECONDITIONER_LEVELS,
                           .tolerance = folds && s->tolerance > FOLD_TOLERANCE ? FOLD_TOLERANCE
                                                                               : s->tolerance,
                           .iterations = s->iterations,
                           .newton = s->newton > newton ? s->newton : newton};
}

/* What a step has beside its springs. */
typedef struct step_terms {
    supi_spring_terms forces;
    supi_braces braces;
    supi_implicit_terms all[2];
    int32_t count;
} step_terms;

static void find_terms(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                       const sup_row* v, step_terms* out) {
    out->count = supi_spring_forces_terms(way, body, x, &out->forces, out->all);
    out->braces = supi_limit_brace(way, body, x, v);
    if (out->braces.count > 0) out->all[out->count++] = supi_brace_terms(&out->braces);
}

/* A step of way->h. False: the solver cannot do it, or it makes energy and is watched, and nothing
   has moved. */
static bool step_implicit(const supi_springs_way* way, supi_body* body, bool watched, sup_row* x,
                          sup_row* v) {
    supi_elastic* e = body->elastic;
    force_job job = {
        .way = way, .body = body, .net = supi_yield_net(body), .x = x, .v = v, .f = e->forces};
    step_terms terms;
    gravity_of(body, job.gravity);
    if (e->beside) supi_spring_forces_find(way, body, true, x, v);
    supi_pieces_run(way->tasks, job.net.row_count, force_beside_piece, &job);
    supi_spring_contacts_find(way, body, x, v);
    bool whole = supi_holds_none(body), keeps = whole || supi_holds_keep(body);
    supi_momentum momentum;
    if (keeps) momentum = supi_momentum_expect(body, way->h, x, v, e->scratch);
    if (e->beside) supi_spring_forces_lead(way, body, x, e->forces);
    find_terms(way, body, x, v, &terms);
    supi_implicit step = implicit_of(way, body, &job.net);
    step.slides = e->slides;
    step.slide_count = e->slide_count;
    step.free = whole && !(body->springs.anchor.frequency > 0.0);
    step.terms = terms.all;
    step.term_count = terms.count;
    /* Whose motion is mended below, or who is attached, has energy from others. */
    step.watched = watched && !keeps && e->answer_count == 0;
    supi_implicit_report report = supi_implicit_step(&step, &e->implicit, x, v, e->past.rows);
    e->measures.iterations += report.iterations;
    if (report.failed) {
        e->slide_count = 0;
        return false;
    }
    if (keeps) supi_momentum_keep(body, way->h, &momentum, whole, x, v);
    supi_holds_take(e);
    supi_spring_forces_settle(way, body, x, v);
    if (report.residual > e->measures.residual) e->measures.residual = report.residual;
    return true;
}

/* In place of a step of way->h that nobody can do: all goes on as it did, but none further than
   half the shortest spring, and then, where nothing holds the body, as a whole, so that what the
   fastest lose is not gone. */
static void drift(const supi_springs_way* way, supi_body* body, sup_row* x, sup_row* v) {
    const supi_spring_net net = supi_yield_net(body);
    const supi_refine* cuts = body->elastic->cuts;
    const supi_momentum momentum = {.before = body->elastic->scratch};
    memcpy(body->elastic->scratch, v, (size_t)net.row_count * sizeof *v);
    float shortest = FLT_MAX;
    for (int32_t i = 0; i < 8 * net.column_count; i++) {
        float length = fabsf(net.length[i]);
        if (length > 0.0f && length < shortest) shortest = length;
    }
    double most = 0.5 * (double)shortest / (double)way->h;
    for (int32_t i = 0; i < net.row_count; i++) {
        sup_row *at = x + i, *own = v + i;
        double speed = sqrt((double)own->x * (double)own->x + (double)own->y * (double)own->y +
                            (double)own->z * (double)own->z);
        if (speed > most && at->w > 0.0f) {
            float scale = (float)(most / speed);
            *own = (sup_row){scale * own->x, scale * own->y, scale * own->z, own->w};
        }
        at->x += way->h * own->x;
        at->y += way->h * own->y;
        at->z += way->h * own->z;
    }
    bool held = body->blueprint->pin_count > 0 || body->elastic->hold_count > 0;
    if (!held) supi_momentum_keep(body, way->h, &momentum, false, x, v);
    if (cuts) keep_ties(cuts, x, v);
}

/* Pins have the velocity that takes them where they will be; all else follows. A step that the
   solver cannot do is taken in halves, and these again. */
static void move_implicit(const supi_springs_way* way, supi_body* body, sup_row* x, sup_row* v) {
    supi_elastic* e = body->elastic;
    supi_springs_way part = *way;
    int32_t ticks = TICKS, done = 0;
    lead_pins(body, (double)way->h, v);
    while (done < TICKS) {
        part.h = way->h * ((float)ticks / TICKS);
        if (!step_implicit(&part, body, ticks > TICKS / WATCHED_PARTS, x, v)) {
            memset(e->past.rows, 0, (size_t)body->blueprint->row_count * sizeof *e->past.rows);
            if (ticks > 1) {
                ticks /= 2;
                e->measures.rejected++;
                continue;
            }
            ticks = TICKS - done;
            part.h = way->h * ((float)ticks / TICKS);
            drift(&part, body, x, v);
            e->measures.forced++;
        }
        supi_holds_begin_limit(e, x, v);
        supi_limit_strain(way, body, (double)part.h, x, v);
        supi_holds_end_limit(e, x, v);
        e->measures.steps++;
        done += ticks;
    }
}

/* How the body answers where attachments pull at it in this substep, from where it is now. */
static void answer(const supi_springs_way* way, const supi_body* body, sup_row* x, sup_row* v) {
    const supi_elastic* e = body->elastic;
    if (!supi_holds_ask(e)) return;
    const supi_spring_net net = supi_yield_net(body);
    step_terms terms;
    if (e->beside) supi_spring_forces_find(way, body, true, x, v);
    find_terms(way, body, x, v, &terms);
    supi_implicit step = implicit_of(way, body, &net);
    step.terms = terms.all;
    step.term_count = terms.count;
    for (int32_t i = 0; i < step.tie_count; i++) x[step.ties[i].row].w = SUPI_TIED;
    supi_holds_fix(e, x);
    supi_holds_answer(body, &step, x, v);
    supi_holds_loosen(e, x);
}

void supi_springs_move(const supi_springs_way* way, supi_body* body) {
    sup_world* world = way->world;
    const sup_blueprint* print = body->blueprint;
    sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    if (way->first) {
        memcpy(x, way->from->x + body->row, (size_t)print->row_count * sizeof *x);
        memcpy(v, way->from->v + body->row, (size_t)print->row_count * sizeof *v);
    }
    supi_tear_open(body, x, v);
    supi_folds_start(world, body);
    aim_pins(way, body, x);
    supi_cuts_loosen(body, x, v);
    answer(way, body, x, v);
    if (supi_springs_integrator(body) == SUP_INTEGRATOR_IMPLICIT)
        move_implicit(way, body, x, v);
    else
        move_between_holds(way, body, x, v);
    supi_holds_arrive(body->elastic, x, v);
    supi_cuts_fasten(body, x, v);
    supi_tear_wait(body, x, v);
    supi_integrate_find_boxes(world, body);
}
