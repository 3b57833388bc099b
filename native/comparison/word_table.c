#include "word_table.h"

#include <stdlib.h>

/* The length of each word as offsets. The sequence must be a list or tuple, of which the caller has a reference. */
static int read_starts(WordTable *table, PyObject *words) {
    Py_ssize_t total = 0;
    for (Py_ssize_t number = 0; number < table->count; number++) {
        PyObject *word = PySequence_GetItem(words, number);
        if (word == NULL) {
            return -1;
        }
        Py_ssize_t length = PyUnicode_Check(word) ? PyUnicode_GetLength(word) : -1;
        Py_DECREF(word);
        if (length < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_TypeError, "words must be str");
            }
            return -1;
        }
        table->starts[number] = total;
        total += length;
    }
    table->starts[table->count] = total;
    return 0;
}

static int read_letters(WordTable *table, PyObject *words) {
    for (Py_ssize_t number = 0; number < table->count; number++) {
        Py_ssize_t length = word_length(table, number);
        PyObject *word = PySequence_GetItem(words, number);
        if (word == NULL) {
            return -1;
        }
        /* The sequence may have changed since its words were counted. */
        int is_same = PyUnicode_Check(word) && PyUnicode_GetLength(word) == length;
        if (is_same && length > 0) {
            is_same = PyUnicode_AsUCS4(word, table->letters + table->starts[number], length, 0) != NULL;
        }
        Py_DECREF(word);
        if (!is_same) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_RuntimeError, "words changed while they were read");
            }
            return -1;
        }
    }
    return 0;
}

int word_table_read(WordTable *table, PyObject *words) {
    *table = (WordTable){0};
    Py_ssize_t count = PySequence_Size(words);
    if (count < 0) {
        return -1;
    }
    if (count > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "too many words");
        return -1;
    }
    table->count = count;
    table->starts = malloc(((size_t)count + 1) * sizeof *table->starts);
    if (table->starts == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    if (read_starts(table, words) < 0) {
        goto failed;
    }
    table->letters = malloc((size_t)(table->starts[count] + 1) * sizeof *table->letters);
    if (table->letters == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    if (read_letters(table, words) < 0) {
        goto failed;
    }
    return 0;
failed:
    word_table_free(table);
    return -1;
}

void word_table_free(WordTable *table) {
    free(table->letters);
    free(table->starts);
    *table = (WordTable){0};
}

int searched_word_read(SearchedWord *word, PyObject *text) {
    word->allocated = NULL;
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a word must be a str");
        return -1;
    }
    word->length = PyUnicode_GetLength(text);
    if (word->length < 0) {
        return -1;
    }
    Py_UCS4 *letters = word->own;
    if ((size_t)word->length > sizeof word->own / sizeof *word->own) {
        letters = word->allocated = malloc((size_t)word->length * sizeof *letters);
        if (letters == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    word->letters = letters;
    if (word->length > 0 && PyUnicode_AsUCS4(text, letters, word->length, 0) == NULL) {
        searched_word_free(word);
        return -1;
    }
    return 0;
}

void searched_word_free(SearchedWord *word) {
    free(word->allocated);
    word->allocated = NULL;
}

int number_list_add(NumberList *list, int32_t number) {
    if (list->count == list->capacity) {
        Py_ssize_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        int32_t *numbers = realloc(list->numbers, (size_t)capacity * sizeof *numbers);
        if (numbers == NULL) {
            return -1;
        }
        list->numbers = numbers;
        list->capacity = capacity;
    }
    list->numbers[list->count++] = number;
    return 0;
}

PyObject *number_list_take(NumberList *list) {
    PyObject *taken = PyList_New(list->count);
    for (Py_ssize_t place = 0; taken != NULL && place < list->count; place++) {
        PyObject *number = PyLong_FromLong(list->numbers[place]);
        if (number == NULL || PyList_SetItem(taken, place, number) < 0) {
            Py_CLEAR(taken);
        }
    }
    free(list->numbers);
    *list = (NumberList){0};
    return taken;
}
