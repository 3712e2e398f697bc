#include "blueprint/filling.h"

#include "geom/vector.h"

#include <float.h>
#include <math.h>

static void site_point(const supi_filling* f, int32_t site, double out[3]) {
    supi_vector_from(f->blueprint->rest + supi_filling_row(f, site), out);
}

static void find_box(supi_filling* f) {
    double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int k = 0; k < 3; k++) f->origin[k] = DBL_MAX;
    for (int32_t site = 0; site < f->count; site++) {
        double p[3];
        site_point(f, site, p);
        for (int k = 0; k < 3; k++) {
            f->origin[k] = p[k] < f->origin[k] ? p[k] : f->origin[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        f->size[k] = 1;
        if (f->count > 0) f->size[k] += (int32_t)floor((high[k] - f->origin[k]) / f->spacing + 0.5);
    }
    f->steps[0] = 1;
    f->steps[1] = f->size[0] + 1; /* so that the end of a line is no neighbour of the next one */
    f->steps[2] = f->steps[1] * (f->size[1] + 1);
}

static int64_t key_of(const supi_filling* f, int32_t site) {
    double p[3];
    int64_t key = 0;
    site_point(f, site, p);
    for (int k = 0; k < 3; k++) {
        key += f->steps[k] * (int64_t)floor((p[k] - f->origin[k]) / f->spacing + 0.5);
    }
    return key;
}

int32_t supi_filling_seek(const supi_filling* filling, int64_t key) {
    int32_t low = 0, high = filling->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (filling->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool supi_filling_lay(const sup_blueprint* blueprint, int32_t count, double spacing,
                      supi_arena* scratch, supi_filling* out) {
    supi_filling* f = out;
    *f = (supi_filling){.blueprint = blueprint,
                        .count = count,
                        .first_id = blueprint->info.surface_particle_count,
                        .spacing = spacing};
    f->keys = supi_arena_push(scratch, (size_t)count, sizeof *f->keys);
    f->beside = supi_arena_push(scratch, (size_t)count, sizeof *f->beside);
    if (!f->keys || !f->beside) return false;
    find_box(f);
    for (int32_t site = 0; site < count; site++) {
        f->keys[site] = key_of(f, site);
        for (int side = 0; side < 6; side++) f->beside[site][side] = -1;
    }
    for (int32_t site = 0; site < count; site++) {
        for (int axis = 0; axis < 3; axis++) {
            int64_t key = f->keys[site] + f->steps[axis];
            int32_t next = supi_filling_seek(f, key);
            if (next == count || f->keys[next] != key) continue;
            f->beside[site][2 * axis + 1] = next;
            f->beside[next][2 * axis] = site;
        }
    }
    return true;
}
