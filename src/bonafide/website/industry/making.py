"""How the index of industries is made from the official tables: what is said of each class, counted and weighed (BM25 by sort).

What single features weigh is then corrected by `industry_training`. It reads and writes no file.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bonafide.website.industry.index import IndustryIndex, Postings, digests_of
from bonafide.website.industry.naics import Edition, PhraseKind
from bonafide.website.industry.training import Counted, trained
from bonafide.website.industry.words import features_of, is_gram, is_pair, words_of

SATURATION = 2.5
"""BM25's k1: how much the second occurrence of a word adds to the first."""
LENGTH_SHARE = 0.3
"""BM25's b: how far a class with many phrases counts as a longer text. Little: it has many because its trade has."""
TITLE_WEIGHT = 3.0
ABOVE_WEIGHT = 1.0
"""Of the titles of the classes above: what all classes of a group have in common."""
EXAMPLE_WEIGHT = 1.0
EXCLUSION_WEIGHT = 0.5
"""Of a phrase by which another class sends its reader here."""
DEFINITION_WEIGHT = 0.3
"""Of a class's definition, whose words count singly: its sentences are too long for pairs to mean much."""
PAIR_SHARE = 1.0
GRAM_SHARE = 0.2
"""What pairs and pieces count beside words; a word has a dozen pieces."""
_LEVELS_ABOVE = (5, 4, 3)
"""Digits of an industry, a group and a subsector."""
_SHARES = (1.0, PAIR_SHARE, GRAM_SHARE)


def make_index(editions: Sequence[Edition], about: Mapping[str, Any]) -> IndustryIndex:
    """The index of a classification, in one language or more; the codes are those of the first."""
    codes = editions[0].codes
    classes = {code: _Class() for code in codes}
    for edition in editions:
        _collect(edition, classes)
    titles = {edition.language: tuple(edition.titles.get(code, "") for code in codes) for edition in editions}
    phrases = tuple(tuple(own.phrases) for own in classes.values())
    counted = _postings([own.features for own in classes.values()])
    examples = [(place, own.examples) for place, own in enumerate(classes.values())]
    return IndustryIndex(tuple(codes), titles, phrases, trained(counted, examples, len(codes)), about)


class _Class:
    """What is said of one class: its features with what they weigh, and the phrases that are shown."""

    def __init__(self) -> None:
        self.features: defaultdict[str, float] = defaultdict(float)
        self.phrases: list[str] = []

    @property
    def examples(self) -> list[str]:
        """The phrases without the title, which is the first."""
        return self.phrases[1:]

    def add(self, text: str, weight: float) -> None:
        for feature in features_of(words_of(text)):
            self.features[feature] += weight

    def add_words(self, text: str, weight: float) -> None:
        """Each word by itself, without its neighbours."""
        for word in words_of(text):
            for feature in features_of([word]):
                self.features[feature] += weight


def _collect(edition: Edition, classes: Mapping[str, _Class]) -> None:
    """Add what one language says of each class."""
    for code, own in classes.items():
        if code in edition.titles:
            own.phrases.append(edition.titles[code])
            own.add(edition.titles[code], TITLE_WEIGHT)
            own.add_words(edition.definitions[code], DEFINITION_WEIGHT)
            for above in (code[:digits] for digits in _LEVELS_ABOVE):
                own.add(edition.titles.get(above, ""), ABOVE_WEIGHT)
    for phrase in edition.phrases:
        if phrase.code in classes and phrase.kind is PhraseKind.EXCLUSION:
            classes[phrase.code].add(phrase.text, EXCLUSION_WEIGHT)
        elif phrase.code in classes:
            classes[phrase.code].phrases.append(phrase.text)
            classes[phrase.code].add(phrase.text, EXAMPLE_WEIGHT)


def _postings(classes: Sequence[Mapping[str, float]]) -> Counted:
    lengths = [_lengths(counted) for counted in classes]
    means = np.array(lengths).mean(axis=0)
    rows: defaultdict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for place, counted in enumerate(classes):
        for feature, count in counted.items():
            sort = _sort(feature)
            spread = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[place][sort] / max(means[sort], 1))
            rows[feature].append((place, _SHARES[sort] * count * (SATURATION + 1) / (count + spread), count))
    features = list(rows)
    digests = digests_of(features)
    order = np.argsort(digests)
    ordered = [rows[features[place]] for place in order]
    weighed = np.array([weight * _rarity(len(row), len(classes)) for row in ordered for _, weight, _ in row], dtype=np.float32)
    postings = Postings(
        digests[order],
        np.cumsum([0, *map(len, ordered)], dtype=np.int64),
        np.array([place for row in ordered for place, _, _ in row], dtype=np.int64),
        weighed,
    )
    return Counted(postings, np.array([count for row in ordered for _, _, count in row], dtype=np.float32))


def _rarity(having: int, classes: int) -> float:
    return math.log(1 + (classes - having + 0.5) / (having + 0.5))


def _sort(feature: str) -> int:
    """Of a word 0, of a pair 1, of a piece 2."""
    return 1 if is_pair(feature) else 2 if is_gram(feature) else 0


def _lengths(counted: Mapping[str, float]) -> tuple[float, ...]:
    lengths = [0.0, 0.0, 0.0]
    for feature, count in counted.items():
        lengths[_sort(feature)] += count
    return tuple(lengths)
