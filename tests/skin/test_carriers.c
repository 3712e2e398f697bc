/* Which oriented particles a point of a skin follows, and how much. */
#include "skin/rigs.h"

static rig r;

static void check_weights(const supi_skin* skin, int32_t frame_count, int32_t most) {
    for (int32_t i = 0; i < skin->count; i++) {
        float sum = 0.0f;
        int32_t begin = skin->starts[i], end = skin->starts[i + 1];
        assert_in_range(end - begin, 1, most);
        for (int32_t s = begin; s < end; s++) {
            assert_in_range(skin->frames[s], 0, frame_count - 1);
            if (s > begin) assert_true(skin->frames[s] > skin->frames[s - 1]);
            assert_true(skin->weights[s] > 0.0f);
            sum += skin->weights[s];
        }
        assert_true(sum == 1.0f);
    }
}

/* ---- Beside the twin ---- */

static void compare(int32_t most, double aspect, uint64_t seed) {
    double worst = 0.0;
    int32_t full = 0;
    rig_make(&r, RIG_WIDE, aspect, &seed);
    rig_bind(&r, most);
    check_weights(&r.skin, r.count, most);
    for (int32_t i = 0; i < RIG_POINTS; i++) {
        double place[3];
        rig_vector(r.points + i, place);
        ref_slots own = rig_slots(&r, i),
                  twin = ref_skin_weigh(r.count, r.twins, r.starts, r.links, most, place);
        assert_int_equal(own.home, twin.home);
        assert_int_equal(own.count, twin.count);
        for (int32_t s = 0; s < own.count; s++) {
            assert_int_equal(own.carriers[s], twin.carriers[s]);
            worst = fmax(worst, fabs(own.weights[s] - twin.weights[s]));
        }
        full += own.count == most;
    }
    print_message("%d slots, radii 1 to %g: %.1e, %d of %d points full\n", (int)most, aspect, worst,
                  (int)full, (int)RIG_POINTS);
    assert_true(worst < 4e-6);
    assert_true(full > RIG_POINTS / 4);
    supi_arena_free(&r.arena);
}

static void test_twin(void** state) {
    (void)state;
    for (int32_t most = 1; most <= SUPI_CARRIER_SLOTS; most++) {
        compare(most, 1.0, 1);
        compare(most, 4.0, 2);
        compare(most, 16.0, 3);
    }
}

/* ---- Gaps ---- */

/* Two bars side by side, nearer to each other than their particles are: without a link between them
   no point of one follows the other. */
static void test_no_bleeding(void** state) {
    (void)state;
    enum { EACH = 10 };
    sup_vec3 centres[2 * EACH], points[200];
    int32_t starts[2 * EACH + 1], links[4 * EACH], used = 0;
    for (int32_t i = 0; i < 2 * EACH; i++) {
        centres[i] = (sup_vec3){0.1f * (float)(i % EACH), i < EACH ? 0.0f : 0.05f, 0.0f};
        starts[i] = used;
        if (i % EACH > 0) links[used++] = i - 1;
        if (i % EACH < EACH - 1) links[used++] = i + 1;
    }
    starts[2 * EACH] = used;
    for (int i = 0; i < 200; i++) {
        points[i] = (sup_vec3){0.0045f * (float)i, i % 2 ? 0.024f : 0.026f, 0.0f};
    }
    for (int linked = 0; linked < 2; linked++) {
        supi_carriers_def def = {.count = 2 * EACH,
                                 .centres = centres,
                                 .link_starts = linked ? starts : NULL,
                                 .links = linked ? links : NULL};
        supi_arena arena, scratch;
        supi_carriers carriers;
        supi_skin skin;
        int32_t several = 0;
        supi_arena_init(&arena, sup_allocator_default());
        supi_arena_init(&scratch, sup_allocator_default());
        assert_true(supi_carriers_build(&def, &arena, &carriers));
        assert_true(supi_carriers_bind(&carriers, 4, 200, points, &arena, &scratch, &skin));
        for (int32_t i = 0; i < 200; i++) {
            for (int32_t s = skin.starts[i]; s < skin.starts[i + 1]; s++) {
                assert_int_equal(skin.frames[s] / EACH, i % 2 ? 0 : 1);
            }
            several += skin.starts[i + 1] - skin.starts[i] > 1;
        }
        if (linked)
            assert_true(several > 20);
        else
            assert_int_equal(several, 0);
        supi_arena_free(&arena);
        supi_arena_free(&scratch);
    }
}

/* ---- Poor carriers ---- */

static void test_poor(void** state) {
    (void)state;
    const sup_quat still = {0, 0, 0, 1};
    const sup_vec3 centres[4] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const sup_ellipsoid discs[4] = {
        {still, {1, 1, 0}}, {still, {0, 0, 0}}, {still, {1, 0, 0}}, {still, {0, 0, 0}}};
    const sup_ellipsoid none[4] = {
        {still, {0, 0, 0}}, {still, {0, 0, 0}}, {still, {0, 0, 0}}, {still, {0, 0, 0}}};
    const int32_t starts[5] = {0, 2, 4, 7, 8}, links[8] = {1, 2, 0, 2, 0, 1, 3, 2};
    sup_vec3 points[7] = {{0, 0, 0},    {0.4f, 0.1f, 0},    {NAN, 0, 0}, {INFINITY, 0, 0},
                          {2, 0, 0.1f}, {-3e38f, 3e38f, 0}, {1.2f, 0, 0}};
    const sup_ellipsoid* shapes[3] = {discs, none, NULL};
    for (int32_t shape = 0; shape < 3; shape++) {
        supi_carriers_def def = {.count = 4,
                                 .centres = centres,
                                 .ellipsoids = shapes[shape],
                                 .link_starts = starts,
                                 .links = links};
        supi_arena arena, scratch;
        supi_carriers carriers;
        supi_skin skin;
        supi_arena_init(&arena, sup_allocator_default());
        supi_arena_init(&scratch, sup_allocator_default());
        assert_true(supi_carriers_build(&def, &arena, &carriers));
        assert_true(supi_carriers_bind(&carriers, 4, 7, points, &arena, &scratch, &skin));
        check_weights(&skin, 4, 4);
        assert_int_equal(skin.home[0], 0);
        for (int32_t s = 0; s < skin.starts[7] && shape == 0; s++) {
            assert_true(skin.frames[s] == 0 || skin.frames[s] == 2); /* those without radii */
        }
        assert_int_equal(skin.home[4], shape == 0 ? 2 : 3);
        supi_arena_free(&arena);
        supi_arena_free(&scratch);
    }
}

/* ---- Painted weights ---- */

static void test_painted(void** state) {
    (void)state;
    static const struct {
        int32_t painted, count;
        sup_skin_weight paint[4];
        supi_slot found[4], wanted[4];
    } cases[] = {
        /* Others share what is left as they shared all. */
        {1, 2, {{0, 7, 0.25f}}, {{2, 0.75}, {5, 0.25}}, {{2, 0.5625}, {5, 0.1875}, {7, 0.25}}},
        /* One that was found has what is painted. */
        {1, 2, {{0, 5, 0.5f}}, {{2, 0.75}, {5, 0.25}}, {{2, 0.5}, {5, 0.5}}},
        /* Nobody else: what is painted is all. */
        {2, 1, {{0, 3, 0.2f}, {0, 5, 0.2f}}, {{5, 1.0}}, {{3, 0.5}, {5, 0.5}}},
        {1, 2, {{0, 1, 1.0f}}, {{2, 0.75}, {5, 0.25}}, {{1, 1.0}}},
        /* The strongest of the others has the last place. */
        {3,
         2,
         {{0, 1, 0.25f}, {0, 3, 0.25f}, {0, 9, 0.25f}},
         {{2, 0.25}, {5, 0.75}},
         {{1, 0.25}, {3, 0.25}, {5, 0.25}, {9, 0.25}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        supi_slot slots[SUPI_CARRIER_SLOTS];
        int32_t home = -1, wanted = 0;
        memcpy(slots, cases[i].found, sizeof slots);
        while (wanted < 4 && cases[i].wanted[wanted].weight > 0.0) wanted++;
        int32_t count =
            supi_carriers_paint(cases[i].painted, cases[i].paint, 4, cases[i].count, slots, &home);
        assert_int_equal(count, wanted);
        for (int32_t s = 0; s < count; s++) {
            assert_int_equal(slots[s].frame, cases[i].wanted[s].frame);
            assert_true(fabs(slots[s].weight - cases[i].wanted[s].weight) < 4e-6);
        }
        const int32_t homes[] = {2, 2, 3, 1, 1};
        assert_int_equal(home, homes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_no_bleeding),
        cmocka_unit_test(test_poor),
        cmocka_unit_test(test_painted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
