/* See stats_file.h. */
#include "plot/stats_file.h"

#include "base/error.h"
#include "base/file_io.h"
#include "scene/draft.h"
#include "scene/reader.h"

#include <string.h>

/* ---- the tables ---- */

#define END                                                                                        \
    { .key = NULL }
#define LARGEST 1e100 /* nothing in a world comes near; charts rely on it */
#define NUMBER(key, type, member) SUPI_NUMBER(key, type, member, -LARGEST, LARGEST, SUPI_REQUIRED)
#define COUNT(key, type, member) SUPI_INTEGER(key, type, member, 0, INT32_MAX, SUPI_REQUIRED)

typedef struct phases_draft {
    const supi_json* place;
    sup_profile times;
} phases_draft;

static const phases_draft phases_defaults = {.place = NULL};
static const supi_field phases_fields[] = {NUMBER("begin", phases_draft, times.begin),
                                           NUMBER("integrate", phases_draft, times.integrate),
                                           NUMBER("contacts", phases_draft, times.contacts),
                                           NUMBER("project", phases_draft, times.project),
                                           NUMBER("settle", phases_draft, times.settle),
                                           NUMBER("total", phases_draft, times.total),
                                           END};
static const supi_table phases_table = {"times of phases", &phases_defaults, sizeof phases_defaults,
                                        phases_fields};

typedef struct springs_draft {
    const supi_json* place;
    sup_spring_measures numbers;
} springs_draft;

static const springs_draft springs_defaults = {.place = NULL};
static const supi_field springs_fields[] = {
    NUMBER("energy", springs_draft, numbers.energy),
    NUMBER("mean_strain", springs_draft, numbers.mean_strain),
    NUMBER("most_strain", springs_draft, numbers.most_strain),
    COUNT("steps", springs_draft, numbers.steps),
    COUNT("rejected", springs_draft, numbers.rejected),
    COUNT("forced", springs_draft, numbers.forced),
    NUMBER("frequency", springs_draft, numbers.frequency),
    COUNT("iterations", springs_draft, numbers.iterations),
    NUMBER("residual", springs_draft, numbers.residual),
    NUMBER("excess", springs_draft, numbers.excess),
    COUNT("torn", springs_draft, numbers.torn),
    SUPI_INTEGER("active", springs_draft, numbers.active, 0, INT32_MAX, 0),
    SUPI_INTEGER("level", springs_draft, numbers.level, 0, INT32_MAX, 0),
    END};
static const supi_table springs_table = {"numbers of springs", &springs_defaults,
                                         sizeof springs_defaults, springs_fields};

typedef struct thin_draft {
    const supi_json* place;
    sup_thin_measures numbers;
} thin_draft;

static const thin_draft thin_defaults = {.place = NULL};
static const supi_field thin_fields[] = {COUNT("candidates", thin_draft, numbers.candidates),
                                         COUNT("active", thin_draft, numbers.active),
                                         COUNT("bounded", thin_draft, numbers.bounded),
                                         COUNT("clamped", thin_draft, numbers.clamped),
                                         COUNT("zoned", thin_draft, numbers.zoned),
                                         COUNT("rounds", thin_draft, numbers.rounds),
                                         COUNT("crossings", thin_draft, numbers.crossings),
                                         NUMBER("least", thin_draft, numbers.least),
                                         SUPI_NUMBER("led", thin_draft, numbers.led, 0, LARGEST, 0),
                                         END};
static const supi_table thin_table = {"numbers of thin bodies", &thin_defaults,
                                      sizeof thin_defaults, thin_fields};

typedef struct frame_draft {
    const supi_json* place;
    int32_t frame, clusters;
    sup_measures measures;
    springs_draft springs;
    thin_draft thin;
    supi_rows by_name;
    phases_draft ms;
    const supi_json* hash;
} frame_draft;

static const frame_draft frame_defaults = {.place = NULL};
static const supi_field frame_fields[] = {
    COUNT("frame", frame_draft, frame),
    NUMBER("time", frame_draft, measures.time),
    NUMBER("kinetic", frame_draft, measures.kinetic),
    NUMBER("potential", frame_draft, measures.potential),
    NUMBER("elastic", frame_draft, measures.elastic),
    NUMBER("momentum", frame_draft, measures.momentum),
    NUMBER("angular_momentum", frame_draft, measures.angular_momentum),
    NUMBER("top_speed", frame_draft, measures.top_speed),
    NUMBER("strain_largest", frame_draft, measures.strain_largest),
    NUMBER("strain_mean", frame_draft, measures.strain_mean),
    COUNT("contacts", frame_draft, measures.contact_count),
    SUPI_INTEGER("clusters", frame_draft, clusters, 0, INT32_MAX, 0),
    NUMBER("deepest", frame_draft, measures.deepest),
    NUMBER("deepest_share", frame_draft, measures.deepest_share),
    SUPI_NUMBER("haste", frame_draft, measures.haste, 0, LARGEST, 0),
    SUPI_FIELD("springs", SUPI_FIELD_OBJECT, frame_draft, springs, .table = &springs_table),
    SUPI_FIELD("thin", SUPI_FIELD_OBJECT, frame_draft, thin, .table = &thin_table),
    SUPI_FIELD("by_name", SUPI_FIELD_ROWS, frame_draft, by_name, .low = -LARGEST, .high = LARGEST),
    SUPI_FIELD("ms", SUPI_FIELD_OBJECT, frame_draft, ms, .table = &phases_table,
               .flags = SUPI_REQUIRED),
    SUPI_FIELD("hash", SUPI_FIELD_ANY, frame_draft, hash, .flags = SUPI_REQUIRED),
    END};
static const supi_table frame_table = {"a frame", &frame_defaults, sizeof frame_defaults,
                                       frame_fields};

typedef struct file_draft {
    const supi_json* place;
    int32_t version, substeps, bodies, particles, threads;
    const char *scene, *simd;
    double fps;
    const supi_json* names;
    const supi_json* frames; /* any number of them, so no list of the reader */
} file_draft;

static const file_draft file_defaults = {.place = NULL};
static const supi_field file_fields[] = {
    SUPI_INTEGER("version", file_draft, version, 1, 1, SUPI_REQUIRED),
    SUPI_FIELD("scene", SUPI_FIELD_TEXT, file_draft, scene, .flags = SUPI_REQUIRED),
    NUMBER("fps", file_draft, fps),
    COUNT("substeps", file_draft, substeps),
    COUNT("bodies", file_draft, bodies),
    COUNT("particles", file_draft, particles),
    COUNT("threads", file_draft, threads),
    SUPI_FIELD("simd", SUPI_FIELD_TEXT, file_draft, simd, .flags = SUPI_REQUIRED),
    SUPI_FIELD("names", SUPI_FIELD_ANY, file_draft, names, .flags = 0),
    SUPI_FIELD("frames", SUPI_FIELD_ANY, file_draft, frames, .flags = SUPI_REQUIRED),
    END};
static const supi_table file_table = {"a file of --stats", &file_defaults, sizeof file_defaults,
                                      file_fields};

/* ---- reading ---- */

static sup_result check_hash(const supi_reader* reader, const supi_json* hash) {
    bool good = hash->kind == SUPI_JSON_STRING && strlen(hash->text) == 16 &&
                strspn(hash->text, "0123456789abcdef") == 16;
    if (good) return SUP_OK;
    return supi_reader_fail(reader, hash, "\"hash\" must be 16 hexadecimal digits");
}

/* Names of bodies, kept in the store. */
static sup_result read_names(const supi_reader* reader, const supi_json* names, columns* out) {
    if (!names) return SUP_OK;
    if (names->kind != SUPI_JSON_ARRAY || names->child_count > BY_NAME_MOST) {
        return supi_reader_fail(reader, names, "\"names\" must be an array of at most %d names",
                                BY_NAME_MOST);
    }
    for (const supi_json* value = names->first; value; value = value->next) {
        if (value->kind != SUPI_JSON_STRING) {
            return supi_reader_fail(reader, value, "a name must be a string");
        }
        const char* kept = supi_reader_keep(reader->store, value->text, strlen(value->text));
        if (!kept) return supi_reader_memory(reader);
        out->names[out->name_count++] = kept;
    }
    return SUP_OK;
}

static sup_result check_parts(const supi_reader* reader, const supi_json* frame,
                              const supi_rows* rows, int32_t name_count) {
    bool fits = rows->row_count == name_count;
    if (fits && (name_count == 0 || rows->column_count == PART_COUNT)) return SUP_OK;
    return supi_reader_fail(reader, supi_reader_place(frame, "by_name"),
                            "\"by_name\" must be %d numbers for each of the %d \"names\"",
                            PART_COUNT, (int)name_count);
}

static sup_result read_frames(const supi_reader* reader, const supi_json* frames, columns* out) {
    if (frames->kind != SUPI_JSON_ARRAY || frames->child_count == 0) {
        return supi_reader_fail(reader, frames,
                                "\"frames\" must be an array of at least one frame");
    }
    double last = -2 * LARGEST;
    for (const supi_json* value = frames->first; value; value = value->next) {
        frame_draft draft;
        sup_result result = supi_reader_object(reader, value, &frame_table, &draft);
        if (result == SUP_OK) result = check_hash(reader, draft.hash);
        if (result == SUP_OK) result = check_parts(reader, value, &draft.by_name, out->name_count);
        if (result != SUP_OK) return result;
        bool later = draft.measures.time > last;
        if (!later) {
            return supi_reader_fail(reader, supi_reader_place(value, "time"),
                                    "\"time\" must be later than in the frame before");
        }
        draft.measures.springs = draft.springs.numbers;
        draft.measures.thin = draft.thin.numbers;
        last = draft.measures.time;
        if (!columns_add(out, &draft.measures, draft.clusters, &draft.ms.times,
                         (const double(*)[PART_COUNT])draft.by_name.values))
            return supi_reader_memory(reader);
    }
    return SUP_OK;
}

static sup_result read_document(const char* path, const supi_json* root, stats_file* out,
                                sup_error* error) {
    supi_reader reader = {path, &out->store, error};
    file_draft draft;
    sup_result result = supi_reader_object(&reader, root, &file_table, &draft);
    if (result != SUP_OK) return result;
    out->scene = draft.scene;
    result = read_names(&reader, draft.names, &out->numbers);
    return result != SUP_OK ? result : read_frames(&reader, draft.frames, &out->numbers);
}

sup_result stats_file_read(const char* path, stats_file* out, sup_error* error) {
    const sup_allocator* memory = sup_allocator_default();
    supi_bytes bytes;
    sup_result result = supi_file_read(sup_file_gate_default(), memory, path, &bytes, error);
    if (result != SUP_OK) return result;
    supi_json_document document;
    result = supi_json_parse(memory, path, bytes.data, bytes.size, &document, error);
    supi_bytes_free(memory, &bytes);
    if (result != SUP_OK) return result;
    stats_file file = {.scene = NULL};
    supi_arena_init(&file.store, memory);
    result = read_document(path, document.root, &file, error);
    supi_json_free(&document);
    if (result != SUP_OK) {
        stats_file_free(&file);
        return result;
    }
    *out = file;
    return SUP_OK;
}

void stats_file_free(stats_file* file) {
    columns_free(&file->numbers);
    supi_arena_free(&file->store);
}
