/* Snapshots: what was saved goes on as if nothing had happened, and nothing else is taken. */
#include "base/hash.h"
#include "supple/snapshot.h"
#include "tape/snapshot_form.h"
#include "tape/stage.h"

#include <fenv.h>

static sup_bytes save(const sup_world* world) {
    sup_error error = {0};
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    return bytes;
}

static void restore(sup_world* world, const sup_bytes* bytes) {
    sup_error error = {0};
    assert_ok(sup_world_restore(world, bytes->data, bytes->size, &error), error);
}

static void assert_same_bytes(const sup_bytes* a, const sup_bytes* b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* ---- Going on ---- */

enum { LAST = 300 };

/* An undisturbed run: hash and events of every step. */
typedef struct history {
    uint64_t hashes[LAST + 1];
    int32_t event_counts[LAST + 1];
    uint64_t event_sums[LAST + 1];
} history;

static void note(const sup_world* world, int32_t frame, history* h) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    uint64_t sum = supi_hash_begin();
    for (int32_t i = 0; i < count; i++) {
        const sup_event* e = events + i;
        sum = supi_hash_word(sum, (uint64_t)e->kind);
        sum = supi_hash_word(sum, (uint64_t)e->body.slot << 32 | e->body.age);
        sum = supi_hash_word(sum, (uint64_t)e->other.slot << 32 | e->other.age);
        sum = supi_hash_word(sum, (uint64_t)e->collider.slot << 32 | e->collider.age);
        sum = supi_hash_word(sum, (uint64_t)e->attachment.slot << 32 | e->attachment.age);
        sum = supi_hash_double(sum, e->value);
    }
    h->hashes[frame] = sup_world_hash(world);
    h->event_counts[frame] = count;
    h->event_sums[frame] = sum;
}

static void go_through(const stage* s, int32_t from, history* h) {
    if (from == 0) h->hashes[0] = sup_world_hash(s->world);
    for (int32_t frame = from + 1; frame <= LAST; frame++) {
        stage_run(s, frame - 1, frame);
        note(s->world, frame, h);
    }
}

static void assert_same_history(const history* a, const history* b, int32_t from) {
    for (int32_t frame = from + 1; frame <= LAST; frame++) {
        if (a->hashes[frame] != b->hashes[frame]) fail_msg("frame %d has another hash", frame);
        assert_int_equal(a->event_counts[frame], b->event_counts[frame]);
        assert_true(a->event_sums[frame] == b->event_sums[frame]);
    }
}

static const int32_t cuts[] = {0, 1, 137, 138, 220};
enum { CUTS = sizeof cuts / sizeof *cuts };

static void goes_on_as_undisturbed(void** state) {
    (void)state;
    static history whole, again;
    stage s = stage_make(NULL);
    go_through(&s, 0, &whole);
    sup_world_destroy(s.world);
    int32_t events = 0;
    for (int32_t i = 1; i <= LAST; i++) events += whole.event_counts[i];
    assert_true(events > 20); /* or the comparison says little */

    for (int i = 0; i < CUTS; i++) {
        stage a = stage_make(NULL), b = a, c = a;
        stage_run(&a, 0, cuts[i]);
        sup_bytes saved = save(a.world);
        /* into a new world, with other threads and kernels */
        sup_world_def def = sup_world_default();
        def.threads = 2;
        def.simd = SUP_SIMD_SCALAR;
        def.gravity[1] = 3.0;
        b.world = make_world(&def);
        restore(b.world, &saved);
        assert_int_equal(sup_world_hash(b.world), sup_world_hash(a.world));
        sup_bytes resaved = save(b.world);
        assert_same_bytes(&saved, &resaved);
        sup_bytes_free(&resaved);
        go_through(&b, cuts[i], &again);
        assert_same_history(&whole, &again, cuts[i]);
        /* into the running one, which has gone further meanwhile */
        stage_run(&a, cuts[i], cuts[i] + 20);
        restore(a.world, &saved);
        resaved = save(a.world);
        assert_same_bytes(&saved, &resaved);
        sup_bytes_free(&resaved);
        go_through(&a, cuts[i], &again);
        assert_same_history(&whole, &again, cuts[i]);
        /* into one that held something else */
        c.world = make_world(NULL);
        add_floor(c.world);
        restore(c.world, &saved);
        stage_run(&c, cuts[i], cuts[i] + 10);
        sup_bytes_free(&saved);
        sup_world_destroy(a.world);
        sup_world_destroy(b.world);
        sup_world_destroy(c.world);
    }
}

static void other_kernels_go_on_alike(void** state) {
    (void)state;
    if (!sup_simd_available(SUP_SIMD_AVX2)) skip();
    sup_world_def fast = sup_world_default(), plain = fast;
    fast.simd = SUP_SIMD_AVX2;
    plain.simd = SUP_SIMD_SCALAR;
    stage a = stage_make(&fast), b = a;
    stage_run(&a, 0, 40);
    sup_bytes saved = save(a.world);
    b.world = make_world(&plain);
    restore(b.world, &saved);
    assert_int_equal(sup_world_simd(b.world), SUP_SIMD_SCALAR);
    stage_run(&a, 40, 100);
    stage_run(&b, 40, 100);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    sup_bytes_free(&saved);
    sup_world_destroy(a.world);
    sup_world_destroy(b.world);
}

/* However the caller rounds, which stays as it was. */
static void rounding_of_the_caller_does_not_matter(void** state) {
    (void)state;
    stage a = stage_make(NULL), b = a;
    stage_run(&a, 0, 100);
    sup_bytes saved = save(a.world);
    b.world = make_world(NULL);
    int before = fegetround();
    fesetround(FE_UPWARD);
    sup_result result = sup_world_restore(b.world, saved.data, saved.size, NULL);
    int left = fegetround();
    fesetround(before);
    assert_int_equal(result, SUP_OK);
    assert_int_equal(left, FE_UPWARD);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    /* what is worked out anew, as the sides of a led mesh, shows later */
    take_steps(a.world, 30);
    take_steps(b.world, 30);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    sup_bytes_free(&saved);
    sup_world_destroy(a.world);
    sup_world_destroy(b.world);
}

/* Three boxes on the floor, one of them on a rope, and one that falls onto them later. */
static sup_world* make_sleepers(sup_body bodies[4]) {
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_blueprint* box = box_of((double[3]){0.6, 0.6, 0.6}, 3, sup_blueprint_default());
    for (int i = 0; i < 3; i++) {
        sup_body_def def = body_at(box, 0.9 * i, 0.31, 0);
        bodies[i] = add_body(world, &def);
    }
    sup_body_def late = body_at(box, 0.45, 14.0, 0);
    late.velocity[1] = 6.0;
    bodies[3] = add_body(world, &late);
    sup_blueprint_release(box);
    sup_attachment_def rope = sup_attachment_default();
    rope.body = bodies[2];
    rope.here = true;
    rope.length = 0.5;
    rope.stiffness = 5.0;
    rope.damping = 5.0;
    sup_error error = {0};
    assert_ok(sup_attachment_create(world, &rope, NULL, &error), error);
    return world;
}

static bool has_event(const sup_world* world, sup_event_kind kind) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind == kind) return true;
    }
    return false;
}

/* Both go on; returns the kinds of events that both had, as bits. */
static uint32_t go_side_by_side(sup_world* a, sup_world* b, int32_t steps,
                                const sup_body bodies[4]) {
    uint32_t kinds = 0;
    for (int32_t i = 0; i < steps; i++) {
        take_steps(a, 1);
        take_steps(b, 1);
        assert_int_equal(sup_world_hash(a), sup_world_hash(b));
        for (int k = 0; k < 4; k++) {
            assert_int_equal(sup_body_is_asleep(a, bodies[k]), sup_body_is_asleep(b, bodies[k]));
        }
        for (int kind = SUP_EVENT_BODY_RESTORED; kind <= SUP_EVENT_BODY_WOKE; kind++) {
            bool seen = has_event(a, (sup_event_kind)kind);
            assert_int_equal(seen, has_event(b, (sup_event_kind)kind));
            kinds |= (uint32_t)seen << kind;
        }
    }
    return kinds;
}

/* Things fall asleep, are saved while they doze off and while they sleep, and wake at the same
   time. */
static void sleepers_sleep_on(void** state) {
    (void)state;
    sup_body bodies[4];
    int32_t slept = 0;
    sup_world* first = make_sleepers(bodies);
    for (; !sup_body_is_asleep(first, bodies[2]) && slept < 100; slept++) take_steps(first, 1);
    sup_world_destroy(first);
    const int32_t times[] = {slept - 12, slept, 150};
    for (int i = 0; i < 3; i++) {
        sup_world *world = make_sleepers(bodies), *other = make_world(NULL);
        take_steps(world, times[i]);
        assert_int_equal(sup_body_is_asleep(world, bodies[2]), i > 0);
        sup_bytes saved = save(world);
        restore(other, &saved);
        assert_int_equal(sup_body_is_asleep(other, bodies[2]), i > 0);
        uint32_t kinds = go_side_by_side(world, other, 300 - times[i], bodies);
        assert_true(kinds & 1u << SUP_EVENT_BODY_WOKE);
        if (i == 0) assert_true(kinds & 1u << SUP_EVENT_BODY_SLEPT);
        sup_bytes_free(&saved);
        sup_world_destroy(world);
        sup_world_destroy(other);
    }
}

/* Woken between two steps: the next one tells it. */
static void who_was_woken_is_told(void** state) {
    (void)state;
    sup_body bodies[4];
    sup_world *world = make_sleepers(bodies), *other = make_world(NULL);
    take_steps(world, 90);
    assert_int_equal(sup_body_wake(world, bodies[1]), SUP_OK);
    sup_bytes saved = save(world);
    restore(other, &saved);
    assert_true(go_side_by_side(world, other, 1, bodies) & 1u << SUP_EVENT_BODY_WOKE);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* A mesh that is closed only because points lay at the same places when it was made: what it is
   made of are those places, wherever its points are now. */
static void led_meshes_stay_what_they_were_made_of(void** state) {
    (void)state;
    static const sup_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    int32_t starts[5] = {0, 3, 6, 9, 12}, corners[12];
    sup_vec3 points[12];
    for (int i = 0; i < 12; i++) {
        points[i] = corner[faces[i]];
        corners[i] = i;
    }
    sup_mesh mesh = {NULL, 12, 4, 12, points, starts, corners, 0};
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &mesh;
    def.sensor = true; /* which open meshes cannot be */
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    sup_collider collider = add_collider(world, &def);
    for (int i = 0; i < 12; i++) points[i].x += 0.001f * (float)i;
    assert_int_equal(sup_collider_move_points(world, collider, points, NULL), SUP_OK);
    sup_bytes pending = save(world);
    take_steps(world, 2);
    sup_bytes saved = save(world);
    restore(other, &pending);
    take_steps(other, 2);
    assert_int_equal(sup_world_hash(world), sup_world_hash(other));
    restore(other, &saved);
    sup_bytes again = save(other);
    assert_same_bytes(&saved, &again);
    sup_bytes_free(&pending);
    sup_bytes_free(&saved);
    sup_bytes_free(&again);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* ---- Handles ---- */

static void handles_stay_what_they_are(void** state) {
    (void)state;
    stage s = stage_make(NULL), t = s;
    sup_body_destroy(s.world, s.gone);
    sup_bytes saved = save(s.world);
    t.world = make_world(NULL);
    restore(t.world, &saved);
    assert_false(sup_body_is_valid(t.world, s.gone));
    assert_false(sup_attachment_is_valid(t.world, s.lost));
    assert_true(sup_body_is_valid(t.world, s.jelly));
    assert_true(sup_collider_is_valid(t.world, s.lift));
    assert_true(sup_attachment_is_valid(t.world, s.spring));
    assert_int_equal(sup_attachment_user(t.world, s.spring), 5);
    sup_body bodies[16], others[16];
    int32_t count = sup_world_bodies(s.world, bodies, 16);
    assert_int_equal(sup_world_bodies(t.world, others, 16), count);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(bodies[i].slot, others[i].slot);
        assert_int_equal(sup_body_user(s.world, bodies[i]), sup_body_user(t.world, others[i]));
    }
    /* new ones get the same numbers, and reset leads to the same start */
    stage* both[2] = {&s, &t};
    sup_body made[2];
    for (int i = 0; i < 2; i++) {
        sup_world* world = both[i]->world;
        sup_body_def def =
            body_at((sup_blueprint*)(uintptr_t)sup_body_blueprint(world, bodies[0]), 9, 9, 9);
        made[i] = add_body(world, &def);
        assert_int_equal(sup_body_reset(world, bodies[1]), SUP_OK);
        stage_run(both[i], 0, 5);
    }
    assert_int_equal(made[0].slot, made[1].slot);
    assert_int_equal(made[0].age, made[1].age);
    assert_int_equal(sup_world_hash(s.world), sup_world_hash(t.world));
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(t.world);
}

/* The sums of the last step are for the user, and are there again. */
static void sums_are_kept(void** state) {
    (void)state;
    stage s = stage_make(NULL), t = s;
    stage_run(&s, 0, 60);
    sup_bytes saved = save(s.world);
    t.world = make_world(NULL);
    restore(t.world, &saved);
    double a[3], b[3], c[3], d[3];
    assert_int_equal(sup_collider_read_impulse(s.world, s.lift, a, b), SUP_OK);
    assert_int_equal(sup_collider_read_impulse(t.world, s.lift, c, d), SUP_OK);
    assert_memory_equal(a, c, sizeof a);
    assert_memory_equal(b, d, sizeof b);
    assert_int_equal(sup_attachment_read_force(s.world, s.spring, a), SUP_OK);
    assert_int_equal(sup_attachment_read_force(t.world, s.spring, c), SUP_OK);
    assert_memory_equal(a, c, sizeof a);
    int32_t m, n;
    const sup_meeting* x = sup_world_meetings(s.world, &m);
    const sup_meeting* y = sup_world_meetings(t.world, &n);
    assert_int_equal(m, n);
    assert_true(m > 2);
    for (int32_t i = 0; i < m; i++) {
        assert_true(x[i].normal_impulse == y[i].normal_impulse);
        assert_true(x[i].friction_impulse == y[i].friction_impulse);
        assert_true(x[i].deepest == y[i].deepest);
        assert_int_equal(x[i].contact_count, y[i].contact_count);
        assert_memory_equal(x[i].impulse, y[i].impulse, sizeof x[i].impulse);
        assert_memory_equal(x[i].moment, y[i].moment, sizeof x[i].moment);
    }
    assert_true(sup_world_time(t.world) == sup_world_time(s.world));
    assert_int_equal(sup_world_step_count(t.world), 60);
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(t.world);
}

/* ---- Blueprints ---- */

static void equal_blueprints_are_shared(void** state) {
    (void)state;
    stage s = stage_make(NULL);
    sup_body bodies[16];
    sup_world_bodies(s.world, bodies, 16);
    const sup_blueprint* before = sup_body_blueprint(s.world, bodies[0]);
    sup_bytes saved = save(s.world);
    stage_run(&s, 0, 3);
    restore(s.world, &saved);
    assert_ptr_equal(sup_body_blueprint(s.world, bodies[0]), before);
    assert_ptr_equal(sup_body_blueprint(s.world, bodies[1]), before);
    sup_world* other = make_world(NULL);
    restore(other, &saved);
    assert_ptr_not_equal(sup_body_blueprint(other, bodies[0]), before);
    assert_ptr_equal(sup_body_blueprint(other, bodies[0]), sup_body_blueprint(other, bodies[1]));
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(other);
}

/* Also where the world has lost one of them since. */
static void blueprints_that_are_alike_stay_two(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_body bodies[2];
    for (int i = 0; i < 2; i++) {
        sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
        sup_body_def def = body_at(print, 2.0 * i, 0, 0);
        bodies[i] = add_body(world, &def);
        sup_blueprint_release(print);
    }
    sup_bytes saved = save(world);
    assert_int_equal(sup_body_destroy(world, bodies[0]), SUP_OK);
    restore(world, &saved);
    assert_ptr_not_equal(sup_body_blueprint(world, bodies[0]),
                         sup_body_blueprint(world, bodies[1]));
    sup_bytes again = save(world);
    assert_same_bytes(&again, &saved);
    sup_bytes_free(&saved);
    sup_bytes_free(&again);
    sup_world_destroy(world);
}

static void an_empty_world_is_saved_too(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_bytes saved = save(world);
    stage s = stage_make(NULL);
    restore(s.world, &saved);
    assert_int_equal(sup_world_bodies(s.world, NULL, 0), 0);
    assert_false(sup_body_is_valid(s.world, s.jelly));
    assert_int_equal(sup_world_hash(world), sup_world_hash(s.world));
    assert_int_equal(sup_world_step(s.world, FRAME), SUP_OK);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(s.world);
}

/* ---- Refusals ---- */

static void refuse(sup_world* world, const uint8_t* bytes, size_t size, const char* words) {
    sup_error error = {0};
    uint64_t hash = sup_world_hash(world);
    assert_int_equal(sup_world_restore(world, bytes, size, &error), SUP_BAD_FILE);
    assert_int_equal(error.code, SUP_BAD_FILE);
    if (words && !strstr(error.text, words)) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
    if (!strstr(error.text, "snapshot: byte ")) fail_msg("no place: %s", error.text);
    assert_int_equal(sup_world_hash(world), hash);
}

static void sign(uint8_t* bytes, size_t size) {
    uint64_t sum = supi_hash_bytes(supi_hash_begin(), bytes, size - 8);
    for (int i = 0; i < 8; i++) bytes[size - 8 + (size_t)i] = (uint8_t)(sum >> (8 * i));
}

static void damage_is_refused_with_its_place(void** state) {
    (void)state;
    stage s = stage_make(NULL);
    stage_run(&s, 0, 30);
    sup_bytes saved = save(s.world);
    sup_world* world = make_world(NULL);
    add_floor(world);
    size_t stride = long_tests() ? 11 : 97;
    for (size_t size = 0; size < saved.size; size += size < 64 ? 1 : stride) {
        uint8_t* cut = malloc(size + 1);
        memcpy(cut, saved.data, size);
        refuse(world, cut, size, NULL);
        free(cut);
    }
    for (size_t at = 0; at < saved.size; at += at < 64 || at + 64 > saved.size ? 1 : stride) {
        saved.data[at] ^= (uint8_t)(1 + at % 255);
        refuse(world, saved.data, saved.size, NULL);
        saved.data[at] ^= (uint8_t)(1 + at % 255);
    }
    saved.data[0] ^= 1;
    refuse(world, saved.data, saved.size,
           "byte 0 (start, magic): this is no snapshot, which begins with 89 53 55 50 53 0d 0a 1a");
    saved.data[0] ^= 1;
    saved.data[8] = 9;
    refuse(world, saved.data, saved.size, "it is 9; this library reads 4");
    saved.data[8] = 4;
    refuse(world, saved.data, saved.size - 1, "bytes long, but has");
    saved.data[200] ^= 1;
    refuse(world, saved.data, saved.size, "the bytes are damaged");
    saved.data[200] ^= 1;
    /* out of range, with a fitting checksum: 65 substeps */
    saved.data[56] = 65;
    sign(saved.data, saved.size);
    refuse(world, saved.data, saved.size, "byte 56 (settings, substeps): it must be from 1 to 64");
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(s.world);
}

/* Each index is in range, but the arrays do not fit each other. */
static void arrays_that_do_not_fit_are_refused(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    add_body(world, &def);
    sup_blueprint_release(print);
    sup_bytes saved = save(world);
    uint8_t* at = saved.data;
    while (memcmp(at, "BLUE", 4) != 0) at++;
    /* behind tag, size, 13 counts, 9 numbers and a hash: the rows of particles 0 and 1 */
    uint8_t *rows = at + 12 + 52 + 72 + 8, first[4];
    memcpy(first, rows, 4);
    memcpy(rows, rows + 4, 4);
    memcpy(rows + 4, first, 4);
    sign(saved.data, saved.size);
    sup_world* other = make_world(NULL);
    refuse(other, saved.data, saved.size, "(blueprint 0, particles)");
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

static uint32_t get_u32(const uint8_t* at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void set_u32(uint8_t* at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* What follows the tag and the size of a section; `end`: where the next one begins. */
static uint8_t* find_section(const sup_bytes* saved, const char* tag, uint8_t** end) {
    uint8_t* at = saved->data + SUPI_SNAPSHOT_HEAD;
    for (;; at = *end) {
        *end = at + 12 + get_u32(at + 4);
        assert_true(*end <= saved->data + saved->size - SUPI_SNAPSHOT_TAIL);
        if (memcmp(at, tag, 4) == 0) return at + 12;
    }
}

/* Refused with another number at `at`, which is put back. */
static void refuse_u32(sup_world* world, sup_bytes* saved, uint8_t* at, uint32_t value,
                       const char* words) {
    uint32_t old = get_u32(at);
    set_u32(at, value);
    sign(saved->data, saved->size);
    refuse(world, saved->data, saved->size, words);
    set_u32(at, old);
    sign(saved->data, saved->size);
}

static void refuse_double(sup_world* world, sup_bytes* saved, uint8_t* at, double value,
                          const char* words) {
    uint8_t old[8];
    uint64_t bits;
    memcpy(old, at, 8);
    memcpy(&bits, &value, 8);
    for (int i = 0; i < 8; i++) at[i] = (uint8_t)(bits >> (8 * i));
    sign(saved->data, saved->size);
    refuse(world, saved->data, saved->size, words);
    memcpy(at, old, 8);
    sign(saved->data, saved->size);
}

/* The smallest lattices come back, and none with a spacing that is not that of its body. */
static void lattices_have_the_spacing_of_their_body(void** state) {
    (void)state;
    const sup_vec3 points[2] = {{0, 0, 0}, {0.2499f, 0, 0}};
    for (int32_t count = 1; count <= 2; count++) {
        sup_world *world = make_world(NULL), *other = make_world(NULL);
        sup_error error = {0};
        sup_blueprint* print = NULL;
        sup_blueprint_def def = filled(0.25);
        def.layout = SUP_CLUSTERS_LATTICE;
        def.points = points;
        def.point_count = count;
        assert_ok(sup_blueprint_create(&def, &print, &error), error);
        sup_body_def body = body_at(print, 0, 0, 0);
        add_body(world, &body);
        sup_blueprint_release(print);
        sup_bytes saved = save(world);
        assert_ok(sup_world_restore(other, saved.data, saved.size, &error), error);
        uint8_t *end, *numbers = find_section(&saved, "BLUE", &end) + 13 * 4;
        uint8_t *size = numbers + 3 * 8, *spacing = numbers + 4 * 8, *own = numbers + 9 * 8;
        while (memcmp(own, spacing, 8) != 0) own++;
        const char* words = "(blueprint 0, lattice): its spacing does not fit the body";
        refuse_double(other, &saved, spacing, 0.5, words);
        refuse_double(other, &saved, own, 0.0, words);
        refuse_double(other, &saved, own, 0.5, words);
        if (count == 2) refuse_double(other, &saved, size, 0.2, words);
        sup_bytes_free(&saved);
        sup_world_destroy(world);
        sup_world_destroy(other);
    }
}

/* What is read must be what would be saved: blueprints in the order of their first use, all of them
   used, and triangles of three points. */
static void what_is_never_saved_is_refused(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.5, 0, &mesh, NULL), SUP_OK);
    for (int i = 0; i < 2; i++) {
        sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
        sup_body_def def = body_at(print, 4.0 * i, 0, 0);
        add_body(world, &def);
        sup_blueprint_release(print);
    }
    sup_collider_def solid = sup_collider_default();
    solid.kind = SUP_COLLIDER_MESH;
    solid.mesh = &mesh;
    add_collider(world, &solid);
    sup_bytes saved = save(world);
    uint8_t *end, *bodies = find_section(&saved, "BODY", &end);
    refuse_u32(world, &saved, bodies + 4, 1, "(body 0, blueprint): they stand in the order");
    uint8_t* second = end - 4 - 4 - 3 * 8; /* the pool of two bodies ends the section */
    second = bodies + 4 + (size_t)(second - bodies - 4) / 2;
    assert_int_equal(get_u32(second), 1);
    refuse_u32(world, &saved, second, 0, "(blueprint 1, bodies): none is made from it");
    uint8_t* triangle = find_section(&saved, "COLL", &end);
    const int32_t* corners = mesh.corners;
    while (memcmp(triangle, corners, 12) != 0) triangle++;
    refuse_u32(world, &saved, triangle + 4, (uint32_t)corners[0],
               "(collider 0, triangles): one of them names a point twice");
    sup_mesh_free(&mesh);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
}

/* A handle (slot, age) of something gone: it was given once, and may not be one to come. */
static void refuse_other_handles(sup_world* world, sup_bytes* saved, uint8_t* handle,
                                 const char* words) {
    uint32_t age = get_u32(handle + 4);
    assert_int_equal(age & 1, 1);
    const uint32_t ages[4] = {0, age + 1, age + 2, 0x7fffffffu},
                   slots[4] = {0, 1000, 1u << 31, ~0u};
    for (int i = 0; i < 4; i++) {
        refuse_u32(world, saved, handle + 4, ages[i], words);
        refuse_u32(world, saved, handle, slots[i], words);
    }
}

/* A ball on another on the floor, the lower one tied to both; then a ball is gone, or the floor. */
static sup_world* make_bereaved(int gone) {
    sup_world* world = make_world(NULL);
    sup_collider_def floor_def = sup_collider_default();
    sup_collider ground = add_collider(world, &floor_def);
    sup_blueprint* ball = ball_of(0.4, 2, sup_blueprint_default());
    sup_body balls[2];
    for (int i = 0; i < 2; i++) {
        sup_body_def def = body_at(ball, 0, 0.4 + 0.8 * i, 0);
        balls[i] = add_body(world, &def);
    }
    sup_blueprint_release(ball);
    sup_attachment_def rope = sup_attachment_default();
    rope.length = -1.0;
    rope.meet = true;
    rope.body = balls[0];
    rope.other = balls[1];
    sup_error error = {0};
    assert_ok(sup_attachment_create(world, &rope, NULL, &error), error);
    rope.other = (sup_body){0, 0};
    rope.collider = ground;
    assert_ok(sup_attachment_create(world, &rope, NULL, &error), error);
    take_steps(world, 10);
    int32_t count;
    sup_world_meetings(world, &count);
    assert_int_equal(count, 2); /* ball with ball, then the lower one with the floor */
    assert_int_equal(gone == 2 ? sup_collider_destroy(world, ground)
                               : sup_body_destroy(world, balls[gone]),
                     SUP_OK);
    return world;
}

static void handles_to_come_are_refused(void** state) {
    (void)state;
    for (int gone = 0; gone < 3; gone++) {
        sup_world *world = make_bereaved(gone), *other = make_world(NULL);
        sup_bytes saved = save(world);
        uint8_t *end, *ties = find_section(&saved, SUPI_SNAPSHOT_ATTACHMENTS, &end) + 4;
        uint8_t* second_tie = ties + (end - 4 * 8 - ties) / 2; /* a pool is behind them */
        uint8_t* meetings = find_section(&saved, SUPI_SNAPSHOT_MEETINGS, &end) + 4;
        /* where the lost handle stands */
        uint8_t* const tied[] = {ties, ties + 12, second_tie + 24};
        uint8_t* const met[] = {meetings, meetings + 8, meetings + (end - meetings) / 2 + 16};
        refuse_other_handles(other, &saved, tied[gone], "ends): one was never there");
        refuse_other_handles(other, &saved, met[gone], "sides): one was never there");
        /* particles of one alive and of one gone */
        uint32_t particle = gone == 0 ? 100000000 : 0xffffffffu;
        if (gone < 2) refuse_u32(other, &saved, ties + 20, particle, "no such particle");
        /* so few ages are left to its slot that the first ones come again soon */
        if (gone == 1) {
            find_section(&saved, SUPI_SNAPSHOT_BODIES, &end);
            uint32_t age = get_u32(end - 8);
            set_u32(end - 8, 0xfffffffeu);
            refuse_u32(other, &saved, tied[gone] + 4, 1, "ends): one was never there");
            set_u32(end - 8, age);
            sign(saved.data, saved.size);
        }
        restore(other, &saved);
        take_steps(world, 5);
        take_steps(other, 5);
        assert_int_equal(sup_world_hash(world), sup_world_hash(other));
        sup_bytes_free(&saved);
        sup_world_destroy(world);
        sup_world_destroy(other);
    }
}

/* Bytes changed by someone who knows how to make the checksum fit: refused, or taken and then
   harmless. The sanitizers look on. */
static void forgery_is_harmless(void** state) {
    (void)state;
    stage s = stage_make(NULL);
    stage_run(&s, 0, 70);
    sup_bytes saved = save(s.world);
    uint8_t* forged = malloc(saved.size);
    dice d = {1};
    int rounds = long_tests() ? 20000 : 500, taken = 0, refused = 0;
    for (int round = 0; round < rounds; round++) {
        memcpy(forged, saved.data, saved.size);
        int changes = 1 + round % 4;
        for (int i = 0; i < changes; i++) {
            double share = 0.5 + 0.5 * dice_roll(&d);
            size_t at = 20 + (size_t)(share * (double)(saved.size - 40));
            /* words that programs stumble over, or a bit */
            static const uint8_t odd[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
            if (round % 3 == 0) {
                memset(forged + (at & ~(size_t)3), odd[round / 3 % 5], 4);
            } else {
                forged[at] ^= (uint8_t)(1 << (round % 8));
            }
        }
        sign(forged, saved.size);
        stage t = s;
        t.world = make_world(NULL);
        sup_result result = sup_world_restore(t.world, forged, saved.size, NULL);
        assert_true(result == SUP_OK || result == SUP_BAD_FILE || result == SUP_NO_MEMORY);
        if (result == SUP_OK) {
            stage_run(&t, 70, 72);
            sup_bytes again = {0};
            assert_int_equal(sup_world_save(t.world, &again, NULL), SUP_OK);
            sup_bytes_free(&again);
            taken++;
        } else {
            refused++;
        }
        sup_world_destroy(t.world);
    }
    assert_true(taken > 0 && refused > 0);
    free(forged);
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
}

/* The same where it hurts most: counts and indices, of which small files have a larger share. */
static void forged_counts_are_harmless(void** state) {
    (void)state;
    sup_world_def settings = sup_world_default();
    settings.sleep_speed = 1.0;
    settings.sleep_time = 0.05;
    sup_world* world = make_world(&settings);
    static const uint8_t regions[8] = {0, 1, 0, 1, 1, 0, 0, 1};
    static const int32_t starts[] = {0, 6, 12}, members[] = {0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7};
    sup_blueprint_def def = sup_blueprint_default();
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = 2;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.allow_joints = true;
    def.region_count = 2;
    def.regions = regions;
    def.pin_count = 1;
    def.pins = (const int32_t[1]){3};
    sup_blueprint* print = box_of((double[3]){1, 1, 1}, 1, def);
    sup_body_def body = body_at(print, 0, 0.5, 0);
    sup_body first = add_body(world, &body);
    body.position[1] = 1.2;
    sup_body bodies[2] = {add_body(world, &body), {0, 0}};
    body.position[0] = 0.3;
    body.position[1] = 2.3;
    bodies[1] = add_body(world, &body);
    sup_body_destroy(world, first);
    sup_blueprint_release(print);
    add_floor(world);
    add_drum(world);
    take_steps(world, 400);
    assert_true(sup_body_is_asleep(world, bodies[0]) && sup_body_is_asleep(world, bodies[1]));
    sup_bytes saved = save(world);
    uint8_t* forged = malloc(saved.size);
    static const uint32_t odd[] = {0, 1, 2, 0xffffffffu, 0x7fffffffu, 0x80000000u, 9, 0x10000};
    size_t stride = long_tests() ? 1 : 3;
    for (size_t at = 20; at + 12 < saved.size; at += stride) {
        memcpy(forged, saved.data, saved.size);
        uint32_t value = odd[at / stride % (sizeof odd / sizeof *odd)];
        set_u32(forged + at, value);
        sign(forged, saved.size);
        sup_world* other = make_world(NULL);
        if (sup_world_restore(other, forged, saved.size, NULL) == SUP_OK) {
            take_steps(other, 1);
            sup_body_wake(other, bodies[1]);
            sup_body_wake(other, bodies[0]);
            take_steps(other, 2);
        }
        sup_world_destroy(other);
    }
    free(forged);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
}

static sup_result in_callback[2];

static void save_and_restore(void* user, sup_world* world, const sup_event* event) {
    (void)event;
    const sup_bytes* saved = user;
    sup_bytes bytes = {0};
    in_callback[0] = sup_world_save(world, &bytes, NULL);
    in_callback[1] = sup_world_restore(world, saved->data, saved->size, NULL);
}

static void callbacks_are_too_early(void** state) {
    (void)state;
    sup_bytes saved = {0};
    sup_world_def def = sup_world_default();
    def.on_event = save_and_restore;
    def.user = &saved;
    stage s = stage_make(&def);
    saved = save(s.world);
    in_callback[0] = in_callback[1] = SUP_OK;
    stage_run(&s, 0, 60);
    assert_int_equal(in_callback[0], SUP_BUSY);
    assert_int_equal(in_callback[1], SUP_BUSY);
    /* the callback is the world's own and survives */
    restore(s.world, &saved);
    in_callback[0] = SUP_OK;
    stage_run(&s, 0, 60);
    assert_int_equal(in_callback[0], SUP_BUSY);
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_as_undisturbed),
        cmocka_unit_test(other_kernels_go_on_alike),
        cmocka_unit_test(rounding_of_the_caller_does_not_matter),
        cmocka_unit_test(sleepers_sleep_on),
        cmocka_unit_test(who_was_woken_is_told),
        cmocka_unit_test(led_meshes_stay_what_they_were_made_of),
        cmocka_unit_test(handles_stay_what_they_are),
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(equal_blueprints_are_shared),
        cmocka_unit_test(blueprints_that_are_alike_stay_two),
        cmocka_unit_test(an_empty_world_is_saved_too),
        cmocka_unit_test(damage_is_refused_with_its_place),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
        cmocka_unit_test(lattices_have_the_spacing_of_their_body),
        cmocka_unit_test(what_is_never_saved_is_refused),
        cmocka_unit_test(handles_to_come_are_refused),
        cmocka_unit_test(forgery_is_harmless),
        cmocka_unit_test(forged_counts_are_harmless),
        cmocka_unit_test(callbacks_are_too_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
