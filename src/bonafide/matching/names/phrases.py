"""Unify phrases that lists of organizations abbreviate or write in two ways: "NII" is "research institute".

The phrases are in `screening.yml`. They are unified in the names of both sides before these are compared and indexed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS

Words = tuple[str, ...]
_PLANT = "zavod"
_SHORTEST_PLANT = 4
"""Letters before "zavod" from which a word is split into a name or a trade and "plant"."""


def unify_phrases(words: Words) -> Words:
    """The words with each known phrase in its usual way, and with words such as "radiozavod" in two words.

    Connectors and articles inside a phrase are removed with it. Names without such phrases are returned as they are.
    """
    phrases = _index_phrases()
    if phrases.keys().isdisjoint(words) and not any(word.endswith(_PLANT) for word in words):
        return words
    found: list[str] = []
    at = 0
    while at < len(words):
        for phrase, usual in phrases.get(words[at], ()):
            end = _find_end(words, at, phrase)
            if end is not None:
                found += usual
                at = end
                break
        else:
            found += _split_plant(words[at])
            at += 1
    return tuple(found)


def _find_end(words: Words, at: int, phrase: Words) -> int | None:
    """The position behind a phrase that begins at a position, regardless of connectors and articles; None if it is not there."""
    for word in phrase:
        while at < len(words) and words[at] in EMPTY_WORDS and words[at] != word:
            at += 1
        if at >= len(words) or words[at] != word:
            return None
        at += 1
    return at


def _split_plant(word: str) -> Sequence[str]:
    rest = word.removesuffix(_PLANT)
    return (rest, "plant") if rest != word and len(rest) >= _SHORTEST_PLANT else (word,)


@cache
def _index_phrases() -> Mapping[str, Sequence[tuple[Words, Words]]]:
    """Each phrase and its usual way by the first word, the longest phrase first."""
    found: dict[str, list[tuple[Words, Words]]] = defaultdict(list)
    for usual, spellings in read_table("screening")["phrases"].items():
        for spelling in map(str.split, spellings):
            found[spelling[0]].append((tuple(spelling), tuple(usual.split())))
    return {word: sorted(rows, key=lambda row: -len(row[0])) for word, rows in found.items()}
