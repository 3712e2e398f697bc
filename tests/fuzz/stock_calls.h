/* Blueprints of which few numbers make much: cubes of the same particles held together in every
   way, so that bodies of one take another; cubes under a skin; a box that may be clay; a chain that
   takes dents. */
#ifndef SUPPLE_TESTS_FUZZ_STOCK_CALLS_H
#define SUPPLE_TESTS_FUZZ_STOCK_CALLS_H

#include "fuzz/choices.h"

#define CALLS_CUBE_SPACING 0.2

/* A layout for particles of a cubic lattice; their cells are there already, or become elements. */
static inline void calls_lay_out(calls* c, sup_blueprint_def* def) {
    static const sup_cluster_layout layouts[] = {SUP_CLUSTERS_LATTICE, SUP_CLUSTERS_WHOLE,
                                                 SUP_CLUSTERS_CUBES, SUP_CLUSTERS_ELEMENTS};
    def->layout = layouts[calls_pick(c, 4)];
    def->reach = 1 + calls_pick(c, 2);
    if (def->layout == SUP_CLUSTERS_LATTICE) def->fill = CALLS_CUBE_SPACING;
    def->cube = 2.5 * CALLS_CUBE_SPACING;
    def->least_members = 4;
    def->allow_joints = true;
}

/* 27 particles, all of them in two regions where there are some; its pins and what is drawn must be
   the same for an exchange. */
static inline sup_result calls_cube(calls* c, sup_blueprint** print, sup_error* error) {
    static const uint8_t full[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const int32_t pins[1] = {0};
    uint8_t regions[27];
    sup_weave_voxels_def def = sup_weave_voxels_default();
    sup_web web;
    for (int k = 0; k < 3; k++) def.cells[k] = 2;
    for (int i = 0; i < 27; i++) regions[i] = (uint8_t)(i % 2);
    def.voxels = full;
    def.cell = CALLS_CUBE_SPACING;
    def.tets = true;
    def.surface = calls_chance(c, 2);
    sup_result result = sup_weave_voxels(c->allocator, &def, &web, error);
    if (result != SUP_OK) return result;
    sup_blueprint_def by = sup_web_blueprint(&web);
    by.allocator = c->allocator;
    by.radius = 0.5 * CALLS_CUBE_SPACING;
    bool beside = calls_chance(c, 3); /* springs */
    if (!calls_chance(c, 3)) calls_lay_out(c, &by);
    if (by.layout != SUP_CLUSTERS_NONE && !beside) by.spring_count = 0;
    if (by.layout == SUP_CLUSTERS_ELEMENTS) {
        by.element_corners = 4;
        by.element_count = web.tet_count;
        by.elements = web.tets;
    }
    by.pins = pins;
    by.pin_count = calls_chance(c, 3);
    by.regions = regions;
    by.region_count = calls_chance(c, 3) ? 2 : 0;
    result = sup_blueprint_create(&by, print, error);
    sup_web_free(&web);
    return result;
}

/* Boxes of 2 x 2 x 2 cells, of which only the surface is given: under a skin and filled, or bare.
 */
static inline sup_result calls_box(calls* c, bool skin, sup_blueprint** print, sup_error* error) {
    static const int32_t segments[3] = {2, 2, 2};
    static const double size[3] = {0.5, 0.4, 0.5};
    sup_blueprint_def def = sup_blueprint_default();
    sup_mesh box;
    sup_result result = sup_mesh_box(NULL, size, segments, &box, NULL);
    if (result != SUP_OK) return result;
    def.allocator = c->allocator;
    def.surface = &box;
    if (skin) {
        calls_lay_out(c, &def);
        def.skin = SUP_SKIN_CLUSTERS;
        def.fill = CALLS_CUBE_SPACING / 2;
        def.element_corners = 8;
    }
    result = sup_blueprint_create(&def, print, error);
    sup_mesh_free(&box);
    return result;
}

static inline sup_result calls_stock(calls* c, sup_blueprint** print) {
    sup_error error = {0};
    sup_result result = SUP_OK;
    switch (calls_pick(c, 5)) {
    case 2: *print = fuzz_stage_chain(); break;
    case 3: result = calls_box(c, true, print, &error); break;
    case 4: result = calls_box(c, false, print, &error); break;
    default: result = calls_cube(c, print, &error); break;
    }
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    return result;
}

#endif
