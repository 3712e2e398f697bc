/* What is left of a rig when particles go, and its links in order. */
#include "base/memory.h"
#include "blueprint/fit.h"
#include "geom/sort.h"

#include <string.h>

void supi_rig_list_pins(sup_rig* rig) {
    supi_rig_state* s = &rig->now;
    int32_t* pins = s->pins.items;
    s->pin_count = 0;
    for (int32_t i = 0; i < s->particle_count; i++) {
        if (supi_rig_flags(rig)[i] & SUP_RIG_PINNED) pins[s->pin_count++] = i;
    }
}

static void keep_particles(sup_rig* rig, const uint8_t* marks, int32_t* map) {
    supi_rig_state* s = &rig->now;
    float* stiffness = s->stiffness.items;
    sup_vec3* normals = s->normals.items;
    int32_t kept = 0;
    for (int32_t i = 0; i < s->particle_count; i++) {
        map[i] = -1;
        if (!marks[i]) continue;
        supi_rig_places(rig)[kept] = supi_rig_places(rig)[i];
        supi_rig_masses(rig)[kept] = supi_rig_masses(rig)[i];
        supi_rig_ellipsoids(rig)[kept] = supi_rig_ellipsoids(rig)[i];
        supi_rig_turn_radii(rig)[kept] = supi_rig_turn_radii(rig)[i];
        stiffness[kept] = stiffness[i];
        normals[kept] = normals[i];
        supi_rig_flags(rig)[kept] = supi_rig_flags(rig)[i];
        map[i] = kept++;
    }
    s->particle_count = kept;
}

static void keep_parts(sup_rig* rig, const int32_t* map) {
    supi_rig_state* s = &rig->now;
    int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    sup_rig_plastic* plastics = s->plastics.items;
    int32_t part_count = 0, member_count = 0, from = 0;
    for (int32_t p = 0; p < s->part_count; p++) {
        int32_t end = starts[p + 1], first = member_count;
        for (int32_t m = from; m < end; m++) {
            if (map[members[m]] >= 0) members[member_count++] = map[members[m]];
        }
        from = end;
        if (member_count == first) continue;
        plastics[part_count++] = plastics[p];
        starts[part_count] = member_count;
    }
    s->part_count = part_count;
    s->member_count = member_count;
}

void supi_rig_keep(sup_rig* rig, const uint8_t* marks, int32_t* map) {
    supi_rig_state* s = &rig->now;
    keep_particles(rig, marks, map);
    int32_t kept = 0;
    sup_link* links = supi_rig_links(rig);
    for (int32_t i = 0; i < s->link_count; i++) {
        sup_link link = links[i];
        link.a = map[link.a], link.b = map[link.b];
        if (link.a >= 0 && link.b >= 0) links[kept++] = link;
    }
    s->link_count = kept;
    keep_parts(rig, map);
    kept = 0;
    sup_skin_weight* weights = supi_rig_weights(rig);
    for (int32_t i = 0; i < s->weight_count; i++) {
        sup_skin_weight weight = weights[i];
        weight.particle = map[weight.particle];
        if (weight.particle >= 0) weights[kept++] = weight;
    }
    s->weight_count = kept;
    supi_rig_list_pins(rig);
}

sup_link supi_rig_new_link(int32_t a, int32_t b) {
    return (sup_link){.a = a < b ? a : b,
                      .b = a < b ? b : a,
                      .length = -1.0f,
                      .compliance = 0.0f,
                      .damping = 0.0f,
                      .torsion = -1.0f};
}

bool supi_rig_put_links(sup_rig* rig, int32_t count, sup_link* links) {
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    size_t n = (size_t)count;
    uint64_t* keys = supi_arena_push(&scratch, 2 * n, sizeof *keys);
    int32_t* ids = supi_arena_push(&scratch, 2 * n, sizeof *ids);
    sup_link* given = supi_arena_push(&scratch, n, sizeof *given);
    bool memory = keys && ids && given;
    if (memory) {
        for (int32_t i = 0; i < count; i++) {
            sup_link link = links[i];
            if (link.a > link.b) link.a = links[i].b, link.b = links[i].a;
            given[i] = link;
            keys[i] = (uint64_t)link.a << 32 | (uint64_t)link.b;
            ids[i] = i;
        }
        supi_sort_keys(count, keys, ids, keys + n, ids + n);
        sup_link* to = supi_rig_links(rig);
        int32_t kept = 0;
        for (int32_t i = 0; i < count; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) to[kept++] = given[ids[i]];
        }
        rig->now.link_count = kept;
    }
    supi_arena_free(&scratch);
    return memory;
}

bool supi_rig_graph_make(const sup_rig* rig, supi_arena* arena, supi_rig_graph* out) {
    const supi_rig_state* s = &rig->now;
    size_t count = (size_t)s->particle_count;
    out->starts = supi_arena_push(arena, count + 2, sizeof *out->starts);
    out->neighbours = supi_arena_push(arena, 2 * (size_t)s->link_count, sizeof *out->neighbours);
    if (!out->starts || !out->neighbours) return false;
    int32_t* next = out->starts + 1; /* ends one behind where each begins, as it is filled */
    const sup_link* links = supi_rig_links(rig);
    for (int32_t i = 0; i < s->link_count; i++) next[links[i].a + 1]++, next[links[i].b + 1]++;
    for (size_t i = 1; i <= count; i++) next[i] += next[i - 1];
    for (int32_t i = 0; i < s->link_count; i++) {
        out->neighbours[next[links[i].a]++] = links[i].b;
        out->neighbours[next[links[i].b]++] = links[i].a;
    }
    return true;
}
