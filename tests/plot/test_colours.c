/* The colours of lines: far apart on light and on dark paper, also for red-green blind eyes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct colour {
    double channel[3];
} colour;

/* Linear from "#rrggbb". */
static colour parse(const char* text) {
    unsigned rgb = (unsigned)strtoul(text + 1, NULL, 16);
    colour c;
    for (int k = 0; k < 3; k++) {
        double x = (double)(rgb >> (16 - 8 * k) & 0xff) / 255;
        c.channel[k] = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
    }
    return c;
}

static colour times(const double m[3][3], colour c) {
    colour out;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += m[i][k] * c.channel[k];
        out.channel[i] = sum > 0 ? sum : 0;
    }
    return out;
}

/* OKLab (Ottosson 2020). */
static colour perceived(colour c) {
    static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                       {0.2119034982, 0.6806995451, 0.1073969566},
                                       {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                     {1.9779984951, -2.4285922050, 0.4505937099},
                                     {0.0259040371, 0.7827717662, -0.8086757660}};
    colour root = times(cones, c), out;
    for (int k = 0; k < 3; k++) root.channel[k] = cbrt(root.channel[k]);
    for (int i = 0; i < 3; i++) {
        out.channel[i] = 0;
        for (int k = 0; k < 3; k++) out.channel[i] += lab[i][k] * root.channel[k];
    }
    return out;
}

static double apart(colour a, colour b) {
    colour p = perceived(a), q = perceived(b);
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow(p.channel[k] - q.channel[k], 2);
    return sqrt(sum);
}

static double brightness(colour c) {
    return 0.2126 * c.channel[0] + 0.7152 * c.channel[1] + 0.0722 * c.channel[2] + 0.05;
}

/* How eyes without red or green cones see (Machado et al. 2009). */
static const double no_green[3][3] = {{0.367322, 0.860646, -0.227968},
                                      {0.280085, 0.672501, 0.047413},
                                      {-0.011820, 0.042940, 0.968881}};
static const double no_red[3][3] = {{0.152286, 1.052583, -0.204868},
                                    {0.114503, 0.786281, 0.099216},
                                    {-0.003882, -0.048116, 1.051998}};

static void check_palette(const char* css, const char* paper_key) {
    colour colours[CHART_SERIES];
    colour paper = parse(strstr(strstr(css, paper_key), "#"));
    colour ink = parse(strstr(strstr(css, ".chart{color:"), "#"));
    for (int i = 0; i < CHART_SERIES; i++) {
        char key[32];
        snprintf(key, sizeof key, ".c%d{stroke:#", i);
        const char* at = strstr(css, key);
        assert_true(at || i == 6); /* which is the ink */
        colours[i] = at ? parse(strchr(at, '#')) : ink;
        double a = brightness(colours[i]), b = brightness(paper);
        assert_true((a > b ? a / b : b / a) >= 3);
    }
    for (int i = 0; i < CHART_SERIES; i++) {
        for (int k = 0; k < i; k++) {
            colour a = colours[i], b = colours[k];
            double green = apart(times(no_green, a), times(no_green, b));
            double red = apart(times(no_red, a), times(no_red, b));
            if (apart(a, b) < 0.14 || green < 0.09 || red < 0.09) {
                fail_msg("colours %d and %d: %.3f apart, %.3f without green, %.3f without red", k,
                         i, apart(a, b), green, red);
            }
        }
    }
}

static void test_palettes(void** state) {
    (void)state;
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    char path[400], css[4000] = "";
    snprintf(path, sizeof path, "%s/chart.css", folder ? folder : ".");
    supi_writer writer;
    sup_error error;
    assert_int_equal(
        supi_writer_begin(&writer, sup_file_gate_default(), sup_allocator_default(), path, &error),
        SUP_OK);
    chart_write_style(&(markup){&writer});
    assert_int_equal(supi_writer_commit(&writer, &error), SUP_OK);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(css, 1, sizeof css - 1, file) > 100);
    fclose(file);
    char* dark = strstr(css, "@media");
    assert_non_null(dark);
    check_palette(dark, ".paper{fill:");
    *dark = 0;
    /* white is written with three digits */
    assert_non_null(strstr(css, ".paper{fill:#fff}"));
    memcpy(strstr(css, ".chart text"), ".paper{fill:#ffffff}", 20);
    check_palette(css, ".paper{fill:#ffffff");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_palettes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
