#include "skin/undo.h"

#include "geom/quaternion.h"
#include "geom/vector.h"

#include <math.h>

enum { MOST_STEPS = 32 };
/* Blends that shrink volumes more are not turned round. */
static const double least_volume = 0.05;
/* The search ends where it is this near, in sizes of the body. */
static const double near_enough = 1e-5;
/* A step that is not shorter than this share of the last one is halved: it may go to and fro. */
static const double shrinking = 0.5;

/* place = m rest + shift, m row-major. */
typedef struct map {
    double m[9], shift[3];
} map;

static void add_frame(const supi_skin_frame* frame, double weight, map* out) {
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            out->m[3 * k + j] += weight * (double)frame->columns[4 * j + k];
        }
        out->shift[k] += weight * (double)frame->columns[12 + k];
    }
}

static const supi_slot* strongest(int32_t count, const supi_slot* slots) {
    const supi_slot* best = slots;
    for (int32_t i = 1; i < count; i++) {
        if (slots[i].weight > best->weight) best = slots + i;
    }
    return best;
}

/* The blend of dual quaternions is a rigid motion. */
static void blend_duals(const supi_skin_dual* duals, int32_t count, const supi_slot* slots,
                        map* out) {
    const float* first = duals[strongest(count, slots)->frame].r;
    double r[4] = {0}, e[4] = {0}, square = 0.0, shift[4];
    for (int32_t i = 0; i < count; i++) {
        const supi_skin_dual* d = duals + slots[i].frame;
        double side = 0.0;
        for (int k = 0; k < 4; k++) side += (double)d->r[k] * (double)first[k];
        double w = side < 0.0 ? -slots[i].weight : slots[i].weight;
        for (int k = 0; k < 4; k++) {
            r[k] += w * (double)d->r[k];
            e[k] += w * (double)d->e[k];
        }
    }
    for (int k = 0; k < 4; k++) square += r[k] * r[k];
    const double back[4] = {-r[0], -r[1], -r[2], r[3]};
    supi_quaternion_product(e, back, shift);
    for (int k = 0; k < 3; k++) out->shift[k] = 2.0 * shift[k] / square;
    supi_quaternion_matrix(r, out->m);
}

static void find_map(const supi_skin_blend* blend, int32_t count, const supi_slot* slots,
                     map* out) {
    *out = (map){{0}, {0}};
    if (blend->duals) {
        blend_duals(blend->duals, count, slots, out);
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        add_frame(blend->frames + slots[i].frame, slots[i].weight, out);
    }
}

/* Back through the map; false where it shrinks volumes too much. */
static bool turn_round(const map* a, const double place[3], double rest[3]) {
    double cross[3][3], away[3];
    for (int k = 0; k < 3; k++) {
        supi_vector_cross(a->m + 3 * ((k + 1) % 3), a->m + 3 * ((k + 2) % 3), cross[k]);
    }
    double volume = supi_vector_dot(a->m, cross[0]);
    if (!(volume > least_volume)) return false;
    supi_vector_subtract(place, a->shift, away);
    for (int k = 0; k < 3; k++) {
        rest[k] = (cross[0][k] * away[0] + cross[1][k] * away[1] + cross[2][k] * away[2]) / volume;
    }
    return true;
}

/* Back through one frame, which is rigid: the transposed matrix does it. */
static void undo_frame(const supi_skin_frame* frame, const double place[3], double rest[3]) {
    map a = {{0}, {0}};
    double away[3];
    add_frame(frame, 1.0, &a);
    supi_vector_subtract(place, a.shift, away);
    for (int k = 0; k < 3; k++) {
        rest[k] = a.m[k] * away[0] + a.m[3 + k] * away[1] + a.m[6 + k] * away[2];
    }
}

bool supi_skin_undo(const supi_skin_blend* blend, int32_t count, const supi_slot* slots,
                    const double place[3], double rest[3]) {
    map a;
    find_map(blend, count, slots, &a);
    if (turn_round(&a, place, rest)) return true;
    undo_frame(blend->frames + strongest(count, slots)->frame, place, rest);
    return false;
}

/* ---- Unknown weights ---- */

static void from_quat(const sup_quat* q, double out[4]) {
    out[0] = (double)q->x, out[1] = (double)q->y, out[2] = (double)q->z, out[3] = (double)q->w;
}

/* The ellipsoid of a particle as it lies now. */
static sup_ellipsoid turn_ellipsoid(const supi_skin_pose* pose, int32_t i,
                                    const sup_ellipsoid* rest) {
    sup_ellipsoid e = *rest;
    double q[4], axes[4];
    from_quat(pose->turn + i, q);
    from_quat(&rest->rotation, axes);
    if (pose->lasting) {
        double lasting[4];
        from_quat(pose->lasting + i, lasting);
        supi_quaternion_product(q, lasting, q);
    }
    supi_quaternion_product(q, axes, q);
    e.rotation = (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    return e;
}

bool supi_skin_search_build(supi_carriers* rest, int32_t most, double size,
                            const supi_skin_pose* pose, const supi_skin_blend* blend,
                            const float origin[3], const float base[3], supi_arena* arena,
                            supi_skin_search* out) {
    size_t count = (size_t)pose->count;
    supi_carriers_def def = rest->def;
    sup_vec3* centres = supi_arena_push(arena, count, sizeof *centres);
    sup_ellipsoid* ellipsoids = supi_arena_push(arena, count, sizeof *ellipsoids);
    if (!centres || !ellipsoids) return false;
    for (int32_t i = 0; i < pose->count; i++) {
        const sup_row* x = pose->x + i;
        centres[i] = (sup_vec3){x->x - base[0], x->y - base[1], x->z - base[2]};
        if (def.ellipsoids) ellipsoids[i] = turn_ellipsoid(pose, i, def.ellipsoids + i);
    }
    def.centres = centres;
    def.ellipsoids = def.ellipsoids ? ellipsoids : NULL;
    *out = (supi_skin_search){
        .blend = *blend, .rest = rest, .origin = origin, .most = most, .near = near_enough * size};
    return supi_carriers_build(&def, arena, &out->now);
}

bool supi_skin_search_find(supi_skin_search* search, const double place[3], double rest[3]) {
    const supi_skin_frame* frames = search->blend.frames;
    double first[3], y[3], last = HUGE_VAL;
    undo_frame(frames + supi_carriers_nearest(&search->now, place), place, first);
    for (int k = 0; k < 3; k++) rest[k] = first[k];
    for (int step = 0; step < MOST_STEPS; step++) {
        supi_slot slots[SUPI_CARRIER_SLOTS];
        int32_t home;
        double at[3], way[3];
        map a;
        for (int k = 0; k < 3; k++) at[k] = rest[k] + (double)search->origin[k];
        int32_t count = supi_carriers_weigh(search->rest, at, search->most, slots, &home);
        find_map(&search->blend, count, slots, &a);
        if (!turn_round(&a, place, y)) {
            for (int k = 0; k < 3; k++) rest[k] = first[k];
            return false;
        }
        supi_vector_subtract(y, rest, way);
        double length = supi_vector_length(way), part = length > shrinking * last ? 0.5 : 1.0;
        for (int k = 0; k < 3; k++) rest[k] += part * way[k];
        if (length < search->near) return true;
        last = length;
    }
    return false;
}
