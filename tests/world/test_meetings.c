/* Who meets whom: impulses, the list of contacts, events and their order, filters, sensors. */
#include "allocators.h"
#include "world/overlaps.h"
#include "world/told.h"
#include "world/world.h"

static const sup_body NO_BODY = {0, 0};
static const sup_collider NO_COLLIDER = {0, 0};

static sup_collider floor_of(sup_world* world) {
    sup_collider_def def = sup_collider_default();
    return add_collider(world, &def);
}

static sup_blueprint* small_box(void) {
    return box_of((double[3]){0.4, 0.4, 0.4}, 3, filled(0.14));
}

/* Momentum of a body of equal masses. */
static void momentum_of(const sup_world* world, sup_body body, double p[3]) {
    centre_of(world, body, NULL, p);
    double mass = sup_blueprint_get_info(sup_body_blueprint(world, body)).mass;
    for (int k = 0; k < 3; k++) p[k] *= mass;
}

/* What all meetings gave to a body in the last step. */
static void impulse_on(const sup_world* world, sup_body body, double p[3]) {
    int32_t count;
    const sup_meeting* m = sup_world_meetings(world, &count);
    p[0] = p[1] = p[2] = 0;
    for (int32_t i = 0; i < count; i++) {
        double sign = same_body(m[i].body, body) ? 1 : same_body(m[i].other, body) ? -1 : 0;
        for (int k = 0; k < 3; k++) p[k] += sign * m[i].impulse[k];
    }
}

/* ---- Impulses ---- */

static void floors_carry_the_weight(void** state) {
    (void)state;
    sup_blueprint* box = small_box();
    double weight = 9.81 * sup_blueprint_get_info(box).mass * FRAME;
    sup_world* world = make_world(NULL);
    sup_collider ground = floor_of(world);
    sup_body_def def = body_at(box, 0.3, 0.202, -1.0);
    def.stays_awake = true;
    sup_body body = add_body(world, &def);
    take_steps(world, 180);
    for (int32_t i = 0; i < 30; i++) {
        take_steps(world, 1);
        const sup_meeting* m = find_meeting(world, body, NO_BODY, ground);
        double felt[3], moment[3];
        assert_non_null(m);
        assert_near(m->normal_impulse, weight, 0.01);
        assert_near(m->impulse[1], weight, 0.01);
        assert_below(m->friction_impulse, weight);
        assert_true(m->contact_count > 0 && !m->sensor);
        assert_int_equal(sup_collider_read_impulse(world, ground, felt, moment), SUP_OK);
        for (int k = 0; k < 3; k++) {
            assert_below(fabs(felt[k] + m->impulse[k]), 1e-9 * weight);
            assert_below(fabs(moment[k] + m->moment[k]), 1e-9 * weight);
        }
        /* The weight acts below the middle of the box: r x p with p = (0, -weight, 0). */
        assert_below(fabs(moment[0] - -1.0 * weight), 0.01 * weight);
        assert_below(fabs(moment[2] - -0.3 * weight), 0.01 * weight);
    }
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

static void meetings_account_for_all_momentum(void** state) {
    (void)state;
    enum { BODIES = 3, STEPS = 120 };
    sup_blueprint* ball = ball_of(0.25, 2, filled(0.12));
    double mass = sup_blueprint_get_info(ball).mass, most = 0;
    sup_world* world = make_world(NULL);
    floor_of(world);
    sup_body bodies[BODIES];
    double before[BODIES][3], after[3], gained[3];
    for (int i = 0; i < BODIES; i++) {
        sup_body_def def = body_at(ball, 0.1 * i, 0.3 + 0.55 * i, 0.05 * i);
        def.velocity[1] = -3.0;
        def.angular_velocity[2] = 8.0;
        def.material.restitution = 0.5;
        bodies[i] = add_body(world, &def);
        momentum_of(world, bodies[i], before[i]);
    }
    for (int32_t s = 0; s < STEPS; s++) {
        take_steps(world, 1);
        for (int i = 0; i < BODIES; i++) {
            momentum_of(world, bodies[i], after);
            impulse_on(world, bodies[i], gained);
            for (int k = 0; k < 3; k++) {
                double change = after[k] - before[i][k] + (k == 1 ? mass * 9.81 * FRAME : 0.0);
                assert_below(fabs(change - gained[k]), 2e-4 * mass);
                most = fmax(most, fabs(gained[k]));
                before[i][k] = after[k];
            }
        }
    }
    assert_above(most, 2.0 * mass);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

static void a_paused_body_does_not_give_way(void** state) {
    (void)state;
    sup_blueprint* ball = ball_of(0.25, 2, filled(0.12));
    double mass = sup_blueprint_get_info(ball).mass, before[3], after[3];
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(ball, 0, 0, 0);
    sup_body wall = add_body(world, &def);
    assert_int_equal(sup_body_set_paused(world, wall, true), SUP_OK);
    def = body_at(ball, 0, 0.6, 0);
    def.velocity[1] = -3.0;
    sup_body flyer = add_body(world, &def);
    momentum_of(world, flyer, before);
    for (int i = 0; i < 60; i++) {
        take_steps(world, 1);
        const sup_meeting* m = find_meeting(world, wall, flyer, NO_COLLIDER);
        momentum_of(world, flyer, after);
        double gained = m ? -m->impulse[1] : 0;
        assert_below(fabs(after[1] - before[1] - gained), 2e-4 * mass);
        before[1] = after[1];
    }
    assert_above(after[1], -0.5 * mass);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

/* ---- The list of contacts ---- */

enum { PILE = 8, CONTACTS_MOST = 4096 };

static sup_world* make_pile(sup_blueprint* box, sup_blueprint* ball, int32_t substeps,
                            int32_t threads) {
    sup_world_def def = sup_world_default();
    def.substeps = substeps;
    def.threads = threads;
    sup_world* world = make_world(&def);
    sup_collider_def hill = sup_collider_default();
    floor_of(world);
    hill.kind = SUP_COLLIDER_SPHERE;
    add_collider(world, &hill);
    for (int i = 0; i < PILE; i++) {
        sup_body_def body =
            body_at(i % 2 ? ball : box, 0.31 * (i % 3), 0.8 + 0.3 * i, 0.1 * (i % 2));
        body.angular_velocity[i % 3] = 3.0;
        add_body(world, &body);
    }
    return world;
}

static double dot_of(const double a[3], const float n[3]) {
    return a[0] * (double)n[0] + a[1] * (double)n[1] + a[2] * (double)n[2];
}

static double radius_of(const sup_world* world, sup_body body) {
    return sup_blueprint_get_info(sup_body_blueprint(world, body)).radius;
}

/* The contact lies between the particle and what it touches. */
static void check_point(const sup_world* world, const sup_contact* c) {
    assert_near(
        dot_of((double[3]){(double)c->normal[0], (double)c->normal[1], (double)c->normal[2]},
               c->normal),
        1.0, 1e-5);
    swarm s = read_swarm(world, c->body);
    assert_true(c->particle >= 0 && c->particle < s.count);
    const sup_point* x = s.x + c->particle;
    double back[3] = {x->x - c->point[0], x->y - c->point[1], x->z - c->point[2]};
    free_swarm(&s);
    if (c->other_particle < 0) {
        assert_near(dot_of(back, c->normal), 0.001, 1e-3); /* half the thickness */
        return;
    }
    s = read_swarm(world, c->other);
    x = s.x + c->other_particle;
    double on[3] = {c->point[0] - x->x, c->point[1] - x->y, c->point[2] - x->z};
    free_swarm(&s);
    double ra = radius_of(world, c->body), rb = radius_of(world, c->other);
    double gap = dot_of(back, c->normal) - ra, other_gap = dot_of(on, c->normal) - rb;
    assert_below(fabs(gap - other_gap), 1e-5);
    assert_below(fabs(gap), ra + rb);
}

/* Were the two stopped on their way? Such impulses are of no contact. */
static bool was_stopped(const sup_world* world, const sup_meeting* m) {
    for (int32_t i = 0; i < supi_overlaps_stop_count(world); i++) {
        supi_tet_stop stop = supi_overlaps_stop(world, i);
        sup_body a = world->bodies[stop.a].handle, b = world->bodies[stop.b].handle;
        if (same_body(a, m->body) && same_body(b, m->other)) return true;
        if (same_body(b, m->body) && same_body(a, m->other)) return true;
    }
    return false;
}

/* Walks contacts and meetings side by side; returns how many contacts with bodies there are. */
static int32_t compare_lists(const sup_world* world, bool one_substep) {
    static sup_contact contacts[CONTACTS_MOST];
    int32_t count, at = 0, pairs = 0;
    int32_t total = sup_world_contacts(world, contacts, CONTACTS_MOST);
    assert_true(total <= CONTACTS_MOST);
    const sup_meeting* m = sup_world_meetings(world, &count);
    for (int32_t i = 0; i < count; i++) {
        double normal = 0, sum[3] = {0, 0, 0};
        for (int32_t k = 0; k < m[i].contact_count; k++, at++) {
            assert_true(at < total);
            const sup_contact* c = contacts + at;
            assert_true(same_body(c->body, m[i].body) && same_body(c->other, m[i].other));
            assert_true(c->collider.slot == m[i].collider.slot);
            assert_true(c->depth > 0 || c->normal_impulse > 0);
            assert_true((double)c->depth <= m[i].deepest);
            check_point(world, c);
            pairs += c->other_particle >= 0;
            normal += (double)c->normal_impulse;
            for (int j = 0; j < 3; j++) {
                sum[j] += (double)(c->normal_impulse * c->normal[j] + c->friction_impulse[j]);
            }
        }
        if (!one_substep || was_stopped(world, &m[i])) continue;
        assert_below(fabs(normal - m[i].normal_impulse), 1e-4 * (1 + normal));
        assert_below(distance_of(sum, m[i].impulse), 1e-4 * (1 + normal));
    }
    assert_int_equal(at, total);
    return pairs;
}

static void contacts_agree_with_meetings(void** state) {
    (void)state;
    sup_blueprint *box = small_box(), *ball = ball_of(0.2, 2, filled(0.1));
    for (int substeps = 1; substeps <= 4; substeps += 3) {
        sup_world* world = make_pile(box, ball, substeps, 1);
        int32_t pairs = 0;
        for (int i = 0; i < 60; i++) {
            take_steps(world, 1);
            pairs += compare_lists(world, substeps == 1);
        }
        assert_true(pairs > 100);
        sup_contact one, guard = {.particle = 77};
        sup_contact few[2] = {guard, guard};
        int32_t total = sup_world_contacts(world, NULL, 0);
        assert_true(total > 2);
        assert_int_equal(sup_world_contacts(world, few, 1), total);
        assert_int_equal(sup_world_contacts(world, &one, 1), total);
        assert_int_equal(few[0].particle, one.particle);
        assert_int_equal(few[1].particle, 77);
        sup_world_destroy(world);
    }
    sup_blueprint_release(box);
    sup_blueprint_release(ball);
}

static void workers_do_not_change_meetings(void** state) {
    (void)state;
    sup_blueprint *box = small_box(), *ball = ball_of(0.2, 2, filled(0.1));
    sup_world* one = make_pile(box, ball, 4, 1);
    sup_world* three = make_pile(box, ball, 4, 3);
    for (int i = 0; i < 90; i++) {
        take_steps(one, 1);
        take_steps(three, 1);
        assert_true(sup_world_hash(one) == sup_world_hash(three));
        int32_t count, others;
        const sup_meeting *a = sup_world_meetings(one, &count),
                          *b = sup_world_meetings(three, &others);
        assert_int_equal(count, others);
        for (int32_t k = 0; k < count; k++) {
            assert_true(same_body(a[k].body, b[k].body) && same_body(a[k].other, b[k].other));
            assert_int_equal(a[k].contact_count, b[k].contact_count);
            assert_memory_equal(a[k].impulse, b[k].impulse, sizeof a[k].impulse);
            assert_memory_equal(a[k].moment, b[k].moment, sizeof a[k].moment);
        }
    }
    sup_world_destroy(one);
    sup_world_destroy(three);
    sup_blueprint_release(box);
    sup_blueprint_release(ball);
}

/* ---- Events ---- */

static void every_bounce_begins_and_ends_once(void** state) {
    (void)state;
    static told t;
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_world* world = make_telling_world(&t);
    sup_collider ground = floor_of(world);
    sup_body_def def = body_at(ball, 0, 1.2, 0);
    def.material.restitution = 0.9;
    def.material.stiffness = 400;
    sup_body body = add_body(world, &def);
    int32_t bounces = 0;
    double before = 0;
    for (int i = 0; i < 100; i++) {
        double v[3];
        take_steps(world, 1);
        centre_of(world, body, NULL, v);
        bounces += before < 0 && v[1] > 0;
        before = v[1];
    }
    assert_int_equal(bounces, 3);
    int32_t begins = told_count(&t, SUP_EVENT_CONTACT_BEGIN, body);
    int32_t ends = told_count(&t, SUP_EVENT_CONTACT_END, body);
    assert_int_equal(begins, bounces);
    assert_true(ends == begins || ends == begins - 1);
    bool touching = false;
    for (int32_t i = 0; i < t.count; i++) {
        const sup_event* e = t.events + i;
        if (e->kind != SUP_EVENT_CONTACT_BEGIN && e->kind != SUP_EVENT_CONTACT_END) continue;
        assert_int_equal(e->kind == SUP_EVENT_CONTACT_BEGIN, !touching);
        assert_true(e->collider.slot == ground.slot && e->other.age == 0 && e->attachment.age == 0);
        if (!touching) assert_above(e->value, 0.0);
        touching = !touching;
    }
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

/* A ball falls through a box; where it is after each step must not depend on it. */
static void fall(sup_blueprint* ball, bool with_sensor, told* t, double heights[90]) {
    sup_world* world = make_telling_world(t);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_BOX;
    def.sensor = true;
    sup_collider sensor = with_sensor ? add_collider(world, &def) : NO_COLLIDER;
    sup_body_def body = body_at(ball, 0, 2, 0);
    sup_body faller = add_body(world, &body);
    for (int i = 0; i < 90; i++) {
        double x[3];
        take_steps(world, 1);
        centre_of(world, faller, x, NULL);
        heights[i] = x[1];
        const sup_meeting* m = find_meeting(world, faller, NO_BODY, sensor);
        double off = fabs(x[1]);
        if (with_sensor && off < 0.4) assert_non_null(m);
        if (off > 0.9) assert_null(m);
        if (m) assert_true(m->sensor && m->normal_impulse == 0 && m->deepest > 0);
        assert_int_equal(sup_world_contacts(world, NULL, 0), 0);
    }
    sup_world_destroy(world);
}

static void sensors_only_tell(void** state) {
    (void)state;
    static told t;
    double free_fall[90], through[90];
    sup_blueprint* ball = ball_of(0.2, 1, filled(0.1));
    fall(ball, false, &t, free_fall);
    assert_int_equal(t.count, 0);
    fall(ball, true, &t, through);
    assert_memory_equal(free_fall, through, sizeof through);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.events[0].kind, SUP_EVENT_SENSOR_BEGIN);
    assert_int_equal(t.events[1].kind, SUP_EVENT_SENSOR_END);
    assert_true(t.events[1].collider.age != 0 && t.events[1].other.age == 0);
    sup_blueprint_release(ball);
}

/* Bodies first in their order, then contacts, then attachments. */
static void events_come_in_order(void** state) {
    (void)state;
    enum { BODIES = 4 };
    static told t;
    sup_blueprint* box = small_box();
    sup_world* world = make_telling_world(&t);
    floor_of(world);
    sup_body bodies[BODIES];
    for (int i = 0; i < BODIES; i++) {
        sup_body_def def = body_at(box, 0.6 * i, 0.21, 0);
        def.material.stiffness = 2000;
        def.velocity[1] = -1.0;
        bodies[i] = add_body(world, &def);
    }
    for (int i = BODIES - 1; i >= 0; i--) {
        sup_attachment_def def = sup_attachment_default();
        def.body = bodies[i];
        def.point[0] = 0.6 * i;
        def.point[1] = 50.0;
        def.stiffness = 0.1;
        def.break_force = 1e-3;
        assert_int_equal(sup_attachment_create(world, &def, NULL, NULL), SUP_OK);
    }
    take_steps(world, 1);
    assert_int_equal(t.count, 3 * BODIES);
    const sup_event_kind kinds[] = {SUP_EVENT_STIFFNESS_SATURATED, SUP_EVENT_CONTACT_BEGIN,
                                    SUP_EVENT_ATTACHMENT_BROKEN};
    for (int i = 0; i < 3 * BODIES; i++) {
        int which = i < 2 * BODIES ? i % BODIES : BODIES - 1 - i % BODIES;
        assert_int_equal(t.events[i].kind, kinds[i / BODIES]);
        assert_true(same_body(t.events[i].body, bodies[which]));
    }
    int32_t count;
    const sup_event* kept = sup_world_events(world, &count);
    assert_int_equal(count, t.count);
    assert_memory_equal(kept, t.events, (size_t)count * sizeof *kept);
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

/* ---- Changing the world from inside a callback ---- */

typedef struct meddler {
    sup_blueprint* box;
    sup_body doomed[2], made;
    sup_collider ground;
    int32_t told, destroyed;
} meddler;

/* Destroys all at the first event; they are there until the last one is told. */
static void meddle(void* user, sup_world* world, const sup_event* event) {
    meddler* m = user;
    assert_int_equal(sup_world_step(world, FRAME), SUP_BUSY);
    if (event->kind != SUP_EVENT_CONTACT_BEGIN) return;
    if (m->told++ == 0) {
        for (int i = 0; i < 2; i++) {
            m->destroyed += sup_body_destroy(world, m->doomed[i]) == SUP_OK;
            assert_int_equal(sup_body_destroy(world, m->doomed[i]), SUP_STALE);
        }
        m->destroyed += sup_collider_destroy(world, m->ground) == SUP_OK;
        sup_body_def def = body_at(m->box, 0, 5, 0);
        m->made = add_body(world, &def);
    }
    for (int i = 0; i < 2; i++) assert_true(sup_body_is_valid(world, m->doomed[i]));
    assert_true(sup_collider_is_valid(world, m->ground));
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(world, event->body, low, high), SUP_OK);
}

static void callbacks_may_change_the_world(void** state) {
    (void)state;
    meddler m = {.box = small_box()};
    sup_world_def def = sup_world_default();
    def.on_event = meddle;
    def.user = &m;
    sup_world* world = make_world(&def);
    m.ground = floor_of(world);
    sup_body bodies[3];
    for (int i = 0; i < 3; i++) {
        sup_body_def body = body_at(m.box, 0.6 * i, 0.21, 0);
        body.velocity[1] = -1.0;
        bodies[i] = add_body(world, &body);
    }
    m.doomed[0] = bodies[0];
    m.doomed[1] = bodies[1];
    take_steps(world, 1);
    assert_int_equal(m.told, 3);
    assert_int_equal(m.destroyed, 3);
    assert_false(sup_body_is_valid(world, bodies[0]) || sup_body_is_valid(world, bodies[1]));
    assert_false(sup_collider_is_valid(world, m.ground));
    assert_true(sup_body_is_valid(world, bodies[2]) && sup_body_is_valid(world, m.made));
    assert_int_equal(sup_world_bodies(world, NULL, 0), 2);
    take_steps(world, 60);
    double x[3];
    centre_of(world, bodies[2], x, NULL);
    assert_below(x[1], -3.0);
    sup_world_destroy(world);
    sup_blueprint_release(m.box);
}

static void what_is_destroyed_ends_without_an_event(void** state) {
    (void)state;
    static told t;
    sup_blueprint* box = small_box();
    sup_world* world = make_telling_world(&t);
    floor_of(world);
    sup_body bodies[3];
    for (int i = 0; i < 3; i++) {
        sup_body_def def = body_at(box, 0, 0.201 + 0.5 * i, 0);
        def.stays_awake = true;
        bodies[i] = add_body(world, &def);
    }
    take_steps(world, 120);
    t.count = 0;
    assert_non_null(find_meeting(world, bodies[1], bodies[2], NO_COLLIDER));
    assert_int_equal(sup_body_destroy(world, bodies[0]), SUP_OK);
    take_steps(world, 1);
    /* The others are still the same two, under other indices. */
    assert_int_equal(told_count(&t, SUP_EVENT_CONTACT_BEGIN, NO_BODY), 0);
    assert_int_equal(told_count(&t, SUP_EVENT_CONTACT_END, NO_BODY), 0);
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

/* ---- Filters ---- */

static void filters_decide_who_meets(void** state) {
    (void)state;
    sup_blueprint* ball = ball_of(0.2, 1, filled(0.1));
    sup_world* world = make_world(NULL);
    sup_collider ground = floor_of(world);
    const sup_filter filters[3] = {{1, 3}, {2, 2}, {4, 1}};
    sup_body bodies[3];
    for (int i = 0; i < 3; i++) {
        sup_body_def def = body_at(ball, 0, 0.3 + 0.6 * i, 0);
        def.filter = filters[i];
        bodies[i] = add_body(world, &def);
    }
    /* 0 and 1: the mask of 1 lacks 1. 1 and 2: neither. 0 and 2: the mask of 0 lacks 4. Floor: 0
     * and 2 only. */
    double x[3];
    for (int i = 0; i < 120; i++) {
        int32_t count;
        take_steps(world, 1);
        const sup_meeting* m = sup_world_meetings(world, &count);
        for (int32_t k = 0; k < count; k++) {
            assert_true(m[k].other.age == 0 && !same_body(m[k].body, bodies[1]));
        }
    }
    centre_of(world, bodies[1], x, NULL);
    assert_below(x[1], -5.0);
    for (int i = 0; i < 3; i += 2) {
        centre_of(world, bodies[i], x, NULL);
        assert_above(x[1], 0.1);
    }
    /* A filter that changes is heard by those who sleep. */
    take_steps(world, 120);
    assert_true(sup_body_is_asleep(world, bodies[0]));
    assert_int_equal(sup_collider_set_filter(world, ground, (sup_filter){2, 4}), SUP_OK);
    take_steps(world, 60);
    centre_of(world, bodies[0], x, NULL);
    assert_below(x[1], -2.0);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

/* ---- Memory ---- */

static void meetings_survive_a_failed_step(void** state) {
    (void)state;
    enum { MOST = 64 };
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_blueprint* box = small_box();
    sup_world* world = make_world(&def);
    floor_of(world);
    for (int i = 0; i < 6; i++) {
        sup_body_def body = body_at(box, 0.2 * (i % 2), 0.21 + 0.42 * i, 0);
        add_body(world, &body);
    }
    int32_t failures = 0;
    for (int i = 0; i < 60; i++) {
        sup_meeting copy[MOST];
        int32_t count, again;
        const sup_meeting* m = sup_world_meetings(world, &count);
        assert_true(count <= MOST);
        if (count > 0) memcpy(copy, m, (size_t)count * sizeof *m);
        uint64_t hash = sup_world_hash(world);
        for (int n = 1;; n++) {
            test_allocator_arm(&counter, n, false);
            sup_result result = sup_world_step(world, FRAME);
            test_allocator_arm(&counter, 0, false);
            if (result == SUP_OK) break;
            failures++;
            assert_int_equal(result, SUP_NO_MEMORY);
            assert_true(sup_world_hash(world) == hash);
            m = sup_world_meetings(world, &again);
            assert_int_equal(again, count);
            if (count > 0) assert_memory_equal(copy, m, (size_t)count * sizeof *m);
        }
    }
    assert_true(failures > 10);
    take_steps(world, 120);
    test_allocator_arm(&counter, 0, false);
    take_steps(world, 30);
    assert_int_equal(counter.calls, 0);
    sup_world_destroy(world);
    assert_int_equal(counter.blocks, 0);
    sup_blueprint_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_carry_the_weight),
        cmocka_unit_test(meetings_account_for_all_momentum),
        cmocka_unit_test(a_paused_body_does_not_give_way),
        cmocka_unit_test(contacts_agree_with_meetings),
        cmocka_unit_test(workers_do_not_change_meetings),
        cmocka_unit_test(every_bounce_begins_and_ends_once),
        cmocka_unit_test(sensors_only_tell),
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(callbacks_may_change_the_world),
        cmocka_unit_test(what_is_destroyed_ends_without_an_event),
        cmocka_unit_test(filters_decide_who_meets),
        cmocka_unit_test(meetings_survive_a_failed_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
