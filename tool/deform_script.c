/* See deform_script.h. Words of the command line ("pull nearest=0,1,0 by=0,0.2,0") are turned into
   JSON, so that there is one reader and one kind of message. */
#include "deform_script.h"

#include "base/file_io.h"
#include "scene/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 1e6

/* ---- Tables ---- */

static const char* const names[] = {"pull",  "push",  "pin",       "split", "dent",
                                    "bulge", "carve", "landmarks", "morph"};
static const char* const squeezes[] = {"keep", "collapse", "split", NULL};
static const char* const methods[] = {"auto", "displacements", "affine", NULL};

#define NUMBER(key, low, high, more) SUPI_NUMBER(#key, deform_operation, key, low, high, more)
#define INTEGER(key, low, high) SUPI_INTEGER(#key, deform_operation, key, low, high, 0)
#define FIELD(key, how, ...) SUPI_FIELD(#key, how, deform_operation, key, __VA_ARGS__)
#define BOOL(key) FIELD(key, SUPI_FIELD_BOOL, .flags = 0)

#define WHICH(how)                                                                                 \
    FIELD(index, SUPI_FIELD_NUMBERS, .flags = how, .high = INT32_MAX),                             \
        NUMBER(nearest, -FAR, FAR, how), NUMBER(box, -FAR, FAR, how),                              \
        NUMBER(sphere, -FAR, FAR, how), FIELD(material, SUPI_FIELD_TEXT, .flags = how),            \
        FIELD(group, SUPI_FIELD_TEXT, .flags = how)

static const supi_field pull_fields[] = {WHICH(SUPI_ALTERNATIVE),
                                         NUMBER(by, -FAR, FAR, 0),
                                         NUMBER(along, -FAR, FAR, 0),
                                         NUMBER(transfer, 0, 1, 0),
                                         NUMBER(transverse, 0, 1, 0),
                                         NUMBER(beta, 0.05, 0.5, 0),
                                         INTEGER(passes, 0, 1000),
                                         INTEGER(depth, 0, INT32_MAX),
                                         BOOL(fade),
                                         BOOL(pins_block),
                                         BOOL(memory),
                                         BOOL(reproducible),
                                         SUPI_END};
static const supi_field pin_fields[] = {WHICH(SUPI_ALTERNATIVE), NUMBER(mass, 0, 1e30, 0),
                                        SUPI_END};
static const supi_field split_fields[] = {NUMBER(stretch, 0, 4, 0),
                                          INTEGER(budget, 1, 1 << 20),
                                          INTEGER(limit, 0, 1 << 30),
                                          FIELD(squeeze, SUPI_FIELD_WORD, .words = squeezes),
                                          NUMBER(squeezed, 0.1, 0.9, 0),
                                          BOOL(within),
                                          SUPI_END};
#define TOOL                                                                                       \
    NUMBER(centre, -FAR, FAR, SUPI_REQUIRED), NUMBER(radius, 1e-6, FAR, SUPI_ALTERNATIVE),         \
        NUMBER(radii, 1e-6, FAR, SUPI_ALTERNATIVE), NUMBER(sides, 1e-6, FAR, SUPI_ALTERNATIVE),    \
        FIELD(mesh, SUPI_FIELD_TEXT, .flags = SUPI_ALTERNATIVE), NUMBER(rotation, -1, 1, 0),       \
        NUMBER(strength, 0, 1, 0), NUMBER(fading, 0, FAR, 0), BOOL(refine)
static const supi_field tool_fields[] = {TOOL, BOOL(inverse), SUPI_END};
static const supi_field carve_fields[] = {TOOL, NUMBER(way, -FAR, FAR, 0), INTEGER(steps, 1, 1000),
                                          SUPI_END};
#define MARKS                                                                                      \
    FIELD(from, SUPI_FIELD_ROWS, .flags = SUPI_REQUIRED, .low = -FAR, .high = FAR),                \
        FIELD(to, SUPI_FIELD_ROWS, .flags = SUPI_REQUIRED, .low = -FAR, .high = FAR),              \
        FIELD(method, SUPI_FIELD_WORD, .words = methods), NUMBER(power, 2, 6, 0),                  \
        NUMBER(reach, 0, FAR, 0), BOOL(compact)
static const supi_field landmark_fields[] = {MARKS, NUMBER(amount, 0, 1, 0), SUPI_END};
static const supi_field part_fields[] = {WHICH(SUPI_EXCLUSIVE), MARKS, SUPI_END};

#define DEFAULTS(is)                                                                               \
    {                                                                                              \
        .kind = is, .transfer = 0.9, .transverse = 0.5, .beta = 0.25, .mass = -1.0,                \
        .stretch = 1.5, .squeezed = 0.4, .budget = 256, .radii = {1, 1, 1},                        \
        .rotation = {0, 0, 0, 1}, .strength = 1.0, .steps = 8, .power = 4.0, .amount = 1.0,        \
        .snap = true                                                                               \
    }
#define TABLE_OF(name, what, is, with)                                                             \
    static const deform_operation name##_defaults = DEFAULTS(is);                                  \
    static const supi_table name##_table = {what, &name##_defaults, sizeof(deform_operation), with}
#define TABLE(name, is, with) TABLE_OF(name, "an operation \"" #name "\"", is, with)
TABLE(pull, DEFORM_PULL, pull_fields);
TABLE(push, DEFORM_PUSH, pull_fields);
TABLE(pin, DEFORM_PIN, pin_fields);
TABLE(split, DEFORM_SPLIT, split_fields);
TABLE(dent, DEFORM_DENT, tool_fields);
TABLE(bulge, DEFORM_BULGE, tool_fields);
TABLE(carve, DEFORM_CARVE, carve_fields);
TABLE(landmarks, DEFORM_LANDMARKS, landmark_fields);
TABLE_OF(part, "a part", DEFORM_LANDMARKS, part_fields);
#define TOWARDS                                                                                    \
    NUMBER(amount, 0, 1, 0), BOOL(snap), FIELD(parts, SUPI_FIELD_LIST, .table = &part_table)
static const supi_field morph_fields[] = {FIELD(file, SUPI_FIELD_TEXT, .flags = SUPI_REQUIRED),
                                          TOWARDS, SUPI_END};
static const supi_field target_fields[] = {TOWARDS, SUPI_END};
TABLE(morph, DEFORM_MORPH, morph_fields);
static const supi_table target_table = {"a file of landmarks", &morph_defaults,
                                        sizeof(deform_operation), target_fields};

static const supi_choice kinds[] = {{"pull", &pull_table},   {"push", &push_table},
                                    {"pin", &pin_table},     {"split", &split_table},
                                    {"dent", &dent_table},   {"bulge", &bulge_table},
                                    {"carve", &carve_table}, {"landmarks", &landmarks_table},
                                    {"morph", &morph_table}, {NULL, NULL}};

/* The list alone is filled: it stands behind a place, as the reader wants it. */
typedef struct script_draft {
    const supi_json* place;
    supi_list operations;
} script_draft;
static const supi_field script_fields[] = {SUPI_FIELD("operations", SUPI_FIELD_LIST, script_draft,
                                                      operations, .flags = SUPI_REQUIRED,
                                                      .choices = kinds),
                                           SUPI_END};
static const script_draft script_defaults = {.place = NULL};
static const supi_table script_table = {"a script", &script_defaults, sizeof(script_draft),
                                        script_fields};

const char* deform_name(int32_t kind) { return names[kind]; }

bool deform_given(const deform_operation* o, const char* key) {
    return o->place->kind == SUPI_JSON_OBJECT && supi_json_find(o->place, key) != NULL;
}

/* ---- Words to JSON ---- */

typedef struct text {
    char* at;
    size_t used, room;
} text;

static void put(text* t, const char* bytes, size_t size) {
    if (t->at && t->used + size < t->room) memcpy(t->at + t->used, bytes, size);
    t->used += size;
}

static void put_all(text* t, const char* bytes) { put(t, bytes, strlen(bytes)); }

static void put_string(text* t, const char* bytes, size_t size) {
    put_all(t, "\"");
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '"' || bytes[i] == '\\') put_all(t, "\\");
        put(t, bytes + i, 1);
    }
    put_all(t, "\"");
}

static bool is_literal(const char* v, size_t size) {
    if ((size == 4 && memcmp(v, "true", 4) == 0) || (size == 5 && memcmp(v, "false", 5) == 0))
        return true;
    return size > 0 && strspn(v, "0123456789+-.eE,;") >= size && v[0] != 'e' && v[0] != 'E';
}

/* 1 | 1,2,3 | 1,2,3;4,5,6 | true | a word */
static void put_value(text* t, bool list, const char* v, size_t size) {
    bool literal = is_literal(v, size), rows = literal && memchr(v, ';', size);
    if (!literal) {
        put_string(t, v, size);
        return;
    }
    list = list || rows || memchr(v, ',', size);
    if (list) put_all(t, rows ? "[[" : "[");
    for (size_t i = 0; i < size; i++) {
        if (v[i] == ';') {
            put_all(t, "],[");
        } else {
            put(t, v + i, 1);
        }
    }
    if (list) put_all(t, rows ? "]]" : "]");
}

static void put_operation(text* t, const char* words) {
    size_t size = strcspn(words, " ");
    bool first = true;
    put_all(t, "{");
    put_string(t, words, size);
    put_all(t, ":{");
    for (words += size; *(words += strspn(words, " ")); words += size, first = false) {
        size = strcspn(words, " ");
        const char* equals = memchr(words, '=', size);
        size_t key = equals ? (size_t)(equals - words) : size;
        bool is_list = key == 5 && memcmp(words, "index", 5) == 0;
        bool is_rows = (key == 4 && memcmp(words, "from", 4) == 0) ||
                       (key == 2 && memcmp(words, "to", 2) == 0);
        bool one_row = is_rows && equals && !memchr(words, ';', size);
        if (!first) put_all(t, ",");
        put_string(t, words, key);
        put_all(t, one_row ? ":[" : ":");
        if (equals) {
            put_value(t, is_list, equals + 1, size - key - 1);
        } else {
            put_all(t, "true");
        }
        if (one_row) put_all(t, "]");
    }
    put_all(t, "}}");
}

/* Each operation on a line of its own, so that messages tell which. */
static void put_script(text* t, const option_texts* words) {
    put_all(t, "{\"operations\":[");
    for (int32_t i = 0; i < words->count; i++) {
        put_operation(t, words->items[i]);
        put_all(t, i + 1 < words->count ? ",\n" : "]}");
    }
}

tool_exit deform_fail(const sup_error* error) {
    static const char line[] = "--do:";
    sup_error plain = *error;
    if (strncmp(error->text, line, sizeof line - 1) == 0) {
        const char* column = strchr(error->text + sizeof line - 1, ':');
        const char* end = column ? strchr(column + 1, ':') : NULL;
        if (end) memmove(plain.text + (column - error->text), end, strlen(end) + 1);
    }
    return tool_fail_error(&plain);
}

/* ---- Both ---- */

/* What the ranges of single keys cannot say. */
static sup_result check_operation(const supi_reader* reader, const deform_operation* o) {
    if (o->kind == DEFORM_SPLIT && o->stretch != 0.0 && o->stretch < 1.1)
        return supi_reader_fail(reader, supi_reader_place(o->place, "stretch"),
                                "\"stretch\" must be 0 or from 1.1 to 4");
    if (o->kind < DEFORM_DENT || o->kind > DEFORM_CARVE) return SUP_OK;
    if (deform_given(o, "fading") && !(o->fading[0] < o->fading[1]))
        return supi_reader_fail(reader, supi_reader_place(o->place, "fading"),
                                "the second distance of \"fading\" must be above the first");
    if (o->refine && o->mesh)
        return supi_reader_fail(reader, supi_reader_place(o->place, "refine"),
                                "\"refine\" is for \"radius\", \"radii\" and \"sides\"");
    if (deform_given(o, "rotation") && !deform_given(o, "radii") && !deform_given(o, "sides"))
        return supi_reader_fail(reader, supi_reader_place(o->place, "rotation"),
                                "\"rotation\" is for \"radii\" and \"sides\"");
    return SUP_OK;
}

/* An object by a table; `reader` is ready for messages then, and its place in the script taken. */
static tool_exit parse_object(deform_script* s, deform_origin which, const char* name,
                              const supi_bytes* bytes, const supi_table* table, void* target) {
    sup_error error;
    sup_result result = supi_json_parse(sup_allocator_default(), name, bytes->data, bytes->size,
                                        &s->documents[which], &error);
    if (result != SUP_OK) return deform_fail(&error);
    s->read[which] = true;
    supi_reader reader = {.name = name, .store = &s->store, .error = &error};
    result = supi_reader_object(&reader, s->documents[which].root, table, target);
    s->readers[which] = reader;
    s->readers[which].error = NULL;
    return result == SUP_OK ? TOOL_DONE : deform_fail(&error);
}

static tool_exit parse(deform_script* s, deform_origin which, const char* name,
                       const supi_bytes* bytes) {
    sup_error error;
    script_draft draft;
    tool_exit code = parse_object(s, which, name, bytes, &script_table, &draft);
    if (code != TOOL_DONE) return code;
    const deform_operation* o = draft.operations.items;
    supi_reader reader = s->readers[which];
    reader.error = &error;
    for (int32_t i = 0; i < draft.operations.count; i++) {
        if (check_operation(&reader, &o[i]) != SUP_OK) return deform_fail(&error);
    }
    s->lists[which] = draft.operations;
    return TOOL_DONE;
}

static tool_exit parse_words(deform_script* s, const option_texts* words) {
    text t = {.at = NULL};
    put_script(&t, words);
    t = (text){malloc(t.used + 1), 0, t.used + 1};
    if (!t.at) return tool_fail(TOOL_MEMORY, "not enough memory");
    put_script(&t, words);
    s->words = t.at;
    const supi_bytes bytes = {(uint8_t*)t.at, t.used, t.room};
    return parse(s, DEFORM_FROM_LINE, "--do", &bytes);
}

static tool_exit read_bytes(const char* file, supi_bytes* out) {
    sup_error error;
    tool_exit code = tool_check_input(file);
    if (code != TOOL_DONE) return code;
    if (supi_file_read(sup_file_gate_default(), sup_allocator_default(), file, out, &error) !=
        SUP_OK)
        return tool_fail_error(&error);
    return TOOL_DONE;
}

static tool_exit parse_file(deform_script* s, const char* file) {
    supi_bytes bytes;
    tool_exit code = read_bytes(file, &bytes);
    if (code != TOOL_DONE) return code;
    code = parse(s, DEFORM_FROM_FILE, file, &bytes);
    supi_bytes_free(sup_allocator_default(), &bytes);
    return code;
}

/* --morph as the first operation; without landmarks it says nothing but its file. */
static tool_exit parse_target(deform_script* s, const char* target, const char* landmarks) {
    static const char nothing[] = "{}";
    supi_bytes bytes = {NULL, 0, 0};
    const supi_bytes none = {(uint8_t*)nothing, 2, sizeof nothing};
    deform_operation* o = supi_arena_push(&s->store, 1, sizeof *o);
    if (!o) return tool_fail(TOOL_MEMORY, "not enough memory");
    tool_exit code = landmarks ? read_bytes(landmarks, &bytes) : TOOL_DONE;
    if (code == TOOL_DONE)
        code = parse_object(s, DEFORM_FROM_MORPH, landmarks ? landmarks : "--morph",
                            landmarks ? &bytes : &none, &target_table, o);
    supi_bytes_free(sup_allocator_default(), &bytes);
    o->file = target;
    if (code == TOOL_DONE) s->lists[DEFORM_FROM_MORPH] = (supi_list){1, o};
    return code;
}

/* An empty script, and nothing else that says what to do. */
static tool_exit refuse_nothing(const deform_script* s) {
    sup_error error;
    supi_reader reader = s->readers[DEFORM_FROM_FILE];
    reader.error = &error;
    supi_reader_fail(&reader, supi_reader_place(s->documents[DEFORM_FROM_FILE].root, "operations"),
                     "there are no operations: nothing is done");
    return deform_fail(&error);
}

tool_exit deform_script_read(deform_script* s, const deform_sources* from) {
    *s = (deform_script){.words = NULL};
    supi_arena_init(&s->store, sup_allocator_default());
    tool_exit code = from->target ? parse_target(s, from->target, from->landmarks) : TOOL_DONE;
    if (code == TOOL_DONE && from->file) code = parse_file(s, from->file);
    if (code != TOOL_DONE) return code;
    if (from->words->count > 0) return parse_words(s, from->words);
    bool empty = from->file && !from->target && s->lists[DEFORM_FROM_FILE].count == 0;
    return empty ? refuse_nothing(s) : TOOL_DONE;
}

void deform_script_free(deform_script* s) {
    for (int k = 0; k < DEFORM_ORIGINS; k++) {
        if (s->read[k]) supi_json_free(&s->documents[k]);
    }
    if (s->store.allocator) supi_arena_free(&s->store);
    free(s->words);
    *s = (deform_script){.words = NULL};
}
