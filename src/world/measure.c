/* Numbers about a world for people and plots: in double, in a fixed order, computed only when asked
 * for. */
#include "base/check.h"
#include "base/float_mode.h"
#include "blueprint/members.h"
#include "geom/quaternion.h"
#include "world/cuts.h"
#include "world/folds.h"
#include "world/knead.h"
#include "world/oriented.h"
#include "world/overlaps.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>

/* One member of a cluster: present place, rest offset as it has been stretched for good, weight. */
typedef struct member {
    double p[3], q[3], w;
} member;

static void stretch(const double s[6], double q[3]) {
    const double x = q[0], y = q[1], z = q[2];
    q[0] = s[0] * x + s[3] * y + s[5] * z;
    q[1] = s[3] * x + s[1] * y + s[4] * z;
    q[2] = s[5] * x + s[4] * y + s[2] * z;
}

/* False: there are no more. */
static bool next_member(const sup_world* world, const supi_body* body, supi_member_walk* walk,
                        member* out) {
    if (!supi_members_next(walk)) return false;
    const sup_row* x = world->now.x + body->row + walk->row;
    *out = (member){{(double)x->x, (double)x->y, (double)x->z},
                    {(double)walk->q[0], (double)walk->q[1], (double)walk->q[2]},
                    (double)walk->w};
    if (body->knead) { /* member i is row i */
        const supi_members* own = supi_body_members(body);
        int32_t lane = supi_lane_order(walk->row);
        out->q[0] = (double)own->qx[lane];
        out->q[1] = (double)own->qy[lane];
        out->q[2] = (double)own->qz[lane];
    }
    if (body->plastic) stretch(body->plastic[walk->cluster].stretch, out->q);
    return true;
}

/* The rotation that fits best now: the warm start, one substep old, brought up to date by the
 * kernel of the step. */
static void fit_rotation(const sup_world* world, const sup_quat* start, const double apq[9],
                         double r[9]) {
    float lanes[9][8], turn[4][8];
    const float q[4] = {start->x, start->y, start->z, start->w};
    int32_t iterations[8];
    for (int lane = 0; lane < 8; lane++) {
        for (int k = 0; k < 9; k++) lanes[k][lane] = (float)apq[k];
        for (int k = 0; k < 4; k++) turn[k][lane] = q[k];
    }
    world->kernels->rotate(lanes, turn, iterations);
    const double fitted[4] = {(double)turn[0][0], (double)turn[1][0], (double)turn[2][0],
                              (double)turn[3][0]};
    supi_quaternion_matrix(fitted, r);
}

double supi_measure_misfit(const sup_world* world, const supi_body* body, int32_t c) {
    const supi_cluster* cluster = body->blueprint->clusters + c;
    const supi_member_walk first = supi_members_of(body->blueprint, c);
    double centre[3] = {0, 0, 0}, apq[9] = {0}, r[9], sum = 0.0;
    member m;
    for (supi_member_walk walk = first; next_member(world, body, &walk, &m);) {
        for (int k = 0; k < 3; k++) centre[k] += m.w * m.p[k] / (double)cluster->weight;
    }
    for (supi_member_walk walk = first; next_member(world, body, &walk, &m);) {
        for (int k = 0; k < 9; k++) apq[k] += m.w * (m.p[k / 3] - centre[k / 3]) * m.q[k % 3];
    }
    fit_rotation(world, world->now.rotation + body->cluster + c, apq, r);
    for (supi_member_walk walk = first; next_member(world, body, &walk, &m);) {
        for (int k = 0; k < 3; k++) {
            const double* row = r + 3 * k;
            double e = centre[k] + row[0] * m.q[0] + row[1] * m.q[1] + row[2] * m.q[2] - m.p[k];
            sum += m.w * e * e;
        }
    }
    return sum;
}

static void measure_particles(const sup_world* world, const supi_body* body, sup_measures* out) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const sup_row *x = world->now.x + body->row + r, *v = world->now.v + body->row + r;
        double p[3] = {body->anchor[0] + (double)x->x, body->anchor[1] + (double)x->y,
                       body->anchor[2] + (double)x->z};
        double u[3] = {(double)v->x, (double)v->y, (double)v->z};
        double speed2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        out->top_speed = sqrt(speed2) > out->top_speed ? sqrt(speed2) : out->top_speed;
        if (x->w == 0.0f) continue;
        double mass = (double)supi_cuts_mass(body, r);
        out->kinetic += 0.5 * mass * speed2;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            out->potential -= mass * body->gravity_scale * world->def.gravity[k] * p[k];
            out->momentum[k] += mass * u[k];
            out->angular_momentum[k] += mass * (p[i] * u[j] - p[j] * u[i]);
        }
    }
}

/* Sums of strains of all bodies, each weighted by what is strained. */
typedef struct strains {
    double sum, weight;
} strains;

static void measure_clusters(const sup_world* world, const supi_body* body, sup_measures* out,
                             strains* all) {
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        const supi_cluster* cluster = supi_body_clusters(body) + c;
        double apart = supi_measure_misfit(world, body, c), weight = (double)cluster->weight;
        double strain = cluster->spread > 0.0f ? sqrt(apart / (double)cluster->spread) : 0.0;
        sup_material mean;
        supi_prepare_material(body, c, &mean);
        if (mean.rule <= SUP_STIFFNESS_IMPLICIT) {
            out->elastic += 0.5 * mean.stiffness * mean.stiffness * apart;
        }
        out->strain_largest = strain > out->strain_largest ? strain : out->strain_largest;
        all->sum += weight * strain;
        all->weight += weight;
    }
}

/* `springs`: sums over structural springs. */
static void measure_springs(const sup_world* world, const supi_body* body, sup_measures* out,
                            strains* all, strains* springs) {
    sup_spring_measures own;
    int32_t count = supi_springs_measure(world, body, &own);
    supi_springs_add_measures(&own, &out->springs);
    springs->sum += count * own.mean_strain;
    springs->weight += count;
    out->elastic += own.energy;
    if (!body->blueprint->loose) return;
    if (own.most_strain > out->strain_largest) out->strain_largest = own.most_strain;
    all->sum += body->blueprint->info.mass * own.mean_strain;
    all->weight += body->blueprint->info.mass;
}

static void measure_body(const sup_world* world, const supi_body* body, sup_measures* out,
                         strains* all, strains* springs) {
    measure_particles(world, body, out);
    supi_oriented_measure(world, body, out);
    out->asleep_count += body->rest.asleep;
    if (!body->blueprint->loose) measure_clusters(world, body, out, all);
    if (body->elastic) measure_springs(world, body, out, all, springs);
}

static void take_means(const strains* all, const strains* springs, sup_measures* out) {
    if (springs->weight > 0) out->springs.mean_strain = springs->sum / springs->weight;
    if (all->weight > 0) out->strain_mean = all->sum / all->weight;
}

sup_result sup_body_measure(const sup_world* world, sup_body handle, sup_measures* out) {
    SUPI_NEED(NULL, world, out);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_float_mode mode = supi_float_mode_enter();
    strains all = {0, 0}, springs = {0, 0};
    *out = (sup_measures){.time = world->time};
    measure_body(world, body, out, &all, &springs);
    take_means(&all, &springs, out);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

sup_measures sup_world_measure(const sup_world* world) {
    supi_float_mode mode = supi_float_mode_enter();
    sup_measures out = {.time = world->time};
    strains all = {0, 0}, springs = {0, 0};
    for (int32_t i = 0; i < world->body_count; i++) {
        measure_body(world, world->bodies + i, &out, &all, &springs);
    }
    take_means(&all, &springs, &out);
    supi_contact_measures met = supi_contacts_measure(&world->contacts, world->now.x, world->now.v);
    out.contact_count = met.pair_count + met.touch_count;
    out.deepest =
        (double)(met.pair_deepest > met.touch_deepest ? met.pair_deepest : met.touch_deepest);
    out.deepest_share = (double)met.pair_deepest_share;
    double deepest_fold;
    out.contact_count += supi_folds_measure(world, &deepest_fold);
    if (deepest_fold > out.deepest) out.deepest = deepest_fold;
    supi_overlaps_measure(world, &out);
    const supi_thin_counts* thin = &world->fold_counts;
    out.thin = (sup_thin_measures){.candidates = thin->candidates,
                                   .active = thin->active,
                                   .bounded = thin->bounded,
                                   .clamped = thin->clamped,
                                   .zoned = thin->zoned,
                                   .rounds = thin->rounds,
                                   .crossings = thin->crossings,
                                   .least = thin->candidates > 0 ? (double)thin->least : 0.0,
                                   .led = (double)thin->led};
    supi_float_mode_leave(mode);
    return out;
}
