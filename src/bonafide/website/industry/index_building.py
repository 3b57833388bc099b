"""Build the index of industries from the official tables, weighted by BM25.

What single features weigh is then corrected by `industry_training`. It reads and writes no file.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bonafide.website.industry.naics_index import FeaturePostings, IndustryIndex, hash_features
from bonafide.website.industry.naics_tables import NaicsEdition, PhraseKind
from bonafide.website.industry.text_features import is_ngram, is_pair, list_features, split_words
from bonafide.website.industry.weight_training import CountedPostings, train_weights

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


def build_index(editions: Sequence[NaicsEdition], about: Mapping[str, Any]) -> IndustryIndex:
    """The index of a classification, in one language or more; the codes are those of the first."""
    codes = editions[0].codes
    classes = {code: _Class() for code in codes}
    for edition in editions:
        _add_edition(edition, classes)
    titles = {edition.language: tuple(edition.titles.get(code, "") for code in codes) for edition in editions}
    phrases = tuple(tuple(own.phrases) for own in classes.values())
    counted = _build_postings([own.features for own in classes.values()])
    examples = [(place, own.examples) for place, own in enumerate(classes.values())]
    return IndustryIndex(tuple(codes), titles, phrases, train_weights(counted, examples, len(codes)), about)


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
        for feature in list_features(split_words(text)):
            self.features[feature] += weight

    def add_words(self, text: str, weight: float) -> None:
        """Each word by itself, without its neighbours."""
        for word in split_words(text):
            for feature in list_features([word]):
                self.features[feature] += weight


def _add_edition(edition: NaicsEdition, classes: Mapping[str, _Class]) -> None:
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


def _build_postings(classes: Sequence[Mapping[str, float]]) -> CountedPostings:
    lengths = [_sum_lengths(counted) for counted in classes]
    means = np.array(lengths).mean(axis=0)
    rows: defaultdict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for place, counted in enumerate(classes):
        for feature, count in counted.items():
            sort = _get_feature_kind(feature)
            spread = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[place][sort] / max(means[sort], 1))
            rows[feature].append((place, _SHARES[sort] * count * (SATURATION + 1) / (count + spread), count))
    features = list(rows)
    digests = hash_features(features)
    order = np.argsort(digests)
    ordered = [rows[features[place]] for place in order]
    weighed = np.array([weight * _compute_idf(len(row), len(classes)) for row in ordered for _, weight, _ in row], dtype=np.float32)
    postings = FeaturePostings(
        digests[order],
        np.cumsum([0, *map(len, ordered)], dtype=np.int64),
        np.array([place for row in ordered for place, _, _ in row], dtype=np.int64),
        weighed,
    )
    return CountedPostings(postings, np.array([count for row in ordered for _, _, count in row], dtype=np.float32))


def _compute_idf(having: int, classes: int) -> float:
    return math.log(1 + (classes - having + 0.5) / (having + 0.5))


def _get_feature_kind(feature: str) -> int:
    """Of a word 0, of a pair 1, of a piece 2."""
    return 1 if is_pair(feature) else 2 if is_ngram(feature) else 0


def _sum_lengths(counted: Mapping[str, float]) -> tuple[float, ...]:
    lengths = [0.0, 0.0, 0.0]
    for feature, count in counted.items():
        lengths[_get_feature_kind(feature)] += count
    return tuple(lengths)
