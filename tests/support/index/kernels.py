"""The two kernels of a field, the arrays that they search, and comparisons of their answers.

As a program it searches whole and damaged arrays, for a run under a sanitizer:
`python -m tests.support.index.kernels EXTENSION SEED`.
"""

import importlib.util
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.errors import SegmentCorrupt
from bonafide.index import FieldName, IndexDocument, build_segment, create_business_query
from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.segment_files import open_segment_files, select_field_arrays
from bonafide.index.search.compiled_kernel import CompiledKernel
from bonafide.index.search.kernel import SearchKernel
from bonafide.index.search.numpy_kernel import NumpyKernel
from bonafide.index.search.query import QueryReading
from tests.support.index.registers import made_up_names

FieldArrays = dict[str, NDArray[Any]]

EXTENSION = "bonafide.native._search"
FACETS = 4
_SYLLABLES = ("ba", "co", "di", "fu", "ge", "ho", "ki", "lu", "mé", "né", "ro", "1", "20", "7")
_LETTERS = "aeiloubmn0157 é"
_WHOLE_NUMBERS = (0, 1, 2, 0x7F, 0xFF, 2**15, 2**16 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1)


def read_arrays(folder: Path) -> FieldArrays:
    """The arrays of the business names of a segment."""
    arrays = open_segment_files(folder).arrays
    return {**select_field_arrays(arrays, FieldName.NAMES.value), "document_active": arrays["document_active"]}


def build_arrays(names: Iterable[str]) -> FieldArrays:
    """The arrays of a segment with a document for each name, every third of them inactive; read into memory."""
    documents = (IndexDocument(str(place), b"", names=(name,), active=place % 3 != 0) for place, name in enumerate(names))
    with TemporaryDirectory() as folder:
        build_segment(Path(folder), documents)
        return {name: array.copy() for name, array in read_arrays(Path(folder)).items()}


def make_names(count: int, chance: random.Random) -> list[str]:
    """Names of few and similar words: with typos of each other, joined and split ones, numbers and accents."""
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(max(2, count // 4))]
    return [" ".join(chance.choices(words, k=chance.randint(1, 5))) for _ in range(count)]


def distort(name: str, chance: random.Random) -> str:
    """A name with some changes of letters and words."""
    letters = list(name)
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(letters) + 1)
        match chance.randrange(4):
            case 0:
                letters[place : place + 1] = []
            case 1:
                letters[place:place] = chance.choice(_LETTERS)
            case 2:
                letters[place : place + 2] = reversed(letters[place : place + 2])
            case _:
                letters[place : place + 1] = chance.choice(_LETTERS)
    words = "".join(letters).split()
    if words and chance.random() < 0.3:
        words.insert(chance.randrange(len(words) + 1), words.pop(chance.randrange(len(words))))
    return " ".join(words)


def make_filter(documents: int, chance: random.Random) -> DocumentFilter:
    """A filter that admits all documents, or some by their facets or because others replaced them."""
    drawn = np.random.default_rng(chance.randrange(2**32))
    facets = drawn.integers(0, FACETS, documents).astype(np.uint16)
    allowed = drawn.random(FACETS) < 0.6 if chance.random() < 0.5 else None
    dead = drawn.random(documents) < 0.3 if chance.random() < 0.5 else None
    return DocumentFilter(facets, allowed, dead)


def make_hints(chance: random.Random) -> ScoreHints:
    """Scores that are known before a search."""
    return ScoreHints(chance.choice((0.0, 0.0, 0.95)), chance.choice((0.0, 0.0, 0.5, 0.9)))


def read(text: str) -> Sequence[QueryReading]:
    """The readings of a text as the name of a business."""
    return create_business_query(text).readings


def search_both(
    kernels: Sequence[SearchKernel], reading: QueryReading, admission: DocumentFilter, chance: random.Random
) -> list[list[IndexHit]]:
    """The answers of kernels to the same query."""
    limit, hints = chance.choice((1, 3, 20, 50, 150)), make_hints(chance)
    return [kernel.search(reading, limit, admission, hints) for kernel in kernels]


def damage(arrays: Mapping[str, NDArray[Any]], chance: random.Random) -> FieldArrays:
    """The arrays with one of them cut short, or with some of its values changed."""
    damaged = dict(arrays)
    for name in chance.sample(sorted(arrays), chance.choice((1, 1, 1, 2))):
        array = arrays[name].copy()
        if array.ndim == 1 and chance.random() < 0.15:
            damaged[name] = array[: chance.randrange(len(array) + 1)].copy()
            continue
        flat, highest = array.reshape(-1), int(np.iinfo(array.dtype).max)
        for _ in range(chance.choice((1, 5, max(1, flat.size // 4))) if flat.size else 0):
            flat[chance.randrange(flat.size)] = min(chance.choice((*_WHOLE_NUMBERS, chance.randrange(flat.size + 2))), highest)
        damaged[name] = array
    return damaged


def search_damaged(arrays: Mapping[str, NDArray[Any]], queries: Iterable[str], extension: ModuleType, chance: random.Random) -> str:
    """Search damaged arrays: `refused` when they were opened, `found` to contradict each other in a search, or `unnoticed`."""
    outcome, documents = "unnoticed", len(arrays["document_active"])
    try:
        kernel = CompiledKernel(damage(arrays, chance), extension)
    except ValueError:
        return "refused"
    for query in queries:
        for reading in read(query):
            try:
                (hits,) = search_both([kernel], reading, make_filter(documents, chance), chance)
                assert all(hit.document < documents for hit in hits)
            except SegmentCorrupt:
                outcome = "found"
            except ValueError:  # a cut array of activity leaves fewer documents than the filter has
                outcome = "refused"
    return outcome


def load_extension(path: Path) -> ModuleType:
    """Load an extension from a file, in place of the installed one."""
    spec = importlib.util.spec_from_file_location(EXTENSION, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(extension: ModuleType, chance: random.Random) -> None:
    for count in (1, 40, 600):
        names = make_names(count, chance) + made_up_names(count, seed=count)
        arrays = build_arrays(names)
        kernels = (CompiledKernel(arrays, extension), NumpyKernel(arrays))
        queries = [distort(chance.choice(names), chance) for _ in range(60)]
        for query in queries:
            for reading in read(query):
                compiled, reference = search_both(kernels, reading, make_filter(len(names), chance), chance)
                if compiled != reference:
                    raise SystemExit(f"{query!r}: {compiled} instead of {reference}")
        outcomes = [search_damaged(arrays, queries[:10], extension, chance) for _ in range(150)]
        print(count, *(f"{outcome} {outcomes.count(outcome)}" for outcome in sorted(set(outcomes))))  # noqa: T201


if __name__ == "__main__":
    _run(load_extension(Path(sys.argv[1])), random.Random(int(sys.argv[2])))  # noqa: S311
