/* What the readers of GLB and glTF share: the file beside, and memory with the bound of readers. */
#ifndef SUPPLE_TESTS_FUZZ_GLB_H
#define SUPPLE_TESTS_FUZZ_GLB_H

#include "fuzz/meshes.h"

typedef struct fuzz_glb {
    fuzz_memory memory;
    fuzz_files files;
    const sup_allocator* allocator;
    const sup_file_gate* gate;
} fuzz_glb;

static inline void fuzz_glb_begin(fuzz_glb* glb, size_t size) {
    /* The points of a triangle, its indices as UNSIGNED_SHORT, and two bytes. */
    static const uint8_t beside[] = {
        0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0,    0,    1, 0, 2, 0, 0, 0,
    };
    static const fuzz_file files[] = {{"beside.bin", beside, sizeof beside}};
    /* The file beside is input too, once, however often it is named. */
    glb->allocator = fuzz_memory_begin(&glb->memory, size + sizeof beside);
    glb->gate = fuzz_files_begin(&glb->files, files, 1);
}

static inline void fuzz_glb_end(const fuzz_glb* glb) {
    fuzz_memory_end(&glb->memory);
    fuzz_files_end(&glb->files);
}

#endif
