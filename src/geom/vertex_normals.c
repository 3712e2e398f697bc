#include "geom/vertex_normals.h"

#include <math.h>
#include <string.h>

/* Twice the area of a polygon, as the fan about its first corner. */
static void polygon_area(const supi_drawn_surface* s, int32_t polygon, const sup_row* places,
                         float out[3]) {
    const int32_t* c = s->corners;
    const sup_row* first = places + s->point_of[c[s->starts[polygon]]];
    out[0] = out[1] = out[2] = 0.0f;
    for (int32_t k = s->starts[polygon] + 1; k + 1 < s->starts[polygon + 1]; k++) {
        const sup_row *p = places + s->point_of[c[k]], *q = places + s->point_of[c[k + 1]];
        float a[3] = {p->x - first->x, p->y - first->y, p->z - first->z};
        float b[3] = {q->x - first->x, q->y - first->y, q->z - first->z};
        out[0] += a[1] * b[2] - a[2] * b[1];
        out[1] += a[2] * b[0] - a[0] * b[2];
        out[2] += a[0] * b[1] - a[1] * b[0];
    }
}

void supi_vertex_normals(const supi_drawn_surface* s, const sup_row* places, sup_row* out) {
    memset(out, 0, (size_t)s->count * sizeof *out);
    for (int32_t i = 0; i < s->polygon_count; i++) {
        float area[3];
        polygon_area(s, i, places, area);
        for (int32_t k = s->starts[i]; k < s->starts[i + 1]; k++) {
            sup_row* to = out + s->point_of[s->corners[k]];
            to->x += area[0];
            to->y += area[1];
            to->z += area[2];
        }
    }
    for (int32_t i = 0; i < s->count; i++) {
        double x = (double)out[i].x, y = (double)out[i].y, z = (double)out[i].z;
        double square = x * x + y * y + z * z, scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        out[i] = (sup_row){(float)(scale * x), (float)(scale * y), (float)(scale * z), 0.0f};
    }
}
