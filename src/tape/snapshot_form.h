/* What the two sides of a snapshot, saving and restoring, agree on. See docs/tape-format.md.

   Magic, version, size of the whole; sections of a tag, a size and their fields; a checksum. */
#ifndef SUPPLE_TAPE_SNAPSHOT_FORM_H
#define SUPPLE_TAPE_SNAPSHOT_FORM_H

#define SUPI_SNAPSHOT_MAGIC "\x89SUPS\r\n\x1a"
#define SUPI_SNAPSHOT_VERSION 5

enum {
    SUPI_SNAPSHOT_HEAD = 20, /* bytes: magic 8, version 4, size 8 */
    SUPI_SNAPSHOT_TAIL = 8   /* checksum of all before it */
};

/* In this order; BLUEPRINT as often as there are different ones. */
#define SUPI_SNAPSHOT_SETTINGS "SETT"
#define SUPI_SNAPSHOT_BLUEPRINT "BLUE"
#define SUPI_SNAPSHOT_BODIES "BODY"
#define SUPI_SNAPSHOT_COLLIDERS "COLL"
#define SUPI_SNAPSHOT_ATTACHMENTS "ATTA"
#define SUPI_SNAPSHOT_MEETINGS "MEET"
#define SUPI_SNAPSHOT_OVERLAPS "OVER"
#define SUPI_SNAPSHOT_CLAY "CLAY" /* only where a body is clay */

#endif
