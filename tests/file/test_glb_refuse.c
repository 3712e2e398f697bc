/* GLB and glTF that are wrong or broken: refused with their place, in every way and without a leak.
 */
#include "glb_by_hand.h"

/* --- refusals --- */

typedef struct refusal {
    const char *from, *to; /* in the JSON of the square */
    const char* place;     /* what stands where the message points */
    const char* message;
} refusal;

static void refused(sweep_reader read, const refusal* list, size_t count) {
    test_allocator counter;
    test_allocator_init(&counter);
    bytes binary = square_binary();
    for (size_t i = 0; i < count; i++) {
        char json[4096], place[64] = "";
        strcpy(json, square_json);
        replace(json, sizeof json, list[i].from, list[i].to);
        bytes file = make_glb(json, &binary);
        sup_error error;
        sup_result result = sweep_read(&counter, read, file.data, file.size, &error);
        if (result != SUP_BAD_FILE || !strstr(error.text, list[i].message)) {
            print_message("%s\ngot: %s\nwanted: %s\n", list[i].to, error.text, list[i].message);
        }
        assert_int_equal(result, SUP_BAD_FILE);
        assert_non_null(strstr(error.text, list[i].message));
        assert_int_equal(error.line, 1);
        strncpy(place, json + error.column - 1, strlen(list[i].place));
        assert_string_equal(place, list[i].place);
    }
}

#define REFUSED(read, list) refused(read, list, sizeof list / sizeof *list)

static void bad_structure_is_refused(void** state) {
    (void)state;
    static const refusal list[] = {
        {"'asset':{'version':'2.0'},", "", "{", ": \"asset\" is missing"},
        {"'version':'2.0'", "'version':'1.0'", "'1.0'", ": only version 2 of glTF is known"},
        {"'2.0'", "'2.1','minVersion':'2.1'", "'2.1'}", ": only version 2.0 of glTF is known"},
        {"{'asset'", "{'extensionsRequired':['KHR_draco_mesh_compression'],'asset'", "'KHR",
         ": the file requires the extension \"KHR_draco_mesh_compression\", which is not known"},
        {"'buffer':0,'byteLength':48", "'buffer':1,'byteLength':48", "1,'byteL",
         ": the index 1 is out of range: there are 1"},
        {"{'buffer':0,'byteLength':48}", "{'buffer':0,'byteLength':121}",
         "{'buffer':0,'byteLength':121", ": the view ends at byte 121 of a buffer of 120 bytes"},
        {"'byteOffset':104,", "'byteOffset':-4,", "-4",
         ": \"byteOffset\" must be an integer from 0 to 9007199254740992, not -4"},
        {"'byteOffset':104,", "'byteOffset':9007199254740992,", "{'buffer':0,'byteOffset':9007",
         ": the view ends at byte 9007199254741008 of a buffer of 120 bytes"},
        {"{'buffer':0,'byteLength':48}", "{'buffer':0,'byteLength':48,'byteStride':8}",
         "{'bufferView':0", ": elements of 12 bytes are only 8 bytes apart"},
        {"{'buffer':0,'byteLength':48}", "{'buffer':0,'byteLength':48,'byteStride':16}",
         "{'bufferView':0", ": 4 elements end at byte 60 of a view of 48 bytes"},
        {"'buffers':[{'byteLength':120}]", "'buffers':[{'byteLength':121}]", "{'byteLength':121",
         ": \"byteLength\" is 121, but the buffer has 120 bytes"},
        {"'buffers':[{'byteLength':120}]", "'buffers':[{'byteLength':120},{'byteLength':1}]",
         "{'byteLength':1}", ": the buffer has no \"uri\" and no binary chunk"},
        {"'bufferView':0,'componentType':5126", "'bufferView':0,'componentType':5124",
         "{'bufferView':0", ": \"componentType\" must be 5120 to 5123, 5125 or 5126, not 5124"},
        {"'bufferView':2,", "'bufferView':2,'normalized':true,", "true",
         ": only integers of 8 and 16 bits are normalized"},
        {"'bufferView':2,'componentType':5126,'count':4,'type':'VEC3'",
         "'bufferView':2,'componentType':5126,'count':4,'type':'VEC5'", "'VEC5'",
         ": \"type\" must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"},
        {"'bufferView':2,'componentType':5126,'count':4", "'componentType':5126,'count':0", "0,'t",
         ": \"count\" must be an integer from 1 to 2147483647, not 0"},
        {"'bufferView':2,'componentType':5126,'count':4", "'componentType':5126,'count':1.5", "1.5",
         ": \"count\" must be an integer from 1 to 2147483647, not 1.5"},
        {"'bufferView':2,'componentType':5126,'count':4", "'componentType':5126,'count':'4'", "'4'",
         ": \"count\" must be a number"},
        {"'accessors':[", "'accessors':[7,", "7", ": \"accessors\" must hold only objects"},
        {"'bufferView':2,", "'sparse':{'count':1,'indices':{'bufferView':0,'componentType':5126}},",
         "{'bufferView':0,'componentType':5126}", ": sparse indices must be unsigned integers"},
        {"'bufferView':2,",
         "'sparse':{'count':4,'indices':{'bufferView':1,'byteOffset':3,'componentType':5121}},",
         "{'bufferView':1,'byteOffset':3", ": 4 elements end at byte 7 of a view of 6 bytes"},
        {"'bufferView':2,", "'sparse':{'count':5},", "5}",
         ": \"count\" must be an integer from 1 to 4, not 5"},
    };
    REFUSED(read_mesh, list);
    REFUSED(read_clip, list);
}

static void bad_scenes_are_refused(void** state) {
    (void)state;
    static const refusal list[] = {
        {"'scenes':[{'nodes':[0]}],", "", "{", ": there is no scene"},
        {"'scenes':[{'nodes':[0]}],", "'scenes':[{}],", "{", ": the scene has no mesh"},
        {"'scenes':[{'nodes':[0]}],", "'scene':1,'scenes':[{'nodes':[0]}],", "1,",
         ": the index 1 is out of range: there are 1"},
        {"[{'nodes':[0]}]", "[{'nodes':[0,0]}]", "0]", ": node 0 has a parent already"},
        {NODES, "'nodes':[{'mesh':0,'children':[0]}]", "{'mesh':0", ": node 0 is below itself"},
        {NODES, "'nodes':[{'mesh':0},{'children':[2]},{'children':[3]},{'children':[1]}]",
         "{'children':[2]", ": node 1 is below itself"},
        {NODES, "'nodes':[{'mesh':0},{'children':[0]}]", "0]}],'nodes'",
         ": node 0 has a parent already"},
        {NODES, "'nodes':[{'mesh':0,'scale':[1,1]}]", "[1,1]",
         ": \"scale\" must have 3 numbers, not 2"},
        {NODES, "'nodes':[{'mesh':0,'scale':[1,1,null]}]", "null",
         ": \"scale\" must hold only numbers"},
        {NODES, "'nodes':[{'mesh':0,'rotation':[0,0,0,2]}]", "[0,0,0,2]",
         ": \"rotation\" must be a quaternion of length 1"},
        {NODES, "'nodes':[{'mesh':0,'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]", "[1,0",
         ": the last row of \"matrix\" must be 0, 0, 0, 1"},
        {NODES, "'nodes':[{'mesh':0,'scale':[1,1,1],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
         "{'mesh':0", ": a node has a \"matrix\" or translation, rotation and scale, not both"},
        {NODES, "'nodes':[{'mesh':0,'scale':[1e39,1,1]}]", "{'attributes'",
         ": point 1 is beyond the range of a float in the scene"},
        {NODES, "'nodes':[{'mesh':0,'weights':[1,2]}]", "[1,2]",
         ": \"weights\" must have 1 numbers, not 2"},
        {"'primitives':[" INDEXED "]", "'primitives':[]", "{'primitives'",
         ": the mesh has no primitives"},
        {"{'POSITION':0}", "{}", "{'attributes'", ": \"POSITION\" is missing"},
        {"{'POSITION':0}", "{'POSITION':1}", "{'bufferView':1",
         ": \"POSITION\" must be VEC3 of floats"},
        {"'indices':1", "'indices':0", "{'bufferView':0",
         ": \"indices\" must be SCALAR of unsigned integers"},
        {"'indices':1,", "'mode':1,", "{'attributes'", ": the primitive is lines; only points"},
        {"'indices':1,", "'mode':7,", "7,", ": \"mode\" must be an integer from 0 to 6, not 7"},
        {"'indices':1,", "", "{'attributes'", ": 4 corners do not make whole triangles"},
        {"[{'POSITION':2}]", "[{'POSITION':3}]", "{'bufferView':3",
         ": \"POSITION\" must be VEC3 of floats"},
        {"'bufferView':2,'componentType':5126,'count':4", "'componentType':5126,'count':3",
         "{'componentType'", ": the target has 3 points, its primitive 4"},
        {INDEXED, INDEXED ",{'attributes':{'POSITION':0},'indices':1}",
         "{'attributes':{'POSITION':0},'indices':1}",
         ": the primitive has 0 targets, but the first one of its mesh has 1"},
    };
    REFUSED(read_mesh, list);
    REFUSED(read_clip, list);
}

static void bad_animations_are_refused(void** state) {
    (void)state;
    static const char output[] = "'output':4}";
    static const refusal list[] = {
        {output, "'output':4,'interpolation':'CUBICSPLINE'}", "'CUBIC",
         ": CUBICSPLINE is not read; sample the animation to LINEAR or STEP"},
        {output, "'output':4,'interpolation':'linear'}", "'linear'",
         ": the interpolation is not known; sample the animation to LINEAR or STEP"},
        {output, "'output':0}", "{'bufferView':0",
         ": weights must be SCALAR of floats or normalized integers"},
        {output, "'output':1}", "{'bufferView':1",
         ": weights must be SCALAR of floats or normalized integers"},
        {"'input':3,", "'input':0,", "{'bufferView':0", ": times must be SCALAR of floats"},
        {"'input':3,", "", "{'output':4}", ": \"input\" is missing"},
        {"'count':2,'type':'SCALAR'}],", "'count':1,'type':'SCALAR'}],", "{'sampler':0",
         ": 2 times of 1 targets do not make 1 weights"},
        {"'sampler':0,", "'sampler':1,", "1,", ": the index 1 is out of range: there are 1"},
        {"'path':'weights'", "'path':'scale'", "{", ": no animation moves weights"},
        {"'path':'weights'}}", "'path':'weights'}},{'target':{'node':0,'path':'scale'}}",
         "{'target':{'node':0,'path':'scale'}}",
         ": the animation moves node 0 and so the mesh; only weights are read"},
        {"'path':'weights'}}",
         "'path':'weights'}},{'sampler':0,'target':{'path':'weights','node':0}}",
         "{'sampler':0,'target':{'path'", ": the weights of node 0 move already"},
        {"'animations':[", "'animations':[{'channels':[{'target':{'path':'weights','node':0}}]},",
         "{'channels':[{'sampler'", ": a second animation moves weights; a clip is one"},
        {"'targets':[{'POSITION':2}]", "'mode':4", "{'sampler':0", ": node 0 has no weights"},
    };
    REFUSED(read_clip, list);
}

static void other_places_are_refused(void** state) {
    (void)state;
    static const char* const uris[] = {
        "",         "/a.bin",    "../a.bin",   "b/../../a.bin", "b/..",      "%2e%2e/a.bin",
        "c:/a.bin", "c%3Aa.bin", "http://x/a", "file:a.bin",    "b%5Ca.bin", "..%2fa.bin",
        "a.bin?x",  "a.bin#x",   "a%00.bin",   "a%0.bin",       "a%",        "a%g0",
        "data%3A",  "a%0Ab",     "%2Fa.bin"};
    sup_error error;
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        bytes file = square_gltf(uris[i]);
        assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
        assert_non_null(strstr(error.text, "must be a data URI or a relative name without \"..\""));
        assert_true(error.line == 1 && error.column > 1);
    }
    static const char* const data[][2] = {
        {"data:text/plain,abcd", ": a data URI must be base64"},
        {"data:;base64", ": a data URI must be base64"},
        {"data:;base64,", ": the length of base64 must be a multiple of 4 above 0"},
        {"data:;base64,abc", ": the length of base64 must be a multiple of 4 above 0"},
        {"data:;base64,ab-d", ": character 3 of the base64 is none of its alphabet"},
        {"data:;base64,a===", ": character 2 of the base64 is none of its alphabet"},
        {"data:;base64,ab==abcd", ": character 3 of the base64 is none of its alphabet"},
        {"data:;base64,abc=", ": \"byteLength\" is 120, but the buffer has 2 bytes"},
        {"data:;base64,ab==", ": \"byteLength\" is 120, but the buffer has 1 bytes"},
    };
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        bytes file = square_gltf(data[i][0]);
        assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
        assert_non_null(strstr(error.text, data[i][1]));
    }
    bytes file = square_gltf("none.bin");
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_NOT_FOUND);
    assert_int_equal(error.code, SUP_NOT_FOUND);
    assert_non_null(strstr(error.text, ": cannot read none.bin: there is no such file"));
    assert_int_equal(read_mesh(NULL, file.data, file.size, NULL), SUP_NOT_FOUND);
}

/* Numbers in the binary chunk; all places are the accessor's. */
static void bad_numbers_are_refused(void** state) {
    (void)state;
    static const struct {
        size_t at;
        float value;
        const char* message;
    } list[] = {{0, INFINITY, ": element 0 is not finite"},
                {44, NAN, ": element 3 is not finite"},
                {TARGET + 12, NAN, ": element 1 is not finite"},
                {TIMES, -1, ": time 0 does not grow from 0 on"},
                {TIMES + 4, 0.25f, ": time 1 does not grow from 0 on"},
                {TIMES, INFINITY, ": element 0 is not finite"},
                {WEIGHTS, NAN, ": element 0 is not finite"},
                {WEIGHTS, 3e38f, ": point 2 is beyond the range of a float in the scene"}};
    sup_error error;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bytes binary = square_binary(), four = {0};
        put_floats(&four, &list[i].value, 1);
        memcpy(binary.data + list[i].at, four.data, 4);
        bytes file = make_glb(square_json, &binary);
        assert_int_equal(read_clip(NULL, file.data, file.size, &error), SUP_BAD_FILE);
        assert_non_null(strstr(error.text, list[i].message));
    }
    bytes binary = square_binary();
    binary.data[INDICES + 4] = 4;
    bytes file = make_glb(square_json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": index 4 is 4, but there are 4 points"));
    memset(binary.data + INDICES, 0, 6);
    file = make_glb(square_json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": the scene has no triangles and no points"));
}

static void bad_chunks_are_refused(void** state) {
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        const char* message;
    } list[] = {{0, 'G', "f: byte 0: this is neither GLB, which starts with \"glTF\", nor JSON"},
                {4, 1, "f: byte 4: the version of GLB is not 2"},
                {8, 1, "f: byte 8: the length in the header is not that of the file"},
                {15, 1, "f: byte 12: the chunk is longer than the file"},
                {16, 'X', "f: byte 16: the first chunk is not JSON"}};
    sup_error error;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bytes file = square_glb();
        file.data[list[i].at] = list[i].value;
        assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
        assert_string_equal(error.text, list[i].message);
    }
    bytes file = square_glb();
    assert_int_equal(read_mesh(NULL, file.data, 11, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "f: byte 11: the file ends inside its header");
    assert_int_equal(read_mesh(NULL, file.data, 0, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:1: the file is empty");
    assert_int_equal(read_mesh(NULL, (const uint8_t*)" [1]", 4, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:2: a glTF file holds one object");
}

/* A few bytes that stand for very many numbers are refused before the memory is asked for. */
static void bombs_are_refused(void** state) {
    (void)state;
    static const refusal list[] = {
        {"'bufferView':0,'componentType':5126,'count':4", "'componentType':5126,'count':2000000000",
         "{'componentType'", ": the file unfolds to far more than its size"},
        {"'bufferView':1,'componentType':5121,'count':6", "'componentType':5121,'count':1999999998",
         "{'componentType'", ": the file unfolds to far more than its size"},
    };
    REFUSED(read_mesh, list);
    /* 20 million zeros at three nodes. */
    char json[4096];
    sup_error error;
    bytes binary = square_binary();
    strcpy(json, square_json);
    replace(json, sizeof json, "[{'nodes':[0]}]," NODES,
            "[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'mesh':0},{'mesh':0}]");
    replace(json, sizeof json, ",'targets':[{'POSITION':2}]", "");
    replace(json, sizeof json, "'bufferView':0,'componentType':5126,'count':4",
            "'componentType':5126,'count':20000000");
    bytes file = make_glb(json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": the file unfolds to far more than its size"));
    /* 100,000 zeros: few enough to be looked at, too many to be held for so small a file. */
    replace(json, sizeof json, "'count':20000000", "'count':100000");
    file = make_glb(json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:1: the file unfolds to far more than its size");
    /* A million zeros at a hundred keys. */
    enum { KEYS = 100 };
    for (int i = 0; i < KEYS; i++) put_floats(&binary, (const float[]){(float)i}, 1);
    strcpy(json, square_json);
    replace(json, sizeof json, "'targets':[{'POSITION':2}]", "'targets':[{'NORMAL':2}]");
    replace(json, sizeof json, "'bufferView':0,'componentType':5126,'count':4",
            "'componentType':5126,'count':1000000");
    replace(json, sizeof json, "'bufferView':3,'componentType':5126,'count':2",
            "'bufferView':3,'componentType':5126,'count':100");
    replace(json, sizeof json, "'bufferView':3,'byteOffset':8,'componentType':5126,'count':2",
            "'bufferView':3,'componentType':5126,'count':100");
    replace(json, sizeof json, "'byteOffset':104,'byteLength':16",
            "'byteOffset':120,'byteLength':400");
    replace(json, sizeof json, "[{'byteLength':120}]", "[{'byteLength':520}]");
    file = make_glb(json, &binary);
    assert_int_equal(read_clip(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": the file unfolds to far more than its size"));
}

/* --- failures --- */

static void every_damage_is_survived(void** state) {
    (void)state;
    bytes file = square_glb();
    assert_int_equal(sweep_prefixes(read_mesh, file.data, file.size), 0);
    assert_int_equal(sweep_prefixes(read_clip, file.data, file.size), 0);
    int most = (int)file.size * 20;
    int refusals = sweep_damage(read_mesh, file.data, file.size);
    assert_true(refusals > most / 3 && refusals < most);
    refusals = sweep_damage(read_clip, file.data, file.size);
    assert_true(refusals > most / 2 && refusals < most);
}

static void every_refused_allocation_is_reported(void** state) {
    (void)state;
    bytes file = square_glb();
    assert_true(sweep_memory(read_mesh, file.data, file.size) >= 7);
    assert_true(sweep_memory(read_clip, file.data, file.size) >= 6);
}

static void every_file_failure_is_reported(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    bytes binary = square_binary(), file = square_gltf("a.bin");
    place_bytes(&disk, "a.bin", &binary);
    place_bytes(&disk, "s.gltf", &file);
    bool failed = true;
    for (int n = 1; failed; n++) {
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        sup_mesh mesh;
        sup_error error;
        disk.plan = (failing_plan){.fail_at = n};
        sup_result result = sup_mesh_load(allocator, &gate, "s.gltf", &mesh, &error);
        failed = disk.plan.failed;
        assert_int_equal(result, failed ? SUP_IO : SUP_OK);
        if (failed) assert_int_equal(error.code, SUP_IO);
        if (failed) assert_non_null(strstr(error.text, n <= 4 ? "read s.gltf" : "read a.bin"));
        if (!failed) assert_int_equal(n, 9);
        if (!failed) sup_mesh_free(&mesh);
        assert_int_equal(counter.blocks, 0);
    }
    disk.plan = (failing_plan){0};
    bool refused_one = true;
    for (int n = 1; refused_one; n++) {
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        test_allocator_arm(&counter, n, false);
        sup_clip clip;
        sup_result result = sup_clip_load(allocator, &gate, "s.gltf", 1, &clip, NULL);
        refused_one = counter.refused > 0;
        assert_int_equal(result, refused_one ? SUP_NO_MEMORY : SUP_OK);
        if (!refused_one) sup_clip_free(&clip);
        assert_int_equal(counter.blocks, 0);
    }
    failing_wipe(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_places_are_refused),
        cmocka_unit_test(bad_structure_is_refused),
        cmocka_unit_test(bad_scenes_are_refused),
        cmocka_unit_test(bad_animations_are_refused),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_chunks_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(every_damage_is_survived),
        cmocka_unit_test(every_refused_allocation_is_reported),
        cmocka_unit_test(every_file_failure_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
