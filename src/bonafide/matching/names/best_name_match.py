"""Names that may consist of several, compared: the best pair of a name or part asked for and a name or part found.

How alike two names are is `business_names`' matter; here it is decided which of them are compared, and what a part is worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bonafide.matching.names.business_name_comparison import compare_above
from bonafide.matching.names.entry_names import ParsedName, parse_name
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name asked for, or a part of it, against one found, or a part of that. The score is the comparison's times both factors."""

    asked: ParsedName
    found: ParsedName
    comparison: NameComparison
    score: float

    @property
    def features(self) -> tuple[FeatureResult, ...]:
        """Every feature that found a difference."""
        return self.comparison.features

    @property
    def same_form(self) -> bool:
        """Whether both have the same legal forms."""
        return set(self.asked.normal.legal_forms) == set(self.found.normal.legal_forms)

    @property
    def reason(self) -> str:
        """Which names or parts these are, and how they compare."""
        asked = f"asked for with a {self.asked.kind_label}" if self.asked.kind_label else ""
        return ": ".join(filter(None, (self.found.kind_label, asked, self.comparison.reason)))


def find_best_match(asked: Sequence[ParsedName], found: Iterable[ParsedName], rarity: WordRarity, floor: float) -> NameMatch | None:
    """The best pair of a name asked for and one found, or of a part of one of them; None where all score below `floor`.

    Of equally good pairs the first counts. Two parts are never compared: many companies trade under the name of one franchise.
    """
    best = None
    for name in found:
        for one in asked:
            if name.is_whole or one.is_whole:
                factor = one.factor * name.factor
                comparison = compare_above(one.normal, name.normal, rarity, floor / factor)
                if comparison is not None and (best is None or comparison.score * factor > best.score):
                    best = NameMatch(one, name, comparison, round(comparison.score * factor, score_parameters.DECIMALS))
                    floor = max(floor, best.score)
    return best


def compare_name_texts(a: str, b: str, rarity: WordRarity = STATIC_RARITY) -> NameMatch:
    """Compare the name asked for (`a`) with the name found (`b`), each with its parts. The score is the same both ways."""
    match = find_best_match(parse_name(a), parse_name(b), rarity, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0
    return match
