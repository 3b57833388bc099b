"""Translate messages by the gettext catalogue of their language.

English is the language of the templates and has no catalogue. The others are the `.po` files of `bonafide/locale`, which are read
when a language is first needed. A template is looked up exactly; what has no translation stays English, and `make lint` fails for
it.
"""

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO
from typing import Any

from bonafide.i18n.language import Language
from bonafide.i18n.message import JoinedValues, Message, MessageFormatter, Translate, is_joined

DOMAIN = "bonafide"
_NARROW_SPACE = "\u202f"
_DECIMALS = str.maketrans({",": _NARROW_SPACE, ".": ","})


def get_catalog_path(language: Language) -> Any:
    """The file of a language's translations."""
    return files("bonafide") / "locale" / language.value / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def load_catalog(language: Language) -> GNUTranslations:
    """The translations of a language."""
    # Imported here: English needs no catalogue.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    with get_catalog_path(language).open("rb") as file:
        catalog = read_po(file, locale=language.value, domain=DOMAIN)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


def translate(text: str, language: Language) -> str:
    """A message in the language. A text that is no message, or has no translation, stays as it is."""
    if language is Language.ENGLISH or not isinstance(text, Message) or text.template is None:
        return text
    return _get_translator(language)(text)


def get_translator(language: Language) -> Translate | None:
    """The function that writes messages in the language; None for English, the language that they are in."""
    return None if language is Language.ENGLISH else _get_translator(language)


@cache
def _get_translator(language: Language) -> Translate:
    translations = load_catalog(language)

    def write(value: Any, spec: str) -> str:
        if isinstance(value, Message):
            return translate_message(value)
        if isinstance(value, JoinedValues):
            return value.separator.join(translate_message(part) if isinstance(part, Message) else part for part in value.parts)
        if isinstance(value, (int, float)):
            return format(value, spec).translate(_DECIMALS)
        return format(value, spec)

    formatter = MessageFormatter(write)

    def translate_message(message: Message) -> str:
        template = _find_template(translations, message)
        return formatter.vformat(template, (), message.values) if message.values else template

    return translate_message


def _find_template(translations: GNUTranslations, message: Message) -> str:
    if message.template is None:
        return str(message)
    if is_joined(message):
        return message.template
    if message.plural is not None:
        n = message.values["n"]
        return translations.ngettext(message.template, message.plural, n if isinstance(n, int) else 2)
    if message.context is not None:
        return translations.pgettext(message.context, message.template)
    return translations.gettext(message.template)


def translate_template(message: Message, language: Language) -> str:
    """The template of a message in the language, for values that are filled in elsewhere."""
    if language is Language.ENGLISH:
        is_plural = message.plural is not None and message.values["n"] != 1
        return str(message.plural if is_plural else message.template)
    return _find_template(load_catalog(language), message)
