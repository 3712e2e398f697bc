#include "blueprint/arrays.h"

#include "blueprint/oriented.h"

#include <string.h>

/* An array that is added has to be listed below; then put the size right. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(sup_blueprint) == 1824, "list the new array of a blueprint");
_Static_assert(sizeof(supi_lattice) == 104, "compare the new field of a lattice");
#endif

void supi_blueprint_arrays(sup_blueprint* b, supi_blueprint_array out[SUPI_BLUEPRINT_ARRAYS]) {
    const sup_blueprint_info* info = &b->info;
    int64_t rows = info->particle_count, members = b->member_count;
    const supi_blueprint_array arrays[SUPI_BLUEPRINT_ARRAYS] = {
        {&b->row_of, rows, sizeof *b->row_of},
        {&b->id_of, rows, sizeof *b->id_of},
        {&b->rest, rows, sizeof *b->rest},
        {&b->mass, rows, sizeof *b->mass},
        {&b->inverse_mass, rows, sizeof *b->inverse_mass},
        {&b->radius, rows, sizeof *b->radius},
        {&b->depth, rows, sizeof *b->depth},
        {&b->outward, rows, sizeof *b->outward},
        {&b->skin.rest, b->skin.count, sizeof *b->skin.rest},
        {&b->clusters, b->cluster_count, sizeof *b->clusters},
        {&b->centres, 3 * (int64_t)b->cluster_count, sizeof *b->centres},
        {&b->members.qx, members, sizeof *b->members.qx},
        {&b->members.qy, members, sizeof *b->members.qy},
        {&b->members.qz, members, sizeof *b->members.qz},
        {&b->members.w, members, sizeof *b->members.w},
        {&b->members.index, members, sizeof *b->members.index},
        {&b->blocks, b->block_count, sizeof *b->blocks},
        {&b->ask_starts, rows + 1, sizeof *b->ask_starts},
        {&b->asks, info->membership_count, sizeof *b->asks},
        {&b->leader, rows, sizeof *b->leader},
        {&b->share, rows, sizeof *b->share},
        {&b->springs, b->spring_count, sizeof *b->springs},
        {&b->solid.tets, 4 * (int64_t)b->solid.tet_count, sizeof *b->solid.tets},
        {&b->held, rows, sizeof *b->held},
        {&b->links, b->link_count, sizeof *b->links},
        {&b->part_starts, (int64_t)b->part_count + 1, sizeof *b->part_starts},
        {&b->part_members, supi_oriented_member_count(b), sizeof *b->part_members},
        {&b->part_plastics, b->part_count, sizeof *b->part_plastics},
        {&b->ellipsoids, rows, sizeof *b->ellipsoids},
        {&b->moments, 6 * rows, sizeof *b->moments},
        {&b->frame_stiffness, rows, sizeof *b->frame_stiffness},
        {&b->flat, rows, sizeof *b->flat},
        {&b->pins, b->pin_count, sizeof *b->pins},
        {&b->weightless, b->weightless_count, sizeof *b->weightless},
        {&b->region, rows, sizeof *b->region},
        {&b->paint, b->paint_count, sizeof *b->paint},
        {&b->normals, b->skin.count, sizeof *b->normals},
        {&b->tangents, b->skin.count, sizeof *b->tangents},
        {&b->vertex_rows, info->vertex_count, sizeof *b->vertex_rows},
        {&b->starts, (int64_t)info->polygon_count + 1, sizeof *b->starts},
        {&b->corners, info->corner_count, sizeof *b->corners},
    };
    memcpy(out, arrays, sizeof arrays);
}

/* ---- Comparing ---- */

static bool same_counts(const sup_blueprint* a, const sup_blueprint* b) {
    const sup_blueprint_info *own = &a->info, *other = &b->info;
    return own->particle_count == other->particle_count &&
           own->vertex_count == other->vertex_count && own->polygon_count == other->polygon_count &&
           own->corner_count == other->corner_count &&
           own->membership_count == other->membership_count &&
           own->region_count == other->region_count && a->cluster_count == b->cluster_count &&
           a->member_count == b->member_count && a->block_count == b->block_count &&
           a->spring_count == b->spring_count && a->solid.tet_count == b->solid.tet_count &&
           a->oriented == b->oriented && a->link_count == b->link_count &&
           a->part_count == b->part_count && a->link_pin_factor == b->link_pin_factor &&
           a->parts_yield == b->parts_yield &&
           supi_oriented_member_count(a) == supi_oriented_member_count(b) && a->loose == b->loose &&
           a->can_tear == b->can_tear && a->spare_count == b->spare_count &&
           a->pin_count == b->pin_count && a->weightless_count == b->weightless_count &&
           a->skin.count == b->skin.count && own->skin == other->skin &&
           a->skin_slots == b->skin_slots && a->paint_count == b->paint_count;
}

static bool same_array(const supi_blueprint_array* own, const supi_blueprint_array* other) {
    const void *a, *b;
    memcpy(&a, own->pointer, sizeof a);
    memcpy(&b, other->pointer, sizeof b);
    if (!a || !b) return a == b;
    return memcmp(a, b, (size_t)own->count * own->size) == 0;
}

static bool same_lattice(const supi_lattice* a, const supi_lattice* b, size_t rows) {
    if (!a || !b) return a == b;
    return a->reach == b->reach && a->spacing == b->spacing &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->cells, b->cells, rows * sizeof *a->cells) == 0 &&
           memcmp(a->weights, b->weights, rows * sizeof *a->weights) == 0;
}

static bool same_sheet(const supi_refine_grid* a, const supi_refine_grid* b) {
    return a->levels == b->levels && a->shear == b->shear && a->damping == b->damping &&
           memcmp(a->cells, b->cells, sizeof a->cells) == 0 &&
           memcmp(a->stretch, b->stretch, sizeof a->stretch) == 0 &&
           memcmp(a->bend, b->bend, sizeof a->bend) == 0;
}

bool supi_blueprint_equal(const sup_blueprint* a, const sup_blueprint* b) {
    if (a == b) return true;
    if (a->hash != b->hash || a->info.size != b->info.size || a->info.spacing != b->info.spacing ||
        a->info.density != b->info.density || a->info.blob_spacing != b->info.blob_spacing ||
        !same_counts(a, b) || !same_sheet(&a->refine, &b->refine) ||
        !same_lattice(a->lattice, b->lattice, (size_t)a->info.particle_count)) {
        return false;
    }
    supi_blueprint_array own[SUPI_BLUEPRINT_ARRAYS], other[SUPI_BLUEPRINT_ARRAYS];
    supi_blueprint_arrays((sup_blueprint*)(uintptr_t)a, own);
    supi_blueprint_arrays((sup_blueprint*)(uintptr_t)b, other);
    for (int i = 0; i < SUPI_BLUEPRINT_ARRAYS; i++) {
        if (!same_array(&own[i], &other[i])) return false;
    }
    return true;
}
