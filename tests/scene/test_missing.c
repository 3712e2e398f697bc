/* Calls that lack something they need: every call that says a result refuses NULL, and names what
   is missing. All else they get is memory of zeros, so a call that looks at it first would say
   something else, or crash. */
#include "supple/attachment.h"
#include "supple/blob.h"
#include "supple/blueprint.h"
#include "supple/body.h"
#include "supple/collider.h"
#include "supple/deform.h"
#include "supple/diagnose.h"
#include "supple/files.h"
#include "supple/fit.h"
#include "supple/mesh.h"
#include "supple/scene.h"
#include "supple/snapshot.h"
#include "supple/solid.h"
#include "supple/tape.h"
#include "supple/tets.h"
#include "supple/weave.h"
#include "supple/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(64) char zeros[1 << 16];
static void* const room = zeros;
static sup_error error;

/* "sup_rig_fit(...)" with `missing` NULL. */
static void check(sup_result result, const char* call, const char* missing) {
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%.*s: %s must not be NULL", (int)strcspn(call, "("), call,
             missing);
    if (result != SUP_BAD_ARGUMENT || strcmp(error.text, wanted) != 0) {
        fail_msg("%s: %d, \"%s\" instead of \"%s\"", call, (int)result, error.text, wanted);
    }
    error.text[0] = 0;
}

#define REFUSED(call, missing) check(call, #call, missing)
/* Those with words of their own, and those that cannot say anything. */
#define REFUSED_OTHERWISE(call) assert_int_equal(call, SUP_BAD_ARGUMENT)
#define REFUSED_SILENTLY(call) assert_int_equal(call, SUP_BAD_ARGUMENT)

static void test_attachment(void** state) {
    (void)state;
    REFUSED(sup_attachment_create(NULL, room, room, &error), "world");
    REFUSED_OTHERWISE(sup_attachment_create(room, NULL, room, &error));
    REFUSED_SILENTLY(sup_attachment_destroy(NULL, (sup_attachment){0}));
    REFUSED(sup_attachment_move(NULL, (sup_attachment){0}, room, &error), "world");
    REFUSED(sup_attachment_move(room, (sup_attachment){0}, NULL, &error), "point");
    REFUSED_SILENTLY(sup_attachment_read_force(NULL, (sup_attachment){0}, room));
    REFUSED_SILENTLY(sup_attachment_read_force(room, (sup_attachment){0}, NULL));
}

static void test_blob(void** state) {
    (void)state;
    REFUSED(sup_blob_fill(NULL, NULL, 0.1, room, &error), "closed");
    REFUSED(sup_blob_fill(NULL, room, 0.1, NULL, &error), "cloud");
}

static void test_blueprint(void** state) {
    (void)state;
    REFUSED(sup_blueprint_create(room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_blueprint_create(NULL, room, &error));
}

static void test_body(void** state) {
    (void)state;
    REFUSED(sup_body_create(NULL, room, room, &error), "world");
    REFUSED_OTHERWISE(sup_body_create(room, NULL, room, &error));
    REFUSED_SILENTLY(sup_body_destroy(NULL, (sup_body){0}));
    REFUSED(sup_body_set_material(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_material(room, (sup_body){0}, NULL, &error), "material");
    REFUSED(sup_body_set_region_material(NULL, (sup_body){0}, 1, room, &error), "world");
    REFUSED(sup_body_set_region_material(room, (sup_body){0}, 1, NULL, &error), "material");
    REFUSED(sup_body_set_mode(NULL, (sup_body){0}, (sup_match_mode)0, &error), "world");
    REFUSED(sup_body_set_blueprint(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_springs(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_springs(room, (sup_body){0}, NULL, &error), "settings");
    REFUSED(sup_body_set_frames(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_frames(room, (sup_body){0}, NULL, &error), "settings");
    REFUSED(sup_body_set_overlap(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_overlap(room, (sup_body){0}, NULL, &error), "settings");
    REFUSED(sup_body_set_blob(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_set_blob(room, (sup_body){0}, NULL, &error), "settings");
    REFUSED(sup_body_set_clay(NULL, (sup_body){0}, room, &error), "world");
    REFUSED_SILENTLY(sup_body_measure_springs(NULL, (sup_body){0}, room));
    REFUSED_SILENTLY(sup_body_measure_springs(room, (sup_body){0}, NULL));
    REFUSED_SILENTLY(sup_body_measure(NULL, (sup_body){0}, room));
    REFUSED_SILENTLY(sup_body_measure(room, (sup_body){0}, NULL));
    REFUSED_SILENTLY(sup_body_set_filter(NULL, (sup_body){0}, (sup_filter){0}));
    REFUSED(sup_body_move_pins(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_turn_pins(NULL, (sup_body){0}, room, &error), "world");
    REFUSED(sup_body_teleport(NULL, (sup_body){0}, room, room, &error), "world");
    REFUSED(sup_body_teleport(room, (sup_body){0}, NULL, room, &error), "shift");
    REFUSED_SILENTLY(sup_body_reset(NULL, (sup_body){0}));
    REFUSED_SILENTLY(sup_body_reset_rest(NULL, (sup_body){0}));
    REFUSED(sup_body_bake(NULL, (sup_body){0}, room, &error), "world");
    REFUSED_SILENTLY(sup_body_read_plastic(NULL, (sup_body){0}, room));
    REFUSED_SILENTLY(sup_body_read_plastic(room, (sup_body){0}, NULL));
    REFUSED_SILENTLY(sup_body_read_dents(NULL, (sup_body){0}, room));
    REFUSED_SILENTLY(sup_body_read_dents(room, (sup_body){0}, NULL));
    REFUSED_SILENTLY(sup_body_set_paused(NULL, (sup_body){0}, true));
    REFUSED_SILENTLY(sup_body_wake(NULL, (sup_body){0}));
    REFUSED_SILENTLY(sup_body_read_particles(NULL, (sup_body){0}, room, room));
    REFUSED(sup_body_write_particles(NULL, (sup_body){0}, room, room, &error), "world");
    REFUSED_SILENTLY(sup_body_read_turns(NULL, (sup_body){0}, room, room));
    REFUSED(sup_body_write_turns(NULL, (sup_body){0}, room, room, &error), "world");
    REFUSED_SILENTLY(sup_body_read_vertices(NULL, (sup_body){0}, room, room));
    REFUSED_SILENTLY(sup_body_read_vertices(room, (sup_body){0}, room, NULL));
    REFUSED(sup_body_find_surface(NULL, (sup_body){0}, room, room, room, &error), "world");
    REFUSED(sup_body_find_surface(room, (sup_body){0}, room, NULL, room, &error), "mesh");
    REFUSED_SILENTLY(sup_body_read_normals(NULL, (sup_body){0}, room, room));
    REFUSED(sup_body_find_rest(NULL, (sup_body){0}, 1, room, room, room, &error), "world");
    REFUSED(sup_body_find_rest(room, (sup_body){0}, 1, NULL, room, room, &error), "places");
    REFUSED(sup_body_find_rest(room, (sup_body){0}, 1, room, NULL, room, &error), "rest");
    REFUSED(sup_body_find_rest(room, (sup_body){0}, 1, room, room, NULL, &error), "found");
    REFUSED_SILENTLY(sup_body_read_vertex_particles(NULL, (sup_body){0}, room));
    REFUSED_SILENTLY(sup_body_read_vertex_particles(room, (sup_body){0}, NULL));
    REFUSED_SILENTLY(sup_body_bounds(NULL, (sup_body){0}, room, room));
    REFUSED_SILENTLY(sup_body_bounds(room, (sup_body){0}, NULL, room));
    REFUSED_SILENTLY(sup_body_bounds(room, (sup_body){0}, room, NULL));
}

static void test_collider(void** state) {
    (void)state;
    REFUSED(sup_collider_create(NULL, room, room, &error), "world");
    REFUSED_OTHERWISE(sup_collider_create(room, NULL, room, &error));
    REFUSED_SILENTLY(sup_collider_destroy(NULL, (sup_collider){0}));
    REFUSED(sup_collider_move(NULL, (sup_collider){0}, room, room, &error), "world");
    REFUSED(sup_collider_move(room, (sup_collider){0}, NULL, room, &error), "position");
    REFUSED(sup_collider_move(room, (sup_collider){0}, room, NULL, &error), "rotation");
    REFUSED(sup_collider_move_points(NULL, (sup_collider){0}, room, &error), "world");
    REFUSED(sup_collider_move_points(room, (sup_collider){0}, NULL, &error), "points");
    REFUSED(sup_collider_place(NULL, (sup_collider){0}, room, room, &error), "world");
    REFUSED(sup_collider_place(room, (sup_collider){0}, NULL, room, &error), "position");
    REFUSED(sup_collider_place(room, (sup_collider){0}, room, NULL, &error), "rotation");
    REFUSED_SILENTLY(sup_collider_get_pose(NULL, (sup_collider){0}, room, room));
    REFUSED_SILENTLY(sup_collider_set_filter(NULL, (sup_collider){0}, (sup_filter){0}));
    REFUSED_SILENTLY(sup_collider_read_impulse(NULL, (sup_collider){0}, room, room));
}

static void test_deform(void** state) {
    (void)state;
    REFUSED(sup_clay_create(NULL, NULL, room, room, &error), "mesh");
    REFUSED(sup_clay_create(NULL, room, NULL, room, &error), "def");
    REFUSED(sup_clay_create(NULL, room, room, NULL, &error), "out");
    REFUSED(sup_clay_pull(NULL, room, 1, room, room, room, &error), "clay");
    REFUSED(sup_clay_pull(room, NULL, 1, room, room, room, &error), "def");
    REFUSED(sup_clay_pull(room, room, 1, NULL, room, room, &error), "points");
    REFUSED(sup_clay_pull(room, room, 1, room, NULL, room, &error), "displacements");
    REFUSED(sup_clay_set_points(NULL, room, &error), "clay");
    REFUSED(sup_clay_set_points(room, NULL, &error), "points");
    REFUSED(sup_clay_set_masses(NULL, room, &error), "clay");
    REFUSED(sup_clay_refine(NULL, room, 0.1, 0.1, 1, room, &error), "clay");
    REFUSED(sup_clay_refine(room, NULL, 0.1, 0.1, 1, room, &error), "centre");
    REFUSED(sup_clay_mesh(NULL, NULL, room, room, &error), "clay");
    REFUSED(sup_clay_mesh(room, NULL, NULL, room, &error), "out");
    REFUSED(sup_mesh_triangulate(NULL, NULL, room, room, room, &error), "mesh");
    REFUSED(sup_mesh_triangulate(NULL, room, room, room, NULL, &error), "out");
    REFUSED(sup_points_warp(NULL, NULL, 1, room, room, &error), "def");
    REFUSED(sup_points_warp(NULL, room, 1, NULL, room, &error), "points");
    REFUSED(sup_points_warp(NULL, room, 1, room, NULL, &error), "out");
    REFUSED(sup_points_landmarks(NULL, NULL, 1, room, room, 1, room, room, room, &error), "def");
    REFUSED(sup_points_landmarks(NULL, room, 1, room, room, 1, NULL, room, room, &error), "points");
    REFUSED(sup_points_landmarks(NULL, room, 1, room, room, 1, room, NULL, room, &error), "out");
    REFUSED(sup_points_landmarks(NULL, room, 1, NULL, room, 1, room, room, room, &error), "from");
    REFUSED(sup_points_landmarks(NULL, room, 1, room, NULL, 1, room, room, room, &error), "to");
    REFUSED(sup_points_yield(NULL, 0.1, 1, room, room, room, &error), "def");
    REFUSED(sup_points_yield(room, 0.1, 1, room, NULL, room, &error), "rest");
    REFUSED(sup_points_yield(room, 0.1, 1, room, room, NULL, &error), "points");
}

static void test_diagnose(void** state) {
    (void)state;
    REFUSED(sup_blueprint_diagnose(NULL, (sup_match_mode)0, room, room, &error), "blueprint");
    REFUSED(sup_blueprint_diagnose(room, (sup_match_mode)0, NULL, room, &error), "list");
    REFUSED(sup_blueprint_diagnose(room, (sup_match_mode)0, room, NULL, &error), "count");
}

static void test_files(void** state) {
    (void)state;
    REFUSED(sup_obj_parse(NULL, NULL, room, 4, room, &error), "name");
    REFUSED(sup_obj_parse(NULL, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_obj_parse(NULL, "none", NULL, 4, room, &error), "bytes");
    REFUSED(sup_ply_parse(NULL, NULL, room, 4, room, &error), "name");
    REFUSED(sup_ply_parse(NULL, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_ply_parse(NULL, "none", NULL, 4, room, &error), "bytes");
    REFUSED(sup_stl_parse(NULL, NULL, room, 4, room, &error), "name");
    REFUSED(sup_stl_parse(NULL, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_stl_parse(NULL, "none", NULL, 4, room, &error), "bytes");
    REFUSED(sup_glb_parse(NULL, NULL, NULL, room, 4, room, &error), "name");
    REFUSED(sup_glb_parse(NULL, NULL, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_glb_parse(NULL, NULL, "none", NULL, 4, room, &error), "bytes");
    REFUSED(sup_mesh_load(NULL, NULL, NULL, room, &error), "path");
    REFUSED(sup_mesh_load(NULL, NULL, "none", NULL, &error), "out");
    REFUSED_OTHERWISE(sup_mesh_save(NULL, NULL, NULL, room, &error));
    REFUSED_OTHERWISE(sup_mesh_save(NULL, NULL, "none", NULL, &error));
    REFUSED(sup_pc2_parse(NULL, NULL, room, 4, 0.1, room, &error), "name");
    REFUSED(sup_pc2_parse(NULL, "none", room, 4, 0.1, NULL, &error), "out");
    REFUSED(sup_pc2_parse(NULL, "none", NULL, 4, 0.1, room, &error), "bytes");
    REFUSED(sup_glb_parse_clip(NULL, NULL, NULL, room, 4, room, &error), "name");
    REFUSED(sup_glb_parse_clip(NULL, NULL, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_glb_parse_clip(NULL, NULL, "none", NULL, 4, room, &error), "bytes");
    REFUSED(sup_clip_load(NULL, NULL, NULL, 0.1, room, &error), "path");
    REFUSED(sup_clip_load(NULL, NULL, "none", 0.1, NULL, &error), "out");
    REFUSED(sup_pc2_open(NULL, NULL, "none", 1, NULL, 0.1, room, &error), "surfaces");
    REFUSED_OTHERWISE(sup_pc2_open(NULL, NULL, NULL, 1, room, 0.1, room, &error));
    REFUSED_OTHERWISE(sup_pc2_open(NULL, NULL, "none", 1, room, 0.1, NULL, &error));
    REFUSED(sup_glb_open(NULL, NULL, "none", 1, NULL, 0.1, 1, 1, room, &error), "surfaces");
    REFUSED_OTHERWISE(sup_glb_open(NULL, NULL, NULL, 1, room, 0.1, 1, 1, room, &error));
    REFUSED_OTHERWISE(sup_glb_open(NULL, NULL, "none", 1, room, 0.1, 1, 1, NULL, &error));
    REFUSED(sup_mdd_open(NULL, NULL, "none", 1, NULL, 0.1, 1, room, &error), "surfaces");
    REFUSED_OTHERWISE(sup_mdd_open(NULL, NULL, NULL, 1, room, 0.1, 1, room, &error));
    REFUSED_OTHERWISE(sup_mdd_open(NULL, NULL, "none", 1, room, 0.1, 1, NULL, &error));
    REFUSED(sup_pvd_open(NULL, NULL, "none", 1, NULL, 0.1, room, &error), "surfaces");
    REFUSED_OTHERWISE(sup_pvd_open(NULL, NULL, NULL, 1, room, 0.1, room, &error));
    REFUSED_OTHERWISE(sup_pvd_open(NULL, NULL, "none", 1, room, 0.1, NULL, &error));
    REFUSED(sup_usda_open(NULL, NULL, "none", 1, NULL, 0.1, room, &error), "surfaces");
    REFUSED_OTHERWISE(sup_usda_open(NULL, NULL, NULL, 1, room, 0.1, room, &error));
    REFUSED_OTHERWISE(sup_usda_open(NULL, NULL, "none", 1, room, 0.1, NULL, &error));
    REFUSED_OTHERWISE(sup_animation_frame(NULL, room, &error));
    REFUSED_OTHERWISE(sup_animation_frame(room, NULL, &error));
    REFUSED_OTHERWISE(sup_animation_close(NULL, &error));
}

static void test_fit(void** state) {
    (void)state;
    REFUSED(sup_rig_create(NULL, room, NULL, &error), "out");
    REFUSED(sup_rig_copy(NULL, room, &error), "rig");
    REFUSED(sup_rig_copy(room, NULL, &error), "out");
    REFUSED(sup_rig_set_stiffness(NULL, 0.1, &error), "rig");
    REFUSED(sup_rig_spray(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_spray(room, NULL, room, &error), "def");
    REFUSED(sup_rig_add(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_add(room, NULL, room, &error), "place");
    REFUSED(sup_rig_move(NULL, 1, room, &error), "rig");
    REFUSED(sup_rig_move(room, 1, NULL, &error), "place");
    REFUSED(sup_rig_set_ellipsoid(NULL, 1, room, &error), "rig");
    REFUSED(sup_rig_set_ellipsoid(room, 1, NULL, &error), "shape");
    REFUSED(sup_rig_set_turn_radius(NULL, 1, 0.1, &error), "rig");
    REFUSED(sup_rig_remove(NULL, 1, &error), "rig");
    REFUSED(sup_rig_erase(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_erase(room, NULL, room, &error), "brush");
    REFUSED(sup_rig_spray_links(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_spray_links(room, NULL, room, &error), "def");
    REFUSED(sup_rig_bridge(NULL, 1, room, &error), "rig");
    REFUSED(sup_rig_link(NULL, 1, 1, &error), "rig");
    REFUSED(sup_rig_unlink(NULL, 1, 1, &error), "rig");
    REFUSED(sup_rig_erase_links(NULL, room, 0.1, room, &error), "rig");
    REFUSED(sup_rig_erase_links(room, NULL, 0.1, room, &error), "brush");
    REFUSED(sup_rig_fit(NULL, room, &error), "rig");
    REFUSED(sup_rig_fit(room, NULL, &error), "def");
    REFUSED(sup_rig_weigh(NULL, room, &error), "rig");
    REFUSED(sup_rig_weigh(room, NULL, &error), "def");
    REFUSED(sup_rig_paint(NULL, (sup_paint)0, 0.1, room, &error), "rig");
    REFUSED(sup_rig_paint(room, (sup_paint)0, 0.1, NULL, &error), "brush");
    REFUSED(sup_rig_paint_weights(NULL, 1, 0.1, room, &error), "rig");
    REFUSED(sup_rig_paint_weights(room, 1, 0.1, NULL, &error), "brush");
    REFUSED(sup_rig_add_part(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_add_part(room, NULL, room, &error), "brush");
    REFUSED(sup_rig_remove_part(NULL, 1, &error), "rig");
    REFUSED(sup_rig_set_member(NULL, 1, 1, true, &error), "rig");
    REFUSED(sup_rig_join(NULL, 1, 1, room, room, &error), "rig");
    REFUSED(sup_rig_join(room, 1, 1, NULL, room, &error), "place");
    REFUSED(sup_rig_add_part_of(NULL, 1, room, room, &error), "rig");
    REFUSED(sup_rig_add_part_of(room, 1, NULL, room, &error), "ids");
    REFUSED(sup_rig_add_joint(NULL, 1, 1, room, room, &error), "rig");
    REFUSED(sup_rig_add_joint(room, 1, 1, NULL, room, &error), "place");
    REFUSED(sup_rig_set_discs(NULL, 1, room, room, 0.1, 1, &error), "rig");
    REFUSED(sup_rig_set_discs(room, 1, NULL, room, 0.1, 1, &error), "from");
    REFUSED(sup_rig_set_discs(room, 1, room, NULL, 0.1, 1, &error), "to");
    REFUSED(sup_rig_set_plastic(NULL, 1, room, &error), "rig");
    REFUSED(sup_rig_set_plastic(room, 1, NULL, &error), "plastic");
    REFUSED(sup_rig_mirror(NULL, room, room, &error), "rig");
    REFUSED(sup_rig_mirror(room, NULL, room, &error), "point");
    REFUSED(sup_rig_mirror(room, room, NULL, &error), "normal");
    REFUSED(sup_rig_validate(NULL, room, &error), "rig");
    REFUSED(sup_rig_validate(room, NULL, &error), "report");
    REFUSED(sup_rig_edit(NULL, "none", "none", 4, &error), "rig");
    REFUSED(sup_rig_edit(room, NULL, "none", 4, &error), "name");
    REFUSED(sup_rig_edit(room, "none", NULL, 4, &error), "text");
    REFUSED(sup_rig_save(NULL, NULL, "none", "none", &error), "rig");
    REFUSED(sup_rig_save(room, NULL, NULL, "none", &error), "path");
    REFUSED(sup_rig_load(NULL, NULL, NULL, room, &error), "path");
    REFUSED(sup_rig_load(NULL, NULL, "none", NULL, &error), "out");
}

static void test_mesh(void** state) {
    (void)state;
    REFUSED(sup_mesh_create(NULL, 1, room, 1, room, room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_mesh_create(NULL, 1, NULL, 1, room, room, room, &error));
    REFUSED_OTHERWISE(sup_mesh_create(NULL, 1, room, 1, room, NULL, room, &error));
    REFUSED(sup_mesh_box(NULL, NULL, room, room, &error), "size");
    REFUSED(sup_mesh_box(NULL, room, NULL, room, &error), "segments");
    REFUSED(sup_mesh_box(NULL, room, room, NULL, &error), "out");
    REFUSED(sup_mesh_icosphere(NULL, 0.1, 1, NULL, &error), "out");
    REFUSED(sup_mesh_torus(NULL, 0.1, 0.1, 1, 1, NULL, &error), "out");
    REFUSED(sup_mesh_capsule(NULL, 0.1, 0.1, 1, 1, 1, NULL, &error), "out");
    REFUSED(sup_mesh_grid(NULL, 0.1, 0.1, 1, 1, NULL, &error), "out");
    REFUSED(sup_mesh_model(NULL, (sup_model)0, 0.1, NULL, &error), "out");
    REFUSED(sup_mesh_weld(NULL, NULL, 0.1, room, room, &error), "mesh");
    REFUSED(sup_mesh_weld(NULL, room, 0.1, NULL, room, &error), "welded");
    REFUSED(sup_mesh_inspect(NULL, NULL, room, &error), "mesh");
    REFUSED(sup_mesh_inspect(NULL, room, NULL, &error), "report");
    REFUSED(sup_mesh_adjacency(NULL, NULL, room, &error), "mesh");
    REFUSED(sup_mesh_adjacency(NULL, room, NULL, &error), "out");
    REFUSED(sup_mesh_repair(NULL, NULL, room, room, &error), "mesh");
    REFUSED(sup_mesh_repair(NULL, room, NULL, room, &error), "out");
    REFUSED(sup_mesh_fill(NULL, NULL, 0.1, 0.1, room, room, &error), "mesh");
    REFUSED(sup_mesh_fill(NULL, room, 0.1, 0.1, NULL, room, &error), "points");
    REFUSED(sup_mesh_fill(NULL, room, 0.1, 0.1, room, NULL, &error), "point_count");
}

static void test_scene(void** state) {
    (void)state;
    REFUSED(sup_scene_load(room, NULL, room, &error), "path");
    REFUSED(sup_scene_load(room, "none", NULL, &error), "out");
    REFUSED(sup_scene_parse(room, NULL, room, 4, room, &error), "path");
    REFUSED(sup_scene_parse(room, "none", room, 4, NULL, &error), "out");
    REFUSED(sup_scene_parse(room, "none", NULL, 4, room, &error), "bytes");
    REFUSED_SILENTLY(sup_scene_read_vertices(NULL, room));
    REFUSED_SILENTLY(sup_scene_read_vertices(room, NULL));
    REFUSED_SILENTLY(sup_scene_read_collider_points(NULL, 1, room));
    REFUSED_SILENTLY(sup_scene_read_collider_points(room, 1, NULL));
    REFUSED_SILENTLY(sup_scene_read_attachment(NULL, 1, room, room));
    REFUSED(sup_scene_drive(NULL, 1, &error), "scene");
    REFUSED(sup_scene_set_detail(NULL, 1, 1, &error), "scene");
    REFUSED(sup_scene_adapt(NULL, 0.1, room, &error), "scene");
}

static void test_snapshot(void** state) {
    (void)state;
    REFUSED(sup_world_save(NULL, room, &error), "world");
    REFUSED(sup_world_save(room, NULL, &error), "out");
    REFUSED(sup_world_restore(NULL, room, 4, &error), "world");
    REFUSED(sup_world_restore(room, NULL, 4, &error), "bytes");
}

static void test_solid(void** state) {
    (void)state;
    REFUSED(sup_solid_create(NULL, NULL, room, room, &error), "surface");
    REFUSED(sup_solid_create(NULL, room, room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_solid_create(NULL, room, NULL, room, &error));
    REFUSED(sup_solid_take(NULL, room, room, room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_solid_take(NULL, room, room, NULL, room, &error));
    REFUSED_OTHERWISE(sup_solid_take(NULL, NULL, room, room, room, &error));
    REFUSED(sup_solid_load(NULL, NULL, NULL, room, room, &error), "path");
    REFUSED(sup_solid_load(NULL, NULL, "none", room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_solid_load(NULL, NULL, "none", NULL, room, &error));
}

static void test_tape(void** state) {
    (void)state;
    REFUSED(sup_recorder_open(room, NULL, room, room, &error), "path");
    REFUSED(sup_recorder_open(room, "none", NULL, room, &error), "world");
    REFUSED(sup_recorder_open(room, "none", room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_recorder_open(NULL, "none", room, room, &error));
    REFUSED(sup_recorder_resume(room, NULL, room, room, room, &error), "path");
    REFUSED(sup_recorder_resume(room, "none", NULL, room, room, &error), "world");
    REFUSED(sup_recorder_resume(room, "none", room, NULL, room, &error), "out");
    REFUSED(sup_recorder_resume(room, "none", room, room, NULL, &error), "frame");
    REFUSED_OTHERWISE(sup_recorder_resume(NULL, "none", room, room, room, &error));
    REFUSED(sup_recorder_frame(NULL, room, room, &error), "recorder");
    REFUSED(sup_recorder_frame(room, NULL, room, &error), "world");
    REFUSED(sup_recorder_choice(NULL, 1, 1, &error), "recorder");
    REFUSED(sup_recorder_close(NULL, &error), "recorder");
    REFUSED(sup_tape_open(NULL, NULL, NULL, room, &error), "path");
    REFUSED(sup_tape_open(NULL, NULL, "none", NULL, &error), "out");
    REFUSED(sup_tape_read_frame(NULL, 1, room, &error), "tape");
    REFUSED(sup_tape_restore(NULL, 1, room, &error), "tape");
    REFUSED(sup_tape_restore(room, 1, NULL, &error), "world");
    REFUSED(sup_tape_check(NULL, &error), "tape");
}

static void test_tets(void** state) {
    (void)state;
    REFUSED(sup_tets_create(NULL, NULL, room, room, room, &error), "surface");
    REFUSED(sup_tets_create(NULL, room, NULL, room, room, &error), "def");
    REFUSED(sup_tets_create(NULL, room, room, NULL, room, &error), "out");
    REFUSED(sup_tets_mend(NULL, 1, room, 1, room, NULL, room, &error), "out");
    REFUSED(sup_tets_mend(NULL, 1, NULL, 1, room, room, room, &error), "points");
    REFUSED(sup_tets_mend(NULL, 1, room, 1, NULL, room, room, &error), "tets");
    REFUSED(sup_tets_measure(NULL, NULL, room, &error), "tets");
    REFUSED(sup_tets_measure(NULL, room, NULL, &error), "report");
    REFUSED(sup_tets_outside(NULL, NULL, room, &error), "tets");
    REFUSED(sup_tets_outside(NULL, room, NULL, &error), "out");
    REFUSED(sup_tets_embed(NULL, NULL, 1, room, room, &error), "tets");
    REFUSED(sup_tets_embed(NULL, room, 1, room, NULL, &error), "out");
    REFUSED(sup_tets_embed(NULL, room, 1, NULL, room, &error), "points");
    REFUSED(sup_msh_parse(NULL, NULL, room, 4, room, room, &error), "name");
    REFUSED(sup_msh_parse(NULL, "none", room, 4, NULL, room, &error), "out");
    REFUSED(sup_msh_parse(NULL, "none", NULL, 4, room, room, &error), "bytes");
    REFUSED(sup_tetgen_parse(NULL, NULL, room, room, &error), "files");
    REFUSED(sup_tetgen_parse(NULL, room, NULL, room, &error), "out");
    REFUSED(sup_tets_load(NULL, NULL, NULL, room, room, &error), "path");
    REFUSED(sup_tets_load(NULL, NULL, "none", NULL, room, &error), "out");
    REFUSED(sup_tets_save(NULL, NULL, NULL, room, &error), "path");
    REFUSED(sup_tets_save(NULL, NULL, "none", NULL, &error), "tets");
}

static void test_weave(void** state) {
    (void)state;
    REFUSED(sup_weave_grid(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_grid(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_mesh(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_mesh(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_solid_moduli(0.1, 0.1, NULL, &error), "out");
    REFUSED(sup_weave_sheet_moduli(0.1, 0.1, 0.1, NULL, &error), "out");
    REFUSED(sup_weave_tets(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_tets(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_block(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_block(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_hexes(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_hexes(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_voxels(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_voxels(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_load_voxels(NULL, NULL, NULL, room, room, &error), "path");
    REFUSED(sup_weave_load_voxels(NULL, NULL, "none", NULL, room, &error), "def");
    REFUSED(sup_weave_load_voxels(NULL, NULL, "none", room, NULL, &error), "out");
    REFUSED(sup_weave_shell(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_shell(NULL, room, NULL, &error), "out");
    REFUSED(sup_weave_struts(NULL, room, &error), "def");
    REFUSED(sup_weave_struts(room, NULL, &error), "web");
    REFUSED(sup_weave_rope(NULL, NULL, room, &error), "def");
    REFUSED(sup_weave_rope(NULL, room, NULL, &error), "out");
}

static void test_world(void** state) {
    (void)state;
    REFUSED(sup_world_create(room, NULL, &error), "out");
    REFUSED_OTHERWISE(sup_world_create(NULL, room, &error));
    REFUSED_SILENTLY(sup_world_step(NULL, 0.1));
    REFUSED(sup_world_set_gravity(NULL, room, &error), "world");
    REFUSED(sup_world_set_gravity(room, NULL, &error), "gravity");
    REFUSED(sup_world_set_wind(NULL, room, &error), "world");
    REFUSED(sup_world_set_wind(room, NULL, &error), "wind");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attachment), cmocka_unit_test(test_blob),
        cmocka_unit_test(test_blueprint),  cmocka_unit_test(test_body),
        cmocka_unit_test(test_collider),   cmocka_unit_test(test_deform),
        cmocka_unit_test(test_diagnose),   cmocka_unit_test(test_files),
        cmocka_unit_test(test_fit),        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_scene),      cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_solid),      cmocka_unit_test(test_tape),
        cmocka_unit_test(test_tets),       cmocka_unit_test(test_weave),
        cmocka_unit_test(test_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
