"""A record of the list: its fields under our names, whichever of the three sets of tags the file is written in.

The tags were renamed more than once, the last time so that a reader of the old names found every record and no name in it. So a
tag that is not known is kept, to be counted. What the fields mean together is decided in `source`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_local_name, read_elements
from bonafide.sources.framework.context import Resource


@dataclass(frozen=True, slots=True)
class AutonomousListRecord:
    """One listing as it is printed, white space squeezed; a field that is absent or blank is None."""

    line: int
    unknown_tags: tuple[str, ...]
    regime: str | None = None
    last_name: str | None = None
    given_name: str | None = None
    entity: str | None = None
    title: str | None = None
    imo: str | None = None
    born_or_built: str | None = None
    aliases: str | None = None
    schedule: str | None = None
    item: str | None = None
    listed: str | None = None

    @property
    def printed_name(self) -> str | None:
        """The name of the entity or ship, else the person's, given name first; None when the record has none."""
        return self.entity or " ".join(part for part in (self.given_name, self.last_name) if part is not None) or None


def read_records(resource: Resource, tags: Mapping[str, str]) -> Iterator[AutonomousListRecord]:
    """The records of a file; `tags` says which field each tag is. Raises `ParseFailed` when the file is not well-formed XML."""
    for element in read_elements(resource, "record"):
        yield _parse_record(element, tags)


def _parse_record(element: Element, tags: Mapping[str, str]) -> AutonomousListRecord:
    fields: dict[str, str] = {}
    unknown: list[str] = []
    for child in element:
        tag = get_local_name(child)
        field, text = tags.get(tag), normalize_whitespace(child.text)
        if field is None or len(child) > 0:
            unknown.append(tag)
        elif text is not None:
            fields[field] = f"{fields[field]}; {text}" if field in fields else text
    line = cast("int | None", element.sourceline)  # the stubs leave its type open
    return AutonomousListRecord(line or 0, tuple(unknown), **fields)
