/* The operations of `supple deform` on a mesh. */
#ifndef SUPPLE_TOOL_DEFORM_WORK_H
#define SUPPLE_TOOL_DEFORM_WORK_H

#include "deform_script.h"
#include "file/retouch.h"

/* A mesh that is deformed. */
typedef struct deform_work {
    const char* path;
    supi_bytes bytes; /* of its file */
    sup_mesh mesh;    /* as it came */
    bool joined;      /* points in one place, as glTF wants them at seams, are one in the clay: */
    sup_mesh seamless;
    sup_weld_map seams;
    sup_clay* clay;
    bool is_obj;
    supi_obj_detail detail; /* of an .obj */
    float* values;          /* of corners: uv, normal and colour */
    sup_pull_def splitting; /* what `split` has set */
    bool quiet;
    bool pulled;          /* there was a pull before: */
    int32_t* generations; /* of its points; the clay forgets them where another operation follows */
    int32_t generation_count;
    bool told_loss; /* what files of other kinds lose */
} deform_work;

/* Failures have been said. Close it in any case. */
tool_exit deform_open(deform_work* work, const char* path, bool quiet);
void deform_close(deform_work* work);
/* One operation; says what it did unless quiet. */
tool_exit deform_apply(deform_work* work, const supi_reader* reader,
                       const deform_operation* operation);
/* Whether points are elsewhere than `count` were before, or are more or fewer. */
bool deform_moved(const deform_work* work, const sup_vec3* before, int32_t count);
/* Points of a selection, to be freed; none: said. */
tool_exit deform_select(const deform_work* work, const supi_reader* reader,
                        const deform_operation* operation, int32_t** ids, int32_t* count);
/* Landmarks of an operation on `count` points. */
sup_result deform_landmarks(const deform_operation* operation, int32_t count, sup_vec3* points,
                            sup_landmarks_report* report, sup_error* error);
/* Warns where an affine map was wanted and could not be found. `whose`: "landmarks", "part 2". */
void deform_warn_of_fit(const char* whose, const sup_landmarks_report* report);
/* All points towards another mesh. A failure with the code SUP_OK in `error` has been said. */
sup_result deform_morph(const deform_work* work, const supi_reader* reader,
                        const deform_operation* operation, sup_vec3* points, sup_error* error);
/* Says what is wrong with an operation, after its place. */
tool_exit deform_wrap(const supi_reader* reader, const deform_operation* operation,
                      const sup_error* cause);
/* The mesh as it is now. While it differs from the one that came in where its points are at most
   (*same_faces), it has all points of that, seams too. `maps` may be NULL; it is that of the clay.
   Failures have been said. */
tool_exit deform_mesh_now(const deform_work* work, sup_mesh* out, sup_clay_maps* maps,
                          bool* same_faces);
/* Writes the mesh as it is now; what a file of the same kind had beside points is kept where that
   can be done, and what is lost is warned of, once. */
tool_exit deform_save(deform_work* work, const char* path);

#endif
