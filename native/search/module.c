/* The extension module `bonafide.native._search`: the search of one field's arrays. */
#include "module.h"

#include "hashing.h"

void raise_status(SearchStatus status) {
    if (status == SEARCH_NO_MEMORY) {
        PyErr_NoMemory();
    } else {
        PyErr_SetString(PyExc_IndexError, "the arrays of the index contradict each other");
    }
}

/* Add a type to the module. Returns a new reference, or NULL with an exception. */
static PyObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type != NULL && PyModule_AddType(module, (PyTypeObject *)type) < 0) {
        Py_DecRef(type);
        return NULL;
    }
    return type;
}

static int execute_module(PyObject *module) {
    init_hashing();
    ModuleState *state = PyModule_GetState(module);
    state->query_type = add_type(module, &query_spec);
    if (state->query_type == NULL) {
        return -1;
    }
    PyObject *field_type = add_type(module, &field_spec);
    Py_XDECREF(field_type);
    return field_type == NULL ? -1 : 0;
}

static int traverse_module(PyObject *module, visitproc visit, void *arg) {
    ModuleState *state = PyModule_GetState(module);
    Py_VISIT(state->query_type);
    return 0;
}

static int clear_module(PyObject *module) {
    ModuleState *state = PyModule_GetState(module);
    Py_CLEAR(state->query_type);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute_module},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "bonafide.native._search",
    .m_doc = "The search of the arrays of an index.",
    .m_size = sizeof(ModuleState),
    .m_slots = slots,
    .m_traverse = traverse_module,
    .m_clear = clear_module,
};

PyMODINIT_FUNC PyInit__search(void) {
    return PyModuleDef_Init(&definition);
}
