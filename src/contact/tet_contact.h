/* A contact between bodies of tetrahedra, whatever its kind: rows of one body are to be moved along
   the normal, away from rows of another. */
#ifndef SUPPLE_CONTACT_TET_CONTACT_H
#define SUPPLE_CONTACT_TET_CONTACT_H

#include "contact/tet_find.h"

enum {
    /* beside SUPI_TET_INVERTED */
    SUPI_TET_BORDER = 4,     /* an edge of the point crosses the surface */
    SUPI_TET_GUARDED = 8,    /* it would leave on the far side, and goes back as it came */
    SUPI_TET_CONTAINED = 16, /* its part of the body is all inside: one way out for all of it */
    SUPI_TET_OF_ITSELF = 32, /* of a body with itself */
    SUPI_TET_OF_EDGE = 64,   /* an edge that goes in and comes out */
    SUPI_TET_PENALTY = 128,  /* answered by a force in place of corrections */
    SUPI_TET_CARRIED = 256   /* its body was inside for the most part, and leaves as a whole */
};

enum { SUPI_TET_ROWS = 8 };

typedef struct supi_tet_contact {
    int32_t body, other;                     /* indexes; the same for a body with itself */
    int32_t own_count, row_count;            /* rows of `body`, then of `other` */
    int32_t rows[SUPI_TET_ROWS];             /* the first is the point, of an edge its lower end */
    float shares[SUPI_TET_ROWS];             /* of `body` they add up to 1, of `other` to -1 */
    const struct supi_tet_patch* patches[2]; /* of both sides: what moves in place of its rows, see
                                                tet_patch.h; NULL: they do. As long as the
                                                contact */
    int32_t tet;                             /* of `other`, where the point is in one; else -1 */
    sup_vec3 normal;                         /* unit: the way out of `other`, frozen */
    float depth;                             /* m, at detection */
    float goal; /* m, what the sum of shares times places is to be along normal */
    uint32_t flags;
    int32_t answer; /* which of the answers is its own */
    float part;     /* 0..1: of the shift that it may make alone, as others move the same rows */
    float approach; /* m/s, normal speed before any correction; below 0: coming nearer */
    float push;     /* m, sum of the corrections along the normal that became speed */
    sup_vec3 drag;  /* m, sum of those by friction */
} supi_tet_contact;

/* What is remembered of a contact for some substeps: how it was to leave. */
typedef struct supi_tet_memory {
    int32_t body, other, point; /* ids of the bodies */
    int32_t age;                /* substeps; SUPI_TET_MEMORY more if its body was carried */
    sup_vec3 normal;
} supi_tet_memory;

/* Substeps that a contact is remembered. */
enum { SUPI_TET_MEMORY = 4 };

static inline bool supi_tet_was_carried(const supi_tet_memory* m) {
    return m->age >= SUPI_TET_MEMORY;
}

/* One substep later; false: it is forgotten. */
static inline bool supi_tet_grow_old(supi_tet_memory* m) { return ++m->age % SUPI_TET_MEMORY > 0; }

#endif
