/* Picks: which particles a box, a sphere, a list or a nearest point means, in the body's own frame
 * after scaling. */
#include "scene/build.h"

static double square_from(const sup_vec3* p, const double centre[3]) {
    double dx = (double)p->x - centre[0], dy = (double)p->y - centre[1];
    double dz = (double)p->z - centre[2];
    return dx * dx + dy * dy + dz * dz;
}

static bool in_box(const sup_vec3* p, const supi_box_draft* box) {
    const double at[3] = {(double)p->x, (double)p->y, (double)p->z};
    bool inside = true;
    for (int32_t k = 0; k < 3; k++) {
        inside = inside && at[k] >= box->low[k] && at[k] <= box->high[k];
    }
    return inside;
}

static int32_t nearest_one(int32_t count, const sup_vec3* rest, const double place[3]) {
    int32_t nearest = 0;
    for (int32_t i = 1; i < count; i++) {
        if (square_from(&rest[i], place) < square_from(&rest[nearest], place)) nearest = i;
    }
    return nearest;
}

static sup_result mark_index(const supi_reader* reader, const supi_json* place,
                             const supi_list* index, int32_t count, int32_t value, int32_t* marks) {
    const int32_t* ids = index->items;
    for (int32_t i = 0; i < index->count; i++) {
        if (ids[i] >= count) {
            return supi_reader_fail(reader, place,
                                    "there is no particle %d; the body has %d (0 to %d)",
                                    (int)ids[i], (int)count, (int)count - 1);
        }
        marks[ids[i]] = value;
    }
    return SUP_OK;
}

sup_result supi_pick_mark(const supi_reader* reader, const supi_json* owner,
                          const supi_pick_draft* pick, int32_t count, const sup_vec3* rest,
                          int32_t value, int32_t* marks) {
    const supi_json* index = supi_json_find(owner, "index");
    if (index) return mark_index(reader, index, &pick->index, count, value, marks);
    if (supi_json_find(owner, "nearest")) {
        marks[nearest_one(count, rest, pick->nearest)] = value;
        return SUP_OK;
    }
    const supi_box_draft* box = &pick->box;
    const supi_ball_draft* ball = &pick->sphere;
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        bool inside = box->place
                          ? in_box(&rest[i], box)
                          : square_from(&rest[i], ball->centre) <= ball->radius * ball->radius;
        if (inside) marks[i] = value, found++;
    }
    if (found > 0) return SUP_OK;
    return supi_reader_fail(reader, box->place ? box->place : ball->place,
                            "no particle lies in this %s", box->place ? "box" : "sphere");
}
