/* The tetrahedra of a body, and what holds them together. */
#include "supple/solid.h"
#include "scene/build.h"

static sup_solid_def solid_def(const supi_body_draft* body) {
    const supi_filled_draft* draft = body->solid;
    sup_solid_def def = sup_solid_default();
    def.kind = (sup_solid_kind)draft->kind;
    def.tets.cell = draft->cell;
    def.tets.count = draft->count;
    def.tets.method = (sup_tets_method)draft->method;
    if (body->density > 0) def.density = body->density;
    def.mass = body->mass;
    if (def.kind == SUP_SOLID_SPRINGS) {
        def.young = draft->young;
        def.poisson = draft->poisson;
    }
    if (def.kind == SUP_SOLID_CLUSTERS) def.reach = draft->reach;
    if (def.kind == SUP_SOLID_FRAMES) {
        def.particles = draft->particles;
        def.seed = draft->seed;
    }
    return def;
}

/* Tetrahedra of a file are taken as they are, but for the scale of the body. */
static sup_result take_file(const sup_allocator* allocator, const sup_file_gate* files,
                            const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                            const sup_solid_def* def, sup_solid** out, sup_error* error) {
    sup_tets tets;
    sup_result result = sup_tets_load(allocator, files, path, &tets, NULL, error);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < tets.point_count; i++) {
        sup_vec3* p = &tets.points[i];
        *p = (sup_vec3){(float)(body->scale[0] * (double)p->x),
                        (float)(body->scale[1] * (double)p->y),
                        (float)(body->scale[2] * (double)p->z)};
    }
    result = sup_solid_take(allocator, &tets, mesh, def, out, error);
    sup_tets_free(&tets);
    return result;
}

sup_result supi_filled_make(const supi_reader* reader, const sup_file_gate* files,
                            const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                            sup_solid** out) {
    const sup_allocator* allocator = reader->store->allocator;
    const sup_solid_def def = solid_def(body);
    const supi_filled_draft* draft = body->solid;
    sup_error cause;
    bool given = body->shape.kind == SUPI_SHAPE_MESH && sup_tets_is_file(path);
    static const char* const filling[] = {"cell", "count", "method"};
    for (int k = 0; k < 3 && given; k++) {
        const supi_json* key = supi_json_find(draft->place, filling[k]);
        if (!key) continue;
        return supi_reader_fail(reader, key,
                                "\"%s\" is for surfaces: %.200s has tetrahedra already", filling[k],
                                body->shape.file);
    }
    if (mesh->polygon_count == 0) {
        return supi_reader_fail(reader, draft->place,
                                "\"solid\" needs a surface, but %.200s is a cloud of points",
                                body->shape.file);
    }
    sup_result result = given ? take_file(allocator, files, body, path, mesh, &def, out, &cause)
                              : sup_solid_create(allocator, mesh, &def, out, &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, draft->place, &cause);
}

const supi_weave_draft* supi_filled_weave(const supi_reader* reader, const supi_body_draft* body,
                                          const sup_solid* solid) {
    const sup_tets_making* making = sup_solid_get(solid).making;
    supi_weave_draft* weave = supi_arena_push(reader->store, 1, sizeof *weave);
    if (!weave) return NULL;
    /* A cage is matter and emptiness: what is beside its springs is softer by as much as they. */
    *weave = (supi_weave_draft){.place = body->solid->place,
                                .kind = SUPI_WEAVE_SOLID,
                                .young = body->solid->young * (making ? making->fill : 1.0),
                                .poisson = body->solid->poisson};
    return weave;
}

sup_result supi_filled_take(const supi_reader* reader, const supi_body_draft* body,
                            const sup_solid* solid, sup_blueprint_def* def) {
    const sup_blueprint_def made = sup_solid_blueprint(solid);
    const sup_rig* rig = sup_solid_get(solid).rig;
    if (rig) {
        sup_result result = supi_fit_take(reader, body, rig, def);
        /* The rig was fitted to tetrahedra, which are not drawn, and all of it is as stiff. */
        def->surface = made.surface;
        def->skin = made.skin;
        def->frame_stiffness = NULL;
        return result;
    }
    def->surface = made.surface;
    def->skin = made.skin;
    def->points = made.points;
    def->point_count = made.point_count;
    def->masses = made.masses;
    def->density = made.density;
    def->tets = made.tets;
    def->tet_count = made.tet_count;
    def->springs = made.springs;
    def->spring_count = made.spring_count;
    def->layout = made.layout;
    def->cluster_count = made.cluster_count;
    def->cluster_starts = made.cluster_starts;
    def->cluster_members = made.cluster_members;
    def->allow_joints = made.allow_joints;
    if (body->springs) def->spring_damping = body->springs->damping;
    return SUP_OK;
}
