/* From a web to the blueprint of a body. */
#include "supple/weave.h"

sup_blueprint_def sup_web_blueprint(const sup_web* web) {
    sup_blueprint_def def = sup_blueprint_default();
    int32_t drawn = web->surface.point_count;
    def.surface = drawn > 0 ? &web->surface : NULL;
    def.weld = 0.0; /* all that should be one is one */
    def.points = web->points + drawn;
    def.point_count = web->point_count - drawn;
    def.masses = web->masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = web->springs;
    def.spring_count = web->spring_count;
    def.tets = web->tets;
    def.tet_count = web->tet_count;
    def.refine = web->refine;
    def.anchors = web->anchors;
    def.anchor_count = web->anchor_count;
    return def;
}
