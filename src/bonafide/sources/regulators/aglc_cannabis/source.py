"""Cannabis licensees of Alberta: stores, and suppliers of any province, one entry an authorization number.

The report is a legacy workbook; the same columns are read from CSV. It names each store's manager, a private person, whom this
module does not import.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

_ZIP = re.compile(r"\d{5}(-\d{4})?")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licensees of all files."""
    return parse_table(resources, context, complete=_complete)


def _complete(record: TableRecord, _: ParseContext) -> None:
    """Add the country, and whether the licensee is a retailer or a supplier."""
    number, province, postal_code = (record.text(field) for field in ("registration_number", "province", "postal_code"))
    # Suppliers in the United States are listed under their state, and California is "CA" too.
    record.values["country"] = "US" if postal_code is not None and _ZIP.fullmatch(postal_code) else "CA"
    # Stores are in Alberta; the 77 and 78 series are all stores there, the 30 series suppliers. The newer series mix both.
    if province != "AB" or (number or "").startswith("30"):
        record.values["licenseeType"] = "supplier"
    elif (number or "").startswith(("77", "78")):
        record.values["licenseeType"] = "retail"
