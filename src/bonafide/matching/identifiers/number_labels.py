"""Remove the words in front of a number, and parse them into a type of number.

Words and number are compact: capitals and digits without spaces, since "BN 123" and "BN123" are the same. `number_formats` checks
whether the number itself is of that type.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table

_TABLE = read_table("number_types")


class NumberType(StrEnum):
    """The types of numbers in `number_types.yml`."""

    BUSINESS_NUMBER = "business_number"
    LEI = "lei"
    FEDERAL_CORPORATION = "federal_corporation"
    NEQ = "neq"
    ONTARIO_CORPORATION = "ontario_corporation"
    ONTARIO_FIRM = "ontario_firm"
    ALBERTA_ACCESS = "alberta_access"
    BC_REGISTRATION = "bc_registration"
    MANITOBA_FILE = "manitoba_file"
    NEW_BRUNSWICK = "new_brunswick"
    NEWFOUNDLAND_COMPANY = "newfoundland_company"
    NOVA_SCOTIA_REGISTRY = "nova_scotia_registry"
    NORTHWEST_TERRITORIES_FILE = "northwest_territories_file"
    NUNAVUT = "nunavut"
    PRINCE_EDWARD_ISLAND = "prince_edward_island"
    SASKATCHEWAN_ENTITY = "saskatchewan_entity"
    YUKON_REGISTRY = "yukon_registry"


REGISTER_LETTERS = frozenset({"AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT", "FED", "IMO"})
"""Letters that name the register: the number without them is the same number. Other letters ("FM", "S", "A" in British Columbia)
are a separate series, in which the same digits identify another business."""
_BC_SERIES = re.compile(r"BC(?=(?:CP|XCP|BC|C|FM|A|B|S|XS|SO|LP|LL|XP|XL|LLC)\d)")
"""The province in front of letters of its own: "BC FM0530375"."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDY = 5
"""Minimum letters of a label that may be followed by a register's letters before the number."""
_LONGEST_SERIES = 3
"""Letters of a series: "XCP", "LLC"."""
_LEI_CHARACTERS = 20
_LONGEST_NUMBER = 15
"""A business number with its program account. A longer number is a LEI, whose leading letters are part of it."""


@dataclass(frozen=True, slots=True)
class LabelledNumber:
    """A number without the words in front of it, and the type of number that they state, if any."""

    number: str
    type: NumberType | None = None


def compact_number(text: str) -> str:
    """The letters, in capitals, and the digits of a text."""
    return "".join(filter(str.isalnum, fold(text).upper()))


def _index_labels() -> dict[str, NumberType | None]:
    labels: dict[str, NumberType | None] = {compact_number(label): None for label in _TABLE["any_number"]}
    for kind in NumberType:
        labels |= {compact_number(label): kind for label in _TABLE[kind]["labels"]}
    return labels


_LABELS = _index_labels()
_LEI = re.compile(rf"(?:{'|'.join(label for label, kind in _LABELS.items() if kind is NumberType.LEI)})([A-Z0-9]{{18}}\d{{2}})")


def parse_labelled_number(compact: str) -> LabelledNumber:
    """Remove the words in front of a compact number. A text with other letters in front is unchanged."""
    if len(compact) > _LEI_CHARACTERS and (lei := _LEI.fullmatch(compact)) is not None:
        return LabelledNumber(lei[1], NumberType.LEI)
    start = _LETTERS.match(compact)
    if start is None or not 0 < len(compact) - start.end() <= _LONGEST_NUMBER:
        return LabelledNumber(compact)
    letters, number = start[0], compact[start.end() :]
    if letters in _LABELS:
        return LabelledNumber(number, _LABELS[letters])
    for length in range(len(letters) - 1, _WORDY - 1, -1):
        if letters[:length] in _LABELS and len(letters) - length <= _LONGEST_SERIES:
            return LabelledNumber(_strip_province_letters(compact[length:]), _LABELS[letters[:length]])
    return LabelledNumber(_strip_province_letters(compact) if letters.startswith("BC") and letters != "BC" else compact)


def parse_label_type(label: str) -> NumberType | None:
    """The type of number that a label means in any register; None for a label that depends on the register."""
    return _LABELS.get(compact_number(label))


def is_label(text: str) -> bool:
    """Whether a text is only a label of a number."""
    return compact_number(text) in _LABELS


def _strip_province_letters(compact: str) -> str:
    """The number without the province in front of letters of a British Columbia series."""
    return _BC_SERIES.sub("", compact, count=1)
