/* Phase 3 of a step: shape matching of every body. Small bodies are taken a group at a time, sums,
   rotations and motion while their rows are in cache; large ones are cut into blocks that all
   workers share. Block boundaries come from sizes alone, so the result is the same for every worker
   count. */
#include "blueprint/members.h"
#include "geom/quaternion.h"
#include "world/blobs.h"
#include "world/knead.h"
#include "world/lanes.h"
#include "world/lock.h"
#include "world/oriented.h"
#include "world/springs.h"

#include <math.h>

enum {
    GROUP_MEMBERS = 2048,
    LARGE_MEMBERS = 8192,
    CELL_MEMBERS = 4,
    SPRING_MEMBERS = 2,
    LINK_MEMBERS = 8,
    BLOB_MEMBERS = 64,
    SENT_FOR = 1024 /* bytes of a column of a body that are asked for ahead */
};

int64_t supi_integrate_load(const sup_blueprint* print) {
    int64_t members =
        print->lattice ? (int64_t)CELL_MEMBERS * print->lattice->cell_count : print->member_count;
    if (print->info.blob_spacing > 0) members *= BLOB_MEMBERS;
    return members + (int64_t)SPRING_MEMBERS * print->spring_count +
           (int64_t)LINK_MEMBERS * print->link_count;
}

/* Bodies that may be a herd are not torn apart. */
static bool is_herd_open(const sup_world* world, const supi_work* work, int32_t body) {
    const sup_blueprint* print = world->bodies[body].blueprint;
    return work->count < SUPI_HERD && print->oriented && print->frames.herd &&
           world->bodies[work->first].blueprint == print;
}

/* Fewer herds than workers would leave some of them idle. */
static bool has_herds_for_all(const sup_world* world) {
    int32_t bodies = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const sup_blueprint* print = world->bodies[i].blueprint;
        bodies += print->oriented && print->frames.herd;
    }
    return bodies >= SUPI_HERD * supi_tasks_worker_count(world->tasks);
}

void supi_integrate_plan(sup_world* world) {
    if (world->planned) return;
    world->planned = true;
    world->work_count = 0;
    int64_t members = 0;
    bool herds = has_herds_for_all(world);
    for (int32_t i = 0; i < world->body_count; i++) {
        int64_t own = supi_integrate_load(world->bodies[i].blueprint);
        supi_work* last = world->work_count ? world->works + world->work_count - 1 : NULL;
        bool large = own > LARGE_MEMBERS;
        bool room =
            last && (members + own <= GROUP_MEMBERS || (herds && is_herd_open(world, last, i)));
        if (room && !last->large && !large) {
            last->count++;
            members += own;
        } else {
            world->works[world->work_count++] = (supi_work){i, 1, large};
            members = own;
        }
    }
}

/* ---- One substep ---- */

/* What the tasks of one integration share. */
typedef struct integration {
    sup_world* world;
    const supi_state* from;
    bool first;      /* first substep: `from` is the state at the start of the step */
    bool backward;   /* large bodies go from their last piece to their first */
    double share;    /* of the step that is over at the end of the substep */
    int32_t index;   /* of the substep */
    supi_body* body; /* the large body at work */
} integration;

/* Where the clusters of a body start from. Springs beside them have moved it on already. */
static const supi_state* from_of(const integration* job, const supi_body* body) {
    return supi_springs_kick(body) ? &job->world->now : job->from;
}

/* What cluster c is pulled by. */
static const supi_pull* pull_of(const supi_body* body, int32_t c) {
    return body->pulls ? body->pulls + c : &body->pull;
}

/* All regions of a body have the same. */
static sup_match_mode mode_of(const supi_body* body) { return body->materials[0].mode; }

/* The memberships of a block. */
static supi_span span_of(const supi_body* body, const supi_block* block) {
    const sup_blueprint* print = body->blueprint;
    bool bends = mode_of(body) == SUP_MATCH_QUADRATIC;
    return (supi_span){supi_body_members(body), block->begin, block->end,
                       bends ? print->bends + block->cluster : NULL};
}

static void sum_block(const integration* job, const supi_body* body, int32_t index) {
    const supi_block* block = body->blueprint->blocks + index;
    supi_span span = span_of(body, block);
    const sup_row* centre = from_of(job, body)->centre + body->cluster + block->cluster;
    float xref[3] = {centre->x, centre->y, centre->z};
    job->world->kernels->moments(&span, from_of(job, body)->x + body->row,
                                 from_of(job, body)->v + body->row, pull_of(body, block->cluster),
                                 body->kind, xref, job->world->sums[body->block + index]);
}

/* Up to eight clusters, possibly of several bodies of one kind. */
typedef struct batch {
    supi_match8 lanes;
    const supi_body* bodies[8];
    int32_t clusters[8];
    int32_t count;
} batch;

bool supi_integrate_lags(const supi_body* body) {
    sup_stiffness_rule rule = body->materials[0].rule;
    return body->blueprint->pin_count > 0 && body->kind == SUPI_CLUSTER_DAMPED &&
           (rule == SUP_STIFFNESS_RIGID || rule == SUP_STIFFNESS_IMPLICIT);
}

static void lag_pinned(const integration* job, const supi_body* body, int32_t c,
                       double sums[SUPI_SUM_COUNT]) {
    const sup_blueprint* print = body->blueprint;
    const sup_row* xref = supi_lanes_reference(from_of(job, body), body, c);
    const float* a = body->pull.acceleration;
    supi_member_walk m = supi_members_of(print, c);
    while (supi_members_next(&m)) {
        if (print->inverse_mass[m.row] > 0.0f) continue; /* weightless ones have no w */
        const sup_row* x = from_of(job, body)->x + body->row + m.row;
        double w = (double)m.w;
        double d[3] = {(double)(x->x - xref->x), (double)(x->y - xref->y),
                       (double)(x->z - xref->z)};
        for (int k = 0; k < 3; k++) {
            int j = (k + 1) % 3, l = (k + 2) % 3;
            sums[SUPI_SUM_MOMENTUM + k] -= w * (double)a[k];
            sums[SUPI_SUM_SPIN + k] -= w * (d[j] * (double)a[l] - d[l] * (double)a[j]);
        }
    }
}

/* Adds up the sums of a cluster's blocks. `block`: in, its first block within its body; out, the
 * first of the next. */
static void gather_sums(const integration* job, const supi_body* body, int32_t c, int32_t* block,
                        double sums[SUPI_SUM_COUNT]) {
    const sup_blueprint* print = body->blueprint;
    int used = body->kind == SUPI_CLUSTER_DAMPED ? SUPI_SUM_BEND : SUPI_SUM_MOMENTUM;
    int bent = mode_of(body) == SUP_MATCH_QUADRATIC ? SUPI_SUM_COUNT : SUPI_SUM_BEND;
    for (; *block < print->block_count && print->blocks[*block].cluster == c; ++*block) {
        const float* part = job->world->sums[body->block + *block];
        for (int k = 0; k < used; k++) sums[k] += (double)part[k];
        for (int k = SUPI_SUM_BEND; k < bent; k++) sums[k] += (double)part[k];
    }
    if (supi_integrate_lags(body)) lag_pinned(job, body, c, sums);
}

/* `block`: see gather_sums. */
static void batch_add(const integration* job, batch* b, const supi_body* body, int32_t c,
                      int32_t* block) {
    double sums[SUPI_SUM_COUNT] = {0};
    if (body->blueprint->lattice)
        supi_lattice_sums(job->world, body, c, sums);
    else
        gather_sums(job, body, c, block, sums);
    int lane = b->count++;
    b->bodies[lane] = body;
    b->clusters[lane] = c;
    supi_lanes_put(&b->lanes, lane, body, c, body->kind == SUPI_CLUSTER_DAMPED, sums,
                   from_of(job, body)->rotation + body->cluster + c, pull_of(body, c)->beta);
}

/* The rest shape of a cluster follows its strain. */
static void flow(const supi_match8* m, int lane, const supi_body* body, int32_t c, sup_quat* q) {
    float strained[9];
    double turn[4];
    for (int k = 0; k < 9; k++) strained[k] = m->strained[k][lane];
    if (!supi_plastic_update(body->flows + c, strained, body->plastic + c, turn)) return;
    const double was[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    supi_quaternion_product(was, turn, turn);
    *q = (sup_quat){(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]};
}

static void batch_store(const integration* job, const batch* b, int lane) {
    sup_world* world = job->world;
    const supi_match8* m = &b->lanes;
    int32_t at = b->bodies[lane]->cluster + b->clusters[lane];
    const sup_row* xref =
        supi_lanes_reference(from_of(job, b->bodies[lane]), b->bodies[lane], b->clusters[lane]);
    supi_goal* goal = world->goals + at;
    goal->xref[0] = xref->x;
    goal->xref[1] = xref->y;
    goal->xref[2] = xref->z;
    for (int k = 0; k < 9; k++) goal->matrix[k] = m->matrix[k][lane];
    for (int k = 0; m->mode == SUP_MATCH_QUADRATIC && k < 18; k++) {
        goal->bend[k] = m->bend[k][lane];
    }
    for (int k = 0; k < 3; k++) {
        goal->shift[k] = m->shift[k][lane];
        goal->offset[k] = m->offset[k][lane];
        if (!m->damped) continue;
        goal->velocity[k] = m->velocity[k][lane];
        goal->spin[k] = m->spin[k][lane];
    }
    world->now.rotation[at] = (sup_quat){m->rotation[0][lane], m->rotation[1][lane],
                                         m->rotation[2][lane], m->rotation[3][lane]};
    world->now.centre[at] =
        (sup_row){goal->xref[0] + goal->offset[0], goal->xref[1] + goal->offset[1],
                  goal->xref[2] + goal->offset[2], 0.0f};
    const supi_body* body = b->bodies[lane];
    if (body->plastic && body->materials[0].plastic.on && !body->restored) {
        flow(m, lane, body, b->clusters[lane], world->now.rotation + at);
    }
}

/* Matches what is in the batch and empties it. */
static void batch_flush(const integration* job, batch* b) {
    if (b->count == 0) return;
    b->lanes.h = b->bodies[0]->pull.h;
    b->lanes.damped = b->bodies[0]->kind == SUPI_CLUSTER_DAMPED;
    b->lanes.mode = mode_of(b->bodies[0]);
    b->lanes.plastic = b->bodies[0]->plastic != NULL;
    job->world->kernels->match(&b->lanes);
    for (int lane = 0; lane < b->count; lane++) batch_store(job, b, lane);
    b->count = 0;
}

/* Rows of a body with several clusters: each gets the mean of what its clusters ask. */
static void answer_rows(const integration* job, const supi_body* body, int32_t begin, int32_t end,
                        supi_extent* box) {
    sup_world* world = job->world;
    const sup_blueprint* print = body->blueprint;
    const sup_row *x = from_of(job, body)->x + body->row, *v = from_of(job, body)->v + body->row;
    sup_row *x_out = world->now.x + body->row, *v_out = world->now.v + body->row;
    const sup_row* asked = world->asked + body->ask;
    const supi_pull* p = &body->pull;
    for (int32_t r = begin; r < end; r++) {
        float sum[3] = {0, 0, 0}, share = print->share[r];
        for (int32_t i = print->ask_starts[r]; i < print->ask_starts[r + 1]; i++) {
            const sup_row* one = asked + print->asks[i];
            sum[0] += one->x;
            sum[1] += one->y;
            sum[2] += one->z;
        }
        sup_row u = v[r], at = x[r];
        u.x += p->acceleration[0] + share * sum[0];
        u.y += p->acceleration[1] + share * sum[1];
        u.z += p->acceleration[2] + share * sum[2];
        at.x += p->h * u.x;
        at.y += p->h * u.y;
        at.z += p->h * u.z;
        at.w += 0.0f * u.w; /* as in the kernels: a radius that is not finite shows in the box */
        v_out[r] = u;
        x_out[r] = at;
    }
    world->kernels->inspect(x_out, begin, end, box);
}

/* Rows that nobody changes after the move: its sums are those of the next substep. */
static bool carries(const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    return body->calm && body->locked == 0 && b->single && b->spring_count == 0 && !b->oriented &&
           !body->soft && body->kind != SUPI_CLUSTER_PREDICTED &&
           b->weightless_count + b->pin_count == 0;
}

/* Piece i of the last pass: the rows of one block (one cluster), or a stretch of rows (several). */
static void move_piece(const integration* job, const supi_body* body, int32_t index) {
    sup_world* world = job->world;
    const sup_blueprint* print = body->blueprint;
    supi_extent* box = world->boxes + body->piece + index;
    if (print->single) {
        const supi_block* block = print->blocks + index;
        const sup_row* centre = world->now.centre + body->cluster;
        const float next[3] = {centre->x, centre->y, centre->z};
        float* sums = carries(body) ? world->sums[body->block + index] : NULL;
        supi_span span = span_of(body, block);
        world->kernels->move(&span, world->goals + body->cluster, pull_of(body, 0), body->kind,
                             from_of(job, body)->x + body->row, from_of(job, body)->v + body->row,
                             world->now.x + body->row, world->now.v + body->row, box, next, sums);
    } else {
        int32_t begin = index * SUPI_BLOCK_MEMBERS, end = begin + SUPI_BLOCK_MEMBERS;
        int32_t count = print->info.particle_count;
        end = end < count ? end : count;
        if (print->lattice)
            supi_lattice_move(world, from_of(job, body), body, begin, end, box);
        else
            answer_rows(job, body, begin, end, box);
    }
}

static void ask_block(const integration* job, const supi_body* body, int32_t index) {
    sup_world* world = job->world;
    const supi_block* block = body->blueprint->blocks + index;
    supi_span span = span_of(body, block);
    world->kernels->ask(&span, world->goals + body->cluster + block->cluster,
                        pull_of(body, block->cluster), body->kind,
                        from_of(job, body)->x + body->row, from_of(job, body)->v + body->row,
                        world->asked + body->ask);
}

void supi_integrate_pin(const sup_world* world, const supi_body* body, int32_t i, double share,
                        float place[3], float speed[3]) {
    const sup_point *to = body->pins + i, *from = body->pins + body->blueprint->pin_count + i;
    const double ends[3] = {to->x, to->y, to->z};
    const double way[3] = {to->x - from->x, to->y - from->y, to->z - from->z};
    for (int k = 0; k < 3; k++) {
        place[k] = (float)(ends[k] - (1.0 - share) * way[k] - body->anchor[k]);
        speed[k] = (float)(way[k] / world->dt);
    }
}

static void place_pin(const integration* job, const supi_body* body, int32_t i) {
    int32_t row = body->row + body->blueprint->pins[i];
    sup_row *x = job->world->now.x + row, *v = job->world->now.v + row;
    float place[3], speed[3];
    supi_integrate_pin(job->world, body, i, job->share, place, speed);
    *x = (sup_row){place[0], place[1], place[2], 0.0f * v->w};
    *v = (sup_row){speed[0], speed[1], speed[2], v->w};
}

/* The mean of a row's goals, relative to the anchor. */
static void mean_goal(const sup_world* world, const supi_body* body, int32_t row, float to[3]) {
    const sup_blueprint* print = body->blueprint;
    float share = print->single ? 1.0f : print->share[row];
    int32_t asks = print->single ? 1 : print->ask_starts[row + 1] - print->ask_starts[row];
    for (int k = 0; k < 3; k++) to[k] = 0.0f;
    for (int32_t a = 0; a < asks; a++) {
        int32_t m = print->single ? row : print->asks[print->ask_starts[row] + a];
        int32_t c = print->blocks[supi_members_block(print, m)].cluster;
        const supi_goal* goal = world->goals + body->cluster + c;
        int32_t lane = supi_lane_order(m);
        const supi_members* own = supi_body_members(body);
        float q[3] = {own->qx[lane], own->qy[lane], own->qz[lane]};
        float goal_at[3];
        supi_goal_at(goal, mode_of(body) == SUP_MATCH_QUADRATIC ? print->bends + c : NULL, q,
                     goal_at);
        for (int k = 0; k < 3; k++) to[k] += share * goal_at[k];
    }
}

/* Weightless particles go exactly where their clusters want them; pinned ones stay. `x` are the
 * rows before the move. */
static void place_special(const integration* job, const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    sup_world* world = job->world;
    for (int32_t i = 0; i < print->weightless_count && !print->loose; i++) {
        int32_t row = print->weightless[i];
        float to[3];
        if (print->lattice)
            supi_lattice_goal(world, body, row, to);
        else
            mean_goal(world, body, row, to);
        sup_row *x = world->now.x + body->row + row, *v = world->now.v + body->row + row;
        /* x = x_before + h v holds for every row here, so the place before the move is at hand. */
        float h = body->pull.h;
        float was[3] = {x->x - h * v->x, x->y - h * v->y, x->z - h * v->z};
        *x = (sup_row){to[0], to[1], to[2], x->w};
        *v = (sup_row){(to[0] - was[0]) / h, (to[1] - was[1]) / h, (to[2] - was[2]) / h, v->w};
    }
    for (int32_t i = 0; i < print->pin_count; i++) place_pin(job, body, i);
}

/* Padding rows move along in the kernels, but meet nobody: they go back to the centre, where they
 * widen no box. */
static void gather_padding(const sup_world* world, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    const sup_row* centre = world->now.centre + body->cluster;
    for (int32_t r = b->info.particle_count; r < b->row_count; r++) {
        world->now.x[body->row + r] = (sup_row){centre->x, centre->y, centre->z, 0.0f};
        world->now.v[body->row + r] = (sup_row){0.0f, 0.0f, 0.0f, 0.0f};
    }
}

/* Is it placed or held after its move? Then its box is found once more. */
static bool is_placed(const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    return print->weightless_count + print->pin_count > 0 || body->locked != 0 || print->oriented;
}

/* After its move: unites the boxes of the pieces and places what others do not move. */
static void open_body(const integration* job, supi_body* body) {
    sup_world* world = job->world;
    supi_extent box = world->boxes[body->piece];
    for (int32_t i = 1; i < body->piece_count; i++) {
        const supi_extent* piece = world->boxes + body->piece + i;
        for (int k = 0; k < 3; k++) {
            box.low[k] = piece->low[k] < box.low[k] ? piece->low[k] : box.low[k];
            box.high[k] = piece->high[k] > box.high[k] ? piece->high[k] : box.high[k];
        }
        box.sane = box.sane && piece->sane;
    }
    body->box = box;
    if (is_placed(body)) place_special(job, body);
}

void supi_integrate_bound_speed(const sup_world* world, supi_body* body) {
    if (world->collider_count == 0) return;
    supi_extent speeds;
    world->kernels->inspect(world->now.v + body->row, 0, body->blueprint->info.particle_count,
                            &speeds);
    float squared = 0.0f;
    for (int k = 0; k < 3; k++) {
        float low = -speeds.low[k], high = speeds.high[k], most = low > high ? low : high;
        squared += most * most;
    }
    body->fastest = sqrtf(squared);
}

/* After links, groups and parts. A body that is not sane goes back to the start of the step. */
static void close_body(const integration* job, supi_body* body) {
    sup_world* world = job->world;
    sup_row* x = world->now.x + body->row;
    int32_t count = body->blueprint->info.particle_count;
    if (is_placed(body)) {
        /* a pin that was broken is whole again after its placing */
        bool moved_well = supi_oriented_sane(world, body, &world->now) && body->box.sane;
        supi_lock_hold(world, body, x, world->now.v + body->row);
        world->kernels->inspect(x, 0, count, &body->box);
        body->box.sane = body->box.sane && moved_well;
    }
    if (!body->box.sane) {
        supi_contain_restore(world, body, &world->before, &world->now);
        world->kernels->inspect(x, 0, count, &body->box);
        body->restored = true;
    }
    gather_padding(world, body);
    supi_integrate_bound_speed(world, body);
    body->carried = carries(body) && !body->restored;
    body->calm = true; /* until something is found to have met it */
    body->boxed = true;
}

/* Bodies that have moved, alike if there are several: constraints, and the end. */
static void close_bodies(const integration* job, supi_body* const* bodies, int32_t count,
                         int32_t worker) {
    for (int32_t i = 0; i < count; i++) open_body(job, bodies[i]);
    if (count >= SUPI_HERD_LEAST) {
        supi_oriented_project_herd(job->world, bodies, count, worker, job->share);
    } else {
        for (int32_t i = 0; i < count; i++) {
            supi_oriented_project(job->world, bodies[i], worker, job->index, job->share);
        }
    }
    for (int32_t i = 0; i < count; i++) close_body(job, bodies[i]);
}

/* Asleep or paused: nothing to do but to know where it is. */
static bool leave_out(const integration* job, supi_body* body) {
    if (!supi_body_still(body)) return false;
    body->calm = true;
    if (!body->boxed) {
        job->world->kernels->inspect(job->world->now.x + body->row, 0,
                                     body->blueprint->info.particle_count, &body->box);
        body->boxed = true;
    }
    return true;
}

/* A place that is not finite shows in the sums, and so does a bad cluster. */
static bool sums_sane(const integration* job, const supi_body* body) {
    float check[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (body->blueprint->lattice) { /* has no sums by block, and its rows are read as fast */
        supi_extent box;
        job->world->kernels->inspect(from_of(job, body)->x + body->row, 0,
                                     body->blueprint->info.particle_count, &box);
        return box.sane && supi_contain_sane(job->world, body, from_of(job, body));
    }
    for (int32_t i = 0; i < body->blueprint->block_count; i++) {
        const float* sums = job->world->sums[body->block + i];
        for (int k = 0; k < SUPI_SUM_MOMENTUM; k++) check[k & 3] += 0.0f * sums[k];
    }
    return check[0] + check[1] + check[2] + check[3] == 0.0f &&
           supi_contain_sane(job->world, body, from_of(job, body));
}

/* What came in broken is replaced by the state before it, as long as that is at hand: until the
 * first move of the step. */
static bool mend_body(const integration* job, supi_body* body) {
    if (!job->first || supi_springs_kick(body) || sums_sane(job, body)) return false;
    supi_contain_restore(job->world, body, &job->world->now, &job->world->before);
    body->restored = true;
    return true;
}

static void sum_body(const integration* job, supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    for (int32_t i = 0; i < print->block_count; i++) sum_block(job, body, i);
    if (!print->lattice) return;
    for (int32_t i = 0; i < supi_lattice_planes(print); i++) {
        supi_lattice_sum_plane(job->world, from_of(job, body), body, i);
    }
    for (int32_t i = 0; i < supi_lattice_slabs(print); i++) {
        supi_lattice_sum_slab(job->world, from_of(job, body), body, i);
    }
}

static void ask_body(const integration* job, supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    if (print->single) return;
    for (int32_t i = 0; i < print->block_count; i++) ask_block(job, body, i);
    if (!print->lattice) return;
    for (int32_t i = 0; i < supi_lattice_slabs(print); i++) {
        supi_lattice_ask_slab(job->world, from_of(job, body), body, i);
    }
    for (int32_t i = 0; i < supi_lattice_planes(print); i++) {
        supi_lattice_ask_plane(job->world, from_of(job, body), body, i);
    }
}

void supi_integrate_find_boxes(const sup_world* world, const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    int32_t count = print->info.particle_count;
    for (int32_t i = 0; i < body->piece_count; i++) {
        const supi_block* block = print->blocks + i;
        world->kernels->inspect(world->now.x + body->row, block->begin,
                                block->end < count ? block->end : count,
                                world->boxes + body->piece + i);
    }
}

/* Springs beside clusters push first. */
static void kick_body(const integration* job, supi_body* body, supi_tasks* tasks) {
    if (!supi_springs_kick(body)) return;
    const supi_springs_way way = {job->world, job->from, job->first,
                                  job->share, tasks,     body->pull.h};
    supi_springs_push(&way, body);
}

/* Springs alone move the body by an integrator of their own. */
static bool move_by_springs(const integration* job, supi_body* body, supi_tasks* tasks) {
    if (!body->blueprint->loose || !body->elastic) return false;
    const supi_springs_way way = {job->world, job->from, job->first,
                                  job->share, tasks,     body->pull.h};
    supi_springs_move(&way, body);
    return true;
}

static void yield_body(const integration* job, supi_body* body, supi_tasks* tasks) {
    const supi_springs_way way = {job->world, job->from, job->first,
                                  job->share, tasks,     body->pull.h};
    supi_springs_yield(&way, body);
}

static void move_body(const integration* job, supi_body* body) {
    bool moved = supi_oriented_move(job->world, job->from, body, job->share) ||
                 supi_blobs_move(job->world, job->from, job->share, NULL, body);
    if (!moved && !move_by_springs(job, body, NULL)) {
        ask_body(job, body);
        for (int32_t piece = 0; piece < body->piece_count; piece++) move_piece(job, body, piece);
    }
    yield_body(job, body, NULL);
}

/* A batch holds one kind and mode, which need different sums, and plastic bodies or others. */
static bool go_together(const supi_body* a, const supi_body* b) {
    return a->kind == b->kind && mode_of(a) == mode_of(b) && !a->plastic == !b->plastic;
}

/* Rows of small bodies are waited for longer than it takes to move them. */
static void send_for(const integration* job, int32_t index) {
    if (index >= job->world->body_count) return;
    const supi_body* body = job->world->bodies + index;
    size_t rows = (size_t)body->blueprint->row_count * sizeof(sup_row);
    if (!body->oriented || rows > SENT_FOR) return;
    supi_memory_send_for(job->from->x + body->row, rows);
    supi_memory_send_for(job->from->v + body->row, rows);
    supi_memory_send_for(job->from->turn + body->turn, rows);
    supi_memory_send_for(job->from->spin + body->turn, rows);
}

/* Where a body is as a whole moves no row of it if links and parts alone do. Then it is found at
   both ends of a step only: at the first to see whether what came in is whole. */
static bool is_followed(const integration* job, const supi_body* body) {
    return job->first || job->share >= 1.0 || body->plastic || !supi_oriented_alone(body);
}

static void integrate_group(void* context, int32_t index, int32_t worker) {
    const integration* job = context;
    sup_world* world = job->world;
    const supi_work* work = world->works + index;
    if (work->large) return;
    batch b;
    b.count = 0;
    for (int32_t i = work->first; i < work->first + work->count; i++) {
        supi_body* body = world->bodies + i;
        send_for(job, i + 1);
        if (leave_out(job, body)) continue;
        kick_body(job, body, NULL);
        if (!is_followed(job, body)) continue;
        if (!body->carried) sum_body(job, body);
        if (mend_body(job, body)) sum_body(job, body);
        if (b.count && !go_together(b.bodies[0], body)) batch_flush(job, &b);
        for (int32_t c = 0, block = 0; c < body->blueprint->cluster_count; c++) {
            batch_add(job, &b, body, c, &block);
            if (b.count == 8) batch_flush(job, &b);
        }
    }
    batch_flush(job, &b);
    supi_body* herd[SUPI_HERD];
    int32_t gathered = 0;
    for (int32_t i = work->first; i < work->first + work->count; i++) {
        supi_body* body = world->bodies + i;
        if (leave_out(job, body)) continue;
        if (gathered == SUPI_HERD || (gathered && !supi_oriented_flock(herd[0], body))) {
            close_bodies(job, herd, gathered, worker);
            gathered = 0;
        }
        move_body(job, body);
        herd[gathered++] = body;
    }
    close_bodies(job, herd, gathered, worker);
}

/* ---- A large body, shared by all workers ---- */

static void sum_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    sum_block(job, job->body, index);
}

static void match_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    const sup_blueprint* print = job->body->blueprint;
    batch b;
    b.count = 0;
    int32_t begin = 8 * index, block = supi_members_block(print, print->clusters[begin].begin);
    int32_t end = begin + 8 < print->cluster_count ? begin + 8 : print->cluster_count;
    for (int32_t c = begin; c < end; c++) batch_add(job, &b, job->body, c, &block);
    batch_flush(job, &b);
}

static void ask_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    ask_block(job, job->body, index);
}

static void move_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    int32_t last = job->body->piece_count - 1;
    move_piece(job, job->body, job->backward ? last - index : index);
}

/* Tasks of lattices, in the order in which they run: planes, slabs; slabs, planes. */
static void sum_plane_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    supi_lattice_sum_plane(job->world, from_of(job, job->body), job->body, index);
}

static void sum_slab_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    supi_lattice_sum_slab(job->world, from_of(job, job->body), job->body, index);
}

static void ask_slab_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    supi_lattice_ask_slab(job->world, from_of(job, job->body), job->body, index);
}

static void ask_plane_task(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const integration* job = context;
    supi_lattice_ask_plane(job->world, from_of(job, job->body), job->body, index);
}

static void sum_large(integration* job) {
    supi_tasks* tasks = job->world->tasks;
    const sup_blueprint* print = job->body->blueprint;
    supi_tasks_run(tasks, print->block_count, sum_task, job);
    if (!print->lattice) return;
    supi_tasks_run(tasks, supi_lattice_planes(print), sum_plane_task, job);
    supi_tasks_run(tasks, supi_lattice_slabs(print), sum_slab_task, job);
}

static void ask_large(integration* job) {
    supi_tasks* tasks = job->world->tasks;
    const sup_blueprint* print = job->body->blueprint;
    if (print->single) return;
    supi_tasks_run(tasks, print->block_count, ask_task, job);
    if (!print->lattice) return;
    supi_tasks_run(tasks, supi_lattice_slabs(print), ask_slab_task, job);
    supi_tasks_run(tasks, supi_lattice_planes(print), ask_plane_task, job);
}

static void integrate_large(integration* job, supi_body* body) {
    supi_tasks* tasks = job->world->tasks;
    job->body = body;
    kick_body(job, body, tasks);
    if (is_followed(job, body)) {
        if (!body->carried) sum_large(job);
        if (mend_body(job, body)) sum_large(job);
        supi_tasks_run(tasks, (body->blueprint->cluster_count + 7) / 8, match_task, job);
    }
    bool moved = supi_oriented_move(job->world, job->from, body, job->share) ||
                 supi_blobs_move(job->world, job->from, job->share, tasks, body);
    if (!moved && !move_by_springs(job, body, tasks)) {
        ask_large(job);
        supi_tasks_run(tasks, body->piece_count, move_task, job);
    }
    yield_body(job, body, tasks);
    close_bodies(job, &body, 1, 0);
}

void supi_integrate(sup_world* world, const supi_state* from, int32_t index, double share) {
    /* To and fro: a substep begins with what the last one has left in the cache. */
    bool first = index == 0, backward = index % 2 != 0;
    integration job = {world, from, first, backward, share, index, NULL};
    supi_tasks_run(world->tasks, world->work_count, integrate_group, &job);
    for (int32_t i = 0; i < world->work_count; i++) {
        supi_body* body = world->bodies + world->works[i].first;
        if (world->works[i].large && !leave_out(&job, body)) integrate_large(&job, body);
    }
}
