/* The rough score of names: `search/scoring.py` and `search/score_bounds.py`. */
#ifndef BONAFIDE_SEARCH_SCORING_H
#define BONAFIDE_SEARCH_SCORING_H

#include "plan.h"

/* The weight that a name shares with the query, and the excess of its words. */
typedef struct {
    double matched;
    double excess;
} Tally;

/* Adds up the gains of one name at a time. */
typedef struct {
    const Plan *plan;
    double earned[MAX_SLOTS];
    uint8_t touched[MAX_SLOTS];
    size_t touched_count;
    double excess;
} Scorer;

static inline void init_scorer(Scorer *scorer, const Plan *plan) {
    *scorer = (Scorer){.plan = plan};
}

static inline void add_column(Scorer *scorer, uint32_t column) {
    const Plan *plan = scorer->plan;
    const uint8_t *slots = plan_slots(plan, column);
    const double *gains = plan_gains(plan, column);
    for (size_t place = 0; place < plan->slots_of_column[column]; place++) {
        uint8_t slot = slots[place];
        if (scorer->earned[slot] == 0) {
            scorer->touched[scorer->touched_count++] = slot;
        }
        scorer->earned[slot] += gains[slot];
    }
    scorer->excess += plan->excess[column];
}

/* The tally of the columns that were added; the next name starts from zero. */
static inline Tally take_tally(Scorer *scorer) {
    Tally tally = {0, scorer->excess};
    for (size_t place = 0; place < scorer->touched_count; place++) {
        uint8_t slot = scorer->touched[place];
        double weight = (double)scorer->plan->weights[slot];
        tally.matched += scorer->earned[slot] < weight ? scorer->earned[slot] : weight;
        scorer->earned[slot] = 0;
    }
    scorer->touched_count = 0;
    scorer->excess = 0;
    return tally;
}

/* More than half, because a name with more words than the query is a likelier match than one with fewer. */
static const double QUERY_SHARE = 0.6;

static inline double compute_score(double matched, double held, double query) {
    /* This order of operations gives exactly 1 for equal weights. */
    return (matched < held ? matched : held) / (held + QUERY_SHARE * (query - held));
}

/* The score of a name with only words shared with the query. */
double compute_best_score(double shared, double query);

/* The minimum weight that a name must share with the query to reach a score. */
double compute_min_shared(double score, double query);

/* The maximum weight of a name that shares `shared` and reaches `score`. */
double compute_max_held(double shared, double score, double query);

/* The half-open range of numbers of the names with weights between two. */
typedef struct {
    uint32_t start;
    uint32_t stop;
} NameRange;

NameRange find_name_range(const Field *field, double lightest, double heaviest);

#endif
