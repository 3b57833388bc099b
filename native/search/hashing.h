/* The hashes of `format/hash_table.py` and `format/deletion_index.py`. */
#ifndef BONAFIDE_SEARCH_HASHING_H
#define BONAFIDE_SEARCH_HASHING_H

#include "field.h"

enum {
    /* Only so many first letters of a word are used for deletions. */
    DELETION_LETTERS = 7,
    /* The ways to delete at most two of seven letters. */
    MAX_DELETION_HASHES = 1 + 7 + 21,
};

/* The finalizer of MurmurHash3 (Austin Appleby, public domain). */
static inline uint64_t mix_bits(uint64_t value) {
    value = (value ^ value >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    value = (value ^ value >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return value ^ value >> 33;
}

/* Fill the tables of this module; called once, when the module is imported. */
void init_hashing(void);

uint64_t hash_text(Text text);

/* Write the hashes of the texts that remain of a word's first letters after at most `deletions` (1 or 2) deletions. */
size_t hash_deletions(const uint32_t *codes, size_t length, unsigned deletions, uint64_t hashes[MAX_DELETION_HASHES]);

#endif
