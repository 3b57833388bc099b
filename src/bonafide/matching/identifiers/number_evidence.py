"""The registration number as evidence: the number asked for against those of an entry, each as the kind of number that it is.

Nine digits can be a business number or a number of Ontario's firms; a text that says which ("BIN …"), and the label under which a
number is published, keep the two apart. What the outcome is worth is decided in `evidence`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.matching.identifiers.number_formats import (
    NUMBER_FORMATS,
    detect_number_types,
    find_number_problem,
    find_type_problem,
    parse_published_type,
    parse_stated_business_number,
)
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.identifiers.number_matching import build_number_keys, compare_numbers, is_misread, is_same_series
from bonafide.matching.scoring import score_parameters
from bonafide.model.entry import BusinessEntry, JoinNumber, RegistryEntry, RegulatoryEntry
from bonafide.model.search.match import FieldMatch, FieldStatus


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


def list_published_numbers(entry: RegistryEntry | BusinessEntry) -> Iterator[PublishedNumber]:
    """Every number of an entry with its kind, the entry's own first; a listing has none."""
    if isinstance(entry, RegistryEntry):
        for number in entry.registration_numbers:
            # A business number in front of the register's own, in one text, is neither kind alone.
            pair = parse_stated_business_number("", number.value) is not None
            yield PublishedNumber(number.value, None if pair else parse_published_type(number.label, entry.jurisdiction))
    elif isinstance(entry, RegulatoryEntry):
        if entry.registration_number is not None:
            yield PublishedNumber(entry.registration_number)
        for number in entry.join_numbers:
            register = number.jurisdiction if isinstance(number, JoinNumber) else None
            yield PublishedNumber(number.value, parse_published_type(number.label, register))


def find_number_evidence(asked: str | None, published: Iterable[PublishedNumber]) -> NumberEvidence:
    """Compare the number asked for with an entry's numbers. A number of another kind or another register's series says nothing."""
    if asked is None:
        return NumberEvidence(NumberOutcome.UNKNOWN, next(iter(published), None))
    keys, stated = build_number_keys(asked), detect_number_types(asked)
    comparable = [number for number in published if not stated or number.type is None or number.type in stated]
    for outcome, holds in (
        (NumberOutcome.EQUAL, lambda number: not keys.isdisjoint(build_number_keys(number.value))),
        (NumberOutcome.MISREAD, lambda number: is_misread(asked, number.value)),
        (NumberOutcome.OTHER, lambda number: is_same_series(asked, number.value) and (stated or not _is_ambiguous(number))),
    ):
        found = next(filter(holds, comparable), None)
        if found is not None:
            return NumberEvidence(outcome, found)
    return NumberEvidence(NumberOutcome.UNKNOWN, None)


def _is_ambiguous(number: PublishedNumber) -> bool:
    """Whether a bare number of the same form is mostly of another kind: nine digits are a business number, seldom a firm's."""
    return number.type is NumberType.ONTARIO_FIRM


def build_number_field(asked: str | None, evidence: NumberEvidence) -> FieldMatch:
    """The compared field `registrationNumber`. Where a number that isn't equal looks wrong in itself, the reason says so."""
    found, score = evidence.found, None
    if asked is None:
        status, reason = FieldStatus.NOT_PROVIDED, "no number was given"
    elif found is None:
        status, reason = (
            FieldStatus.NOT_PUBLISHED,
            append_problem("the source publishes no number of this kind", find_number_problem(asked)),
        )
    else:
        score = round(compare_numbers(asked, found.value), score_parameters.DECIMALS)
        status, reason = _explain(asked, evidence.outcome, found.type)
    return FieldMatch(
        field="registrationNumber",
        label="Registration number",
        score=score,
        status=status,
        submitted=asked,
        found=found.value if found is not None else None,
        reason=reason,
    )


def _explain(asked: str, outcome: NumberOutcome, kind: NumberType | None) -> tuple[FieldStatus, str]:
    """The status of a number that was compared, and why. The register proves an equal number, whatever its check digit."""
    if outcome is NumberOutcome.EQUAL:
        title = f" ({NUMBER_FORMATS[kind].title})" if kind is not None else ""
        return FieldStatus.MATCHED, f"the same number{title}: the business is certain whatever its name"
    doubt = find_type_problem(asked, kind) if kind is not None else find_number_problem(asked)
    if outcome is NumberOutcome.MISREAD:
        return FieldStatus.PARTIAL, append_problem("one character differs: perhaps misread or mistyped", doubt)
    return FieldStatus.MISMATCHED, append_problem("another number of the same kind", doubt)


def append_problem(reason: str, doubt: str | None) -> str:
    """A reason, and behind it why the number looks invalid where it does."""
    return f"{reason}. {doubt}" if doubt is not None else reason
