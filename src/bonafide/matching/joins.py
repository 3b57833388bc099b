"""A regulator's entry joined to a business by a number of its register: certain whatever name the list gives it, and why.

The number is one of a business that the search has found by name; whether it is the right business is for the reader of that match.
"""

from dataclasses import dataclass, replace

from bonafide.matching import features
from bonafide.matching.rank import Ranked
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.match import FieldMatch


@dataclass(frozen=True, slots=True)
class Join:
    """A number, with its label in front, and whose it is: `Sandbox Boulangerie Ltée (QC 1160000017)`."""

    number: str
    whose: str


def joined(item: Ranked[RegulatoryEntry], join: Join) -> Ranked[RegulatoryEntry]:
    """An entry that was ranked by its equal number, lifted to certainty, its number field saying whose number it is."""
    least, share = features.EQUAL_NUMBER
    score = round(least + share * item.name_score, features.DECIMALS)
    fields = tuple(_told(field, join) if field.field == "registrationNumber" else field for field in item.fields)
    return replace(item, score=max(item.score, score), fields=fields)


def _told(field: FieldMatch, join: Join) -> FieldMatch:
    return field.model_copy(update={"reason": f"{field.reason}; it is a number of {join.whose}, a match of this search"})
