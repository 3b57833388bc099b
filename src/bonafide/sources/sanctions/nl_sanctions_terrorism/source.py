"""The national terrorism sanctions list of the Netherlands: one entry a row.

The list has no ids, so that an entry is known by its name and birth date. A row without first names is an organization. What the
list calls a country of birth is no nationality, and it has no other.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.nl_sanctions_terrorism.ods_sheet import OdsCell, read_sheet
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import build_names, format_remarks

PROGRAM = "Sanctieregeling terrorisme 2007-II"
MAX_TITLE_ROWS = 10
"""The headings stand below a title or two."""
_BETWEEN = re.compile(r"\s*[;\n]\s*|\s+/\s+")
_NOT_APPLICABLE = re.compile(r"n\.?/?a\.?:?\s*", re.IGNORECASE)
_FIELDS = {"surname", "given", "alias", "born", "birthplace", "decided", "notice"}
_Row = Mapping[str, OdsCell]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The rows of all files. Raises `ParseFailed` for a file that is no spreadsheet, or has other headings."""
    used: Counter[str] = Counter()
    for resource in resources:
        rows = 0
        for rows, (line, row) in enumerate(_read_rows(resource, context), start=1):  # noqa: B007 - counted for what follows
            context.row()
            entry = _build_entry(row)
            if entry is None:
                context.reject(resource, line, "no name in any field that is known")
                continue
            used[entry.entry_id] += 1
            again = used[entry.entry_id]
            yield entry if again == 1 else entry.model_copy(update={"entry_id": f"{entry.entry_id} #{again}"})
        if rows == 0:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is nobody in it")


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[int, _Row]]:
    """The rows below the headings, by our names of the columns."""
    columns: list[str | None] | None = None
    for place, (line, cells) in enumerate(read_sheet(resource)):
        if columns is not None:
            yield line, {field: cell for field, cell in zip(columns, cells, strict=False) if field is not None}
            continue
        found = [context.metadata.terms.get(cell.text or "") for cell in cells]
        if "surname" in found:
            columns = _check_headings(found, cells, resource, context)
        elif place >= MAX_TITLE_ROWS:
            break
    if columns is None:
        raise ParseFailed(f"{context.metadata.key}: {resource.name}: the header is not one that is known: no column for surnames")


def _check_headings(found: list[str | None], cells: list[OdsCell], resource: Resource, context: ParseContext) -> list[str | None]:
    new = [cell.text for field, cell in zip(found, cells, strict=True) if field is None and cell.text is not None]
    missing = sorted(_FIELDS.difference(filter(None, found)))
    if new or missing:
        detail = "; ".join(f"{what} {', '.join(which)}" for what, which in (("missing", missing), ("new", new)) if which)
        raise ParseFailed(f"{context.metadata.key}: {resource.name}: the header is not one that is known: {detail}"[:500])
    return found


def _build_entry(row: _Row) -> ListedEntity | None:
    surname, given, born = (_read_text(row, field) for field in ("surname", "given", "born"))
    printed = " ".join(part for part in (given, surname) if part is not None)
    if not printed:
        return None
    person = given is not None
    told = build_names(printed, ((alias, False) for alias in _BETWEEN.split(_read_text(row, "alias") or "") if alias))
    decided = _read_text(row, "decided")
    notice = row.get("notice", OdsCell())
    return ListedEntity(
        entry_id=f"{printed} | {born}" if person and born is not None else printed,
        source_url=notice.link,
        entity_type=EntityKind.PERSON if person else EntityKind.ORGANIZATION,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=(PROGRAM,),
        listing_date=next(iter(parse_birth_dates(decided)), decided),
        date_of_birth=born if person else None,
        birth_dates=parse_birth_dates(born) if person else (),
        remarks=format_remarks({
            "Place of birth" if person else "": [_read_text(row, "birthplace") or ""],
            "Date": [born or ""] if not person else (),
            "Notice": [notice.text or ""],
        }),
    )  # fmt: skip


def _read_text(row: _Row, field: str) -> str | None:
    """The cell without the list's mark for "not applicable"; None when nothing is left."""
    text = row.get(field, OdsCell()).text
    return _NOT_APPLICABLE.sub("", text, count=1) or None if text is not None and _NOT_APPLICABLE.match(text) else text
