#include "sorting.h"

#include <string.h>

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS, SMALL = 64, RUN = 12 };

unsigned count_needed_bits(uint64_t highest) {
    unsigned bits = 0;
    while (bits < 64 && highest >> bits > 0) {
        bits++;
    }
    return bits;
}

static void insert_by_bits(uint64_t *values, size_t count, uint64_t mask) {
    for (size_t place = 1; place < count; place++) {
        uint64_t value = values[place];
        size_t to = place;
        for (; to > 0 && (values[to - 1] & mask) > (value & mask); to--) {
            values[to] = values[to - 1];
        }
        values[to] = value;
    }
}

void sort_by_bits(Scratch *scratch, uint64_t *values, size_t count, unsigned first_bit, unsigned last_bit) {
    if (count <= SMALL) {
        uint64_t mask = (last_bit < 64 ? (UINT64_C(1) << last_bit) - 1 : UINT64_MAX) & ~((UINT64_C(1) << first_bit) - 1);
        insert_by_bits(values, count, mask);
        return;
    }
    uint64_t *from = values, *to = scratch_array(scratch, count, sizeof *to);
    for (unsigned bit = first_bit; bit < last_bit; bit += RADIX_BITS) {
        unsigned width = last_bit - bit < RADIX_BITS ? last_bit - bit : RADIX_BITS;
        uint64_t mask = (UINT64_C(1) << width) - 1;
        size_t starts[RADIX] = {0};
        for (size_t place = 0; place < count; place++) {
            starts[from[place] >> bit & mask]++;
        }
        size_t start = 0;
        for (size_t digit = 0; digit <= mask; digit++) {
            size_t own = starts[digit];
            starts[digit] = start;
            start += own;
        }
        for (size_t place = 0; place < count; place++) {
            to[starts[from[place] >> bit & mask]++] = from[place];
        }
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != values) {
        memcpy(values, from, count * sizeof *values);
    }
}

size_t sort_unique(Scratch *scratch, uint32_t *values, size_t count) {
    uint64_t *wide = scratch_array(scratch, count, sizeof *wide);
    uint64_t highest = 0;
    for (size_t place = 0; place < count; place++) {
        wide[place] = values[place];
        highest |= values[place];
    }
    sort_by_bits(scratch, wide, count, 0, count_needed_bits(highest));
    size_t kept = 0;
    for (size_t place = 0; place < count; place++) {
        if (kept == 0 || values[kept - 1] != (uint32_t)wide[place]) {
            values[kept++] = (uint32_t)wide[place];
        }
    }
    return kept;
}

static void merge_sort(const void **items, const void **spare, size_t count, Precedes precedes) {
    if (count < 2) {
        return;
    }
    size_t middle = count / 2;
    merge_sort(items, spare, middle, precedes);
    merge_sort(items + middle, spare, count - middle, precedes);
    memcpy(spare, items, middle * sizeof *items);
    size_t left = 0, right = middle, to = 0;
    while (left < middle) {
        items[to++] = right < count && precedes(items[right], spare[left]) ? items[right++] : spare[left++];
    }
}

void sort_items(Scratch *scratch, const void **items, size_t count, Precedes precedes) {
    merge_sort(items, scratch_array(scratch, count / 2, sizeof *items), count, precedes);
}

static void insert_by_score(RankedName *names, size_t count) {
    for (size_t place = 1; place < count; place++) {
        RankedName own = names[place];
        size_t to = place;
        for (; to > 0 && names[to - 1].score < own.score; to--) {
            names[to] = names[to - 1];
        }
        names[to] = own;
    }
}

static void merge_by_score(const RankedName *left, const RankedName *right, const RankedName *end, RankedName *merged) {
    const RankedName *middle = right;
    while (left < middle && right < end) {
        *merged++ = left->score >= right->score ? *left++ : *right++;
    }
    memcpy(merged, left, (size_t)(middle - left) * sizeof *left);
    merged += middle - left;
    memcpy(merged, right, (size_t)(end - right) * sizeof *right);
}

void sort_by_score(Scratch *scratch, RankedName *names, size_t count) {
    for (size_t start = 0; start < count; start += RUN) {
        insert_by_score(names + start, count - start < RUN ? count - start : RUN);
    }
    if (count <= RUN) {
        return;
    }
    RankedName *from = names, *to = scratch_array(scratch, count, sizeof *to);
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = count - start < width ? count : start + width;
            size_t end = count - start < 2 * width ? count : start + 2 * width;
            merge_by_score(from + start, from + middle, from + end, to + start);
        }
        RankedName *other = from;
        from = to;
        to = other;
    }
    if (from != names) {
        memcpy(names, from, count * sizeof *names);
    }
}

double select_score(double *scores, size_t count, size_t rank) {
    size_t first = 0, last = count - 1;
    while (first < last) {
        double low = scores[first], middle = scores[first + (last - first) / 2], high = scores[last];
        double smaller = low < high ? low : high, larger = low < high ? high : low;
        double pivot = middle < smaller ? smaller : middle > larger ? larger : middle;
        size_t left = first, right = last;
        while (left <= right) {
            while (scores[left] > pivot) {
                left++;
            }
            while (scores[right] < pivot) {
                right--;
            }
            if (left <= right) {
                double score = scores[left];
                scores[left++] = scores[right];
                scores[right] = score;
                if (right == 0) {
                    break;
                }
                right--;
            }
        }
        if (rank <= right) {
            last = right;
        } else if (rank >= left) {
            first = left;
        } else {
            return scores[rank];
        }
    }
    return scores[rank];
}
