/* Oriented particles: groups that are matched with the moments of their members, links, torsion,
   rigid parts with joints (Mueller and Chentanez 2011; Macklin et al. 2016 for compliance). Pure
   functions on slices, one body at a time, by one worker; the results depend on nothing else.

   A substep h is, in this order:
       supi_frame_predict     or any other integrator that gives v and x = x0 + h v, and
                              supi_frame_spin
       (the caller sets x, v, q, w of pinned rows)
       supi_frame_project     all constraints but contacts
       (contacts)
       supi_part_advance      only where parts yield, see solve/part.h
   Rotations q are relative to rest: all identity in the rest pose. w is in the world frame. */
#ifndef SUPPLE_SOLVE_FRAME_H
#define SUPPLE_SOLVE_FRAME_H

#include "base/arena.h"
#include "solve/frame_kernels.h"
#include "solve/kernels.h"
#include "supple/frame.h"

/* ---- The net: what never changes ---- */

/* What a net is made of; by row, in the order of the rows of the body. Read only while building. */
typedef struct supi_frame_source {
    int32_t particle_count;
    int32_t row_count;         /* particle_count padded to a multiple of 8 */
    const float* mass;         /* kg (particle_count); 0: weightless, follows its groups */
    const float* inverse_mass; /* 1/kg (particle_count); 0: pinned, or weightless */
    const sup_vec3* rest;      /* m (particle_count) */
    const float (*moment)[6];  /* kg m^2 (particle_count): second moments m/5 Rbar diag(a^2, b^2,
                                  c^2) Rbar^T in the rest frame, xx yy zz yz zx xy; all 0: a point
                                  without orientation. NULL: all are */
    int32_t link_count;
    const sup_link* links; /* a, b are rows */
    int32_t part_count;
    const int32_t* part_starts;  /* (part_count + 1) */
    const int32_t* part_members; /* rows */
    float pin_factor;            /* at least 1: weight of pinned rows in groups */
    bool yields;                 /* parts may be hit so that they yield: their particles have groups
                                    too, for that time */
} supi_frame_source;

/* Two parts held together at a shared row; or one part at a pinned one, then a is -1. */
typedef struct supi_frame_joint {
    int32_t row;
    int32_t a, b;               /* parts; in a tree a is nearer to the root */
    int32_t member_a, member_b; /* place in part_members; member_a is -1 where a is */
} supi_frame_joint;

/* Where a part stands among those it has joints with. */
typedef enum supi_joint_place {
    SUPI_JOINT_NONE, /* alone, or not rigid now */
    SUPI_JOINT_ROOT, /* of a tree that is not pinned */
    SUPI_JOINT_TREE,
    SUPI_JOINT_LOOP /* in a graph with loops, or pinned more than once */
} supi_joint_place;

/* The joints of all parts that are rigid now. Those of trees first: each before those of parts
   further from the root; all are met exactly. Then those of loops. */
typedef struct supi_frame_joints {
    int32_t tree_count, count;
    supi_frame_joint* joints; /* room: net->joint_room */
    uint8_t* place;           /* by part: supi_joint_place */
    int32_t* work;            /* scratch (4 part_count) */
} supi_frame_joints;

/* Rest data that plastic flow changes. A net has those of the beginning; a body whose parts yield
   has a copy in its supi_part_state. */
typedef struct supi_frame_rest {
    sup_vec3* place;            /* m, by row */
    supi_frame_rows8* rows;     /* (row_count / 8) */
    supi_frame_batch* batches;  /* groups as such (group_count / 8) */
    supi_frame_column* columns; /* their members (column_count) */
    supi_frame_blend* blends;   /* rows (blend_count) */
    supi_frame_column* shares;  /* their groups (share_count) */
    supi_frame_batch* classic;  /* groups that share no row (classic_count) */
    supi_frame_column* classic_columns;
    supi_frame_link8* links;   /* (link8_count) */
    supi_frame_twist8* twists; /* (twist8_count) */
    sup_vec3* offset;          /* m, by place in part_members: from the middle of the part */
    sup_vec3* stand;           /* m, by place in part_members: where the part has the row at rest;
                                  parts with dents need not agree about a joint */
    float* member_mass;        /* kg, by place in part_members: of the row in the part */
    double* part_mass;         /* kg, by part */
    double (*part_inertia)[6]; /* kg m^2, by part: about its middle, at rest, never singular */
    uint8_t* awake;            /* by group: 1; 0: its middle is in a rigid part; 2: soft for now */
    uint8_t* soft;             /* by part: 1: not rigid now */
    supi_frame_joints joints;
} supi_frame_rest;

typedef struct supi_frame_net {
    int32_t particle_count, row_count;
    int32_t group_count; /* padded to a multiple of 8: warm starts that a body has */
    int32_t column_count, blend_count, share_count;
    int32_t classic_count, classic_column_count;
    int32_t link8_count, twist8_count;
    int32_t link_count;
    const sup_link* links;          /* as given, but with their lengths; a, b are rows */
    int32_t part_count;             /* after parts that are welded have become one */
    const int32_t* part_starts;     /* (part_count + 1) */
    const int32_t* part_members;    /* rows, ascending in each part */
    const int32_t* part_of;         /* by part of the source: the part it is in */
    const int32_t* row_part_starts; /* by row (row_count + 1): parts it is in */
    const int32_t* row_parts;
    const int32_t* row_places; /* beside it: place in part_members */
    const int32_t* block_of;   /* by place in part_members: first of the block it is in, -1: of
                                  none. Joints of a part that it shares with one other part:
                                  the two of a hinge keep their distance */
    const int32_t* group_of;   /* by row: the group about it, or -1 */
    const int32_t* neighbour_starts; /* by row (row_count + 1): rows it has links to */
    const int32_t* neighbours;
    const int32_t* groups_held;  /* by row: groups that hold it, awake or not */
    const int32_t* centre_of;    /* by group: the row it is about */
    const int32_t* link_of;      /* by place in the eights of links: the link */
    const int32_t* twist_of;     /* by place in the eights of twists: the link, or -1 */
    const int32_t* twist_starts; /* by row (row_count + 1): links with torsion */
    const int32_t* twists_at;
    int32_t joint_room;
    const float* spread; /* m^2, by row: mean square width lambda of its group at rest, so that
                            w0 = sqrt(E / (density lambda)); 0: it has none */
    const float* mass;   /* kg, by row (row_count) */
    const float* inverse_mass; /* 1/kg, by row (row_count) */
    const float* pin_factor;   /* by row: that of the source where it is pinned, else 1 */
    const float (*moment)[6];  /* by row; 0 for joints */
    bool pinned;               /* some row is: momentum is not the body's own */
    bool yields;
    supi_frame_rest rest;        /* never written after the net is made */
    const supi_frame_herd* herd; /* the same for eight bodies at a time; NULL: one by one only */
} supi_frame_net;

/* Arrays of the net go to `arena`, which the caller frees; `scratch` may be freed at once. Bad
   input: SUP_BAD_ARGUMENT, with the link or part in the error. */
sup_result supi_frame_net_build(const supi_frame_source* source, supi_arena* arena,
                                supi_arena* scratch, supi_frame_net* out, sup_error* error);

/* ---- Settings of a body for a step ---- */

typedef struct supi_frame_settings {
    sup_frame_mode mode;
    sup_torsion_mode torsion;
    float stiffness;           /* rad/s, w0 of groups; default 400 */
    const float* stiffness_of; /* rad/s by row (row_count), NULL: the same for all */
    float longest;             /* s: no h is above it; w0 is at most 1/longest, so that a varying h
                                  does not pump energy. 0: h itself */
    float turn_share;          /* 0..1: how far the middle turns in SUP_FRAME_CLASSIC; default 1 */
    float slerp;               /* 0..1 per 1/60 s, for SUP_TORSION_SLERP */
    float damping, turn_damping; /* 1/s; defaults 0.1 and 0.5 */
    float gravity[3];            /* m/s^2 */
    float most_gain;             /* m/s that gravity may give in a substep; default 20 */
    float fastest;               /* m/s */
    bool restore;         /* momenta are kept; off by itself where a row is pinned. Default on */
    float soft_stiffness; /* rad/s, w0 of groups of a part that yields; default 100 */
    float* soft_of; /* the same by group, may be NULL; preparing makes the s of the pull of it */
} supi_frame_settings;

supi_frame_settings supi_frame_settings_default(void);

/* All that follows from settings and h. */
typedef struct supi_frame_pull {
    supi_frame_drive drive;
    sup_frame_mode mode;
    sup_torsion_mode torsion;
    float turn_share, slerp; /* in a substep */
    float soft;              /* s of groups of a part that yields */
    const float* soft_of;    /* the same by group; NULL: `soft` for all */
    bool restore;
    bool backward; /* direction of sweeps in SUP_FRAME_CLASSIC: let it alternate from one substep to
                      the next. Always false from supi_frame_prepare */
    const float* s; /* by group */
    float even;     /* s of all groups; below 0: they differ */
} supi_frame_pull;

/* Once per step and body; h > 0. s (group_count) is filled, and kept by the pull. */
supi_frame_pull supi_frame_prepare(const supi_frame_net* net, const supi_frame_settings* settings,
                                   double h, float* s);

/* ---- A substep ---- */

/* Scratch of one worker for any body whose net is not larger than what it was made for. Nothing in
   it outlives a call. */
typedef struct supi_frame_room {
    sup_row *cx, *cw, *spin, *moment, *moments; /* by row; moment: 3 each */
    sup_row *origin, *centre;                   /* by group */
    float* s;                                   /* by group */
    struct supi_part_body* parts;               /* by part */
    supi_herd_room herd;
} supi_frame_room;

typedef struct supi_frame_room_size {
    int32_t row_count, group_count, part_count;
    int32_t herd_rows, herd_groups; /* of nets that have herds */
} supi_frame_room_size;

/* Makes *size at least what the net needs. */
void supi_frame_room_add(supi_frame_room_size* size, const supi_frame_net* net);
/* False: no memory. The `moments` of a new room are 0, and stay so between calls. */
bool supi_frame_room_push(supi_arena* arena, const supi_frame_room_size* size,
                          supi_frame_room* out);

struct supi_part_state;

/* The rows of one body. */
typedef struct supi_frame_slices {
    sup_row* x;                    /* m, fourth: inverse mass, 0 also for rows pinned for now */
    sup_row* v;                    /* m/s, fourth is left alone */
    sup_quat* q;                   /* unit */
    sup_row* w;                    /* rad/s, fourth is left alone */
    sup_quat* group_turn;          /* warm starts (group_count); identity in the rest pose */
    sup_quat* part_turn;           /* warm starts (part_count), the same */
    struct supi_part_state* parts; /* NULL unless parts yield */
} supi_frame_slices;

/* All that starts anew: warm starts for a body that was put down turned by q. */
void supi_frame_start(const supi_frame_net* net, const sup_quat* q, sup_quat* group_turn,
                      sup_quat* part_turn);

/* Damping, gravity, then x += h v and q turned by h w. `from` and `to` may have the same rows; only
   x, v, q, w of them are used. Rows with inverse mass 0 are copied, but weightless ones move on. */
void supi_frame_predict(const supi_frame_net* net, const supi_frame_pull* pull,
                        const supi_kernels* kernels, const supi_frame_slices* from,
                        const supi_frame_slices* to);

/* Its second half alone, for bodies whose places another integrator moves: q and w. x of `from`
   tells which rows are pinned. */
void supi_frame_spin(const supi_frame_net* net, const supi_frame_pull* pull,
                     const supi_kernels* kernels, const supi_frame_slices* from,
                     const supi_frame_slices* to);

/* From candidates x = x0 + h v and q = exp(h w) q0 to the end of the substep but for contacts:
   links, groups, parts with their joints, torsion, momentum; then v and w by what they changed.
   Neither x, v, q, w of pinned rows nor fourth entries change. */
void supi_frame_project(const supi_frame_net* net, const supi_frame_pull* pull,
                        const supi_kernels* kernels, const supi_frame_slices* slices,
                        const supi_frame_room* room);

/* ---- Eight bodies at a time ---- */

enum { SUPI_HERD = 8, SUPI_HERD_LEAST = 5 }; /* fewer are faster one by one */

/* May two bodies of the net be projected together? */
bool supi_frame_flocks(const supi_frame_net* net, const supi_frame_pull* a,
                       const supi_frame_pull* b);

/* supi_frame_project of up to eight bodies of a net with a herd that flock together; each gets the
   bits that it would get alone. The pull is that of the first. */
void supi_frame_project_herd(const supi_frame_net* net, const supi_frame_pull* pull,
                             const supi_kernels* kernels, const supi_frame_slices* slices,
                             int32_t count, const supi_frame_room* room);

#endif
