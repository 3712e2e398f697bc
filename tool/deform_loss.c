/* See deform_loss.h. Where memory is short nothing is said: the mesh has been read by then. */
#include "deform_loss.h"

#include "file/ending.h"
#include "file/json.h"
#include "file/little_endian.h"
#include "file/ply_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 12
#define TEXT_ROOM (NAMES * (SUPI_QUOTE_SIZE + 5)) /* with what stands between */

typedef struct name_list {
    int32_t count;
    bool more; /* than fit */
    supi_token items[NAMES];
} name_list;

static void add_token(name_list* list, const supi_token* name) {
    for (int32_t i = 0; i < list->count; i++) {
        const supi_token* other = &list->items[i];
        if (other->size == name->size && memcmp(other->text, name->text, name->size) == 0) return;
    }
    list->more = list->more || list->count == NAMES;
    if (list->count < NAMES) list->items[list->count++] = *name;
}

static void add(name_list* list, bool there, const char* name) {
    const supi_token token = {name, strlen(name), 0, 0};
    if (there) add_token(list, &token);
}

/* ---- OBJ ---- */

static bool any_named(const supi_token* names, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (names[i].size > 0) return true;
    }
    return false;
}

/* One group of all faces, as programs write it who know of none, tells nothing. */
static bool any_differs(const supi_token* names, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        if (names[i].size != names[0].size ||
            (names[i].size > 0 && memcmp(names[i].text, names[0].text, names[0].size) != 0))
            return true;
    }
    return false;
}

static void list_obj(const deform_work* w, name_list* list) {
    const supi_obj_detail* d = &w->detail;
    add(list, d->has_uvs, "uv");
    add(list, d->has_normals, "normals");
    add(list, d->has_colours, "colours");
    add(list, any_differs(d->groups, w->mesh.polygon_count), "groups");
    add(list, any_named(d->materials, w->mesh.polygon_count), "materials");
}

/* ---- PLY ---- */

/* Properties of points and faces, or the name of what is neither. */
static void list_element(const supi_ply_element* element, name_list* list) {
    bool used = false;
    for (int32_t i = 0; i < element->property_count; i++)
        used = used || element->properties[i].role != SUPI_PLY_SKIPPED;
    if (!used) add_token(list, &element->name);
    for (int32_t i = 0; used && i < element->property_count; i++) {
        if (element->properties[i].role == SUPI_PLY_SKIPPED)
            add_token(list, &element->properties[i].name);
    }
}

static void list_ply(const deform_work* w, name_list* list) {
    supi_cursor cursor;
    supi_ply_header* header = malloc(sizeof *header);
    bool read = header &&
                supi_cursor_begin(&cursor, w->path, w->bytes.data, w->bytes.size, NULL) == SUP_OK &&
                supi_ply_header_read(&cursor, header, NULL) == SUP_OK;
    for (int32_t i = 0; read && i < header->element_count; i++) {
        if (header->elements[i].count > 0) list_element(&header->elements[i], list);
    }
    free(header);
}

/* ---- glTF ---- */

static bool begins(const char* text, const char* with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void list_primitive(const supi_json* primitive, name_list* list) {
    const supi_json* attributes = supi_json_find(primitive, "attributes");
    for (const supi_json* a = attributes ? attributes->first : NULL; a; a = a->next) {
        add(list, begins(a->key, "TEXCOORD"), "uv");
        add(list, begins(a->key, "NORMAL"), "normals");
        add(list, begins(a->key, "TANGENT"), "tangents");
        add(list, begins(a->key, "COLOR"), "colours");
    }
    add(list, supi_json_find(primitive, "material") != NULL, "materials");
}

/* It has been read before, so lists are lists. */
static void list_gltf(const deform_work* w, name_list* list) {
    supi_json_document json;
    const uint8_t* bytes = w->bytes.data;
    bool packed = w->bytes.size >= 20 && memcmp(bytes, "glTF", 4) == 0;
    size_t size = packed ? supi_little_u32(bytes + 12) : w->bytes.size;
    if (supi_json_parse(sup_allocator_default(), w->path, packed ? bytes + 20 : bytes, size, &json,
                        NULL) != SUP_OK)
        return;
    const supi_json* meshes = supi_json_find(json.root, "meshes");
    for (const supi_json* m = meshes ? meshes->first : NULL; m; m = m->next) {
        const supi_json* primitives = supi_json_find(m, "primitives");
        for (const supi_json* p = primitives ? primitives->first : NULL; p; p = p->next)
            list_primitive(p, list);
    }
    add(list, supi_json_find(json.root, "skins") != NULL, "skins");
    add(list, supi_json_find(json.root, "animations") != NULL, "animations");
    supi_json_free(&json);
}

/* ---- All ---- */

static bool is_gltf(const deform_work* w) {
    return supi_ending_is(w->path, ".glb") || supi_ending_is(w->path, ".gltf");
}

static name_list list_all(const deform_work* w) {
    name_list list = {.count = 0};
    if (w->is_obj) list_obj(w, &list);
    if (supi_ending_is(w->path, ".ply")) list_ply(w, &list);
    if (is_gltf(w)) list_gltf(w, &list);
    return list;
}

/* "uv, normals and groups" */
static void join(const name_list* list, char text[TEXT_ROOM]) {
    size_t used = 0;
    for (int32_t i = 0; i < list->count; i++) {
        char name[SUPI_QUOTE_SIZE];
        bool last = i + 1 == list->count && !list->more;
        used += (size_t)snprintf(text + used, TEXT_ROOM - used, "%s%s",
                                 i == 0 ? ""
                                 : last ? " and "
                                        : ", ",
                                 supi_token_quote(&list->items[i], name));
    }
}

/* Who keeps them? */
static const char* keeper(const deform_work* w, bool moving) {
    if (moving) return w->is_obj ? "kept beside .pc2 and .mdd only" : "lost in an animation";
    if (w->is_obj) return "kept in .obj only";
    if (supi_ending_is(w->path, ".gltf")) return "lost";
    return is_gltf(w) ? "kept in .glb only" : "kept in .ply only";
}

void deform_warn_of_loss(deform_work* w, bool moving) {
    char text[TEXT_ROOM];
    if (w->told_loss) return;
    const name_list list = list_all(w);
    if (list.count == 0) return;
    join(&list, text);
    tool_warn("%s%s of %s are %s", text, list.more ? " and more" : "", w->path, keeper(w, moving));
    w->told_loss = true;
}

bool deform_has_normals(const deform_work* w) {
    name_list list = {.count = 0};
    if (w->is_obj) return w->detail.has_normals;
    if (is_gltf(w)) list_gltf(w, &list);
    for (int32_t i = 0; i < list.count; i++) {
        if (supi_token_is(&list.items[i], "normals")) return true;
    }
    return false;
}
