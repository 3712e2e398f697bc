/* Surfaces that tear: what must not change, what hangs together, and that a torn body is saved,
   undone and mended like any other. */
#include "sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocators.h"
#include "failing_files.h"
#include "supple/files.h"
#include "supple/snapshot.h"
#include "world/tears.h"

static const sheet_def PULLED = {24, 16, 0, false, true, true, 1.0};

static int32_t torn_of(const sup_world* world, sup_body body) {
    return measure_springs(world, body).torn;
}

/* Pulls a sheet until it has parted `least` times. */
static void tear_sheet(sup_world* world, sup_body body, int32_t least) {
    for (int i = 0; i < 200 && torn_of(world, body) < least; i++) {
        pull_sheet(world, body, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
    }
    assert_true(torn_of(world, body) >= least);
}

/* ---- What does not change ---- */

typedef struct sums {
    double mass, momentum[3], kinetic;
} sums;

/* Floats times floats, in doubles. */
static sums sum_rows(const sup_world* world, const supi_body* body) {
    sums out = {0};
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        const sup_row* v = world->now.v + body->row + r;
        double m = (double)supi_tear_masses(body)[r];
        const double u[3] = {(double)v->x, (double)v->y, (double)v->z};
        out.mass += m;
        for (int k = 0; k < 3; k++) {
            out.momentum[k] += m * u[k];
            out.kinetic += 0.5 * m * u[k] * u[k];
        }
    }
    return out;
}

/* Tearing as such, without the motion of a step around it. */
static void parting_keeps_mass_momentum_and_energy(void** state) {
    (void)state;
    for (int triangles = 0; triangles < 2; triangles++) {
        sup_world* world = make_weightless_world();
        sheet_def sheet = PULLED;
        sheet.held = false;
        sheet.triangles = triangles;
        sup_body handle = add_sheet(world, sheet_of(&sheet), 0.2);
        supi_body* body = supi_world_body(world, handle);
        sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
        for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
            x[r].x *= 1.3f;
            v[r].x = 0.3f + x[r].z;
            v[r].y = x[r].x * x[r].z;
        }
        for (int32_t torn = -1; torn < torn_of(world, handle);) {
            sums before = sum_rows(world, body);
            torn = torn_of(world, handle);
            supi_tear_open(body, x, v);
            supi_tear_wait(body, x, v);
            sums after = sum_rows(world, body);
            assert_true(fabs(after.mass - before.mass) <= 1e-15 * before.mass);
            assert_true(fabs(after.kinetic - before.kinetic) <= 1e-14 * before.kinetic);
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(after.momentum[k] - before.momentum[k]) <= 1e-14 * before.mass);
            }
            check_sheet(world, handle);
        }
        assert_true(torn_of(world, handle) > 100);
        sup_world_destroy(world);
    }
}

/* A free sheet that flies apart, moved by forces that are opposite to the last bit. */
static void momentum_stays_through_tearing(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sheet_def sheet = PULLED;
    sheet.held = false;
    sup_body handle = add_sheet(world, sheet_of(&sheet), 0.1);
    sup_error error = {0};
    sup_spring_settings settings = sup_spring_settings_default();
    settings.integrator = SUP_INTEGRATOR_SYMPLECTIC;
    settings.drag = 0.0;
    settings.tear = 0.1;
    assert_ok(sup_body_set_springs(world, handle, &settings, &error), error);
    supi_body* body = supi_world_body(world, handle);
    sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    double scale = 0.0;
    for (int32_t r = 0; r < supi_tears_rows(body->blueprint); r++) {
        v[r].x = 80.0f * x[r].x + 1.0f;
        v[r].z = 4.0f * x[r].z;
        scale += (double)body->blueprint->mass[r] * fabs((double)v[r].x);
    }
    sums before = sum_rows(world, body);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
        check_sheet(world, handle);
        sums after = sum_rows(world, body);
        assert_true(after.mass == before.mass);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1e-5 * scale);
        }
    }
    sup_world_destroy(world);
}

/* As long as nothing tears, a sheet that could moves like one that could not, to the last bit. */
static void what_can_tear_moves_alike(void** state) {
    (void)state;
    sheet_def sheet = PULLED;
    sup_world* worlds[2];
    sup_body bodies[2];
    for (int i = 0; i < 2; i++) {
        sheet.tears = i == 1;
        worlds[i] = make_world(NULL);
        bodies[i] = add_sheet(worlds[i], sheet_of(&sheet), i == 1 ? 10.0 : 0.0);
    }
    int32_t count = 24 * 16;
    sup_point* places[2] = {calloc(2 * 384, sizeof(sup_point)), calloc(2 * 384, sizeof(sup_point))};
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 2; i++) {
            pull_sheet(worlds[i], bodies[i], 0.01);
            assert_int_equal(sup_world_step(worlds[i], FRAME), SUP_OK);
            sup_body_read_particles(worlds[i], bodies[i], places[i], NULL);
        }
        assert_memory_equal(places[0], places[1], (size_t)count * sizeof **places);
    }
    for (int i = 0; i < 2; i++) {
        sup_world_destroy(worlds[i]);
        free(places[i]);
    }
}

/* ---- What hangs together ---- */

/* From a notch in its side a crack runs through to the other one. */
static void a_notched_sheet_ends_in_two(void** state) {
    (void)state;
    for (int triangles = 0; triangles < 2; triangles++) {
        sup_world* world = make_weightless_world();
        sheet_def sheet = PULLED;
        sheet.triangles = triangles;
        sheet.notch = 4;
        sup_body handle = add_sheet(world, sheet_of(&sheet), 0.25);
        sup_blueprint_info info = sup_blueprint_get_info(sup_body_blueprint(world, handle));
        int32_t told = 0;
        for (int i = 0; i < 150; i++) {
            pull_sheet(world, handle, 0.01);
            assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
            check_sheet(world, handle);
            int32_t count;
            const sup_event* events = sup_world_events(world, &count);
            for (int32_t k = 0; k < count; k++) {
                if (events[k].kind == SUP_EVENT_BODY_TORN) told += (int32_t)events[k].value;
            }
        }
        const supi_body* body = supi_world_body(world, handle);
        int32_t *pieces = pieces_of(body), *pins = body->blueprint->pins;
        int32_t count = body->blueprint->pin_count, left = -1, right = -1;
        for (int32_t i = 0; i < count; i++) {
            bool is_right = body->blueprint->rest[pins[i]].x > 0.0f;
            int32_t* end = is_right ? &right : &left;
            if (*end < 0) *end = pins[i];
            assert_int_equal(pieces[pins[i]], pieces[*end]);
        }
        assert_int_not_equal(pieces[left], pieces[right]);
        int32_t sizes[2] = {piece_size(body, pieces, left), piece_size(body, pieces, right)};
        print_message("parted %d times into %d and %d of %d polygons\n",
                      (int)torn_of(world, handle), (int)sizes[0], (int)sizes[1],
                      (int)info.polygon_count);
        assert_true(sizes[0] + sizes[1] >= info.polygon_count * 95 / 100);
        assert_true(abs(sizes[0] - sizes[1]) <= info.polygon_count / 5);
        assert_int_equal(told, torn_of(world, handle));
        assert_int_equal(info.vertex_count, info.corner_count);
        assert_true(measure_springs(world, handle).most_strain < 0.25); /* nothing pulls any more */
        free(pieces);
        sup_world_destroy(world);
    }
}

/* When there are no spare particles left, it holds. */
static void it_stops_without_spare_particles(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sheet_def sheet = PULLED;
    sheet.spare = 0.02;
    sup_body handle = add_sheet(world, sheet_of(&sheet), 0.2);
    tear_sheet(world, handle, 8);
    for (int i = 0; i < 20; i++) {
        pull_sheet(world, handle, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
        check_sheet(world, handle);
    }
    assert_int_equal(torn_of(world, handle), 8);
    sup_world_destroy(world);
}

static void vertices_say_which_particles_they_follow(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    sup_blueprint_info info = sup_blueprint_get_info(sup_body_blueprint(world, handle));
    size_t count = (size_t)info.vertex_count;
    int32_t *whole = calloc(count, sizeof *whole), *torn = calloc(count, sizeof *torn);
    sup_vec3* vertices = calloc(count, sizeof *vertices);
    sup_point* places = calloc((size_t)info.particle_count, sizeof *places);
    assert_int_equal(sup_body_read_vertex_particles(world, handle, whole), SUP_OK);
    tear_sheet(world, handle, 5);
    assert_int_equal(sup_body_read_vertex_particles(world, handle, torn), SUP_OK);
    assert_int_equal(sup_body_read_vertices(world, handle, NULL, vertices), SUP_OK);
    assert_int_equal(sup_body_read_particles(world, handle, places, NULL), SUP_OK);
    int32_t changed = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(whole[i] < info.particle_count - info.spare_count);
        changed += torn[i] != whole[i];
        if (torn[i] != whole[i]) assert_true(torn[i] >= info.particle_count - info.spare_count);
        assert_float_equal(vertices[i].x, places[torn[i]].x, 1e-6);
        assert_float_equal(vertices[i].z, places[torn[i]].z, 1e-6);
    }
    assert_true(changed >= 5);
    free(whole);
    free(torn);
    free(vertices);
    free(places);
    sup_world_destroy(world);
}

/* ---- Saved, undone, mended ---- */

static void a_torn_body_goes_on_from_a_snapshot(void** state) {
    (void)state;
    sup_error error = {0};
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    tear_sheet(world, handle, 6);
    sup_bytes bytes;
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    int32_t torn = torn_of(world, handle);
    for (int i = 0; i < 30; i++) {
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        check_sheet(other, handle);
        pull_sheet(world, handle, 0.02);
        pull_sheet(other, handle, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
        assert_int_equal(sup_world_step(other, FRAME), SUP_OK);
    }
    assert_true(torn_of(world, handle) > torn);
    /* And the first goes back. */
    assert_ok(sup_world_restore(world, bytes.data, bytes.size, &error), error);
    assert_int_equal(torn_of(world, handle), torn);
    check_sheet(world, handle);
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* States that no tearing leads to. */
static void impossible_tears_are_refused(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    tear_sheet(world, handle, 6);
    supi_body* body = supi_world_body(world, handle);
    supi_tear* t = body->elastic->tear;
    int32_t first = supi_tears_rows(body->blueprint);
    assert_true(supi_tear_adopt(body));
    for (int fault = 0; fault < 5; fault++) {
        int32_t torn = t->torn, row = t->rows[0];
        float mass = t->mass[first], waits = t->mass[first + torn];
        if (fault == 0) t->torn++; /* a spare row without corners */
        if (fault == 1) t->torn--; /* corners at one that waits */
        if (fault == 2) t->rows[0] = row == 5 ? 6 : 5;
        if (fault == 3) t->mass[first] *= 2.0f;
        if (fault == 4) t->mass[first + torn] = 1.0f;
        assert_false(supi_tear_adopt(body));
        t->torn = torn;
        t->rows[0] = row;
        t->mass[first] = mass;
        t->mass[first + torn] = waits;
    }
    assert_true(supi_tear_adopt(body));
    check_sheet(world, handle);
    sup_world_destroy(world);
}

static void a_reset_mends_it(void** state) {
    (void)state;
    sup_world *world = make_world(NULL), *fresh = make_world(NULL);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    sup_body other = add_sheet(fresh, sheet_of(&PULLED), 0.2);
    tear_sheet(world, handle, 6);
    assert_int_equal(sup_body_reset(world, handle), SUP_OK);
    assert_int_equal(torn_of(world, handle), 0);
    check_sheet(world, handle);
    const supi_body *a = supi_world_body(world, handle), *b = supi_world_body(fresh, other);
    size_t rows = (size_t)a->blueprint->row_count;
    for (int i = 0; i < 20; i++) {
        assert_memory_equal(world->now.x + a->row, fresh->now.x + b->row, rows * sizeof(sup_row));
        pull_sheet(world, handle, 0.02);
        pull_sheet(fresh, other, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
        assert_int_equal(sup_world_step(fresh, FRAME), SUP_OK);
    }
    sup_world_destroy(world);
    sup_world_destroy(fresh);
}

/* A body that is broken in the middle of tearing comes back sound. */
static void containment_leaves_it_sound(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    tear_sheet(world, handle, 6);
    for (int way = 0; way < 3; way++) {
        supi_body* body = supi_world_body(world, handle);
        int32_t row = way == 0 ? 3 : supi_tears_rows(body->blueprint) + (way == 1 ? 0 : 40);
        world->now.x[body->row + row].y = NAN;
        world->now.v[body->row + row].x = INFINITY;
        for (int i = 0; i < 5; i++) {
            assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
            check_sheet(world, handle);
        }
    }
    sup_world_destroy(world);
}

/* A step that runs out of memory once it has torn the surface leaves it as it was. */
static void a_failed_step_undoes_its_tears(void** state) {
    (void)state;
    sup_error error = {0};
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&def);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    tear_sheet(world, handle, 3);
    supi_body* body = supi_world_body(world, handle);
    for (int32_t r = 0; r < body->blueprint->row_count; r++) world->now.x[body->row + r].x *= 1.2f;
    sup_collider_def ball = sup_collider_default();
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.radius = 0.3;
    assert_ok(sup_collider_create(world, &ball, NULL, &error), error);
    uint64_t hash = sup_world_hash(world);
    int32_t torn = torn_of(world, handle);
    test_allocator_arm(&counter, 1, true);
    assert_int_equal(sup_world_step(world, FRAME), SUP_NO_MEMORY);
    assert_true(sup_world_hash(world) == hash);
    assert_int_equal(torn_of(world, handle), torn);
    check_sheet(world, handle);
    test_allocator_arm(&counter, 0, false);
    assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
    assert_true(torn_of(world, handle) > torn);
    check_sheet(world, handle);
    sup_world_destroy(world);
}

static void tearing_allocates_nothing(void** state) {
    (void)state;
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&def);
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    for (int i = 0; i < 3; i++) assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
    test_allocator_arm(&counter, 0, false);
    for (int i = 0; i < 60; i++) {
        pull_sheet(world, handle, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
    }
    assert_true(torn_of(world, handle) > 6);
    assert_int_equal(counter.calls, 0);
    sup_world_destroy(world);
    assert_int_equal(counter.blocks, 0);
}

/* Memory that is short while a sheet is made. */
static void making_it_fails_cleanly(void** state) {
    (void)state;
    sup_error error = {0};
    sup_web web;
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = 5;
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    test_allocator counter;
    sup_world_def world_def = sup_world_default();
    world_def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&world_def);
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.allocator = &counter.table;
    def.tears = true;
    bool made = false;
    for (int n = 1; !made && n < 1000; n++) {
        long long blocks = atomic_load(&counter.blocks);
        sup_blueprint* print = NULL;
        sup_body_def body = sup_body_default();
        test_allocator_arm(&counter, n, false);
        sup_result result = sup_blueprint_create(&def, &print, &error);
        body.blueprint = print;
        body.springs.tear = 0.2;
        if (result == SUP_OK) result = sup_body_create(world, &body, NULL, &error);
        made = result == SUP_OK;
        if (!made) assert_int_equal(result, SUP_NO_MEMORY);
        sup_blueprint_release(print);
        /* Columns of the world that have grown stay so. */
        if (!made && !print) assert_int_equal(atomic_load(&counter.blocks), blocks);
    }
    assert_true(made);
    sup_world_destroy(world);
    assert_int_equal(atomic_load(&counter.blocks), 0);
    sup_web_free(&web);
}

static void threads_tear_alike(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        sup_world_def def = sup_world_default();
        def.threads = i == 0 ? 1 : 4;
        if (i == 1 && every_copy()) def.simd = SUP_SIMD_SCALAR;
        sup_world* world = make_world(&def);
        sheet_def sheet = PULLED;
        sheet.along = short_tests() ? 32 : 64;
        sheet.across = short_tests() ? 20 : 40;
        sup_body handle = add_sheet(world, sheet_of(&sheet), 0.15);
        for (int step = 0; step < 30; step++) {
            pull_sheet(world, handle, 0.05);
            assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
        }
        assert_true(torn_of(world, handle) > 10);
        hashes[i] = sup_world_hash(world);
        sup_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* All integrators can tear, also those that take their own steps. */
static void every_integrator_tears(void** state) {
    (void)state;
    for (int k = SUP_INTEGRATOR_IMPLICIT; k <= SUP_INTEGRATOR_RK4; k++) {
        if (k == SUP_INTEGRATOR_EULER) continue; /* explodes */
        sup_error error = {0};
        sup_world* world = make_world(NULL);
        sheet_def sheet = {12, 8, 0, false, true, true, 1.0};
        sup_body handle = add_sheet(world, sheet_of(&sheet), 0.2);
        sup_spring_settings settings = sup_spring_settings_default();
        settings.integrator = (sup_integrator)k;
        settings.tear = 0.2;
        assert_ok(sup_body_set_springs(world, handle, &settings, &error), error);
        for (int i = 0; i < 60; i++) {
            pull_sheet(world, handle, 0.01);
            assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
            check_sheet(world, handle);
        }
        assert_true(torn_of(world, handle) >= 6);
        sup_world_destroy(world);
    }
}

/* ---- Files ---- */

enum { FRAMES = 40 };

static sup_result open_animation(const char* path, const sup_file_gate* gate,
                                 const sup_surface* surface, sup_animation** out,
                                 sup_error* error) {
    if (strstr(path, ".pc2")) return sup_pc2_open(NULL, gate, path, 1, surface, 60, out, error);
    return sup_glb_open(NULL, gate, path, 1, surface, 60, FRAMES, FRAMES, out, error);
}

/* An animation of it has the same vertices and polygons in every frame. */
static void check_animation(const char* path) {
    sup_error error = {0};
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_world* world = make_weightless_world();
    sup_body handle = add_sheet(world, sheet_of(&PULLED), 0.2);
    const sup_blueprint* print = sup_body_blueprint(world, handle);
    sup_blueprint_info info = sup_blueprint_get_info(print);
    sup_surface surface = {
        .name = "sheet", .point_count = info.vertex_count, .polygon_count = info.polygon_count};
    sup_blueprint_get_surface(print, &surface.starts, &surface.corners);
    sup_vec3* points = calloc((size_t)info.vertex_count, sizeof *points);
    sup_animation* animation;
    assert_ok(open_animation(path, &gate, &surface, &animation, &error), error);
    for (int i = 0; i < FRAMES; i++) {
        sup_body_read_vertices(world, handle, NULL, points);
        assert_ok(sup_animation_frame(animation, points, &error), error);
        if (i + 1 == FRAMES) break;
        pull_sheet(world, handle, 0.02);
        assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
    }
    assert_ok(sup_animation_close(animation, &error), error);
    assert_true(torn_of(world, handle) > 5);
    sup_clip clip;
    assert_ok(sup_clip_load(NULL, &gate, path, 60, &clip, &error), error);
    assert_int_equal(clip.frame_count, FRAMES);
    assert_int_equal(clip.point_count, info.vertex_count);
    const sup_vec3* last = clip.points + (size_t)(FRAMES - 1) * (size_t)clip.point_count;
    for (int32_t i = 0; i < clip.point_count; i++) assert_float_equal(last[i].x, points[i].x, 1e-5);
    sup_clip_free(&clip);
    failing_wipe(&disk);
    free(points);
    sup_world_destroy(world);
}

static void an_animation_of_it_is_one_mesh(void** state) {
    (void)state;
    check_animation("a.glb");
    check_animation("a.pc2");
}

/* ---- Refusals ---- */

static void expect_refusal(sup_blueprint_def* def, const char* words) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, words)) fail_msg("said: %s", error.text);
}

static void what_cannot_tear_is_refused(void** state) {
    (void)state;
    sup_error error = {0};
    sup_web web;
    sup_weave_grid_def grid = sup_weave_grid_default();
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.tears = true;
    sup_blueprint_def bad = def;
    bad.layout = SUP_CLUSTERS_WHOLE;
    expect_refusal(&bad, "springs alone");
    bad = def;
    bad.spare = 9;
    expect_refusal(&bad, "spare");
    bad = def;
    const sup_vec3 beside = {0, 1, 0};
    bad.points = &beside;
    bad.point_count = 1;
    expect_refusal(&bad, "lie on the surface");
    bad = def;
    bad.surface = NULL;
    bad.points = web.points;
    bad.point_count = web.point_count;
    expect_refusal(&bad, "no surface");
    bad = def;
    bad.region_count = 2;
    expect_refusal(&bad, "one region");
    sup_web_free(&web);

    sup_world* world = make_world(NULL);
    sheet_def sheet = PULLED;
    sup_body tears = add_sheet(world, sheet_of(&sheet), 0.2);
    sheet.tears = false;
    sup_body whole = add_sheet(world, sheet_of(&sheet), 0.0);
    sup_spring_settings settings = sup_spring_settings_default();
    settings.tear = 0.2;
    assert_int_equal(sup_body_set_springs(world, whole, &settings, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "blueprint tears"));
    settings.limit = 0.1;
    settings.integrator = SUP_INTEGRATOR_SYMPLECTIC;
    assert_int_equal(sup_body_set_springs(world, tears, &settings, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "implicit integrator"));
    settings.limit = 0.0;
    settings.yield.strain = 0.1;
    assert_int_equal(sup_body_set_springs(world, tears, &settings, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "does not yield"));
    settings.yield.strain = 0.0;
    settings.tear_force = -1.0;
    assert_int_equal(sup_body_set_springs(world, tears, &settings, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "tear_force"));
    settings.tear_force = 0.0;
    settings.tear = 0.001;
    assert_int_equal(sup_body_set_springs(world, tears, &settings, &error), SUP_BAD_ARGUMENT);
    sup_blueprint* other = sheet_of(&sheet);
    assert_int_equal(sup_body_set_blueprint(world, tears, other, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "keeps its blueprint"));
    assert_int_equal(sup_body_bake(world, tears, &other, &error), SUP_BAD_ARGUMENT);
    sup_blueprint_release(other);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parting_keeps_mass_momentum_and_energy),
        cmocka_unit_test(momentum_stays_through_tearing),
        cmocka_unit_test(what_can_tear_moves_alike),
        cmocka_unit_test(a_notched_sheet_ends_in_two),
        cmocka_unit_test(it_stops_without_spare_particles),
        cmocka_unit_test(vertices_say_which_particles_they_follow),
        cmocka_unit_test(a_torn_body_goes_on_from_a_snapshot),
        cmocka_unit_test(impossible_tears_are_refused),
        cmocka_unit_test(a_reset_mends_it),
        cmocka_unit_test(containment_leaves_it_sound),
        cmocka_unit_test(a_failed_step_undoes_its_tears),
        cmocka_unit_test(tearing_allocates_nothing),
        cmocka_unit_test(making_it_fails_cleanly),
        cmocka_unit_test(threads_tear_alike),
        cmocka_unit_test(every_integrator_tears),
        cmocka_unit_test(an_animation_of_it_is_one_mesh),
        cmocka_unit_test(what_cannot_tear_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
