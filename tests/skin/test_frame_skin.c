/* Skins on oriented particles: both blends beside their twins, in all copies of the kernels, and
   the way back to rest. */
#include "skin/rigs.h"
#include "skin/undo.h"

#include "sizes.h"

static rig r;

static int set_up(void** state) {
    (void)state;
    uint64_t seed = 5;
    rig_make(&r, RIG_WIDE, 3.0, &seed);
    rig_bind(&r, SUPI_CARRIER_SLOTS);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    supi_arena_free(&r.arena);
    return 0;
}

static double angle_between(const double a[3], const double b[3]) {
    double across[3];
    ref_cross(a, b, across);
    return atan2(ref_length(across), ref_dot(a, b));
}

/* ---- Motions that leave the shape ---- */

/* Largest distances from where one motion takes places (in sizes) and directions (in rad). */
static void find_worst(const double turn[4], const double shift[3], double worst[2]) {
    double m[9];
    ref_quaternion_matrix(turn, m);
    worst[0] = worst[1] = 0.0;
    for (int32_t i = 0; i < RIG_POINTS; i++) {
        double p[3], n[3], t[3], to[3], place[3], normal[3], tangent[3];
        rig_vector(r.points + i, p);
        rig_vector(r.normals + i, n);
        rig_row(r.tangents + i, t);
        rig_row(r.places + i, place);
        rig_row(r.out_normals + i, normal);
        rig_row(r.out_tangents + i, tangent);
        ref_matrix_apply(m, p, to);
        for (int k = 0; k < 3; k++) to[k] += shift[k];
        worst[0] = fmax(worst[0], rig_distance(to, place) / r.size);
        ref_matrix_apply(m, n, to);
        worst[1] = fmax(worst[1], angle_between(to, normal));
        worst[1] = fmax(worst[1], fabs(ref_length(normal) - 1.0));
        ref_matrix_apply(m, t, to);
        worst[1] = fmax(worst[1], angle_between(to, tangent));
        assert_true(r.places[i].w == 0.0f && r.out_normals[i].w == 0.0f);
        assert_true(r.out_tangents[i].w == r.tangents[i].w);
    }
}

static void test_rest(void** state) {
    (void)state;
    const double still[4] = {0, 0, 0, 1}, nowhere[3] = {0};
    const supi_skin_kernels* kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    for (int dual = 0; dual < 2; dual++) {
        double worst[2];
        rig_move(&r, still, nowhere);
        rig_draw(&r, kernels, dual);
        find_worst(still, nowhere, worst);
        print_message("%s: %.1e sizes, %.1e rad\n", dual ? "dual" : "linear", worst[0], worst[1]);
        assert_true(worst[0] < 1e-6);
        assert_true(worst[1] < 1e-6);
    }
}

static void test_rigid(void** state) {
    (void)state;
    uint64_t seed = 8;
    const supi_skin_kernels* kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    double most[2][2] = {{0}};
    for (int trial = 0; trial < 40; trial++) {
        double turn[4], shift[3], worst[2];
        ref_quaternion_random(&seed, turn);
        for (int k = 0; k < 3; k++) shift[k] = 3.0 * r.size * ref_random(&seed);
        for (int dual = 0; dual < 2; dual++) {
            rig_move(&r, turn, shift);
            rig_draw(&r, kernels, dual);
            find_worst(turn, shift, worst);
            for (int k = 0; k < 2; k++) most[dual][k] = fmax(most[dual][k], worst[k]);
        }
    }
    print_message("linear %.1e sizes, %.1e rad; dual %.1e, %.1e\n", most[0][0], most[0][1],
                  most[1][0], most[1][1]);
    for (int dual = 0; dual < 2; dual++) {
        assert_true(most[dual][0] < 1e-5);
        assert_true(most[dual][1] < 1e-5);
    }
}

/* ---- Beside the twin ---- */

static void compare(bool dual) {
    double worst = 0.0, worst_turn = 0.0, differ = 0.0;
    for (int32_t i = 0; i < RIG_POINTS; i++) {
        const ref_slots slots = rig_slots(&r, i);
        double p[3], n[3], to[3], other[3], place[3], normal[3];
        rig_vector(r.points + i, p);
        rig_vector(r.normals + i, n);
        rig_row(r.places + i, place);
        rig_row(r.out_normals + i, normal);
        ref_skin_linear(r.twins, &slots, p, dual ? other : to);
        ref_skin_dual(r.twins, &slots, p, dual ? to : other);
        worst = fmax(worst, rig_distance(place, to) / r.size);
        differ = fmax(differ, rig_distance(to, other) / r.size);
        (dual ? ref_skin_dual_turn : ref_skin_linear_turn)(r.twins, &slots, n, to);
        worst_turn = fmax(worst_turn, angle_between(normal, to));
    }
    print_message("%s: %.1e sizes, %.1e rad; the two blends differ by %.1e\n",
                  dual ? "dual" : "linear", worst, worst_turn, differ);
    assert_true(worst < 2e-6);
    assert_true(worst_turn < 1e-5);
    assert_true(differ > 1e-3);
}

static void test_twin(void** state) {
    (void)state;
    const supi_skin_kernels* kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    for (int dual = 0; dual < 2; dual++) {
        rig_bend(&r, 2.0, 3.0);
        rig_draw(&r, kernels, dual);
        compare(dual);
    }
}

/* ---- A twist ---- */

/* Girth in the middle between two particles, of which one is turned by half a circle about their
   line: `places` of points around it, at a distance of 1. */
static double find_girth(bool dual) {
    enum { AROUND = 16 };
    const sup_row rest[2] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
    const sup_quat turn[2] = {{0, 0, 0, 1}, {1, 0, 0, 0}};
    const supi_skin_pose pose = {2, rest, rest, turn, NULL};
    const float zero[3] = {0};
    const supi_skin_kernels* kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    const sup_vec3 centres[2] = {{0, 0, 0}, {1, 0, 0}};
    const int32_t starts[3] = {0, 1, 2}, links[2] = {1, 0};
    const supi_carriers_def def = {
        .count = 2, .centres = centres, .link_starts = starts, .links = links};
    sup_vec3 points[AROUND];
    sup_row places[AROUND];
    supi_skin_frame frames[2];
    supi_skin_dual duals[2];
    supi_arena arena, scratch;
    supi_carriers carriers;
    supi_skin skin;
    supi_skin_plan plan;
    supi_arena_init(&arena, sup_allocator_default());
    supi_arena_init(&scratch, sup_allocator_default());
    for (int i = 0; i < AROUND; i++) {
        double angle = 6.283185307 * i / AROUND;
        points[i] = (sup_vec3){0.5f, (float)cos(angle), (float)sin(angle)};
    }
    assert_true(supi_carriers_build(&def, &arena, &carriers));
    assert_true(supi_carriers_bind(&carriers, 4, AROUND, points, &arena, &scratch, &skin));
    assert_true(supi_skin_plan_build(&skin, zero, NULL, NULL, &arena, &scratch, &plan));
    const supi_skin_drawn out = {places, NULL, NULL};
    kernels->frames(&pose, zero, frames, duals);
    if (dual)
        kernels->dual(&plan, duals, zero, &out);
    else
        kernels->linear(&plan, frames, zero, &out);
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < AROUND; i++) {
        double girth = hypot((double)places[i].y, (double)places[i].z);
        least = fmin(least, girth);
        most = fmax(most, girth);
    }
    supi_arena_free(&arena);
    supi_arena_free(&scratch);
    return dual ? least : most;
}

static void test_twist(void** state) {
    (void)state;
    double dual = find_girth(true), linear = find_girth(false);
    print_message("girth left: dual %.4f, linear %.4f\n", dual, linear);
    assert_true(dual > 0.95);
    assert_true(linear < 0.05);
}

/* ---- Copies of the kernels ---- */

static float any_float(uint64_t* seed) {
    static const float odd[] = {0.0f,   -0.0f,    1e-40f,    -1e-45f, 1e-30f, 1e19f,
                                -3e38f, INFINITY, -INFINITY, NAN,     1e8f,   -2e8f};
    if (ref_random_index(seed, 12) == 0) return odd[ref_random_index(seed, 12)];
    return (float)ref_random(seed);
}

/* Bit for bit; which NaN it is does not matter. */
static void assert_same(const void* a, const void* b, size_t bytes) {
    for (size_t i = 0; i < bytes; i += sizeof(float)) {
        float x, y;
        memcpy(&x, (const char*)a + i, sizeof x);
        memcpy(&y, (const char*)b + i, sizeof y);
        if (!(isnan(x) && isnan(y))) assert_memory_equal(&x, &y, sizeof x);
    }
}

static void compare_tables(void) {
    static rig first;
    const supi_skin_kernels* tables[4];
    int count = skin_tables(tables);
    for (int dual = 0; dual < 2; dual++) {
        for (int n = 0; n < count; n++) {
            rig_draw(&r, tables[n], dual);
            if (n == 0) {
                first = r;
                continue;
            }
            assert_same(first.frames, r.frames, sizeof r.frames);
            assert_same(first.duals, r.duals, sizeof r.duals);
            assert_same(first.places, r.places, sizeof r.places);
            assert_same(first.out_normals, r.out_normals, sizeof r.out_normals);
            assert_same(first.out_tangents, r.out_tangents, sizeof r.out_tangents);
        }
    }
}

static void test_kernels_equal(void** state) {
    (void)state;
    uint64_t seed = 77;
    rig_bend(&r, 2.0, 3.0);
    compare_tables();
    for (int trial = 0; trial < 20; trial++) {
        for (int32_t i = 0; i < r.count; i++) {
            r.x[i] = (sup_row){any_float(&seed), any_float(&seed), any_float(&seed), 0.0f};
            r.turn[i] =
                (sup_quat){any_float(&seed), any_float(&seed), any_float(&seed), any_float(&seed)};
        }
        compare_tables();
    }
}

/* The same places with and without normals and tangents, and whoever else is in the batch. */
static void test_company_does_not_matter(void** state) {
    (void)state;
    static sup_row places[RIG_ROOM], normals[RIG_ROOM];
    const supi_skin_kernels* kernels = supi_skin_kernels_choose(SUP_SIMD_AUTO);
    rig_bend(&r, 2.0, 3.0);
    for (int dual = 0; dual < 2; dual++) {
        rig_draw(&r, kernels, dual);
        for (int with = 0; with < 2; with++) {
            const supi_skin_drawn out = {places, with ? normals : NULL, NULL};
            if (dual)
                kernels->dual(&r.plan, r.duals, r.base, &out);
            else
                kernels->linear(&r.plan, r.frames, r.base, &out);
            assert_same(places, r.places, sizeof places);
            if (with) assert_same(normals, r.out_normals, sizeof normals);
        }
        for (int32_t i = 0; i < RIG_POINTS; i += 97) {
            int32_t begin = r.skin.starts[i], starts[2] = {0, r.skin.starts[i + 1] - begin};
            supi_skin one = {.count = 1,
                             .rest = r.points + i,
                             .home = r.skin.home + i,
                             .starts = starts,
                             .frames = r.skin.frames + begin,
                             .weights = r.skin.weights + begin};
            supi_skin_plan plan;
            supi_arena arena, scratch;
            const supi_skin_drawn out = {places, NULL, NULL};
            supi_arena_init(&arena, sup_allocator_default());
            supi_arena_init(&scratch, sup_allocator_default());
            assert_true(supi_skin_plan_build(&one, r.origin, NULL, NULL, &arena, &scratch, &plan));
            if (dual)
                kernels->dual(&plan, r.duals, r.base, &out);
            else
                kernels->linear(&plan, r.frames, r.base, &out);
            assert_same(places, r.places + i, sizeof *places);
            supi_arena_free(&arena);
            supi_arena_free(&scratch);
        }
    }
}

/* A skin of many points, of which so many that follow each other follow the same frames, listed in
   steps of `stride`. */
typedef struct crowd {
    int32_t count;
    int64_t stride;
    supi_skin_plan plan;
    sup_row* rows[3]; /* with room for one more */
} crowd;

enum { RUN = 12 };

static int32_t crowd_point(const crowd* c, int32_t i) {
    return (int32_t)(i * c->stride % c->count);
}

static void crowd_make(crowd* c, supi_arena* arena) {
    size_t count = (size_t)c->count, room = (size_t)supi_skin_room(c->count) + 2;
    int32_t used = 0;
    supi_skin skin = {.count = c->count};
    skin.rest = supi_arena_push(arena, count, sizeof *skin.rest);
    skin.starts = supi_arena_push(arena, count + 1, sizeof *skin.starts);
    skin.frames = supi_arena_push(arena, count * SUPI_CARRIER_SLOTS, sizeof *skin.frames);
    skin.weights = supi_arena_push(arena, count * SUPI_CARRIER_SLOTS, sizeof *skin.weights);
    sup_vec3* normals = supi_arena_push(arena, count, sizeof *normals);
    sup_row* tangents = supi_arena_push(arena, count, sizeof *tangents);
    for (int32_t i = 0; i < c->count; i++) {
        int32_t point = crowd_point(c, i), from = point % RIG_POINTS,
                like = point / RUN % RIG_POINTS;
        skin.rest[i] = r.points[from];
        normals[i] = r.normals[from];
        tangents[i] = r.tangents[from];
        for (int32_t s = r.skin.starts[like]; s < r.skin.starts[like + 1]; s++, used++) {
            skin.frames[used] = r.skin.frames[s];
            skin.weights[used] = r.skin.weights[s];
        }
        skin.starts[i + 1] = used;
    }
    assert_true(supi_skin_plan_build(&skin, r.origin, normals, tangents, arena, arena, &c->plan));
    for (int k = 0; k < 3; k++) c->rows[k] = supi_arena_push(arena, room, sizeof *c->rows[k]);
}

/* From row `shift` of the places on. */
static void crowd_draw(crowd* c, const supi_skin_kernels* kernels, bool dual, int shift) {
    const supi_skin_drawn out = {c->rows[0] + shift, c->rows[1], c->rows[2]};
    for (int k = 0; k < 3; k++) {
        memset(c->rows[k], 255, ((size_t)supi_skin_room(c->count) + 2) * sizeof *c->rows[k]);
    }
    rig_draw(&r, kernels, dual);
    if (dual)
        kernels->dual(&c->plan, r.duals, r.base, &out);
    else
        kernels->linear(&c->plan, r.frames, r.base, &out);
}

/* With every copy of the kernels: points in an order in which `group` of them stay together get the
   bits that they get in one in which none do, and no row is written beyond their room. */
static void compare_groups(int32_t count, int32_t group) {
    const supi_skin_kernels* tables[4];
    int table_count = skin_tables(tables);
    supi_arena arena;
    supi_arena_init(&arena, sup_allocator_default());
    crowd near = {.count = count, .stride = 1}, far = {.count = count, .stride = 7919};
    sup_row untouched;
    memset(&untouched, 255, sizeof untouched);
    crowd_make(&near, &arena);
    crowd_make(&far, &arena);
    assert_int_equal(near.plan.group, group);
    assert_int_equal(far.plan.group, 1);
    /* unoptimised copies need their time for so many */
    int first = short_tests() && count > SUPI_SKIN_LARGE ? 4 * (table_count - 1) : 0;
    for (int trial = first; trial < 4 * table_count; trial++) {
        bool dual = trial % 2;
        int shift = trial / 2 % 2;
        crowd_draw(&near, tables[trial / 4], dual, shift);
        crowd_draw(&far, tables[0], dual, 0);
        for (int k = 0; k < 3; k++) {
            const sup_row* rows = near.rows[k] + (k == 0 ? shift : 0);
            for (int32_t i = 0; i < count; i++) {
                assert_memory_equal(rows + crowd_point(&far, i), far.rows[k] + i, sizeof *rows);
            }
            assert_memory_equal(rows + supi_skin_room(count), &untouched, sizeof untouched);
        }
    }
    supi_arena_free(&arena);
}

static void test_groups(void** state) {
    (void)state;
    rig_bend(&r, 2.0, 3.0);
    compare_groups(321, 2);
    compare_groups(3 * SUPI_SKIN_WINDOW + 7, 2);
    compare_groups(SUPI_SKIN_LARGE + 3, SUPI_SKIN_LINE);
}

/* ---- Back to rest ---- */

static int32_t own_slots(int32_t point, supi_slot out[SUPI_SKIN_SLOTS]) {
    int32_t count = 0;
    for (int32_t s = r.skin.starts[point]; s < r.skin.starts[point + 1]; s++) {
        out[count++] = (supi_slot){r.skin.frames[s], (double)r.skin.weights[s]};
    }
    return count;
}

/* Relative to the base. */
static void drawn_place(int32_t point, double out[3]) {
    rig_row(r.places + point, out);
    for (int k = 0; k < 3; k++) out[k] -= (double)r.base[k];
}

static double missed(int32_t point, const double rest[3]) {
    double p[3];
    rig_vector(r.points + point, p);
    for (int k = 0; k < 3; k++) p[k] -= (double)r.origin[k];
    return rig_distance(p, rest) / r.size;
}

/* How far from the place the skin takes what was found, m. */
static void miss_of(bool dual, const double rest[3], const double place[3], double to[3]) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = rest[k] + (double)r.origin[k];
    const ref_slots slots =
        ref_skin_weigh(r.count, r.twins, r.starts, r.links, SUPI_CARRIER_SLOTS, at);
    (dual ? ref_skin_dual : ref_skin_linear)(r.twins, &slots, at, to);
    for (int k = 0; k < 3; k++) to[k] -= (double)r.base[k] + place[k];
}

static double left_over(bool dual, const double rest[3], const double place[3]) {
    double to[3];
    miss_of(dual, rest, place, to);
    return ref_length(to) / r.size;
}

static bool invert(const double m[9], double out[9]) {
    double rows[3][3], volume = 0.0;
    for (int k = 0; k < 3; k++) ref_cross(m + 3 * ((k + 1) % 3), m + 3 * ((k + 2) % 3), rows[k]);
    for (int k = 0; k < 3; k++) volume += m[k] * rows[0][k];
    for (int k = 0; k < 9; k++) out[k] = rows[k % 3][k / 3] / volume;
    return fabs(volume) > 1e-6;
}

/* Whether the skin takes some other point to the same place: by Newton's method in double from
   places around the one that is known. */
static bool has_twin(bool dual, int32_t point, const double place[3]) {
    double own[3], reach = 0.15;
    rig_vector(r.points + point, own);
    for (int start = 0; start < 343; start++) {
        const int cell[3] = {start % 7 - 3, start / 7 % 7 - 3, start / 49 - 3};
        double rest[3];
        for (int k = 0; k < 3; k++) {
            rest[k] = own[k] - (double)r.origin[k] + reach / 3.0 * cell[k];
        }
        for (int step = 0; step < 30; step++) {
            double at[3], m[9], inverse[9], by[3];
            miss_of(dual, rest, place, at);
            if (ref_length(at) < 1e-9) break;
            for (int j = 0; j < 3; j++) {
                double beside[3], there[3];
                memcpy(beside, rest, sizeof beside);
                beside[j] += 1e-6;
                miss_of(dual, beside, place, there);
                for (int k = 0; k < 3; k++) m[3 * k + j] = (there[k] - at[k]) / 1e-6;
            }
            if (!invert(m, inverse)) break;
            ref_matrix_apply(inverse, at, by);
            double length = ref_length(by), most = 0.02;
            for (int k = 0; k < 3; k++) rest[k] -= by[k] * (length > most ? most / length : 1.0);
        }
        double left[3];
        miss_of(dual, rest, place, left);
        if (ref_length(left) < 1e-7 && missed(point, rest) > 1e-4) return true;
    }
    return false;
}

typedef struct undone {
    double known, unknown; /* sizes, worst */
    int32_t tried, near, twice, lost, ended, wrong;
} undone;

/* Points where the blend keeps 0.3 of its volume: `near`: found within 1e-4 sizes; `twice`: not,
   but there are two or more that the skin takes to the same place; `lost`: not, though there is but
   one; `wrong`: said to be found, though the skin takes it elsewhere. */
static undone undo_all(bool dual) {
    const supi_skin_blend blend = {r.frames, dual ? r.duals : NULL};
    supi_arena arena;
    supi_skin_search search;
    undone u = {0};
    rig_draw(&r, supi_skin_kernels_choose(SUP_SIMD_AUTO), dual);
    supi_arena_init(&arena, sup_allocator_default());
    assert_true(supi_skin_search_build(&r.carriers, SUPI_CARRIER_SLOTS, r.size, &r.pose, &blend,
                                       r.origin, r.base, &arena, &search));
    for (int32_t i = 0; i < RIG_POINTS; i++) {
        const ref_slots twin = rig_slots(&r, i);
        supi_slot slots[SUPI_SKIN_SLOTS];
        double place[3], rest[3];
        if (!dual && ref_skin_volume(r.twins, &twin) < 0.3) continue;
        drawn_place(i, place);
        assert_true(supi_skin_undo(&blend, own_slots(i, slots), slots, place, rest));
        u.known = fmax(u.known, missed(i, rest));
        bool ended = supi_skin_search_find(&search, place, rest);
        bool near = missed(i, rest) < 1e-4, fits = left_over(dual, rest, place) < 3e-5;
        u.unknown = fmax(u.unknown, missed(i, rest));
        u.tried++;
        u.near += near;
        bool again = !near && (fits || has_twin(dual, i, place));
        u.twice += again;
        u.lost += !near && !again;
        u.ended += ended;
        u.wrong += ended && !fits;
    }
    supi_arena_free(&arena);
    print_message("%s: known %.1e sizes, unknown %.1e; of %d: %d near, %d twice, %d lost, %d "
                  "ended, %d wrong\n",
                  dual ? "dual" : "linear", u.known, u.unknown, (int)u.tried, (int)u.near,
                  (int)u.twice, (int)u.lost, (int)u.ended, (int)u.wrong);
    assert_true(u.known < 1e-4);
    assert_true(u.tried > RIG_POINTS / 2);
    return u;
}

/* A chain that is bent and twisted a little: all points are found. */
static void test_undo(void** state) {
    (void)state;
    uint64_t seed = 6;
    supi_arena_free(&r.arena);
    rig_make(&r, 1, 1.0, &seed);
    rig_bind(&r, SUPI_CARRIER_SLOTS);
    rig_bend(&r, 0.2, 0.3);
    for (int dual = 0; dual < 2; dual++) {
        const undone u = undo_all(dual);
        assert_int_equal(u.near, u.tried);
        assert_int_equal(u.ended, u.tried);
        assert_int_equal(u.wrong, 0);
    }
}

/* A thick bar that is bent much: where weights change fast, a few places have two or more points at
   rest, and any of them will do; of the others all are found. */
static void test_undo_much(void** state) {
    (void)state;
    uint64_t seed = 5;
    supi_arena_free(&r.arena);
    rig_make(&r, RIG_WIDE, 3.0, &seed);
    rig_bind(&r, SUPI_CARRIER_SLOTS);
    rig_bend(&r, 1.2, 1.0);
    for (int dual = 0; dual < 2; dual++) {
        const undone u = undo_all(dual);
        assert_true(u.near > 0.98 * u.tried);
        assert_int_equal(u.lost, 0);
        assert_true(u.ended > 0.99 * u.tried);
        assert_int_equal(u.wrong, 0);
    }
}

/* Two opposed rotations flatten a linear blend: the stronger one answers alone. */
static void test_undo_flat(void** state) {
    (void)state;
    const supi_skin_frame frames[2] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0}},
                                       {{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0}}};
    const supi_skin_blend blend = {frames, NULL};
    const supi_slot slots[2] = {{0, 0.51}, {1, 0.49}};
    const double place[3] = {3.0, 4.0, 5.0};
    double rest[3];
    assert_false(supi_skin_undo(&blend, 2, slots, place, rest));
    assert_true(rest[0] == 1.0 && rest[1] == 4.0 && rest[2] == 5.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),          cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_twin),          cmocka_unit_test(test_twist),
        cmocka_unit_test(test_kernels_equal), cmocka_unit_test(test_company_does_not_matter),
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_undo),
        cmocka_unit_test(test_undo_much),     cmocka_unit_test(test_undo_flat),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
