#include "scoring.h"

#include <math.h>

double compute_best_score(double shared, double query) {
    return shared / (shared + QUERY_SHARE * (query - shared));
}

double compute_min_shared(double score, double query) {
    return QUERY_SHARE * score * query / (1 - (1 - QUERY_SHARE) * score);
}

double compute_max_held(double shared, double score, double query) {
    return (shared / score - QUERY_SHARE * query) / (1 - QUERY_SHARE);
}

static uint32_t to_weight(double weight) {
    return weight >= UINT32_MAX ? UINT32_MAX : weight > 0 ? (uint32_t)weight : 0;
}

NameRange find_name_range(const Field *field, double lightest, double heaviest) {
    if (!(heaviest >= lightest)) {
        return (NameRange){0, 0};
    }
    NameRange range = {
        field_count_lighter(field, to_weight(ceil(lightest))),
        field_count_lighter(field, to_weight(floor(heaviest) + 1)),
    };
    if (range.stop < range.start) {
        range.stop = range.start;
    }
    return range;
}
