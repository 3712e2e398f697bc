/* Bodies of a scene: recipe, copies, regions and pins. */
#include "base/memory.h"
#include "blueprint/blueprint.h"
#include "file/polygons.h"
#include "scene/assemble.h"
#include "scene/blob.h"
#include "scene/build.h"
#include "scene/clay.h"
#include "supple/mesh.h"
#include "world/overlaps.h"
#include "world/springs.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Given in turn to bodies that name no colour. */
static const char* const palette[] = {"#e4572e", "#17a2b8", "#ffb627", "#76b041", "#3d5a98",
                                      "#c2417c", "#8d6cab", "#2f9e77", "#f28482", "#a98467"};
#define PALETTE_COUNT ((int32_t)(sizeof palette / sizeof *palette))

static void body_colour(const supi_body_draft* draft, int32_t index, float colour[3]) {
    double linear[3] = {0, 0, 0};
    if (draft->colour[0] >= 0) {
        memcpy(linear, draft->colour, sizeof linear);
    } else {
        supi_colour_parse(palette[index % PALETTE_COUNT], linear);
    }
    supi_assemble_colour(linear, colour);
}

/* ---- blueprints ---- */

static const supi_json* clusters_place(const supi_clusters_draft* clusters,
                                       const supi_json* owner) {
    return clusters->place ? clusters->place : owner;
}

/* Would there be a blueprint? */
static bool would_do(const sup_blueprint_def* def) {
    sup_blueprint* blueprint;
    bool does = sup_blueprint_create(def, &blueprint, NULL) == SUP_OK;
    if (does) sup_blueprint_release(blueprint);
    return does;
}

/* Where the key stands without which the body could be made. */
static const supi_json* blamed(const supi_json* body, const supi_json* clusters,
                               const sup_blueprint_def* def) {
    sup_blueprint_def less = *def;
    less.pin_count = less.region_count = 0;
    less.regions = NULL;
    less.layout = SUP_CLUSTERS_WHOLE;
    if (would_do(&less)) return clusters;
    /* Without a filling its arrays would be for other particles. */
    if (!(def->fill > 0) || def->masses) return body;
    less.skin = SUP_SKIN_PARTICLES; /* which needs a filling */
    less.fill = 0;
    return would_do(&less) ? supi_reader_place(body, "fill") : body;
}

/* Where it stands what holds a body together. */
static const supi_json* holding_place(const supi_body_draft* draft) {
    return draft->solid ? draft->solid->place : clusters_place(&draft->clusters, draft->place);
}

/* `clusters` is where those of the definition stand. */
static sup_result create_blueprint(const supi_reader* reader, const supi_json* body,
                                   const supi_json* clusters, const sup_blueprint_def* def,
                                   sup_blueprint** out) {
    sup_error cause;
    sup_result result = sup_blueprint_create(def, out, &cause);
    if (result == SUP_OK) return SUP_OK;
    bool memory = result == SUP_NO_MEMORY;
    return supi_reader_wrap(reader, memory ? body : blamed(body, clusters, def), &cause);
}

static sup_result check_mode(const supi_reader* reader, const supi_json* clusters,
                             sup_match_mode mode, const sup_blueprint* blueprint) {
    const sup_material material = {.mode = mode};
    sup_error cause;
    sup_result result = supi_material_suits(&material, blueprint, &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, clusters, &cause);
}

/* ---- picked particles ---- */

/* What is said of single particles of a body. */
typedef struct choice {
    int32_t* pins;    /* by particle: the last pin that picks it + 1, 0: none */
    int32_t* regions; /* the same for regions */
} choice;

static sup_result mark_all(const supi_reader* reader, const supi_body_draft* draft, int32_t count,
                           const sup_vec3* rest, const choice* chosen) {
    sup_result result = SUP_OK;
    const supi_pin_draft* pin = draft->pins.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->pins.count; i++, pin++) {
        result = supi_pick_mark(reader, pin->place, &pin->pick, count, rest, i + 1, chosen->pins);
    }
    const supi_region_draft* region = draft->regions.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->regions.count; i++, region++) {
        result = supi_pick_mark(reader, region->place, &region->pick, count, rest, i + 1,
                                chosen->regions);
    }
    return result;
}

/* Turns marks into what a blueprint wants. */
static sup_result list_marks(const supi_reader* reader, const supi_body_draft* draft, int32_t count,
                             const choice* chosen, sup_blueprint_def* def) {
    int32_t* pins = supi_arena_push(reader->store, (size_t)count, sizeof *pins);
    uint8_t* regions = supi_arena_push(reader->store, (size_t)count, sizeof *regions);
    if (!pins || !regions) return supi_reader_memory(reader);
    for (int32_t i = 0; i < count; i++) {
        if (chosen->pins[i]) pins[def->pin_count++] = i;
        regions[i] = (uint8_t)chosen->regions[i];
    }
    def->pins = pins;
    if (draft->regions.count == 0) return SUP_OK;
    def->regions = regions;
    def->region_count = draft->regions.count + 1;
    return SUP_OK;
}

/* Particles are picked from a blueprint without pins and regions: the engine alone says which
 * particles there are. */
static sup_result choose(const supi_reader* reader, const supi_body_draft* draft,
                         sup_blueprint_def* def, choice* chosen) {
    if (draft->pins.count == 0 && draft->regions.count == 0) return SUP_OK;
    sup_blueprint* plain;
    sup_result result = create_blueprint(reader, draft->place, holding_place(draft), def, &plain);
    if (result != SUP_OK) return result;
    sup_blueprint_info info = sup_blueprint_get_info(plain);
    size_t all = (size_t)info.particle_count, count = all - (size_t)info.spare_count;
    sup_vec3* rest = supi_arena_push(reader->store, all, sizeof *rest);
    chosen->pins = supi_arena_push(reader->store, count, sizeof *chosen->pins);
    chosen->regions = supi_arena_push(reader->store, count, sizeof *chosen->regions);
    if (rest && chosen->pins && chosen->regions) {
        sup_blueprint_read_rest(plain, rest);
        result = mark_all(reader, draft, (int32_t)count, rest, chosen);
        if (result == SUP_OK) result = list_marks(reader, draft, (int32_t)count, chosen, def);
    } else {
        result = supi_reader_memory(reader);
    }
    sup_blueprint_release(plain);
    return result;
}

/* ---- clusters and levels of detail ---- */

static void set_clusters(const supi_clusters_draft* clusters, sup_match_mode mode,
                         sup_blueprint_def* def) {
    bool sets = clusters->layout == SUP_CLUSTERS_EXPLICIT;
    bool elements = clusters->layout == SUP_CLUSTERS_ELEMENTS && clusters->sets.count > 0;
    def->layout = clusters->layout;
    def->cube = clusters->edge;
    def->overlap = clusters->overlap;
    def->reach = clusters->reach;
    def->allow_joints = clusters->joints;
    def->least_members = supi_blueprint_least_members(mode);
    def->cluster_count = sets ? clusters->sets.count : 0;
    def->cluster_starts = sets ? clusters->sets.starts : NULL;
    def->cluster_members = sets ? clusters->sets.members : NULL;
    def->element_corners = elements ? clusters->sets.starts[1] : 0;
    def->element_count = elements ? clusters->sets.count : 0;
    def->elements = elements ? clusters->sets.members : NULL;
}

static sup_blueprint_def blueprint_def(const sup_allocator* allocator, const supi_body_draft* draft,
                                       const sup_mesh* mesh) {
    sup_blueprint_def def = sup_blueprint_default();
    def.allocator = allocator;
    def.surface = mesh;
    if (draft->weld >= 0) def.weld = draft->weld;
    def.fill = draft->fill;
    if (draft->density > 0) def.density = draft->density;
    def.mass = draft->mass;
    set_clusters(&draft->clusters, (sup_match_mode)draft->material.mode, &def);
    def.pin_factor = draft->pin_factor;
    def.radius = draft->pass_through ? -1 : draft->radius;
    def.skin = (sup_skin_kind)draft->skin;
    def.skin_slots = draft->skin_slots;
    return def;
}

/* After a restore levels are known by what they are: no two may be the same. */
static sup_result check_level(const supi_reader* reader, const supi_json* place,
                              const supi_details* details, int32_t level) {
    const supi_level* own = &details->levels[level];
    for (int32_t k = 0; k < level; k++) {
        const supi_level* other = &details->levels[k];
        if (other->mode == own->mode && supi_blueprint_equal(other->blueprint, own->blueprint)) {
            return supi_reader_fail(reader, place, "levels %d and %d of \"details\" are the same",
                                    (int)k, (int)level);
        }
    }
    return SUP_OK;
}

/* The budget takes the level before for the cheaper one. */
static bool note_order(sup_scene* scene, const supi_json* place, const supi_details* details,
                       int32_t level) {
    if (level == 0) return true;
    const supi_level *own = &details->levels[level], *before = own - 1;
    int32_t count = own->blueprint->cluster_count, coarse = before->blueprint->cluster_count;
    if (count > coarse || (count == coarse && own->mode > before->mode)) return true;
    return supi_notes_add(scene, place,
                          "level %d of \"details\" has %s than level %d; levels go from coarse to "
                          "fine",
                          (int)level, count < coarse ? "fewer clusters" : "a lower mode",
                          (int)level - 1);
}

/* One blueprint for each level of detail; *out is that of the start. */
static sup_result make_levels(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, sup_blueprint_def* def,
                              supi_details* details, sup_blueprint** out) {
    const supi_detail_draft* drafts = draft->details.items;
    details->levels =
        supi_arena_push(&scene->store, (size_t)draft->details.count, sizeof *details->levels);
    if (!details->levels) return supi_reader_memory(reader);
    for (int32_t k = 0; k < draft->details.count; k++) {
        supi_level* level = &details->levels[k];
        const supi_json* clusters = clusters_place(&drafts[k].clusters, drafts[k].place);
        level->mode = (sup_match_mode)drafts[k].mode;
        set_clusters(&drafts[k].clusters, level->mode, def);
        sup_result result =
            create_blueprint(reader, draft->place, clusters, def, &level->blueprint);
        if (result == SUP_OK) {
            details->count = k + 1;
            result = check_mode(reader, clusters, level->mode, level->blueprint);
        }
        if (result == SUP_OK) result = check_level(reader, drafts[k].place, details, k);
        if (result == SUP_OK && !note_order(scene, drafts[k].place, details, k)) {
            result = supi_reader_memory(reader);
        }
        if (result != SUP_OK) return result;
    }
    *out = details->levels[draft->detail].blueprint;
    supi_blueprint_retain(*out);
    return SUP_OK;
}

/* The blueprint of a body without levels. */
static sup_result make_only(const supi_reader* reader, const supi_body_draft* draft,
                            const sup_blueprint_def* def, sup_blueprint** out) {
    const supi_json* clusters = holding_place(draft);
    sup_result result = create_blueprint(reader, draft->place, clusters, def, out);
    if (result != SUP_OK) return result;
    return check_mode(reader, clusters, (sup_match_mode)draft->material.mode, *out);
}

/* A skin of clusters has a surface, and particles under it. */
static sup_result check_skin(const supi_reader* reader, const supi_body_draft* draft,
                             const sup_mesh* mesh) {
    if (draft->skin != SUP_SKIN_CLUSTERS) return SUP_OK;
    const supi_json* place = supi_json_find(draft->place, "skin");
    if (mesh->polygon_count == 0) {
        return supi_reader_fail(reader, place,
                                "\"skin\" needs a surface, but %.200s is a cloud of points",
                                draft->shape.file);
    }
    if (draft->fill > 0) return SUP_OK;
    return supi_reader_fail(
        reader, place, "a \"skin\" of \"clusters\" needs \"fill\": particles under the surface");
}

/* What a body is made of before it has a blueprint. */
typedef struct matter {
    sup_mesh mesh;    /* empty where springs bring their own particles */
    sup_web web;      /* empty without springs */
    sup_rig* rig;     /* NULL without oriented particles of their own */
    sup_solid* solid; /* NULL without tetrahedra in the mesh */
    double volume;    /* m^3, of a mesh that soft substance has filled */
} matter;

/* Do its particles have rotations? */
static bool is_oriented(const supi_body_draft* draft) {
    return draft->fit || draft->shape.kind == SUPI_SHAPE_RIG;
}

static void free_matter(matter* m) {
    sup_mesh_free(&m->mesh);
    sup_web_free(&m->web);
    sup_rig_free(m->rig);
    sup_solid_free(m->solid);
}

/* Fills the mesh, and says what that means for a body without a volume. */
static sup_result fill_solid(sup_scene* scene, const supi_reader* reader,
                             const supi_body_draft* draft, const char* path, matter* out) {
    sup_result result =
        supi_filled_make(reader, scene->files, draft, path, &out->mesh, &out->solid);
    if (result != SUP_OK) return result;
    return supi_notes_solid(scene, draft, out->solid) ? SUP_OK : supi_reader_memory(reader);
}

/* Cloth says at once how many particles it has: it would take minutes to weave what is too much. */
static sup_result check_cloth(const supi_reader* reader, const supi_body_draft* draft) {
    if (!draft->weave || draft->weave->kind != SUPI_WEAVE_CLOTH) return SUP_OK;
    int64_t points = 1;
    for (int k = 0; k < 2; k++) {
        points *= ((int64_t)draft->shape.segments[k] << draft->weave->levels) + 1;
    }
    if (points <= SUPI_PARTICLE_LIMIT) return SUP_OK;
    return supi_reader_fail(reader, draft->shape.place, "cloth of %lld particles; at most %d fit",
                            (long long)points, SUPI_PARTICLE_LIMIT);
}

static sup_result gather_matter(sup_scene* scene, const supi_reader* reader,
                                const supi_body_draft* draft, matter* out) {
    const supi_shape_draft* shape = &draft->shape;
    const char* path = shape->file ? supi_assemble_path(scene, shape->file) : "";
    bool meshed = shape->kind != SUPI_SHAPE_ROPE && shape->kind != SUPI_SHAPE_VOXELS &&
                  shape->kind != SUPI_SHAPE_RIG;
    sup_result result = path ? check_cloth(reader, draft) : supi_reader_memory(reader);
    if (result == SUP_OK && meshed) {
        result = supi_shape_mesh(reader, scene->files, draft, path, &out->mesh);
        if (result == SUP_OK && !supi_notes_mesh(scene, shape->place, shape->file, &out->mesh)) {
            result = supi_reader_memory(reader);
        }
        if (result == SUP_OK) result = check_skin(reader, draft, &out->mesh);
    }
    if (result == SUP_OK && draft->solid) return fill_solid(scene, reader, draft, path, out);
    if (result == SUP_OK && draft->blob) {
        return supi_blob_draft_fill(reader, draft, &out->mesh, &out->volume);
    }
    if (result == SUP_OK && draft->weave) {
        result = supi_weave_make(reader, scene->files, draft, path, &out->mesh, &out->web);
        if (result == SUP_OK && !supi_notes_web(scene, draft, &out->web)) {
            result = supi_reader_memory(reader);
        }
    }
    if (result == SUP_OK && is_oriented(draft)) {
        result = supi_fit_make(reader, scene->files, draft, path, &out->mesh, &out->rig);
    }
    return result;
}

/* Springs, and the particles and masses that they were woven with. */
static void take_web(const supi_body_draft* draft, sup_web* web, sup_blueprint_def* def) {
    const sup_blueprint_def woven = sup_web_blueprint(web);
    def->surface = woven.surface;
    def->weld = woven.weld;
    def->points = woven.points;
    def->point_count = woven.point_count;
    def->masses = woven.masses;
    def->springs = woven.springs;
    def->spring_count = woven.spring_count;
    def->tets = woven.tets;
    def->tet_count = woven.tet_count;
    def->refine = woven.refine;
    def->anchors = woven.anchors;
    def->anchor_count = supi_weave_anchored(draft) ? woven.anchor_count : 0;
    if (draft->springs) def->spring_damping = draft->springs->damping;
    def->tears = draft->weave->tear > 0 || draft->weave->tear_force > 0;
    def->spare = def->tears ? draft->weave->spare : def->spare;
    if (!draft->clusters.place) def->layout = woven.layout;
    double sum = 0.0;
    for (int32_t i = 0; i < web->point_count; i++) sum += (double)web->masses[i];
    for (int32_t i = 0; draft->mass > 0 && i < web->point_count; i++) {
        web->masses[i] = (float)((double)web->masses[i] * draft->mass / sum);
    }
}

static sup_result take_solid(const supi_reader* reader, supi_body_draft* draft,
                             const sup_solid* solid, sup_blueprint_def* def) {
    if (draft->solid->kind == SUP_SOLID_SPRINGS) {
        draft->weave = supi_filled_weave(reader, draft, solid);
        if (!draft->weave) return supi_reader_memory(reader);
    }
    return supi_filled_take(reader, draft, solid, def);
}

/* `draft` gets the springs of a solid. */
static sup_result make_blueprint(sup_scene* scene, const supi_reader* reader,
                                 supi_body_draft* draft, choice* chosen, supi_details* details,
                                 sup_blueprint** out) {
    matter made = {.mesh = {0}};
    sup_result result = gather_matter(scene, reader, draft, &made);
    sup_blueprint_def def = blueprint_def(scene->store.allocator, draft, &made.mesh);
    if (result == SUP_OK && made.solid) result = take_solid(reader, draft, made.solid, &def);
    if (result == SUP_OK && draft->weave && !made.solid) take_web(draft, &made.web, &def);
    if (result == SUP_OK && draft->blob) supi_blob_draft_take(draft, made.volume, &def);
    if (result == SUP_OK && made.rig) result = supi_fit_take(reader, draft, made.rig, &def);
    if (result == SUP_OK) result = choose(reader, draft, &def, chosen);
    if (result == SUP_OK) {
        result = draft->details.count > 0 ? make_levels(scene, reader, draft, &def, details, out)
                                          : make_only(reader, draft, &def, out);
    }
    if (result == SUP_OK) result = supi_notes_clusters(scene, reader, draft, *out);
    if (result == SUP_OK && !supi_notes_body(scene, draft, *out)) {
        result = supi_reader_memory(reader);
    }
    free_matter(&made);
    return result;
}

/* ---- materials ---- */

static sup_plasticity make_plasticity(const supi_plastic_draft* draft) {
    return (sup_plasticity){.on = draft->place != NULL,
                            .rule = (sup_plastic_rule)draft->rule,
                            .yield = draft->yield,
                            .creep = draft->creep,
                            .limit = draft->limit,
                            .flow_time = draft->flow_time,
                            .flow_power = draft->flow_power,
                            .flow_strain = draft->flow_strain,
                            .flow_least = draft->flow_least};
}

/* The material of a body that begins with this level of detail; NULL: it has none. */
static sup_material make_material(const supi_material_draft* draft, const supi_level* level) {
    return (sup_material){.scheme = (sup_scheme)draft->scheme,
                          .rule = (sup_stiffness_rule)draft->rule,
                          .mode = level ? level->mode : (sup_match_mode)draft->mode,
                          .keeps_volume = draft->keep_volume,
                          .beta = draft->beta,
                          .stiffness = draft->stiffness,
                          .damping = draft->damping,
                          .raw_damping = draft->raw_damping,
                          .friction_static = draft->friction,
                          .friction_kinetic = draft->sliding_friction,
                          .restitution = draft->restitution,
                          .plastic = make_plasticity(&draft->plastic)};
}

static sup_result make_materials(sup_scene* scene, const supi_reader* reader,
                                 const supi_body_draft* draft, const supi_details* details,
                                 sup_scene_entry* entry) {
    const supi_level* level = details->count > 0 ? &details->levels[draft->detail] : NULL;
    entry->material = make_material(&draft->material, level);
    if (draft->regions.count == 0) return SUP_OK;
    size_t count = (size_t)draft->regions.count;
    sup_material* materials = supi_arena_push(&scene->store, count + 1, sizeof *materials);
    if (!materials) return supi_reader_memory(reader);
    const supi_region_draft* regions = draft->regions.items;
    materials[0] = entry->material;
    for (size_t i = 0; i < count; i++) {
        materials[i + 1] = make_material(&regions[i].material, level);
    }
    entry->region_materials = materials;
    return SUP_OK;
}

/* ---- moving pins ---- */

/* The motions of the pins, which all copies share; NULL where no pin has one. */
static sup_result make_motions(sup_scene* scene, const supi_reader* reader,
                               const supi_body_draft* draft, supi_pin_group** out) {
    const supi_pin_draft* pins = draft->pins.items;
    *out = NULL;
    for (int32_t i = 0; i < draft->pins.count; i++) {
        if (!pins[i].motion.place) continue;
        if (!*out) {
            *out = supi_arena_push(&scene->store, (size_t)draft->pins.count, sizeof **out);
        }
        if (!*out ||
            !supi_motion_make(&scene->store, &pins[i].motion, "offset", &(*out)[i].motion)) {
            return supi_reader_memory(reader);
        }
    }
    return SUP_OK;
}

/* Pins of one group lie about their mean. `counts` has room for the groups. */
static void centre_groups(const supi_driven_pins* pins, int32_t group_count, int32_t* counts,
                          supi_pin_group* groups) {
    for (int32_t i = 0; i < pins->count; i++) {
        int32_t g = pins->groups[i];
        if (g < 0) continue;
        double* sum = groups[g].centre;
        sum[0] += pins->start[i].x, sum[1] += pins->start[i].y, sum[2] += pins->start[i].z;
        counts[g]++;
    }
    for (int32_t g = 0; g < group_count; g++) {
        for (int32_t k = 0; k < 3 && counts[g] > 0; k++) groups[g].centre[k] /= counts[g];
    }
}

/* The pins of one copy, where the body that was just made has them. */
static sup_result drive_pins(sup_scene* scene, const supi_reader* reader,
                             const supi_body_draft* draft, const choice* chosen,
                             const supi_pin_group* motions, int32_t index) {
    supi_arena* store = &scene->store;
    const sup_blueprint* blueprint = sup_body_blueprint(scene->world, scene->bodies[index]);
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    size_t count = (size_t)info.pinned_count, group_count = (size_t)draft->pins.count;
    supi_driven* driven = supi_assemble_driven(scene, SUPI_DRIVEN_PINS, index);
    int32_t* ids = supi_arena_push(store, count, sizeof *ids);
    int32_t* groups = supi_arena_push(store, count, sizeof *groups);
    sup_point* places = supi_arena_push(store, 2 * count, sizeof *places);
    supi_pin_group* movers = supi_arena_push(store, group_count, sizeof *movers);
    int32_t* counts = supi_arena_push(store, group_count, sizeof *counts);
    sup_point* all = supi_memory_new(store->allocator, (size_t)info.particle_count, sizeof *all);
    bool turning = info.link_count + info.part_count > 0;
    sup_quat* turns = turning ? supi_arena_push(store, count, sizeof *turns) : NULL;
    bool memory =
        driven && ids && groups && places && movers && counts && all && (turns || !turning);
    if (memory) {
        sup_blueprint_read_pins(blueprint, ids);
        sup_body_read_particles(scene->world, scene->bodies[index], all, NULL);
        memcpy(movers, motions, group_count * sizeof *movers);
        const supi_pin_draft* pins = draft->pins.items;
        for (size_t i = 0; i < count; i++) {
            int32_t pin = chosen->pins[ids[i]] - 1;
            groups[i] = pins[pin].motion.place ? pin : -1;
            places[i] = all[ids[i]];
        }
        driven->pins = (supi_driven_pins){.count = (int32_t)count,
                                          .start = places,
                                          .groups = groups,
                                          .movers = movers,
                                          .places = places + count,
                                          .turns = turns};
        supi_turn_from_degrees(draft->rotation, driven->pins.turn);
        centre_groups(&driven->pins, draft->pins.count, counts, movers);
    }
    supi_memory_free(store->allocator, all, (size_t)info.particle_count, sizeof *all);
    return memory ? SUP_OK : supi_reader_memory(reader);
}

/* ---- bodies ---- */

/* Spheres of a cloud are as large as contact makes them; where other bodies pass through, as large
   as they would be. */
static float point_radius(const sup_blueprint_info* info) {
    return (float)(info->radius > 0 ? info->radius : 0.5 * info->spacing);
}

/* Adds the particles of an entry to the scene's, unless they become too many. */
static sup_result count_entry(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, const sup_scene_entry* entry) {
    const sup_blueprint_info* one = &entry->blueprint;
    sup_scene_info* all = &scene->info;
    int64_t copies = entry->body_count;
    if (all->particle_count + copies * one->particle_count > SUPI_PARTICLE_LIMIT) {
        return supi_reader_fail(
            reader, draft->place, "with this body the scene has %lld particles; at most %d fit",
            (long long)(all->particle_count + copies * one->particle_count), SUPI_PARTICLE_LIMIT);
    }
    all->particle_count += copies * one->particle_count;
    all->cluster_count += copies * one->cluster_count;
    all->vertex_count += copies * one->vertex_count;
    all->triangle_count += copies * (one->corner_count - 2 * (int64_t)one->polygon_count);
    all->mass += (double)copies * one->mass;
    return SUP_OK;
}

static sup_result make_body(sup_scene* scene, const supi_reader* reader,
                            const supi_body_draft* draft, const sup_scene_entry* entry,
                            int32_t index, sup_body_def* def) {
    sup_surface* surface = &scene->surfaces[index];
    surface->point_count = entry->blueprint.vertex_count;
    surface->polygon_count = entry->blueprint.polygon_count;
    surface->roughness = (float)draft->roughness;
    surface->changes = draft->blob && draft->blob->surface;
    if (supi_polygons_is_cloud(surface)) surface->point_radius = point_radius(&entry->blueprint);
    sup_blueprint_get_surface(def->blueprint, &surface->starts, &surface->corners);
    body_colour(draft, index, surface->colour);
    def->user = (uint64_t)index;
    sup_error cause;
    sup_result result = sup_body_create(scene->world, def, &scene->bodies[index], &cause);
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->place, &cause);
    if (draft->clay) {
        sup_clay_settings clay = supi_clay_draft_settings(draft->clay);
        result = sup_body_set_clay(scene->world, scene->bodies[index], &clay, &cause);
        if (result != SUP_OK) return supi_reader_wrap(reader, draft->clay->place, &cause);
    }
    if (draft->paused) sup_body_set_paused(scene->world, scene->bodies[index], true);
    return SUP_OK;
}

static sup_spring_settings spring_settings(const supi_springs_draft* draft) {
    if (!draft) return sup_spring_settings_default();
    sup_spring_settings s = {.integrator = (sup_integrator)draft->integrator,
                             .drag = draft->drag,
                             .tolerance = draft->tolerance,
                             .iterations = draft->iterations,
                             .newton = draft->newton,
                             .preconditioner = (sup_preconditioner)draft->preconditioner,
                             .adaptive = draft->adaptive,
                             .error_length = draft->error_length,
                             .error_strain = draft->error_strain,
                             .limit = draft->limit,
                             .limit_compression = draft->limit_compression,
                             .limit_kinds = (sup_limit_kinds)draft->limit_kinds,
                             .limit_sweeps = draft->limit_sweeps,
                             .air = {draft->air.across, draft->air.along},
                             .meets_itself = draft->meet_itself,
                             .thickness = draft->thickness,
                             .refine_angle = sup_spring_settings_default().refine_angle};
    if (draft->pressure.place) {
        const supi_pressure_draft* p = &draft->pressure;
        s.pressure = (sup_spring_pressure){p->inside, p->outside, p->power};
    }
    s.solid = (sup_spring_solid){draft->solid.area, draft->solid.volume, draft->solid.bend};
    if (draft->anchor.place) {
        const supi_anchor_draft* a = &draft->anchor;
        s.anchor = (sup_spring_anchor){a->frequency, a->damping, (sup_anchor_frame)a->frame};
    }
    if (draft->yield.place) {
        s.yield = (sup_spring_yield){draft->yield.strain, draft->yield.time, draft->yield.limit};
    }
    return s;
}

/* Anchors in place of struts that meet nothing: as stiff, by the mean mass of what they hold. */
static sup_spring_anchor strut_anchor(const supi_body_draft* draft, const sup_blueprint* print) {
    double mass = 0.0, count = 0.0;
    for (int32_t r = 0; r < print->info.particle_count; r++) {
        mass += print->held[r] ? (double)print->mass[r] : 0.0;
        count += print->held[r];
    }
    double w = sqrt(draft->weave->struts.stiffness * count / mass);
    return (sup_spring_anchor){.frequency = w < 1e4 ? w : 1e4,
                               .damping = sup_spring_settings_default().anchor.damping,
                               .frame =
                                   print->pin_count > 0 ? SUP_ANCHOR_FIXED : SUP_ANCHOR_FITTED};
}

/* The weave says when cloth tears and when it is cut, beside whether it can, and what its material
   asks for beside springs. */
static void take_weave(const supi_weave_draft* weave, sup_spring_settings* settings) {
    const sup_spring_solid solid = supi_weave_moduli(weave).solid;
    settings->solid.area += solid.area;
    settings->solid.volume += solid.volume;
    settings->solid.bend += solid.bend;
    settings->tear = weave->tear;
    settings->tear_force = weave->tear_force;
    if (weave->kind != SUPI_WEAVE_CLOTH) return;
    settings->refine_angle = weave->refine_angle;
    settings->refine_rule = (sup_refine_rule)weave->refine_rule;
}

static sup_frame_settings frame_settings(const supi_frames_draft* draft) {
    sup_frame_settings s = sup_frame_settings_default();
    if (!draft) return s;
    s.mode = (sup_frame_mode)draft->mode;
    s.stiffness = draft->stiffness;
    s.modulus = draft->modulus;
    s.damping = draft->damping;
    s.turn_damping = draft->turn_damping;
    s.turn = draft->turn;
    s.restores_momentum = draft->restore;
    s.meets_itself = draft->meet_itself;
    s.torsion = (sup_torsion_mode)draft->torsion;
    s.slerp = draft->slerp;
    s.friction = (sup_friction_rule)draft->friction;
    s.drag = draft->drag;
    s.turn_drag = draft->turn_drag;
    s.rolling_friction = draft->rolling_friction;
    s.air = (sup_spring_air){draft->air.across, draft->air.along};
    const supi_dent_draft* d = &draft->dents;
    if (d->place) {
        s.plastic = (sup_part_plasticity){d->speed, d->limit, d->time, d->stiffness, d->keep};
    }
    return s;
}

static sup_overlap_settings overlap_settings(const supi_overlap_draft* draft) {
    if (!draft) return sup_overlap_settings_default();
    return (sup_overlap_settings){.mode = (sup_overlap_mode)draft->mode,
                                  .meets_itself = draft->meet_itself,
                                  .edges = draft->edges,
                                  .stiffness = draft->stiffness,
                                  .depart = draft->depart,
                                  .shift = draft->shift,
                                  .damping = draft->damping};
}

static sup_body_def body_def(const supi_body_draft* draft, const sup_scene_entry* entry,
                             sup_blueprint* blueprint) {
    sup_body_def def = sup_body_default();
    def.blueprint = blueprint;
    def.gravity_scale = draft->gravity_scale;
    def.material = entry->material;
    def.region_materials = entry->region_materials;
    def.springs = spring_settings(draft->springs);
    if (draft->weave) take_weave(draft->weave, &def.springs);
    def.frames = frame_settings(draft->frames);
    def.overlap = overlap_settings(draft->overlap);
    def.blob = supi_blob_draft_settings(draft->blob);
    if (blueprint->held && !(draft->springs && draft->springs->anchor.place)) {
        def.springs.anchor = strut_anchor(draft, blueprint);
    }
    def.filter.category = supi_assemble_bits(&draft->category, def.filter.category);
    def.filter.mask = supi_assemble_bits(&draft->mask, def.filter.mask);
    def.stays_awake = draft->stays_awake;
    def.locked = draft->locked;
    for (int32_t k = 0; k < 3; k++) {
        def.velocity[k] = draft->velocity[k];
        def.angular_velocity[k] = draft->spin[k] * (PI / 180.0);
    }
    return def;
}

/* What the blueprint cannot do is refused where it was asked for. */
static sup_result check_def(const supi_reader* reader, const supi_body_draft* draft,
                            const sup_body_def* def) {
    const supi_json* material = draft->material.place ? draft->material.place : draft->place;
    sup_error cause;
    if (supi_material_suits(&def->material, def->blueprint, &cause) != SUP_OK) {
        return supi_reader_wrap(reader, material, &cause);
    }
    if (draft->overlap && def->blueprint->form.tet_count == 0) {
        return supi_reader_fail(reader, draft->overlap->place,
                                SUPI_NO_OVERLAP ": give it a \"solid\" of \"clusters\" or "
                                                "\"springs\"");
    }
    if (!draft->weave) return SUP_OK;
    if (supi_springs_check(&def->springs, def->blueprint, &cause) == SUP_OK) return SUP_OK;
    return supi_reader_wrap(reader, supi_weave_blamed(draft, &def->springs, def->blueprint),
                            &cause);
}

static sup_result make_copies(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, const sup_scene_entry* entry,
                              const choice* chosen, sup_blueprint* blueprint) {
    const sup_allocator* allocator = scene->store.allocator;
    size_t count = (size_t)entry->body_count;
    supi_pose* poses = supi_memory_new(allocator, count, sizeof *poses);
    if (!poses) return supi_reader_memory(reader);
    supi_pin_group* motions;
    sup_body_def def = body_def(draft, entry, blueprint);
    sup_result result = check_def(reader, draft, &def);
    if (result == SUP_OK) result = supi_copies_place(reader, draft, poses);
    if (result == SUP_OK) result = make_motions(scene, reader, draft, &motions);
    for (int32_t i = 0; result == SUP_OK && i < entry->body_count; i++) {
        int32_t index = entry->first_body + i;
        memcpy(def.position, poses[i].position, sizeof def.position);
        memcpy(def.rotation, poses[i].rotation, sizeof def.rotation);
        result = make_body(scene, reader, draft, entry, index, &def);
        if (result == SUP_OK && motions) {
            result = drive_pins(scene, reader, draft, chosen, motions, index);
        }
    }
    supi_memory_free(allocator, poses, count, sizeof *poses);
    return result;
}

sup_result supi_assemble_body(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* given, sup_scene_entry* entry) {
    supi_body_draft own = *given, *draft = &own;
    choice chosen = {NULL, NULL};
    sup_blueprint** blueprint = &scene->blueprints[entry - scene->entries];
    supi_details* details = &scene->details[entry - scene->entries];
    sup_result result = make_blueprint(scene, reader, draft, &chosen, details, blueprint);
    if (result != SUP_OK) return result;
    entry->blueprint = sup_blueprint_get_info(*blueprint);
    bool cloud = supi_blueprint_is_cloud(*blueprint) && !draft->blob;
    entry->shape = cloud ? "cloud" : supi_shape_name(&draft->shape);
    result = make_materials(scene, reader, draft, details, entry);
    if (result == SUP_OK) result = count_entry(scene, reader, draft, entry);
    return result == SUP_OK ? make_copies(scene, reader, draft, entry, &chosen, *blueprint)
                            : result;
}
