/* Rows about a pile of 100 cubes with 108,000 tetrahedra, beside Bullet. Both are looked at with
   the same eyes: how deep points are in tetrahedra of others. */
#include "heaps.h"
#include "pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A floor of 5 x 5 cubes and three more on it, each half a cube beside the one below. */
enum { ACROSS = 5, LAYERS = 4, BODIES = ACROSS * ACROSS * LAYERS, CELLS = 6 };
enum { SETTLE = 60, TIMED = 30, LOOKS = 3 }; /* steps; times that depths are looked at */

#define CELL 0.1 /* m */
#define GAP                                                                                        \
    0.03 /* m, between cubes at first: more than the margins of Bullet, which else loses           \
            pairs in its first step */
#define DENSITY 1000 /* kg/m^3 */
#define TURN 0.1     /* rad, at most */

typedef struct pile {
    bench_pile plan;
    sup_tets tets;
    sup_mesh outside;
    float* masses;
    double turns[BODIES];
    sup_point places[BODIES];
    sup_point* read; /* of all points */
    bench_heaps eyes;
} pile;

sup_point bench_pile_start(const bench_pile* p, int32_t body, int32_t point) {
    double c = cos(p->turns[body]), s = sin(p->turns[body]);
    double x = (double)p->points[point].x, z = (double)p->points[point].z;
    const sup_point* at = &p->places[body];
    return (sup_point){at->x + c * x + s * z, at->y + (double)p->points[point].y,
                       at->z + c * z - s * x};
}

/* ---- What is moved ---- */

static void place_bodies(pile* p) {
    uint64_t seed = 5;
    const double side = CELLS * CELL, apart = side * (1 + 0.5 * TURN) + GAP;
    for (int32_t b = 0; b < BODIES; b++) {
        int32_t layer = b / (ACROSS * ACROSS), at = b % (ACROSS * ACROSS);
        double aside = layer % 2 ? 0.5 * apart : 0.0;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        p->turns[b] = TURN * (2.0 * (double)(seed >> 11) * 0x1p-53 - 1.0);
        p->places[b] = (sup_point){at % ACROSS * apart + aside, GAP + layer * (side + GAP),
                                   at / ACROSS * apart + aside};
    }
}

static void pile_destroy(pile* p) {
    bench_heaps_destroy(&p->eyes);
    sup_mesh_free(&p->outside);
    sup_tets_free(&p->tets);
    free(p->masses);
    free(p->read);
}

static bool pile_create(pile* p) {
    memset(p, 0, sizeof *p);
    if (!bench_cube_create(CELLS, &p->tets)) return false;
    size_t points = (size_t)p->tets.point_count;
    p->masses = calloc(points, sizeof *p->masses);
    p->read = calloc(BODIES * points, sizeof *p->read);
    bool done = p->masses && p->read;
    for (size_t i = 0; i < points; i++) {
        sup_vec3* x = &p->tets.points[i]; /* about its middle */
        *x = (sup_vec3){(float)(CELL * ((double)x->x - CELLS / 2)), (float)(CELL * (double)x->y),
                        (float)(CELL * ((double)x->z - CELLS / 2))};
    }
    done = done && sup_tets_outside(NULL, &p->tets, &p->outside, NULL) == SUP_OK &&
           bench_heaps_create(&(bench_heap_plan){1, ACROSS, ACROSS, LAYERS, CELLS}, 1, &p->eyes);
    if (!done) return false;
    sup_tets_masses(&p->tets, DENSITY, 1, p->masses);
    place_bodies(p);
    p->plan = (bench_pile){.body_count = BODIES,
                           .point_count = p->tets.point_count,
                           .tet_count = p->tets.tet_count,
                           .triangle_count = p->tets.triangle_count,
                           .points = p->tets.points,
                           .masses = p->masses,
                           .tets = p->tets.tets,
                           .triangles = p->tets.triangles,
                           .cell = CELL,
                           .turns = p->turns,
                           .places = p->places};
    return true;
}

/* m, how deep a point is at most in another body; the eyes see cells of 1 m. */
static double deepest(pile* p, bench_subject* subject) {
    bench_heaps* eyes = &p->eyes;
    if (!subject->read(subject->state, p->read)) return INFINITY;
    size_t count = BODIES * (size_t)p->tets.point_count;
    for (size_t i = 0; i < count; i++) {
        const sup_point* x = &p->read[i];
        eyes->x[i] = (sup_row){(float)(x->x / CELL), (float)(x->y / CELL), (float)(x->z / CELL), 1};
    }
    supi_tet_contacts_free(&eyes->contacts, sup_allocator_default());
    if (!bench_heaps_find(eyes)) return INFINITY;
    float most = 0;
    for (int32_t i = 0; i < eyes->contacts.contact_count; i++) {
        float depth = eyes->contacts.contacts[i].depth;
        most = depth > most ? depth : most;
    }
    return CELL * (double)most;
}

/* ---- Supple ---- */

typedef struct pile_plan {
    int32_t substeps, threads;
} pile_plan;

typedef struct mover {
    sup_world* world;
    sup_body bodies[BODIES];
    int32_t point_count;
} mover;

static bool move(void* state) {
    return sup_world_step(((mover*)state)->world, BENCH_PILE_H) == SUP_OK;
}

static bool read_mover(void* state, sup_point* places) {
    const mover* m = state;
    bool good = true;
    for (int32_t b = 0; b < BODIES; b++, places += m->point_count) {
        good = good && sup_body_read_particles(m->world, m->bodies[b], places, NULL) == SUP_OK;
    }
    return good;
}

static void destroy_mover(void* state) {
    sup_world_destroy(((mover*)state)->world);
    free(state);
}

/* Each cube is one cluster. */
static sup_result create_print(const pile* p, sup_blueprint** out, sup_error* error) {
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = p->tets.point_count;
    def.points = p->tets.points;
    def.masses = p->masses;
    def.tets = p->tets.tets;
    def.tet_count = p->tets.tet_count;
    def.layout = SUP_CLUSTERS_WHOLE;
    def.surface = &p->outside;
    def.skin = SUP_SKIN_TETS;
    return sup_blueprint_create(&def, out, error);
}

/* Nobody falls asleep; contact is as by default but for the substeps. */
static sup_result fill_world(const pile* p, const pile_plan* plan, sup_blueprint* print, mover* m,
                             sup_error* error) {
    sup_world_def def = sup_world_default();
    def.threads = plan->threads;
    def.substeps = plan->substeps;
    def.sleep_speed = 0;
    sup_result result = sup_world_create(&def, &m->world, error);
    if (result != SUP_OK) return result;
    sup_collider_def floor = sup_collider_default();
    floor.kind = SUP_COLLIDER_PLANE;
    result = sup_collider_create(m->world, &floor, NULL, error);
    for (int32_t b = 0; b < BODIES && result == SUP_OK; b++) {
        sup_body_def body = sup_body_default();
        body.blueprint = print;
        body.material.stiffness = 300;
        body.position[0] = p->places[b].x;
        body.position[1] = p->places[b].y;
        body.position[2] = p->places[b].z;
        body.rotation[1] = sin(0.5 * p->turns[b]);
        body.rotation[3] = cos(0.5 * p->turns[b]);
        result = sup_body_create(m->world, &body, &m->bodies[b], error);
    }
    return result;
}

static bool create_mover(const pile* p, const pile_plan* plan, bench_subject* out) {
    sup_error error = {.text = "no memory"};
    sup_blueprint* print = NULL;
    mover* m = calloc(1, sizeof *m);
    if (!m) return false;
    m->point_count = p->tets.point_count;
    sup_result result = create_print(p, &print, &error);
    if (result == SUP_OK) result = fill_world(p, plan, print, m, &error);
    sup_blueprint_release(print);
    *out = (bench_subject){m, move, 1, read_mover, destroy_mover};
    if (result == SUP_OK) return true;
    fprintf(stderr, "supple_bench: %s\n", error.text);
    destroy_mover(m);
    return false;
}

/* ---- Rows ---- */

/* Mean seconds of steps after the pile has come together, and the depths meanwhile. */
typedef struct course {
    double seconds, deepest;
} course;

static bool run_course(pile* p, bench_subject* subject, course* out) {
    *out = (course){0, 0};
    for (int32_t i = 0; i < SETTLE; i++) {
        if (!subject->step(subject->state)) return false;
    }
    for (int32_t i = 0; i < LOOKS; i++) {
        double seconds = bench_time_mean(subject, TIMED / LOOKS);
        if (seconds < 0) return false;
        out->seconds += seconds / LOOKS;
        out->deepest = fmax(out->deepest, deepest(p, subject));
    }
    return true;
}

static bool failed(const bench_row* row) {
    fprintf(stderr, "supple_bench: %s could not be measured\n", row->name);
    return false;
}

static bool measure_beside(const bench_row* row, bench_figures* out) {
    pile p;
    bench_subject subjects[2] = {0};
    course courses[2];
    bool done = pile_create(&p) && create_mover(&p, row->detail, &subjects[0]) &&
                bench_bullet_pile_create(&p.plan, &subjects[1]);
    for (int k = 0; k < 2; k++) done = done && run_course(&p, &subjects[k], &courses[k]);
    if (done) {
        out->value = 1e3 * courses[0].seconds;
        out->reference = 1e3 * courses[1].seconds;
        snprintf(out->note, sizeof out->note, "deepest %.0f mm; Bullet %.0f mm, %d contacts",
                 1e3 * courses[0].deepest, 1e3 * courses[1].deepest,
                 (int)bench_bullet_pile_contacts(&subjects[1]));
    }
    for (int k = 0; k < 2; k++) {
        if (subjects[k].destroy) subjects[k].destroy(subjects[k].state);
    }
    pile_destroy(&p);
    return done || failed(row);
}

/* Two threads beside one, by the clock on the wall; both must come to the same bits. */
static bool measure_workers(const bench_row* row, bench_figures* out) {
    const pile_plan plans[2] = {{1, 2}, {1, 1}};
    pile p;
    bench_subject subjects[2] = {0};
    double seconds[2];
    uint64_t hashes[2] = {0, 1};
    bool done = pile_create(&p);
    for (int k = 0; k < 2; k++) {
        done = done && create_mover(&p, &plans[k], &subjects[k]);
        for (int32_t i = 0; i < SETTLE && done; i++) done = move(subjects[k].state);
        if (done) hashes[k] = sup_world_hash(((mover*)subjects[k].state)->world);
    }
    if (hashes[0] != hashes[1]) fprintf(stderr, "supple_bench: two workers give other bits\n");
    done = done && hashes[0] == hashes[1] && bench_time(subjects, 2, row->repeats, seconds);
    if (done) {
        out->value = 1e3 * seconds[0];
        out->reference = 1e3 * seconds[1];
        snprintf(out->note, sizeof out->note, "the same bits");
    }
    for (int k = 0; k < 2; k++) {
        if (subjects[k].destroy) subjects[k].destroy(subjects[k].state);
    }
    pile_destroy(&p);
    return done || failed(row);
}

static const bench_row rows[] = {
    {.name = "pile.100",
     .about = "a pile of 100 cubes, 108,000 tetrahedra, one substep, beside Bullet's soft bodies",
     .unit = "ms/step",
     .reference = "Bullet",
     .floor = 2,
     .goal = 4,
     .threads = 1,
     .measure = measure_beside,
     .detail = &(const pile_plan){1, 1}},
    {.name = "pile.100.default",
     .about = "the same with four substeps, as by default",
     .unit = "ms/step",
     .reference = "Bullet",
     .threads = 1,
     .measure = measure_beside,
     .detail = &(const pile_plan){4, 1}},
    {.name = "pile.100.workers",
     .about = "the pile with two workers",
     .unit = "ms/step",
     .reference = "one worker",
     .floor = 1.6,
     .goal = 1.9,
     .threads = 2,
     .measure = measure_workers,
     .repeats = 20},
};

const bench_row* bench_rows_pile(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
