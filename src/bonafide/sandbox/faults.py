"""Names for which the sandbox's registers are in trouble, so that a caller can see what a search looks like when they are.

It only says what trouble a name means; making a look-up hang or fail is the business of whoever looks up.
"""

from enum import StrEnum
from functools import cache

from bonafide.matching.names import normalise
from bonafide.sandbox.tables import read_table


class Trouble(StrEnum):
    """What a register does instead of answering."""

    TIMEOUT = "timeout"
    """It does not answer."""
    OUTAGE = "outage"
    """It answers that it is out of service."""


def simulated_trouble(name: str) -> Trouble | None:
    """The trouble that asking for this name means; None for nearly every name. Case, accents and legal forms do not matter."""
    return _troubles().get(normalise(name).core)


@cache
def _troubles() -> dict[tuple[str, ...], Trouble]:
    facts = read_table("fixed")["businesses"]
    return {normalise(fact["name"]).core: Trouble(fact["trouble"]) for fact in facts if "trouble" in fact}
