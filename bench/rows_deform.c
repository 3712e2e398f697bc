/* Rows about surfaces that are pulled: the first pass, which finds out who follows whom, and passes
   that know it, beside a plain queue and the nanoseconds that they may take. */
#include "bench.h"
#include "supple/deform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MILLION = 1000, SMALL = 224, REPEATS = 8 };

/* ---- The mesh: a bent sheet of side x side points, six neighbours each ---- */

static sup_mesh bent_sheet(int32_t side, bool shuffled) {
    int32_t count = side * side, at = 0;
    sup_mesh mesh = {.point_count = 0};
    sup_vec3* points = malloc((size_t)count * sizeof *points);
    int32_t* to = malloc((size_t)count * sizeof *to);
    int32_t* corners = malloc((size_t)(side - 1) * (size_t)(side - 1) * 6 * sizeof *corners);
    uint32_t random = 1;
    for (int32_t i = 0; i < count; i++) to[i] = i;
    for (int32_t i = count - 1; shuffled && i > 0; i--) {
        random = random * 1664525u + 1013904223u;
        int32_t k = (int32_t)((uint64_t)random * (uint64_t)(i + 1) >> 32), swap = to[i];
        to[i] = to[k];
        to[k] = swap;
    }
    for (int32_t i = 0; i < count; i++) {
        double x = 0.01 * (i % side), z = 0.01 * (i / side);
        points[to[i]] = (sup_vec3){(float)x, (float)(0.2 * sin(3 * x) * cos(2 * z)), (float)z};
    }
    for (int32_t j = 0; j + 1 < side; j++) {
        for (int32_t i = 0; i + 1 < side; i++) {
            int32_t a = j * side + i;
            const int32_t cell[6] = {a, a + side, a + side + 1, a, a + side + 1, a + 1};
            for (int k = 0; k < 6; k++) corners[at++] = to[cell[k]];
        }
    }
    sup_mesh_create(NULL, count, points, at / 3, NULL, corners, &mesh, NULL);
    free(points);
    free(to);
    free(corners);
    return mesh;
}

/* ---- Supple ---- */

typedef struct pulling {
    sup_clay* clay;
    sup_pull_def def;
    int32_t sources[2]; /* in turn, where each pass shall be a first one */
    int32_t turn;
    bool again;
} pulling;

static bool pull(void* state) {
    pulling* p = state;
    float way = p->turn & 2 ? -1e-4f : 1e-4f;
    sup_vec3 by = {0.0f, way, 0.3f * way};
    int32_t source = p->sources[p->again ? 0 : p->turn & 1];
    p->turn++;
    return sup_clay_pull(p->clay, &p->def, 1, &source, &by, NULL, NULL) == SUP_OK;
}

static bool begin(pulling* p, const sup_mesh* mesh, bool keep_order, bool again, int32_t threads) {
    sup_clay_def def = sup_clay_default();
    def.keep_order = keep_order;
    def.worker_count = threads;
    p->def = sup_pull_default();
    p->def.passes = 1;
    p->def.transfer = 1.0; /* with less, motion ends on its way and so does the pass */
    p->again = again;
    p->sources[0] = mesh->point_count / 2;
    p->sources[1] = mesh->point_count / 2 + 1;
    return mesh->points && sup_clay_create(NULL, mesh, &def, &p->clay, NULL) == SUP_OK;
}

/* ---- A plain queue: one array per quantity, one vertex after the other ---- */

typedef struct queue_pass {
    sup_adjacency beside;
    sup_vec3 *points, *moved;
    int32_t *levels, *queue;
    int32_t source, turn;
} queue_pass;

static void follow(const queue_pass* q, int32_t c) {
    sup_vec3 at = q->points[c], sum = {0, 0, 0};
    int32_t parents = 0, above = q->levels[c] - 1;
    for (int32_t n = q->beside.starts[c]; n < q->beside.starts[c + 1]; n++) {
        int32_t p = q->beside.neighbours[n];
        if (q->levels[p] != above) continue;
        sup_vec3 d = q->moved[p];
        float ex = q->points[p].x - at.x, ey = q->points[p].y - at.y, ez = q->points[p].z - at.z;
        float qx = ex + d.x, qy = ey + d.y, qz = ez + d.z;
        float l = sqrtf(ex * ex + ey * ey + ez * ez), r = sqrtf(qx * qx + qy * qy + qz * qz);
        float gain = d.x * (ex + qx) + d.y * (ey + qy) + d.z * (ez + qz);
        float s = r > 0.0f ? 0.5f * gain / ((r + l) * r) : 0.0f;
        sum.x += s * qx + 0.5f * d.x;
        sum.y += s * qy + 0.5f * d.y;
        sum.z += s * qz + 0.5f * d.z;
        parents++;
    }
    float share = 1.0f / (float)parents;
    q->moved[c] = (sup_vec3){share * sum.x, share * sum.y, share * sum.z};
}

static bool pass_plainly(void* state) {
    queue_pass* q = state;
    int32_t n = q->beside.point_count, begin_at = 0, end = 1;
    float way = q->turn++ & 2 ? -1e-4f : 1e-4f;
    for (int32_t i = 0; i < n; i++) q->levels[i] = -1;
    q->levels[q->source] = 0;
    q->queue[0] = q->source;
    q->moved[q->source] = (sup_vec3){0.0f, way, 0.3f * way};
    while (begin_at < end) {
        int32_t last = end;
        for (int32_t k = begin_at; k < last; k++) {
            int32_t p = q->queue[k];
            for (int32_t m = q->beside.starts[p]; m < q->beside.starts[p + 1]; m++) {
                int32_t c = q->beside.neighbours[m];
                if (q->levels[c] >= 0) continue;
                q->levels[c] = q->levels[p] + 1;
                q->queue[end++] = c;
            }
        }
        for (int32_t k = last; k < end; k++) follow(q, q->queue[k]);
        begin_at = last;
    }
    for (int32_t k = 0; k < end; k++) {
        sup_vec3 *at = &q->points[q->queue[k]], d = q->moved[q->queue[k]];
        *at = (sup_vec3){at->x + d.x, at->y + d.y, at->z + d.z};
    }
    return true;
}

static bool begin_plainly(queue_pass* q, const sup_mesh* mesh) {
    size_t n = (size_t)mesh->point_count;
    q->points = malloc(n * sizeof *q->points);
    q->moved = malloc(n * sizeof *q->moved);
    q->levels = malloc(n * sizeof *q->levels);
    q->queue = malloc(n * sizeof *q->queue);
    q->source = mesh->point_count / 2;
    for (size_t i = 0; q->points && i < n; i++) q->points[i] = mesh->points[i];
    return q->points && q->moved && q->levels && q->queue &&
           sup_mesh_adjacency(NULL, mesh, &q->beside, NULL) == SUP_OK;
}

static void end_plainly(queue_pass* q) {
    free(q->points);
    free(q->moved);
    free(q->levels);
    free(q->queue);
    sup_adjacency_free(&q->beside);
}

#define CHECK_APART 1e-7  /* m, in one coordinate: a bit of floats below 1 m */
#define CHECK_TRAVEL 5e-7 /* m, in the mean, where one point is pulled by 1e-4 */

static double farthest_apart(sup_vec3 a, sup_vec3 b) {
    return (double)fmaxf(fmaxf(fabsf(a.x - b.x), fabsf(a.y - b.y)), fabsf(a.z - b.z));
}

/* One pull, of a file without order, by both. */
bool bench_check_pulls(void) {
    sup_mesh mesh = bent_sheet(100, true);
    pulling own = {.clay = NULL};
    queue_pass plain = {.points = NULL};
    sup_vec3* points = malloc((size_t)mesh.point_count * sizeof *points);
    double apart = 0.0, travel = 0.0;
    bool done = points && begin(&own, &mesh, false, true, 1) && begin_plainly(&plain, &mesh) &&
                pull(&own) && pass_plainly(&plain);
    if (done) sup_clay_points(own.clay, points);
    for (int32_t i = 0; done && i < mesh.point_count; i++) {
        apart = fmax(apart, farthest_apart(points[i], plain.points[i]));
        travel += farthest_apart(points[i], mesh.points[i]) / mesh.point_count;
    }
    free(points);
    sup_clay_destroy(own.clay);
    end_plainly(&plain);
    sup_mesh_free(&mesh);
    if (done && apart <= CHECK_APART && travel >= CHECK_TRAVEL) return true;
    fprintf(stderr,
            "supple_bench: Supple pulled %g m in the mean and the plain queue is %g m away (at "
            "most %g)\n",
            travel, done ? apart : INFINITY, CHECK_APART);
    return false;
}

/* ---- Memory traffic alone: as many bytes as a pass has to move, in one stream ---- */

/* Bytes of a vertex with six neighbours: lists and levels of the search; lists, levels and places
   of parents, motion; places read and written. */
enum { SEARCH_BYTES = 24 + 24, SWEEP_BYTES = 24 + 24 + 2 * 24 + 12, MOVE_BYTES = 24 + 12 };

typedef struct stream {
    size_t count;
    float *a, *b, *out; /* a third of the bytes each */
} stream;

static bool begin_stream(stream* s, size_t points, bool search) {
    size_t bytes = SWEEP_BYTES + MOVE_BYTES + (search ? SEARCH_BYTES : 0);
    s->count = points * bytes / (3 * sizeof(float));
    s->a = calloc(s->count, sizeof(float));
    s->b = calloc(s->count, sizeof(float));
    s->out = calloc(s->count, sizeof(float));
    for (size_t i = 0; s->a && s->b && i < s->count; i++) s->a[i] = s->b[i] = 1.0f;
    return s->a && s->b && s->out;
}

static bool move_bytes(void* state) {
    stream* s = state;
    for (size_t i = 0; i < s->count; i++) s->out[i] = s->a[i] + s->b[i];
    float* swap = s->a;
    s->a = s->out;
    s->out = swap;
    return true;
}

static void end_stream(stream* s) {
    free(s->a);
    free(s->b);
    free(s->out);
}

/* ---- Rows ---- */

typedef struct deform_detail {
    int32_t side;
    bool shuffled, keep_order, again, wall; /* wall: by the clock, as threads are worth it */
    double limit; /* ns per vertex; 0: the plain queue is what it is compared with */
} deform_detail;

/* Both in ns per vertex, in one run. */
static bool measure(const bench_row* row, bench_figures* out) {
    const deform_detail* d = row->detail;
    sup_mesh mesh = bent_sheet(d->side, d->shuffled);
    pulling own = {.clay = NULL};
    queue_pass plain = {.points = NULL};
    stream traffic = {.count = 0};
    bool done = begin(&own, &mesh, d->keep_order, d->again, row->threads) &&
                begin_plainly(&plain, &mesh) &&
                begin_stream(&traffic, (size_t)mesh.point_count, !d->again);
    bench_subject subjects[] = {{.state = &own, .step = pull, .steps = 1},
                                {.state = &plain, .step = pass_plainly, .steps = 1},
                                {.state = &traffic, .step = move_bytes, .steps = 1}};
    double seconds[3];
    done = done && (d->wall ? bench_time : bench_time_work)(subjects, 3, row->repeats, seconds);
    if (done) {
        double per = 1e9 / mesh.point_count;
        out->value = per * seconds[0];
        out->reference = d->limit > 0 ? d->limit : per * seconds[1];
        snprintf(out->note, sizeof out->note,
                 "%d points, memory traffic alone takes %.1f ns, a plain queue %.1f",
                 (int)mesh.point_count, per * seconds[2], per * seconds[1]);
    }
    sup_clay_destroy(own.clay);
    end_plainly(&plain);
    end_stream(&traffic);
    sup_mesh_free(&mesh);
    return done;
}

enum { SIZES = 4 };
static const int32_t size_sides[SIZES] = {100, 316, 1000, 2000};
static const char* const size_names[SIZES] = {"10k", "100k", "1M", "4M"};

#define POWER_MOST 1.15 /* and as far below 1 */
#define STEP_MOST 1.2   /* of the time of a point, where memory is not slower than before */

/* Nanoseconds for a point of a first pull. */
static bool time_sizes(const bench_row* row, double per[SIZES]) {
    for (int k = 0; k < SIZES; k++) {
        sup_mesh mesh = bent_sheet(size_sides[k], false);
        pulling own = {.clay = NULL};
        bench_subject subject = {.state = &own, .step = pull, .steps = 1};
        double seconds = 0.0;
        bool done = begin(&own, &mesh, false, false, 1) &&
                    bench_time_work(&subject, 1, row->repeats, &seconds);
        per[k] = 1e9 * seconds / mesh.point_count;
        sup_clay_destroy(own.clay);
        sup_mesh_free(&mesh);
        if (!done) return false;
    }
    return true;
}

/* By which power of the number of points the time grows: the line of least squares. */
static double power_of(const double per[SIZES]) {
    double x[SIZES], y[SIZES], mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < SIZES; k++) {
        x[k] = 2.0 * log(size_sides[k]);
        y[k] = x[k] + log(per[k]);
        mx += x[k] / SIZES;
        my += y[k] / SIZES;
    }
    for (int k = 0; k < SIZES; k++) {
        xx += (x[k] - mx) * (x[k] - mx);
        xy += (x[k] - mx) * (y[k] - my);
    }
    return xy / xx;
}

/* Time grows in proportion to the points. From 10k to 1M a pull leaves one cache after the other
   (about 0.1 kB a point), so a point may take longer there, as far as the power of all allows; the
   note names these steps. From 1M to 4M it comes from the same memory and may not. */
static bool measure_growth(const bench_row* row, bench_figures* out) {
    double per[SIZES];
    if (!time_sizes(row, per)) return false;
    double power = power_of(per), last = per[SIZES - 1] / per[SIZES - 2];
    out->value = fmax(1.0 + fabs(power - 1.0), POWER_MOST / STEP_MOST * last);
    out->reference = POWER_MOST;
    char* note = out->note;
    size_t room = sizeof out->note, at = 0;
    at += (size_t)snprintf(note, room, "power %.3f; ns", power);
    for (int k = 0; k < SIZES && at < room; k++)
        at += (size_t)snprintf(note + at, room - at, "%s %s %.1f%s", k ? "," : "", size_names[k],
                               per[k], k && per[k] > STEP_MOST * per[k - 1] ? " (cache step)" : "");
    return true;
}

/* ---- Maps of all points: a ball that pushes aside, and landmarks ---- */

enum { MAPPED = 100489, LANDMARKS = 32 };

typedef struct mapping {
    sup_mesh mesh;
    sup_vec3* out;
    sup_vec3 from[LANDMARKS], to[LANDMARKS];
    bool landmarks;
} mapping;

static bool map_points(void* state) {
    mapping* m = state;
    int32_t n = m->mesh.point_count;
    sup_warp_def warp = sup_warp_default();
    sup_landmarks_def marks = sup_landmarks_default();
    marks.method = SUP_LANDMARKS_DISPLACEMENTS;
    return (m->landmarks ? sup_points_landmarks(NULL, &marks, LANDMARKS, m->from, m->to, n,
                                                m->mesh.points, m->out, NULL, NULL)
                         : sup_points_warp(NULL, &warp, n, m->mesh.points, m->out, NULL)) == SUP_OK;
}

static sup_vec3 warp_plainly(sup_vec3 p) {
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    double r = sqrt(x * x + y * y + z * z), s = r > 0 ? cbrt(r * r * r + 1) / r : 1;
    return (sup_vec3){(float)(s * x), (float)(s * y), (float)(s * z)};
}

static sup_vec3 blend_plainly(const mapping* m, sup_vec3 p) {
    double sum = 0, by[3] = {0, 0, 0};
    for (int k = 0; k < LANDMARKS; k++) {
        double x = (double)(p.x - m->from[k].x), y = (double)(p.y - m->from[k].y);
        double z = (double)(p.z - m->from[k].z), r2 = x * x + y * y + z * z + 1e-12;
        double w = 1 / (r2 * r2);
        sum += w;
        by[0] += w * (double)(m->to[k].x - m->from[k].x);
        by[1] += w * (double)(m->to[k].y - m->from[k].y);
        by[2] += w * (double)(m->to[k].z - m->from[k].z);
    }
    return (sup_vec3){p.x + (float)(by[0] / sum), p.y + (float)(by[1] / sum),
                      p.z + (float)(by[2] / sum)};
}

static bool map_plainly(void* state) {
    mapping* m = state;
    for (int32_t i = 0; i < m->mesh.point_count; i++) {
        sup_vec3 p = m->mesh.points[i];
        m->out[i] = m->landmarks ? blend_plainly(m, p) : warp_plainly(p);
    }
    return true;
}

static bool measure_map(const bench_row* row, bench_figures* out) {
    mapping m = {.mesh = bent_sheet(317, false), .landmarks = *(const bool*)row->detail};
    bench_subject subjects[] = {{.state = &m, .step = map_points, .steps = 1},
                                {.state = &m, .step = map_plainly, .steps = 1}};
    double seconds[2];
    m.out = malloc(MAPPED * sizeof *m.out);
    bool done = m.mesh.point_count == MAPPED && m.out;
    for (int k = 0; done && k < LANDMARKS; k++) {
        m.from[k] = m.to[k] = m.mesh.points[k * (MAPPED / LANDMARKS)];
        m.to[k].y += 0.01f * (float)k;
    }
    done = done && bench_time_work(subjects, 2, row->repeats, seconds);
    if (done) {
        out->value = 1e9 * seconds[0] / MAPPED;
        out->reference = 1e9 * seconds[1] / MAPPED;
    }
    free(m.out);
    sup_mesh_free(&m.mesh);
    return done;
}

static const bool by_warp = false, by_landmarks = true;
static const deform_detail first = {MILLION, .shuffled = true, .limit = 25.0};
static const deform_detail raw = {MILLION, .shuffled = true, .keep_order = true};
static const deform_detail again = {MILLION, .shuffled = true, .again = true, .limit = 4.0};
static const deform_detail again_queue = {MILLION, .shuffled = false, .again = true};
static const deform_detail small = {SMALL, .wall = true, .limit = 20.0}; /* 1 ms for 50,000 */

#define ROW(is, what, with, least, wish, on, how)                                                  \
    {                                                                                              \
        .name = is, .about = what, .unit = "ns/vertex", .reference = with, .floor = least,         \
        .goal = wish, .threads = on, .measure = measure, .detail = how, .repeats = REPEATS         \
    }
static const bench_row rows[] = {
    ROW("deform.first", "a pull on 1,000,000 points, who follows whom found out anew", "limit", 1,
        2.5, 1, &first),
    ROW("deform.raw", "the same in the order of a file without any", "plain queue", 1.5, 0, 1,
        &raw),
    ROW("deform.again", "the same point pulled again, on the plan of before", "limit", 1, 2, 1,
        &again),
    ROW("deform.again.queue", "the same, of a mesh in good order", "plain queue", 4, 0, 1,
        &again_queue),
    ROW("deform.small", "a first pull on 50,000 points, 1 ms, by the clock", "limit", 1, 0, 2,
        &small),
    {.name = "deform.warp",
     .about = "100,000 points pushed aside by a ball",
     .unit = "ns/vertex",
     .reference = "plain libm",
     .threads = 1,
     .measure = measure_map,
     .detail = &by_warp,
     .repeats = REPEATS},
    {.name = "deform.landmarks",
     .about = "the same moved between 32 landmarks",
     .unit = "ns/vertex",
     .reference = "plain loop",
     .threads = 1,
     .measure = measure_map,
     .detail = &by_landmarks,
     .repeats = REPEATS},
    {.name = "deform.growth",
     .about = "power by which first pulls grow from 10,000 to 4 million points",
     .unit = "",
     .reference = "limit",
     .floor = 1,
     .threads = 1,
     .measure = measure_growth,
     .repeats = 3},
};

const bench_row* bench_rows_deform(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
