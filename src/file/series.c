/* See series.h. */
#include "file/series.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* "-", a number, an ending, that of a temporary, and more. */
#define TAIL_ROOM (64 + SUPI_TEMPORARY_ROOM)

bool supi_series_begin(supi_series* series, const char* path, size_t stem) {
    series->stem = stem;
    series->room = stem + TAIL_ROOM;
    char** names[3] = {&series->name, &series->temporary, &series->aside};
    for (int i = 0; i < 3; i++) {
        *names[i] = supi_memory_new(series->allocator, series->room, 1);
        if (!*names[i]) return false;
        memcpy(*names[i], path, stem);
    }
    return true;
}

void supi_series_free(supi_series* series) {
    supi_memory_free(series->allocator, series->name, series->room, 1);
    supi_memory_free(series->allocator, series->temporary, series->room, 1);
    supi_memory_free(series->allocator, series->aside, series->room, 1);
    series->name = series->temporary = series->aside = NULL;
}

static void choose(supi_series* series, int32_t number) {
    char tail[32] = "", waiting[SUPI_TEMPORARY_ROOM];
    if (number != SUPI_SERIES_LIST) snprintf(tail, sizeof tail, "-%06d", (int)number);
    const char* ending = number == SUPI_SERIES_LIST ? series->list_ending : series->number_ending;
    supi_file_temporary_ending(waiting);
    size_t stem = series->stem, room = series->room - stem;
    snprintf(series->name + stem, room, "%s%s", tail, ending);
    snprintf(series->temporary + stem, room, "%s%s%s", tail, ending, waiting);
    snprintf(series->aside + stem, room, "%s%s%s" SUPI_ASIDE_ENDING, tail, ending, waiting);
}

const char* supi_series_name(supi_series* series, int32_t number) {
    choose(series, number);
    return series->name;
}

static void discard(supi_series* series, const char* path) {
    series->gate->remove(series->gate->user, path);
}

static sup_result set_aside(supi_series* series, int32_t number) {
    choose(series, number);
    return supi_file_set_aside(series->gate, series->name, series->aside);
}

static void bring_back(supi_series* series, int32_t number) {
    choose(series, number);
    supi_file_bring_back(series->gate, series->name, series->aside);
}

static sup_result take_name(supi_series* series, int32_t number) {
    choose(series, number);
    return series->gate->rename(series->gate->user, series->temporary, series->name);
}

sup_result supi_series_commit(supi_series* series, int32_t count, sup_error* error) {
    sup_result result = set_aside(series, SUPI_SERIES_LIST);
    if (result != SUP_OK) return supi_file_write_error("replace", series->name, result, error);
    int32_t aside = 0; /* numbers whose old files are */
    while (result == SUP_OK && aside < count) {
        result = set_aside(series, aside);
        if (result == SUP_OK) result = take_name(series, aside++);
    }
    if (result == SUP_OK) result = take_name(series, SUPI_SERIES_LIST);
    if (result != SUP_OK) {
        supi_file_write_error("replace", series->name, result, error);
        while (aside > 0) bring_back(series, --aside);
        bring_back(series, SUPI_SERIES_LIST);
        return result;
    }
    for (int32_t number = SUPI_SERIES_LIST; number < count; number++) {
        choose(series, number);
        discard(series, series->aside);
    }
    return SUP_OK;
}

void supi_series_drop(supi_series* series, int32_t first, int32_t count) {
    for (int32_t number = first; number < count; number++) {
        choose(series, number);
        discard(series, series->temporary);
    }
}
