#include "solve/step_control.h"

#include "base/hash.h"
#include "solve/cluster.h"
#include "solve/implicit.h"
#include "solve/pieces.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    TICKS = 1 << SUPI_STEP_LEVELS, /* of a span: the shortest step is one */
    GOOD_STEPS = 8,                /* before a longer one is tried */
    POWER_ITERATIONS = 20
};

/* Steps stay this far below the limit, and the frequency this far above what was found. */
static const double margin_step = 0.9, margin_power = 1.1;
/* Within a step nothing goes further than this share of the shortest spring, and no spring grows
 * by more than this share of its length. */
static const double share_most = 0.5;
/* A step with less error than this share of what it may have might have been longer. */
static const double error_small = 0.25;

static const sup_row nothing = {0, 0, 0, 0};

static sup_row minus(sup_row a, sup_row b) {
    return (sup_row){a.x - b.x, a.y - b.y, a.z - b.z, 0.0f};
}

static float dot(sup_row a, sup_row b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static float larger(float a, float b) { return a > b ? a : b; }

/* ---- Springs: frequencies ---- */

typedef struct survey_job {
    const supi_spring_net* net;
    const sup_row* x;
    const sup_row* mode;
    sup_row* product; /* by row: -K mode / mass */
    supi_step_part* parts;
} survey_job;

/* Largest value over parts: where it stands. */
enum { BOUND, DELAY, DASHPOTS, MINUS_LENGTH };

/* What the sides of a row add up to. */
typedef struct row_sums {
    sup_row product; /* of the stiffness alone */
    float stiffness, dashpots;
} row_sums;

/* The tangent of a spring without the part that pushes sideways when it is compressed, times the
   difference of the mode at its ends. A slack spring counts as if it pulled: it may in a moment. */
static void add_side(const survey_job* job, int32_t row, int32_t column, row_sums* sums,
                     float most[4]) {
    const supi_spring_net* net = job->net;
    int32_t at = 8 * column + (row & 7), lane = 8 * column + supi_lane_order(row & 7);
    if (net->spring[at] < 0) return;
    int32_t other = net->other[at];
    float length = fabsf(net->length[lane]), k = net->stiffness[lane], c = net->damping[lane];
    float tiny = SUPI_SPRING_TINY * larger(length, net->mean_length);
    sup_row d = minus(job->x[other], job->x[row]), y = minus(job->mode[row], job->mode[other]);
    float l = larger(sqrtf(dot(d, d)), tiny), inverse = l > 0.0f ? 1.0f / l : 0.0f;
    if (length > 0.0f) most[MINUS_LENGTH] = larger(-length, most[MINUS_LENGTH]);
    if (k == 0.0f) {
        sums->dashpots += 2.0f * c;
        return;
    }
    if (c > k * most[DELAY]) most[DELAY] = c / k;
    float slope = 1.0f - length * inverse;
    sums->stiffness += 2.0f * k * larger(1.0f, fabsf(slope));
    float across = k * larger(0.0f, slope);
    float along = (k - across) * inverse * (dot(d, y) * inverse);
    sums->product.x += along * d.x + across * y.x;
    sums->product.y += along * d.y + across * y.y;
    sums->product.z += along * d.z + across * y.z;
}

static void survey_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const survey_job* job = context;
    supi_step_part* part = job->parts + piece;
    *part = (supi_step_part){.most = {[MINUS_LENGTH] = -INFINITY}};
    int32_t end = supi_piece_end(piece, job->net->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        row_sums sums = {nothing, 0, 0};
        const int32_t* columns = job->net->columns + i / 8;
        for (int32_t c = columns[0]; c < columns[1]; c++) add_side(job, i, c, &sums, part->most);
        float w = job->x[i].w;
        sup_row p = {w * sums.product.x, w * sums.product.y, w * sums.product.z, 0.0f};
        job->product[i] = p;
        part->most[BOUND] = larger(w * sums.stiffness, part->most[BOUND]);
        part->most[DASHPOTS] = larger(w * sums.dashpots, part->most[DASHPOTS]);
        part->square += (double)p.x * (double)p.x + (double)p.y * (double)p.y;
        part->square += (double)p.z * (double)p.z;
    }
}

/* Sums of rows alone: any mode will do. */
double supi_step_bound(const supi_spring_net* net, const sup_row* x) {
    const survey_job job = {.net = net, .x = x, .mode = x};
    float bound = 0.0f, most[4] = {0};
    for (int32_t i = 0; i < net->row_count; i++) {
        row_sums sums = {nothing, 0, 0};
        const int32_t* columns = net->columns + i / 8;
        for (int32_t c = columns[0]; c < columns[1]; c++) add_side(&job, i, c, &sums, most);
        if (x[i].w < SUPI_TIED) bound = larger(x[i].w * sums.stiffness, bound);
    }
    return sqrt((double)bound);
}

/* All parts as one: sums in order. */
static supi_step_part gather(const supi_step_part* parts, int32_t row_count) {
    supi_step_part all = parts[0];
    for (int32_t i = 1; i < supi_piece_count(row_count); i++) {
        all.square += parts[i].square;
        for (int k = 0; k < 4; k++) all.most[k] = larger(parts[i].most[k], all.most[k]);
    }
    return all;
}

/* mode = product scaled to length 1. */
static void scale_mode(int32_t row_count, const sup_row* product, double length, sup_row* mode) {
    float scale = (float)(1.0 / length);
    for (int32_t i = 0; i < row_count; i++) {
        const sup_row* p = product + i;
        mode[i] = (sup_row){scale * p->x, scale * p->y, scale * p->z, 0.0f};
    }
}

supi_step_survey supi_step_look(supi_tasks* tasks, const supi_spring_net* net, const sup_row* x,
                                sup_row* mode, sup_row* scratch, supi_step_part* parts) {
    survey_job job = {net, x, mode, scratch, parts};
    supi_pieces_run(tasks, net->row_count, survey_piece, &job);
    supi_step_part all = gather(parts, net->row_count);
    double length = sqrt(all.square);
    bool moves = length > 0.0 && length < (double)FLT_MAX;
    if (moves) scale_mode(net->row_count, scratch, length, mode);
    return (supi_step_survey){
        .gershgorin = sqrt((double)all.most[BOUND]),
        .power = moves ? sqrt(length) : sqrt((double)all.most[BOUND]),
        .delay = (double)all.most[DELAY],
        .dashpots = (double)all.most[DASHPOTS],
        .shortest = -(double)all.most[MINUS_LENGTH],
    };
}

/* -1 .. 1, by a hash. */
static float hashed(int32_t row, uint32_t axis) {
    uint64_t hash = supi_hash_word(supi_hash_begin(), (uint64_t)row << 2 | axis);
    hash = supi_hash_word(hash, 0);
    return (float)(int32_t)(hash >> 40) * 0x1p-23f - 1.0f;
}

supi_step_survey supi_step_begin(supi_tasks* tasks, const supi_spring_net* net, const sup_row* x,
                                 sup_row* mode, sup_row* scratch, supi_step_part* parts) {
    double square = 0.0;
    for (int32_t i = 0; i < net->row_count; i++) {
        bool free = x[i].w > 0.0f;
        mode[i] = free ? (sup_row){hashed(i, 0), hashed(i, 1), hashed(i, 2), 0.0f} : nothing;
        square += (double)dot(mode[i], mode[i]);
    }
    if (square > 0.0) scale_mode(net->row_count, mode, sqrt(square), mode);
    supi_step_survey survey = {0};
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        survey = supi_step_look(tasks, net, x, mode, scratch, parts);
    }
    return survey;
}

void supi_step_limit(const supi_step_survey* s, sup_integrator integrator, supi_step_others others,
                     supi_step_report* report) {
    double limit = integrator == SUP_INTEGRATOR_RK4 ? 2.8 : 2.0;
    double springs = margin_power * s->power;
    springs = s->gershgorin < springs ? s->gershgorin : springs;
    double w = sqrt(springs * springs + others.stiffness);
    /* Damping ratio times frequency. */
    double damped = 0.5 * (s->delay * springs * springs + s->dashpots + others.damping);
    report->frequency = w;
    report->stable = margin_step * limit / (sqrt(w * w + damped * damped) + damped);
}

/* ---- One step and its judgement ---- */

typedef struct controller {
    const supi_motion* motion;
    const supi_step_rules* rules;
    supi_moving rows;  /* by two steps of half the length */
    supi_moving start; /* the same before the step */
    supi_moving whole; /* by one step */
    sup_row* forces;   /* at the start */
    double shortest;   /* m */
} controller;

enum { SPEED, ERROR, WAY, NOT_FINITE };

static void judge_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const controller* c = context;
    supi_step_part part = {0};
    int32_t end = supi_piece_end(piece, c->motion->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        sup_row x = c->rows.x[i], v = c->rows.v[i];
        sup_row error = minus(c->whole.x[i], x), way = minus(x, c->start.x[i]);
        float speed2 = dot(v, v), error2 = dot(error, error), way2 = dot(way, way);
        part.most[SPEED] = larger(speed2, part.most[SPEED]);
        part.most[ERROR] = larger(error2, part.most[ERROR]);
        part.most[WAY] = larger(way2, part.most[WAY]);
        if (!(speed2 + error2 + way2 <= FLT_MAX)) part.most[NOT_FINITE] = 1.0f;
    }
    c->rules->parts[piece] = part;
}

/* Is a spring of these rows much longer than before the step? */
static void stretch_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const controller* c = context;
    const supi_spring_net* net = c->rules->net;
    supi_step_part part = {0};
    int32_t end = supi_piece_end(piece, net->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        for (int32_t column = net->columns[i / 8]; column < net->columns[i / 8 + 1]; column++) {
            int32_t other = net->other[8 * column + (i & 7)];
            float length = fabsf(net->length[8 * column + supi_lane_order(i & 7)]);
            sup_row after = minus(c->rows.x[other], c->rows.x[i]);
            sup_row before = minus(c->start.x[other], c->start.x[i]);
            float growth = sqrtf(dot(after, after)) - sqrtf(dot(before, before));
            if (length > 0.0f && growth > (float)share_most * length) part.most[0] = 1.0f;
        }
    }
    c->rules->parts[piece] = part;
}

static supi_step_part ask(const controller* c, supi_task* task) {
    int32_t row_count = c->motion->row_count;
    supi_pieces_run(c->motion->tasks, row_count, task, (void*)(uintptr_t)c);
    return gather(c->rules->parts, row_count);
}

/* May the step of h count? *error becomes its share of the error that it may have. */
static bool acceptable(const controller* c, double h, double* error) {
    supi_step_part part = ask(c, judge_piece);
    double step_most = share_most * c->shortest;
    *error = sqrt((double)part.most[ERROR]) / c->rules->error;
    if (part.most[NOT_FINITE] > 0.0f || !(*error <= 1.0)) return false;
    if (sqrt((double)part.most[SPEED]) * h > step_most) return false;
    /* If nobody went far enough, no spring can have grown too much. */
    if (2.0 * sqrt((double)part.most[WAY]) <= step_most) return true;
    return !(ask(c, stretch_piece).most[0] > 0.0f);
}

static void copy(const controller* c, const supi_moving* from, supi_moving* to) {
    size_t size = (size_t)c->motion->row_count * sizeof(sup_row);
    memcpy(to->x, from->x, size);
    memcpy(to->v, from->v, size);
    to->last = from->last;
}

/* The step of h at the time t, once whole and once in halves. */
static void try(controller* c, double t, double h) {
    const supi_motion* m = c->motion;
    copy(c, &c->start, &c->whole);
    supi_explicit_step(m, t, h, c->forces, &c->whole);
    supi_explicit_step(m, t, 0.5 * h, c->forces, &c->rows);
    supi_explicit_step(m, t + 0.5 * h, 0.5 * h, NULL, &c->rows);
}

/* Lets a step count that is bad and cannot be shorter: with velocities that are finite and cut, and
   places that follow from them. */
static void force(controller* c, double t, double h) {
    const supi_motion* m = c->motion;
    float most = (float)(share_most * c->shortest / h);
    for (int32_t i = 0; i < m->row_count; i++) {
        sup_row v = c->rows.v[i], x = c->start.x[i];
        if (!(dot(v, v) <= FLT_MAX)) v = c->start.v[i];
        float speed = sqrtf(dot(v, v));
        float scale = speed > most ? most / speed : 1.0f, way = (float)h * scale;
        c->rows.v[i] = (sup_row){scale * v.x, scale * v.y, scale * v.z, v.w};
        c->rows.x[i] = (sup_row){x.x + way * v.x, x.y + way * v.y, x.z + way * v.z, x.w};
    }
    c->rows.last = h;
    supi_explicit_pin(m, t + h, c->rows.x, c->rows.v);
    if (m->after) m->after(m->context, h, c->rows.x, c->rows.v);
}

/* ---- The span ---- */

static int32_t lowest_level(double span, double stable) {
    int32_t level = 0;
    while (level < SUPI_STEP_LEVELS && ldexp(span, -level) > stable) level++;
    return level;
}

/* Ticks of the next step: what little would be left over goes with it. */
static int32_t next_ticks(int32_t level, int32_t remaining) {
    int32_t ticks = TICKS >> level;
    return 100 * (remaining - ticks) < ticks ? remaining : ticks;
}

static void after_good_step(supi_step_state* state, double error, int32_t lowest) {
    state->good = error < error_small ? state->good + 1 : 0;
    if (state->good < GOOD_STEPS) return;
    state->good = GOOD_STEPS;
    if (state->level > lowest) {
        state->level--;
        state->good = 0;
    }
}

/* One step that counts, from tick `done` on; returns its ticks. */
static int32_t advance(controller* c, supi_step_state* state, int32_t lowest, int32_t done,
                       supi_step_report* report) {
    const supi_motion* m = c->motion;
    double error, t = m->span * ldexp(done, -SUPI_STEP_LEVELS);
    copy(c, &c->rows, &c->start);
    m->forces(m->context, c->rows.x, c->rows.v, c->forces);
    for (;;) {
        int32_t ticks = next_ticks(state->level, TICKS - done);
        double h = m->span * ldexp(ticks, -SUPI_STEP_LEVELS);
        try(c, t, h);
        bool good = acceptable(c, h, &error);
        if (good) {
            after_good_step(state, error, lowest);
        } else if (ticks > 1) {
            report->rejected++;
            state->good = 0;
            while (TICKS >> state->level > ticks / 2) state->level++;
            copy(c, &c->start, &c->rows);
            continue;
        } else {
            report->forced++;
            state->good = 0;
            force(c, t, h);
        }
        report->steps++;
        if (m->taken) m->taken(m->context, h, m->scratch);
        return ticks;
    }
}

supi_step_report supi_step_span(const supi_motion* m, const supi_step_rules* rules,
                                supi_step_state* state, sup_row* mode, sup_row* x, sup_row* v) {
    sup_row* arrays[SUPI_STEP_SCRATCH];
    for (int k = 0; k < SUPI_STEP_SCRATCH; k++) {
        arrays[k] = rules->scratch + (size_t)k * (size_t)m->row_count;
    }
    supi_explicit_pin(m, 0.0, x, v);
    supi_step_report report = {0};
    supi_step_survey survey =
        supi_step_look(m->tasks, rules->net, x, mode, arrays[0], rules->parts);
    supi_step_limit(&survey, m->integrator, rules->others, &report);
    int32_t lowest = lowest_level(m->span, report.stable);
    if (state->level < lowest) {
        state->level = lowest;
        state->good = 0;
    }
    controller c = {
        .motion = m,
        .rules = rules,
        .rows = {x, v, state->last},
        .start = {arrays[0], arrays[1], 0.0},
        .whole = {arrays[2], arrays[3], 0.0},
        .forces = arrays[4],
        .shortest = survey.shortest,
    };
    for (int32_t done = 0; done < TICKS;) done += advance(&c, state, lowest, done, &report);
    state->last = c.rows.last;
    return report;
}
