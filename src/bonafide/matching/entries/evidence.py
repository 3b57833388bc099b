"""Apply the address and the registration number as evidence to the score of a name.

Evidence moves a score and never filters: an entry that publishes no address is not worse than one that does. The numbers stand in
`score_parameters`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.matching.addresses.address_comparison import AddressComparison, compare_addresses
from bonafide.matching.identifiers.number_evidence import NumberEvidence, NumberOutcome
from bonafide.matching.scoring import score_parameters
from bonafide.model.entity import Address
from bonafide.model.search.match import FieldMatch, FieldStatus, NameBreakdown


@dataclass(frozen=True, slots=True)
class AddressEvidence:
    """The entry's address that agrees best, and how; None when there is nothing to compare."""

    comparison: AddressComparison
    found: Address


def find_address_evidence(asked: Address | None, published: Sequence[Address]) -> AddressEvidence | None:
    """Compare the address asked for with an entry's addresses; the best counts, for a business has several."""
    if asked is None:
        return None
    compared = [AddressEvidence(compare_addresses(asked, address), address) for address in published]
    return max(
        (evidence for evidence in compared if evidence.comparison.score is not None),
        key=lambda evidence: evidence.comparison.score or 0.0,
        default=None,
    )


def apply_evidence(name_score: float, number: NumberEvidence, address: AddressEvidence | None) -> float:
    """The score of an entry: the name's, unless there is evidence.

    An equal number makes an alike name certain (0.95 and up) and leaves even another name at 0.85; another number of the same
    series takes 0.1. An address that agrees adds 0.02 without ever making an unequal name 1; one that disagrees takes 0.03.
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


def build_name_field(submitted: str | None, found: str, score: float, reason: str, breakdown: NameBreakdown) -> FieldMatch:
    """The compared field `legalName`."""
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=score,
        status=score_parameters.to_field_status(score),
        submitted=submitted,
        found=found,
        reason=reason,
        breakdown=breakdown,
    )


def build_address_field(asked: Address | None, evidence: AddressEvidence | None) -> FieldMatch:
    """The compared field `address`."""
    score: float | None = None
    if asked is None:
        status, reason = FieldStatus.NOT_PROVIDED, "no address was given"
    elif evidence is None or evidence.comparison.score is None:
        status, reason = FieldStatus.NOT_PUBLISHED, "the source publishes no part of the address that was given"
    else:
        score, reason = evidence.comparison.score, evidence.comparison.reason
        status = score_parameters.to_field_status(score)
    return FieldMatch(
        field="address",
        label="Address",
        score=score,
        status=status,
        submitted=format_one_line(asked) if asked is not None else None,
        found=format_one_line(evidence.found) if evidence is not None else None,
        reason=reason,
    )


def format_one_line(address: Address) -> str | None:
    """An address for a person to read; None when it is empty."""
    parts = (address.street, address.city, address.province, address.postal_code, address.country)
    return address.raw or ", ".join(part for part in parts if part is not None) or None
