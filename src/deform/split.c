/* Edges that have become too long get a point in the middle. A triangle beside it becomes two, any
   other polygon has one corner more. */
#include "deform/split.h"

#include "geom/sort.h"
#include "geom/topology.h"
#include "geom/vector.h"

#include <string.h>

double supi_edge_length(const supi_fabric* f, int32_t edge) {
    double a[3], b[3];
    supi_vector_of_row(&f->rows[f->graph.row_of[f->graph.edges[2 * edge]]], a);
    supi_vector_of_row(&f->rows[f->graph.row_of[f->graph.edges[2 * edge + 1]]], b);
    supi_vector_subtract(b, a, b);
    return supi_vector_length(b);
}

double supi_edge_stretch(const supi_fabric* f, int32_t edge) {
    double first = (double)f->firsts[edge];
    return first > 0.0 ? supi_edge_length(f, edge) / first : 0.0;
}

int32_t supi_edge_find(const supi_fabric* f, int32_t a, int32_t b) {
    int32_t row = f->graph.row_of[a], other = f->graph.row_of[b];
    for (int32_t n = f->graph.starts[row]; n < f->graph.starts[row + 1]; n++) {
        if (f->graph.neighbours[n] == other) return f->graph.edge_of[n];
    }
    return -1;
}

/* ---- Which ---- */

int32_t* supi_edge_rank(supi_arena* arena, const supi_fabric* f,
                        double (*strain)(const supi_fabric*, int32_t, const supi_edge_rule*),
                        const supi_edge_rule* rule, int32_t* count) {
    size_t edges = (size_t)f->graph.edge_count;
    uint64_t* keys = supi_arena_push(arena, edges, sizeof *keys);
    uint64_t* scratch_keys = supi_arena_push(arena, edges, sizeof *scratch_keys);
    int32_t* ids = supi_arena_push(arena, edges, sizeof *ids);
    int32_t* scratch_ids = supi_arena_push(arena, edges, sizeof *scratch_ids);
    *count = 0;
    if (!keys || !scratch_keys || !ids || !scratch_ids) return NULL;
    for (int32_t e = 0; e < f->graph.edge_count; e++) {
        double value = strain(f, e, rule);
        if (!(value > 0.0)) continue;
        memcpy(&keys[*count], &value, sizeof value);
        keys[*count] = ~keys[*count]; /* the bits of positive numbers are in their order */
        ids[(*count)++] = e;
    }
    supi_sort_keys(*count, keys, ids, scratch_keys, scratch_ids);
    return ids;
}

/* The squared distance of a place from the nearest point of an edge. */
static double square_from(const supi_fabric* f, int32_t edge, const double place[3]) {
    double a[3], b[3], to[3];
    supi_vector_of_row(&f->rows[f->graph.row_of[f->graph.edges[2 * edge]]], a);
    supi_vector_of_row(&f->rows[f->graph.row_of[f->graph.edges[2 * edge + 1]]], b);
    supi_vector_subtract(b, a, b);
    supi_vector_subtract(place, a, to);
    double square = supi_vector_dot(b, b), t = square > 0.0 ? supi_vector_dot(to, b) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    for (int k = 0; k < 3; k++) to[k] -= t * b[k];
    return supi_vector_dot(to, to);
}

static double split_strain(const supi_fabric* f, int32_t edge, const supi_edge_rule* rule) {
    if (rule->length > 0.0) {
        double over = supi_edge_length(f, edge) / rule->length;
        bool near = over > 1.0 && square_from(f, edge, rule->centre) < rule->reach * rule->reach;
        return near ? over : 0.0;
    }
    double stretch = supi_edge_stretch(f, edge);
    if (stretch <= 0.0 || supi_edge_length(f, edge) <= rule->least) return 0.0;
    if (rule->longest > 0.0 && stretch > rule->longest) return stretch;
    return rule->split_short && stretch < rule->shortest ? 1.0 / stretch : 0.0;
}

typedef struct splitting {
    const supi_fabric* f;
    supi_arena arena;
    supi_edges edges;    /* of the mesh; the same ids as those of the graph */
    int32_t* polygon_of; /* by corner */
    int32_t* cut;        /* the corner where a polygon is cut, -1: none (polygon_count) */
    int32_t* taken;      /* edges, in the order of their new points */
    sup_vec3* places;    /* of those points */
    int32_t* point_of;   /* the new point in the side of each corner (corner_count) */
    int32_t count, triangles, corners;
} splitting;

static bool make_room(splitting* s) {
    const sup_mesh* mesh = &s->f->mesh;
    size_t polygons = (size_t)mesh->polygon_count, corners = (size_t)mesh->corner_count;
    s->polygon_of = supi_arena_push(&s->arena, corners, sizeof *s->polygon_of);
    s->point_of = supi_arena_push(&s->arena, corners, sizeof *s->point_of);
    s->cut = supi_arena_push(&s->arena, polygons, sizeof *s->cut);
    s->taken = supi_arena_push(&s->arena, (size_t)s->f->graph.edge_count, sizeof *s->taken);
    s->places = supi_arena_push(&s->arena, (size_t)s->f->graph.edge_count, sizeof *s->places);
    if (!s->polygon_of || !s->point_of || !s->cut || !s->taken || !s->places) return false;
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        s->cut[p] = -1;
        for (int32_t c = mesh->starts[p]; c < mesh->starts[p + 1]; c++) s->polygon_of[c] = p;
    }
    return true;
}

static bool faces_are_whole(const splitting* s, int32_t edge) {
    for (int32_t k = s->edges.starts[edge]; k < s->edges.starts[edge + 1]; k++) {
        if (s->cut[s->polygon_of[s->edges.sides[k]]] >= 0) return false;
    }
    return true;
}

static sup_vec3 middle_of(const supi_fabric* f, int32_t edge) {
    double a[3], b[3];
    const int32_t* ends = f->graph.edges + 2 * (size_t)edge;
    supi_vector_of_row(&f->rows[f->graph.row_of[ends[0]]], a);
    supi_vector_of_row(&f->rows[f->graph.row_of[ends[1]]], b);
    return supi_vector_round(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]));
}

static void take_edge(splitting* s, int32_t edge, sup_vec3 place) {
    const sup_mesh* mesh = &s->f->mesh;
    for (int32_t k = s->edges.starts[edge]; k < s->edges.starts[edge + 1]; k++) {
        int32_t corner = s->edges.sides[k], p = s->polygon_of[corner];
        bool triangle = mesh->starts[p + 1] - mesh->starts[p] == 3;
        if (s->cut[p] >= 0) continue; /* a polygon that has the edge twice is cut once */
        s->cut[p] = corner;
        s->point_of[corner] = mesh->point_count + s->count;
        s->triangles += triangle;
        s->corners += triangle ? 3 : 1;
    }
    s->places[s->count] = place;
    s->taken[s->count++] = edge;
}

static void choose_listed(splitting* s, const supi_edge_rule* rule) {
    for (int32_t i = 0; i < rule->insert_count; i++) {
        supi_insert* insert = rule->inserts + i;
        int32_t edge = supi_edge_find(s->f, insert->ends[0], insert->ends[1]);
        insert->done = edge >= 0 && faces_are_whole(s, edge);
        if (insert->done) take_edge(s, edge, insert->place);
    }
}

static bool choose(splitting* s, const supi_edge_rule* rule) {
    int32_t ranked;
    if (rule->inserts) {
        choose_listed(s, rule);
        return true;
    }
    int32_t* ids = supi_edge_rank(&s->arena, s->f, split_strain, rule, &ranked);
    if (!ids) return false;
    for (int32_t i = 0; i < ranked && s->count < rule->budget; i++) {
        if (s->f->mesh.point_count + s->count >= rule->point_limit) break;
        if (faces_are_whole(s, ids[i])) take_edge(s, ids[i], middle_of(s->f, ids[i]));
    }
    return true;
}

/* ---- The new mesh ---- */

typedef struct weaving {
    sup_mesh mesh;
    float* values;
    int32_t* from; /* polygons */
    int32_t width;
} weaving;

static void add_corner(weaving* w, const splitting* s, int32_t corner) {
    size_t width = (size_t)w->width;
    if (width > 0)
        memcpy(w->values + (size_t)w->mesh.corner_count * width,
               s->f->values + (size_t)corner * width, width * sizeof *w->values);
    w->mesh.corners[w->mesh.corner_count++] = s->f->mesh.corners[corner];
}

/* The new point in the side from `corner`. */
static void add_middle(weaving* w, const splitting* s, int32_t corner) {
    size_t width = (size_t)w->width;
    const float* a = s->f->values + (size_t)corner * width;
    const float* b = s->f->values + (size_t)s->edges.next[corner] * width;
    float* to = w->values + (size_t)w->mesh.corner_count * width;
    for (size_t k = 0; k < width; k++) to[k] = (float)(0.5 * ((double)a[k] + (double)b[k]));
    w->mesh.corners[w->mesh.corner_count++] = s->point_of[corner];
}

static void end_polygon(weaving* w, const splitting* s, int32_t polygon) {
    w->from[w->mesh.polygon_count++] = s->f->polygon_from[polygon];
    w->mesh.starts[w->mesh.polygon_count] = w->mesh.corner_count;
}

static void add_polygon(weaving* w, const splitting* s, int32_t p) {
    const sup_mesh* mesh = &s->f->mesh;
    int32_t cut = s->cut[p];
    if (cut >= 0 && mesh->starts[p + 1] - mesh->starts[p] == 3) {
        int32_t b = s->edges.next[cut], o = s->edges.next[b];
        add_corner(w, s, cut);
        add_middle(w, s, cut);
        add_corner(w, s, o);
        end_polygon(w, s, p);
        add_middle(w, s, cut);
        add_corner(w, s, b);
        add_corner(w, s, o);
    } else {
        for (int32_t c = mesh->starts[p]; c < mesh->starts[p + 1]; c++) {
            add_corner(w, s, c);
            if (c == cut) add_middle(w, s, c);
        }
    }
    end_polygon(w, s, p);
}

static void add_points(weaving* w, const splitting* s) {
    const supi_fabric* f = s->f;
    for (int32_t id = 0; id < f->graph.point_count; id++) {
        const sup_row* at = &f->rows[f->graph.row_of[id]];
        w->mesh.points[w->mesh.point_count++] = (sup_vec3){at->x, at->y, at->z};
    }
    for (int32_t t = 0; t < s->count; t++) w->mesh.points[w->mesh.point_count++] = s->places[t];
}

static bool weave(splitting* s, weaving* w) {
    const sup_mesh* mesh = &s->f->mesh;
    size_t points = (size_t)mesh->point_count + (size_t)s->count;
    size_t polygons = (size_t)mesh->polygon_count + (size_t)s->triangles;
    size_t corners = (size_t)mesh->corner_count + (size_t)s->corners;
    w->width = s->f->value_width;
    w->mesh.points = supi_arena_push(&s->arena, points, sizeof *w->mesh.points);
    w->mesh.starts = supi_arena_push(&s->arena, polygons + 1, sizeof *w->mesh.starts);
    w->mesh.corners = supi_arena_push(&s->arena, corners, sizeof *w->mesh.corners);
    w->from = supi_arena_push(&s->arena, polygons, sizeof *w->from);
    w->values = supi_arena_push(&s->arena, corners, (size_t)w->width * sizeof *w->values);
    if (!w->mesh.points || !w->mesh.starts || !w->mesh.corners || !w->from || !w->values)
        return false;
    add_points(w, s);
    for (int32_t p = 0; p < mesh->polygon_count; p++) add_polygon(w, s, p);
    return true;
}

/* ---- Numbers of edges and points ---- */

float supi_edge_middle_give(const supi_fabric* f, int32_t edge) {
    const int32_t* ends = f->graph.edges + 2 * (size_t)edge;
    double a = (double)f->rows[f->graph.row_of[ends[0]]].w;
    double b = (double)f->rows[f->graph.row_of[ends[1]]].w;
    if (a <= 0.0 || b <= 0.0) return (float)(a > b ? a : b);
    return (float)(2.0 / (1.0 / a + 1.0 / b));
}

/* An edge across an old triangle: what its three sides have in the mean. */
static void number_across(const splitting* s, supi_fabric* out, int32_t edge, int32_t cut,
                          int32_t opposite) {
    const supi_fabric* f = s->f;
    const int32_t* ends = f->graph.edges + 2 * (size_t)cut;
    int32_t sides[3] = {cut, supi_edge_find(f, ends[0], opposite),
                        supi_edge_find(f, ends[1], opposite)};
    double transfer = 0.0, stretch = 0.0;
    for (int k = 0; k < 3; k++) {
        double rest = (double)f->rests[sides[k]];
        if (f->transfers) transfer += (double)f->transfers[sides[k]] / 3.0;
        stretch += (rest > 0.0 ? supi_edge_length(f, sides[k]) / rest : 1.0) / 3.0;
    }
    if (f->transfers) out->transfers[edge] = (float)transfer;
    if (stretch > 0.0) out->rests[edge] = (float)(supi_edge_length(out, edge) / stretch);
}

static void number_edges(const splitting* s, supi_fabric* out) {
    const supi_fabric* f = s->f;
    int32_t old = 0, points = f->graph.point_count;
    for (int32_t e = 0; e < out->graph.edge_count; e++) {
        int32_t a = out->graph.edges[2 * e], b = out->graph.edges[2 * e + 1];
        if (b < points) { /* both lists are sorted, and this edge is in both */
            while (f->graph.edges[2 * old] != a || f->graph.edges[2 * old + 1] != b) old++;
            out->firsts[e] = f->firsts[old];
            out->rests[e] = f->rests[old];
            if (f->transfers) out->transfers[e] = f->transfers[old];
            continue;
        }
        int32_t cut = s->taken[b - points];
        const int32_t* ends = f->graph.edges + 2 * (size_t)cut;
        if (a != ends[0] && a != ends[1]) {
            number_across(s, out, e, cut, a);
        } else {
            out->rests[e] = 0.5f * f->rests[cut];
            if (f->transfers) out->transfers[e] = f->transfers[cut];
        }
    }
}

static void number_points(const splitting* s, supi_fabric* out) {
    const supi_fabric* f = s->f;
    int32_t points = f->graph.point_count;
    out->light = f->light;
    for (int32_t id = 0; id < out->graph.point_count; id++) {
        sup_row* row = &out->rows[out->graph.row_of[id]];
        row->w = id < points ? f->rows[f->graph.row_of[id]].w
                             : supi_edge_middle_give(f, s->taken[id - points]);
        out->point_from[id] = id < points ? f->point_from[id] : -1;
    }
}

static bool build(splitting* s, const sup_clay* clay, supi_fabric* out) {
    weaving w = {.width = 0};
    if (!weave(s, &w)) return false;
    const sup_clay_def def = {.values = w.width > 0 ? w.values : NULL,
                              .value_width = w.width,
                              .keep_order = clay->keep_order};
    if (supi_fabric_build(out, clay->allocator, &w.mesh, &def, s->f->transfers != NULL, NULL) !=
        SUP_OK)
        return false;
    number_edges(s, out);
    number_points(s, out);
    memcpy(out->polygon_from, w.from, (size_t)w.mesh.polygon_count * sizeof *w.from);
    return true;
}

static bool tell(const splitting* s, const sup_clay* clay, supi_changes* changes) {
    sup_clay_event* events = supi_changes_grow(changes, clay->allocator, s->count);
    if (!events) return false;
    for (int32_t t = 0; t < s->count; t++) {
        const int32_t* ends = s->f->graph.edges + 2 * (size_t)s->taken[t];
        events[changes->count++] =
            (sup_clay_event){SUP_CLAY_SPLIT, s->f->graph.point_count + t, {ends[0], ends[1]}};
    }
    return true;
}

bool supi_split_round(const supi_fabric* f, const sup_clay* clay, const supi_edge_rule* rule,
                      supi_changes* changes, int32_t* count, supi_fabric* out) {
    splitting s = {.f = f};
    if (!supi_topology_edges(clay->allocator, &f->mesh, &s.edges)) return false;
    supi_arena_init(&s.arena, clay->allocator);
    bool done = make_room(&s) && choose(&s, rule) &&
                (s.count == 0 || (tell(&s, clay, changes) && build(&s, clay, out)));
    if (done) *count = s.count;
    supi_arena_free(&s.arena);
    supi_topology_free(&s.edges);
    return done;
}
