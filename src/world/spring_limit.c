/* Strain limits of bodies. The blueprint knows the order of its springs; a body that tears or is
   cut has an order of its own, which changes with its springs. */
#include "solve/limit.h"
#include "world/cuts.h"
#include "world/springs.h"
#include "world/tear.h"

/* Sides of structural and shear springs at a row of cut cloth. */
enum { CUT_SIDES = 12 };

typedef struct supi_own_limit {
    supi_limit_rooms rooms;
    supi_limit_order order;
    supi_brace* braces;
    float* met;
    sup_row* tied;
} supi_own_limit;

/* ---- Room ---- */

/* Springs that a row can have at most which a limit may hold, however the surface tears. */
static int32_t most_sides(const sup_blueprint* b, int32_t* sides) {
    int32_t most = 0;
    for (int32_t i = 0; i < b->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        int32_t seats = b->tears->starts[i + 1] - b->tears->starts[i];
        if (s->kind > SUP_SPRING_SHEAR) continue;
        sides[s->a] += seats > 1 ? seats : 1;
        sides[s->b] += seats > 1 ? seats : 1;
    }
    for (int32_t r = 0; r < b->row_count; r++) most = sides[r] > most ? sides[r] : most;
    return most;
}

static bool push(const supi_body* body, supi_arena* arena, supi_own_limit* own) {
    const sup_blueprint* b = body->blueprint;
    const supi_refine* cuts = body->elastic->cuts;
    supi_limit_sizes most = {.row_count = b->row_count,
                             .spring_count = cuts ? cuts->spring_room : b->tears->spring_most,
                             .side_count = CUT_SIDES,
                             .band_count = b->limits.band_count + 1};
    if (!cuts) {
        int32_t* sides = supi_arena_push(arena, (size_t)b->row_count, sizeof *sides);
        if (!sides) return false;
        most.side_count = most_sides(b, sides);
    }
    size_t ties = cuts ? (size_t)supi_refine_point_count(&b->refine) : 0;
    own->braces = supi_arena_push(arena, (size_t)most.spring_count, sizeof *own->braces);
    own->tied = supi_arena_push(arena, ties, sizeof *own->tied);
    if (!own->braces || !own->tied || !supi_limit_rooms_push(arena, &most, &own->rooms)) {
        return false;
    }
    own->met = supi_arena_push(arena, (size_t)own->rooms.part_most, sizeof *own->met);
    return own->met != NULL;
}

bool supi_limit_make(supi_body* body, const sup_spring_settings* settings) {
    supi_elastic* e = body->elastic;
    bool wanted = settings->limit > 0.0 || settings->limit_compression > 0.0;
    if (!wanted || e->limit || !(e->tear || e->cuts)) return true;
    supi_own_limit* own = supi_arena_push(&e->limiting, 1, sizeof *own);
    if (!own || !push(body, &e->limiting, own)) {
        supi_arena_free(&e->limiting);
        return false;
    }
    e->limit = own;
    supi_limit_lay(body);
    return true;
}

void supi_limit_lay(supi_body* body) {
    const supi_elastic* e = body->elastic;
    supi_own_limit* own = e->limit;
    if (!own) return;
    if (e->cuts) {
        supi_limit_order_fill(&e->cuts->net, e->cuts->springs, e->cuts->loose, &own->rooms,
                              &own->order);
    } else {
        supi_limit_order_fill(&e->tear->net, e->tear->springs, e->tear->inverse_mass, &own->rooms,
                              &own->order);
    }
}

/* ---- In a substep ---- */

void supi_limit_strain(const supi_springs_way* way, const supi_body* body, double h, sup_row* x,
                       sup_row* v) {
    const sup_spring_settings* s = &body->springs;
    supi_elastic* e = body->elastic;
    if (!(s->limit > 0.0) && !(s->limit_compression > 0.0)) return;
    const supi_limit limit = {.kernels = way->world->kernels,
                              .tasks = way->tasks,
                              .order = e->limit ? &e->limit->order : &body->blueprint->limits,
                              .row_count = supi_cuts_net(body)->row_count,
                              .tie_count = e->cuts ? e->cuts->tie_count : 0,
                              .ties = e->cuts ? e->cuts->ties : NULL,
                              .tied = e->limit ? e->limit->tied : NULL,
                              .h = h,
                              .longer = s->limit,
                              .shorter = s->limit_compression,
                              .kinds = s->limit_kinds,
                              .sweeps = s->limit_sweeps,
                              .scratch = e->scratch,
                              .met = e->limit ? e->limit->met : e->met};
    e->measures.excess = supi_limit_run(&limit, x, v).excess;
}

supi_brace_rules supi_limit_rules(const supi_body* body) {
    const sup_spring_settings* s = &body->springs;
    const supi_refine* cuts = body->elastic->cuts;
    supi_brace_rules rules = {.h = (double)body->pull.h,
                              .longer = s->limit,
                              .shorter = s->limit_compression,
                              .kinds = s->limit_kinds};
    rules.springs = supi_tear_springs(body, &rules.spring_count);
    if (!cuts) return rules;
    rules.springs = cuts->springs;
    rules.spring_count = cuts->spring_count;
    return rules;
}

supi_braces supi_limit_brace(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                             const sup_row* v) {
    const supi_elastic* e = body->elastic;
    supi_brace_rules rules = supi_limit_rules(body);
    rules.h = (double)way->h;
    supi_braces out = {0, e->limit ? e->limit->braces : e->braces};
    if (!(rules.longer > 0.0) && !(rules.shorter > 0.0)) return out;
    supi_brace_find(&rules, x, v, e->forces, &out);
    return out;
}
