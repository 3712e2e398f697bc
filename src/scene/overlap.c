/* Bodies that begin deep inside each other or inside colliders. */
#include "contact/collider.h"
#include "geom/sort.h"
#include "scene/assemble.h"
#include "world/overlaps.h"
#include "world/stand.h"

#include <string.h>

/* Looking ends after so many steps: a scene must not load slowly for the sake of notes. */
#define EFFORT 20000000
/* So many notes tell enough about the copies of a body. */
#define TOLD 3

typedef struct place {
    float x[3], radius; /* m */
} place;

typedef struct search {
    sup_scene* scene;
    const supi_body_draft* drafts; /* (entry_count) */
    int32_t* entry;                /* of each body (body_count) */
    int32_t* told;                 /* notes about the bodies of an entry (entry_count) */
    double (*low)[3];              /* m, boxes of the bodies with their particles' reach */
    double (*high)[3];
    place* near[2]; /* scratch: particles of two bodies */
    int64_t effort;
    bool memory;
} search;

static const supi_body* body_at(const search* s, int32_t index) {
    return supi_world_body(s->scene->world, s->scene->bodies[index]);
}

/* The particles of a body that others can touch and that lie in a box, relative to its corner. */
static int32_t gather(const search* s, const supi_body* body, const double low[3],
                      const double high[3], place* out) {
    const supi_state* now = &s->scene->world->now;
    int32_t count = 0;
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        const sup_row* x = now->x + body->row + r;
        float radius = now->v[body->row + r].w;
        const double at[3] = {body->anchor[0] + (double)x->x, body->anchor[1] + (double)x->y,
                              body->anchor[2] + (double)x->z};
        bool inside = radius > 0;
        for (int32_t k = 0; k < 3; k++) inside = inside && at[k] >= low[k] && at[k] <= high[k];
        if (!inside) continue;
        for (int32_t k = 0; k < 3; k++) out[count].x[k] = (float)(at[k] - low[k]);
        out[count++].radius = radius;
    }
    return count;
}

/* Is one of two bodies in the other by more than a quarter of its edges? */
static bool tets_overlap(search* s, int32_t a, int32_t b) {
    sup_world* world = s->scene->world;
    supi_tet_body bodies[2];
    for (int i = 0; i < 2; i++) {
        supi_body* body = supi_world_body(world, s->scene->bodies[i ? b : a]);
        if (!supi_overlaps_has(body) && !supi_stand_make(world, body)) {
            s->memory = false;
            return false;
        }
        bodies[i] = supi_overlaps_describe(world, body);
        bodies[i].self = false;
    }
    uint64_t couple = (uint64_t)bodies[0].id << 32 | (uint32_t)bodies[1].id;
    supi_tet_rules rules = supi_tet_rules_default();
    rules.deep = &couple;
    rules.deep_count = 1;
    supi_tet_contacts found = {0};
    bool deep = false;
    s->memory = supi_tet_contacts_find(&found, world->allocator, world->tasks,
                                       world->overlaps.kernels, bodies, 2, &rules) == SUP_OK;
    for (int32_t i = 0; i < found.contact_count; i++) {
        const supi_tet_contact* c = &found.contacts[i];
        deep = deep || c->depth > 0.25f * bodies[c->body].form->edge;
    }
    /* what is all inside asks the whole surface for each of its points */
    s->effort += (int64_t)found.contact_count *
                 (bodies[0].form->triangle_count + bodies[1].form->triangle_count);
    supi_tet_contacts_free(&found, world->allocator);
    s->effort += 20 * ((int64_t)bodies[0].form->tet_count + bodies[1].form->tet_count);
    return deep;
}

/* Is one in the other, or do two particles of theirs overlap by more than half of their reach? */
static bool pair_overlaps(search* s, int32_t a, int32_t b) {
    double low[3], high[3];
    const supi_body *one = body_at(s, a), *other = body_at(s, b);
    if (supi_overlaps_may_hold(one) && supi_overlaps_may_hold(other)) {
        if (tets_overlap(s, a, b)) return true;
        if (!s->memory || (supi_overlaps_has(one) && supi_overlaps_has(other))) return false;
    }
    for (int32_t k = 0; k < 3; k++) {
        low[k] = s->low[a][k] > s->low[b][k] ? s->low[a][k] : s->low[b][k];
        high[k] = s->high[a][k] < s->high[b][k] ? s->high[a][k] : s->high[b][k];
    }
    int32_t m = gather(s, body_at(s, a), low, high, s->near[0]);
    int32_t n = gather(s, body_at(s, b), low, high, s->near[1]);
    s->effort += (int64_t)m * n + m + n;
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < n; j++) {
            const place *p = &s->near[0][i], *q = &s->near[1][j];
            float dx = p->x[0] - q->x[0], dy = p->x[1] - q->x[1], dz = p->x[2] - q->x[2];
            float reach = p->radius + q->radius;
            if (dx * dx + dy * dy + dz * dz < 0.25f * reach * reach) return true;
        }
    }
    return false;
}

/* `kind` stands before the name of what the body overlaps. */
static void tell(search* s, int32_t body, const char* kind, const char* name) {
    int32_t entry = s->entry[body];
    s->told[entry]++;
    s->memory = supi_notes_add(s->scene, s->drafts[entry].place,
                               "\"%.60s\" overlaps %s\"%.60s\" at the start",
                               s->scene->surfaces[body].name, kind, name);
}

static bool is_body(sup_body a, sup_body b) { return a.slot == b.slot && a.age == b.age; }

/* What is attached passes through each other, unless it was asked not to. */
static bool are_attached(search* s, int32_t first, int32_t second) {
    const sup_world* world = s->scene->world;
    sup_body a = s->scene->bodies[first], b = s->scene->bodies[second];
    s->effort += world->attachment_count;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const sup_attachment_def* d = &world->attachments[i].def;
        if (d->meet) continue;
        if (is_body(d->body, a) && is_body(d->other, b)) return true;
        if (is_body(d->body, b) && is_body(d->other, a)) return true;
    }
    return false;
}

static void look_at_pair(search* s, int32_t a, int32_t b) {
    int32_t first = a < b ? a : b, second = a < b ? b : a;
    if (!supi_filters_meet(body_at(s, a)->filter, body_at(s, b)->filter)) return;
    if (s->told[s->entry[second]] == TOLD || are_attached(s, first, second)) return;
    if (!pair_overlaps(s, first, second)) return;
    tell(s, second, "", s->scene->surfaces[first].name);
}

static bool boxes_meet(const search* s, int32_t a, int32_t b) {
    bool meet = true;
    for (int32_t k = 0; k < 3; k++) {
        meet = meet && s->low[a][k] <= s->high[b][k] && s->low[b][k] <= s->high[a][k];
    }
    return meet;
}

/* Sweeps along x; `order` has the bodies by the low side of their boxes. */
static void look_at_bodies(search* s, const int32_t* order) {
    int32_t count = s->scene->info.body_count;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = i + 1; j < count && s->memory && s->effort < EFFORT; j++) {
            if (s->low[order[j]][0] > s->high[order[i]][0]) break;
            s->effort++;
            if (boxes_meet(s, order[i], order[j])) look_at_pair(s, order[i], order[j]);
        }
    }
}

/* Is a particle of the body deeper inside a collider than its radius? */
static bool body_is_inside(search* s, const supi_shape* shape, const supi_body* body) {
    const supi_state* now = &s->scene->world->now;
    int64_t effort = shape->mesh || shape->heights ? 500 : 10; /* of one probe, about */
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++, s->effort += effort) {
        const sup_row* x = now->x + body->row + r;
        sup_vec3 at = {x->x, x->y, x->z};
        supi_probe probe;
        supi_shape_probe(shape, at, supi_shape_side(shape, at), &probe);
        float radius = now->v[body->row + r].w;
        double reach = radius > 0 ? (double)radius : body->blueprint->info.spacing / 2;
        if (-(double)probe.distance > reach) return true;
    }
    return false;
}

static void look_at_collider(search* s, int32_t index) {
    sup_scene* scene = s->scene;
    const supi_collider* collider =
        supi_world_collider(scene->world, scene->colliders[index].handle);
    if (collider->def.sensor) return;
    supi_solid solid;
    const double *position = collider->from_position, *rotation = collider->from_rotation;
    supi_solid_make(&collider->def, collider->mesh, collider->heights, &solid);
    supi_solid_pose(&solid, position, rotation, position, rotation, 1.0);
    for (int32_t b = 0; b < scene->info.body_count && s->memory && s->effort < EFFORT; b++) {
        const supi_body* body = body_at(s, b);
        float low[3], high[3];
        for (int32_t k = 0; k < 3; k++) {
            low[k] = (float)(s->low[b][k] - body->anchor[k]);
            high[k] = (float)(s->high[b][k] - body->anchor[k]);
        }
        supi_shape shape;
        supi_shape_place(&solid, body->anchor, &shape);
        s->effort++;
        if (!supi_filters_meet(body->filter, collider->def.filter)) continue;
        if (!supi_shape_near(&shape, low, high, 0)) continue;
        if (s->told[s->entry[b]] == TOLD || !body_is_inside(s, &shape, body)) continue;
        tell(s, b, "the collider ", scene->colliders[index].name);
    }
}

static void look(search* s, uint64_t* keys, int32_t* order) {
    sup_scene* scene = s->scene;
    int32_t count = scene->info.body_count;
    for (int32_t e = 0; e < scene->info.entry_count; e++) {
        const sup_scene_entry* entry = &scene->entries[e];
        for (int32_t i = 0; i < entry->body_count; i++) {
            int32_t b = entry->first_body + i;
            s->entry[b] = e;
            sup_body_bounds(scene->world, scene->bodies[b], s->low[b], s->high[b]);
            double reach = entry->blueprint.radius > 0 ? entry->blueprint.radius : 0;
            for (int32_t k = 0; k < 3; k++) s->low[b][k] -= reach, s->high[b][k] += reach;
            keys[b] = supi_sort_key(s->low[b][0]);
            order[b] = b;
        }
    }
    supi_sort_keys(count, keys, order, keys + count, order + count);
    look_at_bodies(s, order);
    for (int32_t c = 0; c < scene->info.collider_count; c++) look_at_collider(s, c);
}

bool supi_overlap_note(sup_scene* scene, const supi_scene_draft* draft) {
    supi_arena scratch;
    supi_arena_init(&scratch, scene->store.allocator);
    size_t bodies = (size_t)scene->info.body_count, most = 0;
    for (int32_t e = 0; e < scene->info.entry_count; e++) {
        size_t particles = (size_t)scene->entries[e].blueprint.particle_count;
        most = particles > most ? particles : most;
    }
    search s = {.scene = scene, .drafts = draft->bodies.items};
    s.entry = supi_arena_push(&scratch, bodies, sizeof *s.entry);
    s.told = supi_arena_push(&scratch, (size_t)scene->info.entry_count, sizeof *s.told);
    s.low = supi_arena_push(&scratch, bodies, sizeof *s.low);
    s.high = supi_arena_push(&scratch, bodies, sizeof *s.high);
    for (int32_t i = 0; i < 2; i++) s.near[i] = supi_arena_push(&scratch, most, sizeof *s.near[i]);
    uint64_t* keys = supi_arena_push(&scratch, 2 * bodies, sizeof *keys);
    int32_t* order = supi_arena_push(&scratch, 2 * bodies, sizeof *order);
    s.memory = s.entry && s.told && s.low && s.high && s.near[0] && s.near[1] && keys && order;
    if (s.memory) look(&s, keys, order);
    supi_arena_free(&scratch);
    return s.memory;
}
