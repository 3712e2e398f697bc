/* The C library's printers, replaced: those of wasi-libc know floating point, which no message of
   the library holds, and take a twentieth of the module for it. */
#include "print.h"

#include <stdio.h>

int vsnprintf(char* restrict out, size_t room, const char* restrict format, va_list values) {
    return web_print(out, room, format, values);
}

int snprintf(char* restrict out, size_t room, const char* restrict format, ...) {
    va_list values;
    va_start(values, format);
    int used = web_print(out, room, format, values);
    va_end(values);
    return used;
}
