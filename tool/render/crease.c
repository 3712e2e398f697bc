/* Which corners of a surface share a normal. Decided once, at rest: an edge that is sharp then
   stays sharp, and what is bent later stays smooth. */
#include "render/geometry.h"
#include "render/vec.h"

#include <stdlib.h>

#define CREASE_COSINE 0.766f /* of 40 degrees */

/* Corners 3 t + k by particle, and sets of corners that share a normal. */
typedef struct fans {
    int32_t* starts;    /* (particle_count + 1) */
    int32_t* corners;   /* (3 count) */
    int32_t* parent;    /* (3 count) */
    int32_t* particles; /* of each corner (3 count) */
    sup_vec3* facing;   /* unit normals at rest (count) */
} fans;

static int32_t root(int32_t* parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Do two corners at one particle belong to triangles with a common, smooth edge there? */
static bool joined(const fans* f, int32_t a, int32_t b) {
    const int32_t *p = f->particles + a / 3 * 3, *q = f->particles + b / 3 * 3;
    int32_t centre = f->particles[a];
    bool edge = false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) edge = edge || (p[i] == q[k] && p[i] != centre);
    }
    return edge && vec_dot(f->facing[a / 3], f->facing[b / 3]) > CREASE_COSINE;
}

static void sort_corners(fans* f, int32_t corner_count, int32_t particle_count) {
    for (int32_t i = 0; i < corner_count; i++) f->starts[f->particles[i] + 1]++;
    for (int32_t i = 0; i < particle_count; i++) f->starts[i + 1] += f->starts[i];
    for (int32_t i = corner_count; i-- > 0;) f->corners[--f->starts[f->particles[i] + 1]] = i;
    /* Each start has moved into the slot behind it. */
    for (int32_t i = 0; i < particle_count; i++) f->starts[i] = f->starts[i + 1];
    f->starts[particle_count] = corner_count;
}

static void join_corners(const fans* f, int32_t particle_count) {
    for (int32_t p = 0; p < particle_count; p++) {
        for (int32_t i = f->starts[p]; i < f->starts[p + 1]; i++) {
            for (int32_t k = f->starts[p]; k < i; k++) {
                int32_t a = f->corners[i], b = f->corners[k];
                if (!joined(f, a, b)) continue;
                /* The lower one leads: numbers depend on the mesh alone. */
                int32_t x = root(f->parent, a), y = root(f->parent, b);
                f->parent[x < y ? y : x] = x < y ? x : y;
            }
        }
    }
}

static bool fans_create(fans* f, int32_t count, int32_t particle_count) {
    size_t corners = 3 * (size_t)count;
    f->starts = calloc((size_t)particle_count + 2, sizeof *f->starts);
    f->corners = calloc(corners + 1, sizeof *f->corners);
    f->parent = calloc(corners + 1, sizeof *f->parent);
    f->particles = calloc(corners + 1, sizeof *f->particles);
    f->facing = calloc((size_t)count + 1, sizeof *f->facing);
    return f->starts && f->corners && f->parent && f->particles && f->facing;
}

static void fans_free(fans* f) {
    free(f->starts);
    free(f->corners);
    free(f->parent);
    free(f->particles);
    free(f->facing);
}

bool crease_corners(const int32_t (*triangles)[3], int32_t count, int32_t first_vertex,
                    const int32_t* particle_of, const sup_vec3* rest, int32_t particle_count,
                    int32_t (*corner_normals)[3], int32_t* normal_count) {
    fans f = {0};
    bool done = fans_create(&f, count, particle_count);
    if (done) {
        for (int32_t t = 0; t < count; t++) {
            sup_vec3 at[3];
            for (int k = 0; k < 3; k++) {
                int32_t corner = 3 * t + k;
                f.parent[corner] = corner;
                f.particles[corner] = particle_of[triangles[t][k] - first_vertex];
                at[k] = rest[f.particles[corner]];
            }
            f.facing[t] =
                vec_unit(vec_cross(vec_subtract(at[1], at[0]), vec_subtract(at[2], at[0])));
        }
        sort_corners(&f, 3 * count, particle_count);
        join_corners(&f, particle_count);
        for (int32_t i = 0; i < 3 * count; i++) {
            int32_t leader = root(f.parent, i);
            corner_normals[i / 3][i % 3] =
                leader == i ? (*normal_count)++ : corner_normals[leader / 3][leader % 3];
        }
    }
    fans_free(&f);
    return done;
}
