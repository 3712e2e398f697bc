/* From hits to contacts: one for each point and body, depths pair by pair, then the memory. */
#include "contact/tet_contacts.h"

#include "contact/tet_escape.h"
#include "contact/tet_leave.h"
#include "contact/tet_others.h"
#include "geom/vector.h"

#include <string.h>

#define THROUGH 0.5 /* edges under a surface */

typedef struct job {
    supi_tet_contacts* all;
    const sup_allocator* allocator;
    const supi_tet_body* bodies;
    int32_t body_count;
    const supi_tet_rules* rules;
    supi_tet_room* rooms;  /* by worker */
    supi_tet_face** faces; /* by body; NULL: it meets nobody */
} job;

/* ---- One contact for each point and body ---- */

static uint32_t flag_of_mode(const job* j, int32_t body, int32_t other) {
    sup_overlap_mode mode = supi_tet_mode(&j->bodies[body], &j->bodies[other]);
    return mode == SUP_OVERLAP_PENALTY ? SUPI_TET_PENALTY : 0;
}

static supi_tet_contact contact_of(const job* j, const supi_tet_hit* hit) {
    supi_tet_contact contact = {.body = hit->body,
                                .other = hit->other,
                                .own_count = 1,
                                .row_count = 5,
                                .rows = {hit->point},
                                .shares = {1},
                                .tet = hit->tet,
                                .flags = hit->flags & SUPI_TET_INVERTED};
    const int32_t* corners = j->bodies[hit->other].form->tets + 4 * hit->tet;
    for (int k = 0; k < 4; k++) {
        contact.rows[k + 1] = corners[k];
        contact.shares[k + 1] = -hit->weights[k];
    }
    return contact;
}

/* On a side between two tetrahedra a point is in both, but goes round by one of them only. */
static bool is_within(const supi_tet_hit* hit) {
    return hit->weights[0] > 0 && hit->weights[1] > 0 && hit->weights[2] > 0 && hit->weights[3] > 0;
}

/* Where a tetrahedron is folded inside out over another, the surface does not go round what both
   hold, and round what it holds alone it goes the wrong way: neither is inside. Ways from there
   lead out through no surface, or one that looks inwards, and depths would be made up. */
static bool is_in_a_fold(const supi_tet_hit* hits, int32_t count) {
    int32_t turns = 0;
    bool folded = false;
    for (int32_t i = 0; i < count; i++) {
        bool inverted = (hits[i].flags & SUPI_TET_INVERTED) != 0;
        folded = folded || inverted;
        if (is_within(&hits[i])) turns += inverted ? -1 : 1;
    }
    return folded && turns <= 0;
}

/* From the hits of one point with one body: the first tetrahedron counts, unless it is on the
   surface of any or between folds. Of its own body, the first that is no neighbour. */
static bool settle_hits(const job* j, const supi_tet_hit* hits, int32_t count,
                        supi_tet_contact* out) {
    if (hits->body == hits->other) {
        for (int32_t i = 0; i < count; i++) {
            bool touching = (hits[i].flags & SUPI_TET_ON_SURFACE) != 0;
            if (touching || !supi_tet_with_itself(j->bodies, &hits[i], out)) continue;
            out->flags |= flag_of_mode(j, out->body, out->body);
            return true;
        }
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        if (hits[i].flags & SUPI_TET_ON_SURFACE) return false;
    }
    if (is_in_a_fold(hits, count)) return false;
    *out = contact_of(j, hits);
    return true;
}

static int compare_memory(const supi_tet_memory* m, int32_t body, int32_t other, int32_t point) {
    if (m->body != body) return m->body < body ? -1 : 1;
    if (m->other != other) return m->other < other ? -1 : 1;
    if (m->point != point) return m->point < point ? -1 : 1;
    return 0;
}

typedef struct memory_search {
    const supi_tet_memory* memory;
    int32_t body, other, point;
} memory_search;

static bool memory_before(const void* search, int32_t i) {
    const memory_search* s = search;
    return compare_memory(&s->memory[i], s->body, s->other, s->point) < 0;
}

/* The first memory that is not before these. */
static int32_t find_memory(const supi_tet_contacts* all, int32_t body, int32_t other,
                           int32_t point) {
    const memory_search search = {all->memory, body, other, point};
    return supi_seek_by(all->memory_count, memory_before, &search);
}

bool supi_tet_contacts_remember(const supi_tet_contacts* all, int32_t body, int32_t other) {
    int32_t i = find_memory(all, body, other, 0);
    return i < all->memory_count && all->memory[i].body == body && all->memory[i].other == other;
}

/* What is remembered of a pair. */
static void find_past(const job* j, supi_tet_pair* pair) {
    const supi_tet_contacts* all = j->all;
    int32_t a = j->bodies[pair->body].id, b = j->bodies[pair->other].id;
    int32_t past = find_memory(all, a, b, 0), end = past;
    while (end < all->memory_count && all->memory[end].body == a && all->memory[end].other == b) {
        end++;
    }
    pair->past = end > past ? all->memory + past : NULL;
    pair->past_count = end - past;
}

static void add_pair(const job* j, int32_t body, int32_t other, int32_t first, int32_t count) {
    supi_tet_pair* pair = &j->all->pairs[j->all->pair_count++];
    *pair = (supi_tet_pair){.body = body, .other = other, .first = first, .count = count};
    find_past(j, pair);
}

/* Has a sheet or a rope come so far through another body that spheres cannot hold it? */
static bool goes_through(const supi_tet_body* a, const supi_tet_body* b,
                         const supi_tet_contact* contacts, int32_t count) {
    double offset[3], place[3], nearest[3];
    int32_t triangle;
    supi_tet_offset(a, b, offset);
    for (int32_t i = 0; i < count; i++) {
        supi_vector_of_row(&a->x[contacts[i].rows[0]], place);
        for (int k = 0; k < 3; k++) place[k] += offset[k];
        if (!supi_tet_nearest(b, place, nearest, &triangle)) continue;
        supi_vector_subtract(nearest, place, nearest);
        if (supi_vector_length(nearest) > THROUGH * (double)b->form->edge) return true;
    }
    return false;
}

/* Tetrahedra that stand in know little of the surface, where spheres do well: what counts is that
   most of a body is in another, and then all of it until it is out. Of a sheet that goes through a
   thin wall few points are in it, and they would leave on both sides: that is for spheres, too. */
static bool counts(const job* j, int32_t body, int32_t other, int32_t first, int32_t count) {
    const supi_tet_body *a = &j->bodies[body], *b = &j->bodies[other];
    if (count == 0) return false;
    if (a->form->tet_count == 0 && b->form->thickness < a->form->edge) return false;
    if (!b->form->stands_in || 2 * count > supi_tet_used(a)) return true;
    if (supi_tet_contacts_remember(j->all, a->id, b->id) ||
        supi_tet_contacts_remember(j->all, b->id, a->id)) {
        return true;
    }
    return a->form->tet_count == 0 && goes_through(a, b, j->all->contacts + first, count);
}

static bool make_contacts(const job* j) {
    supi_tet_contacts* all = j->all;
    const supi_tet_hit* hits = all->finder.hits;
    int32_t hit_count = all->finder.hit_count, count = 0;
    all->contacts =
        supi_column_reserve(&all->contact_store, j->allocator, hit_count, sizeof *all->contacts);
    all->pairs = supi_column_reserve(&all->pair_store, j->allocator, hit_count, sizeof *all->pairs);
    if (!all->contacts || !all->pairs) return false;
    for (int32_t i = 0; i < hit_count;) {
        int32_t first = count, body = hits[i].body, other = hits[i].other;
        while (i < hit_count && hits[i].body == body && hits[i].other == other) {
            int32_t begin = i;
            while (i < hit_count && hits[i].body == body && hits[i].other == other &&
                   hits[i].point == hits[begin].point) {
                i++;
            }
            count += settle_hits(j, hits + begin, i - begin, &all->contacts[count]);
        }
        if (body == other) continue;
        if (counts(j, body, other, first, count - first))
            add_pair(j, body, other, first, count - first);
        else
            count = first;
    }
    all->contact_count = count;
    return true;
}

/* ---- Depths ---- */

static void measure_body(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    if (j->faces[index]) supi_tet_measure(&j->bodies[index], j->faces[index]);
}

/* Room for the faces of bodies whose boxes meet others. */
static bool reserve_faces(job* j) {
    const supi_tet_finder* finder = &j->all->finder;
    int64_t need = 0;
    j->faces =
        supi_column_reserve(&j->all->face_starts, j->allocator, j->body_count, sizeof *j->faces);
    if (!j->faces) return false;
    for (int32_t i = 0; i < j->body_count; i++) need += j->bodies[i].form->triangle_count;
    supi_tet_face* all = need <= INT32_MAX ? supi_column_reserve(&j->all->faces, j->allocator,
                                                                 (int32_t)need, sizeof *all)
                                           : NULL;
    if (!all) return false;
    for (int32_t i = 0; i < j->body_count; i++) j->faces[i] = NULL;
    for (int32_t i = 0; i < finder->couple_count; i++) {
        j->faces[finder->couples[i] >> 32] = all;
        j->faces[(uint32_t)finder->couples[i]] = all;
    }
    for (int32_t i = 0; i < j->body_count; i++) {
        if (!j->faces[i]) continue;
        j->faces[i] = all;
        all += j->bodies[i].form->triangle_count;
    }
    return true;
}

static void find_depth(void* context, int32_t index, int32_t worker) {
    const job* j = context;
    const supi_tet_pair* pair = &j->all->pairs[index];
    supi_tet_depth(j->bodies, (const supi_tet_face* const*)j->faces, pair, j->rules,
                   &j->rooms[worker], j->all->contacts);
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        j->all->contacts[i].goal = j->all->contacts[i].depth;
        j->all->contacts[i].flags |= flag_of_mode(j, pair->body, pair->other);
    }
}

/* Has the other body just been carried out, and is still in the way of this one? */
static bool follows_carried(const job* j, const supi_tet_pair* pair) {
    supi_tet_pair back = {.body = pair->other, .other = pair->body};
    find_past(j, &back);
    return supi_tet_pair_carried(&back);
}

static void find_carried(const job* j) {
    const supi_tet_contacts* all = j->all;
    for (int32_t i = 0; i < all->pair_count; i++) {
        const supi_tet_pair* pair = &all->pairs[i];
        const supi_tet_pair* back = supi_tet_pair_back(all->pairs, all->pair_count, pair);
        bool follows = !back && follows_carried(j, pair);
        if (!follows && !supi_tet_pair_leads(j->bodies, pair, back)) continue;
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            all->contacts[k].flags |= SUPI_TET_CARRIED;
        }
        if (back) supi_tet_give_way(j->bodies, pair, back, all->contacts);
    }
}

static bool reserve_rooms(job* j, int32_t workers) {
    j->rooms = supi_column_reserve(&j->all->rooms, j->allocator, workers, sizeof *j->rooms);
    if (!j->rooms) return false;
    for (int32_t i = 0; i < workers; i++) {
        if (!supi_tet_room_reserve(&j->rooms[i], j->allocator, j->bodies, j->body_count)) {
            return false;
        }
    }
    return true;
}

typedef struct hit_search {
    const supi_tet_hit* hits;
    uint64_t key; /* body << 32 | other */
} hit_search;

static bool hit_before(const void* search, int32_t i) {
    const hit_search* s = search;
    return ((uint64_t)(uint32_t)s->hits[i].body << 32 | (uint32_t)s->hits[i].other) < s->key;
}

/* The hits of one body in another. */
static supi_tet_inside hits_of(const supi_tet_finder* finder, int32_t body, int32_t other) {
    uint64_t key = (uint64_t)(uint32_t)body << 32 | (uint32_t)other;
    const hit_search ends[2] = {{finder->hits, key}, {finder->hits, key + 1}};
    int32_t first = supi_seek_by(finder->hit_count, hit_before, &ends[0]);
    int32_t end = supi_seek_by(finder->hit_count, hit_before, &ends[1]);
    return (supi_tet_inside){finder->hits + first, end - first};
}

static bool add_edges(const job* j) {
    supi_tet_contacts* all = j->all;
    int32_t count = all->contact_count;
    for (int32_t i = 0; i < 2 * all->finder.couple_count; i++) {
        uint64_t couple = all->finder.couples[i / 2];
        int32_t ends[2] = {(int32_t)(couple >> 32), (int32_t)(uint32_t)couple};
        int32_t body = ends[i % 2], other = ends[1 - i % 2], first = count;
        if (!j->bodies[body].edges && !j->bodies[other].edges) continue;
        if (!supi_tet_solid(&j->bodies[body]) || !supi_tet_solid(&j->bodies[other])) continue;
        supi_tet_inside inside = hits_of(&all->finder, body, other);
        supi_tet_inside back = hits_of(&all->finder, other, body);
        if (!supi_tet_edges(j->bodies, body, other, j->faces[other], inside, back, &j->rooms[0],
                            j->allocator, &all->contact_store, &count)) {
            return false;
        }
        supi_tet_contact* found = all->contact_store.items;
        for (int32_t k = first; k < count; k++) found[k].flags |= flag_of_mode(j, body, other);
    }
    all->contacts = all->contact_store.items;
    all->edge_contact_count = count - all->contact_count;
    all->contact_count = count;
    return true;
}

static bool make_patches(const job* j) {
    supi_tet_contacts* all = j->all;
    return supi_tet_patches_make(&all->patches, j->allocator, j->bodies, j->body_count,
                                 all->contacts, all->contact_count);
}

static bool share_out(const job* j) {
    supi_tet_contacts* all = j->all;
    return supi_tet_crowd(j->bodies, j->body_count, j->allocator, &all->firsts, &all->loads,
                          all->contacts, all->contact_count);
}

/* ---- Memory ---- */

static void swap_memories(supi_tet_contacts* all) {
    supi_column spare = all->memory_spare;
    all->memory_spare = all->memory_store;
    all->memory_store = spare;
}

/* Ways to the nearest surface lead nowhere that one should go again. */
static bool is_remembered(const job* j, const supi_tet_contact* c) {
    return c->body != c->other && !(c->flags & SUPI_TET_OF_EDGE) &&
           supi_tet_mode(&j->bodies[c->body], &j->bodies[c->other]) != SUP_OVERLAP_NAIVE;
}

/* What was found now, and what was found not long ago, in one order. */
static bool remember(const job* j) {
    supi_tet_contacts* all = j->all;
    int64_t need = (int64_t)all->memory_count + all->contact_count;
    if (need > INT32_MAX) return false;
    supi_tet_memory* to =
        supi_column_reserve(&all->memory_spare, j->allocator, (int32_t)need, sizeof *to);
    if (!to) return false;
    int32_t old = 0, count = 0;
    for (int32_t i = 0; i <= all->contact_count; i++) {
        const supi_tet_contact* c = i < all->contact_count ? &all->contacts[i] : NULL;
        if (c && !is_remembered(j, c)) continue;
        int32_t body = c ? j->bodies[c->body].id : INT32_MAX;
        int32_t other = c ? j->bodies[c->other].id : INT32_MAX, point = c ? c->rows[0] : INT32_MAX;
        for (; old < all->memory_count; old++) {
            const supi_tet_memory* m = &all->memory[old];
            int order = compare_memory(m, body, other, point);
            if (order > 0) break;
            to[count] = *m;
            count += order < 0 && supi_tet_grow_old(&to[count]);
        }
        int32_t age = c && (c->flags & SUPI_TET_CARRIED) ? SUPI_TET_MEMORY : 0;
        if (c) to[count++] = (supi_tet_memory){body, other, point, age, c->normal};
    }
    swap_memories(all);
    all->memory = to;
    all->memory_count = count;
    return true;
}

sup_result supi_tet_contacts_find(supi_tet_contacts* all, const sup_allocator* allocator,
                                  supi_tasks* tasks, const supi_tet_kernels* kernels,
                                  const supi_tet_body* bodies, int32_t body_count,
                                  const supi_tet_rules* rules) {
    job j = {.all = all,
             .allocator = allocator,
             .bodies = bodies,
             .body_count = body_count,
             .rules = rules};
    supi_tet_contacts_clear(all);
    sup_result result =
        supi_tet_find(&all->finder, allocator, tasks, kernels, bodies, body_count, rules);
    if (result != SUP_OK) return result;
    bool done =
        make_contacts(&j) && reserve_faces(&j) && reserve_rooms(&j, supi_tasks_worker_count(tasks));
    if (done) {
        supi_tasks_run(tasks, body_count, measure_body, &j);
        supi_tasks_run(tasks, all->pair_count, find_depth, &j);
        find_carried(&j);
        done = add_edges(&j) && make_patches(&j) && share_out(&j) && remember(&j);
    }
    if (done) return SUP_OK;
    supi_tet_contacts_clear(all);
    return SUP_NO_MEMORY;
}

void supi_tet_contacts_age(supi_tet_contacts* all) {
    int32_t kept = 0;
    for (int32_t i = 0; i < all->memory_count; i++) {
        all->memory[kept] = all->memory[i];
        kept += supi_tet_grow_old(&all->memory[kept]);
    }
    all->memory_count = kept;
}

void supi_tet_contacts_clear(supi_tet_contacts* all) {
    all->contact_count = all->edge_contact_count = all->pair_count = 0;
    all->finder.hit_count = all->finder.couple_count = 0;
    all->patches.patch_count = all->patches.row_count = 0;
}

void supi_tet_contacts_recall(supi_tet_contacts* all, const supi_tet_memory* memory,
                              int32_t count) {
    supi_tet_contacts_clear(all);
    if (all->memory_store.capacity < count) swap_memories(all);
    all->memory = all->memory_store.items;
    all->memory_count = count;
    if (count > 0) memcpy(all->memory, memory, (size_t)count * sizeof *memory);
}

void supi_tet_contacts_free(supi_tet_contacts* all, const sup_allocator* allocator) {
    supi_tet_room* rooms = all->rooms.items;
    for (int32_t i = 0; i < all->rooms.capacity; i++) supi_tet_room_free(&rooms[i], allocator);
    supi_column_free(&all->rooms, allocator);
    supi_column_free(&all->faces, allocator);
    supi_column_free(&all->face_starts, allocator);
    supi_column_free(&all->firsts, allocator);
    supi_column_free(&all->loads, allocator);
    supi_column_free(&all->contact_store, allocator);
    supi_column_free(&all->pair_store, allocator);
    supi_column_free(&all->memory_store, allocator);
    supi_column_free(&all->memory_spare, allocator);
    supi_tet_patches_free(&all->patches, allocator);
    supi_tet_finder_free(&all->finder, allocator);
    *all = (supi_tet_contacts){0};
}
