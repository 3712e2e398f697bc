/* See light.h. */
#include "render/light.h"

#include "base/real.h"
#include "render/vec.h"

#define LAMP_RADIUS 0.11f /* m at a distance of 1 m: about 6 degrees */
#define SHOULDER 0.55f    /* where the rolling off begins */

float light_tone(float x) {
    if (x <= SHOULDER) return x;
    float over = (x - SHOULDER) / (1.0f - SHOULDER);
    return SHOULDER + (1.0f - SHOULDER) * over / (1.0f + over);
}

float light_untone(float x) {
    if (x <= SHOULDER) return x;
    float over = (x < 0.97f ? x - SHOULDER : 0.97f - SHOULDER) / (1.0f - SHOULDER);
    return SHOULDER + (1.0f - SHOULDER) * over / (1.0f - over);
}

static sup_vec3 untone(sup_vec3 c) {
    return (sup_vec3){light_untone(c.x), light_untone(c.y), light_untone(c.z)};
}

static double srgb_of(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * supi_pow(linear, 1 / 2.4) - 0.055;
}

static float linear_of(uint8_t byte) {
    double x = byte / 255.0;
    return (float)(x <= 0.04045 ? x / 12.92 : supi_pow((x + 0.055) / 1.055, 2.4));
}

sup_vec3 light_linear(uint8_t red, uint8_t green, uint8_t blue) {
    return (sup_vec3){linear_of(red), linear_of(green), linear_of(blue)};
}

lighting light_create(const float background[3], sup_vec3 ahead) {
    lighting light = {.lamp_colour = {1.32f, 1.25f, 1.15f}};
    sup_vec3 flat = vec_unit_or((sup_vec3){ahead.x, 0, ahead.z}, (sup_vec3){0, 0, -1});
    sup_vec3 left = {flat.z, 0, -flat.x};
    sup_vec3 aside = vec_along(vec_scale(left, 0.75f), flat, -0.35f);
    light.lamp = vec_unit((sup_vec3){aside.x, 1.05f, aside.z});
    vec_frame(light.lamp, &light.across, &light.other);
    light.across = vec_scale(light.across, LAMP_RADIUS);
    light.other = vec_scale(light.other, LAMP_RADIUS);

    /* The sky lights equally well whatever its colour; its tint is felt a little. */
    sup_vec3 back = {background[0], background[1], background[2]};
    float bright = 0.2126f * back.x + 0.7152f * back.y + 0.0722f * back.z;
    sup_vec3 grey = {1, 1, 1};
    sup_vec3 tint = bright > 0.0f ? vec_mix(grey, vec_scale(back, 1.0f / bright), 0.35f) : grey;
    light.zenith = vec_scale(vec_multiply(tint, (sup_vec3){0.88f, 0.97f, 1.12f}), 0.62f);
    light.horizon = vec_scale(tint, 0.5f);
    light.below = vec_scale(tint, 0.16f);
    light.backdrop = untone(back);
    light.backdrop_top = untone(vec_multiply(back, (sup_vec3){0.62f, 0.74f, 0.88f}));
    for (int i = 0; i < LIGHT_TABLE; i++) {
        double root = (i + 0.5) / LIGHT_TABLE;
        light.srgb[i] = (uint8_t)(255.0 * srgb_of(root * root) + 0.5);
    }
    return light;
}

sup_vec3 light_ray(const lighting* light, float x, float y) {
    return vec_unit(vec_along(vec_along(light->lamp, light->across, x), light->other, y));
}

sup_vec3 light_sky(const lighting* light, sup_vec3 direction) {
    float height = direction.y;
    if (height >= 0.0f) return vec_mix(light->horizon, light->zenith, height);
    return vec_mix(light->horizon, light->below, clamp01(-4.0f * height));
}

sup_vec3 light_backdrop(const lighting* light, sup_vec3 direction) {
    float height = clamp01(1.6f * direction.y);
    return vec_mix(light->backdrop, light->backdrop_top, height);
}

void light_bytes(const lighting* light, sup_vec3 radiance, uint8_t rgb[3]) {
    const float channels[3] = {radiance.x, radiance.y, radiance.z};
    for (int k = 0; k < 3; k++) {
        float x = channels[k] > 0.0f ? light_tone(channels[k]) : 0.0f;
        int32_t at = (int32_t)(sqrtf(x < 1.0f ? x : 1.0f) * LIGHT_TABLE);
        rgb[k] = light->srgb[at < LIGHT_TABLE ? at : LIGHT_TABLE - 1];
    }
}
