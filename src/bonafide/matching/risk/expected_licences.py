"""Find the regulators whose licence a business needs, by its industry and the jurisdictions in which it is registered."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from bonafide.matching.text.tables import read_table

_ANY = "ANY"


class _ExpectedLicence(NamedTuple):
    prefixes: tuple[str, ...]
    regulators: dict[str, str]


@cache
def _read_expected_licences() -> Sequence[_ExpectedLicence]:
    return tuple(_ExpectedLicence(tuple(row["naics"]), dict(row["regulators"])) for row in read_table("expected_licences"))


def find_expected_regulators(naics: str, jurisdictions: Collection[str]) -> tuple[str, ...]:
    """The keys of the regulators, in the order of the table. Only licences that a source of this service publishes are known."""
    return tuple(
        regulator
        for licence in _read_expected_licences()
        if naics.startswith(licence.prefixes)
        for jurisdiction, regulator in licence.regulators.items()
        if jurisdiction in {_ANY, *jurisdictions}
    )
