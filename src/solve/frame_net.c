/* Making a net of oriented particles: what it is made of is looked at, then put in order. */
#include "base/error.h"
#include "geom/eigen.h"
#include "geom/sort.h"
#include "geom/vector.h"
#include "solve/frame_build.h"

#include <string.h>

#define FAR 1e8f /* m: bodies are smaller */

static bool finite(float a) { return a > -3e38f && a < 3e38f; }

/* ---- Looking ---- */

static sup_result check_counts(const supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    if (s->particle_count < 1 || s->row_count != ((s->particle_count + 7) & ~7)) {
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "there cannot be %d oriented particles",
                              (int)s->particle_count);
    }
    if (s->link_count < 0 || s->part_count < 0) {
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "there cannot be %d %s",
                              (int)(s->link_count < 0 ? s->link_count : s->part_count),
                              s->link_count < 0 ? "links" : "parts");
    }
    if (!(s->pin_factor >= 1.0f && s->pin_factor <= 1e3f)) {
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "pin_factor is not within 1..1000");
    }
    return SUP_OK;
}

static sup_result check_rows(const supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    for (int32_t i = 0; i < s->particle_count; i++) {
        const sup_vec3* p = s->rest + i;
        bool placed =
            p->x > -FAR && p->x < FAR && p->y > -FAR && p->y < FAR && p->z > -FAR && p->z < FAR;
        bool weighed = s->mass[i] >= 0.0f && finite(s->mass[i]) && s->inverse_mass[i] >= 0.0f &&
                       finite(s->inverse_mass[i]);
        bool shaped = true;
        for (int k = 0; s->moment && k < 6; k++) {
            float m = s->moment[i][k];
            shaped = shaped && finite(m) && (k > 2 || m >= 0.0f);
        }
        if (placed && weighed && shaped) continue;
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "an oriented particle has a bad %s",
                              !placed ? "place" : (weighed ? "moment" : "mass"));
    }
    return SUP_OK;
}

static sup_result check_link(const supi_frame_builder* b, int32_t i) {
    const sup_link* l = b->source->links + i;
    int32_t most = b->source->particle_count;
    const char* bad = NULL;
    if (l->a < 0 || l->b < 0 || l->a >= most || l->b >= most)
        bad = "joins a particle that is not";
    else if (l->a == l->b)
        bad = "joins a particle to itself";
    else if (!finite(l->length) || l->length > FAR)
        bad = "has a bad length";
    else if (!(l->compliance >= 0.0f) || !finite(l->compliance))
        bad = "has a bad compliance";
    else if (!(l->damping >= 0.0f) || !finite(l->damping))
        bad = "has a bad damping";
    else if (!finite(l->torsion))
        bad = "has a bad torsion";
    if (!bad) return SUP_OK;
    return supi_error_set(b->error, SUP_BAD_ARGUMENT, "link %d %s", (int)i, bad);
}

/* ---- Links ---- */

static float length_between(const sup_vec3* a, const sup_vec3* b) {
    double p[3], q[3], d[3];
    supi_vector_from(a, p);
    supi_vector_from(b, q);
    supi_vector_subtract(p, q, d);
    return (float)supi_vector_length(d);
}

/* No two links join the same two particles. */
static sup_result check_doubles(const supi_frame_builder* b) {
    size_t count = (size_t)b->source->link_count;
    uint64_t* keys = supi_arena_push(b->scratch, 2 * count, sizeof *keys);
    int32_t* ids = supi_arena_push(b->scratch, 2 * count, sizeof *ids);
    if (!keys || !ids) return supi_error_memory(b->error);
    for (size_t i = 0; i < count; i++) {
        const sup_link* l = b->source->links + i;
        int32_t low = l->a < l->b ? l->a : l->b, high = l->a < l->b ? l->b : l->a;
        keys[i] = (uint64_t)low << 32 | (uint64_t)high;
        ids[i] = (int32_t)i;
    }
    supi_sort_keys((int32_t)count, keys, ids, keys + count, ids + count);
    for (size_t i = 1; i < count; i++) {
        if (keys[i] != keys[i - 1]) continue;
        return supi_error_set(b->error, SUP_BAD_ARGUMENT, "link %d joins what link %d joins",
                              (int)ids[i], (int)ids[i - 1]);
    }
    return SUP_OK;
}

static sup_result take_links(supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    sup_link* links = supi_arena_push(b->arena, (size_t)s->link_count, sizeof *links);
    if (!links) return supi_error_memory(b->error);
    for (int32_t i = 0; i < s->link_count; i++) {
        sup_result result = check_link(b, i);
        if (result != SUP_OK) return result;
        links[i] = s->links[i];
        if (links[i].length >= 0.0f) continue;
        links[i].length = length_between(s->rest + links[i].a, s->rest + links[i].b);
    }
    b->net->link_count = s->link_count;
    b->net->links = links;
    return check_doubles(b);
}

/* Rows that links join to a row, in the order of the links. */
static bool join_rows(supi_frame_builder* b) {
    const supi_frame_net* net = b->net;
    size_t rows = (size_t)net->row_count;
    int32_t* starts = supi_arena_push(b->arena, rows + 1, sizeof *starts);
    int32_t* others = supi_arena_push(b->arena, 2 * (size_t)net->link_count, sizeof *others);
    int32_t* next = supi_arena_push(b->scratch, rows + 1, sizeof *next);
    if (!starts || !others || !next) return false;
    for (int32_t i = 0; i < net->link_count; i++) {
        starts[net->links[i].a + 1]++;
        starts[net->links[i].b + 1]++;
    }
    for (size_t i = 0; i < rows; i++) starts[i + 1] += starts[i];
    memcpy(next, starts, (rows + 1) * sizeof *next);
    for (int32_t i = 0; i < net->link_count; i++) {
        others[next[net->links[i].a]++] = net->links[i].b;
        others[next[net->links[i].b]++] = net->links[i].a;
    }
    b->net->neighbour_starts = starts;
    b->net->neighbours = others;
    return true;
}

/* ---- Rows ---- */

typedef float moment6[6];

static bool take_rows(supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    supi_frame_net* net = b->net;
    size_t rows = (size_t)s->row_count;
    float* mass = supi_arena_push(b->arena, rows, sizeof *mass);
    float* inverse = supi_arena_push(b->arena, rows, sizeof *inverse);
    float* pin_factor = supi_arena_push(b->arena, rows, sizeof *pin_factor);
    sup_vec3* place = supi_arena_push(b->arena, rows, sizeof *place);
    net->rest.rows = supi_arena_push(b->arena, rows / 8, sizeof *net->rest.rows);
    if (!mass || !inverse || !pin_factor || !place || !net->rest.rows) return false;
    for (int32_t i = 0; i < s->row_count; i++) {
        bool real = i < s->particle_count;
        mass[i] = real ? s->mass[i] : 0.0f;
        inverse[i] = real ? s->inverse_mass[i] : 0.0f;
        place[i] = s->rest[real ? i : 0];
        bool pinned = real && mass[i] > 0.0f && !(inverse[i] > 0.0f);
        pin_factor[i] = pinned ? s->pin_factor : 1.0f;
        net->pinned = net->pinned || pinned;
        supi_frame_rows8* eight = net->rest.rows + i / 8;
        eight->follows[supi_lane_order(i & 7)] = real && !(mass[i] > 0.0f) ? 1.0f : 0.0f;
    }
    net->mass = mass;
    net->inverse_mass = inverse;
    net->pin_factor = pin_factor;
    net->rest.place = place;
    return true;
}

/* Joints, and what has no mass, have no orientation of their own. */
static bool take_moments(supi_frame_builder* b) {
    const supi_frame_source* s = b->source;
    supi_frame_net* net = b->net;
    moment6* moment = supi_arena_push(b->arena, (size_t)s->row_count, sizeof *moment);
    if (!moment) return false;
    for (int32_t i = 0; i < s->row_count; i++) {
        bool joint = net->row_part_starts[i + 1] - net->row_part_starts[i] > 1;
        bool some = i < s->particle_count && s->moment && !joint && net->mass[i] > 0.0f;
        for (int k = 0; some && k < 6; k++) moment[i][k] = s->moment[i][k];
        bool pinned = !(net->inverse_mass[i] > 0.0f);
        supi_frame_fill_moment(moment[i], pinned, &net->rest, i);
    }
    net->moment = (const float(*)[6])moment;
    return true;
}

/* ---- Spread ---- */

/* Weight of a row in any of its groups. */
static double mass_in_groups(const supi_frame_net* net, int32_t row) {
    int32_t held = net->groups_held[row];
    return (double)net->mass[row] / (held > 0 ? held : 1);
}

/* trace / rank of the covariance of the places of a group. */
static double spread_of(const supi_frame_net* net, int32_t row) {
    int32_t begin = net->neighbour_starts[row], end = net->neighbour_starts[row + 1];
    double sum = 0.0, middle[3] = {0, 0, 0}, a[9] = {0}, values[3], vectors[9];
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = begin - 1; i < end; i++) {
            int32_t member = i < begin ? row : net->neighbours[i];
            double w = mass_in_groups(net, member), p[3];
            supi_vector_from(net->rest.place + member, p);
            if (pass == 0) sum += w;
            for (int k = 0; k < 3; k++) {
                if (pass == 0) middle[k] += w * p[k];
                for (int j = 0; pass == 1 && j < 3; j++) {
                    a[3 * k + j] += w * (p[k] - middle[k]) * (p[j] - middle[j]) / sum;
                }
            }
        }
        if (!(sum > 0.0)) return 0.0;
        for (int k = 0; pass == 0 && k < 3; k++) middle[k] /= sum;
    }
    double trace = a[0] + a[4] + a[8];
    supi_eigen_symmetric(3, a, values, vectors);
    int rank = 0;
    for (int k = 0; k < 3; k++) rank += values[k] > 1e-3 * values[0];
    return rank > 0 ? trace / rank : 0.0;
}

static bool find_spreads(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    float* spread = supi_arena_push(b->arena, (size_t)net->row_count, sizeof *spread);
    if (!spread) return false;
    for (int32_t i = 0; i < net->particle_count; i++) {
        if (net->group_of[i] >= 0) spread[i] = (float)spread_of(net, i);
    }
    net->spread = spread;
    return true;
}

/* ---- All of it ---- */

static bool push_joints(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    int32_t member_count = net->part_starts[net->part_count];
    size_t members = (size_t)member_count, parts = (size_t)net->part_count;
    net->joint_room = member_count;
    net->rest.joints.joints = supi_arena_push(b->arena, members, sizeof *net->rest.joints.joints);
    net->rest.joints.place = supi_arena_push(b->arena, parts, 1);
    net->rest.joints.work = supi_arena_push(b->arena, 4 * parts, sizeof(int32_t));
    net->rest.soft = supi_arena_push(b->arena, parts, 1);
    net->rest.offset = supi_arena_push(b->arena, members, sizeof *net->rest.offset);
    net->rest.stand = supi_arena_push(b->arena, members, sizeof *net->rest.stand);
    net->rest.member_mass = supi_arena_push(b->arena, members, sizeof *net->rest.member_mass);
    net->rest.part_mass = supi_arena_push(b->arena, parts, sizeof *net->rest.part_mass);
    net->rest.part_inertia = supi_arena_push(b->arena, parts, sizeof *net->rest.part_inertia);
    if (!net->rest.stand) return false;
    for (int32_t i = 0; i < member_count; i++) {
        net->rest.stand[i] = net->rest.place[net->part_members[i]];
    }
    return net->rest.part_mass && net->rest.part_inertia && net->rest.joints.joints &&
           net->rest.joints.place && net->rest.joints.work && net->rest.soft && net->rest.offset &&
           net->rest.member_mass && supi_weld_blocks(b);
}

sup_result supi_frame_net_build(const supi_frame_source* source, supi_arena* arena,
                                supi_arena* scratch, supi_frame_net* out, sup_error* error) {
    supi_frame_net net = {.particle_count = source->particle_count,
                          .row_count = source->row_count,
                          .yields = source->yields && source->part_count > 0};
    supi_frame_builder b = {source, arena, scratch, &net, error};
    sup_result result = check_counts(&b);
    if (result == SUP_OK) result = check_rows(&b);
    if (result == SUP_OK) result = take_links(&b);
    if (result != SUP_OK) return result;
    if (!take_rows(&b) || !join_rows(&b)) return supi_error_memory(error);
    result = supi_weld_parts(&b);
    if (result != SUP_OK) return result;
    if (!take_moments(&b) || !push_joints(&b) || !supi_frame_groups_build(&b) ||
        !supi_frame_links_build(&b) || !find_spreads(&b)) {
        return supi_error_memory(error);
    }
    supi_frame_fill(&net, &net.rest);
    supi_part_weigh(&net, &net.rest);
    supi_joint_order(&net, &net.rest, &net.rest.joints);
    if (!supi_frame_herd_build(&b)) return supi_error_memory(error);
    *out = net;
    return SUP_OK;
}
