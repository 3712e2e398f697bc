/* Points make way where a lattice that was cut at the surface is too flat: first nodes under the
   surface, then, where these have nowhere to go, points on it too, which slide along it. */
#include "geom/tet.h"

#include "base/real.h"
#include "geom/vector.h"

#include <string.h>

#define ROUNDS 4
#define STEPS 3    /* lengths that are tried, each half of the one before */
#define FIRST 0.12 /* of a cell: the longest */
#define SLIDE 2.0  /* steps that a point on the surface moves at most when one is tried */

/* Which angles are bad, degrees; the outer ones a little before 18 and 146, as not every star gets
   as far as it should. */
typedef struct limits {
    double sharp, blunt;
} limits;

static const limits inner_limits = {20.0, 140.0}, outer_limits = {19.0, 144.0};

/* Above 1 where all angles are good; the worst decides. */
static double quality(const double (*places)[3], const int32_t tet[4], const limits* bad) {
    double normals[4][3], lengths[4], worst = 2.0;
    for (int s = 0; s < 4; s++) {
        const int32_t* side = supi_tet_sides[s];
        double ab[3], ac[3];
        supi_vector_subtract(places[tet[side[1]]], places[tet[side[0]]], ab);
        supi_vector_subtract(places[tet[side[2]]], places[tet[side[0]]], ac);
        supi_vector_cross(ab, ac, normals[s]);
        lengths[s] = supi_vector_length(normals[s]);
    }
    double ab[3];
    supi_vector_subtract(places[tet[3]], places[tet[0]], ab);
    if (!(supi_vector_dot(ab, normals[0]) < 0.0)) return 0.0; /* inside out */
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            double cosine = -supi_vector_dot(normals[i], normals[j]) / (lengths[i] * lengths[j]);
            double angle = 57.29577951308232 * supi_acos(cosine);
            double sharp = angle / bad->sharp, blunt = (180.0 - angle) / (180.0 - bad->blunt);
            double both = sharp < blunt ? sharp : blunt;
            worst = both < worst ? both : worst;
        }
    }
    return worst;
}

typedef struct relaxation {
    const supi_tet_relaxing* given;
    const limits* bad;
    const int32_t *starts, *members; /* tetrahedra around each point */
} relaxation;

static double tet_quality(const relaxation* r, int32_t tet) {
    return quality((const double(*)[3])r->given->places, r->given->tets + 4 * tet, r->bad);
}

static double star_quality(const relaxation* r, int32_t point) {
    double worst = 2.0;
    for (int32_t i = r->starts[point]; i < r->starts[point + 1]; i++) {
        double q = tet_quality(r, r->members[i]);
        worst = q < worst ? q : worst;
    }
    return worst;
}

static bool is_inside(const supi_tet_relaxing* given, int32_t point) {
    return point < given->node_count && given->sides[point] < 0;
}

/* A step along an axis; from the surface back onto it. False: that is too far. */
static bool step_to(const supi_tet_relaxing* given, int32_t point, int way, double step,
                    double place[3]) {
    double from[3];
    memcpy(from, place, sizeof(double[3]));
    place[way / 2] += way % 2 ? -step : step;
    if (is_inside(given, point)) return true;
    supi_facet_point nearest;
    int32_t triangle;
    if (!supi_bvh_nearest_to(&given->sdf->tree, place, 2.0 * step, &triangle, &nearest))
        return false;
    double moved[3];
    memcpy(place, nearest.place, sizeof(double[3]));
    supi_vector_subtract(place, from, moved);
    return supi_vector_length(moved) <= SLIDE * step;
}

/* Steps along the axes, as long as they make the star better. */
static void relax_star(const relaxation* r, int32_t point) {
    double best = star_quality(r, point), *place = r->given->places[point];
    double step = FIRST * r->given->cell;
    for (int length = 0; length < STEPS; length++, step *= 0.5) {
        for (int way = 0; way < 6 && best < 1.0; way++) {
            double before[3];
            memcpy(before, place, sizeof(double[3]));
            double now = step_to(r->given, point, way, step, place) ? star_quality(r, point) : 0.0;
            if (now > best)
                best = now;
            else
                memcpy(place, before, sizeof(double[3]));
        }
    }
}

static void relax_all(const relaxation* r, bool outer) {
    bool bad = true;
    for (int32_t round = 0; round < ROUNDS && bad; round++) {
        bad = false;
        for (int32_t t = 0; t < r->given->tet_count; t++) {
            if (tet_quality(r, t) >= 1.0) continue;
            bad = true;
            for (int k = 0; k < 4; k++) {
                int32_t p = r->given->tets[4 * t + k];
                if (outer || is_inside(r->given, p)) relax_star(r, p);
            }
        }
    }
}

bool supi_tet_relax(supi_arena* arena, const supi_tet_relaxing* given) {
    const int32_t *tets = given->tets, corner_count = 4 * given->tet_count;
    int32_t* starts = supi_arena_push(arena, (size_t)given->point_count + 2, sizeof *starts);
    int32_t* members = supi_arena_push(arena, (size_t)corner_count, sizeof *members);
    if (!starts || !members) return false;
    for (int32_t c = 0; c < corner_count; c++) starts[tets[c] + 2]++;
    for (int32_t p = 0; p < given->point_count; p++) starts[p + 2] += starts[p + 1];
    for (int32_t c = 0; c < corner_count; c++) members[starts[tets[c] + 1]++] = c / 4;
    const relaxation inner = {given, &inner_limits, starts, members},
                     outer = {given, &outer_limits, starts, members};
    relax_all(&inner, false);
    relax_all(&outer, true);
    return true;
}
