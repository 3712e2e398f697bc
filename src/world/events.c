/* What happened in a step: collected, put in order, told. */
#include "world/world.h"

#include <string.h>

const sup_event* sup_world_events(const sup_world* world, int32_t* count) {
    *count = world->event_count;
    return world->events;
}

/* A body can be restored, be too stiff, take bad steps, tear, wake and fall asleep in one step. */
enum { EVENTS_OF_BODY = 6 };

/* Twice the room: half of it is scratch for sorting. */
bool supi_events_reserve(sup_world* world, int32_t count) {
    int64_t need = (int64_t)world->event_count + count +
                   (int64_t)EVENTS_OF_BODY * world->body_count + world->attachment_count;
    if (2 * need > INT32_MAX) return false;
    sup_event* events = supi_column_reserve(&world->event_column, world->allocator,
                                            (int32_t)(2 * need), sizeof *events);
    if (!events) return false;
    world->events = events;
    return true;
}

void supi_events_add(sup_world* world, sup_event event) {
    world->events[world->event_count++] = event;
}

/* Bodies in their order, then contacts, then attachments; each in the order in which they were
 * added. */
static int64_t rank(const sup_world* world, const sup_event* event) {
    switch (event->kind) {
    case SUP_EVENT_CONTACT_BEGIN:
    case SUP_EVENT_CONTACT_END:
    case SUP_EVENT_SENSOR_BEGIN:
    case SUP_EVENT_SENSOR_END: return INT64_C(1) << 32;
    case SUP_EVENT_ATTACHMENT_BROKEN: return INT64_C(2) << 32;
    default: return supi_pool_find(&world->body_pool, event->body.slot, event->body.age);
    }
}

/* Merges the sorted events low .. middle - 1 and middle .. high - 1. */
static void merge(sup_world* world, int32_t low, int32_t middle, int32_t high) {
    sup_event *events = world->events, *scratch = events + world->event_count;
    int32_t a = low, b = middle;
    for (int32_t i = low; i < high; i++) {
        bool first =
            a < middle && (b >= high || rank(world, events + a) <= rank(world, events + b));
        scratch[i] = events[first ? a++ : b++];
    }
    memcpy(events + low, scratch + low, (size_t)(high - low) * sizeof *events);
}

static void sort(sup_world* world) {
    int64_t count = world->event_count;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t low = 0; low + width < count; low += 2 * width) {
            int64_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(world, (int32_t)low, (int32_t)(low + width), (int32_t)high);
        }
    }
}

void supi_events_tell(sup_world* world) {
    sort(world);
    if (world->def.on_event) {
        world->telling = true;
        for (int32_t i = 0; i < world->event_count; i++) {
            sup_event event = world->events[i];
            world->def.on_event(world->def.user, world, &event);
        }
        world->telling = false;
    }
    supi_attach_bury(world);
    supi_body_bury(world);
    supi_collider_bury(world);
}
