/* Springs that all workers share give the same bits as one worker: cloth in the wind that is
   limited, refined and torn, a balloon and a block that yields, each larger than a piece. */
#include "supple/weave.h"
#include "world/yard.h"

enum { STEPS = 8, KINDS = 5, SIDE = 36, PIECE = 1024 };

static int32_t steps(void) { return short_tests() ? 4 : STEPS; }

static sup_blueprint* print_of(sup_web* web, bool tears) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    const int32_t pins[2] = {0, SIDE - 1};
    sup_blueprint_def def = sup_web_blueprint(web);
    def.tears = tears;
    def.pins = pins;
    def.pin_count = tears ? 2 : 0;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    assert_true(sup_blueprint_get_info(print).particle_count > PIECE);
    sup_web_free(web);
    return print;
}

static sup_blueprint* cloth(int32_t levels, bool tears) {
    sup_weave_grid_def def = sup_weave_grid_default();
    sup_error error = {0};
    sup_web web;
    def.count[0] = def.count[1] = levels > 0 ? SIDE / 2 : SIDE;
    def.levels = levels;
    assert_ok(sup_weave_grid(NULL, &def, &web, &error), error);
    return print_of(&web, tears);
}

static sup_blueprint* balloon(void) {
    sup_weave_mesh_def def = sup_weave_mesh_default();
    sup_error error = {0};
    sup_mesh mesh;
    sup_web web;
    assert_ok(sup_mesh_icosphere(NULL, 0.4, 4, &mesh, &error), error);
    def.mesh = &mesh;
    def.young = 1.0; /* so that explicit steps are not too short */
    assert_ok(sup_weave_mesh(NULL, &def, &web, &error), error);
    sup_mesh_free(&mesh);
    return print_of(&web, false);
}

static sup_blueprint* block(void) {
    sup_weave_block_def def = sup_weave_block_default();
    sup_error error = {0};
    sup_web web;
    for (int k = 0; k < 3; k++) def.cells[k] = 8;
    def.cell = 0.05;
    assert_ok(sup_weave_block(NULL, &def, &web, &error), error);
    return print_of(&web, false);
}

static sup_spring_settings settings_of(int kind) {
    sup_spring_settings s = sup_spring_settings_default();
    if (kind == 0) s.limit = 0.05;
    if (kind == 1) s.tear = 0.01;
    if (kind == 2) s.refine_angle = 5.0;
    if (kind == 3) {
        s.pressure.inside = 0.1;
        s.solid.area = s.solid.bend = 1e-3;
        s.error_length = 0.01;
        s.integrator = SUP_INTEGRATOR_SYMPLECTIC;
    }
    if (kind == 4) {
        s.solid.volume = 1e4;
        s.anchor.frequency = 2.0;
        s.yield.strain = 1e-3;
    }
    return s;
}

static void run(sup_blueprint* const prints[KINDS], int32_t threads, uint64_t hashes[STEPS]) {
    sup_world_def def = sup_world_default();
    def.threads = threads;
    def.wind = sup_wind_default();
    def.wind.velocity[0] = 8.0;
    def.wind.gust = 4.0;
    sup_world* world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < KINDS; i++) {
        sup_body_def body = body_at(prints[i], 2.0 * i, 0.5, 0);
        body.velocity[1] = -3.0;
        body.springs = settings_of(i);
        add_body(world, &body);
    }
    for (int32_t i = 0; i < steps(); i++) {
        take_steps(world, 1);
        hashes[i] = sup_world_hash(world);
    }
    sup_spring_measures measures = sup_world_measure(world).springs;
    assert_true(measures.torn > 0 && measures.level == 1);
    sup_world_destroy(world);
}

static void workers_do_not_change_the_result(void** state) {
    (void)state;
    sup_blueprint* prints[KINDS] = {cloth(0, false), cloth(0, true), cloth(1, false), balloon(),
                                    block()};
    int32_t counts[3] = {2, 3, 0};
    const char* more = getenv("SUPPLE_TEST_WORKERS");
    if (more) counts[2] = (int32_t)strtol(more, NULL, 10);
    uint64_t wanted[STEPS], hashes[STEPS];
    run(prints, 1, wanted);
    for (int i = 0; i < 3; i++) {
        if (counts[i] == 0) continue;
        run(prints, counts[i], hashes);
        assert_memory_equal(hashes, wanted, (size_t)steps() * sizeof *wanted);
    }
    for (int i = 0; i < KINDS; i++) sup_blueprint_release(prints[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(workers_do_not_change_the_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
