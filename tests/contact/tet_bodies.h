/* Bodies of tetrahedra for tests of contact. */
#ifndef SUPPLE_TESTS_CONTACT_TET_BODIES_H
#define SUPPLE_TESTS_CONTACT_TET_BODIES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/tet_contacts.h"
#include "contact/tet_respond.h"
#include "geom/tet.h"
#include "ref/ref_random.h"
#include "ref/ref_tets.h"
#include "supple/supple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Meshes ---- */

/* The five tetrahedra of a cube; bit k of a corner is its place along axis k. Neighbouring cubes
   are mirrored, so that diagonals of sides agree and no direction is preferred: cubes of six
   tetrahedra, all cut along one diagonal, lean when they land. */
static const int32_t cube_tets[5][4] = {
    {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}};

/* Cells that are left out where `keep` says so. */
typedef bool tet_keep(int32_t i, int32_t j, int32_t k);

static inline sup_tets make_cells(int32_t nx, int32_t ny, int32_t nz, double sx, double sy,
                                  double sz, tet_keep* keep) {
    int32_t n[3] = {nx + 1, ny + 1, nz + 1}, count = n[0] * n[1] * n[2], tet_count = 0;
    sup_vec3* points = calloc((size_t)count, sizeof *points);
    int32_t* tets = calloc((size_t)(20 * nx * ny * nz), sizeof *tets);
    assert_non_null(points);
    assert_non_null(tets);
    for (int32_t p = 0; p < count; p++) {
        int32_t i = p % n[0], j = p / n[0] % n[1], k = p / n[0] / n[1];
        points[p] =
            (sup_vec3){(float)(sx * ((double)i / nx - 0.5)), (float)(sy * ((double)j / ny - 0.5)),
                       (float)(sz * ((double)k / nz - 0.5))};
    }
    for (int32_t c = 0; c < nx * ny * nz; c++) {
        int32_t i = c % nx, j = c / nx % ny, k = c / nx / ny;
        if (keep && !keep(i, j, k)) continue;
        for (int t = 0; t < 20; t++) {
            int32_t corner = cube_tets[t / 4][t % 4] ^ ((i + j + k) % 2 ? 7 : 0);
            tets[4 * tet_count + t] =
                ((k + (corner >> 2)) * n[1] + j + (corner >> 1 & 1)) * n[0] + i + (corner & 1);
        }
        tet_count += 5;
    }
    sup_tets out;
    sup_error error = {0};
    assert_int_equal(sup_tets_mend(NULL, count, points, tet_count, tets, &out, NULL, &error),
                     SUP_OK);
    free(points);
    free(tets);
    return out;
}

static inline sup_tets make_block(int32_t nx, int32_t ny, int32_t nz, double sx, double sy,
                                  double sz) {
    return make_cells(nx, ny, nz, sx, sy, sz, NULL);
}

static inline sup_tets make_ball(double radius, double cell) {
    sup_mesh surface;
    sup_tets out;
    sup_error error = {0};
    sup_tets_def def = sup_tets_default();
    def.cell = cell;
    def.method = SUP_TETS_STUFF;
    assert_int_equal(sup_mesh_icosphere(NULL, radius, 4, &surface, &error), SUP_OK);
    assert_int_equal(sup_tets_create(NULL, &surface, &def, &out, NULL, &error), SUP_OK);
    sup_mesh_free(&surface);
    return out;
}

/* As materials and sup_overlap_settings have it by default. */
static inline supi_tet_answer supi_tet_answer_default(void) {
    return (supi_tet_answer){.stiffness = 0.5f,
                             .friction_static = 0.5f,
                             .friction_kinetic = 0.4f,
                             .depart = 4,
                             .shift = 15,
                             .damping = 0.3f};
}

/* ---- Bodies ---- */

/* A form with rows of its own, and what it lies on. */
typedef struct tet_thing {
    sup_tets tets;
    sup_adjacency edges;
    supi_arena arena;
    supi_tet_form form;
    supi_tet_body body;
} tet_thing;

/* Takes the mesh. Every row gets the same inverse mass. */
static inline void thing_make(tet_thing* thing, sup_tets tets, float inverse_mass, int32_t id) {
    sup_error error = {0};
    memset(thing, 0, sizeof *thing);
    thing->tets = tets;
    assert_int_equal(
        supi_tet_adjacency(sup_allocator_default(), &thing->tets, &thing->edges, &error), SUP_OK);
    supi_arena_init(&thing->arena, sup_allocator_default());
    assert_true(supi_tet_form_make(&thing->arena, &thing->tets, &thing->edges, &thing->form));
    thing->body = (supi_tet_body){.form = &thing->form,
                                  .x = calloc((size_t)tets.point_count, sizeof(sup_row)),
                                  .v = calloc((size_t)tets.point_count, sizeof(sup_row)),
                                  .id = id,
                                  .filter = {1, 0xffffffffu}};
    for (int32_t i = 0; i < tets.point_count; i++) {
        sup_vec3 p = tets.points[i];
        thing->body.x[i] = (sup_row){p.x, p.y, p.z, inverse_mass};
    }
}

static inline void thing_free(tet_thing* thing) {
    free(thing->body.x);
    free(thing->body.v);
    supi_arena_free(&thing->arena);
    sup_adjacency_free(&thing->edges);
    sup_tets_free(&thing->tets);
}

/* Places the rest shape: turned, then shifted. */
static inline void thing_pose(tet_thing* thing, const double turn[3][3], double x, double y,
                              double z) {
    for (int32_t i = 0; i < thing->form.point_count; i++) {
        sup_vec3 p = thing->form.rest[i];
        const double at[3] = {(double)p.x, (double)p.y, (double)p.z}, shift[3] = {x, y, z};
        double out[3];
        for (int k = 0; k < 3; k++) {
            out[k] = turn ? turn[k][0] * at[0] + turn[k][1] * at[1] + turn[k][2] * at[2] : at[k];
            out[k] += shift[k];
        }
        float w = thing->body.x[i].w;
        thing->body.x[i] = (sup_row){(float)out[0], (float)out[1], (float)out[2], w};
    }
}

/* For the twin; who asks for it frees its places. */
static inline ref_tets twin_of(const tet_thing* thing) {
    const supi_tet_form* form = &thing->form;
    ref_tets out = {form->point_count, form->tet_count, form->triangle_count, NULL,
                    form->tets,        form->triangles};
    out.x = calloc((size_t)form->point_count, sizeof *out.x);
    for (int32_t i = 0; i < form->point_count; i++) {
        const sup_row* x = &thing->body.x[i];
        out.x[i][0] = (double)x->x, out.x[i][1] = (double)x->y, out.x[i][2] = (double)x->z;
    }
    return out;
}

static inline void random_rotation(uint64_t* seed, double out[3][3]) {
    double q[4], square = 0;
    for (int k = 0; k < 4; k++) q[k] = ref_random(seed), square += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(square);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(out, m, sizeof m);
}

/* ---- Searches ---- */

static inline supi_tasks* make_workers(int32_t count) {
    supi_tasks* tasks;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), count, NULL, &tasks, NULL), SUP_OK);
    return tasks;
}

static inline const supi_tet_kernels* best_kernels(void) {
    return supi_tet_kernels_find(SUP_SIMD_AUTO);
}

/* Finds all contacts of some bodies with one worker. */
static inline void find_contacts(supi_tet_contacts* all, const supi_tet_body* bodies, int32_t count,
                                 const supi_tet_rules* rules) {
    supi_tasks* tasks = make_workers(1);
    assert_int_equal(supi_tet_contacts_find(all, sup_allocator_default(), tasks, best_kernels(),
                                            bodies, count, rules),
                     SUP_OK);
    supi_tasks_destroy(tasks);
}

#endif
