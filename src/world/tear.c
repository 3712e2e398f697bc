#include "world/tear.h"

#include "world/springs.h"

#include <string.h>

/* ---- Room ---- */

static bool push_net(supi_tear* t, supi_arena* arena, const sup_blueprint* b) {
    size_t rows = (size_t)b->row_count;
    t->springs = supi_arena_push(arena, (size_t)b->tears->spring_most, sizeof *t->springs);
    t->rooms.used = supi_arena_push(arena, rows, sizeof *t->rooms.used);
    t->rooms.columns = supi_arena_push(arena, rows / 8 + 1, sizeof *t->rooms.columns);
    if (b->net.straight) {
        t->rooms.straight = supi_arena_push(arena, rows / 8, sizeof *t->rooms.straight);
        if (!t->rooms.straight) return false;
    }
    return t->springs && t->rooms.used && t->rooms.columns &&
           supi_net_push(arena, b->tears->column_most, &t->rooms);
}

static bool push_scratch(supi_tear* t, supi_arena* arena, const sup_blueprint* b) {
    size_t rows = (size_t)b->row_count, springs = (size_t)b->tears->spring_most;
    size_t fan = (size_t)b->tears->fan_most;
    t->keys = supi_arena_push(arena, 2 * springs, sizeof *t->keys);
    t->order = supi_arena_push(arena, 2 * springs, sizeof *t->order);
    t->eased = supi_arena_push(arena, rows, sizeof *t->eased);
    t->queued = supi_arena_push(arena, rows, sizeof *t->queued);
    t->queue = supi_arena_push(arena, rows, sizeof *t->queue);
    t->fan = supi_arena_push(arena, fan, sizeof *t->fan);
    t->side = supi_arena_push(arena, fan, sizeof *t->side);
    t->group = supi_arena_push(arena, fan, sizeof *t->group);
    return t->keys && t->order && t->eased && t->queued && t->queue && t->fan && t->side &&
           t->group;
}

bool supi_tear_make(supi_elastic* e, const sup_blueprint* b) {
    if (!b->tears) return true;
    supi_arena* arena = &e->arena;
    size_t rows = (size_t)b->row_count, vertices = (size_t)b->info.vertex_count;
    supi_tear* t = supi_arena_push(arena, 1, sizeof *t);
    if (!t) return false;
    t->rows = supi_arena_push(arena, vertices, sizeof *t->rows);
    t->rows_before = supi_arena_push(arena, vertices, sizeof *t->rows);
    t->mass = supi_arena_push(arena, rows, sizeof *t->mass);
    t->mass_before = supi_arena_push(arena, rows, sizeof *t->mass);
    t->origin = supi_arena_push(arena, rows, sizeof *t->origin);
    t->inverse_mass = supi_arena_push(arena, rows, sizeof *t->inverse_mass);
    t->rest = supi_arena_push(arena, rows, sizeof *t->rest);
    e->tear = t;
    return t->rows && t->rows_before && t->mass && t->mass_before && t->origin && t->inverse_mass &&
           t->rest && push_net(t, arena, b) && push_scratch(t, arena, b);
}

/* ---- What follows from the state ---- */

static void find_origins(const sup_blueprint* b, supi_tear* t) {
    int32_t rows = supi_tears_rows(b);
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        t->origin[r] = r < rows ? r : supi_tears_host(b, r);
    }
    for (int32_t c = 0; t->torn > 0 && c < b->info.vertex_count; c++) {
        t->origin[t->rows[c]] = b->vertex_rows[c];
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        bool held = t->mass[r] == 0.0f || (r < rows && b->inverse_mass[r] == 0.0f);
        t->inverse_mass[r] = held ? 0.0f : 1.0f / t->mass[r];
        t->rest[r] = b->rest[t->origin[r]];
    }
}

/* Do the polygons of a seat still hang together? */
static bool holds(const supi_tear* t, const supi_seat* seat) {
    for (int k = 0; k < 2; k++) {
        const int32_t* hinge = seat->hinge[k];
        if (hinge[0] >= 0 && t->rows[hinge[0]] != t->rows[hinge[1]]) return false;
    }
    return true;
}

/* A spring for every pair of rows that its seats join now, with their share of it. */
static void put_spring(const sup_blueprint* b, supi_tear* t, int32_t number) {
    const supi_tears* tears = b->tears;
    const sup_spring* whole = b->springs + number;
    const supi_seat* seats = tears->seats + tears->starts[number];
    int32_t count = tears->starts[number + 1] - tears->starts[number], first = t->spring_count;
    if (count == 0) t->springs[t->spring_count++] = *whole;
    for (int32_t i = 0; i < count; i++) {
        if (!holds(t, seats + i)) continue;
        int32_t from = t->rows[seats[i].ends[0]], to = t->rows[seats[i].ends[1]];
        int32_t a = from < to ? from : to, c = from < to ? to : from, at = first;
        while (at < t->spring_count && (t->springs[at].a != a || t->springs[at].b != c)) at++;
        sup_spring* s = t->springs + at;
        if (at == t->spring_count) {
            *s = *whole;
            s->a = a;
            s->b = c;
            s->stiffness = s->damping = 0.0f; /* counts seats at first */
            t->spring_count++;
        }
        s->stiffness += 1.0f;
    }
    for (int32_t i = first; count > 0 && i < t->spring_count; i++) {
        sup_spring* s = t->springs + i;
        float share = s->stiffness / (float)count;
        s->stiffness = share * whole->stiffness;
        s->damping = share * whole->damping;
    }
}

void supi_tear_derive(supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    supi_tear* t = body->elastic->tear;
    find_origins(b, t);
    t->spring_count = 0;
    for (int32_t i = 0; i < b->spring_count; i++) put_spring(b, t, i);
    const supi_net_source source = {b->row_count,    t->spring_count, t->springs,
                                    t->inverse_mass, t->rest,         b->net.groups};
    supi_net_cut(&source, &t->rooms);
    t->net = supi_net_fill(&source, &t->rooms);
    t->net.mean_length = b->net.mean_length; /* tolerances stay what they are */
    supi_springs_lay(body);
}

/* ---- Changes of state ---- */

void supi_tear_mend(supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (!supi_tear_of(body)) return;
    supi_tear* t = body->elastic->tear;
    t->torn = t->torn_before = 0;
    memcpy(t->rows, b->vertex_rows, (size_t)b->info.vertex_count * sizeof *t->rows);
    memcpy(t->mass, b->mass, (size_t)b->info.particle_count * sizeof *t->mass);
    supi_tear_derive(body);
    supi_tear_keep(body);
}

void supi_tear_keep(supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (!supi_tear_of(body)) return;
    supi_tear* t = body->elastic->tear;
    t->torn_before = t->torn;
    memcpy(t->rows_before, t->rows, (size_t)b->info.vertex_count * sizeof *t->rows);
    memcpy(t->mass_before, t->mass, (size_t)b->info.particle_count * sizeof *t->mass);
}

void supi_tear_restore(supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (!supi_tear_of(body) || body->elastic->tear->torn == body->elastic->tear->torn_before)
        return;
    supi_tear* t = body->elastic->tear;
    t->torn = t->torn_before;
    memcpy(t->rows, t->rows_before, (size_t)b->info.vertex_count * sizeof *t->rows);
    memcpy(t->mass, t->mass_before, (size_t)b->info.particle_count * sizeof *t->mass);
    supi_tear_derive(body);
}

int32_t supi_tear_count(const supi_body* body) {
    const supi_tear* t = supi_tear_of(body);
    return t ? t->torn - t->torn_before : 0;
}

void supi_tear_wait(const supi_body* body, sup_row* x, sup_row* v) {
    const supi_tear* t = supi_tear_of(body);
    const sup_blueprint* b = body->blueprint;
    if (!t) return;
    for (int32_t r = supi_tears_rows(b) + t->torn; r < b->info.particle_count; r++) {
        const sup_row *at = x + t->origin[r], *speed = v + t->origin[r];
        x[r] = (sup_row){at->x, at->y, at->z, 0.0f};
        v[r] = (sup_row){speed->x, speed->y, speed->z, 0.0f};
    }
}

/* ---- States from a file ---- */

/* Every row in use has corners, all of them from one particle; no other row has any. */
static bool rows_sound(const sup_blueprint* b, supi_tear* t) {
    int32_t rows = supi_tears_rows(b), used = rows + t->torn;
    for (int32_t r = 0; r < b->info.particle_count; r++) t->origin[r] = r < rows ? r : -1;
    for (int32_t c = 0; c < b->info.vertex_count; c++) {
        int32_t row = t->rows[c], own = b->vertex_rows[c];
        if (row >= used) return false;
        if (t->origin[row] < 0) t->origin[row] = own;
        if (t->origin[row] != own) return false;
    }
    for (int32_t r = rows; r < used; r++) {
        if (t->origin[r] < 0) return false;
    }
    return true;
}

/* What was parted weighs what it weighed together. */
static bool masses_sound(const sup_blueprint* b, supi_tear* t) {
    int32_t rows = supi_tears_rows(b), used = rows + t->torn;
    for (int32_t r = used; r < b->info.particle_count; r++) {
        if (t->mass[r] != 0.0f) return false;
    }
    for (int32_t r = 0; r < used; r++) {
        bool none = r < rows && b->mass[r] == 0.0f && t->mass[r] == 0.0f; /* pinned */
        if (!none && !(t->mass[r] >= 1e-30f && t->mass[r] <= 1e9f)) return false;
    }
    for (int32_t r = 0; r < rows; r++) t->rest[r].x = t->mass[r];
    for (int32_t r = rows; r < used; r++) t->rest[t->origin[r]].x += t->mass[r];
    for (int32_t r = 0; r < rows; r++) {
        float off = t->rest[r].x - b->mass[r];
        if (!(off <= 1e-5f * b->mass[r] && -off <= 1e-5f * b->mass[r])) return false;
    }
    return true;
}

bool supi_tear_adopt(supi_body* body) {
    if (!supi_tear_of(body)) return true;
    supi_tear* t = body->elastic->tear;
    if (!rows_sound(body->blueprint, t) || !masses_sound(body->blueprint, t)) return false;
    supi_tear_derive(body);
    supi_tear_keep(body);
    return true;
}
