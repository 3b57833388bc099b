"""Find anything by words: pages of the console, business records, cases, searches and verifications.

The same results are a page (`/console/find?q=`) and the options of the command palette, which requests them as a fragment.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.datastructures import URL
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.code_labels import JURISDICTION
from bonafide.console.frame.console_request import ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.navigation_counts import CASES
from bonafide.console.frame.responses import build_navigation, is_partial_request, render_fragment, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.services.lists.finding import MAX_FIND_CHARACTERS, FoundItems, find_items
from bonafide.store.records.searches import fold_text

ADDRESS = "/console/find"
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A result: its text, what it is, and its address."""

    text: str
    address: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """The results of one kind."""

    title: Message
    links: tuple[FoundLink, ...]


@router.get("")
async def find(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """What matches `?q=`; without it the pages of the console."""
    wanted = "".join(filter(str.isprintable, request.query_params.get("q", ""))).strip()[:MAX_FIND_CHARACTERS]
    found = await find_items(runtime, signed_in.organization_id, wanted)
    language = get_console_request(request).language
    groups = [group for group in _build_groups(signed_in, language, wanted, found) if group.links]
    if is_partial_request(request):
        return render_fragment(request, "lists/find.html", "options", groups=groups, wanted=wanted)
    return render_page(request, "lists/find.html", groups=groups, wanted=wanted)


def _build_groups(signed_in: SignedIn, language: Language, wanted: str, found: FoundItems) -> Iterator[FoundGroup]:
    yield FoundGroup(Message("Businesses"), tuple(_list_businesses(found, language)))
    cases = (FoundLink(f"#{case.number} {case.name or ''}".strip(), f"{CASES}/{case.id}") for case in found.cases)
    yield FoundGroup(Message("Cases"), tuple(cases))
    yield FoundGroup(Message("Searches"), tuple(FoundLink(name, f"/console/searches/{one}") for one, name in found.searches))
    verified = (
        FoundLink(
            subject.legal_name,
            f"/console/verifications/{one}",
            f"{subject.registration_number} · {translate(JURISDICTION[subject.jurisdiction], language)}",
        )
        for one, subject in found.verifications
    )
    yield FoundGroup(Message("Verifications"), tuple(verified))
    yield FoundGroup(Message("Pages"), tuple(_list_pages(signed_in, language, wanted)))
    if wanted and signed_in.may(Permission.WORK):
        yield FoundGroup(Message("Actions"), tuple(_list_actions(language, wanted)))


def _list_businesses(found: FoundItems, language: Language) -> Iterable[FoundLink]:
    for record in found.businesses:
        place = translate(JURISDICTION[record.jurisdiction], language) if record.jurisdiction is not None else None
        detail = " · ".join(part for part in (record.registration_number, place) if part is not None)
        yield FoundLink(translate(get_display_name(record), language), f"/console/businesses/{record.id}", detail)


def _list_pages(signed_in: SignedIn, language: Language, wanted: str) -> Iterable[FoundLink]:
    """The pages whose name contains the words; all without words."""
    for group in build_navigation(signed_in, "", {}):
        for place in group.places:
            name = translate(place.text, language)
            if fold_text(wanted) in fold_text(name):
                yield FoundLink(name, place.address)


def _list_actions(language: Language, wanted: str) -> Iterable[FoundLink]:
    yield FoundLink(translate(Message("Search the registers for “{name}”", name=wanted), language), _build_search_address(wanted))


def _build_search_address(wanted: str) -> str:
    return str(URL("/console/search").include_query_params(name=wanted))
