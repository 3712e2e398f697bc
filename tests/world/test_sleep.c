/* Sleep: who falls asleep and stays bit for bit as it is, and what wakes it. */
#include "base/hash.h"
#include "world/told.h"
#include "world/world.h"

static const sup_body NO_BODY = {0, 0};
static const double SIDE = 0.4;

/* A box on a floor, fast asleep. */
typedef struct bed {
    told told;
    sup_blueprint* box;
    sup_world* world;
    sup_collider floor;
    sup_body body;
} bed;

static sup_blueprint* small_box(void) {
    return box_of((double[3]){SIDE, SIDE, SIDE}, 3, filled(0.14));
}

static sup_body add_box(bed* b, double x, double y, double z) {
    sup_body_def def = body_at(b->box, x, y, z);
    return add_body(b->world, &def);
}

/* Everything of a body that a step could change. */
static uint64_t hash_of(const sup_world* world, sup_body handle) {
    const supi_body* body = supi_world_body(world, handle);
    size_t rows = 4 * (size_t)body->blueprint->row_count;
    size_t clusters = 4 * (size_t)body->blueprint->cluster_count;
    uint64_t hash = supi_hash_begin();
    const supi_state* states[2] = {&world->now, &world->before};
    for (int i = 0; i < 2; i++) {
        hash = supi_hash_floats(hash, &states[i]->x[body->row].x, rows);
        hash = supi_hash_floats(hash, &states[i]->v[body->row].x, rows);
        hash = supi_hash_floats(hash, &states[i]->rotation[body->cluster].x, clusters);
        hash = supi_hash_floats(hash, &states[i]->centre[body->cluster].x, clusters);
    }
    for (int k = 0; k < 3; k++) hash = supi_hash_double(hash, body->anchor[k]);
    return supi_hash_double(hash, body->rest.idle);
}

/* Steps until the body sleeps, or fails after `most` steps. */
static void wait_for_sleep(const bed* b, sup_body body, int32_t most) {
    for (int32_t i = 0; i < most && !sup_body_is_asleep(b->world, body); i++) {
        take_steps(b->world, 1);
    }
    assert_true(sup_body_is_asleep(b->world, body));
}

static int bed_make(void** state) {
    static bed b;
    b.box = small_box();
    b.world = make_telling_world(&b.told);
    sup_collider_def def = sup_collider_default();
    b.floor = add_collider(b.world, &def);
    b.body = add_box(&b, 0, 0.5 * SIDE + 0.01, 0);
    wait_for_sleep(&b, b.body, 240);
    b.told.count = 0;
    *state = &b;
    return 0;
}

static int bed_free(void** state) {
    bed* b = *state;
    sup_world_destroy(b->world);
    sup_blueprint_release(b->box);
    return 0;
}

static double height_of(const bed* b, sup_body body) {
    double x[3];
    centre_of(b->world, body, x, NULL);
    return x[1];
}

/* The body is awake, was told to have woken once, and falls asleep again in time. */
static void assert_woke(bed* b) {
    assert_false(sup_body_is_asleep(b->world, b->body));
    take_steps(b->world, 1);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
    wait_for_sleep(b, b->body, 600);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_SLEPT, b->body), 1);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
}

/* ---- Resting ---- */

static double rest_for_a_minute(double sleep_speed, bool* asleep) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = sleep_speed;
    sup_blueprint* box = small_box();
    sup_world* world = make_world(&def);
    add_floor(world);
    sup_body_def body = body_at(box, 0, 0.5 * SIDE + 0.002, 0);
    sup_body handle = add_body(world, &body);
    double from[3], to[3];
    take_steps(world, 60);
    centre_of(world, handle, from, NULL);
    take_steps(world, 3600);
    centre_of(world, handle, to, NULL);
    *asleep = sup_body_is_asleep(world, handle);
    double size = sup_blueprint_get_info(box).size;
    sup_world_destroy(world);
    sup_blueprint_release(box);
    return distance_of(from, to) / size;
}

static void a_box_stays_where_it_lies(void** state) {
    (void)state;
    bool asleep;
    assert_below(rest_for_a_minute(0.01, &asleep), 1e-3);
    assert_true(asleep);
    assert_below(rest_for_a_minute(0.0, &asleep), 1e-3);
    assert_false(asleep);
}

static void sleepers_do_not_change(void** state) {
    bed* b = *state;
    uint64_t hash = hash_of(b->world, b->body);
    int32_t count;
    sup_meeting before = *sup_world_meetings(b->world, &count);
    assert_int_equal(count, 1);
    assert_true(top_speed_of(b->world, b->body) == 0.0);
    for (int i = 0; i < 240; i++) {
        take_steps(b->world, 1);
        assert_true(hash_of(b->world, b->body) == hash);
    }
    sup_meeting after = *sup_world_meetings(b->world, &count);
    assert_int_equal(count, 1);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(b->told.count, 0);
    assert_int_equal(sup_world_measure(b->world).asleep_count, 1);
}

static void sleepers_weigh_on_their_floor(void** state) {
    bed* b = *state;
    double weight = 9.81 * sup_blueprint_get_info(b->box).mass * FRAME, felt[3], moment[3];
    sup_body far = add_box(b, 2.0, 0.5 * SIDE + 0.01, 0);
    wait_for_sleep(b, far, 240);
    take_steps(b->world, 2);
    assert_int_equal(sup_collider_read_impulse(b->world, b->floor, felt, moment), SUP_OK);
    assert_near(felt[1], -2 * weight, 0.02);
    assert_near(moment[2], -2.0 * weight, 0.02);
}

static void who_stays_awake_keeps_others_awake(void** state) {
    bed* b = *state;
    sup_body_def def = body_at(b->box, 0, 1.5 * SIDE + 0.15, 0);
    def.stays_awake = true;
    sup_body top = add_body(b->world, &def);
    take_steps(b->world, 300);
    assert_false(sup_body_is_asleep(b->world, b->body));
    assert_false(sup_body_is_asleep(b->world, top));
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_SLEPT, b->body), 0);
    assert_int_equal(sup_body_destroy(b->world, top), SUP_OK);
    wait_for_sleep(b, b->body, 120);
}

/* ---- Waking by the hand ---- */

static void edits_wake(void** state) {
    bed* b = *state;
    sup_material material = sup_body_default().material;
    swarm s = read_swarm(b->world, b->body);
    for (int i = 0; i < 7; i++) {
        b->told.count = 0;
        switch (i) {
        case 0: assert_int_equal(sup_body_wake(b->world, b->body), SUP_OK); break;
        case 1:
            material.stiffness = 90;
            assert_int_equal(sup_body_set_material(b->world, b->body, &material, NULL), SUP_OK);
            break;
        case 2:
            assert_int_equal(sup_body_write_particles(b->world, b->body, s.x, s.v, NULL), SUP_OK);
            break;
        case 3:
            assert_int_equal(
                sup_body_teleport(b->world, b->body, (double[3]){0.1, 0.05, 0}, NULL, NULL),
                SUP_OK);
            break;
        case 4: assert_int_equal(sup_body_reset(b->world, b->body), SUP_OK); break;
        case 5:
            assert_int_equal(sup_world_set_gravity(b->world, (double[3]){0, -5, 0}, NULL), SUP_OK);
            break;
        default:
            assert_int_equal(sup_body_set_filter(b->world, b->body, (sup_filter){1, ~0u}), SUP_OK);
        }
        assert_woke(b);
    }
    free_swarm(&s);
}

/* ---- Waking by touch ---- */

static void thrown_bodies_wake(void** state) {
    bed* b = *state;
    sup_body_def def = body_at(b->box, -1.5, 0.5 * SIDE + 0.05, 0);
    def.velocity[0] = 4.0;
    sup_body flyer = add_body(b->world, &def);
    double from[3], to[3];
    centre_of(b->world, b->body, from, NULL);
    for (int i = 0; i < 60 && sup_body_is_asleep(b->world, b->body); i++) take_steps(b->world, 1);
    assert_false(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
    wait_for_sleep(b, b->body, 600);
    wait_for_sleep(b, flyer, 600);
    centre_of(b->world, b->body, to, NULL);
    assert_above(to[0] - from[0], 0.02);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
}

/* What comes to rest on a sleeper sleeps with it, and no one wakes again. */
static void a_body_on_a_sleeper_falls_asleep_too(void** state) {
    bed* b = *state;
    sup_body top = add_box(b, 0, 1.5 * SIDE + 0.16, 0);
    wait_for_sleep(b, top, 600);
    assert_true(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
    b->told.count = 0;
    take_steps(b->world, 300);
    assert_int_equal(b->told.count, 0);
    assert_int_equal(sup_body_wake(b->world, top), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, b->body));
}

/* One that is idle finds the sleeper immovable and goes to sleep beside it. */
static void who_is_idle_wakes_nobody(void** state) {
    bed* b = *state;
    sup_body top = add_box(b, 0, 1.5 * SIDE + 0.16, 0);
    wait_for_sleep(b, top, 600);
    uint64_t hash = hash_of(b->world, b->body);
    b->told.count = 0;
    b->world->def.sleep_speed = 0.05; /* waking by itself it trembles a little */
    supi_world_body(b->world, top)->rest = (supi_rest){.idle = FRAME};
    wait_for_sleep(b, top, 60);
    assert_true(hash_of(b->world, b->body) == hash);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, NO_BODY), 0);
    assert_int_equal(told_count(&b->told, SUP_EVENT_CONTACT_END, NO_BODY), 0);
    assert_int_equal(supi_world_body(b->world, top)->rest.island, b->body.slot);
}

static void momentum_passes_to_a_woken_body(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* ball = ball_of(0.25, 2, filled(0.12));
    sup_body_def def = body_at(ball, 0, 0, 0);
    sup_body still = add_body(world, &def);
    take_steps(world, 40);
    assert_true(sup_body_is_asleep(world, still));
    def = body_at(ball, -0.8, 0, 0);
    def.velocity[0] = 2.0;
    add_body(world, &def);
    double before = sup_world_measure(world).momentum[0], v[3];
    take_steps(world, 40);
    centre_of(world, still, NULL, v);
    assert_above(v[0], 0.5);
    assert_near(sup_world_measure(world).momentum[0], before, 1e-5);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

/* ---- Waking by colliders ---- */

static void a_moving_floor_wakes(void** state) {
    bed* b = *state;
    const double turn[4] = {0, 0, 0, 1};
    double y = height_of(b, b->body), at = 0;
    /* Moved to where it is, it does not move. */
    assert_int_equal(sup_collider_move(b->world, b->floor, (double[3]){0, 0, 0}, turn, NULL),
                     SUP_OK);
    take_steps(b->world, 1);
    assert_true(sup_body_is_asleep(b->world, b->body));
    /* So slowly that by their speed they could sleep. */
    sup_body top = add_box(b, 0, 1.5 * SIDE + 0.16, 0);
    wait_for_sleep(b, top, 600);
    y = height_of(b, b->body);
    for (int i = 0; i < 120; i++) {
        at -= 0.002 * FRAME;
        assert_int_equal(sup_collider_move(b->world, b->floor, (double[3]){0, at, 0}, turn, NULL),
                         SUP_OK);
        take_steps(b->world, 1);
        assert_true(supi_world_body(b->world, b->body)->rest.idle == 0.0);
        assert_true(supi_world_body(b->world, top)->rest.idle == 0.0);
    }
    assert_below(fabs(height_of(b, b->body) - (y + at)), 5e-4);
    wait_for_sleep(b, b->body, 120);
    /* So fast that nothing of it is near any more. */
    assert_int_equal(sup_collider_move(b->world, b->floor, (double[3]){0, -50, 0}, turn, NULL),
                     SUP_OK);
    b->told.count = 0;
    take_steps(b->world, 1);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, NO_BODY), 2);
    assert_int_equal(told_count(&b->told, SUP_EVENT_CONTACT_END, b->body), 1);
    take_steps(b->world, 20);
    assert_below(height_of(b, b->body), y - 0.3);
}

static void a_sphere_that_comes_wakes(void** state) {
    bed* b = *state;
    const double turn[4] = {0, 0, 0, 1};
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.radius = 0.2;
    double at[3] = {-1.5, 0.2, 0}, from[3], to[3];
    memcpy(def.position, at, sizeof at);
    sup_collider sphere = add_collider(b->world, &def);
    centre_of(b->world, b->body, from, NULL);
    for (int i = 0; i < 90; i++) {
        at[0] += 1.0 * FRAME;
        assert_int_equal(sup_collider_move(b->world, sphere, at, turn, NULL), SUP_OK);
        uint64_t hash = hash_of(b->world, b->body);
        bool asleep = sup_body_is_asleep(b->world, b->body);
        take_steps(b->world, 1);
        /* Either it sleeps and stays, or it has woken. */
        if (asleep && sup_body_is_asleep(b->world, b->body)) {
            assert_true(hash_of(b->world, b->body) == hash);
        }
    }
    centre_of(b->world, b->body, to, NULL);
    assert_above(to[0] - from[0], 0.2);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, b->body), 1);
}

static void without_its_floor_it_falls(void** state) {
    bed* b = *state;
    assert_int_equal(sup_collider_destroy(b->world, b->floor), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, b->body));
    take_steps(b->world, 60);
    assert_below(height_of(b, b->body), -3.0);
    /* The floor is gone: its contact goes without an event. */
    assert_int_equal(told_count(&b->told, SUP_EVENT_CONTACT_END, b->body), 0);
}

static void a_placed_floor_wakes(void** state) {
    bed* b = *state;
    const double turn[4] = {0, 0, 0, 1};
    assert_int_equal(sup_collider_place(b->world, b->floor, (double[3]){0, -2, 0}, turn, NULL),
                     SUP_OK);
    take_steps(b->world, 20);
    assert_below(height_of(b, b->body), -0.2);
    assert_int_equal(told_count(&b->told, SUP_EVENT_CONTACT_END, b->body), 1);
}

/* A sensor that moves sees those who sleep, and lets them. */
static void moving_sensors_see_sleepers(void** state) {
    bed* b = *state;
    const double turn[4] = {0, 0, 0, 1};
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.sensor = true;
    double at[3] = {-1.5, 0.3, 0};
    memcpy(def.position, at, sizeof at);
    sup_collider sensor = add_collider(b->world, &def);
    for (int i = 0; i < 90; i++) {
        if (i != 45) at[0] += 2.0 * FRAME; /* stops on the way, too */
        assert_int_equal(sup_collider_move(b->world, sensor, at, turn, NULL), SUP_OK);
        take_steps(b->world, 1);
    }
    assert_true(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(b->told.count, 2);
    assert_int_equal(b->told.events[0].kind, SUP_EVENT_SENSOR_BEGIN);
    assert_int_equal(b->told.events[1].kind, SUP_EVENT_SENSOR_END);
}

/* ---- Pins and attachments ---- */

static void moving_pins_wake(void** state) {
    (void)state;
    const int32_t pins[1] = {0};
    sup_blueprint_def def = filled(0.14);
    def.pins = pins;
    def.pin_count = 1;
    sup_blueprint* box = box_of((double[3]){SIDE, SIDE, SIDE}, 3, def);
    sup_world* world = make_world(NULL);
    sup_body_def start = body_at(box, 0, 0, 0);
    start.material.damping = 1.0;
    start.gravity_scale = 0.0;
    sup_body body = add_body(world, &start);
    take_steps(world, 60);
    assert_true(sup_body_is_asleep(world, body));
    swarm s = read_swarm(world, body);
    sup_point pin = s.x[0];
    free_swarm(&s);
    for (int i = 0; i < 90; i++) {
        pin.x += 0.001 * FRAME;
        assert_int_equal(sup_body_move_pins(world, body, &pin, NULL), SUP_OK);
        take_steps(world, 1);
        assert_false(sup_body_is_asleep(world, body));
    }
    take_steps(world, 60);
    assert_true(sup_body_is_asleep(world, body));
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

static sup_attachment tie_up(sup_world* world, sup_body body, sup_body other) {
    sup_attachment_def def = sup_attachment_default();
    sup_error error = {0};
    sup_attachment out;
    def.body = body;
    def.other = other;
    def.length = -1;
    assert_ok(sup_attachment_create(world, &def, &out, &error), error);
    return out;
}

/* Two boxes far apart share one sleep because they are tied. */
static void attached_bodies_sleep_and_wake_together(void** state) {
    bed* b = *state;
    sup_body other = add_box(b, 1.0, 0.5 * SIDE + 0.01, 0);
    sup_attachment tie = tie_up(b->world, b->body, other);
    wait_for_sleep(b, other, 300);
    assert_true(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(sup_body_wake(b->world, other), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, b->body));
    wait_for_sleep(b, b->body, 300);
    assert_int_equal(sup_attachment_destroy(b->world, tie), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, other));
    wait_for_sleep(b, other, 300);
    assert_int_equal(sup_body_wake(b->world, other), SUP_OK);
    assert_true(sup_body_is_asleep(b->world, b->body));
}

/* A body that hangs asleep is torn off: it wakes and falls. */
static void a_broken_attachment_wakes(void** state) {
    bed* b = *state;
    sup_attachment_def def = sup_attachment_default();
    sup_error error = {0};
    sup_body hanging = add_box(b, 2.0, 1.0, 0);
    double weight = 9.81 * sup_blueprint_get_info(b->box).mass;
    sup_material stiff = sup_body_default().material;
    stiff.rule = SUP_STIFFNESS_RIGID;
    assert_int_equal(sup_body_set_material(b->world, hanging, &stiff, NULL), SUP_OK);
    sup_attachment ties[4];
    const int32_t corners[4] = {0, 3, 12, 15};
    for (int i = 0; i < 4; i++) {
        def.body = hanging;
        def.particle = corners[i];
        def.here = true;
        def.break_force = 2 * weight;
        assert_ok(sup_attachment_create(b->world, &def, &ties[i], &error), error);
    }
    wait_for_sleep(b, hanging, 600);
    double y = height_of(b, hanging);
    take_steps(b->world, 60);
    assert_true(height_of(b, hanging) == y);
    swarm s = read_swarm(b->world, hanging);
    for (int i = 0; i < 4; i++) {
        const sup_point* at = s.x + corners[i];
        double aside[3] = {at->x + 0.1, at->y, at->z};
        assert_int_equal(sup_attachment_move(b->world, ties[i], aside, NULL), SUP_OK);
    }
    free_swarm(&s);
    take_steps(b->world, 1);
    assert_int_equal(told_count(&b->told, SUP_EVENT_ATTACHMENT_BROKEN, hanging), 4);
    assert_false(sup_body_is_asleep(b->world, hanging));
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, hanging), 1);
    take_steps(b->world, 300);
    assert_below(height_of(b, hanging), y - 0.5);
}

/* ---- Piles ---- */

enum { HIGH = 5 };

/* Flat boxes on the one that sleeps. */
static void build_pile(bed* b, sup_body pile[HIGH]) {
    sup_blueprint* slab = box_of((double[3]){SIDE, 0.1, SIDE}, 4, filled(0.1));
    double top = SIDE + sup_blueprint_get_info(b->box).radius,
           r = sup_blueprint_get_info(slab).radius;
    pile[0] = b->body;
    for (int i = 1; i < HIGH; i++, top += 0.1 + 2 * r) {
        sup_body_def def = body_at(slab, 0, top + r + 0.05, 0);
        def.material.damping = 1.0;
        pile[i] = add_body(b->world, &def);
    }
    sup_blueprint_release(slab);
    wait_for_sleep(b, pile[HIGH - 1], 1800);
}

static void piles_sleep_as_a_whole(void** state) {
    bed* b = *state;
    sup_body pile[HIGH];
    build_pile(b, pile);
    uint64_t hashes[HIGH];
    for (int i = 0; i < HIGH; i++) {
        assert_true(sup_body_is_asleep(b->world, pile[i]));
        hashes[i] = hash_of(b->world, pile[i]);
        assert_true(supi_world_body(b->world, pile[i])->rest.island == b->body.slot);
    }
    b->told.count = 0;
    take_steps(b->world, 120);
    for (int i = 0; i < HIGH; i++) assert_true(hash_of(b->world, pile[i]) == hashes[i]);
    assert_int_equal(b->told.count, 0);
    /* Pulling out one wakes all, and those above fall. */
    double y = height_of(b, pile[HIGH - 1]);
    assert_int_equal(sup_body_teleport(b->world, pile[2], (double[3]){5, 0, 0}, NULL, NULL),
                     SUP_OK);
    for (int i = 0; i < HIGH; i++) assert_false(sup_body_is_asleep(b->world, pile[i]));
    take_steps(b->world, 60);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, NO_BODY), HIGH);
    assert_below(height_of(b, pile[HIGH - 1]), y - 0.1);
}

static void a_destroyed_body_wakes_its_pile(void** state) {
    bed* b = *state;
    sup_body pile[HIGH];
    build_pile(b, pile);
    double y = height_of(b, pile[HIGH - 1]);
    /* The one after which the island is called. */
    assert_int_equal(sup_body_destroy(b->world, pile[0]), SUP_OK);
    for (int i = 1; i < HIGH; i++) assert_false(sup_body_is_asleep(b->world, pile[i]));
    take_steps(b->world, 60);
    assert_below(height_of(b, pile[HIGH - 1]), y - 0.1);
}

static void separate_islands_sleep_alone(void** state) {
    bed* b = *state;
    sup_body far = add_box(b, 3, 0.5 * SIDE + 0.01, 0);
    wait_for_sleep(b, far, 300);
    assert_int_equal(told_count(&b->told, SUP_EVENT_BODY_WOKE, NO_BODY), 0);
    assert_int_equal(sup_body_wake(b->world, far), SUP_OK);
    assert_true(sup_body_is_asleep(b->world, b->body));
}

static void paused_bodies_belong_to_no_island(void** state) {
    bed* b = *state;
    sup_body top = add_box(b, 0, 1.5 * SIDE + 0.16, 0);
    wait_for_sleep(b, top, 600);
    b->told.count = 0;
    assert_int_equal(sup_body_set_paused(b->world, b->body, true), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, top));
    wait_for_sleep(b, top, 600);
    assert_false(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(sup_body_set_paused(b->world, b->body, false), SUP_OK);
    assert_false(sup_body_is_asleep(b->world, top));
    wait_for_sleep(b, top, 600);
    assert_true(sup_body_is_asleep(b->world, b->body));
    assert_int_equal(told_count(&b->told, SUP_EVENT_CONTACT_END, b->body), 0);
}

/* ---- The same for every number of workers ---- */

static uint64_t run_to_sleep(sup_blueprint* box, int32_t threads, uint64_t* sum) {
    sup_world_def def = sup_world_default();
    def.threads = threads;
    sup_world* world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 12; i++) {
        sup_body_def body = body_at(box, 0.7 * (i % 4), 0.3 + 0.6 * (i / 4), 0.1 * (i / 4));
        add_body(world, &body);
    }
    *sum = 0;
    for (int i = 0; i < 420; i++) {
        take_steps(world, 1);
        *sum = *sum * 31 + sup_world_hash(world);
        if (i == 300) {
            assert_true(sup_world_measure(world).asleep_count > 0);
            sup_body_def body = body_at(box, 0.35, 2.0, 0.05);
            body.velocity[1] = -5;
            add_body(world, &body);
        }
    }
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    return hash;
}

static void workers_do_not_change_sleep(void** state) {
    (void)state;
    sup_blueprint* box = small_box();
    uint64_t one, three;
    assert_true(run_to_sleep(box, 1, &one) == run_to_sleep(box, 3, &three));
    assert_true(one == three);
    sup_blueprint_release(box);
}

#define in_bed(test) cmocka_unit_test_setup_teardown(test, bed_make, bed_free)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_stays_where_it_lies),
        in_bed(sleepers_do_not_change),
        in_bed(sleepers_weigh_on_their_floor),
        in_bed(who_stays_awake_keeps_others_awake),
        in_bed(edits_wake),
        in_bed(thrown_bodies_wake),
        in_bed(a_body_on_a_sleeper_falls_asleep_too),
        in_bed(who_is_idle_wakes_nobody),
        cmocka_unit_test(momentum_passes_to_a_woken_body),
        in_bed(a_moving_floor_wakes),
        in_bed(a_sphere_that_comes_wakes),
        in_bed(without_its_floor_it_falls),
        in_bed(a_placed_floor_wakes),
        in_bed(moving_sensors_see_sleepers),
        cmocka_unit_test(moving_pins_wake),
        in_bed(attached_bodies_sleep_and_wake_together),
        in_bed(a_broken_attachment_wakes),
        in_bed(piles_sleep_as_a_whole),
        in_bed(a_destroyed_body_wakes_its_pile),
        in_bed(separate_islands_sleep_alone),
        in_bed(paused_bodies_belong_to_no_island),
        cmocka_unit_test(workers_do_not_change_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
