/* Loading a mesh by the ending of its name, through a gate that holds its files in memory. */
#include "sweeps.h"

#include "supple/files.h"
#include "supple/mesh.h"

typedef struct memory_file {
    const char *path, *text;
    size_t at;
} memory_file;

static memory_file shelf[] = {
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0},
    {"b.PLY",
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
     "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
     "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
     0},
    {"c.Stl",
     "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop "
     "endfacet\nendsolid\n",
     0},
    {"broken.obj", "v 0 0 0\nf 1 2 3\n", 0},
    {"empty.ply", "", 0},
};

static sup_result shelf_open(void* user, const char* path, sup_file_mode mode, void** file) {
    (void)user;
    assert_int_equal(mode, SUP_FILE_READ);
    for (size_t i = 0; i < sizeof shelf / sizeof *shelf; i++) {
        if (strcmp(shelf[i].path, path) != 0) continue;
        shelf[i].at = 0;
        *file = &shelf[i];
        return SUP_OK;
    }
    return SUP_NOT_FOUND;
}

static sup_result shelf_read(void* user, void* file, void* bytes, size_t size, size_t* got) {
    (void)user;
    memory_file* open = file;
    size_t left = strlen(open->text) - open->at;
    *got = left < size ? left : size;
    memcpy(bytes, open->text + open->at, *got);
    open->at += *got;
    return SUP_OK;
}

static sup_result shelf_close(void* user, void* file) {
    (void)user;
    (void)file;
    return SUP_OK;
}

static const sup_file_gate gate = {.open = shelf_open, .read = shelf_read, .close = shelf_close};

static sup_result load(const char* path, sup_error* error) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_mesh mesh = {0};
    *error = (sup_error){0};
    sup_result result = sup_mesh_load(&counter.table, &gate, path, &mesh, error);
    if (result == SUP_OK) {
        assert_int_equal(mesh.point_count, 3);
        assert_int_equal(mesh.polygon_count, 1);
        sup_mesh_free(&mesh);
    }
    assert_int_equal(counter.blocks, 0);
    return result;
}

static void the_ending_chooses_the_reader(void** state) {
    (void)state;
    sup_error error;
    assert_int_equal(load("a.obj", &error), SUP_OK);
    assert_int_equal(load("b.PLY", &error), SUP_OK);
    assert_int_equal(load("c.Stl", &error), SUP_OK);
    const char* others[] = {"a.off", "obj", "", "a.obj.gz", "ply", "a.ob"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(load(others[i], &error), SUP_BAD_ARGUMENT);
        assert_memory_equal(error.text, others[i], strlen(others[i]));
        assert_non_null(strstr(error.text, "must end in .obj, .ply, .stl, .glb or .gltf"));
    }
}

static void errors_name_the_path(void** state) {
    (void)state;
    sup_error error;
    assert_int_equal(load("missing.obj", &error), SUP_NOT_FOUND);
    assert_non_null(strstr(error.text, "missing.obj"));
    assert_int_equal(load("broken.obj", &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "broken.obj:2:5: vertex index 2 is out of the range 1 to 1");
    assert_int_equal(load("empty.ply", &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "empty.ply:1:1: the file is empty");
}

static void refused_memory_is_reported(void** state) {
    (void)state;
    test_allocator counter;
    test_allocator_init(&counter);
    for (long long n = 1;; n++) {
        test_allocator_arm(&counter, n, false);
        sup_mesh mesh;
        sup_result result = sup_mesh_load(&counter.table, &gate, "b.PLY", &mesh, NULL);
        if (counter.refused == 0) {
            assert_int_equal(result, SUP_OK);
            assert_true(n > 4);
            sup_mesh_free(&mesh);
            break;
        }
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(counter.blocks, 0);
    }
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ending_chooses_the_reader),
        cmocka_unit_test(errors_name_the_path),
        cmocka_unit_test(refused_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
