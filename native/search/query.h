/* The words of a query, prepared once for the searches of all segments. */
#ifndef BONAFIDE_SEARCH_QUERY_H
#define BONAFIDE_SEARCH_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "field.h"

enum {
    /* A query has at most 16 words of 48 characters (`matching/entries/index_terms.py`); longer ones are refused. */
    MAX_SLOTS = 32,
    MAX_WORD_CODES = 64,
    MAX_CODE_BYTES = 4,
};

typedef struct {
    uint32_t length;
    uint32_t codes[MAX_WORD_CODES];
    /* Where in `bytes` each character starts, and the last one ends. */
    uint32_t offsets[MAX_WORD_CODES + 1];
    uint8_t bytes[MAX_WORD_CODES * MAX_CODE_BYTES];
    /* Flags of the characters that are digits. */
    bool digits[MAX_WORD_CODES];
    bool is_number;
    /* The set of letters, as `encode_letters` of `format/vocabulary.py` has it. */
    uint32_t letters;
} Word;

typedef struct {
    Text *texts;
    size_t count;
} TextList;

typedef struct {
    Word word;
    /* The word with its digits read as letters, in which typos are searched if the word is unknown. */
    Word read;
    TextList equivalents;
    /* Words that a scanner may have misread as an unknown word. */
    TextList corrections;
    /* Whether the word is a legal form or of similarly little meaning. */
    bool is_form;
} Slot;

typedef struct {
    uint32_t slot_count;
    Slot *slots;
} Query;

/* The bytes of the characters `first` to `last` (exclusive) of a word. */
static inline Text word_part(const Word *word, uint32_t first, uint32_t last) {
    return (Text){word->bytes + word->offsets[first], word->offsets[last] - word->offsets[first]};
}

static inline Text word_text(const Word *word) {
    return word_part(word, 0, word->length);
}

/* Fill a word from UTF-8 that Python encoded; false if it is too long. */
bool read_word(Word *word, Text text, const uint32_t *digits, size_t digit_count);

#endif
