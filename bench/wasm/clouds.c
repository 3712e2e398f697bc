/* The clouds of the bench, for JavaScript (bench.mjs). */
#include "cloud.h"

#include <stdlib.h>

/* Declares and begins a function that JavaScript sees. */
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type name(__VA_ARGS__);                                    \
    type name(__VA_ARGS__)

typedef struct subject {
    bench_cloud cloud;
    bench_subject moved;
    sup_point* places; /* of all points */
} subject;

EXPORT(void, cloud_destroy, subject* self) {
    if (self->moved.destroy) self->moved.destroy(self->moved.state);
    bench_cloud_destroy(&self->cloud);
    free(self->places);
    free(self);
}

/* Bodies that are rigid clusters, scheme S. NULL: no memory. */
EXPORT(subject*, cloud_create, int32_t body_count, int32_t point_count) {
    static const bench_way way = {SUP_SCHEME_S, SUP_MATCH_RIGID, 1, SUP_SIMD_AUTO};
    bench_plan plan = bench_plan_cubes(body_count, point_count, 1);
    subject* self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->places = calloc((size_t)body_count * (size_t)point_count, sizeof *self->places);
    if (self->places && bench_cloud_create(&plan, &self->cloud) &&
        bench_supple_create(&self->cloud, &way, &self->moved)) {
        return self;
    }
    cloud_destroy(self);
    return NULL;
}

/* Takes BENCH_SUBSTEPS steps; their number, or 0 when one failed. */
EXPORT(int32_t, cloud_step, subject* self) {
    return self->moved.step(self->moved.state) ? self->moved.steps : 0;
}

/* The cloud itself, so that others can move the same; see bench_cloud. */
EXPORT(const sup_vec3*, cloud_rest, const subject* self) { return self->cloud.shapes[0].rest; }
EXPORT(const sup_vec3*, cloud_velocities, const subject* self) { return self->cloud.velocities; }
EXPORT(const double*, cloud_origins, const subject* self) { return self->cloud.origins; }

/* Where the points are now (x, y, z of all bodies), or NULL. */
EXPORT(const sup_point*, cloud_places, subject* self) {
    return self->moved.read(self->moved.state, self->places) ? self->places : NULL;
}
