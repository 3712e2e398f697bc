/* Room for what acts on a body of springs beside them: which triangles and tetrahedra it has, now
   and when it has torn or been cut otherwise. */
#include "base/error.h"
#include "base/memory.h"
#include "geom/sort.h"
#include "geom/vector.h"
#include "solve/pieces.h"
#include "world/spring_forces.h"
#include "world/tear.h"

#include <math.h>

/* Does the drawn surface hang on tetrahedra? Then their outside is what air and gas push. */
static bool is_hung(const sup_blueprint* print) { return print->info.skin == SUP_SKIN_TETS; }

static bool has_surface(const sup_blueprint* print) {
    return is_hung(print) || (print->skin.count == 0 && print->info.polygon_count > 0);
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
    if (s->solid.volume > 0.0 && print->solid.tet_count == 0) {
        return refuse(error, "springs.solid.volume needs tetrahedra in the blueprint");
    }
    if (s->pressure.inside > 0.0 && !(has_surface(print) && print->info.volume > 0.0)) {
        return refuse(error,
                      "pressure needs a closed surface of particles: gas would leave through "
                      "the boundary of this one");
    }
    if (s->yield.strain > 0.0 && print->refine.levels > 0) {
        return refuse(error, "springs.yield is for cloth that is not refined");
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

/* The outside of tetrahedra. Counts where `rows` is NULL. */
static int32_t take_outside(const supi_tet_mesh* solid, int32_t* rows) {
    for (int32_t i = 0; rows && i < solid->triangle_count; i++) {
        int32_t* face = rows + SUPI_PATCH_CORNERS * i;
        for (int k = 0; k < 3; k++) face[k] = solid->triangles[3 * i + k];
        face[3] = -1;
    }
    return solid->triangle_count;
}

/* Fans of the polygons; those that welding has closed are none, torn or not. Counts where `rows` is
   NULL. */
static int32_t cut_fans(const sup_blueprint* print, const int32_t* row_of, int32_t* rows) {
    int32_t count = 0;
    if (is_hung(print)) return take_outside(&print->solid, rows);
    for (int32_t p = 0; has_surface(print) && p < print->info.polygon_count; p++) {
        const int32_t* corner = print->corners + print->starts[p];
        for (int32_t i = 1; i + 1 < print->starts[p + 1] - print->starts[p]; i++) {
            const int32_t ends[3] = {corner[0], corner[i], corner[i + 1]};
            int32_t a = print->vertex_rows[ends[0]], b = print->vertex_rows[ends[1]],
                    c = print->vertex_rows[ends[2]];
            if (a == b || b == c || c == a) continue;
            if (rows) {
                int32_t* face = rows + SUPI_PATCH_CORNERS * count;
                for (int k = 0; k < 3; k++) face[k] = row_of[ends[k]];
                face[3] = -1;
            }
            count++;
        }
    }
    return count;
}

/* How many there can be. */
static int32_t most_faces(const sup_blueprint* print) {
    bool cut = has_surface(print) && print->refine.levels > 0;
    return cut ? 2 * supi_refine_cell_count(&print->refine) : cut_fans(print, NULL, NULL);
}

/* Each face has its share of the mass of its corners. */
static void share_masses(const float* mass, const supi_patches* faces, float* masses) {
    for (int32_t f = 0; f < faces->count; f++) {
        masses[f] = 0.0f;
        for (int32_t k = 0; k < 3; k++) {
            int32_t row = faces->rows[SUPI_PATCH_CORNERS * f + k];
            masses[f] += mass[row] / (float)(faces->starts[row + 1] - faces->starts[row]);
        }
    }
}

/* The faces of the surface as it is torn or cut now. */
static void lay_faces(const supi_body* body, supi_spring_forces* own) {
    supi_patches* faces = &own->faces;
    const supi_refine* cuts = body->elastic->cuts;
    if (cuts && own->face_room > 0) {
        faces->count = supi_refine_faces(&body->blueprint->refine, cuts, faces->rows, own->masses);
        supi_patches_sort(faces);
        return;
    }
    faces->count = cut_fans(body->blueprint, supi_tear_vertex_rows(body), faces->rows);
    supi_patches_sort(faces);
    share_masses(supi_tear_masses(body), faces, own->masses);
}

/* ---- What keeps its size ---- */

/* Two triangles side by side, as tetrahedra; returns how many. */
static int32_t find_pairs(const supi_spring_forces* own, int32_t row_count, int32_t* rows) {
    const supi_patches* faces = &own->faces;
    int32_t sides = 3 * faces->count, count = 0, *ids = own->ids;
    uint64_t* keys = own->keys;
    for (int32_t i = 0; i < sides; i++) {
        const int32_t* face = faces->rows + SUPI_PATCH_CORNERS * (i / 3);
        int32_t a = face[(i + 1) % 3], b = face[(i + 2) % 3];
        keys[i] = (uint64_t)(a < b ? a : b) * (uint64_t)row_count + (uint64_t)(a < b ? b : a);
        ids[i] = i;
    }
    supi_sort_keys(sides, keys, ids, keys + sides, ids + sides);
    for (int32_t i = 0, next; i < sides; i = next) {
        for (next = i + 1; next < sides && keys[next] == keys[i];) next++;
        if (next - i != 2) continue;
        const int32_t *one = faces->rows + SUPI_PATCH_CORNERS * (ids[i] / 3),
                      *other = faces->rows + SUPI_PATCH_CORNERS * (ids[i + 1] / 3);
        int32_t tips[2] = {one[ids[i] % 3], other[ids[i + 1] % 3]};
        if (tips[0] == tips[1]) continue;
        int32_t* pair = rows + SUPI_PATCH_CORNERS * count++;
        pair[0] = one[(ids[i] + 1) % 3];
        pair[1] = one[(ids[i] + 2) % 3];
        pair[2] = tips[0];
        pair[3] = tips[1];
    }
    return count;
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

static void set_volume(supi_volumes* v, int32_t e, const sup_row* rest, double stiffness,
                       double norm) {
    double size = supi_volumes_size(v->patches.rows + SUPI_PATCH_CORNERS * e, rest);
    double by = norm > 0.0 ? norm * norm : fabs(size);
    v->own[e] = (supi_volume){(float)size, by > 0.0 ? (float)sqrt(stiffness / by) : 0.0f};
}

/* The elements of the faces as they are. */
static void lay_volumes(const sup_blueprint* print, supi_spring_forces* own) {
    const sup_spring_solid* solid = &own->solid;
    supi_volumes* v = &own->volumes;
    int32_t* rows = v->patches.rows;
    int32_t areas = solid->area > 0.0 ? own->faces.count : 0;
    int32_t tets = solid->volume > 0.0 ? print->solid.tet_count : 0, first_pair = areas + tets;
    if (!rows) return;
    for (int32_t i = 0; i < SUPI_PATCH_CORNERS * areas; i++) rows[i] = own->faces.rows[i];
    for (int32_t i = 0; i < SUPI_PATCH_CORNERS * tets; i++) {
        rows[SUPI_PATCH_CORNERS * areas + i] = print->solid.tets[i];
    }
    v->patches.count = first_pair;
    if (solid->bend > 0.0) {
        v->patches.count +=
            find_pairs(own, print->row_count, rows + SUPI_PATCH_CORNERS * first_pair);
    }
    for (int32_t e = 0; e < v->patches.count; e++) {
        double norm = e < first_pair ? 0.0 : pair_volume(rows + SUPI_PATCH_CORNERS * e, own->rest);
        double stiffness = e < areas ? solid->area : e < first_pair ? solid->volume : solid->bend;
        set_volume(v, e, own->rest, stiffness, norm);
    }
    supi_patches_sort(&v->patches);
}

/* Room for them. Each edge of the faces joins a pair at most. */
static bool make_volumes(const sup_blueprint* print, supi_spring_forces* own) {
    const sup_spring_solid* solid = &own->solid;
    supi_volumes* v = &own->volumes;
    supi_arena* arena = &own->arena;
    int64_t faces = own->face_room, count = solid->area > 0.0 ? faces : 0;
    if (solid->volume > 0.0) count += print->solid.tet_count;
    if (solid->bend > 0.0) {
        count += 3 * faces / 2;
        own->keys = supi_arena_push(arena, 6 * (size_t)faces, sizeof *own->keys);
        own->ids = supi_arena_push(arena, 6 * (size_t)faces, sizeof *own->ids);
        if (!own->keys || !own->ids) return false;
    }
    if (count == 0) return true;
    if (count > INT32_MAX) return false;
    v->own = supi_arena_push(arena, (size_t)count, sizeof *v->own);
    v->gradients = supi_arena_push(arena, SUPI_PATCH_CORNERS * (size_t)count, sizeof(sup_row));
    v->weights = supi_arena_push(arena, (size_t)count, sizeof *v->weights);
    return v->own && v->gradients && v->weights &&
           supi_patches_make(arena, (int32_t)count, print->row_count, &v->patches);
}

/* ---- All of it ---- */

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
                has_surface(print),
        .gas = s->pressure.inside > 0.0,
        .solid = s->solid.area > 0.0 || s->solid.volume > 0.0 || s->solid.bend > 0.0,
        .anchor = s->anchor.frequency > 0.0,
    };
}

static bool push_rooms(const sup_blueprint* print, const needs* need, supi_spring_forces* own) {
    supi_arena* arena = &own->arena;
    size_t rows = (size_t)print->row_count, faces = (size_t)own->face_room;
    if (!supi_patches_make(arena, own->face_room, print->row_count, &own->faces)) return false;
    if (need->solid && !make_volumes(print, own)) return false;
    size_t most = faces > rows ? faces : rows, volumes = (size_t)own->volumes.patches.count;
    most = volumes > most ? volumes : most;
    own->masses = supi_arena_push(arena, faces, sizeof *own->masses);
    own->rest = supi_arena_push(arena, rows, sizeof *own->rest);
    own->areas = supi_arena_push(arena, faces, sizeof *own->areas);
    own->pushes = supi_arena_push(arena, faces, sizeof *own->pushes);
    own->parts =
        supi_arena_push(arena, (size_t)supi_piece_count((int32_t)most), sizeof *own->parts);
    own->sums =
        supi_arena_push(arena, (size_t)supi_piece_count(print->row_count), sizeof *own->sums);
    if (need->gas) own->swell = supi_arena_push(arena, rows, sizeof *own->swell);
    if (need->anchor) own->holds = supi_arena_push(arena, rows, sizeof *own->holds);
    bool some = need->anchor && print->held;
    if (some) own->held = supi_arena_push(arena, rows, sizeof *own->held);
    return own->masses && own->rest && own->areas && own->pushes && own->parts && own->sums &&
           (own->swell || !need->gas) && (own->holds || !need->anchor) && (own->held || !some);
}

void supi_spring_forces_lay(const supi_body* body, supi_spring_forces* own) {
    const sup_blueprint* print = body->blueprint;
    const supi_tear* tear = supi_tear_of(body);
    const sup_vec3* rest = tear ? tear->rest : print->rest;
    if (!own) return;
    for (int32_t r = 0; r < print->info.particle_count; r++) {
        own->rest[r] = (sup_row){rest[r].x, rest[r].y, rest[r].z, 0.0f};
        if (own->held) own->held[r] = print->held[tear ? tear->origin[r] : r];
    }
    lay_faces(body, own);
    lay_volumes(print, own);
    if (own->swell) {
        own->rest_volume =
            supi_pressure_areas(&own->faces, 0, own->faces.count, own->rest, own->areas);
    }
    if (!own->pushed) own->faces.count = 0;
}

bool supi_spring_forces_make(const sup_world* world, const sup_wind* wind,
                             const sup_spring_settings* settings, const supi_body* body,
                             supi_spring_forces** out) {
    const sup_blueprint* print = body->blueprint;
    needs need = needs_of(wind, settings, print);
    *out = NULL;
    if (print->spring_count == 0 || !(need.wind || need.gas || need.solid || need.anchor)) {
        return true;
    }
    supi_spring_forces* own = supi_memory_new(world->allocator, 1, sizeof *own);
    if (!own) return false;
    supi_arena_init(&own->arena, world->allocator);
    own->solid = settings->solid;
    own->pushed = need.wind || need.gas;
    own->face_room = most_faces(print);
    if (!push_rooms(print, &need, own)) {
        supi_spring_forces_free(world, own);
        return false;
    }
    if (need.anchor) find_rest_centre(print, own);
    supi_spring_forces_lay(body, own);
    *out = own;
    return true;
}

void supi_spring_forces_free(const sup_world* world, supi_spring_forces* own) {
    if (!own) return;
    supi_arena_free(&own->arena);
    supi_memory_free(world->allocator, own, 1, sizeof *own);
}
