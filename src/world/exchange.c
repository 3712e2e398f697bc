/* A body takes another blueprint of the same particles: other clusters, another rest shape. */
#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "blueprint/members.h"
#include "world/knead.h"
#include "world/overlaps.h"
#include "world/springs.h"
#include "world/stand.h"

#include <string.h>

/* ---- The same particles? ---- */

static uint8_t region_at(const sup_blueprint* b, int32_t row) {
    return b->region ? b->region[row] : 0;
}

/* In what one particle of the two differs, or NULL. */
static const char* differing(const sup_blueprint* a, const sup_blueprint* b, int32_t id) {
    int32_t i = a->row_of[id], j = b->row_of[id];
    if (a->mass[i] != b->mass[j]) return "has another mass";
    if (a->inverse_mass[i] != b->inverse_mass[j]) return "is pinned in one of them only";
    if (a->radius[i] != b->radius[j]) return "has another contact radius";
    return region_at(a, i) != region_at(b, j) ? "lies in another region" : NULL;
}

/* What a drawn vertex is: a particle by its id, or a point of the skin. */
static int32_t drawn_as(const sup_blueprint* b, int32_t vertex) {
    int32_t row = b->vertex_rows[vertex];
    return b->skin.count > 0 ? row : b->id_of[row];
}

static bool same_surface(const sup_blueprint* a, const sup_blueprint* b) {
    if (a->info.vertex_count != b->info.vertex_count ||
        a->info.polygon_count != b->info.polygon_count ||
        a->info.corner_count != b->info.corner_count || a->skin.count != b->skin.count) {
        return false;
    }
    for (int32_t i = 0; i < a->info.vertex_count; i++) {
        if (drawn_as(a, i) != drawn_as(b, i)) return false;
    }
    for (int32_t i = 0; i < a->info.polygon_count; i++) {
        if (a->starts[i + 1] != b->starts[i + 1]) return false;
    }
    for (int32_t i = 0; i < a->info.corner_count; i++) {
        if (a->corners[i] != b->corners[i]) return false;
    }
    return true;
}

static sup_result check_particles(const sup_blueprint* own, const sup_blueprint* other,
                                  sup_error* error) {
    const sup_blueprint_info *a = &own->info, *b = &other->info;
    if (a->refine_levels > 0 || b->refine_levels > 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cloth that refines itself keeps its blueprint");
    }
    if (own->oriented || other->oriented) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a body with links or parts keeps its blueprint");
    }
    if (a->particle_count != b->particle_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the body has %d particles, not %d",
                              (int)a->particle_count, (int)b->particle_count);
    }
    if (a->region_count != b->region_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the body has %d regions, not %d",
                              (int)a->region_count, (int)b->region_count);
    }
    for (int32_t id = 0; id < a->particle_count; id++) {
        const char* how = differing(own, other, id);
        if (how) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the blueprint is not one of the same particles: %d %s", (int)id,
                                  how);
        }
    }
    if (same_surface(own, other)) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the blueprint draws another surface");
}

/* ---- The exchange ---- */

/* All that the body will be, made aside, so that taking it over cannot fail. */
typedef struct exchange {
    supi_arena scratch;
    const sup_blueprint *from, *to;
    sup_row *x, *v;     /* in the order of the new rows */
    sup_quat* rotation; /* by new cluster */
    sup_row* centre;    /* the same */
    int32_t* pin_of;    /* by id: which of the old pins it is */
    sup_point* pins;    /* owned by the body afterwards, as are */
    supi_pull* pulls;   /* these; NULL where it has none */
    supi_body lasting;  /* of it only its lasting deformation and springs, the same */
    double (*logs)[6];  /* by old cluster: logarithm of its lasting stretch */
} exchange;

static bool make_room(exchange* e, const sup_world* world, const supi_body* body) {
    const sup_allocator* allocator = world->allocator;
    const sup_blueprint* b = e->to;
    size_t rows = (size_t)b->row_count, clusters = (size_t)b->cluster_count;
    size_t pins = 2 * (size_t)b->pin_count;
    supi_arena* scratch = &e->scratch;
    e->x = supi_arena_push(scratch, rows, sizeof *e->x);
    e->v = supi_arena_push(scratch, rows, sizeof *e->v);
    e->rotation = supi_arena_push(scratch, clusters, sizeof *e->rotation);
    e->centre = supi_arena_push(scratch, clusters, sizeof *e->centre);
    e->pin_of = supi_arena_push(scratch, rows, sizeof *e->pin_of);
    if (pins) e->pins = supi_memory_new(allocator, pins, sizeof *e->pins);
    if (b->region) e->pulls = supi_memory_new(allocator, clusters, sizeof *e->pulls);
    e->logs = supi_arena_push(scratch, (size_t)e->from->cluster_count, sizeof *e->logs);
    bool lasts = (!body->plastic || supi_body_make_plastic(world, &e->lasting)) &&
                 supi_springs_make(world, &e->lasting) &&
                 (!supi_yield_has(body) || supi_yield_make(&e->lasting)) &&
                 supi_springs_equip(world, &e->lasting, &world->def.wind, &body->springs);
    return e->x && e->v && e->rotation && e->centre && e->pin_of && (e->pins || !pins) &&
           (e->pulls || !b->region) && e->logs && lasts;
}

static void give_back(exchange* e, const sup_world* world) {
    const sup_allocator* allocator = world->allocator;
    supi_body_free_plastic(world, &e->lasting);
    supi_springs_free(world, &e->lasting);
    supi_memory_free(allocator, e->pins, 2 * (size_t)e->to->pin_count, sizeof *e->pins);
    supi_memory_free(allocator, e->pulls, (size_t)e->to->cluster_count, sizeof *e->pulls);
}

/* Particles and pins in the order of the new rows; padding stays. */
static void order_rows(exchange* e, const sup_world* world, const supi_body* body) {
    const sup_blueprint *from = e->from, *to = e->to;
    int32_t pin_count = to->pin_count;
    for (int32_t r = 0; r < to->row_count; r++) {
        int32_t old = r < to->info.particle_count ? from->row_of[to->id_of[r]] : r;
        e->x[r] = world->now.x[body->row + old];
        e->v[r] = world->now.v[body->row + old];
    }
    for (int32_t i = 0; i < pin_count; i++) e->pin_of[from->id_of[from->pins[i]]] = i;
    for (int32_t i = 0; i < pin_count; i++) {
        int32_t old = e->pin_of[to->id_of[to->pins[i]]];
        e->pins[i] = body->pins[old];
        e->pins[pin_count + i] = body->pins[pin_count + old];
    }
}

/* The cluster of the old blueprint that led a row of the new one. */
static int32_t old_cluster(const exchange* e, int32_t row) {
    const sup_blueprint* from = e->from;
    return from->leader ? from->leader[from->row_of[e->to->id_of[row]]] : 0;
}

/* What has become lasting stays so: a new cluster has the mean of what its particles had. */
static void carry_lasting(exchange* e, const supi_body* body) {
    const sup_blueprint *from = e->from, *to = e->to;
    supi_yield_carry(body, &e->lasting);
    if (!body->plastic) return;
    for (int32_t c = 0; c < from->cluster_count; c++) {
        supi_plastic_log(body->plastic + c, e->logs[c]);
    }
    for (int32_t c = 0; c < to->cluster_count; c++) {
        supi_plastic *is = e->lasting.plastic + c, mean = {.since = 0.0};
        double log[6] = {0};
        supi_member_walk m = supi_members_of(to, c);
        while (supi_members_next(&m)) {
            int32_t leader = old_cluster(e, m.row);
            const supi_plastic* was = body->plastic + leader;
            double share = (double)m.w / (double)to->clusters[c].weight;
            for (int k = 0; k < 6; k++) {
                log[k] += share * e->logs[leader][k];
                mean.gathered[k] += share * was->gathered[k];
            }
            mean.since = was->since > mean.since ? was->since : mean.since;
            mean.stuck = mean.stuck || was->stuck;
        }
        supi_plastic_from_log(log, is);
        memcpy(is->gathered, mean.gathered, sizeof is->gathered);
        is->since = mean.since;
        is->stuck = mean.stuck;
    }
    supi_body_keep_plastic(&e->lasting);
}

/* S q; NULL: q */
static void stretch(const supi_plastic* lasting, const float q[3], double out[3]) {
    static const int at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    for (int k = 0; k < 3; k++) {
        out[k] = lasting ? 0.0 : (double)q[k];
        for (int i = 0; lasting && i < 3; i++) {
            out[k] += lasting->stretch[at[3 * k + i]] * (double)q[i];
        }
    }
}

/* Centre of cluster c of the new blueprint, and sum of w (x - centre) (S q)^T, S its lasting
   stretch. */
static void sum_cluster(const exchange* e, int32_t c, double centre[3], double apq[9]) {
    const sup_blueprint* b = e->to;
    supi_member_walk m = supi_members_of(b, c);
    while (supi_members_next(&m)) {
        const sup_row* x = e->x + m.row;
        double share = (double)m.w / (double)b->clusters[c].weight;
        centre[0] += share * (double)x->x;
        centre[1] += share * (double)x->y;
        centre[2] += share * (double)x->z;
    }
    m = supi_members_of(b, c);
    while (supi_members_next(&m)) {
        const sup_row* x = e->x + m.row;
        const double d[3] = {(double)x->x - centre[0], (double)x->y - centre[1],
                             (double)x->z - centre[2]};
        double q[3];
        stretch(e->lasting.plastic ? e->lasting.plastic + c : NULL, m.q, q);
        for (int k = 0; k < 9; k++) apq[k] += (double)m.w * d[k / 3] * q[k % 3];
    }
}

/* Where the cluster of the old blueprint that led a particle of cluster c, its own node or its
   first, had turned to. */
static sup_quat warm_start(const exchange* e, const sup_world* world, const supi_body* body,
                           int32_t c) {
    supi_member_walk m = supi_members_of(e->to, c);
    int32_t row = c;
    if (!e->to->lattice && supi_members_next(&m)) row = m.row;
    return world->now.rotation[body->cluster + old_cluster(e, row)];
}

/* Fits centres and rotations to the places, eight clusters at a time. */
static void fit_clusters(exchange* e, const sup_world* world, const supi_body* body) {
    int32_t count = e->to->cluster_count;
    for (int32_t first = 0; first < count; first += 8) {
        float apq[9][8] = {{0}}, turn[4][8] = {{0}};
        int32_t iterations[8];
        int32_t lanes = count - first < 8 ? count - first : 8;
        for (int32_t lane = 0; lane < lanes; lane++) {
            double centre[3] = {0, 0, 0}, sums[9] = {0};
            sum_cluster(e, first + lane, centre, sums);
            sup_quat q = warm_start(e, world, body, first + lane);
            const float start[4] = {q.x, q.y, q.z, q.w};
            for (int k = 0; k < 9; k++) apq[k][lane] = (float)sums[k];
            for (int k = 0; k < 4; k++) turn[k][lane] = start[k];
            e->centre[first + lane] =
                (sup_row){(float)centre[0], (float)centre[1], (float)centre[2], 0.0f};
        }
        world->kernels->rotate(apq, turn, iterations);
        for (int32_t lane = 0; lane < lanes; lane++) {
            e->rotation[first + lane] =
                (sup_quat){turn[0][lane], turn[1][lane], turn[2][lane], turn[3][lane]};
        }
    }
}

static void take_over(sup_world* world, supi_body* body, exchange* e, sup_blueprint* to) {
    supi_share was = supi_body_share(e->from), is = supi_body_share(to);
    supi_body_resize(world, body, &was, &is);
    /* The old arrays go by the way that they would have gone with the body. */
    exchange old = {.to = e->from, .pins = body->pins, .pulls = body->pulls, .lasting = *body};
    give_back(&old, world);
    body->plastic = e->lasting.plastic;
    body->flows = e->lasting.flows;
    body->elastic = e->lasting.elastic;
    body->depths = e->lasting.depths;
    supi_stand_free(world, body);
    sup_blueprint_release(body->blueprint);
    supi_blueprint_retain(to);
    body->blueprint = to;
    supi_overlaps_set(body, &body->overlap);
    body->pins = e->pins;
    body->pulls = e->pulls;
    body->unit = supi_body_unit(to->info.size);
    body->prepared_h = 0.0;
    supi_state* now = &world->now;
    size_t clusters = (size_t)to->cluster_count;
    memcpy(now->x + body->row, e->x, (size_t)to->row_count * sizeof *e->x);
    memcpy(now->v + body->row, e->v, (size_t)to->row_count * sizeof *e->v);
    memcpy(now->rotation + body->cluster, e->rotation, clusters * sizeof *e->rotation);
    memcpy(now->centre + body->cluster, e->centre, clusters * sizeof *e->centre);
    bool edited = body->edited;
    supi_body_edited(world, body);
    body->edited = edited; /* it is where it was */
}

/* Equal ones change hands without anything that could fail. */
static sup_result take_blueprint(sup_world* world, sup_body handle, sup_blueprint* blueprint,
                                 sup_error* error) {
    supi_body* body = supi_world_body(world, handle);
    if (blueprint == body->blueprint) return SUP_OK;
    if (supi_blueprint_equal(body->blueprint, blueprint)) {
        supi_blueprint_retain(blueprint);
        sup_blueprint_release(body->blueprint);
        body->blueprint = blueprint;
        return SUP_OK;
    }
    sup_result result = SUP_OK;
    supi_share was = supi_body_share(body->blueprint), is = supi_body_share(blueprint);
    exchange e = {.from = body->blueprint, .to = blueprint, .lasting = {.blueprint = blueprint}};
    supi_arena_init(&e.scratch, world->allocator);
    if (supi_body_reserve_change(world, &was, &is) &&
        make_room(&e, world, supi_world_body(world, handle))) {
        supi_float_mode mode = supi_float_mode_enter();
        body = supi_world_body(world, handle); /* columns may have moved */
        order_rows(&e, world, body);
        carry_lasting(&e, body);
        fit_clusters(&e, world, body);
        take_over(world, body, &e, blueprint);
        supi_float_mode_leave(mode);
    } else {
        give_back(&e, world);
        result = supi_error_memory(error);
    }
    supi_arena_free(&e.scratch);
    return result;
}

sup_result supi_body_change(sup_world* world, sup_body handle, sup_blueprint* blueprint,
                            sup_match_mode mode, sup_error* error) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!blueprint) return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no blueprint");
    if ((body->blueprint->can_tear || blueprint->can_tear) &&
        !supi_blueprint_equal(body->blueprint, blueprint)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a body that tears keeps its blueprint: it may be torn already");
    }
    if ((body->soft || blueprint->info.blob_spacing > 0) &&
        !supi_blueprint_equal(body->blueprint, blueprint)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "soft substance keeps its blueprint");
    }
    if (body->knead && !supi_blueprint_equal(body->blueprint, blueprint)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "clay keeps its blueprint");
    }
    sup_result result = SUP_OK;
    if (blueprint != body->blueprint) result = check_particles(body->blueprint, blueprint, error);
    if (result == SUP_OK) result = supi_material_check_mode(body, blueprint, mode, error);
    if (result == SUP_OK) result = supi_springs_check(&body->springs, blueprint, error);
    if (result == SUP_OK) result = take_blueprint(world, handle, blueprint, error);
    if (result == SUP_OK) supi_body_take_mode(world, supi_world_body(world, handle), mode);
    return result;
}

sup_result sup_body_set_blueprint(sup_world* world, sup_body body, sup_blueprint* blueprint,
                                  sup_error* error) {
    SUPI_NEED(error, world);
    const supi_body* found = supi_world_body(world, body);
    sup_match_mode mode = found ? found->materials[0].mode : SUP_MATCH_RIGID;
    return supi_body_change(world, body, blueprint, mode, error);
}
