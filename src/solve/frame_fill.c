/* The numbers of a net of oriented particles: all that follows from places at rest, moments, and
   which groups and parts are awake. */
#include "solve/frame_build.h"
#include "solve/turns.h"

/* ---- Rows ---- */

#define THIN 4e-4 /* of a second moment: the square of a fiftieth */

/* Second moment of what is no thinner than a fiftieth of its length: nothing would keep a needle
   from turning about itself. Returns its trace. */
static double thicken(const float moment[6], double out[6]) {
    double trace = 0.0, inertia[6];
    for (int k = 0; k < 6; k++) out[k] = (double)moment[k], trace += k < 3 ? out[k] : 0.0;
    for (int k = 0; k < 6; k++) inertia[k] = (k < 3 ? trace : 0.0) - out[k];
    if (supi_symmetric_volume(inertia) >= 2.0 * THIN * trace * trace * trace) return trace;
    for (int k = 0; k < 3; k++) out[k] += THIN * trace;
    return (1.0 + 3.0 * THIN) * trace;
}

void supi_frame_fill_moment(const float moment[6], bool pinned, supi_frame_rest* rest,
                            int32_t row) {
    supi_frame_rows8* eight = rest->rows + row / 8;
    int32_t lane = supi_lane_order(row & 7);
    double own[6], inertia[6], inverse[6] = {0}, trace = thicken(moment, own);
    for (int k = 0; k < 6; k++) inertia[k] = (k < 3 ? trace : 0.0) - own[k];
    if (!pinned) supi_symmetric_invert(inertia, inverse);
    for (int k = 0; k < 6; k++) {
        eight->moment[k][lane] = (float)own[k];
        eight->inertia[k][lane] = (float)inertia[k];
        eight->inverse[k][lane] = (float)inverse[k];
    }
    eight->plain[lane] = trace > 0.0 ? 0.0f : 1.0f;
}

/* ---- Places ---- */

/* Where a row is at rest for another: a joint where the part has it that both are in. */
static void place_by(const supi_frame_net* net, const supi_frame_rest* rest, int32_t row,
                     int32_t other, double out[3]) {
    int32_t begin = net->row_part_starts[row], end = net->row_part_starts[row + 1];
    const sup_vec3* place = rest->place + row;
    for (int32_t i = begin; end - begin > 1 && i < end; i++) {
        if (!supi_weld_holds(net, net->row_parts[i], other)) continue;
        place = rest->stand + net->row_places[i];
        break;
    }
    supi_vector_from(place, out);
}

/* ---- Groups ---- */

/* Groups that hold the row and are awake. */
static int32_t awake_groups(const supi_frame_net* net, const supi_frame_rest* rest, int32_t row) {
    int32_t count = 0;
    for (int32_t i = net->neighbour_starts[row] - 1; i < net->neighbour_starts[row + 1]; i++) {
        int32_t other = i < net->neighbour_starts[row] ? row : net->neighbours[i];
        int32_t group = net->group_of[other];
        count += group >= 0 && rest->awake[group] != 0;
    }
    return count;
}

static void wake_groups(const supi_frame_net* net, supi_frame_rest* rest) {
    for (int32_t i = 0; i < net->particle_count; i++) {
        if (net->group_of[i] < 0) continue;
        int32_t begin = net->row_part_starts[i], end = net->row_part_starts[i + 1];
        uint8_t awake = end > begin ? 2 : 1;
        for (int32_t k = begin; k < end; k++) awake = rest->soft[net->row_parts[k]] ? awake : 0;
        rest->awake[net->group_of[i]] = awake;
    }
}

static void weigh_rows(const supi_frame_net* net, supi_frame_rest* rest) {
    for (int32_t i = 0; i < net->row_count; i++) {
        supi_frame_rows8* eight = rest->rows + i / 8;
        int32_t lane = supi_lane_order(i & 7), held = awake_groups(net, rest, i);
        eight->mass[lane] = net->mass[i];
        eight->weight[SUP_FRAME_MEAN][lane] = held > 0 ? net->pin_factor[i] / (float)held : 0.0f;
        eight->weight[SUP_FRAME_CLASSIC][lane] = net->pin_factor[i];
    }
}

static double weight_of(const supi_frame_net* net, const supi_frame_rest* rest, int32_t row,
                        sup_frame_mode mode) {
    float weight = rest->rows[row / 8].weight[mode][supi_lane_order(row & 7)];
    return (double)weight * (double)net->mass[row];
}

/* Middle of the group about a row, by the weights of a mode. Returns the sum of weights. */
static double middle_of(const supi_frame_net* net, const supi_frame_rest* rest, int32_t row,
                        sup_frame_mode mode, double middle[3]) {
    double sum = 0.0, centre[3];
    int32_t begin = net->neighbour_starts[row], end = net->neighbour_starts[row + 1];
    supi_vector_from(rest->place + row, centre);
    middle[0] = middle[1] = middle[2] = 0.0;
    for (int32_t i = begin - 1; i < end; i++) {
        int32_t member = i < begin ? row : net->neighbours[i];
        double w = weight_of(net, rest, member, mode), p[3];
        place_by(net, rest, member, row, p);
        sum += w;
        for (int k = 0; k < 3; k++) middle[k] += w * (p[k] - centre[k]);
    }
    for (int k = 0; k < 3; k++) middle[k] = centre[k] + (sum > 0.0 ? middle[k] / sum : 0.0);
    return sum;
}

/* Offset of a row from the middle of the group about `centre`, into a lane. */
static void set_offset(supi_frame_column* column, int32_t lane, const supi_frame_net* net,
                       const supi_frame_rest* rest, int32_t row, int32_t centre,
                       const double middle[3]) {
    double p[3];
    place_by(net, rest, row, centre, p);
    column->x[lane] = (float)(p[0] - middle[0]);
    column->y[lane] = (float)(p[1] - middle[1]);
    column->z[lane] = (float)(p[2] - middle[2]);
}

static void fill_batch(const supi_frame_net* net, const supi_frame_rest* rest, sup_frame_mode mode,
                       supi_frame_batch* batch, supi_frame_column* columns) {
    for (int j = 0; j < 8; j++) {
        int32_t row = batch->centre[j], lane = supi_lane_order(j);
        int32_t size = net->neighbour_starts[row + 1] - net->neighbour_starts[row] + 1;
        bool awake = rest->awake[batch->group[j]] != 0;
        double left[3] = {0, 0, 0}, middle[3], sum = middle_of(net, rest, row, mode, middle);
        batch->inverse_weight[lane] = awake && sum > 0.0 ? (float)(1.0 / sum) : 0.0f;
        for (int32_t c = 0; c < batch->end - batch->begin; c++) {
            supi_frame_column* column = columns + batch->begin + c;
            int32_t member = column->at[j];
            bool there = c < size;
            set_offset(column, lane, net, rest, member, row, middle);
            double mu = weight_of(net, rest, member, mode);
            column->mu[lane] = there && awake ? (float)mu : 0.0f;
            column->share[lane] = there ? 1.0f : 0.0f;
            mu = (double)column->mu[lane];
            left[0] += mu * (double)column->x[lane];
            left[1] += mu * (double)column->y[lane];
            left[2] += mu * (double)column->z[lane];
        }
        for (int k = 0; k < 3; k++) {
            batch->residue[k][lane] = (float)(left[k] * (double)batch->inverse_weight[lane]);
        }
    }
}

static void fill_blend(const supi_frame_net* net, const supi_frame_rest* rest,
                       supi_frame_blend* blend, supi_frame_column* columns,
                       const int32_t* centre_of) {
    for (int j = 0; j < 8; j++) {
        int32_t row = blend->row[j], lane = supi_lane_order(j), from = supi_lane_order(row & 7);
        blend->follows[lane] = rest->rows[row / 8].follows[from];
        blend->plain[lane] = rest->rows[row / 8].plain[from];
        int32_t held = awake_groups(net, rest, row);
        for (int32_t c = 0; c < blend->end - blend->begin; c++) {
            supi_frame_column* column = columns + blend->begin + c;
            int32_t group = column->at[j];
            bool there = c < net->groups_held[row] && rest->awake[group] != 0;
            double middle[3];
            middle_of(net, rest, centre_of[group], SUP_FRAME_MEAN, middle);
            set_offset(column, lane, net, rest, row, centre_of[group], middle);
            column->share[lane] = there && held > 0 ? 1.0f / (float)held : 0.0f;
        }
    }
}

static void fill_groups(const supi_frame_net* net, supi_frame_rest* rest) {
    for (int32_t i = 0; i < net->group_count / 8; i++) {
        fill_batch(net, rest, SUP_FRAME_MEAN, rest->batches + i, rest->columns);
    }
    for (int32_t i = 0; i < net->classic_count; i++) {
        fill_batch(net, rest, SUP_FRAME_CLASSIC, rest->classic + i, rest->classic_columns);
    }
    for (int32_t i = 0; i < net->blend_count; i++) {
        fill_blend(net, rest, rest->blends + i, rest->shares, net->centre_of);
    }
}

/* ---- Links ---- */

static bool oriented(const supi_frame_rest* rest, int32_t row) {
    return !(rest->rows[row / 8].plain[supi_lane_order(row & 7)] > 0.0f);
}

/* A rigid part that has both ends does all that a link could. */
static bool idle(const supi_frame_net* net, const supi_frame_rest* rest, int32_t a, int32_t b) {
    return supi_weld_together(net, a, b, rest->soft);
}

/* As long as it was made; and as much longer as its ends have flowed apart. */
static float length_of(const supi_frame_net* net, const supi_frame_rest* rest,
                       const sup_link* link) {
    const supi_frame_rest* rests[2] = {&net->rest, rest};
    double far[2];
    for (int k = 0; k < 2; k++) {
        double a[3], b[3], d[3];
        place_by(net, rests[k], link->a, link->b, a);
        place_by(net, rests[k], link->b, link->a, b);
        supi_vector_subtract(a, b, d);
        far[k] = supi_vector_length(d);
    }
    double length = (double)link->length + (far[1] - far[0]);
    return length > 0.0 ? (float)length : 0.0f;
}

static void fill_links(const supi_frame_net* net, supi_frame_rest* rest) {
    for (int32_t i = 0; i < 8 * net->link8_count; i++) {
        supi_frame_link8* eight = rest->links + i / 8;
        const sup_link* link = net->links + net->link_of[i];
        int32_t lane = supi_lane_order(i & 7);
        eight->length[lane] = length_of(net, rest, link);
        eight->compliance[lane] = link->compliance;
        eight->damping[lane] = link->damping;
        eight->on[lane] = idle(net, rest, link->a, link->b) ? 0.0f : 1.0f;
        bool damped = link->compliance > 0.0f && link->damping > 0.0f;
        eight->damped = damped || ((i & 7) > 0 && eight->damped);
    }
}

static bool twists(const supi_frame_net* net, const supi_frame_rest* rest, const sup_link* link) {
    return oriented(rest, link->a) && oriented(rest, link->b) && !idle(net, rest, link->a, link->b);
}

/* Number of links at either end that twist. */
static void count_twists(const supi_frame_net* net, supi_frame_rest* rest, int32_t slot) {
    supi_frame_twist8* eight = rest->twists + slot / 8;
    const sup_link* link = net->links + net->twist_of[slot];
    int32_t na = 0, nb = 0, lane = supi_lane_order(slot & 7);
    for (int32_t k = net->twist_starts[link->a]; k < net->twist_starts[link->a + 1]; k++) {
        na += twists(net, rest, net->links + net->twists_at[k]);
    }
    for (int32_t k = net->twist_starts[link->b]; k < net->twist_starts[link->b + 1]; k++) {
        nb += twists(net, rest, net->links + net->twists_at[k]);
    }
    bool on = twists(net, rest, link);
    eight->na[lane] = on ? (float)na : 0.0f;
    eight->nb[lane] = on ? (float)nb : 0.0f;
    eight->compliance[lane] = link->torsion;
    eight->tiny[lane] = 1e-6f * length_of(net, rest, link) + 1e-30f;
}

/* ---- Parts ---- */

/* Middle and offsets are those at rest; a row in several parts that are rigid gives each the same
   share of its mass. */
static void fill_part(const supi_frame_net* net, supi_frame_rest* rest, int32_t part) {
    double sum = 0.0, middle[3] = {0, 0, 0};
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    for (int32_t i = begin; i < end; i++) {
        int32_t row = net->part_members[i], rigid = 0;
        for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
            rigid += !rest->soft[net->row_parts[k]];
        }
        float weight = net->pin_factor[row] * net->mass[row];
        rest->member_mass[i] = weight / (float)(rigid > 0 ? rigid : 1);
        double p[3], w = (double)rest->member_mass[i];
        supi_vector_from(rest->place + row, p);
        sum += w;
        for (int k = 0; k < 3; k++) middle[k] += w * p[k];
    }
    for (int k = 0; k < 3; k++) middle[k] = sum > 0.0 ? middle[k] / sum : 0.0;
    for (int32_t i = begin; i < end; i++) {
        double p[3];
        supi_vector_from(rest->place + net->part_members[i], p);
        rest->offset[i] = supi_vector_round(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]);
    }
}

void supi_frame_fill(const supi_frame_net* net, supi_frame_rest* rest) {
    wake_groups(net, rest);
    weigh_rows(net, rest);
    fill_groups(net, rest);
    fill_links(net, rest);
    for (int32_t i = 0; i < 8 * net->twist8_count; i++) {
        if (net->twist_of[i] >= 0) count_twists(net, rest, i);
    }
    for (int32_t i = 0; i < net->part_count; i++) fill_part(net, rest, i);
}
