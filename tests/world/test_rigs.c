/* What was done to a rig is done by the body that is made of it. */
#include "world/yard.h"

#include "supple/fit.h"
#include "supple/mesh.h"
#include "supple/snapshot.h"
#include "world/oriented.h"

static const sup_brush everywhere = {.kind = SUP_BRUSH_ALL};

/* A bar of 2 m along x with its left end pinned, drawn as a finer box. */
static sup_rig* make_bar(void) {
    const double size[3] = {2, 0.3, 0.3};
    const int32_t cells[3] = {20, 3, 3};
    sup_mesh mesh;
    sup_rig* rig;
    sup_error error = {0};
    sup_spray_def spray = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    sup_fit_def fit = sup_fit_default();
    sup_weigh_def weigh = sup_weigh_default();
    const sup_brush end = {SUP_BRUSH_HALF, {-0.7, 0, 0}, {1, 0, 0}, 0};
    spray.count = 60;
    assert_ok(sup_mesh_box(NULL, size, cells, &mesh, &error), error);
    assert_ok(sup_rig_create(NULL, &mesh, &rig, &error), error);
    assert_ok(sup_rig_spray(rig, &spray, NULL, &error), error);
    assert_ok(sup_rig_spray_links(rig, &links, NULL, &error), error);
    assert_ok(sup_rig_fit(rig, &fit, &error), error);
    assert_ok(sup_rig_weigh(rig, &weigh, &error), error);
    assert_ok(sup_rig_paint(rig, SUP_PAINT_PIN, 1, &end, &error), error);
    sup_mesh_free(&mesh);
    return rig;
}

static sup_body add_rig(sup_world* world, const sup_rig* rig, sup_skin_kind skin, bool own,
                        sup_body_def* def) {
    sup_blueprint_def recipe = sup_blueprint_default();
    sup_blueprint* blueprint;
    sup_error error = {0};
    sup_rig_fill_def(rig, &recipe);
    recipe.layout = SUP_CLUSTERS_NONE;
    recipe.skin = skin;
    if (!own) recipe.frame_stiffness = NULL;
    assert_ok(sup_blueprint_create(&recipe, &blueprint, &error), error);
    return add_oriented(world, blueprint, def);
}

/* Where a particle takes a place at rest. */
static void follow(const sup_point* now, const sup_quat* turn, const sup_vec3* rest,
                   const sup_vec3* vertex, double out[3]) {
    const double q[4] = {(double)turn->x, (double)turn->y, (double)turn->z, (double)turn->w};
    const double r[3] = {(double)vertex->x - (double)rest->x, (double)vertex->y - (double)rest->y,
                         (double)vertex->z - (double)rest->z};
    double t[3] = {2 * (q[1] * r[2] - q[2] * r[1]), 2 * (q[2] * r[0] - q[0] * r[2]),
                   2 * (q[0] * r[1] - q[1] * r[0])};
    const double place[3] = {now->x, now->y, now->z};
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = place[k] + r[k] + q[3] * t[k] + q[a] * t[b] - q[b] * t[a];
    }
}

/* How far the vertices of the free end are from where one particle takes them. */
static double measure_far(const sup_world* world, sup_body body, const sup_rig* rig,
                          int32_t particle) {
    sup_rig_view v = sup_rig_get(rig);
    size_t count = (size_t)v.particle_count, vertices = (size_t)v.mesh->point_count;
    sup_point* places = calloc(count, sizeof *places);
    sup_vec3* drawn = calloc(vertices, sizeof *drawn);
    sup_quat* turns = calloc(count, sizeof *turns);
    assert_int_equal(sup_body_read_particles(world, body, places, NULL), SUP_OK);
    assert_int_equal(sup_body_read_turns(world, body, turns, NULL), SUP_OK);
    assert_int_equal(sup_body_read_vertices(world, body, (double[3]){0, 0, 0}, drawn), SUP_OK);
    double worst = 0.0;
    for (size_t i = 0; i < vertices; i++) {
        double at[3];
        if (v.mesh->points[i].x < 0.75f) continue;
        follow(&places[particle], &turns[particle], &v.places[particle], &v.mesh->points[i], at);
        const double d[3] = {(double)drawn[i].x - at[0], (double)drawn[i].y - at[1],
                             (double)drawn[i].z - at[2]};
        worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    free(places);
    free(drawn);
    free(turns);
    return worst;
}

/* Painted vertices follow their particle, before and after a snapshot, with both kinds of skin. */
static void painted_weights_drive_the_skin(void** state) {
    (void)state;
    const sup_brush free_end = {SUP_BRUSH_HALF, {0.75, 0, 0}, {-1, 0, 0}, 0};
    sup_rig* rig = make_bar();
    int32_t pinned = sup_rig_get(rig).pins[0];
    for (int painted = 0; painted < 2; painted++) {
        for (sup_skin_kind skin = SUP_SKIN_FRAMES; skin <= SUP_SKIN_DUAL; skin++) {
            sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
            sup_body_def def = sup_body_default();
            sup_body body = add_rig(world, rig, skin, true, &def);
            sup_bytes bytes;
            sup_error error = {0};
            take_steps(world, 20);
            double far = measure_far(world, body, rig, pinned);
            print_message("painted %d, skin %d: %g m\n", painted, (int)skin, far);
            assert_true(painted ? far < 1e-5 : far > 0.01);
            assert_ok(sup_world_save(world, &bytes, &error), error);
            assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
            assert_true(measure_far(other, body, rig, pinned) == far);
            sup_bytes_free(&bytes);
            sup_world_destroy(world);
            sup_world_destroy(other);
        }
        assert_int_equal(sup_rig_paint_weights(rig, pinned, 1, &free_end, NULL), SUP_OK);
    }
    sup_rig_free(rig);
}

static void bad_painted_weights_are_refused(void** state) {
    (void)state;
    sup_rig* rig = make_bar();
    const struct {
        sup_skin_weight weights[2];
        const char* says;
    } cases[] = {{{{0, 1, 0.5f}, {99999, 1, 0.5f}}, "painted weight 1 is of vertex 99999"},
                 {{{-1, 1, 0.5f}, {0, 1, 0.5f}}, "painted weight 0 is of vertex -1"},
                 {{{0, 1, 0.5f}, {3, -1, 0.5f}}, "vertex 3: a painted weight is of particle -1"},
                 {{{0, 1, 0.5f}, {3, 1, 1.5f}}, "vertex 3: a painted weight must lie between"},
                 {{{0, 1, 0.5f}, {3, 1, NAN}}, "vertex 3: a painted weight must lie between"},
                 {{{4, 1, 0.5f}, {4, 1, 0.5f}}, "vertex 4: its painted weights must be of"},
                 {{{4, 1, 0.7f}, {4, 2, 0.5f}}, "and 1 at most together"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sup_blueprint_def recipe = sup_blueprint_default();
        sup_blueprint* blueprint;
        sup_error error = {0};
        sup_rig_fill_def(rig, &recipe);
        recipe.layout = SUP_CLUSTERS_NONE;
        recipe.skin = SUP_SKIN_FRAMES;
        recipe.skin_weights = cases[i].weights;
        recipe.skin_weight_count = 2;
        assert_int_equal(sup_blueprint_create(&recipe, &blueprint, &error), SUP_BAD_ARGUMENT);
        if (!strstr(error.text, cases[i].says)) fail_msg("\"%s\"", error.text);
    }
    sup_rig_free(rig);
}

/* Drawn vertices of a body after a while, and that a snapshot gives them back. Free them. */
static sup_vec3* read_skin(const sup_rig* rig, int32_t slots, int32_t* most) {
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    sup_blueprint_def recipe = sup_blueprint_default();
    sup_blueprint* blueprint;
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    sup_bytes bytes;
    size_t count = (size_t)sup_rig_get(rig).mesh->point_count;
    sup_vec3 *drawn = calloc(count, sizeof *drawn), *again = calloc(count, sizeof *again);
    sup_rig_fill_def(rig, &recipe);
    recipe.layout = SUP_CLUSTERS_NONE;
    recipe.skin_slots = slots;
    assert_ok(sup_blueprint_create(&recipe, &blueprint, &error), error);
    *most = 0;
    for (int32_t i = 0; i < blueprint->skin.count; i++) {
        int32_t own = blueprint->skin.starts[i + 1] - blueprint->skin.starts[i];
        *most = own > *most ? own : *most;
    }
    sup_body body = add_oriented(world, blueprint, &def);
    take_steps(world, 20);
    assert_int_equal(sup_body_read_vertices(world, body, (double[3]){0, 0, 0}, drawn), SUP_OK);
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    assert_int_equal(sup_body_read_vertices(other, body, (double[3]){0, 0, 0}, again), SUP_OK);
    assert_memory_equal(drawn, again, count * sizeof *drawn);
    free(again);
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
    return drawn;
}

/* A vertex follows as many particles as it may, also after a snapshot. */
static void skins_have_so_many_slots(void** state) {
    (void)state;
    sup_rig* rig = make_bar();
    size_t size = (size_t)sup_rig_get(rig).mesh->point_count * sizeof(sup_vec3);
    sup_vec3* skins[5] = {NULL};
    for (int32_t slots = 1; slots <= 4; slots++) {
        int32_t most;
        skins[slots] = read_skin(rig, slots, &most);
        assert_int_equal(most, slots);
        assert_true(slots == 1 || memcmp(skins[slots], skins[slots - 1], size) != 0);
    }
    for (int32_t slots = 1; slots <= 4; slots++) free(skins[slots]);
    for (int32_t slots = 0; slots <= 5; slots += 5) {
        sup_blueprint_def recipe = sup_blueprint_default();
        sup_blueprint* blueprint;
        sup_error error = {0};
        sup_rig_fill_def(rig, &recipe);
        recipe.skin_slots = slots;
        assert_int_equal(sup_blueprint_create(&recipe, &blueprint, &error), SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "skin_slots"));
    }
    sup_rig_free(rig);
}

/* How far a body of these settings has sunk; `own`: particles have the stiffness of the rig. */
static double measure_sag(const sup_rig* rig, bool own, double stiffness) {
    sup_world* world = make_wakeful_world();
    sup_body_def def = sup_body_default();
    def.frames.stiffness = stiffness;
    sup_body body = add_rig(world, rig, SUP_SKIN_FRAMES, own, &def);
    double low[3], high[3];
    take_steps(world, 30);
    assert_int_equal(sup_body_bounds(world, body, low, high), SUP_OK);
    sup_world_destroy(world);
    return -low[1];
}

/* A body is as stiff as its rig, also where all particles have the same stiffness. */
static void one_stiffness_for_all_counts_too(void** state) {
    (void)state;
    sup_rig* rig = make_bar();
    assert_int_equal(sup_rig_set_stiffness(rig, 20, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_STIFFNESS, 20, &everywhere, NULL), SUP_OK);
    double sag = measure_sag(rig, true, 200), stiff = measure_sag(rig, false, 200);
    assert_true(sag == measure_sag(rig, false, 20));
    print_message("20 rad/s: %g m, 200 rad/s: %g m\n", sag, stiff);
    assert_true(sag > 1.05 * stiff);
    sup_rig_free(rig);
}

/* m, by how much more the particles of a bar that yields at `own` m/s are apart, or less, after it
   has flown into a wall at 6 m/s. */
static double measure_dent(double own) {
    sup_world* world = make_weightless_world();
    sup_rig* rig = make_bar();
    sup_rig_plastic plastic = sup_rig_plastic_default();
    sup_collider_def wall = sup_collider_default();
    sup_body_def def = sup_body_default();
    plastic.speed = (float)own;
    plastic.stiffness = 20.0f;
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_PIN, 0, &everywhere, NULL), SUP_OK);
    assert_int_equal(sup_rig_add_part(rig, &everywhere, NULL, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_plastic(rig, 0, &plastic, NULL), SUP_OK);
    wall.position[0] = 1.2;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5); /* its normal along -x */
    add_collider(world, &wall);
    def.velocity[0] = 6.0;
    sup_body body = add_rig(world, rig, SUP_SKIN_FRAMES, true, &def);
    take_steps(world, 60);
    sup_rig_view v = sup_rig_get(rig);
    swarm s = read_swarm(world, body);
    double worst = 0.0;
    for (int32_t i = 0; i < s.count; i++) {
        for (int32_t k = 0; k < i; k++) {
            const sup_vec3 *p = v.places + i, *q = v.places + k;
            double was = length_of(
                (double[3]){(double)(p->x - q->x), (double)(p->y - q->y), (double)(p->z - q->z)});
            double is = length_of(
                (double[3]){s.x[i].x - s.x[k].x, s.x[i].y - s.x[k].y, s.x[i].z - s.x[k].z});
            worst = fmax(worst, fabs(is - was));
        }
    }
    free_swarm(&s);
    sup_rig_free(rig);
    sup_world_destroy(world);
    return worst;
}

/* The body itself says nothing of dents. */
static void parts_yield_at_their_own_speed(void** state) {
    (void)state;
    double below = measure_dent(4.0), above = measure_dent(8.0);
    print_message("at 6 m/s: %g m where 4 m/s dent, %g m where 8 m/s do\n", below, above);
    assert_true(below > 0.02);
    assert_true(above < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(painted_weights_drive_the_skin),
        cmocka_unit_test(bad_painted_weights_are_refused),
        cmocka_unit_test(skins_have_so_many_slots),
        cmocka_unit_test(one_stiffness_for_all_counts_too),
        cmocka_unit_test(parts_yield_at_their_own_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
