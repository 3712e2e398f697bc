/* Shows what a world holds, in lines and spheres, to those who look for mistakes. */
#include "blueprint/members.h"
#include "geom/vector.h"
#include "world/pen.h"
#include "world/query.h"
#include "world/tear.h"

static const uint32_t SURFACE = 0x4c9be8, PARTICLE = 0xf2c14e, PINNED = 0xe4572e, BOUNDS = 0x2ec4b6,
                      CONTACT = 0xff4f79, ATTACHMENT = 0xf7f7f7;
static const uint32_t AXES[3] = {0xff0000, 0x00ff00, 0x0000ff};

/* ---- Bodies: the pen is at their anchor ---- */

static uint32_t colour_of(const supi_body* body, uint32_t awake) {
    return body->rest.asleep ? SUPI_GREY : awake;
}

static void draw_surface(supi_pen* pen, const sup_world* world, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (b->info.polygon_count == 0) return;
    const sup_row* rows = supi_drawn_rows(world, body);
    const int32_t* drawn = supi_tear_vertex_rows(body);
    pen->colour = colour_of(body, SURFACE);
    for (int32_t k = 0; k < b->info.polygon_count; k++) {
        for (int32_t c = b->starts[k]; c < b->starts[k + 1]; c++) {
            int32_t next = c + 1 < b->starts[k + 1] ? c + 1 : b->starts[k];
            int32_t from = drawn[b->corners[c]], to = drawn[b->corners[next]];
            /* Two polygons of a closed surface go along an edge, one each way. */
            if (b->outward && b->info.skin != SUP_SKIN_TETS && from > to) continue;
            const double p[3] = {(double)rows[from].x, (double)rows[from].y, (double)rows[from].z};
            const double q[3] = {(double)rows[to].x, (double)rows[to].y, (double)rows[to].z};
            supi_pen_line(pen, p, q);
        }
    }
}

static void draw_cloud(supi_pen* pen, const sup_world* world, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    pen->colour = colour_of(body, SURFACE);
    for (int32_t v = 0; v < b->info.vertex_count; v++) {
        double place[3];
        supi_query_row(world, body, b->vertex_rows[v], place);
        supi_pen_sphere(pen, place, b->info.radius);
    }
}

static void draw_particles(supi_pen* pen, const sup_world* world, const supi_body* body) {
    for (int32_t row = 0; row < body->blueprint->info.particle_count; row++) {
        double place[3];
        bool fixed = !(world->now.x[body->row + row].w > 0);
        pen->colour = colour_of(body, fixed ? PINNED : PARTICLE);
        supi_query_row(world, body, row, place);
        supi_pen_sphere(pen, place, (double)world->now.v[body->row + row].w);
    }
}

/* The weighted mean of the members as they are now. */
static void cluster_centre(const sup_world* world, const supi_body* body, int32_t c,
                           double centre[3]) {
    double weight = (double)body->blueprint->clusters[c].weight;
    supi_member_walk m = supi_members_of(body->blueprint, c);
    for (int k = 0; k < 3; k++) centre[k] = 0;
    while (supi_members_next(&m)) {
        double place[3], w = (double)m.w;
        supi_query_row(world, body, m.row, place);
        for (int k = 0; k < 3; k++) centre[k] += w * place[k] / weight;
    }
}

/* Axes as long as the cluster's particles are away from its centre at rest, in the quadratic mean.
 */
static void draw_clusters(supi_pen* pen, const sup_world* world, const supi_body* body) {
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        const supi_cluster* cluster = body->blueprint->clusters + c;
        const sup_quat* rotation = world->now.rotation + body->cluster + c;
        double centre[3], length = sqrt((double)cluster->spread / (double)cluster->weight);
        cluster_centre(world, body, c, centre);
        for (int axis = 0; axis < 3; axis++) {
            double end[3];
            sup_vec3 unit = {axis == 0, axis == 1, axis == 2};
            unit = supi_quaternion_turn(rotation, unit);
            supi_vector_from(&unit, end);
            for (int k = 0; k < 3; k++) end[k] = centre[k] + length * end[k];
            pen->colour = colour_of(body, AXES[axis]);
            supi_pen_line(pen, centre, end);
        }
    }
}

static void draw_bounds(supi_pen* pen, const sup_world* world, const supi_body* body) {
    double low[3], high[3];
    supi_query_box(world, body, low, high);
    pen->colour = colour_of(body, BOUNDS);
    supi_pen_box(pen, low, high);
}

static void draw_bodies(supi_pen* pen, const sup_world* world, uint32_t flags) {
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (body->doomed) continue;
        supi_pen_put(pen, body->anchor);
        bool cloud = supi_blueprint_is_cloud(body->blueprint);
        if (flags & SUP_DRAW_SURFACES) (cloud ? draw_cloud : draw_surface)(pen, world, body);
        if (flags & SUP_DRAW_PARTICLES) draw_particles(pen, world, body);
        if (flags & SUP_DRAW_CLUSTERS) draw_clusters(pen, world, body);
        if (flags & SUP_DRAW_BOUNDS) draw_bounds(pen, world, body);
    }
}

/* ---- Colliders ---- */

/* Middle of all bodies and the length of their box's diagonal; without bodies 8 m around the
   origin. */
static void measure_bodies(const sup_world* world, double middle[3], double* size) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3], diagonal[3];
    for (int k = 0; k < 3; k++) high[k] = -low[k];
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        double a[3], b[3];
        supi_query_box(world, body, a, b);
        for (int k = 0; k < 3; k++) {
            double from = body->anchor[k] + a[k], to = body->anchor[k] + b[k];
            low[k] = from < low[k] ? from : low[k];
            high[k] = to > high[k] ? to : high[k];
        }
    }
    bool empty = world->body_count == 0;
    supi_vector_subtract(high, low, diagonal);
    *size = empty ? 8.0 : supi_vector_length(diagonal);
    for (int k = 0; k < 3; k++) middle[k] = empty ? 0.0 : 0.5 * (low[k] + high[k]);
}

static void draw_colliders(supi_pen* pen, const sup_world* world) {
    double middle[3], size;
    measure_bodies(world, middle, &size);
    for (int32_t i = 0; i < world->collider_count; i++) {
        const supi_collider* collider = world->colliders + i;
        if (!collider->doomed) supi_draw_collider(pen, collider, middle, size);
    }
}

/* ---- What holds them ---- */

/* An arrow of the particle's neighbourhood's size, from the surface that pushes particle a. */
static void draw_contact(supi_pen* pen, const sup_world* world, const supi_body* body,
                         const supi_contact* contact, double gap) {
    if (!(contact->push > 0)) return;
    const sup_blueprint_info* info = &body->blueprint->info;
    double from[3], to[3], length = info->spacing > 0 ? info->spacing : body->unit;
    supi_query_row(world, body, contact->a - body->row, from);
    for (int k = 0; k < 3; k++) {
        double n = (double)contact->normal[k];
        from[k] -= gap * n;
        to[k] = from[k] + length * n;
    }
    supi_pen_put(pen, body->anchor);
    supi_pen_arrow(pen, from, to);
}

static void draw_contacts(supi_pen* pen, const sup_world* world) {
    const supi_contacts* met = &world->contacts;
    pen->colour = CONTACT;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* pairing = met->pairings + i;
        for (int32_t c = pairing->first; c < pairing->first + pairing->count; c++) {
            const supi_contact* contact = met->pair_contacts + c;
            draw_contact(pen, world, world->bodies + pairing->run_a, contact,
                         (double)world->now.v[contact->a].w);
        }
    }
    for (int32_t i = 0; i < met->touch_contact_count; i++) {
        const supi_contact* contact = &met->touch_contacts[i].common;
        draw_contact(pen, world, world->bodies + met->touches[contact->b].run, contact,
                     (double)contact->distance);
    }
}

static void draw_attachments(supi_pen* pen, const sup_world* world) {
    supi_pen_put(pen, (double[3]){0, 0, 0});
    pen->colour = ATTACHMENT;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        double held[3], holds[3];
        if (a->doomed || !supi_attach_ends(world, a, held, holds)) continue;
        supi_pen_line(pen, held, holds);
    }
}

void sup_world_draw(const sup_world* world, const sup_draw* draw, uint32_t flags,
                    const double origin[3]) {
    supi_pen pen = {.draw = draw};
    for (int k = 0; origin && k < 3; k++) pen.origin[k] = origin[k];
    draw_bodies(&pen, world, flags);
    if (flags & SUP_DRAW_COLLIDERS) draw_colliders(&pen, world);
    if (flags & SUP_DRAW_CONTACTS) draw_contacts(&pen, world);
    if (flags & SUP_DRAW_ATTACHMENTS) draw_attachments(&pen, world);
}
