/* The last steps to a volume mesh: which sides are shared, what goes, what parts, and the order. */
#include "geom/tet.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/sort.h"
#include "geom/twins.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <string.h>

const int32_t supi_tet_sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

double supi_tet_volume(const sup_vec3* points, const int32_t tet[4]) {
    double c[4][3], product[3];
    for (int k = 0; k < 4; k++) supi_vector_from(&points[tet[k]], c[k]);
    for (int k = 1; k < 4; k++) supi_vector_subtract(c[k], c[0], c[k]);
    supi_vector_cross(c[2], c[3], product);
    return supi_vector_dot(c[1], product) / 6.0;
}

/* ---- What goes ---- */

static void turn_and_drop(supi_tet_draft* draft, supi_tet_finish* finish) {
    int32_t kept = 0;
    for (int32_t t = 0; t < draft->tet_count; t++) {
        int32_t* tet = draft->tets + 4 * kept;
        memmove(tet, draft->tets + 4 * t, 4 * sizeof *tet);
        double volume = supi_tet_volume(draft->points, tet);
        if (!(fabs(volume) >= finish->least_volume) || volume == 0.0) continue;
        kept++;
        if (volume > 0.0) continue;
        int32_t swap = tet[2];
        tet[2] = tet[3];
        tet[3] = swap;
        finish->flipped++;
    }
    finish->dropped += draft->tet_count - kept;
    draft->tet_count = kept;
}

bool supi_tet_mates(supi_arena* arena, int32_t tet_count, const int32_t* tets, int32_t* mates) {
    int32_t count = 4 * tet_count;
    int32_t* sides = supi_arena_push(arena, 4 * (size_t)count, sizeof *sides);
    int32_t* ids = supi_arena_push(arena, (size_t)count, sizeof *ids);
    if (!sides || !ids) return false;
    for (int32_t s = 0; s < count; s++) {
        /* A fourth corner that says nothing: elements have an even number. */
        for (int k = 0; k < 3; k++) sides[4 * s + k] = tets[s / 4 * 4 + supi_tet_sides[s % 4][k]];
        mates[s] = -1;
    }
    if (!supi_twins_order(arena->allocator, count, 4, sides, ids)) return false;
    for (int32_t first = 0, end; first < count; first = end) {
        const int32_t* own = sides + 4 * ids[first];
        for (end = first + 1; end < count; end++) {
            const int32_t* other = sides + 4 * ids[end];
            bool same = true;
            for (int k = 0; k < 3; k++)
                same = same && (other[k] == own[0] || other[k] == own[1] || other[k] == own[2]);
            if (!same) break;
        }
        if (end - first != 2) continue;
        mates[ids[first]] = ids[first + 1];
        mates[ids[first + 1]] = ids[first];
    }
    return true;
}

static bool find_mates(supi_arena* arena, const supi_tet_draft* draft, int32_t* mates) {
    return supi_tet_mates(arena, draft->tet_count, draft->tets, mates);
}

/* Pieces that hold together by sides and have too few members go. */
static bool drop_pieces(supi_arena* arena, supi_tet_draft* draft, int32_t* mates,
                        supi_tet_finish* finish) {
    int32_t kept = 0, count = draft->tet_count;
    int32_t* parents = supi_arena_push(arena, (size_t)count, sizeof *parents);
    int32_t* members = supi_arena_push(arena, (size_t)count, sizeof *members);
    if (!parents || !members) return false;
    for (int32_t t = 0; t < count; t++) parents[t] = t;
    for (int32_t s = 0; s < 4 * count; s++)
        if (mates[s] >= 0) supi_union_join(parents, s / 4, mates[s] / 4);
    for (int32_t t = 0; t < count; t++) members[supi_union_root(parents, t)]++;
    for (int32_t t = 0; t < count; t++) {
        if (members[supi_union_root(parents, t)] < finish->least_members) continue;
        finish->pieces += parents[t] == t;
        memmove(draft->tets + 4 * kept++, draft->tets + 4 * t, 4 * sizeof *draft->tets);
    }
    finish->dropped += count - kept;
    draft->tet_count = kept;
    return kept == count || find_mates(arena, draft, mates);
}

/* ---- What parts ---- */

/* Corners of one point stay together where their tetrahedra share a side. */
static void join_corners(const supi_tet_draft* draft, const int32_t* mates, int32_t* parents) {
    for (int32_t c = 0; c < 4 * draft->tet_count; c++) parents[c] = c;
    for (int32_t s = 0; s < 4 * draft->tet_count; s++) {
        if (mates[s] < s) continue;
        for (int k = 0; k < 3; k++) {
            int32_t corner = s / 4 * 4 + supi_tet_sides[s % 4][k], other = mates[s] / 4 * 4;
            while (draft->tets[other] != draft->tets[corner]) other++;
            supi_union_join(parents, corner, other);
        }
    }
}

/* Numbers points anew: those that are in use in their order, then copies for tetrahedra that touch
   others in a point or an edge only. */
static bool split_points(supi_arena* arena, supi_tet_draft* draft, const int32_t* mates,
                         supi_tet_finish* finish) {
    int32_t corner_count = 4 * draft->tet_count, used = 0, added = 0;
    int32_t* parents = supi_arena_push(arena, (size_t)corner_count, sizeof *parents);
    int32_t* numbers = supi_arena_push(arena, (size_t)draft->point_count, sizeof *numbers);
    int32_t* copies = supi_arena_push(arena, (size_t)corner_count, sizeof *copies);
    if (!parents || !numbers || !copies) return false;
    join_corners(draft, mates, parents);
    for (int32_t c = 0; c < corner_count; c++) numbers[draft->tets[c]] = 1;
    for (int32_t p = 0; p < draft->point_count; p++) numbers[p] = numbers[p] ? used++ : -1;
    finish->isolated = draft->point_count - used;
    bool* taken = supi_arena_push(arena, (size_t)used, sizeof *taken);
    if (!taken) return false;
    for (int32_t c = 0; c < corner_count; c++) {
        if (supi_union_root(parents, c) != c) continue;
        int32_t number = numbers[draft->tets[c]];
        copies[c] = taken[number] ? used + added++ : number;
        taken[number] = true;
    }
    sup_vec3* points = supi_arena_push(arena, (size_t)(used + added), sizeof *points);
    if (!points) return false;
    for (int32_t c = 0; c < corner_count; c++) {
        int32_t number = copies[supi_union_root(parents, c)];
        points[number] = draft->points[draft->tets[c]];
        draft->tets[c] = number;
    }
    draft->points = points;
    draft->point_count = used + added;
    finish->split = added;
    return true;
}

/* ---- The order ---- */

sup_result supi_tet_adjacency(const sup_allocator* allocator, const sup_tets* tets,
                              sup_adjacency* out, sup_error* error) {
    /* A polygon that runs along all edges of a tetrahedron. */
    static const int32_t walk[8] = {0, 1, 2, 3, 0, 2, 1, 3};
    sup_mesh walks;
    if (tets->tet_count > INT32_MAX / 8 ||
        !supi_mesh_new(allocator, 0, tets->tet_count, 8 * tets->tet_count, &walks)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < walks.corner_count; i++)
        walks.corners[i] = tets->tets[i / 8 * 4 + walk[i % 8]];
    for (int32_t t = 0; t <= tets->tet_count; t++) walks.starts[t] = 8 * t;
    sup_vec3* none = walks.points;
    walks.points = tets->points;
    walks.point_count = tets->point_count;
    sup_result result = sup_mesh_adjacency(allocator, &walks, out, error);
    walks.points = none;
    walks.point_count = 0;
    sup_mesh_free(&walks);
    return result;
}

static int32_t degree(const sup_adjacency* a, int32_t p) { return a->starts[p + 1] - a->starts[p]; }

/* Reverse Cuthill and McKee: breadth first, neighbours by their degree; the lowest of the smallest
   degree begins each part. order[new] = old. */
static void order_points(const sup_adjacency* a, const int32_t* by_degree, bool* seen,
                         int32_t* order) {
    int32_t count = 0, done = 0;
    for (int32_t i = 0; i < a->point_count; i++) {
        if (seen[by_degree[i]]) continue;
        seen[by_degree[i]] = true;
        order[count++] = by_degree[i];
        for (; done < count; done++) {
            int32_t first = count;
            for (int32_t n = a->starts[order[done]]; n < a->starts[order[done] + 1]; n++) {
                int32_t next = a->neighbours[n], at = count;
                if (seen[next]) continue;
                seen[next] = true;
                for (; at > first && degree(a, order[at - 1]) > degree(a, next); at--)
                    order[at] = order[at - 1];
                order[at] = next;
                count++;
            }
        }
    }
    for (int32_t i = 0, j = count - 1; i < j; i++, j--) {
        int32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* Sorts numbers by what `keys` says of them; both in the arena, which has room for scratch. */
static bool sort_by(supi_arena* arena, int32_t count, uint64_t* keys, int32_t* ids) {
    uint64_t* scratch_keys = supi_arena_push(arena, (size_t)count, sizeof *scratch_keys);
    int32_t* scratch_ids = supi_arena_push(arena, (size_t)count, sizeof *scratch_ids);
    if (!scratch_keys || !scratch_ids) return false;
    for (int32_t i = 0; i < count; i++) ids[i] = i;
    supi_sort_keys(count, keys, ids, scratch_keys, scratch_ids);
    return true;
}

/* Points by neighbourhood, tetrahedra by their lowest point. */
static bool reorder(supi_arena* arena, supi_tet_draft* draft) {
    const sup_tets view = {.point_count = draft->point_count,
                           .tet_count = draft->tet_count,
                           .points = draft->points,
                           .tets = draft->tets};
    size_t points = (size_t)draft->point_count, tets = (size_t)draft->tet_count;
    int32_t* order = supi_arena_push(arena, points, sizeof *order);
    int32_t* numbers = supi_arena_push(arena, points, sizeof *numbers);
    bool* seen = supi_arena_push(arena, points, sizeof *seen);
    sup_vec3* moved = supi_arena_push(arena, points, sizeof *moved);
    uint64_t* keys = supi_arena_push(arena, points > tets ? points : tets, sizeof *keys);
    int32_t* tet_order = supi_arena_push(arena, tets, sizeof *tet_order);
    int32_t* sorted = supi_arena_push(arena, 4 * tets, sizeof *sorted);
    sup_adjacency adjacency;
    if (!order || !numbers || !seen || !moved || !keys || !tet_order || !sorted ||
        supi_tet_adjacency(arena->allocator, &view, &adjacency, NULL) != SUP_OK) {
        return false;
    }
    for (int32_t p = 0; p < draft->point_count; p++) keys[p] = (uint64_t)degree(&adjacency, p);
    bool enough = sort_by(arena, draft->point_count, keys, numbers);
    if (enough) order_points(&adjacency, numbers, seen, order);
    sup_adjacency_free(&adjacency);
    if (!enough) return false;
    for (int32_t p = 0; p < draft->point_count; p++) {
        numbers[order[p]] = p;
        moved[p] = draft->points[order[p]];
    }
    for (size_t c = 0; c < 4 * tets; c++) draft->tets[c] = numbers[draft->tets[c]];
    for (size_t t = 0; t < tets; t++) {
        const int32_t* tet = draft->tets + 4 * t;
        int32_t least = tet[0];
        for (int k = 1; k < 4; k++) least = tet[k] < least ? tet[k] : least;
        keys[t] = (uint64_t)least;
    }
    if (!sort_by(arena, draft->tet_count, keys, tet_order)) return false;
    for (size_t t = 0; t < tets; t++)
        memcpy(sorted + 4 * t, draft->tets + 4 * tet_order[t], 4 * sizeof *sorted);
    draft->points = moved;
    draft->tets = sorted;
    return true;
}

/* ---- The whole ---- */

void sup_tets_free(sup_tets* tets) {
    if (!tets || !tets->allocator) return;
    supi_memory_free(tets->allocator, tets->points, (size_t)tets->point_count, sizeof(sup_vec3));
    supi_memory_free(tets->allocator, tets->tets, 4 * (size_t)tets->tet_count, sizeof(int32_t));
    supi_memory_free(tets->allocator, tets->triangles, 3 * (size_t)tets->triangle_count,
                     sizeof(int32_t));
    *tets = (sup_tets){0};
}

static bool copy_out(const sup_allocator* allocator, const supi_tet_draft* draft,
                     const int32_t* mates, sup_tets* out) {
    size_t points = (size_t)draft->point_count, tets = 4 * (size_t)draft->tet_count;
    sup_tets made = {
        .allocator = allocator, .point_count = draft->point_count, .tet_count = draft->tet_count};
    for (size_t s = 0; s < tets; s++) made.triangle_count += mates[s] < 0;
    made.points = supi_memory_new(allocator, points, sizeof *made.points);
    made.tets = supi_memory_new(allocator, tets, sizeof *made.tets);
    made.triangles =
        supi_memory_new(allocator, 3 * (size_t)made.triangle_count, sizeof *made.triangles);
    if (!made.points || !made.tets || !made.triangles) {
        sup_tets_free(&made);
        return false;
    }
    if (points > 0) memcpy(made.points, draft->points, points * sizeof *made.points);
    if (tets > 0) memcpy(made.tets, draft->tets, tets * sizeof *made.tets);
    int32_t* corner = made.triangles;
    for (size_t s = 0; s < tets; s++) {
        for (int k = 0; mates[s] < 0 && k < 3; k++)
            *corner++ = draft->tets[s / 4 * 4 + (size_t)supi_tet_sides[s % 4][k]];
    }
    *out = made;
    return true;
}

bool supi_tet_finish_draft(const sup_allocator* allocator, supi_tet_draft* draft,
                           supi_tet_finish* finish, sup_tets* out) {
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    turn_and_drop(draft, finish);
    size_t sides = 4 * (size_t)draft->tet_count;
    int32_t* mates = supi_arena_push(&arena, sides, sizeof *mates);
    bool enough = draft->tet_count <= INT32_MAX / 16 && mates && find_mates(&arena, draft, mates);
    enough = enough && drop_pieces(&arena, draft, mates, finish);
    enough = enough && split_points(&arena, draft, mates, finish);
    if (!finish->keep_order)
        enough = enough && reorder(&arena, draft) && find_mates(&arena, draft, mates);
    enough = enough && copy_out(allocator, draft, mates, out);
    supi_arena_free(&arena);
    return enough;
}
