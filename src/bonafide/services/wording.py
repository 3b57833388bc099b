"""A stored document in the language of whoever reads it in print: its own sentences are put into it, all else stays as it is.

Which fields hold sentences of this service is said here; how they read in French is the business of `french`.
"""

from typing import Any, TypeVar

from bonafide.model.base import Document
from bonafide.model.language import Language
from bonafide.services.french import in_french

SENTENCES = frozenset({"reason", "reasons", "note", "notes", "message", "error", "reasoning"})
"""Fields that this service words. What a source or an organization has said may be called so too: it stands in `_OWN`."""
_OWN = frozenset({"details", "dismissed"})
D = TypeVar("D", bound=Document)


def said(text: str, language: Language) -> str:
    """A sentence of this service."""
    return in_french(text) if language is Language.FRENCH else text


def worded(document: D, language: Language) -> D:
    """The document with its sentences in the language."""
    if language is Language.ENGLISH:
        return document
    return type(document).model_validate(_worded(document.model_dump()))


def _worded(value: Any, field: str = "") -> Any:
    if isinstance(value, str):
        # A member of a StrEnum is a code, whatever its field is called.
        return in_french(value) if field in SENTENCES and type(value) is str else value
    if isinstance(value, dict):
        return {name: item if name in _OWN else _worded(item, name) for name, item in value.items()}
    return [_worded(item, field) for item in value] if isinstance(value, (list, tuple)) else value
