/* The weighted variants of a query's words, and what each contributes to a name's score: `search/query_plan.py`. */
#ifndef BONAFIDE_SEARCH_PLAN_H
#define BONAFIDE_SEARCH_PLAN_H

#include "expansion.h"

#define NO_COLUMN UINT32_MAX

/* S slots, and T words of the segment ("columns") that match them. */
typedef struct {
    uint32_t slot_count;
    uint32_t column_count;
    int64_t weights[MAX_SLOTS];
    int64_t total;
    uint32_t *tokens;
    /* T by S. */
    double *gains;
    double *excess;
    int64_t *frequencies;
    /* The slots of each column, and how many there are: T by S, and T. */
    uint8_t *slots;
    uint8_t *slots_of_column;
    /* Columns by token: a hash table with linear probing. */
    uint32_t *table;
    uint32_t table_mask;
} Plan;

/* A selection of columns, in a given order. */
typedef struct {
    const uint32_t *columns;
    size_t count;
} Columns;

void make_plan(Search *search, const VariantList *variants, size_t most, Plan *plan);

/* Whether all words of a plan are in another. */
bool plan_is_within(const Plan *plan, const Plan *other);

bool plan_has_same_weights(const Plan *plan, const Plan *other);

/* The maximum gain of a name that contains words of these columns only. */
double plan_max_shared(const Plan *plan, Columns columns);

/* The maximum excess of a name's words of these columns, with one word for each slot. */
double plan_max_excess(const Plan *plan, Columns columns);

/* Write the columns with the highest gain in any slot, in the given order; returns their number. */
size_t plan_best_per_slot(const Plan *plan, Columns columns, uint32_t best[MAX_SLOTS]);

/* The minimum number of words of these columns that a name must contain for a gain of `shared`. */
size_t plan_min_words(const Plan *plan, Columns columns, double shared);

static inline const double *plan_gains(const Plan *plan, uint32_t column) {
    return plan->gains + (size_t)column * plan->slot_count;
}

static inline const uint8_t *plan_slots(const Plan *plan, uint32_t column) {
    return plan->slots + (size_t)column * plan->slot_count;
}

/* The entry of a word's column in the hash table; it is NO_COLUMN if the plan lacks the word. */
static inline uint32_t *plan_find_entry(const Plan *plan, uint32_t token) {
    uint32_t place = token * UINT32_C(0x9E3779B1) >> 7 & plan->table_mask;
    while (plan->table[place] != NO_COLUMN && plan->tokens[plan->table[place]] != token) {
        place = (place + 1) & plan->table_mask;
    }
    return &plan->table[place];
}

/* The column of a word, or NO_COLUMN. */
static inline uint32_t plan_find_column(const Plan *plan, uint32_t token) {
    return *plan_find_entry(plan, token);
}

#endif
