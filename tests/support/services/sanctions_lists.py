"""Invented listed parties, put on lists by a test, and short ways to screen and to dismiss."""

from collections.abc import Sequence
from typing import Any

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.records.business_record import Author
from bonafide.model.screening.dismissals import Dismissal, DismissalRequest
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.model.search.match import SanctionsMatch
from bonafide.runtime import Runtime
from bonafide.services.screening.dismissals import dismiss
from bonafide.services.screening.history import create_screening
from bonafide.services.screening.standalone import get_official_lists
from tests.support.services.loading import put

SEMA, UN, OFAC = "ca-sanctions-autonomous", "un-sanctions-consolidated", "us-sanctions-ofac-sdn"
COLLECTION = "opensanctions"
ANALYST = Author("analyst@north.example", "request-1")
NAME = "Zephyrine Marlowe Trading"
PERSON = "Jordana Quillfeather"


def party(name: str = NAME, entry_id: str = "1", **said: Any) -> ListedEntity:
    """An organization, unless said otherwise."""
    kind = {"entity_type": EntityKind.ORGANIZATION} | said
    return ListedEntity(entry_id=entry_id, name=name, programs=("Example Regulations",), **kind)


def load_two_lists(runtime: Runtime) -> None:
    """An organization on one list and a person on another."""
    born = {"birth_dates": ("1961-03-02",), "aliases": ("Jordy Quillfeather",)}
    load(runtime, SEMA, party())
    load(runtime, UN, party(PERSON, "7", entity_type=EntityKind.PERSON, **born))


def load_lists(runtime: Runtime, parties: dict[str, Sequence[ListedEntity]]) -> None:
    """Load all official lists, with these parties; a list that has none of them lists one that nobody is like."""
    for source in get_official_lists(runtime):
        load(runtime, source.key, *parties.get(source.key, [party("Qwxz Vbnm Society", "0")]))


def load(runtime: Runtime, key: str, *parties: ListedEntity) -> None:
    put(runtime, key, parties, World.SANDBOX)


async def screened(runtime: Runtime, principal: Principal, query: str = NAME, /, **request: Any) -> ScreeningAnswer:
    return await create_screening(runtime, principal, ScreeningRequest.model_validate({"query": query, **request}))


async def hit(runtime: Runtime, principal: Principal, query: str = NAME, **request: Any) -> SanctionsMatch:
    """The one hit of a screening."""
    (match,) = (await screened(runtime, principal, query, **request)).screening.matches
    return match


def request_for(match: SanctionsMatch, name: str = NAME, **said: Any) -> DismissalRequest:
    subject = {field: said.pop(field) for field in ("entityType", "countries", "dateOfBirth") if field in said}
    seen = {"source": match.source, "entryId": match.entry_id, "digest": match.digest}
    return DismissalRequest.model_validate({"subject": {"name": name, **subject}, "hit": seen, "reason": "Somebody else.", **said})


async def dismissed(runtime: Runtime, principal: Principal, name: str = NAME, **said: Any) -> Dismissal:
    """Screen a name and dismiss its one hit."""
    facts = {field: said[field] for field in ("entityType", "countries", "dateOfBirth") if field in said}
    match = await hit(runtime, principal, name, **facts)
    return await dismiss(runtime, principal, request_for(match, name, **said), ANALYST)
