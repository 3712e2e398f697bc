/* The nodes and meshes of a glTF file, and the parts of its scene one after the other. */
#ifndef SUPPLE_FILE_GLTF_SCENE_H
#define SUPPLE_FILE_GLTF_SCENE_H

#include "file/gltf_file.h"
#include "supple/types.h"

typedef enum supi_gltf_mode {
    SUPI_GLTF_POINTS = 0,
    SUPI_GLTF_TRIANGLES = 4,
    SUPI_GLTF_STRIP = 5,
    SUPI_GLTF_FAN = 6
} supi_gltf_mode;

/* Triangles over their points, or points alone. */
typedef struct supi_gltf_primitive {
    const supi_json* place;
    int32_t mode;
    const supi_gltf_accessor* positions;
    const supi_gltf_accessor* indices; /* NULL: the points in their order */
    /* Differences from the positions (target_count of the mesh); NULL: they are all zero. */
    const supi_gltf_accessor** targets;
    bool shares_points; /* with the primitive before it */
} supi_gltf_primitive;

typedef struct supi_gltf_mesh {
    const supi_json* place;
    int32_t primitive_count, target_count;
    supi_gltf_primitive* primitives;
    double* weights; /* of the targets, where nothing else says so (target_count) */
    bool checked;    /* its accessors may be read */
} supi_gltf_mesh;

/* The node after the last one is the scene: parent of its roots. Links are -1 at the end. */
typedef struct supi_gltf_node {
    const supi_json* place;
    int32_t parent, first_child, last_child, next;
    int32_t mesh;
    double* weights;     /* of the mesh (its target_count); NULL without targets */
    double to_scene[12]; /* three rows; to the parent until the scene is walked */
    bool in_scene;
    bool moves_points; /* it or a node below it has a mesh */
    int32_t walk;      /* which search for cycles came by */
} supi_gltf_node;

/* One primitive at one node. */
typedef struct supi_gltf_part {
    const supi_gltf_node* node;
    const supi_gltf_mesh* mesh;
    const supi_gltf_primitive* primitive;
    int32_t first_point; /* of its points in the whole */
} supi_gltf_part;

typedef struct supi_gltf_scene {
    int32_t node_count, mesh_count, part_count, point_count;
    supi_gltf_node* nodes; /* (node_count + 1) */
    supi_gltf_mesh* meshes;
    supi_gltf_part* parts; /* depth first, children in their order */
    double* scratch;       /* room for the numbers of any accessor of any part */
    bool has_skins;        /* a node with a mesh names one; what they are is not looked at */
} supi_gltf_scene;

sup_result supi_gltf_scene_read(supi_gltf* gltf, supi_gltf_scene* scene);

/* The parts of it: the meshes of the file; a mesh before its first use. */
sup_result supi_gltf_meshes_read(supi_gltf* gltf, supi_gltf_scene* scene);
sup_result supi_gltf_mesh_check(supi_gltf* gltf, supi_gltf_mesh* mesh);

/* `local` = three rows of the matrix or translation, rotation and scale of a node. */
sup_result supi_gltf_transform_read(const supi_gltf* gltf, const supi_json* node, double local[12]);

/* How many indices (or points) a primitive draws, and how many triangles they make. */
static inline int32_t supi_gltf_index_count(const supi_gltf_primitive* primitive) {
    return primitive->indices ? primitive->indices->count : primitive->positions->count;
}
static inline int32_t supi_gltf_triangle_count(const supi_gltf_primitive* primitive) {
    int32_t count = supi_gltf_index_count(primitive);
    if (primitive->mode == SUPI_GLTF_POINTS) return 0;
    return primitive->mode == SUPI_GLTF_TRIANGLES ? count / 3 : count - 2;
}

/* The points of a part in the scene, with these weights of the targets. */
sup_result supi_gltf_part_pose(const supi_gltf* gltf, const supi_gltf_scene* scene,
                               const supi_gltf_part* part, const double* weights, sup_vec3* points);

#endif
