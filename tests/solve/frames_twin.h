/* The same body in double. */
#ifndef SUPPLE_TESTS_SOLVE_FRAMES_TWIN_H
#define SUPPLE_TESTS_SOLVE_FRAMES_TWIN_H

#include "ref/ref_frames.h"
#include "solve/frames.h"

static inline void frames_to_twin(const frames* f, ref_frames* out) {
    memset(out, 0, sizeof *out);
    out->count = f->count;
    out->link_count = f->link_count;
    assert_true(f->count <= REF_FRAMES_MOST && f->link_count <= REF_FRAMES_LINKS);
    for (int32_t i = 0; i < f->count; i++) {
        const sup_row *x = f->slices.x + i, *v = f->slices.v + i, *w = f->slices.w + i;
        const sup_quat* q = f->slices.q + i;
        const float* d = f->moment[i];
        const double row[5][4] = {
            {(double)f->rest[i].x, (double)f->rest[i].y, (double)f->rest[i].z, 0},
            {(double)x->x, (double)x->y, (double)x->z, 0},
            {(double)v->x, (double)v->y, (double)v->z, 0},
            {(double)w->x, (double)w->y, (double)w->z, 0},
            {(double)q->x, (double)q->y, (double)q->z, (double)q->w}};
        memcpy(out->rest[i], row[0], sizeof out->rest[i]);
        memcpy(out->x[i], row[1], sizeof out->x[i]);
        memcpy(out->v[i], row[2], sizeof out->v[i]);
        memcpy(out->w[i], row[3], sizeof out->w[i]);
        memcpy(out->q[i], row[4], sizeof out->q[i]);
        const int at[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
        for (int k = 0; k < 9; k++) out->moment[i][k] = (double)d[at[k]];
        out->mass[i] = (double)f->mass[i];
        out->pinned[i] = !(f->inverse_mass[i] > 0.0f);
    }
    for (int32_t i = 0; i < f->link_count; i++) {
        const sup_link* l = f->net.links + i;
        out->links[i] = (ref_frames_link){l->a,
                                          l->b,
                                          (double)l->length,
                                          (double)l->compliance,
                                          (double)l->damping,
                                          (double)l->torsion};
    }
    /* As the kernels take them: eight at a time, the last ones of a colour again and again. */
    for (int32_t i = 0; i < f->count; i++) out->order[i] = i;
    for (int32_t i = 0, n = 0; i < 8 * f->net.classic_count; i++) {
        const int32_t* centre = f->net.rest.classic[i / 8].centre;
        if ((i & 7) == 0 || centre[i & 7] != centre[(i & 7) - 1]) out->order[n++] = centre[i & 7];
    }
    const supi_frame_settings* s = &f->settings;
    out->classic = s->mode == SUP_FRAME_CLASSIC;
    out->share = out->classic ? REF_SHARE_IMPLICIT : REF_SHARE_SQUARE;
    out->stiffness = (double)s->stiffness;
    out->damping = (double)s->damping;
    out->turn_damping = (double)s->turn_damping;
    for (int k = 0; k < 3; k++) out->gravity[k] = (double)s->gravity[k];
    out->passes = 1;
}

/* Largest differences of places (m) and rotations (rad). */
static inline double frames_from_twin(const frames* f, const ref_frames* twin, double* turned) {
    double far = 0.0;
    *turned = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        double x[3], d[3], r[9], s[9];
        frames_place(f, i, x);
        for (int k = 0; k < 3; k++) d[k] = x[k] - twin->x[i][k];
        frames_turn(f, i, r);
        ref_quaternion_matrix(twin->q[i], s);
        far = fmax(far, ref_length(d));
        *turned = fmax(*turned, ref_matrix_angle(r, s));
    }
    return far;
}

#endif
