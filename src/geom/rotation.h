/* Rotation part of a 3x3 matrix: the R in SO(3) that maximises tr(R^T B), also for singular and
 * inverted B. */
#ifndef SUPPLE_GEOM_ROTATION_H
#define SUPPLE_GEOM_ROTATION_H

/* Cold start in double: largest eigenvector of the 4x4 quaternion form. Where the answer is not
   unique the candidate nearest to q wins; B = 0 or non-finite leaves q = (x, y, z, w) as it is. B
   is row-major. */
void supi_rotation_cold(const float b[9], float q[4]);

#endif
