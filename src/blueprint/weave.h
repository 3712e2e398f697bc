/* A web in the making: what all weaves share. */
#ifndef SUPPLE_BLUEPRINT_WEAVE_H
#define SUPPLE_BLUEPRINT_WEAVE_H

#include "base/arena.h"
#include "base/check.h"
#include "supple/mesh.h"
#include "supple/weave.h"

/* One share of a spring. */
typedef struct supi_thread {
    double stiffness;
    int32_t a, b;
    uint8_t kind;
} supi_thread;

/* Points and elements as they were given; those without mass are left out at the end. */
typedef struct supi_weave {
    const sup_allocator* allocator;
    supi_arena scratch;
    bool short_of_memory; /* an earlier call could not get some */
    bool keeps_first;     /* of two threads between the same points; else they add up */
    bool slack;           /* springs along edges only pull */

    int32_t point_count;
    const sup_vec3* points;
    double* masses; /* kg (point_count) */

    int32_t thread_count, thread_capacity;
    supi_thread* threads;

    int32_t tet_count;
    int32_t* tets;

    int32_t polygon_count; /* of the surface, over `points` */
    const int32_t *starts, *corners;

    int32_t given_count;       /* points that the user gave; 0: none */
    const int32_t* from_given; /* which of `points` each of them is; NULL: the same */
    sup_web_report report;
} supi_weave;

/* A surface without points that lie together and polygons that have no area. */
typedef struct supi_weave_cloth {
    sup_mesh mesh;    /* counts of what is left */
    sup_mesh welded;  /* owns the arrays */
    sup_weld_map map; /* from the mesh as given */
    double diagonal;
} supi_weave_cloth;

/* Starts a web over these points. */
void supi_weave_begin(supi_weave* weave, const sup_allocator* allocator, int32_t point_count,
                      const sup_vec3* points);
/* Zeroed scratch until the end; NULL when memory is short. */
void* supi_weave_new(supi_weave* weave, size_t count, size_t size);
/* A share of a spring; none of a point to itself. */
void supi_weave_add(supi_weave* weave, int32_t a, int32_t b, sup_spring_kind kind,
                    double stiffness);
/* One more edge or side that too many share; the first one is remembered. */
void supi_weave_tangle(supi_weave* weave, int32_t a, int32_t b);
/* Starts one over elements whose points have been joined; *elements become those over the joined
   points. */
void supi_weave_begin_joined(supi_weave* weave, const sup_allocator* allocator,
                             const supi_weave_cloth* cloth, size_t corner_count,
                             const int32_t** elements);
/* Makes the web, unless `result` tells that something went wrong before; gives back all scratch. */
sup_result supi_weave_end(supi_weave* weave, sup_result result, sup_web* out, sup_error* error);
/* Gives back all scratch. */
void supi_weave_cancel(supi_weave* weave);

/* Diagonal of the box of all points; refuses places that are not finite or beyond 1e6 m. */
sup_result supi_weave_measure(int32_t point_count, const sup_vec3* points, double* diagonal,
                              sup_error* error);
/* Square of the distance of two points. */
double supi_weave_square(const sup_vec3* points, int32_t a, int32_t b);
/* Signed volume of a tetrahedron. */
double supi_weave_volume(const sup_vec3* points, const int32_t tet[4]);

/* Refuses definitions that did not come from their default function. */
sup_result supi_weave_check_size(size_t given, size_t size, const char* name, sup_error* error);
sup_result supi_weave_check_solid(double young, double density, sup_weave_rule rule,
                                  sup_error* error);
/* Refuses corners that name no point, or one twice. `what`: "tetrahedron". */
sup_result supi_weave_check_elements(const char* what, int32_t point_count, int32_t count,
                                     int32_t corners, const int32_t* elements, sup_error* error);

/* The sides that one element alone has become the surface. `sides`: corner numbers of an element's
   sides, seen from outside. */
void supi_weave_outside(supi_weave* weave, int32_t element_count, int32_t element_corners,
                        const int32_t* elements, int32_t side_count, int32_t side_corners,
                        const int32_t* sides);

/* Tetrahedra with their springs, masses and surface. What is given need not live on. */
sup_result supi_weave_fill_tets(supi_weave* weave, int32_t tet_count, const int32_t* tets,
                                sup_weave_rule rule, double young, double density, bool surface,
                                sup_error* error);

sup_result supi_weave_clean(const sup_allocator* allocator, const sup_mesh* mesh, double weld,
                            supi_weave_cloth* out, sup_web_report* report, sup_error* error);
/* The same for points alone. */
sup_result supi_weave_join(const sup_allocator* allocator, int32_t point_count,
                           const sup_vec3* points, double weld, supi_weave_cloth* out,
                           sup_web_report* report, sup_error* error);
void supi_weave_cloth_free(supi_weave_cloth* cloth);
double supi_weave_area(const sup_mesh* mesh, int32_t polygon);

#endif
