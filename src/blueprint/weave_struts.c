/* Struts: springs through the inside of a surface, from each point to what lies opposite. */
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "blueprint/inward.h"
#include "blueprint/weave.h"
#include "geom/mesh.h"
#include "geom/sort.h"

#include <math.h>
#include <string.h>

sup_weave_struts_def sup_weave_struts_default(void) {
    return (sup_weave_struts_def){
        .size = sizeof(sup_weave_struts_def), .stiffness = 100, .every = 1};
}

/* Threads of all struts; anchors are those points that meet nothing. */
static int32_t cast_struts(supi_weave* weave, const sup_weave_struts_def* def,
                           const supi_inward* inward, int32_t* anchors) {
    int32_t anchor_count = 0;
    for (int32_t p = 0; p < inward->point_count; p += def->every) {
        int32_t triangle;
        double distance, weights[3];
        if (!supi_inward_cast(inward, p, &triangle, &distance, weights)) {
            anchors[anchor_count++] = p;
            continue;
        }
        if (distance < inward->mean_edge) continue;
        const int32_t* corners = inward->triangles + 3 * triangle;
        int heaviest = weights[1] > weights[0];
        if (weights[2] > weights[heaviest]) heaviest = 2;
        for (int k = 0; k < 3; k++) {
            double share = def->split ? weights[k] : (k == heaviest ? 1.0 : 0.0);
            supi_weave_add(weave, p, corners[k], SUP_SPRING_STRUT, share * def->stiffness);
        }
    }
    return anchor_count;
}

static uint64_t pair_key(int32_t a, int32_t b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

/* Struts between points that no spring joins yet, each once, behind the web's own springs. Returns
   how many springs there are then. */
static int32_t join_struts(supi_weave* weave, const sup_web* web, bool split, sup_spring* springs) {
    int32_t old = web->spring_count, all = old + weave->thread_count, count = old;
    size_t n = (size_t)all;
    uint64_t* keys = supi_weave_new(weave, n, sizeof *keys);
    int32_t* ids = supi_weave_new(weave, n, sizeof *ids);
    uint64_t* scratch_keys = supi_weave_new(weave, n, sizeof *keys);
    int32_t* scratch_ids = supi_weave_new(weave, n, sizeof *ids);
    if (weave->short_of_memory) return -1;
    for (int32_t i = 0; i < all; i++) {
        ids[i] = i;
        if (i < old) {
            keys[i] = pair_key(web->springs[i].a, web->springs[i].b);
        } else {
            keys[i] = pair_key(weave->threads[i - old].a, weave->threads[i - old].b);
        }
    }
    supi_sort_keys(all, keys, ids, scratch_keys, scratch_ids);
    memcpy(springs, web->springs, (size_t)old * sizeof *springs);
    for (int32_t i = 0, next; i < all; i = next) {
        double sum = 0.0;
        for (next = i; next < all && keys[next] == keys[i]; next++) {
            if (ids[next] >= old && (split || next == i)) {
                sum += weave->threads[ids[next] - old].stiffness;
            }
        }
        if (ids[i] < old) continue; /* the sort is stable: the web's own come first */
        int32_t a = (int32_t)(keys[i] >> 32), b = (int32_t)(keys[i] & UINT32_MAX);
        springs[count++] = (sup_spring){.a = a,
                                        .b = b,
                                        .length = (float)sqrt(supi_weave_square(web->points, a, b)),
                                        .stiffness = (float)sum,
                                        .damping = -1.0f,
                                        .kind = SUP_SPRING_STRUT};
    }
    return count;
}

/* Puts arrays of their final sizes into the web; false (nothing changed) when memory is short. */
static bool take_struts(sup_web* web, const sup_spring* springs, int32_t spring_count,
                        const int32_t* anchors, int32_t anchor_count) {
    const sup_allocator* allocator = web->allocator;
    size_t n = (size_t)spring_count, m = (size_t)anchor_count;
    sup_spring* new_springs = supi_memory_new(allocator, n, sizeof *springs);
    int32_t* new_anchors = supi_memory_new(allocator, m, sizeof *anchors);
    if (!new_springs || !new_anchors) {
        supi_memory_free(allocator, new_springs, n, sizeof *springs);
        supi_memory_free(allocator, new_anchors, m, sizeof *anchors);
        return false;
    }
    memcpy(new_springs, springs, n * sizeof *springs);
    memcpy(new_anchors, anchors, m * sizeof *anchors);
    supi_memory_free(allocator, web->springs, (size_t)web->spring_count, sizeof *springs);
    supi_memory_free(allocator, web->anchors, (size_t)web->anchor_count, sizeof *anchors);
    web->springs = new_springs;
    web->spring_count = spring_count;
    web->anchors = new_anchors;
    web->anchor_count = anchor_count;
    return true;
}

static bool add_struts(supi_weave* weave, const sup_weave_struts_def* def, sup_web* web) {
    const sup_mesh* mesh = &web->surface;
    int32_t triangle_count = supi_inward_cut(mesh, NULL);
    int32_t* triangles = supi_weave_new(weave, 3 * (size_t)triangle_count, sizeof *triangles);
    int32_t* anchors = supi_weave_new(weave, (size_t)mesh->point_count, sizeof *anchors);
    supi_inward inward;
    if (weave->short_of_memory) return false;
    supi_inward_cut(mesh, triangles);
    if (!supi_inward_build(weave->allocator, mesh->point_count, mesh->points, triangle_count,
                           triangles, &inward)) {
        return false;
    }
    int32_t anchor_count = cast_struts(weave, def, &inward, anchors);
    supi_inward_free(&inward);
    sup_spring* springs = supi_weave_new(
        weave, (size_t)web->spring_count + (size_t)weave->thread_count, sizeof *springs);
    if (weave->short_of_memory) return false;
    int32_t spring_count = join_struts(weave, web, def->split, springs);
    return spring_count >= 0 && take_struts(web, springs, spring_count, anchors, anchor_count);
}

sup_result sup_weave_struts(const sup_weave_struts_def* def, sup_web* web, sup_error* error) {
    SUPI_NEED(error, def, web);
    const supi_range ranges[] = {{"stiffness", def->stiffness, 0, 1e12},
                                 {"every", def->every, 1, 1e6}};
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "struts", error);
    if (result == SUP_OK) {
        result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    }
    if (result != SUP_OK) return result;
    if (web->surface.polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "struts need a web with a surface");
    }
    if (web->spring_count > INT32_MAX / 2 || web->surface.point_count > INT32_MAX / 8) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the web is too large for struts");
    }
    supi_weave weave;
    supi_weave_begin(&weave, web->allocator, web->point_count, web->points);
    bool enough = !weave.short_of_memory && add_struts(&weave, def, web);
    supi_weave_cancel(&weave);
    return enough ? SUP_OK : supi_error_memory(error);
}
