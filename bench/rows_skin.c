/* Rows about skins: reading the drawn vertices of a fine ball on a coarse body, over and over. */
#include "bench.h"
#include "supple/mesh.h"

#include <stdio.h>
#include <stdlib.h>

/* A body that has begun to move, and room for its vertices. */
typedef struct wearer {
    sup_world* world;
    sup_blueprint* print;
    sup_body body;
    sup_vec3* vertices;
} wearer;

typedef struct outfit {
    sup_match_mode mode;
    double budget; /* ns per vertex */
} outfit;

static bool read_vertices(void* state) {
    const wearer* w = state;
    return sup_body_read_vertices(w->world, w->body, NULL, w->vertices) == SUP_OK;
}

static void destroy(void* state) {
    wearer* w = state;
    sup_world_destroy(w->world);
    sup_blueprint_release(w->print);
    free(w->vertices);
}

/* 10,242 vertices on some 200 particles in cubes. */
static sup_result make_print(sup_blueprint** out, sup_error* error) {
    sup_mesh mesh;
    sup_blueprint_def def = sup_blueprint_default();
    sup_result result = sup_mesh_icosphere(NULL, 0.5, 5, &mesh, error);
    if (result != SUP_OK) return result;
    def.surface = &mesh;
    def.fill = 0.12;
    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = 0.4;
    def.skin = SUP_SKIN_CLUSTERS;
    result = sup_blueprint_create(&def, out, error);
    sup_mesh_free(&mesh);
    return result;
}

static sup_result set_up(wearer* w, const outfit* how, sup_error* error) {
    sup_world_def world = sup_world_default();
    sup_body_def body = sup_body_default();
    sup_result result = make_print(&w->print, error);
    if (result == SUP_OK) result = sup_world_create(&world, &w->world, error);
    if (result != SUP_OK) return result;
    body.blueprint = w->print;
    body.material.mode = how->mode;
    body.angular_velocity[1] = 2.0;
    w->vertices = calloc((size_t)sup_blueprint_get_info(w->print).vertex_count, sizeof(sup_vec3));
    if (!w->vertices) return SUP_NO_MEMORY;
    result = sup_body_create(w->world, &body, &w->body, error);
    return result == SUP_OK ? sup_world_step(w->world, 1.0 / 60.0) : result;
}

static bool measure(const bench_row* row, bench_figures* out) {
    const outfit* how = row->detail;
    sup_error error = {0};
    wearer w = {0};
    double seconds = 0.0;
    sup_result result = set_up(&w, how, &error);
    bench_subject subject = {&w, read_vertices, 1, NULL, destroy};
    bool timed = result == SUP_OK && bench_time_work(&subject, 1, row->repeats, &seconds);
    if (timed) out->value = 1e9 * seconds / sup_blueprint_get_info(w.print).vertex_count;
    out->reference = how->budget;
    out->simd = SUP_SIMD_AUTO;
    if (!timed) fprintf(stderr, "supple_bench: %s: %s\n", row->name, error.text);
    destroy(&w);
    return timed;
}

static const bench_row rows[] = {
    {"skin.clusters", "drawn vertices of a ball by its clusters, matching included", "ns/vertex",
     "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure, &(const outfit){SUP_MATCH_RIGID, 40.0},
     BENCH_REPEATS},
    {"skin.clusters.quadratic", "the same with quadratic clusters", "ns/vertex", "budget", 1.0, 0.0,
     1, SUP_SIMD_AUTO, measure, &(const outfit){SUP_MATCH_QUADRATIC, 150.0}, BENCH_REPEATS},
};

const bench_row* bench_rows_skin(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
