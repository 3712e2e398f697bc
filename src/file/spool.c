/* See spool.h. */
#include "file/spool.h"

#include "base/memory.h"
#include "file/little_endian.h"

sup_result supi_spool_begin(supi_spool* spool, const sup_file_gate* gate,
                            const sup_allocator* allocator, const char* path) {
    *spool = (supi_spool){.gate = gate, .allocator = allocator};
    size_t size = 0;
    char* name = supi_file_join(allocator, path, ".points", &size);
    if (!name) return SUP_NO_MEMORY;
    sup_result result = supi_writer_begin(&spool->writer, gate, allocator, name, NULL);
    if (result == SUP_OK) {
        char ending[SUPI_TEMPORARY_ROOM];
        supi_file_temporary_ending(ending);
        spool->temporary = supi_file_join(allocator, name, ending, &spool->temporary_size);
        if (!spool->temporary) result = SUP_NO_MEMORY;
    }
    supi_memory_free(allocator, name, size, 1);
    return result;
}

sup_result supi_spool_put(supi_spool* spool, const sup_vec3* points, int32_t count) {
    supi_writer_put_points(&spool->writer, points, (size_t)count);
    return supi_writer_check(&spool->writer, NULL);
}

sup_result supi_spool_turn(supi_spool* spool) {
    sup_result result = supi_writer_park(&spool->writer, NULL);
    if (result != SUP_OK) return result;
    spool->parked = true;
    return spool->gate->open(spool->gate->user, spool->temporary, SUP_FILE_READ, &spool->file);
}

sup_result supi_spool_read(supi_spool* spool, uint64_t first, sup_vec3* points, int32_t count) {
    size_t floats = 3 * (size_t)count;
    sup_result result = supi_file_read_at(spool->gate, spool->file, 12 * first, points, 4 * floats);
    if (result != SUP_OK) return result == SUP_NOT_FOUND ? SUP_IO : result;
    float* values = &points->x;
    for (size_t i = 0; i < floats; i++) {
        values[i] = supi_little_float((const uint8_t*)&values[i]);
    }
    return SUP_OK;
}

sup_result supi_spool_close(supi_spool* spool) {
    sup_result result = spool->file ? spool->gate->close(spool->gate->user, spool->file) : SUP_OK;
    spool->file = NULL;
    return result;
}

void supi_spool_end(supi_spool* spool) {
    supi_writer_abort(&spool->writer);
    supi_spool_close(spool);
    if (spool->parked) spool->gate->remove(spool->gate->user, spool->temporary);
    if (spool->allocator) {
        supi_memory_free(spool->allocator, spool->temporary, spool->temporary_size, 1);
    }
    *spool = (supi_spool){0};
}
