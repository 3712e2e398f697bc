/* Bodies of tetrahedra as contact sees them: a form, which never changes, and where it is now. */
#ifndef SUPPLE_CONTACT_TET_FORM_H
#define SUPPLE_CONTACT_TET_FORM_H

#include "base/arena.h"
#include "contact/contact.h"
#include "contact/vec3.h"
#include "supple/body.h"
#include "supple/overlap.h"
#include "supple/tets.h"

typedef struct supi_tet_form {
    int32_t point_count, tet_count, triangle_count;
    int32_t edge_count, surface_edge_count;
    const sup_vec3* rest;               /* m */
    const int32_t *tets, *triangles;    /* as those of sup_tets */
    const int32_t *starts, *neighbours; /* points that share an edge, ascending */
    uint8_t* outer;             /* by tetrahedron: bit k where the side across from corner k is
                                   outside */
    int32_t *fan_starts, *fans; /* triangles around each point, ascending; none: it is inside */
    int32_t* surface_edges;     /* pairs, the lower point first, ascending */
    float edge;                 /* m, mean length of the edges at rest */
    float thickness;            /* m, at rest: of its walls, where it is hollow */
    bool stands_in;             /* made up for a body that has none: see tet_stand.h */
} supi_tet_form;

/* What follows from a mesh and its edges, whose arrays stay the caller's. False: no memory. */
bool supi_tet_form_make(supi_arena* arena, const sup_tets* tets, const sup_adjacency* edges,
                        supi_tet_form* out);

typedef struct supi_tet_body {
    const supi_tet_form* form;
    sup_row* x;       /* m from the anchor, inverse mass (form->point_count) */
    sup_row* v;       /* m/s: x - h v is where the substep began */
    double anchor[3]; /* m */
    int32_t id;       /* its name from step to step; ascending among bodies */
    sup_filter filter;
    bool still;            /* does not move: meets only what does, and nothing moves it */
    bool asleep;           /* and still for that reason: what hits it wakes it */
    bool held;             /* some of its rows are pinned */
    bool thin;             /* meets its like by other means: contact/thin.h */
    int32_t locked;        /* sum of sup_axis: it does not move along these */
    int32_t reach;         /* edges that what pushes a point moves along: see tet_patch.h */
    bool points_only;      /* nobody asks who is in its tetrahedra, which stand in */
    const supi_grip* grip; /* of its first region */
    bool self;             /* meets itself */
    bool edges;            /* its edges count, too, and those of whom it meets */
    sup_overlap_mode mode;
    sup_row* shift; /* m, by row: sums of what moves it and becomes no speed; NULL: nobody asks */
} supi_tet_body;

/* Does it have an inside of its own? */
static inline bool supi_tet_solid(const supi_tet_body* body) {
    return body->form->tet_count > 0 && !body->form->stands_in;
}

/* Axes along which nothing moves it, as a sum of sup_axis. */
static inline int32_t supi_tet_stuck(const supi_tet_body* body) {
    return body->still || body->held ? SUP_AXIS_X | SUP_AXIS_Y | SUP_AXIS_Z : body->locked;
}

/* Without its parts along some axes. */
static inline sup_vec3 supi_tet_without(sup_vec3 v, int32_t axes) {
    if (axes & SUP_AXIS_X) v.x = 0;
    if (axes & SUP_AXIS_Y) v.y = 0;
    if (axes & SUP_AXIS_Z) v.z = 0;
    return v;
}

/* A row that waits to be used: it is nowhere yet. */
static inline bool supi_tet_waits(const supi_tet_body* body, int32_t row) {
    return body->form->stands_in && body->x[row].w == 0 && body->v[row].w == 0;
}

/* How many rows are in use. */
static inline int32_t supi_tet_used(const supi_tet_body* body) {
    int32_t count = body->form->point_count;
    for (int32_t i = 0; i < body->form->point_count; i++) count -= supi_tet_waits(body, i);
    return count;
}

/* How two bodies meet. */
static inline sup_overlap_mode supi_tet_mode(const supi_tet_body* a, const supi_tet_body* b) {
    return a->mode > b->mode ? a->mode : b->mode;
}

/* Where the frame of `a` lies in that of `b`: to be added to places of `a`. */
static inline void supi_tet_offset(const supi_tet_body* a, const supi_tet_body* b, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a->anchor[k] - b->anchor[k];
}

static inline sup_vec3 supi_tet_place(const supi_tet_body* body, int32_t point) {
    return supi_vec3_of_row(&body->x[point]);
}

static inline void supi_tet_corners(const supi_tet_body* body, int32_t triangle, sup_vec3 out[3]) {
    const int32_t* corner = body->form->triangles + 3 * triangle;
    for (int k = 0; k < 3; k++) out[k] = supi_tet_place(body, corner[k]);
}

/* Normal of a surface triangle as it is now, twice the area long. */
sup_vec3 supi_tet_area(const supi_tet_body* body, int32_t triangle);

/* A surface triangle as it is now. */
typedef struct supi_tet_face {
    sup_vec3 area; /* its normal, twice the area long */
    float low[3], high[3];
} supi_tet_face;
/* All of a body (form->triangle_count). */
void supi_tet_measure(const supi_tet_body* body, supi_tet_face* faces);

/* Mean of the normals around a point of the surface by their areas, unit; zero where there are
   none. */
sup_vec3 supi_tet_normal(const supi_tet_form* form, const supi_tet_face* faces, int32_t point);
/* The same for corner k (0..2) of a triangle, but only of those within 45 degrees of it: what lies
   across a sharp edge does not bend the normal of a flat side. */
sup_vec3 supi_tet_corner_normal(const supi_tet_form* form, const supi_tet_face* faces,
                                int32_t triangle, int k);

/* a, of length 1; zero where it has none. */
sup_vec3 supi_tet_unit(sup_vec3 a);

#endif
