/* Wall time, for profiles only: it never reaches a result. */
#ifndef SUPPLE_BASE_CLOCK_H
#define SUPPLE_BASE_CLOCK_H

/* Milliseconds since some fixed moment. */
double supi_clock_ms(void);

#endif
