/* The transform of a glTF node: a matrix, or translation, rotation and scale. */
#include <math.h>

#include "file/gltf_scene.h"

/* Given by columns; the last row of what moves points is (0, 0, 0, 1). */
static sup_result from_matrix(const supi_gltf* gltf, const supi_json* node, const double m[16],
                              double local[12]) {
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
        return supi_gltf_fail(gltf, supi_json_find(node, "matrix"),
                              "the last row of \"matrix\" must be 0, 0, 0, 1");
    }
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            local[4 * row + column] = m[4 * column + row];
        }
    }
    return SUP_OK;
}

static void from_parts(const double t[3], const double q[4], const double s[3], double local[12]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y),
    };
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            local[4 * row + column] = rotation[3 * row + column] * s[column];
        }
        local[4 * row + 3] = t[row];
    }
}

sup_result supi_gltf_transform_read(const supi_gltf* gltf, const supi_json* node,
                                    double local[12]) {
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    bool whole, moved, turned, scaled;
    sup_result result = supi_gltf_numbers(gltf, node, "matrix", 16, m, &whole);
    if (result == SUP_OK) result = supi_gltf_numbers(gltf, node, "translation", 3, t, &moved);
    if (result == SUP_OK) result = supi_gltf_numbers(gltf, node, "rotation", 4, q, &turned);
    if (result == SUP_OK) result = supi_gltf_numbers(gltf, node, "scale", 3, s, &scaled);
    if (result != SUP_OK) return result;
    if (whole && (moved || turned || scaled)) {
        return supi_gltf_fail(gltf, node,
                              "a node has a \"matrix\" or translation, rotation and scale, "
                              "not both");
    }
    if (whole) return from_matrix(gltf, node, m, local);
    /* Writers round to float or to a few digits; what is further off is no rotation. */
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.99 && length < 1.01)) {
        return supi_gltf_fail(gltf, supi_json_find(node, "rotation"),
                              "\"rotation\" must be a quaternion of length 1");
    }
    for (int i = 0; i < 4; i++) q[i] /= length;
    from_parts(t, q, s, local);
    return SUP_OK;
}
