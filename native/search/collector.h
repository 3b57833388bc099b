/* What the steps of one search for one plan share: the bounds on scores, and the scores of names by their own words. */
#ifndef BONAFIDE_SEARCH_COLLECTOR_H
#define BONAFIDE_SEARCH_COLLECTOR_H

#include "plan.h"
#include "scoring.h"
#include "top_names.h"

enum {
    /* The names in a 64-bit word of a bitset. */
    NAMES_OF_WORD = 64,
    /* The number of names up to which pruning by score bounds does not pay off. */
    PRUNE_FROM = 500,
    /* A name and a column, or a frequency and a column, are sorted as one number. */
    COLUMN_BITS = 16,
    COLUMN_MASK = (1 << COLUMN_BITS) - 1,
};

/* Names in ascending order. */
typedef struct {
    uint32_t *names;
    size_t count;
} Names;

typedef struct {
    Search *search;
    const Plan *plan;
    TopNames *top;
    /* The columns by ascending frequency: first the rare ones, whose posting lists are read completely. */
    uint32_t *columns;
    Columns rare;
    Columns frequent;
    bool *is_frequent;
    /* The posting list and the bitset (or NULL) of each column. */
    NameList *holders;
    const uint64_t **bitsets;
    /* The maximum gain and excess of the frequent words. */
    double frequent_shared;
    double frequent_excess;
} Collector;

/* A posting list that is read for ascending names. */
typedef struct {
    NameList list;
    size_t place;
} Cursor;

/* Whether the list has a name; the cursor advances to it. */
bool cursor_has(Cursor *cursor, uint32_t name);

static inline bool bitset_has(const uint64_t *bits, uint32_t name) {
    return bits[name / NAMES_OF_WORD] >> name % NAMES_OF_WORD & 1;
}

/* The minimum score of interest for names with only frequent words. */
double find_threshold(const Collector *collector);

/* Whether any name with words of these columns only can reach the threshold. */
bool is_reachable(const Collector *collector, Columns columns);

/* The range of names that can reach the threshold with words of these columns only, by their weights. */
NameRange find_window(const Collector *collector, Columns columns);

/* The minimum number of words of these columns that a name must contain to reach the threshold with them only. */
size_t find_min_words(const Collector *collector, Columns columns);

/* The names with the word of a column that can reach the threshold with words of these columns only. */
NameList holders_within(const Collector *collector, uint32_t column, Columns columns);

/* Whether a name can reach a score with words of the frequent columns in addition to those of its tally. */
bool can_reach(const Collector *collector, Tally tally, uint32_t weight, double threshold);

/* A name with the score of its tally. */
static inline RankedName rank_name(const Collector *collector, Tally tally, uint32_t name) {
    double held = (double)collector->search->field->name_weights[name] - tally.excess;
    return (RankedName){compute_score(tally.matched, held, (double)collector->plan->total), name};
}

/* Score names by their own words, those of all columns or of the frequent ones, and add them to the best names. */
void score_names(Collector *collector, Names found, bool only_frequent);

/* Score the names with rare words (`rare_names.c`). */
void score_rare_names(Collector *collector);

/* Score the names with frequent words only (`frequent_names.c`). */
void score_frequent_names(Collector *collector);

#endif
