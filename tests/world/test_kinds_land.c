/* A body of each kind falls on a collider of each shape: no particle sinks in, and what lands there
   comes to rest or slides off. */
#include "world/kinds.h"

#include "sizes.h"

/* How deep a place is in the collider, m; below 0 outside. */
static double below_plane(const double p[3]) { return -p[1]; }

static double in_ball(const double p[3]) {
    return 0.5 - sqrt(p[0] * p[0] + (p[1] + 0.5) * (p[1] + 0.5) + p[2] * p[2]);
}

static double out_of_bowl(const double p[3]) {
    return sqrt(p[0] * p[0] + (p[1] - 0.5) * (p[1] - 0.5) + p[2] * p[2]) - 0.5;
}

static double in_log(const double p[3]) {
    double along = fmax(fabs(p[0]) - 0.5, 0);
    return 0.3 - sqrt(along * along + (p[1] + 0.3) * (p[1] + 0.3) + p[2] * p[2]);
}

static double in_box(const double p[3]) {
    return fmin(fmin(0.5 - fabs(p[0]), 0.3 - fabs(p[1] + 0.3)), 0.5 - fabs(p[2]));
}

/* Walls of a valley along z. */
static double under_valley(const double p[3]) {
    return (0.3 * fabs(p[0]) - p[1]) / sqrt(1.0 + 0.3 * 0.3);
}

typedef struct ground {
    const char* name;
    const char* collider;
    double (*depth)(const double p[3]);
    bool slippery; /* bodies may slide off */
} ground;

static const ground grounds[] = {
    {"plane", "'shape':'plane'", below_plane, false},
    {"sphere", "'shape':{'sphere':{'radius':0.5}},'position':[0,-0.5,0]", in_ball, true},
    {"container", "'shape':{'sphere':{'radius':0.5}},'position':[0,0.5,0],'inverted':true",
     out_of_bowl, false},
    {"capsule",
     "'shape':{'capsule':{'radius':0.3,'length':1}},'position':[0,-0.3,0],'rotation':[0,0,90]",
     in_log, true},
    {"box", "'shape':{'box':{'size':[1,0.6,1]}},'position':[0,-0.3,0]", in_box, false},
    {"closed mesh", "'shape':{'mesh':{'file':'crate.obj'}},'position':[0,-0.3,0]", in_box, false},
    {"open mesh", "'shape':{'mesh':{'file':'sheet.obj'}},'thickness':0.01", below_plane, false},
    {"heights", "'shape':{'heights':{'size':[2,2],'rows':[[0.3,0,0.3],[0.3,0,0.3]]}}", under_valley,
     false},
};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

static void write_file(const char* name, const char* text) {
    char path[700];
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    FILE* f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void write_meshes(void) {
    write_file("crate.obj", "v -.5 -.3 -.5\nv .5 -.3 -.5\nv .5 -.3 .5\nv -.5 -.3 .5\n"
                            "v -.5 .3 -.5\nv .5 .3 -.5\nv .5 .3 .5\nv -.5 .3 .5\n"
                            "f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n");
    write_file("sheet.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 4 3 2 1\n");
}

typedef struct landing {
    double deepest; /* m, of all particles in all frames */
    double speed;   /* m/s, the highest at the end */
} landing;

static landing land(const kind* who, const ground* where, bool there) {
    char keys[1000], body[1000];
    landing out = {-1, 0};
    snprintf(keys, sizeof keys, "'colliders':[{%s%s},{'shape':'plane','position':[0,-0.7,0]}]",
             where->collider, there ? "" : ",'mask':[]");
    snprintf(body, sizeof body, "{%s,'position':[0.03,0.3,0.02],'rotation':[10,20,5]}", who->small);
    sup_scene* scene = make_scene_with(keys, body, 4, NULL);
    sup_world* world = sup_scene_world(scene);
    sup_body handle = sup_scene_get_body(scene, 0, NULL);
    for (int n = 0; n < 120; n++) {
        take_steps(world, 1);
        swarm s = read_swarm(world, handle);
        out.speed = 0;
        for (int32_t i = 0; i < s.count; i++) {
            const double p[3] = {s.x[i].x, s.x[i].y, s.x[i].z};
            const double v[3] = {(double)s.v[i].x, (double)s.v[i].y, (double)s.v[i].z};
            assert_true(isfinite(p[0] + p[1] + p[2]));
            out.deepest = fmax(out.deepest, where->depth(p));
            out.speed = fmax(out.speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
        free_swarm(&s);
    }
    sup_scene_free(scene);
    return out;
}

static void every_kind_lands_on_every_collider(void** state) {
    (void)state;
    int bad = 0;
    write_meshes();
    for (int g = 0; g < GROUNDS; g++) {
        for (int k = 0; k < KINDS; k++) {
            if (short_tests() && (g + k) % 4 != 0) continue;
            landing l = land(&kinds[k], &grounds[g], true);
            if (l.deepest < -1e-3 && (l.speed < 0.8 || grounds[g].slippery)) continue;
            print_message("%s on %s: %.2g mm deep, %.2g m/s at the end\n", kinds[k].name,
                          grounds[g].name, 1e3 * l.deepest, l.speed);
            bad++;
        }
        /* what this tells where nothing holds the body */
        assert_true(land(&kinds[0], &grounds[g], false).deepest > 0.05);
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_lands_on_every_collider)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
