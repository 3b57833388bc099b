"""Score a listed party against the screened subject: compare each name and apply the evidence to the best one.

The kind of the listed party selects the rules: those for people, or those for organizations and ships. Callers seldom give the
kind.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import NamedTuple

from bonafide.i18n.message import Message
from bonafide.matching.entries.evidence import build_name_field
from bonafide.matching.names.listed_words import list_places
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.people.person_name_comparison import PersonNameComparator
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, FeatureResult, NameComparison
from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.listed_name_comparison import compare_listed_names
from bonafide.matching.screening.name_parsing import (
    ListedName,
    ParsedSubject,
    list_compared_words,
    parse_listed_name,
    parse_organization_name,
    parse_subject,
)
from bonafide.matching.screening.party_evidence import apply_evidence, collect_evidence, find_shared_number, states_evidence
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldMatch, NameScore, ScoreChange

_PART_OF_NAME = Message("part of the name")
_WEAK_ALIAS = Message("weak alias, according to the list")
_ROUNDING = 10**-score_parameters.DECIMALS
"""At least the amount by which rounding raises a score."""
_NameKey = tuple[str, str, EntityKind]
"""The text of a listed name, that of the part that was parsed, and the kind: equal names have equal parsed forms."""


@dataclass(frozen=True, slots=True)
class ParsedListedEntity:
    """A listed party, and each of its distinct names in its normal form, the main one first.

    `likely` are the positions of the names that an estimate found similar, to be compared first; empty without an estimate.
    """

    entry: ListedEntity
    names: tuple[ListedName, ...]
    likely: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadListedEntity:
    """A candidate party that is read when its names have been found to be similar: reading takes longer than comparing names.

    `likely` is not empty.
    """

    kind: EntityKind
    names: tuple[ListedName, ...]
    likely: tuple[int, ...]
    read: Callable[[], ListedEntity]


def parse_listed_entity(entry: ListedEntity) -> ParsedListedEntity:
    """Parse a party's names."""
    return ParsedListedEntity(entry, parse_listed_names(entry.entity_type, entry.list_search_names()))


def parse_listed_names(kind: EntityKind, texts: Iterable[str]) -> tuple[ListedName, ...]:
    """The parsed forms of each distinct name of a party of this kind."""
    return tuple(name for text in dict.fromkeys(texts) for name in parse_listed_name(text, kind))


@dataclass(frozen=True, slots=True)
class ComparedPartyName:
    """The comparison of one name of a listed party. Weak aliases score less, and weak aliases of one word least.

    `score` is that of the comparison, reduced for a part of a name, and limited by the cap.
    """

    text: str
    comparison: NameComparison
    score: float
    cap: FeatureResult | None
    is_part: bool

    @property
    def features(self) -> tuple[FeatureResult, ...]:
        """Every feature that found a difference."""
        return self.comparison.features

    @property
    def reason(self) -> Message:
        """How the names compare."""
        reason = self.comparison.reason
        if self.is_part:
            reason = Message("{kind}: {reason}", kind=_PART_OF_NAME, reason=reason)
        return reason if self.cap is None else Message("{reason} ({note})", reason=reason, note=self.cap.reason)

    def steps(self) -> Iterator[ScoreChange]:
        """The steps from 1 down to the score: the factors, then the lowest cap."""
        score = 1.0
        for factor in self.comparison.factors:
            before, score = score, score * factor.score
            yield _to_score_change(factor, score - before)
        if self.is_part:
            before, score = score, score * weights.PART_OF_NAME
            change = round(score - before, score_parameters.DECIMALS)
            yield ScoreChange(feature="part_of_name", change=change, reason=_PART_OF_NAME)
        caps = [*self.comparison.caps, *([self.cap] if self.cap is not None else [])]
        lowest = min(caps, key=lambda cap: cap.score, default=None)
        if lowest is not None and lowest.score < score:
            yield _to_score_change(lowest, lowest.score - score)


def _to_score_change(result: FeatureResult, change: float) -> ScoreChange:
    return ScoreChange(feature=result.feature, change=round(change, score_parameters.DECIMALS), reason=result.reason)


@dataclass(frozen=True, slots=True)
class ScreenedParty:
    """A screened party: the score with all evidence, its names best first, and the fields and steps that explain the score."""

    entry: ListedEntity
    score: float
    names: tuple[ComparedPartyName, ...]
    fields: tuple[FieldMatch, ...]
    changes: tuple[ScoreChange, ...]

    @property
    def matched_name(self) -> str:
        """The best of its names."""
        return self.names[0].text

    @property
    def penalties(self) -> tuple[ScoreChange, ...]:
        """The steps that lowered the score. 1 and the changes of `penalties` and `lifts` add up to the score."""
        return tuple(change for change in self.changes if change.change < 0)

    @property
    def lifts(self) -> tuple[ScoreChange, ...]:
        """The steps that raised the score."""
        return tuple(change for change in self.changes if change.change > 0)

    @property
    def reasons(self) -> tuple[Message, ...]:
        """The reason of each field."""
        return tuple(field.reason for field in self.fields)

    @property
    def name_scores(self) -> tuple[NameScore, ...]:
        """The score of each name by itself."""
        return tuple(NameScore(name=item.text, score=item.score) for item in self.names)


def create_compared_party_name(name: ListedName, comparison: NameComparison, cap: FeatureResult | None) -> ComparedPartyName:
    """The comparison of a name of a listed party, with its score."""
    score = round(comparison.score * (weights.PART_OF_NAME if name.is_part else 1.0), score_parameters.DECIMALS)
    return ComparedPartyName(name.text, comparison, score if cap is None else min(score, cap.score), cap, name.is_part)


def compare_subject_name(
    screened: ParsedSubject, listed: ListedName, kind: EntityKind = EntityKind.ORGANIZATION, rarity: WordRarity = STATIC_RARITY
) -> NameComparison:
    """Compare the subject with one name of a listed party. A single given or family name scores below 0.7 against a longer name."""
    return ListedNameComparator(screened, rarity).compare(listed, kind).comparison


def _name_other_places(one: str, other: str) -> bool:
    """Whether each of two names names a place that the other does not."""
    places, other_places = _list_places(one), _list_places(other)
    return not places <= other_places and not other_places <= places


@lru_cache(maxsize=2**14)
def _list_places(name: str) -> frozenset[str]:
    return list_places(parse_organization_name(name).tokens)


def compare_listed_name_texts(requested: str, listed: str, kind: EntityKind) -> ComparedPartyName:
    """Compare a requested name with a listed one of a party of this kind, exactly as a screening does, without other evidence."""
    screened = parse_subject(ScreeningSubject(requested, kind))
    comparator = ListedNameComparator(screened)
    return max((comparator.compare(name, kind) for name in parse_listed_name(listed, kind)), key=lambda name: name.score)


class ExplainedName(NamedTuple):
    """The field that explains the score of a name, and the steps from 1 down to the score."""

    field: FieldMatch
    steps: tuple[ScoreChange, ...]


class ListedNameComparator:
    """Compares one screened subject with listed names, equal ones once: parties share names, and lists repeat parties."""

    def __init__(self, screened: ParsedSubject, rarity: WordRarity = STATIC_RARITY) -> None:
        subject = screened.subject
        self.screened = screened
        self._rarity = rarity
        self._is_foreign = is_non_latin(subject.name)
        self._tolerances = tuple(
            Tolerance(subject.typo_tolerance, subject.name_variants, is_foreign) for is_foreign in (False, True)
        )
        self._has_evidence = states_evidence(subject, screened.numbers)
        self._people = [PersonNameComparator(person.name, person.bearer) for person in screened.people]
        self._compared: dict[_NameKey, ComparedPartyName] = {}
        # The lowest floor that each name was found to be below.
        self._lower: dict[_NameKey, float] = {}
        self._explained: dict[tuple[int, str, bool, bool, bool], ExplainedName] = {}

    def compare(self, listed: ListedName, kind: EntityKind) -> ComparedPartyName:
        """The comparison with a name of a party of this kind, as if it were no weak alias."""
        key = (listed.text, listed.reading.text, kind)
        found = self._compared.get(key)
        if found is None:
            compared = self._compare(listed, kind, 0.0)
            found = create_compared_party_name(listed, compared if compared is not None else NOTHING_TO_COMPARE, None)
            self._compared[key] = found
        return found

    def reaches(self, listed: ListedName, kind: EntityKind, floor: float) -> bool:
        """Whether the comparison with a name scores at least `floor`. If it does not, this takes less time than `compare`.

        The first factor of people's names often shows it.
        """
        key = (listed.text, listed.reading.text, kind)
        found = self._compared.get(key)
        if found is not None:
            return found.comparison.score >= floor
        if self._lower.get(key, inf) <= floor:
            return False
        comparison = self._compare(listed, kind, floor - _ROUNDING)
        if comparison is None or comparison.score < floor:
            self._lower[key] = floor
            return False
        self._compared[key] = create_compared_party_name(listed, comparison, None)
        return True

    def excludes(self, kind: EntityKind, likely: Iterable[ListedName], floor: float) -> bool:
        """Whether a party scores below `floor` by these names. Where the subject states more than a name, the entry decides."""
        # Caps of weak aliases and parts of names only lower a score, so that without evidence the comparison alone decides.
        return not self._has_evidence and not any(self.reaches(name, kind, floor) for name in likely)

    def explain(self, name: ComparedPartyName, *, is_alias: bool) -> ExplainedName:
        """The explanation of the best name of a party, made once for parties with equal names."""
        key = (id(name.comparison), name.text, name.is_part, name.cap is None, is_alias)
        found = self._explained.get(key)
        if found is None:
            reason = Message("listed alias: {reason}", reason=name.reason) if is_alias else name.reason
            field = build_name_field(self.screened.subject.name, name.text, name.score, reason, name.comparison.breakdown())
            found = self._explained[key] = ExplainedName(field, tuple(name.steps()))
        return found

    def _compare(self, listed: ListedName, kind: EntityKind, floor: float) -> NameComparison | None:
        """The best comparison; None if there is nothing to compare, or if a person's name is found to be below `floor` early."""
        reading = listed.reading
        tolerance = self._tolerances[self._is_foreign or is_non_latin(listed.text)]
        if isinstance(reading, NormalName):
            return self._compare_organization(listed, reading, kind, tolerance)
        best: NameComparison | None = None
        for person in self._people:
            found = person.compare_above(reading, floor, tolerance)
            if found is None and floor <= 0:
                found = NOTHING_TO_COMPARE
            if found is not None and (best is None or found.score > best.score):
                best = found
        return best

    def _compare_organization(
        self, listed: ListedName, reading: NormalName, kind: EntityKind, tolerance: Tolerance
    ) -> NameComparison:
        # The parts of names of two places ("Zephyrine (Iran)", "Zephyrine (Syria)") are two organizations with one name.
        businesses = self.screened.businesses
        whole = businesses[0].text
        parts_count = not (("(" in whole or "(" in listed.text) and _name_other_places(whole, listed.text))
        if listed.is_part and not parts_count:
            return NOTHING_TO_COMPARE
        compared = [
            compare_listed_names(business, reading, kind, self._rarity, tolerance)
            for business in (businesses if parts_count else businesses[:1])
        ]
        return max(compared, key=lambda comparison: comparison.score)


def compare_party_names(
    comparator: ListedNameComparator, entry: ListedEntity, names: Iterable[ListedName]
) -> tuple[ComparedPartyName, ...]:
    """The comparisons of a party's names, each with its best parsed form; best first, equal ones in the order of the list."""
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases} if entry.weak_aliases else ()
    best: dict[str, ComparedPartyName] = {}
    for name in names:
        found = comparator.compare(name, entry.entity_type)
        if name.text in weak:
            found = create_compared_party_name(name, found.comparison, _cap_weak_alias(name))
        if name.text not in best or found.score > best[name.text].score:
            best[name.text] = found
    return tuple(sorted(best.values(), key=lambda name: -name.score))


def _cap_weak_alias(name: ListedName) -> FeatureResult:
    single = len(list_compared_words(name.reading)) < 2  # noqa: PLR2004  # one word
    cap = weights.WEAK_SINGLE_CAP if single else score_parameters.WEAK_ALIAS_CAP
    return FeatureResult("weak_alias", cap, _WEAK_ALIAS)


def score_party(comparator: ListedNameComparator, party: ParsedListedEntity, floor: float) -> ScreenedParty | None:
    """The party with its score and explanation; None if it scores below `floor`."""
    if party.likely and comparator.excludes(party.entry.entity_type, _list_likely_names(party), floor):
        return None
    return _score_party(comparator, party, floor)


def _score_party(comparator: ListedNameComparator, party: ParsedListedEntity, floor: float) -> ScreenedParty | None:
    screened, entry = comparator.screened, party.entry
    number = find_shared_number(screened.numbers, entry)
    found = collect_evidence(screened.subject, screened.numbers, entry)
    names: tuple[ComparedPartyName, ...] = ()
    if party.likely and number is None:
        names = compare_party_names(comparator, entry, _list_likely_names(party))
        if apply_evidence(names[0].score, found)[0] < floor:
            return None
    if not names or len(party.likely) < len(party.names):
        names = compare_party_names(comparator, entry, party.names)
    best = names[0]
    score, steps = apply_evidence(best.score if number is None else 1.0, found)
    if score < floor:
        return None
    explained = comparator.explain(best, is_alias=best.text != entry.name)
    fields = (explained.field, *(item.field for item in found))
    return ScreenedParty(entry, score, names, fields, (*(explained.steps if number is None else ()), *steps))


def _score_unread_party(comparator: ListedNameComparator, party: UnreadListedEntity, floor: float) -> ScreenedParty | None:
    if comparator.excludes(party.kind, _list_likely_names(party), floor):
        return None
    return _score_party(comparator, ParsedListedEntity(party.read(), party.names, party.likely), floor)


def _list_likely_names(party: ParsedListedEntity | UnreadListedEntity) -> list[ListedName]:
    return [party.names[place] for place in sorted(party.likely)]


def rank_parties(
    comparator: ListedNameComparator, parties: Iterable[ParsedListedEntity | UnreadListedEntity], *, floor: float
) -> list[ScreenedParty]:
    """The listed parties that score at least `floor`, best first; between equal scores the lower entry id comes first."""
    scored = (
        _score_unread_party(comparator, party, floor)
        if isinstance(party, UnreadListedEntity)
        else score_party(comparator, party, floor)
        for party in parties
    )
    ranked = [found for found in scored if found is not None]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked
