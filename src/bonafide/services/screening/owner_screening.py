"""Record and read the ownership of a business: the statements, the owners as they are screened now, and what it adds up to."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.i18n.message import Message
from bonafide.matching.ownership.roll_up import roll_up
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.roll_up import ShareRange
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.query import ScreeningSubject
from bonafide.model.records.business_record import Author
from bonafide.model.search.match import ScreenedSubject
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.ownership.statements import BusinessOwnership, load_ownership, replace_statement
from bonafide.services.screening.dismissals import mark_dismissed_subjects
from bonafide.services.screening.owner_parties import (
    build_owner_chains,
    describe_incompleteness,
    determine_deemed_status,
    find_listed_owners,
    list_owner_parties,
)
from bonafide.services.screening.party_set import PartyScreener, withdraw_clearance
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import find_unscreened_lists, query_lists

MAX_OWNERS = 250
"""Most owners that are screened when the ownership of a business is read: screening a name takes some milliseconds of CPU time."""
ALL_UNKNOWN = ShareRange(min=1.0, max=1.0)
"""Without a statement, nothing is known."""
NO_STATEMENT = Message("Nobody has stated who owns the business.")
NOT_PERMITTED = Message("Parties are screened only for API keys with the scope `sanctions:read`.")


async def record_ownership(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    statement: OwnershipStatement,
    author: Author,
    *,
    is_screened: bool = True,
) -> OwnershipAnswer:
    """Replace what a claimant says about the owners of a business. Raises as `replace_statement` does."""
    await replace_statement(runtime, organization_id, business_id, statement, author)
    return await read_ownership(runtime, organization_id, business_id, is_screened=is_screened)


async def read_ownership(
    runtime: Runtime, organization_id: UUID, business_id: UUID, *, is_screened: bool = True
) -> OwnershipAnswer:
    """What everybody says about the owners of a business, and what it adds up to today. Raises `NotFound`.

    Unless `is_screened` is false, the owners are screened against the official lists with the threshold of the account settings.
    """
    ownership, day = await load_ownership(runtime, organization_id, business_id), runtime.clock().date()
    subjects: tuple[ScreenedSubject, ...] | None = None
    if is_screened and ownership.joined is not None:
        subjects = await _screen_owners(runtime, organization_id, ownership, day)
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_build_answer, ownership, subjects, day)


async def _screen_owners(
    runtime: Runtime, organization_id: UUID, ownership: BusinessOwnership, day: date
) -> tuple[ScreenedSubject, ...]:
    """The owners as they are screened now, with the active dismissals. A list that fails leaves nobody clear."""
    joined, business_id, world = ownership.joined, ownership.business_id, ownership.world
    if joined is None:
        return ()
    threshold = (await read_settings(runtime, organization_id)).search.sanctions_threshold
    business = parse_subject(ScreeningSubject(next(party.name or "" for party in joined.parties if party.id == joined.subject)))
    queried = await query_lists(runtime, world, business, threshold, get_official_lists(runtime))
    screener = PartyScreener(queried.lists, threshold, await get_loaded_rarity(runtime, world), limit=MAX_OWNERS)
    missing = [item.source for item in find_unscreened_lists(queried.results)]

    def screen() -> tuple[ScreenedSubject, ...]:
        return screener.screen(business_id, list_owner_parties(joined, day), business)

    with runtime.compute_for(organization_id):
        screened = await run_cpu_bound(screen)
    marked = await mark_dismissed_subjects(runtime, organization_id, screened, business_id)
    return tuple(withdraw_clearance(subject, missing) for subject in marked)


def _build_answer(ownership: BusinessOwnership, subjects: Sequence[ScreenedSubject] | None, day: date) -> OwnershipAnswer:
    joined = ownership.joined
    if joined is None:
        return OwnershipAnswer(
            business_id=ownership.business_id,
            party=None,
            as_of=day,
            statements=ownership.statements,
            lei_lookup=ownership.lei_lookup,
            parties=(),
            interests=(),
            beneficial_owners=(),
            screened_parties=(),
            deemed_sanctioned=None,
            deemed_sanctioned_reason=NO_STATEMENT,
            unknown_share=ALL_UNKNOWN,
        )
    claims = joined.to_claims()
    found = find_listed_owners(subjects or (), build_owner_chains(joined, claims, day))
    result = roll_up(claims, found.listed, day, found.unscreened)
    reason = NOT_PERMITTED if subjects is None else describe_incompleteness(found, joined)
    deemed = result.deemed_sanctioned
    return OwnershipAnswer(
        business_id=ownership.business_id,
        party=joined.subject,
        as_of=day,
        statements=ownership.statements,
        lei_lookup=ownership.lei_lookup,
        parties=joined.parties,
        interests=joined.interests,
        beneficial_owners=result.beneficial_owners,
        screened_parties=tuple(subjects or ()),
        deemed_sanctioned=deemed.model_copy(update={"status": determine_deemed_status(deemed.status, joined)})
        if subjects is not None
        else None,
        deemed_sanctioned_reason=reason,
        unknown_share=result.unknown_share,
    )
