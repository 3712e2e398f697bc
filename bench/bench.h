/* The bench: rows that time Supple and a reference in turn and compare the two. */
#ifndef SUPPLE_BENCH_BENCH_H
#define SUPPLE_BENCH_BENCH_H

#include "supple/supple.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Subjects: anything that can be stepped over and over ---- */

typedef struct bench_subject {
    void* state;
    bool (*step)(void* state);                    /* false: the step failed */
    int32_t steps;                                /* that one call takes */
    bool (*read)(void* state, sup_point* places); /* places of all points, body after body */
    void (*destroy)(void* state);
} bench_subject;

/* Least seconds of one step of each subject. The subjects take turns, `repeats` times, each turn at
   least 20 ms long, so that a busy moment of the machine hits all of them. False when a step
   fails. */
bool bench_time(bench_subject* subjects, int32_t count, int32_t repeats, double* seconds);
/* The same in seconds of processors, which a busy machine hardly changes. */
bool bench_time_work(bench_subject* subjects, int32_t count, int32_t repeats, double* seconds);
/* Mean of so many calls in seconds of processors, for steps that are not alike; < 0 when one
   fails. */
double bench_time_mean(bench_subject* subject, int32_t calls);

/* ---- Rows ---- */

typedef struct bench_figures {
    double value, reference; /* both in the row's unit, less is better */
    double ceiling;          /* of the ratio, too good to be true above; 0: none */
    sup_simd simd;           /* kernels that gave `value` */
    char note[128];          /* what else is to be said of them, or nothing */
} bench_figures;

/* ratio = reference / value, so more is better in every row. */
typedef struct bench_row bench_row;
struct bench_row {
    const char* name;
    const char* about;
    const char* unit;
    const char* reference; /* name of what the value is compared with */
    double floor, goal;    /* of the ratio; 0: none */
    int32_t threads;       /* of the value */
    sup_simd simd;         /* kernels the row needs; SUP_SIMD_AUTO: any */
    bool (*measure)(const bench_row* row,
                    bench_figures* out); /* false: failed, said so on stderr */
    const void* detail;                  /* what `measure` of this row works on */
    int32_t repeats;                     /* turns of each subject */
};

/* Enough turns to meet a quiet moment of the machine, where they are short. */
enum { BENCH_REPEATS = 40 };

const bench_row* bench_rows_cluster(int32_t* count);
const bench_row* bench_rows_lattice(int32_t* count);
const bench_row* bench_rows_implicit(int32_t* count);
const bench_row* bench_rows_spring(int32_t* count);
const bench_row* bench_rows_cloth(int32_t* count);
const bench_row* bench_rows_scenes(int32_t* count);
const bench_row* bench_rows_readers(int32_t* count);
const bench_row* bench_rows_skin(int32_t* count);
const bench_row* bench_rows_blend(int32_t* count);
const bench_row* bench_rows_frames(int32_t* count);
const bench_row* bench_rows_chains(int32_t* count);
const bench_row* bench_rows_fit(int32_t* count);
const bench_row* bench_rows_mesh(int32_t* count);
const bench_row* bench_rows_deform(int32_t* count);
const bench_row* bench_rows_blob(int32_t* count);
const bench_row* bench_rows_contact(int32_t* count);
const bench_row* bench_rows_pile(int32_t* count);
const bench_row* bench_rows_render(int32_t* count); /* none where the build cannot draw */

/* The references must move as Supple does, else their times mean nothing. */
bool bench_check_references(void);
bool bench_check_pulls(void); /* that of `deform` rows, called by it */

/* Measures the figure of the 2005 paper, prints it as a table and draws it into the folder. */
bool bench_figure(const char* folder);

/* ---- Output ---- */

void bench_print_json(const bench_row* const* rows, const bench_figures* figures, int32_t count);
void bench_print_table(const bench_row* const* rows, const bench_figures* figures, int32_t count);
void bench_print_list(const bench_row* const* rows, int32_t count);
/* What is wrong with the ratio, "below its floor" or the like, or NULL. */
const char* bench_fault(const bench_row* row, const bench_figures* figures);

#ifdef __cplusplus
}
#endif
#endif
