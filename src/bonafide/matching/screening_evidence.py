"""What stands beside the names: date of birth, countries, kind and numbers of the subject against those that the list gives.

Each kind of evidence lifts or lowers a score by a stated amount, with its reason. What is not known on one side says nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.screening_numbers import StatedNumbers, number_keys
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.match import FieldMatch, FieldStatus, ScoreChange
from bonafide.model.query import ScreeningSubject

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPAN = "/"
_YEAR_ONLY = 4


class Birth(Enum):
    """What the dates of birth say."""

    UNKNOWN = auto()
    SAME_DAY = auto()
    SAME = auto()
    """As far as both go."""
    NEAR = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence: how it changes the score, up to what it may be at most, and the field that explains it."""

    field: FieldMatch
    change: float = 0.0
    cap: float = 1.0

    @property
    def name(self) -> str:
        """The field's."""
        return self.field.field


def evidence(subject: ScreeningSubject, numbers: StatedNumbers, entry: ListedEntity) -> list[Evidence]:
    """All that the subject gives and that there is something to say of."""
    found: list[Evidence] = []
    if numbers.keys:
        found.append(number_evidence(numbers, entry))
    if subject.date_of_birth is not None:
        found.append(birth_evidence(subject.date_of_birth, entry))
    if subject.countries:
        found.append(country_evidence(subject.countries, entry))
    if subject.entity_type is not None:
        found.append(type_evidence(subject.entity_type, entry))
    return found


def weighed(name_score: float, found: Iterable[Evidence]) -> tuple[float, list[ScoreChange]]:
    """The score with the evidence, and the steps from one to the other.

    Nothing lifts a name below 0.7, nor one that isn't equal to 1; a number that is the party's own is no matter of names.
    """
    score, steps = name_score, []
    for item in found:
        top = max(score, weights.EVIDENCE_CAP)
        change = item.change if item.change < 0 or name_score >= weights.EVIDENCE_FROM else 0.0
        after = round(max(0.0, min(score + change, top, item.cap)), features.DECIMALS)
        if after != score:
            steps.append(ScoreChange(feature=item.name, change=round(after - score, features.DECIMALS), reason=item.field.reason))
        score = after
    return score, steps


# --------------------------------------------------------------------------------------------------------------- numbers


def shared_number(numbers: StatedNumbers, entry: ListedEntity) -> RegistrationNumber | None:
    """The party's number that the subject's name is or states."""
    for identifier in entry.identifiers if numbers.keys else ():
        if not numbers.keys.isdisjoint(number_keys(identifier.value)):
            return identifier
    return None


def number_evidence(numbers: StatedNumbers, entry: ListedEntity) -> Evidence:
    """A number in the name that the party bears; another IMO number than the ship's counts against it."""
    stated, found = min(numbers.keys), shared_number(numbers, entry)
    if found is not None:
        return Evidence(_field("identifiers", "Identifiers", FieldStatus.MATCHED, f"the same {found.label}", (stated, found.value)))
    imo = [item.value for item in entry.identifiers if "IMO" in item.label.upper()]
    if numbers.imo is not None and imo:
        reason = "another IMO number: another ship"
        return Evidence(
            _field("identifiers", "Identifiers", FieldStatus.MISMATCHED, reason, (numbers.imo, imo[0])), weights.NUMBER_OTHER
        )
    return Evidence(
        _field("identifiers", "Identifiers", FieldStatus.NOT_PUBLISHED, "not among the party's numbers", (stated, None))
    )


# --------------------------------------------------------------------------------------------------------- date of birth


_BIRTHS = {
    Birth.SAME_DAY: (weights.BORN_SAME_DAY, FieldStatus.MATCHED, "born on the same day"),
    Birth.SAME: (weights.BORN_SAME_YEAR, FieldStatus.MATCHED, "born at the same time, as far as it is known"),
    Birth.NEAR: (weights.BORN_NEAR, FieldStatus.PARTIAL, "born near that day, but not on it"),
    Birth.OTHER: (weights.BORN_OTHER, FieldStatus.MISMATCHED, "born at another time"),
}


def birth_evidence(asked: str, entry: ListedEntity) -> Evidence:
    """The date of birth against all that the list gives; the nearest counts."""
    outcome = min((born(asked, listed) for listed in _births(entry)), key=lambda one: one.value, default=Birth.UNKNOWN)
    printed = entry.date_of_birth or "; ".join(entry.birth_dates) or None
    if outcome is Birth.UNKNOWN:
        reason = "the list gives no date of birth that can be read"
        return Evidence(_field("dateOfBirth", "Date of birth", FieldStatus.NOT_PUBLISHED, reason, (asked, printed)))
    change, status, reason = _BIRTHS[outcome]
    return Evidence(_field("dateOfBirth", "Date of birth", status, reason, (asked, printed)), change)


def _births(entry: ListedEntity) -> Iterator[str]:
    yield from entry.birth_dates or _YEAR.findall(entry.date_of_birth or "")


def born(asked: str, listed: str) -> Birth:
    """What a date of birth (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`) says of a listed one, which may be years from and to (`1956/1958`)."""
    if _SPAN in listed:
        first, last = (int(year[:_YEAR_ONLY]) for year in listed.split(_SPAN, 1))
        year = int(asked[:_YEAR_ONLY])
        return Birth.SAME if first <= year <= last else Birth.NEAR if first - 1 <= year <= last + 1 else Birth.OTHER
    one, other = asked.split("-"), listed.split("-")
    if all(left == right for left, right in zip(one, other, strict=False)):
        return Birth.SAME_DAY if len(one) == len(other) == 3 else Birth.SAME  # noqa: PLR2004  # year, month, day
    return Birth.NEAR if abs(int(one[0]) - int(other[0])) <= 1 else Birth.OTHER


# ----------------------------------------------------------------------------------------------------- country and kind


def country_evidence(asked: Iterable[str], entry: ListedEntity) -> Evidence:
    """The subject's countries against the party's; a party can have more than its list knows, so that it lowers little."""
    wanted = [code.upper() for code in asked]
    texts = (", ".join(wanted), ", ".join(entry.countries) or None)
    if not entry.countries:
        return Evidence(_field("countries", "Countries", FieldStatus.NOT_PUBLISHED, "the list gives no country", texts))
    shared = [code for code in wanted if code in entry.countries]
    if shared:
        return Evidence(
            _field("countries", "Countries", FieldStatus.MATCHED, f"{shared[0]} in common", texts), weights.COUNTRY_SAME
        )
    return Evidence(_field("countries", "Countries", FieldStatus.MISMATCHED, "no country in common", texts), weights.COUNTRY_OTHER)


def type_evidence(asked: EntityKind, entry: ListedEntity) -> Evidence:
    """Whether the party is what the subject is: a person's name on a ship is another party, however equal the names are."""
    texts = (asked.value, entry.entity_type.value)
    if asked is entry.entity_type:
        return Evidence(_field("entityType", "Entity type", FieldStatus.MATCHED, "the same kind of party", texts))
    reason = f"the listed party is of the kind {entry.entity_type.value}, not {asked.value}"
    return Evidence(_field("entityType", "Entity type", FieldStatus.MISMATCHED, reason, texts), cap=weights.TYPE_OTHER_CAP)


def _field(name: str, label: str, status: FieldStatus, reason: str, texts: tuple[str, str | None]) -> FieldMatch:
    submitted, found = texts
    return FieldMatch(field=name, label=label, score=None, status=status, submitted=submitted, found=found, reason=reason)
