/* Parts that yield: what they keep, the shapes of their particles, which turn with what has flowed,
   and the blows that dent them. */
#include "solve/turns.h"
#include "world/oriented.h"

#include <float.h>
#include <string.h>

/* ---- Shapes ---- */

/* Contacts have them in the order xx yy zz xy xz yz. */
static supi_moments turn_moments(const double r[9], const supi_moments* of) {
    const float* m = of->m;
    const double own[6] = {(double)m[0], (double)m[1], (double)m[2],
                           (double)m[5], (double)m[4], (double)m[3]};
    double out[6];
    supi_symmetric_turned(r, own, out);
    return (supi_moments){
        {(float)out[0], (float)out[1], (float)out[2], (float)out[5], (float)out[4], (float)out[3]}};
}

static void turn_row(const supi_oriented* first, const sup_quat* flowed, int32_t row,
                     supi_dented* out) {
    double q[4], r[9], axes[4], normal[3], turned[3];
    supi_turns_from(flowed, q);
    supi_quaternion_matrix(q, r);
    supi_turns_from(first->axes + row, axes);
    supi_quaternion_product(q, axes, axes);
    supi_turns_unit(axes);
    out->axes[row] = supi_turns_round(axes);
    out->inertia[row] = turn_moments(r, first->inertia + row);
    if (!out->flat) return;
    supi_vector_from(first->flat + row, normal);
    supi_turns_apply(r, normal, turned);
    out->flat[row] = supi_vector_round(turned[0], turned[1], turned[2]);
}

void supi_dented_follow(const sup_blueprint* b, supi_turned* o) {
    const supi_oriented* first = &b->shapes;
    supi_dented* out = &o->dented;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        out->axes[r] = first->axes[r];
        out->inertia[r] = first->inertia[r];
        if (out->flat) out->flat[r] = first->flat[r];
        if (supi_part_turned(o->parts, r)) turn_row(first, o->parts->flowed + r, r, out);
    }
    o->self.version++;
}

bool supi_dented_push(const sup_blueprint* b, supi_turned* o) {
    size_t rows = (size_t)b->info.particle_count;
    supi_dented* d = &o->dented;
    d->axes = supi_arena_push(&o->arena, rows, sizeof *d->axes);
    d->inertia = supi_arena_push(&o->arena, rows, sizeof *d->inertia);
    if (b->shapes.flat) d->flat = supi_arena_push(&o->arena, rows, sizeof *d->flat);
    if (!d->axes || !d->inertia || (b->shapes.flat && !d->flat)) return false;
    o->contact.axes = d->axes;
    o->contact.inertia = d->inertia;
    o->contact.flat = d->flat;
    o->self.rest = o->parts->rest.place;
    o->self.scales = NULL;
    supi_dented_follow(b, o);
    return true;
}

void supi_dented_refresh(supi_body* body) {
    supi_part_refresh(&body->blueprint->frames, body->oriented->parts);
    supi_dented_follow(body->blueprint, body->oriented);
}

/* ---- State ---- */

/* What a snapshot keeps of them, from one state to another. */
static void copy_parts(const supi_frame_net* net, const supi_part_state* from,
                       supi_part_state* to) {
    size_t parts = (size_t)net->part_count, members = (size_t)net->part_starts[net->part_count];
    memcpy(to->phase, from->phase, parts * sizeof *to->phase);
    memcpy(to->left, from->left, parts * sizeof *to->left);
    memcpy(to->spent, from->spent, parts * sizeof *to->spent);
    memcpy(to->offset, from->offset, members * sizeof *to->offset);
    memcpy(to->flow, from->flow, members * sizeof *to->flow);
    memcpy(to->target, from->target, members * sizeof *to->target);
    memcpy(to->flowed, from->flowed, (size_t)net->row_count * sizeof *to->flowed);
}

void supi_dented_reset(supi_body* body) {
    if (!body->oriented || !body->oriented->parts) return;
    const supi_frame_net* net = &body->blueprint->frames;
    supi_part_state* state = body->oriented->parts;
    size_t members = (size_t)net->part_starts[net->part_count];
    for (int32_t p = 0; p < net->part_count; p++) {
        state->phase[p] = SUPI_PART_RIGID;
        state->left[p] = state->spent[p] = 0.0f;
    }
    memcpy(state->offset, net->rest.offset, members * sizeof *state->offset);
    memcpy(state->target, net->rest.offset, members * sizeof *state->target);
    memset(state->flow, 0, members * sizeof *state->flow);
    for (int32_t r = 0; r < net->row_count; r++) {
        state->flowed[r] = (sup_quat){0.0f, 0.0f, 0.0f, 1.0f};
    }
    supi_dented_refresh(body);
}

void supi_dented_relax(supi_body* body) {
    if (!body->oriented || !body->oriented->parts) return;
    supi_part_relax(&body->blueprint->frames, body->oriented->parts);
    supi_dented_refresh(body);
}

void supi_dented_keep(supi_body* body) {
    if (!body->oriented || !body->oriented->parts) return;
    copy_parts(&body->blueprint->frames, body->oriented->parts, body->oriented->parts_before);
}

void supi_dented_restore(supi_body* body) {
    if (!body->oriented || !body->oriented->parts) return;
    copy_parts(&body->blueprint->frames, body->oriented->parts_before, body->oriented->parts);
    supi_dented_refresh(body);
}

static supi_part_settings part_settings(const supi_body* body) {
    const sup_part_plasticity* p = &body->frames.plastic;
    return (supi_part_settings){.yield = p->speed > 0.0 ? (float)p->speed : FLT_MAX,
                                .soft_time = (float)p->time,
                                .permanence = (float)p->keep,
                                .most = (float)p->limit};
}

/* The plasticity that a part of the net has of its own; NULL: that of the body. Parts that are one
   in the net go by the first of them. */
static const sup_rig_plastic* find_plastic(const sup_blueprint* b, int32_t part) {
    for (int32_t p = 0; p < b->part_count; p++) {
        if (b->frames.part_of[p] != part) continue;
        return b->part_plastics[p].speed > 0.0f ? b->part_plastics + p : NULL;
    }
    return NULL;
}

/* What each part goes by, where they are not all alike. */
void supi_dented_prepare(const supi_body* body) {
    const supi_frame_net* net = &body->blueprint->frames;
    supi_turned* o = body->oriented;
    for (int32_t p = 0; o->part_own && p < net->part_count; p++) {
        const sup_rig_plastic* own = find_plastic(body->blueprint, p);
        o->part_own[p] = part_settings(body);
        if (own) {
            o->part_own[p] = (supi_part_settings){.yield = own->speed,
                                                  .soft_time = own->time,
                                                  .permanence = own->permanence,
                                                  .most = own->limit};
        }
        for (int32_t i = net->part_starts[p]; i < net->part_starts[p + 1]; i++) {
            int32_t group = net->group_of[net->part_members[i]];
            float w0 = own ? own->stiffness : (float)body->frames.plastic.stiffness;
            if (group >= 0) o->soft_of[group] = w0;
        }
    }
}

static bool dents(const supi_body* body) {
    return body->oriented && body->oriented->parts &&
           (body->frames.plastic.speed > 0.0 || body->oriented->part_own) && !supi_body_still(body);
}

void supi_dented_begin(const supi_body* body, const sup_row* v) {
    if (!dents(body)) return;
    memcpy(body->oriented->lost, v, (size_t)body->blueprint->row_count * sizeof *v);
}

void supi_dented_end(const supi_body* body, const sup_row* v) {
    if (!dents(body)) return;
    sup_row* lost = body->oriented->lost;
    for (int32_t r = 0; r < body->blueprint->row_count; r++) {
        lost[r] = (sup_row){lost[r].x - v[r].x, lost[r].y - v[r].y, lost[r].z - v[r].z, 0.0f};
    }
}

/* ---- Blows ---- */

/* How fast a row came in along the normal beside what contacts know: they have seen the velocities
   that bring parts back into shape. */
static float faster(const supi_body* body, int32_t row, const float normal[3]) {
    if (!dents(body)) return 0.0f;
    const sup_row* lost = body->oriented->lost + (row - body->row);
    return lost->x * normal[0] + lost->y * normal[1] + lost->z * normal[2];
}

/* A contact of a row at this approach speed, before it was answered. */
static void hit_row(const supi_body* body, int32_t row, float speed) {
    if (!dents(body)) return;
    const supi_frame_net* net = &body->blueprint->frames;
    supi_part_settings own = part_settings(body);
    row -= body->row;
    for (int32_t i = net->row_part_starts[row]; i < net->row_part_starts[row + 1]; i++) {
        supi_part_hit(&own, body->pull.h, body->oriented->parts, net->row_parts[i], speed);
    }
}

static void hit_by_colliders(const sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->block_count; i++) {
        const supi_touch_block* block = met->blocks + i;
        for (int32_t k = 0; block->grasp >= 0 && k < block->contact_count; k++) {
            const supi_contact* c = &met->touch_contacts[block->contact + k].common;
            const supi_body* body = world->bodies + met->touches[c->b].run;
            float speed = met->touch_grasps[block->grasp + k].speed;
            if (!(c->push > 0.0f)) continue;
            hit_row(body, c->a, -(speed + faster(body, c->a, c->normal)));
        }
    }
}

static void hit_by_bodies(const sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* p = met->pairings + i;
        const supi_body *a = world->bodies + p->run_a, *b = world->bodies + p->run_b;
        if (a == b || (!dents(a) && !dents(b))) continue;
        for (int32_t k = 0; k < p->count; k++) {
            const supi_contact* c = met->pair_contacts + p->first + k;
            float speed = met->pair_grasps[p->grasp + k].speed;
            if (!(c->push > 0.0f)) continue;
            speed += faster(a, c->a, c->normal) - faster(b, c->b, c->normal);
            hit_row(a, c->a, -speed);
            hit_row(b, c->b, -speed);
        }
    }
}

void supi_dented_advance(sup_world* world) {
    if (!world->kinds.dented) return;
    hit_by_colliders(world);
    hit_by_bodies(world);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!body->oriented || !body->oriented->parts || supi_body_still(body)) continue;
        supi_turned* o = body->oriented;
        supi_part_settings own = part_settings(body);
        const supi_frame_slices slices = supi_oriented_slices(&world->now, body);
        bool changed = supi_part_advance(&body->blueprint->frames, &own, &o->pull, world->kernels,
                                         &slices, world->rooms.of);
        if (changed) supi_dented_follow(body->blueprint, o);
    }
}
