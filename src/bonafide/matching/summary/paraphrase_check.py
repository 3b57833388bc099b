"""Check that a paraphrase of a summary has exactly the same content as the summary.

The check is strict by design and rejects whatever it can't verify. Each sentence is compared with its original: it must have the
same names, numbers and dates, and the same significant words between them, in the same order, and no word that may add content.
Style and grammar are not checked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bonafide.i18n.language import Language
from bonafide.matching.summary.summarizer import Summary
from bonafide.matching.summary.summary_context import FactSentence
from bonafide.matching.text.tables import read_table

LONGEST = 2.0
"""A paraphrase may have this many times the words of the original …"""
EXTRA_WORDS = 6
"""… and this many in addition."""
SHORTEST = 0.4
"""A paraphrase must have at least this share of the words of the original."""
_QUOTES = re.compile(r"«\s*|\s*»|[“”„]")
_APOSTROPHES = str.maketrans("’‘`", "'''")
_WORD = re.compile(r"[^\W\d_]+")
_FOREIGN = re.compile(r"[^\w\s.,;:()'–—-]|[\d_]")
"""Characters that a sentence never has outside its values: digits, quotation marks, markup, question marks."""


class ParaphraseFault(StrEnum):
    """Why a paraphrase was rejected."""

    SENTENCES = "different number of sentences"
    VALUES = "a name, number or date is missing, changed, added or out of order"
    WORDS = "a word that may add content"
    CAPITALS = "a word with a capital letter that the original does not have"
    SIDES = "the request and the register are confused or in another order"
    TURNED = "a negation, a result or an assessment is missing, added or moved"
    LENGTH = "too long or too short"


class UnfaithfulParaphrase(ValueError):
    """The paraphrase has other content. The error contains no text of either."""

    def __init__(self, fault: ParaphraseFault, field: str | None = None) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.field = field
        """The field of the rejected sentence."""


class _Language:
    """The words of one language by their function."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.plain = frozenset(table["plain"])
        self.sides = _number_groups(table["sides"])
        self.telling = _number_groups([*table["sides"], *table["exact"]])
        """Significant words, with the number of their group."""
        self._groups = [frozenset(group) for kind in ("sides", "exact", "groups") for group in table[kind]]

    def allowed(self, own: frozenset[str]) -> frozenset[str]:
        """The words that a paraphrase of a sentence with these words may have."""
        return self.plain.union(own, *(group for group in self._groups if not group.isdisjoint(own)))


def _number_groups(groups: Sequence[Sequence[str]]) -> dict[str, int]:
    return {word: number for number, group in enumerate(groups) for word in group}


_LANGUAGES = {language: _Language(read_table("restatement")[language]) for language in Language}


def check_paraphrase(summary: Summary, text: str) -> str:
    """The paraphrase `text`, which has one line per sentence, with the values spelt as in the summary.

    Raises `UnfaithfulParaphrase`.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip() != ""]
    if len(lines) != len(summary.sentences):
        raise UnfaithfulParaphrase(ParaphraseFault.SENTENCES)
    language = _LANGUAGES[summary.language]
    return " ".join(_check_sentence(language, sentence, line) for sentence, line in zip(summary.sentences, lines, strict=True))


def _check_sentence(language: _Language, sentence: FactSentence, line: str) -> str:
    own, other = _split_values(sentence.text, sentence.values), _split_values(line, sentence.values)
    if own is None or other is None or any(map(_has_digit, other.parts)):
        raise UnfaithfulParaphrase(ParaphraseFault.VALUES, sentence.field)
    fault = next(_find_faults(language, own.parts, other.parts), None)
    if fault is not None:
        raise UnfaithfulParaphrase(fault, sentence.field)
    return other.joined()


def _find_faults(language: _Language, own: Sequence[str], other: Sequence[str]) -> Iterator[ParaphraseFault]:
    """The faults of the parts of a sentence between its values."""
    words, others = _list_words(own), _list_words(other)
    if not _is_plain_prose(other) or not set(others) <= language.allowed(frozenset(words)):
        yield ParaphraseFault.WORDS
    if not set(_list_capitalized(other)) <= set(_list_capitalized(own)):
        yield ParaphraseFault.CAPITALS
    if _list_word_groups(language.sides, own) != _list_word_groups(language.sides, other):
        yield ParaphraseFault.SIDES
    if _list_word_groups(language.telling, own) != _list_word_groups(language.telling, other):
        yield ParaphraseFault.TURNED
    if not SHORTEST * len(words) <= len(others) <= LONGEST * len(words) + EXTRA_WORDS:
        yield ParaphraseFault.LENGTH


def _list_word_groups(groups: dict[str, int], parts: Sequence[str]) -> list[list[int]]:
    """The groups of a part's words in order, for each part."""
    return [[groups[word] for word in _list_words([part]) if word in groups] for part in parts]


def _is_plain_prose(parts: Sequence[str]) -> bool:
    """Whether it begins as a sentence does, ends as one does, and has nothing in it that a sentence does not have."""
    begins = parts[0] == "" or parts[0][0].isalpha()
    return begins and parts[-1].endswith(".") and all(_FOREIGN.search(part) is None for part in parts)


def _has_digit(text: str) -> bool:
    return any(map(str.isnumeric, text))


# ------------------------------------------------------------------------------------------------------------ values


@dataclass(frozen=True, slots=True)
class _Split:
    """A sentence split into its values and the parts before, between and after them."""

    parts: tuple[str, ...]
    values: tuple[str, ...]

    def joined(self) -> str:
        parts = [part.replace("'", "’").replace(" :", "\u00a0:") for part in self.parts]
        return "".join(piece for pair in zip(parts, (*self.values, ""), strict=True) for piece in pair)


def _split_values(text: str, values: Sequence[str]) -> _Split | None:
    """A text split at these values; None if it does not have them in this order."""
    rest, parts, spelled = _normalize_typography(text), [], []
    for value in values:
        plain = _normalize_typography(value)
        first = re.escape(plain[0])
        found = re.search(rf"(?<!\w)(?:{first}|{first.upper()}){re.escape(plain[1:])}(?!\w)", rest)
        if found is None:
            return None
        parts.append(rest[: found.start()])
        # A sentence may begin with it.
        spelled.append(value if found[0][0] == plain[0] else value[0].upper() + value[1:])
        rest = rest[found.end() :]
    return _Split((*parts, rest), tuple(spelled))


def _normalize_typography(text: str) -> str:
    """The text with one kind of space, quotation mark and apostrophe, as typed on a keyboard."""
    return " ".join(_QUOTES.sub('"', text).translate(_APOSTROPHES).split())


# ------------------------------------------------------------------------------------------------------------ words


def _list_words(parts: Sequence[str]) -> list[str]:
    return [word.casefold() for part in parts for word in _WORD.findall(part)]


def _list_capitalized(parts: Sequence[str]) -> Iterator[str]:
    """Words with a capital letter, except the first word of a sentence."""
    for place, part in enumerate(parts):
        for found in _WORD.finditer(part):
            before = part[: found.start()].rstrip()
            is_first = before.endswith(".") or (before == "" and place == 0)
            if found[0] != found[0].casefold() and not is_first:
                yield found[0]
