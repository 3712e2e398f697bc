/* Worlds of meshes for tests: balls, boxes, floors, and what can be said of every body in them. */
#ifndef SUPPLE_TESTS_WORLD_YARD_H
#define SUPPLE_TESTS_WORLD_YARD_H

#include "supple/mesh.h"
#include "supple/supple.h"
#include "world/bodies.h"

#define FRAME (1.0 / 60.0)

/* SUP_OK, or the message that came with something else. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        sup_result ok_result = (call);                                                             \
        if (ok_result != SUP_OK) {                                                                 \
            print_error("%s: %s\n", sup_result_name(ok_result), (error).text);                     \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

/* Makes the blueprint of a mesh and frees the mesh. */
static inline sup_blueprint* blueprint_of(sup_mesh* mesh, sup_blueprint_def def) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    def.surface = mesh;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_mesh_free(mesh);
    return print;
}

static inline sup_blueprint* ball_of(double radius, int32_t subdivisions, sup_blueprint_def def) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, radius, subdivisions, &mesh, NULL), SUP_OK);
    return blueprint_of(&mesh, def);
}

/* `cells` of the surface along each side. */
static inline sup_blueprint* box_of(const double size[3], int32_t cells, sup_blueprint_def def) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_box(NULL, size, (int32_t[3]){cells, cells, cells}, &mesh, NULL),
                     SUP_OK);
    return blueprint_of(&mesh, def);
}

static inline sup_blueprint_def filled(double spacing) {
    sup_blueprint_def def = sup_blueprint_default();
    def.fill = spacing;
    return def;
}

static inline sup_blueprint_def in_cubes(double spacing, double edge) {
    sup_blueprint_def def = filled(spacing);
    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = edge;
    return def;
}

static inline sup_world* make_world(const sup_world_def* def) {
    sup_error error = {0};
    sup_world* world = NULL;
    sup_world_def own = def ? *def : sup_world_default();
    assert_ok(sup_world_create(&own, &world, &error), error);
    return world;
}

/* For measuring what happens while sleep would end it. */
static inline sup_world* make_wakeful_world(void) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = 0.0;
    return make_world(&def);
}

static inline sup_world* make_weightless_world(void) {
    sup_world_def def = sup_world_default();
    def.gravity[1] = 0.0;
    return make_world(&def);
}

/* Body number i of a def; the blueprint stays the caller's too. */
static inline sup_body add_body(sup_world* world, const sup_body_def* def) {
    sup_error error = {0};
    sup_body body = {0};
    assert_ok(sup_body_create(world, def, &body, &error), error);
    return body;
}

static inline sup_body_def body_at(sup_blueprint* print, double x, double y, double z) {
    sup_body_def def = sup_body_default();
    def.blueprint = print;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static inline sup_collider add_collider(sup_world* world, const sup_collider_def* def) {
    sup_error error = {0};
    sup_collider collider = {0};
    assert_ok(sup_collider_create(world, def, &collider, &error), error);
    return collider;
}

static inline void add_floor(sup_world* world) {
    sup_collider_def def = sup_collider_default();
    add_collider(world, &def);
}

static inline void take_steps(sup_world* world, int32_t steps) {
    for (int32_t i = 0; i < steps; i++) assert_int_equal(sup_world_step(world, FRAME), SUP_OK);
}

/* Events of the last step that nobody wants: bodies put back, stiffness that the step cannot carry.
 */
static inline int32_t mishap_count(const sup_world* world) {
    int32_t count, mishaps = 0;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        mishaps += events[i].kind == SUP_EVENT_BODY_RESTORED ||
                   events[i].kind == SUP_EVENT_STIFFNESS_SATURATED;
    }
    return mishaps;
}

/* ---- The particles of a body ---- */

typedef struct swarm {
    int32_t count;
    sup_point* x;
    sup_vec3* v;
} swarm;

static inline swarm read_swarm(const sup_world* world, sup_body body) {
    swarm s = {sup_blueprint_get_info(sup_body_blueprint(world, body)).particle_count, NULL, NULL};
    s.x = calloc((size_t)s.count, sizeof *s.x);
    s.v = calloc((size_t)s.count, sizeof *s.v);
    assert_int_equal(sup_body_read_particles(world, body, s.x, s.v), SUP_OK);
    return s;
}

static inline void free_swarm(swarm* s) {
    free(s->x);
    free(s->v);
    *s = (swarm){0};
}

static inline double speed_of(const sup_vec3* v) {
    return sqrt((double)v->x * (double)v->x + (double)v->y * (double)v->y +
                (double)v->z * (double)v->z);
}

/* The largest speed of a body's particles; infinite where anything of it is not finite. */
static inline double top_speed_of(const sup_world* world, sup_body body) {
    swarm s = read_swarm(world, body);
    double top = 0;
    for (int32_t i = 0; i < s.count; i++) {
        double speed = speed_of(s.v + i);
        bool finite = isfinite(s.x[i].x + s.x[i].y + s.x[i].z) && isfinite(speed);
        top = !finite ? (double)INFINITY : speed > top ? speed : top;
    }
    free_swarm(&s);
    return top;
}

/* Mean place and velocity of the particles, which for equal masses is that of the centre. */
static inline void centre_of(const sup_world* world, sup_body body, double x[3], double v[3]) {
    swarm s = read_swarm(world, body);
    double place[3] = {0, 0, 0}, speed[3] = {0, 0, 0};
    for (int32_t i = 0; i < s.count; i++) {
        place[0] += s.x[i].x / s.count;
        place[1] += s.x[i].y / s.count;
        place[2] += s.x[i].z / s.count;
        speed[0] += (double)s.v[i].x / s.count;
        speed[1] += (double)s.v[i].y / s.count;
        speed[2] += (double)s.v[i].z / s.count;
    }
    if (x) memcpy(x, place, sizeof place);
    if (v) memcpy(v, speed, sizeof speed);
    free_swarm(&s);
}

#endif
