/* See soup.h: corners are sorted by their bits, so that equal ones lie together. A hash table would
   be shorter work for most files, but a file can be made whose corners all collide in it. */
#include "file/soup.h"

#include <string.h>

#include "base/error.h"
#include "file/mesh_arrays.h"

enum { PLACE_BYTES = 12, BYTE_VALUES = 256 };

bool supi_soup_begin(supi_soup* soup, const sup_allocator* allocator, int32_t triangle_count) {
    *soup = (supi_soup){0};
    supi_arena_init(&soup->store, allocator);
    size_t room = 3 * (size_t)triangle_count;
    soup->corners = supi_arena_push(&soup->store, room, sizeof *soup->corners);
    soup->spare = supi_arena_push(&soup->store, room, sizeof *soup->spare);
    return soup->corners && soup->spare;
}

void supi_soup_free(supi_soup* soup) { supi_arena_free(&soup->store); }

void supi_soup_add(supi_soup* soup, const float place[3]) {
    supi_soup_corner* corner = &soup->corners[soup->corner_count];
    corner->number = soup->corner_count++;
    for (int k = 0; k < 3; k++) {
        float x = place[k] == 0 ? 0.0f : place[k];
        memcpy(&corner->place[k], &x, sizeof x);
    }
}

/* ---- Sorting ---- */

static unsigned byte_of(const supi_soup_corner* corner, int byte) {
    return corner->place[byte / 4] >> (byte % 4 * 8) & 0xFF;
}

/* One pass of a radix sort; corners of the same byte keep their order. */
static void sort_by_byte(supi_soup* soup, int byte, const int32_t counts[BYTE_VALUES]) {
    int32_t next[BYTE_VALUES], sum = 0;
    for (int i = 0; i < BYTE_VALUES; i++) {
        next[i] = sum;
        sum += counts[i];
    }
    for (int32_t i = 0; i < soup->corner_count; i++) {
        const supi_soup_corner* corner = &soup->corners[i];
        soup->spare[next[byte_of(corner, byte)]++] = *corner;
    }
    supi_soup_corner* sorted = soup->spare;
    soup->spare = soup->corners;
    soup->corners = sorted;
}

/* By place, then by number. */
static void sort_corners(supi_soup* soup) {
    int32_t counts[PLACE_BYTES][BYTE_VALUES] = {{0}};
    for (int32_t i = 0; i < soup->corner_count; i++) {
        for (int byte = 0; byte < PLACE_BYTES; byte++) {
            counts[byte][byte_of(&soup->corners[i], byte)]++;
        }
    }
    for (int byte = 0; byte < PLACE_BYTES; byte++) {
        bool all_same = counts[byte][byte_of(soup->corners, byte)] == soup->corner_count;
        if (!all_same) sort_by_byte(soup, byte, counts[byte]);
    }
}

/* ---- Joining ---- */

static bool same_place(const supi_soup_corner* a, const supi_soup_corner* b) {
    return memcmp(a->place, b->place, sizeof a->place) == 0;
}

/* first[n] = the number of the first corner at the place of corner n. */
static void find_firsts(const supi_soup* soup, int32_t* first) {
    const supi_soup_corner* leader = soup->corners;
    for (int32_t i = 0; i < soup->corner_count; i++) {
        const supi_soup_corner* corner = &soup->corners[i];
        if (!same_place(leader, corner)) leader = corner;
        first[corner->number] = leader->number;
    }
}

/* Numbers the points of the triangles that stay: points[first corner] = point + 1. The triangles
   move together in `first`. Returns how many they are. */
static int32_t number_points(const supi_soup* soup, int32_t* first, int32_t* points,
                             int32_t* point_count) {
    int32_t kept = 0;
    *point_count = 0;
    for (int32_t at = 0; at < soup->corner_count; at += 3) {
        int32_t a = first[at], b = first[at + 1], c = first[at + 2];
        if (a == b || b == c || c == a) continue;
        const int32_t corners[3] = {a, b, c};
        for (int k = 0; k < 3; k++) {
            if (points[corners[k]] == 0) points[corners[k]] = ++*point_count;
            first[3 * kept + k] = corners[k];
        }
        kept++;
    }
    return kept;
}

static void fill_mesh(const supi_soup* soup, const int32_t* triangles, const int32_t* points,
                      sup_mesh* mesh) {
    for (int32_t i = 0; i < soup->corner_count; i++) {
        const supi_soup_corner* corner = &soup->corners[i];
        int32_t point = points[corner->number];
        if (point > 0) memcpy(&mesh->points[point - 1], corner->place, sizeof corner->place);
    }
    for (int32_t i = 0; i < mesh->corner_count; i++) mesh->corners[i] = points[triangles[i]] - 1;
    for (int32_t i = 0; i <= mesh->polygon_count; i++) mesh->starts[i] = 3 * i;
}

sup_result supi_soup_join(supi_soup* soup, sup_mesh* out, sup_error* error) {
    size_t count = (size_t)soup->corner_count;
    int32_t* first = supi_arena_push(&soup->store, count, sizeof *first);
    int32_t* points = supi_arena_push(&soup->store, count, sizeof *points);
    if (!first || !points) return supi_error_memory(error);
    int32_t kept = 0, point_count = 0;
    if (count > 0) {
        sort_corners(soup);
        find_firsts(soup, first);
        kept = number_points(soup, first, points, &point_count);
    }
    if (!supi_mesh_arrays_new(soup->store.allocator, point_count, kept, 3 * kept, out)) {
        return supi_error_memory(error);
    }
    fill_mesh(soup, first, points, out);
    return SUP_OK;
}
