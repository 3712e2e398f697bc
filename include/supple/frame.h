/* Oriented particles: particles that have a rotation and are ellipsoids (Mueller and Chentanez:
   Solid Simulation with Oriented Particles, 2011). Links join them; each particle and those that it
   is linked to keep their arrangement, and parts are rigid. They make thin, sparse and jointed
   things out of few particles, alone or beside clusters and springs. */
#ifndef SUPPLE_FRAME_H
#define SUPPLE_FRAME_H

#include "supple/spring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps two particles at a distance and, where it is asked to, from turning against each other
   about the line between them. A particle and all that links join to it are matched as one group.
 */
typedef struct sup_link {
    int32_t a, b;     /* particle ids, different; one link for the same two */
    float length;     /* m; below 0: as far as they are apart at rest */
    float compliance; /* m/N; 0: keeps its length. Of a bar: length / (Young's modulus x area).
                         Raise it when the body should stretch */
    float damping;    /* N s/m along the link; only where it is compliant */
    float torsion;    /* rad/(N m), how far a moment twists it; 0: not at all; below 0: as freely as
                         its groups let it */
} sup_link;

/* The shape of a particle at rest, for contacts and for its inertia. */
typedef struct sup_ellipsoid {
    sup_quat rotation; /* of its axes */
    float radii[3];    /* m, along them; all 0: a point without orientation */
} sup_ellipsoid;

/* A painted weight: the drawn vertex follows the particle with this share, whatever distances say;
   those found by distances share what is left. */
typedef struct sup_skin_weight {
    int32_t vertex, particle;
    float weight; /* 0..1; those of a vertex add up to 1 at most */
} sup_skin_weight;
/* Weights of one vertex, at most. */
#define SUP_SKIN_WEIGHTS 4

/* How groups of linked particles move them. */
typedef enum sup_frame_mode {
    SUP_FRAME_MEAN,   /* default: all groups see the same state, a particle moves and turns by their
                         mean. Keeps both momenta; as stiff with every substep */
    SUP_FRAME_CLASSIC /* the 2011 paper's: one group after the other, and only its middle turns.
                         Stiffer by about the number of groups of a particle; loses angular momentum
                         where it is not restored. For lessons */
} sup_frame_mode;

/* What torsion of a link acts on. */
typedef enum sup_torsion_mode {
    SUP_TORSION_TWIST, /* default: the turn about the link, by its compliance */
    SUP_TORSION_SLERP  /* the 2011 paper's: the whole turn between its ends, by `slerp`. Resists
                          bending too. For lessons */
} sup_torsion_mode;

/* How contacts slow particles that slide. */
typedef enum sup_friction_rule {
    SUP_FRICTION_COULOMB, /* default: by the friction of the materials; up to the load times that it
                             holds */
    SUP_FRICTION_PAPER    /* the 2011 paper's, set right: shares of the slip that go, whatever the
                             load. Holds nothing on a slope and loses angular momentum. For lessons.
                             Of two bodies that meet, one that has it is enough */
} sup_friction_rule;

/* Parts that take a dent where something hits them fast: for a moment they are soft, then rigid in
   their new shape. Joints hold meanwhile. For blueprints whose parts_yield; parts that have
   part_plastics go by these instead. */
typedef struct sup_part_plasticity {
    double speed;     /* m/s, 0 (default: never) .. 1e4: a contact that comes in faster than this
                         dents the part. Raise it when parts dent too easily */
    double limit;     /* 0..1, default 0.3: no particle of a part moves further for good than this
                         share of its radius. Raise it for deeper dents */
    double time;      /* s, 0.001..0.2, default 0.05: how long it stays soft */
    double stiffness; /* rad/s, 10..1000, default 100, of its groups while it is soft. Raise it
                         when dents are too deep */
    double keep;      /* 0..1, default 1: share of a dent that stays */
} sup_part_plasticity;

/* How a part is dented by a blow. All zero: it never is. */
typedef struct sup_rig_plastic {
    float speed;      /* m/s, above 0: of the blow that makes it yield; 0: none does */
    float permanence; /* 0..1, share of the dent that stays */
    float limit;      /* 0..1, of the size of the part: no particle goes further */
    float time;       /* s, 0.001..0.2: for which it is soft */
    float stiffness;  /* rad/s, 10..1000: how stiff it is then */
} sup_rig_plastic;

/* What the links, groups and parts of a body are moved by. */
typedef struct sup_frame_settings {
    sup_frame_mode mode;
    double stiffness; /* rad/s, 0..1e5, default 200: of groups whose particle has none of its own. A
                         substep h carries 1/h. Raise it, and the substeps along, when the body is
                         too limp */
    double modulus;   /* Pa, 0 (default: not used) .. 1e12: Young's modulus, from which the
                         stiffness of every group follows instead, so that it does not depend on how
                         many particles the body has. Raise it when the body is too limp */
    double damping;   /* 1/s, 0..100, default 0.1: rate at which all motion fades. Not used where
                         clusters or springs move the body too. Raise it when it swings too long */
    double turn_damping;    /* 1/s, 0..100, default 0.5: the same of the turning of particles */
    double turn;            /* 0..1, default 1, CLASSIC: share of its way that a middle turns */
    bool restores_momentum; /* default true: what rounding and long steps take from the momenta of a
                               body without pins is given back */
    bool meets_itself;      /* default true: its particles keep out of each other, but for those
                               that are linked or of one part; those that overlap at rest may stay as
                               close. Turn it off when it never touches itself, to save time */
    sup_torsion_mode torsion;
    double slerp; /* 0..1, default 0.5, SLERP: share of the turn between two ends that goes in 1/60
                     s */
    sup_friction_rule friction;
    double drag;      /* 0..1, default 0.5, PAPER: share of the speed along the surface that
                         goes in 1/60 s */
    double turn_drag; /* 0..1, default 1, PAPER: share of the slip that is left then which goes
                         by turning, in 1/60 s. 1: what touches sticks */
    double
        rolling_friction; /* 0..2, default 0: takes from the rolling of a particle, per second,
                             this times the load over its mass and radius. A ball on the level
                             loses 2/7 of this times gravity. Acts on particles that contacts turn:
                             free ones and those of parts. Raise it when things roll too far */
    sup_part_plasticity plastic;
    sup_spring_air air; /* what the air or water of the world does to its particles, on the
                           silhouettes along the axes of each. Acts where links and parts alone move
                           the body, and where the world has air (sup_wind) */
} sup_frame_settings;

SUP_API sup_frame_settings sup_frame_settings_default(void);

#ifdef __cplusplus
}
#endif
#endif
