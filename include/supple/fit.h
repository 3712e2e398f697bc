/* Rigs: bodies of oriented particles in the making. A rig is fitted to a mesh by a few calls and
   edited by as many as you like; then a blueprint is made of it, or a body file. Every call either
   does all it was asked for or leaves the rig as it was, and the same calls give the same bits
   everywhere. To undo, keep a copy. */
#ifndef SUPPLE_FIT_H
#define SUPPLE_FIT_H

#include "supple/blueprint.h"
#include "supple/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sup_rig sup_rig;

/* ---- Where an edit acts ---- */

typedef enum sup_brush_kind {
    SUP_BRUSH_ALL,    /* everywhere */
    SUP_BRUSH_SPHERE, /* extent[0] is its radius */
    SUP_BRUSH_BOX,    /* along the axes, extent is half of its sides */
    SUP_BRUSH_HALF /* what lies behind the plane through `centre`; extent points out of it, of any
                      length but 0 */
} sup_brush_kind;

/* Within its border a brush acts fully, beyond it less and less, and at `fade` from it no more. */
typedef struct sup_brush {
    sup_brush_kind kind;
    double centre[3]; /* m */
    double extent[3]; /* m, see the kind */
    double fade;      /* m, 0: nothing beyond the border */
} sup_brush;

/* How much of the brush is at a place: 0..1, smooth where it fades. Edits that know no half
   measures (pins, parts, removing) take what has 0.5 or more. */
SUP_API double sup_brush_share(const sup_brush* brush, const double place[3]);

/* ---- The rig ---- */

typedef enum sup_spray_where {
    SUP_SPRAY_AUTO,   /* inside where there is one, else on the surface */
    SUP_SPRAY_INSIDE, /* for closed meshes; also on the surface of parts too thin to be filled */
    SUP_SPRAY_SURFACE /* for every mesh, also an open one or a soup of triangles */
} sup_spray_where;

/* How the rig was made: for its file, and defaults of later calls. */
typedef struct sup_rig_settings {
    sup_spray_where where; /* of the last spray; SUP_SPRAY_AUTO: there was none */
    double spacing;        /* m, of the last spray; 0: there was none */
    int32_t seed;          /* of the last spray */
    double stiffness;      /* rad/s, of new particles: 0..1e5, default 200 */
} sup_rig_settings;

enum {
    SUP_RIG_PINNED = 1,
    SUP_RIG_SURFACE = 2 /* was put on the surface, not inside */
};

/* 5 m/s, all of it stays, up to 0.3 of the size, soft for 0.05 s and then 100 rad/s stiff. */
SUP_API sup_rig_plastic sup_rig_plastic_default(void);

/* What a rig is made of. Pointers live until the next call that changes the rig. */
typedef struct sup_rig_view {
    int32_t particle_count, link_count, part_count, pin_count, weight_count;
    const sup_vec3* places;          /* m, at rest (particle_count) */
    const float* masses;             /* kg, above 0 (particle_count) */
    const sup_ellipsoid* ellipsoids; /* (particle_count) */
    const float* turn_radii;         /* m, of the sphere that resists turning in its place; -1: the
                                        ellipsoid does (particle_count) */
    const float* stiffness;          /* rad/s (particle_count) */
    const sup_vec3* normals;         /* unit, outwards, of flat particles of the surface; else 0
                                        (particle_count) */
    const uint8_t* flags;            /* SUP_RIG_* (particle_count) */
    const sup_link* links;           /* a < b, ordered by a and b, none twice (link_count) */
    const int32_t* part_starts;      /* (part_count + 1) */
    const int32_t* part_members;     /* particle ids, ascending in each part; who is in several is a
                                        joint (part_starts[part_count]) */
    const sup_rig_plastic* plastics; /* (part_count) */
    const int32_t* pins;             /* ids of the pinned, ascending (pin_count) */
    const sup_skin_weight* weights;  /* ordered by vertex and particle (weight_count) */
    const sup_mesh* mesh;            /* a copy of what was given; no points: there is none */
    sup_rig_settings settings;
} sup_rig_view;

/* An empty rig. The mesh is copied; NULL: there is none, and what needs one is refused. All its
   points must lie within 1e6 m. `allocator` may be NULL: the default one is used. */
SUP_API sup_result sup_rig_create(const sup_allocator* allocator, const sup_mesh* mesh,
                                  sup_rig** out, sup_error* error);
/* The same particles, links and all else again. */
SUP_API sup_result sup_rig_copy(const sup_rig* rig, sup_rig** out, sup_error* error);
/* NULL is fine. */
SUP_API void sup_rig_free(sup_rig* rig);
SUP_API sup_rig_view sup_rig_get(const sup_rig* rig);
/* Stiffness of particles to come. */
SUP_API sup_result sup_rig_set_stiffness(sup_rig* rig, double stiffness, sup_error* error);

/* ---- Particles ---- */

/* Particles at random places, none nearer to another than `spacing`, and no gap wider than that:
   darts are thrown until 30 have missed for each that hit, then all places are tried once, then
   each particle goes to the middle of what is nearest to it, twice. */
typedef struct sup_spray_def {
    size_t size; /* set by sup_spray_default */
    sup_spray_where where;
    double spacing;   /* m; 0 (default): such that there will be about `count` */
    int32_t count;    /* 1..100000, default 300 */
    double gap;       /* m, from particles that are there already; 0 (default): the spacing */
    int32_t seed;     /* 0 or above, default 1: each gives other places, always the same ones */
    int32_t failures; /* 1..1000, default 30 */
    int32_t relax;    /* 0..100, default 2: how often they go to the middle */
    bool cover;       /* inside: puts particles also on the surface where none is within one and a
                         half spacings, as in fins. Default true */
    sup_brush brush;  /* default everywhere: only where it has 0.5 or more */
} sup_spray_def;
SUP_API sup_spray_def sup_spray_default(void);
/* *added (may be NULL): how many particles there are more. They are spheres of half the spacing,
   and take over the mass of what is nearest to them from those that had it; where there were none,
   by the densities of sup_weigh_default. Refused: meshes that are too thin or open for what is
   wanted, and more than a million particles. */
SUP_API sup_result sup_rig_spray(sup_rig* rig, const sup_spray_def* def, int32_t* added,
                                 sup_error* error);

/* One particle, which takes over its share of the mass likewise; without a mesh it has the mean
   mass of the others, or 1 kg. *id (may be NULL) is the count before. */
SUP_API sup_result sup_rig_add(sup_rig* rig, const double place[3], int32_t* id, sup_error* error);
SUP_API sup_result sup_rig_move(sup_rig* rig, int32_t id, const double place[3], sup_error* error);
/* Its shape at rest; radii 0 to 1000 m. */
SUP_API sup_result sup_rig_set_ellipsoid(sup_rig* rig, int32_t id, const sup_ellipsoid* shape,
                                         sup_error* error);
/* How much it resists turning, where that is not its shape: as a sphere of this radius, 0 to 1000
   m; below 0: as its ellipsoid. */
SUP_API sup_result sup_rig_set_turn_radius(sup_rig* rig, int32_t id, double radius,
                                           sup_error* error);
/* Those after it count one less. Links, memberships, weights and parts without members go too. */
SUP_API sup_result sup_rig_remove(sup_rig* rig, int32_t id, sup_error* error);
/* All that the brush takes. *removed may be NULL. */
SUP_API sup_result sup_rig_erase(sup_rig* rig, const sup_brush* brush, int32_t* removed,
                                 sup_error* error);

/* ---- Links ---- */

typedef struct sup_spray_links_def {
    size_t size;     /* set by sup_spray_links_default */
    double reach;    /* m, links are shorter; 0 (default): 1.6 times the spacing */
    int32_t nearest; /* 1..24, default 12: both ends are among the so many nearest of each other */
    bool inside;     /* only along lines that stay within the mesh, or nearer to it than a tenth of
                        the spacing, a quarter where it is open; default true. Without a mesh it is not
                        looked at */
    sup_brush brush; /* takes both ends */
} sup_spray_links_def;
SUP_API sup_spray_links_def sup_spray_links_default(void);
/* *added may be NULL. Those that are there stay. */
SUP_API sup_result sup_rig_spray_links(sup_rig* rig, const sup_spray_links_def* def, int32_t* added,
                                       sup_error* error);
/* Joins what hangs together by no link, nearest first, by up to `each` links (1..12) between two
   pieces. */
SUP_API sup_result sup_rig_bridge(sup_rig* rig, int32_t each, int32_t* added, sup_error* error);
SUP_API sup_result sup_rig_link(sup_rig* rig, int32_t a, int32_t b, sup_error* error);
SUP_API sup_result sup_rig_unlink(sup_rig* rig, int32_t a, int32_t b, sup_error* error);
/* All links shorter than `length` m (INFINITY: all) whose ends the brush takes. */
SUP_API sup_result sup_rig_erase_links(sup_rig* rig, const sup_brush* brush, double length,
                                       int32_t* removed, sup_error* error);

/* ---- Ellipsoids and masses ---- */

/* Each particle gets the principal axes of the surface around it and the half sides of the box
   along these, and goes to the middle of that box unless it is far off or too near to another
   particle. What has fewer than 4 vertices around it becomes a sphere of half the spacing, and what
   has the surface on one side only a sphere that does not reach beyond it. */
typedef struct sup_fit_def {
    size_t size;     /* set by sup_fit_default */
    double reach;    /* m, what counts as around it; 0 (default): 1.2 times the spacing */
    double least;    /* m, smallest radius; 0 (default): 0.02 of the size of the mesh, at most a
                        quarter of the spacing */
    double aspect;   /* 1..16, default 8: largest over smallest radius, at most */
    sup_brush brush; /* others stay as they are */
} sup_fit_def;
SUP_API sup_fit_def sup_fit_default(void);
SUP_API sup_result sup_rig_fit(sup_rig* rig, const sup_fit_def* def, sup_error* error);

/* Masses by what is nearest to each particle: of the space inside for those sprayed inside, else of
   the surface. None is 0, and they add up to the whole. */
typedef struct sup_weigh_def {
    size_t size;            /* set by sup_weigh_default */
    double density;         /* kg/m^3, 1e-9..1e9, default 1000: inside */
    double surface_density; /* kg/m^2, 1e-9..1e9, default 1: on the surface */
    double mass;            /* kg, of all; 0 (default): by the density */
} sup_weigh_def;
SUP_API sup_weigh_def sup_weigh_default(void);
/* Without a mesh all get equal shares of `mass`, or 1 kg. */
SUP_API sup_result sup_rig_weigh(sup_rig* rig, const sup_weigh_def* def, sup_error* error);

/* ---- Painting ---- */

typedef enum sup_paint {
    SUP_PAINT_STIFFNESS,  /* rad/s of particles, 0..1e5; in between by its logarithm */
    SUP_PAINT_MASS,       /* factor of masses, 1e-6..1e6 */
    SUP_PAINT_PIN,        /* 1: pinned, 0: not */
    SUP_PAINT_COMPLIANCE, /* m/N of links, 0..1e9 */
    SUP_PAINT_DAMPING,    /* N s/m of links, 0..1e9 */
    SUP_PAINT_TORSION     /* rad/(N m) of links, 0..1e9; below 0: they twist freely */
} sup_paint;
/* Values go the share of the brush from what they are towards `value`; of links, that in their
   middle. */
SUP_API sup_result sup_rig_paint(sup_rig* rig, sup_paint what, double value, const sup_brush* brush,
                                 sup_error* error);
/* Drawn vertices follow the particle with a weight that goes the share of the brush from what was
   painted (0 where nothing was) towards `weight` (0..1); 0 forgets it. Other painted weights of a
   vertex give way where all would be more than 1, and the least of them goes where they would be
   more than SUP_SKIN_WEIGHTS. */
SUP_API sup_result sup_rig_paint_weights(sup_rig* rig, int32_t particle, double weight,
                                         const sup_brush* brush, sup_error* error);

/* ---- Parts ---- */

/* A rigid part of all particles that the brush takes. *part (may be NULL) is the count before. */
SUP_API sup_result sup_rig_add_part(sup_rig* rig, const sup_brush* brush, int32_t* part,
                                    sup_error* error);
/* Those after it count one less; its particles stay. */
SUP_API sup_result sup_rig_remove_part(sup_rig* rig, int32_t part, sup_error* error);
/* One particle more or less. The last one cannot go. */
SUP_API sup_result sup_rig_set_member(sup_rig* rig, int32_t part, int32_t particle, bool member,
                                      sup_error* error);
/* Makes the particle nearest to a place a member of both parts: one is a ball joint, two are a
   hinge. *particle (may be NULL) tells which. */
SUP_API sup_result sup_rig_join(sup_rig* rig, int32_t a, int32_t b, const double place[3],
                                int32_t* particle, sup_error* error);
/* A part of these particles, ids that ascend. */
SUP_API sup_result sup_rig_add_part_of(sup_rig* rig, int32_t count, const int32_t* ids,
                                       int32_t* part, sup_error* error);
/* A new particle at a place, which is a joint of both parts: a small ball, linked to the four
   nearest of each, who give it a fifth of their mass. Links from one part to the other, which would
   hold the joint fast, go. *particle may be NULL. */
SUP_API sup_result sup_rig_add_joint(sup_rig* rig, int32_t a, int32_t b, const double place[3],
                                     int32_t* particle, sup_error* error);
/* Makes a part round, so that it rolls: its particles give way, with their mass, to `count`
   (1..100) discs of that radius (m) side by side, which fill the way along the axis. Other ids
   change as when particles are removed. Refused for a part that has a particle in common with
   another: joints come after. */
SUP_API sup_result sup_rig_set_discs(sup_rig* rig, int32_t part, const double from[3],
                                     const double to[3], double radius, int32_t count,
                                     sup_error* error);
/* How one part (-1: every part) yields to blows. */
SUP_API sup_result sup_rig_set_plastic(sup_rig* rig, int32_t part, const sup_rig_plastic* plastic,
                                       sup_error* error);

/* ---- Mirror ---- */

/* Makes the rig the same on both sides of a plane through `point`: what lies on the side to which
   `normal` points is kept, what lies on the other is replaced by its image. Particles within a
   quarter of the spacing are put on the plane. The mesh stays as it is. */
SUP_API sup_result sup_rig_mirror(sup_rig* rig, const double point[3], const double normal[3],
                                  sup_error* error);

/* ---- Checking ---- */

/* What is worth knowing before a body is made of it. Examples are ids, -1: there is none. */
typedef struct sup_rig_report {
    int32_t particle_count, link_count, part_count, pin_count;
    double mass;             /* kg */
    double size;             /* m, diagonal of the box of all particles */
    double least_gap;        /* m, between the two nearest particles */
    double mean_link;        /* m */
    int32_t joint_count;     /* particles in several parts */
    int32_t component_count; /* pieces that links and parts hold together */
    int32_t loose_particle;  /* one of the second piece */
    int32_t isolated_count;  /* particles without link and part */
    int32_t isolated_particle;
    int32_t crowded_count; /* particles with more than 24 links */
    int32_t crowded_particle;
    int32_t most_links;
    int32_t far_count;  /* drawn vertices farther than two spacings from every particle */
    int32_t far_vertex; /* the farthest of them */
    double farthest;    /* m, of any drawn vertex */
    int32_t group_count;
    int32_t flat_count; /* groups whose matrix has rank 2 at rest: they turn, but hardly resist */
    int32_t line_count; /* rank 1 or 0: their turn is not determined */
    int32_t weak_particle; /* whose group has the lowest rank; of a part, its first member */
    int32_t slight_count;  /* oriented particles too small to steady their group */
    int32_t slight_particle;
    int32_t
        narrow_count; /* pairs of parts whose two joints are nearer than a tenth of their size */
} sup_rig_report;
SUP_API sup_result sup_rig_validate(const sup_rig* rig, sup_rig_report* report, sup_error* error);
/* The i-th finding as a sentence that says what to do; false where there are no more. None: the rig
   is good. */
SUP_API bool sup_rig_report_line(const sup_rig_report* report, int32_t i, char text[320]);

/* ---- Scripts, blueprints, files ---- */

/* Edits as text, a line each: see "Edits" in docs/oriented-particles.md. All of it or nothing;
   messages begin with `name` and have line and column. */
SUP_API sup_result sup_rig_edit(sup_rig* rig, const char* name, const char* text, size_t size,
                                sup_error* error);

/* Fills surface, points, masses, pins, ellipsoids, stiffness, links, parts and painted weights of a
   definition with the rig's own arrays: make the blueprint before the rig changes or goes. A mesh
   becomes a skin (SUP_SKIN_FRAMES, unless you asked for another one). */
SUP_API void sup_rig_fill_def(const sup_rig* rig, sup_blueprint_def* def);

/* Writes a body file: NAME.json, and NAME.arrays.ply with its arrays, both or neither.
   `mesh_file` (may be NULL: none) is what the file calls the mesh: a path from its own folder.
   `files` may be NULL in both calls: the default ones are used. */
SUP_API sup_result sup_rig_save(const sup_rig* rig, const sup_file_gate* files, const char* path,
                                const char* mesh_file, sup_error* error);
/* Reads one, with its arrays and its mesh. What was saved comes back bit by bit. */
SUP_API sup_result sup_rig_load(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, sup_rig** out, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
