#include "solve/brace.h"

#include "solve/cluster.h"

#include <math.h>

/* How much stiffer braces are than their springs. */
static const double stiffer = 400.0;
/* They begin at this share of the limit: what they need for their pull is the rest of it, so that
   sweeps find next to nothing to do. */
static const double begin_at = 0.8;
/* Strain in a substep from which on a spring comes back by itself. */
static const double comes_back = 1e-3;

static bool limited(const supi_brace_rules* r, const sup_spring* s) {
    return s->length > 0.0f && (s->kind == SUP_SPRING_STRUCT ||
                                (s->kind == SUP_SPRING_SHEAR && r->kinds != SUP_LIMIT_STRUCT));
}

/* The length at which a spring is braced that is l long and `growth` longer soon, or 0: it is not.
   One that is too long stays braced while it gets shorter. But a limit is no spring: what contacts
   have pushed beyond it is pulled as at the limit, the sweeps take back the rest; and what comes
   back by itself is not pulled at all. Else both would be energy from nothing. */
static double braced_at(const supi_brace_rules* r, const sup_spring* s, double l, double growth) {
    double length = (double)s->length, back = comes_back * length;
    double longest = (1.0 + begin_at * r->longer) * length;
    double shortest = (1.0 - begin_at * r->shorter) * length;
    double most = growth > 0.0 ? l + growth : l, least = growth < 0.0 ? l + growth : l;
    double above = l - (1.0 + r->longer) * length, below = l - (1.0 - r->shorter) * length;
    if (r->longer > 0.0 && most > longest) {
        if (growth < -back) return l;
        return above > 0.0 ? longest + above : longest;
    }
    if (r->shorter > 0.0 && !s->slack && least < shortest) {
        if (growth > back) return l;
        return below < 0.0 ? shortest + below : shortest;
    }
    return 0.0;
}

double supi_brace_pull(const supi_brace_rules* r, const sup_spring* s, double length) {
    double longest = (1.0 + begin_at * r->longer) * (double)s->length;
    bool braced = r->longer > 0.0 && limited(r, s) && length > longest;
    return braced ? stiffer * (double)s->stiffness * (length - longest) : 0.0;
}

static void add(sup_row* f, float scale, const float d[3]) {
    f->x += scale * d[0];
    f->y += scale * d[1];
    f->z += scale * d[2];
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void difference(const sup_row* a, const sup_row* b, float d[3]) {
    d[0] = b->x - a->x;
    d[1] = b->y - a->y;
    d[2] = b->z - a->z;
}

/* ---- Which springs ---- */

static bool brace(const supi_brace_rules* r, const sup_spring* s, const sup_row* x,
                  const sup_row* v, sup_row* f, supi_brace* out) {
    float d[3], speed[3];
    difference(x + s->a, x + s->b, d);
    difference(v + s->a, v + s->b, speed);
    double l = sqrt((double)dot(d, d));
    if (!(l > 0.0)) return false;
    double bound = braced_at(r, s, l, r->h * (double)dot(d, speed) / l);
    if (!(bound > 0.0)) return false;
    double stiffness = stiffer * (double)s->stiffness;
    float pull = (float)(stiffness * (l - bound) / l);
    float root = (float)(r->h * sqrt(stiffness) / l), square = (float)(r->h * r->h);
    add(f + s->a, pull, d);
    add(f + s->b, -pull, d);
    *out = (supi_brace){s->a, s->b, {root * d[0], root * d[1], root * d[2]}, 0.0f};
    /* As of springs, of what pushes only the stiffness along it is taken. */
    if (pull > 0.0f) out->across = square * pull;
    return true;
}

void supi_brace_find(const supi_brace_rules* r, const sup_row* x, const sup_row* v, sup_row* f,
                     supi_braces* braces) {
    braces->count = 0;
    for (int32_t i = 0; i < r->spring_count; i++) {
        const sup_spring* s = r->springs + i;
        if (!limited(r, s)) continue;
        braces->count += brace(r, s, x, v, f, braces->items + braces->count);
    }
}

/* ---- In the solve ---- */

static void add_block(supi_spring_rows8* rows, int32_t row, const supi_brace* e) {
    float(*block)[8] = rows[row / 8].block;
    int32_t lane = supi_lane_order(row & 7);
    const float* u = e->u;
    for (int k = 0; k < 3; k++) {
        block[k][lane] += u[k] * u[k] + e->across;
        block[3 + k][lane] += u[(k + 1) % 3] * u[(k + 2) % 3];
    }
}

static void add_diagonal(void* context, supi_spring_rows8* rows) {
    const supi_braces* braces = context;
    for (int32_t i = 0; i < braces->count; i++) {
        add_block(rows, braces->items[i].a, braces->items + i);
        add_block(rows, braces->items[i].b, braces->items + i);
    }
}

static double add_product(void* context, float scale, const sup_row* p, sup_row* y) {
    const supi_braces* braces = context;
    double sum = 0.0;
    for (int32_t i = 0; i < braces->count; i++) {
        const supi_brace* e = braces->items + i;
        float d[3], push[3];
        difference(p + e->a, p + e->b, d);
        float along = dot(e->u, d);
        for (int k = 0; k < 3; k++) push[k] = along * e->u[k] + e->across * d[k];
        add(y + e->a, -scale, push);
        add(y + e->b, scale, push);
        sum += (double)dot(push, d);
    }
    return sum;
}

supi_implicit_terms supi_brace_terms(supi_braces* braces) {
    return (supi_implicit_terms){braces, add_diagonal, add_product};
}
