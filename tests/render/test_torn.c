/* The normals of a surface that tears: shared by corners at one particle, and by no others. */
#include "render/geometry.h"
#include "scene/fixture.h"

#define PULLED                                                                                     \
    "{'version': 1, 'gravity': [0, 0, 0], 'bodies': [{'shape': {'grid': {'size': [1, 0.5], "       \
    "'segments': [12, 6]}}, 'weave': {'cloth': {'tear': 0.2, 'spare': 1}}, 'pins': [{'box': "      \
    "{'low': [-1, -1, -1], 'high': [-0.49, 1, 1]}}, {'box': {'low': [0.49, -1, -1], 'high': [1, "  \
    "1, 1]}, 'motion': {'keys': [{'time': 0, 'offset': [0, 0, 0]}, {'time': 1, 'offset': [1, 0, "  \
    "0]}]}}]}]}"

/* Do two corners share a normal where they share a particle, and only there? */
static void check_normals(const render_geometry* g, const sup_scene* scene) {
    int32_t particles[12 * 6 * 4];
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    assert_int_equal(g->vertex_count, 12 * 6 * 4);
    sup_body_read_vertex_particles(sup_scene_world((sup_scene*)(uintptr_t)scene), body, particles);
    for (int32_t i = 0; i < 3 * g->triangle_count; i++) {
        int32_t normal = g->corner_normals[i / 3][i % 3];
        assert_in_range(normal, 0, g->normal_count - 1);
        for (int32_t k = 0; k < i; k++) {
            bool same =
                particles[g->triangles[i / 3][i % 3]] == particles[g->triangles[k / 3][k % 3]];
            assert_true((normal == g->corner_normals[k / 3][k % 3]) == same);
        }
    }
}

static void lips_have_their_own(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, PULLED);
    render_geometry g;
    const double origin[3] = {0, 0, 0};
    assert_true(geometry_create(&g, scene, origin, 10));
    assert_true(geometry_update(&g, scene));
    check_normals(&g, scene);
    run(scene, 0, 60);
    assert_true(geometry_update(&g, scene));
    check_normals(&g, scene);
    sup_spring_measures measures;
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    sup_body_measure_springs(sup_scene_world(scene), body, &measures);
    assert_true(measures.torn > 0);
    geometry_free(&g);
    sup_scene_free(scene);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lips_have_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
