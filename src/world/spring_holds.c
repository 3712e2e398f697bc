#include "world/spring_holds.h"

#include "geom/sort.h"
#include "geom/vector.h"
#include "world/cuts.h"

#include <string.h>

/* Answers are sought to this share of the push: what they lack is a gap that the next sweep finds.
 */
#define ANSWER_TOLERANCE 1e-3
/* The tag of slides that lead rows: no collider. */
enum { LED = -1 };
/* Attachments of a body that it answers to as a whole, at most: each takes three solves. */
enum { ANSWERS_MOST = 64 };
/* What springs cannot stop through explicit steps weighs so many times as much as all of the body.
 */
#define HEAVY_LOAD 20.0
/* A limited force has lost what is further away than this, in body units. */
#define HELD_GAP 1e-4

/* ---- Start of a step ---- */

/* Do springs alone move the particles of the body? */
static bool is_springs(const sup_world* world, int32_t body) {
    return body >= 0 && world->bodies[body].elastic && world->bodies[body].blueprint->loose;
}

/* It does not give way, and draws to one point: */
static bool is_firm(const sup_attachment_def* d) {
    return !(d->stiffness > 0.0) && !(d->length > 0.0);
}

/* and as strongly as that takes. */
static bool is_hard(const sup_attachment_def* d) { return is_firm(d) && !(d->force_limit > 0.0); }

/* Those of others always lead. */
static bool may_answer(const supi_attachment* a) { return a->other >= 0 || !is_hard(&a->def); }

/* Room for `count` holds; `rows`: of the bodies of those that may answer, `paths`: of pins and
   holds. */
static bool reserve(sup_world* world, int32_t count, int64_t rows, int32_t paths) {
    const sup_allocator* a = world->allocator;
    int64_t recoils = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_elastic* e = world->bodies[i].elastic;
        int64_t answers = !e ? 0 : e->answer_count < ANSWERS_MOST ? e->answer_count : ANSWERS_MOST;
        if (answers > 0) recoils += answers * e->hold_count;
    }
    if (3 * rows > INT32_MAX || 3 * recoils > INT32_MAX || count > INT32_MAX / 2) return false;
    world->spring_holds =
        supi_column_reserve(&world->spring_hold_column, a, count, sizeof *world->spring_holds);
    return (world->spring_holds || count == 0) &&
           supi_column_reserve(&world->hold_key_column, a, 2 * count, sizeof(uint64_t)) &&
           supi_column_reserve(&world->hold_id_column, a, 2 * count, sizeof(int32_t)) &&
           supi_column_reserve(&world->path_row_column, a, paths, sizeof(int32_t)) &&
           supi_column_reserve(&world->path_start_column, a, paths, sizeof(sup_vec3)) &&
           supi_column_reserve(&world->path_end_column, a, paths, sizeof(sup_vec3)) &&
           (rows == 0 ||
            (supi_column_reserve(&world->answer_column, a, (int32_t)(3 * rows), sizeof(sup_row)) &&
             supi_column_reserve(&world->recoil_column, a, (int32_t)(3 * recoils),
                                 sizeof(sup_row))));
}

/* How many holds of springs there are, and what room they need. */
static bool make_room(sup_world* world) {
    int32_t count = 0, paths = 0;
    int64_t rows = 0;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        const int32_t bodies[2] = {a->body, a->body < 0 ? -1 : a->other};
        for (int k = 0; k < 2; k++) {
            if (!is_springs(world, bodies[k])) continue;
            const sup_blueprint* print = world->bodies[bodies[k]].blueprint;
            supi_elastic* e = world->bodies[bodies[k]].elastic;
            paths += 1 + (e->hold_count++ == 0 ? print->pin_count : 0);
            if (may_answer(a) && e->answer_count++ < ANSWERS_MOST) rows += print->row_count;
            count++;
        }
    }
    world->spring_hold_count = count;
    return count == 0 || reserve(world, count, rows, paths);
}

/* Both ends of all attachments that hold springs, by row. */
static void sort_holds(sup_world* world) {
    uint64_t* keys = world->hold_key_column.items;
    int32_t *ids = world->hold_id_column.items, count = 0;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body < 0) continue;
        const int32_t bodies[2] = {a->body, a->other}, rows[2] = {a->row, a->other_row};
        for (int k = 0; k < 2; k++) {
            if (!is_springs(world, bodies[k])) continue;
            keys[count] = (uint64_t)rows[k];
            ids[count++] = 2 * i + k;
        }
    }
    supi_sort_keys(count, keys, ids, keys + count, ids + count);
}

/* Where the holds of all bodies, their paths and answers lie. */
static void deal(sup_world* world) {
    const int32_t* ids = world->hold_id_column.items;
    int32_t path = 0;
    size_t answered = 0;
    sup_row* answers = world->answer_column.items;
    for (int32_t i = 0; i < world->spring_hold_count; i++) {
        supi_attachment* a = world->attachments + ids[i] / 2;
        bool other = ids[i] & 1;
        supi_body* body = world->bodies + (other ? a->other : a->body);
        supi_elastic* e = body->elastic;
        supi_hold* hold = world->spring_holds + i;
        *hold = (supi_hold){.attachment = ids[i] / 2,
                            .row = (other ? a->other_row : a->row) - body->row,
                            .other = other};
        *(other ? &a->other_hold : &a->hold) = i;
        if (e->hold_count++ == 0) {
            e->holds = hold;
            e->path = path;
            path += body->blueprint->pin_count;
        }
        path++;
        if (!may_answer(a) || e->answer_count++ >= ANSWERS_MOST) continue;
        hold->answer = answers + answered;
        answered += 3 * (size_t)body->blueprint->row_count;
    }
}

/* And what pushes take elsewhere. */
static void deal_recoils(const sup_world* world) {
    sup_row* recoils = world->recoil_column.items;
    size_t used = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_elastic* e = world->bodies[i].elastic;
        for (int32_t k = 0; e && k < e->hold_count; k++) {
            if (!e->holds[k].answer) continue;
            e->holds[k].recoil = recoils + used;
            used += 3 * (size_t)e->hold_count;
        }
    }
}

static void forget(const sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_elastic* e = world->bodies[i].elastic;
        if (e) e->hold_count = e->answer_count = 0;
    }
}

bool supi_holds_begin(sup_world* world) {
    forget(world);
    for (int32_t i = 0; i < world->attachment_count; i++) {
        world->attachments[i].hold = world->attachments[i].other_hold = -1;
    }
    bool room = make_room(world);
    forget(world);
    if (!room) world->spring_hold_count = 0;
    if (world->spring_hold_count == 0) return room;
    sort_holds(world);
    deal(world);
    deal_recoils(world);
    return true;
}

/* ---- Start of a substep ---- */

static void place_of(const supi_body* body, const supi_state* state, int32_t row, double out[3]) {
    supi_vector_of_row(state->x + row, out);
    for (int k = 0; k < 3; k++) out[k] += body->anchor[k];
}

/* Where the other end of a hold is at the start and at the end of the substep. False: nobody knows
   beforehand. */
static bool holder_place(const sup_world* world, const supi_hold* hold, double from[3],
                         double to[3]) {
    const supi_attachment* a = world->attachments + hold->attachment;
    if (a->other < 0) {
        memcpy(from, a->last_target, sizeof a->last_target);
        memcpy(to, a->target, sizeof a->target);
        return true;
    }
    const supi_body* body = world->bodies + (hold->other ? a->body : a->other);
    if (!supi_body_still(body)) return false;
    place_of(body, &world->now, hold->other ? a->row : a->other_row, from);
    memcpy(to, from, 3 * sizeof *to);
    return true;
}

/* The row goes to where what holds it will be. */
static bool lead(const sup_world* world, const supi_body* body, const supi_state* state, double h,
                 supi_hold* hold) {
    const supi_attachment* a = world->attachments + hold->attachment;
    const sup_row *x = state->x + body->row + hold->row, *v = state->v + body->row + hold->row;
    double from[3], to[3], at[3], gap[3];
    if (!holder_place(world, hold, from, to)) return false;
    place_of(body, state, body->row + hold->row, at);
    supi_vector_subtract(at, from, gap);
    hold->gap = supi_vector_length(gap);
    double keep = supi_attach_keep(world, a, gap, h);
    supi_vector_of_row(x, hold->start);
    supi_vector_of_row(v, hold->before);
    for (int k = 0; k < 3; k++) {
        bool locked = body->locked & 1 << k;
        hold->end[k] = locked ? hold->start[k] : (to[k] - body->anchor[k]) + keep * gap[k];
        hold->speed[k] = (float)((hold->end[k] - hold->start[k]) / h);
    }
    return true;
}

/* What a limited force holds goes where it would be led, as long as it is held; what that takes
   beyond the limit is given back afterwards. */
static bool load_place(const sup_world* world, const supi_body* body, const supi_state* state,
                       double h, supi_hold* hold) {
    if (supi_springs_integrator(body) == SUP_INTEGRATOR_IMPLICIT) return false;
    if (!lead(world, body, state, h, hold)) return false;
    if (hold->gap > HELD_GAP * body->unit) return false;
    hold->load = HEAVY_LOAD * body->blueprint->info.mass;
    for (int k = 0; k < 3; k++) {
        hold->start[k] = (double)hold->speed[k];
        hold->pull[k] = 0.0f;
    }
    return true;
}

/* Explicit steps are many, and who let the row go for all of them would have its springs snap back:
   it carries what it is attached to along. A particle of springs that holds it says nothing of what
   pulls there; so both go on as they do on the whole, and what that takes is theirs to share. */
static void load(const sup_world* world, const supi_body* body, const supi_state* state,
                 supi_hold* hold) {
    const supi_attachment* a = world->attachments + hold->attachment;
    const supi_body* carried = world->bodies + (hold->other ? a->body : a->other);
    const int32_t own = body->row + hold->row, row = hold->other ? a->row : a->other_row;
    const double w = (double)state->x[own].w, carried_w = (double)state->x[row].w;
    bool springs = is_springs(world, hold->other ? a->body : a->other);
    bool falls = carried_w > 0.0 && !springs;
    supi_vector_of_row(state->v + own, hold->before);
    supi_vector_of_row(state->v + row, hold->start);
    hold->load = falls ? carried->blueprint->info.mass : HEAVY_LOAD * body->blueprint->info.mass;
    for (int k = 0; k < 3; k++) {
        double common = (carried_w * hold->before[k] + w * hold->start[k]) / (carried_w + w);
        float fall = falls ? carried->pull.acceleration[k] / carried->pull.h : 0.0f;
        if (springs) hold->start[k] = common;
        hold->pull[k] = (float)hold->load * fall;
    }
}

/* Who carries a load: rows of explicit bodies, and where there is a strain limit, whose sweeps
   would tear them off, also of implicit ones. */
static bool may_load(const sup_world* world, const supi_body* body, const supi_state* state,
                     const supi_hold* hold) {
    const supi_attachment* a = world->attachments + hold->attachment;
    const int32_t other = hold->other ? a->body : a->other;
    const int32_t row = hold->other ? a->row : a->other_row;
    if (other < 0) return false;
    if (supi_springs_integrator(body) != SUP_INTEGRATOR_IMPLICIT) return true;
    return supi_limit_has(body) && !is_springs(world, other) && state->x[row].w > 0.0f;
}

/* Has another attachment of the row loaded it already? */
static bool is_loaded(const supi_hold* first, const supi_hold* hold) {
    for (const supi_hold* h = hold; h > first && h[-1].row == hold->row;) {
        if ((--h)->loaded) return true;
    }
    return false;
}

void supi_holds_lead(sup_world* world, const supi_state* from, double h) {
    for (int32_t i = 0; i < world->spring_hold_count; i++) {
        supi_hold* hold = world->spring_holds + i;
        const supi_attachment* a = world->attachments + hold->attachment;
        const supi_body* body = world->bodies + (hold->other ? a->other : a->body);
        supi_hold* last = hold > body->elastic->holds ? hold - 1 : NULL;
        memset(hold->impulse, 0, sizeof hold->impulse);
        memset(hold->passed, 0, sizeof hold->passed);
        hold->led = hold->loaded = false;
        hold->leader = NULL;
        hold->answers = hold->answers && !supi_body_still(body);
        if (supi_body_still(body)) continue;
        /* A row has one leader, the first that could be. */
        if (last && last->row == hold->row) hold->leader = last->led ? last : last->leader;
        if (hold->leader || !is_firm(&a->def)) continue;
        if (!(from->x[body->row + hold->row].w > 0.0f)) continue;
        hold->led = is_hard(&a->def) && lead(world, body, from, h, hold);
        if (hold->led || is_loaded(body->elastic->holds, hold)) continue;
        hold->loaded = load_place(world, body, from, h, hold);
        if (hold->loaded || !may_load(world, body, from, hold)) continue;
        hold->loaded = true;
        load(world, body, from, hold);
    }
    /* Attachments before it, too. */
    for (int32_t i = world->spring_hold_count - 1; i > 0; i--) {
        supi_hold *hold = world->spring_holds + i, *last = hold - 1;
        const supi_attachment* a = world->attachments + hold->attachment;
        const supi_body* body = world->bodies + (hold->other ? a->other : a->body);
        if (hold == body->elastic->holds || last->row != hold->row || last->led) continue;
        last->leader = hold->led ? hold : hold->leader;
        last->loaded = last->loaded && !last->leader;
    }
}

/* ---- Implicit steps ---- */

void supi_holds_slide(const supi_hold* hold, supi_slide* slides) {
    for (int k = 0; k < SUPI_SLIDE_MOST; k++) {
        slides[k] = (supi_slide){.row = hold->row, .speed = hold->speed[k], .tag = LED};
        slides[k].normal[k] = 1.0f;
    }
}

void supi_holds_take(const supi_elastic* e) {
    int32_t at = 0;
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        if (!hold->led) continue;
        while (e->slides[at].tag != LED || e->slides[at].row != hold->row) at++;
        for (int k = 0; k < 3; k++) hold->impulse[k] += (double)e->slides[at + k].impulse;
        for (int k = 0; k < 3; k++) hold->before[k] = (double)hold->speed[k];
    }
}

void supi_holds_fix(const supi_elastic* e, sup_row* x) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        if (!e->holds[i].led) continue;
        e->holds[i].w = x[e->holds[i].row].w;
        x[e->holds[i].row].w = 0.0f;
    }
}

void supi_holds_loosen(const supi_elastic* e, sup_row* x) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        if (e->holds[i].led) x[e->holds[i].row].w = e->holds[i].w;
    }
}

void supi_holds_begin_limit(const supi_elastic* e, sup_row* x, const sup_row* v) {
    supi_holds_fix(e, x);
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        if (!hold->loaded) continue;
        hold->w = x[hold->row].w;
        x[hold->row].w = (float)(1.0 / (1.0 / (double)hold->w + hold->load));
        supi_vector_of_row(v + hold->row, hold->before);
    }
}

void supi_holds_end_limit(const supi_elastic* e, sup_row* x, const sup_row* v) {
    supi_holds_loosen(e, x);
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        double speed[3];
        if (!hold->loaded) continue;
        x[hold->row].w = hold->w;
        supi_vector_of_row(v + hold->row, speed);
        for (int k = 0; k < 3; k++) hold->impulse[k] -= hold->load * (speed[k] - hold->before[k]);
    }
}

void supi_holds_arrive(const supi_elastic* e, sup_row* x, sup_row* v) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        const supi_hold* hold = e->holds + i;
        if (!hold->led) continue;
        sup_row *at = x + hold->row, *own = v + hold->row;
        *at = (sup_row){(float)hold->end[0], (float)hold->end[1], (float)hold->end[2], at->w};
        *own = (sup_row){hold->speed[0], hold->speed[1], hold->speed[2], own->w};
    }
}

/* ---- Explicit steps ---- */

void supi_holds_begin_steps(const supi_elastic* e, sup_row* x, sup_row* v) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        sup_row *at = x + hold->row, *own = v + hold->row;
        if (!hold->led && !hold->loaded) continue;
        hold->w = at->w;
        at->w = 0.0f;
        if (hold->led) continue;
        double mass = 1.0 / (double)hold->w, both = mass + hold->load, common[3];
        for (int k = 0; k < 3; k++) {
            common[k] = (mass * hold->before[k] + hold->load * hold->start[k]) / both;
        }
        at->w = (float)(1.0 / both);
        *own = (sup_row){(float)common[0], (float)common[1], (float)common[2], own->w};
    }
    /* As rows have it, by a loop of its own: gcc 12 forgets that `common` was rounded where it
       makes vectors of both. */
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        if (!hold->loaded || hold->led) continue;
        supi_vector_of_row(v + hold->row, hold->start);
        supi_vector_of_row(x + hold->row, hold->end);
    }
}

void supi_holds_paths(const sup_world* world, const supi_body* body, supi_motion* motion) {
    const supi_elastic* e = body->elastic;
    if (e->hold_count == 0) return;
    int32_t* rows = (int32_t*)world->path_row_column.items + e->path;
    sup_vec3* start = (sup_vec3*)world->path_start_column.items + e->path;
    sup_vec3* end = (sup_vec3*)world->path_end_column.items + e->path;
    int32_t count = motion->pin_count;
    for (int32_t i = 0; i < count; i++) {
        rows[i] = motion->pins[i];
        start[i] = motion->pin_start[i];
        end[i] = motion->pin_end[i];
    }
    for (int32_t i = 0; i < e->hold_count; i++) {
        const supi_hold* hold = e->holds + i;
        if (!hold->led) continue;
        rows[count] = hold->row;
        start[count] = supi_vector_round(hold->start[0], hold->start[1], hold->start[2]);
        end[count++] = supi_vector_round(hold->end[0], hold->end[1], hold->end[2]);
    }
    motion->pin_count = count;
    motion->pins = rows;
    motion->pin_start = start;
    motion->pin_end = end;
}

void supi_holds_pull(const supi_elastic* e, sup_row* f) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        const supi_hold* hold = e->holds + i;
        if (!hold->loaded) continue;
        sup_row* own = f + hold->row;
        *own = (sup_row){own->x + hold->pull[0], own->y + hold->pull[1], own->z + hold->pull[2],
                         own->w};
    }
}

void supi_holds_step(const supi_elastic* e, double h, const sup_row* f) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        double force[3];
        if (!hold->led) continue;
        supi_vector_of_row(f + hold->row, force);
        for (int k = 0; k < 3; k++) hold->impulse[k] -= h * force[k];
    }
}

/* N s along an axis that a loaded row has got through steps of h in all, but for the weight of the
   load and for drag, at whatever forces the integrator has looked. */
static double gained(const supi_hold* hold, const double x[3], const double v[3], double h,
                     double drag, int k) {
    double mass = 1.0 / (double)hold->w + hold->load;
    double change = v[k] - hold->start[k] + drag * (x[k] - hold->end[k]);
    return mass * change - h * (double)hold->pull[k];
}

void supi_holds_end_steps(const supi_body* body, sup_row* x, const sup_row* v) {
    const supi_elastic* e = body->elastic;
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold* hold = e->holds + i;
        double place[3], speed[3], h = (double)body->pull.h;
        if (!hold->led && !hold->loaded) continue;
        supi_vector_of_row(x + hold->row, place);
        supi_vector_of_row(v + hold->row, speed);
        for (int k = 0; k < 3; k++) {
            hold->impulse[k] += (speed[k] - hold->before[k]) / (double)hold->w;
            if (!hold->loaded) continue;
            hold->impulse[k] -= gained(hold, place, speed, h, body->springs.drag, k);
        }
        x[hold->row].w = hold->w;
    }
}

/* ---- Answers ---- */

/* What a body that nothing else holds gets of a push is the whole of it, whatever the solver has
   left. */
static void keep_momentum(const supi_body* body, const sup_row* x, int axis, sup_row* answer) {
    double mass = 0.0, momentum[3] = {0, 0, 0};
    int32_t count = body->blueprint->info.particle_count;
    for (int32_t r = 0; r < count; r++) {
        double own = (double)supi_cuts_mass(body, r);
        if (!(x[r].w > 0.0f) || !(x[r].w < SUPI_TIED)) continue;
        mass += own;
        momentum[0] += own * (double)answer[r].x;
        momentum[1] += own * (double)answer[r].y;
        momentum[2] += own * (double)answer[r].z;
    }
    float lack[3];
    for (int k = 0; k < 3; k++) {
        bool locked = body->locked & 1 << k;
        double whole = k == axis ? 1.0 : 0.0;
        lack[k] = locked ? 0.0f : (float)((whole - momentum[k]) / mass);
    }
    for (int32_t r = 0; r < count; r++) {
        answer[r].x += lack[0];
        answer[r].y += lack[1];
        answer[r].z += lack[2];
    }
}

/* Does nothing but what it is attached to hold the body? */
static bool is_unled(const supi_body* body) {
    const supi_elastic* e = body->elastic;
    const sup_spring_anchor* anchor = &body->springs.anchor;
    for (int32_t i = 0; i < e->hold_count; i++) {
        if (e->holds[i].led) return false;
    }
    return body->blueprint->pin_count == 0 &&
           !(anchor->frequency > 0.0 && anchor->frame != SUP_ANCHOR_FITTED);
}

bool supi_holds_ask(const supi_elastic* e) {
    for (int32_t i = 0; i < e->hold_count; i++) {
        if (e->holds[i].answer && !e->holds[i].led && !e->holds[i].leader) return true;
    }
    return false;
}

bool supi_holds_none(const supi_body* body) {
    const supi_elastic* e = body->elastic;
    return !body->touched && e->hold_count == 0 && e->slide_count == 0 && is_unled(body);
}

bool supi_holds_keep(const supi_body* body) {
    const supi_elastic* e = body->elastic;
    return e->answer_count > 0 && e->slide_count == 0 && is_unled(body);
}

static bool find_answer(const supi_body* body, const supi_implicit* step, sup_row* x, bool free,
                        supi_hold* hold) {
    const supi_elastic* e = body->elastic;
    size_t rows = (size_t)body->blueprint->row_count;
    if (!hold->answers) memset(hold->answer, 0, 3 * rows * sizeof *hold->answer);
    for (int k = 0; k < 3; k++) {
        sup_row* column = hold->answer + (size_t)k * rows;
        bool locked = body->locked & 1 << k;
        if (!supi_implicit_answer(step, &e->implicit, x, hold->row, k, column)) return false;
        if (free && !locked) keep_momentum(body, x, k, column);
        for (int32_t i = 0; i < e->hold_count; i++) {
            hold->recoil[3 * i + k] = e->implicit.g[e->holds[i].row];
        }
    }
    return true;
}

void supi_holds_answer(const supi_body* body, const supi_implicit* step, sup_row* x, sup_row* v) {
    const supi_elastic* e = body->elastic;
    supi_implicit exact = *step;
    exact.tolerance = step->tolerance < ANSWER_TOLERANCE ? step->tolerance : ANSWER_TOLERANCE;
    bool free = is_unled(body);
    supi_implicit_linearise(&exact, &e->implicit, x, v);
    for (int32_t i = 0; i < e->hold_count; i++) {
        supi_hold *hold = e->holds + i, *last = i > 0 ? hold - 1 : NULL;
        if (hold->led || hold->leader || !hold->answer) {
            hold->answers = false;
        } else if (last && last->row == hold->row && last->answers) {
            hold->answers = last->answers;
            hold->answer = last->answer;
            hold->recoil = last->recoil;
        } else {
            hold->answers = find_answer(body, &exact, x, free, hold);
        }
    }
}
