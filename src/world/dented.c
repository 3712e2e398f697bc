/* Particles of parts that yield: their shapes turn with what has flowed. */
#include "solve/turns.h"
#include "world/oriented.h"

/* Contacts have them in the order xx yy zz xy xz yz. */
static supi_moments turn_moments(const double r[9], const supi_moments* of) {
    const float* m = of->m;
    const double own[6] = {(double)m[0], (double)m[1], (double)m[2],
                           (double)m[5], (double)m[4], (double)m[3]};
    double out[6];
    supi_turns_of(r, own, out);
    return (supi_moments){
        {(float)out[0], (float)out[1], (float)out[2], (float)out[5], (float)out[4], (float)out[3]}};
}

static void turn_row(const supi_oriented* first, const sup_quat* flowed, int32_t row,
                     supi_dented* out) {
    double q[4], r[9], axes[4], normal[3], turned[3];
    supi_turns_from(flowed, q);
    supi_quaternion_matrix(q, r);
    supi_turns_from(first->axes + row, axes);
    supi_quaternion_product(q, axes, axes);
    supi_turns_unit(axes);
    out->axes[row] = supi_turns_round(axes);
    out->inertia[row] = turn_moments(r, first->inertia + row);
    if (!out->flat) return;
    supi_vector_from(first->flat + row, normal);
    supi_turns_apply(r, normal, turned);
    out->flat[row] = supi_vector_round(turned[0], turned[1], turned[2]);
}

void supi_dented_follow(const sup_blueprint* b, supi_turned* o) {
    const supi_oriented* first = &b->shapes;
    supi_dented* out = &o->dented;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        out->axes[r] = first->axes[r];
        out->inertia[r] = first->inertia[r];
        if (out->flat) out->flat[r] = first->flat[r];
        if (supi_part_turned(o->parts, r)) turn_row(first, o->parts->flowed + r, r, out);
    }
    o->self.version++;
}

bool supi_dented_push(const sup_blueprint* b, supi_turned* o) {
    size_t rows = (size_t)b->info.particle_count;
    supi_dented* d = &o->dented;
    d->axes = supi_arena_push(&o->arena, rows, sizeof *d->axes);
    d->inertia = supi_arena_push(&o->arena, rows, sizeof *d->inertia);
    if (b->shapes.flat) d->flat = supi_arena_push(&o->arena, rows, sizeof *d->flat);
    if (!d->axes || !d->inertia || (b->shapes.flat && !d->flat)) return false;
    o->contact.axes = d->axes;
    o->contact.inertia = d->inertia;
    o->contact.flat = d->flat;
    o->self.rest = o->parts->rest.place;
    supi_dented_follow(b, o);
    return true;
}

void supi_dented_refresh(supi_body* body) {
    supi_part_refresh(&body->blueprint->frames, body->oriented->parts);
    supi_dented_follow(body->blueprint, body->oriented);
}
