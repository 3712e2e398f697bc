/* Where drawn vertices are. Those under a skin follow the goals of their clusters, as the present
   places of the particles give them: the match of the step, from a copy of its warm start. Nothing
   that a step reads is changed. */
#include "base/float_mode.h"
#include "world/lanes.h"
#include "world/oriented.h"

/* A lattice has its sums in the cells, which are free between steps. Places are matched as they
   are, whatever the scheme: the sums are those of a plain body. */
static void sum_lattice(const sup_world* world, const supi_body* plain) {
    const sup_blueprint* print = plain->blueprint;
    for (int32_t i = 0; i < supi_lattice_planes(print); i++) {
        supi_lattice_sum_plane(world, &world->now, plain, i);
    }
    for (int32_t i = 0; i < supi_lattice_slabs(print); i++) {
        supi_lattice_sum_slab(world, &world->now, plain, i);
    }
}

/* Sums about the reference point of cluster c; `block`: as for the step, in the first block of the
   cluster, out the first of the next. */
static void sum_cluster(const sup_world* world, const supi_body* body, int32_t c, int32_t* block,
                        double sums[SUPI_SUM_COUNT]) {
    const sup_blueprint* print = body->blueprint;
    bool bends = body->materials[0].mode == SUP_MATCH_QUADRATIC;
    const sup_row* centre = world->now.centre + body->cluster + c;
    const float xref[3] = {centre->x, centre->y, centre->z};
    for (; *block < print->block_count && print->blocks[*block].cluster == c; ++*block) {
        const supi_block* cut = print->blocks + *block;
        supi_span span = {&print->members, cut->begin, cut->end, bends ? print->bends + c : NULL};
        float part[SUPI_SUM_COUNT] = {0};
        /* No other pull is looked at, either. */
        world->kernels->moments(&span, world->now.x + body->row, world->now.v + body->row,
                                &body->pull, SUPI_CLUSTER_PLAIN, xref, part);
        for (int k = 0; k < SUPI_SUM_COUNT; k++) sums[k] += (double)part[k];
    }
}

/* From the goal of cluster c, which takes offsets from its rest centre to places relative to the
   anchor, to its frame, which takes offsets from `origin` to places relative to `base`. */
static void store_frame(const sup_world* world, const supi_body* body, int32_t c,
                        const supi_match8* m, int lane, const float origin[3],
                        const float base[3]) {
    const sup_blueprint* print = body->blueprint;
    const sup_row* about = supi_lanes_reference(&world->now, body, c);
    const float xref[3] = {about->x, about->y, about->z};
    double offset[3]; /* of the rest centre */
    world->frames[c] = (supi_skin_frame){0};
    for (int k = 0; k < 3; k++) offset[k] = print->centres[3 * c + k] - (double)origin[k];
    for (int k = 0; k < 3; k++) {
        float* columns = world->frames[c].columns;
        double at = (double)xref[k] - (double)base[k] + (double)m->shift[k][lane];
        for (int j = 0; j < 3; j++) {
            columns[4 * j + k] = m->matrix[3 * k + j][lane];
            at -= (double)columns[4 * j + k] * offset[j];
        }
        columns[12 + k] = (float)at;
    }
    if (m->mode != SUP_MATCH_QUADRATIC) return;
    const supi_bend* bend = print->bends + c;
    supi_skin_bend* to = world->bends + c;
    to->scale = bend->scale;
    for (int k = 0; k < 3; k++) to->centre[k] = (float)offset[k];
    for (int k = 0; k < SUPI_BEND_TERMS; k++) to->mean[k] = bend->mean[k];
    for (int k = 0; k < 3 * SUPI_BEND_TERMS; k++) to->bend[k] = m->bend[k][lane];
}

/* The frames of all clusters, eight at a time. */
static void find_frames(const sup_world* world, const supi_body* body, const float origin[3],
                        const float base[3]) {
    const sup_blueprint* print = body->blueprint;
    supi_body plain = *body;
    plain.kind = SUPI_CLUSTER_PLAIN;
    if (print->lattice) sum_lattice(world, &plain);
    supi_match8 match = {.mode = body->materials[0].mode, .plastic = body->plastic != NULL};
    for (int32_t first = 0, block = 0; first < print->cluster_count; first += 8) {
        int32_t left = print->cluster_count - first, count = left < 8 ? left : 8;
        for (int32_t i = 0; i < count; i++) {
            double sums[SUPI_SUM_COUNT] = {0};
            sup_material material; /* the pull may be that of a material before */
            if (print->lattice)
                supi_lattice_sums(world, &plain, first + i, sums);
            else
                sum_cluster(world, body, first + i, &block, sums);
            supi_prepare_material(body, first + i, &material);
            supi_lanes_put(&match, i, body, first + i, false, sums,
                           world->now.rotation + body->cluster + first + i, (float)material.beta);
        }
        world->kernels->match(&match);
        for (int32_t i = 0; i < count; i++) {
            store_frame(world, body, first + i, &match, i, origin, base);
        }
    }
}

supi_skin_pose supi_drawn_pose(const sup_world* world, const supi_body* body) {
    const supi_part_state* parts = body->oriented->parts;
    return (supi_skin_pose){.count = body->blueprint->info.particle_count,
                            .rest = body->blueprint->carriers,
                            .x = world->now.x + body->row,
                            .turn = world->now.turn + body->turn,
                            .lasting = parts ? parts->flowed : NULL};
}

void supi_drawn_carried(const sup_world* world, const supi_body* body, const supi_skin_drawn* out) {
    const sup_blueprint* print = body->blueprint;
    const sup_row* centre = world->now.centre + body->cluster;
    const float base[3] = {centre->x, centre->y, centre->z};
    bool dual = print->info.skin == SUP_SKIN_DUAL;
    const supi_skin_pose pose = supi_drawn_pose(world, body);
    world->skins->frames(&pose, base, world->frames, dual ? world->duals : NULL);
    if (dual)
        world->skins->dual(&print->carried, world->duals, base, out);
    else
        world->skins->linear(&print->carried, world->frames, base, out);
}

const sup_row* supi_drawn_rows(const sup_world* world, const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    if (print->skin.count == 0) return world->now.x + body->row;
    const double* middle = print->info.centre;
    const sup_row* centre = world->now.centre + body->cluster;
    const float origin[3] = {(float)middle[0], (float)middle[1], (float)middle[2]};
    const float base[3] = {centre->x, centre->y, centre->z};
    bool bends = body->materials[0].mode == SUP_MATCH_QUADRATIC;
    supi_float_mode mode = supi_float_mode_enter();
    if (print->info.skin == SUP_SKIN_TETS) {
        supi_hung_pose(&print->hung, print->solid.tets, print->rest, world->now.x + body->row,
                       world->drawn);
    } else if (supi_oriented_carries(print)) {
        supi_drawn_carried(world, body, &(supi_skin_drawn){.places = world->drawn});
    } else {
        find_frames(world, body, origin, base);
        supi_skin_cluster(&print->skin, origin, base, world->frames, bends ? world->bends : NULL,
                          world->drawn);
    }
    supi_float_mode_leave(mode);
    return world->drawn;
}
