/* Which joints the parts that are rigid now have, and in what order they are mended. */
#include "geom/union_find.h"
#include "solve/frame_build.h"

#include <string.h>

typedef struct graph {
    const supi_frame_net* net;
    const uint8_t* soft;
    int32_t* root;   /* by part: of the parts it is joined with */
    int32_t* joints; /* by root: joints and pins, less parts */
    int32_t* pins;   /* by root */
    int32_t* queue;
    supi_frame_joints* out;
} graph;

static bool is_pin(const supi_frame_net* net, int32_t row) {
    return net->mass[row] > 0.0f && !(net->inverse_mass[row] > 0.0f);
}

static void find_components(graph* g) {
    const supi_frame_net* net = g->net;
    for (int32_t i = 0; i < net->part_count; i++) {
        g->root[i] = i;
        g->joints[i] = g->pins[i] = 0;
    }
    for (int pass = 0; pass < 2; pass++) { /* joins, then counts */
        for (int32_t row = 0; row < net->particle_count; row++) {
            int32_t first = -1;
            for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
                int32_t part = net->row_parts[k];
                if (g->soft[part]) continue;
                bool pin = is_pin(net, row);
                if (pass == 0 && first >= 0 && !pin) supi_union_join(g->root, first, part);
                int32_t root = supi_union_root(g->root, part);
                if (pass == 1 && (first >= 0 || pin)) g->joints[root]++;
                if (pass == 1 && pin) g->pins[root]++;
                first = first < 0 ? part : first;
            }
        }
    }
    for (int32_t i = 0; i < net->part_count; i++) g->joints[supi_union_root(g->root, i)]--;
}

static bool is_tree(graph* g, int32_t part) {
    int32_t root = supi_union_root(g->root, part);
    return g->pins[root] <= 1 && g->joints[root] == g->pins[root] - 1;
}

static void add(graph* g, int32_t row, int32_t a, int32_t member_a, int32_t b, int32_t member_b) {
    g->out->joints[g->out->count++] = (supi_frame_joint){row, a, b, member_a, member_b};
}

/* ---- Trees ---- */

/* Joints of a part to those that have none yet. */
static void spread(graph* g, int32_t part, int32_t* end) {
    const supi_frame_net* net = g->net;
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        if (is_pin(net, row)) continue;
        for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
            int32_t other = net->row_parts[k];
            if (g->soft[other] || other == part || g->out->place[other]) continue;
            add(g, row, part, i, other, net->row_places[k]);
            g->out->place[other] = SUPI_JOINT_TREE;
            g->queue[(*end)++] = other;
        }
    }
}

static void add_trees(graph* g) {
    const supi_frame_net* net = g->net;
    int32_t end = 0;
    for (int32_t row = 0; row < net->particle_count; row++) {
        if (!is_pin(net, row)) continue;
        for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
            int32_t part = net->row_parts[k];
            if (g->soft[part] || !is_tree(g, part)) continue;
            add(g, row, -1, -1, part, net->row_places[k]);
            g->out->place[part] = SUPI_JOINT_TREE;
            g->queue[end++] = part;
        }
    }
    int32_t next = 0;
    for (int32_t part = 0; part <= net->part_count; part++) {
        for (; next < end; next++) spread(g, g->queue[next], &end);
        if (part == net->part_count) break;
        if (g->soft[part] || g->out->place[part] || !is_tree(g, part)) continue;
        int32_t before = g->out->count;
        g->out->place[part] = SUPI_JOINT_ROOT;
        g->queue[end++] = part;
        for (; next < end; next++) spread(g, g->queue[next], &end);
        if (g->out->count == before) g->out->place[part] = SUPI_JOINT_NONE;
    }
    g->out->tree_count = g->out->count;
}

/* ---- Loops ---- */

static void add_loops(graph* g) {
    const supi_frame_net* net = g->net;
    for (int32_t row = 0; row < net->particle_count; row++) {
        int32_t first = -1;
        for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
            int32_t part = net->row_parts[k];
            if (g->soft[part] || is_tree(g, part)) continue;
            g->out->place[part] = SUPI_JOINT_LOOP;
            if (is_pin(net, row)) {
                add(g, row, -1, -1, part, net->row_places[k]);
            } else if (first >= 0) {
                add(g, row, net->row_parts[first], net->row_places[first], part,
                    net->row_places[k]);
            }
            first = first < 0 ? k : first;
        }
    }
}

void supi_joint_order(const supi_frame_net* net, const supi_frame_rest* rest,
                      supi_frame_joints* out) {
    int32_t count = net->part_count;
    graph g = {.net = net,
               .soft = rest->soft,
               .root = out->work,
               .joints = out->work + count,
               .pins = out->work + 2 * count,
               .queue = out->work + 3 * count,
               .out = out};
    out->count = out->tree_count = 0;
    if (count > 0) memset(out->place, 0, (size_t)count);
    find_components(&g);
    add_trees(&g);
    add_loops(&g);
}
