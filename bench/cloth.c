/* Makes cloth for the bench, moves it, and looks how far it is stretched. */
#include "cloth.h"

#include "blueprint/blueprint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bench_cloth_plan bench_cloth_default(int32_t side) {
    return (bench_cloth_plan){side, 1, 1, 1000.0, sup_spring_settings_default()};
}

/* ---- Supple ---- */

static sup_result create_print(const bench_cloth_plan* plan, bench_cloth* out, sup_error* error) {
    const int32_t side = plan->side, corners[2] = {0, side - 1};
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = side;
    grid.sides[0] = grid.sides[1] = 2.0;
    grid.stretch = plan->stretch;
    grid.shear = 0.5 * plan->stretch;
    grid.bend = 50.0;
    grid.density = 0.3;
    sup_result result = sup_weave_grid(NULL, &grid, &out->web, error);
    if (result != SUP_OK) return result;
    sup_blueprint_def def = sup_web_blueprint(&out->web);
    def.pin_count = 2;
    def.pins = corners;
    def.radius = -1.0; /* it does not meet itself */
    return sup_blueprint_create(&def, &out->print, error);
}

static sup_result create_world(const bench_cloth_plan* plan, bench_cloth* out, sup_error* error) {
    sup_world_def def = sup_world_default();
    def.gravity[0] = def.gravity[2] = 0.0;
    def.gravity[1] = -BENCH_GRAVITY;
    def.substeps = plan->substeps;
    def.threads = plan->threads;
    sup_result result = sup_world_create(&def, &out->world, error);
    if (result != SUP_OK) return result;
    sup_body_def body = sup_body_default();
    body.blueprint = out->print;
    body.springs = plan->springs;
    body.stays_awake = true;
    return sup_body_create(out->world, &body, &out->body, error);
}

bool bench_cloth_create(const bench_cloth_plan* plan, bench_cloth* out) {
    sup_error error = {.text = "no memory"};
    *out = (bench_cloth){0};
    sup_result result = create_print(plan, out, &error);
    if (result == SUP_OK) result = create_world(plan, out, &error);
    if (result == SUP_OK) return true;
    fprintf(stderr, "supple_bench: %s\n", error.text);
    bench_cloth_destroy(out);
    return false;
}

void bench_cloth_destroy(bench_cloth* cloth) {
    sup_world_destroy(cloth->world);
    sup_blueprint_release(cloth->print);
    sup_web_free(&cloth->web);
}

bool bench_cloth_step(bench_cloth* cloth, int32_t count) {
    bool good = true;
    for (int32_t i = 0; i < count && good; i++) {
        good = sup_world_step(cloth->world, BENCH_CLOTH_H) == SUP_OK;
    }
    return good;
}

/* ---- Stretch ---- */

bench_stretch bench_stretch_of(const sup_web* web, const sup_point* places) {
    bench_stretch stretch = {0.0, 0.0};
    double count = 0.0;
    for (int32_t i = 0; i < web->spring_count; i++) {
        const sup_spring* s = web->springs + i;
        const sup_vec3 *p = web->points + s->a, *q = web->points + s->b;
        double rest = hypot(hypot((double)q->x - p->x, (double)q->y - p->y), (double)q->z - p->z);
        const sup_point *a = places + s->a, *b = places + s->b;
        double length = hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z);
        double strain = length / rest - 1.0;
        if (!(strain <= stretch.most)) stretch.most = strain;
        if (s->kind != SUP_SPRING_STRUCT) continue;
        stretch.mean += fabs(strain);
        count += 1.0;
    }
    stretch.mean /= count;
    return stretch;
}

bool bench_cloth_stretch(const bench_cloth* cloth, bench_stretch* out) {
    sup_point* places = malloc((size_t)cloth->web.point_count * sizeof *places);
    bool read =
        places && sup_body_read_particles(cloth->world, cloth->body, places, NULL) == SUP_OK;
    if (read) *out = bench_stretch_of(&cloth->web, places);
    free(places);
    return read;
}

/* ---- Plain lists ---- */

static void fill_net(const bench_cloth* cloth, const sup_point* places, const sup_vec3* speeds,
                     bench_net* out) {
    const sup_blueprint* print = cloth->print;
    for (int32_t i = 0; i < out->spring_count; i++) {
        sup_spring* s = out->springs + i;
        *s = print->springs[i];
        s->a = print->id_of[s->a];
        s->b = print->id_of[s->b];
    }
    for (int32_t i = 0; i < out->point_count; i++) {
        const sup_point* p = places + i;
        out->x[i] =
            (sup_row){(float)p->x, (float)p->y, (float)p->z, print->inverse_mass[print->row_of[i]]};
        out->v[i] = (sup_row){speeds[i].x, speeds[i].y, speeds[i].z, 0.0f};
    }
}

bool bench_net_create(const bench_cloth* cloth, bench_net* out) {
    size_t points = (size_t)cloth->web.point_count, springs = (size_t)cloth->web.spring_count;
    sup_point* places = malloc(points * sizeof *places);
    sup_vec3* speeds = malloc(points * sizeof *speeds);
    *out = (bench_net){.point_count = cloth->web.point_count,
                       .spring_count = cloth->web.spring_count,
                       .springs = malloc(springs * sizeof *out->springs),
                       .x = malloc(points * sizeof *out->x),
                       .v = malloc(points * sizeof *out->v)};
    bool good = places && speeds && out->springs && out->x && out->v &&
                sup_body_read_particles(cloth->world, cloth->body, places, speeds) == SUP_OK;
    if (good) {
        fill_net(cloth, places, speeds, out);
    } else {
        bench_net_destroy(out);
    }
    free(places);
    free(speeds);
    return good;
}

void bench_net_destroy(bench_net* net) {
    free(net->springs);
    free(net->x);
    free(net->v);
}
