/* See overlay.h. Reads the inside of the world: rows, clusters and the contacts of the last
   substep. */
#include "render/overlay.h"

#include "render/renderer.h"
#include "render/vec.h"
#include "world/world.h"

#define PARTICLE_SHARE 0.28f /* radius of a drawn particle, of the spacing of its body */
#define ARROW_LENGTH 0.12f   /* of the longest arrow, of what is looked at */
#define ARROW_RADIUS 0.002f
/* Scales end no lower than this, or a world at rest would show its rounding errors in all colours.
   Both lie far above those, and below what an eye sees in a film. */
#define LEAST_TOP_SPEED 1e-3 /* of what is looked at, in a second */
#define LEAST_TOP_STRAIN 1e-3

/* ---- numbers of particles ---- */

static float speed_of(const sup_world* world, int32_t row) {
    const sup_row* v = world->now.v + row;
    return vec_length((sup_vec3){v->x, v->y, v->z});
}

/* Mean strain of the clusters that hold a particle, by row of the body; `counts` is scratch. */
static void body_strains(const sup_world* world, const supi_body* body, float* strains,
                         float* counts) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t r = 0; r < b->info.particle_count; r++) strains[r] = counts[r] = 0.0f;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        const supi_cluster* cluster = b->clusters + c;
        double spread = (double)cluster->spread;
        float strain =
            spread > 0 ? (float)sqrt(supi_measure_misfit(world, body, c) / spread) : 0.0f;
        for (int32_t i = 0; i < cluster->count; i++) {
            int32_t row = b->members.index ? b->members.index[cluster->begin + i] : i;
            strains[row] += strain;
            counts[row] += 1.0f;
        }
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        if (counts[r] > 0.0f) strains[r] /= counts[r];
    }
}

/* Speeds or strains by row of the world; NULL: no memory. */
static float* world_values(supi_column* column, const sup_world* world, uint32_t kind) {
    int32_t rows = world->row_count;
    float* values =
        supi_column_reserve(column, sup_allocator_default(), 2 * rows + 1, sizeof *values);
    for (int32_t i = 0; values && i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (kind == RENDER_STRAIN) {
            body_strains(world, body, values + body->row, values + rows);
            continue;
        }
        for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
            values[body->row + r] = speed_of(world, body->row + r);
        }
    }
    return values;
}

static double largest_of(const sup_world* world, const float* values) {
    float largest = 0.0f;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
            float value = values[body->row + r];
            largest = value > largest ? value : largest;
        }
    }
    return (double)largest;
}

double overlay_largest(const sup_world* world, uint32_t kind) {
    supi_column column = {0};
    const float* values = world_values(&column, world, kind);
    double largest = values ? largest_of(world, values) : 0.0;
    supi_column_free(&column, sup_allocator_default());
    return largest;
}

/* ---- colours of surfaces ---- */

static sup_vec3 cluster_colour(const supi_body* body, int32_t row) {
    const int32_t* leader = body->blueprint->leader;
    return scale_distinct(body->cluster + (leader ? leader[row] : 0));
}

static bool colour_vertices(overlay* o, const sup_world* world, const render_geometry* g,
                            double top, float reach) {
    uint32_t kind = o->kinds & RENDER_COLOURS;
    o->vertex_colours = NULL;
    if (!kind) return true;
    const float* values = NULL;
    if (kind != RENDER_CLUSTERS) {
        values = world_values(&o->value_column, world, kind);
        if (!values) return false;
        double least = kind == RENDER_STRAIN ? LEAST_TOP_STRAIN : LEAST_TOP_SPEED * (double)reach;
        if (!(top > 0)) top = largest_of(world, values);
        o->top = scale_round(top > least ? top : least);
    }
    sup_vec3* colours = supi_column_reserve(&o->vertex_colour_column, sup_allocator_default(),
                                            g->body_vertex_count + 1, sizeof *colours);
    if (!colours) return false;
    o->vertex_colours = colours;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint* b = body->blueprint;
        for (int32_t v = 0; v < b->info.vertex_count; v++) {
            int32_t row = b->vertex_rows[v];
            *colours++ = values ? scale_colour(values[body->row + row] / (float)o->top)
                                : cluster_colour(body, row);
        }
    }
    return true;
}

/* ---- spheres and arrows ---- */

static bool add_particles(overlay* o, const sup_world* world, const render_geometry* g) {
    const sup_allocator* memory = sup_allocator_default();
    o->spheres =
        supi_column_reserve(&o->sphere_column, memory, world->row_count + 1, sizeof *o->spheres);
    o->sphere_colours = supi_column_reserve(&o->sphere_colour_column, memory, world->row_count + 1,
                                            sizeof *o->sphere_colours);
    if (!o->spheres || !o->sphere_colours) return false;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint* b = body->blueprint;
        float radius = PARTICLE_SHARE * (float)b->info.spacing;
        for (int32_t r = 0; r < b->info.particle_count; r++) {
            const sup_row* x = world->now.x + body->row + r;
            int32_t at = o->sphere_count++;
            o->spheres[at] =
                (sup_row){(float)(body->anchor[0] + (double)x->x - g->origin[0]),
                          (float)(body->anchor[1] + (double)x->y - g->origin[1]),
                          (float)(body->anchor[2] + (double)x->z - g->origin[2]), radius};
            bool pinned = x->w == 0.0f;
            o->sphere_colours[at] = o->kinds & RENDER_CLUSTERS ? cluster_colour(body, r)
                                    : pinned                   ? (sup_vec3){0.8f, 0.05f, 0.04f}
                                                               : (sup_vec3){0.05f, 0.06f, 0.08f};
        }
    }
    return true;
}

/* A shaft and a head, from `from` along `normal`. */
static void add_arrow(overlay* o, sup_vec3 from, const float normal[3], float length, float reach) {
    const sup_vec3 direction = {normal[0], normal[1], normal[2]};
    float thin = ARROW_RADIUS * reach, head = 4.0f * thin < length ? 4.0f * thin : length;
    sup_vec3 neck = vec_along(from, direction, length - head);
    sup_vec3 tip = vec_along(from, direction, length);
    sup_row(*cone)[2] = o->cones + o->cone_count;
    cone[0][0] = (sup_row){from.x, from.y, from.z, 0.6f * thin};
    cone[0][1] = (sup_row){neck.x, neck.y, neck.z, 0.6f * thin};
    cone[1][0] = (sup_row){neck.x, neck.y, neck.z, 1.6f * thin};
    cone[1][1] = (sup_row){tip.x, tip.y, tip.z, 0.0f};
    o->cone_colours[o->cone_count] = o->cone_colours[o->cone_count + 1] =
        (sup_vec3){0.9f, 0.1f, 0.02f};
    o->cone_count += 2;
}

/* Where a particle meets something: on its contact sphere, along the normal. */
static sup_vec3 contact_place(const sup_world* world, const render_geometry* g, int32_t run,
                              const supi_contact* contact, bool pair) {
    const double* anchor = world->bodies[run].anchor;
    const sup_row *x = world->now.x + contact->a, *v = world->now.v + contact->a;
    float away = pair ? v->w : contact->distance;
    return (sup_vec3){(float)(anchor[0] + (double)x->x - g->origin[0]) - away * contact->normal[0],
                      (float)(anchor[1] + (double)x->y - g->origin[1]) - away * contact->normal[1],
                      (float)(anchor[2] + (double)x->z - g->origin[2]) - away * contact->normal[2]};
}

static float largest_push(const supi_contact* contacts, int32_t count, float largest) {
    for (int32_t i = 0; i < count; i++) {
        if (contacts[i].push > largest) largest = contacts[i].push;
    }
    return largest;
}

/* An arrow for each contact that pushed, as long as the root of its share of the hardest push: the
   weak ones are to be seen too. */
static bool add_contacts(overlay* o, const sup_world* world, const render_geometry* g,
                         float reach) {
    const supi_contacts* all = &world->contacts;
    const sup_allocator* memory = sup_allocator_default();
    int32_t most = 2 * (all->pair_contact_count + all->touch_contact_count) + 1;
    o->cones = supi_column_reserve(&o->cone_column, memory, most, sizeof *o->cones);
    o->cone_colours =
        supi_column_reserve(&o->cone_colour_column, memory, most, sizeof *o->cone_colours);
    if (!o->cones || !o->cone_colours) return false;
    float largest = largest_push(all->pair_contacts, all->pair_contact_count, 0.0f);
    largest = largest_push(all->touch_contacts, all->touch_contact_count, largest);
    if (largest <= 0.0f) return true;
    float longest = ARROW_LENGTH * reach;
    for (int32_t p = 0; p < all->pairing_count; p++) {
        const supi_pairing* pairing = all->pairings + p;
        for (int32_t i = pairing->first; i < pairing->first + pairing->count; i++) {
            const supi_contact* c = all->pair_contacts + i;
            if (c->push <= 0.0f) continue;
            add_arrow(o, contact_place(world, g, pairing->run_a, c, true), c->normal,
                      longest * sqrtf(c->push / largest), reach);
        }
    }
    for (int32_t i = 0; i < all->touch_contact_count; i++) {
        const supi_contact* c = all->touch_contacts + i;
        if (c->push <= 0.0f) continue;
        add_arrow(o, contact_place(world, g, all->touches[c->b].run, c, false), c->normal,
                  longest * sqrtf(c->push / largest), reach);
    }
    return true;
}

bool overlay_update(overlay* o, const sup_world* world, const render_geometry* g, double top,
                    float reach) {
    o->sphere_count = o->cone_count = 0;
    if (!colour_vertices(o, world, g, top, reach)) return false;
    if (o->kinds & RENDER_PARTICLES && !add_particles(o, world, g)) return false;
    return !(o->kinds & RENDER_CONTACTS) || add_contacts(o, world, g, reach);
}

void overlay_free(overlay* o) {
    supi_column* columns[] = {&o->sphere_column,      &o->sphere_colour_column, &o->cone_column,
                              &o->cone_colour_column, &o->vertex_colour_column, &o->value_column};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        supi_column_free(columns[i], sup_allocator_default());
    }
    *o = (overlay){0};
}
