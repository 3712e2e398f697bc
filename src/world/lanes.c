#include "world/lanes.h"

#include "world/knead.h"

/* The first cluster fills all lanes, so that idle ones hold something sensible. */
static void put_lane(float lanes[8], int lane, float value) {
    if (lane > 0)
        lanes[lane] = value;
    else
        for (int i = 0; i < 8; i++) lanes[i] = value;
}

/* What linear, quadratic and plastic goals need of the rest shape of cluster c. */
static void put_shape(supi_match8* m, int lane, const supi_body* body, int32_t c, float beta) {
    const supi_cluster* cluster = body->blueprint->clusters + c;
    const sup_material* material = body->materials;
    for (int k = 0; body->plastic && k < 6; k++) {
        put_lane(m->stretch[k], lane, body->plastic[c].rounded[k]);
        put_lane(m->unstretch[k], lane, body->plastic[c].inverse[k]);
    }
    for (int k = 0; k < 6; k++) {
        put_lane(m->inverse[k], lane, cluster->inverse[k]);
        put_lane(m->null[k], lane, cluster->null[k]);
    }
    put_lane(m->beta, lane, beta);
    put_lane(m->volume, lane, material->keeps_volume ? 1.0f : 0.0f);
    if (material->mode != SUP_MATCH_QUADRATIC) return;
    const supi_bend* bend = body->blueprint->bends + c;
    put_lane(m->bend_scale, lane, bend->scale);
    for (int k = 0; k < SUPI_BEND_TERMS; k++) put_lane(m->bend_residue[k], lane, bend->residue[k]);
    for (int k = 0; k < 45; k++) put_lane(m->bend_inverse[k], lane, bend->inverse[k]);
}

void supi_lanes_put(supi_match8* m, int lane, const supi_body* body, int32_t c, bool damped,
                    const double sums[SUPI_SUM_COUNT], const sup_quat* rotation, float beta) {
    const supi_cluster* cluster = supi_body_clusters(body) + c;
    sup_match_mode mode = body->materials[0].mode;
    const float turn[4] = {rotation->x, rotation->y, rotation->z, rotation->w};
    int used = damped ? SUPI_SUM_BEND : SUPI_SUM_MOMENTUM;
    int bent = mode == SUP_MATCH_QUADRATIC ? SUPI_SUM_COUNT : SUPI_SUM_BEND;
    for (int k = 0; k < used; k++) put_lane(m->sums[k], lane, (float)sums[k]);
    for (int k = SUPI_SUM_BEND; k < bent; k++) put_lane(m->sums[k], lane, (float)sums[k]);
    for (int k = 0; k < 3; k++) put_lane(m->residue[k], lane, cluster->residue[k]);
    for (int k = 0; k < 4; k++) put_lane(m->rotation[k], lane, turn[k]);
    put_lane(m->weight, lane, cluster->weight);
    put_lane(m->inertia_floor, lane, cluster->inertia_floor);
    if (mode != SUP_MATCH_RIGID || body->plastic) put_shape(m, lane, body, c, beta);
}
