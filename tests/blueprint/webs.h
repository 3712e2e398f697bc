/* What tests of weaves ask of a web. */
#ifndef SUPPLE_TESTS_BLUEPRINT_WEBS_H
#define SUPPLE_TESTS_BLUEPRINT_WEBS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "supple/mesh.h"
#include "supple/weave.h"

static inline void assert_done(sup_result result, const sup_error* error) {
    if (result != SUP_OK) fail_msg("%s: %s", sup_result_name(result), error->text);
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g is not %.9g within %g", value, expected, tolerance);
    }
}

static inline void assert_says(sup_result result, sup_result expected, const sup_error* error,
                               const char* words) {
    assert_int_equal(result, expected);
    assert_int_equal(error->code, expected);
    if (!strstr(error->text, words)) fail_msg("\"%s\" does not say \"%s\"", error->text, words);
}

static inline int32_t count_kind(const sup_web* web, sup_spring_kind kind) {
    int32_t count = 0;
    for (int32_t s = 0; s < web->spring_count; s++) count += web->springs[s].kind == kind;
    return count;
}

static inline double web_mass(const sup_web* web) {
    double sum = 0.0;
    for (int32_t p = 0; p < web->point_count; p++) sum += (double)web->masses[p];
    return sum;
}

static inline const sup_spring* find_spring(const sup_web* web, int32_t a, int32_t b) {
    for (int32_t s = 0; s < web->spring_count; s++) {
        const sup_spring* spring = &web->springs[s];
        if ((spring->a == a && spring->b == b) || (spring->a == b && spring->b == a)) return spring;
    }
    return NULL;
}

static inline void get_point(const sup_web* web, int32_t p, double out[3]) {
    out[0] = (double)web->points[p].x;
    out[1] = (double)web->points[p].y;
    out[2] = (double)web->points[p].z;
}

static inline double tet_volume(const sup_web* web, int32_t tet) {
    double c[4][3];
    for (int k = 0; k < 4; k++) get_point(web, web->tets[4 * tet + k], c[k]);
    for (int k = 1; k < 4; k++) {
        for (int i = 0; i < 3; i++) c[k][i] -= c[0][i];
    }
    return (c[1][0] * (c[2][1] * c[3][2] - c[2][2] * c[3][1]) +
            c[1][1] * (c[2][2] * c[3][0] - c[2][0] * c[3][2]) +
            c[1][2] * (c[2][0] * c[3][1] - c[2][1] * c[3][0])) /
           6.0;
}

/* What every web promises. */
static inline void check_web(const sup_web* web) {
    for (int32_t p = 0; p < web->point_count; p++) assert_true(web->masses[p] > 0.0f);
    for (int32_t s = 0; s < web->spring_count; s++) {
        const sup_spring *spring = &web->springs[s], *before = spring - (s > 0);
        double a[3], b[3], square = 0.0;
        assert_true(spring->a >= 0 && spring->a < spring->b && spring->b < web->point_count);
        assert_true(spring->stiffness >= 0.0f && isfinite(spring->stiffness));
        get_point(web, spring->a, a);
        get_point(web, spring->b, b);
        for (int k = 0; k < 3; k++) square += (b[k] - a[k]) * (b[k] - a[k]);
        assert_near((double)spring->length, sqrt(square), 1e-6 * sqrt(square));
        if (s == 0 || (spring->kind == SUP_SPRING_STRUT && before->kind != SUP_SPRING_STRUT)) {
            continue;
        }
        bool rises = before->a != spring->a   ? before->a < spring->a
                     : before->b != spring->b ? before->b < spring->b
                                              : before->kind < spring->kind;
        assert_true(rises);
    }
    for (int32_t t = 0; t < web->tet_count; t++) assert_true(tet_volume(web, t) > 0.0);
    for (int32_t p = 0; p < web->surface.point_count; p++) {
        assert_memory_equal(&web->surface.points[p], &web->points[p], sizeof(sup_vec3));
    }
    if (web->surface.point_count == 0) return;
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &web->surface, &report, NULL), SUP_OK);
    assert_int_equal(report.unused_point_count, 0);
}

/* Energy of springs under a small strain, J: x moves by strain x. */
static inline double strain_energy(const sup_web* web, const double strain[3][3]) {
    double sum = 0.0;
    for (int32_t s = 0; s < web->spring_count; s++) {
        double a[3], b[3], along = 0.0, square = 0.0;
        get_point(web, web->springs[s].a, a);
        get_point(web, web->springs[s].b, b);
        for (int i = 0; i < 3; i++) {
            square += (b[i] - a[i]) * (b[i] - a[i]);
            for (int k = 0; k < 3; k++) along += (b[i] - a[i]) * strain[i][k] * (b[k] - a[k]);
        }
        sum += 0.5 * (double)web->springs[s].stiffness * along * along / square;
    }
    return sum;
}

#endif
