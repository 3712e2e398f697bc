/* Reading body files: see body_file.h. */
#include "scene/body_file.h"

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "blueprint/fit.h"
#include "geom/mesh.h"
#include "scene/build.h"
#include "scene/draft.h"
#include "supple/files.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Tables ---- */

static const char* const wheres[] = {"none", "inside", "surface", NULL}; /* sup_spray_where */

static const supi_made_draft made_defaults = {.where = 0};
static const supi_field made_fields[] = {
    SUPI_FIELD("where", SUPI_FIELD_WORD, supi_made_draft, where, .words = wheres),
    SUPI_NUMBER("spacing", supi_made_draft, spacing, 0, SUPI_RIG_FAR, 0),
    SUPI_INTEGER("seed", supi_made_draft, seed, 0, INT32_MAX, 0), SUPI_END};
static const supi_table made_table = {"how a body was made", &made_defaults, sizeof made_defaults,
                                      made_fields};

static const supi_body_file defaults = {.stiffness = 200};
static const supi_field fields[] = {
    SUPI_FIELD("$schema", SUPI_FIELD_TEXT, supi_body_file, schema, .flags = 0),
    SUPI_INTEGER("version", supi_body_file, version, 1, 1, SUPI_REQUIRED),
    SUPI_FIELD("mesh", SUPI_FIELD_TEXT, supi_body_file, mesh, .flags = 0),
    SUPI_FIELD("arrays", SUPI_FIELD_TEXT, supi_body_file, arrays, .flags = SUPI_REQUIRED),
    SUPI_NUMBER("stiffness", supi_body_file, stiffness, 0, 1e5, 0),
    SUPI_FIELD("made", SUPI_FIELD_OBJECT, supi_body_file, made, .table = &made_table),
    SUPI_END};
const supi_table supi_body_file_table = {"a body file", &defaults, sizeof defaults, fields};

#define FLOAT(name, type, member, low, high)                                                       \
    { name, SUPI_PLY_NUMBER, offsetof(type, member), low, high, NULL }
#define PARTICLE(name, member, low, high) FLOAT(name, supi_particle_row, member, low, high)
#define PLACE(name) PARTICLE(#name, name, -SUPI_RIG_FAR, SUPI_RIG_FAR)
#define TURN(k) PARTICLE("rotation_" #k, rotation[k], -1.001, 1.001)
#define RADIUS(k) PARTICLE("radius_" #k, radii[k], 0, 2 * SUPI_RIG_FAR)
#define NORMAL(name) PARTICLE(#name, name, -1.001, 1.001)
static const supi_ply_field particle_fields[] = {
    PLACE(x),
    PLACE(y),
    PLACE(z),
    PARTICLE("mass", mass, 1e-31, 1e9),
    TURN(0),
    TURN(1),
    TURN(2),
    TURN(3),
    RADIUS(0),
    RADIUS(1),
    RADIUS(2),
    {"turn_radius", SUPI_PLY_OPTIONAL, offsetof(supi_particle_row, turn_radius), -1, 1000, NULL},
    PARTICLE("stiffness", stiffness, 0, 1e5),
    NORMAL(nx),
    NORMAL(ny),
    NORMAL(nz),
    {"flags", SUPI_PLY_WHOLE, offsetof(supi_particle_row, flags), 0,
     SUP_RIG_PINNED | SUP_RIG_SURFACE, NULL},
    {.name = NULL}};

static const supi_ply_field link_fields[] = {
    {"vertex1", SUPI_PLY_WHOLE, offsetof(sup_link, a), 0, 0, "vertex"},
    {"vertex2", SUPI_PLY_WHOLE, offsetof(sup_link, b), 0, 0, "vertex"},
    FLOAT("length", sup_link, length, -1, 4 * SUPI_RIG_FAR),
    FLOAT("compliance", sup_link, compliance, 0, 1e9),
    FLOAT("damping", sup_link, damping, 0, 1e9),
    FLOAT("torsion", sup_link, torsion, -1, 1e9),
    {.name = NULL}};

#define PLASTIC(name, high) FLOAT(#name, sup_rig_plastic, name, 0, high)
static const supi_ply_field part_fields[] = {{"members", SUPI_PLY_LIST, 0, 0, 0, "vertex"},
                                             PLASTIC(speed, 1e6),
                                             PLASTIC(permanence, 1),
                                             PLASTIC(limit, 1),
                                             PLASTIC(time, 0.2f),
                                             PLASTIC(stiffness, 1000),
                                             {.name = NULL}};

static const supi_ply_field weight_fields[] = {
    {"corner", SUPI_PLY_WHOLE, offsetof(sup_skin_weight, vertex), 0, INT32_MAX, NULL},
    {"particle", SUPI_PLY_WHOLE, offsetof(sup_skin_weight, particle), 0, 0, "vertex"},
    FLOAT("weight", sup_skin_weight, weight, 0, 1),
    {.name = NULL}};

const supi_ply_table supi_body_arrays[SUPI_BODY_TABLES] = {
    {"vertex", sizeof(supi_particle_row), particle_fields},
    {"edge", sizeof(sup_link), link_fields},
    {"part", sizeof(sup_rig_plastic), part_fields},
    {"weight", sizeof(sup_skin_weight), weight_fields}};

/* ---- What ranges do not tell ---- */

static sup_result wrong(const char* name, const char* what, int32_t i, const char* why,
                        sup_error* error) {
    return supi_error_set(error, SUP_BAD_FILE, "%.200s: %s %d: %s", name, what, (int)i, why);
}

static bool is_unit(const float* values, int count) {
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += (double)values[k] * (double)values[k];
    return fabs(sum - 1.0) < 1e-5;
}

static sup_result check_particles(const char* name, const supi_ply_rows* rows, sup_error* error) {
    const supi_particle_row* list = rows->rows;
    if (rows->count > SUPI_RIG_MOST) {
        return wrong(name, "particle", rows->count, "a body has at most a million", error);
    }
    for (int32_t i = 0; i < rows->count; i++) {
        const supi_particle_row* p = &list[i];
        float normal[3] = {p->nx, p->ny, p->nz};
        bool none = p->nx == 0 && p->ny == 0 && p->nz == 0;
        if (!is_unit(p->rotation, 4)) {
            return wrong(name, "particle", i, "its rotation is not of unit length", error);
        }
        if (!none && !is_unit(normal, 3)) {
            return wrong(name, "particle", i, "its normal is neither 0 nor of unit length", error);
        }
        if (p->turn_radius < 0 && p->turn_radius != -1.0f) {
            return wrong(name, "particle", i, "a number below 0 must be -1", error);
        }
    }
    return SUP_OK;
}

static sup_result check_links(const char* name, const supi_ply_rows* rows, sup_error* error) {
    const sup_link* list = rows->rows;
    for (int32_t i = 0; i < rows->count; i++) {
        bool after = i == 0 || list[i - 1].a < list[i].a ||
                     (list[i - 1].a == list[i].a && list[i - 1].b < list[i].b);
        if (list[i].a >= list[i].b) {
            return wrong(name, "link", i, "vertex1 must be below vertex2", error);
        }
        if (!after) {
            return wrong(name, "link", i, "links must be ordered by vertex1 and vertex2", error);
        }
        bool half = (list[i].length < 0 && list[i].length != -1.0f) ||
                    (list[i].torsion < 0 && list[i].torsion != -1.0f);
        if (half) return wrong(name, "link", i, "a number below 0 must be -1", error);
    }
    return SUP_OK;
}

static sup_result check_parts(const char* name, const supi_ply_rows* rows, sup_error* error) {
    const sup_rig_plastic* list = rows->rows;
    for (int32_t p = 0; p < rows->count; p++) {
        sup_error cause;
        if (supi_rig_check_plastic(&list[p], &cause) != SUP_OK) {
            return wrong(name, "part", p, cause.text, error);
        }
        if (rows->starts[p] == rows->starts[p + 1]) {
            return wrong(name, "part", p, "it has no member", error);
        }
        for (int32_t m = rows->starts[p] + 1; m < rows->starts[p + 1]; m++) {
            if (rows->items[m - 1] < rows->items[m]) continue;
            return wrong(name, "part", p, "its members must ascend", error);
        }
    }
    return SUP_OK;
}

static sup_result check_weights(const char* name, const supi_ply_rows* rows, int32_t vertex_count,
                                sup_error* error) {
    const sup_skin_weight* list = rows->rows;
    int32_t first = 0;
    double sum = 0.0;
    for (int32_t i = 0; i < rows->count; i++) {
        const sup_skin_weight* w = &list[i];
        bool same = i > 0 && list[i - 1].vertex == w->vertex;
        if (!same) first = i, sum = 0.0;
        sum += (double)w->weight;
        if (w->vertex >= vertex_count) {
            return wrong(name, "weight", i, "the mesh has no such vertex", error);
        }
        bool after = i == 0 || list[i - 1].vertex < w->vertex ||
                     (same && list[i - 1].particle < w->particle);
        if (!after) {
            return wrong(name, "weight", i, "weights must be ordered by corner and particle",
                         error);
        }
        if (i - first >= SUP_SKIN_WEIGHTS || sum > 1.0 + 1e-6) {
            return wrong(name, "weight", i, "the weights of a vertex are at most 4 and 1 together",
                         error);
        }
    }
    return SUP_OK;
}

static sup_result check_rows(const char* name, const supi_ply_rows* rows, int32_t vertex_count,
                             sup_error* error) {
    sup_result result = check_particles(name, &rows[SUPI_BODY_PARTICLES], error);
    if (result == SUP_OK) result = check_links(name, &rows[SUPI_BODY_LINKS], error);
    if (result == SUP_OK) result = check_parts(name, &rows[SUPI_BODY_PARTS], error);
    if (result != SUP_OK) return result;
    return check_weights(name, &rows[SUPI_BODY_WEIGHTS], vertex_count, error);
}

/* ---- Filling ---- */

static void fill_particles(sup_rig* rig, const supi_ply_rows* rows) {
    const supi_particle_row* list = rows->rows;
    for (int32_t i = 0; i < rows->count; i++) {
        const supi_particle_row* p = &list[i];
        supi_rig_append(rig, (sup_vec3){p->x, p->y, p->z}, (uint8_t)p->flags);
        supi_rig_masses(rig)[i] = p->mass;
        sup_ellipsoid* e = &supi_rig_ellipsoids(rig)[i];
        e->rotation = (sup_quat){p->rotation[0], p->rotation[1], p->rotation[2], p->rotation[3]};
        memcpy(e->radii, p->radii, sizeof e->radii);
        supi_rig_turn_radii(rig)[i] = p->turn_radius;
        ((float*)rig->now.stiffness.items)[i] = p->stiffness;
        ((sup_vec3*)rig->now.normals.items)[i] = (sup_vec3){p->nx, p->ny, p->nz};
    }
    supi_rig_list_pins(rig);
}

static void fill_rest(sup_rig* rig, const supi_ply_rows* rows) {
    supi_rig_state* s = &rig->now;
    const supi_ply_rows *links = &rows[SUPI_BODY_LINKS], *parts = &rows[SUPI_BODY_PARTS],
                        *weights = &rows[SUPI_BODY_WEIGHTS];
    s->link_count = links->count;
    memcpy(s->links.items, links->rows, (size_t)links->count * sizeof(sup_link));
    s->part_count = parts->count;
    s->member_count = parts->item_count;
    memcpy(s->plastics.items, parts->rows, (size_t)parts->count * sizeof(sup_rig_plastic));
    memcpy(s->part_starts.items, parts->starts, ((size_t)parts->count + 1) * sizeof(int32_t));
    memcpy(s->part_members.items, parts->items, (size_t)parts->item_count * sizeof(int32_t));
    s->weight_count = weights->count;
    memcpy(s->weights.items, weights->rows, (size_t)weights->count * sizeof(sup_skin_weight));
}

static sup_result make_rig(const sup_allocator* allocator, const supi_body_file* file,
                           const sup_mesh* mesh, const supi_ply_rows* rows, sup_rig** out,
                           sup_error* error) {
    sup_rig* rig;
    sup_result result = sup_rig_create(allocator, mesh, &rig, error);
    if (result != SUP_OK) return result;
    if (!supi_rig_reserve(rig, rows[SUPI_BODY_PARTICLES].count, rows[SUPI_BODY_LINKS].count,
                          rows[SUPI_BODY_PARTS].count, rows[SUPI_BODY_PARTS].item_count,
                          rows[SUPI_BODY_WEIGHTS].count)) {
        sup_rig_free(rig);
        return supi_error_memory(error);
    }
    rig->now.settings = (sup_rig_settings){.where = (sup_spray_where)file->made.where,
                                           .spacing = file->made.spacing,
                                           .seed = file->made.seed,
                                           .stiffness = file->stiffness};
    fill_particles(rig, &rows[SUPI_BODY_PARTICLES]);
    fill_rest(rig, rows);
    *out = rig;
    return SUP_OK;
}

/* ---- The files ---- */

static sup_result read_arrays(const supi_reader* reader, const sup_file_gate* files,
                              const char* path, const supi_body_file* file, const sup_mesh* mesh,
                              supi_ply_rows* rows) {
    const sup_allocator* allocator = reader->store->allocator;
    sup_error cause = {0};
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, &cause);
    if (result == SUP_OK) {
        result = supi_ply_rows_read(reader->store, path, bytes.data, bytes.size, SUPI_BODY_TABLES,
                                    supi_body_arrays, rows, &cause);
        supi_bytes_free(allocator, &bytes);
    }
    if (result == SUP_OK) {
        result = check_rows(path, rows, mesh ? mesh->point_count : 0, &cause);
    }
    if (result == SUP_OK) return SUP_OK;
    return supi_reader_wrap(reader, supi_reader_place(file->place, "arrays"), &cause);
}

static sup_result build(const supi_reader* reader, const sup_file_gate* files,
                        const supi_body_file* file, const supi_body_paths* paths, sup_rig** out) {
    const sup_allocator* allocator = reader->store->allocator;
    sup_mesh mesh = {0};
    sup_error cause = {0};
    supi_ply_rows rows[SUPI_BODY_TABLES];
    if (paths->mesh) {
        sup_result loaded = sup_mesh_load(allocator, files, paths->mesh, &mesh, &cause);
        if (loaded != SUP_OK) {
            return supi_reader_wrap(reader, supi_reader_place(file->place, "mesh"), &cause);
        }
    }
    const sup_mesh* given = paths->mesh ? &mesh : NULL;
    sup_result result = read_arrays(reader, files, paths->arrays, file, given, rows);
    if (result == SUP_OK) {
        result = make_rig(allocator, file, given, rows, out, &cause);
        if (result != SUP_OK) {
            supi_reader_wrap(reader, supi_reader_place(file->place, "mesh"), &cause);
        }
    }
    sup_mesh_free(&mesh);
    return result;
}

sup_result supi_body_file_parse(supi_arena* store, const sup_file_gate* files, const char* path,
                                const uint8_t* bytes, size_t size, supi_body_paths* paths,
                                sup_rig** out, sup_error* error) {
    supi_json_document document;
    sup_result result = supi_json_parse(store->allocator, path, bytes, size, &document, error);
    if (result != SUP_OK) return result;
    supi_reader reader = {path, store, error};
    supi_body_file file;
    supi_body_paths found = {NULL, NULL};
    result = supi_reader_object(&reader, document.root, &supi_body_file_table, &file);
    if (result == SUP_OK) {
        found.arrays = supi_shape_path(store, path, file.arrays);
        if (file.mesh) found.mesh = supi_shape_path(store, path, file.mesh);
        if (!found.arrays || (file.mesh && !found.mesh)) result = supi_reader_memory(&reader);
    }
    if (result == SUP_OK) result = build(&reader, files, &file, &found, out);
    supi_json_free(&document);
    if (result == SUP_OK && paths) *paths = found;
    return result;
}

sup_result sup_rig_load(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, sup_rig** out, sup_error* error) {
    SUPI_NEED(error, path, out);
    allocator = supi_mesh_allocator(allocator);
    if (!files) files = sup_file_gate_default();
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    supi_arena store;
    supi_arena_init(&store, allocator);
    result = supi_body_file_parse(&store, files, path, bytes.data, bytes.size, NULL, out, error);
    supi_arena_free(&store);
    supi_bytes_free(allocator, &bytes);
    return result;
}
