/* One test for each scenario, and a table of what was made to fail at the end. */
#ifndef SUPPLE_TESTS_TRUST_REPORT_H
#define SUPPLE_TESTS_TRUST_REPORT_H

#include "trust/scenarios.h"

/* Runs `test` for all scenarios; it leaves its figure in counts[]. */
static inline int run_scenarios(CMUnitTestFunction test, const int* counts, const char* what) {
    struct CMUnitTest tests[SCENARIOS];
    for (int i = 0; i < SCENARIOS; i++) {
        tests[i] = (struct CMUnitTest){.name = scenarios[i].name,
                                       .test_func = test,
                                       .initial_state = (void*)(uintptr_t)&scenarios[i]};
    }
    int failures = cmocka_run_group_tests(tests, NULL, NULL), sum = 0;
    for (int i = 0; i < SCENARIOS; i++) {
        print_message("%-28s %5d\n", scenarios[i].name, counts[i]);
        sum += counts[i];
    }
    print_message("%-28s %5d %s\n", "in all", sum, what);
    return failures;
}

#endif
