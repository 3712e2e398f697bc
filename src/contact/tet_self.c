/* A body that meets itself, through its rest shape: nothing here depends on what is inside and
   outside of a folded body now. */
#include "contact/tet_others.h"
#include "geom/facet.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define NEIGHBOURS 2.0 /* mean edges: what is nearer at rest may be a neighbour */
#define ARRIVED 1.0    /* mean edges from where a way along edges leads: it has got there */
#define FACING -0.2f   /* cosine: sides that look at the point have less */

/* The triangle of the rest surface nearest to a place; `facing` (unless zero): only of those that
   look against it now. */
static int32_t nearest_at_rest(const supi_tet_body* body, const double p[3], sup_vec3 facing,
                               supi_facet_point* out) {
    const supi_tet_form* form = body->form;
    bool any = supi_vec3_dot(facing, facing) == 0;
    int32_t best = -1;
    for (int32_t t = 0; t < form->triangle_count; t++) {
        supi_facet_point point;
        sup_vec3 c[3];
        double normal[3], away[3];
        for (int k = 0; k < 3; k++) c[k] = form->rest[form->triangles[3 * t + k]];
        supi_vector_from(&c[0], away);
        supi_vector_subtract(p, away, away);
        sup_vec3 edges[2] = {supi_vec3_minus(c[1], c[0]), supi_vec3_minus(c[2], c[0])};
        float reach = supi_vec3_dot(edges[0], edges[0]), more = supi_vec3_dot(edges[1], edges[1]);
        double gap = supi_vector_length(away) - sqrt((double)(reach > more ? reach : more));
        if (best >= 0 && gap > 0.0 && 0.999 * gap * gap > out->square) continue;
        if (!any && !(supi_vec3_dot(supi_tet_unit(supi_tet_area(body, t)), facing) < FACING)) {
            continue;
        }
        if (!supi_facet_normal(c, normal)) continue;
        supi_facet_nearest(c, p, &point);
        if (best >= 0 && !(point.square < out->square)) continue;
        *out = point;
        best = t;
    }
    return best;
}

static double rest_square(const supi_tet_form* form, int32_t point, const double place[3]) {
    double rest[3], apart[3];
    supi_vector_from(&form->rest[point], rest);
    supi_vector_subtract(place, rest, apart);
    return supi_vector_dot(apart, apart);
}

static bool is_corner(const supi_tet_form* form, int32_t tet, int32_t point) {
    const int32_t* c = form->tets + 4 * tet;
    return c[0] == point || c[1] == point || c[2] == point || c[3] == point;
}

/* Is a place in a tetrahedron of the rest shape near a point, with nothing but the body between
   them? Then edges lead there that come nearer all the way; where a gap is between them they end at
   its brink. */
static bool is_neighbour(const supi_tet_form* form, int32_t point, int32_t tet,
                         const double place[3]) {
    const double edge = (double)form->edge, arrived = ARRIVED * ARRIVED * edge * edge;
    double square = rest_square(form, point, place);
    if (!(square < NEIGHBOURS * NEIGHBOURS * edge * edge)) return false;
    for (int32_t from = -1; from != point && square > arrived && !is_corner(form, tet, point);) {
        from = point;
        for (int32_t i = form->starts[from]; i < form->starts[from + 1]; i++) {
            double next = rest_square(form, form->neighbours[i], place);
            if (!(next < square)) continue;
            square = next;
            point = form->neighbours[i];
        }
    }
    return square <= arrived || is_corner(form, tet, point);
}

bool supi_tet_with_itself(const supi_tet_body* bodies, const supi_tet_hit* hit,
                          supi_tet_contact* out) {
    const supi_tet_body* body = &bodies[hit->body];
    const supi_tet_form* form = body->form;
    double image[3] = {0.0, 0.0, 0.0}, rest[3];
    for (int k = 0; k < 4; k++) {
        supi_vector_from(&form->rest[form->tets[4 * hit->tet + k]], rest);
        for (int j = 0; j < 3; j++) image[j] += (double)hit->weights[k] * rest[j];
    }
    if (is_neighbour(form, hit->point, hit->tet, image)) return false;

    supi_facet_point nearest;
    sup_vec3 own = {0, 0, 0};
    for (int32_t i = form->fan_starts[hit->point]; i < form->fan_starts[hit->point + 1]; i++) {
        own = supi_vec3_along(own, 1, supi_tet_area(body, form->fans[i]));
    }
    int32_t triangle = nearest_at_rest(body, image, supi_tet_unit(own), &nearest);
    if (triangle < 0) triangle = nearest_at_rest(body, image, (sup_vec3){0, 0, 0}, &nearest);
    if (triangle < 0) return false;
    *out = (supi_tet_contact){.body = hit->body,
                              .other = hit->body,
                              .own_count = 1,
                              .row_count = 4,
                              .rows = {hit->point},
                              .shares = {1},
                              .tet = hit->tet,
                              .flags = SUPI_TET_OF_ITSELF | (hit->flags & SUPI_TET_INVERTED)};
    out->normal = supi_tet_unit(supi_tet_area(body, triangle));
    sup_vec3 target = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        int32_t row = form->triangles[3 * triangle + k];
        out->rows[k + 1] = row;
        out->shares[k + 1] = -(float)nearest.weights[k];
        target = supi_vec3_along(target, (float)nearest.weights[k], supi_tet_place(body, row));
    }
    sup_vec3 way = supi_vec3_minus(target, supi_tet_place(body, hit->point));
    float depth = supi_vec3_dot(way, out->normal);
    out->depth = depth > 0 ? depth : 0;
    return true;
}
