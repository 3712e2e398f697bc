#include "tape/recipe.h"

#include "base/memory.h"
#include "blueprint/blob.h"
#include "blueprint/directions.h"
#include "blueprint/fit.h"
#include "blueprint/groups.h"
#include "blueprint/lattice.h"
#include "blueprint/oriented.h"
#include "blueprint/paint.h"
#include "blueprint/sheet.h"
#include "blueprint/springs.h"
#include "blueprint/tears.h"
#include "blueprint/tets.h"

/* A field that is added to one of these has to be told below; then put the size right. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(sup_blueprint_info) == 152, "tell the new field of a blueprint");
_Static_assert(sizeof(supi_cluster) == 84, "tell the new field of a cluster");
_Static_assert(sizeof(sup_blueprint) == 1824, "tell the new array of a blueprint");
_Static_assert(sizeof(supi_lattice) == 104, "tell the new field of a lattice");
#endif

/* ---- The one list of fields, for packing, comparing and unpacking ---- */

/* `from` is NULL unless the blueprint is being read. */
typedef struct walk {
    supi_visitor* visitor;
    supi_unpack* from;
    sup_blueprint* b;
} walk;

/* Room for an array that is to be read; where fields are only looked at, the array itself. NULL
   after a refusal, and for no count. `width`: bytes that an item takes in the file. */
static void* room(walk* w, const char* name, const void* array, int32_t count, size_t size,
                  size_t width) {
    if (!w->from) return (void*)(uintptr_t)array;
    if (!supi_unpack_has(w->from, name, (size_t)count, width)) return NULL;
    void* made = supi_arena_push(&w->b->arena, (size_t)count, size);
    if (!made) supi_unpack_memory(w->from);
    return made;
}

/* One array of plain numbers; returns where it is. */
static void* visit_array(walk* w, const char* name, supi_visit_kind kind, const void* array,
                         int32_t count, double least, double most) {
    size_t width = supi_pack_width(kind);
    void* at = room(w, name, array, count, width, width);
    if (at) supi_visit(w->visitor, name, kind, at, (size_t)count, least, most);
    return at;
}

static void* visit_indices(walk* w, const char* name, const int32_t* array, int32_t count,
                           int32_t most) {
    return visit_array(w, name, SUPI_VISIT_I32, array, count, 0, most);
}

static void* visit_floats(walk* w, const char* name, const float* array, int32_t count,
                          double least) {
    return visit_array(w, name, SUPI_VISIT_F32, array, count, least, 3.5e38);
}

/* Vectors and the like, as the floats they are made of. */
static void* visit_vectors(walk* w, const char* name, const sup_vec3* array, int32_t count) {
    sup_vec3* at = room(w, name, array, count, sizeof *array, 12);
    if (at) supi_visit_f32(w->visitor, name, &at->x, 3 * (size_t)count);
    return at;
}

/* An array that may be missing. */
static bool visit_presence(walk* w, const char* name, const void* array) {
    bool there = array != NULL;
    supi_visit_bool(w->visitor, name, &there);
    return there;
}

static void visit_counts(walk* w) {
    sup_blueprint* b = w->b;
    sup_blueprint_info* info = &b->info;
    supi_visitor* v = w->visitor;
    const struct {
        const char* name;
        int32_t* count;
        double least, most;
    } counts[] = {
        {"particle_count", &info->particle_count, 1, INT32_MAX / 4},
        {"surface_particle_count", &info->surface_particle_count, 0, INT32_MAX / 4},
        {"vertex_count", &info->vertex_count, 0, INT32_MAX / 4},
        {"polygon_count", &info->polygon_count, 0, INT32_MAX / 4},
        {"corner_count", &info->corner_count, 0, INT32_MAX / 4},
        {"membership_count", &info->membership_count, 1, INT32_MAX},
        {"region_count", &info->region_count, 1, 256},
        {"cluster_count", &b->cluster_count, 1, INT32_MAX / 4},
        {"member_count", &b->member_count, 0, INT32_MAX / 4},
        {"block_count", &b->block_count, 0, INT32_MAX / 4},
        {"pin_count", &b->pin_count, 0, INT32_MAX / 4},
        {"weightless_count", &b->weightless_count, 0, INT32_MAX / 4},
        {"skin_count", &b->skin.count, 0, INT32_MAX / 16},
        {"spring_count", &b->spring_count, 0, INT32_MAX / 16},
        {"tet_count", &b->solid.tet_count, 0, INT32_MAX / 16},
        {"spare_count", &b->spare_count, 0, INT32_MAX / 4},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        supi_visit_i32(v, counts[i].name, counts[i].count, 1, counts[i].least, counts[i].most);
    }
    supi_visit_f64(v, "mass", &info->mass, 1, 0, 1e30);
    supi_visit_f64(v, "volume", &info->volume, 1, -1e30, 1e30);
    supi_visit_f64(v, "density", &info->density, 1, 0, 1e40);
    supi_visit_f64(v, "size", &info->size, 1, 0, 1e6);
    supi_visit_f64(v, "spacing", &info->spacing, 1, 0, 1e7);
    supi_visit_f64(v, "radius", &info->radius, 1, 0, 1e7);
    supi_visit_f64(v, "centre", info->centre, 3, -3.5e38, 3.5e38);
    supi_visit_u64(v, "hash", &b->hash);
    supi_visit_bool(v, "loose", &b->loose);
    supi_visit_bool(v, "can_tear", &b->can_tear);
    if (!w->from) return;
    info->spring_count = b->spring_count;
    info->clustered = !b->loose;
    info->tet_count = b->solid.tet_count;
    info->spare_count = b->spare_count;
    b->row_count = (info->particle_count + 7) & ~7;
    info->cluster_count = b->cluster_count;
    info->pinned_count = b->pin_count;
    info->skin = b->skin.count > 0 ? SUP_SKIN_CLUSTERS : SUP_SKIN_PARTICLES;
}

static void visit_particles(walk* w) {
    sup_blueprint* b = w->b;
    int32_t count = b->info.particle_count, last = count - 1;
    b->row_of = visit_indices(w, "row_of", b->row_of, count, last);
    b->id_of = visit_indices(w, "id_of", b->id_of, count, last);
    b->rest = visit_vectors(w, "rest", b->rest, count);
    b->mass = visit_floats(w, "mass", b->mass, count, 0);
    b->inverse_mass = visit_floats(w, "inverse_mass", b->inverse_mass, count, 0);
    b->radius = visit_floats(w, "radius", b->radius, count, 0);
    if (visit_presence(w, "depth", b->depth)) {
        b->depth = visit_floats(w, "depth", b->depth, count, -3.5e38);
    }
    if (visit_presence(w, "outward", b->outward)) {
        b->outward = visit_vectors(w, "outward", b->outward, count);
    }
    if (visit_presence(w, "region", b->region)) {
        b->region =
            visit_array(w, "region", SUPI_VISIT_U8, b->region, count, 0, b->info.region_count - 1);
    }
    b->pins = visit_indices(w, "pins", b->pins, b->pin_count, last);
    b->weightless = visit_indices(w, "weightless", b->weightless, b->weightless_count, last);
}

/* Of a lattice, all that is not derived. */
static void visit_lattice(walk* w) {
    sup_blueprint* b = w->b;
    supi_visitor* v = w->visitor;
    bool there = visit_presence(w, "lattice", b->lattice);
    if (w->from) b->single = !there && b->cluster_count == 1;
    if (!there) return;
    b->lattice = room(w, "lattice", b->lattice, 1, sizeof *b->lattice, 24);
    if (!b->lattice) return;
    supi_lattice* l = b->lattice;
    supi_visit_i32(v, "lattice reach", &l->reach, 1, 1, SUPI_REACH_MOST);
    supi_visit_i32(v, "lattice size", l->size, 3, 1, SUPI_LATTICE_CELLS);
    supi_visit_f64(v, "lattice spacing", &l->spacing, 1, 0, 1e6);
    l->cells =
        visit_indices(w, "lattice cells", l->cells, b->info.particle_count, SUPI_LATTICE_CELLS - 1);
    l->weights = visit_floats(w, "lattice weights", l->weights, b->info.particle_count, 0);
}

static void visit_clusters(walk* w) {
    sup_blueprint* b = w->b;
    supi_visitor* v = w->visitor;
    b->clusters = room(w, "clusters", b->clusters, b->cluster_count, sizeof *b->clusters, 36);
    for (int32_t i = 0; b->clusters && i < b->cluster_count; i++) {
        supi_cluster* c = b->clusters + i;
        supi_visit_i32(v, "cluster begin", &c->begin, 1, 0, b->member_count);
        supi_visit_i32(v, "cluster end", &c->end, 1, 0, b->member_count);
        supi_visit_i32(v, "cluster count", &c->count, 1, 1, b->member_count);
        supi_visit_f32(v, "cluster weight", &c->weight, 1);
        supi_visit_f32(v, "cluster residue", c->residue, 3);
        supi_visit_f32(v, "cluster inertia_floor", &c->inertia_floor, 1);
        supi_visit_f32(v, "cluster spread", &c->spread, 1);
    }
    b->centres = visit_array(w, "centres", SUPI_VISIT_F64, b->centres, 3 * b->cluster_count,
                             -3.5e38, 3.5e38);
    b->blocks = room(w, "blocks", b->blocks, b->block_count, sizeof *b->blocks, 12);
    for (int32_t i = 0; b->blocks && i < b->block_count; i++) {
        supi_block* block = b->blocks + i;
        supi_visit_i32(v, "block cluster", &block->cluster, 1, 0, b->cluster_count - 1);
        supi_visit_i32(v, "block begin", &block->begin, 1, 0, b->member_count);
        supi_visit_i32(v, "block end", &block->end, 1, 0, b->member_count);
    }
}

static void visit_members(walk* w) {
    sup_blueprint* b = w->b;
    supi_members* m = &b->members;
    int32_t count = b->member_count, rows = b->info.particle_count;
    m->qx = visit_floats(w, "qx", m->qx, count, -3.5e38);
    m->qy = visit_floats(w, "qy", m->qy, count, -3.5e38);
    m->qz = visit_floats(w, "qz", m->qz, count, -3.5e38);
    m->w = visit_floats(w, "w", m->w, count, 0);
    if (b->single) return;
    m->index = visit_indices(w, "index", m->index, count, rows - 1);
    b->ask_starts =
        visit_indices(w, "ask_starts", b->ask_starts, rows + 1, b->info.membership_count);
    b->asks = visit_indices(w, "asks", b->asks, b->info.membership_count, count - 1);
    b->leader = visit_indices(w, "leader", b->leader, rows, b->cluster_count - 1);
    b->share = visit_floats(w, "share", b->share, rows, 0);
}

static void visit_springs(walk* w) {
    sup_blueprint* b = w->b;
    supi_visitor* v = w->visitor;
    if (b->spring_count == 0) return; /* nor is there an array */
    b->springs = room(w, "springs", b->springs, b->spring_count, sizeof *b->springs, 22);
    for (int32_t i = 0; b->springs && i < b->spring_count; i++) {
        sup_spring* s = b->springs + i;
        supi_visit_i32(v, "spring a", &s->a, 1, 0, b->info.particle_count - 1);
        supi_visit_i32(v, "spring b", &s->b, 1, 0, b->info.particle_count - 1);
        supi_visit_f32(v, "spring length", &s->length, 1);
        supi_visit_f32(v, "spring stiffness", &s->stiffness, 1);
        supi_visit_f32(v, "spring damping", &s->damping, 1);
        supi_visit(v, "spring kind", SUPI_VISIT_U8, &s->kind, 1, 0, SUP_SPRING_STRUT);
        supi_visit_bool(v, "spring slack", &s->slack);
    }
    if (visit_presence(w, "held", b->held)) {
        b->held = visit_array(w, "held", SUPI_VISIT_U8, b->held, b->info.particle_count, 0, 1);
    }
}

static void visit_links(walk* w) {
    sup_blueprint* b = w->b;
    supi_visitor* v = w->visitor;
    if (b->link_count == 0) return;
    b->links = room(w, "links", b->links, b->link_count, sizeof *b->links, 24);
    for (int32_t i = 0; b->links && i < b->link_count; i++) {
        sup_link* l = b->links + i;
        supi_visit_i32(v, "link a", &l->a, 1, 0, b->info.particle_count - 1);
        supi_visit_i32(v, "link b", &l->b, 1, 0, b->info.particle_count - 1);
        supi_visit_f32(v, "link length", &l->length, 1);
        supi_visit_f32(v, "link compliance", &l->compliance, 1);
        supi_visit_f32(v, "link damping", &l->damping, 1);
        supi_visit_f32(v, "link torsion", &l->torsion, 1);
    }
}

static void visit_parts(walk* w) {
    sup_blueprint* b = w->b;
    int32_t members = supi_oriented_member_count(b);
    if (b->part_count == 0) return;
    supi_visit_i32(w->visitor, "part members", &members, 1, 0, INT32_MAX / 32);
    b->part_starts = visit_indices(w, "part_starts", b->part_starts, b->part_count + 1, members);
    if (w->from && (!b->part_starts || b->part_starts[b->part_count] != members)) return;
    b->part_members =
        visit_indices(w, "part_members", b->part_members, members, b->info.particle_count - 1);
    if (!visit_presence(w, "part_plastics", b->part_plastics)) return;
    b->part_plastics =
        room(w, "part_plastics", b->part_plastics, b->part_count, sizeof *b->part_plastics, 20);
    if (b->part_plastics) {
        supi_visit_f32(w->visitor, "part_plastics", &b->part_plastics->speed,
                       5 * (size_t)b->part_count);
    }
    sup_error cause;
    bool read = w->from && w->from->result == SUP_OK && b->part_plastics;
    for (int32_t p = 0; read && p < b->part_count; p++) {
        if (supi_rig_check_plastic(b->part_plastics + p, &cause) == SUP_OK) continue;
        supi_unpack_refuse(w->from, "part_plastics", "part %d cannot be dented so", (int)p);
        return;
    }
}

static void visit_paint(walk* w) {
    sup_blueprint* b = w->b;
    supi_visitor* v = w->visitor;
    supi_visit_i32(v, "paint_count", &b->paint_count, 1, 0, INT32_MAX / 16);
    if (b->paint_count == 0) return;
    b->paint = room(w, "paint", b->paint, b->paint_count, sizeof *b->paint, 12);
    for (int32_t i = 0; b->paint && i < b->paint_count; i++) {
        sup_skin_weight* p = b->paint + i;
        supi_visit_i32(v, "painted point", &p->vertex, 1, 0, b->skin.count - 1);
        supi_visit_i32(v, "painted row", &p->particle, 1, 0, b->info.particle_count - 1);
        supi_visit_f32(v, "painted weight", &p->weight, 1);
    }
}

static void visit_directions(walk* w) {
    sup_blueprint* b = w->b;
    if (visit_presence(w, "normals", b->normals)) {
        b->normals = visit_vectors(w, "normals", b->normals, b->skin.count);
    }
    if (!visit_presence(w, "tangents", b->tangents)) return;
    b->tangents = room(w, "tangents", b->tangents, b->skin.count, sizeof *b->tangents, 16);
    for (int32_t i = 0; b->tangents && i < b->skin.count; i++) {
        supi_visit_f32(w->visitor, "tangent", &b->tangents[i].x, 4);
    }
}

/* Of oriented particles, all that is not derived. */
static void visit_oriented(walk* w) {
    sup_blueprint* b = w->b;
    sup_blueprint_info* info = &b->info;
    int32_t count = info->particle_count, skin = (int32_t)info->skin;
    supi_visit_bool(w->visitor, "oriented", &b->oriented);
    if (!b->oriented) return;
    supi_visit_i32(w->visitor, "link_count", &b->link_count, 1, 0, INT32_MAX / 32);
    supi_visit_i32(w->visitor, "part_count", &b->part_count, 1, 0, INT32_MAX / 32);
    supi_visit_i32(w->visitor, "skin", &skin, 1, SUP_SKIN_PARTICLES, SUP_SKIN_DUAL);
    if (w->from) {
        info->link_count = b->link_count;
        info->part_count = b->part_count;
        info->skin = (sup_skin_kind)skin;
        if (w->from->result != SUP_OK) return;
    }
    visit_links(w);
    visit_parts(w);
    b->ellipsoids = room(w, "ellipsoids", b->ellipsoids, count, sizeof *b->ellipsoids, 28);
    if (b->ellipsoids) {
        supi_visit_f32(w->visitor, "ellipsoids", &b->ellipsoids->rotation.x, 7 * (size_t)count);
    }
    b->moments = visit_floats(w, "moments", b->moments, 6 * count, -3.5e38);
    if (visit_presence(w, "frame_stiffness", b->frame_stiffness)) {
        b->frame_stiffness =
            visit_array(w, "frame_stiffness", SUPI_VISIT_F32, b->frame_stiffness, count, -1, 1e5);
    }
    if (visit_presence(w, "flat", b->flat)) b->flat = visit_vectors(w, "flat", b->flat, count);
    visit_paint(w);
    visit_directions(w);
    supi_visit_f64(w->visitor, "link_pin_factor", &b->link_pin_factor, 1, 1, 1000);
    supi_visit_bool(w->visitor, "parts_yield", &b->parts_yield);
    supi_visit_i32(w->visitor, "skin_slots", &b->skin_slots, 1, 1, SUPI_CARRIER_SLOTS);
}

static void visit_tets(walk* w) {
    supi_tet_mesh* solid = &w->b->solid;
    bool hung = w->b->info.skin == SUP_SKIN_TETS;
    if (solid->tet_count == 0) return;
    solid->tets =
        visit_indices(w, "tets", solid->tets, 4 * solid->tet_count, w->b->info.particle_count - 1);
    supi_visit_bool(w->visitor, "skin on tets", &hung);
    if (w->from && hung) w->b->info.skin = SUP_SKIN_TETS;
}

/* Of cloth that is cut, all that is not derived. */
static void visit_sheet(walk* w) {
    supi_visitor* v = w->visitor;
    supi_refine_grid* g = &w->b->refine;
    supi_visit_i32(v, "refine levels", &g->levels, 1, 0, SUPI_REFINE_LEVELS);
    if (g->levels == 0) return;
    supi_visit_i32(v, "refine cells", g->cells, 2, 1, 16384);
    supi_visit_f64(v, "refine stretch", g->stretch, 2, 0, 1e12);
    supi_visit_f64(v, "refine bend", g->bend, 2, 0, 1e12);
    supi_visit_f64(v, "refine shear", &g->shear, 1, 0, 1e12);
    supi_visit_f64(v, "refine damping", &g->damping, 1, 0, 10);
}

static void visit_surface(walk* w) {
    sup_blueprint* b = w->b;
    const sup_blueprint_info* info = &b->info;
    if (!visit_presence(w, "surface", b->starts)) return;
    int32_t drawn = b->skin.count > 0 ? b->skin.count : info->particle_count;
    if (b->skin.count > 0) {
        b->skin.rest = visit_vectors(w, "skin", b->skin.rest, b->skin.count);
    }
    b->vertex_rows = visit_indices(w, "vertex_rows", b->vertex_rows, info->vertex_count, drawn - 1);
    b->starts = visit_indices(w, "starts", b->starts, info->polygon_count + 1, info->corner_count);
    b->corners =
        visit_indices(w, "corners", b->corners, info->corner_count, info->vertex_count - 1);
}

/* Soft substance: where nothing else holds the particles together. */
static void visit_blob(walk* w) {
    sup_blueprint* b = w->b;
    if (!b->loose || b->spring_count > 0 || b->oriented) return;
    supi_visit_f64(w->visitor, "blob_spacing", &b->info.blob_spacing, 1, 0, 1e3);
}

static void visit_all(walk* w) {
    visit_counts(w);
    /* A count that was refused is no basis for arrays. */
    if (w->from && w->from->result != SUP_OK) return;
    visit_particles(w);
    visit_lattice(w);
    if (w->from && w->from->result != SUP_OK) return;
    if (!w->b->lattice) {
        visit_clusters(w);
        visit_members(w);
    }
    visit_springs(w);
    visit_tets(w);
    visit_oriented(w);
    visit_sheet(w);
    visit_surface(w);
    visit_blob(w);
}

/* ---- Arrays against each other ---- */

/* Starts of lists that end at `total` and have at least `least` entries each. */
static bool cuts(const int32_t* starts, int32_t lists, int32_t total, int32_t least) {
    if (starts[0] != 0 || starts[lists] != total) return false;
    for (int32_t i = 0; i < lists; i++) {
        if (starts[i + 1] < starts[i] || starts[i + 1] - starts[i] < least) return false;
    }
    return true;
}

/* Whoever has no inverse mass is listed, in order, as pinned or as weightless, and nobody else; but
   for spare rows. */
static bool specials_fit(const sup_blueprint* b) {
    int32_t pin = 0, weightless = 0;
    for (int32_t row = 0; row < supi_tears_rows(b); row++) {
        if (b->inverse_mass[row] > 0.0f) continue;
        if (pin < b->pin_count && b->pins[pin] == row)
            pin++;
        else if (weightless < b->weightless_count && b->weightless[weightless] == row &&
                 b->mass[row] == 0.0f)
            weightless++;
        else
            return false;
    }
    return pin == b->pin_count && weightless == b->weightless_count;
}

static bool rows_fit(const sup_blueprint* b) {
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        if (b->row_of[b->id_of[row]] != row || (double)b->radius[row] > b->info.radius * 1.000001) {
            return false;
        }
    }
    return b->info.surface_particle_count <= b->info.particle_count &&
           (!b->region || b->info.region_count > 1) && specials_fit(b) &&
           (b->depth != NULL) ==
               (!b->oriented && (b->skin.count > 0 || supi_blueprint_is_cloud(b)));
}

/* Clusters lie one after the other, each padded to eights, and blocks cut them in order. */
static bool clusters_fit(const sup_blueprint* b) {
    int32_t end = 0, block = 0;
    int64_t memberships = 0;
    for (int32_t i = 0; i < b->cluster_count; i++) {
        const supi_cluster* c = b->clusters + i;
        if (c->begin != end || c->end <= c->begin || ((c->end - c->begin) & 7) != 0 ||
            c->count > c->end - c->begin || c->count <= c->end - c->begin - 8 ||
            !(c->weight > 0.0f)) {
            return false;
        }
        for (; block < b->block_count && b->blocks[block].cluster == i; block++) {
            const supi_block* cut = b->blocks + block;
            if (cut->begin != end || cut->end <= cut->begin || cut->end > c->end ||
                (cut->end & 7) != 0 || cut->end - cut->begin > SUPI_BLOCK_MEMBERS) {
                return false;
            }
            end = cut->end;
        }
        if (end != c->end) return false;
        memberships += c->count;
    }
    return end == b->member_count && block == b->block_count &&
           memberships == b->info.membership_count;
}

/* The spacing is that of the particles, and the box no larger than the body, but for what nodes
   were put right. */
static bool spacing_fits(const sup_blueprint* b) {
    const supi_lattice* l = b->lattice;
    bool fits = l->spacing > 0.0 && l->spacing == (double)(float)b->info.spacing;
    for (int k = 0; k < 3; k++) {
        fits = fits && l->spacing * (l->size[k] - 1) <= 1.01 * b->info.size;
    }
    return fits;
}

/* The nodes lie in the box. */
static bool lattice_fits(const sup_blueprint* b) {
    const supi_lattice* l = b->lattice;
    int64_t cells = (int64_t)l->size[0] * l->size[1];
    cells = cells > SUPI_LATTICE_CELLS ? cells : cells * l->size[2];
    bool fits = cells <= SUPI_LATTICE_CELLS && b->member_count + b->block_count == 0;
    for (int32_t r = 0; fits && r < b->info.particle_count; r++) fits = l->cells[r] < cells;
    return fits && b->cluster_count == b->info.particle_count;
}

static bool members_fit(const sup_blueprint* b) {
    int32_t rows = b->info.particle_count;
    if (b->single) return b->member_count == b->row_count && b->info.membership_count == rows;
    return cuts(b->ask_starts, rows, b->info.membership_count, 1);
}

static bool surface_fits(const sup_blueprint* b) {
    const sup_blueprint_info* info = &b->info;
    if (!b->starts) {
        return info->vertex_count + info->polygon_count + info->corner_count + b->skin.count == 0;
    }
    if (b->skin.count > 0 && info->polygon_count == 0) return false;
    return cuts(b->starts, info->polygon_count, info->corner_count, 3);
}

static void check(supi_unpack* from, const sup_blueprint* b) {
    if (from->result != SUP_OK) return;
    if (!rows_fit(b)) {
        supi_unpack_refuse(from, "particles", "their arrays do not fit each other");
    } else if (b->lattice && !lattice_fits(b)) {
        supi_unpack_refuse(from, "lattice", "its nodes do not fit its size");
    } else if (b->lattice && !spacing_fits(b)) {
        supi_unpack_refuse(from, "lattice", "its spacing does not fit the body");
    } else if (!b->lattice && !clusters_fit(b)) {
        supi_unpack_refuse(from, "clusters", "they do not follow each other");
    } else if (!b->lattice && !members_fit(b)) {
        supi_unpack_refuse(from, "memberships", "they do not fit the particles");
    } else if (!supi_springs_fit(b) ||
               (b->loose && (b->lattice || (b->weightless_count > 0 && !b->oriented)))) {
        supi_unpack_refuse(from, "springs", "they do not fit the particles");
    } else if (b->info.skin == SUP_SKIN_TETS &&
               (b->oriented || b->can_tear || b->skin.count == 0 || !supi_tets_sound(b))) {
        supi_unpack_refuse(from, "tets", "they cannot carry the skin");
    } else if (b->oriented && (b->link_count + b->part_count == 0 ||
                               (b->skin.count > 0) != (b->info.skin != SUP_SKIN_PARTICLES))) {
        supi_unpack_refuse(from, "oriented", "links or skin do not fit the particles");
    } else if (b->part_count > 0 && !(b->part_starts && cuts(b->part_starts, b->part_count,
                                                             supi_oriented_member_count(b), 1))) {
        supi_unpack_refuse(from, "part_starts", "they do not ascend");
    } else if (!supi_paint_fits(b)) {
        supi_unpack_refuse(from, "paint", "its weights do not fit the skin");
    } else if (!supi_directions_fit(b)) {
        supi_unpack_refuse(from, "normals", "they do not fit the skin");
    } else if (!supi_sheet_fits(b)) {
        supi_unpack_refuse(from, "refine cells", "they do not fit the particles");
    } else if (!supi_blob_fits(b)) {
        supi_unpack_refuse(from, "blob_spacing", "the particles cannot be soft substance");
    } else if (!surface_fits(b)) {
        supi_unpack_refuse(from, "surface", "its polygons do not fit its corners");
    } else if (!supi_tears_fit(b)) {
        supi_unpack_refuse(from, "surface", "it cannot tear as it should");
    }
}

static void derive_lattice(supi_unpack* from, sup_blueprint* b) {
    sup_error cause;
    int32_t memberships = b->info.membership_count;
    if (supi_lattice_derive(b, &cause) != SUP_OK) {
        supi_unpack_wrap(from, "lattice", &cause);
    } else if (b->info.membership_count != memberships) {
        supi_unpack_refuse(from, "lattice", "its clusters have other sizes");
    }
}

/* What follows from the rest of a blueprint and is not in the file. */
static void derive(supi_unpack* from, sup_blueprint* b) {
    if (from->result != SUP_OK) return;
    for (int32_t row = 0; b->depth && row < b->info.particle_count; row++) {
        if (b->depth[row] > b->deepest) b->deepest = b->depth[row];
    }
    if (b->lattice)
        derive_lattice(from, b);
    else if (!supi_shapes_build(b))
        supi_unpack_memory(from);
    supi_sheet_derive(b);
    supi_arena scratch;
    supi_arena_init(&scratch, b->arena.allocator);
    if (from->result == SUP_OK && b->spring_count > 0 &&
        !(supi_springs_weave(b, &scratch) && supi_tears_build(b, &scratch))) {
        supi_unpack_memory(from);
    }
    sup_error cause;
    if (from->result == SUP_OK && b->oriented && supi_oriented_net(b, &scratch, &cause) != SUP_OK) {
        supi_unpack_wrap(from, "links", &cause);
    }
    if (from->result == SUP_OK && !supi_tets_derive(b, &scratch)) supi_unpack_memory(from);
    supi_arena_free(&scratch);
    if (from->result == SUP_OK && supi_blueprint_bind(b, &cause) != SUP_OK) {
        supi_unpack_wrap(from, "skin", &cause);
    }
    if (from->result == SUP_OK && supi_blueprint_hash(b) != b->hash) {
        supi_unpack_refuse(from, "hash", "it is not that of the arrays");
    }
}

/* ---- The calls ---- */

void supi_recipe_pack(supi_pack* pack, const sup_blueprint* blueprint) {
    walk w = {&pack->visitor, NULL, (sup_blueprint*)(uintptr_t)blueprint};
    visit_all(&w);
}

bool supi_recipe_is(const sup_blueprint* blueprint, const uint8_t* bytes, size_t size) {
    supi_match match = supi_match_begin(bytes, size);
    walk w = {&match.visitor, NULL, (sup_blueprint*)(uintptr_t)blueprint};
    visit_all(&w);
    return supi_match_same(&match);
}

sup_blueprint* supi_recipe_unpack(supi_unpack* unpack, const sup_allocator* allocator) {
    sup_blueprint* b = supi_memory_new(allocator, 1, sizeof *b);
    if (!b) {
        supi_unpack_memory(unpack);
        return NULL;
    }
    supi_arena_init(&b->arena, allocator);
    atomic_init(&b->references, 1);
    walk w = {&unpack->visitor, unpack, b};
    visit_all(&w);
    check(unpack, b);
    derive(unpack, b);
    if (unpack->result == SUP_OK) return b;
    sup_blueprint_release(b);
    return NULL;
}
