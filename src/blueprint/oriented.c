#include "blueprint/oriented.h"

#include "base/error.h"
#include "base/hash.h"
#include "blueprint/fit.h"
#include "contact/self_list.h"
#include "geom/quaternion.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <math.h>

/* ---- From the definition ---- */

static sup_result check_id(const sup_blueprint* b, const char* what, int32_t index, int32_t id,
                           sup_error* error) {
    if (id >= 0 && id < b->info.particle_count) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s %d names particle %d, there are %d", what,
                          (int)index, (int)id, (int)b->info.particle_count);
}

static float rest_distance(const sup_blueprint* b, int32_t from, int32_t to) {
    double p[3], q[3];
    supi_vector_from(b->rest + from, p);
    supi_vector_from(b->rest + to, q);
    supi_vector_subtract(q, p, q);
    return (float)supi_vector_length(q);
}

/* Ranges of links are looked at by whoever makes the net. */
static sup_result take_links(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (def->link_count == 0) return SUP_OK;
    b->links = supi_arena_push(&b->arena, (size_t)def->link_count, sizeof *b->links);
    if (!b->links) return supi_error_memory(error);
    b->link_count = b->info.link_count = def->link_count;
    for (int32_t i = 0; i < def->link_count; i++) {
        sup_link link = def->links[i];
        sup_result result = check_id(b, "link", i, link.a, error);
        if (result == SUP_OK) result = check_id(b, "link", i, link.b, error);
        if (result != SUP_OK) return result;
        int32_t from = b->row_of[link.a], to = b->row_of[link.b];
        link.a = from < to ? from : to;
        link.b = from < to ? to : from;
        if (link.length < 0.0f) link.length = rest_distance(b, link.a, link.b);
        b->links[i] = link;
    }
    return SUP_OK;
}

static sup_result take_parts(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (def->part_count == 0) return SUP_OK;
    int32_t last = 0;
    for (int32_t i = 0; i <= def->part_count; i++) {
        if (def->part_starts[i] < last || (i == 0 && def->part_starts[0] != 0)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "part_starts must ascend from 0");
        }
        last = def->part_starts[i];
    }
    size_t count = (size_t)def->part_count;
    b->part_starts = supi_arena_push(&b->arena, count + 1, sizeof *b->part_starts);
    b->part_members = supi_arena_push(&b->arena, (size_t)last, sizeof *b->part_members);
    if (!b->part_starts || !b->part_members) return supi_error_memory(error);
    b->part_count = b->info.part_count = def->part_count;
    for (int32_t p = 0; p < def->part_count; p++) {
        b->part_starts[p + 1] = def->part_starts[p + 1];
        for (int32_t i = def->part_starts[p]; i < def->part_starts[p + 1]; i++) {
            sup_result result = check_id(b, "part", p, def->part_members[i], error);
            if (result != SUP_OK) return result;
            b->part_members[i] = b->row_of[def->part_members[i]];
        }
    }
    return SUP_OK;
}

/* How each part is dented. */
static sup_result take_plastics(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (!def->part_plastics || !def->parts_yield || def->part_count == 0) return SUP_OK;
    b->part_plastics =
        supi_arena_push(&b->arena, (size_t)def->part_count, sizeof *b->part_plastics);
    if (!b->part_plastics) return supi_error_memory(error);
    for (int32_t p = 0; p < def->part_count; p++) {
        sup_result result = supi_rig_check_plastic(&def->part_plastics[p], error);
        if (result != SUP_OK) return result;
        b->part_plastics[p] = def->part_plastics[p];
    }
    return SUP_OK;
}

/* Unit rotation and radii in range; a sphere where the definition has none. */
static sup_result take_ellipsoid(const sup_blueprint_def* def, const sup_blueprint* b, int32_t id,
                                 sup_ellipsoid* out, sup_error* error) {
    float radius = (float)(def->radius > 0.0 ? def->radius : 0.5 * b->info.spacing);
    *out = (sup_ellipsoid){{0.0f, 0.0f, 0.0f, 1.0f}, {radius, radius, radius}};
    if (!def->ellipsoids) return SUP_OK;
    *out = def->ellipsoids[id];
    double q[4] = {(double)out->rotation.x, (double)out->rotation.y, (double)out->rotation.z,
                   (double)out->rotation.w};
    double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(squared > 1e-12 && squared < 1e12)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the ellipsoid of particle %d needs a quaternion of some length",
                              (int)id);
    }
    double scale = 1.0 / sqrt(squared);
    out->rotation = (sup_quat){(float)(scale * q[0]), (float)(scale * q[1]), (float)(scale * q[2]),
                               (float)(scale * q[3])};
    for (int k = 0; k < 3; k++) {
        if (out->radii[k] >= 0.0f && out->radii[k] <= 1e3f) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the radii of particle %d must lie between 0 and 1000 m", (int)id);
    }
    return SUP_OK;
}

/* (m/5) R diag(radii^2) R^T. */
static void second_moment(double mass, const sup_ellipsoid* e, float out[6]) {
    const double q[4] = {(double)e->rotation.x, (double)e->rotation.y, (double)e->rotation.z,
                         (double)e->rotation.w};
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    double r[9];
    supi_quaternion_matrix(q, r);
    for (int i = 0; i < 6; i++) {
        const double *a = r + 3 * pairs[i][0], *b = r + 3 * pairs[i][1];
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            double radius = (double)e->radii[k];
            sum += a[k] * b[k] * radius * radius;
        }
        out[i] = (float)(0.2 * mass * sum);
    }
}

static float largest(const float radii[3]) {
    float most = radii[0] > radii[1] ? radii[0] : radii[1];
    return most > radii[2] ? most : radii[2];
}

/* Shapes, inertias, and how far from its middle a particle meets others and colliders. */
static sup_result take_shapes(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    size_t count = (size_t)b->info.particle_count;
    b->ellipsoids = supi_arena_push(&b->arena, count, sizeof *b->ellipsoids);
    b->moments = supi_arena_push(&b->arena, 6 * count, sizeof *b->moments);
    if (!b->ellipsoids || !b->moments) return supi_error_memory(error);
    b->depth = NULL; /* their ellipsoids meet colliders */
    b->deepest = 0.0f;
    b->info.radius = 0.0;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t row = b->row_of[id];
        sup_ellipsoid* own = b->ellipsoids + row;
        sup_result result = take_ellipsoid(def, b, id, own, error);
        if (result != SUP_OK) return result;
        sup_ellipsoid inert = *own;
        float r = def->moment_radii ? def->moment_radii[id] : -1.0f;
        if (!(r <= 1e3f)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the moment radius of particle %d must be at most 1000 m",
                                  (int)id);
        }
        if (r >= 0.0f) inert = (sup_ellipsoid){{0.0f, 0.0f, 0.0f, 1.0f}, {r, r, r}};
        second_moment((double)b->mass[row], &inert, b->moments + 6 * row);
        bool meets = def->radius >= 0.0 && b->mass[row] > 0.0f;
        b->radius[row] = meets ? largest(own->radii) : 0.0f;
        if ((double)b->radius[row] > b->info.radius) b->info.radius = (double)b->radius[row];
    }
    return SUP_OK;
}

static sup_result take_stiffness(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (!def->frame_stiffness) return SUP_OK;
    size_t count = (size_t)b->info.particle_count;
    b->frame_stiffness = supi_arena_push(&b->arena, count, sizeof *b->frame_stiffness);
    if (!b->frame_stiffness) return supi_error_memory(error);
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        float w0 = def->frame_stiffness[id];
        if (!(w0 <= 1e5f)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "frame_stiffness of particle %d must be at most 1e5 rad/s",
                                  (int)id);
        }
        b->frame_stiffness[b->row_of[id]] = w0 < 0.0f ? -1.0f : w0;
    }
    return SUP_OK;
}

static sup_result take_flats(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (!def->flat_normals) return SUP_OK;
    b->flat = supi_arena_push(&b->arena, (size_t)b->info.particle_count, sizeof *b->flat);
    if (!b->flat) return supi_error_memory(error);
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        double n[3];
        supi_vector_from(def->flat_normals + id, n);
        double length = supi_vector_length(n);
        if (length == 0.0) continue;
        if (!(length > 0.99 && length < 1.01)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the flat normal of particle %d must have length 1 or 0",
                                  (int)id);
        }
        b->flat[b->row_of[id]] =
            (sup_vec3){(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
    }
    return SUP_OK;
}

/* What cannot be had together. */
static sup_result check_company(const sup_blueprint_def* def, sup_error* error) {
    const char* with = def->tears               ? "surfaces that tear"
                       : def->refine.levels > 0 ? "cloth that refines itself"
                                                : NULL;
    if (!with) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "links and parts do not go with %s", with);
}

sup_result supi_oriented_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                               sup_error* error) {
    if (def->link_count + def->part_count == 0) return SUP_OK;
    b->oriented = true;
    b->link_pin_factor = def->link_pin_factor;
    b->parts_yield = def->parts_yield;
    b->skin_slots = def->skin_slots;
    sup_result result = check_company(def, error);
    if (result == SUP_OK) result = take_links(def, b, error);
    if (result == SUP_OK) result = take_parts(def, b, error);
    if (result == SUP_OK) result = take_plastics(def, b, error);
    if (result == SUP_OK) result = take_shapes(def, b, error);
    if (result == SUP_OK) result = take_stiffness(def, b, error);
    if (result == SUP_OK) result = take_flats(def, b, error);
    return result == SUP_OK ? supi_oriented_net(b, scratch, error) : result;
}

/* Of tr(D) I - D, symmetric, xx yy zz xy xz yz; 0 where it has none. */
static supi_moments inverse_inertia(const float d[6]) {
    double trace = (double)d[0] + (double)d[1] + (double)d[2];
    double xx = trace - (double)d[0], yy = trace - (double)d[1], zz = trace - (double)d[2];
    double yz = -(double)d[3], xz = -(double)d[4], xy = -(double)d[5];
    double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    double det = xx * a + xy * b + xz * c;
    if (!(det > 0.0)) return (supi_moments){{0}};
    double s = 1.0 / det;
    return (supi_moments){{(float)(s * a), (float)(s * (xx * zz - xz * xz)),
                           (float)(s * (xx * yy - xy * xy)), (float)(s * b), (float)(s * c),
                           (float)(s * (xy * xz - xx * yz))}};
}

/* Who is linked to whom, as lists by row. */
static bool list_joined(sup_blueprint* b) {
    size_t rows = (size_t)b->info.particle_count;
    int32_t* starts = supi_arena_push(&b->arena, rows + 1, sizeof *starts);
    int32_t* joined = supi_arena_push(&b->arena, 2 * (size_t)b->link_count, sizeof *joined);
    if (!starts || !joined) return false;
    for (int32_t i = 0; i < b->link_count; i++) {
        starts[b->links[i].a + 1]++;
        starts[b->links[i].b + 1]++;
    }
    for (size_t r = 0; r < rows; r++) starts[r + 1] += starts[r];
    for (int32_t i = 0; i < b->link_count; i++) {
        joined[starts[b->links[i].a]++] = b->links[i].b;
        joined[starts[b->links[i].b]++] = b->links[i].a;
    }
    for (size_t r = rows; r > 0; r--) starts[r] = starts[r - 1];
    starts[0] = 0;
    b->self = (supi_self){.rest = b->rest, .joined = joined, .joined_starts = starts};
    if (b->part_count == 0) return true;
    b->self.parts = b->frames.row_parts;
    b->self.part_starts = b->frames.row_part_starts;
    return true;
}

/* How much smaller shapes count that overlap at rest: once for all bodies, where these are small.
 */
static bool find_scales(sup_blueprint* b) {
    const supi_run run = {
        .count = b->info.particle_count, .oriented = &b->shapes, .self = &b->self};
    if (!supi_close_fits(&run)) return true;
    size_t count = (size_t)(run.count * supi_close_stride(run.count));
    float* scales = supi_arena_push(&b->arena, count, sizeof *scales);
    if (!scales) return false;
    supi_self_scales(&run, NULL, scales);
    b->self.scales = scales;
    return true;
}

/* What hangs together by links, parts, clusters or springs goes as a whole where contacts move it
   without speed: else what holds it together would make the speed. What is pinned cannot go. */
static bool find_pieces(sup_blueprint* b, supi_arena* scratch) {
    int32_t count = b->info.particle_count;
    int32_t* piece = supi_arena_push(&b->arena, (size_t)count, sizeof *piece);
    int32_t* root = supi_arena_push(scratch, (size_t)count, sizeof *root);
    int32_t* number = supi_arena_push(scratch, (size_t)count, sizeof *number);
    if (!piece || !root || !number) return false;
    for (int32_t r = 0; r < count; r++) root[r] = r;
    for (int32_t i = 0; i < b->link_count; i++) {
        supi_union_join(root, b->links[i].a, b->links[i].b);
    }
    for (int32_t i = 0; i < b->part_count; i++) {
        for (int32_t k = b->part_starts[i] + 1; k < b->part_starts[i + 1]; k++) {
            supi_union_join(root, b->part_members[k - 1], b->part_members[k]);
        }
    }
    for (int32_t r = 1; r < count && (!b->loose || b->spring_count > 0); r++) {
        supi_union_join(root, r - 1, r);
    }
    for (int32_t r = 0; r < count; r++) number[r] = -1;
    for (int32_t r = 0; r < count; r++) { /* from the second of its rows on it is a piece */
        int32_t lead = supi_union_root(root, r);
        if (lead != r && number[lead] < 0) number[lead] = b->piece_count++;
    }
    for (int32_t i = 0; i < b->pin_count; i++) number[supi_union_root(root, b->pins[i])] = -1;
    for (int32_t r = 0; r < count; r++) piece[r] = number[supi_union_root(root, r)];
    b->shapes.piece = piece;
    return true;
}

/* What contacts do to a particle: groups turn their members anyway. */
static uint8_t flags_of(const sup_blueprint* b, int32_t row) {
    bool grouped = b->frames.group_of[row] >= 0;
    bool part = b->frames.row_part_starts[row + 1] > b->frames.row_part_starts[row];
    const sup_vec3* flat = b->flat ? b->flat + row : NULL;
    bool outer = flat && (flat->x != 0.0f || flat->y != 0.0f || flat->z != 0.0f);
    return (uint8_t)((part || !grouped ? SUPI_TIPS | SUPI_ROLLS : 0) | (outer ? SUPI_FLAT : 0));
}

/* Its particles as contacts see them. */
static bool make_shapes(sup_blueprint* b, supi_arena* scratch) {
    size_t rows = (size_t)b->info.particle_count;
    sup_quat* axes = supi_arena_push(&b->arena, rows, sizeof *axes);
    sup_row* radii = supi_arena_push(&b->arena, rows, sizeof *radii);
    supi_moments* inertia = supi_arena_push(&b->arena, rows, sizeof *inertia);
    uint8_t* flags = supi_arena_push(&b->arena, rows, sizeof *flags);
    if (!axes || !radii || !inertia || !flags) return false;
    b->shapes = (supi_oriented){
        .axes = axes, .radii = radii, .inertia = inertia, .flags = flags, .flat = b->flat};
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const sup_ellipsoid* e = b->ellipsoids + r;
        axes[r] = e->rotation;
        radii[r] = (sup_row){e->radii[0], e->radii[1], e->radii[2], 0.0f};
        if (b->inverse_mass[r] > 0.0f) inertia[r] = inverse_inertia(b->moments + 6 * r);
        flags[r] = flags_of(b, r);
        float most = largest(e->radii);
        if (most > b->shapes.reach) b->shapes.reach = most;
    }
    return find_pieces(b, scratch) && list_joined(b) && find_scales(b);
}

sup_result supi_oriented_net(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    const supi_frame_source source = {.particle_count = b->info.particle_count,
                                      .row_count = b->row_count,
                                      .mass = b->mass,
                                      .inverse_mass = b->inverse_mass,
                                      .rest = b->rest,
                                      .moment = (const float(*)[6])b->moments,
                                      .link_count = b->link_count,
                                      .links = b->links,
                                      .part_count = b->part_count,
                                      .part_starts = b->part_starts,
                                      .part_members = b->part_members,
                                      .pin_factor = (float)b->link_pin_factor,
                                      .yields = b->parts_yield};
    sup_result result = supi_frame_net_build(&source, &b->arena, scratch, &b->frames, error);
    if (result == SUP_OK && !make_shapes(b, scratch)) result = supi_error_memory(error);
    return result;
}

uint64_t supi_oriented_hash(const sup_blueprint* b, uint64_t hash) {
    size_t rows = (size_t)b->info.particle_count;
    hash = supi_hash_double(hash, b->link_pin_factor);
    hash = supi_hash_word(hash, b->parts_yield);
    for (int32_t i = 0; i < b->link_count; i++) {
        const sup_link* l = b->links + i;
        const float numbers[4] = {l->length, l->compliance, l->damping, l->torsion};
        hash = supi_hash_word(hash, (uint64_t)l->a << 32 | (uint64_t)l->b);
        hash = supi_hash_floats(hash, numbers, 4);
    }
    for (int32_t i = 0; i <= b->part_count && b->part_starts; i++) {
        hash = supi_hash_word(hash, (uint64_t)b->part_starts[i]);
    }
    for (int32_t i = 0; i < supi_oriented_member_count(b); i++) {
        hash = supi_hash_word(hash, (uint64_t)b->part_members[i]);
    }
    if (b->part_plastics) {
        hash = supi_hash_floats(hash, &b->part_plastics->speed, 5 * (size_t)b->part_count);
    }
    hash = supi_hash_floats(hash, &b->ellipsoids->rotation.x, 7 * rows);
    hash = supi_hash_floats(hash, b->moments, 6 * rows);
    if (b->frame_stiffness) hash = supi_hash_floats(hash, b->frame_stiffness, rows);
    if (b->flat) hash = supi_hash_floats(hash, &b->flat->x, 3 * rows);
    return hash;
}
