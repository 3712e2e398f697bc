#include "world/cuts.h"

#include "base/real.h"
#include "world/springs.h"
#include "world/tear.h"

#include <string.h>

#define DEGREE 0.017453292519943295
#define FLAT_SHARE 0.4 /* of the angle above which cells are cut: below it they join */

static supi_refine* cuts_of(const supi_body* body) {
    return body->elastic ? body->elastic->cuts : NULL;
}

static supi_refine_rules rules_of(const supi_body* body) {
    double angle = DEGREE * body->springs.refine_angle;
    return (supi_refine_rules){.bent = supi_cos(angle),
                               .flat = supi_cos(FLAT_SHARE * angle),
                               .doubles = body->springs.refine_rule == SUP_REFINE_SEED};
}

/* ---- State ---- */

bool supi_cuts_make(supi_elastic* e, const sup_blueprint* b) {
    size_t cells = (size_t)supi_refine_cell_count(&b->refine);
    e->cuts = supi_arena_push(&e->arena, 1, sizeof *e->cuts);
    e->level_before = supi_arena_push(&e->arena, cells, 1);
    e->calm_before = supi_arena_push(&e->arena, cells, 1);
    e->held = supi_arena_push(&e->arena, (size_t)b->row_count, 1);
    return e->cuts && e->level_before && e->calm_before && e->held &&
           supi_refine_push(&e->arena, &b->refine, e->cuts);
}

void supi_cuts_remake(supi_body* body) {
    if (!cuts_of(body)) return;
    const supi_refine_rules rules = rules_of(body);
    supi_refine_make(&body->blueprint->refine, &rules, cuts_of(body));
    supi_springs_lay(body);
}

void supi_cuts_reset(supi_body* body) {
    if (!cuts_of(body)) return;
    body->elastic->past.check = 0;
    supi_refine_clear(&body->blueprint->refine, cuts_of(body));
    supi_refine_hold(&body->blueprint->refine, NULL, cuts_of(body));
    supi_cuts_remake(body);
}

bool supi_cuts_sane(const supi_body* body) {
    const supi_refine* cuts = cuts_of(body);
    if (!cuts) return true;
    const supi_refine_grid* grid = &body->blueprint->refine;
    return supi_refine_fits(grid, cuts->level);
}

void supi_cuts_keep(supi_body* body) {
    const supi_refine* cuts = cuts_of(body);
    if (!cuts) return;
    size_t cells = (size_t)supi_refine_cell_count(&body->blueprint->refine);
    memcpy(body->elastic->level_before, cuts->level, cells);
    memcpy(body->elastic->calm_before, cuts->calm, cells);
}

/* ---- Rows ---- */

int32_t supi_cuts_level(const supi_body* body, int32_t row) {
    const sup_blueprint* b = body->blueprint;
    if (!cuts_of(body) || row >= b->info.particle_count) return 0;
    return supi_refine_level_around(&b->refine, cuts_of(body)->level, b->id_of[row]);
}

float supi_cuts_mass(const supi_body* body, int32_t row) {
    if (row >= body->blueprint->info.particle_count) return 0.0f;
    return cuts_of(body) ? cuts_of(body)->mass[row] : supi_tear_masses(body)[row];
}

float supi_cuts_inverse_mass(const supi_body* body, int32_t row) {
    if (row >= body->blueprint->info.particle_count) return 0.0f;
    return cuts_of(body) ? cuts_of(body)->inverse[row] : supi_tear_inverse_masses(body)[row];
}

float supi_cuts_radius(const supi_body* body, int32_t row) {
    bool real = row < body->blueprint->info.particle_count;
    bool acts = real && (!cuts_of(body) || cuts_of(body)->mass[row] > 0.0f);
    return acts ? supi_tear_radius(body, row) : 0.0f;
}

/* After a change of cells. The direction of the fastest swing is another now. */
static void weigh_rows(sup_world* world, supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t r = 0; r < b->row_count; r++) {
        world->now.x[body->row + r].w = supi_cuts_inverse_mass(body, r);
        world->now.v[body->row + r].w = supi_cuts_radius(body, r);
    }
    if (supi_springs_integrator(body) != SUP_INTEGRATOR_IMPLICIT) {
        memset(body->elastic->past.rows, 0, (size_t)b->row_count * sizeof(sup_row));
    }
}

void supi_cuts_follow(sup_world* world, supi_body* body) {
    if (!cuts_of(body)) return;
    const supi_refine_grid* grid = &body->blueprint->refine;
    supi_refine_follow(grid, cuts_of(body), world->now.x + body->row);
    supi_refine_follow(grid, cuts_of(body), world->now.v + body->row);
}

void supi_cuts_loosen(const supi_body* body, sup_row* x, sup_row* v) {
    const supi_refine* cuts = cuts_of(body);
    if (!cuts) return;
    bool implicit = supi_springs_integrator(body) == SUP_INTEGRATOR_IMPLICIT;
    supi_ties_spread(cuts->ties, cuts->tie_count, x);
    supi_ties_spread(cuts->ties, cuts->tie_count, v);
    for (int32_t i = 0; i < cuts->tie_count; i++) {
        int32_t row = cuts->ties[i].row;
        x[row].w = implicit ? SUPI_TIED : cuts->loose[row];
    }
}

void supi_cuts_fasten(const supi_body* body, sup_row* x, sup_row* v) {
    const supi_refine* cuts = cuts_of(body);
    if (!cuts) return;
    supi_ties_spread(cuts->ties, cuts->tie_count, x);
    supi_ties_spread(cuts->ties, cuts->tie_count, v);
    for (int32_t i = 0; i < cuts->tie_count; i++) x[cuts->ties[i].row].w = 0.0f;
}

void supi_cuts_restore(sup_world* world, supi_body* body) {
    supi_refine* cuts = cuts_of(body);
    if (!cuts) return;
    size_t cells = (size_t)supi_refine_cell_count(&body->blueprint->refine);
    bool changed = memcmp(cuts->level, body->elastic->level_before, cells) != 0;
    memcpy(cuts->level, body->elastic->level_before, cells);
    memcpy(cuts->calm, body->elastic->calm_before, cells);
    if (!changed) return;
    supi_cuts_remake(body);
    weigh_rows(world, body);
    supi_springs_restore(body);
}

/* ---- Steps ---- */

static void mark_row(const sup_world* world, int32_t body_index, int32_t row) {
    if (body_index < 0) return;
    const supi_body* body = world->bodies + body_index;
    if (cuts_of(body)) body->elastic->held[row - body->row] = 1;
}

/* Marks what attachments hold in all bodies that are cut; false: there is no such body. */
static bool mark_attached(sup_world* world) {
    bool any = false;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!cuts_of(body)) continue;
        memset(body->elastic->held, 0, (size_t)body->blueprint->row_count);
        any = true;
    }
    for (int32_t i = 0; any && i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        mark_row(world, a->body, a->row);
        mark_row(world, a->other, a->other_row);
    }
    return any;
}

/* And what touches something. */
static void mark_touching(sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* p = met->pairings + i;
        for (int32_t k = p->first; k < p->first + p->count; k++) {
            mark_row(world, p->run_a, met->pair_contacts[k].a);
            mark_row(world, p->run_b, met->pair_contacts[k].b);
        }
    }
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        const supi_contact* contact = &met->touch_contacts[i].common;
        mark_row(world, met->touches[contact->b].run, contact->a);
    }
}

void supi_cuts_begin(sup_world* world) {
    if (!mark_attached(world)) return;
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        supi_refine* cuts = cuts_of(body);
        if (!cuts) continue;
        if (supi_refine_hold(&body->blueprint->refine, body->elastic->held, cuts) == 0) continue;
        supi_cuts_remake(body);
        weigh_rows(world, body);
        if (supi_body_still(body)) supi_body_copy(body, &world->now, &world->before);
    }
}

static void look_at_cells(sup_world* world, supi_body* body) {
    supi_spring_past* past = &body->elastic->past;
    past->check = (past->check + 1) % SUPI_REFINE_EVERY;
    if (past->check > 0) return;
    const supi_refine_rules rules = rules_of(body);
    int32_t changed =
        supi_refine_check(&body->blueprint->refine, &rules, body->elastic->held,
                          world->now.x + body->row, world->now.v + body->row, cuts_of(body));
    if (changed == 0) return;
    supi_springs_lay(body);
    weigh_rows(world, body);
    supi_cuts_follow(world, body);
}

void supi_cuts_settle(sup_world* world) {
    if (!mark_attached(world)) return;
    mark_touching(world);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!cuts_of(body) || supi_body_still(body)) continue;
        supi_cuts_follow(world, body);
        look_at_cells(world, body);
    }
}
