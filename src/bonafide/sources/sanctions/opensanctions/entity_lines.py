"""Read FollowTheMoney entities as published by OpenSanctions: one JSON object per line, in a whole export or a delta.

Each line of a delta has an operation on an entity (`ADD`, `MOD`, `DEL`); the newest line about an entity applies. `listed_entity`
interprets the entities.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import open_text
from bonafide.sources.framework.context import ParseContext, Resource

MAX_LINE_CHARACTERS = 4 << 20
"""The longest entities have thousands of names and notes, but not several megabytes."""
_OPERATIONS = {"ADD", "MOD", "DEL"}


@dataclass(frozen=True, slots=True)
class FtmEntity:
    """One entity, or its deletion (`schema` is "")."""

    resource: Resource
    line: int
    id: str
    schema: str
    caption: str
    target: bool
    properties: Mapping[str, Sequence[str]]
    datasets: Sequence[str]
    last_seen: str

    def all(self, *names: str) -> list[str]:
        """Return the values of these properties, each once."""
        return list(dict.fromkeys(value for name in names for value in self.properties.get(name, ())))


def is_delta(resource: Resource) -> bool:
    """Whether the first line of the file is that of a delta."""
    with open_text(resource, "utf-8-sig") as text:
        return '"op"' in text.readline(200)[:20]


def read_entities(resource: Resource, context: ParseContext) -> Iterator[FtmEntity]:
    """Yield the entities of a file in order. Invalid lines are rejected. Raises `ParseFailed` if the first one is invalid."""
    with open_text(resource, "utf-8-sig") as text:
        for line, content in enumerate(iter(lambda: text.readline(MAX_LINE_CHARACTERS), ""), start=1):
            if not content.strip():
                continue
            context.row()
            try:
                yield _parse_entity(resource, line, json.loads(content))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                if line == 1:
                    raise ParseFailed(Message("{file}: the first line is not an entity", file=resource.name)) from error
                context.reject(resource, line, Message("the line is not an entity"))


def _parse_entity(resource: Resource, line: int, read: Any) -> FtmEntity:
    if "op" in read:
        if read["op"] not in _OPERATIONS:
            raise ValueError(read["op"])
        found = read["entity"]
        if read["op"] == "DEL":
            return FtmEntity(resource, line, str(found["id"]), "", "", target=False, properties={}, datasets=(), last_seen="")
    else:
        found = read
    return FtmEntity(
        resource=resource,
        line=line,
        id=str(found["id"]),
        schema=str(found["schema"]),
        caption=str(found.get("caption") or ""),
        target=bool(found.get("target")),
        properties={str(name): [str(value) for value in values] for name, values in found["properties"].items()},
        datasets=[str(name) for name in found.get("datasets", ())],
        last_seen=str(found.get("last_seen") or ""),
    )
