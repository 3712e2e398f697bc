/* Machines of rigs: parts of a list, joints of their own, round parts. */
#include "allocators.h"
#include "blueprint/rigs.h"

/* A box 2 m long with a part at either end, which links join. */
static sup_rig* make_rod(const sup_allocator* allocator) {
    sup_mesh mesh;
    sup_rig* rig;
    sup_error error = {0};
    sup_spray_def spray = sup_spray_default();
    const double size[3] = {2, 0.4, 0.4};
    const int32_t segments[3] = {20, 4, 4};
    spray.count = 40;
    assert_int_equal(sup_mesh_box(NULL, size, segments, &mesh, NULL), SUP_OK);
    assert_done(sup_rig_create(allocator, &mesh, &rig, &error), &error);
    sup_mesh_free(&mesh);
    assert_done(make_body(rig, &spray, &error), &error);
    const sup_brush left = {SUP_BRUSH_HALF, {0, 0, 0}, {1, 0, 0}, 0},
                    right = {SUP_BRUSH_HALF, {0, 0, 0}, {-1, 0, 0}, 0};
    assert_done(sup_rig_add_part(rig, &left, NULL, &error), &error);
    assert_done(sup_rig_add_part(rig, &right, NULL, &error), &error);
    return rig;
}

static double mass_of_all(const sup_rig* rig) {
    sup_rig_view v = sup_rig_get(rig);
    double sum = 0;
    for (int32_t i = 0; i < v.particle_count; i++) sum += (double)v.masses[i];
    return sum;
}

static bool is_in(const sup_rig* rig, int32_t part, int32_t id) {
    sup_rig_view v = sup_rig_get(rig);
    for (int32_t m = v.part_starts[part]; m < v.part_starts[part + 1]; m++) {
        if (v.part_members[m] == id) return true;
    }
    return false;
}

/* Links whose ends are in different parts. */
static int32_t count_across(const sup_rig* rig) {
    sup_rig_view v = sup_rig_get(rig);
    int32_t count = 0;
    for (int32_t i = 0; i < v.link_count; i++) {
        int32_t a = v.links[i].a, b = v.links[i].b;
        bool together =
            (is_in(rig, 0, a) && is_in(rig, 0, b)) || (is_in(rig, 1, a) && is_in(rig, 1, b));
        count += !together;
    }
    return count;
}

static int32_t links_at(const sup_rig* rig, int32_t id) {
    sup_rig_view v = sup_rig_get(rig);
    int32_t count = 0;
    for (int32_t i = 0; i < v.link_count; i++) count += v.links[i].a == id || v.links[i].b == id;
    return count;
}

static void parts_are_made_of_lists(void** state) {
    (void)state;
    sup_rig *rig = make_rod(NULL), *copy;
    sup_error error = {0};
    int32_t part, good[3] = {1, 4, 7}, doubled[3] = {1, 4, 4}, beyond[1] = {1000};
    assert_int_equal(sup_rig_copy(rig, &copy, NULL), SUP_OK);
    assert_int_equal(sup_rig_add_part_of(rig, 0, good, &part, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_add_part_of(rig, 3, doubled, &part, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_add_part_of(rig, 1, beyond, &part, &error), SUP_BAD_ARGUMENT);
    assert_true(same_rig(rig, copy));
    assert_done(sup_rig_add_part_of(rig, 3, good, &part, &error), &error);
    assert_int_equal(part, 2);
    for (int k = 0; k < 3; k++) assert_true(is_in(rig, 2, good[k]));
    assert_false(is_in(rig, 2, 0));
    check_rig(rig);
    sup_rig_free(rig);
    sup_rig_free(copy);
}

static void joints_are_particles_of_their_own(void** state) {
    (void)state;
    sup_rig* rig = make_rod(NULL);
    sup_error error = {0};
    int32_t id, count = sup_rig_get(rig).particle_count;
    double mass = mass_of_all(rig);
    assert_true(count_across(rig) > 0);
    assert_done(sup_rig_add_joint(rig, 0, 1, (double[3]){0, 0, -0.1}, &id, &error), &error);
    assert_int_equal(id, count);
    assert_int_equal(count_across(rig), 0);
    assert_int_equal(links_at(rig, id), 8);
    assert_true(is_in(rig, 0, id) && is_in(rig, 1, id));
    assert_done(sup_rig_add_joint(rig, 1, 0, (double[3]){0, 0, 0.1}, &id, &error), &error);
    assert_int_equal(links_at(rig, id), 8); /* none to the other end of the hinge */
    assert_near(mass_of_all(rig), mass, 1e-4 * mass);
    assert_true(sup_rig_get(rig).masses[id] > 0.0f);
    check_rig(rig);
    sup_rig_free(rig);
}

/* The vertices that have no other weight than that of one of the last particles. */
static int32_t count_painted(const sup_rig* rig, int32_t first) {
    sup_rig_view v = sup_rig_get(rig);
    int32_t count = 0;
    for (int32_t i = 0; i < v.weight_count; i++) {
        if (v.weights[i].particle < first) continue;
        assert_float_equal(v.weights[i].weight, 1.0f, 0);
        assert_true(v.mesh->points[v.weights[i].vertex].x > 0.3f);
        count++;
    }
    return count;
}

/* Discs lie side by side along their axis, and carry what is drawn there and nothing else. */
static void round_parts_are_discs(void** state) {
    (void)state;
    sup_rig* rig = make_rod(NULL);
    sup_error error = {0};
    sup_rig_view before = sup_rig_get(rig);
    int32_t members = before.part_starts[2] - before.part_starts[1], inside = 0;
    int32_t rest = before.particle_count - members;
    double mass = mass_of_all(rig);
    const double from[3] = {0.7, 0, -0.2}, to[3] = {0.7, 0, 0.2};
    assert_done(sup_rig_set_discs(rig, 1, from, to, 0.36, 4, &error), &error);
    sup_rig_view v = sup_rig_get(rig);
    assert_int_equal(v.particle_count, rest + 4);
    assert_int_equal(v.part_starts[2] - v.part_starts[1], 4);
    for (int32_t i = 0; i < 4; i++) {
        const sup_vec3* p = v.places + rest + i;
        const sup_ellipsoid* e = v.ellipsoids + rest + i;
        assert_true(is_in(rig, 1, rest + i));
        assert_near((double)p->x, 0.7, 1e-6);
        assert_near((double)p->z, -0.15 + 0.1 * i, 1e-6);
        assert_near((double)e->radii[0], 0.36, 1e-6);
        assert_near((double)e->radii[2], 0.05, 1e-6);
        assert_near((double)e->rotation.w, 1.0, 1e-6); /* their axis is z already */
    }
    for (int32_t i = 0; i < v.mesh->point_count; i++) {
        double x = (double)v.mesh->points[i].x - 0.7, y = (double)v.mesh->points[i].y;
        inside += sqrt(x * x + y * y) < 0.36 * 1.05;
    }
    assert_int_equal(count_painted(rig, rest), inside);
    assert_near(mass_of_all(rig), mass, 1e-4 * mass);
    check_rig(rig);
    /* Along any axis, also straight back. */
    const double ends[3][3] = {{0.7, 0.3, 0}, {0.9, 0.1, 0.1}, {0.7, 0, -0.5}};
    for (int k = 0; k < 3; k++) {
        const double start[3] = {0.7, 0, 0};
        assert_done(sup_rig_set_discs(rig, 1, start, ends[k], 0.3, 1, &error), &error);
        const sup_quat* q = &sup_rig_get(rig).ellipsoids[rest].rotation;
        double way[3] = {ends[k][0] - 0.7, ends[k][1], ends[k][2]};
        double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        assert_near(2.0 * (double)(q->x * q->z + q->w * q->y), way[0] / length, 1e-5);
        assert_near(2.0 * (double)(q->y * q->z - q->w * q->x), way[1] / length, 1e-5);
        assert_near(1.0 - 2.0 * (double)(q->x * q->x + q->y * q->y), way[2] / length, 1e-5);
        check_rig(rig);
    }
    sup_rig_free(rig);
}

static void what_cannot_be_changes_nothing(void** state) {
    (void)state;
    sup_rig *rig = make_rod(NULL), *copy;
    sup_error error = {0};
    const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, nowhere[3] = {NAN, 0, 0};
    assert_done(sup_rig_add_joint(rig, 0, 1, o, NULL, &error), &error);
    const int32_t alone[1] = {sup_rig_get(rig).particle_count - 1};
    assert_done(sup_rig_add_part_of(rig, 1, alone, NULL, &error), &error);
    assert_int_equal(sup_rig_copy(rig, &copy, NULL), SUP_OK);
    assert_int_equal(sup_rig_add_joint(rig, 0, 0, o, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_add_joint(rig, 0, 7, o, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_add_joint(rig, 0, 1, nowhere, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_add_joint(rig, 0, 2, o, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "part 2 has no particle of its own"));
    assert_int_equal(sup_rig_set_discs(rig, 7, o, x, 1, 1, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, nowhere, 1, 1, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, x, 0, 1, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, x, 1, 0, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, x, 1, 101, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, x, 1, 3, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "in another part"));
    assert_true(same_rig(rig, copy));
    sup_rig_free(rig);
    sup_rig_free(copy);
    rig = make_rod(NULL);
    assert_int_equal(sup_rig_set_discs(rig, 0, o, o, 1, 1, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no length"));
    sup_rig_free(rig);
}

static sup_result make_machine(sup_rig* rig) {
    static const char text[] = "discs 1 3 0.3 0.7 0 -0.2 0.7 0 0.2\n"
                               "joint 0 1 0.7 0 -0.3\njoint 0 1 0.7 0 0.3\n";
    return sup_rig_edit(rig, "t", text, strlen(text), NULL);
}

/* Texts do it, and every allocation fails once. */
static void refused_memory_changes_nothing(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_rig* base = make_rod(allocator);
    long long alive = counter.blocks;
    for (long long n = 1, hits = 1; hits > 0; n++) {
        sup_rig* rig;
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(sup_rig_copy(base, &rig, NULL), SUP_OK);
        test_allocator_arm(&counter, n, false);
        sup_result result = make_machine(rig);
        hits = counter.refused;
        assert_int_equal(result, hits > 0 ? SUP_NO_MEMORY : SUP_OK);
        if (result != SUP_OK) assert_true(same_rig(rig, base));
        check_rig(rig);
        sup_rig_free(rig);
        assert_int_equal(counter.blocks, alive);
    }
    sup_rig_free(base);
    assert_int_equal(counter.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_made_of_lists),
        cmocka_unit_test(joints_are_particles_of_their_own),
        cmocka_unit_test(round_parts_are_discs),
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(refused_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
