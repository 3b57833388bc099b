/* The words of a vocabulary as code points, in one block, numbered in their order. */
#ifndef BONAFIDE_WORD_TABLE_H
#define BONAFIDE_WORD_TABLE_H

#include <Python.h>

#include <stdint.h>

typedef struct {
    Py_ssize_t count;
    Py_UCS4 *letters;   /* of all words, one after the other */
    Py_ssize_t *starts; /* `count` + 1 offsets into `letters` */
} WordTable;

/* Letters of a word that is searched. Words that fit into `own` need no allocation. */
typedef struct {
    const Py_UCS4 *letters;
    Py_ssize_t length;
    Py_UCS4 *allocated;
    Py_UCS4 own[64];
} SearchedWord;

/* Numbers that are found, in a block that grows. */
typedef struct {
    int32_t *numbers;
    Py_ssize_t count;
    Py_ssize_t capacity;
} NumberList;

/* Reads a list or tuple of str. Returns -1 with a Python exception on failure; the table is then empty. */
int word_table_read(WordTable *table, PyObject *words);
void word_table_free(WordTable *table);

/* Reads a str, which the caller frees with `searched_word_free`. Returns -1 with a Python exception on failure. */
int searched_word_read(SearchedWord *word, PyObject *text);
void searched_word_free(SearchedWord *word);

/* Adds a number. Returns -1 without an exception if memory is exhausted, because callers may not hold the GIL. */
int number_list_add(NumberList *list, int32_t number);
/* The numbers as a Python list of int; frees the block in any case. */
PyObject *number_list_take(NumberList *list);

static inline const Py_UCS4 *word_letters(const WordTable *table, Py_ssize_t number) {
    return table->letters + table->starts[number];
}

static inline Py_ssize_t word_length(const WordTable *table, Py_ssize_t number) {
    return table->starts[number + 1] - table->starts[number];
}

#endif
