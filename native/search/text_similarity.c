#include "text_similarity.h"

#include <string.h>

#include "bits.h"

enum { ASCII = 128, BITS = 64 };

static const double PERCENT = 100.0;

typedef struct {
    const uint32_t *codes;
    size_t count;
} Token;

/* Whether a word is before another by its characters. */
static bool precedes(Token one, Token other) {
    size_t common = one.count < other.count ? one.count : other.count;
    for (size_t place = 0; place < common; place++) {
        if (one.codes[place] != other.codes[place]) {
            return one.codes[place] < other.codes[place];
        }
    }
    return one.count < other.count;
}

static size_t split_words(const uint32_t *codes, size_t count, Token *tokens) {
    size_t found = 0;
    for (size_t place = 0; place < count;) {
        size_t start = place;
        while (place < count && !is_space(codes[place])) {
            place++;
        }
        if (place > start) {
            tokens[found++] = (Token){codes + start, place - start};
        } else {
            place++;
        }
    }
    return found;
}

/* Insertion is quick, as names have few words. */
static void sort_words(Token *tokens, size_t count) {
    for (size_t place = 1; place < count; place++) {
        Token own = tokens[place];
        size_t to = place;
        for (; to > 0 && precedes(own, tokens[to - 1]); to--) {
            tokens[to] = tokens[to - 1];
        }
        tokens[to] = own;
    }
}

Characters read_characters(Scratch *scratch, Text text) {
    Characters read = {scratch_array(scratch, text.size, sizeof(uint32_t)), 0, NULL, 0};
    read.count = decode_text(scratch, text, read.codes);
    Token *tokens = scratch_array(scratch, read.count / 2 + 1, sizeof *tokens);
    size_t count = split_words(read.codes, read.count, tokens);
    sort_words(tokens, count);
    read.sorted = scratch_array(scratch, read.count + 1, sizeof *read.sorted);
    for (size_t place = 0; place < count; place++) {
        if (place > 0) {
            read.sorted[read.sorted_count++] = ' ';
        }
        memcpy(read.sorted + read.sorted_count, tokens[place].codes, tokens[place].count * sizeof *read.sorted);
        read.sorted_count += tokens[place].count;
    }
    return read;
}

static TextPattern make_pattern(Scratch *scratch, const uint32_t *codes, size_t count) {
    size_t words = count / BITS + 1;
    TextPattern pattern = {
        .codes = codes,
        .count = count,
        .words = words,
        .ascii = scratch_zeros(scratch, ASCII * words, sizeof(uint64_t)),
    };
    size_t others = 0;
    for (size_t place = 0; place < count; place++) {
        others += codes[place] >= ASCII;
    }
    pattern.others = scratch_array(scratch, others, sizeof *pattern.others);
    pattern.other_rows = scratch_zeros(scratch, others * words, sizeof(uint64_t));
    for (size_t place = 0; place < count; place++) {
        uint64_t *row;
        if (codes[place] < ASCII) {
            row = pattern.ascii + codes[place] * words;
        } else {
            size_t other = 0;
            while (other < pattern.other_count && pattern.others[other] != codes[place]) {
                other++;
            }
            if (other == pattern.other_count) {
                pattern.others[pattern.other_count++] = codes[place];
            }
            row = pattern.other_rows + other * words;
        }
        row[place / BITS] |= UINT64_C(1) << place % BITS;
    }
    return pattern;
}

static const uint64_t *find_row(const TextComparison *comparison, const TextPattern *pattern, uint32_t code) {
    if (code < ASCII) {
        return pattern->ascii + code * pattern->words;
    }
    for (size_t other = 0; other < pattern->other_count; other++) {
        if (pattern->others[other] == code) {
            return pattern->other_rows + other * pattern->words;
        }
    }
    return comparison->nowhere;
}

/* The length of the longest common subsequence, by the bit-parallel algorithm of H. Hyyrö, "Bit-Parallel LCS-length Computation
 * Revisited" (2004): the zeros of the state are the places at which the length grows.
 */
static size_t count_common(const TextComparison *comparison, const TextPattern *pattern, const uint32_t *codes, size_t count) {
    uint64_t *state = comparison->state;
    memset(state, 0xFF, pattern->words * sizeof *state);
    for (size_t place = 0; place < count; place++) {
        const uint64_t *row = find_row(comparison, pattern, codes[place]);
        uint64_t carry = 0;
        for (size_t word = 0; word < pattern->words; word++) {
            uint64_t own = state[word], matched = own & row[word];
            uint64_t sum = own + matched, with_carry = sum + carry;
            carry = (sum < own) | (with_carry < sum);
            state[word] = with_carry | (own - matched);
        }
    }
    size_t common = 0;
    for (size_t word = 0; word < pattern->words; word++) {
        common += count_bits(~state[word]);
    }
    return common;
}

/* 0 to 100, with the operations and the order of rapidfuzz, so that the last bit is the same. */
static double compute_ratio(const TextComparison *comparison, const TextPattern *pattern, const uint32_t *codes, size_t count) {
    size_t total = pattern->count + count;
    if (total == 0) {
        return PERCENT;
    }
    size_t distance = total - 2 * count_common(comparison, pattern, codes, count);
    return (1.0 - (double)distance / (double)total) * PERCENT;
}

TextComparison prepare_comparison(Scratch *scratch, Text typed) {
    Characters read = read_characters(scratch, typed);
    TextComparison comparison = {
        .typed = make_pattern(scratch, read.codes, read.count),
        .sorted = make_pattern(scratch, read.sorted, read.sorted_count),
    };
    size_t words = comparison.typed.words > comparison.sorted.words ? comparison.typed.words : comparison.sorted.words;
    comparison.state = scratch_array(scratch, words, sizeof *comparison.state);
    comparison.nowhere = scratch_zeros(scratch, words, sizeof *comparison.nowhere);
    return comparison;
}

double compare_texts(Scratch *scratch, const TextComparison *comparison, Text text) {
    Characters read = read_characters(scratch, text);
    double as_written = compute_ratio(comparison, &comparison->typed, read.codes, read.count);
    double sorted = compute_ratio(comparison, &comparison->sorted, read.sorted, read.sorted_count);
    return (as_written + sorted) / PERCENT;
}
