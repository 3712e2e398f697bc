/* Copies of a body: in rows, or scattered at random but always the same for a seed. */
#include "geom/cells.h"
#include "scene/build.h"

#include <math.h>

/* A place is tried this often before a scatter counts as full. */
#define TRIES 1000

int32_t supi_copies_count(const supi_copies_draft* copies) {
    return copies->count[0] * copies->count[1] * copies->count[2];
}

/* ---- chance (splitmix64: Steele, Lea and Flood 2014) ---- */

static uint64_t next_bits(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double next_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(next_bits(state) >> 11) * 0x1p-53);
}

/* A uniformly random rotation: a random point of the unit ball in four dimensions, pushed onto the
 * sphere. */
static void next_turn(uint64_t* state, double turn[4]) {
    double square;
    do {
        square = 0;
        for (int32_t k = 0; k < 4; k++) {
            turn[k] = next_between(state, -1, 1);
            square += turn[k] * turn[k];
        }
    } while (square > 1 || square < 1e-4);
    for (int32_t k = 0; k < 4; k++) turn[k] /= sqrt(square);
}

/* ---- the two ways of copying ---- */

static void place_rows(const supi_body_draft* body, const double turn[4], supi_pose* poses) {
    const supi_copies_draft* copies = &body->copies;
    int32_t count = supi_copies_count(copies);
    for (int32_t i = 0; i < count; i++) {
        int32_t nx = copies->count[0], ny = copies->count[1];
        int32_t at[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int32_t k = 0; k < 3; k++) {
            poses[i].position[k] = body->position[k] + at[k] * copies->step[k];
        }
        for (int32_t k = 0; k < 4; k++) poses[i].rotation[k] = turn[k];
    }
}

/* Throws darts; a dart too near to an earlier one is thrown again. Returns how many were placed, -1
   when memory is short. */
static int32_t throw_darts(const supi_body_draft* body, const double turn[4], supi_cells* cells,
                           supi_pose* poses) {
    const supi_copies_draft* copies = &body->copies;
    uint64_t state = (uint64_t)copies->seed;
    for (int32_t i = 0; i < copies->count[0]; i++) {
        double p[3];
        int32_t tries = 0;
        do {
            if (tries++ == TRIES) return i;
            for (int32_t k = 0; k < 3; k++) {
                p[k] = body->position[k] + next_between(&state, copies->low[k], copies->high[k]);
            }
        } while (copies->gap > 0 && !supi_cells_clear(cells, p, copies->gap));
        if (!supi_cells_add(cells, p)) return -1;
        for (int32_t k = 0; k < 3; k++) poses[i].position[k] = p[k];
        double spin[4] = {0, 0, 0, 1};
        if (copies->turn) next_turn(&state, spin);
        supi_turn_product(spin, turn, poses[i].rotation);
    }
    return copies->count[0];
}

static sup_result scatter(const supi_reader* reader, const supi_body_draft* body,
                          const double turn[4], supi_pose* poses) {
    const supi_copies_draft* copies = &body->copies;
    supi_cells cells;
    /* at most 2e6 m / 1e-3 m: a cell has a number */
    supi_cells_begin(&cells, reader->store->allocator, copies->gap > 1e-3 ? copies->gap : 1e-3);
    int32_t placed = throw_darts(body, turn, &cells, poses);
    supi_cells_free(&cells);
    if (placed < 0) return supi_reader_memory(reader);
    if (placed == copies->count[0]) return SUP_OK;
    return supi_reader_fail(reader, supi_reader_place(copies->place, "gap"),
                            "only %d of %d copies fit; make the box larger or \"gap\" smaller",
                            (int)placed, (int)copies->count[0]);
}

sup_result supi_copies_place(const supi_reader* reader, const supi_body_draft* body,
                             supi_pose* poses) {
    double turn[4];
    supi_turn_from_degrees(body->rotation, turn);
    if (body->copies.kind == SUPI_COPIES_SCATTER) return scatter(reader, body, turn, poses);
    place_rows(body, turn, poses);
    return SUP_OK;
}
