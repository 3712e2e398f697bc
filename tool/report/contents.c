/* What is in a scene: tables of bodies, materials and colliders. */
#include "report/report.h"

#include <string.h>

/* ---- tables ---- */

void report_open_table(markup* m, const char* caption, const char* heads) {
    markup_raw(m, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    markup_text(m, caption);
    markup_raw(m, "\"><table>\n");
    markup_element(m, "caption", caption);
    markup_raw(m, "\n<thead><tr>");
    while (*heads) {
        size_t length = strcspn(heads, "|");
        bool number = heads[length - 1] == '#';
        markup_print(m, "<th scope=\"col\"%s>%.*s</th>", number ? " class=\"number\"" : "",
                     (int)(length - number), heads);
        heads += length + (heads[length] == '|');
    }
    markup_raw(m, "</tr></thead>\n<tbody>\n");
}

void report_close_table(markup* m) { markup_raw(m, "</tbody>\n</table></div>\n"); }

void report_number_cell(markup* m, double value) {
    markup_raw(m, "<td class=\"number\">");
    markup_number(m, value);
    markup_raw(m, "</td>");
}

static void count_cell(markup* m, int64_t count) {
    markup_print(m, "<td class=\"number\">%lld</td>", (long long)count);
}

static void row_head(markup* m, const char* name) {
    markup_raw(m, "<tr><th scope=\"row\">");
    markup_text(m, name);
    markup_raw(m, "</th>");
}

/* ---- bodies ---- */

static void write_bodies(markup* m, const sup_scene* scene, const sup_scene_info* info) {
    report_open_table(
        m, "Bodies; numbers are those of one copy",
        "Name|Shape|Copies#|Particles#|Clusters#|Pinned#|Mass, kg#|Size, m#|Radius, m#");
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        row_head(m, entry.name);
        markup_element(m, "td", entry.shape);
        count_cell(m, entry.body_count);
        count_cell(m, entry.blueprint.particle_count);
        count_cell(m, entry.blueprint.cluster_count);
        count_cell(m, entry.blueprint.pinned_count);
        report_number_cell(m, entry.blueprint.mass);
        report_number_cell(m, entry.blueprint.size);
        report_number_cell(m, entry.blueprint.radius);
        markup_raw(m, "</tr>\n");
    }
    report_close_table(m);
}

/* ---- materials ---- */

static void write_stiffness(markup* m, const sup_material* material) {
    markup_raw(m, "<td class=\"number\">");
    if (material->rule == SUP_STIFFNESS_RIGID) {
        markup_raw(m, "rigid");
    } else {
        markup_number(m, material->stiffness);
        markup_raw(m, material->rule == SUP_STIFFNESS_RELAX     ? " s"
                      : material->rule == SUP_STIFFNESS_RAW     ? " per substep"
                      : material->rule == SUP_STIFFNESS_MODULUS ? " Pa"
                                                                : " rad/s");
    }
    markup_raw(m, "</td>");
}

static void write_damping(markup* m, const sup_material* material) {
    bool used = material->scheme == SUP_SCHEME_D && material->rule != SUP_STIFFNESS_RIGID;
    bool raw = material->raw_damping >= 0;
    markup_raw(m, "<td class=\"number\">");
    if (used) {
        markup_number(m, raw ? material->raw_damping : material->damping);
        markup_raw(m, raw ? " per substep" : "");
    } else {
        markup_raw(m, "not used");
    }
    markup_raw(m, "</td>");
}

static void write_materials(markup* m, const sup_scene* scene, const sup_scene_info* info) {
    static const char* const schemes[] = {"D", "S", "P"}; /* as sup_scheme */
    report_open_table(m, "Materials",
                      "Body|Scheme|Stiffness#|Damping#|Friction#|Sliding friction#|Restitution#");
    for (int32_t i = 0; i < info->entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        row_head(m, entry.name);
        markup_element(m, "td", schemes[entry.material.scheme]);
        write_stiffness(m, &entry.material);
        write_damping(m, &entry.material);
        report_number_cell(m, entry.material.friction_static);
        report_number_cell(m, entry.material.friction_kinetic);
        report_number_cell(m, entry.material.restitution);
        markup_raw(m, "</tr>\n");
    }
    report_close_table(m);
}

/* ---- colliders ---- */

/* "2.4 × 0.2 × 3" */
static void write_triple(markup* m, const double numbers[3], double factor, const char* between) {
    for (int k = 0; k < 3; k++) {
        markup_raw(m, k ? between : "");
        markup_number(m, factor * numbers[k]);
    }
}

static void write_solid(markup* m, const sup_collider_def* def) {
    markup_raw(m, "<td>");
    switch (def->kind) {
    case SUP_COLLIDER_PLANE: markup_raw(m, "plane"); break;
    case SUP_COLLIDER_SPHERE:
        markup_raw(m, "sphere, radius ");
        markup_number(m, def->radius);
        markup_raw(m, " m");
        break;
    case SUP_COLLIDER_BOX:
        markup_raw(m, "box, ");
        write_triple(m, def->half_size, 2, " × ");
        markup_raw(m, " m");
        break;
    case SUP_COLLIDER_CAPSULE:
        markup_raw(m, "capsule, radius ");
        markup_number(m, def->radius);
        markup_raw(m, " m, length ");
        markup_number(m, 2 * def->half_length);
        markup_raw(m, " m");
        break;
    case SUP_COLLIDER_MESH:
        markup_raw(m, "mesh, ");
        markup_number(m, def->mesh->polygon_count);
        markup_raw(m, " polygons");
        break;
    case SUP_COLLIDER_HEIGHTS:
        markup_raw(m, "heights, ");
        markup_number(m, def->height_count[0]);
        markup_raw(m, " × ");
        markup_number(m, def->height_count[1]);
        break;
    }
    markup_raw(m, def->inverted ? ", inverted" : "");
    markup_raw(m, def->sensor ? ", sensor" : "");
    markup_raw(m, "</td>");
}

static void write_colliders(markup* m, const sup_scene* scene, const sup_scene_info* info) {
    if (info->collider_count == 0) {
        markup_raw(m, "<p>There are no colliders.</p>\n");
        return;
    }
    report_open_table(m, "Colliders",
                      "Name|Shape|Place, m|Friction#|Sliding friction#|Restitution#");
    for (int32_t i = 0; i < info->collider_count; i++) {
        sup_scene_collider collider = sup_scene_get_collider(scene, i);
        row_head(m, collider.name);
        write_solid(m, &collider.def);
        markup_raw(m, "<td>");
        write_triple(m, collider.def.position, 1, ", ");
        markup_raw(m, "</td>");
        report_number_cell(m, collider.def.friction_static);
        report_number_cell(m, collider.def.friction_kinetic);
        report_number_cell(m, collider.def.restitution);
        markup_raw(m, "</tr>\n");
    }
    report_close_table(m);
}

void report_write_contents(markup* m, const report_side* side) {
    sup_scene_info info = sup_scene_get_info(side->scene);
    write_bodies(m, side->scene, &info);
    write_materials(m, side->scene, &info);
    write_colliders(m, side->scene, &info);
}
