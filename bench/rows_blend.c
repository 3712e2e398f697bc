/* Rows about the blends of skins alone: linear and by dual quaternions. */
#include "skins.h"

#include "skin/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct blend_plan {
    int32_t vertices, joints;
    bench_skin_kind kind;
    double budget; /* ms; 0: beside the reference */
} blend_plan;

/* A skin that Supple blends. */
typedef struct blender {
    const bench_skin* skin;
    bench_skin_kind kind;
    bool poses; /* makes the frames too */
    supi_arena arena;
    supi_skin_plan plan;
    supi_skin_pose pose;
    supi_skin_frame* frames;
    supi_skin_dual* duals;
    supi_skin_drawn drawn;
    const supi_skin_kernels* kernels;
} blender;

static const float origin[3] = {0.0f, 0.0f, 0.0f};

static void find_frames(blender* b) {
    b->kernels->frames(&b->pose, origin, b->frames, b->kind == BENCH_SKIN_DUAL ? b->duals : NULL);
}

static bool blend(void* state) {
    blender* b = state;
    if (b->poses) find_frames(b);
    if (b->kind == BENCH_SKIN_DUAL)
        b->kernels->dual(&b->plan, b->duals, origin, &b->drawn);
    else
        b->kernels->linear(&b->plan, b->frames, origin, &b->drawn);
    return true;
}

static bool read_places(void* state, sup_point* places) {
    const blender* b = state;
    for (int32_t i = 0; i < b->skin->vertex_count; i++) {
        const sup_row* p = b->drawn.places + i;
        places[i] = (sup_point){(double)p->x, (double)p->y, (double)p->z};
    }
    return true;
}

static void destroy(void* state) {
    blender* b = state;
    supi_arena_free(&b->arena);
    free(b);
}

static bool fill(blender* b) {
    const bench_skin* s = b->skin;
    size_t vertices = (size_t)supi_skin_room(s->vertex_count), joints = (size_t)s->joint_count;
    supi_arena scratch;
    supi_arena_init(&scratch, sup_allocator_default());
    bool bound =
        supi_skin_plan_build(&s->bound, origin, s->normals, NULL, &b->arena, &scratch, &b->plan);
    supi_arena_free(&scratch);
    b->kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    b->frames = supi_arena_push(&b->arena, joints, sizeof *b->frames);
    b->duals = supi_arena_push(&b->arena, joints, sizeof *b->duals);
    b->drawn.places = supi_arena_push(&b->arena, vertices, sizeof *b->drawn.places);
    if (b->kind != BENCH_SKIN_PLACES) {
        b->drawn.normals = supi_arena_push(&b->arena, vertices, sizeof *b->drawn.normals);
    }
    b->pose = (supi_skin_pose){s->joint_count, s->joint_rest, s->x, s->turn, NULL};
    return bound && b->frames && b->duals && b->drawn.places &&
           (b->drawn.normals || b->kind == BENCH_SKIN_PLACES);
}

static bool create(const bench_skin* skin, const blend_plan* plan, bench_subject* out) {
    blender* b = calloc(1, sizeof *b);
    if (!b) return false;
    b->skin = skin;
    b->kind = plan->kind;
    b->poses = plan->budget > 0.0;
    supi_arena_init(&b->arena, sup_allocator_default());
    *out = (bench_subject){b, blend, 1, read_places, destroy};
    if (fill(b)) {
        find_frames(b);
        return true;
    }
    destroy(b);
    return false;
}

/* Both put the vertices at the same places, else they do not do the same work. */
static bool agree(bench_subject subjects[2], int32_t count) {
    sup_point* places[2] = {malloc((size_t)count * sizeof(sup_point)),
                            malloc((size_t)count * sizeof(sup_point))};
    bool same = places[0] && places[1];
    for (int k = 0; k < 2 && same; k++) {
        same =
            subjects[k].step(subjects[k].state) && subjects[k].read(subjects[k].state, places[k]);
    }
    for (int32_t i = 0; i < count && same; i++) {
        same = fabs(places[0][i].x - places[1][i].x) < 1e-4 &&
               fabs(places[0][i].y - places[1][i].y) < 1e-4 &&
               fabs(places[0][i].z - places[1][i].z) < 1e-4;
    }
    free(places[0]);
    free(places[1]);
    return same;
}

static const char* time_both(const bench_row* row, const bench_skin* skin, bench_figures* out) {
    const blend_plan* plan = row->detail;
    bench_subject subjects[2];
    double seconds[2];
    const char* problem = NULL;
    if (!create(skin, plan, &subjects[0])) return "no memory";
    if (!bench_eigen_skin_create(skin, plan->kind, &subjects[1])) {
        subjects[0].destroy(subjects[0].state);
        return "no memory";
    }
    const blender* b = subjects[0].state;
    if (!agree(subjects, skin->vertex_count)) {
        problem = "the two blends differ";
    } else if (!bench_time_work(subjects, 2, row->repeats, seconds)) {
        problem = "a blend failed";
    } else {
        double per = plan->budget > 0.0 ? 1e3 : 1e9 / skin->vertex_count;
        out->value = per * seconds[0];
        out->reference = plan->budget > 0.0 ? plan->budget : per * seconds[1];
        out->simd = b->kernels->simd;
        snprintf(out->note, sizeof out->note, "%.2f weights a vertex, %.1f frames for eight%s",
                 (double)skin->bound.starts[skin->vertex_count] / skin->vertex_count,
                 (double)b->plan.starts[b->plan.batch_count] / b->plan.batch_count,
                 b->kernels == supi_skin_kernels_wide() ? ", AVX-512" : "");
    }
    for (int k = 0; k < 2; k++) subjects[k].destroy(subjects[k].state);
    return problem;
}

static bool measure(const bench_row* row, bench_figures* out) {
    const blend_plan* plan = row->detail;
    bench_skin skin;
    const char* problem = "no memory";
    if (bench_skin_create(plan->vertices, plan->joints, &skin)) {
        problem = time_both(row, &skin, out);
        bench_skin_destroy(&skin);
    }
    if (problem) fprintf(stderr, "supple_bench: %s: %s\n", row->name, problem);
    return !problem;
}

/* Binding takes place once, before anything moves. */
static bool measure_binding(const bench_row* row, bench_figures* out) {
    const blend_plan* plan = row->detail;
    bench_skin skin;
    out->value = INFINITY;
    for (int32_t i = 0; i < row->repeats; i++) {
        if (!bench_skin_create(plan->vertices, plan->joints, &skin)) {
            fprintf(stderr, "supple_bench: %s: no memory\n", row->name);
            return false;
        }
        out->value = fmin(out->value, 1e3 * skin.binding);
        bench_skin_destroy(&skin);
    }
    out->reference = plan->budget;
    return true;
}

#define BESIDE_EIGEN(name, about, floor, goal, vertices, joints, kind, repeats)                    \
    {                                                                                              \
        name, about, "ns/vertex", "Eigen", floor, goal, 1, SUP_SIMD_AUTO, measure,                 \
            &(const blend_plan){vertices, joints, kind, 0.0}, repeats                              \
    }
#define LINEAR(size, vertices, joints, repeats)                                                    \
    BESIDE_EIGEN("skin.linear.positions." size, "linear blend of positions, four weights", 1.5,    \
                 2.2, vertices, joints, BENCH_SKIN_PLACES, repeats),                               \
        BESIDE_EIGEN("skin.linear.normals." size, "linear blend of positions and normals", 2.5,    \
                     4.0, vertices, joints, BENCH_SKIN_NORMALS, repeats),                          \
        BESIDE_EIGEN("skin.dual.normals." size, "dual quaternions, positions and normals", 2.5,    \
                     5.0, vertices, joints, BENCH_SKIN_DUAL, repeats)
#define BUDGET(name, about, ms, vertices, joints, kind)                                            \
    {                                                                                              \
        name, about, "ms", "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure,                          \
            &(const blend_plan){vertices, joints, kind, ms}, BENCH_REPEATS                         \
    }

static const bench_row rows[] = {
    {"skin.bind", "binding 60,000 vertices to 1,000 particles", "ms", "budget", 1.0, 0.0, 1,
     SUP_SIMD_AUTO, measure_binding, &(const blend_plan){60000, 1000, BENCH_SKIN_PLACES, 300.0}, 5},
    LINEAR("30k", 30000, 1000, BENCH_REPEATS),
    LINEAR("63k", 63000, 300, BENCH_REPEATS),
    LINEAR("1M", 1000000, 1000, 10),
    BUDGET("skin.squid", "5,000 vertices on 300 particles, normals and frames included", 0.06, 5000,
           300, BENCH_SKIN_NORMALS),
    BUDGET("skin.lionfish", "30,000 vertices on 1,000 particles, likewise", 0.4, 30000, 1000,
           BENCH_SKIN_NORMALS),
    BUDGET("skin.truck", "63,000 vertices on 300 particles, likewise", 0.8, 63000, 300,
           BENCH_SKIN_NORMALS),
    BUDGET("skin.truck.dual", "63,000 vertices on 300 particles by dual quaternions", 0.8, 63000,
           300, BENCH_SKIN_DUAL),
};

const bench_row* bench_rows_blend(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
