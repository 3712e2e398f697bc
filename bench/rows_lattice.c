/* Rows about clusters of a lattice: a cube of nodes in scheme D. What a node costs must not grow
   with the reach; lists of the same clusters are what the lattice has to beat. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 16, NODES = SIDE * SIDE * SIDE };
#define SPACING (1.0 / SIDE)

typedef struct lattice_body {
    sup_world* world;
    sup_body body;
} lattice_body;

static bool step(void* state) {
    const lattice_body* own = state;
    return sup_world_step(own->world, 1.0 / 60.0) == SUP_OK;
}

static bool read_places(void* state, sup_point* places) {
    const lattice_body* own = state;
    return sup_body_read_particles(own->world, own->body, places, NULL) == SUP_OK;
}

static void destroy(void* state) {
    lattice_body* own = state;
    sup_world_destroy(own->world);
    free(own);
}

/* ---- A cube of nodes ---- */

static void fill_points(sup_vec3 points[NODES]) {
    for (int32_t i = 0; i < NODES; i++) {
        points[i] = (sup_vec3){(float)(SPACING * (i % SIDE)), (float)(SPACING * (i / SIDE % SIDE)),
                               (float)(SPACING * (i / SIDE / SIDE))};
    }
}

/* Lists the nodes within reach of each. */
static void fill_lists(int32_t reach, int32_t starts[NODES + 1], int32_t* members) {
    int32_t used = 0;
    for (int32_t i = 0; i < NODES; i++) {
        starts[i] = used;
        for (int32_t j = 0; j < NODES; j++) {
            bool near = abs(i % SIDE - j % SIDE) <= reach &&
                        abs(i / SIDE % SIDE - j / SIDE % SIDE) <= reach &&
                        abs(i / SIDE / SIDE - j / SIDE / SIDE) <= reach;
            if (near) members[used++] = j;
        }
    }
    starts[NODES] = used;
}

/* Room for what a definition points to. */
typedef struct recipe {
    sup_vec3 points[NODES];
    int32_t starts[NODES + 1], members[27 * NODES];
} recipe;

static sup_result create_print(int32_t reach, bool listed, sup_blueprint** out, sup_error* error) {
    recipe* r = malloc(sizeof *r);
    if (!r) return SUP_NO_MEMORY;
    sup_blueprint_def def = sup_blueprint_default();
    fill_points(r->points);
    def.point_count = NODES;
    def.points = r->points;
    def.layout = listed ? SUP_CLUSTERS_EXPLICIT : SUP_CLUSTERS_LATTICE;
    def.fill = listed ? 0.0 : SPACING;
    def.reach = reach;
    if (listed) {
        fill_lists(reach, r->starts, r->members);
        def.cluster_count = NODES;
        def.cluster_starts = r->starts;
        def.cluster_members = r->members;
    }
    sup_result result = sup_blueprint_create(&def, out, error);
    free(r);
    return result;
}

static bool create_subject(int32_t reach, bool listed, bench_subject* out) {
    lattice_body* own = calloc(1, sizeof *own);
    sup_error error = {.text = "no memory"};
    sup_world_def settings = sup_world_default();
    settings.gravity[1] = 0.0;
    settings.threads = 1;
    sup_body_def def = sup_body_default();
    def.angular_velocity[1] = 1.0;
    def.stays_awake = true;
    sup_result result = own ? create_print(reach, listed, &def.blueprint, &error) : SUP_NO_MEMORY;
    if (result == SUP_OK) result = sup_world_create(&settings, &own->world, &error);
    if (result == SUP_OK) result = sup_body_create(own->world, &def, &own->body, &error);
    sup_blueprint_release(def.blueprint);
    *out = (bench_subject){own, step, settings.substeps, read_places, destroy};
    if (result == SUP_OK) return true;
    fprintf(stderr, "supple_bench: %s\n", error.text);
    if (own) destroy(own);
    return false;
}

/* ---- Rows ---- */

/* The lattice of one reach, and what it is measured by. */
typedef struct match_up {
    int32_t reach;
    bool listed; /* the other one is a list of the same clusters; else the lattice of reach 1 */
    double allowance; /* factor on its time */
} match_up;

static bool measure(const bench_row* row, bench_figures* out) {
    const match_up* plan = row->detail;
    bench_subject subjects[2];
    double seconds[2];
    if (!create_subject(plan->reach, false, &subjects[0])) return false;
    if (!create_subject(plan->listed ? plan->reach : 1, plan->listed, &subjects[1])) {
        destroy(subjects[0].state);
        return false;
    }
    bool done = bench_time_work(subjects, 2, row->repeats, seconds);
    out->value = 1e9 * seconds[0] / NODES;
    out->reference = plan->allowance * 1e9 * seconds[1] / NODES;
    out->simd = sup_world_simd(((lattice_body*)subjects[0].state)->world);
    for (int i = 0; i < 2; i++) destroy(subjects[i].state);
    if (!done) fprintf(stderr, "supple_bench: %s: a step failed\n", row->name);
    return done;
}

#define REACH_ROW(reach, about)                                                                    \
    {                                                                                              \
        "lattice.w" #reach, about ", 4,096 nodes, beside 1.5 times the cost of 27", "ns/node",     \
            "1.5 x 27 nodes", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure,                                 \
            &(const match_up){reach, false, 1.5}, 8                                                \
    }

static const bench_row rows[] = {
    {"lattice.w1", "clusters of 27 nodes on a lattice, 4,096 nodes, beside the same as lists",
     "ns/node", "lists", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure, &(const match_up){1, true, 1.0}, 8},
    REACH_ROW(2, "clusters of 125 nodes"),
    REACH_ROW(3, "clusters of 343 nodes"),
    REACH_ROW(4, "clusters of 729 nodes"),
};

const bench_row* bench_rows_lattice(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
