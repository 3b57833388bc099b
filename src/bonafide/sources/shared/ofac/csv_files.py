"""Read OFAC's CSV set: parties, alternate names, addresses and comments, four files joined by number.

The files have no headers, so each is identified by its number of columns. An incomplete set is refused, because aliases would be
missing without notice. The set has no listing dates.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.delimited_text import normalize_whitespace, open_text, read_csv_rows
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.party import ENTITY_KINDS, OfacNumber, OfacPartyRecord, build_listed_entities, load_number_words

_CLAUSE_SEPARATOR = re.compile(r";\s*")
_ALTERNATIVE = "alt. "
_NAME = re.compile(r"[afn]\.k\.a\.,? ?(?:'(?P<quoted>.+)'|\"(?P<double>.+)\")\.?")
_SEVERAL = re.compile(r"['\"], ['\"]")
_BIRTH = re.compile(r"DOB (?P<date>.+)")
_COUNTRY = re.compile(r"(?:nationality|citizen|Nationality of Registration) (?P<country>.+)")
_LINKED = re.compile(r"Linked To: (?P<name>.+)")
_PLACES = re.compile(r"\(([^()]*)\)")


def add_remarks(party: OfacPartyRecord, text: str) -> None:
    """Parse the remarks of a party, with the overflow from the file of comments appended."""
    for clause in _split_clauses(text):
        _add_clause(party, clause.removeprefix(_ALTERNATIVE), clause)


def _split_clauses(text: str) -> Iterator[str]:
    for part in _CLAUSE_SEPARATOR.split(text.strip().removesuffix(".")):
        clause = normalize_whitespace(part)
        if clause is not None:
            yield clause


def _add_clause(party: OfacPartyRecord, clause: str, printed: str) -> None:
    name, birth, country, linked = (pattern.fullmatch(clause) for pattern in (_NAME, _BIRTH, _COUNTRY, _LINKED))
    number = None if name or birth or country or linked else _parse_number(clause)
    if name is not None:
        party.others += [(each, True) for each in _SEVERAL.split(name["quoted"] or name["double"])]
    elif birth is not None:
        party.births.append(birth["date"])
    elif country is not None:
        party.countries.append(country["country"])
    elif linked is not None:
        party.remarks["Linked To"].append(linked["name"])
    elif number is not None:
        party.numbers.append(number)
    else:
        party.remarks[""].append(printed)


@cache
def _compile_number_pattern() -> re.Pattern[str]:
    words = load_number_words()
    labels = sorted((*words["documents"], *words["features"]), key=len, reverse=True)
    stems = [rf"{re.escape(stem)} [A-Z0-9]+" for stem in words["feature_stems"]]
    return re.compile(
        rf"(?P<label>{'|'.join((*stems, *map(re.escape, labels)))})(?: #)? (?P<value>\S.*?)"
        r"(?P<places>(?: \([^()]*\))*)(?: (?P<note>(?:issued|expires|exp\.)\b.*))?",
        re.IGNORECASE,
    )


def _parse_number(clause: str) -> OfacNumber | None:
    """Parse `Passport X12 (Ruritania) expires 03 Nov 2031` with its country, `Tax ID No. 7 (Zenda) (Ruritania)` with both."""
    found = _compile_number_pattern().fullmatch(clause)
    if found is None or not _is_value(found["value"]):
        return None
    return OfacNumber(
        found["label"], found["value"], ", ".join(_PLACES.findall(found["places"])) or None, normalize_whitespace(found["note"])
    )


def _is_value(text: str) -> bool:
    """Whether the text is a number; a sentence may begin with the same word ("License granted …")."""
    return any(map(str.isdigit, text)) or (text.isupper() and " " not in text)


PARTIES, NAMES, ADDRESSES, COMMENTS = 12, 5, 6, 2
"""The number of columns of each file."""
_FILE_TITLES = {
    PARTIES: Message("parties"),
    NAMES: Message("alternate names"),
    ADDRESSES: Message("addresses"),
    COMMENTS: Message("comments"),
}
_NULL = "-0-"
_END = "\x1a"
"""A CP/M end-of-file mark that may follow the last row."""
_PROGRAM_SEPARATOR = "] ["
_ENTITY = "entity"
"""The type of a party without a type."""


@dataclass(frozen=True, slots=True)
class _AttachedRow:
    """One row of a file that refers to a party: its position and the cells after the number."""

    resource: Resource
    line: int
    cells: tuple[str, ...]


@dataclass(slots=True)
class _AttachedRows:
    """The rows of one file by the number of their party; removed when the party is read."""

    rows: defaultdict[str, list[_AttachedRow]]

    def take(self, number: str, context: ParseContext) -> list[_AttachedRow]:
        found = self.rows.pop(number, [])
        for _ in found:
            context.merge()
        return found


def parse_csv_set(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the entries of a set in the order of its file of parties. Raises `ParseFailed` for an incomplete set."""
    files = _identify_files(resources, context)
    attached = {width: _read_attached_rows(files[width], width, context) for width in (NAMES, ADDRESSES, COMMENTS)}
    yield from build_listed_entities(_read_parties(files[PARTIES], attached, context), files[PARTIES], context)
    for row in (row for left in attached.values() for rows in left.rows.values() for row in rows):
        context.reject(row.resource, row.line, Message("the row belongs to no party of the set"))


def _read_parties(
    resource: Resource, attached: Mapping[int, _AttachedRows], context: ParseContext
) -> Iterator[tuple[int, OfacPartyRecord | Message]]:
    """Yield each party with its attached rows."""
    for line, cells in _read_rows(resource, PARTIES, context):
        party = _parse_party(cells)
        if isinstance(party, OfacPartyRecord):
            comments, names, addresses = (attached[width].take(party.number, context) for width in (COMMENTS, NAMES, ADDRESSES))
            party.others += _read_alternate_names(names)
            add_remarks(party, (_read_cell(cells[-1]) or "") + "".join(row.cells[0] for row in comments))
            for row in addresses:
                _add_address(party, row)
        yield line, party


# ------------------------------------------------------------------------------------------------------------ files


def _identify_files(resources: Sequence[Resource], context: ParseContext) -> dict[int, Resource]:
    files: dict[int, Resource] = {}
    for resource in resources:
        width = _count_columns(resource)
        if width not in _FILE_TITLES:
            raise ParseFailed(
                Message("{file}: not a file of the list; its first row has {width} columns", file=resource.name, width=width)
            )
        if width in files:
            raise ParseFailed(
                Message(
                    "{file} and {other} contain the same table ({table})",
                    file=files[width].name,
                    other=resource.name,
                    table=_FILE_TITLES[width],
                )
            )
        files[width] = resource
    missing = [title for width, title in _FILE_TITLES.items() if width not in files]
    if missing:
        raise ParseFailed(
            Message(
                "{source}: incomplete set of files; missing: {missing}", source=context.metadata.key, missing=join_values(missing)
            )
        )
    return files


def _count_columns(resource: Resource) -> int:
    with open_text(resource, "utf-8-sig") as text:
        try:
            return len(next(csv.reader(text), []))
        except csv.Error as error:
            raise ParseFailed(Message("{file}: not a valid CSV file: {detail}", file=resource.name, detail=str(error))) from error


def _read_rows(resource: Resource, width: int, context: ParseContext) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of this width, each with its line. Cells are not stripped: remarks may be cut off at a space."""
    with open_text(resource, "utf-8-sig") as text:
        for line, cells in read_csv_rows(text, resource, context):
            if not "".join(cells).strip(_END).strip():
                continue
            context.row()
            if len(cells) != width:
                context.reject(
                    resource, line, Message("{cells} cells where the file has {columns} columns", cells=len(cells), columns=width)
                )
                continue
            yield line, cells


def _read_attached_rows(resource: Resource, width: int, context: ParseContext) -> _AttachedRows:
    rows: defaultdict[str, list[_AttachedRow]] = defaultdict(list)
    for line, (number, *cells) in _read_rows(resource, width, context):
        rows[number.strip()].append(_AttachedRow(resource, line, tuple(cells)))
    return _AttachedRows(rows)


# ------------------------------------------------------------------------------------------------------------ rows


def _read_cell(cell: str) -> str | None:
    return None if cell.strip() == _NULL else cell


def _parse_party(cells: list[str]) -> OfacPartyRecord | Message:
    """Parse the party of a row, without its attached rows, or return the reason why it is rejected."""
    number, name, kind, programs, title, call_sign, ship, tonnage, gross, flag, owner = (
        normalize_whitespace(_read_cell(cell)) for cell in cells[:-1]
    )
    if number is None or name is None:
        return Message("the party has no number or no name")
    if (kind or _ENTITY).casefold() not in ENTITY_KINDS:
        return Message("unknown type of party “{type}”", type=kind or "")
    party = OfacPartyRecord(number, ENTITY_KINDS[(kind or _ENTITY).casefold()], name)
    party.programs = [tag.strip("[] ") for tag in (programs or "").split(_PROGRAM_SEPARATOR) if tag.strip("[] ")]
    party.countries = [flag] if flag is not None else []
    labelled = {
        "Title": title,
        "Ship type": ship,
        "Call sign": call_sign,
        "Tonnage": tonnage,
        "Gross tonnage": gross,
        "Owner": owner,
    }
    party.remarks.update({label: [text] for label, text in labelled.items() if text is not None})
    return party


def _read_alternate_names(rows: list[_AttachedRow]) -> Iterator[tuple[str, bool]]:
    """Yield the names of the file of alternate names. None is weak: weak names are in the remarks."""
    for row in rows:
        name = normalize_whitespace(_read_cell(row.cells[2]))
        if name is not None:
            yield name, False


def _add_address(party: OfacPartyRecord, row: _AttachedRow) -> None:
    _, street, town, country, remarks = (normalize_whitespace(_read_cell(cell)) for cell in row.cells)
    if country is not None:
        party.countries.append(country)
    if street is not None or town is not None:
        party.remarks["Address"].append(", ".join(part for part in (street, town, country, remarks) if part is not None))
