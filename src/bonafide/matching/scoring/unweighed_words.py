"""Pair the words of two names that are not compared with weights: legal forms, articles and connectors, generation suffixes.

They are part of the breakdown with the weight 0, so that it has every word of both names. Features such as `legal_form` and
`generation` score them.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from bonafide.model.search.match import ComparedWords, LoneWord, WordDifference


class UnweighedWord(NamedTuple):
    """A word or a legal form of several words, in normal form. Words with the same `key` are equivalent: "ltd" and "limitee"."""

    text: str
    key: str


class ParsedWords(Protocol):
    """A name in normal form."""

    def list_unweighed_words(self) -> Sequence[UnweighedWord]:
        """The words of the name that are not aligned with those of another name, in their order."""


class UnweighedPairs(NamedTuple):
    """The paired words and those that only one of two names has, all with the weight 0."""

    matched: tuple[ComparedWords, ...]
    missing: tuple[LoneWord, ...]
    added: tuple[LoneWord, ...]


def pair_unweighed_words(requested: ParsedWords, found: ParsedWords) -> UnweighedPairs:
    """Pair equal words first, then equivalent ones. Each word is used once."""
    missing, added = list(requested.list_unweighed_words()), list(found.list_unweighed_words())
    matched: list[ComparedWords] = []
    for attribute, difference in (("text", WordDifference.EQUAL), ("key", WordDifference.EQUIVALENT)):
        for word in tuple(missing):
            other = next((other for other in added if getattr(other, attribute) == getattr(word, attribute)), None)
            if other is not None:
                missing.remove(word)
                added.remove(other)
                matched.append(
                    ComparedWords(submitted=word.text, found=other.text, difference=difference, likeness=1.0, weight=0.0)
                )
    return UnweighedPairs(tuple(matched), _to_lone_words(missing), _to_lone_words(added))


def _to_lone_words(words: Iterable[UnweighedWord]) -> tuple[LoneWord, ...]:
    return tuple(LoneWord(word=word.text, weight=0.0) for word in words)
