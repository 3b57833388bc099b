"""A listed party against the subject that is screened: each of its names compared, the best one weighed with the evidence.

People are compared by the rules for people, all else by those for organizations: what is listed decides, because a caller seldom
says whose name it is. It looks nothing up, and ranks nothing; that is `rank`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.comparison import FeatureResult, NameComparison
from bonafide.matching.names import NormalName
from bonafide.matching.person_names import compare_people
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.matching.screening_evidence import evidence, shared_number, weighed
from bonafide.matching.screening_features import compare_listed
from bonafide.matching.screening_leeway import Leeway
from bonafide.matching.screening_names import ListedName, ReadSubject, listed_names, words_of
from bonafide.matching.transliteration import is_foreign
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.match import FieldMatch, NameScore, ScoreChange


@dataclass(frozen=True, slots=True)
class ReadEntity:
    """A listed party, and each of its distinct names in its normal form, the main one first.

    `likely` are the places of the names that an estimate found near, to be compared first; none where nobody has estimated.
    """

    entry: ListedEntity
    names: tuple[ListedName, ...]
    likely: tuple[int, ...] = ()


def read_entity(entry: ListedEntity) -> ReadEntity:
    """Read a party's names."""
    return ReadEntity(entry, names_of(entry.entity_type, entry.searchable_names()))


def names_of(kind: EntityKind, texts: Iterable[str]) -> tuple[ListedName, ...]:
    """Each distinct name of a party of this kind, in each way in which it may be read."""
    return tuple(name for text in dict.fromkeys(texts) for name in listed_names(text, kind))


@dataclass(frozen=True, slots=True)
class NameOfParty:
    """One name of a listed party, compared. What its list calls weak scores less, and one weak word least."""

    text: str
    comparison: NameComparison
    cap: FeatureResult | None
    is_part: bool = False

    @property
    def score(self) -> float:
        """The comparison's, less a little for a part of a name, and limited."""
        score = round(self.comparison.score * (weights.PART_OF_NAME if self.is_part else 1.0), features.DECIMALS)
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
            yield _change(factor, score - before)
        if self.is_part:
            before, score = score, score * weights.PART_OF_NAME
            yield ScoreChange(feature="part_of_name", change=round(score - before, features.DECIMALS), reason="part of the name")
        caps = [*self.comparison.caps, *([self.cap] if self.cap is not None else [])]
        lowest = min(caps, key=lambda cap: cap.score, default=None)
        if lowest is not None and lowest.score < score:
            yield _change(lowest, lowest.score - score)


def _change(result: FeatureResult, change: float) -> ScoreChange:
    return ScoreChange(feature=result.feature, change=round(change, features.DECIMALS), reason=result.reason)


@dataclass(frozen=True, slots=True)
class ScreenedParty:
    """A party as it was found: the score with all evidence, its names best first, the fields and steps that explain it."""

    entry: ListedEntity
    score: float
    names: tuple[NameOfParty, ...]
    number: RegistrationNumber | None
    fields: tuple[FieldMatch, ...]
    changes: tuple[ScoreChange, ...]

    @property
    def name_scores(self) -> tuple[NameScore, ...]:
        """The score of each name by itself."""
        return tuple(NameScore(name=item.text, score=item.score) for item in self.names)


def compare_subject(
    screened: ReadSubject, listed: ListedName, kind: EntityKind = EntityKind.ORGANIZATION, rarity: Rarity = STATIC
) -> NameComparison:
    """Compare it with one name of a listed party. A single given or family name never reaches 0.7 against a fuller name."""
    asked, reading = screened.subject, listed.reading
    leeway = Leeway(asked.typo_tolerance, asked.name_variants, is_foreign(asked.name) or is_foreign(listed.text))
    compared = (
        [compare_listed(business, reading, kind, rarity, leeway) for business in screened.businesses]
        if isinstance(reading, NormalName)
        else [compare_people(person.name, reading, leeway, person.bearer) for person in screened.people]
    )
    return max(compared, key=lambda comparison: comparison.score)


def screened_names(
    screened: ReadSubject, entry: ListedEntity, names: Iterable[ListedName], rarity: Rarity = STATIC
) -> tuple[NameOfParty, ...]:
    """A party's names, compared, each in the best of its readings; best first, of equals the one that its list gives first."""
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases}
    best: dict[str, NameOfParty] = {}
    for name in names:
        comparison = compare_subject(screened, name, entry.entity_type, rarity)
        found = NameOfParty(name.text, comparison, _weakness(name) if name.text in weak else None, is_part=name.is_part)
        if name.text not in best or found.score > best[name.text].score:
            best[name.text] = found
    return tuple(sorted(best.values(), key=lambda name: -name.score))


def _weakness(name: ListedName) -> FeatureResult:
    single = len(words_of(name.reading)) < 2  # noqa: PLR2004  # one word
    cap = weights.WEAK_SINGLE_CAP if single else features.WEAK_ALIAS_CAP
    return FeatureResult("weak_alias", cap, lambda: "an alias that the list calls weak")


def screen_party(screened: ReadSubject, party: ReadEntity, floor: float, rarity: Rarity = STATIC) -> ScreenedParty | None:
    """The party with its score, explained; None where it scores below `floor`."""
    entry = party.entry
    number = shared_number(screened.numbers, entry)
    found = evidence(screened.subject, screened.numbers, entry)
    if party.likely and number is None:
        likely = screened_names(screened, entry, [party.names[place] for place in party.likely], rarity)
        if weighed(likely[0].score, found)[0] < floor:
            return None
    names = screened_names(screened, entry, party.names, rarity)
    score, steps = weighed(names[0].score if number is None else 1.0, found)
    if score < floor:
        return None
    name_steps = names[0].steps() if number is None else ()
    fields = (_name_field(screened, names[0], entry), *(item.field for item in found))
    return ScreenedParty(entry, score, names, number, fields, (*name_steps, *steps))


def _name_field(screened: ReadSubject, best: NameOfParty, entry: ListedEntity) -> FieldMatch:
    reason = best.reason if best.text == entry.name else f"listed alias: {best.reason}"
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=best.score,
        status=features.field_status(best.score),
        submitted=screened.subject.name,
        found=best.text,
        reason=reason,
        breakdown=best.comparison.breakdown(),
    )
