/* The contact lists of a substep. Pairings are coloured so that those of one colour can be solved
   at the same time; contacts with colliders need no colours, as each moves one particle only. */
#include "contact/contacts.h"

#include "geom/quaternion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Spacings per second: how fast an overlap may open by itself, and how fast the rest of it is
 * shifted away. */
#define DEPART_SPACINGS 4
#define SHIFT_SPACINGS 15

/* Spacings beyond its thickness within which a collider watches particles: contacts between bodies
   may push them there in a later sweep. */
#define WATCH_SPACINGS 0.5f

/* Spacings within which particles that lie on something count as touching it. */
#define SLACK_SPACINGS 0.02f

/* Spacings per second below which a slip counts as sticking. */
#define CREEP_SPACINGS 0.5f

/* Cosine between two outward normals above which surfaces look the same way. */
#define FACING_LIMIT 0.5f
#define NEVER (-1e30f) /* a distance that no pair is ever closer than */

#define BLOCK_ROWS 64
#define COLOURS_MAX 64 /* beyond that a pairing has a colour of its own */

/* What the loops of one call share. */
typedef struct call {
    supi_contacts* contacts;
    const supi_run* runs;
    const supi_exemptions* exemptions; /* or NULL */
    sup_row *x, *v;
    const sup_row *x_found, *v_found; /* the rows where they are only read */
    float h, slow;
    const int32_t* members; /* pairings of the colour at work */
} call;

static float geometric_mean(double a, double b) { return (float)sqrt(a * b); }
static float larger(float a, float b) { return a > b ? a : b; }

/* The speed of approach that may bounce: none where the two had met before the substep, or what a
   body's own springs do to its resting particles would count as a blow. */
static float fresh_approach(const supi_surface* surface, float depth, float closing, float h) {
    float depth_before = depth + h * closing;
    return depth_before > -surface->slack ? 0 : closing;
}

/* ---- Pairs ---- */

/* What two grips make of each other. */
static supi_surface make_surface(const supi_grip* a, const supi_grip* b, float spacing) {
    return (supi_surface){
        .friction_static = geometric_mean((double)a->friction_static, (double)b->friction_static),
        .friction_kinetic =
            geometric_mean((double)a->friction_kinetic, (double)b->friction_kinetic),
        .restitution = larger(a->restitution, b->restitution),
        .depart = DEPART_SPACINGS * spacing,
        .shift = SHIFT_SPACINGS * spacing,
        .slack = SLACK_SPACINGS * spacing,
        .creep = CREEP_SPACINGS * spacing};
}

/* Adds the surfaces of all regions of a against all of b; the first of them, or -1 when memory is
 * short. */
static int32_t add_surfaces(supi_contacts* contacts, const sup_allocator* allocator,
                            const supi_grip* a, int32_t a_count, const supi_grip* b,
                            int32_t b_count, float spacing) {
    int32_t first = contacts->surface_count, need = a_count * b_count;
    if (need > INT32_MAX - first) return -1;
    contacts->surfaces = supi_column_reserve(&contacts->surface_store, allocator, first + need,
                                             sizeof(supi_surface));
    if (!contacts->surfaces) return -1;
    for (int32_t i = 0; i < a_count; i++) {
        for (int32_t j = 0; j < b_count; j++) {
            contacts->surfaces[contacts->surface_count++] = make_surface(&a[i], &b[j], spacing);
        }
    }
    return first;
}

static int32_t region_of(const supi_run* run, int32_t row) {
    return run->region_of ? run->region_of[row - run->first] : 0;
}

static bool fill_pairing(supi_contacts* contacts, const sup_allocator* allocator,
                         const supi_run* runs, const supi_pair_group* group, supi_pairing* out) {
    const supi_run *a = &runs[group->run_a], *b = &runs[group->run_b];
    out->run_a = group->run_a;
    out->run_b = group->run_b;
    out->first = group->first;
    out->count = group->count;
    out->hold_a = a->held;
    out->hold_b = b->held;
    for (int k = 0; k < 3; k++) out->offset[k] = (float)(b->anchor[k] - a->anchor[k]);
    out->surface = add_surfaces(contacts, allocator, a->grips, a->grip_count, b->grips,
                                b->grip_count, a->spacing < b->spacing ? a->spacing : b->spacing);
    return out->surface >= 0;
}

/* Unit vector from the middle of b's box to that of a's; up where they coincide. */
static void between_boxes(const supi_run* a, const supi_run* b, float normal[3]) {
    double d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        double from = b->anchor[k] + 0.5 * ((double)b->low[k] + (double)b->high[k]);
        d[k] = a->anchor[k] + 0.5 * ((double)a->low[k] + (double)a->high[k]) - from;
        square += d[k] * d[k];
    }
    if (!(square > (double)FLT_MIN)) d[0] = d[2] = 0, d[1] = square = 1;
    double length = sqrt(square);
    for (int k = 0; k < 3; k++) normal[k] = (float)(d[k] / length);
}

/* The present outward normal of a row. */
static sup_vec3 outward_of(const supi_run* run, int32_t row) {
    int32_t local = row - run->first;
    return supi_quaternion_turn(run->turns + (run->turn_of ? run->turn_of[local] : 0),
                                run->outward[local]);
}

/* Spheres alone do not know inside from outside: a particle that has slipped behind the other's
   would be pushed on inwards. Where the surfaces have an outside, the normal is turned towards it,
   the more the further the particle is behind. False: the two surfaces look the same way, so this
   pair is none that meets from outside. */
static bool turn_outwards(const supi_run* a, const supi_run* b, const supi_pair* pair, float n[3]) {
    if (!a->outward && !b->outward) return true;
    sup_vec3 out = {0, 0, 0};
    if (b->outward) out = outward_of(b, pair->b);
    if (a->outward) {
        sup_vec3 own = outward_of(a, pair->a);
        if (b->outward && out.x * own.x + out.y * own.y + out.z * own.z > FACING_LIMIT)
            return false;
        out = (sup_vec3){out.x - own.x, out.y - own.y, out.z - own.z};
    }
    float length = sqrtf(out.x * out.x + out.y * out.y + out.z * out.z);
    if (!(length > 1e-3f)) return true;
    float m[3] = {out.x / length, out.y / length, out.z / length};
    float along = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
    if (along >= 0.5f) return true;
    float bent[3], square = 0;
    for (int k = 0; k < 3; k++) {
        bent[k] = n[k] + 2 * (0.5f - along) * m[k];
        square += bent[k] * bent[k];
    }
    /* At least 1/2 long: between straight ahead (n = m / 2 + ..) and straight back (-m + 3 m). */
    for (int k = 0; k < 3; k++) n[k] = bent[k] / sqrtf(square);
    return true;
}

static void fill_pair_contacts(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_pairing* p = &c->contacts->pairings[index];
    const supi_run *run_a = &c->runs[p->run_a], *run_b = &c->runs[p->run_b];
    const float* offset = p->offset;
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        supi_pair pair = c->contacts->grid.pairs[i];
        const sup_row *xa = &c->x_found[pair.a], *xb = &c->x_found[pair.b];
        const sup_row *va = &c->v_found[pair.a], *vb = &c->v_found[pair.b];
        float d[3] = {xa->x - xb->x - offset[0], xa->y - xb->y - offset[1],
                      xa->z - xb->z - offset[2]};
        float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        supi_contact contact = {.a = pair.a, .b = pair.b, .distance = va->w + vb->w};
        float* n = contact.normal;
        if (square >= FLT_MIN) {
            float length = sqrtf(square);
            for (int k = 0; k < 3; k++) n[k] = d[k] / length;
        } else {
            between_boxes(run_a, run_b, n);
        }
        if (!turn_outwards(run_a, run_b, &pair, n)) contact.distance = NEVER;
        contact.depth = contact.distance - (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
        float closing = n[0] * (va->x - vb->x) + n[1] * (va->y - vb->y) + n[2] * (va->z - vb->z);
        contact.surface =
            p->surface + region_of(run_a, pair.a) * run_b->grip_count + region_of(run_b, pair.b);
        contact.approach =
            fresh_approach(&c->contacts->surfaces[contact.surface], contact.depth, closing, c->h);
        c->contacts->pair_contacts[i] = contact;
    }
}

/* The lowest colour that neither run has, in pairing order. */
static int32_t pick_colour(uint64_t* used, const supi_pairing* p, int32_t* alone) {
    uint64_t free = ~(used[p->run_a] | used[p->run_b]);
    if (!free) return COLOURS_MAX + (*alone)++;
    uint64_t bit = free & (~free + 1);
    used[p->run_a] |= bit;
    used[p->run_b] |= bit;
    return __builtin_ctzll(bit);
}

static bool colour_pairings(supi_contacts* contacts, const sup_allocator* allocator,
                            int32_t run_count) {
    int32_t count = contacts->pairing_count;
    /* first half: pairings in order of colour; second half: colour of each */
    int32_t* order =
        supi_column_reserve(&contacts->order_store, allocator, 2 * count, sizeof *order);
    int32_t* starts = supi_column_reserve(&contacts->colour_store, allocator,
                                          count + COLOURS_MAX + 1, sizeof *starts);
    uint64_t* used = supi_column_reserve(&contacts->used_store, allocator, run_count, sizeof *used);
    if (!order || !starts || !used) return false;
    memset(used, 0, (size_t)run_count * sizeof *used);
    memset(starts, 0, (size_t)(count + COLOURS_MAX + 1) * sizeof *starts);
    int32_t* colours = order + count;
    int32_t colour_count = 0, alone = 0;
    for (int32_t i = 0; i < count; i++) {
        colours[i] = pick_colour(used, &contacts->pairings[i], &alone);
        starts[colours[i]]++;
        if (colours[i] >= colour_count) colour_count = colours[i] + 1;
    }
    int32_t sum = 0;
    for (int32_t k = 0; k <= colour_count; k++) sum += starts[k], starts[k] = sum;
    for (int32_t i = count - 1; i >= 0; i--) order[--starts[colours[i]]] = i;
    contacts->order = order;
    contacts->colour_starts = starts;
    contacts->colour_count = colour_count;
    return true;
}

static bool find_pairs(call* c, const sup_allocator* allocator, supi_tasks* tasks,
                       int32_t run_count) {
    supi_contacts* contacts = c->contacts;
    supi_grid* grid = &contacts->grid;
    if (supi_grid_find(grid, allocator, tasks, c->runs, run_count, c->exemptions, c->x_found,
                       c->v_found, 0) != SUP_OK) {
        return false;
    }
    contacts->pairings = supi_column_reserve(&contacts->pairing_store, allocator, grid->group_count,
                                             sizeof(supi_pairing));
    contacts->pair_contacts = supi_column_reserve(&contacts->pair_contact_store, allocator,
                                                  grid->pair_count, sizeof(supi_contact));
    if (!contacts->pairings || !contacts->pair_contacts) return false;
    contacts->pairing_count = grid->group_count;
    contacts->pair_contact_count = grid->pair_count;
    for (int32_t i = 0; i < grid->group_count; i++) {
        if (!fill_pairing(contacts, allocator, c->runs, &grid->groups[i], &contacts->pairings[i])) {
            return false;
        }
    }
    supi_tasks_run(tasks, grid->group_count, fill_pair_contacts, c);
    return colour_pairings(contacts, allocator, run_count);
}

/* ---- Colliders ---- */

/* Adds a touch for every collider that the run's box is near to. A sleeping run looks only at those
 * that move. */
static bool find_touches(supi_contacts* contacts, const sup_allocator* allocator,
                         const supi_run* run, int32_t run_index, const supi_solid* solids,
                         int32_t solid_count, float h) {
    if (run->count == 0 || run->held) return true;
    for (int32_t i = 0; i < solid_count; i++) {
        const supi_solid* solid = &solids[i];
        if (!supi_filters_meet(run->filter, solid->filter)) continue;
        if (run->asleep && !solid->shape.moves) continue;
        supi_touch touch = {.run = run_index,
                            .collider = i,
                            .thickness = solid->sensor ? 0 : solid->thickness,
                            .sensor = solid->sensor};
        supi_shape_place(solid, run->anchor, &touch.shape);
        if (touch.shape.inset > 0) touch.shape.inset += run->deepest;
        touch.travel = supi_shape_travel(&touch.shape, run->low, run->high);
        touch.limit =
            touch.thickness + run->deepest + WATCH_SPACINGS * run->spacing + run->speed * h;
        if (solid->sensor) touch.limit = 0;
        touch.limit += touch.travel;
        if (!supi_shape_near(&touch.shape, run->low, run->high, touch.limit)) continue;
        const supi_grip grip = {solid->friction_static, solid->friction_kinetic,
                                solid->restitution};
        touch.surface =
            add_surfaces(contacts, allocator, run->grips, run->grip_count, &grip, 1, run->spacing);
        if (touch.surface < 0 || contacts->touch_count == INT32_MAX) return false;
        contacts->touches = supi_column_reserve(&contacts->touch_store, allocator,
                                                contacts->touch_count + 1, sizeof touch);
        if (!contacts->touches) return false;
        contacts->touches[contacts->touch_count++] = touch;
    }
    return true;
}

/* Cuts the rows of a run into blocks, each with a mask for every touch from `touch` on. */
static bool add_blocks(supi_contacts* contacts, const sup_allocator* allocator, const supi_run* run,
                       int32_t touch, int32_t* mask_count) {
    int32_t touch_count = contacts->touch_count - touch;
    int32_t need = (run->count + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (need > INT32_MAX - contacts->block_count) return false;
    if ((int64_t)need * touch_count > INT32_MAX - *mask_count) return false;
    contacts->blocks = supi_column_reserve(&contacts->block_store, allocator,
                                           contacts->block_count + need, sizeof(supi_touch_block));
    if (!contacts->blocks) return false;
    for (int32_t done = 0; done < run->count; done += BLOCK_ROWS) {
        int32_t left = run->count - done;
        contacts->blocks[contacts->block_count++] =
            (supi_touch_block){.row = run->first + done,
                               .row_count = left < BLOCK_ROWS ? left : BLOCK_ROWS,
                               .touch = touch,
                               .touch_count = touch_count,
                               .mask = *mask_count};
        *mask_count += touch_count;
    }
    return true;
}

/* Bits of the rows in a block that the collider holds by attachments. */
static uint64_t held_rows(const supi_exemptions* exemptions, const supi_touch_block* block,
                          int32_t collider) {
    if (!exemptions || exemptions->hold_count == 0) return 0;
    const uint64_t* holds = exemptions->holds;
    uint64_t mask = 0;
    int32_t i = supi_exemptions_seek(exemptions, (uint64_t)block->row << 32);
    for (; i < exemptions->hold_count; i++) {
        int32_t row = (int32_t)(holds[i] >> 32) - block->row;
        if (row >= block->row_count) break;
        if ((int32_t)(uint32_t)holds[i] == collider) mask |= UINT64_C(1) << row;
    }
    return mask;
}

static void mask_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    supi_touch_block* block = &c->contacts->blocks[index];
    for (int32_t i = 0; i < block->touch_count; i++) {
        const supi_touch* touch = &c->contacts->touches[block->touch + i];
        uint64_t mask =
            supi_shape_mask(&touch->shape, c->x_found + block->row, block->row_count, touch->limit);
        if (mask) mask &= ~held_rows(c->exemptions, block, touch->collider);
        c->contacts->masks[block->mask + i] = mask;
        block->contact_count += __builtin_popcountll(mask);
    }
}

/* What a collider keeps from a row: sensors and particles on the surface know no depth. */
static float distance_kept(const call* c, int32_t row, const supi_touch* touch) {
    const supi_run* run = &c->runs[touch->run];
    if (!run->depths || touch->sensor) return touch->thickness;
    return touch->thickness + run->depths[row - run->first];
}

static supi_touch_contact touch_contact(const call* c, int32_t row, int32_t index) {
    const supi_touch* touch = &c->contacts->touches[index];
    const sup_row *x = &c->x_found[row], *v = &c->v_found[row];
    supi_touch_contact contact = {
        .common = {.a = row, .b = index, .distance = distance_kept(c, row, touch)},
        .start = {x->x - c->h * v->x, x->y - c->h * v->y, x->z - c->h * v->z},
        .found = {x->x, x->y, x->z}};
    const float* start = contact.start;
    contact.side = supi_shape_side(&touch->shape, (sup_vec3){start[0], start[1], start[2]});
    supi_probe probe;
    supi_shape_probe(&touch->shape, (sup_vec3){x->x, x->y, x->z}, contact.side, &probe);
    sup_vec3 n = probe.normal, u = probe.velocity;
    supi_contact* common = &contact.common;
    common->surface = touch->surface + region_of(&c->runs[touch->run], row);
    common->normal[0] = n.x;
    common->normal[1] = n.y;
    common->normal[2] = n.z;
    common->depth = common->distance - probe.distance;
    float closing = n.x * (v->x - u.x) + n.y * (v->y - u.y) + n.z * (v->z - u.z);
    common->approach =
        fresh_approach(&c->contacts->surfaces[common->surface], common->depth, closing, c->h);
    return contact;
}

static void fill_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_touch_block* block = &c->contacts->blocks[index];
    const uint64_t* masks = c->contacts->masks + block->mask;
    supi_touch_contact* to = c->contacts->touch_contacts + block->contact;
    uint64_t any = 0;
    for (int32_t k = 0; k < block->touch_count; k++) any |= masks[k];
    for (; any; any &= any - 1) {
        int32_t i = __builtin_ctzll(any);
        for (int32_t k = 0; k < block->touch_count; k++) {
            if (masks[k] >> i & 1) *to++ = touch_contact(c, block->row + i, block->touch + k);
        }
    }
}

/* Keeps the blocks that have contacts and gives each its place in the list. */
static bool number_blocks(supi_contacts* contacts) {
    int32_t kept = 0;
    for (int32_t i = 0; i < contacts->block_count; i++) {
        supi_touch_block* block = &contacts->blocks[i];
        if (block->contact_count == 0) continue;
        if (block->contact_count > INT32_MAX - contacts->touch_contact_count) return false;
        block->contact = contacts->touch_contact_count;
        contacts->touch_contact_count += block->contact_count;
        contacts->blocks[kept++] = *block;
    }
    contacts->block_count = kept;
    return true;
}

static bool find_collider_contacts(call* c, const sup_allocator* allocator, supi_tasks* tasks,
                                   int32_t run_count, const supi_solid* solids,
                                   int32_t solid_count) {
    supi_contacts* contacts = c->contacts;
    int32_t mask_count = 0;
    for (int32_t i = 0; i < run_count; i++) {
        int32_t touch = contacts->touch_count;
        if (!find_touches(contacts, allocator, &c->runs[i], i, solids, solid_count, c->h)) {
            return false;
        }
        if (contacts->touch_count > touch &&
            !add_blocks(contacts, allocator, &c->runs[i], touch, &mask_count)) {
            return false;
        }
    }
    contacts->masks =
        supi_column_reserve(&contacts->mask_store, allocator, mask_count, sizeof(uint64_t));
    if (!contacts->masks) return false;
    supi_tasks_run(tasks, contacts->block_count, mask_block, c);
    if (!number_blocks(contacts)) return false;
    contacts->touch_contacts =
        supi_column_reserve(&contacts->touch_contact_store, allocator,
                            contacts->touch_contact_count, sizeof(supi_touch_contact));
    if (!contacts->touch_contacts) return false;
    supi_tasks_run(tasks, contacts->block_count, fill_block, c);
    return true;
}

/* ---- The calls ---- */

void supi_contacts_clear(supi_contacts* contacts) {
    contacts->pairing_count = contacts->pair_contact_count = contacts->colour_count = 0;
    contacts->touch_count = contacts->block_count = contacts->touch_contact_count = 0;
    contacts->surface_count = 0;
}

sup_result supi_contacts_find(supi_contacts* contacts, const sup_allocator* allocator,
                              supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                              const supi_solid* solids, int32_t solid_count,
                              const supi_exemptions* exemptions, const sup_row* x, const sup_row* v,
                              float h) {
    supi_contacts_clear(contacts);
    call c = {.contacts = contacts,
              .runs = runs,
              .exemptions = exemptions,
              .x_found = x,
              .v_found = v,
              .h = h};
    if (!find_pairs(&c, allocator, tasks, run_count) ||
        !find_collider_contacts(&c, allocator, tasks, run_count, solids, solid_count)) {
        supi_contacts_clear(contacts);
        return SUP_NO_MEMORY;
    }
    return SUP_OK;
}

static void solve_pairing(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_pairing* p = &c->contacts->pairings[c->members[index]];
    supi_respond_pairing(p, c->contacts->surfaces, c->contacts->pair_contacts + p->first, c->x,
                         c->v, c->h);
}

static void bounce_pairing(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_pairing* p = &c->contacts->pairings[c->members[index]];
    supi_respond_bounce_pairing(p, c->contacts->surfaces, c->contacts->pair_contacts + p->first,
                                c->x_found, c->v, c->h, c->slow);
}

static void solve_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_touch_block* b = &c->contacts->blocks[index];
    supi_respond_touches(c->contacts->touches, c->contacts->surfaces,
                         c->contacts->touch_contacts + b->contact, b->contact_count, c->x, c->v,
                         c->h);
}

static void bounce_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const call* c = context;
    const supi_touch_block* b = &c->contacts->blocks[index];
    supi_respond_bounce_touches(c->contacts->touches, c->contacts->surfaces,
                                c->contacts->touch_contacts + b->contact, b->contact_count,
                                c->x_found, c->v, c->h, c->slow);
}

/* Colour after colour, the pairings of each at the same time. */
static void run_colours(call* c, supi_tasks* tasks, supi_task* task) {
    const int32_t* starts = c->contacts->colour_starts;
    for (int32_t k = 0; k < c->contacts->colour_count; k++) {
        c->members = c->contacts->order + starts[k];
        supi_tasks_run(tasks, starts[k + 1] - starts[k], task, c);
    }
}

void supi_contacts_sweep(supi_contacts* contacts, supi_tasks* tasks, sup_row* x, sup_row* v,
                         float h) {
    call c = {.contacts = contacts, .x = x, .v = v, .h = h};
    run_colours(&c, tasks, solve_pairing);
    supi_tasks_run(tasks, contacts->block_count, solve_block, &c);
}

void supi_contacts_bounce(supi_contacts* contacts, supi_tasks* tasks, const sup_row* x, sup_row* v,
                          float h, float gravity) {
    call c = {.contacts = contacts, .x_found = x, .v = v, .h = h, .slow = 2 * gravity * h};
    run_colours(&c, tasks, bounce_pairing);
    supi_tasks_run(tasks, contacts->block_count, bounce_block, &c);
}

supi_contact_measures supi_contacts_measure(const supi_contacts* contacts, const sup_row* x,
                                            const sup_row* v) {
    supi_contact_measures m = {0};
    for (int32_t i = 0; i < contacts->pairing_count; i++) {
        const supi_pairing* p = &contacts->pairings[i];
        for (int32_t k = p->first; k < p->first + p->count; k++) {
            const supi_contact* c = &contacts->pair_contacts[k];
            const sup_row *a = &x[c->a], *b = &x[c->b];
            float dx = a->x - b->x - p->offset[0], dy = a->y - b->y - p->offset[1],
                  dz = a->z - b->z - p->offset[2];
            float depth = c->distance - sqrtf(dx * dx + dy * dy + dz * dz);
            float ra = v[c->a].w, rb = v[c->b].w;
            m.pair_count += c->push > 0 || c->depth > 0;
            m.pair_deepest = larger(depth, m.pair_deepest);
            m.pair_deepest_share = larger(depth / (ra < rb ? ra : rb), m.pair_deepest_share);
        }
    }
    for (int32_t i = 0; i < contacts->touch_contact_count; i++) {
        const supi_touch_contact* contact = &contacts->touch_contacts[i];
        const supi_contact* c = &contact->common;
        if (contacts->touches[c->b].sensor) continue;
        supi_probe probe;
        supi_shape_probe(&contacts->touches[c->b].shape,
                         (sup_vec3){x[c->a].x, x[c->a].y, x[c->a].z}, contact->side, &probe);
        m.touch_count += c->push > 0 || c->depth > 0;
        m.touch_deepest = larger(c->distance - probe.distance, m.touch_deepest);
    }
    return m;
}

void supi_contacts_free(supi_contacts* contacts, const sup_allocator* allocator) {
    supi_column* stores[] = {&contacts->pairing_store, &contacts->pair_contact_store,
                             &contacts->order_store,   &contacts->colour_store,
                             &contacts->used_store,    &contacts->surface_store,
                             &contacts->touch_store,   &contacts->block_store,
                             &contacts->mask_store,    &contacts->touch_contact_store};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    supi_grid_free(&contacts->grid, allocator);
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
