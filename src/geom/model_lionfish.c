/* A lionfish: deep body, big head, free spines on the back, and fans of rays at every side. */
#include "base/real.h"
#include "geom/model.h"
#include "geom/vector.h"

#include <string.h>

#define DEGREE 0.017453292519943295
#define SKIN 0.0034 /* m, half the thickness of fins */
#define MOST_RAYS 14

/* Rays from one place, with skin between them. */
typedef struct fan {
    double base[3], base_step[3]; /* m: the first ray's foot, and from each to the next */
    double middle[3], across[3];  /* unit: where rays of angle 0 and of 90 degrees go */
    double first, last;           /* degrees */
    double lengths[3];            /* m, of the first, middle and last ray */
    double skin;                  /* share of the rays that has skin */
    double droop[3];              /* m, how far the tips leave the straight line */
    double foot, tip;             /* m, radii of rays */
    int32_t count;                /* of rays, 2 to MOST_RAYS */
} fan;

/* The foot, the end of the skin and the tip of ray i. */
static void find_ray(const fan* f, int32_t i, double out[3][3]) {
    double part = (double)i / (f->count - 1), side = 2 * part - 1;
    double angle = (f->first + part * (f->last - f->first)) * DEGREE;
    double end = side < 0 ? f->lengths[0] : f->lengths[2];
    double length = f->lengths[1] + side * side * (end - f->lengths[1]);
    double c = supi_cos(angle), s = supi_sin(angle);
    for (int k = 0; k < 3; k++) {
        double way = length * (c * f->middle[k] + s * f->across[k]);
        out[0][k] = f->base[k] + i * f->base_step[k];
        out[1][k] = out[0][k] + f->skin * way;
        out[2][k] = out[0][k] + way + f->droop[k];
    }
}

static const supi_form* make_fan(supi_arena* arena, const fan* f) {
    const supi_form* parts[3 * MOST_RAYS];
    double last[3][3];
    int32_t count = 0;
    for (int32_t i = 0; i < f->count; i++) {
        double ray[3][3], radii[3] = {f->foot, f->foot + f->skin * (f->tip - f->foot), f->tip};
        find_ray(f, i, ray);
        parts[count++] = supi_form_tube(arena, 3, (const double(*)[3])ray, radii, 3);
        if (i > 0) {
            double edge[3]; /* the skin hangs back between two rays */
            for (int k = 0; k < 3; k++) {
                edge[k] = 0.5 * (ray[1][k] + last[1][k]);
                edge[k] += 0.1 * (0.5 * (ray[0][k] + last[0][k]) - edge[k]);
            }
            parts[count++] = supi_form_triangle(arena, last[0], last[1], edge, SKIN);
            parts[count++] = supi_form_triangle(arena, ray[0], edge, ray[1], SKIN);
            if (f->base_step[0] != 0 || f->base_step[1] != 0) {
                parts[count - 1] = supi_form_join(
                    arena, 2,
                    (const supi_form* const[2]){
                        parts[count - 1], supi_form_triangle(arena, last[0], edge, ray[0], SKIN)},
                    0);
            }
        }
        memcpy(last, ray, sizeof last);
    }
    return supi_form_join(arena, count, parts, 0.004);
}

static const supi_form* body(supi_arena* arena) {
    const supi_form* trunk[4] = {
        supi_form_ellipsoid(arena, SUPI_AT(0.02, 0.25, 0), SUPI_AT(0.18, 0.088, 0.06)),
        supi_form_ellipsoid(arena, SUPI_AT(0.135, 0.245, 0), SUPI_AT(0.105, 0.076, 0.062)),
        supi_form_capsule(arena, SUPI_AT(-0.08, 0.25, 0), 0.05, SUPI_AT(-0.215, 0.25, 0), 0.024),
        supi_form_ellipsoid(arena, SUPI_AT(0.2, 0.212, 0), SUPI_AT(0.056, 0.03, 0.042))};
    return supi_form_join(arena, 4, trunk, 0.04);
}

/* Lips about an open mouth, eyes, horns above them and barbels below the mouth. */
static const supi_form* head(supi_arena* arena, const supi_form* trunk) {
    const supi_form* lips = supi_form_torus(arena, SUPI_AT(0, 0, 0), 0.031, 0.01);
    lips = supi_form_scale(arena, lips, SUPI_AT(0.75, 1, 1.1));
    lips = supi_form_turn(arena, lips, 2, -70 * DEGREE);
    lips = supi_form_move(arena, lips, SUPI_AT(0.238, 0.226, 0));
    const supi_form* eye = supi_form_turn(arena, supi_model_eye(arena, 0.031), 1, -72 * DEGREE);
    const supi_form* side[4] = {supi_form_move(arena, eye, SUPI_AT(0.16, 0.272, 0.047)),
                                supi_form_capsule(arena, SUPI_AT(0.16, 0.305, 0.035), 0.007,
                                                  SUPI_AT(0.182, 0.362, 0.05), 0.0045),
                                supi_form_capsule(arena, SUPI_AT(0.225, 0.2, 0.024), 0.006,
                                                  SUPI_AT(0.25, 0.165, 0.034), 0.004),
                                supi_form_capsule(arena, SUPI_AT(0.24, 0.245, 0.02), 0.006,
                                                  SUPI_AT(0.272, 0.268, 0.028), 0.004)};
    const supi_form* both = supi_form_mirror(arena, supi_form_join(arena, 4, side, 0.004), 2);
    const supi_form* all[3] = {trunk, lips, both};
    const supi_form* mouth =
        supi_form_ellipsoid(arena, SUPI_AT(0, 0, 0), SUPI_AT(0.045, 0.018, 0.025));
    mouth = supi_form_turn(arena, mouth, 2, 20 * DEGREE);
    mouth = supi_form_move(arena, mouth, SUPI_AT(0.245, 0.229, 0));
    return supi_form_cut(arena, supi_form_join(arena, 3, all, 0.012), mouth, 0.006);
}

/* Thirteen spines, each with a strip of skin behind it. */
static const supi_form* spines(supi_arena* arena) {
    const supi_form* parts[26];
    for (int i = 0; i < 13; i++) {
        double part = i / 12.0, x = 0.125 - 0.205 * part, lean = (-14 + 62 * part) * DEGREE;
        double u = (x - 0.02) / 0.18, y = 0.242 + 0.088 * sqrt(1 - u * u);
        double length = 0.13 + 0.3 * part * (1 - part), way[3] = {0, 0, 0};
        way[0] = -length * supi_sin(lean);
        way[1] = length * supi_cos(lean);
        parts[2 * i] = supi_form_capsule(arena, SUPI_AT(x, y, 0), 0.0065,
                                         SUPI_AT(x + way[0], y + way[1], 0), 0.0036);
        parts[2 * i + 1] =
            supi_form_triangle(arena, SUPI_AT(x, y, 0), SUPI_AT(x - 0.02, y - 0.012, 0),
                               SUPI_AT(x + 0.8 * way[0], y + 0.8 * way[1], 0), SKIN);
    }
    return supi_form_join(arena, 26, parts, 0.003);
}

static const supi_form* fins(supi_arena* arena) {
    static const fan pectoral = {.base = {0.105, 0.196, 0.05},
                                 .base_step = {-0.001, 0.003, 0},
                                 .middle = {-0.5, 0.12, 0.858},
                                 .across = {0.29, 0.95, 0.036},
                                 .first = -62,
                                 .last = 66,
                                 .lengths = {0.2, 0.27, 0.25},
                                 .skin = 0.62,
                                 .droop = {-0.035, -0.01, 0},
                                 .foot = 0.0066,
                                 .tip = 0.0037,
                                 .count = 13};
    static const fan tail = {.base = {-0.21, 0.236, 0},
                             .base_step = {0, 0.0035, 0},
                             .middle = {-1, 0, 0},
                             .across = {0, 1, 0},
                             .first = -34,
                             .last = 34,
                             .lengths = {0.15, 0.165, 0.15},
                             .skin = 0.93,
                             .foot = 0.006,
                             .tip = 0.0037,
                             .count = 9};
    static const fan soft = {.base = {-0.09, 0.31, 0},
                             .base_step = {-0.014, -0.006, 0},
                             .middle = {-0.64, 0.77, 0},
                             .across = {-0.77, -0.64, 0},
                             .first = -12,
                             .last = 26,
                             .lengths = {0.12, 0.125, 0.08},
                             .skin = 0.9,
                             .foot = 0.006,
                             .tip = 0.0037,
                             .count = 7};
    static const fan anal = {.base = {-0.09, 0.19, 0},
                             .base_step = {-0.014, 0.006, 0},
                             .middle = {-0.6, -0.8, 0},
                             .across = {-0.8, 0.6, 0},
                             .first = -10,
                             .last = 26,
                             .lengths = {0.11, 0.12, 0.08},
                             .skin = 0.9,
                             .foot = 0.006,
                             .tip = 0.0037,
                             .count = 7};
    static const fan pelvic = {.base = {0.075, 0.177, 0.022},
                               .base_step = {-0.004, 0, 0.001},
                               .middle = {-0.5, -0.78, 0.376},
                               .across = {-0.82, 0.57, 0.09},
                               .first = -16,
                               .last = 30,
                               .lengths = {0.14, 0.15, 0.11},
                               .skin = 0.85,
                               .foot = 0.006,
                               .tip = 0.0037,
                               .count = 6};
    const supi_form* parts[5] = {supi_form_mirror(arena, make_fan(arena, &pectoral), 2),
                                 make_fan(arena, &tail), make_fan(arena, &soft),
                                 make_fan(arena, &anal),
                                 supi_form_mirror(arena, make_fan(arena, &pelvic), 2)};
    return supi_form_join(arena, 5, parts, 0);
}

void supi_model_lionfish(supi_arena* arena, supi_model* out) {
    const supi_form* finny[2] = {fins(arena), spines(arena)};
    const supi_form* all[2] = {head(arena, body(arena)), supi_form_join(arena, 2, finny, 0)};
    out->part_count = 1;
    out->parts[0] = (supi_model_part){.form = supi_form_join(arena, 2, all, 0.01),
                                      .thin = 2 * SKIN,
                                      .length = 0.0058,
                                      .finest = 0.0026,
                                      .count = 1,
                                      .places = {{0, -0.025, 0}}};
}
