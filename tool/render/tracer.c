/* See tracer.h. */
#include "render/tracer.h"

#include "base/error.h"
#include "base/memory.h"

#if SUPPLE_HAVE_EMBREE

#include <embree3/rtcore.h>
#include <string.h>

/* Geometries by their number in the Embree scene; the masks of rays choose among them. */
enum { BLOCKING, SEEN, SPHERES, CONES };
enum { MASK_BLOCKING = 1, MASK_SEEN = 2 };

struct ray_tracer {
    RTCDevice device;
    RTCScene scene;         /* NULL: nothing built yet */
    int32_t blocking_count; /* triangles before those that are only seen */
    int32_t* cone_starts;   /* first vertex of each cone (cone_capacity) */
    int32_t cone_capacity;
};

const char* tracer_missing(void) { return NULL; }

/* One thread builds: the order of its work, and so every bit of the picture, is always the same. */
sup_result tracer_create(ray_tracer** out, sup_error* error) {
    ray_tracer* made = supi_memory_new(sup_allocator_default(), 1, sizeof *made);
    if (!made) return supi_error_memory(error);
    made->device = rtcNewDevice("threads=1");
    if (!made->device) {
        tracer_free(made);
        return supi_error_set(error, SUP_IO, "Embree does not start on this machine");
    }
    *out = made;
    return SUP_OK;
}

static void attach(ray_tracer* tracer, RTCGeometry geometry, unsigned id, unsigned mask) {
    rtcSetGeometryMask(geometry, mask);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_MEDIUM);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(tracer->scene, geometry, id);
    rtcReleaseGeometry(geometry);
}

static void attach_triangles(ray_tracer* tracer, const tracer_shapes* shapes, int32_t first,
                             int32_t count, unsigned id, unsigned mask) {
    if (count == 0) return;
    RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               shapes->vertices, 0, sizeof *shapes->vertices,
                               (size_t)shapes->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               shapes->triangles + first, 0, sizeof *shapes->triangles,
                               (size_t)count);
    attach(tracer, geometry, id, mask);
}

static void attach_spheres(ray_tracer* tracer, const tracer_shapes* shapes) {
    if (shapes->sphere_count == 0) return;
    RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                               shapes->spheres, 0, sizeof *shapes->spheres,
                               (size_t)shapes->sphere_count);
    attach(tracer, geometry, SPHERES, MASK_BLOCKING);
}

static bool attach_cones(ray_tracer* tracer, const tracer_shapes* shapes) {
    if (shapes->cone_count == 0) return true;
    if (!supi_memory_grow(sup_allocator_default(), (void**)&tracer->cone_starts,
                          &tracer->cone_capacity, shapes->cone_count,
                          sizeof *tracer->cone_starts)) {
        return false;
    }
    for (int32_t i = 0; i < shapes->cone_count; i++) tracer->cone_starts[i] = 2 * i;
    RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_CONE_LINEAR_CURVE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                               shapes->cones, 0, sizeof(sup_row), 2 * (size_t)shapes->cone_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                               tracer->cone_starts, 0, sizeof *tracer->cone_starts,
                               (size_t)shapes->cone_count);
    attach(tracer, geometry, CONES, MASK_BLOCKING);
    return true;
}

sup_result tracer_build(ray_tracer* tracer, const tracer_shapes* shapes, sup_error* error) {
    if (tracer->scene) rtcReleaseScene(tracer->scene);
    tracer->scene = rtcNewScene(tracer->device);
    if (!tracer->scene) return supi_error_memory(error);
    /* Robust: no ray slips through between two triangles. */
    rtcSetSceneFlags(tracer->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(tracer->scene, RTC_BUILD_QUALITY_MEDIUM);
    int32_t blocking = tracer->blocking_count = shapes->blocking_count;
    attach_triangles(tracer, shapes, 0, blocking, BLOCKING, MASK_BLOCKING);
    attach_triangles(tracer, shapes, blocking, shapes->triangle_count - blocking, SEEN, MASK_SEEN);
    attach_spheres(tracer, shapes);
    if (!attach_cones(tracer, shapes)) return supi_error_memory(error);
    rtcCommitScene(tracer->scene);
    if (rtcGetDeviceError(tracer->device) == RTC_ERROR_NONE) return SUP_OK;
    return supi_error_set(error, SUP_NO_MEMORY, "Embree cannot hold this scene");
}

static void fill_rays(struct RTCRay8* out, const ray_batch* rays, unsigned mask) {
    memcpy(out->org_x, rays->origin[0], sizeof out->org_x);
    memcpy(out->org_y, rays->origin[1], sizeof out->org_y);
    memcpy(out->org_z, rays->origin[2], sizeof out->org_z);
    memcpy(out->dir_x, rays->direction[0], sizeof out->dir_x);
    memcpy(out->dir_y, rays->direction[1], sizeof out->dir_y);
    memcpy(out->dir_z, rays->direction[2], sizeof out->dir_z);
    memcpy(out->tnear, rays->nearest, sizeof out->tnear);
    memcpy(out->tfar, rays->farthest, sizeof out->tfar);
    for (int i = 0; i < RAY_LANES; i++) {
        out->time[i] = 0.0f;
        out->mask[i] = mask;
        out->id[i] = 0;
        out->flags[i] = 0;
    }
}

void tracer_find(const ray_tracer* tracer, const ray_batch* rays, ray_hits* hits) {
    struct RTCRayHit8 query;
    fill_rays(&query.ray, rays, MASK_BLOCKING | MASK_SEEN);
    for (int i = 0; i < RAY_LANES; i++) query.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    /* The rays of a batch lie close together. */
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect8(rays->valid, tracer->scene, &context, &query);
    memcpy(hits->distance, query.ray.tfar, sizeof hits->distance);
    memcpy(hits->u, query.hit.u, sizeof hits->u);
    memcpy(hits->v, query.hit.v, sizeof hits->v);
    memcpy(hits->normal[0], query.hit.Ng_x, sizeof hits->normal[0]);
    memcpy(hits->normal[1], query.hit.Ng_y, sizeof hits->normal[1]);
    memcpy(hits->normal[2], query.hit.Ng_z, sizeof hits->normal[2]);
    static const ray_target targets[] = {RAY_TRIANGLE, RAY_TRIANGLE, RAY_SPHERE, RAY_CONE};
    for (int i = 0; i < RAY_LANES; i++) {
        unsigned id = query.hit.geomID[i];
        bool hit = rays->valid[i] && id != RTC_INVALID_GEOMETRY_ID;
        hits->target[i] = hit ? targets[id] : RAY_NOTHING;
        hits->index[i] =
            hit ? (int32_t)query.hit.primID[i] + (id == SEEN ? tracer->blocking_count : 0) : 0;
    }
}

void tracer_block(const ray_tracer* tracer, const ray_batch* rays, bool blocked[RAY_LANES]) {
    struct RTCRay8 query;
    fill_rays(&query, rays, MASK_BLOCKING);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded8(rays->valid, tracer->scene, &context, &query);
    /* A blocked ray comes back with a length of minus infinity. */
    for (int i = 0; i < RAY_LANES; i++) blocked[i] = rays->valid[i] && query.tfar[i] < 0.0f;
}

void tracer_free(ray_tracer* tracer) {
    if (!tracer) return;
    if (tracer->scene) rtcReleaseScene(tracer->scene);
    if (tracer->device) rtcReleaseDevice(tracer->device);
    const sup_allocator* memory = sup_allocator_default();
    supi_memory_free(memory, tracer->cone_starts, (size_t)tracer->cone_capacity,
                     sizeof *tracer->cone_starts);
    supi_memory_free(memory, tracer, 1, sizeof *tracer);
}

#else

const char* tracer_missing(void) { return "libembree-dev"; }

sup_result tracer_create(ray_tracer** out, sup_error* error) {
    *out = NULL;
    return supi_error_set(error, SUP_UNSUPPORTED,
                          "this build cannot draw: libembree-dev was missing");
}

/* Without a tracer nobody comes here. */
sup_result tracer_build(ray_tracer* tracer, const tracer_shapes* shapes, sup_error* error) {
    (void)shapes;
    return tracer_create(&tracer, error);
}

void tracer_find(const ray_tracer* tracer, const ray_batch* rays, ray_hits* hits) {
    (void)tracer, (void)rays;
    *hits = (ray_hits){0};
}

void tracer_block(const ray_tracer* tracer, const ray_batch* rays, bool blocked[RAY_LANES]) {
    (void)tracer, (void)rays;
    for (int i = 0; i < RAY_LANES; i++) blocked[i] = false;
}

void tracer_free(ray_tracer* tracer) { (void)tracer; }

#endif
