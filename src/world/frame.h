/* The frame of a collider as it is between steps. */
#ifndef SUPPLE_WORLD_FRAME_H
#define SUPPLE_WORLD_FRAME_H

#include "geom/quaternion.h"
#include "world/world.h"

typedef struct supi_frame {
    double position[3]; /* m, world */
    double axes[9];     /* row-major; its columns are the turned axes */
} supi_frame;

static inline supi_frame supi_frame_of(const supi_collider* collider) {
    supi_frame frame;
    for (int k = 0; k < 3; k++) frame.position[k] = collider->from_position[k];
    supi_quaternion_matrix(collider->from_rotation, frame.axes);
    return frame;
}

/* A direction of the frame as the world sees it. */
static inline void supi_frame_turn_out(const supi_frame* frame, const double v[3], double out[3]) {
    const double* m = frame->axes;
    for (int k = 0; k < 3; k++) {
        out[k] = m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2];
    }
}

/* A direction of the world as the frame sees it. */
static inline void supi_frame_turn_in(const supi_frame* frame, const double v[3], double out[3]) {
    const double* m = frame->axes;
    for (int k = 0; k < 3; k++) out[k] = m[k] * v[0] + m[3 + k] * v[1] + m[6 + k] * v[2];
}

/* A place in the frame as a place in the world. */
static inline void supi_frame_out(const supi_frame* frame, const double p[3], double out[3]) {
    supi_frame_turn_out(frame, p, out);
    for (int k = 0; k < 3; k++) out[k] += frame->position[k];
}

/* A place in the world as a place in the frame. */
static inline void supi_frame_in(const supi_frame* frame, const double p[3], double out[3]) {
    double away[3];
    for (int k = 0; k < 3; k++) away[k] = p[k] - frame->position[k];
    supi_frame_turn_in(frame, away, out);
}

#endif
