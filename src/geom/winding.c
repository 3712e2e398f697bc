/* Generalised winding number (Jacobson et al. 2013): the solid angle of the surface seen from a
   point, each triangle by the formula of Van Oosterom and Strackee (1983). */
#include "base/real.h"
#include "geom/vector.h"
#include "supple/mesh.h"

/* Half the solid angle of a triangle whose corners lie at a, b, c from the point. A triangle seen
   from its own plane adds nothing, so a point on a face gets 1/2. */
static double half_angle(const double a[3], const double b[3], const double c[3]) {
    double bc[3];
    supi_vector_cross(b, c, bc);
    double height = supi_vector_dot(a, bc);
    if (height == 0.0) return 0.0;
    double la = supi_vector_length(a), lb = supi_vector_length(b), lc = supi_vector_length(c);
    double base = la * lb * lc + supi_vector_dot(a, b) * lc + supi_vector_dot(b, c) * la +
                  supi_vector_dot(c, a) * lb;
    return supi_atan2(height, base);
}

double sup_mesh_winding(const sup_mesh* mesh, const double point[3]) {
    const double two_pi = 6.283185307179586;
    double sum = 0.0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        double a[3], b[3], c[3];
        supi_vector_from(&mesh->points[corners[0]], a);
        supi_vector_from(&mesh->points[corners[1]], b);
        supi_vector_subtract(a, point, a);
        supi_vector_subtract(b, point, b);
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            supi_vector_from(&mesh->points[corners[i]], c);
            supi_vector_subtract(c, point, c);
            sum += half_angle(a, b, c);
            for (int d = 0; d < 3; d++) b[d] = c[d];
        }
    }
    return sum / two_pi;
}
