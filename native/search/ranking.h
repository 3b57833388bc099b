/* A search of one field: plan the words, collect candidates, rank the best as strings (`search/numpy_kernel.py`). */
#ifndef BONAFIDE_SEARCH_RANKING_H
#define BONAFIDE_SEARCH_RANKING_H

#include "search.h"

/* The parameters of a search. */
typedef struct {
    Text typed;
    /* The number of documents. */
    size_t limit;
    /* The best score in other segments. */
    double best;
    /* Scores below are not needed. */
    double floor;
} Request;

typedef struct {
    uint32_t document;
    bool is_active;
    double score;
} Hit;

typedef struct {
    Hit *hits;
    size_t count;
} Hits;

/* The documents with the most similar names, best first; ties by activity, then by number. */
Hits search_field(Search *search, const Request *request);

#endif
