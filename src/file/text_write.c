#include "file/text_write.h"

#include "file/cursor.h"

#include <string.h>

void supi_text_put_string(supi_writer* out, const char* text) {
    supi_writer_put(out, "\"", 1);
    for (size_t left = strlen(text), length; left > 0; left -= length, text += length) {
        length = supi_utf8_length((const uint8_t*)text, left);
        if (length == 0) {
            supi_writer_print(out, "\\uFFFD");
            length = 1;
        } else if ((unsigned char)*text < ' ') {
            supi_writer_print(out, "\\u%04X", (unsigned)(unsigned char)*text);
        } else {
            if (*text == '"' || *text == '\\') supi_writer_put(out, "\\", 1);
            supi_writer_put(out, text, length);
        }
    }
    supi_writer_put(out, "\"", 1);
}
