/* Boxes of tetrahedra and points that are surely outside of them, eight at a time. */
#include "contact/tet_lanes.h"
#include "geom/vec8.h"

/* Boxes grow by this share of their size: weights may be a little below 0 in them. */
#define BOX_SLACK 1e-4f

/* Bounds on what rounding does to a triple product, as a share of the cube of the longest edge, and
   twice the band in which weights count as 0. */
#define ROUNDING 2e-6f
#define BAND 2e-5f

static int boxes(const sup_row* x, const int32_t* tets, int32_t count,
                 const supi_tet_window* window, supi_tet_boxes* out) {
    supi_f8 low[3], high[3], slack = f8_set(window->slack), part = f8_set(BOX_SLACK);
    for (int c = 0; c < 4; c++) {
        int32_t at[8];
        for (int k = 0; k < 8; k++) at[k] = tets[4 * (k < count ? k : 0) + c];
        quat8 row = gather8(x, at);
        supi_f8 place[3] = {row.x, row.y, row.z};
        for (int k = 0; k < 3; k++) {
            low[k] = c ? f8_min(place[k], low[k]) : place[k];
            high[k] = c ? f8_max(place[k], high[k]) : place[k];
        }
    }
    supi_f8 size = f8_max(f8_sub(high[0], low[0]), f8_sub(high[1], low[1]));
    size = f8_max(f8_sub(high[2], low[2]), size);
    slack = f8_madd(size, part, slack);
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        supi_f8 shift = f8_set(window->shift[k]);
        low[k] = f8_sub(f8_add(low[k], shift), slack);
        high[k] = f8_add(f8_add(high[k], shift), slack);
        f8_store(out->low[k], low[k]);
        f8_store(out->high[k], high[k]);
        apart |= m8_bits(f8_less(high[k], f8_set(window->low[k])));
        apart |= m8_bits(f8_less(f8_set(window->high[k]), low[k]));
    }
    return ~apart & ((1 << count) - 1);
}

F8_INLINE vec8 cross8(vec8 a, vec8 b) {
    return (vec8){f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y)),
                  f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z)),
                  f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))};
}

static int maybe(const sup_row* x, const supi_tet_probes* probes) {
    vec8 origin = vector8(gather8(x, probes->corners[0])), at = load8(probes->at), edge[3];
    supi_f8 square = dot8(at, at);
    for (int k = 0; k < 3; k++) {
        edge[k] = minus8(vector8(gather8(x, probes->corners[k + 1])), origin);
        square = f8_max(dot8(edge[k], edge[k]), square);
    }
    supi_f8 products[4];
    for (int k = 0; k < 3; k++) {
        products[k + 1] = dot8(at, cross8(edge[(k + 1) % 3], edge[(k + 2) % 3]));
    }
    supi_f8 det = dot8(edge[0], cross8(edge[1], edge[2]));
    products[0] = f8_sub(f8_sub(f8_sub(det, products[1]), products[2]), products[3]);
    supi_f8 room = f8_mul(f8_mul(f8_set(ROUNDING), square), f8_sqrt(square));
    room = f8_sub(f8_set(0.0f), f8_madd(f8_set(BAND), f8_abs(det), room));
    int outside = 0;
    for (int k = 0; k < 4; k++) outside |= m8_bits(f8_less(f8_flip(products[k], det), room));
    return ~outside & 0xff;
}

extern const supi_tet_kernels SUPI_KERNEL(supi_tet_kernels);
const supi_tet_kernels SUPI_KERNEL(supi_tet_kernels) = {boxes, maybe};
