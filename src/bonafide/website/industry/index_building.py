"""Build the index of industries from the official tables, weighted by BM25 and then corrected by training on the official phrases.

It reads and writes no file.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.website.industry.naics_index import FeaturePostings, IndustryIndex, Scores, hash_features
from bonafide.website.industry.naics_tables import NaicsEdition, PhraseKind
from bonafide.website.industry.text_features import is_ngram, is_pair, list_features, split_words

ROUNDS = 3
STEP = 0.05
"""How far one example moves a weight, as a share of it. Found on phrases that no printed figure is measured on, as the next is."""
SHARPNESS = 0.2
"""How much more likely a class is than another that scores one less, as a logarithm."""
HALF = 2.5
"""At so many occurrences a feature weighs half of what it can weigh: without one of them it weighs less accordingly."""
_SEED = 2022
"""Of the order in which the examples are gone through."""


@dataclass(frozen=True, slots=True)
class CountedPostings:
    """Postings, and how often each of their features occurs in its class."""

    postings: FeaturePostings
    counts: Scores


@dataclass(frozen=True, slots=True)
class _Example:
    """One phrase as places of postings; `left` is what remains of each weight without the phrase itself."""

    place: int
    places: NDArray[np.int64]
    classes: NDArray[np.int64]
    left: Scores


def train_weights(counted: CountedPostings, examples: Sequence[tuple[int, Sequence[str]]], classes: int) -> FeaturePostings:
    """The postings with corrected weights, the same for the same input; `examples` are phrases by the place of their class."""
    first = counted.postings.weights
    weights = first.copy()
    known = list(_build_examples(counted, examples))
    order = np.random.default_rng(_SEED)
    for _ in range(ROUNDS):
        for number in order.permutation(len(known)):
            example = known[number]
            scores = np.bincount(example.classes, weights[example.places] * example.left, classes)
            likely = np.exp(SHARPNESS * (scores - scores.max()))
            wanted = -likely / likely.sum()
            wanted[example.place] += 1
            # Softmax regression whose steps are in proportion to what a feature weighed at first: common words stay light.
            weights[example.places] += STEP * (wanted[example.classes] * example.left).astype(np.float32) * first[example.places]
    return replace(counted.postings, weights=weights)


def _build_examples(counted: CountedPostings, examples: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_Example]:
    postings = counted.postings
    for place, phrases in examples:
        for phrase in phrases:
            features = Counter(list_features(split_words(phrase)))
            if features:
                # Every feature of an example is in the index.
                places, lengths = postings.places(postings.rows(list(features)))
                classes = postings.classes[places]
                times = np.repeat(np.fromiter(features.values(), dtype=np.float32), lengths)
                yield _Example(place, places, classes, _compute_remaining_share(counted.counts[places], times, classes == place))


def _compute_remaining_share(counts: Scores, times: Scores, own: NDArray[np.bool_]) -> Scores:
    """The share of each weight that remains when the phrase's own occurrences are taken out of its class."""
    rest = np.maximum(counts - times, 0)
    return np.where(own, (rest / (rest + HALF)) / (counts / (counts + HALF)), 1).astype(np.float32)


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
