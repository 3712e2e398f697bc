/* Notes on keys that do nothing, because another one is missing or makes them idle. */
#include "blueprint/blueprint.h"
#include "scene/assemble.h"
#include "scene/build.h"

bool supi_notes_idle(sup_scene* scene, const supi_json* place, const char* const* keys,
                     const char* why) {
    for (; *keys; keys++) {
        const supi_json* given = supi_json_find(place, *keys);
        if (!given) continue;
        if (!supi_notes_add(scene, given, "\"%s\" does nothing here: %s", *keys, why)) return false;
    }
    return true;
}

/* Notes a part of a body that was asked for, with a value of 0 that switches it off. */
static bool note_zero(sup_scene* scene, const supi_json* place, const char* part, const char* key,
                      double value) {
    if (!place || value > 0) return true;
    return supi_notes_add(scene, supi_reader_place(place, key),
                          "with a \"%s\" of 0 \"%s\" does nothing", key, part);
}

/* Keys of a weave that another one of its keys makes idle. */
static bool note_weave(sup_scene* scene, const supi_weave_draft* w) {
    static const char* const cuts[] = {"refine_angle", "refine_rule", NULL};
    static const char *const young[] = {"young", NULL}, *const scale[] = {"scale", NULL},
                             *const thickness[] = {"thickness", NULL};
    bool scaled = w->inner == SUP_WEAVE_SCALED;
    if (!note_zero(scene, w->struts.place, "struts", "stiffness", w->struts.stiffness)) {
        return false;
    }
    if (w->kind == SUPI_WEAVE_CLOTH && w->levels == 0) {
        return supi_notes_idle(scene, w->place, cuts, "there are no \"levels\"");
    }
    if (w->kind == SUPI_WEAVE_MESH && w->stiffness > 0 && !(w->poisson > 0 || w->thickness > 0)) {
        return supi_notes_idle(scene, w->place, young, "\"stiffness\" is that of all edges");
    }
    if (w->kind != SUPI_WEAVE_SHELL) return true;
    return supi_notes_idle(scene, w->place, scaled ? thickness : scale,
                           scaled ? "\"scale\" says how deep a scaled layer lies"
                                  : "it is for scaled layers");
}

/* Keys of a material that only clusters look at. */
static bool note_material(sup_scene* scene, const supi_body_draft* draft) {
    static const char* const clusters[] = {"scheme",    "rule",    "mode",    "beta",
                                           "stiffness", "damping", "plastic", NULL};
    const supi_json* material = supi_json_find(draft->place, "material");
    bool own = material && material->kind == SUPI_JSON_OBJECT;
    if (!own || draft->clusters.place || !(draft->blob || draft->weave)) return true;
    return supi_notes_idle(
        scene, material, clusters,
        draft->blob    ? "it is for clusters; \"blob\" says how stiff soft substance is"
        : draft->solid ? "it is for clusters; the \"solid\" says how stiff springs are, "
                         "\"springs\" how they are damped"
                       : "it is for clusters; the \"weave\" says how stiff springs are, "
                         "\"springs\" how they are damped");
}

/* Keys that this way of moving springs does not look at. */
static bool note_springs(sup_scene* scene, const supi_body_draft* draft) {
    static const char* const solves[] = {"tolerance", "iterations", "newton", "preconditioner",
                                         NULL};
    static const char* const steps[] = {"adaptive", "error_length", "error_strain", NULL};
    static const char* const errors[] = {"error_length", "error_strain", NULL};
    static const char* const gaps[] = {"thickness", NULL};
    static const char* const limits[] = {"limit_kinds", "limit_sweeps", NULL};
    const supi_springs_draft* s = draft->springs;
    bool mixed = draft->clusters.place != NULL;
    if (!draft->weave || !s) return true;
    bool implicit = !mixed && (s->integrator == SUP_INTEGRATOR_AUTO ||
                               s->integrator == SUP_INTEGRATOR_IMPLICIT);
    const char* not_steps = implicit ? "it is for explicit integrators"
                                     : "springs beside clusters take one step a substep";
    bool limited = s->limit > 0 || s->limit_compression > 0;
    if (implicit && (limited || s->solid.place) && s->preconditioner == SUP_PRECONDITIONER_LEVELS &&
        !supi_notes_add(scene, supi_reader_place(s->place, "preconditioner"),
                        "\"levels\" are the same as \"blocks\" beside a \"%s\"",
                        limited ? "limit" : "solid")) {
        return false;
    }
    return (implicit ||
            supi_notes_idle(scene, s->place, solves, "it is for the implicit integrator")) &&
           (!(implicit || mixed) || supi_notes_idle(scene, s->place, steps, not_steps)) &&
           (implicit || mixed || s->adaptive ||
            supi_notes_idle(scene, s->place, errors, "steps are not \"adaptive\"")) &&
           (s->meet_itself ||
            supi_notes_idle(scene, s->place, gaps, "there is no \"meet_itself\"")) &&
           (limited || supi_notes_idle(scene, s->place, limits, "there is no \"limit\"")) &&
           note_zero(scene, s->anchor.place, "anchor", "frequency", s->anchor.frequency) &&
           note_zero(scene, s->yield.place, "yield", "strain", s->yield.strain);
}

bool supi_notes_keys(sup_scene* scene, const supi_body_draft* draft,
                     const sup_blueprint* blueprint) {
    static const char* const pins[] = {"pin_factor", NULL};
    return note_material(scene, draft) && (!draft->weave || note_weave(scene, draft->weave)) &&
           note_springs(scene, draft) &&
           (blueprint->info.clustered ||
            supi_notes_idle(scene, draft->place, pins,
                            draft->fit ? "it is for clusters; \"frames\" have one of their own"
                                       : "it is for clusters, and this body has none"));
}

bool supi_notes_wind(sup_scene* scene, const supi_scene_draft* draft) {
    static const char* const gusts[] = {"gust_length", "gust_time", "seed", NULL};
    static const char* const air[] = {"air", NULL};
    const supi_wind_draft* wind = &draft->wind;
    const supi_body_draft* bodies = draft->bodies.items;
    if (wind->place) {
        return wind->gust > 0 || supi_notes_idle(scene, wind->place, gusts, "there is no \"gust\"");
    }
    for (int32_t i = 0; i < draft->bodies.count; i++) {
        const supi_body_draft* b = &bodies[i];
        if ((b->springs &&
             !supi_notes_idle(scene, b->springs->place, air, "the scene has no \"wind\"")) ||
            (b->frames &&
             !supi_notes_idle(scene, b->frames->place, air, "the scene has no \"wind\""))) {
            return false;
        }
    }
    return true;
}
