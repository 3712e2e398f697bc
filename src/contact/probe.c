/* Signed distance to every kind of collider, its direction, and how the surface moves. */
#include "contact/collider.h"
#include "contact/shape_frame.h"
#include "contact/vec3.h"

#include <float.h>
#include <math.h>

/* ---- Distances ---- */

static float plane_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    const float* n = shape->axes[1];
    *normal = (sup_vec3){n[0], n[1], n[2]};
    return n[0] * x.x + n[1] * x.y + n[2] * x.z - shape->offset;
}

static float sphere_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    float dx = x.x - shape->centre[0], dy = x.y - shape->centre[1], dz = x.z - shape->centre[2];
    float square = dx * dx + dy * dy + dz * dz;
    if (square < FLT_MIN) {
        *normal = (sup_vec3){0, 1, 0};
        return -shape->radius;
    }
    float length = sqrtf(square);
    *normal = (sup_vec3){dx / length, dy / length, dz / length};
    return length - shape->radius;
}

/* From the nearest point of the inner line; on that line the normal is the shape's x. */
static float capsule_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    sup_vec3 axis = supi_vec3_from(shape->axes[1]);
    sup_vec3 d = supi_vec3_minus(x, supi_vec3_from(shape->centre));
    float along = supi_vec3_dot(d, axis), end = shape->half_length;
    along = along < -end ? -end : along > end ? end : along;
    d = supi_vec3_along(d, -along, axis);
    float square = supi_vec3_dot(d, d);
    if (square < FLT_MIN) {
        *normal = supi_vec3_from(shape->axes[0]);
        return -shape->radius;
    }
    float length = sqrtf(square);
    *normal = (sup_vec3){d.x / length, d.y / length, d.z / length};
    return length - shape->radius;
}

/* The normal in the box's own frame; `q` is how far each coordinate is outside. */
static float box_normal(const float p[3], const float q[3], float normal[3]) {
    float outside[3], square = 0;
    for (int k = 0; k < 3; k++) {
        outside[k] = q[k] > 0 ? q[k] : 0;
        square += outside[k] * outside[k];
        normal[k] = 0;
    }
    if (square >= FLT_MIN) {
        float length = sqrtf(square);
        for (int k = 0; k < 3; k++) normal[k] = (p[k] < 0 ? -outside[k] : outside[k]) / length;
        return length;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        if (q[k] > q[axis]) axis = k;
    }
    normal[axis] = p[axis] < 0 ? -1.0f : 1.0f;
    return q[axis];
}

static float box_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    sup_vec3 own = supi_shape_into(shape, x);
    const float p[3] = {own.x, own.y, own.z};
    float q[3], n[3];
    for (int k = 0; k < 3; k++) q[k] = fabsf(p[k]) - shape->half_size[k] + shape->inset;
    float distance = box_normal(p, q, n) - shape->inset;
    *normal = supi_shape_turn_out(shape, (sup_vec3){n[0], n[1], n[2]});
    return distance;
}

/* Where there is nothing. */
static float nothing(const supi_shape* shape, sup_vec3* normal) {
    *normal = supi_vec3_from(shape->axes[1]);
    return FLT_MAX;
}

/* `velocity`: of the points, in the frame of the anchor. */
static float mesh_distance(const supi_shape* shape, sup_vec3 x, float side, sup_vec3* normal,
                           sup_vec3* velocity) {
    supi_trimesh_hit hit;
    *velocity = (sup_vec3){0, 0, 0};
    if (!supi_trimesh_nearest(shape->mesh, supi_shape_into(shape, x), FLT_MAX, &hit)) {
        return nothing(shape, normal);
    }
    bool turned = side < 0 && !hit.border && !supi_trimesh_closed(shape->mesh);
    *normal = supi_shape_turn_out(shape, supi_vec3_scaled(hit.normal, turned ? -1.0f : 1.0f));
    *velocity = supi_shape_turn_out(shape, hit.velocity);
    return turned ? -hit.distance : hit.distance;
}

static float heights_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    float distance;
    sup_vec3 own;
    if (!supi_heights_nearest(shape->heights, supi_shape_into(shape, x), FLT_MAX, &distance,
                              &own)) {
        return nothing(shape, normal);
    }
    *normal = supi_shape_turn_out(shape, own);
    return distance;
}

/* Of shapes without points that move, not inverted. */
static float rigid_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    switch (shape->kind) {
    case SUP_COLLIDER_SPHERE: return sphere_distance(shape, x, normal);
    case SUP_COLLIDER_BOX: return box_distance(shape, x, normal);
    case SUP_COLLIDER_CAPSULE: return capsule_distance(shape, x, normal);
    case SUP_COLLIDER_HEIGHTS: return heights_distance(shape, x, normal);
    case SUP_COLLIDER_PLANE:
    case SUP_COLLIDER_MESH: break;
    }
    return plane_distance(shape, x, normal);
}

void supi_shape_probe(const supi_shape* shape, sup_vec3 x, float side, supi_probe* out) {
    out->velocity = (sup_vec3){0, 0, 0};
    if (shape->kind == SUP_COLLIDER_MESH)
        out->distance = mesh_distance(shape, x, side, &out->normal, &out->velocity);
    else
        out->distance = rigid_distance(shape, x, &out->normal);
    if (shape->inverted) {
        out->distance = -out->distance;
        out->normal = supi_vec3_scaled(out->normal, -1);
    }
    if (shape->moves) {
        sup_vec3 r = supi_vec3_minus(x, supi_vec3_from(shape->centre));
        out->velocity = supi_vec3_along(out->velocity, 1, supi_shape_carried(shape, r, -1));
    }
}

/* ---- Motion ---- */

sup_vec3 supi_shape_carry(const supi_shape* shape, sup_vec3 x) {
    if (!shape->moves) return x;
    sup_vec3 velocity = supi_vec3_from(shape->velocity);
    sup_vec3 start = supi_vec3_along(supi_vec3_from(shape->centre), -shape->h, velocity);
    sup_vec3 rigid =
        supi_vec3_along(x, shape->h, supi_shape_carried(shape, supi_vec3_minus(x, start), 1));
    if (!shape->mesh || !(supi_trimesh_speed(shape->mesh) > 0)) return rigid;
    /* Which points are near is known only when it is there: asked twice. */
    sup_vec3 place = rigid;
    for (int round = 0; round < 2; round++) {
        supi_trimesh_hit hit;
        if (!supi_trimesh_nearest(shape->mesh, supi_shape_into(shape, place), FLT_MAX, &hit)) break;
        place = supi_vec3_along(rigid, shape->h, supi_shape_turn_out(shape, hit.velocity));
    }
    return place;
}

bool supi_shape_two_sided(const supi_shape* shape) {
    return shape->kind == SUP_COLLIDER_MESH && !supi_trimesh_closed(shape->mesh);
}

float supi_shape_end_side(const supi_shape* shape, sup_vec3 x) {
    supi_trimesh_hit hit;
    if (!supi_shape_two_sided(shape)) return 1;
    return supi_trimesh_nearest(shape->mesh, supi_shape_into(shape, x), FLT_MAX, &hit) ? hit.side
                                                                                       : 1;
}

float supi_shape_side(const supi_shape* shape, sup_vec3 x) {
    if (!supi_shape_two_sided(shape)) return 1;
    return supi_shape_end_side(shape, supi_shape_carry(shape, x));
}

bool supi_shape_cross(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float* t,
                      sup_vec3* normal) {
    sup_vec3 own_from = supi_shape_into(shape, from), own_to = supi_shape_into(shape, to);
    if (shape->kind == SUP_COLLIDER_HEIGHTS) {
        if (!supi_heights_cross(shape->heights, own_from, own_to, t, normal)) return false;
    } else {
        supi_trimesh_crossing crossing;
        if (!supi_trimesh_cross(shape->mesh, own_from, own_to, &crossing)) return false;
        *t = crossing.t;
        *normal = crossing.normal;
    }
    *normal = supi_shape_turn_out(shape, *normal);
    return true;
}

/* ---- Masks ---- */

/* Written for the compiler's vectors: no branch, no early end. */
static uint64_t pack(const uint8_t near[64], int32_t count) {
    uint64_t mask = 0;
    for (int32_t i = 0; i < count; i++) mask |= (uint64_t)near[i] << i;
    return mask;
}

static uint64_t plane_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    float nx = shape->axes[1][0], ny = shape->axes[1][1], nz = shape->axes[1][2];
    float bound = limit + shape->offset;
    uint8_t near[64];
    for (int32_t i = 0; i < count; i++) {
        near[i] = (uint8_t)((nx * x[i].x + ny * x[i].y + nz * x[i].z < bound) & (x[i].w > 0));
    }
    return pack(near, count);
}

/* How far a coordinate is outside of -half .. half. */
static inline float beyond(float p, float half) {
    float q = fabsf(p) - half;
    return q > 0 ? q : 0;
}

/* Without roots and normals: nearly all particles are far from nearly all boxes. */
static uint64_t box_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    const float *a = shape->axes[0], *b = shape->axes[1], *c = shape->axes[2];
    const float *centre = shape->centre, *half = shape->half_size;
    float bound = limit * limit;
    uint8_t near[64];
    for (int32_t i = 0; i < count; i++) {
        float dx = x[i].x - centre[0], dy = x[i].y - centre[1], dz = x[i].z - centre[2];
        float u = beyond(a[0] * dx + a[1] * dy + a[2] * dz, half[0]);
        float v = beyond(b[0] * dx + b[1] * dy + b[2] * dz, half[1]);
        float w = beyond(c[0] * dx + c[1] * dy + c[2] * dz, half[2]);
        near[i] = (uint8_t)((u * u + v * v + w * w < bound) & (x[i].w > 0));
    }
    return pack(near, count);
}

static uint64_t sphere_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    float reach = shape->radius + limit, bound = reach * reach;
    uint8_t near[64];
    for (int32_t i = 0; i < count; i++) {
        float dx = x[i].x - shape->centre[0], dy = x[i].y - shape->centre[1],
              dz = x[i].z - shape->centre[2];
        near[i] = (uint8_t)((dx * dx + dy * dy + dz * dz < bound) & (x[i].w > 0));
    }
    return pack(near, count);
}

static sup_vec3 place_of(const sup_row* x) { return (sup_vec3){x->x, x->y, x->z}; }

/* What is known of a mesh around a place of its own frame: no surface within the radius. */
typedef struct clearing {
    sup_vec3 centre;
    float radius;
    bool near;  /* the surface is not further than was asked for */
    bool solid; /* the place is in what is solid */
} clearing;

/* Looks no further than `limit` where the place cannot be inside. */
static clearing look_around(const supi_shape* shape, sup_vec3 own, float limit) {
    float low[3], high[3];
    supi_trimesh_hit hit;
    bool closed = supi_trimesh_closed(shape->mesh);
    supi_trimesh_bounds(shape->mesh, low, high);
    bool within = closed && own.x >= low[0] && own.x <= high[0] && own.y >= low[1] &&
                  own.y <= high[1] && own.z >= low[2] && own.z <= high[2];
    bool met = supi_trimesh_nearest(shape->mesh, own, within ? FLT_MAX : limit, &hit);
    float distance = met ? fabsf(hit.distance) : 0;
    bool inside = within && met && hit.distance < 0;
    return (clearing){own, distance, met && distance <= limit, closed && inside != shape->inverted};
}

/* Is all within `limit` of a place in the clearing, and so on the same side? */
static bool is_cleared(const clearing* known, sup_vec3 own, float limit) {
    sup_vec3 d = supi_vec3_minus(own, known->centre);
    return (sqrtf(supi_vec3_dot(d, d)) + limit) * 1.00001f < known->radius;
}

/* Rows that lie together are asked for together: first all of them, by the ball around them, then
   those around one that is far from the surface. */
static uint64_t mesh_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    uint64_t movable = 0, mask = 0;
    sup_vec3 own[64];
    for (int32_t i = 0; i < count; i++) {
        if (!(x[i].w > 0)) continue;
        movable |= (uint64_t)1 << i;
        own[i] = supi_shape_into(shape, place_of(&x[i]));
        const float p[3] = {own[i].x, own[i].y, own[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    if (!movable) return 0;
    sup_vec3 middle = {0.5f * (low[0] + high[0]), 0.5f * (low[1] + high[1]),
                       0.5f * (low[2] + high[2])};
    sup_vec3 corner = supi_vec3_minus((sup_vec3){high[0], high[1], high[2]}, middle);
    float radius = sqrtf(supi_vec3_dot(corner, corner)) * 1.00001f;
    clearing known = look_around(shape, middle, limit + radius);
    if (!known.near) return known.solid ? movable : 0;
    for (int32_t i = 0; i < count; i++) {
        if (!(movable >> i & 1)) continue;
        bool near = false;
        if (!is_cleared(&known, own[i], limit)) {
            known = look_around(shape, own[i], limit);
            near = known.near;
        }
        mask |= (uint64_t)(near || known.solid) << i;
    }
    return mask;
}

static bool is_near(const supi_shape* shape, sup_vec3 x, float limit) {
    float distance;
    sup_vec3 normal;
    if (shape->kind == SUP_COLLIDER_HEIGHTS) {
        return supi_heights_nearest(shape->heights, supi_shape_into(shape, x), limit, &distance,
                                    &normal);
    }
    distance = rigid_distance(shape, x, &normal);
    return (shape->inverted ? -distance : distance) < limit;
}

uint64_t supi_shape_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    if (shape->kind == SUP_COLLIDER_PLANE) return plane_mask(shape, x, count, limit);
    if (shape->kind == SUP_COLLIDER_MESH) return mesh_mask(shape, x, count, limit);
    bool solid = !shape->inverted && limit > 0;
    if (shape->kind == SUP_COLLIDER_BOX && solid) return box_mask(shape, x, count, limit);
    if (shape->kind == SUP_COLLIDER_SPHERE && solid) return sphere_mask(shape, x, count, limit);
    uint64_t mask = 0;
    for (int32_t i = 0; i < count; i++) {
        bool near = x[i].w > 0 && is_near(shape, place_of(&x[i]), limit);
        mask |= (uint64_t)near << i;
    }
    return mask;
}
