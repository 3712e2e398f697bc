/* Trials: a scenario is played again and again, and each time another allocation or another call of
   the disk fails. What must hold after a failure is looked at here, once for all scenarios.

   A scenario is a row of the table in trust/scenarios.h: `prepare` sets the stage while nothing
   fails, `play` does the work by deeds. A deed is a call of the library, or several that succeed or
   fail as one. The deed that meets the failure must say so and change nothing; then the failure is
   lifted, the same deed is done again, and the play goes on. All that deeds leave behind is noted
   (hashes of the world, events, bytes of files), and must be what an undisturbed play leaves. */
#ifndef SUPPLE_TESTS_TRUST_TRIAL_H
#define SUPPLE_TESTS_TRUST_TRIAL_H

#include "base/hash.h"
#include "failing_files.h"
#include "sizes.h"
#include "supple/scene.h"
#include "supple/tape.h"

/* ---- What fails ---- */

typedef enum trial_kind {
    TRIAL_ONE_ALLOCATION,
    TRIAL_ALL_MEMORY, /* an allocation and all later ones */
    TRIAL_ONE_CALL,
    TRIAL_ALL_CALLS,            /* a call of the disk and all later ones */
    TRIAL_CALL_SHORT_OF_MEMORY, /* a call of the disk says SUP_NO_MEMORY, as any gate may */
} trial_kind;

static const char* const trial_words[] = {"allocation %d alone", "allocation %d and all later ones",
                                          "file call %d alone", "file call %d and all later ones",
                                          "memory for file call %d"};

static inline bool trial_is_of_memory(trial_kind kind) { return kind <= TRIAL_ALL_MEMORY; }

/* ---- A trial ---- */

enum { TRACE_MOST = 512, TRIAL_THINGS = 16 };

/* What an undisturbed play leaves behind, number by number. */
typedef struct trace {
    int32_t count;
    uint64_t values[TRACE_MOST];
} trace;

typedef struct trial trial;
typedef struct scenario {
    const char* name;
    void (*prepare)(trial* t); /* NULL: nothing to do */
    void (*play)(trial* t, int32_t item);
    int items;                   /* how many plays of its kind there are: shapes, formats */
    int allocations, file_calls; /* of all items, at least: fewer mean that it lost its point */
} scenario;

struct trial {
    const scenario* scenario;
    int32_t item;
    trial_kind kind;
    int at;      /* which call fails, from 1; 0: none */
    bool begun;  /* preparations are over: calls count, deeds are noted */
    bool lifted; /* the failure is over */

    test_allocator memory;
    failing_disk disk;
    sup_file_gate files;
    const sup_allocator* allocator;

    trace* trace;  /* written by the undisturbed play, compared with by all others */
    int32_t noted; /* so far */
    uint64_t told; /* events, by the world's callback */

    /* What scenarios hold; trial_clear gives it all back. */
    sup_world* world; /* must not change by a deed that fails */
    sup_blueprint* prints[TRIAL_THINGS];
    sup_body bodies[TRIAL_THINGS];
    sup_collider colliders[TRIAL_THINGS];
    sup_attachment attachments[TRIAL_THINGS];
    sup_bytes saved;
    sup_mesh mesh;
    sup_scene* scene; /* owns the world where there is one */
    sup_tape* tape;
};

#define must(t, holds, ...)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            print_error("%s %d, ", (t)->scenario->name, (int)(t)->item);                           \
            print_error(trial_words[(t)->kind], (t)->at);                                          \
            print_error(": ");                                                                     \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

static inline void trial_arm(trial* t, int at) {
    bool memory = trial_is_of_memory(t->kind);
    test_allocator_arm(&t->memory, memory ? at : 0, t->kind == TRIAL_ALL_MEMORY);
    t->disk.plan =
        (failing_plan){.fail_at = memory ? 0 : at,
                       .for_good = t->kind == TRIAL_ALL_CALLS,
                       .says = t->kind == TRIAL_CALL_SHORT_OF_MEMORY ? SUP_NO_MEMORY : SUP_IO};
}

static inline bool trial_hit(const trial* t) {
    return t->memory.refused > 0 || t->disk.plan.failed;
}

static inline int trial_calls(const trial* t) {
    return trial_is_of_memory(t->kind) ? (int)t->memory.calls : t->disk.plan.calls;
}

/* ---- Notes ---- */

static inline void note(trial* t, uint64_t value) {
    must(t, t->noted < TRACE_MOST, "too many notes");
    if (t->at == 0) {
        t->trace->values[t->noted] = value;
        t->trace->count = t->noted + 1;
    }
    must(t, t->noted < t->trace->count && t->trace->values[t->noted] == value,
         "note %d is not that of an undisturbed play", (int)t->noted);
    t->noted++;
}

static inline void note_bytes(trial* t, const void* bytes, size_t size) {
    uint64_t hash = supi_hash_word(supi_hash_begin(), size);
    note(t, size > 0 ? supi_hash_bytes(hash, bytes, size) : hash);
}

static inline uint64_t trial_world_hash(const trial* t) {
    return t->world ? sup_world_hash(t->world) : 0;
}

static inline void see_line(void* user, sup_vec3 a, sup_vec3 b, uint32_t colour) {
    uint64_t* sum = user;
    const float ends[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    *sum = supi_hash_word(supi_hash_floats(*sum, ends, 6), colour);
}

static inline void see_sphere(void* user, sup_vec3 centre, float radius, uint32_t colour) {
    uint64_t* sum = user;
    const float numbers[4] = {centre.x, centre.y, centre.z, radius};
    *sum = supi_hash_word(supi_hash_floats(*sum, numbers, 4), colour);
}

/* What is to be seen of the world. */
static inline uint64_t trial_view(const trial* t, uint32_t flags) {
    uint64_t sum = supi_hash_begin();
    const sup_draw draw = {&sum, see_line, see_sphere};
    if (t->world) sup_world_draw(t->world, &draw, flags, NULL);
    return sum;
}

/* ---- The disk before and after ---- */

/* Files that nobody has asked for. */
static inline bool is_temporary(const char* name) { return strstr(name, ".part") != NULL; }

/* A tape grows under this name by design, and whoever fails leaves it there to be gone on with. */
static inline bool is_tape_in_the_making(const char* name) {
    const char* end = strstr(name, ".sup.part");
    return end && strcmp(end, ".sup.part") == 0;
}

typedef struct disk_look {
    char names[FAILING_FILE_LIMIT][64];
    uint64_t hashes[FAILING_FILE_LIMIT];
} disk_look;

static inline uint64_t file_hash(const failing_file* file) {
    uint64_t hash = supi_hash_word(supi_hash_begin(), file->size);
    return file->size > 0 ? supi_hash_bytes(hash, file->bytes, file->size) : hash;
}

static inline void look_at_disk(const failing_disk* disk, disk_look* look) {
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) {
        strcpy(look->names[i], disk->files[i].name);
        look->hashes[i] = file_hash(&disk->files[i]);
    }
}

/* Does the disk hold these bytes under this name, or set aside beside it? */
static inline bool disk_has(const failing_disk* disk, const char* name, uint64_t hash, bool aside) {
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) {
        const failing_file* file = &disk->files[i];
        bool is = strcmp(file->name, name) == 0;
        bool beside = strncmp(file->name, name, strlen(name)) == 0 &&
                      strstr(file->name + strlen(name), ".part-old");
        if ((is || (aside && beside)) && file_hash(file) == hash) return true;
    }
    return false;
}

/* Old files are as they were; where all later calls fail too, one may be left set aside. */
static inline void judge_old_files(trial* t, const disk_look* before) {
    for (int i = 0; i < FAILING_FILE_LIMIT; i++) {
        const char* name = before->names[i];
        if (!name[0] || is_tape_in_the_making(name)) continue;
        must(t, disk_has(&t->disk, name, before->hashes[i], t->kind == TRIAL_ALL_CALLS),
             "%s is lost", name);
    }
}

/* Nothing new is there, unless nothing can be removed any more. */
static inline void judge_new_files(trial* t, const disk_look* before) {
    for (int i = 0; i < FAILING_FILE_LIMIT && t->kind != TRIAL_ALL_CALLS; i++) {
        const char* name = t->disk.files[i].name;
        bool old = is_tape_in_the_making(name);
        for (int k = 0; k < FAILING_FILE_LIMIT && !old; k++) {
            old = strcmp(before->names[k], name) == 0;
        }
        must(t, old, "%s is left behind", name);
    }
}

/* ---- Deeds ---- */

typedef sup_result deed(trial* t, int32_t item, sup_error* error);

/* Does the message name the file, without what temporaries add to it? */
static inline bool names_file(const sup_error* error, const char* path) {
    char name[64];
    strcpy(name, path);
    char* end = strstr(name, ".part");
    if (end) {
        *end = 0; /* NAME.part, NAME.1234.part or NAME.points.1234.part */
        char* dot = strrchr(name, '.');
        if (dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1)) *dot = 0;
        dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".points") == 0) *dot = 0;
    }
    return name[0] && strstr(error->text, name);
}

/* A failure of the disk is told with the file; where all calls fail, with one of them. */
static inline void judge_words(trial* t, sup_result result, const sup_error* error) {
    must(t, error->code == result, "the error says %s, the result %s", sup_result_name(error->code),
         sup_result_name(result));
    must(t, error->text[0], "there is no message");
    bool named = result != SUP_IO || names_file(error, t->disk.plan.failed_name);
    for (int i = 0; i < FAILING_FILE_LIMIT && t->kind == TRIAL_ALL_CALLS; i++) {
        named = named || names_file(error, t->disk.files[i].name);
    }
    must(t, named, "\"%s\" does not name %s", error->text, t->disk.plan.failed_name);
}

/* What was before a deed. */
typedef struct trial_look {
    uint64_t world, view, told;
    int32_t events;
    long long blocks;
    disk_look disk;
} trial_look;

static inline void look_around(const trial* t, trial_look* look) {
    look->world = trial_world_hash(t);
    look->view = trial_view(t, SUP_DRAW_ALL & ~SUP_DRAW_CONTACTS);
    look->told = t->told;
    look->events = 0;
    if (t->world) sup_world_events(t->world, &look->events);
    look->blocks = t->memory.blocks;
    look_at_disk(&t->disk, &look->disk);
}

static inline void judge_failed_deed(trial* t, sup_result result, const sup_error* error,
                                     const trial_look* before) {
    bool memory = trial_is_of_memory(t->kind) || t->kind == TRIAL_CALL_SHORT_OF_MEMORY;
    sup_result wanted = memory ? SUP_NO_MEMORY : SUP_IO;
    must(t, result == wanted, "%s: %s", sup_result_name(result), error->text);
    judge_words(t, result, error);
    must(t, trial_world_hash(t) == before->world, "the world has changed");
    /* A step that fails has forgotten events and single contacts of the one before. */
    int32_t events = 0;
    if (t->world) sup_world_events(t->world, &events);
    must(t, events == 0 || events == before->events, "there are events of nothing");
    must(t, trial_view(t, SUP_DRAW_ALL & ~SUP_DRAW_CONTACTS) == before->view,
         "the world looks different");
    must(t, t->told == before->told, "events were told");
    /* Arrays of a world that grew may stay grown. */
    if (!t->world) must(t, t->memory.blocks == before->blocks, "memory leaks");
    judge_old_files(t, &before->disk);
    judge_new_files(t, &before->disk);
}

/* Does a deed; where a failure meets it, judges what became of it, and does it again in a world
   where nothing fails. */
static inline void attempt(trial* t, deed* act, int32_t item) {
    trial_look before;
    sup_error error = {0};
    if (t->begun && !t->lifted) look_around(t, &before);
    sup_result result = act(t, item, &error);
    if (trial_hit(t) && !t->lifted) {
        t->lifted = true;
        bool minor = !trial_is_of_memory(t->kind) && t->disk.plan.failed_call != FAILING_WORK;
        if (result != SUP_OK || !minor) {
            judge_failed_deed(t, result, &error, &before);
            test_allocator_arm(&t->memory, 0, false);
            t->disk.plan.fail_at = 0;
            error = (sup_error){0};
            result = act(t, item, &error);
        }
        t->disk.plan.fail_at = 0;
    }
    must(t, result == SUP_OK, "%s: %s", sup_result_name(result), error.text);
    if (!t->begun) return;
    note(t, trial_world_hash(t));
    note(t, t->told);
}

/* ---- From the beginning to the end ---- */

static inline void trial_clear(trial* t) {
    if (t->scene) t->world = NULL;
    sup_scene_free(t->scene);
    sup_world_destroy(t->world);
    for (int i = 0; i < TRIAL_THINGS; i++) sup_blueprint_release(t->prints[i]);
    sup_bytes_free(&t->saved);
    sup_mesh_free(&t->mesh);
    sup_tape_close(t->tape);
}

/* All files that are meant to be there, in the order of their names, and no others. */
static inline void note_disk(trial* t) {
    const char* last = "";
    bool removing = t->disk.plan.failed && t->disk.plan.failed_call >= FAILING_TO_REMOVE;
    bool left = t->kind == TRIAL_ALL_CALLS ? removing : failing_left_something(&t->disk);
    for (;;) {
        const failing_file* next = NULL;
        for (int i = 0; i < FAILING_FILE_LIMIT; i++) {
            const failing_file* file = &t->disk.files[i];
            if (strcmp(file->name, last) <= 0) continue;
            if (!next || strcmp(file->name, next->name) < 0) next = file;
        }
        if (!next) return;
        last = next->name;
        if (is_temporary(last) && left) continue;
        note_bytes(t, last, strlen(last));
        note(t, file_hash(next));
    }
}

/* Plays an item in which call `at` fails; 0: none. Returns how many calls there were. */
static inline int trial_play(const scenario* s, int32_t item, trial_kind kind, int at,
                             trace* expected) {
    trial* t = calloc(1, sizeof *t);
    assert_non_null(t);
    *t = (trial){.scenario = s, .item = item, .kind = kind, .at = at, .trace = expected};
    t->allocator = test_allocator_init(&t->memory);
    t->files = failing_gate(&t->disk);
    if (s->prepare) s->prepare(t);
    trial_arm(t, at);
    t->begun = true;
    s->play(t, item);
    int calls = trial_calls(t);
    must(t, t->noted > 0, "the play has no deeds");
    must(t, at == 0 || t->lifted, "nothing has failed");
    note_disk(t);
    must(t, t->noted == expected->count, "the play ended early");
    trial_clear(t);
    must(t, t->memory.blocks == 0 && t->memory.bytes == 0, "%lld blocks of memory have leaked",
         (long long)t->memory.blocks);
    failing_wipe(&t->disk);
    free(t);
    return calls;
}

/* ---- Every call fails once ---- */

/* Each call of a play fails in the long tests; by day each of the first 100 and then every 17th,
   and under sanitizers, which are slow, each of the first 10 and then every 29th. Returns how many
   calls there are. */
static inline int trial_fail_each_of(const scenario* s, int32_t item, trial_kind kind) {
    trace expected = {0};
    int calls = trial_play(s, item, kind, 0, &expected);
    int all = short_tests() ? 10 : 100, stride = long_tests() ? 1 : short_tests() ? 29 : 17;
    for (int at = 1; at <= calls; at += at < all ? 1 : stride) {
        trial_play(s, item, kind, at, &expected);
    }
    return calls;
}

static inline int trial_fail_each(const scenario* s, trial_kind kind) {
    int calls = 0;
    for (int32_t i = 0; i < s->items; i++) calls += trial_fail_each_of(s, i, kind);
    return calls;
}

#endif
