"""Find business records, searches, cases and verifications by words, for a person who wants to open one of them."""

from dataclasses import dataclass
from uuid import UUID

from bonafide.model.cases.case import CaseListItem
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.verification.results import Subject
from bonafide.runtime import Runtime
from bonafide.services.cases.reading import list_cases
from bonafide.services.records.change_feed import START
from bonafide.services.verification.spec import VerificationSpec
from bonafide.store.cases.cases import CaseFilter
from bonafide.store.lists import find
from bonafide.store.records import businesses
from bonafide.store.records.businesses import RecordFilter

MAX_FOUND = 5
"""Results of each kind."""
MAX_FIND_CHARACTERS = 100
MIN_FIND_CHARACTERS = 2


@dataclass(frozen=True, slots=True)
class FoundItems:
    """What was found, of each kind the newest first."""

    businesses: tuple[BusinessRecord, ...] = ()
    cases: tuple[CaseListItem, ...] = ()
    searches: tuple[tuple[UUID, str], ...] = ()
    verifications: tuple[tuple[UUID, Subject], ...] = ()


async def find_items(runtime: Runtime, organization_id: UUID, text: str) -> FoundItems:
    """What the words are part of: names and numbers of records, names of searches and verifications, numbers and names of cases.

    Nothing is found by fewer than `MIN_FIND_CHARACTERS`, unless it is the number of a case (`#7`).
    """
    wanted = text.strip()[:MAX_FIND_CHARACTERS]
    is_number = wanted.removeprefix("#").isdecimal() and wanted != ""
    if len(wanted) < MIN_FIND_CHARACTERS and not is_number:
        return FoundItems()
    cases = (await list_cases(runtime, organization_id, CaseFilter(text=wanted), START, MAX_FOUND)).cases
    if wanted.startswith("#") or len(wanted) < MIN_FIND_CHARACTERS:
        return FoundItems(cases=tuple(cases))
    async with runtime.store.read_lagging() as connection:
        documents = await businesses.list_page(connection, organization_id, RecordFilter(text=wanted), MAX_FOUND, None)
        searched = await find.find_searches(connection, organization_id, wanted, MAX_FOUND)
        verified = await find.find_verifications(connection, organization_id, wanted, MAX_FOUND)
    return FoundItems(
        businesses=tuple(map(BusinessRecord.model_validate_json, documents)),
        cases=tuple(cases),
        searches=tuple(searched),
        verifications=tuple((one, VerificationSpec.model_validate_json(request).subject) for one, request in verified),
    )
