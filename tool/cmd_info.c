/* supple info: what is in a scene, a mesh or a tape. */
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "commands.h"
#include "emit.h"
#include "file/polygons.h"
#include "particle_info.h"
#include "supple/mesh.h"
#include "tape_info.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct info_options {
    const char* particles; /* of which body; NULL: none */
    bool json;
} info_options;

static const option options[] = {{.name = "particles",
                                  .value = "BODY",
                                  .kind = OPTION_TEXT,
                                  .offset = offsetof(info_options, particles),
                                  .help = "list the particles of a body of the scene instead"},
                                 {.name = "json",
                                  .kind = OPTION_FLAG,
                                  .offset = offsetof(info_options, json),
                                  .help = "print it as JSON"},
                                 {.name = NULL}};

/* ---- meshes ---- */

static void mesh_json(const char* path, const sup_mesh* mesh, const sup_mesh_report* report) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "mesh", path);
    emit_integer(&out, "points", mesh->point_count);
    emit_integer(&out, "unused_points", report->unused_point_count);
    emit_integer(&out, "polygons", mesh->polygon_count);
    emit_integer(&out, "triangles", mesh->corner_count - 2 * (int64_t)mesh->polygon_count);
    emit_integer(&out, "edges", report->edge_count);
    emit_integer(&out, "open_edges", report->boundary_edge_count);
    emit_integer(&out, "tangled_edges", report->tangled_edge_count);
    emit_integer(&out, "components", report->component_count);
    emit_bool(&out, "closed", report->closed);
    emit_number(&out, "area", report->area);
    if (report->closed) emit_number(&out, "volume", report->volume);
    emit_number(&out, "mean_edge", report->mean_edge);
    emit_row(&out, "low", report->low, 3);
    emit_row(&out, "high", report->high, 3);
    emit_close(&out, '}');
}

static void print_box(const sup_mesh_report* report) {
    printf("  box         %.4g %.4g %.4g to %.4g %.4g %.4g m\n", report->low[0], report->low[1],
           report->low[2], report->high[0], report->high[1], report->high[2]);
}

static void cloud_text(const char* path, const sup_mesh* mesh, const sup_mesh_report* report) {
    printf("%s: cloud of points\n", path);
    printf("  points      %d; each becomes a particle, drawn as a sphere\n",
           (int)mesh->point_count);
    print_box(report);
}

static void mesh_text(const char* path, const sup_mesh* mesh, const sup_mesh_report* report) {
    if (mesh->polygon_count == 0) {
        cloud_text(path, mesh, report);
        return;
    }
    printf("%s: mesh\n", path);
    printf("  points      %d\n", (int)mesh->point_count);
    if (report->unused_point_count > 0) {
        printf("  unused      %d, in no polygon; each becomes a particle too\n",
               (int)report->unused_point_count);
    }
    printf("  polygons    %d (%d triangles)\n", (int)mesh->polygon_count,
           (int)(mesh->corner_count - 2 * mesh->polygon_count));
    printf("  edges       %d, %.4g m on average\n", (int)report->edge_count, report->mean_edge);
    printf("  components  %d\n", (int)report->component_count);
    if (report->closed) {
        printf("  closed      yes, volume %.6g m^3\n", report->volume);
    } else {
        printf("  closed      no: %d open edges, %d tangled edges\n",
               (int)report->boundary_edge_count, (int)report->tangled_edge_count);
    }
    printf("  area        %.6g m^2\n", report->area);
    print_box(report);
}

static tool_exit mesh_info(const char* path, bool json) {
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    sup_mesh mesh;
    sup_error error;
    sup_result result = sup_mesh_load(NULL, NULL, path, &mesh, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    sup_mesh_report report;
    result = sup_mesh_inspect(NULL, &mesh, &report, &error);
    if (result == SUP_OK) (json ? mesh_json : mesh_text)(path, &mesh, &report);
    const char* note = sup_mesh_note(&mesh);
    if (result == SUP_OK && note) tool_note("%s: %s", path, note);
    sup_mesh_free(&mesh);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

/* ---- scenes ---- */

/* Bytes of the .pc2 that a whole run would write. */
static int64_t pc2_bytes(const sup_scene_info* info) {
    return 32 + 12 * info->vertex_count * ((int64_t)info->frames + 1);
}

static const char* collider_name(sup_collider_kind kind) {
    static const char* const names[] = {"plane", "sphere", "box", "capsule", "mesh", "heights"};
    return names[kind];
}

/* What is worth knowing of the clusters of an entry. */
typedef struct findings {
    int32_t count;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
} findings;

static tool_exit diagnose(sup_scene* scene, const sup_scene_entry* entry, findings* out) {
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, entry->first_body, NULL);
    sup_error error;
    sup_result result = sup_blueprint_diagnose(
        sup_body_blueprint(world, body), entry->material.mode, out->list, &out->count, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

static void diagnosis_json(emitter* out, const sup_diagnosis* diagnosis) {
    static const char* const kinds[SUP_DIAGNOSIS_KINDS] = {
        "few_particles", "flat",       "line",        "point",   "hinges",  "ball_joints",
        "loose_pieces",  "mass_ratio", "memberships", "singles", "subsets", "isolated"};
    emit_open(out, NULL, "{ ");
    emit_text(out, "kind", kinds[diagnosis->kind]);
    emit_integer(out, "count", diagnosis->count);
    emit_text(out, "text", diagnosis->text);
    emit_close(out, '}');
}

static const char* skin_name(sup_skin_kind kind) {
    static const char* const names[] = {"particles", "clusters", "frames", "dual", "tetrahedra"};
    return names[kind];
}

/* "1 cluster", "2 clusters" */
static const char* plural(int64_t count) { return count == 1 ? "" : "s"; }

/* That of a body of springs or links alone pulls nothing. */
static int32_t clusters_of(const sup_scene_entry* entry) {
    return entry->blueprint.clustered ? entry->blueprint.cluster_count : 0;
}

static void entry_json(emitter* out, sup_scene* scene, const sup_scene_entry* entry,
                       const findings* found) {
    emit_open(out, NULL, "{ ");
    emit_text(out, "name", entry->name);
    emit_text(out, "shape", entry->shape);
    emit_integer(out, "copies", entry->body_count);
    emit_integer(out, "particles", entry->blueprint.particle_count);
    emit_integer(out, "pinned", entry->blueprint.pinned_count);
    emit_integer(out, "clusters", clusters_of(entry));
    emit_integer(out, "springs", entry->blueprint.spring_count);
    emit_integer(out, "links", entry->blueprint.link_count);
    emit_integer(out, "parts", entry->blueprint.part_count);
    emit_integer(out, "vertices", entry->blueprint.vertex_count);
    emit_text(out, "skin", skin_name(entry->blueprint.skin));
    int32_t details = sup_scene_detail_count(scene, entry->first_body);
    emit_integer(out, "details", details);
    if (details > 0) {
        emit_integer(out, "detail", sup_scene_get_detail(scene, entry->first_body));
    }
    emit_number(out, "mass", entry->blueprint.mass);
    emit_number(out, "size", entry->blueprint.size);
    emit_number(out, "spacing", entry->blueprint.spacing);
    emit_number(out, "radius", entry->blueprint.radius);
    emit_open(out, "findings", "[ ");
    for (int32_t i = 0; i < found->count; i++) diagnosis_json(out, &found->list[i]);
    emit_close(out, ']');
    emit_close(out, '}');
}

static int64_t count_clusters(sup_scene* scene, const sup_scene_info* info) {
    int64_t sum = 0;
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        sum += (int64_t)entry.body_count * clusters_of(&entry);
    }
    return sum;
}

static tool_exit scene_json(sup_scene* scene, const sup_scene_info* info) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "scene", sup_scene_file(scene, 0));
    emit_text(&out, "name", info->name);
    emit_number(&out, "fps", info->fps);
    emit_integer(&out, "frames", info->frames);
    emit_integer(&out, "substeps", info->substeps);
    emit_integer(&out, "sweeps", info->sweeps);
    emit_row(&out, "gravity", info->gravity, 3);
    emit_number(&out, "budget_ms", info->budget_ms);
    emit_integer(&out, "body_count", info->body_count);
    emit_integer(&out, "particles", info->particle_count);
    emit_integer(&out, "clusters", count_clusters(scene, info));
    emit_integer(&out, "triangles", info->triangle_count);
    emit_number(&out, "mass", info->mass);
    emit_integer(&out, "pc2_bytes", pc2_bytes(info));
    emit_open(&out, "bodies", "[");
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        findings found;
        tool_exit code = diagnose(scene, &entry, &found);
        if (code != TOOL_DONE) return code;
        entry_json(&out, scene, &entry, &found);
    }
    emit_close(&out, ']');
    emit_open(&out, "colliders", "[");
    for (int32_t i = 0; i < info->collider_count; i++) {
        sup_scene_collider collider = sup_scene_get_collider(scene, i);
        emit_open(&out, NULL, "{ ");
        emit_text(&out, "name", collider.name);
        emit_text(&out, "shape", collider_name(collider.def.kind));
        emit_close(&out, '}');
    }
    emit_close(&out, ']');
    emit_close(&out, '}');
    return TOOL_DONE;
}

static void entry_text(sup_scene* scene, const sup_scene_entry* entry) {
    const sup_blueprint_info* print = &entry->blueprint;
    int32_t clusters = clusters_of(entry), springs = print->spring_count;
    printf("    %-20s %dx %s, %.4g kg, %d particle%s", entry->name, (int)entry->body_count,
           entry->shape, print->mass, (int)print->particle_count, plural(print->particle_count));
    if (clusters > 0) printf(", %d cluster%s", (int)clusters, plural(clusters));
    if (springs > 0) printf(", %d spring%s", (int)springs, plural(springs));
    if (print->link_count > 0) {
        printf(", %d link%s", (int)print->link_count, plural(print->link_count));
    }
    if (print->part_count > 0) {
        printf(", %d part%s", (int)print->part_count, plural(print->part_count));
    }
    printf(", %d pinned, radius %.3g m", (int)print->pinned_count, print->radius);
    if (print->skin != SUP_SKIN_PARTICLES) {
        printf(", a skin of %d vertices on its %s", (int)print->vertex_count,
               skin_name(print->skin));
    }
    int32_t details = sup_scene_detail_count(scene, entry->first_body);
    if (details > 0) {
        printf(", %d level%s of detail, at the start %d", (int)details, plural(details),
               (int)sup_scene_get_detail(scene, entry->first_body));
    }
    printf("\n");
}

static tool_exit scene_text(sup_scene* scene, const sup_scene_info* info) {
    printf("%s: scene%s%s\n", sup_scene_file(scene, 0), *info->name ? " " : "", info->name);
    printf("  %d frames at %g per second, %d substeps, %d sweeps\n", (int)info->frames, info->fps,
           (int)info->substeps, (int)info->sweeps);
    if (info->budget_ms > 0) printf("  a budget of %g ms for a step\n", info->budget_ms);
    int64_t clusters = count_clusters(scene, info);
    printf("  %d bod%s, %.6g kg, %lld particle%s, %lld cluster%s, %lld triangle%s\n",
           (int)info->body_count, info->body_count == 1 ? "y" : "ies", info->mass,
           (long long)info->particle_count, plural(info->particle_count), (long long)clusters,
           plural(clusters), (long long)info->triangle_count, plural(info->triangle_count));
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        entry_text(scene, &entry);
        findings found;
        tool_exit code = diagnose(scene, &entry, &found);
        if (code != TOOL_DONE) return code;
        for (int32_t k = 0; k < found.count; k++) printf("      - %s\n", found.list[k].text);
    }
    printf("  %d collider%s\n", (int)info->collider_count, plural(info->collider_count));
    for (int32_t i = 0; i < info->collider_count; i++) {
        sup_scene_collider collider = sup_scene_get_collider(scene, i);
        printf("    %-20s %s\n", collider.name, collider_name(collider.def.kind));
    }
    printf("  a .pc2 of all frames takes %.1f MB\n", (double)pc2_bytes(info) / 1e6);
    return TOOL_DONE;
}

/* Counts the points that no polygon uses. False: no memory. */
static bool count_unused(const sup_surface* surface, int32_t* count) {
    size_t points = (size_t)surface->point_count;
    bool* used = supi_memory_new(sup_allocator_default(), points, sizeof *used);
    if (!used) return false;
    memset(used, 0, points * sizeof *used);
    *count = supi_polygons_is_cloud(surface) ? 0 : surface->point_count; /* a cloud uses all */
    for (int32_t i = 0; i < surface->starts[surface->polygon_count]; i++) {
        bool* mark = &used[surface->corners[i]];
        if (!*mark) --*count;
        *mark = true;
    }
    supi_memory_free(sup_allocator_default(), used, points, sizeof *used);
    return true;
}

static tool_exit note_unused(const sup_scene* scene, const sup_scene_info* info) {
    int32_t surface_count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &surface_count);
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        int32_t unused;
        if (!count_unused(&surfaces[entry.first_body], &unused)) {
            return tool_fail(TOOL_MEMORY, "out of memory");
        }
        if (unused > 0) {
            tool_note(
                "%s: points that no polygon of its mesh uses: %d; each becomes a particle too",
                entry.name, (int)unused);
        }
    }
    return TOOL_DONE;
}

static tool_exit scene_info(const char* path, const info_options* chosen) {
    simulate_options plain = {.threads = 1};
    sup_scene* scene;
    tool_exit code = simulate_load(&plain, path, &scene);
    if (code != TOOL_DONE) return code;
    simulate_notes(scene);
    sup_scene_info info = sup_scene_get_info(scene);
    code = note_unused(scene, &info);
    if (code == TOOL_DONE && chosen->particles) {
        code = particle_info(scene, chosen->particles, chosen->json);
    } else if (code == TOOL_DONE) {
        code = (chosen->json ? scene_json : scene_text)(scene, &info);
    }
    sup_scene_free(scene);
    return code;
}

static bool is_mesh(const char* path) {
    static const char* const endings[] = {".obj", ".ply", ".stl", ".glb", ".gltf"};
    const char* ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++) {
        if (strcasecmp(ending, endings[i]) == 0) return true;
    }
    return false;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    info_options chosen = {0};
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, &chosen, &path, &code)) return code;
    bool tape = tape_info_wanted(path), mesh = is_mesh(path);
    if (chosen.particles && (tape || mesh)) {
        return tool_fail(TOOL_USAGE, "--particles is for scenes, and %s is a %s", path,
                         tape ? "tape" : "mesh");
    }
    if (tape) return tape_info(path, chosen.json);
    return mesh ? mesh_info(path, chosen.json) : scene_info(path, &chosen);
}

const tool_command command_info = {
    "info",
    "SCENE|MESH|TAPE",
    "say what is in a scene, a mesh or a tape",
    "Loads a scene (.json), a mesh (.obj, .ply, .stl, .glb, .gltf) or a tape (.sup), checks it\n"
    "and says what is in it. --particles BODY lists what pins, regions, attachments and\n"
    "clusters of a scene mean by a number: id, place at rest in the body's own frame, contact\n"
    "radius, mass, region, and whether it is pinned.",
    options,
    run};
