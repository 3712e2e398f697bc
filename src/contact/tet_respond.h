/* What contacts between bodies of tetrahedra do to them. Rows are as for respond.h: x = start of
   the substep + h v; a correction that becomes speed is added to x and, divided by h, to v.
   Impulses of a contact cancel; rows of no inverse mass stay where they are. */
#ifndef SUPPLE_CONTACT_TET_RESPOND_H
#define SUPPLE_CONTACT_TET_RESPOND_H

#include "contact/tet_depth.h"

typedef struct supi_tet_answer {
    float stiffness; /* share of the depth that one sweep takes away, 0.1..1 */
    float friction_static, friction_kinetic, restitution;
    float depart;  /* mean edges per s at which an overlap may open by itself */
    float shift;   /* mean edges per s at which the rest of it opens without becoming speed */
    float damping; /* of forces, as a share of the critical one */
} supi_tet_answer;

/* One sweep over contacts in their order: each takes a share of what is left of its depth, as its
   own of the answers says. */
void supi_tet_respond(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                      const supi_tet_answer* answers, float h);
/* m, what is left of the depth of a contact as its bodies are now; below 0: they are apart. */
float supi_tet_left(const supi_tet_body* bodies, const supi_tet_contact* c);
/* 1/kg: what a contact that pushes by 1 N s makes of the speed between its sides. */
float supi_tet_lightness(const supi_tet_body* bodies, const supi_tet_contact* c);

/* Before the first sweep: how fast they come. */
void supi_tet_approach(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count);
/* How far the hastiest of these pairs comes nearer within h, as wholes and the way its contacts
   look, over half the thickness of the thinner of its two bodies. */
float supi_tet_haste(const supi_tet_body* bodies, const supi_tet_pair* pairs, int32_t pair_count,
                     const supi_tet_contact* contacts, float h);
/* After the last: those that pushed and came faster than `slow` leave at that speed times the
   restitution. */
void supi_tet_bounce(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                     const supi_tet_answer* answers, float slow, float h);

/* For comparison, those with the flag of it: springs and dampers in place of corrections. Their
   forces act on v for h. */
void supi_tet_penalise(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                       const supi_tet_answer* answers, float h);

/* Before the first sweep. A body that is in another for the most part and all of it until it is
   out, is moved out of it as a whole, and the other away from it, by their masses: along the mean
   way out, as far as a shift may. Their contacts then stop approaches and do no more. Rows that
   moved alone would be pulled back by the rest of their body, which contacts then hinder: both
   would leave each other as from a bow. Pairs are those of the contacts. */
void supi_tet_carry(const supi_tet_body* bodies, const supi_tet_pair* pairs, int32_t pair_count,
                    supi_tet_contact* contacts, const supi_tet_answer* answers, float h);
/* One pair of bodies of that kind that is `deep` (m) in each other yet. False: nothing moves. */
bool supi_tet_carry_apart(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                          float deep, float shift, float h);
/* The same in the end, at once, and only that: where two are left that just touch, rounding makes
   contacts of them for ever. */
bool supi_tet_carry_free(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                         float deep);

#endif
