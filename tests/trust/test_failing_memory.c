/* Memory that runs out: every allocation of every scenario is refused, alone and with all later
   ones. */
#include "trust/report.h"

static int refused[SCENARIOS];

static void refuse_each(void** state) {
    const scenario* s = *state;
    int alone = trial_fail_each(s, TRIAL_ONE_ALLOCATION);
    int lasting = trial_fail_each(s, TRIAL_ALL_MEMORY);
    assert_int_equal(alone, lasting);
    assert_true(alone >= s->allocations);
    refused[s - scenarios] = alone;
}

int main(void) {
    return run_scenarios(refuse_each, refused,
                         "allocations refused, each alone and with all later ones");
}
