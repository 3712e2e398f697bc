/* See print.h. */
#include "print.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct printer {
    char* out;
    size_t room, used; /* bytes at hand, and wanted so far */
} printer;

static void put(printer* p, const char* text, size_t size) {
    for (size_t i = 0; i < size; i++, p->used++) {
        if (p->used + 1 < p->room) p->out[p->used] = text[i];
    }
}

/* How a value is to be printed: %06lld. */
typedef struct form {
    int width;     /* digits at least */
    int precision; /* bytes of a text at most; -1: all */
    int longs;     /* number of l */
    bool is_size;
    char kind;
} form;

static int take_digits(const char** at) {
    int number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) number = 10 * number + (**at - '0');
    return number;
}

/* The form behind the % at *at, which moves behind it. */
static form take_form(const char** at, va_list* values) {
    form f = {.precision = -1};
    ++*at;
    f.width = take_digits(at);
    if (**at == '.') {
        ++*at;
        bool given = **at == '*';
        if (given) ++*at;
        f.precision = given ? va_arg(*values, int) : take_digits(at);
    }
    for (; **at == 'l'; ++*at) f.longs++;
    if (**at == 'z') f.is_size = true, ++*at;
    f.kind = **at;
    if (**at) ++*at;
    return f;
}

static void put_text(printer* p, const form* f, const char* text) {
    const char* end = f->precision >= 0 ? memchr(text, 0, (size_t)f->precision) : NULL;
    put(p, text,
        f->precision < 0 ? strlen(text)
        : end            ? (size_t)(end - text)
                         : (size_t)f->precision);
}

static void put_number(printer* p, const form* f, uint64_t value, bool negative) {
    const char* digits = f->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    uint64_t base = f->kind == 'x' || f->kind == 'X' ? 16 : 10;
    char text[40];
    int at = sizeof text;
    do {
        text[--at] = digits[value % base];
        value /= base;
    } while (value > 0);
    while ((int)sizeof text - at + negative < f->width && at > 1) text[--at] = '0';
    if (negative) text[--at] = '-';
    put(p, text + at, sizeof text - (size_t)at);
}

static void put_signed(printer* p, const form* f, va_list* values) {
    int64_t value = f->longs > 1    ? va_arg(*values, long long)
                    : f->longs == 1 ? va_arg(*values, long)
                                    : va_arg(*values, int);
    put_number(p, f, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
}

static void put_unsigned(printer* p, const form* f, va_list* values) {
    put_number(p, f,
               f->is_size      ? va_arg(*values, size_t)
               : f->longs > 1  ? va_arg(*values, unsigned long long)
               : f->longs == 1 ? va_arg(*values, unsigned long)
                               : va_arg(*values, unsigned int),
               false);
}

static void put_value(printer* p, const form* f, const char* from, const char* to,
                      va_list* values) {
    switch (f->kind) {
    case 's': put_text(p, f, va_arg(*values, const char*)); break;
    case 'c': put(p, &(char){(char)va_arg(*values, int)}, 1); break;
    case 'd': put_signed(p, f, values); break;
    case 'u':
    case 'x':
    case 'X': put_unsigned(p, f, values); break;
    case '%': put(p, "%", 1); break;
    default: put(p, from, (size_t)(to - from)); break;
    }
}

int web_print(char* out, size_t room, const char* format, va_list values) {
    printer p = {out, room, 0};
    va_list rest;
    va_copy(rest, values);
    while (*format) {
        const char* from = format;
        if (*format == '%') {
            form f = take_form(&format, &rest);
            put_value(&p, &f, from, format, &rest);
        } else {
            format += strcspn(format, "%");
            put(&p, from, (size_t)(format - from));
        }
    }
    va_end(rest);
    if (room > 0) out[p.used < room ? p.used : room - 1] = 0;
    return (int)p.used;
}
