/* Solids: tetrahedra in a surface, and what holds them together. */
#include "supple/solid.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "blueprint/fit.h"
#include "blueprint/rings.h"
#include "blueprint/weave.h"
#include "geom/mesh.h"
#include "supple/files.h"
#include "supple/weave.h"

#include <string.h>

struct sup_solid {
    const sup_allocator* allocator;
    sup_solid_kind kind;
    sup_mesh surface;
    sup_tets tets;
    bool made; /* the tetrahedra were, and how */
    sup_tets_making making;
    double mass, density;
    float* masses;    /* kg, by point of the tetrahedra */
    supi_rings rings; /* clusters */
    sup_web web;      /* springs */
    sup_spring_solid terms;
    sup_rig* rig; /* frames */
};

sup_solid_def sup_solid_default(void) {
    return (sup_solid_def){.size = sizeof(sup_solid_def),
                           .tets = sup_tets_default(),
                           .density = 1000.0,
                           .young = 1e5,
                           .poisson = 0.35,
                           .reach = 3,
                           .particles = 300,
                           .seed = 1};
}

static sup_result check_def(const sup_solid_def* def, sup_error* error) {
    if (!def || def->size != sizeof *def) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_solid_def must come from sup_solid_default");
    }
    const supi_range ranges[] = {{"kind", def->kind, SUP_SOLID_CLUSTERS, SUP_SOLID_FRAMES},
                                 {"density", def->density, 1, 20000},
                                 {"mass", def->mass, 0, 1e12},
                                 {"young", def->young, 0, 1e12},
                                 {"poisson", def->poisson, 0.25, 0.49},
                                 {"reach", def->reach, 1, 4},
                                 {"particles", def->particles, 1, 100000},
                                 {"seed", def->seed, 0, INT32_MAX}};
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

/* ---- What it is made of ---- */

static sup_result copy_mesh(const sup_allocator* allocator, const sup_mesh* mesh, sup_mesh* out,
                            sup_error* error) {
    return sup_mesh_create(allocator, mesh->point_count, mesh->points, mesh->polygon_count,
                           mesh->starts, mesh->corners, out, error);
}

static sup_result copy_tets(const sup_allocator* allocator, const sup_tets* tets, sup_tets* out,
                            sup_error* error) {
    size_t points = (size_t)tets->point_count, corners = 4 * (size_t)tets->tet_count,
           sides = 3 * (size_t)tets->triangle_count;
    *out = *tets;
    out->allocator = allocator;
    out->points = supi_memory_new(allocator, points, sizeof *out->points);
    out->tets = supi_memory_new(allocator, corners, sizeof *out->tets);
    out->triangles = supi_memory_new(allocator, sides, sizeof *out->triangles);
    if (!out->points || !out->tets || !out->triangles) {
        sup_tets_free(out);
        return supi_error_memory(error);
    }
    memcpy(out->points, tets->points, points * sizeof *out->points);
    memcpy(out->tets, tets->tets, corners * sizeof *out->tets);
    memcpy(out->triangles, tets->triangles, sides * sizeof *out->triangles);
    return SUP_OK;
}

/* Masses by tetrahedra; a given one is shared out in the same proportions. */
static sup_result weigh(const sup_solid_def* def, sup_solid* solid, sup_error* error) {
    const sup_tets* tets = &solid->tets;
    double fill = solid->made ? solid->making.fill : 1.0, full = 0.0;
    solid->masses =
        supi_memory_new(solid->allocator, (size_t)tets->point_count, sizeof *solid->masses);
    if (!solid->masses) return supi_error_memory(error);
    for (int32_t t = 0; t < tets->tet_count; t++) {
        full += fill * supi_weave_volume(tets->points, tets->tets + 4 * (size_t)t);
    }
    solid->density = def->mass > 0 ? def->mass / full : def->density;
    solid->mass = solid->density * full;
    sup_tets_masses(tets, solid->density, fill, solid->masses);
    return SUP_OK;
}

/* ---- What holds it ---- */

/* Springs that resist a change of size as much as they should: then the sum of stiffness times
   square of length is six times modulus times volume. In the lattice it is so already; tetrahedra
   that were cut at the surface have springs that are too stiff. */
static void calibrate(const sup_tets* tets, double young, sup_web* web) {
    double volume = 0.0, sum = 0.0;
    for (int32_t t = 0; t < tets->tet_count; t++) {
        volume += supi_weave_volume(tets->points, tets->tets + 4 * (size_t)t);
    }
    for (int32_t i = 0; i < web->spring_count; i++) {
        const sup_spring* s = &web->springs[i];
        sum += (double)s->stiffness * supi_weave_square(tets->points, s->a, s->b);
    }
    if (!(sum > 0.0)) return;
    for (int32_t i = 0; i < web->spring_count; i++) {
        float* stiffness = &web->springs[i].stiffness;
        *stiffness = (float)((double)*stiffness * 6.0 * young * volume / sum);
    }
}

/* Points stay in their order, also those that share a place. */
static sup_result weave(const sup_solid_def* def, sup_solid* solid, sup_error* error) {
    const sup_tets* tets = &solid->tets;
    double fill = solid->made ? solid->making.fill : 1.0;
    sup_weave_moduli moduli;
    sup_result result = sup_weave_solid_moduli(def->young * fill, def->poisson, &moduli, error);
    if (result != SUP_OK) return result;
    solid->terms = moduli.solid;
    supi_weave w;
    supi_weave_begin(&w, solid->allocator, tets->point_count, tets->points);
    if (!w.short_of_memory) {
        result = supi_weave_fill_tets(&w, tets->tet_count, tets->tets, SUP_WEAVE_EVEN, moduli.young,
                                      solid->density * fill, false, error);
    }
    result = supi_weave_end(&w, result, &solid->web, error);
    if (result != SUP_OK) return result;
    if (solid->web.point_count != tets->point_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a tetrahedron is too flat for springs");
    }
    calibrate(tets, moduli.young, &solid->web);
    return SUP_OK;
}

/* The outside of tetrahedra is closed, whatever the surface is. */
static sup_result fit(const sup_solid_def* def, sup_solid* solid, sup_error* error) {
    supi_rig_body body = supi_rig_body_default();
    body.spray.where = SUP_SPRAY_INSIDE;
    body.spray.count = def->particles;
    body.spray.seed = def->seed;
    body.weigh.mass = solid->mass;
    sup_mesh outside;
    sup_result result = sup_tets_outside(solid->allocator, &solid->tets, &outside, error);
    if (result != SUP_OK) return result;
    result = sup_rig_create(solid->allocator, &outside, &solid->rig, error);
    if (result == SUP_OK) result = supi_rig_make_body(solid->rig, &body, error);
    sup_mesh_free(&outside);
    return result;
}

static sup_result hold(const sup_solid_def* def, sup_solid* solid, sup_error* error) {
    switch (def->kind) {
    case SUP_SOLID_SPRINGS: return weave(def, solid, error);
    case SUP_SOLID_FRAMES: return fit(def, solid, error);
    default:
        return supi_rings_make(solid->allocator, &solid->tets, def->reach, &solid->rings, error);
    }
}

/* ---- The calls ---- */

void sup_solid_free(sup_solid* solid) {
    if (!solid) return;
    const sup_allocator* allocator = solid->allocator;
    supi_memory_free(allocator, solid->masses, (size_t)solid->tets.point_count,
                     sizeof *solid->masses);
    supi_rings_free(allocator, &solid->rings);
    sup_web_free(&solid->web);
    sup_rig_free(solid->rig);
    sup_mesh_free(&solid->surface);
    sup_tets_free(&solid->tets);
    supi_memory_free(allocator, solid, 1, sizeof *solid);
}

/* Takes over the solid, of which surface and tetrahedra are there if `result` is good. */
static sup_result finish(const sup_solid_def* def, sup_solid* solid, sup_result result,
                         sup_solid** out, sup_error* error) {
    if (result == SUP_OK) result = weigh(def, solid, error);
    if (result == SUP_OK) result = hold(def, solid, error);
    if (result == SUP_OK)
        *out = solid;
    else
        sup_solid_free(solid);
    return result;
}

static sup_solid* begin(const sup_allocator* allocator, sup_solid_kind kind) {
    allocator = supi_mesh_allocator(allocator);
    sup_solid* solid = supi_memory_new(allocator, 1, sizeof *solid);
    if (!solid) return NULL;
    solid->allocator = allocator;
    solid->kind = kind;
    return solid;
}

sup_result sup_solid_create(const sup_allocator* allocator, const sup_mesh* surface,
                            const sup_solid_def* def, sup_solid** out, sup_error* error) {
    SUPI_NEED(error, surface, out);
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    sup_solid* solid = begin(allocator, def->kind);
    if (!solid) return supi_error_memory(error);
    result =
        sup_tets_create(solid->allocator, surface, &def->tets, &solid->tets, &solid->making, error);
    solid->made = result == SUP_OK;
    if (result == SUP_OK) result = copy_mesh(solid->allocator, surface, &solid->surface, error);
    return finish(def, solid, result, out, error);
}

sup_result sup_solid_take(const sup_allocator* allocator, const sup_tets* tets,
                          const sup_mesh* surface, const sup_solid_def* def, sup_solid** out,
                          sup_error* error) {
    SUPI_NEED(error, out);
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    if (!tets || tets->tet_count < 1 || tets->triangle_count < 1) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a solid needs tetrahedra with an outside");
    }
    sup_solid* solid = begin(allocator, def->kind);
    if (!solid) return supi_error_memory(error);
    result = copy_tets(solid->allocator, tets, &solid->tets, error);
    if (result == SUP_OK) {
        result = surface ? copy_mesh(solid->allocator, surface, &solid->surface, error)
                         : sup_tets_outside(solid->allocator, tets, &solid->surface, error);
    }
    return finish(def, solid, result, out, error);
}

sup_result sup_solid_load(const sup_allocator* allocator, const sup_file_gate* files,
                          const char* path, const sup_solid_def* def, sup_solid** out,
                          sup_error* error) {
    SUPI_NEED(error, path, out);
    sup_result result;
    if (sup_tets_is_file(path)) {
        sup_tets tets;
        result = sup_tets_load(allocator, files, path, &tets, NULL, error);
        if (result != SUP_OK) return result;
        result = sup_solid_take(allocator, &tets, NULL, def, out, error);
        sup_tets_free(&tets);
        return result;
    }
    sup_mesh surface;
    result = sup_mesh_load(allocator, files, path, &surface, error);
    if (result != SUP_OK) return result;
    result = sup_solid_create(allocator, &surface, def, out, error);
    sup_mesh_free(&surface);
    return result;
}

sup_solid_view sup_solid_get(const sup_solid* solid) {
    return (sup_solid_view){.surface = &solid->surface,
                            .tets = &solid->tets,
                            .making = solid->made ? &solid->making : NULL,
                            .rig = solid->rig,
                            .mass = solid->mass,
                            .density = solid->density,
                            .terms = solid->terms};
}

sup_blueprint_def sup_solid_blueprint(const sup_solid* solid) {
    sup_blueprint_def def = sup_blueprint_default();
    def.allocator = solid->allocator;
    /* What a modulus is measured by; what is lighter or heavier than anything stays in range. */
    def.density = solid->density < 1.0 ? 1.0 : solid->density > 20000.0 ? 20000.0 : solid->density;
    if (solid->rig) {
        sup_rig_fill_def(solid->rig, &def);
        def.surface = &solid->surface;
        def.skin = SUP_SKIN_FRAMES;
        def.layout = SUP_CLUSTERS_NONE;
        return def;
    }
    def.surface = &solid->surface;
    def.skin = SUP_SKIN_TETS;
    def.points = solid->tets.points;
    def.point_count = solid->tets.point_count;
    def.masses = solid->masses;
    def.tets = solid->tets.tets;
    def.tet_count = solid->tets.tet_count;
    def.springs = solid->web.springs;
    def.spring_count = solid->web.spring_count;
    def.layout = solid->rings.count > 0 ? SUP_CLUSTERS_EXPLICIT : SUP_CLUSTERS_NONE;
    def.cluster_count = solid->rings.count;
    def.cluster_starts = solid->rings.starts;
    def.cluster_members = solid->rings.members;
    def.allow_joints = true; /* a surface may have parts that do not hang together */
    return def;
}
