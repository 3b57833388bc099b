"""Compare date of birth, countries, entity type and numbers of a subject with those of a listed party.

Each kind of evidence raises or lowers the score by a documented amount, with a reason. Unknown values on one side have no effect.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.i18n.message import Message
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.screening.name_parsing import StatedIdentifiers, build_identifier_keys
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldMatch, FieldStatus, ScoreChange

_FIELD_LABELS = {
    "identifiers": Message("Identifiers"),
    "dateOfBirth": Message("Date of birth"),
    "countries": Message("Countries"),
    "entityType": Message("Entity type"),
}
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPAN = "/"
_YEAR_ONLY = 4


class BirthDateMatch(Enum):
    """The result of comparing dates of birth."""

    UNKNOWN = auto()
    SAME_DAY = auto()
    SAME = auto()
    """As far as both go."""
    NEAR = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class PartyEvidence:
    """One kind of evidence: how it changes the score, up to what it may be at most, and the field that explains it.

    `raises_from`: the lowest score of a name that it raises.
    """

    field: FieldMatch
    change: float = 0.0
    cap: float = 1.0
    raises_from: float = weights.EVIDENCE_FROM

    @property
    def name(self) -> str:
        """The field's."""
        return self.field.field


def states_evidence(subject: ScreeningSubject, numbers: StatedIdentifiers) -> bool:
    """Whether the subject states more than a name, so that `collect_evidence` returns something for every party."""
    return bool(numbers.keys or subject.date_of_birth is not None or subject.countries or subject.entity_type is not None)


def collect_evidence(subject: ScreeningSubject, numbers: StatedIdentifiers, entry: ListedEntity) -> list[PartyEvidence]:
    """The evidence of everything that the subject states."""
    found: list[PartyEvidence] = []
    if numbers.keys:
        found.append(compare_identifiers(numbers, entry))
    if subject.date_of_birth is not None:
        found.append(compare_dates_of_birth(subject.date_of_birth, entry))
    if subject.countries:
        found.append(compare_countries(subject.countries, entry))
    if subject.entity_type is not None:
        found.append(compare_entity_types(subject.entity_type, entry))
    return found


def apply_evidence(name_score: float, found: Iterable[PartyEvidence]) -> tuple[float, list[ScoreChange]]:
    """The score with the evidence, and the steps from the name's score to it.

    Evidence never raises a name score below 0.7 (the same date of birth: below 0.68), nor the score of an unequal name to 1.
    """
    score, steps = name_score, []
    for item in found:
        top = max(score, weights.EVIDENCE_CAP)
        change = item.change if item.change < 0 or name_score >= item.raises_from else 0.0
        after = round(max(0.0, min(score + change, top, item.cap)), score_parameters.DECIMALS)
        if after != score:
            steps.append(
                ScoreChange(feature=item.name, change=round(after - score, score_parameters.DECIMALS), reason=item.field.reason)
            )
        score = after
    return score, steps


# --------------------------------------------------------------------------------------------------------------- numbers


def find_shared_number(numbers: StatedIdentifiers, entry: ListedEntity) -> RegistrationNumber | None:
    """The party's number that the subject's name states."""
    for identifier in entry.identifiers if numbers.keys else ():
        if not numbers.keys.isdisjoint(build_identifier_keys(identifier.value)):
            return identifier
    return None


def compare_identifiers(numbers: StatedIdentifiers, entry: ListedEntity) -> PartyEvidence:
    """Compare numbers in the name with those of the party. A different IMO number of a ship lowers the score."""
    stated, found = min(numbers.keys), find_shared_number(numbers, entry)
    if found is not None:
        return PartyEvidence(
            _build_field("identifiers", FieldStatus.MATCHED, Message("same {label}", label=found.label), (stated, found.value))
        )
    imo = [item.value for item in entry.identifiers if "IMO" in item.label.upper()]
    if numbers.imo is not None and imo:
        reason = Message("different IMO number, so a different ship")
        return PartyEvidence(
            _build_field("identifiers", FieldStatus.MISMATCHED, reason, (numbers.imo, imo[0])), weights.NUMBER_OTHER
        )
    reason = Message("not among the numbers of the listed party")
    return PartyEvidence(_build_field("identifiers", FieldStatus.NOT_PUBLISHED, reason, (stated, None)))


# --------------------------------------------------------------------------------------------------------- date of birth


_BIRTHS = {
    BirthDateMatch.SAME_DAY: (weights.BORN_SAME_DAY, FieldStatus.MATCHED, Message("same date of birth")),
    BirthDateMatch.SAME: (weights.BORN_SAME_YEAR, FieldStatus.MATCHED, Message("same date of birth, as far as it is known")),
    BirthDateMatch.NEAR: (weights.BORN_NEAR, FieldStatus.PARTIAL, Message("dates of birth are close but differ")),
    BirthDateMatch.OTHER: (weights.BORN_OTHER, FieldStatus.MISMATCHED, Message("different date of birth")),
}


def compare_dates_of_birth(requested: str, entry: ListedEntity) -> PartyEvidence:
    """Compare the date of birth with all listed ones; the nearest counts."""
    outcome = min(
        (compare_birth_date(requested, listed) for listed in _list_birth_dates(entry)),
        key=lambda one: one.value,
        default=BirthDateMatch.UNKNOWN,
    )
    printed = entry.date_of_birth or "; ".join(entry.birth_dates) or None
    if outcome is BirthDateMatch.UNKNOWN:
        reason = Message("the list states no date of birth that can be compared")
        return PartyEvidence(_build_field("dateOfBirth", FieldStatus.NOT_PUBLISHED, reason, (requested, printed)))
    change, status, reason = _BIRTHS[outcome]
    least = weights.BORN_SAME_DAY_FROM if outcome is BirthDateMatch.SAME_DAY else weights.EVIDENCE_FROM
    return PartyEvidence(_build_field("dateOfBirth", status, reason, (requested, printed)), change, raises_from=least)


def _list_birth_dates(entry: ListedEntity) -> Iterator[str]:
    yield from entry.birth_dates or _YEAR.findall(entry.date_of_birth or "")


def compare_birth_date(requested: str, listed: str) -> BirthDateMatch:
    """Compare a date of birth (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`) with a listed one, which may be a range of years (`1956/1958`)."""
    if _SPAN in listed:
        first, last = (int(year[:_YEAR_ONLY]) for year in listed.split(_SPAN, 1))
        year = int(requested[:_YEAR_ONLY])
        return (
            BirthDateMatch.SAME
            if first <= year <= last
            else BirthDateMatch.NEAR
            if first - 1 <= year <= last + 1
            else BirthDateMatch.OTHER
        )
    one, other = requested.split("-"), listed.split("-")
    if all(left == right for left, right in zip(one, other, strict=False)):
        return BirthDateMatch.SAME_DAY if len(one) == len(other) == 3 else BirthDateMatch.SAME  # noqa: PLR2004  # year, month, day
    return BirthDateMatch.NEAR if abs(int(one[0]) - int(other[0])) <= 1 else BirthDateMatch.OTHER


# ----------------------------------------------------------------------------------------------------- country and kind


def compare_countries(requested: Iterable[str], entry: ListedEntity) -> PartyEvidence:
    """Compare the subject's countries with the party's. Lists may be incomplete, so a difference lowers the score little."""
    wanted = [code.upper() for code in requested]
    texts = (", ".join(wanted), ", ".join(entry.countries) or None)
    if not entry.countries:
        return PartyEvidence(_build_field("countries", FieldStatus.NOT_PUBLISHED, Message("the list states no country"), texts))
    shared = [code for code in wanted if code in entry.countries]
    if shared:
        reason = Message("{country} in common", country=shared[0])
        return PartyEvidence(_build_field("countries", FieldStatus.MATCHED, reason, texts), weights.COUNTRY_SAME)
    reason = Message("no country in common")
    return PartyEvidence(_build_field("countries", FieldStatus.MISMATCHED, reason, texts), weights.COUNTRY_OTHER)


_KIND_LABELS = {
    EntityKind.PERSON: Message("a person"),
    EntityKind.ORGANIZATION: Message("an organization"),
    EntityKind.VESSEL: Message("a ship"),
    EntityKind.AIRCRAFT: Message("an aircraft"),
}


def compare_entity_types(requested: EntityKind, entry: ListedEntity) -> PartyEvidence:
    """Compare the entity types. A person and a ship are different parties, even if their names are equal."""
    texts = (requested.value, entry.entity_type.value)
    if requested is entry.entity_type:
        return PartyEvidence(_build_field("entityType", FieldStatus.MATCHED, Message("same entity type"), texts))
    reason = Message(
        "the listed party is {found}, the subject is {submitted}",
        found=_KIND_LABELS[entry.entity_type],
        submitted=_KIND_LABELS[requested],
    )
    return PartyEvidence(_build_field("entityType", FieldStatus.MISMATCHED, reason, texts), cap=weights.TYPE_OTHER_CAP)


def _build_field(name: str, status: FieldStatus, reason: Message, texts: tuple[str, str | None]) -> FieldMatch:
    submitted, found = texts
    return FieldMatch(
        field=name, label=_FIELD_LABELS[name], score=None, status=status, submitted=submitted, found=found, reason=reason
    )
