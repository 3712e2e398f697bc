/* What acts on a body of springs beside the springs: wind, gas inside, triangles and tetrahedra
   that keep their size, anchors. A body has room for it only where its settings ask for it. */
#ifndef SUPPLE_WORLD_SPRING_FORCES_H
#define SUPPLE_WORLD_SPRING_FORCES_H

#include "solve/anchor.h"
#include "solve/implicit.h"
#include "solve/pressure.h"
#include "solve/step_control.h"
#include "solve/volumes.h"
#include "world/springs.h"

typedef struct supi_spring_forces {
    supi_arena arena; /* owns every array below */
    sup_spring_solid solid;
    bool pushed;           /* by wind or gas */
    int32_t face_room;     /* faces at most, however the surface is torn or cut */
    supi_patches faces;    /* triangles of the surface as it is; none: neither wind nor gas */
    float* masses;         /* kg, by face: its shares of its corners */
    sup_row* rest;         /* m, by row */
    double rest_volume;    /* m^3, of the closed surface */
    supi_volumes volumes;  /* none: they have no elements */
    double rest_centre[3]; /* m, of what is not pinned */
    uint8_t* held;         /* by row: 1 where there is an anchor; NULL: everywhere */

    /* Scratch. */
    sup_row *areas, *pushes; /* by face */
    sup_row *swell, *holds;  /* by row: m^2 gradient of the volume; N of anchors. NULL: none */
    uint64_t* keys;          /* by edge of a face, twice; the next too */
    int32_t* ids;
    double* parts;          /* by piece of whatever is summed */
    supi_anchor_sums* sums; /* by piece of the rows */
    /* As of the last look: */
    supi_pressure_state gas;
    supi_anchor_whole whole; /* the body, where anchors go with it */
} supi_spring_forces;

/* Refuses what a blueprint has no surface or tetrahedra for. */
sup_result supi_spring_forces_check(const sup_spring_settings* settings,
                                    const sup_blueprint* blueprint, sup_error* error);

/* Room for all that the settings ask for in this wind: NULL where that is nothing. False: no
   memory. */
bool supi_spring_forces_make(const sup_world* world, const sup_wind* wind,
                             const sup_spring_settings* settings, const supi_body* body,
                             supi_spring_forces** out);
/* Its surface has torn or is cut otherwise: other triangles. Nothing to do for NULL. */
void supi_spring_forces_lay(const supi_body* body, supi_spring_forces* forces);
/* NULL is fine. */
void supi_spring_forces_free(const sup_world* world, supi_spring_forces* forces);

/* Works out all forces at a state, those for an implicit substep without what its terms bring. */
void supi_spring_forces_find(const supi_springs_way* way, const supi_body* body, bool implicit,
                             const sup_row* x, const sup_row* v);
/* Then: adds them to rows begin .. end-1 of f, N. */
void supi_spring_forces_add(const supi_spring_forces* forces, int32_t begin, int32_t end,
                            sup_row* f);

/* How stiff all of it is at a state, at most: for explicit steps. */
supi_step_others supi_spring_forces_bound(const supi_springs_way* way, const supi_body* body,
                                          const sup_row* x, const sup_row* v);

/* Then, for an implicit substep: anchors that go with the body are led by all of f. */
void supi_spring_forces_lead(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                             sup_row* f);

/* At its end: the body as a whole moves as all of f has told. */
void supi_spring_forces_settle(const supi_springs_way* way, const supi_body* body, sup_row* x,
                               sup_row* v);

/* Terms of an implicit substep of h about the state of the last look. */
typedef struct supi_spring_terms {
    supi_spring_forces* forces;
    supi_tasks* tasks;
    float square; /* h^2 */
    float resist; /* share of their mass by which anchors hold rows back */
    const sup_row* x;
    int32_t row_count;
    /* Arguments of the pass that runs. */
    const sup_row* p;
    sup_row* y;
    supi_spring_rows8* rows;
    float scale;
    double swelling;
} supi_spring_terms;
/* False: there are none. `out` refers to `terms`. */
bool supi_spring_forces_terms(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                              supi_spring_terms* terms, supi_implicit_terms* out);

#endif
