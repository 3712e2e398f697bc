/* Slots while they are chosen: which frames a point follows, and how much. */
#ifndef SUPPLE_SKIN_SLOTS_H
#define SUPPLE_SKIN_SLOTS_H

#include "skin/skin.h"

typedef struct supi_slot {
    int32_t frame;
    double weight;
} supi_slot;

/* Puts a candidate among the `count` best so far, `room` at most, which stand in order of weight
   and, where these are equal, of frame. Returns how many there are; *dropped: which one fell out,
   frame -1 if none did. */
int32_t supi_slots_insert(supi_slot* slots, int32_t count, int32_t room, supi_slot candidate,
                          supi_slot* dropped);

/* Makes the weights, of which the first is the largest and above 0, parts of 1 whose sum has no
   rounding, and puts them in order of frames. Those that are too small for a part go. Returns how
   many are left. */
int32_t supi_slots_share(supi_slot* slots, int32_t count);

/* Chooses the slots of point i of the skin: at least one, their frames ascending, their weights
   shared. */
typedef int32_t (*supi_slots_choose)(void* state, int32_t i, supi_slot out[SUPI_SKIN_SLOTS],
                                     int32_t* home);

/* Fills a skin of `count` points at `rest`, of which each has `most` slots at most. False when
   memory is short. */
bool supi_slots_fill(int32_t count, sup_vec3* rest, int32_t most, supi_slots_choose choose,
                     void* state, supi_arena* arena, supi_arena* scratch, supi_skin* out);

#endif
