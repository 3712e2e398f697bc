/* A rig as a value: made, copied, looked at, given back; single particles. */
#include "base/check.h"
#include "base/memory.h"
#include "blueprint/fit.h"
#include "geom/mesh.h"
#include "geom/nearest.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

/* ---- Columns ---- */

typedef struct column_use {
    supi_column* column;
    int32_t count;
    size_t size;
} column_use;

enum { COLUMNS = 13 };

/* Every column with how much of it is in use. Pins keep room for all particles. */
static void list_columns(supi_rig_state* s, column_use list[COLUMNS]) {
    int32_t n = s->particle_count;
    const column_use uses[COLUMNS] = {{&s->places, n, sizeof(sup_vec3)},
                                      {&s->masses, n, sizeof(float)},
                                      {&s->ellipsoids, n, sizeof(sup_ellipsoid)},
                                      {&s->turn_radii, n, sizeof(float)},
                                      {&s->stiffness, n, sizeof(float)},
                                      {&s->normals, n, sizeof(sup_vec3)},
                                      {&s->flags, n, sizeof(uint8_t)},
                                      {&s->pins, n, sizeof(int32_t)},
                                      {&s->links, s->link_count, sizeof(sup_link)},
                                      {&s->part_starts, s->part_count + 1, sizeof(int32_t)},
                                      {&s->part_members, s->member_count, sizeof(int32_t)},
                                      {&s->plastics, s->part_count, sizeof(sup_rig_plastic)},
                                      {&s->weights, s->weight_count, sizeof(sup_skin_weight)}};
    memcpy(list, uses, sizeof uses);
}

void supi_rig_state_free(const sup_allocator* allocator, supi_rig_state* state) {
    column_use list[COLUMNS];
    list_columns(state, list);
    for (int i = 0; i < COLUMNS; i++) supi_column_free(list[i].column, allocator);
    *state = (supi_rig_state){0};
}

bool supi_rig_state_copy(const sup_allocator* allocator, const supi_rig_state* from,
                         supi_rig_state* to) {
    supi_rig_state source = *from, copy = *from;
    column_use here[COLUMNS], there[COLUMNS];
    list_columns(&source, here);
    list_columns(&copy, there);
    for (int i = 0; i < COLUMNS; i++) *there[i].column = (supi_column){0};
    for (int i = 0; i < COLUMNS; i++) {
        size_t size = (size_t)here[i].count * here[i].size;
        void* items =
            supi_column_reserve(there[i].column, allocator, here[i].count + 1, here[i].size);
        if (!items) {
            supi_rig_state_free(allocator, &copy);
            return false;
        }
        if (size > 0) memcpy(items, here[i].column->items, size);
    }
    *to = copy;
    return true;
}

bool supi_rig_reserve(sup_rig* rig, int32_t particles, int32_t links, int32_t parts,
                      int32_t members, int32_t weights) {
    column_use list[COLUMNS];
    list_columns(&rig->now, list);
    const int32_t needs[COLUMNS] = {particles, particles, particles, particles, particles,
                                    particles, particles, particles, links,     parts + 1,
                                    members,   parts,     weights};
    for (int i = 0; i < COLUMNS; i++) {
        int32_t need = needs[i] > list[i].count ? needs[i] : list[i].count;
        if (!supi_column_reserve(list[i].column, rig->allocator, need, list[i].size)) return false;
    }
    return true;
}

/* ---- Making ---- */

static sup_result check_mesh(const sup_mesh* mesh, sup_error* error) {
    sup_result result = supi_mesh_check(mesh, error);
    for (int32_t i = 0; result == SUP_OK && i < mesh->point_count; i++) {
        double p[3];
        supi_vector_from(&mesh->points[i], p);
        for (int k = 0; k < 3; k++) {
            if (fabs(p[k]) <= SUPI_RIG_FAR) continue;
            return supi_error_set(error, SUP_BAD_ARGUMENT, "point %d is more than 1e6 m away",
                                  (int)i);
        }
    }
    return result;
}

static sup_result begin(sup_rig* rig, const sup_mesh* mesh, sup_error* error) {
    rig->now.settings = (sup_rig_settings){.stiffness = 200.0};
    if (!supi_rig_reserve(rig, 1, 1, 1, 1, 1)) return supi_error_memory(error);
    if (!mesh) return SUP_OK;
    sup_result result = check_mesh(mesh, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_create(rig->allocator, mesh->point_count, mesh->points, mesh->polygon_count,
                             mesh->starts, mesh->corners, &rig->mesh, error);
    return result != SUP_OK ? result
                            : supi_rig_shape_make(rig->allocator, &rig->mesh, &rig->shape, error);
}

sup_result sup_rig_create(const sup_allocator* allocator, const sup_mesh* mesh, sup_rig** out,
                          sup_error* error) {
    SUPI_NEED(error, out);
    allocator = supi_mesh_allocator(allocator);
    sup_rig* rig = supi_memory_new(allocator, 1, sizeof *rig);
    if (!rig) return supi_error_memory(error);
    rig->allocator = allocator;
    sup_result result = begin(rig, mesh, error);
    if (result == SUP_OK) {
        *out = rig;
    } else {
        sup_rig_free(rig);
    }
    return result;
}

sup_result sup_rig_copy(const sup_rig* rig, sup_rig** out, sup_error* error) {
    SUPI_NEED(error, rig, out);
    supi_rig_state state;
    if (!supi_rig_state_copy(rig->allocator, &rig->now, &state)) return supi_error_memory(error);
    sup_rig* copy;
    sup_result result =
        sup_rig_create(rig->allocator, rig->mesh.allocator ? &rig->mesh : NULL, &copy, error);
    if (result != SUP_OK) {
        supi_rig_state_free(rig->allocator, &state);
        return result;
    }
    supi_rig_state_free(rig->allocator, &copy->now);
    copy->now = state;
    *out = copy;
    return SUP_OK;
}

void sup_rig_free(sup_rig* rig) {
    if (!rig) return;
    const sup_allocator* allocator = rig->allocator;
    sup_points_free(allocator, rig->lattice, rig->lattice_count);
    supi_rig_state_free(allocator, &rig->now);
    supi_rig_shape_free(allocator, &rig->shape);
    sup_mesh_free(&rig->mesh);
    supi_memory_free(allocator, rig, 1, sizeof *rig);
}

sup_rig_view sup_rig_get(const sup_rig* rig) {
    const supi_rig_state* s = &rig->now;
    return (sup_rig_view){.particle_count = s->particle_count,
                          .link_count = s->link_count,
                          .part_count = s->part_count,
                          .pin_count = s->pin_count,
                          .weight_count = s->weight_count,
                          .places = s->places.items,
                          .masses = s->masses.items,
                          .ellipsoids = s->ellipsoids.items,
                          .turn_radii = s->turn_radii.items,
                          .stiffness = s->stiffness.items,
                          .normals = s->normals.items,
                          .flags = s->flags.items,
                          .links = s->links.items,
                          .part_starts = s->part_starts.items,
                          .part_members = s->part_members.items,
                          .plastics = s->plastics.items,
                          .pins = s->pins.items,
                          .weights = s->weights.items,
                          .mesh = &rig->mesh,
                          .settings = s->settings};
}

sup_result sup_rig_set_stiffness(sup_rig* rig, double stiffness, sup_error* error) {
    SUPI_NEED(error, rig);
    if (!(stiffness >= 0.0 && stiffness <= 1e5)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a stiffness is from 0 to 1e5 rad/s");
    }
    rig->now.settings.stiffness = stiffness;
    return SUP_OK;
}

void sup_rig_fill_def(const sup_rig* rig, sup_blueprint_def* def) {
    sup_rig_view view = sup_rig_get(rig);
    def->surface = view.mesh->point_count > 0 ? view.mesh : NULL;
    if (def->surface && def->skin == SUP_SKIN_PARTICLES) def->skin = SUP_SKIN_FRAMES;
    def->point_count = view.particle_count;
    def->points = view.places;
    def->masses = view.masses;
    def->pin_count = view.pin_count;
    def->pins = view.pins;
    def->link_count = view.link_count;
    def->links = view.links;
    def->ellipsoids = view.ellipsoids;
    def->moment_radii = view.turn_radii;
    def->flat_normals = view.normals;
    def->skin_weight_count = view.weight_count;
    def->skin_weights = view.weights;
    def->part_count = view.part_count;
    def->part_starts = view.part_starts;
    def->part_members = view.part_members;
    def->part_plastics = view.plastics;
    def->frame_stiffness = view.stiffness;
    /* A lone particle has no links: it turns as a part of its own. */
    static const int32_t lone_starts[2] = {0, 1}, lone_member[1] = {0};
    if (view.particle_count == 1 && view.part_count == 0) {
        def->part_count = 1;
        def->part_starts = lone_starts;
        def->part_members = lone_member;
        def->part_plastics = NULL;
    }
    for (int32_t p = 0; p < view.part_count; p++) {
        def->parts_yield = def->parts_yield || view.plastics[p].speed > 0.0f;
    }
}

/* ---- Single particles ---- */

bool supi_rig_spacing(const sup_rig* rig, double* spacing) {
    *spacing = rig->now.settings.spacing;
    return *spacing > 0.0 || supi_nearest_mean(rig->allocator, rig->now.particle_count,
                                               supi_rig_places(rig), spacing);
}

void supi_rig_append(sup_rig* rig, sup_vec3 place, uint8_t flags) {
    supi_rig_state* s = &rig->now;
    int32_t id = s->particle_count++;
    float radius = (float)(0.5 * s->settings.spacing);
    supi_rig_places(rig)[id] = place;
    supi_rig_masses(rig)[id] = 0.0f;
    supi_rig_ellipsoids(rig)[id] =
        (sup_ellipsoid){.rotation = {0, 0, 0, 1}, .radii = {radius, radius, radius}};
    supi_rig_turn_radii(rig)[id] = -1.0f;
    ((float*)s->stiffness.items)[id] = (float)s->settings.stiffness;
    ((sup_vec3*)s->normals.items)[id] = (sup_vec3){0, 0, 0};
    supi_rig_flags(rig)[id] = flags;
}

sup_result sup_rig_add(sup_rig* rig, const double place[3], int32_t* id, sup_error* error) {
    SUPI_NEED(error, rig, place);
    sup_result result = supi_rig_check_place(place, error);
    if (result != SUP_OK) return result;
    int32_t count = rig->now.particle_count;
    if (count == SUPI_RIG_MOST) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a rig has at most a million particles");
    }
    if (!supi_rig_reserve(rig, count + 1, 0, 0, 0, 0)) return supi_error_memory(error);
    supi_rig_append(rig, supi_vector_round(place[0], place[1], place[2]), 0);
    result = supi_rig_weigh_new(rig, count, error);
    if (result == SUP_OK && id) *id = count;
    return result;
}

sup_result sup_rig_move(sup_rig* rig, int32_t id, const double place[3], sup_error* error) {
    SUPI_NEED(error, rig, place);
    sup_result result = supi_rig_check_id(rig, id, error);
    if (result == SUP_OK) result = supi_rig_check_place(place, error);
    if (result == SUP_OK) {
        supi_rig_places(rig)[id] = supi_vector_round(place[0], place[1], place[2]);
    }
    return result;
}

sup_result sup_rig_set_ellipsoid(sup_rig* rig, int32_t id, const sup_ellipsoid* shape,
                                 sup_error* error) {
    SUPI_NEED(error, rig, shape);
    sup_result result = supi_rig_check_id(rig, id, error);
    if (result != SUP_OK) return result;
    const sup_quat* q = &shape->rotation;
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double squared = x * x + y * y + z * z + w * w, scale = 1.0 / sqrt(squared);
    bool fits = squared > 1e-12 && squared < 1e12;
    for (int k = 0; k < 3; k++) {
        fits = fits && shape->radii[k] >= 0.0f && shape->radii[k] <= 1e3f;
    }
    if (!fits) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "an ellipsoid needs a quaternion of some length, and radii between 0 "
                              "and 1000 m");
    }
    sup_ellipsoid* own = &supi_rig_ellipsoids(rig)[id];
    *own = *shape;
    own->rotation =
        (sup_quat){(float)(scale * x), (float)(scale * y), (float)(scale * z), (float)(scale * w)};
    return SUP_OK;
}

sup_result sup_rig_set_turn_radius(sup_rig* rig, int32_t id, double radius, sup_error* error) {
    SUPI_NEED(error, rig);
    sup_result result = supi_rig_check_id(rig, id, error);
    if (result != SUP_OK) return result;
    if (!(radius <= 1e3)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a turn radius is at most 1000 m");
    }
    supi_rig_turn_radii(rig)[id] = radius < 0.0 ? -1.0f : (float)radius;
    return SUP_OK;
}

double supi_rig_share(const sup_rig* rig, const sup_brush* brush, int32_t id) {
    double place[3];
    supi_vector_from(&supi_rig_places(rig)[id], place);
    return sup_brush_share(brush, place);
}

sup_result sup_rig_erase(sup_rig* rig, const sup_brush* brush, int32_t* removed, sup_error* error) {
    SUPI_NEED(error, rig, brush);
    sup_result result = supi_rig_check_brush(brush, error);
    if (result != SUP_OK) return result;
    int32_t count = rig->now.particle_count;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    uint8_t* marks = supi_arena_push(&scratch, (size_t)count, 1);
    int32_t* map = supi_arena_push(&scratch, (size_t)count, sizeof *map);
    if (marks && map) {
        for (int32_t i = 0; i < count; i++) marks[i] = supi_rig_share(rig, brush, i) < 0.5;
        supi_rig_keep(rig, marks, map);
        if (removed) *removed = count - rig->now.particle_count;
    } else {
        result = supi_error_memory(error);
    }
    supi_arena_free(&scratch);
    return result;
}

sup_result sup_rig_remove(sup_rig* rig, int32_t id, sup_error* error) {
    SUPI_NEED(error, rig);
    sup_result result = supi_rig_check_id(rig, id, error);
    if (result != SUP_OK) return result;
    size_t count = (size_t)rig->now.particle_count;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    uint8_t* marks = supi_arena_push(&scratch, count, 1);
    int32_t* map = supi_arena_push(&scratch, count, sizeof *map);
    if (marks && map) {
        memset(marks, 1, count);
        marks[id] = 0;
        supi_rig_keep(rig, marks, map);
    } else {
        result = supi_error_memory(error);
    }
    supi_arena_free(&scratch);
    return result;
}

/* ---- Checks ---- */

sup_result supi_rig_check_size(size_t given, size_t size, const char* name, sup_error* error) {
    if (given == size) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s must come from its default function", name);
}

sup_result supi_rig_check_mesh(const sup_rig* rig, const char* what, sup_error* error) {
    if (rig->shape.area > 0.0) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "cannot %s: %s", what,
                          rig->mesh.polygon_count > 0 ? "the polygons of the mesh have no area"
                          : rig->mesh.point_count > 0 ? "the mesh has no polygons"
                                                      : "the rig has no mesh");
}

sup_result supi_rig_check_place(const double place[3], sup_error* error) {
    for (int k = 0; k < 3; k++) {
        if (fabs(place[k]) <= SUPI_RIG_FAR) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a place must lie within 1e6 m");
    }
    return SUP_OK;
}

sup_result supi_rig_check_id(const sup_rig* rig, int32_t id, sup_error* error) {
    if (id >= 0 && id < rig->now.particle_count) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no particle %d: the rig has %d",
                          (int)id, (int)rig->now.particle_count);
}

sup_result supi_rig_check_part(const sup_rig* rig, int32_t part, sup_error* error) {
    if (part >= 0 && part < rig->now.part_count) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no part %d: the rig has %d", (int)part,
                          (int)rig->now.part_count);
}

sup_result supi_rig_check_brush(const sup_brush* brush, sup_error* error) {
    bool good = brush->kind >= SUP_BRUSH_ALL && brush->kind <= SUP_BRUSH_HALF &&
                brush->fade >= 0.0 && brush->fade <= SUPI_RIG_FAR;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        good = good && fabs(brush->centre[k]) <= SUPI_RIG_FAR &&
               fabs(brush->extent[k]) <= 2 * SUPI_RIG_FAR;
        sum += fabs(brush->extent[k]);
        if (brush->kind == SUP_BRUSH_BOX) good = good && brush->extent[k] >= 0.0;
    }
    if (brush->kind == SUP_BRUSH_SPHERE) good = good && brush->extent[0] >= 0.0;
    if (brush->kind == SUP_BRUSH_HALF) good = good && sum > 1e-30;
    if (good) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "a region has sizes of 0 or above and a direction that is not 0, all "
                          "within 1e6 m");
}
