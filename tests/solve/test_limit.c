/* Strain limits: no spring shares a row with another that is done with it, weights are those of
   inverse mass, and neither kernels nor workers make a difference. */
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
        .scratch = supi_arena_push(&l->arena, (size_t)body->net.row_count, sizeof(sup_row))};
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

/* The number of the spring of a lane, or -1: it is the one before again. */
static int32_t spring_at(const spring_body* body, const supi_limit_order* order, int32_t at) {
    const supi_limit8* group = order->groups + at / 8;
    int32_t a = group->a[at & 7], b = group->b[at & 7];
    if (at % 16 > 0) {
        const supi_limit8* last = order->groups + (at - 1) / 8;
        if (last->a[(at - 1) & 7] == a && last->b[(at - 1) & 7] == b) return -1;
    }
    for (int32_t i = 0;; i++) {
        const sup_spring* s = body->springs + i;
        if (s->a == a && s->b == b && s->kind != SUP_SPRING_BEND) return i;
    }
}

/* Every spring of its kinds once, those apart that are done together, and those that share a row in
   the order of their numbers, structural ones first. */
static void test_order(void** state) {
    (void)state;
    spring_body body = torn_cloth(20, 1.0, true);
    limited l;
    init(&l, &body);
    const supi_limit_order* order = &l.order;
    int32_t* done = spring_body_new((size_t)body.net.row_count, sizeof *done);
    int32_t* last = spring_body_new((size_t)body.net.row_count, sizeof *last);
    int32_t springs = 0, wanted = 2 * 20 * 19 + 2 * 19 * 19;
    assert_true(order->struct_count % 2 == 0 && order->group_count % 2 == 0);
    assert_true(order->struct_count > 0 && order->struct_count < order->group_count);
    for (int32_t at = 0; at < 8 * order->group_count; at++) {
        int32_t spring = spring_at(&body, order, at);
        if (spring < 0) continue;
        const sup_spring* s = body.springs + spring;
        bool shear = at >= 8 * order->struct_count;
        assert_int_equal(s->kind, shear ? SUP_SPRING_SHEAR : SUP_SPRING_STRUCT);
        const int32_t ends[2] = {s->a, s->b};
        for (int e = 0; e < 2; e++) {
            assert_true(done[ends[e]] != at / 16 + 1);
            if (!shear) assert_true(last[ends[e]] <= spring);
            done[ends[e]] = at / 16 + 1;
            last[ends[e]] = spring;
        }
        springs++;
    }
    assert_int_equal(springs, wanted);
    free(done);
    free(last);
    end(&l);
    spring_body_free(&body);
}

/* A hub, all of whose springs come one after the other. */
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

/* Springs that may be neither longer nor shorter come to their length in a few sweeps, from above
   and from below. */
static void test_hard_springs(void** state) {
    (void)state;
    const sup_vec3 points[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    const float w[4] = {1.0f, 0.5f, 0.0f, 1.0f};
    const sup_spring springs[2] = {{0, 1, 0.4f, 1, 0, SUP_SPRING_STRUCT, false},
                                   {2, 3, 1.5f, 1, 0, SUP_SPRING_STRUCT, false}};
    spring_body body = spring_body_make(points, w, 4, springs, 2, 0.0);
    limited l;
    init(&l, &body);
    l.limit.longer = l.limit.shorter = 1e-9;
    supi_limit_report report = supi_limit_run(&l.limit, body.x, body.v);
    assert_true(report.sweeps <= 5);
    for (int i = 0; i < 2; i++) assert_true(fabs(strain_of(&body, i)) < 1e-5);
    assert_true(fabs((double)body.x[0].y - 2.0 * (1.0 - (double)body.x[1].y)) < 1e-5);
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

static void run_torn(sup_simd simd, int32_t workers, spring_body* body) {
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
    l.limit.sweeps = 6;
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
    run_torn(SUP_SIMD_AUTO, 1, &first);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!supi_kernels_find(ways[i].simd)) continue;
        run_torn(ways[i].simd, ways[i].workers, &other);
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
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_hard_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
