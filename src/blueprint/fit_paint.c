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
    SUPI_NEED(error, rig, brush);
    static const double low[] = {0, 1e-6, 0, 0, 0, -1e9}, high[] = {1e5, 1e6, 1, 1e9, 1e9, 1e9};
    const supi_range kind = {"what is painted", what, SUP_PAINT_STIFFNESS, SUP_PAINT_TORSION};
    sup_result result = supi_check_ranges(&kind, 1, error);
    if (result != SUP_OK) return result;
    static const char* const rules[] = {
        "a stiffness is from 0 to 1e5 rad/s",  "a factor of masses is from 1e-6 to 1e6",
        "particles are pinned (1) or not (0)", "a compliance is from 0 to 1e9 m/N",
        "a damping is from 0 to 1e9 N s/m",    "a torsion is from 0 to 1e9 rad/(N m)"};
    if (!(value >= low[what] && value <= high[what])) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", rules[what]);
    }
    result = supi_rig_check_brush(brush, error);
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

/* The weights of one vertex: one more than it may have while they are painted. */
typedef struct palette {
    int32_t count;
    sup_skin_weight items[SUP_SKIN_WEIGHTS + 1]; /* by particle */
} palette;

static void drop(palette* p, int32_t at) {
    for (p->count--; at < p->count; at++) p->items[at] = p->items[at + 1];
}

/* Where the particle is, with a weight of 0 where it was not. */
static int32_t find_or_insert(palette* p, int32_t vertex, int32_t particle) {
    int32_t at = 0;
    while (at < p->count && p->items[at].particle < particle) at++;
    if (at < p->count && p->items[at].particle == particle) return at;
    for (int32_t i = p->count++; i > at; i--) p->items[i] = p->items[i - 1];
    p->items[at] = (sup_skin_weight){vertex, particle, 0.0f};
    return at;
}

/* The new weight stands; the others make room for it. */
static void paint_vertex(palette* p, int32_t vertex, int32_t particle, double weight,
                         double share) {
    int32_t at = find_or_insert(p, vertex, particle), least = -1;
    double old = (double)p->items[at].weight, own = old + share * (weight - old), others = 0.0;
    p->items[at].weight = (float)own;
    for (int32_t i = 0; i < p->count; i++) {
        if (i == at) continue;
        others += (double)p->items[i].weight;
        if (least < 0 || p->items[i].weight < p->items[least].weight) least = i;
    }
    double scale = others > 1.0 - own ? (1.0 - own) / others : 1.0;
    for (int32_t i = 0; i < p->count; i++) {
        if (i != at) p->items[i].weight = (float)(scale * (double)p->items[i].weight);
    }
    if (p->count > SUP_SKIN_WEIGHTS) drop(p, least);
    for (int32_t i = p->count - 1; i >= 0; i--) {
        if (!(p->items[i].weight > 0.0f)) drop(p, i);
    }
}

static sup_result paint_vertices(sup_rig* rig, int32_t particle, double weight,
                                 const sup_brush* brush, supi_arena* scratch, sup_error* error) {
    int32_t vertices = rig->mesh.point_count, count = 0;
    const sup_skin_weight *old = supi_rig_weights(rig), *end = old + rig->now.weight_count;
    size_t room = (size_t)rig->now.weight_count + (size_t)vertices;
    sup_skin_weight* list = supi_arena_push(scratch, room, sizeof *list);
    if (!list) return supi_error_memory(error);
    for (int32_t v = 0; v < vertices; v++) {
        palette p = {0};
        for (; old < end && old->vertex == v; old++) p.items[p.count++] = *old;
        double place[3];
        supi_vector_from(&rig->mesh.points[v], place);
        double share = sup_brush_share(brush, place);
        if (share > 0.0) paint_vertex(&p, v, particle, weight, share);
        for (int32_t i = 0; i < p.count; i++) list[count++] = p.items[i];
    }
    if (count > 4 * SUPI_RIG_MOST || !supi_rig_reserve(rig, 0, 0, 0, 0, count)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < count; i++) supi_rig_weights(rig)[i] = list[i];
    rig->now.weight_count = count;
    return SUP_OK;
}

sup_result sup_rig_paint_weights(sup_rig* rig, int32_t particle, double weight,
                                 const sup_brush* brush, sup_error* error) {
    SUPI_NEED(error, rig, brush);
    sup_result result = supi_rig_check_id(rig, particle, error);
    if (result == SUP_OK) result = supi_rig_check_brush(brush, error);
    if (result != SUP_OK) return result;
    if (!(weight >= 0.0 && weight <= 1.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a weight is from 0 to 1");
    }
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = paint_vertices(rig, particle, weight, brush, &scratch, error);
    supi_arena_free(&scratch);
    return result;
}
