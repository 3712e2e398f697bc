#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char* sup_version(void) {
    return VERSION(SUP_VERSION_MAJOR, SUP_VERSION_MINOR, SUP_VERSION_PATCH);
}

const char* sup_result_name(sup_result result) {
    switch (result) {
    case SUP_OK: return "ok";
    case SUP_BAD_ARGUMENT: return "bad argument";
    case SUP_BAD_FILE: return "bad file";
    case SUP_NOT_FOUND: return "not found";
    case SUP_STALE: return "stale handle";
    case SUP_BUSY: return "busy";
    case SUP_UNSUPPORTED: return "unsupported";
    case SUP_NO_MEMORY: return "out of memory";
    case SUP_IO: return "input or output failed";
    }
    return "unknown result";
}

sup_result supi_error_set(sup_error* error, sup_result code, const char* format, ...) {
    if (!error) return code;
    error->code = code;
    error->line = error->column = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return code;
}

sup_result supi_error_at(sup_error* error, const char* name, int32_t line, int32_t column,
                         const char* format, ...) {
    if (!error) return SUP_BAD_FILE;
    error->code = SUP_BAD_FILE;
    error->line = line;
    error->column = column;
    int length =
        snprintf(error->text, sizeof error->text, "%.200s:%d:%d: ", name, (int)line, (int)column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + length, sizeof error->text - (size_t)length, format, arguments);
    va_end(arguments);
    return SUP_BAD_FILE;
}

sup_result supi_error_memory(sup_error* error) {
    return supi_error_set(error, SUP_NO_MEMORY, "out of memory");
}
