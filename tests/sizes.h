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

/* Do whole worlds run with every copy of the kernels? Not under sanitizers, where all but the
   newest are not optimised: there only the kernels' own tests, with the same places in memory, run
   them. */
static inline bool every_copy(void) { return !short_tests(); }

/* For what does nothing that other tests do not do, and only measures it. */
static inline void skip_under_sanitizers(void) {
    if (short_tests()) skip();
}

#endif
