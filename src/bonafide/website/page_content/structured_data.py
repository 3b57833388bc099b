"""What a page says in structured data: things with types and properties, read from JSON-LD and from microdata.

It keeps what is written; which things are the site's own business is decided in `schema_org`.
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
"""Things of one page."""
MAX_TEXT: Final = 5_000
"""Characters of a property."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing: its types without their vocabulary's address, and its properties."""

    types: frozenset[str]
    properties: Mapping[str, tuple["ThingValue", ...]]

    def texts(self, *names: str) -> Iterator[str]:
        """The texts of some properties in order; of a thing its name or its address on the web."""
        for name in names:
            for value in self.properties.get(name, ()):
                text = value if isinstance(value, str) else next(value.texts("name", "url"), "")
                if text:
                    yield text

    def text(self, *names: str) -> str | None:
        """The first text of some properties."""
        return next(self.texts(*names), None)

    def things(self, *names: str) -> Iterator["Thing"]:
        """The things that some properties hold, in order."""
        for name in names:
            for value in self.properties.get(name, ()):
                if isinstance(value, Thing):
                    yield value


ThingValue: TypeAlias = str | Thing


def get_local_name(text: str) -> str:
    """`Bakery` of `https://schema.org/Bakery`, `schema:Bakery` and `Bakery`."""
    return text.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def squeeze_text(text: str) -> str:
    """A property's text with its white space squeezed, of bounded length."""
    return " ".join(text[:MAX_TEXT].split())


MAX_BLOCKS: Final = 50
MAX_DEPTH: Final = 12
"""Things inside each other; deeper ones are not read."""
MAX_VALUES: Final = 200
"""Values of one property."""

_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
"""Numbers stay as they are written: a telephone number is no quantity."""


def parse_json_ld(root: LexborNode) -> tuple[Thing, ...]:
    """The things at the top of a page's blocks, those of graphs among them. References to things of the page are resolved."""
    found = _Things()
    blocks = [node.text() for node in root.css("script")[:MAX_BLOCKS] if "ld+json" in (node.attributes.get("type") or "").lower()]
    for document in filter(None, map(_decode_block, blocks)):
        found.add(document)
    return tuple(found.read())


def _decode_block(text: str) -> Any:
    """The value of a block of JSON; None for what is beyond reading."""
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
    """Without comments around it and commas before an end, which browsers' own parsers refuse and crawlers forgive."""
    text = text.replace("<![CDATA[", "")
    begin = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=0)
    return _TRAILING_COMMA.sub("", text[begin:])


class _Things:
    """The things of a page, and those that others refer to."""

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
        """Remember what bears a key, at the top and one level below, where things are usually defined."""
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
"""Where the value of a property stands that is not the text of its element."""
_SHOWN_IN_LINKS = frozenset({"email", "telephone", "url", "sameAs", "image", "logo"})
"""Properties whose value is the address of a link; others that stand on a link are its words."""


@dataclass(slots=True)
class _Item:
    """An item while its element is being read."""

    types: frozenset[str]
    properties: dict[str, list["_Item | str"]] = field(default_factory=lambda: defaultdict(list))

    def thing(self) -> Thing:
        properties: dict[str, tuple[ThingValue, ...]] = {
            name: tuple(value if isinstance(value, str) else value.thing() for value in values)
            for name, values in self.properties.items()
        }
        return Thing(self.types, properties)


def parse_microdata(root: LexborNode) -> tuple[Thing, ...]:
    """The items at the top of a page, in order."""
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
