#include "ref/ref_frames.h"

#include "ref/ref_matrix.h"

#include <math.h>
#include <string.h>

void ref_frames_exp(const double a[3], double q[4]) {
    double angle = ref_length(a), s = angle > 1e-12 ? sin(0.5 * angle) / angle : 0.5;
    for (int k = 0; k < 3; k++) q[k] = s * a[k];
    q[3] = cos(0.5 * angle);
}

void ref_frames_log(const double from[4], const double to[4], double a[3]) {
    double back[4] = {-from[0], -from[1], -from[2], from[3]}, d[4];
    ref_quaternion_product(to, back, d);
    double sign = d[3] < 0 ? -1 : 1, n = ref_length(d);
    double s = n > 1e-12 ? 2 * atan2(n, sign * d[3]) / n : 2;
    for (int k = 0; k < 3; k++) a[k] = sign * s * d[k];
}

static void turn(double q[4], const double a[3]) {
    double by[4], out[4], size = 0;
    ref_frames_exp(a, by);
    ref_quaternion_product(by, q, out);
    for (int k = 0; k < 4; k++) size += out[k] * out[k];
    for (int k = 0; k < 4; k++) q[k] = out[k] / sqrt(size);
}

/* By a constraint. */
static void turn_row(ref_frames* f, int32_t i, const double a[3]) {
    turn(f->q[i], a);
    for (int k = 0; k < 3; k++) f->cw[i][k] += a[k];
}

static void turn_row_to(ref_frames* f, int32_t i, const double q[4]) {
    double a[3];
    ref_frames_log(f->q[i], q, a);
    turn_row(f, i, a);
}

static void quaternion_of(const double r[9], double q[4]) {
    /* The largest of the four components first. */
    double t[4] = {1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8],
                   1 + r[0] + r[4] + r[8]};
    int best = 0;
    for (int k = 1; k < 4; k++) best = t[k] > t[best] ? k : best;
    double s = 0.5 / sqrt(t[best]);
    double vee[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    if (best == 3) {
        for (int k = 0; k < 3; k++) q[k] = s * vee[k];
        q[3] = s * t[3];
        return;
    }
    for (int k = 0; k < 3; k++) q[k] = s * (k == best ? t[k] : r[3 * k + best] + r[3 * best + k]);
    q[3] = s * vee[best];
}

/* ---- Groups ---- */

static int32_t members_of(const ref_frames* f, int32_t centre, int32_t* members) {
    int32_t count = 0;
    members[count++] = centre;
    for (int32_t i = 0; i < f->link_count; i++) {
        const ref_frames_link* l = f->links + i;
        if (l->a == centre) members[count++] = l->b;
        if (l->b == centre) members[count++] = l->a;
    }
    return count;
}

static double weight_of(const ref_frames* f, int32_t i) {
    int32_t members[REF_FRAMES_MEMBERS];
    return f->classic ? 1.0 : 1.0 / members_of(f, i, members);
}

/* Centre and rotation of any members with weights; joints have no moment. */
static void match(const ref_frames* f, int32_t count, const int32_t* members, const double* weight,
                  bool moments, double c[3], double rest[3], double r[9]) {
    double sum = 0, a[9] = {0}, stretch[3];
    for (int k = 0; k < 3; k++) c[k] = rest[k] = 0;
    for (int32_t i = 0; i < count; i++) {
        double mu = weight[i] * f->mass[members[i]];
        sum += mu;
        for (int k = 0; k < 3; k++) {
            c[k] += mu * f->x[members[i]][k];
            rest[k] += mu * f->rest[members[i]][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        c[k] /= sum;
        rest[k] /= sum;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t m = members[i];
        double mu = weight[i] * f->mass[m], turned[9], own[9];
        ref_quaternion_matrix(f->q[m], turned);
        if (f->wrong_order)
            ref_matrix_product(f->moment[m], turned, own);
        else
            ref_matrix_product(turned, f->moment[m], own);
        for (int k = 0; k < 9; k++) {
            a[k] += mu * (f->x[m][k / 3] - c[k / 3]) * (f->rest[m][k % 3] - rest[k % 3]);
            if (moments) a[k] += weight[i] * own[k];
        }
    }
    ref_matrix_rotation(a, r, stretch);
}

int32_t ref_frames_match(const ref_frames* f, int32_t centre, double r[9],
                         int32_t members[REF_FRAMES_MEMBERS], double goals[REF_FRAMES_MEMBERS][3]) {
    double weight[REF_FRAMES_MEMBERS] = {0}, c[3], rest[3];
    int32_t count = members_of(f, centre, members);
    for (int32_t i = 0; i < count; i++) weight[i] = weight_of(f, members[i]);
    match(f, count, members, weight, true, c, rest, r);
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = f->rest[members[i]][k] - rest[k];
        ref_matrix_apply(r, p, goals[i]);
        for (int k = 0; k < 3; k++) goals[i][k] += c[k];
    }
    return count;
}

static double share_of(const ref_frames* f, double h) {
    double square = f->stiffness * h * f->stiffness * h;
    if (f->share == REF_SHARE_HALF) return 0.5;
    if (f->share == REF_SHARE_IMPLICIT) return square / (1 + square);
    return square < 1 ? square : 1;
}

static void match_mean(ref_frames* f, double h) {
    static double way[REF_FRAMES_MOST][3], arc[REF_FRAMES_MOST][3];
    memset(way, 0, sizeof way);
    memset(arc, 0, sizeof arc);
    double s = share_of(f, h);
    for (int32_t g = 0; g < f->count; g++) {
        double r[9], goals[REF_FRAMES_MEMBERS][3], q[4];
        int32_t members[REF_FRAMES_MEMBERS];
        int32_t count = ref_frames_match(f, g, r, members, goals);
        if (count < 2) continue;
        quaternion_of(r, q);
        for (int32_t i = 0; i < count; i++) {
            int32_t m = members[i];
            double a[3], w = weight_of(f, m);
            ref_frames_log(f->q[m], q, a);
            for (int k = 0; k < 3; k++) {
                way[m][k] += w * s * (goals[i][k] - f->x[m][k]);
                arc[m][k] += w * s * a[k];
            }
        }
    }
    for (int32_t i = 0; i < f->count; i++) {
        if (f->pinned[i]) continue;
        for (int k = 0; k < 3; k++) f->x[i][k] += way[i][k];
        turn_row(f, i, arc[i]);
    }
}

static void match_classic(ref_frames* f, double h) {
    double s = share_of(f, h);
    for (int32_t n = 0; n < f->count; n++) {
        int32_t g = f->order[f->backward ? f->count - 1 - n : n];
        double r[9], goals[REF_FRAMES_MEMBERS][3], q[4];
        int32_t members[REF_FRAMES_MEMBERS];
        int32_t count = ref_frames_match(f, g, r, members, goals);
        if (count < 2) continue;
        quaternion_of(r, q);
        for (int32_t i = 0; i < count; i++) {
            int32_t m = members[i];
            for (int k = 0; k < 3 && !f->pinned[m]; k++) {
                f->x[m][k] += s * (goals[i][k] - f->x[m][k]);
            }
        }
        if (!f->pinned[g]) turn_row_to(f, g, q);
    }
    f->backward = !f->backward;
}

/* ---- Links ---- */

static void mend_links(ref_frames* f, double (*start)[3], double h) {
    for (int32_t i = 0; i < f->link_count; i++) {
        const ref_frames_link* l = f->links + i;
        double wa = f->pinned[l->a] ? 0 : 1 / f->mass[l->a];
        double wb = f->pinned[l->b] ? 0 : 1 / f->mass[l->b];
        double d[3], moved = 0;
        if (wa + wb == 0) continue;
        for (int k = 0; k < 3; k++) d[k] = f->x[l->a][k] - f->x[l->b][k];
        double far = ref_length(d), gamma = l->compliance * l->damping / h;
        for (int k = 0; k < 3; k++) {
            d[k] /= far;
            moved += d[k] * (f->x[l->a][k] - start[l->a][k] - f->x[l->b][k] + start[l->b][k]);
        }
        double pull =
            (l->length - far - gamma * moved) / ((1 + gamma) * (wa + wb) + l->compliance / (h * h));
        for (int k = 0; k < 3; k++) {
            f->x[l->a][k] += wa * pull * d[k];
            f->x[l->b][k] -= wb * pull * d[k];
        }
    }
}

/* Inverse inertia of spheres is all that is needed here. */
static double ease(const ref_frames* f, int32_t i) {
    return f->pinned[i] ? 0 : 1 / (f->moment[i][0] + f->moment[i][4]);
}

static void twist_links(ref_frames* f, double h) {
    static double arc[REF_FRAMES_MOST][3];
    int32_t n[REF_FRAMES_MOST] = {0};
    memset(arc, 0, sizeof arc);
    for (int32_t i = 0; i < f->link_count; i++) {
        if (f->links[i].torsion < 0) continue;
        n[f->links[i].a]++;
        n[f->links[i].b]++;
    }
    for (int32_t i = 0; i < f->link_count; i++) {
        const ref_frames_link* l = f->links + i;
        double e[3], back[4], d[4], ua = ease(f, l->a), ub = ease(f, l->b);
        if (l->torsion < 0 || ua + ub == 0) continue;
        for (int k = 0; k < 3; k++) e[k] = f->x[l->b][k] - f->x[l->a][k];
        double far = ref_length(e);
        for (int k = 0; k < 3; k++) back[k] = -f->q[l->a][k];
        back[3] = f->q[l->a][3];
        ref_quaternion_product(f->q[l->b], back, d);
        double sign = d[3] < 0 ? -1 : 1;
        double phi = 2 * atan2(sign * ref_dot(d, e) / far, sign * d[3]);
        double t = phi / (n[l->a] * ua + n[l->b] * ub + l->torsion / (h * h));
        for (int k = 0; k < 3; k++) {
            arc[l->a][k] += t * ua * e[k] / far;
            arc[l->b][k] -= t * ub * e[k] / far;
        }
    }
    for (int32_t i = 0; i < f->count; i++) {
        if (n[i] > 0) turn_row(f, i, arc[i]);
    }
}

/* ---- Parts that hand on their shared particles ---- */

static void match_parts(ref_frames* f) {
    int32_t n[REF_FRAMES_MOST] = {0};
    for (int32_t i = 0; i < f->part_count; i++) {
        for (int32_t k = 0; k < f->part_size[i]; k++) n[f->parts[i][k]]++;
    }
    for (int32_t step = 0; step < f->passes * f->part_count; step++) {
        int32_t i = step % f->part_count;
        double weight[REF_FRAMES_MEMBERS] = {0}, c[3], rest[3], r[9], q[4];
        for (int32_t k = 0; k < f->part_size[i]; k++) weight[k] = 1.0 / n[f->parts[i][k]];
        match(f, f->part_size[i], f->parts[i], weight, true, c, rest, r);
        quaternion_of(r, q);
        for (int32_t k = 0; k < f->part_size[i]; k++) {
            int32_t m = f->parts[i][k];
            double p[3], to[3];
            if (f->pinned[m]) continue;
            for (int j = 0; j < 3; j++) p[j] = f->rest[m][j] - rest[j];
            ref_matrix_apply(r, p, to);
            for (int j = 0; j < 3; j++) f->x[m][j] = c[j] + to[j];
            turn_row_to(f, m, q);
        }
    }
}

void ref_frames_substep(ref_frames* f, double h) {
    static double start[REF_FRAMES_MOST][3];
    double keep = exp(-f->damping * h), keep_turn = exp(-f->turn_damping * h);
    memcpy(start, f->x, sizeof start);
    memset(f->cw, 0, sizeof f->cw);
    for (int32_t i = 0; i < f->count; i++) {
        double by[3];
        if (f->pinned[i]) continue;
        for (int k = 0; k < 3; k++) {
            double gain = h * f->gravity[k];
            f->v[i][k] = f->damps_last ? keep * (f->v[i][k] + gain) : keep * f->v[i][k] + gain;
            f->w[i][k] *= keep_turn;
            f->x[i][k] += h * f->v[i][k];
            by[k] = h * f->w[i][k];
        }
        turn(f->q[i], by);
    }
    mend_links(f, start, h);
    if (f->classic)
        match_classic(f, h);
    else
        match_mean(f, h);
    match_parts(f);
    twist_links(f, h);
    for (int32_t i = 0; i < f->count; i++) {
        if (f->pinned[i]) continue;
        for (int k = 0; k < 3; k++) {
            f->v[i][k] = (f->x[i][k] - start[i][k]) / h;
            f->w[i][k] += f->cw[i][k] / h;
        }
    }
}
