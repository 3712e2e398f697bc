/* Remeshing after Botsch and Kobbelt (A remeshing approach to multiresolution modeling, 2004), for
   meshes that are fine enough to begin with: collapse short edges, flip those that are not
   Delaunay, move points to the middle of their neighbours and back onto the surface. */
#include "geom/remesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/topology.h"
#include "geom/vector.h"

#include <string.h>

/* Side s of triangle s / 3 goes from corner[s] to corner[next(s)]; pair[s] runs the other way. A
   triangle that is gone has corner -1, a point that is gone side -1. */
typedef struct net {
    const sup_allocator* allocator;
    const supi_remesh_def* def;
    int32_t point_count, side_count;
    double (*place)[3];
    double (*normal)[3]; /* unit, of points; as of the last refresh */
    double* size;        /* m, how long edges should be at a point */
    int32_t* corner;
    int32_t* pair;
    int32_t* side;    /* of a point: one that leaves it */
    int32_t* visited; /* of a point: the last number of `stamp` that met it */
    int32_t stamp;
} net;

static int32_t next(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }
static int32_t previous(int32_t side) { return side % 3 == 0 ? side + 2 : side - 1; }
/* The next side that leaves the same point, against the sense of the triangles. */
static int32_t around(const net* n, int32_t side) { return n->pair[previous(side)]; }
static int32_t head(const net* n, int32_t side) { return n->corner[next(side)]; }

/* --- Sizes --- */

static double square_between(const net* n, int32_t a, int32_t b) {
    double way[3];
    supi_vector_subtract(n->place[b], n->place[a], way);
    return supi_vector_dot(way, way);
}

static void cross_of(const double a[3], const double b[3], const double c[3], double out[3]) {
    double ab[3], ac[3];
    supi_vector_subtract(b, a, ab);
    supi_vector_subtract(c, a, ac);
    supi_vector_cross(ab, ac, out);
}

/* How even a triangle of these corners is, squared: 1 for equal sides, 0 for a needle. */
static double evenness(const double a[3], const double b[3], const double c[3],
                       const double cross[3]) {
    double ab[3], bc[3], ca[3];
    supi_vector_subtract(b, a, ab);
    supi_vector_subtract(c, b, bc);
    supi_vector_subtract(a, c, ca);
    double sum = supi_vector_dot(ab, ab) + supi_vector_dot(bc, bc) + supi_vector_dot(ca, ca);
    return 12 * supi_vector_dot(cross, cross) / (sum * sum + 1e-300);
}

/* Whether the normal of a triangle is nearly that of its corners. */
static bool agrees(const net* n, const double cross[3], int32_t a, int32_t b, int32_t c,
                   double cosine) {
    double mean[3];
    for (int k = 0; k < 3; k++) mean[k] = n->normal[a][k] + n->normal[b][k] + n->normal[c][k];
    double dot = supi_vector_dot(cross, mean);
    return dot > 0 && dot * dot > cosine * cosine * supi_vector_dot(cross, cross) *
                                      supi_vector_dot(mean, mean);
}

static void refresh_normals(net* n) {
    memset(n->normal, 0, sizeof *n->normal * (size_t)n->point_count);
    for (int32_t s = 0; s < n->side_count; s += 3) {
        if (n->corner[s] < 0) continue;
        const int32_t* c = n->corner + s;
        double cross[3];
        cross_of(n->place[c[0]], n->place[c[1]], n->place[c[2]], cross);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) n->normal[c[i]][k] += cross[k];
        }
    }
    for (int32_t v = 0; v < n->point_count; v++) {
        double length = supi_vector_length(n->normal[v]);
        for (int k = 0; length > 0 && k < 3; k++) n->normal[v][k] /= length;
    }
}

/* --- Collapse --- */

static int32_t valence(const net* n, int32_t point) {
    int32_t count = 0, s = n->side[point];
    do {
        count++;
        s = around(n, s);
    } while (s != n->side[point]);
    return count;
}

/* The ends of a side must have no neighbours in common but the two that its triangles have. */
static bool keeps_topology(net* n, int32_t side) {
    int32_t a = n->corner[side], b = head(n, side), common = 0, s = n->side[a];
    int32_t c = head(n, next(side)), d = head(n, next(n->pair[side]));
    if (c == d || valence(n, c) < 4 || valence(n, d) < 4) return false;
    n->stamp++;
    do {
        n->visited[head(n, s)] = n->stamp;
        s = around(n, s);
    } while (s != n->side[a]);
    s = n->side[b];
    do {
        if (n->visited[head(n, s)] == n->stamp) common++;
        s = around(n, s);
    } while (s != n->side[b]);
    return common == 2;
}

/* Whether the triangles about a point, but those with `other`, stay good when it goes to `to`, or
   become better. */
static bool may_move(const net* n, int32_t point, int32_t other, const double to[3], double least,
                     double most) {
    int32_t s = n->side[point];
    do {
        int32_t b = head(n, s), c = n->corner[previous(s)];
        if (b != other && c != other) {
            double old[3], young[3], way[3];
            const double *here = n->place[point], *pb = n->place[b], *pc = n->place[c];
            cross_of(here, pb, pc, old);
            cross_of(to, pb, pc, young);
            double even = evenness(to, pb, pc, young);
            if (even < least && even < evenness(here, pb, pc, old)) return false;
            if (!agrees(n, young, point, b, c, 0.5) && agrees(n, old, point, b, c, 0.5)) {
                return false;
            }
            supi_vector_subtract(n->place[b], to, way);
            if (supi_vector_dot(way, way) > most * most) return false;
        }
        s = around(n, s);
    } while (s != n->side[point]);
    return true;
}

static void join_pairs(net* n, int32_t a, int32_t b) {
    n->pair[a] = b;
    n->pair[b] = a;
}

/* Takes a triangle away: what lay beyond its sides other than `side` meets. */
static void remove_triangle(net* n, int32_t side) {
    int32_t after = next(side), before = previous(side);
    int32_t x = n->pair[after], y = n->pair[before];
    n->side[n->corner[before]] = x;
    n->side[n->corner[side]] = y;
    join_pairs(n, x, y);
    for (int32_t s = side - side % 3, end = s + 3; s < end; s++) n->corner[s] = -1;
}

static void collapse(net* n, int32_t side, const double to[3]) {
    int32_t a = n->corner[side], b = head(n, side), s = n->side[b], back = n->pair[side];
    do {
        int32_t following = around(n, s);
        n->corner[s] = a;
        s = following;
    } while (s != n->side[b]);
    remove_triangle(n, side);
    remove_triangle(n, back);
    n->side[b] = -1;
    memcpy(n->place[a], to, sizeof *n->place);
    double normal[3];
    for (int k = 0; k < 3; k++) normal[k] = n->normal[a][k] + n->normal[b][k];
    double length = supi_vector_length(normal);
    for (int k = 0; length > 0 && k < 3; k++) n->normal[a][k] = normal[k] / length;
}

/* One walk over all edges, dropping those below a share of what they should be. */
static void collapse_short(net* n, double share) {
    for (int32_t s = 0; s < n->side_count; s++) {
        if (n->corner[s] < 0 || n->pair[s] < s) continue;
        int32_t a = n->corner[s], b = head(n, s);
        double size = n->size[a] < n->size[b] ? n->size[a] : n->size[b], to[3];
        if (square_between(n, a, b) >= share * size * share * size) continue;
        double most = 1.5 * n->def->length;
        for (int k = 0; k < 3; k++) to[k] = 0.5 * (n->place[a][k] + n->place[b][k]);
        if (!may_move(n, a, b, to, 1e-4, most) || !may_move(n, b, a, to, 1e-4, most)) continue;
        if (!keeps_topology(n, s)) continue;
        collapse(n, s, to);
        n->size[a] = size;
    }
}

/* --- Flip --- */

/* The cotangent of the angle at a between b and c. */
static double cotangent(const net* n, int32_t a, int32_t b, int32_t c) {
    double ab[3], ac[3], cross[3];
    supi_vector_subtract(n->place[b], n->place[a], ab);
    supi_vector_subtract(n->place[c], n->place[a], ac);
    supi_vector_cross(ab, ac, cross);
    return supi_vector_dot(ab, ac) / (supi_vector_length(cross) + 1e-300);
}

static bool are_neighbours(const net* n, int32_t a, int32_t b) {
    int32_t s = n->side[a];
    do {
        if (head(n, s) == b) return true;
        s = around(n, s);
    } while (s != n->side[a]);
    return false;
}

/* The side from a to b of triangles (a, b, c) and (b, a, d) becomes one from c to d, if that is
   better and the surface is flat enough there. */
static bool flip(net* n, int32_t side) {
    int32_t back = n->pair[side], a = n->corner[side], b = n->corner[back];
    int32_t c = n->corner[previous(side)], d = n->corner[previous(back)];
    if (cotangent(n, c, a, b) + cotangent(n, d, a, b) >= -1e-9) return false;
    double young[2][3];
    cross_of(n->place[c], n->place[d], n->place[b], young[0]);
    cross_of(n->place[d], n->place[c], n->place[a], young[1]);
    if (!agrees(n, young[0], c, d, b, 0.7) || !agrees(n, young[1], d, c, a, 0.7)) return false;
    if (valence(n, a) < 4 || valence(n, b) < 4 || are_neighbours(n, c, d)) return false;
    int32_t bc = next(side), ca = previous(side), ad = next(back), db = previous(back);
    int32_t beyond_ca = n->pair[ca], beyond_db = n->pair[db];
    /* (c, d, b) in the place of the first triangle, (d, c, a) in that of the second */
    n->corner[side] = c;
    n->corner[bc] = d;
    n->corner[ca] = b;
    n->corner[back] = d;
    n->corner[ad] = c;
    n->corner[db] = a;
    int32_t beyond_bc = n->pair[bc], beyond_ad = n->pair[ad];
    join_pairs(n, bc, beyond_db);
    join_pairs(n, ca, beyond_bc);
    join_pairs(n, ad, beyond_ca);
    join_pairs(n, db, beyond_ad);
    n->side[a] = db;
    n->side[b] = ca;
    n->side[c] = side;
    n->side[d] = back;
    return true;
}

static void flip_all(net* n) {
    for (int walk = 0; walk < 3; walk++) {
        int32_t count = 0;
        for (int32_t s = 0; s < n->side_count; s++) {
            if (n->corner[s] >= 0 && s < n->pair[s] && flip(n, s)) count++;
        }
        if (count == 0) return;
    }
}

/* --- Relax --- */

/* Where a point should go: to the middle of its neighbours, within its tangent plane. */
static void relaxed(const net* n, int32_t point, double share, double out[3]) {
    double sum[3] = {0, 0, 0}, way[3];
    int32_t count = 0, s = n->side[point];
    do {
        const double* other = n->place[head(n, s)];
        for (int k = 0; k < 3; k++) sum[k] += other[k];
        count++;
        s = around(n, s);
    } while (s != n->side[point]);
    const double *here = n->place[point], *normal = n->normal[point];
    for (int k = 0; k < 3; k++) way[k] = sum[k] / count - here[k];
    double up = supi_vector_dot(way, normal);
    for (int k = 0; k < 3; k++) out[k] = here[k] + share * (way[k] - up * normal[k]);
}

/* Moves all points; one that would turn a triangle over is only brought back to the surface, or
   stays. */
static void relax_all(net* n, bool bring_back) {
    const supi_remesh_def* def = n->def;
    refresh_normals(n);
    for (int32_t v = 0; v < n->point_count; v++) {
        if (n->side[v] < 0) continue;
        static const double shares[2] = {0.7, 0};
        for (int attempt = 0; attempt < 2; attempt++) {
            double to[3];
            relaxed(n, v, shares[attempt], to);
            if (def->project && bring_back) def->project(def->data, n->normal[v], to);
            if (!may_move(n, v, -1, to, 0.1, 1e30)) continue;
            memcpy(n->place[v], to, sizeof to);
            break;
        }
    }
}

/* --- Sizes by curvature --- */

/* The length along which the normal turns by the angle of the definition. */
static double bent_size(const net* n, int32_t point) {
    double turn = 0, way = 0, to[3];
    int32_t s = n->side[point];
    do {
        supi_vector_subtract(n->normal[head(n, s)], n->normal[point], to);
        turn += supi_vector_dot(to, to);
        way += square_between(n, point, head(n, s));
        s = around(n, s);
    } while (s != n->side[point]);
    const supi_remesh_def* def = n->def;
    if (def->length * def->length * turn <= def->angle * def->angle * way) return def->length;
    double size = def->angle * sqrt(way / turn);
    return size < def->finest ? def->finest : size;
}

/* Sizes grow slowly from fine to coarse, so that triangles between are even. */
static void find_sizes(net* n) {
    refresh_normals(n);
    for (int32_t v = 0; v < n->point_count; v++) {
        if (n->side[v] >= 0) n->size[v] = bent_size(n, v);
    }
    for (int walk = 0; walk < 8; walk++) {
        for (int32_t s = 0; s < n->side_count; s++) {
            if (n->corner[s] < 0) continue;
            int32_t a = n->corner[s], b = head(n, s);
            if (n->size[b] <= n->size[a]) continue;
            double most = n->size[a] + 0.3 * sqrt(square_between(n, a, b));
            if (n->size[b] > most) n->size[b] = most;
        }
    }
}

/* --- The whole --- */

static void free_net(net* n) {
    size_t points = (size_t)n->point_count, sides = (size_t)n->side_count;
    supi_memory_free(n->allocator, n->place, points, sizeof *n->place);
    supi_memory_free(n->allocator, n->normal, points, sizeof *n->normal);
    supi_memory_free(n->allocator, n->size, points, sizeof *n->size);
    supi_memory_free(n->allocator, n->side, points, sizeof *n->side);
    supi_memory_free(n->allocator, n->visited, points, sizeof *n->visited);
    supi_memory_free(n->allocator, n->corner, sides, sizeof *n->corner);
    supi_memory_free(n->allocator, n->pair, sides, sizeof *n->pair);
}

static bool new_net(const sup_mesh* mesh, const supi_remesh_def* def, net* out) {
    const sup_allocator* allocator = supi_mesh_allocator(mesh->allocator);
    size_t points = (size_t)mesh->point_count, sides = (size_t)mesh->corner_count;
    net n = {.allocator = allocator,
             .def = def,
             .point_count = mesh->point_count,
             .side_count = mesh->corner_count,
             .place = supi_memory_new(allocator, points, sizeof *n.place),
             .normal = supi_memory_new(allocator, points, sizeof *n.normal),
             .size = supi_memory_new(allocator, points, sizeof *n.size),
             .side = supi_memory_new(allocator, points, sizeof *n.side),
             .visited = supi_memory_new(allocator, points, sizeof *n.visited),
             .corner = supi_memory_new(allocator, sides, sizeof *n.corner),
             .pair = supi_memory_new(allocator, sides, sizeof *n.pair)};
    supi_edges edges;
    if (!n.place || !n.normal || !n.size || !n.side || !n.visited || !n.corner || !n.pair ||
        !supi_topology_edges(allocator, mesh, &edges)) {
        free_net(&n);
        return false;
    }
    memset(n.side, -1, points * sizeof *n.side);
    for (int32_t v = 0; v < n.point_count; v++) supi_vector_from(mesh->points + v, n.place[v]);
    for (int32_t s = 0; s < n.side_count; s++) {
        n.corner[s] = mesh->corners[s];
        n.side[n.corner[s]] = s;
    }
    for (int32_t e = 0; e < edges.edge_count; e++) {
        const int32_t* two = edges.sides + edges.starts[e];
        join_pairs(&n, two[0], two[1]);
    }
    supi_topology_free(&edges);
    *out = n;
    return true;
}

/* The mesh that is left; false when memory is short. `visited` becomes the new number of a point.
 */
static bool make_mesh(net* n, sup_mesh* out) {
    int32_t points = 0, triangles = 0;
    for (int32_t v = 0; v < n->point_count; v++) n->visited[v] = n->side[v] < 0 ? -1 : points++;
    for (int32_t s = 0; s < n->side_count; s += 3) triangles += n->corner[s] >= 0;
    sup_mesh mesh;
    if (!supi_mesh_new(n->allocator, points, triangles, 3 * triangles, &mesh)) return false;
    for (int32_t v = 0; v < n->point_count; v++) {
        if (n->side[v] < 0) continue;
        const double* p = n->place[v];
        mesh.points[n->visited[v]] = supi_vector_round(p[0], p[1], p[2]);
    }
    int32_t end = 0;
    for (int32_t s = 0; s < n->side_count; s++) {
        if (n->corner[s] >= 0) mesh.corners[end++] = n->visited[n->corner[s]];
    }
    for (int32_t t = 0; t <= triangles; t++) mesh.starts[t] = 3 * t;
    *out = mesh;
    return true;
}

sup_result supi_remesh(sup_mesh* mesh, const supi_remesh_def* def, sup_error* error) {
    static const double shares[4] = {0.2, 0.4, 0.6, 0.8};
    net n;
    if (!new_net(mesh, def, &n)) return supi_error_memory(error);
    for (int32_t v = 0; v < n.point_count; v++) n.size[v] = def->finest;
    for (int i = 0; i < 4; i++) {
        refresh_normals(&n);
        collapse_short(&n, shares[i]);
    }
    flip_all(&n);
    relax_all(&n, true);
    find_sizes(&n);
    for (int32_t round = 0; round < def->rounds; round++) {
        bool last = round == def->rounds - 1;
        if (!last) collapse_short(&n, 0.8);
        flip_all(&n);
        relax_all(&n, last || round % 2 == 1);
    }
    sup_mesh even;
    bool enough = make_mesh(&n, &even);
    if (enough) {
        sup_mesh_free(mesh);
        *mesh = even;
    }
    free_net(&n);
    return enough ? SUP_OK : supi_error_memory(error);
}
