#include "geom/main_axes.h"

#include "geom/eigen.h"
#include "geom/vector.h"

/* About their middle, so that symmetric sets give moments of exactly 0. */
void supi_main_axes(int32_t count, supi_place_of* place, const void* context, double axes[9]) {
    double middle[3] = {0.0, 0.0, 0.0}, moments[9] = {0.0}, values[3], at[3];
    for (int32_t i = 0; i < count; i++) {
        place(context, i, at);
        for (int k = 0; k < 3; k++) middle[k] += at[k] / count;
    }
    for (int32_t i = 0; i < count; i++) {
        place(context, i, at);
        supi_vector_subtract(at, middle, at);
        for (int k = 0; k < 9; k++) moments[k] += at[k / 3] * at[k % 3];
    }
    supi_eigen_symmetric(3, moments, values, axes);
}
