/* The memory of one search, which is released at once, and the way out of a search that cannot go on. */
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
    /* Set by the caller of a search before the first allocation. */
    jmp_buf failed;
} Scratch;

/* Memory for an array, aligned for any type and not initialised; leaves the search if there is none. */
void *scratch_array(Scratch *scratch, size_t count, size_t size);

/* The same, filled with zeros. */
void *scratch_zeros(Scratch *scratch, size_t count, size_t size);

/* Leave the search. */
_Noreturn void scratch_fail(Scratch *scratch, SearchStatus status);

void scratch_release(Scratch *scratch);

#endif
