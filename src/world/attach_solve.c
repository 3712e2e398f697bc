/* What attachments do in a step.

   A constraint with compliance, multiplier and damping (Macklin et al. 2016): the gap between both
   ends as a vector where they are to coincide, or its length along a line. Impulses are equal and
   opposite, so that the momentum of the two stays. So does the angular momentum, as long as the
   impulse is along the gap at the start of the substep, where x was before v moved it. Hence
   - a distance is corrected along the line at the start (Ryckaert et al. 1977);
   - a spring that is soft for this substep pulls by the gap at its start, which does not damp
     either; the harder it is, the more by the gap at the end, which any stiffness can bear. */
#include "geom/sort.h"
#include "geom/vector.h"
#include "world/lever.h"
#include "world/spring_holds.h"

#include <math.h>
#include <string.h>

/* A gap that was there before the substep closes no faster than this, in body units/s: the way
   becomes speed, and a body that is attached from afar should be reeled in, not hurled. */
#define CLOSING_SPEED 4.0

/* One end that corrections may move. */
typedef struct side {
    sup_row *x, *v;
    double inverse_mass; /* 1/kg; 0: held */
    bool rigid;          /* the whole cluster answers: */
    supi_lever lever;
    const supi_body* springs; /* all its springs answer; NULL: they do not: */
    const supi_hold* hold;
    supi_hold* leader; /* another attachment holds it where it is, and feels what pulls at it */
} side;

/* The gap as it is. */
typedef struct gap {
    double c[3]; /* m, from what holds to what is held */
    double u[3]; /* m in this substep, how it moved */
} gap;

static side side_of(const sup_world* world, int32_t body, int32_t row, int32_t hold) {
    side s = {0};
    if (body < 0) return s;
    s.x = world->now.x + row;
    s.v = world->now.v + row;
    if (!supi_body_still(world->bodies + body)) s.inverse_mass = (double)s.x->w;
    s.rigid = supi_lever_make(world, world->bodies + body, row, &s.lever);
    if (hold < 0 || !(s.inverse_mass > 0.0)) return s;
    s.hold = world->spring_holds + hold;
    s.leader = s.hold->leader;
    if (s.leader) s.inverse_mass = 0.0;
    if (s.hold->answers) s.springs = world->bodies + body;
    return s;
}

/* ---- Start of a step ---- */

static int32_t row_of(const sup_world* world, int32_t body, int32_t particle) {
    if (body < 0) return -1;
    const supi_body* b = world->bodies + body;
    return b->row + b->blueprint->row_of[particle];
}

static void sort_exempt(sup_world* world, uint64_t* keys, int32_t count) {
    int32_t* ids = world->exempt_id_column.items;
    for (int32_t i = 0; i < count; i++) ids[i] = i;
    if (count > 1) supi_sort_keys(count, keys, ids, keys + count, ids + count);
}

/* What is attached does not meet. Room was made when the attachments were. */
static void exempt(sup_world* world) {
    uint64_t *couples = world->couple_column.items, *holds = world->hold_column.items;
    int32_t couple_count = 0, hold_count = 0;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body < 0) continue;
        if (a->collider >= 0) holds[hold_count++] = (uint64_t)a->row << 32 | (uint32_t)a->collider;
        if (a->other < 0 || a->other == a->body || a->def.meet) continue;
        uint64_t low = (uint64_t)(a->body < a->other ? a->body : a->other);
        uint64_t high = (uint64_t)(a->body < a->other ? a->other : a->body);
        couples[couple_count++] = low << 32 | high;
    }
    sort_exempt(world, couples, couple_count);
    sort_exempt(world, holds, hold_count);
    world->exemptions = (supi_exemptions){couples, holds, couple_count, hold_count};
}

void supi_attach_begin(sup_world* world) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        const sup_attachment_def* d = &a->def;
        memset(a->sum, 0, sizeof a->sum);
        a->body = a->other = a->collider = -1;
        if (!supi_attach_whole(world, a)) {
            supi_attach_wake(world, a);
            continue;
        }
        a->body = supi_pool_find(&world->body_pool, d->body.slot, d->body.age);
        a->other = supi_pool_find(&world->body_pool, d->other.slot, d->other.age);
        a->collider = supi_pool_find(&world->collider_pool, d->collider.slot, d->collider.age);
        a->row = row_of(world, a->body, d->particle);
        a->other_row = row_of(world, a->other, d->other_particle);
        if (a->other < 0) supi_attach_place(world, a, 0.0, a->target);
    }
    exempt(world);
}

/* ---- One sweep ---- */

/* How far an end went in this substep. One that stands still may have kept a velocity for later. */
static void add_move(const sup_world* world, int32_t body, const sup_row* v, double factor,
                     double u[3]) {
    if (supi_body_still(world->bodies + body)) return;
    u[0] += factor * (double)v->x;
    u[1] += factor * (double)v->y;
    u[2] += factor * (double)v->z;
}

/* Differences are taken in double, as anchors may be far from the origin and from each other. */
static gap gap_of(const sup_world* world, const supi_attachment* a, const side* held,
                  const side* holds, double h) {
    gap g = {{0, 0, 0}, {0, 0, 0}};
    const double* anchor = world->bodies[a->body].anchor;
    const double x[3] = {(double)held->x->x, (double)held->x->y, (double)held->x->z};
    add_move(world, a->body, held->v, h, g.u);
    if (a->other >= 0) {
        const double* from = world->bodies[a->other].anchor;
        const double y[3] = {(double)holds->x->x, (double)holds->x->y, (double)holds->x->z};
        for (int k = 0; k < 3; k++) g.c[k] = (anchor[k] - from[k]) + (x[k] - y[k]);
        add_move(world, a->other, holds->v, -h, g.u);
    } else {
        for (int k = 0; k < 3; k++) {
            g.c[k] = (anchor[k] - a->target[k]) + x[k];
            g.u[k] -= a->target[k] - a->last_target[k];
        }
    }
    return g;
}

/* Is it a distance that is corrected, along a line? Ends that are still far from each other are
 * reeled in that way too. */
static bool is_line(const supi_attachment* a) { return a->def.length > 0.0 || a->keep > 0.0; }

/* A line for the whole substep: that of its start, which keeps angular momentum; or the present one
   where it has turned far, or where whole bodies answer, which would gain energy otherwise. */
static void choose_line(supi_attachment* a, const gap* g, bool rigid) {
    double start = sqrt(supi_vector_dot(a->start, a->start)),
           now = sqrt(supi_vector_dot(g->c, g->c));
    bool turned = rigid || supi_vector_dot(a->start, g->c) <= 0.5 * start * now;
    const double* line = turned ? g->c : a->start;
    double length = turned ? now : start;
    for (int k = 0; k < 3; k++) a->along[k] = length > 0.0 ? line[k] / length : k == 1;
}

double supi_attach_keep(const sup_world* world, const supi_attachment* a, const double start[3],
                        double h) {
    double old = fabs(sqrt(supi_vector_dot(start, start)) - a->def.length);
    double most = CLOSING_SPEED * h * world->bodies[a->body].unit;
    return a->def.stiffness > 0.0 || old <= most ? 0.0 : 1.0 - most / old;
}

/* kg m that the substep has taken already to lead one of its ends. */
static void led_pull(const sup_world* world, int32_t index, double h, double pull[3]) {
    if (index < 0) return;
    const supi_hold* hold = world->spring_holds + index;
    for (int k = 0; k < 3; k++) pull[k] += (hold->other ? -h : h) * hold->impulse[k];
}

/* What does not change between the sweeps of a substep. */
static void begin_substep(const sup_world* world, supi_attachment* a, const gap* g, bool rigid,
                          double h) {
    for (int k = 0; k < 3; k++) {
        a->start[k] = g->c[k] - g->u[k];
        a->pull[k] = 0.0;
    }
    led_pull(world, a->hold, h, a->pull);
    led_pull(world, a->other_hold, h, a->pull);
    a->keep = supi_attach_keep(world, a, a->start, h);
    if (is_line(a)) choose_line(a, g, rigid);
}

/* How strongly the constraint answers. */
typedef struct answer {
    double weight;     /* 1/kg, of both ends */
    double compliance; /* 1/kg: 1 / (stiffness h^2) */
    double damping;    /* share of the move that it adds to the gap */
    double end;        /* share of the gap at the end of the substep in what pulls */
} answer;

static answer answer_of(const sup_attachment_def* d, double weight, double h) {
    answer r = {weight, 0.0, 0.0, 1.0};
    if (d->stiffness > 0.0) {
        r.compliance = 1.0 / (d->stiffness * h * h);
        r.damping = d->damping / (d->stiffness * h);
        /* The gap at the start alone is stable up to weight / compliance = 4; a quarter leaves room
           for other attachments and the body's own stiffness. */
        double soft = 0.25 * r.compliance / weight;
        r.end = soft < 1.0 ? 1.0 - soft : 0.0;
    }
    return r;
}

/* What draws the ends together, along one component. */
static double error_of(const answer* r, double keep, double start, double end) {
    return r->end * (end - keep * start) + (1.0 - r->end) * start;
}

/* Change of the multiplier for one component; `slope`: how the gap answers to it. */
static double change_of(const answer* r, double keep, double start, double end, double slope,
                        double move, double pull) {
    return -(error_of(r, keep, start, end) + r->compliance * pull + r->damping * move) /
           ((r->end * slope + r->damping) * r->weight + r->compliance);
}

static void pull_together(const supi_attachment* a, const gap* g, const answer* r, double pull[3]) {
    for (int k = 0; k < 3; k++) {
        pull[k] =
            a->pull[k] + change_of(r, a->keep, a->start[k], g->c[k], 1.0, g->u[k], a->pull[k]);
    }
}

/* The same where a push along one axis moves the ends along others, too: `weights` in place of r's.
 */
static void pull_aslant(const supi_attachment* a, const gap* g, const answer* r,
                        const double weights[9], double pull[3]) {
    double m[9], left[3], change[3];
    for (int k = 0; k < 9; k++) {
        double mean = 0.5 * (weights[k] + weights[3 * (k % 3) + k / 3]);
        m[k] = (r->end + r->damping) * mean + (k % 4 == 0 ? r->compliance : 0.0);
    }
    for (int k = 0; k < 3; k++) {
        left[k] = error_of(r, a->keep, a->start[k], g->c[k]) + r->compliance * a->pull[k] +
                  r->damping * g->u[k];
    }
    supi_lever_solve(m, left, change);
    for (int k = 0; k < 3; k++) pull[k] = a->pull[k] - change[k];
}

static void pull_to_length(const supi_attachment* a, const gap* g, const answer* r,
                           double pull[3]) {
    double start = sqrt(supi_vector_dot(a->start, a->start)),
           now = sqrt(supi_vector_dot(g->c, g->c));
    double slope = now > 0.0 ? supi_vector_dot(g->c, a->along) / now : 1.0;
    double sum = supi_vector_dot(a->pull, a->along);
    sum += change_of(r, a->keep, start - a->def.length, now - a->def.length,
                     slope > 0.5 ? slope : 0.5, supi_vector_dot(g->u, a->along), sum);
    for (int k = 0; k < 3; k++) pull[k] = sum * a->along[k];
}

/* Moves an end and gives it the speed of that. */
static void move(const side* s, const double change[3], double sign, double h) {
    if (!(s->inverse_mass > 0.0)) return;
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = sign * s->inverse_mass * change[k];
    s->x->x += (float)d[0];
    s->x->y += (float)d[1];
    s->x->z += (float)d[2];
    s->v->x += (float)(d[0] / h);
    s->v->y += (float)(d[1] / h);
    s->v->z += (float)(d[2] / h);
}

/* 1/kg: how an end moves for a pull at it along each axis, in columns; added. */
static void add_weights(const side* s, double sum[9]) {
    if (s->rigid) {
        supi_lever_weights(&s->lever, sum);
    } else if (s->springs) {
        size_t rows = (size_t)s->springs->blueprint->row_count;
        for (int k = 0; k < 3; k++) {
            const sup_row* to = s->hold->answer + (size_t)k * rows + s->hold->row;
            sum[k] += (double)to->x;
            sum[3 + k] += (double)to->y;
            sum[6 + k] += (double)to->z;
            /* The lock takes what pulls along it. */
            if (s->springs->locked & 1 << k) sum[4 * k] += s->inverse_mass;
        }
    } else {
        for (int k = 0; k < 9; k += 4) sum[k] += s->inverse_mass;
    }
}

/* What both weigh along a unit vector. */
static double weight_along(const double weights[9], const double along[3]) {
    double sum = 0.0;
    for (int k = 0; k < 9; k++) sum += along[k / 3] * weights[k] * along[k % 3];
    return sum;
}

/* What an end weighs along the gap or the line that is corrected. */
static double weight_of(const side* s, const supi_attachment* a, const gap* g) {
    if (!s->rigid && !s->springs) return s->inverse_mass;
    double along[3], weights[9] = {0}, length = sqrt(supi_vector_dot(g->c, g->c));
    for (int k = 0; k < 3; k++) {
        along[k] = is_line(a) ? a->along[k] : length > 0.0 ? g->c[k] / length : k == 1;
    }
    if (s->rigid) return supi_lever_weight(&s->lever, along);
    add_weights(s, weights);
    return weight_along(weights, along);
}

/* All springs of a body answer to a pull at one particle. */
static void move_springs(const sup_world* world, const side* s, const double pull[3], double h) {
    const supi_body* body = s->springs;
    size_t rows = (size_t)body->blueprint->row_count;
    const sup_row *ax = s->hold->answer, *ay = ax + rows, *az = ay + rows;
    sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        const double d[3] = {
            (double)ax[r].x * pull[0] + (double)ay[r].x * pull[1] + (double)az[r].x * pull[2],
            (double)ax[r].y * pull[0] + (double)ay[r].y * pull[1] + (double)az[r].y * pull[2],
            (double)ax[r].z * pull[0] + (double)ay[r].z * pull[1] + (double)az[r].z * pull[2]};
        x[r] = (sup_row){x[r].x + (float)d[0], x[r].y + (float)d[1], x[r].z + (float)d[2], x[r].w};
        v[r] = (sup_row){v[r].x + (float)(d[0] / h), v[r].y + (float)(d[1] / h),
                         v[r].z + (float)(d[2] / h), v[r].w};
    }
    for (int32_t i = 0; i < body->elastic->hold_count; i++) {
        supi_hold* led = body->elastic->holds + i;
        for (int k = 0; led->led && k < 3; k++) {
            const sup_row* taken = s->hold->recoil + 3 * i + k;
            led->passed[0] += (double)taken->x * pull[k];
            led->passed[1] += (double)taken->y * pull[k];
            led->passed[2] += (double)taken->z * pull[k];
        }
    }
}

static void move_side(const sup_world* world, const side* s, const double change[3], double sign,
                      double h) {
    const double pull[3] = {sign * change[0], sign * change[1], sign * change[2]};
    if (s->rigid) {
        supi_lever_move(world, &s->lever, pull, h);
    } else if (s->springs) {
        move_springs(world, s, pull, h);
    } else if (s->leader) {
        for (int k = 0; k < 3; k++) s->leader->passed[k] -= pull[k];
    } else {
        move(s, change, sign, h);
    }
}

/* Where both ends should be pulled to. */
static void find_pull(const supi_attachment* a, const gap* g, const side* held, const side* holds,
                      const answer* r, double pull[3]) {
    double weights[9] = {0};
    if (is_line(a)) {
        pull_to_length(a, g, r, pull);
    } else if (held->springs || holds->springs) {
        add_weights(held, weights);
        add_weights(holds, weights);
        pull_aslant(a, g, r, weights, pull);
    } else {
        pull_together(a, g, r, pull);
    }
}

/* Through explicit steps what is attached was no more than a load: now it feels what springs did to
   the end that carried it. Where both ends did, each has got a part of what holds it from nowhere,
   which both give back alike. */
static bool push_back(const sup_world* world, supi_attachment* a, const side* held,
                      const side* holds, double h) {
    bool loaded = held->hold && held->hold->loaded;
    bool other_loaded = holds->hold && holds->hold->loaded;
    double back[3];
    if (!loaded && !other_loaded) return false;
    if (!other_loaded) {
        move_side(world, holds, a->pull, -1.0, h);
    } else if (!loaded) {
        move_side(world, held, a->pull, 1.0, h);
    } else {
        for (int k = 0; k < 3; k++) {
            back[k] = 0.5 * h * (held->hold->impulse[k] + holds->hold->impulse[k]);
            a->pull[k] *= 0.5;
        }
        move_side(world, held, back, -1.0, h);
        move_side(world, holds, back, -1.0, h);
    }
    return true;
}

static void solve(const sup_world* world, supi_attachment* a, double h, bool first) {
    const side held = side_of(world, a->body, a->row, a->hold);
    const side holds = side_of(world, a->other, a->other_row, a->other_hold);
    gap g = gap_of(world, a, &held, &holds, h);
    bool whole = held.rigid || holds.rigid || held.springs || holds.springs;
    if (first) begin_substep(world, a, &g, whole, h);
    if (first && push_back(world, a, &held, &holds, h)) g = gap_of(world, a, &held, &holds, h);
    const double weight = weight_of(&held, a, &g) + weight_of(&holds, a, &g);
    if (!(weight > 0.0)) return;

    const answer r = answer_of(&a->def, weight, h);
    double pull[3], change[3];
    find_pull(a, &g, &held, &holds, &r, pull);
    double strength = sqrt(supi_vector_dot(pull, pull)), limit = a->def.force_limit * h * h;
    double shrink = limit > 0.0 && strength > limit ? limit / strength : 1.0;
    for (int k = 0; k < 3; k++) change[k] = shrink * pull[k] - a->pull[k];
    double bears = held.rigid ? supi_lever_bears(&held.lever, change) : 1.0;
    double other_bears = holds.rigid ? supi_lever_bears(&holds.lever, change) : 1.0;
    if (other_bears < bears) bears = other_bears;
    for (int k = 0; k < 3; k++) {
        change[k] *= bears;
        a->pull[k] += change[k];
    }
    move_side(world, &held, change, 1.0, h);
    move_side(world, &holds, change, -1.0, h);
}

void supi_attach_aim(sup_world* world, double share) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        if (a->body < 0 || a->other >= 0) continue;
        memcpy(a->last_target, a->target, sizeof a->target);
        supi_attach_place(world, a, share, a->target);
    }
}

void supi_attach_sweep(sup_world* world, float h, bool first) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        if (a->body >= 0) solve(world, a, (double)h, first);
    }
}

/* ---- End of a substep, of a step ---- */

/* kg m that it has pulled at `body` in all. */
static void whole_pull(const sup_world* world, const supi_attachment* a, double pull[3]) {
    const int32_t holds[2] = {a->hold, a->other_hold};
    memcpy(pull, a->pull, sizeof a->pull);
    for (int i = 0; i < 2; i++) {
        if (holds[i] < 0) continue;
        const supi_hold* hold = world->spring_holds + holds[i];
        for (int k = 0; k < 3; k++) pull[k] += (hold->other ? -1.0 : 1.0) * hold->passed[k];
    }
}

void supi_attach_gather(sup_world* world, float h, double share) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        if (a->body < 0) continue;
        double back[3], place[3], pull[3];
        whole_pull(world, a, pull);
        for (int k = 0; k < 3; k++) {
            double impulse = pull[k] / (double)h;
            a->sum[k] += impulse;
            back[k] = -impulse;
        }
        if (a->collider < 0) continue;
        supi_attach_place(world, a, share, place);
        supi_collider_push(world->colliders + a->collider, back, place);
    }
}

/* Both ends stood still through the whole step: what it last felt still holds. */
static bool rests(const sup_world* world, const supi_attachment* a) {
    return supi_body_still(world->bodies + a->body) &&
           (a->other < 0 || supi_body_still(world->bodies + a->other));
}

/* A collider goes on to feel whom it holds asleep. */
static void push_again(sup_world* world, const supi_attachment* a, double dt) {
    if (a->collider < 0 || !(a->dt > 0.0)) return;
    double back[3], place[3];
    for (int k = 0; k < 3; k++) back[k] = -a->impulse[k] * dt / a->dt;
    supi_attach_place(world, a, 1.0, place);
    supi_collider_push(world->colliders + a->collider, back, place);
}

static void settle_one(sup_world* world, supi_attachment* a, double dt) {
    memcpy(a->def.point, a->to_point, sizeof a->to_point);
    memcpy(a->from_point, a->to_point, sizeof a->to_point);
    a->moves = false;
    if (rests(world, a)) {
        push_again(world, a, dt);
        return;
    }
    memcpy(a->impulse, a->sum, sizeof a->sum);
    a->dt = dt;
    double force = sqrt(supi_vector_dot(a->sum, a->sum)) / dt;
    if (!(a->def.break_force > 0.0 && force > a->def.break_force)) return;
    a->doomed = true;
    supi_events_add(world, (sup_event){.kind = SUP_EVENT_ATTACHMENT_BROKEN,
                                       .body = a->def.body,
                                       .other = a->def.other,
                                       .collider = a->def.collider,
                                       .attachment = a->handle,
                                       .value = force});
}

void supi_attach_settle(sup_world* world, double dt) {
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        if (a->body < 0) {
            a->doomed = true;
        } else {
            settle_one(world, a, dt);
        }
    }
    supi_attach_bury(world);
}
