/* Blueprints: particles, maps, masses, pins, radii, explicit clusters, and what is refused. */
#include "world/yard.h"

#include "blueprint/blueprint.h"

static sup_mesh ball_mesh(double radius, int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, radius, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh box_mesh(double side, int32_t cells) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_box(NULL, (double[3]){side, side, side},
                                  (int32_t[3]){cells, cells, cells}, &mesh, NULL),
                     SUP_OK);
    return mesh;
}

/* Refused with a message that holds `words`, and nothing comes out. */
static void check_refused(const sup_blueprint_def* def, const char* words) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    assert_null(print);
    assert_int_equal(error.code, SUP_BAD_ARGUMENT);
    if (strstr(error.text, words)) return;
    print_error("\"%s\" does not say \"%s\"\n", error.text, words);
    fail();
}

static sup_blueprint* create(const sup_blueprint_def* def) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(def, &print, &error), error);
    return print;
}

/* ---- Particles ---- */

static void check_maps(const sup_blueprint* b) {
    assert_int_equal(b->row_count % 8, 0);
    assert_true(b->row_count >= b->info.particle_count &&
                b->row_count < b->info.particle_count + 8);
    for (int32_t i = 0; i < b->info.particle_count; i++) {
        assert_in_range(b->row_of[i], 0, b->info.particle_count - 1);
        assert_int_equal(b->id_of[b->row_of[i]], i);
        assert_int_equal(b->row_of[b->id_of[i]], i);
    }
}

static void particles_keep_the_users_order(void** state) {
    (void)state;
    sup_mesh mesh = ball_mesh(0.5, 2);
    const sup_vec3 loose[3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    sup_vec3* inside;
    int32_t inside_count;
    assert_int_equal(sup_mesh_fill(NULL, &mesh, 0.2, 0.1, &inside, &inside_count, NULL), SUP_OK);
    assert_true(inside_count > 10);
    sup_blueprint_def def = filled(0.2);
    def.surface = &mesh;
    def.points = loose;
    def.point_count = 3;
    sup_blueprint* b = create(&def);
    sup_blueprint_info info = sup_blueprint_get_info(b);
    assert_int_equal(info.surface_particle_count, mesh.point_count);
    assert_int_equal(info.particle_count, mesh.point_count + inside_count + 3);
    check_maps(b);
    sup_vec3* rest = calloc((size_t)info.particle_count, sizeof *rest);
    sup_blueprint_read_rest(b, rest);
    assert_memory_equal(rest, mesh.points, (size_t)mesh.point_count * sizeof *rest);
    assert_memory_equal(rest + mesh.point_count, inside, (size_t)inside_count * sizeof *rest);
    assert_memory_equal(rest + mesh.point_count + inside_count, loose, sizeof loose);

    /* Rows are in another order, or the maps would not be worth a test. */
    int32_t moved = 0;
    for (int32_t i = 0; i < info.particle_count; i++) moved += b->row_of[i] != i;
    assert_true(moved > info.particle_count / 2);

    /* Only particles of the surface meet others. */
    for (int32_t i = 0; i < info.particle_count; i++) {
        double radius = (double)b->radius[b->row_of[i]];
        assert_true(i < mesh.point_count ? fabs(radius - info.radius) < 1e-6 : radius == 0);
    }

    /* The drawn surface is the one that was given. */
    const int32_t *starts, *corners;
    sup_blueprint_get_surface(b, &starts, &corners);
    assert_int_equal(info.vertex_count, mesh.point_count);
    assert_int_equal(info.polygon_count, mesh.polygon_count);
    assert_int_equal(info.corner_count, mesh.corner_count);
    assert_memory_equal(starts, mesh.starts, ((size_t)mesh.polygon_count + 1) * sizeof *starts);
    assert_memory_equal(corners, mesh.corners, (size_t)mesh.corner_count * sizeof *corners);
    sup_points_free(NULL, inside, inside_count);
    free(rest);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

/* Every triangle with its own three points: the body is the same, the drawn vertices are all there.
 */
static void soup_is_welded(void** state) {
    (void)state;
    sup_mesh mesh = ball_mesh(0.5, 1), soup;
    sup_vec3* points = calloc((size_t)mesh.corner_count, sizeof *points);
    int32_t* corners = calloc((size_t)mesh.corner_count, sizeof *corners);
    for (int32_t i = 0; i < mesh.corner_count; i++) {
        points[i] = mesh.points[mesh.corners[i]];
        corners[i] = i;
    }
    assert_int_equal(sup_mesh_create(NULL, mesh.corner_count, points, mesh.polygon_count, NULL,
                                     corners, &soup, NULL),
                     SUP_OK);
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    sup_blueprint* whole = create(&def);
    def.surface = &soup;
    sup_blueprint* welded = create(&def);
    assert_int_equal(welded->info.particle_count, mesh.point_count);
    assert_int_equal(welded->info.vertex_count, mesh.corner_count);
    assert_near(welded->info.volume, whole->info.volume, 1e-6);
    assert_near(welded->info.mass, whole->info.mass, 1e-6);
    for (int32_t i = 0; i < soup.point_count; i++) {
        sup_vec3 rest = welded->rest[welded->vertex_rows[i]];
        assert_memory_equal(&rest, &points[i], sizeof rest);
    }
    sup_blueprint_release(whole);
    sup_blueprint_release(welded);
    free(points);
    free(corners);
    sup_mesh_free(&mesh);
    sup_mesh_free(&soup);
}

static void masses(void** state) {
    (void)state;
    sup_mesh mesh = box_mesh(0.5, 2);
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    def.density = 800.0;
    sup_blueprint* b = create(&def);
    int32_t count = b->info.particle_count;
    assert_near(b->info.volume, 0.125, 1e-6);
    assert_near(b->info.mass, 100.0, 1e-5);
    for (int32_t r = 0; r < count; r++) {
        assert_near((double)b->mass[r], 100.0 / count, 1e-6);
        assert_near((double)b->inverse_mass[r], count / 100.0, 1e-6);
    }
    sup_blueprint_release(b);

    def.mass = 7.0;
    b = create(&def);
    assert_near(b->info.mass, 7.0, 1e-6);
    sup_blueprint_release(b);

    float own[64] = {0};
    double total = 0, centre = 0;
    for (int32_t i = 0; i < count; i++) {
        own[i] = i == 5 ? 0.0f : 0.5f + (float)i;
        total += (double)own[i];
        centre += (double)own[i] * (double)mesh.points[i].x;
    }
    def.masses = own;
    b = create(&def);
    assert_near(b->info.mass, total, 1e-6);
    assert_near(b->info.centre[0], centre / total, 1e-5);
    for (int32_t i = 0; i < count; i++) assert_true(b->mass[b->row_of[i]] == own[i]);
    assert_int_equal(b->weightless_count, 1);
    assert_int_equal(b->weightless[0], b->row_of[5]);
    assert_true(b->inverse_mass[b->row_of[5]] == 0.0f);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);

    /* No volume, no density: 1 kg for each particle. */
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 4, 4, &mesh, NULL), SUP_OK);
    def = sup_blueprint_default();
    def.surface = &mesh;
    b = create(&def);
    assert_near(b->info.mass, 25.0, 1e-9);
    assert_true(b->info.volume == 0.0);
    assert_null(b->outward);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

static void pins_are_marked(void** state) {
    (void)state;
    sup_mesh mesh = box_mesh(0.5, 2);
    const int32_t pins[4] = {3, 9, 3, 0};
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    def.pins = pins;
    def.pin_count = 4;
    sup_blueprint* b = create(&def);
    assert_int_equal(b->info.pinned_count, 3); /* one was named twice */
    assert_int_equal(b->pin_count, 3);
    for (int32_t i = 0; i < b->info.particle_count; i++) {
        bool pinned = i == 3 || i == 9 || i == 0;
        assert_int_equal(b->inverse_mass[b->row_of[i]] == 0.0f, pinned);
    }
    for (int32_t i = 0; i < 3; i++) assert_true(b->inverse_mass[b->pins[i]] == 0.0f);
    /* They weigh ten times the mean in their cluster. */
    double pinned = 0, free = 0;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double w = (double)b->members.w[supi_lane_order(r)];
        if (b->inverse_mass[r] == 0.0f)
            pinned = w;
        else
            free = w;
    }
    assert_near(pinned, 10.0 * free, 1e-5);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

static void radius_and_spacing(void** state) {
    (void)state;
    sup_mesh mesh = box_mesh(1.0, 5);
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    sup_blueprint* b = create(&def);
    assert_near(b->info.spacing, 0.2, 1e-5);
    assert_near(b->info.radius, 0.1, 1e-5);
    assert_near(b->info.size, sqrt(3.0), 1e-6);
    sup_blueprint_release(b);
    def.radius = 0.03;
    b = create(&def);
    assert_near(b->info.radius, 0.03, 1e-9);
    sup_blueprint_release(b);
    def.radius = -1.0;
    b = create(&def);
    assert_true(b->info.radius == 0.0);
    for (int32_t r = 0; r < b->info.particle_count; r++) assert_true(b->radius[r] == 0.0f);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);

    /* Loose points: to the nearest one. */
    sup_vec3 points[64];
    def = cube_of_64(points);
    b = create(&def);
    assert_near(b->info.spacing, 1.0 / 3.0, 1e-6);
    assert_true(b->info.radius == 0.0);
    assert_int_equal(b->info.surface_particle_count, 0);
    sup_blueprint_release(b);
}

/* Points of a surface without polygons are particles with a radius and no outside. */
static void clouds(void** state) {
    (void)state;
    sup_vec3 points[65];
    sup_blueprint_def def = cube_of_64(points);
    points[64] = points[10]; /* welded */
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, 65, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    def.points = NULL;
    def.point_count = 0;
    def.surface = &mesh;
    sup_blueprint* b = create(&def);
    assert_int_equal(b->info.particle_count, 64);
    assert_int_equal(b->info.surface_particle_count, 64);
    assert_int_equal(b->info.vertex_count, 65);
    assert_int_equal(b->info.polygon_count, 0);
    assert_int_equal(b->vertex_rows[64], b->vertex_rows[10]);
    assert_near(b->info.spacing, 1.0 / 3, 1e-6);
    assert_near(b->info.radius, 1.0 / 6, 1e-6);
    for (int32_t r = 0; r < 64; r++) assert_near((double)b->radius[r], 1.0 / 6, 1e-6);
    for (int32_t r = 0; r < 64; r++) assert_near((double)b->depth[r], 1.0 / 6, 1e-6);
    assert_near((double)b->deepest, 1.0 / 6, 1e-6);
    assert_near(b->info.mass, 64, 1e-9);
    assert_true(b->info.volume == 0.0 && b->outward == NULL);
    uint64_t hash = b->hash;
    sup_blueprint_release(b);

    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = 0.9;
    b = create(&def);
    assert_true(b->cluster_count > 1);
    sup_blueprint_release(b);
    def.layout = SUP_CLUSTERS_WHOLE;
    def.radius = -1;
    b = create(&def);
    assert_true(b->deepest == 0.0f && b->hash != hash);
    sup_blueprint_release(b);
    def.radius = 0;
    def.fill = 0.1;
    check_refused(&def, "cannot fill: the surface has no polygon of any size");
    sup_mesh_free(&mesh);

    /* One point has no neighbour. */
    assert_int_equal(sup_mesh_create(NULL, 1, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    def.fill = 0;
    b = create(&def);
    assert_true(b->info.spacing == 0.0 && b->info.radius == 0.0);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

/* ---- Clusters ---- */

static void one_cluster_holds_everything(void** state) {
    (void)state;
    sup_mesh mesh = ball_mesh(0.5, 2);
    sup_blueprint_def def = filled(0.2);
    def.surface = &mesh;
    sup_blueprint* b = create(&def);
    assert_true(b->single);
    assert_int_equal(b->info.cluster_count, 1);
    assert_int_equal(b->info.membership_count, b->info.particle_count);
    assert_near((double)b->clusters[0].weight, b->info.mass, 1e-5);
    for (int k = 0; k < 3; k++) assert_below(fabs(b->centres[k] - b->info.centre[k]), 1e-6);
    /* Offsets from the centre, and nothing but zero in the padding. */
    for (int32_t i = 0; i < b->member_count; i++) {
        int32_t at = supi_lane_order(i);
        bool real = i < b->info.particle_count;
        assert_int_equal(b->members.w[at] > 0.0f, real);
        if (!real) continue;
        assert_below(fabs((double)b->members.qx[at] + b->centres[0] - (double)b->rest[i].x), 1e-6);
        assert_below(fabs((double)b->members.qy[at] + b->centres[1] - (double)b->rest[i].y), 1e-6);
        assert_below(fabs((double)b->members.qz[at] + b->centres[2] - (double)b->rest[i].z), 1e-6);
    }
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

/* Two tetrahedra that share a face, in a box of points. */
static const sup_vec3 five[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

static sup_blueprint_def five_points(int32_t cluster_count, const int32_t* starts,
                                     const int32_t* members) {
    sup_blueprint_def def = sup_blueprint_default();
    def.points = five;
    def.point_count = 5;
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = cluster_count;
    def.cluster_starts = starts;
    def.cluster_members = members;
    return def;
}

static void explicit_clusters(void** state) {
    (void)state;
    const int32_t starts[3] = {0, 5, 9}, members[9] = {3, 1, 0, 2, 1, 4, 2, 1, 3};
    sup_blueprint_def def = five_points(2, starts, members);
    sup_blueprint* b = create(&def);
    assert_int_equal(b->info.cluster_count, 2);
    assert_int_equal(b->info.membership_count, 8); /* particle 1 was named twice */
    assert_int_equal(b->clusters[0].count, 4);
    for (int32_t c = 0; c < 2; c++) {
        int32_t held = 0;
        for (int32_t i = 0; i < b->clusters[c].count; i++) {
            held |= 1 << b->id_of[b->members.index[b->clusters[c].begin + i]];
        }
        assert_int_equal(held, c == 0 ? 15 : 30);
    }
    /* The mass of a particle is shared among its clusters. */
    double total = 0;
    for (int32_t i = 0; i < b->member_count; i++) total += (double)b->members.w[i];
    assert_near(total, b->info.mass, 1e-6);
    for (int32_t i = 0; i < 5; i++) {
        bool once = i == 0 || i == 4;
        assert_true(b->share[b->row_of[i]] == (once ? 1.0f : 0.5f));
        assert_int_equal(b->ask_starts[b->row_of[i] + 1] - b->ask_starts[b->row_of[i]],
                         once ? 1 : 2);
    }
    sup_blueprint_release(b);
}

static void bad_clusters_are_refused(void** state) {
    (void)state;
    const int32_t starts[3] = {0, 4, 8};
    const int32_t beyond[8] = {0, 1, 2, 3, 1, 2, 3, 5}, below[8] = {0, 1, 2, -1, 1, 2, 3, 4};
    const int32_t missing[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    sup_blueprint_def def = five_points(2, starts, beyond);
    check_refused(&def, "cluster 1 names particle 5, there are 5");
    def = five_points(2, starts, below);
    check_refused(&def, "cluster 0 names particle -1");
    def = five_points(2, starts, missing);
    check_refused(&def, "particle 4 is in none of the clusters");
    def = five_points(0, starts, missing);
    check_refused(&def, "need their lists");
    def = five_points(2, NULL, missing);
    check_refused(&def, "need their lists");
    def = five_points(2, starts, NULL);
    check_refused(&def, "need their lists");
    const int32_t falling[3] = {0, 9, 8}, late[3] = {1, 4, 8}, negative[3] = {0, -4, 8};
    def = five_points(2, falling, missing);
    check_refused(&def, "cluster_starts");
    def = five_points(2, late, missing);
    check_refused(&def, "cluster_starts");
    def = five_points(2, negative, missing);
    check_refused(&def, "cluster_starts");

    /* Joined by a hinge of two particles, by one, by none. */
    for (int32_t shared = 2; shared >= 0; shared--) {
        const int32_t members[5] = {0, 1, 2, 3, 4};
        int32_t list[7], cut[3] = {0, 3, 0}, used = 0;
        for (int32_t i = 0; i < 3; i++) list[used++] = members[i];
        for (int32_t i = 3 - shared; i < 5; i++) list[used++] = members[i];
        cut[2] = used;
        def = five_points(2, cut, list);
        check_refused(&def, "fall into 2 parts");
        def.allow_joints = true;
        sup_blueprint_release(create(&def));
    }
}

/* Three shared particles on a line are a hinge too. */
static void collinear_joints_are_found(void** state) {
    (void)state;
    const sup_vec3 points[7] = {{0, 0, 0}, {1, 0, 0},  {2, 0, 0}, {0, 1, 0},
                                {1, 1, 1}, {0, -1, 0}, {1, -1, 1}};
    const int32_t starts[3] = {0, 5, 10}, members[10] = {0, 1, 2, 3, 4, 0, 1, 2, 5, 6};
    sup_blueprint_def def = five_points(2, starts, members);
    def.points = points;
    def.point_count = 7;
    check_refused(&def, "fall into 2 parts");
}

/* ---- Refusals ---- */

static void numbers_out_of_range_are_refused(void** state) {
    (void)state;
    sup_mesh mesh = box_mesh(0.5, 2);
    sup_blueprint_def def = sup_blueprint_default();
    const struct {
        const char* name;
        double* field;
        double wrong[3];
    } cases[] = {
        {"weld", &def.weld, {2e3, (double)INFINITY, (double)-INFINITY}},
        {"fill", &def.fill, {-1.0, 2e6, (double)INFINITY}},
        {"density", &def.density, {0.0, 3e4, -1000.0}},
        {"mass", &def.mass, {-1.0, 2e12, (double)INFINITY}},
        {"cube", &def.cube, {-1.0, 2e6, (double)INFINITY}},
        {"overlap", &def.overlap, {0.2, 0.8, 0.0}},
        {"pin_factor", &def.pin_factor, {0.5, 2000.0, -1.0}},
        {"radius", &def.radius, {2e3, (double)INFINITY, (double)-INFINITY}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 4; k++) {
            def = sup_blueprint_default();
            def.surface = &mesh;
            *cases[i].field = k < 3 ? cases[i].wrong[k] : (double)NAN;
            check_refused(&def, cases[i].name);
        }
    }
    def = sup_blueprint_default();
    check_refused(&def, "surface or points");
    check_refused(NULL, "sup_blueprint_default");
    def.surface = &mesh;
    def.size--;
    check_refused(&def, "sup_blueprint_default");
    def.size++;
    assert_int_equal(sup_blueprint_create(&def, NULL, NULL), SUP_BAD_ARGUMENT);
    def.layout = (sup_cluster_layout)7;
    check_refused(&def, "layout");
    sup_mesh_free(&mesh);
}

static void broken_input_is_refused(void** state) {
    (void)state;
    sup_mesh mesh = box_mesh(0.5, 2);
    sup_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = 4;
    check_refused(&def, "surface or points");
    def.surface = &mesh;
    check_refused(&def, "count without its array");
    def = sup_blueprint_default();
    def.points = points;
    def.fill = 0.1;
    check_refused(&def, "no surface to fill");
    def.fill = 0;
    check_refused(&def, "1 to 2^31 particles"); /* none */
    def.point_count = -3;
    check_refused(&def, "there cannot be -3 points");
    def.point_count = 4;
    points[2].y = INFINITY;
    check_refused(&def, "point 2 is not finite");
    points[2].y = NAN;
    check_refused(&def, "point 2 is not finite");
    points[2].y = 3e6f;
    check_refused(&def, "larger than 1000 km");
    points[2].y = 1.0f;

    int32_t pins[2] = {1, 4};
    def.pins = pins;
    def.pin_count = 2;
    check_refused(&def, "pin 1 names particle 4, there are 4");
    pins[1] = -1;
    check_refused(&def, "pin 1 names particle -1");
    def.pins = NULL;
    check_refused(&def, "count without its array");
    def.pin_count = -2;
    check_refused(&def, "there cannot be -2 pins");
    def.pin_count = 0;

    float own[4] = {0, 0, 0, 0};
    def.masses = own;
    check_refused(&def, "zero mass");
    own[1] = -1.0f;
    check_refused(&def, "mass of particle 1");
    own[1] = NAN;
    check_refused(&def, "mass of particle 1");
    own[1] = 2e9f;
    check_refused(&def, "mass of particle 1");
    own[1] = 1e-40f; /* its inverse is not finite */
    check_refused(&def, "mass of particle 1");

    /* A particle whose only cluster is without mass, in a body that has some. */
    const int32_t starts[3] = {0, 3, 6}, members[6] = {0, 1, 2, 1, 2, 3};
    own[0] = own[1] = own[2] = 0.0f;
    own[3] = 1.0f;
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = 2;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.allow_joints = true;
    check_refused(&def, "particle 0 is in no cluster that has mass");
    sup_mesh_free(&mesh);
}

static void broken_surfaces_are_refused(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 4, 4, &mesh, NULL), SUP_OK);
    sup_blueprint_def def = filled(0.1);
    def.surface = &mesh;
    check_refused(&def, "it must be closed");
    sup_mesh_free(&mesh);

    /* Inside out, whatever says the mass: contacts would push the wrong way. */
    const float own[26] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    mesh = box_mesh(0.5, 2);
    assert_int_equal(mesh.point_count, 26);
    for (int32_t p = 0; p < mesh.polygon_count; p++) {
        int32_t* corner = mesh.corners + mesh.starts[p];
        int32_t last = corner[3];
        corner[3] = corner[1];
        corner[1] = last;
    }
    def = sup_blueprint_default();
    def.surface = &mesh;
    check_refused(&def, "inside out");
    def.mass = 3.0;
    check_refused(&def, "inside out");
    def.mass = 0.0;
    def.masses = own;
    check_refused(&def, "inside out");
    sup_mesh_free(&mesh);

    /* Two sides of one triangle: closed, but nothing that density could fill. */
    const sup_vec3 leaf[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int32_t sides[6] = {0, 1, 2, 0, 2, 1};
    assert_int_equal(sup_mesh_create(NULL, 3, leaf, 2, NULL, sides, &mesh, NULL), SUP_OK);
    def = sup_blueprint_default();
    def.surface = &mesh;
    check_refused(&def, "no volume");
    def.mass = 1.0;
    sup_blueprint_release(create(&def));
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_keep_the_users_order),
        cmocka_unit_test(soup_is_welded),
        cmocka_unit_test(masses),
        cmocka_unit_test(pins_are_marked),
        cmocka_unit_test(radius_and_spacing),
        cmocka_unit_test(clouds),
        cmocka_unit_test(one_cluster_holds_everything),
        cmocka_unit_test(explicit_clusters),
        cmocka_unit_test(bad_clusters_are_refused),
        cmocka_unit_test(collinear_joints_are_found),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(broken_input_is_refused),
        cmocka_unit_test(broken_surfaces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
