"""Money services businesses registered with FINTRAC: one entry for each registration number, with its legal and operating names.

Registrations that have ceased, expired or been revoked stay in the list with that status. The address is a single line.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_address_from_line
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

_NAME_LABEL = re.compile(r"(?:^|[,;\s])\s*(legal|operating) names?\s*:", re.IGNORECASE)
_LEGAL_LABEL = "legal"
_SERVICE_SEPARATOR = re.compile(r"[,;]\s*(?=[A-Z])")
"""A separator precedes a capital letter; a comma within a service ("money orders, traveller's cheques") does not."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the businesses of all files."""
    return parse_table(resources, context, complete=_complete)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Split the names, the services and the lines of the address, and build the number that joins it to a register."""
    values = record.values
    if values["legal_name"] is not None:
        legal_name, others = split_names(values["legal_name"])
        values |= {"legal_name": legal_name, "alternate_names": others, "services": split_services(values["services"])}
    lines = values["street"]
    address = build_address_from_line(", ".join(line.strip(" ,") for line in lines.split("\n"))) if lines is not None else None
    # The ID of a refused application, which has no number, ends with the address line.
    values |= {"street": address.raw if address is not None else "", "addresses": (address,) if address is not None else ()}
    number, place = record.text("incorporationNumber"), record.text("incorporationJurisdiction")
    # "Ontario" may be followed by "Canada".
    code = context.metadata.terms.get(place.partition(",")[0].casefold()) if place is not None else None
    if number is not None and code is not None:
        values["join_numbers"] = (JoinNumber(label=context.term(code), value=number, jurisdiction=Jurisdiction(code)),)


def split_names(cell: str) -> tuple[str, list[str]]:
    """Return the legal name and the other names in order: `Legal Name: X, Operating Name: Y, Operating Name: Z`.

    A name may contain commas ("Foo, Inc."), so the cell is split at its labels only. If no name is labelled as the legal name, the
    first one is used. Raises `ValueError` if there is no name.
    """
    pieces = _NAME_LABEL.split(cell.replace("\n", " "))
    named = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    found = [(label.casefold(), name.strip(" ,;")) for label, name in named]
    names = list(dict.fromkeys(name for _, name in found if name))
    if not names:
        raise ValueError(Message("no name follows the labels"))
    legal = next((name for label, name in found if label == _LEGAL_LABEL and name), names[0])
    return legal, [name for name in names if name != legal]


def split_services(cell: str | None) -> list[str]:
    """Return the services as published. `cell` keeps its line breaks; without any, the services are separated by commas."""
    if cell is None:
        return []
    lines = cell.split("\n")
    parts = lines if len(lines) > 1 else _SERVICE_SEPARATOR.split(cell)
    services = [part.strip(" ,;") for part in parts]
    return list(dict.fromkeys(filter(None, services)))
