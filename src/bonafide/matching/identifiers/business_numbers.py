"""The business number of the Canada Revenue Agency: nine digits of the business, and behind them the account of a program.

The digits alone say which business it is; every account of it ("RC0001", "RR0001", a province's "BC0001") has the same ones.
Nothing is asked of the agency: a number that passes its check may still be nobody's.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import is_luhn_valid

_SHAPE = re.compile(r"([0-9]{9})(?:([A-Z]{2})([0-9]{0,4}))?")
_BN_IN_FRONT = re.compile(r"([0-9]{9}) *- *[0-9]{5,7}")


@dataclass(frozen=True, slots=True)
class BusinessNumber:
    """A business number in normal form: its nine digits, and its account where one was written ("RC0001", or "RC" alone)."""

    root: str
    account: str | None = None

    @property
    def passes_check(self) -> bool:
        """Whether the last of the nine digits agrees with the others (Luhn)."""
        return is_luhn_valid(self.root)


def parse_business_number(text: str) -> BusinessNumber | None:
    """The business number in any usual spelling, valid or not; None for another form, or a text that says it is another number."""
    number = parse_labelled_number(compact_number(text))
    found = _SHAPE.fullmatch(number.number)
    if found is None or number.type not in {None, NumberType.BUSINESS_NUMBER}:
        return None
    root, program, reference = found.groups()
    account = f"{program}{reference:0>4}" if reference else program
    return BusinessNumber(root, account)


def parse_stated_business_number(label: str, value: str) -> str | None:
    """The nine digits that a register states under a label, if they are a business number and pass its check.

    Prince Edward Island prints it in front of its own number ("832815864-141006"). Nine digits under another label are another
    number: Ontario's Business Identification Number looks exactly like it.
    """
    in_front = _BN_IN_FRONT.fullmatch(value.strip())
    if in_front is not None:
        return in_front[1] if is_luhn_valid(in_front[1]) else None
    number = parse_business_number(value) if _labels_business_number(label) else None
    return number.root if number is not None and number.passes_check else None


@lru_cache(maxsize=2**8)  # registers have few labels, and every candidate has some
def _labels_business_number(label: str) -> bool:
    return parse_labelled_number(f"{compact_number(label)}0").type is NumberType.BUSINESS_NUMBER
