/* Particles of springs alone that attachments hold. Springs are stiff beside the mass of one
   particle: who corrects it as if it were free takes a load from nobody, and what the springs do in
   the next substep is too much. So

   - what is held hard at a place that is known goes there while the springs are solved, as a pin
     does; what that takes is the impulse of the attachment;
   - all else is corrected with the whole body, as it answers to a push at that particle through an
     implicit substep of its springs. */
#ifndef SUPPLE_WORLD_SPRING_HOLDS_H
#define SUPPLE_WORLD_SPRING_HOLDS_H

#include "solve/explicit.h"
#include "world/elastic.h"
#include "world/springs.h"

/* One end of an attachment. Those of a body lie together, by row, then by attachment. */
struct supi_hold {
    int32_t attachment;
    int32_t row;       /* of the body */
    bool other;        /* it is the other end, which feels the opposite */
    bool led;          /* the attachment leads the row in this substep: */
    bool loaded;       /* or carries what holds it along through explicit steps: */
    double load;       /* kg */
    float pull[3];     /* N, its weight */
    double end[3];     /* m, from the anchor: where to */
    float speed[3];    /* m/s */
    double gap;        /* m, to what leads it, at the start */
    double start[3];   /* m: where from; of loaded rows m/s: how fast the load goes */
    double before[3];  /* m/s: its own velocity there */
    double impulse[3]; /* N s that this has taken */
    double passed[3];  /* kg m that other attachments gave to the row, and this took back */
    float w;           /* 1/kg of the row, while its row has none */
    bool answers;      /* the body answers as a whole: */
    sup_row* answer;   /* 1/kg, three columns by row: moves for a push along each axis; NULL:
                          there is no room, as it is always led */
    sup_row* recoil;   /* three for each hold of the body: what a push along each axis takes there
                          to lead the row */
    supi_hold* leader; /* another one that leads its row; NULL: none */
};

/* Start of a step, when attachments know their rows. False when memory is short. */
bool supi_holds_begin(sup_world* world);
/* Start of a substep of h from the rows of `from`: who is led, and where to. */
void supi_holds_lead(sup_world* world, const supi_state* from, double h);

/* ---- While springs move a body ---- */

/* A led row as SUPI_SLIDE_MOST slides, which leave it nothing. */
void supi_holds_slide(const supi_hold* hold, supi_slide* slides);
/* After a step: what these have taken. */
void supi_holds_take(const supi_elastic* e);
/* Led rows weigh infinitely much, and as they did again. */
void supi_holds_fix(const supi_elastic* e, sup_row* x);
void supi_holds_loosen(const supi_elastic* e, sup_row* x);
/* Around sweeps of a strain limit of implicit bodies: loaded ones weigh more, too. */
void supi_holds_begin_limit(const supi_elastic* e, sup_row* x, const sup_row* v);
void supi_holds_end_limit(const supi_elastic* e, sup_row* x, const sup_row* v);
/* At the end they are where they should be. */
void supi_holds_arrive(const supi_elastic* e, sup_row* x, sup_row* v);
/* Explicit steps begin and end: between, led rows weigh infinitely much, and loaded ones more. */
void supi_holds_begin_steps(const supi_elastic* e, sup_row* x, sup_row* v);
void supi_holds_end_steps(const supi_body* body, sup_row* x, const sup_row* v);
/* Adds the weight of loads to the forces. */
void supi_holds_pull(const supi_elastic* e, sup_row* f);
/* Ways of led rows and of pins. */
void supi_holds_paths(const sup_world* world, const supi_body* body, supi_motion* motion);
/* A step of h was taken, with forces f where led rows are. */
void supi_holds_step(const supi_elastic* e, double h, const sup_row* f);
/* Does nothing hold the body, and has nothing touched it in the last step? What leans on others is
   calmer by what the solver leaves. */
bool supi_holds_none(const supi_body* body);
/* Is the body attached to others, and held by nothing else? Then what the solver leaves must not
   change its momentum. */
bool supi_holds_keep(const supi_body* body);
/* Before the move: is it asked how the body answers? And how it does, led rows fixed. */
bool supi_holds_ask(const supi_elastic* e);
void supi_holds_answer(const supi_body* body, const supi_implicit* step, sup_row* x, sup_row* v);

#endif
