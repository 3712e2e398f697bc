/* Soft substance within a step. Lists of neighbours are made anew for each step, or for each
   substep where motion is fast, from where its rows are, so nothing of them outlives it; within the
   substep the body takes as many steps as its stiffness needs. */
#include "world/blobs.h"

#include "base/check.h"
#include "base/error.h"
#include "base/real.h"
#include "solve/pieces.h"

#include <math.h>
#include <string.h>

/* By how much more than they reach two may be apart in a list, and by how much if they are fast, in
   r0. Faster ones see each other a substep later, where the force has faded anyway. */
#define LEAST_ROOM 0.05f
#define MOST_ROOM 0.5f
/* In r0, by how much one may leave its way before lists are made anew. */
#define STRAY 0.05f

sup_blob_settings sup_blob_settings_default(void) {
    return (sup_blob_settings){
        .stiffness = 2.0, .friction = 20.0, .drag = 0.1, .iso = 0.5, .cells = 6};
}

sup_result supi_blobs_check(const sup_blob_settings* s, sup_error* error) {
    const supi_range ranges[] = {
        {"blob.stiffness", s->stiffness, 1e-4, 1e4},
        {"blob.friction", s->friction, 0, 1e4},
        {"blob.drag", s->drag, 0, 100},
        {"blob.iso", s->iso, 0.05, 0.9},
        {"blob.cells", s->cells, 3, 12},
        {"blob.volume", s->volume, SUP_BLOB_VOLUME_LOCAL, SUP_BLOB_VOLUME_FREE},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_body_set_blob(sup_world* world, sup_body handle, const sup_blob_settings* settings,
                             sup_error* error) {
    SUPI_NEED(error, world, settings);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!body->soft) return supi_error_set(error, SUP_BAD_ARGUMENT, SUPI_NO_BLOB);
    sup_result result = supi_blobs_check(settings, error);
    if (result != SUP_OK) return result;
    bool other_volume = body->blob.volume != settings->volume;
    if (body->blob.iso != settings->iso) body->soft->iso = settings->iso;
    body->blob = *settings;
    if (other_volume) supi_blobs_reset(body); /* what another rule has made of the fields is over */
    body->prepared_h = 0.0;
    supi_sleep_wake(world, body);
    return SUP_OK;
}

/* ---- State ---- */

static bool push_rooms(struct supi_soft* s, const sup_blueprint* b) {
    supi_arena* arena = &s->arena;
    size_t rows = (size_t)b->row_count, more = rows + 8;
    s->reach = supi_arena_push(arena, rows, sizeof *s->reach);
    s->reach_before = supi_arena_push(arena, rows, sizeof *s->reach_before);
    s->balls = supi_arena_push(arena, rows, sizeof *s->balls);
    s->volumes = supi_arena_push(arena, rows, sizeof *s->volumes);
    s->piece_sums = supi_arena_push(arena, rows, sizeof *s->piece_sums);
    s->piece_counts = supi_arena_push(arena, rows, sizeof *s->piece_counts);
    bool ok =
        s->reach && s->reach_before && s->balls && s->volumes && s->piece_sums && s->piece_counts;
    for (int k = 0; k < 2 && ok; k++) {
        s->x[k] = supi_arena_push(arena, more, sizeof *s->x[k]);
        s->v[k] = supi_arena_push(arena, more, sizeof *s->v[k]);
        ok = s->x[k] && s->v[k];
    }
    return ok;
}

bool supi_blobs_make(const sup_world* world, supi_body* body) {
    if (!(body->blueprint->info.blob_spacing > 0)) return true;
    struct supi_soft* s = supi_memory_new(world->allocator, 1, sizeof *s);
    if (!s) return false;
    supi_arena_init(&s->arena, world->allocator);
    body->soft = s;
    return push_rooms(s, body->blueprint);
}

void supi_blobs_free(const sup_world* world, supi_body* body) {
    struct supi_soft* s = body->soft;
    if (!s) return;
    supi_neighbours_free(&s->lists, world->allocator);
    supi_blob_surface_free(&s->grid, world->allocator);
    supi_blob_surface_free(&s->drawn, world->allocator);
    supi_arena_free(&s->arena);
    supi_memory_free(world->allocator, s, 1, sizeof *s);
    body->soft = NULL;
}

double supi_blobs_reach(const supi_body* body) {
    return SUPI_BLOB_BALL * body->blueprint->info.blob_spacing;
}

void supi_blobs_keep(supi_body* body) {
    struct supi_soft* s = body->soft;
    if (!s) return;
    memcpy(s->reach_before, s->reach, (size_t)body->blueprint->row_count * sizeof *s->reach);
    s->iso_before = s->iso;
    s->age_before = s->age;
    s->holds = 0.0;
}

void supi_blobs_restore(supi_body* body) {
    struct supi_soft* s = body->soft;
    if (!s) return;
    memcpy(s->reach, s->reach_before, (size_t)body->blueprint->row_count * sizeof *s->reach);
    s->iso = s->iso_before;
    s->age = s->age_before;
}

void supi_blobs_reset(supi_body* body) {
    struct supi_soft* s = body->soft;
    if (!s) return;
    for (int32_t r = 0; r < body->blueprint->row_count; r++)
        s->reach[r] = (float)supi_blobs_reach(body);
    s->iso = body->blob.iso;
    s->age = 0;
}

/* ---- Within a substep ---- */

/* The forces of a substep of h, cut into steps. Returns how many it needs as a multiple of what it
   may take. */
static double find_law(const supi_body* body, double h, supi_blob_law* law, int32_t* steps) {
    const sup_blueprint* b = body->blueprint;
    double mean = b->info.mass / b->info.particle_count, energy = mean * body->blob.stiffness;
    float lightest = 0.0f;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        lightest = b->inverse_mass[r] > lightest ? b->inverse_mass[r] : lightest;
    }
    double mass = lightest > 0.0f ? 1.0 / (double)lightest : mean;
    double need = supi_blob_plan(h, b->info.blob_spacing, mass, &energy, steps);
    double step = h / *steps;
    *law = (supi_blob_law){.spacing = (float)b->info.blob_spacing,
                           .energy = (float)energy,
                           .friction = (float)(mean * body->blob.friction),
                           .lightest = (float)mass,
                           .central = body->blob.central,
                           .h = (float)step,
                           .keep = (float)(1.0 / (1.0 + step * body->blob.drag))};
    for (int k = 0; k < 3; k++) law->gain[k] = body->pull.acceleration[k] / (float)*steps;
    return need;
}

double supi_blobs_saturation(const supi_body* body, double h) {
    supi_blob_law law;
    int32_t steps;
    return body->soft ? find_law(body, h, &law, &steps) : 0.0;
}

/* m/s by which the fastest differs from all. */
static double find_spread(const sup_row* v, int32_t count) {
    double mean[3] = {0.0, 0.0, 0.0}, most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double speed[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        for (int k = 0; k < 3; k++) mean[k] += speed[k] / count;
    }
    for (int32_t i = 0; i < count; i++) {
        double x = (double)v[i].x - mean[0], y = (double)v[i].y - mean[1];
        double z = (double)v[i].z - mean[2], square = x * x + y * y + z * z;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

/* Lists for the rest of the step where nobody is so fast that `most` is too little room for it,
   else for a substep. */
static bool make_lists(sup_world* world, supi_body* body, const supi_state* from, double h,
                       double rest) {
    struct supi_soft* s = body->soft;
    int32_t count = body->blueprint->info.particle_count;
    double spacing = (double)s->law.spacing;
    double spread = find_spread(from->v + body->row, count);
    s->holds = 2.0 * spread * rest < (double)MOST_ROOM * spacing ? rest : h;
    s->listed = 0.0;
    const supi_neighbour_search search = {.x = from->x + body->row,
                                          .v = from->v + body->row,
                                          .count = count,
                                          .reach = (float)SUPI_BLOB_REACH * s->law.spacing,
                                          .ahead = (float)s->holds,
                                          .least = LEAST_ROOM * s->law.spacing,
                                          .most = MOST_ROOM * s->law.spacing};
    return supi_neighbours_find(&s->lists, world->allocator, world->tasks,
                                supi_neighbour_kernels_find(world->kernels->simd), &search);
}

bool supi_blobs_find(sup_world* world, const supi_state* from, double h) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        struct supi_soft* s = body->soft;
        if (!s || supi_body_still(body)) continue;
        find_law(body, h, &s->law, &s->steps);
        s->listed += h;
        bool hold = s->holds > 0.0 && s->listed < s->holds - 0.5 * h &&
                    supi_neighbours_hold(&s->lists, from->x + body->row, (float)s->listed,
                                         STRAY * s->law.spacing);
        double rest = s->holds > s->listed + h ? s->holds - s->listed : h;
        if (s->holds == 0.0) rest = from == &world->before ? world->dt : h;
        if (!hold && !make_lists(world, body, from, h, rest)) return false;
    }
    return true;
}

typedef struct moving {
    const struct supi_soft* soft;
    const supi_blob_kernels* kernels;
    int32_t at; /* which of the two sets of rows is read */
} moving;

static void step_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const moving* m = context;
    const struct supi_soft* s = m->soft;
    const supi_neighbours* lists = &s->lists;
    const supi_blob_rows rows = {s->x[m->at],    s->v[m->at],   lists->near,
                                 lists->lengths, lists->stride, lists->rows};
    m->kernels->step(&s->law, &rows, piece * SUPI_PIECE_ROWS, supi_piece_end(piece, lists->count),
                     s->x[1 - m->at], s->v[1 - m->at]);
}

/* Rows in the order of the lists, and behind them one that is far from all. */
static void gather(const struct supi_soft* s, const sup_row* x, const sup_row* v) {
    const supi_neighbours* lists = &s->lists;
    for (int32_t i = 0; i < lists->count; i++) {
        const sup_row* u = v + lists->rows[i];
        s->x[0][i] = x[lists->rows[i]];
        float crowd = (float)(lists->lengths[i] > 0 ? lists->lengths[i] : 1);
        s->v[0][i] = (sup_row){u->x, u->y, u->z, 1.0f / crowd};
    }
    for (int k = 0; k < 2; k++) {
        s->x[k][lists->count] = (sup_row){SUPI_BLOB_FAR, SUPI_BLOB_FAR, SUPI_BLOB_FAR, 0.0f};
        s->v[k][lists->count] = (sup_row){0};
    }
}

/* Pins go their part of the way. */
static void lead_pins(const sup_world* world, const supi_body* body, double share, sup_row* v) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t i = 0; i < b->pin_count; i++) {
        sup_row* own = v + b->pins[i];
        float place[3], speed[3];
        supi_integrate_pin(world, body, i, share, place, speed);
        *own = (sup_row){speed[0], speed[1], speed[2], own->w};
    }
}

bool supi_blobs_move(sup_world* world, const supi_state* from, double share, supi_tasks* tasks,
                     supi_body* body) {
    struct supi_soft* s = body->soft;
    if (!s) return false;
    const sup_blueprint* b = body->blueprint;
    sup_row *x = world->now.x + body->row, *v = world->now.v + body->row;
    if (from != &world->now) {
        memcpy(x, from->x + body->row, (size_t)b->row_count * sizeof *x);
        memcpy(v, from->v + body->row, (size_t)b->row_count * sizeof *v);
    }
    lead_pins(world, body, share, v);
    gather(s, x, v);
    moving m = {s, supi_blob_kernels_find(world->kernels->simd), 0};
    for (int32_t i = 0; i < s->steps; i++, m.at = 1 - m.at) {
        supi_pieces_run(tasks, s->lists.count, step_piece, &m);
    }
    for (int32_t i = 0; i < s->lists.count; i++) {
        int32_t row = s->lists.rows[i];
        const sup_row* u = s->v[m.at] + i;
        x[row] = s->x[m.at][i];
        x[row].w += 0.0f * v[row].w; /* a radius that is not finite shows in the box */
        v[row] = (sup_row){u->x, u->y, u->z, v[row].w};
    }
    supi_integrate_find_boxes(world, body);
    return true;
}

/* ---- The surface ---- */

supi_blob_field supi_blobs_field(const sup_world* world, const supi_body* body) {
    const struct supi_soft* s = body->soft;
    double spacing = body->blueprint->info.blob_spacing;
    int32_t count = body->blueprint->info.particle_count;
    for (int32_t r = 0; r < count; r++) {
        const sup_row* x = world->now.x + body->row + r;
        s->balls[r] = (sup_row){x->x, x->y, x->z, s->reach[r]};
    }
    return (supi_blob_field){.balls = s->balls,
                             .count = count,
                             .join = (float)(SUPI_BLOB_JOIN * spacing),
                             .spacing = (float)(supi_blobs_reach(body) / body->blob.cells),
                             .iso = (float)s->iso};
}

/* Finds the volumes of balls in its scratch. */
static bool find_volumes(sup_world* world, struct supi_soft* s, const supi_blob_field* field,
                         double* slope) {
    return supi_blob_volumes_find(&s->grid, world->allocator, world->tasks,
                                  supi_blob_field_kernels_find(world->kernels->simd), field,
                                  s->volumes, slope);
}

/* The volume that is kept is that of the shape at rest, and not that of all particles as lonely
   drops: where they lie densely there is less room for each than a drop has, and a lump would swell
   as it settles. False when memory is short. */
static bool find_share(sup_world* world, const supi_body* body) {
    struct supi_soft* s = body->soft;
    const sup_blueprint* b = body->blueprint;
    const sup_blob_settings* now = &body->blob;
    if (s->share > 0.0 && s->share_iso == now->iso && s->share_cells == now->cells) return true;
    supi_blob_field field = supi_blobs_field(world, body);
    double slope, sum = 0.0;
    for (int32_t r = 0; r < field.count; r++) {
        s->balls[r] =
            (sup_row){b->rest[r].x, b->rest[r].y, b->rest[r].z, (float)supi_blobs_reach(body)};
    }
    field.iso = (float)now->iso;
    if (!find_volumes(world, s, &field, &slope)) return false;
    for (int32_t r = 0; r < field.count; r++) sum += (double)s->volumes[r];
    s->share = sum / field.count;
    s->share_iso = now->iso;
    s->share_cells = now->cells;
    return true;
}

/* Each gets the mean of its piece: inside a lump nobody can change its own volume, but all together
   can. */
static void even_out(struct supi_soft* s, int32_t count) {
    const int32_t* piece = s->grid.piece; /* the lowest ball of each */
    for (int32_t r = 0; r < count; r++) {
        s->piece_sums[r] = 0.0;
        s->piece_counts[r] = 0;
    }
    for (int32_t r = 0; r < count; r++) {
        s->piece_sums[piece[r]] += (double)s->volumes[r];
        s->piece_counts[piece[r]]++;
    }
    for (int32_t r = 0; r < count; r++) {
        s->volumes[r] = (float)(s->piece_sums[piece[r]] / s->piece_counts[piece[r]]);
    }
}

/* Of the whole: the surface is drawn where the field has another value. Rates are those of the
   specification at 60 steps a second. */
static void follow_whole(struct supi_soft* s, int32_t count, double slope, double gain,
                         double most) {
    double sum = 0.0;
    for (int32_t r = 0; r < count; r++) sum += (double)s->volumes[r];
    if (!(slope > 0.0)) return;
    double change = gain * (sum - count * s->share) / slope;
    change = change > most ? most : change < -most ? -most : change;
    s->iso += change;
    s->iso = s->iso < 0.05 ? 0.05 : s->iso > 0.9 ? 0.9 : s->iso;
}

static bool settle_body(sup_world* world, supi_body* body, double dt) {
    struct supi_soft* s = body->soft;
    double slope, frames = 60.0 * dt, gain = -supi_expm1(-0.6931471805599453 * frames);
    if (!find_share(world, body)) return false;
    supi_blob_field field = supi_blobs_field(world, body);
    if (!find_volumes(world, s, &field, &slope)) return false;
    if (body->blob.volume == SUP_BLOB_VOLUME_GLOBAL) {
        follow_whole(s, field.count, slope, gain, 0.05 * frames);
        return true;
    }
    double most = supi_exp(0.02955880224154443 * frames); /* 1.03 for each */
    even_out(s, field.count);
    supi_blob_follow(s->volumes, s->share, gain, most, supi_blobs_reach(body), s->balls,
                     field.count);
    for (int32_t r = 0; r < field.count; r++) s->reach[r] = s->balls[r].w;
    return true;
}

bool supi_blobs_settle(sup_world* world, double dt) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (!body->soft || supi_body_still(body)) continue;
        if (body->blob.volume == SUP_BLOB_VOLUME_FREE) continue;
        body->soft->age = (body->soft->age + 1) % SUPI_BLOB_EVERY;
        if (body->soft->age == 0 && !settle_body(world, body, SUPI_BLOB_EVERY * dt)) return false;
    }
    return true;
}
