/* The numbers of every frame as one JSON file, written as the frames come. */
#ifndef SUPPLE_TOOL_STATS_H
#define SUPPLE_TOOL_STATS_H

#include "emit.h"
#include "supple/scene.h"
#include "tool.h"

typedef struct frame_stats {
    bool open;
    bool springs; /* the scene has some */
    bool levels;  /* the scene has cloth that may be cut */
    bool details; /* the scene has bodies that may change their clusters */
    supi_writer writer;
    emitter out;
} frame_stats;

/* `path` NULL: all calls do nothing. Failures have been said. */
tool_exit stats_open(frame_stats* stats, const char* path, sup_scene* scene, int32_t threads);
void stats_write(frame_stats* stats, sup_scene* scene, int32_t frame);
tool_exit stats_close(frame_stats* stats);
/* Throws the file away if it was not closed. */
void stats_free(frame_stats* stats);

#endif
