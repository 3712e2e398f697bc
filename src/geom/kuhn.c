#include "geom/kuhn.h"

/* A tetrahedron of a cube: its corners as bits of axes, lowest first. `turned` ones are mirrored.
 */
typedef struct tetra {
    int32_t corner[4];
    bool turned;
} tetra;

static const tetra tetras[6] = {{{0, 1, 3, 7}, false}, {{0, 1, 5, 7}, true},  {{0, 2, 3, 7}, true},
                                {{0, 2, 6, 7}, false}, {{0, 4, 5, 7}, false}, {{0, 4, 6, 7}, true}};

/* Corner n of a triangle lies between corners i and j of a tetrahedron. */
static void put(supi_kuhn_triangle* to, int n, const tetra* t, int i, int j) {
    int32_t low = t->corner[i < j ? i : j], high = t->corner[i < j ? j : i];
    to->low[n] = (uint8_t)low;
    to->way[n] = (uint8_t)(high & ~low);
}

/* One corner is alone at its side. */
static void cut_corner(const tetra* t, int alone, bool alone_outside, supi_kuhn_triangle* out) {
    static const int others[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int k = 0; k < 3; k++) put(out, k, t, alone, others[alone][k]);
    out->turned = t->turned != alone_outside;
}

/* Two corners are inside: a quad, whose diagonal goes from its lowest to its highest edge. */
static void cut_middle(const tetra* t, int32_t inside, supi_kuhn_triangle out[2]) {
    int in[2], others[2], in_count = 0, out_count = 0;
    for (int i = 0; i < 4; i++) {
        if (inside >> i & 1)
            in[in_count++] = i;
        else
            others[out_count++] = i;
    }
    const int quad[4][2] = {
        {in[0], others[0]}, {in[0], others[1]}, {in[1], others[1]}, {in[1], others[0]}};
    for (int n = 0; n < 2; n++) {
        put(out + n, 0, t, quad[0][0], quad[0][1]);
        put(out + n, 1, t, quad[n + 1][0], quad[n + 1][1]);
        put(out + n, 2, t, quad[n + 2][0], quad[n + 2][1]);
        /* (in, out) is an odd order of the corners when the inner two are 0 and 2, or 1 and 3 */
        out[n].turned = t->turned != (inside == 5 || inside == 10);
    }
}

int32_t supi_kuhn_cut(int32_t cube_inside, supi_kuhn_triangle out[SUPI_KUHN_MOST]) {
    int32_t found = 0;
    for (int n = 0; n < 6; n++) {
        const tetra* t = tetras + n;
        int32_t inside = 0, count = 0;
        for (int i = 0; i < 4; i++) {
            if (!(cube_inside >> t->corner[i] & 1)) continue;
            inside |= 1 << i;
            count++;
        }
        if (count == 0 || count == 4) continue;
        if (count == 2) {
            cut_middle(t, inside, out + found);
            found += 2;
            continue;
        }
        int32_t alone_bit = count == 1 ? inside : 15 - inside;
        int alone = alone_bit == 1 ? 0 : alone_bit == 2 ? 1 : alone_bit == 4 ? 2 : 3;
        cut_corner(t, alone, count == 3, out + found++);
    }
    return found;
}
