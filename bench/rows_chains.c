/* Rows about chains of oriented particles: what a rope of few particles saves, and how dear the
   joints of rigid parts are. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double dt = 1.0 / 60.0;

/* Copies of a blueprint side by side, which is taken over; NULL: failed, said so. */
static sup_world* make_world(sup_blueprint* print, int32_t bodies, int32_t substeps,
                             const sup_frame_settings* frames, sup_body* first) {
    sup_world_def def = sup_world_default();
    sup_world* world = NULL;
    sup_error error = {0};
    def.substeps = substeps;
    def.sleep_speed = 0.0;
    sup_result result = print ? sup_world_create(&def, &world, &error) : SUP_BAD_ARGUMENT;
    for (int32_t i = 0; i < bodies && result == SUP_OK; i++) {
        sup_body_def body = sup_body_default();
        body.blueprint = print;
        body.frames = *frames;
        body.position[2] = (double)i;
        result = sup_body_create(world, &body, i == 0 ? first : NULL, &error);
    }
    if (print) sup_blueprint_release(print);
    if (result == SUP_OK) return world;
    fprintf(stderr, "supple_bench: %s: %s\n", sup_result_name(result), error.text);
    if (world) sup_world_destroy(world);
    return NULL;
}

static sup_blueprint* create(const sup_blueprint_def* def) {
    sup_blueprint* print = NULL;
    sup_error error = {0};
    sup_result result = sup_blueprint_create(def, &print, &error);
    if (result != SUP_OK) fprintf(stderr, "supple_bench: %s\n", error.text);
    return print;
}

/* Mean seconds of one step; < 0: one failed. */
static double time_steps(sup_world* world, int32_t steps) {
    double start = now();
    for (int32_t n = 0; n < steps; n++) {
        if (sup_world_step(world, dt) != SUP_OK) return -1.0;
    }
    return (now() - start) / steps;
}

/* ---- A rope that is held at one end, as so many spans ---- */

enum { FEW_SPANS = 15, MANY_SPANS = 90, ROPES = 20, ROPE_STEPS = 300, ROPE_SUBSTEPS = 64 };

/* Round, of one material, however many spans: w0 by Young's modulus, and particles resist turning
   so that bending is that of the whole. */
static const double rope_length = 1.0, rope_radius = 0.1, rope_mass = 30.0; /* m, m, kg */
static const double rope_speed = 34.0; /* m/s of sound: root of Young's modulus over density */

static sup_blueprint* make_rope(int32_t spans) {
    sup_vec3 points[MANY_SPANS + 1];
    float masses[MANY_SPANS + 1], radii[MANY_SPANS + 1];
    sup_link links[MANY_SPANS];
    const int32_t pin = 0;
    double span = rope_length / spans;
    double turning = sqrt((rope_radius * rope_radius / 4.0 - span * span / 12.0) / 0.4);
    for (int32_t i = 0; i <= spans; i++) {
        points[i] = (sup_vec3){(float)(span * i), 0.0f, 0.0f};
        masses[i] = (float)((i == spans ? 0.5 : 1.0) * rope_mass / spans);
        radii[i] = (float)turning;
        if (i < spans) {
            /* so soft that the groups alone resist */
            links[i] = (sup_link){i, i + 1, -1.0f, 1e3f, 0.0f, -1.0f};
        }
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = spans + 1;
    def.masses = masses;
    def.moment_radii = radii;
    def.radius = rope_radius;
    def.layout = SUP_CLUSTERS_NONE;
    def.links = links;
    def.link_count = spans;
    def.pins = &pin;
    def.pin_count = 1;
    return create(&def);
}

/* How far the end hangs below the beginning, m; < 0: failed. */
static double time_ropes(int32_t spans, double* seconds) {
    sup_frame_settings frames = sup_frame_settings_default();
    sup_point places[MANY_SPANS + 1];
    sup_body first;
    frames.stiffness = sqrt(1.5) * rope_speed * spans / rope_length;
    frames.damping = frames.turn_damping = 3.0;
    frames.meets_itself = false;
    sup_world* world = make_world(make_rope(spans), ROPES, ROPE_SUBSTEPS, &frames, &first);
    if (!world) return -1.0;
    double taken = time_steps(world, ROPE_STEPS), sag = -1.0;
    if (taken > 0.0 && sup_body_read_particles(world, first, places, NULL) == SUP_OK) {
        sag = places[0].y - places[spans].y;
        *seconds = fmin(*seconds, taken);
    }
    sup_world_destroy(world);
    return sag;
}

static bool measure_ropes(const bench_row* row, bench_figures* out) {
    double few = INFINITY, many = INFINITY, sag = 0.0, wanted = 1.0;
    for (int32_t n = 0; n < row->repeats && sag >= 0.0 && wanted > 0.0; n++) {
        sag = time_ropes(FEW_SPANS, &few);
        wanted = time_ropes(MANY_SPANS, &many);
    }
    if (!(fabs(sag - wanted) < 0.15 * wanted)) {
        fprintf(stderr, "supple_bench: %s: ends hang %.3f and %.3f m low\n", row->name, sag,
                wanted);
        return false;
    }
    out->value = 1e3 * few;
    out->reference = 1e3 * many;
    snprintf(out->note, sizeof out->note, "%d ropes of %d spans beside %d; ends %.3f, %.3f m low",
             ROPES, FEW_SPANS, MANY_SPANS, sag, wanted);
    return true;
}

/* ---- A chain of rigid parts ---- */

enum { CHAIN_PARTS = 600, CHAIN_STEPS = 60, CHAIN_SUBSTEPS = 8 };

static const double part_length = 0.1, chain_budget = 2.0; /* m, ms */

/* Each part is four particles: the two joints that it shares, and two beside the middle. */
static sup_blueprint* make_chain(void) {
    enum { COUNT = 3 * CHAIN_PARTS + 1 };
    static sup_vec3 points[COUNT];
    static float masses[COUNT];
    static int32_t starts[CHAIN_PARTS + 1], members[4 * CHAIN_PARTS];
    const int32_t pin = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        double along = part_length * (double)(i / 3), beside = i % 3 == 1 ? 0.02 : -0.02;
        bool joint = i % 3 == 0;
        points[i] = (sup_vec3){(float)(along + (joint ? 0.0 : 0.5 * part_length)), 0.0f,
                               joint ? 0.0f : (float)beside};
        masses[i] = joint ? 0.1f : 0.2f;
    }
    for (int32_t i = 0; i < CHAIN_PARTS; i++) {
        starts[i + 1] = 4 * (i + 1);
        for (int32_t k = 0; k < 4; k++) members[4 * i + k] = 3 * i + k;
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = COUNT;
    def.masses = masses;
    def.radius = 0.02;
    def.layout = SUP_CLUSTERS_NONE;
    def.part_count = CHAIN_PARTS;
    def.part_starts = starts;
    def.part_members = members;
    def.pins = &pin;
    def.pin_count = 1;
    return create(&def);
}

static bool measure_chain(const bench_row* row, bench_figures* out) {
    double best = INFINITY;
    for (int32_t n = 0; n < row->repeats; n++) {
        sup_frame_settings frames = sup_frame_settings_default();
        frames.meets_itself = false;
        sup_world* world = make_world(make_chain(), 1, CHAIN_SUBSTEPS, &frames, NULL);
        double taken = world ? time_steps(world, CHAIN_STEPS) : -1.0;
        if (world) sup_world_destroy(world);
        if (!(taken > 0.0)) return false;
        best = fmin(best, taken);
    }
    out->value = 1e3 * best;
    out->reference = chain_budget;
    snprintf(out->note, sizeof out->note, "%d parts, %d substeps, without contacts", CHAIN_PARTS,
             CHAIN_SUBSTEPS);
    return true;
}

static const bench_row rows[] = {
    {"frame.rope", "ropes of one particle where others have six, beside those", "ms/step", "dense",
     5.0, 6.0, 1, SUP_SIMD_AUTO, measure_ropes, NULL, 3},
    {"frame.chain600", "600 rigid parts on 600 joints swing from one end, 1 s", "ms/step", "budget",
     1.0, 0.0, 1, SUP_SIMD_AUTO, measure_chain, NULL, 5},
};

const bench_row* bench_rows_chains(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
