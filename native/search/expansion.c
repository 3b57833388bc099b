#include "expansion.h"

#include <string.h>

#include "spelling.h"

enum {
    TRUNCATED_FROM = 6,
    SHORTEST_TRUNCATION = 4,
    SPLIT_FROM = 5,
    SHORTEST_PART = 2,
    COMPLETED_FROM = 4,
    COMPLETIONS = 4,
    MORE_FREQUENT = 20,
    /* The room of a new list of variants. */
    FIRST_VARIANTS = 256,
};

static const double EDIT_ODDS[MAX_EDITS + 1] = {1.0, 0.01, 0.0005};
static const double SHORTENED_ODDS = 0.003;
static const double JOINED_ODDS = 0.02;
static const double EQUIVALENT_ODDS = 0.02;
static const double SCANNED_ODDS = 0.05;

static const double JOINED_SIMILARITY = 0.97;
static const double EQUIVALENT_SIMILARITY = 0.9;
static const double SCANNED_SIMILARITY = 0.95;
static const double SHORTENED_SIMILARITY = 0.75;
static const double NEAR_NUMBER_SIMILARITY = 0.6;
static const double OMISSION_OR_SWAP_COST = 0.9;

static void append_variant(Search *search, VariantList *list, Variant variant) {
    if (list->count == list->capacity) {
        list->variants = scratch_grow(&search->scratch, list->variants, &list->capacity, sizeof *list->variants, FIRST_VARIANTS);
    }
    /* The plan reads these of each variant. */
    prefetch(search->field->posting_offsets + variant.token);
    prefetch(search->field->word_weights + variant.token);
    list->variants[list->count++] = variant;
}

/* Append a spelling of a slot's word, if the segment has it. */
static void append_if_known(Search *search, VariantList *list, Text text, Variant variant) {
    variant.token = field_find_word(search->field, &search->scratch, text);
    if (variant.token != NO_TOKEN) {
        append_variant(search, list, variant);
    }
}

void find_known_words(Search *search, KnownWords *known) {
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        uint32_t token = field_find_word(search->field, &search->scratch, word_text(&search->query->slots[slot].word));
        known->tokens[slot] = token;
        known->frequencies[slot] = token == NO_TOKEN ? 0 : field_frequency(search->field, &search->scratch, token);
    }
}

static void expand_joins(Search *search, VariantList *list) {
    for (uint32_t slot = 0; slot + 1 < search->query->slot_count; slot++) {
        Text left = word_text(&search->query->slots[slot].word), right = word_text(&search->query->slots[slot + 1].word);
        uint8_t bytes[2 * MAX_WORD_CODES * MAX_CODE_BYTES];
        memcpy(bytes, left.bytes, left.size);
        memcpy(bytes + left.size, right.bytes, right.size);
        Variant variant = {NO_TOKEN, slot, true, NO_TOKEN, JOINED_SIMILARITY, JOINED_ODDS};
        append_if_known(search, list, (Text){bytes, left.size + right.size}, variant);
    }
}

static void expand_texts(Search *search, VariantList *list, const TextList *texts, Variant variant) {
    for (size_t place = 0; place < texts->count; place++) {
        append_if_known(search, list, texts->texts[place], variant);
    }
}

/* Read words as two joined words. */
static void expand_splits(Search *search, const KnownWords *known, VariantList *list) {
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        const Word *word = &search->query->slots[slot].word;
        if (word->length < SPLIT_FROM || known->frequencies[slot] >= RARE_BELOW) {
            continue;
        }
        for (uint32_t place = SHORTEST_PART; place <= word->length - SHORTEST_PART; place++) {
            uint32_t left = field_find_word(search->field, &search->scratch, word_part(word, 0, place));
            if (left == NO_TOKEN) {
                continue;
            }
            uint32_t right = field_find_word(search->field, &search->scratch, word_part(word, place, word->length));
            if (right != NO_TOKEN) {
                append_variant(search, list, (Variant){left, slot, false, right, JOINED_SIMILARITY, JOINED_ODDS});
                append_variant(search, list, (Variant){right, slot, false, left, JOINED_SIMILARITY, JOINED_ODDS});
            }
        }
    }
}

static void expand_near(Search *search, const Word *const *words, const unsigned *edits, VariantList *list) {
    NearWords near = find_near_words(search, words, edits);
    for (size_t place = 0; place < near.count; place++) {
        const NearWord *own = &near.words[place];
        const Word *word = words[own->slot];
        double counted = own->is_omission_or_swap ? own->edits * OMISSION_OR_SWAP_COST : own->edits;
        double similarity = word->is_number ? NEAR_NUMBER_SIMILARITY / counted : 1 - counted / (word->length + 1);
        append_variant(search, list, (Variant){own->token, own->slot, false, NO_TOKEN, similarity, EDIT_ODDS[own->edits]});
    }
}

/* Search words with typos of all words; unknown ones are searched with their digits read as letters. */
static void expand_typos(Search *search, const KnownWords *known, VariantList *list) {
    const Word *words[MAX_SLOTS];
    unsigned edits[MAX_SLOTS];
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        const Slot *own = &search->query->slots[slot];
        words[slot] = known->frequencies[slot] > 0 ? &own->word : &own->read;
        edits[slot] = count_allowed_edits(words[slot], known->frequencies[slot], DEPTH_LIKELY);
    }
    expand_near(search, words, edits, list);
}

typedef struct {
    uint32_t token;
    int64_t frequency;
} Completion;

/* The most frequent words of a range that are more frequent than `least`; of equally frequent ones the first. */
static size_t select_completions(Search *search, uint32_t start, uint32_t stop, int64_t least, Completion best[COMPLETIONS]) {
    const int64_t *offsets = search->field->posting_offsets;
    size_t count = 0;
    for (uint32_t token = start; token < stop; token++) {
        int64_t frequency = (int64_t)((uint64_t)offsets[token + 1] - (uint64_t)offsets[token]);
        if (frequency <= least || (count == COMPLETIONS && frequency <= best[count - 1].frequency)) {
            continue;
        }
        size_t place = count < COMPLETIONS ? count++ : count - 1;
        for (; place > 0 && best[place - 1].frequency < frequency; place--) {
            best[place] = best[place - 1];
        }
        best[place] = (Completion){token, frequency};
    }
    return count;
}

/* Read words as prefixes of much more frequent ones. */
static void expand_completions(Search *search, const KnownWords *known, VariantList *list) {
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        const Word *word = &search->query->slots[slot].word;
        if (word->length < COMPLETED_FROM || word->is_number) {
            continue;
        }
        uint32_t start, stop;
        field_prefix_range(search->field, &search->scratch, word_text(word), &start, &stop);
        Completion best[COMPLETIONS];
        size_t count = select_completions(search, start, stop, known->frequencies[slot] * MORE_FREQUENT, best);
        /* By id, as the reference implementation lists them. */
        while (count > 0) {
            size_t next = 0;
            for (size_t place = 1; place < count; place++) {
                next = best[place].token < best[next].token ? place : next;
            }
            append_variant(
                search, list, (Variant){best[next].token, slot, false, NO_TOKEN, SHORTENED_SIMILARITY, SHORTENED_ODDS});
            best[next] = best[--count];
        }
    }
}

/* Read words as longer than in a register, which may have cut them off. */
static void expand_truncations(Search *search, VariantList *list) {
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        const Word *word = &search->query->slots[slot].word;
        if (word->length < TRUNCATED_FROM || word->is_number) {
            continue;
        }
        uint32_t shortest = word->length / 2 > SHORTEST_TRUNCATION ? word->length / 2 : SHORTEST_TRUNCATION;
        for (uint32_t length = shortest; length + 1 < word->length; length++) {
            Variant variant = {NO_TOKEN, slot, false, NO_TOKEN, SHORTENED_SIMILARITY, SHORTENED_ODDS};
            append_if_known(search, list, word_part(word, 0, length), variant);
        }
    }
}

void expand_likely(Search *search, const KnownWords *known, VariantList *list) {
    const Query *query = search->query;
    for (uint32_t slot = 0; slot < query->slot_count; slot++) {
        if (known->tokens[slot] != NO_TOKEN) {
            append_variant(search, list, (Variant){known->tokens[slot], slot, false, NO_TOKEN, 1.0, 1.0});
        }
    }
    expand_joins(search, list);
    for (uint32_t slot = 0; slot < query->slot_count; slot++) {
        Variant variant = {NO_TOKEN, slot, false, NO_TOKEN, EQUIVALENT_SIMILARITY, EQUIVALENT_ODDS};
        expand_texts(search, list, &query->slots[slot].equivalents, variant);
    }
    expand_splits(search, known, list);
    for (uint32_t slot = 0; slot < query->slot_count; slot++) {
        if (known->frequencies[slot] == 0) {
            Variant variant = {NO_TOKEN, slot, false, NO_TOKEN, SCANNED_SIMILARITY, SCANNED_ODDS};
            expand_texts(search, list, &query->slots[slot].corrections, variant);
        }
    }
    expand_typos(search, known, list);
    expand_completions(search, known, list);
    expand_truncations(search, list);
}

void expand_further(Search *search, const KnownWords *known, VariantList *list) {
    const Word *words[MAX_SLOTS];
    unsigned edits[MAX_SLOTS];
    for (uint32_t slot = 0; slot < search->query->slot_count; slot++) {
        words[slot] = &search->query->slots[slot].word;
        unsigned deep = count_allowed_edits(words[slot], known->frequencies[slot], DEPTH_DEEP);
        unsigned likely = count_allowed_edits(words[slot], known->frequencies[slot], DEPTH_LIKELY);
        edits[slot] = deep > likely ? deep : 0;
    }
    expand_near(search, words, edits, list);
}
