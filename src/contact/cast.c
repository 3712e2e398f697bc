/* First touches. All ways are those relative to the shape as it stands at the end of the substep:
   the start of a particle is carried along with the shape, and what is left of its way is its
   own. */
#include "contact/cast.h"

#include "contact/vec3.h"

#include <float.h>
#include <math.h>

#define ITERATIONS 32  /* of the advance to a convex shape; 3 to 6 are usual */
#define TURNS 4        /* how often what is left of a way may slide on along another face */
#define PUSHES 8       /* out of a corner between faces */
#define SLACK 1e-5f    /* m: closer than this to the distance kept is touching */
#define ROUNDING 4e-7f /* the same as a share of the coordinates */

/* What is taken for rounding of distances at a place. */
static float slack_at(const supi_shape* shape, sup_vec3 x) {
    float largest = 0;
    const float p[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        float size = fabsf(p[k]) + fabsf(shape->centre[k]);
        largest = size > largest ? size : largest;
    }
    if (shape->kind == SUP_COLLIDER_PLANE) largest = fabsf(shape->offset);
    return SLACK + ROUNDING * largest;
}

/* v without its part along the unit vector n. */
static sup_vec3 tangent(sup_vec3 v, sup_vec3 n) {
    return supi_vec3_along(v, -supi_vec3_dot(v, n), n);
}

static void touch_at(const supi_probe* probe, supi_cast* out) {
    out->normal = probe->normal;
    out->velocity = probe->velocity;
}

/* What is allowed of an open mesh is the side where the particle is: no way leads through it. */
static void look(const supi_shape* shape, sup_vec3 x, supi_probe* probe) {
    supi_shape_probe(shape, x, supi_shape_end_side(shape, x), probe);
}

/* Moves a place outwards until it keeps the distance; false where there is no room for that. Only
   a mesh or heights can be in the way. */
static bool push_out(const supi_shape* shape, sup_vec3* x, float keep) {
    bool faces = shape->mesh || shape->heights;
    for (int i = 0; i < PUSHES; i++) {
        supi_probe probe;
        float t;
        sup_vec3 normal;
        look(shape, *x, &probe);
        float lacking = keep - probe.distance;
        if (!(lacking > SLACK)) return true;
        sup_vec3 next = supi_vec3_along(*x, lacking, probe.normal);
        if (faces && supi_shape_cross(shape, *x, next, &t, &normal)) return false;
        *x = next;
    }
    return false;
}

/* ---- Convex shapes ---- */

/* The shape lies behind the tangent plane of its nearest point, so the way to that plane is free,
   however flat it comes in. A way that leads away from the plane never meets the shape. */
static bool advance(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float keep,
                    supi_cast* out) {
    sup_vec3 way = supi_vec3_minus(to, from), x = from;
    float t = 0, closing = 0, slack = slack_at(shape, from);
    supi_probe probe = {0};
    for (out->iterations = 1;; out->iterations++) {
        x = supi_vec3_along(from, t, way);
        supi_shape_probe(shape, x, 1, &probe);
        closing = -supi_vec3_dot(probe.normal, way);
        if (!(closing > 0)) return false;
        if (probe.distance < keep + 2 * slack || out->iterations == ITERATIONS) break;
        t += (probe.distance - keep) / closing;
        if (t >= 1) return false;
    }
    touch_at(&probe, out);
    out->place = supi_vec3_along(x, 1 - t, tangent(way, probe.normal));
    push_out(shape, &out->place, keep);
    return true;
}

/* ---- Meshes and heights ---- */

/* Follows the way from face to face. A face is met where the particle is as far from it as it
   keeps, so that the touch is before the crossing. `last` is the last place that is known to be
   free; returns whether any face was met. */
static bool follow(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float keep, sup_vec3* last,
                   supi_cast* out) {
    sup_vec3 goal = to;
    *last = from;
    for (int turn = 0; turn <= TURNS; turn++) {
        float t;
        sup_vec3 normal, way = supi_vec3_minus(goal, *last);
        out->iterations = turn + 1;
        if (!supi_shape_cross(shape, *last, goal, &t, &normal)) {
            out->place = goal;
            return turn > 0;
        }
        if (supi_vec3_dot(normal, way) > 0) normal = supi_vec3_scaled(normal, -1);
        float closing = -supi_vec3_dot(normal, way);
        t = closing > 0 ? t - keep / closing : 0;
        t = t > 0 ? t : 0;
        *last = supi_vec3_along(*last, t, way);
        goal = supi_vec3_along(*last, 1 - t, tangent(way, normal));
        if (turn == 0) {
            supi_probe probe;
            look(shape, *last, &probe);
            out->normal = normal;
            out->velocity = probe.velocity;
        }
    }
    out->place = *last;
    return true;
}

/* Where there is no room at the end of the way, the particle stays at its last touch, or at worst
   where it was. */
static bool slide(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float keep, supi_cast* out) {
    sup_vec3 last;
    if (!follow(shape, from, to, keep, &last, out)) {
        supi_probe probe;
        look(shape, to, &probe);
        if (!(probe.distance < keep - slack_at(shape, to)) || probe.distance < 0) return false;
        touch_at(&probe, out);
    }
    if (push_out(shape, &out->place, keep)) return true;
    out->place = last;
    if (push_out(shape, &out->place, keep)) return true;
    out->place = from;
    return true;
}

bool supi_cast_particle(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float distance,
                        float side, supi_cast* out) {
    bool faces = shape->mesh || shape->heights;
    supi_probe probe;
    out->side = side;
    if (shape->inverted && !faces) return false;
    from = supi_shape_carry(shape, from);
    look(shape, from, &probe);
    if (!(probe.distance > 0)) return false; /* what began inside has no first touch */
    float keep = probe.distance < distance ? probe.distance : distance;
    if (!faces) return advance(shape, from, to, keep, out);
    bool met = slide(shape, from, to, keep, out);
    out->side = supi_shape_end_side(shape, met ? out->place : to);
    return met;
}
