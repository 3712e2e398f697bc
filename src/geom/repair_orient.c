/* Which way triangles face: neighbours agree by a flood, parts by their volume and by what they lie
   in. */
#include "geom/mesh.h"
#include "geom/repair.h"
#include "geom/topology.h"
#include "geom/vector.h"
#include "geom/winding.h"

#include <math.h>

#define SAMPLES 8 /* places of a part that must all lie within another */

/* Triangles that reach each other over edges that two share. */
typedef struct part {
    int32_t first, count; /* of its triangles in `members` */
    bool closed, twisted; /* no other edges; cannot be oriented */
    bool turned;          /* all of it, after the flood */
    double volume;        /* m^3, about its middle */
    double area;          /* m^2 */
    double low[3], high[3];
} part;

typedef struct orienting {
    const sup_mesh* mesh;
    const int32_t* across; /* the side across an edge of two, -1: none */
    bool* turned;          /* by triangle */
    bool* seen;
    int32_t* members; /* triangles, part by part */
    int32_t part_count;
    part* parts;
} orienting;

/* ---- Flood ---- */

static void spread(orienting* o, int32_t seed, part* own) {
    const int32_t* corners = o->mesh->corners;
    o->seen[seed] = true;
    o->members[own->first] = seed;
    own->count = 1;
    own->closed = true;
    for (int32_t i = own->first; i < own->first + own->count; i++) {
        int32_t triangle = o->members[i];
        for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
            int32_t mate = o->across[side];
            own->closed = own->closed && mate >= 0;
            if (mate < 0) continue;
            int32_t other = mate / 3;
            bool turned = o->turned[triangle] ^ (corners[side] == corners[mate]);
            if (!o->seen[other]) {
                o->seen[other] = true;
                o->turned[other] = turned;
                o->members[own->first + own->count++] = other;
            } else if (o->turned[other] != turned) {
                own->twisted = true;
            }
        }
    }
}

static void flood(orienting* o) {
    int32_t done = 0;
    for (int32_t t = 0; t < o->mesh->polygon_count; t++) {
        if (o->seen[t]) continue;
        part* own = &o->parts[o->part_count++];
        *own = (part){.first = done};
        spread(o, t, own);
        done += own->count;
    }
}

/* ---- Parts ---- */

static void get_triangle(const orienting* o, int32_t triangle, double c[3][3]) {
    bool turned = o->turned[triangle];
    for (int k = 0; k < 3; k++) {
        int32_t from = turned ? 2 - k : k;
        supi_vector_from(&o->mesh->points[o->mesh->corners[3 * triangle + from]], c[k]);
    }
}

static void measure(const orienting* o, part* own) {
    double c[3][3], middle[3], product[3];
    for (int k = 0; k < 3; k++) own->low[k] = INFINITY, own->high[k] = -INFINITY;
    for (int32_t i = own->first; i < own->first + own->count; i++) {
        get_triangle(o, o->members[i], c);
        for (int k = 0; k < 9; k++) {
            double x = c[k / 3][k % 3];
            if (x < own->low[k % 3]) own->low[k % 3] = x;
            if (x > own->high[k % 3]) own->high[k % 3] = x;
        }
    }
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (own->low[k] + own->high[k]);
    for (int32_t i = own->first; i < own->first + own->count; i++) {
        get_triangle(o, o->members[i], c);
        for (int k = 0; k < 3; k++) supi_vector_subtract(c[k], middle, c[k]);
        supi_vector_cross(c[1], c[2], product);
        own->volume += supi_vector_dot(c[0], product) / 6.0;
        double normal[3];
        supi_mesh_normal(o->mesh, o->members[i], normal);
        own->area += 0.5 * supi_vector_length(normal);
    }
    own->turned = own->volume < 0.0;
}

/* How often the other part, facing outwards, goes round a place. */
static double winding_of(const orienting* o, const part* other, const double x[3]) {
    double sum = 0.0;
    for (int32_t i = other->first; i < other->first + other->count; i++) {
        double c[3][3];
        get_triangle(o, o->members[i], c);
        for (int k = 0; k < 3; k++) supi_vector_subtract(c[k], x, c[k]);
        sum += supi_winding_half_angle(c[0], c[1], c[2]);
    }
    return fabs(sum) / 6.283185307179586;
}

static bool lies_within(const part* inner, const part* outer) {
    bool within = true;
    for (int k = 0; k < 3; k++)
        within = within && inner->low[k] > outer->low[k] && inner->high[k] < outer->high[k];
    return within;
}

/* Closed parts that lie in an odd number of others, with all their samples. */
static bool is_cavity(const orienting* o, const part* own) {
    int32_t samples = own->count < SAMPLES ? own->count : SAMPLES, depths[SAMPLES] = {0};
    if (!own->closed || own->twisted) return false;
    for (int32_t p = 0; p < o->part_count; p++) {
        const part* other = &o->parts[p];
        if (!other->closed || other->twisted || !lies_within(own, other)) continue;
        for (int32_t s = 0; s < samples; s++) {
            double c[3][3];
            get_triangle(o, o->members[own->first + (int64_t)own->count * s / samples], c);
            depths[s] += winding_of(o, other, c[0]) > 0.5;
        }
    }
    bool odd = true;
    for (int32_t s = 0; s < samples; s++) odd = odd && depths[s] % 2 == 1;
    return odd;
}

static void turn(orienting* o, sup_mesh* mesh, double* areas, sup_repair_report* report) {
    for (int32_t p = 0; p < o->part_count; p++) measure(o, &o->parts[p]);
    for (int32_t p = 0; p < o->part_count; p++) {
        part* own = &o->parts[p];
        bool cavity = is_cavity(o, own);
        own->turned = own->turned != cavity;
        report->cavities += cavity;
        report->unorientable += own->twisted;
    }
    for (int32_t p = 0; p < o->part_count; p++) {
        const part* own = &o->parts[p];
        for (int32_t i = own->first; i < own->first + own->count; i++) {
            areas[o->members[i]] = own->area;
            int32_t* corners = mesh->corners + 3 * o->members[i];
            if (o->turned[o->members[i]] == own->turned) continue;
            int32_t swap = corners[1];
            corners[1] = corners[2];
            corners[2] = swap;
            report->flipped++;
        }
    }
}

bool supi_repair_orient(supi_repair* repair) {
    sup_mesh* mesh = &repair->mesh;
    size_t count = (size_t)mesh->polygon_count;
    supi_edges edges;
    if (!supi_topology_edges(mesh->allocator, mesh, &edges)) return false;
    int32_t* across = supi_arena_push(&repair->arena, 3 * count, sizeof *across);
    orienting o = {.mesh = mesh,
                   .across = across,
                   .turned = supi_arena_push(&repair->arena, count, sizeof(bool)),
                   .seen = supi_arena_push(&repair->arena, count, sizeof(bool)),
                   .members = supi_arena_push(&repair->arena, count, sizeof(int32_t)),
                   .parts = supi_arena_push(&repair->arena, count, sizeof(part))};
    repair->areas = supi_arena_push(&repair->arena, count, sizeof *repair->areas);
    bool enough = repair->areas && across && o.turned && o.seen && o.members && o.parts;
    for (size_t s = 0; enough && s < 3 * count; s++) across[s] = -1;
    for (int32_t e = 0; enough && e < edges.edge_count; e++) {
        if (edges.starts[e + 1] - edges.starts[e] != 2) continue;
        const int32_t* sides = edges.sides + edges.starts[e];
        across[sides[0]] = sides[1];
        across[sides[1]] = sides[0];
    }
    supi_topology_free(&edges);
    if (!enough) return false;
    flood(&o);
    turn(&o, mesh, repair->areas, &repair->report);
    return true;
}
