#include "skin/carriers.h"

#include "geom/quaternion.h"
#include "geom/vector.h"

/* Flat ellipsoids are taken to be this thick, in their largest radius. */
static const double thinnest = 1e-3;
/* Where a weight falls to 0: a little farther than the first carrier that is left out, or, if there
   is none, at this many times the least distance. */
static const double past_next = 1.01, past_least = 2.0;
/* Smaller shares are left out. */
static const double least_share = 0.02;

static double largest_radius(const sup_ellipsoid* e) {
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        double radius = (double)e->radii[k];
        largest = radius > largest ? radius : largest;
    }
    return largest;
}

/* diag(1 / radii) R^T. */
static void find_shrink(const sup_ellipsoid* e, double largest, double out[9]) {
    const double q[4] = {(double)e->rotation.x, (double)e->rotation.y, (double)e->rotation.z,
                         (double)e->rotation.w};
    double r[9];
    supi_quaternion_matrix(q, r);
    for (int k = 0; k < 3; k++) {
        double radius = (double)e->radii[k], floor = thinnest * largest;
        radius = radius > floor ? radius : floor;
        for (int j = 0; j < 3; j++) out[3 * k + j] = r[3 * j + k] / radius;
    }
}

/* Shapes of all particles; returns how many carry. */
static int32_t find_shapes(supi_carriers* c) {
    int32_t carrying = 0;
    for (int32_t i = 0; i < c->def.count; i++) {
        const sup_ellipsoid* e = c->def.ellipsoids ? c->def.ellipsoids + i : NULL;
        double largest = e ? largest_radius(e) : 0.0;
        if (!(largest > 0.0)) continue;
        find_shrink(e, largest, c->shrink + 9 * i);
        c->widest = largest > c->widest ? largest : c->widest;
        c->ids[carrying++] = i;
    }
    if (carrying > 0) return carrying;
    c->widest = 1.0;
    for (int32_t i = 0; i < c->def.count; i++) {
        for (int k = 0; k < 3; k++) c->shrink[9 * i + 4 * k] = 1.0;
        c->ids[i] = i;
    }
    return c->def.count;
}

bool supi_carriers_build(const supi_carriers_def* def, supi_arena* arena, supi_carriers* out) {
    size_t count = (size_t)def->count;
    *out = (supi_carriers){.def = *def};
    out->shrink = supi_arena_push(arena, count, 9 * sizeof *out->shrink);
    out->ids = supi_arena_push(arena, count, sizeof *out->ids);
    out->near = supi_arena_push(arena, count, sizeof *out->near);
    sup_vec3* centres = supi_arena_push(arena, count, sizeof *centres);
    if (!out->shrink || !out->ids || !out->near || !centres) return false;
    int32_t carrying = find_shapes(out);
    for (int32_t i = 0; i < carrying; i++) centres[i] = def->centres[out->ids[i]];
    out->last = out->ids[0];
    return supi_point_tree_build(arena, carrying, centres, &out->tree);
}

static bool carries(const supi_carriers* c, int32_t id) {
    const double* s = c->shrink + 9 * id;
    return s[0] != 0.0 || s[1] != 0.0 || s[2] != 0.0;
}

double supi_carriers_square(const supi_carriers* c, int32_t id, const double place[3]) {
    const double* s = c->shrink + 9 * id;
    double centre[3], away[3], square = 0.0;
    supi_vector_from(c->def.centres + id, centre);
    supi_vector_subtract(place, centre, away);
    for (int k = 0; k < 3; k++) {
        double far = supi_vector_dot(s + 3 * k, away);
        square += far * far;
    }
    return square;
}

/* None lies nearer than its distance in the widest radius: those within that reach of the best
   guess are looked at. */
static int32_t find_nearest(supi_carriers* c, const double place[3], double* least) {
    double square;
    int32_t home = c->ids[supi_point_tree_nearest(&c->tree, place, -1, &square)];
    double best = supi_carriers_square(c, home, place),
           guess = supi_carriers_square(c, c->last, place);
    if (guess < best) {
        best = guess;
        home = c->last;
    }
    const double reach = best * c->widest * c->widest * (1.0 + 1e-9); /* rounding */
    int32_t count = supi_point_tree_within(&c->tree, place, reach, c->near);
    for (int32_t i = 0; i < count; i++) {
        int32_t id = c->ids[c->near[i]];
        double far = supi_carriers_square(c, id, place);
        if (!(far < best || (far == best && id < home))) continue;
        best = far;
        home = id;
    }
    c->last = home;
    *least = best;
    return home;
}

int32_t supi_carriers_nearest(supi_carriers* carriers, const double place[3]) {
    double least;
    return find_nearest(carriers, place, &least);
}

/* Candidates hold their squared distance as a weight below 0, so that the nearest come first. */
static int32_t choose(const supi_carriers* c, const double place[3], int32_t home, int32_t room,
                      double least, supi_slot out[SUPI_CARRIER_SLOTS + 1]) {
    supi_slot dropped;
    int32_t count = supi_slots_insert(out, 0, room, (supi_slot){home, -least}, &dropped);
    if (!c->def.link_starts) return count;
    for (int32_t l = c->def.link_starts[home]; l < c->def.link_starts[home + 1]; l++) {
        int32_t id = c->def.links[l];
        if (id == home || !carries(c, id)) continue;
        supi_slot candidate = {id, -supi_carriers_square(c, id, place)};
        count = supi_slots_insert(out, count, room, candidate, &dropped);
    }
    return count;
}

int32_t supi_carriers_weigh(supi_carriers* carriers, const double place[3], int32_t most,
                            supi_slot out[SUPI_CARRIER_SLOTS], int32_t* home) {
    supi_slot near[SUPI_CARRIER_SLOTS + 1];
    double least, sum = 0.0;
    *home = find_nearest(carriers, place, &least);
    /* The middle of a carrier, or a place that no distance can be told of. */
    if (!(least > 0.0 && least < INFINITY)) {
        out[0] = (supi_slot){*home, 1.0};
        return 1;
    }
    int32_t count = choose(carriers, place, *home, most + 1, least, near);
    double edge =
        count > most ? past_next * past_next * -near[most].weight : past_least * past_least * least;
    count = count < most ? count : most;
    for (int32_t i = 0; i < count; i++) {
        double rise = 1.0 + near[i].weight / edge;
        near[i].weight = rise > 0.0 ? rise * rise : 0.0;
        sum += near[i].weight;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i == 0 || near[i].weight >= least_share * sum) out[kept++] = near[i];
    }
    return supi_slots_share(out, kept);
}

typedef struct binding {
    supi_carriers* carriers;
    const sup_vec3* rest;
    int32_t most;
    int32_t next; /* painted weight of a point that is still to come */
} binding;

static int32_t bind_point(void* state, int32_t i, supi_slot out[SUPI_SKIN_SLOTS], int32_t* home) {
    binding* b = state;
    const supi_carriers_def* def = &b->carriers->def;
    double place[3];
    supi_vector_from(b->rest + i, place);
    int32_t count = supi_carriers_weigh(b->carriers, place, b->most, out, home), first = b->next;
    while (b->next < def->paint_count && def->paint[b->next].vertex == i) b->next++;
    if (b->next == first) return count;
    return supi_carriers_paint(b->next - first, def->paint + first, b->most, count, out, home);
}

bool supi_carriers_bind(supi_carriers* carriers, int32_t most, int32_t count, sup_vec3* rest,
                        supi_arena* arena, supi_arena* scratch, supi_skin* out) {
    binding b = {carriers, rest, most, 0};
    return supi_slots_fill(count, rest, most, bind_point, &b, arena, scratch, out);
}
