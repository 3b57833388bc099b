"""Translate the sentences of a stored document that this service has written.

Which fields hold sentences of this service is said here; how they read in French is the business of `french`.
"""

from typing import Any, TypeVar

from bonafide.model.base import Document
from bonafide.model.language import Language
from bonafide.services.messages.french import translate_to_french

TRANSLATED_FIELDS = frozenset({"reason", "reasons", "note", "notes", "message", "error", "reasoning"})
"""Fields whose text this service writes. Paths in `_UNTRANSLATED_FIELDS` are excluded: a source or an organization writes them."""
_UNTRANSLATED_FIELDS = frozenset({"details", "dismissed"})
D = TypeVar("D", bound=Document)


def translate(text: str, language: Language) -> str:
    """A sentence of this service."""
    return translate_to_french(text) if language is Language.FRENCH else text


def translate_document(document: D, language: Language) -> D:
    """The document with its sentences in the language."""
    if language is Language.ENGLISH:
        return document
    return type(document).model_validate(_translate_value(document.model_dump()))


def _translate_value(value: Any, field: str = "") -> Any:
    if isinstance(value, str):
        # A member of a StrEnum is a code, whatever its field is called.
        return translate_to_french(value) if field in TRANSLATED_FIELDS and type(value) is str else value
    if isinstance(value, dict):
        return {name: item if name in _UNTRANSLATED_FIELDS else _translate_value(item, name) for name, item in value.items()}
    return [_translate_value(item, field) for item in value] if isinstance(value, (list, tuple)) else value
