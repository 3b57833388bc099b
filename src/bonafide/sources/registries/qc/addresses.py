"""Where an enterprise is: its domicile and its establishments, from lines of text of which some are not public.

What the register marks as not public is not read, even where a file has it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.qc.archive import QuebecRow, QuebecTable

ESTABLISHMENTS = QuebecTable(
    "establishments",
    "Etablissements.csv",
    ("NEQ", "IND_ETAB_PRINC", "IND_DISP", "LIGN1_ADR", "LIGN2_ADR", "LIGN3_ADR", "LIGN4_ADR", "NOM_ETAB"),
)
YES, NO = "O", "N"
_CITY = re.compile(r"(?P<city>[^()]+?) ?\((?P<province>[^()]+)\)")
"""`Montréal (Québec)`."""


def build_addresses(domicile: Sequence[str], establishments: Sequence[QuebecRow], context: ParseContext) -> tuple[Address, ...]:
    """The domicile, then the establishments, the main one first; an address that several have stands once.

    `domicile`: whether it is public, and its four lines.
    """
    ordered = sorted(establishments, key=lambda record: record.cells[1].strip() != YES)
    found: dict[str | None, Address] = {}
    for cells in (domicile, *(record.cells[2:7] for record in ordered)):
        address = _build_address(cells, context)
        if address is not None:
            found.setdefault(address.raw, address)
    return tuple(found.values())


def read_establishment_names(establishments: Sequence[QuebecRow]) -> list[str]:
    """The names under which the establishments trade."""
    names = (normalize_whitespace(record.cells[7]) for record in establishments)
    return [name for name in names if name is not None]


def _build_address(cells: Sequence[str], context: ParseContext) -> Address | None:
    """None when it is not public, or when there is none. The city is in the last of lines 2 and 3 that has something."""
    shown, *lines = cells
    shown = shown.strip()
    if shown not in {YES, ""}:
        if shown != NO:
            context.term(f"IND_DISP {shown}")
        return None
    first, second, third, postal_code = (normalize_whitespace(line) for line in lines)
    city, more = (third, second) if third is not None else (second, None)
    city, province = _split_city(city)
    street = ", ".join(line for line in (first, more) if line is not None) or None
    return build_postal_address(street=street, city=city, province=province, postal_code=postal_code, country=None)


def _split_city(text: str | None) -> tuple[str | None, str | None]:
    """City and province; a bracket that is no province belongs to the city."""
    found = _CITY.fullmatch(text) if text is not None else None
    if found is None:
        return text, None
    province = _normalize_province(found["province"])
    return (found["city"], province) if province is not None else (text, None)


@lru_cache(maxsize=1_000)
def _normalize_province(word: str) -> str | None:
    try:
        return Jurisdiction.parse(word).value
    except ValueError:
        return None
