/* The sweeps of contact for particles that turn or have other shapes than spheres. Each call is the
   twin of one in respond.h; grasps lie beside the contacts. */
#ifndef SUPPLE_CONTACT_RESPOND_TURNING_H
#define SUPPLE_CONTACT_RESPOND_TURNING_H

#include "contact/respond.h"

void supi_respond_turning_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                                  supi_contact* contacts, const supi_grasp* grasps, sup_row* x,
                                  sup_row* v, float h);
void supi_respond_turning_touches(const supi_touch* touches, const supi_surface* surfaces,
                                  supi_touch_contact* contacts, const supi_grasp* grasps,
                                  int32_t count, sup_row* x, sup_row* v, float h);
void supi_respond_turning_bounce_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                                         supi_contact* contacts, const supi_grasp* grasps,
                                         sup_row* x, sup_row* v, float h, float slow);
void supi_respond_turning_bounce_touches(const supi_touch* touches, const supi_surface* surfaces,
                                         supi_touch_contact* contacts, const supi_grasp* grasps,
                                         int32_t count, sup_row* x, sup_row* v, float h,
                                         float slow);

/* m, how deep a pair overlaps along its normal. */
float supi_respond_turning_depth(const supi_pairing* pairing, const supi_contact* contact,
                                 const supi_grasp* grasp, const sup_row* x, const sup_row* v);

#endif
