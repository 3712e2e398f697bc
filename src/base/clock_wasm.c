/* A machine without a clock: every time in a profile is 0. The page around it can measure. */
#include "base/clock.h"

double supi_clock_ms(void) { return 0.0; }
