/* The machine without files, threads or clock that WebAssembly is: its forms of three functions,
   under other names than those of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define sup_file_gate_default wasm_file_gate_default
#define supi_clock_ms wasm_clock_ms
#define supi_threads_create wasm_threads_create
#define supi_threads_destroy wasm_threads_destroy
#define supi_threads_run wasm_threads_run
#include "../../src/base/clock_wasm.c"
#include "../../src/base/file_gate_wasm.c"
#include "../../src/base/threads_wasm.c"

static void test_there_are_no_files(void** state) {
    (void)state;
    const sup_file_gate* gate = wasm_file_gate_default();
    void* file;
    assert_int_equal(gate->open(gate->user, "a", SUP_FILE_READ, &file), SUP_NOT_FOUND);
    assert_int_equal(gate->open(gate->user, "a", SUP_FILE_UPDATE, &file), SUP_NOT_FOUND);
    assert_int_equal(gate->open(gate->user, "a", SUP_FILE_CREATE, &file), SUP_IO);
    assert_int_equal(gate->rename(gate->user, "a", "b"), SUP_NOT_FOUND);
    assert_int_equal(gate->remove(gate->user, "a"), SUP_NOT_FOUND);
}

static void test_there_is_one_thread(void** state) {
    (void)state;
    supi_threads* threads = NULL;
    sup_error error;
    sup_result result = wasm_threads_create(sup_allocator_default(), 2, &threads, &error);
    assert_int_equal(result, SUP_UNSUPPORTED);
    assert_string_equal(error.text, "this build has no threads: their number must be 1, not 2");
    assert_null(threads);
}

static void test_time_stands_still(void** state) {
    (void)state;
    assert_true(wasm_clock_ms() == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_no_files),
        cmocka_unit_test(test_there_is_one_thread),
        cmocka_unit_test(test_time_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
