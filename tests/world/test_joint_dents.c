/* Parts on joints take dents: the joints hold, nothing gains energy, and hinges still turn. */
#include "world/oriented.h"

#include "../../src/world/oriented.h"
#include "solve/turns.h"
#include "supple/snapshot.h"

enum { MOST = 128 };

/* What a jointed body is made of. */
typedef struct machine {
    sup_vec3 points[MOST];
    float masses[MOST];
    sup_link links[8 * MOST];
    int32_t members[2 * MOST], starts[4];
    int32_t count, link_count, part_count, member_count;
} machine;

static int32_t add_point(machine* m, double x, double y, double z, double mass) {
    m->points[m->count] = (sup_vec3){(float)x, (float)y, (float)z};
    m->masses[m->count] = (float)mass;
    return m->count++;
}

static double apart(const machine* m, int32_t a, int32_t b) {
    const sup_vec3 *p = m->points + a, *q = m->points + b;
    return length_of(
        (double[3]){(double)(p->x - q->x), (double)(p->y - q->y), (double)(p->z - q->z)});
}

/* A part of particles first .. end-1, linked as far as `reach`, and of two joints (-1: none),
   linked to all around them. */
static void add_part(machine* m, int32_t first, int32_t end, const int32_t joints[2],
                     double reach) {
    int32_t begin = m->member_count;
    for (int32_t i = first; i < end; i++) m->members[m->member_count++] = i;
    for (int k = 0; k < 2; k++) {
        if (joints[k] >= 0) m->members[m->member_count++] = joints[k];
    }
    m->starts[++m->part_count] = m->member_count;
    for (int32_t i = begin; i < m->member_count; i++) {
        for (int32_t k = begin; k < i; k++) {
            int32_t a = m->members[i], b = m->members[k];
            bool joint = a == joints[0] || a == joints[1];
            if (joint && (b == joints[0] || b == joints[1])) continue;
            if (apart(m, a, b) > (joint ? 0.85 : reach)) continue;
            m->links[m->link_count++] =
                (sup_link){.a = a, .b = b, .length = -1, .compliance = 1e-6f, .torsion = -1};
        }
    }
}

/* The car of the specification: 40 balls, half a metre apart. */
static void add_car(machine* m) {
    for (int z = 0; z < 4; z++) {
        for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 5; x++) add_point(m, 0.5 * x, 0.5 * y, 0.5 * z, 25.0);
        }
    }
}

/* A car that draws another by a ball. */
static void make_trailer(machine* m) {
    add_car(m);
    int32_t ball = add_point(m, -0.5, 0.25, 0.75, 5.0), first = m->count;
    for (int i = 0; i < 12; i++) {
        add_point(m, -1.0 - 0.5 * (i % 3), 0.5 * (i / 3 % 2), 0.5 + 0.5 * (i / 6), 25.0);
    }
    add_part(m, 0, 40, (int32_t[2]){ball, -1}, 0.51);
    add_part(m, first, first + 12, (int32_t[2]){ball, -1}, 0.51);
}

/* A car with a wheel, which is in front: the axle is along z. */
static void make_wheeled(machine* m) {
    add_car(m);
    int32_t axle[2], first;
    for (int k = 0; k < 2; k++) axle[k] = add_point(m, 1.75, 0.0, -0.3 - 0.5 * k, 5.0);
    first = m->count;
    for (int i = 0; i < 16; i++) {
        double angle = 0.7853981633974483 * i;
        add_point(m, 1.75 + 0.45 * cos(angle), 0.45 * sin(angle), i < 8 ? -0.4 : -0.7, 5.0);
    }
    add_part(m, 0, 40, axle, 0.51);
    add_part(m, first, first + 16, axle, 0.51);
}

/* plastics: of each part, may be NULL. */
static sup_body add_machine_of(sup_world* world, void (*make)(machine*),
                               const sup_rig_plastic* plastics, const sup_body_def* how) {
    machine m = {0};
    make(&m);
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print;
    sup_error error;
    def.points = m.points;
    def.point_count = m.count;
    def.masses = m.masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.radius = 0.2;
    def.links = m.links;
    def.link_count = m.link_count;
    def.part_count = m.part_count;
    def.part_starts = m.starts;
    def.part_members = m.members;
    def.parts_yield = true;
    def.part_plastics = plastics;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return add_oriented(world, print, how);
}

static sup_body add_machine(sup_world* world, void (*make)(machine*), const sup_body_def* how) {
    return add_machine_of(world, make, NULL, how);
}

static sup_body_def crash_at(double speed) {
    sup_body_def def = sup_body_default();
    def.velocity[0] = speed;
    def.frames.plastic.speed = 5.0;
    def.frames.damping = def.frames.turn_damping = 0.0;
    def.frames.meets_itself = false; /* a wheel in a dented arch is pressed out of shape by it */
    return def;
}

/* Nothing but a wall, 3.5 m ahead along x. */
static sup_world* make_crash(void) {
    sup_world_def space = sup_world_default();
    sup_world* world;
    sup_error error;
    sup_collider_def wall = sup_collider_default();
    space.substeps = 8;
    space.sleep_speed = 0.0;
    space.gravity[1] = 0.0;
    assert_ok(sup_world_create(&space, &world, &error), error);
    wall.position[0] = 3.5;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5);
    add_collider(world, &wall);
    return world;
}

static double energy_of(const sup_world* world, sup_body body) {
    sup_measures m;
    assert_int_equal(sup_body_measure(world, body, &m), SUP_OK);
    return m.kinetic;
}

static double between(const sup_row* a, const sup_row* b) {
    return length_of(
        (double[3]){(double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)});
}

static double between_offsets(const sup_vec3* a, const sup_vec3* b) {
    return length_of(
        (double[3]){(double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)});
}

/* m: how far joints are from where their parts have them, at most: distances to the others of each
   part. And the largest dent: how those of `first` have changed. */
static double gap_of(const sup_world* world, sup_body handle, const sup_vec3* offsets) {
    const supi_body* body = supi_world_body((sup_world*)world, handle);
    const supi_frame_net* net = &body->blueprint->frames;
    const sup_row* x = world->now.x + body->row;
    double worst = 0.0;
    for (int32_t p = 0; p < net->part_count; p++) {
        for (int32_t i = net->part_starts[p]; i < net->part_starts[p + 1]; i++) {
            for (int32_t k = net->part_starts[p]; k < i; k++) {
                double is = between(x + net->part_members[i], x + net->part_members[k]);
                worst = fmax(worst, fabs(is - between_offsets(offsets + i, offsets + k)));
            }
        }
    }
    return worst;
}

static double joint_gap(const sup_world* world, sup_body handle) {
    return gap_of(world, handle,
                  supi_world_body((sup_world*)world, handle)->oriented->parts->offset);
}

static double dent_of(const sup_world* world, sup_body handle) {
    return gap_of(world, handle,
                  supi_world_body((sup_world*)world, handle)->blueprint->frames.rest.offset);
}

/* Steps, none of which leaves more energy than there was. */
static void take_tame_steps(sup_world* world, sup_body body, int count, double most) {
    for (int i = 0; i < count; i++) {
        take_steps(world, 1);
        double now = energy_of(world, body);
        if (!(now < 1.0001 * most)) fail_msg("step %d: %g J of %g", i, now, most);
    }
}

static bool is_any_soft(const sup_world* world, sup_body handle) {
    const supi_body* body = supi_world_body((sup_world*)world, handle);
    bool soft = false;
    for (int32_t p = 0; p < body->blueprint->frames.part_count; p++) {
        soft = soft || body->oriented->parts->phase[p] != SUPI_PART_RIGID;
    }
    return soft;
}

#define SIZE 2.55 /* m, of the car */

static void crash(void (*make)(machine*)) {
    sup_world* world = make_crash();
    sup_body_def def = crash_at(10.0);
    sup_body body = add_machine(world, make, &def);
    double start = energy_of(world, body);
    take_tame_steps(world, body, 60, start);
    assert_false(is_any_soft(world, body));
    assert_true(dent_of(world, body) > 0.05 * SIZE);
    for (int i = 0; i < 60; i++) {
        take_steps(world, 1);
        assert_true(joint_gap(world, body) < 1e-3 * SIZE);
    }
    sup_world_destroy(world);
}

static void parts_on_a_ball_joint_dent(void** state) {
    (void)state;
    crash(make_trailer);
}

static void parts_on_a_hinge_dent(void** state) {
    (void)state;
    crash(make_wheeled);
}

/* A body that comes in anyhow: turned, spinning, fast or slow, with dents of any kind. */
static sup_body_def roll_crash(dice* d) {
    sup_body_def def = crash_at(0.0);
    double square = 0.0;
    for (int k = 0; k < 4; k++) {
        def.rotation[k] = dice_roll(d);
        square += def.rotation[k] * def.rotation[k];
    }
    for (int k = 0; k < 4; k++) def.rotation[k] /= sqrt(square);
    for (int k = 0; k < 3; k++) def.angular_velocity[k] = 4.0 * dice_roll(d);
    def.position[0] = -4.0;
    def.velocity[0] = 22.5 + 17.5 * dice_roll(d);
    def.velocity[1] = 5.0 * dice_roll(d);
    def.frames.plastic.stiffness = 100.0 + 80.0 * dice_roll(d);
    def.frames.plastic.time = 0.1 + 0.09 * dice_roll(d);
    def.frames.plastic.limit = 0.25 + 0.2 * dice_roll(d);
    def.frames.plastic.keep = dice_roll(d) < 0.0 ? 1.0 : 0.5 + 0.5 * dice_roll(d);
    return def;
}

static void crashes_make_no_energy(void** state) {
    (void)state;
    dice d = {7};
    int count = getenv("SUPPLE_LONG") ? 400 : 40;
    for (int i = 0; i < count; i++) {
        sup_world* world = make_crash();
        sup_body_def def = roll_crash(&d);
        def.frames.meets_itself = i % 4 > 1;
        sup_body body = add_machine(world, i % 2 ? make_wheeled : make_trailer, &def);
        take_tame_steps(world, body, 120, energy_of(world, body));
        assert_false(is_any_soft(world, body));
        if (!def.frames.meets_itself) assert_true(joint_gap(world, body) < 1e-3 * SIZE);
        sup_world_destroy(world);
    }
}

/* At 4 m/s nothing happens to shapes. */
static void slow_blows_leave_shapes_alone(void** state) {
    (void)state;
    void (*const makes[2])(machine*) = {make_trailer, make_wheeled};
    for (int i = 0; i < 2; i++) {
        sup_world* world = make_crash();
        sup_body_def def = crash_at(4.0);
        supi_body* body = supi_world_body(world, add_machine(world, makes[i], &def));
        take_steps(world, 120);
        const supi_frame_net* net = &body->blueprint->frames;
        const supi_part_state* parts = body->oriented->parts;
        size_t members = (size_t)net->part_starts[net->part_count];
        assert_memory_equal(parts->offset, net->rest.offset, members * sizeof *parts->offset);
        assert_memory_equal(parts->rest.offset, net->rest.offset, members * sizeof *parts->offset);
        assert_memory_equal(parts->rest.place, net->rest.place,
                            (size_t)net->row_count * sizeof *parts->rest.place);
        sup_world_destroy(world);
    }
}

/* Each part goes by its own limit, also where its first particle is a joint. */
static void parts_on_joints_yield_for_themselves(void** state) {
    (void)state;
    for (int strong = 0; strong < 2; strong++) {
        sup_rig_plastic plastics[2] = {sup_rig_plastic_default(), sup_rig_plastic_default()};
        plastics[strong].speed = 1000.0f;
        sup_world* world = make_crash();
        sup_body_def def = crash_at(20.0);
        supi_body* body =
            supi_world_body(world, add_machine_of(world, make_wheeled, plastics, &def));
        take_steps(world, 60);
        const supi_frame_net* net = &body->blueprint->frames;
        for (int32_t p = 0; p < 2; p++) {
            int32_t part = net->part_of[p], first = net->part_starts[part];
            size_t size = (size_t)(net->part_starts[part + 1] - first) * sizeof(sup_vec3);
            bool same =
                memcmp(body->oriented->parts->offset + first, net->rest.offset + first, size) == 0;
            assert_int_equal(same, p == strong);
        }
        sup_world_destroy(world);
    }
}

/* Softens the parts of `mask` as blows would. */
static void soften(sup_world* world, sup_body handle, unsigned mask) {
    supi_body* body = supi_world_body(world, handle);
    supi_part_settings s = supi_part_settings_default();
    for (int32_t p = 0; p < 2; p++) {
        if (mask >> p & 1) supi_part_hit(&s, 1.0f / 480.0f, body->oriented->parts, p, 10.0f);
    }
}

/* Free bodies that tumble: soft and rigid again, one part or both, they keep their momenta and make
   no energy. */
static void softness_keeps_momenta(void** state) {
    (void)state;
    void (*const makes[2])(machine*) = {make_trailer, make_wheeled};
    for (unsigned i = 0; i < 6; i++) {
        sup_world* world = make_crash();
        sup_body_def def = crash_at(-3.0);
        def.angular_velocity[1] = 4.0;
        def.angular_velocity[2] = 2.0;
        def.position[0] = -20.0;
        sup_body body = add_machine(world, makes[i % 2], &def);
        take_steps(world, 10);
        sup_measures first, last;
        assert_int_equal(sup_body_measure(world, body, &first), SUP_OK);
        soften(world, body, 1 + i / 2);
        take_tame_steps(world, body, 60, first.kinetic);
        assert_false(is_any_soft(world, body));
        assert_true(joint_gap(world, body) < 1e-3 * SIZE);
        assert_int_equal(sup_body_measure(world, body, &last), SUP_OK);
        double p = length_of(first.momentum), l = length_of(first.angular_momentum);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(last.momentum[k] - first.momentum[k]) < 1e-4 * p);
            assert_true(fabs(last.angular_momentum[k] - first.angular_momentum[k]) < 1e-3 * l);
        }
        sup_world_destroy(world);
    }
}

/* rad/s about the axle: of the wheel, less that of the car. */
static double rolling(const sup_world* world, sup_body body) {
    enum { CAR = 0, ONE_AXLE = 40, OTHER_AXLE = 41, RIM = 42 };
    sup_vec3 spins[MOST];
    swarm s = read_swarm(world, body);
    const sup_point *a = s.x + ONE_AXLE, *b = s.x + OTHER_AXLE;
    const double axis[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
    assert_int_equal(sup_body_read_turns(world, body, NULL, spins), SUP_OK);
    const sup_vec3 *w = spins + RIM, *c = spins + CAR;
    double rate = axis[0] * (double)(w->x - c->x) + axis[1] * (double)(w->y - c->y) +
                  axis[2] * (double)(w->z - c->z);
    free_swarm(&s);
    return rate / length_of(axis);
}

/* Turns the wheel, as it is now, about its axle. */
static void spin_wheel(sup_world* world, sup_body body, double rate) {
    enum { ONE_AXLE = 40, OTHER_AXLE = 41, RIM = 42, END = 58 };
    sup_vec3 spins[MOST];
    swarm s = read_swarm(world, body);
    const sup_point *a = s.x + ONE_AXLE, *b = s.x + OTHER_AXLE;
    double w[3] = {b->x - a->x, b->y - a->y, b->z - a->z}, length = length_of(w);
    for (int k = 0; k < 3; k++) w[k] *= rate / length;
    assert_int_equal(sup_body_read_turns(world, body, NULL, spins), SUP_OK);
    for (int i = RIM; i < END; i++) {
        double r[3] = {s.x[i].x - a->x, s.x[i].y - a->y, s.x[i].z - a->z};
        s.v[i].x += (float)(w[1] * r[2] - w[2] * r[1]);
        s.v[i].y += (float)(w[2] * r[0] - w[0] * r[2]);
        s.v[i].z += (float)(w[0] * r[1] - w[1] * r[0]);
        spins[i].x += (float)w[0];
        spins[i].y += (float)w[1];
        spins[i].z += (float)w[2];
    }
    assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
    assert_int_equal(sup_body_write_turns(world, body, NULL, spins, NULL), SUP_OK);
    free_swarm(&s);
}

/* The car is dented, the wheel turns as before: also while the car is soft. */
static void dented_hinges_turn(void** state) {
    (void)state;
    sup_world* world = make_crash();
    sup_body_def def = crash_at(10.0);
    sup_body body = add_machine(world, make_wheeled, &def);
    take_steps(world, 60);
    assert_true(dent_of(world, body) > 0.05 * SIZE);
    spin_wheel(world, body, 20.0);
    take_steps(world, 2);
    double first = rolling(world, body);
    assert_true(first > 10.0);
    take_steps(world, 60);
    assert_true(fabs(rolling(world, body) - first) < 0.05 * first);
    soften(world, body, 1);
    take_steps(world, 60);
    assert_false(is_any_soft(world, body));
    assert_true(fabs(rolling(world, body) - first) < 0.1 * first);
    sup_world_destroy(world);
}

/* Soft parts on a wheel that has turned do not want it back where it was. */
static void soft_hinges_turn(void** state) {
    (void)state;
    sup_world* world = make_crash();
    sup_body_def def = crash_at(0.0);
    sup_body body = add_machine(world, make_wheeled, &def);
    spin_wheel(world, body, 2.0);
    take_steps(world, 60);
    double first = rolling(world, body), energy = energy_of(world, body);
    soften(world, body, 3);
    take_tame_steps(world, body, 60, energy);
    assert_false(is_any_soft(world, body));
    assert_true(fabs(rolling(world, body) - first) < 0.05 * first);
    sup_world_destroy(world);
}

/* Nothing stirs where a part with a dent is soft once more, as nothing strains it. */
static void dents_rest_when_soft(void** state) {
    (void)state;
    sup_world* world = make_crash();
    sup_body_def def = crash_at(20.0);
    sup_body body = add_machine(world, make_wheeled, &def);
    take_steps(world, 60);
    assert_true(dent_of(world, body) > 0.05 * SIZE);
    const sup_vec3 still[MOST] = {0};
    assert_int_equal(sup_body_write_particles(world, body, NULL, still, NULL), SUP_OK);
    assert_int_equal(sup_body_write_turns(world, body, NULL, still, NULL), SUP_OK);
    soften(world, body, 3);
    take_steps(world, 2);
    assert_true(is_any_soft(world, body));
    assert_true(top_speed_of(world, body) < 1e-3);
    sup_world_destroy(world);
}

/* A contact has pulled one end of an axle away when the car becomes rigid. */
static void contacts_do_not_stretch_hinges(void** state) {
    (void)state;
    sup_world* world = make_crash();
    sup_body_def def = crash_at(0.0);
    sup_body handle = add_machine(world, make_wheeled, &def);
    supi_body* body = supi_world_body(world, handle);
    soften(world, handle, 1);
    take_steps(world, 1);
    assert_true(is_any_soft(world, handle));
    world->now.x[body->row + body->blueprint->row_of[41]].z -= 0.02f;
    body->oriented->parts->left[0] = 0.0f;
    supi_dented_advance(world);
    assert_false(is_any_soft(world, handle));
    take_steps(world, 10);
    assert_true(joint_gap(world, handle) < 1e-5 * SIZE);
    sup_world_destroy(world);
}

/* A snapshot taken while one part is soft goes on bit by bit. */
static void soft_parts_on_joints_come_back(void** state) {
    (void)state;
    sup_world *world = make_crash(), *other = make_crash();
    sup_body_def def = crash_at(10.0);
    sup_body body = add_machine(world, make_wheeled, &def);
    sup_error error = {0};
    sup_bytes saved;
    for (int i = 0; i < 60 && !is_any_soft(world, body); i++) take_steps(world, 1);
    assert_true(is_any_soft(world, body));
    take_steps(world, 2);
    assert_ok(sup_world_save(world, &saved, &error), error);
    assert_ok(sup_world_restore(other, saved.data, saved.size, &error), error);
    for (int i = 0; i < 60; i++) {
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        take_steps(world, 1);
        take_steps(other, 1);
    }
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* With its first shape a hinge has its first length again, whoever was soft when it was told. */
static void hinges_go_back_whole(void** state) {
    (void)state;
    for (unsigned mask = 0; mask < 4; mask++) {
        sup_world* world = make_crash();
        sup_body_def def = crash_at(20.0);
        sup_body body = add_machine(world, make_wheeled, &def);
        take_steps(world, 60);
        soften(world, body, mask);
        take_steps(world, 1);
        assert_int_equal(sup_body_reset_rest(world, body), SUP_OK);
        take_tame_steps(world, body, 60, 0.5 * 1090 * 400);
        assert_true(joint_gap(world, body) < 1e-3 * SIZE);
        if (mask == 0) assert_true(dent_of(world, body) < 1e-3 * SIZE);
        sup_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_on_a_ball_joint_dent),
        cmocka_unit_test(parts_on_a_hinge_dent),
        cmocka_unit_test(crashes_make_no_energy),
        cmocka_unit_test(slow_blows_leave_shapes_alone),
        cmocka_unit_test(parts_on_joints_yield_for_themselves),
        cmocka_unit_test(softness_keeps_momenta),
        cmocka_unit_test(dented_hinges_turn),
        cmocka_unit_test(soft_hinges_turn),
        cmocka_unit_test(dents_rest_when_soft),
        cmocka_unit_test(contacts_do_not_stretch_hinges),
        cmocka_unit_test(soft_parts_on_joints_come_back),
        cmocka_unit_test(hinges_go_back_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
