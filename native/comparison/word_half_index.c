/* Words by their first and by their last letters: two words that differ in two letters hardly differ in both. */
#include "comparison_types.h"
#include "word_table.h"

#include <stdlib.h>

enum {
    HALF = 3,     /* letters of a beginning or end */
    MAX_TYPOS = 2 /* most letters in which words may differ that `find_near` returns */
};

/* A word of a group: those with equal first or last letters. Most words of a group are ruled out by their length or letters. */
typedef struct {
    uint64_t key;
    int32_t number;
    uint32_t letters; /* a bit for each letter that it has, some letters sharing one */
    Py_ssize_t length;
} GroupedWord;

typedef struct {
    GroupedWord *words; /* in the order of their keys */
    Py_ssize_t count;
} WordGroups;

typedef struct {
    PyObject_HEAD
    WordTable words;
    Py_ssize_t shortest;
    WordGroups beginnings;
    WordGroups ends;
} WordHalfIndex;

/* A code point has 21 bits, so that three of them are one number. */
static uint64_t build_key(const Py_UCS4 *letters) {
    return ((uint64_t)letters[0] << 42) | ((uint64_t)letters[1] << 21) | letters[2];
}

static uint32_t build_letter_bits(const Py_UCS4 *letters, Py_ssize_t length) {
    uint32_t bits = 0;
    for (Py_ssize_t at = 0; at < length; at++) {
        bits |= (uint32_t)1 << (letters[at] & 31);
    }
    return bits;
}

static int count_bits(uint32_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static int compare_grouped_words(const void *left, const void *right) {
    const GroupedWord *one = left, *other = right;
    if (one->key != other->key) {
        return one->key < other->key ? -1 : 1;
    }
    return (one->number > other->number) - (one->number < other->number);
}

static int group_words(WordGroups *groups, const WordTable *words, Py_ssize_t shortest, int at_end) {
    groups->words = malloc(((size_t)words->count + 1) * sizeof *groups->words);
    if (groups->words == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t number = 0; number < words->count; number++) {
        Py_ssize_t length = word_length(words, number);
        if (length >= shortest && length >= HALF) {
            const Py_UCS4 *letters = word_letters(words, number);
            groups->words[groups->count++] = (GroupedWord){
                .key = build_key(letters + (at_end ? length - HALF : 0)),
                .number = (int32_t)number,
                .letters = build_letter_bits(letters, length),
                .length = length,
            };
        }
    }
    qsort(groups->words, (size_t)groups->count, sizeof *groups->words, compare_grouped_words);
    return 0;
}

static Py_ssize_t find_group(const WordGroups *groups, uint64_t key) {
    Py_ssize_t low = 0, high = groups->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (groups->words[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int smaller(int one, int other) {
    return one < other ? one : other;
}

/* Whether the optimal string alignment distance of two words is at most MAX_TYPOS: letters are replaced, dropped, added, or swapped
 * with the next one, and no letter is changed twice. Only the diagonals that can have such a distance are computed. */
static int is_near(const Py_UCS4 *one, Py_ssize_t length, const Py_UCS4 *other, Py_ssize_t other_length) {
    enum { WIDTH = 2 * MAX_TYPOS + 1, FAR = MAX_TYPOS + 1 };
    if (length - other_length > MAX_TYPOS || other_length - length > MAX_TYPOS) {
        return 0;
    }
    /* The rows of `at - 2`, `at - 1` and `at` letters of `one`; column `c` has `at + c - MAX_TYPOS` letters of `other`. */
    int rows[3][WIDTH];
    int *before = rows[0], *previous = rows[1], *current = rows[2];
    for (int column = 0; column < WIDTH; column++) {
        before[column] = FAR;
        previous[column] = column >= MAX_TYPOS ? column - MAX_TYPOS : FAR;
    }
    for (Py_ssize_t at = 1; at <= length; at++) {
        int least = FAR;
        for (int column = 0; column < WIDTH; column++) {
            Py_ssize_t other_at = at + column - MAX_TYPOS;
            int distance = FAR;
            if (other_at == 0) {
                distance = at < FAR ? (int)at : FAR;
            } else if (other_at > 0 && other_at <= other_length) {
                distance = previous[column] + (one[at - 1] != other[other_at - 1]);
                if (column + 1 < WIDTH) {
                    distance = smaller(distance, previous[column + 1] + 1);
                }
                if (column > 0) {
                    distance = smaller(distance, current[column - 1] + 1);
                }
                if (at > 1 && other_at > 1 && one[at - 1] == other[other_at - 2] && one[at - 2] == other[other_at - 1]) {
                    distance = smaller(distance, before[column] + 1);
                }
                distance = smaller(distance, FAR);
            }
            current[column] = distance;
            least = smaller(least, distance);
        }
        /* A swap reaches back two rows, so that both must be too far. */
        if (least == FAR && at > 1) {
            int least_before = FAR;
            for (int column = 0; column < WIDTH; column++) {
                least_before = smaller(least_before, previous[column]);
            }
            if (least_before == FAR) {
                return 0;
            }
        }
        int *oldest = before;
        before = previous;
        previous = current;
        current = oldest;
    }
    return previous[other_length - length + MAX_TYPOS] <= MAX_TYPOS;
}

static int collect_group(const WordHalfIndex *index, const WordGroups *groups, uint64_t key, const SearchedWord *word,
                         int only_near, NumberList *found) {
    uint32_t bits = build_letter_bits(word->letters, word->length);
    for (Py_ssize_t at = find_group(groups, key); at < groups->count && groups->words[at].key == key; at++) {
        const GroupedWord *other = &groups->words[at];
        /* A typo changes at most two letters: one that is lost, and one that is new. */
        int may_be_near = count_bits(bits ^ other->letters) <= 2 * MAX_TYPOS;
        const Py_UCS4 *letters = word_letters(&index->words, other->number);
        int is_found = !only_near || (may_be_near && is_near(word->letters, word->length, letters, other->length));
        if (is_found && number_list_add(found, other->number) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *find_words(const WordHalfIndex *index, PyObject *text, int only_near) {
    SearchedWord word;
    if (searched_word_read(&word, text) < 0) {
        return NULL;
    }
    NumberList found = {0};
    int failed = 0;
    if (word.length >= HALF) {
        uint64_t beginning = build_key(word.letters), end = build_key(word.letters + word.length - HALF);
        failed = collect_group(index, &index->beginnings, beginning, &word, only_near, &found) < 0 ||
                 collect_group(index, &index->ends, end, &word, only_near, &found) < 0;
    }
    searched_word_free(&word);
    if (failed) {
        free(found.numbers);
        return PyErr_NoMemory();
    }
    return number_list_take(&found);
}

static PyObject *word_half_index_find(PyObject *self, PyObject *text) {
    return find_words((WordHalfIndex *)self, text, 0);
}

static PyObject *word_half_index_find_near(PyObject *self, PyObject *text) {
    return find_words((WordHalfIndex *)self, text, 1);
}

/* Whether a word is indexed and begins or ends as this one. */
static int has_equal_half(const WordHalfIndex *index, Py_ssize_t number, const SearchedWord *word) {
    Py_ssize_t length = word_length(&index->words, number);
    if (length < index->shortest || length < HALF || word->length < HALF) {
        return 0;
    }
    const Py_UCS4 *letters = word_letters(&index->words, number);
    return build_key(letters) == build_key(word->letters) ||
           build_key(letters + length - HALF) == build_key(word->letters + word->length - HALF);
}

static PyObject *word_half_index_select(PyObject *self, PyObject *args) {
    const WordHalfIndex *index = (WordHalfIndex *)self;
    PyObject *text, *numbers;
    if (!PyArg_ParseTuple(args, "OO", &text, &numbers)) {
        return NULL;
    }
    SearchedWord word;
    Py_ssize_t count = PyList_Size(numbers);
    if (count < 0 || searched_word_read(&word, text) < 0) {
        return NULL;
    }
    NumberList found = {0};
    int failed = 0;
    for (Py_ssize_t place = 0; place < count && !failed; place++) {
        PyObject *item = PyList_GetItem(numbers, place);
        long number = item == NULL ? -1 : PyLong_AsLong(item);
        if (number < 0 || number >= index->words.count) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "no such word");
            }
            failed = 1;
        } else if (has_equal_half(index, number, &word) && number_list_add(&found, (int32_t)number) < 0) {
            PyErr_NoMemory();
            failed = 1;
        }
    }
    searched_word_free(&word);
    if (failed) {
        free(found.numbers);
        return NULL;
    }
    return number_list_take(&found);
}

static PyObject *word_half_index_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"words", "shortest", NULL};
    PyObject *words;
    Py_ssize_t shortest;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "On", names, &words, &shortest)) {
        return NULL;
    }
    WordHalfIndex *index = (WordHalfIndex *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (index == NULL) {
        return NULL;
    }
    index->shortest = shortest;
    if (word_table_read(&index->words, words) < 0 || group_words(&index->beginnings, &index->words, shortest, 0) < 0 ||
        group_words(&index->ends, &index->words, shortest, 1) < 0) {
        Py_DECREF(index);
        return NULL;
    }
    return (PyObject *)index;
}

static void word_half_index_dealloc(PyObject *self) {
    WordHalfIndex *index = (WordHalfIndex *)self;
    PyTypeObject *type = Py_TYPE(self);
    word_table_free(&index->words);
    free(index->beginnings.words);
    free(index->ends.words);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"find", word_half_index_find, METH_O, PyDoc_STR("The numbers of the words that begin or end as this word, some repeatedly.")},
    {"find_near", word_half_index_find_near, METH_O, PyDoc_STR("As `find`, only those with up to two typos.")},
    {"select", word_half_index_select, METH_VARARGS, PyDoc_STR("Those of these words that `find` returns.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Words of at least `shortest` letters by their first and by their last three letters.")},
    {Py_tp_new, word_half_index_new},
    {Py_tp_dealloc, word_half_index_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec word_half_index_spec = {
    .name = "bonafide.native._comparison.WordHalfIndex",
    .basicsize = sizeof(WordHalfIndex),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
