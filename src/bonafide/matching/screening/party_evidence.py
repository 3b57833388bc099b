"""Evidence beside the names: date of birth, countries, kind and numbers of the subject against the list's.

Each kind of evidence lifts or lowers a score by a stated amount, with its reason. What is not known on one side says nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.screening.name_parsing import StatedIdentifiers, build_identifier_keys
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldMatch, FieldStatus, ScoreChange

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPAN = "/"
_YEAR_ONLY = 4


class BirthDateMatch(Enum):
    """What the dates of birth say."""

    UNKNOWN = auto()
    SAME_DAY = auto()
    SAME = auto()
    """As far as both go."""
    NEAR = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class PartyEvidence:
    """One kind of evidence: how it changes the score, up to what it may be at most, and the field that explains it."""

    field: FieldMatch
    change: float = 0.0
    cap: float = 1.0

    @property
    def name(self) -> str:
        """The field's."""
        return self.field.field


def collect_evidence(subject: ScreeningSubject, numbers: StatedIdentifiers, entry: ListedEntity) -> list[PartyEvidence]:
    """All that the subject gives and that there is something to say of."""
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
    """The score with the evidence, and the steps from one to the other.

    Nothing lifts a name below 0.7, nor one that isn't equal to 1; a number that is the party's own is no matter of names.
    """
    score, steps = name_score, []
    for item in found:
        top = max(score, weights.EVIDENCE_CAP)
        change = item.change if item.change < 0 or name_score >= weights.EVIDENCE_FROM else 0.0
        after = round(max(0.0, min(score + change, top, item.cap)), score_parameters.DECIMALS)
        if after != score:
            steps.append(
                ScoreChange(feature=item.name, change=round(after - score, score_parameters.DECIMALS), reason=item.field.reason)
            )
        score = after
    return score, steps


# --------------------------------------------------------------------------------------------------------------- numbers


def find_shared_number(numbers: StatedIdentifiers, entry: ListedEntity) -> RegistrationNumber | None:
    """The party's number that the subject's name is or states."""
    for identifier in entry.identifiers if numbers.keys else ():
        if not numbers.keys.isdisjoint(build_identifier_keys(identifier.value)):
            return identifier
    return None


def compare_identifiers(numbers: StatedIdentifiers, entry: ListedEntity) -> PartyEvidence:
    """A number in the name that the party bears; another IMO number than the ship's counts against it."""
    stated, found = min(numbers.keys), find_shared_number(numbers, entry)
    if found is not None:
        return PartyEvidence(
            _build_field("identifiers", "Identifiers", FieldStatus.MATCHED, f"the same {found.label}", (stated, found.value))
        )
    imo = [item.value for item in entry.identifiers if "IMO" in item.label.upper()]
    if numbers.imo is not None and imo:
        reason = "another IMO number: another ship"
        return PartyEvidence(
            _build_field("identifiers", "Identifiers", FieldStatus.MISMATCHED, reason, (numbers.imo, imo[0])), weights.NUMBER_OTHER
        )
    return PartyEvidence(
        _build_field("identifiers", "Identifiers", FieldStatus.NOT_PUBLISHED, "not among the party's numbers", (stated, None))
    )


# --------------------------------------------------------------------------------------------------------- date of birth


_BIRTHS = {
    BirthDateMatch.SAME_DAY: (weights.BORN_SAME_DAY, FieldStatus.MATCHED, "born on the same day"),
    BirthDateMatch.SAME: (weights.BORN_SAME_YEAR, FieldStatus.MATCHED, "born at the same time, as far as it is known"),
    BirthDateMatch.NEAR: (weights.BORN_NEAR, FieldStatus.PARTIAL, "born near that day, but not on it"),
    BirthDateMatch.OTHER: (weights.BORN_OTHER, FieldStatus.MISMATCHED, "born at another time"),
}


def compare_dates_of_birth(asked: str, entry: ListedEntity) -> PartyEvidence:
    """The date of birth against all that the list gives; the nearest counts."""
    outcome = min(
        (compare_birth_date(asked, listed) for listed in _list_birth_dates(entry)),
        key=lambda one: one.value,
        default=BirthDateMatch.UNKNOWN,
    )
    printed = entry.date_of_birth or "; ".join(entry.birth_dates) or None
    if outcome is BirthDateMatch.UNKNOWN:
        reason = "the list gives no date of birth that can be read"
        return PartyEvidence(_build_field("dateOfBirth", "Date of birth", FieldStatus.NOT_PUBLISHED, reason, (asked, printed)))
    change, status, reason = _BIRTHS[outcome]
    return PartyEvidence(_build_field("dateOfBirth", "Date of birth", status, reason, (asked, printed)), change)


def _list_birth_dates(entry: ListedEntity) -> Iterator[str]:
    yield from entry.birth_dates or _YEAR.findall(entry.date_of_birth or "")


def compare_birth_date(asked: str, listed: str) -> BirthDateMatch:
    """What a date of birth (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`) says of a listed one, which may be years from and to (`1956/1958`)."""
    if _SPAN in listed:
        first, last = (int(year[:_YEAR_ONLY]) for year in listed.split(_SPAN, 1))
        year = int(asked[:_YEAR_ONLY])
        return (
            BirthDateMatch.SAME
            if first <= year <= last
            else BirthDateMatch.NEAR
            if first - 1 <= year <= last + 1
            else BirthDateMatch.OTHER
        )
    one, other = asked.split("-"), listed.split("-")
    if all(left == right for left, right in zip(one, other, strict=False)):
        return BirthDateMatch.SAME_DAY if len(one) == len(other) == 3 else BirthDateMatch.SAME  # noqa: PLR2004  # year, month, day
    return BirthDateMatch.NEAR if abs(int(one[0]) - int(other[0])) <= 1 else BirthDateMatch.OTHER


# ----------------------------------------------------------------------------------------------------- country and kind


def compare_countries(asked: Iterable[str], entry: ListedEntity) -> PartyEvidence:
    """The subject's countries against the party's; a party can have more than its list knows, so that it lowers little."""
    wanted = [code.upper() for code in asked]
    texts = (", ".join(wanted), ", ".join(entry.countries) or None)
    if not entry.countries:
        return PartyEvidence(_build_field("countries", "Countries", FieldStatus.NOT_PUBLISHED, "the list gives no country", texts))
    shared = [code for code in wanted if code in entry.countries]
    if shared:
        return PartyEvidence(
            _build_field("countries", "Countries", FieldStatus.MATCHED, f"{shared[0]} in common", texts), weights.COUNTRY_SAME
        )
    return PartyEvidence(
        _build_field("countries", "Countries", FieldStatus.MISMATCHED, "no country in common", texts), weights.COUNTRY_OTHER
    )


def compare_entity_types(asked: EntityKind, entry: ListedEntity) -> PartyEvidence:
    """Whether the party is what the subject is: a person's name on a ship is another party, however equal the names are."""
    texts = (asked.value, entry.entity_type.value)
    if asked is entry.entity_type:
        return PartyEvidence(_build_field("entityType", "Entity type", FieldStatus.MATCHED, "the same kind of party", texts))
    reason = f"the listed party is of the kind {entry.entity_type.value}, not {asked.value}"
    return PartyEvidence(
        _build_field("entityType", "Entity type", FieldStatus.MISMATCHED, reason, texts), cap=weights.TYPE_OTHER_CAP
    )


def _build_field(name: str, label: str, status: FieldStatus, reason: str, texts: tuple[str, str | None]) -> FieldMatch:
    submitted, found = texts
    return FieldMatch(field=name, label=label, score=None, status=status, submitted=submitted, found=found, reason=reason)
