#include "scene/blob.h"

#include "geom/mesh.h"
#include "scene/build.h"
#include "supple/mesh.h"

/* Of the cube of the spacing: the room of a particle among many at rest. */
#define ROOM 0.545

sup_result supi_blob_draft_check(const supi_reader* reader, const supi_body_draft* body) {
    static const char* const others[] = {"fill",    "skin",   "clusters", "solid", "weave",
                                         "springs", "fit",    "frames",   "parts", "joints",
                                         "details", "detail", "overlap"};
    if (!body->blob) return SUP_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const supi_json* given = supi_json_find(body->place, others[i]);
        if (!given) continue;
        return supi_reader_fail(reader, given, "soft substance (\"blob\") takes no \"%s\"",
                                others[i]);
    }
    supi_shape_kind shape = body->shape.kind;
    if (shape == SUPI_SHAPE_ROPE || shape == SUPI_SHAPE_VOXELS || shape == SUPI_SHAPE_RIG ||
        shape == SUPI_SHAPE_GRID) {
        return supi_reader_fail(reader, body->blob->place,
                                "\"blob\" fills closed surfaces; the shape \"%s\" has none",
                                supi_shape_name(&body->shape));
    }
    return SUP_OK;
}

sup_result supi_blob_draft_fill(const supi_reader* reader, const supi_body_draft* draft,
                                sup_mesh* mesh, double* volume) {
    const sup_allocator* allocator = reader->store->allocator;
    sup_mesh_report report;
    sup_mesh cloud;
    sup_error cause;
    double spacing = draft->blob->spacing;
    *volume = ROOM * mesh->point_count * spacing * spacing * spacing;
    if (mesh->polygon_count == 0) return SUP_OK;
    sup_result result = sup_mesh_inspect(allocator, mesh, &report, &cause);
    if (result == SUP_OK && supi_mesh_inside_out(&report)) {
        return supi_reader_fail(reader, draft->blob->place,
                                "the surface is inside out (its volume is negative)");
    }
    if (result == SUP_OK) {
        result = sup_blob_fill(allocator, mesh, spacing, &cloud, &cause);
    }
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->blob->place, &cause);
    sup_mesh_free(mesh);
    *mesh = cloud;
    *volume = report.volume;
    return SUP_OK;
}

void supi_blob_draft_take(const supi_body_draft* draft, double volume, sup_blueprint_def* def) {
    def->layout = SUP_CLUSTERS_NONE;
    def->blob_spacing = draft->blob->spacing;
    if (!(def->mass > 0)) def->mass = def->density * volume;
}

sup_blob_settings supi_blob_draft_settings(const supi_blob_draft* draft) {
    sup_blob_settings s = sup_blob_settings_default();
    if (!draft) return s;
    s.stiffness = draft->stiffness;
    s.friction = draft->friction;
    s.drag = draft->drag;
    s.central = draft->central;
    s.iso = draft->iso;
    s.cells = draft->cells;
    s.volume = (sup_blob_volume)draft->volume;
    return s;
}
