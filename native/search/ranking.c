#include "ranking.h"

#include <string.h>

#include "candidates.h"
#include "plan.h"
#include "sorting.h"
#include "text_similarity.h"

enum {
    /* The maximum number of variants per query word: at first, and in the deep search. */
    LIKELY_VARIANTS = 24,
    DEEP_VARIANTS = 96,
    /* The maximum number of variants of all words together; long queries get fewer per word. */
    MAX_VARIANTS = 160,
    /* The minimum number of names that are reranked by string similarity. */
    MIN_RERANKED_NAMES = 100,
    /* Names to find per requested document, because a document may have several similar names. */
    NAMES_PER_DOCUMENT = 2,
};

static const double SUFFICIENT_SCORE = 0.9;
static const double WORDS_SHARE = 0.7;
static const double TYPED_SHARE = 0.15;

/* A name among those that are compared as strings. */
typedef struct {
    uint32_t name;
    uint32_t document;
    bool is_inactive;
    double score;
    double likeness;
} Candidate;

static size_t most_variants(const Query *query, size_t most) {
    size_t share = MAX_VARIANTS / query->slot_count;
    return share < most ? share : most;
}

static TopNames find_names(Search *search, size_t limit, const Request *request) {
    /* Names below this cannot reach the floor even with identical typed forms. */
    double floor = (request->floor - 2 * TYPED_SHARE) / WORDS_SHARE;
    KnownWords known;
    find_known_words(search, &known);
    VariantList variants = {NULL, 0, 0};
    expand_likely(search, &known, &variants);
    size_t likely = variants.count, most = most_variants(search->query, LIKELY_VARIANTS);
    Plan plan;
    make_plan(search, &variants, most, &plan);
    TopNames top;
    init_top_names(&top, limit, floor);
    collect_names(search, &plan, &top, true);
    if (best_score(&top) >= SUFFICIENT_SCORE || request->best >= SUFFICIENT_SCORE) {
        return top;
    }
    expand_further(search, &known, &variants);
    if (variants.count == likely && likely <= most) {
        return top; /* the plan would be the same */
    }
    Plan deeper;
    make_plan(search, &variants, most_variants(search->query, DEEP_VARIANTS), &deeper);
    if (plan_is_within(&deeper, &plan)) {
        return top;
    }
    TopNames found;
    init_top_names(&found, limit, floor);
    bool same_weights = plan_has_same_weights(&deeper, &plan);
    if (same_weights) {
        add_top_names(search, &found, top.names, top.count);
    }
    collect_names(search, &deeper, &found, !same_weights);
    return found;
}

/* The best by words first; active ones before others; ties by document. */
static bool has_better_words(const void *left, const void *right) {
    const Candidate *one = left, *other = right;
    if (one->score != other->score) {
        return one->score > other->score;
    }
    return one->is_inactive != other->is_inactive ? other->is_inactive : one->document < other->document;
}

/* The best by words and strings first; active ones before others; then the more similar strings; ties by document. */
static bool has_better_texts(const void *left, const void *right) {
    const Candidate *one = left, *other = right;
    if (one->score != other->score) {
        return one->score > other->score;
    }
    if (one->is_inactive != other->is_inactive) {
        return other->is_inactive;
    }
    return one->likeness != other->likeness ? one->likeness > other->likeness : one->document < other->document;
}

/* Sort candidates; those that are equal keep their order. */
static void sort_candidates(Search *search, Candidate *candidates, size_t count, Precedes precedes) {
    Candidate *before = scratch_array(&search->scratch, count, sizeof *before);
    const void **items = scratch_array(&search->scratch, count, sizeof *items);
    memcpy(before, candidates, count * sizeof *before);
    for (size_t place = 0; place < count; place++) {
        items[place] = &before[place];
    }
    sort_items(&search->scratch, items, count, precedes);
    for (size_t place = 0; place < count; place++) {
        candidates[place] = *(const Candidate *)items[place];
    }
}

static void compare_as_strings(Search *search, Text typed, Candidate *candidates, size_t count) {
    TextComparison comparison = prepare_comparison(&search->scratch, typed);
    Text *forms = scratch_array(&search->scratch, count, sizeof *forms);
    for (size_t place = 0; place < count; place++) {
        field_prefetch_typed_form(search->field, candidates[place].name);
    }
    for (size_t place = 0; place < count; place++) {
        forms[place] = field_typed_form(search->field, &search->scratch, candidates[place].name);
        /* Most texts are in one or two cache lines. */
        prefetch(forms[place].bytes);
        prefetch(forms[place].bytes + forms[place].size);
    }
    for (size_t place = 0; place < count; place++) {
        Candidate *own = &candidates[place];
        own->likeness = compare_texts(&search->scratch, &comparison, forms[place]);
        own->score = own->score < 1 ? WORDS_SHARE * own->score + TYPED_SHARE * own->likeness : 1.0;
    }
}

/* The documents of the candidates that reach the floor, each with its best name. */
static Hits list_hits(Search *search, const Request *request, const Candidate *candidates, size_t count) {
    Hits hits = {scratch_array(&search->scratch, count, sizeof *hits.hits), 0};
    for (size_t place = 0; place < count && hits.count < request->limit && candidates[place].score >= request->floor; place++) {
        size_t known = 0;
        while (known < hits.count && hits.hits[known].document != candidates[place].document) {
            known++;
        }
        if (known == hits.count) {
            hits.hits[hits.count++] = (Hit){candidates[place].document, !candidates[place].is_inactive, candidates[place].score};
        }
    }
    return hits;
}

Hits search_field(Search *search, const Request *request) {
    size_t wanted = request->limit > MIN_RERANKED_NAMES ? request->limit : MIN_RERANKED_NAMES;
    TopNames found = find_names(search, wanted, request);
    size_t count = found.count;
    Candidate *candidates = scratch_array(&search->scratch, count, sizeof *candidates);
    for (size_t place = 0; place < count; place++) {
        uint32_t name = found.names[place].name;
        uint32_t document = field_document(search->field, &search->scratch, name);
        prefetch(search->field->document_active + document);
        candidates[place] = (Candidate){.name = name, .document = document, .score = found.names[place].score};
    }
    for (size_t place = 0; place < count; place++) {
        candidates[place].is_inactive = search->field->document_active[candidates[place].document] == 0;
    }
    sort_candidates(search, candidates, count, has_better_words);
    size_t reranked = NAMES_PER_DOCUMENT * request->limit;
    reranked = reranked > MIN_RERANKED_NAMES ? reranked : MIN_RERANKED_NAMES;
    count = count < reranked ? count : reranked;
    compare_as_strings(search, request->typed, candidates, count);
    sort_candidates(search, candidates, count, has_better_texts);
    return list_hits(search, request, candidates, count);
}
