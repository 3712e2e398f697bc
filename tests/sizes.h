/* How much a test does: all that is wanted before a release, less by day, and little under
   sanitizers, which look at what is done and not at how often. */
#ifndef SUPPLE_TESTS_SIZES_H
#define SUPPLE_TESTS_SIZES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>

static inline bool long_tests(void) { return getenv("SUPPLE_LONG") != NULL; }
static inline bool short_tests(void) { return getenv("SUPPLE_SHORT") != NULL; }

/* For what does nothing that other tests do not do, and only measures it. */
static inline void skip_under_sanitizers(void) {
    if (short_tests()) skip();
}

#endif
