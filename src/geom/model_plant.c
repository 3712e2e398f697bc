/* A house plant: a pot with earth, a stem, leaves on stalks all round. */
#include "base/real.h"
#include "geom/model.h"

#define DEGREE 0.017453292519943295
#define LEAVES 13

static const supi_form* pot(supi_arena* arena) {
    static const double outline[10][2] = {
        {0, 0.006},     {0.1, 0.006},  {0.134, 0.2},  {0.154, 0.2},  {0.158, 0.244},
        {0.134, 0.244}, {0.131, 0.21}, {0.09, 0.214}, {0.04, 0.222}, {0, 0.226}};
    return supi_form_lathe(arena, 10, outline, 0.006);
}

/* A leaf of 1 m along x, from its stalk to its tip. */
static const supi_form* leaf(supi_arena* arena, double length) {
    static const double half[10][2] = {{0, 0.012},    {0.06, 0.1},   {0.16, 0.19}, {0.28, 0.235},
                                       {0.42, 0.235}, {0.56, 0.205}, {0.7, 0.15},  {0.84, 0.08},
                                       {0.94, 0.03},  {1, 0}};
    double outline[19][2];
    for (int i = 0; i < 10; i++) {
        outline[i][0] = length * half[i][0];
        outline[i][1] = -length * half[i][1];
    }
    for (int i = 0; i < 9; i++) {
        outline[18 - i][0] = length * half[i][0];
        outline[18 - i][1] = length * half[i][1];
    }
    const supi_form* blade = supi_form_prism(arena, 19, outline, 0.0005, 0.0045);
    const supi_form* rib =
        supi_form_capsule(arena, SUPI_AT(-0.01, 0, 0), 0.008, SUPI_AT(0.97 * length, 0, 0), 0.004);
    const supi_form* veins[5];
    for (int i = 0; i < 5; i++) {
        double x = length * (0.1 + 0.16 * i), wide = length * (0.21 - 0.03 * i);
        veins[i] = supi_form_capsule(arena, SUPI_AT(x, 0, 0.003), 0.004,
                                     SUPI_AT(x + 0.75 * wide, 0.85 * wide, 0.003), 0.003);
    }
    const supi_form* side = supi_form_join(arena, 5, veins, 0);
    const supi_form* all[3] = {blade, rib, supi_form_mirror(arena, side, 1)};
    const supi_form* flat = supi_form_join(arena, 3, all, 0.006);
    return supi_form_bend(arena, supi_form_turn(arena, flat, 0, -90 * DEGREE), -1.1 / length);
}

/* Leaf i of all, with its stalk: lower ones hang out, upper ones stand up. */
static const supi_form* branch(supi_arena* arena, int i) {
    double up = (double)i / (LEAVES - 1), turn = 137.5 * DEGREE * i;
    double length = 0.33 - 0.12 * up, rise = (16 + 44 * up) * DEGREE, stalk = 0.13 - 0.07 * up;
    double foot = 0.34 + 0.36 * up, c = supi_cos(rise), s = supi_sin(rise);
    const supi_form* blade = supi_form_turn(arena, leaf(arena, length), 2, 0.6 * rise);
    const supi_form* parts[2] = {
        supi_form_capsule(arena, SUPI_AT(0, 0, 0), 0.0075, SUPI_AT(stalk * c, stalk * s, 0), 0.006),
        supi_form_move(arena, blade, SUPI_AT(stalk * c, stalk * s, 0))};
    const supi_form* all = supi_form_turn(arena, supi_form_join(arena, 2, parts, 0.01), 1, turn);
    return supi_form_move(arena, all, SUPI_AT(0, foot, 0));
}

void supi_model_plant(supi_arena* arena, supi_model* out) {
    static const double way[5][3] = {
        {0, 0.2, 0}, {0.006, 0.34, 0.004}, {-0.004, 0.48, 0}, {0.003, 0.6, -0.003}, {0, 0.71, 0}};
    static const double radii[5] = {0.017, 0.015, 0.013, 0.011, 0.009};
    const supi_form* parts[LEAVES + 1];
    parts[0] = supi_form_tube(arena, 5, way, radii, 5);
    for (int i = 0; i < LEAVES; i++) parts[1 + i] = branch(arena, i);
    const supi_form* all[2] = {pot(arena), supi_form_join(arena, LEAVES + 1, parts, 0.012)};
    out->part_count = 1;
    out->parts[0] = (supi_model_part){.form = supi_form_join(arena, 2, all, 0.02),
                                      .thin = 0.0085,
                                      .length = 0.012,
                                      .finest = 0.0042,
                                      .count = 1};
}
