"""Find the best match between the names of a query and of an entry, each of which may have several parts.

`business_name_comparison` compares two names. This module selects the pairs to compare and applies the factors of their parts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bonafide.i18n.message import Message
from bonafide.matching.names.business_name_comparison import compare_above
from bonafide.matching.names.candidate_filter import CandidateFilter
from bonafide.matching.names.entry_names import ParsedName, parse_name
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A requested name or part compared with a found name or part. The score is that of the comparison times both factors."""

    requested: ParsedName
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
        return set(self.requested.normal.legal_forms) == set(self.found.normal.legal_forms)

    @property
    def reason(self) -> Message:
        """Which names or parts were compared, and how they compare."""
        reason = self.comparison.reason
        if self.requested.kind_label is not None:
            reason = Message("{kind} in the request: {reason}", kind=self.requested.kind_label, reason=reason)
        if self.found.kind_label is not None:
            reason = Message("{kind}: {reason}", kind=self.found.kind_label, reason=reason)
        return reason


def find_best_match(
    requested: Sequence[ParsedName],
    found: Iterable[ParsedName],
    rarity: WordRarity,
    floor: float,
    filters: Sequence[CandidateFilter] = (),
) -> NameMatch | None:
    """The best pair of a requested and a found name, or of a name and a part; None if all score below `floor`.

    The first of equally good pairs is returned. Two parts are never compared: many companies trade under the name of one franchise.
    `filters`, one for each requested name or none, make it faster where most names are excluded.
    """
    best = None
    filtered = list(zip(requested, filters or (None,) * len(requested), strict=True))
    for name in found:
        for one, excluding in filtered:
            if name.is_whole or one.is_whole:
                factor = one.factor * name.factor
                least = floor / factor
                if excluding is not None and excluding.excludes(name.normal, least):
                    continue
                comparison = compare_above(one.normal, name.normal, rarity, least)
                if comparison is not None and (best is None or comparison.score * factor > best.score):
                    best = NameMatch(one, name, comparison, round(comparison.score * factor, score_parameters.DECIMALS))
                    floor = max(floor, best.score)
    return best


def compare_name_texts(a: str, b: str, rarity: WordRarity = STATIC_RARITY) -> NameMatch:
    """Compare a requested name (`a`) with a found one (`b`), each with its parts. The score is symmetric."""
    match = find_best_match(parse_name(a), parse_name(b), rarity, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0
    return match
