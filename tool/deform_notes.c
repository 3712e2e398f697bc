/* See deform_notes.h. Where memory is short nothing is said: the pull itself will say so. */
#include "deform_notes.h"

#include "geom/union_find.h"

#include <stdlib.h>

void deform_note_edges(const deform_work* w) {
    sup_mesh now;
    sup_adjacency beside;
    int32_t flat = 0;
    if (sup_clay_mesh(w->clay, NULL, &now, NULL, NULL) != SUP_OK) return;
    if (sup_mesh_adjacency(NULL, &now, &beside, NULL) == SUP_OK) {
        for (int32_t e = 0; e < beside.edge_count; e++) {
            const sup_vec3* a = now.points + beside.edges[2 * e];
            const sup_vec3* b = now.points + beside.edges[2 * e + 1];
            flat += a->x == b->x && a->y == b->y && a->z == b->z;
        }
        sup_adjacency_free(&beside);
    }
    sup_mesh_free(&now);
    if (flat > 0)
        tool_note("%s: edges without length: %d; a pull goes over them whatever its direction",
                  w->path, (int)flat);
}

/* Points of parts in which no generation is above -1. `parent` has room for all points. */
static int32_t count_apart(const sup_mesh* mesh, const int32_t* generations, int32_t* parent,
                           bool* reached) {
    int32_t apart = 0;
    for (int32_t i = 0; i < mesh->point_count; i++) parent[i] = i;
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        for (int32_t c = mesh->starts[p] + 1; c < mesh->starts[p + 1]; c++)
            supi_union_join(parent, mesh->corners[c - 1], mesh->corners[c]);
    }
    for (int32_t i = 0; i < mesh->point_count; i++)
        if (generations[i] >= 0) reached[supi_union_root(parent, i)] = true;
    for (int32_t i = 0; i < mesh->point_count; i++) apart += !reached[supi_union_root(parent, i)];
    return apart;
}

void deform_note_parts(const deform_work* w, const deform_operation* o) {
    sup_mesh now;
    if (sup_clay_mesh(w->clay, NULL, &now, NULL, NULL) != SUP_OK) return;
    size_t count = (size_t)now.point_count;
    int32_t* generations = malloc(2 * count * sizeof *generations);
    bool* reached = calloc(count, sizeof *reached);
    if (generations && reached) {
        sup_clay_generations(w->clay, generations);
        int32_t apart = count_apart(&now, generations, generations + count, reached);
        if (apart > 0)
            tool_note("%s: no edges lead to %d of %d points", deform_name(o->kind), (int)apart,
                      (int)count);
    }
    free(generations);
    free(reached);
    sup_mesh_free(&now);
}
