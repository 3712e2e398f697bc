/* The tree of nodes, walked once from the roots of the scene. */
#include "file/gltf_scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

/* --- nodes --- */

static sup_result adopt(const supi_gltf* gltf, supi_gltf_scene* scene, int32_t parent,
                        const supi_json* item) {
    int32_t child;
    sup_result result = supi_gltf_item_index(gltf, item, scene->node_count, &child);
    if (result != SUP_OK) return result;
    supi_gltf_node *family = &scene->nodes[parent], *node = &scene->nodes[child];
    if (node->parent >= 0) {
        return supi_gltf_fail(gltf, item, "node %d has a parent already", (int)child);
    }
    node->parent = parent;
    if (family->first_child < 0) {
        family->first_child = child;
    } else {
        scene->nodes[family->last_child].next = child;
    }
    family->last_child = child;
    return SUP_OK;
}

static sup_result read_weights(supi_gltf* gltf, const supi_gltf_mesh* mesh, supi_gltf_node* node) {
    bool given;
    size_t count = (size_t)mesh->target_count;
    node->weights = mesh->weights;
    if (!supi_json_find(node->place, "weights")) return SUP_OK;
    node->weights = supi_arena_push(&gltf->store, count, sizeof *node->weights);
    if (!node->weights) return supi_error_memory(gltf->error);
    return supi_gltf_numbers(gltf, node->place, "weights", mesh->target_count, node->weights,
                             &given);
}

static sup_result read_node(supi_gltf* gltf, supi_gltf_scene* scene, int32_t number) {
    supi_gltf_node* node = &scene->nodes[number];
    const supi_json* children;
    sup_result result = supi_gltf_index(gltf, node->place, "mesh", scene->mesh_count, &node->mesh);
    if (result == SUP_OK && node->mesh >= 0) {
        result = read_weights(gltf, &scene->meshes[node->mesh], node);
    }
    if (result == SUP_OK) result = supi_gltf_transform_read(gltf, node->place, node->to_scene);
    if (result == SUP_OK) {
        result = supi_gltf_field(gltf, node->place, "children", SUPI_JSON_ARRAY, &children);
    }
    if (result != SUP_OK || !children) return result;
    for (const supi_json* item = children->first; item && result == SUP_OK; item = item->next) {
        result = adopt(gltf, scene, number, item);
    }
    return result;
}

/* Every node has one parent at most, so a walk upwards that meets itself is a cycle. */
static sup_result check_cycles(const supi_gltf* gltf, supi_gltf_scene* scene) {
    for (int32_t first = 0; first < scene->node_count; first++) {
        int32_t walk = first + 1, node = first;
        while (node >= 0 && scene->nodes[node].walk == 0) {
            scene->nodes[node].walk = walk;
            node = scene->nodes[node].parent;
        }
        if (node >= 0 && scene->nodes[node].walk == walk) {
            return supi_gltf_fail(gltf, scene->nodes[node].place, "node %d is below itself",
                                  (int)node);
        }
    }
    return SUP_OK;
}

static sup_result read_nodes(supi_gltf* gltf, supi_gltf_scene* scene) {
    supi_gltf_table table;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "nodes", &table);
    if (result != SUP_OK) return result;
    scene->nodes = supi_arena_push(&gltf->store, (size_t)table.count + 1, sizeof *scene->nodes);
    if (!scene->nodes) return supi_error_memory(gltf->error);
    scene->node_count = table.count;
    for (int32_t i = 0; i <= table.count; i++) {
        supi_gltf_node* node = &scene->nodes[i];
        node->place = i < table.count ? table.rows[i] : gltf->json.root;
        node->parent = node->first_child = node->last_child = node->next = node->mesh = -1;
    }
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_node(gltf, scene, i);
    }
    return result == SUP_OK ? check_cycles(gltf, scene) : result;
}

/* --- the scene --- */

/* The one that the file names, else its first. */
static sup_result read_roots(supi_gltf* gltf, supi_gltf_scene* scene) {
    supi_gltf_table table;
    const supi_json* roots;
    int32_t chosen;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "scenes", &table);
    if (result == SUP_OK) {
        result = supi_gltf_index(gltf, gltf->json.root, "scene", table.count, &chosen);
    }
    if (result != SUP_OK) return result;
    if (table.count == 0) return supi_gltf_fail(gltf, gltf->json.root, "there is no scene");
    const supi_json* place = table.rows[chosen < 0 ? 0 : chosen];
    result = supi_gltf_field(gltf, place, "nodes", SUPI_JSON_ARRAY, &roots);
    if (result != SUP_OK || !roots) return result;
    for (const supi_json* item = roots->first; item && result == SUP_OK; item = item->next) {
        result = adopt(gltf, scene, scene->node_count, item);
    }
    return result;
}

/* The node after this one, depth first; the scene itself after the last. */
static int32_t following(const supi_gltf_scene* scene, int32_t node) {
    if (scene->nodes[node].first_child >= 0) return scene->nodes[node].first_child;
    while (node != scene->node_count && scene->nodes[node].next < 0) {
        node = scene->nodes[node].parent;
    }
    return node == scene->node_count ? node : scene->nodes[node].next;
}

/* a = b a, as if the fourth rows were (0, 0, 0, 1). */
static void put_before(const double b[12], double a[12]) {
    double product[12];
    for (int row = 0; row < 3; row++) {
        const double* r = b + 4 * row;
        for (int column = 0; column < 4; column++) {
            product[4 * row + column] =
                r[0] * a[column] + r[1] * a[4 + column] + r[2] * a[8 + column];
        }
        product[4 * row + 3] += r[3];
    }
    memcpy(a, product, sizeof product);
}

/* Takes a node into the scene and counts its parts. */
static sup_result enter(supi_gltf* gltf, supi_gltf_scene* scene, int32_t number, int64_t* points,
                        int64_t* largest) {
    supi_gltf_node* node = &scene->nodes[number];
    node->in_scene = true;
    put_before(scene->nodes[node->parent].to_scene, node->to_scene);
    if (node->mesh < 0) return SUP_OK;
    if (supi_json_find(node->place, "skin")) scene->has_skins = true;
    for (int32_t n = number; n >= 0 && !scene->nodes[n].moves_points; n = scene->nodes[n].parent) {
        scene->nodes[n].moves_points = true;
    }
    supi_gltf_mesh* mesh = &scene->meshes[node->mesh];
    sup_result result = supi_gltf_mesh_check(gltf, mesh);
    for (int32_t i = 0; i < mesh->primitive_count && result == SUP_OK; i++) {
        const supi_gltf_primitive* primitive = &mesh->primitives[i];
        int64_t count = primitive->positions->count;
        int64_t indices = supi_gltf_index_count(primitive);
        if (!primitive->shares_points) *points += count;
        *largest = 3 * count > *largest ? 3 * count : *largest;
        *largest = indices > *largest ? indices : *largest;
        uint64_t numbers = (uint64_t)count * (1 + (uint64_t)mesh->target_count) +
                           3 * (uint64_t)supi_gltf_triangle_count(primitive);
        result = supi_gltf_spend(gltf, node->place, numbers);
        if (scene->part_count == INT32_MAX || *points > INT32_MAX) {
            return supi_gltf_fail(gltf, node->place, "the scene has too many points");
        }
        scene->part_count++;
    }
    return result;
}

static void list_parts(supi_gltf_scene* scene) {
    int32_t point = 0, before = 0;
    supi_gltf_part* part = scene->parts;
    for (int32_t n = following(scene, scene->node_count); n != scene->node_count;
         n = following(scene, n)) {
        const supi_gltf_node* node = &scene->nodes[n];
        if (node->mesh < 0) continue;
        const supi_gltf_mesh* mesh = &scene->meshes[node->mesh];
        for (int32_t i = 0; i < mesh->primitive_count; i++, part++) {
            const supi_gltf_primitive* primitive = &mesh->primitives[i];
            if (!primitive->shares_points) {
                before = point;
                point += primitive->positions->count;
            }
            *part = (supi_gltf_part){node, mesh, primitive, before};
        }
    }
}

static sup_result walk(supi_gltf* gltf, supi_gltf_scene* scene) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    int64_t points = 0, largest = 0;
    memcpy(scene->nodes[scene->node_count].to_scene, identity, sizeof identity);
    for (int32_t n = following(scene, scene->node_count); n != scene->node_count;
         n = following(scene, n)) {
        sup_result result = enter(gltf, scene, n, &points, &largest);
        if (result != SUP_OK) return result;
    }
    if (points == 0) return supi_gltf_fail(gltf, gltf->json.root, "the scene has no mesh");
    scene->point_count = (int32_t)points;
    scene->parts = supi_arena_push(&gltf->store, (size_t)scene->part_count, sizeof *scene->parts);
    scene->scratch = supi_arena_push(&gltf->store, (size_t)largest, sizeof *scene->scratch);
    if (!scene->parts || !scene->scratch) return supi_error_memory(gltf->error);
    list_parts(scene);
    return SUP_OK;
}

sup_result supi_gltf_scene_read(supi_gltf* gltf, supi_gltf_scene* scene) {
    *scene = (supi_gltf_scene){0};
    sup_result result = supi_gltf_meshes_read(gltf, scene);
    if (result == SUP_OK) result = read_nodes(gltf, scene);
    if (result == SUP_OK) result = read_roots(gltf, scene);
    return result == SUP_OK ? walk(gltf, scene) : result;
}

/* --- points --- */

static double move(const double row[4], const double p[3]) {
    return row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
}

sup_result supi_gltf_part_pose(const supi_gltf* gltf, const supi_gltf_scene* scene,
                               const supi_gltf_part* part, const double* weights,
                               sup_vec3* points) {
    const supi_gltf_primitive* primitive = part->primitive;
    int32_t count = primitive->positions->count;
    double* sums = scene->scratch;
    memset(sums, 0, 3 * (size_t)count * sizeof *sums);
    supi_gltf_accessor_add(primitive->positions, 1, sums);
    for (int32_t i = 0; i < part->mesh->target_count; i++) {
        bool moves = primitive->targets[i] && weights[i] != 0;
        if (moves) supi_gltf_accessor_add(primitive->targets[i], weights[i], sums);
    }
    const double* m = part->node->to_scene;
    for (int32_t i = 0; i < count; i++, sums += 3) {
        double x = move(m, sums), y = move(m + 4, sums), z = move(m + 8, sums);
        double limit = (double)FLT_MAX;
        if (!(fabs(x) <= limit && fabs(y) <= limit && fabs(z) <= limit)) {
            return supi_gltf_fail(gltf, primitive->place,
                                  "point %d is beyond the range of a float in the scene", (int)i);
        }
        points[i] = (sup_vec3){(float)x, (float)y, (float)z};
    }
    return SUP_OK;
}
