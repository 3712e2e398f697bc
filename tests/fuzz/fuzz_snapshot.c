/* Snapshots: a script of edits of one that was saved, its checksum put right, or raw bytes. What is
   refused leaves the world as it is; what is accepted steps, and saves to the same bytes. */
#include <math.h>

#include "base/hash.h"
#include "fuzz/edits.h"
#include "fuzz/stages.h"
#include "tape/snapshot_form.h"

enum { SECTION_HEAD = 12, MEMORY = 16 << 20 };

/* Head, sections, checksum. */
static int32_t split(const uint8_t* data, size_t size, fuzz_part parts[FUZZ_PARTS]) {
    size_t at = SUPI_SNAPSHOT_HEAD < size ? SUPI_SNAPSHOT_HEAD : size;
    int32_t count = 1;
    parts[0] = (fuzz_part){0, at, 0};
    while (count < FUZZ_PARTS && size - at > SECTION_HEAD) {
        uint64_t content = fuzz_fetch(data + at + 4, 8);
        if (content > size - at - SECTION_HEAD) content = size - at - SECTION_HEAD;
        parts[count] = (fuzz_part){at, SECTION_HEAD + (size_t)content, 4};
        at += parts[count++].size;
    }
    return count;
}

/* Size and checksum of the whole become right. */
static void repair(fuzz_bytes* bytes) {
    if (bytes->size < SUPI_SNAPSHOT_HEAD + SUPI_SNAPSHOT_TAIL) return;
    size_t last = bytes->size - SUPI_SNAPSHOT_TAIL;
    fuzz_store(bytes->data + 12, bytes->size, 8);
    fuzz_store(bytes->data + last, supi_hash_bytes(supi_hash_begin(), bytes->data, last), 8);
}

/* The world must save to these bytes. */
static void check_saved(const sup_world* world, const uint8_t* data, size_t size) {
    sup_bytes saved;
    sup_result result = sup_world_save(world, &saved, NULL);
    if (result == SUP_NO_MEMORY) return;
    FUZZ_REQUIRE(result == SUP_OK);
    size_t at = SUPI_SNAPSHOT_HEAD; /* sizes before that would only hide what differs */
    while (at < size && at < saved.size && saved.data[at] == data[at]) at++;
    if (at < size || saved.size != size) {
        fprintf(stderr, "of %zu bytes %zu are saved; byte %zu differs\n", size, saved.size, at);
        abort();
    }
    sup_bytes_free(&saved);
}

/* Restores into a world that holds `before`. */
static void restore(fuzz_stage before, const fuzz_bytes* bytes) {
    fuzz_memory memory;
    sup_world* world = fuzz_stage_again(before, fuzz_memory_begin_refusing(&memory, MEMORY));
    const sup_bytes* held = fuzz_stage_saved(before);
    uint64_t hash = sup_world_hash(world);
    sup_error error = {0};
    sup_result result = sup_world_restore(world, bytes->data, bytes->size, &error);
    if (result == SUP_OK) {
        check_saved(world, bytes->data, bytes->size);
        for (int i = 0; i < 3; i++) {
            result = sup_world_step(world, 1.0 / 60.0);
            FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
            fuzz_check_world(world);
        }
    } else {
        FUZZ_REQUIRE(result == SUP_BAD_FILE || result == SUP_NO_MEMORY);
        fuzz_check_refusal(result, &error, "snapshot", NULL, 0);
        FUZZ_REQUIRE(sup_world_hash(world) == hash);
        check_saved(world, held->data, held->size);
    }
    sup_world_destroy(world);
    fuzz_memory_end(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_input input = {data, size};
    int32_t kind = fuzz_pick(&input, FUZZ_STAGE_COUNT + 2);
    fuzz_bytes bytes;
    if (kind < FUZZ_STAGE_COUNT) {
        const sup_bytes* saved = fuzz_stage_saved((fuzz_stage)kind);
        bytes = fuzz_bytes_copy(saved->data, saved->size);
        fuzz_edit_all(&bytes, &input, split);
        repair(&bytes);
    } else {
        bytes = fuzz_bytes_copy(input.at, input.left);
        if (kind == FUZZ_STAGE_COUNT) repair(&bytes);
    }
    restore(FUZZ_STAGE_EMPTY, &bytes);
    restore(FUZZ_STAGE_FULL, &bytes);
    free(bytes.data);
    return 0;
}
