"""Compare what a site states with a registry match, field by field: legal name, numbers, address, people.

`matching` compares names, numbers and addresses; this module selects the statements to compare. Neither a contradiction nor a
missing statement is evidence against the match.
"""

from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message, join_values
from bonafide.matching.entries.evidence import AddressEvidence, build_address_field, build_name_field, find_address_evidence
from bonafide.matching.identifiers.number_evidence import (
    NumberEvidence,
    NumberOutcome,
    build_number_field,
    find_number_evidence,
    list_published_numbers,
)
from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import is_label
from bonafide.matching.names.best_name_match import find_best_match
from bonafide.matching.names.entry_names import parse_entry_names, parse_name
from bonafide.matching.people.person_name_comparison import is_named
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.model.entity import Address, Person, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.search.match import BusinessMatch, FieldMatch, FieldStatus
from bonafide.model.search.website import Extracted, WebsiteComparison, WebsitePerson

NOT_STATED = Message("Not stated on the website.")
NOT_PUBLISHED = Message("Not published by the register.")
_OUTCOMES = (NumberOutcome.EQUAL, NumberOutcome.MISREAD, NumberOutcome.OTHER, NumberOutcome.UNKNOWN)
"""The order of preference among several numbers."""


def compare_with_match(extracted: Extracted, match: BusinessMatch) -> WebsiteComparison:
    """Compare the statements of a site with a match: one row for each field, including missing ones."""
    entry = match.to_entry()
    fields = (
        _compare_names(extracted.legal_name, entry),
        _compare_numbers(extracted.registrations, entry),
        _compare_addresses(extracted.addresses, entry.addresses),
        _compare_people(extracted.people, entry.people),
    )
    return WebsiteComparison(match_id=str(match.match_id), fields=fields)


def _compare_names(name: str | None, entry: RegistryEntry) -> FieldMatch:
    match = find_best_match(parse_name(name), parse_entry_names(entry), STATIC_RARITY, 0.0) if name is not None else None
    if match is None:
        return FieldMatch(
            field="legalName",
            label=Message("Legal name"),
            score=None,
            status=FieldStatus.NOT_PROVIDED,
            found=entry.legal_name,
            reason=NOT_STATED,
        )
    return build_name_field(name, match.found.text, match.score, match.reason, match.comparison.breakdown())


def _compare_numbers(numbers: Sequence[RegistrationNumber], entry: RegistryEntry) -> FieldMatch:
    """Compare the site's number that agrees best with one of the register's, of those that can be in a register."""
    published = list(list_published_numbers(entry))
    best: tuple[str, NumberEvidence] | None = None
    for number in _list_comparable_numbers(numbers):
        evidence = find_number_evidence(number, published)
        if best is None or _OUTCOMES.index(evidence.outcome) < _OUTCOMES.index(best[1].outcome):
            best = number, evidence
    if best is None:
        reason = NOT_STATED if not numbers else Message("The website states no number of a business register.")
        return build_number_field(None, find_number_evidence(None, published)).model_copy(update={"reason": reason})
    return build_number_field(*best)


def _list_comparable_numbers(numbers: Sequence[RegistrationNumber]) -> Iterator[str]:
    """Yield the numbers of business registers and tax accounts with their labels, without licences."""
    for number in numbers:
        if is_label(number.label):
            yield f"{number.label} {number.value}"
        elif parse_business_number(number.value) is not None:
            yield number.value


def _compare_addresses(stated: Sequence[Address], published: Sequence[Address]) -> FieldMatch:
    """Compare the site's address that agrees best with one of the register's; a store is often not the registered office."""
    compared = [(address, find_address_evidence(address, published)) for address in stated]
    best = max(compared, key=lambda pair: _get_score(pair[1]), default=None)
    if best is None:
        return build_address_field(None, None).model_copy(update={"reason": NOT_STATED})
    field = build_address_field(*best)
    return field.model_copy(update={"reason": NOT_PUBLISHED}) if field.status is FieldStatus.NOT_PUBLISHED else field


def _get_score(evidence: AddressEvidence | None) -> float:
    score = evidence.comparison.score if evidence is not None else None
    return score if score is not None else -1.0


def _compare_people(stated: Sequence[WebsitePerson], published: Sequence[Person]) -> FieldMatch:
    """Compute the share of the site's people that the register names. Sites name staff, registers name directors."""
    given = "; ".join(person.name for person in stated) or None
    found = "; ".join(person.name for person in published) or None
    score, status, reason = None, FieldStatus.NOT_PROVIDED, NOT_STATED
    if given is not None and found is None:
        status, reason = FieldStatus.NOT_PUBLISHED, NOT_PUBLISHED
    elif given is not None:
        named = [person.name for person in stated if is_named(person.name, published)]
        score = round(len(named) / len(stated), score_parameters.DECIMALS)
        status, reason = _rate_named_people(named, len(stated))
    return FieldMatch(
        field="people", label=Message("People"), score=score, status=status, submitted=given, found=found, reason=reason
    )


def _rate_named_people(named: Sequence[str], count: int) -> tuple[FieldStatus, Message]:
    if len(named) == count:
        return FieldStatus.MATCHED, Message("The register names all people on the website.")
    if named:
        return FieldStatus.PARTIAL, Message(
            "The register names {count} of {total} people on the website: {names}",
            count=len(named),
            total=count,
            names=join_values(named, "; "),
        )
    return FieldStatus.MISMATCHED, Message("The register names none of the people on the website.")
