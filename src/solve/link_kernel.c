/* Links: distances, eight at a time that share no row, and the twist of eight that may. */
#include "solve/frame_phases.h"

/* ---- Distances ---- */

/* Links that have shrunk to nothing point as at rest, turned by their first end. */
F8_INLINE lanes3 rest_directions(const supi_frame_link8* link, const sup_vec3* place,
                                 const sup_row* q) {
    float x[8], y[8], z[8];
    for (int j = 0; j < 8; j++) {
        int32_t to = supi_lane_order(j);
        float d[3];
        rest_direction(place + link->a[j], place + link->b[j], d);
        x[to] = d[0];
        y[to] = d[1];
        z[to] = d[2];
    }
    lanes3 n = {f8_load(x), f8_load(y), f8_load(z)};
    return lanes3_turn_by(lanes4_gather(q, link->a), n);
}

F8_INLINE void mend(const supi_frame_link8* link, const supi_frame_drive* drive,
                    const sup_vec3* place, const supi_frame_rows* rows) {
    const supi_f8 zero = f8_set(0.0f);
    supi_rows8 xa = rows8_gather(rows->x, link->a), xb = rows8_gather(rows->x, link->b);
    supi_rows8 ca = rows8_gather(rows->cx, link->a), cb = rows8_gather(rows->cx, link->b);
    supi_rows8 way;
    for (int k = 0; k < 4; k++) {
        way.r[k] = f8_add(f8_sub(xa.r[k], xb.r[k]), f8_sub(ca.r[k], cb.r[k]));
    }
    lanes3 d = lanes3_of(lanes4_of(way));
    supi_f8 wa = lanes4_of(xa).w, wb = lanes4_of(xb).w;
    link_lanes l = {f8_load(link->length), f8_load(link->compliance), f8_load(link->damping),
                    f8_load(link->on), link->damped};
    supi_f8 far;
    supi_m8 tiny;
    lanes3 n = link_direction(d, l.length, &far, &tiny), moved = lanes3_zero();
    if (m8_bits(tiny)) n = lanes3_select(tiny, rest_directions(link, place, rows->q), n);
    if (link->damped) {
        lanes3 va = lanes3_of(lanes4_gather(rows->v, link->a));
        lanes3 vb = lanes3_of(lanes4_gather(rows->v, link->b));
        moved = lanes3_sub(lanes3_of(lanes4_of(ca)), lanes3_of(lanes4_of(cb)));
        moved = lanes3_madd(f8_set(drive->h), lanes3_sub(va, vb), moved);
    }
    n = link_pull(&l, drive, n, far, wa, wb, moved);
    supi_rows8 to_a = lanes4_rows(lanes4_with(lanes3_scale(wa, n), zero));
    supi_rows8 to_b = lanes4_rows(lanes4_with(lanes3_scale(wb, n), zero));
    for (int k = 0; k < 4; k++) {
        ca.r[k] = f8_add(ca.r[k], to_a.r[k]);
        cb.r[k] = f8_sub(cb.r[k], to_b.r[k]);
    }
    rows8_scatter(rows->cx, link->a, ca);
    rows8_scatter(rows->cx, link->b, cb);
}

void SUPI_KERNEL(supi_frame_links)(const supi_frame_link8* links, int32_t count,
                                   const supi_frame_drive* drive, const sup_vec3* place,
                                   const supi_frame_rows* rows) {
    for (int32_t i = 0; i < count; i++) mend(links + i, drive, place, rows);
}

/* ---- Twist ---- */

/* e^T I^-1 e of eight rows; 0 where they are pinned. */
F8_INLINE supi_f8 ease(const supi_frame_rows8* rest, const int32_t* row, lanes4 q, lanes3 e,
                       supi_f8 inverse_mass) {
    float m[6][8];
    for (int j = 0; j < 8; j++) {
        const supi_frame_rows8* eight = rest + row[j] / 8;
        int32_t lane = supi_lane_order(row[j] & 7), to = supi_lane_order(j);
        for (int k = 0; k < 6; k++) m[k][to] = eight->inverse[k][lane];
    }
    lanes3 body = lanes3_turn_by(lanes4_conjugate(q), e);
    supi_f8 zero = f8_set(0.0f), inverse[6];
    lanes_load6(m, inverse);
    return f8_select(f8_less(zero, inverse_mass), lanes3_dot(body, lanes3_symmetric(inverse, body)),
                     zero);
}

/* Twist about the unit vector e of the turn from p to q, rad. */
F8_INLINE supi_f8 twist_about(lanes4 p, lanes4 q, lanes3 e) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    lanes3 u = lanes3_of(q), v = lanes3_of(p);
    lanes3 d =
        lanes3_sub(lanes3_sub(lanes3_scale(p.w, u), lanes3_scale(q.w, v)), lanes3_cross(u, v));
    supi_f8 along = lanes3_dot(d, e), w = f8_madd(p.w, q.w, lanes3_dot(u, v));
    along = f8_select(f8_less(w, zero), f8_sub(zero, along), along);
    w = f8_abs(w);
    supi_f8 size = f8_sqrt(f8_madd(along, along, f8_mul(w, w)));
    supi_m8 some = f8_less(f8_set(1e-12f), size);
    supi_f8 scale = f8_div(one, f8_select(some, size, one));
    along = f8_mul(along, scale);
    w = f8_mul(w, scale);
    supi_f8 phi = f8_mul(lanes_log_factor(f8_mul(along, along), w), along);
    return f8_select(some, phi, zero);
}

F8_INLINE void add_moments(const supi_frame_twist8* t, supi_rows8 a, supi_rows8 b,
                           sup_row* moments) {
    sup_row to_a[8], to_b[8];
    rows8_store(to_a, a);
    rows8_store(to_b, b);
    for (int j = 0; j < 8; j++) {
        sup_row *one = moments + t->a[j], *two = moments + t->b[j];
        one->x += to_a[j].x;
        one->y += to_a[j].y;
        one->z += to_a[j].z;
        two->x -= to_b[j].x;
        two->y -= to_b[j].y;
        two->z -= to_b[j].z;
    }
}

void SUPI_KERNEL(supi_frame_twist)(const supi_frame_twist8* twists, int32_t count,
                                   const supi_frame_drive* drive, const supi_frame_rows8* rest,
                                   float slerp, const supi_frame_rows* rows, sup_row* moments) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    for (int32_t i = 0; i < count; i++) {
        const supi_frame_twist8* t = twists + i;
        lanes4 xa = lanes4_gather(rows->x, t->a), xb = lanes4_gather(rows->x, t->b);
        lanes4 qa = lanes4_gather(rows->q, t->a), qb = lanes4_gather(rows->q, t->b);
        lanes3 e = lanes3_sub(lanes3_of(xb), lanes3_of(xa));
        supi_f8 far = f8_sqrt(lanes3_dot(e, e));
        supi_m8 seen = f8_less(f8_load(t->tiny), far);
        e = lanes3_scale(f8_div(one, f8_select(seen, far, one)), e);
        supi_f8 ua = ease(rest, t->a, qa, e, xa.w), ub = ease(rest, t->b, qb, e, xb.w);
        supi_f8 both = f8_madd(f8_load(t->na), ua, f8_mul(f8_load(t->nb), ub));
        supi_m8 live = m8_and(seen, f8_less(zero, both));
        if (slerp >= 0.0f) {
            supi_f8 share = f8_div(f8_set(slerp), f8_select(live, both, one));
            lanes3 arc = lanes3_select(live, lanes4_between(qa, qb), lanes3_zero());
            add_moments(t, lanes4_rows(lanes4_with(lanes3_scale(f8_mul(share, ua), arc), zero)),
                        lanes4_rows(lanes4_with(lanes3_scale(f8_mul(share, ub), arc), zero)),
                        moments);
            continue;
        }
        supi_f8 soft = f8_mul(f8_load(t->compliance), f8_set(drive->per_h * drive->per_h));
        supi_f8 size = f8_div(twist_about(qa, qb, e), f8_select(live, f8_add(both, soft), one));
        lanes3 moment = lanes3_select(live, lanes3_scale(size, e), lanes3_zero());
        supi_rows8 out = lanes4_rows(lanes4_with(moment, zero));
        add_moments(t, out, out, moments);
    }
}
