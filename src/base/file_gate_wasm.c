/* A machine without files: whoever has some passes a gate of his own. */
#include "supple/base.h"

static sup_result no_open(void* user, const char* path, sup_file_mode mode, void** file) {
    (void)user, (void)path, (void)file;
    return mode == SUP_FILE_CREATE ? SUP_IO : SUP_NOT_FOUND;
}

static sup_result no_rename(void* user, const char* from, const char* to) {
    (void)user, (void)from, (void)to;
    return SUP_NOT_FOUND;
}

static sup_result no_remove(void* user, const char* path) {
    (void)user, (void)path;
    return SUP_NOT_FOUND;
}

/* The calls about an open file are never made. */
const sup_file_gate* sup_file_gate_default(void) {
    static const sup_file_gate gate = {.open = no_open, .rename = no_rename, .remove = no_remove};
    return &gate;
}
