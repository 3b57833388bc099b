#include "name_sets.h"

#include <string.h>

enum {
    /* The maximum number of names with given frequent words to which the filter is applied. */
    EXAMINED_BUDGET = 300000,
    /* The budget of examined names is compared after so many words of a bitset that have names. */
    WORDS_AT_ONCE = 4096,
    /* So many words of each bitset are added up at a time: the compiler makes vector instructions of it. */
    LANES = 8,
};

Names new_lightest(Collector *collector) {
    return (Names){scratch_array(&collector->search->scratch, LIGHTEST_BUDGET, sizeof(uint32_t)), 0};
}

bool append_admitted(Collector *collector, Names *lightest, uint32_t name) {
    Search *search = collector->search;
    checked_name(search->field, &search->scratch, name);
    if (admits_name(search, name)) {
        lightest->names[lightest->count++] = name;
    }
    return lightest->count == LIGHTEST_BUDGET;
}

/* The lightest names of one search, and how much it has examined. */
typedef struct {
    Names lightest;
    size_t seen;
    size_t words;
    bool is_complete;
} LightestSearch;

/* Take the names of a word of a bitset. */
static void take_word(Collector *collector, LightestSearch *found, size_t word, uint64_t names) {
    if (names == 0) {
        return;
    }
    found->seen += count_bits(names);
    for (; names != 0; names &= names - 1) {
        uint32_t name = (uint32_t)(word * NAMES_OF_WORD) + count_trailing_zeros(names);
        if (append_admitted(collector, &found->lightest, name)) {
            found->is_complete = true;
            return;
        }
    }
    if (++found->words == WORDS_AT_ONCE) {
        found->words = 0;
        found->is_complete = found->seen >= EXAMINED_BUDGET;
    }
}

static size_t last_word(NameRange window) {
    return ((size_t)window.stop + NAMES_OF_WORD - 1) / NAMES_OF_WORD;
}

Names find_lightest_in_all(Collector *collector, const uint64_t *const *sets, size_t count, NameRange window) {
    LightestSearch found = {.lightest = new_lightest(collector)};
    for (size_t word = window.start / NAMES_OF_WORD; word < last_word(window) && !found.is_complete; word++) {
        uint64_t all = sets[0][word];
        for (size_t set = 1; set < count && all != 0; set++) {
            all &= sets[set][word];
        }
        take_word(collector, &found, word, all);
    }
    return found.lightest;
}

/* The numbers of sets that names are in, bit by bit: `digits[1]` has the twos of all names of the lanes. */
typedef struct {
    uint64_t digits[SET_COUNT_DIGITS][LANES];
    size_t digit_count;
} SetCounts;

/* Add up a few words of all sets, from `word` on; lanes beyond `lanes` are not read. */
static void count_sets_of_names(SetCounts *counts, const uint64_t *const *sets, size_t count, size_t word, size_t lanes) {
    memset(counts->digits, 0, counts->digit_count * sizeof counts->digits[0]);
    for (size_t set = 0; set < count; set++) {
        uint64_t carry[LANES] = {0};
        memcpy(carry, sets[set] + word, lanes * sizeof *carry);
        for (size_t digit = 0; digit < counts->digit_count; digit++) {
            uint64_t *own = counts->digits[digit];
            for (size_t lane = 0; lane < LANES; lane++) {
                uint64_t both = own[lane] & carry[lane];
                own[lane] ^= carry[lane];
                carry[lane] = both;
            }
        }
    }
}

/* The names that are in at least `at_least` sets; returns whether there are any. */
static bool compare_counts(const SetCounts *counts, size_t at_least, uint64_t reached[LANES]) {
    memset(reached, 0xFF, LANES * sizeof *reached);
    /* From the lowest digit on: a higher digit decides, if it differs. */
    for (size_t digit = 0; digit < counts->digit_count; digit++) {
        const uint64_t *own = counts->digits[digit];
        bool is_set = at_least >> digit & 1;
        for (size_t lane = 0; lane < LANES; lane++) {
            reached[lane] = is_set ? reached[lane] & own[lane] : reached[lane] | own[lane];
        }
    }
    uint64_t any = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        any |= reached[lane];
    }
    return any != 0;
}

Names *find_lightest_by_count(Collector *collector, const uint64_t *const *sets, size_t count, size_t least, NameRange window) {
    Scratch *scratch = &collector->search->scratch;
    LightestSearch *searches = scratch_zeros(scratch, count + 1, sizeof *searches);
    Names *lightest = scratch_zeros(scratch, count + 1, sizeof *lightest);
    SetCounts counts = {.digit_count = 1};
    while (count >> counts.digit_count > 0) {
        counts.digit_count++;
    }
    for (size_t number = least; number <= count; number++) {
        searches[number].lightest = new_lightest(collector);
    }
    size_t lowest = least, last = last_word(window);
    for (size_t word = window.start / NAMES_OF_WORD; word < last && lowest <= count; word += LANES) {
        size_t lanes = last - word < LANES ? last - word : LANES;
        count_sets_of_names(&counts, sets, count, word, lanes);
        uint64_t reached[LANES];
        /* Names that are in too few sets for one number are in too few for all higher ones. */
        for (size_t number = lowest; number <= count && compare_counts(&counts, number, reached); number++) {
            for (size_t lane = 0; lane < lanes && !searches[number].is_complete; lane++) {
                take_word(collector, &searches[number], word + lane, reached[lane]);
            }
        }
        while (lowest <= count && searches[lowest].is_complete) {
            lowest++;
        }
    }
    for (size_t number = least; number <= count; number++) {
        lightest[number] = searches[number].lightest;
    }
    return lightest;
}
