#include "collector.h"

static const double MIN_REACHABLE_SCORE = 0.5;
static const double MIN_SHARE_OF_BEST = 0.6;

double find_threshold(const Collector *collector) {
    double threshold = collector->top->threshold, of_best = MIN_SHARE_OF_BEST * best_score(collector->top);
    threshold = threshold > MIN_REACHABLE_SCORE ? threshold : MIN_REACHABLE_SCORE;
    return threshold > of_best ? threshold : of_best;
}

bool is_reachable(const Collector *collector, Columns columns) {
    double shared = plan_max_shared(collector->plan, columns);
    return compute_best_score(shared, (double)collector->plan->total) >= find_threshold(collector);
}

NameRange find_window(const Collector *collector, Columns columns) {
    double threshold = find_threshold(collector), total = (double)collector->plan->total;
    double heaviest = compute_max_held(plan_max_shared(collector->plan, columns), threshold, total) + collector->frequent_excess;
    return find_name_range(collector->search->field, compute_min_shared(threshold, total), heaviest);
}

size_t find_min_words(const Collector *collector, Columns columns) {
    double shared = compute_min_shared(find_threshold(collector), (double)collector->plan->total);
    return plan_min_words(collector->plan, columns, shared);
}

NameList holders_within(const Collector *collector, uint32_t column, Columns columns) {
    NameRange window = find_window(collector, columns);
    NameList holders = collector->holders[column];
    size_t first = count_less(holders.names, holders.count, window.start);
    size_t last = count_less(holders.names, holders.count, window.stop);
    return (NameList){holders.names + first, last < first ? 0 : last - first};
}

bool cursor_has(Cursor *cursor, uint32_t name) {
    const uint32_t *names = cursor->list.names;
    size_t place = cursor->place, count = cursor->list.count, step = 1;
    while (place + step < count && names[place + step] < name) {
        place += step;
        step *= 2;
    }
    size_t end = place + step < count ? place + step + 1 : count;
    place += count_less(names + place, end - place, name);
    cursor->place = place;
    return place < count && names[place] == name;
}

/* The tally of a name from its own words: those of all columns, or of the frequent ones. */
static Tally tally_name(const Collector *collector, Scorer *scorer, uint32_t name, bool only_frequent) {
    const Field *field = collector->search->field;
    const int64_t *offsets = field->name_offsets + name;
    if (!are_offsets_within(offsets, field->name_token_count)) {
        scratch_fail(&collector->search->scratch, SEARCH_DAMAGED);
    }
    for (int64_t place = offsets[0]; place < offsets[1]; place++) {
        uint32_t column = plan_find_column(collector->plan, field->name_tokens[place]);
        if (column != NO_COLUMN && (!only_frequent || collector->is_frequent[column])) {
            add_column(scorer, column);
        }
    }
    return take_tally(scorer);
}

bool can_reach(const Collector *collector, Tally tally, uint32_t weight, double threshold) {
    double total = (double)collector->plan->total;
    double shared = tally.matched + collector->frequent_shared;
    shared = shared < total ? shared : total;
    double held = (double)weight - tally.excess - collector->frequent_excess;
    return compute_score(shared, held > shared ? held : shared, total) >= threshold;
}

void score_names(Collector *collector, Names found, bool only_frequent) {
    const Field *field = collector->search->field;
    RankedName *scored = scratch_array(&collector->search->scratch, found.count, sizeof *scored);
    Scorer scorer;
    init_scorer(&scorer, collector->plan);
    for (size_t place = 0; place < found.count; place++) {
        /* Prefetch for later names: first where their words are, then the words. */
        if (place + 2 * LOOKED_AHEAD < found.count) {
            prefetch(field->name_offsets + found.names[place + 2 * LOOKED_AHEAD]);
            prefetch(field->name_weights + found.names[place + 2 * LOOKED_AHEAD]);
        }
        if (place + LOOKED_AHEAD < found.count) {
            field_prefetch_tokens(field, found.names[place + LOOKED_AHEAD]);
        }
        uint32_t name = found.names[place];
        Tally tally = tally_name(collector, &scorer, name, only_frequent);
        scored[place] = rank_name(collector, tally, name);
    }
    add_top_names(collector->search, collector->top, scored, found.count);
}
