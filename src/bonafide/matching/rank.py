"""From a query and entries to scored, explained, sorted matches.

It knows nothing of where entries come from: ids of matches, sources and dates are joined on by the services.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bonafide.matching import features
from bonafide.matching.business_names import compare_business_names
from bonafide.matching.comparison import NameComparison
from bonafide.matching.evidence import (
    AddressEvidence,
    NumberEvidence,
    address_evidence,
    address_field,
    number_evidence,
    number_field,
    weighed,
)
from bonafide.matching.listed import Subject, compare_subject, subject
from bonafide.matching.names import NormalName, normalise
from bonafide.model.entity import StatusCode
from bonafide.model.entry import ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.match import FieldMatch, NameScore
from bonafide.model.query import Query

E = TypeVar("E", RegistryEntry, RegulatoryEntry)

_BOTH_LANGUAGES = " / "
"""How registers write the two language forms of a name as one."""


@dataclass(frozen=True, slots=True)
class Ranked(Generic[E]):
    """An entry that matches: the score of its best name, that name, the score with the evidence, and the fields that explain it."""

    entry: E
    name_score: float
    matched_name: str
    score: float
    fields: tuple[FieldMatch, ...]


@dataclass(frozen=True, slots=True)
class RankedListing:
    """A listed entity that matches: the score of its best name, that name, and the score of each distinct name, best first."""

    entry: ListedEntity
    score: float
    matched_name: str
    name_scores: tuple[NameScore, ...]
    fields: tuple[FieldMatch, ...]


@dataclass(frozen=True, slots=True)
class _NameMatch:
    """The best name of an entry."""

    name: str
    score: float
    reason: str
    same_form: bool


@dataclass(frozen=True, slots=True)
class _Weighed(Generic[E]):
    """An entry with all that its score was made from."""

    entry: E
    name: _NameMatch
    number: NumberEvidence
    address: AddressEvidence | None
    score: float

    def order(self) -> tuple[float, bool, bool, str, str]:
        """Best first; the same whichever entry was given first."""
        inactive = self.entry.status_code is not StatusCode.ACTIVE
        return -self.score, not self.name.same_form, inactive, self.entry.entry_id, _register(self.entry)


def _register(entry: RegistryEntry | RegulatoryEntry) -> str:
    # Entries of several registers are ranked together, and their ids are unique in each only.
    return entry.jurisdiction if isinstance(entry, RegistryEntry) else ""


def rank_entries(query: Query, entries: Sequence[E], *, floor: float, limit: int | None) -> list[Ranked[E]]:
    """The entries that score at least `floor`, best first, at most `limit`.

    Between equal scores the one with the same legal form comes first, then an active one, then the lower entry id.
    """
    asked = normalise(query.name)
    weighed_entries = [item for entry in entries if (item := _weigh(query, asked, entry)).score >= floor]
    weighed_entries.sort(key=_Weighed.order)
    return [_explained(query, item) for item in weighed_entries[:limit]]


def _weigh(query: Query, asked: NormalName, entry: E) -> _Weighed[E]:
    name = _best_name(asked, entry)
    number = number_evidence(query.registration_number, entry.searchable_numbers())
    address = address_evidence(query.address, entry.addresses)
    return _Weighed(entry, name, number, address, weighed(name.score, number, address))


def _explained(query: Query, item: _Weighed[E]) -> Ranked[E]:
    name = item.name
    fields = (
        _name_field(query.name, name.name, name.score, name.reason),
        number_field(query.registration_number, item.number),
        address_field(query.address, item.address),
    )
    return Ranked(item.entry, name.score, name.name, item.score, fields)


def _best_name(asked: NormalName, entry: RegistryEntry | RegulatoryEntry) -> _NameMatch:
    names = _names(entry)
    best = _name_match(asked, *next(names))
    for name in names:
        if best.score == 1:
            break
        match = _name_match(asked, *name)
        best = match if match.score > best.score else best
    return best


def _names(entry: RegistryEntry | RegulatoryEntry) -> Iterator[tuple[str, str | None, float]]:
    """Each name once: the name, what kind it is when it isn't the legal one, and what its score is multiplied with."""
    seen = {entry.legal_name}
    yield entry.legal_name, None, 1.0
    former = [item.name for item in entry.name_history] if isinstance(entry, RegistryEntry) else []
    for names, kind, factor in ((entry.alternate_names, "alternate name", 1.0), (former, "former name", features.FORMER_NAME)):
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name, kind, factor


def _name_match(asked: NormalName, name: str, kind: str | None, factor: float) -> _NameMatch:
    found = normalise(name)
    comparison = compare_business_names(asked, found)
    score, reason = comparison.score, comparison.reason
    if score < 1 and _BOTH_LANGUAGES in name:
        score, reason = max((score, reason), _best_half(asked, name))
    reason = reason if kind is None else f"{kind}: {reason}"
    return _NameMatch(name, round(score * factor, features.DECIMALS), reason, set(asked.legal_forms) == set(found.legal_forms))


def _best_half(asked: NormalName, name: str) -> tuple[float, str]:
    halves = [compare_business_names(asked, normalise(half)) for half in name.split(_BOTH_LANGUAGES)]
    best = max(halves, key=lambda comparison: comparison.score)
    return best.score * features.HALF_OF_NAME, f"one language of a name in two: {best.reason}"


def _name_field(asked: str, found: str, score: float, reason: str) -> FieldMatch:
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=score,
        status=features.field_status(score),
        submitted=asked,
        found=found,
        reason=reason,
    )


def rank_listed(name: str, entries: Sequence[ListedEntity], *, floor: float) -> list[RankedListing]:
    """The listed entities that score at least `floor`, best first; between equal scores the lower entry id comes first.

    A match on a name that its list itself calls weak scores at most 0.9.
    """
    screened = subject(name)
    ranked = [listing for entry in entries if (listing := _listing(screened, name, entry)).score >= floor]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked


def _listing(screened: Subject, asked: str, entry: ListedEntity) -> RankedListing:
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases}
    scored = []
    for name in dict.fromkeys(entry.searchable_names()):
        comparison = compare_subject(screened, name, entry.entity_type)
        scored.append((name, *_limited(comparison, weak=name in weak)))
    scored.sort(key=lambda item: -item[1])
    name, score, reason = scored[0]
    reason = reason if name == entry.name else f"listed alias: {reason}"
    scores = tuple(NameScore(name=name, score=score) for name, score, _ in scored)
    return RankedListing(entry, score, name, scores, (_name_field(asked, name, score, reason),))


def _limited(comparison: NameComparison, *, weak: bool) -> tuple[float, str]:
    if not weak:
        return comparison.score, comparison.reason
    return min(comparison.score, features.WEAK_ALIAS_CAP), f"{comparison.reason} (an alias that the list calls weak)"
