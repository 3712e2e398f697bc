/* Dents turn ellipsoids for good: what they leave behind, and how they go. */
#include "world/oriented.h"

#include "../../src/world/oriented.h"
#include "solve/turns.h"
#include "supple/snapshot.h"

enum {
    CAR_SIZE = 5 * 2 * 4,
    UNTIL_RIGID = 40 /* steps: it has met the wall, was soft, and has the shape it keeps */
};

/* A block of ellipsoids that flies into a wall, one edge first. */
static sup_body add_car(sup_world* world) {
    const block_def car = {{5, 2, 4}, 0.5, 0.2, 25.0, 0, false, true, true, 1e-2};
    const sup_ellipsoid shape = {{0.0f, 0.0f, 0.6f, 0.8f}, {0.2f, 0.05f, 0.1f}};
    const sup_vec3 normal = {-0.96f, 0.28f, 0.0f}; /* along its short axis */
    sup_collider_def wall = sup_collider_default();
    wall.position[0] = 3.0;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5); /* its normal along -x */
    add_collider(world, &wall);
    sup_body_def def = sup_body_default();
    def.position[1] = 2.0;
    def.rotation[2] = sin(0.2);
    def.rotation[3] = cos(0.2);
    def.velocity[0] = 10.0;
    def.frames.plastic.speed = 5.0;
    def.frames.plastic.stiffness = 20.0;
    def.frames.plastic.time = 0.1;
    return add_oriented(world, make_block_of(&car, &shape, &normal), &def);
}

/* rad, the largest turn that stays. */
static double most_flowed(const supi_body* body) {
    double most = 0.0;
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        const sup_quat* q = body->oriented->parts->flowed + r;
        double sine = length_of((double[3]){(double)q->x, (double)q->y, (double)q->z});
        most = fmax(most, 2.0 * asin(fmin(sine, 1.0)));
    }
    return most;
}

static bool has_first_moments(const supi_body* body) {
    const supi_frame_net* net = &body->blueprint->frames;
    bool same = true;
    for (int32_t i = 0; i < net->row_count / 8; i++) {
        const supi_frame_rows8 *now = body->oriented->parts->rest.rows + i,
                               *first = net->rest.rows + i;
        same = same && memcmp(now->moment, first->moment, sizeof now->moment) == 0 &&
               memcmp(now->inertia, first->inertia, sizeof now->inertia) == 0 &&
               memcmp(now->inverse, first->inverse, sizeof now->inverse) == 0;
    }
    return same;
}

/* What a snapshot does not keep is as if nothing had ever happened. */
static void nothing_hidden_survives_a_reset(void** state) {
    (void)state;
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    sup_error error = {0};
    sup_bytes saved;
    add_floor(world);
    sup_body car = add_car(world);
    take_steps(world, UNTIL_RIGID);
    assert_true(most_flowed(supi_world_body(world, car)) > 0.1);
    assert_false(has_first_moments(supi_world_body(world, car)));
    assert_int_equal(sup_body_reset(world, car), SUP_OK);
    assert_true(has_first_moments(supi_world_body(world, car)));
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

/* Steps until its part has been soft for a while. */
static supi_body* soften(sup_world* world, sup_body car) {
    supi_body* body = supi_world_body(world, car);
    for (int i = 0; i < UNTIL_RIGID && body->oriented->parts->phase[0] != SUPI_PART_SOFT; i++) {
        take_steps(world, 1);
    }
    take_steps(world, 3);
    assert_int_equal(body->oriented->parts->phase[0], SUPI_PART_SOFT);
    return body;
}

/* The soft part becomes rigid, and nothing else happens. */
static void harden(sup_world* world, const supi_body* body) {
    supi_contacts_clear(&world->contacts);
    body->oriented->parts->left[0] = 0.0f;
    supi_dented_advance(world);
    assert_int_not_equal(body->oriented->parts->phase[0], SUPI_PART_SOFT);
    assert_true(most_flowed(body) > 0.1);
}

/* As where a step fails. */
static void dents_of_an_undone_step_leave_nothing(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    supi_body* body = soften(world, add_car(world));
    supi_dented_keep(body);
    harden(world, body);
    assert_false(has_first_moments(body));
    supi_dented_restore(body);
    assert_true(has_first_moments(body));
    sup_world_destroy(world);
}

/* As where the body breaks in the step that made it rigid again: its places are those of before,
   and so is its shape. */
static void broken_bodies_keep_their_parts(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    supi_body* body = soften(world, add_car(world));
    supi_dented_keep(body);
    float left = body->oriented->parts->left[0];
    harden(world, body);
    supi_contain_restore(world, body, &world->before, &world->now);
    assert_int_equal(body->oriented->parts->phase[0], SUPI_PART_SOFT);
    assert_true(body->oriented->parts->left[0] == left);
    assert_true(has_first_moments(body));
    sup_world_destroy(world);
}

/* What contacts see of a row, in the world: axes as columns, inverse inertia, normal. */
typedef struct look {
    double axes[9], inertia[6], normal[3];
} look;

static look look_at(sup_world* world, supi_body* body, int32_t row) {
    const supi_oriented* o = supi_oriented_contact(world, body);
    const float* m = o->inertia[row].m;
    const double own[6] = {(double)m[0], (double)m[1], (double)m[2],
                           (double)m[5], (double)m[4], (double)m[3]};
    double turn[4], axes[4], r[9], normal[3];
    look out;
    supi_turns_from(o->turn + row, turn);
    supi_turns_from(o->axes + row, axes);
    supi_vector_from(o->flat + row, normal);
    supi_quaternion_matrix(turn, r);
    supi_symmetric_turned(r, own, out.inertia);
    supi_turns_apply(r, normal, out.normal);
    supi_quaternion_product(turn, axes, axes);
    supi_quaternion_matrix(axes, out.axes);
    return out;
}

static double most_between(const double* a, const double* b, int count) {
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* The rotations of particles jump to that of their part; their shapes stay, and what turns goes
   on. */
static void shapes_stay_when_parts_become_rigid(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    sup_body car = add_car(world);
    supi_body* body = soften(world, car);
    look before[CAR_SIZE];
    sup_measures first, then;
    for (int32_t r = 0; r < CAR_SIZE; r++) before[r] = look_at(world, body, r);
    const sup_quat was = world->now.turn[body->turn];
    uint32_t version = body->oriented->self.version;
    assert_int_equal(sup_body_measure(world, car, &first), SUP_OK);
    harden(world, body);
    assert_int_equal(sup_body_measure(world, car, &then), SUP_OK);
    assert_true(body->oriented->self.version != version);
    const sup_quat* is = world->now.turn + body->turn;
    double jump = fabs((double)(is->x - was.x)) + fabs((double)(is->y - was.y)) +
                  fabs((double)(is->z - was.z));
    assert_true(jump > 0.01);
    for (int32_t r = 0; r < CAR_SIZE; r++) {
        look after = look_at(world, body, r);
        double size = after.inertia[0] + after.inertia[1] + after.inertia[2];
        assert_true(most_between(before[r].axes, after.axes, 9) < 1e-5);
        assert_true(most_between(before[r].normal, after.normal, 3) < 1e-5);
        assert_true(most_between(before[r].inertia, after.inertia, 6) < 1e-5 * size);
    }
    double most = 0.0;
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(first.angular_momentum[k]));
    assert_true(most_between(first.angular_momentum, then.angular_momentum, 3) < 1e-5 * most);
    sup_world_destroy(world);
}

/* m, largest change of a distance between two particles against the first shape. */
static double dent_of(const sup_world* world, sup_body car) {
    const sup_blueprint* b = supi_world_body(world, car)->blueprint;
    swarm s = read_swarm(world, car);
    double worst = 0.0;
    for (int32_t i = 0; i < s.count; i++) {
        for (int32_t k = 0; k < i; k++) {
            const sup_point *p = s.x + i, *q = s.x + k;
            const sup_vec3 *f = b->rest + b->row_of[i], *g = b->rest + b->row_of[k];
            double is = length_of((double[3]){p->x - q->x, p->y - q->y, p->z - q->z});
            double was = length_of(
                (double[3]){(double)(f->x - g->x), (double)(f->y - g->y), (double)(f->z - g->z)});
            worst = fmax(worst, fabs(is - was));
        }
    }
    free_swarm(&s);
    return worst;
}

/* Slowly enough not to be dented by it once more. */
static void dents_go_with_the_rest_shape(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    add_floor(world);
    sup_body car = add_car(world);
    take_steps(world, 300);
    assert_true(dent_of(world, car) > 0.1);
    assert_int_equal(sup_body_reset_rest(world, car), SUP_OK);
    for (int i = 0; i < 60; i++) {
        take_steps(world, 1);
        assert_true(top_speed_of(world, car) < 5.0);
    }
    assert_true(dent_of(world, car) < 1e-3);
    assert_true(has_first_moments(supi_world_body(world, car)));
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_hidden_survives_a_reset),
        cmocka_unit_test(shapes_stay_when_parts_become_rigid),
        cmocka_unit_test(dents_go_with_the_rest_shape),
        cmocka_unit_test(dents_of_an_undone_step_leave_nothing),
        cmocka_unit_test(broken_bodies_keep_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
