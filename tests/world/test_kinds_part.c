/* Explore. */
#include "supple/scene.h"
#include "world/yard.h"

#include <stdio.h>

typedef struct kind {
    const char* name;
    const char* large; /* 1 m */
    const char* small; /* 0.2 m */
} kind;

#define BOX(side, n) "\"shape\":{\"box\":{\"size\":[" side "," side "," side "],\"segments\":[" n "," n "," n "]}}"
static const kind kinds[] = {
    {"cluster solid", BOX("1", "5") ",\"solid\":{\"clusters\":{\"cell\":0.25}},\"material\":{\"stiffness\":300}",
     BOX("0.2", "2") ",\"solid\":{\"clusters\":{\"cell\":0.1}},\"material\":{\"stiffness\":300}"},
    {"spring solid", BOX("1", "5") ",\"solid\":{\"springs\":{\"cell\":0.25}}",
     BOX("0.2", "2") ",\"solid\":{\"springs\":{\"cell\":0.1}}"},
    {"frame solid", BOX("1", "5") ",\"solid\":{\"frames\":{\"cell\":0.25,\"particles\":200}}",
     BOX("0.2", "2") ",\"solid\":{\"frames\":{\"cell\":0.1,\"particles\":27}}"},
    {"block", BOX("1", "5") ",\"weave\":{\"block\":{\"cell\":0.25}}",
     BOX("0.2", "2") ",\"weave\":{\"block\":{\"cell\":0.1}}"},
    {"shell", BOX("1", "5") ",\"weave\":{\"shell\":{\"layers\":2,\"thickness\":0.05}}",
     BOX("0.2", "2") ",\"weave\":{\"shell\":{\"layers\":1,\"thickness\":0.02}}"},
    {"filled", BOX("1", "5") ",\"fill\":0.2,\"material\":{\"stiffness\":300}",
     BOX("0.2", "2") ",\"fill\":0.1,\"material\":{\"stiffness\":300}"},
    {"cubes", BOX("1", "5") ",\"fill\":0.2,\"clusters\":{\"cubes\":{\"edge\":0.6}},\"material\":{\"stiffness\":300}",
     BOX("0.2", "2") ",\"fill\":0.1,\"material\":{\"stiffness\":300}"},
    {"lattice", BOX("1", "5") ",\"fill\":0.2,\"skin\":\"clusters\",\"clusters\":{\"lattice\":{\"reach\":1}},\"material\":{\"stiffness\":300}",
     BOX("0.2", "2") ",\"fill\":0.05,\"skin\":\"clusters\",\"clusters\":{\"lattice\":{\"reach\":1}},\"material\":{\"stiffness\":300}"},
    {"hollow", BOX("1", "5") ",\"material\":{\"stiffness\":300}",
     BOX("0.2", "2") ",\"material\":{\"stiffness\":300}"},
    {"cloud", "\"shape\":{\"mesh\":{\"file\":\"cloud.obj\"}},\"mass\":1000,\"material\":{\"stiffness\":300}",
     "\"shape\":{\"mesh\":{\"file\":\"cloud.obj\"}},\"mass\":8,\"scale\":0.2,\"material\":{\"stiffness\":300}"},
    {"fit", BOX("1", "5") ",\"fit\":{\"inside\":{\"count\":150}}", BOX("0.2", "2") ",\"fit\":{\"inside\":{\"count\":20}}"},
    {"balloon", BOX("1", "5") ",\"weave\":{\"mesh\":{\"young\":4000,\"density\":20,\"struts\":{\"stiffness\":400}}}",
     BOX("0.2", "2") ",\"weave\":{\"mesh\":{\"young\":4000,\"density\":20,\"struts\":{\"stiffness\":400}}}"},
    {"cloth", "\"shape\":{\"grid\":{\"size\":[1,1],\"segments\":[20,20]}},\"weave\":\"cloth\"",
     "\"shape\":{\"grid\":{\"size\":[0.2,0.2],\"segments\":[4,4]}},\"weave\":\"cloth\""},
    {"thin cloth", "\"shape\":{\"grid\":{\"size\":[1,1],\"segments\":[20,20]}},\"weave\":\"cloth\",\"springs\":{\"meet_itself\":true}",
     "\"shape\":{\"grid\":{\"size\":[0.2,0.2],\"segments\":[4,4]}},\"weave\":\"cloth\",\"springs\":{\"meet_itself\":true}"},
    {"rope", "\"shape\":{\"rope\":{\"from\":[-0.5,0,0],\"to\":[0.5,0,0],\"segments\":20}},\"weave\":\"rope\"",
     "\"shape\":{\"rope\":{\"from\":[-0.1,0,0],\"to\":[0.1,0,0],\"segments\":4}},\"weave\":\"rope\""},
    {"chain", "\"shape\":{\"rope\":{\"from\":[-0.5,0,0],\"to\":[0.5,0,0],\"segments\":20}},\"fit\":\"chain\"",
     "\"shape\":{\"rope\":{\"from\":[-0.1,0,0],\"to\":[0.1,0,0],\"segments\":4}},\"fit\":\"chain\""},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void write_cloud(const char* folder) {
    char path[600];
    snprintf(path, sizeof path, "%s/cloud.obj", folder);
    FILE* f = fopen(path, "w");
    for (int i = 0; i < 216; i++)
        fprintf(f, "v %g %g %g\n", i % 6 * 0.2 - 0.5, i / 6 % 6 * 0.2 - 0.5, i / 36 * 0.2 - 0.5);
    fclose(f);
}

static void read_middle(const sup_world* world, sup_body body, double at[3], double v[3]) {
    swarm s = read_swarm(world, body);
    const sup_blueprint* print = sup_body_blueprint(world, body);
    double sum = 0;
    for (int k = 0; k < 3; k++) at[k] = v[k] = 0;
    for (int32_t i = 0; i < s.count; i++) {
        double m = (double)sup_blueprint_get_particle(print, i).mass;
        const double p[3] = {s.x[i].x, s.x[i].y, s.x[i].z};
        const double u[3] = {(double)s.v[i].x, (double)s.v[i].y, (double)s.v[i].z};
        for (int k = 0; k < 3; k++) at[k] += m * p[k], v[k] += m * u[k];
        sum += m;
    }
    for (int k = 0; k < 3; k++) at[k] /= sum, v[k] /= sum;
    free_swarm(&s);
}

static void explore(void** state) {
    (void)state;
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    const char* only = getenv("ONLY");
    double beside = getenv("BESIDE") ? atof(getenv("BESIDE")) : 0.02;
    int substeps = getenv("SUBSTEPS") ? atoi(getenv("SUBSTEPS")) : 4;
    write_cloud(folder);
    for (int a = 0; a < KINDS; a++) {
        for (int b = 0; b < KINDS; b++) {
            char text[4000], path[600];
            if (only && !strstr(only, kinds[a].name)) continue;
            if (getenv("SMALL") && !strstr(getenv("SMALL"), kinds[b].name)) continue;
            snprintf(path, sizeof path, "%s/kinds.json", folder);
            snprintf(text, sizeof text,
                     "{\"version\":1,\"gravity\":[0,0,0],\"substeps\":%d,\"sleep\":{\"speed\":0},\"bodies\":[{%s},{%s,"
                     "\"position\":[%g,0,0]}]}",
                     substeps, kinds[a].large, kinds[b].small, beside);
            sup_scene* scene;
            sup_error error = {0};
            if (sup_scene_parse(NULL, path, (const uint8_t*)text, strlen(text), &scene, &error) != SUP_OK) {
                print_message("%-14s %-14s %s\n", kinds[a].name, kinds[b].name, error.text);
                continue;
            }
            sup_world* world = sup_scene_world(scene);
            sup_body one = sup_scene_get_body(scene, 1, NULL), two = sup_scene_get_body(scene, 0, NULL);
            double last = 0, fastest = 0, p[3], q[3], u[3], v[3];
            int first = -1;
            for (int s = 0; s < 120; s++) {
                assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
                int32_t n;
                const sup_meeting* m = sup_world_meetings(world, &n);
                if (first < 0) first = n ? m[0].contact_count : 0;
                if (n > 0) last = (s + 1) / 60.0;
                if (s > 30 && s * 1.0 / 60 - last > 0.7) break;
                read_middle(world, one, p, u);
                read_middle(world, two, q, v);
                double speed = sqrt(pow(u[0] - v[0], 2) + pow(u[1] - v[1], 2) + pow(u[2] - v[2], 2));
                fastest = fmax(fastest, speed);
            }
            double d = sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
            print_message("%-14s %-14s %4d at first, last %.2f s, fastest %6.2f m/s, apart %.2f m %s\n", kinds[a].name,
                          kinds[b].name, first, last, fastest, d, d < 0.5 || last > 1.9 || fastest > 5 ? "BAD" : "");
            sup_scene_free(scene);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(explore)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
