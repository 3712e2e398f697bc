/* See reel.h. */
#include "render/reel.h"

#include "base/error.h"
#include "file/ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the number's place, "%04d" or the like; a name without "%" has none. False: another "%". */
static bool find_number(reel* r, const char* path) {
    const char* sign = strchr(path, '%');
    if (!sign) return true;
    bool good = sign[1] == '0' && sign[2] >= '1' && sign[2] <= '9' && sign[3] == 'd' &&
                !strchr(sign + 4, '%') && !strchr(sign, '/');
    if (!good) return false;
    r->number_at = (int32_t)(sign - path);
    r->number_end = r->number_at + 4;
    r->digits = sign[2] - '0';
    return true;
}

sup_result reel_plan(reel* r, const char* path, sup_error* error) {
    *r = (reel){.path = path};
    bool numbers = find_number(r, path);
    if (supi_ending_is(path, ".png")) {
        r->kind = r->digits > 0 ? REEL_NUMBERED : REEL_PICTURE;
    } else if (supi_ending_is(path, ".mp4")) {
        r->kind = REEL_MP4;
    } else if (supi_ending_is(path, ".gif")) {
        r->kind = REEL_GIF;
    } else {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cannot write %.300s: the name must end in .png, .mp4 or .gif", path);
    }
    if (numbers && (r->digits == 0 || r->kind == REEL_NUMBERED)) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "cannot write %.300s: \"%%\" stands only for numbers, once and in the "
                          "name of a .png, as in frame-%%04d.png",
                          path);
}

bool reel_is_film(const reel* r) { return r->kind == REEL_MP4 || r->kind == REEL_GIF; }

char* reel_file(const reel* r, int32_t frame) {
    size_t room = strlen(r->path) + 16;
    char* file = malloc(room);
    if (file && r->kind == REEL_NUMBERED) {
        snprintf(file, room, "%.*s%0*d%s", (int)r->number_at, r->path, (int)r->digits, (int)frame,
                 r->path + r->number_end);
    } else if (file) {
        memcpy(file, r->path, strlen(r->path) + 1);
    }
    return file;
}

bool reel_has(const reel* r, int32_t frame, int32_t width, int32_t height) {
    char* file = reel_file(r, frame);
    bool whole = file && picture_is_whole(file, width, height);
    free(file);
    return whole;
}

sup_result reel_open(reel* r, int32_t width, int32_t height, double fps, bool (*stop_asked)(void),
                     sup_error* error) {
    if (!reel_is_film(r)) return SUP_OK;
    return film_open(r->path, r->kind == REEL_GIF ? FILM_GIF : FILM_MP4, width, height, fps,
                     stop_asked, &r->film, error);
}

/* A film that takes no more pictures is closed, to hear why. */
static sup_result add_to_film(reel* r, const picture* shown, sup_error* error) {
    sup_result result = film_add(r->film, shown, error);
    if (result == SUP_OK) return SUP_OK;
    sup_error reason;
    if (film_close(r->film, &reason) != SUP_OK) *error = reason;
    r->film = NULL;
    return result;
}

sup_result reel_add(reel* r, const picture* shown, int32_t frame, sup_error* error) {
    if (reel_is_film(r)) return add_to_film(r, shown, error);
    char* file = reel_file(r, frame);
    if (!file) return supi_error_memory(error);
    sup_result result = picture_save(shown, file, error);
    free(file);
    return result;
}

sup_result reel_close(reel* r, sup_error* error) {
    if (!r->film) return SUP_OK;
    sup_result result = film_close(r->film, error);
    r->film = NULL;
    return result;
}

void reel_free(reel* r) {
    film_abort(r->film);
    r->film = NULL;
}
