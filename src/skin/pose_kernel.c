/* Frames of oriented particles, eight at a time. */
#include "base/simd.h"
#include "skin/kernels.h"

void SUPI_KERNEL(supi_skin_frames)(const supi_skin_pose* pose, const float base[3],
                                   supi_skin_frame* frames, supi_skin_dual* duals);

typedef struct quat_lanes {
    supi_f8 x, y, z, w;
} quat_lanes;

/* Rows as long as a quaternion, at eight places. */
F8_INLINE quat_lanes load_rows(const void* base, const int32_t* at) {
    quat_lanes q;
    rows8_to_lanes(rows8_gather(base, at), &q.x, &q.y, &q.z, &q.w);
    return q;
}

/* a b */
F8_INLINE quat_lanes product(quat_lanes a, quat_lanes b) {
    quat_lanes p;
    p.x = f8_sub(f8_madd(a.y, b.z, f8_madd(a.x, b.w, f8_mul(a.w, b.x))), f8_mul(a.z, b.y));
    p.y = f8_sub(f8_madd(a.z, b.x, f8_madd(a.y, b.w, f8_mul(a.w, b.y))), f8_mul(a.x, b.z));
    p.z = f8_sub(f8_madd(a.x, b.y, f8_madd(a.z, b.w, f8_mul(a.w, b.z))), f8_mul(a.y, b.x));
    p.w = f8_sub(f8_mul(a.w, b.w), f8_madd(a.z, b.z, f8_madd(a.y, b.y, f8_mul(a.x, b.x))));
    return p;
}

F8_INLINE quat_lanes unit(quat_lanes q) {
    supi_f8 square = f8_mul(q.x, q.x);
    square = f8_madd(q.w, q.w, f8_madd(q.z, q.z, f8_madd(q.y, q.y, square)));
    supi_f8 scale = f8_div(f8_set(1.0f), f8_sqrt(square));
    quat_lanes u = {f8_mul(q.x, scale), f8_mul(q.y, scale), f8_mul(q.z, scale), f8_mul(q.w, scale)};
    return u;
}

/* Row-major. */
F8_INLINE void find_matrix(quat_lanes q, supi_f8 m[9]) {
    const supi_f8 one = f8_set(1.0f), two = f8_set(2.0f);
    supi_f8 x2 = f8_mul(two, q.x), y2 = f8_mul(two, q.y), z2 = f8_mul(two, q.z);
    supi_f8 xx = f8_mul(x2, q.x), yy = f8_mul(y2, q.y), zz = f8_mul(z2, q.z);
    supi_f8 xy = f8_mul(x2, q.y), yz = f8_mul(y2, q.z), zx = f8_mul(z2, q.x);
    supi_f8 xw = f8_mul(x2, q.w), yw = f8_mul(y2, q.w), zw = f8_mul(z2, q.w);
    m[0] = f8_sub(one, f8_add(yy, zz));
    m[1] = f8_sub(xy, zw);
    m[2] = f8_add(zx, yw);
    m[3] = f8_add(xy, zw);
    m[4] = f8_sub(one, f8_add(zz, xx));
    m[5] = f8_sub(yz, xw);
    m[6] = f8_sub(zx, yw);
    m[7] = f8_add(yz, xw);
    m[8] = f8_sub(one, f8_add(xx, yy));
}

/* Writes four floats to each of eight places that are `stride` floats apart. */
F8_INLINE void scatter(quat_lanes v, float* base, int32_t stride, const int32_t* at) {
    supi_rows8 rows = rows8_from_lanes(v.x, v.y, v.z, v.w);
    for (int k = 0; k < 4; k++) {
        pair_store((sup_row*)(void*)(base + (size_t)stride * (size_t)at[2 * k]),
                   (sup_row*)(void*)(base + (size_t)stride * (size_t)at[2 * k + 1]), rows.r[k]);
    }
}

/* The last eight may name the last particle more than once. */
void SUPI_KERNEL(supi_skin_frames)(const supi_skin_pose* pose, const float base[3],
                                   supi_skin_frame* frames, supi_skin_dual* duals) {
    const supi_f8 zero = f8_set(0.0f), half = f8_set(0.5f);
    for (int32_t first = 0; first < pose->count; first += 8) {
        int32_t at[8];
        for (int32_t k = 0; k < 8; k++) {
            at[k] = first + k < pose->count ? first + k : pose->count - 1;
        }
        quat_lanes q = load_rows(pose->turn, at), x = load_rows(pose->x, at),
                   p = load_rows(pose->rest, at);
        if (pose->lasting) q = product(q, load_rows(pose->lasting, at));
        q = unit(q);
        supi_f8 m[9], t[3];
        find_matrix(q, m);
        const supi_f8 place[3] = {x.x, x.y, x.z};
        for (int k = 0; k < 3; k++) {
            supi_f8 turned = f8_mul(m[3 * k], p.x);
            turned = f8_madd(m[3 * k + 2], p.z, f8_madd(m[3 * k + 1], p.y, turned));
            t[k] = f8_sub(f8_sub(place[k], f8_set(base[k])), turned);
        }
        quat_lanes shift = {t[0], t[1], t[2], zero};
        for (int k = 0; k < 3; k++) {
            quat_lanes column = {m[k], m[3 + k], m[6 + k], zero};
            scatter(column, frames->columns + 4 * k, 16, at);
        }
        scatter(shift, frames->columns + 12, 16, at);
        if (!duals) continue;
        quat_lanes e = product(shift, q);
        e = (quat_lanes){f8_mul(half, e.x), f8_mul(half, e.y), f8_mul(half, e.z),
                         f8_mul(half, e.w)};
        scatter(q, duals->r, 8, at);
        scatter(e, duals->e, 8, at);
    }
}
