/* Tapes that are written. The file grows under a name of its own and is synced at every snapshot,
   so that whatever happens, a run can go on from the last one. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "supple/snapshot.h"
#include "tape/snapshot.h"
#include "tape/tape.h"

struct sup_recorder {
    const sup_allocator* allocator;
    const sup_file_gate* gate;
    char *path, *part; /* the name in the end, and until then */
    size_t path_size, part_size;
    void* file;      /* the part */
    sup_tape list;   /* of the records so far; no file of its own */
    uint8_t* buffer; /* a whole frame record */
    size_t room;     /* of the buffer */
    uint64_t at;     /* bytes written */
    uint64_t
        old_end; /* bytes that the part still has from before; 0: it ends where it is written */
    int32_t announced, every, point_count;
    sup_result result; /* the first failure */
};

/* ---- Messages ---- */

static sup_result say(const sup_recorder* r, sup_result result, const char* action,
                      sup_error* error) {
    const char* reason = "the system failed; is there space, and may its folder be written?";
    if (result == SUP_NOT_FOUND) reason = "its folder is not there, or takes no files";
    if (result == SUP_NO_MEMORY) reason = "out of memory";
    if (result == SUP_BUSY) reason = "another run is writing it";
    return supi_error_set(error, result, "cannot %s %.300s: %s", action, r->part, reason);
}

/* Keeps the first failure, and says it. */
static sup_result fail(sup_recorder* r, sup_result result, const char* action, sup_error* error) {
    if (r->result == SUP_OK) r->result = result;
    return result == SUP_OK ? SUP_OK : say(r, result, action, error);
}

/* ---- Coming and going ---- */

static void release(sup_recorder* r) {
    const sup_allocator* allocator = r->allocator;
    supi_column_free(&r->list.frames, allocator);
    supi_column_free(&r->list.snapshots, allocator);
    supi_column_free(&r->list.choices, allocator);
    supi_memory_free(allocator, r->path, r->path_size, 1);
    supi_memory_free(allocator, r->part, r->part_size, 1);
    supi_memory_free(allocator, r->buffer, r->room, 1);
    supi_memory_free(allocator, r, 1, sizeof *r);
}

/* A recorder without a file. */
static sup_result make(const sup_tape_def* def, const char* path, const supi_head* head,
                       sup_recorder** out, sup_error* error) {
    const sup_allocator* allocator = def->allocator ? def->allocator : sup_allocator_default();
    sup_recorder* r = supi_memory_new(allocator, 1, sizeof *r);
    if (!r) return supi_error_memory(error);
    *r = (sup_recorder){.allocator = allocator,
                        .gate = def->files ? def->files : sup_file_gate_default(),
                        .list = {.file = {.allocator = allocator}},
                        .room = SUPI_RECORD_EXTRA + 12 * (size_t)head->point_count,
                        .announced = head->frame_count,
                        .every = head->snapshot_every,
                        .point_count = head->point_count};
    r->path = supi_file_join(allocator, path, "", &r->path_size);
    r->part = supi_file_join(allocator, path, ".part", &r->part_size);
    r->buffer = supi_memory_new(allocator, r->room, 1);
    if (r->path && r->part && r->buffer) {
        *out = r;
        return SUP_OK;
    }
    release(r);
    return supi_error_memory(error);
}

/* Closes the file and frees. A part without a snapshot is of no use to anybody. */
static void abandon(sup_recorder* r) {
    if (r->file) r->gate->close(r->gate->user, r->file);
    if (r->file && r->list.snapshot_count == 0) r->gate->remove(r->gate->user, r->part);
    release(r);
}

void sup_recorder_stop(sup_recorder* recorder) {
    if (recorder) abandon(recorder);
}

/* ---- Writing ---- */

/* What stood behind the last snapshot goes before anything new is written: where choices differ,
   the rest of an earlier run might be taken for that of this one. */
static sup_result write_bytes(sup_recorder* r, const void* bytes, size_t size, sup_error* error) {
    if (size == 0) return SUP_OK;
    sup_result result = SUP_OK;
    if (r->old_end > r->at) result = r->gate->truncate(r->gate->user, r->file, r->at);
    r->old_end = 0;
    if (result == SUP_OK) result = r->gate->write(r->gate->user, r->file, bytes, size);
    r->at += size;
    return fail(r, result, "write", error);
}

/* A record whose content lies elsewhere. */
static sup_result write_record(sup_recorder* r, const char* type, int32_t frame,
                               const uint8_t* content, size_t size, sup_error* error) {
    uint8_t head[SUPI_RECORD_HEAD], tail[SUPI_RECORD_TAIL];
    supi_record record = {.frame = frame, .size = size};
    memcpy(record.type, type, 4);
    supi_record_head(&record, head);
    supi_pack_store(tail, supi_record_checksum(head, content, size), 8);
    sup_result result = write_bytes(r, head, sizeof head, error);
    if (result == SUP_OK) result = write_bytes(r, content, size, error);
    return result == SUP_OK ? write_bytes(r, tail, sizeof tail, error) : result;
}

/* A frame goes out in one write. */
static sup_result write_frame(sup_recorder* r, const sup_vec3* points, sup_error* error) {
    size_t size = 12 * (size_t)r->point_count;
    int32_t frame = r->list.frame_count;
    supi_record record = {SUPI_RECORD_FRAME, frame, 0, size};
    uint8_t* content = r->buffer + SUPI_RECORD_HEAD;
    supi_record_head(&record, r->buffer);
    if (r->point_count > 0) {
        supi_pack pack = supi_pack_begin(content);
        supi_visit_f32(&pack.visitor, "points", (float*)(uintptr_t)&points->x, size / 4);
    }
    supi_pack_store(content + size, supi_record_checksum(r->buffer, content, size), 8);
    if (!supi_tape_add_frame(&r->list, r->at)) return fail(r, SUP_NO_MEMORY, "write", error);
    return write_bytes(r, r->buffer, size + SUPI_RECORD_EXTRA, error);
}

/* Durable when it returns. */
static sup_result write_snapshot(sup_recorder* r, int32_t frame, const sup_world* world,
                                 sup_error* error) {
    sup_bytes bytes;
    uint64_t offset = r->at;
    sup_result result = sup_world_save(world, &bytes, error);
    if (result != SUP_OK) return fail(r, result, "write", error);
    result = write_record(r, SUPI_RECORD_SNAPSHOT, frame, bytes.data, bytes.size, error);
    sup_bytes_free(&bytes);
    if (result == SUP_OK) {
        result = fail(r, r->gate->sync(r->gate->user, r->file), "write", error);
    }
    if (result == SUP_OK && !supi_tape_add_snapshot(&r->list, frame, offset)) {
        result = fail(r, SUP_NO_MEMORY, "write", error);
    }
    return result;
}

static sup_result check_points(const sup_recorder* r, const sup_vec3* points, sup_error* error) {
    for (int32_t i = 0; i < r->point_count; i++) {
        if (isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "frame %d: point %d is not finite",
                              (int)r->list.frame_count, (int)i);
    }
    return SUP_OK;
}

sup_result sup_recorder_frame(sup_recorder* recorder, const sup_world* world,
                              const sup_vec3* points, sup_error* error) {
    SUPI_NEED(error, recorder, world);
    if (recorder->point_count > 0) SUPI_NEED(error, points);
    if (recorder->result != SUP_OK) return say(recorder, recorder->result, "write", error);
    int32_t frame = recorder->list.frame_count;
    if (frame >= recorder->announced) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "frame %d: only %d frames were announced",
                              (int)frame, (int)recorder->announced);
    }
    sup_result result = check_points(recorder, points, error);
    if (result == SUP_OK) result = write_frame(recorder, points, error);
    if (result == SUP_OK && frame % recorder->every == 0)
        result = write_snapshot(recorder, frame, world, error);
    return result;
}

sup_result sup_recorder_choice(sup_recorder* recorder, int32_t body, int32_t level,
                               sup_error* error) {
    SUPI_NEED(error, recorder);
    if (recorder->result != SUP_OK) return say(recorder, recorder->result, "write", error);
    int32_t frame = recorder->list.frame_count;
    if (frame == 0 || frame >= recorder->announced || body < 0 || level < 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "frame %d, body %d, level %d: no choice of a frame to come",
                              (int)frame, (int)body, (int)level);
    }
    uint8_t content[SUPI_CHOICE_SIZE];
    supi_pack_store(content, (uint64_t)body, 4);
    supi_pack_store(content + 4, (uint64_t)level, 4);
    if (!supi_tape_add_choice(&recorder->list, (sup_detail_choice){frame, body, level})) {
        return fail(recorder, SUP_NO_MEMORY, "write", error);
    }
    return write_record(recorder, SUPI_RECORD_CHOICE, frame, content, sizeof content, error);
}

/* ---- Beginning ---- */

/* The content of the header record; the caller frees it. NULL when memory is short. */
static uint8_t* pack_head(const sup_recorder* r, const supi_head* head, size_t* size) {
    supi_pack count = supi_pack_begin(NULL);
    supi_head_pack(&count, head);
    uint8_t* bytes = supi_memory_new(r->allocator, count.size, 1);
    if (!bytes) return NULL;
    supi_pack pack = supi_pack_begin(bytes);
    supi_head_pack(&pack, head);
    *size = count.size;
    return bytes;
}

static sup_result write_start(sup_recorder* r, const supi_head* head, sup_error* error) {
    uint8_t start[SUPI_TAPE_START];
    size_t size = 0;
    uint8_t* bytes = pack_head(r, head, &size);
    if (!bytes) return supi_error_memory(error);
    memcpy(start, SUPI_TAPE_MAGIC, 8);
    supi_pack_store(start + 8, SUPI_TAPE_VERSION, 4);
    sup_result result = write_bytes(r, start, sizeof start, error);
    if (result == SUP_OK) result = write_record(r, SUPI_RECORD_HEADER, 0, bytes, size, error);
    supi_memory_free(r->allocator, bytes, size, 1);
    return result;
}

sup_result sup_recorder_open(const sup_tape_def* def, const char* path, const sup_world* world,
                             sup_recorder** out, sup_error* error) {
    SUPI_NEED(error, path, world, out);
    supi_head head;
    sup_recorder* r;
    sup_result result = supi_head_make(def, world, &head, error);
    if (result == SUP_OK) result = make(def, path, &head, &r, error);
    if (result != SUP_OK) return result;
    result = r->gate->open(r->gate->user, r->part, SUP_FILE_CREATE, &r->file);
    if (result == SUP_OK) {
        result = write_start(r, &head, error);
    } else {
        r->file = NULL;
        say(r, result, "create", error);
    }
    if (result == SUP_OK) {
        *out = r;
    } else {
        abandon(r);
    }
    return result;
}

/* ---- Going on ---- */

/* Was the tape begun with the very same definition and world? */
static sup_result compare_heads(const sup_recorder* r, sup_tape* tape, const supi_head* head,
                                sup_error* error) {
    const supi_head* found = &tape->head;
    if (found->scene_hash != head->scene_hash) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s belongs to another scene", r->part);
    }
    if (found->frame_count != head->frame_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s was begun with %d frames, not with %d", r->part,
                              (int)found->frame_count - 1, (int)head->frame_count - 1);
    }
    size_t size = 0;
    supi_record record;
    uint8_t* bytes = pack_head(r, head, &size);
    if (!bytes) return supi_error_memory(error);
    sup_result result = supi_record_read(&tape->file, SUPI_TAPE_START, &record, error);
    if (result == SUP_OK && (record.size != size || memcmp(bytes, tape->file.content, size) != 0)) {
        result =
            supi_error_set(error, SUP_BAD_ARGUMENT,
                           "%.300s was begun with other settings, or by another version", r->part);
    }
    supi_memory_free(r->allocator, bytes, size, 1);
    if (result != SUP_NOT_FOUND) return result;
    return supi_record_fail(&tape->file, SUPI_TAPE_START, result, error);
}

/* Sets recorder and world behind the last snapshot of the tape. The world comes last, as nothing
   can fail after it. */
static sup_result go_on(sup_recorder* r, sup_tape* tape, const supi_head* head, sup_world* world,
                        sup_error* error) {
    if (!r->gate->truncate) {
        return supi_error_set(error, SUP_UNSUPPORTED,
                              "cannot go on with %.300s: the file gate has no truncate", r->part);
    }
    sup_result result = compare_heads(r, tape, head, error);
    if (result != SUP_OK) return result;
    if (tape->snapshot_count == 0) {
        return supi_error_set(error, SUP_NOT_FOUND, "%.300s holds no snapshot to go on from",
                              r->part);
    }
    supi_record record;
    result = supi_tape_read_snapshot(tape, tape->snapshot_count - 1, &record, error);
    if (result != SUP_OK) return result;
    result = r->gate->seek(r->gate->user, r->file, supi_record_end(&record));
    if (result != SUP_OK) return say(r, result, "write", error);
    result = supi_snapshot_restore(world, r->part, record.offset + SUPI_RECORD_HEAD,
                                   tape->file.content, (size_t)record.size, error);
    if (result != SUP_OK) return result;
    r->at = supi_record_end(&record);
    r->old_end = tape->file.size;
    r->list.frames = tape->frames;
    r->list.snapshots = tape->snapshots;
    r->list.frame_count = record.frame + 1;
    r->list.snapshot_count = tape->snapshot_count;
    r->list.choices = tape->choices;
    const sup_detail_choice* choices = tape->choices.items;
    while (r->list.choice_count < tape->choice_count &&
           choices[r->list.choice_count].frame <= record.frame) {
        r->list.choice_count++;
    }
    tape->frames = tape->snapshots = tape->choices = (supi_column){0};
    return SUP_OK;
}

sup_result sup_recorder_resume(const sup_tape_def* def, const char* path, sup_world* world,
                               sup_recorder** out, int32_t* frame, sup_error* error) {
    SUPI_NEED(error, path, world, out, frame);
    supi_head head;
    sup_recorder* r;
    sup_tape* tape = NULL;
    sup_result result = supi_head_make(def, world, &head, error);
    if (result == SUP_OK) result = make(def, path, &head, &r, error);
    if (result != SUP_OK) return result;
    void* file = NULL;
    result = r->gate->open(r->gate->user, r->part, SUP_FILE_UPDATE, &file);
    if (result == SUP_OK) {
        result = supi_tape_read(r->allocator, r->gate, file, r->part, true, &tape, error);
        if (result == SUP_NOT_FOUND) {
            supi_error_set(error, result, "%.300s holds nothing to go on with", r->part);
        }
    } else if (result == SUP_NOT_FOUND) {
        supi_error_set(error, result, "there is no %.300s to go on with", r->part);
    } else {
        say(r, result, "open", error);
    }
    if (result == SUP_OK) {
        r->file = file;
        result = go_on(r, tape, &head, world, error);
        supi_tape_free(tape);
        if (result != SUP_OK) r->gate->close(r->gate->user, file);
    }
    if (result == SUP_OK) {
        *out = r;
        *frame = r->list.frame_count - 1;
    } else {
        release(r);
    }
    return result;
}

/* ---- Ending ---- */

static sup_result write_end(sup_recorder* r, sup_error* error) {
    uint8_t footer[SUPI_TAPE_FOOTER];
    size_t size = supi_tape_index_size(&r->list);
    uint8_t* bytes = supi_memory_new(r->allocator, size, 1);
    if (!bytes) return supi_error_memory(error);
    supi_pack pack = supi_pack_begin(bytes);
    supi_tape_pack_index(&pack, &r->list);
    supi_record_footer(r->at, footer);
    sup_result result = write_record(r, SUPI_RECORD_INDEX, 0, bytes, size, error);
    supi_memory_free(r->allocator, bytes, size, 1);
    if (result == SUP_OK) result = write_bytes(r, footer, sizeof footer, error);
    return result;
}

/* The name is taken while the file is still held, so that nobody else can begin to write it. */
static sup_result take_name(sup_recorder* r, sup_error* error) {
    sup_result result = r->gate->sync(r->gate->user, r->file);
    if (result == SUP_OK) result = r->gate->rename(r->gate->user, r->part, r->path);
    if (result == SUP_OK) return SUP_OK;
    return supi_error_set(error, result, "cannot replace %.300s: %s", r->path,
                          "the system failed; is there space, and may its folder be written?");
}

sup_result sup_recorder_close(sup_recorder* recorder, sup_error* error) {
    SUPI_NEED(error, recorder);
    sup_result result = recorder->result;
    if (result != SUP_OK) {
        say(recorder, result, "write", error);
    } else if (recorder->list.frame_count == 0) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the tape has no frames");
    } else {
        result = write_end(recorder, error);
        if (result == SUP_OK) result = take_name(recorder, error);
    }
    abandon(recorder);
    return result;
}
