/* Where a surface that is strained too far opens. A spring that is overloaded does not part along
   itself but across: one of its two particles does, and the polygons on both sides of the plane
   through it, at a right angle to the spring, go their own ways. So a crack runs across the pull,
   from particle to particle, and no material is lost: every spring that lies along the crack goes
   on as two, one for each of its polygons, and only those that cross the crack are gone. */
#include "geom/sort.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

typedef struct tearing {
    const sup_blueprint* b;
    supi_tear* t;
    sup_row *x, *v, *past;
    int32_t fan_count; /* of t->fan, with their sides and groups */
    int32_t group_count;
    int32_t queue_begin, queue_count; /* of t->queue, a ring */
} tearing;

/* ---- Corners at a row ---- */

static int32_t next_corner(const tearing* w, int32_t c) {
    int32_t p = w->b->tears->polygons[c];
    return c + 1 < w->b->starts[p + 1] ? c + 1 : w->b->starts[p];
}

static int32_t last_corner(const tearing* w, int32_t c) {
    int32_t p = w->b->tears->polygons[c];
    return c > w->b->starts[p] ? c - 1 : w->b->starts[p + 1] - 1;
}

static void take_fan(tearing* w, int32_t row) {
    const supi_tears* tears = w->b->tears;
    int32_t origin = w->t->origin[row];
    w->fan_count = 0;
    for (int32_t i = tears->fan_starts[origin]; i < tears->fan_starts[origin + 1]; i++) {
        if (w->t->rows[tears->fans[i]] != row) continue;
        w->t->side[w->fan_count] = 0;
        w->t->fan[w->fan_count++] = tears->fans[i];
    }
}

/* Has the polygon of corner c an edge from there to `row`? */
static bool reaches(const tearing* w, int32_t c, int32_t row) {
    return w->t->rows[next_corner(w, c)] == row || w->t->rows[last_corner(w, c)] == row;
}

/* Do two polygons at a row share an edge that starts there? */
static bool joined(const tearing* w, int32_t c, int32_t d) {
    return reaches(w, d, w->t->rows[next_corner(w, c)]) ||
           reaches(w, d, w->t->rows[last_corner(w, c)]);
}

/* On which side of the plane through the row each polygon lies; false: all on the same. */
static bool take_sides(tearing* w, int32_t row, int32_t other) {
    const sup_row *p = w->x + row, *q = w->x + other;
    const double along[3] = {(double)q->x - (double)p->x, (double)q->y - (double)p->y,
                             (double)q->z - (double)p->z};
    int32_t beyond = 0;
    for (int32_t i = 0; i < w->fan_count; i++) {
        int32_t polygon = w->b->tears->polygons[w->t->fan[i]];
        double sum = 0.0;
        for (int32_t c = w->b->starts[polygon]; c < w->b->starts[polygon + 1]; c++) {
            const sup_row* at = w->x + w->t->rows[c];
            sum += along[0] * ((double)at->x - (double)p->x) +
                   along[1] * ((double)at->y - (double)p->y) +
                   along[2] * ((double)at->z - (double)p->z);
        }
        w->t->side[i] = sum > 0.0;
        beyond += w->t->side[i];
    }
    return beyond > 0 && beyond < w->fan_count;
}

/* Polygons of one side that hang together by edges are a group. */
static void find_groups(tearing* w) {
    int32_t *group = w->t->group, *fan = w->t->fan;
    w->group_count = 0;
    for (int32_t i = 0; i < w->fan_count; i++) group[i] = -1;
    for (int32_t i = 0; i < w->fan_count; i++) {
        if (group[i] >= 0) continue;
        group[i] = w->group_count;
        for (bool grew = true; grew;) {
            grew = false;
            for (int32_t j = 0; j < w->fan_count; j++) {
                for (int32_t k = 0; group[j] < 0 && k < w->fan_count; k++) {
                    bool near = group[k] == w->group_count && w->t->side[j] == w->t->side[k];
                    if (!near || !joined(w, fan[j], fan[k])) continue;
                    group[j] = w->group_count;
                    grew = true;
                }
            }
        }
        w->group_count++;
    }
}

/* Edges at the row that are on the rim of the surface. */
static int32_t count_rims(const tearing* w) {
    int32_t rims = 0;
    for (int32_t i = 0; i < w->fan_count; i++) {
        const int32_t c = w->t->fan[i];
        const int32_t ends[2] = {w->t->rows[next_corner(w, c)], w->t->rows[last_corner(w, c)]};
        for (int k = 0; k < 2; k++) {
            bool shared = false;
            for (int32_t j = 0; j < w->fan_count && !shared; j++) {
                shared = j != i && reaches(w, w->t->fan[j], ends[k]);
            }
            rims += !shared;
        }
    }
    return rims;
}

/* ---- Parting ---- */

static double group_area(const tearing* w, int32_t group) {
    double area = 0.0;
    for (int32_t i = 0; i < w->fan_count; i++) {
        if (w->t->group[i] == group) area += (double)w->b->tears->areas[w->t->fan[i]];
    }
    return area;
}

/* The group that stays: of a pinned row one that is not pulled away, else the largest. */
static int32_t staying_group(const tearing* w, int32_t row) {
    int32_t best = 0;
    for (int32_t i = 0; !(w->t->inverse_mass[row] > 0.0f) && i < w->fan_count; i++) {
        if (w->t->side[i] == 0) return w->t->group[i];
    }
    for (int32_t g = 1; g < w->group_count; g++) {
        if (group_area(w, g) > group_area(w, best)) best = g;
    }
    return best;
}

/* A spare row takes over a group, and its share of the mass. The two weigh what the one has
   weighed, to the last bit. `area`: of all that still is at the row. */
static bool split_off(tearing* w, int32_t row, int32_t group, double area) {
    supi_tear* t = w->t;
    if (t->torn == w->b->spare_count) return false;
    double share = area > 0.0 ? group_area(w, group) / area : 0.5;
    float stays = t->mass[row] - (float)(share * (double)t->mass[row]);
    float goes = t->mass[row] - stays;
    if (!(stays >= 1e-30f && goes >= 1e-30f)) return false;
    int32_t spare = supi_tears_rows(w->b) + t->torn++;
    t->mass[row] = stays;
    t->mass[spare] = goes;
    t->origin[spare] = t->origin[row];
    t->inverse_mass[spare] = 1.0f / goes;
    if (t->inverse_mass[row] > 0.0f) t->inverse_mass[row] = 1.0f / stays;
    for (int32_t i = 0; i < w->fan_count; i++) {
        if (t->group[i] == group) t->rows[t->fan[i]] = spare;
    }
    w->x[spare] = w->x[row];
    w->v[spare] = w->v[row];
    w->past[spare] = w->past[row];
    w->x[spare].w = t->inverse_mass[spare];
    w->x[row].w = t->inverse_mass[row];
    return true;
}

/* Rows of the polygons around are eased: what is torn there has to be seen before more is. Those at
   the other ends of edges may hang by nothing but a point now. */
static void ease(tearing* w) {
    supi_tear* t = w->t;
    for (int32_t i = 0; i < w->fan_count; i++) {
        int32_t polygon = w->b->tears->polygons[t->fan[i]];
        for (int32_t c = w->b->starts[polygon]; c < w->b->starts[polygon + 1]; c++) {
            int32_t row = t->rows[c];
            t->eased[row] = true;
            if (t->queued[row]) continue;
            t->queued[row] = true;
            t->queue[(w->queue_begin + w->queue_count++) % w->b->row_count] = row;
        }
    }
}

/* Parts a row whose groups are found; false: they are one, or there is no spare row. */
static bool part(tearing* w, int32_t row) {
    if (w->group_count < 2) return false;
    int32_t stays = staying_group(w, row);
    bool parted = false;
    double area = 0.0;
    for (int32_t g = 0; g < w->group_count; g++) area += group_area(w, g);
    for (int32_t g = 0; g < w->group_count; g++) {
        if (g == stays) continue;
        if (!split_off(w, row, g, area)) break;
        area -= group_area(w, g);
        parted = true;
    }
    if (parted) ease(w);
    return parted;
}

/* Polygons that only a point joins come apart. */
static void part_points(tearing* w) {
    while (w->queue_count > 0) {
        int32_t row = w->t->queue[w->queue_begin];
        w->queue_begin = (w->queue_begin + 1) % w->b->row_count;
        w->queue_count--;
        w->t->queued[row] = false;
        take_fan(w, row);
        find_groups(w);
        part(w, row);
    }
}

/* ---- Which ---- */

/* What a spring of this length bears, as a share of what it may bear. What a strain limit pulls
   back counts as strain that it would have. */
static double load_of(const sup_spring_settings* settings, const supi_brace_rules* rules,
                      const sup_spring* s, double length) {
    double k = (double)s->stiffness, rest = (double)s->length;
    double braced = supi_brace_pull(rules, s, length), load = 0.0;
    if (settings->tear > 0.0) {
        load = (length - rest + (k > 0.0 ? braced / k : 0.0)) / (settings->tear * rest);
    }
    if (settings->tear_force > 0.0) {
        double by_force = (k * (length - rest) + braced) / settings->tear_force;
        load = by_force > load ? by_force : load;
    }
    return load;
}

/* Springs along the surface that bear more than they may, the most loaded first. */
static int32_t find_overloaded(const tearing* w, const supi_body* body) {
    supi_tear* t = w->t;
    const supi_brace_rules rules = supi_limit_rules(body);
    int32_t count = 0, room = w->b->tears->spring_most;
    for (int32_t i = 0; i < t->spring_count; i++) {
        const sup_spring* s = t->springs + i;
        if (s->kind > SUP_SPRING_SHEAR) continue;
        const sup_row *p = w->x + s->a, *q = w->x + s->b;
        double d[3] = {(double)q->x - (double)p->x, (double)q->y - (double)p->y,
                       (double)q->z - (double)p->z};
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], rest = (double)s->length;
        if (!(square > rest * rest) || !(rest > 0.0)) continue;
        double load = load_of(&body->springs, &rules, s, sqrt(square));
        if (!(load > 1.0)) continue;
        memcpy(t->keys + count, &load, sizeof load);
        t->keys[count] = ~t->keys[count]; /* numbers above 0 are ordered as their bits are */
        t->order[count++] = i;
    }
    supi_sort_keys(count, t->keys, t->order, t->keys + room, t->order + room);
    return count;
}

/* How well a row would part across the pull of `other`; < 0: not at all. Cracks rather go on than
   begin. */
static int32_t readiness(tearing* w, int32_t row, int32_t other) {
    take_fan(w, row);
    return take_sides(w, row, other) ? count_rims(w) : -1;
}

static bool open_spring(tearing* w, const sup_spring* s) {
    if (w->t->eased[s->a] || w->t->eased[s->b]) return false;
    int32_t first = readiness(w, s->a, s->b), second = readiness(w, s->b, s->a);
    int32_t row = second > first ? s->b : s->a, other = row == s->a ? s->b : s->a;
    if (first < 0 && second < 0) return false;
    take_fan(w, row);
    take_sides(w, row, other);
    find_groups(w);
    if (!part(w, row)) return false;
    part_points(w);
    return true;
}

void supi_tear_open(supi_body* body, sup_row* x, sup_row* v) {
    const sup_spring_settings* s = &body->springs;
    if (!supi_tear_of(body) || !(s->tear > 0.0 || s->tear_force > 0.0)) return;
    tearing w = {.b = body->blueprint,
                 .t = body->elastic->tear,
                 .x = x,
                 .v = v,
                 .past = body->elastic->past.rows};
    if (w.t->torn == w.b->spare_count) return;
    int32_t count = find_overloaded(&w, body);
    if (count == 0) return;
    bool opened = false;
    memset(w.t->eased, 0, (size_t)w.b->row_count * sizeof *w.t->eased);
    for (int32_t i = 0; i < count; i++) {
        opened |= open_spring(&w, w.t->springs + w.t->order[i]);
    }
    if (opened) supi_tear_derive(body);
}
