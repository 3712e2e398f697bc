/* See camera.h. */
#include "render/camera.h"

#include "base/real.h"
#include "geom/vector.h"
#include "render/vec.h"

#include <string.h>

#define DEGREE 0.017453292519943295
/* Share of the picture that an automatic camera leaves free at each edge. */
#define MARGIN 0.08
/* m; a box that could be seen from nearer is none: no bodies, or a point. */
#define NEAREST 1e-6

static double tangent(double angle) { return supi_sin(angle) / supi_cos(angle); }

static void turn(const camera_stand* stand, double degrees, double from[3]) {
    double sine = supi_sin(degrees * DEGREE), cosine = supi_cos(degrees * DEGREE), away[3];
    supi_vector_subtract(stand->from, stand->look_at, away);
    from[0] = stand->look_at[0] + cosine * away[0] + sine * away[2];
    from[1] = stand->from[1];
    from[2] = stand->look_at[2] - sine * away[0] + cosine * away[2];
}

static void set_unit(double v[3]) {
    double length = supi_vector_length(v);
    for (int k = 0; k < 3; k++) v[k] /= length;
}

/* Ahead, right and up, one long each. The scene refuses cameras that look straight down. */
static void axes_of(const double from[3], const double look_at[3], double axes[3][3]) {
    static const double vertical[3] = {0, 1, 0};
    supi_vector_subtract(look_at, from, axes[0]);
    set_unit(axes[0]);
    supi_vector_cross(axes[0], vertical, axes[1]);
    set_unit(axes[1]);
    supi_vector_cross(axes[1], axes[0], axes[2]);
}

/* How far behind its target a camera of these axes must stand for all corners of the box to be in
   the picture. */
static double distance_for(const double axes[3][3], const double half[3], double tan_x,
                           double tan_y) {
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = corner >> k & 1 ? half[k] : -half[k];
        double ahead = supi_vector_dot(axes[0], at);
        double x = fabs(supi_vector_dot(axes[1], at)) / tan_x - ahead;
        double y = fabs(supi_vector_dot(axes[2], at)) / tan_y - ahead;
        if (x > distance) distance = x;
        if (y > distance) distance = y;
    }
    return distance;
}

camera_stand camera_choose(const sup_scene_camera* given, const double low[3], const double high[3],
                           double aspect, bool around, int rise) {
    static const double heights[CAMERA_RISES] = {0.32, 0.807, 1.666, 3.589};
    const double aside[3] = {0.45, heights[rise], 0.85};
    camera_stand stand = {.fov = given->fov};
    memcpy(stand.from, given->from, sizeof stand.from);
    memcpy(stand.look_at, given->look_at, sizeof stand.look_at);
    if (given->given) return stand;
    double half[3], distance = 0, tan_y = (1 - 2 * MARGIN) * tangent(given->fov * DEGREE / 2);
    for (int k = 0; k < 3; k++) {
        half[k] = (high[k] - low[k]) / 2;
        stand.look_at[k] = (low[k] + high[k]) / 2;
        stand.from[k] = stand.look_at[k] + aside[k];
    }
    for (int degrees = 0; degrees < 360; degrees += 15) {
        double from[3], axes[3][3];
        turn(&stand, degrees, from);
        axes_of(from, stand.look_at, axes);
        double needed = distance_for(axes, half, tan_y * aspect, tan_y);
        if (needed > distance) distance = needed;
        if (!around) break;
    }
    double length = supi_vector_length(aside);
    if (distance < NEAREST) distance = 1;
    for (int k = 0; k < 3; k++) stand.from[k] = stand.look_at[k] + distance * aside[k] / length;
    return stand;
}

render_camera camera_at(const camera_stand* stand, double orbit, double aspect,
                        const double origin[3]) {
    double from[3], axes[3][3], relative[3];
    turn(stand, orbit, from);
    axes_of(from, stand->look_at, axes);
    supi_vector_subtract(from, origin, relative);
    double half = tangent(stand->fov * DEGREE / 2), wide = half * aspect;
    return (render_camera){
        .from = supi_vector_round(relative[0], relative[1], relative[2]),
        .ahead = supi_vector_round(axes[0][0], axes[0][1], axes[0][2]),
        .right = supi_vector_round(wide * axes[1][0], wide * axes[1][1], wide * axes[1][2]),
        .up = supi_vector_round(half * axes[2][0], half * axes[2][1], half * axes[2][2])};
}

sup_vec3 camera_ray(const render_camera* camera, float x, float y) {
    return vec_unit(vec_along(vec_along(camera->ahead, camera->right, x), camera->up, y));
}
