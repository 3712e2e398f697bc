/* Shells: a closed surface with layers of prisms under it, each cut into three tetrahedra. */
#include "base/check.h"
#include "base/error.h"
#include "blueprint/inward.h"
#include "blueprint/weave.h"
#include "geom/vector.h"

#include <string.h>

#define THICKNESS 0.25 /* of the mean edge, where none is given */
#define OPPOSITE 0.4   /* of the way to the other side: both sides may come so far */
#define LAYERS 4

/* What a shell is made from; layer l of the points begins at l * layer_size. */
typedef struct shell {
    const sup_weave_shell_def* def;
    int32_t layer_size, triangle_count;
    const int32_t* triangles;
    sup_vec3* points;
    double centre[3]; /* of the volume */
} shell;

/* ---- Checks ---- */

sup_weave_shell_def sup_weave_shell_default(void) {
    return (sup_weave_shell_def){.size = sizeof(sup_weave_shell_def),
                                 .weld = -1,
                                 .layers = 1,
                                 .scale = 0.8,
                                 .young = 1e5,
                                 .density = 1000};
}

static sup_result check_shell(const sup_weave_shell_def* def, sup_error* error) {
    const supi_range ranges[] = {{"weld", def->weld, -1e9, 1e3},
                                 {"layers", def->layers, 1, LAYERS},
                                 {"inner", (double)def->inner, SUP_WEAVE_OFFSET, SUP_WEAVE_SCALED},
                                 {"thickness", def->thickness, 0, 1e6},
                                 {"scale", def->scale, 0.01, 0.99}};
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "shell", error);
    if (result == SUP_OK)
        result = supi_weave_check_solid(def->young, def->density, def->rule, error);
    if (result != SUP_OK) return result;
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

static sup_result check_closed(const sup_allocator* allocator, const sup_mesh* mesh,
                               sup_error* error) {
    sup_mesh_report report;
    sup_result result = sup_mesh_inspect(allocator, mesh, &report, error);
    if (result != SUP_OK) return result;
    if (!report.closed) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a shell needs a closed surface: %d edges have one polygon, %d are "
                              "tangled",
                              (int)report.boundary_edge_count, (int)report.tangled_edge_count);
    }
    if (!(report.volume > 0.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a shell needs faces that look outwards: turn the polygons round");
    }
    return SUP_OK;
}

/* Tetrahedra from the first point to all triangles: their middles, weighted by volume. */
static void find_centre(shell* s) {
    double first[3], sum[3] = {0}, volume = 0.0;
    supi_vector_from(&s->points[s->triangles[0]], first);
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double corner[3][3], product[3];
        for (int k = 0; k < 3; k++) {
            supi_vector_from(&s->points[s->triangles[3 * t + k]], corner[k]);
            supi_vector_subtract(corner[k], first, corner[k]);
        }
        supi_vector_cross(corner[1], corner[2], product);
        double six = supi_vector_dot(corner[0], product);
        volume += six;
        for (int k = 0; k < 3; k++) {
            sum[k] += six * (corner[0][k] + corner[1][k] + corner[2][k]) / 4.0;
        }
    }
    for (int k = 0; k < 3; k++) s->centre[k] = first[k] + sum[k] / volume;
}

/* Whether all triangles of a layer show their inner sides to the centre. */
static bool sees_all(const shell* s, int32_t layer) {
    const sup_vec3* points = s->points + (size_t)layer * (size_t)s->layer_size;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double corner[3][3], product[3];
        for (int k = 0; k < 3; k++) {
            supi_vector_from(&points[s->triangles[3 * t + k]], corner[k]);
            supi_vector_subtract(corner[k], s->centre, corner[k]);
        }
        supi_vector_cross(corner[1], corner[2], product);
        if (!(supi_vector_dot(corner[0], product) > 0.0)) return false;
    }
    return true;
}

/* ---- Layers ---- */

static bool offset_layer(const sup_allocator* allocator, const shell* s, const sup_vec3* outer,
                         double* thickness, sup_vec3* inner) {
    supi_inward inward;
    if (!supi_inward_build(allocator, s->layer_size, outer, s->triangle_count, s->triangles,
                           &inward)) {
        return false;
    }
    if (*thickness == 0.0) *thickness = THICKNESS * inward.mean_edge;
    for (int32_t p = 0; p < s->layer_size; p++) {
        int32_t triangle;
        double at[3], depth = *thickness, distance, weights[3];
        supi_vector_from(&outer[p], at);
        if (supi_inward_cast(&inward, p, &triangle, &distance, weights) &&
            OPPOSITE * distance < depth) {
            depth = OPPOSITE * distance;
        }
        for (int k = 0; k < 3; k++) at[k] -= depth * inward.normals[p][k];
        inner[p] = supi_vector_round(at[0], at[1], at[2]);
    }
    supi_inward_free(&inward);
    return true;
}

static void scale_layer(const shell* s, const sup_vec3* outer, sup_vec3* inner) {
    for (int32_t p = 0; p < s->layer_size; p++) {
        double at[3];
        supi_vector_from(&outer[p], at);
        for (int k = 0; k < 3; k++) at[k] = s->centre[k] + s->def->scale * (at[k] - s->centre[k]);
        inner[p] = supi_vector_round(at[0], at[1], at[2]);
    }
}

static sup_result place_layers(const sup_allocator* allocator, shell* s, sup_error* error) {
    double thickness = s->def->thickness;
    bool scaled = s->def->inner == SUP_WEAVE_SCALED;
    find_centre(s);
    if (scaled && !sees_all(s, 0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a scaled copy would not lie inside the surface: not all of it is "
                              "seen from its centre");
    }
    for (int32_t layer = 0; layer < s->def->layers; layer++) {
        const sup_vec3* outer = s->points + (size_t)layer * (size_t)s->layer_size;
        sup_vec3* inner = s->points + ((size_t)layer + 1) * (size_t)s->layer_size;
        if (scaled) {
            scale_layer(s, outer, inner);
        } else if (!offset_layer(allocator, s, outer, &thickness, inner)) {
            return supi_error_memory(error);
        }
    }
    if (!s->def->centre) return SUP_OK;
    if (!sees_all(s, s->def->layers)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a centre cannot hold the innermost layer: not all of that is seen "
                              "from there");
    }
    s->points[((size_t)s->def->layers + 1) * (size_t)s->layer_size] =
        supi_vector_round(s->centre[0], s->centre[1], s->centre[2]);
    return SUP_OK;
}

/* ---- Prisms ---- */

/* The diagonal of every side runs from the lower outer point to the higher inner one, so that
   neighbours agree. The middle one of the three turns the other way. */
static void cut_prism(const int32_t triangle[3], int32_t below, int32_t* tets) {
    int32_t p[3] = {triangle[0], triangle[1], triangle[2]};
    bool turned = false;
    for (int i = 0; i < 3; i++) {
        int k = i == 1; /* compares 0 1, 1 2, 0 1 */
        if (p[k] < p[k + 1]) continue;
        int32_t swap = p[k];
        p[k] = p[k + 1];
        p[k + 1] = swap;
        turned = !turned;
    }
    const int32_t q[3] = {p[0] + below, p[1] + below, p[2] + below};
    const int32_t cut[3][4] = {
        {p[0], p[1], p[2], q[2]}, {p[0], p[1], q[1], q[2]}, {p[0], q[0], q[1], q[2]}};
    for (int t = 0; t < 3; t++) {
        bool swaps = turned == (t == 1);
        for (int k = 0; k < 4; k++) tets[4 * t + k] = cut[t][swaps && k < 2 ? 1 - k : k];
    }
}

static int32_t list_tets(const shell* s, int32_t* tets) {
    int32_t count = 0;
    for (int32_t layer = 0; layer < s->def->layers; layer++) {
        for (int32_t t = 0; t < s->triangle_count; t++, count += 3) {
            int32_t triangle[3];
            for (int k = 0; k < 3; k++) {
                triangle[k] = s->triangles[3 * t + k] + layer * s->layer_size;
            }
            cut_prism(triangle, s->layer_size, tets + 4 * count);
        }
    }
    int32_t innermost = s->def->layers * s->layer_size;
    for (int32_t t = 0; s->def->centre && t < s->triangle_count; t++, count++) {
        tets[4 * count] = innermost + s->layer_size;
        for (int k = 0; k < 3; k++) tets[4 * count + 1 + k] = s->triangles[3 * t + k] + innermost;
    }
    return count;
}

static sup_result fill_shell(supi_weave* weave, const sup_weave_shell_def* def,
                             const sup_mesh* mesh, int32_t triangle_count, sup_error* error) {
    int32_t* triangles = supi_weave_new(weave, 3 * (size_t)triangle_count, sizeof *triangles);
    int32_t* tets =
        supi_weave_new(weave, 4 * (3 * LAYERS + 1) * (size_t)triangle_count, sizeof *tets);
    sup_vec3* points = supi_weave_new(weave, (size_t)weave->point_count, sizeof *points);
    if (weave->short_of_memory) return SUP_OK; /* the end tells */
    weave->points = points;
    memcpy(points, mesh->points, (size_t)mesh->point_count * sizeof *points);
    supi_inward_cut(mesh, triangles);
    shell s = {.def = def,
               .layer_size = mesh->point_count,
               .triangle_count = triangle_count,
               .triangles = triangles,
               .points = points};
    sup_result result = place_layers(weave->allocator, &s, error);
    if (result != SUP_OK) return result;
    return supi_weave_fill_tets(weave, list_tets(&s, tets), tets, def->rule, def->young,
                                def->density, false, error);
}

sup_result sup_weave_shell(const sup_allocator* allocator, const sup_weave_shell_def* def,
                           sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    sup_result result = check_shell(def, error);
    if (result != SUP_OK) return result;
    supi_weave_cloth cloth;
    sup_web_report report = {0};
    result = supi_weave_clean(allocator, def->mesh, def->weld, &cloth, &report, error);
    if (result != SUP_OK) return result;
    int32_t triangle_count = supi_inward_cut(&cloth.mesh, NULL);
    result = check_closed(allocator, &cloth.mesh, error);
    if (result == SUP_OK && (triangle_count > INT32_MAX / (32 * (3 * LAYERS + 1)) ||
                             cloth.mesh.point_count > INT32_MAX / (LAYERS + 2))) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the surface has too many polygons");
    }
    if (result == SUP_OK) {
        supi_weave weave;
        supi_weave_begin(&weave, allocator,
                         cloth.mesh.point_count * (def->layers + 1) + def->centre, NULL);
        weave.report = report;
        weave.given_count = cloth.map.original_count;
        weave.from_given = cloth.map.to_welded;
        weave.polygon_count = cloth.mesh.polygon_count;
        weave.starts = cloth.mesh.starts;
        weave.corners = cloth.mesh.corners;
        if (!weave.short_of_memory) {
            result = fill_shell(&weave, def, &cloth.mesh, triangle_count, error);
        }
        result = supi_weave_end(&weave, result, out, error);
    }
    supi_weave_cloth_free(&cloth);
    return result;
}
