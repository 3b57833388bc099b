/* The types of the extension module. */
#ifndef BONAFIDE_SEARCH_MODULE_H
#define BONAFIDE_SEARCH_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "field.h"
#include "query.h"

typedef struct {
    PyObject *query_type;
} ModuleState;

typedef struct {
    PyObject_HEAD
    Query query;
    /* The memory of the slots and their texts. */
    Scratch scratch;
} QueryObject;

extern PyType_Spec field_spec;
extern PyType_Spec query_spec;

/* Raise the exception of a status other than SEARCH_DONE. */
void raise_status(SearchStatus status);

#endif
