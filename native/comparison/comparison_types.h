/* The types of the module, one for each source file. */
#ifndef BONAFIDE_COMPARISON_TYPES_H
#define BONAFIDE_COMPARISON_TYPES_H

#include <Python.h>

extern PyType_Spec omitted_letter_index_spec;
extern PyType_Spec word_half_index_spec;
extern PyType_Spec name_estimator_spec;

#endif
