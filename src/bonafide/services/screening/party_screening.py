"""Screen a name together with the parties of its business, and apply dismissals and ownership to the result.

All of them are screened against the same lists. `standalone` and `services/verification` use it; a search screens its parties with
its other checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.model.accounts.organizations import World
from bonafide.model.query import ScreeningSubject
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.screening.dismissals import apply_dismissals
from bonafide.services.screening.owner_parties import assess_ownership, list_owner_parties
from bonafide.services.screening.party_set import BusinessParty, PartyScreener
from bonafide.services.screening.subject_screening import (
    ScreeningResult,
    build_screening_result,
    classify_outcome,
    find_unscreened_lists,
    query_lists,
)
from bonafide.sources.framework.discovery import Source


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """What is screened, against which lists, from which score on.

    `screening_id` is that of the screening or verification, from which the IDs of the parties are made. `business_id` is the stored
    record, and `owned` what is stated about its owners on `day`, who are screened after `parties`; both are None without one.
    """

    screening_id: UUID
    organization_id: UUID
    world: World
    subject: ScreeningSubject
    threshold: float
    sources: Sequence[Source]
    parties: Sequence[BusinessParty]
    business_id: UUID | None
    owned: JoinedStatements | None
    day: date
    lists_left_out: Sequence[str] = ()
    """Keys of official lists that the request leaves out: owners without an open hit may be on them."""


async def screen_with_parties(runtime: Runtime, plan: ScreeningPlan, deadline: Deadline = NO_DEADLINE) -> ScreeningResult:
    """Screen the name and every party. Lists that fail, or are not read by the deadline, are an error in the result."""
    parsed, threshold = parse_subject(plan.subject), plan.threshold
    with span("check sanctions"):
        queried = await query_lists(runtime, plan.world, parsed, threshold, plan.sources, deadline)
        rarity = await get_loaded_rarity(runtime, plan.world)

        def build() -> ScreeningResult:
            found = build_screening_result(parsed, queried.results, threshold, rarity)
            owners = list_owner_parties(plan.owned, plan.day) if plan.owned is not None else []
            parties = [*plan.parties, *owners]
            subjects = PartyScreener(queried.lists, threshold, rarity).screen(plan.screening_id, parties, parsed)
            screening = found.screening.model_copy(update={"subjects": subjects}).with_open_hits()
            return replace(found, screening=screening)

        done = await run_cpu_bound(build)
    runtime.metrics.count_screening(classify_outcome(done.screening, done.error))
    screening = await apply_dismissals(runtime, plan.organization_id, done.screening, plan.subject, plan.business_id)
    if plan.owned is not None:
        missing = [*(item.source for item in find_unscreened_lists(queried.results)), *plan.lists_left_out]
        screening = await run_cpu_bound(assess_ownership, screening, plan.owned, plan.day, missing)
    return replace(done, screening=screening)
