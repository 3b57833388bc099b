"""The file of all licences in the forms in which it is published: CSV, in a ZIP or not, and JSON. Both give the same records.

The CSV has a row for each sub-category and other name of a licence, the JSON an object for each licence. No cell is interpreted.
"""

import codecs
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import DelimitedDialect, normalize_whitespace, open_text, read_delimited
from bonafide.sources.formats.json_objects import read_objects
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import ParseContext, Resource

ENCODING = "utf-8-sig"
MAX_UNPACKED_BYTES = 2 << 30
"""Four times the CSV of today."""
LIST, ITEM = "Liste Licence", "Licence"
OTHER_NAME = "Autre nom"
CATEGORY, SUBCATEGORY = "Categorie", "Sous-catégories"
SUBCATEGORIES = "Catégories et sous-catégories"
_JSON = ".json"
_BEGINNING_BYTES = 256

Cells = Mapping[str, str | None]
Subcategory = tuple[str | None, str | None]
"""Category and code."""


@dataclass(frozen=True, slots=True)
class RbqRecord:
    """A row or an object: a licence, or a part of one."""

    resource: Resource
    line: int
    cells: Cells
    """By the publisher's names."""
    subcategories: tuple[Subcategory, ...]
    other_names: tuple[str | None, ...]


def read_records(resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    """The records of a file. Raises `ParseFailed`."""
    if not is_zip(resource):
        with open_text(resource, ENCODING) as text:
            yield from (_read_objects if _is_json(resource) else _read_rows)(text, resource, context)
        return
    with _open_part(resource) as (text, part):
        yield from (_read_objects if part.name.lower().endswith(_JSON) else _read_rows)(text, part, context)


def _is_json(resource: Resource) -> bool:
    with resource.path.open("rb") as file:
        return file.read(_BEGINNING_BYTES).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")


@contextmanager
def _open_part(resource: Resource) -> Iterator[tuple[io.TextIOBase, Resource]]:
    """The only file of an archive, and what it is called. Raises `ParseFailed`."""
    with open_zip(resource, MAX_UNPACKED_BYTES) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith((".csv", _JSON))]
        if len(names) != 1:
            raise ParseFailed(f"{resource.name}: has {len(names)} CSV or JSON files, where one is expected")
        part = replace(resource, name=f"{resource.name}/{names[0]}")
        with open_member(archive, names[0], resource) as member, io.TextIOWrapper(member, ENCODING, newline="") as text:
            try:
                yield text, part
            except UnicodeDecodeError as error:
                raise ParseFailed(f"{part.name}: not {ENCODING}: {error.reason} at byte {error.start}") from error


def _read_rows(text: io.TextIOBase, resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    for _, row in read_delimited(text, resource, context, DelimitedDialect()):
        cells = row.cells
        yield RbqRecord(resource, row.line, cells, ((cells[CATEGORY], cells[SUBCATEGORY]),), (cells[OTHER_NAME],))


def _read_objects(text: io.TextIOBase, resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    keys: dict[str, None] = {}
    for place, item in enumerate(read_objects(text, resource.name, LIST), start=1):
        context.row()
        try:
            licence = dict(item[ITEM])
            keys |= dict.fromkeys(licence)
            yield _parse_record(resource, place, licence)
        except (LookupError, TypeError, ValueError) as error:
            context.reject(resource, place, f"another shape than is known: {type(error).__name__}: {error}"[:200])
    # A key that is null may be left out of one licence, but not out of all.
    context.layout(list(keys), resource)


def _parse_record(resource: Resource, place: int, licence: dict[str, Any]) -> RbqRecord:
    """Raises `LookupError`, `TypeError` or `ValueError` for an object of another shape."""
    listed, others = licence.pop(SUBCATEGORIES) or (), licence.pop(OTHER_NAME) or ()
    subcategories = [(_to_text(item.get(CATEGORY)), _to_text(item[SUBCATEGORY])) for item in map(dict, listed)]
    # One has been seen as text, several as objects.
    names = [others] if isinstance(others, str) else [item[OTHER_NAME] for item in map(dict, others)]
    cells = {key: _to_text(value) for key, value in licence.items()}
    return RbqRecord(resource, place, cells, tuple(subcategories), tuple(map(_to_text, names)))


def _to_text(value: object) -> str | None:
    """The text of a value; a number is what it is in JSON. Raises `TypeError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise TypeError(f"{type(value).__name__} where text is expected")
    return normalize_whitespace(str(value)) if value is not None else None
