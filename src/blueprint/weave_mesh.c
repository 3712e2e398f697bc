/* Cloth of any mesh: springs along its edges, across them, and along diagonals of polygons. */
#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "blueprint/weave.h"
#include "geom/mesh.h"
#include "geom/sort.h"
#include "geom/topology.h"
#include "geom/vector.h"

#define NO_AREA 1e-12 /* of the square of the diagonal */
#define PAIRED 4      /* polygons of one edge that bend against each other */
/* Shares of a quad's area for a side and for a diagonal: a grid of squares then has Young's modulus
   and is the same in all directions, as one of equal triangles is. */
#define QUAD_SIDE 0.375
#define QUAD_DIAGONAL 0.75

/* ---- Clean surfaces ---- */

static double triangle_area(const sup_vec3* points, int32_t a, int32_t b, int32_t c) {
    double p[3], q[3], r[3], product[3];
    supi_vector_from(&points[a], p);
    supi_vector_from(&points[b], q);
    supi_vector_from(&points[c], r);
    supi_vector_subtract(q, p, q);
    supi_vector_subtract(r, p, r);
    supi_vector_cross(q, r, product);
    return 0.5 * supi_vector_length(product);
}

double supi_weave_area(const sup_mesh* mesh, int32_t polygon) {
    double sum = 0.0;
    int32_t first = mesh->starts[polygon];
    for (int32_t c = first + 1; c + 1 < mesh->starts[polygon + 1]; c++) {
        sum += triangle_area(mesh->points, mesh->corners[first], mesh->corners[c],
                             mesh->corners[c + 1]);
    }
    return sum;
}

static sup_result check_polygons(const sup_mesh* given, const sup_mesh* kept, sup_error* error) {
    if (given->polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mesh is a cloud of %d points without polygons: springs go along "
                              "the edges of polygons",
                              (int)given->point_count);
    }
    if (kept->polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "no polygon of the mesh has an area");
    }
    if (kept->corner_count <= INT32_MAX / 32) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the mesh has too many polygons");
}

/* The same for polygons of the same edges, wherever they begin and whichever way they go. */
static uint64_t key_of(const int32_t* corners, int32_t count) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t a = (uint64_t)corners[i], b = (uint64_t)corners[i + 1 < count ? i + 1 : 0];
        sum += supi_hash_word(supi_hash_begin(), a < b ? a << 32 | b : b << 32 | a);
    }
    return sum;
}

/* Are two polygons of one key the same? One that comes to its first corner again is none's twin. */
static bool same_polygon(const sup_mesh* mesh, int32_t p, int32_t q) {
    const int32_t *a = mesh->corners + mesh->starts[p], *b = mesh->corners + mesh->starts[q];
    int32_t count = mesh->starts[p + 1] - mesh->starts[p], at = 0, along = 0, against = 0;
    if (count != mesh->starts[q + 1] - mesh->starts[q]) return false;
    while (at < count && b[at] != a[0]) at++;
    if (at == count) return false;
    for (int32_t i = 0; i < count; i++) {
        along += a[i] == b[at + i < count ? at + i : at + i - count];
        against += a[i] == b[at - i >= 0 ? at - i : at - i + count];
    }
    return along == count || against == count;
}

/* Marks polygons with the edges of an earlier one; false: memory is short. */
static bool mark_repeated(const sup_allocator* allocator, const sup_mesh* mesh, bool* repeated) {
    size_t count = (size_t)mesh->polygon_count;
    uint64_t* keys = supi_memory_new(allocator, 2 * count, sizeof *keys);
    int32_t* ids = supi_memory_new(allocator, 2 * count, sizeof *ids);
    bool made = keys && ids;
    for (int32_t k = 0; made && k < mesh->polygon_count; k++) {
        keys[k] = key_of(mesh->corners + mesh->starts[k], mesh->starts[k + 1] - mesh->starts[k]);
        ids[k] = k;
    }
    if (made) supi_sort_keys(mesh->polygon_count, keys, ids, keys + count, ids + count);
    for (int32_t k = 1, first = 0; made && k < mesh->polygon_count; k++) {
        if (keys[k] != keys[first]) first = k;
        repeated[ids[k]] = first < k && same_polygon(mesh, ids[first], ids[k]);
    }
    supi_memory_free(allocator, keys, 2 * count, sizeof *keys);
    supi_memory_free(allocator, ids, 2 * count, sizeof *ids);
    return made;
}

/* Closes the gaps of polygons without area and of repeated ones. What is written lies before what
   is still read. */
static void drop_polygons(sup_mesh* mesh, double least, const bool* repeated,
                          const sup_weld_map* map, sup_web_report* report) {
    int32_t kept = 0, end = 0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        if (supi_weave_area(mesh, k) < least) continue;
        if (repeated[k]) {
            const int32_t* corners = mesh->corners + mesh->starts[k];
            for (int c = 0; c < 3 && report->repeated == 0; c++)
                report->repeated_points[c] = map->to_original[corners[c]];
            report->repeated++;
            continue;
        }
        int32_t first = mesh->starts[k], last = mesh->starts[k + 1];
        for (int32_t c = first; c < last; c++) mesh->corners[end++] = mesh->corners[c];
        mesh->starts[++kept] = end;
    }
    mesh->polygon_count = kept;
    mesh->corner_count = end;
}

static sup_result clean_polygons(const sup_allocator* allocator, const sup_mesh* mesh,
                                 supi_weave_cloth* cloth, sup_web_report* report,
                                 sup_error* error) {
    size_t count = (size_t)cloth->mesh.polygon_count;
    bool* repeated = supi_memory_new(allocator, count, sizeof *repeated);
    bool enough = repeated && mark_repeated(allocator, &cloth->mesh, repeated);
    if (enough)
        drop_polygons(&cloth->mesh, NO_AREA * cloth->diagonal * cloth->diagonal, repeated,
                      &cloth->map, report);
    supi_memory_free(allocator, repeated, count, sizeof *repeated);
    return enough ? check_polygons(mesh, &cloth->mesh, error) : supi_error_memory(error);
}

sup_result supi_weave_clean(const sup_allocator* allocator, const sup_mesh* mesh, double weld,
                            supi_weave_cloth* out, sup_web_report* report, sup_error* error) {
    if (!mesh) return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no mesh to weave");
    supi_weave_cloth cloth;
    /* before it is welded: a place far out makes everything else one point */
    sup_result result = supi_mesh_check(mesh, error);
    if (result == SUP_OK)
        result = supi_weave_measure(mesh->point_count, mesh->points, &cloth.diagonal, error);
    if (result == SUP_OK)
        result = sup_mesh_weld(allocator, mesh, weld, &cloth.welded, &cloth.map, error);
    if (result != SUP_OK) return result;
    cloth.mesh = cloth.welded;
    result = supi_weave_measure(cloth.mesh.point_count, cloth.mesh.points, &cloth.diagonal, error);
    if (result == SUP_OK)
        result = clean_polygons(supi_mesh_allocator(allocator), mesh, &cloth, report, error);
    if (result != SUP_OK) {
        supi_weave_cloth_free(&cloth);
        return result;
    }
    report->welded = cloth.map.original_count - cloth.map.welded_count;
    report->degenerate = mesh->polygon_count - cloth.mesh.polygon_count - report->repeated;
    *out = cloth;
    return SUP_OK;
}

sup_result supi_weave_join(const sup_allocator* allocator, int32_t point_count,
                           const sup_vec3* points, double weld, supi_weave_cloth* out,
                           sup_web_report* report, sup_error* error) {
    const supi_range range = {"weld", weld, -1e9, 1e3};
    sup_result result = supi_check_ranges(&range, 1, error);
    if (result != SUP_OK) return result;
    int32_t start = 0;
    double diagonal;
    const sup_mesh cloud = {
        .point_count = point_count, .points = (sup_vec3*)points, .starts = &start};
    result = supi_mesh_check(&cloud, error);
    if (result == SUP_OK) result = supi_weave_measure(point_count, points, &diagonal, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_weld(allocator, &cloud, weld, &out->welded, &out->map, error);
    if (result != SUP_OK) return result;
    out->mesh = out->welded;
    report->welded = out->map.original_count - out->map.welded_count;
    return SUP_OK;
}

void supi_weave_cloth_free(supi_weave_cloth* cloth) {
    sup_mesh_free(&cloth->welded);
    sup_weld_map_free(&cloth->map);
}

/* ---- Edges and diagonals ---- */

/* `area`: what the spring stands for, m^2. A spring that is short beside that is not stiffer than a
   spring of a square: folds would bring the ends of bending ones as close as they like. */
static double by_area(const supi_weave* weave, const sup_weave_mesh_def* def, int32_t a, int32_t b,
                      double area) {
    double square = supi_weave_square(weave->points, a, b);
    return def->young * area / (square > area ? square : area);
}

static void add_edge(supi_weave* weave, const sup_weave_mesh_def* def, int32_t a, int32_t b,
                     double area) {
    if (a == b) return;
    double square = supi_weave_square(weave->points, a, b); /* above 0: they were not welded */
    supi_weave_add(weave, a, b, SUP_SPRING_STRUCT,
                   def->stiffness > 0.0 ? def->stiffness : def->young * area / square);
}

static void add_diagonal(supi_weave* weave, const sup_weave_mesh_def* def, int32_t a, int32_t b,
                         double area) {
    if (a == b) return;
    supi_weave_add(weave, a, b, SUP_SPRING_SHEAR,
                   def->stiffness > 0.0 ? def->shear * def->stiffness
                                        : by_area(weave, def, a, b, area));
}

static void add_quad(supi_weave* weave, const sup_weave_mesh_def* def, const int32_t* corners,
                     double area) {
    for (int k = 0; k < 4; k++) {
        add_edge(weave, def, corners[k], corners[(k + 1) % 4], QUAD_SIDE * area);
    }
    for (int k = 0; k < 2; k++) {
        add_diagonal(weave, def, corners[k], corners[k + 2], QUAD_DIAGONAL * area);
    }
}

/* Triangles about the first corner, each with its area for its three edges. */
static void add_fan(supi_weave* weave, const sup_weave_mesh_def* def, const int32_t* corners,
                    int32_t count) {
    for (int32_t k = 1; k + 1 < count; k++) {
        int32_t a = corners[0], b = corners[k], c = corners[k + 1];
        double area = triangle_area(weave->points, a, b, c);
        add_edge(weave, def, b, c, area);
        if (k == 1) add_edge(weave, def, a, b, area);
        if (k > 1) add_diagonal(weave, def, a, b, area);
        if (k + 2 == count) add_edge(weave, def, c, a, area);
        if (k + 2 < count) add_diagonal(weave, def, a, c, area);
    }
}

static void add_polygons(supi_weave* weave, const sup_weave_mesh_def* def, const sup_mesh* mesh,
                         double* areas) {
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        int32_t count = mesh->starts[k + 1] - mesh->starts[k];
        areas[k] = supi_weave_area(mesh, k);
        for (int32_t c = 0; c < count; c++) {
            weave->masses[corners[c]] += def->density * areas[k] / count;
        }
        if (count == 4) {
            add_quad(weave, def, corners, areas[k]);
        } else {
            add_fan(weave, def, corners, count);
        }
    }
}

/* ---- Across edges ---- */

/* A polygon at an edge: the points beside the edge's lower and higher one, and its area. */
typedef struct wing {
    int32_t beside[2];
    double area;
} wing;

typedef struct wings {
    const sup_mesh* mesh;
    const supi_edges* edges;
    const int32_t* polygon_of; /* by corner */
    const double* areas;       /* by polygon */
} wings;

static wing wing_of(const wings* all, int32_t corner) {
    const int32_t *corners = all->mesh->corners, *next = all->edges->next;
    int32_t polygon = all->polygon_of[corner];
    int32_t before =
        corner > all->mesh->starts[polygon] ? corner - 1 : all->mesh->starts[polygon + 1] - 1;
    int32_t start = corners[before], end = corners[next[next[corner]]];
    bool rising = corners[corner] < corners[next[corner]];
    return (wing){{rising ? start : end, rising ? end : start}, all->areas[polygon]};
}

/* Two triangles bend by one spring; where a wing is wider, by one on each end of the edge. */
static void add_bend(supi_weave* weave, const sup_weave_mesh_def* def, const wing* f,
                     const wing* g) {
    double area = f->area + g->area;
    bool one = f->beside[0] == f->beside[1] && g->beside[0] == g->beside[1];
    for (int end = 0; end < (one ? 1 : 2); end++) {
        int32_t a = f->beside[end], b = g->beside[end];
        if (a == b) continue;
        double stiffness = def->stiffness > 0.0
                               ? def->stiffness
                               : by_area(weave, def, a, b, one ? area : 0.5 * area);
        supi_weave_add(weave, a, b, SUP_SPRING_BEND, def->bend * stiffness);
    }
}

static void add_bends(supi_weave* weave, const sup_weave_mesh_def* def, const wings* all) {
    const supi_edges* edges = all->edges;
    for (int32_t e = 0; e < edges->edge_count; e++) {
        int32_t count = edges->starts[e + 1] - edges->starts[e];
        if (count > 2) {
            int32_t corner = edges->sides[edges->starts[e]];
            supi_weave_tangle(weave, all->mesh->corners[corner],
                              all->mesh->corners[edges->next[corner]]);
        }
        if (count > PAIRED) weave->report.unbent++;
        wing around[PAIRED];
        for (int32_t i = 0; i < count && i < PAIRED; i++) {
            around[i] = wing_of(all, edges->sides[edges->starts[e] + i]);
            for (int32_t j = 0; j < i; j++) add_bend(weave, def, &around[j], &around[i]);
        }
    }
}

/* ---- The weave ---- */

sup_weave_mesh_def sup_weave_mesh_default(void) {
    return (sup_weave_mesh_def){.size = sizeof(sup_weave_mesh_def),
                                .weld = -1,
                                .young = 1000,
                                .shear = 0.5,
                                .bend = 0.05,
                                .density = 0.2};
}

static sup_result check_mesh(const sup_weave_mesh_def* def, sup_error* error) {
    const supi_range ranges[] = {{"weld", def->weld, -1e9, 1e3},
                                 {"young", def->young, 0, 1e12},
                                 {"stiffness", def->stiffness, 0, 1e12},
                                 {"shear", def->shear, 0, 1e6},
                                 {"bend", def->bend, 0, 1e6},
                                 {"density", def->density, 1e-9, 1e9}};
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "mesh", error);
    if (result != SUP_OK) return result;
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

static void fill_mesh(supi_weave* weave, const sup_weave_mesh_def* def, const sup_mesh* mesh) {
    supi_edges edges;
    double* areas = supi_weave_new(weave, (size_t)mesh->polygon_count, sizeof *areas);
    int32_t* polygon_of = supi_weave_new(weave, (size_t)mesh->corner_count, sizeof *polygon_of);
    if (weave->short_of_memory || !supi_topology_edges(weave->allocator, mesh, &edges)) {
        weave->short_of_memory = true;
        return;
    }
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        for (int32_t c = mesh->starts[k]; c < mesh->starts[k + 1]; c++) polygon_of[c] = k;
    }
    add_polygons(weave, def, mesh, areas);
    add_bends(weave, def, &(wings){mesh, &edges, polygon_of, areas});
    supi_topology_free(&edges);
}

sup_result sup_weave_mesh(const sup_allocator* allocator, const sup_weave_mesh_def* def,
                          sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    sup_result result = check_mesh(def, error);
    if (result != SUP_OK) return result;
    supi_weave_cloth cloth;
    sup_web_report report = {0};
    result = supi_weave_clean(allocator, def->mesh, def->weld, &cloth, &report, error);
    if (result != SUP_OK) return result;
    supi_weave weave;
    supi_weave_begin(&weave, allocator, cloth.mesh.point_count, cloth.mesh.points);
    weave.report = report;
    weave.given_count = cloth.map.original_count;
    weave.from_given = cloth.map.to_welded;
    weave.keeps_first = def->stiffness > 0.0;
    weave.polygon_count = cloth.mesh.polygon_count;
    weave.starts = cloth.mesh.starts;
    weave.corners = cloth.mesh.corners;
    if (!weave.short_of_memory) fill_mesh(&weave, def, &cloth.mesh);
    result = supi_weave_end(&weave, SUP_OK, out, error);
    supi_weave_cloth_free(&cloth);
    return result;
}
