/* The key `clay` of a body. */
#ifndef SUPPLE_SCENE_CLAY_H
#define SUPPLE_SCENE_CLAY_H

#include "scene/draft.h"

/* Refuses keys of bodies that cannot be clay. */
sup_result supi_clay_draft_check(const supi_reader* reader, const supi_body_draft* body);
sup_clay_settings supi_clay_draft_settings(const supi_clay_draft* draft);

#endif
