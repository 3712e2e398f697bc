#include "solve/explicit.h"

#include "solve/pieces.h"

/* One way over the rows: x_out = x + along rate, v_out = v + across f / mass. Outputs may be
   inputs. */
typedef struct pass {
    int32_t row_count;
    const sup_row *x, *v;
    const sup_row* rate; /* NULL: v_out */
    const sup_row* f;
    float along, across; /* s */
    sup_row *x_out, *v_out;
} pass;

static void pass_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const pass* p = context;
    const sup_row* rate = p->rate;
    float along = p->along, across = p->across;
    int32_t end = supi_piece_end(piece, p->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        sup_row x = p->x[i], v = p->v[i], f = p->f[i];
        float a = across * x.w;
        sup_row next = {v.x + a * f.x, v.y + a * f.y, v.z + a * f.z, v.w};
        sup_row r = rate ? rate[i] : next;
        p->x_out[i] = (sup_row){x.x + along * r.x, x.y + along * r.y, x.z + along * r.z, x.w};
        p->v_out[i] = next;
    }
}

static void run(const supi_motion* m, pass p) {
    p.row_count = m->row_count;
    supi_pieces_run(m->tasks, m->row_count, pass_piece, &p);
}

/* A new velocity, and with it a new place. */
static void kick_and_drift(const supi_motion* m, const supi_moving* at, const sup_row* f,
                           double across, double along) {
    run(m, (pass){.x = at->x,
                  .v = at->v,
                  .f = f,
                  .across = (float)across,
                  .along = (float)along,
                  .x_out = at->x,
                  .v_out = at->v});
}

/* From `at` to `out` in the same time h for both, at given rates. */
static void shift(const supi_motion* m, const supi_moving* at, const sup_row* rate,
                  const sup_row* f, double h, const supi_moving* out) {
    run(m, (pass){.x = at->x,
                  .v = at->v,
                  .rate = rate,
                  .f = f,
                  .across = (float)h,
                  .along = (float)h,
                  .x_out = out->x,
                  .v_out = out->v});
}

/* The k-th array of scratch. */
static sup_row* array(const supi_motion* m, int32_t k) {
    return m->scratch + (size_t)k * (size_t)m->row_count;
}

static const sup_row* forces_at(const supi_motion* m, const sup_row* x, const sup_row* v) {
    sup_row* f = array(m, 0);
    m->forces(m->context, x, v, f);
    return f;
}

/* ---- Schemes ---- */

static void velocity_verlet(const supi_motion* m, double h, const sup_row* f, supi_moving* at) {
    kick_and_drift(m, at, f, 0.5 * h, h);
    kick_and_drift(m, at, forces_at(m, at->x, at->v), 0.5 * h, 0.0);
}

static void midpoint(const supi_motion* m, double h, const sup_row* f, supi_moving* at) {
    supi_moving middle = {array(m, 1), array(m, 2), 0.0};
    shift(m, at, at->v, f, 0.5 * h, &middle);
    shift(m, at, middle.v, forces_at(m, middle.x, middle.v), h, at);
}

/* Weighted sums of the rates and forces of stages. */
typedef struct stage_sum {
    int32_t row_count;
    float weight;
    bool fresh; /* the first one */
    const sup_row *rate, *f;
    sup_row *rates, *forces;
} stage_sum;

static sup_row add(sup_row a, float weight, sup_row b) {
    return (sup_row){a.x + weight * b.x, a.y + weight * b.y, a.z + weight * b.z, a.w};
}

static void sum_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const stage_sum* s = context;
    const sup_row none = {0, 0, 0, 0};
    int32_t end = supi_piece_end(piece, s->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        s->rates[i] = add(s->fresh ? none : s->rates[i], s->weight, s->rate[i]);
        s->forces[i] = add(s->fresh ? none : s->forces[i], s->weight, s->f[i]);
    }
}

/* Each stage starts from `at` with the rates of the one before. */
static void runge_kutta(const supi_motion* m, double h, const sup_row* f, supi_moving* at) {
    static const float weights[4] = {1, 2, 2, 1};
    static const double parts[3] = {0.5, 0.5, 1.0};
    supi_moving stage = {array(m, 1), array(m, 2), 0.0};
    stage_sum sum = {.row_count = m->row_count,
                     .fresh = true,
                     .rate = at->v,
                     .f = f,
                     .rates = array(m, 3),
                     .forces = array(m, 4)};
    for (int k = 0; k < 4; k++) {
        sum.weight = weights[k];
        supi_pieces_run(m->tasks, m->row_count, sum_piece, &sum);
        if (k == 3) break;
        shift(m, at, sum.rate, sum.f, parts[k] * h, &stage);
        sum.fresh = false;
        sum.rate = stage.v;
        sum.f = forces_at(m, stage.x, stage.v);
    }
    shift(m, at, sum.rates, sum.forces, h / 6.0, at);
}

/* ---- The step ---- */

int32_t supi_explicit_scratch(sup_integrator integrator) {
    return integrator == SUP_INTEGRATOR_RK4 ? 5 : integrator == SUP_INTEGRATOR_MIDPOINT ? 3 : 1;
}

void supi_explicit_pin(const supi_motion* m, double t, sup_row* x, sup_row* v) {
    double share = t / m->span;
    for (int32_t i = 0; i < m->pin_count; i++) {
        const sup_vec3 *from = m->pin_start + i, *to = m->pin_end + i;
        double way[3] = {(double)to->x - (double)from->x, (double)to->y - (double)from->y,
                         (double)to->z - (double)from->z};
        sup_row *place = x + m->pins[i], *velocity = v + m->pins[i];
        place->x = (float)((double)from->x + share * way[0]);
        place->y = (float)((double)from->y + share * way[1]);
        place->z = (float)((double)from->z + share * way[2]);
        velocity->x = (float)(way[0] / m->span);
        velocity->y = (float)(way[1] / m->span);
        velocity->z = (float)(way[2] / m->span);
    }
}

typedef struct slowing {
    int32_t row_count;
    float factor;
    sup_row* v;
} slowing;

static void slow_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const slowing* s = context;
    int32_t end = supi_piece_end(piece, s->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        sup_row v = s->v[i];
        s->v[i] = (sup_row){s->factor * v.x, s->factor * v.y, s->factor * v.z, v.w};
    }
}

void supi_explicit_step(const supi_motion* m, double t, double h, const sup_row* first,
                        supi_moving* at) {
    const sup_row* f = first;
    if (!f) {
        supi_explicit_pin(m, t, at->x, at->v);
        f = forces_at(m, at->x, at->v);
    }
    switch (m->integrator) {
    case SUP_INTEGRATOR_EULER: shift(m, at, at->v, f, h, at); break;
    case SUP_INTEGRATOR_SYMPLECTIC: kick_and_drift(m, at, f, h, h); break;
    case SUP_INTEGRATOR_VELOCITY_VERLET: velocity_verlet(m, h, f, at); break;
    case SUP_INTEGRATOR_POSITION_VERLET:
        kick_and_drift(m, at, f, 0.5 * (h + at->last), h);
        at->last = h;
        break;
    case SUP_INTEGRATOR_MIDPOINT: midpoint(m, h, f, at); break;
    case SUP_INTEGRATOR_RK4: runge_kutta(m, h, f, at); break;
    case SUP_INTEGRATOR_AUTO:
    case SUP_INTEGRATOR_IMPLICIT: return; /* another file, and other arguments */
    }
    if (m->drag > 0.0) {
        slowing s = {m->row_count, (float)(1.0 / (1.0 + h * m->drag)), at->v};
        supi_pieces_run(m->tasks, m->row_count, slow_piece, &s);
    }
    supi_explicit_pin(m, t + h, at->x, at->v);
    if (m->after) m->after(m->context, h, at->x, at->v);
}
