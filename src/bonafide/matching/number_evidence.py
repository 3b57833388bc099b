"""The registration number as evidence: the number asked for against those of an entry, each as the kind of number that it is.

Nine digits can be a business number or a number of Ontario's firms; a text that says which ("BIN …"), and the label under which a
number is published, keep the two apart. What the outcome is worth is decided in `evidence`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.matching import features
from bonafide.matching.business_numbers import stated_business_number
from bonafide.matching.identifiers import is_misread, number_keys, number_likeness, same_series
from bonafide.matching.number_labels import NumberType
from bonafide.matching.register_numbers import FORMS, doubt_as, number_doubt, published_type, stated_types
from bonafide.model.entry import BusinessEntry, JoinNumber, RegistryEntry, RegulatoryEntry
from bonafide.model.match import FieldMatch, FieldStatus


class NumberOutcome(Enum):
    """What the registration number says of a candidate."""

    UNKNOWN = auto()
    EQUAL = auto()
    MISREAD = auto()
    """One character differs: neither for nor against."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A number of an entry, and its kind; None where its label doesn't tell."""

    value: str
    type: NumberType | None = None


@dataclass(frozen=True, slots=True)
class NumberEvidence:
    """The outcome, and the entry's number that it rests on."""

    outcome: NumberOutcome
    found: PublishedNumber | None


def published_numbers(entry: RegistryEntry | BusinessEntry) -> Iterator[PublishedNumber]:
    """Every number of an entry with its kind, the entry's own first; a listing has none."""
    if isinstance(entry, RegistryEntry):
        for number in entry.registration_numbers:
            # A business number in front of the register's own, in one text, is neither kind alone.
            pair = stated_business_number("", number.value) is not None
            yield PublishedNumber(number.value, None if pair else published_type(number.label, entry.jurisdiction))
    elif isinstance(entry, RegulatoryEntry):
        if entry.registration_number is not None:
            yield PublishedNumber(entry.registration_number)
        for number in entry.join_numbers:
            register = number.jurisdiction if isinstance(number, JoinNumber) else None
            yield PublishedNumber(number.value, published_type(number.label, register))


def number_evidence(asked: str | None, published: Iterable[PublishedNumber]) -> NumberEvidence:
    """Compare the number asked for with an entry's numbers. A number of another kind or another register's series says nothing."""
    if asked is None:
        return NumberEvidence(NumberOutcome.UNKNOWN, next(iter(published), None))
    keys, stated = number_keys(asked), stated_types(asked)
    comparable = [number for number in published if not stated or number.type is None or number.type in stated]
    for outcome, holds in (
        (NumberOutcome.EQUAL, lambda number: not keys.isdisjoint(number_keys(number.value))),
        (NumberOutcome.MISREAD, lambda number: is_misread(asked, number.value)),
        (NumberOutcome.OTHER, lambda number: same_series(asked, number.value) and (stated or not _is_often_another(number))),
    ):
        found = next(filter(holds, comparable), None)
        if found is not None:
            return NumberEvidence(outcome, found)
    return NumberEvidence(NumberOutcome.UNKNOWN, None)


def _is_often_another(number: PublishedNumber) -> bool:
    """Whether a bare number of the same form is mostly of another kind: nine digits are a business number, seldom a firm's."""
    return number.type is NumberType.ONTARIO_FIRM


def number_field(asked: str | None, evidence: NumberEvidence) -> FieldMatch:
    """The compared field `registrationNumber`. Where a number that isn't equal looks wrong in itself, the reason says so."""
    found, score = evidence.found, None
    if asked is None:
        status, reason = FieldStatus.NOT_PROVIDED, "no number was given"
    elif found is None:
        status, reason = FieldStatus.NOT_PUBLISHED, _with_doubt("the source publishes no number of this kind", number_doubt(asked))
    else:
        score = round(number_likeness(asked, found.value), features.DECIMALS)
        status, reason = _explained(asked, evidence.outcome, found.type)
    return FieldMatch(
        field="registrationNumber",
        label="Registration number",
        score=score,
        status=status,
        submitted=asked,
        found=found.value if found is not None else None,
        reason=reason,
    )


def _explained(asked: str, outcome: NumberOutcome, kind: NumberType | None) -> tuple[FieldStatus, str]:
    """The status of a number that was compared, and why. The register proves an equal number, whatever its check digit."""
    if outcome is NumberOutcome.EQUAL:
        title = f" ({FORMS[kind].title})" if kind is not None else ""
        return FieldStatus.MATCHED, f"the same number{title}: the business is certain whatever its name"
    doubt = doubt_as(asked, kind) if kind is not None else number_doubt(asked)
    if outcome is NumberOutcome.MISREAD:
        return FieldStatus.PARTIAL, _with_doubt("one character differs: perhaps misread or mistyped", doubt)
    return FieldStatus.MISMATCHED, _with_doubt("another number of the same kind", doubt)


def _with_doubt(reason: str, doubt: str | None) -> str:
    return f"{reason}. {doubt}" if doubt is not None else reason
