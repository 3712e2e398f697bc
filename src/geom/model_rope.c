/* A rope of three strands with whipped ends, on the ground along x. */
#include "geom/model.h"

#define HALF_PI 1.5707963267948966
#define LENGTH 1.2
#define STRAND 0.019

/* Twine wound about an end, so that the strands do not come loose; solid, to leave no hollows. */
static const supi_form* whipping(supi_arena* arena, double height) {
    const double core[4][2] = {
        {0, height}, {0.036, height}, {0.036, height + 0.046}, {0, height + 0.046}};
    const supi_form* turns[6] = {supi_form_lathe(arena, 4, core, 0.002)};
    for (int i = 0; i < 5; i++) {
        turns[1 + i] = supi_form_torus(arena, SUPI_AT(0, height + 0.0115 * i, 0), 0.036, 0.0075);
    }
    return supi_form_join(arena, 6, turns, 0.002);
}

void supi_model_rope(supi_arena* arena, supi_model* out) {
    double half = 0.5 * LENGTH - STRAND;
    const supi_form* strand = supi_form_capsule(arena, SUPI_AT(0.0207, -half, 0), STRAND,
                                                SUPI_AT(0.0207, half, 0), STRAND);
    const supi_form* strands[4] = {
        supi_form_capsule(arena, SUPI_AT(0, -half, 0), 0.015, SUPI_AT(0, half, 0), 0.015)};
    for (int i = 0; i < 3; i++)
        strands[1 + i] = supi_form_turn(arena, strand, 1, i * 4 * HALF_PI / 3);
    const supi_form* lay =
        supi_form_twist(arena, supi_form_join(arena, 4, strands, 0.01), -4 * HALF_PI / 0.2);
    const supi_form* all[3] = {lay, whipping(arena, -half + 0.03), whipping(arena, half - 0.076)};
    const supi_form* rope = supi_form_join(arena, 3, all, 0.004);
    out->part_count = 1;
    out->parts[0] = (supi_model_part){.form = supi_form_turn(arena, rope, 2, HALF_PI),
                                      .thin = 0.014,
                                      .length = 0.009,
                                      .finest = 0.004,
                                      .count = 1,
                                      .places = {{0, 0.044, 0}}};
}
