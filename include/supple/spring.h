/* Springs: damped, each between two particles of a body. They make cloth, ropes, shells and
   solids, alone or beside clusters. */
#ifndef SUPPLE_SPRING_H
#define SUPPLE_SPRING_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a spring is for: strain limits, tearing and pictures tell them apart. */
typedef enum sup_spring_kind {
    SUP_SPRING_STRUCT, /* along the edges of cells: keeps lengths */
    SUP_SPRING_SHEAR,  /* along diagonals of cells: keeps angles */
    SUP_SPRING_BEND,   /* over two cells, or across an edge: keeps a sheet from folding */
    SUP_SPRING_STRUT   /* through the inside of a closed surface */
} sup_spring_kind;

/* The same two particles may have one spring of each kind. */
typedef struct sup_spring {
    int32_t a, b;    /* particle ids, different */
    float length;    /* m, at rest; < 0: as far as the two are apart at rest */
    float stiffness; /* N/m, at least 0 */
    float damping;   /* N s/m along the spring; < 0: by the damping ratio of the blueprint */
    uint8_t kind;    /* sup_spring_kind */
    bool slack;      /* pulls, but does not push, like a rope */
} sup_spring;

/* Cloth of square cells that are cut in four where it bends, these again, and so on. All points of
   the finest cells are particles; those that are no corner of a cell follow the corners around
   them, and cost next to nothing. Mass is spread evenly. All zero: the cloth stays as it is. */
typedef struct sup_refine_grid {
    int32_t levels;   /* 0..4: how often a cell may be cut */
    int32_t cells[2]; /* along both sides, before any cut. Particles are the (cells << levels) + 1
                         points of the finest lattice, those along the first side in sequence */
    double stretch[2], bend[2]; /* N/m: of springs along both sides, and over two cells */
    double shear;               /* N/m: of both diagonals of a cell */
} sup_refine_grid;

/* What happens to the stiffness of springs when cells are cut. */
typedef enum sup_refine_rule {
    SUP_REFINE_EVEN, /* default: it stays, and so does that of the cloth */
    SUP_REFINE_SEED  /* it doubles, which is right for ropes: the cloth is twice as stiff. For
                        lessons */
} sup_refine_rule;

/* How a body of springs moves through a substep h. */
typedef enum sup_integrator {
    SUP_INTEGRATOR_AUTO,            /* default: IMPLICIT; SYMPLECTIC where there are clusters too */
    SUP_INTEGRATOR_IMPLICIT,        /* implicit Euler. Stable for stiff springs and long
                                       steps; loses energy, the less the shorter the substep */
    SUP_INTEGRATOR_SYMPLECTIC,      /* symplectic Euler: cheap, keeps energy; h w_max below 2. The
                                       only one for bodies that have clusters too */
    SUP_INTEGRATOR_VELOCITY_VERLET, /* second order, keeps energy; h w_max below 2 */
    SUP_INTEGRATOR_POSITION_VERLET, /* the same by places; velocities are half a substep late */
    SUP_INTEGRATOR_EULER,           /* explicit Euler: gains energy at every h. For lessons */
    SUP_INTEGRATOR_MIDPOINT,        /* second order, gains a little energy at every h */
    SUP_INTEGRATOR_RK4              /* fourth order, loses a little energy; h w_max below 2.8 */
} sup_integrator;

/* What is solved at once for a better guess in each iteration of the implicit solve. */
typedef enum sup_preconditioner {
    SUP_PRECONDITIONER_BLOCKS, /* default: each particle by itself */
    SUP_PRECONDITIONER_LEVELS  /* groups of 8, 64, ... neighbours as well: a push travels far in one
                                  iteration. For large cloth: half of the time of a solve from 10,000
                                  particles on, a third at 90,000. The same as BLOCKS where more than
                                  springs is solved for: a strain limit, `solid` */
} sup_preconditioner;

/* Which springs a strain limit holds. */
typedef enum sup_limit_kinds {
    SUP_LIMIT_STRUCT,      /* default */
    SUP_LIMIT_STRUCT_SHEAR /* lets the cloth sag less along its diagonals */
} sup_limit_kinds;

/* What the air of the world does to a body, by triangle of its drawn surface. Acts where that is
   made of particles, and where the world has air (sup_wind). */
typedef struct sup_spring_air {
    double across; /* 0..2, default 1: resistance of a surface that stands across the wind. Raise
                      it when cloth should sail more */
    double along;  /* 0..2, default 0.05: friction of wind along the surface */
} sup_spring_air;

/* Gas in a closed surface that is made of particles: p = inside (V0 / V)^power - outside, V its
   volume, V0 that at rest. */
typedef struct sup_spring_pressure {
    double inside;  /* Pa, 0 (default: none) .. 1e9, at the volume of rest. Raise it when the body
                       should be fuller */
    double outside; /* Pa, 0 (default) .. 1e9 */
    double power;   /* 0..10, default 1: gas as warm as its surroundings; 1.4: air that is squeezed
                       at once; 0: a pressure that does not change */
} sup_spring_pressure;

/* Resistance of triangles and tetrahedra as such, which springs along their edges do not have
   (Teschner et al. 2004). 0 (default): none. */
typedef struct sup_spring_solid {
    double area;   /* N/m, 0..1e12: of triangles of the drawn surface against change of their area.
                      Raise it when a skin gets too thin or too thick as it is pulled */
    double volume; /* Pa, 0..1e12: of tetrahedra of the blueprint against change of their volume,
                      and against being turned inside out. Raise it when the body loses volume */
    double bend;   /* N m, 0..1e12: of two triangles side by side against folding, about the
                      bending stiffness of a plate; leaves stretch alone. Raise it when cloth or a
                      shell is too limp */
} sup_spring_solid;

/* Where anchors are. */
typedef enum sup_anchor_frame {
    SUP_ANCHOR_FITTED, /* default: at rest places turned and shifted to where the body is now; the
                          body as a whole feels nothing. Not for bodies with pins */
    SUP_ANCHOR_FIXED   /* at the places where the body was put when it was made */
} sup_anchor_frame;

/* Every particle, or each of those that the blueprint names as anchors, is drawn to its place in
   the rest shape, so that surfaces without an inside keep their shape. */
typedef struct sup_spring_anchor {
    double frequency; /* rad/s, 0 (default: none) .. 1e4: a particle alone would swing about its
                         place at it. Raise it when the shape gives in too much */
    double damping;   /* ratio to critical damping, 0..10, default 0.3 */
    sup_anchor_frame frame;
} sup_spring_anchor;

/* Springs that stay longer or shorter once they were strained too far. */
typedef struct sup_spring_yield {
    double strain; /* 0 (default: never) .. 1: share of its first length by which a spring may be
                      strained and still come back. Raise it when bodies take dents too easily */
    double time;   /* s, 0..1e6: how long strain beyond it takes to become lasting; 0 (default): at
                      once */
    double limit;  /* 0..2, default 0.5: a spring stays between 1/(1 + limit) and 1 + limit of its
                      first length. Raise it for dough */
} sup_spring_yield;

/* What the springs of a body are moved by. */
typedef struct sup_spring_settings {
    sup_integrator integrator;
    double drag;        /* 1/s, 0..10, default 0.1: rate at which all motion fades. Raise it when
                           cloth should come to rest sooner */
    double tolerance;   /* 1e-6..1e-1, default 1e-2: of the implicit solve, relative. Lower it when
                           stiff cloth hangs too low. At most 1e-3 is taken where meets_itself */
    int32_t iterations; /* 1..1000, default 60, of the implicit solve. Raise it for large cloth: a
                           push travels one spring in each */
    int32_t newton;     /* 1..5, default 1: implicit solves in a substep. Raise it when stiff bodies
                           turn too slowly about what holds them, or spin fast and misbehave. Where
                           springs only pull, or meets_itself, there are 3 at least */
    sup_preconditioner preconditioner;
    bool adaptive;       /* explicit integrators: takes as many shorter steps within a substep as
                            stability and error ask for. Default true; off: one step of h, which may
                            explode, as the lesson wants */
    double error_length; /* m, 0..1, default 1e-5, and */
    double error_strain; /* 0..1, default 1e-3, of the mean length of springs: largest error of a
                            place that an adaptive step may make */
    double limit;        /* strain, 0 (default: off) or 0.01..0.5: no spring is longer than
                            (1 + limit) of its length. Raise it when cloth is too stiff */
    double limit_compression; /* the same for shorter ones; 0 (default): off */
    sup_limit_kinds limit_kinds;
    int32_t limit_sweeps; /* 1..100, default 20. Raise it when springs stay beyond the limit */
    sup_spring_air air;
    sup_spring_pressure pressure;
    sup_spring_solid solid;
    sup_spring_anchor anchor; /* of bodies of springs alone */
    sup_spring_yield yield;
    double tear;         /* strain, 0 (default: never) or 0.01..10, at which a surface whose
                            blueprint `tears` opens. Raise it when it tears too soon */
    double tear_force;   /* N, 0 (default: never) or 1e-6..1e12: the same for the pull of a spring.
                            Under a limit the strain of `tear` is what this pull would strain a
                            spring without it */
    double refine_angle; /* degrees, 5..45, default 15, of cloth with levels: cells that meet at a
                            larger angle are cut, at less than 0.4 of it they join again. Lower it
                            when folds look angular */
    sup_refine_rule refine_rule;
    bool meets_itself; /* default false: its surface, or as a rope its line, keeps out of itself and
                          of other bodies that do so, triangle by triangle and edge by edge, and
                          never begins to cross. Bodies of springs alone, without levels. Costs
                          several times as much as the springs */
    double thickness;  /* m, 0..1, of such a body, which it keeps; 0 (default): 0.6 of its mean edge
                        */
} sup_spring_settings;

SUP_API sup_spring_settings sup_spring_settings_default(void);

/* How the springs of a body are, and how hard the last step was for its integrator. */
typedef struct sup_spring_measures {
    double energy;      /* J, in all springs */
    double mean_strain; /* of structural springs, how much longer or shorter they are */
    double most_strain; /* the largest one */
    int32_t steps;      /* steps that were taken in all substeps */
    int32_t rejected;   /* tries that were thrown away for shorter ones: adaptive steps, and
                           implicit ones that the solver could not do, or that made energy */
    int32_t forced;     /* steps that were bad, but could not be shorter */
    double frequency; /* rad/s, largest one of the springs, estimated by explicit integrators; with
                         the implicit one a bound that none is above */
    int32_t iterations; /* of the implicit solver in all substeps */
    double residual;    /* the largest that a solve has left, relative; 0 with explicit ones */
    double excess;      /* strain beyond the limit, the largest, when all of the step is over:
                           contacts and attachments, too */
    int32_t torn;       /* how often particles of the surface have parted, since it was whole */
    int32_t active;     /* particles that move by themselves: all but those that follow others in
                           cloth that is coarse there */
    int32_t level;      /* of the finest cells of such cloth */
} sup_spring_measures;

#ifdef __cplusplus
}
#endif
#endif
