/* Bodies that links hold together beside clusters, springs and parts: they keep their momenta and
   shapes, rest, and give the same bits again and again. */
#include "world/yard.h"

#include "world/oriented.h"

#include <stdio.h>

enum {
    LINKS = 1,
    CLUSTERS = 2,
    SPRINGS = 4,
    PARTS = 8,
    WIDE = 5,
    DEEP = 3,
    MOST = WIDE * DEEP * DEEP
};

static const int MIXTURES[] = {
    LINKS | CLUSTERS,           LINKS | SPRINGS,          LINKS | PARTS,
    LINKS | CLUSTERS | SPRINGS, LINKS | CLUSTERS | PARTS, LINKS | SPRINGS | PARTS};
enum { MIXTURE_COUNT = sizeof MIXTURES / sizeof *MIXTURES };

/* A block of balls; its parts, joined by links alone, are the two layers at either end. */
static sup_blueprint* make_mixed(int kinds) {
    const block_def block = {{WIDE, DEEP, DEEP}, 0.1, 0.04, 0.1, 0, false, false, false, 0};
    sup_vec3 points[MOST];
    float masses[MOST];
    sup_link links[3 * MOST];
    sup_spring springs[3 * MOST];
    int32_t members[2 * 2 * DEEP * DEEP], starts[3] = {0, 0, 0}, link_count = 0;
    for (int32_t i = 0; i < MOST; i++) {
        int32_t at[3] = {i % WIDE, i / WIDE % DEEP, i / (WIDE * DEEP)};
        points[i] = (sup_vec3){0.1f * (float)at[0], 0.1f * (float)at[1], 0.1f * (float)at[2]};
        masses[i] = 0.1f;
        for (int k = 0; k < 3; k++) {
            int32_t next = i + (int32_t[3]){1, WIDE, WIDE * DEEP}[k];
            if (at[k] + 1 == block.size[k]) continue;
            links[link_count] = (sup_link){i, next, -1, 1e-5f, 0, k == 0 ? 0.1f : -1};
            springs[link_count++] = (sup_spring){i, next, -1, 200, 0, SUP_SPRING_STRUCT, false};
        }
    }
    for (int part = 0; part < 2; part++) {
        starts[part + 1] = starts[part];
        for (int32_t i = 0; i < MOST; i++) {
            if (part ? i % WIDE >= WIDE - 2 : i % WIDE < 2) members[starts[part + 1]++] = i;
        }
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = MOST;
    def.masses = masses;
    def.radius = block.radius;
    def.links = links;
    def.link_count = link_count;
    if (!(kinds & CLUSTERS)) def.layout = SUP_CLUSTERS_NONE;
    if (kinds & SPRINGS) def.springs = springs, def.spring_count = link_count;
    if (kinds & PARTS) def.part_count = 2, def.part_starts = starts, def.part_members = members;
    sup_blueprint* print = NULL;
    sup_error error = {0};
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

static sup_body add_mixed(sup_world* world, int kinds, double x, double y) {
    sup_body_def def = sup_body_default();
    def.position[0] = x;
    def.position[1] = y;
    def.angular_velocity[1] = 2.0;
    def.frames.damping = def.frames.turn_damping = def.springs.drag = 0.0;
    return add_oriented(world, make_mixed(kinds), &def);
}

/* Largest change of a distance between two particles, m. */
static double deformation(const swarm* now, const swarm* rest) {
    double worst = 0.0;
    for (int32_t i = 0; i < now->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            double far[2];
            for (int n = 0; n < 2; n++) {
                const sup_point *a = (n ? rest : now)->x + i, *b = (n ? rest : now)->x + k;
                far[n] = length_of((double[3]){a->x - b->x, a->y - b->y, a->z - b->z});
            }
            worst = fmax(worst, fabs(far[0] - far[1]));
        }
    }
    return worst;
}

/* As well as what is mixed keeps them alone: links and parts both, springs of the implicit scheme
   what their solver finds, clusters as `world.overlap` wants. */
static void free_ones_keep_their_momenta_and_shape(void** state) {
    (void)state;
    for (int k = 0; k < MIXTURE_COUNT; k++) {
        sup_world_def settings = sup_world_default();
        settings.gravity[1] = 0.0;
        settings.sleep_speed = 0.0;
        settings.substeps = 8;
        sup_world* world = make_world(&settings);
        sup_body body = add_mixed(world, MIXTURES[k], 0.0, 0.0);
        swarm rest = read_swarm(world, body);
        shake(world, body, 7);
        take_steps(world, 1);
        sup_measures before = sup_world_measure(world);
        take_steps(world, short_tests() ? 60 : 300);
        sup_measures after = sup_world_measure(world);
        swarm now = read_swarm(world, body);
        double dp = distance_of(after.momentum, before.momentum) / length_of(before.momentum);
        double dl = distance_of(after.angular_momentum, before.angular_momentum) /
                    length_of(before.angular_momentum);
        double bent = deformation(&now, &rest);
        if (getenv("SUPPLE_SHOW")) {
            printf("mixture %d: dP %.1e, dL %.1e, deformed by %.2f mm\n", MIXTURES[k], dp, dl,
                   1e3 * bent);
        }
        bool clusters = MIXTURES[k] & CLUSTERS, springs = MIXTURES[k] & SPRINGS;
        assert_below(dp, clusters ? 1e-3 : springs ? 3e-5 : 1e-5);
        assert_below(dl, clusters ? 1e-3 : 3e-4);
        assert_below(after.kinetic, before.kinetic);
        if (!short_tests()) assert_below(bent, 2e-3);
        assert_int_equal(mishap_count(world), 0);
        free_swarm(&rest);
        free_swarm(&now);
        sup_world_destroy(world);
    }
}

/* All of them above a floor, beside and above each other. */
static void add_all(sup_world* world) {
    add_floor(world);
    for (int i = 0; i < 2 * MIXTURE_COUNT; i++) {
        add_mixed(world, MIXTURES[i % MIXTURE_COUNT], 0.8 * (i / 2), 0.2 + 0.5 * (i % 2));
    }
}

static void they_come_to_rest(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    sup_body bodies[2 * MIXTURE_COUNT];
    add_all(world);
    int32_t count = sup_world_bodies(world, bodies, 2 * MIXTURE_COUNT);
    take_steps(world, short_tests() ? 60 : 300);
    for (int32_t i = 0; i < count; i++) {
        swarm s = read_swarm(world, bodies[i]);
        for (int32_t k = 0; k < s.count; k++) {
            assert_true(s.x[k].y > 0.04 && s.x[k].y < 0.9);
        }
        if (!short_tests()) assert_below(top_speed_of(world, bodies[i]), 0.05);
        free_swarm(&s);
    }
    assert_int_equal(mishap_count(world), 0);
    sup_world_destroy(world);
}

static void snapshots_go_on_with_the_same_bits(void** state) {
    (void)state;
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    add_all(world);
    take_steps(world, 20);
    check_snapshot(world, other);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

static void workers_and_instruction_sets_give_the_same_bits(void** state) {
    (void)state;
    const sup_simd sets[] = {SUP_SIMD_AUTO, SUP_SIMD_SSE2, SUP_SIMD_SCALAR};
    uint64_t first = 0;
    for (int run = 0; run < (every_copy() ? 6 : 2); run++) {
        sup_world_def settings = sup_world_default();
        settings.threads = run % 2 ? 4 : 1;
        settings.simd = sets[run / 2];
        sup_world* world = make_world(&settings);
        add_all(world);
        take_steps(world, short_tests() ? 20 : 60);
        if (run == 0) first = sup_world_hash(world);
        assert_true(sup_world_hash(world) == first);
        sup_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_ones_keep_their_momenta_and_shape),
        cmocka_unit_test(they_come_to_rest),
        cmocka_unit_test(snapshots_go_on_with_the_same_bits),
        cmocka_unit_test(workers_and_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
