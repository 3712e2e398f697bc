#include "world/spring_contacts.h"

#include "contact/sink.h"
#include "geom/quaternion.h"
#include "solve/axes.h"
#include "solve/pieces.h"
#include "world/spring_holds.h"

#include <math.h>
#include <string.h>

enum {
    PLANES = 2, /* room for each row; of what it touches beyond, contacts alone take care */
    BLOCK = 64  /* rows that are asked for at once */
};

/* In spacings of the particles: who is further away has not met the ground yet, and who comes no
   nearer than that in the substep does not touch it; an overlap opens at so many per second. */
#define MET_SPACINGS 0.02f
#define NEAR_SPACINGS 0.001f
#define DEPART_SPACINGS 4.0f
/* Grounds that look more along locked axes than this are left to contacts. */
#define LEAST_FREE 0.1f

bool supi_spring_contacts_make(supi_elastic* e, const sup_blueprint* print) {
    size_t rows = (size_t)print->info.particle_count;
    e->slides = supi_arena_push(&e->arena, SUPI_SLIDE_MOST * rows, sizeof *e->slides);
    e->planes = supi_arena_push(&e->arena, rows, sizeof *e->planes);
    return e->slides && e->planes;
}

/* ---- Before the springs are solved ---- */

typedef struct search {
    const supi_springs_way* way;
    const supi_body* body;
    const sup_row *x, *v;
    const sup_row* dv; /* m/s, what the last substep has added: this one will do alike */
    float met, near, depart;
} search;

/* A collider as the body sees it. */
typedef struct ground {
    int32_t collider;
    float thickness;
    supi_shape shape;
} ground;

/* Attachments hold the row at the collider. */
static bool is_held(const sup_world* world, int32_t row, int32_t collider) {
    const supi_exemptions* all = &world->exemptions;
    uint64_t key = (uint64_t)row << 32 | (uint32_t)collider;
    int32_t i = supi_exemptions_seek(all, key);
    return i < all->hold_count && all->holds[i] == key;
}

/* Away from the drawn surface, as the body lies now. */
static sup_vec3 outward_of(const search* s, int32_t row) {
    const sup_blueprint* b = s->body->blueprint;
    const sup_quat* turns = s->way->world->now.rotation + s->body->cluster;
    return supi_quaternion_turn(turns + (b->leader ? b->leader[row] : 0), b->outward[row]);
}

/* Does the row lie on the ground, and seems to stay there? What comes from further away meets it as
   a contact, and may bounce. */
static bool touches(const search* s, const ground* g, int32_t row, supi_slide* out) {
    const sup_row *x = s->x + row, *v = s->v + row, *dv = s->dv + row;
    const float h = s->body->pull.h, *depths = supi_body_depths(s->body);
    supi_probe probe;
    /* Where it would be if it stuck to the ground: what is left is its own way. */
    sup_vec3 at = supi_shape_carry(&g->shape, (sup_vec3){x->x, x->y, x->z});
    supi_shape_probe(&g->shape, at, supi_shape_end_side(&g->shape, at), &probe);
    const sup_vec3 n = probe.normal, u = probe.velocity;
    float depth = depths ? depths[row] : 0.0f;
    if (depth < 0.0f) depth = supi_sink(&g->shape, depth, outward_of(s, row), n);
    float gap = probe.distance - g->thickness - depth;
    float carried = n.x * u.x + n.y * u.y + n.z * u.z;
    float leaving = n.x * (v->x + dv->x) + n.y * (v->y + dv->y) + n.z * (v->z + dv->z) - carried;
    if (!(gap < s->met) || !(gap + h * leaving < s->near)) return false;
    sup_row free = {n.x, n.y, n.z, 0.0f}; /* what axes that are locked leave of the normal */
    float opening = -gap / h, length = 1.0f;
    if (s->body->locked) {
        supi_axes_strip(s->body->locked, &free);
        length = sqrtf(free.x * free.x + free.y * free.y + free.z * free.z);
        if (!(length > LEAST_FREE)) return false;
    }
    *out = (supi_slide){.row = row,
                        .normal = {free.x / length, free.y / length, free.z / length},
                        .speed = (carried + (opening < s->depart ? opening : s->depart)) / length,
                        .tag = g->collider,
                        .one_sided = true};
    return true;
}

/* Slides of the rows begin .. end-1 on one collider, each into the next free place of its row. */
static void search_ground(const search* s, const ground* g, float reach, int32_t begin,
                          int32_t end) {
    const supi_elastic* e = s->body->elastic;
    for (int32_t first = begin; first < end; first += BLOCK) {
        int32_t count = end - first < BLOCK ? end - first : BLOCK;
        uint64_t mask = supi_shape_mask(&g->shape, s->x + first, count, reach);
        for (; mask; mask &= mask - 1) {
            int32_t row = first + __builtin_ctzll(mask);
            uint8_t* used = e->planes + row;
            if (*used == PLANES || !(s->x[row].w < SUPI_TIED)) continue;
            if (is_held(s->way->world, s->body->row + row, g->collider)) continue;
            if (touches(s, g, row, e->slides + SUPI_SLIDE_MOST * row + *used)) ++*used;
        }
    }
}

static void search_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const search* s = context;
    const sup_world* world = s->way->world;
    int32_t count = s->body->blueprint->info.particle_count;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, count);
    float deepest = supi_body_deepest(s->body);
    supi_extent box;
    memset(s->body->elastic->planes + begin, 0, (size_t)(end - begin));
    world->kernels->inspect(s->x, begin, end, &box);
    for (int32_t i = 0; box.sane && i < world->collider_count; i++) {
        const supi_solid* solid = world->solids + i;
        if (solid->sensor || !supi_filters_meet(s->body->filter, solid->filter)) continue;
        ground g = {.collider = i, .thickness = solid->thickness};
        supi_shape_place(solid, s->body->anchor, &g.shape);
        if (g.shape.inset > 0) g.shape.inset += deepest;
        float reach =
            g.thickness + deepest + s->met + supi_shape_travel(&g.shape, box.low, box.high);
        if (!supi_shape_near(&g.shape, box.low, box.high, reach)) continue;
        search_ground(s, &g, reach, begin, end);
    }
}

static void search_all(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                       const sup_row* v) {
    const sup_blueprint_info* info = &body->blueprint->info;
    float spacing = info->spacing > 0 ? (float)info->spacing : (float)body->unit;
    search s = {.way = way,
                .body = body,
                .x = x,
                .v = v,
                .dv = body->elastic->past.rows,
                .met = MET_SPACINGS * spacing,
                .near = NEAR_SPACINGS * spacing,
                .depart = DEPART_SPACINGS * spacing};
    supi_pieces_run(way->tasks, info->particle_count, search_piece, &s);
}

/* Slides of a led row, in place of all others that it has; returns how many. */
static int32_t lead_row(supi_elastic* e, int32_t row, int32_t* hold) {
    int32_t count = 0;
    for (; *hold < e->hold_count && e->holds[*hold].row == row; ++*hold) {
        if (!e->holds[*hold].led) continue;
        supi_holds_slide(e->holds + *hold, e->slides + e->slide_count);
        count = SUPI_SLIDE_MOST;
    }
    return count;
}

void supi_spring_contacts_find(const supi_springs_way* way, supi_body* body, const sup_row* x,
                               const sup_row* v) {
    supi_elastic* e = body->elastic;
    bool touches_any = way->world->collider_count > 0 && way->h == body->pull.h;
    int32_t hold = 0;
    e->slide_count = 0;
    if (touches_any) search_all(way, body, x, v);
    while (!touches_any && hold < e->hold_count) {
        e->slide_count += lead_row(e, e->holds[hold].row, &hold);
    }
    for (int32_t row = 0; touches_any && row < body->blueprint->info.particle_count; row++) {
        int32_t led = lead_row(e, row, &hold);
        e->slide_count += led;
        for (int32_t k = 0; led == 0 && k < e->planes[row]; k++) {
            e->slides[e->slide_count++] = e->slides[SUPI_SLIDE_MOST * row + k];
        }
    }
}

/* ---- Among the contacts of the substep ---- */

static void add_push(const supi_slide* slide, float w, float h, supi_touch_contact* contact) {
    float gain = w * slide->impulse;
    contact->common.push += h * gain;
    for (int k = 0; k < 3; k++) contact->gain[k] += gain * slide->normal[k];
}

/* Both lists are by body, row and collider. */
void supi_spring_contacts_tell(sup_world* world, float h) {
    const supi_contacts* met = &world->contacts;
    int32_t run = -1, at = 0;
    if (!world->kinds.elastic) return;
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        supi_touch_contact* contact = met->touch_contacts + i;
        const supi_touch* touch = met->touches + contact->common.b;
        const supi_body* body = world->bodies + touch->run;
        const supi_elastic* e = body->elastic;
        if (touch->run != run) at = 0;
        run = touch->run;
        if (!e || body->restored) continue;
        for (; at < e->slide_count; at++) {
            const supi_slide* slide = e->slides + at;
            int32_t row = body->row + slide->row;
            if (row < contact->common.a) continue;
            if (row > contact->common.a || slide->tag > touch->collider) break;
            if (slide->tag == touch->collider) add_push(slide, world->now.x[row].w, h, contact);
        }
    }
    for (int32_t i = 0; i < world->body_count; i++) {
        if (world->bodies[i].elastic) world->bodies[i].elastic->slide_count = 0;
    }
}
