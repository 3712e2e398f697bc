/* Mirror: one side of a rig is replaced by the image of the other. It works on a copy of the state,
   so that nothing is half done. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/eigen.h"
#include "geom/quaternion.h"
#include "geom/rotation.h"
#include "geom/sites.h"
#include "geom/sort.h"
#include "geom/vector.h"

#include <math.h>

#define ON_PLANE 0.25 /* of the spacing: nearer particles are put on the plane */
#define TWIN 0.75     /* of the spacing: so far may the image of a linked particle be off */

typedef struct job {
    sup_rig* rig;
    double point[3], normal[3];
    double spacing, tolerance; /* m */
    supi_arena scratch;
    uint8_t* marks;  /* kept (particle_count before) */
    int32_t* map;    /* ids before to ids of the kept */
    uint8_t* both;   /* by part that is left: it had members on both sides */
    int32_t* images; /* by kept particle: its image, itself on the plane */
    int32_t kept;
    int32_t crossing_count;
    sup_link* crossing; /* from a kept particle to the twin of the other, by ids before */
} job;

static double height_of(const job* j, const sup_vec3* place) {
    double x[3], away[3];
    supi_vector_from(place, x);
    supi_vector_subtract(x, j->point, away);
    return supi_vector_dot(away, j->normal);
}

/* A place moved along the normal. */
static sup_vec3 shifted(const job* j, const sup_vec3* place, double way) {
    double x[3];
    supi_vector_from(place, x);
    for (int k = 0; k < 3; k++) x[k] += way * j->normal[k];
    return supi_vector_round(x[0], x[1], x[2]);
}

static sup_vec3 image_of(const job* j, const sup_vec3* place) {
    return shifted(j, place, -2.0 * height_of(j, place));
}

/* ---- Before: who stays, and what leads across ---- */

/* The kept particle whose image is nearest to a place beyond, -1: none is near. */
static int32_t find_twin(const job* j, const sup_vec3* beyond) {
    const sup_rig* rig = j->rig;
    sup_vec3 here = image_of(j, beyond);
    double x[3], best = TWIN * TWIN * j->spacing * j->spacing;
    int32_t twin = -1;
    supi_vector_from(&here, x);
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        double square = j->marks[i] ? supi_point_square(&supi_rig_places(rig)[i], x) : INFINITY;
        if (square < best) best = square, twin = i;
    }
    return twin;
}

static void mark_sides(job* j) {
    const sup_rig* rig = j->rig;
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        j->marks[i] = height_of(j, &supi_rig_places(rig)[i]) >= -j->tolerance;
    }
    int32_t left = 0;
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        bool here = false, there = false;
        for (int32_t m = starts[p]; m < starts[p + 1]; m++) {
            here = here || j->marks[members[m]];
            there = there || !j->marks[members[m]];
        }
        if (here) j->both[left++] = there;
    }
}

static void find_crossing(job* j) {
    const sup_rig* rig = j->rig;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        sup_link link = supi_rig_links(rig)[i];
        if (j->marks[link.a] == j->marks[link.b]) continue;
        int32_t here = j->marks[link.a] ? link.a : link.b;
        int32_t there = j->marks[link.a] ? link.b : link.a;
        int32_t twin = find_twin(j, &supi_rig_places(rig)[there]);
        if (twin < 0) continue;
        link.a = here, link.b = twin;
        j->crossing[j->crossing_count++] = link;
    }
}

/* ---- Particles ---- */

/* The part of an ellipsoid that is the same on both sides of the plane. */
static sup_ellipsoid symmetric(const job* j, const sup_ellipsoid* given) {
    const sup_quat* turn = &given->rotation;
    double q[4] = {(double)turn->x, (double)turn->y, (double)turn->z, (double)turn->w};
    double axes[9], m[9] = {0}, values[3], vectors[9];
    supi_quaternion_matrix(q, axes);
    for (int a = 0; a < 3; a++) {
        double axis[3] = {axes[a], axes[3 + a], axes[6 + a]}, other[3];
        double along = supi_vector_dot(axis, j->normal);
        for (int k = 0; k < 3; k++) other[k] = axis[k] - 2.0 * along * j->normal[k];
        double r = (double)given->radii[a];
        for (int i = 0; i < 9; i++) {
            m[i] += 0.5 * r * r * (axis[i / 3] * axis[i % 3] + other[i / 3] * other[i % 3]);
        }
    }
    supi_eigen_symmetric(3, m, values, vectors);
    supi_vector_cross(vectors, vectors + 3, vectors + 6);
    float columns[9], rotation[4] = {turn->x, turn->y, turn->z, turn->w};
    for (int i = 0; i < 9; i++) columns[i] = (float)vectors[3 * (i % 3) + i / 3];
    supi_rotation_cold(columns, rotation);
    sup_ellipsoid even = {.rotation = {rotation[0], rotation[1], rotation[2], rotation[3]}};
    for (int k = 0; k < 3; k++) even.radii[k] = (float)sqrt(values[k] > 0.0 ? values[k] : 0.0);
    return even;
}

static void put_on_plane(job* j, int32_t id) {
    sup_rig* rig = j->rig;
    sup_ellipsoid* ellipsoid = &supi_rig_ellipsoids(rig)[id];
    sup_vec3 *normals = rig->now.normals.items, *place = &supi_rig_places(rig)[id];
    *place = shifted(j, place, -height_of(j, place));
    bool round =
        ellipsoid->radii[0] == ellipsoid->radii[1] && ellipsoid->radii[1] == ellipsoid->radii[2];
    if (!round) *ellipsoid = symmetric(j, ellipsoid);
    double n[3];
    supi_vector_from(&normals[id], n);
    double along = supi_vector_dot(n, j->normal);
    for (int k = 0; k < 3; k++) n[k] -= along * j->normal[k];
    double length = supi_vector_length(n);
    normals[id] = length > 0.5 ? supi_vector_round(n[0] / length, n[1] / length, n[2] / length)
                               : (sup_vec3){0, 0, 0};
}

/* A half turn about the normal of the plane does to the axes what the mirror does, but for their
   signs, which an ellipsoid does not have. */
static sup_quat turn_round(const job* j, const sup_quat* turn) {
    double half[4] = {j->normal[0], j->normal[1], j->normal[2], 0.0}, out[4];
    double q[4] = {(double)turn->x, (double)turn->y, (double)turn->z, (double)turn->w};
    supi_quaternion_product(half, q, out);
    return (sup_quat){(float)out[0], (float)out[1], (float)out[2], (float)out[3]};
}

static void append_image(job* j, int32_t id) {
    sup_rig* rig = j->rig;
    float* stiffness = rig->now.stiffness.items;
    sup_vec3* normals = rig->now.normals.items;
    int32_t image = rig->now.particle_count;
    supi_rig_append(rig, image_of(j, &supi_rig_places(rig)[id]), supi_rig_flags(rig)[id]);
    supi_rig_masses(rig)[image] = supi_rig_masses(rig)[id];
    sup_ellipsoid ellipsoid = supi_rig_ellipsoids(rig)[id];
    ellipsoid.rotation = turn_round(j, &ellipsoid.rotation);
    supi_rig_ellipsoids(rig)[image] = ellipsoid;
    supi_rig_turn_radii(rig)[image] = supi_rig_turn_radii(rig)[id];
    stiffness[image] = stiffness[id];
    double n[3];
    supi_vector_from(&normals[id], n);
    double along = supi_vector_dot(n, j->normal);
    for (int k = 0; k < 3; k++) n[k] -= 2.0 * along * j->normal[k];
    normals[image] = supi_vector_round(n[0], n[1], n[2]);
    j->images[id] = image;
}

static void make_images(job* j) {
    for (int32_t i = 0; i < j->kept; i++) {
        j->images[i] = i;
        if (height_of(j, &supi_rig_places(j->rig)[i]) <= j->tolerance)
            put_on_plane(j, i);
        else
            append_image(j, i);
    }
}

/* ---- Links, parts, weights ---- */

static bool mirror_links(job* j) {
    sup_rig* rig = j->rig;
    int32_t count = rig->now.link_count, used = count;
    size_t room = 2 * ((size_t)count + (size_t)j->crossing_count);
    sup_link* links = supi_arena_push(&j->scratch, room, sizeof *links);
    if (!links) return false;
    for (int32_t i = 0; i < count; i++) {
        sup_link link = links[i] = supi_rig_links(rig)[i];
        link.a = j->images[link.a], link.b = j->images[link.b];
        links[used++] = link;
    }
    for (int32_t i = 0; i < j->crossing_count; i++) {
        sup_link link = j->crossing[i];
        int32_t a = j->map[link.a], b = j->map[link.b];
        link.a = a, link.b = j->images[b];
        if (link.a != link.b) links[used++] = link;
        link.a = j->images[a], link.b = b;
        if (link.a != link.b) links[used++] = link;
    }
    return supi_rig_reserve(rig, 0, used, 0, 0, 0) && supi_rig_put_links(rig, used, links);
}

/* Members of a part and their images, ascending and once each, or the images alone. */
static void put_part(job* j, int32_t part, bool own, uint8_t* chosen) {
    supi_rig_state* s = &j->rig->now;
    int32_t *starts = supi_rig_part_starts(j->rig), *members = supi_rig_part_members(j->rig);
    for (int32_t i = 0; i < s->particle_count; i++) chosen[i] = 0;
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        chosen[j->images[members[m]]] = 1;
        if (own) chosen[members[m]] = 1;
    }
    for (int32_t i = 0; i < s->particle_count; i++) {
        if (chosen[i]) members[s->member_count++] = i;
    }
    sup_rig_plastic* plastics = s->plastics.items;
    plastics[s->part_count] = plastics[part];
    starts[++s->part_count] = s->member_count;
}

static bool lies_on_plane(const job* j, int32_t part) {
    const int32_t *starts = supi_rig_part_starts(j->rig), *members = supi_rig_part_members(j->rig);
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        if (j->images[members[m]] != members[m]) return false;
    }
    return true;
}

/* The new list is made behind the old one, which then goes. */
static bool mirror_parts(job* j) {
    sup_rig* rig = j->rig;
    supi_rig_state* s = &rig->now;
    int32_t parts = s->part_count, members = s->member_count;
    uint8_t* chosen = supi_arena_push(&j->scratch, (size_t)s->particle_count, 1);
    if (!chosen || !supi_rig_reserve(rig, 0, 0, 3 * parts, 3 * members, 0)) return false;
    for (int32_t p = 0; p < parts; p++) {
        int32_t *starts = supi_rig_part_starts(rig), *list = supi_rig_part_members(rig);
        sup_rig_plastic* plastics = s->plastics.items;
        if (j->both[p]) {
            put_part(j, p, true, chosen);
            continue;
        }
        for (int32_t m = starts[p]; m < starts[p + 1]; m++) list[s->member_count++] = list[m];
        plastics[s->part_count] = plastics[p];
        starts[++s->part_count] = s->member_count;
    }
    for (int32_t p = 0; p < parts; p++) {
        if (!j->both[p] && !lies_on_plane(j, p)) put_part(j, p, false, chosen);
    }
    int32_t *starts = supi_rig_part_starts(rig), *list = supi_rig_part_members(rig);
    sup_rig_plastic* plastics = s->plastics.items;
    for (int32_t m = members; m < s->member_count; m++) list[m - members] = list[m];
    for (int32_t p = parts; p < s->part_count; p++) {
        plastics[p - parts] = plastics[p];
        starts[p - parts + 1] = starts[p + 1] - members;
    }
    s->part_count -= parts;
    s->member_count -= members;
    return true;
}

/* Edits of vertices beyond the plane are replaced by those of the vertices they are images of. */
static bool mirror_weights(job* j) {
    sup_rig* rig = j->rig;
    int32_t count = rig->now.weight_count, used = 0, guess = 0;
    if (count == 0) return true;
    double slack = 1e-4 * rig->shape.size;
    size_t room = 2 * (size_t)count;
    sup_skin_weight* list = supi_arena_push(&j->scratch, room, sizeof *list);
    uint64_t* keys = supi_arena_push(&j->scratch, 2 * room, sizeof *keys);
    int32_t* ids = supi_arena_push(&j->scratch, 2 * room, sizeof *ids);
    supi_sites sites;
    if (!list || !keys || !ids ||
        !supi_sites_build(&j->scratch, rig->mesh.point_count, rig->mesh.points, &sites) ||
        !supi_rig_reserve(rig, 0, 0, 0, 0, (int32_t)room)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        sup_skin_weight weight = supi_rig_weights(rig)[i];
        double height = height_of(j, &rig->mesh.points[weight.vertex]), x[3], square;
        if (height < -slack) continue;
        list[used++] = weight;
        sup_vec3 beyond = image_of(j, &rig->mesh.points[weight.vertex]);
        supi_vector_from(&beyond, x);
        weight.vertex = supi_sites_nearest(&sites, x, &guess, &square);
        weight.particle = j->images[weight.particle];
        if (height > slack && square <= slack * slack) list[used++] = weight;
    }
    for (int32_t i = 0; i < used; i++) {
        keys[i] = (uint64_t)list[i].vertex << 32 | (uint64_t)list[i].particle;
        ids[i] = i;
    }
    supi_sort_keys(used, keys, ids, keys + room, ids + room);
    int32_t kept = 0;
    for (int32_t i = 0; i < used; i++) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        supi_rig_weights(rig)[kept++] = list[ids[i]];
    }
    rig->now.weight_count = kept;
    return true;
}

/* ---- The whole ---- */

static bool mirror(job* j) {
    sup_rig* rig = j->rig;
    size_t count = (size_t)rig->now.particle_count;
    j->marks = supi_arena_push(&j->scratch, count, 1);
    j->map = supi_arena_push(&j->scratch, count, sizeof *j->map);
    j->both = supi_arena_push(&j->scratch, (size_t)rig->now.part_count, 1);
    j->images = supi_arena_push(&j->scratch, 2 * count, sizeof *j->images);
    j->crossing = supi_arena_push(&j->scratch, (size_t)rig->now.link_count, sizeof *j->crossing);
    if (!j->marks || !j->map || !j->both || !j->images || !j->crossing) return false;
    mark_sides(j);
    find_crossing(j);
    supi_rig_keep(rig, j->marks, j->map);
    j->kept = rig->now.particle_count;
    if (!supi_rig_reserve(rig, 2 * j->kept, 0, 0, 0, 0)) return false;
    make_images(j);
    supi_rig_list_pins(rig);
    return mirror_links(j) && mirror_parts(j) && mirror_weights(j);
}

sup_result sup_rig_mirror(sup_rig* rig, const double point[3], const double normal[3],
                          sup_error* error) {
    SUPI_NEED(error, rig, point, normal);
    sup_result result = supi_rig_check_place(point, error);
    double length = supi_vector_length(normal);
    if (result == SUP_OK && !(length > 1e-30 && length < 1e30)) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the normal of a mirror has no direction");
    }
    if (result == SUP_OK && rig->now.particle_count > SUPI_RIG_MOST / 2) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "a rig has at most a million particles");
    }
    if (result != SUP_OK) return result;
    job j = {.rig = rig};
    for (int k = 0; k < 3; k++) j.point[k] = point[k], j.normal[k] = normal[k] / length;
    supi_rig_state before;
    if (!supi_rig_spacing(rig, &j.spacing) ||
        !supi_rig_state_copy(rig->allocator, &rig->now, &before)) {
        return supi_error_memory(error);
    }
    j.tolerance = ON_PLANE * j.spacing;
    supi_arena_init(&j.scratch, rig->allocator);
    bool done = mirror(&j);
    supi_arena_free(&j.scratch);
    if (!done) {
        supi_rig_state after = rig->now;
        rig->now = before;
        before = after;
    }
    supi_rig_state_free(rig->allocator, &before);
    return done ? SUP_OK : supi_error_memory(error);
}
