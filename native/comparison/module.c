/* The extension module `bonafide.native._comparison`. */
#include <Python.h>

#include "comparison_types.h"

static int add_types(PyObject *module) {
    PyType_Spec *specs[] = {&omitted_letter_index_spec, &word_half_index_spec, &name_estimator_spec};
    for (size_t place = 0; place < sizeof specs / sizeof *specs; place++) {
        PyObject *type = PyType_FromModuleAndSpec(module, specs[place], NULL);
        if (type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0) {
            Py_XDECREF(type);
            return -1;
        }
        Py_DECREF(type);
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_types},
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "bonafide.native._comparison",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__comparison(void) {
    return PyModuleDef_Init(&module);
}
