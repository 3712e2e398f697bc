/* The page of a report, from top to bottom. All tags are closed and all attributes quoted, so that
   it can be read as XML too. */
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static const char* letter_of(const report* r, const report_side* side) {
    return r->side_count == 1 ? "" : side == &r->sides[0] ? "A" : "B";
}

/* "A: Hello" */
static void write_name(markup* m, const report* r, const report_side* side) {
    sup_scene_info info = sup_scene_get_info(side->scene);
    if (r->side_count > 1) markup_print(m, "%s: ", letter_of(r, side));
    markup_text(m, info.name[0] ? info.name : side->path);
}

static void write_names(markup* m, const report* r) {
    for (int32_t k = 0; k < r->side_count; k++) {
        markup_raw(m, k ? ", " : "");
        write_name(m, r, &r->sides[k]);
    }
}

/* Calls `write` for each scene, in columns where there are two, each under its name. */
static void write_sides(markup* m, const report* r,
                        void (*write)(markup*, const report*, const report_side*)) {
    markup_raw(m, "<div class=\"sides\">\n");
    for (int32_t k = 0; k < r->side_count; k++) {
        markup_raw(m, "<div>\n");
        if (r->side_count > 1) {
            markup_raw(m, "<h3>");
            write_name(m, r, &r->sides[k]);
            markup_raw(m, "</h3>\n");
        }
        write(m, r, &r->sides[k]);
        markup_raw(m, "</div>\n");
    }
    markup_raw(m, "</div>\n");
}

/* ---- at a glance ---- */

static void write_fact(markup* m, const char* name, double value, const char* unit) {
    markup_print(m, "<div><dt>%s</dt><dd>", name);
    markup_number(m, value);
    markup_print(m, "%s</dd></div>\n", unit);
}

static void write_count(markup* m, const char* name, int64_t count) {
    markup_print(m, "<div><dt>%s</dt><dd>%lld</dd></div>\n", name, (long long)count);
}

static void write_facts(markup* m, const report_side* side) {
    sup_scene_info info = sup_scene_get_info(side->scene);
    markup_raw(m, "<dl class=\"facts\">\n");
    write_count(m, "Bodies", info.body_count);
    write_count(m, "Particles", info.particle_count);
    write_count(m, "Clusters", info.cluster_count);
    write_count(m, "Triangles", info.triangle_count);
    write_fact(m, "Mass", info.mass, " kg");
    write_count(m, "Frames", side->frames);
    write_fact(m, "Duration", side->frames / info.fps, " s");
    markup_raw(m, "</dl>\n");
}

/* What a person should know before believing the rest. */
static void write_notes(markup* m, const report_side* side) {
    if (side->troubles.restored > 0) {
        markup_print(m,
                     "<p class=\"note\">Bodies went out of range and were put back at rest "
                     "%lld times.</p>\n",
                     (long long)side->troubles.restored);
    }
    if (side->troubles.substeps_needed > 0) {
        markup_print(m,
                     "<p class=\"note\">A body is too stiff for these steps; it needs %d substeps",
                     (int)side->troubles.substeps_needed);
        if (side->troubles.substeps_needed > 64) {
            markup_raw(m, ", but 64 are the most: raise \"fps\", ");
            markup_text(m, side->troubles.advice);
        }
        markup_raw(m, ".</p>\n");
    }
    chart_series share = columns_series(&side->numbers, COLUMN_DEEPEST_SHARE);
    double low, high;
    chart_range(&share, false, &low, &high);
    if (high > 1) {
        markup_raw(m, "<p class=\"note\">Bodies have got into each other by ");
        markup_number(m, high);
        markup_raw(m, " particle radii; more substeps may help.</p>\n");
    }
}

static void write_picture(markup* m, const report_side* side, const report_picture* picture,
                          int32_t width, int32_t height) {
    if (!picture->png) return;
    sup_scene_info info = sup_scene_get_info(side->scene);
    char when[80];
    snprintf(when, sizeof when, "frame %d of %d, %.2f\u00a0s", (int)picture->frame,
             (int)side->frames, picture->frame / info.fps);
    markup_print(m, "<figure><img width=\"%d\" height=\"%d\" alt=\"", (int)width, (int)height);
    markup_text(m, info.name[0] ? info.name : side->path);
    markup_print(m, ", %s\" src=\"data:image/png;base64,", when);
    markup_base64(m, picture->png, picture->size);
    markup_print(m, "\"/><figcaption>F%s</figcaption></figure>\n", when + 1);
}

static void write_glance(markup* m, const report* r, const report_side* side) {
    const report_options* o = &r->options;
    write_picture(m, side, &side->poster, o->width, o->height);
    write_facts(m, side);
    write_notes(m, side);
    if (r->no_pictures[0]) return;
    markup_raw(m, "<div class=\"sheet\">\n");
    for (int32_t i = 0; i < side->sheet_count; i++) {
        write_picture(m, side, &side->sheet[i], o->width / 2, o->height / 2);
    }
    markup_raw(m, "</div>\n");
}

/* ---- charts ---- */

typedef struct chart_plan {
    const char *title, *words;
    int32_t count, compared; /* columns; how many of them where two scenes share the chart */
    column columns[6];
} chart_plan;

static const chart_plan plans[] = {
    {"Energies",
     "The sum falls where damping and contacts take energy out.",
     4,
     4,
     {COLUMN_KINETIC, COLUMN_POTENTIAL, COLUMN_ELASTIC, COLUMN_ENERGY}},
    {"Momentum",
     "Of all bodies together.",
     4,
     1,
     {COLUMN_MOMENTUM, COLUMN_MOMENTUM_X, COLUMN_MOMENTUM_Y, COLUMN_MOMENTUM_Z}},
    {"Angular momentum",
     "About the origin.",
     4,
     1,
     {COLUMN_ANGULAR, COLUMN_ANGULAR_X, COLUMN_ANGULAR_Y, COLUMN_ANGULAR_Z}},
    {"Top speed", "Of the fastest particle.", 1, 1, {COLUMN_TOP_SPEED}},
    {"Strain",
     "How far clusters are from their goals, as a share of their size; of springs, of their "
     "length.",
     2,
     2,
     {COLUMN_STRAIN_LARGEST, COLUMN_STRAIN_MEAN}},
    {"Strain of springs",
     "How much longer or shorter structural springs are.",
     2,
     2,
     {COLUMN_SPRING_MOST_STRAIN, COLUMN_SPRING_MEAN_STRAIN}},
    {"Work of the spring solver",
     "Steps that were taken and thrown away, and iterations of implicit solves, per frame.",
     3,
     1,
     {COLUMN_SPRING_ITERATIONS, COLUMN_SPRING_STEPS, COLUMN_SPRING_REJECTED}},
    {"Residual of implicit solves",
     "The largest of a frame, relative to the right side.",
     1,
     1,
     {COLUMN_SPRING_RESIDUAL}},
    {"Largest frequency of springs",
     "Estimated for explicit steps; for implicit ones a bound that none is above.",
     1,
     1,
     {COLUMN_SPRING_FREQUENCY}},
    {"Contacts", "In the last substep of each frame.", 1, 1, {COLUMN_CONTACTS}},
    {"Deepest penetration", "Of any contact, after the frame.", 1, 1, {COLUMN_DEEPEST}},
    {"Deepest penetration between bodies",
     "As a share of the particle radius; below 1, bodies stay apart.",
     1,
     1,
     {COLUMN_DEEPEST_SHARE}},
    {"Time per frame", "Wall times: another run gives other numbers.", 1, 1, {COLUMN_MS_TOTAL}},
};
#define PLAN_COUNT ((int)(sizeof plans / sizeof *plans))

static const chart_plan phases = {"Time per phase",
                                  "Wall times of each frame: another run gives other numbers.",
                                  6,
                                  6,
                                  {COLUMN_MS_TOTAL, COLUMN_MS_PROJECT, COLUMN_MS_CONTACTS,
                                   COLUMN_MS_INTEGRATE, COLUMN_MS_BEGIN, COLUMN_MS_SETTLE}};

/* One line of a chart that two scenes share. Dashes tell scenes apart and colours columns; where
   there is but one column, colours do both. */
static void mark_side(chart_series* series, bool second, bool recolour) {
    size_t used = strlen(series->name);
    snprintf(series->name + used, sizeof series->name - used, ", %s", second ? "B" : "A");
    series->dashed = second;
    if (second && recolour) series->colour = 1;
}

/* Numbers of springs are for scenes that have some. */
static bool about_springs(column c) {
    return c >= COLUMN_SPRING_ENERGY && c <= COLUMN_SPRING_LEVEL;
}

static bool has_springs(const report* r) {
    for (int32_t k = 0; k < r->side_count; k++) {
        const sup_scene* scene = r->sides[k].scene;
        for (int32_t i = 0; i < sup_scene_get_info(scene).entry_count; i++) {
            if (sup_scene_get_entry(scene, i).blueprint.spring_count > 0) return true;
        }
    }
    return false;
}

/* All of `sides` in one chart. */
static void write_chart(markup* m, const char* title, const chart_plan* plan, int32_t side_count,
                        const report_side* sides) {
    chart c = {.title = title, .width = 520, .height = 290};
    int32_t count = side_count > 1 ? plan->compared : plan->count;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < side_count; k++) {
            chart_series* series = &c.series[c.series_count++];
            *series = columns_series(&sides[k].numbers, (int32_t)plan->columns[i]);
            series->colour = i;
            if (side_count > 1) mark_side(series, k == 1, count == 1);
        }
    }
    markup_raw(m, "<div>\n");
    markup_element(m, "h3", title);
    markup_print(m, "\n<p class=\"soft\">%s</p>\n", plan->words);
    chart_write(m, &c);
    markup_raw(m, "</div>\n");
}

/* Which of the bodies gains or loses; where they fit into one chart. */
static void write_energies(markup* m, const report_side* side) {
    const columns* numbers = &side->numbers;
    chart c = {.title = "Energy by body", .width = 520, .height = 290};
    if (numbers->name_count == 0 || numbers->name_count > CHART_SERIES) return;
    for (int32_t i = 0; i < numbers->name_count; i++) {
        c.series[i] = columns_series(numbers, COLUMN_COUNT + PART_COUNT * i + PART_ENERGY);
        c.series[i].colour = c.series_count++;
    }
    markup_raw(m, "<div>\n");
    markup_element(m, "h3", c.title);
    markup_raw(m, "\n<p class=\"soft\">Kinetic, potential and elastic together.</p>\n");
    chart_write(m, &c);
    markup_raw(m, "</div>\n");
}

static void write_charts(markup* m, const report* r) {
    markup_raw(m, "<section>\n<h2>Over time</h2>\n");
    if (r->side_count > 1) markup_raw(m, "<p>Lines of B are dashed.</p>\n");
    markup_raw(m, "<div class=\"charts\">\n");
    for (int i = 0; i < PLAN_COUNT; i++) {
        /* Of one scene, the phases show the whole frame too. */
        if (r->side_count == 1 && plans[i].columns[0] == COLUMN_MS_TOTAL) continue;
        if (about_springs(plans[i].columns[0]) && !has_springs(r)) continue;
        write_chart(m, plans[i].title, &plans[i], r->side_count, r->sides);
    }
    if (r->side_count == 1) write_energies(m, &r->sides[0]);
    for (int32_t k = 0; k < r->side_count; k++) {
        const char* letter = letter_of(r, &r->sides[k]);
        char title[40];
        snprintf(title, sizeof title, "%s%s%s", phases.title, *letter ? ", " : "", letter);
        write_chart(m, title, &phases, 1, &r->sides[k]);
    }
    markup_raw(m, "</div>\n</section>\n");
}

/* ---- numbers ---- */

static void write_numbers(markup* m, const report* r, const report_side* side) {
    bool springs = has_springs(r);
    report_open_table(m, "Every column over all frames",
                      "Column|Unit|Start#|Lowest#|Highest#|End#");
    for (int32_t i = COLUMN_TIME + 1; i < COLUMN_COUNT; i++) {
        if (about_springs((column)i) && !springs) continue;
        chart_series series = columns_series(&side->numbers, i);
        double low, high;
        chart_range(&series, false, &low, &high);
        markup_raw(m, "<tr><th scope=\"row\">");
        markup_text(m, series.name);
        markup_raw(m, "</th>");
        markup_element(m, "td", series.unit);
        report_number_cell(m, series.values[0]);
        report_number_cell(m, low);
        report_number_cell(m, high);
        report_number_cell(m, series.values[(series.count - 1) * series.stride]);
        markup_raw(m, "</tr>\n");
    }
    report_close_table(m);
}

/* ---- how it was made ---- */

/* A word for a shell; quoted where it needs to be. */
static void write_word(markup* m, const char* word) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=@%+-";
    if (*word && word[strspn(word, plain)] == 0) {
        markup_text(m, word);
        return;
    }
    markup_raw(m, "'");
    while (*word) {
        size_t length = strcspn(word, "'");
        markup_part(m, word, length);
        word += length;
        if (*word == '\'') markup_raw(m, "'\\''"), word++;
    }
    markup_raw(m, "'");
}

static void write_commands(markup* m, const report* r) {
    const report_options* o = &r->options;
    markup_raw(m, "<pre><code>supple report");
    if (o->compare) {
        markup_raw(m, " --compare ");
        write_word(m, o->compare);
    }
    markup_raw(m, " ");
    write_word(m, r->sides[r->side_count - 1].path);
    markup_raw(m, " -o ");
    write_word(m, o->output);
    if (o->simulate.frames > 0) markup_print(m, " --frames %d", (int)o->simulate.frames);
    if (o->simulate.threads > 1) markup_print(m, " --threads %d", (int)o->simulate.threads);
    if (o->simulate.simd > 0) markup_print(m, " --simd %s", simd_words[o->simulate.simd]);
    if (o->no_pictures) {
        markup_raw(m, " --no-pictures");
    } else {
        markup_print(m, " --size %dx%d --samples %d", (int)o->width, (int)o->height,
                     (int)o->samples);
        if (o->poster >= 0) markup_print(m, " --poster %d", (int)o->poster);
    }
    markup_raw(m, "\n");
    for (int32_t k = 0; k < r->side_count; k++) {
        const report_side* side = &r->sides[k];
        markup_raw(m, "supple hash ");
        write_word(m, side->path);
        markup_print(m, " --frames %d | tail -n 1   # %d %016" PRIx64 "\n", (int)side->frames,
                     (int)side->frames, side->hash);
    }
    markup_raw(m, "</code></pre>\n");
}

static void write_setting(markup* m, const char* name, double value) {
    markup_print(m, "<tr><th scope=\"row\">%s</th>", name);
    report_number_cell(m, value);
    markup_raw(m, "</tr>\n");
}

static void write_word_setting(markup* m, const char* name, const char* word) {
    markup_print(m, "<tr><th scope=\"row\">%s</th><td class=\"number\">", name);
    markup_text(m, word);
    markup_raw(m, "</td></tr>\n");
}

static void write_settings(markup* m, const report* r, const report_side* side) {
    sup_scene_info info = sup_scene_get_info(side->scene);
    char hash[20], frames[16];
    snprintf(hash, sizeof hash, "%016" PRIx64, side->hash);
    snprintf(frames, sizeof frames, "%d", (int)side->frames);
    markup_raw(m, "<div class=\"narrow\">\n");
    report_open_table(m, "Parameters", "Parameter|Value#");
    write_word_setting(m, "Scene file", side->path);
    write_word_setting(m, "Frames", frames);
    write_setting(m, "Frames per second", info.fps);
    write_setting(m, "Substeps", info.substeps);
    write_setting(m, "Sweeps", info.sweeps);
    markup_raw(m, "<tr><th scope=\"row\">Gravity, m/s²</th><td class=\"number\">");
    for (int k = 0; k < 3; k++) {
        markup_raw(m, k ? ", " : "");
        markup_number(m, info.gravity[k]);
    }
    markup_raw(m, "</td></tr>\n");
    write_setting(m, "Threads", r->options.simulate.threads);
    write_word_setting(m, "Instructions",
                       sup_simd_name(sup_world_simd(sup_scene_world(side->scene))));
    write_word_setting(m, "Version of supple", sup_version());
    write_word_setting(m, "Hash of the last frame", hash);
    report_close_table(m);
    markup_raw(m, "</div>\n");
}

/* ---- the page ---- */

static void write_head(markup* m, const report* r) {
    /* The policy forbids what the page has no need of: every request. */
    markup_raw(m, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "img-src data:; style-src 'unsafe-inline'\"/>\n"
                  "<link rel=\"icon\" href=\"data:,\"/>\n<title>");
    write_names(m, r);
    markup_raw(m, " - Supple report</title>\n<style>\n");
    markup_raw(m, report_style);
    chart_write_style(m);
    markup_raw(m, "</style>\n</head>\n");
}

static void write_scene_contents(markup* m, const report* r, const report_side* side) {
    (void)r;
    report_write_contents(m, side);
}

void report_write(markup* m, const report* r) {
    write_head(m, r);
    markup_print(m, "<body%s>\n<header>\n<p class=\"kicker\">Supple report</p>\n<h1>",
                 r->side_count > 1 ? " class=\"two\"" : "");
    write_names(m, r);
    markup_raw(m, "</h1>\n</header>\n<main>\n<section>\n<h2>At a glance</h2>\n");
    if (r->no_pictures[0]) {
        markup_raw(m, "<p class=\"note\">There are no pictures: ");
        markup_text(m, r->no_pictures);
        markup_raw(m, ".</p>\n");
    }
    write_sides(m, r, write_glance);
    markup_raw(m, "</section>\n");
    write_charts(m, r);
    markup_raw(m, "<section>\n<h2>What is in it</h2>\n");
    write_sides(m, r, write_scene_contents);
    markup_raw(m, "</section>\n<section>\n<h2>Numbers</h2>\n"
                  "<p>The times (ms) are wall times: another run gives other numbers. All other "
                  "numbers are the same on every machine.</p>\n");
    write_sides(m, r, write_numbers);
    markup_raw(m, "</section>\n<section>\n<h2>How to reproduce it</h2>\n"
                  "<p>Threads and instructions do not change the result; equal hashes mean equal "
                  "bits.</p>\n");
    write_commands(m, r);
    write_sides(m, r, write_settings);
    markup_raw(m, "</section>\n</main>\n</body>\n</html>\n");
}
