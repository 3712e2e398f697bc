/* Reading whole files, writing atomic ones, and every way in which both can fail. */
#include "failing_files.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.h"

/* --- the machine's files --- */

static const char* output_path(const char* name) {
    static char path[1024];
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    if (!folder) folder = "test_output";
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool exists(const char* path) {
    struct stat status;
    return stat(path, &status) == 0;
}

static sup_result write_text(const sup_file_gate* gate, const sup_allocator* allocator,
                             const char* path, const char* text, sup_error* error) {
    supi_writer writer;
    sup_result result = supi_writer_begin(&writer, gate, allocator, path, error);
    if (result != SUP_OK) return result;
    supi_writer_put(&writer, text, strlen(text));
    return supi_writer_commit(&writer, error);
}

static void test_read_tells_what_is_wrong(void** state) {
    (void)state;
    const sup_file_gate* gate = sup_file_gate_default();
    supi_bytes bytes = {NULL, 0, 0};
    sup_error error;
    const char* missing = output_path("no_such_file");
    assert_int_equal(supi_file_read(gate, sup_allocator_default(), missing, &bytes, &error),
                     SUP_NOT_FOUND);
    assert_int_equal(error.code, SUP_NOT_FOUND);
    assert_non_null(strstr(error.text, "cannot read "));
    assert_non_null(strstr(error.text, "no_such_file: there is no such file"));
    const char* folder = output_path(".");
    assert_int_equal(supi_file_read(gate, sup_allocator_default(), folder, &bytes, &error), SUP_IO);
    assert_non_null(strstr(error.text, "folder"));
    assert_null(bytes.data);
}

static void test_what_is_written_is_read(void** state) {
    (void)state;
    static const size_t sizes[] = {0,     1,     4094,  4095,  4096,  4097,
                                   65534, 65535, 65536, 65537, 400000};
    const sup_file_gate* gate = sup_file_gate_default();
    const char* path = output_path("file_io.bin");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        test_allocator memory;
        const sup_allocator* allocator = test_allocator_init(&memory);
        supi_writer writer;
        assert_int_equal(supi_writer_begin(&writer, gate, allocator, path, NULL), SUP_OK);
        for (size_t i = 0; i < sizes[k]; i++) {
            uint8_t byte = (uint8_t)(i * 31 + i / 257);
            supi_writer_put(&writer, &byte, 1);
        }
        assert_int_equal(writer.written, sizes[k]);
        char temporary[1024];
        snprintf(temporary, sizeof temporary, "%s", writer.temporary);
        assert_true(exists(temporary));
        assert_int_equal(supi_writer_commit(&writer, NULL), SUP_OK);
        assert_false(exists(temporary));
        supi_bytes bytes;
        assert_int_equal(supi_file_read(gate, allocator, path, &bytes, NULL), SUP_OK);
        assert_int_equal(bytes.size, sizes[k]);
        assert_int_equal(bytes.data[bytes.size], 0);
        assert_true(memory.bytes <= 4096 + 2 * (long long)sizes[k]); /* small ones stay small */
        for (size_t i = 0; i < sizes[k]; i++) {
            assert_int_equal(bytes.data[i], (uint8_t)(i * 31 + i / 257));
        }
        supi_bytes_free(allocator, &bytes);
        assert_int_equal(memory.blocks, 0);
    }
    remove(output_path("file_io.bin"));
}

static void test_missing_folder_is_named(void** state) {
    (void)state;
    sup_error error;
    const char* path = output_path("no_such_folder/x.glb");
    assert_int_equal(
        write_text(sup_file_gate_default(), sup_allocator_default(), path, "x", &error),
        SUP_NOT_FOUND);
    assert_non_null(strstr(error.text, "cannot create "));
    assert_non_null(strstr(error.text, "no_such_folder/x.glb: its folder is not there"));
}

static void test_machine_gate(void** state) {
    (void)state;
    const sup_file_gate* gate = sup_file_gate_default();
    char from[1024], to[1024];
    strcpy(from, output_path("gate_from"));
    strcpy(to, output_path("gate_to"));
    void *file = NULL, *other = NULL;
    remove(from);
    assert_int_equal(gate->open(gate->user, from, SUP_FILE_READ, &file), SUP_NOT_FOUND);
    assert_int_equal(gate->rename(gate->user, from, to), SUP_NOT_FOUND);
    assert_int_equal(gate->remove(gate->user, from), SUP_NOT_FOUND);

    assert_int_equal(gate->open(gate->user, from, SUP_FILE_CREATE, &file), SUP_OK);
    assert_int_equal(gate->write(gate->user, file, "abcdef", 6), SUP_OK);
    assert_int_equal(gate->seek(gate->user, file, 2), SUP_OK);
    assert_int_equal(gate->write(gate->user, file, "XY", 2), SUP_OK);
    assert_int_equal(gate->sync(gate->user, file), SUP_OK);
    assert_int_equal(gate->close(gate->user, file), SUP_OK);
    assert_int_equal(gate->rename(gate->user, from, to), SUP_OK);
    assert_false(exists(from));

    char text[16];
    size_t got = 0;
    assert_int_equal(gate->open(gate->user, to, SUP_FILE_READ, &file), SUP_OK);
    assert_int_equal(gate->open(gate->user, to, SUP_FILE_READ, &other), SUP_OK);
    assert_int_equal(gate->read(gate->user, file, text, sizeof text, &got), SUP_OK);
    assert_int_equal(got, 6);
    assert_memory_equal(text, "abXYef", 6);
    assert_int_equal(gate->read(gate->user, file, text, sizeof text, &got), SUP_OK);
    assert_int_equal(got, 0);
    assert_int_equal(gate->write(gate->user, other, "x", 1), SUP_IO);
    assert_int_equal(gate->close(gate->user, file), SUP_OK);
    assert_int_equal(gate->close(gate->user, other), SUP_OK);
    assert_int_equal(gate->remove(gate->user, to), SUP_OK);
    assert_false(exists(to));

    /* Folders stay where they are. */
    assert_int_equal(mkdir(from, 0777), 0);
    assert_int_equal(gate->rename(gate->user, from, to), SUP_IO);
    assert_true(exists(from));
    assert_int_equal(rmdir(from), 0);
}

/* --- the writer --- */

static void test_print_and_patch(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    supi_writer writer;
    assert_int_equal(supi_writer_begin(&writer, &gate, sup_allocator_default(), "a", NULL), SUP_OK);
    supi_writer_print(&writer, "%s %d\n", "count", 7);
    supi_writer_patch(&writer, 6, "8", 1); /* still in the buffer */
    char* long_text = malloc(100001);
    memset(long_text, 'x', 100000);
    long_text[100000] = 0;
    supi_writer_print(&writer, "%s", long_text);
    supi_writer_patch(&writer, 0, "C", 1);              /* on the disk */
    supi_writer_patch_u32(&writer, 65534, 0x64636261u); /* on both */
    supi_writer_put_u32(&writer, 0x04030201u);
    supi_writer_put_floats(&writer, (const float[]){1.0f}, 1);
    assert_int_equal(supi_writer_commit(&writer, NULL), SUP_OK);

    const failing_file* file = failing_find(&disk, "a");
    assert_int_equal(file->size, 8 + 100000 + 8);
    assert_memory_equal(file->bytes, "Count 8\nxxx", 11);
    assert_memory_equal(file->bytes + 65533, "xabcdx", 6);
    assert_memory_equal(file->bytes + 100008, "\1\2\3\4\0\0\x80\x3f", 8);
    assert_int_equal(failing_file_count(&disk), 1);
    free(long_text);
    failing_wipe(&disk);
}

static void test_errors_stay(void** state) {
    (void)state;
    failing_disk disk = {.plan = {.fail_at = 2}};
    test_allocator memory;
    sup_file_gate gate = failing_gate(&disk);
    const sup_allocator* allocator = test_allocator_init(&memory);
    sup_error error;
    supi_writer writer;
    assert_int_equal(supi_writer_begin(&writer, &gate, allocator, "a", NULL), SUP_OK);
    char block[1000] = {0};
    for (int i = 0; i < 1000; i++) supi_writer_put(&writer, block, sizeof block);
    assert_int_equal(supi_writer_check(&writer, &error), SUP_IO);
    supi_writer_patch(&writer, 0, "x", 1);
    supi_writer_print(&writer, "%d", 1);
    assert_int_equal(disk.plan.calls, 2);
    assert_int_equal(supi_writer_commit(&writer, &error), SUP_IO);
    assert_non_null(strstr(error.text, "cannot write a: "));
    assert_int_equal(supi_writer_check(&writer, NULL), SUP_IO);
    supi_writer_put(&writer, "x", 1);
    supi_writer_abort(&writer);
    assert_int_equal(failing_file_count(&disk), 0);
    assert_int_equal(memory.blocks, 0);
}

static void test_abort_leaves_no_trace(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    failing_place(&disk, "a", "old");
    supi_writer writer;
    assert_int_equal(supi_writer_begin(&writer, &gate, sup_allocator_default(), "a", NULL), SUP_OK);
    supi_writer_put(&writer, "new", 3);
    assert_int_equal(failing_file_count(&disk), 2);
    supi_writer_abort(&writer);
    supi_writer_abort(&writer);
    assert_int_equal(failing_file_count(&disk), 1);
    assert_true(failing_holds(&disk, "a", "old"));

    assert_int_equal(write_text(&gate, sup_allocator_default(), "a", "new", NULL), SUP_OK);
    assert_true(failing_holds(&disk, "a", "new"));

    disk.plan = (failing_plan){.fail_at = 1};
    assert_int_equal(supi_writer_begin(&writer, &gate, sup_allocator_default(), "a", NULL), SUP_IO);
    supi_writer_abort(&writer);
    assert_true(failing_holds(&disk, "a", "new"));
    failing_wipe(&disk);
}

/* --- every call fails once --- */

/* Three flushes and a patch on the disk: all calls of the gate are used. */
static sup_result write_much(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    static const char block[70000];
    supi_writer writer;
    sup_result result = supi_writer_begin(&writer, gate, allocator, "a", error);
    if (result != SUP_OK) return result;
    supi_writer_put(&writer, block, sizeof block);
    supi_writer_print(&writer, "%600d", 1); /* needs memory */
    supi_writer_patch(&writer, 0, "head", 4);
    supi_writer_put(&writer, block, sizeof block);
    return supi_writer_commit(&writer, error);
}

static void test_every_write_failure(void** state) {
    (void)state;
    static const failing_writer much = {.write = write_much, .count = 1, .names = {"a"}};
    failing_each_write(FAILING_CALL, &much);
    failing_each_write(FAILING_DISK, &much);
    failing_each_write(FAILING_MEMORY, &much);
}

static void read_attempt(failing_stage* stage, const void* user) {
    (void)user;
    failing_place(&stage->disk, "a", "text");
    supi_bytes bytes = {NULL, 0, 0};
    sup_result result = supi_file_read(&stage->gate, stage->allocator, "a", &bytes, NULL);
    assert_int_equal(result, failing_expected(stage));
    supi_bytes_free(stage->allocator, &bytes);
}

static void test_every_read_failure(void** state) {
    (void)state;
    failing_each(FAILING_CALL, read_attempt, NULL);
    failing_each(FAILING_MEMORY, read_attempt, NULL);
}

/* --- two files, both or neither --- */

static sup_result write_pair(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    supi_writer a = {0}, b = {0};
    sup_result result = supi_writer_begin(&a, gate, allocator, "a", error);
    if (result == SUP_OK) result = supi_writer_begin(&b, gate, allocator, "b", error);
    if (result == SUP_OK) {
        supi_writer_put(&a, "new a", 5);
        supi_writer_put(&b, "new b", 5);
        result = supi_writer_commit_pair(&a, &b, error);
    }
    supi_writer_abort(&a);
    supi_writer_abort(&b);
    return result;
}

static void test_every_pair_failure(void** state) {
    (void)state;
    failing_writer pair = {
        .write = write_pair, .count = 2, .names = {"a", "b"}, .texts = {"new a", "new b"}};
    failing_each_write(FAILING_CALL, &pair);
    failing_each_write(FAILING_MEMORY, &pair);
    pair.fresh = true;
    failing_each_write(FAILING_CALL, &pair);
}

/* When the disk dies halfway, the old bytes are still there: under their name or set aside. */
static void dying_attempt(failing_stage* stage, const void* user) {
    (void)user;
    char ending[SUPI_TEMPORARY_ROOM], aside[64];
    supi_file_temporary_ending(ending);
    snprintf(aside, sizeof aside, "a%s-old", ending);
    failing_disk* disk = &stage->disk;
    failing_place(disk, "a", "old a");
    failing_place(disk, "b", "old b");
    sup_result result = write_pair(stage->allocator, &stage->gate, NULL);
    if (result == SUP_OK) {
        assert_true(failing_holds(disk, "a", "new a"));
        assert_true(failing_holds(disk, "b", "new b"));
    } else {
        assert_int_equal(result, SUP_IO);
        assert_true(failing_holds(disk, "a", "old a") || failing_holds(disk, aside, "old a"));
        assert_true(failing_holds(disk, "b", "old b"));
    }
}

static void test_pair_on_a_dying_disk(void** state) {
    (void)state;
    failing_each(FAILING_DISK, dying_attempt, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_tells_what_is_wrong),
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_missing_folder_is_named),
        cmocka_unit_test(test_machine_gate),
        cmocka_unit_test(test_print_and_patch),
        cmocka_unit_test(test_errors_stay),
        cmocka_unit_test(test_abort_leaves_no_trace),
        cmocka_unit_test(test_every_write_failure),
        cmocka_unit_test(test_every_read_failure),
        cmocka_unit_test(test_every_pair_failure),
        cmocka_unit_test(test_pair_on_a_dying_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
