"""Things in a page's microdata: elements with `itemscope`, and the `itemprop`s inside them (HTML Standard, "Microdata").

`itemref` is not followed, and an item that is a property of another is not at the top.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from bonafide.website.page_content.structured_data import MAX_THINGS, Thing, ThingValue, get_local_name, squeeze_text

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
