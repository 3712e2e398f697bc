/* The contacts of the last substep as users see them, made when asked for. */
#include "world/folds.h"
#include "world/impulse.h"
#include "world/overlaps.h"
#include "world/world.h"

/* Where the contacts go as long as there is room, and how many there are. */
typedef struct listing {
    const sup_world* world;
    sup_contact* out;
    int32_t capacity, count;
    double h;
} listing;

static void add_contact(listing* list, sup_contact contact, const supi_contact* c,
                        const supi_impulse* impulse) {
    if (list->count < list->capacity) {
        for (int k = 0; k < 3; k++) {
            contact.normal[k] = c->normal[k];
            contact.friction_impulse[k] = (float)impulse->friction[k];
        }
        contact.depth = c->depth;
        contact.normal_impulse = (float)impulse->normal;
        list->out[list->count] = contact;
    }
    list->count++;
}

static int32_t id_of(const supi_body* body, int32_t row) {
    return body->blueprint->id_of[row - body->row];
}

/* The point `back` (m) behind a particle, against the normal of its contact. */
static void point_behind(const sup_world* world, const supi_body* body, const supi_contact* c,
                         double back, double point[3]) {
    const sup_row* x = world->now.x + c->a;
    const double place[3] = {(double)x->x, (double)x->y, (double)x->z};
    for (int k = 0; k < 3; k++) {
        point[k] = body->anchor[k] + (place[k] - back * (double)c->normal[k]);
    }
}

static void list_pairing(listing* list, const supi_pairing* p) {
    const sup_world* world = list->world;
    const supi_body *a = world->bodies + p->run_a, *b = world->bodies + p->run_b;
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        const supi_contact* c = world->contacts.pair_contacts + i;
        if (!supi_impulse_acted(c)) continue;
        const sup_row *xa = world->now.x + c->a, *xb = world->now.x + c->b;
        const float apart[3] = {xa->x - xb->x - p->offset[0], xa->y - xb->y - p->offset[1],
                                xa->z - xb->z - p->offset[2]};
        double gap = 0;
        for (int k = 0; k < 3; k++) gap += (double)apart[k] * (double)c->normal[k];
        double ra = (double)world->now.v[c->a].w, rb = (double)world->now.v[c->b].w;
        sup_contact contact = {.body = a->handle,
                               .other = b->handle,
                               .particle = id_of(a, c->a),
                               .other_particle = id_of(b, c->b)};
        point_behind(world, a, c, ra + 0.5 * (gap - ra - rb), contact.point);
        supi_impulse impulse = supi_impulse_pair(p, c, world->now.x, list->h);
        add_contact(list, contact, c, &impulse);
    }
}

/* The contacts of one touch, from the blocks of its run: `block` is the first of these. */
static void list_touch(listing* list, int32_t index, int32_t block) {
    const sup_world* world = list->world;
    const supi_contacts* met = &world->contacts;
    const supi_touch* touch = met->touches + index;
    const supi_body* body = world->bodies + touch->run;
    if (touch->sensor) return;
    for (; block < met->block_count && met->blocks[block].touch <= index; block++) {
        const supi_touch_block* b = met->blocks + block;
        for (int32_t i = b->contact; i < b->contact + b->contact_count; i++) {
            const supi_touch_contact* one = met->touch_contacts + i;
            const supi_contact* c = &one->common;
            if (c->b != index || !supi_impulse_acted(c)) continue;
            sup_contact contact = {.body = body->handle,
                                   .collider = world->colliders[touch->collider].handle,
                                   .particle = id_of(body, c->a),
                                   .other_particle = -1};
            /* Halfway between the drawn surface and the collider. */
            point_behind(world, body, c, (double)c->distance - 0.5 * (double)touch->thickness,
                         contact.point);
            supi_impulse impulse = supi_impulse_touch(one, world->now.x);
            add_contact(list, contact, c, &impulse);
        }
    }
}

/* Contacts of tetrahedra, after all others: a body takes part in both roles. */
static void list_overlaps(listing* list) {
    const sup_world* world = list->world;
    for (int32_t i = 0; i < supi_overlaps_count(world); i++, list->count++) {
        if (list->count >= list->capacity) continue;
        supi_overlap o = supi_overlaps_get(world, i, list->h);
        const supi_body *body = world->bodies + o.body, *other = world->bodies + o.other;
        sup_contact contact = {.body = body->handle,
                               .other = other->handle,
                               .particle = id_of(body, o.row),
                               .other_particle = id_of(other, o.other_row),
                               .depth = (float)o.depth,
                               .normal_impulse = (float)o.push};
        for (int k = 0; k < 3; k++) {
            contact.point[k] = o.place[k] + 0.5 * o.left * o.normal[k];
            contact.normal[k] = (float)o.normal[k];
            contact.friction_impulse[k] = (float)o.rub[k];
        }
        list->out[list->count] = contact;
    }
}

/* Where thin contacts of two bodies go. */
typedef struct fold_listing {
    listing* list;
    const supi_body *a, *b;
} fold_listing;

static void list_fold(void* context, const supi_fold_contact* c) {
    const fold_listing* f = context;
    listing* list = f->list;
    if (list->count < list->capacity) {
        sup_contact contact = {.body = f->a->handle,
                               .other = f->b->handle,
                               .particle = f->a->blueprint->id_of[c->rows[0]],
                               .other_particle = f->b->blueprint->id_of[c->rows[1]],
                               .depth = (float)c->depth,
                               .normal_impulse = (float)c->push};
        for (int k = 0; k < 3; k++) {
            contact.point[k] = c->point[k];
            contact.normal[k] = (float)c->normal[k];
            contact.friction_impulse[k] = (float)c->friction[k];
        }
        list->out[list->count] = contact;
    }
    list->count++;
}

static void list_folds(listing* list, int32_t a, int32_t b) {
    const sup_world* world = list->world;
    fold_listing f = {list, world->bodies + a, world->bodies + b};
    supi_folds_list(world, a, b, list->h, list_fold, &f);
}

/* Couples of thin bodies from `couple` on that come before the body b of a, by which both lists are
   sorted; returns the next. */
static int32_t list_couples(listing* list, int32_t couple, int32_t a, int32_t b) {
    for (; couple < supi_folds_couple_count(list->world); couple++) {
        int32_t one, other;
        supi_folds_couple(list->world, couple, &one, &other);
        if (one > a || other > b) break;
        list_folds(list, one, other);
    }
    return couple;
}

/* Pairings, couples and touches are sorted by run, as meetings are by body. */
int32_t sup_world_contacts(const sup_world* world, sup_contact* out, int32_t capacity) {
    const supi_contacts* met = &world->contacts;
    listing list = {world, out, capacity, 0, (double)(float)(world->dt / world->def.substeps)};
    int32_t pairing = 0, couple = 0, touch = 0, block = 0;
    for (int32_t run = 0; run < world->body_count; run++) {
        if (supi_folds_has(world->bodies + run)) list_folds(&list, run, run);
        for (; pairing < met->pairing_count && met->pairings[pairing].run_a == run; pairing++) {
            couple = list_couples(&list, couple, run, met->pairings[pairing].run_b);
            list_pairing(&list, met->pairings + pairing);
        }
        couple = list_couples(&list, couple, run, world->body_count);
        for (; touch < met->touch_count && met->touches[touch].run == run; touch++) {
            while (block < met->block_count &&
                   met->blocks[block].touch + met->blocks[block].touch_count <= touch) {
                block++;
            }
            list_touch(&list, touch, block);
        }
    }
    list_overlaps(&list);
    return list.count;
}
