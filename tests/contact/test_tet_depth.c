/* Consistent depth: exact where the surface is flat, the same as the twin, and what is wrong is
   seen to be wrong. */
#include "contact/tet_bodies.h"

#include "ref/ref_tets.h"

static const supi_tet_contact* contact_at(const supi_tet_contacts* all, int32_t body,
                                          int32_t point) {
    for (int32_t i = 0; i < all->contact_count; i++) {
        const supi_tet_contact* c = &all->contacts[i];
        if (c->body == body && c->rows[0] == point && !(c->flags & SUPI_TET_OF_EDGE)) return c;
    }
    return NULL;
}

/* The largest errors of depth (in mean edges) and direction of the contacts of a body. */
typedef struct errors {
    double depth, normal;
    int32_t count, wrong_way;
} errors;

/* `top`: where the surface is that all of them have to get through, along y. */
static errors measure(const supi_tet_contacts* all, const supi_tet_body* bodies, int32_t body,
                      double top, double up) {
    errors e = {0};
    for (int32_t i = 0; i < all->contact_count; i++) {
        const supi_tet_contact* c = &all->contacts[i];
        if (c->body != body) continue;
        double depth = up * (top - (double)bodies[body].x[c->rows[0]].y);
        double edge = (double)bodies[body].form->edge;
        double off[3] = {(double)c->normal.x, (double)c->normal.y - up, (double)c->normal.z};
        e.depth = fmax(e.depth, fabs((double)c->depth - depth) / edge);
        e.normal = fmax(e.normal, sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]));
        e.wrong_way += up * (double)c->normal.y < -0.5;
        e.count++;
    }
    return e;
}

/* Errors of the twin, by the rules, in the same measure. */
static errors measure_twin(const tet_thing* p, const tet_thing* q, const ref_depth_rules* rules,
                           double top, double up) {
    errors e = {0};
    ref_tets own = twin_of(p), other = twin_of(q);
    ref_depth* depths = calloc((size_t)own.point_count, sizeof *depths);
    ref_tets_depths(&own, &other, (double)p->form.edge, rules, depths);
    for (int32_t i = 0; i < own.point_count; i++) {
        const ref_depth* d = &depths[i];
        if (!d->inside) continue;
        double off[3] = {d->normal[0], d->normal[1] - up, d->normal[2]};
        e.depth = fmax(e.depth, fabs(d->depth - up * (top - own.x[i][1])) / (double)p->form.edge);
        e.normal = fmax(e.normal, sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]));
        e.count++;
    }
    free(depths);
    free(own.x);
    free(other.x);
    return e;
}

/* A8: a box pressed into a flat block; the block's top is at y = 0. */
static void press(tet_thing* box, tet_thing* block, double edges, double thickness,
                  supi_tet_body bodies[2]) {
    double depth = edges * (double)box->form.edge, bottom = 0;
    for (int32_t i = 0; i < box->form.point_count; i++)
        bottom = fmin(bottom, (double)box->form.rest[i].y);
    thing_pose(box, NULL, 0.013, -bottom - depth, -0.007);
    thing_pose(block, NULL, 0, -0.5 * thickness, 0);
    bodies[0] = box->body;
    bodies[1] = block->body;
}

static void test_half_space(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    for (int coarse = 0; coarse < 2; coarse++) {
        tet_thing box, block;
        supi_tet_body bodies[2];
        thing_make(&box, make_block(4, 4, 4, 0.4, 0.4, 0.4), 1, 0);
        thing_make(&block,
                   coarse ? make_block(2, 1, 2, 1.2, 0.6, 1.2) : make_block(8, 5, 8, 1.2, 0.6, 1.2),
                   1, 1);
        for (int k = 0; k <= 17; k++) {
            supi_tet_contacts all = {0};
            press(&box, &block, 0.3 + 0.1 * k, 0.6, bodies);
            find_contacts(&all, bodies, 2, &rules);
            errors e = measure(&all, bodies, 0, 0, 1);
            assert_true(e.count >= 25);
            assert_true(e.depth < 1e-4);
            assert_true(e.normal < 1e-4);
            supi_tet_contacts_free(&all, sup_allocator_default());
        }
        /* with normals of points the sharp edges of the small block bend them all */
        const ref_depth_rules plain = {.plain_normals = true};
        errors off = measure_twin(&box, &block, &plain, 0, 1);
        if (coarse) assert_true(off.normal > 0.1);
        thing_free(&box);
        thing_free(&block);
    }
}

/* A8 the other way round: flat sides of the block's mesh leave the box through its sides, which do
   not count; with c_i = 1 they do. */
static void test_half_space_reversed(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    tet_thing box, block;
    supi_tet_body bodies[2];
    thing_make(&box, make_block(4, 4, 4, 0.4, 0.4, 0.4), 1, 0);
    /* points of the block at least 0.3 cells from the box's sides: what a side weighs beside the
       bottom, 1e-4, is by the square of the distances, so right at a side it is more */
    thing_make(&block, make_block(11, 6, 11, 1.1, 0.6, 1.1), 1, 1);
    double control = 1e9;
    for (int k = 0; k <= 4; k++) {
        supi_tet_contacts all = {0};
        press(&box, &block, 0.3 + 0.1 * k, 0.6, bodies);
        find_contacts(&all, bodies, 2, &rules);
        double bottom = -(0.3 + 0.1 * k) * (double)box.form.edge;
        errors e = measure(&all, bodies, 1, bottom, -1);
        print_message("depth %.1f: %d points, depth %.1e, direction %.1e\n", 0.3 + 0.1 * k, e.count,
                      e.depth, e.normal);
        assert_true(e.count >= 9);
        assert_true(e.depth < 1e-3);
        assert_true(e.normal < 2e-3);
        ref_depth_rules right = {0}, wrong = {.equal_facing = true};
        errors same = measure_twin(&block, &box, &right, bottom, -1);
        errors off = measure_twin(&block, &box, &wrong, bottom, -1);
        assert_int_equal(same.count, e.count);
        assert_true(fabs(same.depth - e.depth) < 1e-5);
        print_message("  c_i = 1: depth %.2f, direction %.2f\n", off.depth, off.normal);
        control = fmin(control, off.normal);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    assert_true(control > 0.1);
    thing_free(&box);
    thing_free(&block);
}

/* A8: pressed further than half of the block's thickness, points go by the nearest surface through
   its bottom. The cells are so large that two layers of points are inside, one of them below the
   middle: half of the directions point down, and none while all are above it. */
static void test_naive(void** state) {
    (void)state;
    supi_tet_rules rules = supi_tet_rules_default();
    tet_thing box, block;
    supi_tet_body bodies[2];
    thing_make(&box, make_block(4, 4, 4, 0.8, 0.8, 0.8), 1, 0);
    thing_make(&block, make_block(18, 4, 18, 1.8, 0.4, 1.8), 1, 1);
    for (int k = 0; k < 4; k++) {
        supi_tet_contacts all = {0};
        bool naive = k % 2, deep = k / 2;
        press(&box, &block, (deep ? 0.25 : 0.15) / (double)box.form.edge, 0.4, bodies);
        bodies[1].mode = naive ? SUP_OVERLAP_NAIVE : SUP_OVERLAP_DEPTH;
        find_contacts(&all, bodies, 2, &rules);
        errors e = measure(&all, bodies, 0, 0, 1);
        print_message("%s, %s: %d of %d point down\n", deep ? "0.25 m" : "0.15 m",
                      naive ? "naive" : "consistent", e.wrong_way, e.count);
        assert_int_equal(e.count, deep ? 50 : 25);
        assert_int_equal(2 * e.wrong_way, naive && deep ? e.count : 0);
        assert_true((e.depth < 1e-4 && e.normal < 1e-4) != (naive && deep));
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&box);
    thing_free(&block);
}

/* A9: hits at distances 1 and 2 with projections 1.0 and 1.2. The point is inside its body, so that
   both count alike, and two of its four neighbours are inside as well. */
static void test_weights(void** state) {
    (void)state;
    const sup_vec3 fan[5] = {
        {0, 0, 0}, {0, 2, 0}, {1.8f, -2.4f, 0}, {-1, -0.5f, 1}, {-1, -0.5f, -1}};
    const int32_t fan_tets[16] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 3, 4, 0, 2, 3, 4};
    const sup_vec3 corners[4] = {
        {1.2f, 1, 22.2f}, {1.2f, 1, -22.2f}, {-21, 1, 0}, {1.2f, -21.2f, 0}};
    const int32_t corner_tet[4] = {0, 1, 2, 3};
    sup_tets own, other;
    tet_thing things[2];
    assert_int_equal(sup_tets_mend(NULL, 5, fan, 4, fan_tets, &own, NULL, NULL), SUP_OK);
    assert_int_equal(sup_tets_mend(NULL, 4, corners, 1, corner_tet, &other, NULL, NULL), SUP_OK);
    thing_make(&things[0], own, 1, 0);
    thing_make(&things[1], other, 1, 1);
    supi_tet_body bodies[2] = {things[0].body, things[1].body};
    supi_tet_contacts all = {0};
    const supi_tet_rules rules = supi_tet_rules_default();
    find_contacts(&all, bodies, 2, &rules);
    const supi_tet_contact* c = contact_at(&all, 0, 0);
    assert_non_null(c);
    assert_true(c->flags & SUPI_TET_BORDER);
    assert_true(fabsf(c->depth - 1.04f) < 1e-4f);
    supi_tet_contacts_free(&all, sup_allocator_default());
    for (int i = 0; i < 2; i++) thing_free(&things[i]);
}

/* Round, turned and deep: the twin says the same about every point. */
static void test_twin(void** state) {
    (void)state;
    uint64_t seed = 70;
    tet_thing things[2];
    const supi_tet_rules rules = supi_tet_rules_default();
    thing_make(&things[0], make_ball(0.25, 0.1), 1, 0);
    thing_make(&things[1], make_block(3, 3, 3, 0.4, 0.5, 0.4), 1, 1);
    int32_t seen = 0, inner = 0;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 2; i++) {
            double turn[3][3];
            random_rotation(&seed, turn);
            thing_pose(&things[i], (const double(*)[3])turn, 0.17 * i + 0.1 * ref_random(&seed),
                       0.2 * i, 0.1 * ref_random(&seed));
        }
        supi_tet_body bodies[2] = {things[0].body, things[1].body};
        supi_tet_contacts all = {0};
        find_contacts(&all, bodies, 2, &rules);
        for (int32_t b = 0; b < 2; b++) {
            ref_tets own = twin_of(&things[b]), other = twin_of(&things[1 - b]);
            ref_depth* depths = calloc((size_t)own.point_count, sizeof *depths);
            const ref_depth_rules right = {0};
            ref_tets_depths(&own, &other, (double)things[b].form.edge, &right, depths);
            for (int32_t i = 0; i < own.point_count; i++) {
                const supi_tet_contact* c = contact_at(&all, b, i);
                assert_int_equal(c != NULL, depths[i].inside);
                if (!c || (c->flags & SUPI_TET_CONTAINED)) continue;
                double along = (double)c->normal.x * depths[i].normal[0] +
                               (double)c->normal.y * depths[i].normal[1] +
                               (double)c->normal.z * depths[i].normal[2];
                assert_true(fabs((double)c->depth - depths[i].depth) < 2e-5);
                assert_true(along > 1 - 1e-5);
                seen++;
                inner += !(c->flags & SUPI_TET_BORDER);
            }
            free(depths);
            free(own.x);
            free(other.x);
        }
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    print_message("%d points, %d of them inner\n", seen, inner);
    assert_true(seen > 500 && inner > 20);
    for (int i = 0; i < 2; i++) thing_free(&things[i]);
}

/* The mesh with its points in another order. */
static sup_tets shuffled(const sup_tets* tets, const int32_t* places) {
    sup_vec3* points = calloc((size_t)tets->point_count, sizeof *points);
    int32_t* corners = calloc(4 * (size_t)tets->tet_count, sizeof *corners);
    sup_tets out;
    for (int32_t i = 0; i < tets->point_count; i++) points[places[i]] = tets->points[i];
    for (int32_t i = 0; i < 4 * tets->tet_count; i++) corners[i] = places[tets->tets[i]];
    assert_int_equal(
        sup_tets_mend(NULL, tets->point_count, points, tets->tet_count, corners, &out, NULL, NULL),
        SUP_OK);
    for (int32_t i = 0; i < tets->point_count; i++) {
        assert_true(out.points[places[i]].x == tets->points[i].x);
    }
    free(points);
    free(corners);
    return out;
}

/* A10: the order of the points does not matter. */
static void test_permutations(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    uint64_t seed = 10;
    sup_tets ball = make_ball(0.25, 0.12);
    int32_t count = ball.point_count;
    int32_t* places = calloc((size_t)count, sizeof *places);
    ref_depth* first = calloc((size_t)count, sizeof *first);
    tet_thing other;
    thing_make(&other, make_ball(0.25, 0.1), 1, 1);
    thing_pose(&other, NULL, 0.21, 0.17, 0.03);
    for (int32_t i = 0; i < count; i++) places[i] = i;
    double worst = 0;
    for (int32_t round = 0; round < ref_repeats(100, 1000); round++) {
        tet_thing own;
        supi_tet_contacts all = {0};
        thing_make(&own, shuffled(&ball, places), 1, 0);
        supi_tet_body bodies[2] = {own.body, other.body};
        find_contacts(&all, bodies, 2, &rules);
        for (int32_t i = 0; i < count; i++) {
            const supi_tet_contact* c = contact_at(&all, 0, places[i]);
            if (round == 0 && c) {
                first[i] =
                    (ref_depth){true,
                                (double)c->depth,
                                {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z}};
            }
            assert_int_equal(c != NULL, first[i].inside);
            if (!c) continue;
            const double normal[3] = {(double)c->normal.x, (double)c->normal.y,
                                      (double)c->normal.z};
            worst = fmax(worst, fabs((double)c->depth - first[i].depth) / first[i].depth);
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fabs(normal[k] - first[i].normal[k]));
            }
        }
        supi_tet_contacts_free(&all, sup_allocator_default());
        thing_free(&own);
        for (int32_t i = count - 1; i > 0; i--) {
            int32_t j = ref_random_index(&seed, i + 1), swap = places[i];
            places[i] = places[j];
            places[j] = swap;
        }
    }
    print_message("largest difference %.1e\n", worst);
    assert_true(worst < 1e-5);
    thing_free(&other);
    sup_tets_free(&ball);
    free(places);
    free(first);
}

/* A point that went more than half through goes back as it came, for four steps. */
static void test_memory_guards(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    tet_thing box, plate;
    thing_make(&box, make_block(2, 2, 2, 0.2, 0.2, 0.2), 1, 4);
    thing_make(&plate, make_block(6, 1, 6, 0.6, 0.1, 0.6), 1, 7);
    supi_tet_body bodies[2] = {box.body, plate.body};
    for (int away = 0; away < 6; away++) {
        supi_tet_contacts all = {0};
        thing_pose(&box, NULL, 0.013, 0.13, 0.007); /* lowest points 0.02 deep */
        find_contacts(&all, bodies, 2, &rules);
        assert_true(all.contact_count > 0);
        thing_pose(&box, NULL, 0.013, 1, 0.007);
        for (int k = 0; k < away; k++) find_contacts(&all, bodies, 2, &rules);
        /* now only the upper points are above: the lowest ones, and their edges, are below */
        thing_pose(&box, NULL, 0.013, -0.09, 0.007);
        for (int32_t i = 0; i < box.form.point_count; i++) {
            if (box.form.rest[i].y < -0.05f) box.body.x[i].y = -0.03f;
            if (box.form.rest[i].y > -0.05f) box.body.x[i].y = -0.2f - box.form.rest[i].y;
        }
        find_contacts(&all, bodies, 2, &rules);
        int32_t guarded = 0, down = 0;
        for (int32_t i = 0; i < all.contact_count; i++) {
            const supi_tet_contact* c = &all.contacts[i];
            if (c->body != 0) continue;
            guarded += (c->flags & SUPI_TET_GUARDED) != 0;
            down += c->normal.y < -0.9f;
            if (!(c->flags & SUPI_TET_GUARDED)) continue;
            assert_true(c->normal.y > 0.99f);
            assert_true(fabsf(c->depth - 0.08f) < 1e-4f);
        }
        assert_int_equal(guarded > 0, away < SUPI_TET_MEMORY);
        assert_int_equal(down > 0, away >= SUPI_TET_MEMORY);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&box);
    thing_free(&plate);
}

/* How the lowest points of a spike that goes through a plate leave it. */
typedef struct spike_way {
    int32_t count;
    float up, depth, error; /* of the normals; m; how much the others differ from the first */
} spike_way;

static spike_way leave_of(const supi_tet_contacts* all) {
    spike_way out = {0};
    for (int32_t i = 0; i < all->contact_count; i++) {
        const supi_tet_contact* c = &all->contacts[i];
        if (c->body != 0) continue;
        if (out.count++ == 0) out.up = c->normal.y, out.depth = c->depth;
        out.error = fmaxf(out.error, fabsf(c->normal.y - out.up) + fabsf(c->depth - out.depth));
    }
    return out;
}

/* Who had gone through and comes in again on the far side goes back there, whether it came by
   itself or was pushed; its edges, which lead through all of the plate, would pull it to and fro.
   Who is deep in it, and nobody knows how it came there, leaves as its edges tell. */
static void test_coming_in(void** state) {
    (void)state;
    static const struct {
        double inside, speed, h; /* m from below, m/s, s */
        int32_t again;           /* searches more */
        float up, depth;
    } cases[] = {{0.002, 1, 0.005, 0, -1, 0.002f}, {0.002, 0, 0.005, 0, -1, 0.002f},
                 {0.002, 1, 0.005, 3, -1, 0.002f}, {0.002, 1, 0, 0, 1, 0.098f},
                 {0.002, -1, 0.105, 0, 1, 0.098f}, {0.04, 0, 0.005, 0, 1, 0.06f},
                 {0.04, 10, 0.005, 0, -1, 0.04f}};
    tet_thing spike, plate;
    thing_make(&spike, make_block(1, 2, 1, 0.05, 0.4, 0.05), 1, 4);
    thing_make(&plate, make_block(6, 1, 6, 0.6, 0.1, 0.6), 1, 7);
    supi_tet_body bodies[2] = {spike.body, plate.body};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        supi_tet_contacts all = {0};
        supi_tet_rules rules = supi_tet_rules_default();
        rules.h = (float)cases[k].h;
        /* others of its points have met the plate before */
        thing_pose(&spike, NULL, 0.013, -0.21, 0.007);
        find_contacts(&all, bodies, 2, &rules);
        thing_pose(&spike, NULL, 0.013, 0.15 + cases[k].inside, 0.007);
        for (int32_t i = 0; i < spike.form.point_count; i++) {
            spike.body.v[i].y = (float)cases[k].speed;
        }
        find_contacts(&all, bodies, 2, &rules);
        for (int32_t i = 0; i < spike.form.point_count; i++) spike.body.v[i].y = 0;
        for (int32_t i = 0; i < cases[k].again; i++) find_contacts(&all, bodies, 2, &rules);
        spike_way way = leave_of(&all);
        assert_int_equal(way.count, 4);
        assert_true(fabsf(way.up - cases[k].up) < 1e-4f);
        assert_true(fabsf(way.depth - cases[k].depth) < 1e-4f && way.error < 1e-4f);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&spike);
    thing_free(&plate);
}

static bool is_in_stairs(int32_t i, int32_t j, int32_t k) {
    (void)k;
    return i == 1 || j == 0;
}

/* A leaning rod goes in through the upper of two stairs and ends under the lower: its edges tell
   how far it is to the height of the upper, but it is out when it is above the lower. */
static void test_stairs(void** state) {
    (void)state;
    supi_tet_rules rules = supi_tet_rules_default();
    tet_thing rod, stairs;
    thing_make(&rod, make_block(1, 1, 1, 0.004, 0.15, 0.004), 1, 4);
    thing_make(&stairs, make_cells(2, 2, 1, 0.4, 0.2, 0.4, is_in_stairs), 1, 7);
    for (int32_t i = 0; i < rod.form.point_count; i++) {
        rod.body.x[i].x += 0.09f + 0.1f * rod.body.x[i].y / 0.075f;
        rod.body.x[i].y += 0.045f;
    }
    supi_tet_body bodies[2] = {rod.body, stairs.body};
    for (int in_world = 0; in_world < 2; in_world++) {
        supi_tet_contacts all = {0};
        rules.h = in_world ? 0.005f : 0.0f;
        find_contacts(&all, bodies, 2, &rules);
        spike_way way = leave_of(&all);
        assert_int_equal(way.count, 4);
        assert_true(way.up > 0.9999f && way.error < 1e-4f);
        assert_true(fabsf(way.depth - (in_world ? 0.03f : 0.13f)) < 1e-4f);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&rod);
    thing_free(&stairs);
}

/* All inside: one way out, as far as it takes along it. */
static void test_containment(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    tet_thing small, large;
    thing_make(&small, make_block(2, 2, 2, 0.2, 0.2, 0.2), 1, 0);
    thing_make(&large, make_block(5, 5, 5, 1, 1, 1), 1, 1);
    static const float besides[][3] = {{0, 0, 0}, {0.02f, 0, 0}, {0.1f, 0.01f, 0}};
    for (int k = 0; k < 3; k++) {
        supi_tet_contacts all = {0};
        thing_pose(&small, NULL, (double)besides[k][0], (double)besides[k][1],
                   (double)besides[k][2]);
        supi_tet_body bodies[2] = {small.body, large.body};
        find_contacts(&all, bodies, 2, &rules);
        assert_int_equal(all.contact_count, small.form.point_count);
        sup_vec3 way = all.contacts[0].normal;
        for (int32_t i = 0; i < all.contact_count; i++) {
            const supi_tet_contact* c = &all.contacts[i];
            assert_true(c->flags & SUPI_TET_CONTAINED);
            assert_memory_equal(&c->normal, &way, sizeof way);
            /* out along it, and just so */
            sup_row at = small.body.x[c->rows[0]];
            float most =
                fmaxf(fmaxf(fabsf(at.x + c->depth * way.x), fabsf(at.y + c->depth * way.y)),
                      fabsf(at.z + c->depth * way.z));
            assert_true(fabsf(most - 0.5f) < 1e-5f);
        }
        if (k == 2) assert_true(way.x > 0.5f);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&small);
    thing_free(&large);
}

/* A corner that was pushed through its body and out on the far side: what is between the folds, or
   in what is inside out alone, is not inside. */
static void test_folds(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    /* a corner of the last lies on the side between two tetrahedra, both under the fold */
    static const double places[][3] = {{0, 0, 0},
                                       {0.2, 0.2, 0.2},
                                       {0.07, 0.07, -0.07},
                                       {0.1 / 3 + 0.005, 0.1 / 3 + 0.005, -0.1 / 3 + 0.005}};
    static const int inside[2][4] = {{1, 0, 1, 1}, {0, 0, 1, 0}};
    tet_thing small, block;
    thing_make(&small, make_block(1, 1, 1, 0.01, 0.01, 0.01), 1, 0);
    thing_make(&block, make_block(1, 1, 1, 0.2, 0.2, 0.2), 1, 1);
    for (int k = 0; k < 8; k++) {
        bool folded = k >= 4;
        supi_tet_contacts all = {0};
        thing_pose(&small, NULL, places[k % 4][0], places[k % 4][1], places[k % 4][2]);
        for (int32_t i = 0; folded && i < block.form.point_count; i++) {
            sup_vec3 p = block.form.rest[i];
            if (p.x < 0 && p.y < 0 && p.z < 0) block.body.x[i] = (sup_row){0.3f, 0.3f, 0.3f, 1};
        }
        supi_tet_body bodies[2] = {small.body, block.body};
        find_contacts(&all, bodies, 2, &rules);
        assert_int_equal(all.contact_count, inside[folded][k % 4] ? small.form.point_count : 0);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&small);
    thing_free(&block);
}

/* Two rods crossing, no point of either in the other: edges find it. */
static void test_edges(void** state) {
    (void)state;
    supi_tet_rules rules = supi_tet_rules_default();
    tet_thing rods[2];
    const double c = sqrt(0.5);
    /* both turned by 45 degrees about their own axes, so that sharp edges meet */
    const double along_x[3][3] = {{1, 0, 0}, {0, c, -c}, {0, c, c}};
    const double along_z[3][3] = {{0, c, c}, {0, c, -c}, {-1, 0, 0}};
    thing_make(&rods[0], make_block(1, 1, 1, 1, 0.1, 0.1), 1, 0);
    thing_make(&rods[1], make_block(1, 1, 1, 1, 0.1, 0.1), 1, 1);
    double height = 0.1 * c; /* of the upper and the lower edge over the axis */
    thing_pose(&rods[0], along_x, 0, 2 * height - 0.02, 0);
    thing_pose(&rods[1], along_z, 0.01, 0, 0.02);
    supi_tet_body bodies[2] = {rods[0].body, rods[1].body};
    supi_tet_contacts all = {0};
    find_contacts(&all, bodies, 2, &rules);
    assert_int_equal(all.contact_count, 0);
    bodies[0].edges = true;
    find_contacts(&all, bodies, 2, &rules);
    assert_int_equal(all.edge_contact_count, all.contact_count);
    assert_int_equal(all.contact_count, 2);
    for (int32_t i = 0; i < all.contact_count; i++) {
        const supi_tet_contact* e = &all.contacts[i];
        float up = e->body == 0 ? 1 : -1, own = 0, others = 0;
        assert_true(fabsf(e->depth - 0.02f) < 1e-5f);
        assert_true(up * e->normal.y > 0.9999f);
        for (int k = 0; k < e->row_count; k++) {
            *(k < e->own_count ? &own : &others) += e->shares[k];
        }
        assert_true(fabsf(own - 1) < 1e-6f && fabsf(others + 1) < 1e-6f);
    }
    supi_tet_contacts_free(&all, sup_allocator_default());
    for (int i = 0; i < 2; i++) thing_free(&rods[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_space),    cmocka_unit_test(test_half_space_reversed),
        cmocka_unit_test(test_naive),         cmocka_unit_test(test_weights),
        cmocka_unit_test(test_twin),          cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_memory_guards), cmocka_unit_test(test_containment),
        cmocka_unit_test(test_coming_in),     cmocka_unit_test(test_folds),
        cmocka_unit_test(test_edges),         cmocka_unit_test(test_stairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
