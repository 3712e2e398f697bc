/* Numbers as text in a file. */
#ifndef SUPPLE_FILE_TEXT_WRITE_H
#define SUPPLE_FILE_TEXT_WRITE_H

#include "base/file_io.h"
#include "base/number.h"

/* The shortest text that reads back as the same number. */
static inline void supi_text_put_float(supi_writer* out, float value) {
    char text[32];
    supi_writer_put(out, text, (size_t)supi_number_write_float(value, text));
}

static inline void supi_text_put_double(supi_writer* out, double value) {
    char text[32];
    supi_writer_put(out, text, (size_t)supi_number_write(value, text));
}

/* A quoted string of JSON; bytes that are not UTF-8 become U+FFFD. */
void supi_text_put_string(supi_writer* out, const char* text);

#endif
