/* How fast what acts on a body beside its springs can make it swing: a bound for explicit steps.
   Triangles, tetrahedra and the pull of gas on a surface by the sums of their rows, as Gershgorin
   has it; gas that is squeezed, which makes the body breathe as a whole, exactly. */
#include "solve/pieces.h"
#include "world/cuts.h"
#include "world/spring_forces.h"

#include <math.h>

typedef struct bound_job {
    const supi_spring_forces* own;
    const sup_row* x;
    int32_t row_count;
} bound_job;

static double length_of(const sup_row* a) {
    return sqrt((double)a->x * (double)a->x + (double)a->y * (double)a->y +
                (double)a->z * (double)a->z);
}

static double distance(const sup_row* a, const sup_row* b) {
    const sup_row d = {a->x - b->x, a->y - b->y, a->z - b->z, 0.0f};
    return length_of(&d);
}

/* N/m: elements around a row, without what their stress adds. */
static double volume_sum(const supi_volumes* volumes, int32_t row) {
    const supi_patches* p = &volumes->patches;
    double sum = 0.0;
    for (int32_t i = p->starts[row]; i < p->starts[row + 1]; i++) {
        int32_t slot = p->slots[i], first = slot / SUPI_PATCH_CORNERS * SUPI_PATCH_CORNERS;
        double all = 0.0;
        for (int k = 0; k < SUPI_PATCH_CORNERS; k++) {
            if (p->rows[first + k] >= 0) all += length_of(volumes->gradients + first + k);
        }
        sum += all * length_of(volumes->gradients + slot);
    }
    return sum;
}

/* m: sides of the faces around a row that end there. A pressure that stays turns with them. */
static double side_sum(const supi_patches* faces, int32_t row, const sup_row* x) {
    double sum = 0.0;
    for (int32_t i = faces->starts[row]; i < faces->starts[row + 1]; i++) {
        const int32_t* ends = faces->rows + faces->slots[i] / SUPI_PATCH_CORNERS * 4;
        for (int k = 0; k < 3; k++) sum += distance(x + ends[k], x + row);
    }
    return sum;
}

static void bound_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const bound_job* job = context;
    const supi_spring_forces* own = job->own;
    double most = 0.0, over = fabs(own->gas.over) / 6.0;
    for (int32_t r = piece * SUPI_PIECE_ROWS; r < supi_piece_end(piece, job->row_count); r++) {
        if (!(job->x[r].w > 0.0f)) continue;
        double sum = own->volumes.patches.count > 0 ? volume_sum(&own->volumes, r) : 0.0;
        if (own->swell) sum += over * side_sum(&own->faces, r, job->x);
        sum *= (double)job->x[r].w;
        most = sum > most ? sum : most;
    }
    own->parts[piece] = most;
}

/* m^4/kg: what the change of the volume moves. */
static void breathe_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const bound_job* job = context;
    const supi_spring_forces* own = job->own;
    double sum = 0.0;
    for (int32_t r = piece * SUPI_PIECE_ROWS; r < supi_piece_end(piece, job->row_count); r++) {
        sup_row swell = {0, 0, 0, 0};
        for (int32_t i = own->faces.starts[r]; i < own->faces.starts[r + 1]; i++) {
            const sup_row* area = own->areas + own->faces.slots[i] / SUPI_PATCH_CORNERS;
            swell.x += area->x / 3.0f;
            swell.y += area->y / 3.0f;
            swell.z += area->z / 3.0f;
        }
        sum += (double)job->x[r].w * length_of(&swell) * length_of(&swell);
    }
    own->parts[piece] = sum;
}

supi_step_others supi_spring_forces_bound(const supi_springs_way* way, const supi_body* body,
                                          const sup_row* x, const sup_row* v) {
    const supi_spring_forces* own = body->elastic->beside;
    const sup_spring_anchor* anchor = &body->springs.anchor;
    supi_step_others bound = {0, 0};
    if (!own || !(own->swell || own->volumes.patches.count > 0 || own->holds)) return bound;
    supi_spring_forces_find(way, body, false, x, v);
    bound_job job = {own, x, supi_cuts_net(body)->row_count};
    int32_t pieces = supi_piece_count(job.row_count);
    supi_pieces_run(way->tasks, job.row_count, bound_piece, &job);
    for (int32_t i = 0; i < pieces; i++) {
        if (own->parts[i] > bound.stiffness) bound.stiffness = own->parts[i];
    }
    if (own->swell) {
        supi_pieces_run(way->tasks, job.row_count, breathe_piece, &job);
        for (int32_t i = 0; i < pieces; i++) bound.stiffness += own->gas.slope * own->parts[i];
    }
    bound.stiffness += anchor->frequency * anchor->frequency;
    bound.damping = 2.0 * anchor->damping * anchor->frequency;
    return bound;
}
