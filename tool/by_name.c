/* See by_name.h. */
#include "by_name.h"

int32_t by_name_count(const sup_scene* scene) {
    int32_t count = sup_scene_get_info(scene).entry_count;
    return count > 1 && count <= BY_NAME_MOST ? count : 0;
}

void by_name_list(const sup_scene* scene, const char** names) {
    for (int32_t i = 0; i < by_name_count(scene); i++)
        names[i] = sup_scene_get_entry(scene, i).name;
}

void by_name_measure(sup_scene* scene, double (*parts)[PART_COUNT]) {
    for (int32_t i = 0; i < by_name_count(scene); i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        double* out = parts[i];
        for (int k = 0; k < PART_COUNT; k++) out[k] = 0.0;
        for (int32_t body = 0; body < entry.body_count; body++) {
            sup_measures one;
            sup_body handle = sup_scene_get_body(scene, entry.first_body + body, NULL);
            if (sup_body_measure(sup_scene_world(scene), handle, &one) != SUP_OK) continue;
            out[PART_ENERGY] += one.kinetic + one.potential + one.elastic;
            for (int k = 0; k < 3; k++) out[PART_MOMENTUM_X + k] += one.momentum[k];
        }
    }
}
