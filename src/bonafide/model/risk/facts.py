"""Facts about a business that risk rules read: what is known, from which source, and as of when.

A fact that is not known is absent. It is never null, zero or false, so that nothing passes as checked that was not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from bonafide.i18n.message import Message
from bonafide.model.base import Document

MAX_LISTED_VALUES = 50
"""The most values of a fact that is a list. The rest is left out, so that the time of a rule is bounded."""

FactValue: TypeAlias = StrictBool | StrictInt | StrictFloat | StrictStr | tuple[StrictStr, ...]


class FactType(StrEnum):
    """The type of a fact in rules."""

    BOOL = "bool"
    INT = "int"
    DOUBLE = "double"
    STRING = "string"
    LIST = "list(string)"


class RiskFact(Document):
    """One fact: what is known, and from where."""

    path: Annotated[str, Field(examples=["registry.status"])]
    """Path of the fact, as rules read it."""
    value: Annotated[FactValue, Field(examples=["dissolved"])]
    """Value of the fact."""
    source: Annotated[str, Field(examples=["on"])]
    """Key of the source; `request`, `record`, `sanctions`, `ownership`, `website` or `coverage` for what has several sources."""
    as_of: Annotated[date | None, Field(examples=["2026-11-18"])] = None
    """Date of the source's data, or of the check; null if it is not known."""


Facts: TypeAlias = Mapping[str, RiskFact]
"""Facts by path."""


@dataclass(frozen=True, slots=True)
class FactSpec:
    """A fact that rules may read."""

    path: str
    type: FactType
    description: Message


class FactDescription(Document):
    """A fact that rules may read, as it is described to programs."""

    path: Annotated[str, Field(examples=["registry.status"])]
    """Path of the fact."""
    type: FactType
    """Type of the fact in CEL."""
    description: Annotated[Message, Field(examples=["Common code of the status in the register, such as `active` or `dissolved`."])]
    """Meaning of the fact."""


_B, _I, _D, _S, _L = FactType.BOOL, FactType.INT, FactType.DOUBLE, FactType.STRING, FactType.LIST

_SPECS = (
    FactSpec("registry.found", _B, Message("Whether a register has the business. Not known while a match needs a review.")),
    FactSpec("registry.status", _S, Message("Common code of the status in the register, such as `active` or `dissolved`.")),
    FactSpec("registry.active", _B, Message("Whether the status in the register is active.")),
    FactSpec("registry.entityType", _S, Message("Common code of the entity type, such as `corporation`.")),
    FactSpec("registry.goodStanding", _B, Message("Whether the register states good standing.")),
    FactSpec("registry.jurisdictions", _L, Message("Codes of the jurisdictions in which the business is registered.")),
    FactSpec("registry.dataAgeDays", _I, Message("Age of the register’s data in days.")),
    FactSpec("business.ageDays", _I, Message("Days since the incorporation or first registration.")),
    FactSpec(
        "match.selection",
        _S,
        Message("Outcome of match selection, such as `auto_selected`; by default thresholds if it is disabled."),
    ),
    FactSpec("match.score", _D, Message("Score of the match from 0 to 1.")),
    FactSpec("match.nameScore", _D, Message("Score of the name of the match from 0 to 1.")),
    FactSpec("match.people", _S, Message("Outcome of comparing the people of the record, such as `matched` or `mismatched`.")),
    FactSpec("match.address", _S, Message("Outcome of comparing the address, such as `matched` or `mismatched`.")),
    FactSpec("match.discrepancies", _I, Message("Number of fields of the record that differ from the register.")),
    FactSpec("verification.status", _S, Message("Outcome of the last verification of the record, such as `verified`.")),
    FactSpec(
        "verification.openDiscrepancies",
        _I,
        Message("Number of discrepancies of the last verification that nobody has accepted."),
    ),
    FactSpec("verification.people", _S, Message("Outcome of verifying the people: `matched` or `mismatched`.")),
    FactSpec("verification.address", _S, Message("Outcome of verifying the address: `matched` or `mismatched`.")),
    FactSpec("sanctions.complete", _B, Message("Whether every name was screened against every list.")),
    FactSpec("sanctions.openHits", _I, Message("Number of hits on sanctions lists that are not dismissed.")),
    FactSpec("sanctions.dismissedHits", _I, Message("Number of dismissed hits on sanctions lists.")),
    FactSpec("sanctions.bestScore", _D, Message("Highest score of an open hit from 0 to 1; 0 without any.")),
    FactSpec(
        "sanctions.partyCountries", _L, Message("ISO codes of the countries of the screened parties, as far as they are stated.")
    ),
    FactSpec("ownership.declared", _B, Message("Whether the record has ownership statements.")),
    FactSpec(
        "ownership.listedStatus", _S, Message("Ownership by listed parties: `deemed`, `possible`, `undetermined` or `not_deemed`.")
    ),
    FactSpec("ownership.listedShare", _D, Message("Highest possible share of listed parties from 0 to 1.")),
    FactSpec("ownership.unknownShare", _D, Message("Highest possible share of unknown owners from 0 to 1.")),
    FactSpec("ownership.unidentifiedOwners", _I, Message("Number of beneficial owners behind which no person is known.")),
    FactSpec("ownership.countries", _L, Message("ISO codes of the countries of owners, as far as they are stated.")),
    FactSpec("industry.naics", _S, Message("NAICS code of the industry, from the record, the register or the website.")),
    FactSpec("licences.expected", _L, Message("Keys of the regulators whose licence a business of this industry and place needs.")),
    FactSpec("licences.held", _L, Message("Keys of the regulators with an active entry of the business.")),
    FactSpec(
        "licences.missing", _L, Message("Keys of the expected regulators that were searched without finding an active entry.")
    ),
    FactSpec("licences.lapsed", _L, Message("Keys of the regulators whose entry of the business is not active.")),
    FactSpec("website.given", _B, Message("Whether a website was submitted.")),
    FactSpec("website.readable", _B, Message("Whether the website could be read.")),
    FactSpec("website.domainAgeDays", _I, Message("Days since the domain was registered.")),
    FactSpec("website.name", _S, Message("Outcome of comparing the name on the website with the register.")),
    FactSpec("website.address", _S, Message("Outcome of comparing the address on the website with the register.")),
    FactSpec("connections.sharedAddress", _I, Message("Number of other records of the organization with an equal address.")),
    FactSpec("connections.sharedPhone", _I, Message("Number of other records of the organization with an equal phone number.")),
    FactSpec(
        "connections.sharedPeople", _I, Message("Number of other records of the organization with a person of an equal name.")
    ),
    FactSpec("coverage.unavailable", _L, Message("Keys of the requested sources that could not be searched.")),
    FactSpec("coverage.stale", _L, Message("Keys of the searched sources whose data is older than it should be.")),
)

FACT_SPECS: Mapping[str, FactSpec] = {spec.path: spec for spec in _SPECS}
"""The facts that rules may read, by path."""


def describe_facts() -> tuple[FactDescription, ...]:
    """The facts that rules may read."""
    return tuple(FactDescription(path=spec.path, type=spec.type, description=spec.description) for spec in FACT_SPECS.values())


class FactBuilder:
    """Collects the facts of one check. A value of None is not known and is left out."""

    def __init__(self) -> None:
        self._facts: dict[str, RiskFact] = {}

    def add(self, path: str, value: FactValue | None, source: str, as_of: date | None = None) -> None:
        """Add a fact. Numbers become the type of the fact. Raises `KeyError` for a path that is not in `FACT_SPECS`."""
        kind = FACT_SPECS[path].type
        if value is None:
            return
        if kind is FactType.DOUBLE and isinstance(value, int):
            value = float(value)
        self._facts[path] = RiskFact(path=path, value=value, source=source, as_of=as_of)

    def add_list(self, path: str, values: Iterable[str], source: str, as_of: date | None = None) -> None:
        """Add a list: each value once, in order, up to `MAX_LISTED_VALUES`."""
        self.add(path, tuple(dict.fromkeys(values))[:MAX_LISTED_VALUES], source, as_of)

    def build(self) -> Facts:
        """The facts."""
        return dict(self._facts)


class StoredFacts(Document):
    """The facts of a business record, as they are stored."""

    facts: tuple[RiskFact, ...] = ()
    """Facts in the order of their paths."""

    @classmethod
    def of(cls, facts: Facts) -> "StoredFacts":
        """The document of these facts."""
        return cls(facts=tuple(facts[path] for path in sorted(facts)))

    def by_path(self) -> Facts:
        """The facts by path, without those that rules no longer read."""
        return {fact.path: fact for fact in self.facts if fact.path in FACT_SPECS}
