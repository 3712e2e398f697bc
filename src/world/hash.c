/* The fingerprint of a world: every field that the next step reads, in the
 * order of fields.h. */
#include "base/hash.h"
#include "world/fields.h"
#include "world/knead.h"

typedef struct hasher {
    supi_visitor visitor;
    uint64_t hash;
} hasher;

static uint64_t word_of(const supi_visited* field, size_t i) {
    switch (field->kind) {
    case SUPI_VISIT_BOOL: return ((const bool*)field->at)[i];
    case SUPI_VISIT_U8: return ((const uint8_t*)field->at)[i];
    case SUPI_VISIT_I32: return (uint64_t)((const int32_t*)field->at)[i];
    case SUPI_VISIT_U32: return ((const uint32_t*)field->at)[i];
    default: return ((const uint64_t*)field->at)[i];
    }
}

static void hash_field(supi_visitor* visitor, const supi_visited* field) {
    hasher* self = (hasher*)visitor;
    if (field->kind == SUPI_VISIT_F32) {
        self->hash = supi_hash_floats(self->hash, field->at, field->count);
        return;
    }
    for (size_t i = 0; i < field->count; i++) {
        self->hash = field->kind == SUPI_VISIT_F64
                         ? supi_hash_double(self->hash, ((const double*)field->at)[i])
                         : supi_hash_word(self->hash, word_of(field, i));
    }
}

uint64_t sup_world_hash(const sup_world* world) {
    hasher self = {{hash_field, .motion = true}, supi_hash_begin()};
    supi_visitor* v = &self.visitor;
    sup_world* w = (sup_world*)(uintptr_t)world; /* this visitor only looks */
    supi_fields_settings(v, &w->def, &w->time, &w->step_count);
    for (int32_t i = 0; i < w->body_count; i++) {
        supi_body* body = w->bodies + i;
        sup_body_def def = supi_fields_body_def_of(body);
        self.hash = supi_hash_word(self.hash, body->blueprint->hash);
        supi_fields_body_def(v, &def, body->materials, body->blueprint->info.region_count);
        supi_fields_body(v, w, body);
        self.hash = supi_hash_word(self.hash, body->plastic != NULL);
        supi_fields_plastic(v, body);
        supi_fields_lengths(v, body);
        if (!body->knead) continue;
        supi_knead_settings(v, &body->knead->settings);
        supi_knead_fields(v, body);
    }
    for (int32_t i = 0; i < w->collider_count; i++) {
        supi_collider_arrays arrays = supi_fields_arrays_of(w->colliders + i);
        supi_fields_collider_def(v, &w->colliders[i].def);
        supi_fields_array_counts(v, &arrays);
        supi_fields_arrays(v, &arrays);
        supi_fields_collider(v, w->colliders + i);
    }
    for (int32_t i = 0; i < w->attachment_count; i++) {
        supi_fields_attachment_def(v, &w->attachments[i].def);
        supi_fields_attachment(v, w->attachments + i);
    }
    for (int32_t i = 0; i < w->meeting_count; i++) supi_fields_meeting(v, w->meetings + i);
    const supi_tet_contacts* found = &w->overlaps.found;
    for (int32_t i = 0; i < found->memory_count; i++) {
        supi_fields_memory(v, found->memory + i, w->body_count);
    }
    return self.hash;
}
