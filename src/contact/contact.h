/* What the contact room works with: runs of particles and the contacts between them. */
#ifndef SUPPLE_CONTACT_CONTACT_H
#define SUPPLE_CONTACT_CONTACT_H

#include "base/column.h"
#include "supple/types.h"

static inline bool supi_filters_meet(sup_filter a, sup_filter b) {
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/* How a region of a body grips. */
typedef struct supi_grip {
    float friction_static, friction_kinetic, restitution;
    bool stops; /* see supi_surface */
} supi_grip;

/* Who does not meet although near; both sorted. */
typedef struct supi_exemptions {
    const uint64_t* couples; /* of runs, the lower << 32 | the higher */
    const uint64_t* holds;   /* row << 32 | collider */
    int32_t couple_count, hold_count;
} supi_exemptions;

/* The first of sorted keys that is not below `key`. */
static inline int32_t supi_seek(const uint64_t* keys, int32_t count, uint64_t key) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is item i of a sorted list before what is looked for? */
typedef bool supi_before(const void* search, int32_t i);

/* The first of `count` items that is not. */
static inline int32_t supi_seek_by(int32_t count, supi_before* before, const void* search) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (before(search, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first of the holds that is not below `key`. */
static inline int32_t supi_exemptions_seek(const supi_exemptions* exemptions, uint64_t key) {
    return supi_seek(exemptions->holds, exemptions->hold_count, key);
}

/* Do the two of a couple never meet? NULL: all may. */
static inline bool supi_exemptions_part(const supi_exemptions* exemptions, uint64_t couple) {
    if (!exemptions) return false;
    int32_t i = supi_seek(exemptions->couples, exemptions->couple_count, couple);
    return i < exemptions->couple_count && exemptions->couples[i] == couple;
}

/* What a body knows of itself where its own particles meet each other. Rows are its own, from 0. */
typedef struct supi_self {
    const sup_vec3* rest;  /* m, places at rest: pairs that were close keep out of each other only
                              as far as then */
    const int32_t* joined; /* rows that a row never meets: */
    const int32_t* joined_starts; /* (count + 1) */
    const int32_t* parts;         /* rigid parts that a row is in, ascending: */
    const int32_t* part_starts;   /* (count + 1), or NULL: no parts */
    const float*
        scales;       /* of the shapes of small runs, by pair: supi_self_scales; NULL: not known */
    uint32_t version; /* another one whenever anything of this has changed */
} supi_self;

/* Are two rows in one rigid part? */
static inline bool supi_self_shares_part(const supi_self* self, int32_t a, int32_t b) {
    if (!self->part_starts) return false;
    int32_t i = self->part_starts[a], j = self->part_starts[b];
    while (i < self->part_starts[a + 1] && j < self->part_starts[b + 1]) {
        if (self->parts[i] == self->parts[j]) return true;
        if (self->parts[i] < self->parts[j])
            i++;
        else
            j++;
    }
    return false;
}

/* Do two rows never meet? */
static inline bool supi_self_spares(const supi_self* self, int32_t a, int32_t b) {
    for (int32_t i = self->joined_starts[a]; i < self->joined_starts[a + 1]; i++) {
        if (self->joined[i] == b) return true;
    }
    return supi_self_shares_part(self, a, b);
}

/* A symmetric 3x3 matrix: xx, yy, zz, xy, xz, yz. */
typedef struct supi_moments {
    float m[6];
} supi_moments;

/* What contacts do to a particle that has a rotation. */
enum {
    SUPI_TIPS = 1,  /* pushes turn it: free particles and those of rigid parts */
    SUPI_ROLLS = 2, /* friction turns it. Without these, as for members of groups, which turn it
                       anyway, contacts move it alone and do not see its spin. Never one without
                       the other where it is no sphere: it would be a motor */
    SUPI_FLAT = 4   /* a piece of a surface: others leave it on its outer side */
};

/* How particles of a run are slowed beside the friction of their surfaces. */
typedef struct supi_slowing {
    float rolling; /* loss of spin for each unit of load over mass and radius */
    bool drags;    /* no friction of surfaces, but shares of the slip that go in a substep: */
    float drag, turn_drag; /* of the speed; of the rest, by turning */
} supi_slowing;

/* Particles with rotations and shapes, by row of their run, from 0. Stays where it is until the
   contacts are cleared. */
typedef struct supi_oriented {
    const sup_quat* axes;        /* of the ellipsoids at rest */
    const sup_row* radii;        /* m, along them; w is not read */
    sup_quat* turn;              /* from rest to the present; unit */
    sup_row* spin;               /* rad/s, world; w is not read */
    const supi_moments* inertia; /* inverse, at rest, 1/(kg m^2); 0: does not turn */
    const uint8_t* flags;        /* NULL: none for all */
    const sup_vec3* flat;        /* unit, outward normals at rest of those that are flat, or NULL */
    const int32_t* piece; /* what a row hangs together with; -1: with nothing, or with what cannot
                             move. NULL: -1 for all */
    sup_row* shift; /* m, sums of what moved rows of pieces and became no speed; w is not read */
    float reach;    /* m, the largest radius */
    supi_slowing slowing;
} supi_oriented;

/* Other ways to meet than by spheres. */
typedef enum supi_way {
    SUPI_WAY_THIN = 1, /* contact/thin.h */
    SUPI_WAY_TETS = 2  /* contact/tet_contacts.h */
} supi_way;

/* The particles of one body as contact sees them. Rows are relative to the anchor. Runs share no
 * row. */
typedef struct supi_run {
    int32_t first, count;  /* rows */
    double anchor[3];      /* m, world */
    float low[3], high[3]; /* box of the rows as they are when contacts are looked for */
    float reach;           /* largest contact radius of the run; 0: meets colliders only */
    float spacing; /* m, above 0: mean spacing of its particles, the unit of the depenetration
                      speeds */
    float
        speed; /* m/s, largest of the rows or a bound: how far beyond the surface colliders look */
    const float* depths; /* m, by row: how far under the drawn surface it lies, where colliders end;
                            NULL: on it */
    float deepest;       /* m, the largest of them */
    const supi_grip* grips;   /* by region (grip_count) */
    supi_grip grip;           /* room for that of a run with one region, so that it is at hand */
    const uint8_t* region_of; /* region of each of its rows; NULL: 0 for all */
    int32_t grip_count;
    sup_filter filter;
    bool asleep;   /* does not move, but may be woken: meets what is awake or moves */
    bool held;     /* does not move and is immovable for others */
    uint32_t ways; /* of supi_way: those in which it meets its like, in place of spheres */
    const supi_oriented* oriented; /* NULL: spheres of their contact radius, which must be the
                                      largest radius otherwise */
    const supi_self* self;         /* NULL: its particles do not meet each other */
    const sup_vec3* outward; /* rest normals of its rows, where it has an outside; else NULL */
    const sup_quat* turns;   /* rotations that bring them to the present */
    const int32_t* turn_of;  /* which of them is a row's; NULL: the first for all */
} supi_run;

/* Which of its grips a row has. */
static inline int32_t supi_run_region(const supi_run* run, int32_t row) {
    return run->region_of ? run->region_of[row - run->first] : 0;
}

/* How two things act on each other where they meet. */
typedef struct supi_surface {
    float friction_static, friction_kinetic, restitution;
    float depart; /* m/s at which an overlap may open by itself */
    float shift;  /* m/s at which what is left of it opens without becoming speed */
    float slack;  /* m: particles that were closer before the substep had met already */
    float creep;  /* m/s: slower slip than this is still held by static friction */
    bool stops;   /* one of them gathers speed in steps of its own within a substep. A correction of
                     its place is then less than h times its approach, and what is left of this goes
                     after the sweeps */
} supi_surface;

/* One particle against another or against a collider. The normal points to particle a. */
typedef struct supi_contact {
    int32_t a;       /* row */
    int32_t b;       /* row, or index of the touch */
    int32_t surface; /* index into the surfaces of all contacts */
    float normal[3]; /* frozen at detection for pairs, renewed in every sweep for colliders */
    float distance;  /* m, what is kept along the normal: sum of radii, or thickness and depth */
    float depth;     /* m, at detection; negative: apart */
    float approach;  /* m/s, relative normal speed before any correction of this substep */
    float push;      /* m, sum of the normal corrections that became speed, bounces too */
    float drag[3];   /* m, sum of the friction corrections */
    float opened;    /* m, of push: what did more than stop them; of particles that turn */
} supi_contact;

/* What a contact of particles that turn remembers beside. */
typedef struct supi_grasp {
    float old;             /* m, depth at the start of the substep, at least 0 */
    float scale;           /* of both shapes: below 1 where they overlap at rest */
    float speed;           /* m/s, at which they part along the normal, as found */
    sup_vec3 arm_a, arm_b; /* m, to where they touched at the start of the substep */
    sup_quat found;        /* of a touch: rotation at detection */
} supi_grasp;

/* A particle against a collider. */
typedef struct supi_touch_contact {
    supi_contact common;
    float start[3]; /* m, place at the start of the substep */
    float found[3]; /* m, place at detection */
    float side;     /* of an open mesh */
    float gain[3];  /* m/s, all that the collider has added to the particle's velocity */
} supi_touch_contact;

#endif
