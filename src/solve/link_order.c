/* The order of links: eight at a time that share no row. Where rows are pinned, one after the other
   away from them, so that a hanging chain is mended from its top; elsewhere by colours. */
#include "geom/sort.h"
#include "solve/frame_build.h"

enum { NOWHERE = INT32_MAX };

typedef struct order {
    const supi_frame_net* net;
    int32_t* distance; /* by row, in links from the nearest pin */
    int32_t* queue;
    int32_t* level;  /* by row: of the next link that it may have */
    uint64_t* taken; /* by row: colours that its links have, the first 64 */
    int32_t *ids, count;
    uint64_t* keys;
} order;

static bool pinned(const supi_frame_net* net, int32_t row) {
    return !(net->inverse_mass[row] > 0.0f);
}

static bool weightless(const supi_frame_net* net, int32_t row) { return !(net->mass[row] > 0.0f); }

/* Links that can do something, now or when a part is soft. */
static bool wanted(const supi_frame_net* net, const sup_link* l) {
    if (weightless(net, l->a) || weightless(net, l->b)) return false;
    if (pinned(net, l->a) && pinned(net, l->b)) return false;
    return net->yields || !supi_weld_together(net, l->a, l->b, net->rest.soft);
}

static void find_distances(order* o) {
    const supi_frame_net* net = o->net;
    int32_t end = 0;
    for (int32_t i = 0; i < net->row_count; i++) {
        bool first = i < net->particle_count && pinned(net, i) && !weightless(net, i);
        o->distance[i] = first ? 0 : NOWHERE;
        if (first) o->queue[end++] = i;
    }
    for (int32_t i = 0; i < end; i++) {
        int32_t row = o->queue[i];
        for (int32_t k = net->neighbour_starts[row]; k < net->neighbour_starts[row + 1]; k++) {
            int32_t other = net->neighbours[k];
            if (o->distance[other] != NOWHERE) continue;
            o->distance[other] = o->distance[row] + 1;
            o->queue[end++] = other;
        }
    }
}

static void sort(order* o) {
    size_t room = (size_t)o->net->link_count;
    supi_sort_keys(o->count, o->keys, o->ids, o->keys + room, o->ids + room);
}

static void sort_by_distance(order* o) {
    for (int32_t i = 0; i < o->count; i++) {
        const sup_link* l = o->net->links + o->ids[i];
        int32_t a = o->distance[l->a], b = o->distance[l->b];
        o->keys[i] = (uint64_t)(a < b ? a : b);
    }
    sort(o);
}

/* A level is above those of all links before it that share a row with it; a colour is the first
   that none of them has, as long as there are 64. */
static void sort_by_level(order* o, bool colours) {
    for (int32_t i = 0; i < o->count; i++) {
        const sup_link* l = o->net->links + o->ids[i];
        uint64_t used = o->taken[l->a] | o->taken[l->b];
        int32_t *one = o->level + l->a, *two = o->level + l->b;
        int32_t level = *one > *two ? *one : *two;
        if (colours && used != UINT64_MAX) {
            int32_t colour = 0;
            while (used >> colour & 1) colour++;
            o->taken[l->a] |= UINT64_C(1) << colour;
            o->taken[l->b] |= UINT64_C(1) << colour;
            o->keys[i] = (uint64_t)colour;
            continue;
        }
        *one = *two = level + 1;
        o->keys[i] = (uint64_t)level + (colours ? 64 : 0);
    }
    sort(o);
}

/* Each level in eights; its last link is there again where they are fewer. */
static int32_t write_levels(const order* o, supi_frame_link8* eights, int32_t* link_of) {
    int32_t used = 0;
    for (int32_t i = 0, end; i < o->count; i = end) {
        for (end = i + 1; end < o->count && o->keys[end] == o->keys[i];) end++;
        int32_t room = (end - i + 7) & ~7;
        for (int32_t k = 0; eights && k < room; k++) {
            int32_t link = o->ids[i + k < end ? i + k : end - 1];
            supi_frame_link8* eight = eights + used + k / 8;
            eight->a[k & 7] = o->net->links[link].a;
            eight->b[k & 7] = o->net->links[link].b;
            link_of[8 * used + k] = link;
        }
        used += room / 8;
    }
    return used;
}

static bool order_push(supi_frame_builder* b, order* o) {
    size_t rows = (size_t)b->net->row_count, links = (size_t)b->net->link_count;
    o->net = b->net;
    o->distance = supi_arena_push(b->scratch, rows, sizeof *o->distance);
    o->queue = supi_arena_push(b->scratch, rows, sizeof *o->queue);
    o->level = supi_arena_push(b->scratch, rows, sizeof *o->level);
    o->taken = supi_arena_push(b->scratch, rows, sizeof *o->taken);
    o->ids = supi_arena_push(b->scratch, 2 * links, sizeof *o->ids);
    o->keys = supi_arena_push(b->scratch, 2 * links, sizeof *o->keys);
    return o->distance && o->queue && o->level && o->taken && o->ids && o->keys;
}

/* ---- Twists ---- */

static bool build_twists(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    size_t rows = (size_t)net->row_count;
    int32_t* starts = supi_arena_push(b->arena, rows + 1, sizeof *starts);
    int32_t* next = supi_arena_push(b->scratch, rows, sizeof *next);
    if (!starts || !next) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < net->link_count; i++) {
        const sup_link* l = net->links + i;
        if (!(l->torsion >= 0.0f)) continue;
        count++;
        starts[l->a + 1]++;
        starts[l->b + 1]++;
    }
    net->twist8_count = (count + 7) / 8;
    size_t eights = (size_t)net->twist8_count;
    int32_t* at = supi_arena_push(b->arena, 2 * (size_t)count, sizeof *at);
    int32_t* twist_of = supi_arena_push(b->arena, 8 * eights, sizeof *twist_of);
    net->rest.twists = supi_arena_push(b->arena, eights, sizeof *net->rest.twists);
    if (!at || !twist_of || !net->rest.twists) return false;
    for (size_t i = 0; i < rows; i++) {
        starts[i + 1] += starts[i];
        next[i] = starts[i];
    }
    for (size_t i = 0; i < 8 * eights; i++) twist_of[i] = -1;
    for (int32_t i = 0, k = 0; i < net->link_count; i++) {
        const sup_link* l = net->links + i;
        if (!(l->torsion >= 0.0f)) continue;
        at[next[l->a]++] = at[next[l->b]++] = i;
        net->rest.twists[k / 8].a[k & 7] = l->a;
        net->rest.twists[k / 8].b[k & 7] = l->b;
        twist_of[k++] = i;
    }
    net->twist_starts = starts;
    net->twists_at = at;
    net->twist_of = twist_of;
    return true;
}

bool supi_frame_links_build(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    order o = {0};
    if (!order_push(b, &o)) return false;
    for (int32_t i = 0; i < net->link_count; i++) {
        if (wanted(net, net->links + i)) o.ids[o.count++] = i;
    }
    if (net->pinned) {
        find_distances(&o);
        sort_by_distance(&o);
    }
    sort_by_level(&o, !net->pinned);
    net->link8_count = write_levels(&o, NULL, NULL);
    size_t eights = (size_t)net->link8_count;
    int32_t* link_of = supi_arena_push(b->arena, 8 * eights, sizeof *link_of);
    net->rest.links = supi_arena_push(b->arena, eights, sizeof *net->rest.links);
    if (!link_of || !net->rest.links) return false;
    write_levels(&o, net->rest.links, link_of);
    net->link_of = link_of;
    return build_twists(b);
}
