/* The implicit substep: linearises, solves by conjugate gradients, and corrects by Newton's method
   where that is wanted. Every pass goes over pieces of the body that workers share; sums of pieces
   are added in their order. */
#include "solve/implicit.h"

#include "solve/axes.h"
#include "solve/whole.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PIECE = SUPI_IMPLICIT_PIECE,
    FRESH_EVERY = 32 /* iterations after which the residual is computed anew */
};

/* No spring grows by more of its length, or of the mean one if that is more, in a substep. */
#define GROWTH_MOST 0.5
/* Newton's method has converged when the residual is below this share of the forces. */
#define NEWTON_TOLERANCE 1e-4
/* Its steps are halved while they do not help, down to this share. */
#define SHARE_LEAST 0.0625f
/* A watched substep makes no more than this share of the energy, before and after, and rounding. */
#define GAIN_MOST 1e-3

/* ---- Passes over the pieces ---- */

/* A substep under way, and the arguments of the pass that runs. */
typedef struct solver {
    const supi_implicit* step;
    const supi_spring_kernels* kernels;
    supi_implicit_scratch s;
    sup_row *x, *v; /* at the beginning of the substep */
    sup_row* dv;    /* what is solved for */
    supi_implicit_report report;
    double (*pass)(struct solver*, int32_t begin, int32_t end);
    const sup_row *at, *speed; /* where springs are linearised, or have their energy */
    const sup_row* p;          /* what A is applied to, into g */
    float lead, a, b;
    bool taut;
} solver;

typedef double pass_of_slices(solver* s, int32_t begin, int32_t end);

static void run_piece(void* context, int32_t index, int32_t worker) {
    (void)worker;
    solver* s = context;
    int32_t slices = s->step->net->row_count / 8, begin = index * PIECE;
    int32_t end = slices - begin < PIECE ? slices : begin + PIECE;
    s->s.parts[index] = s->pass(s, begin, end);
}

/* The sum of what the pass returns for all pieces. */
static double run(solver* s, pass_of_slices* pass) {
    int32_t pieces = supi_implicit_pieces(s->step->net);
    double sum = 0.0;
    s->pass = pass;
    if (s->step->tasks && pieces > 1) {
        supi_tasks_run(s->step->tasks, pieces, run_piece, s);
    } else {
        for (int32_t i = 0; i < pieces; i++) run_piece(s, i, 0);
    }
    for (int32_t i = 0; i < pieces; i++) sum += s->s.parts[i];
    return sum;
}

static void copy_rows(sup_row* to, const sup_row* from, int32_t begin, int32_t end) {
    memcpy(to + 8 * begin, from + 8 * begin, 8 * (size_t)(end - begin) * sizeof *to);
}

/* ---- Axes that are locked ---- */

/* Blocks without the axes. */
static void lock_blocks(int32_t axes, supi_spring_rows8* rows, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++) {
        for (int k = 0; k < 3; k++) {
            const int touched[3] = {k, 3 + (k + 1) % 3, 3 + (k + 2) % 3};
            for (int j = 0; (axes & 1 << k) && j < 3; j++) {
                memset(rows[i].block[touched[j]], 0, sizeof rows[i].block[0]);
            }
        }
    }
}

/* What is left of rows and blocks without the axes. As nothing of a direction lies along them from
   then on, no rounding can let it through. */
static double lock(solver* s, int32_t begin, int32_t end) {
    int32_t axes = s->step->locked;
    for (int32_t i = 8 * begin; i < 8 * end; i++) supi_axes_strip(axes, s->s.b + i);
    lock_blocks(axes, s->s.rows, begin, end);
    return 0.0;
}

static double linearise(solver* s, int32_t begin, int32_t end) {
    const supi_implicit* step = s->step;
    const supi_spring_step at = {step->h, step->drag, s->lead, s->taut};
    copy_rows(s->s.b, step->force, begin, end);
    s->kernels->linearise(step->net, begin, end, &at, s->at, s->speed, s->s.b, s->s.tangents,
                          s->s.rows);
    if (step->term_count == 0) s->kernels->invert(s->s.rows, begin, end);
    return 0.0;
}

static double invert(solver* s, int32_t begin, int32_t end) {
    s->kernels->invert(s->s.rows, begin, end);
    return 0.0;
}

/* The first level, once all rows have their residuals: as many groups as slices. */
static double descend_groups(solver* s, int32_t begin, int32_t end) {
    return supi_levels_begin(s->kernels, &s->s.levels, s->s.r, begin / 8, (end + 7) / 8);
}

/* r -= a g, and what preconditioned it is but for levels; returns the product of the two. */
static double descend_along(solver* s, int32_t begin, int32_t end, float a, const sup_row* g) {
    bool hold = s->s.levels.count > 0;
    return s->kernels->descend(s->s.rows, begin, end, a, g, s->s.r, s->s.steps, hold, NULL);
}

static double descend(solver* s, int32_t begin, int32_t end) {
    return descend_along(s, begin, end, s->a, s->s.g);
}

/* From r = b - a g. */
static double residual(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.r, s->s.b, begin, end);
    return descend(s, begin, end);
}

/* Of r as it is. */
static double stay(solver* s, int32_t begin, int32_t end) {
    return descend_along(s, begin, end, 0.0f, s->s.b);
}

/* From r for dv = 0. */
static double residual_at_rest(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.r, s->s.b, begin, end);
    return stay(s, begin, end);
}

static double apply(solver* s, int32_t begin, int32_t end) {
    return s->kernels->apply(s->step->net, begin, end, s->s.tangents, s->s.rows, s->p, s->s.g);
}

static double turn(solver* s, int32_t begin, int32_t end) {
    const supi_levels* levels = &s->s.levels;
    s->kernels->turn(s->s.rows, begin, end, s->a, s->b, s->s.steps, levels->groups.of,
                     levels->count > 0 ? levels->steps : NULL, s->s.p, s->dv);
    return 0.0;
}

static double forget_direction(solver* s, int32_t begin, int32_t end) {
    memset(s->s.p + 8 * begin, 0, 8 * (size_t)(end - begin) * sizeof *s->s.p);
    return 0.0;
}

static void add_scaled(sup_row* to, float scale, const sup_row* a) {
    to->x += scale * a->x;
    to->y += scale * a->y;
    to->z += scale * a->z;
}

static double advance(solver* s, int32_t begin, int32_t end) {
    for (int32_t i = 8 * begin; i < 8 * end; i++) add_scaled(s->dv + i, s->a, s->s.p + i);
    return 0.0;
}

/* What is pinned does not change its velocity. Tells whether anything does. */
static double pin_start(solver* s, int32_t begin, int32_t end) {
    double any = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        sup_row* dv = s->dv + i;
        if (!(s->x[i].w > 0.0f)) *dv = (sup_row){0};
        supi_axes_strip(s->step->locked, dv);
        if (dv->x != 0.0f || dv->y != 0.0f || dv->z != 0.0f) any = 1.0;
    }
    return any;
}

static double clear_start(solver* s, int32_t begin, int32_t end) {
    memset(s->dv + 8 * begin, 0, 8 * (size_t)(end - begin) * sizeof *s->dv);
    return 0.0;
}

/* ---- Rows that slide ---- */

static float row_along(const sup_row* a, const float n[3]) {
    return a->x * n[0] + a->y * n[1] + a->z * n[2];
}

static void row_remove_along(sup_row* a, const float n[3]) {
    add_scaled(a, -row_along(a, n), &(sup_row){n[0], n[1], n[2], 0.0f});
}

/* What is done to a row that slides. */
typedef void slide_row(solver* s, int32_t row, const float n[3], float speed);

static void slide_velocity(solver* s, int32_t row, const float n[3], float speed) {
    sup_row* v = s->s.v + row;
    row_remove_along(v, n);
    add_scaled(v, speed, &(sup_row){n[0], n[1], n[2], 0.0f});
}

static void slide_start(solver* s, int32_t row, const float n[3], float speed) {
    (void)speed;
    row_remove_along(s->dv + row, n);
}

/* Groups do not know of slides. */
static void slide_direction(solver* s, int32_t row, const float n[3], float speed) {
    (void)speed;
    row_remove_along(s->s.p + row, n);
}

/* What holds the row is no residual: else rounding would let it through the preconditioner. */
static void slide_product(solver* s, int32_t row, const float n[3], float speed) {
    (void)speed;
    row_remove_along(s->s.g + row, n);
}

static void slide_force(solver* s, int32_t row, const float n[3], float speed) {
    (void)speed;
    row_remove_along(s->s.b + row, n);
}

static void slide_system(solver* s, int32_t row, const float n[3], float speed) {
    slide_force(s, row, n, speed);
    supi_slide_block_remove(s->s.rows[row / 8].block, supi_lane_order(row & 7), n);
}

/* The first slide of the next row. */
static int32_t next_row(const supi_implicit* step, int32_t i) {
    int32_t row = step->slides[i].row;
    while (i < step->slide_count && step->slides[i].row == row) i++;
    return i;
}

static void for_slides(solver* s, slide_row* act) {
    const supi_slide* slides = s->step->slides;
    for (int32_t i = 0, next; i < s->step->slide_count; i = next) {
        float normals[3][3], speeds[3];
        next = next_row(s->step, i);
        if (!(s->x[slides[i].row].w > 0.0f)) continue;
        int count = supi_slides_orthogonal(slides + i, next - i, normals, speeds);
        for (int k = 0; k < count; k++) act(s, slides[i].row, normals[k], speeds[k]);
    }
}

/* Keeps in z what rows that slide lose: b, for the velocities that they had before planes gave them
   theirs, and the part of the preconditioner along the normal. */
static void keep_slides(solver* s) {
    for (int32_t i = 0; i < s->step->slide_count; i++) {
        const supi_slide* slide = s->step->slides + i;
        int32_t row = slide->row;
        if (!(s->x[row].w > 0.0f)) continue;
        sup_row* kept = s->s.z + row;
        float mass = 1.0f / s->x[row].w;
        *kept = s->s.b[row];
        add_scaled(kept, -mass, s->s.v + row);
        add_scaled(kept, mass, s->v + row);
        kept->w = supi_slide_block_along(s->s.rows[row / 8].block, supi_lane_order(row & 7),
                                         slide->normal);
    }
}

/* Gives back to rows what they have lost to planes that they leave. */
static void let_go(solver* s) {
    for (int32_t i = 0; i < s->step->slide_count; i++) {
        const supi_slide* slide = s->step->slides + i;
        if (!slide->left) continue;
        int32_t row = slide->row;
        sup_row *b = s->s.b + row, *kept = s->s.z + row;
        *b = (sup_row){kept->x, kept->y, kept->z, b->w};
        supi_slide_block_add(s->s.rows[row / 8].block, supi_lane_order(row & 7), kept->w,
                             slide->normal);
    }
    for_slides(s, slide_system);
}

/* ---- Rows that are tied ---- */

/* With ties C, which take what moves by itself to all rows, the system is C^T A C dv = C^T b. The
   tied have no part in residuals; directions and dv are spread to them before A is applied. */
static void tie_system(solver* s) {
    const supi_implicit* step = s->step;
    supi_ties_collect(step->ties, step->tie_count, s->s.b);
    for (int32_t i = 0; i < step->tie_count; i++) {
        int32_t row = step->ties[i].row, lane = supi_lane_order(row & 7);
        supi_spring_rows8* rows = s->s.rows + row / 8;
        rows->mass[lane] = 0.0f;
        for (int k = 0; k < 6; k++) rows->block[k][lane] = 0.0f;
    }
}

/* ---- Conjugate gradients ---- */

/* y += scale (terms) p; returns p . (terms) p. */
static double apply_terms(const solver* s, float scale, const sup_row* p, sup_row* y) {
    double sum = 0.0;
    for (int32_t i = 0; i < s->step->term_count; i++) {
        const supi_implicit_terms* terms = s->step->terms + i;
        sum += terms->apply(terms->context, scale, p, y);
    }
    return sum;
}

/* g = A p, and p . g */
static double whole_product(solver* s, sup_row* p) {
    supi_ties_spread(s->step->ties, s->step->tie_count, p);
    s->p = p;
    double sum = run(s, apply);
    sum += apply_terms(s, 1.0f, p, s->s.g);
    supi_ties_collect(s->step->ties, s->step->tie_count, s->s.g);
    return sum;
}

/* The same without what holds rows. */
static double product(solver* s, sup_row* p) {
    double sum = whole_product(s, p);
    for_slides(s, slide_product);
    return sum;
}

/* The square of the residual in the norm of the preconditioner. */
static double run_descent(solver* s, pass_of_slices* pass) {
    double sum = run(s, pass);
    if (s->s.levels.count == 0) return sum;
    sum += run(s, descend_groups);
    return sum + supi_levels_finish(s->kernels, &s->s.levels);
}

/* That of r = b - A dv */
static double residual_of_dv(solver* s) {
    product(s, s->dv);
    s->a = 1.0f;
    return run_descent(s, residual);
}

/* The next direction: dv += a p, p = y + b p where y is r preconditioned. */
static void take_turn(solver* s) {
    run(s, turn);
    if (s->s.levels.count > 0) for_slides(s, slide_direction);
}

/* The residual where the search starts: from dv, unless 0 is better. */
static double start(solver* s, double at_rest) {
    if (run(s, pin_start) > 0.0) {
        for_slides(s, slide_start);
        double warm = residual_of_dv(s);
        if (warm <= at_rest) return warm;
        run(s, clear_start);
    }
    return run_descent(s, residual_at_rest);
}

/* The square of the residual where a free body moves as a whole as it should. */
static double shift_whole(solver* s) {
    supi_whole_shift(s->s.rows, s->step->net->row_count, s->step->locked, s->s.r, s->dv);
    supi_ties_spread(s->step->ties, s->step->tie_count, s->dv);
    return run_descent(s, stay);
}

/* Solves A dv = b; false where no dv is of use. */
static bool solve(solver* s) {
    const double at_rest = run_descent(s, residual_at_rest);
    const double enough = s->step->tolerance * s->step->tolerance * at_rest;
    if (!isfinite(at_rest)) return false;
    s->report.residual = 0.0;
    if (!(at_rest > 0.0)) {
        run(s, clear_start);
        return true;
    }
    double rho = start(s, at_rest);
    if (s->step->free) rho = shift_whole(s);
    run(s, forget_direction);
    s->a = s->b = 0.0f;
    take_turn(s);
    for (int32_t i = 1; rho > enough && i <= s->step->iterations; i++) {
        double curvature = product(s, s->s.p), next;
        if (!(curvature > 0.0) || !isfinite(curvature)) {
            s->report.negative++;
            break;
        }
        s->a = (float)(rho / curvature);
        if (i % FRESH_EVERY == 0) {
            run(s, advance);
            next = residual_of_dv(s);
            s->a = 0.0f;
        } else {
            next = run_descent(s, descend);
        }
        s->b = (float)(next / rho);
        take_turn(s);
        rho = next;
        s->report.iterations++;
    }
    s->report.residual = rho > 0.0 ? sqrt(rho / at_rest) : 0.0;
    return rho <= at_rest;
}

static void build_levels(solver* s) {
    supi_levels* levels = &s->s.levels;
    memset(s->s.r + s->step->net->row_count, 0, 8 * sizeof *s->s.r);
    supi_levels_build(s->kernels, s->step->net, s->s.tangents, s->s.rows, levels);
    for (int32_t i = 0; i < levels->count; i++) {
        lock_blocks(s->step->locked, levels->level[i].rows, 0, levels->level[i].count);
    }
}

/* Linearises at a state. */
static void linearise_at(solver* s, const sup_row* x, const sup_row* v, float lead) {
    s->at = x;
    s->speed = v;
    s->lead = lead;
    run(s, linearise);
    if (s->step->term_count > 0) {
        for (int32_t i = 0; i < s->step->term_count; i++) {
            const supi_implicit_terms* terms = s->step->terms + i;
            terms->diagonal(terms->context, s->s.rows);
        }
        apply_terms(s, -1.0f, v, s->s.b);
        run(s, invert);
    }
    if (s->step->locked) run(s, lock);
    tie_system(s);
    build_levels(s);
}

/* ---- The state, pass by pass ---- */

static double copy_velocity(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.v, s->v, begin, end);
    return 0.0;
}

static double add_dv(solver* s, int32_t begin, int32_t end) {
    for (int32_t i = 8 * begin; i < 8 * end; i++) add_scaled(s->s.v + i, 1.0f, s->dv + i);
    return 0.0;
}

static double finish(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->v, s->s.v, begin, end);
    for (int32_t i = 8 * begin; i < 8 * end; i++) add_scaled(s->x + i, s->step->h, s->v + i);
    return 0.0;
}

/* ---- Newton's method ---- */

/* Where a share of the step leads: velocities in p, places in x. */
static double try_step(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.x, s->x, begin, end);
    copy_rows(s->s.p, s->s.v, begin, end);
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        add_scaled(s->s.p + i, s->a, s->s.z + i);
        add_scaled(s->s.x + i, s->step->h, s->s.p + i);
    }
    return 0.0;
}

static double take_step(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.v, s->s.p, begin, end);
    return 0.0;
}

static double row_product(const sup_row* a, const sup_row* b) {
    return (double)a->x * (double)b->x + (double)a->y * (double)b->y + (double)a->z * (double)b->z;
}

/* The square of b, as a velocity. */
static double square(solver* s, int32_t begin, int32_t end) {
    double sum = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        sum += (double)s->x[i].w * row_product(s->s.b + i, s->s.b + i);
    }
    return sum;
}

/* From forces to what is left of them when momentum has changed. */
static double subtract_momentum(solver* s, int32_t begin, int32_t end) {
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        if (!(s->x[i].w > 0.0f)) continue;
        float mass = 1.0f / s->x[i].w;
        add_scaled(s->s.b + i, mass, s->v + i);
        add_scaled(s->s.b + i, -mass, s->s.v + i);
    }
    return 0.0;
}

/* What the substep makes least, J: half the square of the change of momentum over mass, energy, and
   what is lost to damping and drag. */
static double merit(solver* s, int32_t begin, int32_t end) {
    const double h = (double)s->step->h, drag = (double)s->step->drag;
    supi_spring_sums sums;
    s->kernels->forces(s->step->net, begin, end, s->s.x, s->s.p, s->s.g, &sums);
    double sum = sums.energy + 0.5 * h * sums.loss;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        const sup_row *v = s->s.p + i, *before = s->v + i;
        if (!(s->x[i].w > 0.0f)) continue;
        const sup_row change = {v->x - before->x, v->y - before->y, v->z - before->z, 0.0f};
        double kinetic = row_product(&change, &change) + h * drag * row_product(v, v);
        sum += 0.5 * kinetic / (double)s->x[i].w - h * row_product(s->step->force + i, v);
    }
    return sum;
}

static double merit_of(solver* s, float share) {
    s->a = share;
    run(s, try_step);
    double sum = run(s, merit);
    return sum + 0.5 * apply_terms(s, 0.0f, s->s.p, s->s.g);
}

/* What planes that hold have given by now: all that momentum has more than forces say. */
static void weigh_two_sided(solver* s) {
    for (int32_t i = 0; i < s->step->slide_count; i++) {
        supi_slide* slide = s->step->slides + i;
        if (!slide->one_sided) slide->impulse = -row_along(s->s.b + slide->row, slide->normal);
    }
}

/* One correction, of which a share is taken that makes J less; false when there is none to make. */
static bool correct(solver* s) {
    run(s, clear_start);
    double before = merit_of(s, 0.0f);
    linearise_at(s, s->s.x, s->s.v, 0.0f);
    double forces = run(s, square);
    run(s, subtract_momentum);
    weigh_two_sided(s);
    for_slides(s, slide_system);
    double left = run(s, square);
    if (!(left > NEWTON_TOLERANCE * NEWTON_TOLERANCE * forces) || !solve(s)) return false;
    for (float share = 1.0f; share >= SHARE_LEAST; share *= 0.5f) {
        if (!(merit_of(s, share) < before)) continue;
        s->report.newton++;
        run(s, take_step);
        return true;
    }
    return false;
}

/* The impulses of all planes: A dv - b along their normals. Tells whether a row leaves one of them.
 */
static bool weigh_slides(solver* s) {
    const supi_implicit* step = s->step;
    bool leaves = false;
    if (step->slide_count == 0) return false;
    whole_product(s, s->dv);
    for (int32_t i = 0, next; i < step->slide_count; i = next) {
        next = next_row(step, i);
        if (!(s->x[step->slides[i].row].w > 0.0f)) continue;
        for (int32_t k = i; k < next; k++) {
            supi_slide* slide = step->slides + k;
            slide->impulse = row_along(s->s.g + slide->row, slide->normal) -
                             row_along(s->s.z + slide->row, slide->normal);
        }
        if (supi_slides_share(step->slides + i, next - i)) leaves = true;
    }
    return leaves;
}

/* The linearised substep; false where it cannot be solved. */
static bool solve_linear(solver* s) {
    run(s, copy_velocity);
    for_slides(s, slide_velocity);
    linearise_at(s, s->x, s->s.v, s->step->h);
    keep_slides(s);
    for_slides(s, slide_system);
    if (!solve(s)) return false;
    if (!weigh_slides(s)) return true;
    int32_t iterations = s->report.iterations;
    let_go(s);
    if (!solve(s)) return false;
    if (s->report.iterations > iterations) weigh_slides(s);
    return true;
}

/* ---- Judgement ---- */

/* The way of a row in the substep beside that of another, squared. */
static double way_beside(const solver* s, int32_t row, int32_t other) {
    const sup_row *a = s->s.v + row, *b = s->s.v + other;
    const sup_row way = {b->x - a->x, b->y - a->y, b->z - a->z, 0.0f};
    return (double)s->step->h * (double)s->step->h * row_product(&way, &way);
}

static bool has_spring(const supi_spring_net* net, int32_t row) {
    for (int32_t c = net->columns[row / 8]; c < net->columns[row / 8 + 1]; c++) {
        if (net->spring[8 * c + (row & 7)] >= 0) return true;
    }
    return false;
}

/* How many rows with springs go so far beside the first one that a spring may grow too much. Not
   finite where a velocity is not. */
static double count_far(solver* s, int32_t begin, int32_t end) {
    const supi_spring_net* net = s->step->net;
    const double most = 0.5 * GROWTH_MOST * (double)net->mean_length;
    double count = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        double way = way_beside(s, i, 0);
        if (way <= most * most) continue;
        if (!isfinite(way)) return NAN;
        count += has_spring(net, i) ? 1.0 : 0.0;
    }
    return count;
}

/* How long a spring is after a time. */
static double length_at(const solver* s, int32_t row, int32_t other, float time) {
    sup_row a = s->x[row], b = s->x[other];
    add_scaled(&a, time, s->s.v + row);
    add_scaled(&b, time, s->s.v + other);
    const sup_row between = {b.x - a.x, b.y - a.y, b.z - a.z, 0.0f};
    return sqrt(row_product(&between, &between));
}

/* How many sides of springs grow too much. */
static double count_grown(solver* s, int32_t begin, int32_t end) {
    const supi_spring_net* net = s->step->net;
    double count = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        for (int32_t c = net->columns[i / 8]; c < net->columns[i / 8 + 1]; c++) {
            int32_t other = net->other[8 * c + (i & 7)];
            if (net->spring[8 * c + (i & 7)] < 0) continue;
            double length = fabs((double)net->length[8 * c + supi_lane_order(i & 7)]);
            double mean = (double)net->mean_length;
            double most = GROWTH_MOST * (length > mean ? length : mean);
            if (way_beside(s, i, other) <= most * most) continue;
            if (length_at(s, i, other, s->step->h) - length_at(s, i, other, 0.0f) > most) count++;
        }
    }
    return count;
}

/* The energy of springs, whose forces are in g then, and of motion. */
static double energy(solver* s, int32_t begin, int32_t end) {
    supi_spring_sums sums;
    memset(s->s.g + 8 * begin, 0, 8 * (size_t)(end - begin) * sizeof *s->s.g);
    s->kernels->forces(s->step->net, begin, end, s->at, s->speed, s->s.g, &sums);
    double twice = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        if (s->x[i].w > 0.0f) twice += row_product(s->speed + i, s->speed + i) / (double)s->x[i].w;
    }
    return sums.energy + 0.5 * twice;
}

/* Where the substep ends, in x. */
static double find_end(solver* s, int32_t begin, int32_t end) {
    copy_rows(s->s.x, s->x, begin, end);
    for (int32_t i = 8 * begin; i < 8 * end; i++) add_scaled(s->s.x + i, s->step->h, s->s.v + i);
    return 0.0;
}

/* What forces beside springs do on the way, rounded as it is, and those who lead pinned rows. */
static double work_done(solver* s, int32_t begin, int32_t end) {
    double sum = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        const sup_row *from = s->x + i, *to = s->s.x + i;
        const sup_row way = {to->x - from->x, to->y - from->y, to->z - from->z, 0.0f};
        sum +=
            from->w > 0.0f ? row_product(s->step->force + i, &way) : -row_product(s->s.g + i, &way);
    }
    return sum;
}

/* What the rounding of places may give to springs: each end is off by a share of how far out it is,
   and k/2 (a + b)^2 is at most k (a^2 + b^2). */
static double energy_of_rounding(solver* s, int32_t begin, int32_t end) {
    const supi_spring_net* net = s->step->net;
    double sum = 0.0;
    for (int32_t i = 8 * begin; i < 8 * end; i++) {
        double square = row_product(s->x + i, s->x + i);
        for (int32_t c = net->columns[i / 8]; c < net->columns[i / 8 + 1]; c++) {
            sum += square * (double)net->stiffness[8 * c + supi_lane_order(i & 7)];
        }
    }
    return (double)FLT_EPSILON * (double)FLT_EPSILON * sum;
}

/* Implicit Euler makes no energy; what is linearised, or solved by half, may. What is not a number
   is a gain. */
static bool gains(solver* s) {
    if (!s->step->watched || s->step->slide_count > 0 || s->step->term_count > 0) return false;
    s->at = s->x;
    s->speed = s->v;
    double before = run(s, energy);
    run(s, find_end);
    s->at = s->s.x;
    s->speed = s->s.v;
    double after = run(s, energy);
    double excess = after - before - run(s, work_done) - GAIN_MOST * (before + after);
    return !(excess <= 0.0) && !(excess <= run(s, energy_of_rounding));
}

/* May the substep count? Springs that all have no length grow as they like. */
static bool acceptable(solver* s) {
    double far = run(s, count_far);
    bool calm = far == 0.0 || !(s->step->net->mean_length > 0.0f);
    return isfinite(far) && (calm || run(s, count_grown) == 0.0) && !gains(s);
}

static solver solver_of(const supi_implicit* step, const supi_implicit_scratch* scratch, sup_row* x,
                        sup_row* v, sup_row* dv) {
    solver s = {.step = step,
                .kernels = step->kernels->springs,
                .s = *scratch,
                .x = x,
                .v = v,
                .dv = dv,
                .report = {.newton = 1}};
    if (!step->levels || step->term_count > 0) s.s.levels.count = 0; /* they know springs alone */
    return s;
}

supi_implicit_report supi_implicit_step(const supi_implicit* step,
                                        const supi_implicit_scratch* scratch, sup_row* x,
                                        sup_row* v, sup_row* dv) {
    solver s = solver_of(step, scratch, x, v, dv);
    if (!solve_linear(&s)) {
        s.report.failed = true;
        return s.report;
    }
    run(&s, add_dv);
    s.dv = s.s.z;
    for (int32_t i = 1; i < step->newton && correct(&s);) i++;
    s.report.failed = !acceptable(&s);
    if (!s.report.failed) run(&s, finish);
    return s.report;
}

/* ---- Answers to a push ---- */

void supi_implicit_linearise(const supi_implicit* step, const supi_implicit_scratch* scratch,
                             sup_row* x, sup_row* v) {
    solver s = solver_of(step, scratch, x, v, NULL);
    s.taut = true;
    linearise_at(&s, x, v, 0.0f);
    for_slides(&s, slide_system);
}

static double forget_forces(solver* s, int32_t begin, int32_t end) {
    memset(s->s.b + 8 * begin, 0, 8 * (size_t)(end - begin) * sizeof *s->s.b);
    return 0.0;
}

bool supi_implicit_answer(const supi_implicit* step, const supi_implicit_scratch* scratch,
                          sup_row* x, int32_t row, int axis, sup_row* dv) {
    solver s = solver_of(step, scratch, x, NULL, dv);
    run(&s, forget_forces);
    s.s.b[row] = (sup_row){axis == 0, axis == 1, axis == 2, 0.0f};
    if (!(x[row].w > 0.0f)) s.s.b[row] = (sup_row){0};
    supi_axes_strip(step->locked, s.s.b + row);
    for_slides(&s, slide_force);
    if (!solve(&s)) return false;
    supi_ties_spread(step->ties, step->tie_count, dv);
    whole_product(&s, dv);
    return true;
}
