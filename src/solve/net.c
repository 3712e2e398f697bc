#include "solve/net.h"

#include "solve/cluster.h"
#include "solve/straight.h"

#include <string.h>

bool supi_net_push(supi_arena* arena, int32_t column_count, supi_net_rooms* rooms) {
    size_t sides = 8 * (size_t)column_count;
    rooms->other = supi_arena_push(arena, sides, sizeof *rooms->other);
    rooms->spring = supi_arena_push(arena, sides, sizeof *rooms->spring);
    rooms->length = supi_arena_push(arena, sides, sizeof *rooms->length);
    rooms->stiffness = supi_arena_push(arena, sides, sizeof *rooms->stiffness);
    rooms->damping = supi_arena_push(arena, sides, sizeof *rooms->damping);
    return rooms->other && rooms->spring && rooms->length && rooms->stiffness && rooms->damping;
}

static bool acts(const supi_net_source* from, const sup_spring* s) {
    return from->inverse_mass[s->a] > 0.0f || from->inverse_mass[s->b] > 0.0f;
}

/* A slice is as wide as the row of it with the most springs. */
int32_t supi_net_cut(const supi_net_source* from, const supi_net_rooms* to) {
    int64_t total = 0;
    memset(to->used, 0, (size_t)from->row_count * sizeof *to->used);
    for (int32_t i = 0; i < from->spring_count; i++) {
        if (!acts(from, from->springs + i)) continue;
        to->used[from->springs[i].a]++;
        to->used[from->springs[i].b]++;
    }
    for (int32_t slice = 0; slice < from->row_count / 8; slice++) {
        int32_t most = 0;
        for (int32_t r = 8 * slice; r < 8 * slice + 8; r++) {
            most = to->used[r] > most ? to->used[r] : most;
        }
        to->columns[slice] = (int32_t)total;
        total += most;
        if (total > INT32_MAX / 16) return -1;
    }
    to->columns[from->row_count / 8] = (int32_t)total;
    return (int32_t)total;
}

static void put_side(const supi_net_rooms* to, int32_t row, int32_t other, int32_t number,
                     const sup_spring* s) {
    int32_t first = 8 * (to->columns[row / 8] + to->used[row]++), at = first + (row & 7);
    int32_t lane = supi_lane_order(at);
    to->other[at] = other;
    to->spring[at] = number;
    to->length[lane] = s->slack ? -s->length : s->length;
    to->stiffness[lane] = s->stiffness;
    to->damping[lane] = s->damping;
}

static void clear_sides(const supi_net_source* from, const supi_net_rooms* to) {
    int32_t slices = from->row_count / 8;
    size_t sides = 8 * (size_t)to->columns[slices];
    for (int32_t slice = 0; slice < slices; slice++) {
        for (int32_t c = to->columns[slice]; c < to->columns[slice + 1]; c++) {
            for (int32_t k = 0; k < 8; k++) to->other[8 * c + k] = 8 * slice + k;
        }
    }
    for (size_t i = 0; i < sides; i++) to->spring[i] = -1;
    memset(to->length, 0, sides * sizeof *to->length);
    memset(to->stiffness, 0, sides * sizeof *to->stiffness);
    memset(to->damping, 0, sides * sizeof *to->damping);
    memset(to->used, 0, (size_t)from->row_count * sizeof *to->used);
}

/* ---- Straight columns ---- */

typedef struct side {
    int32_t other, spring;
    float length, stiffness, damping;
} side;

static side side_at(const supi_net_rooms* to, int32_t at) {
    int32_t lane = supi_lane_order(at);
    return (side){to->other[at], to->spring[at], to->length[lane], to->stiffness[lane],
                  to->damping[lane]};
}

static void set_side(const supi_net_rooms* to, int32_t at, const side* s) {
    int32_t lane = supi_lane_order(at);
    to->other[at] = s->other;
    to->spring[at] = s->spring;
    to->length[lane] = s->length;
    to->stiffness[lane] = s->stiffness;
    to->damping[lane] = s->damping;
}

/* Padding of straight columns goes where a side would. */
static void straighten(const supi_net_rooms* to, int32_t slice, int32_t high) {
    enum { ROOM = 8 * SUPI_STRAIGHT_WIDEST };
    int32_t first = to->columns[slice], width = to->columns[slice + 1] - first, count = 0;
    to->straight[slice] = first;
    if (width > SUPI_STRAIGHT_WIDEST) return;
    int32_t sides[ROOM], other[ROOM];
    side before[ROOM];
    for (int32_t at = 0; at < 8 * width; at++) {
        before[at] = side_at(to, 8 * first + at);
        other[at] = before[at].other;
        sides[at] = before[at].spring < 0 ? -1 : at;
    }
    const supi_straight_slice all = {8 * slice, width, 0, high, other, sides};
    count = supi_straight_sort(&all);
    to->straight[slice] = first + count;
    for (int32_t at = 0; at < 8 * width; at++) {
        int32_t column = at / 8, lane = at & 7;
        side now = {8 * slice + lane, -1, 0.0f, 0.0f, 0.0f};
        if (column < count) now.other = supi_straight_base(sides + 8 * column, other) + lane;
        set_side(to, 8 * first + at, sides[at] < 0 ? &now : before + sides[at]);
    }
}

supi_spring_net supi_net_fill(const supi_net_source* from, const supi_net_rooms* to) {
    double sum = 0.0;
    float longest = 0.0f;
    bool plain = true;
    int32_t last = 0;
    clear_sides(from, to);
    for (int32_t i = 0; i < from->spring_count; i++) {
        const sup_spring* s = from->springs + i;
        sum += (double)s->length;
        longest = s->length > longest ? s->length : longest;
        plain = plain && s->length > 0.0f && !s->slack;
        if (!acts(from, s)) continue;
        last = s->b > last ? s->b : last;
        put_side(to, s->a, s->b, i, s);
        put_side(to, s->b, s->a, i, s);
    }
    for (int32_t i = 0; i < from->row_count / 8 && to->straight; i++) {
        straighten(to, i, (last + 8) & ~7); /* spare rows beyond do not matter */
    }
    return (supi_spring_net){
        .row_count = from->row_count,
        .spring_count = from->spring_count,
        .column_count = to->columns[from->row_count / 8],
        .mean_length = from->spring_count > 0 ? (float)(sum / from->spring_count) : 0.0f,
        .longest = longest,
        .plain = plain,
        .columns = to->columns,
        .straight = to->straight,
        .groups = from->groups,
        .other = to->other,
        .spring = to->spring,
        .length = to->length,
        .stiffness = to->stiffness,
        .damping = to->damping,
        .rest = from->rest,
    };
}
