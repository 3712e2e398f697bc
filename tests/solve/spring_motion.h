/* Bodies of springs that explicit integrators move, and the same in double beside them. */
#ifndef SUPPLE_TESTS_SPRING_MOTION_H
#define SUPPLE_TESTS_SPRING_MOTION_H

#include "ref/ref_integrators.h"
#include "solve/kernels.h"
#include "solve/step_control.h"
#include "springs.h"

typedef struct spring_motion {
    const supi_kernels* kernels;
    spring_body body;
    sup_vec3 gravity;
    bool unprojected; /* wrong: see ref_spring_list */
    supi_motion motion;
    supi_moving rows;
} spring_motion;

/* What damping of all the relative velocity would do beyond that of the part along the spring. */
static inline void spring_motion_damp_across(const spring_motion* s, const sup_row* x,
                                             const sup_row* v, sup_row* f) {
    for (int32_t e = 0; e < s->body.net.spring_count; e++) {
        const sup_spring* spring = s->body.springs + e;
        const sup_row *xa = x + spring->a, *xb = x + spring->b;
        const sup_row *va = v + spring->a, *vb = v + spring->b;
        sup_row *fa = f + spring->a, *fb = f + spring->b;
        float d[3] = {xb->x - xa->x, xb->y - xa->y, xb->z - xa->z};
        float r[3] = {vb->x - va->x, vb->y - va->y, vb->z - va->z};
        float along =
            (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++) r[k] = spring->damping * (r[k] - along * d[k]);
        *fa = (sup_row){fa->x + r[0], fa->y + r[1], fa->z + r[2], 0.0f};
        *fb = (sup_row){fb->x - r[0], fb->y - r[1], fb->z - r[2], 0.0f};
    }
}

static inline void spring_motion_forces(void* context, const sup_row* x, const sup_row* v,
                                        sup_row* f) {
    const spring_motion* s = context;
    const supi_spring_net* net = &s->body.net;
    for (int32_t i = 0; i < net->row_count; i++) {
        float m = x[i].w > 0.0f ? 1.0f / x[i].w : 0.0f;
        f[i] = (sup_row){m * s->gravity.x, m * s->gravity.y, m * s->gravity.z, 0.0f};
    }
    s->kernels->springs->forces(net, 0, net->row_count / 8, x, v, f, NULL);
    if (s->unprojected) spring_motion_damp_across(s, x, v, f);
}

/* Takes over the body. Not to be copied afterwards. */
static inline void spring_motion_init(spring_motion* s, spring_body body,
                                      sup_integrator integrator) {
    *s = (spring_motion){.kernels = supi_kernels_find(SUP_SIMD_AUTO), .body = body};
    size_t rows = (size_t)body.net.row_count * (size_t)supi_explicit_scratch(integrator);
    s->motion = (supi_motion){.integrator = integrator,
                              .row_count = body.net.row_count,
                              .forces = spring_motion_forces,
                              .context = s,
                              .span = 1.0,
                              .scratch = spring_body_new(rows, sizeof(sup_row))};
    s->rows = (supi_moving){body.x, body.v, 0.0};
}

static inline void spring_motion_free(spring_motion* s) {
    spring_body_free(&s->body);
    free(s->motion.scratch);
}

/* Particles in a line from the origin along -y, joined one by one; the first is pinned if
   `hung`. */
static inline spring_body spring_chain(int32_t count, double spacing, double mass, double stiffness,
                                       double zeta, bool hung) {
    sup_vec3* points = spring_body_new((size_t)count, sizeof *points);
    float* w = spring_body_new((size_t)count, sizeof *w);
    sup_spring* springs = spring_body_new((size_t)count, sizeof *springs);
    for (int32_t i = 0; i < count; i++) {
        points[i] = (sup_vec3){0, (float)(-spacing * i), 0};
        w[i] = hung && i == 0 ? 0.0f : (float)(1.0 / mass);
        springs[i] = (sup_spring){i, i + 1, -1.0f, (float)stiffness, -1.0f, 0, false};
    }
    spring_body body = spring_body_make(points, w, count, springs, count - 1, zeta);
    free(points);
    free(w);
    free(springs);
    return body;
}

/* A cube of n^3 particles, 6 tetrahedra to a cell: their edges go to every corner of the cell that
   lies ahead. */
static inline spring_body spring_cube(int32_t n, double spacing, double mass, double stiffness,
                                      double zeta) {
    int32_t count = n * n * n, spring_count = 0;
    sup_vec3* points = spring_body_new((size_t)count, sizeof *points);
    float* w = spring_body_new((size_t)count, sizeof *w);
    sup_spring* springs = spring_body_new(7 * (size_t)count, sizeof *springs);
    for (int32_t i = 0; i < count; i++) {
        int32_t at[3] = {i % n, i / n % n, i / (n * n)};
        points[i] = (sup_vec3){(float)(spacing * at[0]), (float)(spacing * at[1]),
                               (float)(spacing * at[2])};
        w[i] = (float)(1.0 / mass);
        for (int32_t ahead = 1; ahead < 8; ahead++) {
            int32_t dx = ahead & 1, dy = ahead >> 1 & 1, dz = ahead >> 2;
            if (at[0] + dx >= n || at[1] + dy >= n || at[2] + dz >= n) continue;
            int32_t other = i + dx + n * (dy + n * dz);
            springs[spring_count++] =
                (sup_spring){i, other, -1.0f, (float)stiffness, -1.0f, 0, false};
        }
    }
    spring_body body = spring_body_make(points, w, count, springs, spring_count, zeta);
    free(points);
    free(w);
    free(springs);
    return body;
}

/* The twin of the present state. `springs` must stay where it is. */
static inline void spring_motion_twin(const spring_motion* s, ref_system* twin,
                                      ref_spring_list* springs) {
    *twin = (ref_system){.count = 3 * s->body.count,
                         .last = s->rows.last,
                         .forces = ref_spring_list_forces,
                         .context = springs};
    *springs = (ref_spring_list){
        .system = twin,
        .springs = s->body.springs,
        .count = s->body.net.spring_count,
        .gravity = {(double)s->gravity.x, (double)s->gravity.y, (double)s->gravity.z},
        .unprojected = s->unprojected};
    for (int32_t i = 0; i < s->body.count; i++) {
        const sup_row *x = s->rows.x + i, *v = s->rows.v + i;
        const float place[3] = {x->x, x->y, x->z}, velocity[3] = {v->x, v->y, v->z};
        for (int k = 0; k < 3; k++) {
            twin->inverse_mass[3 * i + k] = (double)x->w;
            twin->x[3 * i + k] = (double)place[k];
            twin->v[3 * i + k] = (double)velocity[k];
        }
    }
}

#endif
