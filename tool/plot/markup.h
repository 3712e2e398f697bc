/* XML out, into a file or onto the terminal: serves SVG and HTML alike. */
#ifndef SUPPLE_TOOL_PLOT_MARKUP_H
#define SUPPLE_TOOL_PLOT_MARKUP_H

#include "base/file_io.h"

typedef struct markup {
    supi_writer* writer; /* NULL: standard output */
} markup;

/* As it is. The second is printf; what it gives must be shorter than 400 bytes. */
void markup_raw(markup* m, const char* text);
void markup_print(markup* m, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* Escaped, for content and for attributes in double quotes. What XML cannot hold (control
   characters, bytes that are not UTF-8) becomes U+FFFD. */
void markup_text(markup* m, const char* text);
void markup_part(markup* m, const char* text, size_t length);
/* <tag>text</tag> */
void markup_element(markup* m, const char* tag, const char* text);
/* About four digits, for a person; a power of ten as ×10⁻⁵. */
void markup_number(markup* m, double value);
void markup_base64(markup* m, const uint8_t* bytes, size_t size);

/* A whole number in superscript digits (UTF-8); `text` has room for 40 bytes. */
void markup_superscript(char* text, int32_t number);
/* Characters, not bytes. */
int32_t markup_length(const char* text);
/* Bytes of the first `length` characters, or of all where there are fewer. */
size_t markup_bytes(const char* text, int32_t length);

#endif
