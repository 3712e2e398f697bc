/* Between the frame of an anchor and that of a shape. */
#ifndef SUPPLE_CONTACT_SHAPE_FRAME_H
#define SUPPLE_CONTACT_SHAPE_FRAME_H

#include "contact/collider.h"
#include "contact/vec3.h"

/* A direction in the shape's own frame. */
static inline sup_vec3 supi_shape_turn_in(const supi_shape* shape, sup_vec3 d) {
    return (sup_vec3){supi_vec3_dot(supi_vec3_from(shape->axes[0]), d),
                      supi_vec3_dot(supi_vec3_from(shape->axes[1]), d),
                      supi_vec3_dot(supi_vec3_from(shape->axes[2]), d)};
}

/* A place in it. */
static inline sup_vec3 supi_shape_into(const supi_shape* shape, sup_vec3 x) {
    return supi_shape_turn_in(shape, supi_vec3_minus(x, supi_vec3_from(shape->centre)));
}

/* A direction out of it. */
static inline sup_vec3 supi_shape_turn_out(const supi_shape* shape, sup_vec3 n) {
    const float(*axes)[3] = shape->axes;
    return (sup_vec3){axes[0][0] * n.x + axes[1][0] * n.y + axes[2][0] * n.z,
                      axes[0][1] * n.x + axes[1][1] * n.y + axes[2][1] * n.z,
                      axes[0][2] * n.x + axes[1][2] * n.y + axes[2][2] * n.z};
}

/* The way per time of a place r from the centre that is carried along: seen from its end (back =
   -1) or from its start (1). By the formula of Rodrigues. */
static inline sup_vec3 supi_shape_carried(const supi_shape* shape, sup_vec3 r, float back) {
    sup_vec3 spin = supi_vec3_from(shape->spin), tangent = supi_vec3_cross(spin, r);
    sup_vec3 way = supi_vec3_along(supi_vec3_from(shape->velocity), shape->chord[0], tangent);
    return supi_vec3_along(way, back * shape->chord[1], supi_vec3_cross(spin, tangent));
}

#endif
