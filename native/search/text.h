/* Characters of UTF-8 texts. */
#ifndef BONAFIDE_SEARCH_TEXT_H
#define BONAFIDE_SEARCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "field.h"

#define BAD_CODE UINT32_MAX

/* The character at `*place`, which moves behind it; BAD_CODE if the bytes are no UTF-8. `*place` is less than the text's size. */
static inline uint32_t next_code(Text text, size_t *place) {
    const uint8_t *bytes = text.bytes + *place;
    size_t left = text.size - *place;
    uint32_t first = bytes[0];
    if (first < 0x80) {
        *place += 1;
        return first;
    }
    if (first >= 0xC2 && first < 0xE0 && left > 1 && (bytes[1] & 0xC0) == 0x80) {
        *place += 2;
        return (first & 0x1F) << 6 | (bytes[1] & 0x3F);
    }
    if (first >= 0xE0 && first < 0xF0 && left > 2 && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80) {
        *place += 3;
        return (first & 0x0F) << 12 | (uint32_t)(bytes[1] & 0x3F) << 6 | (bytes[2] & 0x3F);
    }
    if (first >= 0xF0 && first < 0xF5 && left > 3 && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80 &&
        (bytes[3] & 0xC0) == 0x80) {
        *place += 4;
        return (first & 0x07) << 18 | (uint32_t)(bytes[1] & 0x3F) << 12 | (uint32_t)(bytes[2] & 0x3F) << 6 | (bytes[3] & 0x3F);
    }
    return BAD_CODE;
}

/* Write the characters of a text; returns their number. `codes` has room for as many as the text has bytes. */
size_t decode_text(Scratch *scratch, Text text, uint32_t *codes);

/* `str.isdigit` of a character. `digits` are those beyond ASCII, in ascending order. */
bool is_digit(uint32_t code, const uint32_t *digits, size_t digit_count);

/* `str.isspace` of a character. */
bool is_space(uint32_t code);

#endif
