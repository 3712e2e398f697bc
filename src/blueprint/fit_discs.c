/* Round parts of a rig: discs side by side, in place of the particles that were there. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/vector.h"
#include "skin/carriers.h"

#include <math.h>
#include <string.h>

#define RIM 1.05 /* of the radius, and as much beyond both ends: what is drawn there goes along */

typedef struct discs {
    double from[3], axis[3]; /* unit */
    double length, radius;   /* m */
    int32_t part, count;
    int32_t first; /* the id of the first of them */
} discs;

/* ---- What is drawn ---- */

/* Where a place is along the axis and off it, m. */
static void find_polar(const discs* d, const double place[3], double* along, double* off) {
    double away[3], square = 0.0;
    supi_vector_subtract(place, d->from, away);
    *along = supi_vector_dot(away, d->axis);
    for (int k = 0; k < 3; k++) {
        double side = away[k] - *along * d->axis[k];
        square += side * side;
    }
    *off = sqrt(square);
}

static bool is_inside(const discs* d, double along, double off) {
    double beyond = (RIM - 1.0) * d->radius;
    return off <= RIM * d->radius && along >= -beyond && along <= d->length + beyond;
}

static int32_t disc_at(const discs* d, double along) {
    double slice = floor(along / d->length * d->count);
    double last = d->count - 1;
    return (int32_t)(slice < 0.0 ? 0.0 : slice > last ? last : slice);
}

/* Squared distance from the nearest disc in its radii. */
static double disc_square(const discs* d, double along, double off) {
    double half = 0.5 * d->length / d->count, middle = half * (2 * disc_at(d, along) + 1);
    double flat = (along - middle) / half, wide = off / d->radius;
    return flat * flat + wide * wide;
}

/* Weights of a vertex: discs carry what is drawn where they are, and nothing else, however large
   they are beside the particles around. */
static int32_t paint_vertex(const discs* d, supi_carriers* others, const sup_rig* rig,
                            int32_t vertex, const sup_skin_weight* old, int32_t old_count,
                            sup_skin_weight out[SUP_SKIN_WEIGHTS]) {
    double place[3], along, off;
    supi_slot slots[SUPI_CARRIER_SLOTS];
    int32_t home, count = 0;
    supi_vector_from(rig->mesh.points + vertex, place);
    find_polar(d, place, &along, &off);
    if (is_inside(d, along, off)) {
        out[0] = (sup_skin_weight){vertex, d->first + disc_at(d, along), 1.0f};
        return 1;
    }
    memcpy(out, old, (size_t)old_count * sizeof *out);
    if (old_count > 0 || !others) return old_count;
    int32_t near = supi_carriers_nearest(others, place);
    if (disc_square(d, along, off) > supi_carriers_square(others, near, place)) return 0;
    int32_t slot_count = supi_carriers_weigh(others, place, SUPI_CARRIER_SLOTS, slots, &home);
    for (; count < slot_count; count++) {
        out[count] = (sup_skin_weight){vertex, slots[count].frame, (float)slots[count].weight};
    }
    return count;
}

/* Weights of all vertices as they will be; NULL: no memory. */
static sup_skin_weight* paint_all(const discs* d, const sup_rig* rig, const uint8_t* marks,
                                  supi_arena* scratch, int32_t* count) {
    const supi_rig_state* s = &rig->now;
    size_t room = (size_t)rig->mesh.point_count * SUP_SKIN_WEIGHTS;
    sup_skin_weight* list = supi_arena_push(scratch, room, sizeof *list);
    sup_ellipsoid* shapes = supi_arena_push(scratch, (size_t)s->particle_count, sizeof *shapes);
    supi_rig_graph graph;
    supi_carriers carriers;
    if (!list || !shapes || !supi_rig_graph_make(rig, scratch, &graph)) return NULL;
    bool any = false;
    for (int32_t i = 0; i < s->particle_count; i++) {
        if (marks[i]) shapes[i] = supi_rig_ellipsoids(rig)[i], any = true;
    }
    const supi_carriers_def def = {.count = s->particle_count,
                                   .centres = supi_rig_places(rig),
                                   .ellipsoids = shapes,
                                   .link_starts = graph.starts,
                                   .links = graph.neighbours};
    if (any && !supi_carriers_build(&def, scratch, &carriers)) return NULL;
    const sup_skin_weight *old = supi_rig_weights(rig), *end = old + s->weight_count;
    for (int32_t v = 0; v < rig->mesh.point_count; v++) {
        const sup_skin_weight* own = old;
        while (old < end && old->vertex == v) old++;
        *count += paint_vertex(d, any ? &carriers : NULL, rig, v, own, (int32_t)(old - own),
                               list + *count);
    }
    return list;
}

/* ---- Particles ---- */

/* The turn that takes z to the axis. */
static sup_quat turn_to(const double axis[3]) {
    double q[3] = {-axis[1], axis[0], 1.0 + axis[2]}; /* x, y and w */
    if (q[2] < 1e-6) q[0] = 1.0, q[1] = q[2] = 0.0;   /* straight back: half a turn about x */
    double length = supi_vector_length(q);
    return (sup_quat){(float)(q[0] / length), (float)(q[1] / length), 0.0f, (float)(q[2] / length)};
}

/* Adds them as members, each linked to the next; room is there. */
static sup_result put_discs(const discs* d, double mass, sup_rig* rig, sup_error* error) {
    float radius = (float)d->radius, half = (float)(0.5 * d->length / d->count);
    const sup_ellipsoid shape = {turn_to(d->axis), {radius, radius, half}};
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < d->count && result == SUP_OK; i++) {
        double along = d->length * (i + 0.5) / d->count, at[3];
        int32_t id = d->first + i;
        for (int k = 0; k < 3; k++) at[k] = d->from[k] + along * d->axis[k];
        supi_rig_append(rig, supi_vector_round(at[0], at[1], at[2]), 0);
        supi_rig_masses(rig)[id] = (float)(mass / d->count);
        supi_rig_ellipsoids(rig)[id] = shape;
        result = sup_rig_set_member(rig, d->part, id, true, error);
        if (i > 0 && result == SUP_OK) result = sup_rig_link(rig, id - 1, id, error);
    }
    return result;
}

/* Marks of those that stay, which are all but the members; returns the mass of these. */
static double mark_members(const sup_rig* rig, int32_t part, size_t room, uint8_t* marks) {
    const int32_t* starts = supi_rig_part_starts(rig);
    double mass = 0.0;
    memset(marks, 1, room);
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        int32_t id = supi_rig_part_members(rig)[m];
        marks[id] = 0;
        mass += (double)supi_rig_masses(rig)[id];
    }
    return mass;
}

static sup_result replace(const discs* d, sup_rig* rig, supi_arena* scratch, sup_error* error) {
    supi_rig_state* s = &rig->now;
    size_t room = (size_t)(s->particle_count + d->count);
    int32_t weight_count = 0;
    uint8_t* marks = supi_arena_push(scratch, room, 1);
    int32_t* map = supi_arena_push(scratch, room, sizeof *map);
    if (!marks || !map) return supi_error_memory(error);
    double mass = mark_members(rig, d->part, room, marks);
    const sup_skin_weight* weights = paint_all(d, rig, marks, scratch, &weight_count);
    if (!weights || !supi_rig_reserve(rig, s->particle_count + d->count, s->link_count + d->count,
                                      0, s->member_count + d->count, weight_count)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < weight_count; i++) supi_rig_weights(rig)[i] = weights[i];
    s->weight_count = weight_count;
    sup_result result = put_discs(d, mass, rig, error);
    if (result == SUP_OK) supi_rig_keep(rig, marks, map);
    return result;
}

/* ---- Checks ---- */

static sup_result check_own(const sup_rig* rig, int32_t part, sup_error* error) {
    const int32_t* starts = supi_rig_part_starts(rig);
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        int32_t id = supi_rig_part_members(rig)[m];
        if (!supi_rig_is_shared(rig, part, id)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "particle %d of part %d is in another part, too: make a part round "
                              "before it is joined",
                              (int)id, (int)part);
    }
    return SUP_OK;
}

static sup_result check_discs(const sup_rig* rig, int32_t part, const double from[3],
                              const double to[3], double radius, int32_t count, sup_error* error) {
    sup_result result = supi_rig_check_part(rig, part, error);
    if (result == SUP_OK) result = supi_rig_check_place(from, error);
    if (result == SUP_OK) result = supi_rig_check_place(to, error);
    const supi_range ranges[] = {{"the radius of discs", radius, 1e-6, 1000},
                                 {"the number of discs", count, 1, 100}};
    if (result == SUP_OK) result = supi_check_ranges(ranges, 2, error);
    if (result == SUP_OK) result = check_own(rig, part, error);
    if (result != SUP_OK) return result;
    double way[3];
    supi_vector_subtract(to, from, way);
    if (!(supi_vector_length(way) > 1e-6)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the axis of discs has no length");
    }
    if (rig->now.particle_count <= SUPI_RIG_MOST - count) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "a rig has at most a million particles");
}

sup_result sup_rig_set_discs(sup_rig* rig, int32_t part, const double from[3], const double to[3],
                             double radius, int32_t count, sup_error* error) {
    SUPI_NEED(error, rig, from, to);
    sup_result result = check_discs(rig, part, from, to, radius, count, error);
    if (result != SUP_OK) return result;
    discs d = {.radius = radius, .part = part, .count = count, .first = rig->now.particle_count};
    double way[3];
    supi_vector_subtract(to, from, way);
    d.length = supi_vector_length(way);
    for (int k = 0; k < 3; k++) {
        d.from[k] = from[k];
        d.axis[k] = way[k] / d.length;
    }
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = replace(&d, rig, &scratch, error);
    supi_arena_free(&scratch);
    return result;
}
