/* Attachments of a scene: which particles are held, and by what. */
#include "base/memory.h"
#include "scene/assemble.h"
#include "scene/build.h"

#include <stdio.h>
#include <string.h>

#define ATTACHMENTS 1000000 /* of a scene */

/* ---- finding ---- */

static sup_result unknown(const supi_reader* reader, const supi_json* place,
                          const supi_names* names, const char* what, const char* name) {
    char hint[SUPI_HINT_SIZE];
    return supi_reader_fail(reader, place, "there is no %s \"%.60s\"%s", what, name,
                            supi_names_hint(names, name, hint));
}

static sup_result find_body(const sup_scene* scene, const supi_reader* reader,
                            const supi_json* owner, const char* name, int32_t* index) {
    *index = supi_names_find(&scene->body_names, name);
    if (*index >= 0) return SUP_OK;
    const supi_json* place = supi_json_find(owner, "body");
    int32_t entry = supi_names_find(&scene->entry_names, name);
    if (entry < 0) return unknown(reader, place, &scene->body_names, "body", name);
    int32_t first = scene->entries[entry].first_body;
    return supi_reader_fail(reader, place, "\"%.60s\" has %d copies; name one of them: \"%.60s\"",
                            name, (int)scene->entries[entry].body_count,
                            scene->surfaces[first].name);
}

static sup_result find_collider(const sup_scene* scene, const supi_reader* reader,
                                const supi_end_draft* end, sup_collider* out) {
    int32_t index = supi_names_find(&scene->collider_names, end->collider);
    if (index < 0) {
        return unknown(reader, supi_json_find(end->place, "collider"), &scene->collider_names,
                       "collider", end->collider);
    }
    *out = scene->colliders[index].handle;
    return SUP_OK;
}

/* ---- picking ---- */

/* The particles of a body, and which of them a pick means. */
typedef struct crowd {
    const sup_allocator* allocator;
    int32_t index, count;
    sup_vec3* rest;    /* m, the body's own frame */
    sup_point* places; /* m, world */
    int32_t* marks;    /* 1: meant */
} crowd;

static void free_crowd(crowd* c) {
    size_t count = (size_t)c->count;
    supi_memory_free(c->allocator, c->rest, count, sizeof *c->rest);
    supi_memory_free(c->allocator, c->places, count, sizeof *c->places);
    supi_memory_free(c->allocator, c->marks, count, sizeof *c->marks);
}

/* `pick` may be NULL: none is meant. The caller frees the crowd, also after a failure. */
static sup_result gather(const sup_scene* scene, const supi_reader* reader, const supi_json* owner,
                         const char* name, const supi_pick_draft* pick, crowd* out) {
    sup_result result = find_body(scene, reader, owner, name, &out->index);
    if (result != SUP_OK) return result;
    sup_body body = scene->bodies[out->index];
    const sup_blueprint* blueprint = sup_body_blueprint(scene->world, body);
    out->allocator = scene->store.allocator;
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    out->count = info.particle_count;
    size_t count = (size_t)out->count;
    out->rest = supi_memory_new(out->allocator, count, sizeof *out->rest);
    out->places = supi_memory_new(out->allocator, count, sizeof *out->places);
    out->marks = supi_memory_new(out->allocator, count, sizeof *out->marks);
    if (!out->rest || !out->places || !out->marks) return supi_reader_memory(reader);
    sup_blueprint_read_rest(blueprint, out->rest);
    sup_body_read_particles(scene->world, body, out->places, NULL);
    if (!pick) return SUP_OK;
    int32_t real = info.particle_count - info.spare_count;
    return supi_pick_mark(reader, owner, pick, real, out->rest, 1, out->marks);
}

static int32_t nearest_of(const crowd* c, const sup_point* place) {
    int32_t nearest = 0;
    double best = -1;
    for (int32_t i = 0; i < c->count; i++) {
        double dx = c->places[i].x - place->x, dy = c->places[i].y - place->y;
        double dz = c->places[i].z - place->z, square = dx * dx + dy * dy + dz * dz;
        if (best < 0 || square < best) best = square, nearest = i;
    }
    return nearest;
}

static bool has_pick(const supi_json* owner) {
    return supi_json_find(owner, "box") || supi_json_find(owner, "sphere") ||
           supi_json_find(owner, "index") || supi_json_find(owner, "nearest");
}

/* The one particle that the pick of an end means; -1: each particle's nearest. */
static sup_result find_other(const supi_reader* reader, const supi_end_draft* end,
                             const crowd* others, bool picked, int32_t* out) {
    int32_t count = 0;
    *out = -1;
    for (int32_t i = 0; i < others->count; i++) {
        if (others->marks[i]) *out = i, count++;
    }
    if (!picked || count == 1) return SUP_OK;
    return supi_reader_fail(reader, end->place, "the end of an attachment is one particle, not %d",
                            (int)count);
}

/* ---- making ---- */

/* Everything but the particles. */
static sup_result begin_def(sup_scene* scene, const supi_reader* reader,
                            const supi_attachment_draft* draft, supi_motion* motion,
                            sup_attachment_def* def) {
    const supi_end_draft* end = &draft->to;
    *def = sup_attachment_default();
    def->length = draft->keep_length ? -1 : draft->length;
    def->meet = draft->meet;
    def->stiffness = draft->stiffness;
    def->damping = draft->damping;
    def->force_limit = draft->force_limit;
    def->break_force = draft->break_force;
    def->here = !end->body && (!end->place || !supi_json_find(end->place, "point"));
    memcpy(def->point, end->point, sizeof def->point);
    if (end->motion.place) {
        double none[3];
        if (!supi_motion_make(&scene->store, &end->motion, "position", motion)) {
            return supi_reader_memory(reader);
        }
        supi_motion_at(motion, 0, def->point, none);
    }
    return end->collider ? find_collider(scene, reader, end, &def->collider) : SUP_OK;
}

/* "rope", and "rope.1", "rope.2" where it holds several particles. */
static const char* make_name(sup_scene* scene, const supi_attachment_draft* draft, int32_t position,
                             int32_t number, int32_t count) {
    char stem[32];
    snprintf(stem, sizeof stem, "attachment-%d", (int)position + 1);
    const char* given = draft->name ? draft->name : stem;
    size_t room = strlen(given) + 16;
    char* name = supi_arena_push(&scene->store, room, 1);
    if (!name) return NULL;
    if (count > 1) {
        snprintf(name, room, "%s.%d", given, (int)number);
    } else {
        strcpy(name, given);
    }
    return name;
}

static sup_result add_one(sup_scene* scene, const supi_reader* reader,
                          const supi_attachment_draft* draft, const supi_motion* motion,
                          const char* name, sup_attachment_def* def) {
    int32_t index = scene->info.attachment_count;
    if (index >= ATTACHMENTS) {
        return supi_reader_fail(reader, draft->place, "a scene may have at most %d attachments",
                                ATTACHMENTS);
    }
    if (!name ||
        !supi_memory_grow(scene->store.allocator, (void**)&scene->attachments,
                          &scene->attachment_capacity, index + 1, sizeof *scene->attachments)) {
        return supi_reader_memory(reader);
    }
    def->user = (uint64_t)index;
    scene->attachments[index] = (sup_scene_attachment){.name = name, .def = *def};
    sup_error cause;
    sup_result result =
        sup_attachment_create(scene->world, def, &scene->attachments[index].handle, &cause);
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->place, &cause);
    scene->info.attachment_count++;
    if (!draft->to.motion.place) return SUP_OK;
    supi_driven* driven = supi_assemble_driven(scene, SUPI_DRIVEN_POINT, index);
    if (!driven) return supi_reader_memory(reader);
    driven->motion = *motion;
    memcpy(driven->position, draft->to.point, sizeof driven->position);
    return SUP_OK;
}

static sup_result add_all(sup_scene* scene, const supi_reader* reader,
                          const supi_attachment_draft* draft, int32_t position, const crowd* held,
                          const crowd* others) {
    const supi_end_draft* end = &draft->to;
    supi_motion motion = {0};
    sup_attachment_def def;
    int32_t other = -1, total = 0, number = 0;
    sup_result result = begin_def(scene, reader, draft, &motion, &def);
    if (result == SUP_OK && end->body) {
        result = find_other(reader, end, others, has_pick(end->place), &other);
        def.other = scene->bodies[others->index];
    }
    def.body = scene->bodies[held->index];
    for (int32_t i = 0; i < held->count; i++) total += held->marks[i];
    for (int32_t i = 0; result == SUP_OK && i < held->count; i++) {
        if (!held->marks[i]) continue;
        def.particle = i;
        if (end->body)
            def.other_particle = other < 0 ? nearest_of(others, &held->places[i]) : other;
        const char* name = make_name(scene, draft, position, ++number, total);
        result = add_one(scene, reader, draft, &motion, name, &def);
    }
    return result;
}

sup_result supi_assemble_attachment(sup_scene* scene, const supi_reader* reader,
                                    const supi_attachment_draft* draft, int32_t position) {
    const supi_end_draft* end = &draft->to;
    crowd held = {0}, others = {0};
    sup_result result = gather(scene, reader, draft->place, draft->body, &draft->pick, &held);
    if (result == SUP_OK && end->body) {
        const supi_pick_draft* pick = has_pick(end->place) ? &end->pick : NULL;
        result = gather(scene, reader, end->place, end->body, pick, &others);
    }
    if (result == SUP_OK) result = add_all(scene, reader, draft, position, &held, &others);
    free_crowd(&held);
    free_crowd(&others);
    return result;
}
