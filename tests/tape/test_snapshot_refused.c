/* Snapshots that are refused: damaged, forged, or never saved by anyone. */
#include <stdio.h>

#include "base/hash.h"
#include "blueprint/blueprint.h"
#include "supple/solid.h"
#include "tape/snapshot_form.h"
#include "tape/snapshots.h"

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
    refuse(world, saved.data, saved.size, "it is 9; this library reads 5");
    saved.data[8] = 5;
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
    /* behind tag, size, 16 counts, 9 numbers, a hash and two flags: the rows of particles 0 and 1
     */
    uint8_t *rows = at + 12 + 64 + 72 + 8 + 2, first[4];
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
        uint8_t *end, *numbers = find_section(&saved, "BLUE", &end) + 16 * 4;
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

/* Numbers that programs stumble over, at every place in turn. */
static void forge_words(const sup_bytes* saved, const sup_body bodies[2]) {
    static const uint32_t odd[] = {0, 1, 2, 0xffffffffu, 0x7fffffffu, 0x80000000u, 9, 0x10000};
    uint8_t* forged = malloc(saved->size);
    size_t stride = long_tests() ? 1 : 3;
    for (size_t at = 20; at + 12 < saved->size; at += stride) {
        memcpy(forged, saved->data, saved->size);
        uint32_t value = odd[at / stride % (sizeof odd / sizeof *odd)];
        set_u32(forged + at, value);
        sign(forged, saved->size);
        sup_world* other = make_world(NULL);
        if (sup_world_restore(other, forged, saved->size, NULL) == SUP_OK) {
            take_steps(other, 1);
            sup_body_wake(other, bodies[1]);
            sup_body_wake(other, bodies[0]);
            take_steps(other, 2);
            const double above[3] = {0.2, 9, 0.2}, down[3] = {0, -12, 0};
            const sup_filter all = {1, UINT32_MAX};
            sup_hit hit;
            sup_world_cast_ray(other, above, down, all, &hit); /* looks at what is drawn */
        }
        sup_world_destroy(other);
    }
    free(forged);
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
    forge_words(&saved, bodies);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
}

/* Tetrahedra that carry a skin, likewise. */
static void forged_tetrahedra_are_harmless(void** state) {
    (void)state;
    static const sup_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    static const int32_t corners[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    sup_tets tets;
    sup_solid* solid;
    sup_blueprint* print;
    sup_solid_def def = sup_solid_default();
    def.kind = SUP_SOLID_SPRINGS;
    assert_int_equal(sup_tets_mend(NULL, 5, points, 2, corners, &tets, NULL, NULL), SUP_OK);
    assert_int_equal(sup_solid_take(NULL, &tets, NULL, &def, &solid, NULL), SUP_OK);
    sup_blueprint_def recipe = sup_solid_blueprint(solid);
    assert_int_equal(sup_blueprint_create(&recipe, &print, NULL), SUP_OK);
    sup_world* world = make_world(NULL);
    sup_body_def body = body_at(print, 0, 0.5, 0);
    sup_body bodies[2] = {add_body(world, &body), {0, 0}};
    body.position[1] = 2.0;
    bodies[1] = add_body(world, &body);
    add_floor(world);
    take_steps(world, 4);
    sup_bytes saved = save(world);
    forge_words(&saved, bodies);
    /* Inside out: the last two corners of the first tetrahedron are swapped. */
    uint8_t rows[32], swapped[32];
    for (int k = 0; k < 8; k++) {
        static const int order[8] = {0, 1, 3, 2, 4, 5, 6, 7};
        set_u32(rows + 4 * k, (uint32_t)print->solid.tets[k]);
        set_u32(swapped + 4 * k, (uint32_t)print->solid.tets[order[k]]);
    }
    uint8_t* at = saved.data;
    while (memcmp(at, rows, sizeof rows) != 0) at++;
    memcpy(at, swapped, sizeof swapped);
    sign(saved.data, saved.size);
    sup_world* other = make_world(NULL);
    refuse(other, saved.data, saved.size, "(blueprint 0, tets): they cannot carry the skin");
    sup_world_destroy(other);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_solid_free(solid);
    sup_tets_free(&tets);
}

/* What two bodies in each other remember: of bodies and points that are there, in its order. */
static void damaged_memory_is_refused(void** state) {
    (void)state;
    sup_world *world = make_weightless_world(), *other = make_world(NULL);
    sup_blueprint_def def = filled(0.2);
    const double large[3] = {1, 1, 1}, small[3] = {0.2, 0.2, 0.2};
    sup_blueprint* prints[2] = {box_of(large, 5, def), box_of(small, 2, filled(0.1))};
    for (int i = 0; i < 2; i++) {
        sup_body_def body = body_at(prints[i], 0.02 * i, 0, 0);
        add_body(world, &body);
        sup_blueprint_release(prints[i]);
    }
    take_steps(world, 1);
    sup_bytes saved = save(world);
    uint8_t *end, *at = find_section(&saved, SUPI_SNAPSHOT_OVERLAPS, &end);
    uint32_t count = get_u32(at);
    assert_true(count > 20 && end == at + 4 + 28 * count);
    refuse_u32(other, &saved, at, count + 1, "overlap");
    /* the last of them, and words about it */
    uint8_t *last = end - 28, *before = last - 28;
    char place[6][80];
    static const char* const words[6] = {"body): it must be from 0 to 1",
                                         "other): it must be from 0 to 1",
                                         "point): there is no such point in another body",
                                         "order): it does not come after the one before",
                                         "age): it must be from 0 to 7",
                                         "normal)"};
    for (int i = 0; i < 6; i++) {
        snprintf(place[i], sizeof place[i], "(overlap %d, %s", (int)count - 1, words[i]);
    }
    refuse_u32(other, &saved, last, 2, place[0]);
    refuse_u32(other, &saved, last + 4, 2, place[1]);
    refuse_u32(other, &saved, last + 4, get_u32(last), place[2]);
    refuse_u32(other, &saved, last + 8, 10000, place[2]);
    refuse_u32(other, &saved, last + 8, get_u32(before + 8), place[3]);
    refuse_u32(other, &saved, last + 12, 8, place[4]);
    refuse_u32(other, &saved, last + 16, 0x7fc00000, place[5]);
    assert_int_equal(sup_world_restore(other, saved.data, saved.size, NULL), SUP_OK);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_refused_with_its_place),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
        cmocka_unit_test(lattices_have_the_spacing_of_their_body),
        cmocka_unit_test(what_is_never_saved_is_refused),
        cmocka_unit_test(handles_to_come_are_refused),
        cmocka_unit_test(forged_tetrahedra_are_harmless),
        cmocka_unit_test(damaged_memory_is_refused),
        cmocka_unit_test(forgery_is_harmless),
        cmocka_unit_test(forged_counts_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
