/* A report on a rig in words. */
#include "base/number.h"
#include "supple/fit.h"

#include <stdio.h>

enum { SENTENCES = 9, ROOM = 320 };

static bool say_empty(const sup_rig_report* r, char* text) {
    if (r->particle_count > 0) return false;
    snprintf(text, ROOM, "there is no particle: spray some");
    return true;
}

static bool say_pieces(const sup_rig_report* r, char* text) {
    if (r->component_count <= 1) return false;
    snprintf(text, ROOM,
             "the body is %d pieces that nothing joins; particle %d is of the second: bridge them, "
             "or raise the reach of links",
             (int)r->component_count, (int)r->loose_particle);
    return true;
}

static bool say_isolated(const sup_rig_report* r, char* text) {
    if (r->isolated_count == 0 || r->particle_count == 1) return false;
    snprintf(text, ROOM, "%d particle%s no link, as %d: it would fly by itself",
             (int)r->isolated_count, r->isolated_count == 1 ? " has" : "s have",
             (int)r->isolated_particle);
    return true;
}

static bool say_crowded(const sup_rig_report* r, char* text) {
    if (r->crowded_count == 0) return false;
    snprintf(text, ROOM,
             "%d particle%s more than 24 links, as %d, up to %d: that costs time; lower the reach "
             "of links",
             (int)r->crowded_count, r->crowded_count == 1 ? " has" : "s have",
             (int)r->crowded_particle, (int)r->most_links);
    return true;
}

static bool say_far(const sup_rig_report* r, char* text) {
    char metres[32];
    if (r->far_count == 0) return false;
    supi_number_write_float((float)r->farthest, metres);
    snprintf(text, ROOM,
             "%d %s farther than two spacings from every particle, as %d, up to %s m: spray there, "
             "or lower the spacing",
             (int)r->far_count, r->far_count == 1 ? "vertex is" : "vertices are",
             (int)r->far_vertex, metres);
    return true;
}

static bool say_ranks(const sup_rig_report* r, char* text) {
    if (r->flat_count + r->line_count == 0) return false;
    snprintf(text, ROOM,
             "%d group%s flat and %d without a turn of their own, as that of particle %d: give its "
             "particles radii",
             (int)r->flat_count, r->flat_count == 1 ? " is" : "s are", (int)r->line_count,
             (int)r->weak_particle);
    return true;
}

static bool say_slight(const sup_rig_report* r, char* text) {
    if (r->slight_count == 0) return false;
    snprintf(text, ROOM,
             "%d particle%s too small to steady those around, as %d: raise the least radius",
             (int)r->slight_count, r->slight_count == 1 ? " is" : "s are", (int)r->slight_particle);
    return true;
}

static bool say_narrow(const sup_rig_report* r, char* text) {
    if (r->narrow_count == 0) return false;
    snprintf(text, ROOM,
             "%d hinge%s narrower than a tenth of its parts: move its two particles apart",
             (int)r->narrow_count, r->narrow_count == 1 ? " is" : "s are");
    return true;
}

static bool say_near(const sup_rig_report* r, char* text) {
    char metres[32];
    if (r->particle_count < 2 || r->least_gap > 1e-6 * r->size) return false;
    supi_number_write_float((float)r->least_gap, metres);
    snprintf(text, ROOM, "two particles are only %s m apart: remove one", metres);
    return true;
}

bool sup_rig_report_line(const sup_rig_report* report, int32_t i, char text[320]) {
    static bool (*const sentences[SENTENCES])(const sup_rig_report*, char*) = {
        say_empty, say_pieces, say_isolated, say_crowded, say_far,
        say_ranks, say_slight, say_narrow,   say_near};
    for (int s = 0; s < SENTENCES; s++) {
        if (sentences[s](report, text) && i-- == 0) return true;
    }
    return false;
}
