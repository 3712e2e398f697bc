/* Painting on a rig: values of particles, links and drawn vertices, by a brush. */
#include "base/check.h"
#include "base/real.h"
#include "blueprint/fit.h"
#include "geom/vector.h"

#include <math.h>

/* ---- Particles ---- */

/* Part of the way between two values; of positive ones by their logarithms. */
static double blend_log(double from, double to, double share) {
    if (share == 1.0) return to;
    if (!(from > 0.0 && to > 0.0)) return from + share * (to - from);
    return supi_exp(supi_log(from) + share * (supi_log(to) - supi_log(from)));
}

static void paint_particle(sup_rig* rig, sup_paint what, double value, double share, int32_t id) {
    float* stiffness = rig->now.stiffness.items;
    uint8_t* flags = supi_rig_flags(rig);
    if (what == SUP_PAINT_STIFFNESS) {
        stiffness[id] = (float)blend_log((double)stiffness[id], value, share);
    } else if (what == SUP_PAINT_MASS) {
        double mass = (double)supi_rig_masses(rig)[id];
        supi_rig_masses(rig)[id] = (float)(mass * blend_log(1.0, value, share));
    } else if (share >= 0.5) {
        flags[id] =
            (uint8_t)(value > 0.5 ? flags[id] | SUP_RIG_PINNED : flags[id] & ~SUP_RIG_PINNED);
    }
}

/* ---- Links ---- */

/* What has no torsion cannot have a little of it. */
static double blend_torsion(double from, double to, double share) {
    if (from < 0.0 || to < 0.0) return share >= 0.5 ? to : from;
    return from + share * (to - from);
}

static void paint_link(sup_link* link, sup_paint what, double value, double share) {
    double compliance = (double)link->compliance, damping = (double)link->damping;
    if (what == SUP_PAINT_COMPLIANCE) {
        link->compliance = (float)(compliance + share * (value - compliance));
    } else if (what == SUP_PAINT_DAMPING) {
        link->damping = (float)(damping + share * (value - damping));
    } else {
        double torsion = blend_torsion((double)link->torsion, value, share);
        link->torsion = torsion < 0.0 ? -1.0f : (float)torsion;
    }
}

static void paint_links(sup_rig* rig, sup_paint what, double value, const sup_brush* brush) {
    sup_link* links = supi_rig_links(rig);
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        double a[3], b[3], middle[3];
        supi_vector_from(&supi_rig_places(rig)[links[i].a], a);
        supi_vector_from(&supi_rig_places(rig)[links[i].b], b);
        for (int k = 0; k < 3; k++) middle[k] = 0.5 * (a[k] + b[k]);
        double share = sup_brush_share(brush, middle);
        if (share > 0.0) paint_link(&links[i], what, value, share);
    }
}

/* Masses that a factor would make too small or too large. */
static sup_result check_masses(const sup_rig* rig, double factor, sup_error* error) {
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        double mass = factor * (double)supi_rig_masses(rig)[i];
        if (mass >= 1e-30 && mass <= 1e9) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mass of particle %d would not lie between 1e-30 and 1e9 kg",
                              (int)i);
    }
    return SUP_OK;
}

sup_result sup_rig_paint(sup_rig* rig, sup_paint what, double value, const sup_brush* brush,
                         sup_error* error) {
    static const double low[] = {0, 1e-6, 0, 0, 0, -1e9}, high[] = {1e5, 1e6, 1, 1e9, 1e9, 1e9};
    const supi_range kind = {"what is painted", what, SUP_PAINT_STIFFNESS, SUP_PAINT_TORSION};
    sup_result result = supi_check_ranges(&kind, 1, error);
    if (result != SUP_OK) return result;
    const supi_range range = {"the value", value, low[what], high[what]};
    result = supi_check_ranges(&range, 1, error);
    if (result == SUP_OK) result = supi_rig_check_brush(brush, error);
    if (result == SUP_OK && what == SUP_PAINT_MASS) result = check_masses(rig, value, error);
    if (result != SUP_OK) return result;
    if (what >= SUP_PAINT_COMPLIANCE) {
        paint_links(rig, what, value, brush);
        return SUP_OK;
    }
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        double share = supi_rig_share(rig, brush, i);
        if (share > 0.0) paint_particle(rig, what, value, share, i);
    }
    supi_rig_list_pins(rig);
    return SUP_OK;
}

/* ---- Weights ---- */

/* One vertex of the mesh while weights are merged. */
typedef struct merge {
    const sup_rig_weight* old; /* next of those that are there */
    const sup_rig_weight* end;
    sup_rig_weight* out;
    int32_t count;
} merge;

/* Copies the weights of a vertex, with the new one in its place; false: they are too many or too
   heavy. */
static bool merge_vertex(merge* m, int32_t vertex, int32_t particle, float weight, bool painted) {
    int32_t first = m->count;
    bool placed = !painted;
    double sum = 0.0;
    for (; m->old < m->end && m->old->vertex == vertex; m->old++) {
        if (!placed && m->old->particle >= particle) {
            if (weight > 0.0f) m->out[m->count++] = (sup_rig_weight){vertex, particle, weight};
            placed = true;
        }
        if (!painted || m->old->particle != particle) m->out[m->count++] = *m->old;
    }
    if (!placed && weight > 0.0f) m->out[m->count++] = (sup_rig_weight){vertex, particle, weight};
    for (int32_t i = first; i < m->count; i++) sum += (double)m->out[i].weight;
    return m->count - first <= SUP_RIG_WEIGHTS && sum <= 1.0 + 1e-6;
}

static sup_result merge_weights(sup_rig* rig, int32_t particle, double weight,
                                const sup_brush* brush, supi_arena* scratch, sup_error* error) {
    int32_t vertices = rig->mesh.point_count;
    merge m = {.old = supi_rig_weights(rig), .end = supi_rig_weights(rig) + rig->now.weight_count};
    size_t room = (size_t)rig->now.weight_count + (size_t)vertices;
    m.out = supi_arena_push(scratch, room, sizeof *m.out);
    if (!m.out) return supi_error_memory(error);
    for (int32_t v = 0; v < vertices; v++) {
        double place[3];
        supi_vector_from(&rig->mesh.points[v], place);
        double share = sup_brush_share(brush, place);
        if (!merge_vertex(&m, v, particle, (float)(weight * share), share > 0.0)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the weights of vertex %d would be more than %d or add up to "
                                  "more than 1",
                                  (int)v, SUP_RIG_WEIGHTS);
        }
    }
    if (m.count > 4 * SUPI_RIG_MOST || !supi_rig_reserve(rig, 0, 0, 0, 0, m.count)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < m.count; i++) supi_rig_weights(rig)[i] = m.out[i];
    rig->now.weight_count = m.count;
    return SUP_OK;
}

sup_result sup_rig_paint_weights(sup_rig* rig, int32_t particle, double weight,
                                 const sup_brush* brush, sup_error* error) {
    const supi_range range = {"the weight", weight, 0, 1};
    sup_result result = supi_rig_check_id(rig, particle, error);
    if (result == SUP_OK) result = supi_check_ranges(&range, 1, error);
    if (result == SUP_OK) result = supi_rig_check_brush(brush, error);
    if (result != SUP_OK) return result;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = merge_weights(rig, particle, weight, brush, &scratch, error);
    supi_arena_free(&scratch);
    return result;
}
