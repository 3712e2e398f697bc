/* What `supple deform` is to do: operations from the command line and from a JSON file, read by the
   same tables. */
#ifndef SUPPLE_TOOL_DEFORM_SCRIPT_H
#define SUPPLE_TOOL_DEFORM_SCRIPT_H

#include "options.h"
#include "scene/reader.h"
#include "supple/deform.h"

typedef enum deform_kind {
    DEFORM_PULL,
    DEFORM_PUSH,
    DEFORM_PIN,
    DEFORM_SPLIT,
    DEFORM_DENT,
    DEFORM_BULGE,
    DEFORM_CARVE,
    DEFORM_LANDMARKS,
    DEFORM_MORPH
} deform_kind;

typedef struct deform_operation {
    const supi_json* place;
    int32_t kind;
    /* which points: pull, push, pin */
    supi_list index;
    double nearest[3], box[6], sphere[4];
    const char *material, *group;
    /* pull, push */
    double by[3], along;
    double transfer, transverse, beta;
    int32_t passes, depth;
    bool fade, pins_block, memory, reproducible;
    double mass; /* pin; below 0: a pin */
    /* split */
    double stretch, squeezed;
    int32_t budget, limit, squeeze;
    bool within;
    /* dent, bulge, carve */
    double centre[3], radius, radii[3], sides[3], rotation[4], strength, fading[2];
    const char* mesh;
    bool inverse, refine;
    double way[3]; /* carve */
    int32_t steps;
    /* landmarks, morph */
    supi_rows from, to;
    int32_t method;
    double power, reach, amount;
    bool compact;
    /* morph */
    const char* file;
    bool snap;
    supi_list parts; /* of deform_operation: landmarks of the points that each selects */
} deform_operation;

/* Where operations come from, in the order in which they are done. */
typedef enum deform_origin {
    DEFORM_FROM_MORPH, /* --morph with --landmarks */
    DEFORM_FROM_FILE,
    DEFORM_FROM_LINE,
    DEFORM_ORIGINS
} deform_origin;

typedef struct deform_script {
    supi_arena store;
    supi_json_document documents[DEFORM_ORIGINS];
    bool read[DEFORM_ORIGINS];
    supi_reader readers[DEFORM_ORIGINS];
    char* words; /* the command line as JSON; owned */
    supi_list lists[DEFORM_ORIGINS];
} deform_script;

/* Each may be missing (NULL, no words). Failures have been said. Free it in any case. */
typedef struct deform_sources {
    const char *target, *landmarks; /* --morph: the mesh to end at, and a file of parts */
    const char* file;
    const option_texts* words;
} deform_sources;
tool_exit deform_script_read(deform_script* script, const deform_sources* sources);
void deform_script_free(deform_script* script);

/* As tool_fail_error; of the command line it tells which operation is wrong, and no column: what
   has been parsed is not what was typed. */
tool_exit deform_fail(const sup_error* error);

/* Was this key given? */
bool deform_given(const deform_operation* operation, const char* key);
const char* deform_name(int32_t kind);

#endif
