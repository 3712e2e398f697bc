/* Oriented particles in double, one group and one link after the other, as the formulas are
   written: the slow twin of solve/frame. It also does what must not be done, to show that it
   fails. */
#ifndef SUPPLE_TESTS_REF_FRAMES_H
#define SUPPLE_TESTS_REF_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_FRAMES_MOST = 128, REF_FRAMES_LINKS = 512, REF_FRAMES_MEMBERS = 32 };

/* How far a group pulls in a substep. */
typedef enum ref_frames_share {
    REF_SHARE_SQUARE,   /* min(1, (w0 h)^2) */
    REF_SHARE_IMPLICIT, /* (w0 h)^2 / (1 + (w0 h)^2) */
    REF_SHARE_HALF      /* 0.5 whatever h is */
} ref_frames_share;

typedef struct ref_frames_link {
    int32_t a, b;
    double length, compliance, damping, torsion; /* torsion < 0: none */
} ref_frames_link;

typedef struct ref_frames {
    int32_t count, link_count, part_count;
    double rest[REF_FRAMES_MOST][3], x[REF_FRAMES_MOST][3], v[REF_FRAMES_MOST][3];
    double q[REF_FRAMES_MOST][4], w[REF_FRAMES_MOST][3];
    double cw[REF_FRAMES_MOST][3]; /* rad: by what constraints have turned it in the substep */
    double mass[REF_FRAMES_MOST];
    double moment[REF_FRAMES_MOST][9]; /* in the rest frame */
    bool pinned[REF_FRAMES_MOST];      /* x and q are those of the caller */
    ref_frames_link links[REF_FRAMES_LINKS];
    int32_t part_size[REF_FRAMES_MOST], parts[REF_FRAMES_MOST][REF_FRAMES_MEMBERS];
    /* Settings. */
    bool classic;                   /* groups one after the other, forth and back */
    int32_t order[REF_FRAMES_MOST]; /* of groups, for that */
    bool backward;                  /* direction of the next sweep */
    bool wrong_order;               /* of the factors of a moment: diagonal matrix times rotation */
    bool damps_last;                /* after the forces */
    ref_frames_share share;
    double stiffness, damping, turn_damping, gravity[3];
    int passes; /* over parts, which hand on their shared particles */
} ref_frames;

/* Rotation of a group, and where it takes its members. Weights are those of the mode. */
int32_t ref_frames_match(const ref_frames* f, int32_t centre, double r[9],
                         int32_t members[REF_FRAMES_MEMBERS], double goals[REF_FRAMES_MEMBERS][3]);
void ref_frames_substep(ref_frames* f, double h);

/* The turn by a vector, and the other way round. */
void ref_frames_exp(const double a[3], double q[4]);
void ref_frames_log(const double from[4], const double to[4], double a[3]);

#endif
