#include "world/overlaps.h"

#include "base/check.h"
#include "base/error.h"
#include "contact/find.h"
#include "contact/rub.h"
#include "contact/tet_escape.h"
#include "contact/tet_leave.h"
#include "world/folds.h"
#include "world/oriented.h"
#include "world/overlap_numbers.h"
#include "world/springs.h"
#include "world/stand.h"

#include <float.h>
#include <math.h>
#include <string.h>

sup_overlap_settings sup_overlap_settings_default(void) {
#define NUMBER(name, low, high, usual) .name = usual,
    return (sup_overlap_settings){SUPI_OVERLAP_NUMBERS(NUMBER)};
#undef NUMBER
}

sup_result supi_overlaps_check(const sup_overlap_settings* s, sup_error* error) {
#define NUMBER(name, low, high, usual) {"overlap." #name, s->name, low, high},
    const supi_range ranges[] = {{"overlap.mode", s->mode, SUP_OVERLAP_DEPTH, SUP_OVERLAP_SPHERES},
                                 SUPI_OVERLAP_NUMBERS(NUMBER)};
#undef NUMBER
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_body_set_overlap(sup_world* world, sup_body handle,
                                const sup_overlap_settings* settings, sup_error* error) {
    SUPI_NEED(error, world, settings);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (body->blueprint->form.tet_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, SUPI_NO_OVERLAP);
    }
    sup_result result = supi_overlaps_check(settings, error);
    if (result != SUP_OK) return result;
    body->overlap = *settings;
    supi_meetings_forget(world); /* others meet it otherwise */
    supi_overlaps_forget(world, (int32_t)(body - world->bodies), false);
    supi_sleep_wake(world, body);
    return SUP_OK;
}

/* One that meets colliders only says so by having no radius. */
void supi_overlaps_set(supi_body* body, const sup_overlap_settings* settings) {
    bool has = body->blueprint->solid.tet_count > 0;
    body->overlap = has ? *settings : sup_overlap_settings_default();
}

bool supi_overlaps_has(const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    return b->form.tet_count > 0 && b->info.radius > 0 &&
           body->overlap.mode != SUP_OVERLAP_SPHERES && !supi_folds_has(body);
}

bool supi_overlaps_may_hold(const supi_body* body) {
    return !body->soft && body->blueprint->info.radius > 0 &&
           body->overlap.mode != SUP_OVERLAP_SPHERES;
}

/* Others meet by spheres; but these do not tell whether they are inside of something. */
static bool is_guest(const supi_body* body) {
    return !supi_overlaps_has(body) && supi_overlaps_may_hold(body);
}

bool supi_overlaps_any(const sup_world* world) {
    return world->overlaps.solid_count > 1 || world->overlaps.meets_itself;
}

/* ---- Within a step ---- */

supi_tet_body supi_overlaps_describe(const sup_world* world, const supi_body* body) {
    bool solid = supi_overlaps_has(body);
    return (supi_tet_body){.form = solid ? &body->blueprint->form : supi_stand_form(body),
                           .x = world->now.x + body->row,
                           .v = world->now.v + body->row,
                           .anchor = {body->anchor[0], body->anchor[1], body->anchor[2]},
                           .id = (int32_t)(body - world->bodies),
                           .filter = body->filter,
                           .still = supi_body_still(body),
                           .asleep = body->rest.asleep,
                           .held = body->blueprint->pin_count > 0,
                           .thin = supi_folds_has(body),
                           .locked = body->locked,
                           .reach = solid ? supi_springs_reach(body) : 0,
                           .grip = body->grips,
                           .self = solid && body->overlap.meets_itself,
                           .edges = body->overlap.edges,
                           .mode = body->overlap.mode,
                           .shift = supi_oriented_shift(body)};
}

/* Up is where gravity does not pull. */
static supi_tet_rules rules_of(const sup_world* world) {
    const double* g = world->def.gravity;
    double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    supi_tet_rules rules = supi_tet_rules_default();
    rules.exempt = &world->exemptions;
    if (length > 0.0) {
        rules.up =
            (sup_vec3){(float)(-g[0] / length), (float)(-g[1] / length), (float)(-g[2] / length)};
    }
    return rules;
}

/* What has been blown up has no inside any more. */
#define SHAPE_MOST 3.0 /* of the diagonal at rest */

static bool has_shape(const supi_body* body) {
    double size = body->blueprint->info.size, square = 0.0;
    for (int k = 0; k < 3; k++) {
        double side = (double)body->box.high[k] - (double)body->box.low[k];
        square += side * side;
    }
    return square <= SHAPE_MOST * SHAPE_MOST * size * size;
}

/* ---- Who is too fast ---- */

static void describe_movers(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    all->mover_count = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!supi_overlaps_has(body) && !body->stand) continue;
        if (supi_overlaps_may_hold(body))
            all->movers[all->mover_count++] = supi_overlaps_describe(world, body);
    }
}

/* Bounds of speeds are at hand where there are colliders. */
static bool anybody_may_be_fast(const sup_world* world, float h) {
    float fastest = 0.0f;
    if (world->collider_count == 0) return true;
    for (int32_t i = 0; i < world->body_count; i++) {
        float own = world->bodies[i].fastest;
        if (!(own <= FLT_MAX)) return true;
        fastest = own > fastest ? own : fastest;
    }
    return supi_tet_fast_may(fastest, world->overlaps.thinnest, h);
}

/* All that an encounter needs is made before the first. */
static bool reserve_movers(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    int32_t count = 0;
    for (int32_t i = 0; i < world->body_count; i++)
        count += supi_overlaps_may_hold(world->bodies + i);
    all->movers = supi_column_reserve(&all->mover_column, world->allocator, world->body_count,
                                      sizeof *all->movers);
    if (!all->movers) return false;
    for (int32_t i = 0; i < world->body_count && count > 1; i++) {
        supi_body* body = world->bodies + i;
        if (!supi_overlaps_may_hold(body) || supi_overlaps_has(body)) continue;
        if (!supi_stand_make(world, body)) return false;
    }
    describe_movers(world);
    all->thinnest = FLT_MAX;
    for (int32_t i = 0; i < all->mover_count; i++) {
        float own = all->movers[i].form->thickness;
        all->thinnest = own < all->thinnest ? own : all->thinnest;
    }
    supi_tet_rules rules = rules_of(world);
    return supi_tet_fast_reserve(&all->fast, world->allocator, world->tasks, all->kernels,
                                 all->movers, all->mover_count, &rules);
}

static void note_haste(supi_overlaps* all, double haste) {
    if (haste > all->haste) all->haste = haste;
}

bool supi_overlaps_stop_fast(sup_world* world, float h) {
    supi_overlaps* all = &world->overlaps;
    all->fast.stop_count = 0;
    if (!anybody_may_be_fast(world, h)) return true;
    describe_movers(world);
    supi_tet_rules rules = rules_of(world);
    if (!supi_tet_fast_stop(&all->fast, world->allocator, world->tasks, all->kernels, all->movers,
                            all->mover_count, &rules, h)) {
        return false;
    }
    for (int32_t i = 0; i < 2 * all->fast.stop_count; i++) {
        const supi_tet_stop* stop = &all->fast.stops[i / 2];
        note_haste(all, stop->haste);
        supi_body* body = world->bodies + (i % 2 ? stop->b : stop->a);
        supi_sleep_wake(world, body);
        world->kernels->inspect(world->now.x + body->row, 0, body->blueprint->info.particle_count,
                                &body->box);
        supi_integrate_bound_speed(world, body);
    }
    return true;
}

/* ---- The start of a step ---- */

bool supi_overlaps_begin(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    supi_overlaps_clear(world);
    all->solid_count = 0;
    all->meets_itself = false;
    all->haste = 0.0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!supi_overlaps_has(body)) continue;
        all->solid_count++;
        all->meets_itself = all->meets_itself || body->overlap.meets_itself;
    }
    if (!reserve_movers(world)) return false;
    all->kept = supi_column_reserve(&all->kept_column, world->allocator, all->found.memory_count,
                                    sizeof *all->kept);
    if (!all->kept) return false;
    all->kept_count = all->found.memory_count;
    if (all->kept_count > 0) {
        memcpy(all->kept, all->found.memory, (size_t)all->kept_count * sizeof *all->kept);
    }
    all->keeps = true;
    return true;
}

/* Who stood still in the last substep is known until the next: what contacts did depends on it. */
void supi_overlaps_bind(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->body_count; i++) {
        bool still = all->bodies[i].still, points_only = all->bodies[i].points_only;
        all->bodies[i] = supi_overlaps_describe(world, world->bodies + all->bodies[i].id);
        all->bodies[i].still = still;
        all->bodies[i].points_only = points_only;
    }
}

void supi_overlaps_settle(sup_world* world) {
    supi_overlaps_bind(world);
    world->overlaps.keeps = false;
}

void supi_overlaps_undo(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    supi_overlaps_clear(world);
    if (all->keeps) supi_tet_contacts_recall(&all->found, all->kept, all->kept_count);
    all->keeps = false;
}

/* Who sleeps is immovable in this substep, and moves in the next if something restless reaches into
   it. */
static void wake(sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->found.contact_count; i++) {
        const supi_tet_contact* c = &all->found.contacts[i];
        supi_body* one = world->bodies + all->bodies[c->body].id;
        supi_body* other = world->bodies + all->bodies[c->other].id;
        if (one->rest.asleep && supi_sleep_restless(other)) supi_sleep_wake(world, one);
        if (other->rest.asleep && supi_sleep_restless(one)) supi_sleep_wake(world, other);
    }
}

static int32_t region_of(const supi_body* body, int32_t row) {
    return body->blueprint->region ? body->blueprint->region[row] : 0;
}

/* The row of the other body that has the largest part in a contact. */
static int32_t nearest_row(const supi_tet_contact* c) {
    int32_t nearest = c->own_count;
    for (int k = nearest + 1; k < c->row_count; k++) {
        if (c->shares[k] < c->shares[nearest]) nearest = k;
    }
    return c->rows[nearest];
}

/* Depths, and how they open, are those of the body that comes out. */
static supi_tet_answer answer_of(const supi_body* body, int32_t region, const supi_body* other,
                                 int32_t other_region) {
    const sup_overlap_settings* s = &body->overlap;
    supi_surface surface =
        supi_find_surface(&body->grips[region], &other->grips[other_region], 1.0f);
    return (supi_tet_answer){.stiffness = (float)s->stiffness,
                             .friction_static = surface.friction_static,
                             .friction_kinetic = surface.friction_kinetic,
                             .restitution = surface.restitution,
                             .depart = (float)s->depart,
                             .shift = (float)s->shift,
                             .damping = (float)s->damping};
}

/* One for each stretch of contacts between the same regions of the same bodies. */
static bool find_answers(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    int32_t last[4] = {-1, -1, -1, -1}, count = 0;
    all->answers = supi_column_reserve(&all->answer_column, world->allocator,
                                       all->found.contact_count, sizeof *all->answers);
    if (!all->answers) return false;
    for (int32_t i = 0; i < all->found.contact_count; i++) {
        supi_tet_contact* c = &all->found.contacts[i];
        const supi_body* body = world->bodies + all->bodies[c->body].id;
        const supi_body* other = world->bodies + all->bodies[c->other].id;
        const int32_t now[4] = {c->body, region_of(body, c->rows[0]), c->other,
                                region_of(other, nearest_row(c))};
        if (memcmp(now, last, sizeof now) != 0) {
            memcpy(last, now, sizeof last);
            all->answers[count++] = answer_of(body, now[1], other, now[3]);
        }
        c->answer = count - 1;
    }
    return true;
}

/* ---- Who takes part ---- */

/* Part of the smaller of two boxes that is in the other, from which on one may be in the other for
   the most part. */
#define DEEP_PART 0.25

#define UNDER_PART 8      /* one in so many of its points */
#define UNDER_EDGES 0.01f /* of the other */
#define UNDER_EDGES_FLAT 0.5f
#define FREE_EDGES 0.02f /* depth of spheres that may push again: so do those that rest */

static bool boxes_are_deep(const supi_run* a, const supi_run* b) {
    double part = 1.0;
    for (int k = 0; k < 3; k++) {
        double shift = b->anchor[k] - a->anchor[k];
        double low[2] = {(double)a->low[k], (double)b->low[k] + shift};
        double high[2] = {(double)a->high[k], (double)b->high[k] + shift};
        double size[2] = {high[0] - low[0], high[1] - low[1]};
        double common =
            (high[0] < high[1] ? high[0] : high[1]) - (low[0] > low[1] ? low[0] : low[1]);
        double least = size[0] < size[1] ? size[0] : size[1];
        if (!(common >= 0.0)) return false;
        if (least > 0.0) part *= common / least;
    }
    return part >= DEEP_PART;
}

/* May one be in the other, which has no tetrahedra of its own to tell? That is looked at once in a
   step. */
static bool is_deep(const sup_world* world, int32_t a, int32_t b, bool first) {
    const supi_body *one = world->bodies + a, *other = world->bodies + b;
    const supi_tet_contacts* found = &world->overlaps.found;
    if (one->soft || other->soft || one->overlap.mode == SUP_OVERLAP_SPHERES ||
        other->overlap.mode == SUP_OVERLAP_SPHERES ||
        (supi_overlaps_has(one) && supi_overlaps_has(other))) {
        return false;
    }
    if (!has_shape(one) || !has_shape(other)) return false;
    return (first && boxes_are_deep(world->runs + a, world->runs + b)) ||
           supi_tet_contacts_remember(found, a, b) || supi_tet_contacts_remember(found, b, a);
}

/* Couples of those whose spheres may meet. */
static bool find_deep(sup_world* world, bool first) {
    supi_overlaps* all = &world->overlaps;
    const supi_sweep* sweep = &world->contacts.others.grid.sweep;
    all->deep_count = 0;
    if (!first && all->found.memory_count == 0) return true;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        uint64_t couple = sweep->couples[i];
        if (!is_deep(world, (int32_t)(couple >> 32), (int32_t)(uint32_t)couple, first)) continue;
        all->deep = supi_column_reserve(&all->deep_column, world->allocator, all->deep_count + 1,
                                        sizeof *all->deep);
        if (!all->deep) return false;
        all->deep[all->deep_count++] = couple;
    }
    return true;
}

enum { PART_POINTS = 1, PART_HOLDS = 2 };

/* Those whose boxes meet that of a solid. */
static void choose_guests(sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    const supi_sweep* sweep = &world->contacts.others.grid.sweep;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        const uint32_t both[2] = {(uint32_t)(sweep->couples[i] >> 32), (uint32_t)sweep->couples[i]};
        for (int k = 0; k < 2; k++) {
            bool solid = supi_overlaps_has(world->bodies + both[1 - k]);
            if (solid && is_guest(world->bodies + both[k])) all->parts[both[k]] = PART_POINTS;
        }
    }
}

/* Solids, what may be inside of them, and those that are deep in each other without them. */
static bool choose_parts(sup_world* world) {
    supi_overlaps* all = &world->overlaps;
    all->parts = supi_column_reserve(&all->part_column, world->allocator, world->body_count,
                                     sizeof *all->parts);
    all->bodies = supi_column_reserve(&all->body_column, world->allocator, world->body_count,
                                      sizeof *all->bodies);
    if (!all->parts || !all->bodies) return false;
    all->body_count = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        all->parts[i] = supi_overlaps_has(world->bodies + i) ? PART_HOLDS : 0;
    }
    choose_guests(world);
    for (int32_t i = 0; i < all->deep_count; i++) {
        all->parts[all->deep[i] >> 32] = all->parts[(uint32_t)all->deep[i]] = PART_HOLDS;
    }
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (all->parts[i] == 0) continue;
        if (!supi_overlaps_has(body) && !supi_stand_make(world, body)) return false;
        supi_tet_body* to = &all->bodies[all->body_count++];
        *to = supi_overlaps_describe(world, body);
        to->points_only = all->parts[i] == PART_POINTS;
    }
    return true;
}

/* Is there anybody that moves, and could meet a solid, itself or what it is deep in? */
static bool anybody_moves(const sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    if (all->deep_count > 0) return true;
    if (all->solid_count == 0) return false;
    for (int32_t i = 0; i < world->body_count; i++) {
        if (!supi_body_still(world->bodies + i)) return true;
    }
    return false;
}

/* Under the surface of a body its spheres push on inwards. Is one in another with so much of it, or
   of a sheet or a rope so far, that they would hold it there? */
static bool is_under(const supi_overlaps* all, const supi_tet_pair* pair) {
    const supi_tet_body* body = &all->bodies[pair->body];
    const supi_tet_form *in = body->form, *of = all->bodies[pair->other].form;
    float deepest = 0;
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        float depth = all->found.contacts[i].depth;
        deepest = depth > deepest ? depth : deepest;
    }
    if (all->found.contacts[pair->first].flags & SUPI_TET_CARRIED) return true;
    if ((of->stands_in && in->tet_count > 0) || UNDER_PART * pair->count > supi_tet_used(body)) {
        return deepest > UNDER_EDGES * of->edge;
    }
    return in->tet_count == 0 && deepest > UNDER_EDGES_FLAT * of->edge;
}

/* The mean of the ways out of a pair, towards the one of its bodies that comes first. */
static sup_vec3 way_of(const supi_overlaps* all, const supi_tet_pair* pair, float sign) {
    sup_vec3 sum = {0, 0, 0};
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        sum = supi_vec3_along(sum, sign, all->found.contacts[i].normal);
    }
    return sum;
}

static void silence_spheres(sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->found.pair_count; i++) {
        const supi_tet_pair* pair = &all->found.pairs[i];
        int32_t a = all->bodies[pair->body].id, b = all->bodies[pair->other].id;
        int32_t low = a < b ? a : b, high = a < b ? b : a;
        if (is_under(all, pair))
            supi_contacts_silence(&world->contacts, low, high);
        else if (all->bodies[pair->body].form->tet_count == 0)
            supi_contacts_silence_against(&world->contacts, low, high,
                                          way_of(all, pair, a < b ? 1 : -1));
    }
}

typedef struct body_search {
    const supi_tet_body* bodies;
    int32_t id;
} body_search;

static bool body_before(const void* search, int32_t i) {
    const body_search* s = search;
    return s->bodies[i].id < s->id;
}

static const supi_tet_body* find_body(const supi_overlaps* all, int32_t id) {
    const body_search search = {all->bodies, id};
    int32_t i = supi_seek_by(all->body_count, body_before, &search);
    return i < all->body_count && all->bodies[i].id == id ? &all->bodies[i] : NULL;
}

/* Has one a contact that is in the other? */
static bool is_in(const supi_overlaps* all, const supi_tet_body* body, const supi_tet_body* other) {
    const supi_tet_pair back = {.body = (int32_t)(other - all->bodies),
                                .other = (int32_t)(body - all->bodies)};
    return supi_tet_pair_back(all->found.pairs, all->found.pair_count, &back) != NULL;
}

static void set_age(supi_tet_memory* memory, int32_t count, int32_t age) {
    for (int32_t i = 0; i < count; i++) memory[i].age = age;
}

/* One that was carried out of another goes on until their spheres are free of each other, which
   begin before the surface does; then it is set down clear of it, and forgotten in the next
   substep. `memory` is of one couple. */
static void carry_on(sup_world* world, supi_tet_memory* memory, int32_t count, float h) {
    const supi_overlaps* all = &world->overlaps;
    int32_t a = memory->body, b = memory->other, low = a < b ? a : b, high = a < b ? b : a;
    const supi_tet_body *body = find_body(all, a), *other = find_body(all, b);
    if (!body || !other || is_in(all, other, body)) return;
    float deep = supi_contacts_deepest(&world->contacts, low, high);
    float shift = (float)world->bodies[a].overlap.shift;
    sup_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) sum = supi_vec3_along(sum, 1, memory[i].normal);
    bool ends = !(deep > FREE_EDGES * body->form->edge);
    bool moved = ends ? supi_tet_carry_free(body, other, sum, deep)
                      : supi_tet_carry_apart(body, other, sum, deep, shift, h);
    if (!moved) return;
    supi_contacts_silence(&world->contacts, low, high);
    set_age(memory, count, ends ? SUPI_TET_MEMORY - 1 : SUPI_TET_MEMORY);
}

/* Memory of couples that have no contact any more is older than this substep. */
static void carry_all_on(sup_world* world, float h) {
    supi_tet_contacts* found = &world->overlaps.found;
    for (int32_t i = 0; i < found->memory_count;) {
        supi_tet_memory* first = &found->memory[i];
        int32_t count = 0;
        bool carried = true;
        for (; i < found->memory_count; i++, count++) {
            const supi_tet_memory* m = &found->memory[i];
            if (m->body != first->body || m->other != first->other) break;
            carried = carried && m->age > SUPI_TET_MEMORY;
        }
        if (carried) carry_on(world, first, count, h);
    }
}

sup_result supi_overlaps_find(sup_world* world, float h, bool first) {
    supi_overlaps* all = &world->overlaps;
    supi_tet_contacts_clear(&all->found);
    all->body_count = 0;
    if (!find_deep(world, first)) return SUP_NO_MEMORY;
    if (!anybody_moves(world)) {
        supi_tet_contacts_age(&all->found);
        return SUP_OK;
    }
    if (!choose_parts(world)) {
        supi_overlaps_clear(world);
        return SUP_NO_MEMORY;
    }
    supi_tet_rules rules = rules_of(world);
    rules.deep = all->deep;
    rules.deep_count = all->deep_count;
    rules.h = h;
    sup_result result = supi_tet_contacts_find(&all->found, world->allocator, world->tasks,
                                               all->kernels, all->bodies, all->body_count, &rules);
    if (result != SUP_OK) return result;
    if (!find_answers(world)) return SUP_NO_MEMORY;
    silence_spheres(world);
    wake(world);
    supi_tet_carry(all->bodies, all->found.pairs, all->found.pair_count, all->found.contacts,
                   all->answers, h);
    carry_all_on(world, h);
    supi_tet_approach(all->bodies, all->found.contacts, all->found.contact_count);
    float haste = supi_tet_haste(all->bodies, all->found.pairs, all->found.pair_count,
                                 all->found.contacts, h);
    note_haste(all, (double)haste);
    return SUP_OK;
}

void supi_overlaps_penalise(sup_world* world, float h) {
    const supi_overlaps* all = &world->overlaps;
    supi_tet_penalise(all->bodies, all->found.contacts, all->found.contact_count, all->answers, h);
}

void supi_overlaps_sweep(sup_world* world, float h) {
    const supi_overlaps* all = &world->overlaps;
    supi_tet_respond(all->bodies, all->found.contacts, all->found.contact_count, all->answers, h);
}

void supi_overlaps_bounce(sup_world* world, float h, float gravity) {
    const supi_overlaps* all = &world->overlaps;
    supi_tet_bounce(all->bodies, all->found.contacts, all->found.contact_count, all->answers,
                    supi_rub_slow(gravity, h), h);
}

void supi_overlaps_note(sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->found.contact_count; i++) {
        const supi_tet_contact* c = &all->found.contacts[i];
        supi_body_stir(world->bodies + all->bodies[c->body].id);
        supi_body_stir(world->bodies + all->bodies[c->other].id);
    }
    for (int32_t i = 0; i < all->fast.stop_count; i++) {
        supi_body_stir(world->bodies + all->fast.stops[i].a);
        supi_body_stir(world->bodies + all->fast.stops[i].b);
    }
}

/* ---- Between steps ---- */

void supi_overlaps_clear(sup_world* world) {
    supi_tet_contacts_clear(&world->overlaps.found);
    world->overlaps.body_count = world->overlaps.fast.stop_count = 0;
}

void supi_overlaps_forget(sup_world* world, int32_t body, bool gone) {
    supi_tet_contacts* found = &world->overlaps.found;
    int32_t kept = 0;
    for (int32_t i = 0; i < found->memory_count; i++) {
        supi_tet_memory m = found->memory[i];
        if (m.body == body || m.other == body) continue;
        if (gone) {
            m.body -= m.body > body;
            m.other -= m.other > body;
        }
        found->memory[kept++] = m;
    }
    found->memory_count = kept;
}

/* ---- What they did ---- */

int32_t supi_overlaps_couple_count(const sup_world* world) {
    return world->overlaps.found.finder.couple_count;
}

void supi_overlaps_couple(const sup_world* world, int32_t index, int32_t* a, int32_t* b) {
    const supi_overlaps* all = &world->overlaps;
    uint64_t couple = all->found.finder.couples[index];
    *a = all->bodies[couple >> 32].id;
    *b = all->bodies[(uint32_t)couple].id;
}

static int32_t find_couple(const supi_tet_finder* finder, int32_t a, int32_t b) {
    uint64_t key = (uint64_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
    int32_t i = supi_seek(finder->couples, finder->couple_count, key);
    return i < finder->couple_count && finder->couples[i] == key ? i : -1;
}

void supi_overlaps_measure(const sup_world* world, sup_measures* out) {
    const supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->found.contact_count; i++) {
        const supi_tet_contact* c = &all->found.contacts[i];
        if (!((double)supi_tet_left(all->bodies, c) > out->deepest)) continue;
        double deep = (double)supi_tet_deep(all->bodies, c);
        if (deep > out->deepest) out->deepest = deep;
    }
    out->contact_count += all->found.contact_count;
    out->haste = all->haste;
}

int32_t supi_overlaps_stop_count(const sup_world* world) { return world->overlaps.fast.stop_count; }

supi_tet_stop supi_overlaps_stop(const sup_world* world, int32_t index) {
    return world->overlaps.fast.stops[index];
}

int32_t supi_overlaps_count(const sup_world* world) { return world->overlaps.found.contact_count; }

supi_overlap supi_overlaps_get(const sup_world* world, int32_t index, double h) {
    const supi_overlaps* all = &world->overlaps;
    const supi_tet_contact* c = &all->found.contacts[index];
    const supi_tet_body *body = &all->bodies[c->body], *other = &all->bodies[c->other];
    double light = (double)supi_tet_lightness(all->bodies, c);
    double scale = light > 0.0 ? 1.0 / (light * h) : 0.0;
    supi_overlap out = {
        .body = body->id,
        .other = other->id,
        .couple = find_couple(&all->found.finder, c->body, c->other),
        .normal = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z},
        .depth = (double)c->depth,
        .left = (double)supi_tet_left(all->bodies, c),
        .push = scale * (double)c->push,
        .rub = {scale * (double)c->drag.x, scale * (double)c->drag.y, scale * (double)c->drag.z}};
    for (int k = 0; k < c->own_count; k++) {
        const sup_row* x = &body->x[c->rows[k]];
        out.place[0] += (double)c->shares[k] * (body->anchor[0] + (double)x->x);
        out.place[1] += (double)c->shares[k] * (body->anchor[1] + (double)x->y);
        out.place[2] += (double)c->shares[k] * (body->anchor[2] + (double)x->z);
    }
    out.row = world->bodies[body->id].row + c->rows[0];
    out.other_row = world->bodies[other->id].row + nearest_row(c);
    return out;
}
