/* The similarity of two texts as `rapidfuzz.fuzz.ratio` and `token_sort_ratio` have it: the share of characters that remain if each
 * text loses what the other lacks, in the same order.
 */
#ifndef BONAFIDE_SEARCH_TEXT_SIMILARITY_H
#define BONAFIDE_SEARCH_TEXT_SIMILARITY_H

#include "scratch.h"
#include "text.h"

/* The characters of a text as written, and with its words in alphabetical order. */
typedef struct {
    uint32_t *codes;
    size_t count;
    uint32_t *sorted;
    size_t sorted_count;
} Characters;

/* The places of each character in a text, as bits. */
typedef struct {
    const uint32_t *codes;
    size_t count;
    /* The 64-bit words of a row. */
    size_t words;
    /* A row for each ASCII character, and for each other character of the text. */
    uint64_t *ascii;
    uint32_t *others;
    size_t other_count;
    uint64_t *other_rows;
} TextPattern;

typedef struct {
    TextPattern typed;
    TextPattern sorted;
    /* The state of a comparison, and the places of a character that the text does not have. */
    uint64_t *state;
    const uint64_t *nowhere;
} TextComparison;

Characters read_characters(Scratch *scratch, Text text);

TextComparison prepare_comparison(Scratch *scratch, Text typed);

/* The sum of both ratios, 0 to 2. */
double compare_texts(Scratch *scratch, const TextComparison *comparison, Text text);

#endif
