"""Numbers as Prince Edward Island prints them: its own of up to six digits, often behind the business number (832815864-141006)."""

import re
from dataclasses import dataclass

from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.model.jurisdiction import Jurisdiction

_PAIR = re.compile(r"(\d{9}) *[-–] *(\d{1,6})")
_OWN = re.compile(r"0*\d{1,6}")


@dataclass(frozen=True, slots=True)
class PeiNumbers:
    """The nine digits of the business, and the register's number without zeros in front; either may be missing.

    One business number stands before several register numbers: the trade names of a company bear the company's.
    """

    business: str | None
    register: str | None

    @property
    def text(self) -> str:
        """As the register prints them."""
        return "-".join(part for part in (self.business, self.register) if part is not None)

    def is_same_registration(self, other: "PeiNumbers") -> bool:
        """Whether these, as somebody asks for them, mean the other's registration: by the register's number if they have it."""
        if self.register is not None:
            return self.register == other.register
        return self.business is not None and self.business == other.business


def parse_numbers(text: str | None) -> PeiNumbers | None:
    """The numbers in a text, in any usual spelling; None for one that has none of this register's form."""
    if text is None:
        return None
    pair = _PAIR.search(text)
    if pair is not None:
        return PeiNumbers(pair[1], _strip_leading_zeros(pair[2]))
    number = parse_labelled_number(compact_number(text))
    own = number.number.removeprefix(Jurisdiction.PE)
    # No business number begins with zeros: nine digits that do are a register number that somebody has padded.
    if number.type is not NumberType.BUSINESS_NUMBER and _OWN.fullmatch(own) is not None:
        return PeiNumbers(None, _strip_leading_zeros(own))
    business = parse_business_number(text)
    return PeiNumbers(business.root, None) if business is not None else None


def _strip_leading_zeros(digits: str) -> str:
    return digits.lstrip("0") or "0"
