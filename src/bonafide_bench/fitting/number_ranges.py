"""The range of each fitted number: caps stay inside their band, and numbers keep the order that their meaning demands."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

BAND_EDGES = (0.0, 0.5, 0.7, 0.8, 0.85, 0.95, 1.0)
"""Scores at which a decision changes. A cap stays between the edges that it is between: it says which decision a feature allows."""
_STEP, _FINE_STEP, _FINE_FROM = 0.01, 0.005, 0.95
_SHARES = frozenset({"one_sided", "conflict", "extra"})
"""Arguments that are shares of a word's weight, which may be more than 1."""
_WEIGHTS = frozenset({"distinctive", "enough"})
"""Arguments that are sums of weights of words."""
_MOST_SHARE, _WEIGHT_RANGE = 2.5, (0.3, 1.5)
_FACTOR_RANGE = (0.85, 0.995)
"""Below 1, because only equal names score 1."""
_LOWEST_WEIGHT = 0.02
_DOWN, _UP = 0.2, 0.15
"""How far a similarity or weight may go below and above its present value."""


class NumberKind(StrEnum):
    """The use of a number."""

    FACTOR = "factor"
    CAP = "cap"
    PARAMETER = "parameter"
    """A constant: a similarity, a weight, or a cost above 1."""
    WEIGHT = "weight"
    """A value of a mapping of weights; 1 is the unit and stays."""


ORDERS: Sequence[Sequence[str]] = (
    # A missing legal form is less of a difference than another form, and that less than a form of another kind of entity.
    ("BUSINESS_NAME_FEATURES.legal_form.missing", "BUSINESS_NAME_FEATURES.legal_form.other_form",
     "BUSINESS_NAME_FEATURES.legal_form.other_kind"),
    ("LISTED_NAME_FEATURES.legal_form.missing", "LISTED_NAME_FEATURES.legal_form.other_form",
     "LISTED_NAME_FEATURES.legal_form.other_kind"),
    # A number that only one name has is less of a difference than another number.
    ("BUSINESS_NAME_FEATURES.numbers.missing", "BUSINESS_NAME_FEATURES.numbers.new_company",
     "BUSINESS_NAME_FEATURES.numbers.limit"),
    ("LISTED_NAME_FEATURES.numbers.missing", "LISTED_NAME_FEATURES.numbers.new_company", "LISTED_NAME_FEATURES.numbers.limit"),
    ("LISTED_NAME_FEATURES.one_word_only.rare", "LISTED_NAME_FEATURES.one_word_only.limit"),
    ("LISTED_NAME_FEATURES.business_on_ship.limit", "LISTED_NAME_FEATURES.business_on_ship.misspelt"),
    ("PERSON_NAME_FEATURES.person_parts.conflict", "PERSON_NAME_FEATURES.person_parts.one_sided",
     "PERSON_NAME_FEATURES.person_parts.extra"),
    ("PERSON_NAME_FEATURES.generation.missing", "PERSON_NAME_FEATURES.generation.limit"),
    ("PERSON_NAME_FEATURES.business_of_name.limit", "PERSON_NAME_FEATURES.business_of_name.similar"),
    # Joined words are nearer than spellings of one word, and these nearer than translations and guesses.
    ("score_parameters.JOINED", "score_parameters.EQUIVALENT", "score_parameters.TRANSLATED"),
    ("score_parameters.PLURAL", "score_parameters.SHORTENED", "score_parameters.TRUNCATED"),
    ("score_parameters.NICKNAME", "score_parameters.INITIAL"),
    ("screening_parameters.SOUND", "screening_parameters.CONSONANTS"),
)  # fmt: skip
"""Keys of numbers, the highest first: each is at least the next one."""


def compute_range(kind: NumberKind, name: str, value: float) -> tuple[float, float] | None:
    """The lowest and highest value of a number; None if it is not fitted."""
    argument = name.rpartition(".")[2]
    if kind is NumberKind.CAP:
        return _WEIGHT_RANGE if argument in _WEIGHTS else find_band(value)
    if kind is NumberKind.FACTOR:
        return (0.0, _MOST_SHARE) if argument in _SHARES else _FACTOR_RANGE if value >= _FACTOR_RANGE[0] else find_band(value)
    if value == 1 or value <= 0:
        return None
    if value > 1:
        return value / 2, value * 2
    return max(_LOWEST_WEIGHT, round(value - _DOWN, 3)), min(1 - _STEP, round(value + _UP, 3))


def find_band(value: float) -> tuple[float, float]:
    """The lowest and highest value of the band of a cap: 0.65 stays from 0.5 to 0.69."""
    for low, high in pairwise(BAND_EDGES):
        if low <= value < high:
            return low, round(high - _STEP, 3)
    return value, value


def get_step(value: float) -> float:
    """The smallest change of a number: a hundredth, or near 1 half of that, so that it has three decimals at most."""
    return _FINE_STEP if _FINE_FROM <= value <= 1 else _STEP


def keeps_order(key: str, value: float, values: Mapping[str, float], orders: Sequence[Sequence[str]] = ORDERS) -> bool:
    """Whether the number may have this value beside the values of the others."""
    for order in orders:
        if key in order:
            at = order.index(key)
            higher = [values[other] for other in order[:at] if other in values]
            lower = [values[other] for other in order[at + 1 :] if other in values]
            if any(value > other for other in higher) or any(value < other for other in lower):
                return False
    return True
