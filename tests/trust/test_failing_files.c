/* Disks that fail: every call of the file gate in every scenario fails, alone and with all later
   ones, and for want of memory. */
#include "trust/report.h"

static int failed[SCENARIOS];

static void fail_each(void** state) {
    const scenario* s = *state;
    int alone = trial_fail_each(s, TRIAL_ONE_CALL);
    int lasting = trial_fail_each(s, TRIAL_ALL_CALLS);
    assert_int_equal(alone, lasting);
    assert_true(alone >= s->file_calls);
    trial_fail_each(s, TRIAL_CALL_SHORT_OF_MEMORY);
    failed[s - scenarios] = alone;
}

int main(void) {
    return run_scenarios(
        fail_each, failed,
        "file calls failed, each alone, with all later ones and for want of memory");
}
