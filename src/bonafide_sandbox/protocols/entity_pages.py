"""The search pages of the Northwest Territories' and of Yukon's registers: HTML for people, made by one product.

The tables are as the real ones; what stands around them is made up, and so are links to further pages, the words when nothing was
found, and the types of names. Yukon finds a number only when it is whole, and neither finds a former name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.registries.yt import HOMES

MAX_SHOWN = 100
"""Entities; of more it shows none."""
PAGE_SIZE = 40
"""Rows of a page, where there are pages."""
FORMER, TRADE = "Former Name", "Trade Name"
CROS, YCOR = "www.justice.gov.nt.ca/app/cros-rsel/search", "ycor-reey.gov.yk.ca/search"


@dataclass(frozen=True, slots=True)
class RegisterPageRow:
    """One name of a business, as the page shows it."""

    business: SandboxBusiness
    name: str
    name_type: str = ""
    former_name: str | None = None


@dataclass(frozen=True, slots=True)
class RegisterPageColumn:
    """A column of a register's table: its heading, the class of its cells, and what stands in them."""

    heading: str
    css: str
    text: Callable[[RegisterPageRow], str]


def handle_cros(asked: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Names by a part of one, or by a file number; names beside the legal one have rows of their own."""
    name, reference = asked.params.get("search_name", "").strip(), asked.params.get("reference", "").strip()
    found = _found(name, reference, Jurisdiction.NT, directory) if name or reference else []
    rows = [row for business in found for row in _names(business) if reference or name.casefold() in row.name.casefold()]
    page = asked.params.get("page", "1")
    if asked.method != "GET" or not page.isdecimal():
        return PlainTextResponse("Bad Request", 400)
    shown = rows[(int(page) - 1) * PAGE_SIZE : int(page) * PAGE_SIZE]
    links = [(f"https://{CROS}?{urlencode({**asked.params, 'page': number})}", number) for number in range(1, _pages(rows) + 1)]
    fields = {"search_name": name, "reference": reference}
    return _answer("Corporate Registries Online System", fields, found, _table("company", _CROS, shown, _login), links)


def handle_ycor(asked: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Entities by a part of their name or by their number, all on one page."""
    text = asked.params.get("name", "").strip()
    found = _found(text, text, Jurisdiction.YT, directory) if text else []
    if asked.method != "GET":
        return PlainTextResponse("Bad Request", 400)
    rows = [RegisterPageRow(business, business.name.upper(), former_name=_former(business)) for business in found]
    return _answer("Yukon Corporate Online Registry", {"name": text}, found, _table("entity", _YCOR, rows, _buy), [])


def _found(name: str, number: str, jurisdiction: Jurisdiction, directory: BusinessDirectory) -> list[SandboxBusiness]:
    """By the number, and by the letters of a name wherever they stand in it."""
    numbered = directory.find_in_register(jurisdiction, number)
    named = directory.named(name, [jurisdiction]) if name else []
    having = [business for business in named if any(name.casefold() in text.casefold() for text in _spelled(business))]
    return list(dict.fromkeys([*([numbered] if numbered is not None else []), *having]))


def _spelled(business: SandboxBusiness) -> tuple[str, ...]:
    return (business.name, *(business.other_names if business.register is Jurisdiction.NT else ()))


def _names(business: SandboxBusiness) -> Iterator[RegisterPageRow]:
    yield RegisterPageRow(business, business.name)
    yield from (RegisterPageRow(business, name, TRADE) for name in business.other_names)
    yield from (RegisterPageRow(business, former.name, FORMER) for former in business.former_names)


def _former(business: SandboxBusiness) -> str | None:
    return business.former_names[0].name.upper() if business.former_names else None


def _pages(rows: Sequence[RegisterPageRow]) -> int:
    return max(1, -(-len(rows) // PAGE_SIZE))


# ------------------------------------------------------------------------------------------------------------ cells


def _kind(row: RegisterPageRow) -> str:
    return BY_JURISDICTION[row.business.register].types[row.business.kind]


def _status(row: RegisterPageRow) -> str:
    return BY_JURISDICTION[row.business.register].status(row.business.kind, row.business.standing)


def _home(row: RegisterPageRow) -> str:
    business = row.business
    return HOMES[business.random_bits % len(HOMES)] if business.kind is BusinessKind.EXTRA_PROVINCIAL else business.register.label


_SHARED = (
    RegisterPageColumn("Entity Type", "entity-type-translated", _kind),
    RegisterPageColumn("File No.", "fileno", lambda row: row.business.number),
    RegisterPageColumn("Jurisdiction", "jurisdiction", _home),
)
_CROS = (
    *_SHARED,
    RegisterPageColumn("Name Type", "name-type", lambda row: row.name_type),
    RegisterPageColumn("Status", "real-status", _status),
)
_YCOR = (*_SHARED, RegisterPageColumn("Status", "status-translated", _status))


# ------------------------------------------------------------------------------------------------------------ pages


def _answer(
    title: str, fields: dict[str, str], found: Sequence[SandboxBusiness], table: str, links: Sequence[tuple[str, int]]
) -> HTMLResponse:
    """The form with what was asked for in it, and the table; or why there is none."""
    inputs = "".join(f'<input type="text" name="{name}" value="{escape(value)}">\n' for name, value in fields.items())
    form = f'<form method="get" action="search">\n{inputs}<button name="btnSearch">Search</button></form>'
    if not found:
        shown = "<h5>No entities found.</h5>" if any(fields.values()) else ""
    elif len(found) > MAX_SHOWN:
        shown = f"<h5>More than {MAX_SHOWN} entities found. Please be more specific.</h5>"
    else:
        turns = "".join(f'<li><a href="{escape(address)}">{number}</a></li>' for address, number in links)
        shown = f'{table}\n<ul class="pagination">{turns}</ul>'
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    return HTMLResponse(f"<!DOCTYPE html>\n<html>{head}\n<body>\n{form}\n{shown}\n</body></html>\n")


def _table(
    record: str, columns: Sequence[RegisterPageColumn], rows: Sequence[RegisterPageRow], control: Callable[[RegisterPageRow], str]
) -> str:
    headings = [("Name", "name"), *((column.heading, column.css) for column in columns)]
    head = "\n".join(
        f'<th class="{css}-heading"><a class="column-sort" href="?sort={css}">{text}</a></th>' for text, css in headings
    )
    body = "".join(_line(record, columns, row, place, control) for place, row in enumerate(rows))
    headline = f'<tr class="field-heading-row">\n{head}\n<th class="controls"></th></tr>'
    return f"<table>\n<thead>{headline}</thead><tbody>{body}\n</tbody></table>"


def _line(
    record: str, columns: Sequence[RegisterPageColumn], row: RegisterPageRow, place: int, control: Callable[[RegisterPageRow], str]
) -> str:
    parity = "even" if place % 2 else "odd"
    former = f"\n<br><b>Former Name:</b>&nbsp;{escape(row.former_name)} \n" if row.former_name is not None else ""
    name = f'<span class="notranslate entity-name"><span class="view {record}-name ">{escape(row.name)}</span></span>{former}'
    cells = "".join(
        f'<td class="{column.css}-view">  <span class="view {record}-{column.css} ">{escape(column.text(row))}</span>\n</td>\n'
        for column in columns
    )
    return (
        f'<tr class="{parity} {record}" data-rapid-context="{record}:{row.business.number}">\n'
        f'<td class="name-view">\n\t{name}\n</td>\n{cells}<td class="controls">{control(row)}</td></tr>'
    )


def _login(row: RegisterPageRow) -> str:
    target = quote(f"https://{CROS.rpartition('/')[0]}/companies/{row.business.number[0]}/0", safe="")
    return f'<a class="button" href="https://{CROS.rpartition("/")[0]}/login?redirect_to={target}">Login to view</a>'


def _buy(row: RegisterPageRow) -> str:
    return f'<a class="button" href="https://ycor-reey.gov.yk.ca/entities/{row.business.number}">Order a profile</a>'


ENDPOINTS = (ProtocolEndpoint("nt", CROS, handle_cros), ProtocolEndpoint("yt", YCOR, handle_ycor))
