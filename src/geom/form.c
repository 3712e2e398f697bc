/* Making forms: each with a box around it, and the numbers that its value needs. */
#include "geom/form.h"

#include "base/real.h"
#include "geom/vector.h"

#include <string.h>

static supi_form* new_form(supi_arena* arena, supi_form_kind kind) {
    supi_form* form = supi_arena_push(arena, 1, sizeof *form);
    if (form) form->kind = kind;
    return form;
}

static void start_box(supi_form* form) {
    for (int k = 0; k < 3; k++) form->low[k] = 1e30, form->high[k] = -1e30;
}

/* Makes the box hold a ball. */
static void widen(supi_form* form, const double place[3], double radius) {
    for (int k = 0; k < 3; k++) {
        if (place[k] - radius < form->low[k]) form->low[k] = place[k] - radius;
        if (place[k] + radius > form->high[k]) form->high[k] = place[k] + radius;
    }
}

/* --- Solids --- */

/* number: middle, radii */
const supi_form* supi_form_ellipsoid(supi_arena* arena, const double middle[3],
                                     const double radii[3]) {
    supi_form* form = new_form(arena, SUPI_FORM_ELLIPSOID);
    if (!form) return NULL;
    for (int k = 0; k < 3; k++) {
        form->number[k] = middle[k];
        form->number[3 + k] = radii[k];
        form->low[k] = middle[k] - radii[k];
        form->high[k] = middle[k] + radii[k];
    }
    return form;
}

/* number: from, way, from radius, to radius, squared length of the way, that of its slope; a ball
   inside the other one leaves no way. */
const supi_form* supi_form_capsule(supi_arena* arena, const double from[3], double from_radius,
                                   const double to[3], double to_radius) {
    supi_form* form = new_form(arena, SUPI_FORM_CAPSULE);
    if (!form) return NULL;
    double way[3], taper = from_radius - to_radius;
    supi_vector_subtract(to, from, way);
    double square = supi_vector_dot(way, way), slope = square - taper * taper;
    start_box(form);
    widen(form, from, from_radius);
    widen(form, to, to_radius);
    bool ball = slope <= 1e-12 * square || square <= 0;
    const double* start = ball && to_radius > from_radius ? to : from;
    memcpy(form->number, start, 3 * sizeof *start);
    memcpy(form->number + 3, way, sizeof way);
    form->number[6] = ball && to_radius > from_radius ? to_radius : from_radius;
    form->number[7] = to_radius;
    form->number[8] = ball ? 0 : square;
    form->number[9] = slope;
    return form;
}

/* A place on the Catmull-Rom curve through b and c; a and d are their neighbours. */
static double curve(double a, double b, double c, double d, double t) {
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * b - a - 3 * c + d)));
}

const supi_form* supi_form_tube(supi_arena* arena, int32_t count, const double (*points)[3],
                                const double* radii, int32_t steps) {
    int32_t capsules = (count - 1) * steps;
    const supi_form** parts = supi_arena_push(arena, (size_t)capsules, sizeof(supi_form*));
    if (!parts) return NULL;
    double last[3], here[3], last_radius = radii[0];
    memcpy(last, points[0], sizeof last);
    for (int32_t i = 0; i < capsules; i++) {
        int32_t b = i / steps, c = b + 1, a = b > 0 ? b - 1 : b, d = c + 1 < count ? c + 1 : c;
        double t = (double)(i % steps + 1) / (double)steps;
        for (int k = 0; k < 3; k++) {
            here[k] = curve(points[a][k], points[b][k], points[c][k], points[d][k], t);
        }
        double radius = radii[b] + t * (radii[c] - radii[b]);
        parts[i] = supi_form_capsule(arena, last, last_radius, here, radius);
        memcpy(last, here, sizeof last);
        last_radius = radius;
    }
    return supi_form_join(arena, capsules, parts, 0);
}

/* number: middle, radius, tube */
const supi_form* supi_form_torus(supi_arena* arena, const double middle[3], double radius,
                                 double tube) {
    supi_form* form = new_form(arena, SUPI_FORM_TORUS);
    if (!form) return NULL;
    memcpy(form->number, middle, 3 * sizeof *middle);
    form->number[3] = radius;
    form->number[4] = tube;
    for (int k = 0; k < 3; k++) {
        double reach = k == 1 ? tube : radius + tube;
        form->low[k] = middle[k] - reach;
        form->high[k] = middle[k] + reach;
    }
    return form;
}

/* number: middle, half sizes without the rounding, rounding */
const supi_form* supi_form_box(supi_arena* arena, const double middle[3], const double half[3],
                               double round) {
    supi_form* form = new_form(arena, SUPI_FORM_BOX);
    if (!form) return NULL;
    for (int k = 0; k < 3; k++) {
        form->number[k] = middle[k];
        form->number[3 + k] = half[k] - round;
        form->low[k] = middle[k] - half[k];
        form->high[k] = middle[k] + half[k];
    }
    form->number[6] = round;
    return form;
}

/* The form of an outline, with room for its box. */
static supi_form* new_outline(supi_arena* arena, supi_form_kind kind, int32_t count,
                              const double (*corners)[2], double round) {
    supi_form* form = new_form(arena, kind);
    double(*own)[2] = supi_arena_push(arena, (size_t)count, sizeof *own);
    if (!form || !own) return NULL;
    start_box(form);
    for (int32_t i = 0; i < count; i++) {
        const double place[3] = {corners[i][0], corners[i][1], 0};
        memcpy(own[i], corners[i], sizeof *own);
        widen(form, place, round);
    }
    form->corners = (const double(*)[2])own;
    form->corner_count = count;
    return form;
}

/* number: rounding, half depth */
const supi_form* supi_form_prism(supi_arena* arena, int32_t count, const double (*corners)[2],
                                 double half, double round) {
    supi_form* form = new_outline(arena, SUPI_FORM_PRISM, count, corners, round);
    if (!form) return NULL;
    form->low[2] = -half - round;
    form->high[2] = half + round;
    form->number[0] = round;
    form->number[1] = half;
    return form;
}

/* number: rounding */
const supi_form* supi_form_lathe(supi_arena* arena, int32_t count, const double (*corners)[2],
                                 double round) {
    supi_form* form = new_outline(arena, SUPI_FORM_LATHE, count, corners, round);
    if (!form) return NULL;
    form->low[0] = form->low[2] = -form->high[0];
    form->high[2] = form->high[0];
    form->number[0] = round;
    return form;
}

/* number: the corners, rounding */
const supi_form* supi_form_triangle(supi_arena* arena, const double a[3], const double b[3],
                                    const double c[3], double round) {
    supi_form* form = new_form(arena, SUPI_FORM_TRIANGLE);
    if (!form) return NULL;
    const double* corners[3] = {a, b, c};
    start_box(form);
    for (int i = 0; i < 3; i++) {
        memcpy(form->number + 3 * i, corners[i], 3 * sizeof(double));
        widen(form, corners[i], round);
    }
    form->number[9] = round;
    return form;
}

/* --- Together --- */

/* number: blend */
const supi_form* supi_form_join(supi_arena* arena, int32_t count, const supi_form* const* parts,
                                double blend) {
    supi_form* form = new_form(arena, SUPI_FORM_JOIN);
    const supi_form** own = supi_arena_push(arena, (size_t)count, sizeof(supi_form*));
    if (!form || !own) return NULL;
    double fill = (count > 4 ? 1 : count > 2 ? 0.5 : 0.25) * blend; /* no seam is filled higher */
    start_box(form);
    for (int32_t i = 0; i < count; i++) {
        if (!parts[i]) return NULL;
        own[i] = parts[i];
        widen(form, parts[i]->low, fill);
        widen(form, parts[i]->high, fill);
    }
    form->number[0] = blend;
    form->parts = own;
    form->part_count = count;
    return form;
}

/* A form with one part, or none of it. */
static supi_form* new_parent(supi_arena* arena, supi_form_kind kind, const supi_form* part) {
    if (!part) return NULL;
    supi_form* form = new_form(arena, kind);
    const supi_form** own = supi_arena_push(arena, 2, sizeof(supi_form*));
    if (!form || !own) return NULL;
    own[0] = part;
    form->parts = own;
    form->part_count = 1;
    memcpy(form->low, part->low, sizeof form->low);
    memcpy(form->high, part->high, sizeof form->high);
    return form;
}

/* number: blend */
const supi_form* supi_form_cut(supi_arena* arena, const supi_form* form, const supi_form* away,
                               double blend) {
    if (!form || !away) return NULL;
    supi_form* cut = new_form(arena, SUPI_FORM_CUT);
    const supi_form** own = supi_arena_push(arena, 2, sizeof(supi_form*));
    if (!cut || !own) return NULL;
    own[0] = form;
    own[1] = away;
    cut->parts = own;
    cut->part_count = 2;
    memcpy(cut->low, form->low, sizeof cut->low);
    memcpy(cut->high, form->high, sizeof cut->high);
    cut->number[0] = blend;
    return cut;
}

/* number: by */
const supi_form* supi_form_swell(supi_arena* arena, const supi_form* form, double by) {
    supi_form* swollen = new_parent(arena, SUPI_FORM_SWELL, form);
    if (!swollen) return NULL;
    for (int k = 0; k < 3; k++) {
        swollen->low[k] -= by;
        swollen->high[k] += by;
    }
    swollen->number[0] = by;
    return swollen;
}

/* --- Elsewhere --- */

/* number: rows of the matrix that leads a place back into the part, where the part's origin goes,
   the least scale. `ahead` is the matrix that leads out of the part. */
static const supi_form* place(supi_arena* arena, const supi_form* part, double ahead[3][3],
                              double back[3][3], const double by[3], double scale) {
    supi_form* form = new_parent(arena, SUPI_FORM_PLACE, part);
    if (!form) return NULL;
    memcpy(form->number, back, 9 * sizeof(double));
    memcpy(form->number + 9, by, 3 * sizeof(double));
    form->number[12] = scale;
    start_box(form);
    for (int corner = 0; corner < 8; corner++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) from[k] = corner >> k & 1 ? part->high[k] : part->low[k];
        for (int k = 0; k < 3; k++) to[k] = supi_vector_dot(ahead[k], from) + by[k];
        widen(form, to, 0);
    }
    return form;
}

const supi_form* supi_form_move(supi_arena* arena, const supi_form* form, const double by[3]) {
    double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return place(arena, form, same, same, by, 1);
}

const supi_form* supi_form_turn(supi_arena* arena, const supi_form* form, int32_t axis,
                                double angle) {
    static const double still[3] = {0, 0, 0};
    int32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    double c = supi_cos(angle), s = supi_sin(angle);
    double ahead[3][3] = {{0}}, back[3][3] = {{0}};
    ahead[axis][axis] = back[axis][axis] = 1;
    ahead[u][u] = ahead[v][v] = back[u][u] = back[v][v] = c;
    ahead[v][u] = back[u][v] = s;
    ahead[u][v] = back[v][u] = -s;
    return place(arena, form, ahead, back, still, 1);
}

const supi_form* supi_form_scale(supi_arena* arena, const supi_form* form, const double by[3]) {
    static const double still[3] = {0, 0, 0};
    double ahead[3][3] = {{0}}, back[3][3] = {{0}}, least = by[0];
    for (int k = 0; k < 3; k++) {
        ahead[k][k] = by[k];
        back[k][k] = 1 / by[k];
        if (by[k] < least) least = by[k];
    }
    return place(arena, form, ahead, back, still, least);
}

const supi_form* supi_form_mirror(supi_arena* arena, const supi_form* form, int32_t axis) {
    supi_form* mirror = new_parent(arena, SUPI_FORM_MIRROR, form);
    if (!mirror) return NULL;
    mirror->axis = axis;
    mirror->low[axis] = -form->high[axis];
    return mirror;
}

/* How far from the y axis the box of a form reaches. */
static double reach_about_y(const supi_form* form) {
    double wide[2];
    for (int k = 0; k < 2; k++) {
        wide[k] = -form->low[2 * k] > form->high[2 * k] ? -form->low[2 * k] : form->high[2 * k];
    }
    return sqrt(wide[0] * wide[0] + wide[1] * wide[1]);
}

static void round_box(supi_form* form, double radius) {
    for (int k = 0; k < 3; k += 2) form->low[k] = -radius, form->high[k] = radius;
}

/* number: angle of a place; corners: cosine and sine of each */
const supi_form* supi_form_ring(supi_arena* arena, const supi_form* form, int32_t count) {
    supi_form* ring = new_parent(arena, SUPI_FORM_RING, form);
    double(*turns)[2] = supi_arena_push(arena, (size_t)count, sizeof *turns);
    if (!ring || !turns) return NULL;
    ring->number[0] = 6.283185307179586 / count;
    for (int32_t i = 0; i < count; i++) {
        turns[i][0] = supi_cos(ring->number[0] * i);
        turns[i][1] = supi_sin(ring->number[0] * i);
    }
    ring->corners = (const double(*)[2])turns;
    ring->corner_count = count;
    round_box(ring, reach_about_y(form));
    return ring;
}

/* number: rate, radius up to which the value is followed, steepness there */
const supi_form* supi_form_twist(supi_arena* arena, const supi_form* form, double rate) {
    supi_form* twist = new_parent(arena, SUPI_FORM_TWIST, form);
    if (!twist) return NULL;
    double radius = reach_about_y(form);
    round_box(twist, radius);
    double shear = fabs(rate) * 1.25 * radius;
    twist->number[0] = rate;
    twist->number[1] = 1.25 * radius;
    twist->number[2] = 0.5 * (shear + sqrt(shear * shear + 4));
    return twist;
}

/* number: radius of the circle, its sign, angles of the ends, innermost radius of the form, that up
   to which the value is followed */
const supi_form* supi_form_bend(supi_arena* arena, const supi_form* form, double rate) {
    supi_form* bend = new_parent(arena, SUPI_FORM_BEND, form);
    if (!bend) return NULL;
    double radius = 1 / fabs(rate), sign = rate < 0 ? -1 : 1;
    double inner = rate < 0 ? -form->low[1] : form->high[1];
    double deep = inner > 0 ? 1.25 * inner : 0;
    bend->number[0] = radius;
    bend->number[1] = sign;
    bend->number[2] = form->low[0] / radius;
    bend->number[3] = form->high[0] / radius;
    bend->number[4] = radius - inner;
    bend->number[5] = radius - deep;
    start_box(bend);
    double part = (bend->number[3] - bend->number[2]) / 32, far = 0;
    for (int i = 0; i <= 32; i++) {
        double angle = bend->number[2] + part * i;
        for (int corner = 0; corner < 4; corner++) {
            double r = radius - sign * (corner & 1 ? form->high[1] : form->low[1]);
            double to[3] = {r * supi_sin(angle), sign * (radius - r * supi_cos(angle)),
                            corner & 2 ? form->high[2] : form->low[2]};
            if (r > far) far = r;
            widen(bend, to, 0);
        }
    }
    double between = far * (1 - supi_cos(0.5 * part)); /* how far an arc leaves its chord */
    for (int k = 0; k < 2; k++) bend->low[k] -= between, bend->high[k] += between;
    return bend;
}
