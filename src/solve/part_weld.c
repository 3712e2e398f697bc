/* Parts of a net: who is in which; parts that share three points or more are one. */
#include "base/error.h"
#include "geom/eigen.h"
#include "geom/sort.h"
#include "geom/union_find.h"
#include "geom/vector.h"
#include "solve/frame_build.h"

#include <string.h>

/* A hinge has its two points at least this share of the smaller part apart. */
#define HINGE_LEAST 0.1
/* Points count as on one line if their second width is below this share of the first. */
#define LINE_MOST 1e-3

typedef struct parts {
    int32_t* root;             /* by part of the source */
    int32_t *starts, *members; /* of roots as they are now; rows ascend */
    int32_t *row_starts, *row_parts, *row_places;
    uint64_t* keys; /* (row, part) of all memberships, twice the room */
    int32_t* ids;
    int32_t count; /* memberships now */
} parts;

/* ---- Looking ---- */

static sup_result check_parts(const supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    if (s->part_count > 0 && s->part_starts[0] != 0) {
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "part_starts must ascend from 0");
    }
    for (int32_t i = 0; i < s->part_count; i++) {
        if (s->part_starts[i + 1] <= s->part_starts[i]) {
            return supi_error_set(b->error, SUP_BAD_ARGUMENT, "part %d has no particle", (int)i);
        }
        for (int32_t k = s->part_starts[i]; k < s->part_starts[i + 1]; k++) {
            if (s->part_members[k] >= 0 && s->part_members[k] < s->particle_count) continue;
            return supi_error_set(b->error, SUP_BAD_ARGUMENT, "part %d has a particle that is not",
                                  (int)i);
        }
    }
    return SUP_OK;
}

/* ---- Who is where ---- */

static bool parts_push(supi_frame_builder* b, int32_t member_count, parts* p) {
    size_t members = (size_t)member_count, rows = (size_t)b->net->row_count;
    size_t count = (size_t)b->source->part_count;
    p->root = supi_arena_push(b->arena, count, sizeof *p->root);
    p->starts = supi_arena_push(b->arena, count + 1, sizeof *p->starts);
    p->members = supi_arena_push(b->arena, members, sizeof *p->members);
    p->row_starts = supi_arena_push(b->arena, rows + 1, sizeof *p->row_starts);
    p->row_parts = supi_arena_push(b->arena, members, sizeof *p->row_parts);
    p->row_places = supi_arena_push(b->arena, members, sizeof *p->row_places);
    p->keys = supi_arena_push(b->scratch, 2 * members, sizeof *p->keys);
    p->ids = supi_arena_push(b->scratch, 2 * members, sizeof *p->ids);
    return p->root && p->starts && p->members && p->row_starts && p->row_parts && p->row_places &&
           p->keys && p->ids;
}

/* Memberships by (part, row), each once. Returns a part that had one twice, or -1. */
static int32_t collect(const supi_frame_builder* b, int32_t member_count, parts* p) {
    const supi_frame_source* s = b->source;
    for (int32_t i = 0; i < s->part_count; i++) {
        uint64_t root = (uint64_t)supi_union_root(p->root, i);
        for (int32_t k = s->part_starts[i]; k < s->part_starts[i + 1]; k++) {
            p->keys[k] = root << 32 | (uint64_t)s->part_members[k];
            p->ids[k] = i;
        }
    }
    size_t room = (size_t)member_count;
    supi_sort_keys(member_count, p->keys, p->ids, p->keys + room, p->ids + room);
    int32_t doubled = -1;
    p->count = 0;
    for (int32_t i = 0; i < member_count; i++) {
        bool again = i > 0 && p->keys[i] == p->keys[i - 1];
        if (again && p->ids[i] == p->ids[i - 1]) doubled = p->ids[i];
        if (!again) p->members[p->count++] = i; /* for now its place among the keys */
    }
    for (int32_t i = 0; i < p->count; i++) p->keys[i] = p->keys[p->members[i]];
    return doubled;
}

/* Parts in the order of their roots, and rows with their parts. Returns the number of parts. */
static int32_t arrange(const supi_frame_builder* b, parts* p) {
    int32_t rows = b->net->row_count, parts_now = -1;
    memset(p->row_starts, 0, ((size_t)rows + 1) * sizeof *p->row_starts);
    for (int32_t i = 0; i < p->count; i++) {
        if (i == 0 || p->keys[i] >> 32 != p->keys[i - 1] >> 32) p->starts[++parts_now] = i;
        p->members[i] = (int32_t)(p->keys[i] & UINT32_MAX);
        p->row_starts[p->members[i] + 1]++;
    }
    p->starts[++parts_now] = p->count;
    for (int32_t i = 0; i < rows; i++) p->row_starts[i + 1] += p->row_starts[i];
    for (int32_t part = 0; part < parts_now; part++) {
        for (int32_t i = p->starts[part]; i < p->starts[part + 1]; i++) {
            int32_t at = p->row_starts[p->members[i]]++;
            p->row_parts[at] = part;
            p->row_places[at] = i;
        }
    }
    for (int32_t i = rows; i > 0; i--) p->row_starts[i] = p->row_starts[i - 1];
    p->row_starts[0] = 0;
    return parts_now;
}

/* ---- What two parts share ---- */

/* Widths of points begin .. end-1 of a list: the two largest eigenvalues of their covariance. */
static void widths(const sup_vec3* rest, const int32_t* rows, int32_t count, double width[2]) {
    double middle[3] = {0, 0, 0}, a[9] = {0}, values[3], vectors[9];
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        supi_vector_from(rest + rows[i], p);
        for (int k = 0; k < 3; k++) middle[k] += p[k] / count;
    }
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        supi_vector_from(rest + rows[i], p);
        for (int k = 0; k < 9; k++) a[k] += (p[k / 3] - middle[k / 3]) * (p[k % 3] - middle[k % 3]);
    }
    supi_eigen_symmetric(3, a, values, vectors);
    for (int k = 0; k < 2; k++) width[k] = sqrt(values[k] > 0.0 ? values[k] / count : 0.0);
}

static double farthest(const sup_vec3* rest, const int32_t* rows, int32_t count) {
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30}, d[3];
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        supi_vector_from(rest + rows[i], p);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    supi_vector_subtract(high, low, d);
    return supi_vector_length(d);
}

/* Shared rows of two parts, both lists ascending. */
static int32_t shared_rows(const parts* p, int32_t a, int32_t b, int32_t* out) {
    int32_t count = 0;
    for (int32_t i = p->starts[a], k = p->starts[b];
         i < p->starts[a + 1] && k < p->starts[b + 1];) {
        if (p->members[i] == p->members[k]) out[count++] = p->members[i];
        bool first = p->members[i] <= p->members[k], second = p->members[k] <= p->members[i];
        i += first;
        k += second;
    }
    return count;
}

/* The source's number of a part as it is now. */
static int32_t name_of(const parts* p, int32_t part) {
    return (int32_t)(p->keys[p->starts[part]] >> 32);
}

/* Welds two parts, or looks whether their hinge is long enough. */
static sup_result meet(const supi_frame_builder* b, parts* p, int32_t one, int32_t two,
                       int32_t* shared, bool* welded) {
    const sup_vec3* rest = b->source->rest;
    int32_t count = shared_rows(p, one, two, shared);
    if (count < 2) return SUP_OK;
    double width[2], size = 1e30;
    widths(rest, shared, count, width);
    if (count > 2 && width[1] > LINE_MOST * width[0]) {
        supi_union_join(p->root, name_of(p, one), name_of(p, two));
        *welded = true;
        return SUP_OK;
    }
    const int32_t both[2] = {one, two};
    for (int k = 0; k < 2; k++) {
        int32_t begin = p->starts[both[k]], end = p->starts[both[k] + 1];
        double far = farthest(rest, p->members + begin, end - begin);
        size = far < size ? far : size;
    }
    if (farthest(rest, shared, count) >= HINGE_LEAST * size) return SUP_OK;
    return supi_error_set(b->error, SUP_BAD_ARGUMENT,
                          "parts %d and %d share points too close for a hinge",
                          (int)name_of(p, one), (int)name_of(p, two));
}

/* All pairs of parts that meet, each where their first shared row is seen. */
static sup_result meet_all(const supi_frame_builder* b, parts* p, int32_t* shared, bool* welded) {
    for (int32_t row = 0; row < b->net->row_count; row++) {
        int32_t begin = p->row_starts[row], end = p->row_starts[row + 1];
        for (int32_t i = begin; i < end; i++) {
            for (int32_t k = i + 1; k < end; k++) {
                int32_t one = p->row_parts[i], two = p->row_parts[k];
                shared_rows(p, one, two, shared);
                if (shared[0] != row) continue;
                sup_result result = meet(b, p, one, two, shared, welded);
                if (result != SUP_OK) return result;
            }
        }
    }
    return SUP_OK;
}

/* Parts of the source to parts as they are now. */
static void name_parts(const supi_frame_builder* b, parts* p, int32_t part_count) {
    for (int32_t i = b->source->part_count - 1; i >= 0; i--) {
        p->root[i] = supi_union_root(p->root, i);
    }
    for (int32_t i = b->source->part_count - 1; i >= 0; i--) {
        int32_t low = 0, high = part_count - 1;
        while (low < high) {
            int32_t middle = (low + high) / 2;
            if (name_of(p, middle) < p->root[i])
                low = middle + 1;
            else
                high = middle;
        }
        p->root[i] = low;
    }
}

/* ---- Blocks ---- */

/* Do the parts of two members have a second part in common, beside their own? */
static bool share_other(const supi_frame_net* net, int32_t part, int32_t a, int32_t b) {
    for (int32_t i = net->row_part_starts[a]; i < net->row_part_starts[a + 1]; i++) {
        int32_t other = net->row_parts[i];
        if (other != part && supi_weld_holds(net, other, b)) return true;
    }
    return false;
}

bool supi_weld_blocks(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    size_t members = (size_t)net->part_starts[net->part_count];
    int32_t* block = supi_arena_push(b->arena, members, sizeof *block);
    bool* shared = supi_arena_push(b->scratch, members, sizeof *shared);
    if (!block || !shared) return false;
    for (int32_t part = 0; part < net->part_count; part++) {
        int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
        for (int32_t i = begin; i < end; i++) block[i] = i;
        for (int32_t i = begin; i < end; i++) {
            int32_t row = net->part_members[i];
            bool joint = net->row_part_starts[row + 1] - net->row_part_starts[row] > 1;
            for (int32_t k = begin; joint && k < i; k++) {
                if (!share_other(net, part, row, net->part_members[k])) continue;
                supi_union_join(block, k, i);
                shared[i] = shared[k] = true;
            }
        }
        for (int32_t i = begin; i < end; i++) block[i] = supi_union_root(block, i);
    }
    for (size_t i = 0; i < members; i++) block[i] = shared[i] ? block[i] : -1;
    net->block_of = block;
    return true;
}

sup_result supi_weld_parts(supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    sup_result result = check_parts(b);
    if (result != SUP_OK) return result;
    int32_t member_count = s->part_count > 0 ? s->part_starts[s->part_count] : 0, count = 0;
    parts p = {0};
    int32_t* shared = supi_arena_push(b->scratch, (size_t)b->net->row_count, sizeof *shared);
    if (!shared || !parts_push(b, member_count, &p)) return supi_error_memory(b->error);
    for (int32_t i = 0; i < s->part_count; i++) p.root[i] = i;
    for (bool welded = true; welded;) {
        welded = false;
        int32_t doubled = collect(b, member_count, &p);
        if (doubled >= 0) {
            return supi_error_set(b->error, SUP_BAD_ARGUMENT, "part %d has a particle twice",
                                  (int)doubled);
        }
        count = arrange(b, &p);
        result = meet_all(b, &p, shared, &welded);
        if (result != SUP_OK) return result;
    }
    name_parts(b, &p, count);
    b->net->part_count = count;
    b->net->part_starts = p.starts;
    b->net->part_members = p.members;
    b->net->part_of = p.root;
    b->net->row_part_starts = p.row_starts;
    b->net->row_parts = p.row_parts;
    b->net->row_places = p.row_places;
    return SUP_OK;
}

bool supi_weld_holds(const supi_frame_net* net, int32_t part, int32_t row) {
    for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
        if (net->row_parts[k] == part) return true;
    }
    return false;
}

bool supi_weld_together(const supi_frame_net* net, int32_t a, int32_t b, const uint8_t* soft) {
    for (int32_t i = net->row_part_starts[a]; i < net->row_part_starts[a + 1]; i++) {
        int32_t part = net->row_parts[i];
        if (!soft[part] && supi_weld_holds(net, part, b)) return true;
    }
    return false;
}
