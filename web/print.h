/* A printer of messages that is small: the module needs no other. */
#ifndef SUPPLE_WEB_PRINT_H
#define SUPPLE_WEB_PRINT_H

#include <stdarg.h>
#include <stddef.h>

/* As vsnprintf, for what the messages of the library hold: %s %.Ns %.*s %c %d %u %x %X %%, with the
   lengths l, ll and z, and a width that begins with 0. Anything else is printed as it stands. */
int web_print(char* out, size_t room, const char* format, va_list values);

#endif
