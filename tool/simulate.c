/* Loading and stepping, as every verb that simulates does it. */
#include "commands.h"
#include "file/ending.h"
#include "world/world.h"

const char* const simd_words[] = {"auto", "scalar", "sse2", "avx2", NULL};

tool_exit simulate_load(const simulate_options* options, const char* path, sup_scene** scene) {
    sup_simd simd = (sup_simd)options->simd;
    if (!sup_simd_available(simd)) {
        return tool_fail(TOOL_INPUT, "this processor or build has no %s", simd_words[simd]);
    }
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    if (supi_ending_is(path, ".sup")) {
        return tool_fail(TOOL_INPUT,
                         "%s is a tape, not a scene; supple export makes animations of it", path);
    }
    sup_scene_options load = sup_scene_options_default();
    load.threads = options->threads;
    load.simd = simd;
    sup_error error;
    tool_stop_at_once(true); /* large solids take seconds, and nothing is written yet */
    sup_result result = sup_scene_load(&load, path, scene, &error);
    tool_stop_at_once(false);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

void simulate_notes(const sup_scene* scene) {
    const char* note;
    for (int32_t i = 0; (note = sup_scene_note(scene, i)) != NULL; i++) tool_note("%s", note);
}

/* What moves by itself depends on the number of the frame alone, which the world knows, also after
 * a restore. */
tool_exit simulate_step(sup_scene* scene) {
    sup_world* world = sup_scene_world(scene);
    sup_error error;
    sup_result result = sup_scene_drive(scene, (int32_t)sup_world_step_count(world) + 1, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    result = sup_world_step(world, 1.0 / sup_scene_get_info(scene).fps);
    if (result == SUP_OK) return TOOL_DONE;
    return tool_fail(tool_exit_for(result), "the simulation failed: %s", sup_result_name(result));
}

/* Only the implicit integrator solves. */
static bool is_implicit(const sup_world* world, sup_body body) {
    sup_spring_measures measures;
    return sup_body_measure_springs(world, body, &measures) == SUP_OK && measures.iterations > 0;
}

/* What helps a body that is too stiff, beside more substeps. */
static const char* stiff_advice(const sup_world* world, sup_body body) {
    sup_blueprint_info print = sup_blueprint_get_info(sup_body_blueprint(world, body));
    if (print.spring_count == 0 && !print.clustered) {
        return "lower the \"stiffness\" or \"modulus\" of its \"frames\"";
    }
    if (print.spring_count == 0) return "lower its \"stiffness\", or take the rule \"rigid\"";
    if (print.clustered) {
        return "lower the \"stiffness\" of its material, or \"stretch\" or \"young\" of its weave";
    }
    if (is_implicit(world, body)) return "lower \"stretch\" or \"young\" of its weave";
    return "let its springs be \"adaptive\", take the integrator \"implicit\", or lower "
           "\"stretch\" or \"young\" of its weave";
}

static void warn_about(const simulate_troubles* troubles, sup_scene* scene,
                       const sup_event* event) {
    const char* name;
    const sup_world* world = sup_scene_world(scene);
    sup_scene_get_body(scene, (int32_t)sup_body_user(world, event->body), &name);
    const char *file = troubles->scene ? troubles->scene : "", *colon = troubles->scene ? ": " : "";
    if (event->kind == SUP_EVENT_BODY_RESTORED) {
        tool_warn("%s%sframe %d: \"%s\" went out of range and was put back at rest", file, colon,
                  (int)sup_world_step_count(world), name);
    } else if (event->kind == SUP_EVENT_STEPS_FORCED) {
        const char* advice = is_implicit(world, event->body)
                                 ? " or lower its stiffness"
                                 : ", lower its stiffness, or take the integrator \"implicit\"";
        tool_warn("%s%sframe %d: the springs of \"%s\" cannot take steps short enough (%.0f were "
                  "forced), and what it does is not to be trusted: raise \"substeps\"%s",
                  file, colon, (int)sup_world_step_count(world), name, event->value, advice);
    } else if (event->value > 64) {
        tool_warn("%s%s\"%s\" is too stiff for these steps; %.0f substeps would do, but 64 are the "
                  "most: raise \"fps\", %s",
                  file, colon, name, event->value, stiff_advice(world, event->body));
    } else {
        tool_warn("%s%s\"%s\" is too stiff for these steps; it needs %.0f substeps", file, colon,
                  name, event->value);
    }
}

/* Is it the first that is told of this body? */
static bool note_forced(simulate_troubles* troubles, sup_body body) {
    const int32_t most = sizeof troubles->forced / sizeof *troubles->forced;
    for (int32_t i = 0; i < troubles->forced_count; i++) {
        const sup_body* told = troubles->forced + i;
        if (told->slot == body.slot && told->age == body.age) return false;
    }
    if (troubles->forced_count == most) return false;
    troubles->forced[troubles->forced_count++] = body;
    return true;
}

/* The springs of one Newton step are linear: one that turns by an angle a within it gets longer by
   a^2 / 2 of its length, and is pulled back. Of an angle of a tenth, springs that would swing by
   this many radians in a substep leave little. */
#define TOO_STIFF_TO_TURN 100.0

/* Warns of the first body that is pinned and so stiff. Free ones are turned as wholes. */
static void watch_turns(simulate_troubles* troubles, sup_scene* scene, progress* bar) {
    const sup_world* world = sup_scene_world(scene);
    const sup_scene_info info = sup_scene_get_info(scene);
    if (troubles->turns) return;
    troubles->turns = true;
    for (int32_t i = 0; i < info.body_count; i++) {
        const char* name;
        sup_spring_measures m;
        sup_body body = sup_scene_get_body(scene, i, &name);
        if (sup_blueprint_get_info(sup_body_blueprint(world, body)).pinned_count == 0) continue;
        if (sup_body_measure_springs(world, body, &m) != SUP_OK || m.iterations == 0) continue;
        if (supi_world_body(world, body)->springs.newton > 1) continue;
        if (!(m.frequency > TOO_STIFF_TO_TURN * info.fps * info.substeps)) continue;
        progress_clear(bar);
        tool_warn("%s%s\"%s\" is so stiff for its mass (springs of up to %.3g rad/s) that it turns "
                  "too slowly about its pins: give its \"springs\" a \"newton\" of 3 and more "
                  "\"iterations\", raise \"substeps\", or lower \"stretch\" or \"young\"",
                  troubles->scene ? troubles->scene : "", troubles->scene ? ": " : "", name,
                  m.frequency);
        return;
    }
}

/* An implicit solve that ends far from its end step after step, not once, as after a hard blow. */
static void watch_solves(simulate_troubles* troubles, sup_scene* scene, progress* bar) {
    enum { PATIENCE = 20 };  /* steps */
    const double most = 0.3; /* of the residual */
    const char *name, *worst = NULL;
    sup_spring_measures measures, largest = {.residual = most};
    if (troubles->loose < 0) return;
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        sup_body body = sup_scene_get_body(scene, i, &name);
        if (sup_body_measure_springs(sup_scene_world(scene), body, &measures) != SUP_OK) continue;
        if (measures.residual <= largest.residual) continue;
        largest = measures;
        worst = name;
    }
    troubles->loose = worst ? troubles->loose + 1 : 0;
    if (troubles->loose < PATIENCE) return;
    troubles->loose = -1;
    progress_clear(bar);
    tool_warn("%s%sframe %d: the implicit solve of \"%s\" leaves %.0f %% undone, step after step, "
              "and what it does is not to be trusted: raise the \"iterations\" of its \"springs\", "
              "or \"substeps\", or lower its \"stretch\" or \"young\"",
              troubles->scene ? troubles->scene : "", troubles->scene ? ": " : "",
              (int)sup_world_step_count(sup_scene_world(scene)), worst, 100.0 * largest.residual);
}

/* Between thin layers nothing is promised where a pin leaves its neighbours behind. */
static void watch_pins(simulate_troubles* troubles, sup_scene* scene, progress* bar) {
    const sup_world* world = sup_scene_world(scene);
    double led = (double)world->fold_counts.led;
    if (troubles->led || !(led > 1.0)) return;
    troubles->led = true;
    progress_clear(bar);
    tool_warn("%s%sframe %d: pins of thin bodies that meet themselves go %.1f times as far in a "
              "substep as their neighbours can, so layers may cross, or catch and stay stretched: "
              "lead them more slowly, or raise \"substeps\"",
              troubles->scene ? troubles->scene : "", troubles->scene ? ": " : "",
              (int)sup_world_step_count(world), led);
}

void simulate_watch(simulate_troubles* troubles, sup_scene* scene, progress* bar) {
    int32_t count;
    const sup_event* events = sup_world_events(sup_scene_world(scene), &count);
    for (int32_t i = 0; i < count; i++) {
        bool restored = events[i].kind == SUP_EVENT_BODY_RESTORED;
        bool forced = events[i].kind == SUP_EVENT_STEPS_FORCED;
        if (!restored && !forced && events[i].kind != SUP_EVENT_STIFFNESS_SATURATED) continue;
        bool said = restored ? troubles->restored > 0 : troubles->substeps_needed > 0;
        if (forced) said = !note_forced(troubles, events[i].body);
        if (!said) {
            progress_clear(bar);
            warn_about(troubles, scene, &events[i]);
        }
        if (forced) continue;
        double needed = events[i].value < 1e6 ? events[i].value : 1e6;
        if (restored) {
            troubles->restored++;
        } else if (needed > troubles->substeps_needed) {
            troubles->substeps_needed = (int32_t)needed;
            troubles->advice = stiff_advice(sup_scene_world(scene), events[i].body);
        }
    }
    watch_turns(troubles, scene, bar);
    watch_pins(troubles, scene, bar);
    watch_solves(troubles, scene, bar);
}
