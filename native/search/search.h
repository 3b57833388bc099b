/* What the parts of one search share. */
#ifndef BONAFIDE_SEARCH_SEARCH_H
#define BONAFIDE_SEARCH_SEARCH_H

#include "field.h"
#include "query.h"
#include "scratch.h"

/* The reference implementation rounds after each operation. GCC does so as well in the mode of the C standard (`-std=c11`). */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* The distance in a list at which memory is prefetched. */
enum { LOOKED_AHEAD = 12 };

/* The documents that are admitted: `DocumentFilter` of `format/documents.py`. */
typedef struct {
    /* The place of each document's facets in the facet table, and the flags of its rows; NULL if all are admitted. */
    const uint16_t *facets;
    const uint8_t *allowed;
    size_t allowed_count;
    /* Flags of replaced documents; NULL if there are none. */
    const uint8_t *dead;
} Admission;

typedef struct {
    const Field *field;
    const Query *query;
    Admission admission;
    Scratch scratch;
} Search;

/* Whether the document of a name is admitted. */
static inline bool admits(Search *search, uint32_t document) {
    const Admission *admission = &search->admission;
    if (admission->allowed != NULL) {
        uint16_t row = admission->facets[document];
        if (row >= admission->allowed_count) {
            scratch_fail(&search->scratch, SEARCH_DAMAGED);
        }
        if (!admission->allowed[row]) {
            return false;
        }
    }
    return admission->dead == NULL || !admission->dead[document];
}

/* The same for a name, whose document is read only if that matters. */
static inline bool admits_name(Search *search, uint32_t name) {
    bool admits_all = search->admission.allowed == NULL && search->admission.dead == NULL;
    return admits_all || admits(search, field_document(search->field, &search->scratch, name));
}

#endif
