/* Sheets that tear, for tests of worlds, and what must be true of them at every moment. */
#ifndef SUPPLE_TESTS_WORLD_TEARS_H
#define SUPPLE_TESTS_WORLD_TEARS_H

#include "supple/weave.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

/* A sheet of `along` x `across` particles, 5 cm apart, in the plane y = 0. */
typedef struct sheet_def {
    int32_t along, across;
    int32_t notch; /* cells that are missing in the middle of one side */
    bool triangles;
    bool held; /* at both ends */
    bool tears;
    double spare;
} sheet_def;

/* The web of a grid, or where there is a notch, of the mesh that is left. */
static inline void weave_sheet(const sheet_def* s, sup_web* out) {
    sup_error error = {0};
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = s->along;
    grid.count[1] = s->across;
    grid.sides[0] = 0.05 * (s->along - 1);
    grid.sides[1] = 0.05 * (s->across - 1);
    grid.triangles = s->triangles;
    assert_ok(sup_weave_grid(NULL, &grid, out, &error), error);
    if (s->notch == 0) return;
    sup_web whole = *out;
    sup_mesh mesh = whole.surface;
    int32_t each = s->triangles ? 2 : 1, sides = s->triangles ? 3 : 4, kept = 0;
    int32_t* corners = calloc((size_t)mesh.corner_count, sizeof *corners);
    for (int32_t p = 0; p < mesh.polygon_count; p++) {
        int32_t cell = p / each, i = cell % (s->along - 1), j = cell / (s->along - 1);
        if (i == s->along / 2 && j < s->notch) continue;
        memcpy(corners + sides * kept++, mesh.corners + mesh.starts[p],
               (size_t)sides * sizeof *corners);
    }
    mesh.polygon_count = kept;
    mesh.corner_count = sides * kept;
    mesh.corners = corners;
    sup_weave_mesh_def weave = sup_weave_mesh_default();
    weave.mesh = &mesh;
    assert_ok(sup_weave_mesh(NULL, &weave, out, &error), error);
    free(corners);
    sup_web_free(&whole);
}

static inline sup_blueprint* sheet_of(const sheet_def* s) {
    sup_web web;
    sup_error error = {0};
    weave_sheet(s, &web);
    int32_t *pins = calloc((size_t)web.point_count, sizeof *pins), pin_count = 0;
    double end = 0.05 * (s->along - 1) / 2.0 - 0.01;
    for (int32_t i = 0; i < web.point_count; i++) {
        if (fabs((double)web.points[i].x) > end) pins[pin_count++] = i;
    }
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.tears = s->tears;
    def.spare = s->spare;
    def.pins = pins;
    def.pin_count = s->held ? pin_count : 0;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    free(pins);
    return print;
}

/* Takes over the reference to the blueprint. */
static inline sup_body add_sheet(sup_world* world, sup_blueprint* print, double tear) {
    sup_error error = {0};
    sup_body_def def = sup_body_default();
    sup_body body;
    def.blueprint = print;
    def.springs.tear = tear;
    def.springs.drag = 0.0;
    assert_ok(sup_body_create(world, &def, &body, &error), error);
    sup_blueprint_release(print);
    return body;
}

/* The held ends go apart by `by` m in the next step. */
static inline void pull_sheet(sup_world* world, sup_body handle, double by) {
    const supi_body* body = supi_world_body(world, handle);
    const sup_blueprint* b = body->blueprint;
    sup_point* places = calloc((size_t)b->pin_count, sizeof *places);
    for (int32_t i = 0; i < b->pin_count; i++) {
        places[i] = body->pins[i];
        places[i].x += b->rest[b->pins[i]].x > 0.0f ? 0.5 * by : -0.5 * by;
    }
    sup_error error = {0};
    assert_ok(sup_body_move_pins(world, handle, places, &error), error);
    free(places);
}

/* ---- What hangs together ---- */

static inline int32_t root_of(int32_t* parents, int32_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

/* By row: the piece of the surface that it belongs to. The caller frees it. */
static inline int32_t* pieces_of(const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    const int32_t* rows = supi_tear_vertex_rows(body);
    int32_t* parents = calloc((size_t)b->row_count, sizeof *parents);
    for (int32_t r = 0; r < b->row_count; r++) parents[r] = r;
    for (int32_t p = 0; p < b->info.polygon_count; p++) {
        for (int32_t c = b->starts[p] + 1; c < b->starts[p + 1]; c++) {
            parents[root_of(parents, rows[c])] = root_of(parents, rows[c - 1]);
        }
    }
    for (int32_t r = 0; r < b->row_count; r++) parents[r] = root_of(parents, r);
    return parents;
}

/* Polygons of the piece that row r is in. */
static inline int32_t piece_size(const supi_body* body, const int32_t* pieces, int32_t row) {
    const sup_blueprint* b = body->blueprint;
    int32_t size = 0;
    for (int32_t p = 0; p < b->info.polygon_count; p++) {
        size += pieces[supi_tear_vertex_rows(body)[b->starts[p]]] == pieces[row];
    }
    return size;
}

static inline bool are_joined(const supi_tear* t, int32_t a, int32_t b) {
    const supi_spring_net* net = &t->net;
    for (int32_t c = net->columns[a / 8]; c < net->columns[a / 8 + 1]; c++) {
        int32_t at = 8 * c + (a & 7);
        if (net->spring[at] < 0 || net->other[at] != b) continue;
        const sup_spring* s = t->springs + net->spring[at];
        if (s->kind <= SUP_SPRING_SHEAR && s->stiffness > 0.0f) return true;
    }
    return t->inverse_mass[a] == 0.0f && t->inverse_mass[b] == 0.0f;
}

/* The corners of a polygon before and behind corner c. */
static inline void rows_beside(const sup_blueprint* b, const supi_tear* t, int32_t c,
                               int32_t out[2]) {
    int32_t p = b->tears->polygons[c], first = b->starts[p], end = b->starts[p + 1];
    out[0] = t->rows[c > first ? c - 1 : end - 1];
    out[1] = t->rows[c + 1 < end ? c + 1 : first];
}

/* Polygons at a row hang together by edges, not by that point alone. */
static inline void check_fan(const sup_blueprint* b, const supi_tear* t, int32_t row) {
    enum { MOST = 16 };
    int32_t beside[MOST][2], count = 0, met = 1;
    bool seen[MOST] = {true};
    int32_t origin = t->origin[row];
    for (int32_t i = b->tears->fan_starts[origin]; i < b->tears->fan_starts[origin + 1]; i++) {
        if (t->rows[b->tears->fans[i]] != row) continue;
        assert_true(count < MOST);
        rows_beside(b, t, b->tears->fans[i], beside[count++]);
    }
    for (int32_t round = 0; round < count; round++) {
        for (int32_t i = 0; i < count; i++) {
            for (int32_t j = 0; seen[i] && j < count; j++) {
                const int32_t *p = beside[i], *q = beside[j];
                bool near = p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
                if (seen[j] || !near) continue;
                seen[j] = true;
                met++;
            }
        }
    }
    assert_int_equal(met, count);
}

/* Everything that has to hold of a body that tears, however it is torn. */
static inline void check_sheet(const sup_world* world, sup_body handle) {
    const supi_body* body = supi_world_body(world, handle);
    const sup_blueprint* b = body->blueprint;
    const supi_tear* t = supi_tear_of(body);
    int32_t rows = supi_tears_rows(b);
    const sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    double* families = calloc((size_t)b->row_count, sizeof *families);
    int32_t* pieces = pieces_of(body);
    for (int32_t c = 0; c < b->info.vertex_count; c++) {
        assert_in_range(t->rows[c], 0, rows + t->torn - 1);
        assert_int_equal(t->origin[t->rows[c]], b->vertex_rows[c]);
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        bool waits = r >= rows + t->torn;
        families[t->origin[r]] += (double)t->mass[r];
        assert_true((t->mass[r] == 0.0f) == waits);
        assert_true(x[r].w == t->inverse_mass[r]);
        assert_true((x[r].w == 0.0f) == (waits || (r < rows && b->inverse_mass[r] == 0.0f)));
        assert_true(v[r].w == (waits ? 0.0f : b->radius[t->origin[r]]));
    }
    bool spares_left = t->torn < b->spare_count;
    for (int32_t r = 0; spares_left && r < rows + t->torn; r++) check_fan(b, t, r);
    for (int32_t r = 0; r < rows; r++) assert_true(families[r] == (double)b->mass[r]);
    for (int32_t p = 0; p < b->info.polygon_count; p++) {
        for (int32_t c = b->starts[p]; c < b->starts[p + 1]; c++) {
            int32_t next = c + 1 < b->starts[p + 1] ? c + 1 : b->starts[p];
            assert_true(are_joined(t, t->rows[c], t->rows[next]));
        }
    }
    for (int32_t i = 0; i < t->spring_count; i++) {
        const sup_spring* s = t->springs + i;
        assert_true(s->a < s->b && s->b < rows + t->torn && s->stiffness >= 0.0f);
        assert_int_equal(pieces[s->a], pieces[s->b]);
    }
    assert_true(t->spring_count <= b->tears->spring_most);
    assert_true(t->net.column_count <= b->tears->column_most);
    free(families);
    free(pieces);
}

#endif
