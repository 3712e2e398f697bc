/* Soft substance against its twin in double, and check A13 of the surface specification. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contact/neighbours.h"
#include "ref/ref_blob.h"
#include "ref/ref_random.h"
#include "sizes.h"
#include "solve/blob.h"

static void assert_near(double value, double wanted, double error) {
    if (!(fabs(value - wanted) <= error)) print_message("%.9g is not %.9g\n", value, wanted);
    assert_true(fabs(value - wanted) <= error);
}

enum { POINTS = 400, STRIDE = 256 };

static const sup_simd copies[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};

/* Particles and who is near them, found by the slow way. */
typedef struct cloud {
    int32_t count;
    sup_row x[POINTS + 1], v[POINTS + 1];
    int32_t near[POINTS * STRIDE], lengths[POINTS], ids[POINTS + 1];
} cloud;

static supi_blob_law plain_law(double h) {
    return (supi_blob_law){
        .spacing = 1.0f, .energy = 1.0f, .h = (float)h, .keep = 1.0f, .lightest = 1.0f / 1.5f};
}

static void meet_all(cloud* c) {
    c->x[c->count] = (sup_row){SUPI_BLOB_FAR, SUPI_BLOB_FAR, SUPI_BLOB_FAR, 0.0f};
    c->v[c->count] = (sup_row){0};
    c->ids[c->count] = 0;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t found = 0, *near = c->near + i * STRIDE;
        c->ids[i] = i;
        for (int32_t j = 0; j < c->count; j++) {
            double d[3] = {(double)c->x[i].x - (double)c->x[j].x,
                           (double)c->x[i].y - (double)c->x[j].y,
                           (double)c->x[i].z - (double)c->x[j].z};
            if (i != j && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 7.0) near[found++] = j;
        }
        assert_true(found <= STRIDE - 8);
        c->lengths[i] = found;
        c->v[i].w = found > 0 ? 1.0f / (float)found : 1.0f;
        for (; found % 8; found++) near[found] = c->count;
    }
}

static supi_blob_rows rows_of(const cloud* c) {
    return (supi_blob_rows){c->x, c->v, c->near, c->lengths, STRIDE, c->ids};
}

static void step(cloud* c, const supi_blob_law* law, sup_simd simd) {
    static sup_row x[POINTS], v[POINTS];
    supi_blob_rows rows = rows_of(c);
    supi_blob_kernels_find(simd)->step(law, &rows, 0, c->count, x, v);
    memcpy(c->x, x, (size_t)c->count * sizeof *x);
    memcpy(c->v, v, (size_t)c->count * sizeof *v);
}

static void random_cloud(cloud* c, int32_t count, double half, uint64_t* seed) {
    c->count = count;
    for (int32_t i = 0; i < count; i++) {
        c->x[i] =
            (sup_row){(float)(half * ref_random(seed)), (float)(half * ref_random(seed)),
                      (float)(half * ref_random(seed)), (float)(1.0 + 0.5 * ref_random(seed))};
        c->v[i] = (sup_row){(float)ref_random(seed), (float)ref_random(seed),
                            (float)ref_random(seed), 0.0f};
    }
    meet_all(c);
}

/* N on the second of two resting particles at a distance of r. */
static double force_at(double r) {
    static cloud c;
    c.count = 2;
    c.x[0] = (sup_row){0, 0, 0, 1};
    c.x[1] = (sup_row){(float)r, 0, 0, 1};
    c.v[0] = c.v[1] = (sup_row){0};
    meet_all(&c);
    supi_blob_law law = plain_law(1.0);
    step(&c, &law, SUP_SIMD_AUTO);
    assert_true(c.v[0].x == -c.v[1].x);
    return (double)c.v[1].x;
}

/* A13: the minimum of the energy is -k/8 at r0; stiffness, strongest pull and end of the force. */
static void law_of_force(void** state) {
    (void)state;
    const ref_blob_law law = {.spacing = 1.0, .energy = 1.0};
    assert_near(ref_blob_energy(&law, 1.0), -0.125, 1e-12);
    for (double r = 0.85; r < 1.95; r += 0.01) {
        double slope = (ref_blob_energy(&law, r + 1e-5) - ref_blob_energy(&law, r - 1e-5)) / 2e-5;
        assert_near(force_at((double)(float)r), -slope, 2e-5 * (1.0 + fabs(slope)));
        if (fabs(r - 1.0) > 1e-9) assert_true(ref_blob_energy(&law, r) > -0.125);
    }
    assert_near(force_at(1.0), 0.0, 1e-6);
    assert_near((force_at(0.999) - force_at(1.001)) / 0.002, 4.0, 0.01);
    double strongest = 0.0, at = 0.0;
    for (double r = 1.1; r < 1.25; r += 0.0001) {
        double f = force_at(r);
        if (f < strongest) strongest = f, at = r;
    }
    assert_near(strongest, -0.2132, 1e-4);
    assert_near(at, 1.1583, 0.002);
    assert_true(force_at(2.49) < 0.0);
    assert_true(force_at(2.5001) == 0.0);
    /* the core: straight, and no jump where it begins */
    assert_near(force_at(0.7999), force_at(0.8001), 0.02);
    assert_near(force_at(0.5), 4.398 + 64.7 * 0.3, 1e-4);
    assert_near(force_at(0.001), 4.398 + 64.7 * 0.799, 1e-3);
}

/* A13: two particles at 1.1 r0 swing about r0. */
static void swing(void** state) {
    (void)state;
    static cloud c;
    c.count = 2;
    c.x[0] = (sup_row){-0.55f, 0, 0, 1};
    c.x[1] = (sup_row){0.55f, 0, 0, 1};
    c.v[0] = c.v[1] = (sup_row){0};
    meet_all(&c);
    const ref_blob_law twin = {.spacing = 1.0, .energy = 1.0};
    supi_blob_law law = plain_law(0.05);
    double low = 2.0, high = 0.0, first = 0.0, last = 0.0, start = ref_blob_energy(&twin, 1.1);
    double worst = 0.0, before = 1.1;
    int32_t passes = 0;
    for (int32_t i = 1; i <= 2000; i++) {
        double v0 = (double)c.v[1].x;
        step(&c, &law, SUP_SIMD_AUTO);
        double r = (double)c.x[1].x - (double)c.x[0].x;
        /* velocities stand half a step before the places */
        double v = 0.5 * (v0 + (double)c.v[1].x), mid = before;
        double energy = v * v + ref_blob_energy(&twin, mid);
        worst = fmax(worst, fabs(energy - start));
        low = fmin(low, r);
        high = fmax(high, r);
        if (before < 1.0 && r >= 1.0) {
            double t = 0.05 * (i - 1 + (1.0 - before) / (r - before));
            if (passes++ == 0) first = t;
            last = t;
        }
        before = r;
    }
    assert_near(low, 0.933, 0.002);
    assert_near(high, 1.100, 0.002);
    assert_near((last - first) / (passes - 1), 2.39, 0.02 * 2.39);
    assert_true(worst < 0.02 * 0.125);
}

/* Every force has its reaction; places and velocities are those of the twin; all copies agree. */
static void crowd(void** state) {
    (void)state;
    static cloud c, copy;
    uint64_t seed = 3;
    for (int32_t round = 0; round < 4; round++) {
        random_cloud(&c, 200 + 50 * round, 3.2, &seed);
        supi_blob_law law = plain_law(0.01);
        law.friction = round % 2 ? 2.0f : 0.0f;
        law.central = round == 3;
        const ref_blob_law twin = {1.0, 1.0, (double)law.friction, law.central, false};
        copy = c;
        step(&c, &law, SUP_SIMD_AUTO);
        double sum[3] = {0, 0, 0}, size = 0.0;
        for (int32_t i = 0; i < c.count; i++) {
            const double xa[3] = {(double)copy.x[i].x, (double)copy.x[i].y, (double)copy.x[i].z};
            const double va[3] = {(double)copy.v[i].x, (double)copy.v[i].y, (double)copy.v[i].z};
            double f[3] = {0, 0, 0}, one[3], most = 0.0, w = (double)copy.x[i].w;
            for (int32_t n = 0; n < copy.lengths[i]; n++) {
                int32_t j = copy.near[i * STRIDE + n];
                const double xb[3] = {(double)copy.x[j].x, (double)copy.x[j].y,
                                      (double)copy.x[j].z};
                const double vb[3] = {(double)copy.v[j].x, (double)copy.v[j].y,
                                      (double)copy.v[j].z};
                double busiest = fmax(1.0 / (double)copy.v[i].w, 1.0 / (double)copy.v[j].w);
                ref_blob_pair(&twin, xa, va, xb, vb, 3.0, busiest, 0.01, one);
                for (int k = 0; k < 3; k++) f[k] += one[k];
                most += fabs(one[0]) + fabs(one[1]) + fabs(one[2]);
            }
            const double got[3] = {(double)c.v[i].x, (double)c.v[i].y, (double)c.v[i].z};
            for (int k = 0; k < 3; k++) {
                assert_near(got[k], va[k] + 0.01 * w * f[k], 1e-6 * (1.0 + 0.01 * most));
                sum[k] += (got[k] - va[k]) / w;
            }
            size += 0.01 * most;
        }
        for (int k = 0; k < 3; k++) assert_near(sum[k], 0.0, 1e-6 * size);
        for (size_t s = 0; s < sizeof copies / sizeof *copies; s++) {
            static cloud other;
            if (!supi_blob_kernels_find(copies[s])) continue;
            other = copy;
            step(&other, &law, copies[s]);
            assert_memory_equal(other.x, c.x, sizeof *c.x * (size_t)c.count);
            assert_memory_equal(other.v, c.v, sizeof *c.v * (size_t)c.count);
        }
    }
}

static double kinetic(const cloud* c) {
    double sum = 0.0;
    for (int32_t i = 0; i < c->count; i++) {
        double x = (double)c->v[i].x, y = (double)c->v[i].y, z = (double)c->v[i].z;
        sum += 0.5 * (x * x + y * y + z * z) / (double)c->x[i].w;
    }
    return sum;
}

/* A13: friction with its cap never adds kinetic energy, however strong; turned round it always
   does. Crowds too, as the cap counts neighbours. */
static void friction_slows(void** state) {
    (void)state;
    static cloud c;
    uint64_t seed = 11;
    int32_t turned_more = 0, pairs = 0;
    for (int32_t round = 0; round < 2000; round++) {
        random_cloud(&c, 2, 0.7, &seed);
        supi_blob_law law = plain_law(0.01 + 0.5 * fabs(ref_random(&seed)));
        law.energy = 1e-20f;
        law.friction = (float)pow(10.0, 4.0 * ref_random(&seed));
        law.central = round % 2;
        const ref_blob_law twin = {1.0, 1e-20, (double)law.friction, law.central, true};
        double before = kinetic(&c), f[3], after = 0.0;
        const double x[2][3] = {{(double)c.x[0].x, (double)c.x[0].y, (double)c.x[0].z},
                                {(double)c.x[1].x, (double)c.x[1].y, (double)c.x[1].z}};
        const double v[2][3] = {{(double)c.v[0].x, (double)c.v[0].y, (double)c.v[0].z},
                                {(double)c.v[1].x, (double)c.v[1].y, (double)c.v[1].z}};
        double wa = (double)c.x[0].w, wb = (double)c.x[1].w;
        ref_blob_pair(&twin, x[0], v[0], x[1], v[1], wa + wb, 1.0, (double)law.h, f);
        for (int k = 0; k < 3; k++) {
            double a = v[0][k] + (double)law.h * wa * f[k], b = v[1][k] - (double)law.h * wb * f[k];
            after += 0.5 * (a * a / wa + b * b / wb);
        }
        pairs++;
        turned_more += after > before;
        step(&c, &law, SUP_SIMD_AUTO);
        assert_true(kinetic(&c) <= before * (1.0 + 1e-6));
    }
    assert_int_equal(turned_more, pairs);
    for (int32_t round = 0; round < 20; round++) {
        random_cloud(&c, 300, 2.5, &seed);
        supi_blob_law law = plain_law(0.1);
        law.energy = 1e-20f;
        law.friction = 1e4f;
        double before = kinetic(&c);
        step(&c, &law, SUP_SIMD_AUTO);
        assert_true(kinetic(&c) < before);
    }
}

/* Two in one place part, the same way each time and with no momentum; a pinned one stays. */
static void one_place(void** state) {
    (void)state;
    static cloud c;
    c.count = 3;
    for (int32_t i = 0; i < 3; i++) c.x[i] = (sup_row){1, 2, 3, i == 2 ? 0.0f : 1.0f};
    for (int32_t i = 0; i < 3; i++) c.v[i] = (sup_row){0};
    meet_all(&c);
    supi_blob_law law = plain_law(0.01);
    law.friction = 1.0f;
    step(&c, &law, SUP_SIMD_AUTO);
    assert_true(c.x[2].x == 1.0f && c.x[2].y == 2.0f && c.x[2].z == 3.0f);
    for (int32_t i = 0; i < 2; i++) {
        double speed =
            sqrt((double)c.v[i].x * (double)c.v[i].x + (double)c.v[i].y * (double)c.v[i].y +
                 (double)c.v[i].z * (double)c.v[i].z);
        assert_true(speed > 0.01 && speed < 2.0);
    }
    assert_true(c.x[0].x != c.x[1].x || c.x[0].y != c.x[1].y);
}

/* Steps within the limit keep a lump as it is; eight times as long they burst it. */
static double lump_speed(double h, int32_t steps) {
    static cloud c;
    uint64_t seed = 5;
    c.count = 343;
    for (int32_t i = 0; i < c.count; i++) {
        c.x[i] = (sup_row){(float)(0.95 * (i % 7) + 0.01 * ref_random(&seed)),
                           (float)(0.95 * (i / 7 % 7) + 0.01 * ref_random(&seed)),
                           (float)(0.95 * (i / 49) + 0.01 * ref_random(&seed)), 1.0f};
        c.v[i] = (sup_row){0};
    }
    supi_blob_law law = plain_law(h);
    for (int32_t i = 0; i < steps; i++) {
        meet_all(&c);
        step(&c, &law, SUP_SIMD_AUTO);
    }
    return sqrt(2.0 * kinetic(&c) / c.count);
}

static void step_limit(void** state) {
    (void)state;
    double energy = 2.0;
    int32_t steps;
    assert_true(supi_blob_plan(0.01, 0.1, 0.5, &energy, &steps) < 1.0);
    assert_int_equal(steps, 4); /* 0.05 0.1 sqrt(0.5 / 2) = 0.0025 */
    assert_true(energy == 2.0);
    energy = 1e6;
    assert_true(supi_blob_plan(0.01, 0.1, 0.5, &energy, &steps) > 1.0);
    assert_int_equal(steps, SUPI_BLOB_INNER_MOST);
    double longest = 0.05 * 0.1 * sqrt(0.5 / energy);
    assert_near(longest, 0.01 / SUPI_BLOB_INNER_MOST, 1e-9);
    assert_true(lump_speed(0.05, 300) < 1.0);
    assert_false(lump_speed(0.4, 300) < 3.0);
}

static void check_lists(const supi_neighbours* lists, const sup_row* x,
                        const supi_neighbour_search* s) {
    static uint8_t named[POINTS];
    assert_int_equal(lists->count, s->count);
    for (int32_t i = 0; i < lists->count; i++) {
        const int32_t* near = lists->near + (size_t)i * (size_t)lists->stride;
        int32_t own = lists->rows[i];
        memset(named, 0, sizeof named);
        for (int32_t n = 0; n < lists->lengths[i]; n++) {
            int32_t row = lists->rows[near[n]];
            assert_true(row != own && !named[row]);
            named[row] = 1;
        }
        for (int32_t n = lists->lengths[i]; n % 8; n++) assert_int_equal(near[n], lists->count);
        for (int32_t j = 0; j < lists->count; j++) {
            double d[3] = {(double)x[j].x - (double)x[own].x, (double)x[j].y - (double)x[own].y,
                           (double)x[j].z - (double)x[own].z};
            double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (j != own && r < (double)s->reach) assert_true(named[j]);
            if (r > (double)(s->reach + 2.0f * s->most) + 1e-4) assert_false(named[j]);
        }
    }
}

/* A lump and one that is far from it: cells are hashed, few enough points that any list may name
   all, and where the far one is moves the lump's cells to other places, some shared by several. */
static void lists_of_a_lump(void** state) {
    (void)state;
    static cloud c;
    uint64_t seed = 21;
    const sup_allocator* allocator = sup_allocator_default();
    for (int32_t round = 0; round < (short_tests() ? 150 : 600); round++) {
        random_cloud(&c, 40 + round % 61, 1.6, &seed);
        c.x[0] = (sup_row){(float)(-40.0 + 20.0 * ref_random(&seed)),
                           (float)(-40.0 + 20.0 * ref_random(&seed)),
                           (float)(-40.0 + 20.0 * ref_random(&seed)), 1.0f};
        supi_neighbour_search s = {c.x, c.v, c.count, 2.5f, 0.1f, 0.05f, 0.15f};
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
            const supi_neighbour_kernels* kernels = supi_neighbour_kernels_find(copies[k]);
            if (!kernels) continue;
            supi_neighbours lists = {0}; /* with no more memory than it asks for */
            assert_true(supi_neighbours_find(&lists, allocator, NULL, kernels, &s));
            assert_true(lists.cells.mask != 0);
            check_lists(&lists, c.x, &s);
            supi_neighbours_free(&lists, allocator);
        }
    }
}

/* Lists name all that are near, whether cells have places or are hashed; lost points harm nobody;
   memory that fails leaves nothing. */
static void lists_of_neighbours(void** state) {
    (void)state;
    static cloud c;
    uint64_t seed = 9;
    supi_neighbours lists = {0};
    const sup_allocator* allocator = sup_allocator_default();
    for (int32_t round = 0; round < 6; round++) {
        random_cloud(&c, POINTS - 50 * round, round % 2 ? 3.0 : 40.0, &seed);
        supi_neighbour_search s = {c.x, c.v, c.count, 2.5f, 0.1f, 0.05f, 0.15f};
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
            const supi_neighbour_kernels* kernels = supi_neighbour_kernels_find(copies[k]);
            if (!kernels) continue;
            assert_true(supi_neighbours_find(&lists, allocator, NULL, kernels, &s));
            assert_int_equal(lists.cells.mask != 0, round % 2 == 0);
            check_lists(&lists, c.x, &s);
        }
    }
    c.x[3].y = NAN;
    c.x[4].x = -INFINITY;
    c.x[5].z = 3e38f;
    supi_neighbour_search s = {c.x, c.v, c.count, 2.5f, 0.1f, 0.05f, 0.15f};
    assert_true(supi_neighbours_find(&lists, allocator, NULL,
                                     supi_neighbour_kernels_find(SUP_SIMD_AUTO), &s));
    assert_int_equal(lists.count, c.count);
    for (int32_t i = 0; i < c.count; i++) c.x[i].x = i % 2 ? NAN : 3e38f;
    assert_true(supi_neighbours_find(&lists, allocator, NULL,
                                     supi_neighbour_kernels_find(SUP_SIMD_AUTO), &s));
    for (int32_t i = 0; i < c.count; i++) assert_int_equal(lists.lengths[i], 0);
    supi_neighbours_free(&lists, allocator);
}

/* Lists hold while all go on as they did, but for what all have in common; not when one leaves its
   way, or is lost. */
static void lists_that_hold(void** state) {
    (void)state;
    static cloud c;
    uint64_t seed = 31;
    supi_neighbours lists = {0};
    random_cloud(&c, POINTS, 3.0, &seed);
    supi_neighbour_search s = {c.x, c.v, c.count, 2.5f, 0.1f, 0.05f, 0.15f};
    assert_true(supi_neighbours_find(&lists, sup_allocator_default(), NULL,
                                     supi_neighbour_kernels_find(SUP_SIMD_AUTO), &s));
    assert_true(supi_neighbours_hold(&lists, c.x, 0.0f, 1e-5f));
    for (int32_t i = 0; i < c.count; i++) {
        c.x[i].x += 0.1f * c.v[i].x + 0.7f;
        c.x[i].y += 0.1f * c.v[i].y - 0.2f;
        c.x[i].z += 0.1f * c.v[i].z;
    }
    assert_true(supi_neighbours_hold(&lists, c.x, 0.1f, 0.01f));
    c.x[17].z += 0.02f;
    assert_false(supi_neighbours_hold(&lists, c.x, 0.1f, 0.01f));
    c.x[17].z = NAN;
    assert_false(supi_neighbours_hold(&lists, c.x, 0.1f, 0.01f));
    supi_neighbours_free(&lists, sup_allocator_default());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_of_force),
        cmocka_unit_test(swing),
        cmocka_unit_test(crowd),
        cmocka_unit_test(friction_slows),
        cmocka_unit_test(one_place),
        cmocka_unit_test(step_limit),
        cmocka_unit_test(lists_of_neighbours),
        cmocka_unit_test(lists_of_a_lump),
        cmocka_unit_test(lists_that_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
