/* Linear blend: matrices are blended, then each point is transformed once. */
#include "skin/blend_lanes.h"

void SUPI_KERNEL(supi_skin_linear)(const supi_skin_plan* plan, const supi_skin_frame* frames,
                                   const float base[3], const supi_skin_drawn* out);

/* What the frames make of eight points, before it is finished. */
typedef struct raw_lanes {
    lanes3 place, normal, tangent;
} raw_lanes;

F8_INLINE void blend_batch(const supi_skin_plan* plan, const supi_skin_frame* frames, int32_t b,
                           bool normals, bool tangents, raw_lanes* raw) {
    blend_lanes blend = blend_frames(plan, b, frames);
    raw->place = blend_place(&blend, plan->rest + 24 * b);
    if (normals) raw->normal = blend_turn(&blend, plan->normals + 24 * b);
    if (tangents) raw->tangent = blend_turn(&blend, plan->tangents + 32 * b);
}

/* A unit vector in which zeros have no sign: that of the blend depends on the batch. */
F8_INLINE lanes3 direction(lanes3 v) {
    const float nothing[3] = {0.0f, 0.0f, 0.0f};
    return lanes3_shift(lanes3_unit(v), nothing);
}

F8_INLINE void finish_batch(const supi_skin_plan* plan, int32_t b, const raw_lanes* raw,
                            const float base[3], const supi_skin_drawn* out, bool normals,
                            bool tangents, batch_way way) {
    batch_put(plan, b, way, lanes3_shift(raw->place, base), f8_set(0.0f), out->places);
    if (normals) batch_put(plan, b, way, direction(raw->normal), f8_set(0.0f), out->normals);
    if (tangents) {
        supi_f8 side = f8_load(plan->tangents + 32 * b + 24);
        batch_put(plan, b, way, direction(raw->tangent), side, out->tangents);
    }
}

/* Roots and divisions of several batches are under way at a time, but no more rows than can wait to
   be written: with AVX-512 there are places for more. */
#ifdef SUPI_SIMD_AVX512
enum { CHUNK = 8 };
#else
enum { CHUNK = 4 };
#endif

F8_INLINE void blend_all(const supi_skin_plan* plan, const supi_skin_frame* frames,
                         const float base[3], const supi_skin_drawn* out, bool normals,
                         bool tangents) {
    const batch_way way = batch_find_way(plan, out);
    for (int32_t first = 0; first < plan->batch_count; first += CHUNK) {
        int32_t left = plan->batch_count - first, count = left < CHUNK ? left : CHUNK;
        raw_lanes raw[CHUNK];
        for (int32_t i = 0; i < count; i++) {
            blend_batch(plan, frames, first + i, normals, tangents, raw + i);
            if (!normals && !tangents) {
                finish_batch(plan, first + i, raw + i, base, out, normals, tangents, way);
            }
        }
        if (!normals && !tangents) continue;
        for (int32_t i = 0; i < count; i++) {
            finish_batch(plan, first + i, raw + i, base, out, normals, tangents, way);
        }
    }
    if (way == BATCH_LINES) f8_settle();
}

void SUPI_KERNEL(supi_skin_linear)(const supi_skin_plan* plan, const supi_skin_frame* frames,
                                   const float base[3], const supi_skin_drawn* out) {
    bool normals = out->normals != NULL;
    if (out->tangents)
        blend_all(plan, frames, base, out, normals, true);
    else if (normals)
        blend_all(plan, frames, base, out, true, false);
    else
        blend_all(plan, frames, base, out, false, false);
}
