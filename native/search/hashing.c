#include "hashing.h"

static const uint64_t BASE = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t byte_values[256];
static uint64_t place_factors[DELETION_LETTERS];

void init_hashing(void) {
    for (unsigned value = 0; value < 256; value++) {
        byte_values[value] = mix_bits(value + 1);
    }
    for (unsigned place = 0; place < DELETION_LETTERS; place++) {
        place_factors[place] = mix_bits(place + 1) | 1;
    }
}

uint64_t hash_text(Text text) {
    uint64_t sum = 0;
    for (size_t place = text.size; place > 0; place--) {
        sum = sum * BASE + byte_values[text.bytes[place - 1]];
    }
    return mix_bits(sum + text.size);
}

static uint64_t hash_remaining(const uint64_t *letters, size_t length, size_t first, size_t second) {
    uint64_t sum = 0;
    size_t kept = 0;
    for (size_t place = 0; place < length; place++) {
        if (place != first && place != second) {
            sum += letters[place] * place_factors[kept++];
        }
    }
    return mix_bits(sum);
}

size_t hash_deletions(const uint32_t *codes, size_t length, unsigned deletions, uint64_t hashes[MAX_DELETION_HASHES]) {
    uint64_t letters[DELETION_LETTERS] = {0};
    if (length > DELETION_LETTERS) {
        length = DELETION_LETTERS;
    }
    for (size_t place = 0; place < length; place++) {
        letters[place] = mix_bits((uint64_t)codes[place] + 1);
    }
    size_t count = 0;
    hashes[count++] = hash_remaining(letters, length, length, length);
    for (size_t first = 0; first < length; first++) {
        hashes[count++] = hash_remaining(letters, length, first, length);
    }
    for (size_t first = 0; deletions > 1 && first < length; first++) {
        for (size_t second = first + 1; second < length; second++) {
            hashes[count++] = hash_remaining(letters, length, first, second);
        }
    }
    return count;
}
