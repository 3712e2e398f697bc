/* Bodies: coming and going. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "world/blobs.h"
#include "world/knead.h"
#include "world/lock.h"
#include "world/oriented.h"
#include "world/overlaps.h"
#include "world/springs.h"
#include "world/stand.h"

#include <string.h>

sup_body_def sup_body_default(void) {
    return (sup_body_def){
        .size = sizeof(sup_body_def),
        .rotation = {0, 0, 0, 1},
        .gravity_scale = 1.0,
        .springs = sup_spring_settings_default(),
        .frames = sup_frame_settings_default(),
        .overlap = sup_overlap_settings_default(),
        .blob = sup_blob_settings_default(),
        .filter = {1, UINT32_MAX},
        .material =
            {
                .keeps_volume = true,
                .beta = 0.5,
                .stiffness = 120.0,
                .damping = 0.3,
                .raw_damping = -1.0,
                .friction_static = 0.5,
                .friction_kinetic = 0.4,
                .plastic = {SUPI_PLASTIC_NUMBERS(SUPI_PLASTIC_DEFAULT)},
            },
    };
}

supi_body* supi_world_body(const sup_world* world, sup_body handle) {
    int32_t index = supi_pool_find(&world->body_pool, handle.slot, handle.age);
    return index < 0 ? NULL : world->bodies + index;
}

static sup_result check_def(const sup_body_def* def, sup_error* error) {
    if (!def || def->size != sizeof *def || !def->blueprint) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_body_def must come from sup_body_default and name a blueprint");
    }
    for (int k = 0; k < 3; k++) {
        const supi_range ranges[] = {
            {"position", def->position[k], -1e12, 1e12},
            {"velocity", def->velocity[k], -1e5, 1e5},
            {"angular_velocity", def->angular_velocity[k], -1e5, 1e5},
            {"gravity_scale", def->gravity_scale, -1e3, 1e3},
        };
        sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
        if (result != SUP_OK) return result;
    }
    double squared = 0.0;
    for (int k = 0; k < 4; k++) squared += def->rotation[k] * def->rotation[k];
    if (!(squared > 1e-12 && squared < 1e12)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "rotation must be a quaternion of some length");
    }
    sup_result result = supi_lock_check(def, error);
    if (result == SUP_OK) result = supi_springs_check(&def->springs, def->blueprint, error);
    if (result == SUP_OK) result = supi_oriented_check(def, error);
    if (result == SUP_OK) result = supi_overlaps_check(&def->overlap, error);
    if (result == SUP_OK) result = supi_blobs_check(&def->blob, error);
    if (result == SUP_OK) result = supi_material_check(&def->material, error);
    if (result == SUP_OK) result = supi_material_suits(&def->material, def->blueprint, error);
    for (int32_t i = 0; def->region_materials && result == SUP_OK; i++) {
        if (i == def->blueprint->info.region_count) break;
        result = supi_material_check(&def->region_materials[i], error);
        if (result == SUP_OK) {
            result = supi_material_suits(&def->region_materials[i], def->blueprint, error);
        }
        if (result == SUP_OK)
            result =
                supi_material_alike(&def->region_materials[0], &def->region_materials[i], error);
    }
    return result;
}

/* Columns may have moved: take their arrays anew. */
static void bind_columns(sup_world* w) {
    supi_state* states[2] = {&w->now, &w->before};
    bool moved = w->now.turn != w->now.turn_column.items || w->now.spin != w->now.spin_column.items;
    for (int i = 0; i < 2; i++) {
        states[i]->x = states[i]->x_column.items;
        states[i]->v = states[i]->v_column.items;
        states[i]->rotation = states[i]->rotation_column.items;
        states[i]->centre = states[i]->centre_column.items;
        states[i]->turn = states[i]->turn_column.items;
        states[i]->spin = states[i]->spin_column.items;
        states[i]->warm = states[i]->warm_column.items;
    }
    w->goals = w->goal_column.items;
    w->sums = w->sum_column.items;
    w->asked = w->ask_column.items;
    w->boxes = w->box_column.items;
    w->cells = w->cell_column.items;
    w->runs = w->run_column.items;
    w->works = w->work_column.items;
    w->strained = w->strained_column.items;
    w->frames = w->frame_column.items;
    w->bends = w->bend_column.items;
    w->duals = w->dual_column.items;
    w->drawn = w->drawn_column.items;
    w->bodies = w->body_column.items;
    /* Contacts of the last step are read after it, too. */
    supi_overlaps_bind(w);
    for (int32_t i = 0; moved && i < w->body_count; i++) supi_oriented_contact(w, w->bodies + i);
}

/* Pieces of the last pass of a substep. */
static int32_t count_pieces(const sup_blueprint* b) {
    if (b->single) return b->block_count;
    return (b->info.particle_count + SUPI_BLOCK_MEMBERS - 1) / SUPI_BLOCK_MEMBERS;
}

supi_share supi_body_share(const sup_blueprint* b) {
    return (supi_share){.rows = b->row_count,
                        .clusters = b->cluster_count,
                        .blocks = b->block_count,
                        .asks = b->single ? 0 : b->member_count,
                        .pieces = count_pieces(b),
                        .cells = b->lattice ? b->lattice->cell_count : 0,
                        .turns = b->oriented ? b->row_count : 0,
                        .warms = supi_oriented_warm_count(b),
                        .frames = supi_oriented_carries(b)            ? b->row_count
                                  : b->info.skin == SUP_SKIN_CLUSTERS ? b->cluster_count
                                                                      : 0,
                        .drawn = supi_skin_room(b->skin.count)};
}

/* Columns that grew stay grown: that changes nothing. */
static bool reserve(sup_world* w, int32_t body_count, const supi_share* more) {
    int64_t rows = (int64_t)w->row_count + more->rows;
    int64_t clusters = (int64_t)w->cluster_count + more->clusters;
    int64_t bodies = (int64_t)w->body_count + body_count;
    int64_t turns = (int64_t)w->turn_count + more->turns;
    int64_t warms = (int64_t)w->warm_count + more->warms;
    const struct {
        supi_column* column;
        int64_t need;
        size_t size;
    } wanted[] = {
        {&w->now.x_column, rows, sizeof *w->now.x},
        {&w->now.v_column, rows, sizeof *w->now.v},
        {&w->before.x_column, rows, sizeof *w->now.x},
        {&w->before.v_column, rows, sizeof *w->now.v},
        {&w->now.rotation_column, clusters, sizeof *w->now.rotation},
        {&w->now.centre_column, clusters, sizeof *w->now.centre},
        {&w->before.rotation_column, clusters, sizeof *w->now.rotation},
        {&w->before.centre_column, clusters, sizeof *w->now.centre},
        {&w->now.turn_column, turns, sizeof *w->now.turn},
        {&w->now.spin_column, turns, sizeof *w->now.spin},
        {&w->now.warm_column, warms, sizeof *w->now.warm},
        {&w->before.warm_column, warms, sizeof *w->now.warm},
        {&w->before.turn_column, turns, sizeof *w->now.turn},
        {&w->before.spin_column, turns, sizeof *w->now.spin},
        {&w->goal_column, clusters, sizeof *w->goals},
        {&w->sum_column, (int64_t)w->block_count + more->blocks, sizeof *w->sums},
        {&w->ask_column, (int64_t)w->ask_count + more->asks, sizeof *w->asked},
        {&w->box_column, (int64_t)w->piece_count + more->pieces, sizeof *w->boxes},
        {&w->cell_column, (int64_t)w->cell_count + more->cells, sizeof *w->cells},
        {&w->run_column, bodies, sizeof *w->runs},
        {&w->work_column, bodies, sizeof *w->works},
        {&w->strained_column, bodies, sizeof *w->strained},
        {&w->body_column, bodies, sizeof *w->bodies},
        {&w->frame_column, more->frames, sizeof *w->frames},
        {&w->bend_column, more->frames, sizeof *w->bends},
        {&w->dual_column, more->frames, sizeof *w->duals},
        {&w->drawn_column, more->drawn, sizeof *w->drawn},
    };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof wanted / sizeof *wanted; i++) {
        ok = wanted[i].need <= INT32_MAX - 8 &&
             supi_column_reserve(wanted[i].column, w->allocator, (int32_t)wanted[i].need,
                                 wanted[i].size);
    }
    bind_columns(w);
    return ok;
}

bool supi_body_reserve(sup_world* world, const sup_blueprint* blueprint) {
    supi_share more = supi_body_share(blueprint);
    return reserve(world, 1, &more) && supi_rooms_reserve(world, blueprint);
}

bool supi_body_reserve_change(sup_world* world, const supi_share* was, const supi_share* is) {
    const supi_share more = {is->rows - was->rows,
                             is->clusters - was->clusters,
                             is->blocks - was->blocks,
                             is->asks - was->asks,
                             is->pieces - was->pieces,
                             is->cells - was->cells,
                             is->turns - was->turns,
                             is->warms - was->warms,
                             is->frames,
                             is->drawn};
    return reserve(world, 0, &more);
}

double supi_body_unit(double size) {
    double unit = 1.0 / 1024.0;
    while (unit < size) unit *= 2.0;
    return unit;
}

void supi_body_copy(const supi_body* body, const supi_state* from, supi_state* to) {
    size_t rows = (size_t)body->blueprint->row_count;
    size_t clusters = (size_t)body->blueprint->cluster_count;
    memcpy(to->x + body->row, from->x + body->row, rows * sizeof *to->x);
    memcpy(to->v + body->row, from->v + body->row, rows * sizeof *to->v);
    memcpy(to->rotation + body->cluster, from->rotation + body->cluster,
           clusters * sizeof *to->rotation);
    memcpy(to->centre + body->cluster, from->centre + body->cluster, clusters * sizeof *to->centre);
    if (!body->blueprint->oriented) return;
    size_t warms = (size_t)supi_oriented_warm_count(body->blueprint);
    memcpy(to->warm + body->warm, from->warm + body->warm, warms * sizeof *to->warm);
    memcpy(to->turn + body->turn, from->turn + body->turn, rows * sizeof *to->turn);
    memcpy(to->spin + body->turn, from->spin + body->turn, rows * sizeof *to->spin);
}

float supi_body_spacing(const supi_body* body) {
    const sup_blueprint_info* info = &body->blueprint->info;
    if (info->spacing > 0) return (float)info->spacing;
    return body->oriented && info->radius > 0 ? (float)info->radius : (float)body->unit;
}

void supi_body_free(const sup_world* world, supi_body* body) {
    const sup_allocator* a = world->allocator;
    const sup_blueprint* b = body->blueprint;
    size_t regions = (size_t)b->info.region_count;
    supi_body_free_plastic(world, body);
    supi_springs_free(world, body);
    supi_oriented_free(world, body);
    supi_blobs_free(world, body);
    supi_knead_free(world, body);
    supi_stand_free(world, body);
    supi_memory_free(a, body->pins, 2 * (size_t)b->pin_count, sizeof *body->pins);
    supi_memory_free(a, body->materials, regions, sizeof *body->materials);
    supi_memory_free(a, body->grips, regions, sizeof *body->grips);
    supi_memory_free(a, body->pulls, (size_t)b->cluster_count, sizeof *body->pulls);
    sup_blueprint_release(body->blueprint);
    *body = (supi_body){0};
}

bool supi_body_make(const sup_world* world, sup_blueprint* b, supi_body* out) {
    const sup_allocator* a = world->allocator;
    size_t regions = (size_t)b->info.region_count;
    *out = (supi_body){.blueprint = b, .unit = supi_body_unit(b->info.size)};
    supi_blueprint_retain(b);
    out->materials = supi_memory_new(a, regions, sizeof *out->materials);
    out->grips = supi_memory_new(a, regions, sizeof *out->grips);
    bool ok = out->materials && out->grips;
    if (ok && b->pin_count > 0) {
        out->pins = supi_memory_new(a, 2 * (size_t)b->pin_count, sizeof *out->pins);
        ok = out->pins != NULL;
    }
    if (ok && b->region) {
        out->pulls = supi_memory_new(a, (size_t)b->cluster_count, sizeof *out->pulls);
        ok = out->pulls != NULL;
    }
    ok = ok && supi_springs_make(world, out) && supi_oriented_make(world, out) &&
         supi_blobs_make(world, out);
    if (!ok) supi_body_free(world, out);
    return ok;
}

/* What the definition says beside the blueprint. */
static void fill_body(supi_body* body, const sup_body_def* def) {
    body->user = def->user;
    body->gravity_scale = def->gravity_scale;
    body->springs = def->springs;
    body->frames = def->frames;
    supi_overlaps_set(body, &def->overlap);
    body->blob = def->blob;
    body->filter = def->filter;
    body->locked = def->locked;
    body->stays_awake = def->stays_awake;
    for (int32_t i = 0; i < def->blueprint->info.region_count; i++) {
        body->materials[i] = def->region_materials ? def->region_materials[i] : def->material;
    }
    supi_body_set_grips(body);
    memcpy(body->start.position, def->position, sizeof def->position);
    memcpy(body->start.rotation, def->rotation, sizeof def->rotation);
    memcpy(body->start.velocity, def->velocity, sizeof def->velocity);
    memcpy(body->start.angular_velocity, def->angular_velocity, sizeof def->angular_velocity);
}

supi_body* supi_body_append(sup_world* world, const supi_body* made) {
    supi_share share = supi_body_share(made->blueprint);
    supi_body* body = world->bodies + world->body_count++;
    *body = *made;
    body->row = world->row_count;
    body->cluster = world->cluster_count;
    body->block = world->block_count;
    body->ask = world->ask_count;
    body->piece = world->piece_count;
    body->cell = world->cell_count;
    body->turn = world->turn_count;
    body->warm = world->warm_count;
    body->piece_count = share.pieces;
    world->row_count += share.rows;
    world->cluster_count += share.clusters;
    world->block_count += share.blocks;
    world->ask_count += share.asks;
    world->piece_count += share.pieces;
    world->cell_count += share.cells;
    world->turn_count += share.turns;
    world->warm_count += share.warms;
    world->planned = false;
    return body;
}

sup_result sup_body_create(sup_world* world, const sup_body_def* def, sup_body* out,
                           sup_error* error) {
    SUPI_NEED(error, world);
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    supi_body made;
    if (!supi_body_reserve(world, def->blueprint) ||
        !supi_body_make(world, def->blueprint, &made)) {
        return supi_error_memory(error);
    }
    bool plastic =
        def->region_materials ? def->region_materials->plastic.on : def->material.plastic.on;
    if ((plastic && !supi_body_make_plastic(world, &made)) ||
        !supi_springs_equip(world, &made, &world->def.wind, &def->springs) ||
        !supi_pool_take(&world->body_pool, world->allocator, world->body_count, &made.handle.slot,
                        &made.handle.age)) {
        supi_body_free(world, &made);
        return supi_error_memory(error);
    }
    supi_float_mode mode = supi_float_mode_enter();
    fill_body(&made, def);
    supi_body_take_start(world, supi_body_append(world, &made));
    supi_float_mode_leave(mode);
    if (out) *out = made.handle;
    return SUP_OK;
}

/* Moves all items behind the `was` at `at` so that there are `is` of them. */
static void resize_run(void* items, size_t size, int32_t at, int32_t was, int32_t is,
                       int32_t total) {
    char* bytes = items;
    if (was == is) return;
    memmove(bytes + (size_t)(at + is) * size, bytes + (size_t)(at + was) * size,
            (size_t)(total - at - was) * size);
}

void supi_body_resize(sup_world* world, supi_body* body, const supi_share* was,
                      const supi_share* is) {
    supi_state* states[2] = {&world->now, &world->before};
    for (int i = 0; i < 2; i++) {
        supi_state* s = states[i];
        int32_t rows = world->row_count, clusters = world->cluster_count;
        resize_run(s->x, sizeof *s->x, body->row, was->rows, is->rows, rows);
        resize_run(s->v, sizeof *s->v, body->row, was->rows, is->rows, rows);
        resize_run(s->rotation, sizeof *s->rotation, body->cluster, was->clusters, is->clusters,
                   clusters);
        resize_run(s->centre, sizeof *s->centre, body->cluster, was->clusters, is->clusters,
                   clusters);
        resize_run(s->turn, sizeof *s->turn, body->turn, was->turns, is->turns, world->turn_count);
        resize_run(s->spin, sizeof *s->spin, body->turn, was->turns, is->turns, world->turn_count);
        resize_run(s->warm, sizeof *s->warm, body->warm, was->warms, is->warms, world->warm_count);
    }
    world->row_count += is->rows - was->rows;
    world->cluster_count += is->clusters - was->clusters;
    world->block_count += is->blocks - was->blocks;
    world->ask_count += is->asks - was->asks;
    world->piece_count += is->pieces - was->pieces;
    world->cell_count += is->cells - was->cells;
    world->turn_count += is->turns - was->turns;
    world->warm_count += is->warms - was->warms;
    body->piece_count = is->pieces;
    for (supi_body* later = body + 1; later < world->bodies + world->body_count; later++) {
        later->row += is->rows - was->rows;
        later->cluster += is->clusters - was->clusters;
        later->block += is->blocks - was->blocks;
        later->ask += is->asks - was->asks;
        later->piece += is->pieces - was->pieces;
        later->cell += is->cells - was->cells;
        later->turn += is->turns - was->turns;
        later->warm += is->warms - was->warms;
        later->carried = false; /* its sums lie elsewhere now */
    }
    supi_meetings_forget(world); /* rows are no longer where they say */
    world->planned = false;
}

static void remove_body(sup_world* world, supi_body* body) {
    supi_sleep_wake_around(world, body->handle, (sup_collider){0});
    supi_sleep_wake(world, body);
    supi_body gone = *body;
    supi_share share = supi_body_share(gone.blueprint), none = {0};
    supi_body_resize(world, body, &share, &none);
    int32_t index = (int32_t)(body - world->bodies);
    resize_run(world->bodies, sizeof *world->bodies, index, 1, 0, world->body_count);
    world->body_count--;
    supi_overlaps_forget(world, index, true);
    supi_pool_drop(&world->body_pool, gone.handle.slot);
    for (int32_t i = index; i < world->body_count; i++) {
        world->body_pool.slots[world->bodies[i].handle.slot].value = i;
    }
    supi_body_free(world, &gone);
}

sup_result sup_body_destroy(sup_world* world, sup_body handle) {
    SUPI_NEED(NULL, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body || body->doomed) return SUP_STALE;
    if (world->telling)
        body->doomed = true;
    else
        remove_body(world, body);
    return SUP_OK;
}

void supi_body_bury(sup_world* world) {
    for (int32_t i = world->body_count - 1; i >= 0; i--) {
        if (world->bodies[i].doomed) remove_body(world, world->bodies + i);
    }
}

bool sup_body_is_valid(const sup_world* world, sup_body body) {
    return supi_world_body(world, body) != NULL;
}

int32_t sup_world_bodies(const sup_world* world, sup_body* out, int32_t capacity) {
    for (int32_t i = 0; i < world->body_count && i < capacity; i++) {
        out[i] = world->bodies[i].handle;
    }
    return world->body_count;
}

const sup_blueprint* sup_body_blueprint(const sup_world* world, sup_body body) {
    const supi_body* found = supi_world_body(world, body);
    return found ? found->blueprint : NULL;
}

uint64_t sup_body_user(const sup_world* world, sup_body body) {
    const supi_body* found = supi_world_body(world, body);
    return found ? found->user : 0;
}

sup_result sup_body_set_filter(sup_world* world, sup_body body, sup_filter filter) {
    SUPI_NEED(NULL, world);
    supi_body* found = supi_world_body(world, body);
    if (!found) return SUP_STALE;
    found->filter = filter;
    supi_body_edited(world, found);
    return SUP_OK;
}
