/* Colliders: posed for a substep, seen from an anchor, and how near they are to a box. Distances
   are in probe.c. */
#include "contact/collider.h"

#include "base/real.h"
#include "geom/quaternion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Poses ---- */

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* How far a particle may go in a substep and need no cast. Beyond that it may end nearest to
   another side than the one where it came in, and would be pushed along its way instead of back. */
static float safe_way(const supi_shape* shape, float thickness) {
    return shape->kind == SUP_COLLIDER_PLANE ? FLT_MAX : thickness;
}

void supi_solid_make(const sup_collider_def* def, const supi_trimesh* mesh,
                     const supi_heights* heights, supi_solid* out) {
    memset(out, 0, sizeof *out);
    supi_shape* shape = &out->shape;
    shape->kind = def->kind;
    shape->inverted = def->inverted;
    shape->radius = (float)def->radius;
    shape->half_length = (float)def->half_length;
    for (int k = 0; k < 3; k++) shape->half_size[k] = (float)def->half_size[k];
    shape->mesh = mesh;
    shape->heights = heights;
    out->thickness = (float)def->thickness;
    shape->inset = def->kind == SUP_COLLIDER_BOX && def->inverted ? out->thickness : 0;
    shape->safe = safe_way(shape, out->thickness);
    out->friction_static = (float)def->friction_static;
    out->friction_kinetic = (float)def->friction_kinetic;
    out->restitution = (float)def->restitution;
    out->filter = def->filter;
    out->sensor = def->sensor;
}

/* The rotation that leads from one pose to the other, as an axis times its angle (0..pi). */
static double rotation_between(const double from[4], const double to[4], double out[3]) {
    /* to * conjugate of from, of any length */
    double w = to[3] * from[3] + to[0] * from[0] + to[1] * from[1] + to[2] * from[2];
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = from[3] * to[k] - to[3] * from[k] - (to[i] * from[j] - to[j] * from[i]);
        square += out[k] * out[k];
    }
    double length = sqrt(square), sign = w < 0.0 ? -1.0 : 1.0;
    double angle = 2.0 * supi_atan2(length, fabs(w));
    for (int k = 0; k < 3; k++) out[k] = length > 0.0 ? out[k] * (sign * angle / length) : 0.0;
    return length > 0.0 ? angle : 0.0;
}

static void set_motion(supi_shape* shape, const double from_position[3],
                       const double from_rotation[4], const double to_position[3],
                       const double to_rotation[4], double h) {
    double turn[3], angle = rotation_between(from_rotation, to_rotation, turn);
    double half = 0.5 * angle, sine = supi_sin(half);
    for (int k = 0; k < 3; k++) {
        shape->velocity[k] = (float)((to_position[k] - from_position[k]) / h);
        shape->spin[k] = (float)(turn[k] / h);
    }
    shape->chord[0] = angle > 0.0 ? (float)(supi_sin(angle) / angle) : 1;
    shape->chord[1] = angle > 0.0 ? (float)(h * 2.0 * sine * sine / (angle * angle)) : 0;
    shape->h = (float)h;
}

static bool same(const double* a, const double* b, int count) {
    for (int k = 0; k < count; k++) {
        if (a[k] != b[k]) return false;
    }
    return true;
}

void supi_solid_pose(supi_solid* solid, const double from_position[3],
                     const double from_rotation[4], const double to_position[3],
                     const double to_rotation[4], double h) {
    double m[9]; /* its columns are the turned axes */
    supi_shape* shape = &solid->shape;
    supi_quaternion_matrix(to_rotation, m);
    for (int k = 0; k < 3; k++) {
        solid->position[k] = to_position[k];
        solid->normal[k] = m[3 * k + 1];
        for (int j = 0; j < 3; j++) shape->axes[j][k] = (float)m[3 * k + j];
    }
    bool bends = shape->mesh && supi_trimesh_speed(shape->mesh) > 0;
    shape->moves =
        bends || !same(from_position, to_position, 3) || !same(from_rotation, to_rotation, 4);
    if (shape->moves) {
        set_motion(shape, from_position, from_rotation, to_position, to_rotation, h);
    } else {
        for (int k = 0; k < 3; k++) shape->velocity[k] = shape->spin[k] = 0;
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

void supi_shape_shift(supi_shape* shape, const float shift[3]) {
    const float* n = shape->axes[1];
    shape->offset -= n[0] * shift[0] + n[1] * shift[1] + n[2] * shift[2];
    for (int k = 0; k < 3; k++) shape->centre[k] -= shift[k];
}

/* ---- Boxes ---- */

/* How far the lowest point of the box is above the plane. */
static float lowest_over_plane(const supi_shape* shape, const float low[3], const float high[3]) {
    float lowest = -shape->offset;
    for (int k = 0; k < 3; k++) {
        float n = shape->axes[1][k];
        lowest += n * (n < 0 ? high[k] : low[k]);
    }
    return lowest;
}

/* Half the width of the upright box around a turned box or a capsule's inner line; 0: of a sphere
   only the centre counts. */
static float half_width(const supi_shape* shape, int k) {
    float half = 0;
    if (shape->kind == SUP_COLLIDER_BOX) {
        for (int j = 0; j < 3; j++) half += fabsf(shape->axes[j][k]) * shape->half_size[j];
    }
    if (shape->kind == SUP_COLLIDER_CAPSULE) half = fabsf(shape->axes[1][k]) * shape->half_length;
    return half;
}

static bool convex_near(const supi_shape* shape, const float low[3], const float high[3],
                        float margin) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float half = half_width(shape, k);
        float left = low[k] - (shape->centre[k] + half), right = shape->centre[k] - half - high[k];
        float gap = left > right ? left : right;
        if (gap > 0) square += gap * gap;
    }
    float limit = shape->kind == SUP_COLLIDER_BOX ? margin : margin + shape->radius;
    return square <= limit * limit;
}

/* The distance from a convex shape grows towards one of the corners of a box. */
static bool container_near(const supi_shape* shape, const float low[3], const float high[3],
                           float margin) {
    for (int corner = 0; corner < 8; corner++) {
        supi_probe probe;
        sup_vec3 x = {corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1],
                      corner & 4 ? high[2] : low[2]};
        supi_shape_probe(shape, x, 1, &probe);
        if (probe.distance <= margin) return true;
    }
    return false;
}

/* The box of a mesh or heights in their own frame. */
static void own_bounds(const supi_shape* shape, float low[3], float high[3]) {
    if (shape->kind == SUP_COLLIDER_MESH)
        supi_trimesh_bounds(shape->mesh, low, high);
    else
        supi_heights_bounds(shape->heights, low, high);
}

/* By the box around the box in the shape's own frame. Heights are solid all the way down. */
static bool bounds_near(const supi_shape* shape, const float low[3], const float high[3],
                        float margin) {
    float own_low[3], own_high[3], square = 0;
    own_bounds(shape, own_low, own_high);
    for (int k = 0; k < 3; k++) {
        float middle = 0, half = 0;
        for (int j = 0; j < 3; j++) {
            middle += shape->axes[k][j] * (0.5f * (low[j] + high[j]) - shape->centre[j]);
            half += fabsf(shape->axes[k][j]) * (0.5f * (high[j] - low[j]));
        }
        float above = middle - half - own_high[k], below = own_low[k] - (middle + half);
        if (k == 1 && shape->kind == SUP_COLLIDER_HEIGHTS) below = 0;
        float gap = above > below ? above : below;
        if (gap > 0) square += gap * gap;
    }
    return square <= margin * margin;
}

bool supi_shape_near(const supi_shape* shape, const float low[3], const float high[3],
                     float margin) {
    switch (shape->kind) {
    case SUP_COLLIDER_PLANE: return lowest_over_plane(shape, low, high) <= margin;
    case SUP_COLLIDER_MESH:
    case SUP_COLLIDER_HEIGHTS: return shape->inverted || bounds_near(shape, low, high, margin);
    case SUP_COLLIDER_SPHERE:
    case SUP_COLLIDER_BOX:
    case SUP_COLLIDER_CAPSULE: break;
    }
    return shape->inverted ? container_near(shape, low, high, margin)
                           : convex_near(shape, low, high, margin);
}

/* m, no point of the surface is further from the centre. */
static float outer_radius(const supi_shape* shape) {
    float low[3], high[3], square = 0;
    switch (shape->kind) {
    case SUP_COLLIDER_PLANE: return FLT_MAX;
    case SUP_COLLIDER_SPHERE: return shape->radius;
    case SUP_COLLIDER_CAPSULE: return shape->radius + shape->half_length;
    case SUP_COLLIDER_BOX:
        for (int k = 0; k < 3; k++) square += shape->half_size[k] * shape->half_size[k];
        return sqrtf(square);
    case SUP_COLLIDER_MESH:
    case SUP_COLLIDER_HEIGHTS: break;
    }
    own_bounds(shape, low, high);
    for (int k = 0; k < 3; k++) {
        float far = larger(fabsf(low[k]), fabsf(high[k]));
        square += far * far;
    }
    return sqrtf(square);
}

static float length_of(const float a[3]) { return sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

float supi_shape_travel(const supi_shape* shape, const float low[3], const float high[3]) {
    if (!shape->moves) return 0;
    float far[3], speed = length_of(shape->velocity), spin = length_of(shape->spin);
    for (int k = 0; k < 3; k++) {
        far[k] = larger(fabsf(low[k] - shape->centre[k]), fabsf(high[k] - shape->centre[k]));
    }
    if (spin > 0) speed += spin * smaller(length_of(far), outer_radius(shape));
    if (shape->mesh) speed += supi_trimesh_speed(shape->mesh);
    return speed * shape->h;
}
