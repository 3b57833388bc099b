"""Query and parse the entity search page that the Northwest Territories (CROS) and Yukon (YCOR) registers share.

What differs between the two stands in their folders. Known are three rows of the one page and what a public program took from the
other; unknown, and marked here, is what a page says when nothing was found. So an empty answer counts as one only where the page
says so. It makes no entries.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound, SourceUnavailable
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.names.normalization import normalise
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.html_page import HtmlPage, LexborNode, extract_text, parse_charset, read_html
from bonafide.sources.framework.live import LiveContext, LiveQuery, QueryPairs, normalize_number

MAX_PAGES = 3
"""Of one question. A search that has more is too wide, as one of more than a hundred entities is to the register itself."""
_TOO_MANY = re.compile(r"More than [\d,]+ \w+ found\b.*", re.IGNORECASE)
"""`More than 100 entities found. Please be more specific.`"""
_NOTHING_FOUND = re.compile(
    r"(?:No|0) (?:matching )?(?:entit\w+|compan\w+|records?|results?)(?: (?:was|were))?(?: found)?\W*", re.IGNORECASE
)
"""Not seen in practice."""
_FORMER_NAME = re.compile(r"Former Name: ?(.+)")
_HEADINGS, _TEXTS = "h1, h2, h3, h4, h5, h6", "h1, h2, h3, h4, h5, h6, p"


@dataclass(frozen=True, slots=True)
class EntitySearchSite:
    """What one register's page has of its own."""

    numbers: NumberType
    record: str
    """How its style classes call what is registered: `company-fileno`."""
    status: str
    """And the status of it."""
    by_name: str
    """The parameter with the words of a name."""
    by_number: str
    others: QueryPairs = ()
    """Parameters that its form sends besides."""
    page: str | None = None
    """The parameter that turns pages, where there are pages."""


@dataclass(frozen=True, slots=True)
class EntitySearchRow:
    """One line of the page: a name of something registered. Blank cells are None."""

    number: str
    name: str
    name_type: str | None
    former_name: str | None
    entity_type: str | None
    jurisdiction: str | None
    status: str | None


class TooManyResults(Exception):
    """The register has more than it shows. It never leaves this module."""


async def search_entities(query: LiveQuery, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """What the page has under the number, then what it has under the name, those that are nearest to it first.

    Raises `InvalidInput` when it can be asked neither, or has too many of that name, and other `SourceError`s.
    """
    number = normalize_number(query.number, site.numbers) if query.number is not None else None
    if number is None and query.name is None:
        raise InvalidInput(f"{context.metadata.title} can be asked for a name, or for {NUMBER_FORMATS[site.numbers].title}")
    found = await search_number(number, site, context) if number is not None else []
    if query.name is not None:
        try:
            found += await _search_name(query.name, site, context)
        except InvalidInput:
            if not found:
                raise
    return list(dict.fromkeys(found))


async def search_number(number: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """What the page has under a number in the register's spelling, and behind it whatever else is called by it.

    Empty when the page says that there is nothing.
    """
    try:
        found = await _search(site.by_number, number, site, context)
    except TooManyResults as error:
        raise ParseFailed(f"more entities than one were announced for the number {number}") from error
    # Numbered companies are called by numbers. Anything else means that the page has not looked for the number at all.
    strangers = [line.number for line in found if number not in f"{line.number} {line.name} {line.former_name}"]
    if strangers:
        raise ParseFailed(f"the page was asked for {number} and shows {strangers[0]}")
    return sorted(found, key=lambda line: line.number != number)


# ------------------------------------------------------------------------------------------------------------ asking


async def _search_name(name: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """Those whose names have the words of this one without its legal form; if these are too many, with it."""
    words = " ".join(name.replace("’", "'").split())
    for text in filter(None, dict.fromkeys((_remove_legal_form(words), words))):
        try:
            found = await _search(site.by_name, text, site, context)
        except TooManyResults:
            continue
        return sorted(found, key=lambda line: _compute_distance(line.name, name))
    raise InvalidInput(f"{context.metadata.title} has too many names with {words!r} to show them; more of the name is needed")


async def _search(parameter: str, text: str, site: EntitySearchSite, context: LiveContext) -> list[EntitySearchRow]:
    """The lines of every page of one search. Raises `TooManyResults`."""
    asked = [(parameter, text), *((name, value) for name, value in site.others if name != parameter)]
    lines: list[EntitySearchRow] = []
    for number in range(1, MAX_PAGES + 1):
        turned = [(site.page, str(number))] if site.page is not None else []
        page = _parse_page(await context.get("", (*asked, *turned)), context)
        lines += _parse_rows(page, site)
        if not _has_next_page(page, site, number):
            return lines
    raise TooManyResults


def _parse_page(answer: SourceResponse, context: LiveContext) -> HtmlPage:
    if not answer.found:
        raise SourceNotFound(f"{context.metadata.key}: nothing answers at {context.live.base_url}")
    return read_html(answer.body, parse_charset(answer.content_type), name=f"{context.metadata.key}: the answer")


def _remove_legal_form(name: str) -> str:
    """The beginning of a name that says as much as the whole.

    The page looks for the letters as they are given, and legal forms have many spellings.
    """
    words, core = name.split(), normalise(name).core
    while len(words) > 1 and normalise(" ".join(words[:-1])).core == core:
        words.pop()
    return " ".join(words).rstrip(" ,;-(")


def _compute_distance(found: str, name: str) -> tuple[bool, bool, int]:
    """Less is nearer: the same name but for its form, then one that begins so, then the shorter."""
    one, other = normalise(found).core, normalise(name).core
    return one != other, one[: len(other)] != other, len(found)


# ------------------------------------------------------------------------------------------------------------ reading


def _parse_rows(page: HtmlPage, site: EntitySearchSite) -> list[EntitySearchRow]:
    """The lines of a page. Raises `TooManyResults`, `ParseFailed`, or `SourceUnavailable` for a page that is not the search's."""
    if any(_TOO_MANY.fullmatch(extract_text(heading) or "") for heading in page.css(_HEADINGS)):
        raise TooManyResults
    tables = [table for table in page.css("table") if table.css_first("th.name-heading, td.name-view") is not None]
    if tables:
        # Of tables in one another the last is the innermost.
        return [
            _parse_row(row, site, page)
            for row in tables[-1].css("tbody tr")
            if _NOTHING_FOUND.fullmatch(extract_text(row) or "") is None
        ]
    if any(_NOTHING_FOUND.fullmatch(extract_text(element) or "") for element in page.css(_TEXTS)):
        return []
    if not page.css(f'input[name="{site.by_name}"]'):
        raise SourceUnavailable("another page came in place of the search: a challenge for people, or a notice of maintenance")
    raise ParseFailed(f"{page.name}: neither a table of names, nor that there are too many, nor that there is none")


def _parse_row(row: LexborNode, site: EntitySearchSite, page: HtmlPage) -> EntitySearchRow:
    def field(name: str) -> str | None:
        cell = row.css_first(f"span.{site.record}-{name}")
        if cell is None:
            raise ParseFailed(f"{page.name}: a row has no {site.record}-{name}")
        return extract_text(cell)

    number, name = field("fileno"), row.css_first("td.name-view span span")
    plain = extract_text(name) if name is not None else None
    if number is None or plain is None:
        raise ParseFailed(f"{page.name}: a row has no {'number' if number is None else 'name'}")
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
    """The name that is printed below the name, if one is."""
    cell = row.css_first("td.name-view")
    found = _FORMER_NAME.search(extract_text(cell, breaks=True) or "") if cell is not None else None
    return found[1] if found is not None else None


def _has_next_page(page: HtmlPage, site: EntitySearchSite, number: int) -> bool:
    """Whether the page has a link to the one behind it. Not seen in practice."""
    return site.page is not None and str(number + 1) in set(_find_page_numbers(page, site.page))


def _find_page_numbers(page: HtmlPage, parameter: str) -> Iterator[str]:
    for link in page.css("a[href]"):
        # A link that is no address leads to no page.
        with suppress(ValueError):
            yield from parse_qs(urlsplit(link.attributes["href"] or "").query).get(parameter, [])
