/* The numbers of sup_overlap_settings, said once: name, least, most, default. */
#ifndef SUPPLE_WORLD_OVERLAP_NUMBERS_H
#define SUPPLE_WORLD_OVERLAP_NUMBERS_H

#define SUPI_OVERLAP_NUMBERS(NUMBER)                                                               \
    NUMBER(stiffness, 0.1, 1, 0.5)                                                                 \
    NUMBER(depart, 0, 20, 4)                                                                       \
    NUMBER(shift, 1, 60, 15)                                                                       \
    NUMBER(damping, 0, 0.75, 0.3)

#endif
