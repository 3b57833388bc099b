"""How alike two business names are, and why.

It works on names in their normal form and knows no entry, number or address; `rank` weighs those.
"""

from functools import partial

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair, Words, align
from bonafide.matching.breakdown import NO_WORDS, Results, Scale, name_breakdown
from bonafide.matching.comparison import NameComparison
from bonafide.matching.likeness import EQUAL, JOINED, word_likeness
from bonafide.matching.name_features import CAPS, OTHER_FACTORS, Compared, legal_form, pair_likeness, pair_weight, words
from bonafide.matching.names import NormalName
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.model.match import NameBreakdown


def compare_business_names(a: NormalName, b: NormalName, rarity: Rarity = STATIC) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    comparison = compare_if_alike(a, b, rarity, 0.0)
    assert comparison is not None  # noqa: S101 - no score is below 0
    return comparison


def compare_if_alike(a: NormalName, b: NormalName, rarity: Rarity, floor: float) -> NameComparison | None:
    """As `compare_business_names`; None where the words alone show that the score is below `floor`. Most candidates end here."""
    if a.core == b.core and a.core:
        return _same_words(a, b, rarity)
    if not a.core or not b.core:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_breakdown, NO_WORDS, rarity, (), ()))
    compared = Compared(a, b, _aligned(a.core, b.core), rarity)
    first = words(compared)
    if first.score < floor:
        return None
    factors = (first, *[result for feature in OTHER_FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    breakdown = partial(_breakdown, compared.alignment, rarity, factors, caps)
    return NameComparison(features.combined(factors, caps), factors, caps, "", breakdown)


def _same_words(a: NormalName, b: NormalName, rarity: Rarity) -> NameComparison:
    form = legal_form(Compared(a, b, NO_WORDS, rarity))
    factors = () if form is None else (form,)
    verdict = "same name" if form is None else "same words"
    return NameComparison(features.combined(factors, ()), factors, (), verdict, partial(_same_breakdown, a.core, rarity, factors))


def _aligned(left: Words, right: Words) -> Alignment:
    found = align(left, right, word_likeness)
    if not found.complete and "".join(left) == "".join(right):
        # The breaks fall in the middle of words: "North ern Lights", "Northern Ligh ts".
        return Alignment((Pair(left, right, JOINED, 0, 0),), (), ())
    return found


def _breakdown(found: Alignment, rarity: Rarity, factors: Results, caps: Results) -> NameBreakdown:
    scale = Scale(rarity.weight, partial(pair_weight, rarity=rarity), partial(pair_likeness, rarity=rarity))
    return name_breakdown(found, scale, factors, caps)


def _same_breakdown(core: Words, rarity: Rarity, factors: Results) -> NameBreakdown:
    pairs = tuple(Pair((word,), (word,), EQUAL, at, at) for at, word in enumerate(core))
    return _breakdown(Alignment(pairs, (), ()), rarity, factors, ())
