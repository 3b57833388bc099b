"""Weights of words: how much a word distinguishes a business, by its class (`words.yml`) and its frequency in the loaded names.

The frequencies are given, so that equal frequencies result in equal weights on every machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, log

from bonafide.matching.scoring import score_parameters
from bonafide.matching.text.word_classes import WordClass, classify_word, is_listed

_DECIMALS = 2
_FULL = score_parameters.WORD_WEIGHTS[WordClass.RARE]


@dataclass(frozen=True, slots=True)
class WordRarity:
    """Weights of words, 0 to 1, measured on `names` names; `frequencies` has the number of names that contain each word.

    Only an unlisted word can weigh less than its class: a listed word is common by definition, however few of the loaded names
    contain it. A word without a frequency has the weight of its class. The weight follows the logarithm of the word's share of all
    names, so a register that grows by a tenth changes it by a hundredth at most.
    """

    names: int
    frequencies: Mapping[str, int]
    _lightened: dict[str, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the weights of the words that weigh less than their class."""
        least = compute_minimum_count(self.names)
        common = {word: count for word, count in self.frequencies.items() if count >= least and is_measured(word)}
        object.__setattr__(self, "_lightened", {word: self._by_share(count) for word, count in common.items()})

    def weight(self, word: str) -> float:
        """The weight of the word, 0 to 1."""
        lighter = self._lightened.get(word)
        return get_static_weight(word) if lighter is None else lighter

    def commonness(self, word: str) -> float:
        """How common the word is: 1 for a listed word, 0 for one that hardly any name contains. A common word is rarely a typo."""
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
    """How many of the loaded names must contain a word before it weighs less than its class."""
    return ceil(score_parameters.COINED_SHARE * (names + score_parameters.PRIOR_NAMES))


def is_measured(word: str) -> bool:
    """Whether the weight of the word depends on its frequency: not for listed words and numbers."""
    return classify_word(word) is WordClass.RARE


_BY_CLASS = dict(score_parameters.WORD_WEIGHTS)


@lru_cache(maxsize=2**14)
def get_static_weight(word: str) -> float:
    """The weight of the word by its class alone."""
    return _BY_CLASS[classify_word(word)]


STATIC_RARITY = WordRarity(0, {})
"""The weights of the table alone, without any frequencies."""
