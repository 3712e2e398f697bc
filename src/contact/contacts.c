/* The contact lists of a substep: found, swept over, measured. */
#include "contact/contacts.h"

#include "contact/find.h"
#include "contact/kin.h"
#include "contact/press.h"
#include "contact/respond_turning.h"
#include "contact/rub.h"
#include "contact/turning.h"

#include <math.h>

/* What the loops of one call share. */
typedef struct call {
    supi_contacts* contacts;
    sup_row *x, *v;
    float h, slow;
    const int32_t* members; /* pairings of the colour at work */
} call;

static float larger(float a, float b) { return a > b ? a : b; }

static void empty(supi_contacts* contacts) {
    contacts->pairing_count = contacts->pair_contact_count = contacts->colour_count = 0;
    contacts->touch_count = contacts->block_count = contacts->touch_contact_count = 0;
    contacts->surface_count = 0;
}

void supi_contacts_clear(supi_contacts* contacts) {
    empty(contacts);
    supi_pair_lists_forget(&contacts->others);
    supi_self_lists_forget(&contacts->selves);
}

sup_result supi_contacts_find(supi_contacts* contacts, const sup_allocator* allocator,
                              supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                              const supi_solid* solids, int32_t solid_count,
                              const supi_exemptions* exemptions, const sup_row* x, const sup_row* v,
                              float h) {
    empty(contacts);
    if (!contacts->kernels) contacts->kernels = supi_ellipsoid_kernels_find(SUP_SIMD_AUTO);
    if (!contacts->near) contacts->near = supi_near_kernels_find(SUP_SIMD_AUTO);
    contacts->others.kernels = contacts->selves.kernels = contacts->near;
    supi_find find = {.contacts = contacts,
                      .runs = runs,
                      .run_count = run_count,
                      .exemptions = exemptions,
                      .x = x,
                      .v = v,
                      .h = h,
                      .allocator = allocator,
                      .tasks = tasks};
    if (!supi_find_pairs(&find) || !supi_find_touches(&find, solids, solid_count)) {
        supi_contacts_clear(contacts);
        return SUP_NO_MEMORY;
    }
    return SUP_OK;
}

static void solve_pairing(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_contacts* all = c->contacts;
    const supi_pairing* p = &all->pairings[c->members[index]];
    supi_contact* contacts = all->pair_contacts + p->first;
    if (p->grasp < 0)
        supi_respond_pairing(p, all->surfaces, contacts, c->x, c->v, c->h);
    else
        supi_respond_turning_pairing(p, all->surfaces, contacts, all->pair_grasps + p->grasp, c->x,
                                     c->v, c->h);
}

/* Has one of the contacts that may do so moved a row without speed? */
static bool has_shifted(const supi_kin* kin, int32_t row, const supi_surface* surface,
                        const supi_contact* c, float old) {
    bool may = supi_turning_is_deep(surface, old) ||
               (c->opened > 0 && supi_turning_is_deep(surface, c->depth));
    if (!may || !kin->oriented || !kin->oriented->shift) return false;
    const sup_row* shift = &kin->oriented->shift[row - kin->first];
    return shift->x != 0 || shift->y != 0 || shift->z != 0;
}

static bool pairing_has_shifted(const supi_contacts* all, const supi_pairing* p) {
    bool any = false;
    for (int32_t i = 0; i < p->count && !any; i++) {
        const supi_contact* c = &all->pair_contacts[p->first + i];
        const supi_surface* surface = &all->surfaces[c->surface];
        float old = all->pair_grasps[p->grasp + i].old;
        any =
            has_shifted(&p->a, c->a, surface, c, old) || has_shifted(&p->b, c->b, surface, c, old);
    }
    return any;
}

static bool block_has_shifted(const supi_contacts* all, const supi_touch_block* b) {
    bool any = false;
    for (int32_t i = 0; i < b->contact_count && !any; i++) {
        const supi_contact* c = &all->touch_contacts[b->contact + i].common;
        any = has_shifted(&all->touches[c->b].kin, c->a, &all->surfaces[c->surface], c,
                          all->touch_grasps[b->grasp + i].old);
    }
    return any;
}

static void bounce_pairing(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_contacts* all = c->contacts;
    supi_pairing* p = &all->pairings[c->members[index]];
    supi_contact* contacts = all->pair_contacts + p->first;
    if (p->grasp < 0)
        supi_respond_bounce_pairing(p, all->surfaces, contacts, c->x, c->v, c->h, c->slow);
    else
        supi_respond_turning_bounce_pairing(p, all->surfaces, contacts, all->pair_grasps + p->grasp,
                                            c->x, c->v, c->h, 2 * c->slow);
    p->deep = p->deep && pairing_has_shifted(all, p);
}

static void solve_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_contacts* all = c->contacts;
    const supi_touch_block* b = &all->blocks[index];
    supi_touch_contact* contacts = all->touch_contacts + b->contact;
    if (b->even) {
        const supi_press press = {.contacts = contacts,
                                  .grasps = all->touch_grasps + b->grasp,
                                  .count = b->contact_count,
                                  .surface = &all->surfaces[contacts->common.surface],
                                  .kin = &all->touches[b->touch].kin,
                                  .x = c->x,
                                  .v = c->v,
                                  .h = c->h};
        all->kernels->press(&press);
    } else if (b->grasp < 0)
        supi_respond_touches(all->touches, all->surfaces, contacts, b->contact_count, c->x, c->v,
                             c->h);
    else
        supi_respond_turning_touches(all->touches, all->surfaces, contacts,
                                     all->touch_grasps + b->grasp, b->contact_count, c->x, c->v,
                                     c->h);
}

static void bounce_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_contacts* all = c->contacts;
    supi_touch_block* b = &all->blocks[index];
    supi_touch_contact* contacts = all->touch_contacts + b->contact;
    if (b->grasp < 0)
        supi_respond_bounce_touches(all->touches, all->surfaces, contacts, b->contact_count, c->x,
                                    c->v, c->h, c->slow);
    else
        supi_respond_turning_bounce_touches(all->touches, all->surfaces, contacts,
                                            all->touch_grasps + b->grasp, b->contact_count, c->x,
                                            c->v, c->h, 2 * c->slow);
    b->deep = b->deep && block_has_shifted(all, b);
}

/* Colour after colour, the pairings of each at the same time. */
static void run_colours(call* c, supi_tasks* tasks, supi_task* task) {
    const int32_t* starts = c->contacts->colour_starts;
    for (int32_t k = 0; k < c->contacts->colour_count; k++) {
        c->members = c->contacts->order + starts[k];
        supi_tasks_run(tasks, starts[k + 1] - starts[k], task, c);
    }
}

typedef struct pairing_search {
    const supi_pairing* pairings;
    int32_t run_a, run_b;
} pairing_search;

static bool pairing_before(const void* search, int32_t i) {
    const pairing_search* s = search;
    const supi_pairing* p = &s->pairings[i];
    return p->run_a < s->run_a || (p->run_a == s->run_a && p->run_b < s->run_b);
}

/* That of two runs, or NULL. */
static supi_pairing* find_pairing(const supi_contacts* contacts, int32_t run_a, int32_t run_b) {
    const pairing_search search = {contacts->pairings, run_a, run_b};
    int32_t i = supi_seek_by(contacts->pairing_count, pairing_before, &search);
    if (i == contacts->pairing_count) return NULL;
    supi_pairing* p = &contacts->pairings[i];
    return p->run_a == run_a && p->run_b == run_b ? p : NULL;
}

void supi_contacts_silence(supi_contacts* contacts, int32_t run_a, int32_t run_b) {
    supi_pairing* p = find_pairing(contacts, run_a, run_b);
    if (p) p->count = 0;
}

float supi_contacts_deepest(const supi_contacts* contacts, int32_t run_a, int32_t run_b) {
    const supi_pairing* p = find_pairing(contacts, run_a, run_b);
    float deepest = 0;
    for (int32_t i = 0; p && i < p->count; i++) {
        deepest = larger(deepest, contacts->pair_contacts[p->first + i].depth);
    }
    return deepest;
}

void supi_contacts_silence_against(supi_contacts* contacts, int32_t run_a, int32_t run_b,
                                   sup_vec3 way) {
    supi_pairing* p = find_pairing(contacts, run_a, run_b);
    int32_t kept = 0;
    for (int32_t i = 0; p && i < p->count; i++) {
        const supi_contact* c = &contacts->pair_contacts[p->first + i];
        if (supi_vec3_dot(supi_vec3_from(c->normal), way) < 0) continue;
        contacts->pair_contacts[p->first + kept] = *c;
        if (p->grasp >= 0) {
            contacts->pair_grasps[p->grasp + kept] = contacts->pair_grasps[p->grasp + i];
        }
        kept++;
    }
    if (p) p->count = kept;
}

void supi_contacts_sweep(supi_contacts* contacts, supi_tasks* tasks, sup_row* x, sup_row* v,
                         float h) {
    call c = {.contacts = contacts, .x = x, .v = v, .h = h};
    run_colours(&c, tasks, solve_pairing);
    supi_tasks_run(tasks, contacts->block_count, solve_block, &c);
}

void supi_contacts_bounce(supi_contacts* contacts, supi_tasks* tasks, sup_row* x, sup_row* v,
                          float h, float gravity) {
    call c = {.contacts = contacts, .x = x, .v = v, .h = h, .slow = supi_rub_slow(gravity, h)};
    run_colours(&c, tasks, bounce_pairing);
    supi_tasks_run(tasks, contacts->block_count, bounce_block, &c);
}

/* m, the overlap that is left of a pair; `smaller` gets the radius of the smaller one. */
static float pair_depth(const supi_contacts* contacts, const supi_pairing* p, int32_t index,
                        const sup_row* x, const sup_row* v, float* smaller) {
    const supi_contact* c = &contacts->pair_contacts[index];
    float ra = v[c->a].w, rb = v[c->b].w;
    *smaller = ra < rb ? ra : rb;
    if (p->grasp >= 0) {
        const supi_grasp* grasp = &contacts->pair_grasps[p->grasp + index - p->first];
        if (c->distance < 0) return 0;
        *smaller *= grasp->scale;
        return supi_respond_turning_depth(p, c, grasp, x, v);
    }
    const sup_row *a = &x[c->a], *b = &x[c->b];
    float dx = a->x - b->x - p->offset[0], dy = a->y - b->y - p->offset[1],
          dz = a->z - b->z - p->offset[2];
    return c->distance - sqrtf(dx * dx + dy * dy + dz * dz);
}

/* m, of what is left between a collider and a row. */
static float touch_distance(const supi_touch* touch, const supi_touch_contact* contact,
                            const sup_row* x, const sup_row* v) {
    const supi_contact* c = &contact->common;
    if (touch->kin.oriented) {
        sup_vec3 ignored;
        supi_ellipsoid e = supi_kin_shape(&touch->kin, c->a, x, v, 1);
        return supi_ellipsoid_probe(&touch->shape, &e, contact->side, c->distance, &ignored)
            .distance;
    }
    supi_probe probe;
    supi_shape_probe(&touch->shape, (sup_vec3){x[c->a].x, x[c->a].y, x[c->a].z}, contact->side,
                     &probe);
    return probe.distance;
}

supi_contact_measures supi_contacts_measure(const supi_contacts* contacts, const sup_row* x,
                                            const sup_row* v) {
    supi_contact_measures m = {0};
    for (int32_t i = 0; i < contacts->pairing_count; i++) {
        const supi_pairing* p = &contacts->pairings[i];
        for (int32_t k = p->first; k < p->first + p->count; k++) {
            const supi_contact* c = &contacts->pair_contacts[k];
            float smaller, depth = pair_depth(contacts, p, k, x, v, &smaller);
            m.pair_count += c->push > 0 || c->depth > 0;
            m.pair_deepest = larger(depth, m.pair_deepest);
            m.pair_deepest_share = larger(depth / smaller, m.pair_deepest_share);
        }
    }
    for (int32_t i = 0; i < contacts->touch_contact_count; i++) {
        const supi_touch_contact* contact = &contacts->touch_contacts[i];
        const supi_contact* c = &contact->common;
        const supi_touch* touch = &contacts->touches[c->b];
        if (touch->sensor) continue;
        float distance = touch_distance(touch, contact, x, v);
        m.touch_count += c->push > 0 || c->depth > 0;
        m.touch_deepest = larger(c->distance - distance, m.touch_deepest);
    }
    return m;
}

void supi_contacts_free(supi_contacts* contacts, const sup_allocator* allocator) {
    supi_column* stores[] = {&contacts->pairing_store,    &contacts->pair_contact_store,
                             &contacts->order_store,      &contacts->colour_store,
                             &contacts->used_store,       &contacts->surface_store,
                             &contacts->touch_store,      &contacts->block_store,
                             &contacts->mask_store,       &contacts->touch_contact_store,
                             &contacts->pair_grasp_store, &contacts->touch_grasp_store,
                             &contacts->outline_store,    &contacts->outline_first_store,
                             &contacts->bunch_store};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    supi_pair_lists_free(&contacts->others, allocator);
    supi_self_lists_free(&contacts->selves, allocator);
    *contacts = (supi_contacts){0};
}

void supi_contacts_shift(supi_contacts* contacts, int32_t run, const float shift[3]) {
    for (int32_t i = 0; i < contacts->pairing_count; i++) {
        supi_pairing* p = &contacts->pairings[i];
        for (int k = 0; k < 3; k++) {
            if (p->run_a == run) p->offset[k] -= shift[k];
            if (p->run_b == run) p->offset[k] += shift[k];
        }
    }
    for (int32_t i = 0; i < contacts->touch_count; i++) {
        if (contacts->touches[i].run == run) supi_shape_shift(&contacts->touches[i].shape, shift);
    }
}
