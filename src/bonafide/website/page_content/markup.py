"""A fetched page, and its HTML sanitized before parsing: well nested, with limited depth and number of tags.

On a malicious page, the error recovery of an HTML parser can take quadratic time or create millions of elements. A single pass over
the tags removes everything that would need recovery. The content is not interpreted here.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode


@dataclass(frozen=True, slots=True)
class SitePage:
    """A fetched page: its HTML, decoded with the character set of the headers or of the document."""

    url: str
    """The URL after redirects."""
    html: str
    retrieved_at: datetime


MAX_DEPTH: Final = 200
"""The maximum nesting depth. Tags of deeper elements are dropped; their text is kept."""
MAX_TAGS: Final = 50_000
"""The maximum number of tags per page; the rest of the page is ignored."""
MAX_ATTRIBUTES: Final = 1000
"""The maximum length of a tag outside quotation marks; a longer tag is reduced to its name."""

_VALUE = r"(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^\s>\"'][^\s>]*+)?"
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<rest>(?:[\s/]++|[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE})?)*+)>"
    r"|<[!?/](?![a-zA-Z])[^>]*+(?:>|\Z)|<![^>]*+(?:>|\Z)"
    r"|<(?P<cut>/?[a-zA-Z])",
    re.DOTALL,
)
"""A comment, a tag, a doctype or bogus comment, or an unterminated tag at the end of the page."""
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SKIPPED = frozenset({"style", "xmp", "iframe", "noembed", "noframes", "textarea", "select", "svg", "math", "noscript"})
"""Elements without visible text of the page, from the start tag to the next matching end tag."""
_LEFT_OUT = frozenset({"plaintext", "frameset", "frame", "![cdata["})
_RAW = frozenset({"script", "title"})
_UNNESTED = frozenset({"html", "head", "body"})
_VOID = frozenset({
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "hr", "img", "image", "input", "keygen", "link", "meta",
    "param", "source", "track", "wbr",
})  # fmt: skip
_ROW = frozenset({"tr", "td", "th"})
_CLOSES: dict[str, frozenset[str]] = {
    "li": frozenset({"li", "p"}),
    **dict.fromkeys(("dt", "dd"), frozenset({"dt", "dd", "p"})),
    **dict.fromkeys(("td", "th"), frozenset({"td", "th", "p"})),
    "tr": _ROW | {"p"},
    **dict.fromkeys(("thead", "tbody", "tfoot"), _ROW | {"p", "thead", "tbody", "tfoot"}),
    **dict.fromkeys(
        [
            "address",
            "article",
            "aside",
            "blockquote",
            "center",
            "details",
            "div",
            "dl",
            "fieldset",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "main",
            "nav",
            "ol",
            "p",
            "pre",
            "section",
            "table",
            "ul",
        ],
        frozenset({"p"}),
    ),
}
"""Elements with an optional end tag that are closed by the start of another element."""
_BARRIERS = frozenset({"table", "td", "th", "caption", "object", "template", "button", "applet", "marquee"})
"""Elements that limit end tags: an end tag inside one closes no element outside it."""


def parse_markup(html: str) -> LexborNode | None:
    """Parse a page and return the root of its tree, which is little deeper than `MAX_DEPTH`; None without a root. Never raises."""
    return LexborHTMLParser(nest_tags(html)).root


def nest_tags(html: str) -> str:
    """Remove comments, styles, selection lists and drawings, and close every element within its parent."""
    nest = _TagNester(html.replace("\0", ""))
    nest.read()
    return "".join(nest.pieces)


class _TagNester:
    """A single pass over the tags of a page; unchanged text is copied in large pieces."""

    def __init__(self, html: str) -> None:
        self.pieces: list[str] = []
        self._html = html
        self._stack: list[str] = []
        self._from = 0
        """The start of the text that is not yet copied."""

    def read(self) -> None:
        html, search = self._html, _MARKUP.search
        found, count = search(html), 0
        while found is not None and found["cut"] is None and count < MAX_TAGS:
            count += 1
            found = search(html, self._tag(found))
        self.pieces.append(html[self._from : found.start() if found is not None else len(html)])

    def _tag(self, found: re.Match[str]) -> int:
        """Process one tag or comment; returns the position at which to continue."""
        is_end, name, rest, _ = found.groups()
        name = name.lower() if name is not None else ""
        after = found.end()
        if name in _SKIPPED:
            after = after if is_end else _find_end(self._html, name, after)
            self._replace(found.start(), after, "")
        elif name in _RAW:
            after, element = (after, "") if is_end else _read_raw_element(self._html, name, rest, after)
            self._replace(found.start(), after, element)
        elif not name or name in _LEFT_OUT:
            self._replace(found.start(), after, "")
        elif is_end:
            self._end(name, found)
        else:
            self._start(name, rest, found)
        return after

    def _replace(self, start: int, end: int, text: str) -> None:
        self.pieces += (self._html[self._from : start], text)
        self._from = end

    def _start(self, name: str, rest: str, found: re.Match[str]) -> None:
        stack, closes = self._stack, _CLOSES.get(name)
        while closes is not None and stack and stack[-1] in closes:
            self._replace(found.start(), found.start(), f"</{stack.pop()}>")
        is_nested = name not in _VOID and name not in _UNNESTED
        if is_nested and len(stack) >= MAX_DEPTH:
            self._replace(found.start(), found.end(), "")
            return
        if len(rest) > MAX_ATTRIBUTES:
            self._replace(found.start(), found.end(), f"<{name}{_clean_attributes(rest)}>")
        if is_nested:
            stack.append(name)

    def _end(self, name: str, found: re.Match[str]) -> None:
        if self._stack and self._stack[-1] == name:
            self._stack.pop()
        else:
            self._replace(found.start(), found.end(), "".join(self._ended(name)))

    def _ended(self, name: str) -> list[str]:
        """The end tags to write for one end tag: none if no element of its name is open."""
        stack = self._stack
        place = len(stack) - 1
        while place >= 0 and stack[place] != name:
            if stack[place] in _BARRIERS and name not in _BARRIERS:
                return []
            place -= 1
        ended = [f"</{element}>" for element in reversed(stack[place:])] if place >= 0 else []
        del stack[place if place >= 0 else len(stack) :]
        return ended


def _clean_attributes(rest: str) -> str:
    if len(rest) <= MAX_ATTRIBUTES or len(_QUOTED.sub("", rest)) <= MAX_ATTRIBUTES:
        return rest
    return ""


def _read_raw_element(html: str, name: str, rest: str, start: int) -> tuple[int, str]:
    """The end of a raw text element, and the element itself if its content is used."""
    found = _ENDS[name].search(html, start)
    until, after = found.span() if found is not None else (len(html), len(html))
    if name == "script" and "ld+json" not in rest.lower():
        return after, ""
    return after, f"<{name}{_clean_attributes(rest)}>{html[start:until]}</{name}>"


def _find_end(html: str, name: str, start: int) -> int:
    found = _ENDS[name].search(html, start)
    return found.end() if found is not None else len(html)


_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])[^>]*+(?:>|\Z)", re.IGNORECASE) for name in _SKIPPED | _RAW}
