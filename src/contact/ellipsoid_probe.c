/* An ellipsoid against any collider. */
#include "contact/ellipsoid.h"

#include "contact/shape_frame.h"
#include "contact/vec3.h"

#include <float.h>
#include <math.h>

static supi_gap nothing(const supi_shape* shape, const supi_ellipsoid* e) {
    return (supi_gap){FLT_MAX, supi_vec3_from(shape->axes[1]), e->centre};
}

/* ---- Triangles ---- */

/* The deepest triangle so far, among those whose outer side the centre sees: of a thin wall the
   far side is not what was met. */
typedef struct deepest {
    const supi_ellipsoid* e; /* in the frame of the shape */
    float side;              /* that is outside; 0: both */
    supi_gap gap;
} deepest;

static void look(void* context, const sup_vec3 corners[3]) {
    deepest* d = context;
    sup_vec3 n = supi_vec3_cross(supi_vec3_minus(corners[1], corners[0]),
                                 supi_vec3_minus(corners[2], corners[0]));
    float above = supi_vec3_dot(n, supi_vec3_minus(d->e->centre, corners[0]));
    if (above * d->side < 0) return;
    supi_gap gap = supi_ellipsoid_facet(d->e, corners);
    if (gap.distance < d->gap.distance) d->gap = gap;
}

static supi_ellipsoid into_shape(const supi_shape* shape, const supi_ellipsoid* e) {
    supi_ellipsoid own = {.centre = supi_shape_into(shape, e->centre),
                          .radii = {e->radii[0], e->radii[1], e->radii[2]}};
    for (int k = 0; k < 3; k++) {
        sup_vec3 axis = supi_shape_turn_in(shape, supi_vec3_from(e->axes[k]));
        own.axes[k][0] = axis.x;
        own.axes[k][1] = axis.y;
        own.axes[k][2] = axis.z;
    }
    return own;
}

static void box_around(const supi_ellipsoid* e, float margin, float low[3], float high[3]) {
    const float at[3] = {e->centre.x, e->centre.y, e->centre.z};
    for (int k = 0; k < 3; k++) {
        sup_vec3 axis = {k == 0, k == 1, k == 2};
        float reach = supi_ellipsoid_reach(e, axis) * 1.0001f + margin;
        low[k] = at[k] - reach;
        high[k] = at[k] + reach;
    }
}

/* The plane through the place nearest to the centre, which is `distance` away along n. */
static supi_gap as_plane(const supi_ellipsoid* e, float distance, sup_vec3 n) {
    return supi_ellipsoid_plane(e, n, supi_vec3_dot(n, e->centre) - distance);
}

/* Whichever of the triangles around is met most; where none is within the margin, that, along the
   normal of the nearest one. */
static supi_gap against_triangles(const supi_shape* shape, const supi_ellipsoid* own, float side,
                                  float margin, float distance, sup_vec3 n) {
    if (!(distance > 0)) return as_plane(own, distance, n);
    deepest d = {own, side, {FLT_MAX, n, own->centre}};
    float low[3], high[3];
    box_around(own, margin, low, high);
    if (shape->kind == SUP_COLLIDER_MESH)
        supi_trimesh_visit(shape->mesh, low, high, look, &d);
    else
        supi_heights_visit(shape->heights, low, high, look, &d);
    if (d.gap.distance < margin) return d.gap;
    d.gap = as_plane(own, distance, n);
    d.gap.distance = margin;
    return d.gap;
}

static supi_gap out_of_shape(const supi_shape* shape, supi_gap own) {
    sup_vec3 place = supi_shape_turn_out(shape, own.place);
    return (supi_gap){own.distance, supi_shape_turn_out(shape, own.normal),
                      supi_vec3_along(place, 1, supi_vec3_from(shape->centre))};
}

static supi_gap mesh_gap(const supi_shape* shape, const supi_ellipsoid* e, float side,
                         float margin) {
    supi_ellipsoid own = into_shape(shape, e);
    supi_trimesh_hit hit;
    if (!supi_trimesh_nearest(shape->mesh, own.centre, FLT_MAX, &hit)) return nothing(shape, e);
    bool closed = supi_trimesh_closed(shape->mesh);
    float outside = shape->inverted ? -1 : closed ? 1 : hit.border ? 0 : side;
    bool turned = outside < 0 && !hit.border;
    float distance = turned ? -hit.distance : hit.distance;
    sup_vec3 n = turned ? supi_vec3_scaled(hit.normal, -1) : hit.normal;
    return out_of_shape(shape, against_triangles(shape, &own, outside, margin, distance, n));
}

static supi_gap heights_gap(const supi_shape* shape, const supi_ellipsoid* e, float margin) {
    supi_ellipsoid own = into_shape(shape, e);
    sup_vec3 n;
    float distance;
    if (!supi_heights_nearest(shape->heights, own.centre, FLT_MAX, &distance, &n)) {
        return nothing(shape, e);
    }
    return out_of_shape(shape, against_triangles(shape, &own, 1, margin, distance, n));
}

/* ---- Other shapes ---- */

/* A box from inside: whichever wall is met most. */
static supi_gap room_gap(const supi_shape* shape, const supi_ellipsoid* e) {
    supi_gap most = nothing(shape, e);
    sup_vec3 centre = supi_vec3_from(shape->centre);
    for (int k = 0; k < 6; k++) {
        sup_vec3 n = supi_vec3_scaled(supi_vec3_from(shape->axes[k / 2]), k % 2 ? -1 : 1);
        supi_gap wall =
            supi_ellipsoid_plane(e, n, supi_vec3_dot(n, centre) - shape->half_size[k / 2]);
        if (wall.distance < most.distance) most = wall;
    }
    return most;
}

static supi_gap plane_gap(const supi_shape* shape, const supi_ellipsoid* e) {
    float sign = shape->inverted ? -1 : 1;
    return supi_ellipsoid_plane(e, supi_vec3_scaled(supi_vec3_from(shape->axes[1]), sign),
                                sign * shape->offset);
}

static supi_gap gap_of(const supi_shape* shape, const supi_ellipsoid* e, float side, float margin) {
    sup_vec3 centre = supi_vec3_from(shape->centre), axis = supi_vec3_from(shape->axes[1]);
    float half = shape->kind == SUP_COLLIDER_CAPSULE ? shape->half_length : 0;
    sup_vec3 from = supi_vec3_along(centre, -half, axis), to = supi_vec3_along(centre, half, axis);
    switch (shape->kind) {
    case SUP_COLLIDER_SPHERE:
        if (shape->inverted) break;
        return supi_ellipsoid_sphere(e, centre, shape->radius);
    case SUP_COLLIDER_CAPSULE:
        if (shape->inverted) break;
        return supi_ellipsoid_capsule(e, from, to, shape->radius);
    case SUP_COLLIDER_BOX:
        if (shape->inverted) return room_gap(shape, e);
        return supi_ellipsoid_box(e, centre, shape->axes, shape->half_size);
    case SUP_COLLIDER_HEIGHTS: return heights_gap(shape, e, margin);
    case SUP_COLLIDER_MESH: return mesh_gap(shape, e, side, margin);
    case SUP_COLLIDER_PLANE: return plane_gap(shape, e);
    }
    return supi_ellipsoid_inside(e, from, to, shape->radius);
}

sup_vec3 supi_ellipsoid_velocity(const supi_shape* shape, sup_vec3 place) {
    sup_vec3 velocity = {0, 0, 0};
    supi_trimesh_hit hit;
    if (!shape->moves) return velocity;
    if (shape->kind == SUP_COLLIDER_MESH && supi_trimesh_speed(shape->mesh) > 0 &&
        supi_trimesh_nearest(shape->mesh, supi_shape_into(shape, place), FLT_MAX, &hit)) {
        velocity = supi_shape_turn_out(shape, hit.velocity);
    }
    sup_vec3 r = supi_vec3_minus(place, supi_vec3_from(shape->centre));
    return supi_vec3_along(velocity, 1, supi_shape_carried(shape, r, -1));
}

supi_gap supi_ellipsoid_probe(const supi_shape* shape, const supi_ellipsoid* e, float side,
                              float margin, sup_vec3* velocity) {
    supi_gap gap = gap_of(shape, e, side, margin);
    *velocity = supi_ellipsoid_velocity(shape, gap.place);
    return gap;
}
