// The same in C++, from C++11 on.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <supple/files.h>
#include <supple/mesh.h>
#include <supple/scene.h>
#include <supple/supple.h>
#include <supple/tape.h>

int main(int count, char** words) {
    if (count != 2) return 1;
    sup_error error;
    sup_scene* loaded = nullptr;
    sup_scene_options options = sup_scene_options_default();
    options.threads = 2;
    if (sup_scene_load(&options, words[1], &loaded, &error) != SUP_OK) {
        std::puts(error.text);
        return 1;
    }
    std::unique_ptr<sup_scene, void (*)(sup_scene*)> scene(loaded, sup_scene_free);
    sup_world* world = sup_scene_world(scene.get());
    const int frames = 5;
    for (int frame = 0; frame < frames; frame++) {
        if (sup_world_step(world, 1.0 / sup_scene_get_info(scene.get()).fps) != SUP_OK) return 1;
    }
    std::printf("%d %016" PRIx64 "\n", frames, sup_world_hash(world));
}
