"""Baseline: Tantivy with a trigram field over the distinctive words of each name."""

from importlib import import_module
from pathlib import Path
from typing import Any

from bonafide.matching.entries.index_terms import build_business_terms
from bonafide_bench.datasets.name_files import read_rows
from bonafide_bench.engines.engine import LIMIT, EngineMaterial, EngineUnavailable

HEAP_BYTES = 500_000_000
LETTERS = 3
_TRIGRAMS = "trigrams"
_FIELD, _RECORD = "text", "record"


def build(material: EngineMaterial) -> None:
    """Index the names' distinctive words. Raises `EngineUnavailable` if the package is not installed."""
    material.folder.mkdir(parents=True, exist_ok=True)
    tantivy = _library()
    writer = _opened(material.folder).writer(heap_size=HEAP_BYTES, num_threads=1)
    for record, words in read_rows(material.words):
        document = tantivy.Document()
        document.add_text(_FIELD, f" {words} ")
        document.add_unsigned(_RECORD, record)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    (material.folder / "complete").touch()


def _library() -> Any:
    try:
        return import_module("tantivy")
    except ImportError as error:
        raise EngineUnavailable("the tantivy wheel is not installed (it is one of the development dependencies)") from error


def can_open(folder: Path) -> bool:
    """Whether a complete index exists."""
    return (folder / "complete").exists()


def _opened(folder: Path) -> Any:
    tantivy = _library()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(_FIELD, stored=False, tokenizer_name=_TRIGRAMS, index_option="freq")
    builder.add_unsigned_field(_RECORD, stored=False, indexed=True, fast=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    analyser = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(min_gram=LETTERS, max_gram=LETTERS, prefix_only=False)).build()
    index.register_tokenizer(_TRIGRAMS, analyser)
    return index


class TrigramIndex:
    """A disjunction of the query's trigrams, ranked by BM25."""

    def __init__(self, material: EngineMaterial) -> None:
        self._library = _library()
        index = _opened(material.folder)
        index.reload()
        self._schema, self._searcher = index.schema, index.searcher()

    def find(self, text: str) -> Any:
        """The document addresses of the best names."""
        rows = build_business_terms([text]).words
        grams = {gram for words in rows for gram in _grams(f" {' '.join(words)} ")}
        query = self._library.Query.boolean_query([(self._library.Occur.Should, self._term(gram)) for gram in sorted(grams)])
        # With counting, Tantivy visits every match and cannot skip any.
        return [address for _, address in self._searcher.search(query, LIMIT, count=False).hits]

    def records(self, found: Any) -> list[int]:
        """The distinct records of the names."""
        return list(dict.fromkeys(self._searcher.fast_field_values(_RECORD, found))) if found else []

    def _term(self, gram: str) -> Any:
        return self._library.Query.term_query(self._schema, _FIELD, gram, "freq")


def _grams(text: str) -> list[str]:
    return [text[at : at + LETTERS] for at in range(len(text) - LETTERS + 1)]
