/* Any calls of the public door in any order: good, stale, forged and wild ones, also from inside
   callbacks. Who plays chooses the numbers: a fuzzer its bytes, a test its dice. After each call
   what must hold is looked at: a call that fails has changed nothing, every place is finite, lists
   hold what lives. */
#ifndef SUPPLE_TESTS_FUZZ_CALLS_H
#define SUPPLE_TESTS_FUZZ_CALLS_H

#include "fuzz/clay_calls.h"
#include "fuzz/frame_calls.h"
#include "fuzz/spring_calls.h"
#include "fuzz/stock_calls.h"

/* ---- Worlds and blueprints ---- */

static inline void calls_on_event(void* user, sup_world* world, const sup_event* event);

/* The threads of a host that has only one, and begins with the last task. */
static inline void* calls_enqueue(void* user, sup_task* task, void* context, int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) task(context, i, i % 3);
    return user;
}
static inline void calls_finish(void* user, void* token) { FUZZ_REQUIRE(user == token); }

static inline sup_result calls_make_world(calls* c) {
    sup_world_def def = sup_world_default();
    sup_world* world = NULL;
    def.allocator = c->allocator;
    def.substeps = 1 + calls_pick(c, 3);
    def.sleep_time = 0.1;
    if (calls_chance(c, 4)) calls_numbers(c, 10, 3, def.gravity);
    if (calls_chance(c, 8)) {
        def.substeps = 8 * calls_pick(c, 2);
        def.substeps += 65 * calls_pick(c, 2);
    }
    if (calls_chance(c, 8)) def.sweeps = calls_pick(c, 10);
    if (calls_chance(c, 8)) def.simd = (sup_simd)calls_pick(c, 5);
    if (calls_chance(c, 8)) def.sleep_speed = calls_number(c, 1);
    if (calls_chance(c, 8)) def.sleep_time = calls_number(c, 1);
    if (calls_chance(c, 4)) def.wind = calls_wind(c);
    if (calls_chance(c, 20)) def.size = 1;
    const sup_task_system tasks = {NULL, 3, calls_enqueue, calls_finish};
    if (calls_chance(c, 4)) def.tasks = &tasks;
    def.on_event = calls_on_event;
    def.user = c;
    sup_result result = sup_world_create(&def, &world, NULL);
    if (result != SUP_OK) return result;
    sup_world_destroy(c->world);
    c->world = world;
    return SUP_OK;
}

/* Arrays that a blueprint is made from. */
typedef struct calls_recipe {
    sup_vec3 points[CALLS_POINTS];
    float masses[CALLS_POINTS];
    uint8_t regions[CALLS_POINTS];
    int32_t pins[3], starts[3], members[CALLS_POINTS];
} calls_recipe;

static inline void calls_fill_recipe(calls* c, calls_recipe* r) {
    for (int i = 0; i < CALLS_POINTS; i++) {
        /* a lattice that is shaken, so that few numbers make a sensible body */
        double spread = calls_chance(c, 3) ? calls_number(c, 0.2) : 0.0;
        r->points[i] = (sup_vec3){(float)(0.2 * (i % 2) + spread), (float)(0.2 * (i / 2 % 2)),
                                  (float)(0.2 * (i / 4) - spread)};
        r->masses[i] = calls_chance(c, 6) ? (float)calls_number(c, 1) : 1.0f;
        r->regions[i] = (uint8_t)calls_pick(c, 3);
        r->members[i] = i % 2 ? i : calls_pick(c, 16) - 1;
    }
    for (int i = 0; i < 3; i++) {
        r->pins[i] = calls_pick(c, 16) - 1;
        r->starts[i] = calls_chance(c, 6) ? calls_pick(c, 20) - 4 : CALLS_POINTS / 2 * i;
    }
}

/* A blueprint of clusters. */
static inline sup_result calls_cluster(calls* c, sup_blueprint** print) {
    calls_recipe recipe;
    sup_blueprint_def def = sup_blueprint_default();
    calls_fill_recipe(c, &recipe);
    def.allocator = c->allocator;
    int32_t surface = calls_pick(c, 4);
    def.surface = surface < CALLS_MESHES ? &c->meshes[surface] : NULL;
    def.point_count = surface == 0 ? 0 : calls_pick(c, CALLS_POINTS + 1);
    def.points = recipe.points;
    if (calls_chance(c, 4)) def.fill = 0.15 + calls_above(c, 0.2);
    if (calls_chance(c, 8)) def.weld = calls_number(c, 0.1);
    if (calls_chance(c, 4)) def.mass = calls_number(c, 10);
    if (calls_chance(c, 8)) def.density = calls_number(c, 1e4);
    if (!def.surface && calls_chance(c, 2)) def.masses = recipe.masses;
    if (calls_chance(c, 2)) def.layout = (sup_cluster_layout)calls_pick(c, 5);
    if (def.layout == SUP_CLUSTERS_LATTICE) {
        def.fill = 0.2;
        def.reach = 1 + calls_pick(c, 5);
    }
    if (calls_chance(c, 4)) def.cube = calls_number(c, 1);
    if (calls_chance(c, 4)) def.overlap = calls_number(c, 1);
    def.allow_joints = calls_chance(c, 2);
    def.cluster_count = calls_pick(c, 4) - 1;
    if (def.cluster_count > 2) def.cluster_count = 2;
    def.cluster_starts = recipe.starts;
    def.cluster_members = recipe.members;
    if (def.layout == SUP_CLUSTERS_ELEMENTS) {
        def.least_members = calls_pick(c, 20);
        def.element_corners = 4 * calls_pick(c, 3);
        def.element_count = calls_pick(c, 3);
        def.elements = recipe.members;
    }
    if (calls_chance(c, 3)) def.pin_count = calls_pick(c, 5) - 1;
    if (def.pin_count > 3) def.pin_count = 3;
    def.pins = recipe.pins;
    if (calls_chance(c, 8)) def.pin_factor = calls_number(c, 100);
    if (!def.surface && def.point_count == CALLS_POINTS && calls_chance(c, 2)) {
        def.region_count = calls_pick(c, 4);
        def.regions = recipe.regions;
    }
    if (calls_chance(c, 4)) def.radius = calls_number(c, 0.2);
    if (calls_chance(c, 4)) def.skin = (sup_skin_kind)calls_pick(c, 3);
    if (calls_chance(c, 16)) def.blob_spacing = calls_number(c, 1);
    sup_error error = {0};
    sup_result result = sup_blueprint_create(&def, print, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    return result;
}

/* A lump of soft substance in a box. */
static inline sup_result calls_lump(calls* c, sup_blueprint** print) {
    static const int32_t segments[3] = {1, 1, 1};
    double size[3], spacing = 0.1 + calls_above(c, 0.2);
    sup_mesh box, cloud;
    sup_blueprint_def def = sup_blueprint_default();
    for (int k = 0; k < 3; k++) size[k] = 0.2 + calls_above(c, 0.5);
    sup_result result = sup_mesh_box(NULL, size, segments, &box, NULL);
    if (result != SUP_OK) return result;
    result = sup_blob_fill(NULL, &box, spacing, &cloud, NULL);
    sup_mesh_free(&box);
    if (result != SUP_OK) return result;
    def.surface = &cloud;
    def.layout = SUP_CLUSTERS_NONE;
    def.blob_spacing = spacing;
    def.mass = 0.1 + calls_above(c, 10);
    result = sup_blueprint_create(&def, print, NULL);
    sup_mesh_free(&cloud);
    return result;
}

static inline sup_result calls_make_print(calls* c) {
    sup_blueprint* print = NULL;
    int32_t kind = calls_pick(c, 256);
    sup_result result = kind % 2 == 1 ? calls_weave(c, &print)
                        : kind >= 240 ? calls_lump(c, &print)
                        : kind >= 224 ? calls_join(c, &print)
                        : kind >= 192 ? calls_stock(c, &print)
                                      : calls_cluster(c, &print);
    if (result != SUP_OK) return result;
    for (int mode = 0; mode < 3; mode++) {
        sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
        int32_t count = 0;
        result = sup_blueprint_diagnose(print, (sup_match_mode)mode, list, &count, NULL);
        FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
        FUZZ_REQUIRE(count >= 0 && count <= SUP_DIAGNOSIS_KINDS);
    }
    int32_t at = calls_pick(c, CALLS_PRINTS);
    sup_blueprint_release(c->prints[at]);
    c->prints[at] = print;
    return SUP_OK;
}

/* ---- Coming ---- */

static inline sup_material calls_material(calls* c) {
    sup_material m = sup_body_default().material;
    if (calls_chance(c, 2)) m.stiffness = calls_number(c, 200);
    if (calls_chance(c, 2)) m.damping = calls_above(c, 0.9);
    if (calls_chance(c, 2)) m.restitution = calls_above(c, 0.9);
    if (calls_chance(c, 4)) m.friction_static = calls_above(c, 1);
    if (calls_chance(c, 4)) m.raw_damping = calls_number(c, 1);
    if (calls_chance(c, 3)) m.scheme = (sup_scheme)calls_pick(c, 4);
    if (calls_chance(c, 3)) m.rule = (sup_stiffness_rule)calls_pick(c, 8);
    if (calls_chance(c, 3)) {
        m.plastic.on = true;
        m.plastic.rule = (sup_plastic_rule)calls_pick(c, 2);
        m.plastic.yield = calls_above(c, 0.05);
        if (calls_chance(c, 2)) m.plastic.limit = calls_number(c, 4);
        if (calls_chance(c, 2)) m.plastic.flow_time = calls_number(c, 10);
    }
    return m;
}

static inline sup_result calls_make_body(calls* c) {
    sup_body_def def = sup_body_default();
    sup_material regions[4];
    sup_error error = {0};
    sup_body body = {0};
    def.blueprint = calls_chance(c, 20) ? NULL : c->prints[calls_pick(c, CALLS_PRINTS)];
    calls_numbers(c, 2, 3, def.position);
    def.position[1] = fabs(def.position[1]) + 0.2;
    if (calls_chance(c, 3)) calls_numbers(c, 5, 3, def.velocity);
    if (calls_chance(c, 3)) calls_numbers(c, 5, 3, def.angular_velocity);
    if (calls_chance(c, 2)) calls_numbers(c, 1, 4, def.rotation);
    if (calls_chance(c, 20)) def.size = 3;
    if (calls_chance(c, 3)) def.material = calls_material(c);
    if (calls_chance(c, 4) && def.blueprint) {
        for (int i = 0; i < 4; i++) regions[i] = calls_material(c);
        if (sup_blueprint_get_info(def.blueprint).region_count <= 4) def.region_materials = regions;
    }
    if (calls_chance(c, 6)) def.filter = calls_filter(c);
    if (calls_chance(c, 6)) def.gravity_scale = calls_number(c, 2);
    int32_t way = calls_pick(c, 6);
    def.stays_awake = way == 5;
    if (way == 4) def.locked = calls_pick(c, 9) - 1;
    if (def.blueprint && sup_blueprint_get_info(def.blueprint).spring_count > 0) {
        def.springs = calls_springs(c);
    }
    if (def.blueprint && sup_blueprint_get_info(def.blueprint).link_count > 0) {
        def.frames = calls_frames(c);
    }
    sup_result result = sup_body_create(c->world, &def, &body, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    if (result != SUP_OK) return result;
    int32_t at = calls_pick(c, CALLS_HANDLES);
    sup_body_destroy(c->world, c->bodies[at]);
    c->bodies[at] = body;
    return SUP_OK;
}

static inline sup_result calls_make_collider(calls* c) {
    static const float flat[9] = {0.1f, 0, 0.1f, 0, 0.2f, 0, 0.1f, 0, 0.1f};
    float heights[9];
    sup_collider_def def = sup_collider_default();
    sup_error error = {0};
    sup_collider collider = {0};
    memcpy(heights, flat, sizeof heights);
    def.kind = (sup_collider_kind)calls_pick(c, 7);
    if (calls_chance(c, 2)) calls_numbers(c, 2, 3, def.position);
    if (calls_chance(c, 2)) calls_numbers(c, 1, 4, def.rotation);
    if (calls_chance(c, 2)) def.radius = calls_above(c, 1);
    if (calls_chance(c, 2)) calls_numbers(c, 1, 3, def.half_size);
    if (calls_chance(c, 2)) def.half_length = calls_above(c, 1);
    def.mesh = calls_chance(c, 8) ? NULL : &c->meshes[calls_pick(c, CALLS_MESHES)];
    def.height_count[0] = def.height_count[1] = calls_chance(c, 6) ? calls_pick(c, 4) : 3;
    if (calls_chance(c, 6)) def.height_step[0] = calls_number(c, 1);
    if (calls_chance(c, 6)) {
        float height = (float)calls_number(c, 1);
        heights[calls_pick(c, 9)] = height;
    }
    def.heights = calls_chance(c, 8) ? NULL : heights;
    def.inverted = calls_chance(c, 4);
    def.sensor = calls_chance(c, 4);
    if (calls_chance(c, 4)) def.thickness = calls_number(c, 0.1);
    if (calls_chance(c, 6)) def.filter = calls_filter(c);
    sup_result result = sup_collider_create(c->world, &def, &collider, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    if (result != SUP_OK) return result;
    int32_t at = calls_pick(c, CALLS_HANDLES);
    sup_collider_destroy(c->world, c->colliders[at]);
    c->colliders[at] = collider;
    return SUP_OK;
}

static inline sup_result calls_make_attachment(calls* c) {
    sup_attachment_def def = sup_attachment_default();
    sup_error error = {0};
    sup_attachment made = {0};
    def.body = calls_body(c);
    def.particle = calls_particle(c, def.body);
    int32_t holder = calls_pick(c, 7);
    if (holder < 3) def.other = calls_body(c);
    if (holder < 3) def.other_particle = calls_particle(c, def.other);
    if (holder > 3) def.collider = calls_collider(c);
    if (holder == 6) def.other = calls_body(c);
    if (calls_chance(c, 2)) calls_numbers(c, 2, 3, def.point);
    def.here = calls_chance(c, 2);
    def.meet = calls_chance(c, 2);
    if (calls_chance(c, 2)) def.length = calls_number(c, 1);
    if (calls_chance(c, 2)) def.stiffness = calls_above(c, 1000);
    if (calls_chance(c, 3)) def.damping = calls_above(c, 100);
    if (calls_chance(c, 3)) def.break_force = calls_above(c, 500);
    if (calls_chance(c, 3)) def.force_limit = calls_above(c, 500);
    if (calls_chance(c, 20)) def.size = 2;
    sup_result result = sup_attachment_create(c->world, &def, &made, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    if (result != SUP_OK) return result;
    int32_t at = calls_pick(c, CALLS_HANDLES);
    sup_attachment_destroy(c->world, c->attachments[at]);
    c->attachments[at] = made;
    return SUP_OK;
}

/* ---- Changing ---- */

static inline sup_result calls_move_pins(calls* c, sup_body body) {
    sup_point pins[8];
    if (calls_turns(c, body) && calls_chance(c, 2)) return calls_edit_frames(c, body);
    for (int i = 0; i < 8; i++) {
        double at[3];
        calls_numbers(c, 2, 3, at);
        pins[i] = (sup_point){at[0], at[1], at[2]};
    }
    return sup_body_move_pins(c->world, body, pins, NULL);
}

/* What has become of the rest shape of a body. */
static inline sup_result calls_bake(calls* c, sup_body body) {
    sup_blueprint* baked = NULL;
    sup_error error = {0};
    sup_result result = sup_body_bake(c->world, body, &baked, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    if (result != SUP_OK) return result;
    int32_t clusters = sup_blueprint_get_info(baked).cluster_count;
    float* stretches = calloc(6 * (size_t)clusters, sizeof *stretches);
    FUZZ_REQUIRE(stretches);
    FUZZ_MUST(sup_body_read_plastic(c->world, body, stretches));
    for (int32_t i = 0; i < 6 * clusters; i++) FUZZ_REQUIRE(fabsf(stretches[i]) < 5.01f);
    free(stretches);
    /* The world has bodies of it from now on. */
    int32_t at = calls_pick(c, CALLS_PRINTS);
    sup_blueprint_release(c->prints[at]);
    c->prints[at] = baked;
    return SUP_OK;
}

static inline bool calls_has_tets(const calls* c, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(c->world, body);
    return print && sup_blueprint_get_info(print).tet_count > 0;
}

static inline sup_overlap_settings calls_overlap(calls* c) {
    sup_overlap_settings s = sup_overlap_settings_default();
    s.mode = (sup_overlap_mode)calls_pick(c, 5);
    s.meets_itself = calls_chance(c, 2);
    s.edges = calls_chance(c, 2);
    if (calls_chance(c, 4)) s.stiffness = calls_above(c, 1);
    return s;
}

static inline sup_blob_settings calls_blob(calls* c) {
    sup_blob_settings s = sup_blob_settings_default();
    if (calls_chance(c, 2)) s.stiffness = calls_above(c, 10);
    if (calls_chance(c, 2)) s.friction = calls_above(c, 100);
    if (calls_chance(c, 4)) s.drag = calls_number(c, 10);
    if (calls_chance(c, 4)) s.iso = calls_number(c, 1);
    s.central = calls_chance(c, 2);
    s.cells = calls_pick(c, 8);
    s.volume = (sup_blob_volume)calls_pick(c, 4);
    return s;
}

/* New settings, or the surface as it is. */
static inline sup_result calls_draw_blob(calls* c, sup_body body) {
    static const double origin[3] = {0, 0, 0};
    sup_blob_settings settings = calls_blob(c);
    sup_mesh mesh;
    sup_error error = {0};
    if (calls_chance(c, 2)) return sup_body_set_blob(c->world, body, &settings, &error);
    sup_result result = sup_body_find_surface(c->world, body, origin, &mesh, NULL, &error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static inline sup_result calls_edit_body(calls* c) {
    sup_body body = calls_body(c);
    sup_error error = {0};
    sup_material material;
    sup_spring_settings springs;
    double shift[3], turn[4];
    switch (calls_pick(c, 17)) {
    case 14: return calls_draw_blob(c, body);
    case 16: return calls_knead(c, body);
    case 0:
        calls_numbers(c, 1, 3, shift);
        calls_numbers(c, 1, 4, turn);
        return sup_body_teleport(c->world, body, shift, turn, &error);
    case 1:
        calls_numbers(c, 1, 3, shift);
        return sup_body_teleport(c->world, body, shift, NULL, NULL);
    case 2: return sup_body_reset(c->world, body);
    case 3: return sup_body_set_paused(c->world, body, calls_chance(c, 2));
    case 4: return sup_body_wake(c->world, body);
    case 5: return sup_body_destroy(c->world, body);
    case 6:
        material = calls_material(c);
        return sup_body_set_material(c->world, body, &material, &error);
    case 7:
        material = calls_material(c);
        return sup_body_set_region_material(c->world, body, calls_pick(c, 5) - 1, &material,
                                            &error);
    case 8: return sup_body_set_filter(c->world, body, calls_filter(c));
    case 9: return sup_body_set_mode(c->world, body, (sup_match_mode)calls_pick(c, 4), &error);
    case 10: {
        sup_blueprint* print = c->prints[calls_pick(c, CALLS_PRINTS)];
        return sup_body_set_blueprint(c->world, body, print, &error);
    }
    case 11: return sup_body_reset_rest(c->world, body);
    case 12: return calls_bake(c, body);
    case 13:
        springs = calls_springs(c);
        if (calls_has_tets(c, body) && calls_chance(c, 2)) {
            sup_overlap_settings overlap = calls_overlap(c);
            return sup_body_set_overlap(c->world, body, &overlap, &error);
        }
        return sup_body_set_springs(c->world, body, &springs, &error);
    default: return calls_move_pins(c, body);
    }
}

/* Moves some particles a little, now and then anywhere. */
static inline sup_result calls_write_body(calls* c) {
    sup_body body = calls_body(c);
    int32_t count = calls_particle_count(c, body);
    if (count == 0) return SUP_STALE;
    sup_point* x = calloc((size_t)count, sizeof *x);
    sup_vec3* v = calloc((size_t)count, sizeof *v);
    FUZZ_REQUIRE(x && v);
    FUZZ_MUST(sup_body_read_particles(c->world, body, x, v));
    for (int i = 0; i < 3; i++) {
        int32_t k = calls_pick(c, count);
        x[k].y += calls_number(c, 0.1);
        v[k].x = (float)calls_number(c, 2);
    }
    int32_t which = calls_pick(c, 3);
    sup_result result = sup_body_write_particles(c->world, body, which == 1 ? NULL : x,
                                                 which == 2 ? NULL : v, NULL);
    free(x);
    free(v);
    return result;
}

static inline sup_result calls_move_points(calls* c, sup_collider collider) {
    sup_vec3 points[64] = {{0, 0, 0}}; /* the mesh of the collider may be another one */
    const sup_mesh* mesh = &c->meshes[0];
    for (int32_t i = 0; i < mesh->point_count; i++) points[i] = mesh->points[i];
    float by = (float)calls_number(c, 0.2);
    points[calls_pick(c, mesh->point_count)].y += by;
    return sup_collider_move_points(c->world, collider, points, NULL);
}

static inline sup_result calls_edit_collider(calls* c) {
    sup_collider collider = calls_collider(c);
    sup_error error = {0};
    double to[3], turn[4], impulse[3], moment[3];
    switch (calls_pick(c, 7)) {
    case 0:
        calls_numbers(c, 2, 3, to);
        calls_numbers(c, 1, 4, turn);
        return sup_collider_move(c->world, collider, to, turn, &error);
    case 1:
        calls_numbers(c, 2, 3, to);
        calls_numbers(c, 1, 4, turn);
        return sup_collider_place(c->world, collider, to, turn, NULL);
    case 2: return sup_collider_destroy(c->world, collider);
    case 3: return sup_collider_set_filter(c->world, collider, calls_filter(c));
    case 4: return sup_collider_read_impulse(c->world, collider, impulse, moment);
    case 5: return sup_collider_get_pose(c->world, collider, to, turn);
    default: return calls_move_points(c, collider);
    }
}

static inline sup_result calls_edit_attachment(calls* c) {
    sup_attachment attachment = calls_attachment(c);
    double to[3];
    switch (calls_pick(c, 3)) {
    case 0: calls_numbers(c, 2, 3, to); return sup_attachment_move(c->world, attachment, to, NULL);
    case 1: return sup_attachment_read_force(c->world, attachment, to);
    default: return sup_attachment_destroy(c->world, attachment);
    }
}

/* ---- Asking ---- */

static inline void calls_check_hit(const sup_hit* hit) {
    FUZZ_REQUIRE(isfinite(hit->point[0] + hit->point[1] + hit->point[2]));
    FUZZ_REQUIRE(isfinite(hit->normal[0] + hit->normal[1] + hit->normal[2]));
    FUZZ_REQUIRE(isfinite(hit->distance));
}

static inline void calls_draw_line(void* user, sup_vec3 a, sup_vec3 b, uint32_t colour) {
    (void)user;
    FUZZ_REQUIRE(!isnan(a.x + a.y + a.z) && !isnan(b.x + b.y + b.z) && colour <= 0xffffff);
}

static inline void calls_draw_sphere(void* user, sup_vec3 centre, float radius, uint32_t colour) {
    (void)user;
    FUZZ_REQUIRE(!isnan(centre.x + centre.y + centre.z) && radius >= 0 && colour <= 0xffffff);
}

/* What is drawn of a body faces some way, or none. */
static inline void calls_ask_normals(const calls* c, sup_body body, int32_t count) {
    sup_vec3 normals[64];
    sup_row tangents[64];
    sup_result result = sup_body_read_normals(c->world, body, normals, NULL);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        const sup_vec3* n = normals + i;
        float square = n->x * n->x + n->y * n->y + n->z * n->z;
        FUZZ_REQUIRE(square == 0.0f || fabsf(square - 1.0f) < 0.01f);
    }
    result = sup_body_read_normals(c->world, body, NULL, tangents);
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        FUZZ_REQUIRE(fabsf(tangents[i].w) == 1.0f || tangents[i].w == 0.0f);
    }
}

/* Where the particles of a blueprint are at rest is told twice. */
static inline void calls_ask_print(const sup_blueprint* print, const sup_blueprint_info* info) {
    sup_vec3 points[64];
    int32_t pins[64], pinned = 0;
    sup_blueprint_read_rest(print, points);
    sup_blueprint_read_pins(print, pins);
    for (int32_t i = 0; i < info->particle_count; i++) {
        sup_particle p = sup_blueprint_get_particle(print, i);
        FUZZ_REQUIRE(p.place.x == points[i].x && p.place.y == points[i].y);
        FUZZ_REQUIRE(p.mass >= 0.0f && p.region >= 0 && p.region < info->region_count);
        pinned += p.pinned;
    }
    FUZZ_REQUIRE(pinned == info->pinned_count);
}

static inline sup_result calls_ask_body(calls* c) {
    sup_body body = calls_body(c);
    double low[3], high[3];
    sup_result result = sup_body_bounds(c->world, body, low, high);
    for (int k = 0; k < 3 && result == SUP_OK; k++) FUZZ_REQUIRE(low[k] <= high[k]);
    sup_body_is_paused(c->world, body);
    sup_body_user(c->world, body);
    const sup_blueprint* print = sup_body_blueprint(c->world, body);
    sup_blueprint_info info = {0};
    if (print) info = sup_blueprint_get_info(print);
    if (print && info.particle_count <= 64 && info.vertex_count <= 64) {
        sup_vec3 points[64];
        const int32_t *starts, *corners;
        sup_blueprint_get_surface(print, &starts, &corners);
        calls_ask_print(print, &info);
        if (starts) FUZZ_MUST(sup_body_read_vertices(c->world, body, low, points));
        calls_ask_normals(c, body, info.vertex_count);
    }
    calls_ask_clay(c, body);
    calls_ask_springs(c, body);
    calls_ask_frames(c, body);
    sup_measures measures;
    FUZZ_REQUIRE((sup_body_measure(c->world, body, &measures) == SUP_OK) == (print != NULL));
    sup_attachment_user(c->world, calls_attachment(c));
    sup_collider collider = calls_collider(c);
    sup_collider_user(c->world, collider);
    sup_collider_get_kind(c->world, collider);
    return result;
}

static inline void calls_ask_world(const calls* c) {
    int32_t count = -1;
    const sup_event* events = sup_world_events(c->world, &count);
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(events[i].kind <= SUP_EVENT_STEPS_FORCED && !isnan(events[i].value));
    }
    FUZZ_REQUIRE(count >= 0 && sup_world_profile(c->world).total >= 0.0);
    FUZZ_REQUIRE((sup_world_time(c->world) > 0.0) == (sup_world_step_count(c->world) > 0));
    FUZZ_REQUIRE(sup_simd_available(sup_world_simd(c->world)));
    FUZZ_REQUIRE(sup_simd_name(sup_world_simd(c->world)));
}

static inline sup_result calls_ask(calls* c) {
    double a[3], b[3];
    sup_hit hit, hits[4];
    sup_contact contacts[8];
    int32_t count;
    sup_filter all = {UINT32_MAX, UINT32_MAX};
    sup_draw draw = {NULL, calls_draw_line, calls_draw_sphere};
    calls_numbers(c, 2, 3, a);
    switch (calls_pick(c, 9)) {
    case 0:
        calls_numbers(c, 6, 3, b);
        if (sup_world_cast_ray(c->world, a, b, all, &hit)) calls_check_hit(&hit);
        break;
    case 1:
        count = sup_world_overlap_sphere(c->world, a, calls_number(c, 2), all, hits, 4);
        for (int32_t i = 0; i < count && i < 4; i++) calls_check_hit(&hits[i]);
        break;
    case 2:
        if (sup_world_nearest_particle(c->world, a, calls_number(c, 2), all, &hit)) {
            calls_check_hit(&hit);
        }
        break;
    case 3: FUZZ_REQUIRE(isfinite(sup_world_measure(c->world).top_speed)); break;
    case 4:
        count = sup_world_contacts(c->world, contacts, 8);
        for (int32_t i = 0; i < count && i < 8; i++) FUZZ_REQUIRE(isfinite(contacts[i].depth));
        break;
    case 5: sup_world_meetings(c->world, &count); break;
    case 6: sup_world_draw(c->world, &draw, SUP_DRAW_ALL, NULL); break;
    case 8: calls_ask_world(c); break;
    default: return calls_ask_body(c);
    }
    return SUP_OK;
}

/* ---- Time ---- */

/* Several, so that things come to rest. */
static inline sup_result calls_step(calls* c) {
    double dt = calls_chance(c, 8) ? calls_number(c, 0.5) : 1.0 / 60.0;
    int32_t count = 1 + calls_pick(c, 8);
    sup_result result = SUP_OK;
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        uint64_t before = sup_world_hash(c->world);
        result = sup_world_step(c->world, dt);
        FUZZ_REQUIRE(result == SUP_OK || sup_world_hash(c->world) == before);
        c->stepped = c->stepped || result == SUP_OK;
        FUZZ_REQUIRE(c->depth == 0 || result == SUP_BUSY || result == SUP_BAD_ARGUMENT);
    }
    return result;
}

static inline sup_result calls_set_surroundings(calls* c) {
    double gravity[3];
    if (calls_chance(c, 2)) {
        sup_wind wind = calls_wind(c);
        return sup_world_set_wind(c->world, &wind, NULL);
    }
    calls_numbers(c, 20, 3, gravity);
    return sup_world_set_gravity(c->world, gravity, NULL);
}

static inline sup_result calls_save_or_restore(calls* c) {
    if (c->saved.data && calls_chance(c, 2)) {
        sup_error error = {0};
        sup_result result = sup_world_restore(c->world, c->saved.data, c->saved.size, &error);
        FUZZ_REQUIRE(c->depth == 0 || result == SUP_BUSY);
        if (result == SUP_BAD_FILE) fprintf(stderr, "%s\n", error.text);
        FUZZ_REQUIRE(result != SUP_BAD_FILE);
        return result;
    }
    sup_bytes bytes = {0};
    sup_result result = sup_world_save(c->world, &bytes, NULL);
    FUZZ_REQUIRE(c->depth == 0 || result == SUP_BUSY);
    if (result != SUP_OK) return result;
    sup_bytes_free(&c->saved);
    c->saved = bytes;
    return SUP_OK;
}

/* ---- All of it ---- */

static inline sup_result calls_any(calls* c) {
    switch (calls_pick(c, 20)) {
    case 0:
    case 1: return calls_make_body(c);
    case 2:
    case 3: return calls_make_collider(c);
    case 4:
    case 5: return calls_make_attachment(c);
    case 6:
    case 7:
    case 8: return calls_edit_body(c);
    case 9:
    case 10: return calls_edit_collider(c);
    case 11: return calls_edit_attachment(c);
    case 12:
    case 13: return calls_ask(c);
    case 14: return calls_write_body(c);
    case 15: return calls_save_or_restore(c);
    case 16: return calls_make_print(c);
    case 17:
        return calls_chance(c, 16) && c->depth == 0 ? calls_make_world(c)
                                                    : calls_set_surroundings(c);
    default: return calls_step(c);
    }
}

/* One call, and what must hold after it. */
static inline void calls_make(calls* c) {
    uint64_t before = sup_world_hash(c->world);
    c->stepped = false;
    sup_result result = calls_any(c);
    FUZZ_REQUIRE(result >= SUP_OK && result <= SUP_IO && result != SUP_IO);
    FUZZ_REQUIRE(result != SUP_NO_MEMORY || c->allocator);
    c->done += result == SUP_OK;
    c->refused += result != SUP_OK;
    if (result == SUP_OK) {
        fuzz_check_world(c->world);
    } else if (!c->stepped) {
        FUZZ_REQUIRE(sup_world_hash(c->world) == before);
    }
}

static inline void calls_on_event(void* user, sup_world* world, const sup_event* event) {
    calls* c = user;
    FUZZ_REQUIRE(world == c->world);
    FUZZ_REQUIRE(event->kind >= SUP_EVENT_BODY_RESTORED && event->kind <= SUP_EVENT_STEPS_FORCED);
    c->told++;
    c->depth++;
    if (calls_chance(c, 4)) calls_make(c);
    if (calls_chance(c, 6)) sup_body_destroy(world, event->body);
    if (calls_chance(c, 6)) sup_collider_destroy(world, event->collider);
    if (calls_chance(c, 16)) sup_world_destroy(world); /* does nothing in here */
    c->depth--;
}

/* Three meshes, of the default allocator. */
static inline void calls_make_meshes(calls* c) {
    c->meshes[0] = fuzz_tetra();
    FUZZ_MUST(sup_mesh_grid(NULL, 0.5, 0.5, 2, 2, &c->meshes[1], NULL));
    c->meshes[2] = fuzz_tetra();
    for (int i = 0; i < 12; i += 3) {
        int32_t* corners = c->meshes[2].corners + i;
        int32_t first = corners[0];
        corners[0] = corners[1];
        corners[1] = first;
    }
}

/* A world with a floor and blueprints to begin with; false when the allocator refuses. */
static inline bool calls_begin(calls* c) {
    sup_world_def def = sup_world_default();
    calls_make_meshes(c);
    c->prints[0] = fuzz_stage_loose();
    def.allocator = c->allocator;
    def.on_event = calls_on_event;
    def.user = c;
    def.substeps = 2;
    def.sleep_time = 0.1;
    def.sleep_speed = 0.2;
    bool ok = sup_world_create(&def, &c->world, NULL) == SUP_OK;
    sup_blueprint_def print = sup_blueprint_default();
    for (int i = 1; ok && i <= 3; i++) {
        static const int32_t pins[] = {0};
        print.allocator = c->allocator;
        print.surface = &c->meshes[i % 2];
        print.fill = i == 2 ? 0.2 : 0.0;
        print.pin_count = i == 3;
        print.pins = pins;
        ok = sup_blueprint_create(&print, &c->prints[i], NULL) == SUP_OK;
    }
    c->prints[4] = fuzz_stage_cloth(true, 0);
    c->prints[5] = fuzz_stage_cloth(false, 1);
    sup_collider_def floor = sup_collider_default();
    return ok && sup_collider_create(c->world, &floor, &c->colliders[0], NULL) == SUP_OK;
}

/* Whatever was done to it, a world can be saved, and is the same in another one. */
static inline void calls_check_saved(const calls* c) {
    sup_world_def def = sup_world_default();
    sup_bytes saved, again;
    sup_world* other;
    FUZZ_MUST(sup_world_save(c->world, &saved, NULL));
    FUZZ_MUST(sup_world_create(&def, &other, NULL));
    sup_error error = {0};
    if (sup_world_restore(other, saved.data, saved.size, &error) != SUP_OK) {
        fprintf(stderr, "%s\n", error.text);
        FUZZ_REQUIRE(false);
    }
    FUZZ_REQUIRE(sup_world_hash(other) == sup_world_hash(c->world));
    FUZZ_MUST(sup_world_save(other, &again, NULL));
    FUZZ_REQUIRE(again.size == saved.size && memcmp(again.data, saved.data, saved.size) == 0);
    sup_world_destroy(other);
    sup_bytes_free(&saved);
    sup_bytes_free(&again);
}

static inline void calls_end(calls* c) {
    if (c->world) sup_world_destroy(c->world);
    sup_bytes_free(&c->saved);
    for (int i = 0; i < CALLS_PRINTS; i++) sup_blueprint_release(c->prints[i]);
    for (int i = 0; i < CALLS_MESHES; i++) sup_mesh_free(&c->meshes[i]);
}

#endif
