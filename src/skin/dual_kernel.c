/* Dual quaternions (Kavan, Collins, Zara, O'Sullivan: Skinning with Dual Quaternions, 2007): they
   are blended, and the result, made unit, is a rigid motion. No square root is needed, as the
   length of the blend comes in squared; it is no less than the largest weight, on whose side all
   quaternions are taken. */
#include "skin/batch_lanes.h"

extern const supi_skin_kernels SUPI_KERNEL(supi_skin_kernels);
void SUPI_KERNEL(supi_skin_linear)(const supi_skin_plan* plan, const supi_skin_frame* frames,
                                   const float base[3], const supi_skin_drawn* out);
void SUPI_KERNEL(supi_skin_frames)(const supi_skin_pose* pose, const float base[3],
                                   supi_skin_frame* frames, supi_skin_dual* duals);

/* The blend of eight points, and 2 / |r|^2, which makes it unit. */
typedef struct dual_lanes {
    supi_f8 r[4], e[4], scale;
} dual_lanes;

/* Quaternions of opposite sign mean the same rotation: all are taken on the side of the strongest
   frame of the point. */
F8_INLINE void blend_duals(const supi_skin_plan* plan, int32_t batch, const supi_skin_dual* duals,
                           dual_lanes* out) {
    const int32_t* firsts = plan->firsts + 8 * batch;
    supi_rows8 rows;
    supi_f8 first[4], sum[8];
    for (int k = 0; k < 4; k++) {
        rows.r[k] = pair_load((const sup_row*)(const void*)duals[firsts[2 * k]].r,
                              (const sup_row*)(const void*)duals[firsts[2 * k + 1]].r);
    }
    for (int k = 0; k < 8; k++) sum[k] = f8_set(0.0f);
    rows8_to_lanes(rows, &first[0], &first[1], &first[2], &first[3]);
    for (int32_t i = plan->starts[batch]; i < plan->starts[batch + 1]; i++) {
        const supi_skin_dual* dual = duals + plan->frames[i];
        supi_f8 w = f8_load(plan->weights + 8 * i), r[4], side;
        for (int k = 0; k < 4; k++) {
            r[k] = f8_set(dual->r[k]);
            side = k == 0 ? f8_mul(r[k], first[k]) : f8_madd(r[k], first[k], side);
        }
        w = f8_flip(w, side);
        for (int k = 0; k < 4; k++) {
            sum[k] = f8_madd(w, r[k], sum[k]);
            sum[4 + k] = f8_madd(w, f8_set(dual->e[k]), sum[4 + k]);
        }
    }
    for (int k = 0; k < 4; k++) {
        out->r[k] = sum[k];
        out->e[k] = sum[4 + k];
    }
}

F8_INLINE void dual_measure(dual_lanes* d) {
    supi_f8 square = f8_mul(d->r[0], d->r[0]);
    for (int k = 1; k < 4; k++) square = f8_madd(d->r[k], d->r[k], square);
    d->scale = f8_div(f8_set(2.0f), square);
}

/* p + scale v x (v x p + w p) */
F8_INLINE lanes3 dual_turn(const dual_lanes* d, lanes3 p) {
    lanes3 v = {d->r[0], d->r[1], d->r[2]};
    lanes3 c = lanes3_cross(v, p);
    c = (lanes3){f8_madd(d->r[3], p.x, c.x), f8_madd(d->r[3], p.y, c.y),
                 f8_madd(d->r[3], p.z, c.z)};
    c = lanes3_cross(v, c);
    lanes3 turned = {f8_madd(d->scale, c.x, p.x), f8_madd(d->scale, c.y, p.y),
                     f8_madd(d->scale, c.z, p.z)};
    return turned;
}

/* The same, and the translation scale (w u - f v + v x u), u and f the parts of e. */
F8_INLINE lanes3 dual_place(const dual_lanes* d, lanes3 p) {
    lanes3 v = {d->r[0], d->r[1], d->r[2]}, u = {d->e[0], d->e[1], d->e[2]};
    supi_f8 w = d->r[3], f = d->e[3];
    lanes3 c = lanes3_cross(v, p);
    c = (lanes3){f8_add(f8_madd(w, p.x, c.x), u.x), f8_add(f8_madd(w, p.y, c.y), u.y),
                 f8_add(f8_madd(w, p.z, c.z), u.z)};
    c = lanes3_cross(v, c);
    c = (lanes3){f8_add(c.x, f8_sub(f8_mul(w, u.x), f8_mul(f, v.x))),
                 f8_add(c.y, f8_sub(f8_mul(w, u.y), f8_mul(f, v.y))),
                 f8_add(c.z, f8_sub(f8_mul(w, u.z), f8_mul(f, v.z)))};
    lanes3 place = {f8_madd(d->scale, c.x, p.x), f8_madd(d->scale, c.y, p.y),
                    f8_madd(d->scale, c.z, p.z)};
    return place;
}

F8_INLINE void finish_batch(const supi_skin_plan* plan, int32_t b, dual_lanes* d,
                            const float base[3], const supi_skin_drawn* out, bool normals,
                            bool tangents, batch_way way) {
    dual_measure(d);
    lanes3 place = dual_place(d, lanes3_load(plan->rest + 24 * b));
    batch_put(plan, b, way, lanes3_shift(place, base), f8_set(0.0f), out->places);
    if (normals) {
        lanes3 normal = dual_turn(d, lanes3_load(plan->normals + 24 * b));
        batch_put(plan, b, way, normal, f8_set(0.0f), out->normals);
    }
    if (tangents) {
        const float* columns = plan->tangents + 32 * b;
        lanes3 tangent = dual_turn(d, lanes3_load(columns));
        batch_put(plan, b, way, tangent, f8_load(columns + 24), out->tangents);
    }
}

/* Divisions of several batches are under way at a time, but no more rows than can wait to be
   written. */
enum { CHUNK = 4 };

F8_INLINE void blend_all(const supi_skin_plan* plan, const supi_skin_dual* duals,
                         const float base[3], const supi_skin_drawn* out, bool normals,
                         bool tangents) {
    const batch_way way = batch_find_way(plan, out);
    for (int32_t first = 0; first < plan->batch_count; first += CHUNK) {
        int32_t left = plan->batch_count - first, count = left < CHUNK ? left : CHUNK;
        dual_lanes d[CHUNK];
        for (int32_t i = 0; i < count; i++) {
            blend_duals(plan, first + i, duals, d + i);
        }
        for (int32_t i = 0; i < count; i++) {
            finish_batch(plan, first + i, d + i, base, out, normals, tangents, way);
        }
    }
    if (way == BATCH_LINES) f8_settle();
}

static void dual(const supi_skin_plan* plan, const supi_skin_dual* duals, const float base[3],
                 const supi_skin_drawn* out) {
    bool normals = out->normals != NULL;
    if (out->tangents)
        blend_all(plan, duals, base, out, normals, true);
    else if (normals)
        blend_all(plan, duals, base, out, true, false);
    else
        blend_all(plan, duals, base, out, false, false);
}

const supi_skin_kernels SUPI_KERNEL(supi_skin_kernels) = {
    SUPI_SIMD_SET,
    SUPI_KERNEL(supi_skin_frames),
    SUPI_KERNEL(supi_skin_linear),
    dual,
};
