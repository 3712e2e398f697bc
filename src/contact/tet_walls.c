/* Ways through the surface of a body. */
#include "contact/tet_walls.h"

#include "geom/facet.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

/* Most cells, and most triangles in cells, for so many triangles and beside. */
#define CELLS_EACH 4
#define MEMBERS_EACH 16
#define BESIDE 64

/* Triangles reach this share of a cell further than they do, so that rounding loses none. */
#define SLACK 1e-3

bool supi_tet_walls_reserve(supi_tet_walls* walls, const sup_allocator* allocator,
                            int32_t triangle_count) {
    if (triangle_count > (INT32_MAX - BESIDE) / MEMBERS_EACH) return false;
    int32_t cells = CELLS_EACH * triangle_count + BESIDE;
    int32_t members = MEMBERS_EACH * triangle_count + BESIDE;
    walls->triangles =
        supi_column_reserve(&walls->triangle_store, allocator, triangle_count, sizeof(int32_t));
    walls->starts = supi_column_reserve(&walls->start_store, allocator, cells + 1, sizeof(int32_t));
    walls->members = supi_column_reserve(&walls->member_store, allocator, members, sizeof(int32_t));
    return walls->triangles && walls->starts && walls->members;
}

void supi_tet_walls_free(supi_tet_walls* walls, const sup_allocator* allocator) {
    supi_column_free(&walls->triangle_store, allocator);
    supi_column_free(&walls->start_store, allocator);
    supi_column_free(&walls->member_store, allocator);
    *walls = (supi_tet_walls){0};
}

/* ---- Triangles in cells ---- */

static void pick_triangles(supi_tet_walls* walls, const double low[3], const double high[3]) {
    walls->triangle_count = 0;
    for (int32_t t = 0; t < walls->body->form->triangle_count; t++) {
        const supi_tet_face* face = &walls->faces[t];
        bool meets = true;
        for (int k = 0; k < 3; k++) {
            meets &= ((double)face->low[k] <= high[k]) & ((double)face->high[k] >= low[k]);
        }
        walls->triangles[walls->triangle_count] = t;
        walls->triangle_count += meets;
    }
}

static int32_t cell_of(const supi_tet_walls* walls, double x, int axis, double slack) {
    double number = (x - walls->low[axis]) * walls->inverse + slack;
    if (!(number > 0.0)) return 0;
    if (number >= (double)walls->count[axis]) return walls->count[axis] - 1;
    return (int32_t)number;
}

/* The first and the last cell of a triangle along each axis. */
static void cells_of(const supi_tet_walls* walls, int32_t triangle, int32_t first[3],
                     int32_t last[3]) {
    const supi_tet_face* face = &walls->faces[triangle];
    for (int k = 0; k < 3; k++) {
        first[k] = cell_of(walls, (double)face->low[k], k, -SLACK);
        last[k] = cell_of(walls, (double)face->high[k], k, SLACK);
    }
}

static int32_t place_of(const supi_tet_walls* walls, const int32_t at[3]) {
    return (at[2] * walls->count[1] + at[1]) * walls->count[0] + at[0];
}

/* Cells of the edge `size`, if there is room for them. */
static bool fits(supi_tet_walls* walls, const double high[3], double size) {
    double cells = 1.0, members = 0.0;
    walls->inverse = 1.0 / size;
    for (int k = 0; k < 3; k++) {
        double number = (high[k] - walls->low[k]) * walls->inverse;
        if (!(number < (double)(CELLS_EACH * walls->triangle_count + BESIDE))) return false;
        walls->count[k] = (int32_t)number + 1;
        cells *= (double)walls->count[k];
    }
    if (cells > (double)(CELLS_EACH * walls->triangle_count + BESIDE)) return false;
    for (int32_t i = 0; i < walls->triangle_count; i++) {
        int32_t first[3], last[3];
        cells_of(walls, walls->triangles[i], first, last);
        members +=
            (double)(last[0] - first[0] + 1) * (last[1] - first[1] + 1) * (last[2] - first[2] + 1);
    }
    return members <= (double)(MEMBERS_EACH * walls->triangle_count + BESIDE);
}

/* Goes over the cells of all triangles, last to first: counts, or fills from the ends. */
static void visit_cells(supi_tet_walls* walls, bool fill) {
    int32_t first[3], last[3], at[3];
    for (int32_t i = walls->triangle_count - 1; i >= 0; i--) {
        cells_of(walls, walls->triangles[i], first, last);
        for (at[2] = first[2]; at[2] <= last[2]; at[2]++) {
            for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
                for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                    int32_t* end = &walls->starts[place_of(walls, at)];
                    if (fill)
                        walls->members[--*end] = i;
                    else
                        ++*end;
                }
            }
        }
    }
}

void supi_tet_walls_build(supi_tet_walls* walls, const supi_tet_body* body,
                          const supi_tet_face* faces, const double low[3], const double high[3]) {
    walls->body = body;
    walls->faces = faces;
    pick_triangles(walls, low, high);
    memcpy(walls->low, low, sizeof walls->low);
    double widest = 0.0;
    for (int k = 0; k < 3; k++) {
        widest = high[k] - low[k] > widest ? high[k] - low[k] : widest;
    }
    double size = (double)body->form->edge;
    if (!(size > 1e-6 * widest)) size = widest > 0.0 ? 1e-6 * widest : 1.0;
    while (!fits(walls, high, size)) size *= 2.0; /* ends with one cell */
    int32_t cells = walls->count[0] * walls->count[1] * walls->count[2], sum = 0;
    memset(walls->starts, 0, ((size_t)cells + 1) * sizeof *walls->starts);
    visit_cells(walls, false);
    for (int32_t i = 0; i <= cells; i++) sum += walls->starts[i], walls->starts[i] = sum;
    visit_cells(walls, true);
}

/* ---- Ways ---- */

/* A way from cell to cell (Amanatides & Woo 1987): as many steps as cells lie between its ends,
   each over the side that comes first. */
typedef struct walk {
    int32_t at[3], step[3], left[3];
    double next[3], length[3]; /* t at the next side, t from side to side */
    double t;                  /* where the way came into the cell */
} walk;

static walk walk_begin(const supi_tet_walls* walls, const double from[3], const double to[3]) {
    walk w = {.t = 0.0};
    for (int k = 0; k < 3; k++) {
        int32_t end = cell_of(walls, to[k], k, 0.0);
        double way = (to[k] - from[k]) * walls->inverse;
        double begin = (from[k] - walls->low[k]) * walls->inverse;
        w.at[k] = cell_of(walls, from[k], k, 0.0);
        w.step[k] = end < w.at[k] ? -1 : 1;
        w.left[k] = end < w.at[k] ? w.at[k] - end : end - w.at[k];
        w.length[k] = w.left[k] > 0 ? 1.0 / fabs(way) : 0.0;
        double side = (double)(w.at[k] + (w.step[k] > 0));
        w.next[k] = w.left[k] > 0 ? fabs(side - begin) * w.length[k] : DBL_MAX;
    }
    return w;
}

static bool walk_on(walk* w) {
    int axis = w->next[0] <= w->next[1] ? 0 : 1;
    if (w->next[2] < w->next[axis]) axis = 2;
    if (w->left[axis] == 0) return false;
    w->t = w->next[axis];
    w->at[axis] += w->step[axis];
    w->next[axis] = --w->left[axis] > 0 ? w->next[axis] + w->length[axis] : DBL_MAX;
    return true;
}

bool supi_tet_crosses(const supi_tet_body* body, int32_t triangle, const double from[3],
                      const double to[3], supi_tet_crossing* out) {
    sup_vec3 c[3];
    supi_tet_corners(body, triangle, c);
    out->triangle = triangle;
    return supi_facet_cross(c, from, to, &out->t, out->weights);
}

/* The box of a way, a little larger than it is. */
typedef struct way_box {
    float low[3], high[3];
} way_box;

static way_box box_way(const double from[3], const double to[3]) {
    way_box box;
    for (int k = 0; k < 3; k++) {
        double low = from[k] < to[k] ? from[k] : to[k], high = from[k] < to[k] ? to[k] : from[k];
        double slack = 1e-6 * (fabs(low) + fabs(high));
        box.low[k] = (float)(low - slack);
        box.high[k] = (float)(high + slack);
    }
    return box;
}

static bool near_way(const way_box* box, const supi_tet_face* face) {
    bool near = true;
    for (int k = 0; k < 3; k++) {
        near &= (face->low[k] <= box->high[k]) & (face->high[k] >= box->low[k]);
    }
    return near;
}

/* Whether the way crosses member i of a cell. */
static bool try_member(const supi_tet_walls* walls, int32_t i, const way_box* box,
                       const double from[3], const double to[3], supi_tet_crossing* out) {
    int32_t triangle = walls->triangles[walls->members[i]];
    if (!near_way(box, &walls->faces[triangle])) return false;
    out->member = walls->members[i];
    return supi_tet_crosses(walls->body, triangle, from, to, out);
}

bool supi_tet_walls_first(const supi_tet_walls* walls, const double from[3], const double to[3],
                          supi_tet_crossing* out) {
    bool found = false;
    way_box box = box_way(from, to);
    walk w = walk_begin(walls, from, to);
    do {
        /* a crossing in an earlier cell is earlier, but for rounding */
        if (found && out->t < w.t - SLACK) break;
        int32_t place = place_of(walls, w.at);
        for (int32_t i = walls->starts[place]; i < walls->starts[place + 1]; i++) {
            supi_tet_crossing c;
            if (!try_member(walls, i, &box, from, to, &c)) continue;
            if (found && (c.t > out->t || (c.t == out->t && c.triangle >= out->triangle))) continue;
            *out = c;
            found = true;
        }
    } while (walk_on(&w));
    return found;
}

static bool before(const supi_tet_crossing* a, const supi_tet_crossing* b) {
    return a->t < b->t || (a->t == b->t && a->triangle < b->triangle);
}

int32_t supi_tet_crossing_insert(supi_tet_crossing* list, int32_t count, int32_t most,
                                 supi_tet_crossing c) {
    int32_t to = count;
    while (to > 0 && before(&c, &list[to - 1])) to--;
    if (to > 0 && list[to - 1].triangle == c.triangle && list[to - 1].t == c.t) return count;
    if (to >= most) return count;
    if (count < most) count++;
    memmove(&list[to + 1], &list[to], (size_t)(count - 1 - to) * sizeof *list);
    list[to] = c;
    return count;
}

int32_t supi_tet_walls_all(const supi_tet_walls* walls, const double from[3], const double to[3],
                           supi_tet_crossing* out, int32_t most) {
    int32_t count = 0;
    way_box box = box_way(from, to);
    walk w = walk_begin(walls, from, to);
    do {
        int32_t place = place_of(walls, w.at);
        for (int32_t i = walls->starts[place]; i < walls->starts[place + 1]; i++) {
            supi_tet_crossing c;
            if (try_member(walls, i, &box, from, to, &c)) {
                count = supi_tet_crossing_insert(out, count, most, c);
            }
        }
    } while (walk_on(&w));
    return count;
}
