"""Build the index of industries from the official tables, weighted by BM25 and corrected by training on the official phrases."""

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
"""The learning rate, relative to the weight. Tuned on other phrases than those of the published figures, as is the next."""
SHARPNESS = 0.2
"""The log odds of a class against one whose score is lower by 1."""
HALF = 2.5
"""The number of occurrences at which a feature has half of its maximum weight."""
_SEED = 2022
"""The seed for the order of the examples."""


@dataclass(frozen=True, slots=True)
class CountedPostings:
    """Postings with the number of occurrences of each feature in its class."""

    postings: FeaturePostings
    counts: Scores


@dataclass(frozen=True, slots=True)
class _Example:
    """One phrase: the position of its class, and the rows of its features.

    The postings of the rows are looked up in each round, because those of all phrases together need gigabytes. `own` are the
    positions, among these postings, of those of the phrase's class. `left` is the share of their weights that remains without the
    phrase itself.
    """

    place: int
    rows: NDArray[np.int64]
    own: NDArray[np.int64]
    left: Scores


def train_weights(counted: CountedPostings, examples: Sequence[tuple[int, Sequence[str]]], classes: int) -> FeaturePostings:
    """Return the postings with corrected weights. Deterministic. `examples` are phrases by the position of their class."""
    postings = counted.postings
    first = postings.weights
    weights = first.copy()
    known = list(_build_examples(counted, examples))
    order = np.random.default_rng(_SEED)
    for _ in range(ROUNDS):
        for number in order.permutation(len(known)):
            example = known[number]
            places, _ = postings.places(example.rows)
            of_classes = postings.classes[places]
            left = np.ones(len(places), dtype=np.float32)
            left[example.own] = example.left
            scores = np.bincount(of_classes, weights[places] * left, classes)
            likely = np.exp(SHARPNESS * (scores - scores.max()))
            gradient = -likely / likely.sum()
            gradient[example.place] += 1
            # Softmax regression with steps in proportion to the initial weights, so that common words keep low weights.
            weights[places] += STEP * (gradient[of_classes] * left).astype(np.float32) * first[places]
    return replace(postings, weights=weights)


def _build_examples(counted: CountedPostings, examples: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_Example]:
    postings = counted.postings
    for place, phrases in examples:
        for phrase in phrases:
            features = Counter(list_features(split_words(phrase)))
            if features:
                # Every feature of an example is in the index.
                rows = postings.rows(list(features))
                places, lengths = postings.places(rows)
                own = np.flatnonzero(postings.classes[places] == place)
                times = np.repeat(np.fromiter(features.values(), dtype=np.float32), lengths)[own]
                yield _Example(place, rows, own, _compute_remaining_share(counted.counts[places[own]], times))


def _compute_remaining_share(counts: Scores, times: Scores) -> Scores:
    """Compute the share of each weight that remains without the phrase's own occurrences."""
    rest = np.maximum(counts - times, 0)
    share: Scores = (rest / (rest + HALF)) / (counts / (counts + HALF))
    return share.astype(np.float32)


SATURATION = 2.5
"""BM25's k1, the weight of repeated words."""
LENGTH_SHARE = 0.3
"""BM25's b, the length normalization. It is low, because classes with many phrases cover more activities."""
TITLE_WEIGHT = 3.0
ABOVE_WEIGHT = 1.0
"""The weight of the titles of parent classes."""
EXAMPLE_WEIGHT = 1.0
EXCLUSION_WEIGHT = 0.5
"""The weight of a phrase that another class excludes with a reference to this one."""
DEFINITION_WEIGHT = 0.3
"""The weight of a class's definition, without pairs, because its sentences are long."""
PAIR_SHARE = 1.0
GRAM_SHARE = 0.2
"""The weights of pairs and n-grams relative to words; a word has about a dozen n-grams."""
_LEVELS_ABOVE = (5, 4, 3)
"""The digits of an industry, a group and a subsector."""
_SHARES = (1.0, PAIR_SHARE, GRAM_SHARE)


def build_index(editions: Sequence[NaicsEdition], about: Mapping[str, Any]) -> IndustryIndex:
    """Build the index of a classification in one or more languages. The codes are those of the first."""
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
    """The features of one class with their weights, and its phrases."""

    def __init__(self) -> None:
        self.features: defaultdict[str, float] = defaultdict(float)
        self.phrases: list[str] = []

    @property
    def examples(self) -> list[str]:
        """The phrases without the title, which is the first one."""
        return self.phrases[1:]

    def add(self, text: str, weight: float) -> None:
        for feature in list_features(split_words(text)):
            self.features[feature] += weight

    def add_words(self, text: str, weight: float) -> None:
        """Add each word by itself, without pairs."""
        for word in split_words(text):
            for feature in list_features([word]):
                self.features[feature] += weight


def _add_edition(edition: NaicsEdition, classes: Mapping[str, _Class]) -> None:
    """Add the texts of one language to each class."""
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
    """Return 0 for a word, 1 for a pair, 2 for an n-gram."""
    return 1 if is_pair(feature) else 2 if is_ngram(feature) else 0


def _sum_lengths(counted: Mapping[str, float]) -> tuple[float, ...]:
    lengths = [0.0, 0.0, 0.0]
    for feature, count in counted.items():
        lengths[_get_feature_kind(feature)] += count
    return tuple(lengths)
