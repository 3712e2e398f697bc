#include "skins.h"

#include "base/clock.h"
#include "skin/carriers.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Evenly spread over a wavy ball; `share`: 0..1 of the way from one pole to the other. */
static sup_vec3 on_ball(double share, double around) {
    double height = 1.0 - 2.0 * share, wide = sqrt(fmax(0.0, 1.0 - height * height));
    double radius = 1.0 + 0.1 * sin(5.0 * around) * wide;
    return (sup_vec3){(float)(radius * wide * cos(around)), (float)height,
                      (float)(radius * wide * sin(around))};
}

/* Vertices in rings from pole to pole, as a modeller would write them. */
static void place_vertices(bench_skin* s) {
    int32_t rings = (int32_t)sqrt(0.5 * s->vertex_count),
            around = (s->vertex_count + rings - 1) / rings;
    for (int32_t i = 0; i < s->vertex_count; i++) {
        double share = (i / around + 0.5) / rings, angle = 2.0 * pi * (i % around) / around;
        s->rest[i] = on_ball(share, angle);
        double x = (double)s->rest[i].x, y = (double)s->rest[i].y, z = (double)s->rest[i].z,
               length = sqrt(x * x + y * y + z * z);
        s->normals[i] = (sup_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
    }
}

/* Joints on a spiral, bent and twisted about the axis. */
static void place_joints(bench_skin* s) {
    for (int32_t j = 0; j < s->joint_count; j++) {
        double share = (j + 0.5) / s->joint_count, angle = j * pi * (3.0 - sqrt(5.0));
        sup_vec3 p = on_ball(share, angle);
        s->joint_rest[j] = (sup_row){p.x, p.y, p.z, 0.0f};
        double twist = 0.8 * (double)p.y, c = cos(twist), si = sin(twist);
        s->x[j] = (sup_row){(float)(c * (double)p.x + si * (double)p.z), p.y + 0.1f,
                            (float)(c * (double)p.z - si * (double)p.x), 0.0f};
        s->turn[j] = (sup_quat){0.0f, (float)sin(0.5 * twist), 0.0f, (float)cos(0.5 * twist)};
    }
}

/* Joints within this many spacings are linked. */
static const double linked = 1.6;

static bool list_links(const sup_vec3* centres, double reach, supi_arena* scratch,
                       supi_carriers_def* def) {
    supi_point_tree tree;
    int32_t used = 0, room = 64 * def->count;
    int32_t* starts = supi_arena_push(scratch, (size_t)def->count + 1, sizeof *starts);
    int32_t* links = supi_arena_push(scratch, (size_t)room, sizeof *links);
    int32_t* near = supi_arena_push(scratch, (size_t)def->count, sizeof *near);
    if (!starts || !links || !near || !supi_point_tree_build(scratch, def->count, centres, &tree)) {
        return false;
    }
    for (int32_t i = 0; i < def->count; i++) {
        const double x[3] = {(double)centres[i].x, (double)centres[i].y, (double)centres[i].z};
        int32_t count = supi_point_tree_within(&tree, x, reach * reach, near);
        for (int32_t k = 0; k < count && used < room; k++) {
            if (near[k] != i) links[used++] = near[k];
        }
        starts[i + 1] = used;
    }
    def->link_starts = starts;
    def->links = links;
    return true;
}

/* By the distance in ellipsoids, as bodies bind their skins. */
static bool bind(bench_skin* s, supi_arena* scratch) {
    double spacing = sqrt(4.0 * pi / s->joint_count);
    supi_carriers_def def = {.count = s->joint_count};
    supi_carriers carriers;
    sup_vec3* centres = supi_arena_push(scratch, (size_t)s->joint_count, sizeof *centres);
    sup_ellipsoid* shapes = supi_arena_push(scratch, (size_t)s->joint_count, sizeof *shapes);
    if (!centres || !shapes) return false;
    for (int32_t j = 0; j < s->joint_count; j++) {
        const sup_row* p = s->joint_rest + j;
        centres[j] = (sup_vec3){p->x, p->y, p->z};
        shapes[j] = (sup_ellipsoid){
            s->turn[j], {(float)(0.6 * spacing), (float)(0.5 * spacing), (float)(0.4 * spacing)}};
    }
    def.centres = centres;
    def.ellipsoids = shapes;
    if (!list_links(centres, linked * spacing, scratch, &def)) return false;
    double start = 1e-3 * supi_clock_ms();
    bool bound = supi_carriers_build(&def, scratch, &carriers) &&
                 supi_carriers_bind(&carriers, BENCH_SKIN_SLOTS, s->vertex_count, s->rest,
                                    &s->arena, scratch, &s->bound);
    s->binding = 1e-3 * supi_clock_ms() - start;
    return bound;
}

bool bench_skin_create(int32_t vertex_count, int32_t joint_count, bench_skin* out) {
    size_t vertices = (size_t)vertex_count, joints = (size_t)joint_count;
    *out = (bench_skin){.vertex_count = vertex_count, .joint_count = joint_count};
    out->rest = calloc(vertices, sizeof *out->rest);
    out->normals = calloc(vertices, sizeof *out->normals);
    out->joint_rest = calloc(joints, sizeof *out->joint_rest);
    out->x = calloc(joints, sizeof *out->x);
    out->turn = calloc(joints, sizeof *out->turn);
    supi_arena scratch;
    supi_arena_init(&out->arena, sup_allocator_default());
    supi_arena_init(&scratch, sup_allocator_default());
    bool good = out->rest && out->normals && out->joint_rest && out->x && out->turn;
    if (good) {
        place_vertices(out);
        place_joints(out);
        good = bind(out, &scratch);
    }
    supi_arena_free(&scratch);
    if (!good) bench_skin_destroy(out);
    return good;
}

void bench_skin_destroy(bench_skin* skin) {
    free(skin->rest);
    free(skin->normals);
    supi_arena_free(&skin->arena);
    free(skin->joint_rest);
    free(skin->x);
    free(skin->turn);
}
