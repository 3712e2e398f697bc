/* A monster truck: a pickup high above four wheels that stand free of it. */
#include "base/real.h"
#include "geom/model.h"

#define DEGREE 0.017453292519943295
#define WHEEL 0.84   /* m, radius */
#define AXLE_X 1.44  /* m, from the middle to the axles */
#define WHEEL_Z 1.13 /* m, from the middle to the wheels */
#define LIFT 1.5     /* m, the lower edge of the body */

/* --- Wheels --- */

/* A wheel about the y axis, its outside up: tyre, dished rim, hub, bolts and lugs. */
static const supi_form* upright_wheel(supi_arena* arena) {
    static const double outline[14][2] = {{0, -0.3},     {0.36, -0.3},  {0.4, -0.41}, {0.6, -0.43},
                                          {0.72, -0.36}, {0.745, -0.2}, {0.745, 0.2}, {0.72, 0.36},
                                          {0.6, 0.43},   {0.46, 0.41},  {0.42, 0.36}, {0.39, 0.22},
                                          {0.16, 0.18},  {0, 0.18}};
    static const double hub[6][2] = {{0, 0.1},    {0.12, 0.1},   {0.12, 0.32},
                                     {0.1, 0.35}, {0.05, 0.365}, {0, 0.37}};
    const supi_form* lug = supi_form_box(arena, SUPI_AT(0, 0, 0), SUPI_AT(0.075, 0.2, 0.07), 0.025);
    lug = supi_form_turn(arena, lug, 0, 24 * DEGREE);
    lug = supi_form_move(arena, lug, SUPI_AT(WHEEL - 0.083, 0.2, 0));
    const supi_form* shoulder =
        supi_form_box(arena, SUPI_AT(0, 0, 0), SUPI_AT(0.11, 0.06, 0.07), 0.025);
    shoulder = supi_form_turn(arena, shoulder, 2, -62 * DEGREE);
    shoulder = supi_form_move(arena, shoulder, SUPI_AT(0.735, 0.365, 0.08));
    const supi_form* half[2] = {lug, shoulder};
    const supi_form* lugs = supi_form_ring(arena, supi_form_join(arena, 2, half, 0.02), 15);
    const supi_form* other = supi_form_turn(arena, lugs, 0, 180 * DEGREE);
    other = supi_form_turn(arena, other, 1, 12 * DEGREE);
    const supi_form* bolt =
        supi_form_capsule(arena, SUPI_AT(0.25, 0.2, 0), 0.036, SUPI_AT(0.25, 0.25, 0), 0.036);
    const supi_form* spoke =
        supi_form_capsule(arena, SUPI_AT(0.1, 0.25, 0), 0.05, SUPI_AT(0.4, 0.27, 0), 0.05);
    const supi_form* parts[6] = {
        supi_form_lathe(arena, 14, outline, 0.03),
        lugs,
        other,
        supi_form_lathe(arena, 6, hub, 0.02),
        supi_form_turn(arena, supi_form_ring(arena, bolt, 8), 1, 22.5 * DEGREE),
        supi_form_ring(arena, spoke, 8)};
    return supi_form_join(arena, 6, parts, 0.025);
}

/* --- Body --- */

/* The pickup seen from the side: hull up to the belt line, cabin above it. */
static const supi_form* hull(supi_arena* arena) {
    static const double side[9][2] = {
        {-2.32, LIFT + 0.1}, {-2.2, LIFT},        {2.28, LIFT},
        {2.4, LIFT + 0.12},  {2.42, LIFT + 0.52}, {2.3, LIFT + 0.66},
        {1.0, LIFT + 0.74},  {-2.3, LIFT + 0.74}, {-2.36, LIFT + 0.5}};
    static const double roof[4][2] = {
        {1.02, LIFT + 0.7}, {0.42, LIFT + 1.26}, {-0.5, LIFT + 1.28}, {-0.72, LIFT + 0.7}};
    const supi_form* parts[2] = {supi_form_prism(arena, 9, side, 0.84, 0.07),
                                 supi_form_prism(arena, 4, roof, 0.7, 0.09)};
    return supi_form_join(arena, 2, parts, 0.06);
}

/* What is taken from the hull: arches, windows, the bed, slots of the grille. */
static const supi_form* hollows(supi_arena* arena) {
    static const double front[4][2] = {
        {0.83, LIFT + 0.82}, {0.36, LIFT + 1.22}, {0.06, LIFT + 1.22}, {0.06, LIFT + 0.82}};
    static const double rear[4][2] = {
        {-0.08, LIFT + 0.82}, {-0.08, LIFT + 1.22}, {-0.44, LIFT + 1.22}, {-0.6, LIFT + 0.82}};
    static const double round[4][2] = {{0, -0.6}, {0.98, -0.6}, {0.98, 0.6}, {0, 0.6}};
    const supi_form* panes[2] = {supi_form_prism(arena, 4, front, 0.1, 0.03),
                                 supi_form_prism(arena, 4, rear, 0.1, 0.03)};
    const supi_form* glass =
        supi_form_move(arena, supi_form_join(arena, 2, panes, 0), SUPI_AT(0, 0, 0.85));
    const supi_form* shield =
        supi_form_box(arena, SUPI_AT(0, 0, 0), SUPI_AT(0.28, 0.08, 0.6), 0.05);
    shield = supi_form_turn(arena, shield, 2, -43 * DEGREE);
    shield = supi_form_move(arena, shield, SUPI_AT(0.79, LIFT + 1.05, 0));
    const supi_form* back = supi_form_box(arena, SUPI_AT(0, 0, 0), SUPI_AT(0.08, 0.2, 0.58), 0.05);
    back = supi_form_turn(arena, back, 2, -20 * DEGREE);
    back = supi_form_move(arena, back, SUPI_AT(-0.72, LIFT + 1.03, 0));
    const supi_form* arch =
        supi_form_turn(arena, supi_form_lathe(arena, 4, round, 0.05), 0, 90 * DEGREE);
    arch = supi_form_move(arena, arch, SUPI_AT(AXLE_X, WHEEL + 0.12, WHEEL_Z + 0.08));
    const supi_form* slots[4];
    for (int i = 0; i < 4; i++) {
        slots[i] = supi_form_box(arena, SUPI_AT(2.5, LIFT + 0.2 + 0.1 * i, 0),
                                 SUPI_AT(0.12, 0.03, 0.42), 0.025);
    }
    const supi_form* boxes[2] = {
        /* between the arches, and above them */
        supi_form_box(arena, SUPI_AT(-1.52, LIFT + 0.8, 0), SUPI_AT(0.7, 0.52, 0.44), 0.06),
        supi_form_box(arena, SUPI_AT(-1.52, LIFT + 0.95, 0), SUPI_AT(0.7, 0.33, 0.76), 0.06)};
    const supi_form* all[6] = {supi_form_mirror(arena, glass, 2),
                               shield,
                               back,
                               supi_form_mirror(arena, supi_form_mirror(arena, arch, 2), 0),
                               supi_form_join(arena, 4, slots, 0),
                               supi_form_join(arena, 2, boxes, 0)};
    return supi_form_join(arena, 6, all, 0);
}

/* Lamps, bumpers, flares, scoop, light bar. */
static const supi_form* trim(supi_arena* arena) {
    static const double lamp[7][2] = {{0, -0.1},     {0.15, -0.1}, {0.15, 0.06}, {0.11, 0.06},
                                      {0.09, -0.01}, {0.05, 0.02}, {0, 0.03}};
    const supi_form* light =
        supi_form_turn(arena, supi_form_lathe(arena, 7, lamp, 0.015), 2, -90 * DEGREE);
    const supi_form* flare = supi_form_torus(arena, SUPI_AT(0, 0, 0), 1.05, 0.07);
    flare = supi_form_turn(arena, flare, 0, 90 * DEGREE);
    flare = supi_form_cut(arena, flare,
                          supi_form_box(arena, SUPI_AT(0, -1.2, 0), SUPI_AT(2, 1.75, 1), 0), 0.03);
    flare = supi_form_mirror(arena,
                             supi_form_move(arena, flare, SUPI_AT(AXLE_X, WHEEL + 0.12, 0.88)), 2);
    const supi_form* wing[2] = {
        supi_form_box(arena, SUPI_AT(0.78, LIFT + 0.93, 1.0), SUPI_AT(0.06, 0.12, 0.12), 0.045),
        supi_form_capsule(arena, SUPI_AT(0.78, LIFT + 0.7, 0.84), 0.05,
                          SUPI_AT(0.78, LIFT + 0.9, 0.95), 0.05)};
    const supi_form* bar_lamp =
        supi_form_ellipsoid(arena, SUPI_AT(0.3, LIFT + 1.48, 0), SUPI_AT(0.09, 0.1, 0.1));
    const supi_form* lamps[3] = {bar_lamp, supi_form_move(arena, bar_lamp, SUPI_AT(0, 0, 0.27)),
                                 supi_form_move(arena, bar_lamp, SUPI_AT(0, 0, 0.54))};
    const supi_form* bar[2] = {supi_form_capsule(arena, SUPI_AT(0.25, LIFT + 1.46, -0.66), 0.05,
                                                 SUPI_AT(0.25, LIFT + 1.46, 0.66), 0.05),
                               supi_form_capsule(arena, SUPI_AT(0.25, LIFT + 1.2, 0.6), 0.05,
                                                 SUPI_AT(0.25, LIFT + 1.46, 0.6), 0.05)};
    const supi_form* sides[4] = {supi_form_move(arena, light, SUPI_AT(2.46, LIFT + 0.38, 0.65)),
                                 supi_form_join(arena, 2, wing, 0.02),
                                 supi_form_join(arena, 3, lamps, 0),
                                 supi_form_join(arena, 2, bar, 0)};
    const supi_form* parts[6] = {
        supi_form_mirror(arena, flare, 0),
        supi_form_mirror(arena, supi_form_join(arena, 4, sides, 0.01), 2),
        supi_form_box(arena, SUPI_AT(2.52, LIFT + 0.04, 0), SUPI_AT(0.13, 0.12, 0.86), 0.06),
        supi_form_box(arena, SUPI_AT(-2.46, LIFT + 0.06, 0), SUPI_AT(0.12, 0.11, 0.86), 0.06),
        supi_form_box(arena, SUPI_AT(1.6, LIFT + 0.82, 0), SUPI_AT(0.4, 0.14, 0.3), 0.07),
        supi_form_box(arena, SUPI_AT(1.5, LIFT + 0.72, 0), SUPI_AT(0.72, 0.1, 0.5), 0.06)};
    return supi_form_join(arena, 6, parts, 0.02);
}

/* Rails, axles, and what holds them together. */
static const supi_form* frame(supi_arena* arena) {
    const supi_form* rail =
        supi_form_box(arena, SUPI_AT(0, LIFT - 0.1, 0.36), SUPI_AT(2.1, 0.11, 0.08), 0.04);
    double inner = WHEEL_Z - 0.46 - 0.08;
    const supi_form* axle = supi_form_capsule(arena, SUPI_AT(AXLE_X, WHEEL, -0.1), 0.1,
                                              SUPI_AT(AXLE_X, WHEEL, inner - 0.1), 0.1);
    const supi_form* gear =
        supi_form_ellipsoid(arena, SUPI_AT(AXLE_X, WHEEL, 0), SUPI_AT(0.24, 0.22, 0.2));
    const supi_form* shock = supi_form_capsule(arena, SUPI_AT(AXLE_X, WHEEL, 0.4), 0.065,
                                               SUPI_AT(AXLE_X - 0.15, LIFT - 0.05, 0.36), 0.065);
    const supi_form* arm = supi_form_capsule(arena, SUPI_AT(AXLE_X, WHEEL - 0.02, 0.3), 0.055,
                                             SUPI_AT(0.25, LIFT - 0.12, 0.34), 0.055);
    const supi_form* parts[5] = {rail, axle, gear, shock, arm};
    const supi_form* quarter = supi_form_join(arena, 5, parts, 0.04);
    return supi_form_mirror(arena, supi_form_mirror(arena, quarter, 2), 0);
}

void supi_model_truck(supi_arena* arena, supi_model* out) {
    const supi_form* shell = supi_form_cut(arena, hull(arena), hollows(arena), 0.03);
    const supi_form* all[3] = {shell, trim(arena), frame(arena)};
    const supi_form* wheel = supi_form_turn(arena, upright_wheel(arena), 0, 90 * DEGREE);
    out->part_count = 2;
    out->parts[0] = (supi_model_part){.form = supi_form_join(arena, 3, all, 0.02),
                                      .thin = 0.08,
                                      .length = 0.05,
                                      .finest = 0.02,
                                      .count = 1};
    out->parts[1] = (supi_model_part){.form = wheel,
                                      .thin = 0.08,
                                      .length = 0.05,
                                      .finest = 0.02,
                                      .count = 4,
                                      .places = {{AXLE_X, WHEEL, WHEEL_Z},
                                                 {-AXLE_X, WHEEL, WHEEL_Z},
                                                 {AXLE_X, WHEEL, -WHEEL_Z},
                                                 {-AXLE_X, WHEEL, -WHEEL_Z}},
                                      .turned = {false, false, true, true}};
}
