/* Files of the machine that are written in place: one writer at a time, sizes, and the rest kept.
 */
#include "base/file_io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[300], other[320];

static int name_files(void** state) {
    (void)state;
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    snprintf(path, sizeof path, "%s/lock-%ld", folder ? folder : "/tmp", (long)getpid());
    snprintf(other, sizeof other, "%s-other", path);
    return 0;
}

static int remove_files(void** state) {
    (void)state;
    remove(path);
    remove(other);
    return 0;
}

static const sup_file_gate* gate(void) { return sup_file_gate_default(); }

static void* open_file(const char* name, sup_file_mode mode) {
    void* file = NULL;
    assert_int_equal(gate()->open(NULL, name, mode, &file), SUP_OK);
    return file;
}

static void write_file(const char* name, const char* bytes, size_t size) {
    void* file = open_file(name, SUP_FILE_CREATE);
    assert_int_equal(gate()->write(NULL, file, bytes, size), SUP_OK);
    assert_int_equal(gate()->close(NULL, file), SUP_OK);
}

static void sizes_are_found(void** state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 4095, 4096, 4097, 16384, 100001};
    char* bytes = calloc(100001, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_file(path, bytes, sizes[i]);
        void* file = open_file(path, SUP_FILE_READ);
        uint64_t size = 7;
        assert_int_equal(supi_file_size(gate(), file, &size), SUP_OK);
        assert_int_equal(size, sizes[i]);
        char one;
        assert_int_equal(supi_file_read_at(gate(), file, sizes[i], &one, 1), SUP_NOT_FOUND);
        gate()->close(NULL, file);
    }
    free(bytes);
}

static void update_keeps_the_rest(void** state) {
    (void)state;
    void* file = NULL;
    remove(path);
    assert_int_equal(gate()->open(NULL, path, SUP_FILE_UPDATE, &file), SUP_NOT_FOUND);
    write_file(path, "0123456789", 10);
    file = open_file(path, SUP_FILE_UPDATE);
    char read[4] = "";
    assert_int_equal(supi_file_read_at(gate(), file, 7, read, 3), SUP_OK);
    assert_string_equal(read, "789");
    assert_int_equal(gate()->seek(NULL, file, 2), SUP_OK);
    assert_int_equal(gate()->write(NULL, file, "ab", 2), SUP_OK);
    assert_int_equal(gate()->close(NULL, file), SUP_OK);
    supi_bytes bytes;
    assert_int_equal(supi_file_read(gate(), sup_allocator_default(), path, &bytes, NULL), SUP_OK);
    assert_string_equal((const char*)bytes.data, "01ab456789");
    supi_bytes_free(sup_allocator_default(), &bytes);
}

static void there_is_one_writer(void** state) {
    (void)state;
    void *first = open_file(path, SUP_FILE_CREATE), *second = NULL;
    assert_int_equal(gate()->write(NULL, first, "kept", 4), SUP_OK);
    assert_int_equal(gate()->open(NULL, path, SUP_FILE_CREATE, &second), SUP_BUSY);
    assert_int_equal(gate()->open(NULL, path, SUP_FILE_UPDATE, &second), SUP_BUSY);
    /* whoever came too late has not emptied it, and readers may look */
    void* reader = open_file(path, SUP_FILE_READ);
    uint64_t size = 0;
    assert_int_equal(supi_file_size(gate(), reader, &size), SUP_OK);
    assert_int_equal(size, 4);
    gate()->close(NULL, reader);
    /* renamed, the old name is free and the file is still held */
    assert_int_equal(gate()->rename(NULL, path, other), SUP_OK);
    second = open_file(path, SUP_FILE_CREATE);
    gate()->close(NULL, second);
    assert_int_equal(gate()->open(NULL, other, SUP_FILE_UPDATE, &second), SUP_BUSY);
    assert_int_equal(gate()->close(NULL, first), SUP_OK);
    second = open_file(other, SUP_FILE_UPDATE);
    gate()->close(NULL, second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_found),
        cmocka_unit_test(update_keeps_the_rest),
        cmocka_unit_test(there_is_one_writer),
    };
    return cmocka_run_group_tests(tests, name_files, remove_files);
}
