/* Who meets whom: the contacts of all substeps of a step, summed for each two that met. The lists
   of this step and of the one before lie sorted by key, so that what began and what ended shows by
   merging them. */
#include "world/folds.h"
#include "world/impulse.h"
#include "world/overlaps.h"
#include "world/world.h"

#define GONE UINT64_MAX /* key of a meeting one side of which is no longer there */
#define COLLIDER_BIT (UINT64_C(1) << 31)

const sup_meeting* sup_world_meetings(const sup_world* world, int32_t* count) {
    *count = world->meeting_count;
    return world->meetings;
}

static uint64_t make_key(int32_t body, int32_t other, bool is_collider) {
    return (uint64_t)body << 32 | (is_collider ? COLLIDER_BIT : 0) | (uint64_t)other;
}

/* ---- Two lists ---- */

static void swap_lists(sup_world* world) {
    supi_column meetings = world->meeting_column, keys = world->meeting_key_column;
    int32_t count = world->meeting_count;
    world->meeting_column = world->meeting_before_column;
    world->meeting_key_column = world->meeting_key_before_column;
    world->meeting_count = world->meeting_before_count;
    world->meeting_before_column = meetings;
    world->meeting_key_before_column = keys;
    world->meeting_before_count = count;
    world->meetings = world->meeting_column.items;
    world->meeting_keys = world->meeting_key_column.items;
    world->meetings_before = world->meeting_before_column.items;
    world->meeting_keys_before = world->meeting_key_before_column.items;
}

/* The key under the present indices. These keep the order of creation, so that a sorted list stays
   sorted when something goes. */
static uint64_t find_key(const sup_world* world, const sup_meeting* m) {
    int32_t body = supi_pool_find(&world->body_pool, m->body.slot, m->body.age);
    bool is_collider = m->other.age == 0;
    int32_t other = is_collider
                        ? supi_pool_find(&world->collider_pool, m->collider.slot, m->collider.age)
                        : supi_pool_find(&world->body_pool, m->other.slot, m->other.age);
    return body < 0 || other < 0 ? GONE : make_key(body, other, is_collider);
}

static void mark_touched(sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) world->bodies[i].touched = false;
    for (int32_t i = 0; i < world->meeting_before_count; i++) {
        const sup_meeting* m = world->meetings_before + i;
        if (m->sensor || world->meeting_keys_before[i] == GONE) continue;
        supi_world_body(world, m->body)->touched = true;
        if (m->other.age != 0) supi_world_body(world, m->other)->touched = true;
    }
}

/* What is gone keeps its place, so that a failed step can give the list back as it was. */
void supi_meetings_begin(sup_world* world) {
    swap_lists(world);
    world->meeting_count = 0;
    for (int32_t i = 0; i < world->meeting_before_count; i++) {
        world->meeting_keys_before[i] = find_key(world, world->meetings_before + i);
    }
    mark_touched(world);
}

void supi_meetings_undo(sup_world* world) { swap_lists(world); }

void supi_meetings_forget(sup_world* world) {
    supi_contacts_clear(&world->contacts);
    supi_thin_clear(&world->folds);
    supi_overlaps_clear(world);
}

/* ---- Adding to the list of this step ---- */

static bool reserve(sup_world* world, int64_t need) {
    if (need > INT32_MAX) return false;
    sup_meeting* meetings = supi_column_reserve(&world->meeting_column, world->allocator,
                                                (int32_t)need, sizeof *meetings);
    if (!meetings) return false;
    world->meetings = meetings;
    uint64_t* keys = supi_column_reserve(&world->meeting_key_column, world->allocator,
                                         (int32_t)need, sizeof *keys);
    if (!keys) return false;
    world->meeting_keys = keys;
    return true;
}

static void put(sup_world* world, int32_t at, uint64_t key, const sup_meeting* meeting) {
    world->meetings[at] = *meeting;
    world->meeting_keys[at] = key;
}

static void add_meeting(sup_meeting* sum, const sup_meeting* more) {
    sum->contact_count += more->contact_count;
    sum->normal_impulse += more->normal_impulse;
    sum->friction_impulse += more->friction_impulse;
    for (int k = 0; k < 3; k++) {
        sum->impulse[k] += more->impulse[k];
        sum->moment[k] += more->moment[k];
    }
    if (more->deepest > sum->deepest) sum->deepest = more->deepest;
}

/* Merges the sorted entries first .. first + count - 1 into the list, from the back, so that none
   is overwritten before it has moved. They lie behind the place that the longer list will take. */
static void merge(sup_world* world, int32_t first, int32_t count) {
    const uint64_t* keys = world->meeting_keys;
    int32_t fresh = 0;
    for (int32_t i = 0, at = 0; i < count; i++) {
        while (at < world->meeting_count && keys[at] < keys[first + i]) at++;
        fresh += at == world->meeting_count || keys[at] != keys[first + i];
    }
    int32_t old = world->meeting_count - 1, to = old + fresh;
    world->meeting_count += fresh;
    for (int32_t i = first + count - 1; i >= first; to--) {
        if (old >= 0 && keys[old] > keys[i]) {
            put(world, to, keys[old], world->meetings + old);
            old--;
        } else if (old >= 0 && keys[old] == keys[i]) {
            add_meeting(world->meetings + old, world->meetings + i--);
            put(world, to, keys[old], world->meetings + old);
            old--;
        } else {
            put(world, to, keys[i], world->meetings + i);
            i--;
        }
    }
}

/* Leaves out those without a contact; returns how many stay. */
static int32_t drop_empty(sup_world* world, int32_t first, int32_t count) {
    int32_t kept = first;
    for (int32_t i = first; i < first + count; i++) {
        if (world->meetings[i].contact_count == 0) continue;
        put(world, kept++, world->meeting_keys[i], world->meetings + i);
    }
    return kept - first;
}

/* ---- The contacts of a substep ---- */

static void place_of(const sup_world* world, int32_t run, int32_t row, double place[3]) {
    const double* anchor = world->bodies[run].anchor;
    const sup_row* x = world->now.x + row;
    place[0] = anchor[0] + (double)x->x;
    place[1] = anchor[1] + (double)x->y;
    place[2] = anchor[2] + (double)x->z;
}

/* What the tasks of one gathering share. */
typedef struct gathering {
    sup_world* world;
    int32_t first; /* entry of the first pairing */
    double h;
} gathering;

static void sum_pairing(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const gathering* job = context;
    sup_world* world = job->world;
    const supi_pairing* p = world->contacts.pairings + index;
    sup_meeting sum = {.body = world->bodies[p->run_a].handle,
                       .other = world->bodies[p->run_b].handle};
    bool meets_itself = p->run_a == p->run_b; /* it takes two to meet */
    for (int32_t i = p->first; i < p->first + p->count && !meets_itself; i++) {
        const supi_contact* c = world->contacts.pair_contacts + i;
        if (!supi_impulse_acted(c)) continue;
        supi_impulse impulse = supi_impulse_pair(p, c, world->now.x, job->h);
        double place[3];
        place_of(world, p->run_a, c->a, place);
        supi_impulse_add(&sum, &impulse, place, (double)c->depth);
    }
    put(world, job->first + index, make_key(p->run_a, p->run_b, false), &sum);
}

/* One contact with a collider, which feels the opposite. */
static void sum_touch_contact(sup_world* world, const supi_touch_contact* contact,
                              sup_meeting* sum) {
    const supi_contact* c = &contact->common;
    const supi_touch* touch = world->contacts.touches + c->b;
    supi_impulse impulse = {0};
    double place[3];
    place_of(world, touch->run, c->a, place);
    if (!touch->sensor) {
        impulse = supi_impulse_touch(contact, world->now.x);
        const double back[3] = {-impulse.total[0], -impulse.total[1], -impulse.total[2]};
        supi_collider_push(world->colliders + touch->collider, back, place);
    }
    supi_impulse_add(sum, &impulse, place, (double)c->depth);
}

static void sum_touches(sup_world* world, int32_t first) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->touch_count; i++) {
        const supi_touch* t = met->touches + i;
        sup_meeting empty = {.body = world->bodies[t->run].handle,
                             .collider = world->colliders[t->collider].handle,
                             .sensor = t->sensor};
        put(world, first + i, make_key(t->run, t->collider, true), &empty);
    }
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        const supi_touch_contact* contact = met->touch_contacts + i;
        if (!supi_impulse_acted(&contact->common)) continue;
        sum_touch_contact(world, contact, world->meetings + first + contact->common.b);
    }
}

/* Thin bodies that met each other. */
static void sum_folds(sup_world* world, int32_t first, double h) {
    for (int32_t i = 0; i < supi_folds_couple_count(world); i++) {
        int32_t a, b;
        supi_folds_couple(world, i, &a, &b);
        sup_meeting sum = {.body = world->bodies[a].handle, .other = world->bodies[b].handle};
        supi_folds_meeting(world, i, h, &sum);
        put(world, first + i, make_key(a, b, false), &sum);
    }
}

/* One contact between bodies of tetrahedra, as the lower of the two feels it. */
static void add_overlap(sup_meeting* m, const supi_overlap* o) {
    double sign = o->body < o->other ? 1.0 : -1.0;
    supi_impulse impulse = {.normal = o->push, .friction = {o->rub[0], o->rub[1], o->rub[2]}};
    for (int k = 0; k < 3; k++) impulse.total[k] = sign * (o->push * o->normal[k] + o->rub[k]);
    supi_impulse_add(m, &impulse, o->place, o->depth);
}

/* It takes two to meet. */
static void sum_overlaps(sup_world* world, int32_t first, double h) {
    for (int32_t i = 0; i < supi_overlaps_couple_count(world); i++) {
        int32_t a, b;
        supi_overlaps_couple(world, i, &a, &b);
        sup_meeting sum = {.body = world->bodies[a].handle, .other = world->bodies[b].handle};
        put(world, first + i, make_key(a, b, false), &sum);
    }
    for (int32_t i = 0; i < supi_overlaps_count(world); i++) {
        supi_overlap o = supi_overlaps_get(world, i, h);
        if (o.couple >= 0) add_overlap(world->meetings + first + o.couple, &o);
    }
}

/* What was stopped on its way, which no contact tells of. */
static void sum_stops(sup_world* world, int32_t first) {
    for (int32_t i = 0; i < supi_overlaps_stop_count(world); i++) {
        supi_tet_stop stop = supi_overlaps_stop(world, i);
        const double* push = stop.impulse;
        supi_impulse impulse = {.normal =
                                    sqrt(push[0] * push[0] + push[1] * push[1] + push[2] * push[2]),
                                .total = {push[0], push[1], push[2]}};
        sup_meeting sum = {.body = world->bodies[stop.a].handle,
                           .other = world->bodies[stop.b].handle};
        supi_impulse_add(&sum, &impulse, stop.place, 0.0);
        sum.contact_count = 0; /* of the substep's end */
        put(world, first + i, make_key(stop.a, stop.b, false), &sum);
    }
}

bool supi_meetings_gather(sup_world* world, float h) {
    int32_t pairings = world->contacts.pairing_count, touches = world->contacts.touch_count;
    int32_t folds = supi_folds_couple_count(world), overlaps = supi_overlaps_couple_count(world);
    int32_t stops = supi_overlaps_stop_count(world);
    int64_t found = (int64_t)pairings + touches + folds + overlaps + stops;
    if (!reserve(world, world->meeting_count + 2 * found)) return false;
    for (int32_t i = 0; i < world->meeting_count; i++) world->meetings[i].contact_count = 0;
    int32_t first = world->meeting_count + (int32_t)found;
    gathering job = {world, first, (double)h};
    supi_tasks_run(world->tasks, pairings, sum_pairing, &job);
    sum_touches(world, first + pairings);
    sum_folds(world, first + pairings + touches, (double)h);
    sum_overlaps(world, first + pairings + touches + folds, (double)h);
    sum_stops(world, first + pairings + touches + folds + overlaps);
    const int32_t kinds[] = {pairings, touches, folds, overlaps, stops};
    for (int k = 0; k < 5; first += kinds[k++]) {
        merge(world, first, k < 4 ? drop_empty(world, first, kinds[k]) : stops);
    }
    return true;
}

/* ---- The end of a step ---- */

/* Nobody looked for contacts between two that stood still from the start of the step on: a meeting
   of theirs goes on. */
static bool goes_on(const sup_world* world, uint64_t key) {
    const supi_body* body = world->bodies + (key >> 32);
    if (body->edited || (!body->rest_before.asleep && !body->paused)) return false;
    if (key & COLLIDER_BIT) return !world->solids[(uint32_t)(key & ~COLLIDER_BIT)].shape.moves;
    const supi_body* other = world->bodies + (uint32_t)key;
    return !other->edited && (other->rest_before.asleep || other->paused);
}

static void tell(sup_world* world, const sup_meeting* m, bool begin) {
    sup_event_kind kind = begin ? SUP_EVENT_CONTACT_BEGIN : SUP_EVENT_CONTACT_END;
    if (m->sensor) kind = begin ? SUP_EVENT_SENSOR_BEGIN : SUP_EVENT_SENSOR_END;
    supi_events_add(world, (sup_event){.kind = kind,
                                       .body = m->body,
                                       .other = m->other,
                                       .collider = m->collider,
                                       .value = begin ? m->normal_impulse : 0.0});
}

/* Keeps the meeting of the step before at `at`; a collider goes on to be pushed as it was. */
static void keep(sup_world* world, int32_t before, int32_t at) {
    const sup_meeting* m = world->meetings_before + before;
    uint64_t key = world->meeting_keys_before[before];
    put(world, at, key, m);
    if (!(key & COLLIDER_BIT)) return;
    supi_collider* collider = world->colliders + (uint32_t)(key & ~COLLIDER_BIT);
    const double back[3] = {-m->impulse[0], -m->impulse[1], -m->impulse[2]}, origin[3] = {0, 0, 0};
    supi_collider_push(collider, back, origin);
    for (int k = 0; k < 3; k++) collider->turned[k] -= m->moment[k];
}

/* Tells the differences of the two lists by key. What goes on is copied to `first` on; returns how
   many that are. */
static int32_t compare_lists(sup_world* world, int32_t first) {
    const uint64_t *now = world->meeting_keys, *before = world->meeting_keys_before;
    int32_t kept = 0, i = 0;
    for (int32_t k = 0; k < world->meeting_before_count; k++) {
        if (before[k] == GONE) continue;
        for (; i < world->meeting_count && now[i] < before[k]; i++) {
            tell(world, world->meetings + i, true);
        }
        if (i < world->meeting_count && now[i] == before[k])
            i++;
        else if (goes_on(world, before[k]))
            keep(world, k, first + kept++);
        else
            tell(world, world->meetings_before + k, false);
    }
    for (; i < world->meeting_count; i++) tell(world, world->meetings + i, true);
    return kept;
}

bool supi_meetings_settle(sup_world* world) {
    int64_t before = world->meeting_before_count, most = world->meeting_count + before;
    if (most > INT32_MAX || !reserve(world, most + before) ||
        !supi_events_reserve(world, (int32_t)most)) {
        return false;
    }
    merge(world, (int32_t)most, compare_lists(world, (int32_t)most));
    return true;
}
