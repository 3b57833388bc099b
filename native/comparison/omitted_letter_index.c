/* Words by their forms with one letter omitted: two words that differ in one letter share such a form. */
#include "comparison_types.h"
#include "word_table.h"

#include <stdlib.h>
#include <string.h>

/* A form of a word: `omitted` is the position of the letter that it lacks, or the length of the word for the word itself. */
typedef struct {
    uint64_t hash;
    int32_t number;
    int32_t omitted;
} Form;

typedef struct {
    PyObject_HEAD
    WordTable words;
    Form *forms; /* in the order of their hashes */
    Py_ssize_t count;
    Py_ssize_t shortest;
    Py_ssize_t longest; /* of the words that are indexed */
} OmittedLetterIndex;

static uint64_t hash_form(const Py_UCS4 *letters, Py_ssize_t length, Py_ssize_t omitted) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (Py_ssize_t at = 0; at < length; at++) {
        if (at != omitted) {
            hash = (hash ^ letters[at]) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

static int compare_forms(const void *left, const void *right) {
    const Form *one = left, *other = right;
    if (one->hash != other->hash) {
        return one->hash < other->hash ? -1 : 1;
    }
    return (one->number > other->number) - (one->number < other->number);
}

static int is_same_form(const Py_UCS4 *one, Py_ssize_t length, Py_ssize_t omitted, const Py_UCS4 *other, Py_ssize_t other_length,
                        Py_ssize_t other_omitted) {
    Py_ssize_t at = 0, other_at = 0;
    for (;;) {
        at += at == omitted;
        other_at += other_at == other_omitted;
        if (at >= length || other_at >= other_length) {
            return at >= length && other_at >= other_length;
        }
        if (one[at++] != other[other_at++]) {
            return 0;
        }
    }
}

/* The forms of a word: itself, and without each letter. Of equal letters that follow each other, any gives the same form. */
static Py_ssize_t list_forms(const Py_UCS4 *letters, Py_ssize_t length, int32_t number, Form *forms) {
    Py_ssize_t count = 0;
    for (Py_ssize_t omitted = 0; omitted <= length; omitted++) {
        if (omitted > 0 && omitted < length && letters[omitted] == letters[omitted - 1]) {
            continue;
        }
        forms[count++] = (Form){hash_form(letters, length, omitted), number, (int32_t)omitted};
    }
    return count;
}

static Py_ssize_t find_first(const OmittedLetterIndex *index, uint64_t hash) {
    Py_ssize_t low = 0, high = index->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (index->forms[middle].hash < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int index_forms(OmittedLetterIndex *index, Py_ssize_t longest) {
    const WordTable *words = &index->words;
    size_t most = 0;
    for (Py_ssize_t number = 0; number < words->count; number++) {
        Py_ssize_t length = word_length(words, number);
        most += length >= index->shortest && length <= longest ? (size_t)length + 1 : 0;
    }
    index->forms = malloc((most + 1) * sizeof *index->forms);
    if (index->forms == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t number = 0; number < words->count; number++) {
        Py_ssize_t length = word_length(words, number);
        if (length >= index->shortest && length <= longest) {
            index->longest = length > index->longest ? length : index->longest;
            index->count += list_forms(word_letters(words, number), length, (int32_t)number, index->forms + index->count);
        }
    }
    qsort(index->forms, (size_t)index->count, sizeof *index->forms, compare_forms);
    return 0;
}

static PyObject *omitted_letter_index_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"words", "shortest", "longest", NULL};
    PyObject *words;
    Py_ssize_t shortest, longest;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "Onn", names, &words, &shortest, &longest)) {
        return NULL;
    }
    OmittedLetterIndex *index = (OmittedLetterIndex *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (index == NULL) {
        return NULL;
    }
    index->shortest = shortest;
    if (word_table_read(&index->words, words) < 0 || index_forms(index, longest) < 0) {
        Py_DECREF(index);
        return NULL;
    }
    return (PyObject *)index;
}

static void omitted_letter_index_dealloc(PyObject *self) {
    OmittedLetterIndex *index = (OmittedLetterIndex *)self;
    PyTypeObject *type = Py_TYPE(self);
    word_table_free(&index->words);
    free(index->forms);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int add_words_of_form(const OmittedLetterIndex *index, const SearchedWord *word, Py_ssize_t omitted, NumberList *found) {
    uint64_t hash = hash_form(word->letters, word->length, omitted);
    for (Py_ssize_t at = find_first(index, hash); at < index->count && index->forms[at].hash == hash; at++) {
        const Form *form = &index->forms[at];
        const Py_UCS4 *letters = word_letters(&index->words, form->number);
        Py_ssize_t length = word_length(&index->words, form->number);
        if (is_same_form(word->letters, word->length, omitted, letters, length, form->omitted) &&
            number_list_add(found, form->number) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *omitted_letter_index_find(PyObject *self, PyObject *text) {
    const OmittedLetterIndex *index = (OmittedLetterIndex *)self;
    SearchedWord word;
    if (searched_word_read(&word, text) < 0) {
        return NULL;
    }
    NumberList found = {0};
    /* A word with two letters more than the longest one shares no form with it; names may have words of thousands of letters. */
    int may_match = word.length >= index->shortest && word.length <= index->longest + 1;
    int failed = 0;
    for (Py_ssize_t omitted = 0; may_match && omitted <= word.length && !failed; omitted++) {
        failed = add_words_of_form(index, &word, omitted, &found) < 0;
    }
    searched_word_free(&word);
    if (failed) {
        free(found.numbers);
        return PyErr_NoMemory();
    }
    return number_list_take(&found);
}

static PyMethodDef methods[] = {
    {"find", omitted_letter_index_find, METH_O,
     PyDoc_STR("The numbers of the words that share a form with this word, some repeatedly.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Words of `shortest` to `longest` letters by their forms with one letter omitted.")},
    {Py_tp_new, omitted_letter_index_new},
    {Py_tp_dealloc, omitted_letter_index_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec omitted_letter_index_spec = {
    .name = "bonafide.native._comparison.OmittedLetterIndex",
    .basicsize = sizeof(OmittedLetterIndex),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
