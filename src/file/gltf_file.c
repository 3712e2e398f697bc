/* Opening a glTF file: GLB chunks or bare JSON, and what the file demands of its reader. */
#include "file/gltf_file.h"

#include <string.h>

#include "base/error.h"
#include "file/cursor.h"
#include "file/little_endian.h"

#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN 0x004E4942u
enum { HEADER_SIZE = 12, CHUNK_HEAD = 8 };

/* For the smallest files. */
#define LEAST_BUDGET ((uint64_t)1 << 20)
#define LEAST_MEMORY ((uint64_t)1 << 20)

typedef struct text_chunk {
    const uint8_t* bytes;
    size_t size;
} text_chunk;

/* --- chunks --- */

static sup_result refuse(const supi_gltf* gltf, size_t at, const char* message) {
    return supi_error_set(gltf->error, SUP_BAD_FILE, "%.200s: byte %zu: %s", gltf->name, at,
                          message);
}

/* The first chunk is JSON, the second may be binary; others are for extensions. */
static sup_result read_chunks(supi_gltf* gltf, const uint8_t* bytes, size_t size,
                              text_chunk* text) {
    size_t at = HEADER_SIZE;
    for (int32_t number = 0; number == 0 || at < size; number++) {
        if (size - at < CHUNK_HEAD) return refuse(gltf, at, "the file ends inside a chunk");
        size_t length = supi_little_u32(bytes + at);
        uint32_t type = supi_little_u32(bytes + at + 4);
        if (length > size - at - CHUNK_HEAD) {
            return refuse(gltf, at, "the chunk is longer than the file");
        }
        const uint8_t* content = bytes + at + CHUNK_HEAD;
        if (number == 0 && type != CHUNK_JSON) {
            return refuse(gltf, at + 4, "the first chunk is not JSON");
        }
        if (number == 0) *text = (text_chunk){content, length};
        if (number == 1 && type == CHUNK_BIN) {
            gltf->binary = content;
            gltf->binary_size = length;
        }
        at += CHUNK_HEAD + length;
    }
    return SUP_OK;
}

static sup_result read_glb(supi_gltf* gltf, const uint8_t* bytes, size_t size, text_chunk* text) {
    if (size < HEADER_SIZE) return refuse(gltf, size, "the file ends inside its header");
    if (supi_little_u32(bytes + 4) != 2) return refuse(gltf, 4, "the version of GLB is not 2");
    if (supi_little_u32(bytes + 8) != size) {
        return refuse(gltf, 8, "the length in the header is not that of the file");
    }
    return read_chunks(gltf, bytes, size, text);
}

/* Finds the JSON of either form. */
static sup_result read_form(supi_gltf* gltf, const uint8_t* bytes, size_t size, text_chunk* text) {
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) return read_glb(gltf, bytes, size, text);
    /* The JSON reader tells about blanks and byte-order marks. */
    if (size > 0 && !memchr("{ \t\r\n\xEF", bytes[0], 6)) {
        return refuse(gltf, 0, "this is neither GLB, which starts with \"glTF\", nor JSON");
    }
    *text = (text_chunk){bytes, size};
    return SUP_OK;
}

/* --- demands --- */

static sup_result check_version(const supi_gltf* gltf) {
    const supi_json *asset, *version, *least;
    const supi_json* root = gltf->json.root;
    if (root->kind != SUPI_JSON_OBJECT) {
        return supi_gltf_fail(gltf, root, "a glTF file holds one object");
    }
    sup_result result = supi_gltf_needed(gltf, root, "asset", SUPI_JSON_OBJECT, &asset);
    if (result != SUP_OK) return result;
    result = supi_gltf_needed(gltf, asset, "version", SUPI_JSON_STRING, &version);
    if (result != SUP_OK) return result;
    result = supi_gltf_field(gltf, asset, "minVersion", SUPI_JSON_STRING, &least);
    if (result != SUP_OK) return result;
    if (strncmp(version->text, "2.", 2) != 0) {
        return supi_gltf_fail(gltf, version, "only version 2 of glTF is known");
    }
    if (least && strcmp(least->text, "2.0") != 0) {
        return supi_gltf_fail(gltf, least, "only version 2.0 of glTF is known");
    }
    return SUP_OK;
}

/* Extensions of materials, textures and lights leave points and triangles alone. */
static bool is_harmless(const char* extension) {
    static const char* const starts[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                         "KHR_lights_"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(extension, starts[i], strlen(starts[i])) == 0) return true;
    }
    return false;
}

static sup_result check_extensions(supi_gltf* gltf) {
    const supi_json* list;
    sup_result result =
        supi_gltf_field(gltf, gltf->json.root, "extensionsRequired", SUPI_JSON_ARRAY, &list);
    if (result != SUP_OK || !list) return result;
    for (const supi_json* item = list->first; item; item = item->next) {
        if (item->kind != SUPI_JSON_STRING) {
            return supi_gltf_fail(gltf, item, "\"extensionsRequired\" must hold only strings");
        }
        if (strcmp(item->text, "KHR_mesh_quantization") == 0) {
            gltf->quantized = true;
        } else if (!is_harmless(item->text)) {
            char quote[SUPI_QUOTE_SIZE];
            return supi_gltf_fail(gltf, item,
                                  "the file requires the extension \"%s\", which is not known",
                                  supi_text_quote(item->text, strlen(item->text), quote));
        }
    }
    return SUP_OK;
}

/* --- the file --- */

sup_result supi_gltf_open(supi_gltf* gltf, const sup_allocator* allocator,
                          const sup_file_gate* files, const char* name, const uint8_t* bytes,
                          size_t size, sup_error* error) {
    *gltf = (supi_gltf){.name = name, .files = files, .error = error};
    gltf->budget = SUPI_GLTF_PER_BYTE * (uint64_t)size;
    uint64_t memory = SUPI_GLTF_MEMORY_PER_BYTE * (uint64_t)size + LEAST_MEMORY;
    gltf->allocator = supi_meter_begin(&gltf->meter, allocator, memory);
    supi_arena_init(&gltf->store, gltf->allocator);
    text_chunk text = {0};
    sup_result result = read_form(gltf, bytes, size, &text);
    if (result != SUP_OK) return result;
    result = supi_json_parse(gltf->allocator, name, text.bytes, text.size, &gltf->json, error);
    if (result != SUP_OK) return result;
    result = check_version(gltf);
    if (result == SUP_OK) result = check_extensions(gltf);
    if (result == SUP_OK) result = supi_gltf_buffers_read(gltf);
    if (result == SUP_OK) result = supi_gltf_accessors_read(gltf);
    if (gltf->budget < LEAST_BUDGET) gltf->budget = LEAST_BUDGET;
    return result;
}

static const char too_much[] = "the file unfolds to far more than its size";

sup_result supi_gltf_close(supi_gltf* gltf, sup_result result) {
    if (result == SUP_NO_MEMORY && gltf->meter.refused) {
        result = gltf->json.root ? supi_gltf_fail(gltf, gltf->json.root, "%s", too_much)
                                 : refuse(gltf, 0, too_much);
    }
    for (int32_t i = 0; i < gltf->beside_names.count; i++) {
        supi_bytes_free(gltf->meter.inner, &gltf->beside[i]);
    }
    if (gltf->json.root) supi_json_free(&gltf->json);
    supi_arena_free(&gltf->store);
    return result;
}

sup_result supi_gltf_spend(supi_gltf* gltf, const supi_json* place, uint64_t count) {
    if (count > gltf->budget) {
        return supi_gltf_fail(gltf, place, "%s", too_much);
    }
    gltf->budget -= count;
    return SUP_OK;
}
