/* A rope with an overhand knot, pulled tight: no piece of it goes through another. */
#include "world/yard.h"

#include "scene/shipped.h"
#include "world/world.h"

enum { KNOT_MOST = 128 };

typedef struct rope {
    int32_t count;
    sup_point x[KNOT_MOST];
} rope;

/* What is seen of a rope while it is pulled. */
typedef struct pull {
    double nearest; /* m, least distance of two pieces that share no end, at and between frames */
    double bend;    /* rad, all turns from piece to piece together, at the end */
    double stretch; /* of its length at the start, at the end */
} pull;

static void between(const sup_point* a, const sup_point* b, double out[3]) {
    out[0] = b->x - a->x, out[1] = b->y - a->y, out[2] = b->z - a->z;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double within(double t) { return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t; }

/* Of the pieces a[0] a[1] and b[0] b[1], neither a point. */
static double distance(const sup_point* a, const sup_point* b) {
    double u[3], v[3], r[3], d[3];
    between(a, a + 1, u);
    between(b, b + 1, v);
    between(b, a, r);
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    double det = uu * vv - uv * uv;
    double s = det > 1e-12 * uu * vv ? within((uv * vr - ur * vv) / det) : 0.0;
    double t = within((uv * s + vr) / vv);
    s = within((uv * t - ur) / uu);
    for (int k = 0; k < 3; k++) d[k] = r[k] + s * u[k] - t * v[k];
    return length_of(d);
}

static void read_rope(const sup_world* world, sup_body body, rope* r) {
    r->count = sup_blueprint_get_info(sup_body_blueprint(world, body)).particle_count;
    assert_true(r->count <= KNOT_MOST);
    assert_int_equal(sup_body_read_particles(world, body, r->x, NULL), SUP_OK);
}

/* How fast two pieces come closer at most, while their ends go this far in a straight line. */
static double closing(double (*gone)[3], int32_t i, int32_t k) {
    double most = 0.0;
    for (int n = 0; n < 4; n++) most = fmax(most, distance_of(gone[i + n / 2], gone[k + n % 2]));
    return most;
}

/* Least distance of two pieces on their way: from time to time, none of which is longer than they
   need to touch. Below 1 mm they have gone through each other. */
static double least(const rope* from, double (*gone)[3], int32_t i, int32_t k) {
    double nearest = INFINITY, most = closing(gone, i, k);
    for (double t = 0.0; t <= 1.0 && nearest > 1e-3;) {
        sup_point ends[4];
        for (int n = 0; n < 4; n++) {
            int32_t at = (n < 2 ? i : k) + n % 2;
            ends[n] = (sup_point){from->x[at].x + t * gone[at][0], from->x[at].y + t * gone[at][1],
                                  from->x[at].z + t * gone[at][2]};
        }
        double far = distance(ends, ends + 2);
        nearest = fmin(nearest, far);
        t += far / fmax(most, 1e-9);
    }
    return nearest;
}

static void watch(const rope* before, const rope* after, pull* p) {
    double gone[KNOT_MOST][3];
    for (int32_t i = 0; i < before->count; i++) between(before->x + i, after->x + i, gone[i]);
    for (int32_t i = 0; i + 1 < before->count; i++) {
        for (int32_t k = 0; k + 1 < i; k++)
            p->nearest = fmin(p->nearest, least(before, gone, i, k));
    }
}

static double length_along(const rope* r) {
    double sum = 0.0, d[3];
    for (int32_t i = 0; i + 1 < r->count; i++)
        between(r->x + i, r->x + i + 1, d), sum += length_of(d);
    return sum;
}

static double bend_along(const rope* r) {
    double sum = 0.0, a[3], b[3];
    for (int32_t i = 1; i + 1 < r->count; i++) {
        between(r->x + i - 1, r->x + i, a);
        between(r->x + i, r->x + i + 1, b);
        sum += acos(fmin(dot(a, b) / (length_of(a) * length_of(b)), 1.0));
    }
    return sum;
}

static pull tighten(int32_t frames, bool meets_itself) {
    sup_scene* scene = shipped_scene("knot", 1);
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    sup_frame_settings settings = supi_world_body(world, body)->frames;
    settings.meets_itself = meets_itself;
    assert_int_equal(sup_body_set_frames(world, body, &settings, NULL), SUP_OK);
    pull p = {INFINITY, 0, 0};
    rope ropes[2];
    read_rope(world, body, ropes);
    double length = length_along(ropes);
    for (int32_t i = 0; i < frames; i++) {
        assert_int_equal(sup_scene_drive(scene, i + 1, NULL), SUP_OK);
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 0);
        read_rope(world, body, ropes + (i + 1) % 2);
        watch(ropes + i % 2, ropes + (i + 1) % 2, &p);
    }
    p.bend = bend_along(ropes + frames % 2);
    p.stretch = length_along(ropes + frames % 2) / length;
    if (getenv("SUPPLE_SHOW")) {
        printf("nearest %.4f m; bent by %.2f rad, stretched to %.3f\n", p.nearest, p.bend,
               p.stretch);
    }
    sup_scene_free(scene);
    return p;
}

/* Rope 6 cm thick. What is knotted cannot hang in less than a turn; what is not does once it has
   been pulled. */
static void a_knot_holds(void** state) {
    (void)state;
    pull tied = tighten(short_tests() ? 120 : 600, true);
    assert_true(tied.nearest > 0.03);
    assert_true(tied.bend > 6.2831853);
    if (short_tests()) return;
    assert_true(tied.stretch > 1.06);
    pull loose = tighten(600, false);
    assert_below(loose.nearest, 1e-3);
    assert_below(loose.bend, 3.1415927);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_knot_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
