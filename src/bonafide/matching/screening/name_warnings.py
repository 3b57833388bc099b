"""Warn about a screened name that may hide another one, and find the reason why a name cannot be screened at all."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.i18n.message import Message, join_values
from bonafide.matching.names.legal_forms import is_legal_form
from bonafide.matching.screening.name_parsing import FORM_WORDS, ParsedSubject
from bonafide.matching.text.confusables import find_mixed_words
from bonafide.matching.text.folding import fold
from bonafide.matching.text.word_classes import EMPTY_WORDS
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import ScreeningWarning, ScreeningWarningCode

_GENERIC_WORDS = FORM_WORDS | EMPTY_WORDS
_SHOWN_WORDS = 5


@dataclass(frozen=True, slots=True)
class NameWarnings:
    """The warnings about a name, and why it cannot be screened; None if it can be."""

    warnings: tuple[ScreeningWarning, ...]
    obstacle: Message | None


def find_name_warnings(subject: ParsedSubject, field: str) -> NameWarnings:
    """The warnings about the name of a subject. `field` is the name of the field that has it."""
    obstacle = _find_obstacle(subject)
    found = [*_find_suspicious_characters(subject), *([obstacle] if obstacle is not None else [])]
    warnings = tuple(ScreeningWarning(code=code, field=field, message=message) for code, message in found)
    return NameWarnings(warnings, obstacle[1] if obstacle is not None else None)


def describe_removed_characters(characters: tuple[str, ...]) -> Message:
    """The sentence for a name without its invisible characters."""
    return Message("Invisible characters were removed from the name: {characters}.", characters=join_values(characters))


def describe_mixed_words(words: list[str]) -> Message:
    """The sentence for a name with words of mixed script."""
    shown = join_values([Message("“{word}”", word=word) for word in words[:_SHOWN_WORDS]])
    return Message(
        "Letters of several scripts are mixed in {words}. They are compared as the letters that they look like.", words=shown
    )


def _find_suspicious_characters(subject: ParsedSubject) -> Iterator[tuple[ScreeningWarningCode, Message]]:
    removed = subject.subject.removed_characters
    if removed:
        yield ScreeningWarningCode.INVISIBLE_CHARACTERS, describe_removed_characters(removed)
    mixed = find_mixed_words(subject.subject.name)
    if mixed:
        yield ScreeningWarningCode.MIXED_SCRIPT, describe_mixed_words(mixed)


def _find_obstacle(subject: ParsedSubject) -> tuple[ScreeningWarningCode, Message] | None:
    if subject.numbers.keys:
        return None
    words = [word for word in subject.businesses[0].tokens if any(map(_is_letter_or_digit, word))]
    if not words:
        return ScreeningWarningCode.EMPTY_NAME, Message(
            "The name has no letters or digits that can be compared, so it was not screened. Enter the full name."
        )
    if subject.subject.entity_type is EntityKind.PERSON or not _is_generic(words, subject.subject.name):
        return None
    return ScreeningWarningCode.GENERIC_ONLY, Message(
        "“{name}” consists only of generic words, such as legal forms and articles, so it was not screened. Enter the full name, "
        "or state that it is the name of a person.",
        name=subject.subject.name,
    )


def _is_letter_or_digit(character: str) -> bool:
    # Modifier letters (Lm), such as the prolonged sound mark of Japanese, are no name by themselves.
    return character.isalnum() and unicodedata.category(character) != "Lm"


def _is_generic(words: list[str], text: str) -> bool:
    if all(len(word.strip(".")) <= 1 for word in fold(text).split()):
        # Initials that are written apart ("A B") are no legal form, although the normal form joins them.
        return False
    return _GENERIC_WORDS.issuperset(words) or is_legal_form(tuple(word for word in words if word not in EMPTY_WORDS))
