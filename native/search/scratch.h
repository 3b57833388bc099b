/* The memory of one search, which is released as a whole, and the exit of a search that fails. */
#ifndef BONAFIDE_SEARCH_SCRATCH_H
#define BONAFIDE_SEARCH_SCRATCH_H

#include <setjmp.h>
#include <stddef.h>

typedef enum {
    SEARCH_DONE,
    SEARCH_NO_MEMORY,
    /* The arrays contradict each other: an id, an offset or a text is out of its range. */
    SEARCH_DAMAGED,
} SearchStatus;

typedef struct ScratchBlock ScratchBlock;

typedef struct {
    ScratchBlock *blocks;
    size_t used;
    SearchStatus status;
    /* The caller of a search sets it before the first allocation. */
    jmp_buf failed;
} Scratch;

/* Memory for an array, aligned for any type and not initialised; ends the search with SEARCH_NO_MEMORY if there is none. */
void *scratch_array(Scratch *scratch, size_t count, size_t size);

/* The same, filled with zeros. */
void *scratch_zeros(Scratch *scratch, size_t count, size_t size);

/* A copy of a full array with room for more items; `*capacity` is raised, from 0 to `first`. */
void *scratch_grow(Scratch *scratch, const void *items, size_t *capacity, size_t size, size_t first);

/* End the search: jump to `failed`. */
_Noreturn void scratch_fail(Scratch *scratch, SearchStatus status);

void scratch_release(Scratch *scratch);

#endif
