/* Spec 4, A20: sheets that are folded, thrown and pressed never begin to cross, and do when the
   bound is left out. Crossings are counted over the whole mesh, in double, in every frame. */
#include "contact/sheets.h"

/* All of it at night, a coarser and shorter version by day. */
static int32_t side(void) { return long_tests() ? 60 : short_tests() ? 12 : 26; }

static const float halves[] = {0.3f, 0.02f};

/* ---- Folded, thrown on itself, a ball and a plane ---- */

static void make_drop(sheets* s, float half) {
    sheets_make(s, side(), 1, half);
    sheets_fold(s, 2 * s->edge);
    sheets_throw(s, 0, 0, 0.8f, 0, 0, -5, 0);
    s->grounds[0] = (sheet_ground){false, {0, 1, 0}, 0};
    s->grounds[1] = (sheet_ground){true, {0, 0.3f, 0}, 0.3f};
    s->ground_count = 2;
}

static void a_dropped_fold_does_not_cross_and_comes_to_rest(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sheets s;
        make_drop(&s, halves[i]);
        assert_int_equal(sheets_run(&s, long_tests() ? 600 : short_tests() ? 20 : 240, 4), 0);
        print_message("half %g: rms %.3g mm/s, %lld in zones, at most %d rounds, least gap %.3f\n",
                      (double)halves[i], 1e3 * sheets_rms(&s), (long long)s.zoned, s.rounds,
                      (double)s.least);
        if (long_tests()) assert_true(sheets_rms(&s) < 2e-3);
        if (!short_tests()) assert_true(sheets_rms(&s) < 20e-3);
        assert_true(s.least > 0.05f);
        sheets_free(&s);
    }
}

static void without_the_bound_a_thin_fold_crosses(void** state) {
    (void)state;
    skip_under_sanitizers();
    sheets s;
    make_drop(&s, 0.02f);
    s.bound = false;
    assert_true(sheets_run(&s, long_tests() ? 120 : 60, 4) > 0);
    sheets_free(&s);
}

/* ---- Two sheets thrown at each other ---- */

static void make_throw(sheets* s, float half, float speed) {
    sheets_make(s, side(), 2, half);
    s->gravity = s->drag = 0;
    sheets_turn(s, 0, 0.5f, 0);
    sheets_turn(s, 1, -0.5f, 0.7f);
    sheets_throw(s, 0, 0, 0, 0, 0, speed, 0);
    sheets_throw(s, 1, 0.013f, 0.8f, 0.021f, 0, -speed, 0);
}

/* The largest component of sum v as a share of sum |v| at the start. */
static double momentum(const sheets* s, double speed) {
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int32_t i = 0; i < s->row_count; i++) sum += (double)(&s->v[i].x)[k];
        worst = fabs(sum) > worst ? fabs(sum) : worst;
    }
    return worst / (speed * s->row_count);
}

static void thrown_sheets_do_not_cross(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sheets s;
        make_throw(&s, halves[i], 10);
        assert_int_equal(sheets_run(&s, long_tests() ? 60 : short_tests() ? 6 : 20, 4), 0);
        print_message("half %g: momentum %.2g, %lld in zones, at most %d rounds\n",
                      (double)halves[i], momentum(&s, 10), (long long)s.zoned, s.rounds);
        assert_true(momentum(&s, 10) < 1e-5);
        sheets_free(&s);
    }
}

static void thrown_sheets_do_not_cross_in_one_substep(void** state) {
    (void)state;
    sheets s;
    make_throw(&s, 0.3f, 30);
    assert_int_equal(sheets_run(&s, long_tests() ? 60 : 15, 1), 0);
    assert_true(momentum(&s, 30) < 1e-5);
    sheets_free(&s);
}

static void without_the_bound_thrown_sheets_cross(void** state) {
    (void)state;
    skip_under_sanitizers();
    sheets s;
    make_throw(&s, 0.02f, 10);
    s.bound = false;
    assert_true(sheets_run(&s, 20, 4) > 0);
    sheets_free(&s);
    make_throw(&s, 0.3f, 30);
    s.bound = false;
    assert_true(sheets_run(&s, 15, 1) > 0);
    sheets_free(&s);
}

/* ---- A fold in free flight ---- */

static void a_fold_flies_freely(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sheets s;
        /* Coarser ones unfold faster than this looks at. */
        sheets_make(&s, long_tests() ? 60 : 26, 1, halves[i]);
        s.gravity = s.drag = 0;
        sheets_fold(&s, 2 * s.edge);
        sheets_throw(&s, 0, 0, 0, 0, 5, 0, 0);
        double from = 0, to = 0;
        for (int32_t r = 0; r < s.row_count; r++) from += (double)s.x[r].x / s.row_count;
        assert_int_equal(sheets_run(&s, 30, 4), 0);
        for (int32_t r = 0; r < s.row_count; r++) to += (double)s.x[r].x / s.row_count;
        assert_true(fabs(to - from - 2.5) < 1e-3);
        assert_true(sheets_rms(&s) < 5.02);
        sheets_free(&s);
    }
}

/* ---- A fold between two planes ---- */

/* Planes close to less than two layers, stay, and open again; the most crossings of a frame. */
static int32_t press(sheets* s, bool bound, int32_t close, int32_t hold, int32_t rest) {
    int32_t worst = 0;
    sheets_make(s, side(), 1, 0.02f);
    sheets_fold(s, 3 * s->edge);
    for (int32_t i = 0; i < s->row_count; i++) s->x[i].y += 0.5f * s->edge;
    s->grounds[0] = (sheet_ground){false, {0, 1, 0}, 0};
    s->ground_count = 2;
    s->bound = bound;
    float open = 4.5f * s->edge, shut = 2 * s->thickness - 0.1f * s->edge;
    for (int32_t f = 0; f < close + hold + rest; f++) {
        float part = f < close ? (float)f / (float)close : f < close + hold ? 1 : 0;
        s->grounds[1] = (sheet_ground){false, {0, -1, 0}, -(open + (shut - open) * part)};
        int32_t now = sheets_run(s, 1, 4);
        worst = now > worst ? now : worst;
    }
    return worst;
}

static void a_pressed_fold_does_not_cross(void** state) {
    (void)state;
    sheets s;
    int32_t rest = long_tests() ? 300 : short_tests() ? 5 : 60;
    int32_t hold = short_tests() ? 5 : long_tests() ? 120 : 40, close = short_tests() ? 5 : 60;
    assert_int_equal(press(&s, true, close, hold, rest), 0);
    print_message("least gap %.4f, rms %.3g mm/s\n", (double)s.least, 1e3 * sheets_rms(&s));
    assert_true(s.least >= 0.09f);
    if (long_tests()) assert_true(sheets_rms(&s) < 2e-3);
    sheets_free(&s);
}

static void without_the_bound_a_pressed_fold_crosses(void** state) {
    (void)state;
    skip_under_sanitizers();
    sheets s;
    assert_true(press(&s, false, 60, long_tests() ? 120 : 40, 1) > 0);
    sheets_free(&s);
}

/* ---- A fold that is held shut ---- */

/* Half of its thickness between the layers for good: what pushes them apart is taken back by the
   planes, and neither may be seen in the speeds of what lies still. */
static void what_is_held_shut_has_no_speed(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sheets s;
        sheets_make(&s, 16, 1, halves[i]);
        sheets_fold(&s, 3 * s.edge);
        for (int32_t r = 0; r < s.row_count; r++) s.x[r].y += 0.5f * s.edge;
        s.grounds[0] = (sheet_ground){false, {0, 1, 0}, 0};
        s.ground_count = 2;
        float open = 4.5f * s.edge, shut = 2 * s.thickness + s.half;
        for (int32_t f = 0; f < 80; f++) {
            float part = f < 60 ? (float)f / 60 : 1;
            s.grounds[1] = (sheet_ground){false, {0, -1, 0}, -(open + (shut - open) * part)};
            assert_int_equal(sheets_run(&s, 1, 4), 0);
        }
        print_message("half %g: %.3f mm/s\n", (double)halves[i], 1e3 * sheets_rms(&s));
        assert_true(sheets_rms(&s) < 1e-3);
        sheets_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_fold_does_not_cross_and_comes_to_rest),
        cmocka_unit_test(without_the_bound_a_thin_fold_crosses),
        cmocka_unit_test(thrown_sheets_do_not_cross),
        cmocka_unit_test(thrown_sheets_do_not_cross_in_one_substep),
        cmocka_unit_test(without_the_bound_thrown_sheets_cross),
        cmocka_unit_test(a_fold_flies_freely),
        cmocka_unit_test(a_pressed_fold_does_not_cross),
        cmocka_unit_test(without_the_bound_a_pressed_fold_crosses),
        cmocka_unit_test(what_is_held_shut_has_no_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
