/* Sleep: bodies at rest are left alone until something touches them.

   Bodies that meet or are attached form islands, which fall asleep and wake as a whole. The idle
   time of a body is that of its island, the least of all members: who is idle touches nothing that
   still moves. That is why an idle body does not wake a sleeping one that it comes to lie on (it
   finds it immovable and falls asleep beside it), while one that moves does. Otherwise two bodies
   whose contact comes and goes could wake each other for ever. */
#include "geom/union_find.h"
#include "world/oriented.h"
#include "world/springs.h"

#include <string.h>

/* ---- Waking ---- */

void supi_sleep_wake(sup_world* world, supi_body* body) {
    body->rest.idle = 0.0;
    if (!body->rest.asleep) return;
    uint32_t island = body->rest.island;
    /* Nobody of the island comes before the body that it is called after. */
    for (int32_t i = world->body_pool.slots[island].value; i < world->body_count; i++) {
        supi_body* member = world->bodies + i;
        if (!member->rest.asleep || member->rest.island != island) continue;
        member->rest = (supi_rest){.asleep = false};
        member->woke = true;
        member->carried = false;
    }
}

static bool same_body(sup_body a, sup_body b) { return a.slot == b.slot && a.age == b.age; }

void supi_sleep_wake_all(sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) supi_sleep_wake(world, world->bodies + i);
}

void supi_sleep_wake_around(sup_world* world, sup_body body, sup_collider collider) {
    for (int32_t i = 0; i < world->meeting_count; i++) {
        const sup_meeting* m = world->meetings + i;
        bool of_body = body.age != 0 && (same_body(m->body, body) || same_body(m->other, body));
        bool of_collider = collider.age != 0 && m->collider.slot == collider.slot &&
                           m->collider.age == collider.age;
        if (!(of_body || of_collider)) continue;
        supi_body *one = supi_world_body(world, m->body), *other = supi_world_body(world, m->other);
        if (one) supi_sleep_wake(world, one);
        if (other) supi_sleep_wake(world, other);
    }
}

/* ---- What moves bodies from outside ---- */

static bool pins_move(const supi_body* body) {
    int32_t count = body->blueprint->pin_count;
    for (int32_t i = 0; i < count; i++) {
        const sup_point *to = body->pins + i, *from = to + count;
        if (to->x != from->x || to->y != from->y || to->z != from->z) return true;
    }
    return false;
}

static void drive(sup_world* world, sup_body handle) {
    supi_body* body = supi_world_body(world, handle);
    if (body) body->driven = true;
}

/* Bodies that touch a collider that moves. */
static void drive_by_colliders(sup_world* world, const sup_meeting* meetings, int32_t count) {
    for (int32_t i = 0; i < world->collider_count; i++) {
        const supi_collider* c = world->colliders + i;
        if (c->def.sensor || !c->moves) continue;
        for (int32_t k = 0; k < count; k++) {
            const sup_collider* met = &meetings[k].collider;
            bool this_one = met->slot == c->handle.slot && met->age == c->handle.age;
            if (this_one) drive(world, meetings[k].body);
        }
    }
}

static void drive_by_attachments(sup_world* world) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body < 0) continue;
        bool moves = a->moves || (a->collider >= 0 && world->colliders[a->collider].moves);
        if (moves) world->bodies[a->body].driven = true;
    }
}

bool supi_sleep_restless(const supi_body* body) {
    return !body->rest.asleep && !body->paused && body->rest.idle == 0.0;
}

/* An attachment is felt on the other side as a contact is. */
static void wake_attached(sup_world* world) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body < 0 || a->other < 0) continue;
        supi_body *body = world->bodies + a->body, *other = world->bodies + a->other;
        if (supi_sleep_restless(other)) supi_sleep_wake(world, body);
        if (supi_sleep_restless(body)) supi_sleep_wake(world, other);
    }
}

bool supi_sleep_begin(sup_world* world) {
    if (world->body_count > INT32_MAX / 2 ||
        !supi_column_reserve(&world->island_column, world->allocator, 2 * world->body_count,
                             sizeof(int32_t))) {
        return false;
    }
    for (int32_t i = 0; i < world->body_count; i++) {
        world->bodies[i].driven = pins_move(world->bodies + i) ||
                                  supi_oriented_pins_turn(world->bodies + i) ||
                                  supi_springs_blown(world, world->bodies + i) ||
                                  supi_oriented_blown(world, world->bodies + i);
    }
    drive_by_attachments(world);
    drive_by_colliders(world, world->meetings_before, world->meeting_before_count);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (body->driven) supi_sleep_wake(world, body);
    }
    wake_attached(world);
    return true;
}

static bool overlaps(const sup_world* world, const supi_pairing* p) {
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        if (world->contacts.pair_contacts[i].depth > 0) return true;
    }
    return false;
}

/* A sleeping run has touches with colliders that move only. They wake it when they reach it on
   their way; the solver pushes nobody before. */
static void wake_touched(sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        const supi_contact* c = &met->touch_contacts[i].common;
        const supi_touch* touch = met->touches + c->b;
        supi_body* body = world->bodies + touch->run;
        if (body->rest.asleep && !touch->sensor && c->depth + touch->travel > 0) {
            supi_sleep_wake(world, body);
        }
    }
}

/* Who sleeps on is immovable in this substep. */
void supi_sleep_touch(sup_world* world) {
    supi_contacts* met = &world->contacts;
    if (!world->kinds.asleep) return;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* p = met->pairings + i;
        supi_body *a = world->bodies + p->run_a, *b = world->bodies + p->run_b;
        if (a->rest.asleep && supi_sleep_restless(b) && overlaps(world, p))
            supi_sleep_wake(world, a);
        if (b->rest.asleep && supi_sleep_restless(a) && overlaps(world, p))
            supi_sleep_wake(world, b);
    }
    wake_touched(world);
    for (int32_t i = 0; i < met->pairing_count; i++) {
        supi_pairing* p = met->pairings + i;
        p->hold_a = p->hold_a || world->bodies[p->run_a].rest.asleep;
        p->hold_b = p->hold_b || world->bodies[p->run_b].rest.asleep;
    }
}

/* ---- Falling asleep ---- */

/* Vibration in place may be this much faster than motion. */
#define SHAKE 4.0

static double square(double x, double y, double z) { return x * x + y * y + z * z; }

/* How far a cluster has gone and turned in the step, as the way of its outermost particles at most.
 */
static bool cluster_rests(const sup_world* world, int32_t c, double size, double most) {
    const sup_row *to = world->now.centre + c, *from = world->before.centre + c;
    const sup_quat *q = world->now.rotation + c, *p = world->before.rotation + c;
    double way = square((double)to->x - (double)from->x, (double)to->y - (double)from->y,
                        (double)to->z - (double)from->z);
    double sign = (double)(q->x * p->x + q->y * p->y + q->z * p->z + q->w * p->w) < 0 ? -1 : 1;
    double turn = square((double)q->x - sign * (double)p->x, (double)q->y - sign * (double)p->y,
                         (double)q->z - sign * (double)p->z);
    return way < most * most && turn * size * size < most * most;
}

/* Judged by where clusters and particles are at both ends of the step, not by velocities, and of
   the particles by their mean: one that is squeezed between two bodies may be thrown to and fro in
   every substep, and never get anywhere. */
static bool is_slow(const sup_world* world, const supi_body* body, double dt) {
    const sup_blueprint* b = body->blueprint;
    double most = world->def.sleep_speed * b->info.size * dt, sum = 0.0;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        if (!cluster_rests(world, body->cluster + c, b->info.size, most)) return false;
    }
    const sup_row *now = world->now.x + body->row, *before = world->before.x + body->row;
    for (int32_t i = 0; i < b->info.particle_count; i++) {
        sum +=
            square((double)now[i].x - (double)before[i].x, (double)now[i].y - (double)before[i].y,
                   (double)now[i].z - (double)before[i].z);
    }
    return sum < SHAKE * SHAKE * most * most * b->info.particle_count;
}

/* A paused body belongs to no island: it is as a collider for the others. */
static bool takes_part(const supi_body* body) { return !body->paused; }

static bool counts(const supi_body* body) { return takes_part(body) && !body->rest.asleep; }

static void join(sup_world* world, int32_t* parent, int32_t a, int32_t b) {
    if (takes_part(world->bodies + a) && takes_part(world->bodies + b)) {
        supi_union_join(parent, a, b);
    }
}

static void join_islands(sup_world* world, int32_t* parent) {
    for (int32_t i = 0; i < world->body_count; i++) parent[i] = i;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_rest* rest = &world->bodies[i].rest;
        if (rest->asleep) join(world, parent, i, world->body_pool.slots[rest->island].value);
    }
    for (int32_t i = 0; i < world->meeting_count; i++) {
        if (world->meetings[i].other.age == 0) continue;
        uint64_t key = world->meeting_keys[i];
        join(world, parent, (int32_t)(key >> 32), (int32_t)(uint32_t)key);
    }
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body >= 0 && a->other >= 0) join(world, parent, a->body, a->other);
    }
}

/* The member of each island that has rested for the shortest time, by its root; -1: all sleep. */
static void find_restless(const sup_world* world, int32_t* parent, int32_t* least) {
    for (int32_t i = 0; i < world->body_count; i++) least[i] = -1;
    for (int32_t i = 0; i < world->body_count; i++) {
        if (!counts(world->bodies + i)) continue;
        int32_t root = supi_union_root(parent, i), other = least[root];
        if (other < 0 || world->bodies[i].rest.idle < world->bodies[other].rest.idle) {
            least[root] = i;
        }
    }
}

static void fall_asleep(sup_world* world, supi_body* body) {
    for (int32_t i = 0; i < body->blueprint->row_count; i++) {
        sup_row* v = world->now.v + body->row + i;
        *v = (sup_row){0.0f, 0.0f, 0.0f, v->w};
    }
    supi_oriented_stop(world, body);
    supi_body_copy(body, &world->now, &world->before);
    body->carried = body->boxed = false;
    body->rest.asleep = true;
    supi_events_add(world, (sup_event){.kind = SUP_EVENT_BODY_SLEPT, .body = body->handle});
}

static void settle_islands(sup_world* world) {
    int32_t *parent = world->island_column.items, *least = parent + world->body_count;
    join_islands(world, parent);
    find_restless(world, parent, least);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        int32_t root = supi_union_root(parent, i);
        if (!takes_part(body) || least[root] < 0) continue;
        double idle = world->bodies[least[root]].rest.idle;
        bool sleeps = idle >= world->def.sleep_time;
        if (counts(body)) {
            body->rest.idle = idle;
            if (sleeps) fall_asleep(world, body);
        }
        if (sleeps) body->rest.island = world->bodies[root].handle.slot;
    }
}

void supi_sleep_settle(sup_world* world, double dt) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (body->woke && !body->rest.asleep) {
            supi_events_add(world, (sup_event){.kind = SUP_EVENT_BODY_WOKE, .body = body->handle});
        }
        body->woke = false;
    }
    if (!(world->def.sleep_speed > 0)) return;
    drive_by_colliders(world, world->meetings, world->meeting_count);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!counts(body)) continue;
        bool rests = !body->stays_awake && !body->driven && !supi_body_flows(body) &&
                     is_slow(world, body, dt);
        body->rest.idle = rests ? body->rest.idle + dt : 0.0;
    }
    settle_islands(world);
}
