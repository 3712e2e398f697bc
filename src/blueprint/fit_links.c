/* Links of a rig: sprayed, bridged, one by one. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/inside.h"
#include "geom/sites.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <math.h>

#define MOST_NEAREST 24
#define SAMPLES 8 /* places of a link that are looked at */

sup_spray_links_def sup_spray_links_default(void) {
    return (sup_spray_links_def){
        .size = sizeof(sup_spray_links_def), .nearest = 12, .inside = true};
}

/* ---- Spraying ---- */

typedef struct job {
    const sup_rig* rig;
    const sup_spray_links_def* def;
    double reach, margin; /* m */
    int32_t* nearest;     /* ids, nearest first, -1: no more (particle_count * def->nearest) */
} job;

/* Inserts a neighbour in a list by distance, then id. */
static void insert(int32_t* ids, double* squares, int32_t* count, int32_t most, int32_t id,
                   double square) {
    int32_t at = *count;
    while (at > 0 &&
           (square < squares[at - 1] || (square == squares[at - 1] && id < ids[at - 1]))) {
        at--;
    }
    if (at == most) return;
    if (*count < most) ++*count;
    for (int32_t i = *count - 1; i > at; i--) ids[i] = ids[i - 1], squares[i] = squares[i - 1];
    ids[at] = id;
    squares[at] = square;
}

static bool find_nearest(const job* j, supi_arena* scratch) {
    const sup_rig* rig = j->rig;
    int32_t count = rig->now.particle_count, most = j->def->nearest;
    supi_sites sites;
    int32_t* found = supi_arena_push(scratch, (size_t)count, sizeof *found);
    if (!found || !supi_sites_build(scratch, count, supi_rig_places(rig), &sites)) return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t *list = j->nearest + (size_t)i * (size_t)most, length = 0;
        double x[3], squares[MOST_NEAREST];
        supi_vector_from(&supi_rig_places(rig)[i], x);
        int32_t near = supi_sites_within(&sites, x, j->reach * j->reach, found);
        for (int32_t k = 0; k < near; k++) {
            double square = supi_point_square(&supi_rig_places(rig)[found[k]], x);
            if (found[k] == i || !(square < j->reach * j->reach)) continue;
            insert(list, squares, &length, most, found[k], square);
        }
        for (; length < most; length++) list[length] = -1;
    }
    return true;
}

static bool lists(const job* j, int32_t who, int32_t whom) {
    const int32_t* list = j->nearest + (size_t)who * (size_t)j->def->nearest;
    for (int32_t i = 0; i < j->def->nearest && list[i] >= 0; i++) {
        if (list[i] == whom) return true;
    }
    return false;
}

/* Does the line between two particles stay in the mesh, or near it? One that crosses nothing does
   where its ends do. */
static bool stays_inside(const job* j, int32_t a, int32_t b) {
    const supi_rig_shape* shape = &j->rig->shape;
    const sup_vec3* places = supi_rig_places(j->rig);
    const supi_solid_surface surface = {shape->points, shape->triangles, &shape->tree};
    int32_t triangle;
    double t, weights[3], from[3], to[3];
    bool on_surface = (supi_rig_flags(j->rig)[a] | supi_rig_flags(j->rig)[b]) & SUP_RIG_SURFACE;
    if (shape->closed && !on_surface &&
        !supi_bvh_cross(&shape->tree, places[a], places[b], &triangle, &t, weights)) {
        return true;
    }
    supi_vector_from(&places[a], from);
    supi_vector_from(&places[b], to);
    for (int32_t i = 1; i < SAMPLES; i++) {
        double share = (double)i / SAMPLES, x[3];
        for (int k = 0; k < 3; k++) x[k] = from[k] + share * (to[k] - from[k]);
        sup_vec3 place = supi_vector_round(x[0], x[1], x[2]);
        supi_facet_point nearest;
        if (supi_bvh_nearest(&shape->tree, place, (float)j->margin, &triangle, &nearest)) continue;
        if (!shape->closed || !supi_inside(&surface, place)) return false;
    }
    return true;
}

static bool wants(const job* j, int32_t a, int32_t b) {
    const sup_brush* brush = &j->def->brush;
    if (!lists(j, b, a)) return false;
    if (supi_rig_share(j->rig, brush, a) < 0.5 || supi_rig_share(j->rig, brush, b) < 0.5) {
        return false;
    }
    return !j->def->inside || j->rig->shape.triangle_count == 0 || stays_inside(j, a, b);
}

/* Links that are there come first, so that they stay as they are. Returns how many there are. */
static int32_t collect(const job* j, sup_link* links) {
    const sup_rig* rig = j->rig;
    int32_t count = rig->now.link_count;
    for (int32_t i = 0; i < count; i++) links[i] = supi_rig_links(rig)[i];
    for (int32_t a = 0; a < rig->now.particle_count; a++) {
        const int32_t* list = j->nearest + (size_t)a * (size_t)j->def->nearest;
        for (int32_t i = 0; i < j->def->nearest && list[i] >= 0; i++) {
            if (a < list[i] && wants(j, a, list[i])) links[count++] = supi_rig_new_link(a, list[i]);
        }
    }
    return count;
}

/* Puts links in order into the rig. */
static sup_result commit(sup_rig* rig, int32_t count, sup_link* links, int32_t* added,
                         sup_error* error) {
    int32_t before = rig->now.link_count;
    if (count > 4 * SUPI_RIG_MOST) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a rig has at most four million links");
    }
    if (!supi_rig_reserve(rig, 0, count, 0, 0, 0) || !supi_rig_put_links(rig, count, links)) {
        return supi_error_memory(error);
    }
    if (added) *added = rig->now.link_count - before;
    return SUP_OK;
}

static sup_result spray(sup_rig* rig, job* j, supi_arena* scratch, int32_t* added,
                        sup_error* error) {
    size_t count = (size_t)rig->now.particle_count, most = (size_t)j->def->nearest;
    j->nearest = supi_arena_push(scratch, count * most, sizeof *j->nearest);
    sup_link* links =
        supi_arena_push(scratch, (size_t)rig->now.link_count + count * most / 2 + 1, sizeof *links);
    if (!j->nearest || !links) return supi_error_memory(error);
    if (count > 0 && !find_nearest(j, scratch)) return supi_error_memory(error);
    return commit(rig, collect(j, links), links, added, error);
}

sup_result sup_rig_spray_links(sup_rig* rig, const sup_spray_links_def* def, int32_t* added,
                               sup_error* error) {
    SUPI_NEED(error, rig, def);
    sup_result result = supi_rig_check_size(def->size, sizeof *def, "sup_spray_links_def", error);
    if (result == SUP_OK) result = supi_rig_check_brush(&def->brush, error);
    const supi_range ranges[] = {{"the reach", def->reach, 0, SUPI_RIG_FAR},
                                 {"nearest", def->nearest, 1, MOST_NEAREST}};
    if (result == SUP_OK) result = supi_check_ranges(ranges, 2, error);
    if (result != SUP_OK) return result;
    double spacing;
    if (!supi_rig_spacing(rig, &spacing)) return supi_error_memory(error);
    job j = {.rig = rig,
             .def = def,
             .reach = def->reach > 0.0 ? def->reach : 1.6 * spacing,
             .margin = (rig->shape.closed ? 0.1 : 0.25) * spacing};
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = spray(rig, &j, &scratch, added, error);
    supi_arena_free(&scratch);
    return result;
}

/* ---- Bridges ---- */

typedef struct bridge {
    int32_t a, b;
    double square;
} bridge;

/* What hangs together by links and parts. */
static void join_pieces(const sup_rig* rig, int32_t* parent) {
    const sup_link* links = supi_rig_links(rig);
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    for (int32_t i = 0; i < rig->now.particle_count; i++) parent[i] = i;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        supi_union_join(parent, links[i].a, links[i].b);
    }
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        for (int32_t m = starts[p] + 1; m < starts[p + 1]; m++) {
            supi_union_join(parent, members[starts[p]], members[m]);
        }
    }
}

/* The root of the smallest piece, the lowest of equal ones; -1: there is but one. */
static int32_t smallest_piece(int32_t count, int32_t* parent, int32_t* sizes) {
    int32_t smallest = -1;
    for (int32_t i = 0; i < count; i++) sizes[i] = 0;
    for (int32_t i = 0; i < count; i++) sizes[supi_union_root(parent, i)]++;
    for (int32_t i = 0; i < count; i++) {
        if (sizes[i] > 0 && (smallest < 0 || sizes[i] < sizes[smallest])) smallest = i;
    }
    return smallest < 0 || sizes[smallest] == count ? -1 : smallest;
}

/* The nearest pairs of a piece and one other, no particle twice on the side of the piece. */
static int32_t find_bridges(const sup_rig* rig, int32_t piece, int32_t* parent, int32_t each,
                            bridge* out) {
    const sup_vec3* places = supi_rig_places(rig);
    int32_t count = 0, other = -1;
    for (int32_t turn = 0; turn < each; turn++) {
        bridge best = {-1, -1, INFINITY};
        for (int32_t i = 0; i < rig->now.particle_count; i++) {
            bool used = supi_union_root(parent, i) != piece;
            for (int32_t k = 0; k < count; k++) used = used || out[k].a == i;
            if (used) continue;
            double x[3];
            supi_vector_from(&places[i], x);
            for (int32_t k = 0; k < rig->now.particle_count; k++) {
                int32_t root = supi_union_root(parent, k);
                if (root == piece || (other >= 0 && root != other)) continue;
                double square = supi_point_square(&places[k], x);
                if (square < best.square) best = (bridge){i, k, square};
            }
        }
        if (best.a < 0) break;
        other = supi_union_root(parent, best.b);
        out[count++] = best;
    }
    return count;
}

static sup_result build_bridges(sup_rig* rig, int32_t each, supi_arena* scratch, int32_t* added,
                                sup_error* error) {
    int32_t count = rig->now.particle_count, used = rig->now.link_count;
    size_t room = (size_t)used + (size_t)count * (size_t)each;
    int32_t* parent = supi_arena_push(scratch, (size_t)count, sizeof *parent);
    int32_t* sizes = supi_arena_push(scratch, (size_t)count, sizeof *sizes);
    sup_link* links = supi_arena_push(scratch, room, sizeof *links);
    if (!parent || !sizes || !links) return supi_error_memory(error);
    join_pieces(rig, parent);
    for (int32_t i = 0; i < used; i++) links[i] = supi_rig_links(rig)[i];
    for (int32_t piece; (piece = smallest_piece(count, parent, sizes)) >= 0;) {
        bridge found[MOST_NEAREST];
        int32_t bridges = find_bridges(rig, piece, parent, each, found);
        for (int32_t i = 0; i < bridges; i++) {
            links[used++] = supi_rig_new_link(found[i].a, found[i].b);
            supi_union_join(parent, found[i].a, found[i].b);
        }
    }
    return commit(rig, used, links, added, error);
}

sup_result sup_rig_bridge(sup_rig* rig, int32_t each, int32_t* added, sup_error* error) {
    SUPI_NEED(error, rig);
    const supi_range range = {"each", each, 1, 12};
    sup_result result = supi_check_ranges(&range, 1, error);
    if (result != SUP_OK) return result;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = build_bridges(rig, each, &scratch, added, error);
    supi_arena_free(&scratch);
    return result;
}

/* ---- One by one ---- */

static int32_t find_link(const sup_rig* rig, int32_t a, int32_t b) {
    const sup_link* links = supi_rig_links(rig);
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        if (links[i].a == low && links[i].b == high) return i;
    }
    return -1;
}

sup_result sup_rig_link(sup_rig* rig, int32_t a, int32_t b, sup_error* error) {
    SUPI_NEED(error, rig);
    sup_result result = supi_rig_check_id(rig, a, error);
    if (result == SUP_OK) result = supi_rig_check_id(rig, b, error);
    if (result != SUP_OK) return result;
    if (a == b) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "particle %d cannot be linked to itself",
                              (int)a);
    }
    if (find_link(rig, a, b) >= 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "particles %d and %d are linked already",
                              (int)a, (int)b);
    }
    int32_t count = rig->now.link_count;
    if (!supi_rig_reserve(rig, 0, count + 1, 0, 0, 0)) return supi_error_memory(error);
    sup_link *links = supi_rig_links(rig), link = supi_rig_new_link(a, b);
    int32_t at = count;
    for (; at > 0 &&
           (links[at - 1].a > link.a || (links[at - 1].a == link.a && links[at - 1].b > link.b));
         at--) {
        links[at] = links[at - 1];
    }
    links[at] = link;
    rig->now.link_count++;
    return SUP_OK;
}

sup_result sup_rig_unlink(sup_rig* rig, int32_t a, int32_t b, sup_error* error) {
    SUPI_NEED(error, rig);
    int32_t at = find_link(rig, a, b);
    if (at < 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "particles %d and %d are not linked", (int)a,
                              (int)b);
    }
    sup_link* links = supi_rig_links(rig);
    rig->now.link_count--;
    for (; at < rig->now.link_count; at++) links[at] = links[at + 1];
    return SUP_OK;
}

sup_result sup_rig_erase_links(sup_rig* rig, const sup_brush* brush, double length,
                               int32_t* removed, sup_error* error) {
    SUPI_NEED(error, rig, brush);
    sup_result result = supi_rig_check_brush(brush, error);
    if (result != SUP_OK) return result;
    if (!(length >= 0.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a length must be 0 or above");
    }
    sup_link* links = supi_rig_links(rig);
    int32_t kept = 0, before = rig->now.link_count;
    for (int32_t i = 0; i < before; i++) {
        double x[3];
        supi_vector_from(&supi_rig_places(rig)[links[i].a], x);
        double square = supi_point_square(&supi_rig_places(rig)[links[i].b], x);
        bool goes = sqrt(square) < length && supi_rig_share(rig, brush, links[i].a) >= 0.5 &&
                    supi_rig_share(rig, brush, links[i].b) >= 0.5;
        if (!goes) links[kept++] = links[i];
    }
    rig->now.link_count = kept;
    if (removed) *removed = before - kept;
    return SUP_OK;
}
