/* Prints rows and their figures, as a table or as JSON. */
#include "bench.h"

#include <stdio.h>

static double ratio_of(const bench_figures* figures) { return figures->reference / figures->value; }

const char* bench_fault(const bench_row* row, const bench_figures* figures) {
    /* Written so that a ratio that is not a number is below too. */
    if (row->floor > 0.0 && !(ratio_of(figures) >= row->floor)) return "below its floor";
    if (figures->ceiling > 0.0 && ratio_of(figures) > figures->ceiling) return "above its ceiling";
    return NULL;
}

static void print_json_limit(const char* key, double limit) {
    if (limit > 0.0) {
        printf(", \"%s\": %.6g", key, limit);
    } else {
        printf(", \"%s\": null", key);
    }
}

void bench_print_json(const bench_row* const* rows, const bench_figures* figures, int32_t count) {
    printf("{\"rows\": [");
    for (int32_t k = 0; k < count; k++) {
        const bench_row* row = rows[k];
        const bench_figures* f = &figures[k];
        printf("%s\n  {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"repeats\": %d",
               k ? "," : "", row->name, f->value, row->unit, row->repeats);
        printf(", \"threads\": %d, \"simd\": \"%s\"", row->threads, sup_simd_name(f->simd));
        printf(", \"reference\": {\"name\": \"%s\", \"value\": %.6g}, \"ratio\": %.6g",
               row->reference, f->reference, ratio_of(f));
        print_json_limit("floor", row->floor);
        print_json_limit("goal", row->goal);
        print_json_limit("ceiling", f->ceiling);
        if (f->note[0]) printf(", \"note\": \"%s\"", f->note);
        printf("}");
    }
    printf("\n]}\n");
}

static void print_limit(double limit) {
    if (limit > 0.0) {
        printf(" %6.2f", limit);
    } else {
        printf(" %6s", "-");
    }
}

static const char* verdict(const bench_row* row, const bench_figures* figures) {
    const char* fault = bench_fault(row, figures);
    if (fault) return fault;
    if (row->goal > 0.0 && ratio_of(figures) >= row->goal) return "goal reached";
    return row->floor > 0.0 ? "ok" : "";
}

void bench_print_table(const bench_row* const* rows, const bench_figures* figures, int32_t count) {
    printf("%-38s %9s %-8s %7s %-6s  %-16s %9s %7s %6s %6s\n", "row", "value", "unit", "threads",
           "simd", "reference", "value", "ratio", "floor", "goal");
    for (int32_t k = 0; k < count; k++) {
        const bench_row* row = rows[k];
        const bench_figures* f = &figures[k];
        printf("%-38s %9.3f %-8s %7d %-6s  %-16s %9.3f %7.2f", row->name, f->value, row->unit,
               row->threads, sup_simd_name(f->simd), row->reference, f->reference, ratio_of(f));
        print_limit(row->floor);
        print_limit(row->goal);
        printf("  %s%s%s\n", verdict(row, f), f->note[0] ? "; " : "", f->note);
    }
}

void bench_print_list(const bench_row* const* rows, int32_t count) {
    for (int32_t k = 0; k < count; k++) printf("%-38s %s\n", rows[k]->name, rows[k]->about);
}
