/* Names in several bitsets, the lightest first: `search/bitsets.py`. */
#ifndef BONAFIDE_SEARCH_NAME_SETS_H
#define BONAFIDE_SEARCH_NAME_SETS_H

#include "collector.h"

enum {
    /* The maximum number of scored names with given frequent words; the lightest are chosen. */
    LIGHTEST_BUDGET = 2000,
    /* The binary digits of the number of sets that a name is in. */
    SET_COUNT_DIGITS = 10,
    MAX_SETS = (1 << SET_COUNT_DIGITS) - 1,
};

/* Room for the lightest admitted names of a search for given words. */
Names new_lightest(Collector *collector);

/* Append a name if it is admitted; returns whether the budget is used up. */
bool append_admitted(Collector *collector, Names *lightest, uint32_t name);

/* The lightest admitted names of a window that are in all of the sets. */
Names find_lightest_in_all(Collector *collector, const uint64_t *const *sets, size_t count, NameRange window);

/* The lightest admitted names of a window that are in at least so many of the sets, for each number from `least` to `count`. */
Names *find_lightest_by_count(Collector *collector, const uint64_t *const *sets, size_t count, size_t least, NameRange window);

#endif
