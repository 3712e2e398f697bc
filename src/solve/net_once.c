/* A net in which springs have one side only, wherever both their ends lie in one block of rows. */
#include "solve/cluster.h"
#include "solve/net.h"
#include "solve/straight.h"

#include <string.h>

/* The end that has the side; a straight one is that of the lower row. */
enum { NOBODY, LOWER, UPPER, STRAIGHT };

typedef struct builder {
    const supi_spring_net* net;
    int32_t block;          /* rows of one */
    uint8_t* owner;         /* by spring */
    int32_t* next;          /* by row: its column to look at, from the first of the slice */
    int32_t* placed;        /* sides of the net in the columns of a slice; -1: none */
    int32_t count;          /* of such columns */
    int32_t straight_count; /* of these, the first ones */
    int32_t *columns, *straight, *mutual;
    supi_net_rooms to;
} builder;

static bool inside(const builder* b, int32_t row, int32_t other) {
    return row / b->block == other / b->block;
}

/* ---- Who has the side ---- */

/* The next spring of a row inside of the block that nobody has, given to it: the row at its other
   end; or -1. */
static int32_t take_next(builder* b, int32_t row) {
    const supi_spring_net* net = b->net;
    int32_t first = net->columns[row / 8], width = net->columns[row / 8 + 1] - first;
    while (b->next[row] < width) {
        int32_t side = 8 * (first + b->next[row]++) + (row & 7);
        int32_t spring = net->spring[side], other = net->other[side];
        if (spring < 0 || b->owner[spring] != NOBODY || !inside(b, row, other)) continue;
        b->owner[spring] = row < other ? LOWER : UPPER;
        return other;
    }
    return -1;
}

static int32_t springs_inside(const builder* b, int32_t row) {
    const supi_spring_net* net = b->net;
    int32_t count = 0;
    for (int32_t c = net->columns[row / 8]; c < net->columns[row / 8 + 1]; c++) {
        int32_t side = 8 * c + (row & 7);
        int32_t spring = net->spring[side];
        bool walked = spring >= 0 && b->owner[spring] != STRAIGHT;
        count += walked && inside(b, row, net->other[side]);
    }
    return count;
}

/* Springs of straight columns belong to their lower rows: these have straight columns then, too. */
static void keep_straight(builder* b) {
    const supi_spring_net* net = b->net;
    for (int32_t slice = 0; slice < net->row_count / 8 && net->straight; slice++) {
        for (int32_t side = 8 * net->columns[slice]; side < 8 * net->straight[slice]; side++) {
            int32_t row = 8 * slice + (side & 7), other = net->other[side];
            if (net->spring[side] < 0 || other < row || !inside(b, row, other)) continue;
            b->owner[net->spring[side]] = STRAIGHT;
        }
    }
}

/* Walks along springs, none twice, so that each row that is come to is left again: then it has half
   of its springs. Walks begin where the number of springs is odd as long as there are such rows. */
static void share_out(builder* b) {
    for (int even = 0; even < 2; even++) {
        for (int32_t row = 0; row < b->net->row_count; row++) {
            if (!even && springs_inside(b, row) % 2 == 0) continue;
            for (int32_t at = row; at >= 0;) at = take_next(b, at);
        }
    }
}

/* ---- Columns ---- */

/* A lane of a column but for one whose side goes to a row, or -1. */
static int32_t lane_to(const builder* b, int32_t column, int32_t other, int32_t but) {
    for (int32_t k = 0; k < 8; k++) {
        int32_t side = b->placed[8 * column + k];
        if (k != but && side >= 0 && b->net->other[side] == other) return k;
    }
    return -1;
}

/* Takes the side to `other` out of a column and into another that has none: lanes change places,
   one for as long as the one before has brought a side to a row that is there already. That comes
   to an end, and never to a lane that is free: sides in both columns make paths (König 1916). */
static void trade(builder* b, int32_t from, int32_t into, int32_t other) {
    for (int32_t lane = lane_to(b, from, other, -1); lane >= 0;) {
        int32_t *here = b->placed + 8 * from + lane, *there = b->placed + 8 * into + lane;
        int32_t brought = *there;
        *there = *here;
        *here = brought;
        lane = brought < 0 ? -1 : lane_to(b, from, b->net->other[brought], lane);
    }
}

/* In the first column from `first` on that has room; where it is a mutual one, no row may be there
   twice at the other end. There are as many columns as a row needs, at either end. */
static void place(builder* b, int32_t side, int32_t first, bool mutual) {
    const int32_t lane = side & 7, other = b->net->other[side];
    int32_t free_lane = -1, free_row = -1;
    for (int32_t column = first; column < b->count; column++) {
        bool has_lane = b->placed[8 * column + lane] < 0;
        bool has_row = !mutual || lane_to(b, column, other, -1) < 0;
        if (has_lane && (has_row || free_lane < 0)) free_lane = column;
        if (has_row && free_row < 0) free_row = column;
        if (has_lane && has_row) break;
    }
    if (free_lane < 0 || free_row < 0) {
        free_lane = b->count++;
        for (int32_t k = 0; k < 8; k++) b->placed[8 * free_lane + k] = -1;
    } else if (mutual) {
        trade(b, free_lane, free_row, other);
    }
    b->placed[8 * free_lane + lane] = side;
}

/* Has this side the whole spring? */
static bool owns(const builder* b, int32_t slice, int32_t side) {
    int32_t spring = b->net->spring[side], row = 8 * slice + (side & 7);
    if (spring < 0) return false;
    int32_t owner = b->owner[spring];
    return row < b->net->other[side] ? owner == LOWER || owner == STRAIGHT : owner == UPPER;
}

/* Straight columns, which come first. */
static void place_straight(builder* b, int32_t slice) {
    const supi_spring_net* net = b->net;
    int32_t sides[8 * SUPI_STRAIGHT_WIDEST], used[8] = {0}, width = 0;
    if (!net->straight || net->straight[slice] == net->columns[slice]) return;
    for (int k = 0; k < 8 * SUPI_STRAIGHT_WIDEST; k++) sides[k] = -1;
    for (int32_t side = 8 * net->columns[slice]; side < 8 * net->columns[slice + 1]; side++) {
        if (!owns(b, slice, side)) continue;
        int32_t column = used[side & 7]++;
        sides[8 * column + (side & 7)] = side;
        width = column < width ? width : column + 1;
    }
    int32_t low = 8 * slice / b->block * b->block;
    int32_t high = net->row_count - low < b->block ? net->row_count : low + b->block;
    const supi_straight_slice all = {8 * slice, width, low, high, net->other, sides};
    b->count = supi_straight_sort(&all);
    memcpy(b->placed, sides, 8 * (size_t)b->count * sizeof *sides);
}

/* And the others after them: those in the columns of a slice. */
static bool is_placed(const builder* b, int32_t side) {
    for (int32_t column = 0; column < b->straight_count; column++) {
        if (b->placed[8 * column + (side & 7)] == side) return true;
    }
    return false;
}

static void place_all(builder* b, int32_t slice, bool mutual) {
    const supi_spring_net* net = b->net;
    int32_t first = b->count;
    for (int32_t side = 8 * net->columns[slice]; side < 8 * net->columns[slice + 1]; side++) {
        int32_t spring = net->spring[side];
        if (mutual ? owns(b, slice, side) && !is_placed(b, side)
                   : spring >= 0 && b->owner[spring] == NOBODY) {
            place(b, side, first, mutual);
        }
    }
}

/* Padding of lane `lane`: a row of the slice that the column does not have yet, of which there are
   enough, and its own, from which it is no way, last. */
static int32_t untouched(int32_t slice, int32_t lane, const int32_t* others) {
    for (;;) {
        int32_t row = 8 * slice + (++lane & 7);
        bool met = false;
        for (int32_t k = 0; k < 8; k++) met = met || others[k] == row;
        if (!met) return row;
    }
}

static void write_column(const builder* b, int32_t slice, int32_t column) {
    const supi_spring_net* net = b->net;
    int32_t to = 8 * (b->columns[slice] + column), *others = b->to.other + to;
    for (int32_t k = 0; k < 8; k++) {
        int32_t side = b->placed[8 * column + k], lane = supi_lane_order(to + k);
        bool none = side < 0;
        others[k] = none ? -1 : net->other[side];
        b->to.spring[to + k] = none ? -1 : net->spring[side];
        b->to.length[lane] = none ? 0.0f : net->length[supi_lane_order(side)];
        b->to.stiffness[lane] = none ? 0.0f : net->stiffness[supi_lane_order(side)];
        b->to.damping[lane] = none ? 0.0f : net->damping[supi_lane_order(side)];
    }
    bool straight = column < b->straight_count;
    int32_t base = straight ? supi_straight_base(b->placed + 8 * column, net->other) : 0;
    for (int32_t k = 0; k < 8; k++) {
        if (others[k] < 0) others[k] = straight ? base + k : untouched(slice, k, others);
    }
}

static void cut(builder* b, bool write) {
    int32_t total = 0;
    for (int32_t slice = 0; slice < b->net->row_count / 8; slice++) {
        b->count = 0;
        place_straight(b, slice);
        b->straight_count = b->count;
        place_all(b, slice, true);
        b->columns[slice] = total;
        b->straight[slice] = total + b->straight_count;
        b->mutual[slice] = total + b->count;
        place_all(b, slice, false);
        total += b->count;
        for (int32_t c = 0; c < b->count && write; c++) write_column(b, slice, c);
    }
    b->columns[b->net->row_count / 8] = total;
}

static int32_t widest(const supi_spring_net* net) {
    int32_t most = 0;
    for (int32_t slice = 0; slice < net->row_count / 8; slice++) {
        int32_t width = net->columns[slice + 1] - net->columns[slice];
        most = width > most ? width : most;
    }
    return most;
}

bool supi_net_once(const supi_spring_net* net, supi_arena* arena, supi_arena* scratch,
                   supi_spring_net* out) {
    size_t slices = (size_t)net->row_count / 8, rows = (size_t)net->row_count;
    /* A side finds room after those of its row and the other seven with its other end. */
    size_t room = 8 * ((size_t)widest(net) + 8 + SUPI_STRAIGHT_WIDEST);
    builder b = {.net = net,
                 .block = supi_spring_block(net->row_count),
                 .owner = supi_arena_push(scratch, (size_t)net->spring_count, sizeof *b.owner),
                 .next = supi_arena_push(scratch, rows, sizeof *b.next),
                 .placed = supi_arena_push(scratch, 2 * room, sizeof *b.placed),
                 .columns = supi_arena_push(arena, slices + 1, sizeof *b.columns),
                 .straight = supi_arena_push(arena, slices, sizeof *b.straight),
                 .mutual = supi_arena_push(arena, slices, sizeof *b.mutual)};
    if (!b.owner || !b.next || !b.placed || !b.columns || !b.straight || !b.mutual) return false;
    memset(b.owner, NOBODY, (size_t)net->spring_count);
    memset(b.next, 0, rows * sizeof *b.next);
    keep_straight(&b);
    share_out(&b);
    cut(&b, false);
    if (!supi_net_push(arena, b.columns[slices], &b.to)) return false;
    cut(&b, true);
    *out = *net;
    out->column_count = b.columns[slices];
    out->columns = b.columns;
    out->straight = b.straight;
    out->mutual = b.mutual;
    out->other = b.to.other;
    out->spring = b.to.spring;
    out->length = b.to.length;
    out->stiffness = b.to.stiffness;
    out->damping = b.to.damping;
    out->once = NULL;
    return true;
}
