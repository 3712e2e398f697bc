/* Levels of detail: one body in several ways to hold together, and a budget that chooses among
 * them.
 */
#include "base/check.h"
#include "base/error.h"
#include "scene/scene.h"
#include "world/world.h"

enum {
    OVER_MOST = 3,       /* steps in a row over the budget, before something gets coarser */
    PATIENCE = 30,       /* steps under it, before something gets finer */
    PATIENCE_MOST = 3840 /* where it had to be taken back again and again */
};

/* A finer level must fit this share of the budget. */
#define ROOM 0.8

/* ---- Levels ---- */

static const supi_details* details_of(const sup_scene* scene, int32_t body) {
    static const supi_details none = {0, NULL};
    if (body < 0 || body >= scene->info.body_count) return &none;
    int32_t low = 0, high = scene->info.entry_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (scene->entries[middle].first_body <= body) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &scene->details[low];
}

/* The level of a body; -1: none. Blueprints that came from a snapshot are others, but equal. */
static int32_t level_of(const supi_details* details, const supi_body* body) {
    for (int32_t k = 0; body && k < details->count; k++) {
        const supi_level* level = &details->levels[k];
        if (body->materials[0].mode == level->mode &&
            supi_blueprint_equal(body->blueprint, level->blueprint)) {
            return k;
        }
    }
    return -1;
}

int32_t sup_scene_detail_count(const sup_scene* scene, int32_t body) {
    return details_of(scene, body)->count;
}

int32_t sup_scene_get_detail(const sup_scene* scene, int32_t body) {
    const supi_details* details = details_of(scene, body);
    if (details->count == 0) return -1;
    return level_of(details, supi_world_body(scene->world, scene->bodies[body]));
}

/* After a restore bodies have blueprints of their own: back to the scene's, so that the next
   snapshot is the one that it would have been. Equal ones change hands without anything that could
   fail. */
static void share_blueprints(sup_scene* scene) {
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        const supi_details* details = &scene->details[i];
        for (int32_t n = 0; details->count > 0 && n < scene->entries[i].body_count; n++) {
            sup_body handle = scene->bodies[scene->entries[i].first_body + n];
            int32_t level = level_of(details, supi_world_body(scene->world, handle));
            if (level < 0) continue;
            sup_body_set_blueprint(scene->world, handle, details->levels[level].blueprint, NULL);
        }
    }
}

sup_result sup_scene_set_detail(sup_scene* scene, int32_t body, int32_t level, sup_error* error) {
    SUPI_NEED(error, scene);
    const supi_details* details = details_of(scene, body);
    if (body < 0 || body >= scene->info.body_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no body %d, the scene has %d",
                              (int)body, (int)scene->info.body_count);
    }
    if (details->count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "body %d has no levels of detail",
                              (int)body);
    }
    if (level < 0 || level >= details->count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "body %d has %d levels of detail, not %d",
                              (int)body, (int)details->count, (int)level);
    }
    const supi_level* to = &details->levels[level];
    share_blueprints(scene);
    return supi_body_change(scene->world, scene->bodies[body], to->blueprint, to->mode, error);
}

/* ---- The budget ---- */

/* What a substep of it costs, in memberships of rigid clusters: quadratic ones take 1.4 to 1.7
   times as long, linear ones hardly longer. */
static double cost_of(const sup_blueprint* blueprint, sup_match_mode mode) {
    if (blueprint->lattice) return (double)supi_integrate_load(blueprint);
    return (mode == SUP_MATCH_QUADRATIC ? 1.6 : 1.0) * blueprint->info.membership_count;
}

static double cost_of_all(const sup_world* world) {
    double sum = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!supi_body_still(body)) sum += cost_of(body->blueprint, body->materials[0].mode);
    }
    return sum;
}

/* A change of one body by one level. */
typedef struct candidate {
    int32_t body, level;  /* body < 0: there is none */
    double before, after; /* cost */
} candidate;

/* The body that costs most now, or least when it is finer. Of equal ones the first. */
static candidate find_candidate(const sup_scene* scene, int32_t change) {
    candidate best = {.body = -1};
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        const supi_details* details = &scene->details[i];
        for (int32_t n = 0; details->count > 1 && n < scene->entries[i].body_count; n++) {
            candidate next = {.body = scene->entries[i].first_body + n};
            const supi_body* body = supi_world_body(scene->world, scene->bodies[next.body]);
            int32_t level = level_of(details, body);
            next.level = level + change;
            if (level < 0 || next.level < 0 || next.level >= details->count) continue;
            if (supi_body_still(body)) continue;
            const supi_level *from = &details->levels[level], *to = &details->levels[next.level];
            next.before = cost_of(from->blueprint, from->mode);
            next.after = cost_of(to->blueprint, to->mode);
            bool better = change < 0 ? next.before > best.before : next.after < best.after;
            if (best.body < 0 || better) best = next;
        }
    }
    return best;
}

/* One more, but never beyond what matters. */
static int32_t count_to(int32_t most, int32_t count) { return count < most ? count + 1 : most; }

/* What the watch asks for after a step: -1 coarser, 1 finer, 0 nothing. */
static int32_t wanted_change(const supi_watch* watch) {
    return watch->over >= OVER_MOST ? -1 : watch->under >= watch->patience ? 1 : 0;
}

/* Who has to take back what was refined waits longer the next time. */
static void note_change(supi_watch* watch, int32_t change) {
    if (change > 0) {
        watch->refined = 0;
    } else if (watch->refined < watch->patience && watch->patience < PATIENCE_MOST) {
        watch->patience *= 2;
    }
    watch->over = watch->under = 0;
}

sup_result sup_scene_adapt(sup_scene* scene, double step_ms, sup_detail_choice* choice,
                           sup_error* error) {
    SUPI_NEED(error, scene);
    uint64_t frame = sup_world_step_count(scene->world);
    sup_detail_choice untold;
    if (!choice) choice = &untold;
    *choice = (sup_detail_choice){frame < INT32_MAX ? (int32_t)frame : INT32_MAX, -1, -1};
    const supi_range ranges[] = {{"step_ms", step_ms, 0, 1e9}};
    sup_result result = supi_check_ranges(ranges, 1, error);
    double budget = scene->info.budget_ms;
    if (result != SUP_OK || !(budget > 0)) return result;
    supi_watch watch = scene->watch;
    bool over = step_ms > budget;
    if (watch.patience == 0) watch = (supi_watch){.patience = PATIENCE, .refined = PATIENCE_MOST};
    watch.over = over ? count_to(OVER_MOST, watch.over) : 0;
    watch.under = over ? 0 : count_to(PATIENCE_MOST, watch.under);
    watch.refined = count_to(PATIENCE_MOST, watch.refined);
    int32_t change = wanted_change(&watch);
    candidate one = {.body = -1};
    if (change != 0) one = find_candidate(scene, change);
    if (change > 0 && one.body >= 0) {
        double all = cost_of_all(scene->world);
        if (step_ms * (all - one.before + one.after) > ROOM * budget * all) one.body = -1;
    }
    if (one.body >= 0) {
        result = sup_scene_set_detail(scene, one.body, one.level, error);
        if (result != SUP_OK) return result;
        note_change(&watch, change);
        choice->body = one.body;
        choice->level = one.level;
    }
    scene->watch = watch;
    return SUP_OK;
}
