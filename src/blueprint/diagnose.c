/* Findings about finished clusters and springs: one of each kind, with a count and an example. */
#include "supple/diagnose.h"
#include "base/check.h"
#include "base/error.h"
#include "base/number.h"
#include "blueprint/joints.h"
#include "blueprint/lattice.h"
#include "blueprint/members.h"
#include "blueprint/spring_parts.h"
#include "blueprint/weigh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct examination {
    const sup_blueprint* blueprint;
    sup_match_mode mode;
    supi_arena* scratch;
    supi_groups groups;
    supi_group_index index;
    supi_spring_parts parts; /* of a body with springs */
    int32_t count;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
} examination;

/* ---- Findings ---- */

/* One more of a kind that was looked for in a loop; the first is the example. */
typedef struct finding {
    int32_t count, first[2], particle;
    double value;
} finding;

static const finding nothing = {0, {-1, -1}, -1, 0};

static void find(finding* f, int32_t cluster, int32_t other) {
    if (f->count++ == 0) f->first[0] = cluster, f->first[1] = other;
}

static void tell(examination* e, sup_diagnosis_kind kind, const finding* f, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

static void tell(examination* e, sup_diagnosis_kind kind, const finding* f, const char* format,
                 ...) {
    sup_diagnosis* d = &e->list[e->count++];
    *d = (sup_diagnosis){kind, f->count, {f->first[0], f->first[1]}, f->particle, f->value, ""};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->text, sizeof d->text, format, arguments);
    va_end(arguments);
}

/* A number in three digits or so, the same in every locale. */
static const char* brief(double value, char text[32]) {
    double unit = 1.0;
    if (value > 1e30) value = 1e30;
    while (value / unit >= 1000.0) unit *= 10.0;
    while (value / unit < 100.0 && unit > 0.01) unit /= 10.0;
    supi_number_write_float((float)(floor(value / unit + 0.5) * unit), text);
    return text;
}

/* ---- The clusters themselves ---- */

static int32_t size_of(const examination* e, int32_t c) { return e->blueprint->clusters[c].count; }

static void look_for_few(examination* e) {
    const int32_t least = supi_blueprint_least_members(e->mode);
    static const char* const goals[] = {"rigid", "linear", "quadratic"};
    finding f = nothing;
    f.value = least;
    for (int32_t c = 0; c < e->blueprint->cluster_count; c++) {
        if (size_of(e, c) < least) find(&f, c, -1);
    }
    if (f.count == 0) return;
    tell(e, SUP_DIAGNOSIS_FEW_PARTICLES, &f,
         "clusters with fewer than the %d particles that %s goals want: %d, such as cluster %d "
         "with %d; make them larger%s",
         (int)least, goals[e->mode], (int)f.count, (int)f.first[0], (int)size_of(e, f.first[0]),
         e->mode == SUP_MATCH_RIGID ? "" : ", or take a lower mode");
}

/* What comes of lost extents, by kind and mode. */
static const char* const consequences[3][3] = {
    {"rigid goals need no thickness", "they stretch and shear within their plane only",
     "they bend and twist by what varies within their plane only"},
    {"nothing turns them about their line", "they stretch along their line only",
     "they stretch and bend along their line only"},
    {"they draw their particles into one place",
     "they stay rigid and draw their particles into one place",
     "they stay rigid and draw their particles into one place"}};

static void look_at_extents(examination* e) {
    static const char* const shapes[] = {"flat clusters", "clusters on a line",
                                         "clusters without extent"};
    finding found[3] = {nothing, nothing, nothing};
    for (int32_t c = 0; c < e->blueprint->cluster_count; c++) {
        const float* null = e->blueprint->clusters[c].null;
        float lost = null[0] + null[1] + null[2]; /* a projector: its trace is how many are lost */
        for (int k = 0; k < 3; k++) {
            if (lost > (float)k + 0.5f && lost < (float)k + 1.5f) find(&found[k], c, -1);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (found[k].count == 0) continue;
        int32_t size = size_of(e, found[k].first[0]);
        tell(e, (sup_diagnosis_kind)(SUP_DIAGNOSIS_FLAT + k), &found[k],
             "%s: %d, such as cluster %d with %d particle%s; %s", shapes[k], (int)found[k].count,
             (int)found[k].first[0], (int)size, size == 1 ? "" : "s", consequences[k][e->mode]);
    }
}

static int32_t clusters_of(const sup_blueprint* b, int32_t row) {
    if (b->single) return 1;
    return b->lattice ? b->clusters[row].count : b->ask_starts[row + 1] - b->ask_starts[row];
}

/* Ratio of the mass that the lightest particle of a cluster was raised by to its own. */
static double mass_ratio(const examination* e, int32_t c) {
    const sup_blueprint* b = e->blueprint;
    double most = 0.0;
    supi_member_walk m = supi_members_of(b, c);
    while (supi_members_next(&m)) {
        if (!(b->inverse_mass[m.row] > 0.0f)) continue; /* pinned or weightless */
        double share = (double)b->mass[m.row] / clusters_of(b, m.row);
        most = (double)m.w / share > most ? (double)m.w / share : most;
    }
    return SUPI_MASS_RATIO * most;
}

static void look_at_masses(examination* e) {
    finding f = nothing;
    for (int32_t c = 0; c < e->blueprint->cluster_count; c++) {
        double ratio = mass_ratio(e, c);
        if (!(ratio > SUPI_MASS_RATIO * (1.0 + 1e-6))) continue;
        if (ratio > f.value) f.value = ratio, f.first[0] = c;
        f.count++;
    }
    char ratio[32];
    if (f.count == 0) return;
    tell(e, SUP_DIAGNOSIS_MASS_RATIO, &f,
         "clusters with masses more than 10000 to 1 apart: %d, such as cluster %d with %s to 1; in "
         "matching the lighter ones count as a 10000th of the heaviest; make the masses more equal",
         (int)f.count, (int)f.first[0], brief(f.value, ratio));
}

/* ---- Clusters and their neighbours ---- */

/* Parts that nothing joins, where springs take a part in it. */
static void look_for_parts(examination* e) {
    const finding f = {e->parts.count, {-1, -1}, e->parts.examples[1], 0};
    if (f.count < 2) return;
    tell(e, SUP_DIAGNOSIS_LOOSE_PIECES, &f,
         "parts that no spring%s joins: %d, such as that of particle %d and that of particle %d; "
         "each moves by itself; make them bodies of their own, or join them by springs",
         e->blueprint->loose ? "" : " and no cluster", (int)f.count, (int)e->parts.examples[0],
         (int)f.particle);
}

static void look_for_isolated(examination* e) {
    const finding f = {e->parts.isolated_count, {-1, -1}, e->parts.isolated, 0};
    if (f.count == 0) return;
    tell(e, SUP_DIAGNOSIS_ISOLATED, &f,
         "isolated particles: %d, such as particle %d; no spring holds them, each moves by "
         "itself; give them springs, or leave them out",
         (int)f.count, (int)f.particle);
}

/* `loose`: a cluster of the second piece. */
static void look_for_pieces(examination* e, int32_t count, int32_t loose) {
    const finding f = {count, {loose, -1}, -1, 0};
    if (e->blueprint->spring_count > 0) {
        look_for_parts(e);
        return;
    }
    if (count < 2) return;
    tell(e, SUP_DIAGNOSIS_LOOSE_PIECES, &f,
         "pieces that share no particle: %d, such as the one of cluster %d and that of cluster "
         "0; each moves by itself; make them bodies of their own, or let clusters reach both",
         (int)f.count, (int)f.first[0]);
}

/* Particles in one cluster only are worth a word where they are more than this share: at the rim
   of every body there are some. */
static const double singles_most = 0.3;

static void look_for_joints(examination* e, const supi_joints* joints) {
    const int32_t* ids = e->blueprint->id_of;
    const supi_joint *hinge = &joints->hinges, *ball = &joints->balls;
    finding f = {hinge->count, {hinge->groups[0], hinge->groups[1]}, 0, 0};
    if (hinge->count > 0) {
        f.particle = ids[hinge->rows[0]];
        tell(e, SUP_DIAGNOSIS_HINGES, &f,
             "hinges: %d, such as between clusters %d and %d, which share particles %d and %d and "
             "none off their line; the parts swing freely; let them share 3 particles off a line "
             "if they should not",
             (int)f.count, (int)f.first[0], (int)f.first[1], (int)f.particle,
             (int)ids[hinge->rows[1]]);
    }
    if (ball->count > 0) {
        f = (finding){ball->count, {ball->groups[0], ball->groups[1]}, ids[ball->rows[0]], 0};
        tell(e, SUP_DIAGNOSIS_BALL_JOINTS, &f,
             "ball joints: %d, such as between clusters %d and %d, which share particle %d only; "
             "the parts swing and twist freely; let them share 3 particles off a line if they "
             "should not",
             (int)f.count, (int)f.first[0], (int)f.first[1], (int)f.particle);
    }
    look_for_pieces(e, joints->piece_count, joints->loose);
}

static void look_at_memberships(examination* e) {
    const sup_blueprint* b = e->blueprint;
    finding mean = nothing, single = nothing;
    if (e->groups.count == 1) return;
    mean.count = b->info.particle_count;
    mean.value = (double)b->info.membership_count / b->info.particle_count;
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        if (e->index.starts[row + 1] - e->index.starts[row] != 1) continue;
        find(&single, e->index.groups[e->index.starts[row]], -1);
        if (single.count == 1) single.particle = b->id_of[row];
    }
    char text[32];
    if (mean.value < 3.0 || mean.value > 8.0) {
        tell(e, SUP_DIAGNOSIS_MEMBERSHIPS, &mean,
             "a particle lies in %s clusters on average; with 3 to 8 of them %s",
             brief(mean.value, text),
             mean.value < 3.0 ? "clusters hold together more evenly"
                              : "a step takes less time: let clusters share fewer particles");
    }
    if (single.count > singles_most * b->info.particle_count) {
        tell(e, SUP_DIAGNOSIS_SINGLES, &single,
             "particles in one cluster only: %d of %d, such as particle %d of cluster %d; a crease "
             "may show beside them; let clusters share more particles if it does",
             (int)single.count, (int)b->info.particle_count, (int)single.particle,
             (int)single.first[0]);
    }
}

/* A cluster that holds all of c and is larger, or equal with a lower number; -1: none. Only the
   clusters of its particle in the fewest can do so. */
static int32_t containing(const examination* e, int32_t c, int32_t* mark) {
    const int32_t *starts = e->index.starts, *members = e->groups.members;
    int32_t begin = e->groups.starts[c], end = e->groups.starts[c + 1], rarest = members[begin];
    for (int32_t i = begin; i < end; i++) {
        int32_t row = members[i];
        mark[row] = c + 1;
        if (starts[row + 1] - starts[row] < starts[rarest + 1] - starts[rarest]) rarest = row;
    }
    for (int32_t j = starts[rarest]; j < starts[rarest + 1]; j++) {
        int32_t other = e->index.groups[j], shared = 0;
        bool larger =
            size_of(e, other) > end - begin || (size_of(e, other) == end - begin && other < c);
        if (!larger) continue;
        for (int32_t i = e->groups.starts[other]; i < e->groups.starts[other + 1]; i++) {
            shared += mark[members[i]] == c + 1;
        }
        if (shared == end - begin) return other;
    }
    return -1;
}

static bool look_for_subsets(examination* e) {
    finding f = nothing;
    int32_t* mark =
        supi_arena_push(e->scratch, (size_t)e->blueprint->info.particle_count, sizeof *mark);
    if (!mark) return false;
    for (int32_t c = 0; c < e->groups.count; c++) {
        int32_t other = containing(e, c, mark);
        if (other >= 0) find(&f, c, other);
    }
    if (f.count == 0) return true;
    tell(e, SUP_DIAGNOSIS_SUBSETS, &f,
         "clusters inside others: %d, such as cluster %d inside cluster %d; leave them out unless "
         "they should stiffen what they hold",
         (int)f.count, (int)f.first[0], (int)f.first[1]);
    return true;
}

/* ---- The whole ---- */

/* The clusters as the lists they were made from. */
static bool list_groups(examination* e) {
    const sup_blueprint* b = e->blueprint;
    supi_groups* groups = &e->groups;
    groups->count = b->cluster_count;
    groups->starts = supi_arena_push(e->scratch, (size_t)groups->count + 1, sizeof(int32_t));
    groups->members =
        supi_arena_push(e->scratch, (size_t)b->info.membership_count, sizeof(int32_t));
    if (!groups->starts || !groups->members) return false;
    int32_t used = 0;
    for (int32_t c = 0; c < groups->count; c++) {
        for (int32_t i = 0; i < b->clusters[c].count; i++) {
            groups->members[used++] = b->single ? i : b->members.index[b->clusters[c].begin + i];
        }
        groups->starts[c + 1] = used;
    }
    return supi_groups_invert(e->scratch, groups, b->info.particle_count, &e->index);
}

/* Clusters around every node overlap as they should, and hold each other wherever they are not
   flat; lists of them would be long. */
static bool examine_lattice(examination* e) {
    int32_t pieces, loose;
    if (!supi_lattice_find_pieces(e->blueprint, e->scratch, &pieces, &loose)) return false;
    look_for_few(e);
    look_at_extents(e);
    look_for_pieces(e, pieces, loose);
    look_at_masses(e);
    return true;
}

static bool examine_lists(examination* e) {
    supi_joints joints;
    if (!list_groups(e) || !supi_joints_find(&e->groups, e->blueprint, e->scratch, &joints)) {
        return false;
    }
    look_for_few(e);
    look_at_extents(e);
    look_for_joints(e, &joints);
    look_at_masses(e);
    look_at_memberships(e);
    return look_for_subsets(e);
}

static bool examine(examination* e) {
    const sup_blueprint* b = e->blueprint;
    if (b->spring_count > 0 && !supi_spring_parts_find(b, e->scratch, &e->parts)) return false;
    if (b->loose) { /* its one cluster pulls nothing */
        look_for_parts(e);
        look_for_isolated(e);
        return true;
    }
    return b->lattice ? examine_lattice(e) : examine_lists(e);
}

sup_result sup_blueprint_diagnose(const sup_blueprint* blueprint, sup_match_mode mode,
                                  sup_diagnosis* list, int32_t* count, sup_error* error) {
    SUPI_NEED(error, blueprint, list, count);
    supi_arena scratch;
    if ((int)mode < 0 || mode > SUP_MATCH_QUADRATIC) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown mode of matching");
    }
    supi_arena_init(&scratch, blueprint->arena.allocator);
    examination e = {.blueprint = blueprint, .mode = mode, .scratch = &scratch};
    bool done = examine(&e);
    supi_arena_free(&scratch);
    if (!done) return supi_error_memory(error);
    for (int32_t i = 0; i < e.count; i++) list[i] = e.list[i];
    *count = e.count;
    return SUP_OK;
}
