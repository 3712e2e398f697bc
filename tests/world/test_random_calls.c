/* Ten thousand random calls of the public door: good, stale, null and wild ones, also from inside
   callbacks. Nothing may crash; every refusal has a result; the world goes on. */
#include "world/yard.h"

enum { CALLS = 10000, HANDLES = 24 };

typedef struct play {
    sup_world* world;
    dice d;
    sup_blueprint* prints[3];
    sup_body bodies[HANDLES]; /* alive, gone and never there */
    sup_collider colliders[HANDLES];
    sup_attachment attachments[HANDLES];
    sup_mesh mesh;
    float heights[16];
    sup_bytes saved;
    int32_t refused, done, told;
    int32_t depth; /* inside a callback */
} play;

static int32_t pick(play* p, int32_t count) {
    return (int32_t)((dice_roll(&p->d) * 0.5 + 0.5) * count) % count;
}

static bool chance(play* p, int32_t in) { return pick(p, in) == 0; }

/* Mostly sensible, now and then anything. */
static double wild(play* p, double size) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e30, 0.0, -0.0, 1e-300, 1e9};
    if (chance(p, 30)) return odd[pick(p, 9)];
    return size * dice_roll(&p->d);
}

static sup_vec3 wild_vec(play* p, double size) {
    return (sup_vec3){(float)wild(p, size), (float)wild(p, size), (float)wild(p, size)};
}

static void wild3(play* p, double size, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = wild(p, size);
}

static sup_body any_body(play* p) {
    if (chance(p, 12)) return (sup_body){(uint32_t)pick(p, 40), (uint32_t)pick(p, 9)};
    return p->bodies[pick(p, HANDLES)];
}

static sup_collider any_collider(play* p) {
    if (chance(p, 12)) return (sup_collider){(uint32_t)pick(p, 40), (uint32_t)pick(p, 9)};
    return p->colliders[pick(p, HANDLES)];
}

static sup_attachment any_attachment(play* p) {
    if (chance(p, 12)) return (sup_attachment){(uint32_t)pick(p, 40), (uint32_t)pick(p, 9)};
    return p->attachments[pick(p, HANDLES)];
}

static int32_t particles_of(const play* p, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(p->world, body);
    return print ? sup_blueprint_get_info(print).particle_count : 0;
}

static void note(play* p, sup_result result) {
    assert_true(result >= SUP_OK && result <= SUP_IO);
    assert_true(result != SUP_NO_MEMORY && result != SUP_IO);
    if (result == SUP_OK)
        p->done++;
    else
        p->refused++;
}

static void wild_material(play* p, sup_material* m) {
    m->stiffness = wild(p, 200);
    m->damping = fabs(wild(p, 0.9));
    m->restitution = fabs(wild(p, 0.9));
    if (chance(p, 4)) m->scheme = (sup_scheme)pick(p, 4);
    if (chance(p, 4)) m->rule = (sup_stiffness_rule)pick(p, 8);
}

static void make_body(play* p) {
    sup_body_def def = sup_body_default();
    def.blueprint = chance(p, 20) ? NULL : p->prints[pick(p, 3)];
    wild3(p, 3, def.position);
    def.position[1] = fabs(def.position[1]) + 0.5;
    wild3(p, 5, def.velocity);
    dice_turn(&p->d, def.rotation);
    if (chance(p, 20)) memset(def.rotation, 0, sizeof def.rotation);
    if (chance(p, 20)) def.size = 3;
    if (chance(p, 5)) wild_material(p, &def.material);
    def.filter.category = (uint32_t)pick(p, 4);
    def.stays_awake = chance(p, 5);
    sup_error error = {0};
    sup_body body = {0};
    sup_result result = sup_body_create(p->world, &def, &body, &error);
    if (result != SUP_OK) assert_true(strlen(error.text) > 5);
    note(p, result);
    if (result == SUP_OK) {
        int32_t at = pick(p, HANDLES);
        sup_body_destroy(p->world, p->bodies[at]);
        p->bodies[at] = body;
    }
}

static void make_collider(play* p) {
    sup_collider_def def = sup_collider_default();
    def.kind = (sup_collider_kind)pick(p, 7);
    wild3(p, 3, def.position);
    dice_turn(&p->d, def.rotation);
    def.radius = fabs(wild(p, 1));
    wild3(p, 1, def.half_size);
    def.half_length = fabs(wild(p, 1));
    def.mesh = chance(p, 8) ? NULL : &p->mesh;
    def.height_count[0] = def.height_count[1] = chance(p, 6) ? pick(p, 4) : 4;
    def.height_step[0] = wild(p, 1);
    def.heights = chance(p, 8) ? NULL : p->heights;
    def.inverted = chance(p, 4);
    def.sensor = chance(p, 4);
    sup_error error = {0};
    sup_collider collider = {0};
    sup_result result = sup_collider_create(p->world, &def, &collider, &error);
    if (result != SUP_OK) assert_true(strlen(error.text) > 5);
    note(p, result);
    if (result == SUP_OK) {
        int32_t at = pick(p, HANDLES);
        sup_collider_destroy(p->world, p->colliders[at]);
        p->colliders[at] = collider;
    }
}

static void make_attachment(play* p) {
    sup_attachment_def def = sup_attachment_default();
    def.body = any_body(p);
    int32_t count = particles_of(p, def.body);
    def.particle = chance(p, 10) ? pick(p, 9999) - 5000 : count ? pick(p, count) : 0;
    if (chance(p, 2)) {
        def.other = any_body(p);
        count = particles_of(p, def.other);
        def.other_particle = chance(p, 10) ? pick(p, 9999) - 5000 : count ? pick(p, count) : 0;
    }
    if (chance(p, 2)) def.collider = any_collider(p);
    wild3(p, 3, def.point);
    def.here = chance(p, 2);
    def.length = wild(p, 1);
    if (chance(p, 2)) def.stiffness = fabs(wild(p, 1000));
    if (chance(p, 3)) def.damping = fabs(wild(p, 100));
    if (chance(p, 2)) def.break_force = fabs(wild(p, 500));
    if (chance(p, 3)) def.force_limit = fabs(wild(p, 500));
    sup_error error = {0};
    sup_attachment made = {0};
    sup_result result = sup_attachment_create(p->world, &def, &made, &error);
    if (result != SUP_OK) assert_true(strlen(error.text) > 5);
    note(p, result);
    if (result == SUP_OK) {
        int32_t at = pick(p, HANDLES);
        sup_attachment_destroy(p->world, p->attachments[at]);
        p->attachments[at] = made;
    }
}

static void edit_body(play* p) {
    sup_body body = any_body(p);
    sup_error error = {0};
    double shift[3], turn[4];
    wild3(p, 1, shift);
    dice_turn(&p->d, turn);
    sup_material material = sup_body_default().material;
    switch (pick(p, 10)) {
    case 0: note(p, sup_body_teleport(p->world, body, shift, turn, &error)); break;
    case 1: note(p, sup_body_teleport(p->world, body, shift, NULL, NULL)); break;
    case 2: note(p, sup_body_reset(p->world, body)); break;
    case 3: note(p, sup_body_set_paused(p->world, body, chance(p, 2))); break;
    case 4: note(p, sup_body_wake(p->world, body)); break;
    case 5: note(p, sup_body_destroy(p->world, body)); break;
    case 6:
        wild_material(p, &material);
        note(p, sup_body_set_material(p->world, body, &material, &error));
        break;
    case 7:
        wild_material(p, &material);
        note(p, sup_body_set_region_material(p->world, body, pick(p, 5) - 1, &material, &error));
        break;
    case 8:
        note(p, sup_body_set_filter(p->world, body,
                                    (sup_filter){(uint32_t)pick(p, 8), (uint32_t)pick(p, 8)}));
        break;
    default: {
        sup_point pins[8];
        for (int i = 0; i < 8; i++) {
            double at[3];
            wild3(p, 2, at);
            pins[i] = (sup_point){at[0], at[1], at[2]};
        }
        note(p, sup_body_move_pins(p->world, body, pins, &error));
    }
    }
}

static void edit_collider(play* p) {
    sup_collider collider = any_collider(p);
    sup_error error = {0};
    double to[3], turn[4], impulse[3], moment[3];
    wild3(p, 2, to);
    dice_turn(&p->d, turn);
    switch (pick(p, 6)) {
    case 0: note(p, sup_collider_move(p->world, collider, to, turn, &error)); break;
    case 1: note(p, sup_collider_place(p->world, collider, to, turn, NULL)); break;
    case 2: note(p, sup_collider_destroy(p->world, collider)); break;
    case 3: note(p, sup_collider_set_filter(p->world, collider, (sup_filter){1, 3})); break;
    case 4: note(p, sup_collider_read_impulse(p->world, collider, impulse, moment)); break;
    default: {
        sup_vec3* points = calloc((size_t)p->mesh.point_count, sizeof *points);
        for (int32_t i = 0; i < p->mesh.point_count; i++) {
            points[i] = p->mesh.points[i];
            points[i].y += chance(p, 400) ? wild_vec(p, 0.1).y : 0.01f;
        }
        note(p, sup_collider_move_points(p->world, collider, points, &error));
        free(points);
    }
    }
}

static void edit_attachment(play* p) {
    sup_attachment attachment = any_attachment(p);
    double to[3];
    wild3(p, 2, to);
    switch (pick(p, 3)) {
    case 0: note(p, sup_attachment_move(p->world, attachment, to, NULL)); break;
    case 1: note(p, sup_attachment_read_force(p->world, attachment, to)); break;
    default: note(p, sup_attachment_destroy(p->world, attachment)); break;
    }
}

static void ask(play* p) {
    double a[3], b[3];
    sup_hit hit, hits[4];
    sup_contact contacts[8];
    sup_filter all = {UINT32_MAX, UINT32_MAX};
    int32_t count;
    wild3(p, 3, a);
    wild3(p, 6, b);
    switch (pick(p, 7)) {
    case 0: sup_world_cast_ray(p->world, a, b, all, &hit); break;
    case 1: sup_world_overlap_sphere(p->world, a, wild(p, 2), all, hits, 4); break;
    case 2: sup_world_nearest_particle(p->world, a, wild(p, 2), all, &hit); break;
    case 3: sup_world_measure(p->world); break;
    case 4: sup_world_contacts(p->world, contacts, 8); break;
    case 5: sup_world_meetings(p->world, &count); break;
    default: sup_world_hash(p->world); break;
    }
}

static void write_body(play* p) {
    sup_body body = any_body(p);
    int32_t count = particles_of(p, body);
    if (count == 0) return;
    sup_point* x = calloc((size_t)count, sizeof *x);
    sup_vec3* v = calloc((size_t)count, sizeof *v);
    assert_int_equal(sup_body_read_particles(p->world, body, x, v), SUP_OK);
    for (int32_t i = 0; i < count; i += 7) {
        x[i].y += chance(p, 40) ? wild(p, 0.1) : 0.001;
        v[i] = chance(p, 40) ? wild_vec(p, 1) : v[i];
    }
    note(p, sup_body_write_particles(p->world, body, x, v, NULL));
    free(x);
    free(v);
}

static void save_or_restore(play* p) {
    sup_error error = {0};
    if (chance(p, 2) || !p->saved.data) {
        sup_bytes bytes = {0};
        sup_result result = sup_world_save(p->world, &bytes, &error);
        note(p, result);
        if (result != SUP_OK) return;
        sup_bytes_free(&p->saved);
        p->saved = bytes;
    } else {
        note(p, sup_world_restore(p->world, p->saved.data, p->saved.size, &error));
    }
}

static void call_anything(play* p) {
    switch (pick(p, 16)) {
    case 0: make_body(p); break;
    case 1: make_collider(p); break;
    case 2:
    case 3: make_attachment(p); break;
    case 4:
    case 5:
    case 6: edit_body(p); break;
    case 7:
    case 8: edit_collider(p); break;
    case 9: edit_attachment(p); break;
    case 10:
    case 11: ask(p); break;
    case 12: write_body(p); break;
    case 13: save_or_restore(p); break;
    default: {
        double dt = chance(p, 20) ? wild(p, 1) : FRAME;
        sup_result result = sup_world_step(p->world, dt);
        if (p->depth) assert_int_equal(result, SUP_BUSY);
        note(p, result);
    }
    }
}

static void on_event(void* user, sup_world* world, const sup_event* event) {
    play* p = user;
    assert_ptr_equal(world, p->world);
    assert_true(event->kind >= SUP_EVENT_BODY_RESTORED && event->kind <= SUP_EVENT_BODY_WOKE);
    p->told++;
    p->depth++;
    if (chance(p, 4)) call_anything(p);
    if (chance(p, 6)) note(p, sup_body_destroy(world, event->body));
    p->depth--;
}

static void random_calls_are_survived(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= (long_tests() ? 4u : 1u); seed++) {
        play p = {.d = {seed}};
        sup_world_def def = sup_world_default();
        def.on_event = on_event;
        def.user = &p;
        def.substeps = 2;
        def.sleep_time = 0.1;
        p.world = make_world(&def);
        assert_int_equal(sup_mesh_icosphere(NULL, 0.5, 1, &p.mesh, NULL), SUP_OK);
        for (int i = 0; i < 16; i++) p.heights[i] = (float)(0.1 * dice_roll(&p.d));
        sup_blueprint_def pinned = filled(0.2);
        const int32_t pins[] = {0, 1, 2};
        pinned.pin_count = 3;
        pinned.pins = pins;
        p.prints[0] = ball_of(0.2, 1, filled(0.1));
        p.prints[1] = box_of((double[3]){0.4, 0.3, 0.3}, 3, in_cubes(0.1, 0.25));
        p.prints[2] = ball_of(0.3, 1, pinned);
        add_floor(p.world);
        for (int32_t i = 0; i < CALLS; i++) call_anything(&p);
        assert_true(p.done > CALLS / 4 && p.refused > CALLS / 20 && p.told > 100);
        print_message("seed %d: %d done, %d refused, %d events\n", (int)seed, (int)p.done,
                      (int)p.refused, (int)p.told);
        /* It still works. */
        assert_int_equal(sup_world_step(p.world, FRAME), SUP_OK);
        sup_world_destroy(p.world);
        sup_bytes_free(&p.saved);
        sup_mesh_free(&p.mesh);
        for (int i = 0; i < 3; i++) sup_blueprint_release(p.prints[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_are_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
