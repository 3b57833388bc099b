/* The best names of at least `limit` documents: `TopK` of `search/scoring.py`. */
#ifndef BONAFIDE_SEARCH_TOP_NAMES_H
#define BONAFIDE_SEARCH_TOP_NAMES_H

#include "search.h"
#include "sorting.h"

typedef struct {
    /* Best first. */
    RankedName *names;
    size_t count;
    size_t limit;
    /* The score of the last requested document, or the minimum score of a result. */
    double threshold;
} TopNames;

void init_top_names(TopNames *top, size_t limit, double floor);

/* Add the distinct names that are admitted and reach the threshold; a known name keeps its best score. */
void add_top_names(Search *search, TopNames *top, const RankedName *names, size_t count);

static inline double best_score(const TopNames *top) {
    return top->count > 0 ? top->names[0].score : 0;
}

#endif
