"""Translations of page texts: English in the template, French in YAML files.

The French is in the YAML files of a folder, `English: French`, one file for each part of the pages. `services/messages` translates
the texts of services (reasons, notes, errors). Texts of sources and callers are never translated.
"""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from bonafide.model.language import Language
from bonafide.package_data import parse_yaml

Translate = Callable[..., str]
"""`t("{n} matches", n=3)`: a text in the page's language, with its blanks filled."""


class TextCatalog:
    """The texts of one package, whose folder `french` has their French."""

    def __init__(self, package: str) -> None:
        self._package = package

    def in_language(self, language: Language) -> Translate:
        """The function that templates call."""
        french = _load_french(self._package) if language is Language.FRENCH else {}

        def t(english: str, **values: Any) -> str:
            # What has no French stays English: a page is never empty. A test keeps that from happening.
            return fill_placeholders(french.get(english, english), values)

        return t


def fill_placeholders(text: str, values: dict[str, Any]) -> str:
    """The text with its `{name}` blanks filled; safe for HTML where a value is."""
    if not values:
        return text
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(text).format(**values)
    return text.format(**values)


@cache
def _load_french(package: str) -> dict[str, str]:
    french: dict[str, str] = {}
    folder = files(package) / "french"
    for file in sorted(folder.iterdir(), key=lambda found: found.name):
        if file.name.endswith(".yml"):
            french |= parse_yaml(file.read_text("utf-8")) or {}
    return french
