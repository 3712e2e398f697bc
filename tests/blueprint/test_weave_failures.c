/* Weaves without memory and with files that fail: nothing leaks, nothing is half made. */
#include "blueprint/webs.h"
#include "failing_files.h"

#include <stdlib.h>

static sup_mesh sphere, torus;
static uint8_t voxels[27];

typedef sup_result weaver(const sup_allocator* allocator, sup_web* web, sup_error* error);

static sup_result grid(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_grid_def def = sup_weave_grid_default();
    return sup_weave_grid(allocator, &def, web, error);
}

static sup_result mesh(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &torus;
    return sup_weave_mesh(allocator, &def, web, error);
}

static sup_result block(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_block_def def = sup_weave_block_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    return sup_weave_block(allocator, &def, web, error);
}

static sup_result cells(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_voxels_def def = sup_weave_voxels_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.voxels = voxels;
    def.tets = true;
    return sup_weave_voxels(allocator, &def, web, error);
}

static sup_result tets(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const int32_t two[] = {0, 1, 2, 3, 1, 2, 3, 4};
    sup_weave_tets_def def = sup_weave_tets_default();
    def.point_count = 5, def.points = points;
    def.tet_count = 2, def.tets = two;
    return sup_weave_tets(allocator, &def, web, error);
}

static sup_result hexes(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const int32_t one[] = {0, 1, 2, 3, 4, 5, 6, 7};
    sup_weave_hexes_def def = sup_weave_hexes_default();
    def.point_count = 8, def.points = points;
    def.hex_count = 1, def.hexes = one;
    return sup_weave_hexes(allocator, &def, web, error);
}

static sup_result shell(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_shell_def def = sup_weave_shell_default();
    def.mesh = &sphere;
    def.layers = 2;
    def.centre = true;
    return sup_weave_shell(allocator, &def, web, error);
}

static sup_result rope(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_weave_rope_def def = sup_weave_rope_default();
    return sup_weave_rope(allocator, &def, web, error);
}

static void refused_memory_leaves_nothing(void** state) {
    (void)state;
    weaver* const weavers[] = {grid, mesh, block, cells, tets, hexes, shell, rope};
    for (size_t w = 0; w < sizeof weavers / sizeof *weavers; w++) {
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        sup_web web = {0};
        sup_error error = {0};
        assert_done(weavers[w](allocator, &web, &error), &error);
        check_web(&web);
        sup_web_free(&web);
        assert_int_equal(counter.blocks, 0);
        long long calls = counter.calls;
        assert_true(calls > 4);
        for (long long at = 1; at <= calls; at++) {
            for (int on = 0; on < 2; on++) {
                test_allocator_arm(&counter, at, on);
                assert_says(weavers[w](allocator, &web, &error), SUP_NO_MEMORY, &error, "memory");
                assert_int_equal(counter.blocks, 0);
                assert_int_equal(counter.bytes, 0);
                assert_null(web.points);
            }
        }
    }
}

static void every_web_makes_a_blueprint(void** state) {
    (void)state;
    weaver* const weavers[] = {grid, mesh, block, cells, tets, hexes, shell, rope};
    for (size_t w = 0; w < sizeof weavers / sizeof *weavers; w++) {
        sup_web web = {0};
        sup_error error = {0};
        sup_blueprint* blueprint = NULL;
        assert_done(weavers[w](NULL, &web, &error), &error);
        const sup_blueprint_def def = sup_web_blueprint(&web);
        assert_done(sup_blueprint_create(&def, &blueprint, &error), &error);
        sup_blueprint_info info = sup_blueprint_get_info(blueprint);
        assert_int_equal(info.particle_count, web.point_count);
        assert_int_equal(info.spring_count, web.spring_count);
        assert_int_equal(info.vertex_count, web.surface.point_count);
        sup_vec3* rest = calloc((size_t)web.point_count, sizeof *rest);
        sup_blueprint_read_rest(blueprint, rest);
        assert_memory_equal(rest, web.points, (size_t)web.point_count * sizeof *rest);
        free(rest);
        sup_blueprint_release(blueprint);
        sup_web_free(&web);
    }
}

static void struts_without_memory_change_nothing(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_web web = {0};
    sup_error error = {0};
    assert_done(mesh(allocator, &web, &error), &error);
    const sup_weave_struts_def def = sup_weave_struts_default();
    long long blocks = counter.blocks, at = 1;
    for (;; at++) {
        const sup_web before = web;
        test_allocator_arm(&counter, at, false);
        if (sup_weave_struts(&def, &web, &error) == SUP_OK) break;
        assert_int_equal(error.code, SUP_NO_MEMORY);
        assert_int_equal(counter.blocks, blocks);
        assert_memory_equal(&web, &before, sizeof web);
    }
    assert_true(at > 8);
    assert_true(count_kind(&web, SUP_SPRING_STRUT) > 0);
    check_web(&web);
    sup_web_free(&web);
    assert_int_equal(counter.blocks, 0);
}

/* ---- Files ---- */

static sup_weave_voxels_def raw_def(void) {
    sup_weave_voxels_def def = sup_weave_voxels_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    return def;
}

static void raw_files_give_the_same_web(void** state) {
    (void)state;
    static failing_disk disk;
    const sup_file_gate gate = failing_gate(&disk);
    failing_place_bytes(&disk, "body.raw", voxels, sizeof voxels);
    sup_web read = {0}, made = {0};
    sup_error error = {0};
    sup_weave_voxels_def def = raw_def();
    assert_done(sup_weave_load_voxels(NULL, &gate, "body.raw", &def, &read, &error), &error);
    def.voxels = voxels;
    assert_done(sup_weave_voxels(NULL, &def, &made, &error), &error);
    assert_int_equal(read.spring_count, made.spring_count);
    assert_memory_equal(read.points, made.points, (size_t)made.point_count * sizeof *made.points);
    for (int32_t s = 0; s < made.spring_count; s++) {
        assert_int_equal(read.springs[s].b, made.springs[s].b);
        assert_near((double)read.springs[s].stiffness, (double)made.springs[s].stiffness, 0);
    }
    sup_web_free(&read);
    sup_web_free(&made);
    failing_wipe(&disk);
}

/* Every size but the right one is refused. */
static void raw_files_of_another_size_are_refused(void** state) {
    (void)state;
    uint8_t bytes[64];
    memset(bytes, 1, sizeof bytes);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        static failing_disk disk;
        const sup_file_gate gate = failing_gate(&disk);
        failing_place_bytes(&disk, "body.raw", bytes, size);
        sup_web web = {0};
        sup_error error = {0};
        sup_weave_voxels_def def = raw_def();
        sup_result result = sup_weave_load_voxels(NULL, &gate, "body.raw", &def, &web, &error);
        if (size == 27) {
            assert_done(result, &error);
            sup_web_free(&web);
        } else {
            assert_says(result, SUP_BAD_FILE, &error, "3 x 3 x 3 voxels are 27");
            assert_null(web.points);
        }
        failing_wipe(&disk);
    }
}

static void failing_files_and_memory_leave_nothing(void** state) {
    (void)state;
    static failing_disk disk;
    const sup_file_gate gate = failing_gate(&disk);
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_web web = {0};
    sup_error error = {0};
    const sup_weave_voxels_def def = raw_def();
    assert_says(sup_weave_load_voxels(allocator, &gate, "none.raw", &def, &web, &error),
                SUP_NOT_FOUND, &error, "none.raw");
    failing_place_bytes(&disk, "body.raw", voxels, sizeof voxels);
    for (int at = 1; at <= 2; at++) {
        disk.plan = (failing_plan){.fail_at = at};
        assert_says(sup_weave_load_voxels(allocator, &gate, "body.raw", &def, &web, &error), SUP_IO,
                    &error, "body.raw");
        assert_int_equal(counter.blocks, 0);
    }
    disk.plan = (failing_plan){0};
    for (long long at = 1;; at++) {
        test_allocator_arm(&counter, at, false);
        sup_result result = sup_weave_load_voxels(allocator, &gate, "body.raw", &def, &web, &error);
        if (result == SUP_OK) break;
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(counter.blocks, 0);
    }
    sup_web_free(&web);
    assert_int_equal(counter.blocks, 0);
    failing_wipe(&disk);
}

static int make_input(void** state) {
    (void)state;
    for (size_t k = 0; k < sizeof voxels; k++) voxels[k] = k % 5 != 3;
    return sup_mesh_icosphere(NULL, 1, 1, &sphere, NULL) ||
           sup_mesh_torus(NULL, 1, 0.3, 12, 8, &torus, NULL);
}

static int free_input(void** state) {
    (void)state;
    sup_mesh_free(&sphere);
    sup_mesh_free(&torus);
    return 0;
}

/* Counts without arrays are refused, not read. */
static void missing_arrays_are_refused(void** state) {
    (void)state;
    sup_web web;
    sup_error error = {0};
    sup_weave_tets_def tets = sup_weave_tets_default();
    sup_weave_hexes_def hexes = sup_weave_hexes_default();
    sup_weave_voxels_def none = sup_weave_voxels_default();
    tets.point_count = hexes.point_count = 8;
    tets.tet_count = hexes.hex_count = 1;
    for (int k = 0; k < 3; k++) none.cells[k] = 2;
    assert_int_equal(sup_weave_tets(NULL, &tets, &web, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "without its array"));
    assert_int_equal(sup_weave_hexes(NULL, &hexes, &web, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "without its array"));
    assert_int_equal(sup_weave_voxels(NULL, &none, &web, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no voxels"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_memory_leaves_nothing),
        cmocka_unit_test(every_web_makes_a_blueprint),
        cmocka_unit_test(struts_without_memory_change_nothing),
        cmocka_unit_test(raw_files_give_the_same_web),
        cmocka_unit_test(raw_files_of_another_size_are_refused),
        cmocka_unit_test(failing_files_and_memory_leave_nothing),
        cmocka_unit_test(missing_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, make_input, free_input);
}
