/* Blueprints as bytes: every array as it is, so that a body goes on to the last bit. */
#ifndef SUPPLE_TAPE_RECIPE_H
#define SUPPLE_TAPE_RECIPE_H

#include "tape/pack.h"
#include "tape/unpack.h"

void supi_recipe_pack(supi_pack* pack, const sup_blueprint* blueprint);

/* A new blueprint with one reference, or NULL after a refusal. Counts, indices and order of every
   array are checked against each other: whatever passes can be stepped without leaving an array. */
sup_blueprint* supi_recipe_unpack(supi_unpack* unpack, const sup_allocator* allocator);

/* Are these the bytes of the blueprint? */
bool supi_recipe_is(const sup_blueprint* blueprint, const uint8_t* bytes, size_t size);

#endif
