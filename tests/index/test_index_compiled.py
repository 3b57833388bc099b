"""The compiled kernel gives the answers of the NumPy kernel, to the last bit, and reads no array out of its bounds."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.fuzz import ratio, token_sort_ratio

from bonafide.errors import SegmentCorrupt
from bonafide.index import FieldName, IndexDocument, IndexSegment, build_segment
from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.postings import FREQUENT_FROM
from bonafide.index.format.segment_files import HEADER, _header_checksum
from bonafide.index.search import candidates
from bonafide.index.search.candidates import EXAMINED_BUDGET, LIGHTEST_BUDGET, RARE_BUDGET
from bonafide.index.search.compiled_kernel import CompiledKernel, find_digits
from bonafide.index.search.kernel import KERNEL_NAME, SearchKernel, open_kernel
from bonafide.index.search.numpy_kernel import NumpyKernel
from bonafide.index.search.query import QueryReading
from bonafide.native import search_extension
from bonafide_bench.datasets.hostile_queries import create_hostile_queries, find_frequent_words
from bonafide_bench.datasets.name_files import create_rows
from bonafide_bench.datasets.name_queries import create_queries
from tests.index.test_index_kernel import WORDS
from tests.support.index.kernels import (
    FieldArrays,
    build_arrays,
    distort,
    make_filter,
    make_names,
    read,
    read_arrays,
    search_both,
    search_damaged,
)
from tests.support.paths import ROOT
from tests.support.sampling import examples

pytestmark = pytest.mark.skipif(search_extension is None, reason="the extensions are not compiled here")

SANDBOX_NAMES = 4_000
FREQUENT_NAMES = 30_000
MANY_WORDS = [*WORDS, *(f"{word}s" for word in WORDS)]
PROGRAM = "tests.support.index.kernels"


def open_both(arrays: FieldArrays) -> tuple[SearchKernel, SearchKernel]:
    assert search_extension is not None
    return CompiledKernel(arrays, search_extension), NumpyKernel(arrays)


def assert_equal_answers(kernels: tuple[SearchKernel, SearchKernel], text: str, documents: int, chance: random.Random) -> int:
    """Compare the answers to a text, with and without a filter; returns the number of hits."""
    hits = 0
    for reading in read(text):
        for admission in (admit_all(documents), make_filter(documents, chance)):
            compiled, reference = search_both(kernels, reading, admission, chance)
            assert compiled == reference, (text, admission)
            hits += len(compiled)
    return hits


def admit_all(documents: int) -> DocumentFilter:
    return DocumentFilter(np.zeros(documents, np.uint16), None, None)


def test_a_field_is_searched_by_the_compiled_kernel() -> None:
    kernel = open_kernel(build_arrays(["Acme Bakery"]))
    assert isinstance(kernel, CompiledKernel)
    assert kernel.name == KERNEL_NAME == "compiled"


words = st.text("abcdeé01 ", min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=40), st.lists(words, min_size=1, max_size=12), st.randoms(use_true_random=False))
@examples(60)
def test_answers_are_equal_for_any_words(names: list[str], queries: list[str], chance: random.Random) -> None:
    kernels = open_both(build_arrays([*names, "none"]))
    for query in queries:
        assert_equal_answers(kernels, query, len(names) + 1, chance)


@given(st.integers(0, 2**32), st.integers(1, 400))
@examples(40)
def test_answers_are_equal_for_similar_words(seed: int, count: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # made-up data wants a seed, not secrecy
    names = make_names(count, chance)
    kernels = open_both(build_arrays(names))
    for _ in range(15):
        assert_equal_answers(kernels, distort(chance.choice(names), chance), count, chance)


typed = st.one_of(st.text("abcdé ", max_size=30), st.text("ab ", min_size=60, max_size=200), st.text(max_size=20))


@given(st.lists(typed.filter(str.isprintable), min_size=1, max_size=30), typed.filter(str.isprintable))
@examples(100)
def test_strings_are_compared_as_rapidfuzz_compares_them(forms: list[str], query: str) -> None:
    # All names have the same word, and so the same score by words: half of the query's.
    arrays = build_arrays([f"acme{place}" for place in range(len(forms))])
    encoded = [form.encode() for form in forms]
    arrays["typed_bytes"] = np.frombuffer(b"".join(encoded), np.uint8)
    lengths = np.array(list(map(len, encoded)))
    arrays["typed_starts"], arrays["typed_lengths"] = (np.cumsum(lengths) - lengths).astype(np.uint32), lengths.astype(np.uint16)
    compiled, reference = open_both(arrays)
    reading = QueryReading(tuple(f"acme{place}" for place in range(min(16, len(forms)))), query)
    found = compiled.search(reading, len(forms), admit_all(len(forms)), ScoreHints())
    assert found == reference.search(reading, len(forms), admit_all(len(forms)), ScoreHints())
    if len(forms) == 1:
        assert found[0].score == 1
    for hit in found if len(forms) > 1 else ():
        likeness = (ratio(query, forms[hit.document]) + token_sort_ratio(query, forms[hit.document])) / 100
        assert 0 < hit.score - 0.15 * likeness < 0.7


@pytest.fixture(scope="module")
def frequent_words(tmp_path_factory: pytest.TempPathFactory) -> FieldArrays:
    """Names of one to six of eighty words, some of which are rare, some have long posting lists, and some bitsets."""
    chance = random.Random(3)  # noqa: S311
    weights = [1 / (place + 2) for place in range(len(MANY_WORDS))]
    names = (" ".join(dict.fromkeys(chance.choices(MANY_WORDS, weights, k=chance.randint(1, 6)))) for _ in range(FREQUENT_NAMES))
    folder = tmp_path_factory.mktemp("frequent")
    build_segment(folder, (IndexDocument(str(place), b"", names=(name,)) for place, name in enumerate(names)))
    return read_arrays(folder)


def test_answers_are_equal_for_frequent_words(frequent_words: FieldArrays) -> None:
    frequencies = np.diff(frequent_words["posting_offsets"])
    # More of these than can be read completely, so that some of their posting lists are merged.
    assert frequencies[frequencies <= FREQUENT_FROM].sum() > 2 * RARE_BUDGET
    assert len(frequent_words["frequent_tokens"]) > 8
    kernels = open_both(frequent_words)
    chance = random.Random(8)  # noqa: S311
    hits = 0
    for _ in range(150):
        query = " ".join(chance.sample(MANY_WORDS, chance.randint(1, 14)))
        hits += assert_equal_answers(kernels, query if chance.random() < 0.7 else distort(query, chance), FREQUENT_NAMES, chance)
    assert hits > FREQUENT_NAMES // 10


@pytest.mark.slow
def test_answers_are_equal_when_the_budget_of_examined_names_is_used_up() -> None:
    # The budget is compared after each 2**18 names of a bitset that has all.
    examined, count = 2**19, 2**19 + 30_000
    assert 2**18 < EXAMINED_BUDGET < examined
    kernels = open_both(build_arrays("Alpha Beta" for _ in range(count)))
    facets = (np.random.default_rng(6).random(count) < 0.002).astype(np.uint16)
    admission = DocumentFilter(facets, np.array([False, True]), None)
    (reading,) = read("alpha beta")
    compiled, reference = (kernel.search(reading, LIGHTEST_BUDGET, admission, ScoreHints()) for kernel in kernels)
    assert compiled == reference
    assert sorted(hit.document for hit in compiled) == np.flatnonzero(facets[:examined]).tolist()


@pytest.mark.slow
def test_answers_are_equal_for_the_queries_of_the_benchmark() -> None:
    rows = list(islice(create_rows(), SANDBOX_NAMES))
    chance = random.Random(5)  # noqa: S311
    names = [name for _, name in rows]
    queries = [query.text for query in create_queries(names, rows, 400, chance)]
    hostile = create_hostile_queries(find_frequent_words(name.casefold() for name in names), names[:200], chance)
    kernels = open_both(build_arrays(names))
    hits = Counter(
        bool(assert_equal_answers(kernels, query, len(names), chance))
        for query in (*queries, *(query for several in hostile.values() for query in several))
    )
    assert hits[True] > len(queries) // 2


def test_threads_get_the_same_answers(frequent_words: FieldArrays) -> None:
    compiled, _ = open_both(frequent_words)
    chance = random.Random(4)  # noqa: S311
    readings = [reading for _ in range(100) for reading in read(" ".join(chance.sample(MANY_WORDS, chance.randint(1, 8))))]

    def search_all(_thread: int) -> list[list[IndexHit]]:
        return [compiled.search(reading, 20, admit_all(FREQUENT_NAMES), ScoreHints()) for reading in readings]

    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(search_all, range(4))
    assert all(answers == first for answers in others)
    assert any(first)


def test_budgets_are_those_of_the_numpy_kernel() -> None:
    # The indexes of tests are too small to find a wrong budget by comparing answers.
    sources = "".join(path.read_text() for path in (ROOT / "native" / "search").glob("*.[ch]"))
    budgets = {name: int(number) for name, number in re.findall(r"\b([A-Z]+_BUDGET) = ([0-9]+)", sources)}
    assert budgets == {name: number for name, number in vars(candidates).items() if name.endswith("_BUDGET")}


def test_digits_are_those_of_python() -> None:
    digits = set(find_digits().tolist())
    assert digits == {code for code in range(0x80, 0x110000) if chr(code).isdigit()}


# -------------------------------------------------------------------------------------------- damaged and unsuitable arrays


@given(st.integers(0, 2**32))
@examples(200)
def test_damaged_arrays_are_refused_or_give_documents_in_range(seed: int) -> None:
    # `search_damaged` checks the answers; an exception for which it does not provide, or a crash, fails the test.
    assert search_extension is not None
    chance = random.Random(seed)  # noqa: S311
    names = make_names(60, chance)
    queries = [distort(chance.choice(names), chance) for _ in range(8)]
    search_damaged(build_arrays(names), queries, search_extension, chance)


def test_damage_is_noticed() -> None:
    assert search_extension is not None
    chance = random.Random(1)  # noqa: S311
    names = make_names(60, chance)
    arrays = build_arrays(names)
    outcomes = Counter(search_damaged(arrays, names[:8], search_extension, chance) for _ in range(120))
    assert min(outcomes["refused"], outcomes["found"]) > 0


def test_ids_out_of_range_are_found_in_a_search() -> None:
    assert search_extension is not None
    arrays = build_arrays(["Acme Bakery", "Beta Bakery"])
    for name in ("token_ids", "posting_names", "posting_offsets", "name_documents", "typed_starts"):
        kernel = CompiledKernel({**arrays, name: np.full_like(arrays[name], np.iinfo(arrays[name].dtype).max)}, search_extension)
        with pytest.raises(SegmentCorrupt):
            kernel.search(QueryReading(("bakery",), "bakery"), 5, admit_all(2), ScoreHints())


@pytest.mark.parametrize("length", [1, 0], ids=["short", "missing"])
def test_a_segment_whose_arrays_do_not_fit_together_is_refused(tmp_path: Path, length: int) -> None:
    build_segment(tmp_path, [IndexDocument(str(place), b"", names=("Acme Bakery",)) for place in range(2)])
    path = tmp_path / f"{FieldName.NAMES.value}.name_weights.npy"
    header = json.loads((tmp_path / HEADER).read_text())
    del header["crc32"], header["files"][path.name]
    if length:
        np.save(path, np.load(path)[:length])
        header["files"][path.name] = {"size": path.stat().st_size, "crc32": zlib.crc32(path.read_bytes())}
    (tmp_path / HEADER).write_text(json.dumps({**header, "crc32": _header_checksum(header)}))
    with pytest.raises(SegmentCorrupt, match="name_weights"):
        IndexSegment.open(tmp_path)


@pytest.mark.parametrize("name", ["token_offsets", "name_weights", "typed_lengths"])
def test_arrays_of_another_type_or_length_are_refused(name: str) -> None:
    assert search_extension is not None
    arrays = build_arrays(["Acme Bakery", "Beta Bakery"])
    big_endian = arrays[name].astype(arrays[name].dtype.newbyteorder(">"))
    misplaced = np.frombuffer(b"\0" + arrays[name].tobytes(), np.uint8)[1:].view(arrays[name].dtype)
    for wrong in (arrays[name][:-1].copy(), arrays[name].astype(np.float64), arrays[name][::-1], big_endian, misplaced):
        with pytest.raises((ValueError, BufferError)):
            CompiledKernel({**arrays, name: wrong}, search_extension)
    with pytest.raises(ValueError, match=name):
        CompiledKernel({other: array for other, array in arrays.items() if other != name}, search_extension)


def test_a_filter_of_fewer_documents_is_refused() -> None:
    assert search_extension is not None
    kernel = CompiledKernel(build_arrays(["Acme Bakery", "Beta Bakery"]), search_extension)
    with pytest.raises(ValueError, match="dead"):
        kernel.search(
            QueryReading(("bakery",), "bakery"),
            5,
            DocumentFilter(np.zeros(2, np.uint16), None, np.zeros(1, np.bool_)),
            ScoreHints(),
        )


@pytest.mark.slow
def test_no_array_is_read_out_of_its_bounds(tmp_path: Path) -> None:
    """Search whole and damaged arrays with an extension that reports every read out of bounds and every undefined operation."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no compiler: the extension can't be compiled with a sanitizer")
    library = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    if not Path(library).is_absolute():
        pytest.skip("the compiler has no AddressSanitizer")
    environment = {**os.environ, "LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
    built = subprocess.run(  # noqa: S603
        [sys.executable, "-c", BUILD, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert built.returncode == 0, built.stderr[-2000:]
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-m", PROGRAM, str(next(tmp_path.glob("_search*"))), "1"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert "found" in ran.stdout


BUILD = """
import sys
from pathlib import Path
from hatch_build import build_extensions
flags = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
assert build_extensions(Path.cwd(), flags=flags, folder=Path(sys.argv[1]))
"""
