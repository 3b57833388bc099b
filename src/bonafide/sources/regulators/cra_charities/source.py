"""Charities and other qualified donees: one entry for each registration number, from the list and the annual returns.

The list is got through the search form, the returns from open.canada.ca. Directors, whom the returns name too, are never fetched.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed, SourceError
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
"""Left empty: of any name, number, status, place and kind."""


def fill_search_form(page: bytes, name: str) -> dict[str, str]:
    """The fields of the form filled in. Raises `ParseFailed` for a page without the form's token."""
    found = read_html(page, name=name).css(f'input[name="{FORM_TOKEN}"]')
    value = found[0].attributes.get("value") if found else None
    if not value:
        raise ParseFailed(f"{name} has no form with a token; the site is closed between 2 and 6 a.m. Eastern time")
    return {"struts.token.name": FORM_TOKEN, FORM_TOKEN: value, **dict.fromkeys(FORM_FIELDS, ""), "p": "1"}


LIST, FORM = "list", "search_form"
NO_LIST = "the list itself was not read: these are charities that filed a return, without a status"
NO_RETURNS = "no annual returns were read: account names, sub-categories and websites are missing"
_log = get_logger(__name__)


async def fetch(context: FetchContext) -> list[Resource]:
    """The list and the returns, or one of them where the other can't be had. Raises `SourceError` when neither can.

    Charities without a status are fewer than the list has, so that they never replace a list that was loaded before.
    """
    got: list[Resource] = []
    failures: list[SourceError] = []
    for resource in context.metadata.resources:
        if resource.name == FORM:
            continue
        try:
            got.append(await _download_list(context) if resource.name == LIST else await context.download(resource))
        except SourceError as error:
            _log.warning("not fetched", source=context.metadata.key, resource=resource.name, problem=error.message)
            failures.append(error)
    if not any(resource.name == LIST or resource.name.startswith("identification") for resource in got):
        raise failures[0]
    return got


async def _download_list(context: FetchContext) -> Resource:
    """The list, by way of the form, whose token is good once."""
    form, wanted = context.metadata.resource(FORM), context.metadata.resource(LIST)
    return await context.download(wanted.model_copy(update={"form": fill_search_form(await context.read(form.url), form.url)}))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The charities of all files: those of the list, then those that are in the returns alone."""
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
            context.reject(file.resource, line, "the number was read before")
            continue
        try:
            entry = build_entry(cells | returns.of(number, context), context)
        except ValueError as error:
            context.reject(file.resource, line, str(error))
            continue
        seen.add(entry.entry_id)
        yield entry
