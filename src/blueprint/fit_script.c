/* Edits of a rig as text, a line each: a word, its arguments, and where it acts. */
#include "base/check.h"
#include "base/number.h"
#include "blueprint/fit.h"
#include "file/cursor.h"

#include <math.h>
#include <stdio.h>

typedef struct script {
    sup_rig* rig;
    supi_cursor cursor;
    supi_token word; /* the verb of this line */
    sup_error* error;

    /* Arguments of this line, in their order. */
    double numbers[12];
    int32_t ids[2];
    sup_brush brush;
    bool inside; /* spray: not on the surface */
} script;

/* ---- Reading ---- */

static sup_result refuse(const script* s, const supi_token* at, const char* what,
                         const char* rule) {
    char quote[SUPI_QUOTE_SIZE];
    if (at->size == 0) {
        return supi_error_at(s->error, s->cursor.name, at->line, at->column,
                             "the line ends: %s is missing", what);
    }
    return supi_error_at(s->error, s->cursor.name, at->line, at->column, "\"%s\": %s %s",
                         supi_token_quote(at, quote), what, rule);
}

static sup_result read_number(script* s, const char* what, double* value) {
    supi_token token;
    size_t used = 0;
    supi_cursor_token(&s->cursor, &token);
    bool good = token.size > 0 &&
                supi_number_parse(token.text, token.size, value, &used) == SUPI_NUMBER_OK &&
                used == token.size;
    return good ? SUP_OK : refuse(s, &token, what, "must be a number");
}

static sup_result read_place(script* s, const char* what, double place[3]) {
    sup_result result = SUP_OK;
    for (int k = 0; k < 3 && result == SUP_OK; k++) result = read_number(s, what, &place[k]);
    return result;
}

static sup_result read_id(script* s, const char* what, int32_t* id) {
    supi_token token;
    size_t used = 0;
    int64_t value = 0;
    supi_cursor_token(&s->cursor, &token);
    bool good = token.size > 0 &&
                supi_number_parse_integer(token.text, token.size, &value, &used) &&
                used == token.size && value >= 0 && value <= INT32_MAX;
    *id = (int32_t)value;
    return good ? SUP_OK : refuse(s, &token, what, "must be a whole number from 0 on");
}

/* A number of 0 or above, or a word that stands for another one. */
static sup_result read_or_word(script* s, const char* what, const char* word, double meant,
                               double* value) {
    script ahead = *s;
    supi_token token;
    supi_cursor_token(&ahead.cursor, &token);
    if (!supi_token_is(&token, word)) return read_number(s, what, value);
    s->cursor = ahead.cursor;
    *value = meant;
    return SUP_OK;
}

/* x, y or z, with a minus for the other direction. */
static sup_result read_axis(script* s, double direction[3]) {
    static const char* const names[] = {"x", "y", "z", "-x", "-y", "-z"};
    supi_token token;
    supi_cursor_token(&s->cursor, &token);
    for (int i = 0; i < 6; i++) {
        if (!supi_token_is(&token, names[i])) continue;
        for (int k = 0; k < 3; k++) direction[k] = k == i % 3 ? (i < 3 ? 1.0 : -1.0) : 0.0;
        return SUP_OK;
    }
    return refuse(s, &token, "the axis", "must be x, y, z, -x, -y or -z");
}

static sup_result read_half(script* s, double sign) {
    double at = 0.0;
    sup_result result = read_axis(s, s->brush.extent);
    if (result == SUP_OK) result = read_number(s, "where it ends", &at);
    for (int k = 0; k < 3; k++) {
        s->brush.centre[k] = at * fabs(s->brush.extent[k]);
        s->brush.extent[k] *= sign;
    }
    return result;
}

static sup_result read_box(script* s) {
    double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    sup_result result = read_place(s, "a corner of the box", a);
    if (result == SUP_OK) result = read_place(s, "a corner of the box", b);
    for (int k = 0; k < 3; k++) {
        s->brush.centre[k] = 0.5 * (a[k] + b[k]);
        s->brush.extent[k] = 0.5 * fabs(b[k] - a[k]);
    }
    return result;
}

static sup_result read_fade(script* s) {
    script ahead = *s;
    supi_token token;
    if (!supi_cursor_token(&ahead.cursor, &token) || !supi_token_is(&token, "fade")) return SUP_OK;
    s->cursor = ahead.cursor;
    return read_number(s, "the fade", &s->brush.fade);
}

/* Where an edit acts. */
static sup_result read_region(script* s) {
    static const char* const names[] = {"all", "sphere", "box", "below", "above", "half"};
    static const sup_brush_kind kinds[] = {SUP_BRUSH_ALL,  SUP_BRUSH_SPHERE, SUP_BRUSH_BOX,
                                           SUP_BRUSH_HALF, SUP_BRUSH_HALF,   SUP_BRUSH_HALF};
    supi_token token;
    supi_cursor_token(&s->cursor, &token);
    int kind = 0;
    while (kind < 6 && !supi_token_is(&token, names[kind])) kind++;
    if (kind == 6) {
        return refuse(s, &token, "a region", "is all, sphere, box, below, above or half");
    }
    s->brush = (sup_brush){.kind = kinds[kind]};
    sup_result result = SUP_OK;
    if (kind == 1 || kind == 5) result = read_place(s, "its place", s->brush.centre);
    if (kind == 1 && result == SUP_OK) result = read_number(s, "the radius", s->brush.extent);
    if (kind == 2) result = read_box(s);
    if (kind == 3) result = read_half(s, 1.0);
    if (kind == 4) result = read_half(s, -1.0);
    if (kind == 5 && result == SUP_OK) result = read_place(s, "its direction", s->brush.extent);
    return result == SUP_OK ? read_fade(s) : result;
}

/* ---- Verbs ---- */

/* Paint on particles. A region with none in it is a slip of the pen. */
static sup_result paint_there(script* s, sup_paint what, double value, sup_error* error) {
    for (int32_t i = 0; i < s->rig->now.particle_count; i++) {
        if (supi_rig_share(s->rig, &s->brush, i) > 0.0) {
            return sup_rig_paint(s->rig, what, value, &s->brush, error);
        }
    }
    sup_result result = supi_rig_check_brush(&s->brush, error);
    return result != SUP_OK ? result
                            : supi_error_set(error, SUP_BAD_ARGUMENT, "no particle is there");
}

static sup_result do_pin(script* s, sup_error* error) {
    return paint_there(s, SUP_PAINT_PIN, 1, error);
}
static sup_result do_unpin(script* s, sup_error* error) {
    return sup_rig_paint(s->rig, SUP_PAINT_PIN, 0, &s->brush, error);
}
static sup_result do_stiffness(script* s, sup_error* error) {
    return paint_there(s, SUP_PAINT_STIFFNESS, s->numbers[0], error);
}
static sup_result do_mass(script* s, sup_error* error) {
    return paint_there(s, SUP_PAINT_MASS, s->numbers[0], error);
}
static sup_result do_density(script* s, sup_error* error) {
    sup_weigh_def def = sup_weigh_default();
    def.density = def.surface_density = s->numbers[0];
    return sup_rig_weigh(s->rig, &def, error);
}
static sup_result do_weigh_mass(script* s, sup_error* error) {
    sup_weigh_def def = sup_weigh_default();
    def.mass = s->numbers[0];
    if (!(def.mass > 0.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the mass must be above 0");
    }
    return sup_rig_weigh(s->rig, &def, error);
}
static sup_result do_ellipsoid(script* s, sup_error* error) {
    const double* n = s->numbers;
    const sup_ellipsoid shape = {{(float)n[3], (float)n[4], (float)n[5], (float)n[6]},
                                 {(float)n[0], (float)n[1], (float)n[2]}};
    return sup_rig_set_ellipsoid(s->rig, s->ids[0], &shape, error);
}
static sup_result do_turn_radius(script* s, sup_error* error) {
    return sup_rig_set_turn_radius(s->rig, s->ids[0], s->numbers[0], error);
}
static sup_result do_compliance(script* s, sup_error* error) {
    return sup_rig_paint(s->rig, SUP_PAINT_COMPLIANCE, s->numbers[0], &s->brush, error);
}
static sup_result do_damping(script* s, sup_error* error) {
    return sup_rig_paint(s->rig, SUP_PAINT_DAMPING, s->numbers[0], &s->brush, error);
}
static sup_result do_torsion(script* s, sup_error* error) {
    return sup_rig_paint(s->rig, SUP_PAINT_TORSION, s->numbers[0], &s->brush, error);
}
static sup_result do_weight(script* s, sup_error* error) {
    return sup_rig_paint_weights(s->rig, s->ids[0], s->numbers[0], &s->brush, error);
}
static sup_result do_add(script* s, sup_error* error) {
    return sup_rig_add(s->rig, s->numbers, NULL, error);
}
static sup_result do_move(script* s, sup_error* error) {
    return sup_rig_move(s->rig, s->ids[0], s->numbers, error);
}
static sup_result do_remove(script* s, sup_error* error) {
    return sup_rig_remove(s->rig, s->ids[0], error);
}
static sup_result do_erase(script* s, sup_error* error) {
    return sup_rig_erase(s->rig, &s->brush, NULL, error);
}
static sup_result do_link(script* s, sup_error* error) {
    return sup_rig_link(s->rig, s->ids[0], s->ids[1], error);
}
static sup_result do_unlink(script* s, sup_error* error) {
    return sup_rig_unlink(s->rig, s->ids[0], s->ids[1], error);
}
static sup_result do_erase_links(script* s, sup_error* error) {
    return sup_rig_erase_links(s->rig, &s->brush, s->numbers[0], NULL, error);
}
static sup_result do_part(script* s, sup_error* error) {
    return sup_rig_add_part(s->rig, &s->brush, NULL, error);
}
static sup_result do_unpart(script* s, sup_error* error) {
    return sup_rig_remove_part(s->rig, s->ids[0], error);
}
static sup_result do_member(script* s, sup_error* error) {
    return sup_rig_set_member(s->rig, s->ids[0], s->ids[1], true, error);
}
static sup_result do_unmember(script* s, sup_error* error) {
    return sup_rig_set_member(s->rig, s->ids[0], s->ids[1], false, error);
}
static sup_result do_join(script* s, sup_error* error) {
    return sup_rig_join(s->rig, s->ids[0], s->ids[1], s->numbers, NULL, error);
}
static sup_result do_joint(script* s, sup_error* error) {
    return sup_rig_add_joint(s->rig, s->ids[0], s->ids[1], s->numbers, NULL, error);
}
static sup_result do_discs(script* s, sup_error* error) {
    return sup_rig_set_discs(s->rig, s->ids[0], s->numbers + 1, s->numbers + 4, s->numbers[0],
                             s->ids[1], error);
}
static sup_result do_plastic(script* s, sup_error* error) {
    sup_rig_plastic plastic = {(float)s->numbers[0], (float)s->numbers[1], (float)s->numbers[2],
                               (float)s->numbers[3], (float)s->numbers[4]};
    return sup_rig_set_plastic(s->rig, -1, &plastic, error);
}
static sup_result do_plastic_part(script* s, sup_error* error) {
    sup_rig_plastic plastic = {(float)s->numbers[0], (float)s->numbers[1], (float)s->numbers[2],
                               (float)s->numbers[3], (float)s->numbers[4]};
    return sup_rig_set_plastic(s->rig, s->ids[0], &plastic, error);
}
static sup_result do_mirror(script* s, sup_error* error) {
    double point[3];
    for (int k = 0; k < 3; k++) point[k] = s->numbers[3] * fabs(s->numbers[k]);
    return sup_rig_mirror(s->rig, point, s->numbers, error);
}
static sup_result do_spray(script* s, sup_error* error) {
    sup_spray_def def = sup_spray_default();
    def.where = s->inside ? SUP_SPRAY_INSIDE : SUP_SPRAY_SURFACE;
    def.spacing = s->numbers[0];
    def.seed = s->ids[0];
    def.brush = s->brush;
    if (!(def.spacing > 0.0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the spacing must be above 0");
    }
    return sup_rig_spray(s->rig, &def, NULL, error);
}
static sup_result do_links(script* s, sup_error* error) {
    sup_spray_links_def def = sup_spray_links_default();
    def.reach = s->numbers[0];
    def.brush = s->brush;
    return sup_rig_spray_links(s->rig, &def, NULL, error);
}
static sup_result do_bridge(script* s, sup_error* error) {
    return sup_rig_bridge(s->rig, 3, NULL, error);
}
static sup_result do_fit(script* s, sup_error* error) {
    sup_fit_def def = sup_fit_default();
    def.brush = s->brush;
    return sup_rig_fit(s->rig, &def, error);
}

/* Letters of `wants`: n number, i id, p place, q quaternion or nothing, r region, a axis, f number
   or "free", s number or "shape", l number or "all", w "inside" or "surface". */
typedef struct verb {
    const char* name;
    const char* wants;
    sup_result (*act)(script* s, sup_error* error);
} verb;

static const verb verbs[] = {{"pin", "r", do_pin},
                             {"unpin", "r", do_unpin},
                             {"stiffness", "nr", do_stiffness},
                             {"mass", "nr", do_mass},
                             {"density", "n", do_density},
                             {"weigh-mass", "n", do_weigh_mass},
                             {"ellipsoid", "innnq", do_ellipsoid},
                             {"turn-radius", "is", do_turn_radius},
                             {"compliance", "nr", do_compliance},
                             {"damping", "nr", do_damping},
                             {"torsion", "fr", do_torsion},
                             {"weight", "inr", do_weight},
                             {"add", "p", do_add},
                             {"move", "ip", do_move},
                             {"remove", "i", do_remove},
                             {"erase", "r", do_erase},
                             {"link", "ii", do_link},
                             {"unlink", "ii", do_unlink},
                             {"erase-links", "lr", do_erase_links},
                             {"part", "r", do_part},
                             {"unpart", "i", do_unpart},
                             {"member", "ii", do_member},
                             {"unmember", "ii", do_unmember},
                             {"join", "iip", do_join},
                             {"joint", "iip", do_joint},
                             {"discs", "iinpp", do_discs},
                             {"plastic", "nnnnn", do_plastic},
                             {"plastic-part", "innnnn", do_plastic_part},
                             {"mirror", "an", do_mirror},
                             {"spray", "wnir", do_spray},
                             {"links", "nr", do_links},
                             {"bridge", "", do_bridge},
                             {"fit", "r", do_fit}};
enum { VERBS = sizeof verbs / sizeof *verbs };

static sup_result read_where(script* s) {
    supi_token token;
    supi_cursor_token(&s->cursor, &token);
    s->inside = supi_token_is(&token, "inside");
    if (s->inside || supi_token_is(&token, "surface")) return SUP_OK;
    return refuse(s, &token, "where", "must be inside or surface");
}

/* Without one it is that of no turn. */
static sup_result read_turn(script* s, double turn[4]) {
    script ahead = *s;
    supi_token token;
    sup_result result = SUP_OK;
    bool given = supi_cursor_token(&ahead.cursor, &token);
    for (int k = 0; k < 4 && result == SUP_OK; k++) {
        turn[k] = k == 3 ? 1.0 : 0.0;
        if (given) result = read_number(s, "the quaternion", &turn[k]);
    }
    return result;
}

static sup_result read_arguments(script* s, const char* wants) {
    int number = 0, id = 0;
    sup_result result = SUP_OK;
    for (; *wants && result == SUP_OK; wants++) {
        switch (*wants) {
        case 'n': result = read_number(s, "the value", &s->numbers[number++]); break;
        case 'i': result = read_id(s, "a particle, part or seed", &s->ids[id++]); break;
        case 'p': result = read_place(s, "the place", s->numbers + number), number += 3; break;
        case 'q': result = read_turn(s, s->numbers + number), number += 4; break;
        case 'r': result = read_region(s); break;
        case 'a': result = read_axis(s, s->numbers), number += 3; break;
        case 'f': result = read_or_word(s, "the value", "free", -1, &s->numbers[number++]); break;
        case 's': result = read_or_word(s, "the radius", "shape", -1, &s->numbers[number++]); break;
        case 'l':
            result = read_or_word(s, "the length", "all", INFINITY, &s->numbers[number++]);
            break;
        default: result = read_where(s); break;
        }
    }
    supi_token more;
    if (result == SUP_OK && supi_cursor_token(&s->cursor, &more)) {
        result = refuse(s, &more, "the edit", "should have ended");
    }
    return result;
}

static sup_result unknown_verb(const script* s) {
    char all[400] = "", quote[SUPI_QUOTE_SIZE];
    size_t used = 0;
    for (int i = 0; i < VERBS; i++) {
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", verbs[i].name);
    }
    return supi_error_at(s->error, s->cursor.name, s->word.line, s->word.column,
                         "\"%s\" is no edit; known: %s", supi_token_quote(&s->word, quote), all);
}

static sup_result run_line(script* s) {
    int i = 0;
    while (i < VERBS && !supi_token_is(&s->word, verbs[i].name)) i++;
    if (i == VERBS) return unknown_verb(s);
    sup_result result = read_arguments(s, verbs[i].wants);
    if (result != SUP_OK) return result;
    sup_error cause = {0};
    result = verbs[i].act(s, &cause);
    if (result == SUP_OK) return SUP_OK;
    supi_error_at(s->error, s->cursor.name, s->word.line, s->word.column, "%s", cause.text);
    if (s->error) s->error->code = result;
    return result;
}

sup_result sup_rig_edit(sup_rig* rig, const char* name, const char* text, size_t size,
                        sup_error* error) {
    SUPI_NEED(error, rig, name);
    if (size > 0) SUPI_NEED(error, text);
    script s = {.rig = rig, .error = error};
    sup_result result = supi_cursor_begin(&s.cursor, name, (const uint8_t*)text, size, error);
    if (result != SUP_OK) return result;
    s.cursor.comment = '#';
    supi_rig_state before;
    if (!supi_rig_state_copy(rig->allocator, &rig->now, &before)) return supi_error_memory(error);
    while (result == SUP_OK && supi_cursor_next_word(&s.cursor)) {
        supi_cursor_token(&s.cursor, &s.word);
        result = run_line(&s);
    }
    if (result != SUP_OK) {
        supi_rig_state after = rig->now;
        rig->now = before;
        before = after;
    }
    supi_rig_state_free(rig->allocator, &before);
    return result;
}
