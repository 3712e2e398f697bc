/* One body of each kind, and scenes of two of them. */
#ifndef SUPPLE_TESTS_WORLD_KINDS_H
#define SUPPLE_TESTS_WORLD_KINDS_H

#include "supple/scene.h"
#include "world/world.h"
#include "world/yard.h"

#include <stdio.h>
#include <unistd.h>

typedef enum sort { FULL, HOLLOW, OPEN } sort;

typedef struct kind {
    const char* name;
    sort sort;
    const char* large; /* 1 m */
    const char* small; /* 0.2 m */
} kind;

#define BOX_1 "'shape':{'box':{'size':[1,1,1],'segments':[5,5,5]}},"
#define BOX_02 "'shape':{'box':{'size':[0.2,0.2,0.2],'segments':[2,2,2]}},"
#define SHEET_1 "'shape':{'grid':{'size':[1,1],'segments':[20,20]}},'weave':'cloth'"
#define SHEET_02 "'shape':{'grid':{'size':[0.2,0.2],'segments':[4,4]}},'weave':'cloth'"
#define ROPE_1 "'shape':{'rope':{'from':[-0.5,0,0],'to':[0.5,0,0],'segments':20}},"
#define ROPE_02 "'shape':{'rope':{'from':[-0.1,0,0],'to':[0.1,0,0],'segments':4}},"
#define STIFF ",'material':{'stiffness':200}"
#define PIPE "'weave':{'mesh':{'young':4000,'density':20,'struts':{'stiffness':400}}}"

static const kind kinds[] = {
    {"solid of clusters", FULL, BOX_1 "'solid':{'clusters':{'cell':0.25}}" STIFF,
     BOX_02 "'solid':{'clusters':{'cell':0.1}}" STIFF},
    {"solid of springs", FULL, BOX_1 "'solid':{'springs':{'cell':0.25}}",
     BOX_02 "'solid':{'springs':{'cell':0.1}}"},
    {"solid of frames", FULL, BOX_1 "'solid':{'frames':{'cell':0.25,'particles':150}}",
     BOX_02 "'solid':{'frames':{'cell':0.1,'particles':27}}"},
    {"block", FULL, BOX_1 "'weave':{'block':{'cell':0.25}}",
     BOX_02 "'weave':{'block':{'cell':0.1}}"},
    {"hexes", FULL, BOX_1 "'weave':{'hexes':{'cell':0.25}}",
     BOX_02 "'weave':{'hexes':{'cell':0.1}}"},
    {"cluster", FULL, BOX_1 "'fill':0.2" STIFF, BOX_02 "'fill':0.1" STIFF},
    {"cubes", FULL, BOX_1 "'fill':0.2,'clusters':{'cubes':{'edge':0.6}}" STIFF,
     "'shape':{'box':{'size':[0.2,0.2,0.2],'segments':[4,4,4]}},"
     "'fill':0.05,'clusters':{'cubes':{'edge':0.15}}" STIFF},
    {"lattice", FULL, BOX_1 "'fill':0.2,'skin':'clusters','clusters':'lattice'" STIFF,
     BOX_02 "'fill':0.05,'skin':'clusters','clusters':'lattice'" STIFF},
    {"cloud", FULL, "'shape':{'mesh':{'file':'cloud.obj'}},'mass':1000" STIFF,
     "'shape':{'mesh':{'file':'cloud.obj'}},'scale':0.2,'mass':8" STIFF},
    {"frames", FULL, BOX_1 "'fit':{'inside':{'count':150}}",
     BOX_02 "'fit':{'inside':{'count':20}}"},
    {"shell", HOLLOW, BOX_1 "'weave':{'shell':{'layers':2,'thickness':0.05}}",
     BOX_02 "'weave':{'shell':{'layers':1,'thickness':0.02}}"},
    {"hollow cluster", HOLLOW, BOX_1 "'density':1000" STIFF, BOX_02 "'density':1000" STIFF},
    {"springs with struts", HOLLOW, BOX_1 PIPE, BOX_02 PIPE},
    {"cloth", OPEN, SHEET_1, SHEET_02},
    {"thin cloth", OPEN, SHEET_1 ",'springs':{'meet_itself':true}",
     SHEET_02 ",'springs':{'meet_itself':true}"},
    {"rope", OPEN, ROPE_1 "'weave':{'rope':{'density':1}}",
     ROPE_02 "'weave':{'rope':{'density':1}}"},
    {"chain", OPEN, ROPE_1 "'fit':'chain'", ROPE_02 "'fit':'chain'"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A lattice of bare points; other tests may read the file while it is written anew. */
static const char* output_folder(void) {
    static char path[600];
    char own[600];
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    snprintf(path, sizeof path, "%s/cloud.obj", folder ? folder : ".");
    snprintf(own, sizeof own, "%s/cloud%ld.obj", folder ? folder : ".", (long)getpid());
    FILE* f = fopen(own, "w");
    assert_non_null(f);
    for (int i = 0; i < 216; i++) {
        fprintf(f, "v %g %g %g\n", i % 6 * 0.2 - 0.5, i / 6 % 6 * 0.2 - 0.5, i / 36 * 0.2 - 0.5);
    }
    fclose(f);
    assert_int_equal(rename(own, path), 0);
    snprintf(path, sizeof path, "%s/kinds.json", folder ? folder : ".");
    return path;
}

/* Bodies in a world with some more keys; ' stands for ". */
static sup_scene* make_scene_with(const char* keys, const char* bodies, int32_t substeps,
                                  const sup_scene_options* options) {
    char text[8000];
    sup_scene* scene;
    sup_error error = {0};
    int32_t size = snprintf(text, sizeof text,
                            "{'version':1,%s,'substeps':%d,'sleep':{'speed':0},'bodies':[%s]}",
                            keys, (int)substeps, bodies);
    assert_in_range(size, 1, sizeof text - 1);
    for (char* c = text; *c; c++) *c = *c == '\'' ? '"' : *c;
    assert_ok(sup_scene_parse(options, output_folder(), (const uint8_t*)text, (size_t)size, &scene,
                              &error),
              error);
    return scene;
}

/* Bodies without gravity. */
static inline sup_scene* make_scene(const char* bodies, int32_t substeps,
                                    const sup_scene_options* options) {
    return make_scene_with("'gravity':[0,0,0]", bodies, substeps, options);
}

static inline void read_middle(const sup_world* world, sup_body body, double at[3], double v[3]) {
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

#endif
