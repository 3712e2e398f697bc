/* Materials of bodies and their regions. */
#include "base/check.h"
#include "base/error.h"
#include "world/knead.h"
#include "world/world.h"

static sup_result check_plasticity(const sup_plasticity* p, sup_error* error) {
    if (p->rule < SUP_PLASTIC_LOG || p->rule > SUP_PLASTIC_PAPER) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown rule of plasticity");
    }
#define RANGE(name, least, most, usual) {"plastic." #name, p->name, least, most},
    const supi_range ranges[] = {SUPI_PLASTIC_NUMBERS(RANGE)};
#undef RANGE
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result supi_material_check(const sup_material* m, sup_error* error) {
    if (m->scheme < SUP_SCHEME_D || m->scheme > SUP_SCHEME_P || m->rule < SUP_STIFFNESS_AUTO ||
        m->rule > SUP_STIFFNESS_RIGID || m->mode < SUP_MATCH_RIGID ||
        m->mode > SUP_MATCH_QUADRATIC) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown scheme, stiffness rule or mode");
    }
    if (m->rule == SUP_STIFFNESS_RIGID && m->scheme != SUP_SCHEME_D) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a rigid body needs scheme D");
    }
    double most = m->rule == SUP_STIFFNESS_RAW ? 1 : m->rule == SUP_STIFFNESS_MODULUS ? 1e12 : 1e5;
    const supi_range ranges[] = {
        {"stiffness", m->stiffness, 0, most},
        {"damping", m->damping, 0, 1},
        {"beta", m->beta, 0, 1},
        {"raw_damping", m->raw_damping, -1e9, 1},
        {"friction_static", m->friction_static, 0, 2},
        {"friction_kinetic", m->friction_kinetic, 0, m->friction_static},
        {"restitution", m->restitution, 0, 1},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result == SUP_OK && m->rule == SUP_STIFFNESS_MODULUS && m->mode != SUP_MATCH_RIGID &&
        !(m->beta < 1.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a modulus needs a beta below 1: goals that follow every stretch do "
                              "not resist it");
    }
    return result == SUP_OK ? check_plasticity(&m->plastic, error) : result;
}

/* What the mean over regions leaves as it is. */
static bool flow_alike(const sup_plasticity* a, const sup_plasticity* b) {
    return a->on == b->on && a->rule == b->rule && a->flow_time == b->flow_time &&
           a->flow_power == b->flow_power && a->flow_strain == b->flow_strain &&
           a->flow_least == b->flow_least;
}

sup_result supi_material_alike(const sup_material* a, const sup_material* b, sup_error* error) {
    if (!flow_alike(&a->plastic, &b->plastic)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "all regions of a body need the same plasticity, but for its yield, "
                              "creep and limit");
    }
    if (a->scheme == b->scheme && a->rule == b->rule && a->mode == b->mode &&
        a->keeps_volume == b->keeps_volume && (a->raw_damping >= 0.0) == (b->raw_damping >= 0.0)) {
        return SUP_OK;
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "all regions of a body need the same scheme, stiffness rule, mode and "
                          "keeps_volume, and raw_damping in all of them or in none");
}

sup_result supi_material_suits(const sup_material* m, const sup_blueprint* print,
                               sup_error* error) {
    if (print->spring_count > 0 && !print->loose && m->scheme == SUP_SCHEME_P) {
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "springs beside clusters need scheme D or S: scheme P knows no forces "
            "that depend on places");
    }
    if (!print->lattice || m->mode != SUP_MATCH_QUADRATIC) return SUP_OK;
    return supi_error_set(
        error, SUP_BAD_ARGUMENT,
        "clusters of a lattice match rigid or linear: their sums have no quadratic "
        "terms");
}

void supi_body_set_grips(supi_body* body) {
    for (int32_t i = 0; i < body->blueprint->info.region_count; i++) {
        const sup_material* m = body->materials + i;
        body->grips[i] = (supi_grip){(float)m->friction_static, (float)m->friction_kinetic,
                                     (float)m->restitution, body->soft != NULL};
    }
    body->prepared_h = 0.0;
}

sup_result sup_body_set_material(sup_world* world, sup_body body, const sup_material* material,
                                 sup_error* error) {
    SUPI_NEED(error, world, material);
    supi_body* found = supi_world_body(world, body);
    if (!found) return supi_error_set(error, SUP_STALE, "the body is gone");
    sup_result result = supi_material_check(material, error);
    if (result == SUP_OK) result = supi_material_suits(material, found->blueprint, error);
    if (result == SUP_OK) result = supi_knead_allows(found, material, error);
    if (result != SUP_OK) return result;
    if (material->plastic.on && !supi_body_make_plastic(world, found)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < found->blueprint->info.region_count; i++) {
        found->materials[i] = *material;
    }
    supi_body_set_grips(found);
    supi_sleep_wake(world, found);
    return SUP_OK;
}

sup_result supi_material_check_mode(const supi_body* body, const sup_blueprint* blueprint,
                                    sup_match_mode mode, sup_error* error) {
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < body->blueprint->info.region_count && result == SUP_OK; i++) {
        sup_material changed = body->materials[i];
        changed.mode = mode;
        result = supi_material_check(&changed, error);
        if (result == SUP_OK) result = supi_material_suits(&changed, blueprint, error);
        if (result == SUP_OK) result = supi_knead_allows(body, &changed, error);
    }
    return result;
}

void supi_body_take_mode(sup_world* world, supi_body* body, sup_match_mode mode) {
    if (body->materials[0].mode == mode) return; /* all regions have the same */
    for (int32_t i = 0; i < body->blueprint->info.region_count; i++) {
        body->materials[i].mode = mode;
    }
    supi_body_set_grips(body);
    supi_sleep_wake(world, body);
}

sup_result sup_body_set_mode(sup_world* world, sup_body body, sup_match_mode mode,
                             sup_error* error) {
    SUPI_NEED(error, world);
    supi_body* found = supi_world_body(world, body);
    if (!found) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (mode < SUP_MATCH_RIGID || mode > SUP_MATCH_QUADRATIC) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown mode");
    }
    sup_result result = supi_material_check_mode(found, found->blueprint, mode, error);
    if (result == SUP_OK) supi_body_take_mode(world, found, mode);
    return result;
}

sup_result sup_body_set_region_material(sup_world* world, sup_body body, int32_t region,
                                        const sup_material* material, sup_error* error) {
    SUPI_NEED(error, world, material);
    supi_body* found = supi_world_body(world, body);
    if (!found) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (region < 0 || region >= found->blueprint->info.region_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "region %d: the body has %d", (int)region,
                              (int)found->blueprint->info.region_count);
    }
    sup_result result = supi_material_check(material, error);
    if (result == SUP_OK) result = supi_material_suits(material, found->blueprint, error);
    if (result == SUP_OK) result = supi_knead_allows(found, material, error);
    if (result == SUP_OK && found->blueprint->info.region_count > 1) {
        result = supi_material_alike(&found->materials[region == 0], material, error);
    }
    if (result != SUP_OK) return result;
    if (material->plastic.on && !supi_body_make_plastic(world, found)) {
        return supi_error_memory(error);
    }
    found->materials[region] = *material;
    supi_body_set_grips(found);
    supi_sleep_wake(world, found);
    return SUP_OK;
}
