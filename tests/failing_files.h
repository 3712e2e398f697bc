/* Files in memory that fail when told to: for tests of every error path. */
#ifndef SUPPLE_TESTS_FAILING_FILES_H
#define SUPPLE_TESTS_FAILING_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocators.h"
#include "supple/base.h"

/* --- when to fail --- */

typedef enum failing_call {
    FAILING_WORK,             /* without it the work cannot be done */
    FAILING_TO_CLOSE,         /* what was only read, or is safe on the disk: some may not mind */
    FAILING_TO_REMOVE,        /* no reason for the work to fail */
    FAILING_TO_REMOVE_NOTHING /* there was no such file anyway */
} failing_call;

typedef struct failing_plan {
    int calls;       /* so far */
    int fail_at;     /* this call fails, counted from 1; 0: none */
    bool for_good;   /* and so do all later ones */
    sup_result says; /* what a call that fails returns; 0: SUP_IO */

    bool failed;              /* it has happened */
    failing_call failed_call; /* the first one that did */
    char failed_name[64];     /* and the file it happened to */
} failing_plan;

static inline bool failing_now(failing_plan* plan, failing_call call, const char* name) {
    plan->calls++;
    bool fails = plan->fail_at != 0 &&
                 (plan->for_good ? plan->calls >= plan->fail_at : plan->calls == plan->fail_at);
    if (fails && !plan->failed) {
        plan->failed = true;
        plan->failed_call = call;
        snprintf(plan->failed_name, sizeof plan->failed_name, "%s", name);
    }
    return fails;
}

static inline sup_result failing_says(const failing_plan* plan) {
    return plan->says == SUP_OK ? SUP_IO : plan->says;
}

/* --- files --- */

#define FAILING_FILE_LIMIT 48

typedef struct failing_file {
    char name[64]; /* empty: free slot */
    uint8_t* bytes;
    size_t size, at;
    bool open;
    bool written; /* since it was opened or synced */
    bool dirty;   /* written since the last sync, by whomever */
} failing_file;

typedef struct failing_disk {
    failing_plan plan;
    failing_file files[FAILING_FILE_LIMIT];
} failing_disk;

static inline failing_file* failing_find(failing_disk* disk, const char* name) {
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) {
        if (strcmp(disk->files[i].name, name) == 0) return &disk->files[i];
    }
    return NULL;
}

static inline void failing_erase(failing_file* file) {
    assert_false(file->open);
    free(file->bytes);
    *file = (failing_file){.name = ""};
}

/* One opener at a time: who reads or writes the same name twice at once has lost track. Who wants
   to write what is open is told so. */
static inline sup_result failing_open(void* user, const char* path, sup_file_mode mode,
                                      void** handle) {
    failing_disk* disk = user;
    if (failing_now(&disk->plan, FAILING_WORK, path)) return failing_says(&disk->plan);
    failing_file* file = failing_find(disk, path);
    if (!file && mode != SUP_FILE_CREATE) return SUP_NOT_FOUND;
    if (file && file->open && mode != SUP_FILE_READ) return SUP_BUSY;
    if (!file) {
        file = failing_find(disk, "");
        assert_non_null(file);
        assert_true(strlen(path) < sizeof file->name);
        strcpy(file->name, path);
    }
    assert_false(file->open);
    file->open = true;
    file->at = 0;
    file->written = mode == SUP_FILE_CREATE;
    file->dirty = file->dirty || file->written;
    if (mode == SUP_FILE_CREATE) file->size = 0;
    *handle = file;
    return SUP_OK;
}

static inline sup_result failing_read(void* user, void* handle, void* bytes, size_t size,
                                      size_t* got) {
    failing_disk* disk = user;
    failing_file* file = handle;
    if (failing_now(&disk->plan, FAILING_WORK, file->name)) return failing_says(&disk->plan);
    size_t left = file->at < file->size ? file->size - file->at : 0;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, file->bytes + file->at, *got);
    file->at += *got;
    return SUP_OK;
}

static inline sup_result failing_write(void* user, void* handle, const void* bytes, size_t size) {
    failing_disk* disk = user;
    failing_file* file = handle;
    if (failing_now(&disk->plan, FAILING_WORK, file->name)) return failing_says(&disk->plan);
    if (size > 0 && file->at + size > file->size) {
        file->bytes = realloc(file->bytes, file->at + size);
        assert_non_null(file->bytes);
        if (file->at > file->size) memset(file->bytes + file->size, 0, file->at - file->size);
        file->size = file->at + size;
    }
    if (size > 0) memcpy(file->bytes + file->at, bytes, size);
    file->at += size;
    file->written = file->dirty = true;
    return SUP_OK;
}

/* Beyond the end too; what is written there leaves zeros before it. */
static inline sup_result failing_seek(void* user, void* handle, uint64_t offset) {
    failing_disk* disk = user;
    failing_file* file = handle;
    if (failing_now(&disk->plan, FAILING_WORK, file->name)) return failing_says(&disk->plan);
    file->at = (size_t)offset;
    return SUP_OK;
}

static inline sup_result failing_sync(void* user, void* handle) {
    failing_disk* disk = user;
    failing_file* file = handle;
    if (failing_now(&disk->plan, FAILING_WORK, file->name)) return failing_says(&disk->plan);
    file->written = file->dirty = false;
    return SUP_OK;
}

/* As in POSIX, the handle is gone even when closing fails. */
static inline sup_result failing_close(void* user, void* handle) {
    failing_disk* disk = user;
    failing_file* file = handle;
    assert_true(file->open);
    file->open = false;
    failing_call call = file->written ? FAILING_WORK : FAILING_TO_CLOSE;
    return failing_now(&disk->plan, call, file->name) ? failing_says(&disk->plan) : SUP_OK;
}

static inline sup_result failing_rename(void* user, const char* from, const char* to) {
    failing_disk* disk = user;
    if (failing_now(&disk->plan, FAILING_WORK, to)) return failing_says(&disk->plan);
    failing_file* file = failing_find(disk, from);
    if (!file) return SUP_NOT_FOUND;
    assert_false(file->dirty); /* or a power cut could leave the new name with no bytes */
    failing_file* old = failing_find(disk, to);
    if (old) failing_erase(old);
    assert_true(strlen(to) < sizeof file->name);
    strcpy(file->name, to);
    return SUP_OK;
}

static inline sup_result failing_remove(void* user, const char* path) {
    failing_disk* disk = user;
    failing_file* file = failing_find(disk, path);
    failing_call call = file ? FAILING_TO_REMOVE : FAILING_TO_REMOVE_NOTHING;
    if (failing_now(&disk->plan, call, path)) return failing_says(&disk->plan);
    if (!file) return SUP_NOT_FOUND;
    failing_erase(file);
    return SUP_OK;
}

static inline sup_result failing_truncate(void* user, void* handle, uint64_t size) {
    failing_disk* disk = user;
    failing_file* file = handle;
    if (failing_now(&disk->plan, FAILING_WORK, file->name)) return failing_says(&disk->plan);
    if (size < file->size) file->size = (size_t)size;
    file->written = file->dirty = true;
    return SUP_OK;
}

static inline sup_file_gate failing_gate(failing_disk* disk) {
    return (sup_file_gate){disk,           failing_open,    failing_read,  failing_write,
                           failing_seek,   failing_sync,    failing_close, failing_rename,
                           failing_remove, failing_truncate};
}

/* Puts a file on the disk, past the plan. */
static inline void failing_place_bytes(failing_disk* disk, const char* name, const void* bytes,
                                       size_t size) {
    failing_plan plan = disk->plan;
    disk->plan = (failing_plan){0};
    void* handle = NULL;
    assert_int_equal(failing_open(disk, name, SUP_FILE_CREATE, &handle), SUP_OK);
    assert_int_equal(failing_write(disk, handle, bytes, size), SUP_OK);
    assert_int_equal(failing_sync(disk, handle), SUP_OK);
    assert_int_equal(failing_close(disk, handle), SUP_OK);
    disk->plan = plan;
}

static inline void failing_place(failing_disk* disk, const char* name, const char* text) {
    failing_place_bytes(disk, name, text, strlen(text));
}

static inline bool failing_holds_bytes(failing_disk* disk, const char* name, const void* bytes,
                                       size_t size) {
    const failing_file* file = failing_find(disk, name);
    return file && file->size == size && (size == 0 || memcmp(file->bytes, bytes, size) == 0);
}

static inline bool failing_holds(failing_disk* disk, const char* name, const char* text) {
    return failing_holds_bytes(disk, name, text, strlen(text));
}

static inline int failing_file_count(const failing_disk* disk) {
    int count = 0;
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) count += disk->files[i].name[0] != 0;
    return count;
}

/* Nothing may be open any more. */
static inline void failing_wipe(failing_disk* disk) {
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) failing_erase(&disk->files[i]);
}

/* --- every call fails once --- */

typedef enum failing_kind {
    FAILING_CALL,  /* one call of the disk */
    FAILING_DISK,  /* that call and all later ones */
    FAILING_MEMORY /* one allocation */
} failing_kind;

/* What one attempt works with. */
typedef struct failing_stage {
    failing_kind kind;
    failing_disk disk;
    test_allocator memory;
    sup_file_gate gate;
    const sup_allocator* allocator;
} failing_stage;

/* Has something failed in this attempt? */
static inline bool failing_hit(const failing_stage* stage) {
    return stage->disk.plan.failed || stage->memory.refused > 0;
}

static inline bool failing_left_something(const failing_disk* disk) {
    return disk->plan.failed && disk->plan.failed_call == FAILING_TO_REMOVE;
}

/* How the work must have ended. */
static inline sup_result failing_expected(const failing_stage* stage) {
    bool minor = stage->disk.plan.failed && stage->disk.plan.failed_call >= FAILING_TO_REMOVE;
    if (!failing_hit(stage) || minor) return SUP_OK;
    return stage->kind == FAILING_MEMORY ? SUP_NO_MEMORY : SUP_IO;
}

/* Calls `attempt` with a new disk and new memory, of which first the first call fails, then the
   second, until none does. Each attempt must give back all memory and close all files. */
static inline void failing_each(failing_kind kind,
                                void (*attempt)(failing_stage* stage, const void* user),
                                const void* user) {
    int attempts = 0;
    for (bool hit = true; hit;) {
        attempts++;
        failing_stage stage = {.kind = kind};
        stage.gate = failing_gate(&stage.disk);
        stage.allocator = test_allocator_init(&stage.memory);
        if (kind == FAILING_MEMORY) {
            test_allocator_arm(&stage.memory, attempts, false);
        } else {
            stage.disk.plan.fail_at = attempts;
            stage.disk.plan.for_good = kind == FAILING_DISK;
        }
        attempt(&stage, user);
        hit = failing_hit(&stage);
        assert_int_equal(stage.memory.blocks, 0);
        failing_wipe(&stage.disk);
    }
    assert_true(attempts > 1);
}

/* Work that writes some files, all or nothing. */
#define FAILING_WRITER_LIMIT 6

typedef struct failing_writer {
    sup_result (*write)(const sup_allocator* allocator, const sup_file_gate* gate,
                        sup_error* error);
    int count;
    const char* names[FAILING_WRITER_LIMIT];
    /* What they must hold in the end; NULL: anything new. */
    const char* texts[FAILING_WRITER_LIMIT];
    bool fresh; /* there are no old files */
} failing_writer;

static inline bool failing_names(const failing_writer* writer, const sup_error* error) {
    bool named = false;
    for (int i = 0; i < writer->count; i++) {
        char words[80];
        snprintf(words, sizeof words, " %s: ", writer->names[i]);
        named = named || strstr(error->text, words);
    }
    return named;
}

/* An old file holds its own name. */
static inline void failing_write_attempt(failing_stage* stage, const void* user) {
    const failing_writer* writer = user;
    failing_disk* disk = &stage->disk;
    for (int i = 0; i < writer->count && !writer->fresh; i++) {
        failing_place(disk, writer->names[i], writer->names[i]);
    }
    sup_error error = {0};
    sup_result result = writer->write(stage->allocator, &stage->gate, &error);
    assert_int_equal(result, failing_expected(stage));
    if (result != SUP_OK) assert_int_equal(error.code, result);
    if (result == SUP_IO) assert_true(failing_names(writer, &error));
    for (int i = 0; i < writer->count; i++) {
        const char *name = writer->names[i], *text = writer->texts[i];
        bool old = failing_holds(disk, name, name);
        assert_int_equal(old, result != SUP_OK && !writer->fresh);
        if (result == SUP_OK && text) assert_true(failing_holds(disk, name, text));
    }
    int count = result == SUP_OK || !writer->fresh ? writer->count : 0;
    if (failing_left_something(disk)) count++;
    /* A dead disk keeps what was begun. */
    if (stage->kind != FAILING_DISK) assert_int_equal(failing_file_count(disk), count);
}

static inline void failing_each_write(failing_kind kind, const failing_writer* writer) {
    failing_each(kind, failing_write_attempt, writer);
}

#endif
