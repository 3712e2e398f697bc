#include "geom/bcc.h"

static const int32_t ways[SUPI_BCC_OWN][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2}, {-1, -1, 1},
                                              {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};

void supi_bcc_way(int32_t w, int32_t out[3]) {
    bool back = w >= SUPI_BCC_OWN;
    for (int k = 0; k < 3; k++) out[k] = back ? -ways[w - SUPI_BCC_OWN][k] : ways[w][k];
}

int32_t supi_bcc_way_between(const int32_t from[3], const int32_t to[3]) {
    int32_t d[3], way = 0;
    for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
    bool back = d[2] < 0 || (d[2] == 0 && (d[1] < 0 || (d[1] == 0 && d[0] < 0)));
    for (int k = 0; k < 3; k++) d[k] = back ? -d[k] : d[k];
    if (d[0] == 0 || d[1] == 0)
        way = d[0] ? 0 : d[1] ? 1 : 2;
    else
        way = SUPI_BCC_LONG + (d[0] > 0) + 2 * (d[1] > 0);
    return back ? way + SUPI_BCC_OWN : way;
}

void supi_bcc_tet(const int32_t at[3], int32_t axis, int32_t i, int32_t nodes[4][3]) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        nodes[0][k] = nodes[1][k] = 2 * at[k] + 1;
        nodes[2][k] = nodes[3][k] = 2 * at[k];
    }
    nodes[1][axis] += 2;
    for (int end = 0; end < 2; end++) {
        int32_t turn = (i + end) % 4;
        nodes[2 + end][axis] += 2;
        nodes[2 + end][u] += turn == 1 || turn == 2 ? 2 : 0;
        nodes[2 + end][v] += turn >= 2 ? 2 : 0;
    }
}

int64_t supi_bcc_node_count(const supi_bcc* bcc) {
    return (2 * (int64_t)bcc->cells[2] + 1) * (bcc->cells[1] + 1) * (bcc->cells[0] + 1);
}

bool supi_bcc_has(const supi_bcc* bcc, const int32_t node[3]) {
    bool has = true;
    for (int k = 0; k < 3; k++) has = has && node[k] >= 0 && node[k] <= 2 * bcc->cells[k];
    return has;
}

bool supi_bcc_name(const supi_bcc* bcc, int32_t id, int32_t node[3]) {
    int32_t row = id / (bcc->cells[0] + 1);
    node[2] = row / (bcc->cells[1] + 1);
    int32_t odd = node[2] & 1;
    node[1] = 2 * (row % (bcc->cells[1] + 1)) + odd;
    node[0] = 2 * (id % (bcc->cells[0] + 1)) + odd;
    return supi_bcc_has(bcc, node);
}
