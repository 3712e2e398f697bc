/* Snapshots of oriented particles in the middle of what lasts several frames: a part that is soft,
   one that goes to its new shape, a rope that falls onto itself, groups one after the other. */
#include "world/yard.h"

#include "supple/snapshot.h"
#include "world/oriented.h"

enum { FRAMES = 60, EVERY = 3, ON = 5 };

static sup_body add_car(sup_world* world) {
    const block_def car = {{5, 2, 4}, 0.5, 0.2, 25.0, 0, false, true, true, 1e-2};
    sup_collider_def wall = sup_collider_default();
    wall.position[0] = 3.0;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5); /* its normal along -x */
    add_collider(world, &wall);
    sup_body_def def = sup_body_default();
    def.position[1] = 2.0;
    def.velocity[0] = 10.0;
    def.frames.plastic.speed = 5.0;
    def.frames.plastic.stiffness = 20.0;
    def.frames.plastic.time = 0.1;
    return add_oriented(world, make_block(&car), &def);
}

/* It stands on its end, and falls over itself. */
static void add_rope(sup_world* world, bool meets_itself) {
    const block_def rope = {{24, 1, 1}, 0.1, 0.06, 0.2, 0, false, false, false, 0};
    sup_body_def def = sup_body_default();
    def.position[1] = 0.1;
    def.position[2] = -2.0;
    def.rotation[2] = def.rotation[3] = sqrt(0.5);
    def.angular_velocity[0] = 0.2;
    def.frames.stiffness = 5.0;
    def.frames.meets_itself = meets_itself;
    add_oriented(world, make_block(&rope), &def);
}

static void add_classic(sup_world* world) {
    const block_def cube = {{4, 4, 4}, 0.1, 0.05, 0.1, 0, true, false, false, 0};
    sup_body_def def = sup_body_default();
    def.position[0] = -3.0;
    def.position[1] = 0.3;
    def.angular_velocity[0] = 3.0;
    def.frames.mode = SUP_FRAME_CLASSIC;
    add_oriented(world, make_block(&cube), &def);
}

/* m, largest change of a distance between two particles. */
static double deformed(const swarm* a, const swarm* b) {
    double worst = 0.0;
    for (int32_t i = 0; i < a->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            const sup_point *p = a->x + i, *q = a->x + k, *r = b->x + i, *s = b->x + k;
            double was = length_of((double[3]){p->x - q->x, p->y - q->y, p->z - q->z});
            double is = length_of((double[3]){r->x - s->x, r->y - s->y, r->z - s->z});
            worst = fmax(worst, fabs(is - was));
        }
    }
    return worst;
}

static void all_go_on_with_the_same_bits(void** state) {
    (void)state;
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    sup_error error = {0};
    sup_bytes saved[FRAMES / EVERY];
    uint64_t hashes[FRAMES + ON];
    int32_t flows = 0;
    add_floor(world);
    sup_body car = add_car(world);
    add_rope(world, true);
    add_classic(world);
    for (int i = 0; i < FRAMES + ON; i++) {
        hashes[i] = sup_world_hash(world);
        swarm before = read_swarm(world, car);
        if (i < FRAMES && i % EVERY == 0) {
            assert_ok(sup_world_save(world, saved + i / EVERY, &error), error);
        }
        take_steps(world, 1);
        swarm after = read_swarm(world, car);
        flows += deformed(&before, &after) > 1e-3;
        free_swarm(&before);
        free_swarm(&after);
    }
    assert_true(flows >= 6 + 12); /* of 0.1 s soft and 0.2 s on the way to its shape */
    for (int i = 0; i < FRAMES; i += EVERY) {
        const sup_bytes* bytes = saved + i / EVERY;
        assert_ok(sup_world_restore(other, bytes->data, bytes->size, &error), error);
        for (int k = i; k < i + ON; k++) {
            assert_true(sup_world_hash(other) == hashes[k]);
            take_steps(other, 1);
        }
        sup_bytes_free(saved + i / EVERY);
    }
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* The rope above does touch itself while it is saved. */
static void ropes_fall_onto_themselves(void** state) {
    (void)state;
    swarm ends[2];
    for (int k = 0; k < 2; k++) {
        sup_world* world = make_wakeful_world();
        sup_body body;
        add_floor(world);
        add_rope(world, k);
        assert_int_equal(sup_world_bodies(world, &body, 1), 1);
        take_steps(world, FRAMES);
        ends[k] = read_swarm(world, body);
        sup_world_destroy(world);
    }
    assert_true(deformed(ends, ends + 1) > 0.01);
    for (int k = 0; k < 2; k++) free_swarm(ends + k);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_go_on_with_the_same_bits),
                                       cmocka_unit_test(ropes_fall_onto_themselves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
