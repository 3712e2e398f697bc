/* See chart.h. */
#include "plot/chart.h"

#include "plot/axis.h"

#include <stdio.h>
#include <string.h>

#define LETTER 7.1 /* px, width of a letter on average: SVG cannot ask */
#define HEADING_LETTER 8.6
#define EDGE 14.0 /* px, free space around */
#define LINE 19.0 /* px, from one line of the legend to the next */

/* The first three are colours of Okabe and Ito; all are at least 0.14 apart in OKLab, 0.09 as a
   red-green blind eye sees them, and stand out from the paper by 3 : 1. Colours are written out:
   not all that draws SVG knows variables. */
static const char style[] =
    ".chart{color:#1f2933;font:12px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,"
    "sans-serif;font-variant-numeric:tabular-nums}\n"
    ".chart text{fill:currentColor}\n"
    ".chart .heading{font-size:15px;font-weight:600}\n"
    ".chart .paper{fill:#fff}\n"
    ".chart .grid{fill:none;stroke:currentColor;stroke-opacity:.13}\n"
    ".chart .axis{fill:none;stroke:currentColor;stroke-opacity:.55}\n"
    ".chart .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\n"
    ".chart .dashed{stroke-dasharray:5 4}\n"
    ".chart .c0{stroke:#0072b2}.chart .c1{stroke:#d55e00}.chart .c2{stroke:#008f68}"
    ".chart .c3{stroke:#a3122a}\n"
    ".chart .c4{stroke:#9a79f5}.chart .c5{stroke:#4411d0}.chart .c6{stroke:currentColor}"
    ".chart .c7{stroke:#661166}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".chart{color:#e4e7eb}\n"
    ".chart .paper{fill:#16191d}\n"
    ".chart .c0{stroke:#56b4e9}.chart .c1{stroke:#ff8b3d}.chart .c2{stroke:#2ecc9f}"
    ".chart .c3{stroke:#dd2050}\n"
    ".chart .c4{stroke:#8070ff}.chart .c5{stroke:#5d6f8c}.chart .c7{stroke:#c4ee3a}\n"
    "}\n";

void chart_write_style(markup* m) { markup_raw(m, style); }

/* ---- numbers ---- */

static double time_at(const chart_series* s, int32_t i) {
    return s->times[(size_t)i * (size_t)s->stride];
}

static double value_at(const chart_series* s, int32_t i) {
    return s->values[(size_t)i * (size_t)s->stride];
}

/* Has it a place in the chart? Next to nothing counts as nothing, before powers of ten overflow. */
static bool shows(bool log, double value) { return !log || value > 1e-250; }

bool chart_range(const chart_series* series, bool log, double* low, double* high) {
    bool any = false;
    *low = *high = 0;
    for (int32_t i = 0; i < series->count; i++) {
        double value = value_at(series, i);
        if (!shows(log, value)) continue;
        if (!any || value < *low) *low = value;
        if (!any || value > *high) *high = value;
        any = true;
    }
    return any;
}

/* ---- layout ---- */

typedef struct layout {
    double left, top, right, bottom; /* of the lines' field, px */
    double legend_top, height;
    axis time, value;
    bool one_unit; /* all series have the same: it stands at the axis, else in the legend */
} layout;

static axis value_axis(const chart* c) {
    double low = 1, high = 1; /* of nothing at all */
    bool any = false;
    for (int32_t k = 0; k < c->series_count; k++) {
        double l, h;
        if (!chart_range(&c->series[k], c->log, &l, &h)) continue;
        if (!any || l < low) low = l;
        if (!any || h > high) high = h;
        any = true;
    }
    int32_t wanted = c->height / 60 < 3 ? 3 : c->height / 60 > 10 ? 10 : c->height / 60;
    if (c->log) return axis_log(low, high, wanted);
    /* Heights can only be compared with the zero in sight. */
    if (low > 0 && low < 0.6 * high) low = 0;
    if (high < 0 && high > 0.6 * low) high = 0;
    return axis_linear(low, high, wanted, true);
}

static axis time_axis(const chart* c) {
    double low = time_at(&c->series[0], 0), high = low;
    for (int32_t k = 0; k < c->series_count; k++) {
        const chart_series* s = &c->series[k];
        double first = time_at(s, 0), last = time_at(s, s->count - 1);
        if (first < low) low = first;
        if (last > high) high = last;
    }
    if (low > 0 && low < 0.05 * high) low = 0;
    int32_t wanted = c->width / 90 < 3 ? 3 : c->width / 90 > 12 ? 12 : c->width / 90;
    return axis_linear(low, high, wanted, false);
}

int32_t chart_other_unit(const chart* c) {
    int32_t k = 1;
    while (k < c->series_count && strcmp(c->series[k].unit, c->series[0].unit) == 0) k++;
    return k;
}

static void legend_words(const chart_series* s, bool with_unit, char text[80]) {
    bool unit = with_unit && s->unit[0];
    snprintf(text, 80, "%s%s%s%s", s->name, unit ? " (" : "", unit ? s->unit : "", unit ? ")" : "");
}

/* The legend from left to right, line by line; returns how many lines it takes. `m` NULL: only
   counts them. */
static int32_t write_legend(const chart* c, const layout* at, markup* m) {
    int32_t lines = 1;
    double x = EDGE;
    for (int32_t k = 0; k < c->series_count; k++) {
        const chart_series* s = &c->series[k];
        char words[80];
        legend_words(s, !at->one_unit, words);
        double wide = 30 + LETTER * markup_length(words) + 16;
        if (x > EDGE && x + wide > c->width) lines++, x = EDGE;
        if (m) {
            double y = at->legend_top + LINE * lines - 6;
            markup_print(
                m, "<path class=\"line c%d%s\" d=\"M%.1f %.1fh22\"/><text x=\"%.1f\" y=\"%.1f\">",
                (int)s->colour, s->dashed ? " dashed" : "", x, y - 4, x + 29, y);
            markup_text(m, words);
            markup_raw(m, "</text>\n");
        }
        x += wide;
    }
    return lines;
}

static layout lay_out(const chart* c) {
    layout at = {.time = time_axis(c),
                 .value = value_axis(c),
                 .one_unit = chart_other_unit(c) >= c->series_count};
    int32_t longest = 0;
    for (int32_t i = 0; i < at.value.tick_count; i++) {
        int32_t length = markup_length(at.value.ticks[i].label);
        if (length > longest) longest = length;
    }
    at.legend_top = c->standalone ? 34 : 4;
    at.left = EDGE + LETTER * longest + 8;
    at.right = c->width - EDGE - 4;
    at.top = at.legend_top + LINE * write_legend(c, &at, NULL) + 32;
    /* A long legend must not eat up the field. */
    at.height = c->height > at.top + 124 ? c->height : at.top + 124;
    at.bottom = at.height - 44;
    return at;
}

static double x_of(const layout* at, double time) {
    return at->left + (at->right - at->left) * axis_share(&at->time, time);
}

static double y_of(const layout* at, double value) {
    return at->bottom + (at->top - at->bottom) * axis_share(&at->value, value);
}

/* ---- drawing ---- */

static void write_grid(markup* m, const layout* at) {
    markup_raw(m, "<path class=\"grid\" d=\"");
    for (int32_t i = 0; i < at->value.tick_count; i++) {
        markup_print(m, "M%.1f %.1fH%.1f", at->left, y_of(at, at->value.ticks[i].value), at->right);
    }
    for (int32_t i = 0; i < at->time.tick_count; i++) {
        markup_print(m, "M%.1f %.1fV%.1f", x_of(at, at->time.ticks[i].value), at->top, at->bottom);
    }
    double zero = at->bottom; /* the line of no value, where it is in sight */
    if (!at->value.log && at->value.low < 0 && at->value.high > 0) zero = y_of(at, 0);
    markup_print(m, "\"/>\n<path class=\"axis\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1f\"/>\n", at->left,
                 at->top, at->bottom, at->left, zero, at->right);
}

/* " ×10⁻³ m" */
static void write_unit(markup* m, const axis* a, const char* unit) {
    if (a->exponent != 0) {
        char power[40];
        markup_superscript(power, a->exponent);
        markup_print(m, "×10%s ", power);
    }
    markup_text(m, unit);
}

static void write_labels(markup* m, const chart* c, const layout* at) {
    markup_raw(m, "<g text-anchor=\"end\">\n");
    for (int32_t i = 0; i < at->value.tick_count; i++) {
        markup_print(m, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", at->left - 7,
                     y_of(at, at->value.ticks[i].value) + 4, at->value.ticks[i].label);
    }
    markup_raw(m, "</g>\n<g text-anchor=\"middle\">\n");
    for (int32_t i = 0; i < at->time.tick_count; i++) {
        markup_print(m, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                     x_of(at, at->time.ticks[i].value), at->bottom + 17, at->time.ticks[i].label);
    }
    markup_print(m, "<text x=\"%.1f\" y=\"%.1f\">", (at->left + at->right) / 2, at->bottom + 35);
    markup_text(m, c->across ? c->across : "time");
    const char* unit = c->across ? c->across_unit : "s";
    if (unit[0] || at->time.exponent != 0) {
        markup_raw(m, " (");
        write_unit(m, &at->time, unit);
        markup_raw(m, ")");
    }
    markup_print(m, "</text>\n</g>\n<text x=\"%.1f\" y=\"%.1f\">", EDGE, at->top - 11);
    write_unit(m, &at->value, at->one_unit ? c->series[0].unit : "");
    markup_raw(m, "</text>\n");
}

/* Draws one line as polylines: a new one after each gap. */
typedef struct pen {
    markup* m;
    const layout* at;
    const chart_series* series;
    int32_t drawn; /* points of the polyline under way */
    double x, y;
} pen;

static void pen_lift(pen* p) {
    if (p->drawn == 0) return;
    if (p->drawn == 1) markup_print(p->m, " %.1f,%.1f", p->x, p->y); /* a dot */
    markup_raw(p->m, "\"/>\n");
    p->drawn = 0;
}

static void pen_move(pen* p, int32_t i) {
    if (p->drawn == 0) markup_raw(p->m, "<polyline points=\"");
    p->x = x_of(p->at, time_at(p->series, i));
    p->y = y_of(p->at, value_at(p->series, i));
    markup_print(p->m, "%s%.1f,%.1f", p->drawn ? " " : "", p->x, p->y);
    p->drawn++;
}

/* The lowest and the highest of the numbers begin .. end - 1, in their order. */
static void pen_extremes(pen* p, int32_t begin, int32_t end) {
    int32_t low = -1, high = -1;
    for (int32_t i = begin; i < end; i++) {
        double value = value_at(p->series, i);
        if (!shows(p->at->value.log, value)) continue;
        if (low < 0 || value < value_at(p->series, low)) low = i;
        if (high < 0 || value > value_at(p->series, high)) high = i;
    }
    if (low < 0) {
        pen_lift(p);
        return;
    }
    pen_move(p, low < high ? low : high);
    if (low != high) pen_move(p, low < high ? high : low);
}

static void write_series(markup* m, const layout* at, const chart_series* s) {
    markup_print(m, "<g class=\"line c%d%s\">", (int)s->colour, s->dashed ? " dashed" : "");
    pen p = {.m = m, .at = at, .series = s};
    int32_t parts = CHART_POINTS / 2 - 1;
    int32_t part = s->count <= CHART_POINTS ? 1 : (s->count - 2 + parts - 1) / parts;
    /* The two ends are parts of their own: they always show. */
    pen_extremes(&p, 0, 1);
    for (int32_t i = 1; i < s->count - 1; i += part) {
        int32_t end = s->count - 1 - i < part ? s->count - 1 : i + part;
        pen_extremes(&p, i, end);
    }
    if (s->count > 1) pen_extremes(&p, s->count - 1, s->count);
    pen_lift(&p);
    markup_raw(m, "</g>\n");
}

/* The chart in words, for those who hear it. */
static void write_description(markup* m, const chart* c) {
    markup_element(m, "title", c->title);
    markup_raw(m, "<desc>Lines over time.");
    for (int32_t k = 0; k < c->series_count; k++) {
        double low, high;
        chart_range(&c->series[k], false, &low, &high);
        markup_raw(m, " ");
        markup_text(m, c->series[k].name);
        markup_raw(m, ": ");
        markup_number(m, low);
        markup_raw(m, " to ");
        markup_number(m, high);
        markup_raw(m, c->series[k].unit[0] ? " " : "");
        markup_text(m, c->series[k].unit);
        markup_raw(m, ".");
    }
    markup_raw(m, "</desc>\n");
}

/* A title that is too long ends in three dots; all of it is in the description. */
static void write_heading(markup* m, const chart* c) {
    int32_t room = (int32_t)((c->width - 2 * EDGE) / HEADING_LETTER);
    bool fits = markup_length(c->title) <= room;
    markup_print(m, "<text class=\"heading\" x=\"%.1f\" y=\"25\">", EDGE);
    markup_part(m, c->title, fits ? strlen(c->title) : markup_bytes(c->title, room - 1));
    markup_raw(m, fits ? "</text>\n" : "…</text>\n");
}

void chart_write(markup* m, const chart* c) {
    layout at = lay_out(c);
    markup_raw(m, "<svg class=\"chart\" role=\"img\"");
    if (c->standalone) {
        markup_print(m, " xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\"",
                     (int)c->width, at.height);
    }
    markup_print(m, " viewBox=\"0 0 %d %.0f\">\n", (int)c->width, at.height);
    write_description(m, c);
    if (c->standalone) {
        markup_raw(m, "<style>\n");
        chart_write_style(m);
        markup_raw(m, "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
        write_heading(m, c);
    }
    write_legend(c, &at, m);
    write_grid(m, &at);
    write_labels(m, c, &at);
    for (int32_t k = 0; k < c->series_count; k++) write_series(m, &at, &c->series[k]);
    markup_raw(m, "</svg>\n");
}

sup_result chart_save(const chart* c, const char* path, sup_error* error) {
    supi_writer writer;
    sup_result result =
        supi_writer_begin(&writer, sup_file_gate_default(), sup_allocator_default(), path, error);
    if (result != SUP_OK) return result;
    chart_write(&(markup){&writer}, c);
    return supi_writer_commit(&writer, error);
}
