/* See options.h. */
#include "options.h"

#include "base/number.h"
#include "scene/near.h"

#include <stdio.h>
#include <string.h>

const option option_help = {
    .name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "print this and end"};

/* ---- help ---- */

static void print_option(const option* o) {
    char left[48] = "  ";
    size_t used = 2;
    used +=
        (size_t)snprintf(left + used, sizeof left - used, o->letter ? "-%c, " : "    ", o->letter);
    snprintf(left + used, sizeof left - used, "--%s%s%s", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    printf("%-26s %s\n", left, o->help);
}

void options_print(const option* table) {
    for (; table->name; table++) print_option(table);
    print_option(&option_help);
}

static void print_help(const tool_command* command) {
    printf("Usage: supple %s %s%s[OPTION]...\n\n%s\n\nOptions:\n", command->name, command->operand,
           *command->operand ? " " : "", command->details);
    options_print(command->options);
}

/* ---- slips of the keys ---- */

const char* options_nearest(const char* word, const char* (*at)(const void* list, int index),
                            const void* list) {
    const char* nearest = NULL;
    int32_t best = supi_near_limit(word) + 1;
    for (int i = 0; at(list, i); i++) {
        int32_t distance = supi_near_distance(word, at(list, i));
        if (distance < best) best = distance, nearest = at(list, i);
    }
    return nearest;
}

static const char* option_name(const void* list, int i) { return ((const option*)list)[i].name; }

static tool_exit unknown_option(const tool_command* command, const char* word) {
    const char* meant = options_nearest(word + strspn(word, "-"), option_name, command->options);
    if (meant) {
        return tool_fail(TOOL_USAGE, "%s has no option %s; did you mean --%s?", command->name, word,
                         meant);
    }
    return tool_fail(TOOL_USAGE, "%s has no option %s; see supple %s --help", command->name, word,
                     command->name);
}

/* ---- values ---- */

static tool_exit set_integer(const option* o, const char* value, void* at) {
    int64_t number;
    size_t used, length = strlen(value);
    bool whole = supi_number_parse_integer(value, length, &number, &used) && used == length;
    if (!whole || number < o->low || number > o->high) {
        return tool_fail(TOOL_USAGE, "--%s must be a whole number from %d to %d, not \"%s\"",
                         o->name, (int)o->low, (int)o->high, value);
    }
    *(int32_t*)at = (int32_t)number;
    return TOOL_DONE;
}

/* A whole number from low to high at *text, which moves behind it. */
static bool take_number(const char** text, int32_t low, int32_t high, int32_t* number) {
    int64_t value;
    size_t used;
    if (!supi_number_parse_integer(*text, strlen(*text), &value, &used)) return false;
    if (value < low || value > high) return false;
    *number = (int32_t)value;
    *text += used;
    return true;
}

tool_exit options_parse_pair(const char* name, const char* form, const char* text, int32_t low,
                             int32_t high, int32_t* first, int32_t* second) {
    const char* at = text;
    bool good = take_number(&at, low, high, first) && *at++ == 'x' &&
                take_number(&at, low, high, second) && !*at;
    if (good) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "--%s must be %s, both from %d to %d, not \"%s\"", name, form,
                     (int)low, (int)high, text);
}

tool_exit options_parse_real(const char* name, const char* text, double low, double high,
                             double* value) {
    if (!text) return TOOL_DONE;
    size_t used = 0, length = strlen(text);
    double number;
    bool good = supi_number_parse(text, length, &number, &used) == SUPI_NUMBER_OK &&
                used == length && number >= low && number <= high;
    if (!good) {
        return tool_fail(TOOL_USAGE, "--%s must be a number from %g to %g, not \"%s\"", name, low,
                         high, text);
    }
    *value = number;
    return TOOL_DONE;
}

static tool_exit set_word(const option* o, const char* value, void* at) {
    char all[100] = "";
    for (int32_t i = 0; o->words[i]; i++) {
        if (strcmp(o->words[i], value) == 0) {
            *(int32_t*)at = i;
            return TOOL_DONE;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", o->words[i]);
    }
    return tool_fail(TOOL_USAGE, "--%s must be one of %s, not \"%s\"", o->name, all, value);
}

/* Of two names it would be a guess which one is meant. */
static tool_exit set_text(const option* o, const char* value, const char** at) {
    if (*at) {
        return tool_fail(TOOL_USAGE, "--%s is given twice: \"%s\" and \"%s\"", o->name, *at, value);
    }
    *at = value;
    return TOOL_DONE;
}

static tool_exit set_option(const option* o, const char* value, void* target) {
    void* at = (char*)target + o->offset;
    switch (o->kind) {
    case OPTION_FLAG: *(bool*)at = true; return TOOL_DONE;
    case OPTION_INTEGER: return set_integer(o, value, at);
    case OPTION_TEXT: return set_text(o, value, at);
    case OPTION_WORD: return set_word(o, value, at);
    case OPTION_TEXTS: {
        option_texts* texts = at;
        if (texts->count == OPTION_TEXTS_LIMIT) {
            return tool_fail(TOOL_USAGE, "--%s may be given %d times at most", o->name,
                             OPTION_TEXTS_LIMIT);
        }
        texts->items[texts->count++] = value;
        return TOOL_DONE;
    }
    }
    return TOOL_DONE;
}

/* ---- the line ---- */

/* The option that "--name", "--name=value" or "-x" stands for; *value is what follows "=". */
static const option* find_option(const option* table, const char* word, const char** value) {
    *value = NULL;
    bool is_long = word[1] == '-';
    const char* name = word + (is_long ? 2 : 1);
    size_t length = strcspn(name, is_long ? "=" : "");
    if (name[length] == '=') *value = name + length + 1;
    for (; table->name; table++) {
        bool same = is_long ? strlen(table->name) == length && !strncmp(table->name, name, length)
                            : length == 1 && table->letter == name[0];
        if (same) return table;
    }
    return NULL;
}

static bool asks_help(const char* word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Takes the option at words[*i], and the next word where that is its value. */
static tool_exit take_option(const tool_command* command, int count, char** words, int* i,
                             void* target) {
    const char* value;
    const option* o = find_option(command->options, words[*i], &value);
    if (!o) return unknown_option(command, words[*i]);
    if (!o->value && value) return tool_fail(TOOL_USAGE, "--%s takes no value", o->name);
    if (o->value && !value) {
        if (*i + 1 == count) {
            return tool_fail(TOOL_USAGE, "--%s needs a value: %s", o->name, o->value);
        }
        value = words[++*i];
    }
    return set_option(o, value, target);
}

/* Behind the first word of a list with one blank between two. */
static const char* behind_word(const char* list) {
    list += strcspn(list, " ");
    return *list ? list + 1 : list;
}

static int operand_count(const tool_command* command) {
    int count = 0;
    for (const char* word = command->operand; *word; word = behind_word(word)) count++;
    return count;
}

static tool_exit operand_too_many(const tool_command* command, const char* word) {
    return tool_fail(TOOL_USAGE, "%s takes %s; \"%s\" is one too many", command->name,
                     *command->operand ? command->operand : "options only", word);
}

/* Is every operand there? */
static tool_exit check_operands(const tool_command* command, int found) {
    const char* word = command->operand;
    for (int i = 0; i < found; i++) word = behind_word(word);
    if (!*word) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "%s needs %.*s; see supple %s --help", command->name,
                     (int)strcspn(word, " "), word, command->name);
}

bool options_parse(const tool_command* command, int count, char** words, void* target,
                   const char** operands, tool_exit* code) {
    int found = 0, wanted = operand_count(command);
    *code = TOOL_DONE;
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        bool dashed = words[i][0] == '-' && words[i][1] != 0 && !only_operands;
        if (dashed && strcmp(words[i], "--") == 0) {
            only_operands = true;
        } else if (dashed && asks_help(words[i])) {
            print_help(command);
            return false;
        } else if (dashed) {
            *code = take_option(command, count, words, &i, target);
        } else if (found == wanted) {
            *code = operand_too_many(command, words[i]);
        } else {
            operands[found++] = words[i];
        }
        if (*code != TOOL_DONE) return false;
    }
    *code = check_operands(command, found);
    return *code == TOOL_DONE;
}
