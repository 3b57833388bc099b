"""Pages in the shape of the territories' registers, made row by row, and a source that gives one page for each question."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape

from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.framework.metadata import SourceMetadata

CROS = ("entity-type-translated", "fileno", "jurisdiction", "name-type", "real-status")
YCOR = ("entity-type-translated", "fileno", "jurisdiction", "status-translated")
TOO_MANY = "<h5>More than 100 entities found. Please be more specific.</h5>"
NONE = "<h5>No entities found</h5>"
FORM = '<form><input name="search_name"><input name="name"><button name="btnSearch">Search</button></form>'


def page(shown: str) -> bytes:
    return f"<!DOCTYPE html><html><head><title>Search</title></head><body>{FORM}{shown}</body></html>".encode()


def table(*rows: str) -> str:
    return f'<table><thead><tr><th class="name-heading">Name</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'


def cros_row(name: str, kind: str, number: str, home: str, name_type: str, status: str) -> str:
    return _row("company", name, zip(CROS, (kind, number, home, name_type, status), strict=True))


def ycor_row(name: str, kind: str, number: str, home: str, status: str, former: str = "") -> str:
    below = f"<br>\n<b>Former Name:</b>&nbsp;{escape(former)} \n" if former else ""
    return _row("entity", name, zip(YCOR, (kind, number, home, status), strict=True), below)


def _row(record: str, name: str, cells: "zip[tuple[str, str]]", below: str = "") -> str:
    view = f'<span class="notranslate entity-name"><span class="view {record}-name ">{escape(name)}</span></span>'
    others = "".join(
        f'<td class="{css}-view"> <span class="view {record}-{css} ">{escape(text)}</span>\n</td>' for css, text in cells
    )
    return (
        f'<tr class="odd {record}"><td class="name-view">\n\t{view}{below}</td>{others}<td class="controls"><a>View</a></td></tr>'
    )


class Played:
    """A source that shows something, or sends bytes, for each set of parameters that are not blank, and remembers its questions."""

    def __init__(self, pages: Mapping[str, str | bytes]) -> None:
        self._pages = pages
        self.calls: list[SourceRequest] = []

    async def __call__(self, call: SourceRequest) -> SourceResponse:
        self.calls.append(call)
        shown = self._pages[_asked(call)]
        body = shown if isinstance(shown, bytes) else page(shown)
        return SourceResponse(call, 200, "text/html; charset=UTF-8", body, datetime(2026, 11, 20, tzinfo=UTC))

    @property
    def asked(self) -> list[str]:
        """What each call has asked for."""
        return [_asked(call) for call in self.calls]

    def context(self, source: str | SourceMetadata) -> LiveContext:
        return LiveContext(source if isinstance(source, SourceMetadata) else get_source(source).metadata, self)


def _asked(call: SourceRequest) -> str:
    return "&".join(f"{name}={value}" for name, value in call.params if value)
