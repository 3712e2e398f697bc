/* Rays against shapes, eight rays at a time: all that drawing needs of Embree. */
#ifndef SUPPLE_TOOL_RENDER_TRACER_H
#define SUPPLE_TOOL_RENDER_TRACER_H

#include "supple/types.h"

#define RAY_LANES 8

typedef struct ray_batch {
    _Alignas(32) int32_t valid[RAY_LANES]; /* -1: this lane holds a ray; 0: it does not */
    float origin[3][RAY_LANES], direction[3][RAY_LANES];
    float nearest[RAY_LANES], farthest[RAY_LANES]; /* along the ray, in lengths of `direction` */
} ray_batch;

static inline void ray_set(ray_batch* rays, int lane, sup_vec3 from, sup_vec3 direction,
                           float nearest, float farthest) {
    rays->valid[lane] = -1;
    rays->origin[0][lane] = from.x;
    rays->origin[1][lane] = from.y;
    rays->origin[2][lane] = from.z;
    rays->direction[0][lane] = direction.x;
    rays->direction[1][lane] = direction.y;
    rays->direction[2][lane] = direction.z;
    rays->nearest[lane] = nearest;
    rays->farthest[lane] = farthest;
}

/* Lanes without a ray hold one that is harmless. */
static inline void ray_clear(ray_batch* rays) {
    for (int lane = 0; lane < RAY_LANES; lane++) {
        ray_set(rays, lane, (sup_vec3){0, 0, 0}, (sup_vec3){0, 1, 0}, 0.0f, 0.0f);
        rays->valid[lane] = 0;
    }
}

static inline sup_vec3 ray_origin(const ray_batch* rays, int lane) {
    return (sup_vec3){rays->origin[0][lane], rays->origin[1][lane], rays->origin[2][lane]};
}

static inline sup_vec3 ray_direction(const ray_batch* rays, int lane) {
    return (sup_vec3){rays->direction[0][lane], rays->direction[1][lane], rays->direction[2][lane]};
}

typedef enum ray_target { RAY_NOTHING, RAY_TRIANGLE, RAY_SPHERE, RAY_CONE } ray_target;

typedef struct ray_hits {
    ray_target target[RAY_LANES];
    int32_t index[RAY_LANES]; /* of the triangle, sphere or cone */
    float distance[RAY_LANES];
    float u[RAY_LANES], v[RAY_LANES]; /* of triangles: shares of their second and third corner */
    float normal[3][RAY_LANES];       /* not of unit length */
} ray_hits;

/* Not of unit length. */
static inline sup_vec3 ray_normal(const ray_hits* hits, int lane) {
    return (sup_vec3){hits->normal[0][lane], hits->normal[1][lane], hits->normal[2][lane]};
}

/* Arrays belong to the caller and must stay until the next tracer_build. `vertices` and `spheres`
   need readable room for one more at their end. */
typedef struct tracer_shapes {
    int32_t triangle_count, blocking_count; /* the first ones block light, the rest is only seen */
    const int32_t (*triangles)[3];          /* vertices */
    int32_t vertex_count;
    const sup_vec3* vertices;
    int32_t sphere_count;
    const sup_row* spheres; /* centre, radius */
    int32_t cone_count;
    const sup_row (*cones)[2]; /* both ends, each with its radius */
} tracer_shapes;

typedef struct ray_tracer ray_tracer;

/* The Debian package that this build lacks, or NULL. */
const char* tracer_missing(void);

sup_result tracer_create(ray_tracer** out, sup_error* error);
/* Gets ready for rays. Depends on the shapes alone, not on earlier ones. */
sup_result tracer_build(ray_tracer* tracer, const tracer_shapes* shapes, sup_error* error);
/* The nearest thing on each ray; from any number of threads. */
void tracer_find(const ray_tracer* tracer, const ray_batch* rays, ray_hits* hits);
/* Does anything that blocks light stand on each ray? */
void tracer_block(const ray_tracer* tracer, const ray_batch* rays, bool blocked[RAY_LANES]);
void tracer_free(ray_tracer* tracer);

#endif
