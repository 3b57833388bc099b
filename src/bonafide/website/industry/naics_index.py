"""The index of industries: for each word, pair and piece of a word how strongly it speaks for each class, in one file.

It is made once (`industry_making`), never changed, and read whole. What a site's words are is not known here.
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

VERSION = 1
"""Raise it with any change of features, weights or the file: files of another version are not read."""
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FeaturePostings:
    """By feature the classes that have it and how strongly it speaks for each: rows `starts[f]` to `starts[f + 1]`.

    A feature is known by its digest, eight bytes; they stand in order.
    """

    digests: NDArray[np.uint64]
    starts: NDArray[np.int64]
    classes: NDArray[np.int64]
    weights: Scores

    def rows(self, features: Sequence[str]) -> NDArray[np.int64]:
        """The row of each feature; -1 where no class has it."""
        wanted = hash_features(features)
        found = np.minimum(np.searchsorted(self.digests, wanted), len(self.digests) - 1)
        return np.where(self.digests[found] == wanted, found, -1)

    def places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All places of these rows one after the other, and how many each row has."""
        begins, lengths = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.repeat(begins, lengths) + within, lengths


@dataclass(frozen=True, slots=True)
class IndustryIndex:
    """Classes with their titles by language, their phrases, and the postings. `about` says what it was made from."""

    codes: tuple[str, ...]
    titles: Mapping[Language, tuple[str, ...]]
    phrases: tuple[tuple[str, ...], ...]
    """Of each class its titles and examples, in every language."""
    postings: FeaturePostings
    about: Mapping[str, Any]

    def rarities(self, features: Sequence[str]) -> Scores:
        """How much each feature tells: the logarithm of how few classes have it; what none has tells the most."""
        rows = self.postings.rows(features)
        having = np.where(rows >= 0, self.postings.starts[rows + 1] - self.postings.starts[rows], 0)
        return np.log(1 + (len(self.codes) - having + 0.5) / (having + 0.5)).astype(np.float32)

    def scores(self, asked: Mapping[str, float]) -> Scores:
        """How strongly weighted features speak for each class."""
        rows = self.postings.rows(list(asked))
        known = rows >= 0
        weights = np.fromiter(asked.values(), dtype=np.float32, count=len(asked))[known]
        places, lengths = self.postings.places(rows[known])
        spoken = self.postings.weights[places] * np.repeat(weights, lengths)
        return np.bincount(self.postings.classes[places], spoken, len(self.codes)).astype(np.float32)

    def has_features(self, place: int, features: Sequence[str]) -> NDArray[np.bool_]:
        """Which of the features the class at this place has."""
        rows = self.postings.rows(features)
        places, lengths = self.postings.places(np.maximum(rows, 0))
        owners = np.repeat(np.arange(len(rows)), lengths)[self.postings.classes[places] == place]
        return np.isin(np.arange(len(rows)), owners) & (rows >= 0)


def hash_features(features: Sequence[str]) -> NDArray[np.uint64]:
    """Eight bytes for each; two features of one index share them once in a billion indexes."""
    joined = b"".join(blake2b(feature.encode(), digest_size=8).digest() for feature in features)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


# ------------------------------------------------------------------------------------------------------------ keeping


def write_index(index: IndustryIndex, path: Path) -> None:
    """Write the file: arrays as NumPy keeps them, texts as JSON."""
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
    """The index of a file. Raises `SegmentCorrupt` for a damaged one, or one of another version; `FileNotFoundError` for none."""
    content = path.read_bytes()
    try:
        version, index = _parse_index(content)
    except Exception as error:  # a damaged file fails inside NumPy's reader in any of a dozen ways
        raise SegmentCorrupt(f"{path.name} is damaged: {error}") from error
    if index is None:
        raise SegmentCorrupt(f"{path.name} is of version {version}, not {VERSION}: load it anew")
    return index


def _parse_index(content: bytes) -> tuple[Any, IndustryIndex | None]:
    """The version of a file's content, and the index if it is ours."""
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
