/* Joints of a rig: particles that parts turn on. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/point_tree.h"
#include "geom/vector.h"

#include <math.h>

#define JOINT_RADIUS                                                                               \
    0.1 /* of the spacing: small, so that a joint neither touches nor carries skin */
#define JOINT_SHARE                                                                                \
    0.2f              /* of the mass of those it is linked to: light joints hold soft parts ill */
enum { NEAREST = 4 }; /* of each part that a joint is linked to */

/* A link from one part to the other would hold the joint fast. */
static void cut_links(sup_rig* rig, int32_t a, int32_t b) {
    sup_link* links = supi_rig_links(rig);
    int32_t kept = 0;
    for (int32_t i = 0; i < rig->now.link_count; i++) {
        const sup_link* l = links + i;
        bool in_a[2] = {supi_rig_is_member(rig, a, l->a), supi_rig_is_member(rig, a, l->b)};
        bool in_b[2] = {supi_rig_is_member(rig, b, l->a), supi_rig_is_member(rig, b, l->b)};
        bool together = (in_a[0] && in_a[1]) || (in_b[0] && in_b[1]);
        bool across = (in_a[0] && in_b[1]) || (in_b[0] && in_a[1]);
        if (together || !across) links[kept++] = *l;
    }
    rig->now.link_count = kept;
}

/* The particle of a part that is nearest to the last one, which is new, and is not linked to it
   yet (`taken`); -1: there is none. Joints give no hold to each other. */
static int32_t find_nearest(const sup_rig* rig, int32_t part, const int32_t* taken,
                            int32_t taken_count) {
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    const sup_vec3* places = supi_rig_places(rig);
    double at[3], least = INFINITY;
    int32_t best = -1;
    supi_vector_from(places + rig->now.particle_count - 1, at);
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        bool out = supi_rig_is_shared(rig, part, members[m]);
        for (int32_t k = 0; k < taken_count; k++) out = out || taken[k] == members[m];
        double square = supi_point_square(places + members[m], at);
        if (!out && square < least) least = square, best = members[m];
    }
    return best;
}

/* Links the last particle, which is new, to some of a part, which give it a share of their mass. */
static sup_result hold_joint(sup_rig* rig, int32_t part, sup_error* error) {
    int32_t id = rig->now.particle_count - 1, taken[NEAREST];
    float* masses = supi_rig_masses(rig);
    for (int32_t n = 0; n < NEAREST; n++) {
        int32_t other = find_nearest(rig, part, taken, n);
        if (other < 0) break;
        sup_result result = sup_rig_link(rig, other, id, error); /* room is there */
        if (result != SUP_OK) return result;
        float share = JOINT_SHARE * masses[other];
        masses[other] -= share;
        masses[id] += share;
        taken[n] = other;
    }
    return SUP_OK;
}

/* Has the part a particle that is in no other? */
static bool has_own(const sup_rig* rig, int32_t part) {
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    for (int32_t m = starts[part]; m < starts[part + 1]; m++) {
        if (!supi_rig_is_shared(rig, part, members[m])) return true;
    }
    return false;
}

static sup_result check_joint(const sup_rig* rig, int32_t a, int32_t b, const double place[3],
                              sup_error* error) {
    sup_result result = supi_rig_check_part(rig, a, error);
    if (result == SUP_OK) result = supi_rig_check_part(rig, b, error);
    if (result == SUP_OK) result = supi_rig_check_place(place, error);
    if (result != SUP_OK) return result;
    if (a == b) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "part %d cannot be joined to itself",
                              (int)a);
    }
    if (!has_own(rig, a) || !has_own(rig, b)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "part %d has no particle of its own that a joint could hold to",
                              (int)(has_own(rig, a) ? b : a));
    }
    if (rig->now.particle_count < SUPI_RIG_MOST) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "a rig has at most a million particles");
}

sup_result sup_rig_add_joint(sup_rig* rig, int32_t a, int32_t b, const double place[3],
                             int32_t* particle, sup_error* error) {
    SUPI_NEED(error, rig, place);
    sup_result result = check_joint(rig, a, b, place, error);
    if (result != SUP_OK) return result;
    supi_rig_state* s = &rig->now;
    double spacing;
    if (!supi_rig_spacing(rig, &spacing) ||
        !supi_rig_reserve(rig, s->particle_count + 1, s->link_count + 2 * NEAREST, 0,
                          s->member_count + 2, 0)) {
        return supi_error_memory(error);
    }
    int32_t id = s->particle_count;
    cut_links(rig, a, b);
    supi_rig_append(rig, supi_vector_round(place[0], place[1], place[2]), 0);
    float radius = (float)(JOINT_RADIUS * spacing);
    supi_rig_ellipsoids(rig)[id] = (sup_ellipsoid){{0, 0, 0, 1}, {radius, radius, radius}};
    result = hold_joint(rig, a, error);
    if (result == SUP_OK) result = hold_joint(rig, b, error);
    if (result == SUP_OK) result = sup_rig_set_member(rig, a, id, true, error);
    if (result == SUP_OK) result = sup_rig_set_member(rig, b, id, true, error);
    if (result == SUP_OK && particle) *particle = id;
    return result;
}
