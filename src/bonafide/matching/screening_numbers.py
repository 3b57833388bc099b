"""Numbers in the name that is screened, and those of a listed party: an IMO number, a passport, a number of a register.

A text that is a number finds the party that bears it; a number beside a name is evidence. It never judges names.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bonafide.matching.identifiers import is_imo_number

_LABEL = (
    r"(?:(?:imo|mmsi|lei|inn|ogrn|kpp|okpo|tin|tax id|passport|unp)(?:\s*(?:number|no|nr|code|id))?"
    r"|(?:registration|company|national|identity|id)\s*(?:number|no|nr|code|id))"
)
_LABELLED = re.compile(rf"\b{_LABEL}\b\.?\s*[:#]?\s*(?P<number>[a-z]{{0,4}}[\s-]?\d[a-z\d/-]{{3,}})", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z]{0,4}[\s-]?\d[\dA-Za-z\s./-]*")
_LONG_LETTERS = re.compile(r"[A-Za-z]{5,}")
_SHORTEST, _FEWEST_DIGITS = 6, 5
_LEI = re.compile(r"[A-Z0-9]{18}\d{2}")


@dataclass(frozen=True, slots=True)
class StatedNumbers:
    """The numbers that a text states, compacted, and the text without; `rest` is the whole text where there is nothing else."""

    keys: frozenset[str]
    imo: str | None
    rest: str


def stated_numbers(text: str) -> StatedNumbers:
    """The numbers in a name: "IMO 9187629", "MV Example (IMO: 9187629)", "1027700132195"."""
    if not any(map(str.isdigit, text)):
        return StatedNumbers(frozenset(), None, text)
    keys = {key for found in _LABELLED.finditer(text) for key in number_keys(found["number"])}
    rest = _LABELLED.sub(" ", text).strip(" ,;()[]") if keys else text
    compact = text.strip()
    if not keys and (_LEI.fullmatch(compact) or (_BARE.fullmatch(compact) and _LONG_LETTERS.search(compact) is None)):
        keys = set(number_keys(compact))
    imo = next((key for key in sorted(keys) if is_imo_number(key)), None)
    return StatedNumbers(frozenset(keys), imo, rest if any(map(str.isalnum, rest)) else text)


def number_keys(text: str) -> Iterable[str]:
    """The keys under which a number is the same: letters and digits, without "IMO" and zeros in front; none for a short one."""
    compact = "".join(filter(str.isalnum, text.upper())).removeprefix("IMO")
    if len(compact) < _SHORTEST or sum(map(str.isdigit, compact)) < _FEWEST_DIGITS:
        return []
    return {compact, compact.lstrip("0")}
