/* An ellipsoid in a bowl: the place of its surface furthest from a line or point. Going from each
   place to the one that is furthest in its direction never comes closer, so a few such steps from
   the ends of the axes find it. */
#include "contact/ellipsoid.h"

#include "contact/vec3.h"

#include <float.h>
#include <math.h>

#define ROUNDS 16

typedef struct line {
    sup_vec3 from, way;
    float square; /* of its length */
} line;

/* From the nearest place of the line. */
static sup_vec3 away_from(const line* l, sup_vec3 place) {
    sup_vec3 d = supi_vec3_minus(place, l->from);
    float t = l->square > 0 ? supi_vec3_dot(d, l->way) / l->square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return supi_vec3_along(d, -t, l->way);
}

/* The furthest place that is found from here. */
static void climb(const supi_ellipsoid* e, const line* l, sup_vec3 start, float* furthest,
                  sup_vec3* out, sup_vec3* place) {
    sup_vec3 at = start;
    float last = -1;
    for (int round = 0; round < ROUNDS; round++) {
        sup_vec3 away = away_from(l, at);
        float distance = sqrtf(supi_vec3_dot(away, away));
        if (!(distance > last)) break;
        last = distance;
        if (distance > *furthest) {
            *furthest = distance;
            *place = at;
            *out = supi_vec3_scaled(away, 1 / distance);
        }
        if (!(distance > 0)) break;
        at = supi_ellipsoid_foremost(e, supi_vec3_scaled(away, 1 / distance));
    }
}

supi_gap supi_ellipsoid_inside(const supi_ellipsoid* e, sup_vec3 a, sup_vec3 b, float radius) {
    line l = {a, supi_vec3_minus(b, a), 0};
    l.square = supi_vec3_dot(l.way, l.way);
    if (!(l.square >= FLT_MIN)) l.square = 0;
    float furthest = 0;
    sup_vec3 out = {0, -1, 0}, place = e->centre, away = away_from(&l, e->centre);
    for (int k = 0; k < 6; k++) {
        sup_vec3 axis = supi_vec3_from(e->axes[k / 2]);
        float reach = k % 2 ? -e->radii[k / 2] : e->radii[k / 2];
        climb(e, &l, supi_vec3_along(e->centre, reach, axis), &furthest, &out, &place);
    }
    float square = supi_vec3_dot(away, away);
    if (square >= FLT_MIN) {
        sup_vec3 n = supi_vec3_scaled(away, 1 / sqrtf(square));
        climb(e, &l, supi_ellipsoid_foremost(e, n), &furthest, &out, &place);
    }
    return (supi_gap){radius - furthest, supi_vec3_scaled(out, -1), place};
}
