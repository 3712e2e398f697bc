/* Blueprints: the immutable recipe of a body, shared by all bodies made from it. */
#ifndef SUPPLE_BLUEPRINT_H
#define SUPPLE_BLUEPRINT_H

#include "supple/frame.h"
#include "supple/spring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sup_blueprint sup_blueprint;

typedef enum sup_cluster_layout {
    SUP_CLUSTERS_WHOLE, /* one cluster holds every particle: swings and keeps its shape as a whole
                         */
    SUP_CLUSTERS_CUBES, /* overlapping cubes: bends and squeezes locally */
    SUP_CLUSTERS_EXPLICIT, /* the lists below */
    SUP_CLUSTERS_ELEMENTS, /* one for each tetrahedron or hexahedron of a volume mesh */
    SUP_CLUSTERS_LATTICE,  /* one around every particle of a cubic lattice, of all within `reach` of
                              it: an even solid, at a cost that does not grow with the reach */
    SUP_CLUSTERS_NONE      /* springs, links, parts or soft substance alone hold the particles
                              together */
} sup_cluster_layout;

/* How the drawn surface follows the body. */
typedef enum sup_skin_kind {
    SUP_SKIN_PARTICLES, /* its vertices are particles */
    SUP_SKIN_CLUSTERS,  /* its vertices are none: they follow the clusters around them */
    SUP_SKIN_FRAMES,    /* the same with oriented particles: a blend of their motions */
    SUP_SKIN_DUAL,      /* the same by dual quaternions: what is twisted keeps its girth */
    SUP_SKIN_TETS /* its vertices hang on tetrahedra: each goes where the corners of one, around
                     it or next to it, take it */
} sup_skin_kind;

/* Particles are the welded points of `surface` (not under a skin), then lattice points
   inside it, then `points`; ids in this order are the user's particle ids everywhere. At least one
   of surface and points must be given. */
typedef struct sup_blueprint_def {
    size_t size;                    /* sizeof(sup_blueprint_def); set by sup_blueprint_default */
    const sup_allocator* allocator; /* NULL: the default */

    const sup_mesh* surface; /* drawn surface, copied; without polygons a cloud, whose points are
                                drawn as spheres and are such to colliders too; NULL: nothing is
                                drawn */
    double
        weld; /* m, points closer than this are one particle; < 0: 1e-6 of the diagonal (default) */
    double fill; /* m, spacing of lattice particles inside the closed surface; 0: none (default).
                    SUP_CLUSTERS_LATTICE: spacing of all particles, which are put right where they
                    are off their lattice by up to a thousandth of it */

    int32_t point_count;    /* loose particles that are not on the surface */
    const sup_vec3* points; /* m (point_count) */

    double density; /* kg/m^3, 1..20000, default 1000: mass = density x volume of the closed
                       surface. Used when mass = 0 */
    double
        mass; /* kg, total; 0: from density, or 1 kg per particle where the surface is not closed */
    const float* masses; /* kg per particle id, NULL: equal shares. Overrides mass and density. 0 =
                            follows without weight, and meets no other body */

    sup_cluster_layout layout;
    double cube;           /* m, edge of the cubes; must be above 2 spacings; 0: 4 spacings */
    double overlap;        /* 0.25..0.75 of the edge, default 0.5 */
    int32_t least_members; /* cubes of fewer particles join a neighbour, 1..1000, default 4: enough
                              for rigid goals. 6 suits linear, 12 quadratic ones */
    int32_t reach;         /* cells in each direction, 1..4, default 1: SUP_CLUSTERS_LATTICE. Raise
                              it when the body is too floppy */
    bool allow_joints; /* accept clusters that meet in fewer than 3 non-collinear particles, or not
                          at all */
    int32_t cluster_count;          /* SUP_CLUSTERS_EXPLICIT */
    const int32_t* cluster_starts;  /* (cluster_count + 1) */
    const int32_t* cluster_members; /* particle ids (cluster_starts[cluster_count]) */
    int32_t element_corners;        /* SUP_CLUSTERS_ELEMENTS: 4 (tetrahedra) or 8 (hexahedra) */
    int32_t element_count;   /* 0: the full cells of the lattice that `fill` makes; what is in none
                                joins those around the nearest lattice particles */
    const int32_t* elements; /* particle ids (element_corners * element_count) */

    int32_t spring_count;      /* damped springs between particles, beside the clusters or, with
                                  SUP_CLUSTERS_NONE, instead of them */
    const sup_spring* springs; /* (spring_count) */
    double spring_damping;     /* ratio to critical damping, 0..10, default 0.05: of springs that
                                  name no damping. Raise it when they swing too long */
    int32_t tet_count;         /* tetrahedra, beside all else: springs may keep their volume, and
                                  SUP_SKIN_TETS hangs the surface on them */
    const int32_t* tets;       /* particle ids, of positive volume (4 * tet_count) */

    int32_t link_count;         /* links between oriented particles, beside clusters and springs or,
                                   with SUP_CLUSTERS_NONE, instead of them */
    const sup_link* links;      /* (link_count) */
    int32_t part_count;         /* rigid parts. Particles of several are joints: one in common is a
                                   ball, two are a hinge; parts with more in common are one */
    const int32_t* part_starts; /* (part_count + 1) */
    const int32_t* part_members; /* particle ids (part_starts[part_count]) */
    bool parts_yield;            /* parts may take dents (sup_part_plasticity). Default false */
    const sup_rig_plastic* part_plastics; /* (part_count) how each is dented, where parts_yield; a
                                             speed of 0: as the settings of the body say. NULL: so
                                             for all */
    const sup_ellipsoid* ellipsoids;      /* by particle id; NULL: with links or parts, spheres of
                                             `radius` */
    const float* moment_radii;    /* m, by particle id: radius of the sphere that resists turning
                                     in its place; NULL, or below 0: the ellipsoid does */
    const float* frame_stiffness; /* rad/s, by particle id, of its group; NULL, or below 0: that
                                     of the body */
    double link_pin_factor;       /* 1..1000, default 1: weight of a pinned particle in groups
                                     and parts */
    const sup_vec3* flat_normals; /* unit, by particle id: outward normals of flat particles that
                                     are a surface, which push along these; 0: it is none. NULL:
                                     none is */

    double blob_spacing; /* m, 1e-6..1000: the particles are soft substance that wants to be so far
                            apart. With SUP_CLUSTERS_NONE and a cloud (sup_blob_fill). 0 (default):
                            they are not */

    int32_t anchor_count;   /* particles that anchors of the body hold; 0 (default): all */
    const int32_t* anchors; /* particle ids (anchor_count) */

    bool clamp_masses; /* particles of zero mass get a millionth of the mean mass, where springs
                          would refuse them. Default false */
    bool tears; /* where springs bear more than sup_spring_settings.tear or tear_force, the surface
                   opens. For sheets of springs alone; each corner of a polygon becomes a drawn
                   vertex of its own. Default false */
    double spare; /* 0..8, default 0.5: so many particles, as a share of all, wait to be used where
                     it opens; they have ids after the others. Raise it when it stops tearing */
    sup_refine_grid refine; /* all zero (default): none. The springs are those of the finest
                               cells; bodies begin with the coarsest */

    int32_t pin_count;   /* particles that stay where the body's transform puts them */
    const int32_t* pins; /* particle ids */
    double pin_factor; /* 1..1000, default 10: weight of a pinned particle in its clusters. Raise it
                          when pins should lead more */

    int32_t region_count; /* parts of the body that may have materials of their own, 0 (default) or
                             1..256 */
    const uint8_t* regions; /* region of each particle id; NULL: all are region 0 */

    double radius; /* m, contact radius of surface particles; 0: half the mean spacing (along edges,
                      of a cloud to the nearest neighbour), of soft substance 0.6 of its own; < 0:
                      bodies pass through each other */

    sup_skin_kind skin; /* default SUP_SKIN_PARTICLES. SUP_SKIN_CLUSTERS needs a surface, and `fill`
                           or `points` inside it: then those next to the surface have the contact
                           radii, as large as their distance from it (`radius` = 0). SUP_SKIN_TETS
                           needs a surface, which may be open or dirty, and `tets` over `points`:
                           the outside of these meets others, at a distance that brings the surface
                           to touch colliders */
    int32_t skin_slots; /* 1..4, default 4: particles that a vertex of SUP_SKIN_FRAMES or
                           SUP_SKIN_DUAL follows, at most. Lower it for speed; 1: it is cut in
                           rigid pieces */
    int32_t skin_weight_count; /* painted weights, for SUP_SKIN_FRAMES and SUP_SKIN_DUAL. Of
                                  vertices in one place the first that has some counts */
    const sup_skin_weight* skin_weights; /* (skin_weight_count) */
    const sup_vec3* normals; /* by vertex of `surface`, of any length, for the same skins and
                                sup_body_read_normals: how it faces at rest. NULL (default): means
                                of its polygons. Of vertices in one place the first counts */
    const sup_row* tangents; /* likewise; fourth entry: their side, below 0 or not. NULL (default):
                                none */
} sup_blueprint_def;

SUP_API sup_blueprint_def sup_blueprint_default(void);
SUP_API sup_result sup_blueprint_create(const sup_blueprint_def* def, sup_blueprint** out,
                                        sup_error* error);
/* The blueprint goes when the last body made from it is gone too. NULL is fine. */
SUP_API void sup_blueprint_release(sup_blueprint* blueprint);

typedef struct sup_blueprint_info {
    int32_t particle_count, surface_particle_count, pinned_count;
    int32_t vertex_count, polygon_count, corner_count; /* of the drawn surface, as given; of one
                                                          that tears each corner is a vertex */
    int32_t cluster_count, membership_count; /* of springs alone: 1, which pulls nothing */
    int32_t spring_count, tet_count;
    int32_t link_count, part_count;
    int32_t spare_count;   /* of the particles, the last ones: those that wait for the surface to
                              tear */
    int32_t refine_levels; /* how often cells of the cloth may be cut; 0: it has none such */
    int32_t region_count;  /* at least 1 */
    double mass, volume;   /* kg; m^3, of the closed surface, or of the tetrahedra that it hangs on;
                              0 where it is not closed */
    double density; /* kg/m^3, mass over volume; without a closed surface, and on tetrahedra, that
                       of the definition */
    double size;    /* m, diagonal of the rest box */
    double spacing, radius; /* m; the largest contact radius */
    double centre[3];       /* m, centre of mass at rest */
    double blob_spacing;    /* m, of soft substance; 0: it is none */
    sup_skin_kind skin;
    bool clustered; /* its clusters pull; false: springs or links alone */
} sup_blueprint_info;
SUP_API sup_blueprint_info sup_blueprint_get_info(const sup_blueprint* blueprint);

/* The drawn surface: polygons over vertex ids. Never NULL: without polygons starts[0] is 0.
 * Pointers live as long as the blueprint. */
SUP_API void sup_blueprint_get_surface(const sup_blueprint* blueprint, const int32_t** starts,
                                       const int32_t** corners);
/* Rest places in the blueprint's own frame, by particle id (particle_count). */
SUP_API void sup_blueprint_read_rest(const sup_blueprint* blueprint, sup_vec3* points);

/* One particle at rest, in the blueprint's own frame. */
typedef struct sup_particle {
    sup_vec3 place;     /* m */
    float mass, radius; /* kg, of contacts in m */
    int32_t region;
    bool surface; /* is a drawn vertex */
    bool pinned;
} sup_particle;
/* `id`: 0 to particle_count - 1. */
SUP_API sup_particle sup_blueprint_get_particle(const sup_blueprint* blueprint, int32_t id);

/* Ids of the pinned particles, in the order in which sup_body_move_pins wants their places
 * (pinned_count). */
SUP_API void sup_blueprint_read_pins(const sup_blueprint* blueprint, int32_t* ids);

#ifdef __cplusplus
}
#endif
#endif
