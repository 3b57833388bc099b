"""An enterprise of the register as an entry, from its row of Entreprise.csv and the rows of the other files that are its own.

It knows nothing of files. Activities are not read, for their codes are Quebec's own and no NAICS; nor is where an enterprise was
formed, which the register tells in codes whose meanings were never seen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.context import ParseContext
from bonafide.sources.registries.qc.archive import Record, Table
from bonafide.sources.registries.qc.names import LEGAL, NAMES, day_of, names_of
from bonafide.sources.registries.qc.places import YES, addresses_of, establishment_names

ENTERPRISES = Table(
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
class Known:
    """What every enterprise of a load is read with."""

    context: ParseContext
    decode: Callable[[str, str], str]
    """What a code means: the domain and the code."""
    absorbed: frozenset[str]
    """Numbers of enterprises that a merger has absorbed."""
    day: date
    """The day of the data, on which standing is judged."""


@dataclass(slots=True)
class Withheld:
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


def entry_of(
    record: Record, names: Sequence[Record], establishments: Sequence[Record], known: Known, withheld: Withheld
) -> RegistryEntry:
    """Raises `ValueError` when it has no name, or a date that is none."""
    _, status, form, registered, constituted, bankrupt, *filed = record.cells[:11]
    context, label = known.context, str(known.context.metadata.number_label)
    status, form = status.strip(), form.strip()
    code = _status_code(status, record.neq, known)
    individual = form == INDIVIDUAL
    if individual:
        withheld.own_names += sum(name.cells[_OWN_NAME].strip() == LEGAL for name in names)
    called = names_of(names, establishment_names(establishments), context, individual=individual)
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
        good_standing=None if bankrupt.strip() == YES and code is StatusCode.ACTIVE else _standing(code, filed, known.day),
        incorporation_date=day_of(constituted, "DAT_CONSTI") or day_of(registered, "DAT_IMMAT"),
        addresses=addresses_of(record.cells[11:], establishments, context),
    )


def _status_code(status: str, neq: str, known: Known) -> StatusCode:
    """That of the register's code; of one that has been struck off after a merger absorbed it, that it was amalgamated."""
    code = known.context.status(status or None)
    return StatusCode.AMALGAMATED if code is StatusCode.DISSOLVED and neq in known.absorbed else code


def _standing(code: StatusCode, filed: Sequence[str], day: date) -> bool | None:
    """Whether it has declared for the newest year of which the time limit is over; null where one of these is not known.

    `filed`: the year last declared for; then twice a year and the day by which it has to be declared for, this and the one before.
    """
    if code in _STRUCK_OFF:
        return False
    declared, year, limit, year_before, limit_before = filed
    limits = [(day_of(limit, "DAT_LIMIT_PROD"), year), (day_of(limit_before, "DAT_LIMIT_PROD_PRE"), year_before)]
    known = [(last, _year(wanted) or last.year) for last, wanted in limits if last is not None]
    if code is not StatusCode.ACTIVE or not known:
        return None
    over = [wanted for last, wanted in known if last < day]
    if not over:
        return True
    found = _year(declared)
    return found >= max(over) if found is not None else None


def _year(cell: str) -> int | None:
    text = cell.strip()
    return int(text) if text.isascii() and text.isdecimal() else None
