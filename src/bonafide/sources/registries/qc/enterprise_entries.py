"""An enterprise of the register as an entry, from its row of Entreprise.csv and the rows of the other files that are its own.

It knows nothing of files. Activities are not read, for their codes are Quebec's own and no NAICS; nor is where an enterprise was
formed, which the register tells in codes whose meanings were never seen; nor what of an address is marked as not public.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

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
    """What every enterprise of a load is read with."""

    context: ParseContext
    decode: Callable[[str, str], str]
    """What a code means: the domain and the code."""
    absorbed: frozenset[str]
    """Numbers of enterprises that a merger has absorbed."""
    day: date
    """The day of the data, on which standing is judged."""


@dataclass(slots=True)
class WithheldNames:
    """How often the register, or this reader, keeps a name back."""

    nameless: int = 0
    """Individuals without any name that may be shown."""
    own_names: int = 0
    """Names of individuals themselves."""

    def tell(self, context: ParseContext) -> None:
        """Note what was kept back, if anything was."""
        if self.nameless:
            context.note(f"individuals without a published name, whose number stands in its place: {self.nameless:,}")
        if self.own_names:
            context.note(f"names of individuals themselves (type {LEGAL}), which were not read: {self.own_names:,}")


def build_entry(
    record: QuebecRow,
    names: Sequence[QuebecRow],
    establishments: Sequence[QuebecRow],
    known: EnterpriseContext,
    withheld: WithheldNames,
) -> RegistryEntry:
    """Raises `ValueError` when it has no name, or a date that is none."""
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
            raise ValueError("it has no name")
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
    """That of the register's code; of one that has been struck off after a merger absorbed it, that it was amalgamated."""
    code = known.context.status(status or None)
    return StatusCode.AMALGAMATED if code is StatusCode.DISSOLVED and neq in known.absorbed else code


def _derive_good_standing(code: StatusCode, filed: Sequence[str], day: date) -> bool | None:
    """Whether it has declared for the newest year of which the time limit is over; null where one of these is not known.

    `filed`: the year last declared for; then twice a year and the day by which it has to be declared for, this and the one before.
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
