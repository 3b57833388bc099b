"""Score a listed party against the screened subject: compare each name and apply the evidence to the best one.

The kind of the listed party selects the rules: those for people, or those for organizations and ships. Callers seldom give the
kind.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from bonafide.i18n.message import Message
from bonafide.matching.entries.evidence import build_name_field
from bonafide.matching.names.listed_words import list_places
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.people.person_name_comparison import compare_parsed_person_names, compare_person_names_above
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
from bonafide.matching.screening.party_evidence import apply_evidence, collect_evidence, find_shared_number
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldMatch, NameBreakdown, NameScore, ScoreChange

_PART_OF_NAME = Message("part of the name")
_WEAK_ALIAS = Message("weak alias, according to the list")
_ROUNDING = 10**-score_parameters.DECIMALS
"""At least the amount by which rounding raises a score."""


@dataclass(frozen=True, slots=True)
class ParsedListedEntity:
    """A listed party, and each of its distinct names in its normal form, the main one first.

    `likely` are the positions of the names that an estimate found similar, to be compared first; empty without an estimate.
    """

    entry: ListedEntity
    names: tuple[ListedName, ...]
    likely: tuple[int, ...] = ()


def parse_listed_entity(entry: ListedEntity) -> ParsedListedEntity:
    """Parse a party's names."""
    return ParsedListedEntity(entry, parse_listed_names(entry.entity_type, entry.list_search_names()))


def parse_listed_names(kind: EntityKind, texts: Iterable[str]) -> tuple[ListedName, ...]:
    """The parsed forms of each distinct name of a party of this kind."""
    return tuple(name for text in dict.fromkeys(texts) for name in parse_listed_name(text, kind))


@dataclass(frozen=True, slots=True)
class ComparedPartyName:
    """The comparison of one name of a listed party. Weak aliases score less, and weak aliases of one word least."""

    text: str
    comparison: NameComparison
    cap: FeatureResult | None
    is_part: bool = False

    @property
    def score(self) -> float:
        """The score of the comparison, reduced for a part of a name, and limited by the cap."""
        score = round(self.comparison.score * (weights.PART_OF_NAME if self.is_part else 1.0), score_parameters.DECIMALS)
        return score if self.cap is None else min(score, self.cap.score)

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


def compare_subject_name(
    screened: ParsedSubject, listed: ListedName, kind: EntityKind = EntityKind.ORGANIZATION, rarity: WordRarity = STATIC_RARITY
) -> NameComparison:
    """Compare the subject with one name of a listed party. A single given or family name scores below 0.7 against a longer name."""
    reading, tolerance = listed.reading, _choose_tolerance(screened.subject, listed)
    if isinstance(reading, NormalName):
        # The parts of names of two places ("Zephyrine (Iran)", "Zephyrine (Syria)") are two organizations with one name.
        whole = screened.businesses[0].text
        parts_count = not (("(" in whole or "(" in listed.text) and _name_other_places(whole, listed.text))
        businesses = screened.businesses if parts_count else screened.businesses[:1]
        compared = [compare_listed_names(business, reading, kind, rarity, tolerance) for business in businesses]
        if listed.is_part and not parts_count:
            compared = [NOTHING_TO_COMPARE]
    else:
        compared = [compare_parsed_person_names(person.name, reading, tolerance, person.bearer) for person in screened.people]
    return max(compared, key=lambda comparison: comparison.score)


def compare_subject_name_above(
    screened: ParsedSubject, listed: ListedName, floor: float, kind: EntityKind, rarity: WordRarity = STATIC_RARITY
) -> NameComparison | None:
    """As `compare_subject_name`; None if the score is below `floor`, which the first factor of people's names shows early."""
    reading = listed.reading
    if isinstance(reading, NormalName):
        best: NameComparison | None = compare_subject_name(screened, listed, kind, rarity)
    else:
        tolerance = _choose_tolerance(screened.subject, listed)
        compared = (
            compare_person_names_above(person.name, reading, floor - _ROUNDING, tolerance, person.bearer)
            for person in screened.people
        )
        found = (comparison for comparison in compared if comparison is not None)
        best = max(found, key=lambda comparison: comparison.score, default=None)
    return best if best is not None and best.score >= floor else None


def _choose_tolerance(requested: ScreeningSubject, listed: ListedName) -> Tolerance:
    is_foreign = is_non_latin(requested.name) or is_non_latin(listed.text)
    return Tolerance(requested.typo_tolerance, requested.name_variants, is_foreign)


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
    names = [
        ComparedPartyName(name.text, compare_subject_name(screened, name, kind), None, is_part=name.is_part)
        for name in parse_listed_name(listed, kind)
    ]
    return max(names, key=lambda name: name.score)


class ListedNameComparator:
    """Compares one screened subject with listed names, equal ones once: parties share names, and lists repeat parties."""

    def __init__(self, screened: ParsedSubject, rarity: WordRarity = STATIC_RARITY) -> None:
        self.screened = screened
        self._rarity = rarity
        self._compared: dict[tuple[ListedName, EntityKind], NameComparison] = {}
        self._lower: set[tuple[tuple[ListedName, EntityKind], float]] = set()
        self._breakdowns: dict[int, NameBreakdown] = {}

    def compare(self, listed: ListedName, kind: EntityKind) -> NameComparison:
        """The comparison with a name of a party of this kind."""
        key = (listed, kind)
        found = self._compared.get(key)
        if found is None:
            found = self._compared[key] = compare_subject_name(self.screened, listed, kind, self._rarity)
        return found

    def reaches(self, listed: ListedName, kind: EntityKind, floor: float) -> bool:
        """Whether the score of a name is at least `floor`. If it is not, this takes less time than `compare`."""
        key = (listed, kind)
        found = self._compared.get(key)
        if found is None and (key, floor) not in self._lower:
            found = compare_subject_name_above(self.screened, listed, floor, kind, self._rarity)
            if found is None:
                self._lower.add((key, floor))
            else:
                self._compared[key] = found
        return found is not None and found.score >= floor

    def build_breakdown(self, comparison: NameComparison) -> NameBreakdown:
        """The breakdown of a comparison that `compare` has returned, built once."""
        key = id(comparison)
        found = self._breakdowns.get(key)
        if found is None:
            found = self._breakdowns[key] = comparison.breakdown()
        return found


def compare_party_names(
    comparator: ListedNameComparator, entry: ListedEntity, names: Iterable[ListedName]
) -> tuple[ComparedPartyName, ...]:
    """The comparisons of a party's names, each with its best parsed form; best first, equal ones in the order of the list."""
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases} if entry.weak_aliases else ()
    best: dict[str, ComparedPartyName] = {}
    for name in names:
        comparison = comparator.compare(name, entry.entity_type)
        found = ComparedPartyName(name.text, comparison, _cap_weak_alias(name) if name.text in weak else None, is_part=name.is_part)
        if name.text not in best or found.score > best[name.text].score:
            best[name.text] = found
    return tuple(sorted(best.values(), key=lambda name: -name.score))


def _cap_weak_alias(name: ListedName) -> FeatureResult:
    single = len(list_compared_words(name.reading)) < 2  # noqa: PLR2004  # one word
    cap = weights.WEAK_SINGLE_CAP if single else score_parameters.WEAK_ALIAS_CAP
    return FeatureResult("weak_alias", cap, _WEAK_ALIAS)


def score_party(comparator: ListedNameComparator, party: ParsedListedEntity, floor: float) -> ScreenedParty | None:
    """The party with its score and explanation; None if it scores below `floor`."""
    screened, entry = comparator.screened, party.entry
    number = find_shared_number(screened.numbers, entry)
    found = collect_evidence(screened.subject, screened.numbers, entry)
    names: tuple[ComparedPartyName, ...] = ()
    if party.likely and number is None:
        likely = [party.names[place] for place in sorted(party.likely)]
        # Caps of weak aliases and parts of names only lower a score, so that without evidence the comparison alone decides.
        if not found and not any(comparator.reaches(name, entry.entity_type, floor) for name in likely):
            return None
        names = compare_party_names(comparator, entry, likely)
        if apply_evidence(names[0].score, found)[0] < floor:
            return None
    if not names or len(party.likely) < len(party.names):
        names = compare_party_names(comparator, entry, party.names)
    score, steps = apply_evidence(names[0].score if number is None else 1.0, found)
    if score < floor:
        return None
    name_steps = names[0].steps() if number is None else ()
    best = names[0]
    reason = best.reason if best.text == entry.name else Message("listed alias: {reason}", reason=best.reason)
    breakdown = comparator.build_breakdown(best.comparison)
    name_field = build_name_field(screened.subject.name, best.text, best.score, reason, breakdown)
    fields = (name_field, *(item.field for item in found))
    return ScreenedParty(entry, score, names, fields, (*name_steps, *steps))


def rank_parties(comparator: ListedNameComparator, parties: Iterable[ParsedListedEntity], *, floor: float) -> list[ScreenedParty]:
    """The listed parties that score at least `floor`, best first; between equal scores the lower entry id comes first."""
    ranked = [found for party in parties if (found := score_party(comparator, party, floor)) is not None]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked
