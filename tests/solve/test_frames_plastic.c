/* Parts that yield when they are hit, and keep the shape. */
#include "solve/frames.h"

enum { NX = 5, NY = 2, NZ = 4, BOX = NX * NY * NZ };

#define WALL 3.0   /* m: what is beyond it along x is pushed back */
#define RADIUS 0.2 /* m, of the particles */
#define SIZE 2.55  /* m, of the box */

static float approach[BOX]; /* m/s, before constraints */

static void note_speeds(frames* f, double h) {
    (void)h;
    for (int32_t i = 0; i < BOX; i++) approach[i] = f->slices.v[i].x;
}

/* A wall without restitution. */
static void meet_wall(frames* f, double h) {
    for (int32_t i = 0; i < f->count; i++) {
        sup_row *x = f->slices.x + i, *v = f->slices.v + i;
        if ((double)x->x + RADIUS < WALL) continue;
        supi_part_hit(&f->part_settings, (float)h, &f->parts, 0, approach[i]);
        x->x = (float)(WALL - RADIUS);
        if (v->x > 0.0f) v->x = 0.0f;
    }
}

static void make(frames* f, double speed) {
    int32_t members[BOX];
    frames_begin(f);
    frames_lattice(f, NX, NY, NZ, 0.5, 25.0, RADIUS);
    for (int32_t i = 0; i < BOX; i++) members[i] = i;
    frames_part(f, BOX, members);
    f->yields = true;
    frames_make(f);
    frames_float(f);
    f->pins = note_speeds;
    f->contacts = meet_wall;
    for (int32_t i = 0; i < BOX; i++) f->slices.v[i].x = (float)speed;
}

static double dent(const frames* f) {
    double worst = 0.0;
    for (int32_t i = 0; i < BOX; i++) {
        const sup_vec3 *a = f->parts.offset + i, *b = f->net.rest.offset + i;
        double d[3] = {(double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)};
        worst = fmax(worst, ref_length(d));
    }
    return worst / SIZE;
}

/* Largest difference between distances now and in the rest shape, in sizes. */
static double bent(const frames* f) {
    double worst = 0.0;
    for (int32_t i = 0; i < BOX; i++) {
        for (int32_t k = 0; k < i; k++) {
            double p[3], q[3], d[3], e[3];
            const sup_vec3 *a = f->parts.offset + i, *b = f->parts.offset + k;
            frames_place(f, i, p);
            frames_place(f, k, q);
            for (int n = 0; n < 3; n++) d[n] = p[n] - q[n];
            e[0] = (double)(a->x - b->x), e[1] = (double)(a->y - b->y);
            e[2] = (double)(a->z - b->z);
            worst = fmax(worst, fabs(ref_length(d) - ref_length(e)));
        }
    }
    return worst / SIZE;
}

static double speed_of(const frames* f) {
    double p[3], l[3];
    frames_momenta(f, p, l);
    return ref_length(p) / (25.0 * BOX);
}

static void test_dent(void** state) {
    (void)state;
    static frames f;
    make(&f, 10.0);
    double jump = 0.0;
    supi_frame_pull pull = supi_frame_prepare(&f.net, &f.settings, 1.0 / 480.0, f.s);
    bool was_soft = false, became_rigid = false;
    static sup_row before[FRAMES_MOST];
    for (int i = 0; i < 480; i++) {
        bool soft = f.parts.phase[0] == SUPI_PART_SOFT;
        supi_frame_slices* s = &f.slices;
        supi_frame_predict(&f.net, &pull, f.kernels, s, s);
        note_speeds(&f, 1.0 / 480.0);
        supi_frame_project(&f.net, &pull, f.kernels, s, &f.room);
        meet_wall(&f, 1.0 / 480.0);
        memcpy(before, s->x, BOX * sizeof *before);
        supi_part_advance(&f.net, &f.part_settings, &pull, f.kernels, s, &f.room);
        for (int k = 0; k < BOX; k++) {
            double d[3] = {(double)(s->x[k].x - before[k].x), (double)(s->x[k].y - before[k].y),
                           (double)(s->x[k].z - before[k].z)};
            jump = fmax(jump, ref_length(d) / SIZE);
        }
        was_soft = was_soft || soft;
        if (soft && f.parts.phase[0] != SUPI_PART_SOFT) {
            became_rigid = true;
            jump = fmax(jump, bent(&f));
        }
    }
    if (getenv("SUPPLE_SHOW")) {
        printf("dent %.1f %%, jump %.1e, later %.1e, speed %.2f m/s\n", 100 * dent(&f), jump,
               bent(&f), speed_of(&f));
    }
    assert_true(was_soft && became_rigid);
    assert_true(dent(&f) > 0.05);
    assert_true(jump < 1e-5);
    assert_true(bent(&f) < 1e-5);
    frames_end(&f);
}

/* So soft that it flows beyond the limit. */
static void make_limp(frames* f) {
    make(f, 10.0);
    f->settings.soft_stiffness = 20.0f;
    f->part_settings.soft_time = 0.1f;
}

/* It returns to the limit slowly enough not to push itself away. */
static void test_ramp(void** state) {
    (void)state;
    static frames f;
    make_limp(&f);
    bool ramped = false;
    for (int i = 0; i < 120; i++) {
        frames_step(&f, 1.0 / 60.0, 8);
        ramped = ramped || f.parts.phase[0] == SUPI_PART_RAMP;
    }
    if (getenv("SUPPLE_SHOW")) {
        printf("ramp: dent %.1f %%, speed %.2f m/s\n", 100 * dent(&f), speed_of(&f));
    }
    assert_true(ramped);
    assert_int_equal(f.parts.phase[0], SUPI_PART_RIGID);
    assert_true(speed_of(&f) < 10.0);
    double most = 0.0;
    for (int32_t i = 0; i < BOX; i++) {
        const sup_vec3* d = f.parts.flow + i;
        double flow[3] = {(double)d->x, (double)d->y, (double)d->z};
        most = fmax(most, ref_length(flow));
    }
    assert_true(most < 0.3 * 1.28 * 1.001); /* of the radius of the box */
    frames_end(&f);
}

/* Were it to be in its new shape at once, the wall would throw it. */
static void test_without_ramp(void** state) {
    (void)state;
    static frames f;
    make_limp(&f);
    double fastest = 0.0;
    for (int i = 0; i < 960; i++) {
        bool soft = f.parts.phase[0] == SUPI_PART_SOFT;
        frames_step(&f, 1.0 / 480.0, 1);
        if (soft && f.parts.phase[0] == SUPI_PART_RAMP) {
            memcpy(f.parts.offset, f.parts.target, BOX * sizeof *f.parts.offset);
            f.parts.phase[0] = SUPI_PART_RIGID;
            supi_part_refresh(&f.net, &f.parts);
        }
        fastest = fmax(fastest, speed_of(&f));
    }
    if (getenv("SUPPLE_SHOW")) printf("without ramp: %.1f m/s\n", fastest);
    assert_true(fastest > 30.0);
    frames_end(&f);
}

static void test_slow_hit(void** state) {
    (void)state;
    static frames f;
    make(&f, 4.0);
    frames_run(&f, 1.0, 8);
    assert_true(speed_of(&f) < 3.9); /* it was stopped */
    size_t members = BOX;
    assert_memory_equal(f.parts.offset, f.net.rest.offset, members * sizeof(sup_vec3));
    assert_memory_equal(f.parts.rest.offset, f.net.rest.offset, members * sizeof(sup_vec3));
    assert_memory_equal(f.parts.rest.place, f.net.rest.place, members * sizeof(sup_vec3));
    assert_memory_equal(f.parts.rest.links, f.net.rest.links,
                        (size_t)f.net.link8_count * sizeof(supi_frame_link8));
    assert_memory_equal(f.parts.rest.columns, f.net.rest.columns,
                        (size_t)f.net.column_count * sizeof(supi_frame_column));
    frames_end(&f);
}

/* State that is written from outside, as from a snapshot, leads on to the same bits. */
static void test_refresh(void** state) {
    (void)state;
    static frames f, g;
    make(&f, 10.0);
    make(&g, 10.0);
    frames_run(&f, 0.3, 8);
    size_t rows = (size_t)f.net.row_count, groups = (size_t)f.net.group_count;
    memcpy(g.slices.x, f.slices.x, rows * sizeof(sup_row));
    memcpy(g.slices.v, f.slices.v, rows * sizeof(sup_row));
    memcpy(g.slices.q, f.slices.q, rows * sizeof(sup_quat));
    memcpy(g.slices.w, f.slices.w, rows * sizeof(sup_row));
    memcpy(g.slices.group_turn, f.slices.group_turn, groups * sizeof(sup_quat));
    memcpy(g.slices.part_turn, f.slices.part_turn, sizeof(sup_quat));
    g.parts.phase[0] = f.parts.phase[0];
    g.parts.left[0] = f.parts.left[0];
    g.parts.spent[0] = f.parts.spent[0];
    memcpy(g.parts.offset, f.parts.offset, BOX * sizeof(sup_vec3));
    memcpy(g.parts.flow, f.parts.flow, BOX * sizeof(sup_vec3));
    memcpy(g.parts.target, f.parts.target, BOX * sizeof(sup_vec3));
    memcpy(g.parts.flowed, f.parts.flowed, rows * sizeof(sup_quat));
    supi_part_refresh(&g.net, &g.parts);
    frames_run(&f, 0.5, 8);
    frames_run(&g, 0.5, 8);
    assert_memory_equal(f.slices.x, g.slices.x, rows * sizeof(sup_row));
    assert_memory_equal(f.slices.q, g.slices.q, rows * sizeof(sup_quat));
    frames_end(&f);
    frames_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dent),         cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_without_ramp), cmocka_unit_test(test_slow_hit),
        cmocka_unit_test(test_refresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
