#include "world/fields.h"

#include "world/blobs.h"
#include "world/oriented.h"
#include "world/overlap_numbers.h"
#include "world/tear.h"

#include <float.h>
#include <string.h>

/* A field that is added to one of these has to be told below; then put the size right. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(sup_world_def) == 168, "tell the new field of a world");
_Static_assert(sizeof(sup_material) == 136, "tell the new field of a material");
_Static_assert(sizeof(sup_body_def) == 768, "tell the new field of a body");
_Static_assert(sizeof(sup_spring_settings) == 232, "tell the new setting of springs");
_Static_assert(sizeof(sup_overlap_settings) == 40, "tell the new setting of overlaps");
_Static_assert(sizeof(sup_blob_settings) == 48, "tell the new setting of soft substance");
_Static_assert(sizeof(supi_tet_memory) == 28, "tell the new field of what is remembered");
_Static_assert(sizeof(supi_step_state) == 16, "tell the new field of past steps");
_Static_assert(sizeof(sup_collider_def) == 208, "tell the new field of a collider");
_Static_assert(sizeof(sup_attachment_def) == 120, "tell the new field of an attachment");
_Static_assert(sizeof(sup_meeting) == 104, "tell the new field of a meeting");
_Static_assert(sizeof(supi_rest) == 16, "tell the new field of sleep");
_Static_assert(sizeof(supi_start) == 104, "tell the new field of a start");
_Static_assert(sizeof(supi_plastic) == 160, "tell the new field of a lasting deformation");
#endif

/* Places of what has moved on from where it was put. */
#define FAR 1e15
/* Sums of a step: finite. */
#define ANY DBL_MAX

static void visit_handle(supi_visitor* v, const char* name, uint32_t* slot, uint32_t* age) {
    supi_visit_u32(v, name, slot);
    supi_visit_u32(v, name, age);
}

static void visit_filter(supi_visitor* v, sup_filter* filter) {
    supi_visit_u32(v, "category", &filter->category);
    supi_visit_u32(v, "mask", &filter->mask);
}

static void visit_wind(supi_visitor* v, sup_wind* wind) {
    supi_visit_f64(v, "wind", wind->velocity, 3, -1e3, 1e3);
    supi_visit_f64(v, "gust", &wind->gust, 1, 0, 1e3);
    supi_visit_f64(v, "gust_length", &wind->gust_length, 1, 0.01, 1e6);
    supi_visit_f64(v, "gust_time", &wind->gust_time, 1, 0.01, 1e6);
    supi_visit_f64(v, "air density", &wind->density, 1, 0, 1e5);
    supi_visit_i32(v, "gust seed", &wind->seed, 1, 0, INT32_MAX);
}

void supi_fields_settings(supi_visitor* v, sup_world_def* def, double* time, uint64_t* step_count) {
    supi_visit_f64(v, "gravity", def->gravity, 3, -1e4, 1e4);
    supi_visit_i32(v, "substeps", &def->substeps, 1, 1, 64);
    supi_visit_i32(v, "sweeps", &def->sweeps, 1, 1, 8);
    supi_visit_f64(v, "sleep_speed", &def->sleep_speed, 1, 0, 1);
    supi_visit_f64(v, "sleep_time", &def->sleep_time, 1, 0.05, 60);
    supi_visit_f64(v, "time", time, 1, 0, FAR);
    if (!v->motion) supi_visit_u64(v, "step_count", step_count);
    if (!v->motion || def->wind.density > 0.0) visit_wind(v, &def->wind);
}

/* ---- Bodies ---- */

static void visit_plasticity(supi_visitor* v, sup_plasticity* p) {
    int32_t rule = (int32_t)p->rule;
    supi_visit_bool(v, "plastic", &p->on);
    supi_visit_i32(v, "plastic rule", &rule, 1, SUP_PLASTIC_LOG, SUP_PLASTIC_PAPER);
    if (v->sets) p->rule = (sup_plastic_rule)rule;
#define VISIT(name, least, most, usual) supi_visit_f64(v, #name, &p->name, 1, least, most);
    SUPI_PLASTIC_NUMBERS(VISIT)
#undef VISIT
}

static void visit_material(supi_visitor* v, sup_material* m) {
    int32_t scheme = (int32_t)m->scheme, rule = (int32_t)m->rule, mode = (int32_t)m->mode;
    supi_visit_i32(v, "scheme", &scheme, 1, SUP_SCHEME_D, SUP_SCHEME_P);
    supi_visit_i32(v, "rule", &rule, 1, SUP_STIFFNESS_AUTO, SUP_STIFFNESS_RIGID);
    supi_visit_i32(v, "mode", &mode, 1, SUP_MATCH_RIGID, SUP_MATCH_QUADRATIC);
    if (v->sets) {
        m->scheme = (sup_scheme)scheme;
        m->rule = (sup_stiffness_rule)rule;
        m->mode = (sup_match_mode)mode;
    }
    supi_visit_bool(v, "keeps_volume", &m->keeps_volume);
    supi_visit_f64(v, "beta", &m->beta, 1, 0, 1);
    supi_visit_f64(v, "stiffness", &m->stiffness, 1, 0, 1e12);
    supi_visit_f64(v, "damping", &m->damping, 1, 0, 1);
    supi_visit_f64(v, "raw_damping", &m->raw_damping, 1, -1e9, 1);
    supi_visit_f64(v, "friction_static", &m->friction_static, 1, 0, 2);
    supi_visit_f64(v, "friction_kinetic", &m->friction_kinetic, 1, 0, 2);
    supi_visit_f64(v, "restitution", &m->restitution, 1, 0, 1);
    visit_plasticity(v, &m->plastic);
}

/* What acts beside the springs. */
static void visit_beside(supi_visitor* v, sup_spring_settings* s) {
    int32_t frame = (int32_t)s->anchor.frame;
    supi_visit_f64(v, "air", &s->air.across, 1, 0, 2);
    supi_visit_f64(v, "air along", &s->air.along, 1, 0, 2);
    supi_visit_f64(v, "pressure", &s->pressure.inside, 1, 0, 1e9);
    supi_visit_f64(v, "pressure outside", &s->pressure.outside, 1, 0, 1e9);
    supi_visit_f64(v, "pressure power", &s->pressure.power, 1, 0, 10);
    supi_visit_f64(v, "area", &s->solid.area, 1, 0, 1e12);
    supi_visit_f64(v, "volume", &s->solid.volume, 1, 0, 1e12);
    supi_visit_f64(v, "bend", &s->solid.bend, 1, 0, 1e12);
    supi_visit_f64(v, "anchor", &s->anchor.frequency, 1, 0, 1e4);
    supi_visit_f64(v, "anchor damping", &s->anchor.damping, 1, 0, 10);
    supi_visit_i32(v, "anchor frame", &frame, 1, SUP_ANCHOR_FITTED, SUP_ANCHOR_FIXED);
    if (v->sets) s->anchor.frame = (sup_anchor_frame)frame;
    supi_visit_f64(v, "spring yield", &s->yield.strain, 1, 0, 1);
    supi_visit_f64(v, "yield time", &s->yield.time, 1, 0, 1e6);
    supi_visit_f64(v, "yield limit", &s->yield.limit, 1, 0, 2);
}

static void visit_springs(supi_visitor* v, sup_spring_settings* s) {
    int32_t integrator = (int32_t)s->integrator, kinds = (int32_t)s->limit_kinds;
    supi_visit_i32(v, "integrator", &integrator, 1, SUP_INTEGRATOR_AUTO, SUP_INTEGRATOR_RK4);
    supi_visit_i32(v, "limit_kinds", &kinds, 1, SUP_LIMIT_STRUCT, SUP_LIMIT_STRUCT_SHEAR);
    if (v->sets) {
        s->integrator = (sup_integrator)integrator;
        s->limit_kinds = (sup_limit_kinds)kinds;
    }
    supi_visit_f64(v, "drag", &s->drag, 1, 0, 10);
    supi_visit_f64(v, "tolerance", &s->tolerance, 1, 0, 1);
    supi_visit_i32(v, "iterations", &s->iterations, 1, 1, 1000);
    supi_visit_i32(v, "newton", &s->newton, 1, 1, 5);
    int32_t preconditioner = (int32_t)s->preconditioner;
    supi_visit_i32(v, "preconditioner", &preconditioner, 1, SUP_PRECONDITIONER_BLOCKS,
                   SUP_PRECONDITIONER_LEVELS);
    if (v->sets) s->preconditioner = (sup_preconditioner)preconditioner;
    supi_visit_bool(v, "adaptive", &s->adaptive);
    supi_visit_f64(v, "error_length", &s->error_length, 1, 0, 1);
    supi_visit_f64(v, "error_strain", &s->error_strain, 1, 0, 1);
    supi_visit_f64(v, "limit", &s->limit, 1, 0, 0.5);
    supi_visit_f64(v, "limit_compression", &s->limit_compression, 1, 0, 0.5);
    supi_visit_i32(v, "limit_sweeps", &s->limit_sweeps, 1, 1, 100);
    visit_beside(v, s);
    supi_visit_f64(v, "tear", &s->tear, 1, 0, 10);
    supi_visit_f64(v, "tear_force", &s->tear_force, 1, 0, 1e12);
    int32_t rule = (int32_t)s->refine_rule;
    supi_visit_f64(v, "refine_angle", &s->refine_angle, 1, 5, 45);
    supi_visit_i32(v, "refine_rule", &rule, 1, SUP_REFINE_EVEN, SUP_REFINE_SEED);
    if (v->sets) s->refine_rule = (sup_refine_rule)rule;
    /* Of what moves otherwise only if they are on. */
    if (v->motion && !s->meets_itself) return;
    supi_visit_bool(v, "meets_itself", &s->meets_itself);
    supi_visit_f64(v, "thickness", &s->thickness, 1, 0, 1);
}

static void visit_frames(supi_visitor* v, sup_frame_settings* s) {
    int32_t mode = (int32_t)s->mode, torsion = (int32_t)s->torsion;
    int32_t friction = (int32_t)s->friction;
    supi_visit_i32(v, "frame mode", &mode, 1, SUP_FRAME_MEAN, SUP_FRAME_CLASSIC);
    supi_visit_i32(v, "torsion", &torsion, 1, SUP_TORSION_TWIST, SUP_TORSION_SLERP);
    supi_visit_i32(v, "friction rule", &friction, 1, SUP_FRICTION_COULOMB, SUP_FRICTION_PAPER);
    if (v->sets) {
        s->mode = (sup_frame_mode)mode;
        s->torsion = (sup_torsion_mode)torsion;
        s->friction = (sup_friction_rule)friction;
    }
    supi_visit_f64(v, "frame stiffness", &s->stiffness, 1, 0, 1e5);
    supi_visit_f64(v, "frame modulus", &s->modulus, 1, 0, 1e12);
    supi_visit_f64(v, "frame damping", &s->damping, 1, 0, 100);
    supi_visit_f64(v, "turn damping", &s->turn_damping, 1, 0, 100);
    supi_visit_f64(v, "turn", &s->turn, 1, 0, 1);
    supi_visit_bool(v, "restores_momentum", &s->restores_momentum);
    supi_visit_bool(v, "meets_itself", &s->meets_itself);
    supi_visit_f64(v, "slerp", &s->slerp, 1, 0, 1);
    supi_visit_f64(v, "drag", &s->drag, 1, 0, 1);
    supi_visit_f64(v, "turn drag", &s->turn_drag, 1, 0, 1);
    supi_visit_f64(v, "rolling_friction", &s->rolling_friction, 1, 0, 2);
    supi_visit_f64(v, "dent speed", &s->plastic.speed, 1, 0, 1e4);
    supi_visit_f64(v, "dent limit", &s->plastic.limit, 1, 0, 1);
    supi_visit_f64(v, "dent time", &s->plastic.time, 1, 0.001, 0.2);
    supi_visit_f64(v, "dent stiffness", &s->plastic.stiffness, 1, 10, 1000);
    supi_visit_f64(v, "dent keep", &s->plastic.keep, 1, 0, 1);
    supi_visit_f64(v, "air of frames", &s->air.across, 1, 0, 2);
    supi_visit_f64(v, "air along frames", &s->air.along, 1, 0, 2);
}

static void visit_overlap(supi_visitor* v, sup_overlap_settings* s) {
    int32_t mode = (int32_t)s->mode;
    supi_visit_i32(v, "overlap mode", &mode, 1, SUP_OVERLAP_DEPTH, SUP_OVERLAP_SPHERES);
    if (v->sets) s->mode = (sup_overlap_mode)mode;
    supi_visit_bool(v, "overlap meets_itself", &s->meets_itself);
    supi_visit_bool(v, "overlap edges", &s->edges);
#define NUMBER(name, low, high, usual) supi_visit_f64(v, "overlap " #name, &s->name, 1, low, high);
    SUPI_OVERLAP_NUMBERS(NUMBER)
#undef NUMBER
}

/* Ranges are those of supi_blobs_check. */
static void visit_blob(supi_visitor* v, sup_blob_settings* s) {
    int32_t volume = (int32_t)s->volume;
    supi_visit_f64(v, "blob stiffness", &s->stiffness, 1, 1e-4, 1e4);
    supi_visit_f64(v, "blob friction", &s->friction, 1, 0, 1e4);
    supi_visit_f64(v, "blob drag", &s->drag, 1, 0, 100);
    supi_visit_bool(v, "blob central", &s->central);
    supi_visit_f64(v, "blob iso", &s->iso, 1, 0.05, 0.9);
    supi_visit_i32(v, "blob cells", &s->cells, 1, 3, 12);
    supi_visit_i32(v, "blob volume", &volume, 1, SUP_BLOB_VOLUME_LOCAL, SUP_BLOB_VOLUME_FREE);
    if (v->sets) s->volume = (sup_blob_volume)volume;
}

void supi_fields_body_def(supi_visitor* v, sup_body_def* def, sup_material* materials,
                          int32_t region_count) {
    for (int32_t i = 0; i < region_count; i++) visit_material(v, materials + i);
    supi_visit_f64(v, "gravity_scale", &def->gravity_scale, 1, -1e3, 1e3);
    if (def->blueprint && def->blueprint->spring_count > 0) visit_springs(v, &def->springs);
    if (def->blueprint && def->blueprint->oriented) visit_frames(v, &def->frames);
    if (def->blueprint && def->blueprint->solid.tet_count > 0) visit_overlap(v, &def->overlap);
    if (def->blueprint && def->blueprint->info.blob_spacing > 0) visit_blob(v, &def->blob);
    visit_filter(v, &def->filter);
    supi_visit_bool(v, "stays_awake", &def->stays_awake);
    if (!v->motion || def->locked != 0) {
        supi_visit_i32(v, "locked", &def->locked, 1, 0, SUP_AXIS_Y + SUP_AXIS_Z);
    }
    /* Where it was put matters to anchors that have stayed there. */
    const sup_spring_anchor* anchor = &def->springs.anchor;
    bool stays = anchor->frequency > 0.0 && anchor->frame == SUP_ANCHOR_FIXED;
    if (v->motion && !stays) return;
    supi_visit_f64(v, "position", def->position, 3, -1e12, 1e12);
    supi_visit_f64(v, "rotation", def->rotation, 4, -1e6, 1e6);
    if (v->motion) return;
    supi_visit_f64(v, "velocity", def->velocity, 3, -1e5, 1e5);
    supi_visit_f64(v, "angular_velocity", def->angular_velocity, 3, -1e5, 1e5);
    supi_visit_u64(v, "user", &def->user);
}

static void visit_tear(supi_visitor* v, const sup_blueprint* b, supi_tear* t) {
    supi_visit_i32(v, "torn", &t->torn, 1, 0, b->spare_count);
    supi_visit_i32(v, "rows of vertices", t->rows, (size_t)b->info.vertex_count, 0,
                   b->info.particle_count - 1);
    supi_visit(v, "masses", SUPI_VISIT_F32, t->mass, (size_t)b->info.particle_count, 0, 1e9);
}

static void visit_elastic(supi_visitor* v, supi_body* body) {
    if (!body->elastic) return;
    supi_spring_past* past = &body->elastic->past;
    supi_visit_f64(v, "last step", &past->steps.last, 1, 0, 1);
    supi_visit_i32(v, "level of steps", &past->steps.level, 1, 0, SUPI_STEP_LEVELS);
    supi_visit_i32(v, "good steps", &past->steps.good, 1, 0, 8);
    supi_visit_f32(v, "past of springs", &past->rows->x, 4 * (size_t)body->blueprint->row_count);
    if (body->elastic->tear) visit_tear(v, body->blueprint, body->elastic->tear);
    supi_refine* cuts = body->elastic->cuts;
    if (!cuts) return;
    const supi_refine_grid* grid = &body->blueprint->refine;
    size_t cells = (size_t)supi_refine_cell_count(grid);
    supi_visit(v, "levels of cells", SUPI_VISIT_U8, cuts->level, cells, 0, grid->levels);
    supi_visit(v, "calm of cells", SUPI_VISIT_U8, cuts->calm, cells, 0, UINT8_MAX);
    supi_visit_i32(v, "steps since a check", &body->elastic->past.check, 1, 0,
                   SUPI_REFINE_EVERY - 1);
}

/* Parts that may have yielded. */
static void visit_parts(supi_visitor* v, supi_body* body) {
    const supi_frame_net* net = &body->blueprint->frames;
    supi_part_state* s = body->oriented->parts;
    size_t parts = (size_t)net->part_count, members = (size_t)net->part_starts[net->part_count];
    supi_visit(v, "phases of parts", SUPI_VISIT_U8, s->phase, parts, 0, SUPI_PART_RAMP);
    supi_visit(v, "time left of parts", SUPI_VISIT_F32, s->left, parts, 0, 1);
    supi_visit(v, "time spent of parts", SUPI_VISIT_F32, s->spent, parts, 0, 1);
    supi_visit(v, "offsets of parts", SUPI_VISIT_F32, &s->offset->x, 3 * members, -1e6, 1e6);
    supi_visit(v, "flow of parts", SUPI_VISIT_F32, &s->flow->x, 3 * members, -1e6, 1e6);
    supi_visit(v, "targets of parts", SUPI_VISIT_F32, &s->target->x, 3 * members, -1e6, 1e6);
    supi_visit(v, "flowed turns", SUPI_VISIT_F32, &s->flowed->x, 4 * (size_t)net->row_count, -1.1,
               1.1);
    if (v->sets) supi_dented_refresh(body);
}

static void visit_oriented(supi_visitor* v, const supi_state* now, supi_body* body) {
    size_t rows = (size_t)body->blueprint->row_count;
    supi_visit(v, "turns", SUPI_VISIT_F32, &now->turn[body->turn].x, 4 * rows, -1.1, 1.1);
    supi_visit_f32(v, "spins", &now->spin[body->turn].x, 4 * rows);
    size_t warms = (size_t)supi_oriented_warm_count(body->blueprint);
    supi_visit(v, "turns of groups", SUPI_VISIT_F32, &now->warm[body->warm].x, 4 * warms, -1.1,
               1.1);
    sup_quat* pins = body->oriented->pin_turns;
    supi_visit(v, "turns of pins", SUPI_VISIT_F32, &pins->x, 8 * (size_t)body->blueprint->pin_count,
               -1.1, 1.1);
    supi_visit_f64(v, "longest substep", &body->oriented->longest, 1, 0, 1e6);
    if (body->oriented->parts) visit_parts(v, body);
}

/* How far the fields of soft substance reach. */
static void visit_soft(supi_visitor* v, supi_body* body) {
    double reach = supi_blobs_reach(body);
    supi_visit(v, "reach of fields", SUPI_VISIT_F32, body->soft->reach,
               (size_t)body->blueprint->row_count, 0.6999 * reach, 1.4001 * reach);
    supi_visit_f64(v, "value at the surface", &body->soft->iso, 1, 0.05, 0.9);
    supi_visit_i32(v, "age of volumes", &body->soft->age, 1, 0, SUPI_BLOB_EVERY - 1);
}

void supi_fields_body(supi_visitor* v, sup_world* world, supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    const supi_state* now = &world->now;
    size_t rows = (size_t)b->row_count, clusters = (size_t)b->cluster_count;
    supi_visit_f64(v, "anchor", body->anchor, 3, -FAR, FAR);
    supi_visit_bool(v, "paused", &body->paused);
    supi_visit_bool(v, "asleep", &body->rest.asleep);
    supi_visit_f64(v, "idle", &body->rest.idle, 1, 0, FAR);
    if (body->rest.asleep) supi_visit_u32(v, "island", &body->rest.island);
    for (int32_t i = 0; i < 2 * b->pin_count; i++) {
        supi_visit_f64(v, "pins", &body->pins[i].x, 3, -FAR, FAR);
    }
    supi_visit_f32(v, "places", &now->x[body->row].x, 4 * rows);
    supi_visit_f32(v, "velocities", &now->v[body->row].x, 4 * rows);
    supi_visit_f32(v, "rotations", &now->rotation[body->cluster].x, 4 * clusters);
    supi_visit_f32(v, "centres", &now->centre[body->cluster].x, 4 * clusters);
    visit_elastic(v, body);
    if (body->oriented) visit_oriented(v, now, body);
    if (body->soft) visit_soft(v, body);
    if (v->motion) return;
    visit_handle(v, "handle", &body->handle.slot, &body->handle.age);
    supi_visit_bool(v, "woke", &body->woke);
    supi_visit_bool(v, "edited", &body->edited);
}

void supi_fields_lengths(supi_visitor* v, supi_body* body) {
    if (!body->elastic || !body->elastic->lengths) return;
    supi_visit(v, "lengths of springs", SUPI_VISIT_F32, body->elastic->lengths,
               (size_t)body->blueprint->spring_count, 0, 1e7);
}

void supi_fields_plastic(supi_visitor* v, supi_body* body) {
    for (int32_t c = 0; body->plastic && c < body->blueprint->cluster_count; c++) {
        supi_plastic* p = body->plastic + c;
        supi_visit_f64(v, "stretch", p->stretch, 6, -10, 10);
        supi_visit_f64(v, "gathered strain", p->gathered, 6, -1e-3, 1e-3);
        supi_visit_f64(v, "age of the strain", &p->since, 1, 0, 60);
        supi_visit_bool(v, "stuck", &p->stuck);
    }
}

sup_body_def supi_fields_body_def_of(const supi_body* body) {
    const supi_start* start = &body->start;
    sup_body_def def = sup_body_default();
    def.blueprint = body->blueprint;
    def.material = body->materials[0];
    def.region_materials = body->materials;
    def.gravity_scale = body->gravity_scale;
    def.springs = body->springs;
    def.frames = body->frames;
    def.overlap = body->overlap;
    def.blob = body->blob;
    def.filter = body->filter;
    def.locked = body->locked;
    def.stays_awake = body->stays_awake;
    def.user = body->user;
    memcpy(def.position, start->position, sizeof def.position);
    memcpy(def.rotation, start->rotation, sizeof def.rotation);
    memcpy(def.velocity, start->velocity, sizeof def.velocity);
    memcpy(def.angular_velocity, start->angular_velocity, sizeof def.angular_velocity);
    return def;
}

/* ---- Colliders ---- */

void supi_fields_collider_def(supi_visitor* v, sup_collider_def* d) {
    int32_t kind = (int32_t)d->kind;
    supi_visit_i32(v, "kind", &kind, 1, SUP_COLLIDER_PLANE, SUP_COLLIDER_HEIGHTS);
    if (v->sets) d->kind = (sup_collider_kind)kind;
    supi_visit_f64(v, "radius", &d->radius, 1, 1e-6, 1e7);
    supi_visit_f64(v, "half_size", d->half_size, 3, 1e-6, 1e7);
    supi_visit_f64(v, "half_length", &d->half_length, 1, 0, 1e7);
    supi_visit_bool(v, "inverted", &d->inverted);
    supi_visit_bool(v, "sensor", &d->sensor);
    visit_filter(v, &d->filter);
    supi_visit_f64(v, "thickness", &d->thickness, 1, 0, 1e3);
    supi_visit_f64(v, "friction_static", &d->friction_static, 1, 0, 2);
    supi_visit_f64(v, "friction_kinetic", &d->friction_kinetic, 1, 0, 2);
    supi_visit_f64(v, "restitution", &d->restitution, 1, 0, 1);
    if (d->kind == SUP_COLLIDER_HEIGHTS) {
        supi_visit_i32(v, "height_count", d->height_count, 2, 2, 32768);
        supi_visit_f64(v, "height_step", d->height_step, 2, 0, FAR);
    }
    if (!v->motion) supi_visit_u64(v, "user", &d->user);
}

supi_collider_arrays supi_fields_arrays_of(const supi_collider* c) {
    supi_collider_arrays arrays = {.led = c->from_points != NULL};
    if (c->mesh) {
        const sup_vec3* points = c->rest_points ? c->rest_points : supi_trimesh_points(c->mesh);
        arrays.point_count = supi_trimesh_point_count(c->mesh);
        arrays.triangle_count = supi_trimesh_triangle_count(c->mesh);
        arrays.points = (sup_vec3*)(uintptr_t)points;
        arrays.triangles = (int32_t*)(uintptr_t)supi_trimesh_triangles(c->mesh);
    } else if (c->heights) {
        int32_t count[2];
        double step[2];
        const float* values;
        supi_heights_get(c->heights, count, step, &values);
        arrays.height_count = count[0] * count[1];
        arrays.heights = (float*)(uintptr_t)values;
    }
    return arrays;
}

void supi_fields_array_counts(supi_visitor* v, supi_collider_arrays* a) {
    supi_visit_i32(v, "point_count", &a->point_count, 1, 0, INT32_MAX / 8);
    supi_visit_i32(v, "triangle_count", &a->triangle_count, 1, 0, INT32_MAX / 8);
    supi_visit_i32(v, "height_count", &a->height_count, 1, 0, 1 << 30);
    supi_visit_bool(v, "led", &a->led);
}

void supi_fields_arrays(supi_visitor* v, supi_collider_arrays* a) {
    if (a->point_count > 0) supi_visit_f32(v, "points", &a->points->x, 3 * (size_t)a->point_count);
    supi_visit_i32(v, "triangles", a->triangles, 3 * (size_t)a->triangle_count, 0,
                   a->point_count - 1);
    supi_visit_f32(v, "heights", a->heights, (size_t)a->height_count);
}

void supi_fields_collider(supi_visitor* v, supi_collider* c) {
    supi_visit_f64(v, "position", c->from_position, 3, -1e12, 1e12);
    supi_visit_f64(v, "rotation", c->from_rotation, 4, -1e6, 1e6);
    supi_visit_f64(v, "next position", c->to_position, 3, -1e12, 1e12);
    supi_visit_f64(v, "next rotation", c->to_rotation, 4, -1e6, 1e6);
    supi_visit_bool(v, "moves", &c->moves);
    if (c->from_points) {
        size_t count = 3 * (size_t)supi_trimesh_point_count(c->mesh);
        supi_visit(v, "points", SUPI_VISIT_F32, &c->from_points->x, count, -1e7, 1e7);
        supi_visit(v, "next points", SUPI_VISIT_F32, &c->to_points->x, count, -1e7, 1e7);
    }
    if (v->motion) return;
    visit_handle(v, "handle", &c->handle.slot, &c->handle.age);
    supi_visit_f64(v, "impulse", c->impulse, 3, -ANY, ANY);
    supi_visit_f64(v, "moment", c->moment, 3, -ANY, ANY);
}

/* ---- Attachments ---- */

void supi_fields_attachment_def(supi_visitor* v, sup_attachment_def* d) {
    visit_handle(v, "body", &d->body.slot, &d->body.age);
    supi_visit_i32(v, "particle", &d->particle, 1, 0, INT32_MAX);
    visit_handle(v, "other", &d->other.slot, &d->other.age);
    supi_visit_i32(v, "other particle", &d->other_particle, 1, INT32_MIN, INT32_MAX);
    visit_handle(v, "collider", &d->collider.slot, &d->collider.age);
    supi_visit_f64(v, "point", d->point, 3, -FAR, FAR);
    supi_visit_bool(v, "meet", &d->meet);
    supi_visit_f64(v, "length", &d->length, 1, 0, FAR);
    supi_visit_f64(v, "stiffness", &d->stiffness, 1, 0, 1e9);
    supi_visit_f64(v, "damping", &d->damping, 1, 0, 1e9);
    supi_visit_f64(v, "force_limit", &d->force_limit, 1, 0, 1e12);
    supi_visit_f64(v, "break_force", &d->break_force, 1, 0, 1e12);
    if (!v->motion) supi_visit_u64(v, "user", &d->user);
}

void supi_fields_attachment(supi_visitor* v, supi_attachment* a) {
    supi_visit_f64(v, "point", a->from_point, 3, -FAR, FAR);
    supi_visit_f64(v, "next point", a->to_point, 3, -FAR, FAR);
    supi_visit_bool(v, "moves", &a->moves);
    if (v->motion) return;
    visit_handle(v, "handle", &a->handle.slot, &a->handle.age);
    supi_visit_f64(v, "impulse", a->impulse, 3, -ANY, ANY);
    supi_visit_f64(v, "dt", &a->dt, 1, 0, 1);
}

void supi_fields_meeting(supi_visitor* v, sup_meeting* m) {
    visit_handle(v, "body", &m->body.slot, &m->body.age);
    visit_handle(v, "other", &m->other.slot, &m->other.age);
    visit_handle(v, "collider", &m->collider.slot, &m->collider.age);
    supi_visit_bool(v, "sensor", &m->sensor);
    if (v->motion) return;
    supi_visit_i32(v, "contact_count", &m->contact_count, 1, 0, INT32_MAX);
    supi_visit_f64(v, "normal_impulse", &m->normal_impulse, 1, -ANY, ANY);
    supi_visit_f64(v, "friction_impulse", &m->friction_impulse, 1, -ANY, ANY);
    supi_visit_f64(v, "impulse", m->impulse, 3, -ANY, ANY);
    supi_visit_f64(v, "moment", m->moment, 3, -ANY, ANY);
    supi_visit_f64(v, "deepest", &m->deepest, 1, -ANY, ANY);
}

void supi_fields_memory(supi_visitor* v, supi_tet_memory* m, int32_t body_count) {
    supi_visit_i32(v, "body", &m->body, 1, 0, body_count - 1);
    supi_visit_i32(v, "other", &m->other, 1, 0, body_count - 1);
    supi_visit_i32(v, "point", &m->point, 1, 0, INT32_MAX);
    supi_visit_i32(v, "age", &m->age, 1, 0, 2 * SUPI_TET_MEMORY - 1);
    supi_visit(v, "normal", SUPI_VISIT_F32, &m->normal.x, 3, -1.1, 1.1);
}
