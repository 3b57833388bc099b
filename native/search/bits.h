/* Bit operations that the C standard lacks, for GCC, clang and MSVC. */
#ifndef BONAFIDE_SEARCH_BITS_H
#define BONAFIDE_SEARCH_BITS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

static inline unsigned count_trailing_zeros(uint64_t bits) {
    unsigned long place;
    _BitScanForward64(&place, bits);
    return (unsigned)place;
}

static inline void prefetch(const void *address) {
    (void)address;
}
#else
/* The position of the lowest bit; `bits` is not 0. */
static inline unsigned count_trailing_zeros(uint64_t bits) {
    return (unsigned)__builtin_ctzll(bits);
}

/* Start to load the cache line of an address that is read soon; any address is allowed. */
static inline void prefetch(const void *address) {
    __builtin_prefetch(address);
}
#endif

static inline unsigned count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

#endif
