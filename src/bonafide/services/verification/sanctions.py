"""Screen the parties of a verification: who the business is said to be, and who the register and the business record say it is."""

from uuid import UUID

from bonafide.concurrency.deadline import Deadline
from bonafide.model.invisible_characters import find_invisible_characters, remove_invisible_characters
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import Screening
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record
from bonafide.services.screening.dismissals import apply_dismissals
from bonafide.services.screening.party_screening import ScreeningPlan, screen_with_parties
from bonafide.services.screening.party_set import (
    BusinessParty,
    list_claimed_parties,
    list_record_parties,
    list_report_parties,
)
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import ScreeningResult
from bonafide.services.verification.spec import Verification

RESERVE_S = 1.0
"""Seconds before its deadline at which a verification stops waiting for lists, to build and store its document."""


async def screen_verification(
    runtime: Runtime, verification: Verification, report: RegistryReport | None
) -> ScreeningResult | None:
    """The claimed name and every further party against the official lists; None if no screening was requested.

    `report` is None if the register does not have the number; the claimed parties and those of the record are still screened.
    """
    spec, threshold = verification.spec, verification.spec.sanctions_threshold
    if threshold is None:
        return None
    name, day = spec.subject.legal_name, runtime.clock().date()
    parties, owned = await _list_record_side(runtime, verification.organization_id, spec.business_id)
    in_record = {party.subject.name for party in parties}
    claimed = list_claimed_parties(person for person in spec.subject.people if person.name not in in_record)
    plan = ScreeningPlan(
        screening_id=verification.id,
        organization_id=verification.organization_id,
        world=spec.world,
        subject=ScreeningSubject(remove_invisible_characters(name), removed_characters=tuple(find_invisible_characters(name))),
        threshold=threshold,
        sources=get_official_lists(runtime),
        parties=[
            *claimed,
            *(list_report_parties(report) if report is not None else ()),
            *parties,
        ],
        business_id=spec.business_id,
        owned=owned,
        day=day,
    )
    left_s = (verification.deadline_at - runtime.clock()).total_seconds()
    return await screen_with_parties(runtime, plan, Deadline.after(max(left_s - RESERVE_S, 0)))


async def _list_record_side(
    runtime: Runtime, organization_id: UUID, business_id: UUID | None
) -> tuple[list[BusinessParty], JoinedStatements | None]:
    """The parties of the business record, and what is stated about its owners; nothing without a record."""
    if business_id is None:
        return [], None
    record = await find_record(runtime, organization_id, business_id=business_id)
    return list(list_record_parties(record)), (await load_ownership(runtime, organization_id, business_id)).joined


async def apply_current_dismissals(runtime: Runtime, organization_id: UUID, document: VerifyResponse) -> Screening | None:
    """The screening of a stored verification with the dismissals that are active now; None without a screening."""
    screening = document.sanctions
    if screening is None:
        return None
    return await apply_dismissals(runtime, organization_id, screening, ScreeningSubject(screening.query), document.meta.business_id)
