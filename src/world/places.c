/* Reading and writing where the particles of a body are; its anchor. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "world/tear.h"

#include <math.h>

sup_result sup_body_read_particles(const sup_world* world, sup_body handle, sup_point* places,
                                   sup_vec3* velocities) {
    SUPI_NEED(NULL, world);
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

static void find_box(const sup_point* places, int32_t count, double low[3], double high[3]) {
    for (int32_t i = 0; i < count; i++) {
        const double p[3] = {places[i].x, places[i].y, places[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 || p[k] < low[k] ? p[k] : low[k];
            high[k] = i == 0 || p[k] > high[k] ? p[k] : high[k];
        }
    }
}

/* A step would take a body that is drawn out further for a blow-up. */
static sup_result check_extent(const sup_blueprint* b, const sup_point* places, sup_error* error) {
    double low[3], high[3];
    find_box(places, b->info.particle_count, low, high);
    const supi_range ranges[] = {{"extent of the places", high[0] - low[0], 0, (double)SUPI_RANGE},
                                 {"extent of the places", high[1] - low[1], 0, (double)SUPI_RANGE},
                                 {"extent of the places", high[2] - low[2], 0, (double)SUPI_RANGE}};
    return supi_check_ranges(ranges, 3, error);
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
    return places ? check_extent(b, places, error) : SUP_OK;
}

/* Anchors the body at the middle of new places, and moves its reference points along. */
static void anchor_at(sup_world* world, supi_body* body, const sup_point* places) {
    const sup_blueprint* b = body->blueprint;
    double low[3], high[3];
    find_box(places, b->info.particle_count, low, high);
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
    SUPI_NEED(error, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    const sup_blueprint* b = body->blueprint;
    sup_result result = check_written(b, places, velocities, error);
    if (result != SUP_OK) return result;
    supi_float_mode mode = supi_float_mode_enter();
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
        body->pins[i] = body->pins[b->pin_count + i] = places[b->id_of[b->pins[i]]];
    }
    supi_body_edited(world, body);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

sup_result sup_body_read_vertices(const sup_world* world, sup_body handle, const double origin[3],
                                  sup_vec3* vertices) {
    SUPI_NEED(NULL, world, vertices);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    const sup_row* rows = supi_drawn_rows(world, body);
    const int32_t* vertex_rows = supi_tear_vertex_rows(body);
    double shift[3];
    for (int k = 0; k < 3; k++) shift[k] = body->anchor[k] - (origin ? origin[k] : 0.0);
    for (int32_t i = 0; i < b->info.vertex_count; i++) {
        const sup_row* x = rows + vertex_rows[i];
        vertices[i] = (sup_vec3){(float)(shift[0] + (double)x->x), (float)(shift[1] + (double)x->y),
                                 (float)(shift[2] + (double)x->z)};
    }
    return SUP_OK;
}

sup_result sup_body_read_vertex_particles(const sup_world* world, sup_body handle, int32_t* ids) {
    SUPI_NEED(NULL, world, ids);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    if (b->skin.count > 0) return SUP_BAD_ARGUMENT;
    const int32_t* rows = supi_tear_vertex_rows(body);
    for (int32_t i = 0; i < b->info.vertex_count; i++) ids[i] = b->id_of[rows[i]];
    return SUP_OK;
}

sup_result sup_body_bounds(const sup_world* world, sup_body handle, double low[3], double high[3]) {
    SUPI_NEED(NULL, world, low, high);
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
    body->carried = body->boxed = false;
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
