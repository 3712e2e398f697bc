/* What a substep needs to know of each body: material and gravity for one h. */
#include "base/real.h"
#include "blueprint/members.h"
#include "world/blobs.h"
#include "world/oriented.h"

#include <math.h>

/* Share alpha of the way to the goal per substep; *needed: w0 h as a multiple of what a substep
 * carries. */
static double pull_share(const sup_material* m, double h, double* needed) {
    const double third = 1.0471975511965977; /* pi / 3 */
    double wh = m->stiffness * h;
    sup_stiffness_rule rule = m->rule;
    if (rule == SUP_STIFFNESS_AUTO) {
        rule = m->scheme == SUP_SCHEME_S ? SUP_STIFFNESS_FREQUENCY : SUP_STIFFNESS_STATIC;
    }
    *needed = 0.0;
    switch (rule) {
    case SUP_STIFFNESS_STATIC: *needed = wh; return wh < 1.0 ? wh * wh : 1.0;
    case SUP_STIFFNESS_FREQUENCY: {
        double s = supi_sin(0.5 * (wh < third ? wh : third));
        *needed = wh / third;
        return 4.0 * s * s < 1.0 ? 4.0 * s * s : 1.0;
    }
    case SUP_STIFFNESS_IMPLICIT: return wh * wh / (1.0 + wh * wh);
    case SUP_STIFFNESS_RELAX: return m->stiffness > 0 ? -supi_expm1(-h / m->stiffness) : 1.0;
    case SUP_STIFFNESS_RAW: return m->stiffness < 1.0 ? m->stiffness : 1.0;
    default: return 1.0;
    }
}

/* Share delta of the deformation velocity that goes per substep, in scheme D. */
static double damping_share(const sup_material* m, double alpha, double h) {
    if (m->rule == SUP_STIFFNESS_RIGID) return 1.0;
    if (m->raw_damping >= 0.0) return m->raw_damping;
    bool frequency = m->rule != SUP_STIFFNESS_RELAX && m->rule != SUP_STIFFNESS_RAW;
    double w0 = frequency ? m->stiffness : sqrt(alpha) / h;
    double delta = -supi_expm1(-2.0 * m->damping * w0 * h);
    /* Implicit Euler, the rule for changing steps, needs damping no weaker than its pull. */
    return m->rule == SUP_STIFFNESS_IMPLICIT && delta < alpha ? alpha : delta;
}

/* h times gravity, m/s. */
static void prepare_gravity(const sup_world* world, const supi_body* body, double h, float out[3]) {
    const double speed_most = 20.0; /* m/s that gravity may give in a substep */
    double gain[3], squared = 0.0;
    for (int k = 0; k < 3; k++) {
        gain[k] = h * body->gravity_scale * world->def.gravity[k];
        squared += gain[k] * gain[k];
    }
    double shrink = squared > speed_most * speed_most ? speed_most / sqrt(squared) : 1.0;
    for (int k = 0; k < 3; k++) out[k] = (float)(shrink * gain[k]);
}

/* Young's modulus with goals that follow the part beta of every stretch, over that with rigid ones.
   The stress is the strain less what the goals follow: (1 - beta) of it, or where these keep the
   volume (1 - beta) of its deviator and all of its trace. So 2 mu = 1 - beta and 3 K = 1, and
   E = 9 K mu / (3 K + mu). */
static double modulus_left(const sup_material* m) {
    if (m->mode == SUP_MATCH_RIGID) return 1.0;
    double resists = 1.0 - m->beta;
    return m->keeps_volume ? 3.0 * resists / (2.0 + resists) : resists;
}

/* The frequency that gives a body a Young's modulus: overlapping rigid clusters make an isotropic
   solid with E = density w0^2 extent, and no lateral contraction. */
static double modulus_frequency(const sup_material* m, const sup_blueprint* print) {
    double most = 1e5, divisor = print->info.density * (double)print->extent * modulus_left(m);
    double w0 = divisor > 0.0 ? sqrt(m->stiffness / divisor) : 0.0;
    return w0 < most ? w0 : most;
}

/* Mean of the regions, weighted by mass. */
static void mean_material(const supi_body* body, int32_t c, sup_material* out) {
    const sup_blueprint* print = body->blueprint;
    double weights = 0.0, stiffness = 0.0, damping = 0.0, raw = 0.0, beta = 0.0;
    double yield = 0.0, creep = 0.0, limit = 0.0;
    supi_member_walk m = supi_members_of(print, c);
    while (supi_members_next(&m)) {
        double w = (double)m.w;
        const sup_material* own = body->materials + print->region[m.row];
        weights += w;
        stiffness += w * own->stiffness;
        damping += w * own->damping;
        raw += w * own->raw_damping;
        beta += w * own->beta;
        yield += w * own->plastic.yield;
        creep += w * own->plastic.creep;
        limit += w * own->plastic.limit;
    }
    if (!(weights > 0.0)) return;
    out->stiffness = stiffness / weights;
    out->damping = damping / weights;
    out->beta = beta / weights;
    out->plastic.yield = yield / weights;
    out->plastic.creep = creep / weights;
    out->plastic.limit = limit / weights;
    if (out->raw_damping >= 0.0) out->raw_damping = raw / weights;
}

void supi_prepare_material(const supi_body* body, int32_t c, sup_material* out) {
    const sup_blueprint* print = body->blueprint;
    *out = body->materials[0];
    if (print->region) mean_material(body, c, out);
    if (out->rule != SUP_STIFFNESS_MODULUS) return;
    out->stiffness = modulus_frequency(out, print);
    out->rule = SUP_STIFFNESS_AUTO;
}

/* The pull of one material; true: it damps. */
static bool prepare_pull(const sup_material* material, double h, supi_pull* pull,
                         double* saturation) {
    double alpha = pull_share(material, h, saturation), delta = 0.0;
    if (material->scheme == SUP_SCHEME_D) delta = damping_share(material, alpha, h);
    pull->h = (float)h;
    pull->k = (float)(alpha / h);
    pull->delta = (float)delta;
    pull->beta = (float)material->beta;
    return delta > 0.0;
}

/* Springs alone: the cluster follows. */
static void prepare_loose(const sup_world* world, supi_body* body, double h) {
    body->pull = (supi_pull){.h = (float)h};
    prepare_gravity(world, body, h, body->pull.acceleration);
    body->saturation = supi_blobs_saturation(body, h);
    body->kind = SUPI_CLUSTER_PLAIN;
    body->prepared_h = h;
}

static void prepare_body(const sup_world* world, supi_body* body, double h) {
    sup_material material;
    if (body->blueprint->loose) {
        prepare_loose(world, body, h);
        return;
    }
    supi_prepare_material(body, 0, &material);
    bool damped = prepare_pull(&material, h, &body->pull, &body->saturation);
    prepare_gravity(world, body, h, body->pull.acceleration);
    for (int32_t c = 0; body->pulls && c < body->blueprint->cluster_count; c++) {
        double saturation;
        supi_prepare_material(body, c, &material);
        body->pulls[c] = body->pull;
        damped = prepare_pull(&material, h, &body->pulls[c], &saturation) || damped;
        if (c == 0 || saturation > body->saturation) body->saturation = saturation;
    }
    for (int32_t c = 0; body->plastic && c < body->blueprint->cluster_count; c++) {
        supi_prepare_material(body, c, &material);
        const supi_cluster* cluster = body->blueprint->clusters + c;
        body->flows[c] = supi_plastic_flow(&material.plastic, h, cluster->inverse, cluster->null);
    }
    body->kind = body->materials[0].scheme == SUP_SCHEME_P ? SUPI_CLUSTER_PREDICTED
                 : damped                                  ? SUPI_CLUSTER_DAMPED
                                                           : SUPI_CLUSTER_PLAIN;
    body->prepared_h = h;
    body->carried = false; /* the kind may be another one */
}

void supi_prepare(sup_world* world, double h) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (body->prepared_h != h) {
            prepare_body(world, body, h);
            supi_oriented_prepare(world, body, h);
        }
        body->restored = false;
    }
}
