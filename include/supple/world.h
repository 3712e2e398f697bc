/* Worlds: settings, stepping, events, measures. */
#ifndef SUPPLE_WORLD_H
#define SUPPLE_WORLD_H

#include "supple/spring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sup_world sup_world;

/* ---- What happened ---- */

typedef enum sup_event_kind {
    SUP_EVENT_BODY_RESTORED, /* the body became non-finite or left the range: put back with zero
                                velocity */
    SUP_EVENT_STIFFNESS_SATURATED, /* w0 h is above what a substep can carry; `value` = substeps
                                      needed */
    SUP_EVENT_CONTACT_BEGIN, /* body meets other or collider; value: normal impulse of the step, N s
                              */
    SUP_EVENT_CONTACT_END,
    SUP_EVENT_SENSOR_BEGIN, /* body comes into a collider that is a sensor */
    SUP_EVENT_SENSOR_END,
    SUP_EVENT_ATTACHMENT_BROKEN, /* it is gone; value: the force that broke it, N */
    SUP_EVENT_BODY_SLEPT,
    SUP_EVENT_BODY_WOKE,
    SUP_EVENT_BODY_TORN,   /* its surface has opened; value: how often particles have parted in the
                              step. See sup_body_read_vertex_particles */
    SUP_EVENT_STEPS_FORCED /* of the steps that its springs took, one in a hundred or more was bad,
                              but could not be shorter; value: how many. See sup_spring_measures */
} sup_event_kind;

/* Handles that a kind does not mention are null. */
typedef struct sup_event {
    sup_event_kind kind;
    sup_body body, other;
    sup_collider collider;
    sup_attachment attachment;
    double value;
} sup_event;

/* Called for each event at the end of its step. The world may be read and changed; what is
   destroyed in here goes when the last event was told. Stepping and restoring are refused with
   SUP_BUSY; destroying the world itself does nothing. */
typedef void sup_event_callback(void* user, sup_world* world, const sup_event* event);

/* ---- Threads of the host ---- */

/* Does item `index`; `worker` is 0 .. worker_count - 1, and no two running calls share one. */
typedef void sup_task(void* context, int32_t index, int32_t worker);

/* The host's threads in place of the world's own. `enqueue` starts task(context, i, worker) for all
   i in 0 .. count - 1, in any order and on any threads, and returns a token; `finish` returns when
   all of them are done. Results are the same for every worker_count. */
typedef struct sup_task_system {
    void* user;
    int32_t worker_count; /* 1..64 */
    void* (*enqueue)(void* user, sup_task* task, void* context, int32_t count);
    void (*finish)(void* user, void* token);
} sup_task_system;

/* ---- The world itself ---- */

/* Which copy of the kernels runs. All give the same bits. */
typedef enum sup_simd {
    SUP_SIMD_AUTO,
    SUP_SIMD_SCALAR,
    SUP_SIMD_SSE2,
    SUP_SIMD_AVX2,
    SUP_SIMD_WASM
} sup_simd;
SUP_API const char* sup_simd_name(sup_simd simd);
SUP_API bool sup_simd_available(sup_simd simd);

/* Air, and how it moves: it pushes surfaces of bodies with springs, and oriented particles
   (sup_spring_air). Water is air of 1000 kg/m^3. */
typedef struct sup_wind {
    double velocity[3]; /* m/s, -1e3..1e3 each, default 0 */
    double gust;        /* m/s, 0..1e3, default 0: gusts change the velocity by up to this along
                           each axis, smoothly, and differently from place to place. Raise it when
                           flags wave too evenly */
    double
        gust_length;  /* m, 0.01..1e6, default 2: how far places are apart that feel other gusts */
    double gust_time; /* s, 0.01..1e6, default 1: after which a gust is another */
    double density;   /* kg/m^3, 0..1e5; 1.2 from sup_wind_default. 0: no air, the default of
                         worlds */
    int32_t seed;     /* from 0 on, default 0: each gives other gusts, the same in every run */
} sup_wind;
SUP_API sup_wind sup_wind_default(void);

typedef struct sup_world_def {
    size_t size;
    const sup_allocator* allocator; /* NULL: the default */
    double gravity[3];              /* m/s^2, default (0, -9.81, 0) */
    sup_wind wind;                  /* default: no air */
    int32_t substeps; /* 1..64, default 4: equal parts of a step. Raise it when fast or stiff things
                         misbehave */
    int32_t sweeps;   /* 1..8, default 2: passes over the contacts of a substep. Raise it when piles
                         sink */
    int32_t threads;  /* 1..64, default 1, the calling thread counts. The result is the same for
                         every value */
    const sup_task_system* tasks; /* copied; NULL (default): `threads` own ones */
    sup_simd simd;
    double
        sleep_speed;   /* body sizes/s, 0..1, default 0.01: a body slower than this for sleep_time
                          may fall asleep. 0: nobody sleeps. Lower it when things freeze too soon */
    double sleep_time; /* s, 0.05..60, default 0.5 */
    sup_event_callback* on_event; /* NULL (default): only sup_world_events tells */
    void* user;                   /* given to on_event */
} sup_world_def;

SUP_API sup_world_def sup_world_default(void);
SUP_API sup_result sup_world_create(const sup_world_def* def, sup_world** out, sup_error* error);
SUP_API void sup_world_destroy(sup_world* world);

/* Moves everything by exactly dt (1e-6 .. 1 s, dt/substeps at most 0.1) and returns SUP_OK,
   SUP_BAD_ARGUMENT, SUP_BUSY inside a callback, or SUP_NO_MEMORY with the world as it was before
   the call; only the events and single contacts of the step before are forgotten then. */
SUP_API sup_result sup_world_step(sup_world* world, double dt);
SUP_API double sup_world_time(const sup_world* world);
SUP_API uint64_t sup_world_step_count(const sup_world* world);
/* A number that two worlds share only if they will go on alike. */
SUP_API uint64_t sup_world_hash(const sup_world* world);
SUP_API sup_simd sup_world_simd(const sup_world* world);
/* m/s^2, -1e4 .. 1e4 each; wakes every body. */
SUP_API sup_result sup_world_set_gravity(sup_world* world, const double gravity[3],
                                         sup_error* error);

/* Wakes every body. SUP_NO_MEMORY: nothing has changed. */
SUP_API sup_result sup_world_set_wind(sup_world* world, const sup_wind* wind, sup_error* error);

/* Events of the last step, valid until the next step. First what befell bodies, in body order,
   then contacts and attachments. */
SUP_API const sup_event* sup_world_events(const sup_world* world, int32_t* count);

/* Wall time of the phases of the last step, ms. */
typedef struct sup_profile {
    double begin, integrate, contacts, project, settle, total;
} sup_profile;
SUP_API sup_profile sup_world_profile(const sup_world* world);

/* Numbers about the whole world, computed when asked for (double, fixed order). */
/* Contacts of thin bodies (meets_itself of springs): sums over the substeps of the last step, but
   for the last two. */
typedef struct sup_thin_measures {
    int32_t candidates; /* pairs of a point and a triangle, or of two edges, that might have met */
    int32_t active;     /* of these, pushed apart */
    int32_t bounded;    /* kept from closing too far at once */
    int32_t clamped;    /* particles kept within the reach that pairs were looked for in */
    int32_t zoned;      /* particles that had to move as one with others */
    int32_t rounds;     /* of the bound: as many as substeps where nothing is tight */
    int32_t crossings;  /* edges through triangles at the start of the step: above 0 only where the
                           bodies were put so, or pins moved into each other */
    double least;       /* smallest gap as a share of the thickness to be kept; 0: no candidates */
    double led; /* how far a pin went in a substep, over the 0.3 edges within which all others
                   stay. Above 1 layers may cross or catch for good: so many times the
                   substeps would do */
} sup_thin_measures;

typedef struct sup_measures {
    double time;
    double kinetic, potential; /* J; potential against the origin */
    double elastic; /* J, 1/2 stiffness^2 sum w|x-g|^2 with the rigid goals g in every mode. Linear
                       and quadratic goals give way by the share beta: of what they go along with,
                       only 1 - beta of this is stored. 0 for the rules without a frequency. With
                       the energy of springs */
    double momentum[3],
        angular_momentum[3]; /* kg m/s; kg m^2/s about the origin; pinned particles do not count */
    double top_speed;        /* m/s */
    double strain_largest, strain_mean; /* per cluster: root of sum w|x-g|^2 / sum w|q|^2, mean
                                           weighted by mass; with the rigid goals too. Bodies of
                                           springs alone: of their structural springs */
    sup_spring_measures springs; /* of all bodies: sums, means over all springs, largest ones */
    int32_t asleep_count;        /* bodies */
    int32_t contact_count;       /* body-body and body-collider, of the last substep, and pairs of
                                    thin bodies */
    double deepest;              /* m, of those, after the step */
    double deepest_share;        /* the same as a share of the particle radius, of spheres only */
    double
        haste; /* of bodies that met by their volumes in the last step, or were stopped on their
                  way: how far two came nearer within a substep, over half the thickness of the
                  thinner. Above 1 one may pass the other: so many times the substeps hold them */
    sup_thin_measures thin; /* of the world; of a single body 0 */
} sup_measures;
SUP_API sup_measures sup_world_measure(const sup_world* world);

#ifdef __cplusplus
}
#endif
#endif
