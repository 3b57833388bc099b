#include "text.h"

size_t decode_text(Scratch *scratch, Text text, uint32_t *codes) {
    size_t count = 0;
    while (count < text.size && text.bytes[count] < 0x80) {
        codes[count] = text.bytes[count];
        count++;
    }
    for (size_t place = count; place < text.size;) {
        codes[count] = next_code(text, &place);
        if (codes[count] == BAD_CODE) {
            scratch_fail(scratch, SEARCH_DAMAGED);
        }
        count++;
    }
    return count;
}

bool is_digit(uint32_t code, const uint32_t *digits, size_t digit_count) {
    if (code < 0x80) {
        return code >= '0' && code <= '9';
    }
    size_t place = count_less(digits, digit_count, code);
    return place < digit_count && digits[place] == code;
}

bool is_space(uint32_t code) {
    if (code < 0x80) {
        return code == ' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
    }
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}
