#include "blueprint/tets.h"

#include "base/error.h"
#include "blueprint/tears.h"
#include "geom/vector.h"

static bool has_volume(const sup_blueprint* b, const int32_t* rows) {
    double edge[3][3], n[3];
    for (int k = 0; k < 3; k++) {
        double from[3];
        supi_vector_from(b->rest + rows[0], from);
        supi_vector_from(b->rest + rows[k + 1], edge[k]);
        supi_vector_subtract(edge[k], from, edge[k]);
    }
    supi_vector_cross(edge[1], edge[2], n);
    return supi_vector_dot(edge[0], n) > 0.0;
}

sup_result supi_tets_build(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (def->tet_count == 0) return SUP_OK;
    if (def->spring_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "tetrahedra are for springs, of which there are none: give springs, "
                              "or the layout of elements");
    }
    b->tets = supi_arena_push(&b->arena, 4 * (size_t)def->tet_count, sizeof *b->tets);
    if (!b->tets) return supi_error_memory(error);
    b->tet_count = b->info.tet_count = def->tet_count;
    for (int32_t i = 0; i < def->tet_count; i++) {
        for (int32_t k = 4 * i; k < 4 * i + 4; k++) {
            int32_t id = def->tets[k];
            if (id < 0 || id >= supi_tears_rows(b)) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "tetrahedron %d names particle %d, there are %d", (int)i,
                                      (int)id, (int)supi_tears_rows(b));
            }
            b->tets[k] = b->row_of[id];
        }
        if (has_volume(b, b->tets + 4 * i)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "tetrahedron %d is flat or inside out",
                              (int)i);
    }
    return SUP_OK;
}
