#include "solve/volumes.h"

#include "geom/vector.h"
#include "solve/cluster.h"

/* A triangle without width has no normal: below this share of its longest side squared. */
#define NARROWEST 1e-12

static void between(const sup_row* from, const sup_row* to, double out[3]) {
    out[0] = (double)to->x - (double)from->x;
    out[1] = (double)to->y - (double)from->y;
    out[2] = (double)to->z - (double)from->z;
}

/* Size and gradients of a triangle. */
static double triangle(const int32_t* rows, const sup_row* x, double g[SUPI_PATCH_CORNERS][3]) {
    double side[3][3], n[3], longest = 0.0;
    for (int c = 0; c < 3; c++) { /* opposite to corner c */
        between(x + rows[(c + 1) % 3], x + rows[(c + 2) % 3], side[c]);
        double square = supi_vector_dot(side[c], side[c]);
        longest = square > longest ? square : longest;
    }
    supi_vector_cross(side[2], side[0], n);
    double twice = supi_vector_length(n);
    bool narrow = !(twice > NARROWEST * longest);
    for (int c = 0; c < 3; c++) {
        supi_vector_cross(n, side[c], g[c]);
        for (int k = 0; k < 3; k++) g[c][k] = narrow ? 0.0 : 0.5 * g[c][k] / twice;
    }
    return 0.5 * twice;
}

static double tetrahedron(const int32_t* rows, const sup_row* x, double g[SUPI_PATCH_CORNERS][3]) {
    double edge[3][3];
    for (int c = 0; c < 3; c++) between(x + rows[0], x + rows[c + 1], edge[c]);
    for (int c = 0; c < 3; c++) {
        supi_vector_cross(edge[(c + 1) % 3], edge[(c + 2) % 3], g[c + 1]);
        for (int k = 0; k < 3; k++) g[c + 1][k] /= 6.0;
    }
    for (int k = 0; k < 3; k++) g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
    return supi_vector_dot(edge[0], g[1]);
}

static double measure(const int32_t* rows, const sup_row* x, double g[SUPI_PATCH_CORNERS][3]) {
    return rows[3] < 0 ? triangle(rows, x, g) : tetrahedron(rows, x, g);
}

double supi_volumes_size(const int32_t rows[SUPI_PATCH_CORNERS], const sup_row* x) {
    double g[SUPI_PATCH_CORNERS][3];
    return measure(rows, x, g);
}

double supi_volumes_look(const supi_volumes* v, int32_t begin, int32_t end, const sup_row* x) {
    double energy = 0.0;
    for (int32_t e = begin; e < end; e++) {
        int32_t first = SUPI_PATCH_CORNERS * e;
        double g[SUPI_PATCH_CORNERS][3] = {{0}}, stiff = (double)v->own[e].stiff;
        double c = stiff * (measure(v->patches.rows + first, x, g) - (double)v->own[e].rest);
        for (int k = 0; k < SUPI_PATCH_CORNERS; k++) {
            v->gradients[first + k] = (sup_row){(float)(stiff * g[k][0]), (float)(stiff * g[k][1]),
                                                (float)(stiff * g[k][2]), 0.0f};
        }
        v->weights[e] = (float)c;
        energy += 0.5 * c * c;
    }
    return energy;
}

double supi_volumes_weigh(const supi_volumes* v, int32_t begin, int32_t end, const sup_row* p) {
    double sum = 0.0;
    for (int32_t e = begin; e < end; e++) {
        float along = 0.0f;
        for (int32_t slot = SUPI_PATCH_CORNERS * e; slot < SUPI_PATCH_CORNERS * (e + 1); slot++) {
            int32_t row = v->patches.rows[slot];
            if (row < 0) continue;
            const sup_row* u = v->gradients + slot;
            along += u->x * p[row].x + u->y * p[row].y + u->z * p[row].z;
        }
        v->weights[e] = along;
        sum += (double)along * (double)along;
    }
    return sum;
}

void supi_volumes_add(const supi_volumes* v, int32_t begin, int32_t end, float scale, sup_row* y) {
    const supi_patches* p = &v->patches;
    for (int32_t row = begin; row < end; row++) {
        float sum[3] = {0, 0, 0};
        for (int32_t i = p->starts[row]; i < p->starts[row + 1]; i++) {
            const sup_row* u = v->gradients + p->slots[i];
            float weight = v->weights[p->slots[i] / SUPI_PATCH_CORNERS];
            sum[0] += weight * u->x;
            sum[1] += weight * u->y;
            sum[2] += weight * u->z;
        }
        y[row].x += scale * sum[0];
        y[row].y += scale * sum[1];
        y[row].z += scale * sum[2];
    }
}

void supi_volumes_diagonal(const supi_volumes* v, int32_t begin, int32_t end, float scale,
                           supi_spring_rows8* rows) {
    const supi_patches* p = &v->patches;
    for (int32_t row = begin; row < end; row++) {
        float(*block)[8] = rows[row / 8].block;
        int32_t lane = supi_lane_order(row & 7);
        for (int32_t i = p->starts[row]; i < p->starts[row + 1]; i++) {
            const sup_row* u = v->gradients + p->slots[i];
            block[0][lane] += scale * u->x * u->x;
            block[1][lane] += scale * u->y * u->y;
            block[2][lane] += scale * u->z * u->z;
            block[3][lane] += scale * u->y * u->z;
            block[4][lane] += scale * u->z * u->x;
            block[5][lane] += scale * u->x * u->y;
        }
    }
}
