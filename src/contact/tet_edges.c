/* Edges that cross a body with no point in it. */
#include "contact/tet_others.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define CROSSINGS 16 /* of one edge that are looked at */
#define GRAZING 0.05f
#define NO_WAY 1e-3f

typedef struct crossed {
    const supi_tet_body *body, *other;
    double offset[3], low[3], high[3]; /* low, high: where both bodies are */
} crossed;

static void place_of(const crossed* c, int32_t point, double out[3]) {
    supi_vector_of_row(&c->body->x[point], out);
    for (int k = 0; k < 3; k++) out[k] += c->offset[k];
}

/* The common part of two boxes, in the frame of `other`; false: none. */
static bool find_box(crossed* c) {
    double low[2][3], high[2][3], at[3];
    for (int b = 0; b < 2; b++) {
        const supi_tet_body* body = b == 0 ? c->body : c->other;
        for (int k = 0; k < 3; k++) low[b][k] = DBL_MAX, high[b][k] = -DBL_MAX;
        for (int32_t i = 0; i < body->form->point_count; i++) {
            supi_vector_of_row(&body->x[i], at);
            for (int k = 0; k < 3; k++) {
                if (b == 0) at[k] += c->offset[k];
                low[b][k] = at[k] < low[b][k] ? at[k] : low[b][k];
                high[b][k] = at[k] > high[b][k] ? at[k] : high[b][k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        c->low[k] = low[0][k] > low[1][k] ? low[0][k] : low[1][k];
        c->high[k] = high[0][k] < high[1][k] ? high[0][k] : high[1][k];
        if (!(c->low[k] <= c->high[k])) return false;
    }
    return true;
}

static bool in_box(const crossed* c, const double from[3], const double to[3]) {
    for (int k = 0; k < 3; k++) {
        double low = from[k] < to[k] ? from[k] : to[k], high = from[k] < to[k] ? to[k] : from[k];
        if (low > c->high[k] || high < c->low[k]) return false;
    }
    return true;
}

/* The first place where the way comes in and the one where it goes out next. */
static bool find_chord(const crossed* c, const supi_tet_crossing* list, int32_t count, sup_vec3 way,
                       const supi_tet_crossing** in, const supi_tet_crossing** out) {
    *in = NULL;
    for (int32_t i = 0; i < count; i++) {
        float along = supi_vec3_dot(supi_tet_area(c->other, list[i].triangle), way);
        if (!*in && along < 0) *in = &list[i];
        if (!*in || !(along > 0)) continue;
        *out = &list[i];
        return true;
    }
    return false;
}

/* Direction and depth in the wedge of the two planes that the chord runs between. */
static bool find_depth(const crossed* c, const supi_tet_crossing* in, const supi_tet_crossing* out,
                       sup_vec3 way, supi_tet_contact* contact) {
    float length = sqrtf(supi_vec3_dot(way, way)), chord = (float)(out->t - in->t) * length;
    sup_vec3 e = supi_vec3_scaled(way, 1 / length);
    sup_vec3 n1 = supi_tet_unit(supi_tet_area(c->other, in->triangle));
    sup_vec3 n2 = supi_tet_unit(supi_tet_area(c->other, out->triangle));
    sup_vec3 g = supi_vec3_along(n1, 1, n2);
    g = supi_vec3_along(g, -supi_vec3_dot(g, e), e);
    if (!(supi_vec3_dot(g, g) > NO_WAY * NO_WAY)) return false;
    sup_vec3 r = supi_tet_unit(g);
    float a1 = -supi_vec3_dot(n1, e), a2 = supi_vec3_dot(n2, e);
    float q1 = supi_vec3_dot(n1, r), q2 = supi_vec3_dot(n2, r);
    bool grazing = a1 < GRAZING || a2 < GRAZING || q1 < GRAZING || q2 < GRAZING;
    contact->normal = r;
    contact->depth = grazing ? 0.5f * chord : chord / (q1 / a1 + q2 / a2);
    contact->goal = contact->depth;
    return true;
}

static bool try_edge(const crossed* c, const supi_tet_walls* walls, const int32_t ends[2],
                     supi_tet_contact* contact) {
    supi_tet_crossing list[CROSSINGS];
    const supi_tet_crossing *in, *out;
    double from[3], to[3];
    place_of(c, ends[0], from);
    place_of(c, ends[1], to);
    if (!in_box(c, from, to)) return false;
    sup_vec3 way = supi_vector_round(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    int32_t count = supi_tet_walls_all(walls, from, to, list, CROSSINGS);
    if (!find_chord(c, list, count, way, &in, &out)) return false;
    if (!find_depth(c, in, out, way, contact)) return false;
    double middle = 0.5 * (in->t + out->t);
    contact->own_count = 2;
    contact->row_count = 8;
    for (int k = 0; k < 2; k++) contact->rows[k] = ends[k];
    contact->shares[0] = (float)(1.0 - middle);
    contact->shares[1] = (float)middle;
    for (int k = 0; k < 6; k++) {
        const supi_tet_crossing* hit = k < 3 ? in : out;
        contact->rows[2 + k] = c->other->form->triangles[3 * hit->triangle + k % 3];
        contact->shares[2 + k] = (float)(-0.5 * hit->weights[k % 3]);
    }
    contact->tet = -1;
    contact->flags = SUPI_TET_OF_EDGE;
    return true;
}

static bool has_point(supi_tet_inside inside, int32_t point) {
    int32_t low = 0, high = inside.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (inside.hits[middle].point < point)
            low = middle + 1;
        else
            high = middle;
    }
    bool within = false, touching = false;
    for (; low < inside.count && inside.hits[low].point == point; low++) {
        within = true;
        touching = touching || (inside.hits[low].flags & SUPI_TET_ON_SURFACE);
    }
    return within && !touching;
}

/* Do points of the sides that an edge crosses find their own way out? */
static bool is_led(const supi_tet_contact* contact, supi_tet_inside back) {
    for (int k = contact->own_count; k < contact->row_count; k++) {
        if (has_point(back, contact->rows[k])) return true;
    }
    return false;
}

bool supi_tet_edges(const supi_tet_body* bodies, int32_t body, int32_t other,
                    const supi_tet_face* faces, supi_tet_inside inside, supi_tet_inside back,
                    supi_tet_room* room, const sup_allocator* allocator, supi_column* contacts,
                    int32_t* count) {
    crossed c = {.body = &bodies[body], .other = &bodies[other]};
    const supi_tet_form* form = c.body->form;
    int32_t* slots = room->slots.items;
    bool done = true;
    supi_tet_offset(c.body, c.other, c.offset);
    if (!find_box(&c)) return true;
    supi_tet_walls_build(&room->walls, c.other, faces, c.low, c.high);
    for (int32_t i = 0; i < inside.count; i++) slots[inside.hits[i].point] = 1;
    for (int32_t i = 0; i < inside.count; i++) { /* an end that only touches is outside */
        if (inside.hits[i].flags & SUPI_TET_ON_SURFACE) slots[inside.hits[i].point] = 0;
    }
    for (int32_t e = 0; done && e < form->surface_edge_count; e++) {
        const int32_t* ends = form->surface_edges + 2 * e;
        supi_tet_contact contact = {.body = body, .other = other};
        if (slots[ends[0]] || slots[ends[1]]) continue;
        if (!try_edge(&c, &room->walls, ends, &contact) || is_led(&contact, back)) continue;
        supi_tet_contact* all =
            supi_column_reserve(contacts, allocator, *count + 1, sizeof contact);
        done = all != NULL;
        if (done) all[(*count)++] = contact;
    }
    for (int32_t i = 0; i < inside.count; i++) slots[inside.hits[i].point] = 0;
    return done;
}
