/* Who is across each side, where surfaces that touch part, and which holes are closed. */
#include "base/real.h"
#include "geom/mesh.h"
#include "geom/repair.h"
#include "geom/sort.h"
#include "geom/topology.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <string.h>

#define LOOP_MOST 64  /* edges of a hole that is closed */
#define LID_MOST 0.8  /* of the area around a hole: more is the back of a sheet, not a hole */
#define ROUGHNESS 0.2 /* of the size of a hole: how far its edge may be from a plane */

/* ---- Pairs ---- */

typedef struct pairing {
    const sup_mesh* mesh;
    const supi_edges* edges;
    int32_t* mates;
    uint64_t *keys, *scratch_keys; /* for the sides of one edge */
    int32_t *sides, *scratch_sides, *waiting;
} pairing;

/* The angle around the edge from its lower to its higher point at which the triangle of a side
   lies, seen from that of the first one; as a number of the same order. */
static uint64_t angle_key(const pairing* p, int32_t first, int32_t side) {
    const sup_mesh* mesh = p->mesh;
    int32_t ends[2] = {mesh->corners[first], mesh->corners[supi_repair_next(first)]};
    const int32_t low = ends[0] < ends[1] ? ends[0] : ends[1], high = ends[0] + ends[1] - low;
    double a[3], axis[3], own[3], zero[3], across[3];
    supi_vector_from(&mesh->points[low], a);
    supi_vector_from(&mesh->points[high], axis);
    supi_vector_from(&mesh->points[mesh->corners[supi_repair_next(supi_repair_next(first))]], zero);
    supi_vector_from(&mesh->points[mesh->corners[supi_repair_next(supi_repair_next(side))]], own);
    supi_vector_subtract(axis, a, axis);
    supi_vector_subtract(zero, a, zero);
    supi_vector_subtract(own, a, own);
    double length = supi_vector_length(axis);
    for (int k = 0; k < 3; k++) axis[k] /= length;
    double along = supi_vector_dot(zero, axis);
    for (int k = 0; k < 3; k++) zero[k] -= along * axis[k];
    supi_vector_cross(axis, zero, across);
    double angle = supi_atan2(supi_vector_dot(own, across), supi_vector_dot(own, zero));
    if (angle < 0.0) angle += 6.283185307179586;
    uint64_t bits;
    memcpy(&bits, &angle, sizeof bits);
    return bits;
}

/* Whether the triangle has its inside on the side of larger angles. */
static bool opens(const pairing* p, int32_t side) {
    return p->mesh->corners[side] > p->mesh->corners[supi_repair_next(side)];
}

/* Around the edge like brackets: what opens an inside is the mate of what closes it. */
static void pair_around(pairing* p, int32_t first, int32_t count) {
    const int32_t* sides = p->edges->sides + first;
    int32_t balance = 0;
    for (int32_t i = 0; i < count; i++) {
        p->sides[i] = sides[i];
        p->keys[i] = angle_key(p, sides[0], sides[i]);
        p->mates[sides[i]] = SUPI_REPAIR_LEFT;
        balance += opens(p, sides[i]) ? 1 : -1;
    }
    if (balance != 0) return; /* odd, or they contradict each other */
    supi_sort_keys(count, p->keys, p->sides, p->scratch_keys, p->scratch_sides);
    int32_t waiting = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t side = p->sides[i % count];
        if (opens(p, side)) {
            if (i < count) p->waiting[waiting++] = side;
        } else if (p->mates[side] == SUPI_REPAIR_LEFT && waiting > 0) {
            p->mates[side] = p->waiting[--waiting];
            p->mates[p->mates[side]] = side;
        }
    }
}

bool supi_repair_pair(supi_repair* repair) {
    const sup_mesh* mesh = &repair->mesh;
    size_t count = (size_t)mesh->corner_count;
    supi_edges edges;
    if (!supi_topology_edges(mesh->allocator, mesh, &edges)) return false;
    supi_arena* arena = &repair->arena;
    pairing p = {.mesh = mesh,
                 .edges = &edges,
                 .mates = supi_arena_push(arena, count, sizeof(int32_t)),
                 .keys = supi_arena_push(arena, count, sizeof(uint64_t)),
                 .scratch_keys = supi_arena_push(arena, count, sizeof(uint64_t)),
                 .sides = supi_arena_push(arena, count, sizeof(int32_t)),
                 .scratch_sides = supi_arena_push(arena, count, sizeof(int32_t)),
                 .waiting = supi_arena_push(arena, count, sizeof(int32_t))};
    bool enough = p.mates && p.keys && p.scratch_keys && p.sides && p.scratch_sides && p.waiting;
    for (int32_t e = 0; enough && e < edges.edge_count; e++) {
        int32_t first = edges.starts[e], sides = edges.starts[e + 1] - first;
        const int32_t* side = edges.sides + first;
        if (sides == 1) {
            p.mates[side[0]] = SUPI_REPAIR_BOUNDARY;
        } else if (sides == 2) {
            bool agree = mesh->corners[side[0]] != mesh->corners[side[1]];
            p.mates[side[0]] = agree ? side[1] : SUPI_REPAIR_LEFT;
            p.mates[side[1]] = agree ? side[0] : SUPI_REPAIR_LEFT;
        } else {
            pair_around(&p, first, sides);
        }
    }
    repair->mates = p.mates;
    supi_topology_free(&edges);
    return enough;
}

/* ---- Fans ---- */

/* Corners at the same points of sides that are left stay one: nobody can tell them apart. */
static bool join_left(const supi_repair* repair, int32_t* parents) {
    const sup_mesh* mesh = &repair->mesh;
    supi_edges edges;
    if (!supi_topology_edges(mesh->allocator, mesh, &edges)) return false;
    for (int32_t e = 0; e < edges.edge_count; e++) {
        int32_t first = edges.sides[edges.starts[e]];
        if (repair->mates[first] != SUPI_REPAIR_LEFT) continue;
        for (int32_t s = edges.starts[e] + 1; s < edges.starts[e + 1]; s++) {
            int32_t side = edges.sides[s];
            bool same_way = mesh->corners[side] == mesh->corners[first];
            supi_union_join(parents, first, same_way ? side : edges.next[side]);
            supi_union_join(parents, edges.next[first], same_way ? edges.next[side] : side);
        }
    }
    supi_topology_free(&edges);
    return true;
}

/* A copy with more points and triangles. */
static bool enlarge(sup_mesh* mesh, int32_t points, int32_t triangles) {
    sup_mesh more;
    if (points > INT32_MAX - mesh->point_count || triangles > INT32_MAX / 3 - mesh->polygon_count ||
        !supi_mesh_new(mesh->allocator, mesh->point_count + points, mesh->polygon_count + triangles,
                       mesh->corner_count + 3 * triangles, &more)) {
        return false;
    }
    memcpy(more.points, mesh->points, (size_t)mesh->point_count * sizeof *more.points);
    memcpy(more.corners, mesh->corners, (size_t)mesh->corner_count * sizeof *more.corners);
    for (int32_t t = 0; t <= more.polygon_count; t++) more.starts[t] = 3 * t;
    sup_mesh_free(mesh);
    *mesh = more;
    return true;
}

bool supi_repair_split(supi_repair* repair) {
    sup_mesh* mesh = &repair->mesh;
    int32_t* parents = supi_arena_push(&repair->arena, (size_t)mesh->corner_count, sizeof *parents);
    int32_t* numbers = supi_arena_push(&repair->arena, (size_t)mesh->corner_count, sizeof *numbers);
    bool* taken = supi_arena_push(&repair->arena, (size_t)mesh->point_count, sizeof *taken);
    if (!parents || !numbers || !taken) return false;
    for (int32_t c = 0; c < mesh->corner_count; c++) parents[c] = c;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        int32_t mate = repair->mates[c];
        if (mate < 0) continue;
        supi_union_join(parents, c, supi_repair_next(mate));
        supi_union_join(parents, supi_repair_next(c), mate);
    }
    if (!join_left(repair, parents)) return false;
    int32_t added = 0;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        if (supi_union_root(parents, c) != c) continue;
        numbers[c] = taken[mesh->corners[c]] ? mesh->point_count + added++ : mesh->corners[c];
        taken[mesh->corners[c]] = true;
    }
    int32_t before = mesh->point_count;
    if (!enlarge(mesh, added, 0)) return false;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        int32_t number = numbers[supi_union_root(parents, c)];
        if (number >= before) mesh->points[number] = mesh->points[mesh->corners[c]];
    }
    for (int32_t c = 0; c < mesh->corner_count; c++)
        mesh->corners[c] = numbers[supi_union_root(parents, c)];
    repair->report.split = added;
    return true;
}

/* ---- Holes ---- */

typedef struct hole {
    int32_t count, sides[LOOP_MOST];
    double middle[3];
} hole;

/* Walks around the hole at a side; false unless it is a small simple loop. Marks what it passes. */
static bool walk(const sup_mesh* mesh, const int32_t* leaving, bool* seen, int32_t start,
                 hole* out) {
    int32_t side = start;
    out->count = 0;
    do {
        if (seen[side]) return false;
        seen[side] = true;
        if (out->count < LOOP_MOST) out->sides[out->count] = side;
        out->count++;
        side = leaving[mesh->corners[supi_repair_next(side)]];
        if (side < 0) return false; /* none, or several */
    } while (side != start);
    return out->count >= 3 && out->count <= LOOP_MOST;
}

/* Whether a hole lies in a plane, nearly, and is small for the part around it, whose area is given.
   Finds its middle. */
static bool is_flat(const sup_mesh* mesh, double area, hole* h) {
    double normal[3] = {0, 0, 0}, size = 0.0, height = 0.0, lid = 0.0;
    for (int k = 0; k < 3; k++) h->middle[k] = 0.0;
    for (int32_t i = 0; i < h->count; i++) {
        double a[3];
        supi_vector_from(&mesh->points[mesh->corners[h->sides[i]]], a);
        for (int k = 0; k < 3; k++) h->middle[k] += a[k] / h->count;
    }
    for (int32_t i = 0; i < h->count; i++) {
        double a[3], b[3], product[3];
        supi_vector_from(&mesh->points[mesh->corners[h->sides[i]]], a);
        supi_vector_from(&mesh->points[mesh->corners[supi_repair_next(h->sides[i])]], b);
        supi_vector_subtract(a, h->middle, a);
        supi_vector_subtract(b, h->middle, b);
        supi_vector_cross(a, b, product);
        for (int k = 0; k < 3; k++) normal[k] += product[k];
        lid += 0.5 * supi_vector_length(product);
        double length = 2.0 * supi_vector_length(a);
        size = length > size ? length : size;
    }
    double length = supi_vector_length(normal);
    for (int32_t i = 0; length > 0.0 && i < h->count; i++) {
        double a[3];
        supi_vector_from(&mesh->points[mesh->corners[h->sides[i]]], a);
        supi_vector_subtract(a, h->middle, a);
        double above = fabs(supi_vector_dot(a, normal)) / length;
        height = above > height ? above : height;
    }
    return height <= ROUGHNESS * size && lid <= LID_MOST * area;
}

/* Where the boundary goes on from each point; -1: not at all, -2: nobody can tell. */
static int32_t* find_leaving(supi_repair* repair) {
    const sup_mesh* mesh = &repair->mesh;
    int32_t* leaving = supi_arena_push(&repair->arena, (size_t)mesh->point_count, sizeof *leaving);
    for (int32_t p = 0; leaving && p < mesh->point_count; p++) leaving[p] = -1;
    for (int32_t c = 0; leaving && c < mesh->corner_count; c++) {
        if (repair->mates[c] != SUPI_REPAIR_BOUNDARY) continue;
        int32_t* at = &leaving[mesh->corners[c]];
        *at = *at == -1 ? c : -2;
    }
    return leaving;
}

bool supi_repair_fill(supi_repair* repair) {
    sup_mesh* mesh = &repair->mesh;
    int32_t sides = mesh->corner_count;
    int32_t* leaving = find_leaving(repair);
    bool* seen = supi_arena_push(&repair->arena, (size_t)sides, sizeof *seen);
    int32_t* starts = supi_arena_push(&repair->arena, (size_t)sides, sizeof *starts);
    if (!leaving || !seen || !starts) return false;
    int32_t holes = 0, triangles = 0;
    hole found;
    for (int32_t c = 0; c < sides; c++) {
        if (repair->mates[c] != SUPI_REPAIR_BOUNDARY || seen[c]) continue;
        if (!walk(mesh, leaving, seen, c, &found) || !is_flat(mesh, repair->areas[c / 3], &found))
            continue;
        starts[holes++] = c;
        triangles += found.count;
    }
    int32_t point = mesh->point_count, corner = mesh->corner_count;
    if (!enlarge(mesh, holes, triangles)) return false;
    for (int32_t c = 0; c < sides; c++) seen[c] = false;
    for (int32_t h = 0; h < holes; h++, point++) {
        walk(mesh, leaving, seen, starts[h], &found);
        is_flat(mesh, 0.0, &found);
        mesh->points[point] = supi_vector_round(found.middle[0], found.middle[1], found.middle[2]);
        for (int32_t i = 0; i < found.count; i++) {
            mesh->corners[corner++] = mesh->corners[supi_repair_next(found.sides[i])];
            mesh->corners[corner++] = mesh->corners[found.sides[i]];
            mesh->corners[corner++] = point;
        }
    }
    repair->report.filled = holes;
    return true;
}
