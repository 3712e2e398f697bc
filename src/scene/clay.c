#include "scene/clay.h"

#define NUMBER(key, low, high, flags) SUPI_NUMBER(#key, supi_clay_draft, key, low, high, flags)
static const supi_clay_draft clay_defaults = {
    .strength = 1e4, .transfer = 0.9, .transverse = 0.5, .reach = 12};
static const supi_field clay_fields[] = {
    NUMBER(strength, 0, 1e12, 0),
    NUMBER(rate, 0, 1e9, SUPI_ABOVE),
    NUMBER(transfer, 0, 1, 0),
    NUMBER(transverse, 0, 1, 0),
    SUPI_INTEGER("reach", supi_clay_draft, reach, 0, 1 << 20, 0),
    SUPI_END};
const supi_table supi_draft_clay_table = {"clay", &clay_defaults, sizeof clay_defaults,
                                          clay_fields};

sup_result supi_clay_draft_check(const supi_reader* reader, const supi_body_draft* body) {
    static const char* const others[] = {"fill",    "skin",    "clusters", "solid",  "weave",
                                         "springs", "fit",     "frames",   "blob",   "parts",
                                         "joints",  "details", "detail",   "overlap"};
    if (!body->clay) return SUP_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const supi_json* given = supi_json_find(body->place, others[i]);
        if (!given) continue;
        return supi_reader_fail(reader, given, "a body of \"clay\" takes no \"%s\"", others[i]);
    }
    return SUP_OK;
}

sup_clay_settings supi_clay_draft_settings(const supi_clay_draft* draft) {
    sup_clay_settings s = sup_clay_settings_default();
    s.strength = draft->strength;
    if (draft->rate > 0.0) s.rate = draft->rate;
    s.transfer = draft->transfer;
    s.transverse = draft->transverse;
    s.reach = draft->reach;
    return s;
}
