/* Contacts with colliders. They need no colours, as each moves one particle only. */
#include "contact/find.h"
#include "contact/kin.h"
#include "contact/sink.h"
#include "contact/turning.h"

/* Spacings beyond its thickness within which a collider watches particles: contacts between bodies
   may push them there in a later sweep. */
#define WATCH_SPACINGS 0.5f

#define BLOCK_ROWS 64

/* Adds a touch for every collider that the run's box is near to. A sleeping run looks only at those
 * that move. */
static bool touch_run(supi_find* c, int32_t run_index, const supi_solid* solids,
                      int32_t solid_count) {
    supi_contacts* contacts = c->contacts;
    const supi_run* run = &c->runs[run_index];
    if (run->count == 0 || run->held) return true;
    for (int32_t i = 0; i < solid_count; i++) {
        const supi_solid* solid = &solids[i];
        if (!supi_filters_meet(run->filter, solid->filter)) continue;
        if (run->asleep && !solid->shape.moves) continue;
        supi_touch touch = {.run = run_index,
                            .collider = i,
                            .kin = {run->oriented, run->first},
                            .thickness = solid->sensor ? 0 : solid->thickness,
                            .sensor = solid->sensor};
        supi_shape_place(solid, run->anchor, &touch.shape);
        if (touch.shape.inset > 0) touch.shape.inset += run->deepest;
        touch.travel = supi_shape_travel(&touch.shape, run->low, run->high);
        touch.limit =
            touch.thickness + run->deepest + WATCH_SPACINGS * run->spacing + run->speed * c->h;
        if (solid->sensor) touch.limit = 0;
        if (run->oriented) touch.limit += run->oriented->reach;
        touch.limit += touch.travel;
        if (!supi_shape_near(&touch.shape, run->low, run->high, touch.limit)) continue;
        const supi_grip grip = {solid->friction_static, solid->friction_kinetic, solid->restitution,
                                false};
        touch.surface = supi_find_surfaces(c, run->grips, run->grip_count, &grip, 1, run->spacing);
        if (touch.surface < 0 || contacts->touch_count == INT32_MAX) return false;
        contacts->touches = supi_column_reserve(&contacts->touch_store, c->allocator,
                                                contacts->touch_count + 1, sizeof touch);
        if (!contacts->touches) return false;
        contacts->touches[contacts->touch_count++] = touch;
    }
    return true;
}

/* Cuts the rows of a run into blocks, each with a mask for every touch from `touch` on. */
static bool add_blocks(supi_find* c, const supi_run* run, int32_t touch, int32_t* mask_count) {
    supi_contacts* contacts = c->contacts;
    int32_t touch_count = contacts->touch_count - touch;
    int32_t need = (run->count + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (need > INT32_MAX - contacts->block_count) return false;
    if ((int64_t)need * touch_count > INT32_MAX - *mask_count) return false;
    contacts->blocks = supi_column_reserve(&contacts->block_store, c->allocator,
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

/* Rows whose own shapes are near a plane: others reach less far than the largest. */
static uint64_t plane_mask(const supi_find* c, const supi_touch_block* block,
                           const supi_touch* touch) {
    const supi_shape* s = &touch->shape;
    const supi_kin* kin = &touch->kin;
    float sign = s->inverted ? -1 : 1;
    const float n[3] = {sign * s->axes[1][0], sign * s->axes[1][1], sign * s->axes[1][2]};
    return c->contacts->near->touch_plane(kin->oriented, block->row - kin->first, block->row_count,
                                          c->x + block->row, n, sign * s->offset,
                                          touch->limit - kin->oriented->reach);
}

static void mask_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const supi_find* c = context;
    supi_touch_block* block = &c->contacts->blocks[index];
    for (int32_t i = 0; i < block->touch_count; i++) {
        const supi_touch* touch = &c->contacts->touches[block->touch + i];
        uint64_t mask =
            touch->kin.oriented && touch->shape.kind == SUP_COLLIDER_PLANE
                ? plane_mask(c, block, touch)
                : supi_shape_mask(&touch->shape, c->x + block->row, block->row_count, touch->limit);
        if (mask) mask &= ~held_rows(c->exemptions, block, touch->collider);
        c->contacts->masks[block->mask + i] = mask;
        block->contact_count += __builtin_popcountll(mask);
    }
}

/* What a collider keeps from a row that it meets along the normal: sensors and particles on the
   surface know no depth. */
static float distance_kept(const supi_find* c, int32_t row, const supi_touch* touch,
                           sup_vec3 normal) {
    const supi_run* run = &c->runs[touch->run];
    if (!run->depths || touch->sensor) return touch->thickness;
    float depth = run->depths[row - run->first];
    if (depth < 0) depth = supi_sink(&touch->shape, depth, supi_find_outward(run, row), normal);
    return touch->thickness + depth;
}

/* What is the same for all shapes. Written in place: to copy what was just written piece by piece
   is to wait for it. */
static void begin_contact(const supi_find* c, int32_t row, int32_t index,
                          supi_touch_contact* contact) {
    const supi_touch* touch = &c->contacts->touches[index];
    const sup_row *x = &c->x[row], *v = &c->v[row];
    sup_vec3 start = {x->x - c->h * v->x, x->y - c->h * v->y, x->z - c->h * v->z};
    *contact = (supi_touch_contact){.common = {.a = row, .b = index},
                                    .start = {start.x, start.y, start.z},
                                    .found = {x->x, x->y, x->z}};
    contact->side = supi_shape_side(&touch->shape, start);
    contact->common.surface = touch->surface + supi_run_region(&c->runs[touch->run], row);
    contact->common.distance = touch->thickness;
}

static void touch_plain(const supi_find* c, const supi_touch* touch, supi_touch_contact* contact) {
    supi_contact* common = &contact->common;
    const sup_row *x = &c->x[common->a], *v = &c->v[common->a];
    supi_probe probe;
    supi_shape_probe(&touch->shape, (sup_vec3){x->x, x->y, x->z}, contact->side, &probe);
    sup_vec3 n = probe.normal, u = probe.velocity;
    common->normal[0] = n.x;
    common->normal[1] = n.y;
    common->normal[2] = n.z;
    common->distance = distance_kept(c, common->a, touch, n);
    common->depth = common->distance - probe.distance;
    float closing = n.x * (v->x - u.x) + n.y * (v->y - u.y) + n.z * (v->z - u.z);
    common->approach =
        supi_find_approach(&c->contacts->surfaces[common->surface], common->depth, closing, c->h);
}

/* Where the contact of row i with touch k stands: they are sorted by row, then by touch. */
static int32_t place_of(const uint64_t* masks, int32_t count, int32_t i, int32_t k) {
    uint64_t below = (UINT64_C(1) << i) - 1;
    int32_t place = 0;
    for (int32_t t = 0; t < count; t++) {
        place += __builtin_popcountll(masks[t] & below) + (t < k && masks[t] >> i & 1);
    }
    return place;
}

/* Can these be answered eight at a time? */
static bool are_even(const supi_touch* touch, supi_touch_contact* const contacts[], int32_t count) {
    bool even = !touch->sensor && !touch->kin.oriented->slowing.drags;
    for (int32_t i = 0; i < count && even; i++) {
        const supi_contact* c = &contacts[i]->common;
        even = c->surface == contacts[0]->common.surface && !supi_kin_turns(&touch->kin, c->a);
    }
    return even;
}

/* All contacts of a block with one of its touches. */
static void fill_touch(const supi_find* c, supi_touch_block* block, int32_t k) {
    const supi_contacts* all = c->contacts;
    const supi_touch* touch = &all->touches[block->touch + k];
    const uint64_t* masks = all->masks + block->mask;
    supi_touch_contact* contacts[BLOCK_ROWS];
    supi_grasp* grasps[BLOCK_ROWS];
    supi_fill fill = supi_find_fill(c);
    bool flat = touch->shape.kind == SUP_COLLIDER_PLANE && !touch->shape.moves;
    bool alone = block->touch_count == 1 && block->grasp >= 0;
    int32_t count = 0;
    for (uint64_t mask = masks[k]; mask; mask &= mask - 1) {
        int32_t i = __builtin_ctzll(mask);
        int32_t place = alone ? count : place_of(masks, block->touch_count, i, k);
        supi_touch_contact* contact = contacts[count] =
            all->touch_contacts + block->contact + place;
        begin_contact(c, block->row + i, block->touch + k, contact);
        if (block->grasp < 0) {
            touch_plain(c, touch, contact);
            continue;
        }
        grasps[count] = all->touch_grasps + block->grasp + place;
        if (!flat) supi_fill_touch(&fill, touch, contact, grasps[count]);
        count++;
    }
    if (flat) supi_fill_plane_touches(&fill, touch, contacts, grasps, count);
    block->even = flat && alone && count > 0 && are_even(touch, contacts, count);
    for (int32_t i = 0; i < count; i++) {
        const supi_contact* common = &contacts[i]->common;
        const supi_surface* surface = &all->surfaces[common->surface];
        block->deep |= supi_turning_may_shift(surface, common->depth, grasps[i]->old);
    }
}

static void fill_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const supi_find* c = context;
    supi_touch_block* block = &c->contacts->blocks[index];
    for (int32_t k = 0; k < block->touch_count; k++) fill_touch(c, block, k);
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

static bool reserve_grasps(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    int32_t count = 0;
    for (int32_t i = 0; i < contacts->block_count; i++) {
        supi_touch_block* block = &contacts->blocks[i];
        block->grasp = -1;
        if (!contacts->touches[block->touch].kin.oriented) continue;
        block->grasp = count;
        count += block->contact_count;
    }
    if (count == 0) return true;
    contacts->touch_grasps = supi_column_reserve(&contacts->touch_grasp_store, c->allocator, count,
                                                 sizeof *contacts->touch_grasps);
    return contacts->touch_grasps != NULL;
}

bool supi_find_touches(supi_find* c, const supi_solid* solids, int32_t solid_count) {
    supi_contacts* contacts = c->contacts;
    int32_t mask_count = 0;
    for (int32_t i = 0; i < c->run_count; i++) {
        int32_t touch = contacts->touch_count;
        if (!touch_run(c, i, solids, solid_count)) return false;
        if (contacts->touch_count > touch && !add_blocks(c, &c->runs[i], touch, &mask_count)) {
            return false;
        }
    }
    contacts->masks =
        supi_column_reserve(&contacts->mask_store, c->allocator, mask_count, sizeof(uint64_t));
    if (!contacts->masks) return false;
    supi_tasks_run(c->tasks, contacts->block_count, mask_block, c);
    if (!number_blocks(contacts) || !reserve_grasps(c)) return false;
    contacts->touch_contacts =
        supi_column_reserve(&contacts->touch_contact_store, c->allocator,
                            contacts->touch_contact_count, sizeof(supi_touch_contact));
    if (!contacts->touch_contacts) return false;
    supi_tasks_run(c->tasks, contacts->block_count, fill_block, c);
    return true;
}
