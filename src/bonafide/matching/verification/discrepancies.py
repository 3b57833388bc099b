"""List the discrepancies of a verification that a person can accept."""

from collections.abc import Iterator

from bonafide.matching.verification.claim_comparison import NOT_ACTIVE
from bonafide.model.verification.results import CheckStatus, VerifyResponse

STATUS_FIELD = "status"
"""A business that is not active."""
REGISTRY_ONLY = "registryOnly"
"""People, addresses and names that only the register states, where the settings count them as discrepancies."""


def list_discrepancies(document: VerifyResponse) -> tuple[str, ...]:
    """The fields with a discrepancy, in the order of the result: `legalName`, `people.0`, `registryOnly`, `status`."""
    return tuple(_find_discrepancies(document))


def _find_discrepancies(document: VerifyResponse) -> Iterator[str]:
    results, report = document.results, document.registry_data
    fields = {
        "legalName": results.fields.legal_name,
        "registrationNumber": results.fields.registration_number,
        "address": results.fields.address,
    }
    for name, field in fields.items():
        if field is not None and field.status is CheckStatus.MISMATCHED:
            yield name
    for place, person in enumerate(results.people):
        if person.status is CheckStatus.MISMATCHED:
            yield f"people.{place}"
    if results.counts_not_provided and results.not_provided_count > 0:
        yield REGISTRY_ONLY
    if report is not None and report.status_code in NOT_ACTIVE:
        yield STATUS_FIELD
