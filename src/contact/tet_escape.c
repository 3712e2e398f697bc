/* Rays and nearest places by asking all triangles. */
#include "contact/tet_escape.h"

#include "contact/tet_respond.h"
#include "contact/tet_walls.h"
#include "geom/bounds.h"
#include "geom/facet.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define RAY_MOST 64      /* crossings of a ray that are told apart */
#define SAME_PLACE 1e-7  /* of the ray's length */
#define ZERO_LENGTH 1e-6 /* of the diagonal: shorter is no length */

static void box_of(const supi_tet_body* body, float low[3], float high[3]) {
    for (int k = 0; k < 3; k++) low[k] = FLT_MAX, high[k] = -FLT_MAX;
    for (int32_t i = 0; i < body->form->point_count; i++) {
        const float at[3] = {body->x[i].x, body->x[i].y, body->x[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
}

float supi_tet_diagonal(const supi_tet_body* body) {
    float low[3], high[3];
    box_of(body, low, high);
    sup_vec3 size = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    return sqrtf(supi_vec3_dot(size, size));
}

sup_vec3 supi_tet_between(const supi_tet_body* from, const supi_tet_body* to,
                          const double offset[3]) {
    const supi_tet_body* bodies[2] = {from, to};
    double middle[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int b = 0; b < 2; b++) {
        double at[3], share = 1.0 / bodies[b]->form->point_count;
        for (int32_t i = 0; i < bodies[b]->form->point_count; i++) {
            supi_vector_of_row(&bodies[b]->x[i], at);
            for (int k = 0; k < 3; k++) middle[b][k] += share * at[k];
        }
    }
    return supi_vector_round(middle[1][0] + offset[0] - middle[0][0],
                             middle[1][1] + offset[1] - middle[0][1],
                             middle[1][2] + offset[2] - middle[0][2]);
}

/* 1 where the way leaves through the triangle, -1 where it comes in. */
static int sense(const supi_tet_body* body, int32_t triangle, sup_vec3 r) {
    return supi_vec3_dot(supi_tet_area(body, triangle), r) < 0 ? -1 : 1;
}

float supi_tet_exit(const supi_tet_body* body, const double p[3], sup_vec3 r) {
    supi_tet_crossing list[RAY_MOST];
    double length = 2.0 * (double)supi_tet_diagonal(body);
    const double to[3] = {p[0] + length * (double)r.x, p[1] + length * (double)r.y,
                          p[2] + length * (double)r.z};
    int32_t count = 0, kept = 0;
    for (int32_t t = 0; t < body->form->triangle_count; t++) {
        supi_tet_crossing c;
        if (!supi_tet_crosses(body, t, p, to, &c)) continue;
        count = supi_tet_crossing_insert(list, count, RAY_MOST, c);
    }
    if (count == 0) return 0;
    float last = (float)(list[count - 1].t * length);
    /* a way through an edge crosses two triangles at one place, the same way */
    int senses[RAY_MOST], winding = 0;
    for (int32_t i = 0; i < count; i++) {
        int own = sense(body, list[i].triangle, r);
        bool same =
            kept > 0 && senses[kept - 1] == own && list[i].t - list[kept - 1].t < SAME_PLACE;
        if (same) continue;
        list[kept] = list[i];
        senses[kept++] = own;
        winding += own;
    }
    for (int32_t i = 0; i < kept; i++) {
        winding -= senses[i];
        if (winding == 0 && senses[i] > 0) return (float)(list[i].t * length);
    }
    return last;
}

bool supi_tet_nearest(const supi_tet_body* body, const double p[3], double place[3],
                      int32_t* triangle) {
    double best = DBL_MAX;
    for (int32_t t = 0; t < body->form->triangle_count; t++) {
        double normal[3], middle[3], reach = 0.0;
        sup_vec3 c[3];
        supi_facet_point nearest;
        supi_tet_corners(body, t, c);
        supi_vector_from(&c[0], middle);
        for (int k = 1; k < 3; k++) {
            sup_vec3 edge = supi_vec3_minus(c[k], c[0]);
            double square = (double)supi_vec3_dot(edge, edge);
            reach = square > reach ? square : reach;
        }
        /* all of it is within reach of its first corner */
        supi_vector_subtract(p, middle, middle);
        double away = supi_vector_length(middle) - sqrt(reach);
        if (away > 0.0 && 0.999 * away * away > best) continue;
        if (!supi_facet_normal(c, normal)) continue;
        supi_facet_nearest(c, p, &nearest);
        if (!(nearest.square < best)) continue;
        best = nearest.square;
        *triangle = t;
        memcpy(place, nearest.place, sizeof nearest.place);
    }
    return best < DBL_MAX;
}

void supi_tet_escape_nearest(const supi_tet_body* body, const double p[3],
                             supi_tet_contact* contact) {
    double place[3];
    int32_t triangle;
    contact->depth = 0;
    contact->normal = (sup_vec3){0, 0, 0};
    if (!supi_tet_nearest(body, p, place, &triangle)) return;
    sup_vec3 way = supi_vector_round(place[0] - p[0], place[1] - p[1], place[2] - p[2]);
    float length = sqrtf(supi_vec3_dot(way, way));
    bool there = length < (float)ZERO_LENGTH * supi_tet_diagonal(body);
    contact->normal = supi_tet_unit(there ? supi_tet_area(body, triangle) : way);
    contact->depth = there ? 0 : length;
}

float supi_tet_deep(const supi_tet_body* bodies, const supi_tet_contact* contact) {
    const supi_tet_body *body = &bodies[contact->body], *other = &bodies[contact->other];
    float left = supi_tet_left(bodies, contact);
    double at[3], offset[3], place[3];
    int32_t triangle;
    if (body == other || (contact->flags & SUPI_TET_OF_EDGE)) return left;
    supi_tet_offset(body, other, offset);
    supi_vector_of_row(&body->x[contact->rows[0]], at);
    for (int k = 0; k < 3; k++) at[k] += offset[k];
    if (!supi_tet_nearest(other, at, place, &triangle)) return left;
    supi_vector_subtract(place, at, place);
    sup_vec3 out = supi_vector_round(place[0], place[1], place[2]);
    if (supi_vec3_dot(out, supi_tet_area(other, triangle)) < 0) return 0; /* it is out */
    float nearest = (float)supi_vector_length(place);
    return nearest < left ? nearest : left;
}
