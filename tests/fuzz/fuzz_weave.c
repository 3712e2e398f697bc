/* Weaves: a script of points, elements and numbers -> a web. */
#include "fuzz/input.h"
#include "fuzz/meshes.h"
#include "supple/weave.h"

enum { POINTS = 24, ELEMENTS = 16, VOXELS = 4 };

/* Bytes that a weave of such inputs may take; more is refused. */
#define MEMORY ((size_t)16 << 20)

static double take_number(fuzz_input* input, double usual) {
    static const double odd[] = {0,    1,   -1,   1e-30, 1e30,   1e6,  1e12,     1e-6,
                                 1e-3, 0.5, 0.01, 1e3,   -1e300, 1e40, INFINITY, NAN};
    uint8_t byte = (uint8_t)fuzz_take(input, 1);
    if (byte < 128) return usual;
    return byte < 144 ? odd[byte - 128] : usual * (double)(byte - 143) / 16.0;
}

static int32_t take_points(fuzz_input* input, sup_vec3 points[POINTS]) {
    int32_t count = fuzz_pick(input, POINTS) + 1;
    for (int32_t p = 0; p < count; p++) {
        float at[3];
        for (int k = 0; k < 3; k++) {
            int8_t byte = (int8_t)fuzz_take(input, 1);
            at[k] = byte == -128 ? (float)take_number(input, 1e-6) : (float)byte / 8.0f;
        }
        points[p] = (sup_vec3){at[0], at[1], at[2]};
    }
    return count;
}

/* Now and then one beyond the points. */
static void take_ids(fuzz_input* input, int32_t point_count, int32_t count, int32_t* ids) {
    for (int32_t i = 0; i < count; i++) ids[i] = fuzz_pick(input, 255) % (point_count + 1);
    if (fuzz_pick(input, 16) == 0) return;
    for (int32_t i = 0; i < count; i++) ids[i] = ids[i] == point_count ? 0 : ids[i];
}

static void check_web(const sup_web* web) {
    FUZZ_REQUIRE(web->point_count > 0);
    fuzz_check_points(web->points, (size_t)web->point_count);
    for (int32_t p = 0; p < web->point_count; p++) {
        FUZZ_REQUIRE(web->masses[p] > 0.0f && isfinite(web->masses[p]));
    }
    for (int32_t s = 0; s < web->spring_count; s++) {
        const sup_spring* spring = &web->springs[s];
        FUZZ_REQUIRE(spring->a >= 0 && spring->a < spring->b && spring->b < web->point_count);
        FUZZ_REQUIRE(spring->length >= 0.0f && isfinite(spring->length));
        FUZZ_REQUIRE(spring->stiffness >= 0.0f && isfinite(spring->stiffness));
        FUZZ_REQUIRE(spring->kind <= SUP_SPRING_STRUT);
    }
    for (int32_t i = 0; i < 4 * web->tet_count; i++) {
        FUZZ_REQUIRE(web->tets[i] >= 0 && web->tets[i] < web->point_count);
    }
    for (int32_t i = 0; i < web->given_count; i++) {
        FUZZ_REQUIRE(web->particles[i] >= -1 && web->particles[i] < web->point_count);
    }
    for (int32_t i = 0; i < web->anchor_count; i++) {
        FUZZ_REQUIRE(web->anchors[i] >= 0 && web->anchors[i] < web->surface.point_count);
    }
    FUZZ_REQUIRE(web->surface.point_count <= web->point_count);
    if (web->surface.point_count > 0) fuzz_check_mesh(&web->surface);
}

typedef sup_result weaver(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                          sup_error* error);

static sup_result weave_grid(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                             sup_error* error) {
    sup_weave_grid_def def = sup_weave_grid_default();
    for (int k = 0; k < 2; k++) {
        def.count[k] = fuzz_pick(input, 12);
        def.sides[k] = take_number(input, 1);
        def.axes[k][k] = take_number(input, def.axes[k][k]);
        def.centre[k] = take_number(input, 0);
    }
    def.stretch = take_number(input, 1000);
    def.shear = take_number(input, 500);
    def.bend = take_number(input, 50);
    def.density = take_number(input, 0.2);
    def.triangles = fuzz_pick(input, 2);
    return sup_weave_grid(allocator, &def, web, error);
}

static sup_result weave_rope(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                             sup_error* error) {
    sup_weave_rope_def def = sup_weave_rope_default();
    def.count = fuzz_pick(input, 30);
    def.ends[0][1] = take_number(input, 0);
    def.ends[1][2] = take_number(input, 1);
    def.stretch = take_number(input, 1000);
    def.bend = take_number(input, 0.1);
    def.density = take_number(input, 0.1);
    def.slack = fuzz_pick(input, 2);
    return sup_weave_rope(allocator, &def, web, error);
}

/* A mesh of the script, or a whole one of which some points are moved. */
static sup_result take_mesh(const sup_allocator* allocator, fuzz_input* input, sup_mesh* mesh,
                            sup_error* error) {
    static const double size[3] = {1, 2, 1};
    static const int32_t segments[3] = {2, 1, 1};
    sup_vec3 points[POINTS];
    int32_t corners[4 * ELEMENTS], starts[ELEMENTS + 1] = {0}, kind = fuzz_pick(input, 4);
    sup_result result = SUP_OK;
    if (kind == 1) result = sup_mesh_icosphere(allocator, 1, 0, mesh, error);
    if (kind == 2) result = sup_mesh_box(allocator, size, segments, mesh, error);
    if (kind == 3) result = sup_mesh_torus(allocator, 1, 0.4, 5, 4, mesh, error);
    if (kind == 0) {
        int32_t count = take_points(input, points), polygon_count = fuzz_pick(input, ELEMENTS);
        for (int32_t k = 0; k < polygon_count; k++) {
            starts[k + 1] = starts[k] + 3 + fuzz_pick(input, 2);
            take_ids(input, count, starts[k + 1] - starts[k], corners + starts[k]);
        }
        return sup_mesh_create(allocator, count, points, polygon_count, starts, corners, mesh,
                               error);
    }
    for (int32_t moved = fuzz_pick(input, 4); moved > 0 && result == SUP_OK; moved--) {
        sup_vec3* point = &mesh->points[fuzz_pick(input, mesh->point_count)];
        point->x = (float)take_number(input, (double)point->x);
        point->y = (float)take_number(input, (double)point->y);
    }
    return result;
}

static sup_result weave_mesh(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                             sup_error* error) {
    sup_mesh mesh;
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.weld = take_number(input, def.weld);
    def.young = take_number(input, 1000);
    def.stiffness = take_number(input, 0);
    def.shear = take_number(input, 0.5);
    def.bend = take_number(input, 0.05);
    def.density = take_number(input, 0.2);
    sup_result result = take_mesh(allocator, input, &mesh, error);
    if (result != SUP_OK) return result;
    def.mesh = &mesh;
    result = sup_weave_mesh(allocator, &def, web, error);
    sup_mesh_free(&mesh);
    return result;
}

static sup_result weave_shell(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                              sup_error* error) {
    sup_mesh mesh;
    sup_weave_shell_def def = sup_weave_shell_default();
    def.layers = fuzz_pick(input, 6);
    def.inner = (sup_weave_inner)fuzz_pick(input, 3);
    def.rule = (sup_weave_rule)fuzz_pick(input, 3);
    def.centre = fuzz_pick(input, 2);
    def.thickness = take_number(input, 0.1);
    def.scale = take_number(input, 0.8);
    def.young = take_number(input, 1e5);
    def.density = take_number(input, 1000);
    sup_result result = take_mesh(allocator, input, &mesh, error);
    if (result != SUP_OK) return result;
    def.mesh = &mesh;
    result = sup_weave_shell(allocator, &def, web, error);
    sup_mesh_free(&mesh);
    return result;
}

static sup_result weave_tets(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                             sup_error* error) {
    sup_vec3 points[POINTS];
    int32_t tets[4 * ELEMENTS];
    sup_weave_tets_def def = sup_weave_tets_default();
    def.young = take_number(input, 1e5);
    def.density = take_number(input, 1000);
    def.rule = (sup_weave_rule)fuzz_pick(input, 3);
    def.surface = fuzz_pick(input, 2);
    def.weld = take_number(input, def.weld);
    def.point_count = take_points(input, points);
    def.tet_count = fuzz_pick(input, ELEMENTS);
    take_ids(input, def.point_count, 4 * def.tet_count, tets);
    def.points = points;
    def.tets = tets;
    return sup_weave_tets(allocator, &def, web, error);
}

static sup_result weave_hexes(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                              sup_error* error) {
    sup_vec3 points[POINTS];
    int32_t hexes[8 * ELEMENTS];
    sup_weave_hexes_def def = sup_weave_hexes_default();
    def.young = take_number(input, 1e5);
    def.space = take_number(input, 0);
    def.density = take_number(input, 1000);
    def.surface = fuzz_pick(input, 2);
    def.tets = fuzz_pick(input, 2);
    def.weld = take_number(input, def.weld);
    def.point_count = take_points(input, points);
    def.hex_count = fuzz_pick(input, ELEMENTS);
    take_ids(input, def.point_count, 8 * def.hex_count, hexes);
    def.points = points;
    def.hexes = hexes;
    return sup_weave_hexes(allocator, &def, web, error);
}

static sup_result weave_block(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                              sup_error* error) {
    sup_weave_block_def def = sup_weave_block_default();
    for (int k = 0; k < 3; k++) def.cells[k] = fuzz_pick(input, 4);
    if (fuzz_pick(input, 16) == 15) def.cells[0] = def.cells[1] = def.cells[2] = 1024;
    def.cell = take_number(input, 0.1);
    def.young = take_number(input, 1e5);
    def.density = take_number(input, 1000);
    def.rule = (sup_weave_rule)fuzz_pick(input, 3);
    def.surface = fuzz_pick(input, 2);
    return sup_weave_block(allocator, &def, web, error);
}

/* From a file of the rest of the input, which is seldom of the right size. */
static sup_result weave_voxels(const sup_allocator* allocator, fuzz_input* input, sup_web* web,
                               sup_error* error) {
    sup_weave_voxels_def def = sup_weave_voxels_default();
    size_t cells = 1;
    for (int k = 0; k < 3; k++) {
        def.cells[k] = fuzz_pick(input, VOXELS + 1);
        cells *= (size_t)def.cells[k];
    }
    def.least = fuzz_pick(input, 255);
    def.cell = take_number(input, 0.1);
    def.young = take_number(input, 1e5);
    def.space = take_number(input, 0);
    def.density = take_number(input, 1000);
    def.surface = fuzz_pick(input, 2);
    def.tets = fuzz_pick(input, 2);
    uint8_t full[VOXELS * VOXELS * VOXELS];
    for (size_t i = 0; i < cells; i++) full[i] = i < input->left ? input->at[i] : 255;
    bool whole = fuzz_pick(input, 4) != 0;
    const fuzz_file file = {"f", whole ? full : input->at, whole ? cells : input->left};
    fuzz_files files;
    const sup_file_gate* gate = fuzz_files_begin(&files, &file, 1);
    sup_result result = sup_weave_load_voxels(allocator, gate, "f", &def, web, error);
    fuzz_files_end(&files);
    return result;
}

/* A web stays whole, whether struts come in or not. */
static void add_struts(fuzz_input* input, sup_web* web) {
    sup_error error = {0};
    sup_weave_struts_def def = sup_weave_struts_default();
    def.stiffness = take_number(input, 100);
    def.every = fuzz_pick(input, 4);
    def.split = fuzz_pick(input, 2);
    sup_result result = sup_weave_struts(&def, web, &error);
    FUZZ_REQUIRE(error.code == result);
    check_web(web);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static weaver* const weavers[] = {weave_grid, weave_rope,  weave_mesh,  weave_shell,
                                      weave_tets, weave_hexes, weave_block, weave_voxels};
    fuzz_input input = {data, size};
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin_refusing(&memory, MEMORY);
    sup_error error = {0};
    sup_web web;
    fuzz_mark(&web, sizeof web);
    sup_result result = weavers[fuzz_pick(&input, 8)](allocator, &input, &web, &error);
    if (result == SUP_OK) {
        check_web(&web);
        add_struts(&input, &web);
        sup_web_free(&web);
    } else {
        fuzz_check_refusal(result, &error, "f", &web, sizeof web);
    }
    fuzz_memory_end(&memory);
    return 0;
}
