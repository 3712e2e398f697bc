/* What the kernels of oriented particles work on. Floats that stand for eight rows or groups are
   in lane order (supi_lane_order), indices in row order. Quaternions are fetched as rows. */
#ifndef SUPPLE_SOLVE_FRAME_KERNELS_H
#define SUPPLE_SOLVE_FRAME_KERNELS_H

#include "supple/types.h"

/* Rest data of eight rows; symmetric matrices are xx yy zz yz zx xy. */
typedef struct supi_frame_rows8 {
    float mass[8];       /* kg; 0: weightless, or padding */
    float follows[8];    /* 1: weightless, goes where its groups are; else 0 */
    float plain[8];      /* 1: no orientation of its own, turns as its groups do; else 0 */
    float moment[6][8];  /* kg m^2: second moments in the rest frame; 0 where it is plain */
    float inertia[6][8]; /* kg m^2: tr(moment) I - moment */
    float inverse[6][8]; /* of it; 0 where it is plain or pinned */
    float weight[2][8];  /* by sup_frame_mode: factor of its moment in its groups */
} supi_frame_rows8;

/* One member of each of eight groups, or one group of each of eight rows. Where there are fewer,
   share and mu are 0 and `at` is one of the others. */
typedef struct supi_frame_column {
    int32_t at[8];          /* row of the member; group of the row */
    float mu[8];            /* kg, of the member in the group */
    float share[8];         /* by how much of the group's wish the row moves; 1/groups of it */
    float x[8], y[8], z[8]; /* m, rest offset of the row from the middle of the group */
} supi_frame_column;

/* Eight groups. Fewer: the last one is there again. */
typedef struct supi_frame_batch {
    int32_t group[8];
    int32_t centre[8];        /* row */
    int32_t begin, full, end; /* columns: members; from `full` on some groups have none */
    float inverse_weight[8];  /* 1/kg, of the sum of mu; 0 where that is 0 */
    float residue[3][8];      /* m: what rounding left of the mean of the offsets */
} supi_frame_batch;

/* Eight rows and the groups they are in. Fewer: the last one is there again. */
typedef struct supi_frame_blend {
    int32_t row[8];
    int32_t begin, end;         /* columns: groups */
    float follows[8], plain[8]; /* as in supi_frame_rows8 */
} supi_frame_blend;

/* Eight links that share no row. Fewer: the last one is there again. */
typedef struct supi_frame_link8 {
    int32_t a[8], b[8];
    float length[8], compliance[8], damping[8];
    float on[8]; /* 1; 0: both ends are in one rigid part, which keeps their distance */
    bool damped; /* one of them is */
} supi_frame_link8;

/* Eight links that may share rows. Fewer: links from row 0 to itself that do nothing. */
typedef struct supi_frame_twist8 {
    int32_t a[8], b[8];
    float compliance[8]; /* rad/(N m) */
    float na[8], nb[8];  /* number of such links at either end; 0: this one does nothing */
    float tiny[8];       /* m: shorter ones have no direction */
} supi_frame_twist8;

/* What a substep does to all rows of a body. */
typedef struct supi_frame_drive {
    float h, per_h;       /* s, 1/s */
    float keep_v, keep_w; /* what damping leaves */
    float gain[3];        /* m/s, by gravity */
    float fastest;        /* m/s */
    float widest;         /* rad/s */
} supi_frame_drive;

/* Sums over the rows of a body, about a reference point r: what its momenta have lost. */
enum {
    SUPI_FRAME_SUM_MASS = 0,
    SUPI_FRAME_SUM_SHIFT = 1,    /* sum m c (3), c: change of place by constraints */
    SUPI_FRAME_SUM_PLACE = 4,    /* sum m (x - r) (3) */
    SUPI_FRAME_SUM_SPREAD = 7,   /* sum m (x - r)(x - r)^T (6) */
    SUPI_FRAME_SUM_SPIN = 13,    /* sum m (x0 - r) x c / h (3), x0: place at the start */
    SUPI_FRAME_SUM_TURN = 16,    /* change of sum I w (3) */
    SUPI_FRAME_SUM_INERTIA = 19, /* sum I (6) */
    SUPI_FRAME_SUM_START = 25,   /* sum m (x0 - r) (3) */
    SUPI_FRAME_SUM_COUNT = 28
};

/* Places as they are, and what constraints have changed so far in the substep. */
typedef struct supi_frame_rows {
    sup_row *x, *v, *q, *w; /* v and w are those of the prediction until the end */
    sup_row *cx, *cw;       /* m, rad: changes of place and rotation */
    sup_row* spin;          /* kg m^2 rad/s: I w at the start */
    sup_row* moment;        /* 3 rows each: R(q) moment, times its weight in groups */
} supi_frame_rows;

/* ---- Herds: eight bodies of one net, one in each lane ---- */

/* A member of a group, or a group of a row. */
typedef struct supi_herd_member {
    int32_t at;    /* row; group */
    float weight;  /* kg, of the member in the group; share of the group's wish */
    float x, y, z; /* m, rest offset of the row from the middle of the group */
} supi_herd_member;

typedef struct supi_herd_group {
    int32_t centre;     /* row */
    int32_t begin, end; /* members, that in the middle first */
    float inverse_weight, residue[3];
} supi_herd_group;

typedef struct supi_herd_blend {
    int32_t row, begin, end; /* its groups */
    float follows, plain;
} supi_herd_blend;

typedef struct supi_herd_link {
    int32_t a, b;
    float length, compliance, damping, on;
} supi_herd_link;

/* As supi_frame_rows8; the weight is that in SUP_FRAME_MEAN. */
typedef struct supi_herd_row {
    float mass, follows, plain, weight, moment[6], inertia[6];
} supi_herd_row;

/* What a net says once to all lanes: the numbers of supi_frame_rest, in the order in which these
   are used. So a body gets the same bits in a herd and alone. */
typedef struct supi_frame_herd {
    int32_t row_count; /* a multiple of 8 */
    int32_t group_count, blend_count, link_count;
    const supi_herd_row* rows;
    const supi_herd_group* groups; /* by warm start, padding too */
    const supi_herd_member* members;
    const supi_herd_blend* blends;
    const supi_herd_member* shares;
    const supi_herd_link* links;
    const sup_vec3* place; /* m, by row, at rest */
} supi_frame_herd;

/* Three or four numbers of eight bodies. */
typedef struct supi_herd3 {
    float x[8], y[8], z[8];
} supi_herd3;
typedef struct supi_herd4 {
    float x[8], y[8], z[8], w[8];
} supi_herd4;

/* Scratch for eight bodies of a net. */
typedef struct supi_herd_room {
    supi_herd4 *x, *q;          /* by row */
    supi_herd3 *v, *w;          /* by row */
    supi_herd3 *cx, *cw, *spin; /* by row */
    supi_herd3* moment;         /* by row, 3 each */
    supi_herd4* turn;           /* by group */
    supi_herd3 *origin, *centre;
} supi_herd_room;

/* What brings the momenta of eight bodies back: a way, a turn, and about where. */
typedef struct supi_herd_carry {
    float u[3][8], o[3][8], middle[3][8];
} supi_herd_carry;

typedef struct supi_frame_kernels {
    /* x and v of rows 0 .. 8 count - 1. The second set may be the first. Pinned rows are copied.
     */
    void (*predict)(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                    const supi_frame_rows* from, const supi_frame_rows* to);
    /* The same for q and w. */
    void (*spin)(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                 const supi_frame_rows* from, const supi_frame_rows* to);
    /* Clears changes, and notes spin. */
    void (*begin)(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                  const supi_frame_rows* rows);
    /* Weighted moments of rows, for groups of a mode. */
    void (*moments)(const supi_frame_rows8* rest, int32_t count, int32_t mode,
                    const supi_frame_rows* rows);
    /* x is x* + cx: after links, which change cx only. */
    void (*shift)(int32_t count, const supi_frame_rows* rows);
    /* Rotation of groups, where the row in their middle is, and how far from it their centre
       (fourth: their share s). */
    void (*match)(const supi_frame_batch* batches, int32_t count, const supi_frame_column* columns,
                  const supi_frame_drive* drive, const float* s, const supi_frame_rows* rows,
                  sup_row* turn, sup_row* origin, sup_row* centre);
    /* Moves rows by the mean of what their groups want. */
    void (*blend)(const supi_frame_blend* blends, int32_t count, const supi_frame_column* columns,
                  const sup_row* turn, const sup_row* origin, const sup_row* centre,
                  const supi_frame_rows* rows);
    /* Matches eight groups that share no row, moves their members and turns their middles. */
    void (*classic)(const supi_frame_batch* batch, const supi_frame_column* columns,
                    const supi_frame_drive* drive, const float* s, float turn_share,
                    const supi_frame_rows8* rest, const supi_frame_rows* rows, sup_row* turn);
    /* Changes cx, never x. `place` are rest places by row: the direction of a link that has shrunk
       to nothing is that at rest, turned by its first end. */
    void (*links)(const supi_frame_link8* links, int32_t count, const supi_frame_drive* drive,
                  const sup_vec3* place, const supi_frame_rows* rows);
    /* Adds to `moments` (by row) what links that are twisted do to their ends; or with slerp >= 0,
       as turns (rad), what takes that share of the turn between them. */
    void (*twist)(const supi_frame_twist8* twists, int32_t count, const supi_frame_drive* drive,
                  const supi_frame_rows8* rest, float slerp, const supi_frame_rows* rows,
                  sup_row* moments);
    /* Turns rows by moments, or by turns, and clears them. */
    void (*turn)(const supi_frame_rows8* rest, int32_t count, bool turns,
                 const supi_frame_rows* rows, sup_row* moments);
    void (*sums)(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                 const supi_frame_rows* rows, const float reference[3],
                 float sums[SUPI_FRAME_SUM_COUNT]);
    /* Moves all rows by u + o x (x - middle), and turns them by o. */
    void (*carry)(const supi_frame_rows8* rest, int32_t count, const float u[3], const float o[3],
                  const float middle[3], const supi_frame_rows* rows);
    /* v += cx / h, w += cw / h, none too fast. */
    void (*finish)(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                   const supi_frame_rows* rows);
    /* Are all of `count` turns about as long as unit ones? */
    bool (*are_turns)(const sup_row* q, int32_t count);
    /* Are all rates finite? Of rows 0 .. 8 count - 1. */
    bool (*are_finite)(const sup_row* w, int32_t count);
    /* Eight bodies from `begin` to `blend`, in the room; their x, v, q, w are read, and their warm
       starts `turns` are brought up to date. Then `sums`, about their first rows; NULL: none. */
    void (*herd_match)(const supi_frame_herd* herd, const supi_frame_drive* drive, const float* s,
                       const supi_frame_rows bodies[8], sup_row* const turns[8],
                       const supi_herd_room* room, float reference[3][8],
                       float sums[SUPI_FRAME_SUM_COUNT][8]);
    /* `carry` (NULL: nowhere) and `finish`; x, v, q, w of the bodies are written. */
    void (*herd_finish)(const supi_frame_herd* herd, const supi_frame_drive* drive,
                        const supi_herd_carry* carry, const supi_herd_room* room,
                        const supi_frame_rows bodies[8]);
} supi_frame_kernels;

#endif
