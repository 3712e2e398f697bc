/* Files of tetrahedra: Gmsh and TetGen in, VTU, Gmsh and JSON out, refusals in their places, damage
   and bounds. */
#include "sweeps.h"

#include "failing_files.h"
#include "supple/tets.h"

#define FORMAT "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 1 1 1\n$EndNodes\n"
#define ELEMENTS                                                                                   \
    "$Elements\n4\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n3 4 2 0 1 1 3 2 4\n4 4 0 2 3 4 "                 \
    "9\n$EndElements\n"
#define FORMAT_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_4                                                                                    \
    "$Nodes\n2 5 1 9\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n2 1 1 1\n9\n1 1 1 0.5 "     \
    "0.5\n$EndNodes\n"
#define ELEMENTS_4                                                                                 \
    "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 9\n$EndElements\n"
#define NODE_FILE "# points\n5 3 1 0\n1 0 0 0 7\n2 1 0 0 7\n3 0 1 0 7\n4 0 0 1 7\n5 1 1 1 7\n"
#define ELEMENT_FILE "2 4 0\n1 1 3 2 4\n2 2 3 4 5 # last\n"

static sup_result read_msh(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_tets tets;
    sup_result result = sup_msh_parse(allocator, "f", bytes, size, &tets, NULL, error);
    if (result == SUP_OK) sup_tets_free(&tets);
    return result;
}

/* The elements of TetGen behind points that are whole. */
static sup_result read_elements(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                                sup_error* error) {
    sup_tets tets;
    const sup_tetgen_files files = {.node_name = "n",
                                    .element_name = "f",
                                    .nodes = (const uint8_t*)NODE_FILE,
                                    .node_size = sizeof NODE_FILE - 1,
                                    .elements = bytes,
                                    .element_size = size};
    sup_result result = sup_tetgen_parse(allocator, &files, &tets, NULL, error);
    if (result == SUP_OK) sup_tets_free(&tets);
    return result;
}

static sup_tets parse(const char* text, sup_tets_mending* mending) {
    sup_tets tets;
    sup_error error;
    if (sup_msh_parse(NULL, "f", (const uint8_t*)text, strlen(text), &tets, mending, &error))
        fail_msg("%s", error.text);
    return tets;
}

static void check_two(const sup_tets* tets) {
    static const int32_t wanted[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    assert_int_equal(tets->point_count, 5);
    assert_int_equal(tets->tet_count, 2);
    assert_int_equal(tets->triangle_count, 6);
    for (int t = 0; t < 2; t++) {
        int32_t sum = 0, asked = 0;
        for (int k = 0; k < 4; k++)
            sum += 1 << tets->tets[4 * t + k], asked += 1 << wanted[4 * t + k];
        assert_int_equal(sum, asked);
    }
    assert_true(tets->points[4].x == 1 && tets->points[4].y == 1 && tets->points[4].z == 1);
}

static void test_versions(void** state) {
    (void)state;
    sup_tets_mending mending;
    sup_tets two = parse(FORMAT NODES ELEMENTS, &mending);
    check_two(&two);
    assert_int_equal(mending.flipped, 1);
    assert_int_equal(mending.dropped, 0);
    sup_tets_free(&two);
    two = parse(FORMAT_4 "$Entities\n0 0 0 0\n$EndEntities\n" NODES_4 ELEMENTS_4, &mending);
    check_two(&two);
    assert_int_equal(mending.flipped, 0);
    sup_tets_free(&two);
    sup_error error;
    const sup_tetgen_files files = {.node_name = "n",
                                    .element_name = "e",
                                    .nodes = (const uint8_t*)NODE_FILE,
                                    .node_size = sizeof NODE_FILE - 1,
                                    .elements = (const uint8_t*)ELEMENT_FILE,
                                    .element_size = sizeof ELEMENT_FILE - 1};
    assert_int_equal(sup_tetgen_parse(NULL, &files, &two, &mending, &error), SUP_OK);
    check_two(&two);
    sup_tets_free(&two);
}

static void test_refusals(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"hello\n", 1, 1, "f:1:1: \"hello\" stands where \"$MeshFormat\" should"},
        {"$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", 2, 1,
         "f:2:1: \"3.0\" stands where the version 2.2 or 4.1 should"},
        {"$MeshFormat\n4.1 1 8\n$EndMeshFormat\n", 2, 5,
         "f:2:5: \"1\" stands where 0, for text, should"},
        {FORMAT ELEMENTS, 4, 1, "f:4:1: \"$Elements\" stands where \"$Nodes\" should"},
        {FORMAT NODES NODES, 12, 1, "f:12:1: \"$Nodes\" stands where another section should"},
        {FORMAT "$Nodes\n1\n1 0 0 x\n", 6, 7, "f:6:7: \"x\" stands where a finite number should"},
        {FORMAT "$Nodes\n1\n1.5 0 0 0\n", 6, 1,
         "f:6:1: \"1.5\" stands where the number of a point should"},
        {FORMAT "$Nodes\n100000000\n1 0 0 0\n", 5, 10,
         "f:5:10: the file is too short for 100000000 points"},
        {FORMAT "$Nodes\n2\n1 0 0 0\n1 0 0 1\n", 7, 2, "f:7:2: a second point has the number 1"},
        {FORMAT NODES "$Elements\n1\n1 77 0 1\n", 14, 3,
         "f:14:3: the type of an element is 77, it must be from 1 to 31"},
        {FORMAT NODES "$Elements\n1\n1 4 0 1 2 3 5\n", 14, 14,
         "f:14:14: there is no point with the number 5"},
        {FORMAT "$Comments\n", 4, 1, "f:4:1: the section $Comments has no end"},
        {FORMAT "Nodes\n", 4, 1, "f:4:1: \"Nodes\" stands where the name of a section should"},
        {FORMAT_4 "$Nodes\n1 2 1 2\n3 1 0 3\n", 6, 7,
         "f:6:7: the number of points of a block is 3, it must be from 0 to 2"},
    };
    sweep_refusals(read_msh, refusals, sizeof refusals / sizeof *refusals);
    static const sweep_refusal elements[] = {
        {"2 4 0\n1 1 2 3 4\n", 3, 1,
         "f:3:1: the end of the file stands where the number of a row should"},
        {"1 4 0\n1 1 2 3 6\n", 2, 9, "f:2:9: a corner is 6, it must be from 1 to 5"},
        {"1 4 0\n2 1 2 3 4\n", 2, 1, "f:2:1: the number of a row is 2, it must be from 0 to 1"},
        {"1 3 0\n1 1 2 3\n", 1, 3,
         "f:1:3: the number of their corners is 3, it must be from 4 to 10"},
    };
    sweep_refusals(read_elements, elements, sizeof elements / sizeof *elements);
    /* What only the whole shows has no line. */
    sup_tets tets;
    sup_error error;
    const char* flat = FORMAT "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"
                              "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
    assert_int_equal(
        sup_msh_parse(NULL, "f", (const uint8_t*)flat, strlen(flat), &tets, NULL, &error),
        SUP_BAD_FILE);
    assert_string_equal(error.text, "f: no tetrahedron has a volume");
}

static void test_damage(void** state) {
    (void)state;
    const char* const texts[] = {FORMAT NODES ELEMENTS, FORMAT_4 NODES_4 ELEMENTS_4};
    for (int k = 0; k < 2; k++) {
        const uint8_t* bytes = (const uint8_t*)texts[k];
        sweep_damage(read_msh, bytes, strlen(texts[k]));
        sweep_memory(read_msh, bytes, strlen(texts[k]));
    }
    sweep_damage(read_elements, (const uint8_t*)ELEMENT_FILE, sizeof ELEMENT_FILE - 1);
    sweep_memory(read_elements, (const uint8_t*)ELEMENT_FILE, sizeof ELEMENT_FILE - 1);
}

/* What is written is read as the same, points to the last bit. */
static void test_round_trip(void** state) {
    (void)state;
    sup_mesh ball;
    sup_tets tets, back;
    sup_tets_def def = sup_tets_default();
    sup_error error;
    failing_disk disk = {0};
    const sup_file_gate gate = failing_gate(&disk), *files = &gate;
    def.cell = 0.4;
    assert_int_equal(sup_mesh_icosphere(NULL, 1, 3, &ball, NULL), SUP_OK);
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, NULL), SUP_OK);
    assert_int_equal(sup_tets_save(NULL, files, "a.msh", &tets, &error), SUP_OK);
    assert_int_equal(sup_tets_load(NULL, files, "a.msh", &back, NULL, &error), SUP_OK);
    assert_int_equal(back.point_count, tets.point_count);
    assert_int_equal(back.tet_count, tets.tet_count);
    assert_memory_equal(back.points, tets.points, (size_t)tets.point_count * sizeof(sup_vec3));
    assert_memory_equal(back.tets, tets.tets, 4 * (size_t)tets.tet_count * sizeof(int32_t));
    sup_tets_free(&back);
    assert_int_equal(sup_tets_save(NULL, files, "a.vtu", &tets, &error), SUP_OK);
    assert_int_equal(sup_tets_save(NULL, files, "a.json", &tets, &error), SUP_OK);
    assert_int_equal(sup_tets_save(NULL, files, "a.obj", &tets, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tets_load(NULL, files, "a.obj", &back, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tets_load(NULL, files, "b.node", &back, NULL, &error), SUP_NOT_FOUND);
    tets.tets[0] = tets.point_count;
    assert_int_equal(sup_tets_save(NULL, files, "a.msh", &tets, &error), SUP_BAD_ARGUMENT);
    sup_tets_free(&tets);
    sup_mesh_free(&ball);
    failing_wipe(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
