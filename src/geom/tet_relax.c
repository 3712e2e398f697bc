/* Nodes under the surface make way where a lattice that was cut there is too flat. */
#include "geom/tet.h"

#include "base/real.h"
#include "geom/vector.h"

#define ROUNDS 4
#define STEPS 3     /* lengths that are tried, each half of the one before */
#define FIRST 0.12  /* of a cell: the longest */
#define SHARP 20.0  /* degrees: angles below are bad */
#define BLUNT 140.0 /* degrees: angles above are bad */

/* Above 1 where all angles are good; the worst decides. */
static double quality(const double (*places)[3], const int32_t tet[4]) {
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
            double sharp = angle / SHARP, blunt = (180.0 - angle) / (180.0 - BLUNT);
            double both = sharp < blunt ? sharp : blunt;
            worst = both < worst ? both : worst;
        }
    }
    return worst;
}

typedef struct star {
    double (*places)[3];
    const int32_t* tets;
    const int32_t* members; /* of the point */
    int32_t count;
} star;

static double star_quality(const star* s) {
    double worst = 2.0;
    for (int32_t i = 0; i < s->count; i++) {
        double q = quality((const double(*)[3])s->places, s->tets + 4 * s->members[i]);
        worst = q < worst ? q : worst;
    }
    return worst;
}

/* Steps along the axes, as long as they make the star better. */
static void relax_star(const star* s, int32_t point, double cell) {
    double best = star_quality(s), *place = s->places[point];
    double step = FIRST * cell;
    for (int length = 0; length < STEPS; length++, step *= 0.5) {
        for (int way = 0; way < 6 && best < 1.0; way++) {
            double before = place[way / 2];
            place[way / 2] = before + (way % 2 ? -step : step);
            double now = star_quality(s);
            if (now > best)
                best = now;
            else
                place[way / 2] = before;
        }
    }
}

bool supi_tet_relax(supi_arena* arena, double cell, int32_t free_count, const int8_t* sides,
                    int32_t tet_count, const int32_t* tets, double (*places)[3]) {
    int32_t* starts = supi_arena_push(arena, (size_t)free_count + 2, sizeof *starts);
    int32_t* members = supi_arena_push(arena, 4 * (size_t)tet_count, sizeof *members);
    if (!starts || !members) return false;
    for (int32_t c = 0; c < 4 * tet_count; c++)
        if (tets[c] < free_count) starts[tets[c] + 2]++;
    for (int32_t p = 0; p < free_count; p++) starts[p + 2] += starts[p + 1];
    for (int32_t c = 0; c < 4 * tet_count; c++)
        if (tets[c] < free_count) members[starts[tets[c] + 1]++] = c / 4;
    bool bad = true;
    for (int32_t round = 0; round < ROUNDS && bad; round++) {
        bad = false;
        for (int32_t t = 0; t < tet_count; t++) {
            if (quality((const double(*)[3])places, tets + 4 * t) >= 1.0) continue;
            bad = true;
            for (int k = 0; k < 4; k++) {
                int32_t p = tets[4 * t + k];
                if (p >= free_count || sides[p] >= 0) continue;
                star s = {places, tets, members + starts[p], starts[p + 1] - starts[p]};
                relax_star(&s, p, cell);
            }
        }
    }
    return true;
}
