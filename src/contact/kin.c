#include "contact/kin.h"

#include "contact/vec3.h"
#include "geom/quaternion.h"
#include "geom/turn.h"

static supi_ellipsoid ball(sup_vec3 centre, float radius) {
    return (supi_ellipsoid){centre, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {radius, radius, radius}};
}

static supi_ellipsoid shape_at(const supi_kin* kin, int32_t row, sup_vec3 centre, sup_quat turn,
                               float scale) {
    const sup_row* r = &kin->oriented->radii[row - kin->first];
    const float radii[3] = {scale * r->x, scale * r->y, scale * r->z};
    return supi_ellipsoid_at(centre, turn, kin->oriented->axes[row - kin->first], radii);
}

supi_ellipsoid supi_kin_shape(const supi_kin* kin, int32_t row, const sup_row* x, const sup_row* v,
                              float scale) {
    sup_vec3 centre = supi_vec3_of_row(&x[row]);
    if (!kin->oriented) return ball(centre, scale * v[row].w);
    return shape_at(kin, row, centre, kin->oriented->turn[row - kin->first], scale);
}

supi_ellipsoid supi_kin_before(const supi_kin* kin, int32_t row, const sup_row* x, const sup_row* v,
                               float scale, float h) {
    sup_vec3 centre = supi_vec3_along(supi_vec3_of_row(&x[row]), -h, supi_vec3_of_row(&v[row]));
    if (!kin->oriented) return ball(centre, scale * v[row].w);
    sup_vec3 back = supi_vec3_scaled(supi_vec3_of_row(&kin->oriented->spin[row - kin->first]), -h);
    sup_quat turn = supi_turn_product(supi_turn_exp(back), kin->oriented->turn[row - kin->first]);
    return shape_at(kin, row, centre, turn, scale);
}

bool supi_kin_turns(const supi_kin* kin, int32_t row) {
    const supi_oriented* o = kin->oriented;
    return o && o->flags && (o->flags[row - kin->first] & (SUPI_TIPS | SUPI_ROLLS));
}

void supi_kin_side(const supi_kin* kin, int32_t row, sup_row* x, sup_row* v, float weight,
                   float weights, sup_vec3 arm, supi_side* side) {
    side->x = &x[row];
    side->v = &v[row];
    side->q = NULL; /* its ease is of no meaning where nothing turns it */
    side->w = side->shift = NULL;
    side->share = weight / weights;
    side->arm = arm;
    side->tips = side->rolls = false;
    const supi_oriented* o = kin->oriented;
    if (!o) return;
    int32_t local = row - kin->first;
    if (o->piece && o->piece[local] >= 0) side->shift = &o->shift[local];
    int flags = o->flags ? o->flags[local] : 0;
    side->w = &o->spin[local];
    if (!(weight > 0) || !(flags & (SUPI_TIPS | SUPI_ROLLS))) return;
    side->q = &o->turn[local];
    side->tips = flags & SUPI_TIPS;
    side->rolls = flags & SUPI_ROLLS;
    supi_moments ease = supi_moments_turned(&o->inertia[local], *side->q);
    for (int k = 0; k < 6; k++) side->ease.m[k] = ease.m[k] / weights;
}

bool supi_kin_hang_together(const supi_pairing* p, const supi_contact* c) {
    const supi_oriented* o = p->a.oriented;
    if (p->run_a != p->run_b || !o || !o->piece) return false;
    int32_t piece = o->piece[c->a - p->a.first];
    return piece >= 0 && piece == o->piece[c->b - p->b.first];
}

bool supi_kin_outward(const supi_kin* kin, int32_t row, sup_vec3* out) {
    const supi_oriented* o = kin->oriented;
    int32_t local = row - kin->first;
    if (!o || !o->flat || !o->flags || !(o->flags[local] & SUPI_FLAT)) return false;
    *out = supi_quaternion_turn(&o->turn[local], o->flat[local]);
    return true;
}

sup_vec3 supi_kin_speed(const supi_kin* kin, int32_t row, const sup_row* v, sup_vec3 arm) {
    sup_vec3 speed = supi_vec3_of_row(&v[row]);
    if (!kin->oriented) return speed;
    sup_vec3 spin = supi_vec3_of_row(&kin->oriented->spin[row - kin->first]);
    return supi_vec3_along(speed, 1, supi_vec3_cross(spin, arm));
}
