/* GLB and glTF: what the writer wrote is read back, and every form of the format made by hand. */
#include "glb_by_hand.h"

/* --- comparing --- */

static void report(sup_result result, const sup_error* error) {
    if (result != SUP_OK) print_message("%s\n", error->text);
    assert_int_equal(result, SUP_OK);
}

static sup_mesh mesh_of(const bytes* file) {
    sup_mesh mesh;
    sup_error error;
    report(sup_glb_parse(NULL, NULL, "f", file->data, file->size, &mesh, &error), &error);
    return mesh;
}

static sup_clip clip_of(const bytes* file) {
    sup_clip clip;
    sup_error error;
    report(sup_glb_parse_clip(NULL, NULL, "f", file->data, file->size, &clip, &error), &error);
    return clip;
}

static void points_are(const sup_vec3* points, const float* expected, int32_t count) {
    for (int32_t i = 0; i < count; i++, expected += 3) {
        bool same =
            points[i].x == expected[0] && points[i].y == expected[1] && points[i].z == expected[2];
        if (!same) {
            print_message("point %d: %g %g %g\n", (int)i, (double)points[i].x, (double)points[i].y,
                          (double)points[i].z);
        }
        assert_true(same);
    }
}

/* Compares and frees. */
static void mesh_is(sup_mesh mesh, int32_t point_count, const float* points, int32_t triangles,
                    const int32_t* corners) {
    assert_int_equal(mesh.point_count, point_count);
    assert_int_equal(mesh.polygon_count, triangles);
    assert_int_equal(mesh.corner_count, 3 * triangles);
    points_are(mesh.points, points, point_count);
    for (int32_t i = 0; i <= triangles; i++) assert_int_equal(mesh.starts[i], 3 * i);
    for (int32_t i = 0; i < 3 * triangles; i++) assert_int_equal(mesh.corners[i], corners[i]);
    sup_mesh_free(&mesh);
}

static const int32_t square_corners[] = {0, 1, 2, 2, 1, 3};

static void frame_is(const sup_clip* clip, int32_t frame, double time, const float* points) {
    assert_true(clip->times[frame] == time);
    points_are(clip->points + frame * clip->point_count, points, clip->point_count);
}

/* The square with so much of the fold, moved along x. */
static void folded(double weight, double x, float points[12]) {
    for (int i = 0; i < 12; i++) {
        points[i] = (float)((double)square[i] + weight * (double)fold[i] + (i % 3 == 0 ? x : 0));
    }
}

static void folded_frame_is(const sup_clip* clip, int32_t frame, double time, double weight) {
    float points[12];
    folded(weight, 0, points);
    frame_is(clip, frame, time, points);
}

/* --- our own files --- */

static const int32_t quad_starts[] = {0, 4}, two_starts[] = {0, 3, 6};
static const int32_t quad_corners[] = {0, 1, 2, 3}, two_corners[] = {0, 1, 2, 2, 1, 3};
static const sup_surface surfaces[] = {
    {"quad", 4, 1, quad_starts, quad_corners, {1, 0, 0}, 1, 0, false},
    {"two", 4, 2, two_starts, two_corners, {0, 1, 0}, 1, 0, false}};

static void points_at(int frame, bool dyadic, sup_vec3 points[8]) {
    for (int i = 0; i < 8; i++) {
        float step = dyadic ? 0.125f : 0.1f;
        points[i] = (sup_vec3){step * (float)i, step * (float)(frame * (i + 1)), (float)(i % 3)};
    }
}

static void write_ours(const sup_file_gate* gate, int frames, bool dyadic) {
    sup_animation* animation = NULL;
    sup_result result =
        sup_glb_open(NULL, gate, "OURS.GLB", 2, surfaces, 30, frames, 100, &animation, NULL);
    assert_int_equal(result, SUP_OK);
    for (int frame = 0; frame < frames; frame++) {
        sup_vec3 points[8];
        points_at(frame, dyadic, points);
        assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
}

static void round_trip(int frames, bool dyadic) {
    static const int32_t corners[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 6, 5, 7};
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    write_ours(&gate, frames, dyadic);
    sup_mesh mesh;
    sup_clip clip;
    sup_vec3 rest[8], points[8];
    points_at(0, dyadic, rest);
    assert_int_equal(sup_mesh_load(NULL, &gate, "OURS.GLB", &mesh, NULL), SUP_OK);
    assert_int_equal(sup_clip_load(NULL, &gate, "OURS.GLB", 1, &clip, NULL), SUP_OK);
    assert_int_equal(clip.point_count, mesh.point_count);
    assert_int_equal(clip.frame_count, frames);
    mesh_is(mesh, 8, &rest[0].x, 4, corners);
    for (int frame = 0; frame < frames; frame++) {
        points_at(frame, dyadic, points);
        for (int i = 0; i < 8 && !dyadic; i++) { /* the file holds rounded differences */
            points[i].y = (float)((double)rest[i].y + (double)(points[i].y - rest[i].y));
        }
        frame_is(&clip, frame, (double)(float)(frame / 30.0), &points[0].x);
    }
    sup_clip_free(&clip);
    failing_wipe(&disk);
}

static void what_was_written_is_read(void** state) {
    (void)state;
    round_trip(1, true);
    round_trip(2, true);
    round_trip(50, true);
    round_trip(50, false);
}

/* --- arrays of numbers --- */

static void a_square_is_read(void** state) {
    (void)state;
    bytes file = square_glb();
    mesh_is(mesh_of(&file), 4, square, 2, square_corners);
    sup_clip clip = clip_of(&file);
    assert_int_equal(clip.frame_count, 2);
    folded_frame_is(&clip, 0, 0.25, 0.5);
    folded_frame_is(&clip, 1, 0.75, 1);
    sup_clip_free(&clip);
}

static void elements_may_be_apart(void** state) {
    (void)state;
    bytes binary = square_binary();
    size_t start = binary.size;
    for (int i = 0; i < 4; i++) { /* something else, the point, something else */
        put_floats(&binary, (const float[]){NAN}, 1);
        put_floats(&binary, square + 3 * i, 3);
        if (i < 3) put_floats(&binary, (const float[]){NAN, NAN}, 2);
    }
    char json[4096], view[128];
    strcpy(json, square_json);
    snprintf(view, sizeof view, "{'buffer':0,'byteOffset':%d,'byteLength':%d,'byteStride':24}",
             (int)start, (int)(binary.size - start));
    replace(json, sizeof json, "{'buffer':0,'byteLength':48}", view);
    replace(json, sizeof json, "[{'bufferView':0,", "[{'bufferView':0,'byteOffset':4,");
    snprintf(view, sizeof view, "'buffers':[{'byteLength':%d}]", (int)binary.size);
    replace(json, sizeof json, "'buffers':[{'byteLength':120}]", view);
    bytes file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 4, square, 2, square_corners);
}

static void accessors_may_be_sparse(void** state) {
    (void)state;
    static const float lifted[] = {0, 0, 0, 7, 8, 9, 0, 1, 0, 5, 5, 5};
    static const float alone[] = {0, 0, 0, 7, 8, 9, 0, 0, 0, 5, 5, 5};
    bytes binary = square_binary();
    put(&binary, "\1\0\3\0", 4);
    put_floats(&binary, (const float[]){7, 8, 9, 5, 5, 5}, 6);
    char json[4096];
    strcpy(json, square_json);
    replace(json, sizeof json, "'buffers':[{'byteLength':120}]", "'buffers':[{'byteLength':148}]");
    replace(json, sizeof json, "'bufferViews':[",
            "'bufferViews':[{'buffer':0,'byteOffset':120,'byteLength':28},");
    replace(json, sizeof json, "[{'bufferView':0,",
            "[{'sparse':{'count':2,'indices':{'bufferView':0,'componentType':5123},"
            "'values':{'bufferView':0,'byteOffset':4}},'bufferView':1,");
    replace(json, sizeof json, "{'bufferView':1,'componentType':5121",
            "{'bufferView':2,'componentType':5121");
    replace(json, sizeof json, "{'bufferView':2,'componentType':5126",
            "{'bufferView':3,'componentType':5126");
    replace(json, sizeof json, "{'bufferView':3,'componentType':5126,'count':2",
            "{'bufferView':4,'componentType':5126,'count':2");
    replace(json, sizeof json, "{'bufferView':3,'byteOffset':8", "{'bufferView':4,'byteOffset':8");
    bytes file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 4, lifted, 2, square_corners);

    /* Without a view the other elements are zero. */
    replace(json, sizeof json, "}},'bufferView':1,", "}},");
    file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 4, alone, 2, square_corners);

    sup_error error;
    binary.data[BINARY] = 3; /* the same index twice */
    file = make_glb(json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": sparse index 3 does not ascend within 0 .. 3"));
    binary.data[BINARY] = 1, binary.data[BINARY + 2] = 4;
    file = make_glb(json, &binary);
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": sparse index 4 does not ascend within 0 .. 3"));
}

static void indices_have_three_sizes(void** state) {
    (void)state;
    for (int size = 2; size <= 4; size += 2) {
        bytes binary = square_binary();
        char json[4096], text[128];
        strcpy(json, square_json);
        for (int i = 0; i < 6; i++) {
            put(&binary, &square_indices[i], 1);
            put(&binary, "\0\0\0", (size_t)size - 1);
        }
        snprintf(text, sizeof text, "'byteOffset':120,'byteLength':%d}", 6 * size);
        replace(json, sizeof json, "'byteOffset':48,'byteLength':6}", text);
        replace(json, sizeof json, "5121", size == 2 ? "5123" : "5125");
        snprintf(text, sizeof text, "[{'byteLength':%d}]", 120 + 6 * size);
        replace(json, sizeof json, "[{'byteLength':120}]", text);
        bytes file = make_glb(json, &binary);
        mesh_is(mesh_of(&file), 4, square, 2, square_corners);
    }
}

/* With the extension of that name, points may be integers, here of 16 bits. */
static void points_may_be_quantized(void** state) {
    (void)state;
    static const uint16_t raw[] = {0, 0, 0, 0, 32767, 0, 0, 0, 0, 32769, 0, 0, 0, 0, 32768, 0};
    static const float normal[] = {0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, -1};
    static const float plain[] = {0, 0, 0, 32767, 0, 0, 0, -32767, 0, 0, 0, -32768};
    bytes binary = square_binary();
    for (int i = 0; i < 16; i++) {
        uint8_t two[2] = {(uint8_t)raw[i], (uint8_t)(raw[i] >> 8)};
        put(&binary, two, 2);
    }
    char json[4096];
    strcpy(json, square_json);
    replace(json, sizeof json, "'buffers':[{'byteLength':120}]", "'buffers':[{'byteLength':152}]");
    replace(json, sizeof json, "{'buffer':0,'byteLength':48}",
            "{'buffer':0,'byteOffset':120,'byteLength':32,'byteStride':8}");
    replace(json, sizeof json, "[{'bufferView':0,'componentType':5126",
            "[{'bufferView':0,'normalized':true,'componentType':5122");
    bytes file = make_glb(json, &binary);
    sup_error error;
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, "\"POSITION\" must be VEC3 of floats"));
    replace(json, sizeof json, "{'asset'",
            "{'extensionsRequired':['KHR_materials_unlit','KHR_mesh_quantization'],'asset'");
    file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 4, normal, 2, square_corners);
    replace(json, sizeof json, "'normalized':true", "'normalized':false");
    file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 4, plain, 2, square_corners);
}

/* --- buffers --- */

static void base64(const bytes* from, char* text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from->size; i += 3) {
        size_t count = from->size - i < 3 ? from->size - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (k < count ? from->data[i + k] : 0u);
        for (size_t k = 0; k < 4; k++) {
            *text++ = '=';
            if (k <= count) text[-1] = digits[bits >> (18 - 6 * k) & 63];
        }
    }
    *text = 0;
}

static void buffers_may_stand_in_the_text(void** state) {
    (void)state;
    bytes binary = square_binary();
    for (int extra = 0; extra < 3; extra++) { /* both ways of padding, and none */
        char uri[512] = "data:application/octet-stream;base64,";
        base64(&binary, uri + strlen(uri));
        bytes file = square_gltf(uri);
        mesh_is(mesh_of(&file), 4, square, 2, square_corners);
        put(&binary, "x", 1);
    }
}

static void buffers_may_lie_beside(void** state) {
    (void)state;
    static const char* const uris[] = {"a.bin", "b/my%20data.bin", "%61.bin", "..bin", "b/..x/c"};
    static const char* const names[] = {"m/a.bin", "m/b/my data.bin", "m/a.bin", "m/..bin",
                                        "m/b/..x/c"};
    bytes binary = square_binary();
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        bytes file = square_gltf(uris[i]);
        place_bytes(&disk, names[i], &binary);
        place_bytes(&disk, "m/s.gltf", &file);
        sup_mesh mesh;
        sup_error error;
        report(sup_mesh_load(NULL, &gate, "m/s.gltf", &mesh, &error), &error);
        mesh_is(mesh, 4, square, 2, square_corners);
        failing_wipe(&disk);
    }
}

/* A file that is named very often is read once, whatever way its name is written. */
static void a_file_beside_is_read_once(void** state) {
    (void)state;
    static const char* const uris[] = {"a.bin", "./a.bin", ".//./a.bin", "%61.bin", "%2E%2fa.bin"};
    enum { NAMINGS = 5000, URIS = sizeof uris / sizeof *uris, ROOM = 64 * NAMINGS };
    bytes binary = square_binary(), first = square_gltf("a.bin");
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    place_bytes(&disk, "m/a.bin", &binary);
    char* text = malloc(ROOM);
    size_t size = first.size - strlen("]}\n");
    memcpy(text, first.data, size);
    for (int i = 0; i < NAMINGS; i++) {
        size += (size_t)snprintf(text + size, ROOM - size, ",{\"byteLength\":120,\"uri\":\"%s\"}",
                                 uris[i % URIS]);
    }
    size += (size_t)snprintf(text + size, ROOM - size, "]}");
    test_allocator memory;
    const sup_allocator* allocator = test_allocator_init(&memory);
    disk.plan = (failing_plan){0};
    sup_mesh mesh;
    sup_error error;
    report(sup_glb_parse(allocator, &gate, "m/s.gltf", (const uint8_t*)text, size, &mesh, &error),
           &error);
    mesh_is(mesh, 4, square, 2, square_corners);
    assert_int_equal(disk.plan.calls, 4); /* open, read, read the end, close */
    assert_true((size_t)memory.peak <= 64 * (size + binary.size) + (1 << 20));
    assert_int_equal(memory.blocks, 0);
    free(text);
    failing_wipe(&disk);
}

/* The bound on memory counts what lies beside as it counts the file. */
static void a_large_buffer_beside_is_read(void** state) {
    (void)state;
    enum { POINTS = 3 * 134000, SIZE = 12 * POINTS };
    bytes file = {0};
    put_json(&file,
             "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"
             "'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'count':402000,"
             "'type':'VEC3'}],'bufferViews':[{'buffer':0,'byteLength':4824000}],"
             "'buffers':[{'byteLength':4824000,'uri':'large.bin'}]}");
    float* numbers = malloc(SIZE);
    for (int i = 0; i < 3 * POINTS; i++) numbers[i] = (float)(i * 7 % 1000);
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    failing_place_bytes(&disk, "large.bin", numbers, SIZE);
    place_bytes(&disk, "large.gltf", &file);
    sup_mesh mesh;
    sup_error error;
    report(sup_mesh_load(NULL, &gate, "large.gltf", &mesh, &error), &error);
    assert_int_equal(mesh.point_count, POINTS);
    assert_int_equal(mesh.polygon_count, POINTS / 3);
    points_are(mesh.points, numbers, POINTS);
    sup_mesh_free(&mesh);
    failing_wipe(&disk);
    free(numbers);
}

/* The second chunk is the binary one; later ones are for others, whatever they are called. */
static void later_chunks_are_ignored(void** state) {
    (void)state;
    bytes file = square_glb(), total = {0};
    put_u32(&file, 4);
    put(&file, "BIN\0none", 8);
    put_u32(&total, (uint32_t)file.size);
    memcpy(file.data + 8, total.data, 4);
    mesh_is(mesh_of(&file), 4, square, 2, square_corners);
    memcpy(strstr((char*)file.data + file.size - 12 - BINARY - 4, "BIN"), "XXX", 3);
    sup_error error;
    assert_int_equal(read_mesh(NULL, file.data, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, ": the buffer has no \"uri\" and no binary chunk"));
}

/* --- scenes --- */

static void nodes_place_their_meshes(void** state) {
    (void)state;
    bytes binary = square_binary();
    /* A quarter turn about z, its quaternion a little too long, below a matrix that scales by 2 and
       moves; the mesh again, mirrored, without a parent. Node 3 is in no scene. */
    bytes file = changed_square("'scenes':[{'nodes':[0]}]," NODES,
                                "'scene':1,'scenes':[{},{'nodes':[1,0]}],"
                                "'nodes':[{'mesh':0,'scale':[-1,1,1],'translation':[0,0,5]},"
                                "{'matrix':[2,0,0,0,0,2,0,0,0,0,2,0,10,20,30,1],'children':[2]},"
                                "{'mesh':0,'rotation':[0,0,0.71,0.71],'children':[4]},"
                                "{'mesh':0},{'mesh':0,'translation':[1,0,0]}]",
                                &binary);
    static const float expected[] = {10, 20, 30, 10, 22, 30, 8, 20, 30, 8,  22, 30,
                                     10, 22, 30, 10, 24, 30, 8, 22, 30, 8,  24, 30,
                                     0,  0,  5,  -1, 0,  5,  0, 1,  5,  -1, 1,  5};
    static const int32_t corners[] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7, 8, 10, 9, 10, 11, 9};
    sup_mesh mesh = mesh_of(&file);
    for (int i = 0; i < mesh.point_count; i++) { /* the quarter turn is not exact */
        assert_true(fabsf(mesh.points[i].x - expected[3 * i]) < 1e-5f);
        assert_true(fabsf(mesh.points[i].y - expected[3 * i + 1]) < 1e-5f);
        assert_true(fabsf(mesh.points[i].z - expected[3 * i + 2]) < 1e-5f);
        mesh.points[i] = (sup_vec3){expected[3 * i], expected[3 * i + 1], expected[3 * i + 2]};
    }
    mesh_is(mesh, 12, expected, 6, corners);
    sup_clip clip;
    sup_error error;
    assert_int_equal(sup_glb_parse_clip(NULL, NULL, "f", file.data, file.size, &clip, &error),
                     SUP_OK);
    assert_int_equal(clip.point_count, 12); /* only node 0 is moved */
    assert_true(clip.points[9].z == 5.5f && clip.points[21].z == 6);
    sup_clip_free(&clip);
}

/* A chain deeper than any stack. */
static void nodes_may_be_deep(void** state) {
    (void)state;
    enum { DEPTH = 200000 };
    bytes binary = square_binary();
    char* nodes = malloc(DEPTH * 64);
    assert_non_null(nodes);
    size_t used = 0;
    for (int i = 0; i < DEPTH; i++) {
        used +=
            (size_t)sprintf(nodes + used, "{\"children\":[%d],\"translation\":[1,0,0]},", i + 1);
    }
    sprintf(nodes + used, "{\"mesh\":0}]");
    bytes file = square_gltf("b.bin");
    file.data[file.size] = 0;
    char* all = malloc(file.size + DEPTH * 64);
    assert_non_null(all);
    const char* from = strstr((char*)file.data, "{\"mesh\":0}]");
    int start = (int)(from - (char*)file.data);
    int size =
        sprintf(all, "%.*s%s%s", start, (char*)file.data, nodes, from + strlen("{\"mesh\":0}]"));
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    place_bytes(&disk, "b.bin", &binary);
    sup_mesh mesh;
    sup_error error;
    report(sup_glb_parse(NULL, &gate, "f", (uint8_t*)all, (size_t)size, &mesh, &error), &error);
    assert_true(mesh.points[0].x == DEPTH);
    sup_mesh_free(&mesh);
    failing_wipe(&disk);
    free(all);
    free(nodes);
}

static void primitives_are_joined(void** state) {
    (void)state;
    bytes binary = square_binary();
    static const float twice[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                  0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    /* A strip whose second triangle is a joint, then a fan, both over the same points; then a strip
       of other points, which are the same only by their place. */
    static const int32_t corners[] = {0, 1, 2, 2, 3, 1, 0, 1, 2, 0, 2, 3, 4, 5, 6, 5, 7, 6};
    char json[4096];
    strcpy(json, square_json);
    replace(json, sizeof json, "[" INDEXED "]",
            "[{'attributes':{'POSITION':0},'indices':1,'mode':5},"
            "{'attributes':{'POSITION':0},'mode':6},"
            "{'attributes':{'POSITION':5},'mode':5}]");
    replace(json, sizeof json, "'count':2,'type':'SCALAR'}],",
            "'count':2,'type':'SCALAR'},"
            "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}],");
    bytes file = make_glb(json, &binary);
    mesh_is(mesh_of(&file), 8, twice, 6, corners);
}

static void weights_fold_the_mesh(void** state) {
    (void)state;
    bytes binary = square_binary();
    float expected[12];
    folded(0.5, 0, expected);
    bytes file = changed_square("'targets':[{'POSITION':2}]}]",
                                "'targets':[{'POSITION':2}]}],'weights':[0.5]", &binary);
    mesh_is(mesh_of(&file), 4, expected, 2, square_corners);
    folded(-2, 0, expected);
    file = changed_square(NODES, "'nodes':[{'mesh':0,'weights':[-2]}]", &binary);
    mesh_is(mesh_of(&file), 4, expected, 2, square_corners);
    /* A target that moves no points. */
    file = changed_square("[{'POSITION':2}]}]", "[{'NORMAL':2}]}],'weights':[0.5]", &binary);
    mesh_is(mesh_of(&file), 4, square, 2, square_corners);
}

/* --- animations --- */

/* Two nodes with the square, the second moved along x, each with its own keys. */
static bytes two_tracks(const char* second_way) {
    bytes binary = square_binary();
    put_floats(&binary, (const float[]){0, 0.5f, 1}, 3);
    put(&binary, "\0\xFF\x33\0", 4);
    char json[4096], text[256];
    strcpy(json, square_json);
    replace(json, sizeof json, "'scenes':[{'nodes':[0]}]," NODES,
            "'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0},{'mesh':0,'translation':[4,0,0]}]");
    replace(json, sizeof json, "'path':'weights'}}]",
            "'path':'weights'}},{'sampler':1,'target':{'node':1,'path':'weights'}}]");
    snprintf(text, sizeof text, "{'input':3,'output':4},{'input':5,'output':6%s}", second_way);
    replace(json, sizeof json, "{'input':3,'output':4}", text);
    replace(json, sizeof json, "'count':2,'type':'SCALAR'}],",
            "'count':2,'type':'SCALAR'},"
            "{'bufferView':4,'componentType':5126,'count':3,'type':'SCALAR'},"
            "{'bufferView':5,'componentType':5121,'normalized':true,'count':3,'type':'SCALAR'}],");
    replace(json, sizeof json, "'byteLength':16}],",
            "'byteLength':16},{'buffer':0,'byteOffset':120,'byteLength':12},"
            "{'buffer':0,'byteOffset':132,'byteLength':3}],");
    replace(json, sizeof json, "[{'byteLength':120}]", "[{'byteLength':136}]");
    return make_glb(json, &binary);
}

static void tracks_are(const sup_clip* clip, int32_t count, const double expected[][3]) {
    assert_int_equal(clip->frame_count, count);
    assert_int_equal(clip->point_count, 8);
    for (int32_t i = 0; i < count; i++) {
        float points[24];
        folded(expected[i][1], 0, points);
        folded(expected[i][2], 4, points + 12);
        frame_is(clip, i, expected[i][0], points);
    }
}

/* Before its first and after its last key a track stands still. */
static void every_key_is_a_frame(void** state) {
    (void)state;
    static const double expected[][3] = {
        {0, 0.5, 0}, {0.25, 0.5, 0.5}, {0.5, 0.75, 1}, {0.75, 1, 0.6}, {1, 1, 0.2}};
    bytes file = two_tracks("");
    sup_clip clip = clip_of(&file);
    tracks_are(&clip, 5, expected);
    sup_clip_free(&clip);
    file = two_tracks(",'interpolation':'LINEAR'");
    clip = clip_of(&file);
    tracks_are(&clip, 5, expected);
    sup_clip_free(&clip);
}

static void a_step_is_a_jump(void** state) {
    (void)state;
    static const double expected[][3] = {{0, 0.5, 0},    {0.25, 0.5, 0}, {0.5, 0.75, 0},
                                         {0.5, 0.75, 1}, {0.75, 1, 1},   {1, 1, 1},
                                         {1, 1, 0.2}};
    bytes file = two_tracks(",'interpolation':'STEP'");
    sup_clip clip = clip_of(&file);
    tracks_are(&clip, 7, expected);
    sup_vec3 points[8];
    sup_clip_sample(&clip, 0.5, points);
    assert_true(points[7].z == 4);
    sup_clip_sample(&clip, 0.49999, points);
    assert_true(points[7].z == 0);
    sup_clip_free(&clip);
}

/* Joints, cameras and nodes of other scenes may move; so may whole other animations. */
static void other_movements_are_ignored(void** state) {
    (void)state;
    bytes binary = square_binary();
    bytes file = changed_square(
        NODES ",'meshes'",
        "'nodes':[{'mesh':0,'skin':0},{'children':[2]},{}],'skins':[{'joints':[1,2]}],'meshes'",
        &binary);
    sup_clip clip = clip_of(&file);
    sup_clip_free(&clip);
    char json[4096];
    strcpy(json, square_json);
    replace(json, sizeof json, NODES, "'nodes':[{'mesh':0},{}]");
    replace(json, sizeof json, "'channels':[",
            "'channels':[{'sampler':9,'target':{'node':1,'path':'translation'}},"
            "{'sampler':9,'target':{'path':'pointer'}},");
    replace(json, sizeof json, "'animations':[",
            "'animations':[{'channels':[{'target':{'node':0,'path':'rotation'}}]},");
    file = make_glb(json, &binary);
    clip = clip_of(&file);
    assert_int_equal(clip.frame_count, 2);
    sup_clip_free(&clip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(a_square_is_read),
        cmocka_unit_test(elements_may_be_apart),
        cmocka_unit_test(accessors_may_be_sparse),
        cmocka_unit_test(indices_have_three_sizes),
        cmocka_unit_test(points_may_be_quantized),
        cmocka_unit_test(buffers_may_stand_in_the_text),
        cmocka_unit_test(buffers_may_lie_beside),
        cmocka_unit_test(a_file_beside_is_read_once),
        cmocka_unit_test(a_large_buffer_beside_is_read),
        cmocka_unit_test(later_chunks_are_ignored),
        cmocka_unit_test(nodes_place_their_meshes),
        cmocka_unit_test(nodes_may_be_deep),
        cmocka_unit_test(primitives_are_joined),
        cmocka_unit_test(weights_fold_the_mesh),
        cmocka_unit_test(every_key_is_a_frame),
        cmocka_unit_test(a_step_is_a_jump),
        cmocka_unit_test(other_movements_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
