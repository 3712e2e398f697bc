/* Kernels that tell who is near: never wrong where they sort out, and the same bits in every copy.
 */
#include "sizes.h"

#include "contact/ellipsoids.h"
#include "contact/encounter.h"
#include "contact/kin.h"
#include "contact/near.h"

#include <float.h>
#include <string.h>

enum { ROWS = 61, PAIRS = 64 };
#define H 0.1f

typedef struct crowd {
    sup_row x[ROWS], v[ROWS], radii[ROWS], spin[ROWS];
    sup_quat axes[ROWS], turn[ROWS];
    supi_oriented oriented;
    supi_candidate pairs[PAIRS];
} crowd;

/* Flat ones too. */
static void fill(crowd* c, uint64_t* seed) {
    memset(c, 0, sizeof *c);
    for (int i = 0; i < ROWS; i++) {
        sup_vec3 at = random_offset(seed, 1);
        float r[3];
        for (int k = 0; k < 3; k++) r[k] = (float)between(seed, 0.05, 0.5);
        if (i % 7 == 0) r[i % 3] = 0;
        float largest = fmaxf(fmaxf(r[0], r[1]), r[2]);
        c->x[i] = (sup_row){at.x, at.y, at.z, i % 9 ? 1 : 0};
        c->v[i] = (sup_row){0.5f * (float)(i % 5 - 2), 0.2f, -0.3f, largest};
        c->spin[i] = (sup_row){1, (float)(i % 4), i % 6 ? -2.0f : 30.0f, 0}; /* some are fast */
        c->radii[i] = (sup_row){r[0], r[1], r[2], 0};
        c->axes[i] = random_turn(seed);
        c->turn[i] = random_turn(seed);
    }
    c->oriented =
        (supi_oriented){.axes = c->axes, .radii = c->radii, .turn = c->turn, .spin = c->spin};
    for (int i = 0; i < PAIRS; i++) {
        int32_t a = (int32_t)ref_random_index(seed, ROWS), b = (a + 1 + i % (ROWS - 1)) % ROWS;
        float scale = i % 3 ? 1 : (float)between(seed, 0.2, 1);
        c->pairs[i] = (supi_candidate){{a, b}, scale, scale * (c->v[a].w + c->v[b].w)};
    }
}

static supi_ellipsoid shape(const crowd* c, int32_t row, float scale) {
    const sup_row *x = &c->x[row], *r = &c->radii[row];
    return supi_ellipsoid_at((sup_vec3){x->x, x->y, x->z}, c->turn[row], c->axes[row],
                             (float[3]){scale * r->x, scale * r->y, scale * r->z});
}

/* All that a copy says about a crowd. */
typedef struct answers {
    supi_outline outlines[(ROWS + 7) / 8 * 8];
    supi_candidate near[PAIRS];
    supi_near_block blocks[(ROWS + 7) / 8];
    uint64_t meets, touches, beside[2 * ROWS];
    int32_t near_count, stays;
    float drift;
    supi_ellipsoid_pairs placed;
    supi_encounter met[8];
    supi_ellipsoid_touches plane;
    supi_near_two close[ROWS * (ROWS - 1) / 2];
    supi_candidate unsure[ROWS * (ROWS - 1) / 2];
    float apart[ROWS * (ROWS - 1) / 2 + 7];
    int32_t close_count, unsure_count;
} answers;

/* All pairs of a crowd, with other scales from pair to pair. */
static void pair_up(const supi_near_kernels* kernels, answers* out) {
    enum { STRIDE = (ROWS + 7) / 8 * 8 };
    static float scales[ROWS * STRIDE];
    for (int32_t a = 0; a < ROWS; a++) {
        for (int32_t b = a + 1; b < ROWS; b++)
            scales[a * STRIDE + b] = 0.25f * (float)((a + b) % 5);
    }
    const supi_near_all all = {out->blocks, out->outlines, scales, ROWS, STRIDE};
    out->close_count = kernels->pair_up(&all, out->close, out->apart);
    const supi_near_kept kept = {.blocks = out->blocks,
                                 .pairs = out->close,
                                 .apart = out->apart,
                                 .scales = scales,
                                 .row_count = ROWS,
                                 .pair_count = out->close_count,
                                 .stride = STRIDE,
                                 .least = 0.001f};
    out->unsure_count = kernels->unsure(&kept, out->unsure);
}

static void ask(const crowd* c, const crowd* then, sup_simd simd, answers* out) {
    const supi_near_kernels* kernels = supi_near_kernels_find(simd);
    const float none[3] = {0, 0, 0}, shift[3] = {0.1f, 0, -0.1f}, n[3] = {0.6f, 0.8f, 0};
    memset(out, 0, sizeof *out);
    kernels->outline(&c->oriented, ROWS, out->outlines);
    supi_near_sides sides = {out->outlines, out->outlines, 0, 0, {0, 0, 0}};
    out->meets = kernels->meet(&sides, c->pairs, PAIRS, c->x);
    out->touches = kernels->touch_plane(&c->oriented, 0, ROWS, c->x, n, -0.3f, 0.05f);
    out->near_count = kernels->sift(c->pairs, PAIRS, c->x, none, out->near);
    memset(out->near + out->near_count, 0, (size_t)(PAIRS - out->near_count) * sizeof *out->near);
    const supi_near_couple couple = {c->x, c->v, then->x, then->v, ROWS, ROWS, {0.5f, 0, -0.25f},
                                     0.1f, 2};
    out->beside[1] = (uint64_t)kernels->beside(&couple, out->beside);
    out->drift = kernels->drift(then->x, ROWS, c->x, then->x, shift);
    for (int32_t i = 0; i < (ROWS + 7) / 8 * 8; i++) {
        int32_t row = i < ROWS ? i : ROWS - 1;
        supi_near_block* b = &out->blocks[i / 8];
        const float *at = &then->x[row].x, *q = &then->turn[row].x;
        for (int k = 0; k < 3; k++) b->place[k][i % 8] = at[k];
        for (int k = 0; k < 4; k++) b->turn[k][i % 8] = q[k];
        b->radius[i % 8] = c->v[row].w;
        b->room[i % 8] = 0.1f;
        b->spread[i % 8] = 0.01f * (float)(i % 4);
    }
    out->stays = kernels->stray(out->blocks, ROWS, c->x, c->v, c->turn, true);
    pair_up(kernels, out);
    supi_encounters e = {.rows = {.x = c->x, .v = c->v}, .h = H};
    supi_ellipsoid_rows rows = {.x = c->x, .v = c->v};
    for (int k = 0; k < 8; k++) {
        rows.oriented[k % 2][k] = &c->oriented; /* the other is a ball */
        rows.offset[0][k] = 0.01f;
        rows.offset[1][k] = 0.02f;
        rows.offset[2][k] = 0.03f;
        rows.row[0][k] = c->pairs[k].pair.a;
        rows.row[1][k] = c->pairs[k].pair.b;
        rows.scale[k] = c->pairs[k].scale;
    }
    const supi_ellipsoid_kernels* ellipsoids = supi_ellipsoid_kernels_find(simd);
    ellipsoids->place(&rows, &out->placed);
    out->placed.rounds = SUPI_ENCOUNTER_ROUNDS;
    ellipsoids->separate(&out->placed);
    for (int k = 0; k < 8; k++)
        supi_encounters_take(&e, k, &rows, &out->placed, k, 0.1f * (float)k);
    ellipsoids->encounter(&e);
    memcpy(out->met, e.out, sizeof e.out);
    out->plane = (supi_ellipsoid_touches){.x = c->x,
                                          .v = c->v,
                                          .oriented = &c->oriented,
                                          .normal = {n[0], n[1], n[2]},
                                          .offset = -0.3f,
                                          .h = H};
    for (int k = 0; k < 8; k++) out->plane.row[k] = c->pairs[k].pair.a;
    ellipsoids->touch(&out->plane);
}

static void copies_agree(void** state) {
    (void)state;
    static crowd c, then;
    static answers expected, got;
    const sup_simd copies[] = {SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    uint64_t seed = 11;
    if (!supi_near_kernels_find(SUP_SIMD_SCALAR)) return;
    for (int round = 0; round < 50; round++) {
        fill(&c, &seed);
        fill(&then, &seed);
        ask(&c, &then, SUP_SIMD_SCALAR, &expected);
        for (int k = 0; k < 2; k++) {
            if (!supi_near_kernels_find(copies[k])) continue;
            ask(&c, &then, copies[k], &got);
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

/* Who is on a side of pair k: one of the two is a ball. */
static supi_kin kin_of(const crowd* c, int k, int side) {
    return (supi_kin){k % 2 == side ? &c->oriented : NULL, 0};
}

/* By the offset between the two runs. */
static sup_vec3 moved(sup_vec3 a) { return (sup_vec3){a.x + 0.01f, a.y + 0.02f, a.z + 0.03f}; }

/* m, how deep pair k is in now or was, along what its encounter says. */
static float depth_of(const crowd* c, const supi_encounter* met, int k, float h) {
    const supi_candidate* p = &c->pairs[k];
    const supi_kin of[2] = {kin_of(c, k, 0), kin_of(c, k, 1)};
    supi_ellipsoid b = supi_kin_before(&of[0], p->pair.a, c->x, c->v, p->scale, h);
    supi_ellipsoid a = supi_kin_before(&of[1], p->pair.b, c->x, c->v, p->scale, h);
    b.centre = moved(b.centre);
    return supi_encounter_depth(&a, &b, met->normal);
}

/* What lanes say of an encounter is what its two shapes say. */
static void encounters_are_of_their_rows(void** state) {
    (void)state;
    static crowd c, then;
    static answers out;
    uint64_t seed = 17;
    const float thin = 2 * 0.5e-3f; /* m: radii are no less than a thousandth of the largest */
    int32_t overlaps = 0, from_start = 0;
    for (int round = 0; round < 400; round++) {
        fill(&c, &seed);
        fill(&then, &seed);
        ask(&c, &then, SUP_SIMD_AUTO, &out);
        for (int k = 0; k < 8; k++) {
            const supi_encounter* met = &out.met[k];
            if (!(out.placed.separation[k] < 0)) continue;
            overlaps++;
            assert_true(fabsf(met->depth - depth_of(&c, met, k, 0)) < thin);
            assert_true(fabsf(met->before - depth_of(&c, met, k, H)) < 2e-6f);
            /* no normal shows less of what they were in */
            assert_true(met->old <= fmaxf(met->before, 0) + thin);
            from_start += fabsf(met->normal.x - out.placed.normal[0][k]) > 1e-3f;
        }
    }
    assert_true(overlaps > 50 && from_start > 10 && from_start < overlaps);
}

/* Lanes see the gap to a plane that one ellipsoid sees, now and at the start. */
static void planes_are_seen_in_lanes(void** state) {
    (void)state;
    static crowd c;
    static answers out;
    uint64_t seed = 18;
    for (int round = 0; round < 50; round++) {
        fill(&c, &seed);
        for (int k = 0; k < 3; k++) (&c.radii[c.pairs[0].pair.a].x)[k] = 0; /* a point */
        ask(&c, &c, SUP_SIMD_AUTO, &out);
        const supi_ellipsoid_touches* p = &out.plane;
        for (int k = 0; k < 8; k++) {
            const supi_kin kin = {&c.oriented, 0};
            sup_vec3 n = {p->normal[0], p->normal[1], p->normal[2]};
            supi_ellipsoid now = supi_kin_shape(&kin, p->row[k], c.x, c.v, 1);
            supi_ellipsoid then = supi_kin_before(&kin, p->row[k], c.x, c.v, 1, H);
            supi_gap gap = supi_ellipsoid_plane(&now, n, p->offset);
            assert_true(p->distance[k] == gap.distance);
            assert_true(p->before[k] == supi_ellipsoid_plane(&then, n, p->offset).distance);
            assert_true(p->arm[0][k] == gap.place.x - now.centre.x);
            assert_true(p->arm[1][k] == gap.place.y - now.centre.y);
            assert_true(p->arm[2][k] == gap.place.z - now.centre.z);
        }
    }
}

static void rows_beside_are_found(void** state) {
    (void)state;
    static crowd c, then;
    static answers out;
    uint64_t seed = 11;
    fill(&c, &seed);
    fill(&then, &seed);
    c.v[3].w = then.v[5].w = 0; /* take no part */
    ask(&c, &then, SUP_SIMD_AUTO, &out);
    uint64_t count = 0;
    for (int a = 0; a < ROWS; a++) {
        for (int b = 0; b < ROWS; b++) {
            const sup_row *p = &c.x[a], *q = &then.x[b];
            float d[3] = {p->x - (q->x + 0.5f), p->y - q->y, p->z - (q->z - 0.25f)};
            float sum = c.v[a].w + then.v[b].w + 0.1f;
            bool near = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < sum * sum;
            near = near && c.v[a].w > 0 && then.v[b].w > 0;
            assert_int_equal(out.beside[2 * a] >> b & 1, near);
            count += near;
        }
    }
    assert_int_equal(out.beside[1], count);
    assert_in_range(count, ROWS, ROWS * ROWS / 2);
}

/* Of the pairs of a crowd: m, by how much they are apart in the best direction. */
static void separate_pairs(const crowd* c, float out[PAIRS]) {
    for (int i = 0; i < PAIRS; i += 8) {
        supi_ellipsoid_pairs eight = {.margin = FLT_MAX, .rounds = 20};
        for (int k = 0; k < 8; k++) {
            const supi_candidate* p = &c->pairs[i + k];
            supi_ellipsoid a = shape(c, p->pair.a, p->scale), b = shape(c, p->pair.b, p->scale);
            supi_ellipsoid_load(&eight, k, &a, &b);
        }
        supi_ellipsoid_kernels_find(SUP_SIMD_AUTO)->separate(&eight);
        for (int k = 0; k < 8; k++) out[i + k] = eight.separation[k];
    }
}

/* What is sorted out is apart, and hardly anything that is apart is left in. */
static void apart_is_apart(void** state) {
    (void)state;
    static crowd c;
    static answers out;
    uint64_t seed = 12;
    int sorted = 0, by_line = 0, left = 0, rounds = short_tests() ? 20 : 200;
    for (int round = 0; round < rounds; round++) {
        float apart[PAIRS];
        fill(&c, &seed);
        ask(&c, &c, SUP_SIMD_AUTO, &out);
        separate_pairs(&c, apart);
        for (int i = 0; i < PAIRS; i++) {
            supi_ellipsoid a = shape(&c, c.pairs[i].pair.a, c.pairs[i].scale);
            supi_ellipsoid b = shape(&c, c.pairs[i].pair.b, c.pairs[i].scale);
            sup_vec3 d = {a.centre.x - b.centre.x, a.centre.y - b.centre.y,
                          a.centre.z - b.centre.z};
            float square = d.x * d.x + d.y * d.y + d.z * d.z;
            float reach = supi_ellipsoid_reach(&a, d) + supi_ellipsoid_reach(&b, d);
            bool meets = out.meets >> i & 1;
            if (!meets) assert_true(apart[i] > 0);
            if (square > 1.02f * reach) assert_false(meets); /* the line of centres shows it */
            sorted += !meets;
            by_line += square > reach;
            left += meets && apart[i] > 0.02f * sqrtf(square);
        }
    }
    print_message("%d of %d pairs sorted out, %d of them along the line of centres, %d left in\n",
                  sorted, PAIRS * rounds, by_line, left);
    assert_true(sorted > 5 * rounds && by_line < sorted && left < sorted / 50);
}

static void planes_see_shapes(void** state) {
    (void)state;
    static crowd c;
    static answers out;
    uint64_t seed = 13;
    int touches = 0;
    for (int round = 0; round < 100; round++) {
        fill(&c, &seed);
        ask(&c, &c, SUP_SIMD_AUTO, &out);
        for (int32_t i = 0; i < ROWS; i++) {
            supi_ellipsoid e = shape(&c, i, 1);
            float distance = supi_ellipsoid_plane(&e, (sup_vec3){0.6f, 0.8f, 0}, -0.3f).distance;
            bool touch = out.touches >> i & 1;
            if (fabsf(distance - 0.05f) < 1e-5f) continue;
            assert_int_equal(touch, distance < 0.05f && c.x[i].w > 0);
            touches += touch;
        }
    }
    assert_true(touches > 500);
}

/* Lanes and the way through single ellipsoids give the same. */
static void rows_are_placed_as_ellipsoids(void** state) {
    (void)state;
    static crowd c;
    static answers out;
    uint64_t seed = 14;
    for (int round = 0; round < 100; round++) {
        fill(&c, &seed);
        ask(&c, &c, SUP_SIMD_AUTO, &out);
        supi_ellipsoid_pairs expected = {0};
        for (int k = 0; k < 8; k++) {
            const supi_candidate* p = &c.pairs[k];
            const supi_kin of[2] = {kin_of(&c, k, 0), kin_of(&c, k, 1)};
            supi_ellipsoid a = supi_kin_shape(&of[0], p->pair.a, c.x, c.v, p->scale);
            supi_ellipsoid b = supi_kin_shape(&of[1], p->pair.b, c.x, c.v, p->scale);
            a.centre = moved(a.centre);
            supi_ellipsoid_load(&expected, k, &a, &b);
        }
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < 9; i++) {
                assert_true(out.placed.a[i][k] == expected.a[i][k]);
                assert_true(out.placed.b[i][k] == expected.b[i][k]);
            }
            for (int i = 0; i < 3; i++) {
                assert_true(out.placed.offset[i][k] == expected.offset[i][k]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_agree),
        cmocka_unit_test(encounters_are_of_their_rows),
        cmocka_unit_test(planes_are_seen_in_lanes),
        cmocka_unit_test(rows_beside_are_found),
        cmocka_unit_test(apart_is_apart),
        cmocka_unit_test(planes_see_shapes),
        cmocka_unit_test(rows_are_placed_as_ellipsoids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
