/* Triangles of polygons that have been bent. */
#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "geom/mesh.h"
#include "geom/vector.h"
#include "supple/deform.h"

#include <string.h>

#define FLAT 1e-12        /* m^2, twice the area: smaller polygons have no normal */
#define MUCH_SHORTER 0.95 /* of the other diagonal, for a cut to change */
#define CUT_02 1          /* what `diagonals` remembers; 0: nothing yet */
#define CUT_13 2

typedef struct cutting {
    const sup_mesh* mesh;
    const sup_vec3* rest;
    uint8_t* diagonals; /* a copy, which counts when all is done; NULL: none */
    sup_mesh* out;
    int32_t* ids; /* different corners of a polygon that are left */
    int32_t count;
} cutting;

static void place(const sup_vec3* points, int32_t id, double out[3]) {
    supi_vector_from(&points[id], out);
}

static void normal_of(const sup_vec3* points, int32_t a, int32_t b, int32_t c, double out[3]) {
    double x[3], y[3], z[3];
    place(points, a, x);
    place(points, b, y);
    place(points, c, z);
    supi_vector_subtract(y, x, y);
    supi_vector_subtract(z, x, z);
    supi_vector_cross(y, z, out);
}

/* The normal of all that is left, as long as twice its area (Newell). */
static void newell(const cutting* t, const sup_vec3* points, double out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (int32_t k = 1; k + 1 < t->count; k++) {
        double n[3];
        normal_of(points, t->ids[0], t->ids[k], t->ids[k + 1], n);
        for (int i = 0; i < 3; i++) out[i] += n[i];
    }
}

static void add(cutting* t, int32_t a, int32_t b, int32_t c) {
    sup_mesh* m = t->out;
    m->corners[m->corner_count++] = a;
    m->corners[m->corner_count++] = b;
    m->corners[m->corner_count++] = c;
    m->starts[++m->polygon_count] = m->corner_count;
}

/* ---- Quads ---- */

static double diagonal(const cutting* t, int from) {
    double a[3], b[3];
    place(t->mesh->points, t->ids[from], a);
    place(t->mesh->points, t->ids[from + 2], b);
    supi_vector_subtract(b, a, b);
    return supi_vector_length(b);
}

/* How many of the two triangles of a cut face against `normal`. */
static int inverted(const cutting* t, int from, const double normal[3]) {
    int count = 0;
    for (int half = 0; half < 2; half++) {
        int a = (from + 2 * half) & 3;
        double n[3];
        normal_of(t->mesh->points, t->ids[a], t->ids[(a + 1) & 3], t->ids[(a + 2) & 3], n);
        count += supi_vector_dot(n, normal) < 0.0;
    }
    return count;
}

static void cut_quad(cutting* t, int32_t polygon) {
    double normal[3], even = diagonal(t, 0), odd = diagonal(t, 1);
    uint8_t before = t->diagonals ? t->diagonals[polygon] : 0;
    int from = before == CUT_13 ? 1 : 0;
    if (before == CUT_02 && odd < MUCH_SHORTER * even) from = 1;
    if (before == CUT_13 && even < MUCH_SHORTER * odd) from = 0;
    if (before == 0) from = odd < even;
    newell(t, t->rest ? t->rest : t->mesh->points, normal);
    if (inverted(t, 1 - from, normal) < inverted(t, from, normal)) from = 1 - from;
    if (t->diagonals) t->diagonals[polygon] = from ? CUT_13 : CUT_02;
    for (int half = 0; half < 2; half++) {
        int a = (from + 2 * half) & 3;
        add(t, t->ids[a], t->ids[(a + 1) & 3], t->ids[(a + 2) & 3]);
    }
}

/* ---- Larger ones ---- */

/* Whether p, seen along the normal, is in the triangle or on its sides. */
static bool covers(const cutting* t, const int32_t corner[3], int32_t p, const double normal[3]) {
    for (int k = 0; k < 3; k++) {
        double n[3];
        normal_of(t->mesh->points, corner[k], corner[(k + 1) % 3], p, n);
        if (supi_vector_dot(n, normal) < 0.0) return false;
    }
    return true;
}

static bool is_ear(const cutting* t, int32_t at, const double normal[3]) {
    const int32_t corner[3] = {t->ids[(at + t->count - 1) % t->count], t->ids[at],
                               t->ids[(at + 1) % t->count]};
    double n[3];
    normal_of(t->mesh->points, corner[0], corner[1], corner[2], n);
    if (!(supi_vector_dot(n, normal) > 0.0)) return false;
    for (int32_t k = 0; k < t->count; k++) {
        int32_t id = t->ids[k];
        bool own = id == corner[0] || id == corner[1] || id == corner[2];
        if (!own && covers(t, corner, id, normal)) return false;
    }
    return true;
}

static void clip_ears(cutting* t) {
    double normal[3];
    newell(t, t->mesh->points, normal);
    bool flat = supi_vector_length(normal) < FLAT;
    while (t->count > 3) {
        int32_t ear = 0;
        while (!flat && ear < t->count && !is_ear(t, ear, normal)) ear++;
        if (flat || ear == t->count) ear = 1; /* a fan about the first corner */
        int32_t before = (ear + t->count - 1) % t->count, after = (ear + 1) % t->count;
        add(t, t->ids[before], t->ids[ear], t->ids[after]);
        t->count--;
        memmove(t->ids + ear, t->ids + ear + 1, (size_t)(t->count - ear) * sizeof *t->ids);
    }
    add(t, t->ids[0], t->ids[1], t->ids[2]);
}

/* ---- All ---- */

/* Corners without those that repeat the one before, and without spikes: what goes to a point and
   straight back has no area. */
static void take_corner(cutting* t, int32_t id) {
    if (t->count > 0 && t->ids[t->count - 1] == id) return;
    if (t->count > 1 && t->ids[t->count - 2] == id) {
        t->count--;
    } else {
        t->ids[t->count++] = id;
    }
}

static void gather_corners(cutting* t, int32_t polygon) {
    const sup_mesh* m = t->mesh;
    int32_t first = 0;
    t->count = 0;
    for (int32_t c = m->starts[polygon]; c < m->starts[polygon + 1]; c++) {
        take_corner(t, m->corners[c]);
    }
    for (bool more = true; more;) { /* the same where the end meets the beginning */
        const int32_t *ids = t->ids + first, count = t->count - first;
        more = true;
        if (count > 1 && ids[count - 1] == ids[0]) {
            t->count--;
        } else if (count > 2 && ids[count - 2] == ids[0]) {
            t->count -= 2;
        } else if (count > 2 && ids[count - 1] == ids[1]) {
            t->count--;
            first++;
        } else {
            more = false;
        }
    }
    t->count -= first;
    memmove(t->ids, t->ids + first, (size_t)t->count * sizeof *t->ids);
}

static void cut_all(cutting* t) {
    for (int32_t p = 0; p < t->mesh->polygon_count; p++) {
        gather_corners(t, p);
        if (t->count < 3) continue;
        if (t->count == 4) {
            cut_quad(t, p);
        } else {
            clip_ears(t);
        }
    }
}

static sup_result check_rest(const sup_mesh* mesh, const sup_vec3* rest, sup_error* error) {
    for (int32_t i = 0; rest && i < mesh->point_count; i++) {
        double p[3];
        place(rest, i, p);
        if (!(supi_vector_length(p) < 1e30))
            return supi_error_set(error, SUP_BAD_ARGUMENT, "rest[%d] is not finite", (int)i);
    }
    return SUP_OK;
}

sup_result sup_mesh_triangulate(const sup_allocator* allocator, const sup_mesh* mesh,
                                const sup_vec3* rest, uint8_t* diagonals, sup_mesh* out,
                                sup_error* error) {
    SUPI_NEED(error, mesh, out);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = supi_mesh_check(mesh, error);
    if (result == SUP_OK) result = check_rest(mesh, rest, error);
    if (result != SUP_OK) return result;
    supi_arena arena;
    sup_mesh draft = {.point_count = 0};
    size_t triangles = (size_t)mesh->corner_count, polygons = (size_t)mesh->polygon_count;
    supi_arena_init(&arena, allocator);
    draft.starts = supi_arena_push(&arena, triangles + 1, sizeof *draft.starts);
    draft.corners = supi_arena_push(&arena, 3 * triangles, sizeof *draft.corners);
    cutting t = {mesh, rest, NULL, &draft, NULL, 0};
    t.ids = supi_arena_push(&arena, triangles, sizeof *t.ids);
    if (diagonals) t.diagonals = supi_arena_push(&arena, polygons, sizeof *t.diagonals);
    bool room = draft.starts && draft.corners && t.ids && (t.diagonals || !diagonals);
    result = room ? SUP_OK : supi_error_memory(error);
    if (result == SUP_OK) {
        if (diagonals && polygons > 0) memcpy(t.diagonals, diagonals, polygons);
        cut_all(&t);
        result = sup_mesh_create(allocator, mesh->point_count, mesh->points, draft.polygon_count,
                                 draft.starts, draft.corners, out, error);
        if (result == SUP_OK && diagonals && polygons > 0) memcpy(diagonals, t.diagonals, polygons);
    }
    supi_arena_free(&arena);
    return result;
}
