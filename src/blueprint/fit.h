/* A rig from within: what its verbs share. */
#ifndef SUPPLE_BLUEPRINT_FIT_H
#define SUPPLE_BLUEPRINT_FIT_H

#include "base/arena.h"
#include "base/column.h"
#include "base/error.h"
#include "geom/bvh.h"
#include "geom/cloud.h"
#include "supple/fit.h"

#define SUPI_RIG_MOST 1000000 /* particles, links, parts, weights */
#define SUPI_RIG_FAR 1e6      /* m, largest coordinate */

/* The mesh as geometry sees it: points joined, polygons cut into triangles, faces outwards. */
typedef struct supi_rig_shape {
    int32_t point_count, triangle_count; /* no triangles: nothing can be sprayed */
    sup_vec3* points;
    int32_t* triangles; /* (3 * triangle_count) */
    double* sums;       /* area up to and with each triangle, m^2 (triangle_count) */
    supi_bvh tree;
    bool closed;
    int32_t open_edges;
    double area, volume, size; /* m^2; m^3, 0 unless closed; m, diagonal of the box */
    double box_volume;         /* m^3, of a box that is nowhere thinner than a thousandth */
} supi_rig_shape;

/* All that an edit can change. The columns hold what sup_rig_view says. */
typedef struct supi_rig_state {
    int32_t particle_count, link_count, part_count, member_count, weight_count, pin_count;
    supi_column places, masses, ellipsoids, turn_radii, stiffness, normals, flags, pins;
    supi_column links, part_starts, part_members, plastics, weights;
    sup_rig_settings settings;
} supi_rig_state;

struct sup_rig {
    const sup_allocator* allocator;
    sup_mesh mesh;
    supi_rig_shape shape;
    supi_rig_state now;

    /* Points inside the mesh as they were last needed: remembered, nothing else. */
    sup_vec3* lattice;
    int32_t lattice_count;
    double lattice_step; /* m; 0: none yet */
};

sup_result supi_rig_shape_make(const sup_allocator* allocator, const sup_mesh* mesh,
                               supi_rig_shape* out, sup_error* error);
void supi_rig_shape_free(const sup_allocator* allocator, supi_rig_shape* shape);
/* Lattice points inside, at most `step` m apart, or coarser where that would be millions, and finer
   where it would be few. Refuses what is not closed. They are the rig's. */
sup_result supi_rig_lattice(sup_rig* rig, double step, const sup_vec3** points, int32_t* count,
                            sup_error* error);

bool supi_rig_state_copy(const sup_allocator* allocator, const supi_rig_state* from,
                         supi_rig_state* to);
void supi_rig_state_free(const sup_allocator* allocator, supi_rig_state* state);
/* Room for so many; what is there stays. False when memory is short. */
bool supi_rig_reserve(sup_rig* rig, int32_t particles, int32_t links, int32_t parts,
                      int32_t members, int32_t weights);

/* Appends a particle with default values: room is there. Then they want masses. */
void supi_rig_append(sup_rig* rig, sup_vec3 place, uint8_t flags);
/* Masses of the particles from `before` on, which are new: what they take over from those around,
   who keep the rest. By the usual densities where all are new; without a mesh the mean of the old
   ones. Where it fails the rig has no new ones any more. */
sup_result supi_rig_weigh_new(sup_rig* rig, int32_t before, sup_error* error);
/* Keeps the particles whose mark is not 0, and what is left of all else. `map` (particle_count)
   gets the new ids, -1: gone. */
void supi_rig_keep(sup_rig* rig, const uint8_t* marks, int32_t* map);
/* The list of pins after flags have changed; it has room for all particles. */
void supi_rig_list_pins(sup_rig* rig);
/* Sorts `count` links that may run either way or stand there twice, by a and b, into the rig, which
   has room for them. Of equal ones the first stays. False (nothing changed) when memory is short.
 */
bool supi_rig_put_links(sup_rig* rig, int32_t count, sup_link* links);
/* A link as new ones are. */
sup_link supi_rig_new_link(int32_t a, int32_t b);

/* The spacing of the last spray, else the mean distance of nearest particles; 0: there are fewer
   than two. False when memory is short. */
bool supi_rig_spacing(const sup_rig* rig, double* spacing);

/* Degree and neighbours, from the links. */
typedef struct supi_rig_graph {
    int32_t* starts;     /* (particle_count + 1) */
    int32_t* neighbours; /* (2 * link_count) */
} supi_rig_graph;
bool supi_rig_graph_make(const sup_rig* rig, supi_arena* arena, supi_rig_graph* out);

sup_result supi_rig_check_brush(const sup_brush* brush, sup_error* error);
sup_result supi_rig_check_place(const double place[3], sup_error* error);
sup_result supi_rig_check_id(const sup_rig* rig, int32_t id, sup_error* error);
sup_result supi_rig_check_part(const sup_rig* rig, int32_t part, sup_error* error);
/* Refuses definitions that did not come from their default function. */
sup_result supi_rig_check_size(size_t given, size_t size, const char* name, sup_error* error);
/* Refuses rigs without a mesh that has a surface. `what`: "spray". */
sup_result supi_rig_check_mesh(const sup_rig* rig, const char* what, sup_error* error);
sup_result supi_rig_check_closed(const sup_rig* rig, sup_error* error);
bool supi_rig_is_member(const sup_rig* rig, int32_t part, int32_t particle);
/* Is it in a part beside this one? */
bool supi_rig_is_shared(const sup_rig* rig, int32_t part, int32_t particle);
/* A plastic limit that is none, or whose numbers are in their ranges. */
sup_result supi_rig_check_plastic(const sup_rig_plastic* plastic, sup_error* error);

static inline sup_vec3* supi_rig_places(const sup_rig* rig) { return rig->now.places.items; }
static inline float* supi_rig_masses(const sup_rig* rig) { return rig->now.masses.items; }
static inline sup_ellipsoid* supi_rig_ellipsoids(const sup_rig* rig) {
    return rig->now.ellipsoids.items;
}
static inline float* supi_rig_turn_radii(const sup_rig* rig) { return rig->now.turn_radii.items; }
static inline uint8_t* supi_rig_flags(const sup_rig* rig) { return rig->now.flags.items; }
static inline sup_link* supi_rig_links(const sup_rig* rig) { return rig->now.links.items; }
static inline int32_t* supi_rig_part_starts(const sup_rig* rig) {
    return rig->now.part_starts.items;
}
static inline int32_t* supi_rig_part_members(const sup_rig* rig) {
    return rig->now.part_members.items;
}
static inline sup_skin_weight* supi_rig_weights(const sup_rig* rig) {
    return rig->now.weights.items;
}

/* A whole body in one go: particles, links, shapes, masses. */
typedef struct supi_rig_body {
    sup_spray_def spray;
    sup_spray_links_def links;
    sup_fit_def shapes;
    sup_weigh_def weigh;
} supi_rig_body;
supi_rig_body supi_rig_body_default(void);
/* Of a rig that is empty but for its mesh. Where it fails the rig is good for nothing but freeing.
 */
sup_result supi_rig_make_body(sup_rig* rig, const supi_rig_body* body, sup_error* error);

/* How much of a brush is at a particle. */
double supi_rig_share(const sup_rig* rig, const sup_brush* brush, int32_t id);

#endif
