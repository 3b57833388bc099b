"""Charities and other qualified donees: one entry for each registration number, from the list and the annual returns.

The list is downloaded through the search form, the returns from open.canada.ca. The directors named in returns are never fetched.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed, SourceError
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.observability.log import get_logger
from bonafide.sources.formats.html_page import read_html
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.regulators.cra_charities.annual_returns import AnnualReturns
from bonafide.sources.regulators.cra_charities.charity import build_entry
from bonafide.sources.regulators.cra_charities.files import CharityFile, open_file

FORM_TOKEN = "token"  # noqa: S105 - the name of a field
FORM_FIELDS = (
    "q.srchNm",
    "q.bnRtNmbr",
    "q.bnAccntNmbr",
    "q.stts",
    "q.sttsEffctvDt",
    "q.snctnTypCd",
    "q.cty",
    "q.prvncSttCd",
    "q.pstlZpCd",
    "q.dsgntnTyp",
    "q.chrtyTyp",
    "q.chrtyCtgry",
)
"""Left empty, so that the search returns every charity."""


def fill_search_form(page: bytes, name: str) -> dict[str, str]:
    """Return the fields of the completed form. Raises `ParseFailed` if the page lacks the form's token."""
    found = read_html(page, name=name).css(f'input[name="{FORM_TOKEN}"]')
    value = found[0].attributes.get("value") if found else None
    if not value:
        raise ParseFailed(Message("{url}: the form’s token is missing. The site is closed from 2 to 6 a.m. Eastern time", url=name))
    return {"struts.token.name": FORM_TOKEN, FORM_TOKEN: value, **dict.fromkeys(FORM_FIELDS, ""), "p": "1"}


LIST, FORM = "list", "search_form"
NO_LIST = Message("The list was not read. These are the charities that filed a return; they have no status.")
NO_RETURNS = Message("No annual returns were read. Account names, sub-categories and websites are missing.")
_log = get_logger(__name__)


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the list and the returns, or one of them if the other is unavailable. Raises `SourceError` if both are.

    The returns have fewer charities than the list, so the load checks prevent them from replacing a list that was loaded before.
    """
    got: list[Resource] = []
    failures: list[SourceError] = []
    for resource in context.metadata.resources:
        if resource.name == FORM:
            continue
        try:
            got.append(await _download_list(context) if resource.name == LIST else await context.download(resource))
        except SourceError as error:
            _log.warning("resource.skipped", source=context.metadata.key, resource=resource.name, problem=error.message)
            failures.append(error)
    if not any(resource.name == LIST or resource.name.startswith("identification") for resource in got):
        raise failures[0]
    return got


async def _download_list(context: FetchContext) -> Resource:
    """Download the list with the form, whose token can be used once."""
    form, listing = context.metadata.resource(FORM), context.metadata.resource(LIST)
    return await context.download(listing.model_copy(update={"form": fill_search_form(await context.read(form.url), form.url)}))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the charities of the list, then those that are only in the returns."""
    files = [open_file(resource, context) for resource in resources]
    lists = [file for file in files if file.layout.startswith(LIST)]
    returns = AnnualReturns.read([file for file in files if file not in lists], context)
    if not lists:
        context.note(NO_LIST)
    if returns.none_read:
        context.note(NO_RETURNS)
    seen: set[str] = set()
    for file in lists:
        yield from _read_list_entries(file, returns, seen, context)
    yield from returns.rest(context)


def _read_list_entries(
    file: CharityFile, returns: AnnualReturns, seen: set[str], context: ParseContext
) -> Iterator[RegulatoryEntry]:
    if file.day is not None:
        context.set_as_of(file.day)
    for line, cells in file.rows(context):
        number = cells["number"]
        if number in seen:
            context.reject(file.resource, line, Message("the number is not unique"))
            continue
        try:
            entry = build_entry(cells | returns.of(number, context), context)
        except ValueError as error:
            context.reject(file.resource, line, error)
            continue
        seen.add(entry.entry_id)
        yield entry
