/* Answers contacts of many particles with one resting plane, eight at a time: each moves its own
   particle alone, so they need not wait for each other. */
#ifndef SUPPLE_CONTACT_PRESS_H
#define SUPPLE_CONTACT_PRESS_H

#include "contact/respond.h"

/* Contacts of rows that each have one of them and that contacts do not turn, all with one surface
   and one normal. */
typedef struct supi_press {
    supi_touch_contact* contacts;
    const supi_grasp* grasps;
    int32_t count;
    const supi_surface* surface;
    const supi_kin* kin;
    sup_row *x, *v;
    float h;
} supi_press;

/* One sweep over them, with the bits of supi_respond_turning_touches. */
typedef void supi_press_plane(const supi_press* press);

#endif
