/* The friction of the paper of 2011 for one particle, in double: the slow twin of
   supi_turning_drag. */
#ifndef SUPPLE_TESTS_REF_DRAG_H
#define SUPPLE_TESTS_REF_DRAG_H

/* n: unit, out of the surface, which moves with `surface`; `arm` from the centre to where they
   touch. Changes v, and then w by the slip that the new v leaves. */
void ref_drag(const double n[3], const double surface[3], const double arm[3], double linear,
              double turning, double v[3], double w[3]);

#endif
