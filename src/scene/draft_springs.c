/* The tables of springs: which hold a body, and how they move it. */
#include "scene/draft.h"

/* ---- weaves ---- */

#define WEAVE(name, words, values, ...)                                                            \
    static const supi_weave_draft name##_defaults = values;                                        \
    static const supi_field name##_fields[] = {__VA_ARGS__, SUPI_END};                             \
    static const supi_table name##_table = {words, &name##_defaults, sizeof(supi_weave_draft),     \
                                            name##_fields}
#define VALUES(...)                                                                                \
    { __VA_ARGS__ }

#define STIFF(key) SUPI_NUMBER(#key, supi_weave_draft, key, 0, 1e12, 0)
#define POISSON(low, high) SUPI_NUMBER("poisson", supi_weave_draft, poisson, low, high, 0)
#define DENSITY SUPI_NUMBER("density", supi_weave_draft, density, 1e-9, 1e9, 0)
#define TEAR                                                                                       \
    SUPI_NUMBER("tear", supi_weave_draft, tear, 0.01, 10, 0),                                      \
        SUPI_NUMBER("tear_force", supi_weave_draft, tear_force, 1e-6, 1e12, 0),                    \
        SUPI_NUMBER("spare", supi_weave_draft, spare, 0, 8, 0)
#define LENGTH(key) SUPI_NUMBER(#key, supi_weave_draft, key, 0, SUPI_FAR, SUPI_ABOVE)
#define FLAG(key) SUPI_FIELD(#key, SUPI_FIELD_BOOL, supi_weave_draft, key, .flags = 0)

static const char* const rules[] = {"lengths", "even", NULL};     /* sup_weave_rule */
static const char* const inners[] = {"offset", "scaled", NULL};   /* sup_weave_inner */
static const char* const refine_rules[] = {"even", "seed", NULL}; /* sup_refine_rule */
#define RULE SUPI_FIELD("rule", SUPI_FIELD_WORD, supi_weave_draft, rule, .words = rules)

static const supi_struts_draft struts_defaults = {.stiffness = 100, .every = 1};
static const supi_field struts_fields[] = {
    SUPI_NUMBER("stiffness", supi_struts_draft, stiffness, 0, 1e12, 0),
    SUPI_INTEGER("every", supi_struts_draft, every, 1, 1000000, 0),
    SUPI_FIELD("split", SUPI_FIELD_BOOL, supi_struts_draft, split, .flags = 0), SUPI_END};
static const supi_table struts_table = {"struts", &struts_defaults, sizeof struts_defaults,
                                        struts_fields};

WEAVE(cloth, "cloth over a grid",
      VALUES(.kind = SUPI_WEAVE_CLOTH, .stretch = 1000, .shear = 500, .bend = 50, .density = 0.2,
             .spare = 0.5, .refine_angle = 15),
      STIFF(stretch), STIFF(shear), STIFF(bend), DENSITY, TEAR,
      SUPI_INTEGER("levels", supi_weave_draft, levels, 0, 4, 0),
      SUPI_NUMBER("refine_angle", supi_weave_draft, refine_angle, 5, 45, 0),
      SUPI_FIELD("refine_rule", SUPI_FIELD_WORD, supi_weave_draft, refine_rule,
                 .words = refine_rules));
WEAVE(mesh, "springs of a mesh",
      VALUES(.kind = SUPI_WEAVE_MESH, .young = 1000, .shear = 0.5, .bend = 0.05, .density = 0.2,
             .spare = 0.5),
      STIFF(young), STIFF(stiffness), POISSON(0.333, 0.9), LENGTH(thickness),
      SUPI_NUMBER("shear", supi_weave_draft, shear, 0, 1e6, 0),
      SUPI_NUMBER("bend", supi_weave_draft, bend, 0, 1e6, 0), DENSITY, TEAR,
      SUPI_FIELD("struts", SUPI_FIELD_OBJECT, supi_weave_draft, struts, .table = &struts_table));
WEAVE(shell, "a shell",
      VALUES(.kind = SUPI_WEAVE_SHELL, .layers = 1, .scale = 0.8, .young = 1e5, .density = 1000),
      SUPI_INTEGER("layers", supi_weave_draft, layers, 1, 4, 0),
      SUPI_FIELD("inner", SUPI_FIELD_WORD, supi_weave_draft, inner, .words = inners),
      LENGTH(thickness), SUPI_NUMBER("scale", supi_weave_draft, scale, 0.01, 0.99, 0), FLAG(centre),
      RULE, STIFF(young), POISSON(0.25, 0.49), DENSITY);
WEAVE(block, "a block of tetrahedra",
      VALUES(.kind = SUPI_WEAVE_BLOCK, .cell = 0.1, .rule = SUP_WEAVE_EVEN, .young = 1e5,
             .density = 1000),
      LENGTH(cell), RULE, STIFF(young), POISSON(0.25, 0.49), DENSITY);
WEAVE(hexes, "springs of hexahedra",
      VALUES(.kind = SUPI_WEAVE_HEXES, .cell = 0.1, .young = 1e5, .density = 1000), LENGTH(cell),
      STIFF(young), POISSON(0.25, 0.49), SUPI_NUMBER("space", supi_weave_draft, space, 0, 1, 0),
      DENSITY);
WEAVE(rope, "a rope",
      VALUES(.kind = SUPI_WEAVE_ROPE, .stretch = 1000, .density = 0.1, .slack = true),
      STIFF(stretch), SUPI_NUMBER("bend", supi_weave_draft, bend, 0, 1e3, 0), DENSITY, FLAG(slack));

WEAVE(elements, "springs of elements",
      VALUES(.kind = SUPI_WEAVE_ELEMENTS, .young = 1e5, .density = 1000),
      SUPI_FIELD("corners", SUPI_FIELD_SETS, supi_weave_draft, corners, .flags = SUPI_REQUIRED,
                 .high = INT32_MAX),
      RULE, STIFF(young), POISSON(0.25, 0.49), DENSITY);

const supi_choice supi_draft_weaves[] = {{"cloth", &cloth_table},       {"mesh", &mesh_table},
                                         {"shell", &shell_table},       {"block", &block_table},
                                         {"hexes", &hexes_table},       {"rope", &rope_table},
                                         {"elements", &elements_table}, {NULL, NULL}};

/* ---- how they move ---- */

static const char* const integrators[] = {
    "auto",     "implicit", "symplectic", "velocity_verlet", "position_verlet", "euler",
    "midpoint", "rk4",      NULL};                                   /* sup_integrator */
static const char* const kinds[] = {"struct", "struct_shear", NULL}; /* sup_limit_kinds */

static const char* const preconditioners[] = {"blocks", "levels", NULL}; /* sup_preconditioner */
static const char* const frames[] = {"fitted", "fixed", NULL};           /* sup_anchor_frame */

/* What acts beside the springs: a table of numbers. */
#define NUMBER_OF(kind, key, low, high) SUPI_NUMBER(#key, supi_##kind##_draft, key, low, high, 0)
#define BESIDE(kind, words, values, ...)                                                           \
    static const supi_##kind##_draft kind##_defaults = values;                                     \
    static const supi_field kind##_fields[] = {__VA_ARGS__, SUPI_END};                             \
    static const supi_table kind##_table = {words, &kind##_defaults, sizeof kind##_defaults,       \
                                            kind##_fields}

#define AIR VALUES(.across = 1, .along = 0.05)
#define PRESSURE VALUES(.power = 1)
#define ANCHOR VALUES(.frequency = 10, .damping = 0.3)
#define YIELD VALUES(.strain = 0.05, .limit = 0.5)
static const supi_air_draft air_defaults = AIR;
static const supi_field air_fields[] = {NUMBER_OF(air, across, 0, 2), NUMBER_OF(air, along, 0, 2),
                                        SUPI_END};
const supi_table supi_draft_air_table = {"what air does to a body", &air_defaults,
                                         sizeof air_defaults, air_fields};
BESIDE(pressure, "the gas in a body", PRESSURE,
       SUPI_NUMBER("inside", supi_pressure_draft, inside, 0, 1e9, SUPI_REQUIRED),
       NUMBER_OF(pressure, outside, 0, 1e9), NUMBER_OF(pressure, power, 0, 10));
BESIDE(bulk, "what keeps its size", VALUES(.area = 0), NUMBER_OF(bulk, area, 0, 1e12),
       NUMBER_OF(bulk, volume, 0, 1e12), NUMBER_OF(bulk, bend, 0, 1e12));
BESIDE(anchor, "the anchors of a body", ANCHOR, NUMBER_OF(anchor, frequency, 0, 1e4),
       NUMBER_OF(anchor, damping, 0, 10),
       SUPI_FIELD("frame", SUPI_FIELD_WORD, supi_anchor_draft, frame, .words = frames));
BESIDE(yield, "how springs yield", YIELD, NUMBER_OF(yield, strain, 0, 1),
       NUMBER_OF(yield, time, 0, 1e6), NUMBER_OF(yield, limit, 0, 2));
#define PART(key)                                                                                  \
    SUPI_FIELD(#key, SUPI_FIELD_OBJECT, supi_springs_draft, key, .table = &key##_table)

#define NUMBER(key, low, high) SUPI_NUMBER(#key, supi_springs_draft, key, low, high, 0)
#define INTEGER(key, low, high) SUPI_INTEGER(#key, supi_springs_draft, key, low, high, 0)

static const supi_springs_draft springs_defaults = {.damping = 0.05,
                                                    .drag = 0.1,
                                                    .tolerance = 1e-2,
                                                    .iterations = 60,
                                                    .newton = 1,
                                                    .adaptive = true,
                                                    .error_length = 1e-5,
                                                    .error_strain = 1e-3,
                                                    .limit_sweeps = 20,
                                                    .air = AIR};
static const supi_field springs_fields[] = {
    SUPI_FIELD("integrator", SUPI_FIELD_WORD, supi_springs_draft, integrator, .words = integrators),
    NUMBER(damping, 0, 10),
    NUMBER(drag, 0, 10),
    NUMBER(tolerance, 1e-6, 0.1),
    INTEGER(iterations, 1, 1000),
    INTEGER(newton, 1, 5),
    SUPI_FIELD("preconditioner", SUPI_FIELD_WORD, supi_springs_draft, preconditioner,
               .words = preconditioners),
    SUPI_FIELD("adaptive", SUPI_FIELD_BOOL, supi_springs_draft, adaptive, .flags = 0),
    NUMBER(error_length, 0, 1),
    NUMBER(error_strain, 0, 1),
    NUMBER(limit, 0.01, 0.5),
    NUMBER(limit_compression, 0.01, 0.5),
    SUPI_FIELD("limit_kinds", SUPI_FIELD_WORD, supi_springs_draft, limit_kinds, .words = kinds),
    INTEGER(limit_sweeps, 1, 100),
    SUPI_FIELD("air", SUPI_FIELD_OBJECT, supi_springs_draft, air, .table = &supi_draft_air_table),
    PART(pressure),
    SUPI_FIELD("solid", SUPI_FIELD_OBJECT, supi_springs_draft, solid, .table = &bulk_table),
    PART(anchor),
    PART(yield),
    SUPI_FIELD("meet_itself", SUPI_FIELD_BOOL, supi_springs_draft, meet_itself, .flags = 0),
    SUPI_NUMBER("thickness", supi_springs_draft, thickness, 0, 1, SUPI_ABOVE),
    SUPI_END};
const supi_table supi_draft_springs_table = {"the springs of a body", &springs_defaults,
                                             sizeof springs_defaults, springs_fields};
