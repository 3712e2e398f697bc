/* Sheets of hard links with soft bending, moved by the plainest means: what thin contact is tried
   on. Positions are projected as often as contacts are swept. */
#ifndef SUPPLE_TESTS_CONTACT_SHEETS_H
#define SUPPLE_TESTS_CONTACT_SHEETS_H

#include "contact/find.h"
#include "contact/rub.h"
#include "contact/thin.h"
#include "ref/ref_thin.h"
#include "sizes.h"

#include <math.h>
#include <string.h>

typedef struct sheet_link {
    int32_t a, b;
    float length, share; /* of the error that a sweep takes */
} sheet_link;

/* A plane n.x = offset, or a ball; corrected as colliders are. */
typedef struct sheet_ground {
    bool ball;
    float n[3], offset; /* or centre and radius */
} sheet_ground;

typedef struct sheets {
    int32_t side, sheet_count, row_count; /* points along an edge of each */
    float edge, half;                     /* m */
    sup_row *start, *x, *v;
    sup_vec3* rest;
    int32_t *triangles, *edges, *points; /* of one */
    supi_thin_features features;
    sheet_link* links;
    int32_t link_count;
    supi_grip grip;
    supi_thin_body bodies[2];
    supi_thin thin;
    supi_tasks* tasks;
    sheet_ground grounds[3];
    supi_surface surface;  /* of the grounds */
    supi_contact* touches; /* by ground and row */
    int32_t ground_count;
    float gravity, drag, thickness; /* thickness: kept from grounds */
    bool bound;                     /* without: the control */
    int64_t zoned, clamped, candidates;
    int32_t rounds;
    float least;
} sheets;

static inline void add_link(sheets* s, int32_t a, int32_t b, float share) {
    sup_vec3 p = s->rest[a], q = s->rest[b];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    s->links[s->link_count++] = (sheet_link){a, b, sqrtf(dx * dx + dy * dy + dz * dz), share};
}

static inline void add_links(sheets* s, int32_t first) {
    const int32_t n = s->side;
    for (int32_t i = 0; i < n * n; i++) {
        int32_t x = i % n, y = i / n, r = first + i;
        if (x + 1 < n) add_link(s, r, r + 1, 1.0f);
        if (y + 1 < n) add_link(s, r, r + n, 1.0f);
        if (x + 1 < n && y + 1 < n) {
            add_link(s, r, r + n + 1, 0.5f);
            add_link(s, r + 1, r + n, 0.5f);
        }
        if (x + 2 < n) add_link(s, r, r + 2, 0.1f);
        if (y + 2 < n) add_link(s, r, r + 2 * n, 0.1f);
    }
}

/* Square sheets of 1 m and 0.2 kg, all flat at the same place; half thickness in edges. */
static inline void sheets_make(sheets* s, int32_t side, int32_t count, float half) {
    *s = (sheets){.side = side,
                  .sheet_count = count,
                  .row_count = count * side * side,
                  .edge = 1.0f / (float)(side - 1),
                  .gravity = 9.81f,
                  .drag = 1.0f,
                  .bound = true,
                  .least = INFINITY};
    const size_t one = (size_t)(side * side), rows = (size_t)s->row_count;
    s->half = half * s->edge;
    s->thickness = 0.3f * s->edge;
    s->start = calloc(rows, sizeof *s->start);
    s->x = calloc(rows, sizeof *s->x);
    s->v = calloc(rows, sizeof *s->v);
    s->rest = calloc(rows, sizeof *s->rest);
    s->touches = calloc(3 * rows, sizeof *s->touches);
    s->links = calloc(6 * rows, sizeof *s->links);
    for (int32_t i = 0; i < s->row_count; i++) {
        int32_t at = i % (side * side);
        float x = (float)(at % side) * s->edge - 0.5f, z = (float)(at / side) * s->edge - 0.5f;
        s->rest[i] = (sup_vec3){x, 0, z};
        s->x[i] = (sup_row){x, 0, z, (float)one / 0.2f};
    }
    for (int32_t i = 0; i < count; i++) add_links(s, i * (int32_t)one);
    int32_t cells = (side - 1) * (side - 1);
    int32_t* starts = calloc((size_t)cells + 1, sizeof *starts);
    int32_t* corners = calloc(4 * (size_t)cells, sizeof *corners);
    for (int32_t i = 0; i < cells; i++) {
        int32_t r = i / (side - 1) * side + i % (side - 1);
        const int32_t quad[4] = {r, r + 1, r + side + 1, r + side};
        starts[i + 1] = 4 * (i + 1);
        memcpy(corners + 4 * i, quad, sizeof quad);
    }
    size_t most = 6 * (size_t)cells;
    supi_thin_build build = {.edge_most = (int32_t)most};
    build.triangles = s->triangles = calloc(most, sizeof(int32_t));
    build.edges = s->edges = calloc(2 * most, sizeof(int32_t));
    build.points = s->points = calloc(one, sizeof(int32_t));
    build.keys = calloc(most, sizeof(uint64_t));
    build.spare_keys = calloc(most, sizeof(uint64_t));
    build.ids = calloc(most, sizeof(int32_t));
    build.spare_ids = calloc(most, sizeof(int32_t));
    s->features = supi_thin_features_fill(&build, starts, corners, NULL, cells, NULL, 0, s->rest,
                                          (int32_t)one);
    free(build.keys);
    free(build.spare_keys);
    free(build.ids);
    free(build.spare_ids);
    free(starts);
    free(corners);
    s->grip = (supi_grip){0.4f, 0.4f, 0.0f, false};
    s->surface = supi_find_surface(&s->grip, &s->grip, s->edge);
    for (int32_t i = 0; i < count; i++) {
        s->bodies[i] = (supi_thin_body){.run = i,
                                        .first = i * (int32_t)one,
                                        .count = (int32_t)one,
                                        .features = s->features,
                                        .rest = s->rest,
                                        .half = s->half,
                                        .grip_count = 1,
                                        .filter = {1, 1}};
    }
    supi_tasks_create(sup_allocator_default(), 1, NULL, &s->tasks, NULL);
}

static inline void sheets_free(sheets* s) {
    supi_thin_free(&s->thin, sup_allocator_default());
    supi_tasks_destroy(s->tasks);
    free(s->start);
    free(s->x);
    free(s->v);
    free(s->rest);
    free(s->links);
    free(s->touches);
    free(s->triangles);
    free(s->edges);
    free(s->points);
}

/* Folds a sheet over once: its half of larger x lies above the other, `gap` higher. */
static inline void sheets_fold(sheets* s, float gap) {
    float radius = 0.5f * gap, turn = 3.14159265f * radius;
    for (int32_t i = 0; i < s->side * s->side; i++) {
        float along = s->rest[i].x; /* the bend is around 0 */
        sup_row* x = s->x + i;
        if (along < -0.5f * turn) {
            x->x = along + 0.5f * turn;
            x->y = 0;
        } else if (along > 0.5f * turn) {
            x->x = 0.5f * turn - along;
            x->y = gap;
        } else {
            float angle = (along + 0.5f * turn) / radius;
            x->x = radius * sinf(angle);
            x->y = radius * (1 - cosf(angle));
        }
    }
}

/* Turns a sheet around x, then around y. */
static inline void sheets_turn(sheets* s, int32_t sheet, float around_x, float around_y) {
    int32_t one = s->side * s->side;
    float c = cosf(around_x), n = sinf(around_x), d = cosf(around_y), m = sinf(around_y);
    for (int32_t i = sheet * one; i < (sheet + 1) * one; i++) {
        sup_row* p = s->x + i;
        float y = c * p->y - n * p->z, z = n * p->y + c * p->z, x = p->x;
        p->x = d * x + m * z;
        p->y = y;
        p->z = d * z - m * x;
    }
}

static inline void sheets_throw(sheets* s, int32_t sheet, float dx, float dy, float dz, float vx,
                                float vy, float vz) {
    int32_t one = s->side * s->side;
    for (int32_t i = sheet * one; i < (sheet + 1) * one; i++) {
        s->x[i].x += dx;
        s->x[i].y += dy;
        s->x[i].z += dz;
        s->v[i] = (sup_row){vx, vy, vz, 0};
    }
}

static inline void sheets_links(sheets* s, float h) {
    for (int32_t i = 0; i < s->link_count; i++) {
        const sheet_link* l = s->links + i;
        sup_row *a = s->x + l->a, *b = s->x + l->b;
        float d[3] = {a->x - b->x, a->y - b->y, a->z - b->z};
        float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w = a->w + b->w;
        if (!(length > 0) || !(w > 0)) continue;
        float by = l->share * (l->length - length) / (length * w);
        for (int side = 0; side < 2; side++) {
            sup_row *x = side ? b : a, *v = s->v + (side ? l->b : l->a);
            float move = side ? -by * b->w : by * a->w;
            x->x += move * d[0], v->x += move * d[0] / h;
            x->y += move * d[1], v->y += move * d[1] / h;
            x->z += move * d[2], v->z += move * d[2] / h;
        }
    }
}

/* One particle against one ground, as contacts with colliders are answered. */
static inline void sheets_touch(sheets* s, const sheet_ground* g, int32_t i, float h) {
    sup_row *x = s->x + i, *v = s->v + i;
    float n[3] = {g->n[0], g->n[1], g->n[2]}, distance = n[0] * x->x + n[1] * x->y + n[2] * x->z;
    distance -= g->offset;
    if (g->ball) {
        float d[3] = {x->x - g->n[0], x->y - g->n[1], x->z - g->n[2]};
        float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++) n[k] = d[k] / length;
        distance = length - g->offset;
    }
    float depth = s->thickness - distance, speed, shift;
    supi_contact* c = s->touches + s->row_count * (g - s->grounds) + i;
    const sup_vec3 normal = supi_vec3_from(n);
    if (!(x->w > 0)) return;
    if (depth > 0) {
        float un = h * supi_vec3_dot(supi_vec3_of_row(v), normal);
        supi_rub_split(&s->surface, depth, un, h, &speed, &shift);
        supi_rub_move(x, v, supi_vec3_scaled(normal, speed), 1 / h);
        supi_rub_add(x, supi_vec3_scaled(normal, shift));
        c->push += speed;
    }
    if (!(c->push > 0)) return;
    sup_vec3 slip = supi_rub_tangent(supi_vec3_scaled(supi_vec3_of_row(v), h), normal);
    supi_rub_move(x, v, supi_rub(&s->surface, c, slip, s->surface.creep * h), 1 / h);
}

static inline void sheets_substep(sheets* s, float h, bool look) {
    memcpy(s->start, s->x, (size_t)s->row_count * sizeof *s->x);
    memset(s->touches, 0, 3 * (size_t)s->row_count * sizeof *s->touches);
    for (int32_t i = 0; i < s->row_count; i++) {
        sup_row *x = s->x + i, *v = s->v + i;
        float keep = 1 / (1 + s->drag * h);
        v->y -= h * s->gravity;
        v->x *= keep, v->y *= keep, v->z *= keep;
        x->x += h * v->x, x->y += h * v->y, x->z += h * v->z;
    }
    for (int32_t i = 0; i < s->sheet_count; i++) s->bodies[i].grips = &s->grip;
    assert_int_equal(supi_thin_find(&s->thin, sup_allocator_default(), s->tasks, s->bodies,
                                    s->sheet_count, NULL, s->start, s->x, s->v, look),
                     SUP_OK);
    for (int sweep = 0; sweep < 4; sweep++) {
        sheets_links(s, h);
        supi_thin_sweep(&s->thin, s->x, s->v, h);
        for (int32_t g = 0; g < s->ground_count; g++) {
            for (int32_t i = 0; i < s->row_count; i++) sheets_touch(s, s->grounds + g, i, h);
        }
    }
    if (s->bound) supi_thin_bound(&s->thin, s->x, s->v, h);
    const supi_thin_counts* c = &s->thin.counts;
    s->zoned += c->zoned;
    s->clamped += c->clamped;
    s->candidates += c->candidates;
    if (c->rounds > s->rounds) s->rounds = c->rounds;
    if (c->least < s->least) s->least = c->least;
}

/* Edges through triangles, of all sheets together. */
static inline int32_t sheets_crossings(const sheets* s) {
    const int32_t one = s->side * s->side, n = s->sheet_count;
    const supi_thin_features* f = &s->features;
    double* places = malloc(3 * (size_t)s->row_count * sizeof *places);
    int32_t* edges = malloc(2 * (size_t)(n * f->edge_count) * sizeof *edges);
    int32_t* triangles = malloc(3 * (size_t)(n * f->triangle_count) * sizeof *triangles);
    for (int32_t i = 0; i < s->row_count; i++) {
        places[3 * i] = (double)s->x[i].x;
        places[3 * i + 1] = (double)s->x[i].y;
        places[3 * i + 2] = (double)s->x[i].z;
    }
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < 2 * f->edge_count; i++) {
            edges[2 * j * f->edge_count + i] = f->edges[i] + j * one;
        }
        for (int32_t i = 0; i < 3 * f->triangle_count; i++) {
            triangles[3 * j * f->triangle_count + i] = f->triangles[i] + j * one;
        }
    }
    int32_t count =
        ref_thin_crossings(places, edges, n * f->edge_count, triangles, n * f->triangle_count);
    free(places);
    free(edges);
    free(triangles);
    return count;
}

static inline double sheets_rms(const sheets* s) {
    double sum = 0.0;
    for (int32_t i = 0; i < s->row_count; i++) {
        const sup_row* v = s->v + i;
        sum +=
            (double)v->x * (double)v->x + (double)v->y * (double)v->y + (double)v->z * (double)v->z;
    }
    return sqrt(sum / s->row_count);
}

/* Runs for so many frames of 1/60 s; the most crossings of a frame. */
static inline int32_t sheets_run(sheets* s, int32_t frames, int32_t substeps) {
    int32_t worst = 0;
    for (int32_t f = 0; f < frames; f++) {
        for (int32_t i = 0; i < substeps; i++) {
            sheets_substep(s, 1.0f / (60.0f * (float)substeps), i == 0);
        }
        int32_t now = sheets_crossings(s);
        worst = now > worst ? now : worst;
    }
    return worst;
}

#endif
