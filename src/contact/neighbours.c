/* Points are put in cells half as wide as the longest reach, so that all that may be near one are
   in the 125 cells around it; of these the corners are out of reach too. */
#include "contact/neighbours.h"

#include <math.h>
#include <string.h>

enum { PIECE = 256, ROUND = 2, AROUND = 2 * ROUND + 1 }; /* cells that the longest reach spans */

typedef struct job {
    supi_neighbours* lists;
    const supi_neighbour_kernels* kernels;
    supi_neighbour_columns columns;
    int32_t* longest; /* by piece: its longest list, with what fills it up */
    int32_t* scratch; /* `room` for each worker */
    int32_t room;
} job;

static int32_t piece_count(int32_t count) { return (count + PIECE - 1) / PIECE; }

/* What is in `cells` cells of a row. */
static supi_neighbour_run run_of(const supi_cell_list* list, const int32_t cell[3], int32_t cells) {
    int32_t place = supi_cell_list_place(list, cell);
    return (supi_neighbour_run){list->starts[place], list->starts[place + cells]};
}

/* The neighbours of a place in one of the cells where these are hashed. */
static int32_t look_hashed(const job* j, int32_t own, const int32_t cell[3], int32_t* out) {
    const supi_cell_list* list = &j->lists->cells;
    supi_neighbour_run run = run_of(list, cell, 1);
    int32_t count = j->kernels->sift(&j->columns, own, &run, 1, out), kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (supi_cell_list_in(list, out[i], cell)) out[kept++] = out[i];
    }
    return kept;
}

/* Cells from the point at `part` of its own cell to another one, along an axis. */
static float gap_to(int32_t cell, float part) {
    return cell > 0 ? (float)cell - part : cell < 0 ? part - (float)(cell + 1) : 0.0f;
}

/* The cells along x that are in reach of a point at `part` of cell `home`, where a gap of a square
   of `across` is between it and their row; false: none. `more` makes up for rounding. */
static bool reach_row(float part, float across, float more, int32_t home, int32_t cell[2]) {
    float left = (float)(ROUND * ROUND) - across + more;
    if (!(left > 0.0f)) return false;
    float way = sqrtf(left) + more;
    cell[0] = home + (int32_t)(part - way + 8.0f) - 8; /* rounds down what is above -8 */
    cell[1] = home + (int32_t)(part + way);
    return true;
}

/* All neighbours of a place, in the order of their cells. Writes up to 7 more than there are. */
static int32_t look_around(const job* j, int32_t own, int32_t* out) {
    const supi_cell_list* list = &j->lists->cells;
    const float at[3] = {j->columns.x[own], j->columns.y[own], j->columns.z[own]};
    float part[3], more = 1e-3f;
    int32_t home[3], found = 0, run_count = 0;
    supi_neighbour_run runs[AROUND * AROUND];
    if (!supi_cell_list_number(list, at, home)) return 0;
    for (int k = 0; k < 3; k++) {
        float q = (at[k] - list->low[k]) * list->inverse;
        part[k] = q - (float)home[k];
        more += 1e-6f * fabsf(q);
    }
    for (int32_t z = -ROUND; z <= ROUND; z++) {
        float gap_z = gap_to(z, part[2]);
        for (int32_t y = -ROUND; y <= ROUND; y++) {
            float gap_y = gap_to(y, part[1]);
            int32_t cell[3] = {0, home[1] + y, home[2] + z}, ends[2];
            if (!reach_row(part[0], gap_y * gap_y + gap_z * gap_z, more, home[0], ends)) continue;
            if (list->mask) {
                for (cell[0] = ends[0]; cell[0] <= ends[1]; cell[0]++) {
                    found += look_hashed(j, own, cell, out + found);
                }
                continue;
            }
            if (cell[1] < 0 || cell[1] >= list->count[1]) continue;
            if (cell[2] < 0 || cell[2] >= list->count[2]) continue;
            cell[0] = ends[0] < 0 ? 0 : ends[0];
            int32_t last = ends[1] < list->count[0] ? ends[1] : list->count[0] - 1;
            if (last < cell[0]) continue;
            runs[run_count++] = run_of(list, cell, last - cell[0] + 1);
        }
    }
    return found + j->kernels->sift(&j->columns, own, runs, run_count, out + found);
}

/* Lists that are too long for the stride are counted, and found again. */
static void list_piece(void* context, int32_t piece, int32_t worker) {
    const job* j = context;
    supi_neighbours* lists = j->lists;
    int32_t* scratch = j->scratch + (size_t)worker * (size_t)j->room;
    int32_t end = (piece + 1) * PIECE < lists->count ? (piece + 1) * PIECE : lists->count;
    int32_t longest = 0;
    for (int32_t i = piece * PIECE; i < end; i++) {
        int32_t count = look_around(j, i, scratch), full = (count + 7) & ~7;
        longest = full > longest ? full : longest;
        lists->lengths[i] = count;
        if (full > lists->stride) continue;
        int32_t* near = lists->near + (size_t)i * (size_t)lists->stride;
        memcpy(near, scratch, (size_t)count * sizeof *near);
        for (int32_t k = count; k < full; k++) near[k] = lists->count;
    }
    j->longest[piece] = longest;
}

/* A coordinate that has a cell whatever it is: lists of who is out of range matter to nobody, but
   many in one cell would make long ones, so each has its own. */
static float within(float x, float cell, int32_t point) {
    return fabsf(x) < (float)(0.25 * SUPI_CELL_RANGE) * cell ? x : 4.0f * cell * (float)point;
}

/* Columns in the order of cells, and the rows of these. */
static void fill_columns(supi_neighbours* lists, const sup_row* v, float* const columns[6]) {
    for (int32_t i = 0; i < lists->count; i++) {
        const supi_cell_entry* e = lists->cells.entries + i;
        const sup_row* u = v + e->point;
        const float values[6] = {e->x, e->y, e->z, u->x, u->y, u->z};
        lists->rows[i] = e->point;
        for (int k = 0; k < 6; k++) columns[k][i] = values[k];
    }
    for (int k = 0; k < 6; k++) {
        for (int32_t i = lists->count; i < lists->count + 8; i++) columns[k][i] = 0.0f;
    }
}

/* Room for lists of `stride`. */
static bool widen(supi_neighbours* lists, const sup_allocator* allocator, int32_t stride) {
    int64_t need = (int64_t)lists->count * stride;
    if (need > INT32_MAX) return false;
    lists->near =
        supi_column_reserve(&lists->near_store, allocator, (int32_t)need, sizeof *lists->near);
    if (!lists->near) return false;
    lists->stride = stride;
    return true;
}

/* What is written while a list is made is no more than this: what is in the fullest cell
   for each of those around, or all entries. Where cells are hashed, one place may be looked through
   for several cells; what it holds for others is dropped only afterwards. */
static int64_t list_bound(const supi_cell_list* cells) {
    int32_t places = supi_cell_list_places(cells), fullest = 0;
    for (int32_t p = 0; p < places; p++) {
        int32_t in = cells->starts[p + 1] - cells->starts[p];
        fullest = in > fullest ? in : fullest;
    }
    int64_t most = (int64_t)AROUND * AROUND * AROUND * fullest;
    int64_t all = (int64_t)cells->entry_count + (cells->mask ? fullest : 0);
    return most < all ? most : all;
}

/* All lists, once more where one was longer than ever. */
static bool make_lists(job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_neighbours* lists = j->lists;
    int32_t pieces = piece_count(lists->count),
            workers = tasks ? supi_tasks_worker_count(tasks) : 1;
    int64_t room = list_bound(&lists->cells) + 8, need = pieces + workers * room;
    if (need > INT32_MAX) return false;
    j->room = (int32_t)room;
    j->longest = supi_column_reserve(&lists->found, allocator, (int32_t)need, sizeof *j->longest);
    if (!j->longest || !widen(lists, allocator, lists->stride > 0 ? lists->stride : 8))
        return false;
    j->scratch = j->longest + pieces;
    for (;;) {
        int32_t longest = 0;
        supi_tasks_each(tasks, pieces, list_piece, j);
        for (int32_t i = 0; i < pieces; i++) {
            longest = j->longest[i] > longest ? j->longest[i] : longest;
        }
        if (longest <= lists->stride) return true;
        if (!widen(lists, allocator, longest)) return false;
    }
}

bool supi_neighbours_find(supi_neighbours* lists, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_neighbour_kernels* kernels, const supi_neighbour_search* s) {
    int32_t count = s->count;
    supi_cell_entry* entries =
        supi_column_reserve(&lists->entry_store, allocator, count, sizeof *entries);
    lists->rows = supi_column_reserve(&lists->row_store, allocator, count, sizeof *lists->rows);
    lists->lengths =
        supi_column_reserve(&lists->length_store, allocator, count, sizeof *lists->lengths);
    float *c[6], cell = (s->reach + s->most) / (float)ROUND;
    bool enough = entries && lists->rows && lists->lengths;
    for (int k = 0; k < 6; k++) {
        c[k] = supi_column_reserve(&lists->column_stores[k], allocator, count + 8, sizeof *c[k]);
        enough = enough && c[k];
    }
    lists->count = 0;
    if (!enough) return false;
    for (int32_t i = 0; i < count; i++) {
        entries[i] = (supi_cell_entry){within(s->x[i].x, cell, i), within(s->x[i].y, cell, i),
                                       within(s->x[i].z, cell, i), i, 0};
    }
    if (!supi_cell_list_build(&lists->cells, allocator, entries, count, cell)) return false;
    lists->count = count;
    fill_columns(lists, s->v, c);
    job j = {
        .lists = lists,
        .kernels = kernels,
        .columns = {c[0], c[1], c[2], c[3], c[4], c[5], s->reach, s->ahead, s->least, s->most}};
    if (make_lists(&j, allocator, tasks)) return true;
    lists->count = 0;
    return false;
}

/* How far the point at place i has gone astray. */
static void stray(const supi_neighbours* lists, const sup_row* x, float time, int32_t i,
                  double out[3]) {
    const sup_row* now = x + lists->rows[i];
    const float at[3] = {now->x, now->y, now->z};
    for (int k = 0; k < 3; k++) {
        float from = ((const float*)lists->column_stores[k].items)[i];
        float moves = ((const float*)lists->column_stores[3 + k].items)[i];
        out[k] = (double)(at[k] - (from + time * moves));
    }
}

bool supi_neighbours_hold(const supi_neighbours* lists, const sup_row* x, float time, float most) {
    double mean[3] = {0.0, 0.0, 0.0}, way[3];
    for (int32_t i = 0; i < lists->count; i++) {
        stray(lists, x, time, i, way);
        for (int k = 0; k < 3; k++) mean[k] += way[k] / lists->count;
    }
    for (int32_t i = 0; i < lists->count; i++) {
        double square = 0.0;
        stray(lists, x, time, i, way);
        for (int k = 0; k < 3; k++) square += (way[k] - mean[k]) * (way[k] - mean[k]);
        if (!(square <= (double)most * (double)most)) return false;
    }
    return true;
}

void supi_neighbours_free(supi_neighbours* lists, const sup_allocator* allocator) {
    supi_cell_list_free(&lists->cells, allocator);
    supi_column_free(&lists->row_store, allocator);
    supi_column_free(&lists->near_store, allocator);
    supi_column_free(&lists->length_store, allocator);
    supi_column_free(&lists->entry_store, allocator);
    supi_column_free(&lists->found, allocator);
    for (int k = 0; k < 6; k++) supi_column_free(&lists->column_stores[k], allocator);
    *lists = (supi_neighbours){0};
}
