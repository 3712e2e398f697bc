/* Lines, boxes, arrows and arcs, in the frame of what is drawn. */
#include "world/pen.h"

#include "base/real.h"
#include "geom/vector.h"

void supi_pen_put(supi_pen* pen, const double position[3]) {
    pen->frame = (supi_frame){{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < 3; k++) pen->frame.position[k] = position[k];
}

static sup_vec3 seen(const supi_pen* pen, const double p[3]) {
    double turned[3];
    supi_frame_turn_out(&pen->frame, p, turned);
    for (int k = 0; k < 3; k++) turned[k] += pen->frame.position[k] - pen->origin[k];
    return supi_vector_round(turned[0], turned[1], turned[2]);
}

void supi_pen_line(const supi_pen* pen, const double a[3], const double b[3]) {
    if (!pen->draw->line) return;
    pen->draw->line(pen->draw->user, seen(pen, a), seen(pen, b), pen->colour);
}

void supi_pen_sphere(const supi_pen* pen, const double centre[3], double radius) {
    if (!pen->draw->sphere) return;
    pen->draw->sphere(pen->draw->user, seen(pen, centre), (float)radius, pen->colour);
}

void supi_pen_box(const supi_pen* pen, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int side = 0; side < 4; side++) {
            double a[3], b[3];
            a[i] = b[i] = side & 1 ? high[i] : low[i];
            a[j] = b[j] = side & 2 ? high[j] : low[j];
            a[k] = low[k];
            b[k] = high[k];
            supi_pen_line(pen, a, b);
        }
    }
}

void supi_pen_arrow(const supi_pen* pen, const double a[3], const double b[3]) {
    double along[3], aside[3], left[3], right[3];
    supi_vector_subtract(b, a, along);
    /* Across the arrow and its least axis, so never nothing. */
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(along[k]) < fabs(along[least])) least = k;
    }
    const double axis[3] = {least == 0, least == 1, least == 2};
    supi_vector_cross(along, axis, aside);
    for (int k = 0; k < 3; k++) {
        left[k] = b[k] - 0.25 * along[k] + 0.125 * aside[k];
        right[k] = b[k] - 0.25 * along[k] - 0.125 * aside[k];
    }
    supi_pen_line(pen, a, b);
    supi_pen_line(pen, left, b);
    supi_pen_line(pen, right, b);
}

void supi_pen_arc(const supi_pen* pen, const double centre[3], double radius, const int axes[2],
                  int begin, int end) {
    double last[3] = {0}, next[3];
    for (int i = begin; i <= end; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SUPI_PEN_CIRCLE;
        for (int k = 0; k < 3; k++) next[k] = centre[k];
        next[axes[0]] += radius * supi_cos(angle);
        next[axes[1]] += radius * supi_sin(angle);
        if (i > begin) supi_pen_line(pen, last, next);
        for (int k = 0; k < 3; k++) last[k] = next[k];
    }
}
