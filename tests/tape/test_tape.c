/* Tapes: recorded, played, cut off anywhere, gone on with, damaged. */
#include "failing_files.h"
#include "supple/snapshot.h"
#include "supple/tape.h"
#include "tape/stage.h"

#include <stdio.h>
#include <unistd.h>

/* ---- A run with a tape ---- */

enum { FRAMES = 130 };
static const char scene_text[] = "{ \"version\": 1 }";

typedef struct run {
    stage stage;
    sup_tape_def def;
    sup_surface surfaces[2];
    sup_body bodies[2];
    int32_t point_count;
    sup_vec3* points;
} run;

static run* run_make(const sup_world_def* world, const sup_file_gate* gate) {
    run* made = malloc(sizeof *made);
    run r = {.stage = stage_make(world), .def = sup_tape_default()};
    r.bodies[0] = r.stage.jelly;
    r.bodies[1] = r.stage.flag;
    for (int i = 0; i < 2; i++) {
        const sup_blueprint* print = sup_body_blueprint(r.stage.world, r.bodies[i]);
        sup_blueprint_info info = sup_blueprint_get_info(print);
        sup_surface* s = r.surfaces + i;
        *s = (sup_surface){.name = i ? "flag" : "jelly \"x\"",
                           .point_count = info.vertex_count,
                           .polygon_count = i ? 0 : info.polygon_count, /* drawn as a cloud */
                           .colour = {0.25f, 0.5f, (float)i},
                           .roughness = 0.75f,
                           .point_radius = i ? 0.125f : 0.0f};
        sup_blueprint_get_surface(print, &s->starts, &s->corners);
        r.point_count += s->point_count;
    }
    r.points = calloc((size_t)r.point_count, sizeof *r.points);
    r.def.files = gate;
    r.def.frame_count = FRAMES + 1;
    r.def.surface_count = 2;
    r.def.scene = (const uint8_t*)scene_text;
    r.def.scene_size = sizeof scene_text;
    r.def.scene_hash = 42;
    *made = r;
    made->def.surfaces = made->surfaces;
    return made;
}

static void run_free(run* r) {
    free(r->points);
    sup_world_destroy(r->stage.world);
    free(r);
}

static void run_look(run* r) {
    static const double origin[3] = {0, 0, 0};
    sup_vec3* next = r->points;
    for (int i = 0; i < 2; i++) {
        sup_body_read_vertices(r->stage.world, r->bodies[i], origin, next);
        next += r->surfaces[i].point_count;
    }
}

static sup_result run_frame(run* r, sup_recorder* recorder, sup_error* error) {
    run_look(r);
    return sup_recorder_frame(recorder, r->stage.world, r->points, error);
}

/* Now and then a level of detail is chosen, in some frames for both bodies. */
static int32_t choices_at(int32_t frame, sup_detail_choice choices[2]) {
    choices[0] = (sup_detail_choice){frame, 1, frame % 5};
    choices[1] = (sup_detail_choice){frame, 0, frame % 3};
    return frame == 0 ? 0 : frame % 7 == 4 ? 2 : frame % 30 == 0;
}

/* Records from the frame after `from` to `to`; -1: from the start. */
static sup_result run_record(run* r, sup_recorder* recorder, int32_t from, int32_t to,
                             sup_error* error) {
    for (int32_t frame = from + 1; frame <= to; frame++) {
        sup_result result = SUP_OK;
        sup_detail_choice choices[2];
        if (frame > 0) stage_run(&r->stage, frame - 1, frame);
        for (int32_t i = 0, count = choices_at(frame, choices); result == SUP_OK && i < count;
             i++) {
            result = sup_recorder_choice(recorder, choices[i].body, choices[i].level, error);
        }
        if (result == SUP_OK) result = run_frame(r, recorder, error);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

/* From the start to a whole tape. */
static sup_result run_whole(run* r, const char* path, sup_error* error) {
    sup_recorder* recorder;
    sup_result result = sup_recorder_open(&r->def, path, r->stage.world, &recorder, error);
    if (result != SUP_OK) return result;
    result = run_record(r, recorder, -1, FRAMES, error);
    if (result == SUP_OK) return sup_recorder_close(recorder, error);
    sup_recorder_stop(recorder);
    return result;
}

/* Goes on, or begins anew where there is nothing to go on with. */
static sup_result run_on(run* r, const char* path, int32_t* from, sup_error* error) {
    sup_recorder* recorder;
    *from = -1;
    sup_result result = sup_recorder_resume(&r->def, path, r->stage.world, &recorder, from, error);
    if (result == SUP_NOT_FOUND) return run_whole(r, path, error);
    if (result != SUP_OK) return result;
    result = run_record(r, recorder, *from, FRAMES, error);
    if (result == SUP_OK) return sup_recorder_close(recorder, error);
    sup_recorder_stop(recorder);
    return result;
}

/* ---- What tests begin with ---- */

/* A disk of its own, and a run that writes there. */
typedef struct desk {
    failing_disk disk;
    sup_file_gate gate;
    run* run;
} desk;

static desk* desk_make(const sup_world_def* world) {
    desk* d = calloc(1, sizeof *d);
    d->gate = failing_gate(&d->disk);
    d->run = run_make(world, &d->gate);
    return d;
}

static void desk_free(desk* d) {
    failing_wipe(&d->disk);
    run_free(d->run);
    free(d);
}

/* The bytes of an undisturbed run, for all tests. They leave it as it was. */
typedef struct recording {
    uint8_t* bytes;
    size_t size;
} recording;

static int record_undisturbed(void** state) {
    recording* whole = malloc(sizeof *whole);
    desk* d = desk_make(NULL);
    sup_error error = {0};
    assert_ok(run_whole(d->run, "a.sup", &error), error);
    assert_int_equal(failing_file_count(&d->disk), 1);
    failing_file* file = failing_find(&d->disk, "a.sup");
    whole->size = file->size;
    whole->bytes = malloc(whole->size);
    memcpy(whole->bytes, file->bytes, whole->size);
    desk_free(d);
    *state = whole;
    return 0;
}

static int forget_recording(void** state) {
    recording* whole = *state;
    free(whole->bytes);
    free(whole);
    return 0;
}

/* ---- Playing ---- */

static void what_was_recorded_is_played(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    failing_place_bytes(&own->disk, "a.sup", take->bytes, take->size);
    run* r = own->run;
    sup_tape* tape;
    sup_error error = {0};
    assert_ok(sup_tape_open(NULL, &own->gate, "a.sup", &tape, &error), error);
    assert_ok(sup_tape_check(tape, &error), error);
    sup_tape_info info = sup_tape_get_info(tape);
    assert_true(info.whole);
    assert_true(info.fps == 60.0);
    assert_int_equal(info.frame_count, FRAMES + 1);
    assert_int_equal(info.planned_count, FRAMES + 1);
    assert_int_equal(info.snapshot_count, 3);
    assert_int_equal(info.point_count, r->point_count);
    assert_int_equal(info.scene_hash, 42);
    assert_int_equal(info.start_hash, sup_world_hash(r->stage.world));
    assert_int_equal(info.size, take->size);
    int32_t count;
    const sup_surface* surfaces = sup_tape_surfaces(tape, &count);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        const sup_surface *a = surfaces + i, *b = r->surfaces + i;
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->point_count, b->point_count);
        assert_int_equal(a->polygon_count, b->polygon_count);
        assert_memory_equal(a->starts, b->starts, 4 * ((size_t)b->polygon_count + 1));
        assert_memory_equal(a->corners, b->corners, 4 * (size_t)b->starts[b->polygon_count]);
        assert_memory_equal(a->colour, b->colour, sizeof a->colour);
        assert_true(a->roughness == b->roughness);
        assert_true(a->point_radius == b->point_radius);
    }
    size_t scene_size;
    assert_memory_equal(sup_tape_scene(tape, &scene_size), scene_text, sizeof scene_text);
    assert_int_equal(scene_size, sizeof scene_text);

    sup_vec3* points = calloc((size_t)r->point_count, sizeof *points);
    for (int32_t frame = 0; frame <= FRAMES; frame++) {
        if (frame > 0) stage_run(&r->stage, frame - 1, frame);
        run_look(r);
        assert_ok(sup_tape_read_frame(tape, frame, points, &error), error);
        assert_memory_equal(points, r->points, (size_t)r->point_count * sizeof *points);
    }
    assert_int_equal(sup_tape_read_frame(tape, FRAMES + 1, points, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tape_read_frame(tape, -1, points, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tape_snapshot_before(tape, 0), 0);
    assert_int_equal(sup_tape_snapshot_before(tape, 119), 60);
    assert_int_equal(sup_tape_snapshot_before(tape, 1000), 120);
    assert_int_equal(sup_tape_snapshot_before(tape, -1), -1);

    uint64_t hash = sup_world_hash(r->stage.world);
    assert_int_equal(sup_tape_restore(tape, 61, r->stage.world, &error), SUP_BAD_ARGUMENT);
    assert_ok(sup_tape_restore(tape, 60, r->stage.world, &error), error);
    stage_run(&r->stage, 60, FRAMES);
    assert_int_equal(sup_world_hash(r->stage.world), hash);
    sup_tape_close(tape);
    free(points);
    desk_free(own);
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    desk* own = desk_make(NULL);
    run* r = own->run;
    sup_recorder* recorder;
    sup_error error = {0};
    sup_tape_def bad[6];
    for (int i = 0; i < 6; i++) bad[i] = r->def;
    sup_surface nameless[2] = {r->surfaces[0], r->surfaces[1]};
    sup_surface endless[2] = {r->surfaces[0], r->surfaces[1]};
    nameless[1].name = "";
    endless[1].point_radius = INFINITY;
    bad[0].size = 1;
    bad[1].fps = NAN;
    bad[2].frame_count = 0;
    bad[3].surfaces = NULL;
    bad[4].surfaces = nameless;
    bad[5].surfaces = endless;
    for (int i = 0; i < 6; i++) {
        sup_result result = sup_recorder_open(&bad[i], "a.sup", r->stage.world, &recorder, &error);
        assert_int_equal(result, SUP_BAD_ARGUMENT);
    }
    assert_int_equal(failing_file_count(&own->disk), 0);
    desk_free(own);
}

static void frames_are_checked(void** state) {
    (void)state;
    desk* own = desk_make(NULL);
    run* r = own->run;
    r->def.frame_count = 2;
    sup_recorder* recorder;
    sup_error error = {0};
    assert_ok(sup_recorder_open(&r->def, "a.sup", r->stage.world, &recorder, &error), error);
    assert_ok(run_frame(r, recorder, &error), error);
    r->points[3].y = (float)NAN;
    assert_int_equal(sup_recorder_frame(recorder, r->stage.world, r->points, &error),
                     SUP_BAD_ARGUMENT);
    assert_ok(run_frame(r, recorder, &error), error);
    assert_int_equal(run_frame(r, recorder, &error), SUP_BAD_ARGUMENT);
    assert_ok(sup_recorder_close(recorder, &error), error);
    assert_int_equal(failing_file_count(&own->disk), 1);
    /* one that got no frame at all leaves nothing */
    assert_ok(sup_recorder_open(&r->def, "b.sup", r->stage.world, &recorder, &error), error);
    assert_int_equal(sup_recorder_close(recorder, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(failing_file_count(&own->disk), 1);
    desk_free(own);
}

/* ---- Going on ---- */

/* Where a run can be cut off: anywhere. */
/* Who has no points needs no room for them; who has some does. */
static void nothing_to_draw_needs_no_points(void** state) {
    (void)state;
    desk* own = desk_make(NULL);
    sup_tape_def def = own->run->def;
    sup_error error = {0};
    for (int32_t surfaces = 0; surfaces < 2; surfaces++) {
        const sup_result wanted = surfaces > 0 ? SUP_BAD_ARGUMENT : SUP_OK;
        sup_recorder* recorder;
        sup_tape* tape;
        const sup_world* world = own->run->stage.world;
        def.surface_count = surfaces;
        assert_int_equal(sup_recorder_open(&def, "a.sup", world, &recorder, &error), SUP_OK);
        assert_int_equal(sup_recorder_frame(recorder, world, NULL, &error), wanted);
        assert_int_equal(sup_recorder_frame(recorder, world, own->run->points, &error), SUP_OK);
        assert_int_equal(sup_recorder_close(recorder, &error), SUP_OK);
        assert_int_equal(sup_tape_open(NULL, &own->gate, "a.sup", &tape, &error), SUP_OK);
        assert_int_equal(sup_tape_read_frame(tape, 0, NULL, &error), wanted);
        sup_tape_close(tape);
    }
    desk_free(own);
}

static void any_cut_is_mended(void** state) {
    const recording* take = *state;
    dice d = {7};
    int cuts = long_tests() ? 400 : 24, begun_anew = 0, latest = 0;
    for (int i = 0; i < cuts; i++) {
        size_t cut = i < 3 ? take->size - (size_t)i * 20
                           : (size_t)((0.5 + 0.5 * dice_roll(&d)) * (double)take->size);
        if (i == 3) cut = 0;
        if (i == 4) cut = 100;
        desk* own = desk_make(NULL);
        failing_place_bytes(&own->disk, "a.sup.part", take->bytes, cut);
        run* r = own->run;
        sup_error error = {0};
        int32_t from;
        assert_ok(run_on(r, "a.sup", &from, &error), error);
        begun_anew += from < 0;
        latest = from > latest ? from : latest;
        assert_true(failing_holds_bytes(&own->disk, "a.sup", take->bytes, take->size));
        assert_int_equal(failing_file_count(&own->disk), 1);
        desk_free(own);
    }
    assert_true(begun_anew > 0 && begun_anew < cuts / 2);
    assert_int_equal(latest, 120);
}

/* A power cut can leave anything behind the last sync. */
static void a_damaged_end_is_written_again(void** state) {
    const recording* take = *state;
    uint8_t* torn = malloc(take->size);
    dice d = {9};
    for (int i = 0; i < (long_tests() ? 60 : 8); i++) {
        memcpy(torn, take->bytes, take->size);
        size_t at = (size_t)((0.87 + 0.12 * dice_roll(&d)) * (double)take->size);
        memset(torn + at, 0, take->size - at);
        desk* own = desk_make(NULL);
        failing_place_bytes(&own->disk, "a.sup.part", torn, take->size);
        run* r = own->run;
        sup_error error = {0};
        int32_t from;
        assert_ok(run_on(r, "a.sup", &from, &error), error);
        assert_true(from >= 60);
        assert_true(failing_holds_bytes(&own->disk, "a.sup", take->bytes, take->size));
        desk_free(own);
    }
    free(torn);
}

static void refuse_to_go_on(run* r, const char* path, sup_result wanted, const char* words) {
    sup_recorder* recorder;
    sup_error error = {0};
    int32_t frame;
    uint64_t hash = sup_world_hash(r->stage.world);
    assert_int_equal(sup_recorder_resume(&r->def, path, r->stage.world, &recorder, &frame, &error),
                     wanted);
    if (!strstr(error.text, words)) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
    assert_int_equal(sup_world_hash(r->stage.world), hash);
}

static void only_the_same_run_goes_on(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    run* r = own->run;
    refuse_to_go_on(r, "a.sup", SUP_NOT_FOUND, "there is no a.sup.part");
    failing_place_bytes(&own->disk, "a.sup.part", take->bytes, take->size / 2);
    own->gate.truncate = NULL;
    refuse_to_go_on(r, "a.sup", SUP_UNSUPPORTED, "a.sup.part: the file gate has no truncate");
    own->gate.truncate = failing_gate(&own->disk).truncate;
    r->def.scene_hash = 43;
    refuse_to_go_on(r, "a.sup", SUP_BAD_ARGUMENT, "a.sup.part belongs to another scene");
    r->def.scene_hash = 42;
    r->def.frame_count = 91;
    refuse_to_go_on(r, "a.sup", SUP_BAD_ARGUMENT, "was begun with 130 frames, not with 90");
    r->def.frame_count = FRAMES + 1;
    r->def.fps = 50.0;
    refuse_to_go_on(r, "a.sup", SUP_BAD_ARGUMENT, "other settings");
    r->def.fps = 60.0;
    sup_world_set_gravity(r->stage.world, (double[3]){0, -1, 0}, NULL);
    refuse_to_go_on(r, "a.sup", SUP_BAD_ARGUMENT, "other settings");
    sup_world_set_gravity(r->stage.world, (double[3]){0, -9.81, 0}, NULL);
    failing_place_bytes(&own->disk, "a.sup.part", (const uint8_t*)"something else of some length",
                        29);
    refuse_to_go_on(
        r, "a.sup", SUP_BAD_FILE,
        "a.sup.part: byte 0 (magic): this is no tape, which begins with 89 53 55 50 54 0d 0a 1a");
    failing_place_bytes(&own->disk, "a.sup.part", take->bytes, 40);
    refuse_to_go_on(r, "a.sup", SUP_NOT_FOUND, "nothing to go on with");
    failing_find(&own->disk, "a.sup.part")->open = true; /* by another run */
    refuse_to_go_on(r, "a.sup", SUP_BUSY, "another run is writing it");
    failing_find(&own->disk, "a.sup.part")->open = false;
    assert_true(failing_holds_bytes(&own->disk, "a.sup.part", take->bytes, 40));
    /* bytes beyond the end are nobody's, and go */
    uint8_t* longer = calloc(take->size + 100, 1);
    memcpy(longer, take->bytes, take->size);
    failing_place_bytes(&own->disk, "a.sup.part", longer, take->size + 100);
    sup_error error = {0};
    int32_t from;
    assert_ok(run_on(r, "a.sup", &from, &error), error);
    assert_int_equal(from, 120);
    assert_true(failing_holds_bytes(&own->disk, "a.sup", take->bytes, take->size));
    free(longer);
    desk_free(own);
}

static void other_kernels_go_on(void** state) {
    if (!sup_simd_available(SUP_SIMD_AVX2)) skip();
    const recording* take = *state;
    sup_world_def def = sup_world_default();
    def.simd = SUP_SIMD_AVX2;
    desk* own = desk_make(&def);
    run* fast = own->run;
    sup_recorder* recorder;
    sup_error error = {0};
    assert_ok(sup_recorder_open(&fast->def, "a.sup", fast->stage.world, &recorder, &error), error);
    assert_ok(run_record(fast, recorder, -1, 75, &error), error);
    sup_recorder_stop(recorder);
    assert_null(failing_find(&own->disk, "a.sup"));
    def.simd = SUP_SIMD_SCALAR;
    def.threads = 2;
    run* plain = run_make(&def, &own->gate);
    int32_t from;
    assert_ok(run_on(plain, "a.sup", &from, &error), error);
    assert_int_equal(from, 60);
    assert_true(failing_holds_bytes(&own->disk, "a.sup", take->bytes, take->size));
    run_free(plain);
    desk_free(own);
}

/* ---- Choices ---- */

/* All choices up to and with those of frame `last`. */
static void assert_choices(const sup_tape* tape, int32_t last) {
    int32_t count, at = 0;
    const sup_detail_choice* all = sup_tape_choices(tape, &count);
    assert_int_equal(sup_tape_get_info(tape).choice_count, count);
    for (int32_t frame = 0; frame <= last; frame++) {
        sup_detail_choice wanted[2];
        int32_t more = choices_at(frame, wanted);
        assert_true(at + more <= count);
        for (int32_t i = 0; i < more; i++) {
            assert_memory_equal(&all[at++], &wanted[i], sizeof *all);
        }
    }
    assert_int_equal(at, count);
}

static void choices_come_back(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    sup_tape* tape;
    sup_error error = {0};
    failing_place_bytes(&own->disk, "whole", take->bytes, take->size);
    assert_ok(sup_tape_open(NULL, &own->gate, "whole", &tape, &error), error);
    assert_choices(tape, FRAMES);
    sup_tape_close(tape);
    /* without index, by walking */
    failing_place_bytes(&own->disk, "cut", take->bytes, take->size - 40);
    assert_ok(sup_tape_open(NULL, &own->gate, "cut", &tape, &error), error);
    assert_false(sup_tape_get_info(tape).whole);
    assert_choices(tape, FRAMES);
    sup_tape_close(tape);
    desk_free(own);
}

/* Another run with the same start goes on with other choices: nothing of the old rest is left. */
static void other_choices_leave_nothing_of_the_old(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    run* r = own->run;
    sup_error error = {0};
    sup_recorder* recorder;
    int32_t from;
    failing_place_bytes(&own->disk, "a.sup.part", take->bytes, take->size - 100);
    assert_ok(sup_recorder_resume(&r->def, "a.sup", r->stage.world, &recorder, &from, &error),
              error);
    assert_int_equal(from, 120);
    assert_true(failing_holds_bytes(&own->disk, "a.sup.part", take->bytes, take->size - 100));
    for (int32_t frame = from + 1; frame <= from + 2; frame++) {
        stage_run(&r->stage, frame - 1, frame);
        assert_ok(run_frame(r, recorder, &error), error);
    }
    sup_recorder_stop(recorder); /* as after a crash */
    sup_tape* tape;
    assert_ok(sup_tape_open(NULL, &own->gate, "a.sup.part", &tape, &error), error);
    assert_int_equal(sup_tape_get_info(tape).frame_count, from + 3);
    assert_choices(tape, from);
    assert_ok(sup_tape_check(tape, &error), error);
    sup_tape_close(tape);
    desk_free(own);
}

static void choices_are_of_a_frame_to_come(void** state) {
    (void)state;
    desk* own = desk_make(NULL);
    run* r = own->run;
    r->def.frame_count = 2;
    sup_error error = {0};
    sup_recorder* recorder;
    assert_ok(sup_recorder_open(&r->def, "a.sup", r->stage.world, &recorder, &error), error);
    assert_int_equal(sup_recorder_choice(recorder, 0, 0, &error), SUP_BAD_ARGUMENT);
    assert_ok(run_frame(r, recorder, &error), error);
    assert_int_equal(sup_recorder_choice(recorder, -1, 0, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_recorder_choice(recorder, 0, -1, &error), SUP_BAD_ARGUMENT);
    assert_ok(sup_recorder_choice(recorder, 0, 1, &error), error);
    assert_ok(run_frame(r, recorder, &error), error);
    assert_int_equal(sup_recorder_choice(recorder, 0, 0, &error), SUP_BAD_ARGUMENT);
    assert_ok(sup_recorder_close(recorder, &error), error);
    desk_free(own);
}

/* ---- Damage ---- */

static void cut_tapes_hold_what_is_before_the_cut(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    sup_tape *whole, *cut;
    sup_error error = {0};
    failing_place_bytes(&own->disk, "whole", take->bytes, take->size);
    assert_ok(sup_tape_open(NULL, &own->gate, "whole", &whole, &error), error);
    size_t count = (size_t)sup_tape_get_info(whole).point_count;
    sup_vec3 *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b);
    size_t stride = take->size / (long_tests() ? 1000 : 60);
    int opened = 0;
    for (size_t length = 0; length<take->size; length += length + 40> take->size ? 1 : stride) {
        failing_place_bytes(&own->disk, "cut", take->bytes, length);
        if (sup_tape_open(NULL, &own->gate, "cut", &cut, &error) != SUP_OK) {
            assert_int_equal(error.code, SUP_BAD_FILE);
            assert_non_null(strstr(error.text, "cut: byte "));
            assert_int_equal(opened, 0); /* only while the header is cut */
            continue;
        }
        opened++;
        assert_ok(sup_tape_check(cut, &error), error);
        sup_tape_info info = sup_tape_get_info(cut);
        assert_false(info.whole);
        assert_true(info.frame_count <= FRAMES + 1);
        if (info.frame_count > 0) {
            int32_t last = info.frame_count - 1;
            assert_ok(sup_tape_read_frame(cut, last, a, &error), error);
            assert_ok(sup_tape_read_frame(whole, last, b, &error), error);
            assert_memory_equal(a, b, count * sizeof *a);
        }
        sup_tape_close(cut);
    }
    assert_true(opened > 20);
    sup_tape_close(whole);
    free(a);
    free(b);
    desk_free(own);
}

static void any_changed_byte_is_found(void** state) {
    const recording* take = *state;
    desk* own = desk_make(NULL);
    size_t stride = take->size / (long_tests() ? 2000 : 80);
    for (size_t at = 0; at < take->size; at += at < 40 || at + 60 > take->size ? 1 : stride) {
        take->bytes[at] ^= (uint8_t)(1 << (at % 8));
        failing_place_bytes(&own->disk, "a.sup", take->bytes, take->size);
        sup_tape* tape;
        sup_error error = {0};
        sup_result result = sup_tape_open(NULL, &own->gate, "a.sup", &tape, &error);
        if (result == SUP_OK) {
            result = sup_tape_check(tape, &error);
            sup_tape_close(tape);
        }
        if (result != SUP_BAD_FILE) fail_msg("byte %zu may be changed", at);
        assert_non_null(strstr(error.text, "a.sup: byte "));
        take->bytes[at] ^= (uint8_t)(1 << (at % 8));
    }
    desk_free(own);
}

/* ---- The files of the machine ---- */

static void the_machine_keeps_writers_apart(void** state) {
    (void)state;
    char path[300], part[320];
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    snprintf(path, sizeof path, "%s/apart-%ld.sup", folder ? folder : "/tmp", (long)getpid());
    snprintf(part, sizeof part, "%s.part", path);
    run* r = run_make(NULL, NULL);
    sup_recorder *first, *second;
    sup_error error = {0};
    int32_t frame;
    assert_ok(sup_recorder_open(&r->def, path, r->stage.world, &first, &error), error);
    assert_ok(run_record(r, first, -1, 3, &error), error);
    assert_int_equal(sup_recorder_open(&r->def, path, r->stage.world, &second, &error), SUP_BUSY);
    run* other = run_make(NULL, NULL);
    assert_int_equal(
        sup_recorder_resume(&other->def, path, other->stage.world, &second, &frame, &error),
        SUP_BUSY);
    sup_recorder_stop(first);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(sup_recorder_resume(&other->def, path, other->stage.world, &second, &frame, &error),
              error);
    assert_int_equal(frame, 0);
    assert_ok(run_record(other, second, 0, 5, &error), error);
    assert_ok(sup_recorder_close(second, &error), error);
    assert_int_equal(access(part, F_OK), -1);
    sup_tape* tape;
    assert_ok(sup_tape_open(NULL, NULL, path, &tape, &error), error);
    assert_ok(sup_tape_check(tape, &error), error);
    assert_int_equal(sup_tape_get_info(tape).frame_count, 6);
    sup_tape_close(tape);
    remove(path);
    assert_int_equal(sup_tape_open(NULL, NULL, path, &tape, &error), SUP_NOT_FOUND);
    run_free(r);
    run_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_is_played),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(frames_are_checked),
        cmocka_unit_test(nothing_to_draw_needs_no_points),
        cmocka_unit_test(any_cut_is_mended),
        cmocka_unit_test(a_damaged_end_is_written_again),
        cmocka_unit_test(only_the_same_run_goes_on),
        cmocka_unit_test(choices_come_back),
        cmocka_unit_test(other_choices_leave_nothing_of_the_old),
        cmocka_unit_test(choices_are_of_a_frame_to_come),
        cmocka_unit_test(other_kernels_go_on),
        cmocka_unit_test(cut_tapes_hold_what_is_before_the_cut),
        cmocka_unit_test(any_changed_byte_is_found),
        cmocka_unit_test(the_machine_keeps_writers_apart),
    };
    return cmocka_run_group_tests(tests, record_undisturbed, forget_recording);
}
