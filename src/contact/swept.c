/* Seen along the way of one to the other, spheres that touch lie over each other: what is left is
   to find neighbours in a plane, and that along one line of it. */
#include "contact/swept.h"

#include "geom/sort.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DEEP 0.5 /* of the sum of radii: nearer at the start is in each other */

/* A sphere at the start, as the plane across the way sees it. */
typedef struct spot {
    double along, across[2], radius;
} spot;

typedef struct view {
    const supi_swept_side* sides;
    supi_swept* swept;
    double axes[3][3]; /* the way of side 0 to side 1, and two across */
    double length;     /* m, of that way */
    spot* spots[2];
    int32_t* ids;  /* rows of side 1 by their first place across */
    double widest; /* m, radius of side 1 */
} view;

bool supi_swept_reserve(supi_swept* swept, const sup_allocator* allocator, int32_t count) {
    for (int i = 0; i < 2; i++) {
        swept->hit[i] = supi_column_reserve(&swept->hits[i], allocator, count, sizeof(uint8_t));
        if (!swept->hit[i]) return false;
        if (!supi_column_reserve(&swept->spots[i], allocator, count, sizeof(spot))) return false;
    }
    if (count > INT32_MAX / 2) return false;
    return supi_column_reserve(&swept->keys, allocator, 2 * count, sizeof(uint64_t)) &&
           supi_column_reserve(&swept->ids, allocator, 2 * count, sizeof(int32_t));
}

void supi_swept_free(supi_swept* swept, const sup_allocator* allocator) {
    for (int i = 0; i < 2; i++) {
        supi_column_free(&swept->spots[i], allocator);
        supi_column_free(&swept->hits[i], allocator);
    }
    supi_column_free(&swept->keys, allocator);
    supi_column_free(&swept->ids, allocator);
    *swept = (supi_swept){0};
}

/* ---- The plane across ---- */

static bool find_axes(view* w) {
    double way[3];
    supi_vector_subtract(w->sides[0].way, w->sides[1].way, way);
    w->length = supi_vector_length(way);
    if (!(w->length > 0.0)) return false;
    int least = 0;
    for (int k = 0; k < 3; k++) {
        w->axes[0][k] = way[k] / w->length;
        if (fabs(way[k]) < fabs(way[least])) least = k;
    }
    double other[3] = {0.0, 0.0, 0.0};
    other[least] = 1.0;
    supi_vector_cross(w->axes[0], other, w->axes[1]);
    double size = supi_vector_length(w->axes[1]);
    for (int k = 0; k < 3; k++) w->axes[1][k] /= size;
    supi_vector_cross(w->axes[0], w->axes[1], w->axes[2]);
    return true;
}

/* Where the row of a side is at the start, from the anchor of side 0. */
static void place_of(const view* w, int side, int32_t row, double at[3]) {
    const supi_swept_side* s = &w->sides[side];
    supi_vector_of_row(&s->x[row], at);
    for (int k = 0; k < 3; k++) at[k] += s->anchor[k] - w->sides[0].anchor[k] - s->way[k];
}

static void lay_out(view* w, int side) {
    for (int32_t i = 0; i < w->sides[side].count; i++) {
        double at[3];
        place_of(w, side, i, at);
        w->spots[side][i] =
            (spot){.along = supi_vector_dot(w->axes[0], at),
                   .across = {supi_vector_dot(w->axes[1], at), supi_vector_dot(w->axes[2], at)},
                   .radius = (double)w->sides[side].v[i].w};
    }
}

static void sort_spots(view* w) {
    uint64_t* keys = w->swept->keys.items;
    int32_t* ids = w->swept->ids.items;
    int32_t count = w->sides[1].count;
    for (int32_t i = 0; i < count; i++) {
        const spot* s = &w->spots[1][i];
        keys[i] = supi_sort_key(s->across[0]);
        ids[i] = i;
        w->widest = s->radius > w->widest ? s->radius : w->widest;
    }
    supi_sort_keys(count, keys, ids, keys + count, ids + count);
    w->ids = ids;
}

/* ---- Touches ---- */

/* m of the way until two touch, 0 at least; DBL_MAX: they do not. *deep: they are in each other. */
static double way_to(const view* w, const spot* a, const spot* b, bool* deep) {
    double one = b->across[0] - a->across[0], two = b->across[1] - a->across[1];
    double reach = a->radius + b->radius, beside = one * one + two * two;
    double ahead = b->along - a->along;
    if (!(a->radius > 0.0) || !(b->radius > 0.0) || !(beside < reach * reach)) return DBL_MAX;
    *deep = *deep || beside + ahead * ahead < DEEP * reach * DEEP * reach;
    double way = ahead - sqrt(reach * reach - beside);
    if (!(ahead > 0.0) || !(way < w->length)) return DBL_MAX;
    return way > 0.0 ? way : 0.0;
}

typedef struct touches {
    double first, until; /* m of the way: the earliest, and up to where normals count */
    double normal[3], place[3];
    int32_t count;
    bool deep;
} touches;

static void add_touch(const view* w, int32_t i, int32_t j, double way, touches* sum) {
    double a[3], b[3], n[3];
    place_of(w, 0, i, a);
    place_of(w, 1, j, b);
    double part = way / w->length, reach = w->spots[0][i].radius + w->spots[1][j].radius;
    for (int k = 0; k < 3; k++) {
        a[k] += part * w->sides[0].way[k];
        b[k] += part * w->sides[1].way[k];
        n[k] = a[k] - b[k];
    }
    double length = supi_vector_length(n), share = w->spots[1][j].radius / reach;
    for (int k = 0; k < 3 && length > 0.0; k++) {
        sum->normal[k] += n[k] / length;
        sum->place[k] += w->sides[0].anchor[k] + b[k] + share * n[k];
    }
    sum->count += length > 0.0;
}

/* All couples that touch: the first pass finds the earliest, the second those that count. */
static void go_over(const view* w, bool second, touches* sum) {
    int32_t count = w->sides[1].count;
    for (int32_t i = 0; i < w->sides[0].count; i++) {
        const spot* a = &w->spots[0][i];
        double reach = a->radius + w->widest;
        uint64_t low = supi_sort_key(a->across[0] - reach),
                 high = supi_sort_key(a->across[0] + reach);
        int32_t at = supi_seek(w->swept->keys.items, count, low);
        for (; at < count && ((const uint64_t*)w->swept->keys.items)[at] <= high; at++) {
            int32_t j = w->ids[at];
            double way = way_to(w, a, &w->spots[1][j], &sum->deep);
            if (way == DBL_MAX) continue;
            w->swept->hit[0][i] = w->swept->hit[1][j] = 1;
            if (!second && way < sum->first) sum->first = way;
            if (second && way <= sum->until) add_touch(w, i, j, way, sum);
        }
    }
}

bool supi_swept_find(supi_swept* swept, const supi_swept_side sides[2], double soon,
                     supi_swept_touch* out) {
    view w = {
        .sides = sides, .swept = swept, .spots = {swept->spots[0].items, swept->spots[1].items}};
    touches sum = {.first = DBL_MAX};
    if (!find_axes(&w)) return false;
    for (int i = 0; i < 2; i++) {
        lay_out(&w, i);
        memset(swept->hit[i], 0, (size_t)sides[i].count);
    }
    sort_spots(&w);
    go_over(&w, false, &sum);
    if (sum.first == DBL_MAX || sum.deep) return false;
    sum.until = sum.first + soon;
    go_over(&w, true, &sum);
    double size = supi_vector_length(sum.normal);
    if (sum.count == 0 || !(size > 0.0)) return false;
    out->t = sum.first / w.length;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = sum.normal[k] / size;
        out->place[k] = sum.place[k] / sum.count;
    }
    return true;
}
