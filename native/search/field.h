/* The arrays of one opened field, as the modules of `bonafide.index.format` describe them, and checked access to them.
 *
 * Only the lengths of the arrays are known to be consistent. A value that is read from one of them and used as an index is checked
 * first; a search that finds a value out of its range ends with SEARCH_DAMAGED.
 */
#ifndef BONAFIDE_SEARCH_FIELD_H
#define BONAFIDE_SEARCH_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "bits.h"
#include "scratch.h"

#define NO_TOKEN UINT32_MAX

/* Hashes to ids: `format/hash_table.py`. */
typedef struct {
    const uint32_t *starts;
    const uint8_t *marks;
    const uint32_t *ids;
    size_t entry_count;
    /* 64 minus the bits of bucket and mark. */
    unsigned shift;
} HashTable;

typedef struct {
    HashTable words;
    HashTable deletions;

    uint32_t word_count;
    const uint8_t *word_bytes;
    size_t word_byte_count;
    const int64_t *word_offsets;
    const uint64_t *word_heads;
    const uint8_t *word_lengths;
    const uint32_t *word_letters;
    const uint16_t *word_weights;
    /* The weight of a word in one name. */
    int64_t rarest_weight;

    const int64_t *posting_offsets;
    const uint32_t *posting_names;
    size_t posting_count;
    const uint32_t *frequent_tokens;
    size_t frequent_count;
    const uint64_t *frequent_bits;
    /* The 64-bit words of each bitset. */
    size_t bitset_words;

    uint32_t name_count;
    const int64_t *name_offsets;
    const uint32_t *name_tokens;
    size_t name_token_count;
    const uint32_t *name_documents;
    const uint32_t *name_weights;

    uint32_t document_count;
    const uint8_t *document_active;

    const uint8_t *typed_bytes;
    size_t typed_byte_count;
    /* One of the two is NULL. */
    const uint32_t *typed_starts;
    const uint64_t *typed_wide_starts;
    const uint16_t *typed_lengths;

    /* The digits of all scripts beyond ASCII, as code points in ascending order. */
    const uint32_t *digits;
    size_t digit_count;
} Field;

typedef struct {
    const uint8_t *bytes;
    size_t size;
} Text;

/* A posting list, in ascending order. */
typedef struct {
    const uint32_t *names;
    size_t count;
} NameList;

/* The id of a word, or NO_TOKEN. */
uint32_t field_find_word(const Field *field, Scratch *scratch, Text word);

/* The bytes of a word. */
Text field_word(const Field *field, Scratch *scratch, uint32_t token);

/* Prefetch the bytes of a word whose offset is in the cache. */
static inline void field_prefetch_word(const Field *field, uint32_t token) {
    /* Any address may be prefetched; a wrong offset is found when it is used. */
    prefetch((const void *)((uintptr_t)field->word_bytes + (uintptr_t)field->word_offsets[token]));
}

/* Prefetch the words of a name whose offset is in the cache. */
static inline void field_prefetch_tokens(const Field *field, uint32_t name) {
    prefetch((const void *)((uintptr_t)field->name_tokens + sizeof(uint32_t) * (uintptr_t)field->name_offsets[name]));
}

/* The names that contain a word. */
NameList field_holders(const Field *field, Scratch *scratch, uint32_t token);

static inline int64_t field_frequency(const Field *field, Scratch *scratch, uint32_t token) {
    return (int64_t)field_holders(field, scratch, token).count;
}

/* The bitset of a frequent word, or NULL. */
const uint64_t *field_bitset(const Field *field, uint32_t token);

/* The half-open range of the ids of all words that start with a text. */
void field_prefix_range(const Field *field, Scratch *scratch, Text prefix, uint32_t *start, uint32_t *stop);

/* The number of names that are lighter than a weight. */
uint32_t field_count_lighter(const Field *field, uint32_t weight);

/* The typed form of a name. */
Text field_typed_form(const Field *field, Scratch *scratch, uint32_t name);

/* Prefetch the position of a name's typed form. */
void field_prefetch_typed_form(const Field *field, uint32_t name);

/* Whether two neighbouring offsets enclose a part of an array of `count` items. */
static inline bool are_offsets_within(const int64_t offsets[2], size_t count) {
    return offsets[0] >= 0 && offsets[0] <= offsets[1] && (uint64_t)offsets[1] <= count;
}

static inline uint32_t checked_name(const Field *field, Scratch *scratch, uint32_t name) {
    if (name >= field->name_count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return name;
}

static inline uint32_t checked_token(const Field *field, Scratch *scratch, uint32_t token) {
    if (token >= field->word_count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return token;
}

/* The document of a name. */
static inline uint32_t field_document(const Field *field, Scratch *scratch, uint32_t name) {
    uint32_t document = field->name_documents[checked_name(field, scratch, name)];
    if (document >= field->document_count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return document;
}

/* The number of values of an ascending list that are less than a limit. */
size_t count_less(const uint32_t *values, size_t count, uint32_t limit);

#endif
