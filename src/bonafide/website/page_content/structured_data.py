"""Parse the structured data of a page: things with types and properties, from JSON-LD and microdata.

Values are kept as written; `schema_org` decides which things describe the site's own business.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final, TypeAlias

from selectolax.lexbor import LexborNode

MAX_THINGS: Final = 2_000
"""The maximum number of things per page."""
MAX_TEXT: Final = 5_000
"""The maximum length of a property value."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing: its types without the vocabulary URL, and its properties."""

    types: frozenset[str]
    properties: Mapping[str, tuple["ThingValue", ...]]

    def texts(self, *names: str) -> Iterator[str]:
        """Yield the text values of properties in order; a nested thing gives its name or URL."""
        for name in names:
            for value in self.properties.get(name, ()):
                text = value if isinstance(value, str) else next(value.texts("name", "url"), "")
                if text:
                    yield text

    def text(self, *names: str) -> str | None:
        """The first text value of these properties."""
        return next(self.texts(*names), None)

    def things(self, *names: str) -> Iterator["Thing"]:
        """Yield the nested things of properties in order."""
        for name in names:
            for value in self.properties.get(name, ()):
                if isinstance(value, Thing):
                    yield value


ThingValue: TypeAlias = str | Thing


def get_local_name(text: str) -> str:
    """`Bakery` of `https://schema.org/Bakery`, `schema:Bakery` and `Bakery`."""
    return text.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def squeeze_text(text: str) -> str:
    """A property text with collapsed white space, truncated to `MAX_TEXT`."""
    return " ".join(text[:MAX_TEXT].split())


MAX_BLOCKS: Final = 50
MAX_DEPTH: Final = 12
"""The maximum nesting depth; deeper things are ignored."""
MAX_VALUES: Final = 200
"""The maximum number of values of a property."""

_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
"""Keeps numbers as text, because values such as phone numbers are not quantities."""


def parse_json_ld(root: LexborNode) -> tuple[Thing, ...]:
    """The top-level things of all JSON-LD blocks, including those in graphs, with references within the page resolved."""
    found = _Things()
    blocks = [node.text() for node in root.css("script")[:MAX_BLOCKS] if "ld+json" in (node.attributes.get("type") or "").lower()]
    for document in filter(None, map(_decode_block, blocks)):
        found.add(document)
    return tuple(found.read())


def _decode_block(text: str) -> Any:
    """Decode a JSON block; None if it cannot be repaired."""
    plain = text.strip().strip("\ufeff")
    return next((value for mend in (str, _repair_json, _unescape) if (value := _parse_json(mend(plain))) is not None), None)


def _parse_json(text: str) -> Any:
    try:
        return _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _unescape(text: str) -> str:
    return _repair_json(unescape(text))


def _repair_json(text: str) -> str:
    """Remove surrounding comments and trailing commas, which are invalid JSON but accepted by crawlers."""
    text = text.replace("<![CDATA[", "")
    begin = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=0)
    return _TRAILING_COMMA.sub("", text[begin:])


class _Things:
    """The things of a page, and the targets of references."""

    def __init__(self) -> None:
        self._tops: list[Mapping[str, Any]] = []
        self._by_key: dict[str, Mapping[str, Any]] = {}
        self._count = 0

    def add(self, document: Any) -> None:
        waiting: list[tuple[Any, int]] = [(document, 0)]
        while waiting and len(self._tops) < MAX_THINGS:
            value, depth = waiting.pop(0)
            if isinstance(value, list):
                waiting[:0] = [(item, depth + 1) for item in value[:MAX_THINGS]] if depth < MAX_DEPTH else []
            elif isinstance(value, dict):
                graph = value.get("@graph")
                if graph is not None:
                    waiting[:0] = [(graph, depth + 1)] if depth < MAX_DEPTH else []
                else:
                    self._tops.append(value)

    def read(self) -> Iterator[Thing]:
        for top in self._tops:
            self._index(top)
        for top in self._tops:
            yield self._thing(top, 0)

    def _index(self, top: Mapping[str, Any]) -> None:
        """Index things with an `@id`, at the top level and one level below, where they are usually defined."""
        for value in (top, *top.values()):
            if isinstance(value, dict) and isinstance(value.get("@id"), str) and len(value) > 1:
                self._by_key.setdefault(value["@id"], value)

    def _thing(self, value: Mapping[str, Any], depth: int) -> Thing:
        self._count += 1
        key = value.get("@id")
        if isinstance(key, str) and len(value) == 1:
            value = self._by_key.get(key, value)
        types = value.get("@type", ())
        return Thing(
            types=frozenset(get_local_name(kind) for kind in _to_list(types) if isinstance(kind, str)),
            properties={
                get_local_name(str(name)): tuple(self._values(given, depth + 1))
                for name, given in value.items()
                if not str(name).startswith("@") and depth < MAX_DEPTH and self._count < MAX_THINGS
            },
        )

    def _values(self, given: Any, depth: int) -> Iterator[ThingValue]:
        for value in _to_list(given):
            if isinstance(value, dict):
                yield from self._of_object(value, depth)
            elif isinstance(value, str):
                text = squeeze_text(unescape(value) if "&" in value else value)
                if text:
                    yield text

    def _of_object(self, value: Mapping[str, Any], depth: int) -> Iterator[ThingValue]:
        if "@value" in value:
            yield from self._values(value["@value"], depth) if depth < MAX_DEPTH else ()
        elif "@list" in value or "@set" in value:
            yield from self._values(value.get("@list", value.get("@set")), depth + 1) if depth < MAX_DEPTH else ()
        elif self._count < MAX_THINGS:
            yield self._thing(value, depth)


def _to_list(value: Any) -> Sequence[Any]:
    return value[:MAX_VALUES] if isinstance(value, list) else (value,)


_BY_ATTRIBUTE = {
    "meta": "content", "audio": "src", "embed": "src", "iframe": "src", "img": "src", "source": "src", "video": "src",
    "a": "href", "area": "href", "link": "href", "object": "data", "data": "value", "meter": "value", "time": "datetime",
}  # fmt: skip
"""The attribute that holds the value of a property, for elements whose text is not the value."""
_SHOWN_IN_LINKS = frozenset({"email", "telephone", "url", "sameAs", "image", "logo"})
"""Properties whose value is the URL of a link; for other properties it is the text of the link."""


@dataclass(slots=True)
class _Item:
    """An item whose element is being read."""

    types: frozenset[str]
    properties: dict[str, list["_Item | str"]] = field(default_factory=lambda: defaultdict(list))

    def thing(self) -> Thing:
        properties: dict[str, tuple[ThingValue, ...]] = {
            name: tuple(value if isinstance(value, str) else value.thing() for value in values)
            for name, values in self.properties.items()
        }
        return Thing(self.types, properties)


def parse_microdata(root: LexborNode) -> tuple[Thing, ...]:
    """The top-level microdata items of a page, in order."""
    if root.css_first("[itemscope]") is None:
        return ()
    return tuple(item.thing() for item in _list_items(root))


def _list_items(root: LexborNode) -> list[_Item]:
    tops: list[_Item] = []
    count = 0
    waiting: list[tuple[LexborNode, _Item | None]] = [(root, None)]
    while waiting:
        node, owner = waiting.pop()
        attributes = node.attributes
        names = (attributes.get("itemprop") or "").split()
        inner = owner
        if "itemscope" in attributes and count < MAX_THINGS:
            count += 1
            inner = _Item(frozenset(map(get_local_name, (attributes.get("itemtype") or "").split())))
            if owner is not None and names:
                _add_value(owner, names, inner)
            else:
                tops.append(inner)
        elif owner is not None and names:
            value = _read_value(node, names)
            if value:
                _add_value(owner, names, value)
        waiting.extend((child, inner) for child in reversed(list(_walk_elements(node))))
    return tops


def _walk_elements(node: LexborNode) -> Iterator[LexborNode]:
    return (child for child in node.iter() if child.tag not in {"script", "style", "template"})


def _add_value(owner: _Item, names: list[str], value: _Item | str) -> None:
    for name in names:
        owner.properties[get_local_name(name)].append(value)


def _read_value(node: LexborNode, names: list[str]) -> str:
    attributes = node.attributes
    content = attributes.get("content")
    if content:
        return squeeze_text(content)
    source = _BY_ATTRIBUTE.get(node.tag or "")
    if source == "href" and _SHOWN_IN_LINKS.isdisjoint(names):
        source = None
    given = attributes.get(source) if source is not None else None
    return squeeze_text(given) if given else squeeze_text(node.text(separator=" "))
