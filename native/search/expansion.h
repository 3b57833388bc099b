/* The words of the segment that may match a query's words: `search/query_expansion.py`. */
#ifndef BONAFIDE_SEARCH_EXPANSION_H
#define BONAFIDE_SEARCH_EXPANSION_H

#include "search.h"

typedef struct {
    uint32_t token;
    uint32_t slot;
    /* Whether the word matches the next slot as well, which is joined with this one. */
    bool is_join;
    /* The other word, if a slot is read as two; else NO_TOKEN. */
    uint32_t other_half;
    double similarity;
    double odds;
} Variant;

typedef struct {
    Variant *variants;
    size_t count;
    size_t capacity;
} VariantList;

typedef struct {
    /* The ids of the query's words, or NO_TOKEN, and their frequencies. */
    uint32_t tokens[MAX_SLOTS];
    int64_t frequencies[MAX_SLOTS];
} KnownWords;

void find_known_words(Search *search, KnownWords *known);

/* Append the likely variants of the query's words. */
void expand_likely(Search *search, const KnownWords *known, VariantList *list);

/* Append further variants: typos in words where they are less likely. */
void expand_further(Search *search, const KnownWords *known, VariantList *list);

#endif
