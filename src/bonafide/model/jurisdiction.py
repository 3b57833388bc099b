"""The fourteen jurisdictions that register businesses in Canada, by the contract's codes."""

import unicodedata
from enum import StrEnum

from bonafide.i18n.message import Message, join_values

_LABELS = {
    "AB": (Message("Alberta"), "Alberta"),
    "BC": (Message("British Columbia"), "Colombie-Britannique"),
    "MB": (Message("Manitoba"), "Manitoba"),
    "NB": (Message("New Brunswick"), "Nouveau-Brunswick"),
    "NL": (Message("Newfoundland and Labrador"), "Terre-Neuve-et-Labrador"),
    "NS": (Message("Nova Scotia"), "Nouvelle-Écosse"),
    "NT": (Message("Northwest Territories"), "Territoires du Nord-Ouest"),
    "NU": (Message("Nunavut"), "Nunavut"),
    "ON": (Message("Ontario"), "Ontario"),
    "PE": (Message("Prince Edward Island"), "Île-du-Prince-Édouard"),
    "QC": (Message("Quebec"), "Québec"),
    "SK": (Message("Saskatchewan"), "Saskatchewan"),
    "YT": (Message("Yukon"), "Yukon"),
    "FED": (Message("Federal"), "Fédéral"),
}


def _fold(text: str) -> str:
    """The text without case, accents and superfluous spaces."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return " ".join(plain.casefold().replace("’", "'").split())


_CODES = {_fold(name): code for code, labels in _LABELS.items() for name in (code, *labels)}


class Jurisdiction(StrEnum):
    """Where a business is registered: a province, a territory, or federally."""

    AB = "AB"
    BC = "BC"
    MB = "MB"
    NB = "NB"
    NL = "NL"
    NS = "NS"
    NT = "NT"
    NU = "NU"
    ON = "ON"
    PE = "PE"
    QC = "QC"
    SK = "SK"
    YT = "YT"
    FED = "FED"

    @property
    def label(self) -> Message:
        """The full name (`jurisdictionLabel`)."""
        return _LABELS[self.value][0]

    @classmethod
    def parse(cls, text: str) -> "Jurisdiction":
        """A code or a full name in either language; case and accents do not matter. Raises `ValueError` that lists the codes."""
        code = _CODES.get(_fold(text))
        if code is not None:
            return cls(code)
        raise ValueError(
            Message("'{text}' is not a jurisdiction. Use a full name or one of {codes}.", text=text, codes=join_values(cls))
        )
