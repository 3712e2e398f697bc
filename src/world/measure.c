/* Numbers about a world for people and plots: in double, in a fixed order, computed only when asked
 * for. */
#include "world/world.h"

#include <math.h>

/* Centre, rotation and strain of one cluster at the present places. Rest offsets q, weights w;
   strain is the root of sum w |x - g|^2 / sum w |q|^2, *energy sum w |x - g|^2. */
static double cluster_strain(const sup_world* world, const supi_body* body, int32_t c,
                             double* energy) {
    const sup_blueprint* b = body->blueprint;
    const supi_cluster* cluster = b->clusters + c;
    const supi_members* m = &b->members;
    double centre[3] = {0, 0, 0}, apq[9] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < cluster->count; i++) {
            int32_t at = cluster->begin + supi_lane_order(i);
            int32_t row = m->index ? m->index[cluster->begin + i] : i;
            const sup_row* x = world->now.x + body->row + row;
            double p[3] = {(double)x->x, (double)x->y, (double)x->z}, w = (double)m->w[at];
            double q[3] = {(double)m->qx[at], (double)m->qy[at], (double)m->qz[at]};
            for (int k = 0; k < 3; k++) {
                if (pass == 0)
                    centre[k] += w * p[k] / (double)cluster->weight;
                else
                    for (int j = 0; j < 3; j++) apq[3 * k + j] += w * (p[k] - centre[k]) * q[j];
            }
        }
    }
    /* The warm start is one substep old: bring it up to date with the same kernel as the step. */
    float lanes[9][8], turn[4][8];
    int32_t iterations[8];
    const sup_quat* rq = world->now.rotation + body->cluster + c;
    for (int lane = 0; lane < 8; lane++) {
        for (int k = 0; k < 9; k++) lanes[k][lane] = (float)apq[k];
        turn[0][lane] = rq->x;
        turn[1][lane] = rq->y;
        turn[2][lane] = rq->z;
        turn[3][lane] = rq->w;
    }
    world->kernels->rotate(lanes, turn, iterations);
    double x = (double)turn[0][0], y = (double)turn[1][0], z = (double)turn[2][0],
           w4 = (double)turn[3][0];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w4 * z),    2 * (x * z + w4 * y),
                         2 * (x * y + w4 * z),    1 - 2 * (x * x + z * z), 2 * (y * z - w4 * x),
                         2 * (x * z - w4 * y),    2 * (y * z + w4 * x),    1 - 2 * (x * x + y * y)};
    *energy = 0.0;
    for (int32_t i = 0; i < cluster->count; i++) {
        int32_t at = cluster->begin + supi_lane_order(i);
        int32_t row = m->index ? m->index[cluster->begin + i] : i;
        const sup_row* p = world->now.x + body->row + row;
        double place[3] = {(double)p->x, (double)p->y, (double)p->z};
        double q[3] = {(double)m->qx[at], (double)m->qy[at], (double)m->qz[at]};
        for (int k = 0; k < 3; k++) {
            double e =
                centre[k] + r[3 * k] * q[0] + r[3 * k + 1] * q[1] + r[3 * k + 2] * q[2] - place[k];
            *energy += (double)m->w[at] * e * e;
        }
    }
    return cluster->spread > 0.0f ? sqrt(*energy / (double)cluster->spread) : 0.0;
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
        double mass = (double)b->mass[r];
        out->kinetic += 0.5 * mass * speed2;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            out->potential -= mass * body->gravity_scale * world->def.gravity[k] * p[k];
            out->momentum[k] += mass * u[k];
            out->angular_momentum[k] += mass * (p[i] * u[j] - p[j] * u[i]);
        }
    }
}

sup_measures sup_world_measure(const sup_world* world) {
    sup_measures out = {.time = world->time};
    double weights = 0.0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        measure_particles(world, body, &out);
        double w0 = body->material.stiffness;
        bool frequency = body->material.rule <= SUP_STIFFNESS_IMPLICIT;
        for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
            double energy, strain = cluster_strain(world, body, c, &energy);
            double weight = (double)body->blueprint->clusters[c].weight;
            if (frequency) out.elastic += 0.5 * w0 * w0 * energy;
            out.strain_largest = strain > out.strain_largest ? strain : out.strain_largest;
            out.strain_mean += weight * strain;
            weights += weight;
        }
    }
    if (weights > 0) out.strain_mean /= weights;
    supi_contact_measures met = supi_contacts_measure(&world->contacts, world->now.x, world->now.v);
    out.contact_count = met.pair_count + met.touch_count;
    out.deepest =
        (double)(met.pair_deepest > met.touch_deepest ? met.pair_deepest : met.touch_deepest);
    out.deepest_share = (double)met.pair_deepest_share;
    return out;
}
