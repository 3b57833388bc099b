"""Queries put to the services, as the API would, and where in each answer the wanted entry stands.

It reads the answer's documents only; neither the index nor the ranking is asked directly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import SearchResult
from bonafide.services.screening.subject_screening import screen_subject
from bonafide.services.search.execution import create_search
from tests.support.realdata.files import RealData
from tests.support.realdata.queries import RealQuery

THRESHOLD = 0.7
"""For regulators and sanctions: the lowest that a caller may set, because the question is what comes first, not what is sure."""


@dataclass(frozen=True, slots=True)
class Found:
    """One match of an answer: its names and the score of the best of them."""

    names: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one query. `place` counts from 0 and is None when the wanted entry is not in the answer."""

    query: RealQuery
    place: int | None
    found: Sequence[Found]
    elapsed_ms: float

    def __str__(self) -> str:
        """One line for whoever looks into a miss."""
        query = self.query
        first = f"first is {self.found[0].names[0]!r} with {self.found[0].score}" if self.found else "nothing found"
        right = (
            f"right one is number {self.place + 1} with {self.found[self.place].score}" if self.place is not None else "not found"
        )
        return f"{query.source}, {query.kind}: {query.text!r} for {query.wanted.text!r}: {first}; {right}"


async def ask(real: RealData, query: RealQuery) -> Outcome:
    """Put a query to the service of its source's kind."""
    kind = real.kind(query.source)
    started = perf_counter()
    if kind is SourceKind.SANCTIONS:
        found = await _screened(real, query.text)
    else:
        found = await _searched(real, query.text, query.source if kind is SourceKind.REGULATOR else None)
    elapsed_ms = (perf_counter() - started) * 1000
    places = (place for place, match in enumerate(found) if query.is_answered_by(match.names))
    return Outcome(query, next(places, None), found, elapsed_ms)


async def ask_all(real: RealData, asked: Iterable[RealQuery]) -> list[Outcome]:
    """One after the other, so that the times are those of single searches."""
    return [await ask(real, query) for query in asked]


async def search(real: RealData, name: str) -> SearchResult:
    """The document of a search in the registers and the regulators' lists."""
    request = SearchRequest(name=name, regulatory_registry_threshold=THRESHOLD)
    answer = await create_search(real.runtime, real.principal, request, respond_async=False)
    return answer.document.parse(SearchResult)


async def _searched(real: RealData, name: str, regulator: str | None) -> list[Found]:
    result = await search(real, name)
    matches = (result.businesses or ()) if regulator is None else result.regulatory[regulator]
    return [Found((match.legal_name.name, *match.alternate_names), match.legal_name.match_score) for match in matches]


async def _screened(real: RealData, name: str) -> list[Found]:
    loaded = [real.runtime.sources[key] for key in real.records if real.kind(key) is SourceKind.SANCTIONS]
    answer = await screen_subject(real.runtime, World.LIVE, name, THRESHOLD, loaded)
    assert answer.error is None
    matches = answer.screening.matches
    return [Found((match.legal_name.name, *match.alternate_names), match.legal_name.match_score) for match in matches]
