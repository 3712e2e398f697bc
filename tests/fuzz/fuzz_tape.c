/* Tapes: a script of edits of one that was recorded, its checksums put right, or raw bytes. They
   are read as a whole tape, and gone on with as one that was cut off. */
#include <math.h>

#include "fuzz/disk.h"
#include "fuzz/edits.h"
#include "fuzz/stages.h"
#include "supple/tape.h"
#include "tape/record.h"

enum { MEMORY = 16 << 20, FRAMES = 4, EVERY = 2, POINTS_MOST = 1 << 16 };

/* ---- Parts and checksums ---- */

/* Magic and version, records, footer. */
static int32_t split(const uint8_t* data, size_t size, fuzz_part parts[FUZZ_PARTS]) {
    size_t at = SUPI_TAPE_START < size ? SUPI_TAPE_START : size;
    int32_t count = 1;
    parts[0] = (fuzz_part){0, at, 0};
    while (count < FUZZ_PARTS - 1 && size - at > SUPI_TAPE_FOOTER) {
        uint64_t content = fuzz_fetch(data + at + 8, 8), most = size - at - SUPI_RECORD_EXTRA;
        if (content > most) content = most;
        parts[count] = (fuzz_part){at, SUPI_RECORD_EXTRA + (size_t)content, 8};
        at += parts[count++].size;
    }
    if (at < size) parts[count++] = (fuzz_part){at, size - at, 0};
    return count;
}

/* Every record that has its full length gets its checksum, and so does the footer. */
static void repair(fuzz_bytes* bytes) {
    fuzz_part parts[FUZZ_PARTS];
    int32_t count = split(bytes->data, bytes->size, parts);
    for (int32_t i = 1; i < count; i++) {
        uint8_t* head = bytes->data + parts[i].start;
        if (parts[i].size_at == 0) continue; /* the footer */
        size_t content = parts[i].size - SUPI_RECORD_EXTRA;
        fuzz_store(head + SUPI_RECORD_HEAD + content,
                   supi_record_checksum(head, head + SUPI_RECORD_HEAD, content), 8);
    }
    if (bytes->size < SUPI_TAPE_FOOTER) return;
    uint8_t* footer = bytes->data + bytes->size - SUPI_TAPE_FOOTER;
    if (memcmp(footer + 16, SUPI_TAPE_END_MAGIC, 8) != 0) return;
    supi_record_footer(fuzz_fetch(footer, 8), footer);
}

/* ---- A tape to begin with ---- */

static const int32_t starts[3] = {0, 3, 6}, corners[6] = {0, 1, 2, 2, 1, 3};
static const sup_surface surfaces[2] = {
    {"one", 3, 1, starts, corners, {0.5f, 0.5f, 0.5f}, 0.5f, 0, false},
    {"two", 4, 2, starts, corners, {1.0f, 0.0f, 0.0f}, 1.0f, 0, false},
};
static const sup_vec3 points[7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0},
                                   {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};

static sup_tape_def tape_def(const sup_allocator* allocator, const sup_file_gate* gate) {
    sup_tape_def def = sup_tape_default();
    def.allocator = allocator;
    def.files = gate;
    def.frame_count = FRAMES;
    def.snapshot_every = EVERY;
    def.surface_count = 2;
    def.surfaces = surfaces;
    def.scene = (const uint8_t*)"{}";
    def.scene_size = 2;
    def.scene_hash = 1;
    return def;
}

/* Records what is left of the frames. */
static void record(sup_recorder* recorder, sup_world* world, int32_t frame) {
    for (; frame < FRAMES; frame++) {
        sup_result result = sup_world_step(world, 1.0 / 60.0);
        FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
        result = frame % 2 ? sup_recorder_choice(recorder, frame, frame + 1, NULL) : SUP_OK;
        if (result == SUP_OK) result = sup_recorder_frame(recorder, world, points, NULL);
        if (result == SUP_NO_MEMORY) return;
        FUZZ_REQUIRE(result == SUP_OK);
    }
}

/* The tape of a stage, recorded once. */
static const fuzz_disk_file* recorded(fuzz_stage kind) {
    static fuzz_disk disks[FUZZ_STAGE_COUNT];
    if (!disks[kind].gate.open) {
        sup_tape_def def = tape_def(NULL, fuzz_disk_begin(&disks[kind]));
        sup_world* world = fuzz_stage_make(kind);
        sup_recorder* recorder;
        FUZZ_MUST(sup_recorder_open(&def, "t", world, &recorder, NULL));
        record(recorder, world, 0);
        FUZZ_MUST(sup_recorder_close(recorder, NULL));
        sup_world_destroy(world);
    }
    return fuzz_disk_find(&disks[kind], "t");
}

/* ---- Reading ---- */

static void check_surfaces(const sup_tape* tape) {
    int32_t count, total = 0;
    const sup_surface* all = sup_tape_surfaces(tape, &count);
    for (int32_t i = 0; i < count; i++) {
        const sup_surface* s = all + i;
        FUZZ_REQUIRE(strlen(s->name) > 0 && s->starts[0] == 0);
        for (int32_t k = 0; k < s->starts[s->polygon_count]; k++) {
            FUZZ_REQUIRE(s->corners[k] >= 0 && s->corners[k] < s->point_count);
        }
        total += s->point_count;
    }
    sup_tape_info info = sup_tape_get_info(tape);
    FUZZ_REQUIRE(total == info.point_count && count == info.surface_count);
    size_t length;
    const uint8_t* scene = sup_tape_scene(tape, &length);
    FUZZ_REQUIRE(length <= info.size);
    if (length > 0) FUZZ_REQUIRE(memchr(scene, scene[length - 1], length));
}

static void check_choices(const sup_tape* tape) {
    int32_t count, frames = sup_tape_get_info(tape).frame_count;
    const sup_detail_choice* all = sup_tape_choices(tape, &count);
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(all[i].frame > 0 && all[i].frame <= frames);
        FUZZ_REQUIRE(all[i].body >= 0 && all[i].level >= 0);
        FUZZ_REQUIRE(i == 0 || all[i].frame >= all[i - 1].frame);
    }
}

/* Frames and snapshots, and one beyond the last. */
static void play(sup_tape* tape, sup_world* world) {
    sup_tape_info info = sup_tape_get_info(tape);
    sup_error error = {0};
    sup_vec3* frame = malloc(((size_t)info.point_count + 1) * sizeof *frame);
    FUZZ_REQUIRE(frame);
    int32_t found = 0;
    for (int32_t i = 0; i <= info.frame_count; i++) {
        sup_result result = sup_tape_read_frame(tape, i, frame, &error);
        FUZZ_REQUIRE(i < info.frame_count || result == SUP_BAD_ARGUMENT);
        for (int32_t k = 0; result == SUP_OK && k < info.point_count; k++) {
            FUZZ_REQUIRE(isfinite(frame[k].x) && isfinite(frame[k].y) && isfinite(frame[k].z));
        }
        if (i == info.frame_count || sup_tape_snapshot_before(tape, i) != i) continue;
        found++;
        uint64_t hash = sup_world_hash(world);
        result = sup_tape_restore(tape, i, world, &error);
        if (result == SUP_OK) {
            result = sup_world_step(world, 1.0 / 60.0);
            FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
            fuzz_check_world(world);
        } else {
            FUZZ_REQUIRE(sup_world_hash(world) == hash);
        }
    }
    FUZZ_REQUIRE(found == info.snapshot_count);
    FUZZ_REQUIRE(sup_tape_restore(tape, -1, world, NULL) == SUP_BAD_ARGUMENT);
    free(frame);
}

static void read_tape(const sup_allocator* allocator, const sup_file_gate* gate, sup_world* world,
                      size_t size) {
    sup_tape* tape;
    sup_error error = {0};
    fuzz_mark(&tape, sizeof tape);
    sup_result result = sup_tape_open(allocator, gate, "t", &tape, &error);
    if (result != SUP_OK) {
        FUZZ_REQUIRE(result == SUP_BAD_FILE || result == SUP_NO_MEMORY);
        fuzz_check_refusal(result, &error, "t", &tape, sizeof tape);
        return;
    }
    sup_tape_info info = sup_tape_get_info(tape);
    FUZZ_REQUIRE(info.size == size && isfinite(info.fps));
    FUZZ_REQUIRE(info.snapshot_count <= info.frame_count);
    check_surfaces(tape);
    check_choices(tape);
    result = sup_tape_check(tape, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE || result == SUP_NO_MEMORY);
    if (info.point_count <= POINTS_MOST) play(tape, world);
    sup_tape_close(tape);
}

/* ---- Going on ---- */

/* Goes on with "t.part", and ends it unless told to stop. What was only cut off becomes the tape
   that it would have been. */
static void resume(const sup_allocator* allocator, fuzz_disk* disk, fuzz_stage kind, bool stop) {
    sup_world* world = fuzz_stage_again(kind, allocator);
    sup_tape_def def = tape_def(allocator, &disk->gate);
    sup_recorder* recorder;
    sup_error error = {0};
    int32_t frame = -1;
    uint64_t hash = sup_world_hash(world);
    const fuzz_disk_file *part = fuzz_disk_find(disk, "t.part"), *whole = recorded(kind);
    bool cut = part->size > 0 && part->size <= whole->size &&
               memcmp(part->data, whole->data, part->size) == 0;
    sup_result result = sup_recorder_resume(&def, "t", world, &recorder, &frame, &error);
    if (result != SUP_OK) {
        FUZZ_REQUIRE(result != SUP_IO && result != SUP_BUSY && frame == -1);
        fuzz_check_refusal(result, &error, "t.part", NULL, 0);
        FUZZ_REQUIRE(sup_world_hash(world) == hash);
    } else if (stop) {
        sup_recorder_stop(recorder);
        FUZZ_REQUIRE(fuzz_disk_find(disk, "t.part"));
    } else {
        FUZZ_REQUIRE(frame >= 0);
        record(recorder, world, frame + 1);
        result = sup_recorder_close(recorder, &error);
        FUZZ_REQUIRE(result == SUP_OK || error.code == result);
        const fuzz_disk_file* made = fuzz_disk_find(disk, "t");
        FUZZ_REQUIRE((result == SUP_OK) == (made != NULL));
        if (cut && result == SUP_OK) {
            FUZZ_REQUIRE(made->size == whole->size);
            FUZZ_REQUIRE(memcmp(made->data, whole->data, made->size) == 0);
        }
    }
    sup_world_destroy(world);
}

/* ---- The target ---- */

static void place(fuzz_disk* disk, const char* name, const fuzz_bytes* bytes) {
    fuzz_disk_file* file = fuzz_disk_create(disk, name);
    fuzz_disk_write(disk, file, bytes->data, bytes->size);
    file->at = 0;
}

static fuzz_bytes make_bytes(fuzz_input* input, fuzz_stage kind, int32_t way) {
    if (way > 1) {
        fuzz_bytes raw = fuzz_bytes_copy(input->at, input->left);
        if (way == 2) repair(&raw);
        return raw;
    }
    const fuzz_disk_file* tape = recorded(kind);
    fuzz_bytes bytes = fuzz_bytes_copy(tape->data, tape->size);
    if (way == 1) bytes.size -= SUPI_TAPE_FOOTER;
    fuzz_edit_all(&bytes, input, split);
    repair(&bytes);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_input input = {data, size};
    fuzz_stage kind = (fuzz_stage)fuzz_pick(&input, FUZZ_STAGE_FULL + 1);
    int32_t way = fuzz_pick(&input, 4); /* whole, without footer, bytes repaired, bytes */
    bool stop = fuzz_pick(&input, 2);
    fuzz_bytes bytes = make_bytes(&input, kind, way);
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin_refusing(&memory, MEMORY);
    fuzz_disk disk;
    fuzz_disk_begin(&disk);
    place(&disk, "t", &bytes);
    sup_world* world = fuzz_stage_again(kind, allocator);
    read_tape(allocator, &disk.gate, world, bytes.size);
    sup_world_destroy(world);
    fuzz_disk_remove(&disk, "t");
    place(&disk, "t.part", &bytes);
    resume(allocator, &disk, kind, stop);
    fuzz_disk_end(&disk);
    fuzz_memory_end(&memory);
    free(bytes.data);
    return 0;
}
