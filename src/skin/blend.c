/* The cluster skin: matrices are blended, then each point is transformed once (Mueller,
   Heidelberger, Teschner, Gross 2005, passive vertices). Plain loops over four columns, which
   compilers turn into lanes; no instruction set is asked for, so the bits are the same for all. */
#include "skin/skin.h"

/* The blend of the bends of one point. */
static void add_bends(const supi_skin_bend* bends, const int32_t* frames, const float* weights,
                      int32_t count, const float p[3], float out[3]) {
    for (int32_t s = 0; s < count; s++) {
        const supi_skin_bend* f = bends + frames[s];
        float x = f->scale * (p[0] - f->centre[0]), y = f->scale * (p[1] - f->centre[1]),
              z = f->scale * (p[2] - f->centre[2]);
        float terms[SUPI_SKIN_TERMS] = {x * x, y * y, z * z, x * y, y * z, z * x};
        for (int t = 0; t < SUPI_SKIN_TERMS; t++) terms[t] = weights[s] * (terms[t] - f->mean[t]);
        for (int k = 0; k < 3; k++) {
            const float* row = f->bend + SUPI_SKIN_TERMS * k;
            for (int t = 0; t < SUPI_SKIN_TERMS; t++) out[k] += row[t] * terms[t];
        }
    }
}

void supi_skin_cluster(const supi_skin* skin, const float origin[3], const float base[3],
                       const supi_skin_frame* frames, const supi_skin_bend* bends, sup_row* out) {
    for (int32_t i = 0; i < skin->count; i++) {
        int32_t begin = skin->starts[i], end = skin->starts[i + 1];
        const sup_vec3* rest = skin->rest + i;
        const float p[3] = {rest->x - origin[0], rest->y - origin[1], rest->z - origin[2]};
        float m[16] = {0}, to[4];
        for (int32_t s = begin; s < end; s++) {
            const float *columns = frames[skin->frames[s]].columns, w = skin->weights[s];
            for (int k = 0; k < 16; k++) m[k] += w * columns[k];
        }
        for (int k = 0; k < 4; k++)
            to[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
        if (bends) {
            add_bends(bends, skin->frames + begin, skin->weights + begin, end - begin, p, to);
        }
        out[i] = (sup_row){base[0] + to[0], base[1] + to[1], base[2] + to[2], 0.0f};
    }
}
