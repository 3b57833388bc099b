/* `Query(slots, digits)`: the prepared words of a query. */
#include "module.h"

#include <string.h>

/* One slot's texts; the references are borrowed. */
typedef struct {
    Text word;
    Text read;
    PyObject *equivalents;
    PyObject *corrections;
    int is_form;
} SlotArguments;

static int parse_slot(PyObject *slot, SlotArguments *parsed) {
    Py_ssize_t word_size, read_size;
    const char *word, *read;
    if (!PyTuple_Check(slot)) {
        PyErr_SetString(PyExc_TypeError, "a slot is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(slot, "s#s#OOp", &word, &word_size, &read, &read_size, &parsed->equivalents, &parsed->corrections,
                          &parsed->is_form)) {
        return -1;
    }
    if (!PyTuple_Check(parsed->equivalents) || !PyTuple_Check(parsed->corrections)) {
        PyErr_SetString(PyExc_TypeError, "the spellings of a slot are tuples");
        return -1;
    }
    parsed->word = (Text){(const uint8_t *)word, (size_t)word_size};
    parsed->read = (Text){(const uint8_t *)read, (size_t)read_size};
    return 0;
}

/* Copy texts from a tuple. */
static int copy_texts(Scratch *scratch, PyObject *texts, TextList *list) {
    Py_ssize_t count = PyTuple_Size(texts);
    if (count < 0) {
        return -1;
    }
    list->texts = scratch_array(scratch, (size_t)count, sizeof *list->texts);
    for (Py_ssize_t place = 0; place < count; place++) {
        Py_ssize_t size;
        const char *bytes = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(texts, place), &size);
        if (bytes == NULL) {
            return -1;
        }
        uint8_t *copy = scratch_array(scratch, (size_t)size + 1, 1);
        memcpy(copy, bytes, (size_t)size);
        list->texts[list->count++] = (Text){copy, (size_t)size};
    }
    return 0;
}

static int fill_slot(Scratch *scratch, PyObject *slot, Slot *filled, const uint32_t *digits, size_t digit_count) {
    SlotArguments parsed;
    if (parse_slot(slot, &parsed) < 0) {
        return -1;
    }
    if (!read_word(&filled->word, parsed.word, digits, digit_count) ||
        !read_word(&filled->read, parsed.read, digits, digit_count)) {
        PyErr_Format(PyExc_ValueError, "a word of a query has at most %d characters", MAX_WORD_CODES);
        return -1;
    }
    filled->is_form = parsed.is_form != 0;
    if (copy_texts(scratch, parsed.equivalents, &filled->equivalents) < 0) {
        return -1;
    }
    return copy_texts(scratch, parsed.corrections, &filled->corrections);
}

/* Fill a query from a tuple of slots. It owns no references, so that a lack of memory may end it anywhere. */
static int fill_query(QueryObject *self, PyObject *slots, const uint32_t *digits, size_t digit_count) {
    if (setjmp(self->scratch.failed) != 0) {
        raise_status(self->scratch.status);
        return -1;
    }
    Py_ssize_t count = PyTuple_Size(slots);
    self->query.slots = scratch_zeros(&self->scratch, (size_t)count, sizeof *self->query.slots);
    for (Py_ssize_t place = 0; place < count; place++) {
        if (fill_slot(&self->scratch, PyTuple_GetItem(slots, place), &self->query.slots[place], digits, digit_count) < 0) {
            return -1;
        }
        self->query.slot_count++;
    }
    return 0;
}

static PyObject *create_query(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"slots", "digits", NULL};
    PyObject *slots;
    const char *digits;
    Py_ssize_t digit_bytes;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O!y#", keywords, &PyTuple_Type, &slots, &digits, &digit_bytes)) {
        return NULL;
    }
    if (PyTuple_Size(slots) < 1 || PyTuple_Size(slots) > MAX_SLOTS) {
        return PyErr_Format(PyExc_ValueError, "a query has 1 to %d words", MAX_SLOTS);
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    QueryObject *self = (QueryObject *)allocate(type, 0);
    if (self == NULL) {
        return NULL;
    }
    if (fill_query(self, slots, (const uint32_t *)(const void *)digits, (size_t)digit_bytes / sizeof(uint32_t)) < 0) {
        Py_DecRef((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

static void free_query(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    scratch_release(&((QueryObject *)object)->scratch);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DecRef((PyObject *)type);
}

static PyType_Slot query_slots[] = {
    {Py_tp_doc, "The prepared words of a query, for the searches of all segments."},
    {Py_tp_new, create_query},
    {Py_tp_dealloc, free_query},
    {0, NULL},
};

PyType_Spec query_spec = {
    .name = "bonafide.native._search.Query",
    .basicsize = sizeof(QueryObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = query_slots,
};
