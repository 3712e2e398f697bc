/* Body files: the JSON, or the arrays where the input begins as a PLY file. What is read is saved,
   and must come back bit by bit. */
#include "fuzz/disk.h"
#include "fuzz/stages.h"
#include "supple/fit.h"
#include "supple/mesh.h"

#define BODY "d/b.json"
#define ARRAYS "d/b.ply"
#define JSON "{\"version\": 1, \"arrays\": \"b.ply\", \"mesh\": \"m.obj\"}"
/* What is on the disk beside the input. */
#define ARRAYS_TEXT                                                                                \
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"                \
    "property float z\nproperty float mass\nproperty float rotation_0\n"                           \
    "property float rotation_1\nproperty float rotation_2\nproperty float rotation_3\n"            \
    "property float radius_0\nproperty float radius_1\nproperty float radius_2\n"                  \
    "property float stiffness\nproperty float nx\nproperty float ny\nproperty float nz\n"          \
    "property int flags\nend_header\n0 0 0 1 0 0 0 1 .1 .1 .1 400 0 0 0 1\n"
#define MESH_TEXT "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

static void place(const sup_file_gate* gate, const char* name, const void* bytes, size_t size) {
    void* file;
    FUZZ_MUST(gate->open(gate->user, name, SUP_FILE_CREATE, &file));
    FUZZ_MUST(gate->write(gate->user, file, bytes, size));
    FUZZ_MUST(gate->close(gate->user, file));
}

static bool same(const void* a, const void* b, int32_t count, size_t size) {
    return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

/* Saved and read again. */
static void check_round_trip(const sup_rig* rig, const sup_file_gate* gate) {
    sup_rig* back;
    sup_error error;
    bool drawn = sup_rig_get(rig).mesh->point_count > 0;
    FUZZ_MUST(sup_rig_save(rig, gate, "d/c.json", drawn ? "m.obj" : NULL, &error));
    FUZZ_MUST(sup_rig_load(NULL, gate, "d/c.json", &back, &error));
    sup_rig_view a = sup_rig_get(rig), b = sup_rig_get(back);
    FUZZ_REQUIRE(a.particle_count == b.particle_count && a.link_count == b.link_count);
    FUZZ_REQUIRE(a.part_count == b.part_count && a.weight_count == b.weight_count);
    FUZZ_REQUIRE(same(a.places, b.places, a.particle_count, sizeof *a.places));
    FUZZ_REQUIRE(same(a.ellipsoids, b.ellipsoids, a.particle_count, sizeof *a.ellipsoids));
    FUZZ_REQUIRE(same(a.masses, b.masses, a.particle_count, sizeof *a.masses));
    FUZZ_REQUIRE(same(a.links, b.links, a.link_count, sizeof *a.links));
    FUZZ_REQUIRE(same(a.part_starts, b.part_starts, a.part_count + 1, sizeof *a.part_starts));
    FUZZ_REQUIRE(same(a.weights, b.weights, a.weight_count, sizeof *a.weights));
    FUZZ_REQUIRE(a.settings.spacing == b.settings.spacing);
    sup_rig_free(back);
}

static void use(sup_rig* rig, const sup_file_gate* gate) {
    sup_rig_report report;
    char text[320];
    FUZZ_MUST(sup_rig_validate(rig, &report, NULL));
    for (int32_t i = 0; sup_rig_report_line(&report, i, text); i++) FUZZ_REQUIRE(text[0]);
    check_round_trip(rig, gate);
    static const char edits[] = "pin below y 0\nmirror x 0\nerase above y 0.5\n";
    sup_error error = {0};
    sup_result result = sup_rig_edit(rig, "e", edits, strlen(edits), &error);
    if (result != SUP_OK) { /* nobody is there to be pinned */
        FUZZ_REQUIRE(result == SUP_BAD_ARGUMENT && error.code == result && error.line == 1);
        fuzz_check_message(&error, "e");
    }
    FUZZ_MUST(sup_rig_validate(rig, &report, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    bool arrays = size >= 3 && memcmp(data, "ply", 3) == 0;
    fuzz_disk disk;
    const sup_file_gate* gate = fuzz_disk_begin(&disk);
    place(gate, BODY, arrays ? (const void*)JSON : data, arrays ? strlen(JSON) : size);
    place(gate, ARRAYS, arrays ? (const void*)data : ARRAYS_TEXT,
          arrays ? size : strlen(ARRAYS_TEXT));
    place(gate, "d/m.obj", MESH_TEXT, strlen(MESH_TEXT));
    fuzz_memory memory;
    const sup_allocator* allocator =
        fuzz_memory_begin(&memory, size + strlen(ARRAYS_TEXT) + strlen(MESH_TEXT));
    sup_rig* rig;
    sup_error error = {0};
    fuzz_mark(&rig, sizeof rig);
    sup_result result = sup_rig_load(allocator, gate, BODY, &rig, &error);
    if (result == SUP_OK) {
        sup_rig* copy; /* what is done with it may take more memory */
        sup_rig_view view = sup_rig_get(rig);
        FUZZ_REQUIRE(view.particle_count > 0);
        sup_rig_free(rig);
        FUZZ_MUST(sup_rig_load(NULL, gate, BODY, &copy, &error));
        use(copy, gate);
        sup_rig_free(copy);
    } else {
        fuzz_check_refusal(result, &error, BODY, &rig, sizeof rig);
    }
    fuzz_memory_end(&memory);
    fuzz_disk_end(&disk);
    return 0;
}
