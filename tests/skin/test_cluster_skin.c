/* The cluster skin alone: how points are bound, and where the blend of frames takes them. */
#include "skin/skin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* A lattice of SIDE^3 points, spacing 1 around the origin; the frames are overlapping cubes of 4
   points a side, 2 apart. */
enum { SIDE = 12, POINTS = SIDE * SIDE * SIDE, CUBES = 5, FRAMES = CUBES * CUBES * CUBES };
enum { PLACES = 3000 };

typedef struct cloud {
    supi_skin_cloud cloud;
    sup_vec3 points[POINTS];
    int32_t starts[POINTS + 1], frames[8 * POINTS];
} cloud;

static void make_cloud(cloud* c) {
    int32_t used = 0;
    for (int i = 0; i < POINTS; i++) {
        int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        c->points[i] = (sup_vec3){(float)at[0] - 5.5f, (float)at[1] - 5.5f, (float)at[2] - 5.5f};
        c->starts[i] = used;
        for (int f = 0; f < FRAMES; f++) {
            int low[3] = {2 * (f % CUBES), 2 * (f / CUBES % CUBES), 2 * (f / CUBES / CUBES)};
            bool in = true;
            for (int k = 0; k < 3; k++) in = in && at[k] >= low[k] && at[k] < low[k] + 4;
            if (in) c->frames[used++] = f;
        }
    }
    c->starts[POINTS] = used;
    c->cloud = (supi_skin_cloud){POINTS, c->points, FRAMES, c->starts, c->frames, 1.0};
}

static double roll(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static cloud lattice;
static sup_vec3 places[PLACES];
static supi_arena arena;
static supi_skin skin;

/* Most places lie around the lattice, some far away. */
static int set_up(void** state) {
    (void)state;
    supi_arena scratch;
    uint64_t seed = 3;
    make_cloud(&lattice);
    for (int i = 0; i < PLACES; i++) {
        double far = i % 50 == 0 ? 900.0 : i % 50 == 1 ? 20.0 : 6.8;
        places[i] = (sup_vec3){(float)(far * roll(&seed)), (float)(far * roll(&seed)),
                               (float)(far * roll(&seed))};
    }
    supi_arena_init(&arena, sup_allocator_default());
    supi_arena_init(&scratch, sup_allocator_default());
    bool bound = supi_skin_bind(&lattice.cloud, PLACES, places, &arena, &scratch, &skin);
    supi_arena_free(&scratch);
    return bound ? 0 : -1;
}

static int tear_down(void** state) {
    (void)state;
    supi_arena_free(&arena);
    return 0;
}

/* ---- Binding ---- */

static void check_slots(const supi_skin* s, int32_t frame_count) {
    assert_int_equal(s->starts[0], 0);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t begin = s->starts[i], end = s->starts[i + 1];
        assert_in_range(end - begin, 1, SUPI_SKIN_SLOTS);
        float sum = 0.0f;
        for (int32_t k = begin; k < end; k++) {
            assert_in_range(s->frames[k], 0, frame_count - 1);
            if (k > begin) assert_true(s->frames[k] > s->frames[k - 1]);
            assert_true(s->weights[k] > 0.0f);
            sum += s->weights[k];
        }
        assert_true(sum == 1.0f);
    }
}

static void test_slots(void** state) {
    (void)state;
    check_slots(&skin, FRAMES);
    int32_t full = 0;
    for (int32_t i = 0; i < skin.count; i++) {
        full += skin.starts[i + 1] - skin.starts[i] == SUPI_SKIN_SLOTS;
    }
    assert_true(full > skin.count / 10); /* the cut is tried */
}

static void test_home_is_nearest(void** state) {
    (void)state;
    for (int32_t i = 0; i < skin.count; i++) {
        int32_t nearest = 0;
        double least = INFINITY;
        for (int32_t p = 0; p < POINTS; p++) {
            double x = (double)lattice.points[p].x - (double)places[i].x,
                   y = (double)lattice.points[p].y - (double)places[i].y,
                   z = (double)lattice.points[p].z - (double)places[i].z;
            double square = x * x + y * y + z * z;
            if (!(square < least)) continue;
            least = square;
            nearest = p;
        }
        assert_int_equal(skin.home[i], nearest);
    }
}

/* All frames that a place follows hold a point near its nearest one: also from afar. */
static void test_frames_are_near(void** state) {
    (void)state;
    for (int32_t i = 0; i < skin.count; i++) {
        const sup_vec3* home = lattice.points + skin.home[i];
        for (int32_t s = skin.starts[i]; s < skin.starts[i + 1]; s++) {
            bool near = false;
            for (int32_t p = 0; p < POINTS && !near; p++) {
                float x = lattice.points[p].x - home->x, y = lattice.points[p].y - home->y,
                      z = lattice.points[p].z - home->z;
                if (x * x + y * y + z * z > 12.0f) continue;
                for (int32_t k = lattice.starts[p]; k < lattice.starts[p + 1]; k++) {
                    near = near || lattice.frames[k] == skin.frames[s];
                }
            }
            assert_true(near);
        }
    }
}

static float weight_of(const supi_skin* s, int32_t i, int32_t frame) {
    for (int32_t k = s->starts[i]; k < s->starts[i + 1]; k++) {
        if (s->frames[k] == frame) return s->weights[k];
    }
    return 0.0f;
}

/* Along lines through and past the lattice no weight jumps. */
static void test_weights_are_smooth(void** state) {
    (void)state;
    enum { STEPS = 4000 };
    static sup_vec3 line[STEPS];
    uint64_t seed = 11;
    float largest = 0.0f;
    for (int run = 0; run < 12; run++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = 9.0 * roll(&seed);
            to[k] = 9.0 * roll(&seed);
        }
        for (int i = 0; i < STEPS; i++) {
            double t = (double)i / STEPS;
            line[i] = (sup_vec3){(float)(from[0] + t * (to[0] - from[0])),
                                 (float)(from[1] + t * (to[1] - from[1])),
                                 (float)(from[2] + t * (to[2] - from[2]))};
        }
        supi_arena own, scratch;
        supi_skin s;
        supi_arena_init(&own, sup_allocator_default());
        supi_arena_init(&scratch, sup_allocator_default());
        assert_true(supi_skin_bind(&lattice.cloud, STEPS, line, &own, &scratch, &s));
        for (int32_t i = 1; i < STEPS; i++) {
            for (int32_t f = 0; f < FRAMES; f++) {
                float jump = fabsf(weight_of(&s, i, f) - weight_of(&s, i - 1, f));
                largest = jump > largest ? jump : largest;
            }
        }
        supi_arena_free(&own);
        supi_arena_free(&scratch);
    }
    /* Steps are 0.005 spacings at most. */
    print_message("largest change of a weight: %g\n", (double)largest);
    assert_true(largest < 0.01f);
}

/* One point, coincident points, no spacing, a place that is no number. */
static void test_poor_clouds(void** state) {
    (void)state;
    const sup_vec3 points[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const int32_t starts[4] = {0, 1, 3, 4}, frames[4] = {1, 0, 1, 2};
    sup_vec3 rest[4] = {{1, 2, 3}, {1e6f, 0, 0}, {NAN, 0, 0}, {-3e38f, 3e38f, 0}};
    for (int32_t count = 1; count <= 3; count++) {
        for (int shared = 0; shared < 2; shared++) {
            supi_skin_cloud c = {count, points, 3, shared ? NULL : starts, frames, 0.0};
            supi_arena own, scratch;
            supi_skin s;
            supi_arena_init(&own, sup_allocator_default());
            supi_arena_init(&scratch, sup_allocator_default());
            assert_true(supi_skin_bind(&c, 4, rest, &own, &scratch, &s));
            check_slots(&s, shared ? 1 : 3);
            supi_arena_free(&own);
            supi_arena_free(&scratch);
        }
    }
}

/* ---- Blending ---- */

/* p -> a p + t + q terms(p), the same for all frames however they are centred. */
typedef struct global_map {
    double a[9], t[3], q[18];
} global_map;

static void terms_of(const double p[3], double out[6]) {
    for (int k = 0; k < 3; k++) {
        out[k] = p[k] * p[k];
        out[3 + k] = p[k] * p[(k + 1) % 3];
    }
}

static void apply(const global_map* g, const double p[3], double out[3]) {
    double terms[6];
    terms_of(p, terms);
    for (int k = 0; k < 3; k++) {
        out[k] = g->t[k];
        for (int j = 0; j < 3; j++) out[k] += g->a[3 * k + j] * p[j];
        for (int j = 0; j < 6; j++) out[k] += g->q[6 * k + j] * terms[j];
    }
}

/* The frame of the map about a centre: what the squares leave is linear. */
static void frame_of(const global_map* g, const double c[3], double scale, supi_skin_frame* frame,
                     supi_skin_bend* bend) {
    double terms[6], mean[6] = {0.3, -0.1, 0.2, 0.05, 0.0, -0.4};
    terms_of(c, terms);
    for (int k = 0; k < 3; k++) {
        const double* q = g->q + 6 * k;
        double row[4] = {g->a[3 * k], g->a[3 * k + 1], g->a[3 * k + 2], g->t[k]};
        for (int j = 0; j < 3; j++) {
            row[j] += 2.0 * q[j] * c[j];
            row[j] += q[3 + j] * c[(j + 1) % 3];
            row[(j + 1) % 3] += q[3 + j] * c[j];
        }
        for (int j = 0; j < 6; j++) row[3] += q[j] * (mean[j] / (scale * scale) - terms[j]);
        for (int j = 0; j < 4; j++) frame->columns[4 * j + k] = (float)row[j];
        for (int j = 0; j < 6; j++) bend->bend[6 * k + j] = (float)(q[j] / (scale * scale));
        bend->centre[k] = (float)c[k];
    }
    bend->scale = (float)scale;
    for (int j = 0; j < 6; j++) bend->mean[j] = (float)mean[j];
}

/* Largest distance from the map of places within 20 of the lattice. */
static double worst_blend(const global_map* g, bool bends) {
    static supi_skin_frame frames[FRAMES];
    static supi_skin_bend bend[FRAMES];
    static sup_row out[PLACES];
    const float origin[3] = {0.5f, -1.0f, 2.0f}, base[3] = {30.0f, -20.0f, 10.0f};
    for (int f = 0; f < FRAMES; f++) {
        double c[3] = {2.0 * (f % CUBES) - 4.5, 2.0 * (f / CUBES % CUBES) + 0.5,
                       2.0 * (f / CUBES / CUBES) - 7.5};
        frame_of(g, c, 0.6 + 0.01 * f, frames + f, bend + f);
    }
    supi_skin_cluster(&skin, origin, base, frames, bends ? bend : NULL, out);
    double worst = 0.0;
    for (int32_t i = 0; i < PLACES; i++) {
        if (i % 50 == 0) continue;
        double p[3] = {(double)places[i].x - 0.5, (double)places[i].y + 1.0,
                       (double)places[i].z - 2.0};
        double to[3], square = 0.0;
        apply(g, p, to);
        const double at[3] = {(double)out[i].x, (double)out[i].y, (double)out[i].z};
        for (int k = 0; k < 3; k++) {
            double d = at[k] - (double)base[k] - to[k];
            square += d * d;
        }
        worst = sqrt(square) > worst ? sqrt(square) : worst;
        assert_true(out[i].w == 0.0f);
    }
    return worst;
}

static void test_rigid(void** state) {
    (void)state;
    global_map g = {{0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6}, {0.1, 0.2, -0.3}, {0}};
    double size = 20.0, worst = worst_blend(&g, false);
    print_message("rigid: %.2g of the size\n", worst / size);
    assert_true(worst < 1e-6 * size);
}

static void test_affine(void** state) {
    (void)state;
    global_map g = {{1.4, 0.3, -0.2, 0.1, 0.7, 0.5, -0.3, 0.2, 1.1}, {1.0, -2.0, 0.5}, {0}};
    double size = 20.0, worst = worst_blend(&g, false);
    print_message("affine: %.2g of the size\n", worst / size);
    assert_true(worst < 1e-6 * size);
}

static void test_quadratic(void** state) {
    (void)state;
    global_map g = {{1.1, 0.2, 0, 0, 0.9, 0, 0, 0.1, 1}, {1.0, -2.0, 0.5}, {0}};
    for (int k = 0; k < 18; k++) g.q[k] = 0.01 * ((k * 7) % 5 - 2);
    double size = 20.0, worst = worst_blend(&g, true);
    print_message("quadratic: %.2g of the size\n", worst / size);
    assert_true(worst < 3e-6 * size);
    assert_true(worst_blend(&g, false) > 0.01 * size); /* the bends matter */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),           cmocka_unit_test(test_home_is_nearest),
        cmocka_unit_test(test_frames_are_near), cmocka_unit_test(test_weights_are_smooth),
        cmocka_unit_test(test_poor_clouds),     cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_affine),          cmocka_unit_test(test_quadratic),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
