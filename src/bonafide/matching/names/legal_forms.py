"""Find the legal form of a name: at its end or, in French and some foreign names, at its front.

The spellings are in `legal_forms.yml`. The cost of differing forms is defined in the feature tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from bonafide.i18n.message import Message
from bonafide.matching.scoring.unweighed_words import UnweighedWord
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS

_CORPORATION = "corporation"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LegalForm:
    """A group of equivalent forms: its key, label and kind of entity, and whether its words are kept as part of the name."""

    key: str
    label: Message
    kind: str
    keep: bool


class StrippedName(NamedTuple):
    """A name without its forms, and the keys of the forms in their order."""

    words: Words
    keys: tuple[str, ...]


_Phrases = Mapping[str, Sequence[tuple[Words, LegalForm]]]


def _index_by_word(rows: Iterable[tuple[Words, LegalForm]], position: int) -> _Phrases:
    found: dict[str, list[tuple[Words, LegalForm]]] = defaultdict(list)
    for phrase, form in dict(rows).items():
        found[phrase[position]].append((phrase, form))
    # The longest phrase is tried first: "limited partnership" before "partnership".
    return {word: sorted(phrases, key=lambda row: -len(row[0])) for word, phrases in found.items()}


def _list_spellings(row: Mapping[str, Any], languages: Iterable[str]) -> list[Words]:
    return [tuple(spelling.split()) for language in languages for spelling in row.get(language, ())]


def _build_legal_form(key: str, label: str, kind: str, *, keep: bool) -> LegalForm:
    return LegalForm(key, Message(label), kind, keep)


_ROWS = [
    (row, _build_legal_form(row["key"], row["label"], row["kind"], keep=row.get("keep", False)))
    for row in read_table("legal_forms")
]
LEGAL_FORMS: Mapping[str, LegalForm] = {form.key: form for _, form in _ROWS}
"""Every form by its key."""
_AT_END = _index_by_word(((phrase, form) for row, form in _ROWS for phrase in _list_spellings(row, ("en", "fr", "other"))), -1)
_AT_FRONT = _index_by_word(((phrase, form) for row, form in _ROWS for phrase in _list_spellings(row, ("front",))), 0)
SINGLE_WORDS = frozenset(
    word for word, rows in _AT_END.items() if any(phrase == (word,) and not form.keep for phrase, form in rows)
)
"""Forms of one word, which are simply removed from the end of a name: the great majority."""


def _list_significant_words(phrases: Iterable[tuple[Words, LegalForm]]) -> Iterator[str]:
    """The word of each phrase that is least likely in names without the form."""
    for phrase, form in phrases:
        words = [word for word in phrase if word not in SINGLE_WORDS and word not in EMPTY_WORDS]
        if words:
            yield max(words, key=len)
        elif form.keep:
            yield from phrase
        # A form made of forms and connectors ("Pty Limited", "GmbH & Co. KG") is found once its last word is removed.


SIGNIFICANT_FORM_WORDS = frozenset(phrase[0] for rows in _AT_FRONT.values() for phrase, _ in rows if len(phrase) == 1).union(
    _list_significant_words(row for rows in _AT_END.values() for row in rows),
    _list_significant_words(row for rows in _AT_FRONT.values() for row in rows if len(row[0]) > 1),
)
"""A name without any of these has no form except, possibly, single words at its end."""


def is_legal_form(words: Words) -> bool:
    """Whether these words are exactly one legal form."""
    return bool(words) and any(phrase == words for phrase, _ in _AT_END.get(words[-1], ()))


def _find_form_at_end(words: Words) -> tuple[Words, LegalForm] | None:
    for phrase, form in _AT_END.get(words[-1], ()):
        if words[-len(phrase) :] == phrase:
            return words[: -len(phrase)], form
    return None


def _find_form_at_front(words: Words) -> tuple[Words, LegalForm] | None:
    for phrase, form in _AT_FRONT.get(words[0], ()) if words else ():
        if words[: len(phrase)] == phrase:
            return words[len(phrase) :], form
    return None


def _may_precede(inner: LegalForm, outer: LegalForm | None) -> bool:
    # "… Company Limited" and "… LLP/s.e.n.c.r.l." have two forms, but in "… GP Inc." the GP is part of the corporation's name.
    return outer is None or inner.keep or inner.key == outer.key or inner.kind == _CORPORATION == outer.kind


def _trim_empty_words(words: Words, empty_words: AbstractSet[str]) -> Words:
    end = len(words)
    while end > 0 and words[end - 1] in empty_words:
        end -= 1
    return words if end == len(words) else words[:end]


def _trim_empty_words_in_front(words: Words, empty_words: AbstractSet[str]) -> Words:
    # "La Compagnie Zephyrine" has its form after an article.
    start = 0
    while start < len(words) and words[start] in empty_words:
        start += 1
    return words[start:]


def _strip_end(words: Words, empty_words: AbstractSet[str]) -> tuple[Words, list[LegalForm]]:
    forms: list[LegalForm] = []
    # The article of "Acme Company Limited, The" follows the form; the connector of "Smith & Co." precedes it.
    while candidate := _trim_empty_words(words, empty_words):
        found = _find_form_at_end(candidate)
        if found is None or empty_words >= set(found[0]) or not _may_precede(found[1], forms[-1] if forms else None):
            break
        forms.append(found[1])
        if found[1].keep:
            break
        words = found[0]
    return words, forms[::-1]


def strip_legal_forms(words: Words, empty_words: AbstractSet[str]) -> StrippedName:
    """Remove the forms from both ends of a name, unless only articles and connectors (`empty_words`) would be left."""
    body, forms = _strip_end(words, empty_words)
    front = _find_form_at_front(_trim_empty_words_in_front(body, empty_words))
    if front is not None and not empty_words >= set(front[0]):
        rest, form = front
        forms = [form, *forms]
        body = body if form.keep else rest
    return StrippedName(body, tuple(dict.fromkeys(form.key for form in forms)))


def group_form_words(words: Words) -> list[UnweighedWord]:
    """The legal forms among adjacent words of a name, as one word each with the key of the form, and the other words."""
    grouped: list[UnweighedWord] = []
    place = 0
    while place < len(words):
        for end in range(len(words), place, -1):
            key = _find_form_key(words[place:end])
            if key is not None or end == place + 1:
                text = " ".join(words[place:end])
                grouped.append(UnweighedWord(text, key if key is not None else text))
                place = end
                break
    return grouped


@lru_cache(maxsize=2**10)
def _find_form_key(words: Words) -> str | None:
    """The key of the legal form that these words are exactly; None for other words."""
    for phrase, form in (*_AT_END.get(words[-1], ()), *_AT_FRONT.get(words[0], ())):
        if phrase == words:
            return form.key
    return None
