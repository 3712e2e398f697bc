#include "tape/unpack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "tape/pack.h"

/* ---- Refusing ---- */

static void refuse_at(supi_unpack* u, const char* field, const char* reason) {
    if (u->result != SUP_OK) return;
    u->result = SUP_BAD_FILE;
    char which[16] = "";
    if (u->index >= 0) snprintf(which, sizeof which, " %d", (int)u->index);
    supi_error_set(u->error, SUP_BAD_FILE, "%.200s: byte %" PRIu64 " (%s%s, %s): %s", u->name,
                   u->origin + u->at, u->part, which, field, reason);
}

void supi_unpack_refuse(supi_unpack* u, const char* field, const char* format, ...) {
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    refuse_at(u, field, reason);
}

void supi_unpack_memory(supi_unpack* u) {
    if (u->result != SUP_OK) return;
    u->result = supi_error_memory(u->error);
}

void supi_unpack_wrap(supi_unpack* u, const char* field, const sup_error* cause) {
    if (cause->code == SUP_NO_MEMORY) {
        supi_unpack_memory(u);
    } else {
        refuse_at(u, field, cause->text);
    }
}

/* ---- Reading ---- */

bool supi_unpack_has(supi_unpack* u, const char* field, size_t count, size_t size) {
    if (u->result != SUP_OK) return false;
    size_t left = u->end - u->at;
    if (size == 0 || count <= left / size) return true;
    supi_unpack_refuse(u, field, "needs %zu times %zu bytes, but only %zu are left", count, size,
                       left);
    return false;
}

const uint8_t* supi_unpack_bytes(supi_unpack* u, const char* field, size_t size) {
    if (!supi_unpack_has(u, field, size, 1)) return NULL;
    const uint8_t* bytes = u->data + u->at;
    u->at += size;
    return bytes;
}

static uint64_t fetch(supi_unpack* u, const char* field, size_t width) {
    const uint8_t* bytes = supi_unpack_bytes(u, field, width);
    return bytes ? supi_pack_fetch(bytes, width) : 0;
}

uint32_t supi_unpack_u32(supi_unpack* u, const char* field) { return (uint32_t)fetch(u, field, 4); }
uint64_t supi_unpack_u64(supi_unpack* u, const char* field) { return fetch(u, field, 8); }

int32_t supi_unpack_count(supi_unpack* u, const char* field, size_t least) {
    uint32_t count = supi_unpack_u32(u, field);
    if (!supi_unpack_has(u, field, count, least)) return 0;
    if (count <= INT32_MAX - 8) return (int32_t)count;
    supi_unpack_refuse(u, field, "%" PRIu32 " are too many", count);
    return 0;
}

/* ---- Fields ---- */

/* Number `bits` into place i; false: it is out of range. */
static bool set_number(const supi_visited* field, size_t i, uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    double value = 0.0;
    float single;
    switch (field->kind) {
    case SUPI_VISIT_BOOL:
        if (bits > 1) return false;
        ((bool*)field->at)[i] = bits == 1;
        return true;
    case SUPI_VISIT_U64: memcpy((char*)field->at + 8 * i, &bits, 8); return true;
    case SUPI_VISIT_U8: value = (double)bits; break;
    case SUPI_VISIT_U32: value = (double)bits; break;
    case SUPI_VISIT_I32:
        value = bits < 0x80000000u ? (double)bits : (double)bits - 4294967296.0;
        break;
    case SUPI_VISIT_F64: memcpy(&value, &bits, 8); break;
    case SUPI_VISIT_F32:
        memcpy(&single, &narrow, 4);
        value = (double)single;
        break;
    }
    if (!(value >= field->least && value <= field->most)) return false;
    size_t width = supi_pack_width(field->kind);
    uint8_t byte = (uint8_t)bits;
    const void* from = width == 8 ? (const void*)&bits : width == 4 ? (const void*)&narrow : &byte;
    memcpy((char*)field->at + width * i, from, width);
    return true;
}

static void refuse_number(supi_unpack* u, const supi_visited* field) {
    bool truth = field->kind == SUPI_VISIT_BOOL;
    char least[32], most[32];
    supi_number_write(truth ? 0.0 : field->least, least);
    supi_number_write(truth ? 1.0 : field->most, most);
    supi_unpack_refuse(u, field->name, "it must be from %s to %s", least, most);
}

static void unpack_field(supi_visitor* visitor, const supi_visited* field) {
    supi_unpack* u = (supi_unpack*)visitor;
    size_t width = supi_pack_width(field->kind);
    if (!supi_unpack_has(u, field->name, field->count, width)) return;
    for (size_t i = 0; i < field->count; i++, u->at += width) {
        if (set_number(field, i, supi_pack_fetch(u->data + u->at, width))) continue;
        refuse_number(u, field);
        return;
    }
}

supi_unpack supi_unpack_begin(const char* name, uint64_t origin, const uint8_t* data, size_t size,
                              sup_error* error) {
    return (supi_unpack){.visitor = {.visit = unpack_field, .sets = true},
                         .data = data,
                         .end = size,
                         .origin = origin,
                         .name = name,
                         .part = "start",
                         .index = -1,
                         .error = error};
}

void supi_unpack_enter(supi_unpack* u, const char* part, int32_t index) {
    u->part = part;
    u->index = index;
}
