/* Estimates of listed names by the words that they share with a searched name. `NumpyNameEstimator` in
 * `matching/screening/name_estimates.py` is the reference: sums have the same order and precision, so that estimates are equal.
 *
 * Products are assigned before they are added, so that no compiler fuses the two operations into one that rounds once. */
#include "comparison_types.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 28 };
/* A search of at least so many postings takes longer than waiting for the GIL, so that releasing it is worthwhile. */
static const Py_ssize_t POSTINGS_WITHOUT_GIL = 20000;

/* A listed word that matches a searched one, as `prepare` packs it. */
typedef struct {
    int32_t word;
    float score;
    int32_t is_distinctive;
} Reading;

/* A searched word: its readings, the least similar first, and its weight. */
typedef struct {
    const char *readings;
    Py_ssize_t count;
    double weight;
    int is_sufficient; /* whether a name with no other word may score high enough */
} SharedWord;

/* A short searched word and the listed words that differ from it in a letter. */
typedef struct {
    double weight;
    int32_t *near;
    Py_ssize_t count;
} ShortWord;

typedef struct {
    double agreed;   /* the weights of the pairs of words times their similarity */
    double worth;    /* the weights of the pairs */
    double found;    /* the weights of the listed words */
    double full;     /* how many of them are distinctive */
    double searched; /* the weights of the searched words */
    int32_t name;
    uint32_t last_word; /* the last searched word that was added, counted from 1 */
} NameSums;

enum { SEEN, ENOUGH, HAS_ROW };

/* The state of a name in a search: the last of its words so far, counted from 1, and whether it has enough of them, or sums.
 * It is valid if it has the number of the search. Most names of a search are only marked, so that marks are small. */
typedef struct {
    uint32_t search;
    uint32_t last_word : 30;
    uint32_t state : 2;
} NameMark;

typedef struct Scratch {
    struct Scratch *next;
    uint32_t search;
    NameSums *rows;
    Py_ssize_t count;
    Py_ssize_t capacity;
    int32_t *row_of_name; /* valid for names that have sums */
    NameMark marks[];
} Scratch;

typedef struct {
    double nothing;
    double one_sided;
    double conflict;
    double extra;
    double limit;
    double short_typo;
    double least_beside_short_typo;
} EstimateNumbers;

typedef struct {
    PyObject_HEAD
    Py_buffer starts;
    Py_buffer postings;
    Py_buffer distinctive_words;
    Py_ssize_t words;
    Py_ssize_t names;
    int of_people;
    EstimateNumbers numbers;
    Scratch *unused; /* used and returned with the GIL */
} NameEstimator;

typedef struct {
    const float *word_weights;
    const float *name_weights;
    SharedWord *shared;
    Py_ssize_t shared_count;
    ShortWord *short_words;
    Py_ssize_t short_count;
    double total;          /* of the weights of all searched words */
    double total_of_full;  /* of those that are no initials */
    long initials;
    long distinctive;
    float floor;
    Py_ssize_t postings;
} NameSearch;

typedef struct {
    int32_t name;
    float score;
} NameEstimate;

static int64_t posting_start(const NameEstimator *estimator, Py_ssize_t word) {
    return ((const int64_t *)estimator->starts.buf)[word];
}

static Reading read_reading(const SharedWord *word, Py_ssize_t place) {
    Reading reading;
    memcpy(&reading, word->readings + place * (Py_ssize_t)sizeof reading, sizeof reading);
    return reading;
}

/* ------------------------------------------------------------------------------------------------------------ the search */

static NameMark *find_mark(Scratch *scratch, int32_t name) {
    NameMark *mark = &scratch->marks[name];
    if (mark->search != scratch->search) {
        *mark = (NameMark){.search = scratch->search};
    }
    return mark;
}

/* Marks the names that have a sufficient word, or two words. */
static void mark_names(const NameEstimator *estimator, const NameSearch *query, Scratch *scratch) {
    const int32_t *postings = estimator->postings.buf;
    for (Py_ssize_t place = 0; place < query->shared_count; place++) {
        const SharedWord *word = &query->shared[place];
        uint32_t number = (uint32_t)place + 1;
        for (Py_ssize_t at = 0; at < word->count; at++) {
            Reading reading = read_reading(word, at);
            int64_t end = posting_start(estimator, reading.word + 1);
            for (int64_t posting = posting_start(estimator, reading.word); posting < end; posting++) {
                NameMark *mark = find_mark(scratch, postings[posting]);
                if (word->is_sufficient || (mark->last_word != 0 && mark->last_word != number)) {
                    mark->state = ENOUGH;
                }
                mark->last_word = number & 0x3fffffff;
            }
        }
    }
}

static NameSums *add_row(Scratch *scratch, NameMark *mark, int32_t name) {
    if (scratch->count == scratch->capacity) {
        Py_ssize_t capacity = scratch->capacity > 0 ? 2 * scratch->capacity : 256;
        NameSums *rows = realloc(scratch->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) {
            return NULL;
        }
        scratch->rows = rows;
        scratch->capacity = capacity;
    }
    mark->state = HAS_ROW;
    scratch->row_of_name[name] = (int32_t)scratch->count;
    NameSums *row = &scratch->rows[scratch->count++];
    *row = (NameSums){.name = name};
    return row;
}

/* Adds the searched words to the sums of their names: of a name with several readings of a word, the most similar counts. */
static int sum_words(const NameEstimator *estimator, const NameSearch *query, Scratch *scratch, int is_marked) {
    const int32_t *postings = estimator->postings.buf;
    for (Py_ssize_t place = 0; place < query->shared_count; place++) {
        const SharedWord *word = &query->shared[place];
        uint32_t number = (uint32_t)place + 1;
        for (Py_ssize_t at = word->count - 1; at >= 0; at--) {
            Reading reading = read_reading(word, at);
            double found = query->word_weights[reading.word];
            double pair = estimator->of_people ? (found > word->weight ? found : word->weight)
                                               : (found < word->weight ? found : word->weight);
            double agreed = (double)reading.score * pair;
            int64_t end = posting_start(estimator, reading.word + 1);
            for (int64_t posting = posting_start(estimator, reading.word); posting < end; posting++) {
                int32_t name = postings[posting];
                NameMark *mark = is_marked ? &scratch->marks[name] : find_mark(scratch, name);
                if (is_marked && mark->state == SEEN) {
                    continue;
                }
                NameSums *row = mark->state == HAS_ROW ? &scratch->rows[scratch->row_of_name[name]] : add_row(scratch, mark, name);
                if (row == NULL) {
                    return -1;
                }
                if (row->last_word == number) {
                    continue;
                }
                row->last_word = number;
                row->agreed += agreed;
                row->worth += pair;
                row->found += found;
                row->full += reading.is_distinctive;
                row->searched += word->weight;
            }
        }
    }
    return 0;
}

/* Adds a short word with a slip to a name in which other words match and both sides have a word left. */
static void add_short_word(const NameEstimator *estimator, const NameSearch *query, Scratch *scratch, Py_ssize_t place) {
    const EstimateNumbers *numbers = &estimator->numbers;
    const int32_t *postings = estimator->postings.buf;
    const ShortWord *word = &query->short_words[place];
    uint32_t number = (uint32_t)(query->shared_count + place) + 1;
    for (Py_ssize_t at = 0; at < word->count; at++) {
        int64_t end = posting_start(estimator, word->near[at] + 1);
        for (int64_t posting = posting_start(estimator, word->near[at]); posting < end; posting++) {
            const NameMark *mark = &scratch->marks[postings[posting]];
            if (mark->search != scratch->search || mark->state != HAS_ROW) {
                continue;
            }
            NameSums *row = &scratch->rows[scratch->row_of_name[postings[posting]]];
            if (row->last_word == number) {
                continue;
            }
            row->last_word = number;
            int has_left = query->total - row->searched >= word->weight - numbers->nothing &&
                           (double)query->name_weights[row->name] - row->found > numbers->nothing;
            if (has_left && row->agreed >= numbers->least_beside_short_typo) {
                row->agreed += numbers->short_typo;
                row->worth += 1;
                row->found += 1;
                row->full += 1;
                row->searched += word->weight;
            }
        }
    }
}

static double at_least_zero(double number) {
    return number > 0 ? number : 0;
}

static float estimate_score(const NameEstimator *estimator, const NameSearch *query, const NameSums *row) {
    const EstimateNumbers *numbers = &estimator->numbers;
    double missing = at_least_zero(query->total_of_full - row->searched);
    double added = at_least_zero((double)query->name_weights[row->name] - row->found);
    if (query->initials > 0) {
        /* An initial may represent any remaining word. */
        added = at_least_zero(added - (double)query->initials);
    }
    double both = missing < added ? missing : added;
    double one_sided = estimator->of_people && both < numbers->nothing ? numbers->extra : numbers->one_sided;
    double alone = one_sided * (missing + added);
    double replaced = numbers->conflict * both;
    double against = alone + replaced;
    double worth = row->worth + against;
    float score = worth > 0 ? (float)(row->agreed / worth) : 0.0f;
    int is_enough = (missing < numbers->nothing && added < numbers->nothing) || row->full >= 2;
    if (!is_enough && row->full >= 1) {
        if (estimator->of_people) {
            is_enough = query->initials > 0 || row->agreed > row->full;
        } else {
            double listed = ((const float *)estimator->distinctive_words.buf)[row->name];
            is_enough = (listed - row->full) + ((double)query->distinctive - row->full) <= 0;
        }
    }
    float limit = (float)numbers->limit;
    return is_enough || score < limit ? score : limit;
}

static int compare_estimates(const void *left, const void *right) {
    const NameEstimate *one = left, *other = right;
    return (one->name > other->name) - (one->name < other->name);
}

/* The estimates of at least the floor in the order of the names; NULL if memory is exhausted. */
static NameEstimate *search_names(const NameEstimator *estimator, const NameSearch *query, Scratch *scratch, Py_ssize_t *count) {
    scratch->search++;
    scratch->count = 0;
    int is_selective = 0;
    for (Py_ssize_t place = 0; place < query->shared_count; place++) {
        is_selective |= !query->shared[place].is_sufficient;
    }
    if (is_selective) {
        mark_names(estimator, query, scratch);
    }
    if (sum_words(estimator, query, scratch, is_selective) < 0) {
        return NULL;
    }
    for (Py_ssize_t place = 0; place < query->short_count; place++) {
        add_short_word(estimator, query, scratch, place);
    }
    NameEstimate *found = malloc(((size_t)scratch->count + 1) * sizeof *found);
    if (found == NULL) {
        return NULL;
    }
    *count = 0;
    for (Py_ssize_t row = 0; row < scratch->count; row++) {
        float score = estimate_score(estimator, query, &scratch->rows[row]);
        if (score >= query->floor) {
            found[(*count)++] = (NameEstimate){scratch->rows[row].name, score};
        }
    }
    qsort(found, (size_t)*count, sizeof *found, compare_estimates);
    return found;
}

/* ------------------------------------------------------------------------------------------------- scratch memory, arguments */

static void free_scratch(Scratch *scratch) {
    free(scratch->rows);
    free(scratch->row_of_name);
    free(scratch);
}

static Scratch *take_scratch(NameEstimator *estimator) {
    Scratch *scratch = estimator->unused;
    if (scratch == NULL) {
        scratch = calloc(1, sizeof *scratch + (size_t)estimator->names * sizeof *scratch->marks);
        if (scratch == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        scratch->row_of_name = malloc(((size_t)estimator->names + 1) * sizeof *scratch->row_of_name);
        if (scratch->row_of_name == NULL) {
            free_scratch(scratch);
            PyErr_NoMemory();
            return NULL;
        }
        return scratch;
    }
    estimator->unused = scratch->next;
    scratch->next = NULL;
    if (scratch->search == UINT32_MAX) {
        memset(scratch->marks, 0, (size_t)estimator->names * sizeof *scratch->marks);
        scratch->search = 0;
    }
    return scratch;
}

static void return_scratch(NameEstimator *estimator, Scratch *scratch) {
    scratch->next = estimator->unused;
    estimator->unused = scratch;
}

static int read_shared_word(const NameEstimator *estimator, PyObject *item, SharedWord *word, Py_ssize_t *postings) {
    char *readings;
    Py_ssize_t size;
    PyObject *packed;
    if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "Sdp", &packed, &word->weight, &word->is_sufficient)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a shared word is a tuple");
        }
        return -1;
    }
    if (PyBytes_AsStringAndSize(packed, &readings, &size) < 0) {
        return -1;
    }
    word->readings = readings;
    word->count = size / (Py_ssize_t)sizeof(Reading);
    for (Py_ssize_t place = 0; place < word->count; place++) {
        int32_t number = read_reading(word, place).word;
        if (number < 0 || number >= estimator->words) {
            PyErr_SetString(PyExc_ValueError, "no such word");
            return -1;
        }
        *postings += (Py_ssize_t)(posting_start(estimator, number + 1) - posting_start(estimator, number));
    }
    return 0;
}

static int read_short_word(const NameEstimator *estimator, PyObject *item, ShortWord *word, Py_ssize_t *postings) {
    PyObject *near;
    if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "dO", &word->weight, &near)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a short word is a tuple");
        }
        return -1;
    }
    Py_ssize_t count = PyTuple_Size(near);
    if (count < 0) {
        return -1;
    }
    word->near = malloc(((size_t)count + 1) * sizeof *word->near);
    if (word->near == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; word->count < count; word->count++) {
        long number = PyLong_AsLong(PyTuple_GetItem(near, word->count));
        if (number < 0 || number >= estimator->words) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "no such word");
            }
            return -1;
        }
        word->near[word->count] = (int32_t)number;
        *postings += (Py_ssize_t)(posting_start(estimator, number + 1) - posting_start(estimator, number));
    }
    return 0;
}

/* Reads the words of a search. On failure the caller frees what was read, too. */
static int read_words(const NameEstimator *estimator, PyObject *shared, PyObject *short_words, NameSearch *query) {
    Py_ssize_t shared_count = PyTuple_Size(shared), short_count = PyTuple_Size(short_words);
    if (shared_count < 0 || short_count < 0) {
        return -1;
    }
    if (shared_count > MOST_WORDS || short_count > MOST_WORDS) {
        PyErr_SetString(PyExc_OverflowError, "too many words");
        return -1;
    }
    query->shared = calloc((size_t)shared_count + 1, sizeof *query->shared);
    query->short_words = calloc((size_t)short_count + 1, sizeof *query->short_words);
    if (query->shared == NULL || query->short_words == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; query->shared_count < shared_count; query->shared_count++) {
        PyObject *item = PyTuple_GetItem(shared, query->shared_count);
        if (read_shared_word(estimator, item, &query->shared[query->shared_count], &query->postings) < 0) {
            return -1;
        }
    }
    while (query->short_count < short_count) {
        PyObject *item = PyTuple_GetItem(short_words, query->short_count);
        if (read_short_word(estimator, item, &query->short_words[query->short_count++], &query->postings) < 0) {
            return -1;
        }
    }
    return 0;
}

static void free_words(NameSearch *query) {
    for (Py_ssize_t place = 0; place < query->short_count; place++) {
        free(query->short_words[place].near);
    }
    free(query->short_words);
    free(query->shared);
}

/* Opens an array of this many elements; any number if `count` is negative. `kinds` are the letters of acceptable formats. */
static int open_array(PyObject *array, Py_buffer *view, const char *kinds, Py_ssize_t item_size, Py_ssize_t count) {
    if (PyObject_GetBuffer(array, view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        return -1;
    }
    int is_right = view->itemsize == item_size && view->format != NULL && view->format[0] != '\0' && view->format[1] == '\0' &&
                   strchr(kinds, view->format[0]) != NULL;
    if (!is_right || (count >= 0 && view->len / item_size != count)) {
        PyErr_SetString(PyExc_ValueError, is_right ? "an array has the wrong length" : "an array has the wrong type");
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static PyObject *build_lists(const NameEstimate *found, Py_ssize_t count) {
    PyObject *names = PyList_New(count), *scores = PyList_New(count);
    for (Py_ssize_t place = 0; names != NULL && scores != NULL && place < count; place++) {
        PyObject *name = PyLong_FromLong(found[place].name), *score = PyFloat_FromDouble(found[place].score);
        if (name == NULL || score == NULL) {
            Py_XDECREF(name);
            Py_XDECREF(score);
            Py_CLEAR(names);
            break;
        }
        PyList_SetItem(names, place, name);
        PyList_SetItem(scores, place, score);
    }
    PyObject *both = names != NULL && scores != NULL ? PyTuple_Pack(2, names, scores) : NULL;
    Py_XDECREF(names);
    Py_XDECREF(scores);
    return both;
}

static PyObject *run_search(NameEstimator *estimator, const NameSearch *query) {
    Scratch *scratch = take_scratch(estimator);
    if (scratch == NULL) {
        return NULL;
    }
    Py_ssize_t count = 0;
    NameEstimate *found;
    if (query->postings >= POSTINGS_WITHOUT_GIL) {
        Py_BEGIN_ALLOW_THREADS
        found = search_names(estimator, query, scratch, &count);
        Py_END_ALLOW_THREADS
    } else {
        found = search_names(estimator, query, scratch, &count);
    }
    return_scratch(estimator, scratch);
    if (found == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *lists = build_lists(found, count);
    free(found);
    return lists;
}

static PyObject *name_estimator_estimate(PyObject *self, PyObject *args) {
    NameEstimator *estimator = (NameEstimator *)self;
    PyObject *shared, *short_words, *word_weights, *name_weights;
    NameSearch query = {0};
    if (!PyArg_ParseTuple(args, "OOOOddllf", &shared, &short_words, &word_weights, &name_weights, &query.total,
                          &query.total_of_full, &query.initials, &query.distinctive, &query.floor)) {
        return NULL;
    }
    Py_buffer of_words, of_names;
    if (open_array(word_weights, &of_words, "f", sizeof(float), estimator->words) < 0) {
        return NULL;
    }
    if (open_array(name_weights, &of_names, "f", sizeof(float), estimator->names) < 0) {
        PyBuffer_Release(&of_words);
        return NULL;
    }
    query.word_weights = of_words.buf;
    query.name_weights = of_names.buf;
    PyObject *found = read_words(estimator, shared, short_words, &query) < 0 ? NULL : run_search(estimator, &query);
    free_words(&query);
    PyBuffer_Release(&of_names);
    PyBuffer_Release(&of_words);
    return found;
}

/* ------------------------------------------------------------------------------------------------------------------ the type */

/* Postings must be names, and the offsets ascend to their number, so that a search reads nothing beyond the arrays. */
static int check_postings(const NameEstimator *estimator) {
    const int32_t *postings = estimator->postings.buf;
    Py_ssize_t count = estimator->postings.len / (Py_ssize_t)sizeof(int32_t);
    int is_right = posting_start(estimator, 0) == 0 && posting_start(estimator, estimator->words) == count;
    for (Py_ssize_t word = 0; is_right && word < estimator->words; word++) {
        is_right = posting_start(estimator, word) <= posting_start(estimator, word + 1);
    }
    for (Py_ssize_t place = 0; is_right && place < count; place++) {
        is_right = postings[place] >= 0 && postings[place] < estimator->names;
    }
    if (!is_right) {
        PyErr_SetString(PyExc_ValueError, "the postings are damaged");
        return -1;
    }
    return 0;
}

static int open_postings(NameEstimator *estimator, PyObject *starts, PyObject *postings, PyObject *distinctive_words) {
    if (open_array(starts, &estimator->starts, "lq", sizeof(int64_t), -1) < 0 ||
        open_array(postings, &estimator->postings, "il", sizeof(int32_t), -1) < 0 ||
        open_array(distinctive_words, &estimator->distinctive_words, "f", sizeof(float), -1) < 0) {
        return -1;
    }
    Py_ssize_t offsets = estimator->starts.len / (Py_ssize_t)sizeof(int64_t);
    estimator->words = offsets - 1;
    estimator->names = estimator->distinctive_words.len / (Py_ssize_t)sizeof(float);
    if (offsets < 1 || offsets > INT32_MAX || estimator->names > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "the postings are damaged");
        return -1;
    }
    return check_postings(estimator);
}

static PyObject *name_estimator_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"starts",   "postings", "distinctive_words", "of_people",  "nothing",                 "one_sided",
                            "conflict", "extra",    "limit",             "short_typo", "least_beside_short_typo", NULL};
    PyObject *starts, *postings, *distinctive_words;
    int of_people;
    EstimateNumbers numbers;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO$pddddddd", names, &starts, &postings, &distinctive_words, &of_people,
                                     &numbers.nothing, &numbers.one_sided, &numbers.conflict, &numbers.extra, &numbers.limit,
                                     &numbers.short_typo, &numbers.least_beside_short_typo)) {
        return NULL;
    }
    NameEstimator *estimator = (NameEstimator *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (estimator == NULL) {
        return NULL;
    }
    estimator->of_people = of_people;
    estimator->numbers = numbers;
    if (open_postings(estimator, starts, postings, distinctive_words) < 0) {
        Py_DECREF(estimator);
        return NULL;
    }
    return (PyObject *)estimator;
}

static void name_estimator_dealloc(PyObject *self) {
    NameEstimator *estimator = (NameEstimator *)self;
    PyTypeObject *type = Py_TYPE(self);
    while (estimator->unused != NULL) {
        Scratch *scratch = estimator->unused;
        estimator->unused = scratch->next;
        free_scratch(scratch);
    }
    /* Releasing a buffer that was not opened has no effect: its object is NULL. */
    PyBuffer_Release(&estimator->starts);
    PyBuffer_Release(&estimator->postings);
    PyBuffer_Release(&estimator->distinctive_words);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"estimate", name_estimator_estimate, METH_VARARGS,
     PyDoc_STR("The numbers of the names that may score at least the floor, in rising order, and their estimates.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Estimates the scores of the listed names that share words with a searched name.")},
    {Py_tp_new, name_estimator_new},
    {Py_tp_dealloc, name_estimator_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec name_estimator_spec = {
    .name = "bonafide.native._comparison.NameEstimator",
    .basicsize = sizeof(NameEstimator),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
