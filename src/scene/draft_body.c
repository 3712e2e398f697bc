/* The tables of a body: its shape, clusters, copies, regions and pins. */
#include "scene/draft.h"

/* ---- shapes ---- */

#define SHAPE(name, words, values, ...)                                                            \
    static const supi_shape_draft name##_defaults = values;                                        \
    static const supi_field name##_fields[] = {__VA_ARGS__, SUPI_END};                             \
    static const supi_table name##_table = {words, &name##_defaults, sizeof(supi_shape_draft),     \
                                            name##_fields}
#define VALUES(...)                                                                                \
    { __VA_ARGS__ }

#define LENGTH(key, member) SUPI_NUMBER(key, supi_shape_draft, member, 0, SUPI_FAR, SUPI_ABOVE)

SHAPE(box, "a box", VALUES(.kind = SUPI_SHAPE_BOX, .size = {1, 1, 1}, .segments = {4, 4, 4}),
      LENGTH("size", size), SUPI_INTEGERS("segments", supi_shape_draft, segments, 3, 1, 1024, 0));
SHAPE(icosphere, "an icosphere",
      VALUES(.kind = SUPI_SHAPE_ICOSPHERE, .radius = 0.5, .subdivisions = 3),
      LENGTH("radius", radius),
      SUPI_INTEGER("subdivisions", supi_shape_draft, subdivisions, 0, 8, 0));
SHAPE(torus, "a torus",
      VALUES(.kind = SUPI_SHAPE_TORUS, .radius = 0.4, .tube = 0.15, .segments = {32, 16}),
      LENGTH("radius", radius), LENGTH("tube", tube),
      SUPI_INTEGERS("segments", supi_shape_draft, segments, 2, 3, 4096, 0));
SHAPE(capsule, "a capsule",
      VALUES(.kind = SUPI_SHAPE_CAPSULE, .radius = 0.25, .length = 0.5, .segments = {24},
             .rings = 6, .rows = 6),
      LENGTH("radius", radius), LENGTH("length", length),
      SUPI_INTEGER("segments", supi_shape_draft, segments, 3, 4096, 0),
      SUPI_INTEGER("rings", supi_shape_draft, rings, 1, 1024, 0),
      SUPI_INTEGER("rows", supi_shape_draft, rows, 1, 1024, 0));
SHAPE(grid, "a grid", VALUES(.kind = SUPI_SHAPE_GRID, .size = {1, 1}, .segments = {8, 8}),
      SUPI_NUMBERS("size", supi_shape_draft, size, 2, 0, SUPI_FAR, SUPI_ABOVE),
      SUPI_INTEGERS("segments", supi_shape_draft, segments, 2, 1, 4096, 0));
SHAPE(mesh, "a mesh", VALUES(.kind = SUPI_SHAPE_MESH),
      SUPI_FIELD("file", SUPI_FIELD_TEXT, supi_shape_draft, file, .flags = SUPI_REQUIRED));

SHAPE(rope, "a rope", VALUES(.kind = SUPI_SHAPE_ROPE, .to = {1, 0, 0}, .segments = {20}),
      SUPI_NUMBER("from", supi_shape_draft, from, -SUPI_FAR, SUPI_FAR, 0),
      SUPI_NUMBER("to", supi_shape_draft, to, -SUPI_FAR, SUPI_FAR, 0),
      SUPI_INTEGER("segments", supi_shape_draft, segments, 1, 100000, 0));
SHAPE(voxels, "voxels", VALUES(.kind = SUPI_SHAPE_VOXELS, .least = 1, .cell = 0.1),
      SUPI_FIELD("file", SUPI_FIELD_TEXT, supi_shape_draft, file, .flags = SUPI_REQUIRED),
      SUPI_INTEGERS("cells", supi_shape_draft, segments, 3, 1, 4096, SUPI_REQUIRED),
      LENGTH("cell", cell), SUPI_INTEGER("least", supi_shape_draft, least, 0, 255, 0));

SHAPE(rig, "a rig", VALUES(.kind = SUPI_SHAPE_RIG),
      SUPI_FIELD("file", SUPI_FIELD_TEXT, supi_shape_draft, file, .flags = SUPI_REQUIRED));

#define MODEL(name, words, which)                                                                  \
    SHAPE(name, words, VALUES(.kind = SUPI_SHAPE_MODEL, .model = which, .detail = 1),              \
          SUPI_NUMBER("detail", supi_shape_draft, detail, SUP_MODEL_LEAST_DETAIL,                  \
                      SUP_MODEL_MOST_DETAIL, 0))

MODEL(squid, "a squid", SUP_MODEL_SQUID);
MODEL(lionfish, "a lionfish", SUP_MODEL_LIONFISH);
MODEL(truck, "a truck", SUP_MODEL_TRUCK);
MODEL(twisted_rope, "a twisted rope", SUP_MODEL_ROPE);
MODEL(plant, "a plant", SUP_MODEL_PLANT);

static const supi_choice shapes[] = {{"box", &box_table},
                                     {"icosphere", &icosphere_table},
                                     {"torus", &torus_table},
                                     {"capsule", &capsule_table},
                                     {"grid", &grid_table},
                                     {"mesh", &mesh_table},
                                     {"rope", &rope_table},
                                     {"voxels", &voxels_table},
                                     {"squid", &squid_table},
                                     {"lionfish", &lionfish_table},
                                     {"truck", &truck_table},
                                     {"twisted_rope", &twisted_rope_table},
                                     {"plant", &plant_table},
                                     {"rig", &rig_table},
                                     {NULL, NULL}};

/* ---- clusters ---- */

static const supi_clusters_draft whole_defaults = {
    .layout = SUP_CLUSTERS_WHOLE, .overlap = 0.5, .reach = 1};
static const supi_field whole_fields[] = {SUPI_END};
static const supi_table whole_table = {"one whole cluster", &whole_defaults, sizeof whole_defaults,
                                       whole_fields};

#define JOINTS SUPI_FIELD("joints", SUPI_FIELD_BOOL, supi_clusters_draft, joints, .flags = 0)

static const supi_clusters_draft cubes_defaults = {
    .layout = SUP_CLUSTERS_CUBES, .overlap = 0.5, .reach = 1};
static const supi_field cubes_fields[] = {
    SUPI_NUMBER("edge", supi_clusters_draft, edge, 0, SUPI_FAR, SUPI_ABOVE),
    SUPI_NUMBER("overlap", supi_clusters_draft, overlap, 0.25, 0.75, 0), JOINTS, SUPI_END};
static const supi_table cubes_table = {"clusters in cubes", &cubes_defaults, sizeof cubes_defaults,
                                       cubes_fields};

#define PARTICLES(key, needed)                                                                     \
    SUPI_FIELD(key, SUPI_FIELD_SETS, supi_clusters_draft, sets, .flags = needed, .high = INT32_MAX)

static const supi_clusters_draft elements_defaults = {
    .layout = SUP_CLUSTERS_ELEMENTS, .overlap = 0.5, .reach = 1};
static const supi_field elements_fields[] = {PARTICLES("corners", 0), JOINTS, SUPI_END};
static const supi_table elements_table = {"clusters from elements", &elements_defaults,
                                          sizeof elements_defaults, elements_fields};

static const supi_clusters_draft sets_defaults = {
    .layout = SUP_CLUSTERS_EXPLICIT, .overlap = 0.5, .reach = 1};
static const supi_field sets_fields[] = {PARTICLES("particles", SUPI_REQUIRED), JOINTS, SUPI_END};
static const supi_table sets_table = {"clusters from sets", &sets_defaults, sizeof sets_defaults,
                                      sets_fields};

static const supi_clusters_draft lattice_defaults = {
    .layout = SUP_CLUSTERS_LATTICE, .overlap = 0.5, .reach = 1};
static const supi_field lattice_fields[] = {
    SUPI_INTEGER("reach", supi_clusters_draft, reach, 1, 4, 0), JOINTS, SUPI_END};
static const supi_table lattice_table = {"clusters of a lattice", &lattice_defaults,
                                         sizeof lattice_defaults, lattice_fields};

static const supi_choice layouts[] = {{"whole", &whole_table},       {"cubes", &cubes_table},
                                      {"elements", &elements_table}, {"lattice", &lattice_table},
                                      {"sets", &sets_table},         {NULL, NULL}};

/* ---- levels of detail ---- */

static const supi_detail_draft detail_defaults = {.mode = -1};
static const supi_field detail_fields[] = {
    SUPI_FIELD("clusters", SUPI_FIELD_CHOICE, supi_detail_draft, clusters, .choices = layouts),
    SUPI_FIELD("mode", SUPI_FIELD_WORD, supi_detail_draft, mode, .words = supi_draft_modes),
    SUPI_END};
static const supi_table detail_table = {"a level of detail", &detail_defaults,
                                        sizeof detail_defaults, detail_fields};

/* ---- copies ---- */

static const supi_copies_draft rows_defaults = {.kind = SUPI_COPIES_GRID, .count = {1, 1, 1}};
static const supi_field rows_fields[] = {
    SUPI_INTEGERS("count", supi_copies_draft, count, 3, 1, 10000, SUPI_REQUIRED),
    SUPI_NUMBER("step", supi_copies_draft, step, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED), SUPI_END};
static const supi_table rows_table = {"a grid of copies", &rows_defaults, sizeof rows_defaults,
                                      rows_fields};

static const supi_copies_draft scatter_defaults = {
    .kind = SUPI_COPIES_SCATTER, .count = {1, 1, 1}, .seed = 1};
static const supi_field scatter_fields[] = {
    SUPI_INTEGER("count", supi_copies_draft, count, 1, SUPI_COPIES, SUPI_REQUIRED),
    SUPI_NUMBER("low", supi_copies_draft, low, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("high", supi_copies_draft, high, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("gap", supi_copies_draft, gap, 0, SUPI_FAR, 0),
    SUPI_INTEGER("seed", supi_copies_draft, seed, 0, INT32_MAX, 0),
    SUPI_FIELD("turn", SUPI_FIELD_BOOL, supi_copies_draft, turn, .flags = 0),
    SUPI_END};
static const supi_table scatter_table = {"scattered copies", &scatter_defaults,
                                         sizeof scatter_defaults, scatter_fields};

static const supi_choice copies[] = {
    {"grid", &rows_table}, {"scatter", &scatter_table}, {NULL, NULL}};

/* ---- pins and regions ---- */

static const supi_pin_draft pin_defaults = {0};
static const supi_field pin_fields[] = {SUPI_PICK(supi_pin_draft, SUPI_ALTERNATIVE),
                                        SUPI_FIELD("motion", SUPI_FIELD_OBJECT, supi_pin_draft,
                                                   motion, .table = &supi_draft_pin_motion_table),
                                        SUPI_END};
static const supi_table pin_table = {"a pin", &pin_defaults, sizeof pin_defaults, pin_fields};

static const supi_region_draft region_defaults = {0};
static const supi_field region_fields[] = {SUPI_PICK(supi_region_draft, SUPI_ALTERNATIVE),
                                           SUPI_FIELD("material", SUPI_FIELD_ANY, supi_region_draft,
                                                      material_place, .flags = SUPI_REQUIRED),
                                           SUPI_END};
static const supi_table region_table = {"a region", &region_defaults, sizeof region_defaults,
                                        region_fields};

/* ---- the body ---- */

static const char* const skins[] = {"particles", "clusters", "frames", "dual",
                                    NULL}; /* sup_skin_kind */

static const char* const axes[] = {"none", "x",  "y",  "xy",
                                   "z",    "xz", "yz", NULL}; /* sums of sup_axis */

#define NUMBER(key, low, high, flags) SUPI_NUMBER(#key, supi_body_draft, key, low, high, flags)
#define FIELD(key, how, ...) SUPI_FIELD(#key, how, supi_body_draft, key, __VA_ARGS__)

static const supi_field body_fields[] = {
    FIELD(name, SUPI_FIELD_TEXT, .flags = 0),
    FIELD(shape, SUPI_FIELD_CHOICE, .flags = SUPI_REQUIRED, .choices = shapes),
    NUMBER(scale, 0, 1e6, SUPI_ABOVE | SUPI_SPREAD),
    NUMBER(fill, 0, SUPI_FAR, SUPI_ABOVE),
    NUMBER(weld, 0, SUPI_FAR, 0),
    NUMBER(radius, 0, SUPI_FAR, SUPI_ABOVE),
    FIELD(pass_through, SUPI_FIELD_BOOL, .flags = 0),
    FIELD(skin, SUPI_FIELD_WORD, .words = skins),
    SUPI_INTEGER("skin_slots", supi_body_draft, skin_slots, 1, 4, 0),
    FIELD(clusters, SUPI_FIELD_CHOICE, .choices = layouts),
    FIELD(solid, SUPI_FIELD_CHOICE, .flags = SUPI_APART, .choices = supi_draft_solids),
    FIELD(weave, SUPI_FIELD_CHOICE, .flags = SUPI_APART, .choices = supi_draft_weaves),
    FIELD(springs, SUPI_FIELD_OBJECT, .flags = SUPI_APART, .table = &supi_draft_springs_table),
    FIELD(fit, SUPI_FIELD_CHOICE, .flags = SUPI_APART, .choices = supi_draft_fits),
    FIELD(frames, SUPI_FIELD_OBJECT, .flags = SUPI_APART, .table = &supi_draft_frames_table),
    FIELD(overlap, SUPI_FIELD_OBJECT, .flags = SUPI_APART, .table = &supi_draft_overlap_table),
    FIELD(blob, SUPI_FIELD_OBJECT, .flags = SUPI_APART, .table = &supi_draft_blob_table),
    FIELD(clay, SUPI_FIELD_OBJECT, .flags = SUPI_APART, .table = &supi_draft_clay_table),
    FIELD(parts, SUPI_FIELD_LIST, .table = &supi_draft_part_table),
    FIELD(joints, SUPI_FIELD_LIST, .table = &supi_draft_joint_table),
    FIELD(details, SUPI_FIELD_LIST, .table = &detail_table),
    SUPI_INTEGER("detail", supi_body_draft, detail, 0, SUPI_DETAILS - 1, 0),
    SUPI_FIELD("material", SUPI_FIELD_ANY, supi_body_draft, material.place, .flags = 0),
    NUMBER(density, 1, 20000, 0),
    NUMBER(mass, 0, 1e9, SUPI_ABOVE),
    NUMBER(position, -SUPI_FAR, SUPI_FAR, 0),
    NUMBER(rotation, -3600, 3600, 0),
    NUMBER(velocity, -1e4, 1e4, 0),
    NUMBER(spin, -1e5, 1e5, 0),
    NUMBER(gravity_scale, -100, 100, 0),
    FIELD(colour, SUPI_FIELD_COLOUR, .flags = 0),
    NUMBER(roughness, 0, 1, 0),
    FIELD(copies, SUPI_FIELD_CHOICE, .choices = copies),
    FIELD(regions, SUPI_FIELD_LIST, .table = &region_table),
    FIELD(pins, SUPI_FIELD_LIST, .table = &pin_table),
    NUMBER(pin_factor, 1, 1000, 0),
    FIELD(category, SUPI_FIELD_NUMBERS, .high = SUPI_BITS - 1),
    FIELD(mask, SUPI_FIELD_NUMBERS, .high = SUPI_BITS - 1),
    FIELD(paused, SUPI_FIELD_BOOL, .flags = 0),
    FIELD(stays_awake, SUPI_FIELD_BOOL, .flags = 0),
    FIELD(locked, SUPI_FIELD_WORD, .flags = SUPI_BYTE, .words = axes),
    SUPI_END};

static const supi_body_draft body_defaults = {
    .scale = {1, 1, 1},
    .weld = -1,
    .skin_slots = 4,
    .clusters = {.layout = SUP_CLUSTERS_WHOLE, .overlap = 0.5, .reach = 1},
    .detail = -1,
    .gravity_scale = 1,
    .colour = {-1, -1, -1},
    .roughness = 0.5,
    .copies = {.kind = SUPI_COPIES_GRID, .count = {1, 1, 1}},
    .pin_factor = 10};

const supi_table supi_draft_body_table = {"a body", &body_defaults, sizeof body_defaults,
                                          body_fields};
