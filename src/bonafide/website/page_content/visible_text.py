"""Extract the visible text of a page as lines in reading order, and its contact links.

This module handles block and hidden elements only; other modules interpret the lines. Text by or about third parties (testimonials,
clients, partners) is flagged, because it does not describe the site's owner.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from bonafide.matching.text.folding import fold
from bonafide.website.page_content.markup import SitePage, parse_markup
from bonafide.website.tables import PAGE_TERMS

MAX_LINES: Final = 5_000
MAX_TEXT: Final = 400_000
"""The maximum number of characters read per page, far more than a page about a business has."""
MAX_LINE: Final = 2_000
"""The maximum length of a line; longer ones are split."""
MAX_LINKS: Final = 500
"""The maximum number of `mailto:` and `tel:` links per page."""

LINK, INLINE = "\x1e", "\x1f"
"""Markers in `TextLine.marked` for the boundaries of links and of other inline elements."""
_SPACES = re.compile(r"[ \t\r\n\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_NO_TEXT = frozenset({"script", "style", "template", "head", "title", "object", "audio", "video", "canvas", "datalist", "-comment"})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html", "label", "legend", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody",
    "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_SECTIONS = frozenset({"article", "aside", "body", "dialog", "div", "footer", "main", "section", "td"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_QUOTES = frozenset({"blockquote", "q"})
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NEVER_OTHERS = frozenset({"html", "body", "main", "header", "footer"})
_WORD_BREAKS = re.compile(r"[\s_-]+")
_OTHERS_CLASSES = frozenset[str](PAGE_TERMS["others"]["classes"])
_OTHERS_HEADINGS = tuple[str, ...](PAGE_TERMS["others"]["headings"])
_SCHEMA_REVIEW = re.compile(r"schema\.org/\w*Review\b", re.IGNORECASE)

_Attributes = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text; `marked` is the text with markers at the boundaries of inline elements."""

    text: str
    marked: str
    others: bool
    """Whether the text is by or about a third party."""


@dataclass(frozen=True, slots=True)
class ContactLink:
    """A `mailto:` or `tel:` link, the text before it on its line, and the number of lines before it."""

    address: str
    text: str
    place: int
    others: bool


@dataclass(frozen=True, slots=True)
class VisiblePage:
    """The visible text of a page. `root` is the parsed tree, for markup."""

    url: str
    root: LexborNode | None
    lines: tuple[TextLine, ...]
    links: tuple[ContactLink, ...]


def read_visible_text(page: SitePage) -> VisiblePage:
    """Read a page. Never raises; a page without text has no lines."""
    root = parse_markup(page.html)
    if root is None:
        return VisiblePage(page.url, None, (), ())
    reader = _TextReader()
    reader.walk(root)
    return VisiblePage(page.url, root, tuple(reader.lines), tuple(reader.links))


@dataclass(frozen=True, slots=True)
class _End:
    """The end of an element, with the state to restore."""

    tag: str
    others: int | None
    by_markup: bool


class _TextReader:
    """Iterative traversal of a tree; recursion would let a page exhaust the stack."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self.links: list[ContactLink] = []
        self._pieces: list[str] = []
        self._length = 0
        self._others: int | None = None
        """The level of the heading of a third-party section."""
        self._by_markup = False

    def walk(self, root: LexborNode) -> None:
        waiting: list[LexborNode | _End] = [root]
        while waiting and len(self.lines) < MAX_LINES and self._length < MAX_TEXT:
            item = waiting.pop()
            if isinstance(item, _End):
                self._leave(item)
                continue
            tag = item.tag or ""
            if tag == "-text":
                text = (item.text_content or "")[:MAX_TEXT]
                self._length += len(text)
                self._pieces.append(text)
            elif tag == "br":
                self._flush()
            elif tag not in _NO_TEXT and not _is_hidden(attributes := item.attributes):
                waiting.append(_End(tag, self._others, self._by_markup))
                self._enter(tag, attributes)
                waiting.extend(reversed(list(item.iter(include_text=True))))
        self._flush()

    def _enter(self, tag: str, attributes: _Attributes) -> None:
        self._edge(tag)
        if tag == "footer":
            self._others = None
        self._by_markup = self._by_markup or tag in _QUOTES or _is_third_party(tag, attributes)
        veiled = attributes.get("data-cfemail")
        if veiled is not None:
            self._link(f"mailto:{_decode_email(veiled)}")
        elif tag == "a":
            self._link((attributes.get("href") or "").strip())

    def _leave(self, end: _End) -> None:
        self._edge(end.tag)
        if end.tag in _HEADINGS:
            self._behind_heading(_HEADINGS[end.tag], end.others)
        elif end.tag in _SECTIONS:
            self._others = end.others
        self._by_markup = end.by_markup

    def _edge(self, tag: str) -> None:
        """Handle the start or end of an element: a block ends the line, an inline element is marked in it."""
        if tag in _BLOCKS:
            self._flush()
        else:
            self._pieces.append(LINK if tag == "a" else INLINE)

    def _behind_heading(self, level: int, others: int | None) -> None:
        heading = " ".join(fold(self.lines[-1].text).split()) if self.lines else ""
        if heading.startswith(_OTHERS_HEADINGS):
            self._others = level
        elif others is not None and level <= others:
            self._others = None

    def _link(self, address: str) -> None:
        if address[:7].lower().startswith(("mailto:", "tel:")) and len(self.links) < MAX_LINKS:
            said = "".join(self._pieces[-MAX_LINKS:])[-MAX_LINE:]
            self.links.append(ContactLink(address[:MAX_LINE], _strip_marks(said), len(self.lines), self._is_others))

    @property
    def _is_others(self) -> bool:
        return self._by_markup or self._others is not None

    def _flush(self) -> None:
        if not self._pieces:
            return
        marked = _SPACES.sub(" ", "".join(self._pieces)).strip()
        self._pieces.clear()
        for piece in _split_line(marked):
            text = _strip_marks(piece)
            if text:
                self.lines.append(TextLine(text, piece, self._is_others))


def _split_line(marked: str) -> Iterator[str]:
    """Split a line into pieces of at most `MAX_LINE` characters, at spaces if possible."""
    begin = 0
    while len(marked) - begin > MAX_LINE:
        space = marked.rfind(" ", begin + 1, begin + MAX_LINE)
        end = space if space > 0 else begin + MAX_LINE
        yield marked[begin:end].strip()
        begin = end
    yield marked[begin:].strip()


def _strip_marks(marked: str) -> str:
    return " ".join(_INVISIBLE.sub("", marked).split())


def _decode_email(veiled: str) -> str:
    """Decode an e-mail address obfuscated by Cloudflare: each byte is XORed with the first one."""
    try:
        key, *letters = bytes.fromhex(veiled[:MAX_LINE])
    except ValueError:
        return ""
    return bytes(letter ^ key for letter in letters).decode("utf-8", "replace")


def _is_hidden(attributes: _Attributes) -> bool:
    if not attributes:
        return False
    style = attributes.get("style")
    return "hidden" in attributes or (style is not None and _HIDING.search(style) is not None)


def _is_third_party(tag: str, attributes: _Attributes) -> bool:
    """Whether the type or class of an element marks third-party content."""
    if not attributes or tag in _NEVER_OTHERS:
        return False
    kind = attributes.get("itemtype")
    if kind is not None and _SCHEMA_REVIEW.search(kind) is not None:
        return True
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()[:MAX_LINE]
    return not _OTHERS_CLASSES.isdisjoint(_WORD_BREAKS.split(names))
