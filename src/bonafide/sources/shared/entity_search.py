"""Query and parse the entity search page that the Northwest Territories (CROS) and Yukon (YCOR) registers share.

The differences between the two are in their folders. The markup is known from three rows of one page and from a public program that
reads the other. The text of a page without results is not known and is marked below, so a page counts as empty only if it says so.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.names.normalization import normalise
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.html_page import HtmlPage, LexborNode, extract_text, parse_charset, read_html
from bonafide.sources.framework.live import LiveContext, LiveQuery, QueryPairs, normalize_number

MAX_PAGES = 3
"""For one query. A search with more pages is too broad, as one with more than a hundred entities is for the register itself."""
_TOO_MANY = re.compile(r"More than [\d,]+ \w+ found\b.*", re.IGNORECASE)
"""`More than 100 entities found. Please be more specific.`"""
_NOTHING_FOUND = re.compile(
    r"(?:No|0) (?:matching )?(?:entit\w+|compan\w+|records?|results?)(?: (?:was|were))?(?: found)?\W*", re.IGNORECASE
)
"""Not observed in practice."""
_FORMER_NAME = re.compile(r"Former Name: ?(.+)")
_HEADINGS, _TEXTS = "h1, h2, h3, h4, h5, h6", "h1, h2, h3, h4, h5, h6, p"


@dataclass(frozen=True, slots=True)
class EntitySearchSite:
    """The parameters and style classes of one register's page."""

    numbers: NumberType
    record: str
    """The prefix of its style classes for a record: `company` in `company-fileno`."""
    status: str
    """The suffix of the style class for the status."""
    by_name: str
    """The parameter for the words of a name."""
    by_number: str
    others: QueryPairs = ()
    """Other parameters that its form sends."""
    page: str | None = None
    """The parameter for the page number; None if there are no pages."""


@dataclass(frozen=True, slots=True)
class EntitySearchRow:
    """One row of the page: a name of a registered entity. Blank cells are None."""

    number: str
    name: str
    name_type: str | None
    former_name: str | None
    entity_type: str | None
    jurisdiction: str | None
    status: str | None


class TooManyResults(Exception):
    """The register has more results than it shows. Never raised outside this module."""


async def search_entities(query: LiveQuery, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """Return the results for the number, then those for the name, closest first.

    Raises `InvalidInput` if the query has neither, or if the name has too many results, and other `SourceError`s.
    """
    number = normalize_number(query.number, site.numbers) if query.number is not None else None
    if number is None and query.name is None:
        raise InvalidInput(
            Message(
                "{source} can be queried by name or by {number}",
                source=context.metadata.title,
                number=NUMBER_FORMATS[site.numbers].title,
            )
        )
    found = await search_number(number, site, context) if number is not None else []
    if query.name is not None:
        try:
            found += await _search_name(query.name, site, context)
        except InvalidInput:
            if not found:
                raise
    return list(dict.fromkeys(found))


async def search_number(number: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """Return the results for a number in the register's format, then other entities whose names contain it.

    Empty if the page reports no results.
    """
    try:
        found = await _search(site.by_number, number, site, context)
    except TooManyResults as error:
        raise ParseFailed(Message("the page reports too many results for the number {number}", number=number)) from error
    # The names of numbered companies contain numbers. Anything else means that the page has not searched for the number.
    unrelated = [line.number for line in found if number not in f"{line.number} {line.name} {line.former_name}"]
    if unrelated:
        raise ParseFailed(Message("the results for the number {number} include {other}", number=number, other=unrelated[0]))
    return sorted(found, key=lambda line: line.number != number)


# ------------------------------------------------------------------------------------------------------------ queries


async def _search_name(name: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """Search for the name without its legal form; if that has too many results, with it."""
    words = " ".join(name.replace("’", "'").split())
    for text in filter(None, dict.fromkeys((_remove_legal_form(words), words))):
        try:
            found = await _search(site.by_name, text, site, context)
        except TooManyResults:
            continue
        return sorted(found, key=lambda line: _compute_distance(line.name, name))
    raise InvalidInput(
        Message("{source} has too many results for “{name}”. Enter more of the name", source=context.metadata.title, name=words)
    )


async def _search(parameter: str, text: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """Return the rows of every page of one search. Raises `TooManyResults`."""
    parameters = [(parameter, text), *((name, value) for name, value in site.others if name != parameter)]
    lines: list[EntitySearchRow] = []
    for number in range(1, MAX_PAGES + 1):
        paging = [(site.page, str(number))] if site.page is not None else []
        page = _parse_page(await context.get("", (*parameters, *paging)), context)
        lines += _parse_rows(page, site)
        if not _has_next_page(page, site, number):
            return lines
    raise TooManyResults


def _parse_page(response: SourceResponse, context: LiveContext) -> HtmlPage:
    if not response.found:
        raise SourceNotFound(Message("{source}: {url} does not exist", source=context.metadata.key, url=context.live.base_url))
    return read_html(response.body, parse_charset(response.content_type), name=context.metadata.key)


def _remove_legal_form(name: str) -> str:
    """Return the name without its legal form.

    The page searches for the exact letters, and legal forms have many spellings.
    """
    words, core = name.split(), normalise(name).core
    while len(words) > 1 and normalise(" ".join(words[:-1])).core == core:
        words.pop()
    return " ".join(words).rstrip(" ,;-(")


def _compute_distance(found: str, name: str) -> tuple[bool, bool, int]:
    """Sort key: the same name except for the legal form, then names that begin with it, then shorter ones."""
    one, other = normalise(found).core, normalise(name).core
    return one != other, one[: len(other)] != other, len(found)


# ------------------------------------------------------------------------------------------------------------ parsing


def _parse_rows(page: HtmlPage, site: EntitySearchSite) -> list[EntitySearchRow]:
    """Return the rows of a page. Raises `TooManyResults`, `ParseFailed`, or `SourceUnavailable` for another page."""
    if any(_TOO_MANY.fullmatch(extract_text(heading) or "") for heading in page.css(_HEADINGS)):
        raise TooManyResults
    tables = [table for table in page.css("table") if table.css_first("th.name-heading, td.name-view") is not None]
    if tables:
        # The last of nested tables is the innermost.
        return [
            _parse_row(row, site, page)
            for row in tables[-1].css("tbody tr")
            if _NOTHING_FOUND.fullmatch(extract_text(row) or "") is None
        ]
    if any(_NOTHING_FOUND.fullmatch(extract_text(element) or "") for element in page.css(_TEXTS)):
        return []
    if not page.css(f'input[name="{site.by_name}"]'):
        raise SourceUnavailable(Message("the site returned another page, such as a CAPTCHA or a maintenance notice"))
    raise ParseFailed(Message("{source}: unexpected results page", source=page.name))


def _parse_row(row: LexborNode, site: EntitySearchSite, page: HtmlPage) -> EntitySearchRow:
    def field(name: str) -> str | None:
        cell = row.css_first(f"span.{site.record}-{name}")
        if cell is None:
            raise ParseFailed(Message("{source}: a row has no {field}", source=page.name, field=f"{site.record}-{name}"))
        return extract_text(cell)

    number, name = field("fileno"), row.css_first("td.name-view span span")
    plain = extract_text(name) if name is not None else None
    if number is None or plain is None:
        raise ParseFailed(Message("{source}: a row has no number or no name", source=page.name))
    name_type = row.css_first(f"span.{site.record}-name-type")
    return EntitySearchRow(
        number=number,
        name=plain,
        name_type=extract_text(name_type) if name_type is not None else None,
        former_name=_find_former_name(row),
        entity_type=field("entity-type-translated"),
        jurisdiction=field("jurisdiction"),
        status=field(site.status),
    )


def _find_former_name(row: LexborNode) -> str | None:
    """Return the former name below the name, if any."""
    cell = row.css_first("td.name-view")
    found = _FORMER_NAME.search(extract_text(cell, breaks=True) or "") if cell is not None else None
    return found[1] if found is not None else None


def _has_next_page(page: HtmlPage, site: EntitySearchSite, number: int) -> bool:
    """Whether the page has a link to the next page. Not observed in practice."""
    return site.page is not None and str(number + 1) in set(_find_page_numbers(page, site.page))


def _find_page_numbers(page: HtmlPage, parameter: str) -> Iterator[str]:
    for link in page.css("a[href]"):
        # Invalid links are ignored.
        with suppress(ValueError):
            yield from parse_qs(urlsplit(link.attributes["href"] or "").query).get(parameter, [])
