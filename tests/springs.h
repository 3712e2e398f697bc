/* Nets of springs for tests, made without a blueprint: from a list of springs, and square cloth. */
#ifndef SUPPLE_TESTS_SPRINGS_H
#define SUPPLE_TESTS_SPRINGS_H

#include "solve/cluster.h"
#include "solve/spring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are the particles in their order, then padding. */
typedef struct spring_body {
    supi_spring_net net;
    int32_t count;                     /* particles */
    sup_spring* springs;               /* with lengths and damping filled in */
    sup_row *x, *v, *f;                /* places as at rest, velocities 0, forces 0 (row_count) */
    int32_t *columns, *other, *spring; /* those of the net, to write to */
    float *length, *stiffness, *damping;
    sup_vec3* rest;
} spring_body;

/* Zeroed, never NULL. */
static inline void* spring_body_new(size_t count, size_t size) {
    void* block = aligned_alloc(64, (count * size + 64) & ~(size_t)63);
    if (!block) abort();
    return memset(block, 0, count * size);
}

static inline sup_spring spring_filled(sup_spring s, const sup_vec3* points, const float* w,
                                       double zeta) {
    const sup_vec3 *a = points + s.a, *b = points + s.b;
    double d[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                   (double)b->z - (double)a->z};
    double both = (double)w[s.a] + (double)w[s.b];
    if (s.length < 0.0f) s.length = (float)sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (s.damping < 0.0f) {
        s.damping = both > 0.0 ? (float)(2.0 * zeta * sqrt((double)s.stiffness / both)) : 0.0f;
    }
    return s;
}

/* Columns of the slices: as many as the busiest row of each has springs. */
static inline void spring_body_columns(spring_body* body, int32_t spring_count) {
    int32_t slices = body->net.row_count / 8;
    int32_t* degree = spring_body_new((size_t)body->net.row_count, sizeof *degree);
    for (int32_t s = 0; s < spring_count; s++) {
        degree[body->springs[s].a]++;
        degree[body->springs[s].b]++;
    }
    body->columns = spring_body_new((size_t)slices + 1, sizeof *body->columns);
    for (int32_t slice = 0; slice < slices; slice++) {
        int32_t most = 0;
        for (int32_t i = 8 * slice; i < 8 * slice + 8; i++)
            most = degree[i] > most ? degree[i] : most;
        body->columns[slice + 1] = body->columns[slice] + most;
    }
    free(degree);
}

static inline void spring_body_side(spring_body* body, int32_t column, int32_t row, int32_t other,
                                    int32_t s) {
    const sup_spring* spring = body->springs + s;
    int32_t side = 8 * column + (row & 7), lane = 8 * column + supi_lane_order(row & 7);
    body->other[side] = other;
    body->spring[side] = s;
    body->length[lane] = spring->slack ? -spring->length : spring->length;
    body->stiffness[lane] = spring->stiffness;
    body->damping[lane] = spring->damping;
}

/* `w` are inverse masses, `zeta` is for springs that leave their damping to a ratio. */
static inline spring_body spring_body_make(const sup_vec3* points, const float* w, int32_t count,
                                           const sup_spring* springs, int32_t spring_count,
                                           double zeta) {
    spring_body body = {.count = count};
    int32_t rows = (count + 7) & ~7;
    body.net.row_count = rows;
    body.net.spring_count = spring_count;
    body.springs = spring_body_new((size_t)spring_count, sizeof *springs);
    double lengths = 0.0;
    body.net.plain = true;
    for (int32_t s = 0; s < spring_count; s++) {
        sup_spring* own = body.springs + s;
        *own = spring_filled(springs[s], points, w, zeta);
        lengths += (double)own->length;
        if (own->length > body.net.longest) body.net.longest = own->length;
        if (own->slack || !(own->length > 0.0f)) body.net.plain = false;
    }
    body.net.mean_length = spring_count > 0 ? (float)(lengths / spring_count) : 0.0f;
    spring_body_columns(&body, spring_count);
    body.net.column_count = body.columns[rows / 8];
    size_t sides = 8 * (size_t)body.net.column_count;
    body.other = spring_body_new(sides, sizeof *body.other);
    body.spring = spring_body_new(sides, sizeof *body.spring);
    body.length = spring_body_new(sides, sizeof *body.length);
    body.stiffness = spring_body_new(sides, sizeof *body.stiffness);
    body.damping = spring_body_new(sides, sizeof *body.damping);
    body.rest = spring_body_new((size_t)rows, sizeof *body.rest);
    body.x = spring_body_new((size_t)rows, sizeof *body.x);
    body.v = spring_body_new((size_t)rows, sizeof *body.v);
    body.f = spring_body_new((size_t)rows, sizeof *body.f);
    for (int32_t i = 0; i < count; i++) {
        body.rest[i] = points[i];
        body.x[i] = (sup_row){points[i].x, points[i].y, points[i].z, w[i]};
    }
    for (int32_t slice = 0; slice < rows / 8; slice++) {
        for (int32_t side = 8 * body.columns[slice]; side < 8 * body.columns[slice + 1]; side++) {
            body.other[side] = 8 * slice + (side & 7);
            body.spring[side] = -1;
        }
    }
    int32_t* filled = spring_body_new((size_t)rows, sizeof *filled);
    for (int32_t s = 0; s < spring_count; s++) {
        int32_t a = springs[s].a, b = springs[s].b;
        spring_body_side(&body, body.columns[a / 8] + filled[a]++, a, b, s);
        spring_body_side(&body, body.columns[b / 8] + filled[b]++, b, a, s);
    }
    free(filled);
    body.net.columns = body.columns;
    body.net.other = body.other;
    body.net.spring = body.spring;
    body.net.length = body.length;
    body.net.stiffness = body.stiffness;
    body.net.damping = body.damping;
    body.net.rest = body.rest;
    return body;
}

static inline void spring_body_free(spring_body* body) {
    void* blocks[] = {body->springs, body->x,         body->v,      body->f,
                      body->columns, body->other,     body->spring, body->length,
                      body->rest,    body->stiffness, body->damping};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    memset(body, 0, sizeof *body);
}

/* Square cloth. Every particle and every spring of a kind is like the others. */
typedef struct spring_cloth {
    int32_t nx, ny;
    double spacing, mass;        /* m, kg of a particle */
    double stretch, shear, bend; /* N/m; 0: no such springs */
    double damping;              /* N s/m */
    bool hung;                   /* by the corners 0 and nx - 1, which are pinned */
} spring_cloth;

static inline int32_t spring_cloth_add(const spring_cloth* cloth, sup_spring* springs,
                                       int32_t count, sup_spring_kind kind, int32_t dx, int32_t dy,
                                       double stiffness) {
    for (int32_t y = 0; y < cloth->ny; y++) {
        for (int32_t x = 0; x < cloth->nx; x++) {
            if (x + dx < 0 || x + dx >= cloth->nx || y + dy >= cloth->ny) continue;
            int32_t a = y * cloth->nx + x, b = (y + dy) * cloth->nx + x + dx;
            springs[count++] = (sup_spring){
                a, b, -1.0f, (float)stiffness, (float)cloth->damping, (uint8_t)kind, false};
        }
    }
    return count;
}

/* Flat in the plane of x and y; particle y nx + x. */
static inline spring_body spring_body_cloth(const spring_cloth* cloth) {
    int32_t nx = cloth->nx, count = nx * cloth->ny, spring_count = 0;
    sup_vec3* points = spring_body_new((size_t)count, sizeof *points);
    float* w = spring_body_new((size_t)count, sizeof *w);
    sup_spring* springs = spring_body_new(6 * (size_t)count, sizeof *springs);
    for (int32_t i = 0; i < count; i++) {
        points[i] =
            (sup_vec3){(float)(i % nx * cloth->spacing), (float)(i / nx * cloth->spacing), 0};
        w[i] = cloth->hung && (i == 0 || i == nx - 1) ? 0.0f : (float)(1.0 / cloth->mass);
    }
    const struct {
        sup_spring_kind kind;
        int32_t dx, dy;
        double stiffness;
    } families[6] = {
        {SUP_SPRING_STRUCT, 1, 0, cloth->stretch}, {SUP_SPRING_STRUCT, 0, 1, cloth->stretch},
        {SUP_SPRING_SHEAR, 1, 1, cloth->shear},    {SUP_SPRING_SHEAR, -1, 1, cloth->shear},
        {SUP_SPRING_BEND, 2, 0, cloth->bend},      {SUP_SPRING_BEND, 0, 2, cloth->bend}};
    for (int k = 0; k < 6; k++) {
        if (!(families[k].stiffness > 0.0)) continue;
        spring_count = spring_cloth_add(cloth, springs, spring_count, families[k].kind,
                                        families[k].dx, families[k].dy, families[k].stiffness);
    }
    spring_body body = spring_body_make(points, w, count, springs, spring_count, 0.0);
    free(points);
    free(w);
    free(springs);
    return body;
}

/* The largest |l / L - 1| of all springs. */
static inline double spring_body_strain(const spring_body* body) {
    double most = 0.0;
    for (int32_t s = 0; s < body->net.spring_count; s++) {
        const sup_row *a = body->x + body->springs[s].a, *b = body->x + body->springs[s].b;
        double d[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                       (double)b->z - (double)a->z};
        double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        most = fmax(most, fabs(l / (double)body->springs[s].length - 1.0));
    }
    return most;
}

#endif
