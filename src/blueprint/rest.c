/* Rest data of clusters: computed in double, rounded once. */
#include "base/error.h"
#include "blueprint/groups.h"
#include "blueprint/weigh.h"
#include "geom/vector.h"

#include <string.h>

/* How many memberships there are with the padding of each cluster to eights, and blocks of them. */
static sup_result count_members(sup_blueprint* b, const supi_groups* groups, sup_error* error) {
    int64_t padded = 0, blocks = 0;
    for (int32_t g = 0; g < groups->count; g++) {
        int64_t size = ((int64_t)groups->starts[g + 1] - groups->starts[g] + 7) / 8 * 8;
        padded += size;
        blocks += (size + SUPI_BLOCK_MEMBERS - 1) / SUPI_BLOCK_MEMBERS;
    }
    if (padded > INT32_MAX / 2) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the clusters give too many memberships");
    }
    b->cluster_count = groups->count;
    b->member_count = (int32_t)padded;
    b->block_count = (int32_t)blocks;
    return SUP_OK;
}

static bool push_members(sup_blueprint* b) {
    size_t clusters = (size_t)b->cluster_count, count = (size_t)b->member_count;
    b->clusters = supi_arena_push(&b->arena, clusters, sizeof *b->clusters);
    b->centres = supi_arena_push(&b->arena, 3 * clusters, sizeof *b->centres);
    b->blocks = supi_arena_push(&b->arena, (size_t)b->block_count, sizeof *b->blocks);
    float* qx = supi_arena_push(&b->arena, count, sizeof *qx);
    float* qy = supi_arena_push(&b->arena, count, sizeof *qy);
    float* qz = supi_arena_push(&b->arena, count, sizeof *qz);
    float* w = supi_arena_push(&b->arena, count, sizeof *w);
    int32_t* index = b->single ? NULL : supi_arena_push(&b->arena, count, sizeof *index);
    b->members = (supi_members){qx, qy, qz, w, index};
    return b->clusters && b->centres && b->blocks && qx && qy && qz && w && (b->single || index);
}

/* What the weights of all clusters come from. */
typedef struct weighing {
    double pin_factor, usual; /* kg, mean of what a free particle weighs */
    int32_t* cluster_counts;  /* by row */
    double* shares;           /* kg, by row: mass by number of clusters */
    bool* pinned;             /* by row */
    double* weights;          /* kg, of the members of the cluster at work */
} weighing;

static bool weighing_begin(const sup_blueprint_def* def, const sup_blueprint* b,
                           const supi_groups* groups, supi_arena* scratch, weighing* w) {
    size_t rows = (size_t)b->info.particle_count;
    w->pin_factor = def->pin_factor;
    w->cluster_counts = supi_arena_push(scratch, rows, sizeof *w->cluster_counts);
    w->shares = supi_arena_push(scratch, rows, sizeof *w->shares);
    w->pinned = supi_arena_push(scratch, rows, sizeof *w->pinned);
    w->weights = supi_arena_push(scratch, rows, sizeof *w->weights);
    if (!w->cluster_counts || !w->shares || !w->pinned || !w->weights) return false;
    for (int32_t i = 0; i < groups->starts[groups->count]; i++) {
        w->cluster_counts[groups->members[i]]++;
    }
    for (int32_t i = 0; i < b->pin_count; i++) w->pinned[b->pins[i]] = true;
    supi_company all = {0};
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        w->shares[r] = (double)b->mass[r] / w->cluster_counts[r];
        supi_company_join(&all, b, r, w->shares[r]);
    }
    w->usual = supi_company_mean(&all, 1.0);
    return true;
}

static void weigh_members(const weighing* w, const sup_blueprint* b, const int32_t* rows,
                          int32_t count) {
    supi_company company = {0};
    for (int32_t i = 0; i < count; i++) supi_company_join(&company, b, rows[i], w->shares[rows[i]]);
    double pinned = w->pin_factor * supi_company_mean(&company, w->usual);
    for (int32_t i = 0; i < count; i++) {
        bool is_free = b->inverse_mass[rows[i]] > 0.0f;
        w->weights[i] = w->pinned[rows[i]] ? pinned
                        : is_free          ? supi_weigh_raise(w->shares[rows[i]], company.heaviest)
                                           : 0.0;
    }
}

static int32_t row_at(const int32_t* rows, int32_t i) { return rows ? rows[i] : i; }

/* What rounding leaves of the mean is taken off once more, and the rest kept. */
void supi_rest_about(const sup_vec3* places, const int32_t* rows, const float* w, float* const q[3],
                     supi_cluster* cluster, double centre[3]) {
    double total = 0.0, moment[3] = {0, 0, 0}, first[3];
    for (int32_t i = 0; i < cluster->count; i++) total += (double)w[supi_lane_order(i)];
    supi_vector_from(places + row_at(rows, 0), first);
    for (int32_t i = 0; i < cluster->count; i++) {
        double p[3];
        supi_vector_from(places + row_at(rows, i), p);
        double weight = (double)w[supi_lane_order(i)];
        for (int k = 0; k < 3; k++) moment[k] += weight * (p[k] - first[k]);
    }
    for (int k = 0; k < 3; k++) centre[k] = first[k] + (total > 0 ? moment[k] / total : 0.0);
    double spread = 0.0;
    for (int k = 0; k < 3; k++) {
        double rest = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            double mean = rest, left = 0.0;
            for (int32_t i = 0; i < cluster->count; i++) {
                const sup_vec3* p = places + row_at(rows, i);
                double coordinate = (double)(k == 0 ? p->x : k == 1 ? p->y : p->z);
                int32_t at = supi_lane_order(i);
                q[k][at] = (float)(coordinate - centre[k] - mean);
                left += (double)w[at] * (double)q[k][at];
            }
            rest = total > 0 ? mean + left / total : 0.0;
            cluster->residue[k] = total > 0 ? (float)(left / total) : 0.0f;
        }
        for (int32_t i = 0; i < cluster->count; i++) {
            int32_t at = supi_lane_order(i);
            spread += (double)w[at] * (double)q[k][at] * (double)q[k][at];
        }
    }
    cluster->weight = (float)total;
    cluster->spread = (float)spread;
    /* A cluster that has shrunk to a millionth of its size, or never had one, does not spin. */
    cluster->inertia_floor = spread > 0 ? (float)(2e-10 * spread) : 3e38f;
}

void supi_rest_centre(sup_blueprint* b, int32_t c, const int32_t* rows, const double* weights) {
    supi_cluster* cluster = b->clusters + c;
    /* The members are const for everyone but their builder. */
    const supi_members* m = &b->members;
    float* const q[3] = {(float*)(uintptr_t)m->qx + cluster->begin,
                         (float*)(uintptr_t)m->qy + cluster->begin,
                         (float*)(uintptr_t)m->qz + cluster->begin};
    float* w = (float*)(uintptr_t)m->w + cluster->begin;
    for (int32_t i = 0; i < cluster->count; i++) w[supi_lane_order(i)] = (float)weights[i];
    supi_rest_about(b->rest, rows, w, q, cluster, b->centres + 3 * (size_t)c);
}

static void cut_blocks(sup_blueprint* b) {
    int32_t used = 0;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        const supi_cluster* cluster = b->clusters + c;
        for (int32_t at = cluster->begin; at < cluster->end; at += SUPI_BLOCK_MEMBERS) {
            int32_t end = at + SUPI_BLOCK_MEMBERS;
            b->blocks[used++] = (supi_block){c, at, end < cluster->end ? end : cluster->end};
        }
    }
}

/* For each row the memberships that ask something of it, in cluster order. */
static bool list_asks(sup_blueprint* b, const supi_groups* groups, const int32_t* cluster_counts) {
    int32_t rows = b->info.particle_count, total = groups->starts[groups->count];
    b->ask_starts = supi_arena_push(&b->arena, (size_t)rows + 2, sizeof(int32_t));
    b->asks = supi_arena_push(&b->arena, (size_t)total, sizeof(int32_t));
    b->share = supi_arena_push(&b->arena, (size_t)rows, sizeof(float));
    b->leader = supi_arena_push(&b->arena, (size_t)rows, sizeof(int32_t));
    if (!b->ask_starts || !b->asks || !b->share || !b->leader) return false;
    for (int32_t r = 0; r < rows; r++) {
        b->ask_starts[r + 2] = b->ask_starts[r + 1] + cluster_counts[r];
        b->share[r] = 1.0f / (float)cluster_counts[r];
    }
    for (int32_t g = groups->count - 1; g >= 0; g--) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            b->leader[groups->members[i]] = g;
        }
    }
    for (int32_t g = 0; g < groups->count; g++) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            int32_t row = groups->members[i];
            b->asks[b->ask_starts[row + 1]++] = b->clusters[g].begin + i - groups->starts[g];
        }
    }
    return true;
}

static void fill_cluster(sup_blueprint* b, int32_t g, const supi_groups* groups, int32_t* at,
                         const weighing* w) {
    const int32_t* rows = groups->members + groups->starts[g];
    supi_cluster* cluster = b->clusters + g;
    cluster->count = groups->starts[g + 1] - groups->starts[g];
    cluster->begin = *at;
    cluster->end = *at + ((cluster->count + 7) & ~7);
    weigh_members(w, b, rows, cluster->count);
    supi_rest_centre(b, g, rows, w->weights);
    if (!b->single) {
        int32_t* index = (int32_t*)(uintptr_t)b->members.index + *at;
        memcpy(index, rows, (size_t)cluster->count * sizeof *index);
        for (int32_t i = cluster->count; i < cluster->end - *at; i++) index[i] = rows[0];
    }
    *at = cluster->end;
}

sup_result supi_rest_build(const sup_blueprint_def* def, const supi_groups* groups,
                           sup_blueprint* blueprint, supi_arena* scratch, sup_error* error) {
    sup_blueprint* b = blueprint;
    weighing w;
    b->single = groups->count == 1;
    sup_result result = count_members(b, groups, error);
    if (result != SUP_OK) return result;
    if (!weighing_begin(def, b, groups, scratch, &w) || !push_members(b)) {
        return supi_error_memory(error);
    }
    int32_t at = 0;
    for (int32_t g = 0; g < groups->count; g++) fill_cluster(b, g, groups, &at, &w);
    cut_blocks(b);
    if (!supi_shapes_build(b)) return supi_error_memory(error);
    if (!b->single && !list_asks(b, groups, w.cluster_counts)) return supi_error_memory(error);
    b->info.cluster_count = groups->count;
    b->info.membership_count = groups->starts[groups->count];
    return SUP_OK;
}
