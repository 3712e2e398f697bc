/* Attachments in motion: momentum, following, forces, drags, breaking, chains. */
#include "world/links.h"

/* Momenta of two blocks together, all particles alike. `scales`: the same of all particles without
   their signs, against which floats round. */
static momenta momenta_of_two(const sup_world* world, const sup_body bodies[2], double scales[2]) {
    double mass[2 * BLOCK_COUNT], x[2 * BLOCK_COUNT][3], v[2 * BLOCK_COUNT][3];
    int32_t total = 0;
    for (int b = 0; b < 2; b++) {
        swarm s = read_swarm(world, bodies[b]);
        for (int32_t i = 0; i < s.count; i++, total++) {
            const double place[3] = {s.x[i].x, s.x[i].y, s.x[i].z};
            const double speed[3] = {(double)s.v[i].x, (double)s.v[i].y, (double)s.v[i].z};
            mass[total] = block_mass / BLOCK_COUNT;
            memcpy(x[total], place, sizeof place);
            memcpy(v[total], speed, sizeof speed);
        }
        free_swarm(&s);
    }
    momenta m = measure(total, mass, x, v);
    scales[0] = scales[1] = 0;
    for (int32_t i = 0; i < total; i++) {
        scales[0] += mass[i] * length_of(v[i]);
        scales[1] += mass[i] * length_of(v[i]) * distance_of(x[i], m.centre);
    }
    return m;
}

/* ---- Momentum ---- */

/* Two spinning blocks, corner to corner or apart; 5 s. */
static void check_momentum(const sup_attachment_def* how, double apart) {
    sup_world* world = make_weightless_world();
    sup_blueprint* print = make_block();
    sup_body bodies[2];
    for (int b = 0; b < 2; b++) {
        sup_body_def def = body_at(print, b * (0.4 + apart), b * 0.4, 0);
        def.angular_velocity[0] = b ? -1.0 : 2.0;
        def.angular_velocity[2] = b ? 2.5 : 2.0;
        def.velocity[0] = b ? -0.1 : 0.2;
        def.velocity[2] = b ? -0.9 : 1.0;
        def.material.stiffness = 30; /* a stiffer body rounds more by itself */
        bodies[b] = add_body(world, &def);
    }
    sup_attachment_def def = join(bodies[0], at(2, 2, 1), bodies[1], at(0, 0, 1));
    def.length = how->length;
    def.stiffness = how->stiffness;
    def.damping = how->damping;
    sup_attachment link = attach(world, &def);
    double drift = 0, turn = 0, pull = 0, scales[2], later[2];
    momenta start = momenta_of_two(world, bodies, scales);
    for (int i = 0; i < 300; i++) {
        take_steps(world, 1);
        momenta now = momenta_of_two(world, bodies, later);
        double off = distance_of(now.linear, start.linear) / scales[0];
        double spun = distance_of(now.spin, start.spin) / scales[1];
        double force = force_on(world, link, NULL);
        drift = off > drift ? off : drift;
        turn = spun > turn ? spun : turn;
        pull = force > pull ? force : pull;
    }
    print_message("length %g stiffness %g: linear %.1e angular %.1e, force up to %.0f N\n",
                  how->length, how->stiffness, drift, turn, pull);
    assert_true(pull > 1.0);
    assert_true(drift < 1e-5);
    assert_true(turn < 1e-5);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void momentum_is_kept(void** state) {
    (void)state;
    sup_attachment_def how = sup_attachment_default();
    check_momentum(&how, 0); /* corner on corner */
    how.length = -1;
    check_momentum(&how, 0.3); /* a rod */
    how.stiffness = 300;
    how.damping = 2;
    check_momentum(&how, 0.3); /* a spring with its own length */
    how = sup_attachment_default();
    how.stiffness = 300;
    check_momentum(&how, 0.3); /* a spring without */
}

/* A bead on a spring swings at the right speed and does not tire; damping takes what it should. */
static void springs_swing(void** state) {
    (void)state;
    const double k = 40.0, w = sqrt(40.0), dampings[2] = {0, 0.8};
    for (int d = 0; d < 2; d++) {
        sup_world* world = make_weightless_world();
        sup_blueprint* print = make_bead();
        sup_body_def def = body_at(print, 1, 0, 0);
        sup_body body = add_body(world, &def);
        sup_attachment_def spring = hold(body, 0);
        spring.here = false;
        spring.stiffness = k;
        spring.damping = dampings[d];
        attach(world, &spring);
        double decay = 0.5 * dampings[d], ring = sqrt(w * w - decay * decay), worst = 0;
        for (int i = 1; i <= 300; i++) {
            take_steps(world, 1);
            double t = i * FRAME, place[3];
            double wanted = exp(-decay * t) * (cos(ring * t) + decay / ring * sin(ring * t));
            particle_place(world, body, 0, place);
            worst = fabs(place[0] - wanted) > worst ? fabs(place[0] - wanted) : worst;
        }
        print_message("spring: off by %.4f m\n", worst);
        assert_true(worst < 0.03);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* Springs of every stiffness, many on one particle, stay calm. */
static void many_springs_are_stable(void** state) {
    (void)state;
    sup_blueprint* print = make_bead();
    for (double k = 10; k < 2e9; k *= 3) {
        sup_world* world = make_weightless_world();
        sup_body_def def = body_at(print, 0.1, 0, 0);
        sup_body body = add_body(world, &def);
        for (int i = 0; i < 12; i++) {
            sup_attachment_def spring = hold(body, 0);
            spring.here = false;
            spring.length = i % 2 ? 0.05 : 0;
            spring.point[i % 3] = 0.01 * i;
            spring.stiffness = k < 1e9 ? k : 1e9;
            attach(world, &spring);
        }
        double place[3], worst = 0;
        for (int i = 0; i < 120; i++) {
            take_steps(world, 1);
            particle_place(world, body, 0, place);
            worst = length_of(place) > worst ? length_of(place) : worst;
        }
        assert_true(worst < 0.3);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

/* ---- Following ---- */

/* Where a carrier is that turns and speeds up at 50 m/s^2, then stands. */
static void carrier_pose(double t, double position[3], double rotation[4]) {
    double moved = t < 0.5 ? 25.0 * t * t : 6.25, angle = t < 0.5 ? 4.0 * t * t : 1.0;
    const double p[3] = {moved, 0.4 * moved, 0}, q[4] = {0, sin(angle / 2), 0, cos(angle / 2)};
    memcpy(position, p, sizeof p);
    memcpy(rotation, q, sizeof q);
}

static void colliders_carry(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_body_def def = body_at(print, 0, 0, 0.3);
    sup_body body = add_body(world, &def);
    sup_collider carrier = add_carrier(world);
    const int32_t corners[4] = {at(0, 0, 0), at(2, 0, 0), at(0, 2, 0), at(2, 2, 0)};
    double points[4][3], worst = 0;
    for (int i = 0; i < 4; i++) {
        sup_attachment_def held = hold(body, corners[i]);
        held.collider = carrier;
        attach(world, &held);
        particle_place(world, body, corners[i], points[i]); /* the carrier has no pose yet */
    }
    for (int i = 1; i <= 60; i++) {
        double p[3], q[4];
        carrier_pose(i * FRAME, p, q);
        assert_int_equal(sup_collider_move(world, carrier, p, q, NULL), SUP_OK);
        take_steps(world, 1);
        double s = 2 * q[1] * q[3], c = q[3] * q[3] - q[1] * q[1];
        for (int n = 0; n < 4; n++) {
            double place[3], *l = points[n];
            const double wanted[3] = {p[0] + c * l[0] + s * l[2], p[1] + l[1],
                                      p[2] - s * l[0] + c * l[2]};
            particle_place(world, body, corners[n], place);
            double lag = distance_of(place, wanted);
            worst = lag > worst ? lag : worst;
        }
    }
    print_message("carrier: lag %.1e m\n", worst);
    assert_true(worst < 0.02 * block_step);
    double middle[3], p[3], q[4];
    centre_of(world, body, middle, NULL);
    carrier_pose(1, p, q);
    assert_true(distance_of(middle, p) < 0.5); /* and the rest of the body came along */
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void points_carry(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &def);
    sup_attachment_def held = hold(body, at(1, 2, 1));
    sup_attachment point = attach(world, &held);
    double start[3], worst = 0;
    particle_place(world, body, at(1, 2, 1), start);
    for (int i = 1; i <= 60; i++) {
        double p[3], q[4], place[3];
        carrier_pose(i * FRAME, p, q);
        for (int k = 0; k < 3; k++) p[k] += start[k];
        assert_int_equal(sup_attachment_move(world, point, p, NULL), SUP_OK);
        take_steps(world, 1);
        particle_place(world, body, at(1, 2, 1), place);
        worst = distance_of(place, p) > worst ? distance_of(place, p) : worst;
    }
    assert_true(worst < 0.02 * block_step);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void pins_carry(void** state) {
    (void)state;
    const int32_t pins[2] = {at(0, 2, 0), at(2, 2, 2)};
    sup_vec3 points[BLOCK_COUNT];
    sup_error error = {0};
    sup_blueprint_def print_def = sup_blueprint_default();
    sup_blueprint *pinned = NULL, *print = make_block();
    print_def.point_count = make_lattice(3, 3, 3, (double[3]){0.2, 0.2, 0.2}, points);
    print_def.points = points;
    print_def.pins = pins;
    print_def.pin_count = 2;
    print_def.radius = -1;
    assert_ok(sup_blueprint_create(&print_def, &pinned, &error), error);
    sup_world* world = make_world(NULL);
    sup_body_def def = body_at(pinned, 0, 0, 0), below = body_at(print, 0.4, 0, 0.4);
    sup_body leader = add_body(world, &def), follower = add_body(world, &below);
    sup_attachment_def held = join(follower, at(0, 2, 0), leader, at(2, 2, 2));
    attach(world, &held);
    int32_t ids[2];
    sup_point starts[2];
    sup_blueprint_read_pins(pinned, ids);
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        double p[3];
        particle_place(world, leader, ids[i], p);
        starts[i] = (sup_point){p[0], p[1], p[2]};
    }
    for (int i = 1; i <= 60; i++) {
        double p[3], q[4], place[3], wanted[3];
        sup_point places[2];
        carrier_pose(i * FRAME, p, q);
        for (int n = 0; n < 2; n++) {
            places[n] = (sup_point){starts[n].x + p[0], starts[n].y + p[1], starts[n].z + p[2]};
        }
        assert_int_equal(sup_body_move_pins(world, leader, places, NULL), SUP_OK);
        take_steps(world, 1);
        for (int n = 0; n < 2; n++) {
            particle_place(world, leader, ids[n], place);
            const double pin[3] = {places[n].x, places[n].y, places[n].z};
            worst = distance_of(place, pin) > worst ? distance_of(place, pin) : worst;
        }
        particle_place(world, leader, at(2, 2, 2), wanted);
        particle_place(world, follower, at(0, 2, 0), place);
        worst = distance_of(place, wanted) > worst ? distance_of(place, wanted) : worst;
    }
    assert_true(worst < 0.02 * block_step);
    sup_world_destroy(world);
    sup_blueprint_release(pinned);
    sup_blueprint_release(print);
}

/* ---- Forces ---- */

static void force_is_the_weight(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_attachment links[4];
    sup_body body = hang(world, print, (double[3]){0, 0, 0}, links, NULL);
    double force[3];
    assert_true(force_on(world, links[0], force) == 0);
    take_steps(world, 300);
    double sum = 0, aside = 0;
    for (int i = 0; i < 4; i++) {
        force_on(world, links[i], force);
        sum += force[1];
        aside += force[0] + force[2];
    }
    assert_true(fabs(sum - block_mass * 9.81) < 0.01 * block_mass * 9.81);
    assert_true(fabs(aside) < 0.01 * block_mass * 9.81);
    assert_true(sup_body_is_asleep(world, body)); /* and it still tells what holds it */
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* A carrier feels what it carries, force and moment. */
static void carriers_feel_the_weight(void** state) {
    (void)state;
    sup_world_def settings = sup_world_default();
    settings.sleep_speed = 0;
    sup_world* world = make_world(&settings);
    sup_blueprint* print = make_bead();
    sup_body_def def = body_at(print, 2, 0, 0);
    sup_body body = add_body(world, &def);
    sup_attachment_def held = hold(body, 0);
    held.collider = add_carrier(world);
    attach(world, &held);
    take_steps(world, 10);
    double impulse[3], moment[3];
    assert_int_equal(sup_collider_read_impulse(world, held.collider, impulse, moment), SUP_OK);
    double wanted = -9.81 * FRAME;
    assert_true(fabs(impulse[1] - wanted) < 1e-4 * fabs(wanted));
    assert_true(fabs(moment[2] - 2 * wanted) < 1e-4 * fabs(wanted));
    assert_true(fabs(moment[0]) + fabs(moment[1]) < 1e-6);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void force_limit_holds(void** state) {
    (void)state;
    sup_blueprint* print = make_block();
    double weight = block_mass * 9.81;
    for (int strong = 0; strong < 2; strong++) {
        sup_world* world = make_world(NULL);
        sup_attachment_def how = sup_attachment_default();
        how.force_limit = (strong ? 0.5 : 0.2) * weight; /* each of four */
        sup_attachment links[4];
        sup_body body = hang(world, print, (double[3]){0, 0, 0}, links, &how);
        double early[3] = {0}, late[3], middle[3];
        for (int i = 0; i < 90; i++) {
            if (i == 30) centre_of(world, body, NULL, early);
            take_steps(world, 1);
            for (int n = 0; n < 4; n++) {
                assert_true(force_on(world, links[n], NULL) <= how.force_limit * 1.0001);
            }
        }
        centre_of(world, body, middle, late);
        double sinks = early[1] - late[1];
        /* for the weak, a fifth of the weight is left over */
        assert_true(strong ? fabs(middle[1]) < 0.05 : fabs(sinks / (0.2 * 9.81) - 1) < 0.01);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

static void drags_converge(void** state) {
    (void)state;
    const double stiffness[3] = {50, 500, 5000};
    sup_blueprint* print = make_block();
    for (int i = 0; i < 3; i++) {
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(print, 0, 0, 0);
        sup_body body = add_body(world, &def);
        sup_attachment_def drag = hold(body, at(1, 1, 1));
        drag.here = false;
        drag.point[0] = 1;
        drag.stiffness = stiffness[i];
        drag.damping = 2 * sqrt(stiffness[i] * block_mass);
        sup_attachment link = attach(world, &drag);
        take_steps(world, 480);
        double place[3], wanted[3] = {1, -block_mass * 9.81 / stiffness[i], 0};
        particle_place(world, body, at(1, 1, 1), place);
        print_message("drag %g N/m: off by %.1e m\n", stiffness[i], distance_of(place, wanted));
        assert_true(distance_of(place, wanted) < 0.01 * (1 + fabs(wanted[1])));
        assert_true(fabs(force_on(world, link, NULL) - block_mass * 9.81) < 0.5);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

/* A hard attachment from afar pulls the body in and does not hurl it. */
static void far_ends_come_together(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = make_block();
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &def);
    sup_attachment_def held = hold(body, at(1, 1, 1));
    held.here = false;
    held.point[0] = 3;
    attach(world, &held);
    double top = 0, place[3];
    for (int i = 0; i < 240; i++) {
        take_steps(world, 1);
        double speed = top_speed_of(world, body);
        top = speed > top ? speed : top;
    }
    print_message("from afar: %.1f m/s\n", top);
    assert_true(top < 20.0);
    particle_place(world, body, at(1, 1, 1), place);
    assert_true(distance_of(place, held.point) < 1e-4);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- Breaking ---- */

static void breaks_at_its_force(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = make_block();
    sup_body_def def = body_at(print, 0, 0, 0), below = body_at(print, 0, -0.4, 0);
    def.material.damping = below.material.damping = 1;
    sup_body upper = add_body(world, &def), lower = add_body(world, &below);
    sup_attachment_def top = hold(upper, at(1, 2, 1));
    sup_attachment_def middle = join(lower, at(1, 2, 1), upper, at(1, 0, 1));
    attach(world, &top);
    middle.break_force = 2 * block_mass * 9.81;
    middle.user = 77;
    sup_attachment link = attach(world, &middle);
    const sup_event* broken = NULL;
    double g = 0;
    while (!broken && g < 50) {
        g += 9.81 / 300; /* 10 s to twice the weight */
        assert_int_equal(sup_world_set_gravity(world, (double[3]){0, -g, 0}, NULL), SUP_OK);
        take_steps(world, 1);
        broken = find_event(world, SUP_EVENT_ATTACHMENT_BROKEN);
    }
    assert_non_null(broken);
    print_message("broke at %.3f of 2 g\n", g / 19.62);
    assert_true(fabs(g / 19.62 - 1) < 0.05);
    assert_true(fabs(broken->value / middle.break_force - 1) < 0.05);
    assert_true(broken->value > middle.break_force);
    assert_memory_equal(&broken->attachment, &link, sizeof link);
    assert_memory_equal(&broken->body, &lower, sizeof lower);
    assert_memory_equal(&broken->other, &upper, sizeof upper);
    assert_false(sup_attachment_is_valid(world, link));
    assert_int_equal(sup_world_attachments(world, NULL, 0), 1);
    take_steps(world, 30);
    double place[3];
    centre_of(world, lower, place, NULL);
    assert_true(place[1] < -2.0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Who hangs asleep wakes when what holds it goes, in any way. */
static void loose_ends_wake(void** state) {
    (void)state;
    sup_blueprint* print = make_block();
    for (int way = 0; way < 4; way++) {
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(print, 0, 0, 0), below = body_at(print, 0, -0.4, 0);
        sup_body upper = add_body(world, &def), lower = add_body(world, &below);
        sup_collider carrier = add_carrier(world);
        sup_attachment links[8];
        for (int i = 0; i < 4; i++) {
            sup_attachment_def top = hold(upper, at(i % 2 * 2, 2, i / 2 * 2));
            top.collider = carrier;
            links[i] = attach(world, &top);
            sup_attachment_def middle =
                join(lower, at(i % 2 * 2, 2, i / 2 * 2), upper, at(i % 2 * 2, 0, i / 2 * 2));
            links[4 + i] = attach(world, &middle);
        }
        take_steps(world, 420);
        assert_true(sup_body_is_asleep(world, upper) && sup_body_is_asleep(world, lower));
        double before[3], after[3];
        centre_of(world, lower, before, NULL);
        if (way == 0) {
            for (int i = 4; i < 8; i++) sup_attachment_destroy(world, links[i]);
        } else if (way == 1) {
            assert_int_equal(sup_body_destroy(world, upper), SUP_OK);
        } else if (way == 2) {
            assert_int_equal(sup_collider_destroy(world, carrier), SUP_OK);
        } else {
            const double p[3] = {0, -1, 0}, q[4] = {0, 0, 0, 1};
            assert_int_equal(sup_collider_move(world, carrier, p, q, NULL), SUP_OK);
        }
        bool gone = way == 0 || way == 1;
        assert_int_equal(sup_attachment_is_valid(world, links[4]), !gone);
        assert_int_equal(sup_attachment_is_valid(world, links[0]), way == 0 || way == 3);
        take_steps(world, 30);
        assert_false(sup_body_is_asleep(world, lower));
        centre_of(world, lower, after, NULL);
        assert_true(after[1] < before[1] - 0.3);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

/* ---- Chains and distance ---- */

static void chains_hang(void** state) {
    (void)state;
    enum { LINKS = 10 };
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_body bodies[LINKS];
    for (int i = 0; i < LINKS; i++) {
        sup_body_def def = body_at(print, 0.4 * i, 0, 0); /* begins level, swings down */
        bodies[i] = add_body(world, &def);
        for (int n = 0; n < 4; n++) {
            int32_t left = at(0, n % 2 * 2, n / 2 * 2), right = at(2, n % 2 * 2, n / 2 * 2);
            sup_attachment_def held =
                i ? join(bodies[i], left, bodies[i - 1], right) : hold(bodies[i], left);
            attach(world, &held);
        }
    }
    double low = 0, top = 0;
    for (int i = 0; i < 600; i++) {
        take_steps(world, 1);
        assert_null(find_event(world, SUP_EVENT_BODY_RESTORED));
        double middle[3], speed = top_speed_of(world, bodies[LINKS - 1]);
        centre_of(world, bodies[LINKS - 1], middle, NULL);
        low = middle[1] < low ? middle[1] : low;
        top = speed > top ? speed : top;
    }
    print_message("chain: down to %.2f m, %.1f m/s\n", low, top);
    assert_true(low < -2.0 && low > -6.0);
    assert_true(top < 2 * sqrt(2 * 9.81 * 4));
    for (int i = 1; i < LINKS; i++) {
        double left[3], right[3];
        particle_place(world, bodies[i], at(0, 0, 0), left);
        particle_place(world, bodies[i - 1], at(2, 0, 0), right);
        assert_true(distance_of(left, right) < 1e-5);
    }
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* The same swing at the origin and 10 km from it. */
static void far_away_is_as_near(void** state) {
    (void)state;
    double ends[2][3];
    sup_blueprint* print = make_block();
    for (int far = 0; far < 2; far++) {
        double o = far ? 10240.0 : 0.0;
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(print, o, o, -o), beside = body_at(print, o + 0.4, o, -o);
        sup_body first = add_body(world, &def), second = add_body(world, &beside);
        sup_attachment_def top = hold(first, at(0, 2, 0));
        sup_attachment_def middle = join(second, at(0, 2, 1), first, at(2, 2, 1));
        sup_attachment_def rod = join(second, at(0, 0, 1), first, at(0, 0, 1));
        rod.length = -1;
        attach(world, &top);
        attach(world, &middle);
        attach(world, &rod);
        take_steps(world, 180);
        centre_of(world, second, ends[far], NULL);
        for (int k = 0; k < 3; k++) ends[far][k] -= k == 2 ? -o : o;
        sup_world_destroy(world);
    }
    assert_true(distance_of(ends[0], ends[1]) < 1e-5);
    sup_blueprint_release(print);
}

/* A paused body holds like a wall. */
static void paused_bodies_hold(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_bead();
    sup_body_def def = body_at(print, 0, 0, 0), beside = body_at(print, 1, 0, 0);
    def.velocity[0] = 3;
    sup_body still = add_body(world, &def), swings = add_body(world, &beside);
    sup_attachment_def rod = join(swings, 0, still, 0);
    rod.length = -1;
    attach(world, &rod);
    assert_int_equal(sup_body_set_paused(world, still, true), SUP_OK);
    double worst = 0, low = 0;
    for (int i = 0; i < 120; i++) {
        take_steps(world, 1);
        double a[3], b[3];
        particle_place(world, still, 0, a);
        particle_place(world, swings, 0, b);
        assert_true(length_of(a) == 0);
        double off = fabs(distance_of(a, b) - 1);
        worst = off > worst ? off : worst;
        low = b[1] < low ? b[1] : low;
    }
    assert_true(worst < 1e-4);
    assert_true(low < -0.99);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Two balls half inside each other, held together at one place. */
static double distance_after(bool meet) {
    sup_world* world = make_weightless_world();
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_body_def one = body_at(ball, 0, 0, 0), two = body_at(ball, 0.2, 0, 0);
    sup_attachment_def def = sup_attachment_default();
    def.body = add_body(world, &one);
    def.other = add_body(world, &two);
    def.length = -1;
    def.meet = meet;
    sup_attachment link;
    assert_int_equal(sup_attachment_create(world, &def, &link, NULL), SUP_OK);
    take_steps(world, 60);
    double a[3], b[3];
    centre_of(world, def.body, a, NULL);
    centre_of(world, def.other, b, NULL);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
    return distance_of(a, b);
}

static void attached_bodies_pass_through_each_other(void** state) {
    (void)state;
    assert_near(distance_after(false), 0.2, 1e-3);
    assert_above(distance_after(true), 0.25);
}

/* A ball of 12 kg on a chain of rigid links of 0.6 kg, each held by single particles of a few
 * grams: the whole link answers, and bears it. */
static void rigid_chains_bear_heavy_loads(void** state) {
    (void)state;
    sup_world_def settings = sup_world_default();
    settings.substeps = 8;
    settings.sweeps = 4;
    sup_world* world = make_world(&settings);
    sup_blueprint_def light = sup_blueprint_default(), heavy = light;
    light.mass = 0.6;
    heavy.mass = 12;
    sup_blueprint* link = box_of((double[3]){0.3, 0.1, 0.1}, 5, light);
    sup_blueprint* ball = ball_of(0.3, 3, heavy);
    sup_attachment_def def = sup_attachment_default();
    int32_t count = sup_blueprint_get_info(link).particle_count, left = 0, right = 0;
    sup_vec3* rest = calloc((size_t)count, sizeof *rest);
    sup_blueprint_read_rest(link, rest);
    for (int32_t i = 0; i < count; i++) {
        if (rest[i].x < rest[left].x) left = i;
        if (rest[i].x > rest[right].x) right = i;
    }
    free(rest);
    for (int i = 0; i < 9; i++) {
        sup_body_def at = body_at(i < 8 ? link : ball, 0.2 + 0.34 * i + (i == 8 ? 0.2 : 0), 0, 0);
        at.material.rule = SUP_STIFFNESS_RIGID;
        sup_body next = add_body(world, &at);
        def.other = next;
        def.other_particle = i < 8 ? left : 0;
        def.length = -1;
        if (i > 0) assert_int_equal(sup_attachment_create(world, &def, NULL, NULL), SUP_OK);
        def.body = next;
        def.particle = i < 8 ? right : 0;
        if (i > 0) continue;
        sup_attachment_def hook = def;
        hook.other = (sup_body){0};
        hook.particle = left;
        hook.here = true;
        hook.length = 0;
        assert_int_equal(sup_attachment_create(world, &hook, NULL, NULL), SUP_OK);
    }
    double fastest = 0, longest = 0, hook[3] = {0.05, 0, 0}, ball_at[3];
    for (int i = 0; i < 300; i++) {
        take_steps(world, 1);
        double speed = sup_world_measure(world).top_speed;
        fastest = speed > fastest ? speed : fastest;
        centre_of(world, def.body, ball_at, NULL);
        double away = distance_of(hook, ball_at);
        longest = away > longest ? away : longest;
    }
    print_message("rigid chain: %.1f m/s, %.2f m long\n", fastest, longest);
    assert_below(fastest, 25.0);
    assert_below(longest, 3.6); /* eight links, their threads and the ball */
    sup_world_destroy(world);
    sup_blueprint_release(link);
    sup_blueprint_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(springs_swing),
        cmocka_unit_test(many_springs_are_stable),
        cmocka_unit_test(colliders_carry),
        cmocka_unit_test(points_carry),
        cmocka_unit_test(pins_carry),
        cmocka_unit_test(force_is_the_weight),
        cmocka_unit_test(carriers_feel_the_weight),
        cmocka_unit_test(force_limit_holds),
        cmocka_unit_test(drags_converge),
        cmocka_unit_test(far_ends_come_together),
        cmocka_unit_test(breaks_at_its_force),
        cmocka_unit_test(loose_ends_wake),
        cmocka_unit_test(chains_hang),
        cmocka_unit_test(far_away_is_as_near),
        cmocka_unit_test(paused_bodies_hold),
        cmocka_unit_test(attached_bodies_pass_through_each_other),
        cmocka_unit_test(rigid_chains_bear_heavy_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
