/* Calls about clay: how it gives way, and its dents. */
#ifndef SUPPLE_TESTS_FUZZ_CLAY_CALLS_H
#define SUPPLE_TESTS_FUZZ_CLAY_CALLS_H

#include "fuzz/choices.h"

static inline sup_clay_settings calls_clay(calls* c) {
    sup_clay_settings s = sup_clay_settings_default();
    if (calls_chance(c, 2)) s.strength = calls_number(c, 1e4);
    if (calls_chance(c, 4)) s.rate = calls_number(c, 1e3);
    if (calls_chance(c, 4)) s.transfer = calls_number(c, 1);
    if (calls_chance(c, 4)) s.transverse = calls_number(c, 1);
    if (calls_chance(c, 4)) s.reach = calls_pick(c, 20) - 1;
    return s;
}

/* A body becomes clay, becomes another, or is none any more. */
static inline sup_result calls_knead(calls* c, sup_body body) {
    sup_clay_settings wanted = calls_clay(c), is;
    bool ends = calls_chance(c, 8);
    sup_error error = {0};
    sup_result result = sup_body_set_clay(c->world, body, ends ? NULL : &wanted, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    if (result != SUP_OK) return result;
    FUZZ_REQUIRE(sup_body_get_clay(c->world, body, &is) == !ends);
    if (ends) return SUP_OK;
    FUZZ_REQUIRE(is.strength == wanted.strength && is.rate == wanted.rate);
    FUZZ_REQUIRE(is.transfer == wanted.transfer && is.transverse == wanted.transverse);
    FUZZ_REQUIRE(is.reach == wanted.reach);
    return SUP_OK;
}

/* Only clay has dents. */
static inline void calls_ask_clay(const calls* c, sup_body body) {
    int32_t count = calls_particle_count(c, body);
    sup_clay_settings settings;
    bool clay = sup_body_get_clay(c->world, body, &settings);
    sup_vec3* moved = calloc((size_t)count + 1, sizeof *moved);
    FUZZ_REQUIRE(moved);
    FUZZ_REQUIRE((sup_body_read_dents(c->world, body, moved) == SUP_OK) == (count > 0));
    for (int32_t i = 0; i < count; i++) {
        float way = fabsf(moved[i].x) + fabsf(moved[i].y) + fabsf(moved[i].z);
        FUZZ_REQUIRE(isfinite(way) && (clay || way == 0.0f));
    }
    free(moved);
}

#endif
