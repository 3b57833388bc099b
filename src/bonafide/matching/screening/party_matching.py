"""Score a listed party against the screened subject: compare each name and apply the evidence to the best one.

People are compared by the rules for people, all else by those for organizations: what is listed decides, because a caller seldom
says whose name it is. It looks nothing up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.matching.entries.evidence import build_name_field
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.people.person_name_comparison import compare_parsed_person_names
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison
from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.listed_name_comparison import compare_listed_names
from bonafide.matching.screening.name_parsing import ListedName, ParsedSubject, list_compared_words, parse_listed_name
from bonafide.matching.screening.party_evidence import apply_evidence, collect_evidence, find_shared_number
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.search.match import FieldMatch, NameScore, ScoreChange


@dataclass(frozen=True, slots=True)
class ParsedListedEntity:
    """A listed party, and each of its distinct names in its normal form, the main one first.

    `likely` are the places of the names that an estimate found near, to be compared first; none where nobody has estimated.
    """

    entry: ListedEntity
    names: tuple[ListedName, ...]
    likely: tuple[int, ...] = ()


def parse_listed_entity(entry: ListedEntity) -> ParsedListedEntity:
    """Read a party's names."""
    return ParsedListedEntity(entry, parse_listed_names(entry.entity_type, entry.list_search_names()))


def parse_listed_names(kind: EntityKind, texts: Iterable[str]) -> tuple[ListedName, ...]:
    """Each distinct name of a party of this kind, in each way in which it may be read."""
    return tuple(name for text in dict.fromkeys(texts) for name in parse_listed_name(text, kind))


@dataclass(frozen=True, slots=True)
class ComparedPartyName:
    """One name of a listed party, compared. What its list calls weak scores less, and one weak word least."""

    text: str
    comparison: NameComparison
    cap: FeatureResult | None
    is_part: bool = False

    @property
    def score(self) -> float:
        """The comparison's, less a little for a part of a name, and limited."""
        score = round(self.comparison.score * (weights.PART_OF_NAME if self.is_part else 1.0), score_parameters.DECIMALS)
        return score if self.cap is None else min(score, self.cap.score)

    @property
    def reason(self) -> str:
        """How the names compare."""
        reason = f"part of the name: {self.comparison.reason}" if self.is_part else self.comparison.reason
        return reason if self.cap is None else f"{reason} ({self.cap.reason})"

    def steps(self) -> Iterator[ScoreChange]:
        """How the score came down from 1, step by step: the factors, then the lowest cap."""
        score = 1.0
        for factor in self.comparison.factors:
            before, score = score, score * factor.score
            yield _to_score_change(factor, score - before)
        if self.is_part:
            before, score = score, score * weights.PART_OF_NAME
            yield ScoreChange(
                feature="part_of_name", change=round(score - before, score_parameters.DECIMALS), reason="part of the name"
            )
        caps = [*self.comparison.caps, *([self.cap] if self.cap is not None else [])]
        lowest = min(caps, key=lambda cap: cap.score, default=None)
        if lowest is not None and lowest.score < score:
            yield _to_score_change(lowest, lowest.score - score)


def _to_score_change(result: FeatureResult, change: float) -> ScoreChange:
    return ScoreChange(feature=result.feature, change=round(change, score_parameters.DECIMALS), reason=result.reason)


@dataclass(frozen=True, slots=True)
class ScreenedParty:
    """A party as it was found: the score with all evidence, its names best first, the fields and steps that explain it."""

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
        """What lowered the score. 1 and the changes of `penalties` and `lifts` add up to it."""
        return tuple(change for change in self.changes if change.change < 0)

    @property
    def lifts(self) -> tuple[ScoreChange, ...]:
        """What raised the score."""
        return tuple(change for change in self.changes if change.change > 0)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reason of each field."""
        return tuple(field.reason for field in self.fields)

    @property
    def name_scores(self) -> tuple[NameScore, ...]:
        """The score of each name by itself."""
        return tuple(NameScore(name=item.text, score=item.score) for item in self.names)


def compare_subject_name(
    screened: ParsedSubject, listed: ListedName, kind: EntityKind = EntityKind.ORGANIZATION, rarity: WordRarity = STATIC_RARITY
) -> NameComparison:
    """Compare it with one name of a listed party. A single given or family name never reaches 0.7 against a fuller name."""
    asked, reading = screened.subject, listed.reading
    tolerance = Tolerance(asked.typo_tolerance, asked.name_variants, is_non_latin(asked.name) or is_non_latin(listed.text))
    compared = (
        [compare_listed_names(business, reading, kind, rarity, tolerance) for business in screened.businesses]
        if isinstance(reading, NormalName)
        else [compare_parsed_person_names(person.name, reading, tolerance, person.bearer) for person in screened.people]
    )
    return max(compared, key=lambda comparison: comparison.score)


def compare_party_names(
    screened: ParsedSubject, entry: ListedEntity, names: Iterable[ListedName], rarity: WordRarity = STATIC_RARITY
) -> tuple[ComparedPartyName, ...]:
    """A party's names, compared, each in the best of its readings; best first, of equals the one that its list gives first."""
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases}
    best: dict[str, ComparedPartyName] = {}
    for name in names:
        comparison = compare_subject_name(screened, name, entry.entity_type, rarity)
        found = ComparedPartyName(name.text, comparison, _cap_weak_alias(name) if name.text in weak else None, is_part=name.is_part)
        if name.text not in best or found.score > best[name.text].score:
            best[name.text] = found
    return tuple(sorted(best.values(), key=lambda name: -name.score))


def _cap_weak_alias(name: ListedName) -> FeatureResult:
    single = len(list_compared_words(name.reading)) < 2  # noqa: PLR2004  # one word
    cap = weights.WEAK_SINGLE_CAP if single else score_parameters.WEAK_ALIAS_CAP
    return FeatureResult("weak_alias", cap, "an alias that the list calls weak")


def score_party(
    screened: ParsedSubject, party: ParsedListedEntity, floor: float, rarity: WordRarity = STATIC_RARITY
) -> ScreenedParty | None:
    """The party with its score, explained; None where it scores below `floor`."""
    entry = party.entry
    number = find_shared_number(screened.numbers, entry)
    found = collect_evidence(screened.subject, screened.numbers, entry)
    if party.likely and number is None:
        likely = compare_party_names(screened, entry, [party.names[place] for place in party.likely], rarity)
        if apply_evidence(likely[0].score, found)[0] < floor:
            return None
    names = compare_party_names(screened, entry, party.names, rarity)
    score, steps = apply_evidence(names[0].score if number is None else 1.0, found)
    if score < floor:
        return None
    name_steps = names[0].steps() if number is None else ()
    best = names[0]
    reason = best.reason if best.text == entry.name else f"listed alias: {best.reason}"
    name_field = build_name_field(screened.subject.name, best.text, best.score, reason, best.comparison.breakdown())
    fields = (name_field, *(item.field for item in found))
    return ScreenedParty(entry, score, names, fields, (*name_steps, *steps))


def rank_parties(
    screened: ParsedSubject, parties: Iterable[ParsedListedEntity], *, floor: float, rarity: WordRarity = STATIC_RARITY
) -> list[ScreenedParty]:
    """The listed parties that score at least `floor`, best first; between equal scores the lower entry id comes first."""
    ranked = [found for party in parties if (found := score_party(screened, party, floor, rarity)) is not None]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked
