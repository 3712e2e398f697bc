/* What acts on springs beside springs, one law at a time: gusts, gas, areas and volumes, yielding
   lengths. */
#include "base/memory.h"
#include "solve/pressure.h"
#include "solve/volumes.h"
#include "solve/wind.h"
#include "solve/yield.h"
#include "supple/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* Needs the three above. */
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

/* ---- Wind ---- */

static sup_wind gusty(void) {
    sup_wind wind = sup_wind_default();
    wind.velocity[0] = 3.0;
    wind.gust = 2.0;
    wind.seed = 7;
    return wind;
}

static double apart(const double a[3], const double b[3]) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

/* Bounded, smooth in place and time, other for other seeds, and on average the wind itself. */
static void gusts_are_smooth(void** state) {
    (void)state;
    sup_wind wind = gusty(), other = gusty();
    other.seed = 8;
    double sum[3] = {0}, spread = 0.0, differs = 0.0;
    enum { COUNT = 20000 };
    for (int i = 0; i < COUNT; i++) {
        double at[3] = {40 * uniform(), 40 * uniform(), 40 * uniform()}, time = 50 + 50 * uniform();
        double u[3], near[3], later[3], strange[3];
        supi_wind_at(&wind, time, at, u);
        supi_wind_at(&wind, time + 1e-4, at, later);
        supi_wind_at(&other, time, at, strange);
        at[i % 3] += 1e-4;
        supi_wind_at(&wind, time, at, near);
        /* quintic easing is steepest at 1.875 per cell, over twice the gust; two metres a cell */
        assert_true(apart(u, near) <= 1e-4 * 1.875 * 2 * 2 / 2 * 1.8);
        assert_true(apart(u, later) <= 1e-4 * 1.875 * 2 * 2 * 1.8);
        differs += apart(u, strange) / COUNT;
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(u[k] - wind.velocity[k]) <= wind.gust);
            sum[k] += (u[k] - wind.velocity[k]) / COUNT;
        }
        spread += pow(u[0] - wind.velocity[0], 2) / COUNT;
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(sum[k]) < 0.05);
    assert_true(sqrt(spread) > 0.3 && differs > 0.5);
}

/* ---- Gas ---- */

/* The forces of gas in a closed surface add up to nothing: below 1e-5 of pressure times area. */
static void gas_moves_no_closed_surface(void** state) {
    (void)state;
    sup_mesh mesh;
    supi_arena arena;
    supi_patches faces;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.5, 4, &mesh, NULL), SUP_OK);
    supi_arena_init(&arena, sup_allocator_default());
    assert_true(supi_patches_make(&arena, mesh.polygon_count, mesh.point_count, &faces));
    sup_row* x = supi_arena_push(&arena, (size_t)mesh.point_count, sizeof *x);
    sup_row* areas = supi_arena_push(&arena, (size_t)mesh.polygon_count, sizeof *areas);
    for (int32_t i = 0; i < mesh.point_count; i++) {
        const sup_vec3* p = mesh.points + i;
        x[i] = (sup_row){p->x * (1 + 0.3f * p->y) + 3, p->y - p->x * p->z, p->z, 1};
    }
    for (int32_t f = 0; f < mesh.polygon_count; f++) {
        for (int k = 0; k < 3; k++) faces.rows[4 * f + k] = mesh.corners[3 * f + k];
        faces.rows[4 * f + 3] = -1;
    }
    supi_patches_sort(&faces);
    double volume = supi_pressure_areas(&faces, 0, faces.count, x, areas), sum[3] = {0}, all = 0;
    for (int32_t r = 0; r < mesh.point_count; r++) {
        float f[3] = {0, 0, 0};
        for (int32_t i = faces.starts[r]; i < faces.starts[r + 1]; i++) {
            const sup_row* a = areas + faces.slots[i] / 4;
            f[0] += a->x / 3;
            f[1] += a->y / 3;
            f[2] += a->z / 3;
        }
        for (int k = 0; k < 3; k++) sum[k] += (double)f[k];
    }
    for (int32_t f = 0; f < faces.count; f++) {
        const sup_row* a = areas + f;
        all += sqrt((double)(a->x * a->x + a->y * a->y + a->z * a->z));
    }
    double left = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / all;
    print_message("gas: |sum F| = %.2g p A\n", left);
    assert_true(left < 1e-5);
    assert_true(volume > 0.4 && volume < 0.6);
    supi_arena_free(&arena);
    sup_mesh_free(&mesh);
}

static void gas_follows_its_law(void** state) {
    (void)state;
    const sup_spring_pressure air = {.inside = 1000, .outside = 400, .power = 1.4};
    for (double v = 0.3; v < 2; v += 0.1) {
        supi_pressure_state at = supi_pressure_at(&air, 1.0, v);
        double more = supi_pressure_at(&air, 1.0, v + 1e-5).over,
               less = supi_pressure_at(&air, 1.0, v - 1e-5).over;
        assert_true(fabs(at.over - (1000 * pow(1 / v, 1.4) - 400)) < 1e-9 * 1e4);
        assert_true(fabs(at.slope + (more - less) / 2e-5) < 1e-5 * at.slope);
    }
    double least = supi_pressure_at(&air, 1.0, 0.05).over;
    assert_true(supi_pressure_at(&air, 1.0, -3.0).over == least);
}

/* ---- Areas and volumes ---- */

typedef struct pair {
    sup_row x[4];
    int32_t rows[4], starts[5], slots[4];
    supi_volume own;
    sup_row gradients[4];
    float weight;
    supi_volumes volumes;
} pair;

static void make_pair(pair* p, bool triangle) {
    *p = (pair){.rows = {0, 1, 2, triangle ? -1 : 3}, .own = {0.1f, 3.0f}};
    for (int i = 0; i < 4; i++) {
        p->x[i] = (sup_row){(float)uniform(), (float)uniform(), (float)uniform(), 1};
        p->starts[i + 1] = triangle && i == 3 ? 3 : i + 1;
        p->slots[i] = i;
    }
    p->volumes = (supi_volumes){.patches = {1, 4, p->rows, p->starts, p->slots},
                                .own = &p->own,
                                .gradients = p->gradients,
                                .weights = &p->weight};
}

/* Forces are minus the slope of the energy. */
static void elements_push_downhill(void** state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        pair p;
        sup_row f[4] = {{0}};
        make_pair(&p, i & 1);
        double most = 1e-3;
        for (int c = 0; c < 12; c++) {
            float* place = &p.x[c / 3].x + c % 3;
            float kept = *place, step = 1.0f / 1024;
            *place = kept + step;
            double up = supi_volumes_look(&p.volumes, 0, 1, p.x);
            *place = kept - step;
            double down = supi_volumes_look(&p.volumes, 0, 1, p.x);
            *place = kept;
            supi_volumes_look(&p.volumes, 0, 1, p.x);
            for (int k = 0; k < 4; k++) f[k] = (sup_row){0};
            supi_volumes_add(&p.volumes, 0, 4, -1.0f, f);
            double slope = (up - down) / (2 * (double)step);
            double force = (double)(&f[c / 3].x)[c % 3];
            most = fabs(force) > most ? fabs(force) : most;
            double size = supi_volumes_size(p.rows, p.x);
            if ((i & 1) && size < 0.05) continue; /* slivers bend too much for differences */
            assert_true(fabs(slope + force) < 1e-3 * (most + 1));
        }
    }
}

/* The diagonal is what the product has there, and the product is not negative. */
static void terms_agree(void** state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        pair p;
        make_pair(&p, i & 1);
        supi_volumes_look(&p.volumes, 0, 1, p.x);
        supi_spring_rows8 rows = {.mass = {0}};
        supi_volumes_diagonal(&p.volumes, 0, 4, 0.25f, &rows);
        static const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
        for (int c = 0; c < 12; c++) {
            sup_row unit[4] = {{0}}, y[4] = {{0}};
            (&unit[c / 3].x)[c % 3] = 1.0f;
            assert_true(supi_volumes_weigh(&p.volumes, 0, 1, unit) >= 0.0);
            supi_volumes_add(&p.volumes, 0, 4, 0.25f, y);
            int lane = (c / 3) / 2 + 4 * ((c / 3) % 2);
            for (int k = 0; k < 3; k++) {
                float want = rows.block[at[c % 3][k]][lane];
                assert_true(fabsf((&y[c / 3].x)[k] - want) <= 1e-6f * (1 + fabsf(want)));
            }
        }
    }
}

/* A triangle that has lost its width pushes nowhere. */
static void flat_triangles_are_harmless(void** state) {
    (void)state;
    pair p;
    make_pair(&p, true);
    for (int i = 0; i < 3; i++) p.x[i] = (sup_row){(float)i, 0, 0, 1};
    supi_volumes_look(&p.volumes, 0, 1, p.x);
    for (int i = 0; i < 4; i++) {
        assert_true(p.gradients[i].x == 0 && p.gradients[i].y == 0 && p.gradients[i].z == 0);
    }
}

/* ---- Yield ---- */

/* k = 100, F0 = 10, L = 1, pulled to 1.3: the length becomes 1.2, and the force is F0. */
static void springs_yield_to_their_threshold(void** state) {
    (void)state;
    const sup_spring spring = {0, 1, 1.0f, 100.0f, 0.0f, SUP_SPRING_STRUCT, false};
    const sup_spring_yield ideal = {.strain = 0.1, .time = 0.0, .limit = 0.5};
    sup_row x[2] = {{0, 0, 0, 1}, {1.3f, 0, 0, 1}};
    float length = 1.0f;
    supi_yield_flow(&ideal, 0.01, &spring, 0, 1, x, &length);
    double force = 100.0 * ((double)x[1].x - (double)length);
    print_message("yield: L = %.7f, T = %.5f\n", (double)length, force);
    assert_true(fabs((double)length - 1.2) < 1e-6 && fabs(force - 10.0) < 1e-4);
    x[1].x = 1.2f;
    supi_yield_flow(&ideal, 0.01, &spring, 0, 1, x, &length);
    assert_true(fabs((double)length - 1.2) < 1e-6); /* no force, and it stays */
    x[1].x = 3.0f;
    supi_yield_flow(&ideal, 0.01, &spring, 0, 1, x, &length);
    assert_true(length == 1.5f);
    x[1].x = 0.1f;
    supi_yield_flow(&ideal, 0.01, &spring, 0, 1, x, &length);
    assert_true(length == 1.0f / 1.5f);
}

/* In finite time a share of the excess goes per step; what only pulls does not get shorter. */
static void springs_yield_in_time(void** state) {
    (void)state;
    sup_spring spring = {0, 1, 1.0f, 100.0f, 0.0f, SUP_SPRING_STRUCT, false};
    const sup_spring_yield slow = {.strain = 0.1, .time = 1.0, .limit = 0.5};
    sup_row x[2] = {{0, 0, 0, 1}, {1.3f, 0, 0, 1}};
    float length = 1.0f;
    for (int i = 0; i < 100; i++) supi_yield_flow(&slow, 0.01, &spring, 0, 1, x, &length);
    assert_true(fabs((double)length - (1.2 - 0.2 * pow(0.99, 100))) < 1e-5);
    x[1].x = 0.5f;
    spring.slack = true;
    length = 1.0f;
    supi_yield_flow(&slow, 0.01, &spring, 0, 1, x, &length);
    assert_true(length == 1.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gusts_are_smooth),
        cmocka_unit_test(gas_moves_no_closed_surface),
        cmocka_unit_test(gas_follows_its_law),
        cmocka_unit_test(elements_push_downhill),
        cmocka_unit_test(terms_agree),
        cmocka_unit_test(flat_triangles_are_harmless),
        cmocka_unit_test(springs_yield_to_their_threshold),
        cmocka_unit_test(springs_yield_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
