/* Nodes of a lattice for tests, and the same clusters twice: of the lattice, and as lists. */
#ifndef SUPPLE_TESTS_WORLD_LATTICES_H
#define SUPPLE_TESTS_WORLD_LATTICES_H

#include "world/bodies.h"

typedef struct nodes {
    int32_t size[3], count, reach;
    double spacing;
    int32_t* ids; /* by cell; -1: empty */
    sup_vec3* points;
    float* masses;
    int32_t *starts, *members;
} nodes;

/* Which cells of the box have a node. */
typedef bool nodes_shape(const int32_t size[3], const int32_t at[3]);

static inline bool shape_full(const int32_t size[3], const int32_t at[3]) {
    (void)size;
    (void)at;
    return true;
}

/* Two thirds of x and y are cut away, and a hole. */
static inline bool shape_angle(const int32_t size[3], const int32_t at[3]) {
    bool hole = at[0] == size[0] / 4 && at[1] == 1;
    return !hole && (3 * at[0] < size[0] || 3 * at[1] < size[1]);
}

static inline int32_t nodes_cell(const nodes* n, const int32_t at[3]) {
    return at[0] + n->size[0] * (at[1] + n->size[1] * at[2]);
}

/* Lists those within reach of a node. */
static inline void nodes_list(nodes* n, const int32_t at[3], int32_t* used) {
    int32_t p[3], w = n->reach;
    for (p[2] = at[2] - w; p[2] <= at[2] + w; p[2]++) {
        for (p[1] = at[1] - w; p[1] <= at[1] + w; p[1]++) {
            for (p[0] = at[0] - w; p[0] <= at[0] + w; p[0]++) {
                bool inside = true;
                for (int k = 0; k < 3; k++) inside = inside && p[k] >= 0 && p[k] < n->size[k];
                int32_t id = inside ? n->ids[nodes_cell(n, p)] : -1;
                if (id >= 0) n->members[(*used)++] = id;
            }
        }
    }
}

static inline nodes nodes_make(const int32_t size[3], int32_t reach, nodes_shape* shape) {
    nodes n = {.size = {size[0], size[1], size[2]}, .reach = reach, .spacing = 0.05};
    size_t cells = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    size_t box = (size_t)(2 * reach + 1) * (size_t)(2 * reach + 1) * (size_t)(2 * reach + 1);
    n.ids = calloc(cells, sizeof *n.ids);
    n.points = calloc(cells, sizeof *n.points);
    n.masses = calloc(cells, sizeof *n.masses);
    n.starts = calloc(cells + 1, sizeof *n.starts);
    n.members = calloc(cells * (box < cells ? box : cells), sizeof *n.members);
    dice d = {7};
    for (int32_t c = 0; c < (int32_t)cells; c++) {
        const int32_t at[3] = {c % size[0], c / size[0] % size[1], c / size[0] / size[1]};
        n.ids[c] = shape(size, at) ? n.count++ : -1;
        if (n.ids[c] < 0) continue;
        n.points[n.ids[c]] =
            (sup_vec3){(float)(0.3 + n.spacing * at[0]), (float)(n.spacing * at[1] - 0.7),
                       (float)(n.spacing * at[2])};
        n.masses[n.ids[c]] = (float)(1.0 + 0.5 * dice_roll(&d));
    }
    int32_t used = 0;
    for (int32_t c = 0; c < (int32_t)cells; c++) {
        const int32_t at[3] = {c % size[0], c / size[0] % size[1], c / size[0] / size[1]};
        if (n.ids[c] < 0) continue;
        nodes_list(&n, at, &used);
        n.starts[n.ids[c] + 1] = used;
    }
    return n;
}

static inline void nodes_free(nodes* n) {
    free(n->ids);
    free(n->points);
    free(n->masses);
    free(n->starts);
    free(n->members);
}

/* A blueprint of the nodes, by the lattice or by lists. */
static inline sup_blueprint_def nodes_def(const nodes* n, bool listed) {
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = n->count;
    def.points = n->points;
    def.masses = n->masses;
    def.allow_joints = true; /* lines of nodes hold each other by two */
    if (listed) {
        def.layout = SUP_CLUSTERS_EXPLICIT;
        def.cluster_count = n->count;
        def.cluster_starts = n->starts;
        def.cluster_members = n->members;
    } else {
        def.layout = SUP_CLUSTERS_LATTICE;
        def.fill = n->spacing;
        def.reach = n->reach;
    }
    return def;
}

/* A body alone in its world, of any size. */
typedef struct block {
    sup_world* world;
    sup_blueprint* print;
    sup_body body;
    int32_t count;
    double size;
    sup_point* places;
    sup_vec3* speeds;
} block;

static inline block block_make(const sup_world_def* settings, const sup_blueprint_def* print,
                               const sup_body_def* def) {
    block b = {.count = print->point_count};
    sup_body_def own = *def;
    sup_error error = {0};
    if (sup_blueprint_create(print, &b.print, &error) != SUP_OK) fail_msg("%s", error.text);
    own.blueprint = b.print;
    assert_int_equal(sup_world_create(settings, &b.world, &error), SUP_OK);
    if (sup_body_create(b.world, &own, &b.body, &error) != SUP_OK) fail_msg("%s", error.text);
    b.size = sup_blueprint_get_info(b.print).size;
    b.places = calloc((size_t)b.count, sizeof *b.places);
    b.speeds = calloc((size_t)b.count, sizeof *b.speeds);
    sup_body_read_particles(b.world, b.body, b.places, b.speeds);
    return b;
}

static inline void block_free(block* b) {
    sup_world_destroy(b->world);
    sup_blueprint_release(b->print);
    free(b->places);
    free(b->speeds);
}

/* Throws every particle a little off its place. */
static inline void block_disturb(block* b, double way, double speed) {
    dice d = {11};
    for (int32_t i = 0; i < b->count; i++) {
        b->places[i].x += way * dice_roll(&d);
        b->places[i].y += way * dice_roll(&d);
        b->places[i].z += way * dice_roll(&d);
        b->speeds[i].x += (float)(speed * dice_roll(&d));
        b->speeds[i].y += (float)(speed * dice_roll(&d));
        b->speeds[i].z += (float)(speed * dice_roll(&d));
    }
    assert_int_equal(sup_body_write_particles(b->world, b->body, b->places, b->speeds, NULL),
                     SUP_OK);
}

static inline void block_step(block* b, int32_t steps, double dt) {
    for (int32_t i = 0; i < steps; i++) {
        int32_t count;
        assert_int_equal(sup_world_step(b->world, dt), SUP_OK);
        const sup_event* events = sup_world_events(b->world, &count);
        for (int32_t e = 0; e < count; e++) {
            assert_int_not_equal(events[e].kind, SUP_EVENT_BODY_RESTORED);
        }
    }
    sup_body_read_particles(b->world, b->body, b->places, b->speeds);
}

/* Largest distance between particles of the same id. */
static inline double block_gap(const block* a, const block* b) {
    double worst = 0;
    for (int32_t i = 0; i < a->count; i++) {
        const double p[3] = {a->places[i].x, a->places[i].y, a->places[i].z};
        const double q[3] = {b->places[i].x, b->places[i].y, b->places[i].z};
        double gap = distance_of(p, q);
        worst = gap > worst || !(gap == gap) ? gap : worst;
    }
    return worst;
}

#endif
