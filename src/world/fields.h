/* The fields of a world, told one after the other. The hash and the snapshot walk this one list, so
   that neither forgets what the other knows. */
#ifndef SUPPLE_WORLD_FIELDS_H
#define SUPPLE_WORLD_FIELDS_H

#include "world/world.h"

typedef enum supi_visit_kind {
    SUPI_VISIT_BOOL,
    SUPI_VISIT_U8,
    SUPI_VISIT_I32,
    SUPI_VISIT_U32,
    SUPI_VISIT_U64,
    SUPI_VISIT_F32,
    SUPI_VISIT_F64
} supi_visit_kind;

/* `count` numbers of a kind that lie at `at`. Whole numbers, except U64, and floats lie in least ..
   most. */
typedef struct supi_visited {
    const char* name;
    supi_visit_kind kind;
    void* at;
    size_t count;
    double least, most;
} supi_visited;

/* Who is told the fields. One that `sets` brings values in, and has to refuse those out of range;
   all others only look. */
typedef struct supi_visitor {
    void (*visit)(struct supi_visitor* self, const supi_visited* field);
    bool sets;
    bool motion; /* only what the next step reads: no handles, no user values, no sums of the last
                    step */
} supi_visitor;

static inline void supi_visit(supi_visitor* v, const char* name, supi_visit_kind kind, void* at,
                              size_t count, double least, double most) {
    v->visit(v, &(supi_visited){name, kind, at, count, least, most});
}
static inline void supi_visit_f64(supi_visitor* v, const char* name, double* at, size_t count,
                                  double least, double most) {
    supi_visit(v, name, SUPI_VISIT_F64, at, count, least, most);
}
/* Finite, no other limit. */
static inline void supi_visit_f32(supi_visitor* v, const char* name, float* at, size_t count) {
    supi_visit(v, name, SUPI_VISIT_F32, at, count, -3.5e38, 3.5e38);
}
static inline void supi_visit_i32(supi_visitor* v, const char* name, int32_t* at, size_t count,
                                  double least, double most) {
    supi_visit(v, name, SUPI_VISIT_I32, at, count, least, most);
}
static inline void supi_visit_u32(supi_visitor* v, const char* name, uint32_t* at) {
    supi_visit(v, name, SUPI_VISIT_U32, at, 1, 0, UINT32_MAX);
}
static inline void supi_visit_u64(supi_visitor* v, const char* name, uint64_t* at) {
    supi_visit(v, name, SUPI_VISIT_U64, at, 1, 0, 0);
}
static inline void supi_visit_bool(supi_visitor* v, const char* name, bool* at) {
    supi_visit(v, name, SUPI_VISIT_BOOL, at, 1, 0, 1);
}

/* What a world, a body, a collider and an attachment are made from, then what has become of them.
   Of a definition only those fields are told that are kept; arrays that it points to are not. */

void supi_fields_settings(supi_visitor* v, sup_world_def* def, double* time, uint64_t* step_count);

/* `materials`: by region. */
void supi_fields_body_def(supi_visitor* v, sup_body_def* def, sup_material* materials,
                          int32_t region_count);
void supi_fields_body(supi_visitor* v, sup_world* world, supi_body* body);
/* Of a body that has room to flow; whether it has is told before it. */
void supi_fields_plastic(supi_visitor* v, supi_body* body);
/* Of a body whose springs have lengths of their own; whether they have is told before it. */
void supi_fields_lengths(supi_visitor* v, supi_body* body);
/* The definition that would make the body again where it started; its materials are the body's. */
sup_body_def supi_fields_body_def_of(const supi_body* body);

void supi_fields_collider_def(supi_visitor* v, sup_collider_def* def);
/* The arrays that the definition points to: of a mesh its triangles, or heights. Counts are told
   before the arrays are looked at, so that there can be room for them. */
typedef struct supi_collider_arrays {
    int32_t point_count, triangle_count, height_count;
    sup_vec3* points;   /* as it was made with */
    int32_t* triangles; /* (3 * triangle_count) */
    float* heights;
    bool led; /* its points have been moved */
} supi_collider_arrays;
supi_collider_arrays supi_fields_arrays_of(const supi_collider* collider);
void supi_fields_array_counts(supi_visitor* v, supi_collider_arrays* arrays);
void supi_fields_arrays(supi_visitor* v, supi_collider_arrays* arrays);
/* Points that move are told if the collider has them. */
void supi_fields_collider(supi_visitor* v, supi_collider* collider);

void supi_fields_attachment_def(supi_visitor* v, sup_attachment_def* def);
void supi_fields_attachment(supi_visitor* v, supi_attachment* attachment);

void supi_fields_meeting(supi_visitor* v, sup_meeting* meeting);
/* Of contacts of tetrahedra, between so many bodies. */
void supi_fields_memory(supi_visitor* v, supi_tet_memory* memory, int32_t body_count);

#endif
