"""What each business is called: its legal name, the names beside it and those it bore before. The words come from `patterns`."""

import unicodedata
from dataclasses import dataclass

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import FIRMS, Kind
from bonafide.sandbox.draws import Draws, Integers, Truths
from bonafide.sandbox.patterns import compose
from bonafide.sandbox.registers import KINDS, REGISTERS
from bonafide.sandbox.tables import Words

NUMBERED_SHARE = 0.255
"""Of companies; 18 % of all businesses."""
CAPITALS_SHARE = 0.32
UNACCENTED_SHARE = 0.25
"""Of the names in capitals: old registers had no accents."""
MISSPELT_SHARE = 0.007
"""The register's own slips, in words."""
TRADE_NAME_SHARE = 0.12
"""Of companies, but for federal ones: their register knows no trade names."""
FORMER_NAME_SHARE = 0.1
FORMERLY_NUMBERED_SHARE = 0.35
VERSION_SHARES = {"QC": 0.12, "NB": 0.2, "FED": 0.045, "ON": 0.02}
"""How many names have a form in the other language, by register."""

_VERSIONS = np.array([VERSION_SHARES.get(register.jurisdiction, 0.005) for register in REGISTERS])
_IS_FIRM = np.array([kind in FIRMS for kind in KINDS])
_IS_FEDERAL = np.array([register.jurisdiction is Jurisdiction.FED for register in REGISTERS])
_FIRM_KIND = KINDS.index(Kind.FIRM)
_COMPANY_KIND = KINDS.index(Kind.COMPANY)


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names of a column of businesses follow from."""

    draws: Draws
    registers: Integers
    kinds: Integers
    french: Truths
    cities: Words
    in_quebec: Truths
    spelled: Words
    """What a numbered company's name shows of its number."""

    def at(self, rows: Integers) -> "Naming":
        """The same for some of the rows."""
        return Naming(
            self.draws.at(rows),
            self.registers[rows],
            self.kinds[rows],
            self.french[rows],
            self.cities[rows],
            self.in_quebec[rows],
            self.spelled[rows],
        )


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a column of businesses."""

    legal: list[str]
    others: list[tuple[str, ...]]
    former: list[tuple[str, ...]]


def name_all(naming: Naming) -> Names:
    """All names of a column of businesses."""
    numbered = (naming.kinds == _COMPANY_KIND) & naming.draws.chance("numbered", NUMBERED_SHARE)
    legal = _words(naming, naming.draws, naming.kinds, naming.french)
    _misspell(naming.draws, legal)
    rows = np.flatnonzero(numbered)
    legal[rows] = _numbered(naming.at(rows))
    capitals = naming.draws.chance("capitals", CAPITALS_SHARE)
    _capitalise(naming.draws, legal, capitals)
    return Names(legal.tolist(), _others(naming, numbered, capitals), _former(naming, numbered, capitals))


def _words(naming: Naming, draws: Draws, kinds: Integers, french: Truths) -> Words:
    return compose(draws, kinds, french, naming.cities, naming.in_quebec)


def _numbered(naming: Naming) -> list[str]:
    units = naming.draws.unit("numbered form").tolist()
    forms = [REGISTERS[register].numbered for register in naming.registers.tolist()]
    return [
        form[int(unit * len(form))].format(number) for form, unit, number in zip(forms, units, naming.spelled.tolist(), strict=True)
    ]


def _others(naming: Naming, numbered: Truths, capitals: Truths) -> list[tuple[str, ...]]:
    """The form in the other language, and trade names."""
    others: list[tuple[str, ...]] = [()] * len(naming.draws)
    version = ~numbered & naming.draws.chance("version", _VERSIONS[naming.registers])
    rows = np.flatnonzero(version)
    some = naming.at(rows)
    _add(others, rows, _words(some, some.draws, some.kinds, ~some.french), capitals)
    trading = ~_IS_FIRM[naming.kinds] & ~_IS_FEDERAL[naming.registers]
    for purpose, share in (("trade name", TRADE_NAME_SHARE), ("second trade name", TRADE_NAME_SHARE / 4)):
        rows = np.flatnonzero(trading & naming.draws.chance(purpose, share))
        some = naming.at(rows)
        _add(others, rows, _words(some, some.draws.stream(purpose), np.full_like(some.kinds, _FIRM_KIND), some.french), capitals)
    return others


def _former(naming: Naming, numbered: Truths, capitals: Truths) -> list[tuple[str, ...]]:
    """Names borne before; for many companies the number under which they were formed."""
    former: list[tuple[str, ...]] = [()] * len(naming.draws)
    rows = np.flatnonzero(naming.draws.chance("former name", FORMER_NAME_SHARE))
    some = naming.at(rows)
    names = _words(some, some.draws.stream("former name"), some.kinds, some.french)
    was_number = (some.kinds == _COMPANY_KIND) & ~numbered[rows] & some.draws.chance("formerly numbered", FORMERLY_NUMBERED_SHARE)
    places = np.flatnonzero(was_number)
    names[places] = _numbered(some.at(places))
    _add(former, rows, names, capitals)
    return former


def _add(onto: list[tuple[str, ...]], rows: Integers, names: Words, capitals: Truths) -> None:
    for row, name, shout in zip(rows.tolist(), names.tolist(), capitals[rows].tolist(), strict=True):
        onto[row] = (*onto[row], name.upper() if shout else name)


def _capitalise(draws: Draws, names: Words, capitals: Truths) -> None:
    rows = np.flatnonzero(capitals)
    names[rows] = [name.upper() for name in names[rows].tolist()]
    rows = rows[draws.at(rows).chance("unaccented", UNACCENTED_SHARE)]
    names[rows] = [name if name.isascii() else _unaccented(name) for name in names[rows].tolist()]


def _unaccented(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", name) if not unicodedata.combining(sign))


def _misspell(draws: Draws, names: Words) -> None:
    """Swap two neighbouring signs inside some names."""
    rows = np.flatnonzero(draws.chance("misspelt", MISSPELT_SHARE))
    for row, unit in zip(rows.tolist(), draws.at(rows).unit("slip").tolist(), strict=True):
        name = names[row]
        place = 1 + int(unit * (len(name) - 3))
        names[row] = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
