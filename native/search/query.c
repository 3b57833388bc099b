#include "query.h"

#include <string.h>

#include "text.h"

bool read_word(Word *word, Text text, const uint32_t *digits, size_t digit_count) {
    if (text.size > sizeof word->bytes) {
        return false;
    }
    memset(word, 0, sizeof *word);
    memcpy(word->bytes, text.bytes, text.size);
    for (size_t place = 0; place < text.size;) {
        if (word->length == MAX_WORD_CODES) {
            return false;
        }
        uint32_t at = word->length++;
        word->offsets[at] = (uint32_t)place;
        word->codes[at] = next_code(text, &place);
        if (word->codes[at] == BAD_CODE) {
            return false;
        }
        word->offsets[at + 1] = (uint32_t)place;
        word->digits[at] = is_digit(word->codes[at], digits, digit_count);
        word->is_number |= word->digits[at];
        word->letters |= UINT32_C(1) << (word->codes[at] & 31);
    }
    return true;
}
