"""Read a web page and the tables in it: a known header, then rows.

A page that is not as expected is refused, never repaired: bytes that are invalid in the encoding, text that is not HTML, a page
that ends within a table, a table without the expected columns. The source interprets the cells. No link is followed.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.sources.formats.delimited_text import TableRow

__all__ = ["HtmlPage", "HtmlTable", "LexborNode", "extract_text", "parse_charset", "read_html"]

DECLARED_WITHIN = 1024
"""Bytes in which a page must declare its encoding (HTML Standard, "prescan a byte stream to determine its encoding")."""
SHOWN_WITHIN = 4096
"""Characters in which the first element must begin. Comments may precede it."""
MAX_SPAN = 100
"""Maximum number of columns or rows that one cell spans, whatever the page says."""
_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_DECLARED = re.compile(rb"<meta\b[^>]*\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_HTML_ELEMENT = re.compile(r"<(?:!doctype\s+html|html|head|body|main|div|table|form|h[1-6]|p|ul)\b", re.IGNORECASE)
_LATIN_1 = frozenset({"ascii", "iso8859-1"})
_NOT_MARKUP = re.compile(r"<!--.*?(?:-->|$)|<(script|style|template)\b.*?(?:</\1|$)", re.IGNORECASE | re.DOTALL)
_TABLE_TAG = re.compile(r"<(/?)table\b", re.IGNORECASE)
_PAGE = Message("the page")
_NOT_HTML = Message("{page}: not an HTML page")
_NO_TEXT = frozenset({"script", "style", "template", "-comment"})
_LISTS = {"dd", "dl", "dt", "li", "ol", "ul"}
_LINES = _LISTS | {"address", "div", "h1", "h2", "h3", "h4", "h5", "h6", "p", "table", "td", "th", "tr"}
"""Elements that begin and end on a line of their own."""
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
"""The parser puts every row into one of them, as browsers do."""
_SUB_HEADING = ": "
"""Between the parts of a heading in two rows (`Authorized to sell: Plants`)."""


def read_html(content: bytes, encoding: str | None = None, *, name: str = _PAGE) -> "HtmlPage":
    """Parse a page from a file or a response. Errors name it `name`.

    `encoding` is the one that the sender states. Without it, the page's own declaration applies, and UTF-8 if there is none. Raises
    `ParseFailed` when a byte is invalid in the encoding, when the text is not HTML, or when it ends within a table.
    """
    text = _decode(content, encoding, name)
    if not text.lstrip().startswith("<") or _HTML_ELEMENT.search(text, 0, SHOWN_WITHIN) is None:
        raise ParseFailed(_NOT_HTML.fill(page=name))
    if _is_truncated(text):
        raise ParseFailed(Message("{page}: the page is truncated: a table does not end", page=name))
    root = LexborHTMLParser(text).root
    if root is None:
        raise ParseFailed(_NOT_HTML.fill(page=name))
    return HtmlPage(name, root)


def parse_charset(content_type: str) -> str | None:
    """The encoding that the sender of a page states in its `Content-Type`, for `read_html`; None when it states none."""
    stated = _CHARSET.search(content_type)
    return stated[1] if stated is not None else None


def extract_text(node: LexborNode, *, breaks: bool = False) -> str | None:
    """The visible text of an element with its white space collapsed; None without any.

    `breaks` keeps line ends (for a cell with one language above the other); otherwise they are spaces. Links to footnotes are left
    out.
    """
    shown = re.sub(r" *\n[ \n]*", "\n" if breaks else " ", "".join(_extract_visible_text(node)))
    return re.sub(r" {2,}", " ", shown).strip() or None


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table of a page: its headings in order, and its rows with one cell for each heading."""

    header: tuple[str, ...]
    rows: list[TableRow]


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page."""

    name: str
    root: LexborNode

    def css(self, selector: str) -> list[LexborNode]:
        """The elements that match a CSS selector, in order."""
        return self.root.css(selector)

    def table(self, *columns: str, breaks: bool = False) -> HtmlTable:
        """The first table that has all these columns. It may have more; `context.layout` checks them.

        `line` of a row counts the table's rows from 1, headings included. Rows without text are left out. A cell that spans several
        columns or rows is repeated in each of them. Raises `ParseFailed` with the columns that the nearest table lacks, or the row
        whose number of cells differs from the number of headings.
        """
        missing: list[str] | None = None
        for node in self.css("table"):
            grid = _Grid.of(node, breaks=breaks)
            lacking = [column for column in columns if column not in grid.header]
            if not lacking:
                return HtmlTable(grid.header, grid.rows(self.name))
            if missing is None or len(lacking) < len(missing):
                missing = lacking
        if missing is None:
            raise ParseFailed(Message("{page}: the page has no table", page=self.name))
        sentence = Message("{page}: unknown table layout, missing columns: {columns}", page=self.name, columns=join_values(missing))
        raise ParseFailed(sentence)


# ------------------------------------------------------------------------------------------------------------ text


def _decode(content: bytes, encoding: str | None, name: str) -> str:
    known = encoding if encoding is not None else _find_declared_charset(content)
    try:
        codec = codecs.lookup(known).name
        # On the web, Latin-1 means this superset of it (WHATWG Encoding Standard, "names and labels").
        return content.decode("windows-1252" if codec in _LATIN_1 else codec)
    except UnicodeDecodeError as error:
        problem = Message(
            "{file}: not {encoding}: {reason} at byte {byte}", file=name, encoding=known, reason=error.reason, byte=error.start
        )
        raise ParseFailed(problem) from error
    except LookupError as error:
        raise ParseFailed(Message("{page}: '{encoding}' is not an encoding", page=name, encoding=known)) from error


def _find_declared_charset(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return encoding
    declared = _DECLARED.search(content, 0, DECLARED_WITHIN)
    return declared[1].decode("ascii", "replace") if declared is not None else "utf-8"


def _is_truncated(text: str) -> bool:
    """Whether a table has no end tag, which HTML requires. The parser would close it and hide the missing rows."""
    ends = [tag[1] for tag in _TABLE_TAG.finditer(_NOT_MARKUP.sub("", text))]
    return ends.count("") > ends.count("/")


def _extract_visible_text(node: LexborNode) -> Iterator[str]:
    """The text of an element in pieces, with a line feed where a line ends. A page decides how deep it is nested: no recursion."""
    waiting: list[LexborNode | str] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif item.tag == "-text":
            yield re.sub(r"\s+", " ", item.text())
        elif item.tag == "br":
            yield "\n"
        elif item.tag not in _NO_TEXT and not _is_footnote(item):
            if item.tag in _LINES:
                yield "\n"
                waiting.append("\n")
            waiting.extend(reversed(list(item.iter(include_text=True))))


def _is_footnote(node: LexborNode) -> bool:
    return node.tag == "sup" and node.css_first("a") is not None


# ------------------------------------------------------------------------------------------------------------ tables


@dataclass(slots=True)
class _Grid:
    """The cells of a table by position, those that span several columns or rows repeated in each."""

    lines: list[list[str | None]] = field(default_factory=list)
    headings: int = 0
    """The number of lines that are headings."""

    @classmethod
    def of(cls, table: LexborNode, *, breaks: bool) -> "_Grid":
        grid = cls()
        for section in (part for part in table.iter() if part.tag in _SECTIONS):
            # A row span ends with its section.
            reaching: dict[int, tuple[int, str | None]] = {}
            for row in (part for part in section.iter() if part.tag == "tr"):
                cells = [cell for cell in row.iter() if cell.tag in {"td", "th"}]
                is_heading = len(grid.lines) == grid.headings and (section.tag == "thead" or {cell.tag for cell in cells} == {"th"})
                # Headings are looked up by name, so their line breaks are spaces.
                grid.lines.append(_spread_cells(cells, reaching, breaks=breaks and not is_heading))
                grid.headings += is_heading
        return grid

    @property
    def header(self) -> tuple[str, ...]:
        """The heading of each column, its parts from top to bottom if it has several rows."""
        return tuple(_join_heading(parts) for parts in _iterate_columns(self.lines[: self.headings]))

    def rows(self, name: str) -> list[TableRow]:
        header = self.header
        if len(set(header) - {""}) != len([heading for heading in header if heading]):
            raise ParseFailed(
                Message("{page}: a table has two columns of the same name: {columns}", page=name, columns=join_values(header))
            )
        rows = []
        for line, cells in enumerate(self.lines[self.headings :], start=self.headings + 1):
            if len(cells) != len(header):
                problem = Message(
                    "{page}: row {row} has {cells} cells, the table has {columns} columns",
                    page=name,
                    row=line,
                    cells=len(cells),
                    columns=len(header),
                )
                raise ParseFailed(problem)
            if any(cell is not None for cell in cells):
                rows.append(TableRow(line, dict(zip(header, cells, strict=True))))
        return rows


def _spread_cells(cells: Sequence[LexborNode], reaching: dict[int, tuple[int, str | None]], *, breaks: bool) -> list[str | None]:
    """The texts of a row by column. `reaching` has the cells that span down from rows above, with the rows that remain of each."""
    line: list[str | None] = []
    waiting = list(cells)
    while waiting or len(line) in reaching:
        if len(line) in reaching:
            line.append(_take_reaching(reaching, len(line)))
            continue
        cell = waiting.pop(0)
        text, rows = extract_text(cell, breaks=breaks), _read_span(cell, "rowspan")
        for _ in range(_read_span(cell, "colspan")):
            if rows > 1:
                reaching[len(line)] = rows - 1, text
            line.append(text)
    return line


def _take_reaching(reaching: dict[int, tuple[int, str | None]], column: int) -> str | None:
    left, text = reaching.pop(column)
    if left > 1:
        reaching[column] = left - 1, text
    return text


def _read_span(cell: LexborNode, attribute: str) -> int:
    value = cell.attributes.get(attribute) or ""
    return min(max(int(value), 1), MAX_SPAN) if value.isascii() and value.isdigit() else 1


def _iterate_columns(lines: Sequence[Sequence[str | None]]) -> Iterator[list[str | None]]:
    width = max((len(line) for line in lines), default=0)
    for column in range(width):
        yield [line[column] for line in lines if column < len(line)]


def _join_heading(parts: Sequence[str | None]) -> str:
    return _SUB_HEADING.join(dict.fromkeys(part for part in parts if part is not None))
