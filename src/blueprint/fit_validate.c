/* What is worth knowing of a rig before a body is made of it. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/eigen.h"
#include "geom/quaternion.h"
#include "geom/sites.h"
#include "geom/sort.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <math.h>
#include <stdio.h>

#define CROWDED 24  /* links */
#define FAR 2.0     /* spacings from a drawn vertex to its particle */
#define LOST 1e-6   /* of the largest: an eigenvalue that counts as none */
#define SLIGHT 1e-4 /* of mass times squared length of a link */
#define NARROW 0.1  /* of the size of a part: so far are two joints apart at least */

typedef struct job {
    const sup_rig* rig;
    supi_arena scratch;
    supi_rig_graph graph;
    int32_t* part_counts; /* of how many parts each particle is a member */
    sup_rig_report* out;
} job;

/* ---- Sizes ---- */

static void measure_particles(const job* j) {
    const sup_rig* rig = j->rig;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, extent[3];
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        double x[3];
        supi_vector_from(&supi_rig_places(rig)[i], x);
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 || x[k] < low[k] ? x[k] : low[k];
            high[k] = i == 0 || x[k] > high[k] ? x[k] : high[k];
        }
        j->out->mass += (double)supi_rig_masses(rig)[i];
    }
    supi_vector_subtract(high, low, extent);
    j->out->size = supi_vector_length(extent);
}

static void measure_links(const job* j) {
    const sup_rig* rig = j->rig;
    const sup_link* links = supi_rig_links(rig);
    double sum = 0.0;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        double x[3];
        supi_vector_from(&supi_rig_places(rig)[links[i].a], x);
        sum += sqrt(supi_point_square(&supi_rig_places(rig)[links[i].b], x));
    }
    j->out->mean_link = rig->now.link_count > 0 ? sum / rig->now.link_count : 0.0;
}

/* ---- Links and pieces ---- */

static void check_degrees(const job* j) {
    for (int32_t i = 0; i < j->rig->now.particle_count; i++) {
        int32_t degree = j->graph.starts[i + 1] - j->graph.starts[i];
        if (degree > j->out->most_links) j->out->most_links = degree;
        if (degree == 0 && j->part_counts[i] == 0 && j->out->isolated_count++ == 0) {
            j->out->isolated_particle = i;
        }
        if (degree > CROWDED && j->out->crowded_count++ == 0) j->out->crowded_particle = i;
    }
}

static bool check_pieces(job* j) {
    const sup_rig* rig = j->rig;
    int32_t count = rig->now.particle_count;
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t* parent = supi_arena_push(&j->scratch, (size_t)count, sizeof *parent);
    if (!parent) return false;
    for (int32_t i = 0; i < count; i++) parent[i] = i;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        supi_union_join(parent, supi_rig_links(rig)[i].a, supi_rig_links(rig)[i].b);
    }
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        for (int32_t m = starts[p] + 1; m < starts[p + 1]; m++) {
            supi_union_join(parent, members[starts[p]], members[m]);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (parent[i] == i && ++j->out->component_count == 2) j->out->loose_particle = i;
    }
    return true;
}

/* ---- Distances ---- */

static bool check_distances(job* j) {
    const sup_rig* rig = j->rig;
    supi_sites sites;
    double spacing, least = INFINITY, worst = 0.0;
    int32_t guess = 0;
    if (rig->now.particle_count == 0) return true;
    if (!supi_rig_spacing(rig, &spacing) ||
        !supi_sites_build(&j->scratch, rig->now.particle_count, supi_rig_places(rig), &sites)) {
        return false;
    }
    for (int32_t i = 0; i < rig->now.particle_count && rig->now.particle_count > 1; i++) {
        double x[3], square;
        supi_vector_from(sites.tree.points + i, x);
        supi_point_tree_nearest(&sites.tree, x, i, &square);
        least = square < least ? square : least;
    }
    if (rig->now.particle_count > 1) j->out->least_gap = sqrt(least);
    uint8_t* drawn = supi_arena_push(&j->scratch, (size_t)rig->mesh.point_count, 1);
    if (!drawn) return false;
    for (int32_t i = 0; i < rig->mesh.corner_count; i++) drawn[rig->mesh.corners[i]] = 1;
    for (int32_t v = 0; v < rig->mesh.point_count; v++) {
        double x[3], square;
        if (!drawn[v]) continue;
        supi_vector_from(&rig->mesh.points[v], x);
        supi_sites_nearest(&sites, x, &guess, &square);
        double distance = sqrt(square);
        j->out->far_count += distance > FAR * spacing;
        if (distance > FAR * spacing && distance > worst) j->out->far_vertex = v, worst = distance;
        if (distance > j->out->farthest) j->out->farthest = distance;
    }
    return true;
}

/* ---- Groups ---- */

/* Adds the own matrix of a particle: m/5 R diag(r^2) R^T, or that of the sphere that turns in its
   place. Returns its trace. */
static double add_own(const sup_rig* rig, int32_t id, double a[9]) {
    const sup_ellipsoid* e = &supi_rig_ellipsoids(rig)[id];
    double q[4] = {(double)e->rotation.x, (double)e->rotation.y, (double)e->rotation.z,
                   (double)e->rotation.w},
           axes[9], trace = 0.0, mass = (double)supi_rig_masses(rig)[id],
           turn = (double)supi_rig_turn_radii(rig)[id];
    supi_quaternion_matrix(q, axes);
    for (int k = 0; k < 3; k++) {
        double r = turn < 0.0 ? (double)e->radii[k] : turn, own = 0.2 * mass * r * r;
        trace += own;
        for (int i = 0; i < 9; i++) a[i] += own * axes[3 * (i / 3) + k] * axes[3 * (i % 3) + k];
    }
    return trace;
}

/* Rank of the matrix of a group at rest: members about their middle, and their own. */
static int32_t rank_of(const job* j, int32_t count, const int32_t* ids, bool part) {
    const sup_rig* rig = j->rig;
    double middle[3] = {0, 0, 0}, whole = 0.0, a[9] = {0}, values[3], vectors[9];
    for (int32_t i = 0; i < count; i++) {
        double x[3], mass = (double)supi_rig_masses(rig)[ids[i]];
        supi_vector_from(&supi_rig_places(rig)[ids[i]], x);
        for (int k = 0; k < 3; k++) middle[k] += mass * x[k];
        whole += mass;
    }
    for (int32_t i = 0; i < count; i++) {
        double x[3], r[3], mass = (double)supi_rig_masses(rig)[ids[i]];
        supi_vector_from(&supi_rig_places(rig)[ids[i]], x);
        for (int k = 0; k < 3; k++) r[k] = x[k] - middle[k] / whole;
        for (int k = 0; k < 9; k++) a[k] += mass * r[k / 3] * r[k % 3];
        bool joint = part && j->part_counts[ids[i]] > 1;
        if (!joint) add_own(rig, ids[i], a);
    }
    supi_eigen_symmetric(3, a, values, vectors);
    int32_t rank = 0;
    for (int k = 0; k < 3; k++) rank += values[k] > LOST * values[0] && values[k] > 0.0;
    return rank;
}

static void count_rank(const job* j, int32_t rank, int32_t example, int32_t* lowest) {
    j->out->group_count++;
    j->out->flat_count += rank == 2;
    j->out->line_count += rank < 2;
    if (rank >= *lowest) return;
    *lowest = rank;
    j->out->weak_particle = example;
}

static bool check_groups(job* j) {
    const sup_rig* rig = j->rig;
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t* ids = supi_arena_push(&j->scratch, (size_t)rig->now.particle_count + 1, sizeof *ids);
    if (!ids) return false;
    int32_t lowest = 3;
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        int32_t first = j->graph.starts[i], degree = j->graph.starts[i + 1] - first;
        if (degree == 0 || j->part_counts[i] > 0) continue;
        ids[0] = i;
        for (int32_t k = 0; k < degree; k++) ids[k + 1] = j->graph.neighbours[first + k];
        count_rank(j, rank_of(j, degree + 1, ids, false), i, &lowest);
    }
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        int32_t rank = rank_of(j, starts[p + 1] - starts[p], members + starts[p], true);
        count_rank(j, rank, members[starts[p]], &lowest);
    }
    return true;
}

static void check_slight(const job* j) {
    double length = j->out->mean_link;
    for (int32_t i = 0; i < j->rig->now.particle_count; i++) {
        double a[9] = {0}, trace = add_own(j->rig, i, a);
        double least = SLIGHT * (double)supi_rig_masses(j->rig)[i] * length * length;
        if (trace > 0.0 && trace < least && j->out->slight_count++ == 0)
            j->out->slight_particle = i;
    }
}

/* ---- Joints ---- */

static double part_size(const sup_rig* rig, int32_t part) {
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, extent[3];
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        double x[3];
        supi_vector_from(&supi_rig_places(rig)[members[m]], x);
        for (int k = 0; k < 3; k++) {
            low[k] = m == starts[part] || x[k] < low[k] ? x[k] : low[k];
            high[k] = m == starts[part] || x[k] > high[k] ? x[k] : high[k];
        }
    }
    supi_vector_subtract(high, low, extent);
    return supi_vector_length(extent);
}

/* Particles that two parts share, both lists ascending; the first two of them in `pair`. */
static int32_t count_shared(const sup_rig* rig, int32_t p, int32_t q, int32_t pair[2]) {
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t a = starts[p], b = starts[q], count = 0;
    while (a < starts[p + 1] && b < starts[q + 1]) {
        if (members[a] == members[b]) {
            if (count < 2) pair[count] = members[a];
            count++;
        }
        bool first = members[a] <= members[b], second = members[b] <= members[a];
        a += first, b += second;
    }
    return count;
}

/* Every two parts that share a particle, found by the joints of the lower one. */
static bool check_joints(job* j) {
    const sup_rig* rig = j->rig;
    int32_t count = rig->now.particle_count, parts = rig->now.part_count;
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t* seen = supi_arena_push(&j->scratch, (size_t)parts, sizeof *seen);
    int32_t* firsts = supi_arena_push(&j->scratch, (size_t)count + 1, sizeof *firsts);
    int32_t* lists = supi_arena_push(&j->scratch, (size_t)rig->now.member_count, sizeof *lists);
    if (!seen || !firsts || !lists) return false;
    for (int32_t i = 0; i < count; i++) {
        firsts[i + 1] = firsts[i] + j->part_counts[i];
        j->out->joint_count += j->part_counts[i] > 1;
    }
    int32_t* used = supi_arena_push(&j->scratch, (size_t)count, sizeof *used);
    if (!used) return false;
    for (int32_t p = 0; p < parts; p++) {
        for (int32_t m = starts[p]; m < starts[p + 1]; m++) {
            int32_t id = members[m];
            lists[firsts[id] + used[id]++] = p;
        }
    }
    for (int32_t p = 0; p < parts; p++) {
        for (int32_t m = starts[p]; m < starts[p + 1]; m++) {
            int32_t id = members[m];
            for (int32_t k = firsts[id]; k < firsts[id + 1]; k++) {
                int32_t q = lists[k], pair[2];
                if (q <= p || seen[q] == p + 1) continue;
                seen[q] = p + 1;
                if (count_shared(rig, p, q, pair) != 2) continue;
                double x[3], sizes[2] = {part_size(rig, p), part_size(rig, q)};
                supi_vector_from(&supi_rig_places(rig)[pair[0]], x);
                double apart = sqrt(supi_point_square(&supi_rig_places(rig)[pair[1]], x));
                double size = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
                j->out->narrow_count += apart < NARROW * size;
            }
        }
    }
    return true;
}

/* ---- The whole ---- */

static bool validate(job* j) {
    const sup_rig* rig = j->rig;
    size_t count = (size_t)rig->now.particle_count;
    j->part_counts = supi_arena_push(&j->scratch, count, sizeof *j->part_counts);
    if (!j->part_counts || !supi_rig_graph_make(rig, &j->scratch, &j->graph)) return false;
    for (int32_t m = 0; m < rig->now.member_count; m++) {
        j->part_counts[supi_rig_part_members(rig)[m]]++;
    }
    measure_particles(j);
    measure_links(j);
    check_degrees(j);
    check_slight(j);
    return check_pieces(j) && check_distances(j) && check_groups(j) && check_joints(j);
}

sup_result sup_rig_validate(const sup_rig* rig, sup_rig_report* report, sup_error* error) {
    SUPI_NEED(error, rig, report);
    sup_rig_report made = {.particle_count = rig->now.particle_count,
                           .link_count = rig->now.link_count,
                           .part_count = rig->now.part_count,
                           .pin_count = rig->now.pin_count,
                           .loose_particle = -1,
                           .isolated_particle = -1,
                           .crowded_particle = -1,
                           .far_vertex = -1,
                           .weak_particle = -1,
                           .slight_particle = -1};
    job j = {.rig = rig, .out = &made};
    supi_arena_init(&j.scratch, rig->allocator);
    bool done = validate(&j);
    supi_arena_free(&j.scratch);
    if (!done) return supi_error_memory(error);
    *report = made;
    return SUP_OK;
}
