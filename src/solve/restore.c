#include "solve/restore.h"

#include "solve/turns.h"

void supi_restore_find(const double s[SUPI_FRAME_SUM_COUNT], const float reference[3], double h,
                       float u[3], float o[3], float middle[3]) {
    const double* shift = s + SUPI_FRAME_SUM_SHIFT;
    const double mass = s[SUPI_FRAME_SUM_MASS];
    double away[3], lost[3], inertia[6], inverse[6], turn[3], carried[3];
    for (int k = 0; k < 3; k++) {
        away[k] = s[SUPI_FRAME_SUM_PLACE + k] / mass;
        u[k] = (float)(-shift[k] / mass);
    }
    /* Rows started from where they are, less h v* and what was changed: the middle did, too. */
    const double* spread = s + SUPI_FRAME_SUM_SPREAD;
    double trace = spread[0] + spread[1] + spread[2];
    for (int k = 0; k < 6; k++) {
        inertia[k] = s[SUPI_FRAME_SUM_INERTIA + k] + (k < 3 ? trace : 0.0) - spread[k];
    }
    supi_symmetric_add_mass(-mass, away, inertia);
    supi_vector_cross(s + SUPI_FRAME_SUM_START, shift, carried);
    for (int k = 0; k < 3; k++) {
        lost[k] = s[SUPI_FRAME_SUM_SPIN + k] - carried[k] / (mass * h) + s[SUPI_FRAME_SUM_TURN + k];
    }
    supi_symmetric_regular(inertia);
    supi_symmetric_invert(inertia, inverse);
    supi_symmetric_apply(inverse, lost, turn);
    bool gives = supi_restore_gives(h, turn);
    for (int k = 0; k < 3; k++) {
        o[k] = gives ? (float)(-h * turn[k]) : 0.0f;
        middle[k] = (float)((double)reference[k] + away[k] - shift[k] / mass);
    }
}

void supi_restore_momenta(const supi_frame_net* net, const supi_frame_rest* rest,
                          const supi_frame_drive* drive, const supi_kernels* kernels,
                          const supi_frame_rows* rows) {
    const float reference[3] = {rows->x[0].x, rows->x[0].y, rows->x[0].z};
    float sums[SUPI_FRAME_SUM_COUNT], u[3], o[3], middle[3];
    double s[SUPI_FRAME_SUM_COUNT];
    kernels->frames->sums(rest->rows, net->row_count / 8, drive, rows, reference, sums);
    for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) s[k] = (double)sums[k];
    if (!(s[SUPI_FRAME_SUM_MASS] > 0.0)) return;
    supi_restore_find(s, reference, (double)drive->h, u, o, middle);
    kernels->frames->carry(rest->rows, net->row_count / 8, u, o, middle, rows);
}
