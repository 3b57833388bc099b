"""Cannabis licensees of Alberta: stores, and suppliers in any province, one entry for each authorization number.

The report is a legacy workbook; a CSV file with the same columns is read too. The store managers that it names are private
individuals and are not imported.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

_ZIP = re.compile(r"\d{5}(-\d{4})?")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the licensees of all files."""
    return parse_table(resources, context, complete=_complete)


def _complete(record: TableRecord, _: ParseContext) -> None:
    """Add the country, and whether the licensee is a retailer or a supplier."""
    number, province, postal_code = (record.text(field) for field in ("registration_number", "province", "postal_code"))
    # Suppliers in the United States are listed under their state, and California is "CA" too.
    record.values["country"] = "US" if postal_code is not None and _ZIP.fullmatch(postal_code) else "CA"
    # Stores are in Alberta. Numbers that begin with 77 or 78 are stores there, with 30 suppliers; the newer series mix both.
    if province != "AB" or (number or "").startswith("30"):
        record.values["licenseeType"] = "supplier"
    elif (number or "").startswith(("77", "78")):
        record.values["licenseeType"] = "retail"
