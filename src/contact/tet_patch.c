#include "contact/tet_patch.h"

#include "geom/symmetric.h"

#include <string.h>

enum { ROWS_MOST = 96 }; /* of a patch */

typedef struct search {
    supi_tet_patches* patches;
    const sup_allocator* allocator;
    const supi_tet_body* body;
    int32_t* marks; /* by point of the body: the last patch that it was in, from 1 on */
    int32_t mark;
} search;

/* False when memory is short. */
static bool take(const search* s, int32_t point) {
    supi_tet_patches* p = s->patches;
    if (s->marks[point] == s->mark) return true;
    if (p->row_count == INT32_MAX) return false;
    p->rows = supi_column_reserve(&p->row_store, s->allocator, p->row_count + 1, sizeof *p->rows);
    if (!p->rows) return false;
    s->marks[point] = s->mark;
    p->rows[p->row_count++].row = point;
    return true;
}

/* Points within reach of those from `first` on, nearest first: whole rings, as half of one would
   lie to one side. */
static bool spread(const search* s, int32_t first) {
    const supi_tet_form* form = s->body->form;
    supi_tet_patches* p = s->patches;
    for (int32_t ring = 0, from = first; ring < s->body->reach; ring++) {
        int32_t end = p->row_count;
        for (; from < end; from++) {
            int32_t point = p->rows[from].row;
            for (int32_t i = form->starts[point]; i < form->starts[point + 1]; i++) {
                if (p->row_count - first == ROWS_MOST) {
                    p->row_count = end;
                    return true;
                }
                if (!take(s, form->neighbours[i])) return false;
            }
        }
    }
    return true;
}

/* The mass, and its middle. False: some of it is held, and it moves as its springs let it. */
static bool weigh(const supi_tet_body* body, const supi_tet_patch_row* rows, int32_t count,
                  double* mass, double middle[3]) {
    double at[3], sum[3] = {0, 0, 0};
    *mass = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const sup_row* x = body->x + rows[i].row;
        if (!(x->w > 0)) return false;
        supi_vector_of_row(x, at);
        for (int k = 0; k < 3; k++) sum[k] += at[k] / (double)x->w;
        *mass += 1.0 / (double)x->w;
    }
    for (int k = 0; k < 3; k++) middle[k] = sum[k] / *mass;
    return true;
}

/* What resists turns about the middle, and how far out each point is. */
static void turn_about(const supi_tet_body* body, const double middle[3], supi_tet_patch_row* rows,
                       supi_tet_patch* patch) {
    double inertia[6] = {0}, at[3];
    for (int32_t i = 0; i < patch->count; i++) {
        const sup_row* x = body->x + rows[i].row;
        supi_vector_of_row(x, at);
        supi_vector_subtract(at, middle, at);
        supi_symmetric_add_mass(1.0 / (double)x->w, at, inertia);
        rows[i].arm = supi_vector_round(at[0], at[1], at[2]);
    }
    supi_symmetric_regular(inertia);
    supi_symmetric_invert(inertia, patch->turn);
}

static void find_arm(const supi_tet_body* body, const supi_tet_contact* c, int begin, int end,
                     const double middle[3], double arm[3]) {
    for (int k = 0; k < 3; k++) arm[k] = 0.0;
    for (int k = begin; k < end; k++) {
        double share = begin > 0 ? -(double)c->shares[k] : (double)c->shares[k], at[3];
        supi_vector_of_row(body->x + c->rows[k], at);
        for (int j = 0; j < 3; j++) arm[j] += share * (at[j] - middle[j]);
    }
}

/* False when memory is short. */
static bool make_side(search* s, const supi_tet_contact* c, int32_t side) {
    supi_tet_patches* p = s->patches;
    supi_tet_patch patch = {.first = p->row_count, .side = side};
    double mass, middle[3];
    int begin = side & 1 ? c->own_count : 0, end = side & 1 ? c->row_count : c->own_count;
    s->mark = side + 1;
    for (int k = begin; k < end; k++) {
        if (c->shares[k] != 0 && !take(s, c->rows[k])) return false;
    }
    int32_t own = p->row_count;
    if (!spread(s, patch.first)) return false;
    patch.count = p->row_count - patch.first;
    supi_tet_patch_row* rows = p->rows + patch.first;
    if (p->row_count == own || !weigh(s->body, rows, patch.count, &mass, middle)) {
        p->row_count = patch.first;
        return true;
    }
    patch.light = 1.0 / mass;
    turn_about(s->body, middle, rows, &patch);
    find_arm(s->body, c, begin, end, middle, patch.arm);
    p->of = supi_column_reserve(&p->patch_store, s->allocator, p->patch_count + 1, sizeof *p->of);
    if (!p->of) return false;
    p->of[p->patch_count++] = patch;
    return true;
}

/* Both sides of a body that meets itself may reach the same points, which would go nowhere. */
static bool has_patch(const supi_tet_contact* c, const supi_tet_body* body) {
    return body->reach > 0 && !body->still && body->locked == 0 && c->body != c->other &&
           !(c->flags & SUPI_TET_PENALTY);
}

static bool anybody_reaches(const supi_tet_body* bodies, int32_t body_count, int32_t* most) {
    bool any = false;
    *most = 0;
    for (int32_t i = 0; i < body_count; i++) {
        any = any || bodies[i].reach > 0;
        if (bodies[i].form->point_count > *most) *most = bodies[i].form->point_count;
    }
    return any;
}

static void hand_out(const supi_tet_patches* patches, supi_tet_contact* contacts) {
    for (int32_t i = 0; i < patches->patch_count; i++) {
        supi_tet_patch* patch = &patches->of[i];
        patch->rows = patches->rows + patch->first;
        contacts[patch->side / 2].patches[patch->side & 1] = patch;
    }
}

bool supi_tet_patches_make(supi_tet_patches* patches, const sup_allocator* allocator,
                           const supi_tet_body* bodies, int32_t body_count,
                           supi_tet_contact* contacts, int32_t count) {
    int32_t most;
    patches->patch_count = patches->row_count = 0;
    if (count == 0 || !anybody_reaches(bodies, body_count, &most)) return true;
    search s = {.patches = patches, .allocator = allocator};
    s.marks = supi_column_reserve(&patches->mark_store, allocator, most, sizeof *s.marks);
    if (!s.marks) return false;
    memset(s.marks, 0, (size_t)most * sizeof *s.marks);
    for (int32_t i = 0; i < 2 * count; i++) {
        const supi_tet_contact* c = &contacts[i / 2];
        s.body = &bodies[i & 1 ? c->other : c->body];
        if (has_patch(c, s.body) && !make_side(&s, c, i)) return false;
    }
    hand_out(patches, contacts);
    return true;
}

void supi_tet_patches_free(supi_tet_patches* patches, const sup_allocator* allocator) {
    supi_column_free(&patches->patch_store, allocator);
    supi_column_free(&patches->row_store, allocator);
    supi_column_free(&patches->mark_store, allocator);
    *patches = (supi_tet_patches){0};
}

supi_tet_patch_move supi_tet_patch_push(const supi_tet_patch* patch, sup_vec3 impulse) {
    supi_tet_patch_move move;
    double along[3], torque[3];
    supi_vector_from(&impulse, along);
    supi_vector_cross(patch->arm, along, torque);
    supi_symmetric_apply(patch->turn, torque, move.spin);
    for (int k = 0; k < 3; k++) move.shift[k] = patch->light * along[k];
    return move;
}

float supi_tet_patch_lightness(const supi_tet_patch* patch, sup_vec3 along) {
    double n[3], torque[3];
    supi_tet_patch_move move = supi_tet_patch_push(patch, along);
    supi_vector_from(&along, n);
    supi_vector_cross(patch->arm, n, torque);
    return (float)(patch->light + supi_vector_dot(torque, move.spin));
}

sup_vec3 supi_tet_patch_way(const supi_tet_patch_move* move, sup_vec3 arm) {
    double out[3], turn[3];
    supi_vector_from(&arm, out);
    supi_vector_cross(move->spin, out, turn);
    return supi_vector_round(move->shift[0] + turn[0], move->shift[1] + turn[1],
                             move->shift[2] + turn[2]);
}
