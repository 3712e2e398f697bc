/* See axis.h. */
#include "plot/axis.h"

#include "base/number.h"
#include "plot/markup.h"

#include <math.h>
#include <stdio.h>

/* x * 10^power; dividing by a whole power keeps decimals such as 0.3 exact. */
static double scaled(double x, int32_t power) {
    return power < 0 ? x / pow(10, -power) : x * pow(10, power);
}

static int32_t exponent_of(double x) { return (int32_t)floor(log10(x)); }

/* With a real minus. */
static void write_label(double value, char label[48]) {
    char digits[32];
    supi_number_write(fabs(value), digits);
    snprintf(label, 48, "%s%s", value < 0 ? "−" : "", digits);
}

/* ---- linear ---- */

typedef struct step {
    int32_t times, power; /* times * 10^power: 1, 2 or 5 */
} step;

static step round_step(double raw) {
    step s = {1, exponent_of(raw)};
    double lead = scaled(raw, -s.power);
    if (lead > 5.0000001) {
        s.power++;
    } else {
        s.times = lead > 2.0000001 ? 5 : lead > 1.0000001 ? 2 : 1;
    }
    return s;
}

/* Labels of five digits and more, or of thousandths, are hard to read: thousands are taken out. */
static int32_t label_exponent(double low, double high) {
    double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    int32_t exponent = exponent_of(largest);
    if (exponent > -3 && exponent < 5) return 0;
    return 3 * (int32_t)floor(exponent / 3.0);
}

axis axis_linear(double low, double high, int32_t wanted, bool whole) {
    double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    if (high - low <= 1e-9 * largest || high - low < 1e-250) {
        double wider = largest < 1e-250 ? 1 : 0.1 * largest;
        if (low != 0) low -= wider;
        high += wider;
    }
    step s = round_step((high - low) / wanted);
    double size = scaled(s.times, s.power);
    double first = whole ? floor(low / size + 1e-9) : ceil(low / size - 1e-9);
    double last = whole ? ceil(high / size - 1e-9) : floor(high / size + 1e-9);
    axis a = {.low = low, .high = high};
    if (whole) {
        a.low = scaled(first * s.times, s.power);
        a.high = scaled(last * s.times, s.power);
    }
    a.exponent = label_exponent(a.low, a.high);
    for (double i = first; i <= last && a.tick_count < AXIS_TICKS; i++) {
        axis_tick* tick = &a.ticks[a.tick_count++];
        tick->value = scaled(i * s.times, s.power);
        write_label(scaled(i * s.times, s.power - a.exponent), tick->label);
    }
    return a;
}

/* ---- logarithmic ---- */

static void add_power(axis* a, int32_t times, int32_t power, bool plain) {
    axis_tick* tick = &a->ticks[a->tick_count++];
    tick->value = scaled(times, power);
    if (plain) {
        write_label(tick->value, tick->label);
        return;
    }
    char raised[40];
    markup_superscript(raised, power);
    if (times == 1) {
        snprintf(tick->label, sizeof tick->label, "10%.40s", raised);
    } else {
        snprintf(tick->label, sizeof tick->label, "%d·10%.40s", (int)times, raised);
    }
}

axis axis_log(double low, double high, int32_t wanted) {
    int32_t first = exponent_of(low), last = (int32_t)ceil(log10(high) - 1e-9);
    if (last <= first) last = first + 1;
    axis a = {.log = true, .low = scaled(1, first), .high = scaled(1, last)};
    bool plain = first >= -3 && last <= 4;
    bool between = last - first <= 2; /* few powers: 2 and 5 times them too */
    int32_t apart = (last - first + wanted - 1) / wanted;
    for (int32_t power = first; power <= last; power += apart) {
        add_power(&a, 1, power, plain);
        if (between && power < last) {
            add_power(&a, 2, power, plain);
            add_power(&a, 5, power, plain);
        }
    }
    return a;
}

double axis_share(const axis* a, double value) {
    if (!a->log) return (value - a->low) / (a->high - a->low);
    return (log10(value) - log10(a->low)) / (log10(a->high) - log10(a->low));
}
