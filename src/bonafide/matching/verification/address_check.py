"""The address of a verification: each part that was sent against the address of the register's that is most like the claim.

How two addresses are taken apart and compared is the business of `addresses`; here it is decided what that means for a claim.
"""

from collections.abc import Sequence

from bonafide.matching.addresses.address_comparison import AddressComparison, AddressRow, compare_addresses
from bonafide.matching.entries.evidence import format_one_line
from bonafide.model.entity import Address
from bonafide.model.search.match import FieldStatus
from bonafide.model.verification.results import CheckedAddress, CheckedAddressPart, CheckStatus

_UNCOMPARED = {
    FieldStatus.NOT_PROVIDED: CheckStatus.NOT_PROVIDED,
    FieldStatus.NOT_PUBLISHED: CheckStatus.NOT_PUBLISHED,
}


def check_address(claimed: Address, threshold: float, addresses: Sequence[Address], *, published: bool) -> CheckedAddress:
    """Compare an address with the one that is most like it. One part below the threshold makes the whole a mismatch.

    `published`: whether the source says anything of addresses; where it does and has none, that is still nothing to compare with.
    """
    compared = [(compare_addresses(claimed, address), address) for address in addresses]
    comparison, found = max(
        compared, key=lambda pair: _rank_key(pair[0], threshold), default=(compare_addresses(claimed, Address()), None)
    )
    parts = {row.field: _check_part(row, threshold) for row in comparison.rows}
    status = _get_status(parts)
    return CheckedAddress(
        status=status,
        score=comparison.score,
        threshold=threshold,
        provided=format_one_line(claimed),
        registry=format_one_line(found) if found is not None else None,
        reason=comparison.reason if comparison.score is not None else _explain_uncompared(found, published=published),
        fields=parts,
    )


def _rank_key(comparison: AddressComparison, threshold: float) -> tuple[bool, float]:
    """The address of which every part agrees comes first, then the one that is most alike."""
    scores = [row.score for row in comparison.rows if row.score is not None]
    return bool(scores) and min(scores) >= threshold, comparison.score if comparison.score is not None else -1.0


def _check_part(row: AddressRow, threshold: float) -> CheckedAddressPart:
    status = _UNCOMPARED.get(row.status)
    if status is None or row.score is not None:
        status = CheckStatus.MATCHED if row.score is not None and row.score >= threshold else CheckStatus.MISMATCHED
    return CheckedAddressPart(status=status, score=row.score, provided=row.submitted, registry=row.found, reason=row.reason)


def _get_status(parts: dict[str, CheckedAddressPart]) -> CheckStatus:
    found = {part.status for part in parts.values()}
    for status in (CheckStatus.MISMATCHED, CheckStatus.MATCHED, CheckStatus.NOT_PUBLISHED):
        if status in found:
            return status
    return CheckStatus.NOT_PROVIDED


def _explain_uncompared(found: Address | None, *, published: bool) -> str:
    if found is not None:
        return "the register publishes no part of the address that was given"
    return "the register states no address for this business" if published else "the register does not publish addresses this way"
