/* Blueprints as bytes: whatever can be made comes back, and what no blueprint is made of is
   refused. */
#include "base/hash.h"
#include "supple/snapshot.h"
#include "world/yard.h"

static sup_bytes save(const sup_world* world) {
    sup_error error = {0};
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    return bytes;
}

/* A world with one body. */
static sup_world* world_of(const sup_blueprint_def* def, const sup_body_def* like) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(def, &print, &error), error);
    sup_world* world = make_world(NULL);
    sup_body_def body = *like;
    body.blueprint = print;
    add_body(world, &body);
    sup_blueprint_release(print);
    return world;
}

/* Regions that nobody lies in are no mistake, even all but the first. */
static void empty_regions_come_back(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    sup_body_def like = sup_body_default();
    def.region_count = 3;
    sup_world *world = world_of(&def, &like), *other = make_world(NULL);
    take_steps(world, 1);
    sup_bytes saved = save(world);
    sup_error error = {0};
    assert_ok(sup_world_restore(other, saved.data, saved.size, &error), error);
    take_steps(world, 3);
    take_steps(other, 3);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* ---- Forgeries ---- */

static void sign(const sup_bytes* saved) {
    uint64_t sum = supi_hash_bytes(supi_hash_begin(), saved->data, saved->size - 8);
    for (int i = 0; i < 8; i++) saved->data[saved->size - 8 + (size_t)i] = (uint8_t)(sum >> 8 * i);
}

/* A cube of which particles 5 and 9 are pinned and 7 is weightless; *arrays: where its arrays
   begin, behind tag, size, 15 counts, 9 numbers, a hash and two flags. */
static sup_bytes save_cube(uint8_t** arrays) {
    static const int32_t pins[2] = {5, 9};
    sup_vec3 points[64];
    float masses[64];
    for (int i = 0; i < 64; i++) masses[i] = i == 7 ? 0.0f : 1.0f;
    sup_blueprint_def def = cube_of_64(points);
    sup_body_def like = sup_body_default();
    def.masses = masses;
    def.pins = pins;
    def.pin_count = 2;
    sup_world* world = world_of(&def, &like);
    sup_bytes saved = save(world);
    sup_world_destroy(world);
    uint8_t* at = saved.data;
    while (memcmp(at, "BLUE", 4) != 0) at++;
    *arrays = at + 12 + 64 + 72 + 8 + 2;
    return saved;
}

/* Four bytes at `at` are exchanged. */
static void refuse_forged(const sup_bytes* saved, uint8_t* at, const void* value,
                          const char* words) {
    sup_error error = {0};
    sup_world* world = make_world(NULL);
    uint8_t was[4];
    memcpy(was, at, 4);
    memcpy(at, value, 4);
    sign(saved);
    assert_int_equal(sup_world_restore(world, saved->data, saved->size, &error), SUP_BAD_FILE);
    if (!strstr(error.text, words)) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
    memcpy(at, was, 4);
    sign(saved);
    assert_ok(sup_world_restore(world, saved->data, saved->size, &error), error);
    sup_world_destroy(world);
}

static void hashes_are_those_of_the_arrays(void** state) {
    (void)state;
    uint8_t* arrays;
    sup_bytes saved = save_cube(&arrays);
    uint8_t* rest = arrays + 2 * 64 * 4; /* behind both orders */
    refuse_forged(&saved, arrays - 8, &(uint32_t){12345}, "(blueprint 0, hash)");
    refuse_forged(&saved, rest, &(float){0.25f}, "(blueprint 0, hash)");
    sup_bytes_free(&saved);
}

/* Who has no inverse mass is pinned or weightless, and nobody else is. */
static void pins_are_those_that_are_held(void** state) {
    (void)state;
    uint8_t* arrays;
    sup_bytes saved = save_cube(&arrays);
    uint8_t* inverse_mass = arrays + (2 + 3 + 1) * 64 * 4;
    uint8_t* pins = inverse_mass + 2 * 64 * 4 + 3; /* behind the radii and what is not there */
    uint32_t first, second, weightless;
    memcpy(&first, pins, 4);
    memcpy(&second, pins + 4, 4);
    memcpy(&weightless, pins + 8, 4);
    assert_true(first < second && second < 64 && weightless < 64);
    refuse_forged(&saved, pins, &second, "(blueprint 0, particles)");
    refuse_forged(&saved, pins, &weightless, "(blueprint 0, particles)");
    refuse_forged(&saved, pins, &(uint32_t){63 - first}, "(blueprint 0, particles)");
    refuse_forged(&saved, pins + 8, &first, "(blueprint 0, particles)");
    refuse_forged(&saved, inverse_mass + 4 * first, &(float){1.0f}, "(blueprint 0, particles)");
    refuse_forged(&saved, inverse_mass + 4 * weightless, &(float){1.0f},
                  "(blueprint 0, particles)");
    uint32_t held = 0;
    while (held == first || held == second || held == weightless) held++;
    refuse_forged(&saved, inverse_mass + 4 * held, &(float){0.0f}, "(blueprint 0, particles)");
    sup_bytes_free(&saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_regions_come_back),
        cmocka_unit_test(hashes_are_those_of_the_arrays),
        cmocka_unit_test(pins_are_those_that_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
