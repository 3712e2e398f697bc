/* What debug drawing shows: how many lines and spheres, and where. */
#include "world/yard.h"

enum { MARKS_MAX = 100000 };

/* All that was drawn. */
typedef struct sheet {
    int32_t line_count, sphere_count;
    sup_vec3 (*lines)[2];
    uint32_t* line_colours;
    sup_vec3* centres;
    float* radii;
    uint32_t* sphere_colours;
} sheet;

static void note_line(void* user, sup_vec3 a, sup_vec3 b, uint32_t colour) {
    sheet* s = user;
    assert_true(s->line_count < MARKS_MAX);
    s->lines[s->line_count][0] = a;
    s->lines[s->line_count][1] = b;
    s->line_colours[s->line_count++] = colour;
}

static void note_sphere(void* user, sup_vec3 centre, float radius, uint32_t colour) {
    sheet* s = user;
    assert_true(s->sphere_count < MARKS_MAX);
    s->centres[s->sphere_count] = centre;
    s->radii[s->sphere_count] = radius;
    s->sphere_colours[s->sphere_count++] = colour;
}

static sheet make_sheet(void) {
    return (sheet){
        .lines = calloc(MARKS_MAX, sizeof(sup_vec3[2])),
        .line_colours = calloc(MARKS_MAX, sizeof(uint32_t)),
        .centres = calloc(MARKS_MAX, sizeof(sup_vec3)),
        .radii = calloc(MARKS_MAX, sizeof(float)),
        .sphere_colours = calloc(MARKS_MAX, sizeof(uint32_t)),
    };
}

static void free_sheet(sheet* s) {
    free(s->lines);
    free(s->line_colours);
    free(s->centres);
    free(s->radii);
    free(s->sphere_colours);
}

/* Draws onto an empty sheet; the world stays as it is. */
static void draw(const sup_world* world, sheet* s, uint32_t flags, const double* origin) {
    const sup_draw pens = {s, note_line, note_sphere};
    uint64_t hash = sup_world_hash(world);
    s->line_count = s->sphere_count = 0;
    sup_world_draw(world, &pens, flags, origin);
    assert_int_equal(sup_world_hash(world), hash);
}

static double gap(sup_vec3 a, const double b[3]) {
    return distance_of((double[3]){(double)a.x, (double)a.y, (double)a.z}, b);
}

static double length_of_line(const sheet* s, int32_t i) {
    const sup_vec3 *a = &s->lines[i][0], *b = &s->lines[i][1];
    return gap(*a, (double[3]){(double)b->x, (double)b->y, (double)b->z});
}

/* How many of the lines join these two places. */
static int32_t lines_between(const sheet* s, const double a[3], const double b[3], double slack) {
    int32_t count = 0;
    for (int32_t i = 0; i < s->line_count; i++) {
        const sup_vec3 *line = s->lines[i], from = line[0], to = line[1];
        count += (gap(from, a) < slack && gap(to, b) < slack) ||
                 (gap(from, b) < slack && gap(to, a) < slack);
    }
    return count;
}

/* ---- Colliders ---- */

/* The twelve edges of a box, each once. A quarter turn about z sends (x, y) to (-y, x). */
static void boxes_have_twelve_edges(void** state) {
    (void)state;
    const double origin[3] = {9999, 0, 10000}, half = sqrt(0.5);
    sup_world* world = make_world(NULL);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_BOX;
    def.position[0] = def.position[2] = 10000;
    def.half_size[0] = 0.1;
    def.half_size[1] = 0.2;
    def.half_size[2] = 0.3;
    def.rotation[2] = def.rotation[3] = half;
    add_collider(world, &def);
    sheet s = make_sheet();
    draw(world, &s, SUP_DRAW_COLLIDERS, origin);
    assert_int_equal(s.line_count, 12);
    assert_int_equal(s.sphere_count, 0);
    const double middle[3] = {1, 0, 0}, turned[3] = {0.2, 0.1, 0.3};
    for (int k = 0; k < 3; k++) {
        for (int side = 0; side < 4; side++) {
            double a[3], b[3];
            for (int i = 0; i < 3; i++) {
                int bit = i == (k + 1) % 3 ? side & 1 : side >> 1;
                a[i] = middle[i] + turned[i] * (i == k || bit ? 1 : -1);
                b[i] = middle[i] + turned[i] * (i != k && bit ? 1 : -1);
            }
            assert_int_equal(lines_between(&s, a, b, 1e-6), 1);
        }
    }
    free_sheet(&s);
    sup_world_destroy(world);
}

/* Every end of a line lies on the surface, and the lines reach all around. */
static void round_colliders_are_drawn_on_their_surface(void** state) {
    (void)state;
    sheet s = make_sheet();
    for (int capsule = 0; capsule < 2; capsule++) {
        sup_world* world = make_world(NULL);
        sup_collider_def def = sup_collider_default();
        def.kind = capsule ? SUP_COLLIDER_CAPSULE : SUP_COLLIDER_SPHERE;
        def.radius = 0.4;
        def.half_length = 0.7;
        def.position[0] = 2;
        add_collider(world, &def);
        draw(world, &s, SUP_DRAW_COLLIDERS, def.position);
        assert_true(s.line_count > 40 && s.line_count < 300);
        double high = 0, low = 0;
        for (int32_t i = 0; i < 2 * s.line_count; i++) {
            sup_vec3 p = s.lines[i / 2][i % 2];
            double y = (double)p.y, cap = capsule ? fmax(-0.7, fmin(0.7, y)) : 0.0;
            assert_below(fabs(gap(p, (double[3]){0, cap, 0}) - 0.4), 1e-6);
            high = fmax(high, y);
            low = fmin(low, y);
        }
        assert_below(fabs(high - (capsule ? 1.1 : 0.4)), 1e-6);
        assert_below(fabs(low + (capsule ? 1.1 : 0.4)), 1e-6);
        sup_world_destroy(world);
    }
    free_sheet(&s);
}

static void meshes_show_each_edge_once(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_collider_def def = sup_collider_default();
    sup_mesh ball;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.5, 1, &ball, NULL), SUP_OK);
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &ball;
    add_collider(world, &def);
    sheet s = make_sheet();
    draw(world, &s, SUP_DRAW_COLLIDERS, NULL);
    assert_int_equal(s.line_count, 120); /* 80 triangles, two to an edge */
    for (int32_t i = 0; i < 2 * s.line_count; i++) {
        assert_below(fabs(gap(s.lines[i / 2][i % 2], (double[3]){0, 0, 0}) - 0.5), 1e-6);
    }
    sup_mesh_free(&ball);
    free_sheet(&s);
    sup_world_destroy(world);
}

static void height_fields_are_grids_of_bearable_size(void** state) {
    (void)state;
    enum { SIDE = 1000 };
    float* heights = calloc(SIDE * SIDE, sizeof *heights);
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = (float)(i % 7);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_HEIGHTS;
    def.heights = heights;
    sheet s = make_sheet();
    const int32_t counts[2][2] = {{4, 3}, {SIDE, SIDE}};
    for (int i = 0; i < 2; i++) {
        sup_world* world = make_world(NULL);
        memcpy(def.height_count, counts[i], sizeof def.height_count);
        add_collider(world, &def);
        draw(world, &s, SUP_DRAW_COLLIDERS, NULL);
        if (i == 0) {
            assert_int_equal(s.line_count, 3 * 3 + 4 * 2);
            assert_int_equal(
                lines_between(&s, (double[3]){-1.5, 4, 0}, (double[3]){-1.5, 1, 1}, 1e-6), 1);
        }
        assert_true(s.line_count < 20000);
        double half = 0.5 * (counts[i][0] - 1);
        int32_t at_border = 0;
        for (int32_t k = 0; k < s.line_count; k++) {
            at_border += fabs((double)s.lines[k][1].x - half) < 1e-6;
        }
        assert_true(at_border >= 3);
        sup_world_destroy(world);
    }
    free(heights);
    free_sheet(&s);
}

/* A plane has no end: what is drawn of it lies around the bodies. */
static void planes_are_grids_under_the_bodies(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 500, 3, -200);
    sheet s = make_sheet();
    add_floor(world);
    draw(world, &s, SUP_DRAW_COLLIDERS, NULL);
    assert_true(s.line_count > 10 && s.line_count < 100);
    add_body(world, &def);
    draw(world, &s, SUP_DRAW_COLLIDERS, (double[3]){500, 0, -200});
    assert_true(s.line_count > 10 && s.line_count < 100);
    int32_t flat = 0;
    for (int32_t i = 0; i < s.line_count; i++) {
        flat += s.lines[i][0].y == 0 && s.lines[i][1].y == 0;
        for (int end = 0; end < 2; end++) assert_below(gap(s.lines[i][end], (double[3]){0}), 8);
    }
    assert_true(flat >= s.line_count - 3);
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- Bodies ---- */

static void bodies_show_edges_particles_clusters_and_bounds(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint_def recipe = sup_blueprint_default();
    const int32_t pin = 3;
    recipe.pins = &pin;
    recipe.pin_count = 1;
    recipe.radius = 0.07;
    sup_blueprint* print = box_of((double[3]){1, 2, 3}, 1, recipe);
    sup_body_def def = body_at(print, 10000, 0, -10000);
    sup_body body = add_body(world, &def);
    sheet s = make_sheet();
    draw(world, &s, SUP_DRAW_SURFACES, def.position);
    assert_int_equal(s.line_count, 12);
    assert_int_equal(
        lines_between(&s, (double[3]){-0.5, -1, -1.5}, (double[3]){-0.5, -1, 1.5}, 1e-5), 1);
    draw(world, &s, SUP_DRAW_BOUNDS, def.position);
    assert_int_equal(s.line_count, 12);
    assert_int_equal(lines_between(&s, (double[3]){0.5, 1, 1.5}, (double[3]){0.5, 1, -1.5}, 1e-5),
                     1);

    draw(world, &s, SUP_DRAW_PARTICLES, NULL);
    assert_int_equal(s.line_count, 0);
    assert_int_equal(s.sphere_count, 8);
    swarm places = read_swarm(world, body);
    int32_t odd = 0;
    for (int32_t i = 0; i < 8; i++) {
        assert_true(s.radii[i] == 0.07f);
        int32_t found = 0;
        for (int32_t k = 0; k < 8; k++) {
            found +=
                gap(s.centres[i], (double[3]){places.x[k].x, places.x[k].y, places.x[k].z}) < 1e-2;
        }
        assert_int_equal(found, 1);
        int32_t same = 0;
        for (int32_t k = 0; k < 8; k++) same += s.sphere_colours[k] == s.sphere_colours[i];
        odd += same == 1;
    }
    assert_int_equal(odd, 1); /* the pin */
    free_swarm(&places);

    draw(world, &s, SUP_DRAW_CLUSTERS, def.position);
    assert_int_equal(s.line_count, 3);
    for (int axis = 0; axis < 3; axis++) {
        const sup_vec3 *a = &s.lines[axis][0], *b = &s.lines[axis][1];
        const float way[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
        for (int k = 0; k < 3; k++) assert_true(k == axis ? way[k] > 0.1f : fabsf(way[k]) < 1e-5f);
    }
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Borders of an open surface are edges too, of bodies and of colliders. */
static void open_surfaces_show_their_borders(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_mesh sheet_mesh;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 1, 1, &sheet_mesh, NULL), SUP_OK);
    sup_collider_def collider = sup_collider_default();
    collider.kind = SUP_COLLIDER_MESH;
    collider.mesh = &sheet_mesh;
    add_collider(world, &collider);
    sup_blueprint* print = blueprint_of(&sheet_mesh, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    add_body(world, &def);
    sheet s = make_sheet();
    const double corners[4][3] = {{-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0.5, 0, 0.5}, {-0.5, 0, 0.5}};
    const uint32_t flags[2] = {SUP_DRAW_SURFACES, SUP_DRAW_COLLIDERS};
    for (int i = 0; i < 8; i++) {
        draw(world, &s, flags[i / 4], NULL);
        assert_int_equal(lines_between(&s, corners[i % 4], corners[(i + 1) % 4], 1e-6), 1);
    }
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* A box on the floor pushes down, and is grey once it sleeps. */
static void contacts_are_arrows_and_sleep_is_grey(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = box_of((double[3]){1, 1, 1}, 2, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0.51, 0);
    add_floor(world);
    sup_body body = add_body(world, &def);
    sheet s = make_sheet();
    draw(world, &s, SUP_DRAW_CONTACTS, NULL);
    assert_int_equal(s.line_count, 0);
    take_steps(world, 20);
    draw(world, &s, SUP_DRAW_CONTACTS, NULL);
    assert_true(s.line_count >= 3 * 3);
    int32_t upright = 0;
    for (int32_t i = 0; i < s.line_count; i++) {
        const sup_vec3 *a = &s.lines[i][0], *b = &s.lines[i][1];
        if (fabsf(a->x - b->x) > 1e-3f || fabsf(a->z - b->z) > 1e-3f) continue;
        assert_below(fabs((double)a->y), 0.01);
        assert_above((double)b->y, 0.05);
        upright++;
    }
    assert_int_equal(3 * upright, s.line_count);

    draw(world, &s, SUP_DRAW_BOUNDS | SUP_DRAW_SURFACES, NULL);
    for (int32_t i = 0; i < s.line_count; i++) assert_true(s.line_colours[i] != 0x808080);
    for (int i = 0; i < 600 && !sup_body_is_asleep(world, body); i++) take_steps(world, 1);
    assert_true(sup_body_is_asleep(world, body));
    draw(world, &s, SUP_DRAW_BOUNDS | SUP_DRAW_SURFACES | SUP_DRAW_PARTICLES, NULL);
    assert_true(s.line_count > 12 && s.sphere_count > 8);
    for (int32_t i = 0; i < s.line_count; i++) assert_int_equal(s.line_colours[i], 0x808080);
    for (int32_t i = 0; i < s.sphere_count; i++) assert_int_equal(s.sphere_colours[i], 0x808080);
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void attachments_are_lines(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = box_of((double[3]){1, 1, 1}, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_collider_def ball = sup_collider_default();
    sup_body bodies[2];
    bodies[0] = add_body(world, &def);
    def.position[0] = 3;
    bodies[1] = add_body(world, &def);
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.position[1] = 4;
    sup_collider collider = add_collider(world, &ball);
    sup_point places[8], others[8];
    assert_int_equal(sup_body_read_particles(world, bodies[0], places, NULL), SUP_OK);
    assert_int_equal(sup_body_read_particles(world, bodies[1], others, NULL), SUP_OK);
    sup_attachment_def links[3] = {sup_attachment_default(), sup_attachment_default(),
                                   sup_attachment_default()};
    double ends[3][3] = {{others[5].x, others[5].y, others[5].z}, {0.1, 4.2, 0.3}, {7, 8, 9}};
    links[0].other = bodies[1];
    links[0].other_particle = 5;
    links[1].collider = collider;
    for (int k = 0; k < 3; k++) links[1].point[k] = ends[1][k] - ball.position[k];
    memcpy(links[2].point, ends[2], sizeof links[2].point);
    for (int i = 0; i < 3; i++) {
        sup_error error = {0};
        links[i].body = bodies[0];
        links[i].particle = i;
        links[i].length = 20;
        assert_ok(sup_attachment_create(world, &links[i], NULL, &error), error);
    }
    sheet s = make_sheet();
    draw(world, &s, SUP_DRAW_ATTACHMENTS, NULL);
    assert_int_equal(s.line_count, 3);
    for (int i = 0; i < 3; i++) {
        const double held[3] = {places[i].x, places[i].y, places[i].z};
        assert_int_equal(lines_between(&s, held, ends[i], 1e-5), 1);
        assert_above(length_of_line(&s, i), 1);
    }
    assert_int_equal(sup_body_destroy(world, bodies[1]), SUP_OK);
    draw(world, &s, SUP_DRAW_ATTACHMENTS, NULL);
    assert_int_equal(s.line_count, 2);
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- Callbacks ---- */

static void missing_callbacks_are_not_called(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0.5, 0);
    sheet s = make_sheet();
    add_floor(world);
    add_body(world, &def);
    take_steps(world, 5);
    sup_world_draw(world, &(sup_draw){&s, NULL, NULL}, SUP_DRAW_ALL, NULL);
    sup_world_draw(world, &(sup_draw){&s, note_line, NULL}, SUP_DRAW_ALL, NULL);
    assert_true(s.line_count > 0 && s.sphere_count == 0);
    int32_t lines = s.line_count;
    sup_world_draw(world, &(sup_draw){&s, NULL, note_sphere}, SUP_DRAW_ALL, NULL);
    assert_true(s.line_count == lines && s.sphere_count == 42);

    /* All flags together show what each shows alone. */
    int32_t sum = 0;
    for (uint32_t flag = 1; flag < SUP_DRAW_ALL; flag *= 2) {
        draw(world, &s, flag, NULL);
        sum += s.line_count;
    }
    assert_int_equal(sum, lines);
    draw(world, &s, 0, NULL);
    assert_int_equal(s.line_count + s.sphere_count, 0);
    free_sheet(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_twelve_edges),
        cmocka_unit_test(round_colliders_are_drawn_on_their_surface),
        cmocka_unit_test(meshes_show_each_edge_once),
        cmocka_unit_test(height_fields_are_grids_of_bearable_size),
        cmocka_unit_test(planes_are_grids_under_the_bodies),
        cmocka_unit_test(bodies_show_edges_particles_clusters_and_bounds),
        cmocka_unit_test(open_surfaces_show_their_borders),
        cmocka_unit_test(contacts_are_arrows_and_sleep_is_grey),
        cmocka_unit_test(attachments_are_lines),
        cmocka_unit_test(missing_callbacks_are_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
