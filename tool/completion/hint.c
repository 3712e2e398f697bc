/* See completion.h: what the names of values and operands stand for. */
#include "completion/completion.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *endings;
} file_kinds[] = {{"SCENE", "json"},
                  {"STATS", "json"},
                  {"MESH", "obj ply stl glb gltf"},
                  {"TAPE", "sup part"},
                  {"A", "obj ply stl glb gltf pc2 sup part"},
                  {"B", "obj ply stl glb vtu usda pc2 mdd pvd"}};
#define FILE_KIND_COUNT (sizeof file_kinds / sizeof *file_kinds)

static void append(hint* h, const char* text, size_t length) {
    size_t used = strlen(h->list);
    snprintf(h->list + used, sizeof h->list - used, "%s%.*s", used ? " " : "", (int)length, text);
}

/* One name: small letters are the word itself, capitals a kind of file. */
static void add_name(hint* h, const char* name, size_t length) {
    if (*name >= 'a' && *name <= 'z') {
        h->kind = HINT_WORDS;
        append(h, name, length);
        return;
    }
    for (size_t i = 0; i < FILE_KIND_COUNT; i++) {
        const char *known = file_kinds[i].name, *endings = file_kinds[i].endings;
        if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
        if (h->kind == HINT_NOTHING) h->kind = HINT_ENDINGS;
        if (!strstr(h->list, endings)) append(h, endings, strlen(endings));
        return;
    }
    h->kind = HINT_FILES;
}

hint hint_of_operand(const tool_command* command) {
    hint h = {HINT_NOTHING, ""};
    for (const char* name = command->operand; *name;) {
        size_t length = strcspn(name, " |");
        add_name(&h, name, length);
        name += length + (name[length] != 0);
    }
    return h;
}

hint hint_of_value(const option* o) {
    hint h = {HINT_NOTHING, ""};
    if (o->kind == OPTION_WORD) {
        h.kind = HINT_WORDS;
        for (int i = 0; o->words[i]; i++) append(&h, o->words[i], strlen(o->words[i]));
    } else if (o->value && strcmp(o->value, "FILE") == 0) {
        h.kind = HINT_FILES;
    } else if (o->value && strcmp(o->value, "SCENE") == 0) {
        add_name(&h, o->value, strlen(o->value));
    }
    return h;
}
