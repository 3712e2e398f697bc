/* Files in memory: they keep what a gate promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../web/memory_files.c"
#include "base/file_io.h"

static void put(const sup_file_gate* gate, const char* path, const char* text) {
    void* file;
    assert_int_equal(gate->open(gate->user, path, SUP_FILE_CREATE, &file), SUP_OK);
    assert_int_equal(gate->write(gate->user, file, text, strlen(text)), SUP_OK);
    assert_int_equal(gate->sync(gate->user, file), SUP_OK);
    assert_int_equal(gate->close(gate->user, file), SUP_OK);
}

static void check_text(const memory_files* files, const char* path, const char* text) {
    size_t size = 0;
    const uint8_t* bytes = memory_files_find(files, path, &size);
    assert_non_null(bytes);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
}

static void test_bytes_come_back(void** state) {
    (void)state;
    memory_files files = {0};
    sup_file_gate gate = memory_files_gate(&files);
    memcpy(memory_files_add(&files, "a/b.obj", 5), "hello", 5);
    assert_non_null(memory_files_add(&files, "empty", 0));
    supi_bytes bytes = {0};
    assert_int_equal(supi_file_read(&gate, sup_allocator_default(), "a/b.obj", &bytes, NULL),
                     SUP_OK);
    assert_int_equal(bytes.size, 5);
    assert_memory_equal(bytes.data, "hello", 5);
    supi_bytes_free(sup_allocator_default(), &bytes);
    void* file;
    assert_int_equal(gate.open(&files, "b.obj", SUP_FILE_READ, &file), SUP_NOT_FOUND);
    assert_int_equal(gate.open(&files, "b.obj", SUP_FILE_UPDATE, &file), SUP_NOT_FOUND);
    memory_files_clear(&files);
    assert_null(memory_files_find(&files, "a/b.obj", &bytes.size));
}

static void test_update_keeps_the_rest(void** state) {
    (void)state;
    memory_files files = {0};
    sup_file_gate gate = memory_files_gate(&files);
    put(&gate, "f", "a longer text");
    put(&gate, "f", "short");
    void* file;
    assert_int_equal(gate.open(&files, "f", SUP_FILE_UPDATE, &file), SUP_OK);
    assert_int_equal(gate.write(&files, file, "S", 1), SUP_OK);
    assert_int_equal(gate.seek(&files, file, 7), SUP_OK); /* beyond the end: zeros, not old bytes */
    char byte;
    size_t got = 1;
    assert_int_equal(gate.read(&files, file, &byte, 1, &got), SUP_OK);
    assert_int_equal(got, 0);
    assert_int_equal(gate.write(&files, file, "!", 1), SUP_OK);
    assert_int_equal(gate.close(&files, file), SUP_OK);
    size_t size = 0;
    assert_memory_equal(memory_files_find(&files, "f", &size), "Short\0\0!", 8);
    assert_int_equal(size, 8);
    memory_files_clear(&files);
}

static void test_one_writer_at_a_time(void** state) {
    (void)state;
    memory_files files = {0};
    sup_file_gate gate = memory_files_gate(&files);
    void *first, *second;
    assert_int_equal(gate.open(&files, "f", SUP_FILE_CREATE, &first), SUP_OK);
    assert_int_equal(gate.open(&files, "f", SUP_FILE_CREATE, &second), SUP_BUSY);
    assert_int_equal(gate.open(&files, "f", SUP_FILE_UPDATE, &second), SUP_BUSY);
    assert_int_equal(gate.open(&files, "f", SUP_FILE_READ, &second), SUP_OK);
    assert_null(memory_files_add(&files, "f", 3));
    gate.close(&files, second);
    gate.close(&files, first);
    assert_int_equal(gate.open(&files, "f", SUP_FILE_UPDATE, &second), SUP_OK);
    gate.close(&files, second);
    memory_files_clear(&files);
}

static void test_names_change_while_files_are_open(void** state) {
    (void)state;
    memory_files files = {0};
    sup_file_gate gate = memory_files_gate(&files);
    put(&gate, "new", "new");
    put(&gate, "old", "old");
    void *reader, *writer;
    assert_int_equal(gate.open(&files, "old", SUP_FILE_READ, &reader), SUP_OK);
    assert_int_equal(gate.open(&files, "new", SUP_FILE_UPDATE, &writer), SUP_OK);
    assert_int_equal(gate.rename(&files, "new", "old"), SUP_OK);
    assert_int_equal(gate.write(&files, writer, "N", 1), SUP_OK);
    char text[4] = {0};
    size_t got;
    assert_int_equal(gate.read(&files, reader, text, 3, &got), SUP_OK);
    assert_string_equal(text, "old"); /* who had it open still reads it */
    check_text(&files, "old", "New");
    assert_int_equal(gate.rename(&files, "old", "old"), SUP_OK);
    assert_int_equal(gate.rename(&files, "new", "old"), SUP_NOT_FOUND);
    assert_int_equal(gate.remove(&files, "old"), SUP_OK);
    assert_int_equal(gate.remove(&files, "old"), SUP_NOT_FOUND);
    gate.close(&files, reader);
    gate.close(&files, writer);
    assert_null(files.first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_come_back),
        cmocka_unit_test(test_update_keeps_the_rest),
        cmocka_unit_test(test_one_writer_at_a_time),
        cmocka_unit_test(test_names_change_while_files_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
