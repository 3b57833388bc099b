"""The query of a search: a name, normalised once, with further evidence.

Every step of a search uses this parsed name: the indexes, the ranking, the screening and the sandbox's simulated failures.
"""

import re
from dataclasses import dataclass

from bonafide.i18n.message import Message
from bonafide.matching.names.entry_names import ParsedName, parse_name
from bonafide.matching.names.legal_forms import is_legal_form
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.text.scanned_words import list_scan_corrections, read_digits_as_letters
from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import DEFAULT_RESULTS


@dataclass(frozen=True, slots=True)
class Query:
    """The criteria of a search. Number and address are evidence: they add candidates and affect scores, but never filter.

    `jurisdictions` does filter: the registers to search, None for all. `parsed_names` is the parsed name followed by its parts and
    by the name with misread digits corrected, computed from the name unless it is given.
    """

    name: str
    registration_number: str | None = None
    address: Address | None = None
    jurisdictions: tuple[Jurisdiction, ...] | None = None
    limit: int = DEFAULT_RESULTS
    parsed_names: tuple[ParsedName, ...] = ()

    def __post_init__(self) -> None:
        """Parse the name. `replace` with another number or address keeps the parsed name of the original."""
        if not self.parsed_names:
            object.__setattr__(self, "parsed_names", tuple(_parse_requested_name(self.name)))

    @property
    def normal_name(self) -> NormalName:
        """The normal form of the whole name."""
        return self.parsed_names[0].normal


_MISREAD_NAME = 0.97
"""The factor of a match on the name with its digits read as letters."""
_MISREAD_LABEL = Message("digits read as letters")
_MISREAD_FORM = re.compile(r"\b(?=[a-z]*[015])[a-z015]{3,}\b", re.IGNORECASE | re.ASCII)
"""A word with letters and digits that optical recognition confuses with those of legal forms: "1NC", "L1MITED"."""
_MISREAD_WORD = re.compile(
    r"\b(?!\d+(?:st|nd|rd|th|er?|re|[iè]?[eè]me)\b)(?=[a-z]*[0158])[a-z0158]{3,}\b", re.IGNORECASE | re.ASCII
)
"""A word with letters and confusable digits, and not an ordinal number: "8EV", "C0NSTRUCT1ON"."""


def _parse_requested_name(name: str) -> list[ParsedName]:
    corrected = correct_legal_forms(name)
    names = parse_name(corrected)
    read = _MISREAD_WORD.sub(lambda found: read_digits_as_letters(found[0].lower()), corrected)
    if read.lower() != corrected.lower():
        names += parse_name(read, _MISREAD_LABEL, _MISREAD_NAME)[:1]
    return names


def correct_legal_forms(name: str) -> str:
    """A name with its misread legal forms corrected: "Acme 1NC." is "Acme inc."."""
    return _MISREAD_FORM.sub(_correct_legal_form, name)


def _correct_legal_form(found: re.Match[str]) -> str:
    corrections = (word for word in list_scan_corrections(found[0].lower()) if is_legal_form((word,)))
    return next(corrections, found[0])
