"""Things in a page's JSON-LD, in whatever shape it comes: graphs, lists, references, escaped or slightly broken JSON.

A block that is beyond reading is passed over, and so are contexts of other vocabularies: names are taken for schema.org's.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any, Final

from selectolax.lexbor import LexborNode

from bonafide.website.page_content.structured_data import MAX_THINGS, Thing, ThingValue, get_local_name, squeeze_text

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
