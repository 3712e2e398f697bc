/* Contacts of particles that nothing turns take short ways: eight at a time on a plane, and pairs
   without asking who turns. They come to the bits of the long ways. */
#include "sizes.h"

#include "contact/ellipsoids.h"
#include "contact/kin.h"
#include "contact/press.h"
#include "contact/respond_turning.h"
#include "contact/vec3.h"

#include <float.h>
#include <string.h>

enum { FIRST = 3, ROWS = 29, PIECES = 2 };
#define H 0.002f

/* A run and its contacts. */
typedef struct crowd {
    sup_row x[FIRST + ROWS], v[FIRST + ROWS], radii[ROWS], spin[ROWS], shift[ROWS];
    sup_quat axes[ROWS], turn[ROWS];
    int32_t piece[ROWS];
    supi_touch_contact touched[ROWS];
    supi_contact met[ROWS];
    supi_grasp grasps[ROWS];
} crowd;

static sup_row random_row(uint64_t* seed, double size, float w) {
    sup_vec3 a = random_offset(seed, size);
    return (sup_row){a.x, a.y, a.z, w};
}

static sup_vec3 random_normal(uint64_t* seed) {
    sup_vec3 n = random_offset(seed, 1);
    float length = sqrtf(supi_vec3_dot(n, n));
    return supi_vec3_scaled(n, 1 / length);
}

/* In the middle of a substep: some have pushed, some were deep before, some are apart. */
static supi_contact random_contact(uint64_t* seed, int32_t a, int32_t b, sup_vec3 n) {
    sup_vec3 drag = random_offset(seed, 1e-3);
    bool pushed = ref_random_index(seed, 3) > 0;
    return (supi_contact){.a = a,
                          .b = b,
                          .normal = {n.x, n.y, n.z},
                          .distance = 0.01f,
                          .depth = (float)between(seed, -0.02, 0.02),
                          .approach = ref_random_index(seed, 2) ? -3.0f : 0.0f,
                          .push = pushed ? (float)between(seed, 0, 2e-3) : 0.0f,
                          .drag = {drag.x, drag.y, drag.z},
                          .opened = pushed ? (float)between(seed, 0, 1e-3) : 0.0f};
}

static void fill(crowd* c, uint64_t* seed) {
    sup_vec3 n = random_normal(seed);
    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < ROWS; i++) {
        sup_row* x = &c->x[FIRST + i];
        *x = random_row(seed, 1, (float)between(seed, 0.5, 50));
        c->v[FIRST + i] = random_row(seed, 2, 0.05f);
        c->spin[i] = random_row(seed, 5, 0);
        c->radii[i] = (sup_row){0.05f, 0.03f, 0.02f, 0};
        c->axes[i] = c->turn[i] = (sup_quat){0, 0, 0, 1};
        c->piece[i] = (int32_t)ref_random_index(seed, PIECES + 1) - 1;
        sup_vec3 found = random_offset(seed, 2e-3);
        c->touched[i] = (supi_touch_contact){
            .common = random_contact(seed, FIRST + i, 0, n),
            .start = {x->x, x->y, x->z},
            .found = {x->x + found.x, x->y + found.y, x->z + found.z},
            .side = 1,
        };
        c->met[i] = random_contact(seed, FIRST + i, FIRST + (i + 7) % ROWS, random_normal(seed));
        sup_row *a = &c->x[c->met[i].a], *b = &c->x[c->met[i].b];
        sup_vec3 apart = {a->x - b->x, a->y - b->y, a->z - b->z};
        float along = supi_vec3_dot(supi_vec3_from(c->met[i].normal), apart);
        c->met[i].distance = fmaxf(0, along + c->met[i].depth);
        bool old = ref_random_index(seed, 2) > 0;
        c->grasps[i] = (supi_grasp){.old = old ? (float)between(seed, 0, 0.02) : 0.0f,
                                    .scale = 1,
                                    .arm_a = random_offset(seed, 0.05),
                                    .arm_b = random_offset(seed, 0.05),
                                    .found = {0, 0, 0, 1}};
    }
}

static supi_oriented oriented_of(crowd* c) {
    return (supi_oriented){.axes = c->axes,
                           .radii = c->radii,
                           .turn = c->turn,
                           .spin = c->spin,
                           .piece = c->piece,
                           .shift = c->shift,
                           .reach = 0.05f};
}

static supi_surface random_surface(uint64_t* seed) {
    return (supi_surface){.friction_static = (float)between(seed, 0, 1),
                          .friction_kinetic = (float)between(seed, 0, 0.8),
                          .restitution = ref_random_index(seed, 2) ? 0.4f : 0.0f,
                          .depart = 0.1f,
                          .shift = 0.5f,
                          .slack = 1e-3f,
                          .creep = 0.05f};
}

/* ---- Planes ---- */

static void planes_agree(void** state) {
    (void)state;
    uint64_t seed = 11;
    int changed = 0;
    for (int round = 0; round < 400; round++) {
        crowd start, expected;
        fill(&start, &seed);
        const supi_surface surface = random_surface(&seed);
        int32_t count = 1 + (int32_t)ref_random_index(&seed, ROWS);
        expected = start;
        supi_oriented o = oriented_of(&expected);
        supi_touch touch = {.kin = {&o, FIRST},
                            .shape = {.kind = SUP_COLLIDER_PLANE, .safe = FLT_MAX}};
        for (int sweep = 0; sweep < 2; sweep++) {
            supi_respond_turning_touches(&touch, &surface, expected.touched, expected.grasps, count,
                                         expected.x, expected.v, H);
        }
        changed += memcmp(&start, &expected, sizeof start) != 0;
        for (sup_simd simd = SUP_SIMD_AUTO; simd <= SUP_SIMD_WASM; simd++) {
            const supi_ellipsoid_kernels* kernels = supi_ellipsoid_kernels_find(simd);
            if (!kernels) continue;
            crowd got = start;
            o = oriented_of(&got);
            const supi_press press = {.contacts = got.touched,
                                      .grasps = got.grasps,
                                      .count = count,
                                      .surface = &surface,
                                      .kin = &touch.kin,
                                      .x = got.x,
                                      .v = got.v,
                                      .h = H};
            for (int sweep = 0; sweep < 2; sweep++) kernels->press(&press);
            assert_memory_equal(&expected, &got, sizeof got);
        }
    }
    assert_true(changed > 300); /* there was something to answer */
}

/* The long way back from a plane, by impulses at the place where they touch. */
static void bounce_touch(const supi_touch* touch, const supi_surface* surface, crowd* c, int32_t i,
                         float slow) {
    supi_touch_contact* contact = &c->touched[i];
    supi_contact* common = &contact->common;
    sup_row still = {0}, resting = {0};
    supi_turning t = {.b = {.x = &still, .v = &resting}, .normal = supi_vec3_from(common->normal)};
    float w = c->x[common->a].w;
    supi_kin_side(&touch->kin, common->a, c->x, c->v, w, w, c->grasps[i].arm_a, &t.a);
    sup_vec3 gain = supi_turning_bounce(&t, surface, common, slow, H);
    contact->gain[0] += gain.x;
    contact->gain[1] += gain.y;
    contact->gain[2] += gain.z;
}

static bool leaves(const supi_surface* surface, const supi_contact* c) {
    return c->push > 0 && (surface->restitution > 0 || c->opened > 0);
}

static void planes_bounce_alike(void** state) {
    (void)state;
    uint64_t seed = 12;
    for (int round = 0; round < 400; round++) {
        crowd got, expected;
        fill(&got, &seed);
        const supi_surface surface = random_surface(&seed);
        expected = got;
        supi_oriented o = oriented_of(&expected);
        supi_touch touch = {.kin = {&o, FIRST},
                            .shape = {.kind = SUP_COLLIDER_PLANE, .safe = FLT_MAX}};
        for (int32_t i = 0; i < ROWS; i++) {
            if (leaves(&surface, &expected.touched[i].common)) {
                bounce_touch(&touch, &surface, &expected, i, 0.04f);
            }
        }
        o = oriented_of(&got);
        supi_respond_turning_bounce_touches(&touch, &surface, got.touched, got.grasps, ROWS, got.x,
                                            got.v, H, 0.04f);
        assert_memory_equal(&expected, &got, sizeof got);
    }
}

/* ---- Pairs ---- */

static void turning_of(const supi_pairing* p, const supi_contact* c, const supi_grasp* grasp,
                       crowd* of, supi_turning* t) {
    float wa = of->x[c->a].w, wb = of->x[c->b].w;
    supi_kin_side(&p->a, c->a, of->x, of->v, wa, wa + wb, grasp->arm_a, &t->a);
    supi_kin_side(&p->b, c->b, of->x, of->v, wb, wa + wb, grasp->arm_b, &t->b);
    t->normal = supi_vec3_from(c->normal);
    if (supi_kin_hang_together(p, c)) t->a.shift = t->b.shift = NULL;
}

static void pair_the_long_way(const supi_pairing* p, const supi_surface* surface, crowd* of) {
    for (int32_t i = 0; i < p->count; i++) {
        supi_contact* c = &of->met[i];
        float depth = supi_respond_turning_depth(p, c, &of->grasps[i], of->x, of->v);
        if (!(depth > 0) && !(c->push > 0)) continue;
        supi_turning t;
        turning_of(p, c, &of->grasps[i], of, &t);
        if (depth > 0) supi_turning_push(&t, surface, c, depth, of->grasps[i].old, true, H);
        supi_turning_rub(&t, surface, c, H);
    }
    for (int32_t i = 0; i < p->count; i++) {
        if (!leaves(surface, &of->met[i])) continue;
        supi_turning t;
        turning_of(p, &of->met[i], &of->grasps[i], of, &t);
        supi_turning_bounce(&t, surface, &of->met[i], 0.04f, H);
    }
}

static void pairs_agree(void** state) {
    (void)state;
    uint64_t seed = 13;
    for (int round = 0; round < 400; round++) {
        crowd got, expected;
        fill(&got, &seed);
        const supi_surface surface = random_surface(&seed);
        expected = got;
        supi_oriented o = oriented_of(&expected);
        /* of one body, or of two that are told apart by their runs alone */
        supi_pairing p = {.run_b = round % 2,
                          .count = ROWS,
                          .offset = {1e-3f, -2e-3f, 0},
                          .a = {&o, FIRST},
                          .b = {&o, FIRST}};
        pair_the_long_way(&p, &surface, &expected);
        assert_memory_not_equal(&got, &expected, sizeof got);
        o = oriented_of(&got);
        supi_respond_turning_pairing(&p, &surface, got.met, got.grasps, got.x, got.v, H);
        supi_respond_turning_bounce_pairing(&p, &surface, got.met, got.grasps, got.x, got.v, H,
                                            0.04f);
        assert_memory_equal(&expected, &got, sizeof got);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_agree),
        cmocka_unit_test(planes_bounce_alike),
        cmocka_unit_test(pairs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
