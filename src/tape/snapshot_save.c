/* A world to bytes. */
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "supple/snapshot.h"
#include "tape/pack.h"
#include "tape/prints.h"
#include "tape/recipe.h"
#include "tape/snapshot_form.h"
#include "world/knead.h"
#include "world/springs.h"

void sup_bytes_free(sup_bytes* bytes) {
    if (!bytes || !bytes->allocator) return;
    supi_memory_free(bytes->allocator, bytes->data, bytes->size, 1);
    *bytes = (sup_bytes){0};
}

/* ---- Sections ---- */

/* Writes the tag; returns where the size goes once it is known. */
static size_t begin_section(supi_pack* p, const char* tag) {
    supi_pack_bytes(p, tag, 4);
    size_t at = p->size;
    supi_pack_u64(p, 0);
    return at;
}

static void end_section(supi_pack* p, size_t at) {
    if (p->data) supi_pack_store(p->data + at, p->size - at - 8, 8);
}

static void pack_pool(supi_pack* p, const supi_pool* pool) {
    supi_pack_u32(p, (uint32_t)pool->count);
    supi_pack_u32(p, (uint32_t)pool->free);
    for (int32_t i = 0; i < pool->count; i++) {
        supi_pack_u32(p, pool->slots[i].age);
        supi_pack_u32(p, (uint32_t)pool->slots[i].value);
    }
}

static void pack_bodies(supi_pack* p, sup_world* world, const supi_prints* prints) {
    size_t section = begin_section(p, SUPI_SNAPSHOT_BODIES);
    supi_pack_u32(p, (uint32_t)world->body_count);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        sup_body_def def = supi_fields_body_def_of(body);
        supi_pack_u32(p, (uint32_t)prints->of_body[i]);
        supi_fields_body_def(&p->visitor, &def, body->materials,
                             body->blueprint->info.region_count);
        supi_fields_body(&p->visitor, world, body);
        bool plastic = body->plastic != NULL;
        supi_visit_bool(&p->visitor, "plastic state", &plastic);
        supi_fields_plastic(&p->visitor, body);
        bool yielded = supi_yield_has(body);
        supi_visit_bool(&p->visitor, "yielded springs", &yielded);
        supi_fields_lengths(&p->visitor, body);
    }
    pack_pool(p, &world->body_pool);
    end_section(p, section);
}

static void pack_colliders(supi_pack* p, sup_world* world) {
    size_t section = begin_section(p, SUPI_SNAPSHOT_COLLIDERS);
    supi_pack_u32(p, (uint32_t)world->collider_count);
    for (int32_t i = 0; i < world->collider_count; i++) {
        supi_collider* c = world->colliders + i;
        supi_collider_arrays arrays = supi_fields_arrays_of(c);
        supi_fields_collider_def(&p->visitor, &c->def);
        supi_fields_array_counts(&p->visitor, &arrays);
        supi_fields_arrays(&p->visitor, &arrays);
        supi_fields_collider(&p->visitor, c);
    }
    pack_pool(p, &world->collider_pool);
    end_section(p, section);
}

static void pack_attachments(supi_pack* p, sup_world* world) {
    size_t section = begin_section(p, SUPI_SNAPSHOT_ATTACHMENTS);
    supi_pack_u32(p, (uint32_t)world->attachment_count);
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_fields_attachment_def(&p->visitor, &world->attachments[i].def);
        supi_fields_attachment(&p->visitor, world->attachments + i);
    }
    pack_pool(p, &world->attachment_pool);
    end_section(p, section);
}

static void pack_meetings(supi_pack* p, sup_world* world) {
    size_t section = begin_section(p, SUPI_SNAPSHOT_MEETINGS);
    supi_pack_u32(p, (uint32_t)world->meeting_count);
    for (int32_t i = 0; i < world->meeting_count; i++) {
        supi_fields_meeting(&p->visitor, world->meetings + i);
    }
    end_section(p, section);
}

static void pack_overlaps(supi_pack* p, sup_world* world) {
    const supi_tet_contacts* found = &world->overlaps.found;
    size_t section = begin_section(p, SUPI_SNAPSHOT_OVERLAPS);
    supi_pack_u32(p, (uint32_t)found->memory_count);
    for (int32_t i = 0; i < found->memory_count; i++) {
        supi_fields_memory(&p->visitor, found->memory + i, world->body_count);
    }
    end_section(p, section);
}

static void pack_clay(supi_pack* p, sup_world* world) {
    int32_t count = 0;
    for (int32_t i = 0; i < world->body_count; i++) count += world->bodies[i].knead != NULL;
    if (count == 0) return;
    size_t section = begin_section(p, SUPI_SNAPSHOT_CLAY);
    supi_pack_u32(p, (uint32_t)count);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!body->knead) continue;
        supi_pack_u32(p, (uint32_t)i);
        supi_knead_settings(&p->visitor, &body->knead->settings);
        supi_knead_fields(&p->visitor, body);
    }
    end_section(p, section);
}

/* ---- The whole ---- */

/* `total`: bytes of the whole; any where they are only counted. */
static void pack_world(supi_pack* p, sup_world* world, const supi_prints* prints, size_t total) {
    supi_pack_bytes(p, SUPI_SNAPSHOT_MAGIC, 8);
    supi_pack_u32(p, SUPI_SNAPSHOT_VERSION);
    supi_pack_u64(p, total);
    size_t section = begin_section(p, SUPI_SNAPSHOT_SETTINGS);
    supi_fields_settings(&p->visitor, &world->def, &world->time, &world->step_count);
    supi_pack_u32(p, (uint32_t)prints->count);
    end_section(p, section);
    for (int32_t i = 0; i < prints->count; i++) {
        section = begin_section(p, SUPI_SNAPSHOT_BLUEPRINT);
        supi_recipe_pack(p, prints->items[i]);
        end_section(p, section);
    }
    pack_bodies(p, world, prints);
    pack_colliders(p, world);
    pack_attachments(p, world);
    pack_meetings(p, world);
    pack_overlaps(p, world);
    pack_clay(p, world);
    uint64_t sum = p->data ? supi_hash_bytes(supi_hash_begin(), p->data, p->size) : 0;
    supi_pack_u64(p, sum);
}

sup_result sup_world_save(const sup_world* world, sup_bytes* out, sup_error* error) {
    SUPI_NEED(error, world, out);
    if (world->telling) {
        return supi_error_set(error, SUP_BUSY, "a world cannot be saved inside its own callback");
    }
    sup_world* w = (sup_world*)(uintptr_t)world; /* packing only looks */
    supi_prints prints;
    if (!supi_prints_collect(world, &prints)) return supi_error_memory(error);
    supi_pack count = supi_pack_begin(NULL);
    pack_world(&count, w, &prints, 0);
    uint8_t* data = supi_memory_new(world->allocator, count.size, 1);
    if (data) {
        supi_pack pack = supi_pack_begin(data);
        pack_world(&pack, w, &prints, count.size);
        *out = (sup_bytes){world->allocator, data, count.size};
    }
    supi_prints_free(&prints);
    return data ? SUP_OK : supi_error_memory(error);
}
