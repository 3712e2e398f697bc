/* One step of the twin in the precision REAL. Included by ref_body.c once for float and once for
   double, with NAME() to tell them apart. */

static void NAME(cross)(const REAL a[3], const REAL b[3], REAL out[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static REAL NAME(dot)(const REAL a[3], const REAL b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static REAL NAME(root)(REAL a) { return (REAL)sqrt((double)a); }

/* Unit quaternion along a (x) b. */
static void NAME(turn)(const REAL a[4], const REAL b[4], REAL out[4]) {
    REAL c[4], squared = 0;
    NAME(cross)(a, b, c);
    for (int k = 0; k < 3; k++) c[k] += a[3] * b[k] + b[3] * a[k];
    c[3] = a[3] * b[3] - NAME(dot)(a, b);
    for (int k = 0; k < 4; k++) squared += c[k] * c[k];
    for (int k = 0; k < 4; k++) out[k] = c[k] / NAME(root)(squared);
}

static void NAME(matrix)(const REAL q[4], REAL r[3][3]) {
    REAL x = q[0], y = q[1], z = q[2], w = q[3];
    REAL m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                    {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, m, sizeof m);
}

/* Solves a x = b by Cramer's rule; returns the determinant, and x = 0 where that is 0. */
static REAL NAME(cramer)(const REAL a[3][3], const REAL b[3], REAL x[3]) {
    REAL rows[3][3];
    for (int k = 0; k < 3; k++) NAME(cross)(a[(k + 1) % 3], a[(k + 2) % 3], rows[k]);
    REAL det = NAME(dot)(a[0], rows[0]);
    for (int k = 0; k < 3; k++) {
        x[k] = det == 0 ? 0 : (rows[0][k] * b[0] + rows[1][k] * b[1] + rows[2][k] * b[2]) / det;
    }
    return det;
}

/* Solves a x = b, a symmetric, by LDL^T. */
static void NAME(factored)(const REAL a[3][3], const REAL b[3], REAL x[3]) {
    REAL l[3][3], d[3], y[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            REAL rest = a[i][j];
            for (int k = 0; k < j; k++) rest -= l[i][k] * d[k] * l[j][k];
            if (i == j)
                d[i] = rest;
            else
                l[i][j] = rest / d[j];
        }
        y[i] = b[i];
        for (int k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    }
    for (int i = 2; i >= 0; i--) {
        x[i] = y[i] / d[i];
        for (int k = i + 1; k < 3; k++) x[i] -= l[k][i] * x[k];
    }
}

/* Newton on tr(R^T b) from the warm start q, always `iterations` steps. */
static void NAME(rotate)(const ref_rules* rules, REAL b[3][3], REAL q[4]) {
    REAL largest = 0, squared = 0;
    for (int k = 0; k < 9; k++) {
        REAL size = b[k / 3][k % 3] < 0 ? -b[k / 3][k % 3] : b[k / 3][k % 3];
        largest = size > largest ? size : largest;
    }
    if (!(largest > 0)) return;
    for (int k = 0; k < 9; k++) {
        b[k / 3][k % 3] /= largest;
        squared += b[k / 3][k % 3] * b[k / 3][k % 3];
    }
    REAL norm = NAME(root)(squared);
    for (int step = 0; step < rules->iterations; step++) {
        REAL r[3][3], c[3][3], hessian[3][3], w[3], ahead[4];
        NAME(matrix)(q, r);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                c[i][j] = r[0][i] * b[0][j] + r[1][i] * b[1][j] + r[2][i] * b[2][j];
            }
        }
        REAL torque[3] = {c[2][1] - c[1][2], c[0][2] - c[2][0], c[1][0] - c[0][1]};
        REAL trace = c[0][0] + c[1][1] + c[2][2], size = trace < 0 ? -trace : trace;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                hessian[i][j] =
                    (i == j ? trace + (REAL)rules->epsilon * norm : 0) - (c[i][j] + c[j][i]) / 2;
            }
        }
        REAL det = NAME(cramer)((const REAL(*)[3])hessian, torque, w);
        REAL minor = hessian[0][0] * hessian[1][1] - hessian[0][1] * hessian[0][1];
        bool certain = hessian[0][0] > 0 && minor > 0 && det > (REAL)1e-10 * norm * norm * norm;
        for (int k = 0; k < 3 && !certain; k++) w[k] = torque[k] / (size + norm / 2);
        REAL angle = NAME(root)(NAME(dot)(w, w)), scale = angle > 2 ? 1 / angle : (REAL)0.5;
        REAL change[4] = {w[0] * scale, w[1] * scale, w[2] * scale, 1};
        NAME(turn)(q, change, ahead);
        memcpy(q, ahead, sizeof ahead);
    }
}

/* Place and velocity of a particle as matching sees them. Gravity moves the predicted places of
   pinned particles along with the others: goals then differ from places by the sag alone. */
static void NAME(seen)(const ref_body* b, const ref_rules* rules, int32_t i, REAL x[3], REAL v[3]) {
    REAL h = (REAL)rules->h;
    for (int k = 0; k < 3; k++) {
        REAL gain = h * (REAL)rules->gravity[k];
        x[k] = (REAL)b->x[i][k];
        v[k] = (REAL)b->v[i][k];
        if (rules->scheme == REF_P) x[k] += h * (v[k] + gain);
        if (rules->damp_forced && !b->pinned[i]) v[k] += gain;
    }
}

/* Everything about a cluster now. Places are relative to its first member. */
typedef struct NAME(motion) {
    REAL origin[3], centre[3], velocity[3], spin[3], r[3][3];
} NAME(motion);

static void NAME(spin)(const ref_rules* rules, REAL spread[3][3], REAL rest_spread,
                       const REAL momentum[3], REAL spin[3]) {
    REAL inertia[3][3], unused[3];
    REAL sum = spread[0][0] + spread[1][1] + spread[2][2], trace = 2 * sum;
    for (int i = 0; i < 3; i++) {
        spin[i] = 0;
        for (int j = 0; j < 3; j++) inertia[i][j] = (i == j ? sum : 0) - spread[i][j];
    }
    if (!(trace > (REAL)2e-10 * rest_spread) || rest_spread == 0) return;
    REAL det = NAME(cramer)((const REAL(*)[3])inertia, momentum, unused);
    bool thin = det < (REAL)1e-5 * trace * trace * trace;
    for (int i = 0; i < 3 && thin && !rules->no_shift; i++) inertia[i][i] += (REAL)1e-5 * trace;
    if (rules->cramer)
        NAME(cramer)((const REAL(*)[3])inertia, momentum, spin);
    else
        NAME(factored)((const REAL(*)[3])inertia, momentum, spin);
}

static void NAME(match)(ref_body* b, const ref_rules* rules, int32_t c, NAME(motion) * out) {
    int32_t begin = b->starts[c], end = b->starts[c + 1];
    REAL total = 0, place[3] = {0, 0, 0}, push[3] = {0, 0, 0}, momentum[3] = {0, 0, 0};
    REAL apq[3][3] = {{0}}, spread[3][3] = {{0}}, rest_spread = 0, x[3], v[3], q[4];
    NAME(seen)(b, rules, b->members[begin], out->origin, v);
    for (int32_t m = begin; m < end; m++) {
        REAL w = (REAL)b->w[m];
        NAME(seen)(b, rules, b->members[m], x, v);
        total += w;
        for (int k = 0; k < 3; k++) place[k] += w * (x[k] - out->origin[k]);
        for (int k = 0; k < 3; k++) push[k] += w * v[k];
    }
    for (int k = 0; k < 3; k++) out->centre[k] = place[k] / total;
    for (int k = 0; k < 3; k++) out->velocity[k] = push[k] / total;
    for (int32_t m = begin; m < end; m++) {
        REAL w = (REAL)b->w[m], moment[3];
        NAME(seen)(b, rules, b->members[m], x, v);
        for (int k = 0; k < 3; k++) x[k] = x[k] - out->origin[k] - out->centre[k];
        NAME(cross)(x, v, moment);
        for (int i = 0; i < 3; i++) {
            momentum[i] += w * moment[i];
            rest_spread += w * (REAL)b->q[m][i] * (REAL)b->q[m][i];
            for (int j = 0; j < 3; j++) apq[i][j] += w * x[i] * (REAL)b->q[m][j];
            for (int j = 0; j < 3; j++) spread[i][j] += w * x[i] * x[j];
        }
    }
    for (int k = 0; k < 4; k++) q[k] = (REAL)b->rotation[c][k];
    if (rules->scheme == REF_D) {
        NAME(spin)(rules, spread, rest_spread, momentum, out->spin);
        REAL ahead[4] = {0, 0, 0, 1}, old[4];
        for (int k = 0; k < 3; k++) ahead[k] = (REAL)rules->h * out->spin[k] / 2;
        memcpy(old, q, sizeof old);
        if (!rules->no_predict) NAME(turn)(ahead, old, q);
    }
    NAME(rotate)(rules, apq, q);
    NAME(matrix)(q, out->r);
    for (int k = 0; k < 4; k++) b->rotation[c][k] = (double)q[k];
}

/* Adds what the cluster asks of its members to `want`. */
static void NAME(ask)(ref_body* b, const ref_rules* rules, int32_t c, const NAME(motion) * motion) {
    REAL pull = (REAL)(rules->alpha / rules->h), delta = (REAL)rules->delta;
    for (int32_t m = b->starts[c]; m < b->starts[c + 1]; m++) {
        int32_t i = b->members[m];
        REAL share = b->combination == REF_SUM ? 1 : 1 / (REAL)b->cluster_counts[i];
        REAL x[3], v[3], p[3], swirl[3], q[3];
        NAME(seen)(b, rules, i, x, v);
        for (int k = 0; k < 3; k++) p[k] = x[k] - motion->origin[k] - motion->centre[k];
        for (int k = 0; k < 3; k++) q[k] = (REAL)b->q[m][k];
        if (rules->scheme == REF_D) NAME(cross)(motion->spin, p, swirl);
        for (int k = 0; k < 3; k++) {
            REAL change = pull * (NAME(dot)(motion->r[k], q) - p[k]);
            if (rules->scheme == REF_D) change += delta * (motion->velocity[k] + swirl[k] - v[k]);
            b->want[i][k] = (double)((REAL)b->want[i][k] + share * change);
        }
    }
}

static void NAME(step)(ref_body* b, const ref_rules* rules) {
    REAL h = (REAL)rules->h;
    memset(b->want, 0, (size_t)b->count * sizeof *b->want);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        NAME(motion) motion;
        NAME(match)(b, rules, c, &motion);
        NAME(ask)(b, rules, c, &motion);
    }
    for (int32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3 && !b->pinned[i]; k++) {
            REAL v = (REAL)b->v[i][k] + (h * (REAL)rules->gravity[k] + (REAL)b->want[i][k]);
            b->v[i][k] = (double)v;
            b->x[i][k] = (double)((REAL)b->x[i][k] + h * v);
        }
    }
}
