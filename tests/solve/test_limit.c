/* Strain limits: no spring of a colour shares a row with another, weights are those of inverse
   mass, and neither kernels nor workers make a difference. */
#include "solve/brace.h"
#include "solve/limit.h"
#include "springs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct limited {
    supi_arena arena, passing;
    supi_limit_order order;
    supi_limit limit;
} limited;

static void init(limited* l, const spring_body* body) {
    *l = (limited){0};
    supi_arena_init(&l->arena, sup_allocator_default());
    supi_arena_init(&l->passing, sup_allocator_default());
    float* w = supi_arena_push(&l->passing, (size_t)body->net.row_count, sizeof *w);
    for (int32_t i = 0; i < body->net.row_count; i++) w[i] = body->x[i].w;
    assert_true(
        supi_limit_order_build(&body->net, body->springs, w, &l->arena, &l->passing, &l->order));
    l->limit = (supi_limit){
        .kernels = supi_kernels_find(SUP_SIMD_AUTO),
        .order = &l->order,
        .row_count = body->net.row_count,
        .h = 1.0 / 60.0,
        .longer = 0.1,
        .sweeps = 20,
        .scratch = supi_arena_push(&l->arena, (size_t)body->net.row_count, sizeof(sup_row)),
        .met = supi_arena_push(&l->arena, (size_t)l->order.part_count, sizeof(float))};
}

static void end(limited* l) {
    supi_arena_free(&l->arena);
    supi_arena_free(&l->passing);
}

/* Cloth that is torn about: rest places times `stretch`, with noise. */
static spring_body torn_cloth(int32_t n, double stretch, bool hung) {
    const spring_cloth cloth = {n, n, 0.05, 0.001, 20, 10, 1, 0.003, hung};
    spring_body body = spring_body_cloth(&cloth);
    uint32_t random = 1;
    for (int32_t i = 0; i < body.count; i++) {
        float* place[3] = {&body.x[i].x, &body.x[i].y, &body.x[i].z};
        for (int k = 0; k < 3; k++) {
            random = random * 1664525u + 1013904223u;
            *place[k] = (float)((double)*place[k] * stretch + 0.02 * (random >> 8) * 0x1p-24);
        }
        if (i % 7 == 0) body.x[i].w *= 0.25f;
    }
    return body;
}

static double strain_of(const spring_body* body, int32_t spring) {
    const sup_spring* s = body->springs + spring;
    const sup_row *a = body->x + s->a, *b = body->x + s->b;
    double d[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                   (double)b->z - (double)a->z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (double)s->length - 1.0;
}

/* ---- The order ---- */

/* Every spring of its kinds once, and what runs at once apart. */
static void test_order(void** state) {
    (void)state;
    spring_body body = torn_cloth(50, 1.0, true);
    limited l;
    init(&l, &body);
    const supi_limit_order* order = &l.order;
    int32_t* seen = spring_body_new((size_t)body.net.row_count, sizeof *seen);
    int32_t* part_of = spring_body_new((size_t)body.net.row_count, sizeof *part_of);
    int64_t springs = 0, wanted = 2 * 50 * 49 + 2 * 49 * 49, stamp = 0;
    for (int32_t phase = 0; phase < order->phase_count; phase++) {
        memset(part_of, 0, (size_t)body.net.row_count * sizeof *part_of);
        for (int32_t part = order->phases[phase]; part < order->phases[phase + 1]; part++) {
            assert_int_equal((order->parts[part + 1] - order->parts[part]) % 2, 0);
            for (int32_t g = order->parts[part]; g < order->parts[part + 1]; g++) {
                const supi_limit8* group = order->groups + g;
                stamp += g % 2 == 0; /* two groups are under way together */
                for (int k = 0; k < 8; k++) {
                    bool again =
                        k > 0 ? group->a[k] == group->a[k - 1] && group->b[k] == group->b[k - 1]
                              : g % 2 == 1 && group->a[0] == group[-1].a[7] &&
                                    group->b[0] == group[-1].b[7];
                    if (again) continue;
                    const int32_t ends[2] = {group->a[k], group->b[k]};
                    for (int e = 0; e < 2; e++) {
                        assert_true(seen[ends[e]] != stamp);
                        assert_true(part_of[ends[e]] == 0 || part_of[ends[e]] == part + 1);
                        seen[ends[e]] = (int32_t)stamp;
                        part_of[ends[e]] = part + 1;
                    }
                    springs++;
                }
            }
        }
    }
    assert_int_equal(springs, wanted);
    assert_true(order->struct_phases > 0 && order->struct_phases < order->phase_count);
    assert_true(8 * order->group_count < 1.2 * (double)wanted);
    free(seen);
    free(part_of);
    end(&l);
    spring_body_free(&body);
}

/* A hub with more springs than a word has bits. */
static void test_hub(void** state) {
    (void)state;
    enum { SPOKES = 150 };
    sup_vec3 points[SPOKES + 1] = {{0, 0, 0}};
    float w[SPOKES + 1] = {1.0f};
    sup_spring springs[SPOKES];
    for (int32_t i = 0; i < SPOKES; i++) {
        points[i + 1] = (sup_vec3){cosf((float)i), sinf((float)i), 0};
        w[i + 1] = 1.0f;
        springs[i] = (sup_spring){0, i + 1, 0.5f, 1, 0, SUP_SPRING_STRUCT, false};
    }
    spring_body body = spring_body_make(points, w, SPOKES + 1, springs, SPOKES, 0.0);
    limited l;
    init(&l, &body);
    l.limit.sweeps = 100;
    supi_limit_report report = supi_limit_run(&l.limit, body.x, body.v);
    double most = 0.0;
    for (int32_t i = 0; i < SPOKES; i++) most = fmax(most, strain_of(&body, i));
    if (!(most < 0.105)) fail_msg("%d sweeps: %g, %g", (int)report.sweeps, report.excess, most);
    end(&l);
    spring_body_free(&body);
}

/* ---- What a limit does ---- */

static void test_pairs(void** state) {
    (void)state;
    enum { PAIRS = 4 }; /* free; one pinned; both pinned; too short, and only pulls */
    sup_vec3 points[2 * PAIRS];
    const float w[2 * PAIRS] = {1.0f, 1.0f / 3.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f};
    sup_spring springs[PAIRS];
    for (int32_t i = 0; i < PAIRS; i++) {
        points[2 * i] = (sup_vec3){(float)i, 0, 0};
        points[2 * i + 1] = (sup_vec3){(float)i, 1, 0};
        springs[i] =
            (sup_spring){2 * i, 2 * i + 1, i < 3 ? 0.5f : 2.0f, 1, 0, SUP_SPRING_STRUCT, i == 3};
    }
    spring_body body = spring_body_make(points, w, 2 * PAIRS, springs, PAIRS, 0.0);
    limited l;
    init(&l, &body);
    l.limit.shorter = 0.2;
    supi_limit_run(&l.limit, body.x, body.v);
    const sup_row *x = body.x, *v = body.v;
    assert_true(fabs(strain_of(&body, 0) - 0.1) < 1e-6);
    assert_true(fabs((double)x[0].y - 0.75 * 0.45) < 1e-6 && fabs((double)x[1].y - 0.8875) < 1e-6);
    assert_true(fabs((double)v[0].y + 3.0 * (double)v[1].y) < 1e-6 * (double)v[0].y);
    assert_true(fabs((double)v[0].y - 60.0 * 0.75 * 0.45) < 1e-4);
    assert_true(x[2].y == 0.0f && fabs((double)x[3].y - 0.55) < 1e-6);
    for (int k = 4; k < 8; k++) {
        assert_true(x[k].y == points[k].y && v[k].y == 0.0f);
        assert_true(x[k].w == w[k]);
    }
    end(&l);
    /* Once it may push, the last one is lengthened. */
    body.springs[3].slack = false;
    init(&l, &body);
    l.limit.longer = 0.0;
    l.limit.shorter = 0.2;
    supi_limit_run(&l.limit, body.x, body.v);
    assert_true(fabs(strain_of(&body, 3) + 0.2) < 1e-6);
    assert_true(fabs(strain_of(&body, 2) - 1.0) < 1e-6);
    end(&l);
    spring_body_free(&body);
}

static void test_shear_is_held_when_asked_for(void** state) {
    (void)state;
    for (int kinds = 0; kinds < 2; kinds++) {
        spring_body body = torn_cloth(12, 1.0, false);
        for (int32_t i = 0; i < body.count; i++) body.x[i].x += 0.6f * body.x[i].y;
        limited l;
        init(&l, &body);
        l.limit.kinds = kinds ? SUP_LIMIT_STRUCT_SHEAR : SUP_LIMIT_STRUCT;
        l.limit.sweeps = 100;
        double most[3] = {0};
        supi_limit_report report = supi_limit_run(&l.limit, body.x, body.v);
        for (int32_t i = 0; i < body.net.spring_count; i++) {
            most[body.springs[i].kind] = fmax(most[body.springs[i].kind], strain_of(&body, i));
        }
        double worst = kinds ? fmax(most[0], most[1]) : most[0];
        assert_true(worst < 0.1 + report.excess + 2e-3);
        if (!(report.excess < 0.05 && (kinds ? most[1] < 0.15 : most[1] > 0.2))) {
            fail_msg("kinds %d: excess %g, shear %g", kinds, report.excess, most[1]);
        }
        end(&l);
        spring_body_free(&body);
    }
}

/* ---- The same bits ---- */

static void run_torn(sup_simd simd, int32_t workers, bool back, spring_body* body) {
    *body = torn_cloth(70, 1.4, true);
    limited l;
    init(&l, body);
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &tasks, NULL),
                     SUP_OK);
    l.limit.kernels = supi_kernels_find(simd);
    l.limit.tasks = workers > 1 ? tasks : NULL;
    l.limit.kinds = SUP_LIMIT_STRUCT_SHEAR;
    l.limit.shorter = 0.3;
    l.limit.sweeps = back ? 6 : 5;
    supi_limit_run(&l.limit, body->x, body->v);
    supi_tasks_destroy(tasks);
    end(&l);
}

static void test_same_bits(void** state) {
    (void)state;
    const struct {
        sup_simd simd;
        int32_t workers;
    } ways[] = {{SUP_SIMD_AUTO, 2}, {SUP_SIMD_AUTO, 5}, {SUP_SIMD_SCALAR, 1}, {SUP_SIMD_SSE2, 1}};
    spring_body first, other;
    run_torn(SUP_SIMD_AUTO, 1, true, &first);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!supi_kernels_find(ways[i].simd)) continue;
        run_torn(ways[i].simd, ways[i].workers, true, &other);
        size_t size = (size_t)first.net.row_count * sizeof *first.x;
        assert_memory_equal(first.x, other.x, size);
        assert_memory_equal(first.v, other.v, size);
        spring_body_free(&other);
    }
    spring_body_free(&first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),     cmocka_unit_test(test_hub),
        cmocka_unit_test(test_pairs),     cmocka_unit_test(test_shear_is_held_when_asked_for),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
