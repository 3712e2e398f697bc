/* Edges that have become too short become one point, where that leaves a surface of the same kind:
   the only points beside both ends are those across their faces, and no face turns over. */
#include "deform/split.h"
#include "geom/mesh.h"
#include "geom/topology.h"
#include "geom/vector.h"

#include <string.h>

typedef struct collapsing {
    const supi_fabric* f;
    const supi_edge_rule* rule;
    supi_arena arena;
    supi_edges edges;
    sup_mesh mesh;       /* that of the fabric with points as they are */
    int32_t* polygon_of; /* by corner */
    int32_t* starts;     /* corners of each point (point_count + 1) */
    int32_t* corners;
    bool* touched; /* polygons */
    bool* border;  /* points */
    int32_t* into; /* the point that each becomes */
    int32_t count;
} collapsing;

static double collapse_strain(const supi_fabric* f, int32_t edge, const supi_edge_rule* rule) {
    double stretch = supi_edge_stretch(f, edge);
    return stretch > 0.0 && stretch < rule->shortest ? 1.0 / stretch : 0.0;
}

static bool is_source(const collapsing* s, int32_t id) {
    int32_t low = 0, high = s->rule->source_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (s->rule->sources[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->rule->source_count && s->rule->sources[low] == id;
}

static bool stays(const collapsing* s, int32_t id) {
    return s->f->rows[s->f->graph.row_of[id]].w <= 0.0f || is_source(s, id);
}

/* ---- Who is where ---- */

static bool make_room(collapsing* s) {
    const sup_mesh* mesh = &s->f->mesh;
    size_t points = (size_t)mesh->point_count, corners = (size_t)mesh->corner_count;
    s->polygon_of = supi_arena_push(&s->arena, corners, sizeof *s->polygon_of);
    s->corners = supi_arena_push(&s->arena, corners, sizeof *s->corners);
    s->starts = supi_arena_push(&s->arena, points + 2, sizeof *s->starts);
    s->touched = supi_arena_push(&s->arena, (size_t)mesh->polygon_count, sizeof *s->touched);
    s->border = supi_arena_push(&s->arena, points, sizeof *s->border);
    s->into = supi_arena_push(&s->arena, points, sizeof *s->into);
    s->mesh = *mesh;
    s->mesh.points = supi_arena_push(&s->arena, points, sizeof *s->mesh.points);
    return s->polygon_of && s->corners && s->starts && s->touched && s->border && s->into &&
           s->mesh.points;
}

static void look_around(collapsing* s) {
    const supi_fabric* f = s->f;
    const sup_mesh* mesh = &s->mesh;
    for (int32_t id = 0; id < mesh->point_count; id++) {
        const sup_row* at = &f->rows[f->graph.row_of[id]];
        s->mesh.points[id] = (sup_vec3){at->x, at->y, at->z};
        s->into[id] = id;
    }
    for (int32_t c = 0; c < mesh->corner_count; c++) s->starts[mesh->corners[c] + 2]++;
    for (int32_t id = 0; id < mesh->point_count; id++) s->starts[id + 2] += s->starts[id + 1];
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        for (int32_t c = mesh->starts[p]; c < mesh->starts[p + 1]; c++) {
            s->polygon_of[c] = p;
            s->corners[s->starts[mesh->corners[c] + 1]++] = c;
        }
    }
    for (int32_t e = 0; e < s->edges.edge_count; e++) {
        if (s->edges.starts[e + 1] - s->edges.starts[e] == 2) continue;
        s->border[f->graph.edges[2 * e]] = s->border[f->graph.edges[2 * e + 1]] = true;
    }
}

/* ---- Which ---- */

static bool has_corner(const sup_mesh* mesh, int32_t polygon, int32_t id) {
    for (int32_t c = mesh->starts[polygon]; c < mesh->starts[polygon + 1]; c++) {
        if (mesh->corners[c] == id) return true;
    }
    return false;
}

/* Only triangles beside the edge, and who is beside both ends is across one of them. */
static bool link_holds(const collapsing* s, int32_t edge) {
    const supi_graph* g = &s->f->graph;
    int32_t a = g->edges[2 * edge], b = g->edges[2 * edge + 1], common = 0;
    int32_t faces = s->edges.starts[edge + 1] - s->edges.starts[edge];
    for (int32_t k = s->edges.starts[edge]; k < s->edges.starts[edge + 1]; k++) {
        int32_t p = s->polygon_of[s->edges.sides[k]];
        if (s->mesh.starts[p + 1] - s->mesh.starts[p] != 3) return false;
    }
    for (int32_t n = g->starts[g->row_of[a]]; n < g->starts[g->row_of[a] + 1]; n++)
        common += supi_edge_find(s->f, b, g->id_of[g->neighbours[n]]) >= 0;
    int32_t ring = g->starts[g->row_of[a] + 1] - g->starts[g->row_of[a]] +
                   g->starts[g->row_of[b] + 1] - g->starts[g->row_of[b]] - 2 - common;
    bool across_hole = faces == 2 && s->border[a] && s->border[b];
    return common == faces && ring >= 3 && !across_hole;
}

/* Whether polygons around `id`, but not around `other`, face the same way with it in `place`. */
static bool faces_hold(collapsing* s, int32_t id, int32_t other, sup_vec3 place) {
    bool hold = true;
    sup_vec3 old = s->mesh.points[id];
    for (int32_t k = s->starts[id]; hold && k < s->starts[id + 1]; k++) {
        int32_t p = s->polygon_of[s->corners[k]];
        double before[3], after[3];
        if (has_corner(&s->mesh, p, other)) continue;
        supi_mesh_normal(&s->mesh, p, before);
        s->mesh.points[id] = place;
        supi_mesh_normal(&s->mesh, p, after);
        s->mesh.points[id] = old;
        hold = supi_vector_dot(before, after) > 0.0;
    }
    return hold;
}

static bool untouched(const collapsing* s, int32_t id) {
    for (int32_t k = s->starts[id]; k < s->starts[id + 1]; k++) {
        if (s->touched[s->polygon_of[s->corners[k]]]) return false;
    }
    return true;
}

static void touch(collapsing* s, int32_t id) {
    for (int32_t k = s->starts[id]; k < s->starts[id + 1]; k++)
        s->touched[s->polygon_of[s->corners[k]]] = true;
}

static void try_edge(collapsing* s, int32_t edge) {
    const supi_graph* g = &s->f->graph;
    int32_t a = g->edges[2 * edge], b = g->edges[2 * edge + 1];
    if (!untouched(s, a) || !untouched(s, b) || !link_holds(s, edge)) return;
    if (stays(s, a) && stays(s, b)) return;
    if (stays(s, b)) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    double x[3], y[3];
    supi_vector_from(&s->mesh.points[a], x);
    supi_vector_from(&s->mesh.points[b], y);
    sup_vec3 place =
        supi_vector_round(0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2]));
    if (stays(s, a)) place = s->mesh.points[a];
    if (!faces_hold(s, a, b, place) || !faces_hold(s, b, a, place)) return;
    touch(s, a);
    touch(s, b);
    /* neighbours of neighbours move no more in this round, so that faces keep what was tested */
    s->mesh.points[a] = s->mesh.points[b] = place;
    s->into[b] = a;
    s->count++;
}

static bool choose(collapsing* s) {
    int32_t ranked;
    int32_t* ids = supi_edge_rank(&s->arena, s->f, collapse_strain, s->rule, &ranked);
    if (!ids) return false;
    for (int32_t i = 0; i < ranked && s->count < s->rule->budget; i++) try_edge(s, ids[i]);
    return true;
}

/* ---- The new mesh ---- */

typedef struct leftover {
    sup_mesh mesh;
    float* values;
    int32_t* from;   /* polygons */
    int32_t* points; /* old ids */
} leftover;

static void keep_polygon(const collapsing* s, leftover* r, const int32_t* to_new, int32_t p) {
    int32_t first = r->mesh.corner_count;
    size_t width = (size_t)s->f->value_width;
    for (int32_t c = s->mesh.starts[p]; c < s->mesh.starts[p + 1]; c++) {
        int32_t id = to_new[s->mesh.corners[c]], end = r->mesh.corner_count;
        if (end > first && r->mesh.corners[end - 1] == id) continue;
        if (c + 1 == s->mesh.starts[p + 1] && end > first && r->mesh.corners[first] == id) continue;
        if (width > 0)
            memcpy(r->values + (size_t)end * width, s->f->values + (size_t)c * width,
                   width * sizeof *r->values);
        r->mesh.corners[r->mesh.corner_count++] = id;
    }
    if (r->mesh.corner_count - first < 3) {
        r->mesh.corner_count = first;
        return;
    }
    r->from[r->mesh.polygon_count++] = s->f->polygon_from[p];
    r->mesh.starts[r->mesh.polygon_count] = r->mesh.corner_count;
}

static bool keep_rest(collapsing* s, int32_t* to_new, leftover* r) {
    const sup_mesh* mesh = &s->mesh;
    size_t corners = (size_t)mesh->corner_count, polygons = (size_t)mesh->polygon_count;
    size_t points = (size_t)mesh->point_count;
    r->mesh.points = supi_arena_push(&s->arena, points, sizeof *r->mesh.points);
    r->mesh.starts = supi_arena_push(&s->arena, polygons + 1, sizeof *r->mesh.starts);
    r->mesh.corners = supi_arena_push(&s->arena, corners, sizeof *r->mesh.corners);
    r->from = supi_arena_push(&s->arena, polygons, sizeof *r->from);
    r->points = supi_arena_push(&s->arena, points, sizeof *r->points);
    r->values = supi_arena_push(&s->arena, corners, (size_t)s->f->value_width * sizeof *r->values);
    if (!r->mesh.points || !r->mesh.starts || !r->mesh.corners || !r->from || !r->points ||
        !r->values)
        return false;
    for (int32_t id = 0; id < mesh->point_count; id++) {
        if (s->into[id] != id) continue;
        r->points[r->mesh.point_count] = id;
        r->mesh.points[r->mesh.point_count] = mesh->points[id];
        to_new[id] = r->mesh.point_count++;
    }
    for (int32_t id = 0; id < mesh->point_count; id++) to_new[id] = to_new[s->into[id]];
    for (int32_t p = 0; p < mesh->polygon_count; p++) keep_polygon(s, r, to_new, p);
    return true;
}

/* Edges keep their numbers; of two that became one, those of the end that stays. */
static void number_edges(const collapsing* s, const leftover* r, const int32_t* to_new,
                         supi_fabric* out) {
    const supi_fabric* f = s->f;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t e = 0; e < f->graph.edge_count; e++) {
            int32_t a = f->graph.edges[2 * e], b = f->graph.edges[2 * e + 1];
            bool kept = s->into[a] == a && s->into[b] == b;
            if (kept != (pass == 1) || to_new[a] == to_new[b]) continue;
            int32_t now = supi_edge_find(out, to_new[a], to_new[b]);
            if (now < 0) continue;
            out->firsts[now] = f->firsts[e];
            out->rests[now] = f->rests[e];
            if (f->transfers) out->transfers[now] = f->transfers[e];
        }
    }
    out->light = f->light;
    for (int32_t id = 0; id < out->graph.point_count; id++) {
        out->rows[out->graph.row_of[id]].w = f->rows[f->graph.row_of[r->points[id]]].w;
        out->point_from[id] = f->point_from[r->points[id]];
    }
    memcpy(out->polygon_from, r->from, (size_t)r->mesh.polygon_count * sizeof *r->from);
}

/* From the lowest id that goes to the highest, so that those below have their new ids. */
static bool tell(const collapsing* s, const sup_clay* clay, const int32_t* to_new,
                 supi_changes* changes) {
    sup_clay_event* events = supi_changes_grow(changes, clay->allocator, s->count);
    if (!events) return false;
    int32_t gone = 0;
    for (int32_t id = 0; id < s->mesh.point_count; id++) {
        int32_t kept = s->into[id];
        if (kept == id) continue;
        events[changes->count++] = (sup_clay_event){
            SUP_CLAY_JOIN, id - gone, {kept < id ? to_new[kept] : kept - gone, -1}};
        gone++;
    }
    return true;
}

static bool build(collapsing* s, const sup_clay* clay, supi_changes* changes, int32_t* to_new,
                  supi_fabric* out) {
    leftover r = {.values = NULL};
    if (!keep_rest(s, to_new, &r) || !tell(s, clay, to_new, changes)) return false;
    const sup_clay_def def = {.values = s->f->value_width > 0 ? r.values : NULL,
                              .value_width = s->f->value_width,
                              .keep_order = clay->keep_order};
    if (supi_fabric_build(out, clay->allocator, &r.mesh, &def, s->f->transfers != NULL, NULL) !=
        SUP_OK)
        return false;
    number_edges(s, &r, to_new, out);
    return true;
}

bool supi_collapse_round(const supi_fabric* f, const sup_clay* clay, const supi_edge_rule* rule,
                         supi_changes* changes, int32_t* count, int32_t* to_new, supi_fabric* out) {
    collapsing s = {.f = f, .rule = rule};
    if (!supi_topology_edges(clay->allocator, &f->mesh, &s.edges)) return false;
    supi_arena_init(&s.arena, clay->allocator);
    bool done = make_room(&s);
    if (done) look_around(&s);
    done = done && choose(&s) && (s.count == 0 || build(&s, clay, changes, to_new, out));
    if (done) *count = s.count;
    supi_arena_free(&s.arena);
    supi_topology_free(&s.edges);
    return done;
}
