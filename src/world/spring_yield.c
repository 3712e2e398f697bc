/* Springs of bodies that were strained too far: lengths of their own beside those of the blueprint.
 */
#include "solve/yield.h"

#include "solve/pieces.h"
#include "world/springs.h"
#include "world/tear.h"

#include <string.h>

static size_t bytes_of(const supi_body* body) {
    return (size_t)body->blueprint->spring_count * sizeof(float);
}

static void spread(const supi_body* body) {
    const sup_blueprint* print = body->blueprint;
    const supi_elastic* e = body->elastic;
    supi_yield_spread(&print->net, print->springs, 0, print->row_count / 8, e->lengths, e->sides);
}

bool supi_yield_has(const supi_body* body) { return body->elastic && body->elastic->lengths; }

bool supi_yield_make(supi_body* body) {
    supi_elastic* e = body->elastic;
    const sup_blueprint* print = body->blueprint;
    if (!e || e->lengths) return true;
    size_t springs = (size_t)print->spring_count, sides = 8 * (size_t)print->net.column_count;
    float* lengths = supi_arena_push(&e->lasting, springs, sizeof *lengths);
    e->lengths_before = supi_arena_push(&e->lasting, springs, sizeof *lengths);
    e->sides = supi_arena_push(&e->lasting, sides, sizeof *e->sides);
    if (!lengths || !e->lengths_before || !e->sides) {
        supi_arena_free(&e->lasting);
        return false;
    }
    e->lengths = lengths;
    supi_yield_reset(body);
    return true;
}

void supi_yield_reset(supi_body* body) {
    supi_elastic* e = body->elastic;
    const sup_blueprint* print = body->blueprint;
    if (!supi_yield_has(body)) return;
    for (int32_t i = 0; i < print->spring_count; i++) e->lengths[i] = print->springs[i].length;
    supi_yield_keep(body);
}

void supi_yield_restore(supi_body* body) {
    supi_elastic* e = body->elastic;
    if (!supi_yield_has(body)) return;
    memcpy(e->lengths, e->lengths_before, bytes_of(body));
    spread(body);
}

void supi_yield_keep(supi_body* body) {
    supi_elastic* e = body->elastic;
    if (!supi_yield_has(body)) return;
    memcpy(e->lengths_before, e->lengths, bytes_of(body));
    spread(body);
}

static bool same_spring(const sup_blueprint* a, const sup_blueprint* b, int32_t i) {
    const sup_spring *s = a->springs + i, *t = b->springs + i;
    int32_t from = a->id_of[s->a], to = a->id_of[s->b];
    int32_t here = b->id_of[t->a], there = b->id_of[t->b];
    return s->kind == t->kind && ((from == here && to == there) || (from == there && to == here));
}

void supi_yield_carry(const supi_body* from, supi_body* to) {
    const sup_blueprint *was = from->blueprint, *is = to->blueprint;
    if (!supi_yield_has(from) || !supi_yield_has(to)) return;
    int32_t count = was->spring_count < is->spring_count ? was->spring_count : is->spring_count;
    for (int32_t i = 0; i < count; i++) {
        if (!same_spring(was, is, i) || !(was->springs[i].length > 0.0f)) continue;
        float share = from->elastic->lengths[i] / was->springs[i].length;
        to->elastic->lengths[i] = share * is->springs[i].length;
    }
    supi_yield_keep(to);
}

bool supi_yield_flows(const supi_body* body) {
    const supi_elastic* e = body->elastic;
    return supi_yield_has(body) && memcmp(e->lengths, e->lengths_before, bytes_of(body)) != 0;
}

supi_spring_net supi_yield_net(const supi_body* body) {
    supi_spring_net net = body->elastic->cuts ? body->elastic->cuts->net : *supi_tear_net(body);
    if (!body->elastic->lengths) return net;
    net.length = body->elastic->sides;
    net.once = NULL;     /* that has lengths of its own */
    net.longest *= 3.0f; /* as far as springs may yield */
    return net;
}

/* ---- In a substep ---- */

typedef struct flow_job {
    const supi_body* body;
    const sup_row* x;
} flow_job;

static void flow_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const flow_job* job = context;
    const sup_blueprint* print = job->body->blueprint;
    supi_yield_flow(&job->body->springs.yield, (double)job->body->pull.h, print->springs,
                    piece * SUPI_PIECE_ROWS, supi_piece_end(piece, print->spring_count), job->x,
                    job->body->elastic->lengths);
}

static void spread_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const flow_job* job = context;
    const sup_blueprint* print = job->body->blueprint;
    const supi_elastic* e = job->body->elastic;
    int32_t begin = piece * SUPI_PIECE_ROWS, end = supi_piece_end(piece, print->row_count);
    supi_yield_spread(&print->net, print->springs, begin / 8, end / 8, e->lengths, e->sides);
}

void supi_springs_yield(const supi_springs_way* way, supi_body* body) {
    if (!supi_yield_has(body) || !(body->springs.yield.strain > 0.0)) return;
    flow_job job = {body, way->world->now.x + body->row};
    supi_pieces_run(way->tasks, body->blueprint->spring_count, flow_piece, &job);
    supi_pieces_run(way->tasks, body->blueprint->row_count, spread_piece, &job);
}
