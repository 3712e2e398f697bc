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
    /* dent, bulge */
    double centre[3], radius, radii[3], sides[3], rotation[4], strength, fading[2];
    const char* mesh;
    bool inverse;
    /* landmarks, morph */
    supi_rows from, to;
    int32_t method;
    double power, reach, amount;
    bool compact;
    const char* file;
} deform_operation;

typedef struct deform_script {
    supi_arena store;
    supi_json_document documents[2]; /* of the file, of the command line: the order of all pairs */
    bool read[2];
    supi_reader readers[2];
    char* words; /* the command line as JSON; owned */
    supi_list lists[2];
} deform_script;

/* Operations of the file come first. Either may be missing (no words, NULL). Failures have been
   said. Free it in any case. */
tool_exit deform_script_read(deform_script* script, const option_texts* words, const char* file);
void deform_script_free(deform_script* script);

/* Was this key given? */
bool deform_given(const deform_operation* operation, const char* key);
const char* deform_name(int32_t kind);

#endif
