/* Driving: everything with a motion goes to where it is at a frame. */
#include "base/check.h"
#include "base/float_mode.h"
#include "geom/quaternion.h"
#include "scene/build.h"
#include "scene/scene.h"

#include <string.h>

static sup_result drive_collider(sup_scene* scene, const supi_driven* driven, double time,
                                 sup_error* error) {
    double place[3], degrees[3], rotation[4];
    memcpy(place, driven->position, sizeof place);
    memcpy(degrees, driven->rotation, sizeof degrees);
    supi_motion_at(&driven->motion, time, place, degrees);
    supi_turn_from_degrees(degrees, rotation);
    return sup_collider_move(scene->world, scene->colliders[driven->index].handle, place, rotation,
                             error);
}

static double clip_time(const supi_driven_points* points, double time) {
    const sup_clip* clip = points->clip;
    double begin = clip->times[0], end = clip->times[clip->frame_count - 1];
    double t = supi_motion_wrap(begin, end, points->loop, time);
    t = t < begin ? begin : t;
    return t > end ? end : t;
}

static sup_result drive_points(sup_scene* scene, const supi_driven* driven, double time,
                               sup_error* error) {
    const supi_driven_points* points = &driven->points;
    if (!points->clip) return SUP_OK;
    sup_clip_sample(points->clip, clip_time(points, time), points->places);
    return sup_collider_move_points(scene->world, scene->colliders[driven->index].handle,
                                    points->places, error);
}

static sup_result drive_point(sup_scene* scene, const supi_driven* driven, double time,
                              sup_error* error) {
    double place[3], none[3];
    memcpy(place, driven->position, sizeof place);
    supi_motion_at(&driven->motion, time, place, none);
    return sup_attachment_move(scene->world, scene->attachments[driven->index].handle, place,
                               error);
}

/* A pin at a time: turned about the centre of its group, and moved along. */
static sup_point pin_at(const sup_point* start, const supi_pin_group* group, double time) {
    double offset[3] = {0, 0, 0}, degrees[3] = {0, 0, 0}, rotation[4], m[9];
    supi_motion_at(&group->motion, time, offset, degrees);
    supi_turn_from_degrees(degrees, rotation);
    supi_quaternion_matrix(rotation, m);
    const double* c = group->centre;
    double x = start->x - c[0], y = start->y - c[1], z = start->z - c[2];
    return (sup_point){c[0] + (m[0] * x + m[1] * y + m[2] * z) + offset[0],
                       c[1] + (m[3] * x + m[4] * y + m[5] * z) + offset[1],
                       c[2] + (m[6] * x + m[7] * y + m[8] * z) + offset[2]};
}

/* And how it is turned then. */
static sup_quat turn_at(const supi_driven_pins* pins, int32_t group, double time) {
    double offset[3] = {0, 0, 0}, degrees[3] = {0, 0, 0}, rotation[4], q[4];
    if (group >= 0) supi_motion_at(&pins->movers[group].motion, time, offset, degrees);
    supi_turn_from_degrees(degrees, rotation);
    supi_quaternion_product(rotation, pins->turn, q);
    return (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

static void pins_at(const supi_driven_pins* pins, double time, sup_point* places) {
    for (int32_t i = 0; i < pins->count; i++) {
        int32_t group = pins->groups[i];
        places[i] =
            group < 0 ? pins->start[i] : pin_at(&pins->start[i], &pins->movers[group], time);
    }
}

static sup_result drive_pins(sup_scene* scene, const supi_driven* driven, double time,
                             sup_error* error) {
    const supi_driven_pins* pins = &driven->pins;
    sup_body body = scene->bodies[driven->index];
    pins_at(pins, time, pins->places);
    sup_result result = sup_body_move_pins(scene->world, body, pins->places, error);
    if (result != SUP_OK || !pins->turns) return result;
    for (int32_t i = 0; i < pins->count; i++) {
        pins->turns[i] = turn_at(pins, pins->groups[i], time);
    }
    return sup_body_turn_pins(scene->world, body, pins->turns, error);
}

static sup_result drive(sup_scene* scene, int32_t frame, sup_error* error) {
    double time = frame / scene->info.fps;
    for (const supi_driven* driven = scene->driven; driven; driven = driven->next) {
        sup_result result = SUP_OK;
        switch (driven->kind) {
        case SUPI_DRIVEN_COLLIDER:
            result = drive_collider(scene, driven, time, error);
            if (result == SUP_OK) result = drive_points(scene, driven, time, error);
            break;
        case SUPI_DRIVEN_PINS: result = drive_pins(scene, driven, time, error); break;
        case SUPI_DRIVEN_POINT: result = drive_point(scene, driven, time, error); break;
        }
        if (result != SUP_OK && result != SUP_STALE) return result;
    }
    return SUP_OK;
}

sup_result sup_scene_drive(sup_scene* scene, int32_t frame, sup_error* error) {
    SUPI_NEED(error, scene);
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = drive(scene, frame, error);
    supi_float_mode_leave(mode);
    return result;
}
