#include "tape/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file_io.h"
#include "base/hash.h"
#include "base/memory.h"
#include "tape/pack.h"

/* ---- Bytes ---- */

void supi_record_head(const supi_record* record, uint8_t bytes[SUPI_RECORD_HEAD]) {
    memcpy(bytes, record->type, 4);
    supi_pack_store(bytes + 4, (uint32_t)record->frame, 4);
    supi_pack_store(bytes + 8, record->size, 8);
}

uint64_t supi_record_checksum(const uint8_t head[SUPI_RECORD_HEAD], const uint8_t* content,
                              size_t size) {
    uint64_t hash = supi_hash_bytes(supi_hash_begin(), head, SUPI_RECORD_HEAD);
    return supi_hash_bytes(hash, content, size);
}

void supi_record_footer(uint64_t index, uint8_t bytes[SUPI_TAPE_FOOTER]) {
    supi_pack_store(bytes, index, 8);
    supi_pack_store(bytes + 8, supi_hash_bytes(supi_hash_begin(), bytes, 8), 8);
    memcpy(bytes + 16, SUPI_TAPE_END_MAGIC, 8);
}

bool supi_record_read_footer(const uint8_t bytes[SUPI_TAPE_FOOTER], uint64_t* index) {
    uint8_t expected[SUPI_TAPE_FOOTER];
    *index = supi_pack_fetch(bytes, 8);
    supi_record_footer(*index, expected);
    return memcmp(bytes, expected, SUPI_TAPE_FOOTER) == 0;
}

/* ---- Messages ---- */

sup_result supi_record_refuse(const supi_tape_file* file, uint64_t offset, const char* what,
                              int32_t frame, const char* reason, sup_error* error) {
    char which[16] = "";
    if (frame >= 0) snprintf(which, sizeof which, " %d", (int)frame);
    return supi_error_set(error, SUP_BAD_FILE, "%.200s: byte %" PRIu64 " (%s%s): %s", file->path,
                          offset, what, which, reason);
}

sup_result supi_record_fail(const supi_tape_file* file, uint64_t offset, sup_result result,
                            sup_error* error) {
    if (result == SUP_NO_MEMORY) return supi_error_memory(error);
    if (result == SUP_NOT_FOUND) {
        return supi_record_refuse(file, offset, "record", -1,
                                  "the file should have gone on, but it was cut meanwhile", error);
    }
    return supi_error_set(error, result, "cannot read %.300s: the system failed", file->path);
}

/* ---- Reading ---- */

/* Room for `size` bytes of content. */
static bool reserve(supi_tape_file* file, size_t size) {
    if (file->content && size <= file->room) return true;
    supi_record_release(file);
    file->content = supi_memory_new(file->allocator, size, 1);
    file->room = file->content ? size : 0;
    return file->content != NULL;
}

void supi_record_release(supi_tape_file* file) {
    supi_memory_free(file->allocator, file->content, file->room, 1);
    file->content = NULL;
    file->room = 0;
}

/* Content with the checksum behind it. */
static sup_result read_content(supi_tape_file* file, const uint8_t head[SUPI_RECORD_HEAD],
                               const supi_record* record, sup_error* error) {
    size_t size = (size_t)record->size;
    if (!reserve(file, size + SUPI_RECORD_TAIL)) return supi_error_memory(error);
    sup_result result = supi_file_read_at(file->gate, file->file, record->offset + SUPI_RECORD_HEAD,
                                          file->content, size + SUPI_RECORD_TAIL);
    if (result != SUP_OK) return supi_record_fail(file, record->offset, result, error);
    if (supi_pack_fetch(file->content + size, 8) ==
        supi_record_checksum(head, file->content, size)) {
        return SUP_OK;
    }
    return supi_record_refuse(file, record->offset, "record", -1,
                              "the checksum does not fit: its bytes are damaged", error);
}

sup_result supi_record_read(supi_tape_file* file, uint64_t offset, supi_record* out,
                            sup_error* error) {
    uint8_t head[SUPI_RECORD_HEAD];
    if (offset > file->size || file->size - offset < SUPI_RECORD_EXTRA) return SUP_NOT_FOUND;
    sup_result result = supi_file_read_at(file->gate, file->file, offset, head, sizeof head);
    if (result != SUP_OK) return supi_record_fail(file, offset, result, error);
    *out = (supi_record){.offset = offset,
                         .frame = (int32_t)(uint32_t)supi_pack_fetch(head + 4, 4),
                         .size = supi_pack_fetch(head + 8, 8)};
    memcpy(out->type, head, 4);
    if (out->size > file->size - offset - SUPI_RECORD_EXTRA) return SUP_NOT_FOUND;
    return read_content(file, head, out, error);
}

sup_result supi_record_expect(supi_tape_file* file, const supi_record* expected, sup_error* error) {
    supi_record found = {{0}, 0, 0, 0};
    sup_result result = supi_record_read(file, expected->offset, &found, error);
    bool same = memcmp(found.type, expected->type, 4) == 0 && found.frame == expected->frame &&
                found.size == expected->size;
    if (result == SUP_NOT_FOUND || (result == SUP_OK && !same)) {
        return supi_record_refuse(file, expected->offset, expected->type, expected->frame,
                                  "it is not where the index says", error);
    }
    return result;
}
