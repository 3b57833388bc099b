"""The national terrorism sanctions list of the Netherlands: one entry for each row.

The list has no IDs, so an entry is identified by its name and birth date. A row without first names is an organization. The list
has the country of birth, but no nationality.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_messages, join_values
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import MAX_NAMED_COLUMNS, ParseContext, Resource
from bonafide.sources.sanctions.nl_sanctions_terrorism.ods_sheet import OdsCell, read_sheet
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import build_names, format_remarks

PROGRAM = "Sanctieregeling terrorisme 2007-II"
MAX_TITLE_ROWS = 10
"""The headings follow one or two title rows."""
_SEPARATOR = re.compile(r"\s*[;\n]\s*|\s+/\s+")
_NOT_APPLICABLE = re.compile(r"n\.?/?a\.?:?\s*", re.IGNORECASE)
_FIELDS = {"surname", "given", "alias", "born", "birthplace", "decided", "notice"}
_Row = Mapping[str, OdsCell]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the rows of all files. Raises `ParseFailed` for a file that is not a spreadsheet or has unknown headings."""
    used: Counter[str] = Counter()
    for resource in resources:
        rows = 0
        for rows, (line, row) in enumerate(_read_rows(resource, context), start=1):  # noqa: B007 - used after the loop
            context.row()
            entry = _build_entry(row)
            if entry is None:
                context.reject(resource, line, Message("no name in a known field"))
                continue
            used[entry.entry_id] += 1
            again = used[entry.entry_id]
            yield entry if again == 1 else entry.model_copy(update={"entry_id": f"{entry.entry_id} #{again}"})
        if rows == 0:
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[int, _Row]]:
    """Yield the rows below the headings, by field name."""
    columns: list[str | None] | None = None
    for position, (line, cells) in enumerate(read_sheet(resource, context.metadata.limits)):
        if columns is not None:
            yield line, {field: cell for field, cell in zip(columns, cells, strict=False) if field is not None}
            continue
        found = [context.metadata.terms.get(cell.text or "") for cell in cells]
        if "surname" in found:
            columns = _check_headings(found, cells, resource, context)
        elif position >= MAX_TITLE_ROWS:
            break
    if columns is None:
        raise ParseFailed(_create_header_error([], ["Surname"], resource, context))


def _check_headings(found: list[str | None], cells: list[OdsCell], resource: Resource, context: ParseContext) -> list[str | None]:
    new = [cell.text for field, cell in zip(found, cells, strict=True) if field is None and cell.text is not None]
    missing = sorted(_FIELDS.difference(filter(None, found)))
    if new or missing:
        raise ParseFailed(_create_header_error(new, missing, resource, context))
    return found


def _create_header_error(new: Sequence[str], missing: Sequence[str], resource: Resource, context: ParseContext) -> Message:
    problems = [Message("missing columns: {columns}", columns=join_values(missing))] if missing else []
    problems += [Message("unknown columns: {columns}", columns=join_values(new[:MAX_NAMED_COLUMNS]))] if new else []
    detail = join_messages(problems)
    return Message("{source}: {file}: unknown header: {detail}", source=context.metadata.key, file=resource.name, detail=detail)


def _build_entry(row: _Row) -> ListedEntity | None:
    surname, given, born = (_read_text(row, field) for field in ("surname", "given", "born"))
    printed = " ".join(part for part in (given, surname) if part is not None)
    if not printed:
        return None
    person = given is not None
    names = build_names(printed, ((alias, False) for alias in _SEPARATOR.split(_read_text(row, "alias") or "") if alias))
    decided = _read_text(row, "decided")
    notice = row.get("notice", OdsCell())
    return ListedEntity(
        entry_id=f"{printed} | {born}" if person and born is not None else printed,
        source_url=notice.link,
        entity_type=EntityKind.PERSON if person else EntityKind.ORGANIZATION,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
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
    """Return the cell without the list's "not applicable" mark; None if nothing is left."""
    text = row.get(field, OdsCell()).text
    return _NOT_APPLICABLE.sub("", text, count=1) or None if text is not None and _NOT_APPLICABLE.match(text) else text
