/* The scenes that come with the project, for tests; cmocka is to be included before. */
#ifndef SUPPLE_TESTS_SCENE_SHIPPED_H
#define SUPPLE_TESTS_SCENE_SHIPPED_H

#include "supple/scene.h"

#include <stdio.h>
#include <stdlib.h>

static inline sup_scene* shipped_scene(const char* name, int32_t threads) {
    char path[1024];
    const char* source = getenv("SUPPLE_SOURCE");
    snprintf(path, sizeof path, "%s/scenes/%s.json", source ? source : ".", name);
    sup_scene_options options = sup_scene_options_default();
    options.threads = threads;
    sup_scene* scene;
    sup_error error;
    if (sup_scene_load(&options, path, &scene, &error) != SUP_OK) fail_msg("%s", error.text);
    return scene;
}

#endif
