/* Bodies of springs that meet themselves and each other as thin surfaces and lines: what contact of
   thin bodies needs to know of them, and its part of a step. */
#ifndef SUPPLE_WORLD_FOLDS_H
#define SUPPLE_WORLD_FOLDS_H

#include "world/elastic.h"
#include "world/world.h"

/* What the settings say of a body that can do so, or why it cannot. */
sup_result supi_folds_check(const sup_spring_settings* settings, const sup_blueprint* blueprint,
                            sup_error* error);
/* Room for triangles and edges of a body with springs; it may be there already. False: no memory.
 */
bool supi_folds_make(const sup_world* world, supi_body* body);
void supi_folds_free(const sup_world* world, supi_elastic* elastic);
/* Does it meet others as a thin body? */
bool supi_folds_has(const supi_body* body);

/* Start of a step: room for all of it. False when memory is short. */
bool supi_folds_begin(sup_world* world);
/* Start of a substep of a body: where its rows are, its surface torn as far as it is now. */
void supi_folds_start(sup_world* world, supi_body* body);
/* After all have moved. `first`: of the step. Wakes whom something awake touches. */
sup_result supi_folds_find(sup_world* world, bool first);
/* One sweep; the bound after the last. */
void supi_folds_sweep(sup_world* world, float h);
void supi_folds_bound(sup_world* world, float h);
/* How many sweeps a substep has at least. */
int32_t supi_folds_sweeps(const sup_world* world);
/* The bodies a < b of the couples that were looked at; meetings of theirs. Indices ascend. */
int32_t supi_folds_couple_count(const sup_world* world);
void supi_folds_couple(const sup_world* world, int32_t index, int32_t* a, int32_t* b);
void supi_folds_meeting(const sup_world* world, int32_t index, double h, sup_meeting* sum);

/* Two features that were pushed apart in the last substep, as the first of their bodies sees it. */
typedef struct supi_fold_contact {
    int32_t rows[2];          /* of the bodies: the nearest particles of the two */
    double point[3];          /* m, world: halfway between them */
    double normal[3];         /* towards the first */
    double depth, left;       /* m, when they were found, and what is left of it */
    double push, friction[3]; /* N s */
} supi_fold_contact;
typedef void supi_folds_take(void* context, const supi_fold_contact* contact);
/* Hands over those of the bodies a < b, or of a body and itself where b is a. */
void supi_folds_list(const sup_world* world, int32_t a, int32_t b, double h, supi_folds_take* take,
                     void* context);
/* How many there are in all, and the largest depth that is left, m. */
int32_t supi_folds_measure(const sup_world* world, double* deepest);

#endif
