/* Where many contacts move the same row, each may shift it by its part alone: else a coarse body
   with many points of a fine one in it is shifted by all of them, squeezed, and thrown out. */
#include "contact/tet_others.h"
#include "contact/tet_patch.h"
#include "contact/tet_respond.h"

#include <math.h>

typedef struct crowd {
    const supi_tet_body* bodies;
    const int32_t* firsts; /* by body: its first row in */
    float* loads;          /* by row: how far it moves in all where every contact shifts by 1 */
} crowd;

/* Loads of the body on one side of a contact. */
static float* loads_of(const crowd* c, const supi_tet_contact* contact, int side) {
    return &c->loads[c->firsts[side ? contact->other : contact->body]];
}

static float* load_of(const crowd* c, const supi_tet_contact* contact, int k) {
    return &loads_of(c, contact, k >= contact->own_count)[contact->rows[k]];
}

static void clear_loads(const crowd* c, const supi_tet_contact* contact) {
    for (int k = 0; k < contact->row_count; k++) *load_of(c, contact, k) = 0;
    for (int side = 0; side < 2; side++) {
        const supi_tet_patch* patch = contact->patches[side];
        for (int32_t k = 0; patch && k < patch->count; k++) {
            loads_of(c, contact, side)[patch->rows[k].row] = 0;
        }
    }
}

static void add_patch_loads(const supi_tet_patch* patch, sup_vec3 impulse, float* loads) {
    supi_tet_patch_move move = supi_tet_patch_push(patch, impulse);
    for (int32_t k = 0; k < patch->count; k++) {
        sup_vec3 way = supi_tet_patch_way(&move, patch->rows[k].arm);
        loads[patch->rows[k].row] += sqrtf(supi_vec3_dot(way, way));
    }
}

/* How far a contact that shifts by 1 moves each of its rows. */
static void add_loads(const crowd* c, const supi_tet_contact* contact) {
    float light = supi_tet_lightness(c->bodies, contact);
    for (int k = 0; light > 0 && k < contact->row_count; k++) {
        int side = k >= contact->own_count;
        const supi_tet_body* body = &c->bodies[side ? contact->other : contact->body];
        float share = contact->shares[k] < 0 ? -contact->shares[k] : contact->shares[k];
        if (body->still || contact->patches[side]) continue;
        *load_of(c, contact, k) += share * body->x[contact->rows[k]].w / light;
    }
    for (int side = 0; light > 0 && side < 2; side++) {
        const supi_tet_patch* patch = contact->patches[side];
        sup_vec3 impulse = supi_vec3_scaled(contact->normal, 1 / light);
        if (patch) add_patch_loads(patch, impulse, loads_of(c, contact, side));
    }
}

static float part_of(const crowd* c, const supi_tet_contact* contact) {
    float most = 1;
    for (int k = 0; k < contact->row_count; k++) {
        float load = *load_of(c, contact, k);
        most = load > most ? load : most;
    }
    for (int side = 0; side < 2; side++) {
        const supi_tet_patch* patch = contact->patches[side];
        for (int32_t k = 0; patch && k < patch->count; k++) {
            float load = loads_of(c, contact, side)[patch->rows[k].row];
            most = load > most ? load : most;
        }
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
    for (int32_t i = 0; i < count; i++) clear_loads(&c, &contacts[i]);
    for (int32_t i = 0; i < count; i++) add_loads(&c, &contacts[i]);
    for (int32_t i = 0; i < count; i++) contacts[i].part = part_of(&c, &contacts[i]);
    return true;
}
