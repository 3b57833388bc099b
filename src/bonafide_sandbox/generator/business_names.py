"""Generate the legal name, other names and former names of each business."""

import unicodedata
from dataclasses import dataclass

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind
from bonafide_sandbox.generator.data_tables import WordArray
from bonafide_sandbox.generator.name_patterns import compose_names
from bonafide_sandbox.generator.registers import KINDS, REGISTERS
from bonafide_sandbox.generator.seeded_random import BoolArray, IntArray, SeededRandom

NUMBERED_SHARE = 0.255
"""Share of companies; this is 18 % of all businesses."""
CAPITALS_SHARE = 0.32
UNACCENTED_SHARE = 0.25
"""Share of upper-case names: older registers did not support accents."""
MISSPELT_SHARE = 0.007
"""Share of names with a typing error in a word."""
SHORTEST_MISSPELT = 3
"""The characters of the shortest name with a typing error."""
TRADE_NAME_SHARE = 0.12
"""Share of companies, except federal ones: the federal register has no trade names."""
FORMER_NAME_SHARE = 0.1
FORMERLY_NUMBERED_SHARE = 0.35
VERSION_SHARES = {"QC": 0.12, "NB": 0.2, "FED": 0.045, "ON": 0.02}
"""Share of names with a version in the other official language, by register."""

_VERSIONS = np.array([VERSION_SHARES.get(register.jurisdiction, 0.005) for register in REGISTERS])
_IS_FIRM = np.array([kind in FIRM_KINDS for kind in KINDS])
_IS_FEDERAL = np.array([register.jurisdiction is Jurisdiction.FED for register in REGISTERS])
_FIRM_KIND = KINDS.index(BusinessKind.FIRM)
_COMPANY_KIND = KINDS.index(BusinessKind.COMPANY)


@dataclass(frozen=True, slots=True)
class NamingInputs:
    """The inputs from which the names of a column of businesses are derived."""

    draws: SeededRandom
    registers: IntArray
    kinds: IntArray
    french: BoolArray
    cities: WordArray
    in_quebec: BoolArray
    spelled: WordArray
    """The form of the number used in a numbered company's name."""

    def at(self, rows: IntArray) -> "NamingInputs":
        """Select a subset of the rows."""
        return NamingInputs(
            self.draws.at(rows),
            self.registers[rows],
            self.kinds[rows],
            self.french[rows],
            self.cities[rows],
            self.in_quebec[rows],
            self.spelled[rows],
        )


@dataclass(frozen=True, slots=True)
class NameColumns:
    """The names of a column of businesses."""

    legal: list[str]
    others: list[tuple[str, ...]]
    former: list[tuple[str, ...]]


def create_names(naming: NamingInputs) -> NameColumns:
    """Generate all names of a column of businesses."""
    numbered = (naming.kinds == _COMPANY_KIND) & naming.draws.chance("numbered", NUMBERED_SHARE)
    legal = _compose(naming, naming.draws, naming.kinds, naming.french)
    _misspell(naming.draws, legal)
    rows = np.flatnonzero(numbered)
    legal[rows] = _create_numbered_names(naming.at(rows))
    capitals = naming.draws.chance("capitals", CAPITALS_SHARE)
    _capitalise(naming.draws, legal, capitals)
    return NameColumns(
        legal.tolist(), _create_other_names(naming, numbered, capitals), _create_former_names(naming, numbered, capitals)
    )


def _compose(naming: NamingInputs, draws: SeededRandom, kinds: IntArray, french: BoolArray) -> WordArray:
    return compose_names(draws, kinds, french, naming.cities, naming.in_quebec)


def _create_numbered_names(naming: NamingInputs) -> list[str]:
    units = naming.draws.unit("numbered form").tolist()
    forms = [REGISTERS[register].numbered for register in naming.registers.tolist()]
    return [
        form[int(unit * len(form))].format(number) for form, unit, number in zip(forms, units, naming.spelled.tolist(), strict=True)
    ]


def _create_other_names(naming: NamingInputs, numbered: BoolArray, capitals: BoolArray) -> list[tuple[str, ...]]:
    """Generate the version in the other official language, and trade names."""
    others: list[tuple[str, ...]] = [()] * len(naming.draws)
    version = ~numbered & naming.draws.chance("version", _VERSIONS[naming.registers])
    rows = np.flatnonzero(version)
    some = naming.at(rows)
    _add(others, rows, _compose(some, some.draws, some.kinds, ~some.french), capitals)
    trading = ~_IS_FIRM[naming.kinds] & ~_IS_FEDERAL[naming.registers]
    for purpose, share in (("trade name", TRADE_NAME_SHARE), ("second trade name", TRADE_NAME_SHARE / 4)):
        rows = np.flatnonzero(trading & naming.draws.chance(purpose, share))
        some = naming.at(rows)
        _add(others, rows, _compose(some, some.draws.stream(purpose), np.full_like(some.kinds, _FIRM_KIND), some.french), capitals)
    return others


def _create_former_names(naming: NamingInputs, numbered: BoolArray, capitals: BoolArray) -> list[tuple[str, ...]]:
    """Generate former names. For many companies this is the numbered name under which they were incorporated."""
    former: list[tuple[str, ...]] = [()] * len(naming.draws)
    rows = np.flatnonzero(naming.draws.chance("former name", FORMER_NAME_SHARE))
    some = naming.at(rows)
    names = _compose(some, some.draws.stream("former name"), some.kinds, some.french)
    was_number = (some.kinds == _COMPANY_KIND) & ~numbered[rows] & some.draws.chance("formerly numbered", FORMERLY_NUMBERED_SHARE)
    places = np.flatnonzero(was_number)
    names[places] = _create_numbered_names(some.at(places))
    _add(former, rows, names, capitals)
    return former


def _add(onto: list[tuple[str, ...]], rows: IntArray, names: WordArray, capitals: BoolArray) -> None:
    for row, name, shout in zip(rows.tolist(), names.tolist(), capitals[rows].tolist(), strict=True):
        onto[row] = (*onto[row], name.upper() if shout else name)


def _capitalise(draws: SeededRandom, names: WordArray, capitals: BoolArray) -> None:
    rows = np.flatnonzero(capitals)
    names[rows] = [name.upper() for name in names[rows].tolist()]
    rows = rows[draws.at(rows).chance("unaccented", UNACCENTED_SHARE)]
    names[rows] = [name if name.isascii() else _remove_accents(name) for name in names[rows].tolist()]


def _remove_accents(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", name) if not unicodedata.combining(sign))


def _misspell(draws: SeededRandom, names: WordArray) -> None:
    """Swap two adjacent characters in some names."""
    rows = np.flatnonzero(draws.chance("misspelt", MISSPELT_SHARE))
    for row, unit in zip(rows.tolist(), draws.at(rows).unit("slip").tolist(), strict=True):
        name = names[row]
        if len(name) < SHORTEST_MISSPELT:
            continue
        place = 1 + int(unit * (len(name) - 3))
        names[row] = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
