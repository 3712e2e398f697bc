/* What contacts do: momentum is kept, old overlap is no speed, friction stays within its limits. */
#include "contact/tet_bodies.h"

/* Two cubes that overlap, with random velocities; x is where they are after a substep of h. */
typedef struct duel {
    tet_thing things[2];
    supi_tet_body bodies[2];
    supi_tet_contacts all;
} duel;

static const float h = 1.0f / 240;

static void duel_begin(duel* d, double apart, uint64_t seed, double speed) {
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 2; i++) {
        thing_make(&d->things[i], make_block(3, 3, 3, 0.3, 0.3, 0.3), 1, i);
        double turn[3][3];
        random_rotation(&seed, turn);
        thing_pose(&d->things[i], i ? (const double(*)[3])turn : NULL, 0.02 * i, apart * i,
                   0.013 * i);
        for (int32_t p = 0; p < d->things[i].form.point_count; p++) {
            sup_row* v = &d->things[i].body.v[p];
            v->x = (float)(speed * ref_random(&seed));
            v->y = (float)(speed * ref_random(&seed));
            v->z = (float)(speed * ref_random(&seed));
            d->things[i].body.x[p].w = (float)(1.5 + ref_random(&seed));
        }
        d->bodies[i] = d->things[i].body;
    }
}

static void duel_find(duel* d, bool edges) {
    const supi_tet_rules rules = supi_tet_rules_default();
    d->bodies[0].edges = edges;
    find_contacts(&d->all, d->bodies, 2, &rules);
    supi_tet_approach(d->bodies, d->all.contacts, d->all.contact_count);
}

static void duel_respond(duel* d, const supi_tet_answer* answer) {
    supi_tet_respond(d->bodies, d->all.contacts, d->all.contact_count, answer, h);
}

static void duel_end(duel* d) {
    supi_tet_contacts_free(&d->all, sup_allocator_default());
    for (int i = 0; i < 2; i++) thing_free(&d->things[i]);
}

/* Sum of m v, of their moments about the places x, and of the sizes of m v. */
typedef struct momentum {
    double linear[3], angular[3], size;
} momentum;

static momentum momentum_of(const duel* d, sup_row* const x[2]) {
    momentum out = {0};
    for (int i = 0; i < 2; i++) {
        for (int32_t p = 0; p < d->bodies[i].form->point_count; p++) {
            const sup_row *v = &d->bodies[i].v[p], *at = &x[i][p];
            double m = 1 / (double)d->bodies[i].x[p].w;
            double mv[3] = {m * (double)v->x, m * (double)v->y, m * (double)v->z};
            double r[3] = {(double)at->x, (double)at->y, (double)at->z};
            for (int k = 0; k < 3; k++) {
                out.linear[k] += mv[k];
                out.angular[k] +=
                    r[(k + 1) % 3] * mv[(k + 2) % 3] - r[(k + 2) % 3] * mv[(k + 1) % 3];
                out.size += fabs(mv[k]);
            }
        }
    }
    return out;
}

static sup_row* copy_of(const sup_row* rows, int32_t count) {
    sup_row* out = calloc((size_t)count, sizeof *out);
    memcpy(out, rows, (size_t)count * sizeof *out);
    return out;
}

static void expect_same_momentum(const momentum* a, const momentum* b) {
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(a->linear[k] - b->linear[k]) < 1e-5 * a->size);
        assert_true(fabs(a->angular[k] - b->angular[k]) < 1e-5 * a->size);
    }
}

/* Positions, friction, bounces and forces: sum and moments of all impulses are 0; of edges too. */
static void test_momentum(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    answer.restitution = 0.7f;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        duel d;
        duel_begin(&d, 0.2, seed, 2);
        if (seed % 2 == 0) d.bodies[1].mode = SUP_OVERLAP_PENALTY;
        for (int i = 0; i < 2; i++) d.bodies[i].reach = (int32_t)(seed / 2) % 5 % (2 + i);
        duel_find(&d, true);
        assert_true(d.all.contact_count > 4);
        int32_t count = d.bodies[0].form->point_count;
        sup_row* x[2] = {copy_of(d.bodies[0].x, count), copy_of(d.bodies[1].x, count)};
        momentum before = momentum_of(&d, x);
        if (seed % 2) {
            for (int sweep = 0; sweep < 4; sweep++) duel_respond(&d, &answer);
            supi_tet_bounce(d.bodies, d.all.contacts, d.all.contact_count, &answer, 0.01f, h);
        } else {
            supi_tet_penalise(d.bodies, d.all.contacts, d.all.contact_count, &answer, h);
        }
        momentum after = momentum_of(&d, x);
        assert_true(memcmp(&before, &after, sizeof before) != 0);
        expect_same_momentum(&before, &after);
        free(x[0]);
        free(x[1]);
        duel_end(&d);
    }
}

/* Sweeps take what is left: depths go down by half each time and never beyond; the same where
   others move along. */
static void test_remaining_depth(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    answer.shift = 1e6f;
    for (int32_t reach = 0; reach < 3; reach++) {
        duel d;
        duel_begin(&d, 0.27, 3, 0);
        d.bodies[0].reach = reach;
        duel_find(&d, false);
        double first = 0, last = 0;
        for (int32_t i = 0; i < d.all.contact_count; i++) first += (double)d.all.contacts[i].depth;
        for (int sweep = 0; sweep < 60; sweep++) duel_respond(&d, &answer);
        for (int32_t i = 0; i < d.all.contact_count; i++) {
            last += fmax(0, (double)supi_tet_left(d.bodies, &d.all.contacts[i]));
        }
        assert_true(first > 0.05 && last < 1e-3 * first);
        duel_end(&d);
    }
}

/* ---- Patches ---- */

static double apart(const supi_tet_body* body, int32_t a, int32_t b) {
    const sup_row *p = &body->x[a], *q = &body->x[b];
    double d[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                   (double)p->z - (double)q->z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Distances within a patch change by less than `most`: turns are linear in a push. */
static void expect_rigid(const supi_tet_body* body, const sup_row* before,
                         const supi_tet_patch* patch, double most) {
    supi_tet_body old = *body;
    old.x = (sup_row*)before;
    for (int32_t i = 0; i < patch->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            int32_t a = patch->rows[i].row, b = patch->rows[k].row;
            assert_true(fabs(apart(body, a, b) - apart(&old, a, b)) < most);
        }
    }
}

/* What a contact reaches moves as one, so far that the contact is open; it is heavier than the
   point alone, by all that moves along. */
static void test_patches_are_rigid(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    float lightness = INFINITY;
    int32_t counts[3] = {0};
    answer.stiffness = 1;
    answer.shift = answer.depart = 1e6f;
    answer.friction_static = answer.friction_kinetic = 0;
    for (int32_t reach = 0; reach < 3; reach++) {
        duel d;
        duel_begin(&d, 0.29, 4, 0);
        d.bodies[0].reach = d.bodies[1].reach = reach;
        duel_find(&d, false);
        supi_tet_contact* c = &d.all.contacts[0];
        const supi_tet_body* body = &d.bodies[c->body];
        sup_row* before = copy_of(body->x, body->form->point_count);
        float light = supi_tet_lightness(d.bodies, c);
        assert_true(light > 0 && light < lightness);
        lightness = light;
        counts[reach] = c->patches[0] ? c->patches[0]->count : 1;
        supi_tet_respond(d.bodies, c, 1, &answer, h);
        assert_true(c->depth > 1e-3f && fabsf(supi_tet_left(d.bodies, c)) < 1e-3f * c->depth);
        if (c->patches[0]) expect_rigid(body, before, c->patches[0], 0.2 * (double)c->depth);
        free(before);
        duel_end(&d);
    }
    assert_true(counts[0] == 1 && counts[1] > 1 && counts[2] > counts[1]);
}

/* Rings that do not fit are left out whole: what is near the middle of a body of 216 points reaches
   one ring of it and not a part of the third. */
static void test_whole_rings(void** state) {
    (void)state;
    int32_t counts[4] = {0};
    for (int32_t reach = 1; reach < 4; reach++) {
        tet_thing things[2];
        supi_tet_contacts all = {0};
        supi_tet_body bodies[2];
        thing_make(&things[0], make_block(1, 1, 1, 0.2, 0.2, 0.2), 1, 0);
        thing_make(&things[1], make_block(5, 5, 5, 0.5, 0.5, 0.5), 1, 1);
        thing_pose(&things[0], NULL, 0.02, 0.1, 0.013);
        thing_pose(&things[1], NULL, 0, 0, 0);
        for (int i = 0; i < 2; i++) bodies[i] = things[i].body;
        bodies[1].reach = reach;
        const supi_tet_rules rules = supi_tet_rules_default();
        find_contacts(&all, bodies, 2, &rules);
        assert_true(all.contact_count > 0);
        const supi_tet_contact* c = &all.contacts[0];
        const supi_tet_patch* patch = c->patches[c->body == 1 ? 0 : 1];
        assert_non_null(patch);
        assert_true(patch->count <= 96);
        counts[reach] = patch->count;
        for (int i = 0; i < 2; i++) thing_free(&things[i]);
        supi_tet_contacts_free(&all, sup_allocator_default());
    }
    assert_true(counts[1] == 44 && counts[2] == 44 && counts[3] == 44); /* 96 do not hold two */
}

/* Where something of it is pinned or locked, or forces answer, rows move alone. */
static void test_who_has_no_patch(void** state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        duel d;
        duel_begin(&d, 0.27, 3, 0);
        for (int i = 0; i < 2; i++) d.bodies[i].reach = 2;
        for (int32_t p = 0; k == 1 && p < d.bodies[0].form->point_count; p++) {
            d.bodies[0].x[p].w = p % 3 ? 1.0f : 0.0f;
        }
        if (k == 2) d.bodies[1].mode = SUP_OVERLAP_PENALTY;
        if (k == 3) d.bodies[0].locked = SUP_AXIS_Z;
        duel_find(&d, false);
        assert_true(d.all.contact_count > 0);
        for (int32_t i = 0; i < d.all.contact_count; i++) {
            const supi_tet_contact* c = &d.all.contacts[i];
            const supi_tet_patch* of[2] = {c->patches[c->body], c->patches[1 - c->body]};
            assert_true((of[0] != NULL) == (k == 0) && (of[1] != NULL) == (k != 2));
        }
        duel_end(&d);
    }
}

/* Old overlap opens at v_dep at most; contained parts give no speed at all. */
static void test_overlap_is_no_speed(void** state) {
    (void)state;
    const supi_tet_answer answer = supi_tet_answer_default();
    for (int contained = 0; contained < 2; contained++) {
        duel d;
        duel_begin(&d, 0.2, 5, 0);
        duel_find(&d, false);
        float most = 0, moved = 0;
        for (int32_t i = 0; i < d.all.contact_count; i++) {
            if (contained) d.all.contacts[i].flags |= SUPI_TET_CONTAINED;
        }
        int32_t count = d.bodies[1].form->point_count;
        sup_row* x = copy_of(d.bodies[1].x, count);
        duel_respond(&d, &answer);
        for (int32_t i = 0; i < d.all.contact_count; i++) {
            const supi_tet_contact* c = &d.all.contacts[i];
            most = fmaxf(most, c->push);
        }
        for (int32_t i = 0; i < count; i++)
            moved = fmaxf(moved, fabsf(d.bodies[1].x[i].y - x[i].y));
        float limit = answer.depart * d.things[0].form.edge * h;
        assert_true(moved > 0);
        assert_true(contained ? most == 0 : most > 0.9f * limit && most <= 1.0001f * limit);
        for (int32_t i = 0; contained && i < count; i++) {
            assert_true(d.bodies[1].v[i].x == 0 && d.bodies[1].v[i].y == 0);
        }
        free(x);
        duel_end(&d);
    }
}

/* One point over a large face: what friction takes is what the law says. */
static void test_friction(void** state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const float statics[] = {0.5f, 0.5f, 0.05f}, slips[] = {0.05f, 5, 0.05f};
        supi_tet_answer answer = supi_tet_answer_default();
        answer.friction_static = statics[k];
        answer.friction_kinetic = 0.04f;
        tet_thing point, block;
        const sup_vec3 corners[4] = {{0.01f, -0.001f, 0.02f}, {1, 1, 0}, {-1, 1, 1}, {-1, 1, -1}};
        const int32_t tet[4] = {0, 1, 2, 3};
        sup_tets tets;
        assert_int_equal(sup_tets_mend(NULL, 4, corners, 1, tet, &tets, NULL, NULL), SUP_OK);
        thing_make(&point, tets, 1, 0);
        thing_make(&block, make_block(4, 1, 4, 1, 0.3, 1), 0, 1);
        thing_pose(&block, NULL, 0, -0.15, 0);
        supi_tet_body bodies[2] = {point.body, block.body};
        supi_tet_contacts all = {0};
        const supi_tet_rules rules = supi_tet_rules_default();
        find_contacts(&all, bodies, 2, &rules);
        assert_int_equal(all.contact_count, 1);
        int32_t row = all.contacts[0].rows[0];
        sup_row *v = &point.body.v[row], *x = &point.body.x[row], at = *x;
        v->x = slips[k];
        v->y = -1;
        supi_tet_respond(bodies, all.contacts, 1, &answer, h);
        float pushed = all.contacts[0].push, length = h * slips[k];
        assert_true(fabsf(pushed - 0.0005f) < 1e-6f); /* half of the depth, all of it stops it */
        assert_true(fabsf(v->y - (-1 + pushed / h)) < 1e-4f);
        bool holds = length <= statics[k] * pushed;
        assert_int_equal(holds, k == 0);
        float rubbed = holds ? length : fminf(length, 0.04f * pushed);
        assert_true(fabsf(v->x - (slips[k] - rubbed / h)) < 1e-4f);
        assert_true(fabsf(x->x - (at.x - rubbed)) < 1e-6f);
        for (int32_t i = 0; i < block.form.point_count; i++) assert_true(block.body.v[i].y == 0);
        supi_tet_contacts_free(&all, sup_allocator_default());
        thing_free(&point);
        thing_free(&block);
    }
}

/* What cannot move is not moved, and two such are left alone. */
static void test_immovable(void** state) {
    (void)state;
    const supi_tet_answer answer = supi_tet_answer_default();
    duel d;
    duel_begin(&d, 0.2, 9, 1);
    duel_find(&d, false);
    int32_t count = d.bodies[0].form->point_count;
    for (int32_t i = 0; i < count; i++) d.bodies[0].x[i].w = d.bodies[1].x[i].w = 0;
    sup_row *x = copy_of(d.bodies[1].x, count), *v = copy_of(d.bodies[1].v, count);
    duel_respond(&d, &answer);
    supi_tet_bounce(d.bodies, d.all.contacts, d.all.contact_count, &answer, 0, h);
    supi_tet_penalise(d.bodies, d.all.contacts, d.all.contact_count, &answer, h);
    assert_memory_equal(d.bodies[1].x, x, (size_t)count * sizeof *x);
    assert_memory_equal(d.bodies[1].v, v, (size_t)count * sizeof *v);
    free(x);
    free(v);
    duel_end(&d);
}

/* Forces push, and never pull: one contact swings and settles. */
static void test_penalty(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    duel d;
    duel_begin(&d, 0.27, 3, 0);
    d.bodies[0].mode = SUP_OVERLAP_PENALTY;
    duel_find(&d, false);
    sup_row before = {0, 0, 0, 0}, after = {0, 0, 0, 0};
    supi_tet_penalise(d.bodies, d.all.contacts, d.all.contact_count, &answer, h);
    for (int32_t i = 0; i < d.bodies[1].form->point_count; i++) after.y += d.bodies[1].v[i].y;
    assert_true(after.y > 0); /* the second one lies above */
    for (int b = 0; b < 2; b++) {
        for (int32_t i = 0; i < d.bodies[b].form->point_count; i++) {
            d.bodies[b].v[i] = (sup_row){0, b ? 1000.0f : 0, 0, 0};
            before.y += d.bodies[b].v[i].y;
        }
    }
    supi_tet_penalise(d.bodies, d.all.contacts, d.all.contact_count, &answer, h);
    float sum = 0;
    for (int b = 0; b < 2; b++) {
        for (int32_t i = 0; i < d.bodies[b].form->point_count; i++) sum += d.bodies[b].v[i].y;
    }
    int32_t leaving = 0;
    for (int32_t i = 0; i < d.all.contact_count; i++) {
        const supi_tet_contact* c = &d.all.contacts[i];
        leaving += (c->body ? c->normal.y : -c->normal.y) > 0.1f;
    }
    assert_int_equal(leaving, d.all.contact_count);
    assert_true(sum == before.y);
    duel_end(&d);
}

/* A ball thrown at something heavy comes back as fast as restitution says, in its contact points.
 */
static void test_bounce(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    answer.restitution = 0.5f;
    duel d;
    duel_begin(&d, 0.295, 3, 0);
    for (int32_t i = 0; i < d.bodies[1].form->point_count; i++) {
        d.bodies[1].v[i].y = -3;
        d.bodies[0].x[i].w = 0;
    }
    duel_find(&d, false);
    assert_true(d.all.contact_count > 0);
    for (int sweep = 0; sweep < 2; sweep++) duel_respond(&d, &answer);
    for (int k = 0; k < 200; k++) {
        supi_tet_bounce(d.bodies, d.all.contacts, d.all.contact_count, &answer, 0.1f, h);
    }
    for (int32_t i = 0; i < d.all.contact_count; i++) {
        const supi_tet_contact* c = &d.all.contacts[i];
        double vn = 0;
        for (int k = 0; k < c->row_count; k++) {
            const sup_row* v = &d.bodies[k < c->own_count ? c->body : c->other].v[c->rows[k]];
            vn += (double)c->shares[k] *
                  ((double)v->x * (double)c->normal.x + (double)v->y * (double)c->normal.y +
                   (double)v->z * (double)c->normal.z);
        }
        if (c->push > 0 && c->approach < -0.1f) {
            assert_true(vn > -0.5 * (double)c->approach - 1e-3);
        }
    }
    duel_end(&d);
}

/* Without restitution nothing bounces: what still comes nearer is left to come. */
static void test_no_bounce(void** state) {
    (void)state;
    supi_tet_answer answer = supi_tet_answer_default();
    duel d;
    duel_begin(&d, 0.2, 5, 2);
    duel_find(&d, false);
    duel_respond(&d, &answer);
    int32_t count = d.bodies[0].form->point_count;
    sup_row* v = copy_of(d.bodies[1].v, count);
    supi_tet_bounce(d.bodies, d.all.contacts, d.all.contact_count, &answer, 0, h);
    assert_memory_equal(d.bodies[1].v, v, (size_t)count * sizeof *v);
    answer.restitution = 0.5f;
    supi_tet_bounce(d.bodies, d.all.contacts, d.all.contact_count, &answer, 0, h);
    assert_memory_not_equal(d.bodies[1].v, v, (size_t)count * sizeof *v);
    free(v);
    duel_end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),          cmocka_unit_test(test_remaining_depth),
        cmocka_unit_test(test_patches_are_rigid), cmocka_unit_test(test_whole_rings),
        cmocka_unit_test(test_who_has_no_patch),  cmocka_unit_test(test_overlap_is_no_speed),
        cmocka_unit_test(test_friction),          cmocka_unit_test(test_immovable),
        cmocka_unit_test(test_penalty),           cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_no_bounce)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
