/* Colours for numbers: what the largest one is, and the bar that explains them. */
#ifndef SUPPLE_TOOL_RENDER_SCALE_H
#define SUPPLE_TOOL_RENDER_SCALE_H

#include "render/picture.h"
#include "supple/types.h"

/* Colour of a share 0..1 of the scale, linear RGB; more than 1 looks like 1. */
sup_vec3 scale_colour(float share);
/* A colour of its own for each number, linear RGB. */
sup_vec3 scale_distinct(int32_t number);

/* How often values of each size occur, in any number of pictures. All zero is empty. */
#define SCALE_BINS 1024 /* 16 to each doubling, from 2^-32 on */
typedef struct scale_tally {
    int64_t count;
    int64_t bins[SCALE_BINS];
} scale_tally;
/* A value from 0 on. */
void scale_count(scale_tally* tally, float value);
/* At most a hundredth of the values lies above it: single peaks do not make all else look alike. Up
   to 1/16 more than needed; 0 where there are no values. */
double scale_top(const scale_tally* tally);
/* The next value that makes a good top of the scale: a quarter of it has two digits at most. */
double scale_round(double top);

/* Draws the scale with its numbers at the right edge; the last one means "or more". Left out where
   it has no room: below 150 pixels of width or 90 of height. */
void scale_draw(picture* picture, double top, const char* unit);

#endif
