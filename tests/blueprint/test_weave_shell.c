/* Webs of shells, and struts through them. */
#include "blueprint/webs.h"

static sup_mesh make_sphere(int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 1, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh make_torus(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_torus(NULL, 1, 0.35, 32, 16, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_web weave_shell(const sup_weave_shell_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_shell(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static double tet_sum(const sup_web* web) {
    double sum = 0.0;
    for (int32_t t = 0; t < web->tet_count; t++) sum += tet_volume(web, t);
    return sum;
}

/* Volume inside the surface when its points are those of a layer of the web. */
static double layer_volume(const sup_web* web, int32_t layer) {
    int32_t first = layer * web->surface.point_count;
    double sum = 0.0;
    for (int32_t k = 0; k < web->surface.polygon_count; k++) {
        for (int32_t c = web->surface.starts[k] + 1; c + 1 < web->surface.starts[k + 1]; c++) {
            double p[3][3];
            get_point(web, first + web->surface.corners[web->surface.starts[k]], p[0]);
            get_point(web, first + web->surface.corners[c], p[1]);
            get_point(web, first + web->surface.corners[c + 1], p[2]);
            sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                   p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                   p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        }
    }
    return sum / 6.0;
}

static void layers_of_a_sphere_fill_what_lies_between(void** state) {
    (void)state;
    sup_mesh sphere = make_sphere(2);
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &sphere, &report, NULL), SUP_OK);
    const double edges[] = {0, 0.25, 1, 2};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        sup_weave_shell_def def = sup_weave_shell_default();
        def.mesh = &sphere;
        def.thickness = edges[i] * report.mean_edge;
        sup_web web = weave_shell(&def);
        double between = layer_volume(&web, 0) - layer_volume(&web, 1), sum = tet_sum(&web);
        print_message("thickness %.2f edges: tetrahedra %.9f m^3, between %.9f, off by %.1e\n",
                      edges[i], sum, between, fabs(sum / between - 1));
        assert_int_equal(web.tet_count, 3 * 320);
        assert_int_equal(web.report.flipped + web.report.degenerate, 0);
        assert_near(sum / between, 1, 1e-12);
        assert_near(web_mass(&web), 1000 * sum, 1e-2);
        for (int32_t p = 0; p < 162; p++) {
            double at[3], inner[3], depth = 0.0;
            get_point(&web, p, at);
            get_point(&web, p + 162, inner);
            for (int k = 0; k < 3; k++) depth += (at[k] - inner[k]) * (at[k] - inner[k]);
            assert_near(sqrt(depth), (i == 0 ? 0.25 : edges[i]) * report.mean_edge, 3e-3);
        }
        /* Edges of both sides, one under each point, one across each of the edges. */
        assert_int_equal(web.spring_count, 2 * 480 + 162 + 480);
        sup_web_free(&web);
    }
    sup_mesh_free(&sphere);
}

static void more_layers_and_a_centre(void** state) {
    (void)state;
    sup_mesh sphere = make_sphere(1);
    for (int32_t layers = 1; layers <= 4; layers++) {
        for (int inner = 0; inner < 2; inner++) {
            sup_weave_shell_def def = sup_weave_shell_default();
            def.mesh = &sphere;
            def.layers = layers;
            def.inner = (sup_weave_inner)inner;
            sup_web web = weave_shell(&def);
            double between = layer_volume(&web, 0) - layer_volume(&web, layers);
            assert_int_equal(web.point_count, 42 * (layers + 1));
            assert_int_equal(web.tet_count, 3 * 80 * layers);
            assert_near(tet_sum(&web) / between, 1, 1e-9);
            sup_web_free(&web);
            def.centre = true;
            web = weave_shell(&def);
            assert_int_equal(web.point_count, 42 * (layers + 1) + 1);
            assert_int_equal(web.tet_count, 80 * (3 * layers + 1));
            assert_near(tet_sum(&web) / layer_volume(&web, 0), 1, 1e-6);
            sup_web_free(&web);
        }
    }
    sup_mesh_free(&sphere);
}

/* However thick: each side stops before the middle of the tube. */
static void thick_shells_stop_short_of_the_other_side(void** state) {
    (void)state;
    sup_mesh torus = make_torus();
    sup_weave_shell_def def = sup_weave_shell_default();
    def.mesh = &torus;
    def.thickness = 100;
    sup_web web = weave_shell(&def);
    assert_int_equal(web.report.flipped, 0);
    for (int32_t p = 0; p < web.surface.point_count; p++) {
        double at[3], inner[3], depth = 0.0;
        get_point(&web, p, at);
        get_point(&web, p + web.surface.point_count, inner);
        for (int k = 0; k < 3; k++) depth += (at[k] - inner[k]) * (at[k] - inner[k]);
        assert_near(sqrt(depth), 0.4 * 0.7, 0.01);
    }
    assert_near(tet_sum(&web) / (layer_volume(&web, 0) - layer_volume(&web, 1)), 1, 1e-6);
    sup_web_free(&web);
    sup_mesh_free(&torus);
}

static void refuse_shell(const sup_weave_shell_def* def, const char* words) {
    sup_web web = {0};
    sup_error error = {0};
    assert_says(sup_weave_shell(NULL, def, &web, &error), SUP_BAD_ARGUMENT, &error, words);
    assert_null(web.points);
}

static void shells_refuse_what_is_wrong(void** state) {
    (void)state;
    sup_mesh torus = make_torus(), sphere = make_sphere(1), sheet;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 2, 2, &sheet, NULL), SUP_OK);
    const sup_weave_shell_def good = sup_weave_shell_default();
    sup_weave_shell_def def = good;
    refuse_shell(&def, "no mesh");
    def.mesh = &torus;
    def.inner = SUP_WEAVE_SCALED;
    refuse_shell(&def, "seen from its centre");
    def.inner = SUP_WEAVE_OFFSET;
    def.centre = true;
    refuse_shell(&def, "centre cannot hold");
    def = good, def.mesh = &sheet;
    refuse_shell(&def, "closed");
    def.mesh = &sphere, def.layers = 5;
    refuse_shell(&def, "layers");
    def.layers = 1, def.thickness = -1;
    refuse_shell(&def, "thickness");
    def.thickness = NAN;
    refuse_shell(&def, "thickness");
    def.thickness = 0, def.scale = 1;
    refuse_shell(&def, "scale");
    def.scale = 0.5, def.young = -1;
    refuse_shell(&def, "young");
    def.young = 1;
    for (int32_t c = 0; c < sphere.corner_count; c += 3) {
        int32_t swap = sphere.corners[c];
        sphere.corners[c] = sphere.corners[c + 1];
        sphere.corners[c + 1] = swap;
    }
    refuse_shell(&def, "outwards");
    sup_mesh_free(&torus);
    sup_mesh_free(&sphere);
    sup_mesh_free(&sheet);
}

/* ---- Struts ---- */

static sup_web weave_mesh(const sup_mesh* mesh) {
    sup_web web = {0};
    sup_error error = {0};
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = mesh;
    assert_done(sup_weave_mesh(NULL, &def, &web, &error), &error);
    return web;
}

/* Opposite points of a sphere of 42 lie exactly opposite: one strut for each pair. */
static void struts_cross_a_sphere(void** state) {
    (void)state;
    sup_mesh sphere = make_sphere(1);
    sup_web web = weave_mesh(&sphere);
    int32_t before = web.spring_count;
    sup_error error = {0};
    sup_weave_struts_def def = sup_weave_struts_default();
    assert_done(sup_weave_struts(&def, &web, &error), &error);
    check_web(&web);
    assert_int_equal(web.spring_count, before + 21);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUT), 21);
    assert_int_equal(web.anchor_count, 0);
    for (int32_t s = before; s < web.spring_count; s++) {
        assert_near((double)web.springs[s].length, 2, 1e-5);
        assert_near((double)web.springs[s].stiffness, 100, 0);
    }
    /* Again: all are joined already. */
    assert_done(sup_weave_struts(&def, &web, &error), &error);
    assert_int_equal(web.spring_count, before + 21);
    sup_web_free(&web);
    web = weave_mesh(&sphere);
    def.every = 5;
    assert_done(sup_weave_struts(&def, &web, &error), &error);
    assert_true(web.spring_count > before && web.spring_count <= before + 9);
    sup_web_free(&web);
    sup_mesh_free(&sphere);
}

/* Each point has the whole stiffness, by whatever corners it is carried. */
static void split_struts_carry_the_same(void** state) {
    (void)state;
    sup_mesh capsule;
    assert_int_equal(sup_mesh_capsule(NULL, 0.5, 1, 11, 5, 4, &capsule, NULL), SUP_OK);
    sup_web web = weave_mesh(&capsule);
    int32_t before = web.spring_count;
    sup_weave_struts_def def = sup_weave_struts_default();
    def.split = true;
    sup_error error = {0};
    assert_done(sup_weave_struts(&def, &web, &error), &error);
    check_web(&web);
    double sum = 0.0;
    for (int32_t s = before; s < web.spring_count; s++) sum += (double)web.springs[s].stiffness;
    assert_near(sum, 100.0 * web.point_count, 0.1);
    sup_web_free(&web);
    sup_mesh_free(&capsule);
}

/* What is met nearer than the mean edge gets no strut, and wants no anchor either. */
static void thin_boxes_have_no_struts(void** state) {
    (void)state;
    const int32_t segments[3] = {2, 1, 2};
    for (int thin = 0; thin < 2; thin++) {
        const double size[3] = {1, thin ? 0.1 : 2, 1};
        sup_mesh box;
        assert_int_equal(sup_mesh_box(NULL, size, segments, &box, NULL), SUP_OK);
        sup_web web = weave_mesh(&box);
        sup_weave_struts_def def = sup_weave_struts_default();
        sup_error error = {0};
        assert_done(sup_weave_struts(&def, &web, &error), &error);
        int32_t low = -1, high = -1; /* middles of bottom and top */
        for (int32_t p = 0; p < web.point_count; p++) {
            if (web.points[p].x != 0.0f || web.points[p].z != 0.0f) continue;
            if (web.points[p].y < 0.0f) low = p;
            if (web.points[p].y > 0.0f) high = p;
        }
        assert_true((find_spring(&web, low, high) != NULL) == !thin);
        assert_int_equal(web.anchor_count, 0);
        sup_web_free(&web);
        sup_mesh_free(&box);
    }
}

/* A flat sheet has nothing opposite. */
static void open_surfaces_want_anchors(void** state) {
    (void)state;
    sup_mesh sheet;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 4, 4, &sheet, NULL), SUP_OK);
    sup_web web = weave_mesh(&sheet);
    int32_t before = web.spring_count;
    sup_weave_struts_def def = sup_weave_struts_default();
    sup_error error = {0};
    assert_done(sup_weave_struts(&def, &web, &error), &error);
    assert_int_equal(web.spring_count, before);
    assert_int_equal(web.anchor_count, 25);
    for (int32_t i = 0; i < 25; i++) assert_int_equal(web.anchors[i], i);
    sup_web_free(&web);
    sup_mesh_free(&sheet);
}

static void struts_refuse_what_is_wrong(void** state) {
    (void)state;
    sup_mesh sphere = make_sphere(0);
    sup_web web = weave_mesh(&sphere), rope = {0};
    sup_error error = {0};
    sup_weave_struts_def def = sup_weave_struts_default();
    def.stiffness = -1;
    assert_says(sup_weave_struts(&def, &web, &error), SUP_BAD_ARGUMENT, &error, "stiffness");
    def.stiffness = 1, def.every = 0;
    assert_says(sup_weave_struts(&def, &web, &error), SUP_BAD_ARGUMENT, &error, "every");
    def.every = 1;
    sup_weave_rope_def rope_def = sup_weave_rope_default();
    assert_done(sup_weave_rope(NULL, &rope_def, &rope, &error), &error);
    assert_says(sup_weave_struts(&def, &rope, &error), SUP_BAD_ARGUMENT, &error, "surface");
    sup_web_free(&rope);
    sup_web_free(&web);
    sup_mesh_free(&sphere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_a_sphere_fill_what_lies_between),
        cmocka_unit_test(more_layers_and_a_centre),
        cmocka_unit_test(thick_shells_stop_short_of_the_other_side),
        cmocka_unit_test(shells_refuse_what_is_wrong),
        cmocka_unit_test(struts_cross_a_sphere),
        cmocka_unit_test(split_struts_carry_the_same),
        cmocka_unit_test(thin_boxes_have_no_struts),
        cmocka_unit_test(open_surfaces_want_anchors),
        cmocka_unit_test(struts_refuse_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
