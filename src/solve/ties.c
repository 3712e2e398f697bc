#include "solve/ties.h"

void supi_ties_spread(const supi_tie* ties, int32_t count, sup_row* rows) {
    for (int32_t i = 0; i < count; i++) {
        const supi_tie* t = ties + i;
        const sup_row *a = rows + t->a, *b = rows + t->b;
        sup_row* row = rows + t->row;
        row->x = 0.5f * (a->x + b->x);
        row->y = 0.5f * (a->y + b->y);
        row->z = 0.5f * (a->z + b->z);
    }
}

static void add_half(sup_row* to, const sup_row* from) {
    to->x += 0.5f * from->x;
    to->y += 0.5f * from->y;
    to->z += 0.5f * from->z;
}

void supi_ties_collect(const supi_tie* ties, int32_t count, sup_row* rows) {
    for (int32_t i = count - 1; i >= 0; i--) {
        sup_row* row = rows + ties[i].row;
        add_half(rows + ties[i].a, row);
        add_half(rows + ties[i].b, row);
        *row = (sup_row){0.0f, 0.0f, 0.0f, row->w};
    }
}

void supi_ties_carry(const supi_tie* ties, int32_t count, const sup_row* x, sup_row* f) {
    for (int32_t i = 0; i < count; i++) {
        const supi_tie* t = ties + i;
        const sup_row *a = f + t->a, *b = f + t->b;
        float mass = 0.5f / x[t->row].w, wa = mass * x[t->a].w, wb = mass * x[t->b].w;
        sup_row* row = f + t->row;
        row->x = wa * a->x + wb * b->x;
        row->y = wa * a->y + wb * b->y;
        row->z = wa * a->z + wb * b->z;
    }
}
