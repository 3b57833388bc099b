"""The language of the command line: French in a French locale (`LC_ALL`, `LC_MESSAGES` or `LANG`), else English.

Words of the framework, such as "Usage" and "Options", stay English. So does `--json`.
"""

import os
from functools import cache

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set decides, as in POSIX."""


def get_language() -> Language:
    """The language of the locale."""
    locale = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")
    return Language.FRENCH if locale.lower().startswith("fr") else Language.ENGLISH


def localize(message: str) -> str:
    """A message in the language of the locale."""
    language = get_language()
    if language is Language.ENGLISH:
        return str(message)
    from bonafide.i18n.catalog import translate  # noqa: PLC0415 - English needs no catalogue, which takes long to read

    return str(translate(message, language))


def localize_help(text: str) -> str:
    """A help text of several paragraphs in the language of the locale, paragraph by paragraph."""
    if get_language() is Language.ENGLISH:
        return text
    return "\n\n".join(_localize_paragraph(" ".join(paragraph.split())) for paragraph in text.split("\n\n"))


@cache
def _localize_paragraph(text: str) -> str:
    from bonafide.i18n.catalog import load_catalog  # noqa: PLC0415 - as in `localize`

    return load_catalog(Language.FRENCH).gettext(text)


def localize_choice(text: str, known: dict[str, Message]) -> str:
    """A code in words; the code itself where the table has no words for it."""
    return localize(known[text]) if text in known else text
