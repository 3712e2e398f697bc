/* Surfaces that are pulled, dented and morphed: edits of a mesh in one call, without time and
   forces. Arrays in, arrays out; no function keeps a pointer it was given. */
#ifndef SUPPLE_DEFORM_H
#define SUPPLE_DEFORM_H

#include "supple/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `allocator` may be NULL everywhere here: the default one is used. */

/* ---- Pulling: the surface follows, one generation of neighbours after the other ---- */

/* Clay, a surface made ready to be pulled: its own copy of a mesh, who is beside whom along the
   edges of polygons, masses, and what the last pull has found out and the next can use again. To be
   used by one thread at a time. */
typedef struct sup_clay sup_clay;

typedef struct sup_clay_def {
    size_t size;         /* set by sup_clay_default */
    const float* masses; /* of points, 0 and more: one that is 1 follows half as far; infinity and
                            FLT_MAX: pinned (point_count). NULL (default): all 0 */
    const float* transfers; /* of edges in the order of sup_mesh_adjacency, 0..1 (edge_count): they
                               take the place of sup_pull_def.transfer. NULL (default): none */
    const float* values;    /* of corners, say uv: new corners get the mean of their neighbours
                               (corner_count * value_width). NULL (default): none */
    int32_t value_width;    /* 0..64, default 0 */
    bool keep_order;      /* default false: points are stored along a curve through space. Say true
                             when neighbours in the mesh are neighbours in memory already */
    int32_t worker_count; /* threads, the caller's included, 1..64; default 1. No bit depends on it;
                             where there are no threads it counts as 1 */
} sup_clay_def;
SUP_API sup_clay_def sup_clay_default(void);

/* Refused: what sup_mesh_create refuses, masses and transfers out of range, values that are not
   finite. */
SUP_API sup_result sup_clay_create(const sup_allocator* allocator, const sup_mesh* mesh,
                                   const sup_clay_def* def, sup_clay** out, sup_error* error);
/* NULL is fine. */
SUP_API void sup_clay_destroy(sup_clay* clay);

typedef enum sup_pull_lengths {
    SUP_PULL_CLAY,  /* edges want the length that they had before the pass: no pull, no motion */
    SUP_PULL_MEMORY /* edges want the length that they had at first: every pass also relaxes */
} sup_pull_lengths;

typedef enum sup_pull_sums {
    SUP_PULL_ORDERED,     /* sums over parents in the order of their ids: the same bits for every
                             number of threads */
    SUP_PULL_REPRODUCIBLE /* sums of whole numbers: the same bits for every numbering of points too;
                             about half as fast */
} sup_pull_sums;

typedef enum sup_pull_squeeze {
    SUP_SQUEEZE_KEEP,     /* short edges stay */
    SUP_SQUEEZE_COLLAPSE, /* they become one point, where no triangle turns over */
    SUP_SQUEEZE_SPLIT     /* they get a point in the middle, at which they may buckle */
} sup_pull_squeeze;

typedef enum sup_pull_splits {
    SUP_SPLIT_AFTER, /* after a pass, the longest over its first length first, in the middle, until
                        none is too long */
    SUP_SPLIT_WITHIN /* as the method was published: where a pass would leave a point too far behind
                        one that it follows, a new point half-way follows that one, and the old
                        point follows the new one. Edges between points of one generation stay, and
                        so may edges that are still too long */
} sup_pull_splits;

typedef struct sup_pull_def {
    size_t size;       /* set by sup_pull_default */
    double transfer;   /* 0..1, default 0.9: the part of a motion that an edge hands on. Lower it
                          when the pull reaches too far */
    double transverse; /* 0..1, default 0.5: the part that is handed on as it is, not only along
                          the edge. Raise it when a pull across the surface moves too little */
    double beta;       /* 0.05..0.5, default 0.25: no pass moves a point farther than this part of
                          the shortest edge. Lower it when faces fold */
    int32_t passes;    /* 0 (default): as many as `beta` wants, at most 64. Up to 1000; 1: all at
                          once, which is wrong for long pulls and quick for short ones */
    int32_t depth;     /* generations that move; 0 (default): all */
    bool fade;         /* default false: from depth / 2 on the motion fades, so that it ends
                          without a rim. With a depth only */
    bool pins_block;   /* default false: pinned points hand on nothing, but who is behind them is
                          reached. True: they end the way */
    sup_pull_lengths lengths; /* default SUP_PULL_CLAY */
    sup_pull_sums sums;       /* default SUP_PULL_ORDERED */
    bool remember;            /* default false: true for sup_clay_moved. Not with `split` and
                                 `squeeze`, after which points are others */
    double split;           /* an edge that has become longer than this many times its first length
                               is split: 1.1..4, often 1.5; 0 (default): none */
    sup_pull_splits splits; /* default SUP_SPLIT_AFTER */
    int32_t split_budget;   /* splits of a pass, default 256 */
    int32_t point_limit;    /* no more points than these; 0 (default): 2^30 */
    sup_pull_squeeze squeeze; /* default SUP_SQUEEZE_KEEP */
    double squeezed;          /* an edge shorter than this many times its first length is squeezed:
                                 0.1..0.9, default 0.4 */
} sup_pull_def;
SUP_API sup_pull_def sup_pull_default(void);
/* The method as it was published: transverse 0. */
SUP_API sup_pull_def sup_pull_seed(void);

/* What a pull did. */
typedef struct sup_pull_report {
    int32_t reached;     /* points with a generation, the pulled ones included */
    int32_t generations; /* of the last pass, without that of the pulled points */
    int32_t passes;
    bool capped;           /* 64 passes were too few for `beta`, or for what was left at a split:
                              then there may be fewer in the end, the first of them too long */
    int32_t ignored;       /* pulled points that are pinned */
    int32_t split, joined; /* edges */
    bool over_budget;      /* edges are left that should have been split */
    double stretch;        /* the most that an edge was longer than at first, after a pass and
                              before its splits; 0 unless edges are split or squeezed */
    double stretch_left;   /* the same after them, of edges that are long enough to be split */
} sup_pull_report;

/* Moves `count` points (ids of the mesh) by `displacements` in m, and all that hang on them. Of a
   point named twice the last displacement counts. What is found out about who follows whom is kept
   until others are pulled, a mass changes, or an edge is split. Refused: ids out of range, numbers
   that are not finite or above 1e6 m. `report` may be NULL. */
SUP_API sup_result sup_clay_pull(sup_clay* clay, const sup_pull_def* def, int32_t count,
                                 const int32_t* points, const sup_vec3* displacements,
                                 sup_pull_report* report, sup_error* error);

SUP_API int32_t sup_clay_point_count(const sup_clay* clay);
/* Where the points are, in the order of the mesh; new ones are at the end. */
SUP_API void sup_clay_points(const sup_clay* clay, sup_vec3* points);
/* Puts the points somewhere else, say back. What they are beside stays, and so do first lengths.
   Refused: numbers that are not finite. */
SUP_API sup_result sup_clay_set_points(sup_clay* clay, const sup_vec3* points, sup_error* error);
/* As in sup_clay_def; NULL: all 0. */
SUP_API sup_result sup_clay_set_masses(sup_clay* clay, const float* masses, sup_error* error);
/* Masses of all points, infinity for pins; points of a split have the mean of their ends. */
SUP_API void sup_clay_masses(const sup_clay* clay, float* masses);
/* The generation of each point in the last pass of the last pull: 0 pulled, -1 not reached. A pull
   by nothing reaches nobody. */
SUP_API void sup_clay_generations(const sup_clay* clay, int32_t* generations);
/* How far each point was moved by the last pull, if that had `remember`; all 0 otherwise. */
SUP_API void sup_clay_moved(const sup_clay* clay, sup_vec3* moved);

/* What became of points, one after the other. */
typedef enum sup_clay_event_kind {
    SUP_CLAY_SPLIT, /* `point` is new, behind all others, in the edge between `ends`; in its middle,
                       but for SUP_SPLIT_WITHIN */
    SUP_CLAY_JOIN   /* `point` has become one with ends[0], which stays (ends[1] is -1). Points
                       behind it move up by one, so ids above it are one less from then on */
} sup_clay_event_kind;
typedef struct sup_clay_event {
    sup_clay_event_kind kind;
    int32_t point;
    int32_t ends[2]; /* ids as they are before the event */
} sup_clay_event;
/* What the last pull or refinement did, in its order: to carry along what hangs on points. The
   clay's; good until the next call that changes it. */
SUP_API const sup_clay_event* sup_clay_events(const sup_clay* clay, int32_t* count);

/* Splits edges longer than `longest` m that come within `reach` m of `centre`, the longest first,
   until there are none or `point_limit` points (0: 2^30). New points are in the middle, so the
   shape stays as it is; polygons of more than three corners get corners and are not cut. For tools:
   an edge of a quarter of their radius is short enough. `split` (may be NULL): how many. Refused:
   numbers that are not finite, `longest` below 1e-9. */
SUP_API sup_result sup_clay_refine(sup_clay* clay, const double centre[3], double reach,
                                   double longest, int32_t point_limit, int32_t* split,
                                   sup_error* error);

/* The mesh as it is now. The maps may be NULL. */
typedef struct sup_clay_maps {
    const sup_allocator* allocator;
    int32_t point_count, polygon_count, value_count;
    int32_t* points;   /* the point of the first mesh, -1: made by a split (point_count) */
    int32_t* polygons; /* the polygon of the first mesh that it is a part of (polygon_count) */
    float* values;     /* of corners, as in sup_clay_def (value_count) */
} sup_clay_maps;
SUP_API void sup_clay_maps_free(sup_clay_maps* maps);
SUP_API sup_result sup_clay_mesh(const sup_clay* clay, const sup_allocator* allocator,
                                 sup_mesh* out, sup_clay_maps* maps, sup_error* error);

/* Triangles of polygons that may be bent, for drawing and contact; pulls go by the edges of the
   polygons and do not see them. A quad is cut along its shorter diagonal, unless a triangle would
   then face against the polygon as it was at `rest` (NULL: as it is); larger ones lose ear after
   ear in their mean plane. Polygons of fewer than 3 different points are left out. `diagonals` (one
   for each polygon, 0 at first; NULL: none) remembers the cuts of quads: one changes only when the
   other diagonal is 5 % shorter. */
SUP_API sup_result sup_mesh_triangulate(const sup_allocator* allocator, const sup_mesh* mesh,
                                        const sup_vec3* rest, uint8_t* diagonals, sup_mesh* out,
                                        sup_error* error);

/* ---- Tools that push space aside ---- */

typedef enum sup_warp_shape {
    SUP_WARP_BALL,      /* radii[0] */
    SUP_WARP_ELLIPSOID, /* radii: half axes */
    SUP_WARP_BOX,       /* radii: half sides */
    SUP_WARP_MESH       /* all of its surface must be seen from the centre */
} sup_warp_shape;

/* A tool appears at its centre and makes room for itself: what lies at a distance r from the centre
   goes to cbrt(r^3 + R^3), where the tool reaches to R in that direction. Volumes stay as they are
   everywhere but at the centre: a surface that holds it grows by the volume of the tool (a bulge),
   any other gets a dent and keeps its volume. For a tool that comes and goes give the points at
   rest each time; give what it has left the last time, and it carves: twice is more than once. */
typedef struct sup_warp_def {
    size_t size; /* set by sup_warp_default */
    sup_warp_shape shape;
    double centre[3];   /* m, default 0 */
    double radii[3];    /* m, 1e-6..1e6, default 1 */
    double rotation[4]; /* of the axes, unit quaternion (x, y, z, w), default none; not of a mesh */
    const sup_mesh* mesh;     /* closed, seen from outside counter-clockwise; NULL but for
                                 SUP_WARP_MESH */
    double strength;          /* 0..1, default 1: the part of the tool's volume that is there */
    double near_end, far_end; /* m from the centre: between these the tool fades. 0 and 0 (default):
                                 it reaches everywhere, ever less. Volumes change where it fades */
    bool inverse;             /* default false: the way back; for tools that do not fade */
} sup_warp_def;
SUP_API sup_warp_def sup_warp_default(void);
/* `out` may be `points`. Refused: numbers out of range, a mesh that is not closed or has faces that
   cannot be seen from the centre, and the way back of points inside of the tool, where it leaves
   none. */
SUP_API sup_result sup_points_warp(const sup_allocator* allocator, const sup_warp_def* def,
                                   int32_t count, const sup_vec3* points, sup_vec3* out,
                                   sup_error* error);

/* ---- Landmarks: points whose targets are known, and all others between them ---- */

typedef enum sup_landmark_method {
    SUP_LANDMARKS_AUTO,          /* AFFINE for 5 and more, else DISPLACEMENTS */
    SUP_LANDMARKS_DISPLACEMENTS, /* the mean of how far landmarks go, near ones count most */
    SUP_LANDMARKS_AFFINE /* the affine map that fits them best, then the same for what it leaves. It
                            is a translation for fewer than 4 and for those (nearly) in a plane */
} sup_landmark_method;

typedef struct sup_landmarks_def {
    size_t size;                /* set by sup_landmarks_default */
    sup_landmark_method method; /* default SUP_LANDMARKS_AUTO */
    double power;  /* 2..6, default 4: weights are distances to minus this. Raise it when far
                      landmarks count too much */
    bool compact;  /* default false: landmarks count within `reach` only, where weights have the
                      power 2, and points that none reaches stay where they are. More than 256
                      always count so; then, without `compact` and `reach`, the map of AFFINE
                      moves all points */
    double reach;  /* m; 0 (default): so that each has 8 others in reach. For `compact`, and for
                      more than 256 */
    double amount; /* 0..1, default 1: how much of the way; an in-between below 1 */
} sup_landmarks_def;
SUP_API sup_landmarks_def sup_landmarks_default(void);

typedef enum sup_landmark_fit {
    SUP_LANDMARKS_NO_MAP,      /* of displacements alone */
    SUP_LANDMARKS_TRANSLATION, /* an affine map was wanted: they are fewer than 4, or (nearly) in a
                                  plane, and turns and scales are not kept */
    SUP_LANDMARKS_AFFINE_MAP
} sup_landmark_fit;

/* What became of landmarks. */
typedef struct sup_landmarks_report {
    int32_t count; /* in different places */
    sup_landmark_fit fit;
} sup_landmarks_report;

/* `out` may be `points`. Landmark i goes from `from[i]` to `to[i]`; none: nothing moves. `report`
   may be NULL. Refused: numbers that are not finite, two landmarks in one place that go to
   different ones. */
SUP_API sup_result sup_points_landmarks(const sup_allocator* allocator,
                                        const sup_landmarks_def* def, int32_t landmark_count,
                                        const sup_vec3* from, const sup_vec3* to, int32_t count,
                                        const sup_vec3* points, sup_vec3* out,
                                        sup_landmarks_report* report, sup_error* error);

/* From a (0) to b (1), point by point; `out` may be one of them. */
SUP_API void sup_points_blend(int32_t count, const sup_vec3* a, const sup_vec3* b, double part,
                              sup_vec3* out);

/* ---- Shapes that return, or stay ---- */

/* A spring between each point and its rest, which gives way where it is pulled too hard. */
typedef struct sup_yield_def {
    size_t size;      /* set by sup_yield_default */
    double stiffness; /* N/m, above 0, default 100 */
    double threshold; /* N, default infinity: all returns. 0: nothing does, as in clay */
    double rate;      /* 1/s, default infinity: what is too much stays at once. Lower it when a
                         short hit shall leave less */
    double time;      /* s, default 0.2: in this time the rest falls to 37 %. 0: at once */
} sup_yield_def;
SUP_API sup_yield_def sup_yield_default(void);
/* dt seconds of it: moves `rest` where the force is above the threshold, and `points` back to it.
   `masses` as in sup_clay_def, of which only pins matter (NULL: none): these stay. */
SUP_API sup_result sup_points_yield(const sup_yield_def* def, double dt, int32_t count,
                                    const float* masses, sup_vec3* rest, sup_vec3* points,
                                    sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
