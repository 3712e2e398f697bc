/* Shape-matched bodies that hit, contain, slide on and rest on each other. */
#include "contact/tet_movers.h"
#include "sizes.h"

/* What became of two bodies that met. */
typedef struct crash {
    double momentum; /* change over the sum of m |v| */
    double energy;   /* after over before */
    double deepest;  /* mean edges */
    bool apart;
} crash;

static crash run_crash(bool balls, double beside, bool frozen) {
    stage s;
    crash out = {0};
    stage_begin(&s, 1.0 / 240);
    s.damping = 0;
    s.frozen_depths = frozen;
    double reach = balls ? 0.25 : 0.2;
    for (int i = 0; i < 2; i++) {
        sup_tets tets = balls ? make_ball(0.25, 0.1) : make_block(4, 4, 4, 0.4, 0.4, 0.4);
        double side = i ? 1 : -1;
        mover* m = stage_add(&s, tets, true, side * (reach + 0.011), 0.5 * side * beside, 0);
        mover_push(m, -side, 0, 0);
    }
    double before = mover_energy(&s.movers[0]) + mover_energy(&s.movers[1]), sum[3] = {0, 0, 0};
    double mass = mover_mass(&s.movers[0]) + mover_mass(&s.movers[1]), v[3];
    for (int step = 0; step < 120; step++) {
        stage_step(&s);
        out.deepest = fmax(out.deepest, stage_deepest(&s));
    }
    out.apart = s.contacts.contact_count == 0;
    for (int i = 0; i < 2; i++) {
        mover_mean(&s.movers[i], s.movers[i].twin->v, v);
        for (int k = 0; k < 3; k++) sum[k] += mover_mass(&s.movers[i]) * v[k];
        out.apart = out.apart && (i ? v[0] > 0 : v[0] < 0);
    }
    out.momentum = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / mass;
    out.energy = (mover_energy(&s.movers[0]) + mover_energy(&s.movers[1])) / before;
    stage_end(&s);
    return out;
}

/* A11 */
static void test_crashes(void** state) {
    (void)state;
    for (int balls = 0; balls < 2; balls++) {
        for (int beside = 0; beside < 2; beside++) {
            crash c = run_crash(balls, 0.1 * beside, false);
            print_message("%s%s: momentum %.1e, energy %.3f, deepest %.2f\n",
                          balls ? "balls" : "cubes", beside ? " beside" : "", c.momentum, c.energy,
                          c.deepest);
            assert_true(c.momentum < 1e-5);
            assert_true(c.apart);
            assert_true(c.deepest < 1);
            assert_true(c.energy <= 1.1);
        }
        crash wrong = run_crash(balls, 0, true);
        print_message("  frozen depths: energy %.3f\n", wrong.energy);
        assert_true(wrong.energy > 1.2);
    }
}

/* A12 */
static void test_containment(void** state) {
    (void)state;
    static const double besides[] = {0, 0.02, 0.1};
    for (int k = 0; k < 6; k++) {
        int substeps = k % 2 ? 4 : 1;
        stage s;
        stage_begin(&s, 1.0 / 60 / substeps);
        mover* small =
            stage_add(&s, make_block(2, 2, 2, 0.2, 0.2, 0.2), true, besides[k / 2], 0, 0);
        mover* large = stage_add(&s, make_block(5, 5, 5, 1, 1, 1), true, 0, 0, 0);
        double last = 0, speed = 0, a[3], b[3];
        sup_vec3 way = {0, 0, 0};
        for (int step = 0; step < 120 * substeps; step++) {
            stage_step(&s);
            const supi_tet_contact* list = s.contacts.contacts;
            const supi_tet_contact* first = NULL;
            for (int32_t i = 0; i < s.contacts.contact_count; i++) {
                assert_true(isfinite(list[i].depth));
                if (!(list[i].flags & SUPI_TET_CONTAINED)) continue;
                if (!first) first = &list[i];
                assert_memory_equal(&first->normal, &list[i].normal, sizeof first->normal);
            }
            if (step == 0) assert_non_null(first);
            if (step == 0) way = first->normal;
            if (first) assert_true(supi_vec3_dot(first->normal, way) > 0.999f);
            if (s.contacts.contact_count > 0) last = (step + 1) * s.h;
            mover_mean(small, small->twin->v, a);
            mover_mean(large, large->twin->v, b);
            speed = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
            assert_true(speed < 5);
        }
        print_message("%.2f m beside, %d substeps: last contact at %.2f s, %.2f m/s\n",
                      besides[k / 2], substeps, last, speed);
        assert_true(last < 1.9);
        stage_end(&s);
    }
}

/* A13: on a pinned block of tetrahedra, tilted by 20 degrees: gravity is turned instead. */
static void slide(double friction_static, double friction_kinetic, double* moved,
                  double* acceleration) {
    stage s;
    stage_begin(&s, 1.0 / 240);
    const double angle = 20 * 3.14159265358979 / 180;
    s.gravity[0] = 9.81 * sin(angle);
    s.gravity[1] = -9.81 * cos(angle);
    s.answer.friction_static = (float)friction_static;
    s.answer.friction_kinetic = (float)friction_kinetic;
    stage_add(&s, make_block(48, 1, 3, 24, 0.5, 1.5), false, 11.3, -0.25, 0.01);
    mover* m = stage_add(&s, make_block(4, 4, 4, 0.4, 0.4, 0.4), true, 0, 0.2, 0);
    double at[3] = {0}, v[3] = {0}, first[3] = {0}, first_v[3] = {0};
    for (int step = 1; step <= 1200; step++) {
        stage_step(&s);
        mover_mean(m, m->twin->x, at);
        mover_mean(m, m->twin->v, v);
        if (step == 240) memcpy(first, at, sizeof at), memcpy(first_v, v, sizeof v);
    }
    *moved = at[0] - first[0];
    *acceleration = (v[0] - first_v[0]) / 4;
    assert_true(fabs(at[2]) < 0.05);
    stage_end(&s);
}

static void test_friction(void** state) {
    (void)state;
    double moved, acceleration;
    slide(0.5, 0.4, &moved, &acceleration);
    print_message("held: moves %.3f mm\n", 1000 * moved);
    assert_true(fabs(moved) < 1e-3);
    slide(0.2, 0.2, &moved, &acceleration);
    print_message("sliding: %.3f m/s^2\n", acceleration);
    assert_true(fabs(acceleration / 1.512 - 1) < 0.02);
}

/* A19 */
typedef struct rest {
    double speed;    /* m/s, rms */
    double sideways; /* m, of the top */
    double deepest;  /* mean edges, in the last second */
    bool stands;
} rest;

enum { RIGHT, FROZEN_DEPTHS, PLAIN_NORMALS };

static rest run_stack(int32_t count, bool equal, int way) {
    stage s;
    rest out = {0};
    stage_begin(&s, 1.0 / 240);
    s.gravity[1] = -9.81;
    s.floor = true;
    s.frozen_depths = way == FROZEN_DEPTHS;
    s.plain_normals = way == PLAIN_NORMALS;
    double bottom = 0.003, start[3], end[3], energy = 0, mass = 0;
    for (int32_t i = 0; i < count; i++) {
        double side = equal ? 0.4 : 0.4 - 0.04 * i;
        stage_add(&s, make_block(4, 4, 4, side, side, side), true, 0, bottom + 0.5 * side, 0);
        bottom += side + 0.003;
    }
    mover* top = &s.movers[count - 1];
    mover_mean(top, top->twin->x, start);
    for (int step = 0; step < 2400; step++) {
        stage_step(&s);
        if (step >= 2160) out.deepest = fmax(out.deepest, stage_deepest(&s));
    }
    mover_mean(top, top->twin->x, end);
    for (int32_t i = 0; i < count; i++) {
        energy += mover_energy(&s.movers[i]);
        mass += mover_mass(&s.movers[i]);
    }
    out.speed = sqrt(energy / mass);
    out.sideways = sqrt(pow(end[0] - start[0], 2) + pow(end[2] - start[2], 2));
    out.stands = end[1] > start[1] - 0.1;
    stage_end(&s);
    return out;
}

static void test_stacks(void** state) {
    (void)state;
    skip_under_sanitizers();
    static const struct {
        int32_t count;
        bool equal;
    } stacks[] = {{3, false}, {5, false}, {3, true}};
    for (int k = 0; k < 3; k++) {
        rest r = run_stack(stacks[k].count, stacks[k].equal, RIGHT);
        print_message("%d cubes%s: %.3f mm/s, %.2f mm sideways, deepest %.3f\n", stacks[k].count,
                      stacks[k].equal ? ", equal" : "", 1000 * r.speed, 1000 * r.sideways,
                      r.deepest);
        assert_true(r.stands);
        assert_true(r.speed < 2e-3);
        assert_true(r.sideways < 2e-3);
        assert_true(r.deepest < 0.1);
    }
}

/* What normals of corners, facing and what is left of a depth are for. */
static void test_wrong_stacks(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int32_t count = 3; count <= 5; count += 2) {
        rest frozen = run_stack(count, false, FROZEN_DEPTHS);
        print_message("%d cubes, frozen depths: %.0f mm/s, %s\n", (int)count, 1000 * frozen.speed,
                      frozen.stands ? "stands" : "fallen");
        assert_true(frozen.stands == (count == 3));
        assert_true(frozen.speed > 0.1);
        if (!long_tests()) continue; /* the twin is slow */
        rest plain = run_stack(count, false, PLAIN_NORMALS);
        print_message("%d cubes, plain normals: %.1f mm sideways\n", (int)count,
                      1000 * plain.sideways);
        assert_true(plain.sideways > 5e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crashes), cmocka_unit_test(test_containment),
        cmocka_unit_test(test_friction), cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_wrong_stacks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
