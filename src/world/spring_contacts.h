/* Contacts of implicit bodies with colliders: planes that their particles slide on, while the
   springs are solved. */
#ifndef SUPPLE_WORLD_SPRING_CONTACTS_H
#define SUPPLE_WORLD_SPRING_CONTACTS_H

#include "world/elastic.h"
#include "world/springs.h"

/* Room for them; false: no memory. */
bool supi_spring_contacts_make(supi_elastic* e, const sup_blueprint* print);

/* Finds the slides of a body that is about to move on from x and v: of what it touches, but for
   parts of a substep, which leave that to its contacts, and of what attachments lead. */
void supi_spring_contacts_find(const supi_springs_way* way, supi_body* body, const sup_row* x,
                               const sup_row* v);

/* After the substep's contacts were found: gives these what their planes have pushed already, for
   friction and all who ask for impulses. */
void supi_spring_contacts_tell(sup_world* world, float h);

#endif
