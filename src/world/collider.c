/* Colliders: coming, going, moving. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/quaternion.h"
#include "world/world.h"

#include <string.h>

sup_collider_def sup_collider_default(void) {
    return (sup_collider_def){
        .size = sizeof(sup_collider_def),
        .rotation = {0, 0, 0, 1},
        .radius = 0.5,
        .half_size = {0.5, 0.5, 0.5},
        .half_length = 0.5,
        .height_step = {1, 1},
        .filter = {1, UINT32_MAX},
        .thickness = 0.002,
        .friction_static = 0.5,
        .friction_kinetic = 0.4,
    };
}

static sup_result check_pose(const double position[3], const double rotation[4], sup_error* error) {
    double squared = 0.0;
    for (int k = 0; k < 4; k++) squared += rotation[k] * rotation[k];
    const supi_range ranges[] = {
        {"position", position[0], -1e12, 1e12},
        {"position", position[1], -1e12, 1e12},
        {"position", position[2], -1e12, 1e12},
        {"length of rotation", squared, 1e-12, 1e12},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

static sup_result check_point(const sup_vec3* p, sup_error* error) {
    const supi_range ranges[] = {{"points", (double)p->x, -1e7, 1e7},
                                 {"points", (double)p->y, -1e7, 1e7},
                                 {"points", (double)p->z, -1e7, 1e7}};
    return supi_check_ranges(ranges, 3, error);
}

static sup_result check_arrays(const sup_collider_def* d, sup_error* error) {
    if (d->kind == SUP_COLLIDER_MESH && !d->mesh) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a mesh collider needs a mesh");
    }
    for (int32_t i = 0; d->kind == SUP_COLLIDER_MESH && i < d->mesh->point_count; i++) {
        sup_result result = check_point(&d->mesh->points[i], error);
        if (result != SUP_OK) return result;
    }
    if (d->kind == SUP_COLLIDER_HEIGHTS && !d->heights) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a height field needs heights");
    }
    if (d->inverted && (d->kind == SUP_COLLIDER_PLANE || d->kind == SUP_COLLIDER_HEIGHTS)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "only spheres, boxes, capsules and closed meshes can be inverted");
    }
    return SUP_OK;
}

static sup_result check_collider(const sup_collider_def* d, sup_error* error) {
    if (!d || d->size != sizeof *d) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_collider_def must come from sup_collider_default");
    }
    if (d->kind < SUP_COLLIDER_PLANE || d->kind > SUP_COLLIDER_HEIGHTS) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown kind of collider");
    }
    const supi_range ranges[] = {
        {"radius", d->radius, 1e-6, 1e7},
        {"half_size", d->half_size[0], 1e-6, 1e7},
        {"half_size", d->half_size[1], 1e-6, 1e7},
        {"half_size", d->half_size[2], 1e-6, 1e7},
        {"half_length", d->half_length, 0, 1e7},
        {"thickness", d->thickness, 0, 1e3},
        {"friction_static", d->friction_static, 0, 2},
        {"friction_kinetic", d->friction_kinetic, 0, d->friction_static},
        {"restitution", d->restitution, 0, 1},
    };
    sup_result result = check_pose(d->position, d->rotation, error);
    if (result == SUP_OK) {
        result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    }
    return result == SUP_OK ? check_arrays(d, error) : result;
}

/* ---- Coming and going ---- */

static void free_arrays(const sup_world* world, supi_collider* c) {
    size_t count = c->mesh ? (size_t)supi_trimesh_point_count(c->mesh) : 0;
    supi_memory_free(world->allocator, c->from_points, 5 * count, sizeof *c->from_points);
    supi_trimesh_free(c->mesh);
    supi_heights_free(c->heights);
}

/* Six times the volume that the triangles enclose: below 0 where they face inwards. */
static double signed_volume(const supi_trimesh* mesh) {
    const sup_vec3* p = supi_trimesh_points(mesh);
    const int32_t* corners = supi_trimesh_triangles(mesh);
    double sum = 0.0;
    for (int32_t t = 0; t < supi_trimesh_triangle_count(mesh); t++, corners += 3) {
        const sup_vec3 *a = p + corners[0], *b = p + corners[1], *c = p + corners[2];
        double ax = (double)a->x - (double)p->x, ay = (double)a->y - (double)p->y,
               az = (double)a->z - (double)p->z;
        double bx = (double)b->x - (double)p->x, by = (double)b->y - (double)p->y,
               bz = (double)b->z - (double)p->z;
        double cx = (double)c->x - (double)p->x, cy = (double)c->y - (double)p->y,
               cz = (double)c->z - (double)p->z;
        sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    return sum;
}

static sup_result make_arrays(const sup_world* world, const sup_collider_def* def, supi_collider* c,
                              sup_error* error) {
    if (def->kind == SUP_COLLIDER_HEIGHTS) {
        return supi_heights_create(world->allocator, def->height_count, def->height_step,
                                   def->heights, &c->heights, error);
    }
    if (def->kind != SUP_COLLIDER_MESH) return SUP_OK;
    sup_result result = supi_trimesh_create(world->allocator, def->mesh, &c->mesh, error);
    if (result != SUP_OK) return result;
    if (supi_trimesh_closed(c->mesh)) {
        if (!(signed_volume(c->mesh) < 0.0)) return SUP_OK;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mesh is inside out: its faces look inwards; turn them round");
    }
    if (def->inverted) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "a mesh must be closed to be inverted; this one is open");
    } else if (def->sensor) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "an open mesh has no inside and cannot be a sensor");
    } else if (!(def->thickness > 0.0)) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "an open mesh needs a thickness above 0");
    }
    return result;
}

static void set_pose(supi_collider* c, const double position[3], const double rotation[4]) {
    for (int k = 0; k < 3; k++) c->from_position[k] = c->to_position[k] = position[k];
    for (int k = 0; k < 4; k++) c->from_rotation[k] = c->to_rotation[k] = rotation[k];
}

bool supi_collider_reserve(sup_world* world, int32_t need) {
    bool ok =
        supi_column_reserve(&world->collider_column, world->allocator, need,
                            sizeof *world->colliders) &&
        supi_column_reserve(&world->solid_column, world->allocator, need, sizeof *world->solids);
    world->colliders = world->collider_column.items;
    world->solids = world->solid_column.items;
    return ok;
}

/* A collider that comes out of nowhere may stand where somebody sleeps. */
static void wake_near(sup_world* world, int32_t index) {
    const supi_collider* c = world->colliders + index;
    supi_solid* solid = world->solids + index;
    supi_float_mode mode = supi_float_mode_enter();
    supi_solid_pose(solid, c->from_position, c->from_rotation, c->from_position, c->from_rotation,
                    1.0);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        supi_extent box;
        supi_shape shape;
        if (!body->rest.asleep || !supi_filters_meet(body->filter, solid->filter)) continue;
        world->kernels->inspect(world->now.x + body->row, 0, body->blueprint->info.particle_count,
                                &box);
        supi_shape_place(solid, body->anchor, &shape);
        supi_body_find_depths(body);
        if (supi_shape_near(&shape, box.low, box.high,
                            solid->thickness + supi_body_deepest(body))) {
            supi_sleep_wake(world, body);
        }
    }
    supi_float_mode_leave(mode);
}

static sup_result create(sup_world* world, const sup_collider_def* def, sup_collider* out,
                         sup_error* error) {
    sup_result result = check_collider(def, error);
    if (result != SUP_OK) return result;
    supi_collider made = {.def = *def};
    made.def.mesh = NULL;
    made.def.heights = NULL;
    set_pose(&made, def->position, def->rotation);
    result = make_arrays(world, def, &made, error);
    if (result == SUP_OK &&
        (!supi_collider_reserve(world, world->collider_count + 1) ||
         !supi_pool_take(&world->collider_pool, world->allocator, world->collider_count,
                         &made.handle.slot, &made.handle.age))) {
        result = supi_error_memory(error);
    }
    if (result != SUP_OK) {
        free_arrays(world, &made);
        return result;
    }
    world->colliders[world->collider_count] = made;
    supi_solid_make(def, made.mesh, made.heights, &world->solids[world->collider_count++]);
    wake_near(world, world->collider_count - 1);
    if (out) *out = made.handle;
    return SUP_OK;
}

sup_result sup_collider_create(sup_world* world, const sup_collider_def* def, sup_collider* out,
                               sup_error* error) {
    SUPI_NEED(error, world);
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = create(world, def, out, error);
    supi_float_mode_leave(mode);
    return result;
}

void supi_collider_free_all(sup_world* world) {
    for (int32_t i = 0; i < world->collider_count; i++) free_arrays(world, world->colliders + i);
}

static void remove_collider(sup_world* world, int32_t index) {
    supi_collider gone = world->colliders[index];
    supi_sleep_wake_around(world, (sup_body){0}, gone.handle);
    supi_pool_drop(&world->collider_pool, gone.handle.slot);
    world->collider_count--;
    for (int32_t i = index; i < world->collider_count; i++) {
        world->colliders[i] = world->colliders[i + 1];
        world->solids[i] = world->solids[i + 1];
        world->collider_pool.slots[world->colliders[i].handle.slot].value = i;
    }
    free_arrays(world, &gone);
    supi_meetings_forget(world);
}

supi_collider* supi_world_collider(const sup_world* world, sup_collider handle) {
    int32_t index = supi_pool_find(&world->collider_pool, handle.slot, handle.age);
    return index < 0 ? NULL : world->colliders + index;
}

sup_result sup_collider_destroy(sup_world* world, sup_collider collider) {
    SUPI_NEED(NULL, world);
    supi_collider* found = supi_world_collider(world, collider);
    if (!found || found->doomed) return SUP_STALE;
    if (world->telling)
        found->doomed = true;
    else
        remove_collider(world, (int32_t)(found - world->colliders));
    return SUP_OK;
}

void supi_collider_bury(sup_world* world) {
    for (int32_t i = world->collider_count - 1; i >= 0; i--) {
        if (world->colliders[i].doomed) remove_collider(world, i);
    }
}

bool sup_collider_is_valid(const sup_world* world, sup_collider collider) {
    return supi_world_collider(world, collider) != NULL;
}

int32_t sup_world_colliders(const sup_world* world, sup_collider* out, int32_t capacity) {
    for (int32_t i = 0; i < world->collider_count && i < capacity; i++) {
        out[i] = world->colliders[i].handle;
    }
    return world->collider_count;
}

uint64_t sup_collider_user(const sup_world* world, sup_collider collider) {
    const supi_collider* found = supi_world_collider(world, collider);
    return found ? found->def.user : 0;
}

sup_collider_kind sup_collider_get_kind(const sup_world* world, sup_collider collider) {
    const supi_collider* found = supi_world_collider(world, collider);
    return found ? found->def.kind : SUP_COLLIDER_PLANE;
}

sup_result sup_collider_set_filter(sup_world* world, sup_collider collider, sup_filter filter) {
    SUPI_NEED(NULL, world);
    supi_collider* found = supi_world_collider(world, collider);
    if (!found) return SUP_STALE;
    found->def.filter = filter;
    world->solids[found - world->colliders].filter = filter;
    supi_sleep_wake_around(world, (sup_body){0}, collider);
    wake_near(world, (int32_t)(found - world->colliders));
    return SUP_OK;
}

/* ---- Moving ---- */

static sup_result find_for_pose(const sup_world* world, sup_collider collider,
                                const double position[3], const double rotation[4],
                                supi_collider** found, sup_error* error) {
    *found = supi_world_collider(world, collider);
    if (!*found) return supi_error_set(error, SUP_STALE, "the collider is gone");
    return check_pose(position, rotation, error);
}

/* Moved to where it is already, it does not. */
static bool is_led(const supi_collider* c) {
    for (int k = 0; k < 3; k++) {
        if (c->from_position[k] != c->to_position[k]) return true;
    }
    for (int k = 0; k < 4; k++) {
        if (c->from_rotation[k] != c->to_rotation[k]) return true;
    }
    for (int32_t i = 0; c->from_points && i < supi_trimesh_point_count(c->mesh); i++) {
        const sup_vec3 *from = c->from_points + i, *to = c->to_points + i;
        if (to->x != from->x || to->y != from->y || to->z != from->z) return true;
    }
    return false;
}

sup_result sup_collider_move(sup_world* world, sup_collider collider, const double position[3],
                             const double rotation[4], sup_error* error) {
    SUPI_NEED(error, world, position, rotation);
    supi_collider* found;
    sup_result result = find_for_pose(world, collider, position, rotation, &found, error);
    if (result != SUP_OK) return result;
    memcpy(found->to_position, position, sizeof found->to_position);
    memcpy(found->to_rotation, rotation, sizeof found->to_rotation);
    found->moves = is_led(found);
    return SUP_OK;
}

sup_result sup_collider_place(sup_world* world, sup_collider collider, const double position[3],
                              const double rotation[4], sup_error* error) {
    SUPI_NEED(error, world, position, rotation);
    supi_collider* found;
    sup_result result = find_for_pose(world, collider, position, rotation, &found, error);
    if (result != SUP_OK) return result;
    supi_sleep_wake_around(world, (sup_body){0}, collider);
    set_pose(found, position, rotation);
    found->moves = is_led(found);
    wake_near(world, (int32_t)(found - world->colliders));
    supi_meetings_forget(world); /* it is no longer where they were found */
    return SUP_OK;
}

/* From, to, velocities, places and rest lie in one array. */
static bool reserve_points(const sup_world* world, supi_collider* c) {
    if (c->from_points) return true;
    size_t count = (size_t)supi_trimesh_point_count(c->mesh);
    c->from_points = supi_memory_new(world->allocator, 5 * count, sizeof *c->from_points);
    if (!c->from_points) return false;
    c->to_points = c->from_points + count;
    c->velocities = c->to_points + count;
    c->places = c->velocities + count;
    c->rest_points = c->places + count;
    const sup_vec3* points = supi_trimesh_points(c->mesh);
    memcpy(c->from_points, points, count * sizeof *points);
    memcpy(c->to_points, points, count * sizeof *points);
    memcpy(c->rest_points, points, count * sizeof *points);
    return true;
}

sup_result sup_collider_move_points(sup_world* world, sup_collider collider, const sup_vec3* points,
                                    sup_error* error) {
    SUPI_NEED(error, world, points);
    supi_collider* found = supi_world_collider(world, collider);
    if (!found) return supi_error_set(error, SUP_STALE, "the collider is gone");
    if (!found->mesh) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "only a mesh collider has points to move");
    }
    int32_t count = supi_trimesh_point_count(found->mesh);
    for (int32_t i = 0; i < count; i++) {
        sup_result result = check_point(&points[i], error);
        if (result != SUP_OK) return result;
    }
    if (!reserve_points(world, found)) return supi_error_memory(error);
    memcpy(found->to_points, points, (size_t)count * sizeof *points);
    found->moves = is_led(found);
    return SUP_OK;
}

sup_result sup_collider_get_pose(const sup_world* world, sup_collider collider, double position[3],
                                 double rotation[4]) {
    SUPI_NEED(NULL, world);
    const supi_collider* found = supi_world_collider(world, collider);
    if (!found) return SUP_STALE;
    if (position) memcpy(position, found->from_position, sizeof found->from_position);
    if (rotation) memcpy(rotation, found->from_rotation, sizeof found->from_rotation);
    return SUP_OK;
}

sup_result sup_collider_read_impulse(const sup_world* world, sup_collider collider,
                                     double impulse[3], double moment[3]) {
    SUPI_NEED(NULL, world);
    const supi_collider* found = supi_world_collider(world, collider);
    if (!found) return SUP_STALE;
    if (impulse) memcpy(impulse, found->impulse, sizeof found->impulse);
    if (moment) memcpy(moment, found->moment, sizeof found->moment);
    return SUP_OK;
}
