#include "spelling.h"

#include <string.h>

#include "edit_distance.h"
#include "hashing.h"
#include "sorting.h"
#include "text.h"

enum {
    EDIT_FROM = 3,
    TWO_EDITS_FROM = 5,
    NUMBER_EDIT_FROM = 5,
    /* Omitted, swapped, replaced and added digits at each place of a number. */
    MAX_NUMBER_HASHES = (MAX_WORD_CODES + 1) * 22,
    /* The room of a new list. */
    FIRST_PAIRS = 1024,
};

/* Pairs of slot and token, as `slot << 32 | token`. */
typedef struct {
    uint64_t *pairs;
    size_t count;
    size_t capacity;
} PairList;

/* One word of the query. */
typedef struct {
    const Word *word;
    uint32_t slot;
    unsigned edits;
} QueryWord;

unsigned count_allowed_edits(const Word *word, int64_t frequency, SearchDepth depth) {
    bool believed = frequency > (depth == DEPTH_LIKELY ? 0 : RARE_BELOW);
    if (word->is_number) {
        return believed || word->length < NUMBER_EDIT_FROM ? 0 : 1;
    }
    if (word->length >= TWO_EDITS_FROM && !believed) {
        return MAX_EDITS;
    }
    return word->length >= EDIT_FROM ? 1 : 0;
}

static void append_pair(Search *search, PairList *list, uint64_t pair) {
    if (list->count == list->capacity) {
        list->pairs = scratch_grow(&search->scratch, list->pairs, &list->capacity, sizeof *list->pairs, FIRST_PAIRS);
    }
    list->pairs[list->count++] = pair;
}

/* Whether a word has a similar length and similar letters. */
static bool is_alike(const Field *field, const QueryWord *wanted, uint32_t token) {
    int difference = (int)field->word_lengths[token] - (int)wanted->word->length;
    return (difference < 0 ? -difference : difference) <= (int)wanted->edits &&
           count_bits(field->word_letters[token] ^ wanted->word->letters) <= 2 * wanted->edits;
}

/* Append the alike words that have one of the hashes. */
static void look_up(
    Search *search, const HashTable *table, const QueryWord *wanted, const uint64_t *hashes, size_t count, PairList *list) {
    const Field *field = search->field;
    /* Each step prefetches what a later one reads, because nearly all of these reads miss the caches. */
    for (size_t place = 0; place < count; place++) {
        prefetch(table->starts + (hashes[place] >> table->shift >> 8));
    }
    for (size_t place = 0; place < count; place++) {
        uint32_t start = table->starts[hashes[place] >> table->shift >> 8];
        prefetch(table->marks + start);
        prefetch(table->ids + start);
    }
    size_t first = list->count;
    for (size_t place = 0; place < count; place++) {
        uint64_t found = hashes[place] >> table->shift;
        uint32_t start = table->starts[found >> 8], stop = table->starts[(found >> 8) + 1];
        if (start > stop || stop > table->entry_count) {
            scratch_fail(&search->scratch, SEARCH_DAMAGED);
        }
        for (uint32_t entry = start; entry < stop; entry++) {
            if (table->marks[entry] == (uint8_t)found) {
                append_pair(search, list, checked_token(field, &search->scratch, table->ids[entry]));
            }
        }
    }
    size_t kept = first;
    for (size_t place = first; place < list->count; place++) {
        if (place + LOOKED_AHEAD < list->count) {
            prefetch(field->word_lengths + list->pairs[place + LOOKED_AHEAD]);
            prefetch(field->word_letters + list->pairs[place + LOOKED_AHEAD]);
        }
        uint32_t token = (uint32_t)list->pairs[place];
        if (is_alike(field, wanted, token)) {
            list->pairs[kept++] = (uint64_t)wanted->slot << 32 | token;
        }
    }
    list->count = kept;
}

typedef struct {
    const Word *word;
    uint64_t *hashes;
    size_t count;
} HashList;

/* Append a number with one edit: parts of the word's text, and a digit or two characters between them. */
static void append_number(HashList *list, Text before, Text between, Text after) {
    uint8_t bytes[(MAX_WORD_CODES + 1) * MAX_CODE_BYTES];
    memcpy(bytes, before.bytes, before.size);
    memcpy(bytes + before.size, between.bytes, between.size);
    memcpy(bytes + before.size + between.size, after.bytes, after.size);
    Text edited = {bytes, before.size + between.size + after.size}, own = word_text(list->word);
    if (edited.size != own.size || memcmp(edited.bytes, own.bytes, own.size) != 0) {
        list->hashes[list->count++] = hash_text(edited);
    }
}

/* Whether any character is a digit, apart from those from `first` to `last` (exclusive). */
static bool has_digit_outside(const Word *word, uint32_t first, uint32_t last) {
    for (uint32_t place = 0; place < word->length; place++) {
        if (word->digits[place] && (place < first || place >= last)) {
            return true;
        }
    }
    return false;
}

/* The hashes of `generate_number_edits` of `format/word_list.py`. */
static size_t hash_number_edits(const Word *word, uint64_t *hashes) {
    HashList list = {word, hashes, 0};
    for (uint32_t place = 0; place <= word->length; place++) {
        Text before = word_part(word, 0, place), after = word_part(word, place, word->length);
        Text rest = place < word->length ? word_part(word, place + 1, word->length) : after;
        if (place < word->length && has_digit_outside(word, place, place + 1)) {
            append_number(&list, before, (Text){after.bytes, 0}, rest);
        }
        if (place + 1 < word->length) {
            uint8_t swapped[2 * MAX_CODE_BYTES];
            Text one = word_part(word, place, place + 1), other = word_part(word, place + 1, place + 2);
            memcpy(swapped, other.bytes, other.size);
            memcpy(swapped + other.size, one.bytes, one.size);
            append_number(&list, before, (Text){swapped, one.size + other.size}, word_part(word, place + 2, word->length));
        }
        for (uint8_t digit = '0'; digit <= '9'; digit++) {
            append_number(&list, before, (Text){&digit, 1}, after);
            append_number(&list, before, (Text){&digit, 1}, rest);
        }
    }
    return list.count;
}

static void find_alike(Search *search, const QueryWord *wanted, PairList *list) {
    if (wanted->word->is_number) {
        uint64_t *hashes = scratch_array(&search->scratch, MAX_NUMBER_HASHES, sizeof *hashes);
        size_t count = hash_number_edits(wanted->word, hashes);
        look_up(search, &search->field->words, wanted, hashes, count, list);
    } else {
        uint64_t hashes[MAX_DELETION_HASHES];
        size_t count = hash_deletions(wanted->word->codes, wanted->word->length, wanted->edits, hashes);
        look_up(search, &search->field->deletions, wanted, hashes, count, list);
    }
}

/* Drop repeated pairs, and those beyond a slot's share of the budget. */
static void keep_within_budget(Search *search, PairList *list) {
    unsigned slot_bits = count_needed_bits(search->query->slot_count);
    sort_by_bits(&search->scratch, list->pairs, list->count, 0, 32 + slot_bits);
    size_t distinct = 0;
    for (size_t place = 0; place < list->count; place++) {
        if (distinct == 0 || list->pairs[distinct - 1] != list->pairs[place]) {
            list->pairs[distinct++] = list->pairs[place];
        }
    }
    list->count = distinct;
    if (distinct <= COMPARED_WORDS) {
        return;
    }
    size_t share = COMPARED_WORDS / search->query->slot_count, taken = 0, kept = 0;
    for (size_t place = 0; place < distinct; place++) {
        uint64_t pair = list->pairs[place];
        taken = kept > 0 && list->pairs[kept - 1] >> 32 == pair >> 32 ? taken + 1 : 1;
        if (taken <= share) {
            list->pairs[kept++] = pair;
        }
    }
    list->count = kept;
}

/* Whether two words of the same length consist of the same letters. */
static bool has_same_letters(const Word *word, const uint32_t *codes, size_t count) {
    uint64_t used = 0;
    for (size_t at = 0; at < count; at++) {
        uint32_t place = 0;
        while (place < word->length && (word->codes[place] != codes[at] || used >> place & 1)) {
            place++;
        }
        if (place == word->length) {
            return false;
        }
        used |= UINT64_C(1) << place;
    }
    return count == word->length;
}

static bool has_digit(const Field *field, const uint32_t *codes, size_t count) {
    for (size_t at = 0; at < count; at++) {
        if (is_digit(codes[at], field->digits, field->digit_count)) {
            return true;
        }
    }
    return false;
}

/* Compare a word of the segment, and append it if it is near. */
static void compare_word(Search *search, const WordPattern *pattern, const QueryWord *wanted, uint32_t token, NearWords *near) {
    uint32_t codes[(MAX_WORD_CODES + MAX_EDITS) * MAX_CODE_BYTES];
    Text text = field_word(search->field, &search->scratch, token);
    /* Lengths are stored modulo 256. */
    if (text.size > sizeof codes / sizeof *codes) {
        return;
    }
    size_t count = decode_text(&search->scratch, text, codes);
    unsigned edits = edit_distance(pattern, codes, count);
    if (edits == 0 || edits > wanted->edits || has_digit(search->field, codes, count) != wanted->word->is_number) {
        return;
    }
    near->words[near->count++] = (NearWord){
        .slot = wanted->slot,
        .token = token,
        .edits = (uint8_t)edits,
        .is_omission_or_swap = count > wanted->word->length || has_same_letters(wanted->word, codes, count),
    };
}

NearWords find_near_words(Search *search, const Word *const *words, const unsigned *edits) {
    PairList list = {NULL, 0, 0};
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        QueryWord wanted = {words[slot], slot, edits[slot]};
        if (wanted.edits > 0) {
            find_alike(search, &wanted, &list);
        }
    }
    NearWords near = {NULL, 0};
    if (list.count == 0) {
        return near;
    }
    keep_within_budget(search, &list);
    near.words = scratch_array(&search->scratch, list.count, sizeof *near.words);
    WordPattern pattern = {.word = NULL};
    for (size_t place = 0; place < list.count; place++) {
        if (place + 2 * LOOKED_AHEAD < list.count) {
            prefetch(search->field->word_offsets + (uint32_t)list.pairs[place + 2 * LOOKED_AHEAD]);
        }
        if (place + LOOKED_AHEAD < list.count) {
            field_prefetch_word(search->field, (uint32_t)list.pairs[place + LOOKED_AHEAD]);
        }
        uint32_t slot = (uint32_t)(list.pairs[place] >> 32);
        QueryWord wanted = {words[slot], slot, edits[slot]};
        if (pattern.word != wanted.word) {
            init_word_pattern(&pattern, wanted.word);
        }
        compare_word(search, &pattern, &wanted, (uint32_t)list.pairs[place], &near);
    }
    return near;
}
