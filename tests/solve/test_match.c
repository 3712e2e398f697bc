/* One match of a rigid cluster: exact fits, both momenta, the motion it is damped to, and clusters
 * that are hardly ones. */
#include "solve/clouds.h"

#include "geom/rotation.h"

static const supi_pull still = {.h = 0.01f, .k = 1.0f};
static const double nothing[3] = {0, 0, 0};
static const supi_cluster_kind kinds[3] = {SUPI_CLUSTER_PLAIN, SUPI_CLUSTER_DAMPED,
                                           SUPI_CLUSTER_PREDICTED};

static void random_vector(uint64_t* seed, double size, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = size * ref_random(seed);
}

/* x = r q + t */
static void place(const double r[9], const double q[3], const double t[3], double x[3]) {
    ref_matrix_apply(r, q, x);
    for (int k = 0; k < 3; k++) x[k] += t[k];
}

/* ---- Exact fits ---- */

/* A cloud that was only turned and moved is found where it is, from a start that knows nothing. */
static void test_rigid_motion_is_found(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 1;
    static cloud c;
    double worst_angle = 0.0, worst_goal = 0.0;
    for (int trial = 0; trial < 1000; trial++) {
        double turn[4], r[9], t[3], found[9], wish[CLOUD_MOST][3];
        cloud_random(&c, 5 + ref_random_index(&seed, 60), &seed);
        ref_quaternion_random(&seed, turn);
        ref_quaternion_matrix(turn, r);
        random_vector(&seed, 2.0 * c.size, t);
        for (int32_t i = 0; i < c.count; i++) {
            double q[3], x[3];
            cloud_offset(&c, i, q);
            place(r, q, t, x);
            cloud_put(&c, i, x, nothing);
        }
        const float xref[3] = {(float)(t[0] + 0.05), (float)t[1], (float)(t[2] - 0.05)};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &still, SUPI_CLUSTER_PLAIN, xref, q);
            for (int k = 0; k < 9; k++) found[k] = (double)goal.matrix[k];
            worst_angle = fmax(worst_angle, ref_matrix_angle(found, r));
            cloud_wishes(&c, tables[n], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
            for (int32_t i = 0; i < c.count; i++) {
                worst_goal = fmax(worst_goal, ref_length(wish[i]) / c.size);
            }
        }
        assert_true(worst_angle < 1e-5);
        assert_true(worst_goal < 1e-5);
    }
    print_message("angle %.1e rad, goals %.1e sizes\n", worst_angle, worst_goal);
}

/* ---- Momentum ---- */

/* A flat cloud, squeezed, sheared and shaken. */
static void make_strained(cloud* c, uint64_t* seed) {
    double rest[CLOUD_MOST][3], mass[CLOUD_MOST], turn[4], r[9], t[3], strain[9];
    for (int32_t i = 0; i < 200; i++) {
        random_vector(seed, 0.5, rest[i]);
        rest[i][1] *= 0.5;
        rest[i][2] *= 0.2;
        mass[i] = 1.0 + 0.5 * ref_random(seed);
    }
    cloud_rest(c, 200, rest, mass);
    ref_quaternion_random(seed, turn);
    ref_quaternion_matrix(turn, r);
    for (int k = 0; k < 9; k++) strain[k] = r[k] + 0.3 * ref_random(seed);
    random_vector(seed, 2.0, t);
    for (int32_t i = 0; i < c->count; i++) {
        double q[3], x[3], v[3], shake[3];
        cloud_offset(c, i, q);
        place(strain, q, t, x);
        random_vector(seed, 0.05, shake);
        random_vector(seed, 3.0, v);
        for (int k = 0; k < 3; k++) x[k] += shake[k];
        cloud_put(c, i, x, v);
    }
}

/* Goals by the rotation of Apq Aqq^-1, which fits the strain but not the momentum: sum m p x (g -
 * x). */
static double torque_of_wrong_rotation(const cloud* c) {
    double apq[9] = {0}, aqq[9] = {0}, inverse[9], a[9], r[9], stretch[3], centre[3] = {0, 0, 0};
    for (int32_t i = 0; i < c->count; i++) {
        double q[3];
        cloud_offset(c, i, q);
        for (int k = 0; k < 3; k++) centre[k] += c->mass[i] * c->x[i][k] / c->total;
        for (int k = 0; k < 9; k++) {
            apq[k] += c->mass[i] * c->x[i][k / 3] * q[k % 3];
            aqq[k] += c->mass[i] * q[k / 3] * q[k % 3];
        }
    }
    for (int k = 0; k < 3; k++) {
        double row[3];
        ref_cross(aqq + 3 * ((k + 1) % 3), aqq + 3 * ((k + 2) % 3), row);
        for (int j = 0; j < 3; j++) inverse[3 * j + k] = row[j] / ref_matrix_determinant(aqq);
    }
    ref_matrix_product(apq, inverse, a);
    ref_matrix_rotation(a, r, stretch);
    double wish[CLOUD_MOST][3], linear[3], angular[3];
    for (int32_t i = 0; i < c->count; i++) {
        double q[3];
        cloud_offset(c, i, q);
        place(r, q, centre, wish[i]);
        for (int k = 0; k < 3; k++) wish[i][k] -= c->x[i][k];
    }
    cloud_moments(c, wish, linear, angular);
    return ref_length(angular);
}

/* Goals neither push nor turn the cluster: sum m (g - x) and sum m p x (g - x) are nothing. */
static void test_goals_keep_momentum(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 2;
    static cloud c;
    double worst_linear = 0.0, worst_angular = 0.0, least_control = 1.0;
    for (int trial = 0; trial < 100; trial++) {
        double wish[CLOUD_MOST][3], linear[3], angular[3];
        make_strained(&c, &seed);
        const float xref[3] = {c.place[0].x, c.place[0].y, c.place[0].z};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &still, SUPI_CLUSTER_PLAIN, xref, q);
            cloud_wishes(&c, tables[n], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
            cloud_moments(&c, wish, linear, angular);
            worst_linear = fmax(worst_linear, ref_length(linear) / (c.total * c.size));
            worst_angular = fmax(worst_angular, ref_length(angular) / (c.total * c.size * c.size));
        }
        double control = torque_of_wrong_rotation(&c) / (c.total * c.size * c.size);
        least_control = fmin(least_control, control);
    }
    print_message("linear %.1e, angular %.1e; rotation of the wrong matrix: %.1e\n", worst_linear,
                  worst_angular, least_control);
    assert_true(worst_linear < 1e-5);
    assert_true(worst_angular < 1e-5);
    assert_true(least_control > 10.0 * 1e-5);
}

/* Rest offsets whose mean is not quite nothing: the residue takes it off, or goals would push the
   cluster. Here the mean is a thousand times what rounding leaves, and the sums are taken about the
   centre as in a running body. */
static void test_residue_is_taken_off(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 10;
    static cloud c;
    for (int trial = 0; trial < 100; trial++) {
        double wish[CLOUD_MOST][3], linear[3], angular[3], turn[4], r[9], mean[3];
        cloud_random(&c, 40, &seed);
        ref_quaternion_random(&seed, turn);
        ref_quaternion_matrix(turn, r);
        random_vector(&seed, 1e-4, mean);
        for (int32_t i = 0; i < c.count; i++) {
            double q[3], x[3];
            cloud_offset(&c, i, q);
            place(r, q, nothing, x);
            cloud_put(&c, i, x, nothing);
        }
        for (int32_t i = 0; i < c.padded; i++) {
            c.qx[i] += (float)mean[0];
            c.qy[i] += (float)mean[1];
            c.qz[i] += (float)mean[2];
        }
        for (int k = 0; k < 3; k++) c.residue[k] += (float)mean[k];
        const float xref[3] = {0, 0, 0};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &still, SUPI_CLUSTER_PLAIN, xref, q);
            cloud_wishes(&c, tables[n], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
            cloud_moments(&c, wish, linear, angular);
            assert_true(ref_length(linear) < 1e-7 * c.total * c.size);
        }
    }
}

/* Scheme P matches where the particles would be: the same goals as for a cloud that is there. */
static void test_prediction(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 3;
    static cloud c, ahead;
    const supi_pull pull = {.h = 0.01f, .k = 1.0f, .acceleration = {0.1f, -0.2f, 0.3f}};
    for (int trial = 0; trial < 100; trial++) {
        double wish[CLOUD_MOST][3], expected[CLOUD_MOST][3];
        make_strained(&c, &seed);
        ahead = c;
        for (int32_t i = 0; i < c.count; i++) {
            double v[3], x[3];
            cloud_velocity(&c, i, v);
            for (int k = 0; k < 3; k++) {
                x[k] = c.x[i][k] + (double)pull.h * (v[k] + (double)pull.acceleration[k]);
            }
            cloud_put(&ahead, i, x, nothing);
        }
        const float xref[3] = {c.place[0].x, c.place[0].y, c.place[0].z};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1}, p[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_PREDICTED, xref, q);
            supi_goal same = cloud_match(&ahead, tables[n], &still, SUPI_CLUSTER_PLAIN, xref, p);
            cloud_wishes(&c, tables[n], &goal, &pull, SUPI_CLUSTER_PREDICTED, wish);
            cloud_wishes(&ahead, tables[n], &same, &still, SUPI_CLUSTER_PLAIN, expected);
            for (int32_t i = 0; i < c.count; i++) {
                for (int k = 0; k < 3; k++) {
                    assert_true(fabs(wish[i][k] - expected[i][k]) < 1e-6 * c.size);
                }
            }
        }
    }
}

/* ---- The rigid motion that damping pulls to ---- */

static void test_damping_keeps_momentum(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 4;
    static cloud c;
    const supi_pull pull = {.h = 0.01f, .k = 0.0f, .delta = 1.0f};
    double worst_linear = 0.0, worst_angular = 0.0;
    for (int trial = 0; trial < 100; trial++) {
        double wish[CLOUD_MOST][3], linear[3], angular[3], speed = 0.0, kept = 0.0;
        make_strained(&c, &seed);
        const float xref[3] = {c.place[0].x, c.place[0].y, c.place[0].z};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_DAMPED, xref, q);
            cloud_wishes(&c, tables[n], &goal, &pull, SUPI_CLUSTER_DAMPED, wish);
            cloud_moments(&c, wish, linear, angular);
            for (int32_t i = 0; i < c.count; i++) {
                double v[3], after[3];
                cloud_velocity(&c, i, v);
                for (int k = 0; k < 3; k++) after[k] = v[k] + wish[i][k];
                speed = fmax(speed, ref_length(v));
                kept = fmax(kept, ref_length(after));
            }
            /* With everything damped away a rigid motion is left, much slower than the chaos
             * before. */
            assert_true(kept < 0.5 * speed);
            worst_linear = fmax(worst_linear, ref_length(linear) / (c.total * speed));
            worst_angular = fmax(worst_angular, ref_length(angular) / (c.total * speed * c.size));
        }
    }
    print_message("damping: linear %.1e, angular %.1e\n", worst_linear, worst_angular);
    assert_true(worst_linear < 1e-6);
    assert_true(worst_angular < 1e-6);
}

/* A cloud that moves rigidly is seen to do so, and not damped. */
static void test_rigid_velocity_is_found(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 5;
    static cloud c;
    const supi_pull pull = {.h = 0.01f, .k = 0.0f, .delta = 1.0f};
    for (int trial = 0; trial < 200; trial++) {
        double spin[3], drift[3], wish[CLOUD_MOST][3], q[3], turned[3], v[3];
        cloud_random(&c, 4 + ref_random_index(&seed, 60), &seed);
        random_vector(&seed, 5.0, spin);
        random_vector(&seed, 5.0, drift);
        for (int32_t i = 0; i < c.count; i++) {
            cloud_offset(&c, i, q);
            ref_cross(spin, q, turned);
            for (int k = 0; k < 3; k++) v[k] = drift[k] + turned[k];
            cloud_put(&c, i, q, v);
        }
        const float xref[3] = {0.1f, -0.1f, 0.05f};
        for (int n = 0; n < table_count; n++) {
            float warm[4] = {0, 0, 0, 1};
            supi_goal goal = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_DAMPED, xref, warm);
            for (int k = 0; k < 3; k++) {
                assert_true(fabs((double)goal.spin[k] - spin[k]) < 2e-4);
                assert_true(fabs((double)goal.velocity[k] - drift[k]) < 1e-5);
            }
            cloud_wishes(&c, tables[n], &goal, &pull, SUPI_CLUSTER_DAMPED, wish);
            for (int32_t i = 0; i < c.count; i++) assert_true(ref_length(wish[i]) < 2e-4);
        }
    }
}

/* The warm start is turned ahead by the spin, in the world's frame. Where nothing else tells the
 * rotation, that is it. */
static void test_warm_start_turns_ahead(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 11;
    const double h = 0.0625;
    for (int trial = 0; trial < 100; trial++) {
        double spin[3], start[4], turn[4], ahead[4], expected[9], found[9];
        random_vector(&seed, 5.0, spin);
        ref_quaternion_random(&seed, start);
        for (int k = 0; k < 3; k++) turn[k] = 0.5 * h * spin[k];
        turn[3] = 1.0;
        ref_quaternion_product(turn, start, ahead);
        ref_quaternion_matrix(ahead, expected);
        for (int n = 0; n < table_count; n++) {
            /* Particles that spread alike along all axes, and no sums with the rest pose. */
            supi_match8 m = {.h = (float)h, .damped = true};
            for (int lane = 0; lane < 8; lane++) {
                m.weight[lane] = 1.0f;
                for (int k = 0; k < 3; k++) m.sums[SUPI_SUM_SPREAD + k][lane] = 0.5f;
                for (int k = 0; k < 3; k++) m.sums[SUPI_SUM_SPIN + k][lane] = (float)spin[k];
                for (int k = 0; k < 4; k++) m.rotation[k][lane] = (float)start[k];
            }
            tables[n]->match(&m);
            for (int k = 0; k < 9; k++) found[k] = (double)m.matrix[k][7];
            assert_true(ref_matrix_angle(found, expected) < 1e-6);
        }
    }
}

/* ---- Units ---- */

/* The same cloud in other units: all lengths and velocities times 2^length, all masses times
 * 2^mass. */
static void change_units(const cloud* from, int length, int mass, cloud* to) {
    *to = *from;
    to->total = ldexp(from->total, mass);
    to->inertia_floor = ldexpf(from->inertia_floor, mass + 2 * length);
    for (int k = 0; k < 3; k++) to->residue[k] = ldexpf(from->residue[k], length);
    for (int32_t i = 0; i < from->padded; i++) {
        to->w[i] = ldexpf(from->w[i], mass);
        to->qx[i] = ldexpf(from->qx[i], length);
        to->qy[i] = ldexpf(from->qy[i], length);
        to->qz[i] = ldexpf(from->qz[i], length);
        sup_row *x = to->place + i, *v = to->speed + i;
        *x = (sup_row){ldexpf(x->x, length), ldexpf(x->y, length), ldexpf(x->z, length), 1.0f};
        *v = (sup_row){ldexpf(v->x, length), ldexpf(v->y, length), ldexpf(v->z, length), 1.0f};
    }
}

/* From a grain of a tenth of a millimetre to an island: powers of two change no bit of rotation and
   spin, in bulky clusters and on a line. */
static void test_units_do_not_matter(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 6;
    static cloud c, other;
    const supi_pull pull = {.h = 0.01f, .k = 0.0f, .delta = 1.0f};
    for (int trial = 0; trial < 400; trial++) {
        cloud_random(&c, 2 + ref_random_index(&seed, 20), &seed);
        if (trial % 2) {
            memset(c.qy, 0, sizeof c.qy);
            memset(c.qz, 0, sizeof c.qz);
            memset(c.residue, 0, sizeof c.residue);
        }
        for (int32_t i = 0; i < c.count; i++) {
            double q[3], v[3];
            cloud_offset(&c, i, q);
            random_vector(&seed, 1.0, v);
            cloud_put(&c, i, q, v);
        }
        int length = ref_random_index(&seed, 27) - 13, mass = ref_random_index(&seed, 61) - 40;
        change_units(&c, length, mass, &other);
        const float xref[3] = {0.125f, 0.0f, 0.0f}, moved[3] = {ldexpf(0.125f, length), 0.0f, 0.0f};
        for (int n = 0; n < table_count; n++) {
            float q[4] = {0, 0, 0, 1}, p[4] = {0, 0, 0, 1};
            supi_goal a = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_DAMPED, xref, q);
            supi_goal b = cloud_match(&other, tables[n], &pull, SUPI_CLUSTER_DAMPED, moved, p);
            assert_memory_equal(q, p, sizeof q);
            assert_memory_equal(a.matrix, b.matrix, sizeof a.matrix);
            assert_memory_equal(a.spin, b.spin, sizeof a.spin);
            for (int k = 0; k < 3; k++) {
                assert_true(ldexpf(a.velocity[k], length) == b.velocity[k]);
                assert_true(fabsf(a.spin[k]) < 1e3f);
            }
        }
    }
}

/* ---- Clusters that are hardly ones ---- */

static void put_all(cloud* c, double at[][3], const double v[][3]) {
    for (int32_t i = 0; i < c->count; i++) cloud_put(c, i, at[i], v ? v[i] : nothing);
}

static void assert_proper(const supi_goal* goal) {
    double r[9];
    for (int k = 0; k < 9; k++) r[k] = (double)goal->matrix[k];
    assert_true(fabs(ref_matrix_determinant(r) - 1.0) < 1e-5);
}

/* One particle: its goal is where it is, and it keeps its velocity. */
static void test_one_particle(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    static cloud c;
    double at[1][3] = {{1, 2, 3}}, now[1][3] = {{4, 5, 6}}, wish[CLOUD_MOST][3];
    const double v[1][3] = {{7, -8, 9}};
    const supi_pull pull = {.h = 0.01f, .k = 100.0f, .delta = 0.5f};
    const float xref[3] = {3, 5, 7};
    cloud_rest(&c, 1, at, NULL);
    put_all(&c, now, v);
    for (int n = 0; n < table_count; n++) {
        for (int k = 0; k < 3; k++) {
            float q[4] = {0.5f, 0.5f, 0.5f, 0.5f};
            supi_goal goal = cloud_match(&c, tables[n], &pull, kinds[k], xref, q);
            assert_true(q[0] == 0.5f && q[1] == 0.5f && q[2] == 0.5f && q[3] == 0.5f);
            assert_proper(&goal);
            cloud_wishes(&c, tables[n], &goal, &pull, kinds[k], wish);
            assert_true(ref_length(wish[0]) < 1e-4);
        }
    }
}

/* On a line: the spin across it is right, the spin about it none, the goals exact, the twist kept.
 */
static void test_on_a_line(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 7;
    static cloud c;
    const supi_pull pull = {.h = 1e-9f, .k = 1.0f, .delta = 0.0f};
    for (int trial = 0; trial < 400; trial++) {
        double axis[3], across[3], wrong[3], spin[3], rest[CLOUD_MOST][3], v[CLOUD_MOST][3];
        double wish[CLOUD_MOST][3], twist[4];
        int32_t count = trial % 2 ? 2 : 5;
        random_vector(&seed, 1.0, axis);
        random_vector(&seed, 1.0, spin);
        if (trial % 5 == 0) axis[1] = axis[2] = 0.0;
        double along = ref_dot(axis, spin) / ref_dot(axis, axis);
        for (int k = 0; k < 3; k++) spin[k] -= along * axis[k];
        for (int32_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) rest[i][k] = (i - 0.5 * (count - 1)) * axis[k];
            ref_cross(spin, rest[i], v[i]);
        }
        cloud_rest(&c, count, rest, NULL);
        put_all(&c, rest, (const double(*)[3])v);
        /* A warm start that is twisted about the line fits as well as the rest pose. */
        double half = 0.4, found[9], expected[9];
        for (int k = 0; k < 3; k++) twist[k] = sin(half) * axis[k] / ref_length(axis);
        twist[3] = cos(half);
        ref_quaternion_matrix(twist, expected);
        for (int n = 0; n < table_count; n++) {
            float q[4] = {(float)twist[0], (float)twist[1], (float)twist[2], (float)twist[3]};
            const float xref[3] = {0, 0, 0};
            supi_goal goal = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_DAMPED, xref, q);
            for (int k = 0; k < 9; k++) found[k] = (double)goal.matrix[k];
            assert_true(ref_matrix_angle(found, expected) < 2e-3);
            for (int k = 0; k < 3; k++) wrong[k] = (double)goal.spin[k] - spin[k];
            double about = ref_dot(wrong, axis) / ref_dot(axis, axis);
            for (int k = 0; k < 3; k++) across[k] = wrong[k] - about * axis[k];
            assert_true(ref_length(across) < 1e-4 * ref_length(spin));
            assert_true(fabs(about) * ref_length(axis) < 0.03 * ref_length(spin));
            cloud_wishes(&c, tables[n], &goal, &pull, SUPI_CLUSTER_DAMPED, wish);
            for (int32_t i = 0; i < count; i++) assert_true(ref_length(wish[i]) < 1e-6 * c.size);
        }
    }
}

/* All in one place at rest: the goal is the centre, and nothing spins. All in one place now: the
 * rotation stays. */
static void test_in_one_place(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 8;
    static cloud c;
    const supi_pull pull = {.h = 0.01f, .k = 1.0f, .delta = 0.5f};
    double rest[6][3], v[6][3], at[6][3], wish[CLOUD_MOST][3];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) rest[i][k] = at[i][k] = 1.0 + k;
        random_vector(&seed, 1.0, v[i]);
    }
    const float xref[3] = {1, 2, 3};
    for (int n = 0; n < table_count; n++) {
        for (int now = 0; now < 2; now++) {
            for (int i = 0; i < 6; i++) {
                for (int k = 0; k < 3 && now; k++) rest[i][k] = ref_random(&seed);
                for (int k = 0; k < 3 && !now; k++) at[i][k] = 1.0 + k + 0.1 * ref_random(&seed);
                for (int k = 0; k < 3 && now; k++) at[i][k] = 1.0 + k;
                for (int k = 0; k < 3 && !now; k++) rest[i][k] = 1.0 + k;
            }
            cloud_rest(&c, 6, rest, NULL);
            put_all(&c, at, (const double(*)[3])v);
            float q[4] = {0.5f, -0.5f, 0.5f, 0.5f};
            supi_goal goal = cloud_match(&c, tables[n], &pull, SUPI_CLUSTER_DAMPED, xref, q);
            assert_true(q[0] == 0.5f && q[1] == -0.5f && q[2] == 0.5f && q[3] == 0.5f);
            for (int k = 0; k < 3; k++) assert_true(goal.spin[k] == 0.0f);
            cloud_wishes(&c, tables[n], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
            for (int i = 0; i < 6; i++) {
                double q0[3], r[9], goes[3], centre[3] = {0, 0, 0};
                for (int k = 0; k < 9; k++) r[k] = (double)goal.matrix[k];
                for (int j = 0; j < 6; j++) {
                    for (int k = 0; k < 3; k++) centre[k] += c.x[j][k] / 6.0;
                }
                cloud_offset(&c, i, q0);
                place(r, q0, centre, goes);
                for (int k = 0; k < 3; k++) {
                    assert_true(fabs(goes[k] - c.x[i][k] - wish[i][k]) < 1e-6);
                }
            }
        }
    }
}

/* Flattened and turned inside out: always a proper rotation, and the best one. */
static void test_flat_and_inverted(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 9;
    static cloud c;
    const double factors[4] = {1e-3, 0.0, -1e-3, -1.0};
    for (int trial = 0; trial < 400; trial++) {
        double wish[CLOUD_MOST][3], apq[9] = {0}, r[9], stretch[3], found[9], start[4];
        cloud_random(&c, 20, &seed);
        for (int32_t i = 0; i < c.count; i++) {
            double q[3];
            cloud_offset(&c, i, q);
            q[trial % 3] *= factors[trial % 4];
            cloud_put(&c, i, q, nothing);
            cloud_offset(&c, i, q);
            for (int k = 0; k < 9; k++) apq[k] += c.mass[i] * c.x[i][k / 3] * q[k % 3];
        }
        ref_matrix_rotation(apq, r, stretch);
        ref_quaternion_random(&seed, start);
        for (int n = 0; n < table_count; n++) {
            float q[4] = {(float)start[0], (float)start[1], (float)start[2], (float)start[3]};
            const float xref[3] = {0, 0, 0};
            supi_goal goal = cloud_match(&c, tables[n], &still, SUPI_CLUSTER_PLAIN, xref, q);
            assert_proper(&goal);
            for (int k = 0; k < 9; k++) found[k] = (double)goal.matrix[k];
            double best = stretch[0] + stretch[1] + stretch[2];
            assert_true(ref_matrix_agreement(found, apq) > best * (1.0 - 1e-5));
            cloud_wishes(&c, tables[n], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
            for (int32_t i = 0; i < c.count; i++) assert_true(ref_length(wish[i]) < 2.0 * c.size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_motion_is_found),
        cmocka_unit_test(test_goals_keep_momentum),
        cmocka_unit_test(test_residue_is_taken_off),
        cmocka_unit_test(test_prediction),
        cmocka_unit_test(test_damping_keeps_momentum),
        cmocka_unit_test(test_rigid_velocity_is_found),
        cmocka_unit_test(test_warm_start_turns_ahead),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_one_particle),
        cmocka_unit_test(test_on_a_line),
        cmocka_unit_test(test_in_one_place),
        cmocka_unit_test(test_flat_and_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
