"""Train the weights of features, leaving each official example out in turn.

So a word that one phrase alone has teaches nothing about that phrase, and what tells neighbours apart grows. It counts no words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bonafide.website.industry.naics_index import FeaturePostings, Scores
from bonafide.website.industry.text_features import list_features, split_words

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
