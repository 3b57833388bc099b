"""Build the entry of an enterprise from its row of Entreprise.csv and its rows of the other files.

Activities are not read, because their codes are Quebec's own and not NAICS. Neither are the jurisdiction of formation, whose codes
are not documented, nor addresses that are marked as not public.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from bonafide.i18n.message import Message, plural_message
from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.qc.archive import QuebecRow, QuebecTable
from bonafide.sources.registries.qc.enterprise_names import LEGAL, NAMES, build_names, parse_day

ENTERPRISES = QuebecTable(
    "enterprises",
    "Entreprise.csv",
    (
        "NEQ", "COD_STAT_IMMAT", "COD_FORME_JURI", "DAT_IMMAT", "DAT_CONSTI", "IND_FAIL",
        "AN_DECL", "AN_PROD", "DAT_LIMIT_PROD", "AN_PROD_PRE", "DAT_LIMIT_PROD_PRE",
        "ADR_DOMCL_ADR_DISP", "ADR_DOMCL_LIGN1_ADR", "ADR_DOMCL_LIGN2_ADR", "ADR_DOMCL_LIGN3_ADR", "ADR_DOMCL_LIGN4_ADR",
    ),
)  # fmt: skip
INDIVIDUAL = "IND"
_STRUCK_OFF = frozenset({StatusCode.DISSOLVED, StatusCode.AMALGAMATED})
_OWN_NAME = NAMES.columns.index("TYP_NOM_ASSUJ")


@dataclass(frozen=True, slots=True)
class EnterpriseContext:
    """The context shared by all enterprises of a load."""

    context: ParseContext
    decode: Callable[[str, str], str]
    """Returns the meaning of a code, by domain and code."""
    absorbed: frozenset[str]
    """Numbers of enterprises that were absorbed by a merger."""
    day: date
    """The date of the data, as of which good standing is determined."""


@dataclass(slots=True)
class WithheldNames:
    """Counts names that are not published, or not read."""

    nameless: int = 0
    """Individuals without a published name."""
    own_names: int = 0
    """Personal names of individuals."""

    def add_notes(self, context: ParseContext) -> None:
        """Add a note for each count."""
        if self.nameless:
            note = plural_message(
                "{n:,} individual has no published name and is listed by number",
                "{n:,} individuals have no published name and are listed by number",
                self.nameless,
            )
            context.note(note)
        if self.own_names:
            note = plural_message(
                "{n:,} personal name of an individual (type {type}) was not read",
                "{n:,} personal names of individuals (type {type}) were not read",
                self.own_names,
                type=LEGAL,
            )
            context.note(note)


def build_entry(
    record: QuebecRow,
    names: Sequence[QuebecRow],
    establishments: Sequence[QuebecRow],
    known: EnterpriseContext,
    withheld: WithheldNames,
) -> RegistryEntry:
    """Build the entry. Raises `ValueError` for an enterprise without a name, or with an invalid date."""
    _, status, form, registered, constituted, bankrupt, *filed = record.cells[:11]
    context, label = known.context, str(known.context.metadata.number_label)
    status, form = status.strip(), form.strip()
    code = _read_status_code(status, record.neq, known)
    individual = form == INDIVIDUAL
    if individual:
        withheld.own_names += sum(name.cells[_OWN_NAME].strip() == LEGAL for name in names)
    called = build_names(names, read_establishment_names(establishments), context, individual=individual)
    legal = called.legal
    if legal is None:
        if not individual:
            raise ValueError(Message("the enterprise has no name"))
        withheld.nameless += 1
        legal = f"{label} {record.neq}"
    return RegistryEntry(
        entry_id=record.neq,
        jurisdiction=Jurisdiction.QC,
        legal_name=legal,
        alternate_names=called.alternate,
        name_history=called.history,
        registration_numbers=(RegistrationNumber(label=label, value=record.neq),),
        entity_type=known.decode("FORM_JURI", form) if form else None,
        status=known.decode("STAT_IMMAT", status) if status else None,
        status_code=code,
        good_standing=None
        if bankrupt.strip() == YES and code is StatusCode.ACTIVE
        else _derive_good_standing(code, filed, known.day),
        incorporation_date=parse_day(constituted, "DAT_CONSTI") or parse_day(registered, "DAT_IMMAT"),
        addresses=build_addresses(record.cells[11:], establishments, context),
    )


def _read_status_code(status: str, neq: str, known: EnterpriseContext) -> StatusCode:
    """The status code; `amalgamated` for an enterprise that was struck off after a merger."""
    code = known.context.status(status or None)
    return StatusCode.AMALGAMATED if code is StatusCode.DISSOLVED and neq in known.absorbed else code


def _derive_good_standing(code: StatusCode, filed: Sequence[str], day: date) -> bool | None:
    """Whether the declaration for the latest year whose deadline has passed was filed; None if unknown.

    `filed` has the year of the last declaration, then twice a year and its deadline: the current one and the previous one.
    """
    if code in _STRUCK_OFF:
        return False
    declared, year, limit, year_before, limit_before = filed
    limits = [(parse_day(limit, "DAT_LIMIT_PROD"), year), (parse_day(limit_before, "DAT_LIMIT_PROD_PRE"), year_before)]
    known = [(last, _parse_year(wanted) or last.year) for last, wanted in limits if last is not None]
    if code is not StatusCode.ACTIVE or not known:
        return None
    over = [wanted for last, wanted in known if last < day]
    if not over:
        return True
    found = _parse_year(declared)
    return found >= max(over) if found is not None else None


def _parse_year(cell: str) -> int | None:
    text = cell.strip()
    return int(text) if text.isascii() and text.isdecimal() else None


ESTABLISHMENTS = QuebecTable(
    "establishments",
    "Etablissements.csv",
    ("NEQ", "IND_ETAB_PRINC", "IND_DISP", "LIGN1_ADR", "LIGN2_ADR", "LIGN3_ADR", "LIGN4_ADR", "NOM_ETAB"),
)
YES, NO = "O", "N"
DOMICILE, ESTABLISHMENT = "Domicile", "Établissement"
"""The labels of addresses, in the words of the register."""
_CITY = re.compile(r"(?P<city>[^()]+?) ?\((?P<province>[^()]+)\)")
"""`Montréal (Québec)`."""


def build_addresses(domicile: Sequence[str], establishments: Sequence[QuebecRow], context: ParseContext) -> tuple[Address, ...]:
    """The domicile, then the establishments, the main one first, without duplicates.

    `domicile` has the flag whether it is public, and its four lines. An address that is both is the domicile.
    """
    ordered = sorted(establishments, key=lambda record: record.cells[1].strip() != YES)
    found: dict[str | None, Address] = {}
    located = [(DOMICILE, domicile), *((ESTABLISHMENT, record.cells[2:7]) for record in ordered)]
    for label, cells in located:
        address = _build_address(cells, label, context)
        if address is not None:
            found.setdefault(address.raw, address)
    return tuple(found.values())


def read_establishment_names(establishments: Sequence[QuebecRow]) -> list[str]:
    """The names of the establishments."""
    names = (normalize_whitespace(record.cells[7]) for record in establishments)
    return [name for name in names if name is not None]


def _build_address(cells: Sequence[str], label: str, context: ParseContext) -> Address | None:
    """The address; None if it is not public or blank. The city is in line 3, or in line 2 if that is blank."""
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
    return build_postal_address(street=street, city=city, province=province, postal_code=postal_code, country=None, label=label)


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
