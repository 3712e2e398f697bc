#include "blueprint/fit.h"

#define BRIDGES 3 /* links between pieces that none holds together */

supi_rig_body supi_rig_body_default(void) {
    return (supi_rig_body){sup_spray_default(), sup_spray_links_default(), sup_fit_default(),
                           sup_weigh_default()};
}

sup_result supi_rig_make_body(sup_rig* rig, const supi_rig_body* body, sup_error* error) {
    sup_result result = sup_rig_spray(rig, &body->spray, NULL, error);
    if (result == SUP_OK) result = sup_rig_spray_links(rig, &body->links, NULL, error);
    if (result == SUP_OK) result = sup_rig_bridge(rig, BRIDGES, NULL, error);
    if (result == SUP_OK) result = sup_rig_fit(rig, &body->shapes, error);
    if (result == SUP_OK) result = sup_rig_weigh(rig, &body->weigh, error);
    return result;
}
