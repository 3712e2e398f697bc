/* The bytes of a glTF file: the binary chunk, base64 inside the JSON, or files beside it. */
#include <string.h>

#include "base/error.h"
#include "file/gltf_file.h"

/* The largest integer below which JSON numbers are exact. */
#define LARGEST_SIZE ((int64_t)1 << 53)

/* --- base64 --- */

/* 0 .. 63; -1 for every other character. */
static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

/* Four characters give three bytes, fewer where '=' stands for the last one or two. */
static sup_result decode(supi_gltf* gltf, const supi_json* uri, const char* text,
                         supi_gltf_buffer* buffer) {
    size_t length = strlen(text), padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') padding++;
    if (length == 0 || length % 4 != 0) {
        return supi_gltf_fail(gltf, uri, "the length of base64 must be a multiple of 4 above 0");
    }
    uint8_t* bytes = supi_arena_push(&gltf->store, length / 4, 3);
    if (!bytes) return supi_error_memory(gltf->error);
    for (size_t i = 0; i < length; i++) {
        int digit = i < length - padding ? digit_of(text[i]) : 0;
        if (digit < 0) {
            return supi_gltf_fail(gltf, uri, "character %zu of the base64 is none of its alphabet",
                                  i + 1);
        }
        /* Six bits at bit 6 i, which go into one byte or two. */
        size_t byte = i / 4 * 3 + i % 4 * 6 / 8;
        unsigned bits = (unsigned)digit << (10 - i % 4 * 6 % 8); /* of 16 */
        bytes[byte] = (uint8_t)(bytes[byte] | bits >> 8);
        if (bits & 0xFF) bytes[byte + 1] = (uint8_t)(bits & 0xFF);
    }
    buffer->bytes = bytes;
    buffer->size = length / 4 * 3 - padding;
    return SUP_OK;
}

/* --- files beside it --- */

static int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Replaces %xx by its byte. False for a cut or zero one, and for what follows a path in a URI. */
static bool unescape(const char* uri, char* name) {
    for (; *uri; uri++) {
        if (*uri == '?' || *uri == '#') return false;
        if (*uri != '%') {
            *name++ = *uri;
            continue;
        }
        int high = hex_of(uri[1]), low = high < 0 ? -1 : hex_of(uri[2]);
        if (low < 0 || high + low == 0) return false;
        *name++ = (char)(high << 4 | low);
        uri += 2;
    }
    *name = 0;
    return true;
}

/* A name that stays in the folder of the file on every system. */
static bool is_inside(const char* name) {
    if (name[0] == 0 || name[0] == '/') return false;
    for (const char* c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == ':' || *c == '\\') return false;
    }
    for (const char* part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0)) return false;
    }
    return true;
}

/* Takes out what does not change where a name leads, "./" and doubled slashes, so that a file has
   one name. */
static void shorten(char* name) {
    char* end = name;
    for (const char* c = name; *c; c++) {
        bool part_begins = end == name || end[-1] == '/';
        if (part_begins && *c == '/') continue;
        if (part_begins && c[0] == '.' && c[1] == '/') continue;
        *end++ = *c;
    }
    *end = 0;
}

/* The bytes are input like those of the file itself, and are allowed for as such. */
static sup_result read_file(supi_gltf* gltf, const supi_json* uri, const char* name,
                            supi_bytes* bytes) {
    const char* slash = strrchr(gltf->name, '/');
    size_t folder = slash ? (size_t)(slash - gltf->name) + 1 : 0;
    char* path = supi_arena_push(&gltf->store, folder + strlen(name) + 1, 1);
    if (!path) return supi_error_memory(gltf->error);
    memcpy(path, gltf->name, folder);
    strcpy(path + folder, name);
    sup_error cause;
    sup_result result = supi_file_read(gltf->files, gltf->meter.inner, path, bytes, &cause);
    if (result != SUP_OK) {
        supi_gltf_fail(gltf, uri, "%s", cause.text);
        if (gltf->error) gltf->error->code = result;
        return result;
    }
    gltf->budget += SUPI_GLTF_PER_BYTE * (uint64_t)bytes->size;
    gltf->meter.limit += SUPI_GLTF_MEMORY_PER_BYTE * (uint64_t)bytes->size;
    return SUP_OK;
}

/* However often a file is named, it is read once. */
static sup_result read_beside(supi_gltf* gltf, const supi_json* uri, supi_gltf_buffer* buffer) {
    char* name = supi_arena_push(&gltf->store, strlen(uri->text) + 1, 1);
    if (!name) return supi_error_memory(gltf->error);
    if (!unescape(uri->text, name) || !is_inside(name)) {
        return supi_gltf_fail(gltf, uri,
                              "a buffer must be a data URI or a relative name without \"..\"");
    }
    shorten(name);
    int32_t known = gltf->beside_names.count;
    int32_t number = supi_trie_add(&gltf->beside_names, name);
    supi_bytes* file = &gltf->beside[number];
    sup_result result = number == known ? read_file(gltf, uri, name, file) : SUP_OK;
    buffer->bytes = file->data;
    buffer->size = file->size;
    return result;
}

/* --- buffers --- */

static sup_result read_uri(supi_gltf* gltf, const supi_json* uri, supi_gltf_buffer* buffer) {
    if (strncmp(uri->text, "data:", 5) != 0) return read_beside(gltf, uri, buffer);
    const char* comma = strchr(uri->text, ',');
    bool base64 = comma && comma - uri->text >= 12 && memcmp(comma - 7, ";base64", 7) == 0;
    if (!base64) return supi_gltf_fail(gltf, uri, "a data URI must be base64");
    return decode(gltf, uri, comma + 1, buffer);
}

static sup_result read_buffer(supi_gltf* gltf, const supi_json* place, int32_t number,
                              supi_gltf_buffer* buffer) {
    int64_t length = 0;
    const supi_json* uri;
    sup_result result =
        supi_gltf_needed_integer(gltf, place, "byteLength", 1, LARGEST_SIZE, &length);
    if (result == SUP_OK) result = supi_gltf_field(gltf, place, "uri", SUPI_JSON_STRING, &uri);
    if (result != SUP_OK) return result;
    if (uri) {
        result = read_uri(gltf, uri, buffer);
        if (result != SUP_OK) return result;
    } else if (number == 0 && gltf->binary) {
        buffer->bytes = gltf->binary;
        buffer->size = gltf->binary_size;
    } else {
        return supi_gltf_fail(gltf, place, "the buffer has no \"uri\" and no binary chunk");
    }
    if ((uint64_t)length > buffer->size) {
        return supi_gltf_fail(gltf, place, "\"byteLength\" is %lld, but the buffer has %zu bytes",
                              (long long)length, buffer->size);
    }
    buffer->size = (size_t)length;
    return SUP_OK;
}

sup_result supi_gltf_buffers_read(supi_gltf* gltf) {
    supi_gltf_table table;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "buffers", &table);
    if (result != SUP_OK) return result;
    size_t count = (size_t)table.count;
    gltf->buffers = supi_arena_push(&gltf->store, count, sizeof *gltf->buffers);
    gltf->beside = supi_arena_push(&gltf->store, count, sizeof *gltf->beside);
    gltf->beside_names.nodes = supi_arena_push(&gltf->store, count, sizeof(supi_trie_node));
    if (!gltf->buffers || !gltf->beside || !gltf->beside_names.nodes) {
        return supi_error_memory(gltf->error);
    }
    gltf->buffer_count = table.count;
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_buffer(gltf, table.rows[i], i, &gltf->buffers[i]);
    }
    return result;
}
