"""Two implementations of the search of a field behind one interface: in C where the extension is compiled, else in NumPy.

Both give the same answers. A query's text is read before (`query`), and its results are merged over fields and segments behind the
interface (`segment`, `name_index`).
"""

import sys
from typing import Protocol

from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.segment_files import Arrays
from bonafide.index.search.compiled_kernel import CompiledKernel
from bonafide.index.search.numpy_kernel import NumpyKernel
from bonafide.index.search.query import QueryReading
from bonafide.native import search_extension


class SearchKernel(Protocol):
    """Searches the arrays of an opened field. Safe for any number of threads."""

    name: str
    """The name of the implementation, for operators."""

    def search(self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints) -> list[IndexHit]:
        """The admitted documents with the most similar names, best first; ties by activity, then by number."""


_EXTENSION = search_extension if sys.byteorder == "little" else None
"""The extension reads the arrays as they are on disk."""
KERNEL_NAME = NumpyKernel.name if _EXTENSION is None else CompiledKernel.name
"""The name of the kernel that searches in this process."""


def open_kernel(arrays: Arrays) -> SearchKernel:
    """The kernel of a field's arrays.

    Raises `KeyError` if an array is missing, `ValueError` or `BufferError` if their types or lengths do not fit together.
    """
    return NumpyKernel(arrays) if _EXTENSION is None else CompiledKernel(arrays, _EXTENSION)
