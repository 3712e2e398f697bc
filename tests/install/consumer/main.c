/* A program of somebody else, in C: steps a scene and prints its hash as `supple hash` does. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <supple/files.h>
#include <supple/mesh.h>
#include <supple/scene.h>
#include <supple/supple.h>
#include <supple/tape.h>

#define FRAMES 5

int main(int count, char** words) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SUP_VERSION_MAJOR, SUP_VERSION_MINOR,
             SUP_VERSION_PATCH);
    if (count != 2 || strcmp(version, sup_version()) != 0) return 1;
    sup_scene* scene;
    sup_error error;
    if (sup_scene_load(NULL, words[1], &scene, &error)) return puts(error.text), 1;
    sup_world* world = sup_scene_world(scene);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (sup_world_step(world, 1.0 / sup_scene_get_info(scene).fps)) return 1;
    }
    printf("%d %016" PRIx64 "\n", FRAMES, sup_world_hash(world));
    sup_scene_free(scene);
}
