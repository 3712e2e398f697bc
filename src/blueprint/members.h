/* Going over the members of a cluster one by one, whether they are listed or those of a lattice:

       supi_member_walk m = supi_members_of(blueprint, cluster);
       while (supi_members_next(&m)) use(m.row, m.q, m.w);
*/
#ifndef SUPPLE_BLUEPRINT_MEMBERS_H
#define SUPPLE_BLUEPRINT_MEMBERS_H

#include "blueprint/blueprint.h"

typedef struct supi_member_walk {
    const sup_blueprint* print;
    int32_t cluster;
    int32_t row; /* of the member */
    float q[3];  /* m, rest offset from the cluster's centre */
    float w;     /* kg, matching weight */

    int32_t next;                     /* of a list */
    int32_t low[3], high[3], node[3]; /* of a lattice: the box in cells, and its middle */
    int32_t at[3];
} supi_member_walk;

/* The block of a membership, which knows its cluster; blocks lie in the order of memberships. */
static inline int32_t supi_members_block(const sup_blueprint* print, int32_t member) {
    int32_t low = 0, high = print->block_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (print->blocks[middle].end <= member)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Coordinates of a cell. */
static inline void supi_lattice_at(const supi_lattice* lattice, int32_t cell, int32_t at[3]) {
    at[0] = cell % lattice->size[0];
    at[1] = cell / lattice->size[0] % lattice->size[1];
    at[2] = cell / lattice->size[0] / lattice->size[1];
}

static inline supi_member_walk supi_members_of(const sup_blueprint* print, int32_t cluster) {
    supi_member_walk m = {.print = print, .cluster = cluster};
    const supi_lattice* lattice = print->lattice;
    if (!lattice) return m;
    supi_lattice_at(lattice, lattice->cells[cluster], m.node);
    for (int k = 0; k < 3; k++) {
        int32_t last = lattice->size[k] - 1;
        m.low[k] = m.node[k] > lattice->reach ? m.node[k] - lattice->reach : 0;
        m.high[k] = m.node[k] < last - lattice->reach ? m.node[k] + lattice->reach : last;
        m.at[k] = m.low[k];
    }
    m.at[0]--;
    return m;
}

/* The rest offset of a node that lies `steps` cells from the node of its cluster. */
static inline void supi_lattice_offset(const supi_lattice* lattice, int32_t cluster,
                                       const int32_t steps[3], float q[3]) {
    const sup_row* centre = lattice->offsets + cluster;
    const float from[3] = {centre->x, centre->y, centre->z};
    for (int k = 0; k < 3; k++) q[k] = (float)(lattice->spacing * steps[k]) - from[k];
}

static inline bool supi_members_next_node(supi_member_walk* m) {
    const supi_lattice* lattice = m->print->lattice;
    do {
        int k = 0;
        while (++m->at[k] > m->high[k]) {
            m->at[k] = m->low[k];
            if (++k == 3) return false;
        }
        m->row =
            lattice->rows[m->at[0] + lattice->size[0] * (m->at[1] + lattice->size[1] * m->at[2])];
    } while (m->row < 0);
    return true;
}

/* False: there are no more. */
static inline bool supi_members_next(supi_member_walk* m) {
    const sup_blueprint* print = m->print;
    if (print->lattice) {
        if (!supi_members_next_node(m)) return false;
        int32_t steps[3];
        for (int k = 0; k < 3; k++) steps[k] = m->at[k] - m->node[k];
        supi_lattice_offset(print->lattice, m->cluster, steps, m->q);
        m->w = print->lattice->weights[m->row];
        return true;
    }
    const supi_cluster* cluster = print->clusters + m->cluster;
    if (m->next == cluster->count) return false;
    int32_t i = cluster->begin + m->next++, lane = supi_lane_order(i);
    m->row = print->members.index ? print->members.index[i] : i;
    m->q[0] = print->members.qx[lane];
    m->q[1] = print->members.qy[lane];
    m->q[2] = print->members.qz[lane];
    m->w = print->members.w[lane];
    return true;
}

#endif
