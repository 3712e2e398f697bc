/* Skins on tetrahedra alone: inside, beside and far outside of them. */
#include "skin/hung.h"

#include "geom/tets.h"

#include <string.h>

enum { POINTS = 2000 };

static sup_tets tets;
static sup_vec3 places[POINTS];

/* A ball of tetrahedra; two thirds of the points lie in it, the others up to five radii away. */
static int set_up(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(0.5, 3);
    sup_tets_def def = sup_tets_default();
    def.cell = 0.15;
    uint64_t seed = 5;
    sup_result result = sup_tets_create(NULL, &ball, &def, &tets, NULL, NULL);
    sup_mesh_free(&ball);
    for (int i = 0; i < POINTS; i++) {
        double far = i % 3 == 0 ? 2.5 : 0.3;
        places[i] =
            (sup_vec3){(float)(far * random_number(&seed)), (float)(far * random_number(&seed)),
                       (float)(far * random_number(&seed))};
    }
    return result == SUP_OK ? 0 : -1;
}

static int tear_down(void** state) {
    (void)state;
    sup_tets_free(&tets);
    return 0;
}

typedef struct skin {
    supi_arena arena;
    supi_hung hung;
    int32_t home[POINTS];
} skin;

static void bind(skin* s) {
    supi_arena scratch;
    supi_arena_init(&s->arena, sup_allocator_default());
    supi_arena_init(&scratch, sup_allocator_default());
    assert_int_equal(
        supi_hung_bind(&tets, POINTS, places, &s->arena, &scratch, &s->hung, s->home, NULL),
        SUP_OK);
    supi_arena_free(&scratch);
}

/* Moves the corners by a map and a shift; `out` is where the points are then. */
static void pose(const skin* s, double f[3][3], const double shift[3], sup_row* out) {
    sup_row* x = malloc((size_t)tets.point_count * sizeof *x);
    for (int32_t i = 0; i < tets.point_count; i++) {
        const sup_vec3* p = &tets.points[i];
        double y[3];
        for (int k = 0; k < 3; k++)
            y[k] =
                f[k][0] * (double)p->x + f[k][1] * (double)p->y + f[k][2] * (double)p->z + shift[k];
        x[i] = (sup_row){(float)y[0], (float)y[1], (float)y[2], 7.0f};
    }
    supi_hung_pose(&s->hung, tets.tets, tets.points, x, out);
    free(x);
}

static double worst(const sup_row* out, double f[3][3], const double shift[3], const bool* skip) {
    double most = 0;
    for (int i = 0; i < POINTS; i++) {
        const sup_vec3* p = &places[i];
        const double at[3] = {(double)out[i].x, (double)out[i].y, (double)out[i].z};
        double square = 0;
        assert_true(out[i].w == 0.0f);
        if (skip && skip[i]) continue;
        for (int k = 0; k < 3; k++) {
            double y =
                f[k][0] * (double)p->x + f[k][1] * (double)p->y + f[k][2] * (double)p->z + shift[k];
            square += (at[k] - y) * (at[k] - y);
        }
        most = square > most * most ? sqrt(square) : most;
    }
    return most;
}

static void points_stand_in_the_order_of_tetrahedra(void** state) {
    (void)state;
    static skin s;
    bool seen[POINTS] = {false};
    int offsets = 0;
    bind(&s);
    for (int i = 0; i < POINTS; i++) {
        const sup_row* w = &s.hung.weights[i];
        const sup_vec3* o = &s.hung.offsets[i];
        const int32_t* tet = tets.tets + 4 * s.hung.tets[i];
        int32_t home = s.home[s.hung.points[i]];
        assert_true(i == 0 || s.hung.tets[i] >= s.hung.tets[i - 1]);
        assert_false(seen[s.hung.points[i]]);
        seen[s.hung.points[i]] = true;
        assert_true(fabs((double)(w->x + w->y + w->z + w->w) - 1) < 1e-5);
        assert_true(home == tet[0] || home == tet[1] || home == tet[2] || home == tet[3]);
        offsets += o->x != 0 || o->y != 0 || o->z != 0;
    }
    print_message("%d of %d points are carried rigidly\n", offsets, POINTS);
    assert_true(offsets > POINTS / 10 && offsets < POINTS / 2);
    supi_arena_free(&s.arena);
}

/* Nothing changes at rest; rigid motion is exact for all, affine motion for all that hang by
   weights alone. */
static void points_go_along(void** state) {
    (void)state;
    static skin s;
    static sup_row out[POINTS];
    double still[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, none[3] = {0, 0, 0};
    double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    double shift[3] = {1.5, -0.25, 0.75};
    double sheared[3][3] = {{1.3, 0.4, 0}, {0, 0.7, 0.2}, {-0.1, 0, 1.1}};
    bool rigid[POINTS] = {false};
    bind(&s);
    for (int i = 0; i < POINTS; i++) {
        const sup_vec3* o = &s.hung.offsets[i];
        rigid[s.hung.points[i]] = o->x != 0 || o->y != 0 || o->z != 0;
    }
    pose(&s, still, none, out);
    double rest = worst(out, still, none, NULL);
    pose(&s, turn, shift, out);
    double turned = worst(out, turn, shift, NULL);
    pose(&s, sheared, shift, out);
    double moved = worst(out, sheared, shift, rigid);
    print_message("rest %.2g, turned %.2g, affine %.2g m\n", rest, turned, moved);
    assert_true(rest < 1e-6 && turned < 1e-5 && moved < 1e-5);
    supi_arena_free(&s.arena);
}

/* A tetrahedron that is flat now leaves its points finite. */
static void flat_tetrahedra_do_no_harm(void** state) {
    (void)state;
    static skin s;
    static sup_row out[POINTS];
    double flat[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}, point[3][3] = {{0}}, none[3] = {0, 0, 0};
    bind(&s);
    pose(&s, flat, none, out);
    for (int i = 0; i < POINTS; i++) assert_true(isfinite(out[i].x + out[i].y + out[i].z));
    pose(&s, point, none, out);
    for (int i = 0; i < POINTS; i++) assert_true(isfinite(out[i].x + out[i].y + out[i].z));
    supi_arena_free(&s.arena);
}

static void tetrahedra_without_outside_are_refused(void** state) {
    (void)state;
    sup_tets bare = tets;
    supi_arena arena, scratch;
    supi_hung hung;
    int32_t home[POINTS];
    sup_error error = {0};
    bare.triangle_count = 0;
    supi_arena_init(&arena, sup_allocator_default());
    supi_arena_init(&scratch, sup_allocator_default());
    assert_int_equal(supi_hung_bind(&bare, POINTS, places, &arena, &scratch, &hung, home, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "these are no tetrahedra with a volume and their outside");
    supi_arena_free(&arena);
    supi_arena_free(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stand_in_the_order_of_tetrahedra),
        cmocka_unit_test(points_go_along),
        cmocka_unit_test(flat_tetrahedra_do_no_harm),
        cmocka_unit_test(tetrahedra_without_outside_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
