"""The fourteen jurisdictions that register businesses in Canada, by the contract's codes."""

from enum import StrEnum

from bonafide.i18n.message import Message, join_values

_LABELS = {
    "AB": ("Alberta", "Alberta"),
    "BC": ("British Columbia", "Colombie-Britannique"),
    "MB": ("Manitoba", "Manitoba"),
    "NB": ("New Brunswick", "Nouveau-Brunswick"),
    "NL": ("Newfoundland and Labrador", "Terre-Neuve-et-Labrador"),
    "NS": ("Nova Scotia", "Nouvelle-Écosse"),
    "NT": ("Northwest Territories", "Territoires du Nord-Ouest"),
    "NU": ("Nunavut", "Nunavut"),
    "ON": ("Ontario", "Ontario"),
    "PE": ("Prince Edward Island", "Île-du-Prince-Édouard"),
    "QC": ("Quebec", "Québec"),
    "SK": ("Saskatchewan", "Saskatchewan"),
    "YT": ("Yukon", "Yukon"),
    "FED": ("Federal", "Fédéral"),
}


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
    def label(self) -> str:
        """The full name in English (`jurisdictionLabel`)."""
        return _LABELS[self.value][0]

    @classmethod
    def parse(cls, text: str) -> "Jurisdiction":
        """A code or a full name in either language, in any case. Raises `ValueError` that lists the codes."""
        folded = text.strip().casefold()
        for code, labels in _LABELS.items():
            if folded in {code.casefold(), *(label.casefold() for label in labels)}:
                return cls(code)
        raise ValueError(
            Message("'{text}' is not a jurisdiction. Use a full name or one of {codes}.", text=text, codes=join_values(cls))
        )
