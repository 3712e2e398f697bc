/* The nodes of a lattice and their clusters; in double, rounded once. */
#include "blueprint/lattice.h"

#include "base/error.h"
#include "base/hash.h"
#include "blueprint/extent.h"
#include "blueprint/groups.h"
#include "blueprint/members.h"
#include "blueprint/weigh.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

static const double off_most = 1e-3; /* of the spacing: how far from its node a particle may be */

/* ---- Nodes ---- */

/* The lattice from its lowest corner; `low` is moved by the mean of what particles are off. */
static sup_result find_corner(const sup_blueprint* b, double spacing, double low[3],
                              sup_error* error) {
    int32_t count = b->info.particle_count;
    double high[3], off[3] = {0, 0, 0}, cells = 1.0;
    for (int32_t r = 0; r < count; r++) {
        double p[3];
        supi_vector_from(b->rest + r, p);
        for (int k = 0; k < 3; k++) {
            low[k] = r == 0 || p[k] < low[k] ? p[k] : low[k];
            high[k] = r == 0 || p[k] > high[k] ? p[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        b->lattice->size[k] = 1;
        double steps = floor((high[k] - low[k]) / spacing + 0.5);
        cells *= steps + 1.0;
        if (!(cells <= SUPI_LATTICE_CELLS)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the box of the lattice has over %d cells",
                                  (int)SUPI_LATTICE_CELLS);
        }
        b->lattice->size[k] += (int32_t)steps;
    }
    for (int32_t r = 0; r < count; r++) {
        double p[3];
        supi_vector_from(b->rest + r, p);
        for (int k = 0; k < 3; k++) {
            double steps = (p[k] - low[k]) / spacing;
            off[k] += (steps - floor(steps + 0.5)) * spacing / count;
        }
    }
    for (int k = 0; k < 3; k++) low[k] += off[k];
    return SUP_OK;
}

/* How far a particle is off its node, in spacings along the worst axis; the node in cells. */
static double off_node(const sup_blueprint* b, int32_t row, double spacing, const double low[3],
                       double steps[3]) {
    double p[3], worst = 0.0;
    supi_vector_from(b->rest + row, p);
    for (int k = 0; k < 3; k++) {
        double cells = (p[k] - low[k]) / spacing, last = b->lattice->size[k] - 1;
        steps[k] = floor(cells + 0.5);
        steps[k] = steps[k] < 0.0 ? 0.0 : steps[k] > last ? last : steps[k];
        double off = fabs(cells - steps[k]);
        worst = off > worst ? off : worst;
    }
    return worst;
}

/* The particle that is farthest off: it has moved the lattice away from the others, too. */
static sup_result refuse_off(const sup_blueprint* b, double spacing, const double low[3],
                             sup_error* error) {
    int32_t worst = 0;
    double most = 0.0, steps[3];
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        double off = off_node(b, b->row_of[id], spacing, low, steps);
        if (off > most) most = off, worst = id;
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "particle %d is off the lattice of the others by more than a "
                          "thousandth of its spacing",
                          (int)worst);
}

/* Puts a particle on its node. */
static bool take_node(sup_blueprint* b, int32_t row, double spacing, const double low[3]) {
    supi_lattice* lattice = b->lattice;
    double steps[3];
    if (!(off_node(b, row, spacing, low, steps) <= off_most)) return false;
    lattice->cells[row] =
        (int32_t)steps[0] +
        lattice->size[0] * ((int32_t)steps[1] + lattice->size[1] * (int32_t)steps[2]);
    b->rest[row] = supi_vector_round(low[0] + spacing * steps[0], low[1] + spacing * steps[1],
                                     low[2] + spacing * steps[2]);
    return true;
}

static sup_result find_nodes(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    double low[3], centre[3] = {0, 0, 0};
    sup_result result = find_corner(b, def->fill, low, error);
    if (result != SUP_OK) return result;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t row = b->row_of[id];
        if (!take_node(b, row, def->fill, low)) return refuse_off(b, def->fill, low, error);
        double p[3];
        supi_vector_from(b->rest + row, p);
        for (int k = 0; k < 3; k++) centre[k] += (double)b->mass[row] / b->info.mass * p[k];
    }
    memcpy(b->info.centre, centre, sizeof centre);
    b->info.spacing = def->fill;
    b->lattice->spacing = (double)(float)def->fill;
    return SUP_OK;
}

/* ---- Weights ---- */

/* The members of a cluster. */
static supi_company company_of(const sup_blueprint* b, int32_t cluster, const double* shares) {
    supi_company company = {0};
    supi_member_walk m = supi_members_of(b, cluster);
    while (supi_members_next_node(&m)) supi_company_join(&company, b, m.row, shares[m.row]);
    return company;
}

/* Weights of free nodes. One that differed from cluster to cluster could not be summed by boxes: a
   light node is raised by the heaviest of all in its clusters. `heaviest`: room by cluster. */
static void raise_nodes(sup_blueprint* b, const double* shares, double* heaviest) {
    int32_t count = b->info.particle_count;
    for (int32_t c = 0; c < count; c++) heaviest[c] = company_of(b, c, shares).heaviest;
    for (int32_t r = 0; r < count; r++) {
        double most = 0.0;
        supi_member_walk m = supi_members_of(b, r); /* whose clusters are those of the node */
        while (supi_members_next_node(&m)) most = heaviest[m.row] > most ? heaviest[m.row] : most;
        if (b->inverse_mass[r] > 0.0f) {
            b->lattice->weights[r] = (float)supi_weigh_raise(shares[r], most);
        }
    }
}

static bool weigh_nodes(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch) {
    int32_t count = b->info.particle_count;
    supi_company all = {0};
    double* shares = supi_arena_push(scratch, (size_t)count, sizeof *shares);
    double* heaviest = supi_arena_push(scratch, (size_t)count, sizeof *heaviest);
    if (!shares || !heaviest) return false;
    for (int32_t r = 0; r < count; r++) {
        int32_t near = 0;
        supi_member_walk m = supi_members_of(b, r);
        while (supi_members_next_node(&m)) near++;
        shares[r] = (double)b->mass[r] / near;
        supi_company_join(&all, b, r, shares[r]);
        if (b->inverse_mass[r] > 0.0f) b->lattice->weights[r] = (float)shares[r];
    }
    if (all.heaviest > SUPI_MASS_RATIO * all.lightest) raise_nodes(b, shares, heaviest);
    for (int32_t i = 0; i < b->pin_count; i++) {
        supi_company company = company_of(b, b->pins[i], shares);
        double mean = supi_company_mean(&company, supi_company_mean(&all, 1.0));
        b->lattice->weights[b->pins[i]] = (float)(def->pin_factor * mean);
    }
    return true;
}

/* ---- Clusters ---- */

/* Fills the grid; false: two rows share a cell. */
static bool lay_rows(const sup_blueprint* b, int32_t* first, int32_t* second) {
    supi_lattice* lattice = b->lattice;
    for (int32_t c = 0; c < lattice->cell_count; c++) lattice->rows[c] = -1;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        int32_t* at = lattice->rows + lattice->cells[r];
        if (*at >= 0) {
            *first = *at;
            *second = r;
            return false;
        }
        *at = r;
    }
    return true;
}

/* Sums over the nodes of a cluster, in cells from its own node. */
typedef struct node_sums {
    double weight, first[3], second[9]; /* weighted */
    int32_t count;
} node_sums;

static node_sums sum_nodes(const sup_blueprint* b, int32_t row) {
    node_sums s = {0};
    supi_member_walk m = supi_members_of(b, row);
    while (supi_members_next_node(&m)) {
        double w = (double)b->lattice->weights[m.row], steps[3];
        for (int k = 0; k < 3; k++) steps[k] = m.at[k] - m.node[k];
        s.weight += w;
        s.count++;
        for (int k = 0; k < 3; k++) s.first[k] += w * steps[k];
        for (int k = 0; k < 9; k++) s.second[k] += w * (steps[k / 3] * steps[k % 3]);
    }
    return s;
}

static void shape_cluster(sup_blueprint* b, int32_t row, const node_sums* s) {
    supi_lattice* lattice = b->lattice;
    supi_cluster* cluster = b->clusters + row;
    double d = lattice->spacing, moments[9], spread = 0.0;
    float offset[3];
    for (int k = 0; k < 3; k++) {
        double exact = d * s->first[k] / s->weight;
        offset[k] = (float)exact;
        cluster->residue[k] = (float)(exact - (double)offset[k]);
    }
    cluster->weight = (float)s->weight;
    lattice->offsets[row] = (sup_row){offset[0], offset[1], offset[2],
                                      (float)((double)cluster->weight / s->weight - 1.0)};
    double node[3];
    supi_vector_from(b->rest + row, node);
    for (int k = 0; k < 3; k++) b->centres[3 * row + k] = node[k] + d * s->first[k] / s->weight;
    for (int k = 0; k < 9; k++) {
        moments[k] = d * d * (s->second[k] - s->first[k / 3] * s->first[k % 3] / s->weight);
        if (k % 4 == 0) spread += moments[k];
    }
    cluster->count = s->count;
    cluster->spread = spread > 0.0 ? (float)spread : 0.0f;
    cluster->inertia_floor = spread > 0.0 ? (float)(2e-10 * spread) : 3e38f;
    supi_shape_invert(moments, cluster);
}

static void order_axes(supi_lattice* lattice) {
    int32_t* order = lattice->order;
    for (int k = 0; k < 3; k++) {
        int at = k;
        for (; at > 0 && lattice->size[order[at - 1]] > lattice->size[k]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

/* ---- Blocks ---- */

static int32_t block_at(const supi_lattice* lattice, const int32_t at[3]) {
    return at[0] + lattice->blocks[0] * (at[1] + lattice->blocks[1] * at[2]);
}

static int32_t block_count(const supi_lattice* lattice) {
    return lattice->blocks[0] * lattice->blocks[1] * lattice->blocks[2];
}

static int32_t block_of(const supi_lattice* lattice, int32_t row, int32_t at[3]) {
    int32_t size = supi_lattice_block(lattice->reach), block[3];
    supi_lattice_at(lattice, lattice->cells[row], at);
    for (int k = 0; k < 3; k++) block[k] = at[k] / size;
    return block_at(lattice, block);
}

/* How far a row is from the middle of its block, in half cells, squared. */
static int32_t off_middle(const supi_lattice* lattice, int32_t row) {
    int32_t at[3], size = supi_lattice_block(lattice->reach), sum = 0;
    block_of(lattice, row, at);
    for (int k = 0; k < 3; k++) {
        int32_t off = 2 * (at[k] % size) + 1 - size;
        sum += off * off;
    }
    return sum;
}

/* The row of a neighbouring block that has one, else row 0: an empty block is only passed through,
   by windows that reach into it. */
static int32_t borrow_row(const supi_lattice* lattice, int32_t block) {
    int32_t at[3] = {block % lattice->blocks[0], block / lattice->blocks[0] % lattice->blocks[1],
                     block / lattice->blocks[0] / lattice->blocks[1]};
    for (int i = 0; i < 27; i++) {
        int32_t other[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside = inside && other[k] >= 0 && other[k] < lattice->blocks[k];
        int32_t row = inside ? lattice->about[block_at(lattice, other)] : -1;
        if (row >= 0) return row;
    }
    return 0;
}

static void choose_references(const sup_blueprint* b) {
    supi_lattice* lattice = b->lattice;
    int32_t at[3], total = block_count(lattice);
    for (int32_t i = 0; i < total; i++) lattice->about[i] = -1;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        int32_t* about = lattice->about + block_of(lattice, r, at);
        if (*about < 0 || off_middle(lattice, r) < off_middle(lattice, *about)) *about = r;
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        lattice->refers[r] = lattice->about[block_of(lattice, r, at)];
    }
    /* Borrowed rows are marked until all stand, or they would be passed on. */
    for (int32_t i = 0; i < total; i++) {
        if (lattice->about[i] == -1) lattice->about[i] = -2 - borrow_row(lattice, i);
    }
    for (int32_t i = 0; i < total; i++) {
        if (lattice->about[i] < 0) lattice->about[i] = -2 - lattice->about[i];
    }
}

static bool push_clusters(sup_blueprint* b) {
    supi_lattice* lattice = b->lattice;
    size_t count = (size_t)b->info.particle_count;
    lattice->cell_count = lattice->size[0] * lattice->size[1] * lattice->size[2];
    lattice->rows = supi_arena_push(&b->arena, (size_t)lattice->cell_count, sizeof *lattice->rows);
    lattice->offsets = supi_arena_push(&b->arena, count, sizeof *lattice->offsets);
    for (int k = 0, size = supi_lattice_block(lattice->reach); k < 3; k++) {
        lattice->blocks[k] = (lattice->size[k] + size - 1) / size;
    }
    lattice->about =
        supi_arena_push(&b->arena, (size_t)block_count(lattice), sizeof *lattice->about);
    lattice->refers = supi_arena_push(&b->arena, count, sizeof *lattice->refers);
    b->clusters = supi_arena_push(&b->arena, count, sizeof *b->clusters);
    b->centres = supi_arena_push(&b->arena, 3 * count, sizeof *b->centres);
    b->share = supi_arena_push(&b->arena, count, sizeof *b->share);
    b->leader = supi_arena_push(&b->arena, count, sizeof *b->leader);
    return lattice->rows && lattice->offsets && lattice->about && lattice->refers && b->clusters &&
           b->centres && b->share && b->leader;
}

/* The grid, before there are weights. */
static sup_result lay_grid(sup_blueprint* b, sup_error* error) {
    int32_t first, second;
    if (!push_clusters(b)) return supi_error_memory(error);
    order_axes(b->lattice);
    if (lay_rows(b, &first, &second)) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "particles %d and %d lie on the same node",
                          (int)b->id_of[first], (int)b->id_of[second]);
}

static sup_result make_clusters(sup_blueprint* b, sup_error* error) {
    int64_t memberships = 0;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        node_sums sums = sum_nodes(b, r);
        if (!((float)sums.weight > 0.0f)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the cluster around particle %d has no mass", (int)b->id_of[r]);
        }
        shape_cluster(b, r, &sums);
        b->share[r] = 1.0f / (float)sums.count;
        b->leader[r] = r;
        memberships += sums.count;
    }
    choose_references(b);
    b->cluster_count = b->info.cluster_count = b->info.particle_count;
    b->info.membership_count = memberships < INT32_MAX ? (int32_t)memberships : INT32_MAX;
    return supi_extent_find(b) ? SUP_OK : supi_error_memory(error);
}

sup_result supi_lattice_derive(sup_blueprint* b, sup_error* error) {
    sup_result result = lay_grid(b, error);
    return result == SUP_OK ? make_clusters(b, error) : result;
}

/* ---- All of it ---- */

bool supi_lattice_find_pieces(const sup_blueprint* b, supi_arena* scratch, int32_t* count,
                              int32_t* loose) {
    size_t rows = (size_t)b->info.particle_count;
    bool* seen = supi_arena_push(scratch, rows, sizeof *seen);
    int32_t* queue = supi_arena_push(scratch, rows, sizeof *queue);
    if (!seen || !queue) return false;
    int32_t found = 0, at = 0;
    *count = 0;
    *loose = -1;
    for (int32_t first = 0; first < b->info.particle_count; first++) {
        if (seen[first]) continue;
        if (++*count == 2) *loose = first;
        seen[first] = true;
        queue[found++] = first;
        for (; at < found; at++) {
            supi_member_walk m = supi_members_of(b, queue[at]);
            while (supi_members_next_node(&m)) {
                if (seen[m.row]) continue;
                seen[m.row] = true;
                queue[found++] = m.row;
            }
        }
    }
    return true;
}

static sup_result verify_whole(const sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    int32_t pieces, loose;
    if (!supi_lattice_find_pieces(b, scratch, &pieces, &loose)) return supi_error_memory(error);
    if (pieces == 1) return SUP_OK;
    return supi_error_set(
        error, SUP_BAD_ARGUMENT,
        "particle %d does not hang together with particle %d (allow_joints accepts that)",
        (int)b->id_of[loose], (int)b->id_of[0]);
}

sup_result supi_lattice_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                              sup_error* error) {
    if (b->info.surface_particle_count > 0) {
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "the points of a surface are no nodes of a lattice: fill it and give it a skin of "
            "clusters, or give points only");
    }
    size_t count = (size_t)b->info.particle_count;
    supi_lattice* lattice = supi_arena_push(&b->arena, 1, sizeof *lattice);
    if (!lattice) return supi_error_memory(error);
    b->lattice = lattice;
    lattice->reach = def->reach;
    lattice->cells = supi_arena_push(&b->arena, count, sizeof *lattice->cells);
    lattice->weights = supi_arena_push(&b->arena, count, sizeof *lattice->weights);
    if (!lattice->cells || !lattice->weights) return supi_error_memory(error);
    sup_result result = find_nodes(def, b, error);
    if (result == SUP_OK) result = lay_grid(b, error);
    if (result != SUP_OK) return result;
    if (!weigh_nodes(def, b, scratch)) return supi_error_memory(error);
    result = make_clusters(b, error);
    return result == SUP_OK && !def->allow_joints ? verify_whole(b, scratch, error) : result;
}

uint64_t supi_lattice_hash(const sup_blueprint* b, uint64_t hash) {
    const supi_lattice* lattice = b->lattice;
    size_t count = (size_t)b->info.particle_count;
    hash = supi_hash_word(hash, (uint64_t)lattice->reach);
    hash = supi_hash_double(hash, lattice->spacing);
    for (int k = 0; k < 3; k++) hash = supi_hash_word(hash, (uint64_t)lattice->size[k]);
    for (size_t r = 0; r < count; r++) hash = supi_hash_word(hash, (uint64_t)lattice->cells[r]);
    return supi_hash_floats(hash, lattice->weights, count);
}
