/* Folders that cannot be synced: files take their names all the same, and calls say so. */
#define _POSIX_C_SOURCE 200809L
#include "failing_files.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.h"

static int refusals;

/* In the place of that of the system. */
int fsync(int number) {
    struct stat at;
    if (fstat(number, &at) != 0 || !S_ISDIR(at.st_mode)) return fdatasync(number);
    refusals++;
    errno = EIO;
    return -1;
}

static void output_path(const char* name, char path[1024]) {
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    if (!folder) folder = "test_output";
    mkdir(folder, 0777);
    snprintf(path, 1024, "%s/%s", folder, name);
}

static void begin(supi_writer* writer, const char* path, const char* text) {
    assert_int_equal(
        supi_writer_begin(writer, sup_file_gate_default(), sup_allocator_default(), path, NULL),
        SUP_OK);
    supi_writer_put(writer, text, strlen(text));
}

/* Compares and removes. */
static void file_is(const char* path, const char* text) {
    supi_bytes bytes;
    assert_int_equal(
        supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, &bytes, NULL),
        SUP_OK);
    assert_string_equal((const char*)bytes.data, text);
    supi_bytes_free(sup_allocator_default(), &bytes);
    assert_int_equal(remove(path), 0);
}

static void is_not_there(const char* path) { assert_int_not_equal(access(path, F_OK), 0); }

static void test_a_file_takes_its_name(void** state) {
    (void)state;
    char path[1024], temporary[1100];
    output_path("unsynced", path);
    refusals = 0;
    for (int round = 0; round < 2; round++) { /* without an old file, and with one */
        supi_writer writer;
        begin(&writer, path, round == 0 ? "old" : "new");
        snprintf(temporary, sizeof temporary, "%s", writer.temporary);
        assert_int_equal(supi_writer_commit(&writer, NULL), SUP_OK);
    }
    assert_int_equal(refusals, 2);
    is_not_there(temporary);
    file_is(path, "new");
}

static void test_a_pair_takes_its_names(void** state) {
    (void)state;
    char a[1024], b[1024], aside[1100];
    output_path("unsynced_a", a);
    output_path("unsynced_b", b);
    refusals = 0;
    for (int round = 0; round < 2; round++) {
        supi_writer first, second;
        begin(&first, a, round == 0 ? "old a" : "new a");
        begin(&second, b, round == 0 ? "old b" : "new b");
        snprintf(aside, sizeof aside, "%s-old", first.temporary);
        assert_int_equal(supi_writer_commit_pair(&first, &second, NULL), SUP_OK);
    }
    assert_int_equal(refusals, 2 + 3);
    is_not_there(aside);
    file_is(a, "new a");
    file_is(b, "new b");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_takes_its_name),
        cmocka_unit_test(test_a_pair_takes_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
