#include "solve/anchor.h"

#include "geom/vector.h"

#include <math.h>

static void times(const double m[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
    }
}

static bool counts(const float* mass, const sup_row* x, int32_t i) {
    return x[i].w > 0.0f && (!mass || mass[i] > 0.0f);
}

void supi_anchor_look(const double about[3], const float* mass, int32_t begin, int32_t end,
                      const sup_row* x, const sup_row* v, supi_anchor_sums* sums) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    *sums = (supi_anchor_sums){0};
    for (int32_t i = begin; i < end; i++) {
        if (!counts(mass, x, i)) continue;
        double m = 1.0 / (double)x[i].w, r[3], u[3], spin[3];
        supi_vector_of_row(x + i, r);
        supi_vector_of_row(v + i, u);
        supi_vector_subtract(r, about, r);
        supi_vector_cross(r, u, spin);
        sums->mass += m;
        for (int k = 0; k < 3; k++) {
            sums->place[k] += m * r[k];
            sums->momentum[k] += m * u[k];
            sums->spin[k] += m * spin[k];
        }
        for (int k = 0; k < 6; k++) sums->spread[k] += m * r[pairs[k][0]] * r[pairs[k][1]];
    }
}

void supi_anchor_sum(const supi_anchor_sums* part, supi_anchor_sums* total) {
    total->mass += part->mass;
    for (int k = 0; k < 6; k++) total->spread[k] += part->spread[k];
    for (int k = 0; k < 3; k++) {
        total->place[k] += part->place[k];
        total->momentum[k] += part->momentum[k];
        total->spin[k] += part->spin[k];
        total->push[k] += part->push[k];
        total->turn[k] += part->turn[k];
    }
}

/* The inverse of an inertia (xx yy zz yz zx xy); that of a rod is a little widened first. */
static void invert_inertia(const double a[6], double out[9]) {
    double wide = 1e-9 * (a[0] + a[1] + a[2]);
    double xx = a[0] + wide, yy = a[1] + wide, zz = a[2] + wide, yz = a[3], zx = a[4], xy = a[5];
    double first = yy * zz - yz * yz, second = yz * zx - xy * zz, third = xy * yz - yy * zx;
    double determinant = xx * first + xy * second + zx * third;
    double d = determinant > 0.0 ? 1.0 / determinant : 0.0;
    out[0] = d * first;
    out[1] = out[3] = d * second;
    out[2] = out[6] = d * third;
    out[4] = d * (xx * zz - zx * zx);
    out[5] = out[7] = d * (xy * zx - xx * yz);
    out[8] = d * (xx * yy - xy * xy);
}

supi_anchor_whole supi_anchor_whole_of(const double about[3], const supi_anchor_sums* s) {
    supi_anchor_whole whole = {.mass = s->mass};
    double offset[3], shift[3], spread[6];
    if (!(s->mass > 0.0)) return whole;
    for (int k = 0; k < 3; k++) {
        offset[k] = s->place[k] / s->mass;
        whole.centre[k] = about[k] + offset[k];
        whole.velocity[k] = s->momentum[k] / s->mass;
    }
    for (int k = 0; k < 3; k++) {
        spread[k] = s->spread[k] - s->mass * offset[k] * offset[k];
        spread[3 + k] = s->spread[3 + k] - s->mass * offset[(k + 1) % 3] * offset[(k + 2) % 3];
    }
    supi_vector_cross(offset, s->momentum, shift);
    supi_vector_subtract(s->spin, shift, whole.spin);
    const double inertia[6] = {spread[1] + spread[2],
                               spread[2] + spread[0],
                               spread[0] + spread[1],
                               -spread[3],
                               -spread[4],
                               -spread[5]};
    invert_inertia(inertia, whole.flight);
    times(whole.flight, whole.spin, whole.rate);
    return whole;
}

static void rigid_velocity(const supi_anchor_whole* whole, const double at[3], double out[3]) {
    double arm[3];
    supi_vector_subtract(at, whole->centre, arm);
    supi_vector_cross(whole->rate, arm, out);
    for (int k = 0; k < 3; k++) out[k] += whole->velocity[k];
}

void supi_anchor_pull(const supi_anchor_job* job, int32_t begin, int32_t end, const sup_row* x,
                      const sup_row* v, sup_row* forces, supi_anchor_sums* sums) {
    const supi_anchor_whole* moving = job->moving;
    *sums = (supi_anchor_sums){0};
    for (int32_t i = begin; i < end; i++) {
        forces[i] = (sup_row){0};
        if (!counts(job->mass, x, i) || i >= job->count || (job->held && !job->held[i])) continue;
        double m = 1.0 / (double)x[i].w, at[3], u[3], arm[3], f[3];
        supi_vector_of_row(x + i, at);
        supi_vector_of_row(v + i, u);
        supi_vector_from(job->rest + i, arm);
        supi_vector_subtract(arm, job->middle, arm);
        double place[3];
        times(job->turn, arm, place);
        if (moving) {
            double rigid[3];
            rigid_velocity(moving, at, rigid);
            supi_vector_subtract(u, rigid, u);
        }
        for (int k = 0; k < 3; k++) {
            double away = at[k] - (job->to[k] + place[k]);
            f[k] = -m * (job->stiffness * away + job->damping * u[k]);
        }
        forces[i] = (sup_row){(float)f[0], (float)f[1], (float)f[2], 0.0f};
        if (!moving) continue;
        double r[3], turn[3];
        supi_vector_subtract(at, moving->centre, r);
        supi_vector_cross(r, f, turn);
        for (int k = 0; k < 3; k++) {
            sums->push[k] += f[k];
            sums->turn[k] += turn[k];
        }
    }
}

void supi_anchor_release(const supi_anchor_whole* whole, const supi_anchor_sums* sums,
                         const float* mass, int32_t begin, int32_t end, const sup_row* x,
                         sup_row* forces) {
    double rate[3];
    times(whole->flight, sums->turn, rate);
    for (int32_t i = begin; i < end; i++) {
        if (!counts(mass, x, i)) continue;
        double m = 1.0 / (double)x[i].w, r[3], spin[3];
        supi_vector_of_row(x + i, r);
        supi_vector_subtract(r, whole->centre, r);
        supi_vector_cross(rate, r, spin);
        forces[i].x -= (float)(m * (sums->push[0] / whole->mass + spin[0]));
        forces[i].y -= (float)(m * (sums->push[1] / whole->mass + spin[1]));
        forces[i].z -= (float)(m * (sums->push[2] / whole->mass + spin[2]));
    }
}

void supi_anchor_weigh(const supi_anchor_whole* whole, int32_t begin, int32_t end, const sup_row* x,
                       const sup_row* forces, supi_anchor_sums* sums) {
    *sums = (supi_anchor_sums){0};
    for (int32_t i = begin; i < end; i++) {
        if (!(x[i].w > 0.0f)) continue;
        double r[3], f[3], turn[3];
        supi_vector_of_row(x + i, r);
        supi_vector_of_row(forces + i, f);
        supi_vector_subtract(r, whole->centre, r);
        supi_vector_cross(r, f, turn);
        for (int k = 0; k < 3; k++) {
            sums->push[k] += f[k];
            sums->turn[k] += turn[k];
        }
    }
}

void supi_anchor_speed_up(const supi_anchor_sums* sums, double h, double drag,
                          supi_anchor_whole* whole) {
    double gain[3], keep = 1.0 / (1.0 + h * drag);
    if (!(whole->mass > 0.0)) return;
    times(whole->flight, sums->turn, gain);
    for (int k = 0; k < 3; k++) {
        whole->velocity[k] = keep * (whole->velocity[k] + h * sums->push[k] / whole->mass);
        whole->rate[k] = keep * (whole->rate[k] + h * gain[k]);
        whole->spin[k] = keep * (whole->spin[k] + h * sums->turn[k]);
    }
}

void supi_anchor_mend(const supi_anchor_whole* now, const supi_anchor_whole* wanted, double h,
                      int32_t begin, int32_t end, sup_row* x, sup_row* v) {
    supi_anchor_whole lack = *now; /* what the motion of the whole lacks */
    times(now->flight, wanted->spin, lack.rate);
    for (int k = 0; k < 3; k++) {
        lack.velocity[k] = wanted->velocity[k] - now->velocity[k];
        lack.rate[k] -= now->rate[k];
    }
    for (int32_t i = begin; i < end; i++) {
        if (!(x[i].w > 0.0f)) continue;
        double at[3], due[3];
        supi_vector_of_row(x + i, at);
        rigid_velocity(&lack, at, due);
        v[i].x += (float)due[0];
        v[i].y += (float)due[1];
        v[i].z += (float)due[2];
        x[i].x += (float)(h * due[0]);
        x[i].y += (float)(h * due[1]);
        x[i].z += (float)(h * due[2]);
    }
}

void supi_anchor_lead(const supi_anchor_whole* whole, const uint8_t* held, double rate,
                      int32_t begin, int32_t end, const sup_row* x, sup_row* forces) {
    for (int32_t i = begin; i < end; i++) {
        if (!(x[i].w > 0.0f) || (held && !held[i])) continue;
        double at[3], rigid[3], m = rate / (double)x[i].w;
        supi_vector_of_row(x + i, at);
        rigid_velocity(whole, at, rigid);
        forces[i].x += (float)(m * rigid[0]);
        forces[i].y += (float)(m * rigid[1]);
        forces[i].z += (float)(m * rigid[2]);
    }
}
