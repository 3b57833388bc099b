"""Entities of the FollowTheMoney model as OpenSanctions writes them: one JSON object a line, in a whole export or a delta of it.

A delta's lines say what is to be done with an entity (`ADD`, `MOD`, `DEL`); the newest line about an entity holds. What an entity
means is decided in `listed_entity`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import open_text
from bonafide.sources.framework.context import ParseContext, Resource

MAX_LINE_CHARACTERS = 4 << 20
"""The longest entities have thousands of names and notes; a line of megabytes is none."""
_OPERATIONS = {"ADD", "MOD", "DEL"}


@dataclass(frozen=True, slots=True)
class FtmEntity:
    """One entity, or that there is none any more (`schema` is "")."""

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
        """What the entity has under these properties, each text once."""
        return list(dict.fromkeys(value for name in names for value in self.properties.get(name, ())))


def is_delta(resource: Resource) -> bool:
    """Whether the file is a delta, by its first line."""
    with open_text(resource, "utf-8-sig") as text:
        return '"op"' in text.readline(200)[:20]


def read_entities(resource: Resource, context: ParseContext) -> Iterator[FtmEntity]:
    """The entities of a file, in order; a line that is no entity is rejected. Raises `ParseFailed` when the first one is none."""
    with open_text(resource, "utf-8-sig") as text:
        for line, content in enumerate(iter(lambda: text.readline(MAX_LINE_CHARACTERS), ""), start=1):
            if not content.strip():
                continue
            context.row()
            try:
                yield _parse_entity(resource, line, json.loads(content))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                if line == 1:
                    message = f"{context.metadata.key}: {resource.name}: its first line is no entity"
                    raise ParseFailed(message) from error
                context.reject(resource, line, "the line is no entity")


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
