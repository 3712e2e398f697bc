/* Numbers from and to text, the same in every locale and on every machine. */
#ifndef SUPPLE_BASE_NUMBER_H
#define SUPPLE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum supi_number_status {
    SUPI_NUMBER_OK,
    SUPI_NUMBER_MALFORMED, /* no number at all */
    SUPI_NUMBER_OVERFLOW   /* beyond the largest double */
} supi_number_status;

/* Parses [-+]digits[.digits][e[-+]digits] at `text` (at most `size` bytes), correctly rounded to
   nearest even; the digits on one side of the point may be missing (".5", "1."). *used is how many
   bytes it took: the longest number there is, so "1e+" takes 1. Underflow gives the nearest
   denormal or 0. No inf, nan, hex or leading blanks. A failure leaves *value and *used as they
   were. */
supi_number_status supi_number_parse(const char* text, size_t size, double* value, size_t* used);

/* Decimal integer with optional sign; false (nothing written) when malformed or beyond int64. */
bool supi_number_parse_integer(const char* text, size_t size, int64_t* value, size_t* used);

/* The fewest digits that read back as the same number, and of these the nearest, in `text` with
   room for 32 bytes, ended by a 0 byte. Returns the length. Plain from 1e-6 up to 1e21, else with
   an exponent. A float reads back by supi_number_parse and rounding to float. Non-finite values are
   written as null (JSON has no other word). */
int supi_number_write(double value, char* text);
int supi_number_write_float(float value, char* text);

/* Is it a finite float once it is rounded? The largest one is written with eight digits, which are
   more than it is. */
static inline bool supi_number_fits_float(double value) {
    return value > -0x1.ffffffp127 && value < 0x1.ffffffp127;
}

#endif
