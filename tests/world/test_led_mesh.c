/* Cloth on meshes whose points are led: they carry, lift and stop it as a collider does that moves
   as a whole, the same for all threads and through snapshots. */
#include "contact/trimesh.h"
#include "sizes.h"
#include "supple/snapshot.h"
#include "world/springs.h"

#include <float.h>
#include <math.h>

#define THICKNESS 0.01

typedef struct stage {
    sup_world* world;
    sup_body body;
    sup_collider solid;
    sup_mesh mesh;
} stage;

static sup_mesh sheet_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 3, 3, 6, 6, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh ball_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.4, 2, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_blueprint* cloth_print(void) {
    cloth_def cloth = cloth_default(21);
    cloth.side = 1.0;
    cloth.held = false;
    return cloth_of(&cloth);
}

/* A body at rest in the air above a mesh; the blueprint is released. */
static stage stage_make(sup_mesh mesh, sup_blueprint* print, double x, double y, double z,
                        int32_t threads) {
    stage s = {.mesh = mesh};
    sup_world_def world_def = sup_world_default();
    world_def.sleep_speed = 0.0;
    world_def.threads = threads;
    s.world = make_world(&world_def);
    sup_body_def body_def = body_at(print, x, y, z);
    body_def.material.friction_static = body_def.material.friction_kinetic = 0.5;
    s.body = add_body(s.world, &body_def);
    sup_blueprint_release(print);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &s.mesh;
    def.thickness = THICKNESS;
    def.friction_static = def.friction_kinetic = 0.5;
    s.solid = add_collider(s.world, &def);
    return s;
}

/* A sheet of cloth, 1 m wide, in the middle. */
static stage cloth_stage(sup_mesh mesh, double height, int32_t threads) {
    return stage_make(mesh, cloth_print(), -0.5, height, -0.5, threads);
}

static void stage_free(stage* s) {
    sup_world_destroy(s->world);
    sup_mesh_free(&s->mesh);
}

/* Leads all points to their first places, moved by this. */
static void lead(const stage* s, double x, double y, double z) {
    sup_vec3* points = calloc((size_t)s->mesh.point_count, sizeof *points);
    for (int32_t i = 0; i < s->mesh.point_count; i++) {
        const sup_vec3* p = &s->mesh.points[i];
        points[i] = (sup_vec3){(float)((double)p->x + x), (float)((double)p->y + y),
                               (float)((double)p->z + z)};
    }
    assert_int_equal(sup_collider_move_points(s->world, s->solid, points, NULL), SUP_OK);
    free(points);
}

static double lowest_of(const stage* s) {
    swarm cloth = read_swarm(s->world, s->body);
    double lowest = INFINITY;
    for (int32_t i = 0; i < cloth.count; i++) lowest = fmin(lowest, cloth.x[i].y);
    free_swarm(&cloth);
    return lowest;
}

/* ---- As a whole ---- */

/* The way of the ball under the cloth: up and to the side. */
static void path(int32_t step, double place[3]) {
    double t = FRAME * step;
    place[0] = 0.3 * sin(3.0 * t);
    place[1] = 0.2 * sin(5.0 * t);
    place[2] = 0.1 * t;
}

/* A soft ball, since cloth buckles: whichever way, rounding decides. */
static stage ball_stage(void) {
    return stage_make(ball_mesh(), ball_of(0.3, 2, sup_blueprint_default()), 0.05, 0.72, -0.02, 1);
}

static void points_push_as_the_whole_does(void** state) {
    (void)state;
    static const double still[4] = {0, 0, 0, 1};
    stage whole = ball_stage(), led = ball_stage();
    double pushed[2] = {0, 0};
    for (int32_t step = 1; step <= 60; step++) {
        double place[3], impulse[3];
        path(step, place);
        assert_int_equal(sup_collider_move(whole.world, whole.solid, place, still, NULL), SUP_OK);
        lead(&led, place[0], place[1], place[2]);
        take_steps(whole.world, 1);
        take_steps(led.world, 1);
        sup_collider_read_impulse(whole.world, whole.solid, impulse, NULL);
        pushed[0] += impulse[1];
        sup_collider_read_impulse(led.world, led.solid, impulse, NULL);
        pushed[1] += impulse[1];
    }
    swarm a = read_swarm(whole.world, whole.body), b = read_swarm(led.world, led.body);
    double most = 0;
    for (int32_t i = 0; i < a.count; i++) {
        most =
            fmax(most, hypot(hypot(a.x[i].x - b.x[i].x, a.x[i].y - b.x[i].y), a.x[i].z - b.x[i].z));
    }
    print_message("led by points or as a whole: %.2g m apart; pushed by %.4f and %.4f N s\n", most,
                  pushed[0], pushed[1]);
    assert_true(most < 0.001);
    assert_true(pushed[0] < -1.0 && fabs(pushed[0] - pushed[1]) < 0.001 * fabs(pushed[0]));
    free_swarm(&a);
    free_swarm(&b);
    stage_free(&whole);
    stage_free(&led);
}

/* ---- Lifting and rubbing ---- */

/* A sheet comes up under the cloth, goes on with it for half a second and stops dead. */
static void lift(double speed) {
    stage s = cloth_stage(sheet_mesh(), 0.1, 1);
    double height = 0, gap = INFINITY;
    for (int32_t step = 1; step <= 150; step++) {
        if (step <= 30) height += speed * FRAME;
        lead(&s, 0, height, 0);
        take_steps(s.world, 1);
        assert_int_equal(mishap_count(s.world), 0);
        gap = fmin(gap, lowest_of(&s) - height);
        if (step == 30) assert_true(lowest_of(&s) - height < 2 * THICKNESS);
    }
    print_message("lifted at %.0f m/s: %.4f m above the sheet, at least\n", speed, gap);
    assert_true(gap > 0.9 * THICKNESS);
    stage_free(&s);
}

static void cloth_is_lifted(void** state) {
    (void)state;
    skip_under_sanitizers();
    lift(2.0);
    lift(20.0);
}

/* A sheet that speeds up slowly takes the cloth with it; one that jerks leaves it behind. */
static double carry(double acceleration, double* way) {
    stage s = cloth_stage(sheet_mesh(), THICKNESS + 0.001, 1);
    double start[3], end[3], t = 0;
    take_steps(s.world, 15);
    centre_of(s.world, s.body, start, NULL);
    for (int32_t step = 1; step <= 45; step++) {
        t = FRAME * step;
        lead(&s, 0.5 * acceleration * t * t, 0, 0);
        take_steps(s.world, 1);
    }
    centre_of(s.world, s.body, end, NULL);
    assert_true(lowest_of(&s) > 0.9 * THICKNESS);
    *way = 0.5 * acceleration * t * t;
    stage_free(&s);
    return end[0] - start[0];
}

static void cloth_is_carried(void** state) {
    (void)state;
    double way, gone = carry(2.0, &way);
    print_message("at 2 m/s^2 carried %.4f m of %.4f m\n", gone, way);
    assert_true(fabs(gone - way) < 0.01 * way);
    /* friction of 0.5 gives 4.9 m/s^2, no more */
    gone = carry(8.0, &way);
    double given = 0.5 * 0.5 * 9.81 * 0.75 * 0.75;
    print_message("at 8 m/s^2 carried %.4f m of %.4f m, friction gives %.4f m\n", gone, way, given);
    assert_true(fabs(gone - given) < 0.1 * given);
}

/* ---- Bending ---- */

/* The ball becomes a bean that bows and twists: a point of it at a time. */
static sup_vec3 bent(sup_vec3 p, double t) {
    double angle = 1.2 * sin(12.0 * t) * (double)p.y, c = cos(angle), s = sin(angle);
    double swell = 1.0 + 0.3 * sin(18.0 * t) * (double)p.x;
    double x = swell * (double)p.x, z = swell * (double)p.z;
    return (sup_vec3){(float)(c * x + s * z + 0.5 * sin(15.0 * t) * (double)(p.y * p.y)),
                      (float)(swell * (double)p.y), (float)(c * z - s * x)};
}

static void cloth_stays_outside_of_what_bends(void** state) {
    (void)state;
    stage s = cloth_stage(ball_mesh(), 0.45, 1);
    supi_trimesh* twin;
    assert_int_equal(supi_trimesh_create(sup_allocator_default(), &s.mesh, &twin, NULL), SUP_OK);
    sup_vec3* points = calloc((size_t)s.mesh.point_count, sizeof *points);
    double nearest = INFINITY;
    int32_t touching = 0;
    for (int32_t step = 1; step <= 120; step++) {
        for (int32_t i = 0; i < s.mesh.point_count; i++) {
            points[i] = bent(s.mesh.points[i], FRAME * step);
        }
        assert_int_equal(sup_collider_move_points(s.world, s.solid, points, NULL), SUP_OK);
        take_steps(s.world, 1);
        supi_trimesh_move(twin, points, NULL);
        swarm cloth = read_swarm(s.world, s.body);
        for (int32_t i = 0; i < cloth.count; i++) {
            supi_trimesh_hit hit;
            sup_vec3 x = {(float)cloth.x[i].x, (float)cloth.x[i].y, (float)cloth.x[i].z};
            assert_true(supi_trimesh_nearest(twin, x, FLT_MAX, &hit));
            nearest = fmin(nearest, (double)hit.distance);
            touching += step == 60 && (double)hit.distance < 1.5 * THICKNESS;
        }
        free_swarm(&cloth);
    }
    print_message("%d particles lie on what bends, the nearest at %.4f m\n", (int)touching,
                  nearest);
    assert_true(nearest > 0.9 * THICKNESS);
    assert_true(touching > 40);
    free(points);
    supi_trimesh_free(twin);
    stage_free(&s);
}

/* ---- The same bits ---- */

static void shake(const stage* s, int32_t from, int32_t to) {
    for (int32_t step = from + 1; step <= to; step++) {
        double place[3];
        path(step, place);
        if (step % 7 != 0) lead(s, place[0], place[1], place[2]); /* now and then it stands still */
        take_steps(s->world, 1);
    }
}

static void threads_and_snapshots_change_nothing(void** state) {
    (void)state;
    stage one = cloth_stage(ball_mesh(), 0.45, 1), two = cloth_stage(ball_mesh(), 0.45, 2);
    stage other = cloth_stage(ball_mesh(), 0.45, 2);
    shake(&one, 0, 20);
    shake(&two, 0, 20);
    lead(&one, 0.1, 0.2, 0.3); /* led, but not there yet */
    lead(&two, 0.1, 0.2, 0.3);
    sup_bytes saved;
    assert_int_equal(sup_world_save(two.world, &saved, NULL), SUP_OK);
    shake(&one, 20, 40);
    shake(&two, 20, 40);
    assert_int_equal(sup_world_hash(one.world), sup_world_hash(two.world));
    assert_int_equal(sup_world_restore(other.world, saved.data, saved.size, NULL), SUP_OK);
    assert_true(sup_world_hash(other.world) != sup_world_hash(two.world));
    shake(&other, 20, 40);
    assert_int_equal(sup_world_hash(other.world), sup_world_hash(two.world));
    sup_bytes_free(&saved);
    stage_free(&one);
    stage_free(&two);
    stage_free(&other);
}

/* ---- Refusals ---- */

static void what_cannot_be_led_is_refused(void** state) {
    (void)state;
    stage s = cloth_stage(sheet_mesh(), 0.2, 1);
    sup_collider_def def = sup_collider_default();
    sup_collider plane = add_collider(s.world, &def);
    sup_error error = {0};
    sup_vec3 last = s.mesh.points[s.mesh.point_count - 1];
    uint64_t hash = sup_world_hash(s.world);
    assert_int_equal(sup_collider_move_points(s.world, plane, s.mesh.points, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "only a mesh collider has points to move");
    const float bad[3] = {NAN, INFINITY, 2e7f};
    for (int k = 0; k < 3; k++) {
        s.mesh.points[s.mesh.point_count - 1].y = bad[k];
        assert_int_equal(sup_collider_move_points(s.world, s.solid, s.mesh.points, &error),
                         SUP_BAD_ARGUMENT);
    }
    s.mesh.points[s.mesh.point_count - 1] = last;
    assert_int_equal(sup_world_hash(s.world), hash);
    assert_int_equal(sup_collider_destroy(s.world, s.solid), SUP_OK);
    assert_int_equal(sup_collider_move_points(s.world, s.solid, s.mesh.points, &error), SUP_STALE);
    stage_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_push_as_the_whole_does),
        cmocka_unit_test(cloth_is_lifted),
        cmocka_unit_test(cloth_is_carried),
        cmocka_unit_test(cloth_stays_outside_of_what_bends),
        cmocka_unit_test(threads_and_snapshots_change_nothing),
        cmocka_unit_test(what_cannot_be_led_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
