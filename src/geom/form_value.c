/* Values of forms. A part of a join is asked only where its box is near enough to matter, which
   changes no bit of the result. Distances of prisms, tapered capsules and triangles are Quilez'. */
#include "base/real.h"
#include "geom/form_inside.h"
#include "geom/vector.h"

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* The nearest point y - d of an ellipsoid has d = s y / (s + squares): s is the root of a function
   that falls from above 1 to 0; its reciprocal is nearly straight, so Newton's method on that takes
   few steps and stays at one side. Squares are in units of the smallest radius'. */
static double ellipsoid(const double number[6], const double p[3]) {
    double y[3], share[3], square[3], least = smaller(smaller(number[3], number[4]), number[5]);
    double s = -2;
    for (int k = 0; k < 3; k++) {
        double radius = number[3 + k], wide = radius / least;
        y[k] = fabs(p[k] - number[k]);
        if (y[k] < 1e-9 * radius) y[k] = 1e-9 * radius; /* keeps off the planes of symmetry */
        square[k] = wide * wide;
        share[k] = y[k] / radius * square[k];
        s = larger(s, share[k] - square[k]);
    }
    for (int step = 0; step < 20; step++) {
        double sum = 0, slope = 0;
        for (int k = 0; k < 3; k++) {
            double below = s + square[k], term = share[k] / below;
            sum += term * term;
            slope += term * term / below;
        }
        double length = sqrt(sum);
        s += (length - 1) * sum / slope;
        if (length - 1 < 1e-12) break;
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = s * y[k] / (s + square[k]);
        sum += d * d;
    }
    return s < 0 ? -sqrt(sum) : sqrt(sum);
}

static double capsule(const double number[10], const double p[3]) {
    double from[3], off[3], square = number[8], slope = number[9];
    const double* way = number + 3;
    supi_vector_subtract(p, number, from);
    if (square <= 0) return supi_vector_length(from) - number[6];
    double taper = number[6] - number[7];
    double y = supi_vector_dot(from, way), z = y - square;
    for (int k = 0; k < 3; k++) off[k] = from[k] * square - way[k] * y;
    double xx = supi_vector_dot(off, off), yy = y * y * square, zz = z * z * square;
    double cone = taper < 0 ? -taper * taper * xx : taper * taper * xx;
    if ((z < 0 ? -slope : slope) * zz > cone) return sqrt(xx + zz) / square - number[7];
    if ((y < 0 ? -slope : slope) * yy < cone) return sqrt(xx + yy) / square - number[6];
    return (sqrt(xx * slope / square) + y * taper) / square - number[6];
}

static double torus(const double number[5], const double p[3]) {
    double at[3];
    supi_vector_subtract(p, number, at);
    double out = sqrt(at[0] * at[0] + at[2] * at[2]) - number[3];
    return sqrt(out * out + at[1] * at[1]) - number[4];
}

static double box(const double number[7], const double p[3]) {
    double sum = 0, most = -1e300;
    for (int k = 0; k < 3; k++) {
        double out = fabs(p[k] - number[k]) - number[3 + k];
        if (out > 0) sum += out * out;
        most = larger(most, out);
    }
    return (most > 0 ? sqrt(sum) : most) - number[6];
}

/* Signed distance to a polygon in the plane. */
static double polygon(int32_t count, const double (*corners)[2], double x, double y) {
    double best = 1e300;
    bool inside = false;
    for (int32_t i = 0, j = count - 1; i < count; j = i++) {
        const double *a = corners[i], *b = corners[j];
        double ex = b[0] - a[0], ey = b[1] - a[1], wx = x - a[0], wy = y - a[1];
        double t = (wx * ex + wy * ey) / (ex * ex + ey * ey);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double dx = wx - ex * t, dy = wy - ey * t;
        best = smaller(best, dx * dx + dy * dy);
        bool above = y >= a[1], below = y<b[1], left = ex * wy> ey * wx;
        if ((above && below && left) || (!above && !below && !left)) inside = !inside;
    }
    return inside ? -sqrt(best) : sqrt(best);
}

static double lathe(const supi_form* form, const double p[3]) {
    double out = sqrt(p[0] * p[0] + p[2] * p[2]);
    return polygon(form->corner_count, form->corners, out, p[1]) - form->number[0];
}

static double prism(const supi_form* form, const double p[3]) {
    double across = polygon(form->corner_count, form->corners, p[0], p[1]);
    double along = fabs(p[2]) - form->number[1], round = form->number[0];
    if (across <= 0 && along <= 0) return larger(across, along) - round;
    if (across <= 0) return along - round;
    if (along <= 0) return across - round;
    return sqrt(across * across + along * along) - round;
}

/* Squared distance to the edge that begins at a. */
static double edge_square(const double from_a[3], const double edge[3]) {
    double t = supi_vector_dot(from_a, edge) / supi_vector_dot(edge, edge), off[3];
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) off[k] = from_a[k] - t * edge[k];
    return supi_vector_dot(off, off);
}

static double triangle(const double number[10], const double p[3]) {
    double edge[3][3], from[3][3], normal[3], across[3], best = 1e300;
    for (int i = 0; i < 3; i++) {
        supi_vector_subtract(number + 3 * ((i + 1) % 3), number + 3 * i, edge[i]);
        supi_vector_subtract(p, number + 3 * i, from[i]);
    }
    supi_vector_cross(edge[0], edge[1], normal);
    bool over = true;
    for (int i = 0; i < 3; i++) {
        supi_vector_cross(edge[i], normal, across);
        if (supi_vector_dot(across, from[i]) > 0) over = false;
    }
    if (over) {
        double high = supi_vector_dot(normal, from[0]);
        return fabs(high) / supi_vector_length(normal) - number[9];
    }
    for (int i = 0; i < 3; i++) best = smaller(best, edge_square(from[i], edge[i]));
    return sqrt(best) - number[9];
}

static double join(const supi_form* form, const double p[3]) {
    double blend = form->number[0], best = supi_form_value(form->parts[0], p);
    for (int32_t i = 1; i < form->part_count; i++) {
        double reach = best + blend;
        double square = supi_form_box_square(form->parts[i], p);
        if (square > 0 && (reach <= 0 || square >= reach * reach)) continue;
        best = supi_form_blend(best, supi_form_value(form->parts[i], p), blend);
    }
    return best;
}

static double cut(const supi_form* form, const double p[3]) {
    double blend = form->number[0], kept = supi_form_value(form->parts[0], p);
    double square = supi_form_box_square(form->parts[1], p), reach = blend - kept;
    if (square > 0 && (reach <= 0 || square >= reach * reach)) return kept;
    return -supi_form_blend(-kept, supi_form_value(form->parts[1], p), blend);
}

/* The value of a warped part may be much below the distance; far out its box says more. */
static double at_least_box(const supi_form* form, const double p[3], double value) {
    double square = supi_form_box_square(form, p);
    return square > 0 ? larger(value, sqrt(square)) : value;
}

static double place(const supi_form* form, const double p[3]) {
    double at[3];
    supi_form_enter(form, p, at);
    return at_least_box(form, p, supi_form_value(form->parts[0], at) * form->number[12]);
}

static double mirror(const supi_form* form, const double p[3]) {
    double at[3] = {p[0], p[1], p[2]};
    at[form->axis] = fabs(at[form->axis]);
    return supi_form_value(form->parts[0], at);
}

/* The part as seen from a place that is turned back by one of the turns. */
static void turn_back(const supi_form* form, int32_t turn, const double p[3], double out[3]) {
    const double* by = form->corners[(turn + form->corner_count) % form->corner_count];
    out[0] = p[0] * by[0] - p[2] * by[1];
    out[1] = p[1];
    out[2] = p[0] * by[1] + p[2] * by[0];
}

static double ring(const supi_form* form, const double p[3]) {
    double angle = supi_atan2(-p[2], p[0]) / form->number[0], at[3];
    int32_t turn = (int32_t)floor(angle + 0.5); /* below the count: it is of pi / number */
    turn_back(form, turn, p, at);
    double best = supi_form_value(form->parts[0], at);
    turn_back(form, angle < turn ? turn - 1 : turn + 1, p, at);
    double square = supi_form_box_square(form->parts[0], at);
    if (square > 0 && (best <= 0 || square >= best * best)) return best;
    return smaller(best, supi_form_value(form->parts[0], at));
}

static double twist(const supi_form* form, const double p[3]) {
    double angle = form->number[0] * p[1], x = p[0], z = p[2];
    double square = x * x + z * z, most = form->number[1];
    if (square > most * most) {
        double pull = most / sqrt(square);
        x *= pull;
        z *= pull;
    }
    double c = supi_cos(angle), s = supi_sin(angle);
    const double at[3] = {x * c - z * s, p[1], x * s + z * c};
    return at_least_box(form, p, supi_form_value(form->parts[0], at) / form->number[2]);
}

/* Inside of the innermost circle lengths along the arc grow without end, and the value shrinks as
   much; there the distance to that circle says more. */
static double bend(const supi_form* form, const double p[3]) {
    const double* number = form->number;
    double radius = number[0], sign = number[1], x = p[0], y = radius - sign * p[1];
    double angle = supi_atan2(x, y), r = sqrt(x * x + y * y);
    double at[3] = {angle * radius, sign * (radius - r), p[2]};
    if (angle < number[2] || angle > number[3]) { /* straight on from the end of the arc */
        double end = angle < number[2] ? number[2] : number[3];
        double c = supi_cos(end), s = supi_sin(end);
        at[0] = end * radius + x * c - y * s;
        at[1] = sign * (radius - x * s - y * c);
    }
    double value = supi_form_value(form->parts[0], at) * smaller(r, number[5]) / radius;
    return at_least_box(form, p, larger(value, number[4] - r));
}

double supi_form_value(const supi_form* form, const double p[3]) {
    switch (form->kind) {
    case SUPI_FORM_ELLIPSOID: return ellipsoid(form->number, p);
    case SUPI_FORM_CAPSULE: return capsule(form->number, p);
    case SUPI_FORM_TORUS: return torus(form->number, p);
    case SUPI_FORM_BOX: return box(form->number, p);
    case SUPI_FORM_PRISM: return prism(form, p);
    case SUPI_FORM_LATHE: return lathe(form, p);
    case SUPI_FORM_TRIANGLE: return triangle(form->number, p);
    case SUPI_FORM_JOIN: return join(form, p);
    case SUPI_FORM_CUT: return cut(form, p);
    case SUPI_FORM_SWELL: return supi_form_value(form->parts[0], p) - form->number[0];
    case SUPI_FORM_PLACE: return place(form, p);
    case SUPI_FORM_MIRROR: return mirror(form, p);
    case SUPI_FORM_RING: return ring(form, p);
    case SUPI_FORM_TWIST: return twist(form, p);
    case SUPI_FORM_BEND: break;
    }
    return bend(form, p);
}

void supi_form_normal(const supi_form* form, const double place[3], double step, double out[3]) {
    static const double sides[4][3] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
    for (int k = 0; k < 3; k++) out[k] = 0;
    for (int i = 0; i < 4; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = place[k] + step * sides[i][k];
        double value = supi_form_value(form, at);
        for (int k = 0; k < 3; k++) out[k] += value * sides[i][k];
    }
    double length = supi_vector_length(out);
    for (int k = 0; k < 3; k++) out[k] = length > 0 ? out[k] / length : 0;
}
