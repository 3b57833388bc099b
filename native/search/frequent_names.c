/* Names with frequent words of the query only, in order of likelihood: those that match all slots, those with several words whose
 * posting lists are merged, and those whose words all have bitsets. Named budgets limit the work for any query.
 */
#include <string.h>

#include "collector.h"
#include "name_sets.h"
#include "sorting.h"

enum {
    /* The maximum number of entries of frequent words' posting lists that are merged to find names with several of the words. */
    COMPARED_BUDGET = 250000,
    /* The maximum number of scored names with several frequent words; those with the most words are chosen. */
    SCANNED_BUDGET = 20000,
    /* The number of names of a block in which the words of names are counted; the counts fit into the first cache. */
    BLOCK_NAMES = 1 << 14,
    MAX_COUNTED_WORDS = MAX_SETS,
};

/* Score names by frequent words only; names with a rare word are already scored. */
static void score_frequent(Collector *collector, Names found) {
    if (found.count > PRUNE_FROM) {
        double threshold = find_threshold(collector);
        size_t kept = 0;
        for (size_t place = 0; place < found.count; place++) {
            uint32_t name = found.names[place];
            if (can_reach(collector, (Tally){0, 0}, collector->search->field->name_weights[name], threshold)) {
                found.names[kept++] = name;
            }
        }
        found.count = kept;
    }
    if (found.count > 0) {
        score_names(collector, found, true);
    }
}

/* The lightest admitted names of a list that contain the words of all other columns. */
static Names find_lightest_in_list(Collector *collector, NameList list, Columns others) {
    Names lightest = new_lightest(collector);
    Cursor cursors[MAX_SLOTS];
    for (size_t place = 0; place < others.count; place++) {
        cursors[place] = (Cursor){collector->holders[others.columns[place]], 0};
    }
    for (size_t at = 0; at < list.count; at++) {
        uint32_t name = checked_name(collector->search->field, &collector->search->scratch, list.names[at]);
        bool has_all = true;
        for (size_t place = 0; place < others.count && has_all; place++) {
            const uint64_t *bits = collector->bitsets[others.columns[place]];
            has_all = bits != NULL ? bitset_has(bits, name) : cursor_has(&cursors[place], name);
        }
        if (has_all && append_admitted(collector, &lightest, name)) {
            break;
        }
    }
    return lightest;
}

/* Score the lightest names with a frequent word of every slot that has one. */
static void score_names_of_all_slots(Collector *collector) {
    uint32_t best[MAX_SLOTS];
    Columns columns = {best, plan_best_per_slot(collector->plan, collector->frequent, best)};
    if (columns.count == 0) {
        return;
    }
    const uint64_t *sets[MAX_SLOTS];
    bool all_have_sets = true;
    for (size_t place = 0; place < columns.count; place++) {
        sets[place] = collector->bitsets[columns.columns[place]];
        all_have_sets = all_have_sets && sets[place] != NULL;
    }
    if (all_have_sets) {
        NameRange window = find_window(collector, columns);
        score_frequent(collector, find_lightest_in_all(collector, sets, columns.count, window));
    } else {
        NameList list = holders_within(collector, columns.columns[0], columns);
        Columns others = {columns.columns + 1, columns.count - 1};
        score_frequent(collector, find_lightest_in_list(collector, list, others));
    }
}

/* Counts how many of the query's words the names of a block have. */
typedef struct {
    uint16_t counts[BLOCK_NAMES];
    /* Flags of the groups of four counts that have one other than zero. */
    uint64_t touched[BLOCK_NAMES / 4 / 64];
} BlockCounts;

/* Names with several words, with the number of their words. */
typedef struct {
    uint32_t *names;
    uint16_t *counts;
    size_t count;
} CountedNames;

/* The number of a name's words among columns with bitsets. */
static unsigned count_sets(const Collector *collector, Columns with_sets, uint32_t name) {
    unsigned count = 0;
    for (size_t place = 0; place < with_sets.count; place++) {
        count += bitset_has(collector->bitsets[with_sets.columns[place]], name);
    }
    return count;
}

/* Append the admitted names of a block that have at least so many words, and clear the counts. */
static void take_block(
    Collector *collector, BlockCounts *block, uint32_t start, Columns with_sets, size_t at_least, CountedNames *found) {
    Search *search = collector->search;
    for (size_t word = 0; word < BLOCK_NAMES / 4 / 64; word++) {
        for (uint64_t groups = block->touched[word]; groups != 0; groups &= groups - 1) {
            size_t first = 4 * (word * 64 + count_trailing_zeros(groups));
            for (size_t place = first; place < first + 4; place++) {
                unsigned count = block->counts[place];
                block->counts[place] = 0;
                uint32_t name = start + (uint32_t)place;
                if (count == 0 || count + with_sets.count < at_least) {
                    continue;
                }
                count += count_sets(collector, with_sets, name);
                if (count >= at_least && admits_name(search, name)) {
                    found->names[found->count] = name;
                    found->counts[found->count++] = (uint16_t)(count < MAX_COUNTED_WORDS ? count : MAX_COUNTED_WORDS);
                }
            }
        }
        block->touched[word] = 0;
    }
}

/* Admitted names in at least `at_least` of the lists and of the sets of further columns, and in one list. */
static CountedNames count_words(Collector *collector, Cursor *cursors, size_t count, Columns with_sets, size_t at_least) {
    Scratch *scratch = &collector->search->scratch;
    size_t entries = 0;
    for (size_t place = 0; place < count; place++) {
        entries += cursors[place].list.count;
    }
    CountedNames found = {
        scratch_array(scratch, entries, sizeof *found.names), scratch_array(scratch, entries, sizeof *found.counts), 0};
    BlockCounts *block = scratch_zeros(scratch, 1, sizeof *block);
    for (uint64_t start = 0; start < collector->search->field->name_count;) {
        /* Continue with the block of the next name. */
        uint64_t next = UINT64_MAX;
        for (size_t place = 0; place < count; place++) {
            const Cursor *cursor = &cursors[place];
            if (cursor->place < cursor->list.count && cursor->list.names[cursor->place] < next) {
                next = cursor->list.names[cursor->place];
            }
        }
        if (next == UINT64_MAX) {
            break;
        }
        checked_name(collector->search->field, scratch, (uint32_t)next);
        if (next < start) {
            scratch_fail(scratch, SEARCH_DAMAGED);
        }
        start = next / BLOCK_NAMES * BLOCK_NAMES;
        uint64_t stop = start + BLOCK_NAMES;
        if (stop > collector->search->field->name_count) {
            stop = collector->search->field->name_count;
        }
        for (size_t place = 0; place < count; place++) {
            Cursor *cursor = &cursors[place];
            const uint32_t *names = cursor->list.names;
            for (; cursor->place < cursor->list.count && names[cursor->place] < stop; cursor->place++) {
                if (names[cursor->place] < start) {
                    scratch_fail(scratch, SEARCH_DAMAGED);
                }
                size_t at = names[cursor->place] - (size_t)start;
                block->counts[at]++;
                block->touched[at / 4 / 64] |= UINT64_C(1) << at / 4 % 64;
            }
        }
        take_block(collector, block, (uint32_t)start, with_sets, at_least, &found);
        start = stop;
    }
    return found;
}

/* Those of the names that have the most words, of equal ones the lightest; written over the given names. */
static Names select_most_words(CountedNames found, size_t most) {
    Names selected = {found.names, 0};
    if (found.count <= most) {
        selected.count = found.count;
        return selected;
    }
    size_t with_count[MAX_COUNTED_WORDS + 1] = {0};
    for (size_t place = 0; place < found.count; place++) {
        with_count[found.counts[place]]++;
    }
    /* The number of words at which the budget ends, and how many names with so many words are within it. */
    size_t needed = MAX_COUNTED_WORDS, left = most;
    while (with_count[needed] < left) {
        left -= with_count[needed--];
    }
    for (size_t place = 0; place < found.count; place++) {
        bool is_last = found.counts[place] == needed;
        if (found.counts[place] > needed || (is_last && left > 0)) {
            left -= is_last;
            selected.names[selected.count++] = found.names[place];
        }
    }
    return selected;
}

/* Score names whose frequent words have posting lists only: those with several, and the lightest with one. */
static void score_listed_words(Collector *collector, size_t listed) {
    Scratch *scratch = &collector->search->scratch;
    Columns frequent = collector->frequent;
    Cursor *cursors = scratch_array(scratch, listed, sizeof *cursors);
    size_t count = 0, entries = 0;
    for (size_t place = 0; place < listed; place++) {
        Columns rest = {frequent.columns + place, frequent.count - place};
        if (is_reachable(collector, rest) && entries < COMPARED_BUDGET) {
            cursors[count] = (Cursor){holders_within(collector, rest.columns[0], rest), 0};
            entries += cursors[count++].list.count;
        }
    }
    if (count == 0) {
        return;
    }
    Columns with_sets = {frequent.columns + listed, frequent.count - listed};
    size_t at_least = find_min_words(collector, frequent);
    Names several = select_most_words(
        count_words(collector, cursors, count, with_sets, at_least > 2 ? at_least : 2), SCANNED_BUDGET);
    Names found = {scratch_array(scratch, several.count + listed * LIGHTEST_BUDGET, sizeof *found.names), several.count};
    if (several.count > 0) {
        memcpy(found.names, several.names, several.count * sizeof *found.names);
    }
    for (size_t place = 0; place < listed; place++) {
        Columns alone = {frequent.columns + place, 1};
        if (is_reachable(collector, alone)) {
            NameList holders = holders_within(collector, alone.columns[0], alone);
            Names lightest = find_lightest_in_list(collector, holders, (Columns){NULL, 0});
            if (lightest.count > 0) {
                memcpy(found.names + found.count, lightest.names, lightest.count * sizeof *found.names);
            }
            found.count += lightest.count;
        }
    }
    found.count = sort_unique(scratch, found.names, found.count);
    score_frequent(collector, found);
}

/* Score names whose words all have bitsets: those with all words, then with fewer while they can reach the threshold. */
static void score_most_frequent_words(Collector *collector, Columns columns) {
    if (columns.count == 0 || !is_reachable(collector, columns)) {
        return;
    }
    if (columns.count > MAX_SETS) {
        scratch_fail(&collector->search->scratch, SEARCH_DAMAGED);
    }
    NameRange window = find_window(collector, columns);
    const uint64_t **sets = scratch_array(&collector->search->scratch, columns.count, sizeof *sets);
    for (size_t place = 0; place < columns.count; place++) {
        sets[place] = collector->bitsets[columns.columns[place]];
    }
    /* The number can only rise while names are scored. */
    size_t least = find_min_words(collector, columns);
    if (least > columns.count) {
        return;
    }
    Names *lightest = find_lightest_by_count(collector, sets, columns.count, least, window);
    for (size_t count = columns.count; count >= find_min_words(collector, columns); count--) {
        score_frequent(collector, lightest[count]);
    }
}

void score_frequent_names(Collector *collector) {
    Columns frequent = collector->frequent;
    /* More frequent words than the first ones have bitsets. */
    size_t listed = 0;
    while (listed < frequent.count && collector->bitsets[frequent.columns[listed]] == NULL) {
        listed++;
    }
    for (size_t place = listed; place < frequent.count; place++) {
        if (collector->bitsets[frequent.columns[place]] == NULL) {
            scratch_fail(&collector->search->scratch, SEARCH_DAMAGED);
        }
    }
    score_names_of_all_slots(collector);
    score_listed_words(collector, listed);
    score_most_frequent_words(collector, (Columns){frequent.columns + listed, frequent.count - listed});
}
