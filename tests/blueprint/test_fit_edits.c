/* Edits of rigs: one by one, by brushes, by text and by mirror; and all that is refused. */
#include "allocators.h"
#include "blueprint/rigs.h"

/* A row of particles along x, 1 m apart, linked to their neighbours. */
static sup_rig* row_of(int32_t count) {
    sup_rig* rig;
    assert_int_equal(sup_rig_create(NULL, NULL, &rig, NULL), SUP_OK);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(sup_rig_add(rig, (double[3]){i, 0, 0}, NULL, NULL), SUP_OK);
        if (i > 0) assert_int_equal(sup_rig_link(rig, i - 1, i, NULL), SUP_OK);
    }
    return rig;
}

/* ---- One by one ---- */

static void particles_come_and_go(void** state) {
    (void)state;
    sup_rig* rig = row_of(5);
    sup_brush two = ball(2.5, 0, 0, 0.6);
    int32_t part, removed;
    assert_int_equal(sup_rig_add_part(rig, &two, &part, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_PIN, 1, &two, NULL), SUP_OK);
    check_rig(rig);
    sup_rig_view v = sup_rig_get(rig);
    assert_int_equal(v.pin_count, 2);
    assert_int_equal(v.part_starts[1], 2);
    assert_int_equal(sup_rig_remove(rig, 2, NULL), SUP_OK); /* its links and memberships go too */
    check_rig(rig);
    v = sup_rig_get(rig);
    assert_int_equal(v.particle_count, 4);
    assert_int_equal(v.link_count, 2);
    assert_int_equal(v.part_starts[1], 1);
    assert_int_equal(v.pins[0], 2);
    assert_true(v.places[2].x == 3.0f);
    assert_int_equal(sup_rig_move(rig, 2, (double[3]){3, 1, 0}, NULL), SUP_OK);
    assert_true(sup_rig_get(rig).places[2].y == 1.0f);
    sup_brush last = ball(3.5, 0.5, 0, 1);
    assert_int_equal(sup_rig_erase(rig, &last, &removed, NULL), SUP_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(sup_rig_get(rig).part_count, 0); /* nobody was left in it */
    check_rig(rig);
    sup_rig_free(rig);
}

static void links_come_and_go(void** state) {
    (void)state;
    sup_rig* rig = row_of(6);
    int32_t removed;
    assert_int_equal(sup_rig_link(rig, 5, 0, NULL), SUP_OK);
    check_rig(rig);
    assert_int_equal(sup_rig_unlink(rig, 1, 0, NULL), SUP_OK);
    assert_int_equal(sup_rig_get(rig).link_count, 5);
    sup_brush right = {SUP_BRUSH_HALF, {2.5, 0, 0}, {-1, 0, 0}, 0};
    assert_int_equal(sup_rig_erase_links(rig, &right, 2, &removed, NULL), SUP_OK);
    assert_int_equal(removed, 2); /* 3-4 and 4-5; the long one has an end outside */
    assert_int_equal(sup_rig_erase_links(rig, &everywhere, INFINITY, &removed, NULL), SUP_OK);
    assert_int_equal(removed, 3);
    check_rig(rig);
    sup_rig_free(rig);
}

static void parts_share_joints(void** state) {
    (void)state;
    sup_rig* rig = row_of(7);
    sup_brush left = {SUP_BRUSH_HALF, {2.5, 0, 0}, {1, 0, 0}, 0};
    sup_brush right = {SUP_BRUSH_HALF, {3.5, 0, 0}, {-1, 0, 0}, 0};
    int32_t a, b, joint;
    assert_int_equal(sup_rig_add_part(rig, &left, &a, NULL), SUP_OK);
    assert_int_equal(sup_rig_add_part(rig, &right, &b, NULL), SUP_OK);
    assert_int_equal(sup_rig_join(rig, a, b, (double[3]){3.1, 0, 0}, &joint, NULL), SUP_OK);
    assert_int_equal(joint, 3);
    check_rig(rig);
    sup_rig_report report = report_of(rig);
    assert_int_equal(report.joint_count, 1);
    assert_int_equal(report.narrow_count, 0);
    assert_int_equal(sup_rig_add(rig, (double[3]){3, 0.01, 0}, &joint, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_member(rig, a, joint, true, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_member(rig, b, joint, true, NULL), SUP_OK);
    report = report_of(rig);
    assert_int_equal(report.joint_count, 2);
    assert_int_equal(report.narrow_count, 1); /* a hinge whose two particles nearly coincide */
    assert_int_equal(sup_rig_set_member(rig, a, joint, false, NULL), SUP_OK);
    sup_rig_plastic plastic = sup_rig_plastic_default();
    assert_int_equal(sup_rig_set_plastic(rig, b, &plastic, NULL), SUP_OK);
    assert_int_equal(sup_rig_remove_part(rig, a, NULL), SUP_OK);
    check_rig(rig);
    sup_rig_view v = sup_rig_get(rig);
    assert_int_equal(v.part_count, 1);
    assert_true(v.plastics[0].speed == 5.0f);
    assert_int_equal(v.part_starts[1], 5);
    sup_rig_free(rig);
}

/* ---- Painting ---- */

static void paint_goes_the_share_of_the_brush(void** state) {
    (void)state;
    sup_rig* rig = row_of(5);
    sup_brush brush = ball(0, 0, 0, 1);
    brush.fade = 2; /* half of it at 2, nothing at 3 */
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_STIFFNESS, 100, &brush, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_COMPLIANCE, 0.5, &brush, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_TORSION, 0.2, &brush, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_MASS, 4, &brush, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_PIN, 1, &brush, NULL), SUP_OK);
    sup_rig_view v = sup_rig_get(rig);
    assert_true(v.stiffness[0] == 100 && v.stiffness[1] == 100 && v.stiffness[3] == 200);
    assert_near((double)v.stiffness[2], 141.42136, 1e-4); /* half-way by the logarithm */
    assert_near((double)v.masses[2], 2, 1e-6);
    assert_near((double)v.links[0].compliance, 0.5, 1e-7);
    assert_true(v.links[1].compliance > 0.3f && v.links[1].compliance < 0.5f);
    assert_true(v.links[3].compliance == 0 && v.links[3].torsion == -1.0f);
    assert_near((double)v.links[0].torsion, 0.2, 1e-7);
    assert_int_equal(v.pin_count, 3);
    check_rig(rig);
    sup_rig_free(rig);
}

static void weights_of_vertices_are_kept_in_order(void** state) {
    (void)state;
    sup_rig* rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 30);
    sup_brush top = {SUP_BRUSH_HALF, {0, 0.5, 0}, {0, -1, 0}, 0};
    assert_int_equal(sup_rig_paint_weights(rig, 7, 0.6, &top, NULL), SUP_OK);
    int32_t count = sup_rig_get(rig).weight_count;
    assert_true(count > 10 && count < 100);
    assert_int_equal(sup_rig_paint_weights(rig, 3, 0.3, &top, NULL), SUP_OK);
    assert_int_equal(sup_rig_get(rig).weight_count, 2 * count);
    check_rig(rig);
    sup_rig_view v = sup_rig_get(rig);
    for (int32_t i = 0; i < v.weight_count; i += 2) {
        assert_int_equal(v.weights[i].vertex, v.weights[i + 1].vertex);
        assert_int_equal(v.weights[i].particle, 3);
        assert_int_equal(v.weights[i + 1].particle, 7);
    }
    assert_int_equal(sup_rig_paint_weights(rig, 7, 0, &top, NULL), SUP_OK);
    assert_int_equal(sup_rig_get(rig).weight_count, count);
    assert_int_equal(sup_rig_remove(rig, 3, NULL), SUP_OK);
    assert_int_equal(sup_rig_get(rig).weight_count, 0);
    sup_rig_free(rig);
}

static float weight_of(const sup_rig* rig, int32_t particle) {
    sup_rig_view v = sup_rig_get(rig);
    for (int32_t i = 0; i < v.weight_count; i++) {
        if (v.weights[i].vertex == v.weights[0].vertex && v.weights[i].particle == particle) {
            return v.weights[i].weight;
        }
    }
    return 0.0f;
}

/* The last stroke counts, and older ones make room for it: in all never more than 1, or four. */
static void painted_weights_make_room(void** state) {
    (void)state;
    sup_rig* rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 30);
    const struct {
        int32_t particle;
        double weight;
        float wanted[5]; /* of particles 0 to 4, then */
    } strokes[] = {{0, 0.6, {0.6f}},
                   {1, 0.2, {0.6f, 0.2f}},
                   {2, 0.5, {0.375f, 0.125f, 0.5f}},
                   {3, 0.2, {0.3f, 0.1f, 0.4f, 0.2f}},
                   {4, 0.5, {0.15f, 0, 0.2f, 0.1f, 0.5f}},
                   {2, 0, {0.15f, 0, 0, 0.1f, 0.5f}},
                   {1, 1, {0, 1}}};
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        assert_int_equal(
            sup_rig_paint_weights(rig, strokes[i].particle, strokes[i].weight, &everywhere, NULL),
            SUP_OK);
        for (int32_t p = 0; p < 5; p++) {
            assert_near((double)weight_of(rig, p), (double)strokes[i].wanted[p], 1e-6);
        }
    }
    sup_rig_free(rig);
}

/* ---- Masses ---- */

static double mass_of(const sup_rig* rig, const sup_brush* brush) {
    sup_rig_view v = sup_rig_get(rig);
    double sum = 0;
    for (int32_t i = 0; i < v.particle_count; i++) {
        const double place[3] = {(double)v.places[i].x, (double)v.places[i].y,
                                 (double)v.places[i].z};
        if (sup_brush_share(brush, place) >= 0.5) sum += (double)v.masses[i];
    }
    return sum;
}

/* What is new takes its mass from what was there: nothing becomes heavier, or denser somewhere. */
static void new_particles_take_their_share(void** state) {
    (void)state;
    const sup_brush half = below(0);
    for (int where = SUP_SPRAY_INSIDE; where <= SUP_SPRAY_SURFACE; where++) {
        sup_rig* rig = body_of(sphere_mesh(3), (sup_spray_where)where, 100);
        int32_t before = sup_rig_get(rig).particle_count, id;
        assert_int_equal(sup_rig_paint(rig, SUP_PAINT_MASS, 4, &half, NULL), SUP_OK);
        double whole = mass_of(rig, &everywhere), low = mass_of(rig, &half);
        const double place[3] = {0.598, where == SUP_SPRAY_INSIDE ? 0.4 : 0.717, 0.359};
        assert_int_equal(sup_rig_add(rig, place, &id, NULL), SUP_OK);
        sup_rig_view v = sup_rig_get(rig);
        double mean = (whole - low) / (0.5 * before);
        print_message("%.2f of the mean mass\n", (double)v.masses[id] / mean);
        assert_true((double)v.masses[id] > 0.1 * mean && (double)v.masses[id] < 1.5 * mean);
        assert_near(mass_of(rig, &everywhere), whole, 1e-5 * whole);
        sup_spray_def more = sup_spray_default();
        more.where = (sup_spray_where)where;
        more.spacing = 0.5 * v.settings.spacing;
        assert_int_equal(sup_rig_spray(rig, &more, NULL, NULL), SUP_OK);
        assert_true(sup_rig_get(rig).particle_count > 2 * before);
        assert_near(mass_of(rig, &everywhere), whole, 1e-5 * whole);
        assert_near(mass_of(rig, &half), low, 0.05 * low); /* still four times as dense */
        /* Where nobody was, by density; and by another one when asked. */
        assert_int_equal(sup_rig_erase(rig, &everywhere, NULL, NULL), SUP_OK);
        more.spacing = 0.2;
        assert_int_equal(sup_rig_spray(rig, &more, NULL, NULL), SUP_OK);
        double usual = where == SUP_SPRAY_INSIDE ? 1000 * 4.189 : 12.57;
        assert_near(mass_of(rig, &everywhere), usual, 0.02 * usual);
        assert_int_equal(sup_rig_edit(rig, "edit", "density 500", 11, NULL), SUP_OK);
        usual *= where == SUP_SPRAY_INSIDE ? 0.5 : 500;
        assert_near(mass_of(rig, &everywhere), usual, 0.02 * usual);
        sup_rig_free(rig);
    }
}

/* ---- Mirror ---- */

/* The particle at the image of another one in the plane x = 0, exactly. */
static int32_t image_of(const sup_rig_view* v, int32_t id) {
    for (int32_t i = 0; i < v->particle_count; i++) {
        if (v->places[i].x == -v->places[id].x && v->places[i].y == v->places[id].y &&
            v->places[i].z == v->places[id].z) {
            return i;
        }
    }
    fail_msg("particle %d has no image", (int)id);
    return -1;
}

static bool has_link(const sup_rig_view* v, int32_t a, int32_t b) {
    for (int32_t i = 0; i < v->link_count; i++) {
        if ((v->links[i].a == a && v->links[i].b == b) ||
            (v->links[i].a == b && v->links[i].b == a))
            return true;
    }
    return false;
}

/* R diag(r^2) R^T. */
static void second_moment(const sup_ellipsoid* e, double m[9]) {
    double x = (double)e->rotation.x, y = (double)e->rotation.y, z = (double)e->rotation.z,
           w = (double)e->rotation.w;
    const double axes[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++) {
        m[i] = 0;
        for (int k = 0; k < 3; k++) {
            double r = (double)e->radii[k];
            m[i] += r * r * axes[3 * (i / 3) + k] * axes[3 * (i % 3) + k];
        }
    }
}

static void mirrored_rigs_are_the_same_on_both_sides(void** state) {
    (void)state;
    for (int where = SUP_SPRAY_INSIDE; where <= SUP_SPRAY_SURFACE; where++) {
        sup_mesh mesh;
        assert_int_equal(sup_mesh_torus(NULL, 1, 0.3, 40, 20, &mesh, NULL), SUP_OK);
        sup_rig* rig = body_of(mesh, (sup_spray_where)where, 200);
        sup_brush arm = ball(1, 0, 0, 0.5), front = ball(0, 0, 1, 0.5);
        assert_int_equal(sup_rig_add_part(rig, &arm, NULL, NULL), SUP_OK);
        assert_int_equal(sup_rig_add_part(rig, &front, NULL, NULL), SUP_OK);
        assert_int_equal(sup_rig_paint(rig, SUP_PAINT_STIFFNESS, 50, &arm, NULL), SUP_OK);
        assert_int_equal(sup_rig_mirror(rig, (double[3]){0, 0, 0}, (double[3]){2, 0, 0}, NULL),
                         SUP_OK);
        check_rig(rig);
        sup_rig_view v = sup_rig_get(rig);
        assert_int_equal(v.part_count, 3); /* one arm each, one front */
        for (int32_t i = 0; i < v.particle_count; i++) {
            int32_t other = image_of(&v, i);
            double a[9], b[9];
            assert_true(v.masses[i] == v.masses[other] && v.flags[i] == v.flags[other]);
            assert_true(v.stiffness[i] == v.stiffness[other]);
            second_moment(&v.ellipsoids[i], a);
            second_moment(&v.ellipsoids[other], b);
            for (int k = 0; k < 9; k++) {
                double sign = (k / 3 == 0) != (k % 3 == 0) ? -1 : 1;
                assert_near(a[k], sign * b[k], 1e-6);
            }
            assert_near((double)v.normals[i].x, -(double)v.normals[other].x, 1e-6);
        }
        for (int32_t i = 0; i < v.link_count; i++) {
            int32_t a = image_of(&v, v.links[i].a), b = image_of(&v, v.links[i].b);
            assert_true(has_link(&v, a, b));
        }
        sup_rig_report report = report_of(rig);
        assert_int_equal(report.component_count, 1);
        assert_true(report.farthest < 1.5 * v.settings.spacing);
        sup_rig_free(rig);
    }
}

static void weights_are_mirrored(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_torus(NULL, 1, 0.3, 40, 20, &mesh, NULL), SUP_OK);
    sup_rig* rig = body_of(mesh, SUP_SPRAY_INSIDE, 100);
    sup_brush right = ball(1.3, 0, 0, 0.3);
    assert_int_equal(sup_rig_paint_weights(rig, 0, 0.5, &right, NULL), SUP_OK);
    sup_rig_view v = sup_rig_get(rig);
    bool here = v.places[0].x > 0.1f;
    int32_t count = v.weight_count;
    assert_true(count > 4);
    double side = here ? 1 : -1;
    if (!here) { /* the particle must be on the side that stays */
        assert_int_equal(sup_rig_move(rig, 0, (double[3]){1, 0, 0}, NULL), SUP_OK);
        side = 1;
    }
    assert_int_equal(sup_rig_mirror(rig, (double[3]){0, 0, 0}, (double[3]){side, 0, 0}, NULL),
                     SUP_OK);
    check_rig(rig);
    assert_int_equal(sup_rig_get(rig).weight_count, 2 * count);
    sup_rig_free(rig);
}

/* It goes with its particle, and to the image of that. */
static void turn_radii_stay_with_their_particles(void** state) {
    (void)state;
    sup_rig *rig, *copy;
    assert_int_equal(sup_rig_create(NULL, NULL, &rig, NULL), SUP_OK);
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(sup_rig_add(rig, (double[3]){1.0 + i, 0, 0}, NULL, NULL), SUP_OK);
    }
    assert_int_equal(sup_rig_set_turn_radius(rig, 1, 0.5, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_turn_radius(rig, 0, NAN, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_remove(rig, 0, NULL), SUP_OK);
    assert_int_equal(sup_rig_mirror(rig, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, NULL), SUP_OK);
    assert_int_equal(sup_rig_copy(rig, &copy, NULL), SUP_OK);
    sup_rig_view v = sup_rig_get(copy);
    assert_int_equal(v.particle_count, 2);
    assert_true(v.turn_radii[0] == 0.5f && v.turn_radii[1] == 0.5f);
    sup_blueprint_def def = sup_blueprint_default();
    sup_rig_fill_def(copy, &def);
    assert_ptr_equal(def.moment_radii, v.turn_radii);
    sup_rig_free(rig);
    sup_rig_free(copy);
}

/* ---- Text ---- */

static sup_result edit(sup_rig* rig, const char* text, sup_error* error) {
    return sup_rig_edit(rig, "edits.txt", text, strlen(text), error);
}

static void texts_do_what_calls_do(void** state) {
    (void)state;
    sup_rig *a = body_of(sphere_mesh(3), SUP_SPRAY_INSIDE, 60), *b;
    sup_error error = {0};
    assert_int_equal(sup_rig_copy(a, &b, NULL), SUP_OK);
    assert_true(same_rig(a, b));
    assert_done(edit(a,
                     "# all of it\n"
                     "pin below y -0.5   # the foot\n"
                     "\n"
                     "stiffness 50 sphere 0 0.5 0 0.3 fade 0.2\n"
                     "compliance 0.001 box -1 -1 -1 1 0 1\r\n"
                     "torsion 0.1 all\n"
                     "torsion free above y 0.2\n"
                     "damping 3 half 0 0 0 1 1 0\n"
                     "mass 2 all\n"
                     "part above y 0.5\n"
                     "plastic 4 0.5 0.2 0.1 50\n"
                     "weight 4 0.5 above y 0.9\n"
                     "ellipsoid 3 0.1 0.2 0.3\n"
                     "ellipsoid 5 0.1 0.2 0.3 0 0 2 2\n"
                     "turn-radius 6 0.4\n"
                     "turn-radius 7 0.4\n"
                     "turn-radius 7 shape\n"
                     "weigh-mass 12\n"
                     "add 0 2 0\n",
                     &error),
                &error);
    sup_brush foot = below(-0.5), top = {SUP_BRUSH_HALF, {0, 0.5, 0}, {0, -1, 0}, 0};
    sup_brush spot = ball(0, 0.5, 0, 0.3), high = {SUP_BRUSH_HALF, {0, 0.2, 0}, {0, -1, 0}, 0};
    sup_brush lower = {SUP_BRUSH_BOX, {0, -0.5, 0}, {1, 0.5, 1}, 0};
    sup_brush slope = {SUP_BRUSH_HALF, {0, 0, 0}, {1, 1, 0}, 0};
    sup_brush crown = {SUP_BRUSH_HALF, {0, 0.9, 0}, {0, -1, 0}, 0};
    sup_rig_plastic plastic = {4, 0.5f, 0.2f, 0.1f, 50};
    spot.fade = 0.2;
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_PIN, 1, &foot, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_STIFFNESS, 50, &spot, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_COMPLIANCE, 0.001, &lower, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_TORSION, 0.1, &everywhere, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_TORSION, -1, &high, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_DAMPING, 3, &slope, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint(b, SUP_PAINT_MASS, 2, &everywhere, NULL), SUP_OK);
    assert_int_equal(sup_rig_add_part(b, &top, NULL, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_plastic(b, -1, &plastic, NULL), SUP_OK);
    assert_int_equal(sup_rig_paint_weights(b, 4, 0.5, &crown, NULL), SUP_OK);
    sup_ellipsoid egg = {{0, 0, 0, 1}, {0.1f, 0.2f, 0.3f}}, turned = egg;
    turned.rotation = (sup_quat){0, 0, 2, 2};
    assert_int_equal(sup_rig_set_ellipsoid(b, 3, &egg, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_ellipsoid(b, 5, &turned, NULL), SUP_OK);
    assert_int_equal(sup_rig_set_turn_radius(b, 6, 0.4, NULL), SUP_OK);
    sup_weigh_def weigh = sup_weigh_default();
    weigh.mass = 12;
    assert_int_equal(sup_rig_weigh(b, &weigh, NULL), SUP_OK);
    assert_int_equal(sup_rig_add(b, (double[3]){0, 2, 0}, NULL, NULL), SUP_OK);
    assert_true(same_rig(a, b));
    assert_done(edit(a,
                     "link 0 50\nunlink 0 50\nmove 3 0 0 0.1\nmember 0 0\nunmember 0 0\n"
                     "part below y 0\njoin 0 1 0 0.3 0\nplastic-part 1 5 1 0.3 0.2 100\n"
                     "erase-links all above y 0.5\nerase-links 0.2 all\nerase sphere 0 2 0 0.1\n"
                     "remove 0\nunpart 1\nspray surface 0.3 5 above y 0.5\nlinks 0.5 all\nbridge\n"
                     "fit all\nunpin all\nmirror -x 0\n",
                     &error),
                &error);
    check_rig(a);
    sup_rig_free(a);
    sup_rig_free(b);
}

/* The whole text or nothing, and every refusal with its place. */
static void texts_are_refused_with_their_place(void** state) {
    (void)state;
    static const char* const bad[][2] = {
        {"pin all\npinn all", "edits.txt:2:1: \"pinn\" is no edit; known: pin, unpin"},
        {"pin", "edits.txt:1:4: the line ends: a region is missing"},
        {"pin everywhere", "edits.txt:1:5: \"everywhere\": a region is all, sphere"},
        {"pin below w 3", "\"w\": the axis must be x, y, z"},
        {"pin below y", "1:12: the line ends: where it ends is missing"},
        {"pin sphere 0 0 zero 1", "1:16: \"zero\": its place must be a number"},
        {"pin sphere 0 0 0 -1", "1:1: a region has sizes"},
        {"pin all fade", "the line ends: the fade is missing"},
        {"pin all all", "1:9: \"all\": the edit should have ended"},
        {"stiffness -1 all", "1:1: a stiffness is from 0 to 1e5"},
        {"pin sphere 99 0 0 1", "1:1: no particle is there"},
        {"weight 0 2 all", "1:1: a weight is from 0 to 1"},
        {"spray inside 0 1 all", "1:1: the spacing must be above 0"},
        {"stiffness 1e9x all", "must be a number"},
        {"remove 1000", "there is no particle 1000: the rig has"},
        {"remove 1.5", "must be a whole number from 0 on"},
        {"link 1 1", "particle 1 cannot be linked to itself"},
        {"link 0 1\nlink 1 0", "particles 1 and 0 are linked already"},
        {"erase-links all all\nunlink 0 1", "2:1: particles 0 and 1 are not linked"},
        {"part sphere 50 0 0 1", "no particle is there"},
        {"unpart 0", "there is no part 0: the rig has 0"},
        {"part all\njoin 0 0 0 0 0", "part 0 cannot be joined to itself"},
        {"plastic 5 2 0.3 0.05 100\n", "the permanence of a dent is out of its range"},
        {"part all\nplastic 5 1 0.3 0.21 100", "2:1: the time for which a part is soft is out of"},
        {"ellipsoid 1 1 1", "1:16: the line ends: the value is missing"},
        {"ellipsoid 1 1 1 1 0 0 1", "the line ends: the quaternion is missing"},
        {"ellipsoid 1 1 1 1 0 0 0 0", "1:1: an ellipsoid needs a quaternion of some length"},
        {"ellipsoid 1 1 -1 1", "1:1: an ellipsoid needs"},
        {"ellipsoid 99 1 1 1", "1:1: there is no particle 99"},
        {"turn-radius 1 2000", "1:1: a turn radius is at most 1000 m"},
        {"turn-radius 99 1", "1:1: there is no particle 99"},
        {"turn-radius 1 round", "1:15: \"round\": the radius must be a number"},
        {"weigh-mass 0", "1:1: the mass must be above 0"},
        {"mirror q 0", "the axis must be"},
        {"spray outside 1 1 all", "where must be inside or surface"},
        {"", "edits.txt:1:1: the file is empty"}};
    sup_rig *rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 20), *before;
    assert_int_equal(edit(rig, "erase-links all all\nlinks 0.9 all", NULL), SUP_OK);
    assert_int_equal(sup_rig_copy(rig, &before, NULL), SUP_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sup_error error = {0};
        sup_result result = edit(rig, bad[i][0], &error);
        assert_true(result == SUP_BAD_FILE || result == SUP_BAD_ARGUMENT);
        assert_int_equal(error.code, result);
        if (!strstr(error.text, bad[i][1])) {
            fail_msg("\"%s\" gives \"%s\", not \"%s\"", bad[i][0], error.text, bad[i][1]);
        }
        assert_true(same_rig(rig, before));
    }
    sup_rig_free(rig);
    sup_rig_free(before);
}

/* ---- Refusals ---- */

static void bad_calls_change_nothing(void** state) {
    (void)state;
    sup_error error = {0};
    sup_rig *rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 20), *before, *bare = row_of(3);
    assert_int_equal(sup_rig_copy(rig, &before, NULL), SUP_OK);
    sup_spray_def spray = sup_spray_default();
    assert_says(sup_rig_spray(bare, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "cannot spray: the rig has no mesh");
    spray.size = 1;
    assert_says(sup_rig_spray(rig, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "must come from its default function");
    spray = sup_spray_default();
    spray.spacing = 1e-6;
    assert_says(sup_rig_spray(rig, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "less than a hundred-thousandth");
    spray.spacing = NAN;
    assert_says(sup_rig_spray(rig, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "the spacing is out of its range");
    spray = sup_spray_default();
    spray.seed = -1;
    assert_says(sup_rig_spray(rig, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error, "the seed");
    spray = sup_spray_default();
    spray.brush.kind = SUP_BRUSH_HALF; /* without a direction */
    assert_says(sup_rig_spray(rig, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error, "a region has");
    sup_fit_def fit = sup_fit_default();
    assert_says(sup_rig_fit(bare, &fit, &error), SUP_BAD_ARGUMENT, &error, "cannot fit ellipsoids");
    fit.aspect = 0.5;
    assert_says(sup_rig_fit(rig, &fit, &error), SUP_BAD_ARGUMENT, &error, "the aspect");
    sup_weigh_def weigh = sup_weigh_default();
    weigh.density = 0;
    assert_says(sup_rig_weigh(rig, &weigh, &error), SUP_BAD_ARGUMENT, &error, "the density");
    weigh = sup_weigh_default();
    weigh.mass = 1e12;
    assert_says(sup_rig_weigh(rig, &weigh, &error), SUP_BAD_ARGUMENT, &error, "change the density");
    assert_says(sup_rig_mirror(rig, (double[3]){0, 0, 0}, (double[3]){0, 0, 0}, &error),
                SUP_BAD_ARGUMENT, &error, "has no direction");
    assert_says(sup_rig_move(rig, 0, (double[3]){NAN, 0, 0}, &error), SUP_BAD_ARGUMENT, &error,
                "within 1e6 m");
    assert_says(sup_rig_paint(rig, (sup_paint)9, 1, &everywhere, &error), SUP_BAD_ARGUMENT, &error,
                "what is painted");
    assert_says(sup_rig_set_stiffness(rig, -1, &error), SUP_BAD_ARGUMENT, &error, "a stiffness");
    assert_true(same_rig(rig, before));
    sup_mesh sheet;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 4, 4, &sheet, NULL), SUP_OK);
    sup_rig* open = rig_of(sheet);
    spray = sup_spray_default();
    spray.where = SUP_SPRAY_INSIDE;
    assert_says(sup_rig_spray(open, &spray, NULL, &error), SUP_BAD_ARGUMENT, &error,
                "the mesh has 16 open edges: nothing is inside; spray its surface");
    sup_rig_free(rig);
    sup_rig_free(before);
    sup_rig_free(bare);
    sup_rig_free(open);
}

/* Every allocation fails once: the rig stays as it was, nothing leaks, and at last all goes well.
 */
static void refused_memory_changes_nothing(void** state) {
    (void)state;
    static const char text[] = "spray surface 0.5 3 above y 0\nlinks 0.9 all\nbridge\nfit all\n"
                               "part above y 0.3\nweight 2 0.5 above y 0.9\nmirror x 0\n";
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_mesh mesh = sphere_mesh(1);
    sup_rig* base;
    sup_spray_def spray = sup_spray_default();
    spray.count = 10;
    assert_int_equal(sup_rig_create(allocator, &mesh, &base, NULL), SUP_OK);
    assert_int_equal(make_body(base, &spray, NULL), SUP_OK);
    long long alive = counter.blocks;
    for (long long n = 1, hits = 1; hits > 0; n++) {
        sup_rig* rig;
        sup_rig_report report;
        sup_weigh_def weigh = sup_weigh_default();
        hits = 0;
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(sup_rig_copy(base, &rig, NULL), SUP_OK);
        test_allocator_arm(&counter, n, false);
        sup_result result = sup_rig_edit(rig, "t", text, strlen(text), NULL);
        assert_int_equal(result, counter.refused > 0 ? SUP_NO_MEMORY : SUP_OK);
        if (result != SUP_OK) assert_true(same_rig(rig, base));
        hits += counter.refused;
        test_allocator_arm(&counter, n, false);
        result = sup_rig_weigh(rig, &weigh, NULL);
        assert_int_equal(result, counter.refused > 0 ? SUP_NO_MEMORY : SUP_OK);
        hits += counter.refused;
        test_allocator_arm(&counter, n, false);
        result = sup_rig_validate(rig, &report, NULL);
        assert_int_equal(result, counter.refused > 0 ? SUP_NO_MEMORY : SUP_OK);
        hits += counter.refused;
        check_rig(rig);
        sup_rig_free(rig);
        assert_int_equal(counter.blocks, alive);
    }
    sup_rig_free(base);
    assert_int_equal(counter.blocks, 0);
    for (long long n = 1;; n++) { /* making and copying */
        sup_rig *rig = NULL, *copy = NULL;
        test_allocator_arm(&counter, n, false);
        sup_result result = sup_rig_create(allocator, &mesh, &rig, NULL);
        if (result == SUP_OK) result = sup_rig_copy(rig, &copy, NULL);
        assert_int_equal(result, counter.refused > 0 ? SUP_NO_MEMORY : SUP_OK);
        sup_rig_free(rig);
        sup_rig_free(copy);
        assert_int_equal(counter.blocks, 0);
        if (counter.refused == 0) break;
    }
    sup_mesh_free(&mesh);
}

/* ---- Reports ---- */

static void reports_name_what_is_amiss(void** state) {
    (void)state;
    char text[320];
    sup_rig* rig;
    assert_int_equal(sup_rig_create(NULL, NULL, &rig, NULL), SUP_OK);
    sup_rig_report report = report_of(rig);
    assert_true(sup_rig_report_line(&report, 0, text) && strstr(text, "there is no particle"));
    assert_false(sup_rig_report_line(&report, 1, text));
    for (int i = 0; i < 30; i++) { /* a hub with 26 links, and three by themselves */
        double angle = 0.2 * i;
        double place[3] = {i < 27 ? cos(angle) : 10, i < 27 ? 0.2 * i : i, sin(angle)};
        assert_int_equal(sup_rig_add(rig, place, NULL, NULL), SUP_OK);
        if (i > 0 && i < 27) assert_int_equal(sup_rig_link(rig, 0, i, NULL), SUP_OK);
    }
    report = report_of(rig);
    assert_int_equal(report.component_count, 4);
    assert_int_equal(report.loose_particle, 27);
    assert_int_equal(report.isolated_count, 3);
    assert_int_equal(report.isolated_particle, 27);
    assert_int_equal(report.crowded_count, 1);
    assert_int_equal(report.crowded_particle, 0);
    assert_int_equal(report.most_links, 26);
    assert_int_equal(report.group_count, 27);
    assert_int_equal(report.line_count, 26); /* two points without size */
    assert_true(report.weak_particle > 0);
    static const char* const words[] = {
        "4 pieces that nothing joins; particle 27", "3 particles have no link, as 27",
        "1 particle has more than 24 links, as 0, up to 26", "without a turn of their own"};
    for (int i = 0; i < 4; i++) {
        assert_true(sup_rig_report_line(&report, i, text));
        if (!strstr(text, words[i])) fail_msg("\"%s\" does not say \"%s\"", text, words[i]);
    }
    sup_rig_free(rig);
    rig = body_of(sphere_mesh(3), SUP_SPRAY_INSIDE, 200);
    sup_brush top = {SUP_BRUSH_HALF, {0, -0.2, 0}, {0, -1, 0}, 0};
    assert_int_equal(sup_rig_erase(rig, &top, NULL, NULL), SUP_OK);
    report = report_of(rig);
    assert_true(report.far_count > 100 && report.farthest > 0.9);
    assert_true(sup_rig_get(rig).mesh->points[report.far_vertex].y > 0.5f);
    assert_true(sup_rig_report_line(&report, 0, text) && strstr(text, "spray there"));
    sup_rig_free(rig);
}

/* The definition has what the rig has. */
static void definitions_are_filled(void** state) {
    (void)state;
    sup_rig* rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 30);
    sup_brush foot = below(-0.5);
    assert_int_equal(sup_rig_paint(rig, SUP_PAINT_PIN, 1, &foot, NULL), SUP_OK);
    sup_blueprint_def def = sup_blueprint_default();
    sup_rig_fill_def(rig, &def);
    sup_rig_view v = sup_rig_get(rig);
    assert_ptr_equal(def.points, v.places);
    assert_int_equal(def.point_count, v.particle_count);
    assert_int_equal(def.pin_count, v.pin_count);
    assert_true(def.pin_count > 0 && def.masses == v.masses);
    assert_int_equal(def.surface->point_count, v.mesh->point_count);
    sup_rig_free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_come_and_go),
        cmocka_unit_test(links_come_and_go),
        cmocka_unit_test(parts_share_joints),
        cmocka_unit_test(paint_goes_the_share_of_the_brush),
        cmocka_unit_test(weights_of_vertices_are_kept_in_order),
        cmocka_unit_test(painted_weights_make_room),
        cmocka_unit_test(new_particles_take_their_share),
        cmocka_unit_test(mirrored_rigs_are_the_same_on_both_sides),
        cmocka_unit_test(weights_are_mirrored),
        cmocka_unit_test(texts_do_what_calls_do),
        cmocka_unit_test(texts_are_refused_with_their_place),
        cmocka_unit_test(turn_radii_stay_with_their_particles),
        cmocka_unit_test(bad_calls_change_nothing),
        cmocka_unit_test(refused_memory_changes_nothing),
        cmocka_unit_test(reports_name_what_is_amiss),
        cmocka_unit_test(definitions_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
