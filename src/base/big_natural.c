/* Natural numbers by schoolbook methods. That results fit is the caller's care. */
#include "base/big_natural.h"

#include <string.h>

static void trim(supi_big* a) {
    while (a->count > 0 && a->limb[a->count - 1] == 0) a->count--;
}

void supi_big_set(supi_big* a, uint64_t value) {
    a->limb[0] = (uint32_t)value;
    a->limb[1] = (uint32_t)(value >> 32);
    a->count = 2;
    trim(a);
}

void supi_big_multiply_add(supi_big* a, uint32_t factor, uint32_t term) {
    uint64_t carry = term;
    for (int i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) a->limb[a->count++] = (uint32_t)carry;
}

void supi_big_multiply_power5(supi_big* a, int n) {
    for (; n >= 13; n -= 13) supi_big_multiply_add(a, 1220703125, 0); /* 5^13 */
    uint32_t rest = 1;
    for (; n > 0; n--) rest *= 5;
    supi_big_multiply_add(a, rest, 0);
}

void supi_big_shift(supi_big* a, int n) {
    if (a->count == 0) return;
    int limbs = n / 32;
    supi_big_multiply_add(a, (uint32_t)1 << n % 32, 0);
    memmove(a->limb + limbs, a->limb, (size_t)a->count * sizeof a->limb[0]);
    memset(a->limb, 0, (size_t)limbs * sizeof a->limb[0]);
    a->count += limbs;
}

int supi_big_compare(const supi_big* a, const supi_big* b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static uint32_t limb_at(const supi_big* a, int i) { return i < a->count ? a->limb[i] : 0; }

int supi_big_compare_sum(const supi_big* a, const supi_big* b, const supi_big* c) {
    int count = a->count > b->count ? a->count : b->count;
    if (count < c->count) count = c->count;
    uint64_t carry = 0;
    int order = 0; /* the highest limb that differs decides */
    for (int i = 0; i < count; i++) {
        carry += (uint64_t)limb_at(a, i) + limb_at(b, i);
        uint32_t sum = (uint32_t)carry, other = limb_at(c, i);
        if (sum != other) order = sum < other ? -1 : 1;
        carry >>= 32;
    }
    return carry != 0 ? 1 : order;
}

int supi_big_bits(const supi_big* a) {
    if (a->count == 0) return 0;
    int bits = 32 * (a->count - 1);
    for (uint32_t top = a->limb[a->count - 1]; top != 0; top >>= 1) bits++;
    return bits;
}

/* Subtracts b factor from the first limbs of a, one more than b has; returns the borrow. */
static uint32_t subtract_product(supi_big* a, const supi_big* b, uint32_t factor) {
    uint64_t carry = 0;
    uint32_t borrow = 0;
    for (int i = 0; i <= b->count; i++) {
        carry += (uint64_t)limb_at(b, i) * factor;
        uint64_t part = (carry & 0xffffffffu) + borrow;
        borrow = a->limb[i] < part;
        a->limb[i] = (uint32_t)(a->limb[i] - part);
        carry >>= 32;
    }
    return borrow;
}

/* Adds b to the first limbs of a, one more than b has; returns the carry. */
static uint32_t add_back(supi_big* a, const supi_big* b) {
    uint64_t carry = 0;
    for (int i = 0; i <= b->count; i++) {
        carry += (uint64_t)a->limb[i] + limb_at(b, i);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

/* The quotient of the leading limbs is never too small and at most 2 too large
   (Knuth, volume 2, 4.3.1). */
uint32_t supi_big_divide(supi_big* a, const supi_big* b) {
    int n = b->count;
    if (a->count < n) return 0;
    if (a->count == n) a->limb[a->count++] = 0;
    uint64_t top = (uint64_t)a->limb[n] << 32 | a->limb[n - 1];
    uint64_t guess = top / b->limb[n - 1];
    uint32_t quotient = guess > 0xffffffffu ? 0xffffffffu : (uint32_t)guess;

    uint32_t borrow = subtract_product(a, b, quotient);
    for (; borrow != 0; quotient--) borrow -= add_back(a, b);
    trim(a);
    return quotient;
}
