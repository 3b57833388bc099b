/* Stable sorts, whose time does not depend on the order of the input. */
#ifndef BONAFIDE_SEARCH_SORTING_H
#define BONAFIDE_SEARCH_SORTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scratch.h"

/* Sort numbers by the bits from `first_bit` to `last_bit` (exclusive). */
void sort_by_bits(Scratch *scratch, uint64_t *values, size_t count, unsigned first_bit, unsigned last_bit);

/* Sort numbers and drop repetitions; returns how many are left. */
size_t sort_unique(Scratch *scratch, uint32_t *values, size_t count);

/* Whether an item comes before another. */
typedef bool (*Precedes)(const void *one, const void *other);

/* Sort pointers by the items to which they point. */
void sort_items(Scratch *scratch, const void **items, size_t count, Precedes precedes);

typedef struct {
    double score;
    uint32_t name;
} RankedName;

/* Sort by descending score. */
void sort_by_score(Scratch *scratch, RankedName *names, size_t count);

/* A number of bits with which all values up to `highest` can be written. */
unsigned count_needed_bits(uint64_t highest);

/* The `rank`-th highest of some scores (from 0), which are reordered; `rank` is less than `count`. */
double select_score(double *scores, size_t count, size_t rank);

#endif
