#include "geom/spray.h"

#include "base/memory.h"
#include "geom/vector.h"

#include <math.h>

typedef struct thrower {
    supi_spray* spray;
    const supi_spray_board* board;
    bool short_of_memory;
} thrower;

/* Takes a place if it is free. */
static bool take(thrower* t, sup_vec3 place) {
    supi_spray* spray = t->spray;
    double p[3];
    supi_vector_from(&place, p);
    if (sup_brush_share(&spray->brush, p) < 0.5) return false;
    if (!supi_cells_clear(spray->old, p, spray->gap)) return false;
    if (!supi_cells_clear(&spray->found, p, spray->spacing)) return false;
    if (!supi_cells_add(&spray->found, p)) t->short_of_memory = true;
    return true;
}

/* The triangle in whose share of all areas x lies. */
static int32_t find_triangle(const supi_spray_board* board, double x) {
    int32_t low = 0, high = board->triangle_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (board->sums[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static sup_vec3 draw_on_surface(thrower* t) {
    const supi_spray_board* board = t->board;
    supi_random* random = &t->spray->random;
    double whole = board->sums[board->triangle_count - 1];
    int32_t triangle = find_triangle(board, whole * supi_random_unit(random));
    const int32_t* ids = board->triangles + 3 * (size_t)triangle;
    double root = sqrt(supi_random_unit(random)), u = 1.0 - root;
    double v = supi_random_unit(random) * root, p[3][3], x[3];
    for (int k = 0; k < 3; k++) supi_vector_from(&board->points[ids[k]], p[k]);
    for (int k = 0; k < 3; k++) x[k] = u * p[0][k] + v * p[1][k] + (1.0 - u - v) * p[2][k];
    return supi_vector_round(x[0], x[1], x[2]);
}

/* Beside a spot; the spot itself where the surface lies between. */
static sup_vec3 draw_inside(thrower* t) {
    const supi_spray_board* board = t->board;
    supi_random* random = &t->spray->random;
    sup_vec3 spot = board->spots[supi_random_index(random, board->spot_count)];
    double x[3], place, weights[3];
    supi_vector_from(&spot, x);
    for (int k = 0; k < 3; k++) x[k] += board->jitter * (2.0 * supi_random_unit(random) - 1.0);
    sup_vec3 dart = supi_vector_round(x[0], x[1], x[2]);
    int32_t triangle;
    return supi_bvh_cross(board->tree, spot, dart, &triangle, &place, weights) ? spot : dart;
}

static void throw_darts(thrower* t) {
    supi_spray* spray = t->spray;
    int64_t misses = 0;
    while (!t->short_of_memory && spray->found.count < spray->most &&
           misses <= (int64_t)spray->failures * (spray->found.count + 1)) {
        sup_vec3 dart = t->board->jitter > 0.0 ? draw_inside(t) : draw_on_surface(t);
        if (!take(t, dart)) misses++;
    }
}

/* All spots, in an order left to chance. */
static void sweep(thrower* t, int32_t* order) {
    supi_spray* spray = t->spray;
    int32_t count = t->board->spot_count;
    for (int32_t i = 0; i < count; i++) order[i] = i;
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t k = supi_random_index(&spray->random, i + 1), spot = order[k];
        order[k] = order[i];
        if (t->short_of_memory || spray->found.count >= spray->most) return;
        take(t, t->board->spots[spot]);
    }
}

bool supi_spray_throw(supi_spray* spray, const sup_allocator* allocator,
                      const supi_spray_board* board) {
    size_t count = (size_t)board->spot_count;
    int32_t* order = supi_memory_new(allocator, count, sizeof *order);
    if (!order) return false;
    supi_cells_begin(&spray->found, allocator, spray->spacing);
    thrower t = {.spray = spray, .board = board};
    if (board->spot_count > 0) {
        throw_darts(&t);
        sweep(&t, order);
    }
    supi_memory_free(allocator, order, count, sizeof *order);
    if (t.short_of_memory) supi_cells_free(&spray->found);
    return !t.short_of_memory;
}
