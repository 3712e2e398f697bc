/* Stages 2 to 4 for one pair of bodies, and what to do with points that no stage reaches. Sums over
   neighbours run in the order of the points. */
#include "contact/tet_depth.h"

#include "contact/tet_escape.h"
#include "contact/tet_leave.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

#define LEAST_FACING 1e-4f /* weight of a side that does not look at the point */
#define LEAST_REACH 1e-4f  /* of the mean edge: nearer is no nearer */
#define NO_DIRECTION 1e-3f /* a mean of directions shorter than this is none */
#define NO_NORMAL 1e-6f
#define TURNED_BACK -0.2f /* cosine to the remembered direction below which it counts as wrong */
#define ALIKE 0.8f        /* the same, above which it is as good as another */
#define SHORTER 0.8f      /* of the depth: a way that is better though it leads the same way */
#define SHALLOW 0.05f     /* edges: less deep, and any way will do */
#define PUSHED_IN 0.1f    /* edges that answers of one substep push points in, at most */

/* Where an edge of a point of the border comes through the surface. */
typedef struct way_out {
    sup_vec3 to;     /* m, from the point */
    sup_vec3 normal; /* of the surface there, unit */
} way_out;

/* Normals of a triangle of the surface, which many edges may cross. */
typedef struct bend {
    bool known;
    sup_vec3 face, corners[3];
} bend;

typedef struct pass {
    const supi_tet_body *body, *other;
    const supi_tet_face *faces, *other_faces;
    const supi_tet_pair* pair;
    supi_tet_contact* contacts; /* of the pair */
    double offset[3];           /* of places of `body` in the frame of `other` */
    int32_t* slots;             /* by point of `body`: its contact + 1; 0: none */
    int32_t* levels;            /* by contact: 0 not reached, 1 border, 2.. by propagation */
    int32_t* queue;
    int32_t* starts; /* by contact: its first way out (count + 1) */
    way_out* ways;
    bend* bends; /* by triangle of the walls */
    supi_tet_walls* walls;
    float edge, diagonal, h;
} pass;

bool supi_tet_room_reserve(supi_tet_room* room, const sup_allocator* allocator,
                           const supi_tet_body* bodies, int32_t body_count) {
    int32_t points = 0, edges = 0, triangles = 0;
    for (int32_t i = 0; i < body_count; i++) {
        const supi_tet_form* form = bodies[i].form;
        points = form->point_count > points ? form->point_count : points;
        edges = form->edge_count > edges ? form->edge_count : edges;
        triangles = form->triangle_count > triangles ? form->triangle_count : triangles;
    }
    /* slots are 0 between two pairs, and new ones come as 0 */
    return supi_column_reserve(&room->slots, allocator, points, sizeof(int32_t)) &&
           supi_column_reserve(&room->levels, allocator, points, sizeof(int32_t)) &&
           supi_column_reserve(&room->queue, allocator, points, sizeof(int32_t)) &&
           supi_column_reserve(&room->starts, allocator, points + 1, sizeof(int32_t)) &&
           supi_column_reserve(&room->ways, allocator, edges, sizeof(way_out)) &&
           supi_column_reserve(&room->bends, allocator, triangles, sizeof(bend)) &&
           supi_tet_walls_reserve(&room->walls, allocator, triangles);
}

void supi_tet_room_free(supi_tet_room* room, const sup_allocator* allocator) {
    supi_column_free(&room->slots, allocator);
    supi_column_free(&room->levels, allocator);
    supi_column_free(&room->queue, allocator);
    supi_column_free(&room->starts, allocator);
    supi_column_free(&room->ways, allocator);
    supi_column_free(&room->bends, allocator);
    supi_tet_walls_free(&room->walls, allocator);
    *room = (supi_tet_room){0};
}

/* ---- Small things ---- */

/* A point of `body` in the frame of `other`. */
static void place_of(const pass* p, int32_t point, double out[3]) {
    supi_vector_of_row(&p->body->x[point], out);
    for (int k = 0; k < 3; k++) out[k] += p->offset[k];
}

static int32_t point_of(const pass* p, int32_t contact) { return p->contacts[contact].rows[0]; }

/* Where the point of a contact was when the substep began, as seen from the tetrahedron that it is
   in now. */
static void start_of(const pass* p, const supi_tet_contact* contact, double out[3]) {
    sup_vec3 speed = supi_vec3_of_row(&p->body->v[contact->rows[0]]);
    for (int k = 1; k < contact->row_count; k++) {
        const sup_row* v = &p->other->v[contact->rows[k]];
        speed = supi_vec3_along(speed, contact->shares[k], supi_vec3_of_row(v));
    }
    place_of(p, contact->rows[0], out);
    out[0] -= (double)p->h * (double)speed.x;
    out[1] -= (double)p->h * (double)speed.y;
    out[2] -= (double)p->h * (double)speed.z;
}

/* Which contact the point of an edge has, or -1. */
static int32_t contact_of(const pass* p, int32_t point) { return p->slots[point] - 1; }

/* A mean of directions and depths by weights. */
typedef struct blend {
    float weight, depth, most;
    sup_vec3 normal, likeliest; /* sum; that of the largest weight */
    float likeliest_depth;
} blend;

static void blend_add(blend* sum, float weight, float depth, sup_vec3 normal) {
    sum->weight += weight;
    sum->depth += weight * depth;
    sum->normal = supi_vec3_along(sum->normal, weight, normal);
    if (!(weight > sum->most)) return;
    sum->most = weight;
    sum->likeliest = normal;
    sum->likeliest_depth = depth;
}

/* False where the directions cancel; the likeliest is taken then. */
static bool blend_end(const blend* sum, float* depth, sup_vec3* normal) {
    sup_vec3 mean = supi_vec3_scaled(sum->normal, 1 / sum->weight);
    bool clear = supi_vec3_dot(mean, mean) >= NO_DIRECTION * NO_DIRECTION;
    *depth = sum->depth / sum->weight;
    *normal = clear ? supi_tet_unit(mean) : sum->likeliest;
    return clear;
}

static float weight_at(const pass* p, sup_vec3 apart) {
    float square = supi_vec3_dot(apart, apart), least = LEAST_REACH * p->edge;
    return 1 / (square > least * least ? square : least * least);
}

/* ---- Stage 2: edges that come through the surface ---- */

static void widen(const double at[3], double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = at[k] < low[k] ? at[k] : low[k];
        high[k] = at[k] > high[k] ? at[k] : high[k];
    }
}

/* The box of all edges with one end inside, and of the way that this end came; false where there
   are none. */
static bool box_edges(const pass* p, double low[3], double high[3]) {
    const supi_tet_form* form = p->body->form;
    bool any = false;
    for (int k = 0; k < 3; k++) low[k] = DBL_MAX, high[k] = -DBL_MAX;
    for (int32_t i = 0; i < p->pair->count; i++) {
        int32_t point = point_of(p, i);
        bool border = false;
        double at[3];
        for (int32_t j = form->starts[point]; j < form->starts[point + 1]; j++) {
            if (contact_of(p, form->neighbours[j]) >= 0) continue;
            border = true;
            place_of(p, form->neighbours[j], at);
            widen(at, low, high);
        }
        if (!border) continue;
        any = true;
        place_of(p, point, at);
        widen(at, low, high);
        start_of(p, &p->contacts[i], at);
        widen(at, low, high);
    }
    return any;
}

/* The normal of the surface at a crossing, bent towards those of the corners. */
static sup_vec3 bent_normal(const pass* p, const supi_tet_crossing* c) {
    bend* b = &p->bends[c->member];
    if (!b->known) {
        b->known = true;
        b->face = supi_tet_unit(p->other_faces[c->triangle].area);
        for (int k = 0; k < 3; k++) {
            b->corners[k] = supi_tet_corner_normal(p->other->form, p->other_faces, c->triangle, k);
        }
    }
    sup_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) sum = supi_vec3_along(sum, (float)c->weights[k], b->corners[k]);
    if (supi_vec3_dot(sum, sum) < NO_NORMAL * NO_NORMAL) return b->face;
    sum = supi_tet_unit(sum);
    return supi_vec3_dot(sum, b->face) > 0 ? sum : b->face;
}

static void find_ways(pass* p) {
    const supi_tet_form* form = p->body->form;
    double low[3], high[3], from[3], to[3];
    int32_t count = 0;
    bool any = box_edges(p, low, high);
    if (any) {
        supi_tet_walls_build(p->walls, p->other, p->other_faces, low, high);
        for (int32_t i = 0; i < p->walls->triangle_count; i++) p->bends[i].known = false;
    }
    for (int32_t i = 0; i < p->pair->count; i++) {
        int32_t point = point_of(p, i);
        p->starts[i] = count;
        place_of(p, point, to);
        for (int32_t j = form->starts[point]; any && j < form->starts[point + 1]; j++) {
            supi_tet_crossing c;
            if (contact_of(p, form->neighbours[j]) >= 0) continue;
            place_of(p, form->neighbours[j], from);
            if (!supi_tet_walls_first(p->walls, from, to, &c)) continue;
            /* seen from the point: the rest of the way, the other way round */
            double rest = c.t - 1.0;
            p->ways[count].to = supi_vector_round(
                rest * (to[0] - from[0]), rest * (to[1] - from[1]), rest * (to[2] - from[2]));
            p->ways[count++].normal = bent_normal(p, &c);
        }
    }
    p->starts[p->pair->count] = count;
}

/* ---- Stage 3: the border ---- */

/* A way out of the other body that the edges of a point know nothing of. */
typedef struct hint {
    sup_vec3 way;
    float depth; /* m */
} hint;

/* m: how short a way must be to be better than that of the edges. What leads elsewhere must be
   shorter, what leads the same way by much. */
static float reach_of(const supi_tet_contact* contact, sup_vec3 way) {
    float like = supi_vec3_dot(way, contact->normal);
    return like > ALIKE ? SHORTER * contact->depth : contact->depth;
}

static bool leads_back(const supi_tet_contact* contact, sup_vec3 way) {
    return supi_vec3_dot(way, contact->normal) < TURNED_BACK;
}

static void take(supi_tet_contact* contact, const hint* better) {
    contact->normal = better->way;
    contact->depth = better->depth;
    contact->flags |= SUPI_TET_GUARDED;
}

/* As it was to leave before. */
static bool goes_on(const pass* p, const supi_tet_contact* contact, sup_vec3 old, hint* out) {
    double from[3], to[3];
    supi_tet_crossing c;
    place_of(p, contact->rows[0], from);
    out->way = old;
    if (leads_back(contact, old)) {
        out->depth = supi_tet_exit(p->other, from, old);
        return true;
    }
    if (!(contact->depth > SHALLOW * p->edge)) return false;
    float reach = reach_of(contact, old);
    to[0] = from[0] + (double)reach * (double)old.x;
    to[1] = from[1] + (double)reach * (double)old.y;
    to[2] = from[2] + (double)reach * (double)old.z;
    if (!supi_tet_walls_first(p->walls, from, to, &c)) return false;
    out->depth = (float)c.t * reach;
    return supi_vec3_dot(old, p->other_faces[c.triangle].area) > 0;
}

/* Through the surface that it crossed within this substep. */
static bool came_in(const pass* p, const supi_tet_contact* contact, hint* out) {
    double from[3], to[3], gone[3];
    supi_tet_crossing c;
    start_of(p, contact, from);
    place_of(p, contact->rows[0], to);
    if (!supi_tet_walls_first(p->walls, from, to, &c)) return false;
    supi_vector_subtract(from, to, gone);
    sup_vec3 back = supi_vector_round(gone[0], gone[1], gone[2]);
    out->way = supi_tet_unit(p->other_faces[c.triangle].area);
    out->depth = (float)(1.0 - c.t) * supi_vec3_dot(back, out->way);
    return out->depth > 0;
}

/* Who was in already when the substep began, and is not remembered, was pushed in by the answers of
   the last: not far. */
static bool was_pushed_in(const pass* p, const supi_tet_contact* contact, hint* out) {
    double at[3], place[3];
    int32_t triangle;
    if (p->pair->past_count == 0 || !(contact->depth > SHALLOW * p->edge)) return false;
    place_of(p, contact->rows[0], at);
    if (!supi_tet_nearest(p->other, at, place, &triangle)) return false;
    supi_vector_subtract(place, at, place);
    out->way = supi_tet_unit(p->other_faces[triangle].area);
    out->depth = (float)supi_vector_length(place);
    return out->depth < PUSHED_IN * p->edge;
}

/* Edges that leave through folds and round corners tell more than the way is long, and their point
   would be thrown far out. */
static void shorten(const pass* p, supi_tet_contact* contact) {
    hint h;
    if (p->h > 0 && goes_on(p, contact, contact->normal, &h)) take(contact, &h);
}

/* Points that have gone so deep that their edges come out on the far side go back as they came. So
   do those that had gone through a body and come in again on the far side, or a corner that comes
   in at a side: their edges tell the way through all of the body, or along that behind them, on
   which they would be torn to and fro. */
static void guard(const pass* p, supi_tet_contact* contact) {
    sup_vec3 old;
    hint h;
    bool known = supi_tet_recall(p->pair, contact->rows[0], &old);
    if (known && goes_on(p, contact, old, &h)) take(contact, &h);
    if (!(p->h > 0)) return;
    if (!came_in(p, contact, &h) && (known || !was_pushed_in(p, contact, &h))) return;
    if (leads_back(contact, h.way) || h.depth < reach_of(contact, h.way)) take(contact, &h);
}

static void settle_border(pass* p, int32_t i) {
    supi_tet_contact* contact = &p->contacts[i];
    const supi_tet_form* form = p->body->form;
    int32_t point = contact->rows[0];
    bool outside = form->fan_starts[point] < form->fan_starts[point + 1];
    sup_vec3 own = outside ? supi_tet_normal(p->body->form, p->faces, point) : (sup_vec3){0, 0, 0};
    blend sum = {0};
    for (int32_t k = p->starts[i]; k < p->starts[i + 1]; k++) {
        const way_out* way = &p->ways[k];
        float facing = outside ? -supi_vec3_dot(way->normal, own) : 1;
        facing = facing > LEAST_FACING ? facing : LEAST_FACING;
        blend_add(&sum, facing * weight_at(p, way->to), supi_vec3_dot(way->to, way->normal),
                  way->normal);
    }
    if (!blend_end(&sum, &contact->depth, &contact->normal)) contact->depth = sum.likeliest_depth;
    if (!(contact->depth > 0)) contact->depth = 0;
    contact->flags |= SUPI_TET_BORDER;
    guard(p, contact);
    shorten(p, contact);
}

/* ---- Stage 4: from the border inwards ---- */

/* From all neighbours of earlier levels. */
static void settle_inner(const pass* p, int32_t i, int32_t level) {
    const supi_tet_form* form = p->body->form;
    supi_tet_contact* contact = &p->contacts[i];
    sup_vec3 own = supi_tet_place(p->body, contact->rows[0]);
    blend sum = {0};
    for (int32_t j = form->starts[contact->rows[0]]; j < form->starts[contact->rows[0] + 1]; j++) {
        int32_t k = contact_of(p, form->neighbours[j]);
        if (k < 0 || p->levels[k] == 0 || p->levels[k] >= level) continue;
        const supi_tet_contact* near = &p->contacts[k];
        sup_vec3 apart = supi_vec3_minus(supi_tet_place(p->body, form->neighbours[j]), own);
        blend_add(&sum, weight_at(p, apart), supi_vec3_dot(apart, near->normal) + near->depth,
                  near->normal);
    }
    blend_end(&sum, &contact->depth, &contact->normal);
    if (!(contact->depth > 0)) contact->depth = 0;
    if (contact->depth > p->diagonal) contact->depth = p->diagonal;
    shorten(p, contact);
}

static void spread(pass* p, int32_t border_count) {
    const supi_tet_form* form = p->body->form;
    int32_t first = 0, end = border_count;
    for (int32_t level = 2; first < end; level++) {
        int32_t last = end;
        for (; first < last; first++) {
            int32_t point = point_of(p, p->queue[first]);
            for (int32_t j = form->starts[point]; j < form->starts[point + 1]; j++) {
                int32_t k = contact_of(p, form->neighbours[j]);
                if (k < 0 || p->levels[k] > 0) continue;
                p->levels[k] = level;
                p->queue[end++] = k;
            }
        }
        for (int32_t k = last; k < end; k++) settle_inner(p, p->queue[k], level);
    }
}

/* ---- Full containment ---- */

/* The contacts connected to `seed`, in p->queue; how many. */
static int32_t take_part(pass* p, int32_t seed) {
    const supi_tet_form* form = p->body->form;
    int32_t count = 0;
    p->queue[count++] = seed;
    p->levels[seed] = 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t point = point_of(p, p->queue[i]);
        for (int32_t j = form->starts[point]; j < form->starts[point + 1]; j++) {
            int32_t k = contact_of(p, form->neighbours[j]);
            if (k < 0 || p->levels[k] > 0) continue;
            p->levels[k] = 1;
            p->queue[count++] = k;
        }
    }
    return count;
}

static void settle_part(pass* p, int32_t seed, sup_vec3 up) {
    int32_t count = take_part(p, seed);
    const supi_tet_part part = {.body = p->body,
                                .other = p->other,
                                .offset = {p->offset[0], p->offset[1], p->offset[2]},
                                .pair = p->pair,
                                .contacts = p->contacts,
                                .members = p->queue,
                                .count = count};
    sup_vec3 normal = supi_tet_leave(&part, up);
    for (int32_t i = 0; i < count; i++) {
        supi_tet_contact* contact = &p->contacts[p->queue[i]];
        double place[3];
        place_of(p, contact->rows[0], place);
        contact->normal = normal;
        contact->depth = supi_tet_exit(p->other, place, normal);
        contact->flags |= SUPI_TET_CONTAINED;
    }
}

/* ---- All of it ---- */

static void settle_consistent(pass* p, sup_vec3 up) {
    int32_t border_count = 0;
    /* edges of sheets and ropes come out where nothing of them can leave */
    bool flat = p->body->form->tet_count == 0;
    if (!flat) find_ways(p);
    for (int32_t i = 0; i < p->pair->count; i++) {
        p->levels[i] = !flat && p->starts[i] < p->starts[i + 1] ? 1 : 0;
        if (!p->levels[i]) continue;
        settle_border(p, i);
        p->queue[border_count++] = i;
    }
    spread(p, border_count);
    for (int32_t i = 0; i < p->pair->count; i++) {
        if (p->levels[i] == 0) settle_part(p, i, up);
    }
}

void supi_tet_depth(const supi_tet_body* bodies, const supi_tet_face* const* faces,
                    const supi_tet_pair* pair, const supi_tet_rules* rules, supi_tet_room* room,
                    supi_tet_contact* contacts) {
    pass p = {.body = &bodies[pair->body],
              .other = &bodies[pair->other],
              .faces = faces[pair->body],
              .other_faces = faces[pair->other],
              .pair = pair,
              .contacts = contacts + pair->first,
              .slots = room->slots.items,
              .levels = room->levels.items,
              .queue = room->queue.items,
              .starts = room->starts.items,
              .ways = room->ways.items,
              .bends = room->bends.items,
              .walls = &room->walls};
    p.edge = p.body->form->edge;
    p.h = rules->h;
    supi_tet_offset(p.body, p.other, p.offset);
    if (supi_tet_mode(p.body, p.other) == SUP_OVERLAP_NAIVE) {
        for (int32_t i = 0; i < pair->count; i++) {
            double place[3];
            place_of(&p, point_of(&p, i), place);
            supi_tet_escape_nearest(p.other, place, &p.contacts[i]);
        }
        return;
    }
    p.diagonal = supi_tet_diagonal(p.other);
    for (int32_t i = 0; i < pair->count; i++) p.slots[point_of(&p, i)] = i + 1;
    settle_consistent(&p, rules->up);
    for (int32_t i = 0; i < pair->count; i++) p.slots[point_of(&p, i)] = 0;
}
