#include "top_names.h"

#include <string.h>

/* Names considered per requested document. */
enum { NAMES_PER_DOCUMENT = 4 };

static const double SCORE_FLOOR = 0.3;

/* A set of numbers less than UINT32_MAX: a hash table with linear probing. */
typedef struct {
    uint32_t *members;
    size_t mask;
} NumberSet;

static NumberSet new_set(Search *search, size_t most) {
    size_t size = 16;
    while (size < 2 * most) {
        size *= 2;
    }
    NumberSet set = {scratch_array(&search->scratch, size, sizeof *set.members), size - 1};
    memset(set.members, 0xFF, size * sizeof *set.members);
    return set;
}

/* Whether a number was missing in the set. */
static bool insert(NumberSet *set, uint32_t number) {
    size_t place = (number * UINT32_C(0x9E3779B1) >> 5) & set->mask;
    for (; set->members[place] != UINT32_MAX; place = (place + 1) & set->mask) {
        if (set->members[place] == number) {
            return false;
        }
    }
    set->members[place] = number;
    return true;
}

void init_top_names(TopNames *top, size_t limit, double floor) {
    *top = (TopNames){.limit = limit, .threshold = floor > SCORE_FLOOR ? floor : SCORE_FLOOR};
}

/* Merge two lists in descending order of scores, the first before the second on ties, without repeated names. */
static void merge_names(Search *search, TopNames *top, const RankedName *fresh, size_t count) {
    RankedName *merged = scratch_array(&search->scratch, top->count + count, sizeof *merged);
    NumberSet seen = new_set(search, top->count + count);
    size_t known = 0, added = 0, kept = 0;
    while (known < top->count || added < count) {
        bool is_known = added == count || (known < top->count && top->names[known].score >= fresh[added].score);
        RankedName next = is_known ? top->names[known++] : fresh[added++];
        if (insert(&seen, next.name)) {
            merged[kept++] = next;
        }
    }
    top->names = merged;
    top->count = kept;
}

/* The position of the last requested document, if it is among the best `contenders` names; else the number of names. */
static size_t find_last_wanted(Search *search, const TopNames *top, size_t contenders) {
    if (contenders > top->count) {
        contenders = top->count;
    }
    NumberSet seen = new_set(search, contenders);
    size_t documents = 0;
    for (size_t place = 0; place < contenders; place++) {
        documents += insert(&seen, search->field->name_documents[top->names[place].name]);
        if (documents == top->limit) {
            return place;
        }
    }
    return top->count;
}

/* Raise the threshold to the score of the name at a position, and drop the names below it. */
static void raise_threshold(TopNames *top, size_t last) {
    top->threshold = top->names[last].score;
    while (last < top->count && top->names[last].score >= top->threshold) {
        last++;
    }
    top->count = last;
}

/* The names among the best `most` ones, with ties; returns their number. `kept` has room for all. */
static size_t keep_best(Search *search, const RankedName *names, size_t count, size_t most, RankedName *kept) {
    double *scores = scratch_array(&search->scratch, count, sizeof *scores);
    for (size_t place = 0; place < count; place++) {
        scores[place] = names[place].score;
    }
    double least = select_score(scores, count, most - 1);
    size_t selected = 0;
    for (size_t place = 0; place < count; place++) {
        if (names[place].score >= least) {
            kept[selected++] = names[place];
        }
    }
    return selected;
}

void add_top_names(Search *search, TopNames *top, const RankedName *names, size_t count) {
    RankedName *fresh = scratch_array(&search->scratch, count, sizeof *fresh);
    size_t admitted = 0;
    for (size_t place = 0; place < count; place++) {
        if (place + LOOKED_AHEAD < count && names[place + LOOKED_AHEAD].score >= top->threshold) {
            prefetch(search->field->name_documents + names[place + LOOKED_AHEAD].name);
        }
        if (names[place].score >= top->threshold) {
            /* The document is needed later in any case. */
            uint32_t document = field_document(search->field, &search->scratch, names[place].name);
            if (admits(search, document)) {
                fresh[admitted++] = names[place];
            }
        }
    }
    if (admitted == 0) {
        return;
    }
    TopNames before = *top;
    /* The best names usually suffice; all are merged if their documents are too few. */
    size_t most = top->limit * NAMES_PER_DOCUMENT + top->count;
    if (admitted > most) {
        RankedName *best = scratch_array(&search->scratch, admitted, sizeof *best);
        size_t selected = keep_best(search, fresh, admitted, most, best);
        sort_by_score(&search->scratch, best, selected);
        merge_names(search, top, best, selected);
        size_t last = find_last_wanted(search, top, top->limit * NAMES_PER_DOCUMENT);
        if (last < top->count) {
            raise_threshold(top, last);
            return;
        }
        *top = before;
    }
    sort_by_score(&search->scratch, fresh, admitted);
    merge_names(search, top, fresh, admitted);
    if (top->count < top->limit) {
        return;
    }
    size_t last = find_last_wanted(search, top, top->limit * NAMES_PER_DOCUMENT);
    if (last == top->count) {
        last = find_last_wanted(search, top, top->count);
    }
    if (last < top->count) {
        raise_threshold(top, last);
    }
}
