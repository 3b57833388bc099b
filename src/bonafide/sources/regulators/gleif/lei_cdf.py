"""The index as XML in the LEI Common Data File format, its elements under the names of the golden copy's columns."""

import io
from collections.abc import Iterator
from typing import cast

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, read_stream
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.regulators.gleif.golden_copy import AUTHORITY, JURISDICTION, LeiRecord, is_canadian

ROOT = "LEIData"
REPEATED = frozenset(
    {"OtherEntityName", "TransliteratedOtherEntityName", "AdditionalAddressLine", "OtherAddress", "SuccessorEntity"}
)
"""Elements that the golden copy numbers, `.1` and so on."""
_PASSED_OVER = frozenset({"Extension", "LegalEntityEvents"})
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_document(file: io.BufferedReader, resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    """The Canadian records. Raises `ParseFailed` when the document is another or not well-formed."""
    foreign = 0
    line = 0
    for element in read_stream(file, resource, "LEIRecord"):
        if line == 0:
            _check_root(element, resource)
        line = cast("int | None", element.sourceline) or 0
        entity = element.find("{*}Entity")
        jurisdiction, authority = (_find_text(entity, name) for name in (JURISDICTION, AUTHORITY))
        if not is_canadian(jurisdiction, authority, context):
            foreign += 1
            continue
        cells: dict[str, str] = {}
        _flatten(element, "", cells)
        yield LeiRecord(resource, line, cells)
    if line == 0:
        raise ParseFailed(f"{resource.name}: has no LEIRecord in it")
    context.note(f"{foreign:,} entities of other countries were passed over")


def _check_root(element: Element, resource: Resource) -> None:
    root = str(element.getroottree().getroot().tag).rpartition("}")[2]
    if root != ROOT:
        raise ParseFailed(f"{resource.name}: the document is a {root}, not a {ROOT}")


def _find_text(entity: Element | None, column: str) -> str:
    """The text of an element by its column's name; empty when it is not there."""
    if entity is None:
        return ""
    path = "/".join(f"{{*}}{name}" for name in column.split(".")[1:])
    return (entity.findtext(path) or "").strip()


def _flatten(element: Element, path: str, cells: dict[str, str]) -> None:
    """Put every text below an element under the path of the elements that lead to it."""
    counts: dict[str, int] = {}
    for child in element:
        name = str(child.tag).rpartition("}")[2]
        if name in _PASSED_OVER:
            continue
        counts[name] = counts.get(name, 0) + 1
        place = f"{path}{name}.{counts[name]}" if name in REPEATED else f"{path}{name}"
        text = normalize_whitespace(child.text)
        if text is not None:
            cells[place] = text
        for attribute, suffix in (("type", "type"), (_LANGUAGE, "xmllang")):
            value = child.get(attribute)
            if value is not None:
                cells[f"{place}.{suffix}"] = value
        _flatten(child, f"{place}.", cells)
