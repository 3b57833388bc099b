"""Screen the parties of a match that a person selects, before the selection is stored."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.model.ownership.chain import OwnershipScreening
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import BusinessMatch, ScreenedSubject, Screening
from bonafide.model.search.result import SearchResult
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record
from bonafide.services.results.document_parts import to_screened_list
from bonafide.services.screening.dismissals import apply_dismissals_to_subjects
from bonafide.services.screening.owner_parties import assess_ownership, list_owner_parties
from bonafide.services.screening.party_set import PartyScreener, list_match_parties, list_record_parties, withdraw_clearance
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import find_unscreened_lists, query_lists
from bonafide.store.records import searches
from bonafide.store.tenants import organizations


@dataclass(frozen=True, slots=True)
class ScreenedParties:
    """The parties of a match as they were screened, with the active dismissals of their hits."""

    match_id: UUID
    subjects: tuple[ScreenedSubject, ...]
    screened_at: datetime
    ownership: OwnershipScreening | None

    def apply(self, screening: Screening) -> Screening:
        """The screening of the search with these parties in place of those of another match."""
        changed = {
            "subjects": self.subjects,
            "ownership": self.ownership,
            "match_id": self.match_id,
            "subjects_screened_at": self.screened_at,
        }
        return screening.model_copy(update=changed).with_open_hits()


async def screen_selected_match(
    runtime: Runtime, organization_id: UUID, search_id: UUID, choice: MatchChoice
) -> ScreenedParties | None:
    """The parties of the chosen match; None if there is nothing to screen.

    That is so for a search without screening, for the match whose parties are screened already, and for an unknown match or search,
    which the selection itself refuses.
    """
    if choice.match_id is None:
        return None
    async with runtime.store.read() as connection:
        stored = await searches.get_document(connection, organization_id, search_id)
        organization = await organizations.get(connection, organization_id)
    document = stored.parse(SearchResult) if stored is not None else None
    match = _find_match(document, choice.match_id) if document is not None else None
    if document is None or organization is None or match is None or document.sanctions is None:
        return None
    if document.sanctions.match_id == match.match_id:
        return None
    screening, business_id = document.sanctions, document.meta.submitted.business_id
    record = await find_record(runtime, organization_id, business_id=business_id) if business_id is not None else None
    owned = (await load_ownership(runtime, organization_id, business_id)).joined if business_id is not None else None
    known, threshold = parse_subject(ScreeningSubject(screening.query)), document.meta.submitted.params.sanctions_threshold
    screened_at = runtime.clock()
    queried = await query_lists(runtime, organization.world, known, threshold, get_official_lists(runtime))
    screener = PartyScreener(queried.lists, threshold, await get_loaded_rarity(runtime, organization.world))

    def screen() -> tuple[ScreenedSubject, ...]:
        parties = [*list_match_parties(match), *(list_record_parties(record) if record is not None else ())]
        parties += list_owner_parties(owned, screened_at.date()) if owned is not None else []
        return screener.screen(search_id, parties, known)

    changed = screening.model_copy(update={"subjects": await run_cpu_bound(screen)})
    changed = await apply_dismissals_to_subjects(runtime, organization_id, changed, business_id)
    screened = {item.source for item in map(to_screened_list, queried.results) if item is not None}
    missing = [item.source for item in screening.lists if item.source not in screened]
    # A list that the search screened and that fails now is not in the result's errors, so no party may pass as clear.
    subjects = tuple(withdraw_clearance(subject, missing) for subject in changed.subjects)
    changed = changed.model_copy(update={"subjects": subjects})
    if owned is not None:
        unscreened = [item.source for item in find_unscreened_lists(queried.results)]
        changed = await run_cpu_bound(assess_ownership, changed, owned, screened_at.date(), unscreened)
    return ScreenedParties(match.match_id, changed.subjects, screened_at, changed.ownership)


def _find_match(document: SearchResult, match_id: str) -> BusinessMatch | None:
    return next((match for match in document.businesses or () if str(match.match_id) == match_id.lower()), None)
