"""Apply the address and the registration number as evidence to the score of a name.

Evidence changes a score and never filters. An entry without an address is not ranked below one with an address. The numbers are in
`score_parameters`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.i18n.message import Message
from bonafide.matching.addresses.address_comparison import AddressComparison, compare_addresses
from bonafide.matching.identifiers.number_evidence import NumberEvidence, NumberOutcome
from bonafide.matching.scoring import score_parameters
from bonafide.model.entity import Address
from bonafide.model.search.match import FieldMatch, FieldStatus, NameBreakdown


@dataclass(frozen=True, slots=True)
class AddressEvidence:
    """The best matching address of an entry, and its comparison."""

    comparison: AddressComparison
    found: Address


def find_address_evidence(requested: Address | None, published: Sequence[Address]) -> AddressEvidence | None:
    """Compare the requested address with the addresses of an entry. Returns the best match, None if nothing can be compared."""
    if requested is None:
        return None
    compared = [AddressEvidence(compare_addresses(requested, address), address) for address in published]
    return max(
        (evidence for evidence in compared if evidence.comparison.score is not None),
        key=lambda evidence: evidence.comparison.score or 0.0,
        default=None,
    )


def apply_evidence(name_score: float, number: NumberEvidence, address: AddressEvidence | None) -> float:
    """The score of an entry: the score of the name, changed by the evidence.

    With an equal number, a similar name scores at least 0.95 and another name at least 0.85; another number of the same series
    subtracts 0.1. A matching address adds 0.02, but never raises the score of an unequal name to 1; a different one subtracts 0.03.
    """
    score = name_score
    if number.outcome is NumberOutcome.EQUAL:
        base, share = (
            score_parameters.EQUAL_NUMBER
            if name_score >= score_parameters.SIMILAR_NAME
            else score_parameters.EQUAL_NUMBER_OTHER_NAME
        )
        score = base + share * name_score
    elif number.outcome is NumberOutcome.OTHER:
        score += score_parameters.OTHER_NUMBER
    address_score = address.comparison.score if address is not None else None
    if address_score is not None and address_score >= score_parameters.ADDRESS_SIMILAR:
        score = min(score + score_parameters.ADDRESS_AGREES, max(score, score_parameters.EVIDENCE_CAP))
    elif address_score is not None and address_score < score_parameters.ADDRESS_OTHER:
        score += score_parameters.ADDRESS_DISAGREES
    return round(min(max(score, 0.0), 1.0), score_parameters.DECIMALS)


def build_name_field(submitted: str | None, found: str, score: float, reason: Message, breakdown: NameBreakdown) -> FieldMatch:
    """The compared field `legalName`."""
    return FieldMatch(
        field="legalName",
        label=Message("Legal name"),
        score=score,
        status=score_parameters.to_field_status(score),
        submitted=submitted,
        found=found,
        reason=reason,
        breakdown=breakdown,
    )


def build_address_field(requested: Address | None, evidence: AddressEvidence | None) -> FieldMatch:
    """The compared field `address`."""
    score: float | None = None
    if requested is None:
        status, reason = FieldStatus.NOT_PROVIDED, Message("no address provided")
    elif evidence is None or evidence.comparison.score is None:
        status, reason = FieldStatus.NOT_PUBLISHED, Message("the source publishes no part of the provided address")
    else:
        score, reason = evidence.comparison.score, evidence.comparison.reason
        status = score_parameters.to_field_status(score)
    return FieldMatch(
        field="address",
        label=Message("Address"),
        score=score,
        status=status,
        submitted=format_one_line(requested) if requested is not None else None,
        found=format_one_line(evidence.found) if evidence is not None else None,
        reason=reason,
    )


def format_one_line(address: Address) -> str | None:
    """An address in one line; None if it is empty."""
    parts = (address.street, address.city, address.province, address.postal_code, address.country)
    return address.raw or ", ".join(part for part in parts if part is not None) or None
