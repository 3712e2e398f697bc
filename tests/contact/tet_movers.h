/* Shape-matched bodies of tetrahedra that meet: the twin moves them, contact pushes them. */
#ifndef SUPPLE_TESTS_CONTACT_TET_MOVERS_H
#define SUPPLE_TESTS_CONTACT_TET_MOVERS_H

#include "contact/tet_bodies.h"

#include "ref/ref_body.h"

enum { MOVERS_MAX = 8 };

typedef struct mover {
    tet_thing thing;
    ref_body* twin; /* NULL: it does not move */
    float* masses;
} mover;

typedef struct stage {
    mover movers[MOVERS_MAX];
    supi_tet_body bodies[MOVERS_MAX];
    int32_t count;
    supi_tasks* tasks;
    supi_tet_contacts contacts;
    supi_tet_rules rules;
    supi_tet_answer answer;
    int32_t sweeps;
    double h, frequency, damping, gravity[3];
    bool floor;         /* a plane at y = 0 */
    bool frozen_depths; /* wrong: each sweep takes all of the depth that was found, and all of it
                           becomes speed */
    bool plain_normals; /* wrong: depths of the twin, with normals of points and where all sides
                           count alike */
} stage;

static inline void stage_begin(stage* s, double h) {
    memset(s, 0, sizeof *s);
    s->tasks = make_workers(1);
    s->rules = supi_tet_rules_default();
    s->answer = supi_tet_answer_default();
    s->sweeps = 2;
    s->h = h;
    s->frequency = 300;
    s->damping = 0.3;
}

static inline void stage_end(stage* s) {
    for (int32_t i = 0; i < s->count; i++) {
        if (s->movers[i].twin) ref_body_free(s->movers[i].twin);
        free(s->movers[i].masses);
        thing_free(&s->movers[i].thing);
    }
    supi_tet_contacts_free(&s->contacts, sup_allocator_default());
    supi_tasks_destroy(s->tasks);
}

static inline void copy_rows(mover* m) {
    for (int32_t i = 0; m->twin && i < m->thing.form.point_count; i++) {
        const double *x = m->twin->x[i], *v = m->twin->v[i];
        m->thing.body.x[i] = (sup_row){(float)x[0], (float)x[1], (float)x[2], m->thing.body.x[i].w};
        m->thing.body.v[i] = (sup_row){(float)v[0], (float)v[1], (float)v[2], 0};
    }
}

/* Takes the mesh: 1000 kg/m^3, or immovable. */
static inline mover* stage_add(stage* s, sup_tets tets, bool moves, double x, double y, double z) {
    mover* m = &s->movers[s->count];
    sup_blueprint_def def = sup_blueprint_default();
    m->masses = calloc((size_t)tets.point_count, sizeof *m->masses);
    sup_tets_masses(&tets, 1000, 1, m->masses);
    def.point_count = tets.point_count;
    def.points = tets.points;
    def.masses = m->masses;
    def.layout = SUP_CLUSTERS_WHOLE;
    m->twin = moves ? ref_body_create(&def, REF_AVERAGE, false) : NULL;
    thing_make(&m->thing, tets, 0, s->count);
    for (int32_t i = 0; i < m->thing.form.point_count; i++) {
        m->thing.body.x[i].w = moves ? 1 / m->masses[i] : 0;
    }
    thing_pose(&m->thing, NULL, x, y, z);
    for (int32_t i = 0; moves && i < m->thing.form.point_count; i++) {
        const sup_row* at = &m->thing.body.x[i];
        m->twin->x[i][0] = (double)at->x;
        m->twin->x[i][1] = (double)at->y;
        m->twin->x[i][2] = (double)at->z;
    }
    s->bodies[s->count++] = m->thing.body;
    return m;
}

static inline void mover_push(mover* m, double vx, double vy, double vz) {
    for (int32_t i = 0; i < m->thing.form.point_count; i++) {
        m->twin->v[i][0] = vx, m->twin->v[i][1] = vy, m->twin->v[i][2] = vz;
    }
}

/* The plane y = 0: as section 8 of the method has it. */
static inline void stage_floor(stage* s, mover* m) {
    float h = (float)s->h, edge = m->thing.form.edge;
    for (int32_t i = 0; i < m->thing.form.point_count; i++) {
        sup_row *x = &m->thing.body.x[i], *v = &m->thing.body.v[i];
        if (!(x->y < 0)) continue;
        float c = -x->y, room = s->answer.depart * edge * h - h * v->y;
        float speed = fminf(c, fmaxf(0, room)),
              shift = fminf(c - speed, s->answer.shift * edge * h);
        x->y += speed + shift;
        v->y += speed / h;
        float slip = h * sqrtf(v->x * v->x + v->z * v->z);
        if (!(slip > 1e-9f)) continue;
        float part = slip <= s->answer.friction_static * speed
                         ? 1
                         : fminf(1, s->answer.friction_kinetic * speed / slip);
        x->x -= part * h * v->x;
        x->z -= part * h * v->z;
        v->x -= part * v->x;
        v->z -= part * v->z;
    }
}

/* The wrong answer: d instead of what is left of it, and no split. */
static inline void stage_frozen(stage* s) {
    for (int32_t i = 0; i < s->contacts.contact_count; i++) {
        const supi_tet_contact* c = &s->contacts.contacts[i];
        float light = 0;
        for (int k = 0; k < c->row_count; k++) {
            const supi_tet_body* body = &s->bodies[k < c->own_count ? c->body : c->other];
            light += c->shares[k] * c->shares[k] * body->x[c->rows[k]].w;
        }
        for (int k = 0; k < c->row_count && light > 0; k++) {
            const supi_tet_body* body = &s->bodies[k < c->own_count ? c->body : c->other];
            sup_row *x = &body->x[c->rows[k]], *v = &body->v[c->rows[k]];
            float by = s->answer.stiffness * c->depth * c->shares[k] * x->w / light;
            x->x += by * c->normal.x, x->y += by * c->normal.y, x->z += by * c->normal.z;
            by /= (float)s->h;
            v->x += by * c->normal.x, v->y += by * c->normal.y, v->z += by * c->normal.z;
        }
    }
}

/* Depths and ways out as the twin has them when it does what the engine must not do. */
static inline void stage_plain(stage* s) {
    const ref_depth_rules wrong = {.equal_facing = true, .plain_normals = true};
    supi_tet_contact* list = s->contacts.contacts;
    for (int32_t first = 0, end; first < s->contacts.contact_count; first = end) {
        const supi_tet_contact* pair = &list[first];
        for (end = first; end < s->contacts.contact_count && list[end].body == pair->body &&
                          list[end].other == pair->other;
             end++)
            continue;
        const tet_thing *p = &s->movers[pair->body].thing, *q = &s->movers[pair->other].thing;
        ref_tets own = twin_of(p), other = twin_of(q);
        ref_depth* depths = calloc((size_t)own.point_count, sizeof *depths);
        ref_tets_depths(&own, &other, (double)p->form.edge, &wrong, depths);
        for (int32_t i = first; i < end; i++) {
            supi_tet_contact* c = &list[i];
            const ref_depth* d = &depths[c->rows[0]];
            if (!d->inside) continue; /* on the surface, but for rounding */
            c->normal = (sup_vec3){(float)d->normal[0], (float)d->normal[1], (float)d->normal[2]};
            c->depth = (float)d->depth;
            c->goal = 0;
            c->goal = c->depth - supi_tet_left(s->bodies, c);
        }
        free(depths);
        free(own.x);
        free(other.x);
    }
}

static inline void stage_step(stage* s) {
    ref_rules rules = ref_rules_default();
    rules.h = s->h;
    rules.alpha = fmin(1, s->frequency * s->h * s->frequency * s->h);
    rules.delta = 1 - exp(-2 * s->damping * s->frequency * s->h);
    memcpy(rules.gravity, s->gravity, sizeof rules.gravity);
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->movers[i].twin) continue;
        ref_body_step(s->movers[i].twin, &rules);
        copy_rows(&s->movers[i]);
    }
    assert_int_equal(supi_tet_contacts_find(&s->contacts, sup_allocator_default(), s->tasks,
                                            best_kernels(), s->bodies, s->count, &s->rules),
                     SUP_OK);
    if (s->plain_normals) stage_plain(s);
    for (int32_t sweep = 0; sweep < s->sweeps; sweep++) {
        if (s->frozen_depths)
            stage_frozen(s);
        else
            supi_tet_respond(s->bodies, s->contacts.contacts, s->contacts.contact_count, &s->answer,
                             (float)s->h);
        for (int32_t i = 0; s->floor && i < s->count; i++) {
            if (s->movers[i].twin) stage_floor(s, &s->movers[i]);
        }
    }
    /* only what contact changed goes back: the twin has more digits */
    for (int32_t b = 0; b < s->count; b++) {
        mover* m = &s->movers[b];
        for (int32_t i = 0; m->twin && i < m->thing.form.point_count; i++) {
            const sup_row *x = &m->thing.body.x[i], *v = &m->thing.body.v[i];
            const float places[3] = {x->x, x->y, x->z}, speeds[3] = {v->x, v->y, v->z};
            for (int k = 0; k < 3; k++) {
                m->twin->x[i][k] += (double)(places[k] - (float)m->twin->x[i][k]);
                m->twin->v[i][k] += (double)(speeds[k] - (float)m->twin->v[i][k]);
            }
        }
    }
}

/* ---- What is measured ---- */

static inline double mover_mass(const mover* m) {
    double sum = 0;
    for (int32_t i = 0; i < m->thing.form.point_count; i++) sum += (double)m->masses[i];
    return sum;
}

/* Mean by mass of `of` (x or v of the twin). */
static inline void mover_mean(const mover* m, double (*of)[3], double out[3]) {
    double total = mover_mass(m);
    memset(out, 0, 3 * sizeof *out);
    for (int32_t i = 0; i < m->thing.form.point_count; i++) {
        for (int k = 0; k < 3; k++) out[k] += (double)m->masses[i] / total * of[i][k];
    }
}

/* Sum of m v^2, in J twice. */
static inline double mover_energy(const mover* m) {
    double sum = 0;
    for (int32_t i = 0; i < m->thing.form.point_count; i++) {
        for (int k = 0; k < 3; k++) {
            sum += (double)m->masses[i] * m->twin->v[i][k] * m->twin->v[i][k];
        }
    }
    return sum;
}

/* The deepest contact, in mean edges of its body. */
static inline double stage_deepest(const stage* s) {
    double deepest = 0;
    for (int32_t i = 0; i < s->contacts.contact_count; i++) {
        const supi_tet_contact* c = &s->contacts.contacts[i];
        deepest = fmax(deepest, (double)(c->depth / s->bodies[c->body].form->edge));
    }
    return deepest;
}

#endif
