"""Read the EU's list as CSV 1.1: 118 columns, and a row for each name, address, date of birth and document of a party.

Rows are grouped by the party's logical ID. A number may be followed by a note in brackets, which the XML has separately.
"""

import re
from collections.abc import Iterator
from datetime import date

from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import DelimitedDialect, TableRow, read_csv
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.eu_sanctions_consolidated.listed_entity import EuBirth, EuDocument, EuName, EuParty, EuRegulation
from bonafide.sources.sanctions.eu_sanctions_consolidated.xml_list import GREGORIAN
from bonafide.sources.shared.lists.party_fields import group_rows_by_party

_NOTE = re.compile(r"(?P<number>[^()]*\w[^()]*)\((?P<note>.*)\)")
_DAY = re.compile(r"(0[1-9]|[12]\d|3[01])/(0[1-9]|1[0-2])/(20\d\d)")
_TRUE = {"true", "1", "yes", "y"}


def read_list(resource: Resource, context: ParseContext) -> Iterator[tuple[int, EuParty]]:
    """Yield each party with the line of its first row. Raises `ParseFailed` for an unknown header."""

    def read(reading: ParseContext) -> Iterator[tuple[str, TableRow]]:
        for _, row in read_csv(resource, reading, dialect=DelimitedDialect(";")):
            key = row.get("Entity_LogicalId")
            if key is None:
                reading.reject(resource, row.line, Message("{column} is empty", column="Entity_LogicalId"))
            else:
                yield key, row

    for key, rows in group_rows_by_party(read, context):
        generated = _DAY.fullmatch(rows[0].get("fileGenerationDate") or "")
        if generated is not None:
            day, month, year = map(int, generated.groups())
            context.set_as_of(date(year, month, day))
        yield rows[0].line, _parse_party(key, rows)


def _parse_party(key: str, rows: list[TableRow]) -> EuParty:
    party = EuParty(
        logical_id=key,
        reference=rows[0].get("Entity_EU_ReferenceNumber"),
        subject=rows[0].get("Entity_SubjectType_ClassificationCode") or "",
        united_nations_id=rows[0].get("Entity_UnitedNationId"),
        designated=rows[0].get("Entity_DesignationDate"),
        remark=_unescape(rows[0].get("Entity_Remark")),
    )
    party.regulations += dict.fromkeys(map(_parse_regulation, rows))
    party.names += dict.fromkeys(name for name in map(_parse_name, rows) if name.text)
    party.births += dict.fromkeys(birth for birth in map(_parse_birth, rows) if birth != EuBirth())
    party.documents += dict.fromkeys(
        document for document in map(_parse_document, rows) if document.number or document.latin_number
    )
    for column in ("Citizenship_CountryIso2Code", "Address_CountryIso2Code"):
        party.countries += [code for row in rows if (code := row.get(column)) is not None]
    return party


def _unescape(text: str | None) -> str | None:
    """Replace the escape sequence of a line break by a line break."""
    return text.replace("\\n", "\n") if text is not None else None


def _parse_regulation(row: TableRow) -> EuRegulation:
    return EuRegulation(
        programme=row.get("Entity_Regulation_Programme"),
        title=row.get("Entity_Regulation_NumberTitle"),
        published=row.get("Entity_Regulation_PublicationDate"),
        url=row.get("Entity_Regulation_PublicationUrl"),
    )


def _parse_name(row: TableRow) -> EuName:
    parts = (row.get(f"NameAlias_{part}Name") for part in ("First", "Middle", "Last"))
    return EuName(
        text=row.get("NameAlias_WholeName") or " ".join(part for part in parts if part is not None),
        strong=True,
        language=row.get("NameAlias_NameLanguage") or "",
        function=row.get("NameAlias_Function"),
        title=row.get("NameAlias_Title"),
        remark=_unescape(row.get("NameAlias_Remark")),
    )


def _parse_birth(row: TableRow) -> EuBirth:
    return EuBirth(
        day=row.get("BirthDate_BirthDate"),
        year=row.get("BirthDate_Year"),
        month=row.get("BirthDate_Month"),
        day_of_month=row.get("BirthDate_Day"),
        year_from=row.get("BirthDate_YearRangeFrom"),
        year_to=row.get("BirthDate_YearRangeTo"),
        circa=_is_true(row.get("BirthDate_Circa")),
        gregorian=(row.get("BirthDate_CalendarType") or GREGORIAN) == GREGORIAN,
        remark=_unescape(row.get("BirthDate_Remark")),
    )


def _parse_document(row: TableRow) -> EuDocument:
    number, note = row.get("Identification_Number"), row.get("Identification_Remark")
    found = _NOTE.fullmatch(number) if number is not None else None
    if found is not None:
        number, note = found["number"].strip(), "\n".join(filter(None, (found["note"], note)))
    return EuDocument(
        code=row.get("Identification_TypeCode") or "",
        kind=row.get("Identification_TypeDescription") or "",
        number=number,
        latin_number=row.get("Identification_LatinNumber"),
        country=row.get("Identification_CountryIso2Code"),
        known_false=_is_true(row.get("Identification_KnownFalse")),
        remark=_unescape(note),
    )


def _is_true(text: str | None) -> bool:
    return text is not None and text.casefold() in _TRUE
