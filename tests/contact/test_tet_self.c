/* A body that meets itself: through its rest shape, whatever is inside out now. */
#include "contact/tet_bodies.h"

enum { ARM = 6, THICK = 2, GAP = 2, WIDE_GAP = 3, DEEP = 3 };
static const double cell = 0.1;

static bool in_u(int32_t i, int32_t j, int32_t k) {
    (void)k;
    return j < THICK || i < THICK || i >= THICK + GAP;
}

static bool in_wide_u(int32_t i, int32_t j, int32_t k) {
    (void)k;
    return j < THICK || i < THICK || i >= THICK + WIDE_GAP;
}

/* Arms side by side, joined below; x = 0 is the middle of the gap. */
static void make_u(tet_thing* u, int gap) {
    thing_make(u,
               make_cells(2 * THICK + gap, THICK + ARM, DEEP, (2 * THICK + gap) * cell,
                          (THICK + ARM) * cell, DEEP * cell, gap == GAP ? in_u : in_wide_u),
               1, 0);
    u->body.self = true;
}

/* How high up its arm a point is, 0..1. */
static double height_of(const tet_thing* u, int32_t point) {
    double bottom = (-0.5 * (THICK + ARM) + THICK) * cell;
    return fmax(0, ((double)u->form.rest[point].y - bottom) / (ARM * cell));
}

/* Bends the arms until their ends overlap, and offsets one by a tenth of a cell. */
static void bend_shut(tet_thing* u, int gap, double overlap) {
    for (int32_t i = 0; i < u->form.point_count; i++) {
        sup_vec3 at = u->form.rest[i];
        double s = height_of(u, i), way = 0.5 * (gap * cell + overlap) * s * s;
        bool left = at.x < 0;
        u->body.x[i].x = (float)((double)at.x + (left ? way : -way));
        u->body.x[i].y = (float)((double)at.y + (left ? 0.1 * cell * s : 0));
        u->body.x[i].z = (float)((double)at.z + (left ? 0.1 * cell * s : 0));
        u->body.v[i] = (sup_row){0, 0, 0, 0};
    }
}

/* How deep a point is in the other arm, m. */
static double deepest(const supi_tet_contacts* all) {
    float depth = 0;
    for (int32_t i = 0; i < all->contact_count; i++) depth = fmaxf(depth, all->contacts[i].depth);
    return (double)depth;
}

/* The same without the finder: points of one arm in tetrahedra of the other. */
static double overlap_of(const tet_thing* u) {
    int8_t* arms = calloc((size_t)u->form.point_count, sizeof *arms);
    ref_tets twin = twin_of(u);
    for (int32_t i = 0; i < u->form.point_count; i++) {
        if (height_of(u, i) > 0) arms[i] = u->form.rest[i].x < 0 ? 1 : 2;
    }
    double overlap = ref_tets_overlap(&twin, arms, (double[3]){-1, 0, 0});
    free(arms);
    free(twin.x);
    return overlap;
}

/* A16. A gap of two cells is narrower than two mean edges, below which points may be
   neighbours: 1.7 of them. If all that is nearer at rest let each other pass, the last 0.3 edges of
   an overlap would stay, unseen by contacts, but not by points in tetrahedra. */
static void part_ends(int gap) {
    static const double overlaps[] = {0.5, 1.5};
    const supi_tet_rules rules = supi_tet_rules_default();
    const supi_tet_answer answer = supi_tet_answer_default();
    tet_thing u;
    make_u(&u, gap);
    double edge = (double)u.form.edge;
    int32_t count = u.form.point_count;
    bool* involved = calloc((size_t)count, sizeof *involved);
    sup_row* start = calloc((size_t)count, sizeof *start);
    for (int k = 0; k < 2; k++) {
        supi_tet_contacts all = {0};
        bend_shut(&u, gap, overlaps[k] * edge);
        memset(involved, 0, (size_t)count * sizeof *involved);
        memcpy(start, u.body.x, (size_t)count * sizeof *start);
        int steps = 0;
        for (int step = 0; step <= 30; step++) {
            find_contacts(&all, &u.body, 1, &rules);
            double deep = deepest(&all) / edge, overlap = overlap_of(&u) / edge;
            if (step == 0) assert_true(deep > 0.75 * overlaps[k] && deep < 1.05 * overlaps[k]);
            if (step == 0) assert_true(overlap > 0.75 * overlaps[k]);
            if (step == 0 || step == 5 || step == 30) {
                print_message("%.1f edges, step %d: %.3f, by points %.3f, %d contacts\n",
                              overlaps[k], step, deep, overlap, all.contact_count);
            }
            if (step == 30) assert_true(deep < 0.1 && overlap < 0.1);
            if (deep >= 0.1) steps = step + 1;
            for (int32_t c = 0; c < all.contact_count; c++) {
                const supi_tet_contact* contact = &all.contacts[c];
                assert_true(contact->flags & SUPI_TET_OF_ITSELF);
                for (int r = 0; r < contact->row_count; r++) involved[contact->rows[r]] = true;
                /* across the gap: the bottom joins nothing */
                assert_true(fabsf(contact->normal.x) > 0.5f);
            }
            for (int sweep = 0; sweep < 2; sweep++) {
                supi_tet_respond(&u.body, all.contacts, all.contact_count, &answer, 1.0f / 60);
            }
            memset(u.body.v, 0, (size_t)count * sizeof *u.body.v);
        }
        print_message("%.1f edges: below 0.1 after %d steps\n", overlaps[k], steps);
        for (int32_t i = 0; i < count; i++) {
            if (!involved[i]) assert_memory_equal(&u.body.x[i], &start[i], sizeof *start);
        }
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    free(involved);
    free(start);
    thing_free(&u);
}

static void test_ends_part(void** state) {
    (void)state;
    part_ends(GAP);
    part_ends(WIDE_GAP);
}

/* A body as it was made, turned, stretched or squeezed, does not meet itself. */
static void test_nothing_at_rest(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    uint64_t seed = 61;
    tet_thing u;
    make_u(&u, GAP);
    for (int k = 0; k < 10; k++) {
        supi_tet_contacts all = {0};
        double turn[3][3];
        random_rotation(&seed, turn);
        for (int j = 0; j < 9; j++) turn[j / 3][j % 3] *= 0.5 + 0.1 * k;
        thing_pose(&u, (const double(*)[3])turn, 3, 0, -4);
        find_contacts(&all, &u.body, 1, &rules);
        assert_int_equal(all.contact_count, 0);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    thing_free(&u);
}

/* Points of a crumpled block lie in tetrahedra beside their own. These are neighbours. */
static void test_neighbours(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    uint64_t seed = 62;
    tet_thing block;
    int32_t hits = 0;
    thing_make(&block, make_block(4, 4, 4, 0.4, 0.4, 0.4), 1, 0);
    block.body.self = true;
    for (int k = 0; k < 10; k++) {
        supi_tet_contacts all = {0};
        thing_pose(&block, NULL, 0, 0, 0);
        for (int32_t i = 0; i < block.form.point_count; i++) {
            block.body.x[i].x += (float)(0.08 * ref_random(&seed));
            block.body.x[i].y += (float)(0.08 * ref_random(&seed));
            block.body.x[i].z += (float)(0.08 * ref_random(&seed));
        }
        find_contacts(&all, &block.body, 1, &rules);
        assert_int_equal(all.contact_count, 0);
        hits += all.finder.hit_count;
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    print_message("%d points in tetrahedra of neighbours\n", (int)hits);
    assert_true(hits > 100);
    thing_free(&block);
}

/* Two that meet themselves and each other keep these apart. */
static void test_two_with_themselves(void** state) {
    (void)state;
    const supi_tet_rules rules = supi_tet_rules_default();
    tet_thing u[2];
    supi_tet_contacts all = {0};
    for (int i = 0; i < 2; i++) {
        make_u(&u[i], GAP);
        bend_shut(&u[i], GAP, 0.1);
    }
    for (int32_t i = 0; i < u[1].form.point_count; i++) u[1].body.x[i].z += 0.13f;
    u[1].body.self = false;
    supi_tet_body bodies[2] = {u[0].body, u[1].body};
    bodies[1].id = 1;
    find_contacts(&all, bodies, 2, &rules);
    int32_t itself = 0, between = 0;
    for (int32_t i = 0; i < all.contact_count; i++) {
        const supi_tet_contact* c = &all.contacts[i];
        assert_int_equal(c->body == c->other, (c->flags & SUPI_TET_OF_ITSELF) != 0);
        assert_false(c->body == 1 && c->other == 1);
        itself += c->body == c->other;
        between += c->body != c->other;
    }
    assert_true(itself > 0 && between > 0);
    supi_tet_contacts_free(&all, sup_allocator_default());
    for (int i = 0; i < 2; i++) thing_free(&u[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_part), cmocka_unit_test(test_nothing_at_rest),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_two_with_themselves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
