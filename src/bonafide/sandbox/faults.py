"""Names and numbers for which the sandbox's registers are in trouble, so that a caller can see what comes of it.

It only says what trouble a name or number means; making a look-up hang or fail is the business of whoever looks up, and being slow
that of the server.
"""

from enum import StrEnum
from functools import cache

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.names.normalization import normalise
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.tables import read_table


class Trouble(StrEnum):
    """What a register does instead of answering: the first two to whoever searches for a name, the others for a number's report."""

    TIMEOUT = "timeout"
    """It does not answer."""
    OUTAGE = "outage"
    """It answers that it is out of service."""
    SLOW = "slow"
    """It asks to be asked again in a while."""
    FAILING = "failing"
    """It refuses."""


BY_NAME = frozenset({Trouble.TIMEOUT, Trouble.OUTAGE})


def simulated_trouble(name: str) -> Trouble | None:
    """The trouble that asking for this name means; None for nearly every name. Case, accents and legal forms do not matter."""
    return _named().get(normalise(name).core)


def registration_trouble(jurisdiction: Jurisdiction, number: str) -> Trouble | None:
    """The trouble that asking for the report of this registration means; None for nearly every one. Spelling does not matter."""
    keys = build_number_keys(number)
    return next((trouble for own, key, trouble in _numbered() if own is jurisdiction and key & keys), None)


@cache
def _named() -> dict[tuple[str, ...], Trouble]:
    facts = read_table("fixed")["businesses"]
    troubled = ((fact["name"], Trouble(fact["trouble"])) for fact in facts if "trouble" in fact)
    return {normalise(name).core: trouble for name, trouble in troubled if trouble in BY_NAME}


@cache
def _numbered() -> list[tuple[Jurisdiction, frozenset[str], Trouble]]:
    facts = read_table("fixed")["businesses"]
    troubled = ((fact, Trouble(fact["trouble"])) for fact in facts if "trouble" in fact)
    return [
        (Jurisdiction(fact["register"]), build_number_keys(fact["number"]), trouble)
        for fact, trouble in troubled
        if trouble not in BY_NAME
    ]
