/* Light and colour: one wide lamp, the sky around, and the way from radiance to bytes. */
#ifndef SUPPLE_TOOL_RENDER_LIGHT_H
#define SUPPLE_TOOL_RENDER_LIGHT_H

#include "supple/types.h"

#define LIGHT_TABLE 4096

typedef struct lighting {
    /* A disc far away: the same light on every body, soft shadows at every scale. */
    sup_vec3 lamp, across, other;    /* unit vector to its centre; across and other are its radii */
    sup_vec3 lamp_colour;            /* what a white surface that faces it sends back */
    sup_vec3 zenith, horizon, below; /* of the sky as light */
    sup_vec3 backdrop, backdrop_top; /* of the sky as seen */
    uint8_t srgb[LIGHT_TABLE];       /* bytes by the root of a channel */
} lighting;

/* The lamp stands to the left behind a camera that looks along `ahead`. */
lighting light_create(const float background[3], sup_vec3 ahead);
/* To a place of the lamp; x, y in the unit disc. */
sup_vec3 light_ray(const lighting* light, float x, float y);
/* What comes from the sky, and how the sky looks. */
sup_vec3 light_sky(const lighting* light, sup_vec3 direction);
sup_vec3 light_backdrop(const lighting* light, sup_vec3 direction);

/* Keeps dark and middle tones, rolls bright ones off so that nothing burns out; and back. */
float light_tone(float x);
float light_untone(float x);
/* Tone-mapped sRGB. */
void light_bytes(const lighting* light, sup_vec3 radiance, uint8_t rgb[3]);
/* Linear from sRGB bytes. */
sup_vec3 light_linear(uint8_t red, uint8_t green, uint8_t blue);

#endif
