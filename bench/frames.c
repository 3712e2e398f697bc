#include "frames.h"

#include "supple/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Trucks: a rigid body, and four rigid wheels on hinges, which take dents ---- */

enum { WHEELS = 4 };

/* Of the model: where the wheels are. */
static const double axle_x = 1.44, wheel_y = 0.84, wheel_z = 1.13, wheel_inside = 0.64;

static int wheel_of(const sup_vec3* p) {
    double x = fabs((double)p->x) - axle_x, y = (double)p->y - wheel_y;
    if (fabs((double)p->z) < wheel_inside || x * x + y * y > 0.95 * 0.95) return WHEELS;
    return (p->x > 0.0f ? 1 : 0) + (p->z > 0.0f ? 2 : 0);
}

/* The part of all particles of a wheel, or of the body. */
static sup_result add_part(sup_rig* rig, int wheel, sup_error* error) {
    sup_rig_view view = sup_rig_get(rig);
    int32_t count = 0, *ids = calloc((size_t)view.particle_count, sizeof *ids);
    if (!ids) return SUP_NO_MEMORY;
    for (int32_t i = 0; i < view.particle_count; i++) {
        if (wheel_of(view.places + i) == wheel) ids[count++] = i;
    }
    sup_result result = sup_rig_add_part_of(rig, count, ids, NULL, error);
    free(ids);
    return result;
}

/* Two particles on the axle that wheel and body share. */
static sup_result add_hinge(sup_rig* rig, int wheel, sup_error* error) {
    sup_result result = SUP_OK;
    for (int k = 0; k < 2 && result == SUP_OK; k++) {
        const double place[3] = {wheel & 1 ? axle_x : -axle_x, wheel_y,
                                 (wheel & 2 ? 1 : -1) * (wheel_z + (k ? 0.1 : -0.5))};
        result = sup_rig_add_joint(rig, wheel, WHEELS, place, NULL, error);
    }
    return result;
}

static sup_result add_parts(sup_rig* rig, sup_error* error) {
    sup_result result = SUP_OK;
    for (int w = 0; w <= WHEELS && result == SUP_OK; w++) result = add_part(rig, w, error);
    for (int w = 0; w < WHEELS && result == SUP_OK; w++) result = add_hinge(rig, w, error);
    return result;
}

/* ---- Bodies ---- */

static sup_result fit(const bench_frames_plan* plan, sup_rig* rig, sup_error* error) {
    sup_spray_def spray = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    sup_fit_def shapes = sup_fit_default();
    sup_weigh_def weigh = sup_weigh_default();
    spray.count = plan->count;
    links.nearest = plan->nearest;
    sup_result result = sup_rig_spray(rig, &spray, NULL, error);
    links.reach = plan->reach * sup_rig_get(rig).settings.spacing;
    if (result == SUP_OK) result = sup_rig_spray_links(rig, &links, NULL, error);
    if (result == SUP_OK && plan->model != SUP_MODEL_TRUCK) {
        result = sup_rig_bridge(rig, 3, NULL, error);
    }
    if (result == SUP_OK) result = sup_rig_fit(rig, &shapes, error);
    if (result == SUP_OK) result = sup_rig_weigh(rig, &weigh, error);
    if (result == SUP_OK && plan->model == SUP_MODEL_TRUCK) result = add_parts(rig, error);
    return result;
}

static sup_result make_print(const bench_frames_plan* plan, sup_blueprint** out, sup_error* error) {
    sup_mesh mesh;
    sup_rig* rig = NULL;
    sup_blueprint_def def = sup_blueprint_default();
    sup_result result = sup_mesh_model(NULL, plan->model, plan->detail, &mesh, error);
    if (result != SUP_OK) return result;
    result = sup_rig_create(NULL, &mesh, &rig, error);
    sup_mesh_free(&mesh);
    if (result == SUP_OK) result = fit(plan, rig, error);
    if (result == SUP_OK) {
        sup_rig_fill_def(rig, &def);
        def.layout = SUP_CLUSTERS_NONE;
        def.skin = SUP_SKIN_FRAMES;
        def.parts_yield = plan->model == SUP_MODEL_TRUCK;
        result = sup_blueprint_create(&def, out, error);
    }
    sup_rig_free(rig);
    return result;
}

/* Trucks meet head on; others fall, each turned otherwise. */
static void place(const bench_frames_plan* plan, int32_t index, sup_body_def* def) {
    int32_t side = (int32_t)ceil(sqrt(plan->body_count));
    double half = 0.6 * index;
    if (plan->model == SUP_MODEL_TRUCK) {
        double way = index ? -1.0 : 1.0;
        def->position[0] = -3.2 * way;
        def->position[1] = 0.15; /* ellipsoids reach a little below the tyres */
        def->velocity[0] = 10.0 * way;
        def->frames.plastic.speed = 5.0;
        def->rotation[1] = index ? 1.0 : 0.0;
        def->rotation[3] = index ? 0.0 : 1.0;
        return;
    }
    def->position[0] = plan->apart * (double)(index % side);
    def->position[1] = 0.5 + plan->above * index;
    def->position[2] = plan->apart * (double)(index / side);
    def->rotation[1] = sin(half);
    def->rotation[3] = cos(half);
    def->angular_velocity[0] = 2.0;
}

static sup_result fill(const bench_frames_plan* plan, sup_blueprint* print, sup_world* world,
                       sup_body* first, sup_error* error) {
    sup_collider_def ground = sup_collider_default();
    sup_result result = sup_collider_create(world, &ground, NULL, error);
    for (int32_t i = 0; i < plan->body_count && result == SUP_OK; i++) {
        sup_body_def def = sup_body_default();
        def.blueprint = print;
        place(plan, i, &def);
        result = sup_body_create(world, &def, i == 0 ? first : NULL, error);
    }
    return result;
}

static void tell(sup_result result, const sup_error* error) {
    fprintf(stderr, "supple_bench: %s: %s\n", sup_result_name(result), error->text);
}

sup_blueprint* bench_frames_print(const bench_frames_plan* plan) {
    sup_error error = {0};
    sup_blueprint* print;
    sup_result result = make_print(plan, &print, &error);
    if (result == SUP_OK) return print;
    tell(result, &error);
    return NULL;
}

sup_world* bench_frames_world(const bench_frames_plan* plan, sup_blueprint* print, int32_t threads,
                              sup_body* first) {
    sup_error error = {0};
    sup_world* world;
    sup_world_def space = sup_world_default();
    space.substeps = BENCH_FRAME_SUBSTEPS;
    space.threads = threads;
    space.sleep_speed = 0.0;
    sup_result result = sup_world_create(&space, &world, &error);
    if (result == SUP_OK) {
        result = fill(plan, print, world, first, &error);
        if (result == SUP_OK) return world;
        sup_world_destroy(world);
    }
    tell(result, &error);
    return NULL;
}
