/* See surface.h. */
#include "render/surface.h"

#include "render/vec.h"

#define LINE_WIDTH 0.014f /* of the ground's grid, as a share of its spacing */
#define LINE_DARK 0.22f   /* how much darker the lines are */

/* Normal and colour of a triangle's point. `place` is moved onto the rounded surface that the
   normals pretend, so that the edges of triangles throw no shadow on their neighbours (Hanika
   2021).
 */
static void look_at_triangle(const render_stage* stage, const ray_hits* hits, int lane, surface* s,
                             sup_vec3* facing) {
    const render_geometry* g = stage->geometry;
    int32_t t = hits->index[lane];
    const int32_t* v = g->triangles[t];
    const float share[3] = {1.0f - hits->u[lane] - hits->v[lane], hits->u[lane], hits->v[lane]};
    sup_vec3 smooth = {0, 0, 0}, lift = {0, 0, 0};
    /* Triangles may be seen from behind: then all is turned round. */
    sup_vec3 flat = vec_unit_or(ray_normal(hits, lane), s->view);
    float side = vec_dot(flat, s->view) < 0.0f ? -1.0f : 1.0f;
    for (int k = 0; k < 3; k++) {
        sup_vec3 normal = vec_scale(g->normals[g->corner_normals[t][k]], side);
        smooth = vec_along(smooth, normal, share[k]);
        float below = vec_dot(vec_subtract(s->place, g->vertices[v[k]]), normal);
        if (below < 0.0f) lift = vec_along(lift, normal, -below * share[k]);
    }
    *facing = vec_scale(flat, side);
    s->normal = vec_unit_or(smooth, *facing);
    s->place = vec_add(s->place, lift);
    s->material = g->triangle_material[t];
    s->colour = g->materials[s->material].colour;
    if (stage->vertex_colours && t < g->body_triangle_count) {
        const sup_vec3* c = stage->vertex_colours;
        s->colour = vec_along(vec_scale(c[v[0]], share[0]), c[v[1]], share[1]);
        s->colour = vec_along(s->colour, c[v[2]], share[2]);
    }
}

/* Share of a strip of width `footprint` around x that lines at whole numbers cover. */
static float line_share(float x, float footprint) {
    float from = fabsf(x - floorf(x + 0.5f)), half = 0.5f * LINE_WIDTH + 0.5f * footprint;
    float cover = clamp01((half - from) / (footprint > 0.0f ? footprint : 1e-6f));
    float most = LINE_WIDTH / (LINE_WIDTH + footprint);
    return cover < most ? cover : most;
}

/* Grid lines that fade where they get finer than pixels, and mist at the horizon. */
static void look_at_ground(const render_stage* stage, const render_material* m, float distance,
                           surface* s) {
    sup_vec3 at = vec_subtract(s->place, m->centre);
    float slant = vec_dot(s->normal, s->view);
    float pixel = 2.0f * vec_length(stage->camera.up) * distance / (float)stage->height;
    float footprint = pixel / ((slant > 0.05f ? slant : 0.05f) * stage->grid);
    float across = line_share(vec_dot(at, m->across) / stage->grid, footprint);
    float other = line_share(vec_dot(at, m->other) / stage->grid, footprint);
    float line = across > other ? across : other;
    s->colour = vec_scale(s->colour, 1.0f - LINE_DARK * line);
    float far = distance / (5.0f * stage->reach), square = far * far;
    s->fog = square * square / (1.0f + square * square);
}

surface surface_at(const render_stage* stage, const ray_batch* rays, const ray_hits* hits,
                   int lane) {
    surface s = {.there = hits->target[lane] != RAY_NOTHING};
    if (!s.there) return s;
    float distance = hits->distance[lane];
    sup_vec3 ahead = ray_direction(rays, lane);
    s.place = vec_along(ray_origin(rays, lane), ahead, distance);
    s.view = vec_scale(ahead, -1.0f);
    s.margin = 2e-5f * (stage->reach + distance);
    sup_vec3 facing;
    if (hits->target[lane] == RAY_TRIANGLE) {
        sup_vec3 hit = s.place;
        look_at_triangle(stage, hits, lane, &s, &facing);
        s.behind = vec_along(hit, facing, -s.margin);
    } else {
        const render_geometry* g = stage->geometry;
        int32_t sphere = hits->index[lane];
        s.material = g->sphere_material[sphere];
        s.colour = g->materials[s.material].colour;
        if (stage->vertex_colours && sphere >= g->solid_sphere_count) {
            s.colour = stage->vertex_colours[g->sphere_vertex[sphere]];
        }
        s.normal = facing = vec_unit_or(ray_normal(hits, lane), s.view);
    }
    const render_material* m = stage->geometry->materials + s.material;
    s.roughness = m->roughness;
    s.depth = m->depth;
    s.place = vec_along(s.place, facing, s.margin);
    if (m->is_ground) look_at_ground(stage, m, distance, &s);
    return s;
}
