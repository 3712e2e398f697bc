/* Rows about authoring: how long it takes to make a body of oriented particles for a large mesh. */
#include "bench.h"
#include "supple/fit.h"
#include "supple/mesh.h"

#include <stdio.h>

/* 100,000 triangles, as quadrilaterals. */
enum { AROUND = 250, TUBE = 200 };

static const double budget = 5000.0; /* ms */

static sup_result fit(sup_spray_where where, sup_rig* rig, sup_rig_report* report,
                      sup_error* error) {
    sup_spray_def particles = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    sup_fit_def shapes = sup_fit_default();
    sup_weigh_def weights = sup_weigh_default();
    particles.where = where;
    sup_result result = sup_rig_spray(rig, &particles, NULL, error);
    if (result == SUP_OK) result = sup_rig_spray_links(rig, &links, NULL, error);
    if (result == SUP_OK) result = sup_rig_bridge(rig, 3, NULL, error);
    if (result == SUP_OK) result = sup_rig_fit(rig, &shapes, error);
    if (result == SUP_OK) result = sup_rig_weigh(rig, &weights, error);
    return result == SUP_OK ? sup_rig_validate(rig, report, error) : result;
}

typedef struct fitter {
    sup_mesh mesh;
    sup_spray_where where;
    int32_t particles, links, components;
} fitter;

static bool fit_once(void* state) {
    fitter* f = state;
    sup_rig* rig = NULL;
    sup_rig_report report;
    sup_error error = {0};
    sup_result result = sup_rig_create(NULL, &f->mesh, &rig, &error);
    if (result == SUP_OK) result = fit(f->where, rig, &report, &error);
    if (result == SUP_OK) {
        f->particles = sup_rig_get(rig).particle_count;
        f->links = sup_rig_get(rig).link_count;
        f->components = report.component_count;
    } else {
        fprintf(stderr, "supple_bench: %s\n", error.text);
    }
    sup_rig_free(rig);
    return result == SUP_OK;
}

static bool measure(const bench_row* row, bench_figures* out) {
    fitter f = {.where = *(const sup_spray_where*)row->detail};
    sup_error error = {0};
    double seconds = 0.0;
    if (sup_mesh_torus(NULL, 1.0, 0.3, AROUND, TUBE, &f.mesh, &error) != SUP_OK) return false;
    bench_subject subject = {&f, fit_once, 1, NULL, NULL};
    bool timed = bench_time_work(&subject, 1, row->repeats, &seconds) && f.components == 1;
    sup_mesh_free(&f.mesh);
    if (!timed) return false;
    out->value = 1e3 * seconds;
    out->reference = budget;
    snprintf(out->note, sizeof out->note, "%d particles, %d links, in one piece", (int)f.particles,
             (int)f.links);
    return true;
}

#define ROW(name, where)                                                                           \
    {                                                                                              \
        "fit." name ".100k", "particles " name " a mesh of 100,000 triangles, validated", "ms",    \
            "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure, &(const sup_spray_where){where}, 3      \
    }

static const bench_row rows[] = {
    ROW("inside", SUP_SPRAY_INSIDE),
    ROW("on", SUP_SPRAY_SURFACE),
};

const bench_row* bench_rows_fit(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
