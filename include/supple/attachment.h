/* Attachments: a particle held to another, to a collider or to a place in the world. */
#ifndef SUPPLE_ATTACHMENT_H
#define SUPPLE_ATTACHMENT_H

#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sup_attachment_def {
    size_t size;
    sup_body body; /* what is held */
    int32_t particle;

    /* What holds it: a particle of another body (or of the same), else a collider, else the world.
     */
    sup_body other;
    int32_t other_particle;
    sup_collider collider;
    double point[3]; /* m, in the frame of the collider, or in the world */
    bool meet;       /* the two bodies still meet each other; default false: what is attached passes
                        through.       A particle and the collider that holds it never meet */
    bool here;       /* `point` is where the particle is now; default false */

    double length;    /* m, distance kept; default 0; < 0: the present one */
    double stiffness; /* N/m, 0..1e9; 0 (default): does not give way; ends that are apart are reeled
                         in at a few body sizes/s. 50..5000 to drag with a mouse */
    double damping; /* N s/m, 0..1e9, default 0; along the line, or where length is 0 against every
                       motion of the two ends. Not used where stiffness is 0 */
    double force_limit; /* N, pulls no harder; 0 (default): no limit */
    double break_force; /* N, mean of a step above which it breaks; 0 (default): never */
    uint64_t user;
} sup_attachment_def;

SUP_API sup_attachment_def sup_attachment_default(void);
/* It goes by itself when its body, other or collider does. A load F draws a single particle of mass
   m out of a soft body by F / (m stiffness^2): hold several where the load is heavy. */
SUP_API sup_result sup_attachment_create(sup_world* world, const sup_attachment_def* def,
                                         sup_attachment* out, sup_error* error);
SUP_API sup_result sup_attachment_destroy(sup_world* world, sup_attachment attachment);
SUP_API bool sup_attachment_is_valid(const sup_world* world, sup_attachment attachment);
/* Living attachments in order of creation; returns how many there are, writes at most `capacity`.
 */
SUP_API int32_t sup_world_attachments(const sup_world* world, sup_attachment* out,
                                      int32_t capacity);
SUP_API uint64_t sup_attachment_user(const sup_world* world, sup_attachment attachment);
/* Where `point` is at the end of the next step; every substep goes its part of the way. */
SUP_API sup_result sup_attachment_move(sup_world* world, sup_attachment attachment,
                                       const double point[3], sup_error* error);
/* N, on `body`, mean of the last step. The other side feels the opposite. */
SUP_API sup_result sup_attachment_read_force(const sup_world* world, sup_attachment attachment,
                                             double force[3]);

#ifdef __cplusplus
}
#endif
#endif
