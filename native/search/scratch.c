#include "scratch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_BLOCK = 1 << 14 };

struct ScratchBlock {
    ScratchBlock *next;
    size_t size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void *scratch_array(Scratch *scratch, size_t count, size_t size) {
    if (size > 0 && count > (SIZE_MAX / 4) / size) {
        scratch_fail(scratch, SEARCH_NO_MEMORY);
    }
    size_t wanted = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (scratch->blocks == NULL || scratch->blocks->size - scratch->used < wanted) {
        size_t capacity = scratch->blocks == NULL ? FIRST_BLOCK : scratch->blocks->size * 2;
        if (capacity < wanted) {
            capacity = wanted;
        }
        ScratchBlock *block = malloc(sizeof *block + capacity);
        if (block == NULL) {
            scratch_fail(scratch, SEARCH_NO_MEMORY);
        }
        block->next = scratch->blocks;
        block->size = capacity;
        scratch->blocks = block;
        scratch->used = 0;
    }
    void *memory = scratch->blocks->bytes + scratch->used;
    scratch->used += wanted;
    return memory;
}

void *scratch_zeros(Scratch *scratch, size_t count, size_t size) {
    void *memory = scratch_array(scratch, count, size);
    memset(memory, 0, count * size);
    return memory;
}

void *scratch_grow(Scratch *scratch, const void *items, size_t *capacity, size_t size, size_t first) {
    size_t count = *capacity;
    *capacity = count == 0 ? first : 2 * count;
    void *grown = scratch_array(scratch, *capacity, size);
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    return grown;
}

_Noreturn void scratch_fail(Scratch *scratch, SearchStatus status) {
    scratch->status = status;
    longjmp(scratch->failed, 1);
}

void scratch_release(Scratch *scratch) {
    while (scratch->blocks != NULL) {
        ScratchBlock *block = scratch->blocks;
        scratch->blocks = block->next;
        free(block);
    }
    scratch->used = 0;
}
