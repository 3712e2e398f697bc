#include "world/lattice.h"

#include "blueprint/members.h"

#include <string.h>

/* ---- Slices of the grid ---- */

/* Axes by their length. */
enum { SHORT = 0, MEDIUM = 1, LONG = 2 };

static int32_t length_of(const supi_lattice* lattice, int which) {
    return lattice->size[lattice->order[which]];
}

/* Cells from one to the next along an axis. */
static ptrdiff_t step_of(const supi_lattice* lattice, int which) {
    int axis = lattice->order[which];
    ptrdiff_t step = 1;
    for (int k = 0; k < axis; k++) step *= lattice->size[k];
    return step;
}

int32_t supi_lattice_planes(const sup_blueprint* print) { return length_of(print->lattice, LONG); }
int32_t supi_lattice_slabs(const sup_blueprint* print) { return length_of(print->lattice, MEDIUM); }

/* All cells at one place of an axis: cell (i, j) is first + i step + j narrow_step. */
typedef struct slice {
    ptrdiff_t first, step, narrow_step;
    int32_t count, narrow;
} slice;

static slice slice_of(const supi_lattice* lattice, int across, int32_t at) {
    int wide = MEDIUM + LONG - across;
    return (slice){at * step_of(lattice, across), step_of(lattice, wide), step_of(lattice, SHORT),
                   length_of(lattice, wide), length_of(lattice, SHORT)};
}

static int32_t rows_per_cell(const supi_body* body) {
    return body->kind == SUPI_CLUSTER_DAMPED ? SUPI_CELL_SUM_ROWS : SUPI_CELL_PLAIN_ROWS;
}

static sup_row* cell_rows(const sup_world* world, const supi_body* body, ptrdiff_t cell) {
    sup_row* first =
        (sup_row*)(world->cells + body->cell); /* rows of all cells, one after another */
    return first + cell * rows_per_cell(body);
}

/* Lines along one axis through a slice, which lies across `slice` at `at`. */
typedef struct lines {
    int along, slice;
    int32_t at;
} lines;

static void slide(const sup_world* world, const supi_state* from, const supi_body* body,
                  supi_window window, const lines* l) {
    const supi_lattice* lattice = body->blueprint->lattice;
    int across = SHORT + MEDIUM + LONG - l->along - l->slice, axis = lattice->order[l->along];
    int32_t count = length_of(lattice, l->along), block = supi_lattice_block(lattice->reach);
    if (count == 1) return; /* no neighbours */
    const ptrdiff_t step = step_of(lattice, l->along);
    const ptrdiff_t blocks[3] = {1, lattice->blocks[0],
                                 (ptrdiff_t)lattice->blocks[0] * lattice->blocks[1]};
    const ptrdiff_t block_step = blocks[lattice->order[l->slice]];
    const ptrdiff_t next = blocks[lattice->order[across]];
    window.reach = lattice->reach;
    window.x = from->x + body->row;
    window.v = from->v + body->row;
    for (int32_t i = 0; i < length_of(lattice, across); i++) {
        ptrdiff_t cell = l->at * step_of(lattice, l->slice) + i * step_of(lattice, across);
        supi_cell_line line = {
            .first = cell_rows(world, body, cell),
            .stride = step * rows_per_cell(body),
            .count = count,
            .about = lattice->about + l->at / block * block_step + i / block * next,
            .about_stride = blocks[axis],
        };
        world->kernels->window(&window, &line);
    }
}

static void slide_sums(const sup_world* world, const supi_state* from, const supi_body* body,
                       lines l) {
    supi_window window = {.rows = rows_per_cell(body),
                          .source = SUPI_CELL_OFFSET,
                          .target = SUPI_CELL_MOMENT + body->blueprint->lattice->order[l.along],
                          .sign = 1.0f};
    slide(world, from, body, window, &l);
}

/* A node lies opposite to where its cluster's node is seen from it: the moment counts negative. */
static void slide_asks(const sup_world* world, const supi_state* from, const supi_body* body,
                       lines l) {
    bool damped = body->kind == SUPI_CLUSTER_DAMPED;
    supi_window window = {.rows = damped ? SUPI_CELL_ASK_ROWS : SUPI_CELL_PLAIN_ROWS,
                          .source = SUPI_CELL_MATRIX + body->blueprint->lattice->order[l.along],
                          .target = SUPI_CELL_GOAL,
                          .sign = -1.0f};
    slide(world, from, body, window, &l);
}

/* ---- Sums ---- */

static void cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static sup_row row_of(const float a[3], float w) { return (sup_row){a[0], a[1], a[2], w}; }

/* Where a row is matched, from its reference. */
static void relative_place(const supi_body* body, const supi_state* from, int32_t row,
                           const sup_row* x, const sup_row* v, float d[3]) {
    const supi_pull* p = &body->pull;
    const sup_row* xref = from->x + supi_lattice_reference(body, row);
    float at[3] = {x->x, x->y, x->z};
    const float speed[3] = {v->x, v->y, v->z}, about[3] = {xref->x, xref->y, xref->z};
    for (int k = 0; k < 3; k++) {
        if (body->kind == SUPI_CLUSTER_PREDICTED) at[k] += p->h * (speed[k] + p->acceleration[k]);
        d[k] = at[k] - about[k];
    }
}

static void relative_speed(const supi_body* body, const supi_state* from, int32_t row,
                           const sup_row* v, float u[3]) {
    const sup_row* vref = from->v + supi_lattice_reference(body, row);
    u[0] = v->x - vref->x;
    u[1] = v->y - vref->y;
    u[2] = v->z - vref->z;
}

static void load_node(const supi_body* body, const supi_state* from, int32_t row, bool lags,
                      sup_row* out) {
    const sup_blueprint* print = body->blueprint;
    const sup_row *x = from->x + body->row + row, *v = from->v + body->row + row;
    float w = print->lattice->weights[row], d[3], wd[3];
    relative_place(body, from, row, x, v, d);
    for (int k = 0; k < 3; k++) wd[k] = w * d[k];
    out[SUPI_CELL_OFFSET] = row_of(wd, w);
    if (body->kind != SUPI_CLUSTER_DAMPED) return;
    float u[3], spin[3];
    relative_speed(body, from, row, v, u);
    /* Pinned ones lag behind by one pull of gravity; weightless ones have no w. */
    lags = lags && !(print->inverse_mass[row] > 0.0f);
    for (int k = 0; lags && k < 3; k++) u[k] -= body->pull.acceleration[k];
    cross(wd, u, spin);
    out[SUPI_CELL_MOMENTUM] = (sup_row){w * u[0], w * u[1], w * u[2], 0.0f};
    out[SUPI_CELL_SPIN] = row_of(spin, 0.0f);
    out[SUPI_CELL_SQUARES] = (sup_row){wd[0] * d[0], wd[1] * d[1], wd[2] * d[2], 0.0f};
    out[SUPI_CELL_PRODUCTS] = (sup_row){wd[0] * d[1], wd[1] * d[2], wd[2] * d[0], 0.0f};
}

void supi_lattice_sum_plane(const sup_world* world, const supi_state* from, const supi_body* body,
                            int32_t plane) {
    const supi_lattice* lattice = body->blueprint->lattice;
    const slice s = slice_of(lattice, LONG, plane);
    size_t bytes = (size_t)rows_per_cell(body) * sizeof(sup_row);
    bool lags = supi_integrate_lags(body);
    for (int32_t i = 0; i < s.count; i++) {
        for (int32_t j = 0; j < s.narrow; j++) {
            ptrdiff_t cell = s.first + i * s.step + j * s.narrow_step;
            sup_row* rows = cell_rows(world, body, cell);
            memset(rows, 0, bytes);
            if (lattice->rows[cell] >= 0) load_node(body, from, lattice->rows[cell], lags, rows);
        }
    }
    slide_sums(world, from, body, (lines){SHORT, LONG, plane});
    slide_sums(world, from, body, (lines){MEDIUM, LONG, plane});
}

void supi_lattice_sum_slab(const sup_world* world, const supi_state* from, const supi_body* body,
                           int32_t slab) {
    slide_sums(world, from, body, (lines){LONG, MEDIUM, slab});
}

/* Three floats of a row as doubles. */
static void take_row(const sup_row* row, double* out) {
    out[0] = (double)row->x;
    out[1] = (double)row->y;
    out[2] = (double)row->z;
}

void supi_lattice_sums(const sup_world* world, const supi_body* body, int32_t c,
                       double sums[SUPI_SUM_COUNT]) {
    const supi_lattice* lattice = body->blueprint->lattice;
    const sup_row* rows = cell_rows(world, body, lattice->cells[c]);
    double offset[3], moment[3][3];
    take_row(lattice->offsets + c, offset);
    take_row(rows + SUPI_CELL_OFFSET, sums + SUPI_SUM_OFFSET);
    for (int k = 0; k < 3; k++) take_row(rows + SUPI_CELL_MOMENT + k, moment[k]);
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        sums[SUPI_SUM_APQ + k] =
            lattice->spacing * moment[j][i] - sums[SUPI_SUM_OFFSET + i] * offset[j];
    }
    /* The centre is what comes of dividing by the rounded weight. That error would be the same in
       every step, and the body would push itself. */
    for (int k = 0; k < 3; k++) sums[SUPI_SUM_OFFSET + k] *= 1.0 + (double)lattice->offsets[c].w;
    if (body->kind != SUPI_CLUSTER_DAMPED) return;
    take_row(rows + SUPI_CELL_MOMENTUM, sums + SUPI_SUM_MOMENTUM);
    take_row(rows + SUPI_CELL_SPIN, sums + SUPI_SUM_SPIN);
    take_row(rows + SUPI_CELL_SQUARES, sums + SUPI_SUM_SPREAD);
    take_row(rows + SUPI_CELL_PRODUCTS, sums + SUPI_SUM_SPREAD + 3);
}

/* ---- Asks ---- */

/* How much the goal and the rigid motion of a cluster count in sums, and what these are to be
   multiplied with. One material: 1, so that sums of many equal weights are exact; an error in them,
   being the same in every step, would let the body push itself. */
typedef struct shares {
    float goal, rigid;
} shares;

static shares shares_in(const supi_body* body, int32_t c) {
    return body->pulls ? (shares){body->pulls[c].k, body->pulls[c].delta} : (shares){1.0f, 1.0f};
}

static shares shares_out(const supi_body* body) {
    return body->pulls ? (shares){1.0f, 1.0f} : (shares){body->pull.k, body->pull.delta};
}

static void load_goal(const sup_world* world, const supi_body* body, int32_t c, sup_row* out) {
    const supi_lattice* lattice = body->blueprint->lattice;
    const supi_goal* goal = world->goals + body->cluster + c;
    const shares share = shares_in(body, c);
    const int32_t own[3] = {0, 0, 0};
    float q[3], to[3], columns[3][3];
    supi_lattice_offset(lattice, c, own, q);
    for (int k = 0; k < 3; k++) {
        const float* m = goal->matrix + 3 * k;
        to[k] = share.goal * (m[0] * q[0] + m[1] * q[1] + m[2] * q[2] + goal->shift[k]);
        for (int j = 0; j < 3; j++) columns[j][k] = share.goal * (float)lattice->spacing * m[j];
    }
    out[SUPI_CELL_GOAL] = row_of(to, share.goal);
    for (int j = 0; j < 3; j++) out[SUPI_CELL_MATRIX + j] = row_of(columns[j], 0.0f);
    if (body->kind != SUPI_CLUSTER_DAMPED) return;
    float carried[3], drift[3], turn[3];
    cross(goal->spin, goal->offset, carried);
    for (int k = 0; k < 3; k++) {
        drift[k] = share.rigid * (goal->velocity[k] - carried[k]);
        turn[k] = share.rigid * goal->spin[k];
    }
    out[SUPI_CELL_DRIFT] = row_of(drift, share.rigid);
    out[SUPI_CELL_TURN] = row_of(turn, 0.0f);
}

void supi_lattice_ask_slab(const sup_world* world, const supi_state* from, const supi_body* body,
                           int32_t slab) {
    const supi_lattice* lattice = body->blueprint->lattice;
    const slice s = slice_of(lattice, MEDIUM, slab);
    size_t bytes = (size_t)rows_per_cell(body) * sizeof(sup_row);
    for (int32_t i = 0; i < s.count; i++) {
        for (int32_t j = 0; j < s.narrow; j++) {
            ptrdiff_t cell = s.first + i * s.step + j * s.narrow_step;
            sup_row* rows = cell_rows(world, body, cell);
            if (lattice->rows[cell] >= 0)
                load_goal(world, body, lattice->rows[cell], rows);
            else
                memset(rows, 0, bytes);
        }
    }
    slide_asks(world, from, body, (lines){LONG, MEDIUM, slab});
}

/* Turns the sums at a node into the change of velocity that its clusters ask for, the mean of
   k (goal - x) + delta (v_rigid - v), in the first row. */
static void answer_node(const supi_body* body, const supi_state* from, int32_t row, sup_row* rows) {
    const sup_row *x = from->x + body->row + row, *v = from->v + body->row + row;
    const shares share = shares_out(body);
    sup_row *goal = rows + SUPI_CELL_GOAL, *drift = rows + SUPI_CELL_DRIFT,
            *turn = rows + SUPI_CELL_TURN;
    float mean = body->blueprint->share[row], d[3], asked[3];
    relative_place(body, from, row, x, v, d);
    asked[0] = share.goal * (goal->x - goal->w * d[0]);
    asked[1] = share.goal * (goal->y - goal->w * d[1]);
    asked[2] = share.goal * (goal->z - goal->w * d[2]);
    if (body->kind == SUPI_CLUSTER_DAMPED) {
        float u[3], rigid[3];
        relative_speed(body, from, row, v, u);
        cross((const float[3]){turn->x, turn->y, turn->z}, d, rigid);
        asked[0] += share.rigid * ((drift->x + rigid[0]) - drift->w * u[0]);
        asked[1] += share.rigid * ((drift->y + rigid[1]) - drift->w * u[1]);
        asked[2] += share.rigid * ((drift->z + rigid[2]) - drift->w * u[2]);
    }
    *goal = (sup_row){mean * asked[0], mean * asked[1], mean * asked[2], 0.0f};
}

void supi_lattice_ask_plane(const sup_world* world, const supi_state* from, const supi_body* body,
                            int32_t plane) {
    const supi_lattice* lattice = body->blueprint->lattice;
    const slice s = slice_of(lattice, LONG, plane);
    slide_asks(world, from, body, (lines){MEDIUM, LONG, plane});
    slide_asks(world, from, body, (lines){SHORT, LONG, plane});
    for (int32_t i = 0; i < s.count; i++) {
        for (int32_t j = 0; j < s.narrow; j++) {
            ptrdiff_t cell = s.first + i * s.step + j * s.narrow_step;
            int32_t row = lattice->rows[cell];
            if (row >= 0) answer_node(body, from, row, cell_rows(world, body, cell));
        }
    }
}

/* ---- Moving ---- */

void supi_lattice_move(const sup_world* world, const supi_state* from, const supi_body* body,
                       int32_t begin, int32_t end, supi_extent* box) {
    const supi_pull* p = &body->pull;
    for (int32_t r = begin; r < end; r++) {
        const sup_row* asked = cell_rows(world, body, body->blueprint->lattice->cells[r]);
        sup_row at = from->x[body->row + r], u = from->v[body->row + r];
        u.x += p->acceleration[0] + asked->x;
        u.y += p->acceleration[1] + asked->y;
        u.z += p->acceleration[2] + asked->z;
        at.x += p->h * u.x;
        at.y += p->h * u.y;
        at.z += p->h * u.z;
        at.w += 0.0f * u.w; /* a radius that is not finite shows in the box */
        world->now.v[body->row + r] = u;
        world->now.x[body->row + r] = at;
    }
    world->kernels->inspect(world->now.x + body->row, begin, end, box);
}

void supi_lattice_goal(const sup_world* world, const supi_body* body, int32_t row, float to[3]) {
    const sup_blueprint* print = body->blueprint;
    for (int k = 0; k < 3; k++) to[k] = 0.0f;
    /* The nodes of its own cluster are those whose clusters hold it. */
    supi_member_walk m = supi_members_of(print, row);
    while (supi_members_next_node(&m)) {
        int32_t steps[3];
        float q[3], goal[3];
        for (int k = 0; k < 3; k++) steps[k] = m.node[k] - m.at[k];
        supi_lattice_offset(print->lattice, m.row, steps, q);
        supi_goal_at(world->goals + body->cluster + m.row, NULL, q, goal);
        for (int k = 0; k < 3; k++) to[k] += print->share[row] * goal[k];
    }
}
