#include "solve/wind.h"

#include "geom/quaternion.h"
#include "geom/vector.h"

#include <math.h>

/* ---- Gusts ---- */

/* Values at the corners of one cell of the lattice of gusts, at one time. Neighbouring faces lie in
   the same cell mostly. */
typedef struct gust_cell {
    double at[3]; /* the cell, in cells; NaN: none yet */
    double corner[8][3];
} gust_cell;

static uint64_t stir(uint64_t a) {
    a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
    a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
    return a ^ (a >> 31);
}

/* Whole numbers of any size are told apart by their bits; -0 and 0 are one. */
static uint64_t bits_of(double whole) {
    union {
        double number;
        uint64_t bits;
    } u = {.number = whole + 0.0};
    return u.bits;
}

/* Three numbers of -1 .. 1 for a corner of the lattice of places and times. */
static void draw(int32_t seed, const double place[3], double time, double out[3]) {
    uint64_t a = stir((uint64_t)seed + 0x9e3779b97f4a7c15u);
    for (int k = 0; k < 3; k++) a = stir(a + 0x9e3779b97f4a7c15u + bits_of(place[k]));
    a = stir(a + 0x9e3779b97f4a7c15u + bits_of(time));
    for (int k = 0; k < 3; k++) {
        out[k] = (double)((a >> (21 * k)) & 0x1fffff) / 1048575.5 - 1.0;
    }
}

/* From 0 to 1, with no speed and no bend at both ends. */
static double ease(double t) { return t * t * t * (t * (6.0 * t - 15.0) + 10.0); }

static double mix(double a, double b, double share) { return a + share * (b - a); }

static void fill_cell(const sup_wind* wind, double time, const double at[3], gust_cell* cell) {
    double t = time / wind->gust_time, whole = floor(t), share = ease(t - whole);
    for (int k = 0; k < 3; k++) cell->at[k] = at[k];
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {at[0] + (i & 1), at[1] + ((i >> 1) & 1), at[2] + (i >> 2)};
        double from[3], to[3];
        draw(wind->seed, corner, whole, from);
        draw(wind->seed, corner, whole + 1.0, to);
        for (int k = 0; k < 3; k++) cell->corner[i][k] = mix(from[k], to[k], share);
    }
}

static void blow(const sup_wind* wind, double time, const double place[3], gust_cell* cell,
                 double velocity[3]) {
    double at[3], share[3];
    for (int k = 0; k < 3; k++) velocity[k] = wind->velocity[k];
    if (!(wind->gust > 0.0)) return;
    for (int k = 0; k < 3; k++) {
        double p = place[k] / wind->gust_length;
        at[k] = floor(p);
        share[k] = ease(p - at[k]);
    }
    if (!(at[0] == cell->at[0] && at[1] == cell->at[1] && at[2] == cell->at[2])) {
        fill_cell(wind, time, at, cell);
    }
    for (int k = 0; k < 3; k++) {
        double plane[2];
        for (int z = 0; z < 2; z++) {
            const double(*c)[3] = (const double(*)[3])cell->corner + 4 * z;
            plane[z] =
                mix(mix(c[0][k], c[1][k], share[0]), mix(c[2][k], c[3][k], share[0]), share[1]);
        }
        velocity[k] += wind->gust * mix(plane[0], plane[1], share[2]);
    }
}

void supi_wind_at(const sup_wind* wind, double time, const double place[3], double velocity[3]) {
    gust_cell cell = {.at = {NAN, NAN, NAN}};
    blow(wind, time, place, &cell, velocity);
}

/* ---- Faces ---- */

/* The force on a face across which the air goes with `r`, m/s; n its unit normal. */
static void press(const supi_wind_job* job, double area, const double n[3], const double r[3],
                  double mass, double force[3]) {
    double speed = supi_vector_length(r), into = supi_vector_dot(r, n);
    double half = 0.5 * job->wind->density * area, square = 0.0;
    for (int k = 0; k < 3; k++) {
        double through = into * n[k];
        force[k] =
            half * (job->across * fabs(into) * through + job->along * speed * (r[k] - through));
        square += force[k] * force[k];
    }
    double most = 0.5 * mass * speed / job->h;
    if (!(square > most * most)) return;
    for (int k = 0; k < 3; k++) force[k] *= most / sqrt(square);
}

void supi_wind_push(const supi_wind_job* job, int32_t begin, int32_t end, const sup_row* x,
                    const sup_row* v, sup_row* push) {
    gust_cell cell = {.at = {NAN, NAN, NAN}};
    for (int32_t f = begin; f < end; f++) {
        const int32_t* rows = job->faces->rows + SUPI_PATCH_CORNERS * f;
        double at[3][3], middle[3], r[3], speed[3] = {0, 0, 0}, n[3], force[3];
        for (int c = 0; c < 3; c++) {
            double u[3];
            supi_vector_of_row(x + rows[c], at[c]);
            supi_vector_of_row(v + rows[c], u);
            for (int k = 0; k < 3; k++) speed[k] += u[k] / 3.0;
        }
        for (int k = 0; k < 3; k++) {
            middle[k] = job->origin[k] + (at[0][k] + at[1][k] + at[2][k]) / 3.0;
        }
        blow(job->wind, job->time, middle, &cell, r);
        supi_vector_subtract(r, speed, r);
        supi_vector_subtract(at[1], at[0], at[1]);
        supi_vector_subtract(at[2], at[0], at[2]);
        supi_vector_cross(at[1], at[2], n);
        double twice = supi_vector_length(n);
        if (!(twice > 0.0)) continue;
        for (int k = 0; k < 3; k++) n[k] /= twice;
        press(job, 0.5 * twice, n, r, (double)job->masses[f], force);
        push[f].x += (float)force[0];
        push[f].y += (float)force[1];
        push[f].z += (float)force[2];
    }
}

/* ---- Ellipsoids ---- */

#define PI 3.14159265358979323846

/* Columns of the matrix that takes the axes of a ball to the present. */
static void axes_of(const supi_wind_balls* balls, int32_t row, double m[9]) {
    const sup_quat *q = balls->turn + row, *a = balls->axes + row;
    const double turn[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    const double rest[4] = {(double)a->x, (double)a->y, (double)a->z, (double)a->w};
    double both[4];
    supi_quaternion_product(turn, rest, both);
    supi_quaternion_matrix(both, m);
}

void supi_wind_carry(const supi_wind_job* job, const supi_wind_balls* balls, sup_row* x,
                     sup_row* v) {
    gust_cell cell = {.at = {NAN, NAN, NAN}};
    for (int32_t r = 0; r < balls->count; r++) {
        const sup_row* radii = balls->radii + r;
        const double reach[3] = {(double)radii->x, (double)radii->y, (double)radii->z};
        double mass = (double)balls->mass[r], place[3], speed[3], air[3], m[9];
        double change[3] = {0, 0, 0};
        if (!(mass > 0.0) || !(x[r].w > 0.0f)) continue;
        supi_vector_of_row(x + r, place);
        supi_vector_of_row(v + r, speed);
        for (int k = 0; k < 3; k++) place[k] += job->origin[k];
        blow(job->wind, job->time, place, &cell, air);
        supi_vector_subtract(air, speed, air);
        axes_of(balls, r, m);
        for (int k = 0; k < 3; k++) {
            const double n[3] = {m[k], m[3 + k], m[6 + k]};
            double area = PI * reach[(k + 1) % 3] * reach[(k + 2) % 3], force[3];
            press(job, area, n, air, mass / 3.0, force);
            for (int i = 0; i < 3; i++) change[i] += job->h * force[i] / mass;
        }
        v[r] = (sup_row){v[r].x + (float)change[0], v[r].y + (float)change[1],
                         v[r].z + (float)change[2], v[r].w};
        x[r] = (sup_row){x[r].x + (float)(job->h * change[0]), x[r].y + (float)(job->h * change[1]),
                         x[r].z + (float)(job->h * change[2]), x[r].w};
    }
}
