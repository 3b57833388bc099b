"""The index of industries: the weight of each word, pair of words and n-gram for each class, in one file.

`index_building` builds it. It is immutable and loaded into memory.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message

VERSION = 1
"""Increment it with any change of features, weights or the file format. Files of other versions are not read."""
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FeaturePostings:
    """The classes of each feature with their weights: rows `starts[f]` to `starts[f + 1]`.

    Features are stored as sorted eight-byte digests.
    """

    digests: NDArray[np.uint64]
    starts: NDArray[np.int64]
    classes: NDArray[np.int64]
    weights: Scores

    def rows(self, features: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each feature; -1 if no class has it."""
        digests = hash_features(features)
        found = np.minimum(np.searchsorted(self.digests, digests), len(self.digests) - 1)
        return np.where(self.digests[found] == digests, found, -1)

    def places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indexes of all postings of these rows, and the number of each row."""
        begins, lengths = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.repeat(begins, lengths) + within, lengths


@dataclass(frozen=True, slots=True)
class IndustryIndex:
    """Classes with their titles by language, their phrases, and the postings. `about` describes the source tables."""

    codes: tuple[str, ...]
    titles: Mapping[Language, tuple[str, ...]]
    phrases: tuple[tuple[str, ...], ...]
    """The titles and examples of each class in every language."""
    postings: FeaturePostings
    about: Mapping[str, Any]

    def rarities(self, features: Sequence[str]) -> Scores:
        """Return the inverse document frequency of each feature; it is greatest for a feature that no class has."""
        rows = self.postings.rows(features)
        having = np.where(rows >= 0, self.postings.starts[rows + 1] - self.postings.starts[rows], 0)
        return np.log(1 + (len(self.codes) - having + 0.5) / (having + 0.5)).astype(np.float32)

    def scores(self, features: Mapping[str, float]) -> Scores:
        """Return the score of each class for weighted features."""
        rows = self.postings.rows(list(features))
        known = rows >= 0
        weights = np.fromiter(features.values(), dtype=np.float32, count=len(features))[known]
        places, lengths = self.postings.places(rows[known])
        products = self.postings.weights[places] * np.repeat(weights, lengths)
        return np.bincount(self.postings.classes[places], products, len(self.codes)).astype(np.float32)

    def has_features(self, place: int, features: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the class at this position has each feature."""
        rows = self.postings.rows(features)
        places, lengths = self.postings.places(np.maximum(rows, 0))
        owners = np.repeat(np.arange(len(rows)), lengths)[self.postings.classes[places] == place]
        return np.isin(np.arange(len(rows)), owners) & (rows >= 0)


def hash_features(features: Sequence[str]) -> NDArray[np.uint64]:
    """Return an eight-byte digest of each feature; a collision occurs in one of a billion indexes."""
    joined = b"".join(blake2b(feature.encode(), digest_size=8).digest() for feature in features)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


# ------------------------------------------------------------------------------------------------------------ storage


def write_index(index: IndustryIndex, path: Path) -> None:
    """Write the file: arrays in NumPy's format, texts as JSON."""
    texts = {
        "version": VERSION,
        "codes": index.codes,
        "titles": {language.value: titles for language, titles in index.titles.items()},
        "phrases": index.phrases,
        "about": index.about,
    }
    postings = index.postings
    arrays: dict[str, NDArray[Any]] = {
        "texts": _encode_text(json.dumps(texts, ensure_ascii=False)),
        "digests": postings.digests,
        "starts": postings.starts.astype(np.uint32),
        "classes": postings.classes.astype(np.uint16),
        "weights": postings.weights.astype(np.float16),
    }
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_index(path: Path) -> IndustryIndex:
    """Read the index of a file. Raises `SegmentCorrupt` for a damaged file or another version, `FileNotFoundError` for none."""
    content = path.read_bytes()
    try:
        version, index = _parse_index(content)
    except Exception as error:  # NumPy raises many kinds of errors for a damaged file
        raise SegmentCorrupt(Message("{file} is damaged: {error}", file=path.name, error=str(error))) from error
    if index is None:
        raise SegmentCorrupt(
            Message(
                "{file} has version {version}; version {expected} is required. Load the tables again",
                file=path.name,
                version=str(version),
                expected=VERSION,
            )
        )
    return index


def _parse_index(content: bytes) -> tuple[Any, IndustryIndex | None]:
    """Return the version of a file's content, and the index if the version is current."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        texts = json.loads(arrays["texts"].tobytes())
        if texts["version"] != VERSION:
            return texts["version"], None
        postings = FeaturePostings(
            arrays["digests"],
            arrays["starts"].astype(np.int64),
            arrays["classes"].astype(np.int64),
            arrays["weights"].astype(np.float32),
        )
        return VERSION, IndustryIndex(
            tuple(texts["codes"]),
            {Language(language): tuple(titles) for language, titles in texts["titles"].items()},
            tuple(map(tuple, texts["phrases"])),
            postings,
            texts["about"],
        )


def _encode_text(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
