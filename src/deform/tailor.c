/* Pulls that change the surface: after each pass edges are split and joined, and what is left of
   the pull is divided anew. */
#include "deform/split.h"

#include <string.h>

#define ROUNDS_MOST 8
#define LEAST_PART 0.25 /* of the mean edge at first: shorter ones are never split */
#define POINTS_MOST (1 << 30)

typedef struct tailoring {
    sup_clay* clay;
    supi_pull* pull;
    sup_pull_report* report;
    supi_fabric kept; /* that of before, while another is in its place */
    bool replaced;
    sup_row* rows_before;
    int32_t count_before;
    supi_plan plan_before;
    bool pulled_before, remembered_before;
    int32_t* sources; /* ids */
    int32_t* to_new;
    int32_t to_new_room;
    supi_edge_rule rule;
    supi_inserting inserting; /* for SUP_SPLIT_WITHIN */
} tailoring;

/* `next` takes the place of the fabric; the first one is kept until the end. */
static void replace(tailoring* t, const supi_fabric* next) {
    sup_clay* s = t->clay;
    s->plan.ready = s->pulled = s->remembers = false;
    s->drift = -1.0;
    if (t->replaced) {
        supi_fabric_free(&s->fabric);
    } else {
        t->kept = s->fabric;
    }
    t->replaced = true;
    s->fabric = *next;
    int32_t* rows = s->sources.items;
    for (int32_t i = 0; i < t->pull->count; i++) rows[i] = s->fabric.graph.row_of[t->sources[i]];
}

static void measure(const tailoring* t, double least, double* most) {
    const supi_fabric* f = &t->clay->fabric;
    for (int32_t e = 0; e < f->graph.edge_count; e++) {
        double stretch = supi_edge_stretch(f, e);
        if (stretch > *most && supi_edge_length(f, e) > least) *most = stretch;
    }
}

static bool split_edges(tailoring* t) {
    sup_clay* s = t->clay;
    supi_edge_rule rule = t->rule;
    int32_t count = 1;
    if (t->pull->inserting) rule.budget = t->inserting.budget; /* what the pass has left of it */
    for (int round = 0; round < ROUNDS_MOST && count > 0 && rule.budget > 0; round++) {
        supi_fabric next;
        if (!supi_split_round(&s->fabric, s, &rule, &s->fresh, &count, &next)) return false;
        if (count > 0) replace(t, &next);
        rule.budget -= count;
        t->report->split += count;
    }
    return true;
}

static void drop_done(supi_inserting* s) {
    supi_insert* list = s->list.items;
    int32_t left = 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (!list[i].done) list[left++] = list[i];
    }
    s->count = left;
}

/* The points that the pass has put into edges become points of the surface. */
static bool place_inserts(tailoring* t) {
    sup_clay* s = t->clay;
    supi_edge_rule rule = t->rule;
    if (t->inserting.over_budget) t->report->over_budget = true;
    for (int32_t count = 1; count > 0 && t->inserting.count > 0;) {
        supi_fabric next;
        rule.inserts = t->inserting.list.items;
        rule.insert_count = t->inserting.count;
        if (!supi_split_round(&s->fabric, s, &rule, &s->fresh, &count, &next)) return false;
        if (count > 0) replace(t, &next);
        t->report->split += count;
        drop_done(&t->inserting);
    }
    return true;
}

static bool join_edges(tailoring* t) {
    sup_clay* s = t->clay;
    int32_t points = s->fabric.graph.point_count, count = 0;
    supi_fabric next;
    void* room = t->to_new;
    bool grown = supi_memory_grow(s->allocator, &room, &t->to_new_room, points, sizeof *t->to_new);
    t->to_new = room;
    if (!grown ||
        !supi_collapse_round(&s->fabric, s, &t->rule, &s->fresh, &count, t->to_new, &next))
        return false;
    if (count == 0) return true;
    for (int32_t i = 0; i < t->pull->count; i++) t->sources[i] = t->to_new[t->sources[i]];
    replace(t, &next);
    t->report->joined += count;
    return true;
}

/* After a pass. */
static bool change(tailoring* t) {
    sup_clay* s = t->clay;
    const sup_pull_def* def = t->pull->def;
    supi_plan_bring_back(&s->plan, s->fabric.rows);
    measure(t, 0.0, &t->report->stretch);
    bool within = def->splits == SUP_SPLIT_WITHIN;
    if (within && !place_inserts(t)) return false;
    if (def->squeeze == SUP_SQUEEZE_COLLAPSE && !join_edges(t)) return false;
    bool splits = (def->split > 0.0 && !within) || def->squeeze == SUP_SQUEEZE_SPLIT;
    if (splits && !split_edges(t)) return false;
    double left = 0.0;
    measure(t, t->rule.least, &left);
    if (left > t->report->stretch_left) t->report->stretch_left = left;
    if (def->split > 0.0 && !within && left > def->split) t->report->over_budget = true;
    return true;
}

static bool begin_inserts(tailoring* t) {
    int32_t room = t->rule.point_limit - t->clay->fabric.graph.point_count;
    int32_t budget = room < t->rule.budget ? room : t->rule.budget;
    return supi_insert_begin(&t->inserting, t->clay, budget);
}

static bool pass_and_change(tailoring* t, double part) {
    sup_clay* s = t->clay;
    if (!supi_pull_prepare(s, t->pull)) return false;
    if (t->pull->inserting && !begin_inserts(t)) return false;
    supi_pull_pass(s, t->pull, part);
    if (t->inserting.failed) return false;
    t->report->passes++;
    s->drift = -1.0;
    return change(t);
}

static bool pull_all(tailoring* t) {
    sup_clay* s = t->clay;
    const sup_pull_def* def = t->pull->def;
    int32_t most = def->passes > 0 ? def->passes : SUPI_PASSES_MOST;
    double left = 1.0;
    while (left > 0.0 && t->report->passes < most) {
        if (!supi_pull_prepare(s, t->pull)) return false;
        int32_t passes = supi_pull_passes(s, t->pull, left * t->pull->most,
                                          most - t->report->passes, &t->report->capped);
        double part = left / passes;
        int32_t changes = t->report->split + t->report->joined;
        for (int32_t i = 0; i < passes; i++) {
            if (!pass_and_change(t, part)) return false;
            left = i + 1 < passes ? left - part : 0.0;
            if (t->report->split + t->report->joined != changes) break;
        }
    }
    return supi_pull_prepare(s, t->pull); /* who follows whom now */
}

static void put_back(tailoring* t) {
    sup_clay* s = t->clay;
    supi_plan_free(&s->plan);
    s->plan = t->plan_before;
    s->pulled = t->pulled_before;
    s->remembers = t->remembered_before;
    s->drift = -1.0;
    if (t->replaced) {
        supi_fabric_free(&s->fabric);
        s->fabric = t->kept;
    }
    memcpy(s->fabric.rows, t->rows_before, (size_t)t->count_before * sizeof *t->rows_before);
}

static bool begin(tailoring* t) {
    sup_clay* s = t->clay;
    const sup_pull_def* def = t->pull->def;
    supi_plan_bring_back(&s->plan, s->fabric.rows);
    t->count_before = s->fabric.graph.point_count;
    t->rows_before = supi_memory_new(s->allocator, (size_t)t->count_before, sizeof(sup_row));
    t->sources = supi_memory_new(s->allocator, (size_t)t->pull->count, sizeof *t->sources);
    if (!t->rows_before || !t->sources) return false;
    memcpy(t->rows_before, s->fabric.rows, (size_t)t->count_before * sizeof(sup_row));
    t->plan_before = s->plan;
    t->pulled_before = s->pulled;
    t->remembered_before = s->remembers;
    s->plan = (supi_plan){.allocator = s->allocator};
    s->pulled = s->remembers = false;
    for (int32_t i = 0; i < t->pull->count; i++)
        t->sources[i] = s->fabric.graph.id_of[t->pull->rows[i]];
    t->rule = (supi_edge_rule){
        .longest = def->splits == SUP_SPLIT_AFTER ? def->split : 0.0,
        .shortest = def->squeeze == SUP_SQUEEZE_KEEP ? 0.0 : def->squeezed,
        .split_short = def->squeeze == SUP_SQUEEZE_SPLIT,
        .least = LEAST_PART * s->first_mean_edge,
        .budget = def->split_budget,
        .point_limit = def->point_limit > 0 ? def->point_limit : POINTS_MOST,
        .sources = t->sources,
        .source_count = t->pull->count,
    };
    if (def->split > 0.0 && def->splits == SUP_SPLIT_WITHIN) {
        t->inserting = (supi_inserting){.longest = def->split, .least = t->rule.least};
        t->pull->inserting = &t->inserting;
    }
    return true;
}

bool supi_pull_splitting(sup_clay* s, supi_pull* pull, sup_pull_report* report) {
    tailoring t = {.clay = s, .pull = pull, .report = report};
    bool begun = begin(&t), done = begun && pull_all(&t);
    if (begun && !done) put_back(&t);
    if (done && t.replaced) supi_fabric_free(&t.kept);
    if (done) supi_plan_free(&t.plan_before);
    if (done) s->pulled = true;
    supi_insert_free(&t.inserting, s->allocator);
    pull->inserting = NULL;
    supi_memory_free(s->allocator, t.rows_before, (size_t)t.count_before, sizeof(sup_row));
    supi_memory_free(s->allocator, t.sources, (size_t)pull->count, sizeof *t.sources);
    supi_memory_free(s->allocator, t.to_new, (size_t)t.to_new_room, sizeof *t.to_new);
    return done;
}
