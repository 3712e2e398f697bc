/* The table of soft substance. */
#include "scene/draft.h"

static const char* const volumes[] = {"local", "whole", "free", NULL}; /* sup_blob_volume */

#define NUMBER(key, low, high, flags) SUPI_NUMBER(#key, supi_blob_draft, key, low, high, flags)
static const supi_blob_draft blob_defaults = {
    .stiffness = 2, .friction = 20, .drag = 0.1, .iso = 0.5, .cells = 6, .surface = true};
static const supi_field blob_fields[] = {
    NUMBER(spacing, 1e-6, 1e3, SUPI_REQUIRED),
    NUMBER(stiffness, 1e-4, 1e4, 0),
    NUMBER(friction, 0, 1e4, 0),
    NUMBER(drag, 0, 100, 0),
    SUPI_FIELD("central", SUPI_FIELD_BOOL, supi_blob_draft, central, .flags = 0),
    SUPI_FIELD("surface", SUPI_FIELD_BOOL, supi_blob_draft, surface, .flags = 0),
    NUMBER(iso, 0.05, 0.9, 0),
    SUPI_INTEGER("cells", supi_blob_draft, cells, 3, 12, 0),
    SUPI_FIELD("volume", SUPI_FIELD_WORD, supi_blob_draft, volume, .words = volumes),
    SUPI_END};
const supi_table supi_draft_blob_table = {"soft substance", &blob_defaults, sizeof blob_defaults,
                                          blob_fields};
