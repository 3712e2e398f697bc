#include "ref/ref_drag.h"

#include "ref/ref_matrix.h"

void ref_drag(const double n[3], const double surface[3], const double arm[3], double linear,
              double turning, double v[3], double w[3]) {
    double lag[3], turn[3], by[3];
    for (int k = 0; k < 3; k++) lag[k] = surface[k] - v[k];
    double along = ref_dot(lag, n);
    for (int k = 0; k < 3; k++) v[k] += linear * (lag[k] - along * n[k]);
    ref_cross(w, arm, turn);
    for (int k = 0; k < 3; k++) lag[k] = surface[k] - v[k] - turn[k];
    ref_cross(arm, lag, by);
    for (int k = 0; k < 3; k++) w[k] += turning * by[k] / ref_dot(arm, arm);
}
