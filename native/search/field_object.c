/* `Field(arrays, rarest_weight, digits)`: the arrays of one opened field. */
#include "module.h"

#include <string.h>

#include "expansion.h"
#include "ranking.h"

/* The arrays that a search reads, in the order of `ARRAYS`. */
enum {
    TOKEN_BYTES,
    TOKEN_OFFSETS,
    TOKEN_HEADS,
    TOKEN_LENGTHS,
    TOKEN_LETTERS,
    TOKEN_WEIGHTS,
    TOKEN_STARTS,
    TOKEN_MARKS,
    TOKEN_IDS,
    DELETION_STARTS,
    DELETION_MARKS,
    DELETION_IDS,
    POSTING_OFFSETS,
    POSTING_NAMES,
    FREQUENT_TOKENS,
    FREQUENT_BITS,
    NAME_OFFSETS,
    NAME_TOKENS,
    NAME_DOCUMENTS,
    NAME_WEIGHTS,
    DOCUMENT_ACTIVE,
    TYPED_BYTES,
    TYPED_STARTS,
    TYPED_LENGTHS,
    DIGITS,
    ARRAY_COUNT,
};

typedef struct {
    const char *name;
    /* The bytes of an item, 0 for those of `typed_starts`, which are 4 or 8; and whether items are signed. */
    Py_ssize_t item_size;
    bool is_signed;
    int dimensions;
} ArraySpec;

static const ArraySpec ARRAYS[ARRAY_COUNT] = {
    [TOKEN_BYTES] = {"token_bytes", 1, false, 1},
    [TOKEN_OFFSETS] = {"token_offsets", 8, true, 1},
    [TOKEN_HEADS] = {"token_heads", 8, false, 1},
    [TOKEN_LENGTHS] = {"token_lengths", 1, false, 1},
    [TOKEN_LETTERS] = {"token_letters", 4, false, 1},
    [TOKEN_WEIGHTS] = {"token_weights", 2, false, 1},
    [TOKEN_STARTS] = {"token_starts", 4, false, 1},
    [TOKEN_MARKS] = {"token_marks", 1, false, 1},
    [TOKEN_IDS] = {"token_ids", 4, false, 1},
    [DELETION_STARTS] = {"deletion_starts", 4, false, 1},
    [DELETION_MARKS] = {"deletion_marks", 1, false, 1},
    [DELETION_IDS] = {"deletion_ids", 4, false, 1},
    [POSTING_OFFSETS] = {"posting_offsets", 8, true, 1},
    [POSTING_NAMES] = {"posting_names", 4, false, 1},
    [FREQUENT_TOKENS] = {"frequent_tokens", 4, false, 1},
    [FREQUENT_BITS] = {"frequent_bits", 1, false, 2},
    [NAME_OFFSETS] = {"name_offsets", 8, true, 1},
    [NAME_TOKENS] = {"name_tokens", 4, false, 1},
    [NAME_DOCUMENTS] = {"name_documents", 4, false, 1},
    [NAME_WEIGHTS] = {"name_weights", 4, false, 1},
    [DOCUMENT_ACTIVE] = {"document_active", 1, false, 1},
    [TYPED_BYTES] = {"typed_bytes", 1, false, 1},
    [TYPED_STARTS] = {"typed_starts", 0, false, 1},
    [TYPED_LENGTHS] = {"typed_lengths", 2, false, 1},
    [DIGITS] = {"digits", 4, false, 1},
};

typedef struct {
    PyObject_HEAD
    Field field;
    Py_buffer buffers[ARRAY_COUNT];
    int buffer_count;
} FieldObject;

/* ------------------------------------------------------------------------------------------------------------ opened arrays */

/* Whether a buffer has whole numbers of a size and sign, in the order of bytes of this machine. */
static bool has_items(const Py_buffer *buffer, Py_ssize_t size, bool is_signed) {
    const char *format = buffer->format == NULL ? "B" : buffer->format;
    format += strchr("@=", format[0]) != NULL && format[0] != '\0';
    bool right_sign = strchr(is_signed ? "bhilq" : "BHILQ", format[0]) != NULL && format[0] != '\0' && format[1] == '\0';
    bool right_size = size == 0 ? buffer->itemsize == 4 || buffer->itemsize == 8 : buffer->itemsize == size;
    return right_sign && right_size;
}

/* Read an array from its owner into the next buffer. */
static int open_array(FieldObject *self, PyObject *array) {
    const ArraySpec *spec = &ARRAYS[self->buffer_count];
    Py_buffer *buffer = &self->buffers[self->buffer_count];
    if (PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        return -1;
    }
    self->buffer_count++;
    /* Bitsets are read as 64-bit words. */
    size_t alignment = spec->dimensions == 2 ? sizeof(uint64_t) : (size_t)buffer->itemsize;
    if (!has_items(buffer, spec->item_size, spec->is_signed) || buffer->ndim != spec->dimensions ||
        (buffer->len > 0 && (uintptr_t)buffer->buf % alignment != 0)) {
        PyErr_Format(PyExc_ValueError, "%s has items of another type", spec->name);
        return -1;
    }
    return 0;
}

static int open_arrays(FieldObject *self, PyObject *arrays, PyObject *digits) {
    while (self->buffer_count < ARRAY_COUNT) {
        PyObject *array = digits;
        if (self->buffer_count != DIGITS) {
            array = PyDict_GetItemString(arrays, ARRAYS[self->buffer_count].name);
        }
        if (array == NULL) {
            PyErr_Format(PyExc_ValueError, "%s is missing", ARRAYS[self->buffer_count].name);
            return -1;
        }
        if (open_array(self, array) < 0) {
            return -1;
        }
    }
    return 0;
}

static size_t length_of(const FieldObject *self, int array) {
    return (size_t)(self->buffers[array].len / self->buffers[array].itemsize);
}

/* Whether an array has as many items as it must; raises if not. */
static bool has_length(const FieldObject *self, int array, size_t length) {
    if (length_of(self, array) == length) {
        return true;
    }
    PyErr_Format(PyExc_ValueError, "%s has %zu items instead of %zu", ARRAYS[array].name, length_of(self, array), length);
    return false;
}

static int open_table(const FieldObject *self, int starts, HashTable *table) {
    size_t buckets = length_of(self, starts) - 1;
    if (length_of(self, starts) < 2 || (buckets & (buckets - 1)) != 0 || length_of(self, starts + 1) >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s has a wrong length", ARRAYS[starts].name);
        return -1;
    }
    if (!has_length(self, starts + 2, length_of(self, starts + 1))) {
        return -1;
    }
    unsigned bits = 0;
    while (buckets >> bits > 1) {
        bits++;
    }
    *table = (HashTable){
        .starts = self->buffers[starts].buf,
        .marks = self->buffers[starts + 1].buf,
        .ids = self->buffers[starts + 2].buf,
        .entry_count = length_of(self, starts + 1),
        .shift = 64 - bits - 8,
    };
    return 0;
}

static int check_lengths(const FieldObject *self) {
    size_t words = length_of(self, TOKEN_HEADS), names = length_of(self, NAME_DOCUMENTS);
    if (words >= UINT32_MAX || names >= UINT32_MAX || length_of(self, DOCUMENT_ACTIVE) >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "a field has fewer than 2**32 words, names and documents");
        return -1;
    }
    const int of_words[] = {TOKEN_LENGTHS, TOKEN_LETTERS, TOKEN_WEIGHTS};
    for (size_t place = 0; place < sizeof of_words / sizeof *of_words; place++) {
        if (!has_length(self, of_words[place], words)) {
            return -1;
        }
    }
    const int of_names[] = {NAME_WEIGHTS, TYPED_STARTS, TYPED_LENGTHS};
    for (size_t place = 0; place < sizeof of_names / sizeof *of_names; place++) {
        if (!has_length(self, of_names[place], names)) {
            return -1;
        }
    }
    if (!has_length(self, TOKEN_OFFSETS, words + 1) || !has_length(self, POSTING_OFFSETS, words + 1) ||
        !has_length(self, NAME_OFFSETS, names + 1)) {
        return -1;
    }
    const Py_ssize_t *shape = self->buffers[FREQUENT_BITS].shape;
    if ((size_t)shape[0] != length_of(self, FREQUENT_TOKENS) || shape[1] % 8 != 0 || (size_t)shape[1] < (names + 63) / 64 * 8) {
        PyErr_SetString(PyExc_ValueError, "frequent_bits has a wrong shape");
        return -1;
    }
    return 0;
}

static int fill_field(FieldObject *self, Py_ssize_t rarest_weight) {
    const Py_buffer *buffers = self->buffers;
    Field *field = &self->field;
    if (check_lengths(self) < 0 || open_table(self, TOKEN_STARTS, &field->words) < 0 ||
        open_table(self, DELETION_STARTS, &field->deletions) < 0) {
        return -1;
    }
    field->word_count = (uint32_t)length_of(self, TOKEN_HEADS);
    field->word_bytes = buffers[TOKEN_BYTES].buf;
    field->word_byte_count = length_of(self, TOKEN_BYTES);
    field->word_offsets = buffers[TOKEN_OFFSETS].buf;
    field->word_heads = buffers[TOKEN_HEADS].buf;
    field->word_lengths = buffers[TOKEN_LENGTHS].buf;
    field->word_letters = buffers[TOKEN_LETTERS].buf;
    field->word_weights = buffers[TOKEN_WEIGHTS].buf;
    field->rarest_weight = rarest_weight;
    field->posting_offsets = buffers[POSTING_OFFSETS].buf;
    field->posting_names = buffers[POSTING_NAMES].buf;
    field->posting_count = length_of(self, POSTING_NAMES);
    field->frequent_tokens = buffers[FREQUENT_TOKENS].buf;
    field->frequent_count = length_of(self, FREQUENT_TOKENS);
    field->frequent_bits = buffers[FREQUENT_BITS].buf;
    field->bitset_words = (size_t)buffers[FREQUENT_BITS].shape[1] / sizeof(uint64_t);
    field->name_count = (uint32_t)length_of(self, NAME_DOCUMENTS);
    field->name_offsets = buffers[NAME_OFFSETS].buf;
    field->name_tokens = buffers[NAME_TOKENS].buf;
    field->name_token_count = length_of(self, NAME_TOKENS);
    field->name_documents = buffers[NAME_DOCUMENTS].buf;
    field->name_weights = buffers[NAME_WEIGHTS].buf;
    field->document_count = (uint32_t)length_of(self, DOCUMENT_ACTIVE);
    field->document_active = buffers[DOCUMENT_ACTIVE].buf;
    field->typed_bytes = buffers[TYPED_BYTES].buf;
    field->typed_byte_count = length_of(self, TYPED_BYTES);
    field->typed_starts = buffers[TYPED_STARTS].itemsize == 4 ? buffers[TYPED_STARTS].buf : NULL;
    field->typed_wide_starts = buffers[TYPED_STARTS].itemsize == 8 ? buffers[TYPED_STARTS].buf : NULL;
    field->typed_lengths = buffers[TYPED_LENGTHS].buf;
    field->digits = buffers[DIGITS].buf;
    field->digit_count = length_of(self, DIGITS);
    return 0;
}

static PyObject *create_field(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"arrays", "rarest_weight", "digits", NULL};
    PyObject *arrays, *digits;
    Py_ssize_t rarest_weight;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O!nO", keywords, &PyDict_Type, &arrays, &rarest_weight, &digits)) {
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    FieldObject *self = (FieldObject *)allocate(type, 0);
    if (self == NULL) {
        return NULL;
    }
    if (open_arrays(self, arrays, digits) < 0 || fill_field(self, rarest_weight) < 0) {
        Py_DecRef((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

static void free_field(PyObject *object) {
    FieldObject *self = (FieldObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    while (self->buffer_count > 0) {
        PyBuffer_Release(&self->buffers[--self->buffer_count]);
    }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DecRef((PyObject *)type);
}

/* ----------------------------------------------------------------------------------------------------------------- searches */

/* The buffers of a document filter: facets, allowed facets and replaced documents. */
typedef struct {
    Py_buffer buffers[3];
    bool is_open[3];
} FilterBuffers;

static void close_filter(FilterBuffers *filter) {
    for (size_t place = 0; place < 3; place++) {
        if (filter->is_open[place]) {
            PyBuffer_Release(&filter->buffers[place]);
        }
    }
}

static int open_filter_array(FilterBuffers *filter, size_t place, PyObject *array, Py_ssize_t item_size, const char *name) {
    if (PyObject_GetBuffer(array, &filter->buffers[place], PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        return -1;
    }
    filter->is_open[place] = true;
    const Py_buffer *buffer = &filter->buffers[place];
    if (buffer->itemsize != item_size || buffer->ndim != 1 || (uintptr_t)buffer->buf % (size_t)item_size != 0) {
        PyErr_Format(PyExc_ValueError, "%s has items of another type", name);
        return -1;
    }
    return 0;
}

static int require_documents(const Field *field, const Py_buffer *buffer, const char *name) {
    if ((size_t)(buffer->len / buffer->itemsize) < field->document_count) {
        PyErr_Format(PyExc_ValueError, "%s has fewer items than there are documents", name);
        return -1;
    }
    return 0;
}

/* Open the arrays of a filter; `allowed` and `dead` may be None. */
static int open_filter(FilterBuffers *filter, const Field *field, PyObject *const arrays[3], Admission *admission) {
    const Py_buffer *buffers = filter->buffers;
    if (arrays[1] != Py_None) {
        if (open_filter_array(filter, 0, arrays[0], sizeof(uint16_t), "facets") < 0 ||
            open_filter_array(filter, 1, arrays[1], 1, "allowed") < 0 || require_documents(field, &buffers[0], "facets") < 0) {
            return -1;
        }
        admission->facets = buffers[0].buf;
        admission->allowed = buffers[1].buf;
        admission->allowed_count = (size_t)buffers[1].len;
    }
    if (arrays[2] != Py_None) {
        if (open_filter_array(filter, 2, arrays[2], 1, "dead") < 0 || require_documents(field, &buffers[2], "dead") < 0) {
            return -1;
        }
        admission->dead = buffers[2].buf;
    }
    return 0;
}

/* Search without the interpreter. The hits are in the scratch memory. */
static Hits run_search(Search *search, const Request *request) {
    if (setjmp(search->scratch.failed) != 0) {
        return (Hits){NULL, 0};
    }
    return search_field(search, request);
}

static PyObject *list_hits(const Hits *hits) {
    PyObject *list = PyList_New((Py_ssize_t)hits->count);
    for (size_t place = 0; list != NULL && place < hits->count; place++) {
        const Hit *hit = &hits->hits[place];
        PyObject *item = Py_BuildValue("IdN", (unsigned int)hit->document, hit->score, PyBool_FromLong(hit->is_active));
        if (item == NULL) {
            Py_DecRef(list);
            return NULL;
        }
        PyList_SetItem(list, (Py_ssize_t)place, item);
    }
    return list;
}

/* The query of an argument, or NULL with an exception. */
static const Query *find_query(PyObject *self, PyObject *argument) {
    const ModuleState *state = PyType_GetModuleState(Py_TYPE(self));
    if (state == NULL) {
        return NULL;
    }
    if (Py_TYPE(argument) != (PyTypeObject *)state->query_type) {
        PyErr_SetString(PyExc_TypeError, "a query is needed");
        return NULL;
    }
    return &((QueryObject *)argument)->query;
}

static PyObject *search(PyObject *self, PyObject *arguments) {
    PyObject *query, *filter_arrays[3];
    Request request;
    const char *typed;
    Py_ssize_t typed_size, limit;
    if (!PyArg_ParseTuple(arguments, "Os#nddOOO:search", &query, &typed, &typed_size, &limit, &request.best, &request.floor,
                          &filter_arrays[0], &filter_arrays[1], &filter_arrays[2])) {
        return NULL;
    }
    Search search = {.field = &((FieldObject *)self)->field, .query = find_query(self, query)};
    if (search.query == NULL) {
        return NULL;
    }
    if (limit < 1 || limit > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "limit is at least 1");
        return NULL;
    }
    request.typed = (Text){(const uint8_t *)typed, (size_t)typed_size};
    request.limit = (size_t)limit;
    FilterBuffers filter = {.is_open = {false}};
    PyObject *list = NULL;
    if (open_filter(&filter, search.field, filter_arrays, &search.admission) == 0) {
        Hits hits;
        Py_BEGIN_ALLOW_THREADS
        hits = run_search(&search, &request);
        Py_END_ALLOW_THREADS
        if (search.scratch.status == SEARCH_DONE) {
            list = list_hits(&hits);
        } else {
            raise_status(search.scratch.status);
        }
        scratch_release(&search.scratch);
    }
    close_filter(&filter);
    return list;
}

static bool run_find_known_words(Search *search, KnownWords *known) {
    if (setjmp(search->scratch.failed) != 0) {
        return false;
    }
    find_known_words(search, known);
    return true;
}

static PyObject *find_unknown_words(PyObject *self, PyObject *argument) {
    Search search = {.field = &((FieldObject *)self)->field, .query = find_query(self, argument)};
    if (search.query == NULL) {
        return NULL;
    }
    KnownWords known;
    bool is_done = run_find_known_words(&search, &known);
    scratch_release(&search.scratch);
    if (!is_done) {
        raise_status(search.scratch.status);
        return NULL;
    }
    unsigned long long unknown = 0;
    for (uint32_t slot = 0; slot < search.query->slot_count; slot++) {
        unknown |= (unsigned long long)(known.frequencies[slot] == 0) << slot;
    }
    return PyLong_FromUnsignedLongLong(unknown);
}

static PyMethodDef field_methods[] = {
    {"search", search, METH_VARARGS,
     "search(query, typed, limit, best, floor, facets, allowed, dead)\n--\n\n"
     "The documents with the most similar names as tuples of document, score and activity, best first."},
    {"find_unknown_words", find_unknown_words, METH_O,
     "find_unknown_words(query)\n--\n\nThe words of a query that no name contains, as bits of a number."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot field_slots[] = {
    {Py_tp_doc, "The arrays of an opened field; safe for any number of threads."},
    {Py_tp_new, create_field},
    {Py_tp_dealloc, free_field},
    {Py_tp_methods, field_methods},
    {0, NULL},
};

PyType_Spec field_spec = {
    .name = "bonafide.native._search.Field",
    .basicsize = sizeof(FieldObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = field_slots,
};
