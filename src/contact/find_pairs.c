/* Contacts between runs, and of runs that meet themselves. Pairings are coloured so that those of
   one colour can be solved at the same time. */
#include "contact/find.h"

#include "geom/quaternion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Cosine between two outward normals above which surfaces look the same way. */
#define FACING_LIMIT 0.5f

/* Pairings that are filled in together: so many, or as have so many pairs. */
enum { BUNCH_PAIRINGS = 32, BUNCH_PAIRS = 64 };

#define COLOURS_MAX 64 /* beyond that a pairing has a colour of its own */

static bool add_pairing(supi_find* c, const supi_pair_group* group) {
    const supi_run *a = &c->runs[group->run_a], *b = &c->runs[group->run_b];
    supi_contacts* contacts = c->contacts;
    supi_pairing* out = &contacts->pairings[contacts->pairing_count++];
    *out = (supi_pairing){.run_a = group->run_a,
                          .run_b = group->run_b,
                          .first = contacts->pair_contact_count,
                          .count = group->count,
                          .hold_a = a->held,
                          .hold_b = b->held,
                          .grasp = -1,
                          .source = group->first,
                          .a = {a->oriented, a->first},
                          .b = {b->oriented, b->first}};
    contacts->pair_contact_count += group->count;
    for (int k = 0; k < 3; k++) out->offset[k] = (float)(b->anchor[k] - a->anchor[k]);
    out->surface = supi_find_surfaces(c, a->grips, a->grip_count, b->grips, b->grip_count,
                                      a->spacing < b->spacing ? a->spacing : b->spacing);
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

/* Spheres alone do not know inside from outside: a particle that has slipped behind the other's
   would be pushed on inwards. Where the surfaces have an outside, the normal is turned towards it,
   the more the further the particle is behind. False: the two surfaces look the same way, so this
   pair is none that meets from outside. */
static bool turn_outwards(const supi_run* a, const supi_run* b, const supi_pair* pair, float n[3]) {
    if (!a->outward && !b->outward) return true;
    sup_vec3 out = {0, 0, 0};
    if (b->outward) out = supi_find_outward(b, pair->b);
    if (a->outward) {
        sup_vec3 own = supi_find_outward(a, pair->a);
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

/* Whose pairs may all overlap? */
static bool is_sifted(const supi_contacts* contacts, const supi_pairing* p) {
    return p->run_a == p->run_b && contacts->selves.lists[p->run_a].sifted;
}

static supi_fill_source source_of(const supi_find* c, supi_pairing* p) {
    supi_contacts* all = c->contacts;
    const supi_run *run_a = &c->runs[p->run_a], *run_b = &c->runs[p->run_b];
    supi_fill_source source = {.pairing = p,
                               .run_a = run_a,
                               .run_b = run_b,
                               .sifted = is_sifted(all, p),
                               .contacts = all->pair_contacts + p->first,
                               .grasps = all->pair_grasps + p->grasp};
    if (p->run_a == p->run_b) {
        source.pairs = all->selves.lists[p->run_a].near;
    } else {
        source.pairs = all->others.near + p->source;
    }
    if (!source.sifted) {
        source.sides = (supi_near_sides){all->outlines + all->outline_firsts[p->run_a],
                                         all->outlines + all->outline_firsts[p->run_b],
                                         run_a->first,
                                         run_b->first,
                                         {p->offset[0], p->offset[1], p->offset[2]}};
    }
    return source;
}

static void fill_outlines(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const supi_find* c = context;
    int32_t first = c->contacts->outline_firsts[index];
    supi_close_rows rows = {&c->runs[index], c->x, c->v, c->contacts->near};
    if (first >= 0) supi_close_outlines(&rows, c->contacts->outlines + first);
}

static void fill_plain_contacts(const supi_find* c, const supi_pairing* p) {
    const supi_run *run_a = &c->runs[p->run_a], *run_b = &c->runs[p->run_b];
    const float* offset = p->offset;
    for (int32_t i = 0; i < p->count; i++) {
        supi_pair pair = c->contacts->others.near[p->source + i].pair;
        const sup_row *xa = &c->x[pair.a], *xb = &c->x[pair.b];
        const sup_row *va = &c->v[pair.a], *vb = &c->v[pair.b];
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
        if (!turn_outwards(run_a, run_b, &pair, n)) contact.distance = SUPI_NEVER;
        contact.depth = contact.distance - (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
        float closing = n[0] * (va->x - vb->x) + n[1] * (va->y - vb->y) + n[2] * (va->z - vb->z);
        contact.surface = p->surface + supi_run_region(run_a, pair.a) * run_b->grip_count +
                          supi_run_region(run_b, pair.b);
        contact.approach = supi_find_approach(&c->contacts->surfaces[contact.surface],
                                              contact.depth, closing, c->h);
        c->contacts->pair_contacts[p->first + i] = contact;
    }
}

/* The pairings of a bunch: those whose particles turn share what eight lanes do at once. */
static void fill_bunch(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const supi_find* c = context;
    const int32_t* bunches = c->contacts->bunches;
    supi_fill_source sources[BUNCH_PAIRINGS];
    int32_t count = 0;
    for (int32_t i = bunches[index]; i < bunches[index + 1]; i++) {
        supi_pairing* p = &c->contacts->pairings[i];
        if (p->grasp >= 0) {
            sources[count++] = source_of(c, p);
        } else {
            fill_plain_contacts(c, p);
        }
    }
    supi_fill fill = supi_find_fill(c);
    supi_fill_pairs(&fill, sources, count);
}

static bool fill_pair_contacts(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    int32_t count = contacts->pairing_count, bunches = 0, pairs = 0;
    int32_t* starts =
        supi_column_reserve(&contacts->bunch_store, c->allocator, count + 1, sizeof *starts);
    if (!starts) return false;
    for (int32_t i = 0; i < count; i++) {
        bool full = pairs >= BUNCH_PAIRS || i - starts[bunches - (bunches > 0)] >= BUNCH_PAIRINGS;
        if (i == 0 || full) starts[bunches++] = i, pairs = 0;
        pairs += contacts->pairings[i].count;
    }
    starts[bunches] = count;
    contacts->bunches = starts;
    supi_tasks_run(c->tasks, bunches, fill_bunch, c);
    return true;
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

static bool colour_pairings(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    const sup_allocator* allocator = c->allocator;
    int32_t run_count = c->run_count;
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

/* Room for what pairings need that spheres and moves alone do not tell all about: grasps, and the
   outlines of their runs. */
static bool reserve_turning(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    const sup_allocator* allocator = c->allocator;
    int32_t run_count = c->run_count;
    int32_t grasps = 0, outlines = 0;
    int32_t* firsts =
        supi_column_reserve(&contacts->outline_first_store, allocator, run_count, sizeof *firsts);
    if (!firsts) return false;
    for (int32_t i = 0; i < run_count; i++) firsts[i] = -1;
    for (int32_t i = 0; i < contacts->pairing_count; i++) {
        supi_pairing* p = &contacts->pairings[i];
        if (!p->a.oriented && !p->b.oriented && p->run_a != p->run_b) continue;
        p->grasp = grasps;
        grasps += p->count;
        for (int k = 0; k < 2 && !is_sifted(contacts, p); k++) {
            int32_t run = k ? p->run_b : p->run_a, rows = (c->runs[run].count + 7) / 8 * 8;
            if (firsts[run] >= 0) continue;
            if (rows > INT32_MAX - outlines) return false;
            firsts[run] = outlines;
            outlines += rows;
        }
    }
    if (grasps == 0) return true;
    contacts->outline_firsts = firsts;
    contacts->pair_grasps = supi_column_reserve(&contacts->pair_grasp_store, allocator, grasps,
                                                sizeof *contacts->pair_grasps);
    contacts->outlines = supi_column_reserve(&contacts->outline_store, allocator, outlines,
                                             sizeof *contacts->outlines);
    if (!contacts->pair_grasps || !contacts->outlines) return false;
    if (outlines > 0) supi_tasks_run(c->tasks, run_count, fill_outlines, c);
    return true;
}

/* All pairings in order: of runs with each other, and with themselves. */
static bool list_pairings(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    const supi_pair_lists* others = &contacts->others;
    const supi_self_lists* selves = &contacts->selves;
    int64_t groups = others->group_count, pairs = others->pair_count;
    for (int32_t i = 0; i < selves->run_count; i++) {
        groups += selves->lists[i].near_count > 0;
        pairs += selves->lists[i].near_count;
    }
    if (pairs > INT32_MAX) return false;
    contacts->pairings = supi_column_reserve(&contacts->pairing_store, c->allocator,
                                             (int32_t)groups, sizeof(supi_pairing));
    contacts->pair_contacts = supi_column_reserve(&contacts->pair_contact_store, c->allocator,
                                                  (int32_t)pairs, sizeof(supi_contact));
    if (!contacts->pairings || !contacts->pair_contacts) return false;
    int32_t own = 0;
    for (int32_t i = 0; i <= others->group_count; i++) {
        bool last = i == others->group_count;
        const supi_pair_group* group = last ? NULL : &others->groups[i];
        for (; own < selves->run_count && (last || own <= group->run_a); own++) {
            if (selves->lists[own].near_count == 0) continue;
            supi_pair_group self = {own, own, 0, selves->lists[own].near_count};
            if (!add_pairing(c, &self)) {
                return false;
            }
        }
        if (!last && !add_pairing(c, group)) {
            return false;
        }
    }
    return true;
}

/* Pairings of which no contact is left would still keep others from going at the same time. */
static void drop_empty(supi_contacts* contacts) {
    int32_t kept = 0;
    for (int32_t i = 0; i < contacts->pairing_count; i++) {
        const supi_pairing* p = &contacts->pairings[i];
        if (p->grasp >= 0 && p->count == 0) continue;
        if (kept < i) contacts->pairings[kept] = *p;
        kept++;
    }
    contacts->pairing_count = kept;
}

bool supi_find_pairs(supi_find* c) {
    supi_contacts* contacts = c->contacts;
    if (supi_pair_lists_find(&contacts->others, c->allocator, c->tasks, c->runs, c->run_count,
                             c->exemptions, c->x, c->v) != SUP_OK ||
        supi_self_lists_find(&contacts->selves, c->allocator, c->tasks, c->runs, c->run_count, c->x,
                             c->v) != SUP_OK ||
        !list_pairings(c) || !reserve_turning(c)) {
        return false;
    }
    if (!fill_pair_contacts(c)) return false;
    drop_empty(contacts);
    return colour_pairings(c);
}
