/* Body files: back bit by bit, whole or not at all, and refused where they are wrong. */
#include "base/file_io.h"
#include "blueprint/rigs.h"
#include "failing_files.h"
#include "ref/ref_random.h"
#include "scene/body_file.h"
#include "supple/files.h"

#define BODY "d/b.json"
#define ARRAYS "d/b.arrays.ply"
#define MESH "d/ball.obj"

static sup_mesh ball_mesh;
static sup_rig* rich; /* a rig that has everything */

static int make_rich(void** state) {
    (void)state;
    static const char edits[] = "pin below y -0.5\nstiffness 50 sphere 0 0.5 0 0.3 fade 0.4\n"
                                "torsion 0.1 below y 0.3\ncompliance 1e-5 all\ndamping 0.3 all\n"
                                "part above y 0.3\npart below y -0.3\njoin 0 1 0 0 0\n"
                                "plastic-part 1 5 1 0.3 0.05 100\nweight 3 0.7 above y 0.8\n";
    ball_mesh = sphere_mesh(1);
    rich = body_of(sphere_mesh(1), SUP_SPRAY_SURFACE, 30);
    if (sup_rig_set_turn_radius(rich, 2, 0.3, NULL) != SUP_OK) return 1;
    return sup_rig_edit(rich, "edits", edits, strlen(edits), NULL) != SUP_OK;
}

static int free_rich(void** state) {
    (void)state;
    sup_rig_free(rich);
    sup_mesh_free(&ball_mesh);
    return 0;
}

/* A disk with the mesh on it. */
static sup_file_gate begin_disk(failing_disk* disk) {
    sup_file_gate gate = failing_gate(disk);
    assert_int_equal(sup_mesh_save(NULL, &gate, MESH, &ball_mesh, NULL), SUP_OK);
    return gate;
}

static void save(const sup_file_gate* gate) {
    sup_error error = {0};
    assert_done(sup_rig_save(rich, gate, BODY, "ball.obj", &error), &error);
}

static void what_is_saved_comes_back_bit_by_bit(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = begin_disk(&disk);
    sup_error error = {0};
    sup_rig* back;
    save(&gate);
    assert_done(sup_rig_load(NULL, &gate, BODY, &back, &error), &error);
    check_rig(back);
    assert_true(same_rig(rich, back));
    sup_rig_view a = sup_rig_get(rich), b = sup_rig_get(back);
    assert_true(a.turn_radii[2] == 0.3f && a.turn_radii[1] == -1.0f);
    assert_true(a.part_count == 2 && a.weight_count > 0 && a.pin_count > 0);
    assert_int_equal(b.mesh->point_count, ball_mesh.point_count);
    assert_memory_equal(b.mesh->points, ball_mesh.points,
                        (size_t)ball_mesh.point_count * sizeof(sup_vec3));
    sup_rig_free(back);
    failing_wipe(&disk);
}

/* Without mesh, links and all else; numbers of awkward size. */
static void small_bodies_come_back_too(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_rig *rig, *back;
    sup_error error = {0};
    assert_int_equal(sup_rig_create(NULL, NULL, &rig, NULL), SUP_OK);
    assert_says(sup_rig_save(rig, &gate, BODY, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "at least one particle");
    assert_int_equal(sup_rig_add(rig, (double[3]){0.1, -1e-30, 123456.7}, NULL, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_stiffness(rig, 1.0 / 3.0, NULL), SUP_OK);
    assert_says(sup_rig_save(rig, &gate, "body.txt", NULL, &error), SUP_BAD_ARGUMENT, &error,
                "must end in .json");
    assert_done(sup_rig_save(rig, &gate, BODY, NULL, &error), &error);
    assert_done(sup_rig_load(NULL, &gate, BODY, &back, &error), &error);
    assert_true(same_rig(rig, back));
    sup_rig_free(rig);
    sup_rig_free(back);
    failing_wipe(&disk);
}

/* Other programs may have written the arrays as text, with elements of their own. */
static void text_is_read_too(void** state) {
    (void)state;
    static const char arrays[] =
        "ply\nformat ascii 1.0\nelement camera 1\nproperty float view\n"
        "element vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty float mass\nproperty float rotation_0\n"
        "property float rotation_1\nproperty float rotation_2\nproperty float rotation_3\n"
        "property float radius_0\nproperty float radius_1\nproperty float radius_2\n"
        "property float stiffness\nproperty float nx\nproperty float ny\nproperty float nz\n"
        "property int flags\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
        "property float length\nproperty float compliance\nproperty float damping\n"
        "property float torsion\nend_header\n1.5\n"
        "0 0 0 255 1 0 0 0 1 .1 .1 .1 400 0 0 0 1\n1 0 0 255 2 0 0 1 0 .1 .2 .3 300 0 1 0 2\n"
        "0 1 -1 0.001 0 0.5\n";
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error = {0};
    sup_rig* rig;
    failing_place(&disk, "a.json", "{\"version\": 1, \"arrays\": \"a.ply\"}");
    failing_place(&disk, "a.ply", arrays);
    assert_done(sup_rig_load(NULL, &gate, "a.json", &rig, &error), &error);
    sup_rig_view v = sup_rig_get(rig);
    assert_true(v.particle_count == 2 && v.link_count == 1 && v.pin_count == 1);
    assert_true(v.turn_radii[0] == -1.0f); /* which the file does not have */
    assert_true(v.masses[1] == 2 && v.ellipsoids[1].radii[2] == 0.3f && v.links[0].torsion == 0.5f);
    sup_rig_free(rig);
    failing_wipe(&disk);
}

/* ---- Refusals ---- */

/* Puts `text` in the place of the file and expects a refusal with these words. */
static void refuse(const char* json, const char* words) {
    failing_disk disk = {0};
    sup_file_gate gate = begin_disk(&disk);
    sup_error error = {0};
    sup_rig* rig = (sup_rig*)&disk;
    save(&gate);
    failing_place(&disk, BODY, json);
    sup_result result = sup_rig_load(NULL, &gate, BODY, &rig, &error);
    assert_int_equal(result, error.code);
    assert_true(result == SUP_BAD_FILE || result == SUP_NOT_FOUND);
    assert_ptr_equal(rig, &disk);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    failing_wipe(&disk);
}

static void wrong_bodies_are_refused_with_their_place(void** state) {
    (void)state;
    refuse("[]", "d/b.json:1:1: a body file must be an object");
    refuse("{\"version\": 2, \"arrays\": \"b.arrays.ply\"}", "d/b.json:1:13: \"version\" must");
    refuse("{\"version\": 1}", "a body file needs \"arrays\"");
    refuse("{\"version\": 1,\n \"aray\": \"x\"}",
           "d/b.json:2:2: unknown key \"aray\" in a body file");
    refuse("{\"version\": 1, \"arrays\": 3}", "\"arrays\" must be a string");
    refuse("{\"version\": 1, \"arrays\": \"gone.ply\"}", "d/b.json:1:26: ");
    refuse("{\"version\": 1, \"arrays\": \"ball.obj\"}", "d/ball.obj:1:1: the first line");
    refuse("{\"version\": 1, \"arrays\": \"b.arrays.ply\", \"mesh\": \"gone.obj\"}", "1:50: ");
    refuse("{\"version\": 1, \"arrays\": \"b.arrays.ply\", \"stiffness\": -1}",
           "\"stiffness\" must be from 0 to 100000");
    refuse("{\"version\": 1, \"arrays\": \"b.arrays.ply\", \"made\": {\"where\": \"out\"}}",
           "\"where\" cannot be \"out\"");
    /* without its mesh nobody knows the vertices */
    refuse("{\"version\": 1, \"arrays\": \"b.arrays.ply\"}", "the mesh has no such vertex");
}

/* One value of the arrays, given as text, is wrong. */
static void refuse_arrays(const char* vertices, const char* more, const char* words) {
    static const char head[] =
        "element vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
        "property float mass\nproperty float rotation_0\nproperty float rotation_1\n"
        "property float rotation_2\nproperty float rotation_3\nproperty float radius_0\n"
        "property float radius_1\nproperty float radius_2\nproperty float stiffness\n"
        "property float nx\nproperty float ny\nproperty float nz\nproperty int flags\n";
    char text[3000];
    const char* data = strchr(more, '|');
    snprintf(text, sizeof text, "ply\nformat ascii 1.0\n%s%.*send_header\n%s\n%s\n", head,
             (int)(data - more), more, vertices, data + 1);
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error = {0};
    sup_rig* rig;
    failing_place(&disk, BODY, "{\"version\": 1, \"arrays\": \"a.ply\"}");
    failing_place(&disk, "d/a.ply", text);
    assert_int_equal(sup_rig_load(NULL, &gate, BODY, &rig, &error), SUP_BAD_FILE);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_non_null(strstr(error.text, "d/b.json:1:26: d/a.ply"));
    failing_wipe(&disk);
}

#define GOOD "0 0 0 1 0 0 0 1 1 1 1 400 0 0 0 0"
#define EDGES                                                                                      \
    "element edge 2\nproperty int vertex1\nproperty int vertex2\nproperty float length\n"          \
    "property float compliance\nproperty float damping\nproperty float torsion\n|"
#define PARTS                                                                                      \
    "element part 1\nproperty list uchar int members\nproperty float speed\n"                      \
    "property float permanence\nproperty float limit\nproperty float time\n"                       \
    "property float stiffness\n|"

static void wrong_arrays_are_refused_with_their_place(void** state) {
    (void)state;
    refuse_arrays(GOOD "\n0 0 0 0 0 0 0 1 1 1 1 400 0 0 0 0", "|", ":22:7: \"mass\" must be from");
    refuse_arrays(GOOD "\n2e6 0 0 1 0 0 0 1 1 1 1 400 0 0 0 0", "|", "\"x\" must be from");
    refuse_arrays(GOOD "\n0 0 0 1 1 0 0 1 1 1 1 400 0 0 0 0", "|",
                  "particle 1: its rotation is not of unit length");
    refuse_arrays(GOOD "\n0 0 0 1 0 0 0 1 1 1 -1 400 0 0 0 0", "|", "\"radius_2\" must be");
    refuse_arrays(GOOD "\n0 0 0 1 0 0 0 1 1 1 1 400 0 .5 0 0", "|", "its normal is neither 0");
    refuse_arrays(GOOD "\n0 0 0 1 0 0 0 1 1 1 1 400 0 0 0 4", "|", "\"flags\" must be from 0 to 3");
    refuse_arrays(GOOD "\n0 0 0 1 0 0 0 1 1 1 1 nan 0 0 0 0", "|", "where a finite number should");
    refuse_arrays(GOOD " -1\n" GOOD " -.5", "property float turn_radius\n|",
                  "particle 1: a number below 0 must be -1");
    refuse_arrays(GOOD " -1\n" GOOD " 2e3", "property float turn_radius\n|",
                  "\"turn_radius\" must be from -1 to 1000, not 2000");
    refuse_arrays(GOOD "\n" GOOD, EDGES "0 2 -1 0 0 -1\n0 1 -1 0 0 -1",
                  "\"vertex2\" must be from 0 to 1");
    refuse_arrays(GOOD "\n" GOOD, EDGES "1 0 -1 0 0 -1\n0 1 -1 0 0 -1",
                  "link 0: vertex1 must be below");
    refuse_arrays(GOOD "\n" GOOD, EDGES "0 1 -1 0 0 -1\n0 1 -1 0 0 -1",
                  "link 1: links must be ordered");
    refuse_arrays(GOOD "\n" GOOD, EDGES "0 1 -.5 0 0 -1\n0 1 -1 0 0 -1",
                  "link 0: a number below 0 must");
    refuse_arrays(GOOD "\n" GOOD, PARTS "0 0 0 0 0 0", "part 0: it has no member");
    refuse_arrays(GOOD "\n" GOOD, PARTS "2 1 1 0 0 0 0 0", "part 0: its members must ascend");
    refuse_arrays(GOOD "\n" GOOD, PARTS "1 0 5 1 .3 .05 5", "the stiffness of a soft part is out");
    refuse_arrays(GOOD "\n" GOOD, PARTS "1 0 5 1 .3 .21 100",
                  "\"time\" must be from 0 to 0.2, not");
    refuse_arrays(GOOD "\n" GOOD, PARTS "1 7 0 0 0 0 0", "\"members\" must be from 0 to 1");
    refuse_arrays(GOOD "\n" GOOD, "element edge 1\nproperty int vertex1\n|0",
                  "the element \"edge\" has no property \"vertex2\"");
    refuse_arrays(GOOD "\n" GOOD,
                  "element weight 1\nproperty float corner\nproperty int particle\n"
                  "property float weight\n|0 0 0",
                  "the property \"corner\" must be a whole number");
}

/* Every byte of both files changed, and every length cut: a rig that is whole, or a refusal. */
static void damage_is_found_or_harmless(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = begin_disk(&disk);
    save(&gate);
    uint64_t seed = 5;
    static const char* const names[] = {BODY, ARRAYS};
    int refused = 0, tried = 0;
    for (int f = 0; f < 2; f++) {
        failing_file* file = failing_find(&disk, names[f]);
        size_t size = file->size, step = f == 0 ? 1 : 7;
        for (size_t at = 0; at < size; at += step) {
            for (int cut = 0; cut < 2; cut++) {
                uint8_t old = file->bytes[at];
                if (cut) file->size = at;
                file->bytes[at] = (uint8_t)(old ^ (1u << ref_random_index(&seed, 8)));
                sup_error error = {0};
                sup_rig* rig;
                sup_result result = sup_rig_load(NULL, &gate, BODY, &rig, &error);
                if (result == SUP_OK) {
                    check_rig(rig);
                    sup_rig_free(rig);
                } else {
                    assert_true(error.text[0] != 0 && result != SUP_NO_MEMORY);
                    refused++;
                }
                tried++;
                file->bytes[at] = old;
                file->size = size;
            }
        }
    }
    assert_true(refused > tried / 2);
    failing_wipe(&disk);
}

/* ---- Failing disks and memory ---- */

static sup_result write_body(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    sup_rig* rig;
    sup_result result = sup_rig_create(allocator, NULL, &rig, error);
    if (result != SUP_OK) return result;
    result = sup_rig_add(rig, (double[3]){0, 0, 0}, NULL, error);
    if (result == SUP_OK) result = sup_rig_save(rig, gate, "b.json", NULL, error);
    sup_rig_free(rig);
    return result;
}

static void both_files_are_written_or_neither(void** state) {
    (void)state;
    failing_writer writer = {write_body, 2, {"b.json", "b.arrays.ply"}, {NULL, NULL}, false};
    for (int fresh = 0; fresh < 2; fresh++) {
        writer.fresh = fresh;
        failing_each_write(FAILING_CALL, &writer);
        failing_each_write(FAILING_MEMORY, &writer);
    }
}

static void read_attempt(failing_stage* stage, const void* user) {
    (void)user;
    failing_plan plan = stage->disk.plan;
    stage->disk.plan = (failing_plan){0};
    assert_int_equal(sup_mesh_save(NULL, &stage->gate, MESH, &ball_mesh, NULL), SUP_OK);
    save(&stage->gate);
    stage->disk.plan = plan;
    sup_rig* rig = NULL;
    sup_error error = {0};
    sup_result result = sup_rig_load(stage->allocator, &stage->gate, BODY, &rig, &error);
    if (stage->disk.plan.failed && stage->disk.plan.failed_call == FAILING_TO_CLOSE) {
        sup_rig_free(rig); /* what was only read may be closed or not */
        return;
    }
    assert_int_equal(result, failing_expected(stage));
    sup_rig_free(rig);
}

static void reading_survives_failures(void** state) {
    (void)state;
    for (int kind = FAILING_CALL; kind <= FAILING_MEMORY; kind++) {
        failing_each((failing_kind)kind, read_attempt, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back_bit_by_bit),
        cmocka_unit_test(small_bodies_come_back_too),
        cmocka_unit_test(text_is_read_too),
        cmocka_unit_test(wrong_bodies_are_refused_with_their_place),
        cmocka_unit_test(wrong_arrays_are_refused_with_their_place),
        cmocka_unit_test(damage_is_found_or_harmless),
        cmocka_unit_test(both_files_are_written_or_neither),
        cmocka_unit_test(reading_survives_failures),
    };
    return cmocka_run_group_tests(tests, make_rich, free_rich);
}
