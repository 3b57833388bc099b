"""Recall of a search in a real register: its names are disturbed, and searched for in an index of all its entries.

As in the service, the entries are those that the source parses, the index finds candidates, and the score ranks them; words are
weighted by their frequency in the register. Nothing is asserted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.index import FieldName, IndexDocument, IndexSegment, build_segment, create_parsed_name_query
from bonafide.index.build.process_pool import ReaderPool
from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import rank_entries
from bonafide.matching.scoring.word_rarity import WordRarity, compute_minimum_count
from bonafide.model.entry import AnyEntry, RegistryEntry
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.services.lookup.index_lookup import CANDIDATES, MIN_ROUGH_SCORE
from bonafide.services.results.match_building import REGISTRY_FLOOR
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide_bench.datasets.register_disturbances import DisturbanceKind, DisturbedQuery, create_disturbed_queries

REGISTER, REGISTER_FILE = "yt", Path("registries/YT/corporate_entities_2023-01.csv")
"""The largest real register of which all names may be read: the source's key, and its file in the folder of real data."""
SEED = "register recall"
QUERIES = 500
"""The number of queries of each kind."""
SHOWN = 20
"""The number of results of a search that are examined."""


@dataclass(frozen=True, slots=True)
class DisturbanceRecall:
    """Recall of the queries of one kind: the share with a meant record at the first place, and among the first five.

    `found` is the share with one among the candidates of the index, before they are scored. `ambiguous` is the number of disturbed
    names that identify no one name and were not searched for. `misses` are queries without a meant record at the first place, with
    what was there instead.
    """

    kind: DisturbanceKind
    queries: int
    ambiguous: int
    first: float
    first_five: float
    found: float
    misses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegisterRecall:
    """The result of a run: the number of entries of the register, and the recall by kind."""

    register: str
    entries: int
    kinds: tuple[DisturbanceRecall, ...]


def measure_register_recall(data: Path, queries: int = QUERIES, seed: str = SEED) -> RegisterRecall:
    """Disturb names of Yukon's register in a folder of real data, and search for them; `queries` names of each kind.

    Raises `ConfigurationError` if the folder does not have the file.
    """
    path = data / REGISTER_FILE
    if not path.is_file():
        raise ConfigurationError(Message.untranslated(f"{path} does not exist: the folder has no file of the register of Yukon"))
    entries = list(_parse_entries(path))
    made = create_disturbed_queries(
        {number: tuple(entry.list_search_names()) for number, entry in enumerate(entries)},
        queries,
        Random(seed),  # noqa: S311 - a sample, not a secret
    )
    with TemporaryDirectory() as folder:
        register = _SearchedRegister(Path(folder), entries)
        results = [(query, register.search(query.text)) for query in made.queries]
    kinds = tuple(_summarize(kind, results, made.ambiguous.get(kind, 0), entries) for kind in DisturbanceKind)
    return RegisterRecall(REGISTER, len(entries), kinds)


def _parse_entries(path: Path) -> Iterator[RegistryEntry]:
    source = get_source(REGISTER)
    content = path.read_bytes()
    resource = Resource(path.name, path, path.as_uri(), datetime.now(UTC), sha256(content).hexdigest(), len(content))
    parse = source.parse
    assert parse is not None  # noqa: S101 - the register has a parser
    for entry in parse([resource], ParseContext(source.metadata)):
        assert isinstance(entry, RegistryEntry)  # noqa: S101 - as its kind of source says
        yield entry


@dataclass(frozen=True, slots=True)
class _SearchResult:
    """The places of the entries found: ranked, and all candidates."""

    ranked: tuple[int, ...]
    candidates: frozenset[int]


class _SearchedRegister:
    """An index of entries, which are numbered by their places."""

    def __init__(self, folder: Path, entries: Sequence[RegistryEntry]) -> None:
        build_segment(folder, _list_documents(entries), workforce=ReaderPool(readers=0))
        self._segment = IndexSegment.open(folder)
        self._entries = entries
        names = self._segment.fields[FieldName.NAMES]
        self._rarity = WordRarity(len(names), names.common_words(compute_minimum_count(len(names))))

    def search(self, text: str) -> _SearchResult:
        """The entries that a search for a name returns."""
        query = Query(name=text)
        hits = self._segment.search(create_parsed_name_query(query.parsed_names), CANDIDATES)
        hits = [hit for hit in hits if hit.score >= MIN_ROUGH_SCORE]
        places = {id(self._entries[hit.document]): hit.document for hit in hits}
        ranked = rank_entries(
            query,
            [self._entries[hit.document] for hit in hits],
            floor=REGISTRY_FLOOR,
            limit=SHOWN,
            rarity=self._rarity,
            rough=[hit.score for hit in hits],
        )
        return _SearchResult(tuple(places[id(item.entry)] for item in ranked), frozenset(places.values()))


def _list_documents(entries: Iterable[AnyEntry]) -> Iterator[IndexDocument]:
    return map(build_index_document, entries)


def _summarize(
    kind: DisturbanceKind,
    results: Iterable[tuple[DisturbedQuery, _SearchResult]],
    ambiguous: int,
    entries: Sequence[RegistryEntry],
) -> DisturbanceRecall:
    own = [(query, result) for query, result in results if query.kind is kind]
    first, five, found = (
        sum(map(bool, hits)) / max(1, len(own))
        for hits in (
            [query.records & set(result.ranked[:1]) for query, result in own],
            [query.records & set(result.ranked[:5]) for query, result in own],
            [query.records & result.candidates for query, result in own],
        )
    )
    misses = tuple(_format_miss(query, result, entries) for query, result in own if not query.records & set(result.ranked[:1]))
    return DisturbanceRecall(kind, len(own), ambiguous, first, five, found, misses)


def _format_miss(query: DisturbedQuery, result: _SearchResult, entries: Sequence[RegistryEntry]) -> str:
    meant = entries[min(query.records)].legal_name
    shown = entries[result.ranked[0]].legal_name if result.ranked else "nothing"
    return f"{query.text}: {shown} instead of {meant}"
