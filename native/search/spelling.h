/* Words of the segment within one or two edits of a query's words: `search/spelling.py`. */
#ifndef BONAFIDE_SEARCH_SPELLING_H
#define BONAFIDE_SEARCH_SPELLING_H

#include "search.h"

enum {
    /* Words in more names than this are never treated as typos. */
    RARE_BELOW = 1000,
    MAX_EDITS = 2,
    /* The number of words compared per query, divided evenly among its words. */
    COMPARED_WORDS = 3000,
};

typedef enum { DEPTH_LIKELY, DEPTH_DEEP } SearchDepth;

typedef struct {
    uint32_t slot;
    uint32_t token;
    uint8_t edits;
    /* Whether letters were only omitted or swapped. */
    bool is_omission_or_swap;
} NearWord;

typedef struct {
    NearWord *words;
    size_t count;
} NearWords;

/* The allowed edits of a word with this frequency. */
unsigned count_allowed_edits(const Word *word, int64_t frequency, SearchDepth depth);

/* The words within `edits` of the word of each slot, by slot and id, without the word itself; a number matches only numbers. */
NearWords find_near_words(Search *search, const Word *const *words, const unsigned *edits);

#endif
