#include "solve/slide.h"

#include <math.h>
#include <string.h>

enum { SHARE_SWEEPS = 8 };

static float dot3(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a without what it has along n */
static void remove_along(float a[3], const float n[3]) {
    float along = dot3(a, n);
    for (int k = 0; k < 3; k++) a[k] -= along * n[k];
}

int supi_slides_orthogonal(const supi_slide* slides, int32_t count, float normals[3][3],
                           float speeds[3]) {
    int found = 0;
    for (int32_t i = 0; i < count && found < 3; i++) {
        if (slides[i].left) continue;
        float* n = normals[found];
        float speed = slides[i].speed;
        memcpy(n, slides[i].normal, 3 * sizeof *n);
        for (int k = 0; k < found; k++) {
            speed -= dot3(n, normals[k]) * speeds[k];
            remove_along(n, normals[k]);
        }
        float length = found > 0 ? sqrtf(dot3(n, n)) : 1.0f;
        if (!(length > 1e-3f)) continue;
        for (int k = 0; k < 3 && found > 0; k++) n[k] /= length;
        speeds[found++] = speed / length;
    }
    return found;
}

void supi_slide_block_remove(float block[6][8], int lane, const float n[3]) {
    float a[3][3] = {{block[0][lane], block[5][lane], block[4][lane]},
                     {block[5][lane], block[1][lane], block[3][lane]},
                     {block[4][lane], block[3][lane], block[2][lane]}};
    for (int k = 0; k < 3; k++) remove_along(a[k], n);
    for (int k = 0; k < 3; k++) {
        float column[3] = {a[0][k], a[1][k], a[2][k]};
        remove_along(column, n);
        for (int i = 0; i < 3; i++) a[i][k] = column[i];
    }
    block[0][lane] = a[0][0];
    block[1][lane] = a[1][1];
    block[2][lane] = a[2][2];
    block[3][lane] = a[1][2];
    block[4][lane] = a[2][0];
    block[5][lane] = a[0][1];
}

float supi_slide_block_along(float block[6][8], int lane, const float n[3]) {
    return block[0][lane] * n[0] * n[0] + block[1][lane] * n[1] * n[1] +
           block[2][lane] * n[2] * n[2] +
           2.0f * (block[3][lane] * n[1] * n[2] + block[4][lane] * n[2] * n[0] +
                   block[5][lane] * n[0] * n[1]);
}

void supi_slide_block_add(float block[6][8], int lane, float scale, const float n[3]) {
    for (int k = 0; k < 3; k++) {
        block[k][lane] += scale * n[k] * n[k];
        block[3 + k][lane] += scale * n[(k + 1) % 3] * n[(k + 2) % 3];
    }
}

bool supi_slides_share(supi_slide* slides, int32_t count) {
    float asked[SUPI_SLIDE_MOST];
    bool leaves = false;
    for (int32_t i = 0; i < count; i++) {
        asked[i] = slides[i].impulse;
        slides[i].impulse = 0.0f;
    }
    for (int sweep = 0; sweep < SHARE_SWEEPS; sweep++) {
        for (int32_t i = 0; i < count; i++) {
            if (slides[i].left) continue;
            float impulse = slides[i].impulse + asked[i];
            for (int32_t k = 0; k < count; k++) {
                impulse -= dot3(slides[i].normal, slides[k].normal) * slides[k].impulse;
            }
            slides[i].impulse = slides[i].one_sided && impulse < 0.0f ? 0.0f : impulse;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        bool idle = slides[i].one_sided && slides[i].impulse == 0.0f && asked[i] != 0.0f;
        leaves = leaves || (idle && !slides[i].left);
        slides[i].left = slides[i].left || idle;
    }
    return leaves;
}
