"""Compare a requested registration number with the numbers of an entry, by type of number.

Nine digits can be a business number or a number of an Ontario firm; words in the request ("BIN …") and the label of a published
number distinguish the two. The effect on the score is defined in `entries.evidence`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from bonafide.i18n.message import Message
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
    """The result of comparing the registration number with a candidate's."""

    UNKNOWN = auto()
    EQUAL = auto()
    MISREAD = auto()
    """One character differs: no effect on the score."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A number of an entry and its type; None if its label does not state it."""

    value: str
    type: NumberType | None = None


@dataclass(frozen=True, slots=True)
class NumberEvidence:
    """The outcome, and the number of the entry that was compared."""

    outcome: NumberOutcome
    found: PublishedNumber | None


def list_published_numbers(entry: RegistryEntry | BusinessEntry) -> Iterator[PublishedNumber]:
    """Every number of an entry with its type, the entry's own first; a listing has none."""
    if isinstance(entry, RegistryEntry):
        for number in entry.registration_numbers:
            # A business number followed by the register's own number, in one text, has no single type.
            pair = parse_stated_business_number("", number.value) is not None
            yield PublishedNumber(number.value, None if pair else parse_published_type(number.label, entry.jurisdiction))
    elif isinstance(entry, RegulatoryEntry):
        if entry.registration_number is not None:
            yield PublishedNumber(entry.registration_number)
        for number in entry.join_numbers:
            register = number.jurisdiction if isinstance(number, JoinNumber) else None
            yield PublishedNumber(number.value, parse_published_type(number.label, register))


def find_number_evidence(requested: str | None, published: Iterable[PublishedNumber]) -> NumberEvidence:
    """Compare the requested number with the numbers of an entry. Numbers of another type or series are ignored."""
    if requested is None:
        return NumberEvidence(NumberOutcome.UNKNOWN, next(iter(published), None))
    keys, stated = build_number_keys(requested), detect_number_types(requested)
    comparable = [number for number in published if not stated or number.type is None or number.type in stated]
    for outcome, holds in (
        (NumberOutcome.EQUAL, lambda number: not keys.isdisjoint(build_number_keys(number.value))),
        (NumberOutcome.MISREAD, lambda number: is_misread(requested, number.value)),
        (NumberOutcome.OTHER, lambda number: is_same_series(requested, number.value) and (stated or not _is_ambiguous(number))),
    ):
        found = next(filter(holds, comparable), None)
        if found is not None:
            return NumberEvidence(outcome, found)
    return NumberEvidence(NumberOutcome.UNKNOWN, None)


def _is_ambiguous(number: PublishedNumber) -> bool:
    """Whether a bare number of this form usually has another type: nine digits are rarely a firm's number."""
    return number.type is NumberType.ONTARIO_FIRM


def build_number_field(requested: str | None, evidence: NumberEvidence, *, is_elsewhere: bool = False) -> FieldMatch:
    """The compared field `registrationNumber`. If an unequal number is invalid in itself, the reason says so.

    With `is_elsewhere`, another entry has the requested number, which limits the score of this one.
    """
    found, score = evidence.found, None
    if requested is None:
        status, reason = FieldStatus.NOT_PROVIDED, Message("no number provided")
    elif found is None:
        status, reason = (
            FieldStatus.NOT_PUBLISHED,
            append_problem(Message("the source publishes no number of this type"), find_number_problem(requested)),
        )
    else:
        score = round(compare_numbers(requested, found.value), score_parameters.DECIMALS)
        status, reason = _explain(requested, evidence.outcome, found.type)
    if is_elsewhere:
        reason = Message("{reason}; another match has the requested number", reason=reason)
    return FieldMatch(
        field="registrationNumber",
        label=Message("Registration number"),
        score=score,
        status=status,
        submitted=requested,
        found=found.value if found is not None else None,
        reason=reason,
    )


def _explain(requested: str, outcome: NumberOutcome, kind: NumberType | None) -> tuple[FieldStatus, Message]:
    """The status of a compared number, and why. An equal number is valid, whatever its check digit."""
    if outcome is NumberOutcome.EQUAL:
        if kind is None:
            return FieldStatus.MATCHED, Message("same number, which identifies the business regardless of its name")
        title = NUMBER_FORMATS[kind].title
        return FieldStatus.MATCHED, Message(
            "same number ({type}), which identifies the business regardless of its name", type=title
        )
    doubt = find_type_problem(requested, kind) if kind is not None else find_number_problem(requested)
    if outcome is NumberOutcome.MISREAD:
        return FieldStatus.PARTIAL, append_problem(Message("one character differs, possibly a typo"), doubt)
    return FieldStatus.MISMATCHED, append_problem(Message("different number of the same type"), doubt)


def append_problem(reason: Message, doubt: Message | None) -> Message:
    """A reason, followed by the reason why the number looks invalid, if it does."""
    return Message("{reason}. {problem}", reason=reason, problem=doubt) if doubt is not None else reason
