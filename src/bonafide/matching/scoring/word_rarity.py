"""How much a word tells of which business is meant, from what it is (`words.yml`) and from how many loaded names bear it.

It counts nothing itself: the counts are given, so that the same counts make the same weights on every machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, log

from bonafide.matching.scoring import score_parameters
from bonafide.matching.text.word_classes import WordClass, classify_word, is_listed

_DECIMALS = 2
_FULL = score_parameters.WORD_WEIGHTS[WordClass.RARE]


@dataclass(frozen=True, slots=True)
class WordRarity:
    """Weights of words, 0 to 1, measured on `names` names, of which `frequencies` says how many hold each word.

    Only a word in no list can become lighter than its class: a listed word is common wherever it is, however small the registers
    are that lack it. A word that is not counted has the weight of its class. The weight follows the logarithm of the word's share
    of all names, so a register that grows by a tenth moves it by a hundredth at most.
    """

    names: int
    frequencies: Mapping[str, int]
    _lightened: dict[str, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reckon the words that are lighter than their class."""
        least = compute_minimum_count(self.names)
        common = {word: count for word, count in self.frequencies.items() if count >= least and is_measured(word)}
        object.__setattr__(self, "_lightened", {word: self._by_share(count) for word, count in common.items()})

    def weight(self, word: str) -> float:
        """What the word counts, 0 to 1."""
        lighter = self._lightened.get(word)
        return get_static_weight(word) if lighter is None else lighter

    def commonness(self, word: str) -> float:
        """How sure it is that the word is no misspelling of another: 1 for a listed one, 0 for one that hardly any name holds."""
        lighter = self._lightened.get(word)
        if lighter is None:
            return 1.0 if is_listed(word) else 0.0
        return (_FULL - lighter) / (_FULL - score_parameters.COMMON_UNLISTED)

    def _by_share(self, count: int) -> float:
        share = count / (self.names + score_parameters.PRIOR_NAMES)
        commonness = min(
            log(share / score_parameters.COINED_SHARE) / log(score_parameters.COMMON_SHARE / score_parameters.COINED_SHARE), 1.0
        )
        return round(_FULL - commonness * (_FULL - score_parameters.COMMON_UNLISTED), _DECIMALS)


def compute_minimum_count(names: int) -> int:
    """Of so many loaded names, how many must hold a word before it weighs less than its class."""
    return ceil(score_parameters.COINED_SHARE * (names + score_parameters.PRIOR_NAMES))


def is_measured(word: str) -> bool:
    """Whether it matters how many names hold the word: of listed words and numbers it doesn't."""
    return classify_word(word) is WordClass.RARE


_BY_CLASS = dict(score_parameters.WORD_WEIGHTS)


def get_static_weight(word: str) -> float:
    """What the word counts by its class alone."""
    return _BY_CLASS[classify_word(word)]


STATIC_RARITY = WordRarity(0, {})
"""The weights of the table alone, as long as nothing is loaded."""
