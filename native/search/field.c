#include "field.h"

#include <string.h>

#include "hashing.h"

enum { HEAD_BYTES = 8 };

static Text checked_text(Scratch *scratch, const uint8_t *bytes, size_t count, uint64_t start, uint64_t stop) {
    if (start > stop || stop > count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return (Text){bytes + start, (size_t)(stop - start)};
}

Text field_word(const Field *field, Scratch *scratch, uint32_t token) {
    const int64_t *offsets = field->word_offsets + checked_token(field, scratch, token);
    return checked_text(scratch, field->word_bytes, field->word_byte_count, (uint64_t)offsets[0], (uint64_t)offsets[1]);
}

Text field_typed_form(const Field *field, Scratch *scratch, uint32_t name) {
    checked_name(field, scratch, name);
    uint64_t start = field->typed_starts != NULL ? field->typed_starts[name] : field->typed_wide_starts[name];
    if (start > field->typed_byte_count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return checked_text(scratch, field->typed_bytes, field->typed_byte_count, start, start + field->typed_lengths[name]);
}

void field_prefetch_typed_form(const Field *field, uint32_t name) {
    if (field->typed_starts != NULL) {
        prefetch(field->typed_starts + name);
    } else {
        prefetch(field->typed_wide_starts + name);
    }
    prefetch(field->typed_lengths + name);
}

uint32_t field_find_word(const Field *field, Scratch *scratch, Text word) {
    const HashTable *table = &field->words;
    uint64_t found = hash_text(word) >> table->shift;
    size_t bucket = (size_t)(found >> 8);
    uint32_t start = table->starts[bucket], stop = table->starts[bucket + 1];
    if (start > stop || stop > table->entry_count) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    for (uint32_t entry = start; entry < stop; entry++) {
        if (table->marks[entry] == (uint8_t)found) {
            Text own = field_word(field, scratch, table->ids[entry]);
            if (own.size == word.size && memcmp(own.bytes, word.bytes, word.size) == 0) {
                return table->ids[entry];
            }
        }
    }
    return NO_TOKEN;
}

NameList field_holders(const Field *field, Scratch *scratch, uint32_t token) {
    const int64_t *offsets = field->posting_offsets + checked_token(field, scratch, token);
    if (!are_offsets_within(offsets, field->posting_count)) {
        scratch_fail(scratch, SEARCH_DAMAGED);
    }
    return (NameList){field->posting_names + offsets[0], (size_t)(offsets[1] - offsets[0])};
}

const uint64_t *field_bitset(const Field *field, uint32_t token) {
    size_t row = count_less(field->frequent_tokens, field->frequent_count, token);
    if (row == field->frequent_count || field->frequent_tokens[row] != token) {
        return NULL;
    }
    return field->frequent_bits + row * field->bitset_words;
}

size_t count_less(const uint32_t *values, size_t count, uint32_t limit) {
    size_t first = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (values[first + half] < limit) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

uint32_t field_count_lighter(const Field *field, uint32_t weight) {
    return (uint32_t)count_less(field->name_weights, field->name_count, weight);
}

/* The number of words whose first bytes are less than `head`. */
static uint32_t count_heads_less(const Field *field, uint64_t head) {
    uint32_t first = 0, count = field->word_count;
    while (count > 0) {
        uint32_t half = count / 2;
        if (field->word_heads[first + half] < head) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

/* The comparison of a word with a prefix: 0 if it starts with it, else the sign of their order. */
static int compare_with_prefix(const Field *field, Scratch *scratch, uint32_t token, Text prefix) {
    Text word = field_word(field, scratch, token);
    size_t common = word.size < prefix.size ? word.size : prefix.size;
    int order = memcmp(word.bytes, prefix.bytes, common);
    return order != 0 || word.size >= prefix.size ? order : -1;
}

/* The first word of a range that comes after all words that are less than a prefix, or also after those that start with it. */
static uint32_t find_bound(const Field *field, Scratch *scratch, Text prefix, uint32_t start, uint32_t stop, bool after) {
    while (start < stop) {
        uint32_t middle = start + (stop - start) / 2;
        int order = compare_with_prefix(field, scratch, middle, prefix);
        if (order < 0 || (after && order == 0)) {
            start = middle + 1;
        } else {
            stop = middle;
        }
    }
    return start;
}

void field_prefix_range(const Field *field, Scratch *scratch, Text prefix, uint32_t *start, uint32_t *stop) {
    uint64_t low = 0, high = 0;
    for (size_t place = 0; place < HEAD_BYTES; place++) {
        low = low << 8 | (place < prefix.size ? prefix.bytes[place] : 0);
        high = high << 8 | (place < prefix.size ? prefix.bytes[place] : 0xFF);
    }
    *start = count_heads_less(field, low);
    *stop = high == UINT64_MAX ? field->word_count : count_heads_less(field, high + 1);
    if (*stop < *start) {
        *stop = *start;
    }
    if (prefix.size > HEAD_BYTES) {
        *start = find_bound(field, scratch, prefix, *start, *stop, false);
        *stop = find_bound(field, scratch, prefix, *start, *stop, true);
    }
}
