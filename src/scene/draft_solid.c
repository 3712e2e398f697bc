/* The tables of solids: how tetrahedra fill a shape, what holds them together, and how they meet
   others. */
#include "scene/draft.h"
#include "supple/solid.h"
#include "world/overlap_numbers.h"

static const char* const methods[] = {"auto", "stuff", "cage", NULL}; /* sup_tets_method */

#define SOLID(name, words, values, ...)                                                            \
    static const supi_filled_draft name##_defaults = values;                                       \
    static const supi_field name##_fields[] = {__VA_ARGS__, SUPI_END};                             \
    static const supi_table name##_table = {words, &name##_defaults, sizeof(supi_filled_draft),    \
                                            name##_fields}
#define VALUES(...)                                                                                \
    { __VA_ARGS__ }

#define FILLING                                                                                    \
    SUPI_NUMBER("cell", supi_filled_draft, cell, 1e-6, 1e6, SUPI_EXCLUSIVE),                       \
        SUPI_INTEGER("count", supi_filled_draft, count, 1, 100000000, SUPI_EXCLUSIVE),             \
        SUPI_FIELD("method", SUPI_FIELD_WORD, supi_filled_draft, method, .words = methods)

SOLID(clusters, "a solid of clusters", VALUES(.kind = SUP_SOLID_CLUSTERS, .reach = 3), FILLING,
      SUPI_INTEGER("reach", supi_filled_draft, reach, 1, 4, 0));
SOLID(springs, "a solid of springs",
      VALUES(.kind = SUP_SOLID_SPRINGS, .young = 1e5, .poisson = 0.35), FILLING,
      SUPI_NUMBER("young", supi_filled_draft, young, 0, 1e12, 0),
      SUPI_NUMBER("poisson", supi_filled_draft, poisson, 0.25, 0.49, 0));
SOLID(frames, "a solid of frames", VALUES(.kind = SUP_SOLID_FRAMES, .particles = 300, .seed = 1),
      FILLING, SUPI_INTEGER("particles", supi_filled_draft, particles, 1, 100000, 0),
      SUPI_INTEGER("seed", supi_filled_draft, seed, 0, INT32_MAX, 0));

const supi_choice supi_draft_solids[] = {{"clusters", &clusters_table},
                                         {"springs", &springs_table},
                                         {"frames", &frames_table},
                                         {NULL, NULL}};

/* ---- how they meet ---- */

static const char* const overlaps[] = {"depth", "naive", "penalty", "spheres",
                                       NULL}; /* sup_overlap_mode */

#define USUAL(key, low, high, usual) .key = usual,
static const supi_overlap_draft overlap_defaults = {SUPI_OVERLAP_NUMBERS(USUAL)};
#define NUMBER(key, low, high, usual) SUPI_NUMBER(#key, supi_overlap_draft, key, low, high, 0),
static const supi_field overlap_fields[] = {
    SUPI_FIELD("mode", SUPI_FIELD_WORD, supi_overlap_draft, mode, .words = overlaps),
    SUPI_FIELD("meet_itself", SUPI_FIELD_BOOL, supi_overlap_draft, meet_itself, .flags = 0),
    SUPI_FIELD("edges", SUPI_FIELD_BOOL, supi_overlap_draft, edges, .flags = 0),
    SUPI_OVERLAP_NUMBERS(NUMBER) SUPI_END};
const supi_table supi_draft_overlap_table = {"the overlap of a body", &overlap_defaults,
                                             sizeof overlap_defaults, overlap_fields};
