/* Triangle meshes: the sign of a distance comes from the normal of the part of the surface that is
   nearest: of a face its own, of an edge the sum of both faces', of a point the sum weighted by
   the faces' angles there. No other weights tell inside from outside everywhere (Baerentzen and
   Aanaes 2005). */
#include "contact/trimesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/bvh.h"
#include "geom/mesh.h"
#include "geom/topology.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define PI 3.14159265358979323846
#define STEPS 1000 /* through triangles without area, at most */

struct supi_trimesh {
    const sup_allocator* allocator;
    int32_t point_count, triangle_count;
    sup_vec3 *points, *velocities; /* (point_count) */
    int32_t* joined;               /* the lowest point at the same place (point_count) */
    int32_t* triangles;            /* point ids (3 * triangle_count) */
    int32_t* across;               /* triangle beyond each side, -1: border (3 * triangle_count) */
    bool* on_border;               /* by joined point (point_count) */
    sup_vec3* face_normals;        /* unit, zero without area (triangle_count) */
    sup_vec3* point_normals;       /* of any length, by joined point (point_count) */
    supi_bvh tree;
    bool closed;
    float speed;
};

/* ---- Triangles ---- */

/* Writes the triangles of all polygons, those that name a point twice left out; `out` may be NULL.
   Returns how many there are. */
static int32_t cut_polygons(const sup_mesh* mesh, int32_t* out) {
    int32_t count = 0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* c = mesh->corners + mesh->starts[k];
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            if (c[0] == c[i - 1] || c[i - 1] == c[i] || c[i] == c[0]) continue;
            if (out) {
                int32_t* triangle = out + 3 * (size_t)count;
                triangle[0] = c[0];
                triangle[1] = c[i - 1];
                triangle[2] = c[i];
            }
            count++;
        }
    }
    return count;
}

/* ---- Neighbours ---- */

/* The two triangles of every edge that has two which agree become neighbours. Returns whether all
   edges are such. Sides are corners of `view`, whose polygon k is triangle ids[k]. */
static bool join_edges(supi_trimesh* mesh, const sup_mesh* view, const supi_edges* edges,
                       const int32_t* ids) {
    bool closed = true;
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++) mesh->across[i] = -1;
    for (int32_t i = 0; i < mesh->point_count; i++) mesh->on_border[i] = false;
    for (int32_t e = 0; e < edges->edge_count; e++) {
        const int32_t* sides = edges->sides + edges->starts[e];
        int32_t count = edges->starts[e + 1] - edges->starts[e];
        if (count == 2 && view->corners[sides[0]] != view->corners[sides[1]]) {
            int32_t a = ids[sides[0] / 3], b = ids[sides[1] / 3];
            mesh->across[3 * a + sides[0] % 3] = b;
            mesh->across[3 * b + sides[1] % 3] = a;
            continue;
        }
        closed = false;
        mesh->on_border[view->corners[sides[0]]] = true;
        mesh->on_border[view->corners[edges->next[sides[0]]]] = true;
    }
    return closed;
}

/* Finds neighbours as if each point were `joined` of it. False when memory is short. */
static bool find_neighbours(supi_trimesh* mesh) {
    sup_mesh view;
    supi_edges edges;
    size_t count = (size_t)mesh->triangle_count;
    if (!supi_mesh_new(mesh->allocator, 0, mesh->triangle_count, 3 * mesh->triangle_count, &view)) {
        return false;
    }
    int32_t* ids = supi_memory_new(mesh->allocator, count, sizeof *ids);
    int32_t kept = 0, all = view.polygon_count;
    for (int32_t i = 0; ids && i < mesh->triangle_count; i++) {
        int32_t* c = view.corners + 3 * (size_t)kept;
        for (int k = 0; k < 3; k++) c[k] = mesh->joined[mesh->triangles[3 * (size_t)i + (size_t)k]];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        ids[kept++] = i;
        view.starts[kept] = 3 * kept;
    }
    view.polygon_count = kept;
    view.corner_count = 3 * kept;
    bool enough = ids && supi_topology_edges(mesh->allocator, &view, &edges);
    if (enough) {
        mesh->closed = join_edges(mesh, &view, &edges, ids);
        supi_topology_free(&edges);
    }
    view.polygon_count = all;
    view.corner_count = 3 * all;
    sup_mesh_free(&view);
    supi_memory_free(mesh->allocator, ids, count, sizeof *ids);
    return enough;
}

/* As they are named, and if that leaves a border, with points at the same place as one. In this
   order, for bodies that only touch each other are closed as they are. */
static sup_result link_triangles(supi_trimesh* mesh, const sup_mesh* from, sup_error* error) {
    for (int32_t i = 0; i < mesh->point_count; i++) mesh->joined[i] = i;
    if (!find_neighbours(mesh)) return supi_error_memory(error);
    if (mesh->closed) return SUP_OK;
    sup_mesh welded;
    sup_weld_map map;
    sup_result result = sup_mesh_weld(mesh->allocator, from, 0.0, &welded, &map, error);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < mesh->point_count; i++) {
        mesh->joined[i] = map.to_original[map.to_welded[i]];
    }
    sup_mesh_free(&welded);
    sup_weld_map_free(&map);
    return find_neighbours(mesh) ? SUP_OK : supi_error_memory(error);
}

/* ---- Normals ---- */

static void triangle_corners(const supi_trimesh* mesh, int32_t triangle, sup_vec3 out[3]) {
    for (int k = 0; k < 3; k++) out[k] = mesh->points[mesh->triangles[3 * triangle + k]];
}

static void add_scaled(sup_vec3* sum, sup_vec3 a, float by) {
    *sum = (sup_vec3){sum->x + by * a.x, sum->y + by * a.y, sum->z + by * a.z};
}

static bool is_zero(sup_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/* Unit, or zero without area. */
static void find_face_normal(supi_trimesh* mesh, int32_t i) {
    sup_vec3 c[3];
    double n[3];
    triangle_corners(mesh, i, c);
    mesh->face_normals[i] = (sup_vec3){0, 0, 0};
    if (!supi_facet_normal(c, n)) return;
    double length = supi_vector_length(n);
    mesh->face_normals[i] = supi_vector_round(n[0] / length, n[1] / length, n[2] / length);
}

static double square_from_side(const supi_trimesh* mesh, int32_t triangle, int k,
                               const double place[3]) {
    double a[3], b[3], side[3], from[3];
    supi_vector_from(&mesh->points[mesh->triangles[3 * triangle + k]], a);
    supi_vector_from(&mesh->points[mesh->triangles[3 * triangle + (k + 1) % 3]], b);
    supi_vector_subtract(b, a, side);
    supi_vector_subtract(place, a, from);
    double length2 = supi_vector_dot(side, side), t = supi_vector_dot(from, side);
    t = t <= 0.0 ? 0.0 : (t >= length2 ? 1.0 : t / length2);
    for (int i = 0; i < 3; i++) from[i] -= t * side[i];
    return supi_vector_dot(from, from);
}

static int32_t joined_corner(const supi_trimesh* mesh, int32_t triangle, int k) {
    return mesh->joined[mesh->triangles[3 * triangle + k % 3]];
}

/* The triangle with an area beyond side k of `triangle`, at a place on that side; -1: the border.
   Triangles without area lie on their own sides: what is beyond them is beyond the side on which
   the place is. */
static int32_t beyond(const supi_trimesh* mesh, int32_t triangle, int k, const double place[3]) {
    for (int step = 0; step < STEPS; step++) {
        int32_t other = mesh->across[3 * triangle + k];
        if (other < 0 || !is_zero(mesh->face_normals[other])) return other;
        double least = DBL_MAX;
        int out = 0;
        for (int j = 0; j < 3; j++) {
            bool came_in = joined_corner(mesh, other, j) == joined_corner(mesh, triangle, k + 1) &&
                           joined_corner(mesh, other, j + 1) == joined_corner(mesh, triangle, k);
            double square = square_from_side(mesh, other, j, place);
            if (!came_in && square < least) least = square, out = j;
        }
        triangle = other;
        k = out;
    }
    return -1;
}

/* Arc cosine within 7e-5 (Abramowitz and Stegun 4.4.45): much faster than an exact one, and weights
   need no more. */
static float angle_of(double cosine) {
    double c = fabs(cosine) < 1.0 ? fabs(cosine) : 1.0;
    double sharp =
        sqrt(1.0 - c) * (1.5707288 + c * (-0.2121144 + c * (0.0742610 + c * -0.0187293)));
    return (float)(cosine < 0.0 ? PI - sharp : sharp);
}

/* The normal that a triangle shows at its corner k: one without area that of the triangle beyond
   the side on which the corner lies. */
static sup_vec3 normal_at(const supi_trimesh* mesh, int32_t triangle, int k) {
    if (!is_zero(mesh->face_normals[triangle])) return mesh->face_normals[triangle];
    double place[3];
    supi_vector_from(&mesh->points[mesh->triangles[3 * triangle + k]], place);
    int32_t other = beyond(mesh, triangle, (k + 1) % 3, place);
    return other < 0 ? (sup_vec3){0, 0, 0} : mesh->face_normals[other];
}

/* Adds a face to the normals of its points, by its angles there. */
static void add_angles(supi_trimesh* mesh, int32_t i) {
    sup_vec3 corners[3];
    double sides[3][3], lengths[3];
    triangle_corners(mesh, i, corners);
    for (int k = 0; k < 3; k++) {
        double from[3], to[3];
        supi_vector_from(&corners[k], from);
        supi_vector_from(&corners[(k + 1) % 3], to);
        supi_vector_subtract(to, from, sides[k]);
        lengths[k] = supi_vector_length(sides[k]);
    }
    for (int k = 0; k < 3; k++) {
        int last = (k + 2) % 3;
        double product = lengths[k] * lengths[last];
        if (!(product > 0.0)) continue;
        float angle = angle_of(-supi_vector_dot(sides[k], sides[last]) / product);
        add_scaled(&mesh->point_normals[joined_corner(mesh, i, k)], normal_at(mesh, i, k), angle);
    }
}

static void find_normals(supi_trimesh* mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) find_face_normal(mesh, i);
    for (int32_t i = 0; i < mesh->point_count; i++) mesh->point_normals[i] = (sup_vec3){0, 0, 0};
    for (int32_t i = 0; i < mesh->triangle_count; i++) add_angles(mesh, i);
}

/* ---- Coming and going ---- */

void supi_trimesh_free(supi_trimesh* mesh) {
    if (!mesh) return;
    const sup_allocator* allocator = mesh->allocator;
    size_t points = (size_t)mesh->point_count, triangles = (size_t)mesh->triangle_count;
    supi_memory_free(allocator, mesh->points, points, sizeof(sup_vec3));
    supi_memory_free(allocator, mesh->velocities, points, sizeof(sup_vec3));
    supi_memory_free(allocator, mesh->joined, points, sizeof(int32_t));
    supi_memory_free(allocator, mesh->triangles, 3 * triangles, sizeof(int32_t));
    supi_memory_free(allocator, mesh->across, 3 * triangles, sizeof(int32_t));
    supi_memory_free(allocator, mesh->on_border, points, sizeof(bool));
    supi_memory_free(allocator, mesh->face_normals, triangles, sizeof(sup_vec3));
    supi_memory_free(allocator, mesh->point_normals, points, sizeof(sup_vec3));
    supi_bvh_free(&mesh->tree);
    supi_memory_free(allocator, mesh, 1, sizeof *mesh);
}

static supi_trimesh* new_mesh(const sup_allocator* allocator, int32_t point_count,
                              int32_t triangle_count) {
    supi_trimesh* mesh = supi_memory_new(allocator, 1, sizeof *mesh);
    if (!mesh) return NULL;
    size_t points = (size_t)point_count, triangles = (size_t)triangle_count;
    *mesh = (supi_trimesh){
        .allocator = allocator,
        .point_count = point_count,
        .triangle_count = triangle_count,
        .points = supi_memory_new(allocator, points, sizeof(sup_vec3)),
        .velocities = supi_memory_new(allocator, points, sizeof(sup_vec3)),
        .joined = supi_memory_new(allocator, points, sizeof(int32_t)),
        .triangles = supi_memory_new(allocator, 3 * triangles, sizeof(int32_t)),
        .across = supi_memory_new(allocator, 3 * triangles, sizeof(int32_t)),
        .on_border = supi_memory_new(allocator, points, sizeof(bool)),
        .face_normals = supi_memory_new(allocator, triangles, sizeof(sup_vec3)),
        .point_normals = supi_memory_new(allocator, points, sizeof(sup_vec3)),
    };
    if (mesh->points && mesh->velocities && mesh->joined && mesh->triangles && mesh->across &&
        mesh->on_border && mesh->face_normals && mesh->point_normals) {
        return mesh;
    }
    supi_trimesh_free(mesh);
    return NULL;
}

static bool has_area(const supi_trimesh* mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        sup_vec3 c[3];
        double n[3];
        triangle_corners(mesh, i, c);
        if (supi_facet_normal(c, n)) return true;
    }
    return false;
}

sup_result supi_trimesh_create(const sup_allocator* allocator, const sup_mesh* mesh,
                               supi_trimesh** out, sup_error* error) {
    sup_result result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    if (mesh->polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the mesh of a collider has no polygon");
    }
    /* A polygon of n corners is n - 2 triangles, whose corners are counted in 32 bits. */
    if (mesh->corner_count - 2 * (int64_t)mesh->polygon_count > INT32_MAX / 3) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mesh of a collider has more than %d triangles", INT32_MAX / 3);
    }
    supi_trimesh* made = new_mesh(allocator, mesh->point_count, cut_polygons(mesh, NULL));
    if (!made) return supi_error_memory(error);
    memcpy(made->points, mesh->points, (size_t)mesh->point_count * sizeof *mesh->points);
    cut_polygons(mesh, made->triangles);
    if (has_area(made)) {
        result = link_triangles(made, mesh, error);
    } else {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "no polygon of the collider's mesh has an area");
    }
    if (result == SUP_OK && !supi_bvh_build(allocator, made->points, made->triangles,
                                            made->triangle_count, &made->tree)) {
        result = supi_error_memory(error);
    }
    if (result != SUP_OK) {
        supi_trimesh_free(made);
        return result;
    }
    find_normals(made);
    *out = made;
    return SUP_OK;
}

void supi_trimesh_move(supi_trimesh* mesh, const sup_vec3* points, const sup_vec3* velocities) {
    size_t count = (size_t)mesh->point_count;
    memmove(mesh->points, points, count * sizeof *points);
    float fastest = 0;
    for (size_t i = 0; velocities && i < count; i++) {
        sup_vec3 v = mesh->velocities[i] = velocities[i];
        float square = v.x * v.x + v.y * v.y + v.z * v.z;
        fastest = square > fastest ? square : fastest;
    }
    mesh->speed = sqrtf(fastest);
    find_normals(mesh);
    supi_bvh_refit(&mesh->tree, mesh->points, mesh->triangles);
}

/* ---- Asking ---- */

bool supi_trimesh_closed(const supi_trimesh* mesh) { return mesh->closed; }
int32_t supi_trimesh_point_count(const supi_trimesh* mesh) { return mesh->point_count; }
int32_t supi_trimesh_triangle_count(const supi_trimesh* mesh) { return mesh->triangle_count; }
const sup_vec3* supi_trimesh_points(const supi_trimesh* mesh) { return mesh->points; }
const int32_t* supi_trimesh_triangles(const supi_trimesh* mesh) { return mesh->triangles; }
float supi_trimesh_speed(const supi_trimesh* mesh) { return mesh->speed; }

void supi_trimesh_bounds(const supi_trimesh* mesh, float low[3], float high[3]) {
    supi_bvh_bounds(&mesh->tree, low, high);
}

static sup_vec3 velocity_at(const supi_trimesh* mesh, int32_t triangle, const double weights[3]) {
    sup_vec3 sum = {0, 0, 0};
    if (!(mesh->speed > 0)) return sum;
    for (int k = 0; k < 3; k++) {
        add_scaled(&sum, mesh->velocities[mesh->triangles[3 * triangle + k]], (float)weights[k]);
    }
    return sum;
}

/* The normal, of any length, of a part of the surface, and whether it is on the border. */
static void part_normal(const supi_trimesh* mesh, int32_t triangle, const supi_facet_point* at,
                        double out[3], bool* border) {
    sup_vec3 n = mesh->face_normals[triangle];
    *border = false;
    if (at->part < SUPI_FACET_SIDE) {
        int32_t point = joined_corner(mesh, triangle, at->part);
        n = mesh->point_normals[point];
        *border = mesh->on_border[point];
    } else if (at->part < SUPI_FACET_FACE) {
        int32_t other = beyond(mesh, triangle, at->part - SUPI_FACET_SIDE, at->place);
        *border = other < 0;
        if (other >= 0) add_scaled(&n, mesh->face_normals[other], 1);
    }
    supi_vector_from(&n, out);
}

/* a as a unit vector; up if it has no length. */
static sup_vec3 unit(const double a[3], double sign) {
    double length = supi_vector_length(a);
    if (!(length > 0.0)) return (sup_vec3){0, 1, 0};
    return supi_vector_round(sign * a[0] / length, sign * a[1] / length, sign * a[2] / length);
}

bool supi_trimesh_nearest(const supi_trimesh* mesh, sup_vec3 x, float limit,
                          supi_trimesh_hit* out) {
    supi_facet_point found;
    int32_t triangle;
    if (!supi_bvh_nearest(&mesh->tree, x, limit, &triangle, &found)) return false;
    double at[3], away[3], normal[3];
    bool border;
    supi_vector_from(&x, at);
    supi_vector_subtract(at, found.place, away);
    part_normal(mesh, triangle, &found, normal, &border);
    double sign = supi_vector_dot(away, normal) < 0.0 ? -1.0 : 1.0;
    double outwards = border ? 1.0 : sign, distance = sqrt(found.square);
    /* The direction to a place that is all but on the surface would be rounding. */
    bool on_surface = found.square <= 1e-24 * supi_vector_dot(at, at) + (double)FLT_MIN;
    *out = (supi_trimesh_hit){.distance = (float)(outwards * distance),
                              .point =
                                  supi_vector_round(found.place[0], found.place[1], found.place[2]),
                              .velocity = velocity_at(mesh, triangle, found.weights),
                              .side = (float)sign,
                              .border = border,
                              .triangle = triangle};
    if (found.part == SUPI_FACET_FACE)
        out->normal = mesh->face_normals[triangle];
    else
        out->normal = on_surface ? unit(normal, 1.0) : unit(away, outwards);
    return true;
}

bool supi_trimesh_cross(const supi_trimesh* mesh, sup_vec3 from, sup_vec3 to,
                        supi_trimesh_crossing* out) {
    int32_t triangle;
    double t, weights[3];
    if (!supi_bvh_cross(&mesh->tree, from, to, &triangle, &t, weights)) return false;
    *out = (supi_trimesh_crossing){.t = (float)t,
                                   .triangle = triangle,
                                   .normal = mesh->face_normals[triangle],
                                   .velocity = velocity_at(mesh, triangle, weights)};
    return true;
}

void supi_trimesh_visit(const supi_trimesh* mesh, const float low[3], const float high[3],
                        supi_facet_visit* visit, void* context) {
    supi_bvh_visit(&mesh->tree, low, high, visit, context);
}
