#include "blueprint/blueprint.h"

#include "base/check.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/memory.h"
#include "blueprint/blob.h"
#include "blueprint/directions.h"
#include "blueprint/hang.h"
#include "blueprint/joints.h"
#include "blueprint/lattice.h"
#include "blueprint/oriented.h"
#include "blueprint/paint.h"
#include "blueprint/particles.h"
#include "blueprint/sheet.h"
#include "blueprint/springs.h"
#include "blueprint/tears.h"
#include "blueprint/tets.h"

sup_blueprint_def sup_blueprint_default(void) {
    return (sup_blueprint_def){
        .size = sizeof(sup_blueprint_def),
        .weld = -1.0,
        .density = 1000.0,
        .overlap = 0.5,
        .least_members = 4,
        .reach = 1,
        .spring_damping = 0.05,
        .link_pin_factor = 1.0,
        .spare = 0.5,
        .pin_factor = 10.0,
        .skin_slots = SUPI_CARRIER_SLOTS,
    };
}

/* Refuses what is wrong on its own, before any work. */
static sup_result check_def(const sup_blueprint_def* def, sup_error* error) {
    if (!def || def->size != sizeof *def) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_blueprint_def must come from sup_blueprint_default");
    }
    const supi_range ranges[] = {
        {"weld", def->weld, -1e9, 1e3},
        {"fill", def->fill, 0, 1e6},
        {"density", def->density, 1, 20000},
        {"mass", def->mass, 0, 1e12},
        {"cube", def->cube, 0, 1e6},
        {"overlap", def->overlap, 0.25, 0.75},
        {"least_members", def->least_members, 1, 1000},
        {"reach", def->reach, 1, SUPI_REACH_MOST},
        {"spring_damping", def->spring_damping, 0, 10},
        {"spare", def->spare, 0, 8},
        {"pin_factor", def->pin_factor, 1, 1000},
        {"link_pin_factor", def->link_pin_factor, 1, 1000},
        {"skin_slots", def->skin_slots, 1, SUPI_CARRIER_SLOTS},
        {"region_count", def->region_count, 0, 256},
        {"radius", def->radius, -1e9, 1e3},
        {"blob_spacing", def->blob_spacing, 0, 1e3},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK) return result;
    if (!def->surface && !def->points) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a blueprint needs a surface or points");
    }
    if (def->layout == SUP_CLUSTERS_LATTICE && !(def->fill > 0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a lattice needs its spacing as fill");
    }
    if (def->fill > 0 && !def->surface && def->layout != SUP_CLUSTERS_LATTICE) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no surface to fill");
    }
    if (def->skin < SUP_SKIN_PARTICLES || def->skin > SUP_SKIN_TETS) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown skin");
    }
    if (def->layout == SUP_CLUSTERS_NONE && def->skin == SUP_SKIN_CLUSTERS) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a skin of clusters needs clusters: springs alone have none");
    }
    bool skinned = def->skin != SUP_SKIN_PARTICLES;
    if (supi_skin_carried(def->skin) && def->link_count + def->part_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a skin of oriented particles needs links or parts");
    }
    if (skinned && !def->surface) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a skin needs a surface");
    }
    if (skinned && def->surface->polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a cloud has no surface that could be a skin");
    }
    if (skinned && !(def->fill > 0) && def->point_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "under a skin of clusters there must be particles: fill the surface, "
                              "or give points");
    }
    const struct {
        const char* what;
        int32_t count;
        const void* array;
    } lists[] = {{"points", def->point_count, def->points},
                 {"pins", def->pin_count, def->pins},
                 {"springs", def->spring_count, def->springs},
                 {"tetrahedra", def->tet_count, def->tets},
                 {"links", def->link_count, def->links},
                 {"parts", def->part_count, def->part_starts},
                 {"parts", def->part_count, def->part_members},
                 {"anchors", def->anchor_count, def->anchors},
                 {"painted weights", def->skin_weight_count, def->skin_weights}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i].count < 0) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "there cannot be %d %s",
                                  (int)lists[i].count, lists[i].what);
        }
        if (lists[i].count > 0 && !lists[i].array) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "a count without its array");
        }
    }
    result = supi_tears_check(def, error);
    if (result == SUP_OK) result = supi_hang_check(def, error);
    if (result == SUP_OK) result = supi_blob_check(def, error);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < def->point_count; i++) {
        const sup_vec3* p = def->points + i;
        float sum = p->x * 0.0f + p->y * 0.0f + p->z * 0.0f;
        if (!(sum == 0.0f)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "point %d is not finite", (int)i);
        }
    }
    return SUP_OK;
}

static sup_result whole_group(sup_blueprint* b, supi_arena* scratch, supi_groups* out,
                              sup_error* error) {
    out->count = 1;
    out->starts = supi_arena_push(scratch, 2, sizeof *out->starts);
    out->members = supi_arena_push(scratch, (size_t)b->info.particle_count, sizeof *out->members);
    if (!out->starts || !out->members) return supi_error_memory(error);
    out->starts[1] = b->info.particle_count;
    for (int32_t r = 0; r < b->info.particle_count; r++) out->members[r] = r;
    return SUP_OK;
}

static sup_result explicit_groups(const sup_blueprint_def* def, const sup_blueprint* b,
                                  supi_arena* scratch, supi_groups* out, sup_error* error) {
    if (def->cluster_count < 1 || !def->cluster_starts || !def->cluster_members) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "explicit clusters need their lists");
    }
    bool ascends = def->cluster_starts[0] == 0;
    for (int32_t c = 0; c < def->cluster_count; c++) {
        ascends = ascends && def->cluster_starts[c] <= def->cluster_starts[c + 1];
    }
    if (!ascends) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "cluster_starts must ascend from 0");
    }
    int32_t total = def->cluster_starts[def->cluster_count];
    int32_t* groups = supi_arena_push(scratch, (size_t)total, sizeof *groups);
    int32_t* rows = supi_arena_push(scratch, (size_t)total, sizeof *rows);
    if (!groups || !rows) return supi_error_memory(error);
    for (int32_t c = 0; c < def->cluster_count; c++) {
        for (int32_t i = def->cluster_starts[c]; i < def->cluster_starts[c + 1]; i++) {
            int32_t id = def->cluster_members[i];
            if (id < 0 || id >= b->info.particle_count) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "cluster %d names particle %d, there are %d", (int)c, (int)id,
                                      (int)b->info.particle_count);
            }
            groups[i] = c;
            rows[i] = b->row_of[id];
        }
    }
    return supi_groups_from_pairs(scratch, total, groups, rows, out) ? SUP_OK
                                                                     : supi_error_memory(error);
}

uint64_t supi_blueprint_hash(const sup_blueprint* b) {
    size_t rows = (size_t)b->info.particle_count, members = (size_t)b->member_count;
    uint64_t hash = supi_hash_begin();
    hash = supi_hash_double(hash, b->info.size);
    hash = supi_hash_double(hash, b->info.spacing);
    hash = supi_hash_double(hash, b->info.density);
    hash = supi_hash_floats(hash, &b->rest->x, 3 * rows);
    hash = supi_hash_floats(hash, b->inverse_mass, rows);
    hash = supi_hash_floats(hash, b->radius, rows);
    if (b->depth) hash = supi_hash_floats(hash, b->depth, rows);
    if (b->outward) hash = supi_hash_floats(hash, &b->outward->x, 3 * rows);
    for (int32_t i = 0; i < b->pin_count; i++) hash = supi_hash_word(hash, (uint64_t)b->pins[i]);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        hash = supi_hash_word(hash, (uint64_t)b->clusters[c].count);
    }
    for (size_t r = 0; b->region && r < rows; r++) hash = supi_hash_word(hash, b->region[r]);
    const float* columns[] = {b->members.qx, b->members.qy, b->members.qz, b->members.w};
    for (int k = 0; k < 4; k++) hash = supi_hash_floats(hash, columns[k], members);
    for (int32_t i = 0; !b->single && i < b->member_count; i++) {
        hash = supi_hash_word(hash, (uint64_t)b->members.index[i]);
    }
    for (int32_t i = 0; i < b->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        const float numbers[3] = {s->length, s->stiffness, s->damping};
        hash = supi_hash_word(hash, (uint64_t)s->a << 32 | (uint64_t)s->b);
        hash = supi_hash_word(hash, (uint64_t)s->kind << 1 | s->slack);
        hash = supi_hash_floats(hash, numbers, 3);
    }
    for (int32_t i = 0; i < 4 * b->solid.tet_count; i++) {
        hash = supi_hash_word(hash, (uint64_t)b->solid.tets[i]);
    }
    for (size_t r = 0; b->held && r < rows; r++) hash = supi_hash_word(hash, b->held[r]);
    if (b->oriented) hash = supi_oriented_hash(b, hash);
    if (b->loose) hash = supi_hash_word(hash, 1);
    if (b->info.blob_spacing > 0) hash = supi_hash_double(hash, b->info.blob_spacing);
    if (b->can_tear) hash = supi_hash_word(hash, (uint64_t)b->spare_count);
    if (b->refine.levels > 0) hash = supi_sheet_hash(b, hash);
    return b->lattice ? supi_lattice_hash(b, hash) : hash;
}

/* Regions in row order. A region without particles is no mistake. */
static sup_result set_regions(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    b->info.region_count = def->region_count > 1 ? def->region_count : 1;
    if (!def->regions || b->info.region_count == 1) return SUP_OK;
    int32_t count = b->info.particle_count;
    b->region = supi_arena_push(&b->arena, (size_t)count, sizeof *b->region);
    if (!b->region) return supi_error_memory(error);
    for (int32_t id = 0; id < count; id++) {
        if (def->regions[id] >= b->info.region_count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "particle %d is in region %d, there are %d", (int)id,
                                  (int)def->regions[id], (int)b->info.region_count);
        }
        b->region[b->row_of[id]] = def->regions[id];
    }
    return SUP_OK;
}

/* Clusters from lists of members. */
static sup_result build_groups(const sup_blueprint_def* def, sup_blueprint* b, const int32_t* edges,
                               int32_t edge_count, supi_arena* scratch, sup_error* error) {
    supi_groups groups;
    sup_result result;
    switch (def->layout) {
    case SUP_CLUSTERS_NONE:
    case SUP_CLUSTERS_WHOLE: result = whole_group(b, scratch, &groups, error); break;
    case SUP_CLUSTERS_CUBES:
        result = supi_cubes_build(def, b, edges, edge_count, scratch, &groups, error);
        break;
    case SUP_CLUSTERS_EXPLICIT: result = explicit_groups(def, b, scratch, &groups, error); break;
    case SUP_CLUSTERS_ELEMENTS:
        result = supi_elements_build(def, b, scratch, &groups, error);
        break;
    default: return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown cluster layout");
    }
    if (result == SUP_OK)
        result = supi_joints_verify(&groups, b, def->allow_joints, scratch, error);
    return result == SUP_OK ? supi_rest_build(def, &groups, b, scratch, error) : result;
}

static sup_result build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                        sup_error* error) {
    int32_t* edges;
    int32_t edge_count;
    b->loose = def->layout == SUP_CLUSTERS_NONE;
    b->info.clustered = !b->loose;
    b->info.blob_spacing = def->blob_spacing;
    b->can_tear = def->tears;
    sup_result result = supi_particles_build(def, b, scratch, &edges, &edge_count, error);
    if (result == SUP_OK) result = supi_tets_build(def, b, scratch, error);
    if (result == SUP_OK) result = supi_hang_build(def, b, scratch, error);
    if (result != SUP_OK) return result;
    if (b->info.skin == SUP_SKIN_TETS) {
        edges = b->solid.edges;
        edge_count = b->solid.edge_count;
    }
    result = def->layout == SUP_CLUSTERS_LATTICE
                 ? supi_lattice_build(def, b, scratch, error)
                 : build_groups(def, b, edges, edge_count, scratch, error);
    if (result == SUP_OK) result = supi_springs_build(def, b, scratch, error);
    if (result == SUP_OK) result = supi_oriented_build(def, b, scratch, error);
    if (result == SUP_OK && !supi_tears_build(b, scratch)) result = supi_error_memory(error);
    if (result == SUP_OK) result = set_regions(def, b, error);
    if (result == SUP_OK) result = supi_paint_build(def, b, scratch, error);
    if (result == SUP_OK) result = supi_directions_build(def, b, error);
    if (result == SUP_OK) result = supi_blueprint_bind(b, error);
    if (result == SUP_OK) b->hash = supi_blueprint_hash(b);
    return result;
}

sup_result sup_blueprint_create(const sup_blueprint_def* def, sup_blueprint** out,
                                sup_error* error) {
    SUPI_NEED(error, out);
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    if (!out) return supi_error_set(error, SUP_BAD_ARGUMENT, "nowhere to put the blueprint");
    const sup_allocator* allocator = def->allocator ? def->allocator : sup_allocator_default();
    sup_blueprint* b = supi_memory_new(allocator, 1, sizeof *b);
    if (!b) return supi_error_memory(error);
    supi_arena scratch;
    supi_arena_init(&b->arena, allocator);
    supi_arena_init(&scratch, allocator);
    atomic_init(&b->references, 1);
    supi_float_mode mode = supi_float_mode_enter();
    result = build(def, b, &scratch, error);
    supi_float_mode_leave(mode);
    supi_arena_free(&scratch);
    if (result == SUP_OK)
        *out = b;
    else
        sup_blueprint_release(b);
    return result;
}

void supi_blueprint_retain(sup_blueprint* blueprint) {
    atomic_fetch_add(&blueprint->references, 1);
}

void sup_blueprint_release(sup_blueprint* blueprint) {
    if (!blueprint || atomic_fetch_sub(&blueprint->references, 1) != 1) return;
    const sup_allocator* allocator = blueprint->arena.allocator;
    supi_arena_free(&blueprint->arena);
    supi_memory_free(allocator, blueprint, 1, sizeof *blueprint);
}

sup_blueprint_info sup_blueprint_get_info(const sup_blueprint* blueprint) {
    return blueprint->info;
}

void sup_blueprint_get_surface(const sup_blueprint* blueprint, const int32_t** starts,
                               const int32_t** corners) {
    static const int32_t none[1] = {0};
    *starts = blueprint->starts ? blueprint->starts : none;
    *corners = blueprint->corners ? blueprint->corners : none;
}

void sup_blueprint_read_rest(const sup_blueprint* blueprint, sup_vec3* points) {
    for (int32_t r = 0; r < blueprint->info.particle_count; r++) {
        points[blueprint->id_of[r]] = blueprint->rest[r];
    }
}

sup_particle sup_blueprint_get_particle(const sup_blueprint* blueprint, int32_t id) {
    int32_t row = blueprint->row_of[id];
    bool heavy = blueprint->mass[row] > 0.0f;
    return (sup_particle){.place = blueprint->rest[row],
                          .mass = blueprint->mass[row],
                          .radius = blueprint->radius[row],
                          .region = blueprint->region ? blueprint->region[row] : 0,
                          .surface = id < blueprint->info.surface_particle_count,
                          .pinned = heavy && blueprint->inverse_mass[row] == 0.0f};
}

void sup_blueprint_read_pins(const sup_blueprint* blueprint, int32_t* ids) {
    for (int32_t i = 0; i < blueprint->pin_count; i++) {
        ids[i] = blueprint->id_of[blueprint->pins[i]];
    }
}
