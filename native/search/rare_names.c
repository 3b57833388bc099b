/* Names with a rare word: all of them are scored. */
#include "collector.h"
#include "sorting.h"

/* The number of frequent words up to which each of them is looked up, instead of reading all words of a name. */
enum { MAX_TESTED_WORDS = 8 };

/* The names of all rare columns, by name, each with its column. */
static uint64_t *list_rare_pairs(Collector *collector, size_t *count) {
    Search *search = collector->search;
    *count = 0;
    for (size_t place = 0; place < collector->rare.count; place++) {
        *count += collector->holders[collector->rare.columns[place]].count;
    }
    uint64_t *pairs = scratch_array(&search->scratch, *count, sizeof *pairs);
    size_t end = 0;
    for (size_t place = 0; place < collector->rare.count; place++) {
        NameList holders = collector->holders[collector->rare.columns[place]];
        for (size_t at = 0; at < holders.count; at++) {
            uint64_t name = checked_name(search->field, &search->scratch, holders.names[at]);
            pairs[end++] = name << COLUMN_BITS | collector->rare.columns[place];
        }
    }
    sort_by_bits(&search->scratch, pairs, end, COLUMN_BITS, COLUMN_BITS + count_needed_bits(search->field->name_count));
    return pairs;
}

/* The names with rare words, in ascending order. */
typedef struct {
    /* Where in the pairs each name starts, and the last one ends. */
    uint32_t *starts;
    /* The names with their scores and tallies by rare words only. */
    RankedName *scored;
    Tally *tallies;
    size_t count;
} RareNames;

static RareNames score_by_rare_words(Collector *collector, const uint64_t *pairs, size_t pair_count) {
    Scratch *scratch = &collector->search->scratch;
    const Field *field = collector->search->field;
    RareNames rare = {
        .starts = scratch_array(scratch, pair_count + 1, sizeof *rare.starts),
        .scored = scratch_array(scratch, pair_count, sizeof *rare.scored),
        .tallies = scratch_array(scratch, pair_count, sizeof *rare.tallies),
    };
    Scorer scorer;
    init_scorer(&scorer, collector->plan);
    for (size_t place = 0; place < pair_count;) {
        if (place + LOOKED_AHEAD < pair_count) {
            prefetch(field->name_weights + (pairs[place + LOOKED_AHEAD] >> COLUMN_BITS));
        }
        uint32_t name = (uint32_t)(pairs[place] >> COLUMN_BITS);
        rare.starts[rare.count] = (uint32_t)place;
        for (; place < pair_count && pairs[place] >> COLUMN_BITS == name; place++) {
            add_column(&scorer, (uint32_t)(pairs[place] & COLUMN_MASK));
        }
        Tally tally = take_tally(&scorer);
        rare.tallies[rare.count] = tally;
        rare.scored[rare.count++] = rank_name(collector, tally, name);
    }
    rare.starts[rare.count] = (uint32_t)pair_count;
    return rare;
}

/* Prefetch the bits of a name in the bitsets of all frequent words. */
static void prefetch_bits(const Collector *collector, uint32_t name) {
    for (size_t word = 0; word < collector->frequent.count; word++) {
        const uint64_t *bits = collector->bitsets[collector->frequent.columns[word]];
        if (bits != NULL) {
            prefetch(bits + name / NAMES_OF_WORD);
        }
    }
}

/* Score some of the names, given by their places, by all words, and add them. Looking up few words in posting lists and bitsets is
 * quicker than reading the words of each name.
 */
static void score_by_all_words(
    Collector *collector, const uint64_t *pairs, const RareNames *rare, const uint32_t *places, size_t count) {
    Scratch *scratch = &collector->search->scratch;
    Columns frequent = collector->frequent;
    Cursor *cursors = scratch_array(scratch, frequent.count, sizeof *cursors);
    for (size_t at = 0; at < frequent.count; at++) {
        cursors[at] = (Cursor){collector->holders[frequent.columns[at]], 0};
    }
    RankedName *scored = scratch_array(scratch, count, sizeof *scored);
    Scorer scorer;
    init_scorer(&scorer, collector->plan);
    for (size_t at = 0; at < count; at++) {
        if (at + LOOKED_AHEAD < count) {
            prefetch_bits(collector, rare->scored[places[at + LOOKED_AHEAD]].name);
        }
        uint32_t place = places[at], name = rare->scored[place].name;
        for (uint32_t pair = rare->starts[place]; pair < rare->starts[place + 1]; pair++) {
            add_column(&scorer, (uint32_t)(pairs[pair] & COLUMN_MASK));
        }
        for (size_t word = 0; word < frequent.count; word++) {
            const uint64_t *bits = collector->bitsets[frequent.columns[word]];
            if (bits != NULL ? bitset_has(bits, name) : cursor_has(&cursors[word], name)) {
                add_column(&scorer, frequent.columns[word]);
            }
        }
        scored[at] = rank_name(collector, take_tally(&scorer), name);
    }
    add_top_names(collector->search, collector->top, scored, count);
}

/* Score all names by rare words only, then those that can reach the threshold by all words. */
void score_rare_names(Collector *collector) {
    const Field *field = collector->search->field;
    double threshold = collector->top->threshold;
    size_t pair_count, count = 0;
    uint64_t *pairs = list_rare_pairs(collector, &pair_count);
    RareNames rare = score_by_rare_words(collector, pairs, pair_count);
    bool prunes = rare.count > PRUNE_FROM;
    if (prunes || collector->frequent.count == 0) {
        add_top_names(collector->search, collector->top, rare.scored, rare.count);
        threshold = collector->top->threshold;
    }
    if (collector->frequent.count == 0) {
        return;
    }
    uint32_t *places = scratch_array(&collector->search->scratch, rare.count, sizeof *places);
    for (size_t place = 0; place < rare.count; place++) {
        if (!prunes || can_reach(collector, rare.tallies[place], field->name_weights[rare.scored[place].name], threshold)) {
            places[count++] = (uint32_t)place;
        }
    }
    if (collector->frequent.count <= MAX_TESTED_WORDS) {
        score_by_all_words(collector, pairs, &rare, places, count);
        return;
    }
    Names kept = {scratch_array(&collector->search->scratch, count, sizeof *kept.names), count};
    for (size_t at = 0; at < count; at++) {
        kept.names[at] = rare.scored[places[at]].name;
    }
    if (kept.count > 0) {
        score_names(collector, kept, false);
    }
}
