/* Between the files that make a net of oriented particles. */
#ifndef SUPPLE_SOLVE_FRAME_BUILD_H
#define SUPPLE_SOLVE_FRAME_BUILD_H

#include "solve/frame.h"

typedef struct supi_frame_builder {
    const supi_frame_source* source;
    supi_arena *arena, *scratch;
    supi_frame_net* net;
    sup_error* error;
} supi_frame_builder;

/* Parts and who is in them; welds those that share three points. */
sup_result supi_weld_parts(supi_frame_builder* b);
/* Then: joints of a part that keep together. False: no memory. */
bool supi_weld_blocks(supi_frame_builder* b);
/* Is the row in the part? */
bool supi_weld_holds(const supi_frame_net* net, int32_t part, int32_t row);
/* True if one part has both rows. */
bool supi_weld_together(const supi_frame_net* net, int32_t a, int32_t b, const uint8_t* soft);

/* Groups: which eight are done at once. False: no memory. */
bool supi_frame_groups_build(supi_frame_builder* b);
/* Links: the same. */
bool supi_frame_links_build(supi_frame_builder* b);
/* After all numbers are filled in: what eight bodies share. False: no memory. */
bool supi_frame_herd_build(supi_frame_builder* b);
/* Room for eight of them. */
void supi_herd_room_add(supi_frame_room_size* size, const supi_frame_net* net);
bool supi_herd_room_push(supi_arena* arena, const supi_frame_room_size* size, supi_herd_room* out);

/* Joints of the parts that are not soft. */
void supi_joint_order(const supi_frame_net* net, const supi_frame_rest* rest,
                      supi_frame_joints* out);

/* All numbers that follow from places at rest, moments and who is awake. */
void supi_frame_fill(const supi_frame_net* net, supi_frame_rest* rest);
/* Moments of one row into its lane, with its inertia. */
void supi_frame_fill_moment(const float moment[6], bool pinned, supi_frame_rest* rest, int32_t row);
/* Masses and inertias of parts, by their members' places in them. */
void supi_part_weigh(const supi_frame_net* net, supi_frame_rest* rest);

#endif
