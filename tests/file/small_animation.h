/* A small animation and what the tests of its writers do with it. */
#ifndef SUPPLE_TESTS_FILE_SMALL_ANIMATION_H
#define SUPPLE_TESTS_FILE_SMALL_ANIMATION_H

#include "failing_files.h"

#include <math.h>

#include "supple/files.h"

/* A pyramid with a square floor, a lone triangle and a lone pentagon. */
static const int32_t pyramid_starts[] = {0, 4, 7, 10, 13, 16};
static const int32_t pyramid_corners[] = {3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
static const int32_t triangle_starts[] = {0, 3};
static const int32_t triangle_corners[] = {0, 1, 2};
static const int32_t pentagon_starts[] = {0, 5};
static const int32_t pentagon_corners[] = {4, 3, 2, 1, 0};

enum { SURFACES = 3, POINTS = 13, POLYGONS = 7, CORNERS = 24 };

static const sup_surface surfaces[SURFACES] = {
    {"red pyramid\n#1", 5, 5, pyramid_starts, pyramid_corners, {1, 0, 0.25f}, 0.5f, 0, false},
    {"flag", 3, 1, triangle_starts, triangle_corners, {0, 0, 1}, 0.5f, 0, false},
    {"5 & more", 5, 1, pentagon_starts, pentagon_corners, {0, 1, 0}, 0.5f, 0, false},
};

static const sup_vec3 rest[POINTS] = {
    {0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1},         {0.5f, 1, 0.5f}, {0.1f, 2, 0}, {1, 2, 0},
    {0, 3, 0}, {2, 0, 0}, {3, 0, 0}, {3.5f, 1, -1e-9f}, {2.5f, 2, 0},    {1.5f, 1, 0},
};

#define FPS 30.0

static inline void points_at(int frame, sup_vec3 points[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        points[i] = rest[i];
        points[i].y += (float)frame;
    }
}

/* How a format is opened; MDD is told beforehand how many frames will come. */
typedef sup_result (*animation_opener)(const sup_allocator* allocator, const sup_file_gate* files,
                                       const char* path, int32_t surface_count,
                                       const sup_surface* list, double fps, sup_animation** out,
                                       sup_error* error);

/* Writes `frames` frames and closes; the first error ends it. */
static inline sup_result write_frames(sup_animation* animation, int frames, sup_error* error) {
    for (int frame = 0; frame < frames; frame++) {
        sup_vec3 points[POINTS];
        points_at(frame, points);
        sup_result result = sup_animation_frame(animation, points, error);
        if (result != SUP_OK) {
            sup_animation_abort(animation);
            return result;
        }
    }
    return sup_animation_close(animation, error);
}

static inline sup_result write_animation(animation_opener open, const sup_allocator* allocator,
                                         const sup_file_gate* gate, const char* path, int frames,
                                         sup_error* error) {
    sup_animation* animation = NULL;
    sup_result result = open(allocator, gate, path, SURFACES, surfaces, FPS, &animation, error);
    return result == SUP_OK ? write_frames(animation, frames, error) : result;
}

/* Opens and aborts: nothing may be left. */
static inline sup_result open_with(animation_opener open, const sup_surface* list, int32_t count,
                                   double fps, const char* path, sup_error* error) {
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    test_allocator memory;
    const sup_allocator* allocator = test_allocator_init(&memory);
    sup_animation* animation = NULL;
    sup_result result = open(allocator, &gate, path, count, list, fps, &animation, error);
    if (result == SUP_OK) sup_animation_abort(animation);
    assert_int_equal(memory.blocks, 0);
    assert_int_equal(failing_file_count(&disk), 0);
    return result;
}

/* An old file stays when a new one of its name is given up. */
static inline void check_abort(animation_opener open, const char* path) {
    failing_disk disk = {0};
    test_allocator memory;
    sup_file_gate gate = failing_gate(&disk);
    const sup_allocator* allocator = test_allocator_init(&memory);
    failing_place(&disk, path, "old");
    sup_animation* animation = NULL;
    assert_int_equal(open(allocator, &gate, path, SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    assert_int_equal(sup_animation_frame(animation, rest, NULL), SUP_OK);
    assert_int_equal(sup_animation_frame(animation, rest, NULL), SUP_OK);
    sup_animation_abort(animation);
    assert_int_equal(failing_file_count(&disk), 1);
    assert_true(failing_holds(&disk, path, "old"));
    assert_int_equal(memory.blocks, 0);
    failing_wipe(&disk);
}

/* How much memory is alive after so many frames. */
static inline long long memory_after(animation_opener open, const char* path, int frames) {
    failing_disk disk = {0};
    test_allocator memory;
    sup_file_gate gate = failing_gate(&disk);
    const sup_allocator* allocator = test_allocator_init(&memory);
    sup_animation* animation = NULL;
    assert_int_equal(open(allocator, &gate, path, SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    for (int frame = 0; frame < frames; frame++) {
        assert_int_equal(sup_animation_frame(animation, rest, NULL), SUP_OK);
    }
    long long bytes = memory.bytes;
    sup_animation_abort(animation);
    assert_int_equal(memory.blocks, 0);
    failing_wipe(&disk);
    return bytes;
}

/* A frame with a bad point is refused and has changed nothing. */
static inline void check_bad_frame(sup_animation* animation, int number) {
    sup_error error;
    sup_vec3 bad[POINTS];
    points_at(1, bad);
    bad[6].z = NAN;
    assert_int_equal(sup_animation_frame(animation, bad, &error), SUP_BAD_ARGUMENT);
    char words[80];
    snprintf(words, sizeof words, "frame %d, surface 1 (flag): point 1 is not finite", number);
    assert_string_equal(error.text, words);
    bad[6].z = -INFINITY;
    assert_int_equal(sup_animation_frame(animation, bad, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_animation_frame(animation, NULL, NULL), SUP_BAD_ARGUMENT);
}

/* --- bytes --- */

static inline uint32_t little_u32(const uint8_t* b) {
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float little_float(const uint8_t* b) { return float_of(little_u32(b)); }

/* The whole file as a string; the caller frees. */
static inline char* text_of(failing_disk* disk, const char* name) {
    const failing_file* file = failing_find(disk, name);
    assert_non_null(file);
    char* text = calloc(file->size + 1, 1);
    memcpy(text, file->bytes, file->size);
    return text;
}

#endif
