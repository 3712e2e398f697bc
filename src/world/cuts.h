/* How the cloth of bodies is cut (solve/refine.h): fine where it bends, coarse where it is flat.
   Cells change at the end of a step, or at the beginning of one where something new holds them.
   Nothing to do for all other bodies. */
#ifndef SUPPLE_WORLD_CUTS_H
#define SUPPLE_WORLD_CUTS_H

#include "world/elastic.h"
#include "world/world.h"

/* Room for all states of the cloth. False when memory is short. */
bool supi_cuts_make(supi_elastic* elastic, const sup_blueprint* blueprint);
/* No cuts but those that pins ask for. */
void supi_cuts_reset(supi_body* body);
/* Levels or settings are new: all that follows from them, but for rows. */
void supi_cuts_remake(supi_body* body);
/* Can it be cut as its levels tell? For levels from a file. */
bool supi_cuts_sane(const supi_body* body);
/* The start of a step is kept, and comes back, with the weights of its rows in world->now. */
void supi_cuts_keep(supi_body* body);
void supi_cuts_restore(sup_world* world, supi_body* body);

/* Start of a step, when attachments know their rows: what they hold must move by itself. */
void supi_cuts_begin(sup_world* world);
/* End of a step: all that follows its cell does, and every few steps cells are looked at. */
void supi_cuts_settle(sup_world* world);
/* What has no motion of its own goes where the rest of its cell is. */
void supi_cuts_follow(sup_world* world, supi_body* body);

/* Before its springs move a body hanging rows become such that they are moved; after it they are
   tied again. */
void supi_cuts_loosen(const supi_body* body, sup_row* x, sup_row* v);
void supi_cuts_fasten(const supi_body* body, sup_row* x, sup_row* v);

/* The springs that move a body. */
static inline const supi_spring_net* supi_cuts_net(const supi_body* body) {
    return body->elastic->cuts ? &body->elastic->cuts->net : &body->blueprint->net;
}

/* Level of the finest cell around a row; 0 in all other bodies. */
int32_t supi_cuts_level(const supi_body* body, int32_t row);
/* Of any row of any body, as it is now: kg, 1/kg, and the contact radius in m. */
float supi_cuts_mass(const supi_body* body, int32_t row);
float supi_cuts_inverse_mass(const supi_body* body, int32_t row);
float supi_cuts_radius(const supi_body* body, int32_t row);

#endif
