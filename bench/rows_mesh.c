/* Rows about volume meshes: a surface of 110,000 triangles becomes 50,000 tetrahedra, beside the
   3 s that somebody may wait for it. */
#include "bench.h"
#include "supple/tets.h"

#include <stdio.h>

enum { TETS = 50000, REPEATS = 3 };
#define SECONDS_MOST 3.0

typedef struct filling {
    sup_mesh surface;
    sup_tets_method method;
    int32_t made; /* tetrahedra */
} filling;

static bool fill(void* state) {
    filling* own = state;
    sup_tets_def def = sup_tets_default();
    sup_error error;
    sup_tets tets;
    def.method = own->method;
    def.count = TETS;
    if (sup_tets_create(NULL, &own->surface, &def, &tets, NULL, &error) != SUP_OK) {
        fprintf(stderr, "supple_bench: %s\n", error.text);
        return false;
    }
    own->made = tets.tet_count;
    sup_tets_free(&tets);
    return true;
}

static bool measure(const bench_row* row, bench_figures* out) {
    filling own = {.method = *(const sup_tets_method*)row->detail};
    bench_subject subject = {.state = &own, .step = fill, .steps = 1};
    if (sup_mesh_model(NULL, SUP_MODEL_LIONFISH, 2.0, &own.surface, NULL) != SUP_OK) return false;
    bool done = bench_time_work(&subject, 1, row->repeats, &out->value);
    out->reference = SECONDS_MOST;
    snprintf(out->note, sizeof out->note, "%d triangles, %d tetrahedra",
             (int)own.surface.polygon_count, (int)own.made);
    sup_mesh_free(&own.surface);
    if (own.made > 0.8 * TETS && own.made < 1.2 * TETS) return done;
    fprintf(stderr, "supple_bench: %s: %d tetrahedra are not about %d\n", row->name, (int)own.made,
            TETS);
    return false;
}

static const sup_tets_method stuff = SUP_TETS_STUFF, cage = SUP_TETS_CAGE;

static const bench_row rows[] = {
    {.name = "mesh.stuff",
     .about = "a lionfish filled with 50,000 tetrahedra that end at its surface",
     .unit = "s",
     .reference = "limit",
     .floor = 1,
     .threads = 1,
     .measure = measure,
     .detail = &stuff,
     .repeats = REPEATS},
    {.name = "mesh.cage",
     .about = "the same in a cage",
     .unit = "s",
     .reference = "limit",
     .floor = 1,
     .threads = 1,
     .measure = measure,
     .detail = &cage,
     .repeats = REPEATS},
};

const bench_row* bench_rows_mesh(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
