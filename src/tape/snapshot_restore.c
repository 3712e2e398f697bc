/* Bytes to a world. Everything is built aside, by the same calls that users make, so that it is
   checked by the same rules; then the fields of fields.h are laid over it. Only when all went well
   the world takes it. */
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/memory.h"
#include "tape/pack.h"
#include "tape/prints.h"
#include "tape/recipe.h"
#include "tape/snapshot.h"
#include "tape/snapshot_form.h"
#include "world/cuts.h"
#include "world/knead.h"
#include "world/springs.h"
#include "world/tear.h"

/* A restoring under way. */
typedef struct restoring {
    supi_unpack u;
    sup_world* running;     /* whose state is to be replaced */
    sup_world* world;       /* built aside */
    sup_blueprint** prints; /* one reference each (print_count) */
    int32_t print_count, print_room;
    int32_t used_count; /* of them, by the bodies so far */
} restoring;

static bool fine(const restoring* r) { return r->u.result == SUP_OK; }

/* ---- Sections ---- */

/* Until the section is closed, reading ends with it. Returns where the rest ends. */
static size_t open_section(supi_unpack* u, const char* tag) {
    size_t end = u->end;
    supi_unpack_enter(u, "section", -1);
    const uint8_t* found = supi_unpack_bytes(u, tag, 4);
    if (found && memcmp(found, tag, 4) != 0) {
        u->at -= 4;
        supi_unpack_refuse(u, tag, "another section stands in its place");
    }
    uint64_t size = supi_unpack_u64(u, tag);
    if (u->result == SUP_OK && size > u->end - u->at) {
        supi_unpack_refuse(u, tag, "it is longer than the bytes that are left");
    }
    if (u->result == SUP_OK) u->end = u->at + (size_t)size;
    return end;
}

static void close_section(supi_unpack* u, size_t end) {
    supi_unpack_enter(u, "section", -1);
    if (u->at != u->end) supi_unpack_refuse(u, "end", "bytes are left over");
    u->end = end;
}

/* ---- Pools ---- */

/* Does the chain of free slots hold every free slot once? It cannot visit one twice and still
   end. */
static bool chain_is_whole(const supi_pool* pool) {
    int32_t free_count = 0, at = pool->free;
    for (int32_t i = 1; i < pool->count; i++) free_count += (pool->slots[i].age & 1) == 0;
    for (; free_count > 0; free_count--) {
        if (at < 1 || at >= pool->count || (pool->slots[at].age & 1) != 0) return false;
        at = pool->slots[at].value;
    }
    return at == 0;
}

/* `handle`: slot and age of the first living thing, and `stride` bytes on those of the next. */
static bool pool_fits(const supi_pool* pool, const void* handle, size_t stride, int32_t living) {
    int32_t taken = 0;
    if (pool->count > 0 && pool->slots[0].age != 0) return false;
    for (int32_t i = 1; i < pool->count; i++) taken += (int32_t)(pool->slots[i].age & 1);
    if (taken != living || !chain_is_whole(pool)) return false;
    for (int32_t i = 0; i < living; i++) {
        uint32_t name[2];
        memcpy(name, (const char*)handle + (size_t)i * stride, sizeof name);
        if (supi_pool_find(pool, name[0], name[1]) != i) return false;
    }
    return true;
}

/* Replaces the pool that building has filled by the one that was saved. */
static void read_pool(restoring* r, supi_pool* pool, const char* part, const void* handle,
                      size_t stride, int32_t living) {
    supi_unpack* u = &r->u;
    supi_unpack_enter(u, part, -1);
    int32_t count = supi_unpack_count(u, "slots", 8);
    int32_t first_free = (int32_t)supi_unpack_u32(u, "free slot");
    if (!fine(r)) return;
    if (!supi_column_reserve(&pool->column, r->world->allocator, count, sizeof *pool->slots)) {
        supi_unpack_memory(u);
        return;
    }
    pool->slots = pool->column.items;
    pool->count = count;
    pool->free = first_free;
    for (int32_t i = 0; i < count; i++) {
        pool->slots[i].age = supi_unpack_u32(u, "age");
        pool->slots[i].value = (int32_t)supi_unpack_u32(u, "value");
    }
    if (fine(r) && !pool_fits(pool, handle, stride, living)) {
        supi_unpack_refuse(u, "slots", "they do not fit what they name");
    }
}

/* Has this handle been given, to something that lives or is gone? One still to come would turn
   valid, unchecked, with whatever takes its slot. Ages wrap around: half of them are past. */
static bool was_given(const supi_pool* pool, uint32_t slot, uint32_t age) {
    if (slot == 0 || slot >= (uint32_t)pool->count || (age & 1) == 0) return false;
    return pool->slots[slot].age - age < UINT32_C(1) << 31;
}

static bool body_was_given(const sup_world* world, sup_body body) {
    return was_given(&world->body_pool, body.slot, body.age);
}

static bool collider_was_given(const sup_world* world, sup_collider collider) {
    return was_given(&world->collider_pool, collider.slot, collider.age);
}

/* ---- Settings and blueprints ---- */

static void read_settings(restoring* r) {
    size_t end = open_section(&r->u, SUPI_SNAPSHOT_SETTINGS);
    supi_unpack_enter(&r->u, "settings", -1);
    sup_world_def def = r->running->def;
    double time = 0.0;
    uint64_t step_count = 0;
    supi_fields_settings(&r->u.visitor, &def, &time, &step_count);
    r->print_count = supi_unpack_count(&r->u, "blueprints", 0);
    close_section(&r->u, end);
    if (!fine(r)) return;
    def.allocator = r->running->allocator;
    def.threads = 1;
    def.tasks = NULL;
    def.on_event = NULL;
    sup_error cause;
    if (sup_world_create(&def, &r->world, &cause) != SUP_OK) {
        r->world = NULL;
        supi_unpack_wrap(&r->u, "all", &cause);
        return;
    }
    r->world->time = time;
    r->world->step_count = step_count;
}

/* Mostly the running world has the same blueprints, in the same order. */
static void read_blueprint(restoring* r, supi_prints* running, int32_t index) {
    supi_unpack* u = &r->u;
    size_t end = open_section(u, SUPI_SNAPSHOT_BLUEPRINT);
    if (!fine(r)) return;
    supi_unpack_enter(u, "blueprint", index);
    sup_blueprint* print;
    if (!supi_prints_take(running, index, u->data + u->at, u->end - u->at, &print)) {
        supi_unpack_memory(u);
        return;
    }
    if (print) {
        supi_blueprint_retain(print);
        u->at = u->end;
    } else {
        print = supi_recipe_unpack(u, r->world->allocator);
    }
    r->prints[index] = print;
    close_section(u, end);
}

static void read_blueprints(restoring* r) {
    if (!fine(r)) return;
    if (!supi_unpack_has(&r->u, "blueprints", (size_t)r->print_count, 12)) {
        r->print_count = 0;
        return;
    }
    r->print_room = r->print_count;
    r->prints = supi_memory_new(r->world->allocator, (size_t)r->print_room, sizeof(sup_blueprint*));
    supi_prints running = {0};
    if (!r->prints || !supi_prints_collect(r->running, &running)) {
        supi_unpack_memory(&r->u);
        return;
    }
    for (int32_t i = 0; fine(r) && i < r->print_count; i++) read_blueprint(r, &running, i);
    supi_prints_free(&running);
}

/* ---- Bodies ---- */

/* Mass and radius of a row are those of the blueprint, whatever happens to it, unless it was torn.
 */
static bool rows_are_own(const supi_state* now, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t i = 0; i < b->row_count; i++) {
        float mass = supi_cuts_inverse_mass(body, i), radius = supi_cuts_radius(body, i);
        if (now->x[body->row + i].w != mass || now->v[body->row + i].w != radius) return false;
    }
    return true;
}

static void check_body(restoring* r, supi_body* body) {
    if (!fine(r)) return;
    if (!supi_tear_adopt(body)) {
        supi_unpack_refuse(&r->u, "rows of vertices", "the surface cannot have torn like this");
        return;
    }
    const supi_state* now = &r->world->now;
    supi_extent places;
    r->world->kernels->inspect(now->x + body->row, 0, body->blueprint->row_count, &places);
    if (!places.sane) {
        supi_unpack_refuse(&r->u, "places", "they are out of range");
    } else if (!rows_are_own(now, body)) {
        supi_unpack_refuse(&r->u, "places", "masses or radii are not those of the blueprint");
    } else if (!supi_contain_sane(r->world, body, now)) {
        supi_unpack_refuse(&r->u, "rotations", "a cluster or a turn is out of range");
    }
}

/* A body that flows now has room for it already; one that did only before needs it too. */
static void read_plastic(restoring* r, supi_body* body) {
    supi_unpack* u = &r->u;
    bool plastic = false;
    supi_visit_bool(&u->visitor, "plastic state", &plastic);
    if (!fine(r)) return;
    if (body->plastic && !plastic) {
        supi_unpack_refuse(u, "plastic state", "a plastic body has one");
        return;
    }
    size_t clusters = (size_t)body->blueprint->cluster_count;
    if (plastic && !supi_unpack_has(u, "plastic state", clusters, 105)) return;
    if (plastic && !supi_body_make_plastic(r->world, body)) {
        supi_unpack_memory(u);
        return;
    }
    supi_fields_plastic(&u->visitor, body);
    for (size_t c = 0; fine(r) && plastic && c < clusters; c++) {
        if (!supi_plastic_sane(body->plastic + c)) {
            supi_unpack_refuse(u, "stretch", "no cluster can have been stretched so");
            return;
        }
        supi_plastic_derive(body->plastic + c);
    }
    supi_body_keep_plastic(body);
}

/* The same of lengths of springs. */
static void read_lengths(restoring* r, supi_body* body) {
    supi_unpack* u = &r->u;
    bool yielded = false;
    supi_visit_bool(&u->visitor, "yielded springs", &yielded);
    if (!fine(r)) return;
    const sup_blueprint* print = body->blueprint;
    bool can = body->elastic && !print->can_tear && print->refine.levels == 0;
    if ((supi_yield_has(body) && !yielded) || (!can && yielded)) {
        supi_unpack_refuse(u, "yielded springs", "they do not fit the settings of the body");
        return;
    }
    size_t springs = (size_t)body->blueprint->spring_count;
    if (yielded && !supi_unpack_has(u, "lengths of springs", springs, sizeof(float))) return;
    if (yielded && !supi_yield_make(body)) {
        supi_unpack_memory(u);
        return;
    }
    supi_fields_lengths(&u->visitor, body);
    supi_yield_keep(body);
}

static void read_body(restoring* r, int32_t index) {
    supi_unpack* u = &r->u;
    supi_unpack_enter(u, "body", index);
    uint32_t print = supi_unpack_u32(u, "blueprint");
    if (!fine(r)) return;
    if (print >= (uint32_t)r->print_count) {
        supi_unpack_refuse(u, "blueprint", "there is no blueprint %u", (unsigned)print);
        return;
    }
    if (print > (uint32_t)r->used_count) {
        supi_unpack_refuse(u, "blueprint", "they stand in the order of their first use");
        return;
    }
    if (print == (uint32_t)r->used_count) r->used_count++;
    sup_material materials[256] = {{0}};
    sup_body_def def = sup_body_default();
    def.blueprint = r->prints[print];
    supi_fields_body_def(&u->visitor, &def, materials, def.blueprint->info.region_count);
    def.material = materials[0];
    def.region_materials = materials;
    size_t rows = (size_t)def.blueprint->row_count;
    if (!supi_unpack_has(u, "places", rows, 8 * sizeof(float))) return;
    sup_error cause;
    if (sup_body_create(r->world, &def, NULL, &cause) != SUP_OK) {
        supi_unpack_wrap(u, "definition", &cause);
        return;
    }
    supi_body* body = r->world->bodies + index;
    supi_fields_body(&u->visitor, r->world, body);
    if (fine(r) && !supi_cuts_sane(body)) {
        supi_unpack_refuse(u, "levels of cells", "no cloth can be cut so");
    }
    if (fine(r)) supi_cuts_remake(body);
    check_body(r, body);
    read_plastic(r, body);
    read_lengths(r, body);
    body->rest_before = body->rest;
    body->woke_before = body->woke;
    supi_body_copy(body, &r->world->now, &r->world->before);
}

/* An island is called after its first body, which sleeps with it. */
static void check_islands(restoring* r) {
    const sup_world* world = r->world;
    for (int32_t i = 0; fine(r) && i < world->body_count; i++) {
        const supi_rest* rest = &world->bodies[i].rest;
        if (!rest->asleep) continue;
        const supi_pool* pool = &world->body_pool;
        int32_t first = -1;
        if (rest->island < (uint32_t)pool->count && (pool->slots[rest->island].age & 1)) {
            first = pool->slots[rest->island].value;
        }
        const supi_rest* leads = first >= 0 && first <= i ? &world->bodies[first].rest : NULL;
        if (leads && leads->asleep && leads->island == rest->island) continue;
        supi_unpack_enter(&r->u, "body", i);
        supi_unpack_refuse(&r->u, "island", "it sleeps with nobody");
    }
}

static void read_bodies(restoring* r) {
    if (!fine(r)) return;
    size_t end = open_section(&r->u, SUPI_SNAPSHOT_BODIES);
    int32_t count = supi_unpack_count(&r->u, "bodies", 64);
    for (int32_t i = 0; fine(r) && i < count; i++) read_body(r, i);
    if (r->used_count < r->print_count) {
        supi_unpack_enter(&r->u, "blueprint", r->used_count);
        supi_unpack_refuse(&r->u, "bodies", "none is made from it");
    }
    if (!fine(r)) return;
    const supi_body* bodies = r->world->bodies;
    read_pool(r, &r->world->body_pool, "bodies", count ? &bodies->handle : NULL, sizeof *bodies,
              count);
    close_section(&r->u, end);
    check_islands(r);
}

/* ---- Colliders ---- */

/* Arrays of a definition that is being read; they live in `scratch`. */
static void read_arrays(restoring* r, supi_arena* scratch, supi_collider_arrays* arrays,
                        sup_mesh* mesh) {
    supi_unpack* u = &r->u;
    supi_fields_array_counts(&u->visitor, arrays);
    size_t points = (size_t)arrays->point_count, triangles = (size_t)arrays->triangle_count;
    size_t heights = (size_t)arrays->height_count;
    if (!supi_unpack_has(u, "points", points, 12) ||
        !supi_unpack_has(u, "triangles", triangles, 12) ||
        !supi_unpack_has(u, "heights", heights, 4)) {
        return;
    }
    arrays->points = supi_arena_push(scratch, points, sizeof(sup_vec3));
    arrays->triangles = supi_arena_push(scratch, 3 * triangles, sizeof(int32_t));
    arrays->heights = supi_arena_push(scratch, heights, sizeof(float));
    int32_t* starts = supi_arena_push(scratch, triangles + 1, sizeof *starts);
    if (!arrays->points || !arrays->triangles || !arrays->heights || !starts) {
        supi_unpack_memory(u);
        return;
    }
    supi_fields_arrays(&u->visitor, arrays);
    for (int32_t i = 0; i <= arrays->triangle_count; i++) starts[i] = 3 * i;
    *mesh = (sup_mesh){.point_count = arrays->point_count,
                       .polygon_count = arrays->triangle_count,
                       .corner_count = 3 * arrays->triangle_count,
                       .points = arrays->points,
                       .starts = starts,
                       .corners = arrays->triangles};
}

/* The collider as it was made, with room for led points where it has them. */
static void create_collider(restoring* r, supi_arena* scratch, sup_collider_def* def) {
    supi_collider_arrays arrays = {0};
    sup_mesh mesh = {0};
    read_arrays(r, scratch, &arrays, &mesh);
    if (!fine(r)) return;
    bool is_mesh = def->kind == SUP_COLLIDER_MESH, is_heights = def->kind == SUP_COLLIDER_HEIGHTS;
    int64_t heights = is_heights ? (int64_t)def->height_count[0] * def->height_count[1] : 0;
    if ((!is_mesh && (arrays.point_count > 0 || arrays.triangle_count > 0 || arrays.led)) ||
        arrays.height_count != heights) {
        supi_unpack_refuse(&r->u, "arrays", "they do not fit the kind");
        return;
    }
    if (is_mesh) def->mesh = &mesh;
    if (is_heights) def->heights = arrays.heights;
    sup_error cause;
    sup_collider handle;
    sup_result result = sup_collider_create(r->world, def, &handle, &cause);
    if (result == SUP_OK && arrays.led) {
        sup_vec3* places = supi_arena_push(scratch, (size_t)arrays.point_count, sizeof *places);
        result = places ? sup_collider_move_points(r->world, handle, places, &cause)
                        : supi_error_memory(&cause);
    }
    if (result != SUP_OK) {
        supi_unpack_wrap(&r->u, "definition", &cause);
    } else if (is_mesh && supi_trimesh_triangle_count(supi_world_collider(r->world, handle)->mesh) <
                              arrays.triangle_count) {
        supi_unpack_refuse(&r->u, "triangles", "one of them names a point twice");
    }
}

static bool has_length(const double q[4]) {
    double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return squared >= 1e-12 && squared <= 1e12;
}

static void read_collider(restoring* r, int32_t index) {
    supi_unpack_enter(&r->u, "collider", index);
    sup_collider_def def = sup_collider_default();
    supi_fields_collider_def(&r->u.visitor, &def);
    supi_arena scratch;
    supi_arena_init(&scratch, r->world->allocator);
    create_collider(r, &scratch, &def);
    supi_arena_free(&scratch);
    if (!fine(r)) return;
    supi_collider* c = r->world->colliders + index;
    supi_fields_collider(&r->u.visitor, c);
    if (!has_length(c->from_rotation) || !has_length(c->to_rotation)) {
        supi_unpack_refuse(&r->u, "rotation", "it has no length");
    }
    if (fine(r) && c->from_points) supi_trimesh_move(c->mesh, c->from_points, NULL);
}

static void read_colliders(restoring* r) {
    if (!fine(r)) return;
    size_t end = open_section(&r->u, SUPI_SNAPSHOT_COLLIDERS);
    int32_t count = supi_unpack_count(&r->u, "colliders", 64);
    for (int32_t i = 0; fine(r) && i < count; i++) read_collider(r, i);
    if (!fine(r)) return;
    const supi_collider* colliders = r->world->colliders;
    read_pool(r, &r->world->collider_pool, "colliders", count ? &colliders->handle : NULL,
              sizeof *colliders, count);
    close_section(&r->u, end);
}

/* ---- Attachments ---- */

static bool is_null(uint32_t slot, uint32_t age) { return slot == 0 && age == 0; }

/* Of a body that is gone nobody knows how many particles it had. */
static bool particle_fits(const sup_world* world, sup_body handle, int32_t particle) {
    const supi_body* body = supi_world_body(world, handle);
    return particle >= 0 && (!body || particle < body->blueprint->info.particle_count);
}

static void check_ends(restoring* r, const sup_attachment_def* d) {
    if (!fine(r)) return;
    const sup_world* world = r->world;
    bool has_other = !is_null(d->other.slot, d->other.age);
    bool has_collider = !is_null(d->collider.slot, d->collider.age);
    if (!body_was_given(world, d->body) || (has_other && !body_was_given(world, d->other)) ||
        (has_collider && !collider_was_given(world, d->collider))) {
        supi_unpack_refuse(&r->u, "ends", "one was never there");
    } else if (!particle_fits(world, d->body, d->particle) ||
               (has_other && !particle_fits(world, d->other, d->other_particle))) {
        supi_unpack_refuse(&r->u, "ends", "there is no such particle");
    }
}

/* One that has lost an end is kept until the next step, which lets it go. */
static void read_attachment(restoring* r, int32_t index) {
    supi_unpack* u = &r->u;
    sup_world* world = r->world;
    supi_unpack_enter(u, "attachment", index);
    supi_attachment a = {.def = sup_attachment_default(), .body = -1, .other = -1, .collider = -1};
    supi_fields_attachment_def(&u->visitor, &a.def);
    supi_fields_attachment(&u->visitor, &a);
    check_ends(r, &a.def);
    if (!fine(r)) return;
    sup_error cause;
    sup_result result = SUP_OK;
    if (supi_attach_whole(world, &a)) {
        result = sup_attachment_create(world, &a.def, NULL, &cause);
    } else if (supi_attach_reserve(world, index + 1)) {
        world->attachment_count++;
    } else {
        result = supi_error_memory(&cause);
    }
    if (result == SUP_OK) {
        world->attachments[index] = a;
    } else {
        supi_unpack_wrap(u, "definition", &cause);
    }
}

static void read_attachments(restoring* r) {
    if (!fine(r)) return;
    size_t end = open_section(&r->u, SUPI_SNAPSHOT_ATTACHMENTS);
    int32_t count = supi_unpack_count(&r->u, "attachments", 64);
    for (int32_t i = 0; fine(r) && i < count; i++) read_attachment(r, i);
    if (!fine(r)) return;
    const supi_attachment* attachments = r->world->attachments;
    read_pool(r, &r->world->attachment_pool, "attachments", count ? &attachments->handle : NULL,
              sizeof *attachments, count);
    close_section(&r->u, end);
    /* Making them has woken the bodies. */
    for (int32_t i = 0; i < r->world->body_count; i++) {
        supi_body* body = r->world->bodies + i;
        body->rest = body->rest_before;
        body->woke = body->woke_before;
    }
}

/* ---- Meetings ---- */

/* A body with another or with a collider, each of them there or gone. */
static bool sides_fit(const sup_world* world, const sup_meeting* m) {
    if (!body_was_given(world, m->body)) return false;
    return is_null(m->other.slot, m->other.age)
               ? collider_was_given(world, m->collider)
               : is_null(m->collider.slot, m->collider.age) && body_was_given(world, m->other);
}

/* The next step merges the list by body, kind and other: false unless `next` comes after `last`. */
static bool comes_after(const sup_world* world, const sup_meeting* m, int64_t last[2]) {
    int32_t body = supi_pool_find(&world->body_pool, m->body.slot, m->body.age);
    bool is_collider = m->other.age == 0;
    int32_t other = supi_pool_find(is_collider ? &world->collider_pool : &world->body_pool,
                                   is_collider ? m->collider.slot : m->other.slot,
                                   is_collider ? m->collider.age : m->other.age);
    if (body < 0 || other < 0) return true; /* someone is gone: it will be dropped */
    int64_t key = (is_collider ? INT64_C(1) << 32 : 0) + other;
    bool after = body > last[0] || (body == last[0] && key > last[1]);
    last[0] = body;
    last[1] = key;
    return after && (is_collider || other > body);
}

static void read_meetings(restoring* r) {
    if (!fine(r)) return;
    supi_unpack* u = &r->u;
    sup_world* world = r->world;
    size_t end = open_section(u, SUPI_SNAPSHOT_MEETINGS);
    int32_t count = supi_unpack_count(u, "meetings", 64);
    if (!supi_column_reserve(&world->meeting_column, world->allocator, count,
                             sizeof *world->meetings) ||
        !supi_column_reserve(&world->meeting_key_column, world->allocator, count,
                             sizeof *world->meeting_keys)) {
        supi_unpack_memory(u);
        return;
    }
    world->meetings = world->meeting_column.items;
    world->meeting_keys = world->meeting_key_column.items;
    int64_t last[2] = {-1, -1};
    for (int32_t i = 0; fine(r) && i < count; i++) {
        supi_unpack_enter(u, "meeting", i);
        supi_fields_meeting(&u->visitor, world->meetings + i);
        if (!sides_fit(world, world->meetings + i)) {
            supi_unpack_refuse(u, "sides", "one was never there");
        } else if (!comes_after(world, world->meetings + i, last)) {
            supi_unpack_refuse(u, "order", "it does not come after the one before");
        }
    }
    world->meeting_count = count;
    close_section(u, end);
}

/* ---- Overlaps ---- */

/* It takes two, and the list is sorted. */
static bool memory_fits(const sup_world* world, const supi_tet_memory* m) {
    return m->body != m->other && m->point < world->bodies[m->body].blueprint->info.particle_count;
}

static bool memory_follows(const supi_tet_memory* last, const supi_tet_memory* m) {
    if (last->body != m->body) return last->body < m->body;
    if (last->other != m->other) return last->other < m->other;
    return last->point < m->point;
}

static void read_overlaps(restoring* r) {
    if (!fine(r)) return;
    supi_unpack* u = &r->u;
    sup_world* world = r->world;
    supi_tet_contacts* found = &world->overlaps.found;
    size_t end = open_section(u, SUPI_SNAPSHOT_OVERLAPS);
    int32_t count = supi_unpack_count(u, "overlaps", 28);
    found->memory =
        supi_column_reserve(&found->memory_store, world->allocator, count, sizeof *found->memory);
    if (!found->memory) {
        supi_unpack_memory(u);
        return;
    }
    for (int32_t i = 0; fine(r) && i < count; i++) {
        supi_tet_memory* m = found->memory + i;
        supi_unpack_enter(u, "overlap", i);
        supi_fields_memory(&u->visitor, m, world->body_count);
        if (!fine(r)) return;
        if (!memory_fits(world, m)) {
            supi_unpack_refuse(u, "point", "there is no such point in another body");
        } else if (i > 0 && !memory_follows(m - 1, m)) {
            supi_unpack_refuse(u, "order", "it does not come after the one before");
        }
    }
    found->memory_count = count;
    close_section(u, end);
}

/* ---- Clay ---- */

static void read_clay_body(restoring* r, int32_t index) {
    supi_unpack* u = &r->u;
    supi_body* body = r->world->bodies + index;
    sup_clay_settings settings = sup_clay_settings_default();
    supi_knead_settings(&u->visitor, &settings);
    if (!fine(r)) return;
    sup_error cause;
    sup_result result = supi_knead_make(r->world, body, &settings, &cause);
    if (result == SUP_NO_MEMORY) supi_unpack_memory(u);
    if (result != SUP_OK) supi_unpack_refuse(u, "clay", "%s", cause.text);
    if (!fine(r)) return;
    supi_knead_fields(&u->visitor, body);
    if (fine(r)) supi_knead_refresh(body);
    supi_knead_keep(body);
}

/* Only where bytes are left. */
static void read_clay(restoring* r) {
    if (!fine(r) || r->u.at == r->u.end) return;
    supi_unpack* u = &r->u;
    size_t end = open_section(u, SUPI_SNAPSHOT_CLAY);
    int32_t count = supi_unpack_count(u, "clay", 4), last = -1;
    for (int32_t i = 0; fine(r) && i < count; i++) {
        supi_unpack_enter(u, "clay", i);
        int32_t index = (int32_t)supi_unpack_u32(u, "body");
        if (fine(r) && (index <= last || index >= r->world->body_count))
            supi_unpack_refuse(u, "body", "it does not come after the one before");
        last = index;
        if (fine(r)) read_clay_body(r, index);
    }
    close_section(u, end);
}

/* ---- The whole ---- */

static void check_frame(supi_unpack* u) {
    const uint8_t* magic = supi_unpack_bytes(u, "magic", 8);
    if (magic && memcmp(magic, SUPI_SNAPSHOT_MAGIC, 8) != 0) {
        u->at = 0;
        supi_unpack_refuse(u, "magic",
                           "this is no snapshot, which begins with 89 53 55 50 53 0d 0a 1a");
    }
    uint32_t version = supi_unpack_u32(u, "version");
    if (version != SUPI_SNAPSHOT_VERSION) {
        supi_unpack_refuse(u, "version", "it is %u; this library reads %d", (unsigned)version,
                           SUPI_SNAPSHOT_VERSION);
    }
    uint64_t size = supi_unpack_u64(u, "size");
    if (size != u->end || u->end < SUPI_SNAPSHOT_HEAD + SUPI_SNAPSHOT_TAIL) {
        supi_unpack_refuse(u, "size", "it should be %llu bytes long, but has %zu",
                           (unsigned long long)size, u->end);
    }
    if (u->result != SUP_OK) return;
    size_t last = u->end - SUPI_SNAPSHOT_TAIL;
    if (supi_pack_fetch(u->data + last, 8) != supi_hash_bytes(supi_hash_begin(), u->data, last)) {
        u->at = last;
        supi_unpack_refuse(u, "checksum", "it does not fit: the bytes are damaged");
    }
    u->end = last;
}

static void release(restoring* r) {
    for (int32_t i = 0; r->prints && i < r->print_room; i++) sup_blueprint_release(r->prints[i]);
    supi_memory_free(r->running->allocator, r->prints, (size_t)r->print_room,
                     sizeof(sup_blueprint*));
    sup_world_destroy(r->world);
}

/* The state changes hands; threads, kernels and callback stay. */
static void take_over(sup_world* world, sup_world* made) {
    sup_world old = *world;
    *world = *made;
    *made = old;
    made->tasks = world->tasks;
    world->tasks = old.tasks;
    world->def.allocator = old.def.allocator;
    world->def.threads = old.def.threads;
    world->def.tasks = old.def.tasks;
    world->def.on_event = old.def.on_event;
    world->profile = old.profile;
}

static void read_world(restoring* r) {
    check_frame(&r->u);
    if (fine(r)) read_settings(r);
    read_blueprints(r);
    read_bodies(r);
    read_colliders(r);
    read_attachments(r);
    read_meetings(r);
    read_overlaps(r);
    read_clay(r);
    if (fine(r) && r->u.at != r->u.end) supi_unpack_refuse(&r->u, "end", "bytes are left over");
    if (fine(r) && !supi_rooms_lend(r->world, r->running->tasks)) supi_unpack_memory(&r->u);
}

sup_result supi_snapshot_restore(sup_world* world, const char* name, uint64_t origin,
                                 const uint8_t* bytes, size_t size, sup_error* error) {
    if (world->telling) {
        return supi_error_set(error, SUP_BUSY,
                              "a world cannot be restored inside its own callback");
    }
    supi_float_mode mode = supi_float_mode_enter();
    restoring r = {.u = supi_unpack_begin(name, origin, bytes, size, error), .running = world};
    read_world(&r);
    if (fine(&r)) take_over(world, r.world);
    release(&r);
    supi_float_mode_leave(mode);
    return r.u.result;
}

sup_result sup_world_restore(sup_world* world, const uint8_t* bytes, size_t size,
                             sup_error* error) {
    SUPI_NEED(error, world, bytes);
    return supi_snapshot_restore(world, "snapshot", 0, bytes, size, error);
}
