#include "solve/plastic.h"

#include "base/real.h"
#include "geom/eigen.h"

#include <math.h>

/* Below this volume a cluster is about to be turned inside out, which must not be learned. */
static const double volume_least = 0.1;
/* Gathered strain is taken over when it is this much, or this old. */
static const double fold_strain = 1e-4, fold_age = 60.0;
/* Fast flow counts as motion as long as the strain is this far beyond the yield. */
static const double flow_margin = 1e-4;
/* More logarithmic strain than this is not taken over at once: a millionfold. */
static const double growth_most = 13.8;
/* No stretch is larger, whatever the rule: the largest limit that there is. */
static const double limit_most = 4.0;

/* Place in xx yy zz xy yz zx of the entries of a row-major matrix. */
static const int symmetric_at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};

static double norm(const double s[6]) {
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] +
                2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* a^T a */
static void square(const double a[9], double out[6]) {
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; k++) {
        out[k] = 0.0;
        for (int i = 0; i < 3; i++) out[k] += a[3 * i + row[k]] * a[3 * i + column[k]];
    }
}

/* The symmetric matrix with these eigenvalues on the rows of `axes`. */
static void compose(const double values[3], const double axes[9], double out[6]) {
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; k++) {
        out[k] = 0.0;
        for (int e = 0; e < 3; e++) {
            out[k] += values[e] * (axes[3 * e + row[k]] * axes[3 * e + column[k]]);
        }
    }
}

static void decompose(const double s[6], double values[3], double axes[9]) {
    double full[9];
    for (int k = 0; k < 9; k++) full[k] = s[symmetric_at[k]];
    supi_eigen_symmetric(3, full, values, axes);
}

/* The square roots of what should be squares, of which rounding may have left less than 0. */
static void roots(double values[3]) {
    for (int k = 0; k < 3; k++) {
        double least = 1e-14 * values[0];
        values[k] = sqrt(values[k] > least ? values[k] : least);
    }
}

static double determinant(const double a[9]) {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* ---- State ---- */

void supi_plastic_reset(supi_plastic* state) {
    *state = (supi_plastic){.stretch = {1, 1, 1}, .rounded = {1, 1, 1}, .inverse = {1, 1, 1}};
}

void supi_plastic_derive(supi_plastic* state) {
    double values[3], axes[9], inverse[6];
    decompose(state->stretch, values, axes);
    for (int k = 0; k < 3; k++) values[k] = 1.0 / values[k];
    compose(values, axes, inverse);
    for (int k = 0; k < 6; k++) {
        state->rounded[k] = (float)state->stretch[k];
        state->inverse[k] = (float)inverse[k];
    }
}

void supi_plastic_log(const supi_plastic* state, double log[6]) {
    double values[3], axes[9];
    decompose(state->stretch, values, axes);
    for (int k = 0; k < 3; k++) values[k] = supi_log(values[k]);
    compose(values, axes, log);
}

void supi_plastic_from_log(const double log[6], supi_plastic* state) {
    double values[3], axes[9];
    supi_plastic_reset(state);
    if (norm(log) == 0.0) return; /* exactly 1 */
    decompose(log, values, axes);
    for (int k = 0; k < 3; k++) values[k] = supi_exp(values[k]);
    compose(values, axes, state->stretch);
    supi_plastic_derive(state);
}

bool supi_plastic_sane(const supi_plastic* state) {
    double values[3], axes[9], most = 1.0 + limit_most;
    decompose(state->stretch, values, axes);
    return values[0] < 1.001 * most && values[2] > 0.999 / (most * most) &&
           fabs(values[0] * values[1] * values[2] - 1.0) < 1e-3;
}

supi_flow supi_plastic_flow(const sup_plasticity* p, double h, const float inverse[6],
                            const float null[6]) {
    double whole[6], values[3], axes[9], moments[6];
    /* In units of their own: beside the inverse of a small or light cluster the 1 of `null` would
       be less than its rounding. */
    double trace = (double)inverse[0] + (double)inverse[1] + (double)inverse[2];
    double unit = trace > 0.0 ? trace : 1.0;
    for (int k = 0; k < 6; k++) whole[k] = (double)inverse[k] / unit + (double)null[k];
    decompose(whole, values, axes);
    for (int k = 0; k < 3; k++) values[k] = values[k] > 0.0 ? 1.0 / values[k] : 0.0;
    compose(values, axes, moments);
    for (int k = 0; k < 6; k++) moments[k] -= (double)null[k];
    double share = h * p->creep < 1.0 ? h * p->creep : 1.0;
    supi_flow flow = {
        .rule = p->rule,
        .h = h,
        .yield = p->yield,
        .fast = p->rule == SUP_PLASTIC_PAPER ? share : -supi_expm1(-h * p->creep),
        .least = p->flow_least,
        .slow = p->flow_time > 0.0 ? -h / p->flow_time : 0.0,
        .reference = p->flow_strain,
        .power = p->flow_power - 1.0,
        .limit = p->limit,
    };
    for (int k = 0; k < 6; k++) flow.moments[k] = moments[k];
    return flow;
}

/* ---- Strain ---- */

/* How the members are stretched and along which axes. False: too little to matter, found out
   without eigenvalues (|s^2 - 1| >= |s - 1|), or so that nothing must be learned from it. */
static bool strains(const double a[9], double threshold, double stretches[3], double axes[9]) {
    double squared[6], beyond[6], volume = determinant(a);
    if (!(volume >= volume_least && volume < 1e30)) return false;
    square(a, squared);
    for (int k = 0; k < 6; k++) beyond[k] = squared[k] - (k < 3 ? 1.0 : 0.0);
    if (norm(beyond) <= threshold) return false;
    decompose(squared, stretches, axes);
    roots(stretches);
    return true;
}

/* Share of the strain that flows slowly in a substep. */
static double slow_share(const supi_flow* flow, double strain) {
    double rate = flow->slow;
    if (flow->power > 0.0) rate *= supi_pow(strain / flow->reference, flow->power);
    return -supi_expm1(rate);
}

/* Does the cluster give up elastic energy when its rest shape grows by these parts along the axes?
   It is sum m (s - 1)^2 / 2 over the axes, with the moments m of the rest shape: in a shape that is
   flat by now, the thin direction could otherwise be relieved at the cost of the wide ones, and a
   body that melts would drive itself. */
static bool gives(const supi_flow* flow, const supi_plastic* state, const double stretches[3],
                  const double axes[9], const double parts[3]) {
    double gain = 0.0;
    for (int k = 0; k < 3; k++) {
        double along[3], moment = 0.0; /* S axis */
        for (int i = 0; i < 3; i++) {
            along[i] = 0.0;
            for (int j = 0; j < 3; j++) {
                along[i] += state->stretch[symmetric_at[3 * i + j]] * axes[3 * k + j];
            }
        }
        for (int i = 0; i < 9; i++) {
            moment += along[i / 3] * flow->moments[symmetric_at[i]] * along[i % 3];
        }
        gain += moment * (stretches[k] - 1.0) * stretches[k] * parts[k];
    }
    return gain > 0.0;
}

/* Gathers what of the strain becomes lasting: its logarithm without the mean, so that no volume
   flows; the fast part of the paper takes the strain as it is. */
static void gather(const supi_flow* flow, const double stretches[3], const double axes[9],
                   supi_plastic* state) {
    double logs[3], parts[3], mean = 0.0, strain = 0.0, shear = 0.0, grown[6];
    for (int k = 0; k < 3; k++) {
        double own = fabs(stretches[k] - 1.0);
        strain = own > strain ? own : strain;
        logs[k] = supi_log(stretches[k]);
        mean += logs[k] / 3.0;
    }
    bool fast = strain > flow->yield, slow = flow->slow < 0.0 && strain > flow->least;
    double share = slow ? slow_share(flow, strain) : 0.0;
    bool paper = flow->rule == SUP_PLASTIC_PAPER;
    /* What flows fast flows of what the slow flow leaves: together they take no more than there is.
     */
    double left = 1.0 - share;
    if (fast && !paper) share += left * flow->fast * (1.0 - flow->yield / strain);
    for (int k = 0; k < 3; k++) {
        shear += (logs[k] - mean) * (logs[k] - mean);
        parts[k] = share * (logs[k] - mean);
        if (fast && paper) parts[k] += left * flow->fast * (stretches[k] - 1.0);
    }
    if (!gives(flow, state, stretches, axes, parts)) return;
    compose(parts, axes, grown);
    for (int k = 0; k < 6; k++) state->gathered[k] += grown[k];
    shear = sqrt(shear);
    bool moves = flow->fast > 0.0 && strain - flow->yield > flow_margin && shear > flow_margin;
    state->flows = !state->stuck && (moves || (slow && shear > 0.5 * flow->least));
}

/* ---- The rest shape ---- */

/* Scales logarithmic stretches that sum up to 0 so that none is beyond the limit. */
static void limit_logs(double logs[3], double limit) {
    double most = supi_log(1.0 + limit), least = limit < 1.0 ? supi_log(1.0 - limit) : 0.0;
    double scale = 1.0;
    for (int k = 0; k < 3; k++) {
        double bound = logs[k] > 0.0 ? most : least;
        bool bounded = logs[k] > 0.0 || (logs[k] < 0.0 && limit < 1.0);
        if (bounded && bound / logs[k] < scale) scale = bound / logs[k];
    }
    for (int k = 0; k < 3; k++) logs[k] *= scale;
}

/* The limit of the paper: towards 1 in a straight line, then back to the volume, which may go a
   little beyond it. */
static void limit_plainly(double stretches[3], double limit) {
    double strain = 0.0;
    for (int k = 0; k < 3; k++) {
        double own = fabs(stretches[k] - 1.0);
        strain = own > strain ? own : strain;
    }
    double scale = strain > limit ? limit / strain : 1.0;
    for (int k = 0; k < 3; k++) stretches[k] = 1.0 + scale * (stretches[k] - 1.0);
}

/* Brings stretches to the volume 1 and inside the limit. */
static void limit_stretches(const supi_flow* flow, double stretches[3]) {
    bool paper = flow->rule == SUP_PLASTIC_PAPER;
    if (paper) limit_plainly(stretches, flow->limit);
    double logs[3], mean = 0.0;
    for (int k = 0; k < 3; k++) {
        logs[k] = supi_log(stretches[k]);
        mean += logs[k] / 3.0;
    }
    for (int k = 0; k < 3; k++) logs[k] -= mean;
    limit_logs(logs, paper ? limit_most : flow->limit);
    for (int k = 0; k < 3; k++) stretches[k] = supi_exp(logs[k]);
}

/* exp(gathered) S, which is not symmetric. */
static void stretch_further(const supi_plastic* state, double out[9]) {
    double values[3], axes[9], growth[6];
    decompose(state->gathered, values, axes);
    for (int k = 0; k < 3; k++) {
        double value = values[k] < growth_most ? values[k] : growth_most;
        values[k] = supi_exp(value > -growth_most ? value : -growth_most);
    }
    compose(values, axes, growth);
    for (int k = 0; k < 9; k++) {
        out[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            out[k] +=
                growth[symmetric_at[k / 3 * 3 + i]] * state->stretch[symmetric_at[3 * i + k % 3]];
        }
    }
}

/* The rotation of u = turn s, where the symmetric s has these eigenvalues and axes. */
static void rotation_of(const double u[9], const double values[3], const double axes[9],
                        double turn[4]) {
    double inverses[3], inverse[6], q[9];
    for (int k = 0; k < 3; k++) inverses[k] = 1.0 / values[k];
    compose(inverses, axes, inverse);
    for (int k = 0; k < 9; k++) {
        q[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            q[k] += u[k / 3 * 3 + i] * inverse[symmetric_at[3 * i + k % 3]];
        }
    }
    /* Never half a turn, as both factors of u are positive. */
    turn[0] = q[7] - q[5];
    turn[1] = q[2] - q[6];
    turn[2] = q[3] - q[1];
    turn[3] = 1.0 + q[0] + q[4] + q[8];
    double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int k = 0; k < 4; k++) turn[k] /= length;
}

/* S takes over what was gathered, unless that makes no sane stretch of it. */
static void fold(const supi_flow* flow, supi_plastic* state, double turn[4]) {
    double u[9], squared[6], stretches[3], axes[9], change[6];
    double gathered = norm(state->gathered);
    const supi_plastic before = *state;
    stretch_further(state, u);
    square(u, squared);
    decompose(squared, stretches, axes);
    roots(stretches);
    rotation_of(u, stretches, axes, turn);
    limit_stretches(flow, stretches);
    compose(stretches, axes, state->stretch);
    if (!supi_plastic_sane(state)) {
        *state = before;
        for (int k = 0; k < 4; k++) turn[k] = k < 3 ? 0.0 : 1.0;
    }
    for (int k = 0; k < 6; k++) {
        change[k] = state->stretch[k] - before.stretch[k];
        state->gathered[k] = 0.0;
    }
    state->since = 0.0;
    state->stuck = norm(change) < 0.1 * gathered;
    supi_plastic_derive(state);
}

bool supi_plastic_update(const supi_flow* flow, const float strained[9], supi_plastic* state,
                         double turn[4]) {
    double a[9], stretches[3], axes[9], threshold = flow->yield;
    if (flow->slow < 0.0 && flow->least < threshold) threshold = flow->least;
    for (int k = 0; k < 9; k++) a[k] = (double)strained[k];
    state->flows = false;
    if (strains(a, threshold, stretches, axes)) gather(flow, stretches, axes, state);
    double gathered = norm(state->gathered);
    if (!(gathered > 0.0)) return false;
    state->since += flow->h;
    if (gathered <= fold_strain && state->since < fold_age) return false;
    fold(flow, state, turn);
    return true;
}
