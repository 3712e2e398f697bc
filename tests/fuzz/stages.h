/* Small worlds with something of everything that bytes of a world hold. */
#ifndef SUPPLE_TESTS_FUZZ_STAGES_H
#define SUPPLE_TESTS_FUZZ_STAGES_H

#include <math.h>

#include "fuzz/fuzz.h"
#include "supple/mesh.h"
#include "supple/supple.h"

/* What a world holds. */
typedef enum fuzz_stage {
    FUZZ_STAGE_EMPTY,
    FUZZ_STAGE_BODY,    /* one on a floor */
    FUZZ_STAGE_FULL,    /* every kind of thing, moving */
    FUZZ_STAGE_ASLEEP,  /* the same after a while: asleep, paused, gone */
    FUZZ_STAGE_SPRINGS, /* in the wind: torn, refined, bent for good, beside clusters; and a body of
                           oriented particles */
    FUZZ_STAGE_COUNT
} fuzz_stage;

#define FUZZ_MUST(call) FUZZ_REQUIRE((call) == SUP_OK)

enum { STAGE_LOOSE = 6 };

static const sup_vec3 fuzz_tetra_points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static inline sup_mesh fuzz_tetra(void) {
    static const int32_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sup_mesh mesh;
    FUZZ_MUST(sup_mesh_create(NULL, 4, fuzz_tetra_points, 4, NULL, corners, &mesh, NULL));
    return mesh;
}

/* A drawn tetrahedron in one cluster. */
static inline sup_blueprint* fuzz_stage_solid(void) {
    sup_mesh mesh = fuzz_tetra();
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print;
    def.surface = &mesh;
    FUZZ_MUST(sup_blueprint_create(&def, &print, NULL));
    sup_mesh_free(&mesh);
    return print;
}

/* Loose points in two clusters and two regions, with a pin and a point without weight. */
static inline sup_blueprint* fuzz_stage_loose(void) {
    static const sup_vec3 points[STAGE_LOOSE] = {{0, 0, 0},    {0.5f, 0, 0},    {0, 0.5f, 0},
                                                 {0, 0, 0.5f}, {0.5f, 0.5f, 0}, {0.5f, 0, 0.5f}};
    static const float masses[STAGE_LOOSE] = {1, 1, 1, 1, 0, 1};
    static const uint8_t regions[STAGE_LOOSE] = {0, 0, 0, 1, 1, 1};
    static const int32_t starts[3] = {0, 5, 10};
    static const int32_t members[10] = {0, 1, 2, 3, 4, 1, 2, 3, 4, 5}, pins[1] = {5};
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print;
    def.point_count = STAGE_LOOSE;
    def.points = points;
    def.masses = masses;
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = 2;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.region_count = 2;
    def.regions = regions;
    def.pin_count = 1;
    def.pins = pins;
    FUZZ_MUST(sup_blueprint_create(&def, &print, NULL));
    return print;
}

/* What holds a web together, and two of its particles; the web goes. */
static inline sup_blueprint* fuzz_stage_print(sup_web* web, sup_cluster_layout layout, bool tears) {
    static const int32_t pins[2] = {0, 1};
    sup_blueprint_def def = sup_web_blueprint(web);
    sup_blueprint* print;
    def.layout = layout;
    def.tears = tears;
    def.pins = pins;
    def.pin_count = tears ? 2 : 0;
    FUZZ_MUST(sup_blueprint_create(&def, &print, NULL));
    sup_web_free(web);
    return print;
}

/* Four cells, which may be cut. */
static inline sup_blueprint* fuzz_stage_cloth(bool tears, int32_t levels) {
    sup_weave_grid_def def = sup_weave_grid_default();
    sup_web web;
    def.count[0] = def.count[1] = 3;
    def.levels = levels;
    FUZZ_MUST(sup_weave_grid(NULL, &def, &web, NULL));
    return fuzz_stage_print(&web, SUP_CLUSTERS_NONE, tears);
}

/* Tetrahedra, in one cluster too or by springs alone. */
static inline sup_blueprint* fuzz_stage_block(sup_cluster_layout layout) {
    sup_weave_block_def def = sup_weave_block_default();
    sup_web web;
    def.cells[0] = def.cells[1] = 1;
    def.cells[2] = 2;
    FUZZ_MUST(sup_weave_block(NULL, &def, &web, NULL));
    return fuzz_stage_print(&web, layout, false);
}

static inline sup_body fuzz_stage_add(sup_world* world, sup_blueprint* print, double x, double y) {
    sup_body_def def = sup_body_default();
    sup_body body;
    def.blueprint = print;
    def.position[0] = x;
    def.position[1] = y;
    def.user = 7;
    FUZZ_MUST(sup_body_create(world, &def, &body, NULL));
    return body;
}

static inline sup_collider fuzz_stage_collide(sup_world* world, sup_collider_kind kind) {
    static const float heights[4] = {-1.0f, -0.9f, -1.1f, -1.0f};
    sup_collider_def def = sup_collider_default();
    sup_mesh mesh = fuzz_tetra();
    sup_collider collider;
    def.kind = kind;
    def.position[0] = kind == SUP_COLLIDER_PLANE ? 0.0 : 2.0 * (double)kind;
    def.sensor = kind == SUP_COLLIDER_SPHERE;
    def.inverted = kind == SUP_COLLIDER_CAPSULE;
    def.radius = def.inverted ? 30.0 : 0.5;
    def.mesh = &mesh;
    def.height_count[0] = def.height_count[1] = 2;
    def.heights = heights;
    FUZZ_MUST(sup_collider_create(world, &def, &collider, NULL));
    sup_mesh_free(&mesh);
    return collider;
}

static inline void fuzz_stage_attach(sup_world* world, sup_body body, sup_body other,
                                     sup_collider collider) {
    sup_attachment_def def = sup_attachment_default();
    def.body = body;
    def.other = other;
    def.collider = collider;
    def.here = other.age == 0;
    def.length = other.age == 0 ? 0.0 : -1.0;
    def.stiffness = other.age == 0 ? 50.0 : 0.0;
    FUZZ_MUST(sup_attachment_create(world, &def, NULL, NULL));
}

static inline void fuzz_stage_fill(sup_world* world) {
    sup_blueprint *solid = fuzz_stage_solid(), *loose = fuzz_stage_loose();
    sup_body on_floor = fuzz_stage_add(world, solid, 3.0, 0.0);
    sup_body in_sensor = fuzz_stage_add(world, solid, 2.0, 0.1);
    sup_body hung = fuzz_stage_add(world, loose, 0.0, 1.0);
    sup_body gone = fuzz_stage_add(world, solid, 9.0, 0.0);
    sup_collider kinds[SUP_COLLIDER_HEIGHTS + 1];
    for (int32_t i = 1; i <= SUP_COLLIDER_HEIGHTS; i++) {
        kinds[i] = fuzz_stage_collide(world, (sup_collider_kind)i);
    }
    fuzz_stage_attach(world, hung, in_sensor, (sup_collider){0});
    fuzz_stage_attach(world, on_floor, (sup_body){0}, kinds[SUP_COLLIDER_BOX]);
    fuzz_stage_attach(world, gone, on_floor, (sup_collider){0});
    FUZZ_MUST(sup_collider_move_points(world, kinds[SUP_COLLIDER_MESH], fuzz_tetra_points, NULL));
    FUZZ_MUST(sup_body_set_paused(world, fuzz_stage_add(world, loose, 20.0, 1.0), true));
    FUZZ_MUST(sup_world_step(world, 1.0 / 60.0));
    FUZZ_MUST(sup_body_destroy(world, gone));
    FUZZ_MUST(sup_collider_destroy(world, kinds[SUP_COLLIDER_SPHERE]));
    sup_blueprint_release(solid);
    sup_blueprint_release(loose);
}

/* One of each kind of springs; gives the blueprint back. */
static inline sup_body fuzz_stage_spring(sup_world* world, sup_blueprint* print, double x,
                                         const sup_spring_settings* springs) {
    sup_body body = fuzz_stage_add(world, print, x, 0.5);
    FUZZ_MUST(sup_body_set_springs(world, body, springs, NULL));
    sup_blueprint_release(print);
    return body;
}

static inline void fuzz_stage_stretch(sup_world* world, sup_body body, int32_t particle) {
    enum { MOST = 64 };
    sup_point places[MOST];
    const sup_blueprint* print = sup_body_blueprint(world, body);
    FUZZ_REQUIRE(sup_blueprint_get_info(print).particle_count <= MOST);
    FUZZ_MUST(sup_body_read_particles(world, body, places, NULL));
    places[particle].y += 0.4;
    FUZZ_MUST(sup_body_write_particles(world, body, places, NULL, NULL));
}

/* A box on a chain of oriented particles, which ends in a part that takes dents. */
static inline sup_blueprint* fuzz_stage_chain(void) {
    enum { BEADS = 6, CORNERS = 8 };
    static const int32_t cells[3] = {1, 1, 1}, starts[2] = {0, 3}, members[3] = {3, 4, 5};
    static const sup_rig_plastic dents[1] = {{0.5f, 1.0f, 0.3f, 0.05f, 100.0f}};
    static const sup_skin_weight paint[1] = {{2, 1, 0.5f}};
    const double size[3] = {0.6, 0.2, 0.2};
    sup_vec3 points[BEADS], normals[CORNERS], flat[BEADS] = {{0}};
    sup_row tangents[CORNERS];
    float stiffness[BEADS];
    sup_ellipsoid shapes[BEADS];
    sup_link links[BEADS - 1];
    sup_mesh mesh;
    sup_blueprint* print;
    for (int32_t i = 0; i < BEADS; i++) {
        points[i] = (sup_vec3){-0.25f + 0.1f * (float)i, 0.0f, 0.0f};
        shapes[i] = (sup_ellipsoid){{0, 0, 0, 1}, {0.05f, 0.01f, 0.05f}};
        stiffness[i] = 50.0f;
        if (i > 0) links[i - 1] = (sup_link){i - 1, i, -1.0f, 1e-4f, 0.0f, 0.1f};
    }
    flat[0].y = 1.0f;
    for (int32_t i = 0; i < CORNERS; i++) {
        normals[i] = (sup_vec3){0.0f, 1.0f, 0.0f};
        tangents[i] = (sup_row){1.0f, 0.0f, 0.0f, -1.0f};
    }
    FUZZ_MUST(sup_mesh_box(NULL, size, cells, &mesh, NULL));
    FUZZ_REQUIRE(mesh.point_count == CORNERS);
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    def.points = points;
    def.point_count = BEADS;
    def.layout = SUP_CLUSTERS_NONE;
    def.mass = 1.0;
    def.skin = SUP_SKIN_FRAMES;
    def.links = links;
    def.link_count = BEADS - 1;
    def.ellipsoids = shapes;
    def.frame_stiffness = stiffness;
    def.flat_normals = flat;
    def.part_count = 1;
    def.part_starts = starts;
    def.part_members = members;
    def.parts_yield = true;
    def.part_plastics = dents;
    def.skin_weight_count = 1;
    def.skin_weights = paint;
    def.normals = normals;
    def.tangents = tangents;
    FUZZ_MUST(sup_blueprint_create(&def, &print, NULL));
    sup_mesh_free(&mesh);
    return print;
}

static inline void fuzz_stage_fill_springs(sup_world* world) {
    const sup_spring_settings usual = sup_spring_settings_default();
    sup_spring_settings torn = usual, cut = usual, bent = usual, beside = usual, held = usual;
    sup_wind wind = sup_wind_default();
    wind.velocity[0] = 3.0;
    wind.gust = 1.0;
    FUZZ_MUST(sup_world_set_wind(world, &wind, NULL));
    torn.tear = 0.05;
    cut.refine_angle = 5.0;
    bent.yield.strain = 0.01;
    bent.solid.volume = 1e4;
    bent.anchor.frequency = 5.0;
    bent.integrator = SUP_INTEGRATOR_RK4;
    beside.pressure.inside = 100.0;
    held.limit = 0.05;
    sup_body one = fuzz_stage_spring(world, fuzz_stage_cloth(true, 0), 0.0, &torn);
    sup_body two = fuzz_stage_spring(world, fuzz_stage_cloth(false, 1), 3.0, &cut);
    sup_body three = fuzz_stage_spring(world, fuzz_stage_block(SUP_CLUSTERS_NONE), 6.0, &bent);
    fuzz_stage_spring(world, fuzz_stage_block(SUP_CLUSTERS_WHOLE), 9.0, &beside);
    fuzz_stage_spring(world, fuzz_stage_cloth(false, 0), 12.0, &held);
    sup_blueprint* chain = fuzz_stage_chain();
    fuzz_stage_add(world, chain, 15.0, 0.0);
    sup_blueprint_release(chain);
    fuzz_stage_stretch(world, one, 8);
    fuzz_stage_stretch(world, two, 12); /* in the middle */
    fuzz_stage_stretch(world, three, 0);
    for (int i = 0; i < 4; i++) FUZZ_MUST(sup_world_step(world, 1.0 / 60.0));
    sup_spring_measures measures = sup_world_measure(world).springs;
    FUZZ_REQUIRE(measures.torn > 0 && measures.level == 1);
}

/* A world of the given kind; the caller destroys it. */
static inline sup_world* fuzz_stage_make(fuzz_stage kind) {
    sup_world_def def = sup_world_default();
    sup_world* world;
    def.substeps = 1;
    def.sleep_time = 0.05;
    def.sleep_speed = 1.0;
    FUZZ_MUST(sup_world_create(&def, &world, NULL));
    if (kind == FUZZ_STAGE_EMPTY) return world;
    fuzz_stage_collide(world, SUP_COLLIDER_PLANE);
    if (kind == FUZZ_STAGE_SPRINGS) {
        fuzz_stage_fill_springs(world);
        return world;
    }
    sup_blueprint* solid = fuzz_stage_solid();
    fuzz_stage_add(world, solid, -3.0, 0.0);
    sup_blueprint_release(solid);
    FUZZ_MUST(sup_world_step(world, 1.0 / 60.0));
    if (kind >= FUZZ_STAGE_FULL) fuzz_stage_fill(world);
    for (int i = 0; kind == FUZZ_STAGE_ASLEEP && i < 60; i++) {
        FUZZ_MUST(sup_world_step(world, 1.0 / 60.0));
    }
    return world;
}

/* Its snapshot, made once. */
static inline const sup_bytes* fuzz_stage_saved(fuzz_stage kind) {
    static sup_bytes saved[FUZZ_STAGE_COUNT];
    if (!saved[kind].data) {
        sup_world* world = fuzz_stage_make(kind);
        FUZZ_MUST(sup_world_save(world, &saved[kind], NULL));
        sup_world_destroy(world);
    }
    return &saved[kind];
}

/* The same world from its snapshot, which is faster, in memory of its own. */
static inline sup_world* fuzz_stage_again(fuzz_stage kind, const sup_allocator* allocator) {
    sup_world_def def = sup_world_default();
    sup_world* world;
    def.allocator = allocator;
    FUZZ_MUST(sup_world_create(&def, &world, NULL));
    const sup_bytes* saved = fuzz_stage_saved(kind);
    FUZZ_MUST(sup_world_restore(world, saved->data, saved->size, NULL));
    return world;
}

/* ---- What holds of every world ---- */

/* All places and velocities are finite, and lists hold what lives. */
static inline void fuzz_check_world(const sup_world* world) {
    enum { MOST = 64, PARTICLES = 4096 };
    static sup_point places[PARTICLES];
    static sup_vec3 velocities[PARTICLES];
    sup_body bodies[MOST];
    int32_t count = sup_world_bodies(world, bodies, MOST), asleep = 0;
    for (int32_t i = 0; i < count && i < MOST; i++) {
        const sup_blueprint* print = sup_body_blueprint(world, bodies[i]);
        FUZZ_REQUIRE(print && sup_body_is_valid(world, bodies[i]));
        asleep += sup_body_is_asleep(world, bodies[i]);
        int32_t particles = sup_blueprint_get_info(print).particle_count;
        if (particles > PARTICLES) continue;
        FUZZ_MUST(sup_body_read_particles(world, bodies[i], places, velocities));
        for (int32_t k = 0; k < particles; k++) {
            FUZZ_REQUIRE(isfinite(places[k].x) && isfinite(places[k].y) && isfinite(places[k].z));
            FUZZ_REQUIRE(isfinite(velocities[k].x) && isfinite(velocities[k].y) &&
                         isfinite(velocities[k].z));
        }
    }
    if (count <= MOST) FUZZ_REQUIRE(sup_world_measure(world).asleep_count == asleep);
    sup_collider colliders[MOST];
    count = sup_world_colliders(world, colliders, MOST);
    for (int32_t i = 0; i < count && i < MOST; i++) {
        FUZZ_REQUIRE(sup_collider_is_valid(world, colliders[i]));
    }
    sup_attachment attachments[MOST];
    count = sup_world_attachments(world, attachments, MOST);
    for (int32_t i = 0; i < count && i < MOST; i++) {
        FUZZ_REQUIRE(sup_attachment_is_valid(world, attachments[i]));
    }
}

#endif
