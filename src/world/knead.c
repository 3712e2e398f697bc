/* See knead.h. The body moves as one rigid cluster; what contacts have moved with too much force is
   the source of a propagation over the rest shape. A substep that dents takes time that is linear
   in the points of the body. */
#include "world/knead.h"

#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "blueprint/groups.h"
#include "deform/press.h"
#include "geom/quaternion.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

sup_clay_settings sup_clay_settings_default(void) {
    return (sup_clay_settings){
        .strength = 1e4, .rate = INFINITY, .transfer = 0.9, .transverse = 0.5, .reach = 12};
}

#define STRENGTH_MOST 1e12
#define REACH_MOST (1 << 20)

static sup_result check_settings(const sup_clay_settings* s, sup_error* error) {
    const supi_range ranges[] = {
        {"strength", s->strength, 0.0, STRENGTH_MOST},
        {"rate", s->rate, DBL_MIN, INFINITY},
        {"transfer", s->transfer, 0.0, 1.0},
        {"transverse", s->transverse, 0.0, 1.0},
        {"reach", s->reach, 0, REACH_MOST},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

/* ---- What can be clay ---- */

#define NOT_OF_SURFACE "clay is for bodies whose particles are the points of a surface"

static sup_result check_blueprint(const sup_blueprint* b, sup_error* error) {
    const char* why = NULL;
    if (!b->single || b->loose || b->spring_count > 0 || b->oriented || b->can_tear ||
        b->info.blob_spacing > 0 || b->solid.tet_count > 0) {
        why = "clay is for bodies of one cluster, without springs, links, parts and tetrahedra";
    } else if (b->skin.count > 0 || b->info.polygon_count == 0) {
        why = NOT_OF_SURFACE;
    } else if (b->weightless_count > 0) {
        why = "clay is for bodies whose particles all have a mass";
    }
    return why ? supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why) : SUP_OK;
}

static sup_result check_material(const sup_material* m, sup_error* error) {
    if (m->mode == SUP_MATCH_RIGID && !m->plastic.on) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "clay matches rigidly and is not plastic: its dents are all that lasts");
}

sup_result supi_knead_allows(const supi_body* body, const sup_material* material,
                             sup_error* error) {
    return body->knead ? check_material(material, error) : SUP_OK;
}

/* ---- State ---- */

void supi_knead_refresh(supi_body* body) {
    struct supi_knead* k = body->knead;
    double centre[3];
    supi_rest_about(k->rest, NULL, k->members.w, k->offsets, &k->cluster, centre);
    body->carried = false;
}

void supi_knead_reset(supi_body* body) {
    if (!body->knead) return;
    memcpy(body->knead->rest, body->blueprint->rest,
           (size_t)body->blueprint->info.particle_count * sizeof(sup_vec3));
    supi_knead_refresh(body);
}

void supi_knead_keep(supi_body* body) {
    if (!body->knead) return;
    memcpy(body->knead->rest_before, body->knead->rest,
           (size_t)body->blueprint->info.particle_count * sizeof(sup_vec3));
}

void supi_knead_restore(supi_body* body) {
    if (!body->knead) return;
    memcpy(body->knead->rest, body->knead->rest_before,
           (size_t)body->blueprint->info.particle_count * sizeof(sup_vec3));
    supi_knead_refresh(body);
}

void supi_knead_free(const sup_world* world, supi_body* body) {
    struct supi_knead* k = body->knead;
    if (!k) return;
    sup_clay_destroy(k->surface);
    supi_arena_free(&k->arena);
    supi_memory_free(world->allocator, k, 1, sizeof *k);
    body->knead = NULL;
}

static bool push_rooms(struct supi_knead* k, const sup_blueprint* b) {
    size_t count = (size_t)b->info.particle_count, padded = (size_t)b->member_count;
    supi_arena* arena = &k->arena;
    k->rest = supi_arena_push(arena, count, sizeof *k->rest);
    k->rest_before = supi_arena_push(arena, count, sizeof *k->rest_before);
    k->moved = supi_arena_push(arena, count, sizeof *k->moved);
    k->touched = supi_arena_push(arena, count, sizeof *k->touched);
    k->sources = supi_arena_push(arena, count, sizeof *k->sources);
    k->by = supi_arena_push(arena, count, sizeof *k->by);
    k->areas = supi_arena_push(arena, count, sizeof *k->areas);
    bool ok =
        k->rest && k->rest_before && k->moved && k->touched && k->sources && k->by && k->areas;
    for (int i = 0; i < 3; i++) {
        k->offsets[i] = supi_arena_push(arena, padded, sizeof(float)); /* padding is 0 */
        ok = ok && k->offsets[i];
    }
    float* w = supi_arena_push(arena, padded, sizeof *w);
    k->members = (supi_members){k->offsets[0], k->offsets[1], k->offsets[2], w, NULL};
    if (w) memcpy(w, b->members.w, padded * sizeof *w); /* that blueprint may be exchanged */
    return ok && w;
}

/* The surface of a blueprint with rows for points; its pins stay where they are. */
static sup_result make_surface(const sup_world* world, const sup_blueprint* b, sup_clay** out,
                               sup_error* error) {
    supi_arena scratch;
    supi_arena_init(&scratch, world->allocator);
    int32_t corner_count = b->starts[b->info.polygon_count];
    int32_t* corners = supi_arena_push(&scratch, (size_t)corner_count, sizeof *corners);
    float* masses = supi_arena_push(&scratch, (size_t)b->info.particle_count, sizeof *masses);
    sup_result result = corners && masses ? SUP_OK : supi_error_memory(error);
    if (result == SUP_OK) {
        for (int32_t i = 0; i < corner_count; i++) corners[i] = b->vertex_rows[b->corners[i]];
        for (int32_t i = 0; i < b->pin_count; i++) masses[b->pins[i]] = INFINITY;
        const sup_mesh mesh = {.point_count = b->info.particle_count,
                               .points = b->rest,
                               .polygon_count = b->info.polygon_count,
                               .starts = b->starts,
                               .corner_count = corner_count,
                               .corners = corners};
        sup_clay_def def = sup_clay_default();
        def.masses = masses;
        def.keep_order = true; /* rows are along a curve already */
        result = supi_clay_make(world->allocator, &mesh, &def, out, error);
    }
    supi_arena_free(&scratch);
    return result;
}

/* A polygon belongs to its corners in equal parts. False: one has nothing of any. */
static bool find_areas(struct supi_knead* k, const sup_blueprint* b) {
    for (int32_t p = 0; p < b->info.polygon_count; p++) {
        int32_t begin = b->starts[p], end = b->starts[p + 1];
        double origin[3], twice[3] = {0, 0, 0};
        supi_vector_from(b->rest + b->vertex_rows[b->corners[begin]], origin);
        for (int32_t c = begin + 1; c + 1 < end; c++) {
            double u[3], v[3], n[3];
            supi_vector_from(b->rest + b->vertex_rows[b->corners[c]], u);
            supi_vector_from(b->rest + b->vertex_rows[b->corners[c + 1]], v);
            supi_vector_subtract(u, origin, u);
            supi_vector_subtract(v, origin, v);
            supi_vector_cross(u, v, n);
            for (int i = 0; i < 3; i++) twice[i] += n[i];
        }
        float share = (float)(0.5 * supi_vector_length(twice) / (end - begin));
        for (int32_t c = begin; c < end; c++) k->areas[b->vertex_rows[b->corners[c]]] += share;
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        if (!(k->areas[r] > 0.0f)) return false;
    }
    return true;
}

static sup_result make_state(const sup_world* world, supi_body* body, sup_error* error) {
    struct supi_knead* k = supi_memory_new(world->allocator, 1, sizeof *k);
    if (!k) return supi_error_memory(error);
    supi_arena_init(&k->arena, world->allocator);
    body->knead = k;
    sup_result result = push_rooms(k, body->blueprint) ? SUP_OK : supi_error_memory(error);
    if (result == SUP_OK) result = make_surface(world, body->blueprint, &k->surface, error);
    if (result == SUP_OK && !find_areas(k, body->blueprint))
        result = supi_error_set(error, SUP_BAD_ARGUMENT, NOT_OF_SURFACE);
    if (result != SUP_OK) {
        supi_knead_free(world, body);
        return result;
    }
    k->cluster = body->blueprint->clusters[0];
    supi_knead_reset(body);
    supi_knead_keep(body);
    return SUP_OK;
}

sup_result supi_knead_make(const sup_world* world, supi_body* body,
                           const sup_clay_settings* settings, sup_error* error) {
    sup_result result = check_settings(settings, error);
    if (result == SUP_OK) result = check_blueprint(body->blueprint, error);
    if (result == SUP_OK && body->plastic)
        result =
            supi_error_set(error, SUP_BAD_ARGUMENT, "a body that is or was plastic is no clay");
    for (int32_t i = 0; result == SUP_OK && i < body->blueprint->info.region_count; i++) {
        result = check_material(body->materials + i, error);
    }
    if (result == SUP_OK && !body->knead) result = make_state(world, body, error);
    if (result == SUP_OK) body->knead->settings = *settings;
    return result;
}

/* ---- A substep ---- */

static bool gives(const supi_body* body) { return body->knead && !supi_body_still(body); }

void supi_knead_begin(const sup_world* world) {
    if (!world->kinds.kneaded) return;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!gives(body)) continue;
        size_t count = (size_t)body->blueprint->info.particle_count;
        memcpy(body->knead->moved, world->now.x + body->row, count * sizeof(sup_row));
        memset(body->knead->touched, 0, count);
        body->knead->hit = false;
    }
}

static void touch(const supi_body* body, int32_t row) {
    if (!gives(body)) return;
    body->knead->touched[row - body->row] = 1;
    body->knead->hit = true;
}

/* Contacts of bodies of tetrahedra, and of what stands in for those of others. */
static void touch_overlaps(const sup_world* world) {
    const supi_overlaps* all = &world->overlaps;
    for (int32_t i = 0; i < all->found.contact_count; i++) {
        const supi_tet_contact* c = all->found.contacts + i;
        if (!(c->push > 0.0f)) continue;
        for (int32_t k = 0; k < c->row_count; k++) {
            const supi_tet_body* side = all->bodies + (k < c->own_count ? c->body : c->other);
            const supi_body* body = world->bodies + side->id;
            touch(body, body->row + c->rows[k]);
        }
    }
}

static void touch_all(const sup_world* world) {
    touch_overlaps(world);
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        const supi_contact* c = &met->touch_contacts[i].common;
        if (c->push > 0.0f) touch(world->bodies + met->touches[c->b].run, c->a);
    }
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* p = met->pairings + i;
        for (int32_t k = 0; k < p->count; k++) {
            const supi_contact* c = met->pair_contacts + p->first + k;
            if (!(c->push > 0.0f)) continue;
            touch(world->bodies + p->run_a, c->a);
            touch(world->bodies + p->run_b, c->b);
        }
    }
}

/* What stays of a row's way through its contacts, in the frame of the blueprint. It took the force
   way / (h^2 inverse mass), of which the strength bears a part. False: all returns. */
static bool find_source(const sup_world* world, const supi_body* body, int32_t row, double h,
                        sup_vec3* by) {
    const struct supi_knead* k = body->knead;
    const sup_clay_settings* s = &k->settings;
    const sup_row *to = world->now.x + body->row + row, *from = k->moved + row;
    const double y[3] = {(double)to->x - (double)from->x, (double)to->y - (double)from->y,
                         (double)to->z - (double)from->z};
    double inverse_mass = (double)body->blueprint->inverse_mass[row];
    double bears = s->strength * (double)k->areas[row] * inverse_mass * h * h;
    double length = supi_vector_length(y), r[9], back[3];
    if (!(length > bears) || !(inverse_mass > 0.0)) return false;
    double part = (1.0 - bears / length) * (s->rate * h < 1.0 ? s->rate * h : 1.0);
    const sup_quat* q = world->now.rotation + body->cluster;
    const double turn[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    supi_quaternion_matrix(turn, r);
    for (int i = 0; i < 3; i++) back[i] = part * (r[i] * y[0] + r[3 + i] * y[1] + r[6 + i] * y[2]);
    *by = supi_vector_round(back[0], back[1], back[2]);
    return true;
}

static bool dent(const sup_world* world, supi_body* body, double h) {
    struct supi_knead* k = body->knead;
    const sup_clay_settings* s = &k->settings;
    int32_t count = 0;
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        if (!k->touched[r] || !find_source(world, body, r, h, k->by + count)) continue;
        k->sources[count++] = r;
    }
    if (count == 0) return true;
    sup_pull_def def = sup_pull_default();
    def.transfer = s->transfer;
    def.transverse = s->transverse;
    def.depth = s->reach + 1; /* where nothing is left of it */
    def.fade = true;
    if (sup_clay_set_points(k->surface, k->rest, NULL) != SUP_OK) return true; /* never so far */
    if (!supi_clay_press(k->surface, &def, count, k->sources, k->by)) return false;
    sup_clay_points(k->surface, k->rest);
    supi_knead_refresh(body);
    return true;
}

bool supi_knead_advance(sup_world* world, double h) {
    if (!world->kinds.kneaded) return true;
    touch_all(world);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (gives(body) && body->knead->hit && !dent(world, body, h)) return false;
    }
    return true;
}

/* ---- Settings and questions ---- */

void supi_knead_settings(supi_visitor* v, sup_clay_settings* s) {
    supi_visit_f64(v, "clay strength", &s->strength, 1, 0, STRENGTH_MOST);
    supi_visit_f64(v, "clay rate", &s->rate, 1, DBL_MIN, INFINITY);
    supi_visit_f64(v, "clay transfer", &s->transfer, 1, 0, 1);
    supi_visit_f64(v, "clay transverse", &s->transverse, 1, 0, 1);
    supi_visit_i32(v, "clay reach", &s->reach, 1, 0, REACH_MOST);
}

void supi_knead_fields(supi_visitor* v, supi_body* body) {
    supi_visit(v, "clay", SUPI_VISIT_F32, &body->knead->rest->x,
               3 * (size_t)body->blueprint->info.particle_count, -1e8, 1e8);
}

sup_result sup_body_set_clay(sup_world* world, sup_body handle, const sup_clay_settings* settings,
                             sup_error* error) {
    SUPI_NEED(error, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = SUP_OK;
    if (settings) {
        result = supi_knead_make(world, body, settings, error);
    } else {
        supi_knead_free(world, body);
        body->carried = false;
    }
    if (result == SUP_OK) supi_sleep_wake(world, body);
    supi_float_mode_leave(mode);
    return result;
}

bool sup_body_get_clay(const sup_world* world, sup_body handle, sup_clay_settings* out) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body || !body->knead) return false;
    *out = body->knead->settings;
    return true;
}

sup_result sup_body_read_dents(const sup_world* world, sup_body handle, sup_vec3* moved) {
    SUPI_NEED(NULL, world, moved);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t row = b->row_of[id];
        const sup_vec3 *from = b->rest + row, *to = body->knead ? body->knead->rest + row : from;
        moved[id] = (sup_vec3){to->x - from->x, to->y - from->y, to->z - from->z};
    }
    return SUP_OK;
}
