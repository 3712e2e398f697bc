/* How two things that meet act on each other. */
#include "contact/find.h"

#include <math.h>

/* Spacings per second: how fast an overlap may open by itself, and how fast the rest of it is
 * shifted away. */
#define DEPART_SPACINGS 4
#define SHIFT_SPACINGS 15

/* Spacings within which particles that lie on something count as touching it. */
#define SLACK_SPACINGS 0.02f

/* Spacings per second below which a slip counts as sticking. */
#define CREEP_SPACINGS 0.5f

static float geometric_mean(double a, double b) { return (float)sqrt(a * b); }
static float larger(float a, float b) { return a > b ? a : b; }

supi_surface supi_find_surface(const supi_grip* a, const supi_grip* b, float spacing) {
    return (supi_surface){
        .friction_static = geometric_mean((double)a->friction_static, (double)b->friction_static),
        .friction_kinetic =
            geometric_mean((double)a->friction_kinetic, (double)b->friction_kinetic),
        .restitution = larger(a->restitution, b->restitution),
        .depart = DEPART_SPACINGS * spacing,
        .shift = SHIFT_SPACINGS * spacing,
        .slack = SLACK_SPACINGS * spacing,
        .creep = CREEP_SPACINGS * spacing,
        .stops = a->stops || b->stops};
}

static bool same_grip(const supi_grip* a, const supi_grip* b) {
    return a->friction_static == b->friction_static && a->friction_kinetic == b->friction_kinetic &&
           a->restitution == b->restitution && a->stops == b->stops;
}

static bool is_last(const supi_find_last* last, const supi_grip* a, const supi_grip* b,
                    float spacing) {
    return last->known && last->spacing == spacing && same_grip(&last->a, a) &&
           same_grip(&last->b, b);
}

int32_t supi_find_surfaces(supi_find* find, const supi_grip* a, int32_t a_count, const supi_grip* b,
                           int32_t b_count, float spacing) {
    supi_contacts* contacts = find->contacts;
    int32_t first = contacts->surface_count, need = a_count * b_count;
    if (need == 1 && is_last(&find->last, a, b, spacing)) return find->last.surface;
    if (need > INT32_MAX - first) return -1;
    contacts->surfaces = supi_column_reserve(&contacts->surface_store, find->allocator,
                                             first + need, sizeof(supi_surface));
    if (!contacts->surfaces) return -1;
    for (int32_t i = 0; i < a_count; i++) {
        for (int32_t j = 0; j < b_count; j++) {
            contacts->surfaces[contacts->surface_count++] =
                supi_find_surface(&a[i], &b[j], spacing);
        }
    }
    if (need == 1) find->last = (supi_find_last){true, *a, *b, spacing, first};
    return first;
}
