"""Tables of features: a comparison of names is defined by one table of feature functions and their numbers.

A feature function takes two aligned names and returns a finding, or None where it has nothing to report. Its name is the name of
the feature in results, and its docstring the documentation. Factors are multiplied, caps limit the product.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from inspect import signature
from types import FunctionType
from typing import Any, ClassVar, Concatenate, Generic, NamedTuple, TypeVar

from bonafide.i18n.message import Message
from bonafide.matching.scoring.alignment import AlignedNames
from bonafide.matching.scoring.name_comparison import Explanation, FeatureResult, NameComparison
from bonafide.matching.scoring.score_breakdown import build_name_breakdown
from bonafide.matching.scoring.score_parameters import DECIMALS

_SAME_NAME = Message("same name")
NamesT_contra = TypeVar("NamesT_contra", bound=AlignedNames[Any], contravariant=True)


class FeatureFinding(NamedTuple):
    """The finding of a feature function: a score from 0 to 1, and the reason."""

    score: float
    explanation: Explanation


class FeatureRow(Generic[NamesT_contra]):
    """A feature function and its numbers, which the function takes as keyword arguments.

    The first number is the argument that `main` names. Raises `TypeError` if the function does not take these numbers.
    """

    main: ClassVar[str]

    def __init__(
        self,
        function: Callable[Concatenate[NamesT_contra, ...], FeatureFinding | None],
        number: float | None = None,
        **numbers: float,
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.numbers = numbers if number is None else {self.main: number, **numbers}
        signature(function).bind(None, **self.numbers)
        self.find: Callable[[NamesT_contra], FeatureFinding | None] = _bind_numbers(function, self.numbers)


class Factor(FeatureRow[NamesT_contra]):
    """A feature whose score is multiplied with those of the other factors."""

    main = "score"


class Cap(FeatureRow[NamesT_contra]):
    """A feature whose score limits the product of the factors."""

    main = "limit"


class FeatureTable(Generic[NamesT_contra]):
    """All features of one comparison of names, in the order in which they are explained."""

    def __init__(self, *rows: FeatureRow[NamesT_contra]) -> None:
        self.rows = {row.name: row for row in rows}
        self.factors = tuple(row for row in rows if isinstance(row, Factor))
        self._first, *self._others = self.factors
        self.caps = tuple(row for row in rows if isinstance(row, Cap))

    def get_numbers(self, feature: str) -> Mapping[str, float]:
        """The numbers of a row. Raises `KeyError`."""
        return self.rows[feature].numbers

    def compare(self, names: NamesT_contra) -> NameComparison:
        """Apply every feature and combine the findings."""
        comparison = self.compare_above(names, 0.0)
        assert comparison is not None  # noqa: S101 - no score is below 0
        return comparison

    def compare_above(self, names: NamesT_contra, floor: float) -> NameComparison | None:
        """As `compare`; None if the first factor alone is below `floor`."""
        found = self._first.find(names)
        if found is not None and found.score < floor:
            return None
        factors = [] if found is None else [FeatureResult(self._first.name, *found)]
        factors += [FeatureResult(row.name, *found) for row in self._others if (found := row.find(names)) is not None]
        caps = [FeatureResult(row.name, *found) for row in self.caps if (found := row.find(names)) is not None]
        verdict = None if factors or caps else _SAME_NAME
        breakdown = partial(build_name_breakdown, names, tuple(factors), tuple(caps))
        return NameComparison(_combine_scores(factors, caps), tuple(factors), tuple(caps), verdict, breakdown)


def _bind_numbers(function: Callable[..., FeatureFinding | None], numbers: dict[str, float]) -> FunctionType:
    """A copy of the function with the numbers as keyword defaults: calling a `partial` is slower."""
    bound = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    bound.__kwdefaults__ = numbers
    return bound


def _combine_scores(factors: Iterable[FeatureResult], caps: Iterable[FeatureResult]) -> float:
    """The product of the factors, limited by the lowest cap."""
    score = 1.0
    for factor in factors:
        score *= factor.score
    return round(min([score, *(cap.score for cap in caps)]), DECIMALS)
