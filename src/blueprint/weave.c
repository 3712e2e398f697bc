/* What all weaves share: threads become springs, points without mass go, the surface comes first.
 */
#include "blueprint/weave.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/sort.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FAR 1e6          /* m: largest coordinate */
#define LEAST_MASS 1e-30 /* kg, of a particle, as blueprints have it */
#define LARGEST_MASS 1e9 /* kg */
#define KINDS 2          /* bits of a kind in a key */
#define LARGEST_ID 0x7fffffff

/* ---- In the making ---- */

void supi_weave_begin(supi_weave* weave, const sup_allocator* allocator, int32_t point_count,
                      const sup_vec3* points) {
    *weave = (supi_weave){
        .allocator = supi_mesh_allocator(allocator), .point_count = point_count, .points = points};
    supi_arena_init(&weave->scratch, weave->allocator);
    weave->masses = supi_weave_new(weave, (size_t)point_count, sizeof(double));
}

void supi_weave_begin_joined(supi_weave* weave, const sup_allocator* allocator,
                             const supi_weave_cloth* cloth, size_t corner_count,
                             const int32_t** elements) {
    supi_weave_begin(weave, allocator, cloth->mesh.point_count, cloth->mesh.points);
    weave->given_count = cloth->map.original_count;
    weave->from_given = cloth->map.to_welded;
    int32_t* joined = supi_weave_new(weave, corner_count, sizeof *joined);
    if (weave->short_of_memory) return;
    for (size_t i = 0; i < corner_count; i++) joined[i] = cloth->map.to_welded[(*elements)[i]];
    *elements = joined;
}

void* supi_weave_new(supi_weave* weave, size_t count, size_t size) {
    void* block = supi_arena_push(&weave->scratch, count, size);
    if (!block) weave->short_of_memory = true;
    return block;
}

void supi_weave_add(supi_weave* weave, int32_t a, int32_t b, sup_spring_kind kind,
                    double stiffness) {
    if (a == b || (stiffness == 0.0 && kind != SUP_SPRING_STRUCT) || weave->short_of_memory) return;
    if (weave->thread_count == weave->thread_capacity) {
        void* block = weave->threads;
        if (weave->thread_count == INT32_MAX ||
            !supi_memory_grow(weave->allocator, &block, &weave->thread_capacity,
                              weave->thread_count + 1, sizeof *weave->threads)) {
            weave->short_of_memory = true;
            return;
        }
        weave->threads = block;
    }
    weave->threads[weave->thread_count++] =
        (supi_thread){.stiffness = stiffness, .a = a, .b = b, .kind = (uint8_t)kind};
}

void supi_weave_tangle(supi_weave* weave, int32_t a, int32_t b) {
    if (weave->report.tangled++ > 0) return;
    weave->report.tangled_edge[0] = a < b ? a : b;
    weave->report.tangled_edge[1] = a < b ? b : a;
}

/* ---- The web ---- */

void sup_web_free(sup_web* web) {
    if (!web || !web->allocator) return;
    const sup_allocator* allocator = web->allocator;
    size_t points = (size_t)web->point_count;
    supi_memory_free(allocator, web->points, points, sizeof *web->points);
    supi_memory_free(allocator, web->masses, points, sizeof *web->masses);
    supi_memory_free(allocator, web->springs, (size_t)web->spring_count, sizeof *web->springs);
    supi_memory_free(allocator, web->tets, 4 * (size_t)web->tet_count, sizeof *web->tets);
    supi_memory_free(allocator, web->particles, (size_t)web->given_count, sizeof *web->particles);
    supi_memory_free(allocator, web->anchors, (size_t)web->anchor_count, sizeof *web->anchors);
    sup_mesh_free(&web->surface);
    *web = (sup_web){0};
}

/* Gives every point with mass its particle: those of the surface first. Returns how many are of
   the surface. */
static int32_t number_points(const supi_weave* weave, int32_t* rank, sup_web* web) {
    int32_t count = 0,
            corner_count = weave->polygon_count > 0 ? weave->starts[weave->polygon_count] : 0;
    for (int32_t p = 0; p < weave->point_count; p++) rank[p] = -1;
    for (int32_t c = 0; c < corner_count; c++) rank[weave->corners[c]] = 0;
    for (int32_t p = 0; p < weave->point_count; p++) {
        if (rank[p] == 0) rank[p] = count++;
    }
    int32_t surface_count = count;
    for (int32_t p = 0; p < weave->point_count; p++) {
        if (rank[p] < 0 && weave->masses[p] > 0.0) rank[p] = count++;
    }
    web->point_count = count;
    return surface_count;
}

/* Threads by (a, b, kind); keys of equal ones are equal. */
static void sort_threads(supi_weave* weave, const int32_t* rank, uint64_t* keys, int32_t* ids,
                         uint64_t* scratch_keys, int32_t* scratch_ids) {
    for (int32_t t = 0; t < weave->thread_count; t++) {
        const supi_thread* thread = &weave->threads[t];
        uint64_t a = (uint64_t)rank[thread->a], b = (uint64_t)rank[thread->b];
        keys[t] = (a < b ? a : b) << (31 + KINDS) | (a < b ? b : a) << KINDS | thread->kind;
        ids[t] = t;
    }
    supi_sort_keys(weave->thread_count, keys, ids, scratch_keys, scratch_ids);
}

/* Sums up equal threads; of two points that are joined already, none bends. Returns the number of
   springs; writes them unless `springs` is NULL. */
static int32_t join_threads(const supi_weave* weave, const uint64_t* keys, const int32_t* ids,
                            const sup_vec3* points, sup_spring* springs) {
    int32_t count = 0;
    uint64_t pair = UINT64_MAX; /* of the spring before */
    for (int32_t t = 0, next; t < weave->thread_count; t = next) {
        double sum = weave->threads[ids[t]].stiffness;
        for (next = t + 1; next < weave->thread_count && keys[next] == keys[t]; next++) {
            if (!weave->keeps_first) sum += weave->threads[ids[next]].stiffness;
        }
        uint8_t kind = (uint8_t)(keys[t] & ((1 << KINDS) - 1));
        if (kind == SUP_SPRING_BEND && keys[t] >> KINDS == pair) continue;
        pair = keys[t] >> KINDS;
        if (springs) {
            int32_t a = (int32_t)(pair >> 31), b = (int32_t)(pair & LARGEST_ID);
            springs[count] = (sup_spring){.a = a,
                                          .b = b,
                                          .length = (float)sqrt(supi_weave_square(points, a, b)),
                                          .stiffness = (float)sum,
                                          .damping = -1.0f,
                                          .kind = kind,
                                          .slack = weave->slack && kind == SUP_SPRING_STRUCT};
        }
        count++;
    }
    return count;
}

static bool make_surface(const supi_weave* weave, const int32_t* rank, int32_t surface_count,
                         sup_web* web) {
    if (weave->polygon_count == 0) return true;
    int32_t corner_count = weave->starts[weave->polygon_count];
    if (!supi_mesh_new(weave->allocator, surface_count, weave->polygon_count, corner_count,
                       &web->surface)) {
        return false;
    }
    for (int32_t p = 0; p < surface_count; p++) web->surface.points[p] = web->points[p];
    memcpy(web->surface.starts, weave->starts,
           ((size_t)weave->polygon_count + 1) * sizeof *weave->starts);
    for (int32_t c = 0; c < corner_count; c++) {
        web->surface.corners[c] = rank[weave->corners[c]];
    }
    return true;
}

/* Which particle the points are that were given; examples of the report by those numbers. */
static void list_particles(const supi_weave* weave, const int32_t* rank, sup_web* web) {
    sup_web_report* report = &web->report;
    for (int32_t g = weave->given_count - 1; g >= 0; g--) {
        int32_t point = weave->from_given ? weave->from_given[g] : g;
        web->particles[g] = rank[point];
        for (int k = 0; k < 2 && report->tangled > 0; k++) {
            if (weave->report.tangled_edge[k] == point) report->tangled_edge[k] = g;
        }
        if (rank[point] >= 0) continue;
        report->isolated++;
        report->isolated_point = g;
    }
    int32_t* edge = report->tangled_edge;
    if (edge[0] > edge[1]) {
        int32_t swap = edge[0];
        edge[0] = edge[1];
        edge[1] = swap;
    }
}

static sup_result check_values(const sup_web* web, sup_error* error) {
    if (web->point_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "nothing is left that has springs");
    }
    for (int32_t p = 0; p < web->point_count; p++) {
        double mass = (double)web->masses[p];
        if (!(mass >= LEAST_MASS && mass <= LARGEST_MASS)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the mass of particle %d does not lie between 1e-30 and 1e9 kg; "
                                  "change the density",
                                  (int)p);
        }
    }
    for (int32_t s = 0; s < web->spring_count; s++) {
        if (web->springs[s].length == 0.0f) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "particles %d and %d lie at the same place: the body is too "
                                  "small for so far from the origin",
                                  (int)web->springs[s].a, (int)web->springs[s].b);
        }
        if (web->springs[s].stiffness <= FLT_MAX) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the spring of particles %d and %d is too "
                              "stiff",
                              (int)web->springs[s].a, (int)web->springs[s].b);
    }
    return SUP_OK;
}

static bool make_points(const supi_weave* weave, const int32_t* rank, sup_web* web) {
    const sup_allocator* allocator = weave->allocator;
    size_t points = (size_t)web->point_count;
    web->points = supi_memory_new(allocator, points, sizeof *web->points);
    web->masses = supi_memory_new(allocator, points, sizeof *web->masses);
    web->tets = supi_memory_new(allocator, 4 * (size_t)weave->tet_count, sizeof *web->tets);
    web->particles = supi_memory_new(allocator, (size_t)weave->given_count, sizeof *web->particles);
    web->tet_count = weave->tet_count;
    web->given_count = weave->given_count;
    if (!web->points || !web->masses || !web->tets || !web->particles) return false;
    for (int32_t p = 0; p < weave->point_count; p++) {
        if (rank[p] < 0) continue;
        web->points[rank[p]] = weave->points[p];
        web->masses[rank[p]] = (float)weave->masses[p];
    }
    for (int32_t i = 0; i < 4 * web->tet_count; i++) web->tets[i] = rank[weave->tets[i]];
    return true;
}

static bool make_springs(supi_weave* weave, const int32_t* rank, sup_web* web) {
    size_t threads = (size_t)weave->thread_count;
    uint64_t* keys = supi_weave_new(weave, threads, sizeof *keys);
    int32_t* ids = supi_weave_new(weave, threads, sizeof *ids);
    uint64_t* scratch_keys = supi_weave_new(weave, threads, sizeof *keys);
    int32_t* scratch_ids = supi_weave_new(weave, threads, sizeof *ids);
    if (weave->short_of_memory) return false;
    sort_threads(weave, rank, keys, ids, scratch_keys, scratch_ids);
    int32_t count = join_threads(weave, keys, ids, NULL, NULL);
    web->springs = supi_memory_new(weave->allocator, (size_t)count, sizeof *web->springs);
    if (!web->springs) return false;
    web->spring_count = count;
    join_threads(weave, keys, ids, web->points, web->springs);
    return true;
}

static sup_result make_web(supi_weave* weave, sup_web* out, sup_error* error) {
    sup_web web = {.allocator = weave->allocator, .report = weave->report};
    int32_t* rank = supi_weave_new(weave, (size_t)weave->point_count, sizeof *rank);
    if (weave->short_of_memory) return supi_error_memory(error);
    int32_t surface_count = number_points(weave, rank, &web);
    sup_result result = SUP_OK;
    if (!make_points(weave, rank, &web) || !make_springs(weave, rank, &web) ||
        !make_surface(weave, rank, surface_count, &web)) {
        result = supi_error_memory(error);
    } else {
        list_particles(weave, rank, &web);
        result = check_values(&web, error);
    }
    if (result == SUP_OK) {
        *out = web;
    } else {
        sup_web_free(&web);
    }
    return result;
}

sup_result supi_weave_end(supi_weave* weave, sup_result result, sup_web* out, sup_error* error) {
    if (result == SUP_OK) result = make_web(weave, out, error);
    supi_weave_cancel(weave);
    return result;
}

void supi_weave_cancel(supi_weave* weave) {
    supi_memory_free(weave->allocator, weave->threads, (size_t)weave->thread_capacity,
                     sizeof *weave->threads);
    supi_arena_free(&weave->scratch);
}

/* ---- Measures and checks ---- */

sup_result supi_weave_measure(int32_t point_count, const sup_vec3* points, double* diagonal,
                              sup_error* error) {
    double low[3] = {0}, high[3] = {0}, extent[3];
    for (int32_t i = 0; i < point_count; i++) {
        double p[3];
        supi_vector_from(&points[i], p);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(p[k]) <= FAR)) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "point %d is not finite or beyond 1e6 m", (int)i);
            }
            if (i == 0 || p[k] < low[k]) low[k] = p[k];
            if (i == 0 || p[k] > high[k]) high[k] = p[k];
        }
    }
    supi_vector_subtract(high, low, extent);
    *diagonal = supi_vector_length(extent);
    return SUP_OK;
}

double supi_weave_square(const sup_vec3* points, int32_t a, int32_t b) {
    double p[3], q[3], d[3];
    supi_vector_from(&points[a], p);
    supi_vector_from(&points[b], q);
    supi_vector_subtract(q, p, d);
    return supi_vector_dot(d, d);
}

double supi_weave_volume(const sup_vec3* points, const int32_t tet[4]) {
    double corner[4][3], product[3];
    for (int k = 0; k < 4; k++) supi_vector_from(&points[tet[k]], corner[k]);
    for (int k = 1; k < 4; k++) supi_vector_subtract(corner[k], corner[0], corner[k]);
    supi_vector_cross(corner[2], corner[3], product);
    return supi_vector_dot(corner[1], product) / 6.0;
}

sup_result supi_weave_check_size(size_t given, size_t size, const char* name, sup_error* error) {
    if (given == size) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "sup_weave_%s_def is not from "
                          "sup_weave_%s_default()",
                          name, name);
}

sup_result supi_weave_check_elements(const char* what, int32_t point_count, int32_t count,
                                     int32_t corners, const int32_t* elements, sup_error* error) {
    if (point_count < 1 || count < 1 || count > INT32_MAX / 32) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%d points and %d elements: too few or too "
                              "many",
                              (int)point_count, (int)count);
    }
    if (!elements) return supi_error_set(error, SUP_BAD_ARGUMENT, "a count without its array");
    for (int32_t e = 0; e < count; e++) {
        const int32_t* element = elements + (size_t)corners * (size_t)e;
        for (int32_t i = 0; i < corners; i++) {
            if (element[i] < 0 || element[i] >= point_count) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "%s %d names point %d, but there are %d points", what, (int)e,
                                      (int)element[i], (int)point_count);
            }
            for (int32_t j = 0; j < i; j++) {
                if (element[i] != element[j]) continue;
                return supi_error_set(error, SUP_BAD_ARGUMENT, "%s %d names point %d twice", what,
                                      (int)e, (int)element[i]);
            }
        }
    }
    return SUP_OK;
}
