/* The bit-parallel algorithm of H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances" (2003).
 * Each step computes a column of the matrix of distances, as the differences of neighbouring cells.
 */
#include "edit_distance.h"

#include <string.h>

void init_word_pattern(WordPattern *pattern, const Word *word) {
    memset(pattern, 0, sizeof *pattern);
    pattern->word = word;
    for (uint32_t place = 0; place < word->length; place++) {
        if (word->codes[place] < ASCII_CODES) {
            pattern->ascii[word->codes[place]] |= UINT64_C(1) << place;
        }
    }
}

static uint64_t find_places(const WordPattern *pattern, uint32_t code) {
    if (code < ASCII_CODES) {
        return pattern->ascii[code];
    }
    uint64_t places = 0;
    for (uint32_t place = 0; place < pattern->word->length; place++) {
        places |= (uint64_t)(pattern->word->codes[place] == code) << place;
    }
    return places;
}

unsigned edit_distance(const WordPattern *pattern, const uint32_t *codes, size_t count) {
    if (pattern->word->length == 0) {
        return (unsigned)count;
    }
    unsigned distance = pattern->word->length;
    uint64_t last_row = UINT64_C(1) << (pattern->word->length - 1);
    uint64_t above = UINT64_MAX, below = 0, diagonal = 0, places_before = 0;
    for (size_t at = 0; at < count; at++) {
        uint64_t places = find_places(pattern, codes[at]);
        uint64_t swapped = (~diagonal & places) << 1 & places_before;
        diagonal = (((places & above) + above) ^ above) | places | below | swapped;
        uint64_t right = below | ~(diagonal | above);
        uint64_t left = diagonal & above;
        distance += (right & last_row) != 0;
        distance -= (left & last_row) != 0;
        right = right << 1 | 1;
        left <<= 1;
        above = left | ~(diagonal | right);
        below = right & diagonal;
        places_before = places;
    }
    return distance;
}
