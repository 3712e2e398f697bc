/* What springs keep beside their blueprint: through exchanges, shortages of memory, tears and
   snapshots. */
#include "allocators.h"
#include "blueprint/sheet.h"
#include "supple/snapshot.h"
#include "world/cuts.h"
#include "world/tears.h"

/* Not the header of this name beside this file. */
#include "../../src/world/springs.h"
#include "world/spring_forces.h"

/* ---- Blueprints that go ---- */

static void* take(void* user, size_t size, size_t alignment) {
    (void)user;
    return aligned_alloc(alignment, size);
}

/* Whoever reads on finds nothing. */
static void erase(void* user, void* pointer, size_t size) {
    (void)user;
    volatile unsigned char* byte = pointer; /* or the compiler leaves it out */
    for (size_t i = 0; pointer && i < size; i++) byte[i] = 0;
    free(pointer);
}

static const sup_allocator erasing = {NULL, take, erase};

/* A sheet of which the first row of particles has anchors. */
static sup_blueprint* anchored_sheet(bool tears) {
    sup_web web;
    sup_error error = {0};
    const sheet_def sheet = {.along = 9, .across = 9};
    int32_t anchors[9];
    weave_sheet(&sheet, &web);
    for (int32_t i = 0; i < 9; i++) anchors[i] = i;
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.allocator = &erasing;
    def.anchors = anchors;
    def.anchor_count = 9;
    def.tears = tears;
    def.spare = 8;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

static sup_body_def anchored_def(sup_blueprint* print) {
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.anchor = (sup_spring_anchor){100.0, 1.0, SUP_ANCHOR_FIXED};
    return def;
}

/* An equal blueprint takes the place of one that goes: all is as if nothing had happened. */
static void anchors_outlive_their_blueprint(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        sup_world* world = make_world(NULL);
        sup_blueprint *first = anchored_sheet(false), *second = anchored_sheet(false);
        sup_error error = {0};
        const sup_body_def def = anchored_def(first);
        sup_body body = add_body(world, &def);
        sup_blueprint_release(first);
        take_steps(world, 2);
        if (k) assert_ok(sup_body_set_blueprint(world, body, second, &error), error);
        take_steps(world, 20);
        hashes[k] = sup_world_hash(world);
        sup_blueprint_release(second);
        sup_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* ---- Tears ---- */

/* What was parted from an anchored particle is anchored too. */
static void both_sides_of_a_crack_are_anchored(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = anchored_sheet(true);
    sup_body_def def = anchored_def(print);
    def.springs.tear = 0.01;
    sup_body handle = add_body(world, &def);
    swarm s = read_swarm(world, handle);
    for (int32_t i = 0; i < s.count; i++) s.v[i].x = s.x[i].x < 0.0 ? -8.0f : 8.0f;
    assert_int_equal(sup_body_write_particles(world, handle, s.x, s.v, NULL), SUP_OK);
    const supi_body* body = supi_world_body(world, handle);
    take_steps(world, 30);
    const supi_tear* t = supi_tear_of(body);
    int32_t checked = 0, rows = supi_tears_rows(print);
    for (int32_t r = rows; r < rows + t->torn; r++) {
        if (print->id_of[t->origin[r]] >= 9) continue;
        assert_true(body->elastic->beside->held[r]);
        checked++;
    }
    print_message("%d parted, %d of them from anchored ones\n", (int)t->torn, (int)checked);
    assert_true(checked > 0);
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* A pinned particle needs no mass, also where the surface tears: what is saved can be read. */
static void pins_without_mass_come_back(void** state) {
    (void)state;
    sup_web web;
    sup_error error = {0};
    const sheet_def sheet = {.along = 5, .across = 5};
    const int32_t pin = 0;
    weave_sheet(&sheet, &web);
    web.masses[0] = 0.0f;
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.pins = &pin;
    def.pin_count = 1;
    def.tears = true;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    add_sheet(world, print, 0.5);
    take_steps(world, 3);
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    take_steps(world, 3);
    take_steps(other, 3);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
    sup_web_free(&web);
}

/* Tetrahedra are made of particles, not of those that wait to become some. */
static void spare_particles_have_no_tetrahedra(void** state) {
    (void)state;
    sup_web web;
    sup_error error = {0};
    const sheet_def sheet = {.along = 5, .across = 5};
    weave_sheet(&sheet, &web);
    web.points[7].y = web.surface.points[7].y = 0.01f; /* of spare particle 32 the host */
    int32_t tet[4] = {0, 1, 5, 32};
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.tears = true;
    def.tets = tet;
    def.tet_count = 1;
    for (int k = 0; k < 2; k++) {
        sup_blueprint* print = NULL;
        assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
        if (!strstr(error.text, "names particle 32, there are 25")) fail_msg("%s", error.text);
        tet[0] = 1;
        tet[1] = 0;
    }
    sup_web_free(&web);
}

/* ---- Cuts ---- */

/* Under its weight alone every anchored particle sags by g / w^2, also where cells of two sizes
   meet: nobody's mass counts twice. */
static void anchors_know_who_hangs(void** state) {
    (void)state;
    static const sup_integrator both[2] = {SUP_INTEGRATOR_IMPLICIT, SUP_INTEGRATOR_SYMPLECTIC};
    sup_web web;
    sup_error error = {0};
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = 5;
    grid.levels = 1;
    grid.stretch = grid.shear = 1e-3; /* next to nothing */
    grid.bend = 0;
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    const int32_t pin = 4 * 9 + 3; /* in the middle of an edge: the cells around it are cut */
    sup_blueprint_def print_def = sup_web_blueprint(&web);
    print_def.pins = &pin;
    print_def.pin_count = 1;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&print_def, &print, &error), error);
    for (int k = 0; k < 2; k++) {
        sup_world* world = make_wakeful_world();
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.anchor = (sup_spring_anchor){20.0, 1.0, SUP_ANCHOR_FIXED};
        def.springs.integrator = both[k];
        const supi_body* body = supi_world_body(world, add_body(world, &def));
        take_steps(world, 240);
        assert_true(body->elastic->cuts->tie_count > 0);
        for (int32_t r = 0; r < print->info.particle_count; r++) {
            if (!(supi_cuts_inverse_mass(body, r) > 0.0f)) continue;
            double sag = -body->anchor[1] - (double)world->now.x[body->row + r].y;
            if (!(fabs(sag - 9.81 / 400.0) < 1e-4)) fail_msg("row %d sags %g m", (int)r, sag);
        }
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
    sup_web_free(&web);
}

/* ---- Shortage of memory ---- */

/* Wind that dies down needs no memory: else some bodies would feel it and others not. */
static void calm_needs_no_memory(void** state) {
    (void)state;
    sup_blueprint* print = anchored_sheet(false);
    const sup_wind calm = sup_world_default().wind;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        test_allocator counter;
        sup_world_def def = sup_world_default();
        def.allocator = test_allocator_init(&counter);
        def.wind = sup_wind_default();
        def.wind.velocity[0] = 10.0;
        sup_world* world = make_world(&def);
        sup_body_def body = body_at(print, 0, 0, 0);
        add_body(world, &body);
        body.position[1] = 5.0;
        body.springs.anchor.frequency = 10.0;
        add_body(world, &body);
        take_steps(world, 2);
        test_allocator_arm(&counter, k, true);
        assert_int_equal(sup_world_set_wind(world, &calm, NULL), SUP_OK);
        test_allocator_arm(&counter, 0, false);
        take_steps(world, 3);
        hashes[k] = sup_world_hash(world);
        sup_world_destroy(world);
        assert_int_equal(counter.blocks, 0);
    }
    assert_true(hashes[0] == hashes[1]);
    sup_blueprint_release(print);
}

/* ---- Broken states ---- */

/* Cloth that is cut and has no sound place left takes its rest shape, with the masses of its cells
   as they are: it can be saved and read. */
static void broken_cloth_keeps_the_masses_of_its_cells(void** state) {
    (void)state;
    sup_web web;
    sup_error error = {0};
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = 4;
    grid.levels = 2;
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    const sup_blueprint_def print_def = sup_web_blueprint(&web);
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&print_def, &print, &error), error);
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    const sup_body_def def = body_at(print, 0, 0, 0);
    const supi_body* body = supi_world_body(world, add_body(world, &def));
    take_steps(world, 1);
    world->now.x[body->row].y = world->before.x[body->row].y = NAN;
    take_steps(world, 1);
    for (int32_t r = 0; r < print->row_count; r++) {
        assert_true(world->now.x[body->row + r].w == supi_cuts_inverse_mass(body, r));
        assert_true(world->now.v[body->row + r].w == supi_cuts_radius(body, r));
    }
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
    sup_blueprint_release(print);
    sup_web_free(&web);
}

/* ---- Snapshots ---- */

/* Steps of a length that step control never takes are refused: it would not get anywhere. */
static void impossible_steps_are_refused(void** state) {
    (void)state;
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    sup_blueprint* print = anchored_sheet(false);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.integrator = SUP_INTEGRATOR_SYMPLECTIC;
    const sup_body body = add_body(world, &def);
    take_steps(world, 1);
    for (int32_t level = 10; level < 12; level++) {
        sup_bytes bytes = {0};
        sup_error error = {0};
        supi_world_body(world, body)->elastic->past.steps.level = level;
        assert_ok(sup_world_save(world, &bytes, &error), error);
        sup_result result = sup_world_restore(other, bytes.data, bytes.size, &error);
        assert_int_equal(result, level == 10 ? SUP_OK : SUP_BAD_FILE);
        take_steps(other, 1);
        sup_bytes_free(&bytes);
    }
    sup_world_destroy(world);
    sup_world_destroy(other);
    sup_blueprint_release(print);
}

/* A snapshot whose blueprint is `print`, but with what `wrong` has, is refused. */
static void is_refused(sup_blueprint* print, const sup_blueprint* wrong, const char* why) {
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    const sup_body_def def = body_at(print, 0, 0, 0);
    sup_bytes bytes = {0};
    sup_error error = {0};
    add_body(world, &def);
    print->loose = wrong->loose;
    print->refine = wrong->refine;
    supi_sheet_derive(print);
    print->hash = supi_blueprint_hash(print);
    assert_ok(sup_world_save(world, &bytes, &error), error);
    sup_result result = sup_world_restore(other, bytes.data, bytes.size, &error);
    if (result == SUP_OK) take_steps(other, 2);
    assert_int_equal(result, SUP_BAD_FILE);
    if (!strstr(error.text, why)) fail_msg("%s", error.text);
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
    sup_blueprint_release(print);
}

/* What no definition can ask for no file can either: springs alone, but none; cloth that both tears
   and is cut. */
static void impossible_blueprints_are_refused(void** state) {
    (void)state;
    is_refused(ball_of(0.5, 1, sup_blueprint_default()), &(sup_blueprint){.loose = true},
               "springs");
    const sheet_def sheet = {.along = 9, .across = 9, .tears = true};
    const supi_refine_grid grid = {.cells = {4, 4}, .levels = 1, .stretch = {1, 1}};
    is_refused(sheet_of(&sheet), &(sup_blueprint){.loose = true, .refine = grid}, "tear");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anchors_outlive_their_blueprint),
        cmocka_unit_test(both_sides_of_a_crack_are_anchored),
        cmocka_unit_test(pins_without_mass_come_back),
        cmocka_unit_test(spare_particles_have_no_tetrahedra),
        cmocka_unit_test(anchors_know_who_hangs),
        cmocka_unit_test(calm_needs_no_memory),
        cmocka_unit_test(broken_cloth_keeps_the_masses_of_its_cells),
        cmocka_unit_test(impossible_steps_are_refused),
        cmocka_unit_test(impossible_blueprints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
