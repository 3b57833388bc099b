/* The optimal string alignment distance of short words: letters replaced, omitted, added, or swapped with the next. */
#ifndef BONAFIDE_SEARCH_EDIT_DISTANCE_H
#define BONAFIDE_SEARCH_EDIT_DISTANCE_H

#include "query.h"

enum { ASCII_CODES = 128 };

/* The places of each character in a word of at most 64 characters, as bits. */
typedef struct {
    const Word *word;
    uint64_t ascii[ASCII_CODES];
} WordPattern;

void init_word_pattern(WordPattern *pattern, const Word *word);

unsigned edit_distance(const WordPattern *pattern, const uint32_t *codes, size_t count);

#endif
