/* Room for what acts on a body of springs beside them: which triangles and tetrahedra it has. */
#include "base/error.h"
#include "base/memory.h"
#include "geom/sort.h"
#include "geom/vector.h"
#include "solve/pieces.h"
#include "world/spring_forces.h"

#include <math.h>

static bool has_surface(const sup_blueprint* print) {
    return print->skin.count == 0 && print->info.polygon_count > 0;
}

static sup_result refuse(sup_error* error, const char* why) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why);
}

sup_result supi_spring_forces_check(const sup_spring_settings* s, const sup_blueprint* print,
                                    sup_error* error) {
    if (print->spring_count == 0) return SUP_OK;
    if ((s->solid.area > 0.0 || s->solid.bend > 0.0) && !has_surface(print)) {
        return refuse(error, "springs.solid.area and bend need a drawn surface of particles");
    }
    if (s->solid.volume > 0.0 && print->tet_count == 0) {
        return refuse(error, "springs.solid.volume needs tetrahedra in the blueprint");
    }
    if (s->pressure.inside > 0.0 && !(has_surface(print) && print->info.volume > 0.0)) {
        return refuse(error,
                      "pressure needs a closed surface of particles: gas would leave through "
                      "the boundary of this one");
    }
    if (!(s->anchor.frequency > 0.0)) return SUP_OK;
    if (!print->loose) return refuse(error, "anchors are for bodies of springs alone");
    if (s->anchor.frame == SUP_ANCHOR_FITTED && print->pin_count > 0) {
        return refuse(error,
                      "a body with pins has anchors in a fixed frame: pins hold it in place");
    }
    return SUP_OK;
}

/* ---- Triangles ---- */

/* Fans of the polygons; those that welding has closed are none. Counts where `rows` is NULL. */
static int32_t cut_fans(const sup_blueprint* print, int32_t* rows) {
    int32_t count = 0;
    for (int32_t p = 0; has_surface(print) && p < print->info.polygon_count; p++) {
        const int32_t* corner = print->corners + print->starts[p];
        for (int32_t i = 1; i + 1 < print->starts[p + 1] - print->starts[p]; i++) {
            int32_t a = print->vertex_rows[corner[0]], b = print->vertex_rows[corner[i]],
                    c = print->vertex_rows[corner[i + 1]];
            if (a == b || b == c || c == a) continue;
            if (rows) {
                int32_t* face = rows + SUPI_PATCH_CORNERS * count;
                face[0] = a;
                face[1] = b;
                face[2] = c;
                face[3] = -1;
            }
            count++;
        }
    }
    return count;
}

static bool make_faces(const sup_blueprint* print, supi_arena* arena, supi_patches* out) {
    if (!supi_patches_make(arena, cut_fans(print, NULL), out)) return false;
    cut_fans(print, out->rows);
    return supi_patches_sort(arena, print->row_count, out);
}

/* Each face has its share of the mass of its corners. */
static bool share_masses(const sup_blueprint* print, supi_spring_forces* own) {
    const supi_patches* faces = &own->faces;
    own->masses = supi_arena_push(&own->arena, (size_t)faces->count, sizeof *own->masses);
    if (!own->masses) return false;
    for (int32_t f = 0; f < faces->count; f++) {
        float mass = 0.0f;
        for (int32_t k = 0; k < 3; k++) {
            int32_t row = faces->rows[SUPI_PATCH_CORNERS * f + k];
            mass += print->mass[row] / (float)(faces->starts[row + 1] - faces->starts[row]);
        }
        own->masses[f] = mass;
    }
    return true;
}

/* ---- What keeps its size ---- */

/* Two triangles side by side, as tetrahedra; counts where `rows` is NULL. False: no memory. */
static bool find_pairs(const sup_blueprint* print, const supi_patches* faces, supi_arena* scratch,
                       int32_t* count, int32_t* rows) {
    int32_t sides = 3 * faces->count;
    uint64_t* keys = supi_arena_push(scratch, 2 * (size_t)sides, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, 2 * (size_t)sides, sizeof *ids);
    if (!keys || !ids) return false;
    for (int32_t i = 0; i < sides; i++) {
        const int32_t* face = faces->rows + SUPI_PATCH_CORNERS * (i / 3);
        int32_t a = face[(i + 1) % 3], b = face[(i + 2) % 3];
        keys[i] =
            (uint64_t)(a < b ? a : b) * (uint64_t)print->row_count + (uint64_t)(a < b ? b : a);
        ids[i] = i;
    }
    supi_sort_keys(sides, keys, ids, keys + sides, ids + sides);
    *count = 0;
    for (int32_t i = 0, next; i < sides; i = next) {
        for (next = i + 1; next < sides && keys[next] == keys[i];) next++;
        if (next - i != 2) continue;
        const int32_t *one = faces->rows + SUPI_PATCH_CORNERS * (ids[i] / 3),
                      *other = faces->rows + SUPI_PATCH_CORNERS * (ids[i + 1] / 3);
        int32_t ends[2] = {one[(ids[i] + 1) % 3], one[(ids[i] + 2) % 3]};
        int32_t tips[2] = {one[ids[i] % 3], other[ids[i + 1] % 3]};
        if (tips[0] == tips[1]) continue;
        if (rows) {
            int32_t* pair = rows + SUPI_PATCH_CORNERS * *count;
            pair[0] = ends[0];
            pair[1] = ends[1];
            pair[2] = tips[0];
            pair[3] = tips[1];
        }
        ++*count;
    }
    return true;
}

static double distance(const sup_row* a, const sup_row* b) {
    const double d[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                         (double)b->z - (double)a->z};
    return supi_vector_length(d);
}

/* m^3: the volume of a regular tetrahedron with the mean edge of a pair of triangles, which has
   none of its own where it is flat. */
static double pair_volume(const int32_t* pair, const sup_row* rest) {
    double edges = distance(rest + pair[0], rest + pair[1]);
    for (int k = 0; k < 4; k++) edges += distance(rest + pair[k & 1], rest + pair[2 + (k >> 1)]);
    double mean = edges / 5.0;
    return 0.11785113019775793 * mean * mean * mean; /* sqrt(2) / 12 */
}

/* Which elements of a body keep their size: how many, and how much by. */
typedef struct kinds {
    int32_t areas, tets, pairs;
} kinds;

static void set_volume(supi_volumes* v, int32_t e, const sup_row* rest, double stiffness,
                       double norm) {
    double size = supi_volumes_size(v->patches.rows + SUPI_PATCH_CORNERS * e, rest);
    double by = norm > 0.0 ? norm * norm : fabs(size);
    v->own[e] = (supi_volume){(float)size, by > 0.0 ? (float)sqrt(stiffness / by) : 0.0f};
}

static bool fill_volumes(const sup_spring_solid* solid, const sup_blueprint* print, kinds has,
                         const sup_row* rest, supi_arena* scratch, supi_spring_forces* own) {
    supi_volumes* v = &own->volumes;
    const int32_t* faces = own->faces.rows;
    int32_t* rows = v->patches.rows;
    int32_t first_pair = has.areas + has.tets, found;
    for (int32_t i = 0; i < SUPI_PATCH_CORNERS * has.areas; i++) rows[i] = faces[i];
    for (int32_t i = 0; i < SUPI_PATCH_CORNERS * has.tets; i++) {
        rows[SUPI_PATCH_CORNERS * has.areas + i] = print->tets[i];
    }
    if (has.pairs > 0 &&
        !find_pairs(print, &own->faces, scratch, &found, rows + SUPI_PATCH_CORNERS * first_pair)) {
        return false;
    }
    for (int32_t e = 0; e < v->patches.count; e++) {
        if (e < first_pair) {
            set_volume(v, e, rest, e < has.areas ? solid->area : solid->volume, 0.0);
        } else {
            set_volume(v, e, rest, solid->bend, pair_volume(rows + SUPI_PATCH_CORNERS * e, rest));
        }
    }
    return true;
}

static bool make_volumes(const sup_spring_solid* solid, const sup_blueprint* print,
                         const sup_row* rest, supi_arena* scratch, supi_spring_forces* own) {
    supi_volumes* v = &own->volumes;
    kinds has = {.areas = solid->area > 0.0 ? own->faces.count : 0,
                 .tets = solid->volume > 0.0 ? print->tet_count : 0};
    if (solid->bend > 0.0 && !find_pairs(print, &own->faces, scratch, &has.pairs, NULL)) {
        return false;
    }
    int32_t count = has.areas + has.tets + has.pairs;
    if (count == 0) return true;
    v->own = supi_arena_push(&own->arena, (size_t)count, sizeof *v->own);
    v->gradients =
        supi_arena_push(&own->arena, SUPI_PATCH_CORNERS * (size_t)count, sizeof *v->gradients);
    v->weights = supi_arena_push(&own->arena, (size_t)count, sizeof *v->weights);
    return v->own && v->gradients && v->weights &&
           supi_patches_make(&own->arena, count, &v->patches) &&
           fill_volumes(solid, print, has, rest, scratch, own) &&
           supi_patches_sort(&own->arena, print->row_count, &v->patches);
}

/* ---- All of it ---- */

/* Rest places as rows; NULL: no memory. */
static sup_row* rest_rows(const sup_blueprint* print, supi_arena* scratch) {
    sup_row* rest = supi_arena_push(scratch, (size_t)print->info.particle_count, sizeof *rest);
    for (int32_t r = 0; rest && r < print->info.particle_count; r++) {
        rest[r] = (sup_row){print->rest[r].x, print->rest[r].y, print->rest[r].z, 0.0f};
    }
    return rest;
}

static void find_rest_centre(const sup_blueprint* print, supi_spring_forces* own) {
    double mass = 0.0, sum[3] = {0, 0, 0};
    for (int32_t r = 0; r < print->info.particle_count; r++) {
        if (!(print->inverse_mass[r] > 0.0f)) continue;
        double m = 1.0 / (double)print->inverse_mass[r], at[3];
        supi_vector_from(print->rest + r, at);
        mass += m;
        for (int k = 0; k < 3; k++) sum[k] += m * at[k];
    }
    for (int k = 0; k < 3; k++) own->rest_centre[k] = mass > 0.0 ? sum[k] / mass : 0.0;
}

/* What a body needs room for. */
typedef struct needs {
    bool wind, gas, solid, anchor;
} needs;

static needs needs_of(const sup_wind* wind, const sup_spring_settings* s,
                      const sup_blueprint* print) {
    return (needs){
        .wind = wind->density > 0.0 && (s->air.across > 0.0 || s->air.along > 0.0) &&
                has_surface(print) && !print->can_tear, /* triangles change their corners */
        .gas = s->pressure.inside > 0.0,
        .solid = s->solid.area > 0.0 || s->solid.volume > 0.0 || s->solid.bend > 0.0,
        .anchor = s->anchor.frequency > 0.0,
    };
}

static bool fill(const sup_spring_settings* s, const sup_blueprint* print, const needs* need,
                 supi_arena* scratch, supi_spring_forces* own) {
    supi_arena* arena = &own->arena;
    size_t rows = (size_t)print->row_count;
    const sup_row* rest = rest_rows(print, scratch);
    if (!rest || !make_faces(print, arena, &own->faces) || !share_masses(print, own)) return false;
    if (need->solid && !make_volumes(&s->solid, print, rest, scratch, own)) return false;
    if (!need->wind && !need->gas) own->faces.count = 0;
    size_t faces = (size_t)own->faces.count, most = faces > rows ? faces : rows;
    size_t volumes = (size_t)own->volumes.patches.count;
    most = volumes > most ? volumes : most;
    own->areas = supi_arena_push(arena, faces, sizeof *own->areas);
    own->pushes = supi_arena_push(arena, faces, sizeof *own->pushes);
    own->parts =
        supi_arena_push(arena, (size_t)supi_piece_count((int32_t)most), sizeof *own->parts);
    own->sums =
        supi_arena_push(arena, (size_t)supi_piece_count(print->row_count), sizeof *own->sums);
    if (!own->areas || !own->pushes || !own->parts || !own->sums) return false;
    if (need->gas) {
        own->swell = supi_arena_push(arena, rows, sizeof *own->swell);
        if (!own->swell) return false;
        own->rest_volume = supi_pressure_areas(&own->faces, 0, own->faces.count, rest, own->areas);
    }
    if (!need->anchor) return true;
    find_rest_centre(print, own);
    own->held = print->held;
    own->holds = supi_arena_push(arena, rows, sizeof *own->holds);
    return own->holds != NULL;
}

bool supi_spring_forces_make(const sup_world* world, const sup_wind* wind,
                             const sup_spring_settings* settings, const sup_blueprint* print,
                             supi_spring_forces** out) {
    needs need = needs_of(wind, settings, print);
    *out = NULL;
    if (print->spring_count == 0 || !(need.wind || need.gas || need.solid || need.anchor)) {
        return true;
    }
    supi_spring_forces* own = supi_memory_new(world->allocator, 1, sizeof *own);
    if (!own) return false;
    supi_arena scratch;
    supi_arena_init(&own->arena, world->allocator);
    supi_arena_init(&scratch, world->allocator);
    bool made = fill(settings, print, &need, &scratch, own);
    supi_arena_free(&scratch);
    if (made)
        *out = own;
    else
        supi_spring_forces_free(world, own);
    return made;
}

void supi_spring_forces_free(const sup_world* world, supi_spring_forces* own) {
    if (!own) return;
    supi_arena_free(&own->arena);
    supi_memory_free(world->allocator, own, 1, sizeof *own);
}
