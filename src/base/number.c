/* Numbers from and to text: exact in both directions, with quick ways for common numbers. */
#include "base/number.h"

#include <math.h>
#include <string.h>

#include "base/big_natural.h"
#include "base/real_bits.h"

/* Powers of ten that a double holds exactly. */
static const double power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#define POWER10_LAST 22

/* ---- reading ---- */

/* A number between two neighbouring doubles needs at most 767 digits to tell it from their middle;
   of any further digits it only matters whether one of them is not 0. */
#define DIGITS_KEPT 780

/* (-1)^negative 0.d1 d2 d3 ... 10^point, d1 not 0 */
typedef struct decimal {
    bool negative;
    int64_t point;
    int count;
    uint8_t digits[DIGITS_KEPT + 1];
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t skip_sign(const char* text, size_t size, bool* negative) {
    *negative = size > 0 && text[0] == '-';
    return size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
}

static void keep_digit(decimal* d, char c) {
    if (d->count < DIGITS_KEPT) {
        d->digits[d->count++] = (uint8_t)(c - '0');
    } else if (c != '0') {
        d->digits[DIGITS_KEPT] = 1;
        d->count = DIGITS_KEPT + 1;
    }
}

/* The exponent at text[at], if there is a whole one; returns where it ends. */
static size_t read_exponent(const char* text, size_t size, size_t at, int64_t* exponent) {
    if (at >= size || (text[at] != 'e' && text[at] != 'E')) return at;
    bool negative;
    size_t i = at + 1 + skip_sign(text + at + 1, size - at - 1, &negative);
    if (i >= size || !is_digit(text[i])) return at;
    int64_t sum = 0;
    for (; i < size && is_digit(text[i]); i++)
        if (sum < INT64_MAX / 100)
            sum = 10 * sum + (text[i] - '0'); /* more than any text has digits */
    *exponent = negative ? -sum : sum;
    return i;
}

/* Returns how many bytes the number takes, 0 when there is none. */
static size_t read_decimal(const char* text, size_t size, decimal* d) {
    d->count = 0;
    d->point = 0;
    size_t i = skip_sign(text, size, &d->negative);
    bool seen_digit = false, seen_point = false;
    for (; i < size; i++) {
        char c = text[i];
        if (c == '.' && !seen_point) {
            seen_point = true;
        } else if (is_digit(c)) {
            seen_digit = true;
            bool leading_zero = d->count == 0 && c == '0';
            if (!leading_zero) keep_digit(d, c);
            if (!leading_zero && !seen_point) d->point++;
            if (leading_zero && seen_point) d->point--;
        } else {
            break;
        }
    }
    if (!seen_digit) return 0;
    int64_t exponent = 0;
    i = read_exponent(text, size, i, &exponent);
    d->point += exponent;
    while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
    return i;
}

/* q 2^exponent rounded to nearest even, for q < 2^57 whose last bit also stands for all that was
   lost behind it. */
static double round_binary(uint64_t q, int exponent) {
    int bits = 0;
    for (uint64_t rest = q; rest != 0; rest >>= 1) bits++;
    int drop = bits - 53;
    if (drop < -1074 - exponent) drop = -1074 - exponent; /* denormals have fewer */
    if (drop > 60) return 0;
    if (drop > 0) {
        uint64_t half = (uint64_t)1 << (drop - 1);
        uint64_t lost = q & (2 * half - 1);
        q >>= drop;
        if (lost > half || (lost == half && (q & 1) != 0)) q++;
        exponent += drop;
    }
    return supi_real_scale((double)q * 0x1p-53, exponent + 53);
}

/* As many of the first digits as surely fit 64 bits, as a whole number. */
static uint64_t leading_digits(const decimal* d, int* count) {
    uint64_t whole = 0;
    *count = d->count < 19 ? d->count : 19;
    for (int i = 0; i < *count; i++) whole = 10 * whole + d->digits[i];
    return whole;
}

/* The exact way: the digits as a whole number times or over a power of ten, divided to 64 bits. */
static double divide_exactly(const decimal* d) {
    int i, exponent = (int)d->point - d->count;
    supi_big over, under;
    supi_big_set(&over, leading_digits(d, &i));
    supi_big_set(&under, 1);
    for (; i < d->count; i++) supi_big_multiply_add(&over, 10, d->digits[i]);
    supi_big_multiply_power5(exponent < 0 ? &under : &over, exponent < 0 ? -exponent : exponent);

    /* shift until 1/4 < over / under < 1 and the last limb of `under` is full */
    int excess = supi_big_bits(&over) + 1 - supi_big_bits(&under);
    int fill = excess > 0 ? excess : 0;
    fill += -(supi_big_bits(&under) + fill) & 31;
    supi_big_shift(&under, fill);
    int shift = supi_big_bits(&under) - 1 - supi_big_bits(&over);
    supi_big_shift(&over, shift);
    exponent += fill - shift;

    uint64_t quotient = 0;
    for (int half = 0; half < 2; half++) {
        supi_big_shift(&over, 32);
        quotient = quotient << 32 | supi_big_divide(&over, &under);
    }
    bool lost = (quotient & 0xff) != 0 || over.count != 0;
    return round_binary(quotient >> 8 << 1 | lost, exponent - 64 + 7);
}

static double size_of(const decimal* d) {
    if (d->count == 0 || d->point < -330) return 0;
    if (d->point > 310) return supi_real_infinity();
    int count, exponent = (int)d->point - d->count;
    uint64_t whole = leading_digits(d, &count);
    bool exact = count == d->count && whole <= (uint64_t)1 << 53;
    if (!exact || exponent < -POWER10_LAST || exponent > POWER10_LAST) return divide_exactly(d);
    /* the quick way: one operation on two exact numbers rounds correctly */
    double x = (double)whole;
    return exponent < 0 ? x / power10[-exponent] : x * power10[exponent];
}

supi_number_status supi_number_parse(const char* text, size_t size, double* value, size_t* used) {
    decimal d;
    size_t length = read_decimal(text, size, &d);
    if (length == 0) return SUPI_NUMBER_MALFORMED;
    double x = size_of(&d);
    if (x > DBL_MAX) return SUPI_NUMBER_OVERFLOW;
    *value = d.negative ? -x : x;
    *used = length;
    return SUPI_NUMBER_OK;
}

bool supi_number_parse_integer(const char* text, size_t size, int64_t* value, size_t* used) {
    bool negative;
    size_t first = skip_sign(text, size, &negative), i = first;
    int64_t sum = 0; /* minus the number, as there is one more below zero than above */
    for (; i < size && is_digit(text[i]); i++) {
        int digit = text[i] - '0';
        if (sum < (INT64_MIN + digit) / 10) return false;
        sum = 10 * sum - digit;
    }
    if (i == first || (sum == INT64_MIN && !negative)) return false;
    *value = negative ? sum : -sum;
    *used = i;
    return true;
}

/* ---- writing ---- */

/* 0.d1 d2 d3 ... 10^point */
typedef struct shortest {
    int point;
    int count;
    char digits[20];
} shortest;

static void set_whole(shortest* s, uint64_t whole, int decimals) {
    char reversed[20];
    int n = 0;
    for (; whole != 0; whole /= 10) reversed[n++] = (char)('0' + whole % 10);
    for (int i = 0; i < n; i++) s->digits[i] = reversed[n - 1 - i];
    s->point = n - decimals;
    s->count = n;
    while (s->digits[s->count - 1] == '0') s->count--;
}

/* The quick way: the fewest decimals with which the number reads back. Below these limits only the
   nearest whole number can be it, and the quotient is just what reading computes. */
static bool find_few_decimals(double x, bool single, shortest* s) {
    if (single && x > 0x1p24) return false;
    for (int decimals = 0; decimals <= POWER10_LAST; decimals++) {
        double scaled = x * power10[decimals];
        if (scaled >= 1e15) return false;
        double whole = floor(scaled + 0.5), back = whole / power10[decimals];
        if (single ? (float)back == (float)x : back == x) {
            set_whole(s, (uint64_t)whole, decimals);
            return true;
        }
    }
    return false;
}

/* All numbers that read back as x = centre 2^exponent: those between centre - below and centre +
   above, and these ends too if closed. */
typedef struct neighbourhood {
    uint64_t centre, below, above;
    int exponent;
    bool closed;
} neighbourhood;

static neighbourhood neighbourhood_of(double x, bool single) {
    uint64_t bits = supi_real_to_bits(x), fraction = bits & SUPI_MANTISSA_MASK;
    bool normal = bits > SUPI_MANTISSA_MASK;
    uint64_t mantissa = normal ? fraction | (SUPI_MANTISSA_MASK + 1) : fraction;
    int last = normal ? (int)(bits >> 52) - 1075 : -1074; /* an ulp is 2^last */
    int lowest = single ? -149 : -1074;
    int ulp = single ? last + 29 : last;
    bool narrow_below = fraction == 0 && ulp > lowest; /* smaller floats lie closer */
    if (ulp < lowest) ulp = lowest;

    neighbourhood n = {.centre = 4 * mantissa, .exponent = last - 2};
    n.above = (uint64_t)2 << (ulp - last);
    n.below = narrow_below ? n.above / 2 : n.above;
    n.closed = (mantissa >> (ulp - last)) % 2 == 0; /* ties go to even */
    if (single && !n.closed) { /* reading rounds to double first, which must not make a tie */
        n.above -= 2;
        n.below -= 2;
    }
    return n;
}

static void set_scaled(supi_big* a, uint64_t value, int power5, int power2) {
    supi_big_set(a, value);
    supi_big_multiply_power5(a, power5);
    supi_big_shift(a, power2);
}

/* The exact way: digit by digit until what is left over lies in the neighbourhood
   (Steele, White 1990). */
static void find_shortest(double x, bool single, shortest* s) {
    neighbourhood n = neighbourhood_of(x, single);
    int power;
    supi_real_take_apart(x, &power);
    int point = (int)floor(power * 0.30102999566398120) + 1; /* log10(2); may be one too small */

    /* x = rest / unit 10^point, everything multiplied up to whole numbers */
    int up5 = point < 0 ? -point : 0, up2 = n.exponent > point ? n.exponent - point : 0;
    supi_big rest, below, above, unit;
    set_scaled(&unit, 1, up5 + point, up2 + point - n.exponent);
    int fill = -supi_big_bits(&unit) & 31; /* division wants a full last limb */
    supi_big_shift(&unit, fill);
    set_scaled(&rest, n.centre, up5, up2 + fill);
    set_scaled(&below, n.below, up5, up2 + fill);
    set_scaled(&above, n.above, up5, up2 + fill);

    int within = n.closed ? 0 : 1; /* the least outcome of a comparison that counts as inside */
    bool low = false, high = false, one_more = supi_big_compare_sum(&rest, &above, &unit) >= within;
    s->point = one_more ? point + 1 : point;
    s->count = 0;
    while (!low && !high) {
        if (!one_more || s->count > 0) { /* else the first digit stands at the unit */
            supi_big_multiply_add(&rest, 10, 0);
            supi_big_multiply_add(&below, 10, 0);
            supi_big_multiply_add(&above, 10, 0);
        }
        uint32_t digit = supi_big_divide(&rest, &unit);
        low = supi_big_compare(&below, &rest) >= within;
        high = supi_big_compare_sum(&rest, &above, &unit) >= within;
        if (high && low) high = supi_big_compare_sum(&rest, &rest, &unit) >= 0; /* the nearer end */
        s->digits[s->count++] = (char)('0' + digit + (high ? 1 : 0));
    }
}

/* Plain decimals for common sizes, else with an exponent; the switch is where JavaScript's is. */
static int write_digits(const shortest* s, char* text) {
    char* out = text;
    bool plain = s->point > -6 && s->point <= 21;
    int point = plain ? s->point : 1; /* digits before the point */
    if (point <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = point; i < 0; i++) *out++ = '0';
    }
    for (int i = 0; i < s->count; i++) {
        if (i == point && i > 0) *out++ = '.';
        *out++ = s->digits[i];
    }
    for (int i = s->count; i < point; i++) *out++ = '0';
    if (!plain) {
        int exponent = s->point - 1;
        *out++ = 'e';
        if (exponent < 0) *out++ = '-';
        int size = exponent < 0 ? -exponent : exponent;
        if (size >= 100) *out++ = (char)('0' + size / 100);
        if (size >= 10) *out++ = (char)('0' + size / 10 % 10);
        *out++ = (char)('0' + size % 10);
    }
    *out = '\0';
    return (int)(out - text);
}

static int write_number(double value, bool single, char* text) {
    double x = supi_real_abs(value);
    if (!(x <= DBL_MAX)) {
        memcpy(text, "null", 5);
        return 4;
    }
    int sign = supi_real_is_negative(value) ? 1 : 0;
    if (sign != 0) *text++ = '-';
    shortest s = {.point = 1, .count = 1, .digits = "0"};
    if (x > 0 && !find_few_decimals(x, single, &s)) find_shortest(x, single, &s);
    return sign + write_digits(&s, text);
}

int supi_number_write(double value, char* text) { return write_number(value, false, text); }

int supi_number_write_float(float value, char* text) { return write_number(value, true, text); }
