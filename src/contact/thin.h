/* Contact of thin bodies (cloth, shells, ropes) with themselves and each other: points against
   triangles and edges against edges, kept a thickness apart, and a bound on how far the gap of each
   such pair may close within a substep. What starts uncrossed stays uncrossed.

   A substep: supi_thin_find once the candidate places are known; supi_thin_sweep beside all other
   corrections, as often as wanted; supi_thin_bound after the last of them. */
#ifndef SUPPLE_CONTACT_THIN_H
#define SUPPLE_CONTACT_THIN_H

#include "base/tasks.h"
#include "contact/contact.h"
#include "contact/sweep.h"
#include "contact/thin_kernels.h"

/* What a thin body consists of. Rows are those of the body, from 0. */
typedef struct supi_thin_features {
    const int32_t* triangles; /* rows (3 * triangle_count) */
    const int32_t* edges;     /* rows, the lower first (2 * edge_count): those of triangles too */
    const int32_t* points;    /* rows that are the end of an edge, ascending */
    int32_t triangle_count, edge_count, point_count;
    float mean_edge; /* m, at rest */
} supi_thin_features;

/* Room for the features of a surface that may change within it. */
typedef struct supi_thin_build {
    int32_t *triangles, *edges, *points;
    uint64_t *keys, *spare_keys; /* scratch, as many as edges */
    int32_t *ids, *spare_ids;
    int32_t edge_most; /* 3 for each triangle, and the edges beside */
} supi_thin_build;

/* A polygon of n corners becomes n - 2 triangles. */
int32_t supi_thin_triangle_count(const int32_t* starts, int32_t polygon_count);
/* Features of polygons, whose corners are `corners[starts[i]] ..` of `rows` (NULL: rows
   themselves), and of pairs of rows that are edges beside them. There is room for all. */
supi_thin_features supi_thin_features_fill(const supi_thin_build* build, const int32_t* starts,
                                           const int32_t* corners, const int32_t* rows,
                                           int32_t polygon_count, const int32_t* beside,
                                           int32_t beside_count, const sup_vec3* rest,
                                           int32_t row_count);

/* One thin body. Runs share no row. */
typedef struct supi_thin_body {
    int32_t run;          /* what exemptions call it; ascending in a list of bodies */
    int32_t first, count; /* rows */
    double anchor[3];     /* m, world */
    supi_thin_features features;
    const sup_vec3* rest;     /* m, by row of the body: what is close at rest may stay so */
    float half;               /* m, half its thickness */
    const supi_grip* grips;   /* by region (grip_count) */
    const uint8_t* region_of; /* of its rows; NULL: 0 for all */
    int32_t grip_count;
    sup_filter filter;
    bool held; /* does not move and is immovable for others */
} supi_thin_body;

/* What happened in a substep. */
typedef struct supi_thin_counts {
    int32_t candidates; /* pairs looked at */
    int32_t active;     /* of these, pushed apart */
    int32_t bounded;    /* kept from closing too far */
    int32_t clamped;    /* particles kept within reach */
    int32_t zoned;      /* particles that move as one with others */
    int32_t rounds;     /* of the bound */
    int32_t crossings;  /* edges through triangles at the start of the substep */
    float least;        /* the smallest gap at its start as a share of the distance to be kept */
    float led; /* the longest way of a particle that nothing moves, over the reach of others */
} supi_thin_counts;

/* Pairs of one kind between two bodies, or within one: what one worker looks for at a time. */
typedef struct supi_thin_job {
    int32_t a, b;       /* bodies: who asks, and whose tree is asked */
    bool faces;         /* points of a against triangles of b; else edges against edges */
    int32_t begin, end; /* points or edges of a */
    int32_t count;      /* pairs; while they are looked for, at most */
    int32_t block, block_count;
    int32_t surface; /* the first of its surfaces: region of a * regions of b + region of b */
    float distance;  /* m, to be kept, unless they are closer at rest */
} supi_thin_job;

/* Where a body is among all others. */
typedef struct supi_thin_place {
    int32_t first;  /* its first particle */
    int32_t island; /* the lowest body of those that may meet */
    float shift[3]; /* m, from its anchor to the origin of the island, to be added */
    float reach;    /* m, how far particles may go beyond their ways */
    supi_thin_tree triangles, edges;
} supi_thin_place;

/* Particles that move as one, under the lowest of them. */
typedef struct supi_thin_zone {
    int32_t members, fixed; /* fixed: one that nothing moves; -1: none */
    double mass, way[3];    /* kg; m, beside the way of the island, as wanted */
    float moved[3];         /* m, the same as they are allowed to */
    float low[3], high[3];  /* m, what all of them are allowed to */
} supi_thin_zone;

/* Bodies that may meet, under the lowest of them. */
typedef struct supi_thin_island {
    double origin[3]; /* m, world */
    float way[3];     /* m, the mean way of their particles; 0 where one cannot move */
    bool fixed;       /* one cannot */
} supi_thin_island;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_thin {
    const supi_thin_kernels* kernels; /* NULL: the best that the processor has */
    const supi_thin_body* bodies;     /* of the last find */
    int32_t body_count, particle_count;
    supi_thin_place* places;   /* by body */
    supi_thin_island* islands; /* by body; those of the lowest count */
    int32_t* owner;            /* by particle: its body */
    sup_row *start, *now, *v;  /* by particle, from the origin of their island; w: 1/kg */
    sup_row* rest;             /* by particle */
    sup_row *low, *high;       /* reach, by particle, without the way of the island */
    sup_row* entered;          /* by particle: `now` as it came in */
    const uint64_t* couples;   /* bodies that may meet, the lower << 32 | the higher; ascending */
    int32_t couple_count;
    supi_thin_job* jobs;
    int32_t job_count;
    supi_thin_block* blocks; /* of which only those that jobs name are set */
    supi_surface* surfaces;
    int32_t surface_count;
    bool* crossed; /* by particle: it belongs to an edge or a triangle that cross each other at the
                      start */
    bool any_crossed;
    supi_thin_counts counts;

    supi_sweep sweep;
    supi_column place_store, island_store, owner_store, start_store, now_store, v_store, rest_store,
        low_store, high_store, entered_store, node_store, job_store, block_store, surface_store,
        couple_store, box_store, hit_store, crossed_store, parent_store, zone_store, kept_store;
} supi_thin;

/* Finds the pairs of bodies that go from `start` to the candidate places x with velocities v, all
   by row of the world. `look`: the places may have come from anywhere, and what is crossed already
   is to be found; else only what was crossed before is looked at again. `exemptions` may be NULL.
   SUP_NO_MEMORY leaves no pairs. */
sup_result supi_thin_find(supi_thin* thin, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_thin_body* bodies, int32_t body_count,
                          const supi_exemptions* exemptions, const sup_row* start, const sup_row* x,
                          const sup_row* v, bool look);
/* One sweep of pushes and friction over x and v. */
void supi_thin_sweep(supi_thin* thin, sup_row* x, sup_row* v, float h);
/* No gap closes by more than it may. Nothing may move rows between this and the next start. */
void supi_thin_bound(supi_thin* thin, sup_row* x, sup_row* v, float h);
/* Forgets the pairs and keeps the memory. */
void supi_thin_clear(supi_thin* thin);
void supi_thin_free(supi_thin* thin, const sup_allocator* allocator);

/* ---- between the files of this ---- */

/* Takes over places and velocities; gives back what has changed since. */
void supi_thin_take(supi_thin* thin, const sup_row* x, const sup_row* v);
void supi_thin_give(const supi_thin* thin, sup_row* x, sup_row* v);
/* After the last sweep: what opened old overlaps, and did so, is no speed. */
void supi_thin_take_back(supi_thin* thin, float h);
/* Pairs of a block that are closer at rest than they should keep apart may stay so. */
void supi_thin_relent(const supi_thin* thin, supi_thin_block* block);
/* Boxes of all features around those of their particles in low and high. */
void supi_thin_grow_trees(supi_thin* thin);
/* Which particles are crossed at the start. `hits` is room for the features of a body. */
void supi_thin_cross(supi_thin* thin, const uint64_t* couples, int32_t couple_count, int32_t* hits);

#endif
