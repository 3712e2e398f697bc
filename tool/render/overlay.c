/* See overlay.h. Reads the inside of the world: rows, clusters and the contacts of the last
   substep. */
#include "render/overlay.h"

#include "blueprint/members.h"
#include "geom/vector.h"

#include "render/renderer.h"
#include "render/vec.h"
#include "world/cuts.h"
#include "world/springs.h"
#include "world/tear.h"

#define PARTICLE_SHARE 0.28f /* radius of a drawn particle, of the spacing of its body */
/* Arrows and lines, as shares of what is looked at, but never too thin to be seen. */
#define ARROW_LENGTH 0.12f /* of the longest one */
#define LINE_RADIUS 0.0012f
#define LINE_PIXELS 1.7f /* least radius: the light core is 2 wide */
#define HEAD_WIDE 2.7f   /* radius of an arrow's head, in those of its shaft */
#define HEAD_LONG 6.7f
#define END_WIDE 1.8f /* radius of the ball at the end of an attachment */
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
static void cluster_strains(const sup_world* world, const supi_body* body, float* strains,
                            float* counts) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t r = 0; r < b->info.particle_count; r++) strains[r] = counts[r] = 0.0f;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        const supi_cluster* cluster = b->clusters + c;
        double spread = (double)cluster->spread;
        float strain =
            spread > 0 ? (float)sqrt(supi_measure_misfit(world, body, c) / spread) : 0.0f;
        for (supi_member_walk m = supi_members_of(b, c); supi_members_next(&m);) {
            strains[m.row] += strain;
            counts[m.row] += 1.0f;
        }
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        if (counts[r] > 0.0f) strains[r] /= counts[r];
    }
}

static void body_strains(const sup_world* world, const supi_body* body, float* strains,
                         float* scratch) {
    if (body->elastic)
        supi_springs_strains(world, body, strains);
    else
        cluster_strains(world, body, strains, scratch);
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

static void count_values(const sup_world* world, const float* values, scale_tally* tally) {
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
            scale_count(tally, values[body->row + r]);
        }
    }
}

bool overlay_count(const sup_world* world, uint32_t kind, scale_tally* tally) {
    supi_column column = {0};
    const float* values = world_values(&column, world, kind);
    if (values) count_values(world, values, tally);
    supi_column_free(&column, sup_allocator_default());
    return values != NULL;
}

/* ---- colours of surfaces ---- */

static sup_vec3 cluster_colour(const supi_body* body, int32_t row) {
    const int32_t* leader = body->blueprint->leader;
    return scale_distinct(body->cluster + (leader ? leader[row] : 0));
}

/* Sleepers turn grey. */
static sup_vec3 sleep_colour(const sup_world* world, const supi_body* body, sup_vec3 own) {
    const sup_vec3 grey = {0.22f, 0.22f, 0.24f};
    return sup_body_is_asleep(world, body->handle) ? vec_mix(own, grey, 0.85f) : own;
}

/* From light, where cells are coarsest, to dark; other bodies keep their own. */
static sup_vec3 level_colour(const supi_body* body, int32_t row, sup_vec3 own) {
    int32_t levels = body->blueprint->refine.levels;
    return levels > 0 ? scale_colour((float)supi_cuts_level(body, row) / (float)levels) : own;
}

/* Values for a kind that has a scale, and the top of that; false: no memory. */
static bool set_scale(overlay* o, const sup_world* world, uint32_t kind, double top, float reach,
                      const float** values) {
    *values = world_values(&o->value_column, world, kind);
    if (!*values) return false;
    double least = kind == RENDER_STRAIN ? LEAST_TOP_STRAIN : LEAST_TOP_SPEED * (double)reach;
    if (!(top > 0)) {
        scale_tally tally = {0};
        count_values(world, *values, &tally);
        top = scale_top(&tally);
    }
    o->top = scale_round(top > least ? top : least);
    return true;
}

static bool colour_vertices(overlay* o, const sup_world* world, const render_stage* stage,
                            double top) {
    uint32_t kind = o->kinds & RENDER_COLOURS;
    o->vertex_colours = NULL;
    if (!kind) return true;
    const render_geometry* g = stage->geometry;
    const float* values = NULL;
    if (kind & (RENDER_VELOCITY | RENDER_STRAIN) &&
        !set_scale(o, world, kind, top, stage->reach, &values)) {
        return false;
    }
    sup_vec3* colours = supi_column_reserve(&o->vertex_colour_column, sup_allocator_default(),
                                            g->body_vertex_count + 1, sizeof *colours);
    if (!colours) return false;
    o->vertex_colours = colours;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint* b = body->blueprint;
        sup_vec3 whole = sleep_colour(world, body, g->materials[i].colour);
        for (int32_t v = 0; v < b->info.vertex_count; v++) {
            int32_t row = supi_tear_vertex_rows(body)[v];
            if (b->skin.count > 0) row = b->skin.home[row];
            *colours++ = values ? scale_colour(values[body->row + row] / (float)o->top)
                         : kind == RENDER_SLEEP  ? whole
                         : kind == RENDER_LEVELS ? level_colour(body, row, g->materials[i].colour)
                                                 : cluster_colour(body, row);
        }
    }
    return true;
}

/* ---- spheres, arrows and lines ---- */

static sup_vec3 seen_from(const render_geometry* g, const double place[3]) {
    double at[3];
    supi_vector_subtract(place, g->origin, at);
    return supi_vector_round(at[0], at[1], at[2]);
}

/* Of a line at a place. */
static float line_radius(const render_stage* stage, sup_vec3 at) {
    const render_camera* c = &stage->camera;
    float away = vec_dot(vec_subtract(at, c->from), c->ahead);
    float pixel = 2.0f * vec_length(c->up) * away / (float)stage->height;
    float least = LINE_PIXELS * pixel, usual = LINE_RADIUS * stage->reach;
    return usual > least ? usual : least;
}

static void add_sphere(overlay* o, sup_vec3 at, float radius, sup_vec3 colour) {
    o->spheres[o->sphere_count] = (sup_row){at.x, at.y, at.z, radius};
    o->sphere_colours[o->sphere_count++] = colour;
}

static void add_cone(overlay* o, sup_vec3 from, float from_radius, sup_vec3 to, float to_radius,
                     sup_vec3 colour) {
    o->cones[o->cone_count][0] = (sup_row){from.x, from.y, from.z, from_radius};
    o->cones[o->cone_count][1] = (sup_row){to.x, to.y, to.z, to_radius};
    o->cone_colours[o->cone_count++] = colour;
}

static void add_particles(overlay* o, const sup_world* world, const render_geometry* g) {
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint* b = body->blueprint;
        float radius = PARTICLE_SHARE * (float)b->info.spacing;
        for (int32_t r = 0; r < b->info.particle_count; r++) {
            const sup_row* x = world->now.x + body->row + r;
            const double place[3] = {body->anchor[0] + (double)x->x, body->anchor[1] + (double)x->y,
                                     body->anchor[2] + (double)x->z};
            bool pinned = x->w == 0.0f;
            add_sphere(o, seen_from(g, place), radius,
                       o->kinds & RENDER_CLUSTERS ? cluster_colour(body, r)
                       : pinned                   ? (sup_vec3){0.8f, 0.05f, 0.04f}
                                                  : (sup_vec3){0.05f, 0.06f, 0.08f});
        }
    }
}

/* A shaft and a head, from `from` along `normal`. White in a dark rim (see shade.c), it shows on
   bodies of every colour. */
static void add_arrow(overlay* o, const render_stage* stage, sup_vec3 from, const float normal[3],
                      float length) {
    const sup_vec3 direction = {normal[0], normal[1], normal[2]}, white = {1, 1, 1};
    float thin = line_radius(stage, from), head = HEAD_LONG * thin;
    float wide = HEAD_WIDE * thin * (length < head ? length / head : 1.0f);
    if (head > length) head = length;
    sup_vec3 neck = vec_along(from, direction, length - head);
    add_cone(o, from, thin, neck, thin, white);
    add_cone(o, neck, wide > thin ? wide : thin, vec_along(from, direction, length), 0.0f, white);
}

/* An arrow for each contact that pushed, as long as the root of its share of the hardest push: the
   weak ones are to be seen too. */
static void add_contacts(overlay* o, const render_stage* stage, const sup_contact* contacts,
                         int32_t count) {
    float largest = 0.0f, longest = ARROW_LENGTH * stage->reach;
    for (int32_t i = 0; i < count; i++) {
        if (contacts[i].normal_impulse > largest) largest = contacts[i].normal_impulse;
    }
    for (int32_t i = 0; i < count; i++) {
        const sup_contact* c = contacts + i;
        if (!(c->normal_impulse > 0.0f)) continue;
        add_arrow(o, stage, seen_from(stage->geometry, c->point), c->normal,
                  longest * sqrtf(c->normal_impulse / largest));
    }
}

/* The way out of each contact, as long as it is; not where that is less than its line is wide. */
static void add_depths(overlay* o, const render_stage* stage, const sup_contact* contacts,
                       int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const sup_contact* c = contacts + i;
        sup_vec3 from = seen_from(stage->geometry, c->point);
        if (c->depth > line_radius(stage, from)) add_arrow(o, stage, from, c->normal, c->depth);
    }
}

/* A line from end to end, with a ball at each. */
static void add_attachments(overlay* o, sup_scene* scene, const render_stage* stage) {
    const sup_vec3 colour = {0.03f, 0.7f, 0.85f};
    for (int32_t i = 0; i < sup_scene_get_info(scene).attachment_count; i++) {
        double ends[2][3];
        if (sup_scene_read_attachment(scene, i, ends[0], ends[1]) != SUP_OK) continue;
        sup_vec3 held = seen_from(stage->geometry, ends[0]);
        sup_vec3 holder = seen_from(stage->geometry, ends[1]);
        float a = line_radius(stage, held), b = line_radius(stage, holder);
        add_cone(o, held, a, holder, b, colour);
        add_sphere(o, held, END_WIDE * a, colour);
        add_sphere(o, holder, END_WIDE * b, colour);
    }
}

/* Room for `spheres` and `cones`; false: no memory. */
static bool make_room(overlay* o, int32_t spheres, int32_t cones) {
    const sup_allocator* memory = sup_allocator_default();
    o->spheres = supi_column_reserve(&o->sphere_column, memory, spheres + 1, sizeof *o->spheres);
    o->sphere_colours = supi_column_reserve(&o->sphere_colour_column, memory, spheres + 1,
                                            sizeof *o->sphere_colours);
    o->cones = supi_column_reserve(&o->cone_column, memory, cones + 1, sizeof *o->cones);
    o->cone_colours =
        supi_column_reserve(&o->cone_colour_column, memory, cones + 1, sizeof *o->cone_colours);
    return o->spheres && o->sphere_colours && o->cones && o->cone_colours;
}

bool overlay_update(overlay* o, sup_scene* scene, const render_stage* stage, double top) {
    const sup_world* world = sup_scene_world(scene);
    int32_t contact_count = o->kinds & RENDER_OF_CONTACTS ? sup_world_contacts(world, NULL, 0) : 0;
    int32_t attachment_count =
        o->kinds & RENDER_ATTACHMENTS ? sup_scene_get_info(scene).attachment_count : 0;
    int32_t particle_count = o->kinds & RENDER_PARTICLES ? world->row_count : 0;
    sup_contact* contacts = supi_column_reserve(&o->contact_column, sup_allocator_default(),
                                                contact_count + 1, sizeof *contacts);
    o->sphere_count = o->cone_count = 0;
    if (!contacts || !colour_vertices(o, world, stage, top) ||
        !make_room(o, particle_count + 2 * attachment_count,
                   4 * contact_count + attachment_count)) {
        return false;
    }
    if (particle_count > 0) add_particles(o, world, stage->geometry);
    if (contact_count > 0) {
        sup_world_contacts(world, contacts, contact_count);
        if (o->kinds & RENDER_CONTACTS) add_contacts(o, stage, contacts, contact_count);
        if (o->kinds & RENDER_DEPTHS) add_depths(o, stage, contacts, contact_count);
    }
    if (attachment_count > 0) add_attachments(o, scene, stage);
    return true;
}

void overlay_free(overlay* o) {
    supi_column* columns[] = {&o->sphere_column,      &o->sphere_colour_column, &o->cone_column,
                              &o->cone_colour_column, &o->vertex_colour_column, &o->value_column,
                              &o->contact_column};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        supi_column_free(columns[i], sup_allocator_default());
    }
    *o = (overlay){0};
}
