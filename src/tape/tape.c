/* Tapes that are read: opened by their index, or by walking from record to record where there is
   none. */
#include "tape/tape.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "tape/snapshot.h"

/* ---- Lists of records ---- */

static uint64_t frame_offset(const sup_tape* t, int32_t i) {
    return ((const uint64_t*)t->frames.items)[i];
}
static supi_place snapshot_place(const sup_tape* t, int32_t i) {
    return ((const supi_place*)t->snapshots.items)[i];
}
static uint64_t frame_size(const sup_tape* t) { return 12 * (uint64_t)t->head.point_count; }

bool supi_tape_add_frame(sup_tape* t, uint64_t offset) {
    uint64_t* items =
        supi_column_reserve(&t->frames, t->file.allocator, t->frame_count + 1, sizeof *items);
    if (!items) return false;
    items[t->frame_count++] = offset;
    return true;
}

bool supi_tape_add_snapshot(sup_tape* t, int32_t frame, uint64_t offset) {
    supi_place* items =
        supi_column_reserve(&t->snapshots, t->file.allocator, t->snapshot_count + 1, sizeof *items);
    if (!items) return false;
    items[t->snapshot_count++] = (supi_place){frame, offset};
    return true;
}

bool supi_tape_add_choice(sup_tape* t, sup_detail_choice choice) {
    sup_detail_choice* items =
        supi_column_reserve(&t->choices, t->file.allocator, t->choice_count + 1, sizeof *items);
    if (!items) return false;
    items[t->choice_count++] = choice;
    return true;
}

/* ---- The index ---- */

size_t supi_tape_index_size(const sup_tape* t) {
    return 12 + 8 * (size_t)t->frame_count + 12 * (size_t)t->snapshot_count +
           12 * (size_t)t->choice_count;
}

void supi_tape_pack_index(supi_pack* pack, const sup_tape* t) {
    supi_pack_u32(pack, (uint32_t)t->frame_count);
    supi_pack_u32(pack, (uint32_t)t->snapshot_count);
    supi_pack_u32(pack, (uint32_t)t->choice_count);
    for (int32_t i = 0; i < t->frame_count; i++) supi_pack_u64(pack, frame_offset(t, i));
    for (int32_t i = 0; i < t->snapshot_count; i++) {
        supi_place place = snapshot_place(t, i);
        supi_pack_u32(pack, (uint32_t)place.frame);
        supi_pack_u64(pack, place.offset);
    }
    const sup_detail_choice* choices = t->choices.items;
    for (int32_t i = 0; i < t->choice_count; i++) {
        supi_pack_u32(pack, (uint32_t)choices[i].frame);
        supi_pack_u32(pack, (uint32_t)choices[i].body);
        supi_pack_u32(pack, (uint32_t)choices[i].level);
    }
}

static void unpack_choices(sup_tape* t, supi_unpack* u, int32_t count, int32_t frames) {
    int32_t last = 1; /* frame 0 is how it began */
    for (int32_t i = 0; u->result == SUP_OK && i < count; i++) {
        sup_detail_choice c;
        supi_visit_i32(&u->visitor, "choices", &c.frame, 1, last, frames);
        supi_visit_i32(&u->visitor, "choices", &c.body, 1, 0, INT32_MAX);
        supi_visit_i32(&u->visitor, "choices", &c.level, 1, 0, INT32_MAX);
        if (u->result != SUP_OK) return;
        if (!supi_tape_add_choice(t, c)) supi_unpack_memory(u);
        last = c.frame;
    }
}

/* Offsets ascend and lie between header and index, or they were not written by a recorder. */
static void unpack_index(sup_tape* t, supi_unpack* u, uint64_t index) {
    supi_unpack_enter(u, "index", -1);
    int32_t frames = supi_unpack_count(u, "frames", 8);
    int32_t snapshots = supi_unpack_count(u, "snapshots", 12);
    int32_t choices = supi_unpack_count(u, "choices", 12);
    uint64_t last = supi_record_end(&t->header) - 1;
    for (int32_t i = 0; u->result == SUP_OK && i < frames; i++) {
        uint64_t offset = supi_unpack_u64(u, "frames");
        if (offset <= last || offset >= index)
            supi_unpack_refuse(u, "frames", "they must ascend up to the index");
        if (!supi_tape_add_frame(t, offset)) supi_unpack_memory(u);
        last = offset;
    }
    last = supi_record_end(&t->header) - 1;
    int32_t frame = -1;
    for (int32_t i = 0; u->result == SUP_OK && i < snapshots; i++) {
        uint32_t next = supi_unpack_u32(u, "snapshots");
        uint64_t offset = supi_unpack_u64(u, "snapshots");
        if (offset <= last || offset >= index || next >= (uint32_t)frames ||
            (int32_t)next <= frame) {
            supi_unpack_refuse(u, "snapshots", "they must ascend up to the index");
        }
        if (!supi_tape_add_snapshot(t, (int32_t)next, offset)) supi_unpack_memory(u);
        last = offset;
        frame = (int32_t)next;
    }
    unpack_choices(t, u, choices, frames);
    if (u->at != u->end) supi_unpack_refuse(u, "end", "bytes are left over");
}

/* Is there a footer? Then reads the index. */
static sup_result read_index(sup_tape* t, bool* found, sup_error* error) {
    uint8_t footer[SUPI_TAPE_FOOTER];
    uint64_t index;
    *found = false;
    if (t->file.size < supi_record_end(&t->header) + SUPI_TAPE_FOOTER) return SUP_OK;
    uint64_t at = t->file.size - SUPI_TAPE_FOOTER;
    sup_result result = supi_file_read_at(t->file.gate, t->file.file, at, footer, sizeof footer);
    if (result != SUP_OK) return supi_record_fail(&t->file, at, result, error);
    if (!supi_record_read_footer(footer, &index)) return SUP_OK;
    *found = true;
    supi_record record = {{0}, 0, 0, 0};
    result = supi_record_read(&t->file, index, &record, error);
    bool fits = result == SUP_OK && memcmp(record.type, SUPI_RECORD_INDEX, 4) == 0 &&
                record.frame == 0 && supi_record_end(&record) == at;
    if (result == SUP_NOT_FOUND || (result == SUP_OK && !fits)) {
        return supi_record_refuse(&t->file, at, "footer", -1, "the index is not where it says",
                                  error);
    }
    if (result != SUP_OK) return result;
    supi_unpack u = supi_unpack_begin(t->file.path, index + SUPI_RECORD_HEAD, t->file.content,
                                      (size_t)record.size, error);
    unpack_index(t, &u, index);
    t->end = index;
    t->whole = true;
    return u.result;
}

/* ---- Walking ---- */

/* The choice that was just read; false: it is none for the frame to come. */
static bool get_choice(const sup_tape* t, const supi_record* record, int32_t frame,
                       sup_detail_choice* out) {
    if (memcmp(record->type, SUPI_RECORD_CHOICE, 4) != 0 || record->size != SUPI_CHOICE_SIZE ||
        record->frame != frame || frame == 0) {
        return false;
    }
    uint64_t body = supi_pack_fetch(t->file.content, 4);
    uint64_t level = supi_pack_fetch(t->file.content + 4, 4);
    if (body > INT32_MAX || level > INT32_MAX) return false;
    *out = (sup_detail_choice){frame, (int32_t)body, (int32_t)level};
    return true;
}

/* Takes the next record of a tape without an index. What a recorder writes has one order only. */
static sup_result take_record(sup_tape* t, const supi_record* record, sup_error* error) {
    bool taken = true;
    sup_detail_choice choice;
    if (memcmp(record->type, SUPI_RECORD_FRAME, 4) == 0 && record->frame == t->frame_count &&
        record->size == frame_size(t)) {
        taken = supi_tape_add_frame(t, record->offset);
    } else if (memcmp(record->type, SUPI_RECORD_SNAPSHOT, 4) == 0 && t->frame_count > 0 &&
               record->frame == t->frame_count - 1 &&
               (t->snapshot_count == 0 ||
                snapshot_place(t, t->snapshot_count - 1).frame < record->frame)) {
        taken = supi_tape_add_snapshot(t, record->frame, record->offset);
    } else if (get_choice(t, record, t->frame_count, &choice)) {
        taken = supi_tape_add_choice(t, choice);
    } else {
        return supi_record_refuse(&t->file, record->offset, "record", -1,
                                  "it does not come after the one before", error);
    }
    return taken ? SUP_OK : supi_error_memory(error);
}

/* An index without a footer behind it: only what is left of one may follow. */
static sup_result end_at_index(const sup_tape* t, const supi_record* index, sup_error* error) {
    if (t->file.size - supi_record_end(index) < SUPI_TAPE_FOOTER) return SUP_OK;
    return supi_record_refuse(&t->file, supi_record_end(index), "footer", -1,
                              "its bytes are damaged", error);
}

/* Walks until the file ends, is cut off, or is damaged. */
static sup_result walk(sup_tape* t, sup_error* error) {
    t->end = supi_record_end(&t->header);
    for (;;) {
        supi_record record;
        sup_result result = supi_record_read(&t->file, t->end, &record, error);
        if (result == SUP_NOT_FOUND) return SUP_OK;
        if (result != SUP_OK) return result;
        if (memcmp(record.type, SUPI_RECORD_INDEX, 4) == 0) return end_at_index(t, &record, error);
        result = take_record(t, &record, error);
        if (result != SUP_OK) return result;
        t->end = supi_record_end(&record);
    }
}

/* ---- Opening ---- */

static sup_result read_start(sup_tape* t, sup_error* error) {
    uint8_t start[SUPI_TAPE_START];
    if (t->file.size < sizeof start) return SUP_NOT_FOUND;
    sup_result result = supi_file_read_at(t->file.gate, t->file.file, 0, start, sizeof start);
    if (result != SUP_OK) return supi_record_fail(&t->file, 0, result, error);
    if (memcmp(start, SUPI_TAPE_MAGIC, 8) != 0) {
        return supi_record_refuse(&t->file, 0, "magic", -1,
                                  "this is no tape, which begins with 89 53 55 50 54 0d 0a 1a",
                                  error);
    }
    uint64_t version = supi_pack_fetch(start + 8, 4);
    if (version == SUPI_TAPE_VERSION) return SUP_OK;
    char reason[64];
    snprintf(reason, sizeof reason, "it is %u; this library reads %d", (unsigned)version,
             SUPI_TAPE_VERSION);
    return supi_record_refuse(&t->file, 8, "version", -1, reason, error);
}

/* SUP_NOT_FOUND: the file ends before the header does. */
static sup_result read_header(sup_tape* t, sup_error* error) {
    sup_result result = read_start(t, error);
    if (result == SUP_OK) result = supi_record_read(&t->file, SUPI_TAPE_START, &t->header, error);
    if (result != SUP_OK) return result;
    if (memcmp(t->header.type, SUPI_RECORD_HEADER, 4) != 0 || t->header.frame != 0) {
        return supi_record_refuse(&t->file, SUPI_TAPE_START, "header", -1, "it should be here",
                                  error);
    }
    supi_unpack u = supi_unpack_begin(t->file.path, SUPI_TAPE_START + SUPI_RECORD_HEAD,
                                      t->file.content, (size_t)t->header.size, error);
    supi_head_unpack(&u, &t->arena, &t->head);
    return u.result;
}

static sup_result read_all(sup_tape* t, bool forgiving, sup_error* error) {
    sup_result result = supi_file_size(t->file.gate, t->file.file, &t->file.size);
    if (result != SUP_OK) return supi_record_fail(&t->file, 0, result, error);
    result = read_header(t, error);
    if (result == SUP_NOT_FOUND && !forgiving) {
        return supi_record_refuse(&t->file, t->file.size, "header", -1,
                                  "the file ends before the header does", error);
    }
    bool found = false;
    /* To go on with a tape, every record up to there has to be seen: its index proves little. */
    if (result == SUP_OK && !forgiving) result = read_index(t, &found, error);
    if (result != SUP_OK || found) return result;
    result = walk(t, error);
    return forgiving && result == SUP_BAD_FILE ? SUP_OK : result;
}

void supi_tape_free(sup_tape* t) {
    const sup_allocator* allocator = t->file.allocator;
    supi_record_release(&t->file);
    supi_column_free(&t->frames, allocator);
    supi_column_free(&t->snapshots, allocator);
    supi_column_free(&t->choices, allocator);
    supi_arena_free(&t->arena);
    supi_memory_free(allocator, t, 1, sizeof *t);
}

sup_result supi_tape_read(const sup_allocator* allocator, const sup_file_gate* gate, void* file,
                          const char* path, bool forgiving, sup_tape** out, sup_error* error) {
    sup_result result = SUP_NO_MEMORY;
    sup_tape* t = supi_memory_new(allocator, 1, sizeof *t);
    if (t) {
        size_t length = strlen(path) + 1;
        supi_arena_init(&t->arena, allocator);
        char* name = supi_arena_push(&t->arena, length, 1);
        t->file =
            (supi_tape_file){.allocator = allocator, .gate = gate, .file = file, .path = name};
        if (name) memcpy(name, path, length);
        result = name ? read_all(t, forgiving, error) : supi_error_memory(error);
        if (result != SUP_OK) supi_tape_free(t);
    } else {
        supi_error_memory(error);
    }
    if (result == SUP_OK) {
        *out = t;
    } else {
        gate->close(gate->user, file);
    }
    return result;
}

sup_result sup_tape_open(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, sup_tape** out, sup_error* error) {
    SUPI_NEED(error, path, out);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    void* file = NULL;
    sup_result result = files->open(files->user, path, SUP_FILE_READ, &file);
    if (result == SUP_NOT_FOUND) {
        return supi_error_set(error, result, "cannot read %.300s: there is no such file", path);
    }
    if (result != SUP_OK) {
        return supi_error_set(error, result, "cannot read %.300s: the system refuses to open it",
                              path);
    }
    return supi_tape_read(allocator, files, file, path, false, out, error);
}

void sup_tape_close(sup_tape* tape) {
    if (!tape) return;
    const sup_file_gate* gate = tape->file.gate;
    gate->close(gate->user, tape->file.file); /* it was only read */
    supi_tape_free(tape);
}

/* ---- Asking ---- */

sup_tape_info sup_tape_get_info(const sup_tape* t) {
    return (sup_tape_info){.whole = t->whole,
                           .fps = t->head.fps,
                           .frame_count = t->frame_count,
                           .planned_count = t->head.frame_count,
                           .snapshot_count = t->snapshot_count,
                           .snapshot_every = t->head.snapshot_every,
                           .choice_count = t->choice_count,
                           .surface_count = t->head.surface_count,
                           .point_count = t->head.point_count,
                           .scene_hash = t->head.scene_hash,
                           .start_hash = t->head.start_hash,
                           .size = t->file.size};
}

const sup_surface* sup_tape_surfaces(const sup_tape* tape, int32_t* count) {
    *count = tape->head.surface_count;
    return tape->head.surfaces;
}

const uint8_t* sup_tape_scene(const sup_tape* tape, size_t* size) {
    *size = (size_t)tape->head.scene_size;
    return tape->head.scene;
}

const sup_detail_choice* sup_tape_choices(const sup_tape* tape, int32_t* count) {
    *count = tape->choice_count;
    return tape->choices.items;
}

int32_t sup_tape_snapshot_before(const sup_tape* tape, int32_t frame) {
    for (int32_t i = tape->snapshot_count - 1; i >= 0; i--) {
        if (snapshot_place(tape, i).frame <= frame) return snapshot_place(tape, i).frame;
    }
    return -1;
}

static sup_result expect_frame(sup_tape* t, int32_t frame, sup_error* error) {
    supi_record expected = {SUPI_RECORD_FRAME, frame, frame_offset(t, frame), frame_size(t)};
    return supi_record_expect(&t->file, &expected, error);
}

sup_result sup_tape_read_frame(sup_tape* tape, int32_t frame, sup_vec3* points, sup_error* error) {
    SUPI_NEED(error, tape);
    if (tape->head.point_count > 0) SUPI_NEED(error, points);
    if (frame < 0 || frame >= tape->frame_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s has the frames 0 to %d; not %d",
                              tape->file.path, (int)tape->frame_count - 1, (int)frame);
    }
    sup_result result = expect_frame(tape, frame, error);
    if (result != SUP_OK || tape->head.point_count == 0) return result;
    supi_unpack u = supi_unpack_begin(tape->file.path, frame_offset(tape, frame) + SUPI_RECORD_HEAD,
                                      tape->file.content, (size_t)frame_size(tape), error);
    supi_unpack_enter(&u, "frame", frame);
    supi_visit_f32(&u.visitor, "points", &points->x, 3 * (size_t)tape->head.point_count);
    return u.result;
}

sup_result supi_tape_read_snapshot(sup_tape* t, int32_t i, supi_record* record, sup_error* error) {
    supi_place place = snapshot_place(t, i);
    sup_result result = supi_record_read(&t->file, place.offset, record, error);
    bool same = result == SUP_OK && memcmp(record->type, SUPI_RECORD_SNAPSHOT, 4) == 0 &&
                record->frame == place.frame;
    if (result == SUP_NOT_FOUND || (result == SUP_OK && !same)) {
        return supi_record_refuse(&t->file, place.offset, "snapshot", place.frame,
                                  "it is not where the index says", error);
    }
    return result;
}

sup_result sup_tape_restore(sup_tape* tape, int32_t frame, sup_world* world, sup_error* error) {
    SUPI_NEED(error, tape, world);
    for (int32_t i = 0; i < tape->snapshot_count; i++) {
        if (snapshot_place(tape, i).frame != frame) continue;
        supi_record record;
        sup_result result = supi_tape_read_snapshot(tape, i, &record, error);
        if (result != SUP_OK) return result;
        return supi_snapshot_restore(world, tape->file.path, record.offset + SUPI_RECORD_HEAD,
                                     tape->file.content, (size_t)record.size, error);
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s has no snapshot of frame %d",
                          tape->file.path, (int)frame);
}

/* Is the record at `at` choice number i, for this frame? Then *end is behind it. */
static sup_result check_choice(sup_tape* t, uint64_t at, int32_t i, int32_t frame, uint64_t* end,
                               sup_error* error) {
    const sup_detail_choice* known = t->choices.items;
    supi_record record = {{0}, 0, 0, 0};
    sup_detail_choice found;
    sup_result result =
        i < t->choice_count ? supi_record_read(&t->file, at, &record, error) : SUP_NOT_FOUND;
    if (result != SUP_OK && result != SUP_NOT_FOUND) return result;
    if (result != SUP_OK || !get_choice(t, &record, frame, &found) ||
        memcmp(&found, &known[i], sizeof found) != 0) {
        return supi_record_refuse(&t->file, at, "record", -1, "the index does not know it", error);
    }
    *end = supi_record_end(&record);
    return SUP_OK;
}

/* Walks again, and compares with what the index has told. */
sup_result sup_tape_check(sup_tape* tape, sup_error* error) {
    SUPI_NEED(error, tape);
    uint64_t at = supi_record_end(&tape->header);
    int32_t frame = 0, snapshot = 0, choice = 0;
    while (at < tape->end) {
        supi_record record = {{0}, 0, 0, 0};
        bool is_snapshot =
            snapshot < tape->snapshot_count && snapshot_place(tape, snapshot).offset == at;
        bool is_frame = frame < tape->frame_count && frame_offset(tape, frame) == at;
        sup_result result;
        if (!is_snapshot && !is_frame) {
            result = check_choice(tape, at, choice++, frame, &at, error);
            if (result != SUP_OK) return result;
            continue;
        }
        result = is_snapshot ? supi_tape_read_snapshot(tape, snapshot++, &record, error)
                             : expect_frame(tape, frame++, error);
        if (result != SUP_OK) return result;
        at += (is_snapshot ? record.size : frame_size(tape)) + SUPI_RECORD_EXTRA;
    }
    if (at == tape->end && frame == tape->frame_count && snapshot == tape->snapshot_count &&
        choice == tape->choice_count) {
        return SUP_OK;
    }
    return supi_record_refuse(&tape->file, at, "record", -1, "the index names more than there is",
                              error);
}
