/* The names that are most similar to a planned query, within fixed budgets: `search/candidates.py`. */
#ifndef BONAFIDE_SEARCH_CANDIDATES_H
#define BONAFIDE_SEARCH_CANDIDATES_H

#include "plan.h"
#include "top_names.h"

/* Add the best names to `top`; `frequent` includes those that contain only frequent words. */
void collect_names(Search *search, const Plan *plan, TopNames *top, bool frequent);

#endif
