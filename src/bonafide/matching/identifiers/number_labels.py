"""The words that people write in front of a number: taken off, and read for what kind of number they say it is.

Words and number are compact: capitals and digits without a space, since "BN 123" and "BN123" are the same. Nothing here looks at
the number itself; whether it is of that kind is decided in `number_formats`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table

_TABLE = read_table("number_types")


class NumberType(StrEnum):
    """The kinds of number in `number_types.yml`."""

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
"""Letters that say whose number it is: a bare number means the same. Other letters ("FM", "S", "A" in British Columbia) are a
series of their own, in which the same digits are another business."""
_BC_SERIES = re.compile(r"BC(?=(?:CP|XCP|BC|C|FM|A|B|S|XS|SO|LP|LL|XP|XL|LLC)\d)")
"""The province in front of letters of its own: "BC FM0530375"."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDY = 5
"""From so many letters on a label is words: only then may letters of a register stand between it and the number."""
_LONGEST_SERIES = 3
"""Letters of a series: "XCP", "LLC"."""
_LEI_CHARACTERS = 20
_LONGEST_NUMBER = 15
"""A business number with its program account. What is longer is a LEI, whose letters in front are no words."""


@dataclass(frozen=True, slots=True)
class LabelledNumber:
    """A number without the words in front of it, and the kind of number that they say it is; None where they say nothing."""

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
    """Take the words off a compact number. A text that has letters of another kind in front is left as it is."""
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
    """The kind of number that a label means wherever it stands; None for one that depends on the register."""
    return _LABELS.get(compact_number(label))


def is_label(text: str) -> bool:
    """Whether a text is nothing but words for a number."""
    return compact_number(text) in _LABELS


def _strip_province_letters(compact: str) -> str:
    """The number without the province in front of letters that are British Columbia's anyway."""
    return _BC_SERIES.sub("", compact, count=1)
