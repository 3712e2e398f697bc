/* Pairs are first looked at where they end; only those that overlap there are asked where they came
   from. */
#include "contact/encounter.h"

#include "contact/vec3.h"

float supi_encounter_depth(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 n) {
    float apart = supi_vec3_dot(n, supi_vec3_minus(a->centre, b->centre));
    return supi_ellipsoid_reach(a, n) + supi_ellipsoid_reach(b, n) - apart;
}

void supi_encounters_take(supi_encounters* e, int32_t lane, const supi_ellipsoid_rows* rows,
                          const supi_ellipsoid_pairs* end, int32_t from, float share) {
    supi_ellipsoid_rows_take(&e->rows, lane, rows, from);
    e->share[lane] = share;
    e->separation[lane] = end->separation[from];
    for (int k = 0; k < 3; k++) {
        e->offset[k][lane] = end->offset[k][from];
        e->normal[k][lane] = end->normal[k][from];
        e->reach_a[k][lane] = end->reach_a[k][from];
        e->reach_b[k][lane] = end->reach_b[k][from];
    }
}
