#include "tape/pack.h"

#include <string.h>

size_t supi_pack_width(supi_visit_kind kind) {
    switch (kind) {
    case SUPI_VISIT_BOOL:
    case SUPI_VISIT_U8: return 1;
    case SUPI_VISIT_I32:
    case SUPI_VISIT_U32:
    case SUPI_VISIT_F32: return 4;
    case SUPI_VISIT_U64:
    case SUPI_VISIT_F64: return 8;
    }
    return 8;
}

void supi_pack_number(const supi_visited* field, size_t i, uint8_t bytes[8]) {
    uint64_t wide;
    uint32_t narrow;
    switch (field->kind) {
    case SUPI_VISIT_BOOL: bytes[0] = ((const bool*)field->at)[i]; break;
    case SUPI_VISIT_U8: bytes[0] = ((const uint8_t*)field->at)[i]; break;
    case SUPI_VISIT_I32:
    case SUPI_VISIT_U32:
    case SUPI_VISIT_F32:
        memcpy(&narrow, (const char*)field->at + 4 * i, 4);
        supi_pack_store(bytes, narrow, 4);
        break;
    case SUPI_VISIT_U64:
    case SUPI_VISIT_F64:
        memcpy(&wide, (const char*)field->at + 8 * i, 8);
        supi_pack_store(bytes, wide, 8);
        break;
    }
}

/* ---- Writing ---- */

static void pack_field(supi_visitor* visitor, const supi_visited* field) {
    supi_pack* pack = (supi_pack*)visitor;
    size_t width = supi_pack_width(field->kind);
    for (size_t i = 0; pack->data && i < field->count; i++) {
        uint8_t bytes[8];
        supi_pack_number(field, i, bytes);
        memcpy(pack->data + pack->size + i * width, bytes, width);
    }
    pack->size += field->count * width;
}

supi_pack supi_pack_begin(uint8_t* data) {
    return (supi_pack){.visitor = {.visit = pack_field}, .data = data};
}

void supi_pack_bytes(supi_pack* pack, const void* bytes, size_t size) {
    if (pack->data && size > 0) memcpy(pack->data + pack->size, bytes, size);
    pack->size += size;
}

static void pack_word(supi_pack* pack, uint64_t value, size_t width) {
    uint8_t bytes[8];
    supi_pack_store(bytes, value, width);
    supi_pack_bytes(pack, bytes, width);
}

void supi_pack_u32(supi_pack* pack, uint32_t value) { pack_word(pack, value, 4); }
void supi_pack_u64(supi_pack* pack, uint64_t value) { pack_word(pack, value, 8); }

/* ---- Comparing ---- */

static void match_field(supi_visitor* visitor, const supi_visited* field) {
    supi_match* match = (supi_match*)visitor;
    size_t width = supi_pack_width(field->kind);
    if (match->differs) return;
    match->differs = (match->size - match->at) / width < field->count;
    for (size_t i = 0; !match->differs && i < field->count; i++, match->at += width) {
        uint8_t bytes[8];
        supi_pack_number(field, i, bytes);
        match->differs = memcmp(match->data + match->at, bytes, width) != 0;
    }
}

supi_match supi_match_begin(const uint8_t* data, size_t size) {
    return (supi_match){.visitor = {.visit = match_field}, .data = data, .size = size};
}

bool supi_match_same(const supi_match* match) {
    return !match->differs && match->at == match->size;
}
