/* Planes, spheres and boxes as signed distance fields. */
#include "contact/collider.h"

#include "geom/quaternion.h"

#include <float.h>
#include <math.h>

void supi_solid_make(const sup_collider_def* def, supi_solid* out) {
    double m[9]; /* its columns are the turned axes */
    supi_quaternion_matrix(def->rotation, m);
    *out = (supi_solid){0};
    out->shape.kind = def->kind;
    out->shape.radius = (float)def->radius;
    for (int k = 0; k < 3; k++) {
        out->position[k] = def->position[k];
        out->normal[k] = m[3 * k + 1];
        out->shape.half_size[k] = (float)def->half_size[k];
        for (int j = 0; j < 3; j++) out->shape.axes[j][k] = (float)m[3 * k + j];
    }
}

void supi_shape_place(const supi_solid* solid, const double anchor[3], supi_shape* out) {
    *out = solid->shape;
    double offset = 0;
    for (int k = 0; k < 3; k++) {
        double difference = solid->position[k] - anchor[k];
        out->centre[k] = (float)difference;
        offset += solid->normal[k] * difference;
    }
    out->offset = (float)offset;
}

static float dot3(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

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
    const float d[3] = {x.x - shape->centre[0], x.y - shape->centre[1], x.z - shape->centre[2]};
    float p[3], q[3], n[3];
    for (int k = 0; k < 3; k++) {
        p[k] = dot3(shape->axes[k], d);
        q[k] = fabsf(p[k]) - shape->half_size[k];
    }
    float distance = box_normal(p, q, n);
    const float(*axes)[3] = shape->axes;
    normal->x = axes[0][0] * n[0] + axes[1][0] * n[1] + axes[2][0] * n[2];
    normal->y = axes[0][1] * n[0] + axes[1][1] * n[1] + axes[2][1] * n[2];
    normal->z = axes[0][2] * n[0] + axes[1][2] * n[1] + axes[2][2] * n[2];
    return distance;
}

void supi_shape_shift(supi_shape* shape, const float shift[3]) {
    const float* n = shape->axes[1];
    shape->offset -= n[0] * shift[0] + n[1] * shift[1] + n[2] * shift[2];
    for (int k = 0; k < 3; k++) shape->centre[k] -= shift[k];
}

float supi_shape_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal) {
    switch (shape->kind) {
    case SUP_COLLIDER_SPHERE: return sphere_distance(shape, x, normal);
    case SUP_COLLIDER_BOX: return box_distance(shape, x, normal);
    case SUP_COLLIDER_PLANE: break;
    }
    return plane_distance(shape, x, normal);
}

/* How far the lowest point of the box is above the plane. */
static float lowest_over_plane(const supi_shape* shape, const float low[3], const float high[3]) {
    float lowest = -shape->offset;
    for (int k = 0; k < 3; k++) {
        float n = shape->axes[1][k];
        lowest += n * (n < 0 ? high[k] : low[k]);
    }
    return lowest;
}

/* Half the width of the upright box around a turned one, or 0: of a sphere only the centre counts.
 */
static float half_width(const supi_shape* shape, int k) {
    float half = 0;
    if (shape->kind == SUP_COLLIDER_BOX) {
        for (int j = 0; j < 3; j++) half += fabsf(shape->axes[j][k]) * shape->half_size[j];
    }
    return half;
}

bool supi_shape_near(const supi_shape* shape, const float low[3], const float high[3],
                     float margin) {
    if (shape->kind == SUP_COLLIDER_PLANE) return lowest_over_plane(shape, low, high) <= margin;
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float half = half_width(shape, k);
        float left = low[k] - (shape->centre[k] + half), right = shape->centre[k] - half - high[k];
        float gap = left > right ? left : right;
        if (gap > 0) square += gap * gap;
    }
    float limit = shape->kind == SUP_COLLIDER_SPHERE ? margin + shape->radius : margin;
    return square <= limit * limit;
}

/* Written for the compiler's vectors: no branch, no early end. */
static uint64_t plane_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    float nx = shape->axes[1][0], ny = shape->axes[1][1], nz = shape->axes[1][2];
    float bound = limit + shape->offset;
    uint8_t near[64];
    for (int32_t i = 0; i < count; i++) {
        near[i] = (uint8_t)((nx * x[i].x + ny * x[i].y + nz * x[i].z < bound) & (x[i].w > 0));
    }
    uint64_t mask = 0;
    for (int32_t i = 0; i < count; i++) mask |= (uint64_t)near[i] << i;
    return mask;
}

uint64_t supi_shape_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit) {
    if (shape->kind == SUP_COLLIDER_PLANE) return plane_mask(shape, x, count, limit);
    uint64_t mask = 0;
    for (int32_t i = 0; i < count; i++) {
        sup_vec3 normal;
        bool near = x[i].w > 0 &&
                    supi_shape_distance(shape, (sup_vec3){x[i].x, x[i].y, x[i].z}, &normal) < limit;
        mask |= (uint64_t)near << i;
    }
    return mask;
}
