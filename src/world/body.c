/* Bodies: coming, going, reading and writing. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/quaternion.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

sup_body_def sup_body_default(void) {
    return (sup_body_def){
        .size = sizeof(sup_body_def),
        .rotation = {0, 0, 0, 1},
        .gravity_scale = 1.0,
        .material =
            {
                .stiffness = 120.0,
                .damping = 0.3,
                .raw_damping = -1.0,
                .friction_static = 0.5,
                .friction_kinetic = 0.4,
            },
    };
}

supi_body* supi_world_body(const sup_world* world, sup_body handle) {
    int32_t index = supi_pool_find(&world->body_pool, handle.slot, handle.age);
    return index < 0 ? NULL : world->bodies + index;
}

static sup_result check_material(const sup_material* m, sup_error* error) {
    if (m->scheme < SUP_SCHEME_D || m->scheme > SUP_SCHEME_P || m->rule < SUP_STIFFNESS_AUTO ||
        m->rule > SUP_STIFFNESS_RIGID) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown scheme or stiffness rule");
    }
    if (m->rule == SUP_STIFFNESS_RIGID && m->scheme != SUP_SCHEME_D) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a rigid body needs scheme D");
    }
    bool raw = m->rule == SUP_STIFFNESS_RAW;
    const supi_range ranges[] = {
        {"stiffness", m->stiffness, 0, raw ? 1 : 1e5},
        {"damping", m->damping, 0, 1},
        {"raw_damping", m->raw_damping, -1e9, 1},
        {"friction_static", m->friction_static, 0, 2},
        {"friction_kinetic", m->friction_kinetic, 0, m->friction_static},
        {"restitution", m->restitution, 0, 1},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
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
    return check_material(&def->material, error);
}

/* Columns may have moved: take their arrays anew. */
static void bind_columns(sup_world* w) {
    supi_state* states[2] = {&w->now, &w->before};
    for (int i = 0; i < 2; i++) {
        states[i]->x = states[i]->x_column.items;
        states[i]->v = states[i]->v_column.items;
        states[i]->rotation = states[i]->rotation_column.items;
        states[i]->centre = states[i]->centre_column.items;
    }
    w->goals = w->goal_column.items;
    w->sums = w->sum_column.items;
    w->asked = w->ask_column.items;
    w->boxes = w->box_column.items;
    w->runs = w->run_column.items;
    w->works = w->work_column.items;
    w->events = w->event_column.items;
    w->bodies = w->body_column.items;
}

/* Room in every column for one more body of this blueprint. Columns that grew stay grown: that
 * changes nothing. */
static bool reserve(sup_world* w, const sup_blueprint* b, int32_t piece_count) {
    int64_t rows = (int64_t)w->row_count + b->row_count;
    int64_t clusters = (int64_t)w->cluster_count + b->cluster_count;
    int64_t bodies = (int64_t)w->body_count + 1;
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
        {&w->goal_column, clusters, sizeof *w->goals},
        {&w->sum_column, (int64_t)w->block_count + b->block_count, sizeof *w->sums},
        {&w->ask_column, (int64_t)w->ask_count + (b->single ? 0 : b->member_count),
         sizeof *w->asked},
        {&w->box_column, (int64_t)w->piece_count + piece_count, sizeof *w->boxes},
        {&w->run_column, bodies, sizeof *w->runs},
        {&w->work_column, bodies, sizeof *w->works},
        {&w->event_column, 2 * bodies, sizeof *w->events},
        {&w->body_column, bodies, sizeof *w->bodies},
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

static void turn(const double r[9], const double p[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2];
}

static double unit_above(double size) {
    double unit = 1.0 / 1024.0;
    while (unit < size) unit *= 2.0;
    return unit;
}

/* Writes rows and clusters of a new body into `state`. */
static void place(const sup_body_def* def, supi_body* body, supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    double r[9], centre[3];
    supi_quaternion_matrix(def->rotation, r);
    turn(r, b->info.centre, centre);
    for (int32_t row = 0; row < b->row_count; row++) {
        bool real = row < b->info.particle_count;
        double rest[3], p[3], arm[3], u[3];
        for (int k = 0; k < 3; k++) rest[k] = b->info.centre[k];
        if (real) {
            rest[0] = (double)b->rest[row].x;
            rest[1] = (double)b->rest[row].y;
            rest[2] = (double)b->rest[row].z;
        }
        turn(r, rest, p);
        const double* w = def->angular_velocity;
        for (int k = 0; k < 3; k++) arm[k] = p[k] - centre[k];
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            u[k] = def->velocity[k] + w[i] * arm[j] - w[j] * arm[i];
            p[k] = (def->position[k] - body->anchor[k]) + p[k];
        }
        state->x[body->row + row] =
            (sup_row){(float)p[0], (float)p[1], (float)p[2], real ? b->inverse_mass[row] : 0.0f};
        state->v[body->row + row] =
            (sup_row){(float)u[0], (float)u[1], (float)u[2], real ? b->radius[row] : 0.0f};
    }
    double q[4], length = 0.0;
    for (int k = 0; k < 4; k++) length += def->rotation[k] * def->rotation[k];
    for (int k = 0; k < 4; k++) q[k] = def->rotation[k] / sqrt(length);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        double p[3];
        turn(r, b->centres + 3 * c, p);
        for (int k = 0; k < 3; k++) p[k] += def->position[k] - body->anchor[k];
        state->centre[body->cluster + c] = (sup_row){(float)p[0], (float)p[1], (float)p[2], 0.0f};
        state->rotation[body->cluster + c] =
            (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    }
}

/* Pinned particles stay where they are put, and do not move. */
static void place_pins(const sup_body_def* def, supi_body* body, supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    double r[9];
    supi_quaternion_matrix(def->rotation, r);
    for (int32_t i = 0; i < b->pin_count; i++) {
        const sup_vec3* at = b->rest + b->pins[i];
        double rest[3] = {(double)at->x, (double)at->y, (double)at->z}, p[3];
        turn(r, rest, p);
        body->pins[i] =
            (sup_point){def->position[0] + p[0], def->position[1] + p[1], def->position[2] + p[2]};
        sup_row* v = state->v + body->row + b->pins[i];
        *v = (sup_row){0.0f, 0.0f, 0.0f, v->w};
    }
}

/* Copies one body's share of a state to another. */
static void copy_state(const supi_body* body, const supi_state* from, supi_state* to) {
    size_t rows = (size_t)body->blueprint->row_count;
    size_t clusters = (size_t)body->blueprint->cluster_count;
    memcpy(to->x + body->row, from->x + body->row, rows * sizeof *to->x);
    memcpy(to->v + body->row, from->v + body->row, rows * sizeof *to->v);
    memcpy(to->rotation + body->cluster, from->rotation + body->cluster,
           clusters * sizeof *to->rotation);
    memcpy(to->centre + body->cluster, from->centre + body->cluster, clusters * sizeof *to->centre);
}

/* Takes the run of rows, clusters and the rest behind all others; room is reserved. */
static supi_body* append_body(sup_world* world, const sup_body_def* def, sup_body handle,
                              sup_point* pins, int32_t pieces) {
    sup_blueprint* b = def->blueprint;
    supi_body* body = world->bodies + world->body_count++;
    *body = (supi_body){
        .blueprint = b,
        .handle = handle,
        .user = def->user,
        .material = def->material,
        .gravity_scale = def->gravity_scale,
        .unit = unit_above(b->info.size),
        .pins = pins,
        .row = world->row_count,
        .cluster = world->cluster_count,
        .block = world->block_count,
        .ask = world->ask_count,
        .piece = world->piece_count,
        .piece_count = pieces,
    };
    supi_blueprint_retain(b);
    world->row_count += b->row_count;
    world->cluster_count += b->cluster_count;
    world->block_count += b->block_count;
    world->ask_count += b->single ? 0 : b->member_count;
    world->piece_count += pieces;
    return body;
}

/* Anchor, rows and clusters of a new body, in both states. */
static void settle_body(sup_world* world, const sup_body_def* def, supi_body* body) {
    double r[9], centre[3];
    supi_quaternion_matrix(def->rotation, r);
    turn(r, body->blueprint->info.centre, centre);
    for (int k = 0; k < 3; k++) {
        body->anchor[k] = floor((def->position[k] + centre[k]) / body->unit + 0.5) * body->unit;
    }
    place(def, body, &world->now);
    place_pins(def, body, &world->now);
    copy_state(body, &world->now, &world->before);
}

sup_result sup_body_create(sup_world* world, const sup_body_def* def, sup_body* out,
                           sup_error* error) {
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    const sup_blueprint* b = def->blueprint;
    int32_t pieces = b->single
                         ? b->block_count
                         : (b->info.particle_count + SUPI_BLOCK_MEMBERS - 1) / SUPI_BLOCK_MEMBERS;
    sup_point* pins = NULL;
    if (!reserve(world, b, pieces)) return supi_error_memory(error);
    if (b->pin_count > 0) {
        pins = supi_memory_new(world->allocator, (size_t)b->pin_count, sizeof *pins);
        if (!pins) return supi_error_memory(error);
    }
    sup_body handle;
    if (!supi_pool_take(&world->body_pool, world->allocator, world->body_count, &handle.slot,
                        &handle.age)) {
        supi_memory_free(world->allocator, pins, (size_t)b->pin_count, sizeof *pins);
        return supi_error_memory(error);
    }
    supi_float_mode mode = supi_float_mode_enter();
    settle_body(world, def, append_body(world, def, handle, pins, pieces));
    supi_float_mode_leave(mode);
    world->planned = false;
    if (out) *out = handle;
    return SUP_OK;
}

/* Closes the gap that a body leaves in an array of items. */
static void close_gap(void* items, size_t size, int32_t at, int32_t count, int32_t total) {
    char* bytes = items;
    memmove(bytes + (size_t)at * size, bytes + (size_t)(at + count) * size,
            (size_t)(total - at - count) * size);
}

sup_result sup_body_destroy(sup_world* world, sup_body handle) {
    supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_body gone = *body;
    const sup_blueprint* b = gone.blueprint;
    supi_state* states[2] = {&world->now, &world->before};
    for (int i = 0; i < 2; i++) {
        supi_state* s = states[i];
        close_gap(s->x, sizeof *s->x, gone.row, b->row_count, world->row_count);
        close_gap(s->v, sizeof *s->v, gone.row, b->row_count, world->row_count);
        close_gap(s->rotation, sizeof *s->rotation, gone.cluster, b->cluster_count,
                  world->cluster_count);
        close_gap(s->centre, sizeof *s->centre, gone.cluster, b->cluster_count,
                  world->cluster_count);
    }
    int32_t index = (int32_t)(body - world->bodies), asks = b->single ? 0 : b->member_count;
    close_gap(world->bodies, sizeof *world->bodies, index, 1, world->body_count);
    world->body_count--;
    world->row_count -= b->row_count;
    world->cluster_count -= b->cluster_count;
    world->block_count -= b->block_count;
    world->ask_count -= asks;
    world->piece_count -= gone.piece_count;
    supi_pool_drop(&world->body_pool, handle.slot);
    for (int32_t i = index; i < world->body_count; i++) {
        supi_body* later = world->bodies + i;
        later->row -= b->row_count;
        later->cluster -= b->cluster_count;
        later->block -= b->block_count;
        later->ask -= asks;
        later->piece -= gone.piece_count;
        later->carried = false;
        world->body_pool.slots[later->handle.slot].value = i;
    }
    supi_memory_free(world->allocator, gone.pins, (size_t)b->pin_count, sizeof *gone.pins);
    sup_blueprint_release(gone.blueprint);
    supi_contacts_clear(&world->contacts); /* its rows are no longer theirs */
    world->planned = false;
    return SUP_OK;
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

sup_result sup_body_set_material(sup_world* world, sup_body body, const sup_material* material,
                                 sup_error* error) {
    supi_body* found = supi_world_body(world, body);
    if (!found) return supi_error_set(error, SUP_STALE, "the body is gone");
    sup_result result = check_material(material, error);
    if (result != SUP_OK) return result;
    found->material = *material;
    found->prepared_h = 0.0;
    return SUP_OK;
}

sup_result sup_body_read_particles(const sup_world* world, sup_body handle, sup_point* places,
                                   sup_vec3* velocities) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        const sup_row* x = world->now.x + body->row + b->row_of[id];
        const sup_row* v = world->now.v + body->row + b->row_of[id];
        if (places) {
            places[id] = (sup_point){body->anchor[0] + (double)x->x, body->anchor[1] + (double)x->y,
                                     body->anchor[2] + (double)x->z};
        }
        if (velocities) velocities[id] = (sup_vec3){v->x, v->y, v->z};
    }
    return SUP_OK;
}

static sup_result check_written(const sup_blueprint* b, const sup_point* places,
                                const sup_vec3* velocities, sup_error* error) {
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        if (places) {
            const supi_range ranges[] = {{"places", places[id].x, -1e12, 1e12},
                                         {"places", places[id].y, -1e12, 1e12},
                                         {"places", places[id].z, -1e12, 1e12}};
            sup_result result = supi_check_ranges(ranges, 3, error);
            if (result != SUP_OK) return result;
        }
        if (velocities) {
            const supi_range ranges[] = {{"velocities", (double)velocities[id].x, -1e6, 1e6},
                                         {"velocities", (double)velocities[id].y, -1e6, 1e6},
                                         {"velocities", (double)velocities[id].z, -1e6, 1e6}};
            sup_result result = supi_check_ranges(ranges, 3, error);
            if (result != SUP_OK) return result;
        }
    }
    return SUP_OK;
}

/* Anchors the body at the middle of new places, and moves its reference points along. */
static void anchor_at(sup_world* world, supi_body* body, const sup_point* places) {
    const sup_blueprint* b = body->blueprint;
    double low[3] = {places[0].x, places[0].y, places[0].z}, high[3] = {low[0], low[1], low[2]};
    for (int32_t id = 1; id < b->info.particle_count; id++) {
        double p[3] = {places[id].x, places[id].y, places[id].z};
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * (low[k] + high[k]);
        if (fabs(middle - body->anchor[k]) <= 16.0 * body->unit) continue;
        body->anchor[k] = floor(middle / body->unit + 0.5) * body->unit;
    }
    for (int32_t c = 0; c < b->cluster_count; c++) {
        world->now.centre[body->cluster + c] =
            (sup_row){(float)(0.5 * (low[0] + high[0]) - body->anchor[0]),
                      (float)(0.5 * (low[1] + high[1]) - body->anchor[1]),
                      (float)(0.5 * (low[2] + high[2]) - body->anchor[2]), 0.0f};
    }
}

sup_result sup_body_write_particles(sup_world* world, sup_body handle, const sup_point* places,
                                    const sup_vec3* velocities, sup_error* error) {
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    const sup_blueprint* b = body->blueprint;
    sup_result result = check_written(b, places, velocities, error);
    if (result != SUP_OK) return result;
    if (places) anchor_at(world, body, places);
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        sup_row* x = world->now.x + body->row + b->row_of[id];
        sup_row* v = world->now.v + body->row + b->row_of[id];
        if (places) {
            *x = (sup_row){(float)(places[id].x - body->anchor[0]),
                           (float)(places[id].y - body->anchor[1]),
                           (float)(places[id].z - body->anchor[2]), x->w};
        }
        if (velocities) *v = (sup_row){velocities[id].x, velocities[id].y, velocities[id].z, v->w};
    }
    for (int32_t row = b->info.particle_count; places && row < b->row_count; row++) {
        world->now.x[body->row + row] = world->now.centre[body->cluster];
    }
    for (int32_t i = 0; places && i < b->pin_count; i++) {
        body->pins[i] = places[b->id_of[b->pins[i]]];
    }
    copy_state(body, &world->now, &world->before);
    body->carried = false;
    supi_contacts_clear(&world->contacts); /* its rows have moved */
    return SUP_OK;
}

sup_result sup_body_read_vertices(const sup_world* world, sup_body handle, const double origin[3],
                                  sup_vec3* vertices) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    double shift[3];
    for (int k = 0; k < 3; k++) shift[k] = body->anchor[k] - (origin ? origin[k] : 0.0);
    for (int32_t i = 0; i < b->info.vertex_count; i++) {
        const sup_row* x = world->now.x + body->row + b->vertex_rows[i];
        vertices[i] = (sup_vec3){(float)(shift[0] + (double)x->x), (float)(shift[1] + (double)x->y),
                                 (float)(shift[2] + (double)x->z)};
    }
    return SUP_OK;
}

sup_result sup_body_bounds(const sup_world* world, sup_body handle, double low[3], double high[3]) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_extent box;
    world->kernels->inspect(world->now.x + body->row, 0, body->blueprint->info.particle_count,
                            &box);
    for (int k = 0; k < 3; k++) {
        low[k] = body->anchor[k] + (double)box.low[k];
        high[k] = body->anchor[k] + (double)box.high[k];
    }
    return SUP_OK;
}

void supi_body_anchor(sup_world* world, supi_body* body) {
    double shift[3];
    bool far = false;
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * ((double)body->box.low[k] + (double)body->box.high[k]);
        bool beyond = fabs(middle) > 16.0 * body->unit;
        shift[k] = beyond ? floor(middle / body->unit + 0.5) * body->unit : 0.0;
        far = far || beyond;
    }
    if (!far) return;
    body->carried = false;
    for (int k = 0; k < 3; k++) body->anchor[k] += shift[k];
    float s[3] = {(float)shift[0], (float)shift[1], (float)shift[2]};
    supi_contacts_shift(&world->contacts, (int32_t)(body - world->bodies), s);
    supi_state* states[2] = {&world->now, &world->before};
    for (int i = 0; i < 2; i++) {
        for (int32_t r = 0; r < body->blueprint->row_count; r++) {
            sup_row* x = states[i]->x + body->row + r;
            *x = (sup_row){x->x - s[0], x->y - s[1], x->z - s[2], x->w};
        }
        for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
            sup_row* x = states[i]->centre + body->cluster + c;
            *x = (sup_row){x->x - s[0], x->y - s[1], x->z - s[2], x->w};
        }
    }
}
