/* The small printer of the WebAssembly module prints as the C library does. */
#include "../../web/print.c"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

static int print(char* out, size_t room, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static int print(char* out, size_t room, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int used = web_print(out, room, format, values);
    va_end(values);
    return used;
}

/* Both, with every room from 0 on. */
#define SAME(...)                                                                                  \
    do {                                                                                           \
        for (size_t room = 0; room < 64; room++) {                                                 \
            char want[64] = "untouched", got[64] = "untouched";                                    \
            assert_int_equal(print(got, room, __VA_ARGS__), snprintf(want, room, __VA_ARGS__));    \
            assert_string_equal(got, want);                                                        \
        }                                                                                          \
    } while (0)

static void prints_as_the_library(void** state) {
    (void)state;
    SAME("plain");
    SAME("%s:%d:%d: unknown key \"%s\"", "jelly.json", 14, 7, "stifness");
    SAME("%.3s|%.0s|%.60s|%.*s", "abcdef", "abc", "short", 2, "xyz");
    SAME("%d %d %d", 0, INT_MIN, INT_MAX);
    SAME("%lld %ld", LLONG_MIN, LONG_MAX);
    SAME("%llu %lu %u %zu", ULLONG_MAX, ULONG_MAX, UINT_MAX, (size_t)12);
    SAME("%02x %04X %x", 7u, 0xabcu, 0xffffffffu);
    SAME("%06d %06d %02d", 42, -42, 12345);
    SAME("%c%c 100%%", 'a', 'b');
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(prints_as_the_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
