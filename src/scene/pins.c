/* Pins: which particles a box, a sphere, a list or a nearest point chooses, in the body's own frame
 * after scaling. */
#include "scene/build.h"

static bool inside(const supi_pin_draft* pin, const double p[3]) {
    double square = 0;
    for (int32_t k = 0; k < 3; k++) {
        if (pin->kind == SUPI_PIN_BOX && !(p[k] >= pin->low[k] && p[k] <= pin->high[k])) {
            return false;
        }
        square += (p[k] - pin->centre[k]) * (p[k] - pin->centre[k]);
    }
    return pin->kind == SUPI_PIN_BOX || square <= pin->radius * pin->radius;
}

/* Marks what lies inside; returns how many. */
static int32_t mark_inside(const supi_pin_draft* pin, int32_t count, const sup_vec3* rest,
                           bool* marked) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        double p[3] = {rest[i].x, rest[i].y, rest[i].z};
        if (inside(pin, p)) marked[i] = true, found++;
    }
    return found;
}

static void mark_nearest(const supi_pin_draft* pin, int32_t count, const sup_vec3* rest,
                         bool* marked) {
    int32_t nearest = 0;
    double best = -1;
    for (int32_t i = 0; i < count; i++) {
        double dx = rest[i].x - pin->centre[0], dy = rest[i].y - pin->centre[1];
        double dz = rest[i].z - pin->centre[2], square = dx * dx + dy * dy + dz * dz;
        if (best < 0 || square < best) best = square, nearest = i;
    }
    marked[nearest] = true;
}

static sup_result mark_index(const supi_reader* reader, const supi_pin_draft* pin, int32_t count,
                             bool* marked) {
    const int32_t* ids = pin->index.items;
    for (int32_t i = 0; i < pin->index.count; i++) {
        if (ids[i] >= count) {
            return supi_reader_fail(reader, pin->place,
                                    "there is no particle %d; the body has %d (0 to %d)",
                                    (int)ids[i], (int)count, (int)count - 1);
        }
        marked[ids[i]] = true;
    }
    return SUP_OK;
}

static sup_result mark(const supi_reader* reader, const supi_pin_draft* pin, int32_t count,
                       const sup_vec3* rest, bool* marked) {
    if (pin->kind == SUPI_PIN_INDEX) return mark_index(reader, pin, count, marked);
    if (pin->kind == SUPI_PIN_NEAREST) {
        mark_nearest(pin, count, rest, marked);
    } else if (mark_inside(pin, count, rest, marked) == 0) {
        return supi_reader_fail(reader, pin->place, "no particle lies in this %s",
                                pin->kind == SUPI_PIN_BOX ? "box" : "sphere");
    }
    return SUP_OK;
}

sup_result supi_pins_choose(const supi_reader* reader, const supi_body_draft* body,
                            int32_t particle_count, const sup_vec3* rest, supi_pins* out) {
    bool* marked = supi_arena_push(reader->store, (size_t)particle_count, sizeof *marked);
    int32_t* ids = supi_arena_push(reader->store, (size_t)particle_count, sizeof *ids);
    if (!marked || !ids) return supi_reader_memory(reader);
    const supi_pin_draft* pins = body->pins.items;
    for (int32_t i = 0; i < body->pins.count; i++) {
        sup_result result = mark(reader, &pins[i], particle_count, rest, marked);
        if (result != SUP_OK) return result;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < particle_count; i++) {
        if (marked[i]) ids[count++] = i;
    }
    *out = (supi_pins){count, ids};
    return SUP_OK;
}
