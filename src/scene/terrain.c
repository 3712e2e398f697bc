/* Height fields: rows of numbers as they are, or hills made of smooth noise (value noise, Perlin
   1985) that are the same for a seed on every machine. */
#include "scene/build.h"

#include <math.h>

/* A number from 0 to 1 for a point of a lattice (splitmix64: Steele, Lea and Flood 2014). */
static double lattice(uint64_t seed, int64_t i, int64_t k) {
    uint64_t z = seed + (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)k * 0xc2b2ae3d27d4eb4fu;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

static double fade(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

static double mix(double a, double b, double u) { return a + u * (b - a); }

/* Places and lengths are limited so that x and z stay below 1e12. */
static double noise(uint64_t seed, double x, double z) {
    double floor_x = floor(x), floor_z = floor(z);
    int64_t i = (int64_t)floor_x, k = (int64_t)floor_z;
    double u = fade(x - floor_x), w = fade(z - floor_z);
    return mix(mix(lattice(seed, i, k), lattice(seed, i + 1, k), u),
               mix(lattice(seed, i, k + 1), lattice(seed, i + 1, k + 1), u), w);
}

/* Octaves of half the length and half the height each; together from 0 to `height`. */
static double hills_at(const supi_hills_draft* hills, double x, double z) {
    double sum = 0, whole = 0, part = 1, length = hills->length;
    for (int32_t o = 0; o < hills->octaves; o++, part /= 2, length /= 2) {
        sum += part * noise((uint64_t)hills->seed * 16 + (uint64_t)o, x / length, z / length);
        whole += part;
    }
    return hills->height * sum / whole;
}

void supi_terrain_count(const supi_solid_draft* shape, int32_t count[2]) {
    bool given = shape->rows.row_count > 0;
    count[0] = given ? shape->rows.column_count : shape->cells[0] + 1;
    count[1] = given ? shape->rows.row_count : shape->cells[1] + 1;
}

void supi_terrain_make(const supi_solid_draft* shape, float* heights) {
    int32_t count[2];
    supi_terrain_count(shape, count);
    for (int32_t k = 0; k < count[1]; k++) {
        for (int32_t i = 0; i < count[0]; i++) {
            int64_t at = (int64_t)k * count[0] + i;
            if (shape->rows.row_count > 0) {
                heights[at] = (float)shape->rows.values[at];
                continue;
            }
            /* from -1 to 1 across the field */
            double a = 2.0 * i / (count[0] - 1) - 1, b = 2.0 * k / (count[1] - 1) - 1;
            double y = hills_at(&shape->hills, a * shape->size[0] / 2, b * shape->size[1] / 2);
            heights[at] = (float)(y + shape->hills.rim * (a * a * a * a + b * b * b * b));
        }
    }
}
