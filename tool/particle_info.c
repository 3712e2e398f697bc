/* See particle_info.h. */
#include "particle_info.h"

#include "emit.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

/* ---- which body ---- */

/* All names of bodies: those of the file, then those of copies. */
static const char* name_at(const void* list, int i) {
    const sup_scene* scene = list;
    int32_t entries = sup_scene_get_info(scene).entry_count, count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    if (i < entries) return sup_scene_get_entry(scene, i).name;
    return i - entries < count ? surfaces[i - entries].name : NULL;
}

static tool_exit find_body(sup_scene* scene, const char* name, sup_body* body) {
    int32_t entries = sup_scene_get_info(scene).entry_count, found = 0;
    while (name_at(scene, found) && strcmp(name_at(scene, found), name) != 0) found++;
    if (name_at(scene, found)) {
        int32_t index =
            found < entries ? sup_scene_get_entry(scene, found).first_body : found - entries;
        *body = sup_scene_get_body(scene, index, NULL);
        return TOOL_DONE;
    }
    const char* meant = options_nearest(name, name_at, scene);
    return tool_fail(TOOL_INPUT, "%s has no body \"%s\"%s%s%s", sup_scene_file(scene, 0), name,
                     meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
}

/* ---- its particles ---- */

static void print_json(sup_scene* scene, const char* name, const sup_blueprint* blueprint) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "scene", sup_scene_file(scene, 0));
    emit_text(&out, "body", name);
    emit_open(&out, "particles", "[");
    int32_t count = sup_blueprint_get_info(blueprint).particle_count;
    for (int32_t id = 0; id < count; id++) {
        sup_particle p = sup_blueprint_get_particle(blueprint, id);
        emit_open(&out, NULL, "{ ");
        emit_integer(&out, "id", id);
        emit_open(&out, "place", "[ ");
        emit_float(&out, NULL, p.place.x);
        emit_float(&out, NULL, p.place.y);
        emit_float(&out, NULL, p.place.z);
        emit_close(&out, ']');
        emit_float(&out, "radius", p.radius);
        emit_float(&out, "mass", p.mass);
        emit_bool(&out, "surface", p.surface);
        emit_integer(&out, "region", p.region);
        emit_bool(&out, "pinned", p.pinned);
        emit_close(&out, '}');
    }
    emit_close(&out, ']');
    emit_close(&out, '}');
}

static void print_text(sup_scene* scene, const char* name, const sup_blueprint* blueprint) {
    printf("%s: particles of %s\n", sup_scene_file(scene, 0), name);
    printf("%9s %12s %12s %12s %10s %10s\n", "id", "x m", "y m", "z m", "radius m", "mass kg");
    int32_t count = sup_blueprint_get_info(blueprint).particle_count;
    for (int32_t id = 0; id < count; id++) {
        sup_particle p = sup_blueprint_get_particle(blueprint, id);
        printf("%9d %12.6g %12.6g %12.6g %10.4g %10.4g  %s", (int)id, (double)p.place.x,
               (double)p.place.y, (double)p.place.z, (double)p.radius, (double)p.mass,
               p.surface ? "surface" : "inside");
        if (p.region > 0) printf(", region %d", (int)p.region);
        printf("%s\n", p.pinned ? ", pinned" : "");
    }
}

tool_exit particle_info(sup_scene* scene, const char* name, bool json) {
    sup_body body;
    tool_exit code = find_body(scene, name, &body);
    if (code != TOOL_DONE) return code;
    (json ? print_json : print_text)(scene, name, sup_body_blueprint(sup_scene_world(scene), body));
    return TOOL_DONE;
}
