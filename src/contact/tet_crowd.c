/* Where many contacts move the same row, each may shift it by its part alone: else a coarse body
   with many points of a fine one in it is shifted by all of them, squeezed, and thrown out. */
#include "contact/tet_others.h"
#include "contact/tet_respond.h"

typedef struct crowd {
    const supi_tet_body* bodies;
    const int32_t* firsts; /* by body: its first row in */
    float* loads;          /* by row: how far it moves in all where every contact shifts by 1 */
} crowd;

static float* load_of(const crowd* c, const supi_tet_contact* contact, int k) {
    int32_t body = k < contact->own_count ? contact->body : contact->other;
    return &c->loads[c->firsts[body] + contact->rows[k]];
}

/* How far a contact that shifts by 1 moves each of its rows. */
static void add_loads(const crowd* c, const supi_tet_contact* contact) {
    float light = supi_tet_lightness(c->bodies, contact);
    for (int k = 0; light > 0 && k < contact->row_count; k++) {
        const supi_tet_body* body =
            &c->bodies[k < contact->own_count ? contact->body : contact->other];
        float share = contact->shares[k] < 0 ? -contact->shares[k] : contact->shares[k];
        if (!body->still) *load_of(c, contact, k) += share * body->x[contact->rows[k]].w / light;
    }
}

static float part_of(const crowd* c, const supi_tet_contact* contact) {
    float most = 1;
    for (int k = 0; k < contact->row_count; k++) {
        float load = *load_of(c, contact, k);
        most = load > most ? load : most;
    }
    return 1 / most;
}

bool supi_tet_crowd(const supi_tet_body* bodies, int32_t body_count, const sup_allocator* allocator,
                    supi_column* firsts, supi_column* loads, supi_tet_contact* contacts,
                    int32_t count) {
    int64_t rows = 0;
    int32_t* first = supi_column_reserve(firsts, allocator, body_count, sizeof *first);
    if (!first) return false;
    for (int32_t i = 0; i < body_count; i++) {
        first[i] = (int32_t)rows;
        rows += bodies[i].form->point_count;
        if (rows > INT32_MAX) return false;
    }
    float* load = supi_column_reserve(loads, allocator, (int32_t)rows, sizeof *load);
    if (!load) return false;
    const crowd c = {.bodies = bodies, .firsts = first, .loads = load};
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < contacts[i].row_count; k++) *load_of(&c, &contacts[i], k) = 0;
    }
    for (int32_t i = 0; i < count; i++) add_loads(&c, &contacts[i]);
    for (int32_t i = 0; i < count; i++) contacts[i].part = part_of(&c, &contacts[i]);
    return true;
}
