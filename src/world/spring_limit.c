/* Strain limits of bodies. The blueprint knows the order of its springs; a body that tears or is
   cut has an order of its own, which changes with its springs. */
#include "solve/limit.h"
#include "world/cuts.h"
#include "world/springs.h"
#include "world/tear.h"

typedef struct supi_own_limit {
    supi_limit_rooms rooms;
    supi_limit_order order;
    supi_brace* braces;
    sup_row* tied;
} supi_own_limit;

/* ---- Room ---- */

static bool push(const supi_body* body, supi_arena* arena, supi_own_limit* own) {
    const sup_blueprint* b = body->blueprint;
    const supi_refine* cuts = body->elastic->cuts;
    int32_t springs = cuts ? cuts->spring_room : b->tears->spring_most;
    size_t ties = cuts ? (size_t)supi_refine_point_count(&b->refine) : 0;
    own->braces = supi_arena_push(arena, (size_t)springs, sizeof *own->braces);
    own->tied = supi_arena_push(arena, ties, sizeof *own->tied);
    return own->braces && own->tied &&
           supi_limit_rooms_push(arena, b->row_count, springs, &own->rooms);
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

bool supi_limit_has(const supi_body* body) {
    return body->elastic && (body->springs.limit > 0.0 || body->springs.limit_compression > 0.0);
}

/* False: there is none. */
static bool limit_of(const sup_world* world, const supi_body* body, supi_limit* out) {
    const sup_spring_settings* s = &body->springs;
    const supi_elastic* e = body->elastic;
    if (!supi_limit_has(body)) return false;
    *out = (supi_limit){.kernels = world->kernels,
                        .order = e->limit ? &e->limit->order : &body->blueprint->limits,
                        .row_count = supi_cuts_net(body)->row_count,
                        .tie_count = e->cuts ? e->cuts->tie_count : 0,
                        .ties = e->cuts ? e->cuts->ties : NULL,
                        .tied = e->limit ? e->limit->tied : NULL,
                        .longer = s->limit,
                        .shorter = s->limit_compression,
                        .kinds = s->limit_kinds,
                        .sweeps = s->limit_sweeps,
                        .scratch = e->scratch};
    return true;
}

void supi_limit_strain(const supi_springs_way* way, const supi_body* body, double h, sup_row* x,
                       sup_row* v) {
    supi_limit limit;
    if (!limit_of(way->world, body, &limit)) return;
    limit.tasks = way->tasks;
    limit.h = h;
    supi_limit_run(&limit, x, v);
}

double supi_limit_measure(const sup_world* world, const supi_body* body) {
    supi_limit limit;
    if (!limit_of(world, body, &limit)) return 0.0;
    return supi_limit_excess(&limit, world->now.x + body->row);
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
