/* Which order rows have: that of the particles where springs go along their lines, else the Morton
   order. */
#include "blueprint/webs.h"

#include "blueprint/blueprint.h"
#include "geom/morton.h"
#include "ref/ref_random.h"

#include <stdlib.h>

static sup_web grid(int32_t nx, int32_t ny) {
    sup_weave_grid_def def = sup_weave_grid_default();
    sup_web web = {0};
    sup_error error = {0};
    def.count[0] = nx, def.count[1] = ny;
    assert_done(sup_weave_grid(NULL, &def, &web, &error), &error);
    return web;
}

static sup_blueprint* print_of(const sup_blueprint_def* def) {
    sup_blueprint* print = NULL;
    sup_error error = {0};
    assert_done(sup_blueprint_create(def, &print, &error), &error);
    return print;
}

static bool rows_are_ids(const sup_blueprint* b) {
    for (int32_t i = 0; i < b->info.particle_count; i++) {
        if (b->row_of[i] != i || b->id_of[i] != i) return false;
    }
    return true;
}

static bool rows_are_morton(const sup_blueprint* b, const sup_vec3* points) {
    int32_t count = b->info.particle_count;
    int32_t* order = malloc((size_t)count * sizeof *order);
    assert_non_null(order);
    assert_true(supi_morton_order(sup_allocator_default(), count, &points->x, 3, order));
    bool same = memcmp(order, b->id_of, (size_t)count * sizeof *order) == 0;
    free(order);
    return same;
}

static void sheets_in_lines_keep_their_order(void** state) {
    (void)state;
    const int32_t counts[][2] = {{40, 40}, {100, 30}, {33, 64}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        sup_web web = grid(counts[i][0], counts[i][1]);
        sup_blueprint_def def = sup_web_blueprint(&web);
        sup_blueprint* b = print_of(&def);
        assert_true(rows_are_ids(b));
        assert_non_null(b->net.straight);
        assert_non_null(b->net.once->straight);
        sup_blueprint_release(b);
        sup_web_free(&web);
    }
}

/* The same sheet with its particles in any order. */
static void shuffled_sheets_are_sorted(void** state) {
    (void)state;
    sup_web web = grid(40, 40);
    int32_t count = web.point_count, *to = malloc((size_t)count * sizeof *to);
    sup_vec3* points = malloc((size_t)count * sizeof *points);
    sup_spring* springs = malloc((size_t)web.spring_count * sizeof *springs);
    uint64_t seed = 5;
    assert_true(to && points && springs);
    ref_shuffle(&seed, count, to);
    for (int32_t i = 0; i < count; i++) points[to[i]] = web.points[i];
    for (int32_t i = 0; i < web.spring_count; i++) {
        springs[i] = web.springs[i];
        springs[i].a = to[springs[i].a];
        springs[i].b = to[springs[i].b];
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = count;
    def.springs = springs;
    def.spring_count = web.spring_count;
    def.layout = SUP_CLUSTERS_NONE;
    def.mass = 0.2;
    sup_blueprint* b = print_of(&def);
    assert_true(rows_are_morton(b, points));
    assert_null(b->net.straight);
    sup_blueprint_release(b);
    free(to);
    free(points);
    free(springs);
    sup_web_free(&web);
}

/* Clusters go by the Morton order, whatever springs there are beside them; without springs nothing
   has changed. */
static void clusters_are_sorted(void** state) {
    (void)state;
    sup_web web = grid(40, 40);
    for (int springs = 0; springs < 2; springs++) {
        sup_blueprint_def def = sup_blueprint_default();
        def.points = web.points;
        def.point_count = web.point_count;
        def.mass = 0.2;
        def.springs = springs ? web.springs : NULL;
        def.spring_count = springs ? web.spring_count : 0;
        sup_blueprint* b = print_of(&def);
        assert_true(rows_are_morton(b, web.points));
        sup_blueprint_release(b);
    }
    sup_web_free(&web);
}

/* A spring that names nobody is refused as ever. */
static void bad_springs_are_refused(void** state) {
    (void)state;
    sup_web web = grid(20, 20);
    sup_blueprint_def def = sup_web_blueprint(&web);
    sup_blueprint* b = NULL;
    sup_error error = {0};
    web.springs[7].b = web.point_count;
    def.springs = web.springs;
    assert_says(sup_blueprint_create(&def, &b, &error), SUP_BAD_ARGUMENT, &error, "names particle");
    sup_web_free(&web);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_in_lines_keep_their_order),
        cmocka_unit_test(shuffled_sheets_are_sorted),
        cmocka_unit_test(clusters_are_sorted),
        cmocka_unit_test(bad_springs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
