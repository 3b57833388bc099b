"""How alike two business names are, and why.

It works on names in their normal form and knows no entry, number or address; `rank` weighs those.
"""

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair, align
from bonafide.matching.comparison import NameComparison
from bonafide.matching.likeness import JOINED, word_likeness
from bonafide.matching.name_features import CAPS, FACTORS, Compared, legal_form
from bonafide.matching.names import NormalName

_SAME = NameComparison(1.0, (), "same name")
_NOTHING = NameComparison(0.0, (), "no letters or digits to compare")


def compare_business_names(a: NormalName, b: NormalName) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    if not a.core or not b.core:
        return _NOTHING
    if a.core == b.core:
        return _same_words(a, b)
    compared = Compared(a, b, _aligned(a.core, b.core))
    factors = [result for feature in FACTORS if (result := feature(compared)) is not None]
    caps = [result for feature in CAPS if (result := feature(compared)) is not None]
    score = features.combined(factors, caps)
    return NameComparison(score, (*caps, *factors), "; ".join(result.reason for result in (*caps, *factors)))


def _same_words(a: NormalName, b: NormalName) -> NameComparison:
    form = legal_form(Compared(a, b, Alignment((), (), ())))
    return _SAME if form is None else NameComparison(features.combined([form], []), (form,), f"same words; {form.reason}")


def _aligned(left: tuple[str, ...], right: tuple[str, ...]) -> Alignment:
    found = align(left, right, word_likeness)
    if not found.complete and "".join(left) == "".join(right):
        # The breaks fall in the middle of words: "North ern Lights", "Northern Ligh ts".
        return Alignment((Pair(left, right, JOINED, 0, 0),), (), ())
    return found
