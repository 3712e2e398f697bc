/* A squid, upright: mantle with two fins, head with two eyes, eight arms on the ground. */
#include "base/real.h"
#include "geom/model.h"

#define TWO_PI 6.283185307179586
#define FIN 17 /* corners of a fin */

static const supi_form* mantle(supi_arena* arena) {
    static const double spine[8][3] = {{0, 0.425, 0}, {0, 0.47, 0}, {0, 0.54, 0}, {0, 0.62, 0},
                                       {0, 0.71, 0},  {0, 0.79, 0}, {0, 0.85, 0}, {0, 0.89, 0}};
    static const double radii[8] = {0.098, 0.112, 0.119, 0.112, 0.09, 0.058, 0.03, 0.012};
    double outline[FIN][2];
    for (int i = 0; i < FIN; i++) { /* from the tip of the mantle down, broadest below the middle */
        double c = supi_cos(0.5 * TWO_PI * i / (FIN - 1)),
               s = supi_sin(0.5 * TWO_PI * i / (FIN - 1));
        outline[i][0] = 0.01 + 0.185 * s * (1 - 0.35 * c);
        outline[i][1] = 0.76 + 0.115 * c;
    }
    const supi_form* fin = supi_form_prism(arena, FIN, (const double(*)[2])outline, 0.001, 0.012);
    fin = supi_form_mirror(arena, fin, 0);
    const supi_form* parts[2] = {supi_form_tube(arena, 8, spine, radii, 6),
                                 supi_form_turn(arena, fin, 1, 0.25 * TWO_PI)};
    return supi_form_join(arena, 2, parts, 0.045);
}

static const supi_form* head(supi_arena* arena) {
    const supi_form* eye = supi_form_turn(arena, supi_model_eye(arena, 0.046), 1, -0.8);
    eye = supi_form_move(arena, eye, SUPI_AT(0.06, 0.333, 0.068));
    const supi_form* skull =
        supi_form_ellipsoid(arena, SUPI_AT(0, 0.32, 0), SUPI_AT(0.082, 0.085, 0.088));
    const supi_form* parts[2] = {skull, supi_form_mirror(arena, eye, 2)};
    return supi_form_join(arena, 2, parts, 0.012);
}

static const supi_form* arms(supi_arena* arena) {
    static const double way[7][3] = {{0.035, 0.3, 0},   {0.075, 0.205, 0}, {0.135, 0.105, 0},
                                     {0.215, 0.035, 0}, {0.305, 0.02, 0},  {0.375, 0.045, 0},
                                     {0.405, 0.105, 0}};
    static const double radii[7] = {0.032, 0.03, 0.027, 0.023, 0.018, 0.013, 0.009};
    const supi_form* arm = supi_form_tube(arena, 7, way, radii, 5);
    return supi_form_turn(arena, supi_form_ring(arena, arm, 8), 1, TWO_PI / 16);
}

void supi_model_squid(supi_arena* arena, supi_model* out) {
    const supi_form* upper[2] = {mantle(arena), head(arena)};
    const supi_form* all[2] = {supi_form_join(arena, 2, upper, 0.012), arms(arena)};
    out->part_count = 1;
    out->parts[0] = (supi_model_part){.form = supi_form_join(arena, 2, all, 0.035),
                                      .thin = 0.014,
                                      .length = 0.021,
                                      .finest = 0.0075,
                                      .count = 1};
}
