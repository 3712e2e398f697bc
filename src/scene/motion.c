/* See motion.h. */
#include "scene/motion.h"

#include <math.h>
#include <string.h>

static bool make_track(supi_arena* store, const supi_list* keys, const char* name, size_t member,
                       supi_track* out) {
    double* times = supi_arena_push(store, (size_t)keys->count, sizeof *times);
    double(*values)[3] = supi_arena_push(store, (size_t)keys->count, sizeof *values);
    if (!times || !values) return false;
    const supi_key_draft* key = keys->items;
    int32_t count = 0;
    for (int32_t i = 0; i < keys->count; i++, key++) {
        if (!supi_json_find(key->place, name)) continue;
        times[count] = key->time;
        memcpy(values[count++], (const char*)key + member, sizeof *values);
    }
    *out = (supi_track){count, times, (const double(*)[3])values};
    return true;
}

bool supi_motion_make(supi_arena* store, const supi_motion_draft* draft, const char* position,
                      supi_motion* out) {
    const supi_list* list = &draft->keys;
    const supi_key_draft* keys = list->items;
    *out = (supi_motion){.begin = keys[0].time,
                         .end = keys[list->count - 1].time,
                         .smooth = draft->interpolation == SUPI_SMOOTH,
                         .loop = draft->loop};
    return make_track(store, list, position, offsetof(supi_key_draft, position), &out->position) &&
           make_track(store, list, "rotation", offsetof(supi_key_draft, rotation), &out->rotation);
}

static void track_at(const supi_track* track, bool smooth, double time, double out[3]) {
    int32_t count = track->count, after = 0;
    if (count == 0) return;
    while (after < count && track->times[after] <= time) after++;
    int32_t before = after > 0 ? after - 1 : 0;
    after = after < count ? after : count - 1;
    double u = 0;
    if (before != after) {
        u = (time - track->times[before]) / (track->times[after] - track->times[before]);
    }
    if (smooth) u = u * u * (3 - 2 * u);
    const double *a = track->values[before], *b = track->values[after];
    for (int32_t k = 0; k < 3; k++) out[k] = a[k] + u * (b[k] - a[k]);
}

double supi_motion_wrap(double begin, double end, bool loop, double time) {
    double period = end - begin;
    if (!loop || time <= end || !(period > 0)) return time;
    double rest = time - period * floor((time - begin) / period);
    rest = rest < begin ? begin : rest; /* the division may round up */
    return rest > end ? end : rest;
}

void supi_motion_at(const supi_motion* motion, double time, double position[3],
                    double rotation[3]) {
    double t = supi_motion_wrap(motion->begin, motion->end, motion->loop, time);
    track_at(&motion->position, motion->smooth, t, position);
    track_at(&motion->rotation, motion->smooth, t, rotation);
}
