/* Supple: worlds of soft bodies. This header includes all that a world needs.

   Make a blueprint (the recipe), put bodies made from it and colliders into a world, then step the
   world:

       sup_world_step(world, 1.0 / 60.0);

   Every definition comes filled with defaults from its sup_x_default(). Calls that can fail return
   a sup_result; one that is not SUP_OK has changed nothing. Pointers must not be NULL unless a
   comment says what NULL means. A world and everything in it may be used by one thread at a time;
   different worlds by different threads. Lengths are metres, masses kilograms, times seconds,
   angles radians; y is up by default. */
#ifndef SUPPLE_SUPPLE_H
#define SUPPLE_SUPPLE_H

#include "supple/attachment.h"
#include "supple/blob.h"
#include "supple/blueprint.h"
#include "supple/body.h"
#include "supple/clay.h"
#include "supple/collider.h"
#include "supple/contact.h"
#include "supple/diagnose.h"
#include "supple/fit.h"
#include "supple/query.h"
#include "supple/snapshot.h"
#include "supple/weave.h"
#include "supple/world.h"

#endif
