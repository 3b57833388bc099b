"""Split names into their parts in normal form, and keep those of the last names.

A search compares the same names several times: those of registers and of the regulators that list the same businesses, and those of
earlier searches for similar names.
"""

from collections.abc import Iterable, Iterator, Sequence

from bonafide.matching.names.name_parts import PartKind, split_name_parts
from bonafide.matching.names.normalization import NormalName, normalise_all

NormalizedParts = tuple[tuple[PartKind, NormalName], ...]
"""The whole name and then its parts: the kind of each, and its normal form."""
MAX_KEPT = 2**12
"""Names of a generation. Two generations of made-up names take about 5 MB."""
_MAX_KEPT_CHARACTERS = 200
"""Longer names are rare, and are not kept."""


class NormalizedPartsCache:
    """The parts of the names that were used last, by the text of the name; safe for any number of threads.

    A full generation replaces the one before it, so that names that are used again are kept.
    """

    def __init__(self, size: int = MAX_KEPT) -> None:
        self._size = size
        self._recent: dict[str, NormalizedParts] = {}
        self._earlier: dict[str, NormalizedParts] = {}

    def __len__(self) -> int:
        return len(self._recent) + len(self._earlier)

    def normalize(self, texts: Sequence[str]) -> Iterator[NormalizedParts]:
        """The parts of each of these names. All that are not known are normalized together, which is faster than one by one."""
        recent, earlier = self._recent, self._earlier
        known: dict[str, NormalizedParts] = {}
        unknown = []
        for text in texts:
            parts = recent.get(text)
            if parts is None:
                parts = earlier.get(text)
                if parts is None:
                    unknown.append(text)
                    continue
                self._keep(text, parts)
            known[text] = parts
        for text, parts in _normalize_all(dict.fromkeys(unknown)):
            known[text] = parts
            if len(text) <= _MAX_KEPT_CHARACTERS:
                self._keep(text, parts)
        return map(known.__getitem__, texts)

    def _keep(self, text: str, parts: NormalizedParts) -> None:
        if len(self._recent) >= self._size:
            self._earlier, self._recent = self._recent, {}
        self._recent[text] = parts


def _normalize_all(texts: Iterable[str]) -> Iterator[tuple[str, NormalizedParts]]:
    split = [(text, split_name_parts(text)) for text in texts]
    normal = iter(normalise_all([part.text for _, parts in split for part in parts]))
    for text, parts in split:
        yield text, tuple([(part.kind, next(normal)) for part in parts])


_CACHE = NormalizedPartsCache()
normalize_parts = _CACHE.normalize
