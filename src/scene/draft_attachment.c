/* The tables of attachments. */
#include "scene/draft.h"

static const supi_end_draft end_defaults = {0};
static const supi_field end_fields[] = {
    SUPI_FIELD("body", SUPI_FIELD_TEXT, supi_end_draft, body, .flags = 0),
    SUPI_PICK(supi_end_draft, SUPI_EXCLUSIVE),
    SUPI_FIELD("collider", SUPI_FIELD_TEXT, supi_end_draft, collider, .flags = 0),
    SUPI_NUMBER("point", supi_end_draft, point, -SUPI_FAR, SUPI_FAR, 0),
    SUPI_FIELD("motion", SUPI_FIELD_OBJECT, supi_end_draft, motion,
               .table = &supi_draft_point_motion_table),
    SUPI_END};
static const supi_table end_table = {"the end of an attachment", &end_defaults, sizeof end_defaults,
                                     end_fields};

#define NUMBER(key, high) SUPI_NUMBER(#key, supi_attachment_draft, key, 0, high, 0)
#define FIELD(key, how, ...) SUPI_FIELD(#key, how, supi_attachment_draft, key, __VA_ARGS__)
static const supi_field attachment_fields[] = {FIELD(name, SUPI_FIELD_TEXT, .flags = 0),
                                               FIELD(body, SUPI_FIELD_TEXT, .flags = SUPI_REQUIRED),
                                               SUPI_PICK(supi_attachment_draft, SUPI_ALTERNATIVE),
                                               FIELD(to, SUPI_FIELD_OBJECT, .table = &end_table),
                                               NUMBER(length, SUPI_FAR),
                                               FIELD(keep_length, SUPI_FIELD_BOOL, .flags = 0),
                                               FIELD(meet, SUPI_FIELD_BOOL, .flags = 0),
                                               NUMBER(stiffness, 1e9),
                                               NUMBER(damping, 1e9),
                                               NUMBER(force_limit, 1e9),
                                               NUMBER(break_force, 1e9),
                                               SUPI_END};
static const supi_attachment_draft attachment_defaults = {0};
const supi_table supi_draft_attachment_table = {"an attachment", &attachment_defaults,
                                                sizeof attachment_defaults, attachment_fields};
