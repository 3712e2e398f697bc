/* Rows about soft substance: a frame of 20,000 particles, with its surface, beside the time that it
   may take. */
#include "bench.h"
#include "supple/mesh.h"
#include "supple/supple.h"

#include <stdio.h>

enum { FRAMES = 4, LEAD = 24, REPEATS = 6 }; /* surfaces follow their volume every fourth frame */

/* By the clock, as threads are worth it. */
#define LIMIT_MS 50.0

typedef struct pouring {
    sup_world* world;
    sup_body body;
    bool draws;
    int32_t triangles;
} pouring;

static bool take_frame(pouring* p) {
    static const double origin[3] = {0, 0, 0};
    sup_mesh mesh;
    sup_vec3* normals;
    if (sup_world_step(p->world, 1.0 / 60.0) != SUP_OK) return false;
    if (!p->draws) return true;
    if (sup_body_find_surface(p->world, p->body, origin, &mesh, &normals, NULL) != SUP_OK)
        return false;
    p->triangles = mesh.polygon_count;
    sup_points_free(NULL, normals, mesh.point_count);
    sup_mesh_free(&mesh);
    return true;
}

static bool take_frames(void* state) {
    bool done = true;
    for (int32_t i = 0; done && i < FRAMES; i++) done = take_frame(state);
    return done;
}

/* A slab, 30 cm high, of 20,000 particles, that lies on a floor and runs. */
static bool begin(pouring* p, int32_t threads, int32_t cells, int32_t* count) {
    static const double size[3] = {2.55, 0.3, 2.5};
    static const int32_t segments[3] = {1, 1, 1};
    sup_mesh box = {0}, cloud = {0};
    sup_world_def def = sup_world_default();
    sup_blueprint_def print_def = sup_blueprint_default();
    sup_collider_def floor_def = sup_collider_default();
    sup_body_def body = sup_body_default();
    def.threads = threads;
    def.substeps = 2;
    print_def.surface = &cloud;
    print_def.layout = SUP_CLUSTERS_NONE;
    print_def.blob_spacing = 0.05;
    print_def.mass = 1850.0;
    body.position[1] = 0.17;
    body.blob.cells = cells;
    bool done = sup_mesh_box(NULL, size, segments, &box, NULL) == SUP_OK &&
                sup_blob_fill(NULL, &box, 0.05, &cloud, NULL) == SUP_OK &&
                sup_world_create(&def, &p->world, NULL) == SUP_OK &&
                sup_blueprint_create(&print_def, &body.blueprint, NULL) == SUP_OK &&
                sup_collider_create(p->world, &floor_def, NULL, NULL) == SUP_OK &&
                sup_body_create(p->world, &body, &p->body, NULL) == SUP_OK;
    *count = cloud.point_count;
    for (int32_t i = 0; done && i < LEAD; i++) done = take_frame(p);
    sup_blueprint_release(body.blueprint);
    sup_mesh_free(&box);
    sup_mesh_free(&cloud);
    return done;
}

typedef struct blob_detail {
    int32_t cells;
    bool draws;
} blob_detail;

static bool measure(const bench_row* row, bench_figures* out) {
    const blob_detail* d = row->detail;
    pouring p = {.draws = d->draws};
    bench_subject subject = {.state = &p, .step = take_frames, .steps = FRAMES};
    double seconds;
    int32_t count;
    bool done = begin(&p, row->threads, d->cells, &count) &&
                bench_time(&subject, 1, row->repeats, &seconds);
    if (done) {
        out->value = 1e3 * seconds;
        out->reference = LIMIT_MS;
        snprintf(out->note, sizeof out->note, "%d particles, %d triangles", (int)count,
                 (int)p.triangles);
    }
    if (p.world) sup_world_destroy(p.world);
    return done;
}

static const blob_detail preview = {4, true}, fine = {6, true}, bare = {4, false};

#define ROW(is, what, least, how)                                                                  \
    {                                                                                              \
        .name = is, .about = what, .unit = "ms", .reference = "limit", .floor = least,             \
        .threads = 2, .measure = measure, .detail = how, .repeats = REPEATS                        \
    }
static const bench_row rows[] = {
    ROW("blob.frame", "20,000 particles of soft substance, a frame with its surface on a grid of 4",
        1, &preview),
    ROW("blob.fine", "the same on a grid of 6", 0, &fine),
    ROW("blob.step", "the same without drawing it", 0, &bare),
};

const bench_row* bench_rows_blob(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
