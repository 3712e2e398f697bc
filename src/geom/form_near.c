/* Forms for a neighbourhood: a part that is much farther away than another in the middle of a ball
   is so everywhere in the ball, because no value changes faster than the place. */
#include "geom/form_inside.h"

/* A form and its value in the middle of the ball. */
typedef struct found {
    const supi_form* form;
    double value;
} found;

static found look(supi_arena* arena, const supi_form* form, const double middle[3], double radius);

/* The form with other parts; itself when memory is short. */
static const supi_form* with_parts(supi_arena* arena, const supi_form* form, int32_t count,
                                   const supi_form* const* parts) {
    supi_form* copy = supi_arena_push(arena, 1, sizeof *copy);
    const supi_form** own = supi_arena_push(arena, (size_t)count, sizeof(supi_form*));
    if (!copy || !own) return form;
    *copy = *form;
    for (int32_t i = 0; i < count; i++) own[i] = parts[i];
    copy->parts = own;
    copy->part_count = count;
    return copy;
}

/* How much farther than another a part must be in the middle, not to matter in the ball. */
static double slack(double blend, double radius) { return blend + 2.000001 * radius; }

static found look_join(supi_arena* arena, const supi_form* form, const double middle[3],
                       double radius) {
    double blend = form->number[0], far = slack(blend, radius);
    const supi_form** kept = supi_arena_push(arena, (size_t)form->part_count, sizeof(supi_form*));
    if (!kept) return (found){form, supi_form_value(form, middle)};
    found first = look(arena, form->parts[0], middle, radius);
    double best = first.value;
    int32_t count = 1;
    kept[0] = first.form;
    for (int32_t i = 1; i < form->part_count; i++) {
        double reach = best + far, square = supi_form_box_square(form->parts[i], middle);
        if (square > 0 && (reach <= 0 || square >= reach * reach)) continue;
        found part = look(arena, form->parts[i], middle, radius);
        if (part.value - best >= far) continue;
        if (best - part.value >= far) count = 0;
        best = count == 0 ? part.value : supi_form_blend(best, part.value, blend);
        kept[count++] = part.form;
    }
    if (count == 1) return (found){kept[0], best};
    return (found){with_parts(arena, form, count, kept), best};
}

static found look_cut(supi_arena* arena, const supi_form* form, const double middle[3],
                      double radius) {
    double blend = form->number[0];
    found kept = look(arena, form->parts[0], middle, radius);
    found away = look(arena, form->parts[1], middle, radius);
    if (away.value + kept.value >= slack(blend, radius)) return kept;
    const supi_form* parts[2] = {kept.form, away.form};
    return (found){with_parts(arena, form, 2, parts),
                   -supi_form_blend(-kept.value, away.value, blend)};
}

/* A form with one part, which sees the ball elsewhere. */
static found look_inside(supi_arena* arena, const supi_form* form, const double middle[3],
                         double radius) {
    double at[3] = {middle[0], middle[1], middle[2]};
    if (form->kind == SUPI_FORM_PLACE) {
        supi_form_enter(form, middle, at);
        radius /= form->number[12];
    }
    if (form->kind == SUPI_FORM_MIRROR) at[form->axis] = fabs(at[form->axis]);
    found part = look(arena, form->parts[0], at, radius);
    if (part.form != form->parts[0]) form = with_parts(arena, form, 1, &part.form);
    return (found){form, supi_form_value(form, middle)};
}

static found look(supi_arena* arena, const supi_form* form, const double middle[3], double radius) {
    switch (form->kind) {
    case SUPI_FORM_JOIN: return look_join(arena, form, middle, radius);
    case SUPI_FORM_CUT: return look_cut(arena, form, middle, radius);
    case SUPI_FORM_SWELL:
    case SUPI_FORM_PLACE:
    case SUPI_FORM_MIRROR: return look_inside(arena, form, middle, radius);
    default: return (found){form, supi_form_value(form, middle)};
    }
}

const supi_form* supi_form_near(supi_arena* arena, const supi_form* form, const double middle[3],
                                double radius) {
    return look(arena, form, middle, radius).form;
}
